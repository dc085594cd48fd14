"""What functions take besides since Paddle 3: other names of their arguments, and keywords that mean the same everywhere.

    @paddle3(input="x", dim="axis", out=True)
    def sum(x, axis=None, ...):
        ...

Paddle 3 lets scripts say `paddle.sum(input=x, dim=0, out=y)` and `paddle.ones(2, 3, requires_grad=True)`. A function says here
which of these it takes and stays what it is: what it computes with is told by its own parameters. A call that needs nothing
of this costs a look at a dict. `core/direct.py` puts the short ways of a function in front. A class says so of its constructor:

    @paddle3(eps="epsilon")
    class LayerNorm(Layer):
        ...
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from paddle_compat import _alias
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import WrongInputError, type_error
from paddle_compat.core.place import place_of_name
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable

F = TypeVar("F", bound=Callable[..., Any])
# whether the script says that it is for those
SINCE_3, SINCE_3_2, SINCE_3_3 = map(_alias.since, ("3", "3.2", "3.3"))
ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "an argument that is not there"})()

_OUT = {"out": "the Tensor, or Tensors, that become the result, too."}
_MADE = {
    **_OUT,
    "device": "where the result lives; None: where it is made.",
    "requires_grad": "whether the result takes part in gradients.",
    "pin_memory": "whether the result lies in memory that a GPU reads directly.",
}


def _is_int(value: Any) -> bool:
    """Whether the value is a whole number, a Tensor's `size` too, and neither a truth value nor a data type."""
    return type(value) is int or isinstance(value, int) and not isinstance(value, (bool, VarType))


def _is_size(value: Any) -> bool:
    """Whether the value may be one of several sizes: an int, or what a shape with unknown sizes consists of."""
    return _is_int(value) or isinstance(value, (np.integer, Tensor, Variable))


class Spellings(NamedTuple):
    """What a function takes besides.

    Args:
        names: parameters by the names that they have, too.
        keywords: further keywords, and what they say.
        sizes: the parameter that ints one after another are.
        order: the keywords that the arguments behind the first are, where the second is an int.
        meant: further arguments that are meant where other names are used.
    """

    names: dict[str, str]
    keywords: dict[str, str]
    sizes: str | None
    order: tuple[str, ...]
    meant: dict[str, Any]


def paddle3(
    more_names: Mapping[str, str] = MappingProxyType({}),
    *,
    out: bool = False,
    made: bool = False,
    sizes: str | None = None,
    order: str = "",
    meant: dict[str, Any] | None = None,
    **names: str,
) -> Callable[[F], F]:
    """Let a function, or the constructor of a class, take what it takes since Paddle 3.

    Args:
        more_names: as `names`, for words that say something else here.
        out: whether it takes `out`.
        made: whether it makes a new tensor, and takes `out`, `device`, `requires_grad` and `pin_memory`.
        sizes: the parameter that sizes one after another are, where there are several: `ones(2, 3)`.
        order: torch's order of the arguments behind the first, separated by spaces: `gather(x, 1, index)`, for an int as the second.
        meant: further arguments, which the use of another name implies.
        names: parameters by the names that they have, too.
    Returns:
        What decorates the function or class.
    """
    keywords = _MADE if made else _OUT if out else {}
    names.update(more_names)

    def decorate(function: F) -> F:
        if isinstance(function, type):
            return cast(F, _decorated_class(function, names))
        signature = inspect.signature(function)
        more = {key: text for key, text in keywords.items() if key not in signature.parameters}
        own = Spellings(names, more, sizes, tuple(order.split()), meant or {})
        assert set(names.values()) <= set(signature.parameters), f"{function.__name__} has no such parameters"
        where = {key: number for number, key in enumerate(signature.parameters)}
        place = where[sizes] if sizes else 0

        @wraps(function)
        def taken(*args: Any, **kwargs: Any) -> Any:
            several = sizes and len(args) > place + 1 and _is_size(args[place + 1]) and _is_size(args[place])
            if several or sizes and len(args) > place and _is_int(args[place]):
                end = place + 1
                while end < len(args) and _is_size(args[end]):
                    end += 1
                args = (*args[:place], list(args[place:end]), *args[end:])
            elif own.order and len(args) > 1 and type(args[1]) is int:
                given, args = dict(zip(own.order, args[1:])), args[:1]
                if twice := given.keys() & kwargs.keys():
                    raise TypeError(f"{function.__name__}() got multiple values for argument '{min(twice)}'")
                kwargs = {**given, **kwargs}
            if not kwargs or kwargs.keys() <= where.keys():
                return function(*args, **kwargs)
            extra = {key: kwargs.pop(key) for key in own.keywords if key in kwargs}
            if meant and names.keys() & kwargs.keys():
                kwargs = {**meant, **kwargs}
            _rename(kwargs, names, where, len(args), function.__name__)
            result = function(*args, **kwargs)
            return _finished(result, function.__name__, **extra) if extra else result

        taken.paddle3 = own  # type: ignore[attr-defined]  # core/direct.py asks
        taken.__doc__ = _document(function.__doc__ or "", own)
        parameters = list(signature.parameters.values())
        new = [
            inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=False if key in ("requires_grad", "pin_memory") else None)
            for key in own.keywords
        ]
        taken.__signature__ = signature.replace(parameters=parameters + new)  # type: ignore[attr-defined]
        return cast(F, taken)

    return decorate


