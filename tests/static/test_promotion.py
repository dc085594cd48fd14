"""Variables of two data types under one operator: the casts that 2.6.2 writes, and the type of the result."""

from __future__ import annotations

import itertools
import json
import operator
from pathlib import Path

import numpy as np
import pytest

import paddle_compat as paddle

RECORDED = json.loads((Path(__file__).resolve().parents[1] / "references" / "promotions_2.6.2.json").read_text())


@pytest.fixture(autouse=True)
def static_mode() -> None:
    """Programs are 2.6's."""
    paddle.enable_static()


@pytest.mark.parametrize("name", sorted({key.split()[0] for key in RECORDED}))
def test_is_that_of_the_wheel(name: str) -> None:
    module, function = name.split(".")
    call = getattr({"operator": operator, "paddle": paddle}[module], function)
    for key, expected in RECORDED.items():
        kinds = key.split()[1:]
        if key.split()[0] != name:
            continue
        if module == "paddle" and kinds[0] != kinds[1] and all("float" in kind for kind in kinds):
            continue  # 2.6 records these and refuses to run them; Paddle 3 casts (tensor/rows_accepted.py)
        main = paddle.static.Program()
        with paddle.static.program_guard(main, paddle.static.Program()):
            x, y = (paddle.static.data(n, [2, 2], t) for n, t in zip("xy", kinds))
            if expected == "TypeError":
                with pytest.raises(TypeError):
                    call(x, y)
                continue
            out = call(x, y)
        ops = [[op.type, *(op.attr(a) for a in ("in_dtype", "out_dtype") if op.has_attr(a))] for op in main.global_block().ops]
        assert [int(out.dtype), ops] == expected, key


@pytest.mark.parametrize(
    ("x", "y"), [p for p in itertools.product(("float16", "float32", "float64", "int64"), repeat=2) if "float" in "".join(p)]
)
def test_quotient_has_the_type_announced(x: str, y: str) -> None:
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        out = paddle.static.data("x", [2], x) / paddle.static.data("y", [2], y)
    feed = {"x": np.array([3, 5], x), "y": np.array([2, 4], y)}
    (quotient,) = paddle.static.Executor(paddle.CPUPlace()).run(main, feed=feed, fetch_list=[out])
    assert quotient.dtype == (x if "float" in x else "float32")
    assert quotient.tolist() == [1.5, 1.25]


@pytest.mark.parametrize(("dtype", "number"), [("float32", 2.5), ("float32", 2), ("float64", 2), ("int64", 2), ("int32", 2)])
def test_a_number_in_where_is_of_the_type_beside_it(dtype: str, number: float) -> None:
    """2.6.2 refuses most of these when they run, 3.3.1 takes all: its answers."""
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        flags, x = paddle.static.data("flags", [2, 2], "bool"), paddle.static.data("x", [2, 2], dtype)
        outs = [paddle.where(flags, x, number), paddle.where(flags, number, x)]
    values = np.arange(4).reshape(2, 2).astype(dtype)
    feed = {"flags": values % 2 == 0, "x": values}
    first, second = paddle.static.Executor().run(main, feed=feed, fetch_list=outs)
    assert first.dtype == second.dtype == values.dtype
    assert first.tolist() == [[0, number], [2, number]] and second.tolist() == [[number, 1], [number, 3]]
