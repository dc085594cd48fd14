"""The click model with a parameter server, as scripts for Paddle: DistributeTranspiler (1.8) or fleet (2.x).

    python -m paddle_compat benchmarks/workloads/servers_paddle.py sync server 0 6174,6175,6176,6177 40
    python -m paddle_compat benchmarks/workloads/servers_paddle.py sync trainer 0 6174,6175,6176,6177 40

Two trainers and a server, each a process of its own; `sync` runs on Paddle 1.8's wheel, too, and `async` on that of 2.6.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import harness

TRAINERS = 2


def transpiled(role: str, number: int, endpoint: str) -> tuple[Callable[[Any], Any], Callable[[], Any]]:
    """A trainer's step, and its end; a server stays here until the trainers are done."""
    import paddle_fluid
    from paddle import fluid

    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        loss = paddle_fluid.ctr()
        fluid.optimizer.SGD(0.05).minimize(loss)
    transpiler = fluid.DistributeTranspiler()
    transpiler.transpile(number, program=main, startup_program=startup, pservers=endpoint, trainers=TRAINERS, sync_mode=True)
    exe = fluid.Executor(fluid.CPUPlace())
    if role == "server":
        program, begin = transpiler.get_pserver_programs(endpoint)
        exe.run(begin)
        exe.run(program)
        sys.exit()
    trained = transpiler.get_trainer_program()
    exe.run(startup)
    return lambda batch: exe.run(trained, feed=batch, fetch_list=[loss])[0], exe.close


def fleet(role: str, number: int, endpoint: str) -> tuple[Callable[[Any], Any], Callable[[], Any]]:
    """As `transpiled`, by fleet, where trainers do not wait."""
    import paddle
    import paddle_static
    from paddle.distributed import fleet

    paddle.enable_static()
    fleet.init(fleet.PaddleCloudRoleMaker())
    loss = paddle_static.ctr()
    strategy = fleet.DistributedStrategy()
    strategy.a_sync = True
    fleet.distributed_optimizer(paddle.optimizer.SGD(0.05), strategy).minimize(loss)
    if role == "server":
        fleet.init_server()
        fleet.run_server()
        sys.exit()
    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(paddle.static.default_startup_program())
    fleet.init_worker()
    return lambda batch: exe.run(paddle.static.default_main_program(), feed=batch, fetch_list=[loss])[0], fleet.stop_worker


def main() -> None:
    """Be a server, or a trainer that times its steps."""
    mode, role, number, ports, steps = sys.argv[1:]
    server, *trainers, meeting = [f"127.0.0.1:{port}" for port in ports.split(",")]
    port = server if role == "server" else trainers[int(number)]
    os.environ.update(
        TRAINING_ROLE="PSERVER" if role == "server" else "TRAINER", PADDLE_PSERVERS_IP_PORT_LIST=server, POD_IP="127.0.0.1",
        PADDLE_TRAINER_ENDPOINTS=",".join(trainers), PADDLE_TRAINERS_NUM=str(TRAINERS), PADDLE_TRAINER_ID=number, CPU_NUM="1",
        PADDLE_PORT=port.rpartition(":")[2], PADDLE_WITH_GLOO="1", PADDLE_GLOO_RENDEZVOUS="3", PADDLE_GLOO_HTTP_ENDPOINT=meeting,
    )  # fmt: skip
    step, end = (transpiled if mode == "sync" else fleet)(role, int(number), server)
    data = harness.batches("ctr_sgd", seed=int(number))
    harness.measure_beside(lambda i: step(data[i % len(data)]), int(steps))
    end()


if __name__ == "__main__":
    main()
