"""One process of a job of `test_operators.py`: methods of Tensors, on dist tensors in each layout and on plain ones."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import paddle
import paddle.distributed as dist
from paddle.distributed.auto_parallel.api import dtensor_from_local
from paddle.distributed.fleet.utils import recompute

MESH = dist.ProcessMesh([0, 1], dim_names=["x"])
NUMBERS = np.arange(32, dtype="float32").reshape(4, 8) / 10
INDICES: list[Any] = [
    0, -1, slice(1, 3), (slice(None), 0), (..., slice(None, None, 2)), (None, slice(None)), slice(None, None, -1), [0, 2], (1, 2), ...,
    (slice(None), [1, 3]), (slice(None), slice(0, 8)),
]  # fmt: skip


def plain(differentiable: bool) -> Any:
    """A plain Tensor."""
    return paddle.to_tensor(NUMBERS, stop_gradient=not differentiable)


def laid(placement: Any) -> Callable[[bool], Any]:
    """What makes dist tensors of a placement."""

    def make(differentiable: bool) -> Any:
        if placement.is_partial():
            part = paddle.to_tensor(NUMBERS) * (0.25 if dist.get_rank() else 0.75)
            made = dtensor_from_local(part, MESH, [placement]).detach()
        else:
            made = dist.shard_tensor(paddle.to_tensor(NUMBERS), MESH, [placement]).detach()
        made.stop_gradient = not differentiable
        return made

    return make


class Squared(paddle.autograd.PyLayer):
    """x * x."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return grad * x * 2


def changed(make: Any, change: Callable[[Any], Any]) -> Any:
    """A Tensor without gradient after a change."""
    x = make(False)
    change(x)
    return x


def gradient(make: Any, function: Callable[[Any], Any]) -> Any:
    """The gradient that a function of a leaf leaves."""
    x = make(True)
    function(x)
    return x.grad


def written(x: Any) -> Any:
    """The sum of what an operator gave, a row of it overwritten."""
    y = x * 2
    y[0] = 1.0
    return y.sum()


def thrice(x: Any) -> None:
    """Three backward passes."""
    for loss in ((x * 2).sum(), (x * x).mean(), (x.sum(0) * 3).sum()):
        loss.backward()


def hooked(x: Any) -> None:
    """Hooks on a leaf and on what an operator gave."""
    y = x * 2
    y.register_hook(lambda grad: grad * 10)
    x.register_hook(lambda grad: grad + 1)
    (y * 3).sum().backward()


def leaf_written(make: Any) -> Any:
    """A leaf that is overwritten where gradients are off."""
    x = make(True)
    with paddle.no_grad():
        x.add_(paddle.to_tensor(NUMBERS))
        x.scale_(2.0)
        x[0] = 0.0
    assert x.is_leaf and not x.stop_gradient
    return x


def second(x: Any) -> Any:
    """The gradient of a gradient."""
    first = paddle.grad((x**3).mean(), x, create_graph=True)[0]
    return paddle.grad((first * x).mean(), x)[0]


def saved(x: Any) -> Any:
    """What a file holds."""
    path = f"{sys.argv[1]}/x{dist.get_rank()}.pdparams"
    paddle.save({"x": x}, path)
    return paddle.load(path)["x"]


