"""Rows for paddle_compat/ops/logic.py."""

from op_cases import Case, a, b, f, i, table

NAN = float("nan")
INF = float("inf")
COMPARE = ("equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal")
CONNECT = ("logical_and", "logical_or", "logical_xor")

CASES = table(
    *[Case(op, {"X": i(3, 4, high=3), "Y": i(3, 4, high=3)}) for op in COMPARE],
    *[Case(op, {"X": a([1.0, NAN, 2.0]), "Y": a([1.0, NAN, 1.0])}) for op in COMPARE],
    *[Case(op, {"X": a([INF, INF, -INF]), "Y": a([INF, 1.0, INF])}, age=2) for op in COMPARE],
    *[Case(op, {"X": i(2, 3, 4, high=3), "Y": i(3, high=3)}, {"axis": 1}, age=1) for op in COMPARE],
    *[Case(op, {"X": i(3, 1, high=3, dtype="int32"), "Y": i(4, high=3, dtype="int32")}, age=2) for op in COMPARE],
    *[Case(op, {"X": i(3, 4, high=3), "Y": i(4, high=3)}) for op in COMPARE],
    *[Case(op, {"X": b(3, 4), "Y": b(3, 4)}, age=2) for op in ("equal", "not_equal")],
    *[Case(op, {"X": a([1.0, 1e-9, 3e-8]), "Y": a([1.0, 0.0, 0.0])}) for op in ("equal", "not_equal")],
    *[Case(op, {"X": b(3, 4), "Y": b(3, 4)}) for op in CONNECT],
    *[Case(op, {"X": b(3, 4), "Y": b(4)}, age=2) for op in CONNECT],
    *[Case(op, {"X": f(3, 4), "Y": f(4)}, age=2) for op in CONNECT],
    Case("logical_not", {"X": b(3, 4)}),
    Case("logical_not", {"X": i(3, 4, high=2)}, age=2),
    *[Case(op + "_v2", {"X": a([1.0, NAN, INF, -INF])}) for op in ("isfinite", "isinf", "isnan")],
    *[Case("isfinite_v2", {"X": i(3)})],
    *[Case(op, {"X": a([1.0, NAN, INF])}) for op in ("isfinite", "isinf", "isnan")],
    *[Case(op, {"X": a([1.0, 2.0])}) for op in ("isfinite", "isinf", "isnan")],
    Case("is_empty", {"X": f(3, 4)}),
    Case("equal_all", {"X": a([1, 2]), "Y": a([1, 2])}),
    Case("equal_all", {"X": a([1, 2]), "Y": a([1, 3])}),
    Case("equal_reduce", {"X": a([1, 2]), "Y": a([1, 2])}),
    Case("isclose", {"Input": a([1.0, 1.0, NAN, INF]), "Other": a([1.00001, 1.1, NAN, INF])}),
    Case("isclose", {"Input": a([1.0, 1.0, NAN, INF]), "Other": a([1.00001, 1.1, NAN, INF])}, {"equal_nan": True}),
    Case("isclose", {"Input": a([1.0, 2.0]), "Other": a([1.01, 2.1])}, {"rtol": "0.01", "atol": "0.01"}),
    Case("allclose", {"Input": a([1.0, 2.0]), "Other": a([1.000001, 2.0])}),
    Case("allclose", {"Input": a([1.0, 2.0]), "Other": a([1.01, 2.1])}, {"rtol": "0.01", "atol": "0.01"}, age=2),
    Case("allclose", {"Input": a([1.0, 2.0]), "Other": a([1.01, 2.1])}, {"rtol": 0.1, "atol": 0.1}, age=1),
)
