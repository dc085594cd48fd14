"""Tables that live on servers alone: they train as tables of one process do, in memory of the rows that were touched."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import free_ports, run_together
from servers_at_home import ENDPOINTS, alone, at_home

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core.errors import InvalidArgumentError, NotFoundError, OutOfRangeError, UnsupportedError
from paddle_compat.core.streams import Reader, read_selected_rows, read_tensor
from paddle_compat.engine.serving import server_of

HEIGHT, WIDTH = 3000, 8
EVERY = np.arange(40).reshape(-1, 1)  # ids of a table of which each step touches every row
made = fluid.optimizer
# those that leave untouched rows alone, and others
OPTIMIZERS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "sgd": (made.SGD, {}),
    "adam": (made.Adam, {"lazy_mode": True}),
    "adagrad": (made.Adagrad, {"initial_accumulator_value": 0.1}),
}
WHOLE: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "momentum": (made.Momentum, {"momentum": 0.9}),
    "adam": (made.Adam, {"regularization": fluid.regularizer.L2Decay(0.01)}),
    "sgd": (made.SGD, {"regularization": fluid.regularizer.L1Decay(0.01)}),
    "rmsprop": (made.RMSProp, {"momentum": 0.5, "centered": True}),
}
UNIFORM = fluid.initializer.Uniform(-0.5, 0.5)


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def network(
    kind: str, dist: bool, height: int = HEIGHT, optimizers: Any = OPTIMIZERS, initial: Any = UNIFORM, clip: Any = None, decays: bool = True
) -> Any:
    """Two look-ups of one table; the loss."""
    ids, y = [fluid.data(name, [None, 1], "int64") for name in ("first", "second")], fluid.data("y", [None, 1])
    attr = fluid.ParamAttr(name="table", initializer=initial)
    rows = [fluid.layers.embedding(i, [height, WIDTH], is_sparse=True, is_distributed=dist, param_attr=attr) for i in ids]
    flat = [fluid.layers.reshape(row, [-1, WIDTH]) for row in rows]
    out = fluid.layers.fc(fluid.layers.concat(flat, 1), 1, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Constant(0.3)))
    loss = fluid.layers.mean(fluid.layers.square_error_cost(out, y))
    if clip is not None:
        fluid.clip.set_gradient_clip(clip)
    optimizer, more = optimizers[kind]
    optimizer(fluid.layers.exponential_decay(0.1, 10, 0.9) if decays else 0.1, **more).minimize(loss)
    return loss


def batches(count: int, height: int = HEIGHT, every: Any = None) -> list[dict[str, Any]]:
    numbers = np.random.RandomState(0)
    found = []
    for _ in range(count):
        ids = numbers.randint(0, height, (2, 20, 1)) if every is None else [numbers.permutation(every) for _ in range(2)]
        found.append({"first": ids[0], "second": ids[1], "y": numbers.rand(len(ids[0]), 1).astype("float32")})
    return found


@pytest.mark.parametrize(("kind", "sync"), [*((kind, True) for kind in OPTIMIZERS), ("sgd", False)])
def test_touched_rows_train_as_in_one_process(kind: str, sync: bool) -> None:
    feeds = batches(30)
    here = alone(lambda: network(kind, False, decays=sync), feeds)
    with at_home(lambda: network(kind, True, decays=sync), sync=sync) as home:
        there = [home.run(feed)[0].item() for feed in feeds]
        assert not any(name.startswith("table.block") and "@GRAD" not in name for scope in home.scopes for name in scope.local_var_names())
        touched = {int(i) for feed in feeds for name in ("first", "second") for i in feed[name][:, 0]}
        assert sum(len(server.tables[f"table.block{i}"]) for i, server in enumerate(home.servers)) == len(touched)
        held = fluid.global_scope().find_var("table").get_tensor().value.untyped_storage().nbytes()
        assert held == 4  # the trainer has none
    np.testing.assert_allclose(there, here, rtol=1e-5)


@pytest.mark.parametrize("kind", WHOLE)
def test_tables_whose_rows_are_all_touched_train_as_parameters_do(kind: str) -> None:
    feeds = batches(20, every=EVERY)
    here = alone(lambda: network(kind, False, len(EVERY), WHOLE), feeds)
    with at_home(lambda: network(kind, True, len(EVERY), WHOLE), endpoints=ENDPOINTS[:1]) as home:
        there = [home.run(feed)[0].item() for feed in feeds]
    np.testing.assert_allclose(there, here, rtol=1e-5)


@pytest.mark.parametrize(
    "clip", [fluid.clip.GradientClipByValue(0.02), fluid.clip.GradientClipByNorm(0.05), fluid.clip.GradientClipByGlobalNorm(0.05)]
)
def test_gradients_of_rows_are_clipped_as_in_one_process(clip: Any) -> None:
    feeds = batches(10)
    here = alone(lambda: network("sgd", False, clip=clip), feeds)
    with at_home(lambda: network("sgd", True, clip=clip)) as home:
        there = [home.run(feed)[0].item() for feed in feeds]
    np.testing.assert_allclose(there, here, rtol=1e-5)


@pytest.mark.parametrize(
    "initial",
    [
        fluid.initializer.Constant(0.2),
        fluid.initializer.NumpyArrayInitializer(np.random.RandomState(0).rand(HEIGHT, WIDTH).astype("float32")),
    ],
)
def test_rows_begin_as_the_initializer_says(initial: Any) -> None:
    feeds = batches(3)
    here = alone(lambda: network("sgd", False, initial=initial), feeds)
    with at_home(lambda: network("sgd", True, initial=initial)) as home:
        there = [home.run(feed)[0].item() for feed in feeds]
    np.testing.assert_allclose(there, here, rtol=1e-5)


def newer(dist: bool) -> Any:
    """lookup_table_v2, a row of padding, and two tables of several initializers."""
    ids, y = fluid.data("ids", [None, 3], "int64"), fluid.data("y", [None, 1])
    attrs = [fluid.ParamAttr(name="wide", initializer=fluid.initializer.Xavier()), fluid.ParamAttr(name="small", initializer=UNIFORM)]
    sizes = [[HEIGHT, WIDTH], [HEIGHT, 2]]  # of which the second is not sliced
    found = [fluid.embedding(ids, size, is_sparse=True, is_distributed=dist, padding_idx=4, param_attr=a) for size, a in zip(sizes, attrs)]
    flat = [fluid.layers.reduce_sum(rows, 1) for rows in found]
    out = fluid.layers.fc(fluid.layers.concat(flat, 1), 1, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Constant(0.3)))
    loss = fluid.layers.mean(fluid.layers.square_error_cost(out, y))
    made.Adagrad(0.1).minimize(loss)
    return loss


def pooled(dist: bool) -> Any:
    """Ids in sequences."""
    ids, y = fluid.layers.data("ids", [1], dtype="int64", lod_level=1), fluid.layers.data("y", [1])
    attr = fluid.ParamAttr(name="table", initializer=UNIFORM)
    row = fluid.layers.embedding(ids, [HEIGHT, WIDTH], is_sparse=True, is_distributed=dist, param_attr=attr)
    out = fluid.layers.reduce_sum(fluid.layers.sequence_pool(row, "sum"), 1, keep_dim=True)
    loss = fluid.layers.mean(fluid.layers.square_error_cost(out, y))
    made.SGD(0.02).minimize(loss)
    return loss


@pytest.mark.parametrize("sliced", [True, False])
@pytest.mark.parametrize("net", [newer, pooled])
def test_look_ups_of_all_kinds(net: Any, sliced: bool) -> None:
    numbers = np.random.RandomState(0)
    feeds = []
    for _ in range(10):
        ids, y = numbers.randint(0, 9, (12, 3)), numbers.rand(12 if net is newer else 3, 1).astype("float32")
        feeds.append({"ids": ids if net is newer else fluid.create_lod_tensor(ids[:, :1], [[2, 0, 10]], fluid.CPUPlace()), "y": y})
    config = fluid.DistributeTranspilerConfig()
    config.slice_var_up = sliced
    here = alone(lambda: net(False), feeds)
    with at_home(lambda: net(True), config=config) as home:
        there = [home.run(feed)[0].item() for feed in feeds]
        names = sorted(name for server in home.servers for name in server.tables)
    np.testing.assert_allclose(there, here, rtol=1e-5)
    wide = "wide" if net is newer else "table"
    assert names == ["small"] * (net is newer) + ([f"{wide}.block0", f"{wide}.block1"] if sliced else [wide])


def test_wrong_ids_are_refused_and_the_job_goes_on() -> None:
    good, bad = batches(2)
    bad["second"][4] = HEIGHT
    with at_home(lambda: network("sgd", True)) as home:
        home.run(good)
        with pytest.raises(OutOfRangeError, match=f"ids of table `table`. Expected ids from 0 to {HEIGHT - 1}. Received: {HEIGHT}"):
            home.run(bad)
        assert np.isfinite(home.run(good)[0]).all()


def test_ids_that_come_seldom_get_no_rows() -> None:
    def counted() -> Any:
        ids, y = fluid.data("ids", [None, 1], "int64"), fluid.data("y", [None, 1])
        attr = fluid.ParamAttr(name="table", initializer=fluid.initializer.Constant(0.2))
        entry = paddle.distributed.CountFilterEntry(3)
        row = paddle.static.nn.sparse_embedding(ids, [HEIGHT, WIDTH], entry=entry, param_attr=attr)
        out = fluid.layers.reduce_sum(fluid.layers.reshape(row, [-1, WIDTH]), 1, keep_dim=True)
        made.SGD(0.1).minimize(fluid.layers.mean(fluid.layers.square_error_cost(out, y)))
        return out

    feed = {"ids": np.array([[5], [2000], [5]]), "y": np.ones((3, 1), "float32")}
    with at_home(counted) as home:
        found = [home.run(feed)[0][:, 0].tolist() for _ in range(4)]
        others = home.run({"ids": np.array([[7]]), "y": np.ones((1, 1), "float32")})
        assert [len(server.tables[f"table.block{i}"]) for i, server in enumerate(home.servers)] == [1, 1]
    assert found[:2] == [[0.0] * 3] * 2 and others[0].tolist() == [[0.0]]
    np.testing.assert_allclose(found[2], [1.6] * 3, rtol=1e-6)
    assert found[3][0] == found[3][2] < found[3][1] < 1.6  # twice the gradient


def test_trainers_take_nothing_else_for_a_table(tmp_path: Path) -> None:
    """1.8.5 calls a table that a trainer reads or saves not initialized."""
    feed = batches(1)[0]
    with at_home(lambda: network("sgd", True)) as home:
        tested, start = fluid.Program(), fluid.Program()
        with fluid.unique_name.guard(), fluid.program_guard(tested, start):
            loss = network("sgd", False)
        with pytest.raises(InvalidArgumentError, match="`W` of an embedding.*Received: one that lives on parameter servers"):
            home.exe.run(tested, feed=feed, fetch_list=[loss])
        with pytest.raises(RuntimeError, match=r"a table of shape \[3000, 8\] that lives on parameter servers"):
            fluid.io.save_params(home.exe, str(tmp_path), tested)
        assert np.isfinite(home.run(feed)[0]).all()


def test_optimizers_that_look_at_the_whole_table_are_refused() -> None:
    with (
        pytest.raises(UnsupportedError, match="the optimizer's operator `lamb`"),
        at_home(lambda: network("lamb", True, optimizers={"lamb": (made.Lamb, {})})),
    ):
        pass


def read(path: Path) -> Any:
    with open(path, "rb") as stream:
        return read_selected_rows(Reader(stream))._tensor()


@pytest.mark.parametrize("servers", [2, 1])
def test_saved_tables_train_on(servers: int, tmp_path: Path) -> None:
    feeds = batches(20)
    (tmp_path / "__lookup_table__").mkdir()
    (tmp_path / "__lookup_table__/table_7").write_bytes(b"of a job with more servers")
    with at_home(lambda: network("adam", True, decays=False)) as home:
        for feed in feeds[:10]:
            home.run(feed)
        fluid.io.save_persistables(home.exe, str(tmp_path), home.main)
        expected = [home.run(feed)[0].item() for feed in feeds[10:]]
    assert sorted(path.name for path in (tmp_path / "__lookup_table__").iterdir()) == ["table_0", "table_1"]
    kept = [read(tmp_path / f"__lookup_table__/table_{i}") for i in (0, 1)]
    touched = np.unique([feed[name] for feed in feeds[:10] for name in ("first", "second")])
    np.testing.assert_array_equal(np.sort(np.concatenate([each._indices()[0].numpy() for each in kept])), touched)
    assert {tuple(each.shape) for each in kept} == {(HEIGHT, WIDTH)}

    def load(serves: Any, exe: Any) -> None:
        fluid.io.load_persistables(exe, str(tmp_path), serves)

    with at_home(lambda: network("adam", True, decays=False), endpoints=ENDPOINTS[:servers], begin=load) as home:
        assert sum(len(table) for server in home.servers for table in server.tables.values()) == len(touched)
        found = [home.run(feed)[0].item() for feed in feeds[10:]]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_server_that_was_started_again_has_its_rows(tmp_path: Path) -> None:
    feeds = batches(12)
    with at_home(lambda: network("adam", True)) as home:
        for feed in feeds[:6]:
            home.run(feed)
        home.servers[1].save(tmp_path / "one")
        home.servers[1] = again = server_of(home.programs[1], home.programs[1].global_block().ops[-1], home.begun(1))
        assert not any(map(len, again.tables.values()))
        again.restore(tmp_path / "one")
        found = [home.run(feed)[0].item() for feed in feeds[6:]]
    with at_home(lambda: network("adam", True)) as home:
        expected = [home.run(feed)[0].item() for feed in feeds]
    np.testing.assert_array_equal(found, expected[6:])


# ---- processes
DECLARED, TRIED, BATCH, STEPS = 100_000_000, 1_600_000, 40_000, 20
LARGE = """
import json, os, sys, time
import numpy as np
from paddle_compat import fluid


