"""Builds and runs one small Program for each call of tests/fluid/layers' tables, under a wheel or under ours.

`observe(fluid, code)` gives plain values: the startup and main Programs as `programs.plain_program` has them, the
operators that `fluid.gradients` adds, and what a run of the Program gives for fixed feeds.
"""

from __future__ import annotations

import random
import warnings
import zlib
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import programs

SEED = 7
BATCH = 3
Plain = Dict[str, Any]


class Bench:
    """What the code of a case finds: `fluid`, `L` (its layers), `np`, and makers of fed variables.

    Args:
        retype: names of fed variables -> another data type, or None for a numpy array in the variable's place.
    """

    def __init__(self, fluid: Any, retype: Optional[Dict[str, Optional[str]]] = None) -> None:
        self.fluid = fluid
        self.retype = retype or {}
        self.feeds: Dict[str, Any] = {}
        self.fed: List[Any] = []
        self.names = {
            "fluid": fluid, "L": fluid.layers, "np": np, "f": self.f, "i": self.i, "data": self.data, "w": self.weight, "init": self.init,
        }  # fmt: skip

    def f(self, name: str, *shape: int, **options: Any) -> Any:
        """A fed float32 variable."""
        return self.data(name, list(shape), **options)

    def i(self, name: str, *shape: int, **options: Any) -> Any:
        """A fed int64 variable."""
        return self.data(name, list(shape), "int64", **options)

    def data(
        self,
        name: str,
        shape: List[int],
        dtype: str = "float32",
        low: float = -1.0,
        high: Optional[float] = None,
        value: Any = None,
        lens: Any = None,
        grad: bool = True,
        batch: int = BATCH,
    ) -> Any:
        """A fed variable; what is fed depends on its name and shape alone."""
        is_float = dtype.startswith("float")
        if value is None:
            draw = np.random.RandomState(zlib.crc32(name.encode()) & 0xFFFF)
            rows = sum(lens[-1]) if lens else batch
            size = [rows if d is None or d < 0 else d for d in shape]
            if is_float:
                value = np.round(draw.uniform(low, 1.0 if high is None else high, size), 4)
            else:
                value = draw.randint(max(int(low), 0), 2 if high is None else int(high), size)
        if name in self.retype:
            if self.retype[name] is None:
                return np.asarray(value).astype(dtype)
            dtype = str(self.retype[name])
        var = self.fluid.data(name, shape, dtype, lod_level=len(lens or ()))
        if is_float and grad:
            var.stop_gradient = False
        tensor = self.fluid.LoDTensor()
        tensor.set(np.ascontiguousarray(np.asarray(value).astype(dtype)), self.fluid.CPUPlace())
        if lens:
            tensor.set_recursive_sequence_lengths(lens)
        self.feeds[name] = tensor
        self.fed.append(var)
        return var

    def init(self, *shape: int) -> Any:
        """An initializer that gives fixed numbers, all different."""
        count = int(np.prod(shape))
        values = ((np.arange(count) * 37) % 101 / 50.0 - 1.0).astype("float32").reshape(shape)
        return self.fluid.initializer.NumpyArrayInitializer(values)

    def weight(self, *shape: int, **options: Any) -> Any:
        """A ParamAttr with such numbers."""
        return self.fluid.ParamAttr(initializer=self.init(*shape), **options)


def packed(tensor: Any) -> Plain:
    """A fetched value: data type, shape, LoD, numbers with nine (float64: twelve) digits."""
    array = np.array(tensor)
    flat = array.reshape(-1)
    digits = "%.9g" if array.dtype == np.float32 else "%.12g"
    data = [float(digits % number) for number in flat.tolist()] if array.dtype.kind == "f" else flat.astype("int64").tolist()
    return {"dtype": str(array.dtype), "shape": list(array.shape), "lod": [list(level) for level in tensor.lod()], "data": data}


def build(fluid: Any, code: str, retype: Optional[Dict[str, Optional[str]]] = None) -> Tuple[Bench, Any, Any]:
    """Run the code of a case inside new Programs; returns the bench, the main and the startup Program."""
    bench = Bench(fluid, retype)
    # some layers draw a seed when they are recorded
    np.random.seed(SEED)
    random.seed(SEED)
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = SEED
    with fluid.unique_name.guard(), fluid.program_guard(main, startup), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(code, bench.names)
    return bench, main, startup


def outputs_of(bench: Bench, variable: Any) -> List[Any]:
    """The Variables in `out`, in order, however deep they lie in lists."""
    found: List[Any] = []

    def walk(value: Any) -> None:
        if isinstance(value, (list, tuple)):
            for item in value:
                walk(item)
        elif isinstance(value, dict):
            for key in sorted(value):
                walk(value[key])
        elif isinstance(value, variable):
            found.append(value)

    walk(bench.names.get("out"))
    return found


def form(value: Any, variable: Any) -> str:
    """How what a call returns is put together: `V` a Variable, lists and tuples of them, or another type's name."""
    if isinstance(value, (list, tuple)):
        inside = ", ".join(form(item, variable) for item in value)
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return "V" if isinstance(value, variable) else type(value).__name__


def differentiate(fluid: Any, bench: Bench, main: Any, startup: Any, outs: List[Any]) -> List[Tuple[str, Any]]:
    """The gradients of the mean square of every float output, by the names of fed variables and parameters."""
    floats = [o for o in outs if programs.dtype_name(o.dtype).startswith("float") and not o.stop_gradient]
    inputs = [v for v in bench.fed if not v.stop_gradient]
    inputs += [p for p in main.global_block().all_parameters() if p.trainable and not p.stop_gradient]
    if not floats or not inputs:
        return []
    with fluid.unique_name.guard("loss_"), fluid.program_guard(main, startup):
        losses = [fluid.layers.mean(fluid.layers.square(o)) for o in floats]
        grads = fluid.gradients(losses, inputs)
    # what only a look-up learns has a gradient of rows, which this wheel cannot hand out
    return [(v.name, g) for v, g in zip(inputs, grads) if g is not None and "ROWS" not in str(g.type)]


def observe(fluid: Any, code: str, differentiable: bool = True, runs: bool = True) -> Plain:
    """Build, differentiate and run a case."""
    bench, main, startup = build(fluid, code)
    forward = len(main.global_block().ops)
    found: Plain = {"main": programs.plain_program(main), "startup": programs.plain_program(startup)}
    outs = outputs_of(bench, fluid.framework.Variable)
    found["out"] = [o.name for o in outs]
    found["form"] = form(bench.names.get("out"), fluid.framework.Variable)
    grads: List[Tuple[str, Any]] = []
    if differentiable:
        grads = differentiate(fluid, bench, main, startup, outs)
        added = [programs.plain_op(op) for op in main.global_block().ops[forward:]]
        found["backward"] = [[op["type"], op["inputs"], op["outputs"]] for op in added]
    if not runs:
        return found
    fetches = outs + [g for _, g in grads]
    scope = fluid.core.Scope()
    with fluid.scope_guard(scope):
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        values = exe.run(main, feed=bench.feeds, fetch_list=fetches, return_numpy=False) if fetches else []
    found["values"] = [packed(v) for v in values[: len(outs)]]
    found["grads"] = {name: packed(v) for (name, _), v in zip(grads, values[len(outs) :])}
    return found
