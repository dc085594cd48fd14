"""`paddle.distributed.fleet.base.topology`: the ranks of a job as a grid, and the groups that its axes make."""

from __future__ import annotations

import collections
import itertools
import math
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, missing_member
from paddle_compat.core.place import CUDAPlace, current_place
from paddle_compat.distributed._modes import ParallelMode


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

    def get_dim_size(self, axis_name: str) -> int:
        """How many coordinates an axis has.

        Args:
            axis_name (str): its name.
        Returns:
            int: the number.
        Raises:
            AssertionError: there is no such axis.
        """
        return self.get_dim(self._known(axis_name))

    def _known(self, axis_name: str) -> str:
        if axis_name not in self._parallel_names:
            raise AssertionError(f"Invalid axis. Expected one of {self._parallel_names}. Received: {axis_name!r}")
        return axis_name

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
        Raises:
            AssertionError: there is no such axis.
        """
        return self.get_fused_ranks([self._known(axis_name)])

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
        Raises:
            ValueError: there is no such axis.
            AssertionError: no rank is there.
        """
        return self.get_rank(**self.get_coord(global_rank)._replace(**kwargs)._asdict())


_FUSED = {"dp_sep": ["data", "sep"], "pp_mp": ["pipe", "model"]}  # groups that there are where sequences are shared out
_SHORT = {"data": "_dp", "pipe": "_pp", "sharding": "_sharding", "sep": "_sep", "model": "_mp"}
_OTHERS = {"check": "_check", "sharding_check": "sharding_check", "dp_sep": "_dp_sep", "pp_mp": "_pp_mp"}
_AXES = {short[1:]: axis for axis, short in _SHORT.items()}


