"""Programs that passes rewrite so that products see rounded operands: operators, losses and answers, as the wheels have them."""

from __future__ import annotations

import functools
import gzip
import importlib
import json
import sys
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.errors import UnsupportedError

sys.path.insert(0, str(ROOT / "scripts/references"))


@functools.cache
def recorded(version: str) -> dict[str, Any]:
    with gzip.open(ROOT / f"tests/references/quantization_passes_{version}.json.gz", "rt") as file:
        table: dict[str, Any] = json.load(file)
    return table


def check(ours: Any, real: Any, where: str) -> None:
    if isinstance(real, list):
        assert isinstance(ours, list) and len(ours) == len(real), f"{where}: {ours}, the wheel: {real}"
        for place, pair in enumerate(zip(ours, real)):
            check(*pair, f"{where}/{place}")
    elif isinstance(real, float):
        np.testing.assert_allclose(ours, real, rtol=2e-5, atol=1e-6, err_msg=where)
    else:
        assert ours == real, where


@pytest.mark.parametrize(("version", "way"), [(version, way) for version in ("1.8.5", "2.6.2") for way in recorded(version)])
def test_passes(version: str, way: str) -> None:
    cases = importlib.import_module("quantization_pass_cases")
    if version != "1.8.5":
        paddle.enable_static()
    check(cases.plain(cases.rewritten("paddle_compat", version, *way.split())), recorded(version)[way], "")


def graph_of(record: Any) -> Any:
    framework = paddle.base.framework
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        record()
    return framework.IrGraph(framework.core.Graph(main.desc))


def test_what_users_leave_out_stays() -> None:
    paddle.enable_static()

    def record() -> None:
        x = paddle.static.data("x", [2, 4])
        with paddle.static.name_scope("skip_quant"):
            x = paddle.static.nn.fc(x, 4, bias_attr=False)
        paddle.static.nn.fc(x, 3, bias_attr=False)

    graph = graph_of(record)
    paddle.static.quantization.QuantizationTransformPass(paddle.static.Scope(), paddle.CPUPlace()).apply(graph)
    types = [op.type for op in graph.to_program().global_block().ops]
    assert types[0] == "mul" and types.count("mul") == 2 and types.count("fake_quantize_abs_max") == 2


def test_graphs_can_be_taken_apart() -> None:
    paddle.enable_static()

    def record() -> None:
        x = paddle.static.data("x", [2])
        paddle.tanh(paddle.nn.functional.relu(x))

    graph = graph_of(record)
    relu, tanh = graph.topology_sort()
    between = relu.outputs[0]
    assert (relu.input_arg_names(), relu.output("Out"), between.shape(), between.node_type()) == (["x"], [between.name()], [2], 1)
    copy = graph.clone()
    graph.update_input_link(between, relu.inputs[0], tanh)
    graph.safe_remove_nodes({relu, between})
    assert [op.type for op in graph.to_program().global_block().ops] == ["tanh"]
    assert between.name() not in graph.to_program().global_block().vars
    assert [node.name() for node in copy.topology_sort()] == ["relu", "tanh"]
    assert copy._find_node_by_name(copy.all_var_nodes(), "x").outputs[0].name() == "relu"
    with pytest.raises(AssertionError, match="nobody"):
        copy._find_node_by_name(copy.all_var_nodes(), "nobody")
    with pytest.raises(AssertionError, match=r"core\.Graph"):
        paddle.base.framework.IrGraph(3)


def test_wrong_ways_are_refused() -> None:
    passes = paddle.static.quantization
    with pytest.raises(ValueError, match="activation_quantize_type"):
        passes.QuantizationTransformPass(activation_quantize_type="channel_wise_abs_max")
    with pytest.raises(AssertionError, match="quantizable_op_type"):
        passes.QuantizationTransformPass(quantizable_op_type=["relu"])
    with pytest.raises(UnsupportedError, match="weight_quantize_func"):
        passes.QuantizationTransformPass(weight_quantize_func=abs)
    with pytest.raises(AssertionError, match="scope"):
        passes.QuantizationFreezePass(None, None)
    with pytest.raises(UnsupportedError, match="PostTrainingQuantization"):
        passes.PostTrainingQuantization  # noqa: B018
