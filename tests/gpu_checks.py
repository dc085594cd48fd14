"""What must work on a GPU: on the one that is there, or on one that the CPU plays.

    python tests/gpu_checks.py

It prints, as JSON, for each check how it failed, "" where it did not.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

REAL = torch.cuda.is_available()
if not REAL:
    import gpu_stand_in

    gpu_stand_in.install()

import paddle_compat as paddle  # noqa: E402 - torch must believe in a GPU before
from paddle_compat import fluid  # noqa: E402

CHECKS: dict[str, Callable[[], None]] = {}
REAL_ONLY: set[str] = set()
NUMBERS = np.random.RandomState(0)
X, LABELS = NUMBERS.rand(32, 16).astype("float32"), NUMBERS.randint(0, 4, (32, 1))
PICTURES = NUMBERS.rand(8, 1, 28, 28).astype("float32")


def check(function: Callable[[], None]) -> Callable[[], None]:
    """One of the checks."""
    CHECKS[function.__name__] = function
    return function


def real_only(function: Callable[[], None]) -> Callable[[], None]:
    """One that takes a real GPU."""
    REAL_ONLY.add(function.__name__)
    return check(function)


def on_gpu(*tensors: Any) -> bool:
    """Whether all of them lie on the GPU."""
    return all(tensor.place.is_gpu_place() for tensor in tensors)


def same(found: Any, expected: Any, tolerance: float = 1e-4) -> None:
    """A real GPU adds in another order, and multiplies shorter numbers in convolutions."""
    np.testing.assert_allclose(np.asarray(found, "float64"), np.asarray(expected, "float64"), tolerance, tolerance)


@check
def tensors_are_made_there() -> None:
    assert paddle.get_device() == "gpu:0"
    made = [paddle.to_tensor([1.0, 2.0]), paddle.ones([2]), paddle.zeros([2]), paddle.full([2], 3), paddle.arange(4), paddle.eye(2)]
    made += [paddle.rand([2]), paddle.randn([2]), paddle.randint(0, 4, [2]), paddle.randperm(4), paddle.linspace(0, 1, 3)]
    made += [paddle.empty([2]), paddle.tril_indices(2, 2), paddle.ones_like(made[0]), paddle.to_tensor(np.ones(2))]
    made += [paddle.assign(np.ones(2, "float32")), paddle.nn.Linear(2, 2).weight, paddle.create_parameter([2], "float32")]
    made += [paddle.to_tensor(3), paddle.normal(shape=[2])]
    assert on_gpu(*made), [str(each.place) for each in made]
    assert str(made[0]).startswith("Tensor(shape=[2], dtype=float32, place=Place(gpu:0), stop_gradient=True,")
    assert made[0].numpy().tolist() == made[0].tolist() == [1.0, 2.0] and float(made[0].sum()) == 3.0
    assert made[4].numpy().tolist() == [0, 1, 2, 3]


@check
def tensors_move() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    away = x.cpu()
    assert away.place.is_cpu_place() and on_gpu(away.cuda(), away.to("gpu"), away.cuda(0)) and x.to("cpu").place.is_cpu_place()
    (away * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0] and on_gpu(x.grad)
    paddle.set_device("cpu")
    try:
        made = [paddle.ones([1]), paddle.to_tensor(x), paddle.to_tensor(1.0), paddle.nn.Linear(1, 1).weight]
        assert all(each.place.is_cpu_place() for each in made)
    finally:
        paddle.set_device("gpu")
    if REAL:  # a stand-in cannot leave by `data`
        net = paddle.nn.BatchNorm1D(3).to("cpu")
        assert all(value.place.is_cpu_place() for value in net.state_dict().values())
    with fluid.dygraph.guard(fluid.CPUPlace()):
        assert fluid.dygraph.to_variable(np.ones(1, "float32")).place.is_cpu_place()
    assert on_gpu(paddle.ones([1]))


@check
def running_variances_are_unbiased() -> None:
    x = np.random.RandomState(1).rand(4, 3, 5, 5).astype("float32")
    mean, variance = 0.1 * x.mean((0, 2, 3)), 0.9 + 0.1 * x.var((0, 2, 3), ddof=1)
    for layout, batch in ("NCHW", x), ("NHWC", x.transpose(0, 2, 3, 1)):
        norm = paddle.nn.BatchNorm2D(3, data_format=layout)
        loss = norm(paddle.to_tensor(batch)).square().mean() + norm(paddle.to_tensor(batch)).sum()
        loss.backward()  # the second forward pass moved what the first one had read
        same(norm._mean.numpy(), 1.9 * mean), same(norm._variance.numpy(), 0.9 * variance + 0.1 * x.var((0, 2, 3), ddof=1))
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup), paddle.static.scope_guard(paddle.static.Scope()):
            out = paddle.static.nn.batch_norm(paddle.static.data("x", [None, 3, 5, 5]), moving_mean_name="m", moving_variance_name="v")
            executor = paddle.static.Executor(paddle.CUDAPlace(0))
            executor.run(startup)
            executor.run(main, feed={"x": x}, fetch_list=[out])
            held = [np.array(paddle.static.global_scope().find_var(name).get_tensor()) for name in "mv"]
    finally:
        paddle.disable_static()
    same(held[0], mean), same(held[1], variance)


@check
def operators_take_what_lies_elsewhere() -> None:
    x, y = paddle.to_tensor([[1.0, 2.0]]), paddle.to_tensor([[3.0], [4.0]], place=paddle.CPUPlace())
    y.stop_gradient = False
    out = [x + y, y + x, y @ x, paddle.concat([x, y.t()]), paddle.where(x > y, x, y)]
    assert on_gpu(*out)
    sum(each.sum() for each in out).backward()
    mean, variance = paddle.zeros([2]).cpu(), paddle.ones([2]).cpu()
    paddle.nn.functional.batch_norm(paddle.to_tensor([[1.0, 2.0], [3.0, 6.0]]), mean, variance, training=True, momentum=0.5)
    assert mean.tolist() == [1.0, 2.0] and variance.tolist() == [1.5, 4.5] and mean.place.is_cpu_place()
    with fluid.dygraph.guard():
        counter = fluid.dygraph.to_variable(np.zeros(1, "float32"))._copy_to(fluid.CPUPlace(), True)
        fluid.layers.sums([fluid.layers.ones([1], "float32"), fluid.layers.ones([1], "float32")], out=counter)
        assert counter.numpy().tolist() == [2.0]
    assert y.grad.place.is_cpu_place() and y.grad.tolist() == [[10.0], [10.0]]


@check
def indices() -> None:
    x = paddle.arange(12.0).reshape([3, 4])
    x.stop_gradient = False
    y = x * 1
    y[paddle.to_tensor([0, 2])] = 0.0
    y[1, [0, 1]] = np.array([5.0, 6.0], "float32")
    y[y > 6] = -1.0
    assert y.numpy().tolist() == [[0] * 4, [5.0, 6.0, 6.0, -1.0], [0] * 4] and on_gpu(y, y[0], y[:, 1:], y[[True, False, True]], x[x > 3])
    y.sum().backward()
    assert x.grad.tolist() == [[0] * 4, [0, 0, 1, 0], [0] * 4]
    assert paddle.gather(x, paddle.to_tensor([1])).tolist() == [[4, 5, 6, 7]] and x[paddle.argmax(x[:, 0])].shape == [4]


def trained(make: Callable[[], Any], optimizer: Callable[..., Any], place: str, steps: int = 5, **cast: Any) -> list[float]:
    """Losses of eager steps on a place."""
    paddle.set_device(place)
    try:
        paddle.seed(3)
        net = make()
        update = optimizer(parameters=net.parameters())
        x, labels = map(paddle.to_tensor, (PICTURES, LABELS[:8]) if hasattr(net, "features") else (X, LABELS))
        scaler = paddle.amp.GradScaler(enable=cast.get("dtype") == "float16", init_loss_scaling=2.0**20)
        losses = []
        for _ in range(steps):
            with paddle.amp.auto_cast(enable=bool(cast), **cast):
                loss = paddle.nn.functional.cross_entropy(net(x), labels)
            scaler.scale(loss).backward()
            scaler.step(update)
            scaler.update()
            update.clear_grad()
            losses.append(float(loss))
        return losses
    finally:
        paddle.set_device("gpu")


def mlp() -> Any:
    nn = paddle.nn
    return nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1D(32), nn.ReLU(), nn.LayerNorm(32), nn.Linear(32, 4))


OPTIMIZERS: dict[str, Callable[..., Any]] = {
    "sgd": lambda **how: paddle.optimizer.SGD(paddle.optimizer.lr.StepDecay(0.1, 2), **how),
    "momentum": lambda **how: paddle.optimizer.Momentum(
        0.1, 0.9, weight_decay=0.01, grad_clip=paddle.nn.ClipGradByGlobalNorm(0.5), **how
    ),
    "adam": lambda **how: paddle.optimizer.Adam(0.01, grad_clip=paddle.nn.ClipGradByNorm(0.5), **how),
    "adamw": lambda **how: paddle.optimizer.AdamW(0.01, **how),
    "adamax": lambda **how: paddle.optimizer.Adamax(0.01, **how),
    "rmsprop": lambda **how: paddle.optimizer.RMSProp(0.01, momentum=0.9, **how),
    "adagrad": lambda **how: paddle.optimizer.Adagrad(0.01, **how), "adadelta": lambda **how: paddle.optimizer.Adadelta(0.1, **how),
    "lamb": lambda **how: paddle.optimizer.Lamb(0.01, **how),
}  # fmt: skip


@check
def products_of_whole_numbers() -> None:
    x, y = paddle.to_tensor([[1, 2], [3, 4]]), paddle.to_tensor([[2, 0], [1, 2]], "int32").astype("int64")
    found = [x @ y, paddle.mm(x, y), paddle.matmul(y, x, True, True), paddle.bmm(x[None], y[None]), fluid.layers.mul(x, y)]
    assert on_gpu(*found), [str(each.place) for each in found]
    product = [[4, 4], [10, 8]]
    assert [each.tolist() for each in found] == [product, product, [[4, 10], [4, 8]], [product], product]


@check
def optimizers_as_on_the_cpu() -> None:
    paddle.set_flags({"FLAGS_exact_random": True})
    try:
        for name, optimizer in OPTIMIZERS.items():
            kept = trained(mlp, optimizer, "gpu"), trained(mlp, optimizer, "cpu")
            # Adam's kernel of a GPU adds epsilon to another root, which counts where a gradient is nearly zero
            np.testing.assert_allclose(*kept, rtol=1e-3 if "ada" in name else 1e-4, err_msg=name)
    finally:
        paddle.set_flags({"FLAGS_exact_random": False})


@check
def mixed_precision() -> None:
    def optimizer(**how: Any) -> Any:
        return paddle.optimizer.Adam(2e-3, **how)

    for cast in ({"dtype": "float16"}, {"dtype": "bfloat16"}, {"dtype": "float16", "level": "O2"}):
        losses = trained(paddle.vision.models.LeNet, optimizer, "gpu", 8, **cast)
        assert np.isfinite(losses).all() and losses[-1] < losses[0], (cast, losses)


@check
def decorated_layers() -> None:
    for dtype in ("float16", "bfloat16"):
        net = paddle.vision.models.LeNet()
        optimizer = paddle.optimizer.AdamW(1e-3, parameters=net.parameters())
        net, optimizer = paddle.amp.decorate(net, optimizer, level="O2", dtype=dtype)
        assert net.fc[0].weight.dtype == getattr(paddle, dtype)
        with paddle.amp.auto_cast(level="O2", dtype=dtype):
            loss = paddle.nn.functional.cross_entropy(net(paddle.to_tensor(PICTURES)), paddle.to_tensor(LABELS[:8]))
        loss.backward()
        optimizer.step()
        assert all(master.dtype == paddle.float32 and on_gpu(master) for master in optimizer._master_weights.values())


@check
def recurrent_layers() -> None:
    x, lengths = paddle.rand([3, 5, 4]), paddle.to_tensor([5, 3, 2])
    for layer in (paddle.nn.LSTM, paddle.nn.GRU, paddle.nn.SimpleRNN):
        net = layer(4, 8, 2, direction="bidirect")
        for given in ({}, {"sequence_length": lengths}):
            out, _ = net(x, **given)
            out.sum().backward()
            assert on_gpu(out, net.parameters()[0].grad)


@check
def states_are_saved_and_loaded() -> None:
    net = mlp()
    optimizer = paddle.optimizer.Adam(parameters=net.parameters())
    net(paddle.to_tensor(X)).sum().backward()
    optimizer.step()
    for state in (net.state_dict(), optimizer.state_dict()):
        file = io.BytesIO()
        paddle.save(state, file)
        file.seek(0)
        found = paddle.load(file)
        assert set(found) == set(state)
        for name, value in found.items():
            assert not isinstance(value, paddle.Tensor) or on_gpu(value) and np.array_equal(value.numpy(), state[name].numpy()), name
    net.set_state_dict({name: value.cpu() for name, value in net.state_dict().items()})
    assert on_gpu(*net.state_dict().values())


class Pictures(paddle.io.Dataset):
    """Pictures and labels."""

    def __getitem__(self, i: int) -> Any:
        return PICTURES[i], LABELS[i]

    def __len__(self) -> int:
        return len(PICTURES)


class Items(paddle.io.Dataset):
    """Items that are Tensors and arrays."""

    def __getitem__(self, i: int) -> Any:
        return paddle.to_tensor([float(i)]), np.float32(i), i

    def __len__(self) -> int:
        return 12


@check
def loaders() -> None:
    paddle.seed(1)
    paddle.rand([2])  # a generator of the GPU's, which workers must leave alone
    for workers in (0, 2) if REAL else (0,):
        batches = list(paddle.io.DataLoader(Items(), batch_size=4, num_workers=workers))
        assert len(batches) == 3 and all(on_gpu(*batch) for batch in batches) and batches[1][0].numpy().ravel().tolist() == [4, 5, 6, 7]


@check
def model_fit() -> None:
    items = Pictures()
    for level in ("O0", "O1"):
        model = paddle.Model(paddle.vision.models.LeNet())
        optimizer = paddle.optimizer.Adam(parameters=model.parameters())
        model.prepare(optimizer, paddle.nn.CrossEntropyLoss(), paddle.metric.Accuracy(), amp_configs=level)
        model.fit(items, batch_size=4, epochs=1, verbose=0)
        assert np.isfinite(model.evaluate(items, batch_size=4, verbose=0)["loss"][0]) and len(model.predict(items)[0]) == 8


@check
def fluid_dygraph() -> None:
    with fluid.dygraph.guard():
        net = fluid.dygraph.Linear(4, 2)
        optimizer = fluid.optimizer.SGDOptimizer(fluid.dygraph.NoamDecay(10, 10), parameter_list=net.parameters())
        loss = fluid.layers.mean(net(fluid.dygraph.to_variable(np.ones((3, 4), "float32"))))
        loss.backward()
        optimizer.minimize(loss)
        fluid.optimizer.LarsMomentum(0.1, 0.9, parameter_list=net.parameters()).minimize(loss)
        assert on_gpu(loss, net.weight) and net.weight.gradient().shape == (4, 2)


def program_losses(place: Any, wrap: Callable[[Any, Any], Any] = lambda main, loss: main, steps: int = 5) -> list[float]:
    """Losses of a Program's steps."""
    paddle.enable_static()
    try:
        with paddle.static.scope_guard(paddle.static.Scope()), paddle.utils.unique_name.guard():
            main, startup = paddle.static.Program(), paddle.static.Program()
            with paddle.static.program_guard(main, startup):
                paddle.seed(3)
                x, labels = paddle.static.data("x", [None, 16]), paddle.static.data("labels", [None, 1], "int64")
                hidden = paddle.static.nn.batch_norm(paddle.static.nn.fc(x, 64, activation="relu"))
                scaled = hidden * paddle.full([1], 0.5) + paddle.shape(x)[1].astype("float32") * 0.01
                loss = paddle.nn.functional.cross_entropy(paddle.static.nn.fc(scaled, 4), labels)
                paddle.optimizer.Adam(paddle.optimizer.lr.StepDecay(1e-2, 3)).minimize(loss)
            executor = paddle.static.Executor(place)
            executor.run(startup)
            program = wrap(main, loss)
            return [float(np.mean(executor.run(program, {"x": X, "labels": LABELS}, [loss])[0])) for _ in range(steps)]
    finally:
        paddle.disable_static()


