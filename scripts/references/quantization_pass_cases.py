"""Programs that passes rewrite so that products see rounded operands: quantization_passes_<version>.json.gz is {case: answer}."""

from __future__ import annotations

import importlib
import re
from typing import Any, Callable

import numpy as np

WHEELS = ("1.8.5", "2.6.2")
WAYS = {
    "1.8.5": [("abs_max", "abs_max"), ("moving_average_abs_max", "channel_wise_abs_max"), ("range_abs_max", "abs_max")],
    "2.6.2": [("abs_max", "abs_max"), ("moving_average_abs_max", "channel_wise_abs_max")],  # its range_abs_max raises
}
_NUMBERS = re.compile(r"\b(accum|state|scale_accum@|scale_state@|channel_scale|scales|quant_dequant\.accum|quant_dequant\.state)_\d+")


def network(package: str, old: bool) -> Any:
    """Records a small network: its prediction and its loss."""
    if old:
        fluid = importlib.import_module(f"{package}.fluid")
        layers = fluid.layers
        x, y = fluid.data("x", [None, 1, 8, 8]), fluid.data("y", [None, 1], "int64")
        first = layers.conv2d(x, num_filters=4, filter_size=3, padding=1, act="relu")
        second = layers.batch_norm(layers.conv2d(first, num_filters=4, filter_size=1, bias_attr=False))
        out = layers.fc(layers.pool2d(layers.elementwise_add(first, second), 2, "max", 2), 5, act="softmax")
        return out, layers.mean(layers.cross_entropy(out, y))
    paddle = importlib.import_module(package)
    static = paddle.static
    x, y = static.data("x", [None, 1, 8, 8]), static.data("y", [None, 1], "int64")
    first = static.nn.conv2d(x, num_filters=4, filter_size=3, padding=1, act="relu")
    second = static.nn.batch_norm(static.nn.conv2d(first, num_filters=4, filter_size=1, bias_attr=False))
    out = static.nn.fc(paddle.nn.functional.max_pool2d(paddle.add(first, second), 2, 2), 5, activation="softmax")
    return out, paddle.mean(paddle.nn.functional.cross_entropy(out, y, use_softmax=False, reduction="none"))


def described(program: Any) -> list[Any]:
    """The operators of a Program, but for their order and the numbers of states, and the persistable variables."""
    kept = ("bit_length", "quant_axis", "is_test", "quant_bits", "window_size", "quantization_type")
    rounding = ("fake_", "quantize", "dequantize", "moving_average")
    rows = []
    for op in program.global_block().ops:
        slots = [{slot: of(slot) for slot in names if of(slot)} for names, of in ((op.input_names, op.input), (op.output_names, op.output))]
        of_rounding = op.type.startswith(rounding)
        attrs = {n: op.attr(n) for n in kept if n in op.attr_names and (of_rounding or n == "quantization_type")}
        attrs.pop("quant_axis", None) if "x_num_col_dims" not in op.attr_names and "dequantize" in op.type else None
        rows.append(_NUMBERS.sub(r"\1", repr([op.type, *[sorted(part.items()) for part in slots], sorted(attrs.items())])))
    held = sorted(v.name for v in program.list_vars() if v.persistable and v.name not in ("feed", "fetch"))
    return [sorted(rows), [_NUMBERS.sub(r"\1", name) for name in held]]


def rewritten(package: str, version: str, activations: str, weights: str) -> list[Any]:
    """Train, freeze and shrink a rewritten network."""
    old = version == "1.8.5"
    home = importlib.import_module(f"{package}.fluid" if old else f"{package}.static")
    framework = importlib.import_module(f"{package}.fluid.framework" if old else f"{package}.base.framework")
    core = importlib.import_module(f"{package}.fluid.core" if old else f"{package}.base.core")
    passes = importlib.import_module(f"{package}.fluid.contrib.slim.quantization" if old else f"{package}.static.quantization")
    optimizers = importlib.import_module(f"{package}.fluid.optimizer" if old else f"{package}.optimizer")
    guard = importlib.import_module(f"{package}.fluid.unique_name" if old else f"{package}.utils.unique_name").guard
    place, scope, draw = core.CPUPlace(), core.Scope(), np.random.RandomState(0)
    feed, run = {"x": draw.rand(6, 1, 8, 8).astype("float32"), "y": np.arange(6).reshape(6, 1) % 5}, home.Executor(place)
    with guard(), home.scope_guard(scope):
        main, startup = home.Program(), home.Program()
        main.random_seed = startup.random_seed = 4
        with home.program_guard(main, startup):
            out, loss = network(package, old)
            test = main.clone(for_test=True)
            optimizers.SGD(0.05).minimize(loss)
        run.run(startup)
        training = framework.IrGraph(core.Graph(main.desc), for_test=False)
        testing = framework.IrGraph(core.Graph(test.desc), for_test=True)
        settings = {"activation_quantize_type": activations, "weight_quantize_type": weights, "window_size": 1}
        transform = passes.QuantizationTransformPass(scope=scope, place=place, **settings)
        add = passes.AddQuantDequantPass(scope=scope, place=place)
        for graph in (training, testing):
            transform.apply(graph)
            add.apply(graph)
        found = [described(training.to_program()), described(testing.to_program())]
        passes.OutScaleForTrainingPass(scope=scope, place=place).apply(training)
        program = training.to_program()
        losses = [np.asarray(run.run(program, feed=feed, fetch_list=[loss.name])[0]).reshape(-1)[0] for _ in range(3)]
        watched = ("conv2d_1.tmp_0@scale", "fc_0.tmp_0@scale", "fc_0.tmp_2@scale")
        scales = [float(np.array(scope.find_var(name).get_tensor())[0]) for name in watched]
        passes.OutScaleForInferencePass(scope=scope).apply(testing)
        noted = sorted(node.op().attr("out_threshold") for node in testing.all_op_nodes() if node.op().has_attr("out_threshold"))
        passes.QuantizationFreezePass(scope=scope, place=place, weight_quantize_type=weights).apply(testing)
        frozen = testing.to_program()
        answers = run.run(frozen, feed=feed, fetch_list=[out.name])[0]
        weight = np.array(scope.find_var("fc_0.w_0").get_tensor())[:2]
        passes.ConvertToInt8Pass(scope=scope, place=place).apply(testing)
        small = testing.to_program()
        kinds = [str(np.array(scope.find_var(v.name).get_tensor()).dtype) for v in small.list_vars() if v.name.endswith(".int8")]
        passes.TransformForMobilePass().apply(testing)
        mobile = sorted(op.type for op in testing.to_program().global_block().ops)
    return [found, losses, scales, noted if old else None, described(frozen), np.asarray(answers), weight, described(small), kinds, mobile]


def plain(value: Any) -> Any:
    """Lists and numbers."""
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return plain(value.tolist()) if isinstance(value, (np.ndarray, np.generic)) else value


def answers(package: str, version: str) -> dict[str, Any]:
    """What each way gives."""
    if version != "1.8.5":
        importlib.import_module(package).enable_static()
    return {" ".join(way): plain(rewritten(package, version, *way)) for way in WAYS[version]}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"quantization_passes_{version}.json.gz": lambda: answers("paddle", version)}
