"""Record model files as the wheels write them: programs, parameters and pickles, and what the saved models compute.

Each data file holds, as bytes, the files of a folder under their relative names, and as arrays, under `feed/NAME` and
`fetch/NAME`, a feed for the saved models and what the wheel fetches for it.
"""

import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict

import numpy as np

WHEELS = ("1.8.5", "2.6.2", "3.3.1")
Arrays = Dict[str, Any]


def recordings(version: str) -> Dict[str, Callable[[], Arrays]]:
    """One file of model files for each wheel."""
    record = {"1.8.5": record_fluid, "2.6.2": record_static, "3.3.1": record_3}[version]
    return {f"files_{version}.npz": lambda: in_folder(record)}


def in_folder(record: Callable[[], Arrays]) -> Arrays:
    """Run a recording inside an empty folder; give what it returns and the bytes of every file that it wrote."""
    without_call_stacks()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        content = record()
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                content[str(path.relative_to(folder))] = np.frombuffer(path.read_bytes(), np.uint8)
        os.chdir("/")
    return content


def without_call_stacks() -> None:
    """Keep the names of this machine's folders out of the programs: operators record where they were created."""
    import traceback

    traceback.extract_stack = lambda *args, **kwargs: traceback.StackSummary.from_list([])  # type: ignore[assignment]


def samples() -> Arrays:
    """The same batch for every model."""
    random = np.random.RandomState(0)
    return {
        "x": random.rand(5, 4).astype("float32"),
        "y": random.randint(0, 2, (5, 1)).astype("int64"),
        "image": random.rand(2, 3, 8, 8).astype("float32"),
        "ids": random.randint(0, 7, (6, 1)).astype("int64"),
        "n": np.full((1,), 4, "int64"),
    }


def record_fluid() -> Arrays:
    """1.8: `__model__` with separate and combined parameters, `fluid.save`, single tensors, a SelectedRows."""
    import paddle.fluid as fluid
    import saved_fluid
    from paddle.fluid import core

    feed = samples()
    content = {"feed/" + name: value for name, value in feed.items()}
    exe = fluid.Executor(fluid.CPUPlace())

    def programs(build: Callable[[], Any]) -> Any:
        main, startup = fluid.Program(), fluid.Program()
        main.random_seed = startup.random_seed = 7
        with fluid.program_guard(main, startup), fluid.unique_name.guard():
            built = build()
        exe.run(startup)
        return (main, *built)

    def predict(name: str, folder: str, value: Any, *files: Any) -> None:
        program, names, targets = fluid.io.load_inference_model(folder, exe, *files)
        content["fetch/" + name] = exe.run(program, feed={names[0]: value}, fetch_list=targets)[0]

    main, names, targets, loss = programs(saved_fluid.mlp)
    batch = {name: feed[name] for name in "xy"}
    exe.run(main, feed=batch, fetch_list=[loss])
    fluid.save(main, "mlp")
    content["fetch/mlp_losses"] = np.array([exe.run(main, feed=batch, fetch_list=[loss])[0] for _ in range(3)])
    fluid.load(main, "mlp", exe)
    fluid.io.save_persistables(exe, "persistables", main)
    fluid.io.save_params(exe, "params", main, filename="all")
    for folder, files in (("mlp_separate", ()), ("mlp_combined", ("model", "params"))):
        with fluid.unique_name.guard():
            fluid.io.save_inference_model(folder, names, targets, exe, main, *files)
    predict("mlp", "mlp_separate", feed["x"])
    for name, params in (("convolution", "params"), ("sequence", None), ("loop", None)):
        main, names, targets = programs(getattr(saved_fluid, name))
        with fluid.unique_name.guard():
            fluid.io.save_inference_model(name, names, targets, exe, main, None, params)
        value = feed[names[0]]
        if name == "sequence":
            value = fluid.create_lod_tensor(value, [[2, 1, 3]], fluid.CPUPlace())
        predict(name, name, value, None, params)

    scope = fluid.global_scope()
    saver = fluid.Program()
    block = saver.global_block()
    value = scope.var("lod_tensor").get_tensor()
    value.set(np.arange(10, dtype="int64").reshape(5, 2), fluid.CPUPlace())
    value.set_recursive_sequence_lengths([[1, 2], [2, 1, 2]])
    rows = scope.var("selected_rows").get_selected_rows()
    rows.set_height(6)
    rows.set_rows([4, 1])
    rows.get_tensor().set(np.arange(6, dtype="float32").reshape(2, 3), fluid.CPUPlace())
    for name, kind in (("lod_tensor", "LOD_TENSOR"), ("selected_rows", "SELECTED_ROWS")):
        var = block.create_var(name=name, type=getattr(core.VarDesc.VarType, kind), persistable=True)
        block.append_op(type="save", inputs={"X": [var]}, outputs={}, attrs={"file_path": "tensors/" + name})
    exe.run(saver)
    return content