@check
def programs_as_on_the_cpu() -> None:
    paddle.set_flags({"FLAGS_exact_random": True})
    try:
        same(program_losses(paddle.CUDAPlace(0)), program_losses(paddle.CPUPlace()), 1e-3)
    finally:
        paddle.set_flags({"FLAGS_exact_random": False})


@check
def replicas_on_the_cpu_of_what_a_gpu_made() -> None:
    def fetched(strategy: Any) -> list[list[Any]]:
        main, startup = fluid.Program(), fluid.Program()
        main.random_seed = startup.random_seed = 5
        with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard():
            x, labels = fluid.data("x", [None, 16]), fluid.data("labels", [None, 1], "int64")
            loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(fluid.layers.fc(x, 4), labels))
            fluid.optimizer.Momentum(0.1, 0.9).minimize(loss)
            executor, build = fluid.Executor(fluid.CUDAPlace(0)), fluid.BuildStrategy()
            executor.run(startup)
            build.reduce_strategy = strategy
            ways = {"build_strategy": build, "places": fluid.cpu_places(2)}
            program = fluid.CompiledProgram(main).with_data_parallel(loss.name, **ways)
            fetches = [loss.name, *(parameter.name for parameter in main.all_parameters())]
            return [[value.tolist() for value in executor.run(program, {"x": X, "labels": LABELS}, fetches)] for _ in range(3)]

    os.environ["CPU_NUM"] = "2"
    paddle.enable_static()
    try:
        once, each = (fetched(getattr(fluid.BuildStrategy.ReduceStrategy, name)) for name in ("Reduce", "AllReduce"))
        for one, other in zip(once, each):
            for found, expected in zip(one, other):
                same(found, expected, 1e-5)
        assert once[0][1:] != once[1][1:]
    finally:
        paddle.disable_static()


