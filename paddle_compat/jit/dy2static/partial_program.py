"""`paddle.jit.dy2static.partial_program`: what runs a recording, and those who may change its Program."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import composition
from paddle_compat.core.errors import type_error
from paddle_compat.core.program import Program
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine.partial import PartialProgram as PartialProgramLayer
from paddle_compat.incubate.autograd.primapi import to_prim


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


class PrimHooker(PartialProgramLayerHook):
    """Takes the operators of a recording apart into more elementary ones, where `core._set_prim_all_enabled(True)` asks for it.

    Args:
        original_program (Program): the recording as it was.
        backend: what is to run it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> from paddle_compat.jit.dy2static.program_translator import PrimHooker
        >>> recording, run = paddle.jit.to_static(paddle.nn.functional.relu).get_concrete_program(paddle.static.InputSpec([2]))
        >>> core._set_prim_all_enabled(True)
        >>> program = PrimHooker(recording.main_program, None).after_infer(run.infer_program)
        >>> core._set_prim_all_enabled(False)
        >>> [op.type for op in program.global_block().ops]
        ['fill_constant', 'elementwise_max']

    Follows Paddle 2.6.
    """

    def __init__(self, original_program: Program, backend: Any) -> None:
        self.backend = backend
        self.custom_vjps: frozenset[str] = frozenset()  # operators that stay whole until their gradients are there, which have rules
        if all(composition.switches.values()):
            types = frozenset(op.type for op in original_program.global_block().ops)
            self.custom_vjps = frozenset(type for type in types if f"{type}_grad" in composition.GRADIENT)

    def before_append_backward(self, forward_program: Any) -> Any:
        """Take the operators apart whose gradients have no rules of their own.

        Args:
            forward_program (Program): the recording; it is changed.
        Returns:
            Program: the same.
        """
        to_prim(forward_program.blocks, self.custom_vjps)
        return forward_program

    def after_append_backward(self, whole_program: Any, backward_start_idx: int) -> tuple[Any, int]:
        """Take the others apart.

        Args:
            whole_program (Program): the recording and its gradients; it is changed.
            backward_start_idx (int): where those begin.
        Returns:
            (Program, int): the same, and where they begin now.
        """
        gradients = len(whole_program.global_block().ops) - backward_start_idx
        if not self.custom_vjps:
            return whole_program, backward_start_idx
        to_prim(whole_program.blocks, backward_length=gradients)
        return whole_program, len(whole_program.global_block().ops) - gradients

    def after_infer(self, infer_program: Any) -> Any:
        """Take all operators apart.

        Args:
            infer_program (Program): the recording; it is changed.
        Returns:
            Program: the same.
        """
        to_prim(infer_program.blocks)
        return infer_program


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
