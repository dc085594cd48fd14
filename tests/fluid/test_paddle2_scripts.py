"""Scripts of Paddle 2.0 to 2.4: eager mode from the start, and functions of `fluid` on Tensors of Paddle 2."""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from processes import Runner

import paddle_compat as paddle
from paddle_compat import fluid, nn
from paddle_compat.core import mode


class Net(nn.Layer):
    """Layers of both spellings, with initializers of `fluid`."""

    def __init__(self) -> None:
        super().__init__()
        normal = paddle.ParamAttr(initializer=fluid.initializer.Normal(0.0, 0.5))
        self.conv = fluid.dygraph.Conv2D(1, 2, 3, padding=1, param_attr=fluid.ParamAttr(initializer=fluid.initializer.MSRA()))
        self.norm = fluid.dygraph.BatchNorm(2, act="relu")
        self.fc = nn.Linear(32, 3, weight_attr=normal)

    def forward(self, x: Any) -> Any:
        """Scores of three classes."""
        hidden = self.norm(self.conv(x))
        return self.fc(fluid.layers.reshape(hidden, [hidden.shape[0], -1]))


def _batch() -> tuple[Any, Any]:
    rng = np.random.RandomState(0)
    return paddle.to_tensor(rng.rand(4, 1, 4, 4).astype("float32")), paddle.to_tensor(rng.randint(0, 3, [4, 1]))


def test_functions_of_fluid_run_on_tensors_at_once() -> None:
    out = fluid.layers.relu(paddle.to_tensor([-1.0, 2.0]))
    assert type(out) is paddle.Tensor
    assert out.tolist() == [0.0, 2.0]
    assert mode.is_static() is False


@pytest.mark.parametrize(
    "made",
    [
        lambda: paddle.rand([2, 3]),
        lambda: nn.Linear(3, 3).weight,
        lambda: paddle.ones([2, 3]),
    ],
    ids=["rand", "layer", "ones"],
)
def test_a_tensor_settles_the_mode(made: Callable[[], Any]) -> None:
    x = made()
    for out in (
        fluid.layers.concat([x, x], axis=0),
        fluid.layers.reduce_sum(x),
        fluid.layers.softmax(x),
        fluid.layers.cast(x, "float64"),
    ):
        assert type(out) is paddle.Tensor
    assert np.array_equal(fluid.layers.concat([x, x], axis=0).numpy(), paddle.concat([x, x]).numpy())


def test_a_script_that_begins_with_fluid_records() -> None:
    with fluid.unique_name.guard():
        x = fluid.data("x", [None, 3])
        assert isinstance(fluid.layers.relu(x), fluid.Variable)
    assert mode.is_static()


def test_gradients_add_up_as_in_paddle_2() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    fluid.layers.reduce_sum(x * 2).backward()
    fluid.layers.reduce_sum(x * 3).backward()
    assert x.grad.tolist() == [5.0, 5.0]
    with fluid.dygraph.guard():  # of a script that has chosen already
        y = fluid.dygraph.to_variable(np.ones(2, "float32"))
        assert type(y) is paddle.Tensor
        y.stop_gradient = False
        for factor in (2, 3):
            fluid.layers.reduce_sum(y * factor).backward()
        assert y.gradient().tolist() == [5.0, 5.0]


def test_a_guard_of_paddle_1_makes_its_values() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones(2, "float32"))
        x.stop_gradient = False
        out = fluid.layers.relu(x)
        assert type(x) is type(out) is fluid.core.VarBase
    assert mode.is_static() is None


def test_initializers_of_fluid_draw_from_the_seed_of_paddle_2() -> None:
    def start(made: Any) -> Any:
        paddle.seed(3)
        return nn.Linear(4, 5, weight_attr=paddle.ParamAttr(initializer=made)).weight.numpy()

    assert np.array_equal(start(fluid.initializer.Normal(0.0, 0.5)), start(nn.initializer.Normal(0.0, 0.5)))
    assert np.array_equal(start(fluid.initializer.Xavier()), start(nn.initializer.XavierUniform()))
    assert np.array_equal(start(fluid.initializer.Constant(0.25)), np.full([4, 5], 0.25, "float32"))


