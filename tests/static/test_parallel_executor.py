"""ParallelExecutor and CompiledProgram: the documentation's scripts, parameters in the Scope, failures and interrupts."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from processes import Runner, replicas_end

import paddle_compat as paddle
from paddle_compat import static
from paddle_compat.core.errors import EnforceNotMet


@pytest.fixture(autouse=True)
def two_replicas(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Static mode, two replicas, Programs and a Scope of its own; no thread outlives the test."""
    monkeypatch.setenv("CPU_NUM", "2")
    paddle.enable_static()
    with replicas_end():
        with static.scope_guard(static.Scope()), static.program_guard(static.Program(), static.Program()), paddle.utils.unique_name.guard():
            yield
        paddle.disable_static()


def line(optimizer: Any = None) -> tuple[Any, Any]:
    """A layer with a mean of its outputs; the loss and the Program for tests."""
    paddle.seed(5)
    x = static.data("X", [None, 1], "float32")
    loss = paddle.mean(static.nn.fc(x, 10))
    test = static.default_main_program().clone(for_test=True)
    if optimizer is not None:
        optimizer.minimize(loss)
    static.Executor(paddle.CPUPlace()).run(static.default_startup_program())
    return loss, test


def value(name: str) -> np.ndarray:
    found = static.global_scope().find_var(name)
    assert found is not None
    return found.get_tensor().numpy()


def test_async_mode_gives_the_first_replicas_values() -> None:
    """As 1.8.5 does, whose strategies for parameter servers set it; it refuses to give those of each replica."""
    from paddle_compat import fluid

    strategy = fluid.BuildStrategy()
    strategy.async_mode = True
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        y = fluid.layers.fc(fluid.data("x", [-1, 2]), 1, param_attr=fluid.initializer.Constant(0.5))
        loss = fluid.layers.reduce_mean(y)
        fluid.optimizer.SGD(0.0).minimize(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup)
    both = fluid.CompiledProgram(main).with_data_parallel(loss.name, build_strategy=strategy)
    feed = {"x": np.arange(8, dtype="float32").reshape(4, 2)}
    for found in exe.run(both, feed, [loss, y]), map(np.array, exe.run(both, feed, [loss, y], return_numpy=False)):
        assert [value.tolist() for value in found] == [[1.5], [[0.5], [2.5]]]
    with pytest.raises(EnforceNotMet, match="Expected True, as the strategy has `async_mode`"):
        exe.run(both, feed, [loss], return_merged=False)


def test_train_and_test_of_the_documentation() -> None:
    loss, test = line(paddle.optimizer.SGD(learning_rate=0.01))
    train_exe = static.ParallelExecutor(use_cuda=False, main_program=static.default_main_program(), loss_name=loss.name)
    test_exe = static.ParallelExecutor(use_cuda=False, main_program=test, share_vars_from=train_exe)
    x = np.random.random(size=(10, 1)).astype("float32")
    (trained,) = train_exe.run(feed={"X": x}, fetch_list=[loss.name])
    (tested,) = test_exe.run(feed={"X": x}, fetch_list=[loss.name])
    assert trained.shape == tested.shape == (2,) and (tested < trained).all()
    x2 = np.random.random(size=(9, 1)).astype("float32")
    (listed,) = train_exe.run(feed=[{"X": x}, {"X": x2}], fetch_list=[loss.name])
    w, b = value("fc_0.w_0"), value("fc_0.b_0")
    assert listed.shape == (2,) and train_exe.device_count == 2
    (after,) = test_exe.run(feed=[{"X": x}, {"X": x2}], fetch_list=[loss.name])
    assert after == pytest.approx([(x @ w + b).mean(), (x2 @ w + b).mean()], rel=1e-5)
    train_exe.drop_local_exe_scopes()


@pytest.mark.parametrize(("samples", "parts"), [(2, [1, 1]), (3, [1, 2]), (5, [2, 3]), (10, [5, 5])])
def test_the_remainder_goes_to_the_last_device(samples: int, parts: list[int]) -> None:
    loss, _ = line()
    both = static.CompiledProgram(static.default_main_program()).with_data_parallel(places=static.cpu_places())
    x = np.arange(samples, dtype="float32").reshape(-1, 1)
    (found,) = static.Executor().run(both, feed={"X": x}, fetch_list=["X"], return_merged=False)
    assert [len(part) for part in found] == parts and np.concatenate(found).tolist() == x.tolist()


