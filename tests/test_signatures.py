"""Public functions, classes and methods take what those of the real Paddle take: names, order, defaults."""

from __future__ import annotations

import enum
import functools
import gzip
import importlib
import inspect
import json
from typing import Any

import pytest
from processes import ROOT
from test_architecture import floor_of, public_modules

# Where ours differs on purpose, and why.
ON_PURPOSE = {
    "paddle.Tensor": "the real constructor is C++ with overloads; scripts call paddle.to_tensor",
    "paddle.fluid.core.VarBase.backward": "the one class has 2.6's signature",
    "paddle.distributed.shard_tensor": "3.3's signature",
    "paddle.Tensor.clear_gradient": "the real one can be given its argument by name, too, whatever its C++ shows",
    **dict.fromkeys(
        (
            "paddle.signal.stft",
            "paddle.tensor.stft",
            *(f"paddle.{holder}.stft" for holder in ("Tensor", "static.Variable", "base.Variable", "base.framework.Variable")),
        ),
        "3.3's default of onesided, which is that of 2.6 for real signals",
    ),
    "paddle.check_shape": "its defaults name the class Variable, which is ours here",
    "paddle.base.framework.Operator": "the real constructor takes a C++ description; scripts call Block.append_op",
    **dict.fromkeys(
        (
            f"paddle.fluid.{module}Variable.backward"
            for module in ("", "framework.", "transpiler.details.", "transpiler.details.vars_distributed.")
        ),
        "refused, whatever it is given; the one class has 2.6's signature",
    ),
}
FLUID = floor_of("paddle_compat.fluid")


@functools.cache
def recorded(version: str) -> dict[str, list[list[str]]]:
    """The signatures of a wheel, by API."""
    with gzip.open(ROOT / f"tests/references/signatures_{version}.json.gz", "rt") as file:
        table: dict[str, list[list[str]]] = json.load(file)
    return table


def parameters(function: Any) -> list[list[str]]:
    """Ours, in the form of the recording; private switches do not count."""
    found = inspect.signature(function).parameters.values()
    return [
        [p.name, p.kind.name] + ([repr(p.default)] if p.default is not p.empty else [])
        for p in found
        if not p.name.startswith("_")
    ]


def takes(ours: list[list[str]], real: list[list[str]]) -> bool:
    """Whether ours takes every call that the real one takes, with the same defaults.

    One class or function serves both ages of Paddle, so it may have optional parameters more, at the end.
    """
    if [row[:2] for row in ours[: len(real)]] != [row[:2] for row in real]:
        return False
    defaults = all(a[2:] == b[2:] or not b[2:] or (b[2:] == ["..."] and a[2:]) for a, b in zip(ours, real))
    return defaults and all(row[2:] or row[1].startswith("VAR") for row in ours[len(real) :])


def pairs(module: str) -> list[tuple[str, Any]]:
    """The functions, classes and methods that a module exports, with their Paddle names."""
    found: list[tuple[str, Any]] = []
    loaded = importlib.import_module(module)
    prefix = module.replace("paddle_compat", "paddle", 1)
    for name in loaded.__all__:
        value = getattr(loaded, name)
        enumeration = inspect.isclass(value) and issubclass(value, enum.Enum)  # whose call is Python's, another in each version
        if inspect.isclass(value) and not enumeration or inspect.isroutine(value):
            found.append((f"{prefix}.{name}", value))
        if inspect.isclass(value):
            members = [member for member in dir(value) if not member.startswith("_")]
            found += [(f"{prefix}.{name}.{m}", getattr(value, m)) for m in members if callable(getattr(value, m, None))]
    return found


@pytest.mark.parametrize("module", public_modules())
def test_signatures(module: str) -> None:
    real = recorded("1.8.5" if floor_of(module) == FLUID else "2.6.2")
    wrong = []
    for api, value in pairs(module):
        if api not in real or api in ON_PURPOSE or "VAR_KEYWORD" in (row[1] for row in real[api]):
            continue
        ours, theirs = parameters(value), real[api]
        if ours and ours[0][0] == "self":  # Paddle's generated methods call it x
            ours, theirs = ours[1:], theirs[1:]
        if not takes(ours, theirs):
            wrong.append(f"{api}\n    ours {ours}\n    real {theirs}")
    assert not wrong, "\n".join(wrong)


def test_the_comparison_sees_differences() -> None:
    x, axis = ["x", "POSITIONAL_OR_KEYWORD"], ["axis", "POSITIONAL_OR_KEYWORD", "-1"]
    assert takes([x, axis], [x, axis]) and takes([x, axis], [x]) and takes([x, axis], [x, axis[:2]])
    assert takes([x, axis], [x, [*axis[:2], "..."]])
    for other in ([x], [axis, x], [x, [*axis[:2], "0"]], [x, axis[:2]], [x, axis, ["y", "POSITIONAL_OR_KEYWORD"]]):
        assert not takes(other, [x, axis])
