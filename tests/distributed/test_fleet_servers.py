"""Jobs of paddle.distributed.fleet with parameter servers, as processes, against one process on all workers' batches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import free_ports, run_together

import paddle_compat as paddle
from paddle_compat.distributed import fleet

STEPS = 50
CASES = {  # optimizer, mode, kind of table
    "sgd": ("sgd", "sync", "rows"),
    "momentum": ("momentum", "sync", "rows"),
    "adam": ("adam", "sync", "rows"),
    "a table that servers alone hold": ("sgd", "sync", "remote"),
    "a dense table": ("adam", "sync", "dense"),
    "async": ("slow sgd", "async", "rows"),
    "geo": ("sgd", "geo", "rows"),
    "saved": ("adam", "sync", "remote"),
    "gone on with": ("adam", "sync", "remote"),  # from what "saved" has saved half way, on one server
    "a table gone on with": ("adam", "sync", "remote"),  # the dense parameters begin anew
}
EXACT = list(CASES)[:5]
NETWORK = """
import json, os, sys
import numpy as np
import paddle_compat as paddle
from paddle_compat.distributed import fleet

paddle.enable_static()
OPTIMIZERS = {
    "sgd": lambda rate: paddle.optimizer.SGD(rate),
    "slow sgd": lambda rate: paddle.optimizer.SGD(rate),  # steps that come late, several at once, throw nothing off
    "momentum": lambda rate: paddle.optimizer.Momentum(rate, 0.9),
    "adam": lambda rate: paddle.optimizer.Adam(rate, weight_decay=paddle.regularizer.L2Decay(0.01)),
}


def start_from(*shape):
    values = np.random.RandomState(shape[0]).uniform(-0.3, 0.3, shape).astype("float32")
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(values))


def embedded(ids, table):
    attr = paddle.ParamAttr(name="table", initializer=paddle.nn.initializer.Constant(0.1))
    if table == "remote":
        entry = paddle.distributed.ShowClickEntry(*(paddle.full_like(ids, value, "float32").name for value in (1, 0)))
        rows = paddle.static.nn.sparse_embedding(paddle.scale(ids, 41), [2100, 8], entry=entry, param_attr=attr)  # in two parts, too
    else:
        rows = paddle.static.nn.embedding(ids, [50, 8], is_sparse=table == "rows", padding_idx=0, param_attr=attr)
    return paddle.reshape(rows, [-1, 8])


def network(optimizer, table):
    x, y = (paddle.static.data(name, [None, width]) for name, width in (("x", 4), ("y", 1)))
    first, second = (paddle.static.data(name, [None, 1], "int64") for name in ("first", "second"))
    wide = paddle.static.nn.fc(x, 5000, weight_attr=start_from(4, 5000), activation="tanh")  # in two parts, one on each server
    deep = paddle.static.nn.fc(wide, 6, weight_attr=start_from(5000, 6), activation="tanh")
    deep = paddle.concat([deep, embedded(first, table), embedded(second, table)], 1)
    loss = paddle.mean(paddle.nn.functional.square_error_cost(paddle.static.nn.fc(deep, 1, weight_attr=start_from(22, 1)), y))
    rates = {"adam": 0.001, "slow sgd": 0.003}  # Adam makes much of last bits, by the rate
    rate = paddle.optimizer.lr.ExponentialDecay(rates.get(optimizer, 0.01), 0.5)
    return loss, OPTIMIZERS[optimizer](rate), rate


def batch(step, worker):
    random = np.random.RandomState(10 * step + worker)
    ids = random.randint(0, 50, (2, 8, 1))
    x, y = (random.rand(8, width).astype("float32") for width in (4, 1))
    return {"x": x, "y": 0.2 * y + 0.8, "first": ids[0], "second": ids[1]}


def value(name):
    return np.array(paddle.static.global_scope().find_var(name).get_tensor()).tolist()


def train(main, loss, rate, batches, steps=range(STEPS)):
    exe, losses = paddle.static.Executor(paddle.CPUPlace()), []
    for step in steps:
        losses.append(exe.run(main, feed=batches(step), fetch_list=[loss])[0].item())
        if step % 25 == 24:
            rate.step()
    return losses
"""
JOB = (
    NETWORK
    + """


