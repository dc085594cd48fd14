"""Gradients of gradients in backward passes that a script edited: the numbers of the wheels."""

from __future__ import annotations

from typing import Any

import numpy as np

WHEELS = ("2.6.2",)  # 1.8.5 ends the process
X = np.array([[0.1, 0.2], [0.3, -0.4]], "float32")
W = np.array([[0.5, -0.6], [0.7, 0.8]], "float32")
# what is made of the product of x and w; the operator behind whose (last) gradient a scale is put in; whether between the passes
CASES = {
    "product": ("product", "elementwise_mul_grad", False),
    "product, second pass": ("product", "elementwise_mul_grad_grad", True),
    "square": ("square", "square_grad", False),
    "square, second pass": ("square", "square_grad_grad", True),
    "square root, second pass": ("square root", "square_grad_grad", True),
    "matrix, second pass": ("matrix", "square_grad_grad", True),
}


def loss_of(paddle: Any, kind: str, x: Any, w: Any) -> Any:
    """The first loss."""
    if kind == "matrix":
        product = paddle.matmul(x, w)
        return paddle.mean(paddle.square(product) * product)
    y = x * w
    if kind == "square":
        y = paddle.square(y)
    elif kind == "square root":
        y = paddle.sqrt(paddle.square(y) + 1.0)
    return paddle.mean(y * y * y)


def halve(program: Any, type_: str) -> None:
    """Put a scale behind the last operator of a type, on the first gradient that it writes."""
    block = program.global_block()
    at, op = [(i, op) for i, op in enumerate(block.ops) if op.type == type_][-1]
    names = [n for slot in sorted(op.output_names) for n in op.output(slot) if "@GRAD" in n]
    gradient = block.var(names[0])
    block._insert_op(at + 1, type="scale", inputs={"X": [gradient]}, outputs={"Out": [gradient]}, attrs={"scale": 0.5})


def build(paddle: Any, case: str) -> tuple[Any, Any, list[Any]]:
    """The Programs of a case and what to fetch."""
    static = paddle.static
    kind, type_, later = CASES[case]
    main, startup = static.Program(), static.Program()
    with paddle.utils.unique_name.guard(), static.program_guard(main, startup):
        w = static.create_parameter([2, 2], "float32", name="w", default_initializer=paddle.nn.initializer.Assign(W))
        (gradient,) = static.gradients(loss_of(paddle, kind, static.data("x", [2, 2]), w), [w])
        if not later:
            halve(main, type_)
        loss = paddle.mean(gradient * gradient)
        ((_, second),) = static.append_backward(loss)
        if later:
            halve(main, type_)
    return main, startup, [loss, gradient, second]


def numbers(paddle: Any, case: str) -> list[Any]:
    """What a run fetches."""
    main, startup, fetches = build(paddle, case)
    static = paddle.static
    executor = static.Executor(paddle.CPUPlace())
    with static.scope_guard(static.Scope()):
        executor.run(startup)
        return [np.asarray(v).reshape(-1).tolist() for v in executor.run(main, feed={"x": X}, fetch_list=fetches)]


def recordings(version: str) -> dict[str, Any]:
    """One file for each wheel."""

    def content() -> Any:
        import paddle

        paddle.enable_static()
        return {case: numbers(paddle, case) for case in CASES}

    return {f"edited_gradients_{version}.json": content}
