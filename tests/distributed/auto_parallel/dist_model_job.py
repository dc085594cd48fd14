"""What `test_dist_model.py` runs in each process of a job: models as DistModels and in eager mode; prints what came out."""

import json
import os
import sys
import warnings

import numpy as np
import paddle
import paddle.distributed as dist
import paddle.nn.functional as F
from paddle import nn
from paddle.distributed import Replicate, Shard

from paddle_compat.errors import UnsupportedError

COUNT = int(os.environ.get("PADDLE_TRAINERS_NUM", "1"))
MESH = dist.ProcessMesh(list(range(COUNT)), dim_names=["x"])
WEIGHTS = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "dist_model_weights.npz"))
COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast")


class Rows(paddle.io.Dataset):
    """The same four rows again and again."""

    def __init__(self, count=20):
        self.count = count

    def __getitem__(self, i):
        return WEIGHTS["x"][i % 4], WEIGHTS["y"][i % 4]

    def __len__(self):
        return self.count


class Net(nn.Layer):
    """Two linear layers, the first cut by columns, the second by rows."""

    def __init__(self):
        super().__init__()
        self.l0, self.l1 = nn.Linear(16, 16), nn.Linear(16, 8)
        for layer, number in ((self.l0, 0), (self.l1, 1)):
            layer.weight.set_value(WEIGHTS[f"W{number}"])
            layer.bias.set_value(WEIGHTS[f"b{number}"])
            layer.weight = dist.shard_tensor(layer.weight, MESH, [Shard(1 - number)])

    def forward(self, x):
        return self.l1(F.relu(self.l0(x)))


def fresh(optimizer, net=Net, count=20):
    paddle.seed(7)
    layer = net()
    return layer, dist.to_static(layer, paddle.io.DataLoader(Rows(count), batch_size=4), nn.MSELoss(), optimizer(layer.parameters()))


def sgd(parameters):
    return paddle.optimizer.SGD(0.1, parameters=parameters)


def trained(model, count=20):
    return [float(model(x, y)) for x, y in paddle.io.DataLoader(Rows(count), batch_size=4)]


def batch():
    return paddle.to_tensor(WEIGHTS["x"]), paddle.to_tensor(WEIGHTS["y"])


def lines(program):
    """A Program without attributes and shapes."""
    texts = [[", ".join(names) for names in (op.output_arg_names, op.input_arg_names)] for op in program.global_block().ops]
    return [f"{out} = {op.type}({given})" for op, (out, given) in zip(program.global_block().ops, texts)]


def startups(model, mode):
    """The serial one and this process's."""
    return [model.serial_startup_program(mode), model.dist_startup_program(mode)]


def filled(program):
    """What a Program fills, and of which shapes."""
    names = [name for op in program.global_block().ops for name in op.output_arg_names]
    return {name: list(program.global_block().vars[name].shape) for name in names}


def example():
    layer, model = fresh(sgd)
    losses = trained(model)
    program = model.dist_main_program()
    block = program.global_block()
    ops = block.ops
    graph = model._recordings["train"].graph
    executed = [node.target._opname for node in graph.graph.nodes if getattr(node.target, "namespace", "") == "_c10d_functional"]
    model.eval()
    evaluated = float(model(*batch()))
    model.predict()
    outs = model(batch()[0])
    return {
        "losses": [*losses, evaluated],
        "listed": [(op.type, op.input_arg_names[0]) for op in ops if op.type in COLLECTIVES],
        "executed": [name for name in executed if name != "wait_tensor"],
        "types": [op.type for op in ops],
        "serial": [op.type for op in model.serial_main_program("train").global_block().ops],
        "startup": [filled(program) for program in startups(model, "train") + startups(model, "predict")],
        "shapes": {name: list(block.vars[name].shape) for name in ("linear_0.w_0.dist", "linear_0.tmp_0", "linear_1.tmp_0")},
        "placements": [str(p.placements) for p in layer.parameters()],
        "outs": {name: list(value.shape) for name, value in outs.items()},
        "lines": [lines(each) for each in (model.serial_main_program("train"), program, model.dist_startup_program("train"))],
    }


