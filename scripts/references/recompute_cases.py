"""Backward passes with checkpoints: the operators that the wheels write, and what running them leaves behind."""

from __future__ import annotations

from typing import Any

import numpy as np

WHEELS = ("1.8.5", "2.6.2")

# checkpoints of each case, among the values that `network` names
CASES = {
    "two": "bd",
    "one": "b",
    "unordered": "db",
    "late": "f",
    "loss": ["loss"],
    "part and loss": ["b", "loss"],
    "data": ["x", "d"],
    "crossing": "bd",
    "crossing one": "b",
    "normalised": "bd",
}
FEED = (np.arange(32, dtype="float32").reshape(4, 8) % 5 - 1.5) / 4


def network(paddle: Any, case: str, dropout: bool) -> dict[str, Any]:
    """A small network in the default Program; `paddle` is `paddle.fluid` or `paddle`."""
    old = not hasattr(paddle, "static")
    size = {"size": 8, "param_attr" if old else "weight_attr": constant(paddle)}
    activation = "act" if old else "activation"
    layers = paddle.layers if old else paddle.static.nn

    def drop(x: Any) -> Any:
        if not dropout:
            return x
        return layers.dropout(x, 0.5) if old else paddle.nn.functional.dropout(x, 0.5)

    add = layers.elementwise_add if old else paddle.add
    x = paddle.data("x", [4, 8]) if old else paddle.static.data("x", [4, 8])
    a = layers.fc(x, **size, **{activation: "relu"})
    b = drop(a)
    if case == "normalised":
        b = layers.batch_norm(b)
    c = layers.fc(b, **size)
    d = add(c, a if case == "crossing one" else b)
    if case == "crossing":
        d = add(d, a)
    e = layers.fc(d, **size, **{activation: "tanh"})
    f = drop(e)
    loss = layers.mean(f) if old else paddle.mean(f)
    return {"x": x, "a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "loss": loss}


def constant(paddle: Any) -> Any:
    """An attribute of weights that start at 0.1."""
    if hasattr(paddle, "static"):
        return paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(0.1))
    return paddle.ParamAttr(initializer=paddle.initializer.Constant(0.1))


def build(paddle: Any, case: str, dropout: bool = True) -> tuple[Any, Any, dict[str, Any], Any]:
    """The Programs of a case, its values by name, and what `append_backward` returned."""
    old = not hasattr(paddle, "static")
    static = paddle if old else paddle.static
    names = paddle.unique_name if old else paddle.utils.unique_name
    append_backward = paddle.backward.append_backward if old else static.append_backward
    main, startup = static.Program(), static.Program()
    with names.guard(), static.program_guard(main, startup):
        values = network(paddle, case, dropout)
        found = append_backward(values["loss"], checkpoints=[values[name] for name in CASES[case]])
    return main, startup, values, found


def stopped(program: Any) -> list[str]:
    """Variables that stop gradients."""
    return sorted(name for name, var in program.global_block().vars.items() if var.stop_gradient)


def operators(program: Any) -> list[Any]:
    """Type, inputs, outputs and role of each operator."""
    return [
        [
            op.type,
            {slot: list(op.input(slot)) for slot in sorted(op.input_names) if op.input(slot)},
            {slot: list(op.output(slot)) for slot in sorted(op.output_names) if op.output(slot)},
            op.attr("op_role"),
        ]
        for op in program.global_block().ops
    ]


def numbers(paddle: Any, case: str) -> dict[str, Any]:
    """The loss, a gradient and the running mean after one run of the network without dropout."""
    static = getattr(paddle, "static", paddle)
    main, startup, values, _ = build(paddle, case, dropout=False)
    executor = static.Executor(paddle.CPUPlace())
    with static.scope_guard(static.Scope()):
        executor.run(startup)
        fetches = [values["loss"].name, "fc_0.w_0@GRAD", *(["batch_norm_0.w_1"] if case == "normalised" else [])]
        found = executor.run(main, feed={"x": FEED}, fetch_list=fetches)
        if case == "normalised":  # what the next run finds, once all operators of this one are through
            found.append(executor.run(main, feed={"x": FEED}, fetch_list=["batch_norm_0.w_1"])[0])
    return {str(i): np.asarray(value).tolist() for i, value in enumerate(found)}


def record(paddle: Any) -> dict[str, Any]:
    """Everything about all cases."""
    out = {}
    for case in CASES:
        main, _, _, found = build(paddle, case)
        returned = found[1] if isinstance(found, tuple) else None
        out[case] = {"operators": operators(main), "returned": returned, "numbers": numbers(paddle, case), "stopped": stopped(main)}
    return out


def recordings(version: str) -> dict[str, Any]:
    """One file for each wheel."""

    def content() -> Any:
        if version == "1.8.5":
            import paddle.fluid as fluid

            return record(fluid)
        import paddle

        paddle.enable_static()
        return record(paddle)

    return {f"recompute_{version}.json.gz": content}
