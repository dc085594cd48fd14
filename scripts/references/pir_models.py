"""Models that Paddle 3.3 saves as JSON, what they are fed, and what it makes of that when it has loaded them again.

Three files: the functions of pir_rows.py, the programs of some program_cases_*.py, and the networks of pir_networks.py, which `to_static`
rewrites. Arrays are NumPy's own files in base64.
"""

from __future__ import annotations

import base64
import importlib
import io
import json
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Callable

import numpy as np
from child_process import asked

WHEELS = ("3.3.1",)
TABLES = ("layers", "functional", "rnn", "losses", "vision_ops", "fourier", "decode")
# what ends the wheel's process
CRASHES = ("batch_norm_test", "batch_norm_nhwc")


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One file for each kind."""
    return {
        f"pir_functions_{version}.json.gz": functions,
        f"pir_programs_{version}.json.gz": programs,
        f"pir_networks_{version}.json.gz": networks,
    }


def packed(array: Any) -> str:
    """An array as text."""
    stream = io.BytesIO()
    np.save(stream, np.asarray(array))
    return base64.b64encode(stream.getvalue()).decode()


def names(paddle: Any) -> dict[str, Any]:
    """What the rows of pir_rows.py speak of."""
    draw = np.random.RandomState(3)
    square = draw.randn(4, 4)
    corners = draw.rand(6, 4) * 5
    return {
        "paddle": paddle, "np": np, "F": paddle.nn.functional, "L": paddle.linalg, "V": paddle.vision.ops,
        "f": lambda *shape: draw.randn(*shape).astype("float32"),
        "p": lambda *shape: (draw.rand(*shape) + 0.1).astype("float32"),
        "b": lambda *shape: draw.rand(*shape) > 0.5,
        "i": lambda *shape, h=5: draw.randint(0, h, shape).astype("int64"),
        "n": lambda *numbers: np.array(numbers, "int32"),
        "spd": (square @ square.T + 3 * np.eye(4)).astype("float32"),
        "bx": np.concatenate([corners[:, :2], corners[:, :2] + corners[:, 2:] + 1], 1).astype("float32"),
    }  # fmt: skip


def flat(values: Any) -> list[Any]:
    """The values in nested lists, tuples and dicts."""
    if isinstance(values, dict):
        values = list(values.values())
    if isinstance(values, (list, tuple)):
        return [one for value in values for one in flat(value)]
    return [] if values is None else [values]


def files(prefix: str) -> dict[str, Any]:
    """A saved model, as the data files hold it."""
    parameters = Path(prefix + ".pdiparams")
    values = base64.b64encode(parameters.read_bytes()).decode() if parameters.exists() else ""
    return {"model": json.loads(Path(prefix + ".json").read_text()), "parameters": values}


def saved(build: Callable[[Any], tuple[dict[str, Any], Any]]) -> dict[str, Any]:
    """The model that `build` records in static mode, which it gives what it feeds and the values to fetch of."""
    import paddle

    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    executor = paddle.static.Executor()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, startup):
        feed, fetches = build(paddle)
        executor.run(startup)
        feeds = [op.result(0) for op in main.global_block().ops if op.name() == "pd_op.data"]
        with tempfile.TemporaryDirectory() as folder:
            prefix = str(Path(folder, "model"))
            paddle.static.save_inference_model(prefix, feeds, flat(fetches), executor, program=main)
            program, fed, targets = paddle.static.load_inference_model(prefix, executor)
            found = executor.run(program, feed={name: feed[name] for name in fed}, fetch_list=targets)
            answer = files(prefix)
    return {**answer, "feed": {name: packed(feed[name]) for name in fed}, "fetched": [packed(value) for value in found]}


def function(text: str, arrays: str) -> dict[str, Any]:
    """One row."""

    def build(paddle: Any) -> tuple[dict[str, Any], Any]:
        known = names(paddle)
        given = eval(f"({arrays},)", known)
        feed = {f"x{n}": np.asarray(array) for n, array in enumerate(given)}
        data = [paddle.static.data(name, list(array.shape), str(array.dtype)) for name, array in feed.items()]
        return feed, eval(text, known)(*data)

    return saved(build)


def functions() -> dict[str, Any]:
    """What every row gives."""
    rows = importlib.import_module("pir_rows").ROWS
    return {f"{text} of {arrays}": answer for text, arrays in rows for answer in asked(partial(function, text, arrays))}


def first_two(case: Callable[[Any], Any], paddle: Any) -> tuple[dict[str, Any], Any]:
    """What a case feeds and fetches, without what it says beside."""
    feed, fetches, *_ = case(paddle)
    return feed, fetches


def programs() -> dict[str, Any]:
    """What every case of the tables gives, where Paddle 3.3 still records it."""
    found = {}
    for table in TABLES:
        for name, case in importlib.import_module("program_cases_" + table).CASES.items():
            if name not in CRASHES:
                found.update({f"{table}.{name}": answer for answer in asked(partial(saved, partial(first_two, case)))})
    return found


def network(make: Callable[[Any], Any], arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """One network, saved by `paddle.jit.save`."""
    import paddle

    paddle.seed(5)
    made = make(paddle)
    if isinstance(made, paddle.nn.Layer):
        made.eval()
    specs = [paddle.static.InputSpec([None, *array.shape[1:]], str(array.dtype), name) for name, array in arrays.items()]
    with tempfile.TemporaryDirectory() as folder:
        prefix = str(Path(folder, "model"))
        paddle.jit.save(paddle.jit.to_static(made, input_spec=specs, full_graph=True), prefix)
        loaded = paddle.jit.load(prefix)
        found = loaded(*map(paddle.to_tensor, arrays.values()))
        answer = files(prefix)
    fetched = [packed(value.numpy()) for value in flat(found)]
    return {**answer, "feed": {name: packed(array) for name, array in arrays.items()}, "fetched": fetched}


def networks() -> dict[str, Any]:
    """What every network gives."""
    cases = importlib.import_module("pir_networks").NETWORKS
    return {name: answer for name, (make, arrays) in cases.items() for answer in asked(partial(network, make, arrays))}
