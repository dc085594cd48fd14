"""`paddle.jit.to_static`: what is recorded when, what runs in eager mode, and that training gives eager's numbers."""

from __future__ import annotations

import copy
import importlib
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat import nn
from paddle_compat.jit.dy2static import program_translator
from paddle_compat.jit.dy2static.utils import Backend
from paddle_compat.nn import functional as F
from paddle_compat.static import InputSpec

STATE = np.random.RandomState(0)


def floats(*shape: int) -> Any:
    return paddle.to_tensor(STATE.randn(*shape).astype("float32"))


class Mlp(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(8, 16), nn.Linear(16, 4)
        self.drop, self.bn = nn.Dropout(0.3), nn.BatchNorm1D(16)
        self.scale = paddle.to_tensor([2.0])
        self.register_buffer("count", paddle.zeros([1]))

    def forward(self, x: Any) -> Any:
        h = F.relu(self.bn(self.fc1(x)))
        if h.mean() > 0.2:
            h = h * self.scale
        else:
            h = h + 1
        if self.training:
            self.count = self.count + 1
        return self.fc2(self.drop(h))


class Doubled(Mlp):
    def forward(self, x: Any) -> Any:
        y = super().forward(x)
        return y if y.sum() > 0 else y * 2


class Convolved(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.bn, self.pool, self.fc = nn.Conv2D(3, 8, 3, padding=1), nn.BatchNorm2D(8), nn.MaxPool2D(2), nn.Linear(128, 5)

    def forward(self, x: Any) -> Any:
        return self.fc(paddle.flatten(self.pool(F.relu(self.bn(self.conv(x)))), 1))


class Recurrent(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.table, self.lstm, self.fc = nn.Embedding(20, 6), nn.LSTM(6, 7, num_layers=2), nn.Linear(7, 3)

    def forward(self, x: Any) -> Any:
        y, (h, c) = self.lstm(self.table(x))
        return self.fc(y[:, -1])


class Encoded(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.fc = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1), 2), nn.Linear(8, 3)

    def forward(self, x: Any, mask: Any = None) -> Any:
        return self.fc(self.encoder(x, mask))


class Looped(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x: Any) -> Any:
        i = paddle.zeros([1], "int64")
        while i < 3:
            x = F.tanh(self.fc(x))
            i += 1
        return x


class PartlyFrozen(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)
        for parameter in self.first.parameters():
            parameter.stop_gradient = True

    def forward(self, x: Any) -> Any:
        y = self.first(x)
        with paddle.no_grad():
            z = self.second(y)
        w = self.second(y)
        return self.second(y) + z + w.detach()


NETS: dict[Any, Any] = {
    Mlp: lambda: floats(6, 8),
    Doubled: lambda: floats(6, 8),
    Convolved: lambda: floats(4, 3, 8, 8),
    Recurrent: lambda: paddle.to_tensor(STATE.randint(0, 20, (4, 5))),
    Encoded: lambda: floats(3, 4, 8),
    Looped: lambda: floats(6, 8),
    PartlyFrozen: lambda: floats(6, 8),
}


def trained(net: Any, batches: list[Any]) -> list[np.ndarray]:
    """Losses of training, the result of inference, and the buffers."""
    optimizer = torch.optim.SGD([p._t for p in net.parameters() if p._t.requires_grad], 0.1)
    found = []
    paddle.seed(7)
    for x in batches:
        out = net(x)
        loss = (out * out).mean()
        torch.autograd.backward(loss._t)
        optimizer.step()
        optimizer.zero_grad()
        found.append(loss.numpy())
    net.eval()
    return [*found, net(batches[0]).numpy(), *(buffer.numpy() for buffer in net.buffers())]


@pytest.mark.parametrize("net", NETS)
def test_training_gives_eager_numbers(net: Any) -> None:
    batches = [NETS[net]() for _ in range(3)]
    paddle.seed(3)
    eager = net()
    paddle.seed(3)
    static = paddle.jit.to_static(net(), full_graph=True)
    assert all(np.array_equal(a, b) for a, b in zip(trained(eager, batches), trained(static, batches)))


def test_what_tells_recordings_apart() -> None:
    @paddle.jit.to_static
    def scaled(x: Any, factor: float = 2.0, *, shift: Any = None) -> Any:
        return x * factor + (0.0 if shift is None else shift)

    assert scaled(paddle.ones([2])).tolist() == [2.0, 2.0]
    scaled(paddle.zeros([2]))
    scaled(np.ones(2, "float32"), 2.0)
    assert len(scaled.program_cache) == 1
    scaled(paddle.ones([3]))
    scaled(paddle.ones([2], "float64"))
    assert scaled(paddle.ones([2]), factor=3.0, shift=paddle.ones([2])).tolist() == [4.0, 4.0]
    assert len(scaled.program_cache) == 4


def test_input_specs() -> None:
    def summed(pair: Any, mask: Any) -> Any:
        return pair["a"].sum() + mask

    static = paddle.jit.to_static(summed, input_spec=[{"a": InputSpec([None, 3], name="a")}, InputSpec([], "float32")])
    assert static.concrete_program.inputs[0]["a"].shape == (-1, 3)
    for rows in (1, 4):
        assert float(static({"a": paddle.ones([rows, 3])}, paddle.to_tensor(1.0))) == 3 * rows + 1
    assert static.get_traced_count() == 2  # the specification's Tensors stop no gradients, those of the calls do
    with pytest.raises(TypeError, match="input_spec"):
        paddle.jit.to_static(summed, input_spec=3)
    with pytest.raises(ValueError, match="parameters"):
        paddle.jit.to_static(summed, input_spec=[None, None, None])


def test_unknown_sizes() -> None:
    def spread(x: Any) -> Any:
        y = x.reshape([x.shape[0] * x.shape[1]])
        for i in range(x.shape[0]):
            y = y + i
        return y, len(x), x.size

    static = paddle.jit.to_static(spread, input_spec=[InputSpec([None, 3])], full_graph=True)
    for rows in (2, 5):
        y, length, size = static(paddle.ones([rows, 3]))
        assert np.array_equal(y.numpy(), spread(paddle.ones([rows, 3]))[0].numpy()) and (int(length), int(size)) == (rows, 3 * rows)


def test_what_cannot_be_recorded_runs_in_eager_mode() -> None:
    @paddle.jit.to_static
    def signed(x: Any) -> Any:
        return x * 2 if float(x.numpy().sum()) > 0 else x

    with pytest.warns(UserWarning, match=rf"{__file__}:\d+: `signed` cannot be recorded"):
        assert signed(paddle.ones([2])).tolist() == [2.0, 2.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert signed(-paddle.ones([2])).tolist() == [-1.0, -1.0]


def test_errors_name_the_user_s_lines() -> None:
    def wrong(x: Any) -> Any:
        y = x + 1
        return paddle.reshape(y, [7])

    with pytest.raises(ValueError, match="reshape") as caught:
        paddle.jit.to_static(wrong, full_graph=True)(paddle.ones([2]))
    assert f'File "{__file__}"' in str(caught.value) and "return paddle.reshape(y, [7])" in str(caught.value)
    with pytest.raises(ValueError, match="reshape"):  # the error of eager mode
        paddle.jit.to_static(wrong)(paddle.ones([2]))


def test_branches_that_leave_different_things_are_refused() -> None:
    def mixed(x: Any) -> Any:
        kind = "none"
        if x.sum() > 0:
            kind = x
        return kind

    with pytest.raises(Exception, match="different things in `kind`"):
        paddle.jit.to_static(mixed, full_graph=True)(paddle.ones([2]))


def test_gradients_reach_inputs_and_stop_where_they_are_stopped() -> None:
    square = paddle.jit.to_static(lambda x: (x * x).sum(), full_graph=True)
    x = floats(3)
    x.stop_gradient = False
    torch.autograd.backward(square(x)._t)
    assert x._t.grad is not None and np.allclose(x._t.grad.numpy(), 2 * x.numpy())
    with paddle.no_grad():
        assert square(x).stop_gradient


def test_gradients_inside() -> None:
    @paddle.jit.to_static(full_graph=True)
    def penalty(x: Any) -> Any:
        return (paddle.grad((x * x * x).sum(), x)[0] ** 2).sum()

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    value = penalty(x)
    assert float(value) == 9.0 + 144.0
    torch.autograd.backward(value._t)
    assert x._t.grad is not None and x._t.grad.tolist() == [36.0, 288.0]


def test_mixed_precision() -> None:
    def product(x: Any) -> Any:
        return paddle.matmul(x, x)

    static = paddle.jit.to_static(product, full_graph=True)
    x = floats(4, 4)
    for _ in range(2):
        assert np.array_equal(static(x).numpy(), product(x).numpy())
        with paddle.amp.auto_cast(level="O1", dtype="bfloat16"):
            assert static(x).dtype == paddle.bfloat16
            assert np.array_equal(static(x).astype("float32").numpy(), product(x).astype("float32").numpy())

    @paddle.jit.to_static(full_graph=True)
    def inside(x: Any) -> Any:
        with paddle.amp.auto_cast(level="O1", dtype="bfloat16"):
            return paddle.matmul(x, x)

    assert inside(x).dtype == paddle.bfloat16


def test_dropout_draws_at_every_call() -> None:
    drop = paddle.jit.to_static(lambda x: F.dropout(x, 0.5), full_graph=True)
    x = paddle.ones([64])
    assert not np.array_equal(drop(x).numpy(), drop(x).numpy())
    paddle.seed(3)
    first = drop(x).numpy()
    paddle.seed(3)
    assert np.array_equal(first, F.dropout(x, 0.5).numpy())


def test_train_and_eval_are_recorded_apart() -> None:
    net = paddle.jit.to_static(nn.Sequential(nn.Dropout(0.5), nn.ReLU()), full_graph=True)
    x = paddle.ones([64])
    assert not np.array_equal(net(x).numpy(), x.numpy())
    net.eval()
    assert np.array_equal(net(x).numpy(), x.numpy())
    net.train()
    assert not np.array_equal(net(x).numpy(), x.numpy()) and len(net.forward.program_cache) == 2


def test_switches() -> None:
    @paddle.jit.not_to_static
    def positive(x: Any) -> bool:
        return bool(x.sum() > 0)

    static = paddle.jit.to_static(lambda x: x * 2 if positive(x) else x, full_graph=True)
    with pytest.raises(Exception, match="bool"):  # it is called as it is, and sees a Variable
        static(paddle.ones([2]))
    paddle.jit.enable_to_static(False)
    try:
        assert static(paddle.ones([2])).tolist() == [2.0, 2.0] and len(static.program_cache) == 0
    finally:
        paddle.jit.enable_to_static(True)
    assert static.rollback()(paddle.ones([1])).tolist() == [2.0]
    net = paddle.jit.to_static(Looped())
    forward, expected = net.forward, net(paddle.ones([1, 8])).numpy()
    other = copy.deepcopy(net)  # which takes `to_static` from both
    assert other.forward.__self__ is other and not isinstance(other.forward, type(forward)) and net.forward == forward.dygraph_function
    assert np.array_equal(other(paddle.ones([1, 8])).numpy(), expected) and np.array_equal(net(paddle.ones([1, 8])).numpy(), expected)
    assert copy.deepcopy(static) is static.dygraph_function
    paddle.jit.to_static(net).forward.rollback()
    assert "forward" not in vars(net)
    with pytest.warns(UserWarning, match="decorated"):
        paddle.jit.to_static(paddle.jit.to_static(other))
    assert "_jst.While" in paddle.jit.to_static(Looped()).forward.code


class Nested(paddle.nn.Layer):
    """A layer of several recorded methods, and one whose own forward is recorded."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = paddle.jit.to_static(paddle.nn.Linear(2, 2))

    def forward(self, x: Any) -> Any:
        return self.inner(x)

    def infer(self, x: Any) -> Any:
        return self.inner(x) * 2


@pytest.mark.parametrize("since_3", [False, True])
def test_a_method_is_rolled_back_by_itself_and_a_copy_of_paddle_3_stays(since_3: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_translator, "SINCE_3", since_3)
    net = paddle.jit.to_static(Nested())
    net.infer = paddle.jit.to_static(net.infer)
    x, static = paddle.ones([1, 2]), program_translator.StaticFunction
    expected = net(x).tolist()
    copied = copy.deepcopy(net) if since_3 else None
    if copied is not None:
        with paddle.no_grad():
            copied.inner.weight.zero_()
        assert copied(x).tolist() == [copied.inner.bias.tolist()]
        assert all(isinstance(one, static) for one in (net.forward, net.infer, copied.forward, copied.infer, copied.inner.forward))
        assert copied.forward._class_instance is copied and net(x).tolist() == expected
    net.forward.rollback()
    kept = [isinstance(one, static) for one in (net.forward, net.infer, net.inner.forward)]
    assert kept == [False, True, since_3] and net(x).tolist() == expected
    net.infer.rollback()
    assert not isinstance(net.infer, static) and np.allclose(net.infer(x).numpy(), 2 * np.array(expected))


def test_backends_are_named_in_any_case() -> None:  # as in 3.3.1
    for backend in ("cinn", "Cinn", "CINN", Backend.CINN, None):
        assert callable(paddle.jit.to_static(lambda x: x, backend=backend))
    for backend in ("PHI", "TensorRT", "", 3):
        with pytest.raises(ValueError, match="backend"):
            paddle.jit.to_static(lambda x: x, backend=backend)
    assert callable(paddle.jit.to_static(lambda x: x, build_strategy={}))  # as in both wheels: nothing is nothing


def test_prints_at_every_call(capfd: pytest.CaptureFixture[str]) -> None:
    def shown(x: Any) -> Any:
        print("value", x)
        return x

    static = paddle.jit.to_static(shown, full_graph=True)
    static(paddle.ones([1]))
    static(paddle.full([1], 7.0))
    out = "".join(capfd.readouterr())
    assert "value" in out and "7" in out


def test_prints_of_the_default_are_eager_ones(capsys: pytest.CaptureFixture[str]) -> None:
    def shown(x: Any) -> Any:
        print("value", x, [x.mean(), 2], sep="|")
        print("shape", x.shape, end=".\n")
        return x

    def branched(x: Any) -> Any:
        if x.sum() > 0:
            print("more", x)
        return x

    said = []
    for function in (shown, paddle.jit.to_static(shown)):
        for number in (1.0, 7.0):
            function(paddle.full([1], number))
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] and said[0].count("shape [1].") == 2
    with pytest.warns(UserWarning, match="`print` in a branch"):
        paddle.jit.to_static(branched)(paddle.ones([1]))
    assert capsys.readouterr().out.count("more") == 1


class Counting(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc, self.calls, self.last = nn.Linear(3, 3), 0, None
        self.log: list[int] = []

    def forward(self, x: Any) -> Any:
        self.calls += 1
        self.log.append(self.calls)
        self.last = self.fc(x)
        return self.last


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_attributes_that_forward_sets_are_set_at_every_call() -> None:
    net = paddle.jit.to_static(Counting())
    for _ in range(3):
        net(paddle.ones([2, 3]))
    assert net.calls == 3 and net.log == [1, 2, 3] and isinstance(net.last, paddle.Tensor)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_assertions_of_the_default_are_the_user_s_own() -> None:
    def positive(x: Any) -> Any:
        assert x.mean() > 0, f"mean of {x.shape}"
        return x

    static = paddle.jit.to_static(positive)
    assert static(paddle.ones([2])).tolist() == [1.0, 1.0]
    with pytest.raises(AssertionError, match=r"mean of \[2\]"):
        static(-paddle.ones([2]))
    with pytest.raises(ValueError, match="condition"):
        paddle.jit.to_static(positive, full_graph=True)(-paddle.ones([2]))


def test_what_is_negative_counts_as_false_in_eager_mode() -> None:
    def signed(x: Any) -> Any:
        return x + 1 if x.sum() else x - 1

    assert [bool(paddle.to_tensor(v)) for v in (-1.0, 0, 2, float("nan"))] == [False, False, True, False]
    x = -paddle.ones([1])
    assert signed(x).tolist() == paddle.jit.to_static(signed)(x).tolist() == [-2.0]
    assert paddle.jit.to_static(signed, full_graph=True)(x).tolist() == [0.0]


def test_hooks_of_a_wholly_recorded_function() -> None:
    def gradients(whole: bool) -> list[Any]:
        weight = paddle.create_parameter([2], "float32", default_initializer=nn.initializer.Constant(2.0))

        def hooked(x: Any) -> Any:
            y = x * weight
            z = y + x
            y.register_hook(lambda grad: grad + 1)
            x.register_hook(lambda grad: None)
            weight.register_hook(lambda grad: grad * 10)
            return (z * y * weight).sum()

        x = paddle.to_tensor([1.0, 3.0], stop_gradient=False)
        (paddle.jit.to_static(hooked, full_graph=True) if whole else hooked)(x).backward()
        return [x.grad.tolist(), weight.grad.tolist()]

    assert gradients(True) == gradients(False)


def normalized(x: Any) -> Any:
    loss = (x * x).sum()
    return x * float(x.mean()) + loss / float(loss)


def test_a_number_of_python_has_no_gradient() -> None:
    """As in eager mode and in Paddle 3.3 by default; 2.6 and `full_graph=True` hand it on."""
    x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    value = paddle.jit.to_static(normalized)(x)
    assert value.tolist() == pytest.approx([3.0, 5.0, 7.0])
    value.sum().backward()
    assert x.grad.tolist() == pytest.approx([2 + 6 / 14, 2 + 12 / 14, 2 + 18 / 14])


SAME = [
    "w + 2", "2 - w", "w * 0.5", "2 / w", "w / 2", "w ** 2", "2 ** w", "w * w", "-w", "w @ w", "w % 2", "w + i", "i * w", "w > 0",
    "w == w", "i & i", "i | i", "~i", "~b", "b ^ b", "w[0]", "w[b]", "w[i - 1]", "x[i - 1]", "w[:1]", "[v * 2 for v in w]",
    "sum(w)", "sum([w, w])", "w + np.array([1.0, 2.0], 'float32')", "np.float32(2) * w", "w.clone()", "w.dim()", "w.__rsub__(1)",
    "w.mean() * 2", "not s", "float(s)", "x * float(s)", "str(w)", "f'{s}'", "np.asarray(w)", "paddle.to_tensor([s, s])",
    "paddle.to_tensor([[s, 1.0]])", "[x] * int(i[0])", "min(s, 3)", "range(int(i[0]))[0:5]", "[10, 20, 30][i[0]]", "w.tolist()",
]  # fmt: skip
RECORDED = SAME[: SAME.index("not s")]


@pytest.mark.filterwarnings("ignore:.*cannot be recorded")
@pytest.mark.parametrize("expression", SAME)
def test_tensors_that_a_function_meets_are_read_at_every_call(expression: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "meets.py").write_text(f"def f(x):\n    return {expression}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "meets", raising=False)
    module = importlib.import_module("meets")
    w = paddle.to_tensor([3.0, -1.0], stop_gradient=False)
    b, i, s = paddle.to_tensor([True, False]), paddle.to_tensor([1, 2]), paddle.to_tensor(2.0)
    vars(module).update(paddle=paddle, np=np, w=w, b=b, i=i, s=s)

    def calls(function: Any) -> list[Any]:
        found = []
        for values in (([3.0, -1.0], [True, False], [1, 2], 2.0), ([5.0, 7.0], [False, True], [2, 1], -4.0)):
            for tensor, value in zip((w, b, i, s), values):
                tensor.set_value(np.array(value, tensor.numpy().dtype))
            w.clear_gradient()
            result = function(paddle.to_tensor([1.0, 2.0]))
            if isinstance(result, paddle.Tensor) and not result.stop_gradient:
                result.sum().backward()
            found.append((str(result), w.grad is not None and w.grad.tolist()))
        return found

    expected = calls(module.f)
    assert calls(paddle.jit.to_static(module.f)) == expected
    if expression in RECORDED and "%" not in expression:
        assert calls(paddle.jit.to_static(module.f, full_graph=True)) == expected


def raises_in_a_branch(x: Any) -> Any:
    try:
        if x.sum() > 0:
            raise ValueError("positive")
        found = "negative"
    except ValueError as error:
        found = str(error)
    return found, x * 2


def catches_what_an_operator_raises(x: Any) -> Any:
    try:
        y = x.numpy().reshape([7])
    except Exception:
        y = x + 1
    return y


def catches_a_missing_key(x: Any) -> Any:
    try:
        return x + {}["key"]
    except KeyError:
        return x + 2


@pytest.mark.parametrize("function", [raises_in_a_branch, catches_what_an_operator_raises, catches_a_missing_key])
def test_errors_that_a_function_catches(function: Any) -> None:
    static = paddle.jit.to_static(function)
    for sign in (1, -1, 1):
        x = floats(2).abs() * sign
        assert repr(static(x)) == repr(function(x))
    assert (static._eager is None) is (function is catches_a_missing_key)


def reads_what_one_branch_sets(x: Any) -> Any:
    if x.sum() > 0:
        found = x * 2
    return found


def counts_with_what_one_branch_sets(x: Any) -> Any:
    if x.sum() > 0:
        found = x * 2
    return found + 1


def reads_it_in_a_branch(x: Any) -> Any:
    if x.sum() > 0:
        found = x * 2
    if x.sum() > 0:
        return found
    return x


@pytest.mark.parametrize("function", [reads_what_one_branch_sets, counts_with_what_one_branch_sets, reads_it_in_a_branch])
def test_reading_what_the_other_branch_sets_is_refused_as_in_eager_mode(function: Any) -> None:
    static = paddle.jit.to_static(function)
    x = floats(2).abs()
    assert static(x).tolist() == function(x).tolist()
    assert (static._eager is None) is (function is reads_it_in_a_branch)
    if function is reads_it_in_a_branch:
        assert static(-x).tolist() == (-x).tolist()
    else:
        with pytest.raises(UnboundLocalError, match="found"):
            static(-x)
