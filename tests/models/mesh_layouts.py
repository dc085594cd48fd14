"""Tensors laid on meshes of two or four processes: `python mesh_layouts.py FOLDER WHAT` writes what this process has of each.

`layouts` and `moves` run on the real Paddle, too.
"""

import itertools
import json
import os
import sys

import numpy as np
import paddle
import paddle.distributed as dist
from paddle.distributed import Partial, ReduceType, Replicate, Shard

KINDS = {
    "whole": Replicate(), "rows": Shard(0), "columns": Shard(1), "sum": Partial(), "mean": Partial(ReduceType.kRedAvg),
    "max": Partial(ReduceType.kRedMax), "min": Partial(ReduceType.kRedMin),
}  # fmt: skip
FEW = ("whole", "rows", "columns", "sum")


def data(shape, kind="float32"):
    """Numbers below zero, too: what is left zero by mistake would be the largest of them."""
    return (np.arange(np.prod(shape)).reshape(shape) - np.prod(shape) // 2).astype(kind)


def shown(value):
    """What this process has of a dist tensor."""
    if value is None or not value.is_dist():
        return None if value is None else [value.shape, value.tolist(), value.stop_gradient, type(value).__name__]
    local = value._local_value()
    mesh = value.process_mesh
    held = local.numpy().tolist() if mesh.contains(dist.get_rank()) and 0 not in local.shape else None
    about = [list(value.shape), str(value.dtype), value.stop_gradient, [str(each) for each in value.placements], type(value).__name__]
    return [*about, [mesh.shape, mesh.process_ids, mesh.dim_names], held]


def linear():
    """A layer of which all processes have the same."""
    layer = paddle.nn.Linear(2, 2)
    layer.weight.set_value(data([2, 2]))
    return layer


def piece(placements, gradient):
    """A piece of a tensor, and the gradient that goes back through it."""
    mesh = dist.ProcessMesh([0, 1])
    whole = dist.shard_tensor(paddle.to_tensor(data([4, 2]), stop_gradient=False), mesh, placements)
    local = dist.auto_parallel.api.dtensor_to_local(whole, mesh, gradient)
    (local * (dist.get_rank() + 1.0)).sum().backward()
    return [local.is_dist(), local.tolist(), shown(whole.grad)[3:]]


def layouts():
    """What shard_tensor and its like make."""
    mesh, one, row = dist.ProcessMesh([0, 1], dim_names=["x"]), dist.ProcessMesh([1]), dist.ProcessMesh([[0, 1]], dim_names=["a", "b"])

    def x(kind="float32"):
        return paddle.to_tensor(data([4, 2], kind))

    frozen = linear().weight
    frozen.trainable = False
    local = dist.auto_parallel.api.dtensor_from_local
    cases = {
        "no dimensions": lambda: shown(dist.shard_tensor(paddle.to_tensor(3.0), mesh, [Replicate()])),
        "no rows": lambda: shown(dist.shard_tensor(paddle.zeros([0, 2]), mesh, [Shard(0)])),
        "integers": lambda: shown(dist.shard_tensor(x("int32"), mesh, [Shard(0)])),
        "truth": lambda: shown(dist.shard_tensor(paddle.to_tensor([True, False]), mesh, [Shard(0)])),
        "array": lambda: shown(dist.shard_tensor(np.ones([2, 2]), mesh, [Shard(1)])),
        "array of a type": lambda: shown(dist.shard_tensor(np.ones([2, 2], "float32"), mesh, [Shard(1)], dtype="float64")),
        "list": lambda: shown(dist.shard_tensor([1.5, 2.5], mesh, [Shard(0)], stop_gradient=False)),
        "number": lambda: shown(dist.shard_tensor(2, mesh, [Replicate()])),
        "of a type": lambda: shown(dist.shard_tensor(x(), mesh, [Shard(0)], dtype="float64")),
        "keeps stop_gradient": lambda: shown(dist.shard_tensor(x(), mesh, [Shard(0)], stop_gradient=False)),
        "at a place": lambda: shown(dist.shard_tensor(x(), mesh, [Shard(0)], place=paddle.CPUPlace())),
        "parameter": lambda: shown(dist.shard_tensor(linear().weight, mesh, [Shard(0)])),
        "name": lambda: dist.shard_tensor(frozen, mesh, [Shard(0)]).name == frozen.name + ".dist",
        "frozen": lambda: shown(dist.shard_tensor(frozen, mesh, [Shard(0)])),
        "sum": lambda: shown(dist.shard_tensor(x(), mesh, [Partial()])),
        "mean": lambda: shown(dist.shard_tensor(x(), mesh, [KINDS["mean"]])),
        "uneven": lambda: shown(dist.shard_tensor(paddle.to_tensor(data([3, 2])), mesh, [Shard(0)])),
        "elsewhere": lambda: shown(dist.shard_tensor(x(), one, [Shard(0)])),
        "pieces": lambda: shown(local(x() + dist.get_rank(), mesh, [Shard(1)])),
        "parts": lambda: shown(local(x() + dist.get_rank(), mesh, [KINDS["max"]])),
        "made": lambda: shown(dist.dtensor_from_fn(paddle.ones, mesh, [Shard(0)], [4, 2])),
        "taken apart": lambda: shown(dist.unshard_dtensor(dist.shard_tensor(x(), mesh, [Shard(0)]))),
        "parameter taken apart": lambda: shown(dist.unshard_dtensor(dist.shard_tensor(linear().weight, mesh, [Replicate()]))),
        "piece of rows": lambda: piece([Shard(0)], [Shard(0)]),
        "piece of the whole": lambda: piece([Replicate()], [Partial()]),
        "counts": lambda: [dist.shard_tensor(x(), m, p).num_shard for m, p in ((mesh, [Shard(0)]), (row, [Shard(0), Shard(1)]))],
        "local shape": lambda: dist.shard_tensor(x(), mesh, [Shard(0)])._local_shape,
        "as text": lambda: dist.shard_tensor(x(), mesh, [Shard(0)])._placements_str,
        "printed": lambda: str(dist.shard_tensor(x(), mesh, [Shard(0)])),
        "printed sum": lambda: repr(dist.shard_tensor(x(), mesh, [Partial()])),
        "printed number": lambda: str(dist.shard_tensor(paddle.to_tensor(3.0), mesh, [Replicate()])),
        "printed parameter": lambda: str(dist.shard_tensor(linear().bias, mesh, [Replicate()])),
        "printed elsewhere": lambda: str(dist.shard_tensor(x(), one, [Replicate()])),
        "normalisation": lambda: {
            key: shown(value) for key, value in dist.shard_layer(paddle.nn.BatchNorm1D(2), mesh).state_dict().items()
        },
    }  # fmt: skip
    return {name: make() for name, make in cases.items()}


def moved(shape, old, new, mesh, gradients=True):
    """A tensor laid out anew: this process's part, all of it, and the gradient of its square."""
    x = paddle.to_tensor(data(shape), stop_gradient=not gradients)
    laid = dist.shard_tensor(x, mesh, [KINDS[each] for each in old])
    out = dist.reshard(laid, mesh, [KINDS[each] for each in new])
    return laid, out


def moves():
    """Every pair of ways in which the real one lays a tensor out anew over gloo."""
    mesh = dist.ProcessMesh([0, 1])
    pairs = itertools.product(("whole", "rows", "sum"), ("whole", "rows", "columns", "sum"))
    pairs = [pair for pair in pairs if pair not in (("rows", "columns"), ("rows", "sum"), ("sum", "rows"), ("sum", "columns"))]
    found = {f"{old} to {new}": shown(moved([4, 6], [old], [new], mesh)[1]) for old, new in pairs}
    for kind in (ReduceType.kRedAny, ReduceType.kRedAll):
        for values in ([True, False, dist.get_rank() == 0], [2.0, 0.0, dist.get_rank()]):
            parts = dist.auto_parallel.api.dtensor_from_local(paddle.to_tensor(values), mesh, [Partial(kind)])
            found[f"{kind.name} of {parts.dtype}"] = [shown(parts), shown(dist.reshard(parts, mesh, [Replicate()]))]
    truth = dist.shard_tensor(paddle.to_tensor([[True, False], [True, True]]), mesh, [Shard(0)])
    for name, reduction in (("any", paddle.any), ("all", paddle.all)):
        found[name] = [shown(reduction(truth, axis)) for axis in (None, 0, 1)]
    return found


def counted(old, new, shape, mesh):
    """What a move gives and costs."""
    from torch.distributed.tensor.debug import CommDebugMode

    with CommDebugMode() as seen:
        laid, out = moved(shape, old, new, mesh)
    calls = {str(kind).rpartition(".")[2]: count for kind, count in seen.get_comm_counts().items() if count}
    found = {"local": out._local_value().numpy().tolist(), "placements": [str(each) for each in out.placements], "calls": calls}
    found["whole"] = dist.unshard_dtensor(out).tolist()
    (out * out).sum().backward()
    found["gradient"] = dist.unshard_dtensor(laid.grad).tolist()
    return found


def two():
    """All pairs on two processes."""
    mesh = dist.ProcessMesh([0, 1])
    cases = (([4, 6], KINDS), ([5, 3], FEW), ([1, 3], FEW))
    pairs = [(shape, old, new) for shape, kinds in cases for old in kinds for new in kinds]
    return {f"{old} to {new} {shape}": counted([old], [new], shape, mesh) for shape, old, new in pairs}


def four():
    """Pairs on a mesh of two by two, moves between meshes, and a model over two of them."""
    square = dist.ProcessMesh([[0, 1], [2, 3]])
    ways = list(itertools.product(FEW, FEW))
    pairs = [(old, new) for old in ways for new in ways[::5]]
    found = {f"{old} to {new}": dist.unshard_dtensor(moved([5, 3], old, new, square, False)[1]).tolist() for old, new in pairs}
    meshes = ([0], [0, 1], [2, 3], [0, 1, 2, 3], [[3, 2], [1, 0]], [1, 3, 0])
    every = dist.ProcessMesh([0, 1, 2, 3])
    for a, b in itertools.product(meshes, meshes):
        for old, new in (("rows", "columns"), ("sum", "rows"), ("columns", "sum")):
            x = dist.shard_tensor(paddle.to_tensor(data([5, 3])), dist.ProcessMesh(a), [KINDS[old]])
            out = dist.reshard(x, dist.ProcessMesh(b), [KINDS[new]])
            back = dist.reshard(out, every, [Replicate()])
            found[f"{a} {old} to {b} {new}"] = [out.shape, back._local_value().tolist()]
    first, second = dist.ProcessMesh([0, 1]), dist.ProcessMesh([2, 3])
    x = dist.shard_tensor(paddle.to_tensor(data([4, 2]), stop_gradient=False), first, [Shard(0)])
    w = dist.shard_tensor(paddle.to_tensor(data([2, 2]), stop_gradient=False), second, [Shard(1)])
    y = paddle.matmul(dist.reshard(x * 2, second, [Replicate()]), w)
    (y * y).mean().backward()
    found["pipeline"] = [shown(x.grad), shown(w.grad)]
    return found


if __name__ == "__main__":
    paddle.set_device("cpu")
    dist.init_parallel_env()
    written = {"layouts": layouts, "moves": moves, "two": two, "four": four}[sys.argv[2]]()
    with open(os.path.join(sys.argv[1], str(dist.get_rank())), "w") as file:
        json.dump(written, file)
