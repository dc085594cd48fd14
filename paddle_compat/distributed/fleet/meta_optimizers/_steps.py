"""Steps in eager mode that do something besides those of the user's optimizer, as strategies ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from typing import Any

import torch

from paddle_compat.core.errors import PreconditionNotMetError, UnsupportedError
from paddle_compat.core.op import definition_of
from paddle_compat.core.rings import ring_of
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine import eager_backward
from paddle_compat.optimizer._compression import Compression, is_large
from paddle_compat.optimizer.optimizer import _all

_PARTS, _COUNTER = ("_dgc_u_", "_dgc_v_"), "__g_dgc_counter__"  # names of what compression remembers
_TOTAL, _STEP = "@GRAD@GradientMerge", "@STEP_COUNTER@"  # of merged gradients, and of how many steps there were
LONGEST = 16  # steps that workers may take alone, where their number follows the loss


def steps_alone(first_rate: Any, rate: Any, first_loss: Any, loss: Any, first: int) -> Any:
    """How many steps workers take alone from here on, in Programs and in eager mode; the caller bounds it by 1 and `LONGEST`.

    Args:
        first_rate, rate: the learning rates of the first step and of this one.
        first_loss, loss: the means of the workers' losses.
        first: how many steps they took alone at first.
    """
    return (first_rate * loss / (rate * first_loss) * float(first)).reshape([1]).sqrt().ceil()


class Steps:
    """An optimizer whose steps are another's and something more; all else is the other's.

    Args:
        optimizer: the other one.
    """

    def __init__(self, optimizer: Any) -> None:
        self._inner_opt = optimizer

    def __getattr__(self, name: str) -> Any:
        if name == "_inner_opt":  # while it is copied or unpickled
            raise AttributeError(name)
        return getattr(self._inner_opt, name)

    def step(self) -> None:
        """Update the parameters."""
        self._inner_opt.step()

    def minimize(self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None) -> Any:
        """As `step`.

        Args:
            loss, startup_program, parameters, no_grad_set: of no effect, as the gradients are there.
        Returns:
            tuple: two empty lists.
        """
        self.step()
        return [], []

    def _states(self) -> dict[str, torch.Tensor]:
        """What a job that is started again has to know besides the other optimizer's state, named as in Programs."""
        return {}

    def _go_on(self, given: dict[str, Any]) -> None:
        """Take what `_states` gave out of a state, which may lack it."""

    def state_dict(self) -> dict[str, Any]:
        """The other optimizer's state, and where this process stands with what is done besides.

        Returns:
            dict: what `set_state_dict` takes.
        """
        return {**self._inner_opt.state_dict(), **{name: Tensor(state, name) for name, state in self._states().items()}}

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a state.

        Args:
            state_dict (dict): what `state_dict` returned.
        """
        given = dict(state_dict)
        self._go_on(given)
        self._inner_opt.set_state_dict(given)

    set_dict = set_state_dict


class MergedSteps(Steps):
    """A step is made once in `k_steps` calls. Gradients add up meanwhile, and calls that clear them wait for it.

    Args:
        optimizer: makes the steps.
        k_steps: how many calls make a step.
        avg: by the mean of the gradients; else by their sum.
    """

    def __init__(self, optimizer: Any, k_steps: int, avg: bool) -> None:
        super().__init__(optimizer)
        self._k_steps, self._avg = k_steps, avg
        self._calls = 0  # since the last step

    def _refuse_scaling(self) -> None:
        """Say that gradients which add up cannot be divided by a scaler at each step."""
        raise UnsupportedError(
            "fleet.DistributedStrategy.gradient_merge", "True with paddle.amp.GradScaler", "strategy.amp, which scales by itself"
        )

    @torch.no_grad()
    def step(self) -> None:
        """Update the parameters in every `k_steps`-th call."""
        self._calls = (self._calls + 1) % self._k_steps
        if self._calls:
            return
        if self._avg:
            for param in _all(self._inner_opt._parameter_list):
                if param._t.grad is not None:
                    param._t.grad.div_(self._k_steps)
        super().step()

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Forget the gradients, once a step has used them.

        Args:
            set_to_zero: leave zeros.
        """
        if not self._calls:
            self._inner_opt.clear_grad(set_to_zero)

    clear_gradients = clear_grad

    def _states(self) -> dict[str, torch.Tensor]:
        waiting = [param for param in _all(self._inner_opt._parameter_list) if self._calls and param._t.grad is not None]
        totals = {f"{param.name}{_TOTAL}": param._t.grad.to_dense().float() for param in waiting}
        return {"gradient_merge_step": torch.tensor([self._calls]), **totals}

    def _go_on(self, given: dict[str, Any]) -> None:
        self._calls = _number(given, "gradient_merge_step")
        for param in _all(self._inner_opt._parameter_list):
            if (total := given.pop(f"{param.name}{_TOTAL}", None)) is not None:
                param._t.grad = _as_torch(total).detach().to(param._t, copy=True)