def test_four_devices_leave_the_remainder_to_the_last() -> None:
    line()
    both = static.CompiledProgram(static.default_main_program()).with_data_parallel(places=["cpu"] * 4)
    (found,) = static.Executor().run(both, feed={"X": np.ones((11, 1), "float32")}, fetch_list=["X"], return_merged=False)
    assert [len(part) for part in found] == [2, 2, 2, 5]


def test_too_few_samples_name_both_counts_and_change_nothing() -> None:
    loss, _ = line(paddle.optimizer.SGD(0.1))
    exe = static.ParallelExecutor(False, loss_name=loss.name)
    before = value("fc_0.b_0")
    with pytest.raises(EnforceNotMet, match=r"number\(1\) of samples\[X\].*count\(2\) of devices\(CPU\)"):
        exe.run([loss], feed={"X": np.ones((1, 1), "float32")})
    with pytest.raises(EnforceNotMet, match=r"number 3 does not match the device number 2"):
        exe.run([loss], feed=[{"X": np.ones((1, 1), "float32")}] * 3)
    assert (value("fc_0.b_0") == before).all()


def test_a_run_of_the_plain_executor_in_between_is_seen_by_all_replicas() -> None:
    loss, _ = line(paddle.optimizer.Adam(0.1))
    exe, parallel = static.Executor(), static.ParallelExecutor(False, loss_name=loss.name)
    feed = {"X": np.ones((4, 1), "float32")}
    for _ in range(2):
        parallel.run([loss], feed=feed)
        exe.run(feed=feed, fetch_list=[loss])
    first, second = parallel.run(["fc_0.w_0"], feed=feed)[0].reshape(2, 1, 10)
    assert (first == second).all() and (first == value("fc_0.w_0")).all()
    static.global_scope().find_var("fc_0.b_0").get_tensor().set(np.full(10, 3, "float32"), paddle.CPUPlace())
    assert parallel.run([loss], feed={"X": np.zeros((4, 1), "float32")})[0] == pytest.approx([3, 3])


def test_what_training_leaves_can_be_saved(tmp_path: Any) -> None:
    loss, _ = line(paddle.optimizer.Momentum(0.1, 0.9))
    parallel = static.ParallelExecutor(False, loss_name=loss.name)
    for _ in range(3):
        parallel.run([loss], feed={"X": np.ones((4, 1), "float32")})
    static.save(static.default_main_program(), str(tmp_path / "model"))
    state = static.load_program_state(str(tmp_path / "model"))
    assert {name: kept.tolist() for name, kept in state.items()} == {name: value(name).tolist() for name in state}
    assert any("velocity" in name for name in state)


def test_a_scheduled_rate_reaches_all_replicas() -> None:
    rate = paddle.optimizer.lr.StepDecay(0.4, 1, 0.5)
    loss, _ = line(paddle.optimizer.SGD(rate))
    parallel = static.ParallelExecutor(False, loss_name=loss.name)
    steps = []
    for _ in range(3):
        before = value("fc_0.b_0")
        (biases,) = parallel.run(["fc_0.b_0"], feed={"X": np.ones((4, 1), "float32")})
        steps.append((before[0] - biases.reshape(2, 10)[:, 0]).tolist())
        rate.step()
    assert steps == [pytest.approx([0.1 * r, 0.1 * r], rel=1e-4) for r in (0.4, 0.2, 0.1)]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT as in a terminal, also where the tests run in the background of a shell, which lets it be ignored."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


