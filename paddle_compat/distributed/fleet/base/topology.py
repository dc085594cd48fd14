"""`paddle.distributed.fleet.base.topology`: the ranks of a job as a grid, and the groups that its axes make."""

from __future__ import annotations

import collections
import itertools
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, missing_member
from paddle_compat.distributed._modes import ParallelMode

_LATER = "data parallelism (the defaults)"


class CommunicateTopology:
    """The ranks of a job as a grid: a rank's coordinates along the kinds of parallelism.

    Args:
        hybrid_group_names (list): the names of the axes, the slowest first.
        dims (list): how many ranks along each.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> topology = fleet.CommunicateTopology(["data", "pipe", "sharding", "sep", "model"], [2, 2, 1, 1, 2])
        >>> topology.world_size(), topology.get_dim("data"), topology.get_dim_size("pipe"), len(topology.get_hybrid_group_names())
        (8, 2, 2, 5)
        >>> topology.get_rank(data=1, pipe=0, sharding=0, sep=0, model=1), topology.get_coord(5).model
        (5, 1)
        >>> topology.get_axis_list("data", 1), topology.get_comm_list("model")
        ([4, 5, 6, 7], [[0, 1], [2, 3], [4, 5], [6, 7]])
        >>> topology.get_fused_ranks(["data", "pipe"]), topology.get_rank_from_stage(0, pipe=1)
        ([[0, 2, 4, 6], [1, 3, 5, 7]], 2)

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        hybrid_group_names: list[str] = ["data", "pipe", "sharding", "sep", "model"],  # noqa: B006 - Paddle's signature
        dims: list[int] = [1, 1, 1, 1, 1],  # noqa: B006
    ) -> None:
        self._parallel_names, self._dims = list(hybrid_group_names), list(dims)
        self.coordinate: Any = collections.namedtuple("Coordinate", self._parallel_names)  # type: ignore[misc]
        places: Any = itertools.product(*map(range, self._dims))
        self._coords = [self.coordinate(*place) for place in places]

    def get_hybrid_group_names(self) -> list[str]:
        """The names of the axes.

        Returns:
            list: the slowest first.
        """
        return self._parallel_names

    def get_dim(self, axis_name: str) -> int:
        """How many ranks there are along an axis.

        Args:
            axis_name (str): its name.
        Returns:
            int: the number.
        """
        return self._dims[self._parallel_names.index(axis_name)]

    get_dim_size = get_dim

    def world_size(self) -> int:
        """How many ranks there are.

        Returns:
            int: the number.
        """
        return len(self._coords)

    def get_rank(self, **args: int) -> int:
        """The rank at some coordinates.

        Args:
            args: a coordinate for each axis.
        Returns:
            int: the rank.
        Raises:
            AssertionError: an axis is missing, or no rank is there.
        """
        if sorted(args) != sorted(self._parallel_names) or self.coordinate(**args) not in self._coords:
            there = dict(zip(self._parallel_names, self._dims))
            raise AssertionError(f"Invalid coordinates. Expected one of each, below {there}. Received: {args}")
        return self._coords.index(self.coordinate(**args))

    def get_coord(self, rank: int) -> Any:
        """The coordinates of a rank.

        Args:
            rank (int): the rank.
        Returns:
            Coordinate: named by the axes.
        Raises:
            AssertionError: there is no such rank.
        """
        if not 0 <= rank < len(self._coords):
            raise AssertionError(f"Invalid rank. Expected one below {len(self._coords)}. Received: {rank}")
        return self._coords[rank]

    def get_axis_list(self, axis_name: str, index: int) -> list[int]:
        """The ranks at one place of an axis.

        Args:
            axis_name (str): its name.
            index (int): the place.
        Returns:
            list: ranks.
        """
        axis = self._parallel_names.index(axis_name)
        return [rank for rank, place in enumerate(self._coords) if place[axis] == index]

    def get_comm_list(self, axis_name: str) -> list[list[int]]:
        """The ranks that meet along an axis.

        Args:
            axis_name (str): its name.
        Returns:
            list: groups of ranks.
        """
        return self.get_fused_ranks([axis_name])

    def get_fused_ranks(self, fused_axis: list[str]) -> list[list[int]]:
        """The ranks that meet along several axes.

        Args:
            fused_axis (list): their names.
        Returns:
            list: groups of ranks.
        Raises:
            ValueError: there is no such axis.
        """
        kept = [i for i, name in enumerate(self._parallel_names) if name not in fused_axis]
        missing_axes = [name for name in fused_axis if name not in self._parallel_names]
        if missing_axes:
            raise ValueError(f"Invalid axes. Expected some of {self._parallel_names}. Received: {missing_axes}")
        groups: dict[tuple[int, ...], list[int]] = {}
        for rank, place in enumerate(self._coords):
            groups.setdefault(tuple(place[i] for i in kept), []).append(rank)
        return list(groups.values())

    def get_rank_from_stage(self, global_rank: int, **kwargs: int) -> int:
        """The rank that differs from another one in some coordinates.

        Args:
            global_rank (int): the other one.
            kwargs: the coordinates that differ.
        Returns:
            int: the rank.
        """
        return self.get_rank(**{**self.get_coord(global_rank)._asdict(), **kwargs})


class HybridCommunicateGroup:
    """The groups that a rank belongs to. Of several kinds of parallelism there is data parallelism.

    Args:
        topology (CommunicateTopology): the ranks.
    Raises:
        UnsupportedError: an axis but data has several ranks.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> group = fleet.HybridCommunicateGroup(fleet.CommunicateTopology())
        >>> group.get_global_rank(), group.get_data_parallel_rank(), group.get_data_parallel_world_size()
        (0, 0, 1)
        >>> group.get_model_parallel_world_size(), group.get_pipe_parallel_world_size(), group.get_sharding_parallel_world_size()
        (1, 1, 1)
        >>> group.get_model_parallel_rank(), group.get_stage_id(), group.get_sharding_parallel_rank(), group.get_sep_parallel_rank()
        (0, 0, 0, 0)
        >>> group.get_sep_parallel_world_size(), group.get_data_parallel_group_src_rank(), group.get_parallel_mode()
        (1, 0, None)
        >>> group.topology().world_size(), group.is_first_stage, group.is_last_stage, group.get_rank_from_stage(0)
        (1, True, True, 0)
        >>> group.get_model_parallel_group().ranks, group.get_pipe_parallel_group().ranks, group.get_sharding_parallel_group().ranks
        ([0], [0], [0])
        >>> group.get_model_parallel_group_src_rank(), group.get_sharding_parallel_group_src_rank(), group.get_check_parallel_group().ranks
        (0, 0, [0])

    Follows Paddle 2.6.
    """

    is_first_stage = is_last_stage = True

    def __init__(self, topology: CommunicateTopology) -> None:
        from paddle_compat.core.job import job

        self._topo, self.nranks = topology, topology.world_size()
        for name in topology.get_hybrid_group_names():
            if name != "data" and topology.get_dim(name) > 1:
                raise UnsupportedError("fleet.HybridCommunicateGroup", f"{topology.get_dim(name)} ranks along {name!r}", _LATER)
        self.global_rank = job().rank
        if self.global_rank >= self.nranks:
            raise AssertionError(f"Invalid topology. Expected more than {self.global_rank} ranks, this one's. Received: {self.nranks}")

    def topology(self) -> CommunicateTopology:
        """The ranks.

        Returns:
            CommunicateTopology: what was given.
        """
        return self._topo

    def get_global_rank(self) -> int:
        """This process's rank.

        Returns:
            int: from 0 on.
        """
        return self.global_rank

    def get_parallel_mode(self) -> Any:
        """The kind of parallelism.

        Returns:
            int|None: 0 for data parallelism; None where this process is alone.
        """
        return 0 if self.nranks > 1 else None

    def get_data_parallel_rank(self) -> int:
        """This process's place along the data axis.

        Returns:
            int: from 0 on.
        """
        return self.global_rank

    def get_data_parallel_world_size(self) -> int:
        """How many processes share the data.

        Returns:
            int: at least 1.
        """
        return self.nranks

    def get_data_parallel_group(self) -> Any:
        """The group of the processes that share the data.

        Returns:
            Group: of all processes.

        Example:
            >>> from paddle_compat.distributed import fleet
            >>> _ = fleet.init(is_collective=True)
            >>> fleet.get_hybrid_communicate_group().get_data_parallel_group().nranks
            1
        """
        from paddle_compat.distributed import _groups

        return _groups.join() or _groups.Group(0, 0, [0])

    def get_data_parallel_group_src_rank(self) -> int:
        """The rank that parameters are taken from.

        Returns:
            int: 0.
        """
        return 0

    def _first(self) -> int:
        """The place along an axis that has one.

        Returns:
            int: 0.
        """
        return 0

    def _one(self) -> int:
        """How many processes there are along an axis that data parallelism leaves alone.

        Returns:
            int: 1.
        """
        return 1

    def _alone(self) -> Any:
        """The group of the processes along an axis that data parallelism leaves alone.

        Returns:
            Group: of this process.
        """
        from paddle_compat.distributed import _groups

        return _groups.Group(-1, 0, [self.global_rank])

    def _own(self) -> int:
        """The first rank along an axis that data parallelism leaves alone.

        Returns:
            int: this process's.
        """
        return self.global_rank

    def get_check_parallel_group(self, sharding: bool = False) -> Any:
        """The group of the processes that share out one model.

        Args:
            sharding (bool): whether those that share out its states count.
        Returns:
            Group: of this process.
        """
        return self._alone()

    def get_rank_from_stage(self, stage_id: int, **kwargs: int) -> int:
        """The rank of the same coordinates in a stage.

        Args:
            stage_id (int): the stage.
            kwargs: coordinates that differ.
        Returns:
            int: the rank.
        """
        return self._topo.get_rank_from_stage(self.global_rank, pipe=stage_id, **kwargs)

    get_model_parallel_group = get_pipe_parallel_group = get_sharding_parallel_group = _alone
    get_model_parallel_group_src_rank = get_sharding_parallel_group_src_rank = _own
    get_model_parallel_rank = get_stage_id = get_sharding_parallel_rank = get_sep_parallel_rank = _first
    get_model_parallel_world_size = get_pipe_parallel_world_size = get_sharding_parallel_world_size = get_sep_parallel_world_size = _one

    __getattr__ = missing_member("paddle.distributed.fleet.HybridCommunicateGroup")


def data_parallel_group(role: Any, degree: int) -> HybridCommunicateGroup:
    """The groups of a job that is data parallel alone.

    Args:
        role: of this process.
        degree: how many processes share the data, as the strategy says it; -1: all.
    Raises:
        AssertionError: it is not the number of processes.
    """
    size = role._worker_num()
    if degree not in (-1, size) and size > 1:
        raise AssertionError(f"Invalid `dp_degree` of `hybrid_configs`. Expected {size}, as there are workers, or -1. Received: {degree}")
    return HybridCommunicateGroup(CommunicateTopology(dims=[size, 1, 1, 1, 1]))


__all__ = ["CommunicateTopology", "HybridCommunicateGroup", "ParallelMode"]

__getattr__ = missing(__name__)