def test_initializers_of_users_are_handed_the_block() -> None:
    class Mine(nn.initializer.Initializer):
        def __call__(self, param: Any, block: Any) -> None:
            assert type(block).__name__ == "Block"
            nn.initializer.Constant(2.0)(param, block)

    assert nn.Linear(2, 2, weight_attr=paddle.ParamAttr(initializer=Mine())).weight.tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert paddle.create_parameter([2], "float32", default_initializer=Mine()).tolist() == [2.0, 2.0]


def test_training_by_both_spellings() -> None:
    def train(fluids: bool) -> list[float]:
        paddle.seed(5)
        with paddle.utils.unique_name.guard():
            net = Net()
            if fluids:
                optimizer = fluid.optimizer.MomentumOptimizer(
                    0.1, 0.9, parameter_list=net.parameters(), grad_clip=fluid.clip.GradientClipByGlobalNorm(1.0),
                    regularization=fluid.regularizer.L2Decay(1e-2),
                )  # fmt: skip
            else:
                optimizer = paddle.optimizer.Momentum(
                    0.1, 0.9, parameters=net.parameters(), grad_clip=nn.ClipGradByGlobalNorm(1.0), weight_decay=1e-2
                )
        losses = []
        x, label = _batch()
        for _ in range(3):
            if fluids:
                loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(net(x), label))
                loss.backward()
                optimizer.minimize(loss)
                net.clear_gradients()
            else:
                loss = nn.functional.cross_entropy(net(x), label)
                loss.backward()
                optimizer.step()
                optimizer.clear_grad()
            losses.append(float(loss))
        return losses

    by_fluid = train(True)
    assert by_fluid[-1] < by_fluid[0]
    assert np.allclose(by_fluid, train(False), rtol=1e-6)


def test_evaluation_leaves_gradients_on() -> None:
    net = Net()
    net.eval()
    x, _ = _batch()
    assert net(x).stop_gradient is False
    with fluid.dygraph.no_grad():
        assert net(x).stop_gradient is True


def test_loaders_and_functions_as_a_whole() -> None:
    net = Net()
    assert type(net) is Net  # the first layer of Paddle 2 says what follows runs at once

    def batches() -> Any:
        for number in range(3):
            yield np.full([2, 1, 4, 4], number, "float32"), np.zeros([2, 1], "int64")

    loader = fluid.io.DataLoader.from_generator(capacity=2, return_list=True)
    loader.set_batch_generator(batches, places=fluid.CPUPlace())
    found = [(type(x), x.shape, float(x.max())) for x, _ in loader()]
    assert found == [(paddle.Tensor, [2, 1, 4, 4], float(number)) for number in range(3)]

    @fluid.dygraph.jit.declarative
    def double(x: Any) -> Any:
        if fluid.layers.reduce_sum(x) > 1:
            return x * 2
        return x

    out = double(paddle.ones([2]))
    assert type(out) is paddle.Tensor
    assert out.tolist() == [2.0, 2.0]


def test_values_from_lists() -> None:
    assert fluid.dygraph.to_variable(paddle.ones([2])).tolist() == [1.0, 1.0]  # a Tensor says which Paddle it is
    made = fluid.dygraph.to_variable([1, 2], dtype="float64")
    assert type(made) is paddle.Tensor
    assert made.dtype == paddle.float64
    with fluid.dygraph.guard(), pytest.raises(TypeError):
        fluid.dygraph.to_variable(None)


