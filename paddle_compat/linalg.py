"""`paddle.linalg`: norms, decompositions and solvers."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.tensor._matrix_statistics import cond, corrcoef, cov, householder_product, pca_lowrank, pinv
from paddle_compat.tensor.linalg import (
    cholesky,
    cholesky_solve,
    det,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    inv,
    lstsq,
    lu,
    lu_unpack,
    matrix_power,
    matrix_rank,
    multi_dot,
    norm,
    qr,
    slogdet,
    solve,
    svd,
    triangular_solve,
)

__all__ = [
    "cholesky", "cholesky_solve", "cond", "corrcoef", "cov", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv",
    "householder_product", "lstsq", "lu", "lu_unpack", "matrix_power",
    "matrix_rank", "multi_dot", "norm", "pca_lowrank", "pinv", "qr", "slogdet", "solve", "svd", "triangular_solve",
]  # fmt: skip

__getattr__ = missing(__name__)
