"""`paddle.Model`: files, static mode, wrong use, and callbacks that need other packages."""

import sys
import types

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.hapi.callbacks import CallbackList
from paddle_compat.hapi.logger import setup_logger
from paddle_compat.hapi.progressbar import ProgressBar

X = np.random.RandomState(0).rand(20, 4).astype("float32")
Y = np.random.RandomState(1).randint(0, 3, (20, 1)).astype("int64")
SPECS = paddle.static.InputSpec([None, 4], "float32", "x"), paddle.static.InputSpec([None, 1], "int64", "y")


class Points(paddle.io.Dataset):
    def __getitem__(self, i):
        return X[i], Y[i]

    def __len__(self):
        return len(X)


class Stream(paddle.io.IterableDataset):
    def __iter__(self):
        yield from zip(X[:6], Y[:6])


def network(width=8):
    paddle.seed(3)
    return paddle.nn.Sequential(paddle.nn.Linear(4, width), paddle.nn.ReLU(), paddle.nn.Linear(width, 3))


def prepared(width=8, optimizer="Adam", **configs):
    model = paddle.Model(network(width), *SPECS)
    made = getattr(paddle.optimizer, optimizer)(0.1, parameters=model.parameters())
    model.prepare(made, paddle.nn.CrossEntropyLoss(), paddle.metric.Accuracy(), **configs)
    return model


@pytest.fixture
def static_mode():
    paddle.enable_static()
    scope, main, startup = paddle.static.Scope(), paddle.static.Program(), paddle.static.Program()
    with paddle.static.scope_guard(scope), paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        yield
    paddle.disable_static()


# ---- files
def test_training_goes_on_from_a_checkpoint(tmp_path):
    path = str(tmp_path / "new" / "net")
    with paddle.utils.unique_name.guard():
        model = prepared()
        model.train_batch([X], [Y])
    model.save(path)
    expected = [model.train_batch([X], [Y])[0][0] for _ in range(3)]
    with paddle.utils.unique_name.guard():  # as in a new process: the optimizer's state goes by names
        other = prepared()
        other.load(path + ".pdparams")
        assert np.allclose([other.train_batch([X], [Y])[0][0] for _ in range(3)], expected, rtol=1e-6)
    other.load(path, reset_optimizer=True)
    first = other.train_batch([X], [Y])[0][0]
    assert np.isclose(first, expected[0], rtol=1e-6)
    assert not np.isclose(other.train_batch([X], [Y])[0][0], expected[1], rtol=1e-6)


def test_files_of_another_network(tmp_path):
    path = str(tmp_path / "net")
    prepared().save(path)
    with pytest.raises(ValueError, match=r"0.weight receives a shape \[4, 8\], but the expected shape is \[4, 9\]"):
        prepared(9).load(path)
    other = prepared(9)
    with pytest.warns(UserWarning, match=r"Skip loading for 0.weight. 0.weight receives a shape \[4, 8\]"):
        other.load(path, skip_mismatch=True)
    paddle.save({"0.weight": paddle.ones([4, 8])}, path + ".pdparams")
    with pytest.raises(ValueError, match="0.bias is not found in the providing file"):
        prepared().load(path)
    with pytest.warns(UserWarning, match="Skip loading for 0.bias. 0.bias is not found"):
        model = prepared()
        model.load(path, skip_mismatch=True)
    assert model.parameters()[0].numpy().min() == 1.0
    with pytest.raises(AssertionError, match="Failed to load parameters, please check path"):
        model.load(str(tmp_path / "nothing"))


