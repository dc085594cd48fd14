"""Functions take Paddle 3's other names of their arguments, its further keywords, and sizes one by one."""

from __future__ import annotations

import gzip
import inspect
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.core.paddle3 import paddle3

SPELLINGS = Path(__file__).resolve().parents[1] / "references/paddle3_spellings.json.gz"
# words that are not taken here, and why
NOT_TAKEN = {
    "paddle.dtype": "a type of the real Paddle's own",
    **dict.fromkeys(
        (f"paddle.{holder}bitwise_{side}_shift_" for holder in ("", "Tensor.") for side in ("left", "right")),
        "out: of the function that is not in place",
    ),
    "paddle.nn.Parameter": "requires_grad, shape: taken among further keywords",
    "paddle.Tensor.tolist": "x: a method of its own",
    "paddle.nn.functional.flash_attention_v3_varlen": "any: Paddle computes it on GPUs only, and it refuses where it is called",
}
REFUSED = {"reduce", "size_average"}  # by layers of losses, which tell of `reduction`
X = [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    "call, expected",
    [
        (lambda x: paddle.sum(input=x, dim=1), [3, 7]),
        (lambda x: x.sum(dim=1, keepdim=True), [[3], [7]]),
        (lambda x: paddle.ones(2, 3), [[1, 1, 1]] * 2),
        (lambda x: paddle.ones(2, dtype="int64"), [1, 1]),
        (lambda x: paddle.ones(size=[1], device="cpu"), [1]),
        (lambda x: x.reshape(1, 2, 2, 1), [[[[1], [2]], [[3], [4]]]]),
        (lambda x: paddle.reshape(input=x, shape=[4]), [1, 2, 3, 4]),
        (lambda x: x.reshape(4), [1, 2, 3, 4]),
    ],
)
def test_spellings(call: Callable[[Any], Any], expected: list[Any]) -> None:
    assert call(paddle.to_tensor(X)).tolist() == expected


def test_out_becomes_the_result_with_its_history() -> None:
    x, out = paddle.to_tensor(X, stop_gradient=False), paddle.zeros([3], "int32")
    assert paddle.sum(x, 0, out=out).tolist() == out.tolist() == [4, 6]
    out.sum().backward()
    assert x.grad.tolist() == [[1, 1], [1, 1]]
    with pytest.raises(TypeError, match="`out` of `sum`"):
        paddle.sum(x, out=3)


def test_new_tensors_may_take_part_in_gradients() -> None:
    assert not paddle.ones([2], requires_grad=True).stop_gradient
    with pytest.raises(RuntimeError, match="pin memory"):
        paddle.ones([2], device="cpu", pin_memory=True)


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda x: paddle.sum(), "missing 1 required positional argument: 'x'"),
        (lambda x: paddle.sum(x, bogus=1), "unexpected keyword argument 'bogus'"),
        (lambda x: paddle.sum(x, input=x), "multiple values for argument 'x'"),
        (lambda x: paddle.sum(x, 0, dim=0), "multiple values for argument 'axis'"),
    ],
)
def test_wrong_calls(call: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(TypeError, match=said) as caught:
        call(paddle.to_tensor(X))
    assert isinstance(caught.value, ValueError) is ("multiple" in said)  # where Paddle's C++ sees it, it is a ValueError


def test_signature_and_documentation_tell_of_it() -> None:
    assert list(inspect.signature(paddle.sum).parameters)[-2:] == ["name", "out"]
    assert "out: the Tensor" in paddle.sum.__doc__ and "`dim` for `axis`" in paddle.sum.__doc__
    with pytest.raises(AssertionError, match="no such parameters"):
        paddle3(input="y")(lambda x: x)


def test_in_a_program_out_has_no_effect() -> None:
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()), pytest.warns(UserWarning, match="`out` of `sum`"):
            x = paddle.static.data("x", [2, 2])
            assert paddle.sum(x, dim=0, out=x).shape == (2,)
    finally:
        paddle.disable_static()


def _lacking(api: str, words: list[str]) -> list[str]:
    """The words that a function here does not take; nothing where it is not here."""
    value: Any = paddle
    for name in api.split(".")[1:]:
        value = getattr(value, name, None)
    if value is None:
        return []
    parameters = inspect.signature(value).parameters.values()
    own = {p.name for p in parameters} | set(value.paddle3.names if hasattr(value, "paddle3") else ())
    return sorted(set(words) - own - (REFUSED if api.endswith("Loss") else set()))


def test_what_paddle_3_takes_is_taken() -> None:
    taken = json.loads(gzip.decompress(SPELLINGS.read_bytes()))
    lacking = {api: _lacking(api, words) for api, words in taken.items() if api not in NOT_TAKEN}
    assert not {api: words for api, words in lacking.items() if words}


def test_grids_are_those_of_2_6_whatever_indexing_says() -> None:
    x, y = paddle.ones([2]), paddle.ones([3])
    with pytest.warns(UserWarning, match="`indexing` of `paddle.meshgrid` has no effect"):
        assert paddle.meshgrid(x, y, indexing="xy")[0].shape == [2, 3]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert paddle.meshgrid([x, y], indexing="ij")[0].shape == [2, 3]
