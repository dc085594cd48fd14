"""A `DistributedStrategy` as `print` shows it."""

from __future__ import annotations

from typing import Any

from paddle_compat.distributed.fleet.base._messages import SCHEMA, Message, fields

_INNER = 78
_TITLES = {"build_strategy": "Build Strategy", "execution_strategy": "Execution Strategy"}


def overview(message: Message) -> str:
    """The table of a strategy: the configurations of what is switched on, the flags, the build and the execution strategy.

    Args:
        message: the strategy's.
    """
    double, single = _line("=" * _INNER), _line("-" * _INNER)
    lines = [double, _line("", " ", "|"), _line("DistributedStrategy Overview", " ", "|"), _line("", " ", "|"), double]
    table = fields("DistributedStrategy")
    configured = [name.removesuffix("_configs") for name in table if name.endswith("_configs") and name.removesuffix("_configs") in table]
    for name in [field for field in table if field in configured]:
        if getattr(message, name):
            lines += [_line(f"{name}=True <-> {name}_configs", " ", "|"), single]
            lines += _rows(getattr(message, f"{name}_configs"))
            lines.append(double)
    lines += [_line("Environment Flags, Communication Flags", " ", "|"), single]
    for name in table:
        if name not in configured and not name.endswith("_configs") and name not in _TITLES:
            lines.append(_row(name, getattr(message, name)))
    for name, title in _TITLES.items():
        lines += [double, _line(title, " ", "|"), single, *_rows(getattr(message, name))]
    return "\n".join([*lines, double]) + "\n"


def _rows(message: Message) -> list[str]:
    rows = []
    for field in fields(message._kind).values():
        value = getattr(message, field.name)
        if field.repeated and field.kind not in SCHEMA:
            rows += [_row(field.name if i == 0 else "", part) for i, part in enumerate(value)]
        else:
            rows.append(_row(field.name, value))
    return rows


def _row(name: str, value: Any) -> str:
    return f"    |{name:>38}  {str(value):^38}|"


def _line(text: str, fill: str = "", edge: str = "+") -> str:
    return f"    {edge}{text.center(_INNER, fill or ' ')}{edge}"
