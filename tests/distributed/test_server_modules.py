"""The modules that Paddle 2.6.2 has for parameter servers: each is there, and what it lacks is refused by name."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from contextlib import nullcontext

import pytest

from paddle_compat.core.errors import UnsupportedError

PS, SERVERS = "distributed.ps", "incubate.distributed.fleet.parameter_server"
REFUSED = {
    "distributed.fleet.meta_optimizers": "ParameterServerGraphOptimizer",
    "distributed.fleet.runtime": "ParameterServerRuntime",
    "distributed.fleet.runtime.parameter_server_runtime": "ParameterServerRuntime",
    f"{PS}.coordinator": "Coordinator",
    f"{PS}.the_one_ps": "SparseTable",
    f"{PS}.utils.collective_transpiler": "MultiThread",
    f"{PS}.utils.ps_factory": "PsProgramBuilderFactory",
    f"{PS}.utils.ps_program_builder": "CpuSyncPsProgramBuilder",
    f"{PS}.utils.public": "get_the_one_send_context",
    f"{SERVERS}.ir.heter_trainer_pass": "split_trainer_ops_pass",
    f"{SERVERS}.ir.pserver_pass": "add_listen_and_serv_pass",
    f"{SERVERS}.ir.trainer_pass": "append_send_ops_pass",
    f"{SERVERS}.ir.vars_metatools": "VarBlock",
    f"{SERVERS}.pslib": "DistributedAdam",
    f"{SERVERS}.pslib.node": "DownpourServer",
    f"{SERVERS}.pslib.optimizer_factory": "DistributedAdam",
    f"{SERVERS}.pslib.ps_pb2": "PSParameter",
}
THERE = {
    "distributed.fleet.meta_optimizers.parameter_server_optimizer": "ParameterServerOptimizer",
    "distributed.distribute_lookup_table": "find_distributed_lookup_table_inputs",
    "distributed.fleet.runtime": "TheOnePSRuntime",
    "distributed.fleet.utils.ps_util": "DistributedInfer",
    "fluid.distribute_lookup_table": "find_distributed_lookup_table_outputs",
    "fluid.transpiler.distribute_transpiler": "delete_ops",
    "distributed.fleet.runtime.collective_runtime": "CollectiveRuntime",
    "distributed.fleet.runtime.runtime_base": "RuntimeBase",
    "distributed.fleet.runtime.the_one_ps": "TheOnePSRuntime",
    f"{PS}.utils.collective_transpiler": "GradAllReduce",
    f"{PS}.utils.public": "DistributedMode",
    f"{SERVERS}.distribute_transpiler": "Executor",
    f"{SERVERS}.ir.public": "RoundRobin",
    f"{SERVERS}.ir.vars_metatools": "VarDistributed",
    f"{SERVERS}.mode": "PSMode",
}


@pytest.mark.parametrize(
    ("tables", "error"), [("ab", RuntimeError), (("a", "a", None), AssertionError), ((None, "a"), None), ((), None)]
)
def test_one_table_is_on_servers_alone(tables: Sequence[str | None], error: type[Exception] | None) -> None:
    from paddle_compat import fluid
    from paddle_compat.fluid.transpiler.distribute_transpiler import find_distributed_lookup_table

    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ids = fluid.layers.data("ids", [1], dtype="int64")
        for name in tables:
            table = fluid.ParamAttr(name=name or "a") if len(tables) == 3 or name else None
            fluid.layers.embedding(ids, [50, 4], is_distributed=name is not None, param_attr=table)
        with pytest.raises(error) if error else nullcontext():
            assert find_distributed_lookup_table(fluid.default_main_program()) == ("a" if tables else None)


@pytest.mark.parametrize("module", REFUSED)
def test_what_is_not_there_is_refused(module: str) -> None:
    with pytest.raises(UnsupportedError, match=rf"paddle\.{module}\.{REFUSED[module]}"):
        getattr(importlib.import_module(f"paddle_compat.{module}"), REFUSED[module])


@pytest.mark.parametrize("module", [f"{SERVERS}.pslib", "fluid.incubate.fleet.parameter_server.pslib"])
def test_servers_that_nobody_has_are_imported_and_refuse_what_they_are_asked(module: str) -> None:
    """Scripts import them before they look whether such servers are there."""
    pslib = importlib.import_module(f"paddle_compat.{module}")
    assert importlib.import_module(f"paddle_compat.{module}.ps_pb2").__name__.endswith("ps_pb2")
    for name in ("PSLib", "DownpourOptimizer", "fleet_embedding"):
        with pytest.raises(UnsupportedError, match=rf"`paddle\.{module}\.{name}` is not supported"):
            getattr(pslib, name)()
    with pytest.raises(UnsupportedError, match=rf"`paddle\.{module}\.fleet\.init` is not supported"):
        pslib.fleet.init(None)
    assert not hasattr(pslib.fleet, "run_server") and not hasattr(pslib.fleet, "__len__")


@pytest.mark.parametrize("module", THERE)
def test_what_means_something_is_there(module: str) -> None:
    assert hasattr(importlib.import_module(f"paddle_compat.{module}"), THERE[module])