def placed(order: str, since: bool = SINCE_3) -> Callable[[F], F]:
    """Let positional arguments be what they are since Paddle 3, in scripts for it: new parameters stand before `name` there.

    Args:
        order: Paddle 3's parameters from the first place on in which ours has another one, separated by spaces.
        since: whether the script is for a version that has them in these places.
    Returns:
        What decorates the function, in front of its short ways, or the class.
    """

    def decorate(function: F) -> F:
        if not since:
            return function
        called: Any = function.__init__ if isinstance(function, type) else function  # type: ignore[misc]
        signature = inspect.signature(called)
        names, parameters = tuple(order.split()), signature.parameters
        before = [key for key, parameter in parameters.items() if key not in names and parameter.kind is not parameter.KEYWORD_ONLY]
        first = min([number for number, key in enumerate(parameters) if key in names] + [len(before)])

        @wraps(called)
        def taken(*args: Any, **kwargs: Any) -> Any:
            if len(args) <= first:
                return called(*args, **kwargs)
            if len(args) > first + len(names):
                raise TypeError(f"{function.__name__}() takes at most {first + len(names)} arguments, but {len(args)} were given")
            given = dict(zip(names, args[first:]))
            if twice := given.keys() & kwargs.keys():
                raise TypeError(f"{function.__name__}() got multiple values for argument '{min(twice)}'")
            return called(*args[:first], **given, **kwargs)

        in_order = [parameters[key] for key in before[:first]]
        in_order += [parameters[key].replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for key in names if key in parameters]
        later = [p.replace(kind=p.KEYWORD_ONLY) for key, p in parameters.items() if key in before[first:] or p.kind is p.KEYWORD_ONLY]
        in_order += [p for p in later if p.name not in names]
        taken.__signature__ = signature.replace(parameters=in_order)  # type: ignore[attr-defined]
        if isinstance(function, type):
            function.__init__ = taken  # type: ignore[misc]
            return function
        return cast(F, taken)

    return decorate


def called(**names: str) -> Callable[[F], F]:
    """Let a layer's `forward` take arguments by the names that Paddle 3 has for them, too, where the layer is called: `layer(input=x)`.

    Args:
        names: its parameters by those names.
    Returns:
        What decorates it; it stays the function that it is.
    """

    def decorate(forward: F) -> F:
        assert set(names.values()) <= set(inspect.signature(forward).parameters), f"{forward.__qualname__} has no such parameters"
        forward.called = names  # type: ignore[attr-defined]  # `respelled` asks
        return forward

    return decorate


