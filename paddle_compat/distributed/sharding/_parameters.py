"""Parameters that are whole in one process of a group each; the others have their values while they are in use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import torch

from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.communication._functions import broadcast
from paddle_compat.engine import eager_backward


class _Away:
    """A parameter that comes and goes: its values come from the process whose it is.

    Its torch tensor stays, and has other memory whenever it comes. Meanwhile the parameter has one without values in its place,
    so that whoever reads it is told.

    Args:
        holder: the parameter.
        owner: the process.
        mine: whether it is this one, where values stay.
        group: the processes.
        by_memory: what is there, by its memory.
    """

    def __init__(self, holder: Any, owner: int, mine: bool, group: Any, by_memory: dict[int, Any]) -> None:
        self.holder, self.owner, self.mine, self.group, self.by_memory = holder, owner, mine, group, by_memory
        self.tensor = holder._t
        # of its shape, as gradients have to fit; it takes the memory of one element
        self.nothing = self.tensor.detach().new_full((), torch.nan).expand(self.tensor.shape)
        self.elsewhere = torch.empty_like(self.tensor, device="meta")
        self.here, self.pinned, self.memory = True, False, 0
        self._find()

    def _find(self) -> None:
        self._lose()
        self.memory = self.tensor.untyped_storage()._cdata
        self.by_memory[self.memory] = self

    def _lose(self) -> None:
        if self.by_memory.get(self.memory) is self:  # else another one has got the memory since
            del self.by_memory[self.memory]

    def come(self) -> None:
        """Get the values, where they are not there; all processes do so."""
        if self.here:
            return
        self.here = True
        if not self.mine:
            self.tensor.data = torch.empty_like(self.elsewhere, device=self.tensor.device)
            self.tensor.requires_grad_(self.holder._t.requires_grad)
            self.holder._become(self.tensor)
        # `data` counts its own versions: what graphs have saved is as it was
        broadcast(Tensor(self.tensor.data.as_strided((self.tensor.numel(),), (1,))), self.owner, self.group)
        self._find()

    def go(self) -> None:
        """Let go of the values."""
        if self.here and not self.mine:
            self._lose()
            self.memory = 0  # what comes next may get the address
            self.holder._become(self.elsewhere.requires_grad_(self.tensor.requires_grad))
            self.tensor.data = self.nothing
        self.here = self.pinned = False


class _Found(dict[str, Any]):
    """A layer's parameters, which come when somebody asks for them by name while layers run."""

    def __init__(self, found: Mapping[str, Any], asked: Any) -> None:
        super().__init__(found)
        self._asked = asked

    def __getitem__(self, name: str) -> Any:
        found = super().__getitem__(name)
        self._asked(found)
        return found

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


class SharedParameters:
    """The parameters of a model that come for the layers that use them, forward and backward, and go after.

    Args:
        layers: the model.
        parameters: those that come and go.
        owners: the rank in the group of the process whose a parameter is, by the parameter's id.
        group: the processes, which run the same layers in the same order.
    """

    def __init__(self, layers: Any, parameters: Iterable[Any], owners: Mapping[int, int], group: Any) -> None:
        self._by_memory: dict[int, _Away] = {}
        mine = group.rank
        self._all = {id(p): _Away(p, group.ranks[owners[id(p)]], owners[id(p)] == mine, group, self._by_memory) for p in parameters}
        self._running: list[tuple[list[_Away], Any]] = []  # the layers' own parameters, and the hooks of what they save
        self._waits = False
        for each in self._all.values():
            each.tensor.register_post_accumulate_grad_hook(partial(self._arrived, each))
        for layer in layers.sublayers(include_self=True):
            own = [self._all[id(p)] for p in layer._parameters.values() if id(p) in self._all]
            if own:
                layer.__dict__["_parameters"] = _Found(layer._parameters, self._asked)
            layer.register_forward_pre_hook(partial(self._enter, own), prepend=True)
            layer.register_forward_post_hook(self._exit, with_kwargs=True, always_call=True)
        self.go()

    def come(self) -> None:
        """Get all of them; all processes do so."""
        for each in self._all.values():
            each.come()

    def go(self) -> None:
        """Let go of all of them that are not this process's."""
        for each in self._all.values():
            each.go()

    def _enter(self, own: list[_Away], layer: Any, inputs: Any) -> None:
        for each in own:
            each.come()
        hooks = torch.autograd.graph.saved_tensors_hooks(self._packed, self._unpacked)
        hooks.__enter__()
        self._running.append((own, hooks))

    def _exit(self, layer: Any, inputs: Any, kwargs: Any, outputs: Any) -> None:
        own, hooks = self._running.pop()
        hooks.__exit__(None, None, None)
        if not self._running and not eager_backward.running():
            self.go()
            return
        for each in own:
            if not each.pinned:
                each.go()

    def _asked(self, parameter: Any) -> None:
        each = self._all.get(id(parameter))
        if each is None or not (self._running or eager_backward.running()):
            return
        each.come()
        if not self._running or each not in self._running[-1][0]:
            each.pinned = True  # another layer than its own has it, for who knows how long
            self._follow()

    def _follow(self) -> None:
        if eager_backward.running() and not self._waits:
            self._waits = True
            eager_backward.after.append(self)

    def _packed(self, saved: torch.Tensor) -> Any:
        """What a graph keeps of a tensor: of these parameters none of the values."""
        if saved.layout is not torch.strided or type(saved) is not torch.Tensor:
            return saved
        each = self._by_memory.get(saved.untyped_storage()._cdata)
        return saved if each is None else (each, saved.shape, saved.stride(), saved.storage_offset())

    def _unpacked(self, packed: Any) -> torch.Tensor:
        if isinstance(packed, torch.Tensor):
            return packed
        each, *way = packed
        each.come()
        self._follow()
        found: torch.Tensor = each.tensor.detach().as_strided(*way)
        return found

    def _arrived(self, each: _Away, tensor: torch.Tensor) -> None:
        """The backward pass is through with a parameter."""
        each.go()

    def finish(self, error: BaseException | None) -> None:
        """The backward pass is through.

        Args:
            error: why it is not.
        """
        self._waits = False
        self.go()
