"""How tensors lie after their sizes were written in another way: reshape, flatten, squeeze and unsqueeze."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from math import prod

from paddle_compat.core.errors import invalid_argument
from paddle_compat.distributed.auto_parallel._cuts import Cut, Laid


def target(shape: Sequence[int], asked: Sequence[int], api: str) -> list[int]:
    """The sizes that reshape makes: 0 stands for the size at that place, -1 for what is left."""
    sizes = [shape[i] if size == 0 else int(size) for i, size in enumerate(asked)]
    if -1 in sizes:
        sizes[sizes.index(-1)] = prod(shape) // prod(size for size in sizes if size != -1)
    if prod(sizes) != prod(shape):
        raise invalid_argument("shape", f"{prod(shape)} elements", list(asked), api)
    return sizes


def squeezed(shape: Sequence[int], axes: Sequence[int]) -> list[int]:
    """The numbers of the dimensions that squeeze leaves."""
    taken = {axis % len(shape) for axis in axes} if len(axes) else set(range(len(shape)))
    return [i for i, size in enumerate(shape) if i not in taken or size != 1]


def unsqueezed(shape: Sequence[int], axes: Sequence[int]) -> list[int]:
    """The sizes that unsqueeze makes."""
    sizes = list(shape)
    for place in sorted(axis + len(shape) + 1 if axis < 0 else axis for axis in axes):
        sizes.insert(place, 1)
    return sizes


def flattened(shape: Sequence[int], start: int, stop: int) -> list[int]:
    """The sizes that flatten makes."""
    first, last = start % len(shape), stop % len(shape)
    return [*shape[:first], prod(shape[first : last + 1]), *shape[last + 1 :]]


def _groups(source: Sequence[int], result: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Runs of dimensions of both with the same product, those of size one left out."""
    left = [i for i, size in enumerate(source) if size != 1]
    right = [i for i, size in enumerate(result) if size != 1]
    groups, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        ins, outs = [left[i]], [right[j]]
        have, want = source[left[i]], result[right[j]]
        i, j = i + 1, j + 1
        while have != want:
            if have < want:
                ins.append(left[i])
                have *= source[left[i]]
                i += 1
            else:
                outs.append(right[j])
                want *= result[right[j]]
                j += 1
        groups.append((ins, outs))
    return groups


def viewed(tensor: Laid, result: Sequence[int], forward3: bool = False) -> tuple[Cut, Cut]:
    """How a tensor has to lie, and what comes out, where its elements are counted in other sizes.

    Of dimensions that become one the first stays cut; of those that one becomes, the first is cut, if the mesh divides its size.

    Args:
        tensor: the tensor.
        result: the sizes.
        forward3: as Paddle 3 goes forward: the first is cut by the last of the mesh's dimensions that cut those in a row, and stays cut
            only if that one divides its size.
    """
    ins, outs = [-1] * len(tensor.shape), [-1] * len(result)
    for source, made in _groups(tensor.shape, result):
        cuts = list(takewhile(lambda by: by >= 0, (tensor.mapping[i] for i in source)))
        by = max(cuts, default=-1) if forward3 else next(iter(cuts), -1)
        if by < 0 or len(made) > 1 and result[made[0]] % tensor.mesh[by]:
            continue
        if forward3 and len(source) > 1 and tensor.shape[source[0]] % tensor.mesh[by]:
            continue
        ins[source[0]] = outs[made[0]] = by
    return Cut(ins), Cut(outs)
