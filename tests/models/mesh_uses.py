"""Layers, loaders and checkpoints over meshes of one, two or four processes: `python mesh_uses.py FOLDER WHAT` writes what is found."""

import json
import os
import signal
import sys
import time

import numpy as np
import paddle
import paddle.distributed as dist
from paddle.distributed import Partial, Replicate, Shard

FOLDER = sys.argv[1]


def said(call):
    """What a call is refused with."""
    try:
        return [None, str(call())]
    except Exception as error:
        return [[kind.__name__ for kind in type(error).__mro__], str(error)]


def layers():
    """`shard_layer`, `LocalLayer`, `local_map`."""
    mesh = dist.ProcessMesh([0, 1])
    paddle.seed(0)
    net = paddle.nn.Sequential(paddle.nn.Linear(2, 4), paddle.nn.BatchNorm1D(4), paddle.nn.Linear(4, 2), paddle.nn.Linear(2, 4))
    net[3].weight = net[0].weight
    x = paddle.to_tensor(np.arange(8, dtype="float32").reshape(4, 2))
    expected = net(x).tolist()

    def cut(name, layer, mesh):
        if name == "2":
            layer.weight = dist.shard_tensor(layer.weight, mesh, [Shard(0)])

    dist.shard_layer(
        net, mesh, cut, lambda inputs, mesh: tuple(dist.shard_tensor(each, mesh, [Shard(0)]) for each in inputs),
        lambda out, mesh: dist.reshard(out, mesh, [Replicate()]),
    )  # fmt: skip
    found = {"placements": {name: str(value.placements) for name, value in net.state_dict().items()}}
    found["shared"] = net[3].weight is net[0].weight
    out = net(x)
    found["out"] = [str(out.placements), out.tolist(), expected]

    class Local(dist.LocalLayer):
        def forward(self, x):
            return (x * (dist.get_rank() + 1)).sum()

    for name, made in {
        "local layer": lambda: Local([(mesh, [Partial()])], [None]),
        "local map": lambda: dist.local_map(lambda x: (x * (dist.get_rank() + 1)).sum(), [[Partial()]], [[Shard(0)]]),
        "resharded": lambda: dist.local_map(lambda x: x.sum() * 2, [[Partial()]], [[Shard(1)]], mesh, reshard_inputs=True),
    }.items():
        given = dist.shard_tensor(paddle.to_tensor(np.arange(8, dtype="float32").reshape(4, 2), stop_gradient=False), mesh, [Shard(0)])
        total = made()(given)
        total.backward()
        found[name] = [str(total.placements), dist.unshard_dtensor(total).item(), dist.unshard_dtensor(given.grad).tolist()]
    given = dist.shard_tensor(x, mesh, [Shard(0)])
    found["refused"] = {
        "other placements": said(lambda: dist.local_map(lambda x: x, [[Shard(0)]], [[Replicate()]])(given)),
        "too few": said(lambda: dist.local_map(lambda x: x, [])(given)),
        "attributes": said(lambda: Local([], [None])(given)),
        "inputs": said(lambda: Local([], [])(given)),
    }
    return found


class Rows(paddle.io.Dataset):
    """Rows of two numbers with their numbers, or the same by names; counts how often it is asked."""

    asked = 0

    def __init__(self, named=False):
        self.named = named

    def __getitem__(self, index):
        Rows.asked += 1
        row = np.full(2, index, "float32")
        return {"x": [row, row + 0.5], "y": index} if self.named else (row, index)

    def __len__(self):
        return 10


def values(batch):
    if isinstance(batch, (list, tuple)):
        return [values(each) for each in batch]
    if isinstance(batch, dict):
        return {key: values(each) for key, each in batch.items()}
    return [str(batch.placements), batch.process_mesh.process_ids, batch._local_value().tolist()] if batch.is_dist() else batch.tolist()


