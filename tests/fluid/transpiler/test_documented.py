"""The scripts of DistributeTranspiler's documentation, each role a process of its own: servers and trainers, and trainers alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jobs import free_ports, run_together

import paddle_compat as paddle
from paddle_compat import fluid

# as the page has it, but for addresses; what follows the last line of the page is how such a script goes on
NETWORK = """
import sys
import numpy as np
import paddle.fluid as fluid
x = fluid.layers.data(name='x', shape=[13], dtype='float32')
y = fluid.layers.data(name='y', shape=[1], dtype='float32')
y_predict = fluid.layers.fc(input=x, size=1, act=None)
cost = fluid.layers.square_error_cost(input=y_predict, label=y)
avg_loss = fluid.layers.mean(cost)
sgd_optimizer = fluid.optimizer.SGD(learning_rate=0.001)
sgd_optimizer.minimize(avg_loss)
numbers = np.random.RandomState(0)
batch = {'x': numbers.rand(8, 13).astype('float32'), 'y': numbers.rand(8, 1).astype('float32')}
"""
SERVED = """
role, trainer_id, current_endpoint = sys.argv[1], int(sys.argv[2]), sys.argv[3]
pserver_endpoints = sys.argv[4]
trainers = 2
t = fluid.DistributeTranspiler()
t.transpile(
    trainer_id, pservers=pserver_endpoints, trainers=trainers)
if role == "PSERVER":
    pserver_program = t.get_pserver_program(current_endpoint)
    pserver_startup_program = t.get_startup_program(current_endpoint,
                                                    pserver_program)
elif role == "TRAINER":
    trainer_program = t.get_trainer_program()

exe = fluid.Executor(fluid.CPUPlace())
if role == "PSERVER":
    exe.run(pserver_startup_program)
    exe.run(pserver_program)
else:
    fluid.transpiler.details.wait_server_ready(pserver_endpoints.split(","))
    exe.run(fluid.default_startup_program())
    losses = [float(exe.run(trainer_program, feed=batch, fetch_list=[avg_loss])[0]) for _ in range(3)]
    exe.close()
    print("%r\\n" % losses, end='')
"""
ALONE = """
trainer_num = 2
trainer_id = int(sys.argv[1])
config = fluid.DistributeTranspilerConfig()
config.mode = "nccl2"
trainer_endpoints = sys.argv[2]
t = fluid.DistributeTranspiler(config=config)
t.transpile(trainer_id=trainer_id, trainers=trainer_endpoints, current_endpoint=trainer_endpoints.split(",")[trainer_id])
fluid.Executor(fluid.CUDAPlace(0)).run(fluid.default_startup_program())
exe = fluid.ParallelExecutor(
    use_cuda=True,
    loss_name=avg_loss.name,
    num_trainers=trainer_num,
    trainer_id=trainer_id
)
print("%r\\n" % [float(exe.run([avg_loss.name], feed=batch)[0]) for _ in range(3)], end='')
"""


def said(text: str) -> list[float]:
    """The losses that a trainer prints."""
    return json.loads(text.splitlines()[-1])


def test_trainers_train_with_servers_and_alone(tmp_path: Path) -> None:
    first, second, third, fourth = (f"127.0.0.1:{port}" for port in free_ports(4))
    (tmp_path / "served.py").write_text(NETWORK + SERVED)
    (tmp_path / "alone.py").write_text(NETWORK + ALONE)
    roles = [("PSERVER", "0", first), ("PSERVER", "0", second), ("TRAINER", "0", first), ("TRAINER", "1", first)]
    words = [["-m", "paddle_compat", "served.py", *role, f"{first},{second}"] for role in roles]
    words += [["-m", "paddle_compat", "alone.py", str(number), f"{third},{fourth}"] for number in (0, 1)]
    told = run_together(words, [{"PADDLE_COMPAT_CPU": "1"}] * 6, tmp_path)
    for status, text in told:
        assert status == 0, text
    trainers = [said(text) for _, text in told[2:]]
    for found in (trainers[:2], trainers[2:]):
        assert found[0] == found[1] and found[0][0] > found[0][1] > found[0][2], told


@pytest.mark.parametrize("wait", [False, True])
def test_a_program_that_trains_nothing_is_served(wait: bool) -> None:
    """The page's shorter scripts have no network; Programs are those of 1.8.5."""
    paddle.enable_static()
    try:
        with fluid.program_guard(fluid.Program(), fluid.Program()):
            t = fluid.DistributeTranspiler()
            t.transpile(0, trainers=4, pservers="127.0.0.1:6174,127.0.0.1:6175")
            server, start = t.get_pserver_programs("127.0.0.1:6174")
            programs: list[Any] = [server, start, t.get_trainer_program(wait), fluid.default_startup_program()]
    finally:
        paddle.disable_static()
    kinds = [[[op.type for op in block.ops] for block in program.blocks] for program in programs]
    assert kinds == [[["listen_and_serv"], []], [[]], [["send_barrier", "fetch_barrier"]], [["fetch_barrier"]]]
