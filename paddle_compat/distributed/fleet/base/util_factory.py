"""`fleet.util`: what workers hand to each other, and which files are whose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paddle_compat._missing import missing


class UtilBase:
    """What workers hand to each other, and which files are whose; `fleet.util` is one.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> fleet.util.all_reduce([1, 2]), fleet.util.get_file_shard(["a", "b"])
        ([1, 2], ['a', 'b'])
        >>> fleet.util.all_gather(5); fleet.util.barrier()
        5
        >>> fleet.util.print_on_rank("worker 0 says this", 0)
        worker 0 says this

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self.role_maker: Any = None
        self.dist_strategy: Any = None

    def _set_strategy(self, dist_strategy: Any) -> None:
        self.dist_strategy = dist_strategy

    def _set_role_maker(self, role_maker: Any) -> None:
        self.role_maker = role_maker

    def _set_file_system(self, fs_client: Any) -> None:
        from paddle_compat.distributed.fleet.utils.fs import FS

        assert isinstance(fs_client, FS), f"Expected an FS of paddle.distributed.fleet.utils as `fs_client`. Received: {fs_client!r}"
        self.fs_client = fs_client

    def _role(self) -> Any:
        if self.role_maker is None:
            raise AttributeError("Nobody has said which part this process plays. Expected fleet.init() before this call. Received: none")
        return self.role_maker

    def all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        """The sum, greatest or least of what the workers give, element by element.

        Args:
            input (number|list|ndarray): this worker's, of the same shape for all.
            mode (str): "sum", "max" or "min".
            comm_world (str): "worker".
        Returns:
            number|list|ndarray: as `input`.
        """
        return self._role()._all_reduce(input, mode, comm_world)

    def barrier(self, comm_world: str = "worker") -> None:
        """Wait for all workers.

        Args:
            comm_world (str): "worker".
        """
        self._role()._barrier(comm_world)

    def all_gather(self, input: Any, comm_world: str = "worker") -> Any:
        """What all workers give.

        Args:
            input (object): this worker's.
            comm_world (str): "worker".
        Returns:
            list: of each worker's; alone, what was given.
        """
        return self._role()._all_gather(input, comm_world)

    def get_file_shard(self, files: list[str]) -> list[str]:
        """The files that this worker reads: neighbours in the list, the first workers one more where they do not go round.

        Args:
            files (list): the names of all files.
        Returns:
            list: some of them.
        Raises:
            TypeError: no list.

        Example:
            >>> from paddle_compat.distributed import fleet
            >>> role = fleet.UserDefinedRoleMaker(
            ...     is_collective=False, current_id=0, role=fleet.Role.WORKER, worker_num=2, server_endpoints=["127.0.0.1:6001"])
            >>> util = fleet.UtilBase()
            >>> util._set_role_maker(role)
            >>> util.get_file_shard(["a", "b", "c"])
            ['a', 'b']
        """
        if not isinstance(files, list):
            raise TypeError(f"files should be a list of file need to be read. Received: {files!r}")
        role = self._role()
        return shard(files, role._worker_index(), role._worker_num())

    def get_heter_file_shard(self, files: list[str]) -> list[str]:
        """As `get_file_shard`, in a job of workers of several kinds.

        Args:
            files (list): the names of all files.
        Returns:
            list: some of them.
        Raises:
            TypeError: no list.

        Example:
            >>> from paddle_compat.distributed import fleet
            >>> _ = fleet.init(is_collective=True)
            >>> fleet.util.get_heter_file_shard(["a"])
            ['a']
        """
        return self.get_file_shard(files)

    def print_on_rank(self, message: str, rank_id: int) -> None:
        """Print something on one worker alone.

        Args:
            message (str): what.
            rank_id (int): the worker.
        """
        if self._role()._worker_index() == rank_id:
            print(message)


class UtilFactory:
    """What makes `fleet.util`.

    Example:
        >>> from paddle_compat.distributed.fleet.base.util_factory import UtilBase, UtilFactory
        >>> isinstance(UtilFactory()._create_util({"valid_strategy": None, "role_maker": None}), UtilBase)
        True

    Follows Paddle 2.6.
    """

    def _create_util(self, context: Mapping[str, Any] | None = None) -> UtilBase:
        made = UtilBase()
        if context is not None:
            made.dist_strategy = context["valid_strategy"]
            made._set_role_maker(context["role_maker"])
        return made


def shard(files: list[str], rank: int, size: int) -> list[str]:
    """The files of one worker of several."""
    each, more = divmod(len(files), size)
    begin = rank * each + min(rank, more)
    return files[begin : begin + each + (rank < more)]


__all__ = ["UtilBase", "UtilFactory"]

__getattr__ = missing(__name__)