# ---- static mode
def test_static_mode_gives_the_numbers_of_dynamic_mode(tmp_path, static_mode):
    def results(model):
        found = [model.train_batch([X], [Y]) for _ in range(3)] + [model.eval_batch([X], [Y])]
        model.fit(Points(), batch_size=6, epochs=2, shuffle=False, verbose=0)
        found.append(model.evaluate(Points(), batch_size=7, verbose=0))
        return found, model.predict(Points(), batch_size=6, stack_outputs=True, verbose=0)[0]

    model = prepared()
    weights = [np.array(parameter.get_value()) for parameter in model.parameters()]
    ours, outputs = results(model)
    model.save(str(tmp_path / "net"))
    model.save(str(tmp_path / "inference"), training=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["inference.pdiparams", "inference.pdmodel", "net.pdopt", "net.pdparams"]
    summary = model.summary()
    paddle.disable_static()
    dynamic = prepared()
    for parameter, weight in zip(dynamic.parameters(), weights):
        parameter.set_value(weight)
    found, expected = results(dynamic)
    assert np.allclose(outputs, expected, rtol=1e-4, atol=1e-5)
    for one, other in zip(ours[:4], found[:4]):
        assert np.allclose(one[0], other[0], rtol=1e-4)
        assert one[1] == pytest.approx(other[1])
    assert ours[4]["loss"] == pytest.approx(found[4]["loss"], rel=1e-4)
    assert summary == dynamic.summary() == {"total_params": 67, "trainable_params": 67}
    fresh = prepared()
    fresh.load(str(tmp_path / "net"))
    assert np.allclose(fresh.predict_batch([X])[0], outputs, rtol=1e-5)


def test_static_mode_reads_what_dynamic_mode_wrote(tmp_path, static_mode):
    paddle.disable_static()
    dynamic = prepared()
    dynamic.save(str(tmp_path / "net"))
    expected = dynamic.predict_batch([X])[0]
    paddle.enable_static()
    model = prepared()
    model.load(str(tmp_path / "net"))
    assert np.allclose(model.predict_batch([X])[0], expected, rtol=1e-5)
    with pytest.raises(AssertionError, match="Does not support `update == False` in static graph mode"):
        model.train_batch([X], [Y], update=False)


def test_static_mode_needs_inputs(static_mode):
    with pytest.raises(TypeError, match="argument `inputs` of `paddle.Model`"):
        paddle.Model(paddle.nn.Linear(4, 3))


# ---- data
def test_datasets_without_a_length(capsys):
    model = prepared()
    model.fit(Stream(), batch_size=2, verbose=2, log_freq=1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" - ")[0] for line in lines[2:]] == ["step   1", "step   2", "step   3"]
    assert model.predict(Stream(), batch_size=4, stack_outputs=True, verbose=0)[0].shape == (6, 3)
    assert set(model.evaluate(Stream(), batch_size=4, verbose=0)) == {"loss", "acc"}


def test_inputs_in_dicts_and_arguments_that_are_optional():
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = paddle.nn.Linear(4, 3)

        def forward(this, x, scale=None):  # noqa: N805
            return this.fc(x) if scale is None else this.fc(x) * scale

    model = paddle.Model(Net())
    model.prepare(paddle.optimizer.SGD(0.1, parameters=model.parameters()), paddle.nn.CrossEntropyLoss())
    model.fit([[X, Y]], verbose=0)
    assert [spec.name for spec in model._inputs] == ["x"]
    model = paddle.Model(Net(), {"scale": SPECS[0], "x": SPECS[0]})
    assert [spec is SPECS[0] for spec in model._inputs] == [True, True]


# ---- wrong use
def test_models_that_are_not_prepared():
    model = paddle.Model(network())
    for run in (lambda: model.fit(Points()), lambda: model.evaluate(Points()), lambda: model.train_batch([X], [Y])):
        with pytest.raises(AssertionError, match="model not ready, please call `model.prepare\\(\\)` first"):
            run()
    assert model.predict(Points(), batch_size=20, verbose=0)[0][0].shape == (20, 3)
    with pytest.raises(AssertionError, match="train_data must be given"):
        prepared().fit()
    with pytest.raises(AttributeError, match="forward"):
        paddle.Model(None)


@pytest.mark.parametrize(
    ("configs", "error", "match"),
    [
        ({"loss": 3}, TypeError, "argument `loss`"),
        ({"metrics": 3}, AssertionError, "int is not sub class of Metric"),
        ({"amp_configs": "O3"}, ValueError, "should be 'O0', 'O1' or 'O2'"),
        ({"amp_configs": {"foo": 1}}, ValueError, r"\('foo',\) could not be recognized"),
        ({"amp_configs": 3}, TypeError, "argument `amp_configs`"),
    ],
)
def test_what_prepare_refuses(configs, error, match):
    with pytest.raises(error, match=match):
        paddle.Model(network()).prepare(**configs)