@pytest.mark.parametrize("rank", [0, 1])
def test_a_replica_that_fails_stops_all_and_is_named(rank: int) -> None:
    ids = static.data("ids", [None, 1], "int64")
    loss = paddle.mean(static.nn.fc(static.nn.embedding(ids, [6, 2]), 1))
    paddle.optimizer.Adam(0.1).minimize(loss)
    static.Executor().run(static.default_startup_program())
    parallel = static.ParallelExecutor(False, loss_name=loss.name)
    good = {"ids": np.array([[1], [2], [3], [4]])}
    parallel.run([loss], feed=good)
    names = [v.name for v in static.default_main_program().list_vars() if v.persistable]
    before = {name: value(name) for name in names}
    fed = np.array([[1], [2], [3], [4]])
    fed[2 * rank] = 9
    with pytest.raises(EnforceNotMet, match=rf"from \d to 9[\s\S]*replica {rank} of 2"):
        parallel.run([loss], feed={"ids": fed})
    assert all((value(name) == kept).all() for name, kept in before.items())
    first = parallel.run([loss], feed=good)[0]
    assert np.isfinite(first).all() and (parallel.run([loss], feed=good)[0] < first).all()


def test_an_interrupt_stops_all_replicas_and_changes_nothing(interruptible: None) -> None:
    x = static.data("X", [None, 1], "float32")
    out = static.default_main_program().current_block().create_var(name="waited", dtype="float32", shape=[-1, 1])
    arrived, stopped = threading.Semaphore(0), threading.Event()

    def wait(value: Any) -> Any:
        arrived.release()
        assert stopped.wait(20)
        return np.asarray(value)

    static.py_func(wait, x, out)
    count = static.create_global_var([1], 0.0, "float32", persistable=True, name="count")
    paddle.increment(count)
    static.Executor().run(static.default_startup_program())
    parallel = static.ParallelExecutor(False)
    main = threading.main_thread().ident
    assert main is not None

    def interrupt() -> None:
        assert arrived.acquire(timeout=20) and arrived.acquire(timeout=20)
        signal.pthread_kill(main, signal.SIGINT)
        meeting = parallel._compiled_program._executor.meetings[2]
        while not meeting.abandoned:
            time.sleep(0.01)
        stopped.set()

    helper = threading.Thread(target=interrupt, daemon=True)
    helper.start()
    with pytest.raises(KeyboardInterrupt):
        parallel.run([out], feed={"X": np.ones((2, 1), "float32")})
    helper.join(20)
    assert value("count") == 0
    assert parallel.run([out], feed={"X": np.ones((2, 1), "float32")})[0].tolist() == [[1.0], [1.0]] and value("count") == 1


def test_replicas_draw_numbers_of_their_own_that_repeat() -> None:
    noise = paddle.uniform([3], "float32", min=0.0, max=1.0)
    drawn = []
    for _ in range(2):
        paddle.seed(11)
        parallel = static.ParallelExecutor(False)
        drawn.append([parallel.run([noise])[0].tolist() for _ in range(3)])
    single = static.Executor()
    paddle.seed(11)
    alone = [single.run(fetch_list=[noise])[0].tolist() for _ in range(3)]
    assert drawn[0] == drawn[1]
    assert [each[:3] for each in drawn[0]] == alone and all(each[:3] != each[3:] for each in drawn[0])


def test_gradients_are_those_of_torchs_data_parallelism() -> None:
    paddle.seed(3)
    x, y = static.data("x", [None, 6]), static.data("y", [None, 1])
    h = static.nn.fc(x, 8, activation="tanh")
    loss = paddle.mean(paddle.nn.functional.square_error_cost(static.nn.fc(h, 1), y))
    paddle.optimizer.SGD(0.1).minimize(loss)
    static.Executor().run(static.default_startup_program())
    names = [p.name for p in static.default_main_program().all_parameters()]
    params = [torch.tensor(value(name), requires_grad=True) for name in names]
    parallel = static.ParallelExecutor(False, loss_name=loss.name)
    numbers = np.random.RandomState(0)
    for _ in range(20):
        fed = {"x": numbers.rand(8, 6).astype("float32"), "y": numbers.rand(8, 1).astype("float32")}
        parallel.run([loss], feed=fed)
        sums = [torch.zeros_like(p) for p in params]
        for part in range(2):  # what DistributedDataParallel does: the mean of the ranks' gradients
            fx, fy = (torch.tensor(fed[name][4 * part : 4 * part + 4]) for name in ("x", "y"))
            out = torch.tanh(fx @ params[0] + params[1]) @ params[2] + params[3]
            for total, grad in zip(sums, torch.autograd.grad(((out - fy) ** 2).mean(), params)):
                total += grad / 2
        with torch.no_grad():
            for p, grad in zip(params, sums):
                p -= 0.1 * grad
    for name, p in zip(names, params):
        assert np.abs(value(name) - p.detach().numpy()).max() < 1e-6


