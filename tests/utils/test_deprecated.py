"""`paddle.utils.deprecated` says so in the documentation, and warns or raises at calls as its level says."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import pytest

import paddle_compat as paddle


def _decorated(**options: Any) -> Any:
    def api(x: int) -> int:
        """Give it back."""
        return x

    api.__module__ = "mine"
    return paddle.utils.deprecated(**options)(api)


def test_level_0_changes_the_documentation_alone() -> None:
    old = _decorated(update_to="paddle.new", since="2.0.0", reason="slow")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert old(1) == 1
    assert old.__doc__ == (  # as in the 3.3.1 wheel
        '\n\nWarning:\n    API "mine.api" is deprecated since 2.0.0, and will be removed in future versions.'
        ' Please use "paddle.new" instead.'
        "\n    Reason: slow\n\nGive it back."
    )


def test_level_1_warns_from_that_version_on() -> None:
    with pytest.warns(UserWarning, match='API "mine.api" is deprecated since 2.0.0, and will be removed in future versions'):
        assert _decorated(since="2.0.0", level=1)(2) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert _decorated(since="99.0.0", level=1)(3) == 3


def test_level_2_raises() -> None:
    with pytest.raises(RuntimeError, match='API "mine.api" has been deprecated.'):
        _decorated(level=2)(1)


@pytest.mark.parametrize("options", [{"update_to": "numpy.add"}, {"level": 3}, {"since": 2}])
def test_wrong_arguments_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match=f"argument `{next(iter(options))}` of `deprecated`"):
        _decorated(**options)


def test_the_module_of_the_decorator_has_it() -> None:
    assert importlib.import_module("paddle_compat.utils.deprecated").deprecated is paddle.utils.deprecated
