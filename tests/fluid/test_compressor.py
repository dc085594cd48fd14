"""`fluid.contrib.slim`'s Compressor with every strategy: losses, ratios and files as Paddle 1.8.5 gives them on the same network."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.fluid.contrib.slim import core, nas, searcher

PRUNER = """version: 1.0
pruners:
    pruner_1: {class: StructurePruner, pruning_axis: {'*': 0}, criterions: {'*': l1_norm}}
"""


@pytest.fixture(autouse=True)
def _static_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("CPU_NUM", "1")
    monkeypatch.chdir(tmp_path)
    paddle.enable_static()
    yield
    paddle.disable_static()


def network(image: Any, prefix: str = "", filters: tuple[int, int] = (8, 16)) -> tuple[Any, Any, Any]:
    """Convolutions, one of each channel by itself, and a sum of two; what the first and the last one give, and the probabilities."""
    seeds = iter(range(sum(map(ord, prefix)) + 11, 10000))

    def param(name: str) -> Any:
        return fluid.ParamAttr(prefix + name, fluid.initializer.Uniform(-0.3, 0.3, seed=next(seeds)))

    def conv(x: Any, count: int, name: str, stride: int = 1, groups: int = 1, size: int = 3) -> Any:
        weight = param(f"{name}_weights")
        made = fluid.layers.conv2d(x, count, size, stride, size // 2, 1, groups, weight, False, use_cudnn=False)
        scale, offset = fluid.ParamAttr(f"{prefix}{name}_bn_scale"), fluid.ParamAttr(f"{prefix}{name}_bn_offset")
        running = [f"{prefix}{name}_bn_mean", f"{prefix}{name}_bn_variance"]
        return fluid.layers.batch_norm(
            made, "relu", param_attr=scale, bias_attr=offset, moving_mean_name=running[0], moving_variance_name=running[1]
        )

    first = conv(image, filters[0], "conv1", 2)
    y = conv(conv(first, filters[0], "conv2_dw", 1, filters[0]), filters[1], "conv2_sep", size=1)
    y = fluid.layers.elementwise_add(y, conv(y, filters[1], "conv3"), act="relu")
    last = conv(y, filters[1], "conv4", 2)
    pooled = fluid.layers.pool2d(last, pool_type="avg", global_pooling=True)
    out = fluid.layers.fc(pooled, 10, act="softmax", param_attr=param("fc_weights"), bias_attr=fluid.ParamAttr(f"{prefix}fc_offset"))
    return first, last, out


def reader(seed: int) -> Callable[[], Iterator[list[Any]]]:
    numbers = np.random.RandomState(seed)
    data = [(numbers.rand(3, 16, 16).astype("float32"), numbers.randint(0, 10, (1,)).astype("int64")) for _ in range(16)]
    return lambda: iter([data[:8], data[8:]])


def programs(filters: tuple[int, int] = (8, 16)) -> tuple[Any, Any, dict[str, str]]:
    train, startup = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(train, startup):
        image, label = fluid.layers.data("image", [3, 16, 16]), fluid.layers.data("label", [1], dtype="int64")
        first, last, out = network(image, filters=filters)
        cost = fluid.layers.mean(fluid.layers.cross_entropy(out, label))
        accuracy = fluid.layers.accuracy(out, label)
    return train, startup, {"first": first.name, "last": last.name, "out": out.name, "cost": cost.name, "acc": accuracy.name}


class Job:
    """A Compressor of that network, and what it said: the losses of the last batch before each line, and evaluations."""

    def __init__(self, text: str, rate: float = 0.05, **more: Any) -> None:
        self.scope, exe = fluid.Scope(), fluid.Executor(fluid.CPUPlace())
        self.train, startup, self.names = programs()
        exe.run(startup, scope=self.scope)
        nodes = [("img", "image"), ("label", "label")]
        fetched = [("acc_top1", self.names["acc"]), ("cost", self.names["cost"])]
        said = {"train_optimizer": fluid.optimizer.Momentum(rate, 0.9), **more}
        self.compressor = core.Compressor(
            fluid.CPUPlace(), self.scope, self.train, reader(1), nodes, [("loss", self.names["cost"])], self.train.clone(), reader(2),
            nodes, fetched, **said,
        )  # fmt: skip
        Path("compress.yaml").write_text(text)
        self.compressor.config("compress.yaml")
        self.watch = Watch()
        self.compressor.strategies.append(self.watch)

    def run(self) -> Any:
        with fluid.unique_name.guard():
            return self.compressor.run()

    @property
    def costs(self) -> list[float]:
        return self.watch.costs

    def shape(self, name: str) -> tuple[int, ...]:
        return tuple(self.value(name).shape)

    def value(self, name: str) -> Any:
        return np.array(self.scope.find_var(name).get_tensor())

    def sum(self, name: str) -> float:
        return float(np.abs(self.value(name)).sum())


class Watch(core.Strategy):
    def __init__(self) -> None:
        super().__init__(0, 100)
        self.costs: list[float] = []
        self.begun: list[int] = []

    def on_epoch_begin(self, context: Any) -> None:
        self.begun.append(context.epoch_id)

    def on_compression_end(self, context: Any) -> None:
        self.costs = [float(cost) for cost in context.eval_results.get("cost", ())]


PLAIN = "version: 1.0\ncompressor: {epoch: %d, checkpoint_path: ./kept, eval_epoch: 2}\n"


def test_a_training_goes_on_from_its_checkpoint() -> None:
    job = Job(PLAIN % 3)
    job.run()
    np.testing.assert_allclose(job.costs, [2.301201, 2.2854297], atol=2e-6)
    assert sorted(os.listdir("kept/2")) == ["context", "eval_model", "model", "strategies"] and len(os.listdir("kept/2/model")) == 45
    assert sorted(os.listdir("kept/2/eval_model")) == ["__model__", "__params__"]
    again = Job(PLAIN % 5)
    again.run()
    assert again.watch.begun == [0, 1, 2, 3, 4]  # what the checkpoint's strategy had seen, and what this one saw
    at_once = Job("version: 1.0\ncompressor: {epoch: 5, eval_epoch: 2}\n")
    at_once.run()
    assert again.costs == at_once.costs
    other = Job(PLAIN % 6)
    other.compressor.strategies.clear()
    with pytest.raises(AssertionError, match="Expected 1, as in the checkpoint"):
        other.run()


def test_a_training_begins_with_the_values_of_a_folder() -> None:
    Job(PLAIN % 3).run()
    begun = Job("version: 1.0\ncompressor: {epoch: 1, init_model: ./kept/2/model}\n")
    begun.run()
    first = Job("version: 1.0\ncompressor: {epoch: 1, init_model: ./none}\n")
    first.run()
    np.testing.assert_allclose(first.costs, [2.301201], atol=2e-6)
    assert begun.costs[0] < 2.28


def test_what_fails_in_an_epoch_does_not_end_the_training() -> None:
    class Fails(core.Strategy):
        def on_batch_end(self, context: Any) -> None:
            if context.epoch_id == 0:
                raise ValueError("at the first batch")

    job = Job("version: 1.0\ncompressor: {epoch: 2}\n")
    job.compressor.strategies.insert(0, Fails())
    job.run()
    np.testing.assert_allclose(job.costs, [2.2993479], atol=2e-6)


def test_functions_evaluate_and_other_models_are_saved() -> None:
    job = Job(
        "version: 1.0\ncompressor: {epoch: 1, checkpoint_path: ./kept}\n", eval_func={"cost": lambda program, scope: 0.25},
        prune_infer_model=[["image"], ["fc_0.tmp_2"]],
    )  # fmt: skip
    job.run()
    assert job.costs == [0.25] and sorted(os.listdir("kept/0/eval_model")) == ["__model__", "__model__.infer", "__params__"]


UNIFORM = (
    PRUNER
    + """strategies:
    u: {class: UniformPruneStrategy, pruner: pruner_1, target_ratio: %s, pruned_params: '%s'}