class HybridCommunicateGroup:
    """The groups that a rank belongs to: one along each axis, and those of the ranks that agree in some of their coordinates.

    All processes of the job make one at the same time, as it makes groups.

    Args:
        topology (CommunicateTopology): the ranks.
        hybrid_configs: kept, as in Paddle 3; it has no effect.
    Raises:
        AssertionError: there are fewer ranks than processes, or more than one where the processes have not met.

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
        >>> group.create_fuse_group(["data", "pipe"])[0], group.get_data_parallel_group().nranks
        ([0], 1)
        >>> if group.get_sep_parallel_world_size() > 1:  # in a job whose processes share out sequences, and stages of tensors
        ...     group.get_sep_parallel_group().ranks, group.get_sep_parallel_group_src_rank()
        ...     group.get_dp_sep_parallel_group().ranks, group.get_pp_mp_parallel_group().ranks
        >>> try:
        ...     group.get_p2p_groups()
        ... except AssertionError as error:
        ...     print(str(error)[:36])
        Stages hand tensors on by messages.

    Follows Paddle 2.6.
    """

    def __init__(self, topology: CommunicateTopology, hybrid_configs: Any = None) -> None:
        from paddle_compat.distributed import _groups

        self._topo, self.nranks = topology, topology.world_size()
        self.global_rank = _groups.job_rank()
        if self.global_rank >= self.nranks:
            raise AssertionError(f"Invalid topology. Expected more than {self.global_rank} ranks, this one's. Received: {self.nranks}")
        names = topology.get_hybrid_group_names()
        place = topology.get_coord(self.global_rank)
        self._ranks = {axis: getattr(place, axis) if axis in names else 0 for axis in _SHORT}
        self._degrees = {axis: topology.get_dim(axis) if axis in names else 1 for axis in _SHORT}
        self._ways: dict[str, Any] = {}  # the groups: by the axis along which they meet, or the name of several
        for axis in ("pipe", "data", "model", "sharding", "sep"):
            if axis != "sep" or self._degrees[axis] > 1:
                self._ways[axis] = self._made(topology.get_comm_list(axis) if axis in names else [[rank] for rank in range(self.nranks)])
        self._ways["check"] = self._made(self._alike("data"))
        if self._degrees["sep"] > 1:
            for name, axes in _FUSED.items():
                self._ways[name] = self._made(topology.get_fused_ranks(axes))
        self._ways["sharding_check"] = self._made(self._alike("sharding"))
        for axis, name in {**_SHORT, **_OTHERS}.items():  # the names that scripts know Paddle's by
            way = self._ways.get(axis)
            vars(self).update({f"{name}_group": None if way is None else way.ranks, f"{name}_comm_group": way})
        for axis, name in _SHORT.items():
            setattr(self, f"{name}_degree", self._degrees[axis])
        self._data_parallel_id, self._model_parallel_id = self._ranks["data"], self._ranks["model"]
        self._sharding_parallel_id, self._sep_parallel_id = self._ranks["sharding"], self._ranks["sep"]
        self.stage_id = self._ranks["pipe"]
        self.is_first_stage, self.is_last_stage = self.stage_id == 0, self.stage_id == self._degrees["pipe"] - 1
        if self._degrees["pipe"] > 1:
            stages = self._ways["pipe"].ranks
            self.prev_rank, self.next_rank = (stages[(self.stage_id + step) % len(stages)] for step in (-1, 1))
        globals()["_HYBRID_PARALLEL_GROUP"] = self

    def _made(self, lists: list[list[int]]) -> Any:
        """Make groups, which all processes do in the same order; this process's own."""
        from paddle_compat.distributed import _groups, collective

        made = [_groups.make(ranks, None, collective._PATIENCE) for ranks in lists]
        return next(group for group in made if self.global_rank in group.ranks)

    def _alike(self, axis: str) -> list[list[int]]:
        """The ranks at each place of an axis."""
        if axis not in self._topo.get_hybrid_group_names():
            return [list(range(self.nranks))]
        return [self._topo.get_axis_list(axis, place) for place in range(self._degrees[axis])]

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
        """The kind of parallelism that a model is wrapped for.

        Returns:
            int|None: of `ParallelMode`: of pipelines where there are stages, else of tensors, else of sharding, else of sequences, else
            of data; None where this process is alone.
        """
        kinds = {
            "pipe": ParallelMode.PIPELINE_PARALLEL, "model": ParallelMode.TENSOR_PARALLEL, "sharding": ParallelMode.SHARDING_PARALLEL,
            "sep": ParallelMode.SEGMENT_PARALLEL, "data": ParallelMode.DATA_PARALLEL,
        }  # fmt: skip
        return next((kind for axis, kind in kinds.items() if self._degrees[axis] > 1), None)

    def get_check_parallel_group(self, sharding: bool = False) -> Any:
        """The group of the processes that share out one model.

        Args:
            sharding (bool): those at this process's place of the sharding axis, instead of the data axis.
        Returns:
            Group: of them.
        """
        return self._ways["sharding_check" if sharding else "check"]

    def get_moe_sharding_parallel_world_size(self) -> int:
        """How many processes there are along the axis that shards experts apart from the rest: there is none.

        Returns:
            int: 0, as Paddle 3.3 has it.

        Example:
            >>> from paddle_compat.distributed import fleet
            >>> fleet.init(is_collective=True)  # doctest: +ELLIPSIS
            <...>
            >>> fleet.get_hybrid_communicate_group().get_moe_sharding_parallel_world_size()
            0
        """
        return 0

    def get_rank_from_stage(self, stage_id: int, **kwargs: int) -> int:
        """The rank of the same coordinates in a stage.

        Args:
            stage_id (int): the stage.
            kwargs: coordinates that differ.
        Returns:
            int: the rank.
        """
        return self._topo.get_rank_from_stage(self.global_rank, pipe=stage_id, **kwargs)

    def create_fuse_group(self, fused_strategy_list: list[str], nccl_config: Any = None) -> tuple[Any, Any]:
        """Make groups along several axes, on all processes at the same time.

        Args:
            fused_strategy_list (list): the names of the axes.
            nccl_config: kept, as in Paddle 3; it has no effect.
        Returns:
            tuple: the ranks of this process's group, and the group.
        Raises:
            AssertionError: there is no axis.
        """
        if not fused_strategy_list:
            raise AssertionError("Invalid axes. Expected some of those of the topology. Received: none")
        group = self._made(self._topo.get_fused_ranks(fused_strategy_list))
        return group.ranks, group

    def get_p2p_groups(self) -> Any:
        """Groups of neighbouring stages, which messages do without.

        Returns:
            Nothing: there are none.
        Raises:
            AssertionError: always: there are none, as in Paddle by default.
        """
        raise AssertionError("Stages hand tensors on by messages. Expected the group of the stages. Received: a call of get_p2p_groups")

    def _along(self, axis: str) -> Any:
        if axis not in self._ways:
            kind = "sep" if axis in _FUSED else axis
            raise AssertionError(f"There is no such group. Expected a degree above 1 of {kind!r}. Received: {self._degrees[kind]}")
        return self._ways[axis]

    __getattr__ = missing_member("paddle.distributed.fleet.HybridCommunicateGroup")


