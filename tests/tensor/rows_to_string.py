"""Tensors to print, and options to print them with."""

DATA = [
    "[1.0, 2.5]", "[[0.1, -22.5], [3e-5, 4]]", "[1, 2, 30]", "[True, False]", "[1e10, 1.0]",
    "[float('nan'), 1.0, float('inf')]",
    "3.5", "7", "np.zeros((0, 3), 'float32')", "np.arange(2000, dtype='float32')", "np.arange(24).reshape(2, 3, 4)",
    "[1 + 2j, 0.5 - 1j]",
    "np.zeros((40, 40), 'float32')", "[1e-12]", "[123456789.0]", "[1e5, 1e-5]", "[[1.0], [2.0]]", "np.arange(40)",
    "np.linspace(-1, 1, 12, dtype='float32').reshape(3, 4)",
]  # fmt: skip
OPTIONS = [{}, {"precision": 3, "threshold": 5, "edgeitems": 1, "linewidth": 40}, {"precision": 2, "sci_mode": True}]
