"""Forms of functions that overwrite an argument (`add_`), their documentation made from that of the function."""

from __future__ import annotations

import functools
import inspect
import re
from typing import Any

import torch

from paddle_compat.core import eager, integers, mode, written_leaves
from paddle_compat.core.capture import overwritten
from paddle_compat.core.errors import InvalidArgumentError, invalid_argument
from paddle_compat.core.onward import Moved
from paddle_compat.core.paddle3 import SINCE_3, Spellings
from paddle_compat.core.shadows import history
from paddle_compat.core.tensor import Tensor
from paddle_compat.tensor import TENSOR_ONLY
from paddle_compat.tensor._calls import is_tensor, static

_TORCH = torch.Tensor

# functions whose result is their argument's memory, read in another shape
_RESHAPES = frozenset({"flatten_", "reshape_", "squeeze_", "t_", "transpose_", "unsqueeze_"})

# functions that make a Tensor flat where they are given no axis
_FLATTENS = frozenset({"cumsum_"})

# functions that no gradient passes through: they overwrite leaves, too, and change nothing of what the gradient sees
_CONSTANT = frozenset({
    "equal_", "floor_divide_", "greater_equal_", "greater_than_", "less_equal_", "less_than_", "logical_and_", "logical_not_",
    "logical_or_", "logical_xor_", "not_equal_", *(() if SINCE_3 else ("floor_mod_", "mod_", "remainder_")),
})  # fmt: skip

# functions whose gradient goes to what is overwritten alone
_OWN_GRADIENT = frozenset({"fill_diagonal_tensor_"})

# functions that Paddle composes of several changes in place, and how many it counts
_STEPS = {"cauchy_": 6, "geometric_": 3, "hypot_": 3, "ldexp_": 2, "nan_to_num_": 3}

# what makes several parts of a Tensor at once, which have memory of their own in Paddle
_PARTS = frozenset({"SplitBackward0", "SplitWithSizesBackward0", "ChunkBackward0"})


def check_writable(x: Tensor, api: str) -> None:
    """ValueError where a change in place would overwrite a leaf of the gradient."""
    if (history(x._t).requires_grad or x._open) and x.is_leaf and torch.is_grad_enabled():
        raise InvalidArgumentError(
            f"Leaf Var ({x.name}) that doesn't stop gradient can't use inplace strategy. Expected a Tensor with stop_gradient or one "
            f"that an operator made. Received: a leaf for `{api}`"
        )


def write(x: Tensor, value: torch.Tensor) -> Tensor:
    """Put a value into the memory of a Tensor, where all that share it see it; one of another type gets memory of its own.

    Args:
        x: the Tensor.
        value: the value; a backward pass through it reads none of x's memory.
    Returns:
        x.
    """
    target = x._t
    if type(target) is type(value) is _TORCH and not (value.requires_grad or target.requires_grad):  # nearly always
        if value.dtype is target.dtype and value.shape == target.shape and not _overlaps(target):
            target.copy_(value)
        else:
            _rebind(x, value)
        if eager.follow is not None:
            integers.written_over(x, value)
        return x
    if hasattr(target, "device_mesh") or hasattr(value, "device_mesh"):
        from paddle_compat.engine import spmd_writes

        return spmd_writes.write(x, value)
    history = (value.requires_grad or target.requires_grad) and torch.is_grad_enabled()
    if value.dtype is not target.dtype or value.shape != target.shape or _overlaps(target):
        _rebind(x, value)
    elif history and type(target.grad_fn).__name__ in _PARTS:
        _count_one(x, value)
        x._become(value)
    elif history and shares(target):
        write_apart(x, value)
    else:
        target.copy_(value)
    return x


def shares(value: torch.Tensor) -> bool:
    """Whether other tensors may read the same memory: torch would have their history go on with what is written, which Paddle does not."""
    return value._is_view() or torch._C._storage_Use_Count(value.untyped_storage()._cdata) > _ALONE


# how many hold the memory of a tensor that shares it with none: it, and what is asked here
_ALONE = 2


