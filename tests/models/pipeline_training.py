"""What two processes that are the stages of a pipeline do, as JSON.

    python pipeline_training.py all FILE      in both processes of a job, FILE ends with the process's number

Paddle's wheel for the CPU has nothing that hands tensors from stage to stage: there gloo's own messages take its place.
"""

import json
import os
import sys

import numpy as np
import paddle
from paddle import nn
from paddle.distributed import fleet
from paddle.distributed.fleet.meta_parallel import LayerDesc, PipelineLayer, SharedLayerDesc
from paddle.nn import functional as F

BATCHES, SIZE = 4, 2


def by_gloo():
    """Let the wheel's stages send by gloo; those of odd numbers take what comes first."""
    from paddle.distributed.fleet.meta_parallel.pp_utils import p2p_communication as lines

    if not hasattr(lines, "batch_send_recv_on_calc_stream"):
        return
    paddle.distributed.parallel.ParallelEnv._device_id = 0
    send, odd = lines._send_on_calc_stream, paddle.distributed.get_rank() % 2

    def exchange(messages):
        for each in sorted(messages, key=lambda each: (each.op is send) == bool(odd)):
            group = each.group.process_group
            (group.send if each.op is send else group.recv)(each.tensor, each.peer, True).wait()

    lines.batch_send_recv_on_calc_stream = exchange


def begin():
    """The groups of the two stages."""
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {"dp_degree": 1, "mp_degree": 1, "pp_degree": 2}
    strategy.pipeline_configs = {"accumulate_steps": BATCHES, "micro_batch_size": SIZE}
    fleet.init(is_collective=True, strategy=strategy)
    return fleet.get_hybrid_communicate_group()


class Block(nn.Layer):
    def __init__(self, size, out):
        super().__init__()
        self.fc = nn.Linear(size, out)

    def forward(self, x):
        return F.relu(self.fc(x))


class Both(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, given):
        return self.fc(given[0]) + given[1]


class Pair(Both):
    def forward(self, x):
        return self.fc(x), x * 0.5 + self.fc(x)


def logits(layer, x):
    return paddle.matmul(x, layer.weight, transpose_y=True)


def two_losses(out, labels):
    return F.mse_loss(out, labels[0]) + F.mse_loss(out, labels[1])


BODY, END = LayerDesc(Block, 4, 4), LayerDesc(nn.Linear, 4, 2)
PLAIN = [BODY, BODY, BODY, END]


def words(forward=None):
    return SharedLayerDesc("words", nn.Embedding, forward, "weight", 10, 4)


MODELS = {
    "plain": (PLAIN, nn.MSELoss()),
    "several inputs and labels": ([LayerDesc(Both), BODY, BODY, END], two_losses),
    "pairs between stages": ([BODY, LayerDesc(Pair), LayerDesc(Both), END], nn.MSELoss()),
    "shared": ([words(), BODY, BODY, words(logits)], nn.CrossEntropyLoss()),
}
OPTIMIZERS = {
    "sgd": lambda rate, p: paddle.optimizer.SGD(rate, parameters=p),
    "clipped": lambda rate, p: paddle.optimizer.SGD(rate, parameters=p, grad_clip=nn.ClipGradByGlobalNorm(0.05)),
    "adamw": lambda rate, p: paddle.optimizer.AdamW(0.01, parameters=p, grad_clip=nn.ClipGradByGlobalNorm(0.5)),
}


def numbers(seed):
    rows = np.random.RandomState(seed)
    return [rows.rand(BATCHES * SIZE, width).astype("float32") for width in (4, 4, 2, 2)]


def data_of(model, seed, form):
    """A batch: whole Tensors, small batches by turns, or lists of them."""
    x, z, y, w = map(paddle.to_tensor, numbers(seed))
    if model == "several inputs and labels":
        return [(x, z), (y, w)]
    if model == "shared":
        ids = np.random.RandomState(seed).randint(0, 10, (2, BATCHES * SIZE, 3))
        return [paddle.to_tensor(ids[0]), paddle.to_tensor(ids[1][..., None])]
    parts = [(x[i * SIZE : (i + 1) * SIZE], y[i * SIZE : (i + 1) * SIZE]) for i in range(BATCHES)]
    if form == "turns":
        return iter(parts)
    return [list(each) for each in zip(*parts)] if form == "lists" else [x, y]


