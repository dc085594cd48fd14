"""Backward passes of `paddle.static` that tell which operators and variables a gradient needs."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import paddle
from paddle import static
from static_training import StaticModel

FEATURES = 8


def batch(step: int) -> dict[str, Any]:
    """Points, and numbers to multiply them by."""
    x = np.random.RandomState(step).uniform(-1, 1.2, (3, FEATURES)).astype("float32")
    return {"x": x, "count": np.arange(6).reshape(2, 3), "wide": np.linspace(0.1, 0.5, 5)}


def inputs() -> Any:
    """A layer on points, the points, an integer and a float64 variable that let gradients through unless they are told not to."""
    x = static.data("x", [3, FEATURES], "float32")
    count = static.data("count", [2, 3], "int64")
    wide = static.data("wide", [5], "float64")
    return layer(x), x, count, wide


def layer(x: Any, **attributes: Any) -> Any:
    """A layer as wide as the points."""
    return static.nn.fc(x, FEATURES, **attributes)


def trained(hidden: Any) -> list[Any]:
    """A loss on top, trained by SGD."""
    loss = paddle.mean(paddle.square(static.nn.fc(hidden, 1) - 2.0))
    paddle.optimizer.SGD(0.01).minimize(loss)
    return [loss]


def either(x: Any, first: Callable[[], Any], second: Callable[[], Any], level: float = 0.0) -> Any:
    """One of two branches, by the mean of x."""
    return static.nn.cond(paddle.mean(x) > level, first, second)


def repeated(body: Callable[[Any], Any], *values: Any) -> Any:
    """Two turns of a loop."""
    turn = paddle.zeros([1], "int64")
    return static.nn.while_loop(lambda i, *v: i < 2, lambda i, *v: [i + 1, *body(*v)], [turn, *values])[1:]


def total(count: Any) -> Any:
    """The sum of integers as a float."""
    return paddle.cast(paddle.sum(count), "float32") * 0.1


def integers() -> list[Any]:
    """A sum of integers, which has a gradient of integers."""
    hidden, _, count, _ = inputs()
    count.stop_gradient = False
    return trained(hidden * total(count))


def branch_integers() -> list[Any]:
    """The same in a branch."""
    hidden, x, count, _ = inputs()
    count.stop_gradient = False
    return trained(either(x, lambda: hidden * total(count), lambda: hidden * 2.0))


def loop_integers() -> list[Any]:
    """The same in a loop."""
    hidden, _, count, _ = inputs()
    count.stop_gradient = False
    return trained(repeated(lambda h: [paddle.tanh(h) * total(count)], hidden)[0])


def branch_data() -> list[Any]:
    """Branches in a branch that read data, which has a gradient in there and none outside."""
    hidden, x, _, _ = inputs()
    inner = lambda: either(x, lambda: hidden * x, lambda: hidden - x, 0.1)  # noqa: E731
    return trained(either(x, inner, lambda: hidden * 2.0))


def loop_data() -> list[Any]:
    """A loop that reads data."""
    hidden, x, _, wide = inputs()
    return trained(repeated(lambda h: [paddle.tanh(h) * x + paddle.mean(wide.astype("float32"))], hidden)[0])


def branch_constant() -> list[Any]:
    """A branch in a branch that reads a constant of the outer one."""
    hidden, _, _, _ = inputs()

    def outer() -> Any:
        two = paddle.full([3, 1], 2.0)
        return either(hidden, lambda: hidden * paddle.mean(two), lambda: hidden * 3.0, 0.1)

    return trained(either(hidden, outer, lambda: hidden * 2.0))


def branch_only_stopped() -> list[Any]:
    """A variable of a branch that stops gradients."""
    hidden, x, _, _ = inputs()
    other = layer(x)

    def stopped() -> Any:
        part = other * 2.0
        part.stop_gradient = True
        return hidden * part

    return trained(either(x, stopped, lambda: hidden * 2.0))


def branch_partly_stopped() -> list[Any]:
    """A variable of a branch that stops gradients, made from one that also has another way."""
    hidden, x, _, _ = inputs()
    other = layer(x)

    def stopped() -> Any:
        part = other * 2.0
        part.stop_gradient = True
        return hidden * part + other

    return trained(either(x, stopped, lambda: hidden * 2.0))


def branch_of_data() -> list[Any]:
    """Branches that read nothing but data: what they write lets gradients through."""
    _, x, _, _ = inputs()
    return trained(either(x, lambda: x * 2.0, lambda: x * 3.0))


def branch_results() -> list[Any]:
    """Three results: one used, one not, one that stops gradients in one branch."""
    hidden, x, _, _ = inputs()
    used, _, mixed = either(x, lambda: (hidden * 2, hidden + 1, hidden - 2), lambda: (hidden * 3, hidden * 5, x * 1))
    return trained(used + mixed)


def branch_parameters() -> list[Any]:
    """A frozen parameter in a branch, and one for both branches."""
    hidden, x, _, _ = inputs()
    shared = {"weight_attr": paddle.ParamAttr("shared"), "bias_attr": False}
    frozen = {"weight_attr": paddle.ParamAttr("frozen", trainable=False)}
    return trained(either(x, lambda: layer(layer(hidden, **frozen), **shared), lambda: layer(hidden, **shared)))


def no_gradients() -> list[Any]:
    """no_grad_set with a variable of the outer block and one of a branch."""
    hidden, x, _, _ = inputs()
    other, more = layer(x), layer(x)
    kept = []

    def product() -> Any:
        kept.append(more * 2.0)
        return kept[0] * hidden * other

    loss = paddle.mean(either(x, product, lambda: hidden * 2.0))
    static.append_backward(loss, no_grad_set={other.name, kept[0].name})
    return [loss]


def loop_shared() -> list[Any]:
    """One parameter twice in a loop and once behind it."""
    hidden, _, _, _ = inputs()
    shared = {"weight_attr": paddle.ParamAttr("shared"), "bias_attr": False}
    out = repeated(lambda h: [layer(layer(h, **shared), **shared) + h], hidden)[0]
    return trained(layer(out, **shared) + out)


def loop_nested() -> list[Any]:
    """A loop in a loop; the inner one reads what the outer one carries."""
    hidden, _, _, _ = inputs()
    return trained(repeated(lambda h: [repeated(lambda p: [paddle.tanh(p) + h], h)[0] * 0.5], hidden)[0])


def loop_of_two() -> list[Any]:
    """Two carried values, each made from both."""
    hidden, x, _, _ = inputs()
    return trained(repeated(lambda a, b: [a + b, paddle.tanh(b) * a], hidden, layer(x))[0])


def branch_in_loop() -> list[Any]:
    """A branch in a loop that reads what the loop carries, and data."""
    hidden, x, _, _ = inputs()
    return trained(repeated(lambda h: [either(h, lambda: paddle.tanh(h) * x, lambda: h * 2)], hidden)[0])


def loop_in_branch() -> list[Any]:
    """A loop in a branch that reads data."""
    hidden, x, _, wide = inputs()
    mean = lambda: paddle.mean(wide.astype("float32"))  # noqa: E731
    return trained(either(x, lambda: repeated(lambda h: [paddle.tanh(h) * mean()], hidden)[0], lambda: hidden * 2.0))


def data_norms() -> list[Any]:
    """Two data_norm layers with the same statistics."""
    hidden, _, _, _ = inputs()
    return trained(static.nn.data_norm(layer(static.nn.data_norm(hidden, name="n")), name="n"))


def gradients_again() -> list[Any]:
    """Gradients of what had a gradient before, after a backward pass."""
    hidden, _, _, _ = inputs()
    slope = paddle.tanh(hidden)
    loss = paddle.mean(slope * hidden)
    static.append_backward(loss)
    return [loss, *static.gradients(loss, hidden), *static.gradients(slope, hidden), *static.gradients(slope, hidden)]


def table_shared() -> list[Any]:
    """A table that is looked up, its gradient rows, and multiplied by."""
    ids = static.data("ids", [None, 3], "int64")
    embedding = paddle.nn.Embedding(20, FEATURES, sparse=True)
    return trained(paddle.matmul(paddle.mean(embedding(ids), axis=1), embedding.weight, transpose_y=True))


def rows_by_norm() -> list[Any]:
    """Rows clipped by their norm, then decayed."""
    ids = static.data("ids", [None, 3], "int64")
    hidden = paddle.sum(static.nn.embedding(ids, (20, FEATURES), is_sparse=True), axis=1)
    loss = paddle.mean(static.nn.fc(hidden, 1))
    decay = paddle.regularizer.L2Decay(0.1)
    paddle.optimizer.SGD(0.1, grad_clip=paddle.nn.ClipGradByNorm(1.0), weight_decay=decay).minimize(loss)
    return [loss]


def parts() -> list[Any]:
    """Some parts of a split and of an unbound variable, and the largest."""
    hidden, _, _, _ = inputs()
    first, _, last = paddle.split(hidden, [2, 2, 4], 1)
    columns = paddle.unbind(hidden, 1)
    largest, _ = paddle.topk(last, 2)
    return trained(paddle.concat([first, largest], 1) * paddle.mean(columns[0] * columns[3]))


class Pruned(StaticModel):
    """A model with a branch that the prediction does not need."""

    def __init__(self) -> None:
        super().__init__(self.network)

    def network(self) -> list[Any]:
        """A prediction, and a branch that only the loss reads."""
        hidden, x, _, _ = inputs()
        self.prediction = layer(paddle.nn.functional.dropout(hidden, 0.5))
        extra = paddle.mean(either(x, lambda: hidden * 3.0, lambda: hidden * 2.0))
        loss = paddle.mean(self.prediction) + extra
        paddle.optimizer.Adam(0.1).minimize(loss)
        return [loss]

    def more_programs(self, session: Any) -> dict[str, Any]:
        """What the prediction needs, of the program for a test and of the whole."""
        test = session.main.clone(for_test=True)
        return {"test": test, "pruned": test._prune([self.prediction]), "rest": session.main._prune([self.prediction])}


BUILDERS = (
    integers, branch_integers, loop_integers, branch_data, loop_data, branch_constant, branch_only_stopped, branch_of_data,
    branch_results, branch_parameters, no_gradients, loop_shared, loop_nested, loop_of_two, loop_in_branch, data_norms,
)  # fmt: skip
MODELS: dict[str, StaticModel] = {build.__name__: StaticModel(build, batch, steps=3) for build in BUILDERS}
# the wheel loses the gradient of what a loop carries where a branch in the loop reads it
MODELS["branch_in_loop"] = StaticModel(branch_in_loop)
MODELS.update({build.__name__: StaticModel(build) for build in (branch_partly_stopped, gradients_again, table_shared, rows_by_norm, parts)})
MODELS["pruned"] = Pruned()
