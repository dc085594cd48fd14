"""Backward passes of `paddle.fluid` that tell which operators and variables a gradient needs; their Programs are compared."""

from __future__ import annotations

from typing import Any, Callable

import datasets
import paddle.fluid as fluid
from fluid_training import FluidModel

layers = fluid.layers
FEATURES = 8


def inputs() -> Any:
    """A layer on points, the points, and an integer variable that lets gradients through."""
    x = fluid.data("x", [None, FEATURES])
    count = fluid.data("count", [2, 3], "int64")
    count.stop_gradient = False
    return layers.fc(x, FEATURES), x, count


def classified(hidden: Any) -> Any:
    """The loss of a classifier on top."""
    label = fluid.data("label", [None, 1], "int64")
    return layers.mean(layers.softmax_with_cross_entropy(layers.fc(hidden, datasets.CLASSES), label))


def trained(hidden: Any, **options: Any) -> list[Any]:
    """A classifier on top, trained by SGD."""
    loss = classified(hidden)
    fluid.optimizer.SGD(0.1, **options).minimize(loss)
    return [loss]


def either(x: Any, first: Callable[[], Any], second: Callable[[], Any]) -> Any:
    """One of two branches, by the mean of x."""
    return layers.cond(layers.greater_than(layers.reduce_mean(x), layers.fill_constant([1], "float32", 0.1)), first, second)


def repeated(body: Callable[..., Any], *values: Any) -> Any:
    """Two turns of a loop."""
    turn, turns = layers.zeros([1], "int64"), layers.fill_constant([1], "int64", 2)
    return layers.while_loop(
        lambda i, *v: layers.less_than(i, turns), lambda i, *v: [layers.increment(i), *body(*v)], [turn, *values]
    )[1:]


def total(count: Any) -> Any:
    """The sum of integers as a float."""
    return layers.cast(layers.reduce_sum(count), "float32")


def table(rows: Any = True) -> Any:
    """The mean of looked up rows; rows says whether the table's gradient is rows."""
    ids = fluid.data("ids", [None, 3], "int64")
    return layers.reduce_mean(fluid.embedding(ids, (20, FEATURES), is_sparse=rows, param_attr="table"), dim=1)


def integers() -> list[Any]:
    """A sum of integers, in the program, a branch and a loop."""
    hidden, x, count = inputs()
    hidden = either(x, lambda: hidden * total(count), lambda: hidden * 2.0) * total(count)
    return trained(repeated(lambda h: [layers.tanh(h) * total(count)], hidden)[0])


def branch_data() -> list[Any]:
    """Branches in a branch that read data."""
    hidden, x, _ = inputs()
    inner = lambda: either(x, lambda: hidden * x, lambda: hidden - x)  # noqa: E731
    return trained(either(x, inner, lambda: hidden * 2.0))


def branch_stopped() -> list[Any]:
    """A variable of a branch that stops gradients."""
    hidden, x, _ = inputs()
    other = layers.fc(x, FEATURES)

    def stopped() -> Any:
        part = other * 2.0
        part.stop_gradient = True
        return hidden * part

    return trained(either(x, stopped, lambda: hidden * 2.0))


def no_gradients() -> list[Any]:
    """no_grad_set with a variable of a branch."""
    hidden, x, _ = inputs()
    other, kept = layers.fc(x, FEATURES), []

    def product() -> Any:
        kept.append(other * 2.0)
        return kept[0] * hidden

    loss = layers.reduce_mean(either(x, product, lambda: hidden * 2.0))
    fluid.backward.append_backward(loss, no_grad_set={kept[0].name})
    return [loss]


def loops() -> list[Any]:
    """A loop with two values made from both, a parameter twice in it, and another loop in it."""
    hidden, x, _ = inputs()
    shared = {"param_attr": "shared", "bias_attr": False}

    def body(a: Any, b: Any) -> Any:
        twice = layers.fc(layers.fc(a, FEATURES, **shared), FEATURES, **shared)
        return [twice + a, repeated(lambda c: [layers.tanh(c) + b], b)[0]]

    a, b = repeated(body, hidden, layers.fc(x, FEATURES))
    return trained(layers.fc(a + b, FEATURES, **shared) + a)


def parts() -> list[Any]:
    """Some parts of a split and of an unstacked variable."""
    hidden, _, _ = inputs()
    first, _, _ = layers.split(hidden, [2, 2, 4], 1)
    rows = layers.unstack(layers.transpose(hidden, [1, 0])[0:4], 0)
    return trained(first * layers.reduce_mean(rows[0] * rows[3]))


def gradients_again() -> list[Any]:
    """Gradients of what had a gradient before, after a backward pass."""
    hidden, x, _ = inputs()
    slope = layers.tanh(hidden)
    loss = layers.mean(slope * hidden)
    fluid.backward.append_backward(loss)
    return [loss, *fluid.gradients(loss, hidden), *fluid.gradients(slope, hidden), *fluid.gradients(slope, hidden)]


def table_shared() -> list[Any]:
    """A table that is looked up with rows as its gradient, looked up without, and multiplied by."""
    hidden = table() + table(False)
    weight = fluid.default_main_program().global_block().var("table")
    return trained(layers.matmul(hidden, weight, transpose_y=True))


def rows_by_norm() -> list[Any]:
    """Rows clipped by their norm, then decayed."""
    return trained(table(), grad_clip=fluid.clip.GradientClipByNorm(1.0), regularization=fluid.regularizer.L2Decay(0.1))


def rows_by_global_norm() -> list[Any]:
    """Rows clipped with all others, then decayed."""
    return trained(table(), grad_clip=fluid.clip.GradientClipByGlobalNorm(1.0), regularization=fluid.regularizer.L1Decay(0.1))


def data_norms() -> list[Any]:
    """Two data_norm layers with the same statistics."""
    hidden, _, _ = inputs()
    return trained(layers.data_norm(layers.fc(layers.data_norm(hidden, name="n"), FEATURES), name="n"))


class Pruned(FluidModel):
    """A model with a branch that the prediction does not need."""

    def __init__(self) -> None:
        super().__init__(self.network)

    def network(self) -> list[Any]:
        """A prediction, and a branch that only the loss reads."""
        hidden, x, _ = inputs()
        hidden = layers.batch_norm(layers.dropout(hidden, 0.5))
        self.prediction = layers.fc(hidden, datasets.CLASSES, act="softmax")
        extra = layers.mean(either(x, lambda: layers.dropout(hidden, 0.3), lambda: hidden * 2.0))
        loss = layers.mean(layers.cross_entropy(self.prediction, fluid.data("label", [None, 1], "int64"))) + extra
        fluid.optimizer.Adam(0.1).minimize(loss)
        return [loss]

    def more_programs(self, session: Any) -> dict[str, Any]:
        """The program for a test, and what the prediction needs of it."""
        test = session.main.clone(for_test=True)
        return {"test": test, "pruned": test._prune([self.prediction])}


BUILDERS = (
    integers, branch_data, branch_stopped, no_gradients, loops, parts, gradients_again, table_shared, rows_by_norm,
    rows_by_global_norm, data_norms,
)  # fmt: skip
MODELS: dict[str, FluidModel] = {build.__name__: FluidModel(build) for build in BUILDERS}
MODELS["pruned"] = Pruned()
