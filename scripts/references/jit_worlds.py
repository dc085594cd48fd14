"""Functions that `to_static` runs by default, called again after what they read has changed; part of jit_interface.py's table.

An answer is what each call gives, and what the calls leave behind.
"""

# mypy: ignore-errors
# ruff: noqa: B006

from __future__ import annotations

import argparse
import collections
import os
from typing import Any

import numpy as np

paddle: Any = None
number, numbers, words, tensor, net, thing, count = 1, [], {}, None, None, None, 0
classy = slotted = space = kept = steps = table = long = None


class Setting:
    """What a function reads by its class."""

    n = 1


setting = Setting()


class Classy:
    """What a function reads from its class, or from the class of an object."""

    n, sizes, words = 1, [1], {"k": 1}

    class Inner:
        """A class in a class."""

        m = 2

    def scaled(self, x):
        return x * self.n


class Slotted:
    """An object without a dict."""

    __slots__ = ("n",)

    def __init__(self):
        self.n = 1


class Thing:
    """What counts how often it is used."""

    def __init__(self):
        self.weight, self.n, self.seen = paddle.ones([2]), 2, [1]

    def use(self, x):
        self.n += 1
        self.seen.append(self.n)
        return x * self.weight * self.n


def helper(x):
    return x + 1


def other_helper(x):
    return x + 100


def by_number(x):
    return x * number


def by_list(x):
    return x * len(numbers) + sum(numbers)


def by_dict(x):
    return x * words["k"]


def by_object(x):
    return x * setting.n


def by_class(x):
    return x * Setting.n


def by_net(x):
    return net(x)


def by_helper(x):
    return helper(x)


def by_default(x, k=[1]):
    return x * k[0]


def by_tensor(x):
    return x + tensor


def by_thing(x):
    return thing.use(x)


def with_thing(x, given):
    return given.use(x)


def with_net(x, given):
    return given(x)


def by_environment(x):
    return x + int(os.environ.get("TEST_JIT_WORLD", "0")) + ("TEST_JIT_WORLD" in os.environ) + int(os.getenv("TEST_JIT_WORLD", "5"))


def with_iterator(x, values):
    for value in values:
        x = x + value
    return x


def generates(x):
    yield x
    yield x + 1


def with_array(x, array):
    return array * 2


def with_nets(x, first, second):
    return first(x), second(x)


def by_parts_of_class(x):
    return x * len(Classy.sizes) + Classy.words["k"] * 10 + Classy.Inner.m * 100


def by_class_of_object(x):
    return classy.scaled(x) + len(classy.sizes) * 10


def by_namespace(x):
    return x * space.n + len(space.names)


def by_slots(x):
    slotted.n += 1
    return x * slotted.n


def by_deque(x):
    kept.append(x + 1)
    return sum(kept)


def by_array(x):
    steps[0] += 1
    return x * float(steps[0])


def by_long_things(x):
    return x + table[5] + long[5]


def by_attribute(x):
    by_attribute.n += 1
    return x * by_attribute.n


def by_data_type(x):
    return paddle.ones([1])


def appends(values):
    values.append(values[0] + 1)


def enters(values):
    values["b"] = values["a"] * 2
    return values["b"]


def counts(x):
    global count
    count += 1
    return x * count


def remembers(x):
    numbers.append(1)
    return x * len(numbers)


