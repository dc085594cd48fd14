"""`paddle.jit.dy2static.partial_program`: what runs a recording, and those who may change its Program."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.engine.partial import PartialProgram as PartialProgramLayer  # noqa: F401 - harnesses ask for its class here


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


__all__: list[str] = []

__getattr__ = missing(__name__)
