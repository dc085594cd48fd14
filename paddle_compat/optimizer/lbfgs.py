"""`paddle.optimizer.lbfgs`: where Paddle 2.6 keeps LBFGS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import UnimplementedError, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.optimizer._line_search import Point, strong_wolfe
from paddle_compat.optimizer.optimizer import Optimizer, _all

__all__ = ["LBFGS"]


class LBFGS(Optimizer):
    """Steps along Newton's direction, estimated from the last gradients (L-BFGS).

    A step evaluates the objective several times, so `step` takes a function that does: it clears the gradients, computes
    the loss, calls `backward` and returns the loss.

    Args:
        learning_rate (float): how much of a direction is taken, or tried first.
        max_iter (int): the most directions of one step.
        max_eval (int|None): the most evaluations of one step; None for 5/4 of max_iter.
        tolerance_grad (float): a largest gradient that is small enough.
        tolerance_change (float): a change of loss or parameters that is too small to go on.
        history_size (int): how many gradients are remembered.
        line_search_fn (str|None): "strong_wolfe", or None for fixed steps.
        parameters (list|None), name (str|None): as of `Optimizer`.
        weight_decay, grad_clip: of no effect, as in Paddle.
    Raises:
        AttributeError: no parameters.
        TypeError: no parameters, in static mode.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(3.0))
        >>> lbfgs = paddle.optimizer.LBFGS(line_search_fn="strong_wolfe", parameters=[w])
        >>> def closure():
        ...     lbfgs.clear_grad()
        ...     loss = ((w - 1.0) ** 2).sum()
        ...     paddle.autograd.backward([loss])
        ...     return loss
        >>> float(lbfgs.step(closure)), w.tolist()
        (8.0, [1.0, 1.0])
        >>> lbfgs.state_dict()["state"]["n_iter"]
        2

    Follows Paddle 2.6.
    """

    type = "lbfgs"

    def __init__(
        self,
        learning_rate: float = 1.0,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        self.max_iter = max_iter
        self.max_eval = max_iter * 5 // 4 if max_eval is None else max_eval
        super().__init__(1.0, parameters, weight_decay, grad_clip, name)
        if parameters is None:  # in static mode; eager mode has refused it
            raise type_error("parameters", "a list of parameters", None, "LBFGS")
        self.learning_rate = learning_rate
        self.tolerance_grad, self.tolerance_change = tolerance_grad, tolerance_change
        self.history_size, self.line_search_fn = history_size, line_search_fn
        self.state: dict[str, Any] = {}

    def state_dict(self) -> dict[str, Any]:
        """What the optimizer remembers, in "state".

        Returns:
            dict: what `set_state_dict` takes.
        """
        return {"state": dict(self.state)}

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what another one remembered.

        Args:
            state_dict (dict): what `state_dict` returned.

        Example:
            >>> import paddle_compat as paddle
            >>> w = paddle.create_parameter([2], "float32")
            >>> lbfgs = paddle.optimizer.LBFGS(parameters=[w])
            >>> lbfgs.set_state_dict({"state": {"n_iter": 3}}); lbfgs.state["n_iter"]
            3
        """
        self.state = dict(state_dict.get("state", {}))

    def minimize(self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None) -> Any:
        """Not for this optimizer: one loss is not enough.

        Args:
            loss, startup_program, parameters, no_grad_set: not used.
        Raises:
            NotImplementedError: always.

        Example:
            >>> import paddle_compat as paddle
            >>> w = paddle.create_parameter([2], "float32")
            >>> paddle.optimizer.LBFGS(parameters=[w]).minimize(w.sum())
            Traceback (most recent call last):
            ...
            paddle_compat.core.errors.UnimplementedError: ...
        """
        raise UnimplementedError("LBFGS optimizer does not use this way to minimize loss. Expected `step(closure)`. Received: `minimize`.")

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Go towards the minimum until one of the limits is reached.

        Args:
            closure (callable): clears gradients, computes the loss, calls `backward`, returns the loss.
        Returns:
            Tensor: the loss before the step.
        Raises:
            RuntimeError: the line search is not known.
        """
        mode.eager_only("step")
        params = [p._t for p in _all(self._parameter_list)]  # frozen ones too, as zeros: saved states count them
        loss = closure()
        value, grad, evaluations = float(loss), _flat(params), 1
        state = self.state
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        state["func_evals"] += 1
        if float(grad.abs().max()) <= self.tolerance_grad:
            return loss
        rounds = 0
        while rounds < self.max_iter:
            rounds += 1
            state["n_iter"] += 1
            direction = self._direction(grad)
            former, state["prev_flat_grad"], state["prev_loss"] = value, Tensor(grad), value
            first = min(1.0, 1.0 / float(grad.abs().sum())) if state["n_iter"] == 1 else 1.0
            step, slope = first * self.learning_rate, float(grad.dot(direction))
            state["d"], state["alpha"] = Tensor(direction), step
            if slope > -self.tolerance_change:
                break
            counted = 0
            if self.line_search_fn is not None:
                if self.line_search_fn != "strong_wolfe":
                    raise RuntimeError(f"only 'strong_wolfe' is supported. Received: {self.line_search_fn!r}")
                point, counted = self._search(closure, params, Point(0.0, value, grad, slope), direction, step)
                step, value, grad = point.step, point.value, point.grad
                _move(params, step, direction)
            else:
                _move(params, step, direction)
                if rounds != self.max_iter:
                    value, grad, counted = float(closure()), _flat(params), 1
            state["alpha"] = step
            evaluations += counted
            state["func_evals"] += counted
            if (
                evaluations >= self.max_eval
                or float(grad.abs().max()) <= self.tolerance_grad
                or float((direction * step).abs().max()) <= self.tolerance_change
                or abs(value - former) < self.tolerance_change
            ):
                break
        return loss

    def _direction(self, grad: torch.Tensor) -> torch.Tensor:
        """Against the gradient, bent by what the last gradients tell of the curvature."""
        state = self.state
        if state["n_iter"] == 1 or "d" not in state:
            state.update(old_yk=[], old_sk=[], ro=[], al=[None] * self.history_size, H_diag=Tensor(torch.ones((), dtype=grad.dtype)))
            return -grad
        change = grad - state["prev_flat_grad"]._t
        moved = state["d"]._t * state["alpha"]
        product = change.dot(moved)  # numbers stay in the parameters' precision, as in Paddle
        if float(product) > 1e-10:
            for name, value in (("old_yk", change), ("old_sk", moved), ("ro", 1.0 / product)):
                if len(state[name]) == self.history_size:
                    state[name].pop(0)
                state[name].append(Tensor(value))
            state["H_diag"] = Tensor(product / change.dot(change))
        found, factors = -grad, {}
        pairs = [(i, *(value._t for value in row)) for i, row in enumerate(zip(state["old_yk"], state["old_sk"], state["ro"]))]
        for i, change, moved, inverse in reversed(pairs):
            factors[i] = moved.dot(found) * inverse
            found = found - factors[i] * change
        found = found * state["H_diag"]._t
        for i, change, moved, inverse in pairs:
            found = found + moved * (factors[i] - change.dot(found) * inverse)
        state["al"] = [Tensor(factors[i]) if i in factors else None for i in range(self.history_size)]
        return found

    def _search(
        self, closure: Callable[[], Any], params: list[torch.Tensor], start: Point, direction: torch.Tensor, step: float
    ) -> tuple[Point, int]:
        """The line search; the parameters are back where they were afterwards."""
        before = [param.detach().clone() for param in params]

        def at(step: float) -> Point:
            _move(params, step, direction)
            value = float(closure())
            grad = _flat(params)
            with torch.no_grad():
                torch._foreach_copy_(params, before)
            return Point(step, value, grad, float(grad.dot(direction)))

        return strong_wolfe(at, start, step, float(direction.abs().max()))


def _flat(params: list[torch.Tensor]) -> torch.Tensor:
    """The gradients of all parameters in one dimension."""
    return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad.to_dense()).detach().reshape(-1) for p in params])


@torch.no_grad()
def _move(params: list[torch.Tensor], step: float, direction: torch.Tensor) -> None:
    """Go along a direction."""
    for param, part in zip(params, direction.split([param.numel() for param in params])):
        param.add_(part.view(param.shape), alpha=step)


__getattr__ = missing(__name__)
