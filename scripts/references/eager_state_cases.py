"""`nn.Layer` in eager mode: state dicts, conversion and copies; cases of eager_layer_cases.py."""

# ruff: noqa: B023  # functions made in loops are called in the same turn

from __future__ import annotations

import copy
from typing import Any, Callable

import numpy as np
from eager_answers import Case, refused
from eager_nets import net_of

CASES: dict[str, Case] = {}


def case(function: Case) -> Case:
    """Note a case under its name."""
    CASES[function.__name__] = function
    return function


# ---- state dicts
@case
def state_dict_arguments(paddle: Any) -> Any:
    net, kept = net_of(paddle), {"first": 1}
    out = net.state_dict(kept)
    return [
        list(out),
        list(net.state_dict(include_sublayers=False)),
        list(net.state_dict(structured_name_prefix="model.")),
        list(net.to_static_state_dict(structured_name_prefix="m_")),
        type(net.state_dict()).__name__,
    ]


@case
def state_dict_is_the_parameters(paddle: Any) -> Any:
    net = net_of(paddle)
    return [all(v is dict(net.named_parameters())[k] for k, v in net.state_dict().items() if k in dict(net.named_parameters()))]


@case
def state_dict_hooks(paddle: Any) -> Any:
    net, seen = net_of(paddle), []
    handle = net.register_state_dict_hook(lambda state: seen.append(len(state)))
    net.fc.register_state_dict_hook(lambda state: seen.append("fc"))
    net.state_dict()
    net.state_dict(use_hook=False)
    handle.remove()
    net.state_dict()
    return seen


@case
def setting_states(paddle: Any) -> Any:
    net, other = net_of(paddle), net_of(paddle)
    out = net.set_state_dict(other.state_dict())
    same = [bool((a == b).all()) for a, b in zip(net.parameters(), other.parameters())]
    return [out, same, net.parameters()[0].name]


@case
def setting_numpy_states(paddle: Any) -> Any:
    net = paddle.nn.Linear(2, 2)
    out = net.set_state_dict({"weight": np.ones([2, 2], "float32"), "bias": [1.0, 2.0]})
    return [out, net.weight, net.bias]


@case
def setting_states_of_other_types(paddle: Any) -> Any:
    net = paddle.nn.Linear(2, 2)
    found = []
    for value in (np.ones([2, 2], "float64"), np.ones([2, 2], "int64"), paddle.ones([2, 2], "float64"), paddle.ones([2, 2], "float16")):
        found.append([refused(lambda: net.set_state_dict({"weight": value, "bias": net.bias})), net.weight])
    return found


@case
def setting_misfits(paddle: Any) -> Any:
    net = net_of(paddle)
    state = dict(net.state_dict().items())
    state["fc.weight"] = paddle.ones([4, 3])
    state["extra"] = paddle.ones([1])
    state["extra2"] = 3
    del state["scale"], state["steps"]
    return net.set_state_dict(state)


@case
def setting_nothing(paddle: Any) -> Any:
    return [
        paddle.nn.Linear(2, 2).set_state_dict({}),
        paddle.nn.ReLU().set_state_dict({}),
        paddle.nn.ReLU().set_state_dict({"a": paddle.ones([1])}),
    ]


@case
def setting_wrong_things(paddle: Any) -> Any:
    net = paddle.nn.Linear(2, 2)
    return [refused(lambda: net.set_state_dict(v)) for v in (None, 3, [1], "a")]


@case
def setting_by_own_names(paddle: Any) -> Any:
    net = paddle.nn.Linear(2, 2)
    state = {p.name: np.full(p.shape, i, "float32") for i, p in enumerate(net.parameters())}
    out = net.set_state_dict(state, use_structured_name=False)
    other = net.set_state_dict(state)
    return [out, net.weight, net.bias, other]


@case
def setting_buffers_that_do_not_persist(paddle: Any) -> Any:
    net = paddle.nn.Layer()
    net.register_buffer("kept", paddle.zeros([1]))
    net.register_buffer("scratch", paddle.zeros([1]), persistable=False)
    out = [net.set_state_dict({"kept": paddle.ones([1])}), net.set_state_dict({"kept": paddle.ones([1]), "scratch": paddle.ones([1])})]
    return [out, net.kept, net.scratch]


@case
def old_names_of_setting(paddle: Any) -> Any:
    net = paddle.nn.Linear(2, 2)
    state = {"weight": paddle.zeros([2, 2]), "bias": paddle.ones([2])}
    return [net.set_dict(state), net.load_dict(state), net.bias]


@case
def setting_keeps_the_tensor(paddle: Any) -> Any:
    net = paddle.nn.Linear(2, 2)
    weight = net.weight
    net.set_state_dict({"weight": paddle.zeros([2, 2]), "bias": paddle.ones([2])})
    return [net.weight is weight, weight, weight.stop_gradient]


