"""Graphs and distillers of `fluid.contrib.slim`: what they say, and losses, as Paddle 1.8.5 gives them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat.fluid as fluid
from paddle_compat.core.errors import EnforceNotMet
from paddle_compat.fluid.contrib.slim.distillation import FSPDistiller, L2Distiller, SoftLabelDistiller
from paddle_compat.fluid.contrib.slim.graph import GraphWrapper, SlimGraphExecutor

layers = fluid.layers


def names(found: list[Any]) -> list[str]:
    return [x.name() if hasattr(x, "name") else x.type() for x in found]


@pytest.fixture
def trained() -> Any:
    """The graph of a small network with its updates, and a scope with first values."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    main.random_seed = startup.random_seed = 7
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(scope):
        image = layers.data("image", [4, 8, 8])
        x = layers.conv2d(image, 4, 3, groups=4, use_cudnn=False, bias_attr=False)
        x = layers.pool2d(layers.batch_norm(layers.conv2d(x, 6, 3, bias_attr=False), act="relu"), 2, "max", 2)
        loss = layers.mean(layers.fc(x, 5))
        fluid.optimizer.Momentum(0.1, 0.9).minimize(loss)
        fluid.Executor(fluid.CPUPlace()).run(startup)
        yield GraphWrapper(main, [("image", "image")], [("loss", loss.name)]), scope


def test_neighbours_of_operators(trained: Any) -> None:
    graph, _ = trained
    ops = graph.ops()
    first, norm = ops[0], next(op for op in ops if op.type() == "batch_norm")
    assert names(first.all_inputs()) == ["depthwise_conv2d_0.w_0", "image"] and names(first.outputs("Output")) == [
        "depthwise_conv2d_0.tmp_0"
    ]
    assert first == graph.ops()[0] and first != norm and first.idx() == 0
    assert names(graph.pre_ops(norm)) == ["conv2d", "batch_norm", "batch_norm", "momentum", "momentum"]
    assert names(graph.next_ops(norm)) == ["batch_norm", "batch_norm", "relu", "batch_norm_grad", "batch_norm_grad"]
    assert names(graph.get_param_by_op(norm)) == ["batch_norm_0.b_0", "batch_norm_0.w_1", "batch_norm_0.w_0", "batch_norm_0.w_2"]
    filters = graph.var("conv2d_0.w_0")
    assert names(filters.inputs()) == ["conv2d", "conv2d_grad", "momentum"] and names(filters.outputs()) == ["momentum"]
    assert graph.is_parameter(filters) and graph.is_persistable(filters) and not graph.is_parameter(graph.var("image"))
    assert [op.type() for op in ops if op.is_opt_op()] == ["momentum"] * 6 and {op.type()[-5:] for op in ops if op.is_bwd_op()} == {"_grad"}
    with pytest.raises(AssertionError, match="reads a parameter"):
        graph.get_param_by_op(next(op for op in ops if op.type() == "relu"))
    with pytest.raises(ValueError, match="nope"):
        graph.var("nope")
    with pytest.raises(EnforceNotMet):
        first.attr("nope")


def test_updates_that_count(trained: Any) -> None:
    """Of sgd 1.8.5 says that it updates nothing."""
    graph, scope = trained
    plain = GraphWrapper(graph.clone(for_test=True).program, graph.in_nodes, graph.out_nodes)
    other = plain.get_optimize_graph(fluid.optimizer.SGD(0.1), fluid.CPUPlace(), scope, ["conv2d_0.w_0"])
    assert [op.inputs("Param")[0].name() for op in other.ops() if op.type() == "sgd"] == [
        "batch_norm_0.b_0", "batch_norm_0.w_0", "depthwise_conv2d_0.w_0", "fc_0.b_0", "fc_0.w_0",
    ]  # fmt: skip
    assert not any(op.is_opt_op() for op in other.ops()) and other.program is not plain.program
    plain.out_nodes = {"score": plain.out_nodes["loss"]}
    assert plain.get_optimize_graph(fluid.optimizer.SGD(0.1), fluid.CPUPlace(), scope) is None
    with pytest.raises(KeyError, match="loss"):
        plain.compile()


