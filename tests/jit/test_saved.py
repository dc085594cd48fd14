"""Layers and functions saved by `paddle.jit.save` load again, here and in Paddle; those that Paddle saved load here."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.static import InputSpec


class Net(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = paddle.nn.Linear(4, 3)
        self.bn = paddle.nn.BatchNorm1D(3)
        self.register_buffer("shift", paddle.ones([3]))

    def forward(self, x: Any) -> Any:
        y = self.bn(self.fc(x)) + self.shift
        if y.sum() > 0:
            y = y * 2
        return {"y": y, "text": "out"}, y.sum()

    @paddle.jit.to_static(input_spec=[InputSpec([None, 3])])
    def other(self, z: Any) -> Any:
        return self.bn(z)


@pytest.fixture
def wheel(tmp_path: Path) -> tuple[str, Any]:
    """The files that the wheel wrote, in a folder, and the recording."""
    recorded = np.load(ROOT / "tests/references/jit_models_2.6.2.npz")
    for name in recorded.files:
        if name.startswith("net."):
            (tmp_path / name).write_bytes(recorded[name].tobytes())
    return str(tmp_path / "net"), recorded


def test_a_model_of_the_wheel(wheel: tuple[str, Any]) -> None:
    path, recorded = wheel
    net = paddle.jit.load(path)
    output, total = net(paddle.to_tensor(recorded["input"]))
    assert np.allclose(output.numpy(), recorded["output"], atol=1e-6) and np.allclose(total.numpy(), recorded["sum"], atol=1e-5)
    assert output.stop_gradient
    assert np.allclose(net.other(recorded["input"][:, :3]).numpy(), recorded["other"], atol=1e-6)
    assert list(net.state_dict()) == recorded["state"].tolist()


def test_a_model_of_the_wheel_can_be_trained_on(wheel: tuple[str, Any]) -> None:
    net = paddle.jit.load(wheel[0])
    net.train()
    mean = next(p for p in net.parameters() if p.name.startswith("batch_norm1d_0.w") and p.stop_gradient)
    before = mean.numpy()
    paddle.seed(1)  # with which dropout leaves something
    loss = net(paddle.to_tensor(wheel[1]["input"]))[1]
    torch.autograd.backward(loss._t)
    assert any(p._t.grad is not None and float(p._t.grad.abs().sum()) > 0 for p in net.parameters())
    assert not np.array_equal(before, mean.numpy())


def test_a_loaded_layer_takes_tensors_and_arrays(wheel: tuple[str, Any]) -> None:
    net = paddle.jit.load(wheel[0])
    with pytest.raises(TypeError, match="Tensors or numpy arrays"):
        net([paddle.ones([2, 4])])


def test_round_trip(tmp_path: Path) -> None:
    net = paddle.jit.to_static(Net(), input_spec=[InputSpec([None, 4])])
    net.eval()
    prefix = str(tmp_path / "deep" / "net")
    paddle.jit.save(net, prefix)
    assert sorted(p.name for p in (tmp_path / "deep").iterdir()) == [
        "net.other.pdiparams", "net.other.pdmodel", "net.pdiparams", "net.pdiparams.info", "net.pdmodel",
    ]  # fmt: skip
    loaded = paddle.jit.load(prefix)
    for rows in (2, 5):
        x = paddle.rand([rows, 4])
        (told, total), (output, sum_) = net(x), loaded(x)
        assert np.array_equal(told["y"].numpy(), output.numpy()) and np.array_equal(total.numpy(), sum_.numpy())
    z = paddle.rand([2, 3])
    assert np.array_equal(net.other(z).numpy(), loaded.other(z).numpy())
    info = pickle.loads((tmp_path / "deep" / "net.pdiparams.info").read_bytes())
    assert info[net.fc.weight.name] == {"structured_name": "fc.weight", "stop_gradient": False, "trainable": True}
    assert info[net.shift.name] == {"structured_name": "shift", "stop_gradient": True}
    assert loaded._input_spec()[0] == InputSpec([None, 4], "float32", "x")
    with pytest.raises(ValueError, match="method_name"):
        loaded.program("nothing")


def test_saved_models_run_as_inference_programs(tmp_path: Path) -> None:
    net = paddle.nn.Linear(4, 2)
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix, input_spec=[InputSpec([None, 4], name="image")])
    x = np.ones([3, 4], "float32")
    expected = net(paddle.to_tensor(x)).numpy()
    paddle.enable_static()
    exe = paddle.static.Executor()
    program, feeds, fetches = paddle.static.load_inference_model(prefix, exe)
    assert feeds == ["image"] and np.allclose(exe.run(program, {"image": x}, fetches)[0], expected)


def test_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="folder/prefix"):
        paddle.jit.save(paddle.nn.ReLU(), str(tmp_path) + "/")
    with pytest.raises(TypeError, match="Layer or a function"):
        paddle.jit.save(3, str(tmp_path / "a"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="foo"):
        paddle.jit.save(paddle.nn.ReLU(), str(tmp_path / "a"), foo=1)
    with pytest.raises(ValueError, match="input_spec"):
        paddle.jit.save(paddle.nn.Linear(2, 2), str(tmp_path / "a"))
    with pytest.raises(ValueError, match="further methods"):
        paddle.jit.save(Net(), str(tmp_path / "a"), input_spec=[InputSpec([None, 4])])
    with pytest.raises(ValueError, match="nope"):
        paddle.jit.load(str(tmp_path / "nope"))
    with pytest.raises(TypeError, match="`path` of `paddle.jit.load`. Expected a str"):
        paddle.jit.load(tmp_path / "nope")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`path` of `paddle.jit.save`. Expected a str"):
        paddle.jit.save(paddle.nn.ReLU(), tmp_path / "a", [InputSpec([None, 4])])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`output_spec`.* Expected a list"):
        paddle.jit.save(paddle.nn.ReLU(), str(tmp_path / "a"), [InputSpec([None, 4])], output_spec=(paddle.ones([1]),))
    paddle.jit.save(paddle.nn.Linear(4, 2), str(tmp_path / "a"), [InputSpec([None, 4])])
    (tmp_path / "a.pdiparams").unlink()
    with pytest.raises(ValueError, match=r"Expected a model with its parameters, .*a\.pdiparams"):
        paddle.jit.load(str(tmp_path / "a"))


def test_running_statistics_of_a_loaded_model(tmp_path: Path) -> None:
    """As in 2.6.2 they stop gradients where no file says so, and a layer trains where they were asked not to."""
    net = paddle.nn.Sequential(paddle.nn.Linear(4, 3), paddle.nn.BatchNorm1D(3))
    net.eval()
    paddle.jit.save(net, str(tmp_path / "net"), [InputSpec([None, 4])])
    (tmp_path / "net.pdiparams.info").unlink()
    loaded = paddle.jit.load(str(tmp_path / "net"))
    assert [p.stop_gradient for p in loaded.parameters()] == [False, False, True, True, False, False]
    for parameter in loaded.parameters():
        parameter.stop_gradient = False
    for training in (True, False):
        getattr(loaded, "train" if training else "eval")()
        loaded(paddle.rand([3, 4])).sum()
    loaded.train()
    loaded(paddle.rand([3, 4])).sum().backward()
    assert [p.grad is None for p in loaded.parameters()] == [False, False, True, True, False, False]


@pytest.mark.parametrize("training", [True, False])
def test_running_statistics_have_no_gradient(training: bool) -> None:
    """2.6.2's figures: the statistics after a step, and the sum of the gradient's sizes."""
    norm = paddle.nn.BatchNorm2D(3, use_global_stats=True)
    norm.train() if training else norm.eval()
    norm._mean.stop_gradient = norm._variance.stop_gradient = False
    x = paddle.to_tensor(np.random.RandomState(0).rand(2, 3, 2, 2).astype("float32"), stop_gradient=False)
    y = paddle.jit.to_static(norm, full_graph=True)(x)
    (y * y).sum().backward()
    assert norm._mean.grad is None and norm._variance.grad is None and not norm._mean.stop_gradient
    assert norm._mean.tolist() == [0, 0, 0] and np.abs(x.grad.numpy()).sum() == pytest.approx(29.301, abs=1e-3)


def test_nothing_is_saved_while_recording_is_off(tmp_path: Path) -> None:
    paddle.jit.enable_to_static(False)
    try:
        with pytest.raises(RuntimeError, match="enable_to_static"):
            paddle.jit.save(Net(), str(tmp_path / "net"), input_spec=[InputSpec([None, 4])])
    finally:
        paddle.jit.enable_to_static(True)


def test_what_is_no_model_of_paddle_3_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "new.json").write_text('{"base_code": {"magic": "pir"}}')
    (tmp_path / "new.pdiparams").write_bytes(b"")
    prefix, files = str(tmp_path / "new"), {"model_filename": "new.json", "params_filename": "new.pdiparams"}
    config = paddle.inference.Config(prefix + ".json", prefix + ".pdiparams")
    for load in (
        lambda: paddle.jit.load(prefix),
        lambda: paddle.jit.load(prefix + ".json"),
        lambda: paddle.jit.load(str(tmp_path), **files),
        lambda: paddle.load(prefix),
        lambda: paddle.inference.create_predictor(config),
        lambda: paddle.static.deserialize_program((tmp_path / "new.json").read_bytes()),
    ):
        with pytest.raises(ValueError, match=r"a model of Paddle 3\.x"):
            load()


def test_a_model_without_forward(tmp_path: Path) -> None:
    net = Net()
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=None, skip_forward=True)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    assert loaded.other(np.ones((2, 3), "float32")).shape == [2, 3]
    with pytest.raises(ValueError, match="other"):
        loaded(np.ones((2, 4), "float32"))


def test_a_name_that_no_input_has_is_warned_of(tmp_path: Path) -> None:
    net = paddle.jit.to_static(paddle.nn.Linear(4, 2), input_spec=[InputSpec([None, 4], name="image")])
    with pytest.warns(UserWarning, match=r"`other` does not exist.*\['image'\]"):
        paddle.jit.save(net, str(tmp_path / "net"), input_spec=[InputSpec([None, 4], name="other")])


def test_the_newest_call_says_what_inputs_are_and_output_spec_what_is_kept(tmp_path: Path) -> None:
    double = paddle.jit.to_static(lambda x: (x * 2, x * 3))
    double(paddle.ones([2]))
    with pytest.warns(UserWarning, match="function"):
        paddle.jit.save(double, str(tmp_path / "f"), output_spec=[double.outputs[1]])
    assert paddle.jit.load(str(tmp_path / "f"))(paddle.ones([2])).tolist() == [3.0, 3.0]


class Branching(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = paddle.nn.Linear(4, 4)

    def forward(self, x: Any, y: Any = None) -> Any:
        h = self.fc(x)
        h = h + 1 if h.mean() > 0 else h - 1
        return h if y is None else h + y


def test_branches_of_a_sublayer_without_hooks(tmp_path: Path) -> None:
    net = paddle.nn.Sequential(Branching(), Branching())
    paddle.jit.save(net, str(tmp_path / "net"), [InputSpec([None, 4])])
    static = paddle.jit.to_static(net, full_graph=True)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    for x in (paddle.rand([2, 4]), -paddle.rand([2, 4])):
        expected = net[1].fc(net[0](x))
        expected = expected + 1 if expected.mean() > 0 else expected - 1
        assert np.allclose(loaded(x).numpy(), expected.numpy(), atol=1e-6) and np.allclose(static(x).numpy(), expected.numpy(), atol=1e-6)


def test_what_to_static_was_told_counts_and_save_may_leave_inputs_out(tmp_path: Path) -> None:
    def saved(name: str, spec: Any, own: Any, **configs: Any) -> list[str]:
        net = paddle.jit.to_static(Branching(), input_spec=own, full_graph=True)
        outputs = {"output_spec": [net.forward.outputs[0]]} if configs else {}
        paddle.jit.save(net, str(tmp_path / name), spec, **outputs)
        return [f"{s.name}{list(s.shape)}" for s in paddle.jit.load(str(tmp_path / name))._input_spec()]

    both = [InputSpec([None, 4], name="x"), InputSpec([None, 4], name="y")]
    whole = ["x[-1, 4]", "y[-1, 4]"]
    assert saved("fixed", [InputSpec([3, 4], name="x"), InputSpec([3, 4], name="y")], both) == whole
    assert saved("unnamed", [InputSpec([None, 4])] * 2, both) == whole
    assert saved("tensors", [paddle.ones([2, 4])] * 2, both) == whole
    for wrong in (InputSpec([None, 5], name="x"), InputSpec([None, 4], "int64", name="x"), InputSpec([4], name="x")):
        with pytest.raises(ValueError, match="to_static"):
            saved("wrong", [wrong, both[1]], both)
    for named in ("z", None):
        with pytest.raises(ValueError, match="names"):
            saved("named", [InputSpec([None, 4], name=named)], both)


class Pruned(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = paddle.nn.Linear(4, 3)

    @paddle.jit.to_static(input_spec=[InputSpec([None, 4], name="image"), InputSpec([None, 1], "int64", name="label")], full_graph=True)
    def forward(self, image: Any, label: Any) -> Any:
        out = self.fc(image)
        return out, paddle.nn.functional.cross_entropy(out, label)

    @paddle.jit.to_static(property=True)
    def version(self) -> int:
        return 3


@pytest.mark.parametrize("by", ["specification", "variable"])
def test_the_label_is_left_out(by: str, tmp_path: Path) -> None:
    net = Pruned()
    assert net.version() == 3
    with pytest.raises(ValueError, match="version"):
        paddle.jit.save(net, str(tmp_path / "net"), [net.forward.inputs[0]])
    type(net).version, former = None, vars(type(net))["version"]  # type: ignore[assignment]
    try:
        kept = net.forward.inputs[0] if by == "variable" else InputSpec([None, 4], name="image")
        paddle.jit.save(net, str(tmp_path / "net"), [kept], output_spec=[net.forward.outputs[0]])
    finally:
        type(net).version = former
    x = paddle.rand([2, 4])
    assert np.allclose(paddle.jit.load(str(tmp_path / "net"))(x).numpy(), net.fc(x).numpy(), atol=1e-6)


def test_hooks_are_saved(tmp_path: Path) -> None:
    net = paddle.nn.Linear(4, 3)
    net.register_forward_pre_hook(lambda layer, inputs: (inputs[0] + 1,))
    net.register_forward_post_hook(lambda layer, inputs, outputs: outputs * 10)
    x = paddle.rand([2, 4])
    for with_hook in (True, False):
        paddle.jit.save(net, str(tmp_path / "net"), [InputSpec([None, 4])], with_hook=with_hook)
        assert np.allclose(paddle.jit.load(str(tmp_path / "net"))(x).numpy(), net(x).numpy(), atol=1e-5)


def test_parameters_of_a_static_model(tmp_path: Path) -> None:
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        x = paddle.static.data("x", [None, 4])
        out = paddle.static.nn.batch_norm(paddle.static.nn.fc(x, 3), is_test=True)
        exe = paddle.static.Executor()
        exe.run(paddle.static.default_startup_program())
        paddle.static.save_inference_model(str(tmp_path / "net"), [x], [out], exe)
    paddle.disable_static()
    assert sorted(paddle.jit.load(str(tmp_path / "net")).state_dict()) == [f"param_{i}" for i in range(6)]


def test_a_gradient_inside_is_saved(tmp_path: Path) -> None:
    fc = paddle.nn.Linear(3, 3)

    class Slope(paddle.nn.Layer):
        def forward(self, x: Any) -> Any:
            x.stop_gradient = False
            return paddle.grad([fc(x)], [x], create_graph=True)[0]

    slope = paddle.jit.to_static(Slope(), full_graph=True)
    x = paddle.ones([2, 3])
    expected = np.broadcast_to(fc.weight.numpy().sum(1), [2, 3])
    np.testing.assert_allclose(slope(x).numpy(), expected, rtol=1e-5)
    with paddle.no_grad():
        without = slope(x)
    assert without.stop_gradient
    np.testing.assert_allclose(without.numpy(), expected, rtol=1e-5)
    paddle.jit.save(slope, str(tmp_path / "slope"), [InputSpec([None, 3])])
    np.testing.assert_allclose(paddle.jit.load(str(tmp_path / "slope"))(x).numpy(), expected, rtol=1e-5)


class Looped(paddle.nn.Layer):
    """A branch, a loop and statistics."""

    def __init__(self) -> None:
        super().__init__()
        self.linear, self.norm = paddle.nn.Linear(2, 2), paddle.nn.BatchNorm1D(2)

    def forward(self, x: Any) -> Any:
        y = self.norm(self.linear(x))
        if y.sum() > 0:
            y = y * 2
        i = paddle.zeros([1], "int64")
        while i < 3:
            y, i = y + x, i + 1
        return y, y.sum()


class Around(paddle.nn.Layer):
    """A layer that holds a loaded one."""

    def __init__(self, loaded: Any) -> None:
        super().__init__()
        self.loaded, self.linear = loaded, paddle.nn.Linear(2, 2)

    def forward(self, x: Any) -> Any:
        return self.linear(self.loaded(x)[0])


@pytest.mark.filterwarnings("error")
def test_a_loaded_layer_is_saved_again_alone_and_inside_of_another(tmp_path: Path) -> None:
    spec = [InputSpec([None, 2], name="x")]
    x = paddle.to_tensor(np.linspace(-1, 1, 8).astype("float32").reshape(4, 2))
    net = Looped()
    net(x)
    net.eval()
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=spec)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    paddle.jit.save(loaded, str(tmp_path / "again"), input_spec=spec)
    for found, expected in zip(paddle.jit.load(str(tmp_path / "again"))(x), net(x)):
        assert found.tolist() == expected.tolist()
    around = Around(loaded)
    around.eval()
    expected = around(x).tolist()
    paddle.jit.save(around, str(tmp_path / "around"), input_spec=spec)
    assert paddle.jit.load(str(tmp_path / "around"))(x).tolist() == expected
    assert paddle.jit.to_static(around)(x).tolist() == expected


def test_a_loaded_layer_inside_of_a_recorded_one_is_trained(tmp_path: Path) -> None:
    paddle.seed(1)
    x = paddle.to_tensor(np.linspace(-1, 1, 8).astype("float32").reshape(4, 2))
    paddle.jit.save(Looped(), str(tmp_path / "net"), input_spec=[InputSpec([None, 2], name="x")])
    outer, losses = Around(None).linear.state_dict(), []
    for whole in (None, False, True):
        net = Around(paddle.jit.load(str(tmp_path / "net")))
        net.linear.set_state_dict(outer)
        net.train()
        run = net if whole is None else paddle.jit.to_static(net, full_graph=whole)
        optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        found = []
        for _ in range(3):
            loss = (run(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            found.append(float(loss))
        losses.append([*found, *[b.tolist() for b in net.buffers()], *[p.tolist() for p in net.parameters()]])
    assert losses[0] == losses[1] == losses[2] and losses[0][0] > losses[0][2]


def test_inputs_that_a_layer_takes_as_a_list_are_specified(tmp_path: Path) -> None:
    class Sum(paddle.nn.Layer):
        def forward(self, first: Any, *rest: Any, scale: int = 2) -> Any:
            return sum(rest, first) * scale

    paddle.jit.save(Sum(), str(tmp_path / "sum"), input_spec=[InputSpec([2])] * 3)
    assert paddle.jit.load(str(tmp_path / "sum"))(*[paddle.ones([2])] * 3).tolist() == [6.0, 6.0]


def test_what_names_inputs(tmp_path: Path) -> None:
    def feeds(net: Any, spec: Any) -> list[str]:
        paddle.jit.save(net, str(tmp_path / "net"), input_spec=spec)
        return paddle.jit.load(str(tmp_path / "net"))._programs["forward"].feeds

    x, named = paddle.ones([1, 2]), paddle.ones([1, 2])
    named.name = "image"
    linear = paddle.nn.Linear(2, 2)
    unnamed = [InputSpec([None, 2])]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert feeds(linear, unnamed) == ["input"] and feeds(linear, [named]) == ["image"] and feeds(linear, [x]) == [x.name]
    static = paddle.jit.to_static(linear, input_spec=[InputSpec([None, 2], name="told")], full_graph=True)
    with pytest.warns(UserWarning, match="has no name"):
        assert feeds(static, unnamed) == ["told"]


def test_an_input_that_was_left_out_and_is_read(tmp_path: Path) -> None:
    class Sum(paddle.nn.Layer):
        def forward(self, x: Any, y: Any) -> Any:
            return x + y

    specs = [InputSpec([None, 2], name="a"), InputSpec([None, 2], name="b")]
    paddle.jit.save(paddle.jit.to_static(Sum(), input_spec=specs, full_graph=True), str(tmp_path / "sum"), input_spec=specs[:1])
    with pytest.raises(ValueError, match="reads Variable `b`. Expected it among the inputs"):
        paddle.jit.load(str(tmp_path / "sum"))(paddle.ones([1, 2]))


class Hidden(paddle.nn.Layer):
    """Gives what comes between as well."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = paddle.nn.Linear(8, 8), paddle.nn.Linear(8, 8)

    @paddle.jit.to_static(full_graph=True)
    def forward(self, x: Any) -> Any:
        y = self.first(x)
        return y, paddle.mean(self.second(y))


