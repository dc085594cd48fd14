"""Names, texts, methods and states of tensors on a mesh of two processes: `python mesh_surface.py FOLDER WHAT` writes what is found.

`found` runs on the real Paddle, too.
"""

import copy
import json
import os
import pickle
import sys

import numpy as np
import paddle
import paddle.distributed as dist
from mesh_layouts import data, shown
from paddle import nn
from paddle.distributed import Partial, ProcessMesh, ReduceType, Replicate, Shard

MESH, NAMED = ProcessMesh([0, 1], ["x"]), ProcessMesh([0, 1], ["y"])
ROW, SQUARE = ProcessMesh([[0, 1]], ["a", "b"]), ProcessMesh([[0, 1], [2, 3]], ["a", "b"])
ROWS, WHOLE = [Shard(0)], [Replicate()]
local, piece = dist.auto_parallel.api.dtensor_from_local, dist.auto_parallel.api.dtensor_to_local


def laid(placements=ROWS, mesh=MESH, leaf=False):
    return dist.shard_tensor(paddle.to_tensor(data([4, 2]), stop_gradient=not leaf), mesh, placements)


def text(value):
    return [text(each) for each in value] if isinstance(value, (list, tuple)) else str(value)


def truth(*values):
    return [bool(value) for value in values]


def done(value, change):
    """What a change makes of a Tensor."""
    change(value)
    return value


def gradient(function):
    """What a function of a leaf leaves as its gradient: how it lies, and this process's part."""
    return shown(done(laid(leaf=True), function).grad)[3:]


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 4)

    def forward(self, x):
        return self.second(nn.functional.relu(self.first(x)))


def filled():
    """Two layers, of which all processes have the same."""
    made = Net()
    for param in made.parameters():
        param.set_value((np.arange(np.prod(param.shape)).reshape(param.shape) % 7 - 3).astype("float32") / 10)
    return made


def cut(name, layer, mesh):
    if name == "first":
        layer.weight, layer.bias = dist.shard_tensor(layer.weight, mesh, [Shard(1)]), dist.shard_tensor(layer.bias, mesh, ROWS)
    if name == "second":
        layer.weight = dist.shard_tensor(layer.weight, mesh, ROWS)


def net():
    return dist.shard_layer(filled(), MESH, cut)


def inputs():
    return dist.shard_tensor(paddle.to_tensor(np.linspace(-1, 1, 8, dtype="float32").reshape(2, 4)), MESH, WHOLE)


