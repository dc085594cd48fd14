"""`paddle.linalg`: norms, decompositions and solvers."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.tensor._matrix_statistics import cond, corrcoef, cov, householder_product, pca_lowrank, pinv
from paddle_compat.tensor._paddle3_matrices import (
    cholesky_inverse,
    fp8_fp8_half_gemm_fused,
    lu_solve,
    matrix_exp,
    matrix_norm,
    matrix_transpose,
    ormqr,
    svd_lowrank,
    svdvals,
    vector_norm,
)
from paddle_compat.tensor._paddle3_numbers import vecdot
from paddle_compat.tensor.linalg import (
    cholesky,
    cholesky_solve,
    cross,
    det,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    inv,
    lstsq,
    lu,
    lu_unpack,
    matmul,
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
from paddle_compat.tensor.math import diagonal

__all__ = [
    "cholesky", "cholesky_inverse", "cholesky_solve", "cond", "corrcoef", "cov", "cross", "det", "diagonal", "eig", "eigh", "eigvals",
    "eigvalsh", "fp8_fp8_half_gemm_fused", "householder_product", "inv", "lstsq", "lu", "lu_solve", "lu_unpack", "matmul", "matrix_exp",
    "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "ormqr", "pca_lowrank", "pinv", "qr",
    "slogdet", "solve", "svd", "svd_lowrank", "svdvals", "triangular_solve", "vecdot", "vector_norm",
]  # fmt: skip

__getattr__ = missing(__name__)
