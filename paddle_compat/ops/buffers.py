"""Operators that lay variables out in memory."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import UnimplementedError, invalid_argument
from paddle_compat.core.op import Meta, op

Tensor = torch.Tensor


def _laid_out(inputs: list[Meta], **attrs: object) -> tuple[list[Meta], Meta]:
    total = 0
    for meta in inputs:
        size = 1
        for length in meta.shape:
            size *= length
        total += size
    return list(inputs), Meta((total,), inputs[0].dtype, 0)


def _copied(x: Meta, **attrs: object) -> Meta:
    return Meta(x.shape, x.dtype, None, x.kind)


@op(inputs=("X",), outputs=("Out",), grad=(), infer=_copied)
def memcpy(x: Tensor, *, dst_place_type: int) -> Tensor:
    """A copy for another kind of place: 0 the CPU, 1 a GPU, 2 pinned memory.

    An operator of Paddle's fetches what it reads to the place that it runs on, wherever that is, so nobody can tell where the
    copy lay; here it stays with the operators.
    """
    if dst_place_type == 1 and not torch.cuda.is_available():
        raise UnimplementedError("Operator `memcpy` copies to a GPU. Expected one that torch sees. Received: none")
    return x.clone()


def _across(kind: str, number: int, most: int) -> None:
    """InvalidArgumentError for a kind of place that there is no copy to."""
    if not 0 <= number <= most:
        raise invalid_argument("dst_place_type", f"a number from 0 to {most}", number, kind)


@op(inputs=("X",), outputs=("Out",), infer=_copied)
def memcpy_h2d(x: Tensor, *, dst_place_type: int) -> Tensor:
    """A copy for a device, which the operators' own copying makes needless: see `memcpy`."""
    _across("memcpy_h2d", dst_place_type, 1)
    return x.clone()


@op(inputs=("X",), outputs=("Out",), infer=_copied)
def memcpy_d2h(x: Tensor, *, dst_place_type: int) -> Tensor:
    """A copy for the host: see `memcpy`."""
    _across("memcpy_d2h", dst_place_type, 1)
    return x.clone()


@op(inputs=("x",), outputs=("out",), infer=_copied)
def npu_identity(x: Tensor, *, format: int = -1) -> Tensor:
    """A copy, in a layout that only some devices have."""
    return x.clone()


@op(inputs=("X*",), outputs=("Out*",), infer=lambda xs, **_: list(xs))
def nop(xs: list[Tensor]) -> list[Tensor]:
    """Nothing, in its turn."""
    return xs


@op(inputs=("X*",), outputs=("Out*", "XOut*"), infer=lambda xs, **_: (list(xs), list(xs)))
def share_buffer(xs: list[Tensor], *, share_dims_and_dtype: Sequence[bool] = ()) -> tuple[list[Tensor], list[Tensor]]:
    """The same memory under other names."""
    return [x.detach() for x in xs], xs


@op(inputs=("X",), infer=lambda x, *, out_dtype, **_: Meta(x.shape, torch_dtype(out_dtype)))
def transfer_dtype(x: Tensor, *, out_dtype: int, in_dtype: int = -1) -> Tensor:
    """The numbers in another type."""
    return x.to(torch_dtype(out_dtype))


@op(inputs=("Input*",), outputs=("Output*", "FusedOutput"), infer=_laid_out, lod=None)
def coalesce_tensor(
    inputs: list[Tensor],
    *,
    dtype: int,
    copy_data: bool = False,
    set_constant: bool = False,
    constant: float = 0.0,
    check_name: bool = False,
    persist_output: bool = False,
    use_align: bool = True,
    align_size: int = -1,
    user_defined_size_of_dtype: int = -1,
    concated_shapes: Sequence[int] = (),
    concated_ranks: Sequence[int] = (),
) -> tuple[list[Tensor], Tensor]:
    """The values of many tensors in one; what an update writes in place to the one, the others see."""
    if set_constant:
        inputs = [torch.full_like(x, constant) for x in inputs]
    fused = torch.cat([x.reshape(-1) for x in inputs])
    parts, start = [], fused.storage_offset()
    for x in inputs:
        # not views for autograd: each part is a parameter of its own
        parts.append(x.new_empty(0).set_(fused.untyped_storage(), start, x.shape, x.new_empty(x.shape).stride()))
        start += x.numel()
    return parts, fused
