"""Gradients through loops and branches: the operators that the wheels write for small networks, and the numbers of three updates."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

WHEELS = ("1.8.5", "2.6.2")
X = np.array([[0.1, 0.2], [0.3, -0.4]], "float32")
W = np.array([[0.5, -0.6], [0.7, 0.8]], "float32")
# the wheels list variables in slots of these in the order of a set
UNORDERED = ("while", "while_grad", "conditional_block", "conditional_block_grad")
STEPS = 3


class Layers:
    """The layers that the cases use, in the spelling of a wheel."""

    def __init__(self, paddle: Any) -> None:
        self.old = not hasattr(paddle, "static")
        self.paddle = paddle
        home = paddle.layers if self.old else paddle
        self.tanh, self.scale, self.cast, self.concat, self.assign = home.tanh, home.scale, home.cast, home.concat, home.assign
        self.mean = home.reduce_mean if self.old else home.mean
        self.add = home.sums if self.old else home.add_n
        self.increment = home.increment
        control = home if self.old else paddle.static.nn
        if self.old:
            self.array_write, self.array_read = home.array_write, home.array_read
        self.while_loop, self.cond = control.while_loop, control.cond

    def number(self, value: float, dtype: str = "float32") -> Any:
        """A constant of one element."""
        return self.paddle.layers.fill_constant([1], dtype, value) if self.old else self.paddle.full([1], value, dtype)

    def less(self, a: Any, b: Any) -> Any:
        """Whether a < b."""
        return self.paddle.layers.less_than(a, b) if self.old else self.paddle.less_than(a, b)

    def loop(self, body: Callable[..., list[Any]], *values: Any, turns: int = 3, counter: bool = False) -> list[Any]:
        """What some turns of a body make of values; the counter goes first into the body if it is wanted there."""
        i, n = self.number(0, "int64"), self.number(turns, "int64")

        def turn(i: Any, *v: Any) -> list[Any]:
            i = self.increment(i)
            return [i, *(body(i, *v) if counter else body(*v))]

        self.turn, *found = self.while_loop(lambda i, *v: self.less(i, n), turn, [i, *values])
        return list(found)

    def branch(self, first: Callable[[], Any], second: Callable[[], Any], taken: bool = True) -> Any:
        """One of two branches."""
        return self.cond(self.less(self.number(0.0), self.number(1.0 if taken else -1.0)), first, second)


Case = Callable[[Layers, Any, Any], Any]


def once(body: Callable[[Layers, Any, Any, Any], Any]) -> Case:
    """A loop over one value, from x * w."""
    return lambda L, x, w: L.mean(L.loop(lambda h: [body(L, h, x, w)], x * w)[0])


def twice(body: Callable[[Layers, Any, Any, Any, Any], list[Any]]) -> Case:
    """A loop over two values, from x * w and x + w."""

    def case(L: Layers, x: Any, w: Any) -> Any:
        a, b = L.loop(lambda a, b: body(L, a, b, x, w), x * w, x + w)
        return L.mean(a + b * 2.0)

    return case


def branched(first: Callable[[Layers, Any, Any, Any], Any], second: Any = None, after: Any = None, taken: bool = True) -> Case:
    """A branch that reads h = x * w."""
    second = second or (lambda L, h, x, w: L.scale(h, 3.0))

    def case(L: Layers, x: Any, w: Any) -> Any:
        h = x * w
        out = L.branch(lambda: first(L, h, x, w), lambda: second(L, h, x, w), taken)
        return L.mean(out + after(L, h, x) if after else out)

    return case


def read_before(body: Callable[[Layers, Any], Any]) -> Case:
    """A loop over a value that another operator read before."""

    def case(L: Layers, x: Any, w: Any) -> Any:
        h = x * w
        k = L.tanh(h)
        return L.mean(L.loop(lambda h: [body(L, h)], h)[0] + k)

    return case


def both_ways(L: Layers, h: Any, g: Any) -> Any:
    """A branch with two results, one of them by operators whose gradient reads nothing of the forward pass."""
    return L.branch(lambda: (L.scale(h, 2.0), L.tanh(g)), lambda: (L.scale(h, 3.0), L.tanh(g)))


def two_results(L: Layers, x: Any, w: Any) -> Any:
    """The mean of both."""
    h, g = both_ways(L, x * w, x + w)
    return L.mean(h + g * 2.0)


def three(L: Layers, x: Any, w: Any) -> Any:
    """A loop over three values; two make each other."""
    a, b, c = L.loop(lambda a, b, c: [L.scale(c, 2.0), L.tanh(b), L.tanh(a)], x * w, x + w, x * w)
    return L.mean(a + b * 2.0 + c)


def in_a_row(L: Layers, x: Any, w: Any) -> Any:
    """A loop after a loop."""
    first = L.loop(lambda h: [L.scale(h, 2.0)], x * w)
    return L.mean(L.loop(lambda h: [L.tanh(h)], first[0])[0])


def made_by_tanh(L: Layers, x: Any, w: Any) -> Any:
    """A loop over what an operator made whose gradient reads it."""
    return L.mean(L.loop(lambda h: [L.scale(h, 0.5)], L.tanh(x * w))[0])


def counted(L: Layers, x: Any, w: Any) -> Any:
    """A body that reads the counter."""

    def body(i: Any, h: Any) -> list[Any]:
        number = L.cast(L.concat([i, i]), "float32")
        return [L.add([L.scale(h, 2.0), x]) * number]

    return L.mean(L.loop(body, x * w, counter=True)[0])


def tanhs(L: Layers, h: Any, *_: Any) -> Any:
    """Three times tanh, by a loop."""
    return L.loop(lambda p: [L.tanh(p)], h)[0]


def doubled(L: Layers, h: Any, *_: Any) -> Any:
    """Eightfold, by a loop."""
    return L.loop(lambda p: [L.scale(p, 2.0)], h)[0]


def beside_an_array(L: Layers, x: Any, w: Any) -> Any:
    """A loop over a value and an array, each of which the other is made from."""
    h = x * w
    steps = L.array_write(h, L.number(0, "int64"))

    def body(i: Any, h: Any) -> list[Any]:
        before = L.scale(i, 1.0, bias=-1.0)
        h = L.tanh(h * w) + L.array_read(steps, before)
        L.array_write(h * 0.5, i, steps)
        return [h]

    (h,) = L.loop(body, h, counter=True)
    return L.mean(h) + L.mean(L.array_read(steps, L.number(3, "int64")))


def passes(body: Callable[[Layers, Any, Any], Any], loops: int = 1) -> Case:
    """Two losses made from one loop, or from several in a row."""

    def case(L: Layers, x: Any, w: Any) -> Any:
        h = x * w
        for _ in range(loops):
            (h,) = L.loop(lambda h: [body(L, h, w)], h)
        return L.mean(h), L.mean(h * h)

    return case


CASES: dict[str, Case] = {
    "scale": once(lambda L, h, x, w: L.scale(h, 2.0)),
    "tanh": once(lambda L, h, x, w: L.tanh(h)),
    "sum": once(lambda L, h, x, w: L.add([h, h])),
    "sum with data": once(lambda L, h, x, w: L.add([h, x])),
    "sum with parameter": once(lambda L, h, x, w: L.add([h, w])),
    "sum, short way first": once(lambda L, h, x, w: L.add([h, L.scale(h, 2.0)])),
    "sum, long way first": once(lambda L, h, x, w: L.add([L.scale(h, 2.0), h])),
    "sum with tanh": once(lambda L, h, x, w: L.add([L.scale(h, 2.0), L.tanh(w)])),
    "nothing but the parameter": once(lambda L, h, x, w: L.tanh(w)),
    "the parameter scaled": once(lambda L, h, x, w: L.scale(w, 2.0)),
    "the parameter": once(lambda L, h, x, w: w),
    "two apart": twice(lambda L, a, b, x, w: [L.scale(a, 2.0), L.tanh(b)]),
    "two together": twice(lambda L, a, b, x, w: [L.scale(a, 2.0), L.tanh(b) + a]),
    "two crossed": twice(lambda L, a, b, x, w: [L.scale(b, 2.0), L.scale(a, 3.0)]),
    "two added": twice(lambda L, a, b, x, w: [L.add([a, b]), L.scale(a, 3.0)]),
    "one handed on, the other multiplied": twice(lambda L, a, b, x, w: [b, a * w]),
    "one from the other": twice(lambda L, a, b, x, w: [L.scale(b, 2.0), L.tanh(w)]),
    "three": three,
    "loops in a row": in_a_row,
    "made by tanh": made_by_tanh,
    "counter": counted,
    "read before, scale": read_before(lambda L, h: L.scale(h, 2.0)),
    "read before, tanh": read_before(lambda L, h: L.tanh(h)),
    "loop in loop, scale": once(lambda L, h, x, w: doubled(L, h)),
    "loop in loop, tanh": once(lambda L, h, x, w: tanhs(L, h)),
    "loop in loop, then tanh": once(lambda L, h, x, w: L.tanh(doubled(L, h))),
    "loop in loop, of its own": once(lambda L, h, x, w: tanhs(L, x * w)),
    "branch": branched(lambda L, h, x, w: L.scale(h, 2.0)),
    "branch of two results": two_results,
    "branch in loop, both": once(lambda L, h, x, w: L.branch(lambda: L.tanh(h), lambda: L.scale(h, 3.0))),
    "branch in loop, one": once(lambda L, h, x, w: L.branch(lambda: L.tanh(h), lambda: L.scale(w, 3.0))),
    "branch in loop, added": once(lambda L, h, x, w: h + L.branch(lambda: L.tanh(h), lambda: L.scale(h, 3.0))),
    "branch in loop, two results": twice(lambda L, a, b, x, w: list(both_ways(L, L.tanh(a), L.tanh(b)))),
    "loop in branch, handed out": branched(tanhs),
    "loop in branch, handed out, the other reads a parameter": branched(tanhs, lambda L, h, x, w: L.scale(w, 3.0)),
    "loop in branch, scaled": branched(lambda L, h, x, w: L.scale(tanhs(L, h), 2.0)),
    "loop in branch, of its own": branched(lambda L, h, x, w: tanhs(L, h * x)),
    "loop in branch, scale of its own": branched(lambda L, h, x, w: doubled(L, L.scale(h, 2.0))),
    "loop in branch, scale then tanh": branched(lambda L, h, x, w: L.tanh(doubled(L, h))),
    "loop in branch, read after": branched(tanhs, after=lambda L, h, x: h * x),
    "loop in branch, not read": branched(lambda L, h, x, w: [tanhs(L, h), L.scale(w, 2.0)][1], after=lambda L, h, x: h),
    "loop in branch, not taken": branched(lambda L, h, x, w: L.scale(h, 3.0), tanhs, taken=False),
    "two passes, tanh": passes(lambda L, h, w: L.tanh(h)),
    "two passes, scale": passes(lambda L, h, w: L.scale(h, 2.0)),
    "two passes, parameter": passes(lambda L, h, w: L.tanh(h) * w),
    "two passes, nothing but the parameter": passes(lambda L, h, w: L.tanh(w)),
    "two passes, two loops": passes(lambda L, h, w: L.tanh(h) * w, 2),
    "loops in both branches": branched(tanhs, lambda L, h, x, w: doubled(L, h)),
    "made for nobody": once(lambda L, h, x, w: [L.tanh(L.scale(h, 3.0)), L.tanh(h)][1]),
    "made for nobody, in a row": once(lambda L, h, x, w: [L.tanh(w * 2.0), L.tanh(h) * w][1]),
    "two, each in the other": twice(lambda L, a, b, x, w: [L.tanh(a) * b, L.add([b, a * w])]),
    "two, summed beside": twice(lambda L, a, b, x, w: [L.tanh(a * w), b + L.tanh(a * w)]),
    "loop in loop, each in the other": twice(lambda L, a, b, x, w: [tanhs(L, a * b), L.add([b, a * w])]),
}

OLD_CASES: dict[str, Case] = {  # of 1.8 alone
    "a value beside an array": beside_an_array,
    "a loop over data": lambda L, x, w: L.mean(L.loop(lambda h: [L.tanh(h)], x + x)[0] * w),
    "a branch over data": lambda L, x, w: L.mean(L.branch(lambda: L.tanh(x), lambda: L.scale(x, 3.0)) * w),
}


def build(paddle: Any, case: str) -> tuple[Any, Any, list[Any]]:
    """The Programs of a case, and what to fetch; `paddle` is `paddle.fluid` or `paddle`."""
    L = Layers(paddle)
    static = paddle if L.old else paddle.static
    names = paddle.unique_name if L.old else paddle.utils.unique_name
    main, startup = static.Program(), static.Program()
    with names.guard(), static.program_guard(main, startup):
        if L.old:
            start = {"default_initializer": paddle.initializer.NumpyArrayInitializer(W)}
            w = paddle.layers.create_parameter([2, 2], "float32", name="w", **start)
        else:
            start = {"default_initializer": paddle.nn.initializer.Assign(W)}
            w = static.create_parameter([2, 2], "float32", name="w", **start)
        found = {**CASES, **OLD_CASES}[case](L, static.data("x", [2, 2]), w)
        losses = list(found) if isinstance(found, tuple) else [found]
        for loss in losses:
            (paddle.optimizer.SGDOptimizer if L.old else paddle.optimizer.SGD)(0.5).minimize(loss)
    return main, startup, [*losses, "w",  "w@GRAD", *([L.turn] if hasattr(L, "turn") and L.turn.block.idx == 0 else [])]


def operators(program: Any) -> list[Any]:
    """Type, inputs and outputs of each operator, block by block."""
    return [
        [
            [op.type, *({slot: listed(op, getattr(op, side)(slot)) for slot in slots(op, side)} for side in ("input", "output"))]
            for op in block.ops
        ]
        for block in program.blocks
    ]


def slots(op: Any, side: str) -> list[str]:
    """The slots that hold something."""
    return [slot for slot in sorted(getattr(op, side + "_names")) if getattr(op, side)(slot)]


def listed(op: Any, names: Any) -> list[str]:
    """Names in an order that does not change from run to run."""
    return sorted(names) if op.type in UNORDERED else list(names)


def numbers(paddle: Any, case: str) -> list[Any]:
    """What is fetched in each of some updates."""
    static = getattr(paddle, "static", paddle)
    main, startup, fetches = build(paddle, case)
    executor = static.Executor(paddle.CPUPlace())
    with static.scope_guard(static.Scope()):
        executor.run(startup)
        return [
            [np.asarray(v).reshape(-1).tolist() for v in executor.run(main, feed={"x": X}, fetch_list=fetches)] for _ in range(STEPS)
        ]


def record(paddle: Any) -> dict[str, Any]:
    """Everything about all cases."""
    cases = CASES if hasattr(paddle, "static") else {**CASES, **OLD_CASES}
    return {case: {"operators": operators(build(paddle, case)[0]), "numbers": numbers(paddle, case)} for case in cases}


def recordings(version: str) -> dict[str, Any]:
    """One file for each wheel."""

    def content() -> Any:
        if version == "1.8.5":
            import paddle.fluid as fluid

            return record(fluid)
        import paddle

        paddle.enable_static()
        return record(paddle)

    return {f"loop_gradients_{version}.json.gz": content}