def test_inputs_have_names():
    with pytest.raises(ValueError, match="InputSpecs with names"):
        paddle.Model(network(), [paddle.static.InputSpec([None, 4])])


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_mixed_precision():
    plain, mixed = prepared(), prepared(amp_configs={"level": "O1", "init_loss_scaling": 128.0})
    for _ in range(3):
        assert np.allclose(mixed.train_batch([X], [Y])[0], plain.train_batch([X], [Y])[0], rtol=1e-5)
    assert np.allclose(mixed.predict_batch([X])[0], plain.predict_batch([X])[0], atol=1e-5)


# ---- callbacks
def test_wrong_callbacks():
    with pytest.raises(ValueError, match="mutually exclusive"):
        paddle.callbacks.LRScheduler(by_step=True, by_epoch=True)
    with pytest.raises(ValueError, match="factor >= 1.0"):
        paddle.callbacks.ReduceLROnPlateau(factor=1.5)
    with pytest.warns(UserWarning, match="EarlyStopping mode best is unknown, fallback to auto mode"):
        paddle.callbacks.EarlyStopping(mode="best")
    with pytest.warns(UserWarning, match="Monitor of EarlyStopping should be loss or metric name"):
        prepared().fit(Points(), Points(), batch_size=20, verbose=0, callbacks=[paddle.callbacks.EarlyStopping("nothing")])
    with pytest.warns(UserWarning, match="EarlyStopping needs validation data"):
        prepared().fit(Points(), batch_size=20, verbose=0, callbacks=paddle.callbacks.EarlyStopping())
    with pytest.raises(AssertionError, match="Expected train, eval or predict"):
        CallbackList().on_begin("test")


def test_callbacks_that_need_packages(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "visualdl", None)
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(ImportError, match="pip install wandb"):
        paddle.callbacks.WandbCallback(project="mine")
    with pytest.raises(ImportError, match="pip install visualdl"):
        prepared().fit(Points(), batch_size=20, verbose=0, callbacks=[paddle.callbacks.VisualDL(str(tmp_path))])


def test_what_visualdl_and_wandb_are_told(monkeypatch):
    told = []

    class Writer:
        def __init__(self, folder):
            told.append(folder)

        def add_scalar(self, tag, step, value):
            told.append((tag, step, round(value, 3)))

        def close(self):
            told.append("closed")

    class Run:
        log = told.append

        def define_metric(self, name, step_metric=None):
            told.append((name, step_metric))

        def finish(self):
            told.append("finished")

    monkeypatch.setitem(sys.modules, "visualdl", types.SimpleNamespace(LogWriter=Writer))
    monkeypatch.setitem(sys.modules, "wandb", types.SimpleNamespace(run=None, init=lambda **given: told.append(given["project"]) or Run()))
    prepared().fit(Points(), Points(), batch_size=10, verbose=0, callbacks=[paddle.callbacks.VisualDL("log")])
    assert told[0] == "log"
    assert [entry[:2] for entry in told[1:-1]] == [
        ("train/loss", 1), ("train/acc", 1), ("train/loss", 2), ("train/acc", 2), ("eval/loss", 0), ("eval/acc", 0),
    ]  # fmt: skip
    assert told[-1] == "closed"
    told.clear()
    callback = paddle.callbacks.WandbCallback(project="mine")
    assert told == ["mine"]  # the run begins with the callback
    prepared().fit(Points(), batch_size=10, verbose=0, callbacks=[callback])
    assert told[0] == "mine"
    assert told[1:5] == [("train/step", None), ("train/*", "train/step"), ("epoch", None), ("eval/*", "epoch")]
    assert [sorted(entry) for entry in told[5:-1]] == [["train/acc", "train/loss", "train/step"]] * 2
    assert told[-1] == "finished"
    monkeypatch.setattr(sys.modules["wandb"], "run", Run())
    with pytest.warns(UserWarning, match="a wandb run already in progress"):
        assert paddle.callbacks.WandbCallback().run is sys.modules["wandb"].run


