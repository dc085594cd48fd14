"""`paddle.vision.models._utils`: what networks for images share, and a network's features on the way."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.layer.common import Linear
from paddle_compat.nn.layer.container import LayerDict
from paddle_compat.tensor.manipulation import flatten


def _make_divisible(v: float, divisor: int = 8, min_value: int | None = None) -> int:
    """The multiple of `divisor` next to `v`, at least `min_value` and no less than nine tenths of `v`."""
    nearest = max(divisor if min_value is None else min_value, int(v + divisor / 2) // divisor * divisor)
    return nearest if nearest >= 0.9 * v else nearest + divisor


class IntermediateLayerGetter(LayerDict):
    """The first layers of a network, which are called one after another, and what some of them give.

    Args:
        model (Layer): the network, which calls its sublayers in the order in which it has them.
        return_layers (dict): the names of sublayers, and what their results are called. Layers behind the last of them are left out.
    Raises:
        ValueError: the network has no sublayer of such a name.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.vision.models._utils import IntermediateLayerGetter
        >>> features = IntermediateLayerGetter(paddle.vision.models.resnet18(), {"layer1": "low", "layer3": "high"})
        >>> {name: x.shape for name, x in features(paddle.ones([1, 3, 32, 32])).items()}
        {'low': [1, 64, 8, 8], 'high': [1, 256, 2, 2]}

    Follows Paddle 2.6.
    """

    def __init__(self, model: Any, return_layers: Mapping[str, Any]) -> None:
        children = dict(model.named_children())
        if not children.keys() >= return_layers.keys():
            wrong = sorted(return_layers.keys() - children.keys())
            raise ValueError(f"return_layers are not present in model. Expected names among {list(children)}. Received: {wrong}")
        found, missed = {}, set(return_layers)
        for name, layer in children.items():
            found[name] = layer
            missed.discard(name)
            if not missed:
                break
        super().__init__(found)
        self.return_layers = dict(return_layers)

    def forward(self, x: Any) -> OrderedDict[Any, Any]:
        """Call the layers.

        Args:
            x (Tensor): what the first one takes.
        Returns:
            OrderedDict: what `return_layers` asks for, by the names that it gives.
        """
        results: OrderedDict[Any, Any] = OrderedDict()
        for name, layer in self.items():
            inner = layer.sublayers()[:1] or [layer]
            if isinstance(inner[0], Linear) and x.ndim == 4:
                x = flatten(x, 1)
            x = layer(x)
            if name in self.return_layers:
                results[self.return_layers[name]] = x
        return results


__all__ = ["IntermediateLayerGetter"]

__getattr__ = missing(__name__)
