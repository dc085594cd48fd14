"""`paddle._C_ops` by position: which Tensors its functions write, and which they hand back, as in Paddle 2.6."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import _C_ops, _legacy_C_ops


def some(*shape: int) -> Any:
    """Ones."""
    return paddle.ones(list(shape))


def test_what_is_updated_is_handed_back() -> None:
    params, grads, velocities = ([some(2), some(3)] for _ in range(3))
    rates = [some(1) * 0.1 for _ in params]
    found = _C_ops.merged_momentum_(params, grads, velocities, rates, None, 0.9, False, [], [], False, 1.0)
    assert found[0][1] is params[1] and found[1][0] is velocities[0] and found[2] is None
    np.testing.assert_allclose(params[0].numpy(), [0.81, 0.81], rtol=1e-6)
    param = some(2)
    assert _C_ops.sgd_(param, some(1) * 0.1, some(2), None, False)[0] is param
    assert _C_ops.scale(param, 2.0, 0.0, True) is not param


def test_one_adam_for_many_parameters() -> None:
    """The numbers of the operator adam, one by one."""
    together, alone = ([[some(2) * n, some(3) * n] for n in (1, 2, 3, 4)] for _ in range(2))
    powers = [[[some(1) * beta, some(1) * beta] for beta in (0.9, 0.999)] for _ in range(2)]
    rates = [some(1) * 0.1 for _ in range(2)]
    param, grad, *moments = together
    found = _C_ops.merged_adam_(param, grad, rates, *moments, *powers[0], None, 0.9, 0.999, 1e-8, False, False)
    assert found[0][0] is param[0] and found[5] is None
    for i in range(2):
        param, grad, *moments = [values[i] for values in alone]
        _C_ops.adam_(param, grad, rates[i], *moments, *(p[i] for p in powers[1]), None, None, 0.9, 0.999, 1e-8, False, 1000, False, False)
        assert together[0][i].tolist() == param.tolist() != [1.0] * len(param)
        assert [p[i].item() for p in powers[0]] == [p[i].item() for p in powers[1]]
    slots = [*together[:2], rates, *together[2:], *powers[0], None, together[0], *together[2:], *powers[0], None]
    _legacy_C_ops.merged_adam(*slots, "beta1", 0.9, "beta2", 0.999)
    assert together[0][0].tolist() != alone[0][0].tolist()


def test_running_statistics_move_on() -> None:
    mean, variance = some(3) * 0, some(3)
    found = _C_ops.batch_norm(some(2, 3, 4, 4), mean, variance, some(3), some(3), False, 0.9, 1e-5, "NCHW", False, False)
    np.testing.assert_allclose(mean.numpy(), [0.1] * 3, rtol=1e-6)
    np.testing.assert_allclose(variance.numpy(), [0.9] * 3, rtol=1e-6)
    np.testing.assert_allclose(found[1].numpy(), mean.numpy())
    _C_ops.batch_norm(some(2, 3, 4, 4), mean, variance, some(3), some(3), True, 0.9, 1e-5, "NCHW", False, False)
    np.testing.assert_allclose(mean.numpy(), [0.1] * 3, rtol=1e-6)


def test_attributes_by_name_as_before_paddle_2_3() -> None:
    """Those of 2.1 and 2.2 name attributes; inputs that are not there are left out. `core.ops` had them first."""
    from paddle_compat.fluid import core

    x, y = paddle.to_tensor([[1.0, 2.0]]), paddle.to_tensor([[3.0, 4.0]])
    boxes, count = paddle.to_tensor([[0.0, 0.0, 2.0, 2.0]]), paddle.to_tensor([1], dtype="int32")
    sizes = ("pooled_height", 2, "pooled_width", 2, "spatial_scale", 1.0, "sampling_ratio", -1, "aligned", True)
    for operators in (_C_ops, core.ops):
        assert operators.matmul_v2(x, y, "trans_x", False, "trans_y", True).tolist() == [[11.0]]
        assert operators.concat([x, y], "axis", 0).tolist() == [[1.0, 2.0], [3.0, 4.0]]
        assert operators.elementwise_add(x, y).tolist() == [[4.0, 6.0]]
        assert operators.scale(x, "scale", 2.0, "bias", 1.0, "bias_after_scale", True).tolist() == [[3.0, 5.0]]
        assert operators.roi_align(some(1, 1, 4, 4), boxes, count, *sizes).tolist() == [[[[1.0, 1.0], [1.0, 1.0]]]]
    net = paddle.nn.SimpleRNN(2, 3)
    weights, state, steps = net.parameters(), paddle.zeros([1, 1, 3]), paddle.to_tensor([[[1.0, 2.0]], [[3.0, 4.0]]])
    named = ("input_size", 2, "hidden_size", 3, "num_layers", 1, "mode", "RNN_TANH", "is_test", True)
    _, _, out, last = _C_ops.rnn(steps, [state], weights, None, paddle.zeros([0]), 1, *named)  # dropout's come first
    expected, final = net(steps.transpose([1, 0, 2]))
    assert out.tolist() == expected.transpose([1, 0, 2]).tolist() and last[0].tolist() == final.tolist()
    assert _C_ops.concat([x, y], 1).tolist() == [[1.0, 2.0, 3.0, 4.0]]


def test_calls_of_paddle_2_0_to_2_4() -> None:
    """Phi's operators had a prefix beside those of Programs, kernels were named, and tables stood in front of their ids."""
    from paddle_compat.fluid import core

    x, ids = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), paddle.to_tensor([1, 0])
    assert _C_ops.final_state_matmul(x, x, False, True).tolist() == [[5.0, 11.0], [11.0, 25.0]]
    assert _C_ops.final_state_sum(x, [1], None, True).tolist() == [[3.0], [7.0]]
    for ops in (core.ops, _C_ops, _legacy_C_ops):
        assert ops.lookup_table_v2(x, ids, "is_sparse", False, "padding_idx", -1).tolist() == [[3.0, 4.0], [1.0, 2.0]]
        assert ops.sum([x, x], "use_mkldnn", False).tolist() == [[2.0, 4.0], [6.0, 8.0]]
        assert ops.multiplex(ids.reshape([2, 1]).astype("int32"), [x, x * 2]).tolist() == [[2.0, 4.0], [3.0, 4.0]]
    assert _legacy_C_ops.lookup_table_v2(ids, x, "padding_idx", -1).tolist() == [[3.0, 4.0], [1.0, 2.0]]
    mean, variance = some(2) * 0, some(2)
    _C_ops.batch_norm(x, some(2), some(2) * 0, mean, variance, mean, variance, "momentum", 0.5, "is_test", False, "use_mkldnn", False)
    assert (mean.tolist(), variance.tolist()) == ([1.0, 1.5], [1.0, 1.0])


