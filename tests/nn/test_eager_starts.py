"""How parameters start, bit for bit, `ParamAttr`, `nn.utils` and the clips in eager mode, as the wheel answers."""

from __future__ import annotations

import pytest
from eager_replay import recorded, replay

# Their arithmetic is one operator after the other in both; the others take cosines or products of several numbers.
EXACT = ("constant", "uniform", "normal", "truncated_normal", "xavier_uniform", "xavier_normal", "kaiming_uniform", "kaiming_normal")


@pytest.mark.parametrize("name", list(recorded("eager_starts")))
def test_start(name: str) -> None:
    if name in EXACT:
        replay("eager_start_cases", "eager_starts", name, 0.0, 0.0)
    else:
        replay("eager_start_cases", "eager_starts", name)
