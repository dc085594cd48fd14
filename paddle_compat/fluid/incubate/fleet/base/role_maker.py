"""`paddle.fluid.incubate.fleet.base.role_maker`: which part a process plays in a job."""

from __future__ import annotations

import os
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import job
from paddle_compat.core.errors import UnimplementedError, UnsupportedError
from paddle_compat.distributed.fleet.base import _meeting


class Role:
    """The parts that a process may play.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.base import role_maker
        >>> role_maker.Role.WORKER, role_maker.Role.SERVER
        (1, 2)

    Follows Paddle 1.8.
    """

    WORKER = 1
    SERVER = 2


class RoleMakerBase:
    """What says which part a process plays; use one of the role makers below.

    Raises:
        NotImplementedError: a role maker does not say.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.base import role_maker
        >>> role = role_maker.UserDefinedRoleMaker(
        ...     current_id=0, role=role_maker.Role.WORKER, worker_num=2, server_endpoints=["127.0.0.1:6000"])
        >>> role.generate_role()
        >>> role.is_worker(), role.is_server(), role.is_first_worker(), role.worker_num(), role.worker_index(), role.server_index()
        (True, False, True, 2, 0, 0)
        >>> role.get_trainer_endpoints(), role.get_pserver_endpoints()
        ([], ['127.0.0.1:6000'])
        >>> role.to_string()
        "role: 1, current_id: 0, worker_endpoints: [], server_endpoints: ['127.0.0.1:6000']"
        >>> role.all_gather(1); role.all_reduce_worker([1], [0]); role.barrier_worker(); role.barrier_all()
        warning: RoleMakerBase does not have all gather.
        warning: RoleMakerBase does not have all reduce worker.
        warning: RoleMakerBase does not have barrier worker.
        warning: RoleMakerBase does not have barrier all.

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        self._worker_endpoints: Any = []
        self._server_endpoints: Any = []
        self._role_is_generated = False
        self._role: int | None = None
        self._current_id: Any = -1

    def _unsaid(self) -> Any:
        """Only the role makers below say it.

        Returns:
            object: nothing.
        Raises:
            NotImplementedError: always.
        """
        raise UnimplementedError("Please implement this method in child class")

    is_worker = is_server = is_first_worker = worker_num = worker_index = server_index = _unsaid

    def generate_role(self) -> None:
        """Find out which part this process plays."""
        if not self._role_is_generated:
            self._read()
            self._role_is_generated = True

    def _read(self) -> None:
        """What there is to find out: nothing."""

    def get_trainer_endpoints(self) -> Any:
        """Where the workers are.

        Returns:
            list: "host:port" of each.
        """
        return self._worker_endpoints

    def get_pserver_endpoints(self) -> Any:
        """Where the servers are.

        Returns:
            list: "host:port" of each.
        """
        return self._server_endpoints

    def to_string(self) -> str:
        """The role in one line.

        Returns:
            str: the role, this process's number, and the endpoints.
        """
        return (
            f"role: {self._role}, current_id: {self._current_id}, worker_endpoints: {self._worker_endpoints}, "
            f"server_endpoints: {self._server_endpoints}"
        )

    def all_gather(self, input: Any) -> Any:
        """What all workers give; workers of a collective job alone meet.

        Args:
            input (object): this worker's.
        Returns:
            list|None: of each worker's.
        """
        print("warning: RoleMakerBase does not have all gather.")
        return None

    def all_reduce_worker(self, input: Any, output: Any, mode: str = "sum") -> None:
        """The sum, greatest or least of what the workers give; workers of a collective job alone meet.

        Args:
            input (list|ndarray): this worker's.
            output (list|ndarray): where the result is written.
            mode (str): "sum", "max" or "min".
        """
        print("warning: RoleMakerBase does not have all reduce worker.")

    def barrier_worker(self) -> None:
        """Wait for all workers; those of a collective job alone meet."""
        print("warning: RoleMakerBase does not have barrier worker.")

    def barrier_all(self) -> None:
        """Wait for all workers and servers; workers of a collective job alone meet."""
        print("warning: RoleMakerBase does not have barrier all.")


class _Answers(RoleMakerBase):
    """The questions, from what was read."""

    _trainers_num = 0

    def is_worker(self) -> bool:
        """Whether this process is a worker.

        Returns:
            bool: it is.
        """
        self.generate_role()
        return self._role == Role.WORKER

    def is_server(self) -> bool:
        """Whether this process is a server.

        Returns:
            bool: it is.
        """
        self.generate_role()
        return self._role == Role.SERVER

    def is_first_worker(self) -> bool:
        """Whether this is worker 0.

        Returns:
            bool: it is.
        """
        self.generate_role()
        return self._role == Role.WORKER and self._current_id == 0

    def worker_index(self) -> int:
        """This worker's number.

        Returns:
            int: from 0 on.
        """
        self.generate_role()
        return self._current_id

    def server_index(self) -> int:
        """This server's number.

        Returns:
            int: from 0 on.
        """
        self.generate_role()
        return self._current_id

    def worker_num(self) -> int:
        """How many workers there are.

        Returns:
            int: at least 1.
        """
        self.generate_role()
        return self._trainers_num


class _Collective(RoleMakerBase):
    """Workers that meet."""

    _is_collective = True

    def all_gather(self, input: Any) -> Any:
        """What all workers give.

        Args:
            input (object): this worker's.
        Returns:
            list|None: of each worker's.
        """
        if not self._is_collective:
            return super().all_gather(input)
        found = _meeting.gathered(input)
        return [input] if found is None else found

    def all_reduce_worker(self, input: Any, output: Any, mode: str = "sum") -> None:
        """The sum, greatest or least of what the workers give.

        Args:
            input (list|ndarray): this worker's.
            output (list|ndarray): where the result is written.
            mode (str): "sum", "max" or "min".
        """
        if not self._is_collective:
            super().all_reduce_worker(input, output, mode)
            return
        output[:] = _meeting.reduced(input, mode)

    def barrier_worker(self) -> None:
        """Wait for all workers."""
        _meeting.wait() if self._is_collective else super().barrier_worker()

    def barrier_all(self) -> None:
        """Wait for all workers."""
        _meeting.wait() if self._is_collective else super().barrier_all()


class PaddleCloudRoleMaker(_Collective, _Answers):
    """The role that the launcher gave to this process, in its environment.

    Args:
        is_collective (bool): workers train together, without servers.
    Raises:
        KeyError: with servers, a variable is missing.
        ValueError: a variable has a wrong value.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.base import role_maker
        >>> role = role_maker.PaddleCloudRoleMaker(is_collective=True)
        >>> role.generate_role()
        >>> role.worker_index(), role.worker_num()
        (0, 1)

    Follows Paddle 1.8.
    """

    def __init__(self, is_collective: bool = False) -> None:
        super().__init__()
        self._is_collective = is_collective

    def _read(self) -> None:
        if not self._is_collective:
            self._read_servers()
            return
        part = os.getenv("PADDLE_TRAINING_ROLE", "TRAINER")
        if part != "TRAINER":
            raise AssertionError(f"Invalid PADDLE_TRAINING_ROLE of a collective job. Expected TRAINER. Received: {part}")
        found = job.job()
        self._current_id, self._trainers_num = found.rank, found.size
        self._worker_endpoints = list(found.endpoints) or ["127.0.0.1:6170"]

    def _read_servers(self) -> None:
        servers = os.environ["PADDLE_PSERVERS_IP_PORT_LIST"].split(",")
        workers, part = int(os.environ["PADDLE_TRAINERS_NUM"]), os.environ["TRAINING_ROLE"]
        if part == "TRAINER":
            role, number = Role.WORKER, int(os.environ["PADDLE_TRAINER_ID"])
        elif part == "PSERVER":
            own = ":".join((os.environ["POD_IP"], os.environ["PADDLE_PORT"]))
            if own not in servers:
                raise ValueError(f"Invalid POD_IP and PADDLE_PORT. Expected one of {servers}. Received: {own}")
            role, number = Role.SERVER, servers.index(own)
        else:
            raise ValueError(f"Invalid TRAINING_ROLE. Expected TRAINER or PSERVER. Received: {part}")
        self._server_endpoints, self._trainers_num, self._role, self._current_id = servers, workers, role, number

    def get_pserver_endpoints(self) -> Any:
        """Where the servers are.

        Returns:
            list: "host:port" of each.
        """
        self.generate_role()
        return self._server_endpoints


class UserDefinedRoleMaker(_Answers):
    """A role that the user gives, in a job with servers.

    Args:
        current_id (int): this process's number among its like.
        role (Role): worker or server.
        worker_num (int): how many workers there are.
        server_endpoints (list): "host:port" of each server.
    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is out of its range, or endpoints repeat.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.base import role_maker
        >>> role = role_maker.UserDefinedRoleMaker(
        ...     current_id=0, role=role_maker.Role.SERVER, worker_num=2, server_endpoints=["127.0.0.1:6000"])
        >>> role.is_server(), role.worker_num()
        (True, 2)

    Follows Paddle 1.8.
    """

    def __init__(self, current_id: int = 0, role: int = Role.WORKER, worker_num: int = 0, server_endpoints: Any = None) -> None:
        super().__init__()
        _check_endpoints("server_endpoints", server_endpoints)
        if role not in (Role.WORKER, Role.SERVER):
            raise TypeError(f"role must be as Role. Received: {role!r}")
        _check_number("current_id", current_id)
        if role == Role.SERVER and current_id >= len(server_endpoints):
            raise ValueError(
                f"if role is Role.SERVER, current_id must be less than or equal to len(server_endpoints) - 1. Received: {current_id}"
            )
        if not isinstance(worker_num, int):
            raise TypeError(f"worker_num must be as int. Received: {worker_num!r}")
        if worker_num <= 0:
            raise ValueError(f"worker_num must be greater than 0. Received: {worker_num}")
        self._server_endpoints, self._role, self._current_id, self._trainers_num = server_endpoints, role, current_id, worker_num


class UserDefinedCollectiveRoleMaker(_Collective):
    """A worker that the user gives its place, in a job without servers.

    Args:
        current_id (int): this worker's number.
        worker_endpoints (list): "host:port" of each worker.
    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is out of its range, or endpoints repeat.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.base import role_maker
        >>> role = role_maker.UserDefinedCollectiveRoleMaker(0, ["127.0.0.1:6000"])
        >>> role.is_worker(), role.is_first_worker(), role.worker_index(), role.worker_num()
        (True, True, 0, 1)

    Follows Paddle 1.8.
    """

    def __init__(self, current_id: int = 0, worker_endpoints: Any = None) -> None:
        super().__init__()
        _check_endpoints("worker_endpoints", worker_endpoints)
        _check_number("current_id", current_id)
        if current_id >= len(worker_endpoints):
            raise ValueError(f"current_id must be less than or equal to len(worker_endpoints) - 1. Received: {current_id}")
        self._current_id, self._worker_endpoints = current_id, worker_endpoints

    def is_worker(self) -> bool:
        """Whether this process is a worker.

        Returns:
            bool: True.
        """
        return True

    def is_first_worker(self) -> bool:
        """Whether this is worker 0.

        Returns:
            bool: it is.
        """
        return self._current_id == 0

    def worker_index(self) -> int:
        """This worker's number.

        Returns:
            int: from 0 on.
        """
        return self._current_id

    def worker_num(self) -> int:
        """How many workers there are.

        Returns:
            int: at least 1.
        """
        return len(self._worker_endpoints)


def _check_endpoints(name: str, endpoints: Any) -> None:
    if not isinstance(endpoints, list):
        raise TypeError(f"{name} must be as string list. Received: {endpoints!r}")
    if not endpoints:
        raise ValueError(f"the length of {name} list must be greater than 0")
    if len(endpoints) != len(set(endpoints)):
        raise ValueError(f"{name} can't have duplicate elements. Expected different endpoints. Received: {endpoints}")
    if not all(isinstance(each, str) for each in endpoints):
        raise TypeError(f"every element in {name} list must be as string. Received: {endpoints}")


def _check_number(name: str, number: Any) -> None:
    if not isinstance(number, int):
        raise TypeError(f"{name} must be as int. Received: {number!r}")
    if number < 0:
        raise ValueError(f"{name} must be greater than or equal to 0")


class MPISymetricRoleMaker(RoleMakerBase):
    """Roles from MPI's ranks, which are not there.

    Raises:
        UnsupportedError: always.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.base import role_maker
        >>> try:
        ...     role_maker.MPISymetricRoleMaker()
        ... except NotImplementedError as error:
        ...     print(str(error).split(" (")[0])
        `fluid.incubate.fleet.base.role_maker.MPISymetricRoleMaker` is not supported by paddle_compat

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        raise UnsupportedError(f"fluid.incubate.fleet.base.role_maker.{type(self).__name__}", instead="PaddleCloudRoleMaker")


class GeneralRoleMaker(RoleMakerBase):
    """Roles of a job with servers that meet through a file system or HTTP, which is not there.

    Args:
        kwargs: kept.
    Raises:
        UnsupportedError: always.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.base import role_maker
        >>> try:
        ...     role_maker.GeneralRoleMaker()
        ... except NotImplementedError as error:
        ...     print(str(error).split(" (")[0])
        `fluid.incubate.fleet.base.role_maker.GeneralRoleMaker` is not supported by paddle_compat

    Follows Paddle 1.8.
    """

    def __init__(self, **kwargs: Any) -> None:
        raise UnsupportedError("fluid.incubate.fleet.base.role_maker.GeneralRoleMaker", instead="PaddleCloudRoleMaker")


__all__ = [
    "GeneralRoleMaker", "MPISymetricRoleMaker", "PaddleCloudRoleMaker", "Role", "RoleMakerBase", "UserDefinedCollectiveRoleMaker",
    "UserDefinedRoleMaker",
]  # fmt: skip

__getattr__ = missing(__name__)
