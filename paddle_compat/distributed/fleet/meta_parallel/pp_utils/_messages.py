"""Messages between stages: Tensors, and before them a word that says what they are, so that no stage waits for another shape."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.dtype import dtype_name, torch_dtype
from paddle_compat.core.errors import UnavailableError, type_error
from paddle_compat.core.place import current_place
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine.processes import watched

_dist = torch.distributed
_kept: list[Any] = []  # lines of batches that failed
_WORD = 512  # bytes of what is said first; what is longer has a second message


def parts_of(value: Any) -> list[Any]:
    """The Tensors, or None, of what a stage hands on, in their order."""
    if isinstance(value, dict):
        return [part for each in value.values() for part in parts_of(each)]
    return [part for each in value for part in parts_of(each)] if isinstance(value, (tuple, list)) else [value]


def _form_of(value: Any) -> Any:
    """What is said of it."""
    if value is None:
        return None
    if isinstance(value, Tensor) and hasattr(value._t, "device_mesh"):
        laid: Any = value._t
        ways = [[type(way).__name__, getattr(way, "dim", None) or getattr(way, "reduce_op", 0)] for way in laid.placements]
        local = {"shape": list(laid._local_tensor.shape), "dtype": dtype_name(laid.dtype), "stop": True}
        return {"local": local, "whole": list(laid.shape), "ways": ways, "stop": bool(value.stop_gradient)}
    if isinstance(value, Tensor):
        return {"shape": list(value._t.shape), "dtype": dtype_name(value._t.dtype), "stop": bool(value.stop_gradient)}
    if isinstance(value, (tuple, list)):
        return [_form_of(each) for each in value]
    if isinstance(value, dict):
        return {"names": {name: _form_of(each) for name, each in value.items()}}
    raise type_error("output", "a Tensor, or a tuple or dict of them, for the next stage", value, "PipelineLayer")


def _in_form(form: Any, room: list[Tensor], mesh: Any = None) -> Any:
    """What was said, with Tensors that have room for it; `room` gets them in their order. Dist tensors lie on the mesh."""
    if form is None:
        return None
    if isinstance(form, list):
        return tuple(_in_form(each, room, mesh) for each in form)
    if "names" in form:
        return {name: _in_form(each, room, mesh) for name, each in form["names"].items()}
    if "ways" in form:
        piece = _in_form(form["local"], room)
        return _laid(piece, form, mesh)
    made = Tensor(torch.empty(form["shape"], dtype=torch_dtype(form["dtype"]), device=current_place().torch_device))
    made.stop_gradient = form["stop"]
    room.append(made)
    return made


def _laid(piece: Tensor, form: dict[str, Any], mesh: Any) -> Tensor:
    """The dist tensor of a piece, which shares its memory."""
    from torch.distributed.tensor import DTensor, Partial, Replicate, Shard

    kinds: dict[str, Any] = {"Replicate": lambda which: Replicate(), "Shard": Shard, "Partial": Partial}
    ways = [kinds[kind](which) for kind, which in form["ways"]]
    whole = torch.empty(form["whole"], device="meta")
    laid = DTensor.from_local(piece._t.detach(), mesh, ways, run_check=False, shape=whole.shape, stride=whole.stride())
    made = Tensor(laid)
    made.stop_gradient = form["stop"]
    return made


class Line:
    """What a stage sends to the others, and gets from them, in one batch.

    Each batch has its number with the stages, so that nothing of one that failed is taken for another's.

    Args:
        group (Group): the stages, all of which make one at the same time.
        mesh (DeviceMesh|None): what dist tensors lie on in this stage.
    """

    def __init__(self, group: Any, mesh: Any = None) -> None:
        self.group, self.mesh = group.process_group, mesh
        self.tag = group._lines = getattr(group, "_lines", 0) + 1
        self._under_way: list[tuple[Any, torch.Tensor]] = []
        kinds = str(_dist.get_backend_config(self.group))
        self.in_step = "cuda:nccl" in kinds and current_place().torch_device.type == "cuda"  # NCCL's calls wait for one another
        if self.in_step and self.tag == 1:  # all of a group make its first call, or it hangs
            with watched(self.group):
                _dist.all_reduce(torch.zeros(1, device=current_place().torch_device), group=self.group)
        self._told_on = torch.device("cpu") if "cpu:gloo" in kinds else current_place().torch_device

    def send(self, peer: int, value: Any) -> None:
        """Send something to a stage, and go on."""
        with watched(self.group):
            for tensor in [*self._words(_form_of(value)), *self._content(value)]:
                self._begin(peer, tensor)

    def fail(self, peer: int, reason: str) -> None:
        """Let a stage that waits for something know that it does not come.

        What is under way is kept for good: gloo forgets a message whose sender lets go of it before it is taken.
        """
        _kept.append(self)
        with watched(self.group):
            for tensor in self._words({"failed": reason[:2000]}):
                self._begin(peer, tensor)

    def receive(self, peer: int) -> Any:
        """Wait for what a stage sends next.

        Raises:
            UnavailableError: it has failed.
        """
        with watched(self.group):
            form = self._hear(peer)
            room: list[Tensor] = []
            value = _in_form(form, room, self.mesh)
            for tensor in room:
                if tensor._t.numel():
                    self._take(peer, tensor._t.detach())
        return value

    def exchange(self, sent: Sequence[tuple[int, Any]], peers: Sequence[int]) -> list[Any]:
        """Send and receive together, as the other stages do at the same time.

        Args:
            sent: to whom, and what.
            peers: from whom something comes.
        Returns:
            list: what came from each.
        """
        with watched(self.group):
            for peer, value in sent:
                for tensor in self._words(_form_of(value)):
                    self._begin(peer, tensor)
            found, rooms = [], []
            for peer in peers:
                room: list[Tensor] = []
                found.append(_in_form(self._hear(peer), room, self.mesh))
                rooms.append((peer, room))
            calls = [
                _dist.P2POp(_dist.isend, part, group=self.group, group_peer=peer, tag=self.tag)
                for peer, value in sent
                for part in self._content(value)
            ]
            calls += [
                _dist.P2POp(_dist.irecv, tensor._t.detach(), group=self.group, group_peer=peer, tag=self.tag)
                for peer, room in rooms
                for tensor in room
                if tensor._t.numel()
            ]
            for work in _dist.batch_isend_irecv(calls) if calls else ():
                work.wait()
        return found

    def finish(self) -> None:
        """Wait until everything has been taken that was sent."""
        with watched(self.group):
            for work, _ in self._under_way:
                work.wait()
        self._under_way = []

    def _begin(self, peer: int, tensor: torch.Tensor) -> None:
        self._under_way.append((_dist.isend(tensor, group=self.group, group_dst=peer, tag=self.tag), tensor))

    def _take(self, peer: int, room: torch.Tensor) -> None:
        work = _dist.irecv(room, group=self.group, group_src=peer, tag=self.tag)
        assert work is not None  # as this process is one of the group's
        work.wait()

    def _words(self, form: Any) -> list[torch.Tensor]:
        """What is said, as messages."""
        said = json.dumps(form).encode()
        first = (len(said).to_bytes(4, "little") + said)[:_WORD].ljust(_WORD, b"\0")
        rest = said[_WORD - 4 :]
        return [torch.frombuffer(bytearray(each), dtype=torch.uint8).to(self._told_on) for each in (first, rest) if each]

    def _hear(self, peer: int) -> Any:
        """What a stage says."""
        first = self._next(peer, _WORD)
        length = int.from_bytes(first[:4], "little")
        said = first[4 : 4 + length]
        if length > len(said):
            said += self._next(peer, length - len(said))
        form = json.loads(said)
        if isinstance(form, dict) and "failed" in form:
            raise UnavailableError(f"Stage {peer} of this pipeline failed. Expected what it makes. Received: {form['failed']}")
        return form

    def _next(self, peer: int, length: int) -> bytes:
        room = torch.empty(length, dtype=torch.uint8, device=self._told_on)
        self._take(peer, room)
        return room.cpu().numpy().tobytes()

    @staticmethod
    def _content(value: Any) -> list[torch.Tensor]:
        held = (part._t.detach() for part in parts_of(value) if part is not None)
        found = (getattr(part, "_local_tensor", part).contiguous() for part in held)
        return [each for each in found if each.numel()]
