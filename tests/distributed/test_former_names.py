"""What 2.6 keeps of 1.8's transpiler and fleets under `paddle.distributed.transpiler` and `paddle.incubate.distributed.fleet`."""

from __future__ import annotations

from importlib import import_module

import pytest

import paddle_compat as paddle
from paddle_compat.distributed.transpiler import DistributeTranspiler

NEW, OLD = "paddle_compat.incubate.distributed.fleet", "paddle_compat.fluid.incubate.fleet"
HOMES = {
    "paddle_compat.distributed.transpiler": "paddle_compat.fluid.transpiler",
    "paddle_compat.distributed.transpiler.distribute_transpiler": "paddle_compat.fluid.transpiler.distribute_transpiler",
    "paddle_compat.distributed.transpiler.details": "paddle_compat.fluid.transpiler.details",
    f"{NEW}.base": f"{OLD}.base.fleet_base",
    f"{NEW}.collective": f"{OLD}.collective",
    f"{NEW}.fleet_util": f"{OLD}.utils.fleet_util",
    f"{NEW}.role_maker": f"{OLD}.base.role_maker",
    f"{NEW}.parameter_server.version": f"{OLD}.parameter_server.version",
    f"{NEW}.parameter_server.ir.ps_dispatcher": "paddle_compat.fluid.transpiler.ps_dispatcher",
    f"{NEW}.parameter_server.ir.ufind": "paddle_compat.fluid.transpiler.details.ufind",
    f"{NEW}.parameter_server.mode": "paddle_compat.fluid.transpiler.distribute_transpiler",
}


@pytest.mark.parametrize(("new", "old"), HOMES.items())
def test_names_are_the_former_ones(new: str, old: str) -> None:
    offered, home = import_module(new), import_module(old)
    same = [name for name in offered.__all__ if getattr(offered, name) is getattr(home, name, None)]
    assert same and set(offered.__all__) - set(same) <= {"distribute_transpiler", "details", "PSDispatcher", "RoundRobin", "PSMode"}


def test_fleet_is_the_former_one() -> None:
    name = "parameter_server.distribute_transpiler"
    assert import_module(f"{NEW}.{name}").fleet is import_module(f"{OLD}.{name}").fleet


def test_a_program_of_2_is_rewritten() -> None:
    paddle.enable_static()
    try:
        main, start = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, start):
            loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 13]), 1))
            paddle.optimizer.SGD(0.1).minimize(loss)
        made = DistributeTranspiler()
        made.transpile(0, program=main, pservers="127.0.0.1:6174", trainers=2, startup_program=start)
        trainer, (server, _) = made.get_trainer_program(), made.get_pserver_programs("127.0.0.1:6174")
    finally:
        paddle.disable_static()
    kinds = [op.type for op in trainer.global_block().ops]
    assert kinds[-4:] == ["send_barrier", "recv", "recv", "fetch_barrier"] and "sgd" not in kinds
    assert [[op.type for op in block.ops] for block in server.blocks] == [
        ["listen_and_serv"],
        ["sum", "scale", "sgd"],
        ["sum", "scale", "sgd"],
    ]
