"""Numbers that are not finite: FLAGS_check_nan_inf of operators' outputs and gradients, and the lines that describe values."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from typing import Any

import torch

from paddle_compat.core import flags
from paddle_compat.core.dtype import convert_dtype, dtype_name
from paddle_compat.core.errors import PreconditionNotMetError

SHORT = {torch.float32: "fp32", torch.float64: "fp64", torch.float16: "fp16", torch.bfloat16: "bf16"}
ABORT, TELL, TELL_LARGE, TELL_ALL = range(4)  # what FLAGS_check_nan_inf_level says
_LARGEST_HALF = 65504.0
_NODES = 256  # of torch's that one operator may consist of


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
    """Look at all that an operator gave at once, and at its gradients when they come, as a watcher of `core.eager`."""
    for n, value in enumerate(out if isinstance(out, (list, tuple)) else [out]):
        for part in tensors([value]):
            look(part, op_type, f"Out{n or ''}")
    watch_gradients(args, out, lambda gradient: look(gradient, f"{op_type}_grad", "X@GRAD"))


def look(value: Any, op_type: str, name: str, told: str = "") -> None:
    """Raise where a value holds NaN or an infinity, or tell it, as FLAGS_check_nan_inf_level says.

    Args:
        value: a tensor; others are passed over.
        op_type: the operator that gave it.
        name: what the error calls it.
        told: what the line calls it.
    """
    level = flags.get("FLAGS_check_nan_inf_level")
    if level == ABORT:
        check_finite(value, op_type, name)
    elif isinstance(value, torch.Tensor) and value.is_floating_point():
        describe(value, op_type, told, level)


def tensors(values: Any) -> Iterator[torch.Tensor]:
    """The tensors of a list, and of the lists in it."""
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from tensors(value)


def watch_gradients(args: list[Any], out: Any, see: Callable[[torch.Tensor], None]) -> None:
    """Have a function see what an operator's backward pass gives for each of its inputs, before it is added to what others give.

    The nodes of torch's that the operator made lie between its outputs and the edges that its inputs were made at.
    """
    wanted = {torch.autograd.graph.get_gradient_edge(t)[:2] for t in tensors(args) if t.requires_grad}
    ends = {node for node, _ in wanted}
    left = [t.grad_fn for t in tensors([out]) if t.grad_fn is not None and t.grad_fn not in ends]
    met = set(left)
    while left and len(met) < _NODES:
        node = left.pop()
        found = [n for n, edge in enumerate(node.next_functions) if edge in wanted]
        if found:
            node.register_hook(_seer(found, see))
        fresh = {following for following, _ in node.next_functions if following is not None} - ends - met
        met |= fresh
        left += fresh


def _seer(places: list[int], see: Callable[[torch.Tensor], None]) -> Callable[[Any, Any], None]:
    def seen(given: Any, taken: Any) -> None:
        for place in places:
            if given[place] is not None:
                see(given[place])

    return seen


def describe(value: torch.Tensor, op_type: str, name: str, level: int, folder: str | None = None) -> tuple[list[int], list[float]]:
    """Count what is not finite in a tensor of floating numbers, and tell it in a line where the level says so.

    Args:
        value: the tensor.
        op_type: said in the line.
        name: said in the line.
        level: ABORT, TELL, TELL_LARGE or TELL_ALL.
        folder: whose file `worker_DEVICE` gets the line; None: it is printed.
    Returns:
        Counts of NaN, infinities and zeros; the largest, the smallest and the mean number.
    Raises:
        PreconditionNotMetError: a number is not finite and the level is ABORT.
    """
    wide = (value.coalesce().values() if value.is_sparse else value).detach().double() + 0.0  # no negative zeros
    counts = [int(torch.isnan(wide).sum()), int(torch.isinf(wide).sum()), int((wide == 0).sum())]
    known = wide[~torch.isnan(wide)]
    lost = not known.numel() or bool(torch.isnan(wide.reshape(-1)[0]))  # the wheels compare with the first number
    most, least = (math.nan, math.nan) if lost else (known.max().item(), known.min().item())
    numbers = [most, least, wide.mean().item() if wide.numel() else math.nan]
    bad = counts[0] + counts[1] > 0
    dtype = SHORT.get(value.dtype) or dtype_name(convert_dtype(value.dtype))
    where = f"[device={value.device.type}, op={op_type}, tensor={name}, dtype={dtype}]"
    told = ", ".join(f"{what}={number:.6e}" for what, number in zip(("max", "min", "mean"), numbers))
    found = f"num_nan={counts[0]}, num_inf={counts[1]}, num_zero={counts[2]}"
    large = value.dtype in (torch.float32, torch.float64) and max(abs(most), abs(least)) > _LARGEST_HALF
    if bad:
        _tell(f"[PRECISION] [ERROR] in {where}, numel={wide.numel()}, {found}, {told}", value.device.type, folder)
        if level == ABORT:
            raise PreconditionNotMetError(f"There are NAN or INF ({found}) in {where}.")
    elif level >= TELL_ALL or level == TELL_LARGE and large:
        _tell(f"[PRECISION] in {where}, numel={wide.numel()}, num_zero={counts[2]}, {told}", value.device.type, folder)
    return counts, numbers


def _tell(line: str, device: str, folder: str | None) -> None:
    if folder is None:
        print(line)
        return
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"worker_{device}"), "a", encoding="utf-8") as stream:
        stream.write(line + "\n")