def eager(make=sgd):
    layer = Net()
    optimizer, loss_of, losses = make(layer.parameters()), nn.MSELoss(), []
    for x, y in paddle.io.DataLoader(Rows(), batch_size=4):
        loss = loss_of(layer(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    with paddle.no_grad():
        losses.append(float(loss_of(layer(batch()[0]), batch()[1])))
    return losses


def kinds():
    clip = nn.ClipGradByGlobalNorm(0.05)
    return {
        "momentum": lambda p: paddle.optimizer.Momentum(0.1, 0.9, p, weight_decay=0.01),
        "adam": lambda p: paddle.optimizer.Adam(0.01, parameters=p),
        "adamw": lambda p: paddle.optimizer.AdamW(0.01, parameters=p, weight_decay=0.1),
        "clip": lambda p: paddle.optimizer.SGD(0.1, parameters=p, grad_clip=clip),
        "lamb": lambda p: paddle.optimizer.Lamb(0.01, parameters=p),
        "adamax": lambda p: paddle.optimizer.Adamax(0.01, parameters=p),
        "asgd": lambda p: paddle.optimizer.ASGD(0.1, 2, p),
        "rmsprop": lambda p: paddle.optimizer.RMSProp(0.01, parameters=p),
    }


def optimizers():
    found = kinds()
    chosen = found if COUNT < 4 else ("adamw", "clip")
    return {name: trained(fresh(found[name])[1]) for name in chosen}


def eager_optimizers():
    return {name: eager(make)[:-1] for name, make in kinds().items()} if COUNT < 4 else {}


def schedule():
    rate = paddle.optimizer.lr.StepDecay(0.1, 1, 0.5)
    _, model = fresh(lambda p: paddle.optimizer.SGD(rate, parameters=p))
    losses = []
    for _ in range(5):
        losses.append(float(model(*batch())))
        rate.step()
    return losses


def last_batch():
    _, model = fresh(sgd, count=6)
    return [float(model(x, y)) for _ in range(2) for x, y in paddle.io.DataLoader(Rows(6), batch_size=4)]


class Dropped(Net):
    """With dropout between the layers."""

    def forward(self, x):
        return self.l1(F.dropout(F.relu(self.l0(x)), 0.5, training=self.training))


def dropout():
    _, model = fresh(lambda p: paddle.optimizer.SGD(0.0, parameters=p), Dropped)
    losses = trained(model)
    model.eval()
    return {"train": losses, "eval": [float(model(*batch())) for _ in range(2)]}


def states():
    layer, model = fresh(lambda p: paddle.optimizer.Momentum(0.1, 0.9, p))
    trained(model, 8)
    kept = {name: dist.shard_tensor(dist.unshard_dtensor(value).numpy(), MESH, [Replicate()]) for name, value in model.state_dict().items()}
    third = float(model(*batch()))
    _, other = fresh(lambda p: paddle.optimizer.Momentum(0.1, 0.9, p))
    names = {name: [type(p).__name__ for p in value.placements] for name, value in other.state_dict().items()}
    order = dict(zip(sorted(kept), sorted(other.state_dict())))
    other.set_state_dict({order[name]: value for name, value in kept.items()})
    return {"third": third, "again": float(other(*batch())), "param": sorted(other.state_dict("param", split_fusion=False)), "names": names}


class Whole(nn.Layer):
    """The same layers, all parameters in every process."""

    def __init__(self):
        super().__init__()
        self.l0, self.l1 = nn.Linear(16, 16), nn.Linear(16, 8)
        for layer, number in ((self.l0, 0), (self.l1, 1)):
            layer.weight.set_value(WEIGHTS[f"W{number}"])
            layer.bias.set_value(WEIGHTS[f"b{number}"])
            layer.weight = dist.shard_tensor(layer.weight, MESH, [Replicate()])
            layer.bias = dist.shard_tensor(layer.bias, MESH, [Replicate()])

    def forward(self, x):
        return self.l1(F.relu(self.l0(x)))


def divided(stage):
    layer = Whole()
    optimizer = paddle.optimizer.Adam(0.01, parameters=layer.parameters())
    if stage:
        optimizer = dist.shard_optimizer(optimizer, getattr(dist, f"ShardingStage{stage}")("x", MESH))
    before = [str(p.placements) for p in layer.parameters()]
    loader = dist.shard_dataloader(paddle.io.DataLoader(Rows(), batch_size=4), meshes=[MESH], shard_dims="x")
    model = dist.to_static(layer, loader, nn.MSELoss(), optimizer)
    losses = [float(model(x, y)) for x, y in loader()]
    states = model.state_dict("opt")
    graph = model._recordings["train"].graph
    executed = [node.target._opname for node in graph.graph.nodes if getattr(node.target, "namespace", "") == "_c10d_functional"]
    return {
        "losses": losses,
        "listed": [op.type for op in model.dist_main_program().global_block().ops if op.type in COLLECTIVES],
        "executed": [name for name in executed if name != "wait_tensor"],
        "startup": [next(shape for name, shape in filled(each).items() if "w_0.dist_moment1" in name) for each in startups(model, None)],
        "kept": before == [str(p.placements) for p in layer.parameters()],
        "moment": next(str(value.placements) for name, value in states.items() if "w_0.dist_moment1" in name),
    }


def stages():
    return [divided(stage) for stage in range(4 if COUNT > 1 else 1)]


class Picked(Net):
    """The values of a tensor decide how many there are of another."""

    def forward(self, x):
        h = F.relu(self.l0(x))
        return self.l1(h) + paddle.masked_select(h, h > 0.5).mean()


class Places(Net):
    """Values decide how many there are, and are known."""

    def forward(self, x):
        return self.l1(F.relu(self.l0(x)) + paddle.arange(0.0, self.l0.weight.shape[1] / 10.0, 0.1))


class Overwritten(Net):
    """Parts of a value are assigned, which have no gradient behind."""

    def forward(self, x):
        h = self.l0(x) * 1.0
        h[0] = h[1] * 2.0
        h[:, 2] = 0.5
        return self.l1(h)


class Branch(Net):
    """They decide what is done."""

    def forward(self, x):
        h = F.relu(self.l0(x))
        if h.sum() > 0:
            h = h * 2.0
        return self.l1(h)


def untraced():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        layer, model = fresh(sgd, Picked)
    found = {"said": [str(warning.message) for warning in caught], "graph": model._recordings["train"].graph is not None}
    found["losses"] = trained(model)
    found["types"] = [op.type for op in model.dist_main_program().global_block().ops]
    found["sums"] = [op.input_arg_names[0] for op in model.dist_main_program().global_block().ops if op.type == "all_reduce"]
    found["placements"] = [str(p.placements) for p in layer.parameters()]
    _, model = fresh(sgd, Places)
    found["known"] = [trained(model), model._recordings["train"].graph is not None]
    layer, _ = fresh(sgd, Overwritten)
    optimizer = sgd(layer.parameters())
    found["overwritten"] = [trained(fresh(sgd, Overwritten)[1]), []]
    for x, y in paddle.io.DataLoader(Rows(20), batch_size=4):
        loss = nn.MSELoss()(layer(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        found["overwritten"][1].append(float(loss))
    try:
        fresh(sgd, Branch)
    except UnsupportedError as error:
        found["refused"] = str(error)
    return found


class Laid(Net):
    """The layer says itself how some values are to lie."""

    MESH = MESH

    def forward(self, x):
        h = dist.reshard(F.relu(self.l0(x)), self.MESH, [dist.Replicate()] * self.MESH.ndim)
        kept = dist.shard_tensor(paddle.full([4, 16], 0.5), self.MESH, [Shard(0)])
        return dist.reshard(self.l1(h * kept), self.MESH, [Shard(0)])


class LaidElsewhere(Laid):
    """On a mesh that its parameters do not lie on."""

    MESH = dist.ProcessMesh([list(range(COUNT))], dim_names=["x", "y"])


def laid():
    _, model = fresh(sgd, Laid)
    found = {"losses": trained(model), "listed": [op.type for op in model.dist_main_program().global_block().ops]}
    try:
        fresh(sgd, LaidElsewhere)
    except UnsupportedError as error:
        found["refused"] = str(error)
    return found


def main():
    results = {}
    for name in sys.argv[1:]:
        results[name] = globals()[name]()
    print("RESULT", json.dumps(results))
    if COUNT > 1:
        dist.barrier()  # the first process takes what the others meet by along when it ends


main()
