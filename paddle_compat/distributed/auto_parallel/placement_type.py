"""Placements: how a dist tensor lies along one dimension of a mesh."""

from __future__ import annotations

import itertools
import operator
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, invalid_argument, type_error


class ReduceType(Enum):
    """How the parts of a partial tensor make the whole.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.ReduceType.kRedSum.name
        'kRedSum'

    Follows Paddle 3.3.
    """

    kRedSum = 0
    kRedMax = 1
    kRedMin = 2
    kRedProd = 3
    kRedAvg = 4
    kRedAny = 5
    kRedAll = 6

    def __int__(self) -> int:
        return self.value

    __index__ = __hash__ = __int__


_SHOWN = ("SUM", "MAX", "MIN", "PRODUCT", "AVG", "ANY", "ALL")
_TORCH = {
    "sum": ReduceType.kRedSum, "max": ReduceType.kRedMax, "min": ReduceType.kRedMin, "product": ReduceType.kRedProd,
    "avg": ReduceType.kRedAvg, "any": ReduceType.kRedAny, "all": ReduceType.kRedAll,
}  # fmt: skip
_OF_TORCH = {kind: name for name, kind in _TORCH.items()}


class Placement:
    """How a dist tensor lies along one dimension of a mesh: the base of `Shard`, `Replicate` and `Partial`.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> placement = dist.Shard(0)
        >>> isinstance(placement, dist.Placement), placement.is_shard(), placement.is_replicated(), placement.is_partial()
        (True, True, False, False)

    Follows Paddle 3.3.
    """

    def is_shard(self, dim: int | None = None) -> bool:
        """Whether each process has a piece.

        Args:
            dim (int): of that dimension of the tensor; None: of any.
        Returns:
            bool.
        """
        return False

    def is_replicated(self) -> bool:
        """Whether each process has the whole.

        Returns:
            bool.
        """
        return False

    def is_partial(self) -> bool:
        """Whether the processes' values make the whole together.

        Returns:
            bool.
        """
        return False

    def _key(self) -> tuple[Any, ...]:
        return ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Placement) and (type(self), self._key()) == (type(other), other._key())

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._key()))


class Shard(Placement):
    """Each process along the mesh's dimension has a piece of the tensor.

    Pieces are as torch's `chunk` cuts them: all of one size, but for the last ones, which may be smaller or empty.

    Args:
        dim (int): the dimension that is cut.
        split_factor (int): kept; how often pieces alternate.
        shard_order (int): which cut comes first where several mesh dimensions cut one; None: they are cut in the mesh's order.
    Raises:
        TypeError: one of them is no integer.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.Shard(0), dist.Shard(0).get_dim(), dist.Shard(0).is_shard(1)
        (Shard(dim=0), 0, False)
        >>> twice = dist.Shard(0)
        >>> twice.set_split_factor(2)
        >>> twice.get_split_factor(), twice.get_co_shard_order()
        (2, 0)

    Follows Paddle 3.3.
    """

    def __init__(self, dim: int, *, split_factor: int = 1, shard_order: int | None = None) -> None:
        self._dim, self._split_factor = _integer("dim", dim), _integer("split_factor", split_factor)
        self._shard_order = None if shard_order is None else _integer("shard_order", shard_order)

    def get_dim(self) -> int:
        """The dimension that is cut.

        Returns:
            int.
        """
        return self._dim

    def get_split_factor(self) -> int:
        """How often pieces alternate.

        Returns:
            int.
        """
        return self._split_factor

    def set_split_factor(self, factor: int) -> None:
        """Set how often pieces alternate.

        Args:
            factor (int): kept.
        """
        self._split_factor = factor

    def get_co_shard_order(self) -> int:
        """Which cut comes first.

        Returns:
            int.
        """
        return self._shard_order or 0

    def is_shard(self, dim: int | None = None) -> bool:
        """Whether it cuts that dimension; None: any."""
        return dim is None or dim == self._dim

    def _key(self) -> tuple[Any, ...]:
        return self._dim, self._split_factor, self._shard_order or 0

    def __repr__(self) -> str:
        more = f", split_factor={self._split_factor}" if self._split_factor != 1 else ""
        return f"Shard(dim={self._dim}{more}{'' if self._shard_order is None else f', shard_order={self._shard_order}'})"


