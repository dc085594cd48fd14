"""Sets and tables of Variables, what Variables and operators say of each other, and gradients that are Tensors of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.autograd import backward_utils

functional = paddle.nn.functional


def _xy() -> tuple[Any, Any]:
    paddle.enable_static()
    return paddle.static.data("x", [2, 3]), paddle.static.data("y", [2, 3])


def test_sets_of_variables() -> None:
    x, y = _xy()
    found = backward_utils.ValueSet([x, x])
    found.update([backward_utils.ValueWrapper(y)])
    assert len(found) == 2 and x in found and x + 1 not in found and {value.name for value in found} == {"x", "y"}
    only = backward_utils.ValueSet([x])
    assert [len(each) for each in (found & only, found | only, found - only, found.copy())] == [1, 2, 1, 2]
    only.discard(y)
    only.remove(x)
    assert not only and repr(found).startswith("ValueSet(") and found.pop() is not None
    with pytest.raises(KeyError):
        only.remove(x)
    with pytest.raises(TypeError, match="Received: int"):
        only.add(3)


def test_tables_of_variables() -> None:
    x, y = _xy()
    found = backward_utils.ValueDict({x: 1})
    assert found[x] == 1 and y not in found and found.get(y, 7) == 7 and found.setdefault(y, 5) == 5
    assert [key.name for key in found] == ["x", "y"] and list(found.values()) == [1, 5] and len(found.copy()) == 2
    assert found.pop(y) == 5 and [(key.name, value) for key, value in found.items()] == [("x", 1)]
    for ask in (lambda: found[y], lambda: found.pop(y)):
        with pytest.raises(KeyError, match="is not in ValueDict"):
            ask()
    assert backward_utils.ValueDict(default_factory=list)[x] == [] and not backward_utils.ValueDict()
    chain = backward_utils.ValueDict({x: y})
    assert backward_utils.return_map_value(x, chain) is y and backward_utils.return_map_value_list([y], chain) == [y]


def test_questions_of_lists() -> None:
    x, y = _xy()
    assert backward_utils.some_in_set([x, y], backward_utils.ValueSet([y]))
    assert backward_utils.all_input_stop_gradient_true([[x], [y]]) and backward_utils.all_output_grad_none([[None]])
    x.stop_gradient = False
    assert not backward_utils.all_input_stop_gradient_true([[x]]) and not backward_utils.all_output_grad_none([[x]])


def test_what_variables_say() -> None:
    x, _ = _xy()
    y = paddle.tanh(x)
    halves = paddle.split(y * y, 3, 1)
    assert x.is_same(x) and not x.is_same(y) and x.is_dense_tensor_type() and not x.is_selected_row_type()
    assert paddle.tensor.create_array("float32").is_dense_tensor_array_type()
    assert x.has_one_use() and not y.has_one_use() and halves[0].use_empty() and not y.use_empty()
    assert [op.type for op in y.all_used_ops()] == ["elementwise_mul"] == [op.type for op in y.all_used_ops_in_same_block()]
    assert x.get_defining_op() is None and halves[2].index() == 2 and x.index() == 0
    assert x.has_name and not y.has_name and x.initialized() and not x.is_dist() and x.device is None and not x.is_cuda
    assert x.stride() == [3, 1] and paddle.mean(x).stride() == [] and x.dense_dim() == 2


def test_what_operators_say() -> None:
    x, y = _xy()
    op = (x + y).get_defining_op()
    assert op.name() == "pd_op.add" and op.num_operands() == 2 and op.num_results() == 1
    assert op.operand_source(1).is_same(y) and op.result(0).get_defining_op() is op and op.get_parent_block() is x.block
    assert paddle.reshape(x, [3, 2]).get_defining_op().num_results() == 1 and (x @ y.T).get_defining_op().name() == "pd_op.matmul"
    with pytest.raises(ValueError, match="Received: 2"):
        op.operand_source(2)


def test_paddle_3s_attributes() -> None:
    code = (
        "import paddle_compat as paddle, numpy, warnings; warnings.simplefilter('ignore'); paddle.enable_static()\n"
        "x = paddle.static.data('x', [2, 2])\n"
        "feed = {'x': numpy.array([[-1, 2], [-3, 4]], 'float32')}\n"
        "print(x.place, [value.tolist() for value in paddle.static.Executor().run(feed=feed, fetch_list=[x.size, abs(x)])])"
    )
    made = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PADDLE_COMPAT_VERSION": "3.3.1"}, capture_output=True, text=True, check=True
    )
    assert made.stdout == "None [4, [[1.0, 2.0], [3.0, 4.0]]]\n"


@pytest.mark.parametrize("create_graph", [False, True])
def test_gradients_are_tensors_of_their_own(create_graph: bool) -> None:
    a, b, seed = paddle.ones([2]), paddle.ones([2]), paddle.ones([2])
    a.stop_gradient = b.stop_gradient = False
    of_a, of_b = paddle.grad(a + b, [a, b], seed, create_graph=create_graph)
    with paddle.no_grad():
        of_a.add_(paddle.ones([2]))
    assert [each.tolist() for each in (of_a, of_b, seed)] == [[2, 2], [1, 1], [1, 1]]
    seed.stop_gradient = False
    firsts = paddle.grad(a + b, [a, b], seed, create_graph=True)
    seconds = paddle.grad(firsts, [a, b, seed], allow_unused=True)
    assert seconds[:2] == [None, None] and seconds[2].tolist() == [2, 2]


@pytest.mark.parametrize(
    ("function", "none"),  # the answers of the wheels
    [
        (functional.relu, True), (functional.leaky_relu, True), (paddle.abs, True), (lambda x: paddle.clip(x, 0.3, 0.8), True),
        (lambda x: functional.avg_pool2d(x.reshape([1, 1, 2, 3]), 2), True), (functional.elu, False), (paddle.tanh, False),
        (lambda x: x * functional.relu(x), False), (lambda x: functional.relu(x * x), False),
    ],
)  # fmt: skip
def test_second_derivatives_that_are_not_there(function: Any, none: bool) -> None:
    x = paddle.to_tensor(np.linspace(0.1, 0.9, 6).reshape(2, 3), stop_gradient=False)
    y = function(x)
    seed = paddle.ones_like(y)
    seed.stop_gradient = False
    (first,) = paddle.grad(y, x, seed, create_graph=True)
    second, of_seed = paddle.grad(first, [x, seed], allow_unused=True)
    assert (second is None) is none and of_seed is not None


def test_places_where_operators_read() -> None:
    x, y = _xy()
    half = paddle.full([2, 2], 0.5)
    z = paddle.tanh(x @ y.T) + paddle.sum(x)
    op = z.get_defining_op()
    first, second = op.operands()
    assert (first.index(), second.index(), second.owner()) == (0, 1, op) and second.source().get_defining_op().name() == "pd_op.sum"
    assert op.operand(0).source() is op.operand_source(0) and x.first_use().owner().name() == "pd_op.sum" and z.first_use() is None
    with pytest.raises(RuntimeError, match="less than 2"):
        op.operand(5)
    first.set_source(half)
    second.source().replace_all_uses_with(half)
    [found] = paddle.static.Executor().run(feed={name: np.ones([2, 3], "float32") for name in "xy"}, fetch_list=[z])
    assert found.tolist() == [[1, 1], [1, 1]]
    for wrong in (lambda: first.set_source(3), lambda: x.replace_all_uses_with(3)):
        with pytest.raises(TypeError, match="a Variable"):
            wrong()


def test_operators_taken_out_of_blocks() -> None:
    x, _ = _xy()
    y = paddle.nn.functional.relu(paddle.tanh(paddle.abs(x)))
    main = paddle.static.default_main_program()
    block = main.global_block()
    assert (block.front().name(), block.back().name(), block.empty()) == ("pd_op.abs", "pd_op.relu", False)
    block.remove_op(y.get_defining_op())
    block.back().erase()
    assert [op.name() for op in block.ops] == ["pd_op.abs"] and main.get_output_value_by_name("x") is x
    with pytest.raises(TypeError, match="of the block"):
        block.remove_op(3)
    assert [value.name for value in main.get_all_parameter_values()] == []


def test_what_paddle_3_calls_inputs_and_attributes() -> None:
    x, y = _xy()
    op = paddle.scale(x, 2.0).get_defining_op()
    assert (op.get_input_names(), op.get_output_names(), op.get_attr_names()) == (["x", "scale"], ["out"], ["bias", "bias_after_scale"])
    op = paddle.sum(x, 1).get_defining_op()
    assert (op.get_input_names(), op.get_attr_names()) == (["x", "axis"], ["dtype", "keepdim"])
    op = paddle.topk(x, 1)[0].get_defining_op()
    assert (op.get_input_names(), op.get_output_names()) == (["x", "k"], ["out", "indices"])
    op = functional.layer_norm(x, [3]).get_defining_op()
    assert (op.get_input_names(), op.get_output_names()) == (["x", "scale", "bias"], ["out", "mean", "variance"])
    op = functional.conv2d(paddle.reshape(x, [1, 2, 3, 1]), paddle.ones([1, 2, 1, 1])).get_defining_op()
    assert op.get_input_names() == ["input", "filter"] and op.get_output_names() == ["out"]