def losses_again(main, loss, rate, mine, steps):
    # from the same saved model, and from tables that were saved one by one
    found = []
    rate.last_epoch = 0
    rate.step()
    for load in (lambda: fleet.load_model("saved", 0), lambda: [fleet.load_one_table(i, "tables", 0) for i in (0, 1)]):
        if fleet.is_first_worker():
            load()
        fleet.barrier_worker()
        load()  # of the others: they get what there is
        if not found:
            for i in (0, 1):
                fleet.save_one_table(i, "tables", 0)
        fleet.barrier_worker()
        found.append(train(main, loss, rate, mine, steps))
        fleet.barrier_worker()
    return found


part, number, *endpoints = sys.argv[1:]
number, said = int(number), {}
for (case, (optimizer, mode, table)), endpoints in zip(CASES.items(), endpoints):
    main, startup, scope = paddle.static.Program(), paddle.static.Program(), paddle.static.Scope()
    if case == "gone on with":
        endpoints = endpoints.split(",")[0]
        if (part, number) == ("server", 1):
            continue
    kind = fleet.Role.SERVER if part == "server" else fleet.Role.WORKER
    role = fleet.UserDefinedRoleMaker(
        is_collective=False, current_id=number, role=kind, worker_num=2, server_endpoints=endpoints.split(","))
    fleet.init(role)
    strategy = fleet.DistributedStrategy()
    strategy.a_sync = mode != "sync"
    if mode == "geo":
        strategy.a_sync_configs = {"k_steps": 3}
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard(), paddle.static.scope_guard(scope):
        loss, made, rate = network(optimizer, table)
        fleet.distributed_optimizer(made, strategy).minimize(loss)
        main, startup = paddle.static.default_main_program(), paddle.static.default_startup_program()
        if fleet.is_server():
            names = {"gone on with": ["saved"], "a table gone on with": ["saved", ["table"]]}
            fleet.init_server(*names.get(case, []))
            fleet.run_server()
            said[case] = [op.type for op in main.global_block().ops]
            continue
        exe = paddle.static.Executor(paddle.CPUPlace())
        exe.run(startup)
        fleet.init_worker()
        begun = value("fc_0.w_0")
        mine, half = lambda step: batch(step, number), range(STEPS // 2, STEPS)
        if case == "saved":
            losses = train(main, loss, rate, mine, range(STEPS // 2))
            if fleet.is_first_worker():
                fleet.save_persistables(exe, "saved", main)
                assert fleet.save_cache_model("cached") == 0 and os.listdir("cached") == ["000_cache"]
                fleet.save_inference_model(exe, "remote", ["x", "first", "second"], main.global_block().var("fc_2.tmp_1"), main)
                assert sorted(os.listdir("remote/__lookup_table__")) == ["table_0", "table_1"]
            fleet.barrier_worker()
            losses += train(main, loss, rate, mine, half)
        elif case == "gone on with":
            rate.step()
            losses = train(main, loss, rate, mine, half)
            again = losses_again(main, loss, rate, mine, half[:4])
        elif case == "a table gone on with":
            losses = train(main, loss, rate, mine, range(1))
        elif case == "async":  # side by side: one that is held up for a while would begin where the other has ended
            losses = []
            for begin in range(0, STEPS, 5):
                losses += train(main, loss, rate, mine, range(begin, begin + 5))
                fleet.barrier_worker()
        else:
            losses = train(main, loss, rate, mine)
        if case == "geo":
            fleet.save_persistables(exe, "geo", main)  # which the first worker does; for all of them what they have sent has come
            fleet.barrier_worker()
            for first in (True, False):
                if fleet.is_first_worker() == first:
                    fleet.load_model("geo", 0)
                fleet.barrier_worker()
        if case == "a table that servers alone hold":
            days = []
            for ended in (30, 1):
                for _ in range(ended):
                    fleet.save_persistables(exe, "days", main, mode=3)
                fleet.shrink()
                fleet.save_persistables(exe, "days", main)
                fleet.barrier_worker()
                days.append([os.path.getsize(f"days/__lookup_table__/table_{i}") for i in (0, 1)])
                fleet.barrier_worker()
            try:
                fleet.shrink(0.5)
            except TypeError as error:
                days.append(str(error))
        summed = fleet.util.all_reduce(np.array([number, 1.0]), "sum").tolist()
        if case == "sgd":
            fleet.barrier_worker()
            if fleet.is_first_worker():
                fed = ["x", "first", "second"]
                fleet.save_inference_model(exe, "model", fed, [main.global_block().var("fc_2.tmp_1")], main)
            fleet.barrier_worker()
            train(main, loss, rate, mine, range(1))
            if fleet.is_first_worker():
                fleet.load_inference_model("model", 0)  # which takes that step back
            fleet.barrier_worker()
            fleet.load_inference_model("model", 0)
            fleet.barrier_worker()
        fleet.stop_worker()
        held = {name: value(name) for name in ("fc_0.w_0", "fc_1.w_0", "fc_2.b_0")}
        said[case] = {"losses": losses, "begun": begun, "summed": summed, "parameters": held}
        if case == "gone on with":
            said[case]["again"] = again
        if case == "a table that servers alone hold":
            said[case]["days"] = days
with open(f"{part}{number}.json", "w") as out:
    json.dump(said, out)
"""
)


INFER = (
    NETWORK
    + """
part, number, endpoint = sys.argv[1:]
kind = fleet.Role.SERVER if part == "server" else fleet.Role.WORKER
role = fleet.UserDefinedRoleMaker(is_collective=False, current_id=int(number), role=kind, worker_num=2, server_endpoints=[endpoint])
loss, _, _ = network("adam", "remote")
infers, exe = fleet.utils.DistributedInfer(), paddle.static.Executor(paddle.CPUPlace())
infers.init_distributed_infer_env(exe, loss, role, dirname="saved")
if fleet.is_worker():
    program = infers.get_dist_infer_program()
    assert infers.get_dist_infer_program() is program
    assert "distributed_lookup_table" in [op.type for op in program.global_block().ops]
    print("losses", *train(program, loss, None, lambda step: batch(STEPS // 2 + step, int(number)), range(1)))
    fleet.stop_worker()
"""
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the job of all cases has run."""
    folder = tmp_path_factory.mktemp("fleet_servers")
    (folder / "job.py").write_text(f"CASES, STEPS = {CASES!r}, {STEPS}\n{JOB}")
    ports = iter(free_ports(2 * len(CASES)))
    endpoints = [f"127.0.0.1:{next(ports)},127.0.0.1:{next(ports)}" for _ in CASES]
    words = [[str(folder / "job.py"), part, str(number), *endpoints] for part in ("server", "worker") for number in (0, 1)]
    for status, text in run_together(words, [{}] * 4, folder, seconds=240):
        assert status == 0, text
    return folder


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    """What each process has said."""
    return {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}


@pytest.fixture(scope="module")
def alone() -> Any:
    """Losses and parameters of one process that sees all batches, by case."""
    here: dict[str, Any] = {"STEPS": STEPS}
    exec(NETWORK, here)
    paddle, kept = here["paddle"], {}

    def joined(step: int) -> dict[str, np.ndarray]:
        parts = [here["batch"](step, worker) for worker in (0, 1)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def run(case: str) -> tuple[list[float], dict[str, Any]]:
        if case not in kept:
            optimizer, _, table = CASES[case]
            main, startup, scope = paddle.static.Program(), paddle.static.Program(), paddle.static.Scope()
            with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard(), paddle.static.scope_guard(scope):
                loss, made, rate = here["network"](optimizer, table)
                made.minimize(loss)
                paddle.static.Executor(paddle.CPUPlace()).run(startup)
                losses = here["train"](main, loss, rate, joined)
                kept[case] = losses, {name: here["value"](name) for name in ("fc_0.w_0", "fc_1.w_0", "fc_2.b_0", "table")}
        return kept[case]

    yield run
    paddle.disable_static()


@pytest.mark.parametrize("case", EXACT)
def test_workers_train_as_one_process_does(told: dict[str, Any], alone: Any, case: str) -> None:
    losses, parameters = alone(case)
    workers = [told[f"worker{number}"][case] for number in (0, 1)]
    np.testing.assert_allclose(np.mean([each["losses"] for each in workers], 0), losses, atol=1e-6)
    for each in workers:
        for name, value in each["parameters"].items():
            np.testing.assert_allclose(value, parameters[name], atol=1e-6, err_msg=name)


@pytest.mark.parametrize("case", ["async", "geo"])
def test_workers_that_do_not_wait_come_as_far(told: dict[str, Any], alone: Any, case: str) -> None:
    losses, _ = alone(case)
    both = [told[f"worker{number}"][case]["losses"] for number in (0, 1)]
    assert np.mean(losses[-25:]) < (0.2 if case == "async" else 0.15) * np.mean(losses[:5])
    for each in both:  # 0.06 to 0.11, as the workers' steps come one after another
        assert np.mean(each[-25:]) < 0.25 * np.mean(losses[:5])


def test_workers_of_geo_begin_again_with_what_was_loaded(told: dict[str, Any], folder: Path) -> None:
    first, second = (told[f"worker{number}"]["geo"]["parameters"] for number in (0, 1))
    assert first == second and (folder / "geo" / "table").exists()


def test_servers_go_on_with_what_was_saved(told: dict[str, Any]) -> None:
    for number in (0, 1):
        said = told[f"worker{number}"]
        whole = said["saved"]["losses"]
        np.testing.assert_allclose(said["gone on with"]["losses"], whole[STEPS // 2 :], rtol=1e-5)
        for losses in said["gone on with"]["again"]:
            np.testing.assert_allclose(losses, whole[STEPS // 2 : STEPS // 2 + 4], rtol=1e-5)


def test_servers_go_on_with_some_of_what_was_saved(told: dict[str, Any]) -> None:
    for number in (0, 1):
        said = told[f"worker{number}"]
        np.testing.assert_array_equal(said["a table gone on with"]["begun"], said["saved"]["begun"])
        assert said["a table gone on with"]["losses"][0] != pytest.approx(said["saved"]["losses"][0], rel=1e-4)


def test_workers_infer_from_what_was_saved(folder: Path, told: dict[str, Any]) -> None:
    (folder / "infer.py").write_text(f"STEPS = {STEPS}\n{INFER}")
    (port,) = free_ports(1)
    roles = (("server", "0"), ("worker", "0"), ("worker", "1"))
    words = [[str(folder / "infer.py"), *role, f"127.0.0.1:{port}"] for role in roles]
    for number, (status, text) in enumerate(run_together(words, [{}] * 3, folder), start=-1):
        assert status == 0, text
        if number >= 0:
            loss = float(text[text.index("losses") :].split()[1])
            assert loss == pytest.approx(told[f"worker{number}"]["saved"]["losses"][STEPS // 2], rel=1e-5)


def test_rows_that_31_days_have_not_seen_are_let_go_of(told: dict[str, Any]) -> None:
    for worker in ("worker0", "worker1"):
        after_30, after_31, refused = told[worker]["a table that servers alone hold"]["days"]
        assert all(size > 8 * 4 * 10 for size in after_30) and all(size < 100 for size in after_31)  # rows of 8 numbers
        assert "`threshold` of `fleet.shrink`. Expected an int. Received: float (0.5)" in refused


def test_workers_add_up_through_a_server(told: dict[str, Any]) -> None:
    assert {tuple(each["summed"]) for name, said in told.items() if name.startswith("worker") for each in said.values()} == {(1.0, 2.0)}


def test_servers_have_programs_of_their_own(told: dict[str, Any]) -> None:
    expected = {case: ["listen_and_serv"] if case == "geo" else [] for case in CASES}
    assert told["server0"] == expected
    del expected["gone on with"]
    assert told["server1"] == expected


def test_what_was_saved_for_inference_holds_the_tables(folder: Path, alone: Any) -> None:
    import paddle_compat as paddle

    _, parameters = alone("sgd")
    with paddle.static.scope_guard(paddle.static.Scope()):
        exe = paddle.static.Executor(paddle.CPUPlace())
        program, fed, fetched = paddle.static.load_inference_model(str(folder / "model"), exe, model_filename="__model__")
        held = np.array(paddle.static.global_scope().find_var("table").get_tensor())
        zeros = {"x": np.zeros((2, 4), "float32"), "first": np.ones((2, 1), "int64"), "second": np.ones((2, 1), "int64")}
        (out,) = exe.run(program, feed=zeros, fetch_list=fetched)
    np.testing.assert_allclose(held, parameters["table"], atol=1e-6)
    assert fed == ["x", "first", "second"]
    assert out.shape == (2, 1)
    assert (folder / "saved" / "fc_0.w_0").exists()


@pytest.mark.parametrize("kind", [fleet.Role.WORKER, fleet.Role.SERVER])
def test_minimize_leaves_the_users_programs_and_replaces_the_default_ones(kind: int) -> None:
    """As 2.6.2 does; the gradients of both tables are sent whole, for a clip reads them."""
    paddle.enable_static()
    role = fleet.UserDefinedRoleMaker(
        is_collective=False, current_id=0, role=kind, worker_num=2, server_endpoints=["127.0.0.1:1", "127.0.0.1:2"]
    )
    fleet.init(role)
    strategy = fleet.DistributedStrategy()
    strategy.a_sync = True
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, startup):
        ids = [paddle.static.data(name, [None, 1], "int64") for name in "ab"]
        rows = [paddle.static.nn.embedding(x, [size, 2], is_sparse=True) for x, size in zip(ids, (50, 30))]
        loss = paddle.mean(paddle.concat(rows, -1))
        clip = paddle.nn.ClipGradByGlobalNorm(1.0)
        updates, _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1, grad_clip=clip), strategy).minimize(loss)
        ours, begins = paddle.static.default_main_program(), paddle.static.default_startup_program()
    paddle.disable_static()
    assert [op.type for op in main.global_block().ops][-2:] == ["sgd", "sgd"] and len(updates) == 2
    assert [op.type for op in startup.global_block().ops].count("uniform_random") == 2
    assert loss.block.program is ours and ours is not main and begins is not startup
    sends = [op.attr("send_varnames") for op in ours.global_block().ops if op.type == "send"]
    if kind == fleet.Role.SERVER:
        assert not ours.global_block().ops and not begins.global_block().ops
    else:
        assert sends == [["embedding_0.w_0@GRAD"], ["embedding_1.w_0@GRAD"], ["Dense@GRAD_2"]]
        assert [op.type for op in begins.global_block().ops].count("fake_init") == 2


@pytest.mark.parametrize("configs", [{}, {"k_steps": 10}])
def test_a_worker_is_tried_without_servers(configs: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_MODE", "1")
    paddle.enable_static()
    servers = ["127.0.0.1:1", "127.0.0.1:2"]  # where nobody listens
    role = fleet.UserDefinedRoleMaker(is_collective=False, current_id=0, role=fleet.Role.WORKER, worker_num=2, server_endpoints=servers)
    fleet.init(role)
    strategy = fleet.DistributedStrategy()
    strategy.a_sync, strategy.a_sync_configs = True, configs
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1))
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy).minimize(loss)
        with pytest.warns(UserWarning, match="TEST_MODE=1: fleet.init_worker.. asks no server"):
            fleet.init_worker()
        fleet.stop_worker()
    paddle.disable_static()


def as_worker(configs: dict[str, Any] | None = None, losses: int = 1) -> tuple[Any, list[Any]]:
    """What `minimize` of a list of losses gives in a job with a table `table`, and its list of startup Programs."""
    role = fleet.UserDefinedRoleMaker(
        is_collective=False, current_id=0, role=fleet.Role.WORKER, worker_num=2, server_endpoints=["127.0.0.1:1"]
    )
    fleet.init(role)
    strategy = fleet.DistributedStrategy()
    strategy.a_sync, strategy.sparse_table_configs = True, configs or {}
    paddle.enable_static()
    startup = paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(paddle.static.Program(), startup):
        rows = paddle.static.nn.embedding(
            paddle.static.data("ids", [None, 1], "int64"), [50, 2], is_sparse=True, param_attr=paddle.ParamAttr(name="table")
        )
        programs, loss = [startup], paddle.mean(rows)
        try:
            found = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy).minimize([loss] * losses, programs)
        finally:
            paddle.disable_static()
    return found, programs


def test_datasets_are_told_what_to_write() -> None:
    paddle.enable_static()
    role = fleet.UserDefinedRoleMaker(is_collective=False, current_id=1, role=fleet.Role.WORKER, worker_num=2, server_endpoints=["a:1"])
    fleet.init(role)
    strategy = fleet.DistributedStrategy()
    strategy.a_sync, strategy.trainer_desc_configs = True, {"dump_fields_path": "to", "dump_fields": ["x"]}
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1))
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy).minimize(loss)
        said = paddle.static.default_main_program()._fleet_opt
    paddle.disable_static()
    assert said == said | {"mpi_size": 2, "mpi_rank": 1, "dump_fields_path": "to", "dump_fields": ["x"], "dump_param": []}


def test_a_list_of_one_loss_is_trained() -> None:
    found, (startup,) = as_worker()
    assert found == (None, None) and "fake_init" in [op.type for op in startup.global_block().ops]
    with pytest.raises(paddle.errors.UnsupportedError, match="2 losses"):
        as_worker(losses=2)


TABLE = "table_parameters.table."


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ({"accessor.embed_sgd_param.name": "SparseNaiveSGDRule"}, "the rule SparseNaiveSGDRule for the table table"),
        ({"accessor.embedx_sgd_param.adam.learning_rate": 0.1}, "the rule adam for"),
        ({"accessor.accessor_class": "CtrCommonAccessor"}, "the accessor CtrCommonAccessor"),
        ({"accessor.embedx_threshold": 10}, "an embedx_threshold of 10"),
    ],
)
def test_rules_that_servers_lack_are_refused(said: dict[str, Any], refused: str) -> None:
    as_worker({"another": {f"table_parameters.another.{name}": value for name, value in said.items()}})
    with pytest.raises(paddle.errors.UnsupportedError, match=refused):
        as_worker({"table": {f"{TABLE}{name}": value for name, value in said.items()}})


def test_how_tables_would_be_laid_out_has_no_effect() -> None:
    with pytest.warns(UserWarning, match="shard_num, table_class: without effect"):
        as_worker({"table": {f"{TABLE}shard_num": 3, f"{TABLE}table_class": "MemorySparseTable"}})


# the documentation's parts: its single-machine model, and its calls of fleet for servers
PAGE = {
    "nets.py": """
import paddle

def mlp(input_x, input_y, hid_dim=128, label_dim=2):
    fc_1 = paddle.static.nn.fc(x=input_x, size=hid_dim, activation='tanh')
    fc_2 = paddle.static.nn.fc(x=fc_1, size=hid_dim, activation='tanh')
    prediction = paddle.static.nn.fc(x=[fc_2], size=label_dim, activation='softmax')
    cost = paddle.nn.functional.cross_entropy(input=prediction, label=input_y)
    avg_cost = paddle.mean(x=cost)
    return avg_cost
""",
    "utils.py": """
import numpy as np
numbers = np.random.RandomState(7)

def gen_data():
    x = 2 * numbers.random_sample((128, 32)).astype('float32') - 1
    return {"x": x, "y": (x.sum(1, keepdims=True) > 0).astype('int64')}
""",
    "train.py": """
import paddle
paddle.enable_static()
import paddle.distributed.fleet.base.role_maker as role_maker
import paddle.distributed.fleet as fleet
from nets import mlp
from utils import gen_data
input_x = paddle.static.data(name="x", shape=[None, 32], dtype='float32')
input_y = paddle.static.data(name="y", shape=[None, 1], dtype='int64')
cost = mlp(input_x, input_y)
optimizer = paddle.optimizer.SGD(learning_rate=0.01)
role = role_maker.PaddleCloudRoleMaker()
fleet.init(role)
strategy = fleet.DistributedStrategy()
strategy.a_sync = True
optimizer = fleet.distributed_optimizer(optimizer, strategy)
optimizer.minimize(cost)
if fleet.is_server():
    fleet.init_server()
    fleet.run_server()
elif fleet.is_worker():
    place = paddle.CPUPlace()
    exe = paddle.static.Executor(place)
    exe.run(paddle.static.default_startup_program())
    fleet.init_worker()
    step = 101
    for i in range(step):
        cost_val = exe.run(
            program=paddle.static.default_main_program(),
            feed=gen_data(),
            fetch_list=[cost.name])
        print("worker_index: %d, step%d cost = %f" %
              (fleet.worker_index(), i, cost_val[0]))
    fleet.stop_worker()
""",
}


def test_the_documentations_example_trains(tmp_path: Path) -> None:
    for name, text in PAGE.items():
        (tmp_path / name).write_text(text)
    *ports, first, second = free_ports(4)
    shared = {"PADDLE_PSERVERS_IP_PORT_LIST": ",".join(f"127.0.0.1:{port}" for port in ports), "PADDLE_TRAINERS_NUM": "2"}
    shared["PADDLE_TRAINER_ENDPOINTS"] = f"127.0.0.1:{first},127.0.0.1:{second}"
    own = [{"TRAINING_ROLE": "PSERVER", "POD_IP": "127.0.0.1", "PADDLE_PORT": str(port)} for port in ports]
    own += [
        {"TRAINING_ROLE": "TRAINER", "PADDLE_TRAINER_ID": str(number), "POD_IP": "127.0.0.1", "PADDLE_PORT": str(port)}
        for number, port in enumerate((first, second))
    ]
    told = run_together([["-m", "paddle_compat", "train.py"]] * 4, [{**shared, **each} for each in own], tmp_path)
    for status, text in told:
        assert status == 0, text
    for number, (_, text) in enumerate(told[2:]):
        lines = [line for line in text.splitlines() if line.startswith(f"worker_index: {number}, step")]
        costs = [float(line.rpartition(" = ")[2]) for line in lines]
        # Parameters begin at random and trainers run as they come: the loss falls to 0.75 to 0.9 of its beginning in 101 steps.
        assert len(costs) == 101 and np.mean(costs[-20:]) < 0.96 * np.mean(costs[:5]), costs
