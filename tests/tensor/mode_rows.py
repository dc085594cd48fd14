"""What the rows of the tables `rows_modes_*.py` mean: expressions that are recorded as a Program and run at once, with gradients.

A row makes its inputs as it goes: `f(2, 3)` is a float32 tensor of that shape, a `static.data` with something to feed while recording,
`d`, `h`, `i`, `q`, `b`, `c` are those of the other types, `t(value, type)` holds what it is given, `spd(3)` is symmetric and positive,
`e(2, 3)` is what an operator made, `a(2, 3)` a numpy array. What stands before the last `; ` is executed. The gradients are those of the
sum of all squares of the results.

Read by the recording script under the real wheel as well, so this imports nothing but numpy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

SEED = 102
FLOATS = ("float32", "float64", "float16", "complex64", "complex128")


class Inputs:
    """The inputs that a row makes, in one of the modes."""

    def __init__(self, paddle: Any, static: bool) -> None:
        self.paddle, self.static = paddle, static
        self.made: list[Any] = []  # those that want a gradient
        self.feed: dict[str, Any] = {}
        self.count = 0

    def names(self) -> dict[str, Any]:
        """What a row is evaluated with."""
        own = {name: getattr(self, name) for name in ("t", "f", "d", "h", "c", "i", "q", "b", "a", "e", "spd")}
        return {"paddle": self.paddle, "np": np, "F": self.paddle.nn.functional, "nn": self.paddle.nn, **own}

    def t(self, value: Any, dtype: str | None = None, sg: bool | None = None) -> Any:
        """A tensor of this value."""
        array = np.asarray(value, dtype)
        if dtype is None and array.dtype == np.float64:
            array = array.astype("float32")
        name = f"in{self.count}"
        self.count += 1
        stop = array.dtype.kind not in "fc" if sg is None else sg
        if self.static:
            made = self.paddle.static.data(name, list(array.shape), str(array.dtype))
            made.stop_gradient = stop
            self.feed[name] = array
        else:
            made = self.paddle.to_tensor(array, stop_gradient=stop)
        if not stop:
            self.made.append(made)
        return made

    def drawn(self, shape: Sequence[int], lo: float, hi: float) -> Any:
        """Numbers that are the same in each mode and wheel."""
        return np.random.RandomState(100 + self.count).uniform(lo, hi, shape)

    def f(self, *shape: int, lo: float = -1, hi: float = 1, sg: bool | None = None) -> Any:
        """A float32 tensor."""
        return self.t(self.drawn(shape, lo, hi), "float32", sg)

    def d(self, *shape: int, lo: float = -1, hi: float = 1, sg: bool | None = None) -> Any:
        """A float64 tensor."""
        return self.t(self.drawn(shape, lo, hi), "float64", sg)

    def h(self, *shape: int, lo: float = -1, hi: float = 1, sg: bool | None = None) -> Any:
        """A float16 tensor."""
        return self.t(self.drawn(shape, lo, hi), "float16", sg)

    def c(self, *shape: int, sg: bool | None = None) -> Any:
        """A complex64 tensor."""
        imaginary = np.random.RandomState(7 + self.count).uniform(-1, 1, shape)
        return self.t(self.drawn(shape, -1, 1) + 1j * imaginary, "complex64", sg)

    def i(self, *shape: int, lo: int = 0, hi: int = 9, dtype: str = "int64") -> Any:
        """An int64 tensor."""
        return self.t(np.random.RandomState(100 + self.count).randint(lo, hi, shape), dtype)

    def q(self, *shape: int, lo: int = 0, hi: int = 9) -> Any:
        """An int32 tensor."""
        return self.i(*shape, lo=lo, hi=hi, dtype="int32")

    def b(self, *shape: int) -> Any:
        """A bool tensor."""
        return self.t(np.random.RandomState(100 + self.count).randint(0, 2, shape).astype(bool), "bool")

    def a(self, *shape: int, lo: float = -1, hi: float = 1, dtype: str = "float32") -> Any:
        """A numpy array."""
        self.count += 1
        return self.drawn(shape, lo, hi).astype(dtype)

    def e(self, *shape: int, lo: float = -1, hi: float = 1) -> Any:
        """A float32 tensor that an operator made."""
        return self.f(*shape, lo=lo, hi=hi) * 1.0

    def spd(self, size: int) -> Any:
        """A symmetric float32 matrix whose eigenvalues are 2 or more."""
        root = self.drawn((size, size), -1, 1)
        return self.t(root.dot(root.T) + 2 * np.eye(size), "float32")


def evaluate(row: str, inputs: Inputs) -> Any:
    """What a row gives."""
    first, _, last = row.rpartition("; ")
    names = inputs.names()
    exec(first, names)
    return eval(last, names)


def leaves(value: Any) -> list[Any]:
    """The tensors and plain values in a result, in order."""
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


def dtype_of(value: Any) -> str:
    """The data type's name; both wheels and ours print it differently."""
    return re.sub(r".*\.", "", str(value.dtype)).lower().replace("fp", "float")


