"""Calls of two processes that do not fit together and do not wait, or are messages: what each process is told."""

import paddle

dist = paddle.distributed


def ones(size, kind="float32"):
    return paddle.ones([size], kind)


CALLS = {
    "all_reduce": lambda r: dist.all_reduce(ones(3 + r), sync_op=False),
    "types": lambda r: dist.all_reduce(ones(3, ("float32", "int32")[r]), sync_op=False),
    "calls": lambda r: dist.all_reduce(ones(3), sync_op=False) if r else dist.broadcast(ones(3), 0, sync_op=False),
    "reduce": lambda r: dist.reduce(ones(1000 + r), 0, sync_op=False),
    "broadcast": lambda r: dist.stream.broadcast(ones(1000 + r), 0, sync_op=False),
    "all_gather": lambda r: dist.all_gather([], ones(1000 + r), sync_op=False),
    "gather": lambda r: dist.gather(ones(1000 + r), None if r else [], sync_op=False),
    "scatter": lambda r: dist.scatter(ones(10 + r), None if r else [ones(10)] * 2, sync_op=False),
    "reduce_scatter": lambda r: dist.stream.reduce_scatter(ones(10 + r), ones(20 + 2 * r), sync_op=False),
    "alltoall": lambda r: dist.alltoall([ones(3), ones(4)], [ones(3 + r), ones(4)], sync_op=False),
    "alltoall, which waits": lambda r: dist.alltoall([ones(3), ones(4)], [ones(3 + r), ones(4)]),
    "alltoall_single": lambda r: dist.alltoall_single(ones(4), ones(4), [2, 2], [2 + r, 2 - r], sync_op=False),
    "isend": lambda r: dist.irecv(ones(10), 0) if r else dist.isend(ones(1000), 1),
    "irecv": lambda r: dist.irecv(ones(1000), 0) if r else dist.isend(ones(10), 1),
    "types of messages": lambda r: dist.irecv(ones(10, "float64"), 0) if r else dist.isend(ones(10), 1),
    "send": lambda r: dist.recv(ones(10), 0) if r else dist.send(ones(1000), 1),
    "batch": lambda r: dist.batch_isend_irecv([dist.P2POp(dist.irecv if r else dist.isend, ones(5 + r), 1 - r)])[0],
    "objects": lambda r: dist.broadcast_object_list([0] * (1 + r), 0),
    "nobody waits": lambda r: (dist.all_reduce(ones(7 + r), sync_op=False), dist.barrier())[0],
}


def told(call, rank):
    """The error's name and text."""
    try:
        task = call(rank)
        done = task.is_completed(), task.wait()
    except ValueError as error:
        return f"{type(error).__name__}: {error}"
    return done


def polled(rank):
    """A message that is asked for until it has come."""
    x = ones(3) * (5 - rank)
    task = dist.irecv(x, 0) if rank else dist.isend(x, 1)
    while not task.is_completed():
        pass
    return x


def found(rank):
    """What every call tells; whether calls that do not wait do so, and still meet afterwards."""
    errors = {name: told(call, rank) for name, call in CALLS.items()}
    xs = [ones(2) + rank + i for i in range(5)]
    if rank:
        dist.recv(xs[4], 0)  # before it makes any of the calls that process 0 has begun by then
    tasks = [dist.all_reduce(x, sync_op=False) for x in xs[:4]]
    if rank == 0:
        dist.send(xs[4], 1)
    try:
        dist.broadcast_object_list([], 1)
    except ValueError as error:  # on both
        errors["no objects"] = str(error)
    return {"errors": errors, "sums": [task.wait() and x for task, x in zip(tasks, xs)], "polled": polled(rank)}
