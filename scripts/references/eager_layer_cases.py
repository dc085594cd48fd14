"""`nn.Layer` in eager mode: what its members return, warn of and refuse; eager_layers_2.6.2.json is {case: answer}."""

# ruff: noqa: B023  # functions made in loops are called in the same turn

from __future__ import annotations

from typing import Any, Callable

import eager_state_cases
import numpy as np
from eager_answers import Case, answer, refused
from eager_nets import net_of

WHEELS = ("2.6.2",)
CASES: dict[str, Case] = {}


def case(function: Case) -> Case:
    """Note a case under its name."""
    CASES[function.__name__] = function
    return function


def kinds(layer: Any, name: str) -> list[bool]:
    """Where a layer holds a name: parameters, sublayers, buffers, its own dict."""
    return [name in layer._parameters, name in layer._sub_layers, name in layer._buffers, name in layer.__dict__]


# ---- walking
@case
def names_of_everything(paddle: Any) -> Any:
    net = net_of(paddle)
    return {
        "parameters": [[n, p.name, p.stop_gradient, p.persistable] for n, p in net.named_parameters()],
        "buffers": [[n, b.persistable, b.stop_gradient] for n, b in net.named_buffers()],
        "sublayers": [[n, type(s).__name__] for n, s in net.named_sublayers()],
        "self": [[n, type(s).__name__] for n, s in net.named_sublayers(include_self=True)],
        "prefix": [n for n, _ in net.named_sublayers("a", include_self=True)],
        "children": [n for n, _ in net.named_children()],
        "counts": [len(net.parameters()), len(net.buffers()), len(net.sublayers()), len(list(net.children()))],
        "own": [len(net.parameters(include_sublayers=False)), len(net.buffers(include_sublayers=False))],
        "prefixed": [[n for n, _ in net.named_parameters("p")], [n for n, _ in net.named_buffers("b")]],
        "own names": [n for n, _ in net.named_parameters("p", include_sublayers=False)],
        "own buffers": [n for n, _ in net.named_buffers("", False)],
        "state": list(net.state_dict()),
        "static state": list(net.to_static_state_dict()),
        "full": [s.full_name() for s in net.sublayers(include_self=True)],
    }


@case
def names_without_duplicates(paddle: Any) -> Any:
    net = net_of(paddle)
    seen = {net.fc}
    return [[n for n, _ in net.named_sublayers(layers_set=seen)], len(seen)]


@case
def tied_parameters(paddle: Any) -> Any:
    nn = paddle.nn
    a, b = nn.Linear(3, 3), nn.Linear(3, 3)
    b.weight = a.weight
    net = nn.Sequential(a, b)
    return [[n for n, _ in net.named_parameters()], list(net.state_dict()), len(net.parameters())]


@case
def shared_sublayers_in_a_list(paddle: Any) -> Any:
    act = paddle.nn.ReLU()
    net = paddle.nn.Sequential(act, act)
    return [[n for n, _ in net.named_children()], [n for n, _ in net.named_sublayers()], len(list(net.children())), repr(net)]


@case
def text(paddle: Any) -> Any:
    return [repr(net_of(paddle)), str(paddle.nn.Layer()), paddle.nn.Layer().extra_repr()]


@case
def text_of_an_own_extra(paddle: Any) -> Any:
    class Mine(paddle.nn.Layer):  # type: ignore[misc,name-defined]
        def extra_repr(self) -> str:
            return "a=1,\nb=2"

    inner = Mine()
    outer = Mine()
    outer.x = inner
    outer.y = paddle.nn.Sequential(Mine())
    return [repr(inner), repr(outer)]


@case
def listing(paddle: Any) -> Any:
    net = net_of(paddle)
    names = dir(net)
    return [
        [n in names for n in ("fc", "scale", "steps", "scratch", "none", "forward", "_parameters", "training")],
        len(names) == len(set(names)),
    ]


# ---- attributes
@case
def setting_before_init(paddle: Any) -> Any:
    class Early(paddle.nn.Layer):  # type: ignore[misc,name-defined]
        def __init__(self, what: Any) -> None:
            self.x = what
            super().__init__()

    found = [refused(lambda: Early(v)) for v in (1, "a", None, [1], paddle.nn.ReLU(), paddle.create_parameter([1], "float32"))]
    return [found, refused(lambda: Early(paddle.ones([1])))]


