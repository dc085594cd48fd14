"""What rewritten code calls: Python's own meaning for Python's values, recorded control flow for Variables."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import capture
from paddle_compat.core.capture import as_variable
from paddle_compat.core.dtype import VarType, is_float
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.jit.dy2static import _branches, _loops, _ranges
from paddle_compat.jit.dy2static._errors import passed_the_package
from paddle_compat.jit.dy2static._values import as_bool, call, paddle
from paddle_compat.jit.dy2static.utils import Dygraph2StaticException, UndefinedVar
from paddle_compat.static.nn.control_flow import Print

Get = Callable[[], tuple[Any, ...]]
Set = Callable[[Sequence[Any]], None]

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "is": operator.is_,
    "is not": operator.is_not, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip


def _is_given(x: Any) -> bool:
    """Whether rewritten code is called by hand and gets a Tensor, which it treats as it does a Variable."""
    return isinstance(x, Tensor) and capture.current is None


# ---- conditions
def convert_logical_and(x_func: Callable[[], Any], y_func: Callable[[], Any]) -> Any:
    """`x and y`; the logical one of Variables.

    Args:
        x_func, y_func: functions that give the operands.
    Returns:
        As Python's `and`, or a Variable.
    """
    x = as_variable(x_func())
    if _is_given(x):
        y = y_func()
        return paddle.logical_and(x, y) if isinstance(y, Tensor) else y and x
    if not isinstance(x, Variable):
        return x and y_func()
    y = as_variable(y_func())
    if not isinstance(y, Variable):
        return _chosen(call("assign", x)) if y else y
    return _chosen(call("logical_and", as_bool(x), as_bool(y)))


def convert_logical_or(x_func: Callable[[], Any], y_func: Callable[[], Any]) -> Any:
    """`x or y`; the logical one of Variables.

    Args:
        x_func, y_func: functions that give the operands.
    Returns:
        As Python's `or`, or a Variable.
    """
    x = as_variable(x_func())
    if _is_given(x):
        y = y_func()
        return paddle.logical_or(x, y) if isinstance(y, Tensor) else y or x
    if not isinstance(x, Variable):
        return x or y_func()
    y = as_variable(y_func())
    if not isinstance(y, Variable):
        return y if y else x
    return _chosen(call("logical_or", as_bool(x), as_bool(y)))


def _chosen(made: Variable) -> Variable:
    """What is as true as the operand that Python chooses; where eager mode may take over, that one has to be returned."""
    made._mixed = capture.may_leave()
    return made


def convert_logical_not(x: Any) -> Any:
    """`not x`; the logical one of a Variable.

    Args:
        x: the operand.
    Returns:
        bool or Variable.
    """
    x = as_variable(x)
    if _is_given(x):
        return paddle.logical_not(x)
    if not isinstance(x, Variable):
        return not x
    made: Variable = call("logical_not", as_bool(x))
    made._weak = capture.may_leave()  # a truth value of Python's in eager mode
    return made


def convert_compare(left: Any, symbols: Sequence[str], *others: Callable[[], Any]) -> Any:
    """`a < b < c`, where each operand is computed once.

    Args:
        left: the first operand.
        symbols: the comparisons.
        others: functions that give the other operands.
    Returns:
        bool or Variable.
    """
    result: Any = True
    for symbol, other in zip(symbols, others):
        right = other()
        here = _COMPARE[symbol](left, right)
        result = here if result is True else convert_logical_and(lambda so_far=result: so_far, lambda now=here: now)  # type: ignore[misc]
        if not isinstance(as_variable(result), Variable) and not result:
            return result
        left = right
    return result


def convert_bool(x: Any) -> Any:
    """A condition of a comprehension, which has to be known while recording.

    Args:
        x: the condition.
    Returns:
        The condition.
    """
    return as_variable(x)


def convert_choice(test: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any]) -> Any:
    """`a if test else b`.

    Args:
        test: the condition.
        true_fn, false_fn: functions that give the values.
    Returns:
        One of the values, or a Variable.
    """
    test = as_variable(test)
    if not isinstance(test, Variable):
        return true_fn() if test else false_fn()
    box: list[Any] = [UndefinedVar("_")]

    def write(values: Sequence[Any]) -> None:
        box[0] = values[0]

    _branches.record(
        test, lambda: write([true_fn()]), lambda: write([false_fn()]), lambda: (box[0],), write, ("the value of a conditional expression",)
    )
    return box[0]


def convert_ifelse(
    pred: Any, true_fn: Callable[[], None], false_fn: Callable[[], None], get_args: Get, set_args: Set, return_name_ids: Sequence[str]
) -> None:
    """`if pred: ... else: ...`.

    Args:
        pred: the condition.
        true_fn, false_fn: the branches.
        get_args, set_args: read and set the variables that the branches assign.
        return_name_ids: the names of these.
    """
    pred = as_variable(pred)
    if isinstance(pred, Variable):
        _branches.record(pred, true_fn, false_fn, get_args, set_args, return_name_ids)
    elif pred:
        true_fn()
    else:
        false_fn()


# ---- loops
def convert_while_loop(
    cond: Callable[[], Any],
    body: Callable[[], None],
    getter: Get,
    setter: Set,
    return_name_ids: Sequence[str] = (),
    push_pop_names: Sequence[str] = (),
) -> None:
    """`while cond: ...`; it is recorded from the turn on in which the condition becomes a Variable.

    Args:
        cond: gives the condition.
        body: one turn.
        getter, setter: read and set the variables that the loop assigns.
        return_name_ids: the names of these.
        push_pop_names: those of them that are lists which the body appends to.
    """
    while True:
        going = as_variable(cond())
        if isinstance(going, Variable):
            _loops.record(going, cond, body, getter, setter, return_name_ids, push_pop_names)
            return
        if not going:
            return
        body()


def convert_for_loop(
    iterable: Any,
    body: Callable[[Any], None],
    getter: Get,
    setter: Set,
    return_name_ids: Sequence[str],
    push_pop_names: Sequence[str],
    going: Callable[[], Any] | None,
) -> None:
    """`for item in iterable: ...`; it is recorded as a loop where the number of turns is only known when it runs.

    Args:
        iterable: what is gone through.
        body: one turn, called with the item.
        getter, setter: read and set the variables that the loop assigns.
        return_name_ids: the names of these.
        push_pop_names: those of them that are lists which the body appends to.
        going: gives whether nothing has left the loop; None: nothing does.
    """
    steps = _ranges.steps_of(as_variable(iterable))
    if steps is not None and not isinstance(steps.length, int):
        _ranges.loop(steps, body, getter, setter, return_name_ids, push_pop_names, going)
        return
    items: Iterator[Any] = iter(iterable if steps is None else steps.items())
    for item in items:
        if going is not None:
            still = as_variable(going())
            if isinstance(still, Variable):
                # whether the loop goes on is known when it runs: every turn that is left becomes a branch
                for left in (item, *items):
                    convert_ifelse(going(), lambda turn=left: body(turn), lambda: None, getter, setter, return_name_ids)  # type: ignore[misc]
                return
            if not still:
                return
        body(item)


def convert_iter(iterable: Any) -> Iterable[Any]:
    """What a comprehension goes through.

    Args:
        iterable: anything; of a Variable the parts along its first dimension.
    Returns:
        An iterable.
    """
    steps = _ranges.steps_of(as_variable(iterable))
    return iterable if steps is None else steps.items()


# ---- values
def convert_attr(x: Any, attr: str) -> Any:
    """`x.shape` and `x.size`, which eager mode gives as numbers, and `x.__class__`.

    Args:
        x: anything.
        attr: which of these.
    Returns:
        The attribute; of a Variable a list (Variables for unknown dimensions), the number of elements, and what `convert_type` gives.
    """
    if attr == "__class__":
        return convert_type(x) if isinstance(x, Variable) else x.__class__
    if isinstance(x, Variable):
        return convert_shape(x) if attr == "shape" else prod(x.shape) if -1 not in x.shape else call("size", x)
    return getattr(x, attr)


def convert_get_attribute(read: Callable[[], Any], name: str) -> Any:
    """An attribute that a branch or loop sets.

    Args:
        read: gives it.
        name: its name, with those of the objects that have it.
    Returns:
        Its value; UndefinedVar where it is not there, and where it is a layer's Tensor, which is overwritten where it stands.
    """
    try:
        value = read()
    except (AttributeError, NameError):
        return UndefinedVar(name)
    held = isinstance(value, Tensor) or isinstance(value, Variable) and capture.current is not None and value.name in capture.current.bound
    return UndefinedVar(name) if held else value


def convert_set_attribute(owner: Callable[[], Any], name: str, value: Any) -> None:
    """Set an attribute to what a branch or loop left in it.

    Args:
        owner: gives the object that has it.
        name: the attribute's name.
        value: its value; UndefinedVar leaves it as it is.
    """
    if isinstance(value, UndefinedVar):
        return
    holder = owner()
    if getattr(holder, name, None) is not value:
        setattr(holder, name, value)


def convert_shape(x: Any) -> Any:
    """The dimensions.

    Args:
        x: a tensor.
    Returns:
        A list of numbers, with Variables for unknown dimensions.
    """
    if not isinstance(x, Variable):
        return x.shape
    if -1 not in x.shape:
        return _size(x.shape) if SINCE_3 and capture.may_leave() else list(x.shape)
    sizes = call("shape", x)
    found = [sizes[i] if d < 0 else d for i, d in enumerate(x.shape)]
    for size in found:
        if isinstance(size, Variable):
            size._weak = capture.may_leave()  # a number of Python's in eager mode
    return found


def _size(shape: Sequence[int]) -> list[int]:
    """Dimensions as eager mode of Paddle 3 has them."""
    from paddle_compat.tensor._tensor_paddle3 import Size

    return Size(shape)


def convert_len(var: Any) -> Any:
    """`len(var)`.

    Args:
        var: anything that has a length.
    Returns:
        int, or a Variable.
    """
    steps = _ranges.steps_of(as_variable(var))
    length = len(var) if steps is None else steps.length
    if isinstance(length, Variable) and capture.may_leave():
        length = paddle.reshape(length, [])
        length._weak = True
    return length


def convert_var_dtype(var: Any, dtype: str) -> Any:
    """`bool(var)`, `int(var)` or `float(var)`: a cast of a Variable.

    Args:
        var: anything.
        dtype: "bool", "int" or "float".
    Returns:
        A Python value, or a Variable.
    """
    var = as_variable(var)
    kind = {"bool": VarType.BOOL, "int": VarType.INT32, "float": VarType.FP32}[dtype]
    if _is_given(var):
        return paddle.cast(var, kind)
    if not isinstance(var, Variable):
        return {"bool": bool, "int": int, "float": float}[dtype](var)
    if not capture.may_leave():
        return var if var.dtype == kind else call("cast", var, in_dtype=var.dtype, out_dtype=kind)
    if prod(var.shape) != 1:
        raise Dygraph2StaticException(f"`{dtype}` of Variable `{var.name}`, whose shape is {tuple(var.shape)}, is for eager mode to refuse")
    kind = {"bool": VarType.BOOL, "int": VarType.INT64, "float": VarType.FP64 if var.dtype == VarType.FP64 else VarType.FP32}[dtype]
    made = as_bool(var) if dtype == "bool" else call("cast", var, in_dtype=var.dtype, out_dtype=kind)
    made = call("reshape2", made, shape=[])
    made = made[0] if isinstance(made, (list, tuple)) else made
    made._weak = made._stop_gradient = True  # a number of Python's has no gradient
    return made


def convert_assert(cond: Any, message: Callable[[], Any] | str = "") -> None:
    """`assert cond, message`.

    Args:
        cond: the condition.
        message: what to say, or a function that gives it.
    Raises:
        AssertionError: the condition is false.
    """
    cond = as_variable(cond)
    if isinstance(cond, Variable):
        from paddle_compat.static.nn.control_flow import Assert

        Assert(as_bool(cond), [v for v in [as_variable(message() if callable(message) else message)] if isinstance(v, Variable)])
        return
    assert cond, message() if callable(message) else message


def convert_print(*objects: Any, **options: Any) -> None:
    """`print(...)`: Variables are shown at each run, everything else now; where eager mode may take over, all at each run.

    Args:
        objects: what is shown.
        options: those of `print`.
    Raises:
        Dygraph2StaticException: it stands in a branch or loop that depends on a Tensor, and eager mode may take over.
    """
    shown = [as_variable(o) for o in objects]
    if capture.current is not None and not capture.current.whole:
        if capture.current.program.current_block_idx:
            raise Dygraph2StaticException("`print` in a branch or loop that depends on a Tensor shows what it is given in eager mode")
        capture.current.printed.append((shown, options))
        return
    if not any(isinstance(o, Variable) for o in shown):
        print(*objects, **options)
        return
    words: list[str] = []
    for each in shown:
        if isinstance(each, Variable):
            Print(each, message=" ".join(words) or None)
            words = []
        else:
            words.append(str(each))
    if words:
        print(*words)


def convert_isinstance(value: Any, kinds: Any) -> bool:
    """`isinstance`, for which a Variable is a Tensor.

    Args:
        value: anything.
        kinds: a class, or a tuple of classes.
    Returns:
        bool.
    """
    if isinstance(value, Variable) and capture.current is not None:
        if capture.may_leave():
            return issubclass(_eager_type(value), kinds)
        flat = kinds if isinstance(kinds, tuple) else (kinds,)
        if Tensor in flat:
            return True
    return isinstance(value, kinds)


def convert_hasattr(value: Any, name: str) -> bool:
    """`hasattr`; where eager mode may take over, a Variable has what a Tensor has.

    Args:
        value: anything.
        name: the attribute.
    Returns:
        bool.
    """
    return hasattr(_eager_type(value) if isinstance(value, Variable) and capture.may_leave() else value, name)


def convert_type(*values: Any) -> Any:
    """`type(value)`; where eager mode may take over, that of what a Variable is there: a Tensor, a number or a list.

    Args:
        values: the value, or what a class is made of.
    Returns:
        A class.
    """
    if len(values) == 1 and isinstance(values[0], Variable) and capture.may_leave():
        return _eager_type(values[0])
    return type(*values)


def _eager_type(value: Variable) -> type:
    if value._mixed:
        raise Dygraph2StaticException(f"what Variable `{value.name}` holds is a number of Python's or a Tensor, by the way that it takes")
    if value._weak:
        return bool if value.dtype == VarType.BOOL else float if is_float(value.dtype) else int
    return list if value.type == VarType.LOD_TENSOR_ARRAY else Tensor


def convert_except() -> None:
    """The beginning of an `except` clause: what a recorded branch or an operator raises while recording says nothing of a run."""
    error = sys.exc_info()[1]
    if capture.current is not None and error is not None and passed_the_package(error):
        capture.current.caught = type(error).__name__


def convert_return_of_loop(loop: str) -> None:
    """A loop whose first turn returns in any case, which is left as it is where nothing is recorded or eager mode may take over.

    Args:
        loop: "for" or "while".
    Raises:
        Dygraph2StaticException: a wholly recorded function has it.
    """
    if capture.current is not None and capture.current.whole and capture.current.program.age > 1:
        raise Dygraph2StaticException(
            f"Found return statement in While or For body and loop is meaningless. Expected a condition around the `return` of a `{loop}` "
            "loop. Received: a `return` that every turn reaches"
        )


def convert_return(value: Any, done: Any = True) -> Any:
    """What a rewritten function returns.

    Args:
        value: what its `return` statements left.
        done: whether one of them was reached.
    Returns:
        The value; None where no `return` was reached.
    """
    if isinstance(value, UndefinedVar):
        return None
    if isinstance(done, Variable):
        for leaf in _branches.leaves(value):
            if isinstance(leaf, Variable):
                setattr(leaf, "_returned", done)  # noqa: B010 - who runs the Program hands out None where it is false
    return value


__getattr__ = missing(__name__)
