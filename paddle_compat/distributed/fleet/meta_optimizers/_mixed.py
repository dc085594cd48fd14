"""Mixed precision in eager mode, asked for by `strategy.amp`: of the model, of backward passes, and of steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch

from paddle_compat.amp import GradScaler, auto_cast, decorate
from paddle_compat.amp._casting import amp_state
from paddle_compat.amp._support import accelerated
from paddle_compat.amp.grad_scaler import _divide
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.fleet.meta_optimizers._steps import Steps, _as_torch, _number, in_this_job
from paddle_compat.engine.eager_backward import enlarged
from paddle_compat.optimizer.optimizer import _all

SCALING = ("init_loss_scaling", "incr_every_n_steps", "decr_every_n_nan_or_inf", "incr_ratio", "decr_ratio", "use_dynamic_loss_scaling")

_FACTOR, _COUNTS = "loss_scaling_0", ("num_good_steps_0", "num_bad_steps_0")  # names in Programs


class MixedPrecision:
    """What a job's model, backward passes and steps have in common.

    The model computes in low precision, as in `auto_cast`. In float16 backward passes start from larger gradients, and divide them
    again where they come to leaves, so that nobody sees the factor; steps with infinite gradients are left out. Where the model is
    called inside the user's own `auto_cast`, all of this is up to the user. On a CPU float16 has no effect, as in Paddle, which a
    warning says.

    Args:
        configs: `amp_configs`.
    Raises:
        UnsupportedError: names of variables are listed, which eager mode has not.
    """

    def __init__(self, configs: dict[str, Any]) -> None:
        if configs["custom_black_varnames"]:
            raise UnsupportedError("fleet.DistributedStrategy.amp_configs", "custom_black_varnames in eager mode", "custom_black_list")
        self.configs = configs
        self._dtype = "bfloat16" if configs["use_pure_bf16"] else "float16"
        self._level = "O2" if configs["use_pure_bf16"] or configs["use_pure_fp16"] else "O1"
        self._by_user = False  # whether the last pass was inside an `auto_cast` of the user's
        self._acts = accelerated() or self._dtype == "bfloat16"
        self.scaler = GradScaler(enable=self._dtype == "float16", **{name: configs[name] for name in SCALING})
        in_this_job(self._around)

    def model(self, model: Any) -> Any:
        """A model that computes in low precision.

        Args:
            model: a Layer.
        """
        if self._acts:
            model = decorate(model, level=self._level, dtype=self._dtype)
            model.forward = partial(self._forward, model.forward)
        return model

    def _forward(self, forward: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        by_user = amp_state() is not None
        if torch.is_grad_enabled():
            self._by_user = by_user
        if by_user:
            return forward(*args, **kwargs)
        white, black = self.configs["custom_white_list"], self.configs["custom_black_list"]
        with auto_cast(True, white, black, self._level, self._dtype):
            return forward(*args, **kwargs)

    @property
    def scales(self) -> bool:
        """Whether backward passes start from larger gradients."""
        return self.scaler.is_enable() and not self._by_user

    @contextmanager
    def _around(self, outs: list[torch.Tensor], weights: list[torch.Tensor]) -> Iterator[list[torch.Tensor]]:
        if self.scales:
            with enlarged(outs, weights, self.scaler._scale._t.reshape([])) as larger:
                yield larger
        else:
            yield weights


class MixedSteps(Steps):
    """Steps with infinite gradients are left out, and the factor of the loss follows.

    Args:
        optimizer: makes the steps.
        mixed: of the model.
    """

    def __init__(self, optimizer: Any, mixed: MixedPrecision) -> None:
        super().__init__(optimizer)
        self._mixed, self._scaler = mixed, mixed.scaler

    def step(self) -> None:
        """Update the parameters, if all gradients are finite."""
        if not self._mixed.scales:
            super().step()
            return
        scaler = self._scaler
        grads = [param._t.grad for param in _all(self._inner_opt._parameter_list) if param._t.grad is not None]
        scaler._found_inf = _divide(grads, 1.0)
        if not scaler._found_inf:
            super().step()
        scaler._follow()

    def _states(self) -> dict[str, torch.Tensor]:
        if not self._scaler.is_enable():
            return {}
        counts = (torch.tensor([count], dtype=torch.int32) for count in (self._scaler._incr_count, self._scaler._decr_count))
        return {_FACTOR: self._scaler._scale._t, **dict(zip(_COUNTS, counts))}

    def _go_on(self, given: dict[str, Any]) -> None:
        factor, (good, bad) = given.pop(_FACTOR, None), (_number(given, name) for name in _COUNTS)
        if factor is not None:
            self._scaler._scale = Tensor(_as_torch(factor).detach().clone())
            self._scaler._incr_count, self._scaler._decr_count = good, bad


_present: list[MixedPrecision] = []  # of this job, once somebody has asked for it


def mixed_precision(configs: dict[str, Any]) -> MixedPrecision:
    """The mixed precision of this job.

    Args:
        configs: `amp_configs`.
    """
    if not _present or _present[0].configs != configs:
        for former in _present:
            former.scaler._enable = False
        _present[:] = [MixedPrecision(configs)]
    return _present[0]


def left_to_the_user(scaler: Any) -> None:
    """Let gradients alone, as a scaler of the user's makes them larger.

    Args:
        scaler: the user's.
    """
    if scaler.is_enable():
        for each in _present:
            each.scaler._enable = False


def begin_anew() -> None:
    """Forget the mixed precision of a former job."""
    _present.clear()