compressor: {epoch: %d, checkpoint_path: ./kept, strategies: [u]}
"""
)


def test_one_share_of_all_channels_goes() -> None:
    job = Job(UNIFORM % (0.08, "conv1_weights|conv4_weights", 1))
    graph = job.run()
    assert (graph.numel_params(), graph.flops()) == (4698, 392400)
    assert job.shape("conv1_weights") == (6, 3, 3, 3) and job.shape("conv2_sep_weights") == (16, 6, 1, 1)
    assert job.shape("conv2_dw_bn_mean") == (6,) and job.shape("fc_weights") == (12, 10)
    np.testing.assert_allclose(job.costs, [2.295354], atol=2e-6)
    again = Job(UNIFORM % (0.08, "conv1_weights|conv4_weights", 2))
    again.run()
    at_once = Job((UNIFORM % (0.08, "conv1_weights|conv4_weights", 2)).replace("./kept", "./other"))
    at_once.run()
    assert again.costs == at_once.costs and again.shape("conv1_weights") == (6, 3, 3, 3)


SENSITIVE = (
    PRUNER
    + """strategies:
    s: {class: SensitivePruneStrategy, pruner: pruner_1, delta_rate: %s, target_ratio: %s, num_steps: %d,
        pruned_params: 'conv[14]_weights', metric_name: acc_top1, sensitivities_file: ./known}
