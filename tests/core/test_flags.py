"""FLAGS: what Paddle has is kept, what it does not have is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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
