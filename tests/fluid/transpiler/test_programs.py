"""The Programs that `DistributeTranspiler` writes for trainers and servers, against those that Paddle 1.8.5 writes."""

from __future__ import annotations

import gzip
import json
import sys
from typing import Any

import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "tests/models"))

import transpiled

REAL = json.loads(gzip.decompress((ROOT / "tests/references/transpiled_1.8.5.json.gz").read_bytes()))
# what 1.8.5 does not write: it refuses distributed tables, has no operators for NCCL on the CPU, and leaves Adadelta's updates out
REFUSED = {name for name, real in REAL.items() if "trainer error" in real}
BETTER = {"line/rmsprop sliced", "line/adadelta sliced", "ctr/sparse dc asgd"}
SAME = [name for name in transpiled.CASES if name not in REFUSED | BETTER]


@pytest.fixture(autouse=True)
def static_mode() -> Any:
    paddle.enable_static()
    yield
    paddle.disable_static()


def observed(name: str) -> Any:
    return json.loads(json.dumps(transpiled.observe(fluid, transpiled.CASES[name])))


def compare(ours: Any, real: Any, what: str) -> None:
    """Block for block, so that what differs is named."""
    assert len(ours) == len(real), f"{what}: number of blocks"
    for i, ((parent, ops, variables), (real_parent, real_ops, real_variables)) in enumerate(zip(ours, real)):
        assert [op[0] for op in ops] == [op[0] for op in real_ops], f"{what}, block {i}"
        assert parent == real_parent, f"{what}, block {i}"
        for op, real_op in zip(ops, real_ops):
            assert op == real_op, f"{what}, block {i}"
        assert variables == real_variables, f"{what}, block {i}"


@pytest.mark.parametrize("name", SAME)
def test_programs_are_those_of_paddle(name: str) -> None:
    ours, real = observed(name), REAL[name]
    assert ours.keys() == real.keys()
    for part in ("trainer", "startup", "main"):
        if part in real:
            compare(ours[part], real[part], part)
    assert ours.get("maps") == real.get("maps")
    for i, ((main, startup), (real_main, real_startup)) in enumerate(zip(ours.get("servers", ()), real.get("servers", ()))):
        compare(main, real_main, f"server {i}")
        compare(startup, real_startup, f"startup of server {i}")


def test_all_that_an_update_keeps_is_sliced_as_its_parameter_is() -> None:
    """1.8.5 forgets RMSProp's mean gradient, which then does not fit its parameter."""
    (main, startup), _ = observed("line/rmsprop sliced")["servers"]
    shapes = {name: var["shape"] for name, var in main[0][2].items() if name.startswith("fc_0.w_0") and "trainer" not in name}
    assert shapes.pop("fc_0.w_0_mean_grad_0") == [6, 2000]
    assert set(map(tuple, shapes.values())) == {(6, 2000)}
    filled = {op[2]["Out"][0]: op[3]["shape"][1] for op in startup[0][1]}
    assert filled["fc_0.w_0_mean_grad_0"] == filled["fc_0.w_0.block1"] == [6, 2000]


def test_adadelta_is_done_by_servers() -> None:
    """1.8.5 leaves its updates out with a warning."""
    (main, _), _ = observed("line/adadelta sliced")["servers"]
    assert [[op[0] for op in block[1]] for block in main] == [["listen_and_serv"], *[["sum", "scale", "adadelta"]] * 3]


def test_late_gradients_of_tables_are_refused_by_name() -> None:
    assert observed("ctr/sparse dc asgd")["server error"][0] == "UnsupportedError"


@pytest.mark.parametrize("net", ["line", "deep"])
def test_names_say_which_server_gets_what_in_every_process(net: str) -> None:
    """1.8.5 takes Python's own hash, of a name that it calls as a method: an error."""
    ours = observed(f"{net}/hash")
    for i, (main, _) in enumerate(ours["servers"]):
        sent = [op for op in ours["trainer"][0][1] if op[0] == "send"]
        mine = {n for op in sent for n, e in zip(op[1]["X"], op[3]["epmap"][1]) if e == transpiled.SERVERS[i]}
        assert {n for n in main[0][1][-1][1]["X"] if n.endswith(".trainer_0")} == mine
    assert fluid.transpiler.HashName(["a:1", "b:2", "c:3"]).dispatch(["fc_0.w_0", "fc_0.b_0"]) == ["c:3", "a:1"]