def told(loss):
    return [float(loss), list(loss.shape), str(loss.dtype).split(".")[-1]]


def trained(model, optimizer, form="whole", steps=3):
    """The losses of some steps, and what the model knows of itself."""
    layers, loss = MODELS[model]
    net = PipelineLayer(layers, topology=fleet.get_hybrid_communicate_group().topology(), loss_fn=loss)
    rate = paddle.optimizer.lr.StepDecay(0.1, 2)
    chosen = fleet.distributed_optimizer(OPTIMIZERS[optimizer](rate, net.parameters()))
    names = [[name, p.name.rpartition("_")[2], list(p.shape), float(p.abs().sum())] for name, p in net.named_parameters()]
    wrapped = fleet.distributed_model(net)
    losses = [told(wrapped.train_batch(data_of(model, step, form), chosen, rate)) for step in range(steps)]
    losses.append(told(wrapped.eval_batch(data_of(model, 9, form), compute_loss=True)))
    return {
        "names": names, "losses": losses, "rate": rate.last_lr, "state": sorted(wrapped.state_dict()), "kind": type(wrapped).__name__,
        "ends": [float(p.abs().sum()) for p in net.parameters()], "order": wrapped.get_static_scheduler(), "trains": net.training,
        "where": [wrapped.is_pipeline_first_stage(), wrapped.is_pipeline_last_stage(), wrapped.stage_id, wrapped.num_stages],
        "stages": [net.get_stage_from_index(i) for i in range(len(layers))], "parts": net.segment_parts,
        "counted": [bool(getattr(p, "is_firstly_shared", True)) for p in net.parameters()],
    }  # fmt: skip


def cut():
    """Models that are cut otherwise: what this stage has of them."""
    topology, found = fleet.get_hybrid_communicate_group().topology(), []
    for layers, settings in (
        (PLAIN * 2, {"num_virtual_pipeline_stages": 2, "seg_method": "layer:Block|Linear", "topology": topology}),
        ([BODY, F.relu, END, BODY, BODY, F.tanh, BODY], {"num_virtual_pipeline_stages": 2, "seg_method": "layer:block",
                                                         "topology": topology}),
        (PLAIN + [F.relu], {"seg_method": [0, 1], "num_stages": 2}),
        (PLAIN + [F.relu], {"seg_method": "layer:Block|Linear", "num_stages": 2}),
        ([BODY, F.relu, F.tanh, BODY, END], {"num_stages": 2}),
    ):  # fmt: skip
        net = PipelineLayer(layers, **settings)
        names = [[name, list(p.shape), float(p.abs().sum())] for name, p in net.named_parameters()]
        stages = [net.get_stage_from_index(place) for place in range(len(layers))]
        found.append([net.segment_parts, net.get_num_virtual_stages(), stages, names])
    return found


def stored(folder):
    """The files that the stages write, and what comes back of them."""
    topology = fleet.get_hybrid_communicate_group().topology()
    nets = [PipelineLayer(PLAIN, topology=topology), PipelineLayer(PLAIN, topology=topology)]
    for parameter in nets[0].parameters():
        parameter.set_value(paddle.ones(parameter.shape) * (2.0 + paddle.distributed.get_rank()))
    nets[0].save_state_dict(folder)
    paddle.distributed.barrier()
    nets[1].set_state_dir(folder)
    return [sorted(os.listdir(folder)), [float(p.mean()) for p in nets[1].parameters()]]


def answers(folder):
    """Everything."""
    by_gloo()
    begin()
    return {
        "cut": cut(), "stored": stored(folder + "stages"),
        **{" ".join(case): trained(*case) for case in (
            ("plain", "sgd"), ("plain", "sgd", "turns"), ("plain", "sgd", "lists"), ("plain", "clipped"), ("plain", "adamw"),
            ("several inputs and labels", "sgd"), ("pairs between stages", "adamw"), ("shared", "sgd"), ("shared", "adamw"),
            ("shared", "clipped"),
        )},
    }  # fmt: skip


if __name__ == "__main__":
    made = answers(sys.argv[2])
    with open(sys.argv[2] + str(paddle.distributed.get_rank()), "w") as file:
        json.dump(made, file)
