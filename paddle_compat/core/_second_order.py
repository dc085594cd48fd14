"""Gradients of gradient operators: the types and slots that Paddle's own operators have.

A gradient operator that has an entry here is differentiated by the operator named; one without has the general slots
(`X@GRAD@GRAD`), which run here and in no wheel.
"""

from __future__ import annotations

from dataclasses import dataclass

from paddle_compat.core._grad_spec import GradSpec, copied_attributes, zero_spec
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator

# Gradient operator, the ages that have it, the type of its gradient operator, then the slots read ">" the slots written.
# A slot is "slot=source", or only its name where both are one. Sources: "X" is what the gradient operator has in slot X,
# "dX" what it has in X@GRAD, "ddX" the gradient of that; among the slots written, "dX" is the gradient of what it has in X.
# "?ddY" after a slot written: only where ddY is there.
_TABLE = """
abs_grad 2 abs_double_grad: grad_x@GRAD=ddX x=X > grad_out@GRAD=ddOut
batch_norm_grad 2 batch_norm_grad_grad: DDBias=ddBias DDScale=ddScale DDX=ddX DY=dY SavedMean SavedVariance Scale X > DDY=ddY
    DScale=dScale DX=dX
celu_grad 2 celu_grad_grad: X grad_out=dOut grad_x@GRAD=ddX > X@GRAD=dX grad_out@GRAD=ddOut
clip_grad 2 clip_double_grad: Max Min X grad_x@GRAD=ddX > grad_out@GRAD=ddOut
concat_grad 2 concat: AxisTensor X=ddX > Out=ddOut
conv2d_grad 1 conv2d_grad_grad: DDFilter=ddFilter DDInput=ddInput DOutput=dOutput Filter Input > DDOutput=ddOutput?ddInput
    DFilter=dFilter?ddInput DInput=dInput?ddFilter
conv2d_grad 2 conv2d_grad_grad: Filter Input grad_filter@GRAD=ddFilter grad_input@GRAD=ddInput grad_out=dOutput > Filter@GRAD=dFilter
    Input@GRAD=dInput grad_out@GRAD=ddOutput
conv2d_transpose_grad 2 conv2d_transpose_grad_grad: Filter Input grad_filter@GRAD=ddFilter grad_out=dOutput grad_x@GRAD=ddInput >
    Filter@GRAD=dFilter Input@GRAD=dInput grad_out@GRAD=ddOutput
conv3d_grad 1 conv3d_grad_grad: DDFilter=ddFilter DDInput=ddInput DOutput=dOutput Filter Input > DDOutput=ddOutput?ddInput
    DFilter=dFilter?ddInput DInput=dInput?ddFilter
conv3d_grad 2 conv3d_grad_grad: Filter Input grad_filter@GRAD=ddFilter grad_input@GRAD=ddInput grad_out=dOutput > Filter@GRAD=dFilter
    Input@GRAD=dInput grad_out@GRAD=ddOutput
cos_grad 2 cos_double_grad: X grad_out=dOut grad_x@GRAD=ddX > X@GRAD=dX grad_out@GRAD=ddOut
depthwise_conv2d_grad 2 depthwise_conv2d_grad_grad: Filter Input grad_filter@GRAD=ddFilter grad_input@GRAD=ddInput grad_out=dOutput >
    Filter@GRAD=dFilter Input@GRAD=dInput grad_out@GRAD=ddOutput
elementwise_add_grad 12 elementwise_add_grad_grad: DDX=ddX DDY=ddY DOut=dOut Y > DDOut=ddOut
elementwise_div_grad 12 elementwise_div_grad_grad: DDX=ddX DDY=ddY DX=dX Out Y > DDOut=ddOut DOut=dOut Y@GRAD=dY
elementwise_mul_grad 12 elementwise_mul_grad_grad: DDX=ddX DDY=ddY DOut=dOut X Y > DDOut=ddOut X@GRAD=dX Y@GRAD=dY
elementwise_sub_grad 12 elementwise_sub_grad_grad: DDX=ddX DDY=ddY DOut=dOut Y > DDOut=ddOut
elu_grad 1 elu_grad_grad: DDX=ddX DOut=dOut X > DDOut=ddOut DX=dX
elu_grad 2 elu_grad_grad: X grad_out=dOut grad_x@GRAD=ddX > X@GRAD=dX grad_out@GRAD=ddOut
expand_grad 12 expand: ExpandTimes X=ddX expand_times_tensor > Out=ddOut
expand_v2_grad 2 expand_v2: Shape X=ddX expand_shapes_tensor > Out=ddOut
instance_norm_grad 1 instance_norm_grad_grad: DDBias=ddBias DDScale=ddScale DDX=ddX DY=dY SavedMean SavedVariance Scale X > DDY=ddY
    DScale=dScale DX=dX
instance_norm_grad 2 instance_norm_double_grad: fwd_scale=Scale grad_bias@GRAD=ddBias grad_scale@GRAD=ddScale grad_x@GRAD=ddX grad_y=dY
    saved_mean=SavedMean saved_variance=SavedVariance x=X > fwd_scale@GRAD=dScale grad_y@GRAD=ddY x@GRAD=dX
leaky_relu_grad 1 leaky_relu_grad_grad: DDX=ddX Out > DDOut=ddOut
leaky_relu_grad 2 leaky_relu_grad_grad: X grad_x@GRAD=ddX > grad_out@GRAD=ddOut
log_grad 2 log_grad_grad: X grad_out=dOut grad_x@GRAD=ddX > X@GRAD=dX grad_out@GRAD=ddOut
matmul_grad 2 matmul_grad_grad: DDX=ddX DDY=ddY DOut=dOut X Y > DDOut=ddOut DX=dX?ddY DY=dY?ddX
matmul_v2_grad 2 matmul_v2_grad_grad: X Y grad_out=dOut grad_x@GRAD=ddX grad_y@GRAD=ddY > X@GRAD=dX Y@GRAD=dY grad_out@GRAD=ddOut
mul_grad 12 mul_grad_grad: DDX=ddX DDY=ddY DOut=dOut X Y > DDOut=ddOut DX=dX?ddY DY=dY?ddX
pad3d_grad 2 pad3d_double_grad: Paddings grad_x@GRAD=ddX > grad_out@GRAD=ddOut
pad_grad 2 pad: X=ddX > Out=ddOut
pool2d_grad 2 pool2d_double_grad: grad_x@GRAD=ddX > grad_out@GRAD=ddOut
pow_grad 2 pow_double_grad: FactorTensor X grad_out=dOut grad_x@GRAD=ddX > X@GRAD=dX grad_out@GRAD=ddOut
reduce_mean_grad 12 reduce_mean: X=ddX > Out=ddOut
reduce_sum_grad 12 reduce_sum: X=ddX > Out=ddOut
relu_grad 1 relu_grad_grad: DDX=ddX Out > DDOut=ddOut
relu_grad 2 relu_grad_grad: Out grad_x@GRAD=ddX > grad_out@GRAD=ddOut
reshape2_grad 12 reshape2_grad_grad: DDX=ddX DOut=dOut > DDOut=ddOut
rsqrt_grad 2 rsqrt_grad_grad: Out grad_x=dX grad_x@GRAD=ddX > Out@GRAD=dOut grad_out@GRAD=ddOut
sigmoid_grad 2 sigmoid_grad_grad: Out fwd_grad_out=dOut grad_x@GRAD=ddX > Out@GRAD=dOut fwd_grad_out@GRAD=ddOut
sin_grad 2 sin_double_grad: X grad_out=dOut grad_x@GRAD=ddX > X@GRAD=dX grad_out@GRAD=ddOut
slice_grad 12 slice: EndsTensor EndsTensorList Input=ddInput StartsTensor StartsTensorList > Out=ddOut
softplus_grad 2 softplus_double_grad: X grad_out=dOut grad_x@GRAD=ddX > X@GRAD=dX grad_out@GRAD=ddOut
sqrt_grad 1 sqrt_grad_grad: DDX=ddX DX=dX Out > DDOut=ddOut DOut=dOut
sqrt_grad 2 sqrt_grad_grad: Out grad_x=dX grad_x@GRAD=ddX > Out@GRAD=dOut grad_out@GRAD=ddOut
square_grad 1 square_grad_grad: DDX=ddX DOut=dOut X > DDOut=ddOut DX=dX
square_grad 2 square_grad_grad: X grad_out=dOut grad_x@GRAD=ddX > X@GRAD=dX grad_out@GRAD=ddOut
squeeze2_grad 2 squeeze2: X=ddX > Out=ddOut XShape
tanh_grad 2 tanh_grad_grad: Out grad_out=dOut grad_x@GRAD=ddX > Out@GRAD=dOut grad_out@GRAD=ddOut
tile_grad 2 tile: RepeatTimes X=ddX repeat_times_tensor > Out=ddOut
transpose2_grad 2 transpose2: X=ddX > Out=ddOut XShape
unsqueeze2_grad 2 unsqueeze2: AxesTensor AxesTensorList X=ddX > Out=ddOut XShape
"""


