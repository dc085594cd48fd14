"""Functions whose branches and loops change what is in lists, dicts, arrays and objects; jit_functions.py calls them."""

# mypy: ignore-errors

from __future__ import annotations

import collections
from typing import Any

import numpy as np

paddle: Any = None
F: Any = None


class Box:
    def __init__(self):
        self.value = 0
        self.kept = []

    def put(self, value):
        self.kept.append(value)

    def hold(self, value):
        self.value = value


def _add(to, value):
    to.append(value)


# case: [P],[NEG]
def entry_of_an_entry(x):
    d = {"s": {"q": x}}
    if x.sum() > 0:
        d["s"]["q"] = x + 1
    return d["s"]["q"]


# case: [P],[NEG]
def list_of_an_entry_grows(x):
    d = {"l": [x]}
    if x.sum() > 0:
        d["l"].append(x + 1)
    return len(d["l"]), d["l"][-1]


# case: [P],[NEG]
def two_entries_of_an_entry(x):
    d = {"a": [x, x]}
    if x.sum() > 0:
        d["a"][0], d["a"][1] = x + 1, x + 2
    return d["a"][0], d["a"][1]


# case: [P],[NEG]
def list_of_an_object_grows(x):
    box = Box()
    if x.sum() > 0:
        box.kept.append(x + 1)
    return len(box.kept)


# case: [P],[NEG] free
def list_of_two_names(x):
    kept = [x]
    same = kept
    if x.sum() > 0:
        same[0] = x + 1
    return kept[0]


# case: [P],[NEG] free
def list_of_two_names_grows(x):
    kept = [x]
    same = kept
    if x.sum() > 0:
        same.append(x + 1)
    return len(kept)


# case: [P],[NEG] free
def list_that_a_function_changes(x):
    kept = [x]
    if x.sum() > 0:
        _add(kept, x + 1)
    return len(kept), kept[-1]


# case: [P],[NEG] free
def list_that_an_inner_function_changes(x):
    kept = [x]

    def add(value):
        kept.append(value)

    if x.sum() > 0:
        add(x + 1)
    return len(kept), kept[-1]


# case: [P],[NEG] free
def number_that_an_inner_function_changes(x):
    count = 1

    def more():
        nonlocal count
        count += 1

    if x.sum() > 0:
        more()
    return x * count


# case: [P],[NEG] free
def set_grows(x):
    s = {1}
    if x.sum() > 0:
        s.add(2)
    return sorted(s), x


# case: [P],[NEG] free
def object_changes_itself(x):
    box = Box()
    if x.sum() > 0:
        box.put(x + 1)
    else:
        box.hold(x - 1)
    return len(box.kept), box.value


# case: [P],[NEG] free
def object_in_a_list(x):
    box = Box()
    boxes = [box]
    if x.sum() > 0:
        boxes[0].value = 3
    return x + box.value


# case: [P],[NEG] free
def attribute_set_by_name(x):
    box = Box()
    if x.sum() > 0:
        setattr(box, "value", x)  # noqa: B010
    return x + box.value


# case: [P],[NEG] free
def entry_by_default(x):
    d = collections.defaultdict(list)
    if x.sum() > 0:
        d["a"].append(x)
    return len(d["a"])


# case: [P],[NEG] free
def both_ends(x):
    d = collections.deque([x])
    if x.sum() > 0:
        d.appendleft(x + 1)
    return len(d), d[0]


# case: [P],[NEG]
def array_changes(x):
    a = np.zeros(2)
    if x.sum() > 0:
        a[0] = 5
    return a


# case: [P],[NEG]
def array_of_an_entry_changes(x):
    a = {"q": np.zeros(2)}
    if x.sum() > 0:
        a["q"][0] += 5
    return a


# case: [P],[NEG] free
def entry_is_deleted(x):
    d = {"a": 1, "b": 2}
    if x.sum() > 0:
        del d["a"]
    return sorted(d), x


# case: [P],[NEG] free
def item_is_deleted(x):
    kept = [x, x + 1]
    if x.sum() > 0:
        del kept[0]
    return kept[0], len(kept)


# case: [P],[NEG]
def entries_in_another_order(x):
    d = {}
    if x.sum() > 0:
        d["a"] = x * 2
        d["b"] = x * 3
    else:
        d["b"] = x * 4
        d["a"] = x * 5
    return d["a"], d["b"]


# case: [P],[NEG]
def entry_of_an_entry_in_a_loop(x):
    d = {"s": {"q": x}}
    i = paddle.zeros([1], "int32")
    while i < 3:
        d["s"]["q"] = d["s"]["q"] + 1
        i = i + 1
    return d["s"]["q"]


# case: [P],[NEG] free
def list_that_a_function_changes_in_a_loop(x):
    kept = [x]
    i = paddle.zeros([1], "int32")
    while i < 3:
        _add(kept, x)
        i = i + 1
    return len(kept)


# case: [P],[NEG] free
def list_of_two_names_in_a_loop(x):
    kept = [x]
    same = kept
    i = paddle.zeros([1], "int32")
    while i < 3:
        kept[0] = kept[0] + x
        i = i + 1
    return same[0]


# case: [P],[NEG] free
def object_changes_itself_in_a_loop(x):
    box = Box()
    i = paddle.zeros([1], "int32")
    while i < 3:
        box.hold(box.value + x)
        i = i + 1
    return box.value


# case: [I]
def counted_in_an_entry(x):
    d = {"a": [0]}
    for _ in range(x.sum()):
        d["a"][0] += 1
    return x + d["a"][0]
