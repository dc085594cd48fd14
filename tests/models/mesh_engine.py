"""`auto.Engine` in one process or two: `python mesh_engine.py FOLDER WHAT` writes what this process finds.

`plain` trains parameters that all processes have, `cut` those in pieces; `loaded` reads what `cut` saved.
"""

import json
import os
import sys

import numpy as np
import paddle
import paddle.distributed as dist
from paddle import nn
from paddle.distributed.fleet import auto


class Samples(paddle.io.Dataset):
    """Eight rows, and their classes."""

    def __len__(self):
        return 8

    def __getitem__(self, index):
        return np.random.RandomState(index).rand(4).astype("float32"), np.array([index % 3], "int64")


def network():
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    for param in net.parameters():
        param.set_value((np.arange(np.prod(param.shape)).reshape(param.shape) % 7 - 3).astype("float32") / 10)
    return net


def engine(net):
    optimizer = paddle.optimizer.Momentum(0.5, 0.0, parameters=net.parameters())
    strategy = auto.Strategy()
    strategy.seed = 7
    return auto.Engine(net, nn.CrossEntropyLoss(), optimizer, paddle.metric.Accuracy(), strategy=strategy)


def numbers(logs):
    return {name: np.array(value, "float64").tolist() for name, value in logs.items() if "fetches" not in name}


def plain():
    """A model that lies nowhere: processes share batches."""
    made = engine(network())
    batch = next(iter(made.dataloader(Samples(), batch_size=4, mode="train")))
    history = made.fit(Samples(), batch_size=4, epochs=2, verbose=0).history
    history["drawn"] = np.random.rand()
    kinds = [op.type for op in made.get_dist_main_program("train").global_block().ops]
    return {"fit": numbers(history), "batch": [str(batch[0].placements), list(batch[0].shape)], "sums": kinds.count("all_reduce")}


def cut():
    """The first layer's columns and the second's rows."""
    mesh, net = dist.ProcessMesh([[0, 1]], ["dp", "mp"]), network()
    net[0].weight = dist.shard_tensor(net[0].weight, mesh, [dist.Replicate(), dist.Shard(1)])
    net[2].weight = dist.shard_tensor(net[2].weight, mesh, [dist.Replicate(), dist.Shard(0)])
    made = engine(net)
    found = {"fit": numbers(made.fit(Samples(), batch_size=4, epochs=2, verbose=0, valid_data=Samples()).history)}
    found["evaluate"] = numbers(made.evaluate(Samples(), batch_size=4, verbose=0, steps=1))
    found["predict"] = np.concatenate([out for out, in made.predict(Samples(), batch_size=4, verbose=0)]).tolist()
    made.save(os.path.join(sys.argv[1], "cut"))
    batch = next(iter(made.dataloader(Samples(), batch_size=4, mode="train")))
    kinds = [op.type for op in made.get_dist_main_program("train").global_block().ops]
    found.update({"batch": [str(batch[0].placements), list(batch[0].shape)], "sums": kinds.count("all_reduce")})
    return {**found, "next": float(made.run(batch)["loss"])}


def loaded():
    """The next step in this job."""
    made = engine(network())
    batch = next(iter(made.dataloader(Samples(), batch_size=4, mode="train")))
    made.run(batch)
    made.load(os.path.join(sys.argv[1], "cut"))
    return float(made.run(batch)["loss"])


if __name__ == "__main__":
    paddle.set_device("cpu")
    dist.init_parallel_env()
    written = {what: {"plain": plain, "cut": cut, "loaded": loaded}[what]() for what in sys.argv[2].split(",")}
    with open(os.path.join(sys.argv[1], str(dist.get_rank())), "w") as file:
        json.dump(written, file)
