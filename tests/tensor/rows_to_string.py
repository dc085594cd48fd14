"""Tensors to print, and options to print them with."""

DATA = [
    "[1.0, 2.5]", "[[0.1, -22.5], [3e-5, 4]]", "[1, 2, 30]", "[True, False]", "[1e10, 1.0]",
    "[float('nan'), 1.0, float('inf')]",
    "3.5", "7", "np.zeros((0, 3), 'float32')", "np.arange(2000, dtype='float32')", "np.arange(24).reshape(2, 3, 4)",
    "[1 + 2j, 0.5 - 1j]",
    "np.zeros((40, 40), 'float32')", "[1e-12]", "[123456789.0]", "[1e5, 1e-5]", "[[1.0], [2.0]]", "np.arange(40)",
    "np.linspace(-1, 1, 12, dtype='float32').reshape(3, 4)",
    "np.zeros((2, 0))", "[1, -2, 1000]", "np.arange(2000) - 5", "[-0.0, 0.0]", "[-0.0, -1.0, 10.0]", "[float('nan'), -1.0, 100.0]",
    "[float('-inf'), 1.0]", "[-1 + 2j, 3 - 4j]", "[1j, -1j]", "[[1 + 1j, -2], [3, 4]]", "np.array([1e10 + 0j, 1e-5], 'complex64')",
    "np.array([[-1e-8, 1e8]], 'complex128')", "np.arange(12, dtype='uint8').reshape(3, 4)", "np.arange(-6, 6, dtype='int8')",
    "np.array([0.1, 1000.5], 'float16')", "np.array([1e15, 1e16])", "np.ones((1, 1, 1, 1))", "np.array(1.5, 'float16')",
    "np.array([True] * 1200)", "np.arange(1200).reshape(30, 40) / 7", "np.arange(60, dtype='float32').reshape(3, 4, 5)",
    "np.random.RandomState(0).randn(3, 30) * 1000",
]
# Tensors that are not made from an array
MADE = [
    "paddle.to_tensor([1.5, 2.0], 'bfloat16')", "paddle.to_tensor(1.0, stop_gradient=False)", "paddle.ones([2, 3]).t()",
    "repr(paddle.to_tensor([1.0]))", "[paddle.to_tensor([1, 2])]", "'%s' % paddle.to_tensor(3)", "paddle.to_tensor([1, 2, 3])[0:0]",
    "paddle.create_parameter([2, 2], 'float32', default_initializer=paddle.nn.initializer.Constant(1.5))",
    "repr(paddle.create_parameter([], 'float64', default_initializer=paddle.nn.initializer.Constant(1.5)))",
]  # fmt: skip
OPTIONS = [
    {}, {"precision": 3, "threshold": 5, "edgeitems": 1, "linewidth": 40}, {"precision": 2, "sci_mode": True},
    {"precision": 0}, {"threshold": 0}, {"linewidth": 5}, {"threshold": 5, "edgeitems": 0},
    {"precision": 20, "threshold": 5, "edgeitems": 2},
]  # fmt: skip
