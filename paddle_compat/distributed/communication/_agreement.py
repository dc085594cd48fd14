"""What a process says of a call before its data travels, where processes meet by gloo (`engine.agreements`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.distributed._groups import Group
from paddle_compat.engine import processes
from paddle_compat.engine.agreements import Call


def said(api: str, value: torch.Tensor | None = None, detail: Any = 0, sent: Sequence[int] = (), came: Sequence[int] = ()) -> Call:
    """What is said of a call.

    Args:
        api: its name.
        value: what each process gives or gets, whose size and data type are the same on all; None: they need not be.
        detail: what else is the same: the operation, the process that gives or gets, the data type of parts, or a text.
        sent: how many elements go to each process; came: how many come.
    """
    shown = f"calls {api}"
    if value is not None:
        type_ = str(value.dtype).removeprefix("torch.")
        shown += f" with {value.numel()} elements of {type_} in shape {list(value.shape)} (operation or process: {detail})"
        return Call(f"{api} {value.numel()} {type_} {detail}", shown)
    if sent:
        shown += f", sends {list(sent)} and gets {list(came)} elements of {detail}"
    elif detail:
        shown += f" with {detail}"
    return Call(f"{api} {detail}", shown, sent, came)


def expected(group: Group) -> str:
    """What the processes of a group do."""
    return f"the same collective call on all processes of group {group.name}"


def agreed(group: Group, call: Call) -> bool:
    """Wait for all processes, and compare their calls.

    Returns:
        Whether calls are compared.
    Raises:
        InvalidArgumentError: the processes make different calls.
    """
    compares = processes.compares(group.process_group)
    if compares:
        processes.together(group.process_group, call, expected(group)).wait()
    return compares
