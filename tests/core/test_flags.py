"""FLAGS: what Paddle has is kept, what it does not have is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.core import flags


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    former = dict(flags._values)
    yield
    flags._values.clear()
    flags._values.update(former)


def test_a_flag_without_effect_has_its_default_and_is_kept() -> None:
    assert flags.get("FLAGS_multiple_of_cupti_buffer_size") == 1
    flags.set_values({"FLAGS_multiple_of_cupti_buffer_size": 3, "FLAGS_cudnn_exhaustive_search": True})
    assert flags.get("FLAGS_multiple_of_cupti_buffer_size") == 3
    assert flags.view()["FLAGS_cudnn_exhaustive_search"] is True


def test_a_default_that_is_a_folder() -> None:
    assert flags.get("FLAGS_cinn_kernel_cache_save_path") == "/tmp/cinn/"  # as Paddle 3.3.1 shows it


def test_the_environment_sets_a_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGS_call_stack_level", "2")
    assert flags.get("FLAGS_call_stack_level") == 2


def test_an_unknown_flag_is_refused_and_nothing_is_set() -> None:
    with pytest.raises(ValueError, match="FLAGS_no_such"):
        flags.set_values({"FLAGS_check_nan_inf": True, "FLAGS_no_such": 1})
    assert flags.get("FLAGS_check_nan_inf") is False
    with pytest.raises(ValueError, match="FLAGS_no_such"):
        flags.get("FLAGS_no_such")
    assert "FLAGS_no_such" not in flags.view()
    assert "FLAGS_call_stack_level" in flags.view()


def test_a_default_that_is_a_rounded_float32() -> None:
    """Paddle 2.6.2 keeps this default in single precision, and `get_flags` shows it."""
    name = "FLAGS_fraction_of_gpu_memory_to_use"
    assert flags.get(name) == 0.9200000166893005


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("FLAGS_benchmark", 2, True), ("FLAGS_benchmark", None, False), ("FLAGS_use_mkldnn", 1.5, True),
        ("FLAGS_call_stack_level", True, 1), ("FLAGS_paddle_num_threads", np.int64(3), 3), ("FLAGS_eager_delete_tensor_gb", 1, 1.0),
        ("FLAGS_eager_delete_tensor_gb", np.float32(1.5), 1.5), ("FLAGS_allocator_strategy", "a", "a"),
    ],
)  # fmt: skip
def test_a_value_becomes_what_the_flag_holds(name: str, value: Any, kept: Any) -> None:
    """As in Paddle 1.8.5, 2.6.2 and 3.3.1."""
    flags.set_values({name: value})
    assert flags.get(name) == kept
    assert type(flags.get(name)) is type(kept)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FLAGS_benchmark", "1"), ("FLAGS_use_mkldnn", "true"), ("FLAGS_call_stack_level", 1.5), ("FLAGS_call_stack_level", None),
        ("FLAGS_eager_delete_tensor_gb", "1.5"), ("FLAGS_eager_delete_tensor_gb", None), ("FLAGS_allocator_strategy", 1),
    ],
)  # fmt: skip
def test_a_value_that_a_flag_cannot_hold(name: str, value: Any) -> None:
    former = flags.get(name)
    with pytest.raises(RuntimeError, match=name):
        flags.set_values({name: value})
    assert flags.get(name) == former


def test_flags_that_are_not_public() -> None:
    name = "FLAGS_free_idle_chunk"
    view = flags.view()
    assert view[name] is False
    assert not view.is_public(name)
    assert name in view.keys()
    with pytest.raises(RuntimeError, match="not writable"):
        view[name] = True
    with pytest.raises(ValueError, match="public"):
        paddle.set_flags({name: True})
    with pytest.raises(ValueError, match="public"):
        paddle.get_flags(name)
    assert view.get("__nothing__", -1) == -1