def test_one_replica_is_the_plain_executor_bit_for_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPU_NUM", "1")
    kept = []
    for parallel in (False, True):
        with static.scope_guard(static.Scope()), static.program_guard(static.Program(), static.Program()), paddle.utils.unique_name.guard():
            loss, _ = line(paddle.optimizer.Adam(0.1))
            exe: Any = static.ParallelExecutor(False, loss_name=loss.name) if parallel else static.Executor()
            losses = [exe.run(feed={"X": np.arange(i + 2, dtype="float32")[:, None]}, fetch_list=[loss])[0] for i in range(5)]
            kept.append(([each.reshape(-1).tolist() for each in losses], value("fc_0.w_0").tolist()))
    assert kept[0] == kept[1]


RING = """
import os, numpy as np, paddle
paddle.enable_static()
rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
paddle.seed(1 + rank)
main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup):
    x, ids = paddle.static.data("x", [None, 4]), paddle.static.data("ids", [None, 1], "int64")
    rows = paddle.static.nn.embedding(ids, [8, 4], is_sparse=True)
    loss = paddle.mean(paddle.static.nn.fc(paddle.tanh(x), 3)) + paddle.mean(rows * rows)
    paddle.optimizer.SGD(0.1).minimize(loss)
paddle.static.Executor(paddle.CPUPlace()).run(startup)
exe = paddle.static.ParallelExecutor(use_cuda=False, main_program=main, loss_name=loss.name)
numbers = np.random.RandomState(0)
for _ in range(5):
    feed = {"x": numbers.rand(8, 4).astype("float32"), "ids": numbers.randint(0, 8, (8, 1))}
    share = 8 // world
    exe.run([loss.name], feed={name: value[rank * share:][:share] for name, value in feed.items()})
names = [p.name for p in main.all_parameters()]
kept = [np.array(paddle.static.global_scope().find_var(name).get_tensor()).ravel() for name in names]
np.save(f"{os.environ['OUT']}/{os.environ['REPLICAS']}-{rank}.npy", np.concatenate(kept))
"""
TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "paddle_compat")


@pytest.mark.parametrize("replicas", [1, 2])
def test_processes_under_torchrun_train_as_one(full: Runner, tmp_path: Any, replicas: int) -> None:
    full.write({"train.py": RING})
    environment = {**full.env, "OUT": str(tmp_path)}
    full.env = {**environment, "RANK": "0", "WORLD_SIZE": "1", "CPU_NUM": str(2 * replicas), "REPLICAS": "one"}
    full.output("-m", "paddle_compat", "train.py")
    full.env = {**environment, "CPU_NUM": str(replicas), "REPLICAS": "several"}
    full.output(*TORCHRUN, "train.py")
    one, first, second = (np.load(tmp_path / f"{name}.npy") for name in ("one-0", "several-0", "several-1"))
    assert (first == second).all() and np.abs(first - one).max() < 1e-6