@case
def setting_buffers(paddle: Any) -> Any:
    net = paddle.nn.Layer()
    net.register_buffer("b", paddle.zeros([2]))
    first = net._buffers["b"]
    net.b = paddle.ones([3])
    steps = [kinds(net, "b"), net.b.shape, net._buffers["b"] is first]
    net.b = None
    steps += [kinds(net, "b"), net.b]
    net.b = paddle.ones([1])
    steps += [kinds(net, "b"), list(net.state_dict())]
    return steps


@case
def setting_a_buffer_to_wrong_types(paddle: Any) -> Any:
    def attempt(value: Any) -> Any:
        net = paddle.nn.Layer()
        net.register_buffer("b", paddle.zeros([2]))
        error = refused(lambda: setattr(net, "b", value))
        return [error, kinds(net, "b")]

    return [attempt(v) for v in (1, "x", [1.0], np.zeros(2, "float32"), paddle.nn.ReLU(), paddle.create_parameter([1], "float32"))]


@case
def setting_a_parameter(paddle: Any) -> Any:
    def attempt(value: Any) -> Any:
        net = paddle.nn.Layer()
        net.p = paddle.create_parameter([2], "float32")
        error = refused(lambda: setattr(net, "p", value))
        return [error, kinds(net, "p")]

    return [attempt(v) for v in (None, 1, "x", paddle.zeros([2]), np.zeros(2), paddle.nn.ReLU(), paddle.create_parameter([1], "float32"))]


@case
def setting_a_sublayer(paddle: Any) -> Any:
    def attempt(value: Any) -> Any:
        net = paddle.nn.Layer()
        net.s = paddle.nn.ReLU()
        error = refused(lambda: setattr(net, "s", value))
        return [error, kinds(net, "s")]

    return [attempt(v) for v in (None, 1, "x", paddle.zeros([2]), paddle.nn.Tanh(), paddle.create_parameter([1], "float32"))]


@case
def setting_plain_attributes(paddle: Any) -> Any:
    found = []
    for value in (None, 1, paddle.zeros([1]), [paddle.nn.ReLU()], {"a": paddle.ones([1])}):
        net = paddle.nn.Layer()
        net.a = value
        found.append(kinds(net, "a"))
        net.a = paddle.create_parameter([1], "float32")
        found.append([kinds(net, "a"), refused(lambda: setattr(net, "a", paddle.nn.ReLU()))])
        net = paddle.nn.Layer()
        net.a = value
        net.a = paddle.nn.ReLU()
        found.append(kinds(net, "a"))
    return found


@case
def parameter_over_none(paddle: Any) -> Any:
    net = paddle.nn.Layer()
    net.add_parameter("p", None)
    net.add_sublayer("s", None) if not refused(lambda: net.add_sublayer("s", None)) else None
    net.register_buffer("b", None)
    before = [net.p, net.b, [n for n, _ in net.named_parameters()], [n for n, _ in net.named_buffers()], list(net.state_dict())]
    net.p = paddle.create_parameter([1], "float32")
    net.b = paddle.ones([1])
    return [*before, kinds(net, "p"), kinds(net, "b"), list(net.state_dict())]


@case
def a_tensor_over_a_none_parameter(paddle: Any) -> Any:
    net = paddle.nn.Layer()
    net.add_parameter("p", None)
    net.p = paddle.ones([2])
    return [kinds(net, "p"), net.p]


@case
def a_tensor_attribute(paddle: Any) -> Any:
    net = paddle.nn.Layer()
    net.t = paddle.ones([2])
    first = kinds(net, "t")
    net.t = paddle.zeros([3])
    return [first, kinds(net, "t"), list(net.state_dict()), net.t]


@case
def deleting(paddle: Any) -> Any:
    net = net_of(paddle)
    for name in ("scale", "steps", "scratch", "fc", "none"):
        delattr(net, name)
    return [
        [n for n, _ in net.named_parameters()],
        [n for n, _ in net.named_buffers()],
        refused(lambda: net.scale),
        refused(lambda: net.fc),
        refused(lambda: delattr(net, "nothing")),
        hasattr(net, "steps"),
    ]


@case
def missing_attributes(paddle: Any) -> Any:
    net = net_of(paddle)
    return [refused(lambda: net.nothing), getattr(net, "nothing", 5), hasattr(net, "fc")]


@case
def properties_of_layers(paddle: Any) -> Any:
    class Mine(paddle.nn.Layer):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self._x = 1

        @property
        def x(self) -> Any:
            return self._x

        @x.setter
        def x(self, value: Any) -> None:
            self._x = value

        @property
        def fixed(self) -> int:
            return 3

    net = Mine()
    net.x = 5
    return [net.x, net.fixed, kinds(net, "x"), refused(lambda: setattr(net, "fixed", 1))]


