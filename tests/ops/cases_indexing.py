"""Rows for paddle_compat/ops/indexing.py."""

from op_cases import Case, a, b, f, i, table


def rows(*numbers, **options):
    """Positions as an int64 vector."""
    return a(list(numbers), options.get("dtype", "int64"))


def cut(axes, starts, ends, drop=(), **more):
    """The attributes of a slice."""
    return dict(axes=axes, starts=starts, ends=ends, infer_flags=[1] * len(axes), decrease_axis=list(drop), **more)


def put(axes, starts, ends, steps, drop=(), **more):
    """The attributes of set_value."""
    return dict(
        axes=axes, starts=starts, ends=ends, steps=steps, decrease_axes=list(drop), none_axes=[], dtype=5, **more
    )


CASES = table(
    Case("slice", {"Input": f(4, 5, 3)}, cut([0], [1], [3])),
    Case("slice", {"Input": f(4, 5, 3)}, cut([0, 2], [-3, 0], [-1, 2])),
    Case("slice", {"Input": f(4, 5, 3)}, cut([1], [1], [1000])),
    Case("slice", {"Input": f(4, 5, 3)}, cut([0], [1], [2], [0])),
    Case("slice", {"Input": f(4, 5, 3)}, cut([0, 1], [1, 2], [2, 3], [0, 1])),
    Case("slice", {"Input": f(4, 5)}, cut([0, 1], [1, 2], [2, 3], [0, 1])),
    Case("slice", {"Input": f(4)}, cut([0], [1], [2], [0])),
    Case("slice", {"Input": i(4, 5)}, cut([1], [1], [2])),
    Case(
        "slice",
        {"Input": f(4, 5), "StartsTensorList": [rows(1, dtype="int32")], "EndsTensorList": [rows(3, dtype="int32")]},
        {"axes": [0], "starts": [-1], "ends": [-1], "infer_flags": [-1], "decrease_axis": []},
    ),
    Case(
        "slice",
        {"Input": f(4, 5), "StartsTensor": rows(1, 0, dtype="int32"), "EndsTensor": rows(3, 2, dtype="int32")},
        {"axes": [0, 1], "starts": [], "ends": [], "infer_flags": [-1, -1], "decrease_axis": []},
    ),
    Case("strided_slice", {"Input": f(6, 5)}, cut([0], [0], [6], strides=[2])),
    Case("strided_slice", {"Input": f(6, 5)}, cut([0, 1], [5, 1], [0, 4], strides=[-2, 2])),
    Case("strided_slice", {"Input": f(6, 5)}, cut([0], [-1], [-5], strides=[-1])),
    Case("strided_slice", {"Input": f(6, 5)}, cut([0], [4], [-1], strides=[-2])),
    Case("strided_slice", {"Input": f(6, 5)}, cut([1], [1], [2], [1], strides=[1])),
    Case("set_value", {"Input": f(4, 5)}, put([0], [1], [3], [1], shape=[1], values=[2.5])),
    Case("set_value", {"Input": f(4, 5), "ValueTensor": f(5)}, put([0], [1], [2], [1], [0])),
    Case("set_value", {"Input": f(4, 5), "ValueTensor": f(2, 5)}, put([0], [3], [0], [-2])),
    Case("set_value", {"Input": f(4, 5), "ValueTensor": f(1)}, put([0, 1], [1, 2], [2, 3], [1, 1], [0, 1])),
    Case("gather", {"X": f(4, 3), "Index": rows(0, 2, 2)}, age=2),
    Case("gather", {"X": f(4, 3), "Index": rows(0, 2, 2)}, {"overwrite": True}, age=1),
    Case("gather", {"X": f(4, 3), "Index": rows(0, 2, 2)}, {"overwrite": False}, age=1),
    Case("gather", {"X": f(4, 3), "Index": a([[1], [3]], "int32")}),
    # along other dimensions the wheel's gradient repeats the first row (CPU only)
    Case("gather", {"X": f(4, 3), "Index": rows(0, 2)}, {"axis": 1}, age=2, grad=False),
    Case("gather", {"X": f(4, 3), "Index": rows(0, 2), "Axis": rows(1, dtype="int32")}, age=2, grad=False),
    Case("gather", {"X": f(4, 3), "Index": a(2, "int64")}, {"axis": 0}, age=2),
    Case("gather", {"X": i(6), "Index": rows(5, 0)}),
    Case("gather_nd", {"X": f(3, 4, 2), "Index": a([[0, 1], [2, 3], [0, 1]], "int64")}),
    Case("gather_nd", {"X": f(3, 4, 2), "Index": a([[[1]], [[2]]], "int32")}),
    Case("gather_nd", {"X": f(3, 4), "Index": a([[1, 2]], "int64")}),
    Case("scatter", {"X": f(4, 3), "Ids": rows(2, 0), "Updates": f(2, 3)}),
    Case("scatter", {"X": f(4, 3), "Ids": rows(2, 0, 2), "Updates": f(3, 3)}),
    Case("scatter", {"X": f(4, 3), "Ids": rows(2, 0, 2), "Updates": f(3, 3)}, {"overwrite": False}),
    Case("scatter", {"X": f(4, 3), "Ids": a([[1], [3]], "int32"), "Updates": f(2, 3)}, age=1),
    Case("scatter", {"X": f(4), "Ids": rows(2, 0), "Updates": f(2)}),
    Case("scatter_nd_add", {"X": f(4, 3), "Index": a([[1], [3], [1]], "int64"), "Updates": f(3, 3)}),
    Case("scatter_nd_add", {"X": f(4, 3), "Index": a([[[1, 1], [3, 0]]], "int64"), "Updates": f(1, 2)}),
    Case("index_select", {"X": f(4, 3), "Index": rows(1, 1, 3)}),
    Case("index_select", {"X": f(4, 3), "Index": rows(2, 0, dtype="int32")}, {"dim": 1}),
    Case("index_sample", {"X": f(3, 5), "Index": i(3, 2, high=5)}),
    Case("index_sample", {"X": i(3, 5), "Index": i(3, 4, high=5, dtype="int32")}),
    Case("index_add", {"X": f(4, 3), "Index": rows(1, 1, 3), "AddValue": f(3, 3)}),
    Case("index_add", {"X": f(4, 3), "Index": rows(2, 0, dtype="int32"), "AddValue": f(4, 2)}, {"axis": 1}),
    Case("index_put", {"x": f(4, 3), "indices": [rows(1, 3), rows(0, 2)], "value": f(2)}),
    Case("index_put", {"x": f(4, 3), "indices": [rows(1, 1), rows(0, 0)], "value": f(1)}, {"accumulate": True}),
    Case("index_put", {"x": f(4, 3), "indices": [rows(1, 3)], "value": f(3)}),
    Case("take_along_axis", {"Input": f(3, 4), "Index": i(3, 2, high=4)}, {"Axis": 1}),
    Case("take_along_axis", {"Input": f(3, 4), "Index": i(1, 4, high=3)}, {"Axis": 0}),
    *[
        Case(
            "put_along_axis",
            {"Input": f(3, 4), "Index": a([[0, 1, 2, 0], [1, 0, 0, 2]], "int64"), "Value": f(2, 4)},
            {"Axis": 0, "Reduce": reduce, "Include_self": True},
            grad=reduce != "mul",
        )
        for reduce in ("assign", "add", "mul")
    ],
    Case("multiplex", {"Ids": a([[1], [0], [1]], "int32"), "X": [f(3, 4), f(3, 4)]}),
    Case("where", {"Condition": b(3, 4), "X": f(3, 4), "Y": f(3, 4)}),
    Case("where_index", {"Condition": b(3, 4)}),
    Case("where_index", {"Condition": i(5, high=3)}),
    Case("masked_select", {"X": f(3, 4), "Mask": b(3, 4)}),
    Case("fill_any", {"X": f(3, 4)}, {"value": 1.5}),
    Case("fill_diagonal", {"X": f(3, 4)}, {"value": 1.5}),
    Case("fill_diagonal", {"X": f(5, 3)}, {"value": 1.5}),
    Case("fill_diagonal", {"X": f(7, 3)}, {"value": 1.5, "wrap": True}),
    Case("fill_diagonal", {"X": f(4, 4)}, {"value": 1.5, "offset": 1}),
    Case("fill_diagonal", {"X": f(4, 4)}, {"value": 1.5, "offset": -2}),
    Case("fill_diagonal", {"X": f(3, 3, 3)}, {"value": 1.5}),
    Case("fill_diagonal_tensor", {"X": f(3, 4), "Y": f(3)}),
    Case("fill_diagonal_tensor", {"X": f(3, 4, 2), "Y": f(4, 2)}, {"dim1": 0, "dim2": 2}),
)