def questions(make: Any) -> dict[str, Callable[[], Any]]:
    """What is asked of a Tensor."""
    x = make(False)
    found: dict[str, Callable[[], Any]] = {
        "float": lambda: float(x.sum()), "int": lambda: int(x.sum()), "bool": lambda: bool(x.sum() > 49), "item": lambda: x.item(3, 1),
        "list": lambda: x.tolist(), "len": lambda: len(x), "x + 1": lambda: x + 1, "1 - x": lambda: 1 - x, "-x": lambda: -x,
        "x < 1": lambda: x < 1, "x ** 2": lambda: x**2, "x / 2": lambda: x / 2, "2 / x": lambda: 2 / (x + 1), "array": lambda: x + NUMBERS,
        "mask": lambda: x[x > 1], "plain mask": lambda: x[paddle.to_tensor(NUMBERS) > 1], "places": lambda: x[paddle.to_tensor([0, 2])],
        "set row": lambda: changed(make, lambda x: x.__setitem__(slice(None), paddle.to_tensor(NUMBERS[0]))),
        "set mask": lambda: changed(make, lambda x: x.__setitem__(paddle.to_tensor(NUMBERS) > 1, 0.0)),
        "set array": lambda: changed(make, lambda x: x.__setitem__(0, NUMBERS[2])),
        "set dist": lambda: changed(make, lambda y: y.__setitem__(slice(1, 3), x[1:3] * 7)),
        "add_": lambda: changed(make, lambda x: x.add_(paddle.to_tensor(NUMBERS))),
        "scale_": lambda: changed(make, lambda x: x.scale_(2.0)),
        "zero_": lambda: changed(make, lambda x: x.zero_()), "fill_": lambda: changed(make, lambda x: x.fill_(3.0)),
        "exp_": lambda: changed(make, lambda x: x.exp_()), "reshape_": lambda: changed(make, lambda x: x.reshape_([8, 4])),
        "set_value": lambda: changed(make, lambda x: x.set_value(NUMBERS * 3)),
        "copy_": lambda: changed(make, lambda y: y.copy_(x * 2, True)),
        "clone": lambda: x.clone(), "cpu": lambda: x.cpu(), "T": lambda: x.T, "deepcopy": lambda: copy.deepcopy(x),
        "to_tensor": lambda: paddle.to_tensor(x.clone()) if x.is_dist() else x, "astype": lambda: x.astype("float64"),
        "rows": lambda: [row.tolist() for row in x], "no_grad": lambda: leaf_written(make), "saved": lambda: saved(x),
        "written": lambda: gradient(make, lambda x: written(x).backward()), "thrice": lambda: gradient(make, thrice),
        "parts": lambda: gradient(make, lambda x: (x[1:3] * x[:, 0].sum()).sum().backward()), "hooked": lambda: gradient(make, hooked),
        "seed": lambda: gradient(make, lambda x: (x * 2).backward(paddle.to_tensor(NUMBERS))), "second": lambda: second(make(True)),
        "PyLayer": lambda: gradient(make, lambda x: Squared.apply(x).sum().backward()),
        "max": lambda: gradient(make, lambda x: x.max().backward()),
        "recompute": lambda: gradient(make, lambda x: recompute(lambda y: paddle.tanh(y) * y, x).sum().backward()),
        "concat": lambda: paddle.concat([paddle.to_tensor(NUMBERS), x]), "stack": lambda: paddle.stack([x, paddle.to_tensor(NUMBERS)]),
    }  # fmt: skip
    for index in INDICES:
        found[f"x[{index}]"] = lambda index=index: x[index]
        found[f"x[{index}] = 5"] = lambda index=index: changed(make, lambda x: x.__setitem__(index, 5.0))
    return found


def refused() -> None:
    """What no process takes."""
    x = dist.shard_tensor(paddle.to_tensor(NUMBERS), MESH, [dist.Shard(0)])
    other = dist.shard_tensor(paddle.to_tensor(NUMBERS), dist.ProcessMesh([1, 0]), [dist.Replicate()])
    for wrong in (lambda: x + other, lambda: paddle.concat([x, other]), lambda: paddle.matmul(x, x), lambda: x + paddle.ones([3, 8])):
        try:
            wrong()
        except ValueError as error:
            assert "Expected" in str(error) and "Received" in str(error), error
        else:
            raise AssertionError("it was taken")


def main() -> None:
    paddle.seed(1)
    refused()
    wanted = {name: ask() for name, ask in questions(plain).items()}
    for placement in (dist.Shard(0), dist.Shard(1), dist.Replicate(), dist.Partial()):
        for name, ask in questions(laid(placement)).items():
            got, other = (value.numpy() if isinstance(value, paddle.Tensor) else np.array(value) for value in (ask(), wanted[name]))
            assert np.allclose(got, other, atol=1e-5), (name, placement, got, other)
    kept = changed(laid(dist.Shard(0)), lambda x: x.set_value(NUMBERS))
    assert kept.placements == [dist.Shard(0)] and kept._local_shape == [2, 8]
    print("nothing differs")


main()