@check
def sequences() -> None:
    paddle.enable_static()
    try:
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()):
            words = fluid.data("words", [None, 1], "int64", lod_level=1)
            rows = fluid.layers.reshape(fluid.embedding(words, [20, 8], is_sparse=True), [-1, 8])
            pooled = fluid.layers.sequence_pool(fluid.layers.dynamic_gru(fluid.layers.fc(rows, 24), 8), "max")
            last = fluid.layers.sequence_last_step(fluid.layers.dynamic_lstm(fluid.layers.fc(rows, 32), 32)[0])
            loss = fluid.layers.mean(fluid.layers.fc([pooled, last], 1))
            fluid.optimizer.Adam(0.01).minimize(loss)
            executor = fluid.Executor(fluid.CUDAPlace(0))
            executor.run(startup)
            fed = fluid.create_lod_tensor(np.arange(7).reshape(7, 1), [[3, 4]], fluid.CUDAPlace(0))
            losses = [executor.run(main, {"words": fed}, [loss])[0][0] for _ in range(4)]
            assert losses[-1] < losses[0]
    finally:
        paddle.disable_static()


@check
def recorded_functions() -> None:
    @paddle.jit.to_static
    def count(x: Any) -> Any:
        i = paddle.zeros([1])
        while i < 3:
            x, i = x * 2 + paddle.ones([1]), i + 1
        return x if x.sum() > 0 else -x

    net = paddle.nn.Linear(4, 2)
    x = paddle.rand([3, 4])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert count(paddle.to_tensor([1.0])).item() == 15.0 and on_gpu(count(paddle.to_tensor([1.0])))
        recorded = paddle.jit.to_static(net, input_spec=[paddle.static.InputSpec([None, 4])], full_graph=True)
    expected = (x @ net.weight + net.bias).numpy()
    same(recorded(x).numpy(), expected)
    same(recorded(x.cpu()).numpy(), expected)  # eager mode would move it
    recorded(x).sum().backward()
    assert on_gpu(net.weight.grad)
    with tempfile.TemporaryDirectory() as folder:
        paddle.jit.save(recorded, folder + "/net")
        same(paddle.jit.load(folder + "/net")(x).numpy(), expected)


