"""The short way through a public function: on plain Tensors it is one torch call.

    @direct("x y", "torch.add(x_, y_)", when="x_.dtype is y_.dtype")
    def add(x, y, name=None):
        ...

An operator on a few numbers takes a microsecond, which the checks that a public function makes would double. So a function
that is called often says what it amounts to where nothing has to be checked: the arguments named first are Tensors, `when`
holds, and no mixed precision or recorder wants to see the operator. `x_` stands for the torch tensor in `x`. Everything
else, errors too, is the function's: whatever the short way raises is thrown away, and the function called.
`tests/core/test_direct.py` compares each short way with its function.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

import torch

from paddle_compat.core import mode, op
from paddle_compat.core.constants import BESIDE, ZERO  # noqa: F401 - expressions use them
from paddle_compat.core.dtype import NAME_OF, convert_dtype
from paddle_compat.core.op import Op
from paddle_compat.core.tensor import Tensor

F = TypeVar("F", bound=Callable[..., Any])

# What expressions may use, beside torch. They are looked up in this module, so that `plain` holds for all of them.
plain = True  # whether nobody wants to see the operators
new: Callable[[], Tensor] = functools.partial(object.__new__, Tensor)
FLOATS = frozenset({torch.float32, torch.float64})
NUMERIC = FLOATS | {torch.int32, torch.int64}
WHOLE = NUMERIC - FLOATS
BOOL = frozenset({torch.bool})
NUMBERS = frozenset({float, int})
KINDS: dict[Any, torch.dtype] = {spelling: kind for kind in NUMERIC for spelling in (NAME_OF[kind], convert_dtype(kind))}
_UNFIT = (ArithmeticError, AttributeError, RuntimeError, LookupError, TypeError, ValueError)  # what says that the long way is to be gone
_holders: set[str] = set()
FUNCTIONS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}  # by "module.name": the function, and its short way


def hold(on: bool, who: str) -> None:
    """Send every call the long way while somebody wants to see the operators.

    Args:
        on: whether somebody does.
        who: that somebody's name; each ends what it began.
    """
    global plain
    (_holders.add if on else _holders.discard)(who)
    plain = op.plain = not _holders


mode.watchers.append(lambda static: hold(static, "static mode"))


def direct(
    tensors: str, call: str, when: str = "True", *first: tuple[str, str, str], several: bool = False, **names: Any
) -> Callable[[F], F]:
    """Put a short way in front of a function.

    Args:
        tensors: the arguments that have to be Tensors, separated by spaces.
        call: the expression that gives the torch tensor of the result.
        when: the condition for it.
        first: further (tensors, call, when), tried before, in order; their `when` is asked before the Tensors are looked into.
        several: the result is a list of Tensors, and the expression gives several torch tensors.
        names: what the expressions call beside torch.
    """
    assert all(globals().setdefault(name, value) is value for name, value in names.items()), "a name has two meanings"

    def decorate(function: F) -> F:
        parameters = inspect.signature(function).parameters.values()
        written = ", ".join(p.name if p.default is p.empty else f"{p.name}=_default_{p.name}" for p in parameters)
        passed = ", ".join(p.name for p in parameters)
        result = "return [Tensor(t) for t in {}]" if several else "out = new(); out._t = {}; return out"
        lines = [f"def short({written}):", "    try:", "        if plain:"]
        for arguments, expression, condition in first:
            lines.append(f"            if {condition}:")
            lines += [f"                {name}_ = {name}._t" for name in arguments.split()]
            lines.append("                " + result.format(expression))
        lines += [f"            {name}_ = {name}._t" for name in tensors.split()]
        lines.append(f"            if {when}:")
        lines.append("                " + result.format(call))
        lines += ["    except _UNFIT:", "        pass"]
        long = f"_long_{len(FUNCTIONS)}"
        lines.append(f"    return {long}({passed})")
        made = {f"_default_{p.name}": p.default for p in parameters if p.default is not p.empty}
        globals().update(made, **{long: function})
        exec(compile("\n".join(lines), __file__, "exec"), globals())
        short = globals().pop("short")
        for name in made:
            del globals()[name]
        return _registered(function, short)

    return decorate


def _registered(function: F, short: Any) -> F:
    short = functools.wraps(function)(short)
    FUNCTIONS[f"{function.__module__}.{function.__qualname__}"] = (function, short)
    return cast(F, short)


def at_once(operator: Op) -> Callable[[F], F]:
    """`direct` for a function `(x, name=None)` that calls an operator of one floating tensor, if the operator has a kernel."""
    kernel: Any = getattr(operator.fn, "compute", None)

    def decorate(function: F) -> F:
        def short(x: Any, name: str | None = None) -> Any:
            try:
                x_ = x._t
                if plain and x_.dtype in FLOATS:
                    out = new()
                    out._t = kernel(x_)
                    return out
            except _UNFIT:
                pass
            return function(x, name)

        return _registered(function, short) if kernel is not None else function

    return decorate
