"""What `test_dist_model_strategy.py` runs in each process of a job: DistModels with strategies, and the same steps in eager mode."""

import json
import os
import sys

import numpy as np
import paddle
import paddle.distributed as dist
import paddle.nn.functional as F
from paddle import nn
from paddle.distributed import Replicate, Shard
from paddle.distributed.fleet.utils import recompute
from torch.utils._python_dispatch import TorchDispatchMode

COUNT = int(os.environ.get("PADDLE_TRAINERS_NUM", "1"))
MESH = dist.ProcessMesh(list(range(COUNT)), dim_names=["x"])
WEIGHTS = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "dist_model_weights.npz"))
X, Y = WEIGHTS["x"], WEIGHTS["y"]
STEPS = 3


class Net(nn.Layer):
    """Two linear layers: cut by columns and rows ("model"), whole in every process ("data"), or on no mesh at all ("plain")."""

    def __init__(self, kind="plain", again=None):
        super().__init__()
        self.again = again
        self.l0, self.l1 = nn.Linear(16, 16), nn.Linear(16, 8)
        for layer, number in ((self.l0, 0), (self.l1, 1)):
            layer.weight.set_value(WEIGHTS[f"W{number}"])
            layer.bias.set_value(WEIGHTS[f"b{number}"])
            if kind != "plain":
                layer.weight = dist.shard_tensor(layer.weight, MESH, [Shard(1 - number) if kind == "model" else Replicate()])

    def hidden(self, x):
        return F.dropout(F.gelu(F.tanh(self.l0(x))), 0.5, training=self.training) if self.again is not None else F.relu(self.l0(x))

    def forward(self, x):
        return self.l1(recompute(self.hidden, x) if self.again else self.hidden(x))


class Picked(Net):
    """The values of a tensor decide how many there are of another."""

    def forward(self, x):
        h = self.hidden(x)
        return self.l1(h) + paddle.masked_select(h, h > 0.5).mean()


def adam(parameters):
    return paddle.optimizer.Adam(0.01, parameters=parameters)


def sgd(parameters):
    return paddle.optimizer.SGD(0.1, parameters=parameters)


def momentum(parameters):
    return paddle.optimizer.Momentum(0.1, 0.9, parameters)


def dist_model(kind, config, optimizer=adam, again=None, decorate=None, net=Net):
    paddle.seed(7)
    layer = net(kind, again)
    made = optimizer(layer.parameters())
    if decorate:
        layer, made = paddle.amp.decorate(layer, made, level="O2", dtype=decorate)
    loader = paddle.io.DataLoader(paddle.io.TensorDataset([paddle.to_tensor(X), paddle.to_tensor(Y)]), batch_size=4)
    if kind == "data":
        loader = dist.shard_dataloader(loader, meshes=[MESH], shard_dims="x")
    return dist.to_static(layer, loader, nn.MSELoss(), made, dist.Strategy(config))


def batch(kind, x=X):
    if kind != "data":
        return paddle.to_tensor(x), paddle.to_tensor(Y)
    return tuple(dist.shard_tensor(value, MESH, [Shard(0)]) for value in (x, Y))


def losses(model, kind, steps=STEPS):
    return [np.asarray(model(*batch(kind))).tolist() for _ in range(steps)]


