"""Saved models that are rounded by what some batches show: post_training_<version>.json.gz is {case: answer}."""

from __future__ import annotations

import importlib
import re
import tempfile
from typing import Any, Callable

import numpy as np
from quantization_pass_cases import network, plain

WHEELS = ("1.8.5", "2.6.2")
WAYS: dict[str, dict[str, dict[str, Any]]] = {
    "1.8.5": {
        "abs_max": {"algo": "abs_max"},
        "KL, some operators": {"algo": "KL", "quantizable_op_type": ["conv2d", "mul", "pool2d", "elementwise_add"]},
        "all operators": {"algo": "abs_max", "is_full_quantize": True, "weight_quantize_type": "abs_max", "batches": True},
        "min_max": {"algo": "min_max"},
    },
    "2.6.2": {
        **{algo: {"algo": algo} for algo in ("abs_max", "KL", "hist", "mse", "emd", "avg", "min_max", "ptf")},
        "ONNX": {"algo": "abs_max", "onnx_format": True},
        "ONNX, all operators": {"algo": "avg", "onnx_format": True, "is_full_quantize": True, "weight_quantize_type": "abs_max"},
        "all operators": {"algo": "abs_max", "is_full_quantize": True, "activation_quantize_type": "moving_average_abs_max"},
        "some operators": {"algo": "KL", "quantizable_op_type": ["mul", "pool2d"], "weight_bits": 4, "activation_bits": 4},
        "skipped": {"algo": "avg", "skip_tensor_list": ["conv2d_0.w_0"], "same_scale_tensor_list": [["x", "conv2d_0.tmp_2"]]},
        "not frozen": {"algo": "avg", "freeze_model": False},
        "adaround": {"algo": "abs_max", "round_type": "adaround"},
        "TensorRT": {"algo": "abs_max", "onnx_format": True, "deploy_backend": "TensorRT"},
        "oneDNN": {"algo": "abs_max", "deploy_backend": "mkldnn", "quantizable_op_type": ["conv2d"]},
        "ARM": {"algo": "abs_max", "onnx_format": True, "deploy_backend": "arm", "is_full_quantize": True},
        "optimized": {"algo": "abs_max", "optimize_model": True},
    },
}
LINEAR = {"V2, channels": ("channel_wise_abs_max", True), "V2, floats": ("abs_max", False)}
_NOTES = ("threshold", "bit_length", "quant_axis", "quant_bits", "quantization_type", "activation_bits", "only_observer", "max_range")
_NUMBERS = re.compile(r"(channel_scale|save_infer_model/scale)_\d+(\.tmp_\d+)?")


def saved(package: str, old: bool, folder: str) -> Any:
    """Saves a small network; gives an executor."""
    home = importlib.import_module(f"{package}.fluid" if old else f"{package}.static")
    guard = importlib.import_module(f"{package}.fluid.unique_name" if old else f"{package}.utils.unique_name").guard
    place, draw, scope = home.cpu_places(1)[0], np.random.RandomState(0), home.global_scope()
    main, startup, run = home.Program(), home.Program(), home.Executor(place)
    with guard(), home.program_guard(main, startup):
        out, _ = network(package, old)
    run.run(startup)
    main = main.clone(for_test=True)
    for name in sorted(p.name for p in main.all_parameters()):
        tensor = scope.find_var(name).get_tensor()
        shape = np.array(tensor).shape
        value = draw.rand(*shape) + 0.5 if name.startswith("batch_norm") else draw.randn(*shape) * 0.5
        tensor.set(value.astype("float32"), place)
    if old:
        home.io.save_inference_model(folder, ["x"], [main.global_block().var(out.name)], run, main, "m.pdmodel", "m.pdiparams")
    else:
        block = main.global_block()
        home.save_inference_model(folder + "/m", [block.var("x")], [block.var(out.name)], run, program=main)
    return run


def described(program: Any, scope: Any) -> list[Any]:
    """The operators with what is noted on them, sorted, and the persistable variables."""
    rows = []
    for op in program.global_block().ops:
        if op.type in ("feed", "fetch", "scale"):  # how a program is saved is no matter here
            continue
        both = (op.input_names, op.input), (op.output_names, op.output)
        slots = [sorted((slot, of(slot)) for slot in there if of(slot)) for there, of in both]
        notes = {n: op.attr(n) for n in op.attr_names if any(note in n for note in _NOTES) and n != "fuse_brelu_threshold"}
        notes.pop("quant_axis", None) if "fake_channel_wise_dequantize" in op.type else None
        numbers = [[name, float(value)] for name, value in sorted(notes.items()) if isinstance(value, float)]
        others = [[name, value] for name, value in sorted(notes.items()) if not isinstance(value, float)]
        rows.append([_NUMBERS.sub(r"\1", repr([op.type, *slots, others])), numbers])
    held = []
    for var in program.list_vars():
        if var.persistable and var.name not in ("feed", "fetch"):
            value = np.array(scope.find_var(var.name).get_tensor())
            row = [_NUMBERS.sub(r"\1", var.name), str(value.dtype), value.size]
            held.append([*row, float(np.abs(value.astype("float64")).sum())])
    return [sorted(rows), sorted(held)]


