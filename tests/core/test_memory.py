"""Freed memory is kept for the tensors that come next."""

from __future__ import annotations

import ctypes
import os
import resource

import pytest
import torch

from paddle_compat.core import memory


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "gnu_get_libc_version"), reason="another C library")
@pytest.mark.skipif(any(name.startswith(("MALLOC_", "GLIBC_TUNABLES")) for name in os.environ), reason="malloc was set up outside")
def test_a_second_step_needs_no_new_pages() -> None:
    def step() -> int:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        held = [torch.ones(1 << 22) for _ in range(12)]  # 16 MiB each, all of them freed at the end
        del held
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    step(), step()
    pages = 12 * (1 << 24) // resource.getpagesize()
    assert min(step() for _ in range(3)) < pages / 10


def test_what_the_environment_says_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []

    class Library:
        gnu_get_libc_version = None

        def mallopt(self, parameter: int, value: int) -> None:
            told.append((parameter, value))

    monkeypatch.setattr(ctypes, "CDLL", lambda name: Library())
    for name in [name for name in os.environ if name.startswith(("MALLOC_", "GLIBC_TUNABLES"))]:
        monkeypatch.delenv(name)
    for setting in ("MALLOC_TRIM_THRESHOLD_", "GLIBC_TUNABLES"):
        with monkeypatch.context() as outside:
            outside.setenv(setting, "glibc.malloc.trim_threshold=1")
            memory.keep_freed()
    assert not told
    memory.keep_freed()
    assert told == [(-3, memory.MAPPED), (-1, memory.KEPT)]