def sent(model):
    names = [op.type for op in model.dist_main_program().global_block().ops]
    return [name for name in names if name in ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")]


def eager(optimizer=adam, amp=None, decorate=None, parts=1, avg=True, steps=STEPS, net=Net):
    """The same steps on one process, operator by operator."""
    layer = net()
    made = optimizer(layer.parameters())
    if decorate:
        layer, made = paddle.amp.decorate(layer, made, level="O2", dtype=decorate)
    found = []
    for _ in range(steps):
        each = []
        for x, y in zip(np.split(X, parts), np.split(Y, parts)):
            with paddle.amp.auto_cast(enable=amp is not None, **(amp or {"dtype": "bfloat16"})):
                loss = nn.MSELoss()(layer(paddle.to_tensor(x)), paddle.to_tensor(y))
            (loss / parts if avg else loss).backward()
            each.append(float(loss))
        made.step()
        made.clear_grad()
        found.append(each if parts > 1 else each[0])
    return found


MINOR = {
    "degree": 8, "enable_overlap": True, "param_bucket_size_numel": 64, "grad_bucket_size_numel": 64, "enable_hierarchical_comm": True,
    "release_gradients": True, "comm_buffer_size_MB": 1, "enable_tensor_fusion": True, "save_unbalanced_param": False,
}  # fmt: skip


def sharding():
    found = {}
    for name in ("1", "1 minor", "2", "3") if COUNT > 1 else ("1", "3"):
        settings = {"enable": True, "stage": int(name[0]), "degree": COUNT, **(MINOR if "minor" in name else {})}
        model = dist_model("data", {"sharding": settings})
        before = losses(model, "data")
        moments = {key: value for key, value in model.state_dict("opt").items() if "w_0.dist_moment1" in key}
        states = [(str(value.placements), list(value._local_value().shape)) for value in moments.values()]
        weights = [str(layer.placements) for key, layer in model.state_dict("param").items() if "w_0" in key or "weight" in key]
        found[name] = {"losses": before, "sent": sent(model), "moments": states, "weights": weights}
    return {"found": found, "eager": eager()}


LOW = {"dtype": "bfloat16"}
CASES = {
    "o1": ({}, None),
    "master": ({"level": "O2"}, "bfloat16"),
    "lists": ({"custom_white_list": ["relu"], "custom_black_list": ["matmul_v2"]}, None),
}


def amp():
    found = {}
    for name, (fields, decorate) in CASES.items():
        for kind in ("model", "data") if name == "master" and COUNT > 1 else ("model",):
            model = dist_model(kind, {"amp": {"enable": True, **LOW, **fields, "use_master_grad": True}}, decorate=decorate)
            block = model.serial_main_program().global_block()
            shown = [op.type for op in block.ops].count("cast"), [str(block.vars[n].dtype) for n in block.vars if n.endswith("_0.tmp_0")]
            masters = [value for name, value in model.state_dict().items() if name.endswith("fp32_master_0")]
            states = [(str(value.dtype), str(value.placements)) for value in masters]
            found[f"{kind} {name}"] = {"losses": losses(model, kind), "shown": shown, "masters": states}
    plain = {name: eager(amp={**LOW, **fields}, decorate=decorate) for name, (fields, decorate) in CASES.items()}
    return {"found": found, "eager": plain}


def merge():
    found = {}
    for kind, averages in (("model", (True, False)), ("data", (False,))):
        for avg in averages:
            config = {"gradient_merge": {"enable": True, "k_steps": 2, "avg": avg}}
            model = dist_model(kind, config, sgd)
            found[f"{kind} {avg}"] = {"losses": losses(model, kind), "sent": sent(model)}
    model.eval()
    evaluated = float(model(*batch("data")))
    config = {"gradient_merge": {"enable": True, "k_steps": 2}}
    model = dist_model("model", config, sgd, net=Picked)
    early = sent(model)
    found["picked"] = {"losses": losses(model, "model"), "eager": eager(sgd, parts=2, net=Picked), "early": early, "sent": sent(model)}
    return {"found": found, "eager": {str(avg): eager(sgd, parts=2, avg=avg) for avg in (True, False)}, "evaluated": evaluated}


def scaled():
    """A step, one in which a process meets something infinite, and another."""
    fields = {"enable": True, "dtype": "float16", "init_loss_scaling": 1024.0, "incr_every_n_steps": 1, "decr_every_n_nan_or_inf": 1}
    wrong = X.copy()
    wrong[0, 0] = np.inf
    found = {}
    for kind, more in (("data", {"sharding": {"enable": True, "stage": 2}}), ("model", {"gradient_merge": {"enable": True, "k_steps": 2}})):
        model = dist_model(kind, {"amp": fields, **more})
        factor = next(value for name, value in model.state_dict().items() if "loss_scaling" in name)
        steps = [[float(np.mean(model(*batch(kind, x)))), float(factor.numpy()[0])] for x in (X, wrong, X)]
        found[kind] = {"steps": steps, "sent": sent(model)}
    return {"found": found, "eager": eager(steps=2)}


def lars(parameters):
    return paddle.incubate.optimizer.LarsMomentumOptimizer(0.1, 0.9, lars_coeff=0.1, parameter_list=parameters)


def lamb(parameters):
    return paddle.optimizer.Lamb(0.01, parameters=parameters)


def clipped(parameters):
    return paddle.optimizer.SGD(0.1, parameters=parameters, grad_clip=nn.ClipGradByNorm(0.05))


def norms():
    """Updates that ask for norms of parameters and gradients."""
    found = {}
    for make in (lamb, lars, clipped):
        model = dist_model("model", {}, make)
        found[make.__name__] = {"losses": losses(model, "model"), "sent": sent(model), "eager": eager(make)}
    return found


def together():
    """Settings that meet: bfloat16, and gradients of parts of a batch."""
    config = {"amp": {"enable": True, **LOW}, "gradient_merge": {"enable": True, "k_steps": 2, "avg": True}}
    model = dist_model("model", config, sgd)
    return {"losses": losses(model, "model"), "sent": sent(model), "eager": eager(sgd, amp=LOW, parts=2)}


def planned():
    """A model that `parallelize` has cut: its plans lay outputs and inputs of layers anew."""
    mesh = dist.ProcessMesh(list(range(COUNT)), dim_names=["mp"])
    layer = Net()
    plans = {"l0": dist.ColWiseParallel(gather_output=True), "l1": dist.RowWiseParallel(is_input_parallel=False)}
    layer, made = dist.parallelize(layer, sgd(layer.parameters()), mesh, {"mp_config": {"parallelize_plan": plans}})
    loader = paddle.io.DataLoader(paddle.io.TensorDataset([paddle.to_tensor(X), paddle.to_tensor(Y)]), batch_size=4)
    model = dist.to_static(layer, loader, nn.MSELoss(), made)
    return {"losses": losses(model, "model"), "sent": sent(model), "eager": eager(sgd)}


def held(model):
    """Bytes of what a rank's graph keeps from its forward pass for its backward pass."""
    nodes = list(model._recordings["train"].graph.graph.nodes)
    seed = next(i for i, node in enumerate(nodes) if "full" in node.name)
    behind = set(nodes[seed:])
    kept = [node for node in nodes[:seed] if node.op != "placeholder" and not behind.isdisjoint(node.users)]
    return sum(node.meta["val"].numel() * node.meta["val"].element_size() for node in kept)


def again():
    found = {}
    for name, again, enable in (("kept", False, False), ("called", True, False), ("again", True, True)):
        model = dist_model("model", {"recompute": {"enable": enable}}, again=again)
        types = [op.type for op in model.dist_main_program().global_block().ops]
        counts = [types.count(kind) for kind in ("matmul_v2", "tanh", "gelu", "dropout", "all_reduce")]
        found[name] = {"losses": losses(model, "model"), "held": held(model), "counts": counts}
    return found


class Calls(TorchDispatchMode):
    """Notes the collectives that run inside."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function.namespace == "_c10d_functional" and function._opname != "wait_tensor":
            self.names.append(function._opname.rstrip("_"))
        return function(*args, **(kwargs or {}))


def compiled():
    found = []
    for asked in (False, True):
        paddle.set_flags({"FLAGS_use_cinn": asked})
        model = dist_model("model", {}, sgd)
        first = losses(model, "model", 1)
        with Calls() as calls:
            found.append({"losses": first + losses(model, "model", 1), "calls": calls.names, "sent": sent(model)})
    kind = next(iter(model._recordings["train"].program.variants.values())).call
    together = {}
    for name, config, again in (
        ("merge", {"gradient_merge": {"enable": True, "k_steps": 2, "avg": True}}, None), ("again", {"recompute": {"enable": True}}, True),
    ):  # fmt: skip
        both = []
        for asked in (False, True):
            paddle.set_flags({"FLAGS_use_cinn": asked})
            model = dist_model("model", config, sgd, again)
            paddle.seed(3)
            both.append(losses(model, "model"))
        together[name] = both
    return {"found": found, "compiled": "aot" in kind.__qualname__, "together": together}


def main():
    results = {}
    for name in sys.argv[1:]:
        results[name] = globals()[name]()
    print("RESULT", json.dumps(results))


main()