@pytest.mark.parametrize("batch", [None, 2])
def test_additions_and_multiplications(batch: int | None) -> None:
    counts = []
    for build in (
        lambda x: layers.conv2d(x, 6, 3, groups=3, stride=2), lambda x: layers.pool2d(x, 2, "max", 2), lambda x: layers.fc(x, 7),
        layers.relu, layers.sigmoid, layers.batch_norm, layers.softmax, lambda x: layers.conv2d_transpose(x, 4, filter_size=3),
    ):  # fmt: skip
        with fluid.program_guard(fluid.Program(), fluid.Program()):
            build(fluid.data("x", [batch, 3, 8, 8]))
            graph = GraphWrapper(fluid.default_main_program())
            counts.append((graph.flops(), graph.flops(only_conv=True), graph.numel_params()))
    n = batch or 1
    assert counts == [
        (324, 324, 60),
        (192, 0, 0),
        (42 * n, 0, 1351),
        (192 * n, 0, 0),
        (192 * n, 0, 0),
        (192 * n, 0, 12),
        (0, 0, 0),
        (0, 0, 112),
    ]


def test_shapes_of_pruned_parameters(trained: Any) -> None:
    graph, scope = trained
    for name, shape in {"depthwise_conv2d_0.w_0": (3, 1, 3, 3), "conv2d_0.w_0": (6, 3, 3, 3)}.items():
        scope.find_var(name).get_tensor().set(np.ones(shape, "float32"), fluid.CPUPlace())
    graph.update_param_shape(scope)
    graph.update_groups_of_conv()
    assert [(op.attr("groups"), op.inputs("Filter")[0].shape()) for op in graph.ops() if op.type() == "depthwise_conv2d_grad"] == [
        (3, (3, 1, 3, 3))
    ]
    graph.var("image").set_shape([-1, 3, 8, 8])
    with pytest.raises(fluid.core.EnforceNotMet, match="Velocity"):  # what momentum keeps has the former shape
        graph.infer_shape()
    for op in graph.ops():
        if op.type() == "momentum":
            op.inputs("Velocity")[0].set_shape(op.inputs("Param")[0].shape())
    graph.infer_shape()
    assert graph.var("depthwise_conv2d_0.tmp_0").shape() == (-1, 3, 6, 6)


def test_files(trained: Any, tmp_path: Path) -> None:
    graph, scope = trained
    executor = SlimGraphExecutor(fluid.CPUPlace())
    graph.save_persistables(str(tmp_path / "values"), executor)
    weight = scope.find_var("fc_0.w_0").get_tensor()
    before = np.array(weight)
    weight.set(np.zeros_like(before), fluid.CPUPlace())
    graph.load_persistables(str(tmp_path / "values"), executor)
    np.testing.assert_array_equal(np.array(weight), before)
    graph.save_model(str(tmp_path / "model"), executor)
    graph.save_infer_model(str(tmp_path / "inference"), executor, (["image"], ["fc_0.tmp_1"]))
    assert [sorted(os.listdir(tmp_path / name)) for name in ("model", "inference")] == [
        ["__model__", "__params__"], ["__model__.infer", "__params__"],
    ]  # fmt: skip
    program, feeds, fetches = fluid.io.load_inference_model(str(tmp_path / "inference"), executor.exe, "__model__.infer", "__params__")
    assert (feeds, [op.type for op in program.global_block().ops[-4:]], len(fetches)) == (
        ["image"], ["mul", "elementwise_add", "scale", "fetch"], 1,
    )  # fmt: skip