def network(height, dist):
    main, start = fluid.Program(), fluid.Program()
    main.random_seed = start.random_seed = 11
    with fluid.program_guard(main, start), fluid.unique_name.guard():
        ids, y = fluid.data("ids", [None, 1], "int64"), fluid.data("y", [None, 1])
        attr = fluid.ParamAttr(name="table", initializer=fluid.initializer.Uniform(-0.5, 0.5))
        row = fluid.layers.embedding(ids, [height, 16], is_sparse=True, is_distributed=dist, param_attr=attr)
        constant = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.3))
        loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(row, 1, param_attr=constant), y))
        rate = fluid.layers.piecewise_decay([5, 12], [0.01, 0.03, 0.02])
        fluid.optimizer.Adam(rate, lazy_mode=True).minimize(loss)
    return main, start, loss


def batch(step, trainer):
    random = np.random.RandomState(10 * step + trainer)
    return {"ids": random.randint(0, TRIED, (BATCH, 1)), "y": random.rand(BATCH, 1).astype("float32")}
"""
LARGE_JOB = (
    LARGE
    + """
role, number, endpoint = sys.argv[1:]


def seen(server):
    memory = next(int(line.split()[1]) * 1024 for line in open(f"/proc/{server}/status") if line.startswith("VmRSS"))
    used = open(f"/proc/{server}/stat").read().rpartition(")")[2].split()
    return memory, (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


exe = fluid.Executor(fluid.CPUPlace())
main, start, loss = network(DECLARED, True)
transpiler = fluid.DistributeTranspiler()
transpiler.transpile(int(number), program=main, pservers=endpoint, trainers=2, startup_program=start)
if role == "server":
    with open("server.tmp", "w") as out:
        json.dump([os.getpid(), *seen(os.getpid())], out)
    os.rename("server.tmp", "server")
    serve, begin = transpiler.get_pserver_programs(endpoint)
    exe.run(begin)
    exe.run(serve)
else:
    trained = transpiler.get_trainer_program()
    exe.run(start)
    server, memory, used = json.load(open("server"))
    said = {"started": seen(server)[1] - used, "memory": [seen(server)[0] - memory]}
    said["losses"] = [exe.run(trained, feed=batch(step, int(number)), fetch_list=[loss])[0].item() for step in range(STEPS // 4)]
    said["memory"].append(seen(server)[0] - memory)
    said["losses"] += [exe.run(trained, feed=batch(step, int(number)), fetch_list=[loss])[0].item() for step in range(STEPS // 4, STEPS)]
    said["memory"].append(seen(server)[0] - memory)
    exe.close()
    print(json.dumps(said) + "\\n", end="", flush=True)
"""
)


def test_a_hundred_million_rows_take_the_memory_of_those_that_are_touched(tmp_path: Path) -> None:
    sizes = f"DECLARED, TRIED, BATCH, STEPS = {DECLARED}, {TRIED}, {BATCH}, {STEPS}\n"
    (tmp_path / "job.py").write_text(sizes + LARGE_JOB)
    endpoint = f"127.0.0.1:{free_ports(1)[0]}"
    words = [[str(tmp_path / "job.py"), role, number, endpoint] for role, number in (("server", "0"), ("trainer", "0"), ("trainer", "1"))]
    (status, text), *trainers = run_together(words, [{}] * 3, tmp_path)
    assert [status, *(each[0] for each in trainers)] == [0] * 3, text + "".join(each[1] for each in trainers)
    said = [json.loads(each[1].splitlines()[-1]) for each in trainers]
    assert said[0]["started"] < 2 and said[0]["memory"][0] < 1e8  # seconds that the server worked, and bytes
    here: dict[str, Any] = {}
    exec(sizes + LARGE, here)
    feeds = [[here["batch"](step, trainer) for trainer in (0, 1)] for step in range(STEPS)]
    early, late = (len(np.unique([each["ids"] for feed in feeds[:steps] for each in feed])) for steps in (STEPS // 4, STEPS))
    grown = said[0]["memory"][2] - said[0]["memory"][1]
    # a row and Adam's two moments; what rounds use of it comes and goes by megabytes
    assert grown < 1.2 * 3 * 64 * (late - early) + 8e6
    with fluid.scope_guard(fluid.Scope()):
        main, start, loss = here["network"](TRIED, False)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(start)
        joined = [{name: np.concatenate([each[name] for each in feed]) for name in feed[0]} for feed in feeds]
        alone_losses = [exe.run(main, feed=feed, fetch_list=[loss])[0].item() for feed in joined]
    np.testing.assert_allclose(np.mean([each["losses"] for each in said], 0), alone_losses, rtol=1e-5)


def wide_and_table() -> Any:
    x, ids = fluid.data("x", [None, 4]), fluid.data("ids", [None, 1], "int64")
    rows = fluid.layers.embedding(ids, [HEIGHT, WIDTH], is_sparse=True, is_distributed=True, param_attr=fluid.ParamAttr("table"))
    wide = fluid.layers.fc(x, 5000, param_attr=fluid.ParamAttr("w"))  # in two parts
    loss = fluid.layers.mean(wide) + fluid.layers.mean(rows)
    made.SGD(0.1).minimize(loss)
    return loss


def run_operator(exe: Any, kind: str, **attrs: Any) -> None:
    program = fluid.Program()
    program.global_block().append_op(type=kind, inputs={}, outputs={}, attrs=attrs)
    exe.run(program)


def test_operators_of_programs_of_ones_own_save_what_servers_have(tmp_path: Path) -> None:
    """With the attributes that Paddle 1.8.5's `fluid.io` writes into such Programs."""
    parts = {"slice_varnames": ["w.block0", "w.block1"], "remote_varnames": ["w.block0", "w.block1"], "endpoints": ENDPOINTS}
    saved = {"trainer_id": 0, "shape": [4, 5000], "slice_shapes": ["2,5000", "2,5000"], **parts, "file_path": str(tmp_path / "new/w")}
    with at_home(wide_and_table) as home:
        owners = [home.transpiler.vars_overview.get_distributed_var_by_slice(name).endpoint for name in parts["slice_varnames"]]
        saved["endpoints"] = owners
        ids = np.array([[3], [2999], [1500], [3]])
        home.exe.run(home.main, {"x": np.ones((4, 4), "float32"), "ids": ids}, [home.loss])
        run_operator(home.exe, "recv_save", **saved)
        run_operator(home.exe, "checkpoint_notify", epmap=ENDPOINTS, dir=str(tmp_path), lookup_table="table")
        expected = np.array(fluid.global_scope().find_var("w").get_tensor())
        with pytest.raises(InvalidArgumentError, match="exists. Expected a new file"):
            run_operator(home.exe, "recv_save", **saved, overwrite=False)
        with pytest.raises(InvalidArgumentError, match=r"part 'w.block0' .*Expected shape \[3, 5000\]. Received: \[2, 5000\]"):
            run_operator(home.exe, "recv_save", **{**saved, "slice_shapes": ["3,5000", "2,5000"]})
        with pytest.raises(NotFoundError, match="knows no table 'w'"):
            run_operator(home.exe, "checkpoint_notify", epmap=ENDPOINTS, dir=str(tmp_path), lookup_table="w")
        held = {i for server in home.servers for table in server.tables.values() for i in table.state()["ids"].tolist()}
    found = read_tensor(Reader(open(tmp_path / "new/w", "rb")))
    np.testing.assert_array_equal(np.array(found), expected)
    files = sorted((tmp_path / "__lookup_table__").iterdir())
    assert [path.name for path in files] == ["table_0", "table_1"] and len(held) == 3
    tables = [read_selected_rows(Reader(open(path, "rb")))._tensor() for path in files]
    assert sorted(i for table in tables for i in table._indices()[0].tolist()) == [3, 1500, 2999]
