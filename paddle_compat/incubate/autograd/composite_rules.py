"""`paddle.incubate.autograd.composite_rules`: forward operators of Programs taken apart into more elementary ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.composition import FORWARD, Call, Writer
from paddle_compat.core.dtype import VarType
from paddle_compat.core.variable import Variable

Results = Mapping[str, Any]
HALVES = (VarType.FP16, VarType.BF16)


def _rule(*types: str) -> Callable[[Callable[[Writer, Variable, Call], Any]], Any]:
    """Register the rule of operators that make Out of X; numbers of half size are worked on as float32."""

    def register(function: Callable[[Writer, Variable, Call], Any]) -> Callable[[Writer, Call], Results]:
        def rule(w: Writer, call: Call) -> Results:
            value = call["X"]
            half = value.dtype in HALVES
            result = function(w, w.cast(value, VarType.FP32) if half else value, call)
            return {"Out": w.cast(result, value.dtype) if half else result}

        FORWARD.update(dict.fromkeys(types, rule))
        return rule

    return register


@_rule("softmax")
def _softmax(w: Writer, x: Variable, call: Call) -> Variable:
    if not x.shape:
        e = w.of("exp", w.sub(x, x))
        made: Variable = w.div(e, e)
        return made
    axis = [call.attrs.get("axis", -1)]
    top = w.of("reduce_max", x, dim=axis, keep_dim=True)
    e = w.of("exp", w.sub(x, top))
    made = w.div(e, w.sum(e, axis, keep=True))
    return made


@_rule("relu")
def _relu(w: Writer, x: Variable, call: Call) -> Any:
    return w.two("elementwise_max", x, w.full_as(x, 0.0))


@_rule("leaky_relu")
def _leaky_relu(w: Writer, x: Variable, call: Call) -> Any:
    slope = call.attrs["alpha"]
    return w.two("elementwise_max" if slope < 1.0 else "elementwise_min", x, w.scale(x, slope))


@_rule("gelu")
def _gelu(w: Writer, x: Variable, call: Call) -> Any:
    one, half = w.full_as(x, 1.0), w.full_as(x, 0.5)
    if call.attrs.get("approximate"):
        weight, cubic = w.full_as(x, math.sqrt(2.0 / math.pi)), w.full_as(x, 0.044715)
        curved = w.of("tanh", w.mul(weight, w.add(x, w.mul(w.mul(w.mul(x, x), x), cubic))))
        halved = w.mul(x, half)
        return w.mul(halved, w.add(one, curved))
    root = w.full_as(x, math.sqrt(0.5))
    return w.mul(x, w.mul(half, w.add(one, w.of("erf", w.mul(x, root)))))


@_rule("hard_swish")
def _hard_swish(w: Writer, x: Variable, call: Call) -> Any:
    threshold, scale, offset = (float(call.attrs.get(n, d)) for n, d in (("threshold", 6.0), ("scale", 6.0), ("offset", 3.0)))
    clipped = w.two("elementwise_max", w.add(x, w.full_as(x, offset)), w.full_as(x, 0.0))
    clipped = w.two("elementwise_min", clipped, w.full_as(x, threshold))
    return w.div(w.mul(clipped, x), w.full_as(x, scale))


@_rule("sigmoid")
def _sigmoid(w: Writer, x: Variable, call: Call) -> Any:
    denominator = w.scale(w.of("exp", w.scale(x, -1.0)), 1.0, 1.0)
    return w.div(w.full_as(x, 1.0), denominator)


@_rule("silu")
def _silu(w: Writer, x: Variable, call: Call) -> Any:
    return w.div(x, w.scale(w.of("exp", w.scale(x, -1.0)), 1.0, 1.0))


@_rule("pow")
def _pow(w: Writer, x: Variable, call: Call) -> Any:
    w.require(call.get("FactorTensor") is None)
    return w.power(x, w.full_as(x, call.attrs["factor"]))


@_rule("sqrt")
def _sqrt(w: Writer, x: Variable, call: Call) -> Any:
    return w.power(x, w.full_as(x, 0.5))


@_rule("rsqrt")
def _rsqrt(w: Writer, x: Variable, call: Call) -> Any:
    return w.power(x, w.full_as(x, -0.5))


@_rule("reduce_mean")
def _reduce_mean(w: Writer, x: Variable, call: Call) -> Any:
    return w.mean(x, call.axes(len(x.shape)), bool(call.attrs.get("keep_dim")))


@_rule("flatten_contiguous_range", "squeeze2", "unsqueeze2")
def _reshaped(w: Writer, x: Variable, call: Call) -> Any:
    return w.reshape(x, w.block._var_recursive(call.outputs["Out"][0]).shape)


@_rule("expand_as_v2", "expand_v2")
def _expand(w: Writer, x: Variable, call: Call) -> Any:
    out = w.block._var_recursive(call.outputs["Out"][0]).shape
    w.require(-1 not in (*out, *x.shape))
    return _tiled(w, x, list(out))


def _tiled(w: Writer, x: Variable, shape: list[int]) -> Variable:
    before = [1] * (len(shape) - len(x.shape)) + list(x.shape)
    times = [1 if old == new else new for old, new in zip(before, shape)]
    made: Variable = w.of("tile", w.reshape(x, before), repeat_times=times)
    return made


@_rule("index_select")
def _index_select(w: Writer, x: Variable, call: Call) -> Any:
    return w.op("gather", {"X": x, "Index": call["Index"]}, axis=call.attrs.get("dim", 0))


def _fill_any_like(w: Writer, call: Call) -> Results:
    x, dtype = call["X"], call.attrs.get("dtype", -1)
    return {"Out": w.full(x.shape, call.attrs.get("value", 0.0), x.dtype if dtype in (-1, None) else dtype)}


def _meshgrid(w: Writer, call: Call) -> Results:
    given = call.inputs["X"]
    sizes = [v.shape[0] if v.shape else 1 for v in given]
    w.require(-1 not in sizes)
    made = []
    for number, value in enumerate(given):
        alone = [size if i == number else 1 for i, size in enumerate(sizes)]
        times = [1 if i == number else size for i, size in enumerate(sizes)]
        made.append(w.of("tile", w.reshape(value, alone), repeat_times=times))
    return {"Out": made}


def _stack(w: Writer, call: Call) -> Results:
    given = call.inputs["X"]
    rank = len(given[0].shape)
    axis = call.attrs.get("axis", 0) % (rank + 1)
    shape = [*given[0].shape[:axis], 1, *given[0].shape[axis:]]
    return {"Y": w.op("concat", {"X": [w.reshape(v, shape) for v in given]}, axis=axis)}


def _sum(w: Writer, call: Call) -> Results:
    total = w.scale(call.inputs["X"][0], 1.0)
    for value in call.inputs["X"][1:]:
        total = w.add(total, value)
    return {"Out": total}


def _dropout(w: Writer, call: Call) -> Results:
    x, p = call["X"], float(call.attrs["dropout_prob"])
    w.require(call.get("Seed") is None)
    seed = int(call.attrs.get("seed", 0)) if call.attrs.get("fix_seed") else 0
    upscale = call.attrs.get("dropout_implementation") == "upscale_in_train"
    drawn = w.op("uniform_random", {}, shape=list(x.shape), dtype=int(VarType.FP32), min=0.0, max=1.0, seed=seed)
    mask = w.two("greater_equal", drawn, w.full(x.shape, p, VarType.FP32))
    kept = w.cast(mask, x.dtype)
    if call.attrs.get("is_test"):
        out = w.assign(x) if upscale else w.scale(x, 1.0 - p)
    else:
        out = w.mul(x, kept)
        out = w.scale(out, 0.0 if p == 1.0 else 1.0 / (1.0 - p)) if upscale else out
    return {"Out": out, "Mask": w.cast(kept, VarType.UINT8)}


def _normal(w: Writer, x: Variable, axes: list[int], epsilon: float) -> tuple[Variable, Variable, Variable]:
    """What has mean nought and variance one over dimensions, the mean, and the variance."""
    mean = w.mean(x, axes, keep=True)
    apart = w.sub(x, mean)
    variance = w.mean(w.mul(apart, apart), axes, keep=True)
    return w.mul(apart, _inverse_root(w, variance, epsilon)), mean, variance


def _inverse_root(w: Writer, variance: Variable, epsilon: float) -> Variable:
    spread = w.scale(variance, 1.0, epsilon)
    made: Variable = w.power(spread, w.full_as(spread, -0.5))
    return made


def _affine(w: Writer, out: Variable, call: Call, shape: list[int]) -> Variable:
    for slot, act in (("Scale", w.mul), ("Bias", w.add)):
        value = call.get(slot)
        out = out if value is None else act(out, value if list(value.shape) == shape else w.reshape(value, shape))
    return out


def _single(w: Writer, x: Variable) -> Variable:
    made: Variable = w.cast(x, VarType.FP32) if x.dtype in HALVES else x
    return made


def _layer_norm(w: Writer, call: Call) -> Results:
    given, begin = call["X"], call.attrs.get("begin_norm_axis", 1)
    x = _single(w, given)
    out, mean, variance = _normal(w, x, list(range(begin, len(x.shape))), call.attrs["epsilon"])
    out = _affine(w, out, call, list(x.shape[begin:]))
    flat = [-1 if -1 in x.shape[:begin] else math.prod(x.shape[:begin])]
    out = out if x is given else w.cast(out, given.dtype)
    return {"Y": out, "Mean": w.reshape(mean, flat), "Variance": w.reshape(variance, flat)}


def _instance_norm(w: Writer, call: Call) -> Results:
    x = _single(w, call["X"])
    out, mean, variance = _normal(w, x, list(range(2, len(x.shape))), call.attrs["epsilon"])
    out = _affine(w, out, call, [1, x.shape[1]] + [1] * (len(x.shape) - 2))
    out = out if x is call["X"] else w.cast(out, call["X"].dtype)
    root = _inverse_root(w, variance, call.attrs["epsilon"])
    return {"Y": out, "SavedMean": w.reshape(mean, [-1]), "SavedVariance": w.reshape(root, [-1])}


def _group_norm(w: Writer, call: Call) -> Results:
    x, groups = _single(w, call["X"]), call.attrs["groups"]
    last = call.attrs.get("data_layout", "NCHW") == "NHWC"
    w.require(-1 not in x.shape)
    rank, shape = len(x.shape), list(x.shape)
    firsts = w.transpose(x, [0, rank - 1, *range(1, rank - 1)]) if last else x
    out, mean, variance = _normal(w, w.reshape(firsts, [shape[0] * groups, -1]), [1], call.attrs["epsilon"])
    out = w.reshape(out, firsts.shape)
    out = _affine(w, out, call, [shape[-1 if last else 1]] + [1] * (rank - 2))
    out = w.transpose(out, [0, *range(2, rank), 1]) if last else out
    out = out if x is call["X"] else w.cast(out, call["X"].dtype)
    return {"Y": out, "Mean": w.reshape(mean, [shape[0], groups]), "Variance": w.reshape(variance, [shape[0], groups])}


def _batch_norm(w: Writer, call: Call) -> Results:
    x, attrs = _single(w, call["X"]), call.attrs
    channel = 1 if attrs.get("data_layout", "NCHW") in ("NCHW", "AnyLayout") or len(x.shape) == 2 else len(x.shape) - 1
    axes = [a for a in range(len(x.shape)) if a != channel]
    wide = [x.shape[channel] if a == channel else 1 for a in range(len(x.shape))]
    epsilon, momentum = attrs["epsilon"], attrs["momentum"]
    running = bool(attrs.get("use_global_stats")) or (bool(attrs.get("is_test")) and not attrs.get("trainable_statistics"))
    mean, variance = call["Mean"], call["Variance"]
    if running:
        root = _inverse_root(w, variance, epsilon)
        out = w.mul(w.sub(x, w.reshape(mean, wide)), w.reshape(root, wide))
        saved = {"MeanOut": mean, "VarianceOut": variance}
    else:
        now = w.mean(x, axes)
        now_variance = w.sub(w.mean(w.mul(x, x), axes), w.mul(now, now))
        root = _inverse_root(w, now_variance, epsilon)
        out = w.mul(w.sub(x, w.reshape(now, wide)), w.reshape(root, wide))
        saved = {
            "MeanOut": w.add(w.scale(mean, momentum), w.scale(now, 1.0 - momentum)),
            "VarianceOut": w.add(w.scale(variance, momentum), w.scale(now_variance, 1.0 - momentum)),
            "SavedMean": now,
            "SavedVariance": root,
        }
    out = _affine(w, out, call, wide)
    return {"Y": out if x is call["X"] else w.cast(out, call["X"].dtype), **saved}


FORWARD.update(
    {
        "batch_norm": _batch_norm,
        "dropout": _dropout,
        "fill_any_like": _fill_any_like,
        "group_norm": _group_norm,
        "instance_norm": _instance_norm,
        "layer_norm": _layer_norm,
        "meshgrid": _meshgrid,
        "stack": _stack,
        "sum": _sum,
    }
)

__all__: list[str] = []

__getattr__ = missing(__name__)