def loaders():
    """`shard_dataloader`."""
    dp, mp = dist.ProcessMesh([0, 1], dim_names=["dp"]), dist.ProcessMesh([[0, 1]], dim_names=["dp", "mp"])
    first, second = dist.ProcessMesh([0], dim_names=["dp"]), dist.ProcessMesh([1], dim_names=["dp"])

    def loader(named=False, **given):
        return paddle.io.DataLoader(Rows(named), batch_size=4, **given)

    cases = {
        "whole": lambda: dist.shard_dataloader(loader(), dp),
        "by name": lambda: dist.shard_dataloader(loader(), [dp], shard_dims="dp"),
        "by number": lambda: dist.shard_dataloader(loader(), mp, shard_dims=1),
        "split before": lambda: dist.shard_dataloader(loader(), dp, shard_dims="dp", is_dataset_splitted=True),
        "meshes": lambda: dist.shard_dataloader(loader(), [first, second], shard_dims="dp"),
        "names": lambda: dist.shard_dataloader(loader(named=True), dp, input_keys=["y", "x"], shard_dims="dp"),
        "plain ones": lambda: dist.shard_dataloader(loader(named=True), dp, shard_dims="dp", dense_tensor_idx=[[1], []]),
        "dropped": lambda: dist.shard_dataloader(loader(drop_last=True), dp, shard_dims="dp"),
    }
    found = {}
    for name, make in cases.items():
        made = make()
        before = Rows.asked
        found[name] = {"batches": [values(batch) for batch in made()], "length": len(made), "size": made.batch_size}
        found[name]["again"] = [values(batch) for batch in made] == found[name]["batches"]
        found[name]["read"] = before
        Rows.asked = 0
    shuffled = dist.shard_dataloader(loader(shuffle=True), dp, shard_dims="dp")
    found["shuffled"] = sorted(int(n) for _, y in shuffled for n in dist.unshard_dtensor(y).tolist())
    found["refused"] = {
        "no meshes": said(lambda: dist.shard_dataloader(loader(), [])),
        "no dimension": said(lambda: dist.shard_dataloader(loader(), dp, is_dataset_splitted=True)),
        "dimensions": said(lambda: dist.shard_dataloader(loader(), [dp], shard_dims=["dp", "dp"])),
        "both meshes": said(lambda: dist.shard_dataloader(loader(), [dist.ProcessMesh([0, 1]), dist.ProcessMesh([1, 0])])),
        "too small": said(lambda: dist.shard_dataloader(paddle.io.DataLoader(Rows()), dp, shard_dims="dp")),
        "inputs": said(lambda: next(iter(dist.shard_dataloader(loader(), [dp, dp, dp])))),
    }
    return found


def trained(net, optimizer, mesh, steps):
    """Losses on the same data, whatever the mesh."""
    x = dist.shard_tensor(paddle.to_tensor(np.linspace(-1, 1, 32, dtype="float32").reshape(8, 4)), mesh, [Replicate()])
    losses = []
    for _ in range(steps):
        loss = (net(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss.numpy()))
    return losses


def model(mesh, way, shift):
    """A model with parameters of its own in every run, and its optimizer."""
    paddle.seed(shift)
    net = paddle.nn.Sequential(paddle.nn.Linear(4, 6), paddle.nn.Tanh(), paddle.nn.Linear(6, 4))
    for layer, dim in ((net[0], 1), (net[2], 0)):
        layer.weight = dist.shard_tensor(layer.weight, mesh, [Shard(dim if way == "columns" else 1 - dim)])
    dist.shard_layer(net, mesh)
    names = [param.name for param in net.parameters()]
    return net, paddle.optimizer.Momentum(0.1, 0.9, net.parameters()), names


def state(net, optimizer, names):
    """All that a step needs, by names that do not depend on the run."""
    known = {name: str(i) for i, name in enumerate(names)}
    moments = {}
    for key, value in optimizer.state_dict().items():
        owner = [name for name in names if key.startswith(name)]
        if owner:
            moments[known[max(owner, key=len)]] = value
    return {"net": dict(net.state_dict()), "optimizer": moments}


def saved():
    """Two steps, a checkpoint, and one step more."""
    written = []
    sys.addaudithook(lambda event, given: written.append(str(given[0])) if event == "open" and "w" in str(given[1]) else None)
    mesh = dist.ProcessMesh([0, 1])
    net, optimizer, names = model(mesh, "columns", 1)
    trained(net, optimizer, mesh, 2)
    kept = state(net, optimizer, names)
    kept["plain"] = paddle.to_tensor(3.5)
    kept["half"] = dist.shard_tensor(paddle.arange(6).astype("bfloat16"), mesh, [Shard(0)])
    kept["partial"] = dist.shard_tensor(paddle.arange(3.0), mesh, [Partial()])
    dist.save_state_dict(kept, os.path.join(FOLDER, "kept"))
    later = {"plain": paddle.to_tensor(4.5), "cut": dist.shard_tensor(paddle.arange(3.0), mesh, [Shard(0)])}
    dist.save_state_dict(later, os.path.join(FOLDER, "kept"), async_save=True)
    for tensor in later.values():
        tensor.zero_()  # what was saved are copies
    return {
        "losses": trained(net, optimizer, mesh, 1),
        "metadata": [os.path.basename(name) for name in written if name.endswith(".metadata")],
        "moments": len(kept["optimizer"]),
        "refused": {
            "no dict": said(lambda: dist.save_state_dict([1], os.path.join(FOLDER, "none"))),
            "no tensor": said(lambda: dist.save_state_dict({"a": 1}, os.path.join(FOLDER, "none"))),
            "later": said(lambda: dist.save_state_dict({}, os.path.join(FOLDER, "none"), safetensors=True)),
            "no such process": said(lambda: dist.save_state_dict({}, os.path.join(FOLDER, "none"), coordinator_rank=2)),
        },
    }