DDP = """
import os, numpy as np, paddle, torch
paddle.enable_static()
paddle.seed(3)
main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup):
    image, label = paddle.static.data("image", [None, 1, 8, 8]), paddle.static.data("label", [None, 1], "int64")
    hidden = paddle.nn.functional.relu(paddle.static.nn.conv2d(image, 4, 3))
    scores = paddle.static.nn.fc(paddle.static.nn.fc(hidden, 512, activation="tanh"), 5)
    loss = paddle.mean(paddle.nn.functional.cross_entropy(scores, label))
    paddle.optimizer.Momentum(0.1, 0.9).minimize(loss)
paddle.static.Executor(paddle.CPUPlace()).run(startup)
value = lambda p: torch.tensor(np.array(paddle.static.global_scope().find_var(p.name).get_tensor()))
conv_w, conv_b, w0, b0, w1, b1 = map(value, main.all_parameters())
layers = torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(144, 512), torch.nn.Tanh(), torch.nn.Linear(512, 5)
net = torch.nn.Sequential(*layers)
for p, start in zip(net.parameters(), (conv_w, conv_b, w0.T, b0, w1.T, b1)):
    p.data.copy_(start)
numbers = np.random.RandomState(int(os.environ["RANK"]))
feeds = [{"image": numbers.rand(6, 1, 8, 8).astype("float32"), "label": numbers.randint(0, 5, (6, 1))} for _ in range(20)]
exe = paddle.static.ParallelExecutor(use_cuda=False, main_program=main, loss_name=loss.name)
for feed in feeds:
    exe.run([loss.name], feed=feed)
model = torch.nn.parallel.DistributedDataParallel(net)
sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for feed in feeds:
    sgd.zero_grad()
    torch.nn.functional.cross_entropy(model(torch.tensor(feed["image"])), torch.tensor(feed["label"]).ravel()).backward()
    sgd.step()
apart = [(a.T if a.dim() == 2 else a) - b for a, b in zip(map(value, main.all_parameters()), net.parameters())]
assert max(float(d.abs().max()) for d in apart) < 1e-6
assert sum(float((p - start).abs().max()) for p, start in zip(net.parameters(), (conv_w, conv_b, w0.T, b0, w1.T, b1))) > 0.1
"""


def test_two_processes_are_torchs_distributed_data_parallel(full: Runner) -> None:
    full.write({"train.py": DDP})
    full.env["CPU_NUM"] = "1"
    full.output(*TORCHRUN, "train.py")


DOCUMENTED = """
import os, numpy, paddle
use_cuda = False
paddle.enable_static()
os.environ['CPU_NUM'] = str(2)
exe = paddle.static.Executor(paddle.CUDAPlace(0) if use_cuda else paddle.CPUPlace())
train_program, startup_program = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(train_program, startup_program):
    data = paddle.static.data(name='X', shape=[None, 1], dtype='float32')
    loss = paddle.mean(paddle.static.nn.fc(data, 10))
    test_program = paddle.static.default_main_program().clone(for_test=True)
    paddle.optimizer.SGD(learning_rate=0.01).minimize(loss)
exe.run(startup_program)
train_exe = paddle.static.ParallelExecutor(use_cuda=use_cuda, main_program=train_program, loss_name=loss.name)
test_exe = paddle.static.ParallelExecutor(use_cuda=use_cuda, main_program=test_program, share_vars_from=train_exe)
x = numpy.random.random(size=(10, 1)).astype('float32')
trained, = train_exe.run(feed={"X": x}, fetch_list=[loss.name])
x2 = numpy.random.random(size=(9, 1)).astype('float32')
again, = train_exe.run(feed=[{"X": x}, {"X": x2}], fetch_list=[loss.name])
train_exe.drop_local_exe_scopes()
same = numpy.ones((4, 1), 'float32')
tested, = test_exe.run(feed={"X": same}, fetch_list=[loss.name])
alone, = exe.run(test_program, feed={"X": same}, fetch_list=[loss.name])
same = numpy.allclose(tested, alone, atol=1e-6)
print(f"ring {trained.shape} {again.shape} {train_exe.device_count} {same} {tested[0]}\\n", end="")  # one write: processes share the pipe
"""


def test_the_documented_script_under_torchrun(full: Runner) -> None:
    full.write({"train.py": DOCUMENTED})
    full.env.pop("CPU_NUM", None)
    first, second = [line for line in full.output(*TORCHRUN, "train.py").splitlines() if line.startswith("ring")]
    assert first == second  # both have the parameters of process 0, trained on the data of both
    assert first.startswith("ring (2,) (2,) 2 True ")