def trained(model, steps=2, optimizer=None, call=None):
    """Losses of some steps."""
    optimizer = optimizer or paddle.optimizer.AdamW(0.1, parameters=model.parameters())
    losses = []
    for _ in range(steps):
        loss = ((call or model)(inputs()) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(round(float(loss), 5))
    return losses


def lazily():
    """A layer without values that is laid on a mesh, and gets them there."""
    with paddle.LazyGuard():
        made = Net()
    dist.shard_layer(made, MESH, cut)
    before = [param._is_initialized() for param in made.parameters()]
    for param in made.parameters():
        param.initialize()
    own = made.first.weight
    return [before, own._is_initialized(), own._local_shape, text([param.placements for param in made.parameters()]), own.stop_gradient]


def states(change):
    """A layer's states after they were set anew."""
    model = net()
    model.set_state_dict({name: change(value) for name, value in model.state_dict().items()})
    return {name: shown(value)[3:] for name, value in model.state_dict().items()}


def resumed(optimizer):
    """A step, the optimizer's states set as they are, and two steps."""
    model = net()
    optimizer = optimizer(model.parameters())
    trained(model, 1, optimizer)
    optimizer.set_state_dict(dict(optimizer.state_dict()))
    return trained(model, 2, optimizer)


MADE = {
    "ones": lambda: (paddle.ones, {"shape": [4, 2]}), "full": lambda: (paddle.full, {"shape": [4, 2], "fill_value": 3.0}),
    "arange": lambda: (paddle.arange, {"start": 0, "end": 4}), "eye": lambda: (paddle.eye, {"num_rows": 4}),
    "linspace": lambda: (paddle.linspace, {"start": 0, "stop": 1, "num": 4}), "rand": lambda: (paddle.rand, {"shape": [4, 2]}),
    "randn": lambda: (paddle.randn, {"shape": [4, 2]}), "randint": lambda: (paddle.randint, {"low": 0, "high": 9, "shape": [4, 2]}),
    "randperm": lambda: (paddle.randperm, {"n": 4}), "bernoulli": lambda: (paddle.bernoulli, {"x": paddle.full([4, 2], 0.5)}),
}  # fmt: skip


BESIDE = {  # what takes a dist tensor and one that all processes hold
    "sum": lambda x, y: x + y, "sum, the other way round": lambda x, y: y + x,
    "product": lambda x, y: paddle.matmul(x, y, transpose_y=True),
    "loss": lambda x, y: nn.functional.mse_loss(x, y), "array": lambda x, y: x + y.numpy(), "where": lambda x, y: paddle.where(y > 0, x, x),
    "in place": lambda x, y: x.add_(y), "in place of the plain one": lambda x, y: y.add_(x),
    "itself, afterwards": lambda x, y: (x + y, y)[1],
}  # fmt: skip
UNEVEN = {
    "sum": lambda x: [x + x], "sum of a column": lambda x: [x.sum(0)], "whole": lambda x: [dist.reshard(x, MESH, WHOLE)],
    "split": lambda x: paddle.split(x, [2, 3]), "reshape": lambda x: [x.reshape([2, 5])], "cut": lambda x: [
        dist.reshard(dist.reshard(x, MESH, WHOLE), MESH, ROWS)],
}  # fmt: skip


def made(name, placements):
    function, arguments = MADE[name]()
    paddle.seed(11)
    return shown(dist.dtensor_from_fn(function, MESH, placements, **arguments))


def drawn(name, placements):
    """What an operator draws, Paddle's own numbers."""
    paddle.set_flags({"FLAGS_exact_random": True} if "paddle_compat" in sys.modules else {})
    paddle.seed(5)
    x = laid(placements)
    return shown(nn.functional.dropout(x, 0.5) if name == "dropout" else getattr(x, name)())


def found():
    twice = [Shard(0), Shard(0)]
    every = [Shard(0), Shard(1, shard_order=0), Shard(0, split_factor=2), Replicate(), Partial(), Partial(ReduceType.kRedAny)]
    cases = {
        "meshes": lambda: text([SQUARE, ROW["b"], ROW[0], ROW[:, 0], SQUARE["a"], SQUARE["b"], SQUARE[1], MESH["x"]]),
        "part of a mesh": lambda: text([SQUARE.get_mesh_with_dim("b"), SQUARE.get_mesh_with_dim("b", 1), SQUARE.get_submesh_with_dim("a")]),
        "not in the mesh": lambda: text([ProcessMesh([[2, 3]], ["a", "b"])["a"], ProcessMesh([2]).get_submesh_with_dim("d0")]),
        "equal meshes": lambda: truth(MESH == ProcessMesh([0, 1], ["y"]), MESH == ROW, MESH == copy.deepcopy(MESH)),
        "hashes of meshes": lambda: truth(hash(MESH) == hash(ProcessMesh([0, 1], ["y"])), hash(MESH) == hash(ProcessMesh([0, 1], ["x"]))),
        "placements": lambda: text([every, copy.deepcopy(every), pickle.loads(pickle.dumps(every[3:])), Shard(True), Shard(np.int64(1))]),
        "equal placements": lambda: truth(Shard(0) == Shard(0, shard_order=0), Shard(0) == Shard(0, shard_order=1), every[0] == every[2]),
        "orders": lambda: [Shard(0).get_co_shard_order(), Shard(0, shard_order=1).get_co_shard_order(), Shard(0).get_split_factor()],
        "reduce types": lambda: [text(ReduceType.kRedMax), repr(ReduceType.kRedMax), int(ReduceType.kRedAvg), ReduceType.kRedMax == 1],
        "names of reduce types": lambda: [list(ReduceType.__members__), Partial().reduce_type().name, "abc"[ReduceType.kRedMax]],
        "cut twice": lambda: text([laid(twice, ROW).placements, (laid(twice, ROW) + 1).placements, laid([Shard(0)], ROW).placements]),
        "printed, cut twice": lambda: str(laid(twice, ROW)),
        "numbers": lambda: [laid().num_shard, laid()._numel(), laid()._local_shape, laid().size, laid().ndim, len(laid())],
        "of plain ones": lambda: text([getattr(paddle.ones([1]), name) for name in ("placements", "process_mesh", "num_shard")]),
        "clone": lambda: shown(laid(leaf=True).clone()), "detach": lambda: shown(laid(leaf=True).detach()),
        "astype": lambda: shown(laid().astype("int32")), "to": lambda: shown(laid().to("float64")), "cpu": lambda: shown(laid().cpu()),
        "item": lambda: [laid().item(3, 1), laid().sum().item(), laid().tolist()], "index": lambda: shown(laid()[1]),
        "set_value": lambda: shown(done(laid(), lambda x: x.set_value(data([4, 2]) * 2))),
        "set_value of another": lambda: shown(done(laid(), lambda x: x.set_value(laid() * 2))),
        "copy_": lambda: shown(done(laid(), lambda x: x.copy_(laid() * 3, True))),
        "cleared": lambda: (lambda x: [x._is_initialized(), list(x.shape), text(x.placements)])(done(laid(), lambda x: x._clear_data())),
        "no placements": lambda: shown(dist.shard_tensor(data([4, 2]), MESH, None))[6:],
        "square": lambda: gradient(lambda x: (x * x).sum().backward()),
        "hook": lambda: gradient(lambda x: (x.register_hook(lambda grad: grad * 2), (x * x).sum().backward())),
        "no hook": lambda: gradient(lambda x: (x.register_hook(lambda grad: grad * 2).remove(), (x * x).sum().backward())),
        "reshard": lambda: gradient(lambda x: (dist.reshard(x, MESH, WHOLE) * 2).sum().backward()),
        "given": lambda: gradient(lambda x: (x * 2).backward(laid())),
        "cleared gradient": lambda: gradient(lambda x: ((x * x).sum().backward(), x.clear_grad())),
        "set gradient": lambda: gradient(lambda x: setattr(x, "grad", laid())),
        "grad": lambda: (lambda x: [shown(each) for each in paddle.grad((x * x).sum(), x)])(laid(leaf=True)),
        "grad of an inner one": lambda: (lambda y: [shown(each) for each in paddle.grad((y * y).sum(), y)])(laid(leaf=True) * 2),
        "parameter": lambda: shown(done(nn.Layer(), lambda layer: layer.add_parameter("w", dist.shard_tensor(
            paddle.create_parameter([4, 2], "float32", default_initializer=nn.initializer.Constant(1.0)), MESH, ROWS))).w),
        "trained": lambda: trained(net()), "lazy": lazily,
        "clipped": lambda: (lambda model: trained(model, 3, paddle.optimizer.SGD(
            0.5, parameters=model.parameters(), grad_clip=nn.ClipGradByGlobalNorm(0.01))))(net()),
        "recompute": lambda: (lambda model: trained(model, call=lambda x: dist.fleet.utils.recompute(model, x)))(net()),
        "states": lambda: states(lambda value: value * 2), "states of arrays": lambda: states(lambda value: value.numpy() * 2),
        "states of plain ones": lambda: states(lambda value: paddle.to_tensor(value.numpy() * 2)),
        "other precision": lambda: [[str(each.dtype), text(each.placements)] for each in net().to(dtype="float64").parameters()],
        "Momentum": lambda: resumed(lambda params: paddle.optimizer.Momentum(0.1, parameters=params)),
        "AdamW": lambda: resumed(lambda params: paddle.optimizer.AdamW(0.1, parameters=params)),
        **{f"{name} {text(way)}": lambda name=name, way=way: drawn(name, way)
           for name in ("normal_", "exponential_") for way in (ROWS, WHOLE)},
        "dropout": lambda: drawn("dropout", WHOLE),
        "as a vector": lambda: dist.unshard_dtensor(nn.utils.parameters_to_vector(net().parameters())).tolist(),
        "meshes of other names": lambda: [shown(laid() + laid(mesh=NAMED)), shown(laid(mesh=NAMED, placements=WHOLE) * laid())],
        "set_value on a mesh of another name": lambda: shown(done(laid(), lambda x: x.set_value(laid(mesh=NAMED) * 2))),
        "gradients on meshes of other names": lambda: gradient(lambda x: (laid(mesh=NAMED) * x).sum().backward())[::3],
        "attributes printed": lambda: [str(dist.DistAttr(SQUARE, ["b", None, "a"])), str(copy.deepcopy(dist.DistAttr(MESH, [None])))],
        "equal attributes": lambda: truth(dist.DistAttr(MESH, ["x"]) == dist.DistAttr(MESH, ["x"]), dist.DistAttr(MESH, [None]) == 3),
        "parts and wholes": lambda: truth(*(each(x).stop_gradient for x in (laid(leaf=True), laid(leaf=True) * 2) for each in
                                            (lambda x: x._local_value(), dist.unshard_dtensor)), laid().is_dense()),
        "pickled": lambda: [str(laid()), str(pickle.loads(pickle.dumps(laid(leaf=True)))), str(copy.copy(laid()))],
        "mesh of a tensor": lambda: (lambda x: str(x.process_mesh))(laid(mesh=ROW, placements=WHOLE)),
        **{f"drawn: {name} {text(way)}": lambda name=name, way=way: shown(getattr(paddle, name)(laid(way) * 0 + 1.0))[:6] for name in
           ("bernoulli", "poisson") for way in (ROWS, [Shard(1)], WHOLE, [Partial()])},
        "the other name": lambda: dist.fleet.auto is dist.auto_parallel,
        **{f"beside a plain one: {name}": lambda make=make: shown(make(laid(), paddle.ones([4, 2])))
           for name, make in BESIDE.items()},
        **{f"of five rows: {name}": lambda make=make: [shown(each) for each in make(dist.shard_tensor(data([5, 2]), MESH, ROWS))]
           for name, make in UNEVEN.items()},
        **{f"made: {name} {kind}": lambda name=name, kind=kind: made(name, {"rows": ROWS, "whole": WHOLE, "sum": [Partial()]}[kind])
           for name in MADE for kind in ("rows", "whole", "sum")},
    }  # fmt: skip
    return {name: make() for name, make in cases.items()}


def refused():
    """Which of Python's errors each wrong use is."""
    x, plain = laid(), paddle.to_tensor(data([4, 2]))
    cases = {
        "another shape of mesh": lambda: x + laid(WHOLE, ROW), "another order": lambda: x + laid(WHOLE, ProcessMesh([1, 0])),
        "a smaller mesh": lambda: laid(WHOLE) + laid(WHOLE, ProcessMesh([0])), "several": lambda: paddle.concat([x, laid(WHOLE, ROW)]),
        "shapes": lambda: x + dist.shard_tensor(paddle.ones([3, 2]), MESH, WHOLE), "product": lambda: paddle.matmul(x, x),
        "reshard plain": lambda: dist.reshard(plain, MESH, WHOLE), "reshard an array": lambda: dist.reshard(data([2]), MESH, WHOLE),
        "too many placements": lambda: dist.reshard(x, MESH, [Shard(0), Shard(1)]), "mesh": lambda: dist.reshard(x, [0, 1], WHOLE),
        "pieces of a dist tensor": lambda: local(x, MESH, WHOLE), "piece of a plain one": lambda: piece(plain, MESH, WHOLE),
        "unshard plain": lambda: dist.unshard_dtensor(plain), "a real dim": lambda: Shard(1.0), "a dim in words": lambda: Shard("a"),
        "ReduceType by name": lambda: Partial("sum"), "ReduceType by number": lambda: Partial(1), "one way of three": lambda: laid([0]),
        "name of a dimension": lambda: SQUARE["q"], "size of a dimension": lambda: SQUARE.get_dim_size("q"),
        "rank along a dimension": lambda: SQUARE.get_rank_by_dim_and_process_id("q", 0), "group": lambda: ROW.get_group(),
        "mesh of a tuple": lambda: ProcessMesh((0, 1)), "mesh of reals": lambda: ProcessMesh([0.5]), "twice": lambda: ProcessMesh([0, 0]),
        "below zero": lambda: ProcessMesh([-1]), "ragged": lambda: ProcessMesh([[0], [1, 2]]),
        "names": lambda: ProcessMesh([0], ["a", "b"]), "sum of one": lambda: float(x),
        "layer": lambda: dist.shard_layer(nn.Linear(2, 2), [0]),
        "attributes": lambda: dist.DistAttr(3, ["x"]),
        "attributes' names": lambda: dist.DistAttr(MESH, ["q"]), "values of another shape": lambda: laid().set_value(data([3, 3])),
    }  # fmt: skip

    def kind(call):
        try:
            return [None, str(call())]
        except Exception as error:
            return [each.__name__ for each in type(error).__mro__ if each.__module__ == "builtins"]

    return {name: kind(call) for name, call in cases.items()}


def ours():
    """What the real one does not do, or does wrong."""
    folder = sys.argv[1]
    path = os.path.join(folder, f"state{dist.get_rank()}")
    first = net()
    optimizer = paddle.optimizer.AdamW(0.1, parameters=first.parameters())
    trained(first, 1, optimizer)
    paddle.save([first.state_dict(), optimizer.state_dict()], path)
    values, moments = paddle.load(path)
    optimizer.set_state_dict(moments)
    first.set_state_dict(values)
    after = trained(first, 1, optimizer)
    with paddle.LazyGuard():
        later = nn.Linear(4, 8)
    later.weight = dist.shard_tensor(later.weight, MESH, [Shard(1)])
    paddle.seed(3)
    later.weight.initialize()
    paddle.seed(3)
    at_once = nn.Linear(4, 8)
    model, recorded = net(), net()
    whole = filled()
    for each in (whole, model):
        (each(inputs() if each is model else paddle.to_tensor(inputs().numpy())) ** 2).mean().backward()
    norms = [float(nn.utils.clip_grad_norm_(each.parameters(), 0.1)) for each in (whole, model)]
    return {
        "to_static": [trained(recorded, call=paddle.jit.to_static(recorded, full_graph=True)), trained(net())],
        "saved": [after, trained(net())[1:]],
        "lazy": [dist.unshard_dtensor(later.weight).tolist(), at_once.weight.tolist()],
        "norm": [round(norm, 6) for norm in norms],
        "deepcopy": [shown(copy.deepcopy(laid())), shown(laid())],
        "other placements": [shown(done(laid(), lambda x: x.set_value(laid(WHOLE)))), shown(laid())],
        "half": [[str(each.dtype) for each in net().astype("bfloat16").parameters()], ["paddle.bfloat16"] * 4],
    }


if __name__ == "__main__":
    paddle.set_device("cpu")
    dist.init_parallel_env()
    cases = {"found": found, "refused": refused, "ours": ours}
    kinds = sys.argv[2].split(",")
    with open(os.path.join(sys.argv[1], str(dist.get_rank())), "w") as file:
        json.dump(cases[kinds[0]]() if len(kinds) == 1 else {kind: cases[kind]() for kind in kinds}, file)
