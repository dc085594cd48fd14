"""What the layers that `fleet.distributed_optimizer` puts around an optimizer have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from paddle_compat._missing import missing
from paddle_compat.core.program import Program, program_guard


class MetaOptimizerBase:
    """A layer around an optimizer, which one switch of a `DistributedStrategy` asks for.

    A layer hands each part of `minimize` on to the one inside, `inner_opt`, and changes what it is there for: the optimizer itself
    (`_wrapped`), the gradients (`backward`, `apply_gradients`), or the Programs afterwards (`minimize_impl`).

    Args:
        optimizer: the user's optimizer, or another layer.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase
        >>> paddle.enable_static()
        >>> layer = MetaOptimizerBase(paddle.optimizer.SGD(0.1))
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
        ...     pairs = layer.backward(loss)
        ...     ops = layer.apply_gradients(pairs) or layer.apply_optimize(loss, None, pairs)
        ...     other = paddle.mean(paddle.static.nn.fc(paddle.static.data("y", [None, 4]), 1))
        ...     ops, pairs = layer.minimize_impl(other)
        >>> len(pairs)
        2
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch: ClassVar[str] = ""  # the strategy's property that asks for this layer

    def __init__(self, optimizer: Any) -> None:
        self.inner_opt = optimizer

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "inner_opt" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.inner_opt, name)

    def _set_basic_info(self, loss: Any, role_maker: Any, user_defined_optimizer: Any, user_defined_strategy: Any) -> None:
        """Say what is trained: the loss, the role of this process, the user's optimizer and the strategy."""
        self.loss, self.role_maker = loss, role_maker
        self.user_defined_optimizer, self.user_defined_strategy = user_defined_optimizer, user_defined_strategy

    def _can_apply(self) -> bool:
        """Whether this layer is wanted and has something to do; never before it is told of a strategy."""
        return bool(self.switch and "user_defined_strategy" in vars(self) and getattr(self.user_defined_strategy, self.switch))

    @staticmethod
    def _is_graph_out() -> bool:
        """Whether what runs is a graph of Paddle's C++: never."""
        return False

    def _disable_strategy(self, dist_strategy: Any) -> None:
        """Take back what asks for this layer."""
        self._switch(dist_strategy, False)

    def _enable_strategy(self, dist_strategy: Any, context: Any = None) -> None:
        """Ask for this layer."""
        self._switch(dist_strategy, True)

    def _switch(self, dist_strategy: Any, on: bool) -> None:
        if not self.switch:
            error = NotImplementedError(f"`{type(self).__name__}` stands for no strategy. Expected a class of its own for one.")
            raise error  # what the wheel raises
        setattr(dist_strategy, self.switch, on)

    def _misfit(self) -> str:
        """Why this layer cannot do what it is there for with this optimizer and strategy; "" where it can."""
        return ""

    def _wrapped(self) -> None:
        """Look at the layers inside, which are complete now; replace `inner_opt` where the optimizer itself changes."""

    def _steps(self) -> Any:
        """The optimizer whose steps do in eager mode what this layer is for; the one inside, where the model alone changes."""
        return self.inner_opt

    def backward(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: list[Callable[..., None]] | None = None,
    ) -> list[Any]:
        """Append the gradient operators.

        Args:
            loss (Tensor): what is minimised.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables through which no gradient flows.
            callbacks (list|None): called after each gradient operator.
        Returns:
            list: pairs of parameter and gradient.
        """
        return self.inner_opt.backward(loss, startup_program, parameter_list, no_grad_set, callbacks)

    def apply_gradients(self, params_grads: list[Any]) -> Any:
        """Append clips, decay and the update operators.

        Args:
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators appended.
        """
        return self.inner_opt.apply_gradients(params_grads)

    def apply_optimize(self, loss: Any, startup_program: Program | None, params_grads: list[Any]) -> Any:
        """As `apply_gradients`, in the loss's Program.

        Args:
            loss (Tensor): what is minimised.
            startup_program (Program|None): None for the default one.
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators appended.
        """
        with program_guard(loss.block.program, startup_program):
            return self.apply_gradients(params_grads)

    def minimize_impl(
        self, loss: Any, startup_program: Program | None = None, parameter_list: Any = None, no_grad_set: Iterable[Any] | None = None
    ) -> tuple[Any, list[Any]]:
        """Append all that minimises a loss.

        Args:
            loss (Tensor): what is minimised.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        """
        params_grads = self.backward(loss, startup_program, parameter_list, no_grad_set)
        return self.apply_optimize(loss, startup_program, params_grads), params_grads

    def minimize(
        self, loss: Any, startup_program: Program | None = None, parameter_list: Any = None, no_grad_set: Iterable[Any] | None = None
    ) -> tuple[Any, list[Any]]:
        """Append all that minimises a loss.

        Args:
            loss (Tensor): what is minimised.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        """
        return self.minimize_impl(loss, startup_program, parameter_list, no_grad_set)


__all__ = ["MetaOptimizerBase"]

__getattr__ = missing(__name__)
