"""Rows for paddle_compat/tensor/linalg.py and einsum.py."""

ROWS = [
    "paddle.matmul(x, m)", "paddle.matmul(x, y, transpose_y=True)", "paddle.matmul(x, y, True)",
    "paddle.matmul(v, w)", "paddle.matmul(h, m)", "paddle.matmul(t, u, False, True)",
    "paddle.matmul(g, n, transpose_y=True)", "paddle.matmul(x, v, name='prod')", "paddle.matmul(x, y)",
    "paddle.dot(v, w)", "paddle.dot(x, y)", "paddle.bmm(t, paddle.transpose(u, [0, 2, 1]))", "paddle.mv(m, v)",
    "paddle.cross(m, m, axis=1)", "paddle.cross(x, y)", "paddle.dist(x, y)", "paddle.dist(x, y, 1)",
    "paddle.dist(x, y, float('inf'))", "paddle.t(x)",
    "paddle.linalg.norm(x)", "paddle.linalg.norm(x, 'fro')", "paddle.linalg.norm(x, 2, 1)",
    "paddle.linalg.norm(x, 1, axis=0, keepdim=True)", "paddle.linalg.norm(x, p=float('inf'), axis=-1)",
    "paddle.linalg.norm(x, axis=[0, 1])", "paddle.linalg.norm(t, 'fro', [1, 2], True)",
    "paddle.linalg.norm(x, 3)", "paddle.linalg.norm(t, p=2, axis=[0, 1])", "paddle.linalg.norm(x, float('inf'))",
    "paddle.linalg.norm(x, 0, 1)", "paddle.linalg.norm(x, -float('inf'), 1)", "paddle.linalg.norm(x, 1, [0, 1])",
    "paddle.histogram(x, 4, -1, 1)", "paddle.histogram(i)", "paddle.bincount(k)", "paddle.bincount(k, minlength=4)",
    "paddle.bincount(k, paddle.ones([2]))", "paddle.cdist(x, y)", "paddle.linalg.cholesky(spd)",
    "paddle.linalg.cholesky(spd, True)", "paddle.linalg.inv(spd)", "paddle.linalg.det(spd)",
    "paddle.linalg.slogdet(spd)", "paddle.linalg.matrix_power(spd, 2)", "paddle.linalg.matrix_rank(spd)",
    "paddle.linalg.matrix_rank(spd, 0.1, True)", "paddle.linalg.solve(spd, m)",
    "paddle.linalg.triangular_solve(spd, m)", "paddle.linalg.cholesky_solve(m, spd)", "paddle.linalg.eigvalsh(spd)",
    "paddle.linalg.eigh(spd)", "paddle.linalg.svd(m)", "paddle.linalg.svd(n, True)", "paddle.linalg.qr(m)",
    "paddle.linalg.qr(n, 'r')", "paddle.linalg.lu(spd)", "paddle.linalg.lu(spd, get_infos=True)",
    "paddle.linalg.lu_unpack(*paddle.linalg.lu(spd))", "paddle.linalg.multi_dot([x, m, n])", "paddle.linalg.pinv(m)",
    "paddle.linalg.pinv(spd, hermitian=True)",
    "paddle.linalg.lstsq(m, x.T)", "paddle.linalg.cond(spd)", "paddle.linalg.cond(spd, 'fro')",
    "paddle.linalg.cond(spd, 1)", "paddle.linalg.cov(x)", "paddle.linalg.cov(x, False, False)",
    "paddle.linalg.corrcoef(x)", "paddle.linalg.eig(spd)", "paddle.linalg.eigvals(spd)",
    "paddle.linalg.householder_product(m, v)",
    "paddle.einsum('ij,jk->ik', x, m)", "paddle.einsum('i,j->ij', v, w)", "paddle.einsum('ij->', x)",
    "paddle.einsum('...ij,...kj->...ik', t, u)", "paddle.einsum('ii->i', m)", "paddle.einsum('ij,ij', x, y)",
    "paddle.einsum('bij,jk->bik', g, n.T)",
    "paddle.matmul(x, 3)", "paddle.matmul(i, i)", "paddle.dot(x, v)", "paddle.mv(x, x)",
    "paddle.dist(x, 3)", "paddle.bmm(x, y)", "paddle.linalg.inv(v)",
]  # fmt: skip

# made of other operators, with the same result
OTHERWISE = (
    "paddle.linalg.cov(x)", "paddle.linalg.cov(x, False, False)", "paddle.linalg.corrcoef(x)", "paddle.linalg.lstsq(m, x.T)",
)  # fmt: skip

# with a dimension that no constant has, Paddle's static mode divides by nothing
DIFFERENT = (
    "paddle.linalg.cov(x)", "paddle.linalg.cov(x, False, False)", "paddle.linalg.corrcoef(x)",
    "paddle.linalg.lstsq(m, x.T)",
)  # fmt: skip