def write_apart(x: Tensor, value: torch.Tensor) -> None:
    """`write` where others share x's memory: they see the numbers, but keep the history that they have.

    Args:
        x: the Tensor.
        value: the value, of x's data type and shape, in memory of its own.
    """
    if type(x._t.grad_fn).__name__ in _PARTS:
        x._become(value)
        return
    if not value.requires_grad:
        value = x._t.clone().copy_(value)  # zeros go on to what made the former numbers
    memory = x._t.detach()  # no view to torch, but it counts the changes of all
    memory.data.copy_(value)
    x._become(Moved.apply(memory, value))


def counted(x: Tensor, api: str) -> Tensor:
    """A Tensor that was written to once, with as many changes in place as Paddle counts.

    Args:
        x: the Tensor.
        api: the function that wrote.
    Returns:
        x.
    """
    if (steps := _STEPS.get(api, 1)) != 1:
        x._changes += steps - 1
    return x


def overwrite_data(x: Tensor, value: torch.Tensor) -> Tensor:
    """Give a Tensor other data behind the back of the gradient, which goes on as if nothing had happened.

    Args:
        x: the Tensor.
        value: the data.
    Returns:
        x.
    """
    stops = x.stop_gradient
    if value.dtype is x._t.dtype and value.shape == x._t.shape:
        if hasattr(x._t, "device_mesh"):
            from paddle_compat.engine import spmd_writes

            spmd_writes.overwrite(x._t, value)
            return x
        x._t.data.copy_(value)
        torch.autograd.graph.increment_version(x._t)
    else:
        _count_one(x, value)
        x._become(value.detach())
        x._open = not stops
    return x


def replace(x: Tensor, value: Tensor, api: str) -> Tensor:
    """`write` of a value that was made from x: its backward pass may read the memory of x, which then stays as it is.

    Args:
        x: the Tensor.
        value: the value.
        api: the function that writes.
    Returns:
        x.
    Raises:
        ValueError: x is a leaf that has a gradient.
    """
    check_writable(x, api)
    if not value._t.requires_grad:
        return write(x, value._t)
    _rebind(x, value._t)
    return x


def _rebind(x: Tensor, value: torch.Tensor) -> None:
    """Have a Tensor hold other memory; a leaf that has a gradient (and is written to under `no_grad`) stays the leaf that it is."""
    if x._t.requires_grad and x._t.is_leaf and value.dtype is x._t.dtype:
        x._t.data = value.detach()
        x._become(x._t)
    else:
        window = value is x._t or (value._base is not None and (value._base is x._t or value._base is x._t._base))
        if not window:  # which counts with its memory
            _count_one(x, value)
        x._become(value)


def _count_one(x: Tensor, value: torch.Tensor) -> None:
    """Count one change of a Tensor that is about to hold other memory, which has a count of its own."""
    x._changes += x._t._version + 1 - value._version


def _overlaps(value: torch.Tensor) -> bool:
    """Whether elements share memory with one another, as those of `expand` do."""
    return 0 in (steps := value.stride()) and any(step == 0 and size > 1 for step, size in zip(steps, value.shape))