def _integer(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise type_error(name, "an int", value, "Shard") from None


class Replicate(Placement):
    """Each process along the mesh's dimension has the whole tensor.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.Replicate(), dist.Replicate().is_replicated()
        (Replicate(), True)

    Follows Paddle 3.3.
    """

    def is_replicated(self) -> bool:
        """Always."""
        return True

    def __repr__(self) -> str:
        return "Replicate()"


class Partial(Placement):
    """The values of the processes along the mesh's dimension make the tensor together: as their sum, say.

    Args:
        reduce_type (ReduceType): how.
    Raises:
        TypeError: it is no ReduceType.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.Partial(), dist.Partial(dist.ReduceType.kRedMax).reduce_type()
        (Partial(reduce_type=SUM), <ReduceType.kRedMax: 1>)
        >>> dist.Partial().is_partial(), dist.Partial().is_shard(), dist.Partial().is_replicated()
        (True, False, False)

    Follows Paddle 3.3.
    """

    def __init__(self, reduce_type: ReduceType = ReduceType.kRedSum) -> None:
        if not isinstance(reduce_type, ReduceType):
            raise type_error("reduce_type", "a paddle.distributed.ReduceType", reduce_type, "Partial")
        self._reduce_type = reduce_type

    def reduce_type(self) -> ReduceType:
        """How the values make the tensor.

        Returns:
            ReduceType.
        """
        return self._reduce_type

    def is_partial(self) -> bool:
        """Always."""
        return True

    def _key(self) -> tuple[Any, ...]:
        return (self._reduce_type,)

    def __repr__(self) -> str:
        return f"Partial(reduce_type={_SHOWN[self._reduce_type.value]})"


def to_torch(placements: Sequence[Placement]) -> list[Any]:
    """The placements as DTensor has them.

    Raises:
        UnsupportedError: DTensor has no such one.
    """
    cuts = [placement for placement in placements if isinstance(placement, Shard)]
    for one, other in itertools.combinations(cuts, 2):
        if one._dim == other._dim and one.get_co_shard_order() > other.get_co_shard_order():
            raise UnsupportedError("paddle.distributed.Shard", f"{one} before {other}", "a mesh whose dimensions are in that order")
    return [_to_torch(placement) for placement in placements]


def _to_torch(placement: Placement) -> Any:
    from torch.distributed import tensor as torch_placements  # imported by who has dist tensors only: it takes a second

    from paddle_compat.engine.spmd import partly

    if isinstance(placement, Shard):
        if placement._split_factor != 1:
            raise UnsupportedError("paddle.distributed.Shard", f"split_factor={placement._split_factor}", "a split_factor of 1")
        return torch_placements.Shard(placement._dim)
    if isinstance(placement, Partial):
        return partly(_OF_TORCH[placement._reduce_type])
    return torch_placements.Replicate()


def of_torch(placements: Sequence[Any]) -> list[Placement]:
    """DTensor's placements as Paddle has them."""
    cuts = Counter(placement.dim for placement in placements if placement.is_shard())
    orders = {dim: itertools.count() for dim, count in cuts.items() if count > 1}

    def found(placement: Any) -> Placement:
        if placement.is_shard():
            order = next(orders[placement.dim]) if placement.dim in orders else None
            return Shard(placement.dim, shard_order=order)
        return Partial(_TORCH[placement.reduce_op]) if placement.is_partial() else Replicate()

    return [found(placement) for placement in placements]


def to_placements(dim_map: Sequence[int], mesh: Any, partial_idx: Sequence[int] = ()) -> list[Placement]:
    """Placements of which dimension of a mesh cuts each of a tensor's.

    Args:
        dim_map (list): for each of the tensor's dimensions the number of the mesh's; -1: none cuts it.
        mesh (ProcessMesh): the mesh.
        partial_idx (list): the mesh's dimensions along which the values are to be added up.
    Returns:
        list: one for each dimension of the mesh.
    Raises:
        ValueError: one of the mesh's dimensions has two uses.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.placement_type import to_placements
        >>> to_placements([-1, 0], dist.ProcessMesh([[0, 1]]))
        [Shard(dim=1), Replicate()]

    Follows Paddle 3.3.
    """
    placements: list[Placement] = [Replicate()] * len(mesh.shape)
    uses = [*((axis, Partial()) for axis in partial_idx), *((axis, Shard(dim)) for dim, axis in enumerate(dim_map) if axis >= 0)]
    for axis, placement in uses:
        if not placements[axis].is_replicated():
            expected = f"one use of each dimension of the mesh, not {placements[axis]} too"
            raise invalid_argument("dim_map", expected, placement, "to_placements")
        placements[axis] = placement
    return placements


def to_dim_map(placements: Sequence[Placement], tensor_dims: int) -> tuple[list[int], dict[int, ReduceType]]:
    """Which dimension of a mesh cuts each of a tensor's.

    Args:
        placements (list): one for each dimension of the mesh.
        tensor_dims (int): how many the tensor has.
    Returns:
        tuple: for each of the tensor's dimensions the last of the mesh's that cuts it, -1: none; and how it is partial along which.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.placement_type import to_dim_map
        >>> to_dim_map([dist.Shard(1), dist.Replicate()], 2)
        ([-1, 0], {})

    Follows Paddle 3.3.
    """
    dim_map = [-1] * tensor_dims
    for axis, placement in enumerate(placements):
        if isinstance(placement, Shard):
            dim_map[placement.get_dim()] = axis
    return dim_map, {i: placement.reduce_type() for i, placement in enumerate(placements) if isinstance(placement, Partial)}


def get_shard_spec(mesh: Any, placements: Sequence[Placement], tensor_dims: int) -> list[str | None]:
    """The name of the mesh's dimension that cuts each of a tensor's.

    Args:
        mesh (ProcessMesh): the mesh.
        placements (list): one for each of its dimensions.
        tensor_dims (int): how many the tensor has.
    Returns:
        list: None for those that none cuts.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.placement_type import get_shard_spec
        >>> get_shard_spec(dist.ProcessMesh([0, 1], dim_names=["x"]), [dist.Shard(1)], 2)
        [None, 'x']

    Follows Paddle 3.3.
    """
    return [None if axis < 0 else mesh.dim_names[axis] for axis in to_dim_map(placements, tensor_dims)[0]]


def check_placements_equal(this: Sequence[Placement], that: Sequence[Placement]) -> bool:
    """Whether two lists of placements say the same; those that are left out are Replicate.

    Args:
        this (list): placements.
        that (list): placements.
    Returns:
        bool.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.placement_type import check_placements_equal
        >>> check_placements_equal([dist.Shard(0)], [dist.Shard(0), dist.Replicate()])
        True

    Follows Paddle 3.3.
    """
    count = max(len(this), len(that))
    one, other = ([*each, *[Replicate()] * (count - len(each))] for each in (this, that))
    return one == other


__all__ = ["Partial", "Placement", "ReduceType", "Replicate", "Shard"]
__getattr__ = missing(__name__)
