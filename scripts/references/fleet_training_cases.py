"""Static training by fleet (2.6.2): losses of one process on whole batches, which the mean of two processes on halves must equal."""

from __future__ import annotations

from typing import Any

WHEELS = ("2.6.2",)
STEPS, BATCH = 4, 12
# network, optimizer, what the strategy asks for
CASES = (
    ("tables", "SGD", ""), ("tables", "Adam", ""), ("branches", "Momentum", ""), ("branches", "Adam", "merge"), ("layers", "RMSProp", ""),
    ("layers", "Momentum", "recompute"), ("recurrent", "Adam", ""), ("images", "Momentum", "merge"), ("images", "Momentum", "lars"),
)  # fmt: skip


def tables(paddle: Any, x: Any, y: Any) -> Any:
    """One sparse table, looked up twice."""
    table = paddle.ParamAttr(name="table")
    first, second = (paddle.static.nn.embedding(y, [10, 8], is_sparse=True, param_attr=table) for _ in range(2))
    return paddle.concat([paddle.squeeze(first * second, 1), paddle.static.nn.fc(x, 4)], -1)


def branches(paddle: Any, x: Any, y: Any) -> Any:
    """A branch and a loop."""
    hidden = paddle.static.nn.fc(x, 16)
    hidden = paddle.static.nn.cond(paddle.shape(x)[0] > 3, lambda: paddle.tanh(hidden), lambda: hidden)
    begin = paddle.full([1], 0, "int64")
    return paddle.static.nn.while_loop(lambda i, h: i < 2, lambda i, h: (i + 1, h * 1.5), [begin, hidden])[1]


def layers(paddle: Any, x: Any, y: Any) -> Any:
    """Layers of eager mode in a Program."""
    hidden = paddle.nn.LayerNorm(16)(paddle.nn.Linear(100, 16)(x))
    return paddle.nn.Sequential(paddle.nn.Linear(16, 16), paddle.nn.ReLU())(hidden) + hidden


def recurrent(paddle: Any, x: Any, y: Any) -> Any:
    """A recurrent network."""
    return paddle.mean(paddle.nn.LSTM(10, 8)(paddle.reshape(x, [-1, 10, 10]))[0], 1)


def images(paddle: Any, x: Any, y: Any) -> Any:
    """A convolution."""
    functional = paddle.nn.functional
    return functional.max_pool2d(functional.relu(paddle.static.nn.conv2d(paddle.reshape(x, [-1, 1, 10, 10]), 4, 3)), 2)


def optimizer(paddle: Any, name: str) -> Any:
    """An optimizer with a schedule, and with what else goes with its kind."""
    rates, clips = paddle.optimizer.lr, paddle.nn
    if name == "SGD":
        return paddle.optimizer.SGD(rates.ExponentialDecay(0.1, 0.5))
    if name == "Momentum":
        rate = rates.PiecewiseDecay([2, 3], [0.1, 0.05, 0.01])
        return paddle.optimizer.Momentum(rate, 0.9, weight_decay=paddle.regularizer.L2Decay(1e-3))
    if name == "Adam":
        return paddle.optimizer.Adam(rates.NoamDecay(16, 4), grad_clip=clips.ClipGradByGlobalNorm(0.05))
    return paddle.optimizer.RMSProp(rates.CosineAnnealingDecay(0.01, 5), grad_clip=clips.ClipGradByValue(0.01))


def batch(step: int, rank: int, size: int) -> dict[str, Any]:
    """A worker's part of a batch."""
    import numpy as np

    draw = np.random.RandomState(step)
    whole = {"x": draw.rand(BATCH, 100).astype("float32"), "y": draw.randint(0, 10, (BATCH, 1)).astype("int64")}
    each = BATCH // size
    return {name: values[rank * each : rank * each + each] for name, values in whole.items()}


def trained(paddle: Any, fleet: Any, case: tuple[str, str, str], rank: int = 0, size: int = 1) -> list[float]:
    """The losses of some steps, and one of the test Program on a whole batch."""
    network, kind, asked = case
    main, startup = paddle.static.Program(), paddle.static.Program()
    main.random_seed = startup.random_seed = 5
    paddle.seed(5)
    with paddle.static.scope_guard(paddle.static.Scope()), paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        x, y = paddle.static.data("x", [None, 100]), paddle.static.data("y", [None, 1], "int64")
        loss = paddle.nn.functional.cross_entropy(paddle.static.nn.fc(globals()[network](paddle, x, y), 10), y)
        test = main.clone(for_test=True)
        strategy = fleet.DistributedStrategy()
        strategy.gradient_merge, strategy.recompute, strategy.lars = asked == "merge", asked == "recompute", asked == "lars"
        if asked == "merge":
            strategy.gradient_merge_configs = {"k_steps": 2, "avg": True}
        if asked == "recompute":
            strategy.recompute_configs = {"checkpoints": [main.global_block().ops[2].output("Out" if network != "layers" else "Y")[0]]}
        fleet.init(is_collective=True, strategy=strategy)
        made = optimizer(paddle, kind)
        fleet.distributed_optimizer(made).minimize(loss)
        run = paddle.static.Executor()
        run.run(startup)
        found = []
        for step in range(STEPS):
            found.append(float(run.run(main, feed=batch(step, rank, size), fetch_list=[loss.name])[0]))
            made._learning_rate.step()
        return [*found, float(run.run(test, feed=batch(9, 0, 1), fetch_list=[loss])[0])]


def recordings(version: str) -> dict[str, Any]:
    """The data file."""

    def record() -> dict[str, Any]:
        import paddle
        from paddle.distributed import fleet

        paddle.enable_static()
        return {" ".join(case): trained(paddle, fleet, case) for case in CASES}

    return {"fleet_training_2.6.2.json": record}