# ---- printing
def shown(values, **configs):
    import io

    stream = io.StringIO()
    ProgressBar(verbose=2, file=stream, **configs).update(1, values)
    return stream.getvalue().rsplit(" - ", 1)[0]


def test_values_as_the_wheel_prints_them():
    values = [("loss", [1.0, 2.0]), ("acc", np.float32(0.5)), ("n", 3), ("text", "some"), ("array", np.array([1.0, 2.0]))]
    assert shown(values, num=1) == "step 1/1 - loss: 1.0000 2.0000 - acc: 0.5000 - n: 3 - text: some - array: [1. 2.]"
    values = [("small", 1e-5), ("large", 123456.789), ("zero", 0.0), ("one", np.array([3.0])), ("bool", True), ("less", -1e-9)]
    expected = "step   1 - small: 1.0000e-05 - large: 123456.7890 - zero: 0.0000e+00 - one: 3.0000 - bool: True - less: -1.0000e-09"
    assert shown(values) == expected
    assert shown([("scalar", np.array(1.5, "float32"))], num=100) == "step   1/100 - scalar: 1.5000"
    with pytest.raises(TypeError, match="Expected None or an integer > 0. Received: 0"):
        ProgressBar(0)


@pytest.mark.parametrize(
    ("seconds", "eta"), [(0.0, "0s"), (59.9, "59s"), (61, "1:01"), (2699.5, "44:59"), (3601, "1:00:01"), (270068.0, "75:01:08")]
)
def test_times_that_are_left(seconds, eta):
    assert ProgressBar(num=5)._eta(seconds) == eta


# ---- summary and flops
@pytest.mark.parametrize(
    ("size", "error", "match"),
    [
        (None, ValueError, "input_size and input cannot be None"),
        ((1, -3), ValueError, "greater than zero, but got -3"),
        ("4", TypeError, "argument `input_size`"),
        ((1, 2.5), TypeError, "whole numbers"),
    ],
)
def test_sizes_that_summary_refuses(size, error, match):
    with pytest.raises(error, match=match):
        paddle.summary(paddle.nn.Linear(4, 3), size)


def test_summary_leaves_the_network_as_it_was(capsys):
    net = network()
    paddle.summary(net, (2, 4))
    assert net.training
    net.eval()
    paddle.summary(net, [paddle.static.InputSpec([None, 4], "float32")])
    assert not net.training
    state = list(net.state_dict())
    assert paddle.flops(net, [2, 4]) == 2 * 4 * 8 + 2 * 8 * 3
    assert list(net.state_dict()) == state
    assert not net[0]._forward_post_hooks
    assert "Linear" in capsys.readouterr().out


def test_flops_of_convolutions_go_by_what_comes_in():  # figures are 2.6.2's
    nn = paddle.nn
    assert paddle.flops(nn.Sequential(nn.Conv2D(4, 8, 3, data_format="NHWC")), [1, 9, 10, 4]) == 36736
    assert paddle.flops(nn.Sequential(nn.Conv2D(4, 8, 3, groups=2), nn.Conv2DTranspose(8, 4, 2)), [1, 4, 8, 8]) == 11940
    pruned = nn.Sequential(nn.Conv2D(4, 8, 3))
    pruned[0].weight = paddle.create_parameter([8, 2, 3, 3], "float32")
    assert paddle.flops(pruned, [1, 2, 8, 8]) == 5472


def test_flops_of_something_else():
    with pytest.warns(UserWarning, match="must be an instance of paddle.nn.Layer"):
        assert paddle.flops(3, [1]) == -1
    assert paddle.flops(paddle.static.Program(), [1]) == 0


def test_accuracy_counts_into_the_tensors_that_it_is_given():
    right, count = paddle.zeros([1], "int32"), paddle.zeros([1], "int32")
    scores = paddle.to_tensor([[0.1, 0.9], [0.8, 0.2], [0.7, 0.3]])
    assert paddle.metric.accuracy(scores, paddle.to_tensor([[1], [1], [0]]), correct=right, total=count).item() == pytest.approx(2 / 3)
    assert (int(right), int(count)) == (2, 3)


def test_a_folder_is_no_name_of_files(tmp_path, static_mode):
    """2.6.2's static mode asserts so."""
    model = prepared()
    with pytest.raises(AssertionError, match="dirname/filename"):
        model.save(f"{tmp_path}/")
    assert not list(tmp_path.iterdir())


