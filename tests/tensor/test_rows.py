"""Every row of the tables against the wheels: what is recorded, what a run gives, what eager mode gives, what is refused."""

from __future__ import annotations

import gzip
import json
import math
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensor_rows import INPUTS, leaves, names_in, value

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core import unique_name
from paddle_compat.core.op import find_op

REFERENCES = Path(__file__).resolve().parents[1] / "references"
TABLES = ("math", "creation", "manipulation", "search", "linalg", "operators", "random")
SEED = 102  # every row starts from it
WHEELS = {1: "1.8.5", 2: "2.6.2"}


@cache
def recorded(table: str, age: int) -> dict[str, Any]:
    """The data file of one table and wheel."""
    path = REFERENCES / f"tensor_{table}_{WHEELS[age]}.json.gz"
    if not path.exists():
        return {}
    with gzip.open(path, "rt") as file:
        found: dict[str, Any] = json.load(file)
    return found


ROWS = [pytest.param(table, age, row, id=f"{WHEELS[age]}-{row}") for table in TABLES for age in (1, 2) for row in recorded(table, age)]
# rows whose operators we record otherwise than the wheel, with the same result
OTHERWISE = frozenset(row for table in TABLES for row in getattr(import_module(f"rows_{table}"), "OTHERWISE", ()))
# rows in which the wheel gives what no kernel could mean (uninitialised memory, the wrong sum), or that differ by choice
DIFFERENT = frozenset(row for table in TABLES for row in getattr(import_module(f"rows_{table}"), "DIFFERENT", ()))


def evaluate(row: str, inputs: dict[str, Any]) -> list[Any]:
    """The results of a row."""
    return leaves(eval(row, {"paddle": paddle, "np": np, "fluid": fluid, **inputs}))


