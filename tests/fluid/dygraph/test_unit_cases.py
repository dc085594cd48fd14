"""What Paddle 1.8's own unit tests of eager mode look at is as Paddle 1.8.5 gave it."""

from __future__ import annotations

import gzip
import json
import os
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import dygraph_cases
import dygraph_unit_cases
import numpy as np
import pytest
from dygraph_differences import differences

from paddle_compat import fluid
from paddle_compat.fluid import core
from paddle_compat.fluid.dygraph.static_runner import StaticModelRunner
from paddle_compat.io import multiprocess_utils

ROOT = Path(__file__).resolve().parents[3]


@cache
def recorded() -> dict[str, Any]:
    """What the wheel gave."""
    with gzip.open(ROOT / "tests/references/dygraph_units_1.8.5.json.gz") as file:
        return json.load(file)  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", dygraph_unit_cases.CASES)
@pytest.mark.filterwarnings("error::UserWarning")
@pytest.mark.usefixtures("exact_random")
def test_case(name: str) -> None:
    real, ours = recorded()[name], dygraph_cases.observe(fluid, dygraph_unit_cases.CASES[name])
    if "raises" in real:
        assert real["raises"][0] in ours.get("raises", ()), f"expected {real['raises']}, received {ours}"
    else:
        found = differences(ours, real, "observed")
        assert not found, "\n".join(found[:8])


def test_a_saved_program_is_a_layer(tmp_path: Path) -> None:
    x = np.arange(8, dtype="float32").reshape(2, 4)
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard():
        hidden = fluid.layers.batch_norm(fluid.layers.fc(fluid.data("x", [None, 4]), 3))
        out = fluid.layers.fc(hidden, 2)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(fluid.default_startup_program())
        fluid.io.save_inference_model(str(tmp_path), ["x"], [out], exe)
        (expected,) = exe.run(fluid.default_main_program().clone(for_test=True), feed={"x": x}, fetch_list=[out])
    with fluid.dygraph.guard():
        net = StaticModelRunner(str(tmp_path))
        statistics = {"batch_norm_0.w_1@LOADED", "batch_norm_0.w_2@LOADED"}
        assert {p.name for p in net.parameters() if p.stop_gradient} == statistics
        assert list(net.state_dict())[:2] == ["fc_0.w_0@LOADED", "fc_0.b_0@LOADED"]
        sgd = fluid.optimizer.SGD(0.1, parameter_list=net.parameters())
        loss = fluid.layers.mean(net(fluid.dygraph.to_variable(x)))
        loss.backward()
        assert {p.name for p in net.parameters() if p.gradient() is None} == statistics
        net.eval()
        moved = net(fluid.dygraph.to_variable(x)).numpy()
        sgd.minimize(loss)
        assert not np.array_equal(net(fluid.dygraph.to_variable(x)).numpy(), moved)
        fresh = StaticModelRunner(str(tmp_path))
        fresh.eval()
        found = fresh(fluid.dygraph.to_variable(x))
        assert type(found) is core.VarBase
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("end", "text"),
    [(lambda: os._exit(3), "exited unexpectedly with code 3"), (lambda: os.kill(os.getpid(), signal.SIGKILL), "by signal: Killed")],
)
def test_children_that_die_are_reported(end: Callable[[], Any], text: str) -> None:
    pid = os.fork()
    if not pid:
        end()
    core._set_process_pids(1, (pid,))
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    try:
        with pytest.raises(core.EnforceNotMet, match=f"{pid}.*{text}"):
            core._throw_error_if_process_failed()
        core._throw_error_if_process_failed()  # once
    finally:
        core._erase_process_pids(1)
        os.waitpid(pid, 0)


def test_children_that_end_well_are_not() -> None:
    pid = os.fork()
    if not pid:
        os._exit(0)
    core._set_process_pids(2, (pid,))
    os.waitpid(pid, 0)
    core._throw_error_if_process_failed()
    core._erase_process_pids(2)
    assert not multiprocess_utils._watched
