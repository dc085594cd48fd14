"""Operators on pieces: what a rule says of an operator's dimensions decides how its inputs lie and how its outputs do.

A rule gives every dimension of an operator's tensors a label, as Einstein's notation does. What has one label is cut alike; a dimension
without a label (None) is needed whole. Each dimension of the mesh then cuts the label that an input is cut along there already; the
operator's function runs on the pieces, and what of a label's cuts is no longer there in an output makes that a partial one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import torch
from torch.distributed._functional_collectives import all_reduce
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard
from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta
from torch.distributed.tensor.placement_types import Placement

Labels = Sequence[Hashable | None]
Layout = Sequence[Placement]
Box = tuple[tuple[int, int], ...]  # from where to where, along each dimension
MOVED = frozenset({"sum", "avg", "max", "min", "product", "any", "all"})  # the partial values that pass through what only moves elements
_EXTREME = {"any": "max", "all": "min"}
SUMMED = frozenset({"sum", "avg"})  # and those that pass through what is linear


def box(shape: Sequence[int], sizes: Sequence[int], place: Sequence[int], layout: Layout) -> Box:
    """The part of a tensor of this shape that the process at a place of a mesh of these sizes has."""
    found = [(0, size) for size in shape]
    for count, index, placement in zip(sizes, place, layout):
        if placement.is_shard():
            dim: int = placement.dim  # type: ignore[attr-defined]
            start, end = found[dim]
            step = -(-(end - start) // count)
            found[dim] = min(start + index * step, end), min(start + (index + 1) * step, end)
    return tuple(found)


@dataclass
class Cut:
    """How an operator may be divided.

    Attributes:
        inputs: the labels of each tensor that it takes.
        outputs: those of each tensor that it gives.
        sums: how the parts make a whole, for labels that outputs lack.
        passes: the kinds of partial inputs, all of them so, of which the operator makes partial outputs.
        shapes: of the whole outputs; None: as labels and pieces say.
        order: which label is cut where inputs are cut along several; None: the first input's.
        settled: whether what would be a partial output is summed up at once.
        run: what is called in place of the operator's function, with its arguments and the `Pieces`; None: that function.
    """

    inputs: Sequence[Labels]
    outputs: Sequence[Labels]
    sums: dict[Hashable, str] = field(default_factory=dict)
    passes: frozenset[str] = frozenset()
    shapes: Sequence[Sequence[int]] | None = None
    run: Callable[[list[Any], Pieces], Any] | None = None
    order: Sequence[Hashable] | None = None
    settled: bool = False


@dataclass
class Pieces:
    """What is cut, for a rule whose function has to know.

    Attributes:
        mesh: the DeviceMesh.
        chosen: for each of its dimensions the label that it cuts; None: none.
        sizes: of all labels.
        call: the operator's function; it takes arguments, and attributes that are to be others.
    """

    mesh: Any
    chosen: list[Hashable | None]
    sizes: dict[Hashable, int]
    call: Callable[..., Any]

    def part(self, label: Hashable) -> tuple[int, int]:
        """Where this process's piece of a label begins, and how long it is."""
        placements = [Shard(0) if one == label else Replicate() for one in self.chosen]
        ((start, end),) = box((self.sizes[label],), self.mesh.shape, self.mesh.get_coordinate(), placements)
        return start, end - start

    def parts(self, label: Hashable) -> int:
        """Into how many pieces a label is cut."""
        return prod(size for size, one in zip(self.mesh.shape, self.chosen) if one == label)


class PartialTruth(Partial):
    """What holds in any process, or in all of them; of numbers, the largest and the smallest."""

    def _reduce_value(self, tensor: torch.Tensor, mesh: Any, mesh_dim: int) -> torch.Tensor:
        return Partial(_EXTREME[self.reduce_op])._reduce_value(tensor, mesh, mesh_dim)

    def _reduce_shard_value(self, tensor: torch.Tensor, mesh: Any, mesh_dim: int, shard_spec: Placement) -> torch.Tensor:
        return Partial(_EXTREME[self.reduce_op])._reduce_shard_value(tensor, mesh, mesh_dim, shard_spec)


def partly(kind: str | None) -> Any:
    """The placement of what the processes' values make so; None: each has the whole."""
    return Replicate() if kind is None else PartialTruth(kind) if kind in _EXTREME else Partial(kind)


