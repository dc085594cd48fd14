"""declarative, ProgramTranslator and TracedLayer of Paddle 1.8 do in Programs what eager mode does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import Runner

import paddle_compat.fluid as fluid
from paddle_compat.fluid.dygraph import ProgramTranslator, TracedLayer, declarative, to_variable


class Net(fluid.dygraph.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = fluid.dygraph.Linear(4, 3, act="relu")
        self.bn = fluid.dygraph.BatchNorm(3)
        self.out = fluid.dygraph.Linear(3, 2)

    @declarative
    def forward(self, x: Any) -> Any:
        h = self.bn(self.fc(x))
        if fluid.layers.reduce_mean(h) > 0.1:
            h = h * 2
        i = fluid.layers.fill_constant([1], "int32", 0)
        while i < 2:
            h = h + 1
            i += 1
        return self.out(h)


def losses(enabled: bool) -> list[np.ndarray]:
    """Three steps of training, then inference."""
    ProgramTranslator().enable(enabled)
    found = []
    with fluid.dygraph.guard():
        fluid.default_startup_program().random_seed = fluid.default_main_program().random_seed = 1
        net = Net()
        optimizer = fluid.optimizer.SGD(0.1, parameter_list=net.parameters())
        x = to_variable(np.random.RandomState(0).randn(5, 4).astype("float32"))
        for _ in range(3):
            y = net(x)
            loss = fluid.layers.mean(y * y)
            loss.backward()
            optimizer.minimize(loss)
            net.clear_gradients()
            found.append(loss.numpy())
        net.eval()
        found.append(net(x).numpy())
        net.train()
    return found


def test_training_gives_eager_losses() -> None:
    try:
        assert all(np.array_equal(a, b) for a, b in zip(losses(True), losses(False)))
    finally:
        ProgramTranslator.reset()


def dropped(x: Any) -> Any:
    return fluid.layers.dropout(x, 0.5)


def test_the_seed_of_the_default_program_counts_in_a_recording() -> None:
    with fluid.dygraph.guard():
        fluid.default_main_program().random_seed = 90
        x = to_variable(np.ones([40], "float32"))
        eager, recorded = dropped(x), declarative(dropped)(x)
        assert 0 < eager.numpy().sum() < 40
        assert eager.numpy().tolist() == recorded.numpy().tolist()
        main, startup, _, _ = ProgramTranslator().get_program(dropped, x)
        assert (main.random_seed, startup.random_seed) == (90, fluid.default_startup_program().random_seed)


def flip(x: Any) -> Any:
    if fluid.layers.reduce_sum(x) > 0:
        x = x * 2
    return x


def test_program_translator() -> None:
    translator = ProgramTranslator()
    with fluid.dygraph.guard():
        out = translator.get_output(flip, to_variable(np.ones([2, 3], "float32")))
        assert type(out) is fluid.core.VarBase and out.numpy().tolist() == [[2.0] * 3] * 2
        main, _, inputs, outputs = translator.get_program(flip, to_variable(np.ones([2, 3], "float32")))
    assert [op.type for op in main.global_block().ops][0] == "reduce_sum" and main.age == 1
    assert len(inputs) == len(outputs) == 1 and len(translator.get_program_cache()) == 1
    assert "_jst.IfElse" in translator.get_code(flip)
    with fluid.program_guard(fluid.Program()):
        out = translator.get_func(flip)(fluid.data("x", [2]))
        exe = fluid.Executor(fluid.CPUPlace())
        assert exe.run(feed={"x": np.ones(2, "float32")}, fetch_list=[out])[0].tolist() == [2.0, 2.0]
    for method in (translator.get_output, translator.get_func, translator.get_code, translator.get_program):
        with pytest.raises(AssertionError, match="dygraph_func"):
            method(3)  # type: ignore[arg-type, operator]


def test_numbers_that_a_loop_counts_with_have_one_element() -> None:
    def counted(x: Any) -> Any:
        n = 0
        while fluid.layers.reduce_sum(x) < 8 and n < 3:
            x = x * 2
            n = n + 1
        return x, n, "not a Variable", None

    with fluid.dygraph.guard():
        found = declarative(counted)(to_variable(np.ones([1], "float32")))
        # 1.8.5 gives the Variables of what is returned in a list
        assert type(found) is list and [(v.numpy().tolist(), v.numpy().dtype) for v in found] == [([8.0], "float32"), ([3], "int64")]
        assert declarative(lambda x: None)(to_variable(np.ones([1], "float32"))) == []
        assert declarative(lambda x: (x * 3, 4))(to_variable(np.ones([1], "float32"))).numpy().tolist() == [3.0]
        _, _, inputs, _ = ProgramTranslator().get_program(counted, to_variable(np.ones([1], "float32")))
    assert [v.name for v in inputs] == ["feed_0"]


def test_the_translator_of_a_script_of_1_8_does_not_choose_eager_mode(full: Runner) -> None:
    script = """
import numpy as np
import paddle.fluid as fluid
from paddle.fluid.dygraph import ProgramTranslator, declarative, dygraph_to_static_func, to_variable
try:
    ProgramTranslator().enable(1)
except TypeError:
    print("refused")
ProgramTranslator.reset()
try:
    ProgramTranslator().save_inference_model("nowhere")
