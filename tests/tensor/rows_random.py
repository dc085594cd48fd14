"""Rows for paddle_compat/tensor/random.py; each starts from the same seed."""

ROWS = [
    "paddle.rand([2, 3])", "paddle.rand([2, n1])", "paddle.rand(k)", "paddle.rand([2], 'float64')",
    "paddle.rand([2], name='u')", "paddle.randn([2, 3])", "paddle.randn([2], 'float64')",
    "paddle.standard_normal([2, 3])",
    "paddle.normal(shape=[2, 3])", "paddle.normal(1.0, 2.0, [2, 3])", "paddle.normal(x, 1.0)", "paddle.normal(x, p)",
    "paddle.normal(0.0, p)",
    "paddle.uniform([2, 3])", "paddle.uniform([2, 3], 'float64', 0.0, 2.0)",
    "paddle.uniform([2, 3], min=-2.0, max=2.0, seed=5)", "paddle.uniform([2, n1])",
    "paddle.randint(5)", "paddle.randint(0, 5, [2, 3])", "paddle.randint(-5, 5, [2], 'int32')",
    "paddle.randint(0, 5, [2, n1])", "paddle.randint_like(x, 0, 9)", "paddle.randint_like(i, 9)",
    "paddle.randint_like(x, 0, 9, 'int64')",
    "paddle.randperm(6)", "paddle.randperm(6, 'int32')", "paddle.randperm(4, 'float32')", "paddle.bernoulli(p / 2)",
    "paddle.multinomial(p, 2)", "paddle.multinomial(p, 5, True)", "paddle.poisson(p)",
    "paddle.rand([2.5])", "paddle.randint(5, 0)", "paddle.randperm(0)", "paddle.bernoulli(i)", "paddle.rand('a')",
]  # fmt: skip
