"""What each of two workers tells of static training: tests/distributed/test_fleet_static.py starts it, with the folder of the cases."""

from __future__ import annotations

import json
import os
import sys

import numpy as np
import paddle
from paddle import fluid
from paddle.distributed import fleet
from paddle.fluid.incubate.fleet.base import role_maker
from paddle.fluid.incubate.fleet.collective import DistributedStrategy
from paddle.fluid.incubate.fleet.collective import fleet as old_fleet

sys.path.insert(0, sys.argv[1])
import fleet_training_cases as cases

RANK = int(os.environ["PADDLE_TRAINER_ID"])


def without_a_startup() -> list[float]:
    """The sums of a Program that is the first to run: nothing else has let the workers meet."""
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        fleet.init(is_collective=True)
        x = paddle.static.data("x", [2])
        main.global_block().append_op(type="c_allreduce_sum", inputs={"X": [x]}, outputs={"Out": [x]}, attrs={"ring_id": 0})
        feed = {"x": np.array([1.0, RANK], "float32")}
        return paddle.static.Executor().run(main, feed=feed, fetch_list=[x.name])[0].tolist()


def in_a_group() -> list[int]:
    """Who is in a group of all workers, which fleet.init alone has begun."""
    return list(paddle.distributed.new_group().ranks) + fleet.util.all_gather(RANK)


def compiled(again: bool) -> list[float]:
    """The parameters of 1.8's transpiled Program after steps, run as it is and as a CompiledProgram."""
    old_fleet.init(role_maker.PaddleCloudRoleMaker(is_collective=True))
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    main.random_seed = startup.random_seed = 1
    with fluid.scope_guard(scope), fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 2, act="tanh"))
        strategy = DistributedStrategy()
        strategy.mode, strategy.collective_mode = "collective", "grad_allreduce"
        old_fleet.distributed_optimizer(fluid.optimizer.SGD(0.1), strategy=strategy).minimize(loss)
        run = fluid.Executor(fluid.CPUPlace())
        run.run(old_fleet.startup_program)
        program = old_fleet.main_program
        if again:
            program = fluid.CompiledProgram(program).with_data_parallel(loss_name=loss.name, places=fluid.cpu_places(1))
        for step in range(3):
            run.run(program, feed={"x": np.full([2, 4], step + RANK, "float32")}, fetch_list=[loss])
        return np.concatenate([np.array(scope.find_var(p.name).get_tensor()).ravel() for p in main.all_parameters()]).tolist()


paddle.enable_static()
told = {"sums": without_a_startup(), "group": in_a_group(), "transpiled": [compiled(again) for again in (False, True)]}
told["losses"] = {" ".join(case): cases.trained(paddle, fleet, case, RANK, 2) for case in cases.CASES}
print(json.dumps(told))
