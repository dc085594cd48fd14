"""What transpiled Programs compute where no server is needed: kernels, gradients, and that the backward pass stays one piece."""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.engine import server_loop
from paddle_compat.engine.data_parallel import data_parallel
from paddle_compat.engine.regions import find_regions
from paddle_compat.errors import UnsupportedError
from paddle_compat.fluid.transpiler.distribute_transpiler import slice_variable
from paddle_compat.ops import parameter_server as ops

sys.path.insert(0, str(ROOT / "tests/models"))

import transpiled

REAL = json.loads((ROOT / "tests/references/transpiler_kernels_1.8.5.json").read_text())
IDS = [torch.tensor([[0], [2], [2], [5], [1], [1], [2]]), torch.tensor([[5], [4]])]
X = torch.arange(20, dtype=torch.float32).reshape(5, 4)
TALKING = {"send", "recv", "send_barrier", "fetch_barrier", "distributed_lookup_table", "fake_init"}


@pytest.fixture
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def listed(values: Any) -> Any:
    return [value.tolist() for value in values]


# ---- kernels
def test_ids_go_to_servers_and_rows_come_back() -> None:
    parts = ops.split_ids.fn(IDS, _outs=[7] * 3)
    assert listed(parts) == REAL["split_ids"]
    rows = [torch.cat([part * 10.0, part * 10.0 + 1], 1) for part in parts]
    assert listed(ops.merge_ids.fn(IDS, parts, rows)) == REAL["merge_ids"]
    with pytest.raises(InvalidArgumentError, match="no row for an id"):
        ops.merge_ids.fn([torch.tensor([[7]])], parts, rows)


def test_parts_share_memory() -> None:
    parts = ops.split_byref.fn(X, sections=[2, 3])
    assert listed(parts) == REAL["split_byref"] and parts[1].data_ptr() == X[2:].data_ptr()
    assert listed(ops.split_byref.fn(parts[0], num=2)) == REAL["split_byref in halves"]
    with pytest.raises(InvalidArgumentError, match="2 equal parts.*Received: 5"):
        ops.split_byref.fn(X, num=2)
    with pytest.raises(InvalidArgumentError, match="2 tensors.*Received: 2"):
        ops.ref_by_trainer_id.fn(parts, torch.tensor([2]))
    assert listed([ops.ref_by_trainer_id.fn(parts, torch.tensor([1]))]) == REAL["ref_by_trainer_id"]


def test_rows_of_a_table_keep_their_order_in_each_part() -> None:
    values = torch.arange(12, dtype=torch.float32).reshape(6, 2)
    rows = torch.sparse_coo_tensor(torch.tensor([[0, 7, 4, 9, 5, 7]]), values, (20, 2))
    parts = ops.split_selected_rows.fn(rows, height_sections=[5, 5, 10])
    found = [[p._indices()[0].tolist(), p.shape[0], p._values().tolist()] for p in parts]
    assert found == REAL["split_selected_rows"]


def test_a_table_that_is_elsewhere_takes_no_memory() -> None:
    table = ops.fake_init.fn(shape=[10**9, 16])
    assert table.shape == (10**9, 16) and table.untyped_storage().nbytes() == 4
    assert ops.delete_var.fn([X]) == ()


@pytest.mark.parametrize("type_", ["send", "recv", "send_barrier", "fetch_barrier", "prefetch", "listen_and_serv"])
def test_what_needs_a_server_says_so(type_: str) -> None:
    with pytest.raises(UnsupportedError, match=f"{type_}.*outside of a parameter server's job"):
        getattr(ops, type_).fn([X])


@pytest.mark.usefixtures("static_mode")
def test_outputs_are_as_many_as_were_asked_for() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        ids = fluid.data("ids", [None, 1], "int64")
        parts = [main.global_block().create_var(name=f"part{i}", dtype="int64") for i in range(3)]
        main.global_block().append_op("split_ids", {"Ids": [ids]}, {"Out": parts})
    got = fluid.Executor(fluid.CPUPlace()).run(main, feed={"ids": torch.cat(IDS).numpy()}, fetch_list=parts)
    assert listed(got) == REAL["split_ids"]