RECORDED = [  # as Paddle 3 does; 2.6 takes Variables in its new IR alone
    lambda x, w: _C_ops.pad(x, [0, 0, 0, 0, 1, 1, 0, 2], 0.5),
    lambda x, w: _C_ops.pool2d(x, [2, 2], [1, 1], [0, 0], False, True, "NCHW", "max", False, False, "EXPLICIT"),
    lambda x, w: _C_ops.concat([x, _C_ops.relu_(x - 0.5)], 1),
    lambda x, w: _C_ops.split(x, [1, 2], 1),
    lambda x, w: _C_ops.topk(x, 2, -1, True, True),
    lambda x, w: _C_ops.sum(x, [], None, False),
    lambda x, w: _C_ops.instance_norm(x, w, w, 1e-5),
    lambda x, w: _C_ops.norm(x, 1, 1e-10, False),
    lambda x, w: _C_ops.reshape(x, [2, -1]),
    lambda x, w: _C_ops.tril(x, 0),
]


@pytest.mark.parametrize("call", RECORDED)
def test_calls_in_programs(call: Any) -> None:
    feed = {"x": np.random.default_rng(3).random((2, 3, 4, 4), np.float32), "w": np.ones(3, np.float32)}
    tensors = [paddle.to_tensor(value, stop_gradient=False) for value in feed.values()]
    at_once = call(*tensors)
    several = isinstance(at_once, (list, tuple))
    eager = list(at_once) if several else [at_once]
    expected = [*eager, paddle.grad(eager[0].sum(), tensors[0])[0]]
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()):
            variables = [paddle.static.data(name, list(value.shape)) for name, value in feed.items()]
            for variable in variables:
                variable.stop_gradient = False
            recorded = call(*variables)
            found = list(recorded) if several else [recorded]
            fetched = [*found, *paddle.static.gradients([found[0]], [variables[0]])]
            values = paddle.static.Executor().run(feed=feed, fetch_list=fetched)
    finally:
        paddle.disable_static()
    for value, wanted in zip(values, expected, strict=True):
        np.testing.assert_allclose(value, wanted.numpy(), rtol=1e-5, atol=1e-6)


def test_updates_in_programs() -> None:
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
            param = paddle.static.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
            rate, grad = paddle.static.data("rate", [1]), paddle.static.data("grad", [2])
            assert _C_ops.sgd_(param, rate, grad, None, False)[0].name == param.name
            executor = paddle.static.Executor()
            executor.run(paddle.static.default_startup_program())
            feed = {"rate": np.full(1, 0.5, np.float32), "grad": np.array([1, 2], np.float32)}
            assert executor.run(feed=feed, fetch_list=[param])[0].tolist() == [0.5, 0.0]
    finally:
        paddle.disable_static()


def test_what_chunk_eval_gives() -> None:
    """2.6.2: six values of one element, the F1 score among them, whose slot has a name that is no word of Python's."""
    tags, lengths = paddle.to_tensor([[0, 1, 2, 0, 1]]), paddle.to_tensor([5])
    found = _legacy_C_ops.chunk_eval(tags, tags, lengths, "num_chunk_types", 2, "chunk_scheme", "IOB")
    assert [value.tolist() for value in found] == [[1.0], [1.0], [1.0], [3], [3], [3]]


@pytest.mark.parametrize("operators", [_C_ops, _legacy_C_ops])
def test_operators_are_listed_and_there(operators: Any) -> None:
    listed = [name for name in dir(operators) if not name.startswith("_")]
    assert {"relu", "sum", "conv2d"} <= {*listed} and len(listed) > 300
    assert [name for name in listed if not callable(getattr(operators, name))] == []