@pytest.mark.parametrize(
    ("name", "home"),
    [
        ("clip.ClipGradByGlobalNorm", "nn.ClipGradByGlobalNorm"),
        ("initializer.calculate_gain", "nn.initializer.calculate_gain"),
        ("contrib.slim.quantization.ImperativeQuantAware", "quantization.ImperativeQuantAware"),
        ("contrib.slim.quantization.QuantizationTransformPassV2", "static.quantization.QuantizationTransformPassV2"),
        ("dygraph.amp_guard", "amp.amp_guard"),
        ("dygraph.jit.to_static", "jit.to_static"),
        ("core.eager.Tensor", "Tensor"),
        ("framework._set_expected_place", "base.framework._set_expected_place"),
        ("framework.is_compiled_with_npu", "device.is_compiled_with_npu"),
        ("generator.Generator", "Generator"),
        ("contrib.sparsity.asp.ASPHelper", "incubate.asp.ASPHelper"),
        ("contrib.layers.bilateral_slice", "incubate.layers.nn.bilateral_slice"),
        ("contrib.layers.sparse_embedding", "static.nn.sparse_embedding"),
        ("contrib.mixed_precision.bf16.bf16_guard", "static.amp.bf16.bf16_guard"),
        ("contrib.mixed_precision.fp16_utils.cast_model_to_fp16", "static.amp.cast_model_to_fp16"),
        ("contrib.slim.quantization.imperative.ImperativePTQ", "quantization.ImperativePTQ"),
        ("clip._squared_l2_norm", "nn.clip._squared_l2_norm"),
        ("clip.ClipGradBase", "nn.clip.ClipGradBase"),
        ("dataloader.batch_sampler.DistributedBatchSampler", "io.DistributedBatchSampler"),
        ("dataloader.fetcher._MapDatasetFetcher", "io.dataloader.fetcher._MapDatasetFetcher"),
        ("dygraph.io.TranslatedLayer", "jit.TranslatedLayer"),
        ("dygraph.container.LayerDict", "nn.LayerDict"),
        ("dygraph.dygraph_to_static.utils.ast_to_source_code", "jit.dy2static.utils.ast_to_source_code"),
        ("dygraph.dygraph_to_static.program_translator.convert_to_static", "jit.dy2static.program_translator.convert_to_static"),
        ("dygraph.parallel.sync_params_buffers", "distributed.parallel.sync_params_buffers"),
        ("entry_attr.ProbabilityEntry", "distributed.ProbabilityEntry"),
        ("inference.wrapper.create_predictor", "inference.create_predictor"),
        ("layers.utils.map_structure", "fluid.layers.utils.map_structure"),
        ("optimizer.GradientMergeOptimizer", "incubate.optimizer.GradientMergeOptimizer"),
        ("reader.default_convert_fn", "io.dataloader.collate.default_convert_fn"),
    ],
)
def test_names_of_later_fluid(name: str, home: str) -> None:
    found: Any = fluid
    for part in name.split("."):
        found = getattr(found, part)
    expected: Any = paddle
    for part in home.split("."):
        expected = getattr(expected, part)
    assert found is expected


@pytest.mark.parametrize(
    ("moved", "home"),
    [
        ("distributed.fleet.base.fleet_base", "distributed.fleet.fleet"),
        ("fluid.contrib.slim.quantization.imperative.qat", "quantization.imperative.qat"),
        ("fluid.contrib.slim.quantization.imperative.quant_nn", "nn.quant.quant_layers"),
        ("fluid.dygraph.io", "jit.translated_layer"),
        ("fluid.dygraph.dygraph_to_static.convert_operators", "jit.dy2static.convert_operators"),
        ("fluid.incubate.fleet.parameter_server.mode", "incubate.distributed.fleet.parameter_server.mode"),
        ("incubate.sparse.nn.functional", "sparse.nn.functional"),
        ("static.sparsity.asp", "incubate.asp.asp"),
    ],
)
def test_modules_that_have_moved(moved: str, home: str) -> None:
    module, real = (importlib.import_module(f"paddle_compat.{path}") for path in (moved, home))
    assert module is real and real.__name__ == f"paddle_compat.{home}" == real.__spec__.name  # type: ignore[union-attr]


