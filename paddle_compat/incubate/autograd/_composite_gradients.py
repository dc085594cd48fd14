"""Gradient operators of Programs taken apart into more elementary ones, where `core._set_prim_backward_enabled(True)` asks for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from paddle_compat.core.composition import GRADIENT, PRIMITIVE, Call, Writer
from paddle_compat.core.variable import Variable

GRAD = "Out@GRAD"
Written = Mapping[str, Any]


def _of_x(function: Callable[[Writer, Call, Variable], Any]) -> Callable[[Writer, Call], Written]:
    """A rule of an operator that makes Out of X, from a function of the gradient of Out."""
    return lambda w, call: {"X@GRAD": function(w, call, call[GRAD])}


def reduced(w: Writer, grad: Variable, like: Variable) -> Variable:
    """What a gradient is of an operand that was broadcast."""
    wide, narrow = list(grad.shape), list(like.shape)
    if wide == narrow:
        return grad
    more = len(wide) - len(narrow)
    axes = list(range(more)) + [i + more for i, size in enumerate(narrow) if size == 1 and wide[i + more] != 1]
    w.require(all(size == wide[i + more] or i + more in axes for i, size in enumerate(narrow)))
    made: Variable = w.reshape(w.sum(grad, axes), narrow)
    return made


def _both(w: Writer, call: Call, first: Callable[[], Any], second: Callable[[], Any]) -> Written:
    """The gradients of X and Y of an operator that broadcasts, each reduced; Paddle writes that of Y first where it computes it."""
    w.require(call.attrs.get("axis", -1) == -1)
    made: dict[str, Any] = {}
    for slot, function in (("Y", second), ("X", first)):
        if call.wants(f"{slot}@GRAD"):
            made[f"{slot}@GRAD"] = reduced(w, function(), call[slot])
    return made


def _add(w: Writer, call: Call) -> Written:
    return _both(w, call, lambda: call[GRAD], lambda: call[GRAD])


def _sub(w: Writer, call: Call) -> Written:
    return _both(w, call, lambda: call[GRAD], lambda: w.scale(call[GRAD], -1.0))


def _mul(w: Writer, call: Call) -> Written:
    return _both(w, call, lambda: w.mul(call[GRAD], call["Y"]), lambda: w.mul(call[GRAD], call["X"]))


def _div(w: Writer, call: Call) -> Written:
    x, y, grad = call["X"], call["Y"], call[GRAD]

    def second() -> Any:
        return w.mul(w.scale(w.div(x, w.power(y, w.full_as(y, 2.0))), -1.0), grad)

    return _both(w, call, lambda: w.mul(grad, w.div(w.full_as(y, 1.0), y)), second)


def _power(w: Writer, call: Call) -> Written:
    x, y, grad = call["X"], call["Y"], call[GRAD]

    def first() -> Any:
        less = w.sub(y, w.full_as(y, 1.0))
        return w.mul(w.mul(y, w.power(x, less)), grad)

    return _both(w, call, first, lambda: w.mul(w.mul(w.of("log", x), w.power(x, y)), grad))


def _extreme(chosen: str, other: str) -> Callable[[Writer, Call], Written]:
    def rule(w: Writer, call: Call) -> Written:
        def part(comparison: str) -> Any:
            return w.mul(call[GRAD], w.cast(w.two(comparison, call["X"], call["Y"]), call[GRAD].dtype))

        return _both(w, call, lambda: part(chosen), lambda: part(other))

    return rule


def _erf(w: Writer, call: Call, grad: Variable) -> Any:
    x = call["X"]
    weight, minus = w.full_as(x, 2.0 / math.sqrt(math.pi)), w.full_as(x, -1.0)
    bell = w.of("exp", w.mul(minus, w.mul(x, x)))
    return w.mul(grad, w.mul(weight, bell))


def _sigmoid(w: Writer, call: Call, grad: Variable) -> Any:
    out = call["Out"]
    return w.mul(grad, w.mul(out, w.sub(w.full_as(out, 1.0), out)))


def _sqrt(w: Writer, call: Call, grad: Variable) -> Any:
    out = call["Out"]
    return w.mul(grad, w.div(w.full_as(out, 0.5), out))


def _tanh(w: Writer, call: Call, grad: Variable) -> Any:
    out = call["Out"]
    squared = w.mul(out, out)
    return w.mul(grad, w.sub(w.full_as(squared, 1.0), squared))


def _relu(w: Writer, call: Call, grad: Variable) -> Any:
    out = call["Out"]
    positive = w.two("greater_than", out, w.full_as(out, 0.0))
    return w.op("where", {"Condition": positive, "X": grad, "Y": w.full(grad.shape, 0.0, grad.dtype)})


def _leaky_relu(w: Writer, call: Call, grad: Variable) -> Any:
    positive = w.two("greater_than", call["X"], w.full_as(call["X"], 0.0))
    return w.op("where", {"Condition": positive, "X": grad, "Y": w.scale(grad, call.attrs["alpha"])})


def _gelu(w: Writer, call: Call, grad: Variable) -> Any:
    x = call["X"]
    if call.attrs.get("approximate"):
        beta, cubic = math.sqrt(2.0 / math.pi), 0.044715
        square = w.mul(x, x)
        curved = w.of("tanh", w.scale(w.add(x, w.scale(w.mul(square, x), cubic)), beta))
        left = w.scale(w.scale(curved, 1.0, 1.0), 0.5)
        slope = w.mul(w.scale(w.mul(curved, curved), -1.0, 1.0), w.scale(square, 3.0 * cubic * beta, beta))
        return w.mul(grad, w.add(left, w.mul(w.scale(x, 0.5), slope)))
    cumulated = w.scale(w.scale(w.of("erf", w.scale(x, math.sqrt(0.5))), 1.0, 1.0), 0.5)
    density = w.scale(w.of("exp", w.scale(w.mul(x, x), -0.5)), 1.0 / math.sqrt(2.0 * math.pi))
    return w.mul(grad, w.add(cumulated, w.mul(x, density)))


def _silu(w: Writer, call: Call, grad: Variable) -> Any:
    x = call["X"]
    shape_of_one = w.add(w.of("exp", w.scale(x, -1.0)), w.full_as(x, 1.0))
    share = w.div(w.full_as(x, 1.0), shape_of_one)
    return w.mul(grad, w.mul(share, w.add(w.full_as(x, 1.0), w.sub(x, call["Out"]))))


def _softmax(w: Writer, call: Call, grad: Variable) -> Any:
    out = call["Out"]
    if not out.shape:
        return w.scale(grad, 0.0)
    weighed = w.mul(out, grad)
    return w.sub(weighed, w.mul(out, w.sum(weighed, [call.attrs.get("axis", -1)], keep=True)))


def _spread(w: Writer, value: Variable, x: Variable, axes: Sequence[int]) -> Any:
    """A value per reduced element, as wide as what was reduced."""
    w.require(-1 not in x.shape)
    kept = w.reshape(value, [1 if i in axes else size for i, size in enumerate(x.shape)])
    return w.of("expand_v2", kept, shape=list(x.shape))


def _reduce_sum(w: Writer, call: Call, grad: Variable) -> Any:
    x = call["X"]
    made = _spread(w, grad, x, call.axes(len(x.shape)))
    return made if made.dtype == x.dtype else w.cast(made, x.dtype)


def _reduce_max(w: Writer, call: Call, grad: Variable) -> Any:
    x = call["X"]
    axes = call.axes(len(x.shape))
    zero = w.full(x.shape, 0.0, x.dtype)
    top, grads = _spread(w, call["Out"], x, axes), _spread(w, grad, x, axes)
    return w.op("where", {"Condition": w.two("equal", top, x), "X": grads, "Y": zero})


def _reduce_prod(w: Writer, call: Call, grad: Variable) -> Any:
    x = call["X"]
    axes = call.axes(len(x.shape))
    grads, product = _spread(w, grad, x, axes), _spread(w, call["Out"], x, axes)
    return w.mul(w.mul(grads, product), w.div(w.full_as(x, 1.0), x))


def _cumsum(w: Writer, call: Call, grad: Variable) -> Any:
    back = {name: call.attrs[name] for name in ("axis", "flatten", "exclusive") if name in call.attrs}
    return w.reshape(w.of("cumsum", grad, reverse=not call.attrs.get("reverse", False), **back), call["X"].shape)


def _reshape(w: Writer, call: Call, grad: Variable) -> Any:
    return w.reshape(grad, call["X"].shape)


def _transpose(w: Writer, call: Call, grad: Variable) -> Any:
    order = call.attrs["axis"]
    rank = len(order)
    return w.transpose(grad, [[a % rank for a in order].index(i) for i in range(rank)])


def _concat(w: Writer, call: Call) -> Written:
    w.require(call.get("AxisTensor") is None)
    given, axis = call.inputs["X"], call.attrs.get("axis", 0)
    sizes = [v.shape[axis] for v in given]
    w.require(-1 not in sizes)
    if len(given) == 1:
        return {"X@GRAD": [call[GRAD]]}
    return {"X@GRAD": w.op("split", {"X": call[GRAD]}, outputs=len(given), axis=axis, sections=sizes, num=0)}


def _split(w: Writer, call: Call) -> Written:
    w.require(call.get("AxisTensor") is None)
    return {"X@GRAD": w.op("concat", {"X": list(call.inputs[GRAD])}, axis=call.attrs.get("axis", 0))}


def _slice(w: Writer, call: Call) -> Written:
    x, attrs = call["Input"], call.attrs
    tensors = ("StartsTensor", "EndsTensor", "StartsTensorList", "EndsTensorList")
    w.require(not any(call.inputs.get(slot) for slot in tensors) and not attrs.get("decrease_axis") and -1 not in x.shape)
    pads = [0] * (2 * len(x.shape))
    for axis, start, end in zip(attrs["axes"], attrs["starts"], attrs["ends"]):
        size = x.shape[axis]
        start, end = (min(max(i + size if i < 0 else i, 0), size) for i in (start, end))
        pads[2 * axis : 2 * axis + 2] = [start, size - end]
    return {"Input@GRAD": w.of("pad", call[GRAD], paddings=pads, pad_value=0.0)}


def _pad(w: Writer, call: Call, grad: Variable) -> Any:
    x, pads = call["X"], call.attrs["paddings"]
    w.require(-1 not in x.shape)
    starts = list(pads[::2])
    ends = [start + size for start, size in zip(starts, x.shape)]
    return w.op("slice", {"Input": grad}, axes=list(range(len(starts))), starts=starts, ends=ends, infer_flags=[1] * len(starts))


def _expand(w: Writer, call: Call, grad: Variable) -> Any:
    return reduced(w, grad, call["X"])


def _tile(w: Writer, call: Call, grad: Variable) -> Any:
    x, times = call["X"], list(call.attrs["repeat_times"])
    w.require(not call.inputs.get("RepeatTimes") and not call.inputs.get("repeat_times_tensor") and -1 not in x.shape)
    rank = max(len(times), len(x.shape))
    sizes = [1] * (rank - len(x.shape)) + list(x.shape)
    times = [1] * (rank - len(times)) + times
    apart = w.reshape(grad, [n for pair in zip(times, sizes) for n in pair])
    return w.reshape(w.sum(apart, list(range(0, 2 * rank, 2))), x.shape)


def _gather(w: Writer, call: Call, grad: Variable) -> Any:
    x, index = call["X"], call["Index"]
    axis = call.attrs.get("axis", 0) % max(len(x.shape), 1)
    w.require(call.get("Axis") is None and -1 not in x.shape and len(index.shape) == 1)
    zero = w.full(x.shape, 0.0, x.dtype)
    order = [axis, *(i for i in range(len(x.shape)) if i != axis)]
    if axis:
        zero, grad = w.transpose(zero, order), w.transpose(grad, order)
    made = w.op("scatter", {"X": zero, "Ids": index, "Updates": grad}, overwrite=False)
    return w.transpose(made, [order.index(i) for i in range(len(order))]) if axis else made


def _gather_nd(w: Writer, call: Call, grad: Variable) -> Any:
    zero = w.full(call["X"].shape, 0.0, call["X"].dtype)
    return w.op("scatter_nd_add", {"X": zero, "Index": call["Index"], "Updates": grad})


def _scatter(w: Writer, call: Call) -> Written:
    grad, ids, made = call[GRAD], call["Ids"], {}
    if call.wants("X@GRAD"):
        updates = w.block._var_recursive(call.outputs["Updates@GRAD"][0]) if call.get("Updates") is None else call["Updates"]
        zero = w.full(updates.shape, 0.0, updates.dtype)
        made["X@GRAD"] = w.op("scatter", {"X": grad, "Ids": ids, "Updates": zero}, overwrite=True)
    if call.wants("Updates@GRAD"):
        made["Updates@GRAD"] = w.op("gather", {"X": grad, "Index": ids}, axis=0)
    return made


def _scatter_nd_add(w: Writer, call: Call) -> Written:
    made = {"X@GRAD": call[GRAD]}
    if call.wants("Updates@GRAD"):
        made["Updates@GRAD"] = w.op("gather_nd", {"X": call[GRAD], "Index": call["Index"]})
    return made


def _top_k(w: Writer, call: Call, grad: Variable) -> Any:
    x = call["X"]
    zero = w.full(x.shape, 0.0, x.dtype)
    axis = call.attrs.get("axis", -1)
    return w.op("put_along_axis", {"Input": zero, "Index": call["Indices"], "Value": grad}, Axis=axis, Reduce="add")


def _roll(w: Writer, call: Call, grad: Variable) -> Any:
    w.require(call.get("ShiftsTensor") is None)
    return w.of("roll", grad, shifts=[-n for n in call.attrs["shifts"]], axis=list(call.attrs.get("axis", [])))


def _dropout(w: Writer, call: Call, grad: Variable) -> Any:
    p, upscale = float(call.attrs["dropout_prob"]), call.attrs.get("dropout_implementation") == "upscale_in_train"
    if call.attrs.get("is_test"):
        return grad if upscale else w.scale(grad, 1.0 - p)
    if upscale and p == 1.0:
        return w.scale(grad, 0.0)
    kept = w.mul(grad, w.cast(call["Mask"], grad.dtype))
    return w.scale(kept, 1.0 / (1.0 - p)) if upscale else kept


def _where(w: Writer, call: Call) -> Written:
    grad = call[GRAD]
    zero = w.scale(grad, 0.0)
    made = {}
    for slot in ("X", "Y"):
        if call.wants(f"{slot}@GRAD"):
            sides = {"X": grad, "Y": zero} if slot == "X" else {"X": zero, "Y": grad}
            made[f"{slot}@GRAD"] = reduced(w, w.op("where", {"Condition": call["Condition"], **sides}), call[slot])
    return made


def _pow(w: Writer, call: Call, grad: Variable) -> Any:
    factor = call.attrs["factor"]
    w.require(call.get("FactorTensor") is None)
    return w.mul(grad, w.scale(w.power(call["X"], w.full_as(call["X"], factor - 1.0)), factor))


def _reduce_mean(w: Writer, call: Call, grad: Variable) -> Any:
    x = call["X"]
    axes = call.axes(len(x.shape))
    w.require(-1 not in x.shape)
    return w.scale(_spread(w, grad, x, axes), 1.0 / math.prod(x.shape[a] for a in axes))


def _p_norm(w: Writer, call: Call, grad: Variable) -> Any:
    x, order = call["X"], call.attrs["porder"]
    w.require(order in (1.0, 2.0))
    rank = len(x.shape)
    axes = range(rank) if call.attrs.get("asvector") else [call.attrs.get("axis", -1) % rank]
    grads = _spread(w, grad, x, axes)
    return w.mul(grads, w.of("sign", x) if order == 1.0 else w.div(x, _spread(w, call["Out"], x, axes)))


def _matmul(w: Writer, call: Call) -> Written:
    x, y, grad = call["X"], call["Y"], call[GRAD]
    turned = bool(call.attrs.get("trans_x")), bool(call.attrs.get("trans_y"))
    w.require(len(x.shape) > 1 and len(y.shape) > 1)
    made = {}

    def product(a: Variable, b: Variable, turn_a: bool, turn_b: bool, like: Variable) -> Variable:
        return reduced(w, w.op("matmul_v2", {"X": a, "Y": b}, trans_x=turn_a, trans_y=turn_b), like)

    if call.wants("X@GRAD"):
        made["X@GRAD"] = product(y, grad, turned[1], True, x) if turned[0] else product(grad, y, False, not turned[1], x)
    if call.wants("Y@GRAD"):
        made["Y@GRAD"] = product(grad, x, True, turned[0], y) if turned[1] else product(x, grad, not turned[0], False, y)
    return made


PRIMITIVE.update(
    {
        "matmul_v2_grad": _matmul,
        "p_norm_grad": _of_x(_p_norm),
        "pow_grad": _of_x(_pow),
        "reduce_mean_grad": _of_x(_reduce_mean),
        "rsqrt_grad": _of_x(lambda w, call, grad: w.mul(grad, w.scale(w.mul(call["Out"], w.mul(call["Out"], call["Out"])), -0.5))),
        "square_grad": _of_x(lambda w, call, grad: w.mul(grad, w.scale(call["X"], 2.0))),
        "where_grad": _where,
    }
)
GRADIENT.update(
    {
        f"{name}_grad": rule
        for name, rule in {
            "abs": _of_x(lambda w, call, grad: w.mul(grad, w.of("sign", call["X"]))),
            "assign": _of_x(lambda w, call, grad: grad),
            "cast": _of_x(lambda w, call, grad: w.cast(grad, call["X"].dtype)),
            "concat": _concat,
            "cos": _of_x(lambda w, call, grad: w.mul(grad, w.scale(w.of("sin", call["X"]), -1.0))),
            "cumsum": _of_x(_cumsum),
            "dropout": _of_x(_dropout),
            "elementwise_add": _add,
            "elementwise_div": _div,
            "elementwise_max": _extreme("greater_than", "less_equal"),
            "elementwise_min": _extreme("less_than", "greater_equal"),
            "elementwise_mul": _mul,
            "elementwise_pow": _power,
            "elementwise_sub": _sub,
            "erf": _of_x(_erf),
            "exp": _of_x(lambda w, call, grad: w.mul(grad, call["Out"])),
            "expand_v2": _of_x(_expand),
            "floor": _of_x(lambda w, call, grad: w.full(grad.shape, 0.0, grad.dtype)),
            "gather": _of_x(_gather),
            "gather_nd": _of_x(_gather_nd),
            "gelu": _of_x(_gelu),
            "leaky_relu": _of_x(_leaky_relu),
            "log": _of_x(lambda w, call, grad: w.div(grad, call["X"])),
            "pad": _of_x(_pad),
            "reduce_max": _of_x(_reduce_max),
            "reduce_prod": _of_x(_reduce_prod),
            "reduce_sum": _of_x(_reduce_sum),
            "relu": _of_x(_relu),
            "reshape2": _of_x(_reshape),
            "roll": _of_x(_roll),
            "scatter": _scatter,
            "scatter_nd_add": _scatter_nd_add,
            "sigmoid": _of_x(_sigmoid),
            "silu": _of_x(_silu),
            "sin": _of_x(lambda w, call, grad: w.mul(grad, w.of("cos", call["X"]))),
            "slice": _slice,
            "softmax": _of_x(_softmax),
            "split": _split,
            "sqrt": _of_x(_sqrt),
            "tanh": _of_x(_tanh),
            "tile": _of_x(_tile),
            "top_k_v2": _of_x(_top_k),
            "transpose2": _of_x(_transpose),
        }.items()
    }
)
