"""Weights that Paddle published: read from where Paddle keeps them, never fetched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from paddle_compat.core.errors import UnsupportedError

KEPT = Path("~/.cache/paddle/hapi/weights")  # where Paddle puts what it downloads


def built(model: Any, name: str, pretrained: bool) -> Any:
    """A network, with the published weights where they are asked for.

    Args:
        model: the network.
        name: what its file of weights is called, without the ending.
        pretrained: whether to read it.
    Raises:
        UnsupportedError: the file is not there.
    """
    if pretrained:
        path = KEPT.expanduser() / f"{name}.pdparams"
        if not path.is_file():
            raise UnsupportedError(f"paddle.vision.models.{name}", "pretrained", f"the file of Paddle's weights at {KEPT}/{path.name}")
        from paddle_compat.framework.io import load

        model.set_state_dict(load(str(path)))
    return model