@pytest.mark.usefixtures("static_mode")
@pytest.mark.parametrize(("count", "least", "parts"), REAL["slices"])
def test_variables_are_sliced_by_whole_rows(count: int, least: int, parts: list[str]) -> None:
    block = fluid.Program().global_block()
    sliced = [block.create_var(name=f"v{i}", shape=shape, dtype="float32") for i, shape in enumerate(REAL["shapes"])]
    assert slice_variable(sliced, count, least) == parts


# ---- servers
@pytest.mark.usefixtures("static_mode")
@pytest.mark.parametrize(
    "name", ["line/adam decay 3 servers", "line/sgd piecewise", "ctr/sparse lazy async", "line/dc asgd sliced", "line/geo"]
)
def test_servers_begin_with_their_parts(name: str) -> None:
    said, (main, startup) = transpiled.CASES[name], (fluid.Program(), fluid.Program())
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        made = transpiled.transpiled(fluid, said, (main, startup))
    for endpoint in transpiled.SERVERS[: said["servers"]]:
        serve, begin = made.get_pserver_programs(endpoint)
        scope, kept = fluid.Scope(), serve.global_block().vars
        with fluid.scope_guard(scope):
            fluid.Executor(fluid.CPUPlace()).run(begin)
        filled = {op.output("Out")[0] for op in begin.global_block().ops}
        assert filled and all(tuple(np.array(scope.find_var(n).get_tensor()).shape) == tuple(kept[n].shape) for n in filled)
        where = serve.global_block().ops[-1]._blocks_attr_ids("optimize_blocks")
        for copy in (serve.clone(), fluid.Program.parse_from_string(serve.desc.serialize_to_string())):
            assert copy.global_block().ops[-1]._blocks_attr_ids("optimize_blocks") == where
            assert all(block.program is copy for block in copy.global_block().ops[-1]._blocks_attr("optimize_blocks"))


@pytest.mark.usefixtures("static_mode")
@pytest.mark.parametrize("name", ["line/adam decay 3 servers", "words/sparse"])
def test_servers_may_be_asked_for_behind_the_trainer(name: str) -> None:
    """1.8.5 reads freed memory then."""
    _, _, made = trainer(name)
    main, begin = made.get_pserver_programs(transpiled.SERVERS[0])
    real = json.loads(gzip.decompress((ROOT / "tests/references/transpiled_1.8.5.json.gz").read_bytes()))[name]["servers"][0]
    for ours, theirs in zip((main, begin), real):
        found = json.loads(json.dumps(transpiled.plain_program(ours)))
        assert [[op[:3] for op in block[1]] for block in found] == [[op[:3] for op in block[1]] for block in theirs]


@pytest.mark.usefixtures("static_mode")
def test_a_sliced_array_of_values_is_cut() -> None:
    """1.8.5 gives every server the whole array, in a variable that holds a part."""
    main, startup, whole = fluid.Program(), fluid.Program(), np.arange(40000, dtype="float32").reshape(400, 100)
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        attr = fluid.ParamAttr(name="w", initializer=fluid.initializer.NumpyArrayInitializer(whole))
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 400]), 100, param_attr=attr))
        fluid.optimizer.SGD(0.1).minimize(loss)
        made = fluid.DistributeTranspiler()
        made.transpile(0, pservers=",".join(transpiled.SERVERS[:2]), trainers=2)
    parts = []
    for endpoint in transpiled.SERVERS[:2]:
        scope, (_, begin) = fluid.Scope(), made.get_pserver_programs(endpoint)
        with fluid.scope_guard(scope):
            fluid.Executor(fluid.CPUPlace()).run(begin)
        parts += [(n, np.array(scope.find_var(n).get_tensor())) for n in ("w.block0", "w.block1") if n in begin.global_block().vars]
    np.testing.assert_array_equal(np.concatenate([value for _, value in sorted(parts, key=lambda part: part[0])]), whole)


