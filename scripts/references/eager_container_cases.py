"""`Sequential`, `LayerList`, `LayerDict`, `ParameterList`: every method, and wrong use; eager_containers_2.6.2.json is {case: answer}."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Callable

from eager_answers import Case, answer, refused

WHEELS = ("2.6.2",)
CASES: dict[str, Case] = {}


def case(function: Case) -> Case:
    """Note a case under its name."""
    CASES[function.__name__] = function
    return function


def names(layers: Any) -> list[Any]:
    """Names and classes of what a layer holds."""
    return [[n, type(s).__name__] for n, s in layers._sub_layers.items()]


def each(*calls: Callable[[], Any]) -> list[Any]:
    """What each call returns, or raises."""
    found: list[Any] = []
    for call in calls:
        error = refused(call)
        found.append(error or text(call()))
    return found


def text(value: Any) -> Any:
    """A result that can be compared: layers by their class."""
    if isinstance(value, (list, tuple)):
        return [text(v) for v in value]
    return value if isinstance(value, (int, str)) or value is None else type(value).__name__


@case
def sequential_made(paddle: Any) -> Any:
    nn = paddle.nn
    made = [
        nn.Sequential(nn.ReLU(), nn.Tanh()),
        nn.Sequential(("a", nn.ReLU()), ("b", nn.Tanh())),
        nn.Sequential(["a", nn.ReLU()], ["b", nn.Tanh()]),
        nn.Sequential(),
    ]
    return [[names(net), len(net), repr(net)] for net in made]


@case
def sequential_made_wrongly(paddle: Any) -> Any:
    nn = paddle.nn
    return each(
        lambda: nn.Sequential(nn.ReLU(), 3),
        lambda: nn.Sequential([nn.ReLU(), nn.Tanh()]),
        lambda: nn.Sequential(("a", 3)),
        lambda: nn.Sequential(("a", nn.ReLU()), nn.Tanh()),
        lambda: nn.Sequential(nn.ReLU(), ("b", nn.Tanh())),
        lambda: nn.Sequential({"a": nn.ReLU()}),
        lambda: nn.Sequential(None),
        lambda: nn.Sequential(("a.b", nn.ReLU())),
        lambda: nn.Sequential((1, nn.ReLU())),
    )


@case
def sequential_items(paddle: Any) -> Any:
    nn = paddle.nn
    net = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
    named = nn.Sequential(("a", nn.ReLU()), ("b", nn.Tanh()))
    return [
        each(
            lambda: net[0],
            lambda: net[-1],
            lambda: net[3],
            lambda: net[-4],
            lambda: net["1"],
            lambda: net["x"],
            lambda: net[1.0],
            lambda: named["a"],
            lambda: named[1],
            lambda: list(net),
            lambda: list(named),
        ),
        names(net[1:]),
        names(net[:-1]),
        names(named[:1]),
        type(net[1:]).__name__,
    ]


@case
def sequential_changed(paddle: Any) -> Any:
    nn = paddle.nn
    net = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
    net[1] = nn.GELU()
    net["0"] = nn.ELU()
    net["new"] = nn.SELU()
    found = [names(net)]
    errors = each(
        lambda: net.__setitem__(9, nn.ReLU()), lambda: net.__setitem__(0, 3), lambda: net.__delitem__(8), lambda: net.__delitem__("z")
    )
    net.add_sublayer("last", nn.ReLU())
    found.append(names(net))
    del net[0]
    found.append(names(net))
    del net["new"]
    return [*found, names(net), errors, len(net)]


@case
def sequential_run(paddle: Any) -> Any:
    nn = paddle.nn
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    x = paddle.to_tensor([[1.0, -1.0]])
    return [
        net(x),
        net(input=x),
        refused(lambda: net(x, x)),
        nn.Sequential()(x),
        [p.name for p in net.parameters()],
        list(net.state_dict()),
    ]


@case
def list_made(paddle: Any) -> Any:
    nn = paddle.nn
    return [
        names(nn.LayerList([nn.ReLU(), nn.Tanh()])),
        names(nn.LayerList((nn.ReLU(),))),
        names(nn.LayerList()),
        names(nn.LayerList(nn.ReLU() for _ in range(2))),
        each(lambda: nn.LayerList([nn.ReLU(), 3]), lambda: nn.LayerList(3), lambda: nn.LayerList([None])),
    ]


@case
def list_items(paddle: Any) -> Any:
    nn = paddle.nn
    layers = nn.LayerList([nn.ReLU(), nn.Tanh(), nn.Sigmoid()])
    return [
        each(
            lambda: layers[0],
            lambda: layers[-1],
            lambda: layers[3],
            lambda: layers[-4],
            lambda: layers["1"],
            lambda: list(layers),
            lambda: len(layers),
        ),
        names(layers[1:]),
        names(layers[::-1]),
        type(layers[:1]).__name__,
    ]


@case
def list_changed(paddle: Any) -> Any:
    nn = paddle.nn
    layers = nn.LayerList([nn.ReLU(), nn.Tanh(), nn.Sigmoid()])
    found = [text(layers.append(nn.GELU())), names(layers), text(layers.extend([nn.ELU()])), names(layers)]
    found += [text(layers.insert(1, nn.SELU())), names(layers)]
    layers[0] = nn.Silu()
    layers[-1] = nn.Mish()
    found.append(names(layers))
    del layers[1]
    found.append(names(layers))
    del layers[-1]
    del layers[1:3]
    found.append(names(layers))
    errors = each(
        lambda: layers.append(3),
        lambda: layers.insert(9, nn.ReLU()),
        lambda: layers.insert(-9, nn.ReLU()),
        lambda: layers.insert("a", nn.ReLU()),
        lambda: layers.__setitem__(9, nn.ReLU()),
        lambda: layers.__setitem__(0, 3),
        lambda: layers.__delitem__(9),
        lambda: layers(paddle.ones([1])),
    )
    return [*found, errors]


@case
def list_inserted_from_the_end(paddle: Any) -> Any:
    nn = paddle.nn
    layers = nn.LayerList([nn.ReLU(), nn.Tanh()])
    layers.insert(-1, nn.Sigmoid())
    layers.insert(2, nn.GELU())
    return [names(layers), refused(lambda: layers.insert(4, nn.ReLU())), refused(lambda: nn.LayerList().insert(0, nn.ReLU()))]


@case
def dict_made(paddle: Any) -> Any:
    nn = paddle.nn
    relu, tanh = nn.ReLU(), nn.Tanh()
    return [
        names(nn.LayerDict({"b": relu, "a": tanh})),
        names(nn.LayerDict(OrderedDict([("b", relu), ("a", tanh)]))),
        names(nn.LayerDict([["b", relu], ["a", tanh]])),
        names(nn.LayerDict([("b", relu)])),
        names(nn.LayerDict(nn.LayerDict({"b": relu}))),
        names(nn.LayerDict()),
        each(
            lambda: nn.LayerDict(3),
            lambda: nn.LayerDict({"a": 3}),
            lambda: nn.LayerDict([["a"]]),
            lambda: nn.LayerDict([["a", relu, 3]]),
            lambda: nn.LayerDict([3]),
            lambda: nn.LayerDict("ab"),
        ),
    ]


@case
def dict_used(paddle: Any) -> Any:
    nn = paddle.nn
    layers = nn.LayerDict({"a": nn.ReLU(), "b": nn.Tanh()})
    found = [
        text(list(layers.keys())),
        text(list(layers.values())),
        text(list(layers.items())),
        text(list(layers)),
        len(layers),
        "a" in layers,
        "c" in layers,
        each(lambda: layers["a"], lambda: layers["c"], lambda: layers.a, lambda: layers.pop("c"), lambda: layers.__delitem__("c")),
        text(layers.update({"b": nn.GELU(), "c": nn.ELU()})),
        names(layers),
        text(layers.pop("a")),
        names(layers),
    ]
    layers["d"] = nn.SELU()
    del layers["b"]
    found += [
        names(layers),
        text(layers.update([("e", nn.ReLU())])),
        names(layers),
        text(layers.update(OrderedDict(z=nn.ReLU(), y=nn.Tanh()))),
    ]
    found += [names(layers), repr(layers), text(layers.clear()), len(layers), refused(lambda: layers(1)), refused(lambda: layers.update(3))]
    return found


@case
def parameters_made(paddle: Any) -> Any:
    nn = paddle.nn
    made = [paddle.create_parameter([2, i + 1], "float32") for i in range(3)]
    layers = nn.ParameterList(made)
    found = [len(layers), layers[0] is made[0], layers[-1] is made[-1] if not refused(lambda: layers[-1]) else refused(lambda: layers[-1])]
    found += [[p is q for p, q in zip(layers, made)], list(layers.state_dict()), [n for n, _ in layers.named_parameters()]]
    found += [text(layers.append(paddle.create_parameter([1], "float32"))), len(layers)]
    layers[0] = paddle.create_parameter([5], "float32")
    found += [list(layers[0].shape), list(layers.parameters()[0].shape)]
    return [
        *found,
        each(
            lambda: layers[9],
            lambda: layers.append(3),
            lambda: layers.append(paddle.ones([1])),
            lambda: nn.ParameterList([3]),
            lambda: nn.ParameterList(3),
            lambda: layers(1),
            lambda: layers.__setitem__(0, 3),
            lambda: layers["0"],
        ),
        len(nn.ParameterList()),
        repr(layers),
    ]


@case
def containers_within(paddle: Any) -> Any:
    nn = paddle.nn

    class Net(nn.Layer):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.LayerList([nn.Linear(2, 2) for _ in range(2)])
            self.table = nn.LayerDict({"x": nn.Linear(2, 1), "y": nn.Sequential(nn.Linear(2, 3))})
            self.rest = nn.ParameterList([self.create_parameter([2]), self.create_parameter([1])])
            self.plain = [nn.Linear(9, 9)]

    net = Net()
    return [[[n, p.name] for n, p in net.named_parameters()], [n for n, _ in net.named_sublayers()], list(net.state_dict()), repr(net)]


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"eager_containers_{version}.json": record}


def record() -> dict[str, Any]:
    """What the wheel answers."""
    import paddle

    return {name: answer(paddle, function) for name, function in CASES.items()}
