"""FLAGS_check_nan_inf: an operator whose output holds NaN or an infinity raises."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.core.errors import PreconditionNotMetError


def check_finite(value: Any, op_type: str, name: str) -> None:
    """Raise where a value holds NaN or an infinity."""
    if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex()):
        value = value.coalesce().values() if value.is_sparse else value
        if not bool(torch.isfinite(value.detach()).all()):
            found = value.detach()
            raise PreconditionNotMetError(
                f"There are NAN or INF in output `{name}` of operator `{op_type}`. Expected finite numbers (FLAGS_check_nan_inf is on). "
                f"Received: {int(torch.isnan(found).sum())} NaN and {int(torch.isinf(found).sum())} infinite of {found.numel()} elements"
            )


def check_outputs(op_type: str, args: list[Any], out: Any) -> None:
    """`check_finite` of all that an operator gave at once, as a watcher of `core.eager`."""
    for n, value in enumerate(out if isinstance(out, (list, tuple)) else [out]):
        if isinstance(value, (list, tuple)):
            check_outputs(op_type, args, value)
        else:
            check_finite(value, op_type, f"Out{n or ''}")
