"""Rows for paddle_compat/ops/creation.py."""

from op_cases import Case, a, f, i, table


def one(number, dtype="float32"):
    """A scalar input, as range and linspace take it."""
    return a([number], dtype)


def values(dtype, shape, **lists):
    """The attributes of assign_value."""
    found = {name + "_values": [] for name in ("bool", "fp32", "int32", "int64")}
    found.update(dtype=dtype, shape=shape)
    found.update(lists)
    return found


CASES = table(
    Case("fill_constant", {}, {"shape": [2, 3], "dtype": 5, "value": 1.5}),
    Case("fill_constant", {}, {"shape": [1], "dtype": 3, "value": 0.0, "str_value": "1234567890123"}),
    Case("fill_constant", {}, {"shape": [2], "dtype": 2, "value": 2.7}),
    Case("fill_constant", {}, {"shape": [2], "dtype": 0, "value": 1.0}),
    Case("fill_constant", {}, {"shape": [2], "dtype": 6, "value": 0.1, "str_value": "0.1"}),
    Case("fill_constant", {}, {"shape": [], "dtype": 5, "value": 1.5}, age=2),
    Case("fill_constant", {"ShapeTensor": a([2, 3], "int32")}, {"shape": [], "dtype": 5, "value": 1.5}),
    Case(
        "fill_constant",
        {"ShapeTensorList": [a([2], "int32"), a([3], "int32")]},
        {"shape": [-1, -1], "dtype": 5, "value": 1.5},
    ),
    Case("fill_constant", {"ValueTensor": one(2.5)}, {"shape": [2, 3], "dtype": 5, "value": 1.5}),
    Case(
        "fill_constant_batch_size_like",
        {"Input": a([[1.0, 2.0]])},
        {"shape": [-1, 3], "dtype": 5, "value": 1.5, "input_dim_idx": 0, "output_dim_idx": 0},
    ),
    Case(
        "fill_constant_batch_size_like",
        {"Input": f(4, 5)},
        {"shape": [2, -1], "dtype": 3, "value": 3.0, "input_dim_idx": 1, "output_dim_idx": 1},
    ),
    Case("fill_any_like", {"X": f(2, 3)}, {"value": 1.5}),
    Case("fill_any_like", {"X": f(2, 3)}, {"value": 2.0, "dtype": 3}),
    Case("fill_any_like", {"X": i(2, 3)}, {"value": 2.7}),
    Case("fill_zeros_like", {"X": f(2, 3)}),
    Case("fill_zeros_like2", {"X": f(2, 3)}, {"dtype": 5}),
    Case("fill", {}, {"shape": [2, 2], "value": [1.0, 2.0, 3.0, 4.0], "dtype": 5, "force_cpu": False}, age=1),
    Case("assign_value", {}, values(5, [2, 2], fp32_values=[1.5, 2.5, 3.5, 4.5])),
    Case("assign_value", {}, values(2, [2], int32_values=[1, 2])),
    Case("assign_value", {}, values(3, [2], int64_values=[1, 2])),
    Case("assign_value", {}, values(0, [2], bool_values=[1, 0])),
    Case("assign_value", {}, values(6, [2], fp64_values=[0.1, 0.2]), age=2),
    *[
        Case("range", {"Start": one(s, dtype), "End": one(e, dtype), "Step": one(k, dtype)})
        for s, e, k, dtype in (
            (0, 5, 1, "int64"),
            (5, 0, -2, "int32"),
            (0.0, 1.0, 0.1, "float32"),
            (1.0, 2.0, 0.3, "float64"),
            (3, 4, 5, "int64"),
        )
    ],
    *[
        Case(
            "linspace",
            {"Start": one(s), "Stop": one(e), "Num": one(n, "int32")},
            {"dtype": 5} if age == 2 else {},
            age=age,
        )
        for s, e, n in ((0.0, 1.0, 5), (1.0, -2.0, 7), (0.0, 1.0, 1), (0.1, 0.9, 10))
        for age in (1, 2)
    ],
    Case("linspace", {"Start": one(0, "int32"), "Stop": one(10, "int32"), "Num": one(4, "int32")}, {"dtype": 2}, age=2),
    Case("logspace", {"Start": one(0.0), "Stop": one(2.0), "Num": one(5, "int32"), "Base": one(10.0)}, {"dtype": 5}),
    Case("eye", {}, {"num_rows": 3, "num_columns": -1, "dtype": 5}),
    Case("eye", {}, {"num_rows": 3, "num_columns": 2, "dtype": 3}),
    Case("tril_indices", {}, {"rows": 3, "cols": 4, "offset": 1, "dtype": 3}),
    Case("triu_indices", {}, {"row": 3, "col": 4, "offset": -1, "dtype": 2}),
    Case("one_hot", {"X": i(4, 1, high=5)}, {"depth": 5}),
    Case("one_hot", {"X": a([[1], [7]], "int64")}, {"depth": 5, "allow_out_of_range": True}),
    Case("one_hot_v2", {"X": i(4, high=5)}, {"depth": 5}),
    Case("one_hot_v2", {"X": i(2, 3, high=5), "depth_tensor": one(6, "int32")}, {"dtype": 3}),
    Case("shape", {"Input": f(2, 3, 4)}),
    Case("size", {"Input": f(2, 3, 4)}),
)
