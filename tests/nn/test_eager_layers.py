"""`nn.Layer` in eager mode: every member, rule of assignment, hook and state dict, as the wheel answers."""

from __future__ import annotations

import pytest
from eager_replay import recorded, replay


@pytest.mark.parametrize("name", list(recorded("eager_layers")))
def test_layer(name: str) -> None:
    replay("eager_layer_cases", "eager_layers", name)
