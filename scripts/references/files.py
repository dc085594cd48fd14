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
    from paddle.fluid import core, layers

    feed = samples()
    content = {"feed/" + name: value for name, value in feed.items()}
    exe = fluid.Executor(fluid.CPUPlace())

    def programs(build: Callable[[], Any]) -> Any:
        main, startup = fluid.Program(), fluid.Program()
        main.random_seed = startup.random_seed = 7
        with fluid.program_guard(main, startup), fluid.unique_name.guard():
            built = build()
        exe.run(startup)
        return main, built

    def mlp() -> Any:
        x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1], "int64")
        hidden = layers.dropout(layers.fc(x, 3, act="relu"), 0.3)
        prediction = layers.fc(hidden, 2, act="softmax")
        loss = layers.mean(layers.cross_entropy(prediction, y))
        fluid.optimizer.Adam(0.01).minimize(loss)
        return prediction, loss

    main, (prediction, loss) = programs(mlp)
    exe.run(main, feed={name: feed[name] for name in "xy"}, fetch_list=[loss])
    fluid.save(main, "mlp")
    batch = {name: feed[name] for name in "xy"}
    content["fetch/mlp_losses"] = np.array([exe.run(main, feed=batch, fetch_list=[loss])[0] for _ in range(3)])
    fluid.io.save_persistables(exe, "persistables", main)
    fluid.io.save_params(exe, "params", main, filename="all")
    fluid.io.save_inference_model("mlp_separate", ["x"], [prediction], exe, main)
    fluid.io.save_inference_model("mlp_combined", ["x"], [prediction], exe, main, "model", "params")
    program, names, targets = fluid.io.load_inference_model("mlp_separate", exe)
    content["fetch/mlp"] = exe.run(program, feed={"x": feed["x"]}, fetch_list=targets)[0]

    def convolution() -> Any:
        image = fluid.data("image", [None, 3, 8, 8])
        maps = layers.batch_norm(layers.conv2d(image, 4, 3, padding=1), act="relu")
        pooled = layers.pool2d(maps, 2, "max", 2)
        return layers.fc(pooled, 2)

    main, prediction = programs(convolution)
    fluid.io.save_inference_model("convolution", ["image"], [prediction], exe, main, None, "params")
    program, names, targets = fluid.io.load_inference_model("convolution", exe, None, "params")
    content["fetch/convolution"] = exe.run(program, feed={"image": feed["image"]}, fetch_list=targets)[0]

    def sequence() -> Any:
        ids = fluid.data("ids", [None, 1], "int64", lod_level=1)
        return layers.fc(layers.sequence_pool(layers.embedding(ids, [7, 3]), "max"), 2)

    main, prediction = programs(sequence)
    fluid.io.save_inference_model("sequence", ["ids"], [prediction], exe, main)
    tensor = fluid.create_lod_tensor(feed["ids"], [[2, 1, 3]], fluid.CPUPlace())
    program, names, targets = fluid.io.load_inference_model("sequence", exe)
    content["fetch/sequence"] = exe.run(program, feed={"ids": tensor}, fetch_list=targets)[0]

    def loop() -> Any:
        n = fluid.data("n", [1], "int64")
        i, total = layers.fill_constant([1], "int64", 0), layers.fill_constant([1], "float32", 1)
        condition = layers.less_than(i, n)
        block = layers.While(condition)
        with block.block():
            layers.assign(layers.scale(total, 1.5), total)
            layers.increment(i, 1)
            layers.less_than(i, n, cond=condition)
        return total

    main, total = programs(loop)
    fluid.io.save_inference_model("loop", ["n"], [total], exe, main)
    program, names, targets = fluid.io.load_inference_model("loop", exe)
    content["fetch/loop"] = exe.run(program, feed={"n": feed["n"]}, fetch_list=targets)[0]

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
    from paddle.nn import functional

    paddle.enable_static()
    feed = samples()
    content = {"feed/" + name: value for name, value in feed.items()}
    exe = static.Executor(paddle.CPUPlace())

    def programs(build: Callable[[], Any]) -> Any:
        paddle.seed(7)
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup), paddle.utils.unique_name.guard():
            built = build()
        exe.run(startup)
        return main, built

    def record(name: str, feed_name: str, build: Callable[[], Any]) -> None:
        main, (inputs, outputs) = programs(build)
        static.save_inference_model(name, inputs, outputs, exe, program=main)
        program, names, targets = static.load_inference_model(name, exe)
        content["fetch/" + name] = exe.run(program, feed={feed_name: feed[feed_name]}, fetch_list=targets)[0]

    def mlp() -> Any:
        x, y = static.data("x", [None, 4]), static.data("y", [None, 1], "int64")
        hidden = functional.dropout(static.nn.fc(x, 3, activation="relu"), 0.3)
        prediction = static.nn.fc(hidden, 2, activation="softmax")
        loss = paddle.mean(functional.cross_entropy(prediction, y, use_softmax=False))
        paddle.optimizer.Adam(0.01).minimize(loss)
        return x, prediction, loss

    main, (x, prediction, loss) = programs(mlp)
    exe.run(main, feed={name: feed[name] for name in "xy"}, fetch_list=[loss])
    static.save(main, "mlp_train")

    def line() -> Any:
        x, y = static.data("x", [None, 4]), static.data("y", [None, 1], "int64")
        loss = paddle.mean(functional.square_error_cost(static.nn.fc(x, 1), paddle.cast(y, "float32")))
        paddle.optimizer.Momentum(0.1, 0.9).minimize(loss)
        return loss

    with static.scope_guard(static.Scope()):
        line_main, line_loss = programs(line)
        batch = {name: feed[name] for name in "xy"}
        exe.run(line_main, feed=batch, fetch_list=[line_loss])
        static.save(line_main, "line")
        losses = [exe.run(line_main, feed=batch, fetch_list=[line_loss])[0] for _ in range(3)]
    content["fetch/line_losses"] = np.array(losses)
    static.save_inference_model("mlp_unclipped", [x], [prediction], exe, program=main, clip_extra=False)
    static.save_inference_model("mlp", [x], [prediction], exe, program=main)
    program, names, targets = static.load_inference_model("mlp", exe)
    content["fetch/mlp"] = exe.run(program, feed={"x": feed["x"]}, fetch_list=targets)[0]

    def convolution() -> Any:
        image = static.data("image", [None, 3, 8, 8])
        maps = static.nn.batch_norm(static.nn.conv2d(image, 4, 3, padding=1), act="relu")
        return [image], [static.nn.fc(functional.max_pool2d(maps, 2), 2)]

    record("convolution", "image", convolution)

    def loop() -> Any:
        n = static.data("n", [1], "int64")
        i, total = paddle.full([1], 0, "int64"), paddle.full([1], 1.0)
        total = static.nn.while_loop(lambda i, _: i < n, lambda i, total: [i + 1, total * 1.5], [i, total])[1]
        return [n], [static.nn.cond(n > 3, lambda: total + 1, lambda: total - 1)]

    record("loop", "n", loop)

    scope = static.global_scope()
    names = ["bool", "int16", "int32", "int64", "float16", "float32", "float64", "uint8", "int8", "uint16", "complex64"]
    saver = static.Program()
    variables = []
    for name in names + ["scalar"]:
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
