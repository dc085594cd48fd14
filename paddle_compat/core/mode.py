"""Which of the two ways of working is on: recording into Programs (static) or running at once (eager).

Paddle 2.x starts in eager mode, 1.8 in static mode. So the switch starts undecided: it counts as eager until somebody
sets it, or until an API that only static scripts call (`fluid.data`, `fluid.layers.fc`, `paddle.static.data`) settles it.
Scripts of 2.0 to 2.4 call functions of `fluid` in eager mode: Tensors that they made, or hand over, settle it, too.

Each mode has names and default Programs of its own: `disable_static` begins new ones, `enable_static` takes the former ones up again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

_static: bool | None = None


class _Surroundings(NamedTuple):
    """What a mode has of its own: the switch, (main, startup) Programs, (generator, checker) of names."""

    static: bool | None
    programs: tuple[Any, Any] | None = None  # None: new ones
    names: tuple[Any, Any] | None = None


_AT_FIRST = _Surroundings(True)  # eager mode was begun when the package was imported, before anything was named
_outside: _Surroundings | None = _AT_FIRST  # what `enable_static` takes up again; None: `disable_static` did not begin anything
_second = False  # whether a script has set the mode in the words of Paddle 2, which 1.8 has not
watchers: list[Callable[[bool], None]] = []  # told whether static mode is on when that changes


def enable_static() -> None:
    """Record operators into the default Program from now on (Paddle 2.x).

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.in_dynamic_mode()
        False
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    global _outside, _second
    _second = True
    if _outside is not None:
        resumed, _outside = _outside, None
        _resume(resumed)


def disable_static(place: Any = None) -> None:
    """Run operators at once from now on (Paddle 2.x), with names that start anew.

    Args:
        place (CPUPlace|CUDAPlace|str): where values go; None: where they go already.
    Raises:
        ValueError: there is no such place.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.disable_static("cpu")
        >>> paddle.in_dynamic_mode()
        True

    Follows Paddle 2.6.
    """
    global _outside
    if place is not None:
        from paddle_compat.core.place import place_of_name, set_current_place

        set_current_place(place_of_name(place, "place", "disable_static"))
    if _outside is None:
        _outside = _begin()
    else:
        set_static(False)


def _begin() -> _Surroundings:
    """Eager mode with new Programs and names from here on; gives what was."""
    from paddle_compat.core import program, unique_name

    former = program.switch_main_program(program.Program()), program.switch_startup_program(program.Program())
    return _Surroundings(set_static(False), former, unique_name.switch())


def _resume(former: _Surroundings) -> None:
    from paddle_compat.core import program, unique_name

    main, startup = former.programs or (program.Program(), program.Program())
    program.switch_main_program(main)
    program.switch_startup_program(startup)
    unique_name.switch(*former.names or ())
    set_static(former.static)


@contextmanager
def eager_guard() -> Iterator[None]:
    """Eager mode inside, with Programs and names of its own."""
    former = _begin()
    try:
        yield
    finally:
        _resume(former)


def restart(state: tuple[bool | None, Any] = (None, _AT_FIRST)) -> tuple[bool | None, Any]:
    """Let the mode be what it is when a script starts, or what this gave; the names and Programs stay. Gives what was."""
    global _outside, _second
    former = _static, _outside
    _second = False
    set_static(state[0])
    _outside = state[1]
    return former


def in_dygraph_mode() -> bool:
    """Whether operators run at once.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.base.in_dygraph_mode()
        True

    Follows Paddle 2.6.
    """
    return not _static


def is_static() -> bool | None:
    """Whether static mode was chosen; None where nobody has chosen."""
    return _static


@contextmanager
def inside(static: bool) -> Iterator[None]:
    """One mode in the block, whichever was chosen; names and Programs stay."""
    former = set_static(static)
    try:
        yield
    finally:
        set_static(former)


def settle_static() -> bool:
    """Called by APIs of static scripts: choose static mode where nobody has chosen. Returns whether static mode is on."""
    global _outside
    if _static is None:
        set_static(True)
        _outside = None
    return bool(_static)


def settle_eager() -> None:
    """Called where a script of Paddle 2 has Tensors: choose eager mode where nobody has chosen, so that `fluid` works on them at once."""
    if _static is None:
        set_static(False)


def of_paddle_2() -> bool:
    """Whether the script is for Paddle 2, where `fluid` could be of 1.8, too.

    `PADDLE_COMPAT_VERSION` says so, `paddle.enable_static`, or modules that Paddle 1.8 does not have, such as `paddle.vision`; by `paddle.`
    only scripts import.
    """
    from paddle_compat import _alias, _missing  # a script may import this module before the package, whose own imports need it

    if _second or (_alias.since("2") and not _alias.since("2.6")):
        return True
    releases = _missing.known_names()
    return any(name in releases and "1.8.5" not in releases[name] for name in [*sys.modules])


def settle_by_imports() -> None:
    """Called by APIs of `fluid` that both modes have: choose eager mode in scripts of Paddle 2 where nobody has chosen."""
    if _static is None and of_paddle_2():
        set_static(False)


def static_only(api: str) -> None:
    """AssertionError where eager mode was chosen: the API writes into Programs."""
    assert settle_static(), f"`{api}` works in static mode only. Expected paddle.enable_static(). Received: a call in eager mode"


def need_static(api: str) -> None:
    """Exception in eager mode, in Paddle 1.8's words: the optimizer writes into Programs, for which this is the first word."""
    if not settle_static():
        raise Exception(f"In dygraph, don't support {api}.")


def eager_only(api: str) -> None:
    """AssertionError in static mode, in Paddle's words: the API needs values."""
    if not in_dygraph_mode():
        raise AssertionError(
            f"We only support '{api}()' in dynamic graph mode, please call 'paddle.disable_static()' to enter dynamic graph mode."
        )


def set_static(value: bool | None) -> bool | None:
    """Set the switch (None: undecided) and return what it was."""
    global _static
    former, _static = _static, value
    if bool(former) != bool(value):
        for watcher in watchers:
            watcher(bool(value))
    return former
