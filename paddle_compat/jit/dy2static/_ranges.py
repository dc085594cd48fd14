"""What loops go through when lengths are Variables: `range`, `enumerate`, `zip`, tensors and arrays of tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from paddle_compat.core import capture
from paddle_compat.core.capture import as_variable
from paddle_compat.core.dtype import VarType
from paddle_compat.core.variable import Variable
from paddle_compat.jit.dy2static._values import as_bool, call, constant, paddle


class Steps:
    """Something of a length, whose items are taken by number.

    Attributes:
        length: an int, or a Variable.
        item: gives the item of a number (int or Variable).
    """

    def __init__(self, length: Any, item: Callable[[Any], Any]) -> None:
        self.length, self.item = length, item

    def items(self) -> Iterator[Any]:
        """The items, where their number is known."""
        if isinstance(self.length, Variable):
            raise TypeError(
                "The number of items is only known when the Program runs. Expected a list of known length, or a `for` loop in a "
                "function that `to_static` rewrites. Received: a Variable"
            )
        return map(self.item, range(self.length))

    def __iter__(self) -> Iterator[Any]:
        return self.items()


def steps_of(value: Any) -> Steps | None:
    """The items of a Variable, or of what `range`, `enumerate` and `zip` made of Variables; None for everything else."""
    if isinstance(value, Steps):
        return value
    if not isinstance(value, Variable):
        return None
    if value.type == VarType.LOD_TENSOR_ARRAY:
        return Steps(paddle.tensor.array_length(value), lambda i: paddle.tensor.array_read(value, as_tensor(i)))
    if not value.shape:
        raise TypeError("iteration over a 0-D tensor")
    return Steps(value.shape[0] if value.shape[0] >= 0 else call("shape", value)[0], lambda i: value[i])  # type: ignore[index]


def convert_range(*args: Any) -> Any:
    """`range`, also of Variables."""
    args = tuple(map(as_variable, args))
    if not any(isinstance(a, Variable) for a in args):
        return range(*args)
    args = tuple(map(_whole_number, args))
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    span = stop if isinstance(start, int) and start == 0 else stop - start
    if isinstance(step, int) and abs(step) == 1:
        length = span if step == 1 else -span
    else:
        length = (span + step - (1 if isinstance(step, int) and step > 0 else paddle.sign(as_tensor(step)))) // step
    return Steps(length, lambda i: i if isinstance(start, int) and start == 0 and isinstance(step, int) and step == 1 else start + i * step)


def _whole_number(value: Any) -> Any:
    """A bound of `range`: int64, without dimensions."""
    if not isinstance(value, Variable):
        return value
    if value.dtype != VarType.INT64:
        value = call("cast", value, in_dtype=value.dtype, out_dtype=VarType.INT64)
    return value if not value.shape else paddle.reshape(value, [])


def as_tensor(value: Any) -> Variable:
    """A number as a Variable."""
    return value if isinstance(value, Variable) else constant(value)


def convert_enumerate(iterable: Any, start: Any = 0) -> Any:
    """`enumerate`, also of Variables."""
    steps = steps_of(as_variable(iterable))
    return enumerate(iterable, start) if steps is None else Steps(steps.length, lambda i: (i + start, steps.item(i)))


def convert_zip(*iterables: Any, **options: Any) -> Any:
    """`zip`, also of Variables."""
    for number, iterable in enumerate(map(as_variable, iterables)):
        if isinstance(iterable, Variable) and iterable.shape[:1] == (-1,) and not capture.may_leave():
            raise RuntimeError(
                f"Invalid value for argument {number} of `zip` in a function of `to_static`. "
                f"Expected a tensor whose shape[0] is known. Received: a Variable of shape {list(iterable.shape)}"
            )
    found = [steps_of(as_variable(iterable)) for iterable in iterables]
    if not any(steps is not None and isinstance(steps.length, Variable) for steps in found):
        return zip(*(iterable if steps is None else steps.items() for iterable, steps in zip(iterables, found)), **options)
    all_ = [steps if steps is not None else Steps(len(it), it.__getitem__) for it, steps in zip(iterables, found)]
    lengths = [as_tensor(steps.length) for steps in all_]
    shortest = lengths[0]
    for length in lengths[1:]:
        shortest = paddle.minimum(shortest, paddle.cast(length, shortest.dtype))
    return Steps(shortest, lambda i: tuple(steps.item(i) for steps in all_))


def loop(
    steps: Steps,
    body: Callable[[Any], None],
    get: Callable[[], tuple[Any, ...]],
    set_: Callable[[Sequence[Any]], None],
    names: Sequence[str],
    appended: Sequence[str],
    going: Callable[[], Any] | None,
) -> None:
    """Record a `for` loop over as many items as a Variable says."""
    from paddle_compat.jit.dy2static.convert_operators import convert_logical_and, convert_while_loop

    length = steps.length
    box: list[Any] = [paddle.zeros(list(length.shape), length.dtype)]
    box[0]._weak = capture.may_leave()  # there it is a number of Python's

    def write(values: Sequence[Any]) -> None:
        box[0] = values[0]
        set_(values[1:])

    def condition() -> Any:
        before_end = as_bool(box[0] < length)
        return before_end if going is None else convert_logical_and(lambda: before_end, going)

    def turn() -> None:
        body(steps.item(box[0]))
        box[0] = box[0] + 1

    convert_while_loop(condition, turn, lambda: (box[0], *get()), write, ("the number of the turn", *names), appended)
