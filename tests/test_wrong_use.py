"""Wrong use raises what the real Paddle raises, names argument, expected and received, and changes nothing."""

from __future__ import annotations

import importlib
import json
from typing import Any

import numpy as np
import pytest
from models.references import HERE, VERSIONS

pytestmark = pytest.mark.usefixtures("paddle_is_ours")


def recorded(version: str) -> dict[str, Any]:
    """What the wheel of a version did in each case."""
    content: dict[str, Any] = json.loads((HERE.parent / "references" / f"errors_{version}.json").read_text())
    return content


CASES = [(version, name) for version in VERSIONS for name in recorded(version)]


@pytest.mark.parametrize(("version", "name"), CASES)
def test_wrong_use(version: str, name: str) -> None:
    """The exception can be caught as the wheel's, says what is wrong, and the parameters stay as they were."""
    misuse, expected = importlib.import_module("misuse"), recorded(version)[name]
    case = misuse.CASES[version][name]
    assert expected["code"] == case.code, "record the errors again"
    with misuse.script(version) as names:
        before = misuse.persistables(names)
        assert before
        error = misuse.failure(names, case.code)
        after = misuse.persistables(names)
    if expected["mro"] is None:
        assert error is None, f"the wheel lets it pass, here {error!r} is raised:\n{case.code}"
        return
    assert error is not None, f"the wheel raises {expected['mro'][0]}, here nothing is raised:\n{case.code}"
    received = [kind.__name__ for kind in type(error).__mro__]
    missing = [kind for kind in expected["mro"] if kind not in received]
    assert not missing, f"expected a {expected['mro'][0]}, received {error!r}:\n{case.code}"
    for choice in case.names:
        spellings = (choice,) if isinstance(choice, str) else choice
        assert any(spelling in str(error) for spelling in spellings), (
            f"the message does not name {' or '.join(spellings)}: {error}\nThe wheel says: {expected['message']}"
        )
    for key, value in before.items():
        np.testing.assert_array_equal(after[key], value, err_msg=f"{key} changed")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_right_run_changes_the_parameters(version: str) -> None:
    """The scripts of these tests do train when they are used rightly: what the tests above see unchanged can change."""
    misuse = importlib.import_module("misuse")
    with misuse.script(version) as names:
        before = misuse.persistables(names)
        assert misuse.failure(names, "exe.run(main, feed=good, fetch_list=[loss])") is None
        after = misuse.persistables(names)
    assert any((after[key] != before[key]).any() for key in before)


EAGER = {
    "matmul": ("paddle.matmul(a, b)", ValueError, ("matmul_v2", "[2, 3] float32", "[4, 5] float32")),
    "add": ("a + b", ValueError, ("elementwise_add", "[2, 3] float32", "[4, 5] float32")),
    "reshape": ("a.reshape([4, 4])", ValueError, ("reshape2", "[2, 3] float32", "[4, 4]")),
    "linear": ("paddle.nn.Linear(4, 2)(a)", ValueError, ("[2, 3] float32", "[4, 2] float32")),
    "concat": ("paddle.concat([a, b], 0)", ValueError, ("concat", "[[2, 3] float32, [4, 5] float32]")),
    "argmax": ("paddle.argmax(a, axis=3)", ValueError, ("axis", "3")),
    "unique": ("paddle.unique(a, axis=2)", ValueError, ("axis", "2")),
    "cumsum": ("paddle.cumsum(a, axis=2)", IndexError, ("axis", "2")),
    "inverse": ("paddle.inverse(a)", ValueError, ("square", "[2, 3]")),
    "mean of a number": ("paddle.mean(3)", ValueError, ("x", "int")),
    "axis in words": ("paddle.max(a, axis='0')", ValueError, ("axis", "0")),
    "split into nothing": ("paddle.split(a, [])", ValueError, ("num_or_sections", "[]")),
    "log_loss": ("paddle.nn.functional.log_loss(a, a)", ValueError, ("log_loss", "[N, 1]", "[2, 3]")),
    "reduction": ("paddle.nn.MSELoss('some')", ValueError, ("reduction", "some")),
    "gumbel_softmax": ("paddle.nn.functional.gumbel_softmax(a, temperature=0.0)", ValueError, ("temperature", "0")),
    "several Tensors for one": ("paddle.nn.functional.relu6([a, a])", ValueError, ("relu6", "list")),
    "label": ("paddle.nn.functional.cross_entropy(a, paddle.to_tensor([7, 1]))", IndexError, ("7",)),
}


@pytest.mark.parametrize("name", EAGER)
def test_wrong_use_in_eager_mode(name: str) -> None:
    """What the 2.6.2 wheel raises for it, with the operator and what it received."""
    import paddle

    code, kind, words = EAGER[name]
    with pytest.raises(kind) as caught:
        eval(code, {"paddle": paddle, "a": paddle.ones([2, 3]), "b": paddle.ones([4, 5])})
    assert all(word in str(caught.value) for word in words), str(caught.value)
