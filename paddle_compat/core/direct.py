"""The short way through a public function: on plain Tensors it is one torch call.

    @direct("x y", "torch.add(x_, y_)", when="x_.dtype is y_.dtype")
    def add(x, y, name=None):
        ...

An operator on a few numbers takes a microsecond, which the checks that a public function makes would double. So a function
that is called often says what it amounts to where nothing has to be checked: the arguments named first are Tensors, `when`
holds, and no mixed precision or recorder wants to see the operator. `x_` stands for the torch tensor in `x`, and `x_.dtype` for
what the Tensor remembers of it (`Tensor._kind`), which is no data type where it has no elements. Everything else, errors too, is
the function's: whatever the short way raises is thrown away, and the function called. `tests/core/test_direct.py` compares each
short way with its function.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import torch

from paddle_compat.core import grad_mode, mode, op, place
from paddle_compat.core.constants import BESIDE, ZERO  # noqa: F401 - expressions use them
from paddle_compat.core.dtype import NAME_OF, convert_dtype
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.core.op import Op
from paddle_compat.core.paddle3 import ABSENT
from paddle_compat.core.ranks import NONE_WITHOUT
from paddle_compat.core.tensor import Tensor, kind_of, new, wrapped  # noqa: F401 - expressions use them, too

F = TypeVar("F", bound=Callable[..., Any])

# What expressions may use, beside torch. They are looked up in this module, so that `plain` holds for all of them.
plain = True  # whether nobody wants to see the operators
recorded = True  # whether views may keep their history: no thread has switched the gradient off
here: torch.device | None = None  # where what is made of nothing goes; known once somebody has asked for the current place
on_cpu = False  # whether that is the CPU
FLOATS = frozenset({torch.float32, torch.float64})
NUMERIC = FLOATS | {torch.int32, torch.int64}
WHOLE = NUMERIC - FLOATS
BOOL = frozenset({torch.bool})
PLAIN = NUMERIC | BOOL
REAL = FLOATS | {torch.float16, torch.bfloat16}
CAST = PLAIN | REAL
NUMBERS = frozenset({float, int})
INT = {int}
KINDS: dict[Any, torch.dtype] = {spelling: kind for kind in NUMERIC for spelling in (NAME_OF[kind], convert_dtype(kind))}
TYPES = KINDS | {spelling: kind for kind in REAL for spelling in (NAME_OF[kind], convert_dtype(kind))}
_SIZES = tuple(f"size_{number}" for number in range(2, 11))  # behind the first of sizes that are given one by one
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


def only_casts() -> bool:
    """Whether mixed precision alone wants to see the operators: what casts its inputs itself may go a short way."""
    return _holders == {"cast"}


def _follow(current: place.Place) -> None:
    global here, on_cpu
    real = isinstance(current, place.CPUPlace) or isinstance(current, place.CUDAPlace) and torch.cuda.is_available()
    here, on_cpu = current.torch_device if real else None, isinstance(current, place.CPUPlace)


def _record(on: bool) -> None:
    global recorded
    recorded = op.recorded = on


grad_mode.watchers.append(_record)
mode.watchers.append(lambda static: hold(static, "static mode"))
place.watchers.append(_follow)
if NONE_WITHOUT:  # short ways call torch, and not the operators' functions
    hold(True, "at least one dimension")


def direct(
    tensors: str,
    call: str,
    when: str = "True",
    *first: tuple[str, str, str],
    several: type | None = None,
    kind: str = "None",
    window: bool = False,
    **names: Any,
) -> Callable[[F], F]:
    """Put a short way in front of a function.

    Args:
        tensors: the arguments that have to be Tensors, separated by spaces; "bias?" may be None.
        call: the expression that gives the torch tensor of the result.
        when: the condition for it.
        first: further (tensors, call, when), tried before, in order; their `when` is asked before the Tensors are looked into.
        several: what holds the Tensors of the result, `list` or `tuple`, if the expression gives several torch tensors.
        kind: the expression for the result's data type, if it costs nothing.
        window: whether the result reads the memory of an argument.
        names: what the expressions call beside torch.
    """
    assert all(globals().setdefault(name, value) is value for name, value in names.items()), "a name has two meanings"
    result = f"out = new(); out._t = {{}}; out._kind = {kind}; return out" + window * " if recorded else cut_off(out)"
    if several is not None:
        result = f"return {several.__name__}(map(wrapped, {{}}))"
    body = []
    for arguments, expression, condition in first:
        body += [f"            if {condition}:", *_way(arguments, result.format(expression), " " * 16)]
    body += _way(tensors, f"if {when}: {result.format(call)}", " " * 12)
    body = [*map(_bound, body)]

    def decorate(function: F) -> F:
        call, long = _Call.of(function), f"_long_{len(FUNCTIONS)}"
        text = " ".join(body)
        inside = call.behind.items() if call.many else ()
        unseen = [f"{name} = more.get({name!r}, {value!r})" for name, value in inside if re.search(rf"\b{name}\b", text)]
        lines = [f"def short({call.takes}):", "    try:", f"        if {call.enough}:"]
        lines += ["            " + line for line in (*call.gathered, *unseen)]
        lines += [*body, "    except _UNFIT:", "        pass", *call.otherwise(long)]
        made = {f"_default_{name}": value for name, value in call.defaults.items() if value is not inspect.Parameter.empty}
        globals().update(made, **{long: function, f"{long}_defaults": call.defaults})
        exec(compile("\n".join(lines), __file__, "exec"), globals())
        short = globals().pop("short")
        for name in made:
            del globals()[name]
        return _registered(function, short)

    return decorate


class _Call(NamedTuple):
    """How a short way is called, which is as its function is: by that one's other names, too (`core/paddle3.py`).

    Args:
        own: the parameters that are given by position.
        others: further names, one by one, as a dict costs more than two of them, with what says that nobody gave them: what they
            are by default, if that is None or a truth value, which is asked the fastest. So are sizes behind the first, as Python
            calls a function of any number of arguments more slowly; Paddle's tensors have no more than nine dimensions.
        behind: what stands behind sizes, which are given one by one, with its defaults.
        defaults: by parameter; ABSENT where a parameter has another name, and so need not be there.
        ints: whether sizes may be given one by one.
        many: whether what comes behind sizes is more than a dict of it costs.
        spelt: whether there are other names at all.
    """

    own: list[str]
    others: dict[str, Any]
    behind: dict[str, Any]
    defaults: dict[str, Any]
    ints: bool
    many: bool
    spelt: bool

    @classmethod
    def of(cls, function: Callable[..., Any]) -> _Call:
        """That of a function."""
        signature = inspect.signature(function).parameters.values()
        later: Any = getattr(function, "paddle3", None)
        defaults = {p.name: p.default for p in signature if p.kind is not p.KEYWORD_ONLY}
        if later:
            defaults = {name: ABSENT if value is inspect.Parameter.empty else value for name, value in defaults.items()}
        ints = bool(later and later.sizes)
        own = list(defaults)[: list(defaults).index(later.sizes) + 1] if ints else list(defaults)
        behind = {name: value for name, value in defaults.items() if name not in own}
        meant = more = {p.name: p.default for p in signature if p.kind is p.KEYWORD_ONLY}
        if later:
            meant = {**{name: defaults[mine] for name, mine in later.names.items()}, **meant}
        others = {name: _unsaid(value, name in more) for name, value in meant.items() if name not in defaults}
        many = len(behind) + len(others) > 2 and ints
        kept = {name: defaults[name] for name in own} if many else {**defaults, **others}
        return cls(own, {} if many else others, behind, kept, ints, many, bool(later))

    @property
    def takes(self) -> str:
        """What stands between the brackets of its `def`."""
        empty = inspect.Parameter.empty
        written = [name if value is empty else f"{name}=_default_{name}" for name, value in self.defaults.items()]
        rest = [f"{size}=None" for size in _SIZES] * self.ints
        return ", ".join(written[: len(self.own)] + rest + written[len(self.own) :] + ["**more"] * self.many)

    @property
    def gathered(self) -> list[str]:
        """The line that makes a list of sizes that are given one by one."""
        first, second = self.own[-1], _SIZES[0]
        return [f"if {second} is not None: {first}, {second} = _listed({first}, {', '.join(_SIZES)}), None"] * self.ints

    @property
    def enough(self) -> str:
        """The condition for the short way that is every function's."""
        sizes = [f"(not more or more.keys() <= {set(self.behind)})"] * self.many
        return " and ".join(["plain", *sizes, *self._given("is")])

    def _given(self, sign: str) -> list[str]:
        return [f"{name} {sign} {'ABSENT' if value is ABSENT else value}" for name, value in self.others.items()]

    def otherwise(self, long: str) -> list[str]:
        """The lines that call the function, whose name is `long`."""
        given = ", ".join(f"{name!r}: {name}" for name in self.defaults)
        told = f"        return _told({long}, {{{given}}}, {long}_defaults, {'more' if self.many else '{}'})"
        strange = [f"{name} is ABSENT" for name in self.own if self.defaults[name] is ABSENT] * self.spelt
        rest = f"*_given({', '.join(_SIZES)}) if {_SIZES[0]} is not None else ()"
        arguments = [*self.own, *[rest] * self.ints, *["**more"] * self.many]
        if self.ints and not self.many:
            arguments += [f"**_some({', '.join(f'{name}={name}' for name in (*self.behind, *self.others))})"]
        else:
            strange += self._given("is not")
        straight = f"    return {long}({', '.join(arguments)})"
        return [f"    if {' or '.join(strange)}:", told, straight] if strange else [straight]