def values(value: Any) -> Iterator[Any]:
    """What an operator takes or gives, lists taken apart."""
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from values(one)
    elif value is not None:
        yield value


def tensors_of(value: Any) -> Iterator[Any]:
    """The torch tensors in what an operator takes or gives, in order."""
    return (one for one in values(value) if isinstance(one, torch.Tensor))


def each(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The value with every torch tensor in it changed."""
    if isinstance(value, torch.Tensor):
        return change(value)
    return type(value)([each(v, change) for v in value]) if isinstance(value, (list, tuple)) else value


def divided(function: Callable[..., Any], args: list[Any], cut: Cut, mesh: Any) -> Any:
    """Call an operator's function on the pieces of DTensors.

    Args:
        function: takes the arguments, and attributes that are to be others than they are.
        args: the operator's arguments, DTensors of one mesh in them.
        cut: how it may be divided.
        mesh: the mesh.
    Returns:
        What the function returns, DTensors in it; NotImplemented: what has one label is of several sizes.
    """
    given: list[DTensor] = list(tensors_of(args))
    sizes: dict[Hashable, int] = {}
    for value, labels in zip(given, cut.inputs):
        for label, size in zip(labels, value.shape):
            if label is not None and sizes.setdefault(label, size) != size:
                return NotImplemented
    chosen, partial = _choice(given, cut, mesh)
    parts = [inside(*_laid(value, labels, chosen, partial)) for value, labels in zip(given, cut.inputs)]
    pieces = Pieces(mesh, chosen, sizes, function)
    if mesh.get_coordinate() is None:
        number = iter(range(len(cut.outputs)))
        return absent(function, args, parts, lambda value, nothing: _outside(value, next(number), cut, pieces, partial, nothing))
    held = iter(parts)
    own = each(args, lambda _: next(held))
    out = function(*own) if cut.run is None else cut.run(own, pieces)
    number = iter(range(len(cut.outputs)))
    return each(out, lambda value: _outside(value, next(number), cut, pieces, partial))


def passed_on(args: list[Any], cut: Cut, mesh: Any) -> bool:
    """Whether an operator so divided makes partial outputs of all partial inputs."""
    given: list[DTensor] = list(tensors_of(args))
    _, partial = _choice(given, cut, mesh)
    return all(kind is not None or not value.placements[at].is_partial() for at, kind in enumerate(partial) for value in given)


def absent(function: Callable[..., Any], args: list[Any], parts: Sequence[torch.Tensor], outside: Callable[..., torch.Tensor]) -> Any:
    """What an operator gives in a process that the mesh has not: the shapes of its outputs, and nothing in them.

    Args:
        function: the operator's.
        args: its arguments.
        parts: this process's pieces of them, in which there is nothing.
        outside: makes a DTensor of a value on the meta device and the empty piece for it.
    """

    def empty(value: torch.Tensor) -> torch.Tensor:
        if not (value.is_floating_point() or value.is_complex()) or not parts:
            return torch.empty(0, dtype=value.dtype)
        return torch.cat([part.reshape(-1)[:0].to(value.dtype) for part in parts])  # so that gradients know the way

    out = function(*each(args, lambda value: torch.empty(value.shape, dtype=value.dtype, device="meta")))
    return each(out, lambda value: outside(value, empty(value)))


def undivided(function: Callable[..., Any], args: list[Any], mesh: Any) -> Any:
    """Call an operator's function on all the data, in every process.

    Args:
        function: takes the arguments.
        args: the operator's arguments, DTensors of one mesh in them.
        mesh: the mesh.
    Returns:
        What the function returns, DTensors in it.
    """
    everywhere = [Replicate()] * mesh.ndim
    parts = each(args, lambda value: inside(lay(value, everywhere), everywhere))  # type: ignore[arg-type]
    if mesh.get_coordinate() is None:
        return absent(function, args, list(tensors_of(parts)), lambda value, nothing: spread(nothing, mesh, everywhere, value.shape))
    return each(function(*parts), lambda value: spread(value, mesh, everywhere, value.shape))


def _laid(value: DTensor, labels: Labels, chosen: Sequence[Hashable | None], partial: Sequence[str | None]) -> tuple[Any, list[Any]]:
    """An input as the operator needs it, and how the pieces of its gradient will lie."""
    target: list[Any] = []
    gradient: list[Any] = []
    for label, kind in zip(chosen, partial):
        if label is not None and label in labels:
            target.append(Shard(labels.index(label)))
            gradient.append(target[-1])
        else:
            target.append(partly(kind))
            gradient.append(Partial() if label is not None else Replicate())
    return lay(value, target), gradient


def _outside(
    value: torch.Tensor, at: int, cut: Cut, pieces: Pieces, partial: Sequence[str | None], nothing: torch.Tensor | None = None
) -> torch.Tensor:
    """An output of the operator's function as DTensor; `nothing` is its piece in a process that the mesh has not."""
    labels = cut.outputs[at]
    placements: list[Any] = []
    weight = 1
    uneven = set()
    for label, kind, size in zip(pieces.chosen, partial, pieces.mesh.shape):
        if label is None:
            placements.append(partly(kind))
        elif label in labels:
            placements.append(Shard(labels.index(label)))
        else:
            kind = cut.sums.get(label)
            if kind == "avg" and pieces.sizes[label] % pieces.parts(label):
                kind = "sum"
                uneven.add(label)
            elif kind == "avg":
                weight *= size
            placements.append(partly(kind))
    for label in uneven if nothing is None else ():
        value = value * (pieces.part(label)[1] / pieces.sizes[label])
    if cut.shapes is not None:
        shape = list(cut.shapes[at])
    else:
        assert len(labels) == value.dim(), f"the rule says {labels}, the operator gives {list(value.shape)}"
        shape = [pieces.sizes[label] if label in pieces.chosen and label is not None else size for label, size in zip(labels, value.shape)]
    made: Any = spread(value if nothing is None else nothing, pieces.mesh, placements, shape, weight)
    if cut.settled:
        return lay(made, without_partial(placements))
    return made


def _choice(given: Sequence[DTensor], cut: Cut, mesh: Any) -> tuple[list[Hashable | None], list[str | None]]:
    """For each dimension of the mesh the label that it cuts, and else the kind of what is partial along it."""
    chosen: list[Hashable | None] = [None] * mesh.ndim
    partial: list[str | None] = [None] * mesh.ndim
    gradient = torch.is_grad_enabled() and any(value.requires_grad for value in given)
    for at in range(mesh.ndim):
        found = []
        for value, labels in zip(given, cut.inputs):
            placement: Any = value.placements[at]
            if not placement.is_shard():
                continue
            label = labels[placement.dim]
            if label is None or (gradient and cut.sums.get(label) == "product"):  # whose gradient no process knows by itself
                continue
            parts = mesh.shape[at] * prod(size for size, one in zip(mesh.shape, chosen) if one == label)
            size = value.shape[placement.dim]
            if -(-size // parts) * (parts - 1) < size:  # every process has some of it
                found.append(label)
        if found:
            chosen[at] = found[0] if cut.order is None else min(found, key=cut.order.index)
        else:
            kinds = {getattr(value.placements[at], "reduce_op", None) for value in given}
            if len(kinds) == 1 and (kind := kinds.pop()) in cut.passes:
                partial[at] = kind
    return chosen, partial


def lay(value: DTensor, placements: Sequence[Any]) -> DTensor:
    """The DTensor in other placements of its mesh."""
    if tuple(placements) == value.placements:
        return value
    if value.requires_grad and any(getattr(placement, "reduce_op", "sum") != "sum" for placement in value.placements):
        return _Laid.apply(value, tuple(placements))
    sums = [at for at, (old, new) in enumerate(zip(value.placements, placements)) if old.is_partial() and new.is_replicate()]
    for at in sums[1:]:  # torch does that one by one, too, and warns of it
        value = value.redistribute(value.device_mesh, [*value.placements[:at], placements[at], *value.placements[at + 1 :]])
    return value.redistribute(value.device_mesh, placements)


def without_partial(layout: Sequence[Any], which: Sequence[bool] | None = None) -> tuple[Any, ...]:
    """The layout, whole along the dimensions that are partial there; or only along these."""
    which = [placement.is_partial() for placement in layout] if which is None else which
    return tuple(Replicate() if whole else placement for whole, placement in zip(which, layout))


def reduced(value: torch.Tensor, kind: str, mesh: Any, dims: Iterable[int]) -> Any:
    """What the processes' values come to along dimensions of a mesh, in each of them. No gradient goes back."""
    for dim in (dim for dim in dims if mesh.shape[dim] > 1):
        value = all_reduce(value, kind, (mesh, dim))
        value = value.wait() if hasattr(value, "wait") else value
    return value


def inside(value: torch.Tensor, gradient: Sequence[Any]) -> torch.Tensor:
    """This process's piece of a DTensor, whose gradients make one that lies so."""
    if value.requires_grad and torch.is_grad_enabled():
        return _Inside.apply(value, tuple(gradient))
    return piece(value)


def piece(value: Any) -> torch.Tensor:
    """This process's piece of a DTensor, without a history."""
    held = value._local_tensor
    return held.wait() if type(held) is not torch.Tensor and hasattr(held, "wait") else held


def spread(value: torch.Tensor, mesh: Any, placements: Sequence[Any], shape: Sequence[int], weight: int = 1) -> Any:
    """The DTensor of pieces; of a mean of means, `weight` is how many they are, and a piece's gradient that part of the whole's."""
    if value.requires_grad and torch.is_grad_enabled():
        return _Outside.apply(value, mesh, tuple(placements), tuple(shape), weight)
    return _whole(value, mesh, tuple(placements), tuple(shape))


def _whole(value: torch.Tensor, mesh: Any, placements: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    steps, stride = 1, [0] * len(shape)
    order = range(len(shape) - 1, -1, -1)
    for at in order if value.is_contiguous() or value.dim() != len(shape) else sorted(order, key=lambda at: (value.stride(at), -at)):
        stride[at] = steps
        steps *= max(shape[at], 1)
    key = id(mesh), placements, shape, tuple(stride), value.dtype
    spec = _specs.get(key)
    if spec is None:
        if len(_specs) >= 4096:
            _specs.clear()
        spec = _specs[key] = DTensorSpec(mesh, placements, tensor_meta=TensorMeta(torch.Size(shape), tuple(stride), value.dtype))
    return DTensor(value, spec, requires_grad=value.requires_grad)


_specs: dict[Any, DTensorSpec] = {}  # making one costs more than most operators; each holds its mesh, so that no other gets its number


class _Laid(torch.autograd.Function):
    """A DTensor in other placements, whose gradient may be partial in another way than it is, which torch refuses."""

    @staticmethod
    def forward(ctx: Any, value: Any, placements: tuple[Any, ...]) -> Any:
        ctx.wanted = without_partial(value.placements)
        return lay(value.detach(), placements)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return lay(grad, ctx.wanted), None


class _Inside(torch.autograd.Function):
    """The piece of a DTensor."""

    @staticmethod
    def forward(ctx: Any, value: Any, gradient: tuple[Any, ...]) -> torch.Tensor:
        ctx.made = value.device_mesh, gradient, tuple(value.shape)
        held = piece(value)
        return held.view_as(held)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        if grad._is_zerotensor():  # of sign and the like: torch's zeros without memory, which a DTensor cannot be of
            grad = torch.zeros_like(grad)
        return spread(grad, *ctx.made), None


class _Outside(torch.autograd.Function):
    """The DTensor of pieces."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, mesh: Any, placements: tuple[Any, ...], shape: tuple[int, ...], weight: int) -> Any:
        ctx.set_materialize_grads(False)
        ctx.wanted = tuple(Replicate() if placement.is_partial() else placement for placement in placements)
        # of the gradient's own gradient: each process has another use of what all of them were given
        ctx.gradient = tuple(Partial() if placement.is_partial() else placement for placement in placements)
        ctx.weight = weight
        ctx.nothing = mesh.get_coordinate() is None
        made = _whole(value.view_as(value), mesh, placements, shape)
        ctx.extreme = any(getattr(placement, "reduce_op", "") in ("max", "min") for placement in placements)
        if ctx.extreme:
            ctx.save_for_backward(made)
        return made

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        if grad is None:
            return (None,) * 5
        if ctx.nothing:
            return torch.zeros(0, dtype=grad.dtype), None, None, None, None
        held = inside(lay(grad, ctx.wanted), ctx.gradient)
        if ctx.extreme:  # it goes to what is the extreme of all pieces
            (made,) = ctx.saved_tensors
            held = held * (made._local_tensor == lay(made.detach(), ctx.wanted)._local_tensor)
        return held if ctx.weight == 1 else held / ctx.weight, None, None, None, None


__all__ = [
    "MOVED", "SUMMED", "Box", "Cut", "Labels", "Layout", "Pieces", "absent", "box", "divided", "each", "inside",
    "lay", "partly", "passed_on", "piece", "reduced", "spread", "tensors_of", "undivided", "values", "without_partial",
]  # fmt: skip
