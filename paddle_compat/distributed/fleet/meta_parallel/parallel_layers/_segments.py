"""Where a list of layers is cut into parts."""

from __future__ import annotations

import re
from typing import Any

from paddle_compat.core.errors import failed_assertion
from paddle_compat.distributed.fleet.meta_parallel.parallel_layers._descriptions import LayerDesc
from paddle_compat.nn.layer.layers import Layer


class SegmentLayers:
    """Cut a list of layers into parts.

    Args:
        layers_desc (list): the layers, functions and LayerDesc.
        num_parts (int): how many parts.
        method (str|list): "uniform": as many of the list in each, where the last ones have one more; "layer:NAME": as many of those whose
            class or function is called so; or where each part begins.
        num_virtual_pipeline_stage (int|None): with "layer:NAME", how many times as many parts.
    Raises:
        AssertionError: there are fewer layers than parts.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.parallel_layers.pp_layers import SegmentLayers
        >>> layers = [paddle.nn.ReLU(), paddle.nn.Linear(2, 2), paddle.nn.ReLU(), paddle.nn.Linear(2, 2), paddle.nn.ReLU()]
        >>> SegmentLayers(layers, 2).do_segment(), SegmentLayers(layers, 2, "layer:Linear").do_segment()
        ([0, 2, 5], [0, 2, 5])
        >>> SegmentLayers(layers, 2, [0, 1]).do_segment(), SegmentLayers(layers, 2).uniform(7, 3)
        ([0, 1, 5], [0, 2, 4, 7])

    Follows Paddle 2.6.
    """

    def __init__(
        self, layers_desc: list[Any], num_parts: int, method: Any = "uniform", num_virtual_pipeline_stage: int | None = None
    ) -> None:
        self._layers_desc, self.method, self.num_parts = layers_desc, method, num_parts
        self.num_items = len(layers_desc)
        self.num_virtual_pipeline_stage = num_virtual_pipeline_stage
        self.total_parts = num_parts * (num_virtual_pipeline_stage or 1)
        if self.num_items < num_parts:
            said = f"{num_parts} at least, as the layer number should be greater than number of segments"
            raise failed_assertion("layers", said, self.num_items, "PipelineLayer")

    def do_segment(self) -> list[int]:
        """Where the parts begin, and the end.

        Returns:
            list: of num_parts + 1.
        Raises:
            AssertionError: the list cannot be cut so.
            ValueError: there is no such method.
        """
        if isinstance(self.method, list):
            return self._as_told(list(self.method))
        if self.method == "uniform":
            return self.uniform(self.num_items, self.num_parts)
        if isinstance(self.method, str) and self.method.startswith("layer:"):
            return self._by_name(self.method.removeprefix("layer:"))
        raise ValueError(f"method {self.method} is not supported. Expected uniform, layer:NAME, or a list")

    def _as_told(self, begins: list[int]) -> list[int]:
        if begins[0] != 0:
            raise failed_assertion("seg_method", "a list that begins with 0: seg_method[0] should be 0", begins, "PipelineLayer")
        for part in begins:
            if part > self.num_items:
                raise failed_assertion(
                    "seg_method", f"places: part[{part}] should be less than num_items[{self.num_items}]", begins, "PipelineLayer"
                )
        if len(begins) == self.num_parts:
            begins.append(self.num_items)
        if len(begins) != self.num_parts + 1:
            raise ValueError(
                f"We set seg_method as {begins}, this length is {len(begins)}, but the number of stages is {self.num_parts}. "
                f"Expected where each of them begins"
            )
        return begins

    def _by_name(self, name: str) -> list[int]:
        places = self._gen_layer_weight(name)
        count = sum(places)
        if count % self.total_parts:
            said = f"a name that the layers have so often: number of layers ({count}) should be divided by part number({self.total_parts})"
            raise failed_assertion("seg_method", said, self.method, "PipelineLayer")
        size, begins, seen = count // self.total_parts, [0], 0
        for place, wanted in enumerate(places):
            seen += wanted
            if wanted and seen == size and len(begins) < self.total_parts:
                begins.append(place + 1)
                seen = 0
        return [*begins, self.num_items]

    def _gen_layer_weight(self, layername: str) -> list[int]:
        """For each of the list whether its class or function is called so."""
        known = re.compile(layername, re.IGNORECASE)
        found = []
        for layer in self._layers_desc:
            name = layer.layer_func.__name__ if isinstance(layer, LayerDesc) else getattr(layer, "__name__", "")
            found.append(int(bool(known.search(type(layer).__name__ if isinstance(layer, Layer) else name))))
        if not sum(found):
            raise failed_assertion("seg_method", "a name that a layer has: weight_idxs' length should be greater than 0", layername)
        return found

    def uniform(self, num_items: int, num_parts: int) -> list[int]:
        """Where as many as possible of the same size begin; the last ones have one more.

        Args:
            num_items (int): how many are cut; num_parts (int): into how many.
        Returns:
            list: of num_parts + 1.
        """
        size, more = divmod(num_items, num_parts)
        return [part * size + max(part - (num_parts - more), 0) for part in range(num_parts + 1)]
