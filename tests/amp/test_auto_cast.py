"""`auto_cast` and `decorate`: what computes in which precision, for how long, and for whom."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import nn
from paddle_compat.amp import _support
from paddle_compat.core import eager
from paddle_compat.nn.functional import loss

F = nn.functional
LOW, FULL = "BF16", "FP32"


@pytest.fixture(autouse=True)
def at_once() -> None:
    paddle.disable_static()


def rand(*shape: int, dtype: str = "float32") -> Any:
    return paddle.rand(list(shape)).astype(dtype)


def kind(value: Any) -> str:
    name: str = value.dtype.name
    return name


# what an operator computes in: (O1, O2, OD) of inputs in float32, then O1 and O2 of inputs in bfloat16
OPERATORS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "matmul": (lambda x: paddle.matmul(x, x), "bbb bb"),
    "conv2d": (lambda x: F.conv2d(x.reshape([1, 1, 4, 4]), x[:2, :2].reshape([1, 1, 2, 2])), "bbb bb"),
    "add": (lambda x: x + x, "fff bb"),
    "relu": (lambda x: F.relu(x), "fff bb"),
    "mean": (lambda x: paddle.mean(x), "fff fb"),
    "sum": (lambda x: paddle.sum(x), "fff fb"),
    "exp": (lambda x: paddle.exp(x), "fff fb"),
    "softmax": (lambda x: F.softmax(x), "fff fb"),
    "layer_norm": (lambda x: F.layer_norm(x, [4]), "fff fb"),
    "cross_entropy": (lambda x: F.cross_entropy(x, paddle.zeros([4, 1], "int64")), "fff fb"),
    "embedding": (lambda x: F.embedding(paddle.zeros([1], "int64"), x), "fff ff"),
    "concat": (lambda x: paddle.concat([x, x]), "fff bb"),
    "cast": (lambda x: x.astype("float64").astype("float32"), "fff ff"),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_compute_as_listed(name: str) -> None:
    call, answers = OPERATORS[name]
    wanted = iter(answers.replace(" ", ""))
    for dtype, levels in (("float32", ("O1", "O2", "OD")), ("bfloat16", ("O1", "O2"))):
        x = rand(4, 4, dtype=dtype)
        for level in levels:
            with paddle.amp.auto_cast(level=level, dtype="bfloat16"):
                assert kind(call(x)) == {"b": LOW, "f": FULL}[next(wanted)], (name, dtype, level)


def test_one_input_in_float32_decides_unless_nothing_is_promoted() -> None:
    low, full = rand(2, 2, dtype="bfloat16"), rand(2, 2)
    with paddle.amp.auto_cast(dtype="bfloat16"):
        assert kind(low + full) == FULL
        assert kind(F.linear(full, full, rand(2))) == FULL  # the bias is added in float32
    with paddle.amp.auto_cast(level="O2", dtype="bfloat16"):
        assert kind(low * full) == FULL
    with paddle.amp.auto_cast(level="O2", dtype="bfloat16", use_promote=False):
        assert kind(low * full) == LOW and kind(full * full) == LOW
    wide = rand(2, 2).astype("float64")
    with paddle.amp.auto_cast(dtype="bfloat16"):
        assert kind(wide @ wide) == "FP64"


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_normalizations_in_float32_cast_what_they_scale_with(dtype: str) -> None:
    net, x = paddle.amp.decorate(nn.LayerNorm(4), level="O2", dtype="bfloat16"), rand(2, 4, dtype=dtype)
    assert kind(net.weight) == LOW
    with paddle.amp.auto_cast(level="O2", dtype="bfloat16", custom_black_list={"layer_norm"}):
        listed = net(x)
    assert kind(listed) == FULL
    with paddle.amp.auto_cast(level="O2", dtype="bfloat16"):
        promoted = net(x)
    assert kind(promoted) == (FULL if dtype == "float32" else LOW)
    (listed.sum() + promoted.sum()).backward()
    assert kind(net.weight.grad) == LOW
    np.testing.assert_allclose(listed.numpy(), F.layer_norm(x.astype("float32"), [4]).numpy(), atol=1e-5)


# functions whose tensors must be of one type, or of one that bfloat16 is not: `auto_cast` casts before that counts
JOINED: dict[str, Callable[[Any, Any], Any]] = {
    "concat": lambda x, y: paddle.concat([x, y]),
    "stack": lambda x, y: paddle.stack([x, y]),
    "where": lambda x, y: paddle.where(x > 0, x, y),
    "add_n": lambda x, y: paddle.add_n([x, y]),
    "broadcast_tensors": lambda x, y: paddle.broadcast_tensors([x, y])[1],
    "multiplex": lambda x, y: paddle.multiplex([x, y], paddle.zeros([2, 1], "int32")),
    "scatter_nd_add": lambda x, y: paddle.scatter_nd_add(x, paddle.zeros([2, 1], "int64"), y),
    "kron": lambda x, y: paddle.kron(x, y),
    "dist": lambda x, y: paddle.dist(x, y),
    "norm": lambda x, y: paddle.norm(y),
}


@pytest.mark.parametrize("name", JOINED)
def test_tensors_of_two_precisions_meet_inside_only(name: str) -> None:
    full, low = rand(2, 2), rand(2, 2, dtype="bfloat16")
    with paddle.amp.auto_cast(dtype="bfloat16"):
        assert kind(JOINED[name](full, low)) == FULL
        assert kind(paddle.einsum("ij,jk->ik", full, low)) == LOW and bool(paddle.allclose(low, low.astype("float32")))
    if name == "where":  # which takes the wider type by itself
        assert kind(JOINED[name](full, low)) == FULL
    else:
        with pytest.raises((TypeError, ValueError)):
            JOINED[name](full, low)


def test_callers_move_operators_between_the_lists() -> None:
    x = rand(2, 2)
    with paddle.amp.auto_cast(custom_white_list={"elementwise_add", "softmax"}, custom_black_list=["matmul_v2"], dtype="bfloat16"):
        assert (kind(x + x), kind(F.softmax(x)), kind(x @ x)) == (LOW, LOW, FULL)
    with pytest.raises(ValueError, match="overlap"), paddle.amp.auto_cast(custom_white_list={"a"}, custom_black_list={"a"}):
        pass


def test_normalizations_keep_their_statistics() -> None:
    norm = nn.BatchNorm1D(4)
    before = norm._mean.numpy()
    with paddle.amp.auto_cast(level="O2", dtype="bfloat16"):
        out = norm(rand(8, 4, dtype="bfloat16"))
    assert kind(out) == LOW and kind(norm._mean) == FULL and not np.array_equal(before, norm._mean.numpy())


def test_blocks_nest_and_end_with_errors() -> None:
    x = rand(2, 2)
    with paddle.amp.auto_cast(dtype="bfloat16"):
        with paddle.amp.auto_cast(enable=False):
            assert kind(x @ x) == FULL
        with pytest.raises(ZeroDivisionError), paddle.amp.auto_cast(level="O0", dtype="bfloat16"):
            assert kind(x @ x) == FULL
            raise ZeroDivisionError
        assert kind(x @ x) == LOW
    assert kind(x @ x) == FULL and eager.cast_inputs is None

    @paddle.amp.auto_cast(dtype="bfloat16")
    def square() -> Any:
        return x @ x

    assert [kind(square()), kind(square()), kind(x @ x)] == [LOW, LOW, FULL]


def test_precisions_are_named_by_data_types_too() -> None:
    x = rand(2, 2)
    with paddle.amp.auto_cast(dtype=paddle.bfloat16):
        assert kind(x @ x) == LOW and paddle.get_autocast_dtype() == "bfloat16"
    with pytest.raises(ValueError, match="dtype should be"), paddle.amp.auto_cast(dtype=paddle.float32):
        pass


def test_threads_have_their_own() -> None:
    x, seen = rand(2, 2), []
    with paddle.amp.auto_cast(dtype="bfloat16"):
        thread = threading.Thread(target=lambda: seen.append(kind(x @ x)))
        thread.start()
        thread.join()
        assert seen == [FULL] and kind(x @ x) == LOW


def test_gradients_come_back_in_the_parameters_precision() -> None:
    w, x = nn.Linear(4, 4, bias_attr=False).weight, rand(2, 4)
    with paddle.amp.auto_cast(dtype="bfloat16"):
        loss = paddle.mean(x @ w)
    loss.backward()
    assert kind(w.grad) == FULL
    np.testing.assert_allclose(w.grad.numpy(), np.repeat(x.numpy().sum(0)[:, None] / 8, 4, 1), rtol=2**-7)  # rounded twice


@pytest.mark.parametrize("level", ["O1", "O2"])
def test_training_in_bfloat16_follows_that_in_float32(level: str) -> None:
    def train(low: bool) -> list[float]:
        paddle.seed(3)
        random = np.random.RandomState(0)
        net: Any = nn.Sequential(nn.Conv2D(1, 4, 3), nn.BatchNorm2D(4), nn.ReLU(), nn.Flatten(), nn.Linear(16, 3))
        adam = paddle.optimizer.Adam(0.01, parameters=net.parameters(), grad_clip=nn.ClipGradByGlobalNorm(1.0))
        if low:
            net, adam = paddle.amp.decorate(net, adam, level=level, dtype="bfloat16")
        x = paddle.to_tensor(random.rand(16, 1, 4, 4).astype("float32"))
        y = paddle.to_tensor(random.randint(0, 3, [16, 1]))
        losses = []
        for _ in range(20):
            with paddle.amp.auto_cast(enable=low, level=level, dtype="bfloat16"):
                loss = F.cross_entropy(net(x), y)
            loss.backward()
            adam.step()
            adam.clear_grad()
            losses.append(float(loss))
        return losses

    full, low = train(False), train(True)
    assert full[-1] < 0.9 * full[0]
    np.testing.assert_allclose(low, full, rtol=0.01)  # bfloat16 keeps 8 bits
    assert low != full


class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.linear, self.batch, self.layer = nn.Linear(2, 2), nn.BatchNorm1D(2), nn.LayerNorm(2)
        self.table, self.instance = nn.Embedding(3, 2), nn.InstanceNorm1D(2)
        self.register_buffer("buffer", paddle.ones([2]))


def kinds(net: Any) -> dict[str, str]:
    return {name: kind(value) for name, value in net.state_dict().items()}


FULL_IN_HALF = {"batch.weight", "batch.bias", "batch._mean", "batch._variance"}


def test_decorate_casts_all_but_batch_norms() -> None:
    net = Net()
    rms = paddle.optimizer.RMSProp(0.1, parameters=net.parameters())
    both = paddle.amp.decorate(net, rms, level="O2", dtype="bfloat16")
    assert both == (net, rms) and rms._multi_precision
    assert {name for name, found in kinds(net).items() if found == FULL} == FULL_IN_HALF
    net = Net()
    assert paddle.amp.decorate(net, level="O1", dtype="bfloat16") is net and set(kinds(net).values()) == {FULL}
    assert paddle.amp.decorate(net, level="O2", dtype="float16") is net and set(kinds(net).values()) == {FULL}  # on a CPU


def test_decorate_for_float16_spares_other_normalizations_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_support, "accelerated", lambda: True)
    monkeypatch.setattr(_support, "capable", lambda dtype, place=None: True)
    net = paddle.amp.decorate(Net(), level="O2")
    spared = {"layer.weight", "layer.bias", "instance.scale", "instance.bias"}
    assert {name for name, found in kinds(net).items() if found == FULL} == FULL_IN_HALF | spared


def test_decorate_excludes_and_saves_as_asked() -> None:
    net = Net()
    excluded = [nn.Embedding, net.linear]
    paddle.amp.decorate(net, level="O2", dtype="bfloat16", excluded_layers=excluded)
    assert {kind(net.table.weight), kind(net.linear.weight)} == {FULL} and kind(net.layer.weight) == LOW
    net = paddle.amp.decorate(Net(), level="O2", dtype="bfloat16", save_dtype="float32")
    assert set(kinds(net).values()) == {FULL} and kind(net.linear.weight) == LOW


def test_master_weights_take_the_steps() -> None:
    net = nn.Linear(2, 2)
    start = net.weight.astype("bfloat16").astype("float32").numpy()  # what the float32 copy begins with
    sgd = paddle.optimizer.SGD(1e-4, parameters=net.parameters())
    paddle.amp.decorate(net, sgd, level="O2", dtype="bfloat16", master_grad=True)
    for _ in range(10):
        (net.weight.sum() * 1.0).backward()
        sgd.step()
        sgd.clear_grad()
    master = sgd.state_dict()["master_weights"][net.weight.name]
    np.testing.assert_allclose(master.numpy(), start - 1e-3, atol=1e-6)
    np.testing.assert_allclose(master.numpy(), net.weight.astype("float32").numpy(), rtol=1e-2)


def test_master_gradients_add_up_in_float32() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1D(2))
    weight = net[0].weight
    adam = paddle.optimizer.AdamW(1e-2, parameters=net.parameters(), grad_clip=nn.ClipGradByGlobalNorm(1.0))
    paddle.amp.decorate(net, adam, level="O2", dtype="bfloat16", master_grad=True)
    for parts in (256.0, 0.5):  # 256.5 has no bfloat16
        (weight.astype("float32") * parts).sum().backward()
    assert kind(weight) == LOW and kind(weight.grad) == FULL
    assert weight.grad.tolist() == [[256.5] * 2] * 2
    adam.step()
    adam.clear_grad()
    assert kind(weight.grad) == FULL and weight.grad.tolist() == [[0.0] * 2] * 2
    weight.grad = paddle.ones([2, 2])
    (weight.astype("float32") * 2.0).sum().backward()
    assert weight.grad.tolist() == [[3.0] * 2] * 2
    adam.clear_grad(set_to_zero=False)
    assert weight.grad is None


def test_master_gradients_begin_with_those_of_before() -> None:
    net = nn.Linear(2, 2)
    paddle.amp.decorate(net, level="O2", dtype="bfloat16")
    for _ in range(2):
        (net.weight.astype("float32") * 0.5).sum().backward()
        paddle.amp.decorate(net, level="O2", dtype="bfloat16", master_grad=True)
    assert kind(net.weight.grad) == FULL and net.weight.grad.tolist() == [[1.0] * 2] * 2


@pytest.mark.parametrize("excluded", [nn.LayerNorm, "the second"])
def test_excluded_layers_stay_excluded(excluded: Any) -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.LayerNorm(2))
    paddle.amp.decorate(net, level="O2", dtype="bfloat16", excluded_layers=net[1] if excluded == "the second" else excluded)
    for _ in range(2):
        assert kind(net[0].weight) == LOW and kind(net[1].weight) == FULL
        paddle.amp.decorate(net, level="O2", dtype="bfloat16")


def test_layers_whose_authors_keep_their_precision() -> None:
    class Gate(nn.Layer):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.kept, self.other = self.create_parameter([2]), nn.Linear(2, 2)
            setattr(self, name, False)

    for name in ("_cast_to_low_precision", "_cast_to_low_precison"):
        gate = paddle.amp.decorate(Gate(name), level="O2", dtype="bfloat16")
        assert kind(gate.kept) == FULL and kind(gate.other.weight) == LOW


def test_float16_has_no_effect_on_a_cpu() -> None:
    x = rand(2, 2)
    with pytest.warns(UserWarning, match="makes no effect"), paddle.amp.auto_cast():
        assert kind(x @ x) == FULL
    assert not paddle.amp.is_float16_supported() and paddle.amp.is_bfloat16_supported("cpu")


def enter(**arguments: Any) -> None:
    with paddle.amp.auto_cast(**arguments):
        pass


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: enter(level="O3"), ValueError, "level should be"),
    (lambda: enter(dtype="float32"), ValueError, "dtype should be"),
    (lambda: paddle.amp.decorate(Net(), level="O3"), ValueError, "level should be"),
    (lambda: paddle.amp.decorate(Net(), level="O2", dtype="int8"), ValueError, "dtype only support"),
    (lambda: paddle.amp.decorate(3, level="O2", dtype="bfloat16"), TypeError, "models must be"),
    (lambda: paddle.amp.decorate([Net(), 3], level="O2", dtype="bfloat16"), RuntimeError, "models should be"),
    (lambda: paddle.amp.decorate(Net(), 3, level="O2", dtype="bfloat16"), TypeError, "optimizers must be"),
    (lambda: paddle.amp.decorate(Net(), [3], level="O2", dtype="bfloat16"), RuntimeError, "optimizers should be"),
    (lambda: paddle.amp.decorate(Net(), level="O2", dtype="bfloat16", save_dtype="int8"), ValueError, "save_dtype can only be"),
    (lambda: paddle.amp.decorate(Net(), level="O2", dtype="bfloat16", excluded_layers=3), TypeError, "excluded_layers must be"),
]


@pytest.mark.parametrize(("call", "error", "message"), WRONG)
def test_wrong_arguments(call: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("labels", [[1, 2, 3, 0], [[1], [-100], [3], [-100]], [-100] * 4])
def test_cross_entropy_under_casts_is_one_step(labels: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is what the operators give one by one, whose casts it makes itself."""
    found = []
    for short in (True, False):
        monkeypatch.setattr(loss, "only_casts", lambda short=short: short)
        x = paddle.to_tensor(np.linspace(-1, 1, 40, dtype="float32").reshape(4, 10), stop_gradient=False)
        with paddle.amp.auto_cast(dtype="bfloat16"):
            value = paddle.nn.functional.cross_entropy(x.astype("bfloat16"), paddle.to_tensor(labels))
        value.backward()
        assert value.dtype == paddle.float32 and value.shape == [] and not value.stop_gradient
        found.append([value.numpy(), x.grad.numpy()])
    np.testing.assert_allclose(found[0][0], found[1][0], rtol=1e-6)
    np.testing.assert_array_equal(found[0][1], found[1][1])
