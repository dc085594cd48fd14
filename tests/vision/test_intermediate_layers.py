"""`IntermediateLayerGetter` gives what some layers of a network give, and leaves out those behind them."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat import nn
from paddle_compat.vision.models._utils import IntermediateLayerGetter, _make_divisible


class Small(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2D(1, 2, 3)
        self.pool = nn.AdaptiveAvgPool2D(1)
        self.fc = nn.Linear(2, 3)
        self.head = nn.Sequential(nn.Linear(3, 2))
        self.last = nn.ReLU()


def test_results_by_their_names() -> None:
    net, wanted = Small(), {"conv": "map", "fc": 2}
    getter = IntermediateLayerGetter(net, wanted)
    x = paddle.ones([1, 1, 5, 5])
    found = getter(x)
    assert type(found) is OrderedDict and [(name, value.shape) for name, value in found.items()] == [("map", [1, 2, 3, 3]), (2, [1, 3])]
    assert found[2].tolist() == net.fc(net.pool(net.conv(x)).flatten(1)).tolist()  # images become rows in front of a Linear
    assert list(getter.keys()) == ["conv", "pool", "fc"] and getter["conv"] is net.conv
    assert list(getter.state_dict()) == ["conv.weight", "conv.bias", "fc.weight", "fc.bias"] and wanted == {"conv": "map", "fc": 2}


def test_features_of_a_resnet() -> None:
    getter = IntermediateLayerGetter(paddle.vision.models.resnet18(), {"layer1": "a", "avgpool": "b", "fc": "c"})
    shapes = {name: value.shape for name, value in getter(paddle.ones([1, 3, 32, 32])).items()}
    assert shapes == {"a": [1, 64, 8, 8], "b": [1, 512, 1, 1], "c": [1, 1000]}  # as in the wheels


@pytest.mark.parametrize(("model", "names", "error"), [(Small, {"neck": 1}, ValueError), (lambda: 5, {"conv": 1}, AttributeError)])
def test_wrong_arguments(model: Any, names: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        IntermediateLayerGetter(model(), names)


def test_multiples() -> None:
    assert [_make_divisible(v) for v in (1, 7, 8, 11, 12, 13, 19.9, 20, 21)] == [8, 8, 8, 16, 16, 16, 24, 24, 24]  # as in the wheels
    assert [_make_divisible(v, 4, 10) for v in (1, 9, 15, 30)] == [10, 10, 16, 32]
