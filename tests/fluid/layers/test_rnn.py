"""The recurrent layers, cells and decoders of `fluid.layers` and `fluid.contrib.layers` against the wheel."""

from __future__ import annotations

import sequence_layers_replay as layers


@layers.cases(*layers.RECURRENT)
def test_as_the_wheel(name: str) -> None:
    layers.replay(name)