@case
def setting_with_the_name_table(paddle: Any) -> Any:
    net = paddle.nn.Linear(2, 2)
    state = {"weight": paddle.zeros([2, 2]), "bias": paddle.ones([2]), "StructuredToParameterName@@": {"weight": "linear_0.w_0"}}
    return net.set_state_dict(state)


# ---- conversion
@case
def converting(paddle: Any) -> Any:
    net = net_of(paddle)
    net.register_buffer("count", paddle.zeros([1], "int64"))

    def types() -> Any:
        return (
            [str(p.dtype) for p in net.parameters()] + [str(b.dtype) for b in net.buffers()] + [str(s._dtype) for s in net.sublayers(True)]
        )

    found = [types()]
    out = net.to(dtype="float64")
    found += [out is net, types(), [p.name for p in net.parameters()], [p.stop_gradient for p in net.parameters()]]
    net.to("cpu", paddle.float32, True)
    found += [types(), net.astype("float64") is net, types()]
    net.float()
    found += [types()]
    return found


@case
def converting_to_halves(paddle: Any) -> Any:
    found = []
    for name in ("float16", "bfloat16"):
        net = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.BatchNorm1D(2))
        out = getattr(net, name)()
        found.append([out is net, [str(p.dtype) for p in net.parameters()], [str(s._dtype) for s in net.sublayers(True)]])
        net = paddle.nn.Linear(2, 2)
        net.to(dtype=name)
        found.append(str(net.weight.dtype))
        net = paddle.nn.Linear(2, 2)
        net.astype(name)
        found.append(str(net.weight.dtype))
    return found


@case
def converting_but_for_some(paddle: Any) -> Any:
    nn = paddle.nn
    found = []
    for excluded in (nn.BatchNorm1D, [nn.Linear], [nn.Linear, nn.BatchNorm1D], (nn.Linear,), []):
        net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1D(2))
        net.to(dtype="float64")
        error = refused(lambda: net.float(excluded_layers=excluded))
        found.append([error, [str(p.dtype) for p in net.parameters()]])
    return [found, refused(lambda: nn.Linear(1, 1).float(excluded_layers=3)), refused(lambda: nn.Linear(1, 1).float(excluded_layers=["a"]))]


@case
def converting_wrongly(paddle: Any) -> Any:
    net = paddle.nn.Linear(2, 2)
    calls: list[Callable[[], Any]] = [
        lambda: net.to(3),
        lambda: net.to("nowhere"),
        lambda: net.to(dtype="nothing"),
        lambda: net.to(dtype=3.5),
        lambda: net.to(blocking=3),
        lambda: net.astype("nothing"),
        lambda: net.astype(None),
        lambda: net.to("cpu", "int32"),
        lambda: net.to(),
        lambda: net.astype("int64"),
    ]
    return [refused(c) for c in calls] + [str(net.weight.dtype)]


@case
def converted_layers_train(paddle: Any) -> Any:
    net = paddle.nn.Linear(2, 1).to(dtype="float64")
    net(paddle.ones([1, 2], "float64")).sum().backward()
    grad = net.weight.grad.numpy()
    net.to(dtype="float32")
    return [grad, net.weight.grad is None or str(net.weight.grad.dtype)]


# ---- copies
@case
def copying(paddle: Any) -> Any:
    net = net_of(paddle)
    other = copy.deepcopy(net)
    x = paddle.ones([2, 3])
    other.eval(), net.eval()
    same = bool((net(x) == other(x)).all())
    other.fc.weight.set_value(paddle.zeros([3, 4]))
    return [
        same,
        float(net.fc.weight.abs().sum()) > 0,
        other.full_name(),
        [n for n, _ in other.named_parameters()],
        [p.name == q.name for p, q in zip(net.parameters(), other.parameters())],
        [p.name for p in other.parameters()],
        [p.stop_gradient for p in other.parameters()],
        other.again is other.fc,
    ]


@case
def copying_shallowly(paddle: Any) -> Any:
    net = net_of(paddle)
    other = copy.copy(net)
    return [other.fc is net.fc, other.full_name(), other._parameters is net._parameters]


@case
def copying_a_parameter(paddle: Any) -> Any:
    net = paddle.nn.Linear(2, 2)
    net(paddle.ones([1, 2])).sum().backward()
    other = copy.deepcopy(net.weight)
    return [
        type(other).__name__,
        other.name == net.weight.name,
        other.grad is None,
        other.trainable,
        other.stop_gradient,
        other.persistable,
    ]


# ---- lazy
@case
def lazily(paddle: Any) -> Any:
    with paddle.LazyGuard():
        net = paddle.nn.Linear(3, 4)
    before = [net.weight.shape, str(net.weight.dtype), net.weight.name, net.weight._is_initialized()]
    for p in net.parameters():
        p.initialize()
    return [before, net.weight._is_initialized(), net(paddle.ones([1, 3])), net.weight]
