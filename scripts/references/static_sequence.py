"""Control flow and sequence layers of `paddle.static.nn` in 2.6: Programs, gradients and what they compute.

ops_seq_static.json.gz: {case: what `observe` gives}.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import programs

WHEELS = ("2.6.2",)

# a case is a line with its name, then its code; `S` is paddle.static.nn, `f` and `i` feed float32 and int64
TEXT = """
== cond
x = f('x', 3, 4)
out = S.cond(paddle.mean(x) < 5.0, lambda: [paddle.tanh(x), x + 1.0], lambda: [x * 2.0, x * 3.0])
== cond/false
x = f('x', 3, 4)
p = paddle.mean(x) > 5.0
out = S.cond(p, lambda: {'a': paddle.tanh(x), 'b': (x,)}, lambda: {'a': x * 3.0, 'b': (x * 2.0,)}, name='chosen')
== cond/shapes
x = f('x', -1, 4)
out = S.cond(paddle.mean(x) > 5.0, lambda: x, lambda: paddle.concat([x, x], axis=1))
== cond/numbers
x = f('x', 3, 4)
a, b, c = S.cond(paddle.mean(x) < 5.0, lambda: (x, 7, 2), lambda: (x * 2.0, 7, 3))
out = [a, c, x * float(b)]
== cond/nothing
x = f('x', 3, 4)
y = paddle.static.create_global_var([1], 0.0, 'float32', name='y')
def store():
    paddle.assign(paddle.full([1], 3.0), y)
S.cond(paddle.mean(x) < 5.0, store)
out = [y]
== cond/nested
x = f('x', 3, 4)
s = paddle.mean(x)
p, q = (paddle.greater_than(s, paddle.full([], v)) for v in (5.0, -5.0))
out = S.cond(p, lambda: x, lambda: S.cond(q, lambda: paddle.tanh(x), lambda: x * 2.0))
== cond/overwritten
x = f('x', 3, 4)
h = paddle.scale(x, 3.0)
def overwrite():
    paddle.assign(paddle.square(h), h)
S.cond(paddle.mean(x) < 5.0, overwrite)
out = [h]
== case
x = f('x', 3, 4)
s = paddle.mean(x)
out = S.case([(s > 5.0, lambda: paddle.tanh(x)), (s > -5.0, lambda: x * 3.0)], default=lambda: x * 2.0)
== case/no default
x = f('x', 3, 4)
s = paddle.mean(x)
out = S.case([(s > 5.0, lambda: paddle.tanh(x)), (s > 6.0, lambda: x * 3.0)])
== switch_case
x = f('x', 3, 4)
k = paddle.full([1], 2, 'int32')
out = S.switch_case(k, {1: lambda: paddle.tanh(x), 2: lambda: x * 3.0}, default=lambda: x * 2.0)
== switch_case/no default
x = f('x', 3, 4)
k = paddle.full([1], 9, 'int64')
out = S.switch_case(k, [(4, lambda: paddle.tanh(x)), (2, lambda: x * 3.0)])
== while_loop
x = f('x', 3, 4)
k = paddle.full([1], 0, 'int64')
out = S.while_loop(lambda k, y: k < 3, lambda k, y: [k + 1, paddle.tanh(y) + x], [k, x * 2.0])[1]
== while_loop/nested
x = f('x', 3, 4)
k = paddle.full([1], 0, 'int64')
body = lambda k, d: [k + 1, {'a': paddle.tanh(d['a']), 'b': [d['b'][0] + d['a']]}]
out = S.while_loop(lambda k, d: k < 3, body, [k, {'a': x * 2.0, 'b': [x * 3.0]}])
== while_loop/weights
x = f('x', 3, 4)
k = paddle.full([1], 0, 'int64')
p = paddle.create_parameter([4], 'float32', name='p', default_initializer=paddle.nn.initializer.Constant(0.5))
h = paddle.tanh(x)
out = S.while_loop(lambda k, y: k < 3, lambda k, y: [k + 1, paddle.tanh(y * p) + x], [k, h])[1]
== while_loop/array
x = f('x', 3, 4)
k = paddle.zeros([1], dtype='int64')
a = paddle.tensor.array_write(x, k)
def body(k, a):
    y = paddle.tanh(paddle.tensor.array_read(a, k))
    k = paddle.increment(k)
    return k, paddle.tensor.array_write(y, k, array=a)
