"""How tensors lie that go into operators and come out of them: the rules of `core.get_phi_spmd_rule`."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

WHEELS = ("2.6.2", "3.3.1")
MESH = [[0, 1, 2], [3, 4, 5]]
SINCE_3 = ("add_n", "argmax", "argsort", "cumsum", "expand_as", "gather_nd", "greater_than", "logsumexp", "mean_all", "nonzero", "one_hot",
           "p_norm", "roll", "strided_slice", "swiglu", "tile", "topk", "unbind")  # fmt: skip
# rule: [shapes of inputs], [shapes of outputs], attributes; a list of shapes for an operator's list
X, Y = [6, 12, 18], [12, 18]
CASES: dict[str, list[tuple[list[Any], list[Any], list[Any]]]] = {
    **{name: [([X], [X], [])] for name in ("relu", "scale", "exp", "dropout", "clip")},
    **{name: [([X, Y], [X], []), ([[6, 1, 18], [12, 1]], [X], []), ([X, X], [X], [])] for name in ("add", "multiply", "fmax", "not_equal")},
    "greater_than": [([X, Y], [X], [])],
    "swiglu": [([X, X], [X], [])],
    "where": [([X, X, X], [X], []), ([X, Y, X], [X], [])],
    "matmul": [
        ([[6, 12], [12, 18]], [[6, 18]], [False, False]),
        ([[12, 6], [12, 18]], [[6, 18]], [True, False]),
        ([[6, 12], [18, 12]], [[6, 18]], [False, True]),
        ([[24, 6, 12], [24, 12, 18]], [[24, 6, 18]], [False, False]),
        ([[30, 24, 6, 12], [12, 18]], [[30, 24, 6, 18]], [False, False]),
        ([[24, 6, 12], [30, 24, 12, 18]], [[30, 24, 6, 18]], [False, False]),
    ],
    "embedding": [([[6, 12], [24, 18]], [[6, 12, 18]], [-1, False]), ([[6, 12], [24, 18]], [[6, 12, 18]], [3, False])],
    "softmax": [([X], [X], [axis]) for axis in (-1, 0, 1)],
    "log_softmax": [([X], [X], [-1])],
    "cross_entropy_with_softmax": [
        ([X, [6, 12, 1]], [X, [6, 12, 1]], [False, True, True, -100, -1]),
        ([X, [6, 1, 18]], [X, [6, 1, 18]], [False, True, True, -100, 1]),
        ([X, X], [X, [6, 12, 1]], [True, True, True, -100, -1]),
    ],
    "layer_norm": [([X, [18], [18]], [X, [6, 12], [6, 12]], [1e-5, 2]), ([X, [216], [216]], [X, [6], [6]], [1e-5, 1])],
    **{
        name: [([X], [[12, 18]], [[0], False]), ([X], [[6, 1, 18]], [[1], True]), ([X], [[6]], [[1, 2], False])]
        for name in ("sum", "max", "all", "prod")
    },
    "logsumexp": [([X], [[12, 18]], [[0], False, False])],
    "p_norm": [([X], [[6, 18]], [2.0, 1, 1e-12, False, False])],
    "reshape": [
        ([[6, 12, 48, 24]], [[1, 72, 48, 4, 6]], [[1, 72, 48, 4, 6]]),
        ([[6, 12, 48, 24]], [[72, 48, 24]], [[72, -1, 24]]),
        ([[6, 12]], [[12, 6]], [[12, 6]]),
        ([[6, 6, 18]], [[6, 108]], [[0, 108]]),
    ],
    "flatten": [([[6, 12, 18, 24]], [[6, 216, 24]], [1, 2]), ([[6, 12, 18]], [[1296]], [0, -1])],
    "squeeze": [([[1, 6, 1, 12]], [[6, 1, 12]], [[0]]), ([[6, 12]], [[6, 12]], [[0]])],
    "unsqueeze": [([[6, 12]], [[6, 1, 12]], [[1]]), ([[6, 12]], [[1, 1, 6, 12]], [[0, 1]]), ([[6, 12]], [[6, 12, 1]], [[-1]])],
    "transpose": [([X], [[12, 6, 18]], [[1, 0, 2]]), ([X], [[18, 6, 12]], [[-1, 0, 1]])],
    "split_with_num": [([X], [[6, 6, 18], [6, 6, 18]], [2, 1])],
    "split": [([X], [[2, 12, 18], [4, 12, 18]], [[2, 4], 0])],
    "slice": [([X], [[2, 12, 18]], [[0], [2], [4], [1], [0]])],
    "triu": [([X], [X], [0])],
    "default_data_parallel": [([[6, 12], [6]], [[6, 12, 18]], [])],
    "replicated": [([[6, 12], [6]], [[6, 12, 18]], [])],
    "add_n": [([[X, X]], [X], [])],
    "argmax": [([X], [[6, 18]], [1, False, False, 3]), ([X], [[6, 1, 18]], [1, True, False, 3])],
    "argsort": [([X], [X, X], [-1, True, False])],
    "topk": [([X], [X, X], [4, 0, True, True])],
    "cumsum": [([X], [X], [1, False, False, False]), ([X], [[1296]], [1, True, False, False])],
    "expand_as": [([[12, 18], X], [X], [X]), ([[1, 18], Y], [Y], [Y])],
    "gather_nd": [([X, [24, 6, 2]], [[24, 6, 18]], [])],
    "mean_all": [([X], [[]], [])],
    "nonzero": [([Y], [[24, 2]], [])],
    "one_hot": [([Y], [[12, 18, 10]], [10])],
    "roll": [([X], [X], [[1], [1]])],
    "strided_slice": [([X], [[2, 12, 18]], [[0], [1], [5], [2]])],
    "tile": [([X], [[12, 12, 18]], [[2, 1, 1]]), ([Y], [[6, 12, 18]], [[6, 1, 1]])],
    "unbind": [([[6, 12, 2]], [[6, 12], [6, 12]], [2])],
}
# the rules that only Paddle 3 has: a direction, shapes of tensors, attributes
IMAGES, FILTERS, MADE = [6, 12, 18, 18], [24, 12, 3, 3], [6, 24, 16, 16]
CONV = [[1, 1], [0, 0], "EXPLICIT", [1, 1], 1, "NCHW"]
CONV3 = [[1, 1, 1], [0, 0, 0], "EXPLICIT", 1, [1, 1, 1]]
TURNED = [[1, 1], [0, 0], [], [], "EXPLICIT", 1, [1, 1]]
BY_CHANNEL = [[1, 1], [0, 0], "EXPLICIT", 12, [1, 1]]
HEADS, TABLE = [6, 12, 18, 24], [1, 12, 1, 24]
MASKED = [HEADS, HEADS, HEADS, [2], [6, 18, 12, 12]]
ROTARY = [HEADS, HEADS, HEADS, TABLE, TABLE, [6, 12]]
LATER: list[tuple[str, str, list[Any], list[Any]]] = [
    ("bmm", "forward", [[6, 6, 12], [6, 12, 18]], []),
    ("bmm", "backward", [[6, 6, 12], [6, 12, 18], [6, 6, 18]], []),
    ("c_embedding", "forward", [[12, 18], [6, 6]], [0, -1]),
    ("c_embedding", "backward", [[12, 18], [6, 6], [6, 6, 18]], [0, -1]),
    ("c_softmax_with_cross_entropy", "forward", [X, [6, 12, 1]], [-100, 0, 1]),
    ("c_softmax_with_multi_label_cross_entropy", "forward", [X, [6, 12, 6], [6, 12, 6]], [-100, False, 0, 1]),
    ("conv2d", "forward", [IMAGES, FILTERS], CONV),
    ("conv2d", "backward", [IMAGES, FILTERS, MADE], CONV),
    ("conv3d", "forward", [[*IMAGES, 18], [*FILTERS, 3]], [*CONV3, "NCDHW"]),
    ("conv3d", "forward", [[6, 18, 18, 18, 12], [*FILTERS, 3]], [*CONV3, "NDHWC"]),
    ("conv3d", "backward", [[*IMAGES, 18], [*FILTERS, 3], [*MADE, 16]], [*CONV3, "NCDHW"]),
    ("conv2d_transpose", "forward", [IMAGES, [12, 24, 3, 3]], [*TURNED, "NCHW"]),
    ("conv2d_transpose", "forward", [[6, 18, 18, 12], [12, 24, 3, 3]], [*TURNED, "NHWC"]),
    ("conv2d_transpose", "backward", [IMAGES, [12, 24, 3, 3], [6, 24, 20, 20]], [*TURNED, "NCHW"]),
    ("depthwise_conv2d", "forward", [IMAGES, [12, 1, 3, 3]], [*BY_CHANNEL, "NCHW"]),
    ("depthwise_conv2d", "forward", [[6, 18, 18, 12], [12, 1, 3, 3]], [*BY_CHANNEL, "NHWC"]),
    ("depthwise_conv2d", "backward", [IMAGES, [12, 1, 3, 3], [6, 12, 16, 16]], [*BY_CHANNEL, "NCHW"]),
    ("cummax", "forward", [X], [1, "INT64"]),
    ("cummin", "backward", [X, X, X], [1, "INT64"]),
    *(("einsum", "forward", [[[6, 12], [12, 18]]], [text]) for text in ("ij,jk->ik", "ij,jk->ki", "ij,jk->k")),
    ("einsum", "forward", [[X]], ["ijk->kj"]),
    ("einsum", "forward", [[[6, 6]]], ["ii->i"]),
    ("einsum", "forward", [[[6, 12, 18], [6, 18, 24]]], ["...ij,...jk->...ik"]),
    ("einsum", "forward", [[[6, 12], [12, 18], [18, 6]]], ["ij,jk,kl->il"]),
    ("flash_attention", "forward", MASKED, [0.0, False, False, False, ""]),
    ("flash_attention", "forward", [*MASKED[:4], [6, 1, 12, 12]], [0.0, True, False, False, ""]),
    ("flash_attention", "backward", [*MASKED, HEADS, [6, 18, 12, 12], [6, 18, 12], [2]], [0.0, False, False, False, ""]),
    ("fused_dropout_add", "forward", [X, X, [1]], [0.5, False, "upscale", 0, False]),
    ("fused_dropout_add", "forward", [X, Y, [1]], [0.5, False, "upscale", 0, False]),
    ("fused_dropout_add", "backward", [X, X, X, [2]], [0.5, False, "upscale", 0, False]),
    ("fused_gemm_epilogue", "forward", [[6, 12], [12, 18], [18]], [False, False, "none"]),
    ("fused_gemm_epilogue", "forward", [[12, 6], [18, 12], [18]], [True, True, "relu"]),
    ("fused_gemm_epilogue", "forward", [X, [18, 24], [24]], [False, False, "gelu"]),
    ("linear_v2", "forward", [[6, 12], [12, 18], [18]], [False, False]),
    ("linear_v2", "forward", [[6, 12], [12, 18], [18]], [True, False]),
    ("fused_rotary_position_embedding", "forward", ROTARY, [True, False, 10000.0]),
    ("fused_rotary_position_embedding", "forward", [*[[12, 6, 18, 24]] * 3, *ROTARY[3:]], [True, True, 10000.0]),
    ("fused_rotary_position_embedding", "backward", [*ROTARY, HEADS, HEADS, HEADS], [True, False, 10000.0]),
    ("gather", "forward", [X, [24]], [0]),
    ("gather", "forward", [X, [24]], [1]),
    ("gather", "backward", [X, [24], [6, 24, 18]], [1]),
    ("index_select", "forward", [X, [24]], [-1]),
    ("index_select", "backward", [X, [24], [6, 24, 18]], [1]),
    ("group_norm", "forward", [IMAGES, [12], [12]], [1e-5, 2, "NCHW"]),
    ("instance_norm", "forward", [IMAGES, [12], [12]], [1e-5]),
    ("instance_norm", "backward", [IMAGES, [12], [12], [6, 12], [6, 12], IMAGES], [1e-5]),
    ("batch_norm", "forward", [IMAGES, [12], [12], [12], [12]], [False, 0.9, 1e-5, "NCHW", False, False]),
    ("index_put", "forward", [X, [[24], [24]], [24, 18]], [False]),
    ("index_put", "forward", [X, [[24]], [24, 12, 18]], [True]),
    ("index_put", "backward", [X, [[24], [24]], [24, 18], X], [False]),
    ("index_put", "forward", [X, [[24], [24]], [24, 6, 18]], [False]),
    ("moe_combine", "forward", [[24, 18], [6, 2], [6, 2]], []),
    ("moe_combine", "backward", [[24, 18], [6, 2], [6, 2], [6, 18]], []),
    ("pad", "forward", [X], [[0, 0, 1, 0, 0, 0], 0, True]),
    ("pad", "backward", [X, [6, 13, 18]], [[0, 0, 1, 0, 0, 0], 0, True]),
    ("put_along_axis", "forward", [X, [6, 2, 18], [6, 2, 18]], [1, "assign", True]),
    ("take_along_axis", "forward", [X, [6, 24, 18]], [1]),
    ("take_along_axis", "forward", [X, [1, 24, 18]], [1]),
    ("take_along_axis", "backward", [X, [6, 24, 18], [6, 24, 18]], [1]),
    ("roi_align", "forward", [IMAGES, [24, 4], [6]], [7, 7, 1.0, -1, True]),
    ("roi_align", "backward", [IMAGES, [24, 4], [6], [24, 12, 7, 7]], [7, 7, 1.0, -1, True]),
    ("scatter", "forward", [X, [24], [24, 12, 18]], [True]),
    ("scatter", "backward", [X, [24], [24, 12, 18], X], [True]),
    ("scatter_nd_add", "forward", [X, [24, 2], [24, 18]], []),
    ("scatter_nd_add", "forward", [X, [24, 1], [24, 12, 18]], []),
    ("scatter_nd_add", "forward", [X, [24, 3], [24]], []),
    ("scatter_nd_add", "backward", [X, [24, 2], [24, 18], X], []),
    ("trunc_divide", "forward", [X, Y], []),
    ("trunc_divide", "backward", [X, Y, X], []),
    ("unique", "forward", [X], [True, False, True, [], "INT64"]),
    ("unique", "forward", [X], [False, False, False, [1], "INT64"]),
    ("unsqueeze2", "forward", [[6, 12]], [[1]]),
    ("unsqueeze2", "backward", [[6, 12], [6, 1, 12]], [[1]]),
    *(("concat", "forward", [sizes], [axis]) for axis in (0, -1) for sizes in ([X, X], [X, [12, 12, 18], X])),
    *(("stack", "forward", [[X, X]], [axis]) for axis in (0, -1)),
]
FORWARD_ONLY = ("add_n", "argmax", "argsort", "expand_as", "logsumexp", "mean_all", "nonzero", "roll", "strided_slice",
                "topk", "unbind")  # fmt: skip
TIMES = 6
MAPPINGS = random.Random(5)


def lying(shape: list[int]) -> list[int]:
    """What cuts each dimension, drawn: dimensions of one are left whole, and no dimension of the mesh cuts two."""
    mapping = [-1] * len(shape)
    for by in (0, 1):
        place = MAPPINGS.randrange(len(shape) + 1) if shape else 0
        if place < len(shape) and shape[place] != 1 and mapping[place] == -1:
            mapping[place] = by
    return mapping


def laid(shape: list[Any]) -> Any:
    """A tensor of that shape, or several."""
    return [laid(one) for one in shape] if shape and isinstance(shape[0], list) else {"shape": shape, "lies": lying(shape)}


def drawn(shapes: list[Any], *cuts: tuple[int, int, int]) -> list[Any]:
    """Tensors of those shapes, of which some dimensions are cut: (the number of the tensor, its dimension, the mesh's)."""
    number = iter(range(99))

    def tensor(shape: list[Any]) -> Any:
        if shape and isinstance(shape[0], list):
            return [tensor(one) for one in shape]
        mapping, own = [-1] * len(shape), next(number)
        for which, dimension, by in cuts:
            if which == own:
                mapping[dimension] = by
        return {"shape": shape, "lies": mapping}

    return [tensor(shape) for shape in shapes]


def later() -> list[tuple[str, str, list[Any]]]:
    """Each dimension cut alone, and some pairs of them by both dimensions of the mesh."""
    found = []
    for name, direction, shapes, attributes in LATER:
        flat = [one for shape in shapes for one in (shape if shape and isinstance(shape[0], list) else [shape])]
        places = [(i, j) for i, shape in enumerate(flat) for j in range(len(shape))]
        cuts: list[tuple[tuple[int, int, int], ...]] = [(), *(((i, j, 0),) for i, j in places)]
        for _ in range(TIMES if len(places) > 1 and name not in ("concat", "stack") else 0):
            (i, j), (k, m) = MAPPINGS.sample(places, 2)
            cuts.append(((i, j, 0), (k, m, 1)))
        found += [(name, direction, [*drawn(shapes, *each), *attributes]) for each in cuts]
    return found


def asked() -> list[tuple[str, str, list[Any]]]:
    """Rules, directions and arguments, drawn in this order: a rule that is added goes to the end."""
    MAPPINGS.seed(5)
    found = []
    for name, cases in CASES.items():
        for inputs, outputs, attributes in cases:
            for _ in range(TIMES):
                tensors = [laid(shape) for shape in inputs]
                many = name in ("default_data_parallel", "replicated")
                results: list[Any] = [laid(outputs)] if many or name.startswith("split") else [laid(shape) for shape in outputs]
                found.append((name, "forward", [tensors, results[0]] if many else [*tensors, *attributes]))
                if name not in FORWARD_ONLY:
                    found.append((name, "backward", [tensors, results[0]] if many else [*tensors, *results, *attributes]))
    return found + later()


def answers(core: Any, mesh: Any, since_3: bool) -> list[Any]:
    """What each rule of core gives: [dims_mapping, partial dimensions] of inputs and outputs, or the error's kind."""

    def made(argument: Any) -> Any:
        if isinstance(argument, list) and argument and isinstance(argument[0], dict):
            return [made(one) for one in argument]
        if not isinstance(argument, dict):
            return core.DataType.INT64 if argument == "INT64" else argument
        lies = core.TensorDistAttr()
        lies.process_mesh, lies.dims_mapping = mesh, argument["lies"]
        return core.DistTensorSpec(argument["shape"], lies)

    def shown(found: Any) -> Any:
        if isinstance(found, (list, tuple)):
            return [shown(one) for one in found]
        return [list(found.dims_mapping), sorted(found._partial_dims())]

    given: list[Any] = []
    later_names = {name for name, *_ in LATER}
    for name, direction, arguments in asked():
        if not since_3 and (name in SINCE_3 or name in later_names):
            given.append(None)
            continue
        rule = core.get_phi_spmd_rule(name)
        try:
            given.append(shown(getattr(rule, f"infer_{direction}")(*map(made, arguments))))
        except Exception as error:
            kinds = (kind.__name__ for kind in (NotImplementedError, ValueError, RuntimeError) if isinstance(error, kind))
            given.append(type(error).__name__ if type(error).__name__ == "UnsupportedError" else next(kinds))
    return given


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The answers."""

    def recorded() -> list[Any]:
        from paddle.base import core
        from paddle.distributed import ProcessMesh

        return answers(core, ProcessMesh(MESH), version.startswith("3"))

    return {f"spmd_rules_{version}.json.gz": recorded}