def cut_off(window: Tensor) -> Tensor:
    """What reads the memory of another Tensor, without that one's history where the gradient is switched off."""
    window._t = grad_mode.without_history(window._t)
    return window


def alike(values: Any) -> list[torch.Tensor]:
    """The torch tensors in Tensors of one data type; TypeError if there are several."""
    kind = values[0]._kind or kind_of(values[0])
    if kind not in NUMERIC:
        raise TypeError
    found = []
    for value in values:
        if (value._kind or kind_of(value)) is not kind:
            raise TypeError
        found.append(value._t)
    return found


def _unsaid(default: Any, own: bool) -> Any:
    """What says that nobody gave an argument: its default, if that is one of a kind, and nothing else stands for the argument."""
    return None if default is None or default is ABSENT else default if own and type(default) is bool else ABSENT


def _given(*sizes: Any) -> tuple[Any, ...]:
    """The sizes behind the first that somebody gave; UnimplementedError if that makes ten."""
    if None not in sizes:
        raise UnimplementedError("Invalid number of sizes. Expected at most nine dimensions. Received: ten or more.")
    return sizes[: sizes.index(None)]


def _listed(*sizes: Any) -> list[int]:
    """Sizes that are given one by one; TypeError if something else is."""
    given = _given(*sizes)
    if {*map(type, given)} != {int}:
        raise TypeError
    return [*given]