def test_a_moved_module_leaves_the_function_of_its_name() -> None:
    importlib.import_module("paddle_compat.distributed.fleet.utils.recompute")
    assert callable(paddle.distributed.fleet.utils.recompute)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("paddle_compat.fluid.contrib.nobody")


def test_names_of_paddle_2_outside_of_fluid() -> None:
    assert paddle.NPUPlace is fluid.core.NPUPlace and not isinstance(paddle.CPUPlace(), (paddle.NPUPlace, paddle.MLUPlace))
    with pytest.raises(paddle.errors.UnsupportedError, match="NPUPlace"):
        paddle.NPUPlace(0)
    assert paddle.jit.ProgramTranslator is fluid.dygraph.ProgramTranslator
    assert paddle.framework.in_dygraph_mode() is True
    for places in (paddle.static.npu_places, fluid.mlu_places):
        with pytest.raises(AssertionError):
            places()


def test_momentum_of_contrib() -> None:
    layers = [nn.Linear(2, 1, weight_attr=paddle.ParamAttr(initializer=nn.initializer.Constant(1.0))) for _ in range(2)]
    optimizers = [
        fluid.contrib.Momentum(0.1, 0.9, layers[0].parameters(), True, fluid.regularizer.L2Decay(0.1), rescale_grad=0.5),
        paddle.optimizer.Momentum(0.1, 0.9, layers[1].parameters(), True, 0.1, rescale_grad=0.5),
    ]
    for _ in range(2):
        for layer, optimizer in zip(layers, optimizers, strict=True):
            loss = layer(paddle.ones([1, 2])).sum()
            loss.backward()
            optimizer.minimize(loss)
            optimizer.clear_grad()
    assert np.array_equal(layers[0].weight.numpy(), layers[1].weight.numpy()) and layers[0].weight.numpy()[0, 0] < 1


