"""`paddle.incubate.asp`: masks, pruned networks and Programs, and their losses, as the wheel answers."""

from __future__ import annotations

import pytest
from eager_replay import recorded, replay

pytestmark = pytest.mark.usefixtures("paddle_is_ours")


@pytest.mark.parametrize("name", list(recorded("eager_asp")))
def test_asp(name: str) -> None:
    replay("asp_cases", "eager_asp", name)
