"""Arguments and behaviour that `fluid` got in Paddle 2.0 to 2.5; no wheel of these can be installed here, so the expected values are
those of the function that Paddle 2.6 has instead, or follow from what the arguments say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import Runner

import paddle_compat as paddle
from paddle_compat import fluid, nn
from paddle_compat.fluid import layers

IMAGE = np.random.RandomState(0).rand(2, 2, 8, 8).astype("float32")
REGIONS = np.array([[0, 0, 4, 4], [1, 1, 6, 6], [2, 2, 7, 7]], "float32")


@pytest.mark.parametrize("name", ["roi_align", "roi_pool"])
def test_regions_of_images_by_their_number(name: str) -> None:
    image, regions, number = paddle.to_tensor(IMAGE), paddle.to_tensor(REGIONS), paddle.to_tensor([1, 2], "int32")
    found = getattr(layers, name)(image, regions, 2, 2, rois_num=number)
    later = {"aligned": False} if name == "roi_align" else {}
    assert np.array_equal(found.numpy(), getattr(paddle.vision.ops, name)(image, regions, number, 2, **later).numpy())


def test_regions_by_their_number_in_programs() -> None:
    with fluid.program_guard(fluid.Program()):
        image, regions = fluid.data("image", [2, 2, 8, 8]), fluid.data("regions", [None, 4])
        out = layers.roi_align(image, regions, 2, 2, rois_num=fluid.data("number", [2], "int32"))
        feed = {"image": IMAGE, "regions": REGIONS, "number": np.array([1, 2], "int32")}
        recorded = fluid.Executor(fluid.CPUPlace()).run(feed=feed, fetch_list=[out])[0]
    with fluid.dygraph.guard():
        eager = layers.roi_align(*(fluid.dygraph.to_variable(feed[name]) for name in ("image", "regions")), 2, 2,
                                 rois_num=fluid.dygraph.to_variable(feed["number"]))  # fmt: skip
    assert np.array_equal(recorded, eager.numpy())


def test_levels_of_a_pyramid_by_the_number_of_regions() -> None:
    sides = paddle.to_tensor([10.0, 100.0, 200.0, 20.0])
    regions = paddle.stack([paddle.zeros([4]), paddle.zeros([4]), sides, sides], 1)
    number = paddle.to_tensor([3, 1], "int32")
    levels, index, numbers = layers.distribute_fpn_proposals(regions, 2, 5, 4, 224, rois_num=number)
    real = paddle.vision.ops.distribute_fpn_proposals(regions, 2, 5, 4, 224, pixel_offset=True, rois_num=number)
    assert [each.tolist() for each in (*levels, index, *numbers)] == [each.tolist() for each in (*real[0], real[1], *real[2])]
    scores = [paddle.arange(level.shape[0], dtype="float32").reshape([-1, 1]) for level in levels]
    kept, counts = layers.collect_fpn_proposals(levels, scores, 2, 5, 2, rois_num_per_level=numbers)
    assert (kept.shape, counts.dtype, int(counts.sum())) == ([2, 4], paddle.int32, 2)


X = np.arange(12, dtype="float32").reshape(1, 3, 4, 1)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x: layers.zeros([2], "float32", name="z"), [0.0, 0.0]),
        (lambda x: layers.fill_constant([1], "int64", 3, name="f"), [3]),
        (lambda x: layers.eye(2, name="e"), [[1.0, 0.0], [0.0, 1.0]]),
        (lambda x: layers.linspace(0, 1, 3, "float32", name="l"), [0.0, 0.5, 1.0]),
        (lambda x: layers.range(0, 3, 1, "int64", name="r"), [0, 1, 2]),
        (lambda x: layers.less_than(x[0, 0, :2, 0], x[0, 1, :2, 0], name="t"), [True, True]),
        (lambda x: layers.equal(x[0, 0, :2, 0], x[0, 0, :2, 0], name="q"), [True, True]),
        (lambda x: layers.is_empty(x, name="n"), [False]),
        (lambda x: layers.cond(paddle.to_tensor([True]), lambda: x[0, 0, :2, 0], lambda: x, return_names=None), [0.0, 1.0]),
        (lambda x: layers.create_array("float32", [x[0, 0, :2, 0]])[0], [0.0, 1.0]),
        (lambda x: layers.expm1(paddle.zeros([1])), [0.0]),
        (lambda x: layers.acosh(paddle.ones([1])), [0.0]),
        (lambda x: layers.identity_loss(x, "mean").reshape([1]), [5.5]),
        (lambda x: layers.resize_linear(paddle.to_tensor([[[1.0, 3.0]]]), out_shape=[3])[0, 0], [1.0, 2.0, 3.0]),
        (lambda x: layers.prelu(-x, "channel", data_format="NHWC")[0, 0, :2, 0], [0.0, -0.25]),
        (lambda x: fluid.dygraph.Pool2D(2, "max", 2, data_format="NHWC")(x)[0, 0, :, 0], [5.0, 7.0]),
    ],
)
def test_later_arguments_and_functions(call: Callable[[Any], Any], expected: list[Any]) -> None:
    assert call(paddle.to_tensor(X)).tolist() == expected


def test_frames_are_shifted_with_channels_last() -> None:
    x = paddle.to_tensor(np.random.RandomState(1).rand(4, 8, 2, 3).astype("float32"))
    last = layers.temporal_shift(x.transpose([0, 2, 3, 1]), 2, 0.25, data_format="NHWC")
    assert np.array_equal(last.transpose([0, 3, 1, 2]).numpy(), layers.temporal_shift(x, 2).numpy())


def test_assertions_hold_at_once_in_eager_mode(capsys: pytest.CaptureFixture[str]) -> None:
    layers.Assert(paddle.to_tensor([True]), [paddle.ones([2])])
    with pytest.raises(paddle.errors.InvalidArgumentError):
        layers.Assert(paddle.to_tensor([False]), [paddle.full([2], 7.0)], 2)
    assert capsys.readouterr().out.count("data: [7 7]") == 1


def test_variances_of_msra_for_another_slope() -> None:
    paddle.disable_static()
    made = [fluid.initializer.MSRA(False, 100, 3, *more) for more in ((), (0.5, "leaky_relu"))]
    drawn = [layers.create_parameter([20, 30], "float32", default_initializer=each).numpy() for each in made]
    assert np.allclose(drawn[1], drawn[0] / np.sqrt(1.25), rtol=1e-5)


def test_saving_with_another_protocol(tmp_path: Path) -> None:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        x = fluid.data("x", [None, 4])
        y = layers.mean(layers.fc(x, 1))
        scaled = fluid.contrib.mixed_precision.decorate(fluid.optimizer.SGD(0.1), use_fp16_guard=False)
        assert type(scaled) is paddle.static.amp.decorator.OptimizerWithMixedPrecision
        fluid.optimizer.PipelineOptimizer(fluid.optimizer.SGD(0.1), num_microbatches=2).minimize(y)
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(startup)
    fluid.save(main, str(tmp_path / "model"), protocol=4)
    assert (tmp_path / "model.pdparams").read_bytes()[:2] == b"\x80\x04"
    fluid.io.save_inference_model(str(tmp_path / "folder"), ["x"], [y], executor, main, clip_extra=True)
    assert (tmp_path / "folder/__model__").exists()


def test_layers_of_paddle_2_are_layers_of_fluid(tmp_path: Path) -> None:
    layer = nn.Linear(2, 2)
    assert isinstance(layer, fluid.dygraph.Layer) and not isinstance(layer, fluid.dygraph.Linear)

    class Net(fluid.dygraph.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("first", paddle.ones([1]))
            self.inner = nn.Linear(2, 1)

    net = Net()
    assert str(net).startswith("Net(\n  (inner): Linear(")
    fluid.save_dygraph(net.state_dict(), str(tmp_path / "net"))  # a state that begins with a buffer is one of parameters, too
    assert sorted(fluid.load_dygraph(str(tmp_path / "net"))[0]) == ["first", "inner.bias", "inner.weight"]
    with pytest.warns(UserWarning, match="one process"):
        parallel = fluid.dygraph.DataParallel(layer)
    assert type(parallel) is paddle.DataParallel


def test_one_translator_for_paddle_2_and_fluid() -> None:
    translator = paddle.jit.ProgramTranslator()
    assert translator is fluid.dygraph.ProgramTranslator() and translator.enable_to_static is True

    def double(x: Any) -> Any:
        return x * 2 if paddle.sum(x) > 0 else x

    assert translator.get_output(double, paddle.ones([2])).tolist() == [2.0, 2.0]
    assert len(translator.get_program(double, paddle.ones([3]))) == 4
    static = paddle.jit.to_static(double)
    translator.enable(False)
    try:
        assert paddle.jit.dy2static.program_translator.ProgramTranslator().enable_to_static is False
        assert static(paddle.ones([1])).tolist() == [2.0]
    finally:
        translator.enable(True)


def test_sparsity_takes_the_program_first_as_in_its_first_releases() -> None:
    network = nn.Linear(8, 8)
    fluid.contrib.sparsity.set_excluded_layers(fluid.default_main_program(), [network.full_name()])
    try:
        assert sorted(fluid.contrib.sparsity.prune_model(network)) == []
    finally:
        fluid.contrib.sparsity.reset_excluded_layers(fluid.default_main_program())


def test_the_check_of_the_installation_runs_in_eager_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    paddle.disable_static()
    fluid.install_check.run_check()
    assert "installed successfully" in capsys.readouterr().out and paddle.in_dynamic_mode()


SCRIPT = """
import numpy as np
import paddle, paddle.fluid as fluid
from paddle.io import Dataset