def test_helpers_of_copied_convolutions() -> None:
    utils = fluid.layers.utils
    assert [utils._is_symmetric_padding(*given) for given in (([1, 2], 2), ([1, 1, 2, 2], 2), ([1, 2], 1))] == [True, True, False]
    assert utils._contain_var([1, 2]) is False
    squares = nn.clip._squared_l2_norm(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert (squares.shape, squares.tolist()) == ([1], [30.0])


def test_names_that_no_fluid_had() -> None:
    with pytest.raises(paddle.errors.UnsupportedError, match=r"paddle\.fluid\.dygraph\.nobody"):
        fluid.dygraph.nobody  # noqa: B018 - asking is what is tested


def test_optimizers_of_fluid_clip_by_those_of_paddle_2() -> None:
    def step(clip: Any) -> Any:
        layer = nn.Linear(2, 1, weight_attr=paddle.ParamAttr(initializer=nn.initializer.Constant(1.0)))
        optimizer = fluid.optimizer.SGD(1.0, parameter_list=layer.parameters(), grad_clip=clip)
        loss = fluid.layers.reduce_sum(layer(paddle.full([1, 2], 3.0)))
        loss.backward()
        optimizer.minimize(loss)
        return layer.weight.numpy()

    assert np.array_equal(step(nn.ClipGradByValue(0.5)), [[0.5], [0.5]])
    assert np.array_equal(step(nn.ClipGradByGlobalNorm(1.0)), step(fluid.clip.GradientClipByGlobalNorm(1.0)))


def test_a_whole_script(full: Runner) -> None:
    script = (
        "import numpy as np\n"
        "import paddle\n"
        "import paddle.fluid as fluid\n"
        "x = paddle.to_tensor(np.arange(6, dtype='float32').reshape(2, 3))\n"
        "print(fluid.layers.reduce_mean(x))\n"
        "print(fluid.layers.topk(x, k=1)[1].tolist())\n"
    )
    full.write({"train.py": script})
    text = "Tensor(shape=[1], dtype=float32, place=Place(cpu), stop_gradient=True,\n       [2.50000000])\n[[2], [2]]\n"
    assert full.output("-m", "paddle_compat", "train.py") == text


def test_tensors_and_parameters_count_as_values_of_the_first_releases() -> None:
    x, weight = paddle.to_tensor([1.0]), nn.Linear(2, 2).weight
    assert isinstance(x, fluid.core.VarBase) and isinstance(weight, fluid.core.VarBase)
    assert isinstance(x, (np.ndarray, fluid.core.VarBase)) and not isinstance(np.ones(1), fluid.core.VarBase)
    assert isinstance(weight, fluid.framework.ParamBase) and not isinstance(x, fluid.framework.ParamBase)


@pytest.mark.parametrize(("imported", "eager"), [("paddle.metric.metrics", "True"), ("paddle.dataset", "False")])
def test_a_layer_of_fluid_in_a_script_that_imports_what_only_paddle_2_has(full: Runner, imported: str, eager: str) -> None:
    """The first of a script, in a library that derives its layers from those of fluid; 1.8 has paddle.dataset, too."""
    text = f"""
        import {imported}
        from paddle.fluid.dygraph import Layer, parallel_helper
        from paddle.fluid.dygraph.base import param_guard, program_desc_tracing_guard
        from paddle.fluid.framework import in_dygraph_mode

        class Net(Layer):
            def forward(self, x):
                with param_guard(self._parameters), program_desc_tracing_guard(False):
                    self.weight = self.create_parameter([2, 1])
                    if parallel_helper._is_data_parallel_mode():
                        parallel_helper._broadcast_parameters(self._parameters.values())
                return x @ self.weight

        net = Net()
        print(in_dygraph_mode())
        if in_dygraph_mode():
            import paddle
            print(net(paddle.ones([3, 2])).shape, parallel_helper._is_data_parallel_mode())
    """
    full.write({"train.py": textwrap.dedent(text)})
    out = full.output("-m", "paddle_compat", "train.py").split()
    assert out == ([eager, "[3,", "1]", "False"] if eager == "True" else [eager])


def test_eval_mode_of_the_tracer_computes_gradients_in_scripts_of_paddle_2() -> None:
    """Paddle 1.8's computes none; libraries of Paddle 2 call it where their layers begin to evaluate."""
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    fluid.framework._dygraph_tracer().eval_mode()
    try:
        assert paddle.is_grad_enabled() and not (x * 2).stop_gradient
    finally:
        fluid.framework._dygraph_tracer().train_mode()


def test_mixed_precision_where_paddle_2_4_had_it() -> None:
    """Libraries of Paddle 2.0 to 2.4 derive their scalers from it."""
    from paddle_compat.fluid.dygraph.amp import AmpScaler, OptimizerState, amp_guard
    from paddle_compat.fluid.dygraph.amp.auto_cast import amp_state
    from paddle_compat.fluid.dygraph.amp.loss_scaler import OptimizerState as State

    assert OptimizerState is State is paddle.amp.grad_scaler.OptimizerState and AmpScaler is paddle.amp.AmpScaler
    with amp_guard(dtype="bfloat16"):
        assert amp_state() is not None and paddle.matmul(paddle.ones([2, 2]), paddle.ones([2, 2])).dtype == paddle.bfloat16


def test_a_sum_of_booleans_counts_them() -> None:
    """As 2.6.2's operator does; 1.8.5 has no such kernel. Parsers take the lengths of sentences from it."""
    mask = paddle.to_tensor([[True, True, False], [True, False, False]])
    lengths = fluid.layers.reduce_sum(mask, -1)
    assert (lengths.dtype, lengths.tolist()) == (paddle.int64, [2, 1])
    parts = fluid.layers.split(paddle.arange(3), lengths.numpy().tolist(), dim=0)
    assert [part.tolist() for part in parts] == [[0, 1], [2]]
    assert fluid.layers.reduce_sum(paddle.ones([2], "int32")).dtype == paddle.int32
    with fluid.dygraph.guard():
        total = fluid.layers.reduce_sum(fluid.dygraph.to_variable(np.array([True, True])))
        assert total.numpy().tolist() == [2]