def _differentiable(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether an argument has a gradient."""
    for value in (*args, *kwargs.values()) if kwargs else args:
        if isinstance(value, Tensor) and (value._t.requires_grad or (eager.follow is not None and history(value._t).requires_grad)):
            return True
    return False


def _check_shape(x: Tensor, value: torch.Tensor, target: str) -> None:
    """Refuse a result that is larger than what it is to overwrite, in the words that Paddle's tests look for."""
    if value.shape != x._t.shape and target not in _FLATTENS:
        raise InvalidArgumentError(
            f"The shape of broadcast output {list(value.shape)} is different from that of inplace tensor {x.shape} in the Inplace "
            f"operation. Expected a result of shape {x.shape} of `{target}`. Received: {list(value.shape)}"
        )


def in_place(function: Any, over: int = 0) -> Any:
    """The form of a function that overwrites an argument; in a Program it gives a new Variable, as in the wheels.

    Args:
        function: what computes the value.
        over: which argument is overwritten.
    """
    target = function.__name__ + "_"
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "out"]
    name = parameters[over].name
    spellings: Spellings | None = getattr(function, "paddle3", None)
    called = [name, *(key for key, mine in spellings.names.items() if mine == name)] if spellings else [name]

    @functools.wraps(function)
    def overwrite(*args: Any, **kwargs: Any) -> Any:
        x: Any = args[over] if len(args) > over else next((kwargs[key] for key in called if key in kwargs), None)
        if kwargs and "out" in kwargs:
            raise TypeError(f"{target}() got an unexpected keyword argument 'out'")
        if type(x) is not Tensor or not mode.in_dygraph_mode():
            if not is_tensor(x):
                raise invalid_argument(name, "a tensor", repr(x), target)
            if static(x):
                return overwritten(x, function(*args, **kwargs))
        if target in _CONSTANT:
            value = function(*args, **kwargs)._t
            _check_shape(x, value, target)
            return overwrite_data(x, value)
        if target == "t_" and x._t.dim() < 2:  # leaves, too
            return x
        check_writable(x, target)
        if target in _RESHAPES:
            with torch.set_grad_enabled(torch.is_grad_enabled() or not x._t.is_leaf):  # x keeps its history under `no_grad`, too
                shaped = function(*args, **kwargs)._t
            _rebind(x, shaped)
            torch.autograd.graph.increment_version(x._t)
            return x
        before = None
        if torch.is_grad_enabled() and _differentiable(args, kwargs):
            before = x._t
            source = Tensor(eager.followed(torch.clone, x._t))  # what the backward pass reads must not be overwritten
            if target not in _OWN_GRADIENT and written_leaves.stops(x):
                written_leaves.open_whole(x, source._t)
            args = tuple(source if v is x else v for v in args)
            kwargs = {key: source if v is x else v for key, v in kwargs.items()}
        value = function(*args, **kwargs)._t
        _check_shape(x, value, target)
        write(x, value)
        if before is not None and x._t.dtype is not before.dtype:  # in new memory: who reads the old numbers misses them, too
            torch.autograd.graph.increment_version(before)
        return counted(x, target)

    overwrite.__name__ = overwrite.__qualname__ = target
    overwrite.__module__ = function.__module__
    overwrite.__doc__ = _document(function, target, over, name)
    overwrite.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    if spellings:
        overwrite.paddle3 = spellings._replace(keywords={})  # type: ignore[attr-defined]
    return overwrite


def _document(function: Any, target: str, over: int, x: str) -> str:
    """The docstring of a form in place: arguments and errors are the function's, and so is what its example shows."""
    text = inspect.cleandoc(function.__doc__)
    parts = dict(re.findall(r"^(Args|Raises|Example):\n((?:    .*\n)+)", text, re.MULTILINE))
    arguments = re.sub(r" +out: .*\n", "", parts["Args"])
    return (
        f"`{function.__name__}`, written over `{x}`.\n\nArgs:\n{arguments}"
        f"Returns:\n    `{x}`, which holds the result; in a Program a new Variable.\n"
        f"Raises:\n{parts.get('Raises', '')}    ValueError: `{x}` is no tensor, or a leaf that has a gradient.\n\n"
        f"Example:\n{_example(parts['Example'], function.__name__, target, over, x)}\nFollows Paddle 2.6.\n"
    )


def _example(lines: str, name: str, target: str, over: int, x: str) -> str:
    """The example of a function, with the call in a line of its own and what it overwrote in its place."""
    source = next(line for line in lines.splitlines() if f".{name}(" in line)[8:]
    at = source.index(f".{name}(") + len(name) + 2  # parsing it would cost more than importing the module
    begin = at - len(re.search(r"[\w.]+\($", source[:at]).group())  # type: ignore[union-attr]
    depth, cuts = 1, [at]
    while depth:
        position = cuts.pop()
        depth += (source[position] in "([{") - (source[position] in ")]}")
        cuts += [position, position + 1] if source[position] == "," and depth == 1 else [position + 1]
    end = cuts.pop()
    bounds = [at - 1, *cuts, end - 1]
    written, first, inside = source[begin:end], source[bounds[over] + 1 : bounds[over + 1]].strip(), source[begin : at - 1]
    place = "paddle.tensor" if target in TENSOR_ONLY else "paddle"
    in_place_call = written.replace(first, x, 1).replace(inside, f"{place}.{target}", 1)
    steps = f"    >>> {x} = {first}\n    >>> {in_place_call} is {x}\n    True\n    >>> {source.replace(written, x)}\n"
    return lines.replace(f"    >>> {source}\n", steps)