class Rows(Dataset):
    def __getitem__(self, index):
        return np.full([3], index, "float32"), np.array([index], "int64")

    def __len__(self):
        return 4

{first}
x, y = next(iter(fluid.io.DataLoader(Rows(), batch_size=2, prefetch_factor=2, persistent_workers=False)))
print(type(x).__name__, x.shape, y.tolist(), paddle.in_dynamic_mode())
"""


@pytest.mark.parametrize(
    "first",
    [
        "",
        "fluid.optimizer.SGD(0.1, parameter_list=[])",
        "fluid.layers.fill_constant([1], 'float32', 1.0)",
        "fluid.layers.create_parameter([1], 'float32')",
        "fluid.layers.cosine_decay(0.1, 2, 2)",
        "with fluid.dygraph.guard(): assert type(fluid.layers.ones([1], 'float32')) is paddle.Tensor",
    ],
)
def test_scripts_of_paddle_2_that_begin_with_fluid_are_eager(full: Runner, first: str) -> None:
    full.write({"train.py": SCRIPT.format(first=first)})
    assert full.output("-m", "paddle_compat", "train.py") == "Tensor [2, 3] [[0], [1]] True\n"


@pytest.mark.parametrize(("version", "kind"), [("2.4.2", "Tensor"), ("2.6.2", "Variable")])
def test_scripts_for_releases_that_have_fluid_beside_paddle_2_are_eager(full: Runner, version: str, kind: str) -> None:
    text = f"import os\nos.environ['PADDLE_COMPAT_VERSION'] = '{version}'\nimport paddle.fluid as fluid\n"
    full.write({"train.py": f"{text}print(type(fluid.layers.ones([1], 'float32')).__name__)\n"})
    assert full.output("-m", "paddle_compat", "train.py") == f"{kind}\n"


def test_a_guard_in_a_static_script_of_paddle_2_makes_tensors() -> None:
    """`paddle.enable_static` is no word of Paddle 1.8."""
    paddle.enable_static()
    with fluid.dygraph.guard():
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        y = layers.square(x)
        y.backward(paddle.ones([2]))
        assert type(y) is paddle.Tensor and x.grad.tolist() == [2.0, 4.0]
    assert not paddle.in_dynamic_mode()


def test_recurrences_and_decoders_of_fluid_run_at_once() -> None:
    """Their results are those of `paddle.nn`, which has them since Paddle 2."""
    paddle.seed(1)
    steps, state, lengths = paddle.rand([2, 5, 6]), paddle.rand([2, 8]), paddle.to_tensor([3, 5])
    cell = nn.GRUCell(6, 8)
    ours, last = layers.rnn(cell, steps, sequence_length=lengths, is_reverse=True)
    real, real_last = nn.RNN(cell, is_reverse=True)(steps, sequence_length=lengths)
    assert np.array_equal(ours.numpy(), real.numpy()) and np.array_equal(last.numpy(), real_last.numpy())
    assert layers.rnn(layers.GRUCell(4), steps)[0].shape == [2, 5, 4]
    settings = {"embedding_fn": nn.Embedding(10, 6), "output_fn": nn.Linear(8, 10)}
    found, expected = (
        package.dynamic_decode(package.BeamSearchDecoder(cell, 0, 1, 3, **settings), inits=state, max_step_num=5, return_length=True)
        for package in (layers, nn)
    )
    assert (found[0].tolist(), found[2].tolist()) == (expected[0].tolist(), expected[2].tolist())
    decoder = layers.BasicDecoder(cell, layers.TrainingHelper(steps, lengths), output_fn=settings["output_fn"])
    outputs, _, counts = layers.dynamic_decode(decoder, inits=state, return_length=True)
    assert outputs.cell_outputs.shape == [2, 5, 10] and counts.tolist() == [3, 5]
