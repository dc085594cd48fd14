# ruff: noqa: E501 - a piece is a line
"""A job of four processes: groups of some of them, a meeting that fails, and a process that dies in the middle of another."""

import datetime
import os
import time

import collectives
import paddle

_PAIRS = "evens, odds = dist.new_group([0, 2]), dist.new_group([3, 1]); mine, other = (evens, odds) if rank % 2 == 0 else (odds, evens); "

OPERATORS = {
    "c_allreduce_sum": "", "c_allreduce_max": "", "c_reduce_sum": "root_id=1", "c_broadcast": "root=1", "c_allgather": "nranks=4",
    "c_reducescatter": "nranks=4", "alltoall": "", "c_scatter": "nranks=4",
}  # fmt: skip

PIECES = {
    "members": _PAIRS + "out = [mine.rank, mine.ranks, mine.is_member(), other.rank, other.is_member(), other.process_group, evens.get_group_rank(2), odds.get_group_rank(3), dist.get_rank(mine), dist.get_world_size(other)]",
    "sums": _PAIRS + "a, b = tensor([1.0 + rank]), tensor([1.0 + rank]); dist.all_reduce(a, group=mine); dist.all_reduce(b, group=other); out = [a, b]",
    "gathered": _PAIRS + "out = []; dist.all_gather(out, tensor([rank]), group=mine)",
    "from one": _PAIRS + "out = tensor([rank]); dist.broadcast(out, src=mine.ranks[1], group=mine)",
    "from nobody": _PAIRS + "dist.broadcast(tensor([rank]), src=other.ranks[0], group=mine)",
    "to one": _PAIRS + "out = tensor([1.0 + rank]); dist.reduce(out, dst=mine.ranks[1], group=mine)",
    "scattered": _PAIRS + "out = tensor([0]); dist.scatter(out, [tensor([10 + rank]), tensor([20 + rank])], src=mine.ranks[0], group=mine)",
    "collected": _PAIRS + "out = []; dist.gather(tensor([rank]), out if rank == mine.ranks[1] else None, dst=mine.ranks[1], group=mine)",
    "exchanged": _PAIRS + "out = []; dist.alltoall([tensor([10 * rank]), tensor([10 * rank + 1])], out, group=mine)",
    "parts": _PAIRS + "out = tensor([0]); dist.reduce_scatter(out, [tensor([rank]), tensor([10 * rank])], group=mine)",
    "objects": _PAIRS + "a, b = [], [None]; dist.all_gather_object(a, rank, group=mine); dist.scatter_object_list(b, ['x%d' % rank, 'y%d' % rank], src=mine.ranks[0], group=mine); out = [a, b]",
    "sent": _PAIRS + "out = tensor([rank]); dist.send(out, mine.ranks[1], group=mine) if mine.rank == 0 else dist.recv(out, mine.ranks[0], group=mine)",
    "ring": "out = tensor([0]); ops = [dist.P2POp(dist.isend, tensor([rank]), (rank + 1) % 4), dist.P2POp(dist.irecv, out, (rank - 1) % 4)]; [t.wait() for t in dist.batch_isend_irecv(ops)]",
    "many at once": "ts = [tensor([float(i + rank)]) for i in range(20)]; works = [dist.all_reduce(t, sync_op=False) for t in ts]; [w.wait() for w in works]; out = ts",
    "together": _PAIRS + "dist.barrier(mine); dist.barrier(other); dist.barrier(); out = []; dist.all_gather_object(out, rank)",
    "static": _PAIRS + "paddle.enable_static(); p = paddle.static.Program()\nwith paddle.static.program_guard(p, paddle.static.Program()):\n    x = paddle.static.data('x', [2]); y = paddle.scale(x, 1.0); dist.all_reduce(y, group=mine); exe = paddle.static.Executor(); out = exe.run(p, {'x': np.array([rank, 1], 'float32')}, [y])[0].tolist()\npaddle.disable_static()",
    "rings": "import rings; out = rings.of_pairs(rank)",
    "rings/some": "import rings; out = rings.of_some(rank)",
    "rings/outside": _PAIRS + "import rings; out = rings.summed(other.id, rank)",
    "rings/not made": "import rings; rings.summed(77, rank)",
    "rings/of strangers": "import rings; rings.make(78, ['127.0.0.1:1', rings.ENDPOINTS[rank]], 1)",
    "rings/turned": "import rings; out = rings.of_turned_pairs(rank)",
    **{f"operators/{kind}": f"import rings; rings.unequal({kind!r}, rank, {rest})" for kind, rest in OPERATORS.items()},
    "shapes differ": "g = dist.new_group([0, 1], timeout=seconds(2)); dist.all_reduce(paddle.ones([1000 + 3000 * rank]), group=g) if rank < 2 else None",
    "calls differ": "g = dist.new_group([0, 1]); x = tensor([1.0]); (dist.broadcast(x, 0, group=g) if rank == 0 else dist.all_reduce(x, group=g)) if rank < 2 else None",
    "nobody comes": "g = dist.new_group([2, 3], timeout=seconds(2)); dist.barrier(g) if rank == 2 else None",
}  # fmt: skip


def when_one_dies(rank):
    """What the others have when process 3 dies before it meets them."""
    if rank == 3:
        os._exit(7)
    start = time.monotonic()
    found = collectives.answers({"one dies": "x = paddle.ones([1000]); dist.all_reduce(x); dist.all_reduce(x)"})
    return {**found, "seconds": time.monotonic() - start}


if __name__ == "__main__":
    paddle.set_device("cpu")
    paddle.distributed.fleet.init(is_collective=True)
    collectives.write(
        collectives.answers({"after fleet.init": "out = tensor([rank]); dist.all_reduce(out); out = [out, dist.is_initialized()]"})
    )
    collectives.main(PIECES, seconds=lambda n: datetime.timedelta(seconds=n))
    paddle.distributed.barrier()
    collectives.write(when_one_dies(paddle.distributed.get_rank()))
