"""Mixed precision of a DistModel: its `Strategy`'s group `amp`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from paddle_compat.amp._casting import auto_cast
from paddle_compat.amp.grad_scaler import check_ratios
from paddle_compat.distributed.auto_parallel.strategy import AMPConfig
from paddle_compat.static.amp.decorator import OptimizerWithMixedPrecision


def casting(amp: AMPConfig) -> AbstractContextManager[None]:
    """What a layer and its loss are recorded in."""
    lists: dict[str, Any] = {"custom_white_list": amp.custom_white_list, "custom_black_list": amp.custom_black_list}
    made: AbstractContextManager[None] = auto_cast(amp.enable, **lists, level=amp.level, dtype=amp.dtype, use_promote=amp.use_promote)
    return made


class Scaled(OptimizerWithMixedPrecision):
    """Writes the backward pass and the updates of a loss that was recorded in mixed precision, whose casts are there.

    Args:
        optimizer: the optimizer.
        amp: the settings. A loss in bfloat16 needs no factor.
    """

    def __init__(self, optimizer: Any, amp: AMPConfig) -> None:
        scales, level, ratios = amp.dtype.lower() != "bfloat16", amp.level.upper(), (amp.incr_ratio, amp.decr_ratio)
        if scales:
            check_ratios(incr_ratio=amp.incr_ratio, decr_ratio=amp.decr_ratio)
        super().__init__(
            optimizer, None, level, amp.dtype.lower(), amp.init_loss_scaling if scales else 1.0, scales and amp.use_dynamic_loss_scaling,
            amp.incr_every_n_steps, amp.decr_every_n_nan_or_inf, *ratios, use_master_grad=amp.use_master_grad and level == "O2",
        )  # fmt: skip

    def _write_casts(self) -> None:
        """They were recorded."""


__all__ = ["Scaled", "casting"]
