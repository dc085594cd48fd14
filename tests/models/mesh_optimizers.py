"""Steps of optimizers on dist parameters, in each of two or four processes: `python mesh_optimizers.py FOLDER` writes what it finds.

Runs on the real Paddle and here. Values are those that this process holds; of collectives the real one on a CPU gives wrong ones.
"""

import json
import os
import sys

import numpy as np
import paddle
import paddle.distributed as dist

SHARD, REPLICATE = dist.Shard, dist.Replicate
_DRAW = np.random.RandomState(0)
WEIGHTS = [_DRAW.uniform(-1, 1, shape).astype("float32") for shape in ((6, 4), (4, 5), (5,))]
IMAGES = _DRAW.uniform(-1, 1, (4, 6)).astype("float32")
OPTIMIZERS = {
    name: getattr(paddle.optimizer, name)
    for name in ("SGD", "Momentum", "Adam", "AdamW", "Adamax", "Adagrad", "Adadelta", "RMSProp", "Lamb")
}
# How the three parameters lie, and the data.
LAYOUTS = {
    "tensor": ([SHARD(1)], [SHARD(0)], [REPLICATE()], [REPLICATE()]),
    "data": ([REPLICATE()], [REPLICATE()], [REPLICATE()], [SHARD(0)]),
}
OTHERS = {
    "global norm": lambda: {"grad_clip": paddle.nn.ClipGradByGlobalNorm(0.1)},
    "norm": lambda: {"grad_clip": paddle.nn.ClipGradByNorm(0.05)},
    "value": lambda: {"grad_clip": paddle.nn.ClipGradByValue(0.02)},
    "decay": lambda: {"weight_decay": 0.1},
    "decay by signs": lambda: {"weight_decay": paddle.regularizer.L1Decay(0.1)},
    "schedule": lambda: {"learning_rate": paddle.optimizer.lr.StepDecay(0.1, step_size=1, gamma=0.5)},
}


def parameter(value, mesh, placements):
    start = paddle.nn.initializer.Assign(value)
    made = paddle.create_parameter(list(value.shape), "float32", default_initializer=start)
    return dist.shard_tensor(made, mesh, placements)


def shown(value):
    return [str(placement) for placement in value.placements]


def trained(make, layout, mesh, steps=3, backwards=1, **settings):
    """What an optimizer makes of the parameters."""
    *ways, of_data = LAYOUTS[layout]
    params = [parameter(weight, mesh, way) for weight, way in zip(WEIGHTS, ways)]
    optimizer = make(**{"learning_rate": 0.1, "parameters": params, **settings})
    data = dist.shard_tensor(paddle.to_tensor(IMAGES), mesh, of_data)
    found = {}
    for _ in range(steps):
        for _ in range(backwards):
            hidden = paddle.nn.functional.relu(paddle.matmul(data, params[0]))
            out = paddle.matmul(hidden, params[1]) + params[2]
            (out * out).mean().backward()
        found["gradients"] = [shown(param.grad) for param in params]
        optimizer.step()
        optimizer.clear_grad()
        if not isinstance(optimizer._learning_rate, float):
            optimizer._learning_rate.step()
    found["parameters"] = [shown(param) for param in params]
    found["values"] = [param._local_value().numpy().tolist() for param in params]
    found["states"] = len([value for value in optimizer.state_dict().values() if isinstance(value, paddle.Tensor)])
    return found


def answers():
    size = dist.get_world_size()
    mesh = dist.ProcessMesh(list(range(size)), dim_names=["x"])
    found = {}
    for layout in LAYOUTS:
        for name, make in OPTIMIZERS.items():
            if (name, layout) != ("RMSProp", "tensor"):  # the wheel cannot
                found[name + ", " + layout] = trained(make, layout, mesh)
        for name, settings in OTHERS.items():
            found[name + ", " + layout] = trained(OPTIMIZERS["Momentum"], layout, mesh, **settings())
        found["accumulated, " + layout] = trained(OPTIMIZERS["SGD"], layout, mesh, backwards=2)
    return found


# Stages: parameters on two dimensions of processes, or one.
SHAPES = {
    2: [((4, 6), [REPLICATE()]), ((3, 4), [REPLICATE()]), ((5,), [REPLICATE()])],
    4: [
        ((4, 6), [REPLICATE(), SHARD(1)]), ((4, 6), [REPLICATE(), SHARD(0)]), ((4, 6), [REPLICATE(), REPLICATE()]),
        ((6,), [REPLICATE(), SHARD(0)]), ((6,), [REPLICATE(), REPLICATE()]), ((3, 4), [REPLICATE(), SHARD(1)]),
    ],
}  # fmt: skip


def staged():
    """Where the states of a sharded AdamW lie, and what it makes of the parameters."""
    size = dist.get_world_size()
    ranks, names = ([0, 1], ["dp"]) if size == 2 else ([[0, 1], [2, 3]], ["dp", "mp"])
    mesh = dist.ProcessMesh(ranks, dim_names=names)
    dist.auto_parallel.set_mesh(mesh)
    found = {}
    for stage in (None, dist.ShardingStage1, dist.ShardingStage2, dist.ShardingStage3):
        params = [
            parameter(np.arange(np.prod(shape), dtype="float32").reshape(shape) / 10, mesh, way) for shape, way in SHAPES[size]
        ]  # fmt: skip
        optimizer = paddle.optimizer.AdamW(0.1, parameters=params)
        optimizer = dist.shard_optimizer(optimizer, None if stage is None else stage("dp", mesh))
        answer = found["none" if stage is None else stage.__name__] = {"cut": [shown(param) for param in params]}
        if stage is dist.ShardingStage3 and os.environ.get("RECORDING"):
            continue  # the wheel does not come back from the step
        whole = [REPLICATE()] * (len(names) - 1)
        data = dist.shard_tensor(paddle.arange(size, dtype="float32").reshape([size, 1]), mesh, [SHARD(0), *whole])
        for _ in range(2):
            sum((data * (param * param).sum().reshape([1, 1])).mean() for param in params).backward()
            optimizer.step()
            answer["parameters"] = [shown(param) for param in params]
            optimizer.clear_grad()
        answer["states"] = [shown(value) for name, value in optimizer.state_dict().items() if "moment" in name]
        answer["values"] = [param._local_value().numpy().tolist() for param in params]
        if not os.environ.get("RECORDING"):
            answer["whole"] = [dist.unshard_dtensor(param).numpy().tolist() for param in params]
    return found


if __name__ == "__main__":
    paddle.set_device("cpu")
    dist.init_parallel_env()
    written = staged() if sys.argv[2] == "stages" else answers()
    with open(os.path.join(sys.argv[1], str(dist.get_rank())), "w") as file:
        json.dump(written, file)