except AssertionError:
    print("nothing to save")
def doubled(x):
    x = fluid.layers.assign(x)
    if fluid.layers.mean(x) > 0:
        x = x * 2
    return x
print(fluid.in_dygraph_mode(), type(dygraph_to_static_func(doubled)(np.ones(2, "float32"))).__name__)
with fluid.dygraph.guard():
    print(type(declarative(doubled)(to_variable(np.ones(2, "float32")))) is fluid.core.VarBase)
"""
    full.write({"old.py": script})  # whose functions have a source
    found = full.output("-m", "paddle_compat", "old.py")
    assert found.splitlines() == ["refused", "nothing to save", "False Variable", "True"]


def test_traced_layer(tmp_path: Path) -> None:
    x = np.random.RandomState(1).randn(5, 4).astype("float32")
    with fluid.dygraph.guard():
        net = fluid.dygraph.Linear(4, 2, act="tanh")
        out, traced = TracedLayer.trace(net, [to_variable(x)])
        assert np.array_equal(traced([to_variable(x)])[0], out.numpy())
        with pytest.raises(AssertionError):
            TracedLayer.trace(3, [to_variable(x)])
        with pytest.raises(TypeError):
            TracedLayer.trace(net, [x])
    assert [op.type for op in traced.program.global_block().ops] == ["matmul", "elementwise_add", "tanh"]
    traced.save_inference_model(str(tmp_path), feed=[0], fetch=[0])
    assert "__model__" in os.listdir(tmp_path)
    exe = fluid.Executor(fluid.CPUPlace())
    program, feeds, fetches = fluid.io.load_inference_model(str(tmp_path), exe)
    assert np.allclose(exe.run(program, feed={feeds[0]: x}, fetch_list=fetches)[0], out.numpy(), atol=1e-6)


def test_entries_of_a_list_that_a_loop_fills_are_written_in_a_program() -> None:
    def doubled_first(x: Any) -> Any:
        found = []
        for _ in range(fluid.layers.fill_constant([1], "int32", 3)):
            found.append(x)
        found[0] = x * 2
        return found

    main = fluid.Program()
    with fluid.program_guard(main):
        made = fluid.dygraph.dygraph_to_static_func(doubled_first)(fluid.layers.assign(np.ones([1, 2], "float32")))
        joined = fluid.layers.concat(made, axis=0)
    (out,) = fluid.Executor(fluid.CPUPlace()).run(main, fetch_list=[joined])
    assert out.tolist() == [[2.0, 2.0], [1.0, 1.0], [1.0, 1.0]]


def test_traced_batch_norm_has_the_outputs_of_the_wheel() -> None:
    """1.8.5 keeps no space for the backward pass of cuDNN, in a Program that is traced."""
    with fluid.dygraph.guard():
        traced = TracedLayer.trace(fluid.dygraph.BatchNorm(3), [to_variable(np.ones((2, 3), "float32"))])[1]
        (op,) = traced.program.global_block().ops
    assert sorted(op.output_names) == ["MeanOut", "SavedMean", "SavedVariance", "VarianceOut", "Y"]


NODES = """
import numpy as np
import paddle.fluid as fluid
from paddle.fluid.dygraph.dygraph_to_static import variable_trans_func as made
from paddle.fluid.dygraph.dygraph_to_static.utils import ast_to_source_code

for value in (1.0, True, 3, 2**33):
    print(ast_to_source_code(made.create_fill_constant_node("a", value)).strip())
print(made.create_fill_constant_node("a", "text"))
print(ast_to_source_code(made.to_static_variable_gast_node("x")).strip())
print(ast_to_source_code(made.create_static_variable_gast_node("x")).strip())
print([(v.shape, v.dtype.name) for v in map(made.to_static_variable, (1, 1.5, True))], made.to_static_variable("text"))
main = fluid.Program()
with fluid.program_guard(main):
    free, fed = made.data_layer_not_check("n", (None, -1, 3)), made.data_layer_not_check("d", (1, 2, 3))
print(free.shape, free.stop_gradient, free.is_data)
print(fluid.Executor(fluid.CPUPlace()).run(main, feed={"d": np.ones([1, 2, 4], "float32")}, fetch_list=[fed])[0].shape)
"""


def test_syntax_trees_and_variables_of_rewritten_code(full: Runner) -> None:  # as 1.8.5
    full.write({"nodes.py": NODES})
    home = "fluid.dygraph.dygraph_to_static.variable_trans_func"
    assert full.output("-m", "paddle_compat", "nodes.py").splitlines() == [
        "a = fluid.layers.fill_constant(shape=[1], dtype='float64', value=1.0)",
        "a = fluid.layers.fill_constant(shape=[1], dtype='bool', value=True)",
        "a = fluid.layers.fill_constant(shape=[1], dtype='int64', value=3)",
        "a = fluid.layers.fill_constant(shape=[1], dtype='int64', value=8589934592)",
        "None",
        f"x = {home}.to_static_variable(x)",
        f"x = {home}.data_layer_not_check(name='x', shape=[-1], dtype='float32')",
        "[((1,), 'INT64'), ((1,), 'FP64'), ((1,), 'BOOL')] text",
        "(-1, -1, 3) True True",
        "(1, 2, 4)",
    ]
