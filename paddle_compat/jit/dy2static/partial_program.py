"""`paddle.jit.dy2static.partial_program`: what runs a recording, and those who may change its Program."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine.partial import PartialProgram as PartialProgramLayer


class PartialProgramLayerHook:
    """Changes nothing: what subclasses override."""

    def before_append_backward(self, forward_program: Any) -> Any:
        """The Program without gradients.

        Args:
            forward_program (Program): the recording.
        """

    def after_append_backward(self, whole_program: Any, backward_start_idx: int) -> Any:
        """The Program with gradients.

        Args:
            whole_program (Program): the recording and its gradients.
            backward_start_idx (int): where those begin.
        """

    def after_infer(self, infer_program: Any) -> Any:
        """The Program that nobody trains.

        Args:
            infer_program (Program): the recording.
        """


def partial_program_from(concrete_program: Any, from_method: bool = False) -> PartialProgramLayer:
    """What runs a recording.

    Args:
        concrete_program (ConcreteProgram): the recording.
        from_method (bool): whether it is one of a method; the recording itself knows.
    Returns:
        PartialProgramLayer.
    Raises:
        TypeError: its parameters are no list of Tensors.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.jit.dy2static.partial_program import partial_program_from
        >>> double = paddle.jit.to_static(lambda x: x * 2, input_spec=[paddle.static.InputSpec([None, 2])])
        >>> partial_program_from(double.concrete_program)([paddle.ones([1, 2])._t])[0].tolist()
        [[2.0, 2.0]]

    Follows Paddle 2.6.
    """
    parameters = concrete_program.parameters
    if not isinstance(parameters, (list, tuple)):
        raise type_error("concrete_program.parameters", "a list or tuple", parameters, "partial_program_from")
    for number, parameter in enumerate(parameters):
        if not isinstance(parameter, Tensor):
            raise type_error(f"concrete_program.parameters[{number}]", "a Tensor", parameter, "partial_program_from")
    made: PartialProgramLayer = concrete_program.partial
    return made


__all__: list[str] = []

__getattr__ = missing(__name__)
