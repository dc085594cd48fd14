"""What recorded functions raise says where in the user's code it comes from, as Paddle 2.6's does."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.jit.dy2static import error


def reshaped(x: Any) -> Any:
    two = paddle.full([1], 2, "int32")
    x = paddle.reshape(x, shape=[1, two])
    return x


def looked_up(x: Any) -> Any:
    table: dict[str, Any] = {}
    return x * table["rate"]


def inner(x: Any) -> Any:
    # a statement of two lines
    y = paddle.reshape(
        x, [7]
    )
    return y


def outer(x: Any) -> Any:
    for _ in range(2):
        x = inner(x)
    return x


def line_of(function: Any, text: str) -> str:
    """What an error says of the first line of a function that has this text."""
    lines, first = inspect.getsourcelines(function)
    number = next(number for number, line in enumerate(lines, first) if text in line)
    return f'File "{__file__}", line {number}, in {function.__name__}'


def raised(function: Any, kind: type[Exception]) -> str:
    """The text of what a wholly recorded function raises, which knows about itself what a harness asks."""
    with pytest.raises(kind) as caught:
        paddle.jit.to_static(function, full_graph=True)(paddle.ones([1, 3]))
    assert type(caught.value) is kind
    known = getattr(caught.value, error.ERROR_DATA)
    assert known.origin_traceback and known.in_runtime is (function is reshaped)
    text = str(caught.value)
    assert known.create_message() == text and isinstance(caught.value, known.error_type)
    return text


def test_a_run_that_fails() -> None:
    text = raised(reshaped, ValueError)
    assert text.startswith("In transformed code:\n\n    " + line_of(reshaped, "reshape(x"))
    shown = text.split("\n")[4:9]
    assert [line.strip() for line in shown[:3]] == [
        'two = paddle.full([1], 2, "int32")', "x = paddle.reshape(x, shape=[1, two])", "~" * 37 + " <--- HERE",
    ]  # fmt: skip
    assert shown[3].strip() == "return x" and shown[0].startswith(" " * 12 + "two")


def test_a_key_that_is_not_there() -> None:
    text = raised(looked_up, error.Dy2StKeyError)
    assert line_of(looked_up, "return") in text and text.endswith("KeyError: 'rate'")
    assert issubclass(error.Dy2StKeyError, KeyError)


def test_a_recording_that_fails_in_a_function_that_a_loop_calls() -> None:
    text = raised(outer, ValueError)
    assert line_of(outer, "x = inner") + "\n\tx = inner(x)\n" in text
    assert line_of(inner, "y = ") in text and "_pd_" not in text
    assert text.index("y = paddle.reshape(") < text.index("<--- HERE") < text.index("x, [7]")


def test_the_errors_themselves_where_the_environment_asks_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(error.DISABLE_ERROR_ENV_NAME, "1")
    with pytest.raises(KeyError) as caught:
        paddle.jit.to_static(looked_up, full_graph=True)(paddle.ones([1, 3]))
    assert type(caught.value) is KeyError and str(caught.value) == "'rate'"
    assert line_of(looked_up, "return") in getattr(caught.value, error.ERROR_DATA).create_message()


def branching(x: Any) -> Any:
    if x.ndim == 2:
        for _ in range(2):
            x = inner(x)
            if x.ndim == 3:
                x = x + 1
    else:
        x = x + 2
    return x


def test_a_branch_is_named_by_its_first_line() -> None:
    text = raised(branching, ValueError)
    lines = [line_of(branching, "if x.ndim == 2"), line_of(branching, "for _"), line_of(branching, "x = inner"), line_of(inner, "y = ")]
    places = [text.index(line) for line in lines]
    assert places == sorted(places) and "_pd_" not in text and "x + 2" not in text


def filled(x: Any) -> Any:
    return x + paddle.tensor.fill_constant([1, 3], "int", 9)


def nothing_else(x: Any) -> Any:
    return paddle.concat(3)


def beyond(x: Any) -> Any:
    return x[7]


@pytest.mark.parametrize(("function", "kind"), [(filled, TypeError), (nothing_else, TypeError), (inner, ValueError), (beyond, IndexError)])
def test_harnesses_find_the_very_types_of_python(function: Any, kind: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    assert raised(function, kind).startswith("In transformed code:")
    monkeypatch.setenv(error.DISABLE_ERROR_ENV_NAME, "1")
    with pytest.raises(kind) as caught:
        paddle.jit.to_static(function, full_graph=True)(paddle.ones([1, 3]))
    assert type(caught.value) is kind and "In transformed code" not in str(caught.value)
