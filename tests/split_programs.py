"""Programs whose layers' weights two processes share out: run by the processes of `collective_job.py`, and whole by one for comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import paddle_compat as paddle
from paddle_compat import static
from paddle_compat.distributed import fleet

SHAPES = {"w": (4, 6), "v": (6, 4), "b": (6,), "c": (4,), "table": (8, 4)}
IDS = np.array([[0, 3], [4, 7], [2, 5]])


def whole(name: str) -> np.ndarray:
    """A whole weight."""
    return np.random.RandomState(len(name) + ord(name[0])).randn(*SHAPES[name]).astype("float32")


def part(name: str, axis: int, rank: int | None) -> np.ndarray:
    """A rank's part of a weight along an axis; None: the whole of it."""
    return whole(name) if rank is None else np.split(whole(name), 2, axis)[rank]


def attr(name: str, axis: int | None, rank: int | None) -> Any:
    """A ParamAttr that starts from a part of the weight; axis None: from the whole of it on every rank."""
    value = part(name, axis, rank) if axis is not None else whole(name)
    return paddle.ParamAttr(name=name, initializer=paddle.nn.initializer.Assign(value))


def _linear(x: Any, w: str, b: str, axis: int, rank: int | None, gather: bool = True) -> Any:
    size = SHAPES[w]
    weight, bias = attr(w, axis, rank), attr(b, 0 if axis else None, rank)
    if rank is None:
        return paddle.nn.Linear(*size, weight_attr=weight, bias_attr=bias)(x)
    return paddle.distributed.split(x, size, "linear", axis=axis, num_partitions=2, gather_out=gather, weight_attr=weight, bias_attr=bias)


def rows(x: Any, rank: int | None) -> Any:
    """A layer whose rows are shared out."""
    return _linear(x, "w", "b", 0, rank)


def columns(x: Any, rank: int | None) -> Any:
    """A layer whose columns are shared out."""
    return _linear(x, "w", "b", 1, rank)


def both(x: Any, rank: int | None) -> Any:
    """Columns, then rows, with no meeting between them."""
    return _linear(paddle.tanh(_linear(x, "w", "b", 1, rank, gather=False)), "v", "c", 0, rank)


def words(x: Any, rank: int | None) -> Any:
    """A table whose rows are shared out, with what was fed beside it."""
    ids, table = paddle.assign(IDS), attr("table", 0, rank)
    if rank is None:
        found = paddle.nn.Embedding(*SHAPES["table"], weight_attr=table)(ids)
    else:
        found = paddle.distributed.split(ids, SHAPES["table"], "embedding", num_partitions=2, weight_attr=table)
    return paddle.tanh(found * x.reshape([3, 1, 4]))


NETS: dict[str, Callable[[Any, int | None], Any]] = {"rows": rows, "columns": columns, "both": both, "words": words}
X = np.random.RandomState(1).randn(3, 4).astype("float32")


def answers(net: str, rank: int | None, by_fleet: bool = False) -> dict[str, Any]:
    """What a net gives, its gradients, and the parameters after two steps; rank None: of one process with whole weights."""
    main, start = static.Program(), static.Program()
    with static.program_guard(main, start), paddle.utils.unique_name.guard(), static.scope_guard(static.Scope()):
        x = static.data("x", [3, 4])
        x.stop_gradient = False
        scaled = x * static.create_parameter([4], "float32", attr=paddle.ParamAttr("scale", paddle.nn.initializer.Constant(0.5)))
        y = NETS[net](scaled, rank)
        loss = paddle.mean(y * y)
        optimizer: Any = paddle.optimizer.Momentum(0.1)
        if by_fleet:
            optimizer = fleet.distributed_optimizer(optimizer)
        _, pairs = optimizer.minimize(loss)
        pairs = sorted((p.name, g.name) for p, g in pairs)
        exe = static.Executor(paddle.CPUPlace())
        exe.run(start)
        wanted = [y, *(g for _, g in pairs)]
        first = exe.run(main, feed={"x": X}, fetch_list=wanted)
        exe.run(main, feed={"x": X})
        scope = static.global_scope()
        return {
            "y": first[0].tolist(),
            "gradients": {name: value.tolist() for (name, _), value in zip(pairs, first[1:])},
            "parameters": {name: np.array(scope.find_var(name).get_tensor()).tolist() for name, _ in pairs},
            "operators": [op.type for op in main.global_block().ops if op.type.startswith(("c_", "mp_"))],
            "apart": sorted(p.name for p in main.all_parameters() if p.is_distributed),
        }