# ---- trainers
def trainer(name: str) -> tuple[Any, Any, Any]:
    """A trainer's Program, its startup Program, and the transpiler."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 3
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        made = transpiled.transpiled(fluid, transpiled.CASES[name], (main, startup))
    return made.get_trainer_program(), startup, made


@pytest.mark.usefixtures("static_mode")
@pytest.mark.parametrize(
    "name", ["line/sgd", "line/sgd sliced", "line/async", "ctr/sparse", "ctr/sparse small", "words/sparse", "image/momentum"]
)
def test_the_backward_pass_stays_one_piece(name: str) -> None:
    assert [region.edited for region in find_regions(trainer(name)[0].global_block())] == [None]


def gradients(main: Any, startup: Any, feed: Any, names: list[str], table: Any = None) -> list[np.ndarray]:
    """Gradients of a Program that meets no server."""
    for program in (main, startup):
        block = program.global_block()
        block.ops = [op for op in block.ops if op.type not in TALKING and not (op.role & 2)]
        program._touch()
    exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
    with fluid.scope_guard(scope):
        exe.run(startup)
        scope.var("emb").get_tensor().set(np.zeros((3000, 8), "float32") if table is None else table, fluid.CPUPlace())
        return exe.run(main, feed=feed, fetch_list=names)


@pytest.mark.usefixtures("static_mode")
def test_a_file_tells_the_port_of_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    told, path = [], Path("/tmp", f"paddle.{os.getpid()}.port")
    monkeypatch.setattr(server_loop, "serve", lambda *job: told.append(path.read_text()))
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        fluid.optimizer.SGD(0.1).minimize(transpiled.line(fluid))
        made = fluid.DistributeTranspiler()
        made.transpile(0, main, "127.0.0.1:6174", 1, startup_program=startup)
    serve, begin = made.get_pserver_programs("127.0.0.1:6174")
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        exe.run(begin)
        exe.run(serve)
    assert told == ["6174"] and not path.exists()


@pytest.mark.usefixtures("static_mode")
def test_a_trainer_computes_the_gradients_of_the_program_that_it_was_given() -> None:
    numbers = np.random.RandomState(0)
    ids = {f"word{i}": numbers.randint(0, 3000, (6, 1)) for i in range(3)}
    table = numbers.rand(3000, 8).astype("float32")
    feed = {**ids, "next": numbers.randint(0, 40, (6, 1))}
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 3
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        fluid.optimizer.SGD(0.1).minimize(transpiled.words(fluid))
    names = ["fc_0.w_0@GRAD", "fc_1.b_0@GRAD"]
    alone = gradients(main, startup, feed, [*names, "emb@GRAD"], table)
    rows = {f"embedding_{i}.tmp_0": table[ids[f"word{i}"][:, 0]] for i in range(3)}
    sent = [f"{name}.trainer_0" for name in (*names, "emb@GRAD.block0", "emb@GRAD.block1")]
    there = gradients(*trainer("words/sparse")[:2], {**feed, **rows}, sent)
    for ours, real in zip([*there[:2], np.concatenate(there[2:])], alone):
        np.testing.assert_array_equal(ours, real)
    assert np.abs(alone[2]).sum() > 0


@pytest.mark.usefixtures("static_mode")
def test_replicas_of_a_trainer_sum_gradients_up_before_they_are_clipped() -> None:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1])
        loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(x, 1), y))
        fluid.optimizer.SGD(0.5, grad_clip=fluid.clip.GradientClipByGlobalNorm(0.05)).minimize(loss)
        whole = fluid.DistributeTranspiler()
        whole.transpile(0, program=main, pservers="127.0.0.1:6170", trainers=2, startup_program=startup)
        block = data_parallel(whole.get_trainer_program(wait_port=False), 0.5).global_block()
    written: set[str] = set()
    summed = []
    for op in block.ops:
        if op.type == "c_allreduce_sum":
            assert op.input("X")[0] in written
            summed += op.input("X")
        written.update(op.output_arg_names)
    assert {"fc_0.w_0@GRAD", "fc_0.b_0@GRAD"} <= set(summed)
    assert not [name for name in summed if name.startswith("elementwise_mul")]  # they are clipped by the norm of all sums