@pytest.mark.parametrize(
    ("name", "like", "tables"),
    [
        ("ctr/distributed sparse", "ctr/sparse shared", ["table"]),
        ("ctr/distributed", "ctr/sparse shared", ["table"]),
        ("ctr/distributed two tables", "ctr/sparse", ["embedding_0.w_0", "embedding_1.w_0"]),
        ("words/distributed", "words/sparse", ["emb"]),
        ("words/distributed sparse", "words/sparse", ["emb"]),
    ],
)
def test_distributed_tables_live_on_servers_alone(name: str, like: str, tables: list[str]) -> None:
    """1.8.5 fails with an IndexError. Ours are tables whose rows are asked for, as sparse ones are, and servers know them."""
    ours, sparse = observed(name), REAL[like]
    assert [op[0] for op in ours["trainer"][0][1]] == [op[0] for op in sparse["trainer"][0][1]]
    assert [op[:3] for op in ours["startup"][0][1]] == [op[:3] for op in sparse["startup"][0][1]]
    grads = {n: var["type"] for n, var in ours["trainer"][0][2].items() if n.split("@")[0] in tables and "@GRAD" in n}
    assert grads and set(grads.values()) == {8}
    main, startup = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        made = transpiled.transpiled(fluid, transpiled.CASES[name], (main, startup))
    served = made.get_pserver_program(transpiled.SERVERS[0]).global_block().vars
    assert [n for n, var in served.items() if getattr(var, "is_distributed", False)] == [f"{table}.block0" for table in tables]


def net_with_clips() -> None:
    x = fluid.layers.data("x", [1000])
    attrs = {"param_attr": fluid.ParamAttr("w", regularizer=fluid.regularizer.L2Decay()), "bias_attr": fluid.ParamAttr("b")}
    loss = fluid.layers.mean(fluid.layers.fc(x, 1000, **attrs))
    with pytest.warns(UserWarning, match="not recommended"):
        fluid.clip.set_gradient_clip(fluid.clip.GradientClipByValue(0.1))
    fluid.optimizer.Momentum(0.1, 0.9).minimize(loss)


def test_programs_say_what_servers_have() -> None:
    """As 1.8.5 says it of this net; blocks are in the order of the updates, where w has more operators than one."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        net_with_clips()
    made = fluid.DistributeTranspiler()
    made.transpile(0, main, "127.0.0.1:1,127.0.0.1:2", 2, startup_program=startup, current_endpoint="127.0.0.1:2")
    found = {}
    for endpoint in made.pserver_endpoints:
        program, begins = made.get_pserver_programs(endpoint)
        assert program._endpoints == made.pserver_endpoints and begins._endpoints == []
        known = program._parameters_on_pservers.get_distributed_vars_by_ep(endpoint)
        found[endpoint] = {(v.origin.name, v.slice.name, v.slice.shape, v.is_slice, v.block_id, v.offset, v.vtype) for v in known}
        assert (program._ps_endpoint, program._is_chief, program._distributed_lookup_table) == ("127.0.0.1:2", True, None)
    half = (500, 1000)
    assert found == {
        "127.0.0.1:1": {
            ("w", "w.block0", half, True, 0, 0, "Param"), ("w_velocity_0", "w_velocity_0", half, True, 0, 0, "Optimizer"),
            ("b", "b", (1000,), False, 0, 0, "Param"), ("b_velocity_0", "b_velocity_0", (1000,), False, 0, 0, "Optimizer"),
        },
        "127.0.0.1:2": {
            ("w", "w.block1", half, True, 1, 500000, "Param"), ("w_velocity_0", "w_velocity_0", half, True, 1, 500000, "Optimizer"),
        },
    }  # fmt: skip
    (b, w) = made.get_pserver_program("127.0.0.1:1").blocks[1:]
    assert [op.type for op in b.ops] == ["sum", "scale", "momentum"]
    assert [op.type for op in w.ops] == ["sum", "scale", "scale", "sum", "momentum"]
    assert made.vars_overview.get_distributed_var_by_slice("w.block1").endpoint == "127.0.0.1:2"
    assert made.grad_name_to_param_name.keys() == {"clip_0.tmp_0", "clip_1.tmp_0"}
    assert not made.has_distributed_lookup_table and made.table_name is None
    assert made.get_trainer_program(wait_port=False)._endpoints == ["127.0.0.1:1", "127.0.0.1:2"]