class Scored(paddle.nn.Layer):
    """A prediction, how far it is from what was expected, and the weighted one."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = paddle.nn.Linear(3, 2)

    def forward(self, x: Any, label: Any = None, weight: Any = None) -> Any:
        y = self.linear(x)
        return y, paddle.mean((y - label) ** 2), y * weight


@pytest.mark.parametrize(
    ("kept", "listed", "feeds"),  # recorded of 3.3.1; 2.6.2 takes Variables for positions, and keeps listed inputs alone
    [
        (0, ["x"], ["x"]), (0, [], ["x"]), (0, ["none"], ["x"]), (1, ["x"], ["x", "label"]), (1, ["label", "x"], ["x", "label"]),
        (-2, ["x"], ["x", "label"]), (2, ["x"], ["x", "weight"]), (0, ["x", "label"], None), (0, None, None), (3, ["x"], None),
    ],
)  # fmt: skip
def test_outputs_are_kept_by_position_and_inputs_by_name(
    kept: int, listed: list[str] | None, feeds: list[str] | None, tmp_path: Path
) -> None:
    net = paddle.jit.to_static(Scored(), full_graph=True)
    specs = [InputSpec([None, 3], name="x"), InputSpec([None, 2], name="label"), InputSpec([None, 2], name="weight")]
    configs: dict[str, Any] = {} if listed is None else {"input_names_after_prune": listed}
    if feeds is None:
        with pytest.raises(ValueError, match="Expected (a variable that|positions below)"):
            paddle.jit.save(net, str(tmp_path / "net"), specs, output_spec=[kept], **configs)
        return
    paddle.jit.save(net, str(tmp_path / "net"), specs, output_spec=[kept], **configs)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    assert [spec.name for spec in loaded._input_spec()] == feeds
    values = {"x": paddle.ones([4, 3]), "label": paddle.zeros([4, 2]), "weight": paddle.full([4, 2], 2.0)}
    wanted = net(*values.values())[kept]
    np.testing.assert_allclose(loaded(*(values[name] for name in feeds)).numpy(), wanted.numpy(), rtol=1e-6)


def test_as_many_tensors_as_there_are_outputs_stand_for_all(tmp_path: Path) -> None:  # as in 2.6.2 and 3.3.1
    net, other = Hidden(), paddle.ones([1])
    y, mean = net(paddle.ones([1, 8]))
    for kept, unknown in (([other, other], 2), ([mean, y], 0), ([mean, other], 1)):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            paddle.jit.save(net, str(tmp_path / "net"), output_spec=kept)
        assert sum("names no output" in str(one.message) for one in said) == unknown
        assert [tuple(spec.shape) for spec in paddle.jit.load(str(tmp_path / "net"))._output_spec()] == [tuple(y.shape), ()]
    for kept in ([other], [other] * 3):
        with pytest.raises(ValueError, match="output_spec"):
            paddle.jit.save(net, str(tmp_path / "net"), output_spec=kept)


def test_output_spec_takes_the_tensors_that_a_call_gave(tmp_path: Path) -> None:
    net = Hidden()
    x = paddle.randn([4, 8])
    y, mean = net(x)
    assert [y.name, mean.name] == [v.name for v in net.forward.outputs]
    for kept, expected in ((y, y), (mean, mean)):
        paddle.jit.save(net, str(tmp_path / "net"), output_spec=[kept])
        assert np.allclose(paddle.jit.load(str(tmp_path / "net"))(x).numpy(), expected.numpy())


class Twofold(paddle.nn.Layer):
    """A layer of two methods, and a property."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = paddle.nn.Linear(4, 4)

    @paddle.jit.to_static(input_spec=[InputSpec([None, 4])], full_graph=True)
    def forward(self, x: Any) -> Any:
        return paddle.mean(self.fc(x))

    @paddle.jit.to_static(input_spec=[InputSpec([None, 4])], full_graph=True)
    def infer(self, x: Any) -> Any:
        y = self.fc(x)
        return paddle.mean(y), y

    @paddle.jit.to_static(property=True)
    def version(self) -> str:
        return "1.0"