compressor: {epoch: %d, strategies: [s]}
"""
)


def known(first: Callable[[float], float], last: Callable[[float], float]) -> dict[str, Any]:
    shares = [0.2, 0.4, 0.6, 0.8]
    return {
        name: {"pruned_percent": shares, "loss": [curve(share) for share in shares], "size": size}
        for name, curve, size in (("conv1_weights", first, 8), ("conv4_weights", last, 16))
    }


def test_more_channels_go_where_evaluations_mind_less() -> None:
    Path("known").write_bytes(pickle.dumps(known(lambda x: 0.5 * x**3, lambda x: 0.3 * x**3 + 0.1 * x)))
    job = Job(SENSITIVE % (0.2, 0.1, 1, 1))
    graph = job.run()
    assert (graph.numel_params(), graph.flops()) == (4480, 382288)
    assert job.shape("conv1_weights") == (5, 3, 3, 3) and job.shape("conv4_weights") == (11, 16, 3, 3)
    np.testing.assert_allclose(job.costs, [2.2922199], atol=2e-6)
    np.testing.assert_allclose([job.sum("conv1_weights"), job.sum("fc_weights")], [21.1848, 16.5945], atol=2e-4)


def test_steps_wait_until_evaluations_have_converged() -> None:
    Path("known").write_bytes(pickle.dumps(known(lambda x: 0.05 * (np.exp(2 * x) - 1), lambda x: 0.02 * (np.exp(3 * x) - 1))))
    job = Job(SENSITIVE % (0.2, 0.08, 2, 3))
    graph = job.run()
    assert (graph.numel_params(), graph.flops()) == (5074, 407120)
    np.testing.assert_allclose(job.costs, [2.29912, 2.28819, 2.27683], atol=1e-5)
    assert job.compressor.strategies[0].num_steps == 1


def test_what_evaluations_mind_is_tried_and_kept() -> None:
    job = Job(SENSITIVE % (0.25, 0.1, 1, 1))
    job.run()
    found = pickle.loads(Path("known").read_bytes())
    assert {name: (one["pruned_percent"], one["size"]) for name, one in found.items()} == {
        "conv1_weights": ([0.25, 0.5, 0.75], 8), "conv4_weights": ([0.25, 0.5, 0.75], 16)
    }  # fmt: skip
    assert job.shape("conv4_weights") == (16, 16, 3, 3)  # no share has the loss that is looked for: the epoch failed


DISTILL = """version: 1.0
distillers:
    fsp: {class: FSPDistiller, teacher_pairs: [[%(tf)s, %(tf)s]], student_pairs: [[%(first)s, %(first)s]], distillation_loss_weight: 1}
    l2: {class: L2Distiller, teacher_feature_map: %(tl)s, student_feature_map: %(last)s, distillation_loss_weight: 0.5}
    soft: {class: SoftLabelDistiller, student_temperature: 1.0, teacher_temperature: 1.0, teacher_feature_map: %(to)s,
           student_feature_map: %(out)s, distillation_loss_weight: 0.001}
