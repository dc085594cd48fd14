"""Short scripts, and all that the Programs say that they write: operators with every attribute, variables with every field.

A case is a line `== name` and the code below it. `f(name, sizes...)` feeds float32, `i(name, sizes...)` int64, `data(name, sizes,
data type)` any other; gradients of what `out` holds are taken where it can be differentiated. Read by the recording script under the
real wheels as well, so this stays within Python 3.7 and imports nothing but numpy and `paddle`.
"""

from __future__ import annotations

import random
import re
from typing import Any, Dict, List

import numpy as np

Plain = Dict[str, Any]
SEED = 7
FLOATS = (5, 6)
ROWS = 8
DESCRIBED = (7, ROWS, 13)  # tensors, rows and arrays
FIELDS = ("shape", "lod_level", "persistable", "stop_gradient", "is_data", "trainable", "optimize_attr", "belong_to_optimizer")
# lists that the wheels make of sets, in an order of no meaning
UNPRINTED = r"\} = (set_value|while|conditional_block|recurrent)(_grad)?\("
SETS = ("while", "while_grad", "conditional_block", "conditional_block_grad", "recurrent", "recurrent_grad")


def cases(text: str) -> Dict[str, str]:
    """The cases in a text, by name."""
    parts = re.split(r"^== (.*)\n", text, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def plain_value(value: Any) -> Any:
    """An attribute as JSON holds it; floats in single precision."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, float):
        return "%.7g" % value
    if isinstance(value, (list, tuple)):
        return [plain_value(item) for item in value]
    for name in ("idx", "name"):
        found = getattr(value, name, None)
        if found is not None:
            return [name, found() if callable(found) else found]
    return type(value).__name__


def plain_op(op: Any) -> List[Any]:
    """Type, slots, and name -> [kind, value] of every attribute that the operator lists."""
    attrs = {}
    for name in sorted(op.attr_names):
        if (op.type.split("_grad")[0], name) == ("set_value", "values"):
            continue  # objects of a class that Python does not see
        value = None if name == "op_callstack" else op._block_attr_id(name) if name == "sub_block" else plain_value(op.attr(name))
        attrs[name] = [int(op.attr_type(name)), re.sub(r"_\d+(?=/)", "", value) if name == "op_namescope" else value]
    order = sorted if op.type in SETS else list
    slots = [{s: order(op.input(s)) for s in op.input_names}, {s: order(op.output(s)) for s in op.output_names}]
    return [op.type, *slots, attrs]


def plain_var(var: Any) -> Plain:
    """The fields of a variable; what its kind has no answer for is left out."""
    found = {"type": int(getattr(var.type, "value", var.type))}
    if found["type"] not in DESCRIBED:
        return found
    for field in FIELDS if found["type"] != ROWS else [f for f in FIELDS if f != "lod_level"]:
        try:
            found[field] = plain_value(getattr(var, field))
        except Exception:  # each wheel has an exception of its own here
            continue
    if "shape" in found:
        found["dtype"] = int(getattr(var.dtype, "value", var.dtype))
        found["need_check_feed"] = bool(var.desc.need_check_feed())
    return found


def plain_program(program: Any) -> List[Any]:
    """Its blocks: parent, operators, and variables."""
    return [
        [b.parent_idx, [plain_op(op) for op in b.ops], {n: plain_var(b.vars[n]) for n in sorted(b.vars)}] for b in program.blocks
    ]


def outputs(value: Any) -> List[Any]:
    """The Variables in a value, however deep they lie in lists."""
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in outputs(item)]
    return [value] if hasattr(value, "block") and hasattr(value, "stop_gradient") else []


def observe(paddle: Any, age: int, code: str) -> Plain:
    """Run a case; age 1 is a script of `paddle.fluid`, age 2 of `paddle`."""
    static = paddle.fluid if age == 1 else paddle.static
    names = static.unique_name if age == 1 else paddle.utils.unique_name
    main, startup = static.Program(), static.Program()
    np.random.seed(SEED)
    random.seed(SEED)
    main.random_seed = startup.random_seed = SEED
    fed: List[Any] = []

    def data(name: str, sizes: Any, dtype: str = "float32", lod: int = 0, stop: Any = None) -> Any:
        var = static.data(name, list(sizes), dtype, lod_level=lod)
        var.stop_gradient = not dtype.startswith(("float", "complex")) if stop is None else stop
        fed.append(var)
        return var

    scope = {"paddle": paddle, "np": np, "S": static, "data": data, "fed": fed, "main": main, "startup": startup}
    scope["f"] = lambda name, *sizes, **more: data(name, sizes, "float32", **more)
    scope["i"] = lambda name, *sizes, **more: data(name, sizes, "int64", **more)
    scope.update({"fluid": static, "L": static.layers} if age == 1 else {"F": paddle.nn.functional, "nn": paddle.nn})
    with names.guard(), static.program_guard(main, startup):
        exec(code, scope)
        outs = outputs(scope.get("out"))
        floats = [v for v in outs if int(getattr(v.dtype, "value", v.dtype)) in FLOATS and not v.stop_gradient]
        sources = [v for v in fed if not v.stop_gradient]
        sources += [p for p in main.global_block().all_parameters() if not p.stop_gradient]
        found: Plain = {"out": [v.name for v in outs]}
        if floats and sources:
            found["grads"] = [g and g.name for g in static.gradients(floats, sources)]
    found["main"], found["startup"] = plain_program(main), plain_program(startup)
    if age == 2:
        lines = [line for line in str(main).splitlines() if not re.search(UNPRINTED, line)]
        # the order of operators is compared above; that of variables is when each was thought of
        found["text"] = sorted(re.sub(r"_\d+(?=/)", "", line) for line in lines)
    return found