def test_a_model_as_a_layer_of_lists(tmp_path: Path) -> None:
    net = Twofold()
    path = str(tmp_path / "net")
    paddle.jit.save(net, path, combine_params=True)
    loaded = paddle.jit.layer.Layer()
    loaded.load(path, paddle.CPUPlace())
    x = paddle.randn([2, 4])
    assert sorted(loaded.functions) == ["forward", "infer"] and net.version() == "1.0"
    assert [out.tolist() for out in loaded.forward(x)] == [net(x).tolist()]
    assert [out.tolist() for out in loaded.infer(x)] == [out.tolist() for out in net.infer(x)]
    with pytest.raises(TypeError, match="Layer.load"):
        loaded.load(path, "cpu")


class _OfDict(paddle.nn.Layer):
    def forward(self, inputs: Any) -> Any:
        return inputs["image"] * inputs["im_shape"]


def test_dicts_of_specifications_are_taken_by_their_keys(tmp_path: Path) -> None:
    specs = [{name: InputSpec([None, 2], "float32", name) for name in ("image", "im_shape")}]
    layer = paddle.jit.to_static(_OfDict(), input_spec=specs)
    assert [variable.name for variable in layer.forward.inputs] == ["im_shape", "image"]  # as Paddle 2.6
    paddle.jit.save(layer, str(tmp_path / "model"), input_spec=specs)
    product = paddle.jit.load(str(tmp_path / "model"))(paddle.full([1, 2], 2.0), paddle.full([1, 2], 3.0))
    assert product.tolist() == [[6.0, 6.0]]


def test_fewer_specifications_may_leave_out_the_first(tmp_path: Path) -> None:
    layer = paddle.jit.to_static(lambda x, y: y + 1, input_spec=[InputSpec([None, 1], name="x"), InputSpec([None, 2], name="y")])
    paddle.jit.save(layer, str(tmp_path / "model"), input_spec=[InputSpec([None, 2], name="y")])
    with pytest.raises(ValueError, match="input_spec"):
        paddle.jit.save(layer, str(tmp_path / "other"), input_spec=[InputSpec([None, 3], name="y")])