def ask(module: Any, show: Any) -> None:
    """All functions, from the same beginning."""
    global paddle, net, thing, tensor, number, numbers, words, count, helper, classy, slotted, space, kept, steps, table, long
    paddle = module
    number, numbers, words, count = 1, [1], {"k": 1}, 0
    Setting.n, helper = 1, _first_helper
    setting.__dict__.clear()
    by_default.__defaults__[0][0] = 1
    thing, tensor = Thing(), paddle.ones([2])

    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.drop, self.k = paddle.nn.Dropout(0.9), 1

        def forward(self, x):
            return self.drop(x) * self.k

    class Counting(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.n, self.seen, self.last = 0, [], None

        def forward(self, x):
            self.n += 1
            self.seen.append(self.n)
            self.last = x * self.n
            return self.last

    def evaluating():
        made = Net()
        made.eval()
        return made

    net = evaluating()
    x = paddle.to_tensor([1.0, 2.0])

    def calls(function, *steps, args=(x,)):
        static = paddle.jit.to_static(function)
        found = [static(*args)]
        for step in steps:
            step()
            found.append(static(*args))
        return [value.tolist() if value is not None else None for value in found]

    def sets(name, value):
        return lambda: globals().__setitem__(name, value)

    def by_closure():
        n = 1

        def raises():
            nonlocal n
            n = 6

        def scaled(x):
            return x * n

        return calls(scaled, raises)

    def trains(layer):
        layer.train()
        layer.drop.p = 0.0

    def of_layer():
        made = evaluating()
        return calls(made, lambda: setattr(made, "k", 4), lambda: trains(made))

    def of_argument():
        first, second = evaluating(), evaluating()
        second.k = 9
        changed = calls(with_net, lambda: setattr(first, "k", 4), lambda: trains(first), args=(x, first))
        return changed, calls(with_net, args=(x, second))

    def within():
        made = Counting()

        def call(x):
            return made(x)

        return calls(call, lambda: 0), made.n, made.seen, made.last.tolist()

    def listed():
        values = [x]
        calls(appends, lambda: 0, args=(values,))
        return [value.tolist() for value in values]

    def entered():
        values = {"a": x}
        calls(enters, lambda: values.update(a=x * 5), args=(values,))
        return {key: value.tolist() for key, value in values.items()}

    def hooked():
        made = paddle.nn.Sequential(evaluating())
        hook = made[0].register_forward_post_hook(lambda layer, inputs, output: output * 10)
        return calls(made, hook.remove, lambda: made.register_forward_pre_hook(lambda layer, inputs: (inputs[0] + 1,)))

    def replaced():
        made = paddle.nn.Linear(2, 2, weight_attr=paddle.nn.initializer.Constant(0.5))
        other = paddle.create_parameter([2, 2], "float32", default_initializer=paddle.nn.initializer.Constant(7.0))
        return calls(made, lambda: setattr(made, "weight", other), lambda: setattr(made, "bias", None))

    def buffered():
        made = evaluating()
        made.register_buffer("shift", paddle.ones([2]))
        made.forward = lambda x: x + made.shift
        return calls(made, lambda: setattr(made, "shift", paddle.zeros([2])), lambda: made.shift.set_value(paddle.full([2], 3.0)))

    def in_an_environment():
        os.environ.pop("TEST_JIT_WORLD", None)
        enter = os.environ.__setitem__
        try:
            return calls(by_environment, lambda: enter("TEST_JIT_WORLD", "1"), lambda: enter("TEST_JIT_WORLD", "2"))
        finally:
            del os.environ["TEST_JIT_WORLD"]

    def data_types():
        static = paddle.jit.to_static(by_data_type)
        first = static(x).dtype
        paddle.set_default_dtype("float64")
        try:
            return str(first).split(".")[-1], str(static(x).dtype).split(".")[-1]
        finally:
            paddle.set_default_dtype("float32")

    def two_heads(whole):
        first, second = [paddle.nn.Linear(2, 2, weight_attr=paddle.nn.initializer.Constant(v)) for v in (0.5, 0.25)]
        optimizer = paddle.optimizer.SGD(0.1, parameters=[first.weight, second.weight], weight_decay=0.5)
        paddle.jit.to_static(with_nets, full_graph=whole)(x, first, second)[0].sum().backward()
        optimizer.step()
        return [layer.weight.numpy().round(5).tolist() for layer in (first, second)]

    def given():
        made = Thing()
        return calls(with_thing, lambda: 0, args=(x, made)), made.n, made.seen

    show("world number", lambda: calls(by_number, sets("number", 5), sets("number", 7), sets("number", 5)))
    show("world list", lambda: calls(by_list, lambda: numbers.append(4), numbers.pop))
    show("world dict", lambda: calls(by_dict, lambda: words.update(k=9)))
    show("world object", lambda: calls(by_object, lambda: setattr(setting, "n", 4)))
    show("world class", lambda: calls(by_class, lambda: setattr(Setting, "n", 5)))
    show("world closure", by_closure)
    show("world net", lambda: calls(by_net, lambda: trains(net), lambda: setattr(net, "k", 3), net.eval))
    show("world layer", of_layer)
    show("world argument", of_argument)
    show("world helper", lambda: calls(by_helper, sets("helper", other_helper)))
    show("world default", lambda: calls(by_default, lambda: by_default.__defaults__[0].__setitem__(0, 8)))
    show("world tensor", lambda: calls(by_tensor, sets("tensor", paddle.full([2], 10.0)), lambda: tensor.set_value(paddle.full([2], 3.0))))
    show("world thing", lambda: (calls(by_thing, lambda: setattr(thing, "weight", paddle.full([2], 3.0))), thing.n, thing.seen))
    show("world given thing", given)
    show("world given list", listed)
    show("world given dict", entered)
    show("world counter", lambda: (calls(counts, lambda: 0, lambda: 0), count))
    show("world memory", lambda: (calls(remembers, lambda: 0, lambda: 0), numbers))
    show("world counting layer", within)
    classy, slotted, space = Classy(), Slotted(), argparse.Namespace(n=1, names=[])
    kept, steps, table, long = collections.deque(maxlen=2), np.zeros([2]), np.zeros([1000]), [0] * 1000
    Classy.n, Classy.sizes, Classy.words, Classy.Inner.m, by_attribute.n = 1, [1], {"k": 1}, 2, 0
    grow = lambda: (Classy.sizes.append(2), Classy.words.update(k=3))  # noqa: E731
    show("world parts of a class", lambda: calls(by_parts_of_class, grow, lambda: setattr(Classy.Inner, "m", 7)))
    show("world class of an object", lambda: calls(by_class_of_object, lambda: setattr(Classy, "n", 4), lambda: setattr(classy, "n", 9)))
    show("world method of a class", lambda: calls(by_class_of_object, lambda: setattr(Classy, "scaled", lambda self, x: x * 50)))
    show("world namespace", lambda: calls(by_namespace, lambda: setattr(space, "n", 5), lambda: space.names.append(1)))
    show("world slots", lambda: (calls(by_slots, lambda: 0), slotted.n))
    show("world deque", lambda: (calls(by_deque, lambda: 0, lambda: 0), [v.tolist() for v in kept]))
    show("world array that grows", lambda: (calls(by_array, lambda: 0, lambda: 0), steps.tolist()))
    show("world long things", lambda: calls(by_long_things, lambda: table.fill(2), lambda: long.__setitem__(5, 7)))
    show("world attribute", lambda: (calls(by_attribute, lambda: 0), by_attribute.n))
    show("world data type", data_types)
    show("world hooks", hooked)
    show("world parameters", replaced)
    show("world buffers", buffered)
    show("world environment", in_an_environment)
    show("world iterator", lambda: calls(with_iterator, lambda: 0, args=(x, iter([1, 2]))))
    show("world generator", lambda: [value.tolist() for value in paddle.jit.to_static(generates)(x)])
    show("world array", lambda: type(paddle.jit.to_static(with_array)(x, np.ones([2]))).__name__)
    show("world heads", lambda: two_heads(False))
    show("world heads of a whole", lambda: two_heads(True))


_first_helper = helper