def squared(path):
    """A line's tensor loaded on a square, and a square's on a line that has two of its processes, in another order."""
    square, line = dist.ProcessMesh([[0, 1], [2, 3]]), dist.ProcessMesh([3, 0])
    on_square = dist.shard_tensor(paddle.zeros([6], "bfloat16"), square, [Shard(0), Shard(0)])
    dist.load_state_dict({"half": on_square}, path, unique_id=0)
    numbers = paddle.to_tensor(np.arange(15, dtype="float32").reshape(5, 3))
    dist.save_state_dict({"opt": {"m": dist.shard_tensor(numbers, square, [Shard(1), Shard(0)])}}, path + "2")
    on_line, plain = dist.shard_tensor(paddle.zeros([5, 3]), line, [Shard(1)]), paddle.zeros([5, 3])
    dist.load_state_dict({"opt": {"m": on_line}}, path + "2")
    dist.load_state_dict({"opt": {"m": plain}}, path + "2")
    part = on_line._local_value().tolist() if line.contains(dist.get_rank()) else None
    return [on_square._local_value().astype("float32").tolist(), part, plain.tolist()]


def loaded():
    """The step after the checkpoint, in as many processes as there are."""
    mesh = dist.ProcessMesh(list(range(dist.get_world_size())))
    net, optimizer, names = model(mesh, "rows", 2)
    trained(net, optimizer, mesh, 1)
    kept = state(net, optimizer, names)
    kept["plain"] = dist.shard_tensor(paddle.to_tensor(0.0), mesh, [Replicate()])
    kept["half"], kept["partial"] = paddle.zeros([6], "bfloat16"), dist.shard_tensor(paddle.zeros([3]), mesh, [Partial()])
    path = os.path.join(FOLDER, "kept")
    dist.load_state_dict(kept, path, unique_id=0)
    found = {"plain": kept["plain"].item(), "half": kept["half"].astype("float32").tolist(), "partial": kept["partial"].tolist()}
    newest = {"plain": kept["plain"], "cut": paddle.zeros([3])}
    dist.load_state_dict(newest, path)
    found["square"] = squared(path) if dist.get_world_size() == 4 else None
    return {
        **found, "newest": [kept["plain"].item(), newest["cut"].tolist()], "losses": trained(net, optimizer, mesh, 1),
        "placements": [str(param.placements) for param in net.parameters()],
        "refused": {
            "no such name": said(lambda: dist.load_state_dict({"other": kept["plain"]}, path)),
            "shape": said(lambda: dist.load_state_dict({"plain": paddle.zeros([2])}, path)),
            "no folder": said(lambda: dist.load_state_dict({"plain": paddle.zeros([])}, path + "s")),
            "no number": said(lambda: dist.load_state_dict({"plain": paddle.zeros([])}, path, unique_id=7)),
        },
    }  # fmt: skip


def death():
    """The last process dies; what the others have in an operator, a move, a backward pass, a look at values and a DistModel's step."""
    size = dist.get_world_size()
    mesh = dist.ProcessMesh(list(range(size)))
    x = dist.shard_tensor(paddle.to_tensor(np.ones([8, 8], "float32"), stop_gradient=False), mesh, [Shard(0)])
    part = dist.dtensor_from_local(paddle.ones([8, 8]), mesh, [Partial()])
    gathered = dist.reshard(x, mesh, [Replicate()])
    lost = dist.reshard(part, mesh, [Shard(0)])
    for each in (gathered, lost):
        each._local_value().numpy()
    layer = paddle.nn.Linear(8, 8)
    layer.weight = dist.shard_tensor(layer.weight, mesh, [Shard(0)])
    loader = paddle.io.DataLoader(paddle.io.TensorDataset([paddle.ones([2, 8])] * 2), batch_size=2)
    step = dist.to_static(layer, loader, paddle.nn.MSELoss(), paddle.optimizer.SGD(0.1, parameters=layer.parameters()))
    step(paddle.ones([2, 8]), paddle.ones([2, 8]))
    if dist.get_rank() == size - 1:
        os.kill(os.getpid(), signal.SIGKILL)
    start = time.monotonic()
    found = {
        "operator": said(lambda: paddle.exp(part)._local_value().numpy()),
        "move": said(lambda: dist.reshard(x, mesh, [Shard(1)])),
        "values": said(x.numpy),
        "DistModel": said(lambda: step(paddle.ones([2, 8]), paddle.ones([2, 8]))),
        "backward": said(lambda: dist.reshard(part * x.sum(), mesh, [Replicate()]).sum().backward()),
    }
    return {**found, "seconds": time.monotonic() - start}


if __name__ == "__main__":
    paddle.set_device("cpu")
    dist.init_parallel_env()
    cases = {"layers": layers, "loaders": loaders, "saved": saved, "loaded": loaded, "death": death}
    written = {what: cases[what]() for what in sys.argv[2].split(",")}
    with open(os.path.join(FOLDER, str(dist.get_rank())), "w") as file:
        json.dump(written, file)
    if "death" in written:
        os._exit(0)
