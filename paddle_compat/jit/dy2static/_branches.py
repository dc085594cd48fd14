"""Recording of branches: both are recorded, and what they assign is chosen from when the Program runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from paddle_compat.core import capture
from paddle_compat.core.capture import as_variable
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.program import Program, default_main_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.jit.dy2static._held import Held
from paddle_compat.jit.dy2static._jumps import VALUE
from paddle_compat.jit.dy2static._values import NUMBERS, as_bool, call, constant, filler, like, paddle
from paddle_compat.jit.dy2static.utils import Dygraph2StaticException, UndefinedVar
from paddle_compat.static.nn._blocks import ConditionalBlock, assign_to, parent_of
from paddle_compat.static.nn.control_flow import select_input
from paddle_compat.tensor.array import is_array


class Mark:
    """How far a Program was recorded."""

    def __init__(self, program: Program) -> None:
        self.program, self.block = program, program.current_block()
        self.blocks, self.ops, self.index = len(program.blocks), len(self.block.ops), program.current_block_idx

    def restore(self) -> None:
        """Forget what was recorded since; variables may stay, as nobody reads them."""
        del self.program.blocks[self.blocks :]
        del self.block.ops[self.ops :]
        self.program.current_block_idx = self.index
        self.program._touch()


def leaves(value: Any) -> Iterator[Any]:
    """The leaves of nested lists, tuples and dicts (by their keys)."""
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from leaves(part)
    elif isinstance(value, dict):
        for _, part in by_key(value):
            yield from leaves(part)
    else:
        yield value


def by_key(value: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """A dict's items in the order in which the wheels take what is in them: that of the keys, where these have one."""
    try:
        return sorted(value.items(), key=lambda item: item[0])
    except TypeError:
        return list(value.items())


def rebuilt(like: Any, parts: list[Any]) -> Any:
    """A list or tuple of the kind of another one."""
    return type(like)(*parts) if hasattr(like, "_fields") else type(like)(parts)


def copied(value: Any) -> Any:
    """Lists, dicts and arrays as copies, so that one branch's changes do not reach the other."""
    if type(value) is np.ndarray:
        return value.copy()
    if type(value) in (list, tuple):
        return rebuilt(value, [copied(v) for v in value])
    return {k: copied(v) for k, v in value.items()} if type(value) is dict else value


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """The value with a function applied to its leaves; the value itself where they stay what they are."""
    if isinstance(value, (list, tuple)):
        parts = [mapped(function, v) for v in value]
        return value if all(a is b for a, b in zip(parts, value)) else rebuilt(value, parts)
    if isinstance(value, dict):
        made = {k: mapped(function, v) for k, v in by_key(value)}
        return value if all(made[k] is value[k] for k in made) else type(value)({k: made[k] for k in value})
    return function(value)


def array(values: list[Any]) -> Variable:
    """A list as an array of tensors."""
    kinds = {dtype_name(v.dtype) for v in map(as_variable, values) if isinstance(v, Variable)}
    initial = [v if isinstance(v, Variable) else constant(v) for v in map(as_variable, values)]
    made: Variable = paddle.tensor.create_array(kinds.pop() if kinds else "float32", initial)
    return made


def _grown(true: Any, false: Any, name: str) -> Iterator[str]:
    """The names of lists that the branches leave in different lengths."""
    if _differ_in_length(true, false):
        yield name
    elif isinstance(true, (list, tuple)) and type(true) is type(false) and len(true) == len(false):
        for i, (t, f) in enumerate(zip(true, false)):
            yield from _grown(t, f, f"{name}[{i}]")
    elif isinstance(true, dict) and isinstance(false, dict):
        for k in true.keys() & false.keys():
            yield from _grown(true[k], false[k], f"{name}[{k!r}]")


def _with_arrays(value: Any, name: str, names: set[str]) -> Any:
    """A value with arrays of tensors for the lists of these names."""
    if not any(each.startswith(name) for each in names):
        return value
    if type(value) is list and name in names:
        return array(value)
    if isinstance(value, (list, tuple)):
        return rebuilt(value, [_with_arrays(v, f"{name}[{i}]", names) for i, v in enumerate(value)])
    return type(value)({k: _with_arrays(v, f"{name}[{k!r}]", names) for k, v in value.items()}) if isinstance(value, dict) else value


def _differ_in_length(true: Any, false: Any) -> bool:
    """Whether the branches leave lists of Tensors of different lengths, which a Program holds as one array of tensors."""
    if capture.may_leave() or true is false:
        return False
    lists = [v for v in (true, false) if type(v) is list and all(isinstance(p, (Tensor, Variable, *NUMBERS)) for p in v)]
    arrays = [v for v in (true, false) if is_array(v)]
    return len(lists) == 2 and len(true) != len(false) or len(lists) == len(arrays) == 1


def _exported(value: Any) -> Any:
    """A variable of the enclosing block that takes what a branch made; what was there before is copied too where Paddle does so."""
    value = as_variable(value)
    if not isinstance(value, Variable):
        return value
    if value.block is not default_main_program().current_block() and (capture.may_leave() or is_array(value)):
        return value
    made = parent_of(default_main_program())._add_var(dtype=value.dtype, shape=value.shape, type=value.type)
    assign_to(value, made)
    made._stop_gradient, made._weak, made._mixed = value.stop_gradient, value._weak, value._mixed
    made._unset = value._unset
    return made


