"""What Paddle's own tests look for in the text of errors is there."""

from __future__ import annotations

import re

import pytest

import paddle_compat as paddle
from paddle_compat.base import core
from paddle_compat.base.framework import EagerParamBase

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

LEAF = "that doesn't stop gradient can't use inplace strategy"
BROADCAST = "The shape of broadcast output [2, 3] is different from that of inplace tensor [3] in the Inplace operation."
SEGMENTS = "Invalid equation: the number of operands is {}, but found {} segments in the label equation."
# code, in which x is a Tensor of [3, 4]; the exception; words of its text
CASES = [
    ("paddle.einsum('ijk')", AssertionError, "Required at least one operand in Einsum API, but received 0"),
    ("paddle.einsum('i -> j -> k', x)", AssertionError, "Invalid equation: multiple `->` were found."),
    ("paddle.einsum('i,j,k', x, x)", AssertionError, SEGMENTS.format(2, 3)),
    ("paddle.einsum('ij -> k', x, x)", AssertionError, SEGMENTS.format(2, 1)),
    ("paddle.einsum('i, -> k', x)", AssertionError, SEGMENTS.format(1, 2)),
    ("paddle.einsum('->', x)", AssertionError, "Invalid equation: the label string '' misses dimensions."),
    ("paddle.einsum('i', x)", AssertionError, "Invalid equation: the label string 'i' misses dimensions."),
    ("paddle.einsum('ijk', x)", AssertionError, "Invalid equation"),
    ("paddle.einsum('i_', x)", AssertionError, "Invalid equation: _ is not a valid label, which should be letters."),
    ("paddle.einsum('i..j', x)", AssertionError, "Invalid equation: `.` is found outside of an ellipsis."),
    ("paddle.einsum('...k...', x)", AssertionError, "Invalid equation: `.` is found outside of an ellipsis."),
    ("paddle.einsum('i...->i', x)", AssertionError, "Invalid equation: missing ellipsis in output labels."),
    ("leaf.exp_()", ValueError, LEAF),
    ("leaf.add_(leaf)", ValueError, LEAF),
    ("leaf[0] = 1.0", ValueError, LEAF),
    ("paddle.ones([3]).add_(paddle.ones([2, 3]))", ValueError, BROADCAST),
    ("paddle.ones([3]).remainder_(paddle.ones([2, 3]))", ValueError, BROADCAST),
    ("paddle.ones([3]).logical_and_(paddle.ones([2, 3]))", ValueError, BROADCAST),
    ("paddle.ones([3]).equal_(paddle.ones([2, 3]))", ValueError, BROADCAST),
    ("paddle.ones([3]).floor_divide_(paddle.ones([2, 3]))", ValueError, BROADCAST),
    ("EagerParamBase(shape=None, dtype='float32')", ValueError, "The shape of Parameter should not be None"),
    ("EagerParamBase(shape=[1], dtype=None)", ValueError, "The dtype of Parameter should not be None"),
    ("EagerParamBase([-1], 'float32')", ValueError, "Each dimension of shape for Parameter must be greater than 0, but received [-1]"),
    ("EagerParamBase([1], 'float32').trainable = []", ValueError, "The type of trainable MUST be bool, but the type is"),
    ("net.register_buffer(12, x)", TypeError, "The name of buffer should be a string, but received int."),
    ("net.register_buffer('b', net.p)", TypeError, "The registered buffer should be a Paddle.Tensor, but received EagerParamBase."),
    ("net.register_buffer('a.b', x)", KeyError, "The name of buffer can not contain `.`"),
    ("net.register_buffer('', x)", KeyError, "The name of buffer can not be empty."),
    ("net.register_buffer('p', x)", KeyError, "The buffer 'p' already exists."),
    ("net.add_parameter(1, net.p)", TypeError, "The name of parameter should be a string, but received int."),
    ("net.add_parameter('a.b', net.p)", KeyError, "The name of parameter can not contain `.`"),
    ("net.add_parameter('', net.p)", KeyError, "The name of parameter can not be empty."),
    ("net.add_parameter('q', x)", TypeError, "The parameter to be added should be a Parameter, but received Tensor."),
    ("net.b = [1]", TypeError, "assignment to buffers 'b' should be of type core.Tensor or None, but got 'list'"),
    ("net.p = x", TypeError, "assignment to parameter 'p' should be of type Parameter or None, but got 'Tensor'"),
    ("net.s = 1", TypeError, "assignment to sublayer 's' should be of type Layer or None, but got 'int'"),
    ("core.__unittest_throw_exception__()", RuntimeError, "This is a test of exception"),
]


@pytest.mark.parametrize(("code", "kind", "words"), CASES, ids=[code for code, _, _ in CASES])
def test_refusal(code: str, kind: type[Exception], words: str) -> None:
    leaf = paddle.ones([2])
    leaf.stop_gradient = False
    net = paddle.nn.Layer()
    net.p, net.s = net.create_parameter([1]), paddle.nn.Linear(1, 1)
    net.register_buffer("b", paddle.ones([1]))
    names = {"net": net, "paddle": paddle, "core": core, "EagerParamBase": EagerParamBase, "leaf": leaf, "x": paddle.ones([3, 4])}
    with pytest.raises(kind, match=re.escape(words)):
        exec(code, names)


@pytest.mark.parametrize(("write", "version"), [
    ("b[1:2] = 3.3", 1), ("b.exp_(); b.tanh_()", 2), ("b.cast_('float64')", 1), ("F.relu_(b)", 1), ("F.elu_(b)", 1), ("F.softmax_(b)", 1),
    ("F.leaky_relu_(b); F.tanh_(b)", 2),
])  # fmt: skip
def test_versions_of_what_was_overwritten(write: str, version: int) -> None:
    a = paddle.ones([4])
    a.stop_gradient = False
    b = a**2
    c = b**2
    exec(write, {"b": b, "F": paddle.nn.functional})
    with pytest.raises(RuntimeError, match=f"received tensor_version:{version} != wrapper_version_snapshot:0"):
        c.backward()