def record_static() -> Arrays:
    """2.6: `.pdmodel` and `.pdiparams`, `static.save`, tensors of every type, pickles of `paddle.save`."""
    import paddle
    from paddle import static

    paddle.enable_static()
    import saved_static

    feed = samples()
    content = {"feed/" + name: value for name, value in feed.items()}
    exe = static.Executor(paddle.CPUPlace())
    batch = {name: feed[name] for name in "xy"}

    def programs(build: Callable[[], Any]) -> Any:
        paddle.seed(7)
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup), paddle.utils.unique_name.guard():
            built = build()
        exe.run(startup)
        return (main, *built)

    for name in ("line", "mlp", "convolution", "loop"):
        with static.scope_guard(static.Scope()):
            main, inputs, outputs, *loss = programs(getattr(saved_static, name))
            if loss:
                exe.run(main, feed=batch, fetch_list=loss)
                static.save(main, name + "_train")
                losses = [exe.run(main, feed=batch, fetch_list=loss)[0] for _ in range(3)]
                content[f"fetch/{name}_losses"] = np.array(losses)
                static.load(main, name + "_train", exe)
            with paddle.utils.unique_name.guard():
                static.save_inference_model(name, inputs, outputs, exe, program=main)
            if name == "mlp":
                static.save_inference_model("mlp_unclipped", inputs, outputs, exe, program=main, clip_extra=False)
            program, names, targets = static.load_inference_model(name, exe)
            content["fetch/" + name] = exe.run(program, feed={names[0]: feed[names[0]]}, fetch_list=targets)[0]

    scope = static.global_scope()
    types = ["bool", "int16", "int32", "int64", "float16", "float32", "float64", "uint8", "int8", "uint16", "complex64"]
    saver = static.Program()
    variables = []
    for name in types + ["scalar"]:
        value = np.float32(2.5) if name == "scalar" else (np.arange(6) % 2 * 3).astype(name).reshape(2, 3)
        scope.var(name).get_tensor().set(value, paddle.CPUPlace())
        dtype = {"uint16": "bfloat16", "scalar": "float32"}.get(name, name)
        variables.append(saver.global_block().create_var(name=name, shape=value.shape, dtype=dtype, persistable=True))
    static.io.save_vars(exe, "tensors", saver, variables, filename="combined")

    paddle.disable_static()
    paddle.seed(7)
    layer = paddle.nn.Linear(2, 3)
    optimizer = paddle.optimizer.Adam(paddle.optimizer.lr.StepDecay(0.1, 3), parameters=layer.parameters())
    layer(paddle.ones([2, 2])).mean().backward()
    optimizer.step()
    for protocol in (2, 4):
        prefix = f"pickles/{protocol}"
        paddle.save(layer.state_dict(), prefix + ".pdparams", protocol=protocol)
        paddle.save(optimizer.state_dict(), prefix + ".pdopt", protocol=protocol)
        nested = {"a": paddle.ones([2]).astype("bfloat16"), "b": (1, "x", 2.5, None)}
        mixed = [layer.bias, nested, np.float32(2), np.arange(3)]
        paddle.save(mixed, prefix + ".mixed", protocol=protocol)
    paddle.enable_static()
    paddle.save(scope.find_var("float32").get_tensor(), "pickles/4.tensor")
    return content


def record_3() -> Arrays:
    """3.3: parameters beside a program of the new kind, and the old kind of program, which it can still write."""
    import paddle
    from paddle import static

    paddle.enable_static()
    feed = samples()
    content: Arrays = {"feed/x": feed["x"]}

    def mlp(name: str) -> None:
        paddle.seed(7)
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup), paddle.utils.unique_name.guard():
            x = static.data("x", [None, 4])
            prediction = static.nn.fc(static.nn.fc(x, 3, activation="relu"), 2, activation="softmax")
        exe = static.Executor(paddle.CPUPlace())
        exe.run(startup)
        static.save_inference_model(name, [x], [prediction], exe, program=main)
        content["fetch/" + name] = exe.run(main, feed={"x": feed["x"]}, fetch_list=[prediction])[0]

    mlp("new")
    with paddle.pir_utils.OldIrGuard():
        mlp("old")
    paddle.disable_static()
    paddle.seed(7)
    paddle.save(paddle.nn.Linear(2, 3).state_dict(), "pickles/4.pdparams")
    return content
