"""Tests of loaders and readers do not hang, and leave no process behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from processes import bounded_and_clean


@pytest.fixture
def bounded() -> Iterator[None]:
    """An alarm ends what hangs; no child is left."""
    with bounded_and_clean():
        yield
