"""What `paddle.flops` counts in Programs."""

from __future__ import annotations

import contextlib
import io
from typing import Any

WHEELS = ("2.6.2",)


def _trained(paddle: Any) -> None:
    paddle.optimizer.SGD(0.1).minimize(paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [4, 6]), 3)))


def _network(paddle: Any) -> None:
    hidden = paddle.static.nn.conv2d(paddle.static.data("x", [2, 3, 8, 8]), 4, 3, act="relu")
    paddle.static.nn.fc(paddle.nn.functional.max_pool2d(paddle.static.nn.batch_norm(hidden), 2), 5)


CASES = {
    "fc": lambda paddle: paddle.static.nn.fc(paddle.static.data("x", [None, 6]), 3),
    "fc of three dimensions": lambda paddle: paddle.static.nn.fc(paddle.static.data("x", [4, 2, 6]), 3, num_flatten_dims=2),
    "matmul": lambda paddle: paddle.matmul(paddle.static.data("x", [4, 6]), paddle.static.data("y", [6, 3])),
    "division": lambda paddle: paddle.static.data("x", [4, 6]) / paddle.static.data("y", [6]),
    "strided": lambda paddle: paddle.static.nn.conv2d(paddle.static.data("x", [None, 3, 8, 8]), 4, 3, stride=2, padding=1),
    "groups": lambda paddle: paddle.static.nn.conv2d(paddle.static.data("x", [2, 4, 8, 8]), 4, 3, groups=2, bias_attr=False),
    "depthwise": lambda paddle: paddle.static.nn.conv2d(
        paddle.static.data("x", [2, 4, 8, 8]), 4, 3, groups=4, bias_attr=False, use_cudnn=False
    ),
    "pool": lambda paddle: paddle.nn.functional.avg_pool2d(paddle.static.data("x", [2, 3, 8, 8]), 3, stride=1),
    "global pool": lambda paddle: paddle.nn.functional.adaptive_avg_pool2d(paddle.static.data("x", [2, 3, 8, 8]), 1),
    "transposed": lambda paddle: paddle.static.nn.conv2d_transpose(paddle.static.data("x", [2, 3, 8, 8]), 4, filter_size=3),
    "layer norm": lambda paddle: paddle.static.nn.layer_norm(paddle.static.data("x", [2, 3, 8])),
    "trained": _trained,
    "network": _network,
}


def counted(paddle: Any, name: str) -> list[Any]:
    """The count, and the table that is printed."""
    program, printed = paddle.static.Program(), io.StringIO()
    with paddle.static.program_guard(program, paddle.static.Program()), paddle.utils.unique_name.guard():
        CASES[name](paddle)
    with contextlib.redirect_stdout(printed):
        count = paddle.flops(program, [1, 3, 8, 8], print_detail=True)
    return [float(count), printed.getvalue()]


def record() -> dict[str, Any]:
    """All cases."""
    import paddle

    paddle.enable_static()
    return {name: counted(paddle, name) for name in CASES}


def recordings(version: str) -> dict[str, Any]:
    """The files recorded from a wheel."""
    return {"program_flops.json": record}
