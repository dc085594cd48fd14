"""The switches of BuildStrategy and ExecutionStrategy, and what is tried on each."""

from __future__ import annotations

from typing import Any

VALUES = (
    None, True, False, 0, 1, 2, 3.7, "a", "", [], ["a"], [1], (), ("a",), {"a"}, set(), b"x", object, 2**31 - 1, 2**31, 2**63,
)  # fmt: skip


def shown(value: Any) -> str:
    """A switch's value, as all versions of pybind show it."""
    return str(value) if hasattr(type(value), "__members__") else repr(value)


def answers(strategy: Any) -> dict[str, dict[str, str]]:
    """Each switch's default, and what it becomes when it is set: a value, or the kind of error with a ! in front."""
    found: dict[str, dict[str, str]] = {}
    for name in sorted(dir(strategy())):
        value = None if name.startswith("__") else getattr(strategy(), name)
        if name[0] == "_" and name != "_dry_run" or isinstance(value, type) or callable(value) and not hasattr(type(value), "__members__"):
            continue
        row = found[name] = {"default": shown(value)}
        for given in VALUES:
            one = strategy()
            try:
                setattr(one, name, given)
                row[repr(given)] = shown(getattr(one, name))
            except Exception as error:
                row[repr(given)] = "!TypeError" if isinstance(error, TypeError) else "!"
    return found


def late(strategy: Any) -> list[str]:
    """What can still be set when a BuildStrategy is final."""
    found = []
    for name in answers(strategy):
        one = strategy()
        one._finalize_strategy_and_create_passes()
        try:
            setattr(one, name, getattr(one, name))
            found.append(name)
        except Exception:
            continue
    return found
