"""Tables that live on servers alone: they train as tables of one process do, in memory of the rows that were touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from servers_at_home import ENDPOINTS, alone, at_home

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core.errors import OutOfRangeError, UnsupportedError

HEIGHT, WIDTH = 3000, 8
EVERY = np.arange(40).reshape(-1, 1)  # ids of a table of which each step touches every row
made = fluid.optimizer
# those that leave untouched rows alone, and others
OPTIMIZERS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "sgd": (made.SGD, {}),
    "adam": (made.Adam, {"lazy_mode": True}),
    "adagrad": (made.Adagrad, {"initial_accumulator_value": 0.1}),
}
WHOLE: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "momentum": (made.Momentum, {"momentum": 0.9}),
    "adam": (made.Adam, {"regularization": fluid.regularizer.L2Decay(0.01)}),
    "sgd": (made.SGD, {"regularization": fluid.regularizer.L1Decay(0.01)}),
    "rmsprop": (made.RMSProp, {"momentum": 0.5, "centered": True}),
}
UNIFORM = fluid.initializer.Uniform(-0.5, 0.5)


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def network(
    kind: str, dist: bool, height: int = HEIGHT, optimizers: Any = OPTIMIZERS, initial: Any = UNIFORM, clip: Any = None, decays: bool = True
) -> Any:
    """Two look-ups of one table; the loss."""
    ids, y = [fluid.data(name, [None, 1], "int64") for name in ("first", "second")], fluid.data("y", [None, 1])
    attr = fluid.ParamAttr(name="table", initializer=initial)
    rows = [fluid.layers.embedding(i, [height, WIDTH], is_sparse=True, is_distributed=dist, param_attr=attr) for i in ids]
    flat = [fluid.layers.reshape(row, [-1, WIDTH]) for row in rows]
    out = fluid.layers.fc(fluid.layers.concat(flat, 1), 1, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Constant(0.3)))
    loss = fluid.layers.mean(fluid.layers.square_error_cost(out, y))
    if clip is not None:
        fluid.clip.set_gradient_clip(clip)
    optimizer, more = optimizers[kind]
    optimizer(fluid.layers.exponential_decay(0.1, 10, 0.9) if decays else 0.1, **more).minimize(loss)
    return loss


def batches(count: int, height: int = HEIGHT, every: Any = None) -> list[dict[str, Any]]:
    numbers = np.random.RandomState(0)
    found = []
    for _ in range(count):
        ids = numbers.randint(0, height, (2, 20, 1)) if every is None else [numbers.permutation(every) for _ in range(2)]
        found.append({"first": ids[0], "second": ids[1], "y": numbers.rand(len(ids[0]), 1).astype("float32")})
    return found


@pytest.mark.parametrize(("kind", "sync"), [*((kind, True) for kind in OPTIMIZERS), ("sgd", False)])
def test_touched_rows_train_as_in_one_process(kind: str, sync: bool) -> None:
    feeds = batches(30)
    here = alone(lambda: network(kind, False, decays=sync), feeds)
    with at_home(lambda: network(kind, True, decays=sync), sync=sync) as home:
        there = [home.run(feed)[0].item() for feed in feeds]
        assert not any(name.startswith("table.block") and "@GRAD" not in name for scope in home.scopes for name in scope.local_var_names())
        touched = {int(i) for feed in feeds for name in ("first", "second") for i in feed[name][:, 0]}
        assert sum(len(server.tables[f"table.block{i}"]) for i, server in enumerate(home.servers)) == len(touched)
        held = fluid.global_scope().find_var("table").get_tensor().value.untyped_storage().nbytes()
        assert held == 4  # the trainer has none
    np.testing.assert_allclose(there, here, rtol=1e-5)


@pytest.mark.parametrize("kind", WHOLE)
def test_tables_whose_rows_are_all_touched_train_as_parameters_do(kind: str) -> None:
    feeds = batches(20, every=EVERY)
    here = alone(lambda: network(kind, False, len(EVERY), WHOLE), feeds)
    with at_home(lambda: network(kind, True, len(EVERY), WHOLE), endpoints=ENDPOINTS[:1]) as home:
        there = [home.run(feed)[0].item() for feed in feeds]
    np.testing.assert_allclose(there, here, rtol=1e-5)


@pytest.mark.parametrize(
    "clip", [fluid.clip.GradientClipByValue(0.02), fluid.clip.GradientClipByNorm(0.05), fluid.clip.GradientClipByGlobalNorm(0.05)]
)
def test_gradients_of_rows_are_clipped_as_in_one_process(clip: Any) -> None:
    feeds = batches(10)
    here = alone(lambda: network("sgd", False, clip=clip), feeds)
    with at_home(lambda: network("sgd", True, clip=clip)) as home:
        there = [home.run(feed)[0].item() for feed in feeds]
    np.testing.assert_allclose(there, here, rtol=1e-5)


@pytest.mark.parametrize(
    "initial",
    [
        fluid.initializer.Constant(0.2),
        fluid.initializer.NumpyArrayInitializer(np.random.RandomState(0).rand(HEIGHT, WIDTH).astype("float32")),
    ],
)
def test_rows_begin_as_the_initializer_says(initial: Any) -> None:
    feeds = batches(3)
    here = alone(lambda: network("sgd", False, initial=initial), feeds)
    with at_home(lambda: network("sgd", True, initial=initial)) as home:
        there = [home.run(feed)[0].item() for feed in feeds]
    np.testing.assert_allclose(there, here, rtol=1e-5)


def test_wrong_ids_are_refused_and_the_job_goes_on() -> None:
    good, bad = batches(2)
    bad["second"][4] = HEIGHT
    with at_home(lambda: network("sgd", True)) as home:
        home.run(good)
        with pytest.raises(OutOfRangeError, match=f"ids of table `table`. Expected ids from 0 to {HEIGHT - 1}. Received: {HEIGHT}"):
            home.run(bad)
        assert np.isfinite(home.run(good)[0]).all()


def test_optimizers_that_look_at_the_whole_table_are_refused() -> None:
    with (
        pytest.raises(UnsupportedError, match="the optimizer's operator `lamb`"),
        at_home(lambda: network("lamb", True, optimizers={"lamb": (made.Lamb, {})})),
    ):
        pass
