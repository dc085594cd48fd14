"""Rows for paddle_compat/ops/reduction.py."""

from op_cases import Case, a, b, f, i, table

NAN = float("nan")
INF = float("inf")
REDUCE = (
    "reduce_sum",
    "reduce_mean",
    "reduce_max",
    "reduce_min",
    "reduce_prod",
    "frobenius_norm",
    "reduce_amax",
    "reduce_amin",
)
LOGICAL = ("reduce_all", "reduce_any")

CASES = table(
    Case("mean", {"X": f(3, 4)}),
    Case("mean", {"X": f(5)}),
    Case("mean", {"X": i(3, 4)}, age=2),
    *[Case(op, {"X": f(2, 3, 4)}, {"dim": [0]}) for op in REDUCE],
    *[Case(op, {"X": f(2, 3, 4)}, {"dim": [-1], "keep_dim": True}) for op in REDUCE],
    *[Case(op, {"X": f(2, 3, 4)}, {"dim": [0, 2]}) for op in REDUCE],
    *[Case(op, {"X": f(2, 3, 4)}, {"dim": [0], "reduce_all": True}) for op in REDUCE[:6]],
    *[Case(op, {"X": f(2, 3)}, {"dim": [0], "reduce_all": True, "keep_dim": True}, grad=False) for op in REDUCE[:6]],
    *[Case(op, {"X": f(5)}, {"dim": [0]}) for op in REDUCE],
    *[Case(op, {"X": f(2, 3)}, {"dim": [0, 1]}, age=2) for op in REDUCE],
    *[Case(op, {"X": f(2, 3)}, {"dim": [0, 1], "keep_dim": True}, age=2) for op in REDUCE],
    *[Case(op, {"X": f(2, 3)}, {"dim": []}, age=2) for op in REDUCE],
    *[Case(op, {"X": f(2, 3, 4, dtype="float64")}, {"dim": [1]}) for op in REDUCE],
    *[Case(op, {"X": i(2, 3, 4)}, {"dim": [1]}) for op in REDUCE if op != "frobenius_norm"],
    *[
        Case("reduce_" + op, {"X": a([[1.0, 2.0, 2.0], [3.0, 3.0, 3.0]])}, {"dim": [1]})
        for op in ("max", "min", "amax", "amin")
    ],
    Case("reduce_sum", {"X": i(2, 3, dtype="int32")}, {"dim": [0]}),
    Case("reduce_sum", {"X": b(2, 3)}, {"dim": [0]}, age=2),
    Case("reduce_sum", {"X": i(2, 3, dtype="int32")}, {"dim": [0], "in_dtype": 2, "out_dtype": 3}, age=2),
    Case("reduce_sum", {"X": f(2, 3)}, {"dim": [0], "in_dtype": 5, "out_dtype": 6}, age=2),
    *[Case(op, {"X": b(3, 4)}, {"dim": [1]}) for op in LOGICAL],
    *[Case(op, {"X": b(3, 4)}, {"dim": [0], "keep_dim": True}) for op in LOGICAL],
    *[Case(op, {"X": b(3, 4)}, {"dim": [0], "reduce_all": True}) for op in LOGICAL],
    Case("logsumexp", {"X": f(2, 3, 4)}, {"axis": [1]}),
    Case("logsumexp", {"X": f(2, 3, 4)}, {"axis": [0, -1], "keepdim": True}),
    Case("logsumexp", {"X": f(2, 3, 4)}, {"axis": [0], "reduce_all": True}),
    *[Case("p_norm", {"X": f(2, 3, 4)}, {"porder": p, "axis": 1}) for p in (2.0, 1.0, 3.0, 0.0, INF, -INF)],
    Case("p_norm", {"X": f(2, 3, 4)}, {"porder": 2.0, "axis": -1, "keepdim": True}),
    Case("p_norm", {"X": f(2, 3, 4)}, {"porder": 2.0, "axis": -1, "asvector": True}, age=2),
    Case("p_norm", {"X": f(4)}, {"porder": 2.0, "axis": -1}),
    Case("p_norm", {"X": a([1.0, -2.0, 2.0, 0.0])}, {"porder": INF, "axis": 0}),
    Case("norm", {"X": f(2, 3, 4)}, {"axis": 1, "epsilon": 1e-10}),
    Case("norm", {"X": f(2, 3)}, {"axis": -1, "epsilon": 0.1}),
    Case("l1_norm", {"X": f(2, 3)}),
    Case("squared_l2_norm", {"X": f(2, 3)}),
    Case("squared_l2_distance", {"X": f(2, 3), "Y": f(2, 3)}),
    Case("squared_l2_distance", {"X": f(2, 3), "Y": f(1, 3)}),
    Case("nanmedian", {"X": f(3, 5)}, {"axis": [], "keepdim": False}),
    Case("nanmedian", {"X": f(3, 4)}, {"axis": [1], "keepdim": True}),
    Case("nanmedian", {"X": a([[1.0, NAN, 3.0], [NAN, NAN, 2.0], [NAN, NAN, NAN]])}, {"axis": [1]}, grad=False),
    Case("kthvalue", {"X": f(3, 4)}, {"k": 2, "axis": 1}),
    Case("kthvalue", {"X": f(3, 4)}, {"k": 1, "axis": 0, "keepdim": True}),
    Case("mode", {"X": a([[2.0, 1.0, 2.0, 1.0], [3.0, 2.0, 3.0, 3.0]])}, {"axis": 1}),
    Case("mode", {"X": a([[2.0, 1.0, 2.0], [2.0, 2.0, 3.0]])}, {"axis": 0, "keepdim": True}),
)