def kinds(error: BaseException) -> list[str]:
    """The exception's class and its bases."""
    return [kind.__name__ for kind in type(error).__mro__ if kind not in (object, BaseException)]


def described(value: Any) -> Any:
    """A result as JSON takes it."""
    if hasattr(value, "block"):
        return {"declared": dtype_of(value), "shape": list(value.shape)}
    if hasattr(value, "stop_gradient"):
        stops = {} if "int" in dtype_of(value) else {"stop": bool(value.stop_gradient)}
        return {"tensor": dtype_of(value), **described(value.numpy()), **stops}
    if isinstance(value, np.ndarray):
        flat = value.reshape(-1)
        numbers = [[number(v.real), number(v.imag)] for v in flat] if value.dtype.kind == "c" else [number(v) for v in flat]
        return {"dtype": str(value.dtype), "shape": list(value.shape), "data": numbers}
    return number(value) if value is None or isinstance(value, (bool, int, float, str, np.generic)) else type(value).__name__


def number(value: Any) -> Any:
    """One element; infinities and what is no number as text, which JSON has no numbers for."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float):
        return float(f"{value:.7g}") if math.isfinite(value) else repr(value)
    return value


def squares(results: Sequence[Any], paddle: Any) -> Any:
    """The sum of all squares of results that have gradients; None where there are none."""
    total = None
    for result in results:
        if not hasattr(result, "stop_gradient") or result.stop_gradient or dtype_of(result) not in FLOATS:
            continue
        real = paddle.as_real(result) if "complex" in dtype_of(result) else result
        part = paddle.cast((real * real).sum(), "float64")
        total = part if total is None else total + part
    return total


def at_once(row: str, paddle: Any) -> dict[str, Any]:
    """What a row gives in eager mode: its results and gradients, or the exception."""
    paddle.disable_static()
    paddle.seed(SEED)
    inputs = Inputs(paddle, static=False)
    try:
        results = leaves(evaluate(row, inputs))
        found: dict[str, Any] = {"results": [described(result) for result in results]}
        total = squares(results, paddle)
        if total is not None:
            total.backward()
            found["grads"] = [described(made.grad) for made in inputs.made]
    except Exception as error:
        return {"error": kinds(error)}
    return found


def recorded(row: str, paddle: Any) -> dict[str, Any]:
    """What a row gives in static mode: what is declared, what a run fetches, gradients last; or the exception."""
    paddle.enable_static()
    paddle.seed(SEED)
    inputs = Inputs(paddle, static=True)
    main, startup = paddle.static.Program(), paddle.static.Program()
    scope = paddle.base.core.Scope()
    try:
        with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard(), paddle.static.scope_guard(scope):
            results = leaves(evaluate(row, inputs))
            found: dict[str, Any] = {"results": [described(result) for result in results]}
            total = squares(results, paddle)
            grads = [] if total is None else paddle.static.gradients(total, inputs.made)
            executor = paddle.static.Executor(paddle.CPUPlace())
            executor.run(startup)
            fetched = [v for v in [*results, *grads] if hasattr(v, "block")]
            found["values"] = [described(np.asarray(v)) for v in executor.run(main, feed=inputs.feed, fetch_list=fetched)]
            found["grads"] = [grad is not None for grad in grads]
    except Exception as error:
        return {"error": kinds(error)}
    finally:
        paddle.disable_static()
    return found


MODES = {"eager": at_once, "static": recorded}
