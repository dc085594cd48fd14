"""Tracing a step on fake tensors: each aten call on a process's parts becomes a node of its graph.

torch's make_fx does this, too, for all that may be in a graph; here shapes are known and nothing else is a tensor, which takes half
the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import getitem
from typing import Any

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.distributed.tensor import DTensor
from torch.utils._python_dispatch import TorchDispatchMode


class Recorder(TorchDispatchMode):
    """Notes the calls inside of it.

    Attributes:
        graph: the calls.
    """

    def __init__(self) -> None:
        super().__init__()
        self.graph = fx.Graph()
        self.root = torch.nn.Module()
        self.fake = FakeTensorMode(allow_non_fake_inputs=True)
        self.nodes: dict[int, tuple[torch.Tensor, fx.Node]] = {}  # with the tensors, so that no other has their places

    def node_of(self, value: torch.Tensor) -> fx.Node | None:
        """The node that made a tensor."""
        return self.nodes[id(value)][1] if id(value) in self.nodes else None

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if any(issubclass(kind, DTensor) for kind in types):
            return NotImplemented  # what it makes of its parts is noted
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        if not _foreign((args, tuple(kwargs.values()), out), self.fake) and (_has_tensor(out) or func._schema.is_mutable):
            node = self.graph.call_function(func, self._noted(args), {name: self._noted(value) for name, value in kwargs.items()})
            self._made(out, node)
        return out

    def _noted(self, value: Any) -> Any:
        """An argument of a node."""
        if isinstance(value, torch.Tensor):
            node = self.node_of(value)
            if node is None:
                name = f"_constant{len(self.root._buffers)}"
                self.root.register_buffer(name, value)
                node = self.graph.get_attr(name)
                self.nodes[id(value)] = value, node
            return node
        return type(value)([self._noted(one) for one in value]) if type(value) in (list, tuple) else value

    def _made(self, value: Any, node: fx.Node) -> None:
        node.meta["val"] = value
        if isinstance(value, torch.Tensor):
            self.nodes[id(value)] = value, node
        elif isinstance(value, (list, tuple)):
            for at, one in enumerate(value):
                if isinstance(one, torch.Tensor):
                    self._made(one, self.graph.call_function(getitem, (node, at)))

    def trace(self, step: Callable[..., Sequence[torch.Tensor]], examples: Sequence[torch.Tensor]) -> fx.GraphModule:
        """The graph of a step.

        Args:
            step: takes and returns tensors.
            examples: what it takes; the values do not count.
        """
        with self.fake:
            out = self.followed(step, [self.fake.from_tensor(value) for value in examples])
        self.graph.output(tuple(self._noted(value) for value in out))
        return fx.GraphModule(self.root, self.graph)

    def followed(self, step: Callable[..., Sequence[torch.Tensor]], given: Sequence[torch.Tensor]) -> Sequence[torch.Tensor]:
        """What a step returns; its calls are noted."""
        for number, value in enumerate(given):
            self._made(value, self.graph.placeholder(f"arg{number}"))
        with self:
            return step(*given)


def _has_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor) or (isinstance(value, (list, tuple)) and any(map(_has_tensor, value)))


def _foreign(value: Any, fake: FakeTensorMode) -> bool:
    """Whether there are tensors of somebody who tries something meanwhile: torch's rules of DTensors do."""
    if isinstance(value, (list, tuple)):
        return any(_foreign(one, fake) for one in value)
    return isinstance(value, FakeTensor) and value.fake_mode is not fake


def values_decide(error: Exception) -> bool:
    """Whether tracing failed because the values of tensors decide what happens."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    return not kinds.isdisjoint({"DataDependentOutputException", "DynamicOutputShapeException"})


__all__ = ["Recorder", "values_decide"]
