"""Layers whose `state_dict` leaves something out are set whole, as the 2.6.2 and 3.3.1 wheels set them."""

import collections
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
import paddle_compat.fluid as fluid


class Aggregator(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.model = paddle.nn.Linear(2, 2)
        self.register_buffer("weight", paddle.ones([2]))

    def state_dict(self) -> dict[str, Any]:  # type: ignore[override]
        return {name: value for name, value in super().state_dict().items() if not name.startswith("model.")}


@pytest.mark.parametrize("spelling", ["set_state_dict", "set_dict", "load_dict"])
def test_what_a_state_dict_of_its_own_leaves_out_is_set(spelling: str) -> None:
    layer = Aggregator()
    assert list(layer.state_dict()) == ["weight"]
    given = {"weight": np.full(2, 3, "float32"), "model.weight": np.zeros((2, 2), "float32"), "other": np.zeros(1, "float32")}
    assert getattr(layer, spelling)(given) == (["model.bias"], ["other"])
    assert (layer.weight.tolist(), layer.model.weight.tolist()) == ([3, 3], [[0, 0], [0, 0]])


def test_a_layer_around_does_not_ask_for_it() -> None:
    net = paddle.nn.Sequential(Aggregator())
    assert list(net.state_dict()) == ["0.weight", "0.model.weight", "0.model.bias"]


def test_what_a_layer_makes_of_its_whole_state() -> None:
    asked: list[dict[str, Any]] = []

    class Whole(paddle.nn.Layer):
        def _state_dict_impl(self, *args: Any, **kwargs: Any) -> Any:
            asked.append(kwargs)
            return super()._state_dict_impl(*args, **kwargs)

    assert Whole().set_state_dict({}) == ([], [])
    assert asked == [{"use_hook": False}]


def heard(prefixes: list[str]) -> Callable[[], fluid.dygraph.Layer]:
    class Part(fluid.dygraph.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.fc = fluid.dygraph.Linear(2, 2)
            self.g = self.create_parameter([2])

        def state_dict(self, destination: Any = None, include_sublayers: bool = True, structured_name_prefix: str = "") -> Any:
            prefixes.append(structured_name_prefix)
            found = super().state_dict(destination, include_sublayers, structured_name_prefix)
            return {name: value for name, value in found.items() if "fc" not in name}

    class Net(fluid.dygraph.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.w = self.create_parameter([3])
            self.a, self.b = Part(), Part()
            self.fc = fluid.dygraph.Linear(2, 2)

    return Net


def test_layers_of_fluid_ask_the_layers_in_them() -> None:  # 1.8.5
    prefixes: list[str] = []
    with fluid.dygraph.guard():
        net = heard(prefixes)()
        given = collections.OrderedDict(before=net.w)
        assert list(net.state_dict(given)) == ["before", "w", "a.g", "b.g", "fc.weight", "fc.bias"]
        assert (prefixes, list(given)) == (["a.", "b."], ["before", "w"])
        net.set_dict({name: np.ones(value.shape, "float32") for name, value in net.state_dict().items()})
        assert net.b.g.numpy().tolist() == [1, 1]
