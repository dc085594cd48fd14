"""Rows for paddle_compat/ops/elementwise.py."""

from op_cases import Case, a, b, f, i, table

NAN = float("nan")
INF = float("inf")
ARITHMETIC = ("elementwise_add", "elementwise_sub", "elementwise_mul", "elementwise_max", "elementwise_min")
DIVISION = ("elementwise_div", "elementwise_floordiv", "elementwise_mod")

CASES = table(
    *[Case(op, {"X": f(3, 4), "Y": f(3, 4)}) for op in ARITHMETIC],
    *[Case(op, {"X": f(2, 3, 4), "Y": f(4)}) for op in ARITHMETIC],
    *[Case(op, {"X": f(2, 3, 4), "Y": f(3)}, {"axis": 1}) for op in ARITHMETIC],
    *[Case(op, {"X": f(2, 3, 4), "Y": f(2)}, {"axis": 0}) for op in ARITHMETIC],
    *[Case(op, {"X": f(2, 3, 4), "Y": f(3, 1)}, {"axis": 1}) for op in ARITHMETIC],
    *[Case(op, {"X": f(2, 3, 1), "Y": f(1, 4)}) for op in ARITHMETIC],
    *[Case(op, {"X": f(1, 4), "Y": f(2, 3, 1)}) for op in ARITHMETIC],
    *[Case(op, {"X": f(3, 4), "Y": f(1)}) for op in ARITHMETIC],
    *[Case(op, {"X": i(3, 4), "Y": i(4)}) for op in ARITHMETIC],
    *[Case(op, {"X": i(3, 4, dtype="int32"), "Y": i(3, 4, dtype="int32")}) for op in ARITHMETIC],
    *[Case(op, {"X": f(3, 4, dtype="float64"), "Y": f(4, dtype="float64")}) for op in ARITHMETIC],
    *[Case(op, {"X": f(3), "Y": f(dtype="float32")}, age=2) for op in ARITHMETIC],
    Case("elementwise_add", {"X": f(3, 4), "Y": f(4, dtype="float64")}, grad=False),
    Case("elementwise_add", {"X": i(3, 4), "Y": f(4)}, grad=False),
    Case("elementwise_mul", {"X": f(3, 4), "Y": i(4)}, grad=False),
    Case("elementwise_add", {"X": f(3, 4), "Y": f(4, dtype="complex64")}, grad=False, age=2),
    Case("elementwise_mul", {"X": f(3, 4, dtype="complex64"), "Y": f(4, dtype="complex64")}, grad=False, age=2),
    Case("elementwise_add", {"X": b(3, 4), "Y": b(3, 4)}, grad=False, age=2),
    Case("elementwise_mul", {"X": b(3, 4), "Y": b(3, 4)}, grad=False, age=2),
    *[
        Case(op, {"X": a([1.0, NAN, 2.0, NAN, INF, 3.0]), "Y": a([1.0, 1.0, NAN, NAN, 2.0, 3.0])}, grad=False)
        for op in ("elementwise_max", "elementwise_min", "elementwise_fmax", "elementwise_fmin")
    ],
    Case("elementwise_div", {"X": f(3, 4), "Y": f(4, low=0.5, high=2)}),
    Case("elementwise_div", {"X": f(2, 3, 4), "Y": f(2, 3, low=0.5, high=2)}, {"axis": 0}),
    *[
        Case(op, {"X": a([7, -7, 7, -7, 6, 0], dtype), "Y": a([2, 2, -2, -2, 3, 3], dtype)})
        for op in DIVISION
        for dtype in ("int32", "int64")
    ],
    *[
        Case(op, {"X": a([7.5, -7.5, 7.5, -7.5, 6, 0]), "Y": a([2, 2, -2, -2, 3, 3.5])}, age=0 if op[12] == "d" else 2)
        for op in DIVISION
    ],
    Case("elementwise_mod", {"X": i(2, 3, 4), "Y": i(3, low=1)}, {"axis": 1}),
    Case("elementwise_pow", {"X": f(3, 4, low=0.2, high=2), "Y": f(3, 4, low=-2, high=2)}),
    Case("elementwise_pow", {"X": f(3, 4, low=0.2, high=2), "Y": f(4, low=-2, high=2)}),
    Case("elementwise_pow", {"X": i(3, 4, high=5), "Y": i(3, 4, high=4)}),
    Case("elementwise_fmax", {"X": f(3, 4), "Y": f(4)}),
    Case("elementwise_fmin", {"X": f(3, 4), "Y": f(4)}),
    Case("elementwise_fmax", {"X": a([1.0, 2.0, 3.0]), "Y": a([1.0, 5.0, 3.0])}),
    Case("elementwise_fmin", {"X": a([1.0, 2.0, 3.0]), "Y": a([1.0, 5.0, 3.0])}),
    Case("elementwise_max", {"X": a([1.0, 2.0, 3.0]), "Y": a([1.0, 5.0, 3.0])}),
    Case("elementwise_min", {"X": a([1.0, 2.0, 3.0]), "Y": a([1.0, 5.0, 3.0])}),
    Case("elementwise_heaviside", {"X": a([-1.0, 0.0, 2.0, NAN]), "Y": f(4)}, grad=False),
    Case("grad_add", {"X": f(3, 4), "Y": f(3, 4)}, grad=False),
    Case("minus", {"X": f(3, 4), "Y": f(3, 4)}),
    Case("atan2", {"X1": f(3, 4), "X2": f(3, 4)}),
    Case("copysign", {"x": f(3, 4), "y": f(4)}),
    Case("nextafter", {"x": f(3, 4), "y": f(3, 4)}, grad=False),
    *[
        Case("bitwise_" + op, {"X": i(3, 4, high=100), "Y": i(3, 4, high=100)}, grad=False)
        for op in ("and", "or", "xor")
    ],
    *[Case("bitwise_" + op, {"X": b(3, 4), "Y": b(4)}, grad=False) for op in ("and", "or", "xor")],
    Case("bitwise_not", {"X": i(3, 4)}, grad=False),
    Case("bitwise_not", {"X": b(3, 4)}, grad=False),
    Case("lerp", {"X": f(3, 4), "Y": f(3, 4), "Weight": f(3, 4, low=0)}),
    Case("lerp", {"X": f(3, 4), "Y": f(4), "Weight": f(1, low=0)}),
    *[
        Case(op, {"X": a([1.0, NAN, 2.0, NAN, INF, 3.0, -0.0]), "Y": a([1.0, 1.0, NAN, NAN, 2.0, 4.0, 0.0])})
        for op in ("elementwise_max", "elementwise_min")
    ],
)
