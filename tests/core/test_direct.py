"""Every short way of a public function gives what the function gives: value, type, gradient, and its refusals."""

from __future__ import annotations

import functools
import gc
import importlib
import inspect
import itertools
import pkgutil
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat.core import direct, eager
from paddle_compat.core.tensor import EMPTY

for _package in ("tensor", "nn.functional"):
    _root = importlib.import_module(f"paddle_compat.{_package}")
    for _info in pkgutil.iter_modules(_root.__path__):
        importlib.import_module(f"paddle_compat.{_package}.{_info.name}")

SHAPES: tuple[tuple[int, ...], ...] = ((), (0,), (4,), (3, 4), (4, 4), (1, 4), (2, 3, 4), (0, 4), (40, 70))
KINDS = ("float32", "float64", "bfloat16", "int32", "int64", "bool", "complex64")
# Values of the arguments that are no tensors; every parameter of a function that has a short way is named here.
OTHERS: dict[str, list[Any]] = {
    "name": [None],
    "out": [None],
    "seed": [0, 7],
    "num_classes": [4, 0, True],
    "mean": [0.0, 2],
    "std": [1.0, 0.5],
    "pos_weight": [None],
    "shape": [[-1], [4, -1], (2, 2), (-1, 2), (0, -1), (), [0, -1], [3, 4, 1], [5, 5], []],
    "start_axis": [0, 1, -1, 2],
    "stop_axis": [-1, 0, 1],
    "perm": [[1, 0], (1, 0), [0], [-1, 0], [0, 2, 1], [1, 1], []],
    "axis": [None, 0, -1, 1, [0, 1], [0], [-1], []],
    "dtype": [None, "float64", "int32", "int64", "float16", paddle.bfloat16, paddle.float32, paddle.int64, "nothing", []],
    "keepdim": [False, True],
    "transpose_x": [False, True],
    "transpose_y": [False, True],
    "approximate": [False, True],
    "negative_slope": [0.01, 0.3],
    "normalized_shape": [[4], 4, [3, 4], [70]],
    "epsilon": [1e-5, 1e-3],
    "padding_idx": [None, 1],
    "sparse": [False],
    "stride": [1],
    "padding": [0],
    "dilation": [1],
    "groups": [1],
    "data_format": ["NCHW"],
    "kernel_size": [2],
    "return_mask": [False],
    "ceil_mode": [False],
    "output_size": [2],
    "ignore_index": [-100],
    "reduction": ["mean"],
    "soft_label": [False],
    "numeric_stable_mode": [True],
    "return_softmax": [False, True],
    "use_softmax": [True],
    "label_smoothing": [0.0],
    "use_global_stats": [None],
    "momentum": [0.9],
    "running_mean": [paddle.zeros([4])],
    "running_var": [paddle.ones([4])],
    "scale": [2.0, 3, True],
    "bias_after_scale": [True, False],
    "act": [None, "relu"],
    "value": [0.0, -1e9, 2, float("inf"), 1e40],
    "start": [3, 0, 7, 1.5],
    "end": [None, 7, -2, 2.5],
    "step": [1, 2, -1, 0],
    "broadcast": [True, False],
    "k": [1, 2, 0, 9],
    "largest": [True, False],
    "sorted": [True, False],
    "descending": [False, True],
    "diagonal": [0, -1, 2, 1.5],
    "alpha": [1.0, 0.3],
    "beta": [1, 2.0],
    "threshold": [20, 0.5],
    "slope": [0.1666667, 0.5],
    "offset": [0.5, 0.0, 0, 1],
    "exclusive": [True, False],
    "divisor_override": [None],
    "pad": [[1, 0], [0, 1, 2, 0], [1, 1, 1, 1, 1, 1], [-1, 0], [1], (1, 0), []],
    "pad_from_left_axis": [True, False],
    "fill_value": [1, 2.7, float("nan"), 2**60 + 1, True],
    "repeat_times": [[2], [1, 3], [0], [], (2, 1)],
    "inputs": [[]],
    "num_or_sections": [2, 1, 0, 3, [1, -1], [1, 3], [1, 2], [0, 3], [4], []],
    "chunks": [2],
    "p": [0.5, 0.0, 1.0],
    "training": [False, True],
    "min": [0.0, -1, None, 3.0],
    "max": [1.0, 2, None],
    "rtol": [1e-5, 0.0, -1.0, 1],
    "atol": [1e-8, 0.5],
    "equal_nan": [False, True],
    "low": [0, 3, 9],
    "high": [None, 5],
    "n": [5, 0, 200],
    "num_samples": [1, 3, 0],
    "replacement": [False, True],
    "return_index": [False, True],
    "return_inverse": [False],
    "return_counts": [False, True],
    "out_int32": [False, True],
    "right": [False, True],
    "axis1": [0, 1],
    "axis2": [1, -1],
    "overwrite": [True, False],
    "as_tuple": [False, True],
    "shifts": [1, -2, [1]],
    "dim": [0, -1, None],
    "num": [None, 3],
    "padding_value": [0, 1.0],
    "prior_dist": [None],
    "is_huber": [True, False],
    "log_target": [False, True],
    "unbiased": [True, False],
    "source": [0, -1, 3, [0, 1]],
    "destination": [1, 0, [1, 0]],
    "axes": [[0], [0, 1], [-1], [3], (1,), []],
    "starts": [[0], [1, -2], [-9], [1.0], [True], (2,)],
    "ends": [[2], [-1, 3], [100]],
    "strides": [[1], [1, 2], [-1], [2]],
    "delta": [1.0, 2],
    "mode": ["upscale_in_train", "downscale_in_infer", "constant", "reflect"],
}
# One call in place of two, as the static half makes it, whose last bits differ.
FUSED = {
    "paddle_compat.nn.functional.common.linear": 1e-6,
    "paddle_compat.nn.functional.conv.conv2d": 1e-5,
    "paddle_compat.nn.functional.loss.cross_entropy": 1e-6,
}
NUMBERS = [2.0, 0.3, 0.0, 3, True]
RIGHT = (
    "arr", "indices", "y", "other", "weight", "bias", "condition", "index", "mat2", "mask", "vec", "updates", "sorted_sequence", "values",
)  # fmt: skip