def _some(**named: Any) -> dict[str, Any]:
    """The arguments that somebody gave."""
    return {name: value for name, value in named.items() if value is not None}


def _told(function: Callable[..., Any], given: dict[str, Any], defaults: dict[str, Any], more: dict[str, Any]) -> Any:
    """The function, called with keywords, some of which it has by other names: without what nobody gave."""
    spelt = {name: value for name, value in given.items() if value is not defaults[name]}
    spellings: Any = getattr(function, "paddle3", None)
    if spellings is None or not spellings.order or type([*given.values()][1]) is not int:
        return function(**spelt, **more)
    code = inspect.unwrap(function).__code__
    first = [spelt.pop(name) for name in code.co_varnames[: code.co_argcount] if name in spelt]
    return function(*first, **spelt, **more)


def _way(tensors: str, then: str, margin: str) -> list[str]:
    """The lines that look into Tensors, and into their data types where these are asked for; once, and then on the spot if that is all."""
    lines = []
    for part in tensors.split():
        name = part.rstrip("?")
        uses = len(re.findall(rf"\b{name}_\b(?!\.dtype)", then))
        if part != name:
            lines.append(f"{margin}{name}_ = None if {name} is None else {name}._t")
        elif uses == 1:
            then = re.sub(rf"\b{name}_\b(?!\.dtype)", f"{name}._t", then)
        else:
            lines.append(f"{margin}{name}_ = {name}._t")
        kinds = re.findall(rf"\b{name}_\.dtype( in)?\b", then)
        if kinds == [""]:
            then = re.sub(rf"\b{name}_\.dtype\b", f"({name}._kind or kind_of({name}))", then)
        elif kinds:
            lines.append(f"{margin}{name}_kind = {name}._kind or kind_of({name})")
    return [*lines, margin + then]


def _bound(line: str) -> str:
    """A line as it runs: with names of this module for torch's, as a module that has a `__getattr__` is slow, and the usual type first."""
    line = re.sub(r"\b(\w+)\._t\.dtype\b", r"(\1._kind or kind_of(\1))", line)
    line = re.sub(r"\b(\w+)_\.dtype\b", r"\1_kind", line)
    line = re.sub(r"(\w*kind) in (FLOATS|NUMERIC|PLAIN)\b", r"(\1 is torch.float32 or \1 in \2)", line)
    for name in set(re.findall(r"\btorch\.(\w+)", line)):
        globals()[f"torch_{name}"] = getattr(torch, name)
    return re.sub(r"\btorch\.(\w+)", r"torch_\1", line)


def _registered(function: F, short: Any) -> F:
    short = functools.wraps(function)(short)
    FUNCTIONS[f"{function.__module__}.{function.__qualname__}"] = (function, short)
    return cast(F, short)


def at_once(operator: Op) -> Callable[[F], F]:
    """`direct` for a function `(x, name=None)` that calls an operator of one floating tensor, if the operator has a kernel."""
    kernel: Any = getattr(operator.fn, "compute", None)
    keeps = operator.grad is not None  # what has no gradient gives truth values
    nobody = {"x": ABSENT, "name": None, "input": None, "out": None}

    def decorate(function: F) -> F:
        def short(x: Any, name: str | None = None) -> Any:
            try:
                kind = x._kind or kind_of(x)
                if plain and kind in FLOATS:
                    out = new()
                    out._t = kernel(x._t)
                    out._kind = kind if keeps else None
                    return out
            except _UNFIT:
                pass
            return function(x, name)

        def spelled(x: Any = ABSENT, name: Any = None, input: Any = None, out: Any = None) -> Any:
            try:
                kind = x._kind or kind_of(x)
                if plain and input is None and out is None and kind in FLOATS:
                    made = new()
                    made._t = kernel(x._t)
                    made._kind = kind if keeps else None
                    return made
            except _UNFIT:
                pass
            return _told(function, {"x": x, "name": name, "input": input, "out": out}, nobody, {})

        if kernel is None:
            return function
        if not hasattr(function, "paddle3"):
            return _registered(function, short)
        names = {*inspect.signature(function).parameters, *function.paddle3.names}
        assert names <= {"x", "name", "input", "out"}, "further arguments need `direct`"
        return _registered(function, spelled)

    return decorate