@real_only
def compiled() -> None:
    expected = program_losses(paddle.CUDAPlace(0))

    def compile(main: Any, loss: Any) -> Any:
        build = paddle.static.BuildStrategy()
        build.build_cinn_pass = True
        return paddle.static.CompiledProgram(main, build)

    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        same(program_losses(paddle.CUDAPlace(0), compile), expected, 1e-3)
    net = paddle.nn.Sequential(paddle.nn.Linear(8, 32), paddle.nn.ReLU(), paddle.nn.Linear(32, 2))
    x = paddle.rand([4, 8])
    wanted = net(x).numpy()
    made = paddle.jit.to_static(net, backend="CINN")
    out = made(x)
    out.sum().backward()
    same(out.numpy(), wanted)
    assert on_gpu(out, net[0].weight.grad)


@real_only
def replicas_meet_by_nccl() -> None:
    def replicated(main: Any, loss: Any) -> Any:
        return paddle.static.CompiledProgram(main).with_data_parallel(loss.name, places=paddle.static.cuda_places())

    paddle.set_flags({"FLAGS_exact_random": True})
    try:
        same(program_losses(paddle.CUDAPlace(0), replicated), program_losses(paddle.CUDAPlace(0)), 1e-5)
    finally:
        paddle.set_flags({"FLAGS_exact_random": False})