def record(
    pred: Variable,
    true_fn: Callable[[], None],
    false_fn: Callable[[], None],
    get: Callable[[], tuple[Any, ...]],
    set_: Callable[[Sequence[Any]], None],
    names: Sequence[str],
) -> None:
    """Record both branches, and set the variables that they assign to what the one that runs gives.

    What `get` gives beyond `names` matters inside of one branch only: the other branch and what follows find what was there before.
    """
    pred = as_bool(pred)
    before = get()
    arrays: set[str] = set()
    while True:
        mark = Mark(default_main_program())
        start = [_with_arrays(value, name, arrays) for value, name in zip(before, names)]
        results = []
        for condition, branch in ((pred, true_fn), (call("logical_not", pred), false_fn)):
            with ConditionalBlock([condition], is_scalar_condition=True).block():
                given = [copied(value) for value in (*start, *before[len(names) :])]
                set_(given)
                held = Held(branch)
                branch()
                ends = list(zip(get(), names))
                set_(given)
                held.refuse_changes()
                results.append([mapped(_exported, _with_arrays(v, n, arrays)) for v, n in ends])
        grown = {each for true, false, name in zip(*results, names) for each in _grown(true, false, name)} - arrays
        if not grown:
            break
        arrays |= grown
        mark.restore()
        set_(before)
    mask: list[Variable] = []

    def select(true: Variable, false: Variable) -> Variable:
        if not mask:
            mask.append(call("cast", pred, in_dtype=pred.dtype, out_dtype=VarType.INT32))
        made = select_input([false, true], mask[0])
        made._stop_gradient = false.stop_gradient and true.stop_gradient
        made._weak = false._weak and true._weak
        made._mixed = false._weak != true._weak or false._mixed or true._mixed
        return made

    set_([*(merged(t, f, name, select) for t, f, name in zip(*results, names)), *before[len(names) :]])


def merged(true: Any, false: Any, name: str, select: Callable[[Variable, Variable], Variable]) -> Any:
    """One value of those of both branches."""
    if true is false:
        return true
    if isinstance(true, (list, tuple)) and type(true) is type(false) and len(true) == len(false):
        return rebuilt(true, [merged(t, f, f"{name}[{i}]", select) for i, (t, f) in enumerate(zip(true, false))])
    if isinstance(true, dict) and type(true) is type(false) and _same_keys(true, false):
        parts = {k: (true.get(k, UndefinedVar(str(k))), false.get(k, UndefinedVar(str(k)))) for k in (*true, *false)}
        return type(true)({k: merged(*both, f"{name}[{k!r}]", select) for k, both in parts.items()})
    true, false = _without_none(np_number(true), np_number(false), name)
    variables = [v for v in (true, false) if isinstance(v, Variable)]
    undefined = [isinstance(v, UndefinedVar) for v in (true, false)]
    if any(undefined):
        value = false if undefined[0] else true
        if not isinstance(value, Variable):
            chosen = select if undefined[0] else lambda filled, given: select(given, filled)
            nested = mapped(lambda v: merged(UndefinedVar(name), v, name, chosen) if isinstance(v, Variable) else v, value)
            return value if isinstance(value, UndefinedVar) else nested
        made = select(*((filler(value), value) if undefined[0] else (value, filler(value))))
        made._unset = capture.may_leave() and name.isidentifier() and name != VALUE
        return made
    if len(variables) == 2:
        return select(true, false)
    if isinstance(true, (*NUMBERS, Variable)) and isinstance(false, (*NUMBERS, Variable)):
        if not variables and type(true) is type(false) and true == false:
            return true
        if variables:
            made = select(*(v if isinstance(v, Variable) else like(v, variables[0]) for v in (true, false)))
            made._mixed = not variables[0]._weak
            return made
        kind = NUMBERS[max(NUMBERS.index(type(v)) for v in (true, false))]
        return select(constant(kind(true)), constant(kind(false)))  # type: ignore[arg-type]
    if not variables and type(true) is type(false) and _same(true, false):
        return true
    counts = [len(v) if isinstance(v, (list, tuple)) else 1 for v in (true, false)]
    raise Dygraph2StaticException(
        f"Your if/else have different {'return type' if counts[0] == counts[1] else 'number of return value'}. The branches of a condition "
        f"that depends on a Tensor leave different things in `{name}`. Expected Tensors, numbers, or nests of equal structure, in both. "
        f"Received: {_said(true)} where it holds, {_said(false)} where it does not"
    )


def _without_none(true: Any, false: Any, name: str) -> tuple[Any, Any]:
    """Two values; None beside a Tensor or a number is one that nobody set, as a wholly recorded function gives a Tensor in any case."""
    other = false if true is None else true
    if capture.may_leave() or (true is None) == (false is None) or not isinstance(other, (*NUMBERS, Variable)):
        return true, false
    value = other if isinstance(other, Variable) else constant(other)
    return (UndefinedVar(name), value) if true is None else (value, UndefinedVar(name))


def _same_keys(true: dict[Any, Any], false: dict[Any, Any]) -> bool:
    """Whether two dicts have the same keys in the same order; a wholly recorded function also has those that one branch alone sets."""
    return list(true) == list(false) or not capture.may_leave()


def np_number(value: Any) -> Any:
    """A numpy number as Python's, a Tensor as its Variable, anything else as it is."""
    return value.item() if isinstance(value, np.generic) else as_variable(value) if isinstance(value, Tensor) else value


def _same(a: Any, b: Any) -> bool:
    try:
        return bool(np.array_equal(a, b) if type(a) is np.ndarray else a == b)
    except Exception:  # what cannot be compared is not the same
        return False


def _said(value: Any) -> str:
    return f"{type(value).__name__} ({value!r})" if isinstance(value, (*NUMBERS, str, type(None))) else type(value).__name__