def respelled(forward: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a layer's call as its `forward` has them.

    Args:
        forward: the layer's method.
        inputs, kwargs: what the call gives.
    """
    if (names := getattr(forward, "called", None)) and names.keys() & kwargs.keys():
        where = {key: number for number, key in enumerate(inspect.signature(forward).parameters)}
        _rename(kwargs, names, where, len(inputs), forward.__qualname__)
    return kwargs


def _rename(kwargs: dict[str, Any], names: dict[str, str], where: dict[str, int], given: int, api: str) -> None:
    """Give arguments of a call the names that the function has for them."""
    for key in names.keys() & kwargs.keys():
        if (mine := names[key]) in kwargs or where[mine] < given:
            # a ValueError where Paddle's C++ sees it
            raise WrongInputError(f"{api}() got multiple values for argument '{mine}': it is called '{key}', too")
        kwargs[mine] = kwargs.pop(key)


def _decorated_class(made: Any, names: dict[str, str]) -> Any:
    """The class, whose constructor takes its arguments by other names, too."""
    where = {key: number for number, key in enumerate(inspect.signature(made).parameters)}
    assert set(names.values()) <= where.keys(), f"{made.__name__} has no such parameters"
    constructor = made.__init__

    @wraps(constructor)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if kwargs:
            _rename(kwargs, names, where, len(args), made.__name__)
        constructor(self, *args, **kwargs)

    made.__init__ = __init__
    made.paddle3 = Spellings(names, {}, None, (), {})
    made.__doc__ = _document(made.__doc__ or "", made.paddle3)
    return made


def _finished(result: Any, api: str, out: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False) -> Any:
    """A result where, and as, the keywords want it."""
    if device is not None and isinstance(result, Tensor):
        result = Tensor(result._t.to(place_of_name(device, "device", api).torch_device))
    if pin_memory and isinstance(result, Tensor):
        if result._t.device.type == "cpu":
            raise RuntimeError(f"`{api}` cannot pin memory. Expected a result on a GPU. Received: one on the CPU.")
        result = Tensor(result._t.cpu().pin_memory())
    if requires_grad:
        result.stop_gradient = False
    if out is not None:
        become(out, result, api)
    return result


def become(out: Any, result: Any, api: str) -> Any:
    """Let a Tensor be a result: its values, type, shape and history.

    Args:
        out: the Tensor, or several.
        result: what a function gave.
        api: the function.
    Returns:
        The result.
    Raises:
        TypeError: what is given is no Tensor, or another number of them.
    """
    several = isinstance(result, (list, tuple))
    outs, results = (list(out), list(result)) if several and isinstance(out, (list, tuple)) else ([out], [result])
    if len(outs) != len(results):
        raise type_error("out", f"{len(results)} Tensors", f"{len(outs)}", api)
    for mine, value in zip(outs, results):
        if not isinstance(value, Tensor):  # as Paddle 3, whose Programs know no `out`
            warnings.warn(f"`out` of `{api}` has no effect in a Program.", stacklevel=5)
        elif not isinstance(mine, Tensor):
            raise type_error("out", "a Tensor", repr(mine), api)
        else:
            mine._become(value._t)
    return result


def _document(text: str, own: Spellings) -> str:
    """A docstring that tells of the keywords among the arguments, and of other names at the end."""
    lines = "".join(f"    {key}: {what}\n" for key, what in own.keywords.items())
    text = inspect.cleandoc(text).replace("\nReturns:\n", f"\n{lines}Returns:\n", 1)
    told = [f"`{key}` for `{mine}`" for key, mine in own.names.items()]
    told += [f"the ints of `{own.sizes}` one by one"] * bool(own.sizes)
    told += [f"the arguments in the order `{', '.join(own.order)}`"] * bool(own.order)
    return f"{text}\n\nPaddle 3's spelling is taken, too: {', '.join(told)}." if told else text