def static(row: str, age: int) -> tuple[Any, Any, dict[str, Any], list[Any], int]:
    """Record a row: programs, inputs, results, and how many operators came before it."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    paddle.seed(SEED)
    with paddle.static.program_guard(main, startup), unique_name.guard():
        data = fluid.data if age == 1 else paddle.static.data
        inputs = {n: data(n, INPUTS[n][0], INPUTS[n][1]) for n in names_in(row)}
        for var in inputs.values():
            var.stop_gradient = not INPUTS[var.name][1].startswith("float")
        first = len(main.global_block().ops)
        results = evaluate(row, inputs)
    return main, startup, inputs, results, first


def attribute(value: Any) -> Any:
    """An attribute as the recording has it."""
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return float(f"{value:.7g}")
    if isinstance(value, int):
        return int(value)
    return [attribute(v) for v in value] if isinstance(value, (list, tuple)) else str(value)


def same(ours: Any, theirs: Any) -> bool:
    """Whether two attributes are equal; whole floats and ints are."""
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, float) and isinstance(ours, (int, float)):
        return math.isclose(ours, theirs, rel_tol=1e-6) or ours == theirs
    return bool(ours == theirs)


def compare(got: Any, entry: Any, what: str) -> None:
    """Same type, shape and numbers."""
    dtype = np.dtype(entry["dtype"])
    data = np.array(entry["data"], "float64" if dtype.kind == "c" else dtype)
    if dtype.kind == "c":
        data = (data.reshape(-1, 2) @ np.array([1, 1j])).astype(dtype)
    array = np.asarray(got)
    assert array.dtype == dtype, f"{what}: {array.dtype}, the wheel has {dtype}"
    assert list(array.shape) == entry["shape"], f"{what}: {array.shape}, the wheel has {entry['shape']}"
    np.testing.assert_allclose(array, data.reshape(entry["shape"]), rtol=2e-5, atol=1e-5, err_msg=what)


def fits(theirs: Any, ours: Any) -> bool:
    """Whether a shape that the wheel infers (negative: unknown, 0: not set) describes ours."""
    return len(theirs) == len(ours) and all(a == b or a < 1 for a, b in zip(theirs, ours))


def check_error(row: str, error: BaseException | None, kinds: list[str]) -> None:
    """The wheel refuses: so do we, with an exception that the same `except` catches."""
    assert error is not None, f"{row}: accepted, the wheel raises {kinds[0]}"
    ours = {kind.__name__ for kind in type(error).__mro__}
    assert kinds[0] in ours or kinds[0] not in dir(__builtins__) and "Exception" in ours, f"{row}: {error!r}, the wheel raises {kinds}"


@pytest.mark.parametrize(("table", "age", "row"), ROWS)
def test_static(table: str, age: int, row: str) -> None:
    expected = recorded(table, age)[row]
    paddle.enable_static()
    if "error" in expected:
        if row in DIFFERENT:
            return
        with pytest.raises(BaseException) as caught:
            static(row, age)
        check_error(row, caught.value, expected["error"])
        return
    try:
        main, startup, inputs, results, first = static(row, age)
    except Exception as error:
        if "run" not in expected:
            raise
        check_error(row, error, expected["run"])  # refused while recording already
        return
    block = main.global_block()
    if row not in OTHERWISE:
        ours = [(op.type, op) for op in block.ops[first:]]
        assert [kind for kind, _ in ours] == [kind for kind, *_ in expected["ops"]]
        for (kind, op), (_, op_inputs, op_outputs, attrs) in zip(ours, expected["ops"]):
            assert {s: op.input(s) for s in op.input_names} == op_inputs, kind
            assert {s: op.output(s) for s in op.output_names} == op_outputs, kind
            definition = find_op(kind)
            assert definition is not None
            known = {**definition.attrs, **op.attrs}
            for name, theirs in attrs.items():
                if name == "values":
                    continue  # pybind shows Scalars as text
                assert name in known, f"{kind} has no attribute {name}"
                assert same(attribute(known[name]), theirs), f"{kind}.{name}: {known[name]!r}, the wheel has {theirs!r}"
        names = [name for name in block.vars if name not in inputs]
        assert names == [name for name, *_ in expected["vars"]]
        fetched = dict(zip((r.name for r in results if hasattr(r, "block")), expected.get("values", ())))
        described = {name for *_, outputs, _ in expected["ops"] for name in outputs.get("MedianIndex", ())}
        unknown = described if fetched else {*described, *names}
        for name, shape, _, stop_gradient, persistable in expected["vars"]:
            var = block.var(name)
            if name not in unknown and (
                name not in fetched or fits(shape, fetched[name]["shape"])
            ):  # some rules promise what no kernel keeps
                assert fits(shape, var.shape), f"{name}: {var.shape}, the wheel has {shape}"
            assert (var.stop_gradient, var.persistable) == (stop_gradient, persistable), f"{name}: (stop_gradient, persistable)"
        assert [r.name if hasattr(r, "block") else repr(r) for r in results] == expected["results"]
    variables = [r for r in results if hasattr(r, "block")]
    if row in DIFFERENT or not variables:
        return
    executor = paddle.static.Executor(paddle.CPUPlace())
    executor.run(startup)
    feed = {n: value(n) for n in inputs}
    if "run" in expected:
        with pytest.raises(Exception) as caught:
            executor.run(main, feed=feed, fetch_list=variables)
        check_error(row, caught.value, expected["run"])
        return
    values = executor.run(main, feed=feed, fetch_list=variables)
    for number, (got, entry) in enumerate(zip(values, expected["values"])):
        compare(got, entry, f"{row} {number}")


EAGER_ROWS = [row for row in ROWS if row.values[1] == 2]


@pytest.mark.parametrize(("table", "age", "row"), EAGER_ROWS)
def test_eager(table: str, age: int, row: str) -> None:
    expected = recorded(table, age)[row]
    values = expected.get("eager", expected.get("values", []))
    paddle.disable_static()
    inputs = {n: paddle.to_tensor(value(n)) for n in names_in(row)}
    if row in DIFFERENT:
        return
    if isinstance(values, dict):
        with pytest.raises(Exception) as caught:
            evaluate(row, inputs)
        check_error(row, caught.value, values["error"])
        return
    paddle.seed(SEED)
    results = [r for r in evaluate(row, inputs) if isinstance(r, paddle.Tensor)]
    entries = [v for v in values if isinstance(v, dict)]
    assert len(results) == len(entries)
    for number, (got, entry) in enumerate(zip(results, entries)):
        compare(got.numpy(), entry, f"{row} {number}")
