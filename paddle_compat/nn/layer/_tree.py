"""Walking through a layer, its sublayers, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from paddle_compat.core.paddle3 import paddle3

if TYPE_CHECKING:
    from paddle_compat.nn.layer.layers import Layer


class Tree:
    """What a layer has to walk through itself."""

    _sub_layers: dict[str, Any]

    def children(self) -> Iterator[Layer]:
        """Direct sublayers, one by one.

        Returns:
            Iterator of layers.
        """
        return (layer for _, layer in self.named_children())

    def named_children(self) -> Iterator[tuple[str, Layer]]:
        """Direct sublayers with their names, each once.

        Returns:
            Iterator of pairs of a name and a layer.
        """
        seen: set[int] = set()
        for name, layer in self._sub_layers.items():
            if layer is not None and id(layer) not in seen:
                seen.add(id(layer))
                yield name, layer

    def sublayers(self, include_self: bool = False) -> list[Layer]:
        """All sublayers, deep.

        Args:
            include_self: begin with the layer itself.
        Returns:
            List of layers.
        """
        return [layer for _, layer in self.named_sublayers(include_self=include_self)]

    def named_sublayers(
        self, prefix: str = "", include_self: bool = False, layers_set: set[Any] | None = None, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """All sublayers with their dotted names, each once.

        Args:
            prefix: goes before every name.
            include_self: begin with the layer itself.
            layers_set: layers to leave out; grows.
            remove_duplicate: whether what is there twice is named once.
        Returns:
            Iterator of pairs of a name and a layer; the layer itself has the prefix for a name.
        """
        layers_set = set() if layers_set is None else layers_set
        if include_self and self not in layers_set:
            if remove_duplicate:
                layers_set.add(self)
            yield prefix, self
        options = {} if remove_duplicate else {"remove_duplicate": False}  # layers with a walk of their own may not know the word
        for name, layer in self._sub_layers.items():
            if layer is not None:
                yield from layer.named_sublayers(f"{prefix}.{name}" if prefix else str(name), True, layers_set, **options)

    @paddle3(recurse="include_sublayers")
    def parameters(self, include_sublayers: bool = True) -> list[Any]:
        """All parameters.

        Args:
            include_sublayers: those of sublayers too.
        Returns:
            List of parameters, each once.
        """
        return [p for _, p in self.named_parameters(include_sublayers=include_sublayers)]

    @paddle3(recurse="include_sublayers")
    def named_parameters(
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """All parameters with their dotted names, each once.

        Args:
            prefix: goes before every name.
            include_sublayers: those of sublayers too.
            remove_duplicate: whether what is there twice is named once.
        Returns:
            Iterator of pairs of a name and a parameter.
        """
        return self._named("_parameters", prefix, include_sublayers, remove_duplicate)

    @paddle3(recurse="include_sublayers")
    def buffers(self, include_sublayers: bool = True) -> list[Any]:
        """All buffers.

        Args:
            include_sublayers: those of sublayers too.
        Returns:
            List of tensors, each once.
        """
        return [b for _, b in self.named_buffers(include_sublayers=include_sublayers)]

    @paddle3(recurse="include_sublayers")
    def named_buffers(
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """All buffers with their dotted names, each once.

        Args:
            prefix: goes before every name.
            include_sublayers: those of sublayers too.
            remove_duplicate: whether what is there twice is named once.
        Returns:
            Iterator of pairs of a name and a tensor.
        """
        return self._named("_buffers", prefix, include_sublayers, remove_duplicate)

    def _named(self, kind: str, prefix: str, deep: bool, once: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        layers = self.named_sublayers(prefix, True, remove_duplicate=once) if deep else iter([(prefix, self)])
        for path, layer in layers:
            for name, value in getattr(layer, kind).items():
                if value is not None and not (once and id(value) in seen):
                    seen.add(id(value))
                    yield (f"{path}.{name}" if path else name), value
