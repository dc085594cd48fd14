"""Layers that hold layers or parameters: every method and error, as the wheel answers."""

from __future__ import annotations

import pytest
from eager_replay import recorded, replay


@pytest.mark.parametrize("name", list(recorded("eager_containers")))
def test_container(name: str) -> None:
    replay("eager_container_cases", "eager_containers", name)
