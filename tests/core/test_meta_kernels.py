"""Shapes are inferred without PyTorch's tracer, whose import costs a script's start two seconds, and which is as it was afterwards."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
import torch

from paddle_compat.core._meta_kernels import _StandIn, without_dynamo


@pytest.fixture
def not_imported(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in a process where nobody has imported the tracer."""
    kept = torch._dynamo
    for name in [n for n in sys.modules if n == "torch._dynamo"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(torch, "_dynamo", raising=False)
    yield
    sys.modules["torch._dynamo"] = kept


@pytest.mark.usefixtures("not_imported")
def test_kernels_run_without_the_tracer() -> None:
    from torch._compile import _disable_dynamo

    def double(x: int) -> int:
        return 2 * x

    wrapped = _disable_dynamo(double)
    with without_dynamo():
        assert wrapped(3) == 6
        assert torch.empty(3, 2, device="meta").square().shape == (3, 2)
    assert "torch._dynamo" not in sys.modules and not hasattr(double, "__dynamo_disable")


def test_who_needs_the_tracer_gets_it() -> None:
    from torch import _dynamo

    assert _StandIn().config is _dynamo.config
    with without_dynamo():
        assert sys.modules["torch._dynamo"] is _dynamo
