"""Which of equal elements come first where Paddle sorts the largest to the front with C++'s `partial_sort`.

That keeps the k largest so far in a heap, then takes the heap apart; how it moves elements decides the order of equal
ones, so the moves are done again for the rows that have equal elements among those asked for.
"""

from __future__ import annotations

import numpy as np
import torch

Entry = tuple[float, int]


def largest(x: torch.Tensor, k: int) -> torch.Tensor:
    """The indices of the k largest elements of each row, in the order that `partial_sort` gives them."""
    values, indices = torch.topk(x.detach(), min(k + 1, x.shape[-1]), -1)
    indices = indices[..., :k]
    if x.device.type != "cpu" or not k:
        return indices
    tied = (values[..., 1:] == values[..., :-1]).any(-1)
    if not bool(tied.any()):
        return indices
    order = indices.contiguous()
    for row in tied.reshape(-1).nonzero().flatten().tolist():
        of_row = partial_sort(x.detach().reshape(-1, x.shape[-1])[row].double().numpy(), k)
        order.view(-1, k)[row] = torch.tensor(of_row)
    return order


def partial_sort(row: np.ndarray, k: int) -> list[int]:
    """The indices of the k largest elements of a row."""
    heap: list[Entry] = [(float(v), i) for i, v in enumerate(row[:k])]
    for parent in range((k - 2) // 2, -1, -1):
        _sift(heap, parent, k, heap[parent])
    i = k
    while True:
        above = row[i:] > heap[0][0]
        if not above.any():
            break
        i += int(above.argmax())
        _sift(heap, 0, k, (float(row[i]), i))
        i += 1
    for size in range(k - 1, 0, -1):
        last = heap[size]
        heap[size] = heap[0]
        _sift(heap, 0, size, last)
    return [index for _, index in heap]


def _sift(heap: list[Entry], hole: int, size: int, entry: Entry) -> None:
    """Put an entry into the heap (smallest on top): the hole goes down to a leaf, then the entry up from there."""
    top = hole
    while (child := 2 * hole + 2) <= size:
        if child == size or heap[child][0] > heap[child - 1][0]:
            child -= 1
        heap[hole] = heap[child]
        hole = child
    while hole > top and heap[(hole - 1) // 2][0] > entry[0]:
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = entry
