"""Rows for paddle_compat/ops/activation.py."""

from op_cases import Case, a, f, table

NAN, INF = float("nan"), float("inf")
SMOOTH = "relu sigmoid tanh logsigmoid softsign tanh_shrink silu gelu softplus mish swish soft_relu selu elu celu"
KINKED = (
    "relu relu6 leaky_relu brelu hard_sigmoid hard_swish hard_shrink softshrink thresholded_relu elu selu soft_relu"
)

CASES = table(
    *[Case(op, {"X": f(3, 4, low=-3, high=3)}) for op in SMOOTH.split()],
    *[Case(op, {"X": a([-40, -3, -2.5, -0.5, 0.0, 0.5, 1, 2.5, 3, 6, 7, 24, 40])}, gtol=2e-5) for op in KINKED.split()],
    Case("relu", {"X": f(3, 4, dtype="float64")}),
    Case("relu6", {"X": f(3, 4, low=-3, high=9)}, {"threshold": 4.0}, age=1),
    Case("brelu", {"X": f(3, 4, low=-3, high=9)}, {"t_min": 1.0, "t_max": 4.0}),
    Case("leaky_relu", {"X": f(3, 4)}, {"alpha": 0.2}),
    Case("elu", {"X": f(3, 4)}, {"alpha": 0.2}),
    Case("celu", {"X": f(3, 4)}, {"alpha": 0.2}),
    Case("selu", {"X": f(3, 4)}, {"alpha": 1.2, "scale": 2.0}),
    Case("gelu", {"X": f(3, 4, low=-3, high=3)}, {"approximate": True}),
    Case("softplus", {"X": f(3, 4, low=-3, high=3)}, {"beta": 2.0, "threshold": 3.0}, age=2),
    Case("softplus", {"X": a([30.0, -30.0])}),
    Case("softshrink", {"X": f(3, 4)}, {"lambda": 0.3}),
    Case("hard_shrink", {"X": f(3, 4)}, {"threshold": 0.3}),
    Case("thresholded_relu", {"X": f(3, 4)}, {"threshold": 0.3}),
    Case("hard_sigmoid", {"X": f(3, 4, low=-5, high=5)}, {"slope": 0.1666667, "offset": 0.5}),
    Case(
        "hard_swish", {"X": f(3, 4, low=-5, high=5)}, {"threshold": 4.0, "scale": 5.0, "offset": 2.0}, age=1, grad=False
    ),
    Case("swish", {"X": f(3, 4)}, {"beta": 2.0}, age=1),
    Case("prelu", {"X": f(2, 3, 4), "Alpha": f(1)}, {"mode": "all"}),
    Case("prelu", {"X": f(2, 3, 4, 2), "Alpha": f(1, 3, 1, 1)}, {"mode": "channel"}, age=1),
    Case("prelu", {"X": f(2, 3, 4, 2), "Alpha": f(3)}, {"mode": "channel"}, age=2),
    Case("prelu", {"X": f(2, 4, 2, 3), "Alpha": f(3)}, {"mode": "channel", "data_format": "NHWC"}, age=2),
    Case("prelu", {"X": f(2, 3, 4), "Alpha": f(1, 3, 4)}, {"mode": "element"}),
    Case("maxout", {"X": f(2, 6, 3, 2)}, {"groups": 2, "axis": 1}),
    Case("maxout", {"X": f(2, 3, 2, 6)}, {"groups": 3, "axis": -1}, age=2),  # 1.8 crashes
    Case("softmax", {"X": f(3, 4)}),
    Case("softmax", {"X": f(2, 3, 4)}, {"axis": 1}),
    Case("softmax", {"X": f(3, 4, dtype="float64")}, {"axis": 0}),
    Case("log_softmax", {"X": f(3, 4)}),
    Case("log_softmax", {"X": f(2, 3, 4)}, {"axis": 1}),
    *[Case(op, {"X": a([NAN, INF, -INF, 0.0, -0.0])}) for op in ("leaky_relu", "hard_swish", "relu6", "brelu", "hard_sigmoid")],
    Case("hard_swish", {"X": f(3, 4, low=-5, high=5)}, {"threshold": 4.0, "scale": 5.0, "offset": 2.0}, age=1),
    Case("prelu", {"X": a([[0.0, NAN, -INF, 2.0]]), "Alpha": a([0.5])}, {"mode": "all"}),
)