def _questions(axis: str) -> tuple[Any, Any, Any, Any]:
    """What a `HybridCommunicateGroup` is asked about an axis: the place, the number of places, the group, and its first rank."""

    def place(self: HybridCommunicateGroup) -> int:
        """This process's place along an axis.

        Returns:
            int: from 0 on.
        """
        return self._ranks[axis]

    def count(self: HybridCommunicateGroup) -> int:
        """How many processes there are along an axis.

        Returns:
            int: at least 1.
        """
        return self._degrees[axis]

    def group(self: HybridCommunicateGroup) -> Any:
        """The group of the processes along an axis.

        Returns:
            Group: one of one process has no members.
        Raises:
            AssertionError: sequences are not shared out, and it is about them.
        """
        return self._along(axis)

    def first(self: HybridCommunicateGroup) -> int:
        """The first rank of the group along an axis.

        Returns:
            int: the rank.
        Raises:
            AssertionError: sequences are not shared out, and it is about them.
        """
        return self._along(axis).ranks[0]

    return place, count, group, first


def _ask() -> None:
    """Give the class its questions about the axes."""
    for axis in ("data", "model", "sharding", "sep", "pipe"):
        place, count, group, first = _questions(axis)
        asked = {f"get_{axis}_parallel_world_size": count, f"get_{axis}_parallel_group": group}
        if axis == "pipe":
            asked["get_stage_id"] = place
        else:
            asked |= {f"get_{axis}_parallel_rank": place, f"get_{axis}_parallel_group_src_rank": first}
        for name, question in asked.items():
            question.__name__, question.__qualname__ = name, f"HybridCommunicateGroup.{name}"
            setattr(HybridCommunicateGroup, name, question)
    for name in _FUSED:
        setattr(HybridCommunicateGroup, f"get_{name}_parallel_group", _questions(name)[2])


_ask()


def grid(role: Any, strategy: Any) -> HybridCommunicateGroup:
    """The groups of a job as a strategy shares it out.

    Args:
        role: of this process.
        strategy: its `hybrid_configs` have the degrees, and its `hybrid_parallel_order` the axes, the slowest first.
    Raises:
        AssertionError: the degrees are not those of so many processes.
    """
    size, configs = role._worker_num(), strategy.hybrid_configs
    degrees = {short: configs[f"{short}_degree"] for short in _AXES}
    for short, degree in degrees.items():
        if degree < 0 and short != "dp":
            raise AssertionError(f"Invalid `{short}_degree` of `hybrid_configs`. Expected 0 or more. Received: {degree}")
    others = math.prod(max(degree, 1) for short, degree in degrees.items() if short != "dp")
    degrees = {short: max(degree, 1) for short, degree in degrees.items()} | {"dp": degrees["dp"]}
    if degrees["dp"] < 0 or size == others == 1:
        degrees["dp"] = max(size // others, 1)
    degrees["dp"] = max(degrees["dp"], 1)
    if math.prod(degrees.values()) != size:
        if others == 1:
            raise AssertionError(
                f"Invalid `dp_degree` of `hybrid_configs`. Expected {size}, as there are workers, or -1. Received: {degrees['dp']}"
            )
        expected = f"degrees whose product is {size}, the number of workers"
        raise AssertionError(f"Invalid value for argument `hybrid_configs`. Expected {expected}. Received: {degrees}")
    order = [short for short in strategy.hybrid_parallel_order if short in _AXES]
    return HybridCommunicateGroup(CommunicateTopology([_AXES[short] for short in order], [degrees[short] for short in order]))


def create_nccl_config(nccl_config: dict[str, int | str] | None = None) -> None:
    """Settings of NCCL for `new_group`: None where there is no NCCL, as in Paddle.

    Args:
        nccl_config (dict): names of settings, `nchannels` for example, and their values.
    Returns:
        None.
    Raises:
        UnsupportedError: there are some, and the current place is a GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> config = paddle.distributed.create_nccl_config({"commName": "tp_comm", "nchannels": 4})
        >>> config is None
        True

    Follows Paddle 3.3.
    """
    if nccl_config and isinstance(current_place(), CUDAPlace):
        raise UnsupportedError("paddle.distributed.create_nccl_config", "settings for GPUs", "NCCL's environment variables")


_HYBRID_PARALLEL_GROUP: HybridCommunicateGroup | None = None  # the newest, which libraries look up here

__all__ = ["CommunicateTopology", "HybridCommunicateGroup", "ParallelMode", "create_nccl_config"]

__getattr__ = missing(__name__)
