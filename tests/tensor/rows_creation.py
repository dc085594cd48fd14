"""Rows for paddle_compat/tensor/creation.py."""

ROWS = [
    "paddle.full([2, 3], 1.5)", "paddle.full([2, 3], 2, 'int64')", "paddle.full([2], True)", "paddle.full([2], 3)",
    "paddle.full((), 2.5)",
    "paddle.full([2, n1], 1.0)", "paddle.full(k, 1.0)", "paddle.full([2], 0.1, 'float64')",
    "paddle.full([1], float('inf'))",
    "paddle.full([2], one)", "paddle.full([1], 2**40, 'int64')", "paddle.full(2, 1.0)",
    "paddle.full([2], 1.0, name='fill')",
    "paddle.zeros([2, 3])", "paddle.zeros([2], 'int32')", "paddle.ones([2, 3])", "paddle.ones([2], dtype='bool')",
    "paddle.zeros_like(x)", "paddle.ones_like(i)", "paddle.zeros_like(x, 'int64')", "paddle.full_like(x, 2.0)",
    "paddle.full_like(h, 2, 'int32')",
    "paddle.arange(5)", "paddle.arange(1, 7, 2)", "paddle.arange(0.0, 1.0, 0.25)",
    "paddle.arange(5, dtype='float32')", "paddle.arange(n1)",
    "paddle.arange(5, 0, -1)", "paddle.arange(1, 4, 1, 'float64')",
    "paddle.linspace(0, 1, 5)", "paddle.linspace(0, 10, 5, 'int32')", "paddle.linspace(0.0, 1.0, 3, dtype='float64')",
    "paddle.linspace(one, 1.0, 4)",
    "paddle.logspace(0, 2, 3)", "paddle.logspace(0.0, 2.0, 3, base=2.0, dtype='float64')",
    "paddle.eye(3)", "paddle.eye(2, 3, 'int64')", "paddle.tril(m)", "paddle.triu(m, 1)", "paddle.tril(t, -1)",
    "paddle.tril(v)",
    "paddle.tril_indices(3, 4, 0)", "paddle.triu_indices(3)", "paddle.tril_indices(3, 3, -1, 'int32')",
    "paddle.diag(v)", "paddle.diag(v, 1)", "paddle.diag(v, padding_value=2)", "paddle.diag(m, -1)",
    "paddle.diagflat(v)", "paddle.diagflat(x, 1)",
    "paddle.diag_embed(x)", "paddle.diag_embed(x, 1, 0, 2)", "paddle.meshgrid(v, w)", "paddle.meshgrid([v, w])",
    "paddle.empty([2, 3], 'int64')",
    "paddle.empty_like(x)", "paddle.assign(x)", "paddle.assign([1.0, 2.5])", "paddle.assign([1, 2])",
    "paddle.assign(np.array([[1, 2]], 'int32'))",
    "paddle.assign(3.5)", "paddle.assign(True)", "paddle.assign(np.array([1.5, 2.5]))", "paddle.assign((1, 2))",
    "paddle.clone(x)",
    "paddle.complex(x, y)", "paddle.polar(p, x)", "paddle.to_tensor([1.0, 2.0])", "paddle.to_tensor(3)",
    "paddle.to_tensor(np.array([[1, 2]]))",
    "paddle.to_tensor([1, 2], 'float64')", "paddle.to_tensor(True)", "paddle.to_tensor(2.5)", "paddle.to_tensor(x)",
    "paddle.to_tensor([1 + 2j])",
    "paddle.full([2], 'a')", "paddle.zeros([2, 3.5])", "paddle.eye(-1)", "paddle.diag(t)", "paddle.linspace('a', 1, 2)",
    "paddle.tril('a')", "paddle.assign(object())", "paddle.arange(5, dtype='bool')", "paddle.ones_like(3)",
]  # fmt: skip

# memory that nobody wrote; and an object that Paddle's eager mode turns into an array of objects
DIFFERENT = ("paddle.empty([2, 3], 'int64')", "paddle.empty_like(x)", "paddle.assign(object())")