def test_trainers_that_disagree_with_the_launcher(monkeypatch: pytest.MonkeyPatch) -> None:
    loss, _ = line(paddle.optimizer.SGD(0.1))
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", "1")
    exe = static.ParallelExecutor(False, loss_name=loss.name, num_trainers=3, trainer_id=1)
    with pytest.raises(ValueError, match=r"Expected what the launcher says: 2 and 1.*Received: 3 and 1"):
        exe.run([loss], feed={"X": np.ones((2, 1), "float32")})


def test_trainers_need_a_place_to_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    loss, _ = line(paddle.optimizer.SGD(0.1))
    for name in ("WORLD_SIZE", "PADDLE_TRAINER_ENDPOINTS"):
        monkeypatch.delenv(name, raising=False)
    exe = static.ParallelExecutor(False, loss_name=loss.name, num_trainers=2, trainer_id=0)
    with pytest.raises(EnforceNotMet, match="PADDLE_TRAINER_ENDPOINTS"):
        exe.run([loss], feed={"X": np.ones((2, 1), "float32")})


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_synchronized_batch_norm_trains_as_on_one_device(layout: str) -> None:
    kept = []
    images = np.random.RandomState(2).rand(5, 6, 4, 4, 4).astype("float32")
    for count in (1, 2):
        with static.scope_guard(static.Scope()), static.program_guard(static.Program(), static.Program()), paddle.utils.unique_name.guard():
            paddle.seed(7)
            x = static.data("x", [None, 4, 4, 4])
            y = static.nn.batch_norm(x, act="tanh", data_layout=layout)
            loss = paddle.mean(paddle.square(static.nn.fc(y, 3)))
            paddle.optimizer.Momentum(0.2, 0.9).minimize(loss)
            exe = static.Executor(paddle.CPUPlace())
            exe.run(static.default_startup_program())
            build = static.BuildStrategy()
            build.sync_batch_norm = True
            both = static.CompiledProgram(static.default_main_program()).with_data_parallel(loss.name, build, places=["cpu"] * count)
            losses = [np.mean(exe.run(both, feed={"x": batch}, fetch_list=[loss])[0]) for batch in images]
            names = [v.name for v in static.default_main_program().list_vars() if v.persistable]
            kept.append((losses, {name: value(name) for name in names}))
    (one, values), (two, others) = kept
    assert one == pytest.approx(two, rel=1e-5)
    for name, expected in values.items():
        assert others[name] == pytest.approx(expected, rel=1e-4, abs=1e-6), name


def test_build_cinn_pass_compiles_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    from paddle_compat.engine import compile

    built = []

    def step(lowered: Any, fused: Any) -> Any:
        built.append(sorted(op.type for op in lowered.nodes.values()))
        return fused.module.forward

    monkeypatch.setattr(compile, "CompiledStep", step)
    loss, _ = line(paddle.optimizer.SGD(0.1))
    feed, exe, build = {"X": np.ones((2, 1), "float32")}, static.Executor(), static.BuildStrategy()
    (plain,) = exe.run(static.CompiledProgram(static.default_main_program(), build), feed=feed, fetch_list=[loss])
    assert not built
    build.build_cinn_pass = True
    compiled = static.CompiledProgram(static.default_main_program(), build)
    found = [exe.run(compiled, feed=feed, fetch_list=[loss])[0] for _ in range(2)]
    assert len(built) == 1 and "sgd" in built[0] and plain > found[0] > found[1]


def test_only_gradient_operators_ask_for_the_loss() -> None:
    """Paddle 1.8.5 takes no scale for a backward part, nor the gradient of a loss on which no parameter depends."""
    x = static.data("x", [None, 1], "float32")
    x.stop_gradient = False
    static.gradients(paddle.scale(x, 2.0), x)
    compiled = static.CompiledProgram(static.default_main_program()).with_data_parallel(places=[paddle.CPUPlace()])
    (found,) = static.Executor().run(compiled, feed={"x": np.ones((3, 1), "float32")}, fetch_list=[x])
    assert found.shape == (3, 1)
    static.gradients(paddle.square(x), x)
    with pytest.raises(AssertionError, match="loss name"):
        static.CompiledProgram(static.default_main_program()).with_data_parallel(places=[paddle.CPUPlace()])
