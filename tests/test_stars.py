"""`from paddle.X import *` brings no submodule but those of the wheels' `__all__` (2.6.2): a script's own `nn` or `utils` stays."""

from __future__ import annotations

import importlib
import types

import pytest

BROUGHT = {"distributed": ["io"]}


@pytest.mark.parametrize(
    "package", ["amp", "distributed", "incubate", "incubate.nn", "nn", "sparse", "sparse.nn", "static", "utils", "vision"]
)
def test_no_submodule(package: str) -> None:
    names: dict[str, object] = {}
    exec(f"from paddle_compat.{package} import *", names)
    modules = [name for name, value in names.items() if isinstance(value, types.ModuleType)]
    assert modules == BROUGHT.get(package, [])


def test_submodules_are_there_all_the_same() -> None:
    for package, name in (("nn", "functional"), ("static", "nn"), ("sparse", "nn"), ("incubate", "asp"), ("vision", "models")):
        loaded = importlib.import_module(f"paddle_compat.{package}")
        assert isinstance(getattr(loaded, name), types.ModuleType)
        assert name in dir(loaded)


def test_vision() -> None:
    names: dict[str, object] = {}
    exec("from paddle_compat.vision import *", names)
    assert sorted(names.keys() - {"__builtins__"}) == ["get_image_backend", "image_load", "set_image_backend"]
    assert "ResNet" in dir(importlib.import_module("paddle_compat.vision"))