@real_only
def the_documentations_scripts() -> None:
    paddle.enable_static()
    try:
        with paddle.static.scope_guard(paddle.static.Scope()):
            main, startup = paddle.static.Program(), paddle.static.Program()
            with paddle.static.program_guard(main, startup):
                data = paddle.static.data("X", [None, 1], "float32")
                loss = paddle.mean(paddle.static.nn.fc(data, 10))
                test = main.clone(for_test=True)
                paddle.optimizer.SGD(0.01).minimize(loss)
            startup.random_seed = 1
            paddle.static.Executor(paddle.CUDAPlace(0)).run(startup)
            train_exe = paddle.static.ParallelExecutor(use_cuda=True, main_program=main, loss_name=loss.name)
            test_exe = paddle.static.ParallelExecutor(use_cuda=True, main_program=test, share_vars_from=train_exe)
            x = np.random.rand(10, 1).astype("float32")
            (first,) = train_exe.run(feed={"X": x}, fetch_list=[loss.name])
            (before,) = test_exe.run([loss.name], feed={"X": x})
            (trained,) = train_exe.run(feed=[{"X": x}], fetch_list=[loss.name])
            (after,) = test_exe.run(feed_dict={"X": x}, fetch_list=[loss.name])
            same(trained, before)
            assert train_exe.device_count == torch.cuda.device_count() and after.mean() < before.mean() < first.mean()
            train_exe.drop_local_exe_scopes()
    finally:
        paddle.disable_static()


