"""What `RecomputeOptimizer` of Paddle 1.8 and 2.x share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from paddle_compat.core import mode
from paddle_compat.core.backward import append_backward
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.variable import Variable
from paddle_compat.optimizer._updates import Pair


class Recomputing:
    """An optimizer whose backward pass computes again what lies between checkpoints; another one makes the steps."""

    _api = ""  # where Paddle has the class

    def __init__(self, optimizer: Any) -> None:
        mode.settle_static()
        if mode.in_dygraph_mode():
            raise Exception("In dygraph, don't support RecomputeOptimizer.")
        self._optimizer = optimizer
        self._checkpoints: Any = None
        self._learning_rate = optimizer._learning_rate
        self._learning_rate_map = optimizer._learning_rate_map

    def _set_checkpoints(self, checkpoints: Any) -> None:
        self._checkpoints = checkpoints

    def _enable_offload(self) -> None:
        raise UnsupportedError(f"{self._api}._enable_offload", None, "recomputation without it")

    def apply_gradients(self, params_grads: list[Pair]) -> Any:
        """As of the inner optimizer.

        Args:
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators appended.
        """
        return self._optimizer.apply_gradients(params_grads)

    def backward(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: list[Callable[..., None]] | None = None,
    ) -> list[Pair]:
        """The first half of `minimize`: append the gradient operators, and before them copies of what they need.

        Args:
            loss (Tensor): what is minimized.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what gradients are wanted of.
            no_grad_set (set|None): Variables or names through which no gradient flows.
            callbacks (list|None): of no effect.
        Returns:
            list: pairs of parameter and gradient.
        """
        self._dtype = loss.dtype
        block = loss.block.program.global_block()
        points = [block.var(point) if isinstance(point, str) else point for point in self._checkpoints or ()]
        with program_guard(loss.block.program, startup_program):
            found: Any = append_backward(loss, parameter_list, no_grad_set, checkpoints=points)
        return [(p, grad) for p, grad in (found[0] if isinstance(found, tuple) else found) if grad is not None]

    def apply_optimize(self, loss: Any, startup_program: Program | None, params_grads: list[Pair]) -> Any:
        """As of the inner optimizer.

        Args:
            loss (Tensor): what is minimized.
            startup_program (Program|None): None for the default one.
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators appended.
        """
        with program_guard(loss.block.program, startup_program):
            return self.apply_gradients(params_grads)

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[Any, list[Pair]]:
        """Append gradients and steps; checkpoints must have been set.

        Args:
            loss (Tensor): what is minimized.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables or names through which no gradient flows.
        Returns:
            tuple: the operators of the steps, and the pairs of parameter and gradient.
        Raises:
            AssertionError: no checkpoints, or the loss is no Variable.
        """
        if not isinstance(loss, Variable):
            raise failed_assertion("loss", "a Variable", type(loss).__name__, "minimize")
        if self._checkpoints is None:
            raise AssertionError("`RecomputeOptimizer.minimize` was called first. Expected `_set_checkpoints` before it")
        pairs = self.backward(loss, startup_program, parameter_list, no_grad_set)
        return self.apply_optimize(loss, startup_program, pairs), pairs
