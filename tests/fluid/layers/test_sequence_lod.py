"""The sequence layers of `fluid.layers` against the wheel."""

from __future__ import annotations

import sequence_layers_replay as layers


@layers.cases("sequence_")
def test_as_the_wheel(name: str) -> None:
    layers.replay(name)