@real_only
def collectives_over_nccl() -> None:
    import paddle_compat.distributed as dist
    from paddle_compat.core import rings
    from paddle_compat.engine import processes

    torch.distributed.init_process_group(processes.GPU_BACKEND, store=torch.distributed.HashStore(), rank=0, world_size=1)
    rings.register(0, processes.Processes(torch.distributed.group.WORLD))
    assert dist.get_backend() == "NCCL"
    for t in (paddle.ones([4]), paddle.ones([4], "bfloat16"), paddle.ones([4], "int64"), paddle.ones([4]).cpu()):
        kind = t.dtype
        dist.all_reduce(t)
        dist.all_reduce(t, op=dist.ReduceOp.MAX, sync_op=False).wait()
        dist.broadcast(t, 0)
        dist.reduce(t, 0)
        gathered: list[Any] = []
        dist.all_gather(gathered, t)
        part, pieces, out = paddle.zeros_like(t), paddle.zeros_like(t), []
        dist.reduce_scatter(part, [t])
        dist.scatter(pieces, [t], 0)
        dist.alltoall([t], out)
        for found in (t, part, pieces, *out, *gathered):
            assert found.dtype == kind and found.astype("float32").tolist() == [1.0] * 4, found
    dist.barrier()
    objects: list[Any] = []
    dist.all_gather_object(objects, {"a": 1})
    assert objects == [{"a": 1}]
    net = paddle.DataParallel(mlp())
    net(paddle.to_tensor(X)).sum().backward()
    assert net._layers[0].weight.grad is not None


