"""Rows for paddle_compat/ops/manipulation.py and arrangement.py."""

from op_cases import Case, a, b, f, i, table


def ints(*numbers):
    """A 1-D int32 tensor, as shapes and axes come."""
    return a(list(numbers), "int32")


CASES = table(
    *[
        Case(op, {"X": f(2, 3, 4)}, {"shape": shape})
        for op in ("reshape", "reshape2")
        for shape in ([6, 4], [-1, 4], [0, -1], [0, 0, 2, 2], [4, -1, 2], [24])
    ],
    Case("reshape2", {"X": f(2, 3, 4), "Shape": ints(4, 6)}, {"shape": [-1, -1]}),
    Case("reshape2", {"X": f(2, 3, 4), "ShapeTensor": [ints(4), ints(-1)]}, {"shape": [4, -1]}),
    *[
        Case(op, {"X": f(1, 3, 1, 4)}, {"axes": axes})
        for op in ("squeeze", "squeeze2")
        for axes in ([], [0], [0, 2], [-2])
    ],
    Case("squeeze2", {"X": f(2, 1, 3)}, {"axes": [0, 1]}, age=2),
    *[
        Case(op, {"X": f(2, 3)}, {"axes": axes})
        for op in ("unsqueeze", "unsqueeze2")
        for axes in ([0], [1, 2], [-1], [0, 3])
    ],
    Case("unsqueeze2", {"X": f(2, 3), "AxesTensorList": [ints(1)]}, {"axes": []}),
    *[Case(op, {"X": f(2, 3, 4)}, {"axis": axis}) for op in ("flatten", "flatten2") for axis in (0, 1, 2, 3)],
    *[
        Case("flatten_contiguous_range", {"X": f(2, 3, 4, 2)}, {"start_axis": start, "stop_axis": stop})
        for start, stop in ((0, 1), (1, 2), (1, -1), (0, -1), (2, 2))
    ],
    *[
        Case(op, {"X": f(2, 3, 4)}, {"axis": axis})
        for op in ("transpose", "transpose2")
        for axis in ([0, 2, 1], [2, 1, 0], [1, 2, 0])
    ],
    Case("view_shape", {"input": f(2, 6)}, {"dims": [3, 4]}),
    Case("view_dtype", {"input": f(2, 6)}, {"dtype": 2}, grad=False),
    Case("as_strided", {"input": f(2, 6)}, {"dims": [2, 3], "stride": [6, 2], "offset": 4}),
    Case("tensor_unfold", {"input": f(2, 6)}, {"axis": 1, "size": 3, "step": 2}),
    *[Case("concat", {"X": [f(2, 3), f(2, 3)]}, {"axis": axis}) for axis in (0, 1, -1)],
    Case("concat", {"X": [f(2, 3), f(2, 1), f(2, 2)]}, {"axis": 1}),
    Case("concat", {"X": [f(2, 3), f(2, 1)], "AxisTensor": ints(1)}, {"axis": 0}),
    Case("concat", {"X": [i(2, 3), i(1, 3)]}, {"axis": 0}),
    Case("split", {"X": f(2, 6)}, {"axis": 1, "num": 3}, outs={"Out": 3}),
    Case("split", {"X": f(2, 6)}, {"axis": 1, "sections": [1, 2, 3]}, outs={"Out": 3}),
    Case("split", {"X": f(2, 6)}, {"axis": 1, "sections": [1, -1]}, outs={"Out": 2}),
    Case("split", {"X": f(4, 2)}, {"axis": 0, "num": 2}, outs={"Out": 2}),
    Case("split", {"X": f(4, 2)}, {"axis": 0, "sections": [1, 3]}, outs={"Out": 2}),
    Case("split", {"X": f(2, 6), "AxisTensor": ints(1)}, {"axis": 1, "num": 2}, outs={"Out": 2}),
    Case(
        "split",
        {"X": f(2, 6), "SectionsTensorList": [ints(2), ints(4)]},
        {"axis": 1, "sections": [2, 4]},
        outs={"Out": 2},
    ),
    *[Case("stack", {"X": [f(2, 3), f(2, 3)]}, {"axis": axis}) for axis in (0, 1, 2, -1)],
    *[
        Case("unstack", {"X": f(2, 3)}, {"axis": axis, "num": num}, outs={"Y": num})
        for axis, num in ((0, 2), (1, 3), (-1, 3))
    ],
    *[Case("unbind", {"X": f(2, 3)}, {"axis": axis}, outs={"Out": num}) for axis, num in ((0, 2), (1, 3))],
    Case("meshgrid", {"X": [f(2), f(3)]}, outs={"Out": 2}),
    Case("meshgrid", {"X": [f(2), f(3), f(4)]}, outs={"Out": 3}),
    Case("broadcast_tensors", {"X": [f(2, 1), f(3)]}, outs={"Out": 2}),
    Case("partial_concat", {"X": [f(2, 4), f(2, 4)]}, {"start_index": 1, "length": 2}),
    Case("partial_concat", {"X": [f(2, 4), f(2, 4)]}, {"start_index": -2, "length": -1}),
    Case("partial_sum", {"X": [f(2, 4), f(2, 4)]}, {"start_index": 1, "length": 2}),
    Case("expand", {"X": f(2, 3)}, {"expand_times": [2, 1]}),
    Case("expand", {"X": f(2, 3)}, {"expand_times": [1, 3]}),
    Case("expand", {"X": f(2, 3), "ExpandTimes": ints(2, 2)}, {"expand_times": []}, age=1),
    Case("expand", {"X": f(2, 3), "expand_times_tensor": [ints(2), ints(1)]}, {"expand_times": [-1, 1]}, age=1),
    *[Case("tile", {"X": f(2, 3)}, {"repeat_times": times}) for times in ([2], [2, 1], [1, 2], [2, 1, 2])],
    Case("tile", {"X": f(2, 3), "RepeatTimes": ints(2, 2)}),
    Case("tile", {"X": f(2, 3), "repeat_times_tensor": [ints(2), ints(1)]}, {"repeat_times": [-1, 1]}),
    *[Case("expand_v2", {"X": f(2, 1)}, {"shape": shape}) for shape in ([2, 3], [-1, 3], [4, 2, 3], [4, -1, 3])],
    Case("expand_v2", {"X": f(2, 1), "Shape": ints(2, 3)}),
    Case("expand_v2", {"X": f(2, 1), "expand_shapes_tensor": [ints(2), ints(3)]}, {"shape": [-1, -1]}),
    Case("expand_as_v2", {"X": f(2, 1), "Y": f(2, 3)}, {"target_shape": [2, 3]}),
    Case("expand_as_v2", {"X": f(3)}, {"target_shape": [2, 3]}, age=2),
    Case("expand_as", {"X": f(2, 1), "target_tensor": f(2, 3)}),
    Case("expand_as", {"X": f(2, 3), "target_tensor": f(4, 6)}),
    *[Case("repeat_interleave", {"X": f(2, 3)}, {"Repeats": 2, "dim": dim}) for dim in (0, 1)],
    Case("repeat_interleave", {"X": f(2, 3), "RepeatsTensor": a([1, 0, 2], "int64")}, {"dim": 1}),
    Case("flip", {"X": f(2, 3)}, {"axis": [0]}, age=2),
    Case("flip", {"X": f(2, 3)}, {"axis": [0, -1]}, age=2),
    Case("flip", {"X": f(2, 3)}, {"dims": [0, -1]}, age=1),
    Case("reverse", {"X": f(2, 3)}, {"axis": [1]}),
    Case("roll", {"X": f(2, 3)}, {"shifts": [1], "axis": [1]}, age=2),
    Case("roll", {"X": f(2, 3)}, {"shifts": [1, -1], "axis": [0, 1]}, age=2),
    Case("roll", {"X": f(2, 3)}, {"shifts": [2], "axis": []}, age=2),
    Case("roll", {"X": f(2, 3), "ShiftsTensor": a([2], "int64")}, {"axis": [1]}, age=2),
    Case("roll", {"X": f(2, 3)}, {"shifts": [1], "dims": [1]}, age=1),
    Case("roll", {"X": f(2, 3)}, {"shifts": [1, 2], "dims": [0, 1]}, age=1),
    *[
        Case("tril_triu", {"X": f(3, 4)}, {"diagonal": diagonal, "lower": lower})
        for diagonal in (0, 1, -1)
        for lower in (True, False)
    ],
    Case("diagonal", {"Input": f(3, 4)}),
    Case("diagonal", {"Input": f(3, 4, 2)}, {"offset": 1, "axis1": 0, "axis2": 2}),
    Case("diag", {"Diagonal": f(3)}, grad=False),
    Case("diag_v2", {"X": f(3)}),
    Case("diag_v2", {"X": f(3)}, {"offset": 1, "padding_value": 6.0}),
    Case("diag_v2", {"X": f(3, 4)}, {"offset": -1}),
    Case("diag_embed", {"Input": f(2, 3)}, grad=False),
    Case("diag_embed", {"Input": f(2, 3)}, {"offset": 1, "dim1": 0, "dim2": 2}, grad=False),
    Case("trace", {"Input": f(3, 4)}),
    Case("trace", {"Input": f(3, 4, 2)}, {"offset": 1, "axis1": 0, "axis2": 2}, age=2),
    Case("trace", {"Input": f(3, 4, 2)}, {"offset": 1, "dim1": 0, "dim2": 2}, age=1),
    Case("pad", {"X": f(2, 3)}, {"paddings": [0, 1, 2, 0], "pad_value": 0.5}),
    Case("pad", {"X": f(2, 3, 1, 2, 1)}, {"paddings": [0, 1, 1, 0, 0, 1, 1, 1, 2, 0], "pad_value": 0.0}),
    Case("pad_constant_like", {"X": f(3, 4), "Y": f(2, 3)}, {"pad_value": 0.5}),
    Case("crop", {"X": f(3, 4)}, {"offsets": [1, 1], "shape": [2, 2]}),
    Case("crop", {"X": f(3, 4), "Y": f(2, 2)}, {"offsets": [0, 1], "shape": []}),
    Case("crop", {"X": f(3, 4), "Offsets": ints(1, 0)}, {"shape": [2, 3]}),
    Case("crop_tensor", {"X": f(3, 4)}, {"offsets": [1, 1], "shape": [2, -1]}),
    Case("crop_tensor", {"X": f(3, 4), "Shape": ints(2, 2)}, {"offsets": [1, 1], "shape": [2, 2]}),
    Case(
        "crop_tensor", {"X": f(3, 4), "ShapeTensor": [ints(2), ints(3)]}, {"offsets": [0, 1], "shape": [-1, -1]}, age=2
    ),
    Case("crop_tensor", {"X": f(3, 4), "Offsets": ints(1, 1)}, {"shape": [2, 2]}),
    Case(
        "shard_index",
        {"X": a([[1], [6], [12], [19]], "int64")},
        {"index_num": 20, "nshards": 2, "shard_id": 0, "ignore_value": -1},
    ),
    Case(
        "shard_index",
        {"X": a([[1], [6], [12], [19]], "int64")},
        {"index_num": 20, "nshards": 3, "shard_id": 1, "ignore_value": -2},
    ),
    Case("assign", {"X": f(2, 3)}),
    Case("assign", {"X": b(2, 3)}),
    Case("share_data", {"X": f(2, 3)}, grad=False),
)
