"""Eigenvectors with the gradients that Paddle gives them, also where a loss depends on their phase.

An eigenvector times a number of absolute value 1 is another one, so a loss that tells them apart has no gradient in mathematics, and torch
raises. Paddle takes the vectors as they came: of the part that lies in a vector's own direction, what is imaginary is dropped.
"""

from __future__ import annotations

from typing import Any

import torch

Tensor = torch.Tensor


class _Eigen(torch.autograd.Function):
    """Eigenvalues and eigenvectors of any matrix, or (`hermitian`) of one of which a triangle is read."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, triangle: str) -> tuple[Tensor, Tensor]:
        values, vectors = torch.linalg.eigh(x, triangle) if triangle else torch.linalg.eig(x)
        ctx.save_for_backward(values, vectors)
        ctx.hermitian, ctx.real = bool(triangle), not x.is_complex()
        return values, vectors

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple[Tensor, None]:
        of_values, of_vectors = grads
        values, vectors = ctx.saved_tensors
        turned = vectors.mH
        inner = turned @ of_vectors
        if not ctx.hermitian:  # these vectors have length 1, and stay so
            inner = inner - turned @ (vectors * inner.diagonal(dim1=-2, dim2=-1).real.unsqueeze(-2))
        apart = (values.unsqueeze(-2) - values.unsqueeze(-1)).conj()
        own = torch.eye(values.shape[-1], dtype=torch.bool, device=values.device)
        inner = torch.where(own, torch.diag_embed(of_values).to(inner.dtype), inner / apart.masked_fill(own, 1))
        if ctx.hermitian:
            of_x = vectors @ inner @ turned
            return (of_x + of_x.mH) / 2, None
        of_x = torch.linalg.solve(turned, inner @ turned)
        return of_x.real if ctx.real else of_x, None


def eigen(x: Tensor, triangle: str = "") -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors, differentiable.

    Args:
        x: square matrices.
        triangle: "L" or "U" where they are Hermitian and that triangle is read.
    Returns:
        The values and, as columns, the vectors.
    """
    made: tuple[Tensor, Tensor] = _Eigen.apply(x, triangle)
    return made
