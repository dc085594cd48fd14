"""Loops, branches, tensor arrays and comparisons of `fluid.layers` against the wheel."""

from __future__ import annotations

import sequence_layers_replay as layers

OTHERS = {name.split("/")[0] for name in layers.recorded() if not name.startswith(("sequence_", *layers.RECURRENT))}


@layers.cases(*OTHERS)
def test_as_the_wheel(name: str) -> None:
    layers.replay(name)