@functools.cache
def _numbers(shape: tuple[int, ...]) -> torch.Tensor:
    """The numbers of every tensor of that shape."""
    return torch.from_numpy(np.asarray(np.random.RandomState(len(shape)).uniform(-2, 2, shape)))


def _made(shape: tuple[int, ...], kind: str, leaf: bool) -> Any:
    value = _numbers(shape).to(torch.float32).to(getattr(torch, kind))  # a copy: the numbers are float64
    tensor = paddle.Tensor(value)
    if leaf and value.is_floating_point():
        tensor.stop_gradient = False
    return tensor


def _ids(*shape: int, low: int = 0, high: int = 4, kind: str = "int64") -> Any:
    return paddle.Tensor(torch.from_numpy(np.random.RandomState(3).randint(low, high, shape)).to(getattr(torch, kind)))


def _windows_of_sequences(*ways: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"x": _made(x, kind, True), "kernel_size": size, "stride": stride, "padding": padding, **how}
        for x in ((2, 3, 7), (2, 7), (0, 3, 7), (2, 0, 7), (2, 3, 0))
        for kind in ("float32", "int32")
        for size, stride, padding in ((2, None, 0), (3, 2, 1), ([2], None, 0), (2, 1, 2), (8, None, 0), (9, 1, 0), (2, 0, 0))
        for how in ways
    ]