@check
def sparse_tensors() -> None:
    """What is made, moved, computed and differentiated lies where the values lie, and gives the CPU's numbers."""
    sparse, places = paddle.sparse, np.array([[0, 0, 0, 0], [0, 0, 1, 2], [0, 1, 1, 2], [0, 2, 1, 1]])
    points = NUMBERS.rand(4, 2).astype("float32")
    filters, columns = NUMBERS.rand(3, 3, 3, 2, 3).astype("float32"), NUMBERS.rand(6, 2).astype("float32")
    numbers = {}
    for place in (paddle.CUDAPlace(0), paddle.CPUPlace()):
        x = sparse.sparse_coo_tensor(places, points, [1, 3, 3, 3, 2], place=place).detach()
        x.stop_gradient = False
        weight = paddle.to_tensor(filters, place=place)
        out = sparse.nn.functional.subm_conv3d(sparse.nn.functional.relu(x), weight)
        out = sparse.nn.functional.max_pool3d(out, 2, 1)
        flat = sparse.sum(sparse.reshape(sparse.add(out, sparse.multiply(out, 0.5)), [1, 2, 4, 3]), -1)
        table = flat.to_dense().reshape([2, 4]).to_sparse_csr()
        table = sparse.nn.functional.softmax(table)
        product = sparse.matmul(table, paddle.to_tensor(columns[:4], place=place))
        out.to_dense().sum().backward()
        numbers[str(place)] = [x.grad.values(), product, flat.to_dense(), sparse.transpose(table, [1, 0]).to_dense()]
        assert on_gpu(x, out, product, table, x.indices(), x.grad) == place.is_gpu_place()
    for found, expected in zip(*numbers.values()):
        same(found.numpy(), expected.numpy())
    assert x.cuda().place.is_gpu_place() and x.cuda().cpu().indices().place.is_cpu_place()


@real_only
def meshes() -> None:
    import paddle_compat.distributed as dist

    mesh = dist.ProcessMesh([0], dim_names=["x"])
    net = paddle.nn.Sequential(paddle.nn.Linear(8, 8), paddle.nn.ReLU(), paddle.nn.Linear(8, 1))
    net[0].weight = dist.shard_tensor(net[0].weight, mesh, [dist.Shard(1)])
    net[2].weight = dist.shard_tensor(net[2].weight, mesh, [dist.Shard(0)])
    assert on_gpu(net[0].weight)
    items = [(X[i, :8], np.float32([i % 2])) for i in range(16)]
    loader = dist.shard_dataloader(paddle.io.DataLoader(items, batch_size=4), meshes=[mesh])
    optimizer = dist.shard_optimizer(paddle.optimizer.SGD(0.1, parameters=net.parameters()))
    model = dist.to_static(net, loader, paddle.nn.MSELoss(), optimizer)
    losses = [float(model(x, y)) for _ in range(3) for x, y in loader]
    assert np.isfinite(losses).all() and losses[-1] < losses[0], losses


@real_only
def memory_streams_and_profiles() -> None:
    cuda = paddle.device.cuda
    kept = paddle.ones([1 << 20])
    assert cuda.memory_allocated() >= 4 << 20 and cuda.max_memory_allocated() >= 4 << 20 and cuda.memory_reserved() >= 4 << 20, kept.shape
    assert cuda.get_device_name() == torch.cuda.get_device_name() and cuda.get_device_properties().total_memory > 1 << 30
    with cuda.stream_guard(cuda.Stream()):
        out = kept @ kept
    cuda.synchronize()
    assert float(out) == 1 << 20
    targets = [paddle.profiler.ProfilerTarget.CPU, paddle.profiler.ProfilerTarget.GPU]
    with paddle.profiler.Profiler(targets=targets) as seen:
        for _ in range(3):
            float((paddle.ones([512, 512]) @ paddle.ones([512, 512])).sum())
            seen.step()
    assert seen.profiler_result is not None


def main() -> None:
    """Run all checks that this machine can."""
    names = [name for name in CHECKS if REAL or name not in REAL_ONLY]
    found = {}
    for name in [name for name in names if not sys.argv[1:] or name in sys.argv[1:]]:
        paddle.set_device("gpu")
        try:
            CHECKS[name]()
            found[name] = ""
        except BaseException:
            found[name] = traceback.format_exc()[-2500:]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