def test_saves_for_inference_the_shapes_of_the_last_batch(tmp_path):
    model = paddle.Model(paddle.nn.Linear(4, 3))
    with pytest.raises(RuntimeError, match="needs 'inputs' or running before saving"):
        model.save(str(tmp_path / "none"), training=False)
    model.prepare()
    model.predict_batch([np.ones([2, 4], "float32")])
    with pytest.warns(UserWarning, match=r"shape to be saved is \[\[2, 4\]\]"):
        model.save(str(tmp_path / "net"), training=False)
    x = paddle.ones([2, 4])
    assert np.allclose(paddle.jit.load(str(tmp_path / "net"))(x).numpy(), model.network(x).numpy())


@pytest.mark.parametrize("size", [(-1, -1, 3), (None, None, 3), paddle.static.InputSpec([None, None, 3])])
def test_summary_takes_an_unknown_batch_only(size):
    with pytest.raises(ValueError, match="only the dim of batch_size can be None or -1"):
        paddle.summary(paddle.nn.Linear(3, 4), size)


def test_progress_of_arrays(capsys):
    for verbose in (1, 2):
        ProgressBar(None, verbose=verbose).update(1, [["a", np.array([0.1])], ["b", [np.array(0.3)]], ["c", np.array([0.1, 0.2])]])
    moving, lines = capsys.readouterr().out.split("step   1")[1:]
    assert " - a: [0.1] - b: 0.3 - c: [0.1 0.2] - " in moving
    assert " - a: 0.1000 - b: 0.3000 - c: [0.1 0.2] - " in lines


def test_loggers(tmp_path, capsys):
    logger = setup_logger(str(tmp_path / "logs"), name="of the test")
    assert setup_logger(name="of the test") is logger and len(logger.handlers) == 2 and not logger.propagate
    logger.info("one")
    logger.debug("two")
    assert capsys.readouterr().out.endswith(" - of the test - INFO - one\n")
    assert (tmp_path / "logs/log.txt").read_text().endswith(" - of the test - INFO - one\n")


def test_missing_names_are_those_that_were_looked_for():
    layer = paddle.nn.Linear(3, 2)
    names = [p.name for p in layer.parameters()]
    with pytest.warns(UserWarning, match=f"Skip loading for weight. {names[0]} is not found"):
        missing, unexpected = layer.set_state_dict({"other": np.ones([2])}, use_structured_name=False)
    assert (missing, unexpected) == (names, ["other"])


def test_a_summarys_input_is_one_argument(capsys):
    class Sum(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.linear = paddle.nn.Linear(2, 2)

        def forward(self, pair):
            return self.linear(pair[0]) + pair[1]

    two = [paddle.ones([1, 2]), paddle.ones([1, 2])]
    assert paddle.summary(Sum(), input=two)["total_params"] == 6
    with pytest.raises(TypeError):
        paddle.summary(Sum(), [(1, 2), (1, 2)])  # sizes are of as many arguments


def test_a_step_clears_gradients_of_all_parameters_of_the_network():
    """Those that the optimizer does not have, too, as in both wheels; a refused metric leaves the metrics as they were."""
    paddle.seed(1)
    network = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.Linear(4, 2))
    model = paddle.Model(network)
    optimizer = paddle.optimizer.SGD(0.1, parameters=network[0].parameters())
    model.prepare(optimizer, paddle.nn.CrossEntropyLoss(), paddle.metric.Accuracy())
    batch = [paddle.ones([2, 3])], [paddle.zeros([2, 1], "int64")]
    model.train_batch(*batch, update=False)
    assert all(parameter.grad.abs().sum() > 0 for parameter in network.parameters())
    model.train_batch(*batch)
    assert all(parameter.grad.abs().sum() == 0 for parameter in network.parameters())
    with pytest.raises(AssertionError, match="is not sub class of Metric"):
        model.prepare(optimizer, paddle.nn.CrossEntropyLoss(), [paddle.metric.Accuracy(), 5])
    assert len(model.train_batch(*batch)) == len(model._metrics) + 1 == 2
