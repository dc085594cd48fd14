"""Every layer class called eagerly: masks, states, caches, gradients and wrong use, as the wheel answers."""

from __future__ import annotations

import pytest
from eager_replay import recorded, replay

# What ours does otherwise, and why.
OWN = {
    "triplet_margin_with_distance": "the wheel's layer leaves its distance function out",
}


@pytest.mark.usefixtures("exact_random")
@pytest.mark.parametrize("name", list(recorded("eager_classes")))
def test_class(name: str) -> None:
    if name in OWN:
        with pytest.raises(AssertionError, match="the wheel"):
            replay("eager_class_cases", "eager_classes", name)
    else:
        replay("eager_class_cases", "eager_classes", name)