class LocalSteps(Steps):
    """After each of the first `begin_step` steps, then after every `k_steps`, the workers take the mean of their parameters.

    Args:
        optimizer: makes the steps.
        k_steps: how many steps a worker makes alone.
        begin_step: the last step after which the workers meet whatever `k_steps` is.
    """

    def __init__(self, optimizer: Any, k_steps: int, begin_step: int) -> None:
        super().__init__(optimizer)
        self._k_steps, self._begin_step = k_steps, begin_step
        self._done, self._met = 0, begin_step  # steps, and at which of them the workers met

    @torch.no_grad()
    def step(self) -> None:
        """Update the parameters, and meet the others where it is time."""
        super().step()
        self._done += 1
        if self._done <= self._begin_step:
            self._meet()
        elif self._done - self._met == self._k_steps:
            self._meet()
            self._adapt()

    def _meet(self) -> None:
        self._met = self._done
        ring = ring_of(0)
        tensors = [param._t.detach() for param in _all(self._inner_opt._parameter_list) if param._t.requires_grad]
        for tensor, total in zip(tensors, ring.all_reduce(tensors), strict=True):
            tensor.copy_(total / ring.size)

    def _adapt(self) -> None:
        """Choose the next number of steps."""

    def _states(self) -> dict[str, torch.Tensor]:
        return {_STEP: torch.tensor([self._done]), "last_step": torch.tensor([self._met]), "k_steps": torch.tensor([self._k_steps])}

    def _go_on(self, given: dict[str, Any]) -> None:
        self._done = _number(given, _STEP)
        self._met, self._k_steps = _number(given, "last_step", self._met), _number(given, "k_steps", self._k_steps)


class AdaptiveLocalSteps(LocalSteps):
    """Local steps whose number follows the loss, which is what the last backward pass before a step started from.

    Args:
        optimizer: makes the steps.
        init_k_steps: how many steps a worker makes alone at first.
        begin_step: as of `LocalSteps`.
    """

    def __init__(self, optimizer: Any, init_k_steps: int, begin_step: int) -> None:
        super().__init__(optimizer, init_k_steps, begin_step)
        self._first, self._met = init_k_steps, 0
        self._loss: torch.Tensor | None = None
        self._first_loss = self._first_rate = 0.0
        in_this_job(self._noted)

    @contextmanager
    def _noted(self, outs: list[torch.Tensor], weights: list[torch.Tensor]) -> Iterator[list[torch.Tensor]]:
        self._loss = outs[0].detach()
        yield weights

    @torch.no_grad()
    def step(self) -> None:
        """Update the parameters, and meet the others where it is time."""
        if self._done == 0:
            self._first_loss, self._first_rate = self._mean_loss(), self.get_lr()
        super().step()

    def _adapt(self) -> None:
        numbers = self._first_rate, self.get_lr(), self._first_loss, self._mean_loss()
        first_rate, rate, first_loss, loss = (Tensor(torch.tensor(number)) for number in numbers)
        wanted = float(steps_alone(first_rate, rate, first_loss, loss, self._first))
        if isfinite(wanted):
            self._k_steps = min(max(int(wanted), 1), LONGEST)

    def _mean_loss(self) -> float:
        if self._loss is None:
            raise PreconditionNotMetError(
                "Nobody knows the loss that adaptive_localsgd follows. Expected loss.backward() before step(). Received: none"
            )
        ring = ring_of(0)
        return float(ring.all_reduce([self._loss.float().mean()])[0]) / ring.size

    def _states(self) -> dict[str, torch.Tensor]:
        first = {"loss_0": torch.tensor([self._first_loss]), "lr_0": torch.tensor([self._first_rate])}
        return {**super()._states(), **first}

    def _go_on(self, given: dict[str, Any]) -> None:
        super()._go_on(given)
        self._first_loss, self._first_rate = (float(_as_torch(given.pop(name, 0.0)).sum()) for name in ("loss_0", "lr_0"))


