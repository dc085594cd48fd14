"""Rows for paddle_compat/ops/linalg.py."""

from op_cases import Case, a, f, table

INF = float("inf")
SYMMETRIC = a([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
SQUARE = a([[2.0, 1.0, 0.5], [0.3, 1.5, 0.2], [0.1, 0.7, 1.0]])
TRIANGLE = a([[2.0, 1.0, 0.5], [0.0, 1.5, 0.2], [0.0, 0.0, 1.0]])

CASES = table(
    Case("mul", {"X": f(3, 4), "Y": f(4, 5)}),
    Case("mul", {"X": f(2, 3, 4), "Y": f(4, 5)}, {"x_num_col_dims": 2}),
    Case("mul", {"X": f(2, 3, 4), "Y": f(12, 5)}, {"x_num_col_dims": 1}),
    Case("mul", {"X": f(2, 6), "Y": f(2, 3, 4)}, {"y_num_col_dims": 2}),
    Case("mul", {"X": f(2, 3, 4), "Y": f(4, 2, 3)}, {"x_num_col_dims": 2, "y_num_col_dims": 1}),
    Case("matmul", {"X": f(3, 4), "Y": f(4, 5)}),
    Case("matmul", {"X": f(4, 3), "Y": f(5, 4)}, {"transpose_X": True, "transpose_Y": True, "alpha": 2.5}),
    Case("matmul", {"X": f(2, 3, 4), "Y": f(2, 4, 5)}),
    Case("matmul", {"X": f(2, 3, 4), "Y": f(4, 5)}),
    Case("matmul", {"X": f(2, 2, 3, 4), "Y": f(2, 2, 5, 4)}, {"transpose_Y": True, "alpha": 0.5}),
    Case("matmul", {"X": f(4), "Y": f(4)}),
    Case("matmul", {"X": f(3, 4), "Y": f(4)}, grad=False),
    Case("matmul", {"X": f(2, 3, 4), "Y": f(4)}),
    Case("matmul_v2", {"X": f(3, 4), "Y": f(4, 5)}),
    Case("matmul_v2", {"X": f(4, 3), "Y": f(5, 4)}, {"trans_x": True, "trans_y": True}),
    Case("matmul_v2", {"X": f(2, 3, 4), "Y": f(4, 5)}),
    Case("matmul_v2", {"X": f(3, 4), "Y": f(2, 4, 5)}),
    Case("matmul_v2", {"X": f(2, 1, 3, 4), "Y": f(2, 4, 5)}),
    Case("matmul_v2", {"X": f(4), "Y": f(4)}),
    Case("matmul_v2", {"X": f(3, 4), "Y": f(4)}),
    Case("matmul_v2", {"X": f(4), "Y": f(2, 4, 3)}),
    Case("matmul_v2", {"X": f(3, 4, dtype="float64"), "Y": f(4, 5, dtype="float64")}),
    Case("bmm", {"X": f(2, 3, 4), "Y": f(2, 4, 5)}),
    Case("dot", {"X": f(4), "Y": f(4)}),
    Case("dot", {"X": f(3, 4), "Y": f(3, 4)}),
    Case("mv", {"X": f(3, 4), "Vec": f(4)}),
    Case("addmm", {"Input": f(3, 5), "X": f(3, 4), "Y": f(4, 5)}, {"Alpha": 2.0, "Beta": 0.5}),
    Case("addmm", {"Input": f(1, 5), "X": f(3, 4), "Y": f(4, 5)}),
    Case("kron", {"X": f(2, 3), "Y": f(3, 2)}),
    Case("kron", {"X": f(3), "Y": f(2, 2)}),
    Case("cross", {"X": f(2, 3), "Y": f(2, 3)}),
    Case("cross", {"X": f(3, 3), "Y": f(3, 3)}, {"dim": 1}),
    Case("cross", {"X": f(3, 3), "Y": f(3, 3)}),
    Case("multi_dot", {"X": [f(3, 4), f(4, 2), f(2, 5)]}),
    Case("multi_dot", {"X": [f(4), f(4, 2), f(2)]}),
    *[Case("dist", {"X": f(3, 4), "Y": f(3, 4)}, {"p": p}) for p in (2.0, 1.0, 3.0, 0.0, INF, -INF)],
    Case("dist", {"X": f(3, 4), "Y": f(4)}, {"p": 2.0}),
    Case("cholesky", {"X": SYMMETRIC}),
    Case("cholesky", {"X": SYMMETRIC}, {"upper": True}),
    Case("cholesky_solve", {"X": f(3, 2), "Y": TRIANGLE}, {"upper": True}),
    Case("inverse", {"Input": SQUARE}),
    Case("determinant", {"Input": SQUARE}),
    Case("slogdeterminant", {"Input": SQUARE}),
    Case("eigvalsh", {"X": SYMMETRIC}),
    Case("eigvals", {"X": SYMMETRIC}, grad=False),
    Case("matrix_power", {"X": SQUARE}, {"n": 3}),
    Case("matrix_power", {"X": SQUARE}, {"n": -2}, tol=1e-5, gtol=1e-4),
    Case("matrix_rank", {"X": a([[1.0, 2.0], [2.0, 4.0]])}),
    Case("matrix_rank", {"X": a([[1.0, 2.0], [2.0, 4.1]])}, {"tol": 0.1, "use_default_tol": False}),
    Case("solve", {"X": SQUARE, "Y": f(3, 2)}),
    Case("solve", {"X": SQUARE, "Y": f(3)}),
    Case("triangular_solve", {"X": TRIANGLE, "Y": f(3, 2)}),
    Case("triangular_solve", {"X": TRIANGLE, "Y": f(3, 2)}, {"transpose": True, "unitriangular": True}),
    Case("lu", {"X": SQUARE}),
    Case("qr", {"X": f(4, 3)}, grad=False),
    *[
        Case("einsum", {"Operands": operands}, {"equation": equation}, grad=False)
        for equation, operands in (
            ("ij,jk->ik", [f(2, 3), f(3, 4)]),
            ("bij,bjk->bik", [f(2, 3, 4), f(2, 4, 2)]),
            ("ii->i", [f(3, 3)]),
            ("i,j->ij", [f(2), f(3)]),
            ("...ij,...jk->...ik", [f(2, 3, 4), f(4, 2)]),
            ("ij->", [f(2, 3)]),
        )
    ],
)