@dataclass(frozen=True)
class SecondOrder:
    """How a gradient operator is differentiated.

    Attributes:
        type: the operator that does it.
        reads: slot -> slot of the gradient operator whose variables it reads, or of whose output it reads the gradient.
        gradients: the slots of `reads` that read a gradient.
        writes: slot -> slot of the gradient operator to whose variables it gives gradients.
        copies: slots written that keep the variable that the gradient operator has in the same slot (XShape).
        needs: slot written -> the slot of the gradient operator whose gradient has to be there.
    """

    type: str
    reads: dict[str, str]
    gradients: frozenset[str]
    writes: dict[str, str]
    copies: tuple[str, ...]
    needs: dict[str, str]


def second_order(op: Operator) -> SecondOrder | None:
    """How the wheel of the operator's age differentiates that gradient operator; None where it does not."""
    return _ENTRIES.get((op.type, op.block.program.age)) if op.forward is not None else None


def second_specs(
    op: Operator, second: SecondOrder, live: set[str], reachable: set[str], given: dict[str, str]
) -> list[GradSpec]:
    """The operator that differentiates a gradient operator, after zeros for the gradients that nothing depends on."""

    def values(slot: str) -> list[str]:
        return [n for n in op.inputs.get(slot) or op.outputs.get(slot) or [] if n != EMPTY_VAR]

    if not any(n in live for slot in second.gradients for n in values(second.reads[slot])):
        return []
    zeros: list[GradSpec] = []
    inputs, outputs = {}, {}
    for slot, source in second.reads.items():
        inputs[slot] = values(source)
        if slot in second.gradients:
            inputs[slot] = [given.get(n, n + GRAD_SUFFIX) for n in inputs[slot]]
            zeros += [zero_spec(n, op.block.program.age) for n in values(source) if n not in live]
    for slot, source in second.writes.items():
        possible = slot not in second.needs or values(second.needs[slot])
        names = [n + GRAD_SUFFIX if n in reachable else EMPTY_VAR for n in values(source)] if possible else []
        outputs[slot] = names if any(n != EMPTY_VAR for n in names) else []
    if not any(outputs.values()):
        return [GradSpec("", inputs, {})]
    outputs.update({slot: values(slot) for slot in second.copies})
    attrs = copied_attributes(op)
    return [*zeros, GradSpec(second.type, inputs, outputs, attrs)]