# What only some functions take: cases beside those made of the lists above.
def _lists() -> list[dict[str, Any]]:
    shapes = (((3, 4), (3, 4)), ((3, 4),), ((2, 4), (3, 4)), ((3, 4), (3,)), ((), ()), ((0,), (2, 3)), ((0, 4), (3, 4)))
    made = [[_made(shape, "float32", leaf) for shape in several] for several in shapes for leaf in (False, True)]
    made += [[_made((3, 4), kind, True) for kind in kinds] for kinds in itertools.product(KINDS, repeat=2)]
    return [{"x": [*several], "axis": axis} for several in [*made, []] for axis in (0, 1, -1, 2, 5)]


def _near() -> list[dict[str, Any]]:
    """Numbers that count as equal."""
    x = paddle.to_tensor([1.0, 1e-9, 1e-7, 0.0, -0.0, float("inf"), float("nan")])
    y = paddle.to_tensor([1.0, 0.0, 0.0, -2e-9, 0.0, float("inf"), float("nan")])
    return [{"self": x, "other": other} for other in (y, 0.0, 0, 1e-9, 1.0, float("inf"))]


def _chances() -> list[dict[str, Any]]:
    made = [paddle.to_tensor(chances) for chances in ([0.0, 0.25, 1.0], [[0.5, 0.5, 0.0], [0.1, 0.2, 0.3]], [0.5, 1.5], [0.0, 0.0])]
    return [{"x": chances} for chances in made]


def _close() -> list[dict[str, Any]]:
    """Numbers that are close to one another, infinities and NaN among them."""
    x = paddle.to_tensor([1.0, 1.0, 0.0, float("inf"), float("inf"), float("nan")])
    y = paddle.to_tensor([1.0, 1.00001, 1e-9, float("inf"), float("-inf"), float("nan")])
    pairs = ((x, y), (x[:3], y[:3]), (x[:4], y[:4]), (x[5:], y[5:]), (x, x))
    return [{"x": a, "y": b, "equal_nan": nan, "rtol": rtol} for a, b in pairs for nan in (False, True) for rtol in (1e-5, -1e-5)]


