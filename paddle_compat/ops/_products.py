"""x W + b by oneDNN on the processors where it multiplies matrices faster than MKL, which torch asks: all but Intel's.

MKL keeps its AVX-512 kernels to Intel's processors. On AMD's, oneDNN, which torch has too, takes half of the time for large matrices
(`benchmarks/products.py`); small ones are left to MKL, as calling oneDNN costs 10 us. Where a product has few columns, MKL is several
times slower than for its transpose.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn.functional import linear as torch_linear

LARGE = 1 << 22  # multiplications from which on the gain is several times what a call costs
NARROW, TALL = 16, 64  # a product of fewer columns, and at least as many rows, is one whose transpose is computed
LEAST = 1 << 19  # multiplications that make this worth a call
SHORT = 32  # sizes where the left matrix is read across, below which oneDNN is slow


def _vendor() -> str:
    """Who made the processor, where the system tells."""
    try:
        with open("/proc/cpuinfo") as file:
            return next((line.split(":")[1].strip() for line in file if line.startswith("vendor_id")), "")
    except OSError:
        return ""


def _is_faster() -> bool:
    """Whether oneDNN's products are the faster ones here."""
    both = torch.backends.mkl.is_available() and torch.backends.mkldnn.is_available()
    return both and torch.backends.cpu.get_cpu_capability().startswith("AVX") and _vendor() == "AuthenticAMD"


FASTER = _is_faster()


def narrow(rows: int, columns: int) -> bool:
    """Whether a product of these sizes is slower than its transpose."""
    return 1 < columns < NARROW and rows >= TALL


def wide(rows: int, inner: int, columns: int, across: bool) -> bool:
    """Whether oneDNN's product is the faster one for matrices of these sizes, if they are large.

    Args:
        across: whether the left one is read across its rows, as for the gradient of a weight.
    """
    return columns >= NARROW and (not across or min(rows, inner, columns) >= SHORT)


def _worth(rows: int, inner: int, columns: int, across: bool) -> bool:
    count = rows * inner * columns
    return count >= LEAST and (narrow(rows, columns) or (count >= LARGE and wide(rows, inner, columns, across)))


def _lies(x: torch.Tensor) -> bool:
    """Whether a matrix lies in memory without gaps, row by row or column by column."""
    return x.is_contiguous() or x.t().is_contiguous()


def _fast(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor | None) -> torch.Tensor:
    if w.shape[1] < NARROW:
        across = torch.mm(w.t(), x.t()) if b is None else torch.addmm(b.unsqueeze(1), w.t(), x.t())
        return across.t().contiguous()
    out: torch.Tensor = torch.ops.mkldnn._linear_pointwise(x, w.t(), b, "none", [], "")
    return out


def _product(x: torch.Tensor, w: torch.Tensor, across: bool) -> torch.Tensor:
    """x W, differentiable."""
    if not _worth(x.shape[0], x.shape[1], w.shape[1], across) or not _lies(w):
        return torch.mm(x, w)
    if torch.is_grad_enabled() and (x.requires_grad or w.requires_grad):
        out: torch.Tensor = _Affine.apply(x, w, None)
        return out
    return _fast(x, w, None)


class _Affine(torch.autograd.Function):
    """x W, and b where there is one, for matrices."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, w: torch.Tensor, b: torch.Tensor | None) -> torch.Tensor:
        ctx.save_for_backward(x, w)
        return _fast(x, w, b)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        (x, w), needs = ctx.saved_tensors, ctx.needs_input_grad
        gradient = gradients[0].contiguous()  # a sum hands back one number for all
        return (
            _product(gradient, w.t(), False) if needs[0] else None,
            _product(x.t(), gradient, True) if needs[1] else None,
            gradient.sum(0) if needs[2] else None,
        )


def only_autograd() -> bool:
    """Whether nobody differentiates in a way that only torch's own operators know."""
    return not torch._C._are_functorch_transforms_active() and torch.autograd.forward_ad._current_level < 0


def _fits(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether these are plain matrices, and their gradients autograd's."""
    if not type(x) is type(w) is type(b) is torch.Tensor or not x.dtype is w.dtype is b.dtype is torch.float32:
        return False
    if not only_autograd():
        return False
    return x.is_cpu and w.is_cpu and b.is_cpu and x.layout is w.layout is torch.strided and w.dim() == 2 and _lies(w)


def _large_affine(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor | None:
    """x W + b in the faster way, None where torch is to do it."""
    columns = w.shape[-1]
    if not _worth(x.numel() // max(1, x.shape[-1]), x.shape[-1], columns, False) or not _fits(x, w, b):
        return None
    if w.shape[0] != x.shape[-1] or b.shape != (columns,):
        return None
    matrix = x if x.dim() == 2 else x.reshape(-1, x.shape[-1])
    learns = torch.is_grad_enabled() and (x.requires_grad or w.requires_grad or b.requires_grad)
    out: torch.Tensor = _Affine.apply(matrix, w, b) if learns else _fast(matrix, w, b)
    return out if x.dim() == 2 else out.reshape(*x.shape[:-1], columns)


def addmm(b: torch.Tensor, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """As torch.addmm, of a matrix."""
    if FASTER and type(x) is torch.Tensor and x.numel() * w.shape[-1] >= LEAST and (out := _large_affine(x, w, b)) is not None:
        return out
    return torch.addmm(b, x, w)


def linear(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """As torch's linear, of anything; w is [in, out], as in Paddle."""
    if FASTER and type(x) is torch.Tensor and x.numel() * w.shape[-1] >= LEAST and (out := _large_affine(x, w, b)) is not None:
        return out
    return torch_linear(x, w.t(), b)


def product(x: torch.Tensor, w: torch.Tensor, across: bool = False) -> torch.Tensor:
    """A product of matrices in a backward pass, which nobody differentiates."""
    if FASTER and type(x) is type(w) is torch.Tensor and x.dtype is w.dtype is torch.float32 and x.is_cpu and w.is_cpu:
        return _product(x, w, across)
    return torch.mm(x, w)
