"""Wrong arguments of the layers raise what the wheel raises; former names of arguments are taken, too."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import torch
from paddle_state import fresh_state

import paddle_compat as paddle

SHAPES = {
    "x": [None, 8],
    "flat": [3],
    "image": [None, 3, 16, 16],
    "volume": [None, 3, 4, 8, 8],
    "open": [None, None, None, None],
    "offset": [None, 18, 14, 14],
}
INTEGERS = {"ids": [None, 5], "label": [None, 1], "numbers": [None, 8]}

TYPE, VALUE, ASSERTION = TypeError, ValueError, AssertionError
WRONG = {
    "nn.fc(3, 3)": TYPE,
    "nn.fc(ids, 3)": TYPE,
    "nn.fc([], 3)": TYPE,
    "nn.fc(x, 3, num_flatten_dims=2)": VALUE,
    "nn.fc(x, 3, activation='none_such')": VALUE,
    "nn.fc([x, x], 3, weight_attr=['a', 'b', 'c'])": VALUE,
    "nn.fc(x, 3, act='relu', activation='relu')": TYPE,
    "nn.embedding(x, [3, 3])": TYPE,
    "nn.embedding(ids, 3)": TYPE,
    "nn.sparse_embedding(x, [3, 3])": TYPE,
    "nn.sparse_embedding(ids, [3, 3], entry=3)": VALUE,
    "nn.sparse_embedding(ids, [3, 3], table_class='none_such')": VALUE,
    "nn.conv2d(ids, 3, 3)": TYPE,
    "nn.conv2d(x, 3, 3)": VALUE,
    "nn.conv2d(open, 3, 3)": VALUE,
    "nn.conv2d(image, 3, 3, use_cudnn=1)": VALUE,
    "nn.conv2d(image, 3, 3, data_format='CHW')": VALUE,
    "nn.conv2d(image, 3, 3, groups=0)": VALUE,
    "nn.conv2d(image, 3, 3, groups=2)": VALUE,
    "nn.conv2d(image, 4, 3, groups=3)": VALUE,
    "nn.conv2d(image, 3, 3, padding='none_such')": VALUE,
    "nn.conv2d(image, 3, 3, padding=[1, 2, 3])": VALUE,
    "nn.conv2d(image, 3, 3, padding=[[1, 1], [0, 0], [1, 1], [1, 1]])": VALUE,
    "nn.conv2d(image, 3, [3, 3, 3])": VALUE,
    "nn.conv2d(image, 3, 3, param_attr=False)": ASSERTION,
    "nn.conv2d_transpose(x, 3, filter_size=3)": VALUE,
    "nn.conv2d_transpose(image, 3, filter_size=3, param_attr=False)": ASSERTION,
    "nn.conv2d_transpose(image, 3, filter_size=3, groups=0)": VALUE,
    "nn.conv2d_transpose(image, 3, filter_size=3, data_format='a')": VALUE,
    "nn.conv2d_transpose(image, 3, filter_size=3, output_size='a')": VALUE,
    "nn.conv3d(image, 3, 3)": VALUE,
    "nn.conv3d(volume, 3, 3, data_format='X')": VALUE,
    "nn.conv3d(volume, 3, 3, use_cudnn=3)": VALUE,
    "nn.conv3d(volume, 3, 3, groups=2)": VALUE,
    "nn.conv3d(volume, 3, 3, groups=0)": VALUE,
    "nn.conv3d_transpose(volume, 3)": VALUE,
    "nn.conv3d_transpose(image, 3, filter_size=3)": VALUE,
    "nn.conv3d_transpose(volume, 3, filter_size=3, data_format='a')": VALUE,
    "nn.deform_conv2d(numbers, offset, None, 4, 3)": TYPE,
    "nn.deform_conv2d(image, offset, None, 4, 3, groups=2)": VALUE,
    "nn.deform_conv2d(image, offset, None, 4, 3, groups=3)": VALUE,
    "nn.deform_conv2d(image, offset, None, 3, 3, deformable_groups=2)": VALUE,
    "nn.deform_conv2d(image, offset, None, 4, 3, weight_attr=False)": ASSERTION,
    "nn.row_conv(numbers, 3)": TYPE,
    "nn.batch_norm(numbers)": TYPE,
    "nn.batch_norm(flat)": VALUE,
    "nn.batch_norm(image, bias_attr=False)": ASSERTION,
    "nn.batch_norm(image, data_layout='none_such')": VALUE,
    "nn.layer_norm(numbers)": TYPE,
    "nn.layer_norm(x, param_attr=False)": ASSERTION,
    "nn.layer_norm(x, bias_attr=False)": ASSERTION,
    "nn.layer_norm(x, begin_norm_axis=3)": VALUE,
    "nn.group_norm(flat, 2)": VALUE,
    "nn.group_norm(image, 2)": VALUE,
    "nn.group_norm(image, 0)": VALUE,
    "nn.group_norm(image, 3, data_layout='X')": VALUE,
    "nn.instance_norm(flat)": VALUE,
    "nn.instance_norm(numbers)": TYPE,
    "nn.instance_norm(image, param_attr=False)": ASSERTION,
    "nn.data_norm(x, data_layout='X')": VALUE,
    "nn.data_norm(x), nn.data_norm(image)": VALUE,
    "nn.spectral_norm(numbers)": TYPE,
    "nn.spectral_norm(image, dim=2)": VALUE,
    "nn.prelu(numbers, 'all')": TYPE,
    "nn.prelu(image, 'none_such')": VALUE,
    "nn.prelu(flat, 'channel')": ASSERTION,
    "nn.prelu(image, 'channel', data_format='X')": VALUE,
    "nn.prelu(image, 'channel', param_attr=False)": ASSERTION,
    "nn.bilinear_tensor_product(numbers, x, 3)": TYPE,
    "nn.bilinear_tensor_product(x, image, 3)": VALUE,
    "nn.nce(ids, label, 5)": TYPE,
    "nn.nce(x, x, 5)": TYPE,
    "nn.nce(x, label, 5, sampler='none_such')": Exception,
    "nn.nce(x, label, 5, sampler='custom_dist')": ASSERTION,
    "nn.nce(x, label, 5, sampler='custom_dist', custom_dist=[0.2] * 4)": IndexError,
    "static.accuracy(numbers, label)": TYPE,
    "static.accuracy(3, 4)": TYPE,
    "static.accuracy(x, flat)": VALUE,
    "static.auc(numbers, label)": TYPE,
    "static.auc(x, x)": TYPE,
    "static.ctr_metric_bundle(x, label)": ASSERTION,
}


@pytest.fixture()
def names() -> Any:
    """What the wrong calls are written with."""
    with fresh_state():
        paddle.enable_static()
        found: dict[str, Any] = {name: paddle.static.data(name, shape) for name, shape in SHAPES.items()}
        found.update((name, paddle.static.data(name, shape, "int64")) for name, shape in INTEGERS.items())
        yield {**found, "nn": paddle.static.nn, "static": paddle.static}


@pytest.mark.parametrize("code", WRONG)
def test_wrong_arguments(names: dict[str, Any], code: str) -> None:
    with pytest.raises(WRONG[code]) as caught:
        eval(code, names)
    assert len(str(caught.value)) > 20


EAGER = (
    "fc(x, 3)", "embedding(x, [3, 3])", "layer_norm(x)", "data_norm(x)", "prelu(x, 'all')", "nce(x, x, 20)",
    "deform_conv2d(x, x, None, 3, 3)",
)  # fmt: skip


@pytest.mark.parametrize("code", EAGER)
def test_eager_mode(code: str) -> None:
    with fresh_state():
        paddle.disable_static()
        x = paddle.Tensor(torch.ones(2, 3))
        with pytest.raises(AssertionError, match="enable_static"):
            eval("nn." + code, {"x": x, "nn": paddle.static.nn})


def described() -> list[Any]:
    """The operators of the default Program."""
    ops = paddle.static.default_main_program().global_block().ops
    return [(op.type, op.inputs, op.outputs, op.all_attrs()) for op in ops]


def test_former_names_of_fc() -> None:
    """Documents of 2.0 call `fc(input=, param_attr=, act=)`."""
    found = []
    for arguments in (
        {"input": "x", "act": "tanh", "param_attr": "w"},
        {"x": "x", "activation": "tanh", "weight_attr": "w"},
    ):
        with fresh_state():
            paddle.enable_static()
            x = paddle.static.data("x", [None, 8])
            paddle.static.nn.fc(size=4, **{k: x if v == "x" else v for k, v in arguments.items()})
            found.append(described())
    assert found[0] == found[1] and [op[0] for op in found[0]] == ["mul", "elementwise_add", "tanh"]
    assert list(inspect.signature(paddle.static.nn.fc).parameters)[:2] == ["x", "size"]
