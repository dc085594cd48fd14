"""Rings of some of the processes of a job, as startup Programs make them, and sums over them."""

import os

import numpy as np
import paddle
from paddle import static

ENDPOINTS = os.environ.get("PADDLE_TRAINER_ENDPOINTS", "").split(",")


def _run(append, **feed):
    """What a Program gives whose operators `append` writes into its block."""
    paddle.enable_static()
    try:
        program = static.Program()
        block = program.global_block()
        for name, value in feed.items():
            block.create_var(name=name, shape=value.shape, dtype=str(value.dtype))
        wanted = append(block)
        return static.Executor(paddle.CPUPlace()).run(program, feed=feed, fetch_list=wanted)
    finally:
        paddle.disable_static()


def make(number, endpoints, rank):
    """Make a ring of the processes with these endpoints, of which this is one."""

    def append(block):
        name = block.create_var(name="id", persistable=True, type=paddle.framework.core.VarDesc.VarType.RAW)
        others = [each for place, each in enumerate(endpoints) if place != rank]
        attrs = {"rank": rank, "endpoint": endpoints[rank], "other_endpoints": others, "ring_id": number}
        block.append_op(type="c_gen_nccl_id", outputs={"Out": [name]}, attrs=attrs)
        block.append_op(type="c_comm_init", inputs={"X": [name]}, attrs={"nranks": len(endpoints), "rank": rank, "ring_id": number})
        return []

    _run(append)


def summed(number, value):
    """The sum of a number over a ring."""

    def append(block):
        out = block.create_var(name="out", dtype="float32")
        block.append_op(type="c_allreduce_sum", inputs={"X": ["x"]}, outputs={"Out": [out]}, attrs={"ring_id": number})
        return [out]

    return _run(append, x=np.array([value], "float32"))[0].tolist()


def unequal(operator, rank, **attrs):
    """A collective operator of ring 0 between tensors that differ in size."""

    def append(block):
        out = block.create_var(name="out", dtype="float32")
        block.append_op(type=operator, inputs={"X": ["x"]}, outputs={"Out": [out]}, attrs={"ring_id": 0, **attrs})
        return [out]

    return _run(append, x=np.ones([4 + 4 * rank, 2], "float32"))


def of_pairs(rank):
    """Sums over neighbours, over those of the same place in their pair, and over both rings, which comes to the sum of all."""
    pair, place = rank // 2 * 2, rank % 2
    make(70, ENDPOINTS[pair : pair + 2], place)
    make(71, ENDPOINTS[place::2], rank // 2)
    return [summed(70, rank), summed(71, rank), summed(71, summed(70, rank)[0])]


def of_some(rank):
    """A sum over three processes, of which the fourth knows nothing."""
    if rank == 2:
        return None
    make(72, [each for other, each in enumerate(ENDPOINTS) if other != 2], min(rank, 2))
    return summed(72, rank)


def of_turned_pairs(rank):
    """A sum over neighbours of whom the second is the ring's first, and what the ring's first has."""
    pair = ENDPOINTS[rank // 2 * 2 :][:2][::-1]
    make(79, pair, pair.index(ENDPOINTS[rank]))

    def append(block):
        out = block.create_var(name="out", dtype="float32")
        block.append_op(type="c_broadcast", inputs={"X": ["x"]}, outputs={"Out": [out]}, attrs={"ring_id": 79, "root": 0})
        return [out]

    return [summed(79, rank), _run(append, x=np.array([rank], "float32"))[0].tolist()]