def _source(text: str) -> tuple[int, str]:
    """How many gradients "ddX" is, and the slot X@GRAD@GRAD that it means."""
    order = len(text) - len(text.lstrip("d"))
    return order, text[order:] + GRAD_SUFFIX * order


def _entry(line: str) -> tuple[list[tuple[str, int]], SecondOrder]:
    head, _, slots = line.partition(": ")
    grad_type, ages, type_ = head.split()
    left, _, right = slots.partition(" > ")
    reads: dict[str, str] = {}
    gradients: set[str] = set()
    writes: dict[str, str] = {}
    copies: list[str] = []
    needs: dict[str, str] = {}
    for text in left.split():
        slot, _, source = text.partition("=")
        order, name = _source(source or slot)
        reads[slot] = name.removesuffix(GRAD_SUFFIX) if order == 2 else name
        if order == 2:
            gradients.add(slot)
    for text in right.split():
        text, _, condition = text.partition("?")
        slot, _, source = text.partition("=")
        order, name = _source(source or slot)
        if not order:
            copies.append(slot)
            continue
        writes[slot] = name.removesuffix(GRAD_SUFFIX)
        if condition:
            needs[slot] = _source(condition)[1].removesuffix(GRAD_SUFFIX)
    entry = SecondOrder(type_, reads, frozenset(gradients), writes, tuple(copies), needs)
    return [(grad_type, int(age)) for age in ages], entry


_ENTRIES = {key: entry for keys, entry in map(_entry, _TABLE.strip().replace("\n    ", " ").splitlines()) for key in keys}
