"""What `register_state_dict_hook` does to the state of the layers around. Figures of the 2.6.2 wheel."""

from __future__ import annotations

from typing import Any

import pytest

import paddle_compat as paddle


def pair() -> Any:
    """Two layers of one weight each."""
    return paddle.nn.Sequential(*(paddle.nn.Linear(2, 2, bias_attr=False) for _ in range(2)))


@pytest.mark.parametrize(
    ("place", "hook", "names"),
    [
        (0, lambda state: {"only": 1}, ["0.weight", "only", "1.weight"]),
        (1, lambda state: {"only": 1}, ["0.weight", "1.weight", "only"]),
        (0, lambda state: state.update(more=1), ["0.weight", "more", "1.weight"]),
        (0, lambda state: state.clear(), ["1.weight"]),
    ],
    ids=["the first", "the last", "in place", "taken away"],
)
def test_a_hook_of_a_sublayer(place: int, hook: Any, names: list[str]) -> None:
    net = pair()
    net[place].register_state_dict_hook(hook)
    assert list(net.state_dict()) == list(net.to_static_state_dict()) == names
    assert list(net.state_dict(use_hook=False)) == ["0.weight", "1.weight"]


def test_hooks_see_what_comes_before() -> None:
    net, seen = pair(), []
    for layer in (net[0], net[1], net):
        layer.register_state_dict_hook(lambda state: seen.append(list(state)))
    net.state_dict()
    assert seen == [["0.weight"], ["0.weight", "1.weight"], ["0.weight", "1.weight"]]


def test_hooks_of_every_level() -> None:
    net = pair()
    net.register_state_dict_hook(lambda state: {name + "x": value for name, value in state.items()})
    assert list(net.state_dict()) == ["0.weightx", "1.weightx"]
    assert list(paddle.nn.Sequential(net).state_dict()) == ["0.0.weightx", "0.1.weightx"]
    for layer, end in ((net[0], "a"), (net[1], "b")):
        layer.register_state_dict_hook(lambda state, end=end: {name + end: value for name, value in state.items()})
    assert list(net.state_dict()) == [f"{name}x" for name in ("0.weight", "0.weighta", "1.weight", "0.weightb", "0.weightab", "1.weightb")]


def test_what_the_state_begins_with() -> None:
    begun: dict[str, Any] = {"k": 1}
    assert list(pair().state_dict(begun)) == ["k", "0.weight", "1.weight"]
    assert list(begun) == ["k"]