def pair() -> tuple[GraphWrapper, fluid.Scope]:
    """A student's graph with a teacher's in it."""
    scope = fluid.Scope()
    graphs = []
    for prefix in ("t_", "s_"):
        main, startup = fluid.Program(), fluid.Program()
        main.random_seed = startup.random_seed = 4
        with fluid.program_guard(main, startup), fluid.unique_name.guard(prefix):
            image = layers.data("image", [3, 8, 8])
            hidden = layers.conv2d(image, 4, 3, padding=1, act="relu")
            out = layers.fc(layers.conv2d(hidden, 6, 3, padding=1, act="relu"), 5)
            if prefix == "s_":
                out = layers.mean(layers.softmax_with_cross_entropy(out, layers.data("label", [1], dtype="int64")))
        with fluid.scope_guard(scope):
            fluid.Executor(fluid.CPUPlace()).run(startup)
        graphs.append(GraphWrapper(main, [("image", "image")], [("loss", out.name)]))
    teacher, student = graphs
    for var in teacher.program.list_vars():
        var.stop_gradient = True
    student.merge(teacher)
    return student, scope


# what 1.8.5's student loses before and after a step, and what it then has to learn from its teacher
LOGITS = "s_s_fc_0.tmp_1", "t_t_fc_0.tmp_1"
MAPS = [["s_s_conv2d_0.tmp_2", "s_s_conv2d_1.tmp_2"]], [["t_t_conv2d_0.tmp_2", "t_t_conv2d_1.tmp_2"]]
LOSSES = [
    (L2Distiller(*LOGITS, 2.5), "l2loss_s_s_fc_0.tmp_1_t_t_fc_0.tmp_1", 1.67683, 1.44112, 0.237254),
    (SoftLabelDistiller(*LOGITS, 2.0, 3.0, 0.5), "soft_label_loss_s_s_fc_0.tmp_1_t_t_fc_0.tmp_1", 2.48026, 2.01242, 0.807802),
    (FSPDistiller(*MAPS, 0.7), "fsp_distillation_loss", 1.67683, 1.20388, 1.77818e-05),
]


@pytest.mark.parametrize(("distiller", "name", "first", "second", "taught"), LOSSES, ids=[type(row[0]).__name__ for row in LOSSES])
def test_a_student_learns(distiller: Any, name: str, first: float, second: float, taught: float) -> None:
    graph, scope = pair()
    assert distiller.distiller_loss(graph) is graph and list(graph.out_nodes) == ["loss", name]
    assert all(n.startswith("t_t_") for n in graph.teacher_persistables) and len(graph.teacher_persistables) == 6
    trained = graph.get_optimize_graph(fluid.optimizer.SGD(0.1), fluid.CPUPlace(), scope)
    assert trained is not None
    updated = [op.inputs("Param")[0].name() for op in trained.ops() if op.type() == "sgd"]
    assert len(updated) == 6 and all(n.startswith("s_s_") for n in updated)
    feed = {"image": np.random.RandomState(0).rand(2, 3, 8, 8).astype("float32"), "label": np.array([[1], [2]])}
    executor = fluid.Executor(fluid.CPUPlace())
    found = [executor.run(trained.program, feed, list(trained.out_nodes.values()), scope=scope) for _ in range(2)]
    np.testing.assert_allclose([found[0][0][0], found[1][0][0], found[1][1][0]], [first, second, taught], rtol=2e-5)


def test_compiled_graphs_run(trained: Any) -> None:
    graph, scope = trained
    samples = [(np.full(4 * 64, i, "float32"),) for i in range(2)]
    executor = SlimGraphExecutor(fluid.CPUPlace())
    plain = executor.run(graph.clone(for_test=True), scope, samples)[0]
    graph.compile(for_parallel=False, for_test=True)
    assert executor.run(graph, scope, samples)[0].shape == plain.shape
    with pytest.raises(AssertionError, match="GraphWrapper"):
        executor.run(graph.program, scope)
