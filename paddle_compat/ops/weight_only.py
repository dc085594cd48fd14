"""Products with weights of 8 or 4 bits, and the layouts in which such weights are kept.

A weight of K rows and N columns is kept as N rows of K bytes, or half as many rows where two numbers share a byte. For each kind of GPU its
numbers stand in the order in which that kind's kernels read them; here they are put back before they are used.
"""

from __future__ import annotations

import torch

from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import op

Tensor = torch.Tensor

ARCHITECTURES = (70, 75, 80, 86, 89, 90, 100)
ALGORITHMS = ("weight_only_int8", "weight_only_int4", "llm.int8")
_TILE = 64  # how many rows of a column stand together


def architecture() -> int:
    """The kind of this machine's GPU, or where there is none a usual one."""
    if not torch.cuda.is_available():
        return 80
    major, minor = torch.cuda.get_device_capability()
    return min(ARCHITECTURES, key=lambda known: abs(known - 10 * major - minor))


def _bits(algo: str) -> int:
    return 4 if algo == "weight_only_int4" else 8


def _order(rows: int, columns: int, bits: int, arch: int, device: torch.device) -> Tensor:
    """Where in the weight each number stands that is kept."""
    places = torch.arange(rows * columns, device=device).reshape(rows, columns)
    together = [0, 2, 1, 3] if bits == 8 else [0, 2, 4, 6, 1, 3, 5, 7]
    if arch != 70:
        run, beside = (16, 2) if bits == 8 else (32, 4)
        pairs = [8 * (i // 2 % (run // 8)) + 2 * (i // (run // 4)) + i % 2 for i in range(run)]
        places = places.reshape(rows // run, run, columns)[:, pairs].reshape(rows, columns).T
        places = places.reshape(columns // beside, beside, rows // _TILE, _TILE).transpose(1, 2)
    return places.reshape(-1, len(together))[:, together].reshape(-1)


def _packed(steps: Tensor, algo: str, arch: int) -> Tensor:
    rows, columns = steps.shape
    if algo == "llm.int8":
        return steps.T.contiguous().to(torch.int8)
    bits = _bits(algo)
    kept = steps.reshape(-1)[_order(rows, columns, bits, arch, steps.device)].to(torch.int16) + (1 << (bits - 1))
    if bits == 4:
        kept = kept[0::2] | (kept[1::2] << 4)
    return kept.to(torch.uint8).view(torch.int8).reshape(columns * bits // 8, rows)


def _unpacked(weight: Tensor, algo: str, arch: int) -> Tensor:
    """The steps of a weight, K x N."""
    if algo == "llm.int8":
        return weight.T
    bits = _bits(algo)
    rows, columns = weight.shape[1], weight.shape[0] * 8 // bits
    kept = weight.contiguous().view(torch.uint8).reshape(-1).to(torch.int16)
    if bits == 4:
        kept = torch.stack([kept & 15, kept >> 4], 1).reshape(-1)
    steps = torch.empty_like(kept)
    steps[_order(rows, columns, bits, arch, weight.device)] = kept - (1 << (bits - 1))
    return steps.reshape(rows, columns)


def _values(weight: Tensor, scale: Tensor, algo: str, arch: int, group_size: int) -> Tensor:
    """What a weight stands for, in floats."""
    steps = _unpacked(weight, algo, arch).to(scale.dtype)
    return steps * (scale.repeat_interleave(group_size, 0) if group_size > 0 else scale)


@op(inputs=("x",), outputs=("out", "scale"), grad=None)
def weight_quantize(x: Tensor, *, algo: str = "weight_only_int8", arch: int = 80, _group_size: int = -1) -> tuple[Tensor, Tensor]:
    """A weight in the layout of a kernel, and what a step of each column stands for."""
    rows, columns = x.shape
    for name, size, part in (("x.shape[0]", rows, _TILE), ("x.shape[1]", columns, 16)):
        if size % part:
            raise invalid_argument(name, f"a multiple of {part}", size, "weight_quantize")
    most = 7 if algo == "weight_only_int4" else 127
    wide = x.float()
    parts = wide.reshape(-1, _group_size, columns) if _group_size > 0 else wide[None]
    scale = (parts.abs().amax(1, keepdim=True) / most).to(x.dtype)
    held = scale.float()
    steps = parts / torch.where(held == 0, 1.0, held)
    steps = (torch.sign(steps) * torch.floor(steps.abs() + 0.5)).clamp(-most, most)
    kept = _packed(steps.reshape(rows, columns), algo, arch)
    return kept, scale.reshape(-1, columns) if _group_size > 0 else scale.reshape(-1)


@op(inputs=("x", "scale"), outputs=("out",), grad=None)
def weight_dequantize(
    x: Tensor, scale: Tensor, *, algo: str = "weight_only_int8", out_dtype: VarType = VarType.FP16, _group_size: int = -1
) -> Tensor:  # fmt: skip
    """What a weight stands for."""
    return _values(x, scale, algo, architecture(), _group_size).to(torch_dtype(out_dtype))


@op(inputs=("x", "weight", "bias?", "weight_scale"), outputs=("out",), no_grad=("weight", "weight_scale"))
def weight_only_linear(
    x: Tensor, weight: Tensor, bias: Tensor | None, weight_scale: Tensor, *, weight_dtype: str = "int8", arch: int = 0,
    _group_size: int = -1,
) -> Tensor:  # fmt: skip
    """x times the values that a weight stands for."""
    values = _values(weight, weight_scale, f"weight_only_{weight_dtype}", arch or architecture(), _group_size).to(x.dtype)
    out = torch.matmul(x, values)
    return out if bias is None else out + bias


@op(inputs=("x", "weight", "bias?", "weight_scale"), outputs=("out",), grad=None)
def llm_int8_linear(x: Tensor, weight: Tensor, bias: Tensor | None, weight_scale: Tensor, *, threshold: float = 6.0) -> Tensor:
    """x times a weight, both as whole numbers, but for the columns of x that have a number beyond the threshold."""
    rows = x.reshape(-1, x.shape[-1]).float()
    outlying = (rows.abs() > threshold).any(0)
    inside = torch.where(outlying, 0.0, rows)
    most = inside.abs().amax(1, keepdim=True)
    steps = torch.round(inside * (127.0 / torch.where(most == 0, 1.0, most)))
    scale = weight_scale.float()
    out = torch.matmul(steps, weight.T.float()) * (most / 127.0) * scale
    out = out + torch.matmul(torch.where(outlying, rows, 0.0), weight.T.float() * scale)
    out = out.to(x.dtype).reshape(*x.shape[:-1], weight.shape[0])
    return out if bias is None else out + bias
