"""A worker of `paddle.distributed.rpc`: JOB.py RANK SIZE ENDPOINT, or JOB.py alone under a launcher."""

import os
import sys
import time

import numpy as np
import paddle.distributed.rpc as rpc


def add(a, b, scale=1):
    return (a + b) * scale


def who():
    return rpc.get_current_worker_info().name


def fail():
    raise ValueError("trouble far away")


def through(name):
    return rpc.rpc_sync(name, who)


def die():
    os._exit(3)


def said(call):
    try:
        return call()
    except Exception as error:
        text = str(error)
        return f"{type(error).__name__}: {'trouble far away' if 'trouble far away' in text else text}"


rank, size, endpoint = (*map(int, sys.argv[1:3]), sys.argv[3]) if len(sys.argv) > 1 else (None, None, None)
own = f"worker{os.environ['PADDLE_TRAINER_ID'] if rank is None else rank}"
rpc.init_rpc(own, rank, size, endpoint)
rank = rpc.get_current_worker_info().rank
print(own, [(each.name, each.rank) for each in rpc.get_all_worker_infos()], rpc.get_worker_info("worker1").ip)
if rank == 0:
    print(rpc.rpc_sync("worker1", add, args=(2, 3)), rpc.rpc_sync("worker0", add, (2, 3), {"scale": 10}))
    answers = [rpc.rpc_async("worker1", add, args=(np.full(2, each), 1)) for each in range(3)]
    print([answer.wait().tolist() for answer in answers], rpc.rpc_sync("worker1", through, args=("worker0",)))
    print(rpc.rpc_sync("worker1", print, args=("called",)))
    print(said(lambda: rpc.rpc_sync("worker1", fail)))
    print(said(lambda: rpc.rpc_sync("worker7", who)))
    print(said(lambda: rpc.rpc_sync("worker1", time.sleep, args=(2,), timeout=0.3)))
    print(said(lambda: rpc.init_rpc("again")))
    if "DIE" in os.environ:
        print(said(lambda: rpc.rpc_sync("worker1", die)))
        sys.stdout.flush()
        os._exit(0)
rpc.shutdown()
print(said(rpc.get_current_worker_info))
