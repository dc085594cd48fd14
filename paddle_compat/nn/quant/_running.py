"""How layers run or record operators that move scales along."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.op import definition_of
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.initializer import Constant
from paddle_compat.nn.layer.layers import Layer


def held(layer: Layer, value: float, name: str, shape: list[int], dtype: Any, trainable: bool = False) -> Any:
    """A parameter that keeps a scale or what a scale is made of.

    Args:
        layer: its layer.
        value: what it starts with.
        name: its whole name.
        shape: its dimensions.
        dtype: its data type.
        trainable: whether optimizers change it.
    Returns:
        The parameter.
    """
    attr = ParamAttr(name=name, initializer=Constant(value), trainable=trainable)
    made = layer.create_parameter(shape=shape, attr=attr, dtype=dtype)
    made.stop_gradient = not trainable
    return made


def run(layer: Layer, kind: str, inputs: tuple[Any, ...], states: dict[str, Any], ending: str | None, **attrs: Any) -> Any:
    """Run or record an operator whose further outputs replace what the layer holds.

    Args:
        layer: the layer.
        kind: the operator.
        inputs: what goes into its slots.
        states: output slot -> the parameter that it replaces, or the name of a recorded output that nobody keeps.
        ending: what the name of the recorded output adds to that of the input; None: it is named after the layer.
        attrs: the operator's attributes.
    Returns:
        Its first output.
    """
    definition, x = definition_of(kind), inputs[0]
    if isinstance(x, Tensor):
        out, *after = definition(*inputs, **attrs)
        for slot, value in zip([slot.name for slot in definition.outputs[1:]], after):
            held_one = states.get(slot)
            if isinstance(held_one, Tensor) and value is not None and held_one._t is not value._t:
                held_one._t.data.copy_(value._t.detach())  # a step's gradients may not fail because the scale has moved on
        return out
    helper = layer._helper
    outputs: dict[str, Any] = {slot.name: None for slot in definition.outputs if slot.optional}
    named = None if ending is None else x.name + ending
    outputs[definition.outputs[0].name] = (
        helper.create_variable_for_type_inference(x.dtype) if named is None else helper.create_variable(name=named, dtype=x.dtype)
    )
    for slot, kept in states.items():
        outputs[slot] = helper.create_variable(name=kept, dtype=x.dtype, stop_gradient=True) if isinstance(kept, str) else kept
    return definition(*inputs, **attrs, _helper=helper, _outputs=outputs)[0]
