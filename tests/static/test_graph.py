"""`core.Graph` and its nodes, as Paddle's own tests handle them (answers of 1.8.5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paddle_compat.base import core


def _summed() -> Any:
    program = core.ProgramDesc()
    block = program.block(0)
    op = block.append_op()
    op.set_type("sum")
    op.set_input("X", ["x1", "x2"])
    op.set_output("Out", ["out"])
    for name in (b"x1", b"x2", b"out"):
        var = block.var(name)
        var.set_type(core.VarDesc.VarType.LOD_TENSOR)
        var.set_shape([10, 20])
    return core.Graph(program)


def _names(nodes: Any) -> list[str]:
    return sorted(node.name() for node in nodes)


def test_nodes_of_a_graph() -> None:
    graph = _summed()
    assert _names(graph.nodes()) == ["out", "sum", "x1", "x2"]
    assert {graph.retrieve_node(i) for i in range(4)} == graph.nodes()
    assert graph.retrieve_node(99) is None
    made = graph.create_control_dep_var()
    assert (made.name(), made.is_ctrl_var(), made.is_var(), made.is_op(), made.var()) == ("__control_var@4", True, True, False, None)
    empty = graph.create_empty_node("x", core.Node.Type.Operation)
    assert (empty.name(), empty.node_type(), empty.is_op(), empty.op()) == ("x", core.Node.Type.Operation, True, None)
    assert graph.create_empty_node("y", core.Node.Type.Variable).node_type() == core.Node.Variable
    total = next(node for node in graph.nodes() if node.name() == "sum")
    assert (_names(total.inputs), _names(total.outputs)) == (["x1", "x2"], ["out"])
    first = total.inputs[0]
    total.remove_input(first.id())
    first.remove_output(total)
    assert (len(total.inputs), first.outputs) == (1, [])
    assert graph.remove_node(made) is made
    with pytest.raises(core.EnforceNotMet):
        graph.remove_node(made)
    assert len(graph.release_nodes()) == 6 and graph.nodes() == set()


def test_nodes_of_descriptions() -> None:
    program = core.ProgramDesc()
    var = program.block(0).var(b"q")
    var.set_type(core.VarDesc.VarType.LOD_TENSOR)
    var.set_shape([3])
    op = program.block(0).append_op()
    op.set_type("relu")
    graph = _summed()
    made, called = graph.create_var_node(var), graph.create_op_node(op)
    assert (made.node_type(), made.var().shape(), str(called.node_type()), called.op().type()) == (1, [3], "Type.Operation", "relu")


def test_what_a_graph_remembers() -> None:
    graph = _summed()
    for name, value in (("int", 1), ("float", 0.5), ("string", "s"), ("bool", True)):
        assert not graph.has(name)
        graph.set(name, value)
        assert getattr(graph, f"get_{name}")(name) == value
        with pytest.raises(core.EnforceNotMet):
            graph.set(name, value)
    with pytest.raises(core.EnforceNotMet):
        graph.get_int("bool")
    with pytest.raises(core.EnforceNotMet):
        graph.erase("nothing")
    with pytest.raises(TypeError):
        graph.set("list", [1])
    graph.erase("int")
    assert not graph.has("int")


def test_functions_of_graphs(tmp_path: Path) -> None:
    graph = _summed()
    core.graph_safe_remove_nodes(graph, {node for node in graph.nodes() if node.name() == "x1"})
    assert _names(graph.nodes()) == ["out", "sum", "x2"]
    assert (core.graph_num(graph), core.has_circle(graph)) == (1, False)
    assert (_names(core.topology_sort(graph)), len(core.build_adjacency_list(graph))) == (["sum"], 1)
    draws = core.get_pass("graph_viz_pass")
    with pytest.raises(core.EnforceNotMet):
        draws.apply(graph)
    draws.set("graph_viz_path", str(tmp_path / "graph.dot"))
    draws.apply(graph)
    assert 'label="sum"' in (tmp_path / "graph.dot").read_text()
    with pytest.raises(NotImplementedError, match="fc_fuse_pass"):
        core.get_pass("fc_fuse_pass").apply(graph)
    with pytest.raises(core.EnforceNotMet):
        core.get_pass("nothing")
    assert core.get_pass("multihead_matmul_fuse_pass_v2").type() == "multihead_matmul_fuse_pass_v2"


def test_a_pass_draws_what_is_compiled(tmp_path: Path) -> None:
    import numpy as np

    import paddle_compat as paddle

    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main, paddle.static.Program()):
            out = paddle.mean(paddle.static.data("x", [None, 2]))
        strategy = paddle.static.BuildStrategy()
        strategy._finalize_strategy_and_create_passes().append_pass("graph_viz_pass").set("graph_viz_path", str(tmp_path / "drawn"))
        both = paddle.static.CompiledProgram(main).with_data_parallel(build_strategy=strategy, places=paddle.static.cpu_places(2))
        paddle.static.Executor().run(both, feed={"x": np.ones((2, 2), "float32")}, fetch_list=[out])
    finally:
        paddle.disable_static()
    assert '"reduce_mean"' in (tmp_path / "drawn").read_text()