strategies:
    d: {class: DistillationStrategy, distillers: [fsp, l2, soft], start_epoch: 0, end_epoch: 1}
compressor: {epoch: 3, strategies: [d]}
"""


def test_a_network_learns_from_a_teacher_for_some_epochs() -> None:
    teacher, startup = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard("teacher_"), fluid.program_guard(teacher, startup):
        first, last, out = network(fluid.layers.data("image", [3, 16, 16]), "teacher_")
    names = {"tf": first.name, "tl": last.name, "to": out.name, **programs()[2]}
    job = Job(DISTILL % names, teacher_programs=[teacher.clone(for_test=True)], distiller_optimizer=fluid.optimizer.Momentum(0.02, 0.9))
    fluid.Executor(fluid.CPUPlace()).run(startup, scope=job.scope)
    before = job.value("teacher_conv1_weights")
    job.run()
    np.testing.assert_allclose(job.costs, [2.302106, 2.2942603, 2.2857547], atol=2e-6)
    np.testing.assert_array_equal(job.value("teacher_conv1_weights"), before)


def test_quantized_models_are_saved() -> None:
    text = """version: 1.0
strategies:
    q: {class: QuantizationStrategy, start_epoch: 0, end_epoch: 1, float_model_save_path: ./f, int8_model_save_path: ./i,
        mobile_model_save_path: ./m, activation_quantize_type: moving_average_abs_max, save_in_nodes: [image], save_out_nodes: [%s]}
compressor: {epoch: 2, strategies: [q]}
"""
    job = Job(text % programs()[2]["out"], rate=0.01)
    graph = job.run()
    # one number that is rounded the other way changes the fourth digit
    np.testing.assert_allclose(job.costs, [2.302349, 2.2946892], atol=2e-3)
    assert [op.type() for op in graph.ops()][:4] == [
        "fake_quantize_moving_average_abs_max", "conv2d", "fake_dequantize_max_abs", "batch_norm"
    ]  # fmt: skip
    assert all(sorted(os.listdir(folder)) == ["model", "weights"] for folder in "fim")
    assert os.path.getsize("i/weights") < 0.5 * os.path.getsize("f/weights")
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        program, fed, fetched = fluid.io.load_inference_model("f", exe, "model", "weights")
        image = np.random.RandomState(0).rand(2, 3, 16, 16).astype("float32")
        got = exe.run(program, feed={fed[0]: image}, fetch_list=fetched)[0]
    np.testing.assert_allclose(got[0, :4], [0.1029, 0.1136, 0.1112, 0.0945], atol=1e-3)


def test_a_search_tries_shares_of_channels_and_puts_them_back() -> None:
    text = (
        PRUNER
        + """controllers:
    sa: {class: SAController, reduce_rate: 0.9}
strategies:
    a: {class: AutoPruneStrategy, pruner: pruner_1, controller: sa, end_epoch: 4, min_ratio: 0.05, max_ratio: 0.15, retrain_epoch: 2,
        pruned_params: 'conv[14]_weights', metric_name: acc_top1}
compressor: {epoch: 4, strategies: [a]}
"""
    )
    np.random.seed(3)
    job = Job(text)
    before = {name: job.value(name) for name in ("conv1_weights", "fc_weights")}
    graph = job.run()
    assert (graph.numel_params(), graph.flops()) == (5450, 421840)
    np.testing.assert_allclose(job.costs[:2], [2.29736, 2.29069], atol=1e-5)
    for name, value in before.items():
        np.testing.assert_array_equal(job.value(name), value)


class Widths(nas.SearchSpace):
    def __init__(self) -> None:
        self.tried: list[list[int]] = []

    def init_tokens(self) -> list[int]:
        return [0, 1, 1]

    def range_table(self) -> list[int]:
        return [3, 3, 3]

    def create_net(self, tokens: list[int]) -> tuple[Any, ...]:
        self.tried.append(list(tokens))
        widths = 4 * (tokens[0] + 1), 8 * (tokens[1] + 1)
        train, startup, _ = programs(widths)
        return startup, train, programs(widths)[0], None, None, reader(1), reader(2)


def test_a_search_for_networks_asks_its_controller() -> None:
    text = """version: 1.0