@case
def adding_parameters(paddle: Any) -> Any:
    net, w = paddle.nn.Layer(), paddle.create_parameter([1], "float32")
    net.held = 1
    out = net.add_parameter("w", w) is w
    return [out] + [
        refused(lambda: net.add_parameter(*pair))
        for pair in ((1, w), ("a.b", w), ("", w), ("held", w), ("w", w), ("t", paddle.ones([1])), ("n", None), ("x", 3), ("forward", w))
    ]


@case
def adding_sublayers(paddle: Any) -> Any:
    net, act = paddle.nn.Layer(), paddle.nn.ReLU()
    net.held = 1
    return [net.add_sublayer("a", act) is act] + [
        refused(lambda: net.add_sublayer(*pair))
        for pair in ((1, act), ("a.b", act), ("", act), ("held", act), ("a", act), ("t", 3), ("n", None))
    ]


@case
def adding_buffers(paddle: Any) -> Any:
    net, b = paddle.nn.Layer(), paddle.ones([1])
    net.held = 1
    return [
        refused(lambda: net.register_buffer(*pair))
        for pair in (("b", b), (1, b), ("a.b", b), ("", b), ("held", b), ("b", b), ("t", 3), ("n", None), ("a", np.ones(1)), ("forward", b))
    ] + [list(net._buffers)]


@case
def adding_before_init(paddle: Any) -> Any:
    class Early(paddle.nn.Layer):  # type: ignore[misc,name-defined]
        def __init__(self, do: Any) -> None:
            do(self)

    p, b, s = paddle.create_parameter([1], "float32"), paddle.ones([1]), paddle.nn.ReLU()
    return [
        refused(lambda: Early(lambda n: n.add_parameter("p", p))),
        refused(lambda: Early(lambda n: n.register_buffer("b", b))),
        refused(lambda: Early(lambda n: n.add_sublayer("s", s))),
        refused(lambda: Early(lambda n: n.nothing)),
    ]


# ---- creating
@case
def creating_parameters(paddle: Any) -> Any:
    nn, net = paddle.nn, paddle.nn.Layer("mine")
    made = [
        net.create_parameter([2, 3]),
        net.create_parameter([3], is_bias=True),
        net.create_parameter([2], attr=paddle.ParamAttr(name="given", learning_rate=0.5, trainable=False)),
        net.create_parameter([2], attr="text"),
        net.create_parameter([2], dtype="float64", default_initializer=nn.initializer.Constant(2.0)),
        net.create_parameter([2], attr=nn.initializer.Constant(4.0)),
        net.create_parameter((1, 2), attr=paddle.ParamAttr(need_clip=False, regularizer=paddle.regularizer.L2Decay(0.1))),
    ]
    fields = [
        [p.name, p.trainable, p.stop_gradient, p.persistable, p.need_clip, p.optimize_attr["learning_rate"], type(p).__name__] for p in made
    ]
    return [fields, made, net.create_parameter([2], attr=False), list(net._parameters)]


@case
def creating_wrong_parameters(paddle: Any) -> Any:
    net = paddle.nn.Layer()
    return [
        refused(lambda: net.create_parameter([2], attr=3)),
        refused(lambda: net.create_parameter([2], attr=[1, 2])),
        refused(lambda: net.create_parameter([-1, 2])),
        refused(lambda: net.create_parameter([0, 2])),
        refused(lambda: net.create_parameter([2], dtype="int64")),
        refused(lambda: net.create_parameter([2], default_initializer=3)),
        refused(lambda: net.create_parameter(2)),
        refused(lambda: net.create_parameter(["a"])),
    ]


@case
def creating_variables(paddle: Any) -> Any:
    net = paddle.nn.Layer("mine", "float64")
    made = [net.create_variable("a"), net.create_tensor("b", True), net.create_tensor(), net.create_variable("c", dtype="int32")]
    return [[t.name, t.persistable, str(t.dtype), list(t.shape)] for t in made]


@case
def layer_names(paddle: Any) -> Any:
    nn = paddle.nn

    class MyHTTPLayer2Net(nn.Layer):  # type: ignore[misc,name-defined]
        pass

    return [
        MyHTTPLayer2Net().full_name(),
        nn.Layer("a/b").full_name(),
        nn.Layer().full_name(),
        nn.Linear(1, 1).full_name(),
        nn.Linear(1, 1, name="x").full_name(),
    ]


