"""Recording of loops whose condition is a Variable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.capture import as_variable
from paddle_compat.core.dtype import VarType, is_float
from paddle_compat.core.program import default_main_program
from paddle_compat.core.variable import Variable
from paddle_compat.jit.dy2static._branches import Mark, array, copied, leaves, mapped, np_number, rebuilt
from paddle_compat.jit.dy2static._held import Held
from paddle_compat.jit.dy2static._values import NUMBERS, as_bool, call, constant, dtype_of, like
from paddle_compat.jit.dy2static.utils import RETURN_NO_VALUE_MAGIC_NUM, Dygraph2StaticException, UndefinedVar
from paddle_compat.static.nn._blocks import While, assign_to, parent_of

_Form = tuple[Any, tuple[int, ...]]  # data type and shape


class _Again(Exception):
    """The body leaves another data type or shape in a variable than it began with: record it anew, starting from those."""


def record(
    going: Variable,
    cond: Callable[[], Any],
    body: Callable[[], None],
    get: Callable[[], tuple[Any, ...]],
    set_: Callable[[Sequence[Any]], None],
    names: Sequence[str],
    appended: Sequence[str],
) -> None:
    """Record a loop and set its variables to what they hold after the last turn.

    Args:
        going: the condition before the first turn.
        appended: the names of lists that the body appends to; they become arrays of tensors.
    """
    program = default_main_program()
    before = get()
    forms: dict[str, _Form] = {}
    firm: set[str] = set()  # what begins as a number and then is a Tensor
    for _ in range(5):
        mark = Mark(program)
        try:
            _Recording(forms, firm, names, appended).run(going, cond, body, get, set_, before)
        except _Again:
            mark.restore()
            set_(before)
            continue
        return
    raise Dygraph2StaticException(f"A loop goes on changing the shape or data type of its variables {', '.join(forms)}")


class _Recording:
    def __init__(self, forms: dict[str, _Form], firm: set[str], names: Sequence[str], appended: Sequence[str]) -> None:
        self.forms, self.firm, self.names, self.appended = forms, firm, names, appended
        self.again = False

    def run(
        self,
        going: Variable,
        cond: Callable[[], Any],
        body: Callable[[], None],
        get: Callable[[], tuple[Any, ...]],
        set_: Callable[[Sequence[Any]], None],
        before: Sequence[Any],
    ) -> None:
        condition = call("assign", as_bool(going))
        starts = [self._start(value, name) for value, name in zip(before, self.names)]
        loop = While(condition)
        rest = before[len(self.names) :]  # matters inside of one turn only
        with loop.block():
            given = [*(copied(start) for start in starts), *rest]  # lists and dicts that the body changes are its own
            set_(given)
            held = Held(cond, body)
            body()
            # a variable may take another one's value, which this turn's end overwrites: `a, b = b, a`
            own = {id(leaf) for leaf in leaves(list(starts)) if isinstance(leaf, Variable)}
            left = [
                end if end is start else mapped(lambda leaf: _copy(leaf) if id(leaf) in own and _is_tensor(leaf) else leaf, end)
                for end, start in zip(get(), starts)
            ]
            set_(given)
            held.refuse_changes()
            ends = [self._end(end, start, name) for end, start, name in zip(left, starts, self.names)]
            if self.again:
                raise _Again
            set_([*ends, *rest])
            still = as_variable(cond())
            if not isinstance(still, Variable):
                still = constant(bool(still))
            assign_to(as_bool(still), condition)
        set_([*ends, *rest])

    # ---- before the loop
    def _start(self, value: Any, name: str) -> Any:
        """What the first turn finds: a Variable of the loop's own for each one that was there, and for each number."""
        if name in self.appended and type(value) is list:
            return array(value)
        return self._started(value, name)

    def _started(self, value: Any, name: str) -> Any:
        if isinstance(value, (list, tuple)):
            return rebuilt(value, [self._started(v, f"{name}[{i}]") for i, v in enumerate(value)])
        if isinstance(value, dict):
            return type(value)({k: self._started(v, f"{name}[{k!r}]") for k, v in value.items()})
        value = np_number(value)
        form = self.forms.get(name)
        if isinstance(value, NUMBERS):
            made = self._formed(constant(value, form[0] if form else dtype_of(value)), form)
            made._weak = name not in self.firm
            return made
        if not isinstance(value, Variable) or value.type == VarType.LOD_TENSOR_ARRAY:
            return value
        if form is not None and value.dtype != form[0]:
            value = call("cast", value, in_dtype=value.dtype, out_dtype=form[0])
        made = call("assign", value)
        made._stop_gradient = False if is_float(made.dtype) else made.stop_gradient
        made._weak = value._weak and name not in self.firm
        return self._formed(made, form)

    def _formed(self, made: Variable, form: _Form | None) -> Variable:
        if form is not None:
            made.shape = form[1]
        return made

    # ---- after a turn
    def _end(self, end: Any, start: Any, name: str) -> Any:
        """Record that the next turn finds what this one leaves; what stands for the variable after the loop."""
        end = np_number(end)
        if isinstance(start, Variable):
            return self._carry(end, start, name)
        if isinstance(start, (list, tuple)) and type(end) is type(start) and len(end) == len(start):
            return rebuilt(start, [self._end(e, s, f"{name}[{i}]") for i, (e, s) in enumerate(zip(end, start))])
        if isinstance(start, dict) and isinstance(end, dict) and list(start) == list(end):
            return type(start)({k: self._end(end[k], start[k], f"{name}[{k!r}]") for k in start})
        if isinstance(start, UndefinedVar):
            return mapped(_declared_outside, end)
        if start is end or (type(start) is type(end) and not isinstance(start, (list, tuple, dict)) and start == end):
            return end
        raise Dygraph2StaticException(
            f"A loop whose condition depends on a Tensor changes what kind of thing `{name}` is. Expected a Tensor or a number before the "
            f"loop and after each turn. Received: {type(start).__name__} before, {type(end).__name__} after"
        )

    def _carry(self, end: Any, start: Variable, name: str) -> Variable:
        if isinstance(end, NUMBERS):
            end = like(end, start)
            end._weak = start._weak
        if not isinstance(end, Variable):
            if isinstance(end, UndefinedVar):
                return start
            raise Dygraph2StaticException(
                f"A loop whose condition depends on a Tensor leaves no Tensor in `{name}`. Expected a Tensor, as before the loop. "
                f"Received: {type(end).__name__}"
            )
        if end is start:
            return start
        if start._weak and not end._weak:  # a number only before the first turn
            self.firm.add(name)
            self.again = True
        if end.type == VarType.LOD_TENSOR_ARRAY:
            return start
        if end.dtype != start.dtype and is_float(end.dtype) != is_float(start.dtype) or len(end.shape) != len(start.shape):
            self._expect(name, end.dtype, end.shape)
        elif end.shape != start.shape or (end.dtype != start.dtype):
            wider = end.dtype if end.dtype != start.dtype else start.dtype
            self._expect(name, wider, tuple(a if a == b else -1 for a, b in zip(start.shape, end.shape)))
        assign_to(end, start)
        return start

    def _expect(self, name: str, dtype: Any, shape: tuple[int, ...]) -> None:
        form = (dtype, tuple(shape))
        if self.forms.get(name) != form:
            self.forms[name] = form
            self.again = True


def _copy(value: Variable) -> Variable:
    made: Variable = call("assign", value)
    made._weak = value._weak
    return made


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Variable) and value.type != VarType.LOD_TENSOR_ARRAY


def _declared_outside(value: Any) -> Any:
    """A variable of the enclosing block for what only the loop's body makes; a number stands there until it does."""
    value = as_variable(value)
    program = default_main_program()
    if isinstance(value, NUMBERS):
        value = constant(value)
    if not isinstance(value, Variable) or value.block is not program.current_block():
        return value
    parent = parent_of(program)
    made = parent._add_var(
        name=unique_name.generate("loop_variable"), dtype=value.dtype, shape=value.shape, type=value.type, stop_gradient=False
    )
    if value.type == VarType.LOD_TENSOR:
        known = [1 if d < 0 else d for d in value.shape]
        number = RETURN_NO_VALUE_MAGIC_NUM if is_float(value.dtype) else 0
        attrs = {"shape": known, "value": number, "str_value": repr(number), "dtype": value.dtype, "force_cpu": False}
        parent.append_op(type="fill_constant", inputs={}, outputs={"Out": [made]}, attrs=attrs)
        made._stop_gradient = False
        made.shape = value.shape
    assign_to(value, made)
    made._weak = value._weak
    return made
