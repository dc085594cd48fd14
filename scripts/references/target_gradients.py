"""`gradients` of targets that are inputs too: what the wheels return, and the values."""

from __future__ import annotations

from typing import Any

import numpy as np

WHEELS = ("1.8.5", "2.6.2")
X = np.array([[0.1, 0.2], [0.3, -0.4]], "float32")
# what to differentiate, by what, and whether the first target has a weight; x is data, y = tanh(x), z = y * y
CASES = {
    "itself": ("x", "x", False),
    "a result by itself": ("y", "y", False),
    "itself, weighted": ("x", "x", True),
    "by all before it": ("z", "xyz", False),
    "by its argument and itself": ("y", "xy", False),
    "by its argument and itself, weighted": ("y", "xy", True),
    "with its argument": ("xy", "x", False),
    "both by both": ("yx", "yx", False),
    "a result and what it is made from": ("yz", "x", False),
    "a result and what it is made from, by both": ("zy", "xy", False),
}


def build(paddle: Any, case: str) -> tuple[Any, list[Any]]:
    """The Program of a case, and what `gradients` returned; `paddle` is `paddle.fluid` or `paddle`."""
    old = not hasattr(paddle, "static")
    static = paddle if old else paddle.static
    layers = paddle.layers if old else paddle
    targets, inputs, weighted = CASES[case]
    main = static.Program()
    with (paddle.unique_name if old else paddle.utils.unique_name).guard(), static.program_guard(main, static.Program()):
        x = static.data("x", [2, 2])
        x.stop_gradient = False
        y = layers.tanh(x)
        values = {"x": x, "y": y, "z": y * y}
        weight = layers.fill_constant([2, 2], "float32", 3.0) if old else paddle.full([2, 2], 3.0)
        found = static.gradients([values[n] for n in targets], [values[n] for n in inputs], [weight] if weighted else None)
    return main, list(found)


def record(paddle: Any) -> dict[str, Any]:
    """Everything about all cases."""
    out = {}
    for case in CASES:
        main, found = build(paddle, case)
        executor = getattr(paddle, "static", paddle).Executor(paddle.CPUPlace())
        there = [v for v in found if v is not None]
        values = executor.run(main, feed={"x": X}, fetch_list=there) if there else []
        out[case] = {
            "operators": list(map(plain, main.global_block().ops)),
            "returned": [v if v is None else v.name for v in found],
            "values": [np.asarray(v).tolist() for v in values],
        }
    return out


def plain(op: Any) -> list[Any]:
    """The type of an operator, and what it reads and writes."""
    return [op.type, sorted(n for s in op.input_names for n in op.input(s)), sorted(n for s in op.output_names for n in op.output(s))]


def recordings(version: str) -> dict[str, Any]:
    """One file for each wheel."""

    def content() -> Any:
        if version == "1.8.5":
            import paddle.fluid as fluid

            return record(fluid)
        import paddle

        paddle.enable_static()
        return record(paddle)

    return {f"target_gradients_{version}.json": content}