@case
def default_types(paddle: Any) -> Any:
    paddle.set_default_dtype("float64")
    try:
        net = paddle.nn.Linear(2, 2)
        return [str(net.weight.dtype), str(net._dtype), str(paddle.nn.Layer()._dtype), str(paddle.nn.BatchNorm1D(3)._mean.dtype)]
    finally:
        paddle.set_default_dtype("float32")


# ---- running
@case
def calling(paddle: Any) -> Any:
    net = net_of(paddle)
    x = paddle.to_tensor(np.arange(6, dtype="float32").reshape(2, 3))
    return [net(x), net(x, double=True), net(double=True, x=x), refused(lambda: net()), refused(lambda: net(x, wrong=1))]


@case
def calling_without_forward(paddle: Any) -> Any:
    net = paddle.nn.Layer()
    return [refused(lambda: net(1)), refused(lambda: net.forward()), refused(lambda: net.backward())]


@case
def hooks_in_order(paddle: Any) -> Any:
    net, seen = paddle.nn.ReLU(), []

    def noted(name: str, result: Any = None) -> Any:
        def hook(layer: Any, inputs: Any, *outputs: Any) -> Any:
            seen.append([name, type(inputs).__name__, len(outputs)])
            return result

        return hook

    x = paddle.to_tensor([-1.0, 2.0])
    handles = [
        net.register_forward_pre_hook(noted("a")),
        net.register_forward_pre_hook(noted("b", x * 3)),
        net.register_forward_pre_hook(noted("c", (x * 2,))),
        net.register_forward_post_hook(noted("d")),
        net.register_forward_post_hook(noted("e", x)),
    ]
    out = [net(x)]
    handles[1].remove()
    handles[2].remove()
    handles[4].remove()
    handles[4].remove()
    out.append(net(x))
    return [out, seen, len(net._forward_pre_hooks), len(net._forward_post_hooks)]


@case
def hooks_see_no_keywords(paddle: Any) -> Any:
    net, seen = net_of(paddle), []
    net.register_forward_pre_hook(lambda layer, inputs: seen.append(len(inputs)))
    net.register_forward_post_hook(lambda layer, inputs, outputs: seen.append([len(inputs), list(outputs.shape)]))
    x = paddle.ones([2, 3])
    net(x, double=True)
    net(x=x)
    return seen


@case
def a_hook_of_a_list_result(paddle: Any) -> Any:
    net = paddle.nn.ReLU()
    net.register_forward_pre_hook(lambda layer, inputs: [inputs[0]])
    return refused(lambda: net(paddle.ones([2])))


@case
def a_hook_that_removes_itself(paddle: Any) -> Any:
    net, seen, held = paddle.nn.ReLU(), [], []
    held.append(net.register_forward_post_hook(lambda layer, inputs, outputs: (seen.append(1), held[0].remove())[1]))
    net(paddle.ones([1])), net(paddle.ones([1]))
    return seen


@case
def applying(paddle: Any) -> Any:
    net, seen = net_of(paddle), []
    out = net.apply(lambda layer: seen.append(type(layer).__name__))
    return [seen, out is net]


@case
def modes(paddle: Any) -> Any:
    net = net_of(paddle)
    found = [net.eval() in (None, net), [s.training for s in net.sublayers(True)]]  # Paddle 3 returns the layer
    found += [net.train() in (None, net), [s.training for s in net.sublayers(True)]]
    net.block.eval()
    return [*found, [s.training for s in net.sublayers(True)], net.fc.training]


@case
def gradients_cleared(paddle: Any) -> Any:
    net = paddle.nn.Linear(2, 1)
    net(paddle.ones([1, 2])).sum().backward()
    before = net.weight.grad
    net.clear_gradients()
    return [before, net.weight.grad]


@case
def gradients_of_frozen_parts(paddle: Any) -> Any:
    net = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 1))
    net[0].weight.stop_gradient = True
    net[1].bias.trainable = False
    net(paddle.ones([1, 2])).sum().backward()
    return [[p.grad is None, p.stop_gradient, p.trainable] for p in net.parameters()]


CASES.update(eager_state_cases.CASES)


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"eager_layers_{version}.json": record}


def record() -> dict[str, Any]:
    """What the wheel answers."""
    import paddle

    return {name: answer(paddle, function) for name, function in CASES.items()}