def rounded(package: str, version: str, way: dict[str, Any]) -> list[Any]:
    """Round a saved network, save it, and read it again."""
    old, way = version == "1.8.5", dict(way)
    home = importlib.import_module(f"{package}.fluid" if old else f"{package}.static")
    passes = importlib.import_module(f"{package}.fluid.contrib.slim.quantization" if old else f"{package}.static.quantization")
    draw = np.random.RandomState(3)
    images = [draw.randn(1, 8, 8).astype("float32") for _ in range(20)]
    with tempfile.TemporaryDirectory() as folder:
        with home.scope_guard(home.Scope() if old else importlib.import_module(f"{package}.base.core").Scope()):
            run = saved(package, old, folder)
        scope = home.Scope() if old else importlib.import_module(f"{package}.base.core").Scope()
        with home.scope_guard(scope):
            if old and way.pop("batches", False):
                way["batch_generator"] = lambda: ([np.stack(images[i : i + 5])] for i in range(0, 20, 5))
            elif old:
                way["sample_generator"] = lambda: ((image,) for image in images)
            else:
                io = importlib.import_module(f"{package}.io")
                with home.program_guard(home.Program()):
                    x = home.data("x", [None, 1, 8, 8])

                class Images(io.Dataset):  # type: ignore[name-defined]
                    def __len__(self) -> int:
                        return len(images)

                    def __getitem__(self, place: int) -> Any:
                        return (images[place],)

                way["data_loader"] = io.DataLoader(Images(), feed_list=[x], places=home.cpu_places(1), batch_size=5, return_list=False)
            rounding = passes.PostTrainingQuantization(
                executor=run, model_dir=folder, model_filename="m.pdmodel", params_filename="m.pdiparams", scope=scope, batch_size=5,
                batch_nums=3, **way,
            )  # fmt: skip
            rounding.quantize()
            rounding.save_quantized_model(folder + "/q", "q.pdmodel", "q.pdiparams")
        scope = home.Scope() if old else importlib.import_module(f"{package}.base.core").Scope()
        with home.scope_guard(scope):
            if old:
                program, feeds, fetches = home.io.load_inference_model(folder + "/q", run, "q.pdmodel", "q.pdiparams")
            else:
                program, feeds, fetches = home.load_inference_model(folder + "/q/q", run)
            answer = run.run(program, feed={feeds[0]: np.stack(images[:2])}, fetch_list=fetches)[0]
            return [*described(program, scope), np.asarray(answer)]


def linear(package: str, weights: str, ints: bool) -> list[Any]:
    """Train a network that ONNX's operators round, and have it for inference."""
    home, framework, core, passes, optimizers, unique = (
        importlib.import_module(f"{package}.{module}")
        for module in ("static", "base.framework", "base.core", "static.quantization", "optimizer", "utils.unique_name")
    )
    place, scope, draw, found = core.CPUPlace(), core.Scope(), np.random.RandomState(0), []
    feed, run = {"x": draw.rand(6, 1, 8, 8).astype("float32"), "y": np.arange(6).reshape(6, 1) % 5}, home.Executor(place)
    with unique.guard(), home.scope_guard(scope):
        main, startup = home.Program(), home.Program()
        main.random_seed = startup.random_seed = 4
        with home.program_guard(main, startup):
            out, loss = network(package, False)
            test = main.clone(for_test=True)
            optimizers.SGD(0.05).minimize(loss)
        run.run(startup)
        graphs = [framework.IrGraph(core.Graph(each.desc), for_test=each is test) for each in (main, test)]
        for graph, is_test in zip(graphs, (False, True)):
            settings = {"scope": scope, "place": place, "is_test": is_test}
            passes.QuantizationTransformPassV2(
                activation_quantize_type="moving_average_abs_max", weight_quantize_type=weights, **settings
            ).apply(graph)
            passes.AddQuantDequantPassV2(quantizable_op_type=["elementwise_add", "pool2d"], **settings).apply(graph)
        passes.OutScaleForTrainingPass(scope=scope, place=place).apply(graphs[0])
        program = graphs[0].to_program()
        losses = [np.asarray(run.run(program, feed=feed, fetch_list=[loss.name])[0]).reshape(-1)[0] for _ in range(3)]
        passes.OutScaleForInferencePass(scope=scope).apply(graphs[1])
        passes.QuantWeightPass(scope, place, save_int_weight=ints).apply(graphs[1])
        found.append(described(graphs[1].to_program(), scope))
        passes.AddQuantDequantForInferencePass(scope, place, only_observer=ints).apply(graphs[1])
        program = graphs[1].to_program()
        found.append([described(program, scope), losses, run.run(program, feed=feed, fetch_list=[out.name])[0]])
        graph = framework.IrGraph(core.Graph(test.desc), for_test=True)
        passes.AddQuantDequantPass(scope=scope, place=place, is_test=True).apply(graph)
        passes.ReplaceFakeQuantDequantPass(scope, place).apply(graph)
        return [*found, described(graph.to_program(), scope)]


def names(version: str) -> list[str]:
    """The cases."""
    return [*WAYS[version], *(LINEAR if version != "1.8.5" else ())]


def answer(package: str, version: str, name: str) -> list[Any]:
    """What a case gives."""
    return linear(package, *LINEAR[name]) if name in LINEAR else rounded(package, version, WAYS[version][name])


def answers(package: str, version: str) -> dict[str, Any]:
    """What each way gives."""
    if version != "1.8.5":
        importlib.import_module(package).enable_static()
    return {name: plain(answer(package, version, name)) for name in names(version)}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"post_training_{version}.json.gz": lambda: answers("paddle", version)}
