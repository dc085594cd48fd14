"""Rows for paddle_compat/ops/search.py."""

from op_cases import Case, a, f, i, table

DOUBLED = a([2, 3, 3, 1, 5, 3, 2], "int64")

CASES = table(
    Case("top_k", {"X": f(3, 5)}, {"k": 2}),
    Case("top_k", {"X": f(5)}, {"k": 1}),
    Case("top_k", {"X": f(3, 5), "K": a([3], "int32")}, {"k": 1}),
    Case("top_k_v2", {"X": f(3, 5)}, {"k": 2}),
    Case("top_k_v2", {"X": f(3, 5)}, {"k": 2, "axis": 0, "largest": False}),
    Case("top_k_v2", {"X": f(3, 5), "K": a([3], "int32")}),
    Case("argsort", {"X": f(3, 5)}),
    Case("argsort", {"X": f(3, 5)}, {"axis": 0, "descending": True}),
    Case("argsort", {"X": i(3, 5, high=100)}),
    *[
        Case(
            op,
            {"X": f(3, 5)},
            dict(axis=axis, keepdims=keep, dtype=3, **({"flatten": False} if age == 2 else {})),
            age=age,
        )
        for op in ("arg_max", "arg_min")
        for age in (1, 2)
        for axis, keep in ((0, False), (-1, False), (1, True))
    ],
    Case("arg_max", {"X": f(3, 5)}, {"axis": 0, "keepdims": False, "dtype": 3, "flatten": True}, age=2),
    Case("arg_max", {"X": f(3, 5)}, {"axis": 0, "keepdims": True, "dtype": 2, "flatten": True}, age=2),
    Case("arg_max", {"X": f(5)}, {"axis": 0, "dtype": 3}),
    Case("arg_max", {"X": a([[1.0, 3.0, 3.0], [2.0, 2.0, 1.0]])}, {"axis": 1, "dtype": 2}),
    Case("arg_min", {"X": a([[1.0, 1.0, 3.0], [2.0, 0.0, 0.0]])}, {"axis": 1, "dtype": 2}),
    Case("unique", {"X": DOUBLED}, {"dtype": 2}, age=1),
    Case(
        "unique",
        {"X": DOUBLED},
        {
            "dtype": 3,
            "is_sorted": True,
            "return_index": True,
            "return_inverse": True,
            "return_counts": True,
            "axis": [],
        },
        outs={"Indices": 1, "Counts": 1},
        age=2,
    ),
    Case(
        "unique",
        {"X": a([[2, 1], [3, 0], [2, 1]], "int64")},
        {
            "dtype": 3,
            "is_sorted": True,
            "return_index": True,
            "return_inverse": True,
            "return_counts": True,
            "axis": [0],
        },
        outs={"Indices": 1, "Counts": 1},
        age=2,
    ),
    Case("unique_with_counts", {"X": DOUBLED}, {"dtype": 2}),
    Case(
        "unique_consecutive",
        {"X": DOUBLED},
        {"dtype": 3, "return_inverse": True, "return_counts": True},
        outs={"Index": 1, "Counts": 1},
    ),
    Case(
        "unique_consecutive",
        {"X": a([[2, 1], [2, 1], [3, 0]], "int64")},
        {"dtype": 3, "axis": [0], "return_inverse": True, "return_counts": True},
        outs={"Index": 1, "Counts": 1},
    ),
    Case("searchsorted", {"SortedSequence": a([[1, 3, 5, 7], [2, 4, 6, 8]]), "Values": a([[3, 6, 9], [3, 6, 9]])}),
    Case(
        "searchsorted",
        {"SortedSequence": a([1, 3, 5, 7]), "Values": a([[3, 6, 9]])},
        {"out_int32": True, "right": True},
    ),
    Case("histogram", {"X": a([1.0, 2.0, 1.0, 3.0])}, {"bins": 4, "min": 0, "max": 3}),
    Case("histogram", {"X": f(20)}, {"bins": 5}),
    Case("histogram", {"X": i(20)}, {"bins": 5}),
    Case("bincount", {"X": DOUBLED}),
    Case("bincount", {"X": DOUBLED, "Weights": f(7)}, {"minlength": 8}),
)