class CompressedSteps(Steps):
    """Workers send each other the largest elements of large gradients, and the mean of the others, when a step is made.

    Args:
        optimizer: a `Momentum`, which makes the steps of small parameters.
        compression: how large gradients are compressed.
    """

    def __init__(self, optimizer: Any, compression: Compression) -> None:
        super().__init__(optimizer)
        self._compression = compression
        self._done = 0
        self._waiting: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}  # velocity, and what has not been sent

    @torch.no_grad()
    def step(self) -> None:
        """Exchange the gradients, and update the parameters."""
        ring = ring_of(0)
        params = [param for param in _all(self._inner_opt._parameter_list) if param._t.requires_grad]
        large = [param for param in params if self._is_compressed(param)]
        small = [param for param in params if not self._is_compressed(param)]
        shared = torch.tensor([float(self._done)]), torch.tensor([float(ring.size)])  # what the operators are told of step and workers
        sent = [self._sent(param, shared) for param in large]
        own = [torch.zeros_like(param._t) if param._t.grad is None else param._t.grad for param in small]
        totals = ring.all_reduce([*sent, *own])
        for param, total in zip(small, totals[len(large) :], strict=True):
            if param._t.grad is not None or total.count_nonzero():
                param._t.grad = total / ring.size
        for param in large:
            param._t.grad = None
        super().step()
        for param, total in zip(large, totals, strict=False):
            rate = self.get_lr() * getattr(param, "optimize_attr", {}).get("learning_rate", 1.0)
            velocity = self._waiting[param.name][0]
            rates = torch.tensor([rate], device=velocity.device)
            made = _kernel("dgc_momentum")(param._t.detach(), total, velocity, rates, None, *shared, **self._compression.of_update())
            param._t.grad = made[-1].view(param._t.shape)
        self._done += 1

    def _states(self) -> dict[str, torch.Tensor]:
        parts = [(f"{name}_{part}_0", state) for name, both in self._waiting.items() for part, state in zip(_PARTS, both)]
        return {**dict(parts), _COUNTER: torch.tensor([self._done - 1.0])}

    def _go_on(self, given: dict[str, Any]) -> None:
        self._done = _number(given, _COUNTER, -1) + 1
        for param in _all(self._inner_opt._parameter_list):
            parts = [given.pop(f"{param.name}_{part}_0", None) for part in _PARTS]
            if parts[0] is not None:
                velocity, waiting = (_as_torch(part).detach().clone().to(param._t.device) for part in parts)
                self._waiting[param.name] = velocity, waiting

    @staticmethod
    def _is_compressed(param: Any) -> bool:
        tensor = param._t
        dense = tensor.grad is not None and not tensor.grad.is_sparse
        return dense and tensor.dtype is torch.float32 and is_large(tensor.shape)

    def _sent(self, param: Any, shared: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        """What of a gradient travels."""
        tensor, compression = param._t.detach(), self._compression
        velocity, waiting = self._waiting.setdefault(param.name, (torch.zeros_like(tensor), torch.zeros_like(tensor)))
        grad = param._t.grad / int(shared[1])
        if compression.local_norm:
            grad = _kernel("dgc_clip_by_norm")(grad, shared[0], **compression.of_clip())
        made: torch.Tensor = _kernel("dgc")(velocity, waiting, grad, tensor, *shared, **compression.of_compression(param))[3]
        return made


def _as_torch(value: Any) -> torch.Tensor:
    return value._t if isinstance(value, Tensor) else torch.as_tensor(value)


def _number(given: dict[str, Any], name: str, otherwise: int = 0) -> int:
    """A whole number that a state has, taken out of it."""
    return int(_as_torch(given.pop(name, otherwise)).sum())


def _kernel(type_: str) -> Any:
    """What an operator does to torch tensors."""
    found = definition_of(type_)
    return found.fn


_here: list[eager_backward.Around] = []  # what this job's strategies do around backward passes


def in_this_job(context: eager_backward.Around) -> None:
    """Put a context around backward passes, until fleet begins anew."""
    _here.append(context)
    eager_backward.around.append(context)


def begin_anew() -> None:
    """Take away what the strategies of a former job put around backward passes."""
    for context in _here:
        eager_backward.around.remove(context)
    _here.clear()