k, a = S.while_loop(lambda k, a: k < 3, body, [k, a])
out = [paddle.tensor.array_read(a, k), paddle.tensor.array_length(a)]
== Assert
x = f('x', 3, 4)
S.control_flow.Assert(paddle.mean(x) < 5.0, [x], summarize=2)
out = [x * 2.0]
== Print
x = f('x', 3, 4)
out = paddle.static.Print(x, first_n=1, message='seen', summarize=3, print_tensor_layout=False)
== sequence_conv
out = S.sequence_conv(f('x', -1, 4, lens=[[3, 1, 2]]), 5, 3, param_attr=w(12, 5), act='tanh')
== sequence_softmax
out = S.sequence_softmax(f('x', -1, 1, lens=[[3, 1, 2]]))
== sequence_pool
out = S.sequence_pool(f('x', -1, 4, lens=[[3, 1, 2]]), 'sqrt')
== sequence_pool/max
out = S.sequence_pool(f('x', -1, 4, lens=[[2, 1], [2, 0, 3]]), 'max', pad_value=0.5)
== sequence_first_step
out = S.sequence_first_step(f('x', -1, 4, lens=[[3, 1, 2]]))
== sequence_last_step
out = S.sequence_last_step(f('x', -1, 4, lens=[[3, 1, 2]]))
== sequence_concat
out = S.sequence_concat([f('x', -1, 4, lens=[[3, 1, 2]]), f('y', -1, 4, lens=[[1, 2, 1]])])
== sequence_slice
x = f('x', -1, 4, lens=[[3, 1, 2]])
out = S.sequence_slice(x, i('o', -1, 1, value=[[1], [0], [0]]), i('n', -1, 1, value=[[2], [1], [1]]))
== sequence_expand
out = S.sequence_expand(f('x', -1, 4), f('y', -1, 2, lens=[[3, 1, 2]]), ref_level=0)
== sequence_expand_as
out = S.sequence_expand_as(f('x', -1, 4), f('y', -1, 2, lens=[[3, 1, 2]]))
== sequence_pad
out = S.sequence_pad(f('x', -1, 4, lens=[[3, 1, 2]]), paddle.full([1], 0.5), maxlen=5, name='padded')
== sequence_unpad
out = S.sequence_unpad(f('x', -1, 4, 2), i('n', -1, value=[2, 4, 1]))
== sequence_reshape
out = S.sequence_reshape(f('x', -1, 4, lens=[[3, 1, 2]]), 2)
== sequence_scatter
x, k = f('x', -1, 6), i('k', -1, 1, value=[[1], [0], [1], [5], [4], [4]], lens=[[3, 1, 2]])
out = S.sequence_scatter(x, k, f('u', -1, 1, lens=[[3, 1, 2]]))
== sequence_enumerate
out = S.sequence_enumerate(i('x', -1, 1, value=[[1], [2], [3], [4], [5], [6]], lens=[[3, 1, 2]]), 2, pad_value=7)
== sequence_reverse
out = S.sequence_reverse(f('x', -1, 4, lens=[[3, 1, 2]]))
"""


def parsed(text: str) -> dict[str, str]:
    """The cases by name."""
    parts = (part.partition("\n") for part in text.strip()[3:].split("\n== "))
    return {name: code for name, _, code in parts}


CASES = parsed(TEXT)


class Feeds:
    """Makes fed variables, and what is fed for them."""

    def __init__(self, paddle: Any, core: Any) -> None:
        self.paddle = paddle
        self.core = core
        self.feeds: dict[str, Any] = {}
        self.variables: list[Any] = []

    def _feed(self, name: str, shape: tuple[int, ...], array: np.ndarray, lens: Any) -> Any:
        var = self.paddle.static.data(name, list(shape), str(array.dtype), lod_level=len(lens))
        tensor = self.core.LoDTensor()
        tensor.set(array, self.paddle.CPUPlace())
        if lens:
            tensor.set_recursive_sequence_lengths(lens)
        self.feeds[name] = tensor
        return var

    def floats(self, name: str, *shape: int, lens: Any = ()) -> Any:
        """A fed float32 variable that takes gradients."""
        size = [d if d >= 0 else sum(lens[-1]) if lens else 3 for d in shape]
        array = np.random.RandomState(sum(map(ord, name))).uniform(-1, 1, size).astype("float32")
        var = self._feed(name, shape, array, lens)
        var.stop_gradient = False
        self.variables.append(var)
        return var

    def ints(self, name: str, *shape: int, value: Any, lens: Any = ()) -> Any:
        """A fed int64 variable."""
        return self._feed(name, shape, np.asarray(value, "int64"), lens)


def leaves(value: Any, kind: type) -> list[Any]:
    """The Variables in a nest, in order."""
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value)]
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item, kind)]
    return [value] if isinstance(value, kind) else []


def packed(value: Any) -> dict[str, Any]:
    """A fetched value."""
    array = np.array(value)
    return {
        "dtype": str(array.dtype),
        "shape": list(array.shape),
        "lod": value.lod(),
        "data": array.reshape(-1).tolist(),
    }


def observe(paddle: Any, core: Any, code: str) -> dict[str, Any]:
    """Build, differentiate and run a case."""
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    feeds = Feeds(paddle, core)

    def weight(*shape: int) -> Any:
        values = np.linspace(-1, 1, int(np.prod(shape))).astype("float32").reshape(shape)
        return paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(values))

    names = {"paddle": paddle, "S": paddle.static.nn, "np": np, "f": feeds.floats, "i": feeds.ints, "w": weight}
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, startup):
        exec(code, names)
        outs = leaves(names["out"], paddle.static.Variable)
        forward = len(main.global_block().ops)
        found: dict[str, Any] = {"main": programs.plain_program(main), "startup": programs.plain_program(startup)}
        found["out"] = [out.name for out in outs]
        floats = [out for out in outs if programs.dtype_name(out.dtype) == "float32" and not out.stop_gradient]
        wrt = feeds.variables + list(main.all_parameters())
        grads = []
        if floats:
            losses = [paddle.mean(paddle.square(out)) for out in floats]
            grads = [(v, g) for v, g in zip(wrt, paddle.static.gradients(losses, wrt)) if g is not None]
        added = [programs.plain_op(op) for op in main.global_block().ops[forward:]]
        found["backward"] = [[op["type"], op["inputs"], op["outputs"]] for op in added]
    exe = paddle.static.Executor(paddle.CPUPlace())
    with paddle.static.scope_guard(paddle.static.Scope()):
        exe.run(startup)
        fetch = [*outs, *(g for _, g in grads)]
        values = exe.run(main, feed=feeds.feeds, fetch_list=fetch, return_numpy=False)
    found["values"] = [packed(value) for value in values[: len(outs)]]
    found["grads"] = {v.name: packed(value) for (v, _), value in zip(grads, values[len(outs) :])}
    return found


def record() -> dict[str, Any]:
    """Every case."""
    import paddle
    from paddle.base import core

    found, failed = {}, []
    for name, code in CASES.items():
        try:
            found[name] = observe(paddle, core, code)
        except Exception as error:
            failed.append(f"{name}: {type(error).__name__}: {str(error)[-300:]}")
    if failed:
        raise SystemExit("\n".join(failed))
    return found


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file."""
    return {"ops_seq_static.json.gz": record}