controllers:
    sa: {class: SAController, reduce_rate: 0.9, init_temperature: 1024, max_iter_number: 300}
strategies:
    light: {class: LightNASStrategy, controller: sa, target_flops: 500000, end_epoch: 3, metric_name: acc_top1, is_server: true,
            search_steps: 3}
compressor: {epoch: 3, strategies: [light]}
"""
    space = Widths()
    job = Job(text, search_space=space)
    np.random.seed(4)
    job.run()
    assert space.tried[:3] == [[0, 1, 1], [0, 1, 0], [0, 1, 1]]


def test_agents_ask_a_server() -> None:
    np.random.seed(0)
    controller = searcher.SAController([7] * 6)
    controller.reset([7] * 6, [1, 2, 3, 4, 5, 6])
    server = nas.ControllerServer(controller, ("127.0.0.1", 0), key="k1")
    server.start()
    agent = nas.SearchAgent("127.0.0.1", server.port(), "k1")
    assert agent.next_tokens() == [1, 2, 3, 3, 5, 6]
    assert agent.update([1, 2, 3, 4, 5, 1], 0.5) == [1, 2, 3, 4, 5, 5]
    assert agent.update([1] * 6, 0.9) == [1, 1, 1, 3, 1, 1]
    with pytest.raises(ValueError, match="`key` of `SearchAgent`"):
        nas.SearchAgent("127.0.0.1", server.port(), "other").update([1] * 6, 1.0)
    server.close()


def test_files_describe_objects() -> None:
    Path("inner.yaml").write_text(
        "version: 1.0\nstrategies:\n  u: {class: UniformPruneStrategy}\ncompressor: {epoch: 7, eval_epoch: 3, strategies: [u]}\n"
    )
    Path("outer.yaml").write_text(
        "version: 1.0\ninclude: [inner.yaml]\nstrategies:\n  w: {class: UniformPruneStrategy, zzz: 1}\ncompressor: {epoch: 5}\n"
    )
    config = core.ConfigFactory("outer.yaml")
    assert config.compressor == {"strategies": [], "epoch": 5, "eval_epoch": 3} and sorted(config.instances) == ["u", "w"]
    assert config.version == 1 and config.instance("none") is None
    for text, error in (("pruners:\n  p: {class: Nope}\n", KeyError), ("pruners:\n  p: {x: 1}\n", KeyError),
                        ("pruners:\n  p: {class: StructurePruner}\n", TypeError)):  # fmt: skip
        Path("bad.yaml").write_text(text)
        with pytest.raises(error):
            core.ConfigFactory("bad.yaml")
    with pytest.raises(AssertionError, match="`config` of `ConfigFactory`"):
        core.ConfigFactory(None)  # type: ignore[arg-type]


def test_results_have_converged_when_they_hardly_differ() -> None:
    context = core.Context(fluid.CPUPlace(), fluid.Scope())
    assert not context.eval_converged("acc")
    for results, near, converged in (([0.1, 0.1005], 0.001, False), ([0.1, 0.1005], 0.01, True), ([10.0, 10.005], 0.001, True)):
        context.eval_results["acc"] = results
        assert context.eval_converged("acc", near) is converged
    context.eval_results["acc"] = [0.0, 0.1]
    with pytest.raises(ZeroDivisionError):
        context.eval_converged("acc")


def test_some_batches_are_kept() -> None:
    from paddle_compat.fluid.contrib.slim.core.compressor import cached_reader

    np.random.seed(0)
    read: list[int] = []

    def batches() -> Iterator[list[int]]:
        for number in range(40):
            read.append(number)
            yield [number]

    some = cached_reader(batches, 0.3, "cache", 0)
    first = list(some())
    assert [number for (number,) in first][:6] == [0, 15, 16, 17, 25, 27] and len(first) == 8
    assert list(some()) == first and len(read) == 40
