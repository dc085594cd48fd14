"""`paddle.base.dygraph.tracer`: what runs operators in eager mode."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.base._kernel_signatures import Signature, kernel_signature
from paddle_compat.core import by_slots, eager, grad_mode, unique_name
from paddle_compat.core.place import Place, current_place, set_current_place


class Tracer:
    """Runs operators given by their slots.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core, framework
        >>> x, out = paddle.to_tensor([-1.0, 1.0]), core.eager.Tensor()
        >>> framework._dygraph_tracer().trace_op("relu", {"X": [x]}, {"Out": [out]}, {})
        >>> out.numpy()
        array([0., 1.], dtype=float32)

    Follows Paddle 2.6.
    """

    def trace_op(
        self, type: str, inputs: Any, outputs: Any, attrs: Any, stop_gradient: bool = False, inplace_map: Any = None,
    ) -> None:  # fmt: skip
        """Run an operator and fill its outputs.

        Args:
            type (str): the operator's type.
            inputs, outputs (dict): slot -> a Tensor, or a list of them.
            attrs (dict): Paddle's attributes.
            stop_gradient (bool): gradients stop at the outputs.
            inplace_map (dict): of no effect.
        """
        with torch.set_grad_enabled(torch.is_grad_enabled() and not stop_gradient):
            by_slots.trace(type, inputs, outputs, attrs)

    def train_mode(self) -> None:
        """Note that this is training: of no effect on operators.

        Example:
            >>> from paddle_compat.base import framework
            >>> framework._dygraph_tracer().train_mode()
        """
        self._train_mode = True

    def eval_mode(self) -> None:
        """Note that this is no training: of no effect on operators.

        Example:
            >>> from paddle_compat.base import framework
            >>> framework._dygraph_tracer().eval_mode()
        """
        self._train_mode = False

    def _get_kernel_signature(self, type: str, inputs: Any, outputs: Any, attrs: Any) -> Signature:
        return kernel_signature(type, inputs, attrs)

    @property
    def _has_grad(self) -> bool:
        return torch.is_grad_enabled()

    @_has_grad.setter
    def _has_grad(self, value: bool) -> None:
        grad_mode.set_enabled(value)

    _train_mode = True
    _use_promote = True
    _enable_program_desc_tracing = False

    @property
    def _expected_place(self) -> Place:
        return current_place()

    @_expected_place.setter
    def _expected_place(self, place: Place) -> None:
        set_current_place(place)

    @property
    def _amp_level(self) -> Any:
        from paddle_compat.static.native import AmpLevel

        return AmpLevel.O0 if eager.cast_inputs is None else AmpLevel.O1

    @property
    def _amp_dtype(self) -> str:
        return "float32" if eager.cast_inputs is None else "bfloat16"

    def _generate_unique_name(self, key: str = "dygraph_tmp") -> str:
        return unique_name.generate(key)


TRACER = Tracer()

__all__ = ["Tracer"]

__getattr__ = missing(__name__)