MORE: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "_tensor_operators.Tensor.__eq__": _near,
    "_tensor_operators.Tensor.__ne__": _near,
    "logic.isclose": _close,
    "_unique.unique": lambda: [{"x": x, "dtype": "int64"} for x in (_ids(5), _ids(2, 3), _made((3, 4), "float32", False), _ids())],
    "random.bernoulli": _chances,
    "random.multinomial": _chances,
    "logic.allclose": _close,
    "manipulation.concat": _lists,
    "manipulation.stack": _lists,
    "_arithmetic.add_n": lambda: [{"inputs": case["x"]} for case in _lists() if case["axis"] == 0],
    "input.embedding": lambda: [
        {"x": ids, "weight": _made((4, 3), kind, True), "padding_idx": padded}
        for ids in (_ids(2, 3), _ids(5), _ids(2, 1, kind="int32"), _ids(3, high=9), _ids(3, low=-2), _ids(0))
        for kind in ("float32", "bfloat16")
        for padded in (None, 1, -1)
    ],
    "input.one_hot": lambda: [{"x": ids, "num_classes": 4} for ids in (_ids(5), _ids(2, 3, kind="int32"), _ids(5, high=9), _ids(0))],
    "conv.conv2d": lambda: [
        {"x": _made(x, "float32", True), "weight": _made((4, w, 3, 3), "float32", True), "bias": b and _made(b, "float32", True), **how}
        for x in ((2, 4, 6, 7), (1, 4, 40, 40), (0, 4, 6, 6), (4, 6, 6))
        for w, b in ((4, (4,)), (2, (4,)), (1, (4,)), (4, (3,)), (4, None), (2, None))
        for how in (
            {"groups": 4 // w},
            {"groups": 4 // w, "stride": 2, "padding": 1},
            {"groups": 4 // w, "padding": [1, 2], "dilation": 2},
            {"groups": 1, "padding": "SAME"},
            {"groups": 1, "data_format": "NHWC"},
            {"groups": 1, "stride": 0},
        )
    ],
    "common.linear": lambda: [
        {"x": _made(x, kind, True), "weight": _made(w, kind, True)}
        for x in ((), (4,), (3, 4), (2, 3, 4), (0, 4))
        for w in ((4,), (4, 5), (3, 5))
        for kind in ("float32", "bfloat16", "int32")
    ],
    "pooling.max_pool2d": lambda: [
        {"x": _made(x, kind, True), "kernel_size": size, "stride": stride, "padding": padding, **how}
        for x in ((2, 3, 6, 7), (2, 6, 7), (0, 3, 6, 7), (2, 8, 40, 32))
        for kind in ("float32", "int32")
        for size, stride, padding in ((2, None, 0), (3, 2, 1), ([2, 3], None, 0), (2, 1, 2), (9, None, 0), (2, 0, 0))
        for how in ({}, {"ceil_mode": True}, {"data_format": "NHWC"})
    ],
    "pooling.max_pool3d": lambda: [
        {"x": _made(x, kind, True), "kernel_size": size, "stride": stride, "padding": padding, **how}
        for x in ((2, 3, 4, 5, 6), (3, 4, 5, 6), (0, 3, 4, 5, 6))
        for kind in ("float32", "int32")
        for size, stride, padding in ((2, None, 0), (3, 2, 1), ([2, 3, 1], None, 0), (2, 1, 2), (5, None, 0), (2, 0, 0))
        for how in ({}, {"ceil_mode": True}, {"data_format": "NDHWC"})
    ],
    "pooling.avg_pool2d": lambda: [
        {"x": _made(x, kind, True), "kernel_size": size, "stride": stride, "padding": padding, **how}
        for x in ((2, 3, 6, 7), (2, 6, 7), (0, 3, 6, 7))
        for kind in ("float32", "int32")
        for size, stride, padding in ((2, None, 0), (3, 2, 1), ([2, 3], None, 0), (2, 1, 2), (9, None, 0), (2, 0, 0))
        for how in ({}, {"ceil_mode": True}, {"exclusive": False}, {"divisor_override": 3}, {"data_format": "NHWC"})
    ],
    "pooling.max_pool1d": lambda: _windows_of_sequences({}, {"ceil_mode": True}, {"return_mask": True}),
    "pooling.avg_pool1d": lambda: _windows_of_sequences({}, {"ceil_mode": True}, {"exclusive": False}),
    "common.pad": lambda: [
        {"x": _made(x, kind, True), "pad": sides, **how}
        for x in ((2, 3, 4, 5), (2, 3, 4), (2, 3, 4, 5, 2), (0, 3, 4, 5))
        for kind in ("float32", "int64")
        for sides in ([1, 0], [0, 1, 2, 0], [1, 2, 3, 0, 0, 1], [-1, 0, 0, 0], [1, 0, -2, 0], [0, 0, 0, 0])
        for how in ({}, {"value": 2.5}, {"value": 2}, {"data_format": "NHWC"}, {"mode": "replicate"})
    ],
    "_selection.take_along_axis": lambda: [
        {"arr": _made(arr, "float32", True), "indices": _ids(*shape, high=high, kind=kind), "axis": axis, "broadcast": broadcast}
        for arr, shape in (((3, 4), (3, 2)), ((3, 4), (1, 4)), ((3, 4), (3, 4)), ((2, 3, 4), (2, 1, 4)), ((3, 4), (1, 1)), ((4,), (2,)))
        for high, kind in ((3, "int64"), (3, "int32"), (9, "int64"))
        for axis in (0, 1, -1, -2, 2)
        for broadcast in (True, False)
    ],
    "loss.softmax_with_cross_entropy": lambda: [
        {"logits": _made(shape, kind, True), "label": label, **how}
        for shape in ((5, 4), (5, 1, 4), (4,))
        for kind in ("float32", "bfloat16", "int32")
        for label in (_ids(5), _ids(5, 1), _ids(5, 1, 1), _ids(1), _ids(5, 1, kind="int32"), _ids(5, 1, low=4, high=5), _ids(4, 1))
        for how in ({}, {"ignore_index": 2}, {"axis": 0}, {"axis": 1}, {"axis": 3}, {"return_softmax": True})
    ],
    "ranking.nll_loss": lambda: [
        {"input": _made(shape, kind, True), "label": label, "reduction": reduction, "ignore_index": ignored}
        for shape in ((5, 4), (5, 4, 2, 2))
        for kind in ("float32", "bfloat16", "int32")
        for label in (_ids(5), _ids(5, 1), _ids(5, kind="int32"), _ids(5, low=4, high=5), _ids(4))
        for reduction in ("mean", "sum", "none", "other")
        for ignored in (-100, 2)
    ],
    "search.index_select": lambda: [
        {"x": _made(shape, "float32", True), "index": ids, "axis": axis}
        for shape in ((), (4,), (3, 4), (0, 4))
        for ids in (_ids(3), _ids(3, kind="int32"), _ids(2, 2), _ids(3, high=9), _ids(3, low=-2), _ids(0), _ids())
        for axis in (0, 1, -1, 5)
    ],
    "pooling.adaptive_avg_pool2d": lambda: [
        {"x": _made(x, kind, True), "output_size": size, "data_format": layout}
        for x in ((2, 3, 6, 7), (3, 6, 7), (0, 3, 6, 7))
        for kind in ("float32", "int32")
        for size in (1, 3, [2, 3], [None, 2])
        for layout in ("NCHW", "NHWC")
    ],
    "_arithmetic.pow": lambda: [
        {"x": _made(shape, kind, True), "y": number}
        for shape in ((), (3, 4), (0, 4))
        for kind in KINDS
        for number in (2, 2.0, -1, 0.5, 0, True)
    ],
    "_reshape.reshape": lambda: [
        {"x": _made((2, 3, 4), "float32", True), "shape": shape} for shape in ([0, -1], [0, 0, 2, -1], [4, 0, -1], [0, 0, 0, 0], [-1, 0])
    ],
    "_arithmetic.scale": lambda: [
        {"x": _made((3, 4), kind, True), "scale": factor, "bias": bias, "bias_after_scale": after}
        for kind in KINDS
        for factor in (2.0, 3, -0.1)
        for bias in (0.0, 1, 0.3)
        for after in (True, False)
    ],
    "norm.batch_norm": lambda: [
        {"x": _made(x, kind, True), "running_mean": _made((4,), "float32", False), "running_var": paddle.ones([4]), **parts, **how}
        for x in ((2, 4, 3, 3), (5, 4), (2, 4, 6), (0, 4, 2, 2), (4,), (2, 3, 4))
        for kind in ("float32", "float64", "bfloat16")
        for parts in ({"weight": _made((4,), "float32", True), "bias": _made((4,), "float32", True)}, {})
        for how in (
            {"training": True},
            {"training": False},
            {"training": True, "momentum": 0.5, "epsilon": 0.1},
            {"use_global_stats": True, "training": True},
            {"data_format": "NHWC"},
        )
    ],
    "loss.cross_entropy": lambda: [
        {"input": _made((5, 4), kind, True), "label": label, **how}
        for kind in ("float32", "float64", "bfloat16", "int32")
        for label in (_ids(5), _ids(5, 1), _ids(5, kind="int32"), _ids(5, high=9), _ids(5, low=-3), _ids(4), _ids(1, 5))
        for how in ({}, {"reduction": "sum"}, {"axis": 1}, {"ignore_index": 2}, {"label_smoothing": 0.1}, {"use_softmax": False})
    ]
    + [{"input": paddle.Tensor(torch.tensor([[300.0, 0.0, -1.0]])), "label": _ids(1, high=3)}],
    "norm.layer_norm": lambda: [
        {"x": _made((3, 4), "float32", True), "normalized_shape": shape, "weight": _made(w, "float32", True), "bias": _made(b, kind, True)}
        for kind in ("float32", "float64")
        for shape in ([4], 4, (4,), [3, 4], [3])
        for w, b in (((4,), (4,)), ((12,), (12,)), ((4,), (3,)))
    ]
    + [
        {"x": _made((3, 4), "float32", True), "normalized_shape": shape, **{n: s and _made(s, "float32", True) for n, s in parts.items()}}
        for shape in ([4], 4, [3, 4], [3])
        for parts in ({}, {"weight": (4,)}, {"bias": (4,)})
    ],
}


def _outcome(call: Callable[..., Any], args: dict[str, Any]) -> Any:
    """Types, shapes, needs of a gradient, shares of the memory, values and gradients, or the exception."""
    paddle.seed(5)
    try:
        out = call(**args)
        outs = out if isinstance(out, (list, tuple)) else [out]
        if not outs or not all(isinstance(part, paddle.Tensor) for part in outs):
            return out
        assert all(part._kind in (None, part._t.dtype if part.size else EMPTY) for part in outs), "a wrong data type is remembered"
        given = [value for entry in args.values() for value in (entry if isinstance(entry, list) else [entry])]
        leaves = [value._t for value in given if isinstance(value, paddle.Tensor) and not value.stop_gradient]
        values = [part._t for part in outs]
        for part in values[:]:
            if part.requires_grad:
                seed = torch.view_as_real(part) if part.is_complex() else part
                grads = torch.autograd.grad(seed.sum(), leaves, allow_unused=True, retain_graph=True)
                values += [torch.tensor(0.0) if grad is None else grad + 0 for grad in grads]
    except Exception as error:
        return type(error), re.sub(r"(Target) -?\d+", r"\1 n", str(error))  # of several, which one torch's threads come upon
    places = [value._t.data_ptr() for value in given if isinstance(value, paddle.Tensor) and value.size]
    types, shapes, ties = zip(*((str(part.dtype), part.shape, (part.stop_gradient, part._t.data_ptr() in places)) for part in outs))
    return types, shapes, ties, [value.detach().to(torch.complex128).numpy() for value in values]


def _same(received: Any, expected: Any, tolerance: float) -> bool:
    if received[:3] != expected[:3]:
        return False
    pairs = zip(received[3], expected[3]) if len(received) > 3 else ()
    return all(np.allclose(a, b, tolerance, tolerance, equal_nan=True) for a, b in pairs)


def _tensors(names: list[str]) -> list[dict[str, Any]]:
    """Tensors for the arguments: every shape with every shape, every type with every type."""
    made = []
    shapes = SHAPES if len(names) < 3 else ((2, 3), (3, 4), (4,), (2, 2, 3), (0, 3), ())
    for choice in itertools.product(shapes, repeat=len(names)):
        made += [dict(zip(names, (_made(shape, "float32", leaf) for shape in choice))) for leaf in (False, True)]
    for kinds in itertools.product(KINDS, repeat=len(names)):
        made.append(dict(zip(names, (_made((4, 4), kind, True) for kind in kinds))))
    return made


@pytest.mark.parametrize("key", sorted(direct.FUNCTIONS))
def test_short_way_is_the_function(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    long, short = direct.FUNCTIONS[key]
    parameters = [p.name for p in inspect.signature(long).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    names = [name for name in parameters if name in ("x", "self", "input", "logit", "logits", "label", *RIGHT)]
    if {"label", "weight"} <= {*names}:
        names.remove("weight")
    others = [name for name in parameters if name not in (*names, "weight")]
    cases = [{**tensors, **{name: OTHERS[name][0] for name in others}} for tensors in _tensors(names)]
    for shape in ((), (4,), (3, 4), (2, 3, 4), (0, 4)):
        for values in itertools.product(*(OTHERS[name] for name in others)):
            cases.append({**{name: _made(shape, "float32", True) for name in names}, **dict(zip(others, values))})
    cases += MORE.get(re.sub(r"^paddle_compat\.(nn\.functional|tensor)\.", "", key), list)()
    if "other" in names:
        cases += [{"self": _made((3, 4), kind, True), "other": number} for kind in KINDS for number in NUMBERS]
    made = []
    new = direct.new
    monkeypatch.setattr(direct, "new", lambda: made.append(1) or new())
    monkeypatch.setattr(direct, "wrapped", lambda value: made.append(1) or paddle.Tensor(value))
    for case in cases:
        if eager.follow is not None:  # the traceback of an error holds integers that gradients pass, which close the short ways
            gc.collect()
        direct.hold(True, "test")
        try:
            expected = _outcome(short, case)
        finally:
            direct.hold(False, "test")
        received = _outcome(short, case)
        shown = {name: (v.shape, str(v.dtype)) if isinstance(v, paddle.Tensor) else v for name, v in case.items()}
        assert _same(received, expected, FUSED.get(key, 0.0)), f"{key}({shown}): the short way gives {received}, the function {expected}"
        if len(expected) > 3 and (False, True) in expected[2]:  # a window on what has a gradient
            with paddle.no_grad():
                window = short(**case)
            parts = window if isinstance(window, list) else [window]
            kept = [part for part in parts if not any(part is value for value in case.values())]
            assert all(part.stop_gradient for part in kept), f"{key}({shown}) keeps the gradient under no_grad"
    assert made, "no case took the short way"


def test_a_holder_sends_calls_the_long_way() -> None:
    seen = []
    from paddle_compat.core import eager

    def cast(type_: str, args: list[Any]) -> list[Any]:
        seen.append(type_)
        return args

    former = eager.set_cast_inputs(cast)
    try:
        x = paddle.ones([2, 2])
        _ = x + x, paddle.matmul(x, x), paddle.nn.functional.relu(x)
    finally:
        eager.set_cast_inputs(former)
    _ = x + x
    assert seen == ["fill_constant", "elementwise_add", "matmul_v2", "relu"]


def test_what_is_remembered_of_a_data_type_is_right_after_any_change() -> None:
    x, layer = paddle.ones([3]), paddle.nn.Linear(2, 2)
    _ = x + x, layer.weight + layer.weight  # which ask for the data types
    parts = [x[0], x[3:], x[:2], x[paddle.to_tensor([], "int64")], x.reshape([1, 3]), x.detach()]
    x.cast_("int32")
    layer.to(dtype="float64")
    y = paddle.ones([2], "int64")
    _ = y + y
    y.data = paddle.ones([0])
    for tensor in (*parts, x, layer.weight, y):
        _ = tensor * tensor
        assert tensor._kind is (tensor._t.dtype if tensor.size else EMPTY)
    assert (layer.weight * 2.0).dtype == paddle.float64 and (x / 2).dtype == paddle.float32
    with pytest.raises(ValueError, match="elements"):
        paddle.max(parts[1])


def test_a_name_has_one_meaning() -> None:
    with pytest.raises(AssertionError, match="two meanings"):
        direct.direct("x", "torch.abs(x_)", torch=np)(lambda x: x)


@pytest.mark.parametrize("training", [False, True])
def test_batch_norm_moves_its_statistics_either_way(training: bool) -> None:
    x, parts = _made((5, 4), "float32", False), [_made((4,), "float32", False) for _ in range(2)]
    kept = []
    for held in (False, True):
        mean, variance = paddle.zeros([4]), paddle.ones([4])
        direct.hold(held, "test")
        try:
            paddle.nn.functional.batch_norm(x, mean, variance, *parts, training=training, momentum=0.75)
        finally:
            direct.hold(False, "test")
        kept.append([*mean.tolist(), *variance.tolist()])
    assert kept[0] == kept[1]
    assert (kept[0] == [0.0] * 4 + [1.0] * 4) is not training
