"""`paddle.static.nn.static_pylayer`: parts of networks with gradients of their own."""

from __future__ import annotations

from typing import Any, Callable

from nn_cases import normal

Case = Callable[[Any], Any]


def part(forward: Any, backward: Any, count: int = 1, after: Any = None, stop: bool = False) -> Case:
    """A part between what is fed and a loss; outputs and gradients are fetched."""

    def case(paddle: Any) -> Any:
        inputs = [paddle.static.data(f"x{i}", [2, 3]) for i in range(count)]
        for x in inputs:
            x.stop_gradient = stop
        given = [after(paddle, x) for x in inputs] if after else inputs
        out = paddle.static.nn.static_pylayer(lambda *v: forward(paddle, *v), given, backward and (lambda *g: backward(paddle, *g)))
        outs = list(out) if isinstance(out, (list, tuple)) else [out]
        fetched = list(outs)
        if backward:
            loss = sum(paddle.sum(o * o) for o in outs)
            fetched += [g for g in paddle.static.gradients([loss], inputs) if g is not None]
        return {f"x{i}": normal(2, 3, seed=i) for i in range(count)}, fetched

    return case


def trained(paddle: Any) -> Any:
    """Inside a network that is trained: clipped gradients on the way back."""
    x = paddle.static.data("x", [None, 4])
    hidden = paddle.static.nn.fc(x, 3, activation="tanh")
    seen = paddle.static.nn.static_pylayer(lambda v: v * 2.0, [hidden], lambda g: paddle.clip(g, -0.05, 0.05))
    loss = paddle.mean(paddle.static.nn.fc(seen, 1))
    paddle.optimizer.SGD(0.5).minimize(loss)
    gradients = [v.name + "@GRAD" for v in paddle.static.default_main_program().all_parameters()]
    return {"x": normal(5, 4)}, [loss, *gradients]


CASES: dict[str, Case] = {
    "exp": part(lambda paddle, x: paddle.exp(x), lambda paddle, g: 2 * paddle.exp(g)),
    "two": part(lambda paddle, x, y: (x * y, x + y), lambda paddle, a, b: (a + b, a * 3), 2),
    "one_of_two": part(lambda paddle, x, y: (x * y, paddle.tanh(x)), lambda paddle, a, b: (b, a - b), 2),
    "not_differentiated": part(lambda paddle, x: paddle.exp(x), None, stop=True),
    "handed_on": part(lambda paddle, x: x, lambda paddle, g: g),
    "inside": part(lambda paddle, x: paddle.square(x), lambda paddle, g: g * 0.5, after=lambda paddle, x: paddle.tanh(x)),
    "trained": trained,
}
