"""`paddle.distributed.fleet.base.role_maker`: which part a process plays in a job."""

from __future__ import annotations

import ast
import os
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import job, mode
from paddle_compat.core.errors import UnimplementedError, UnsupportedError
from paddle_compat.distributed.backup_env import getenv_or_backup
from paddle_compat.distributed.fleet.base import _meeting
from paddle_compat.distributed.fleet.base._gloo import Gloo
from paddle_compat.distributed.fleet.base.private_helper_function import wait_server_ready

_SAID_BY_LAUNCHERS = {  # attributes that hold what variables of the environment say, unread
    "_local_rank": "PADDLE_RANK_IN_NODE",
    "_local_device_ids": "PADDLE_LOCAL_DEVICE_IDS",
    "_world_device_ids": "PADDLE_WORLD_DEVICE_IDS",
}
_HETER = "PADDLE_ALL_HETER_TRAINER_IP_PORT_LIST"


class Role:
    """The parts that a process may play.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> fleet.Role.WORKER, fleet.Role.SERVER
        (1, 2)

    Follows Paddle 2.6.
    """

    WORKER = 1
    SERVER = 2
    HETER_WORKER = 3
    ALL = 4
    COORDINATOR = 5


class RoleMakerBase:
    """What says which part a process plays; use `PaddleCloudRoleMaker` or `UserDefinedRoleMaker`.

    Example:
        >>> from paddle_compat.distributed.fleet.base import role_maker
        >>> isinstance(role_maker.PaddleCloudRoleMaker(is_collective=True), role_maker.RoleMakerBase)
        True

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self._worker_endpoints: Any = []
        self._server_endpoints: Any = []
        self._cur_endpoint: Any = ""
        self._role_is_generated = False
        self._role: int | None = None
        self._current_id: Any = -1
        self._node_type = None
        self._is_heter_parameter_server_mode = False

    def _not_here(self) -> Any:
        raise UnimplementedError("Please implement this method in child class")

    _is_worker = _is_server = _is_first_worker = _worker_num = _server_num = _not_here
    _worker_index = _server_index = _role_id = _node_num = _not_here

    def _generate_role(self) -> None:
        """Find out which part this process plays."""

    def _get_trainer_endpoints(self) -> Any:
        return self._worker_endpoints

    def _get_pserver_endpoints(self) -> Any:
        return self._server_endpoints

    def to_string(self) -> str:
        """The role in one line.

        Returns:
            str: the role, this process's number, and the endpoints of workers and servers.

        Example:
            >>> from paddle_compat.distributed import fleet
            >>> role = fleet.UserDefinedRoleMaker(
            ...     current_id=0, role=fleet.Role.WORKER, worker_num=1, server_endpoints=["127.0.0.1:6000"])
            >>> role._generate_role(); role.to_string()
            "role: 1, current_id: 0, worker_endpoints: [], server_endpoints: ['127.0.0.1:6000']"
        """
        return (
            f"role: {self._role}, current_id: {self._current_id}, worker_endpoints: {self._worker_endpoints}, "
            f"server_endpoints: {self._server_endpoints}"
        )

    def _all_gather(self, input: Any, comm_world: str = "worker") -> Any:
        print("warning: RoleMakerBase does not have all gather worker.")

    def _all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        print("warning: RoleMakerBase does not have all reduce worker.")

    def _barrier(self, comm_world: str) -> None:
        print("warning: RoleMakerBase does not have barrier worker.")


class PaddleCloudRoleMaker(RoleMakerBase):
    """The role that the launcher gave to this process, in its environment.

    Args:
        is_collective (bool): workers train together, without servers.
        kwargs: kept; nothing in it acts.
    Raises:
        ValueError: with servers, a variable is missing or no number.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> role = fleet.PaddleCloudRoleMaker(is_collective=True)
        >>> _ = fleet.init(role)
        >>> fleet.worker_index(), fleet.worker_num()
        (0, 1)

    Follows Paddle 2.6.
    """

    def __init__(self, is_collective: bool = False, **kwargs: Any) -> None:
        super().__init__()
        self._is_collective = is_collective
        self._non_distributed = False
        self._kwargs = kwargs
        self._server_endpoints = []
        self._worker_endpoints = []
        self._stage_id: Any = 1
        self._stage_trainers: Any = []
        self._stage_num: Any = 1
        self._next_heter_trainer_endpoints: Any = []
        self._previous_heter_trainer_endpoints: Any = []
        self._heter_trainer_endpoints: Any = []
        self._heter_trainer_device = self._heter_trainer_device_type = "cpu"
        self._coordinator_endpoints: Any = None
        self._with_gloo = False  # a list of what one worker gives has one element

    # ---- who this is
    def _generate_role(self) -> None:
        if not self._role_is_generated:
            self._read()
            self._with_gloo = mode.in_dygraph_mode() is False and _asks_for_gloo()
            self._role_is_generated = True

    def _read(self) -> None:
        self._collective_env() if self._is_collective else self._ps_env()

    def _of(self, name: str) -> Any:
        self._generate_role()
        return getattr(self, name)

    def _is_worker(self) -> bool:
        return self._of("_role") == Role.WORKER

    def _is_server(self) -> bool:
        return self._of("_role") == Role.SERVER

    def _is_coordinator(self) -> bool:
        return self._of("_role") == Role.COORDINATOR

    def _is_heter_worker(self) -> bool:
        return self._of("_role") == Role.HETER_WORKER

    def _is_first_worker(self) -> bool:
        return self._of("_role") == Role.WORKER and self._current_id == 0

    def _is_non_distributed(self) -> bool:
        return self._of("_non_distributed")

    def _worker_index(self) -> int:
        return self._of("_current_id")

    _server_index = _role_id = _worker_index

    # ---- the others
    def _worker_num(self) -> int:
        return self._of("_trainers_num")

    def _server_num(self) -> int:
        return len(self._get_pserver_endpoints()) if self._get_pserver_endpoints() is not None else 0

    def _node_num(self) -> int:
        return self._of("_nodes_num")

    _get_node_num = _node_num

    def _heter_worker_num(self) -> int:
        return self._of("_heter_trainers_num")

    def _get_local_rank(self) -> Any:
        return self._of("_local_rank")

    def _get_local_device_ids(self) -> Any:
        return self._of("_local_device_ids")

    def _get_world_device_ids(self) -> Any:
        return self._of("_world_device_ids")

    def _get_trainer_endpoints(self) -> Any:
        return self._of("_worker_endpoints")

    def _get_pserver_endpoints(self) -> Any:
        return self._of("_server_endpoints")

    def _get_coordinator_endpoints(self) -> Any:
        return self._of("_coordinator_endpoints")

    def _get_trainer_endpoint(self) -> Any:
        _asserted(self._is_worker(), "get_trainer_endpoint should be called by trainer")
        return self._cur_endpoint

    def _get_heter_worker_endpoints(self) -> Any:
        found = self._of("_heter_trainer_endpoints")
        _asserted(found != [], "Heter Worker Endpoints Not initialized")
        return found

    def _get_heter_worker_endpoint(self) -> Any:
        _asserted(self._is_heter_worker(), "_get_heter_worker_endpoint should be invoked by heter worker")
        return self._cur_endpoint

    # ---- the stages of a pipeline
    def _get_stage_id(self) -> Any:
        return self._of("_stage_id")

    def _get_stage_trainers(self) -> Any:
        return self._of("_stage_trainers")

    def _get_num_stage(self) -> Any:
        return self._of("_stage_num")

    def _get_previous_trainers(self) -> Any:
        known = self._is_worker() or self._is_heter_worker()
        _asserted(known, "_get_previous_trainers should be invoked by trainer or heter worker")
        return self._previous_heter_trainer_endpoints

    def _get_next_trainers(self) -> Any:
        known = self._is_worker() or self._is_heter_worker()
        _asserted(known, "_get_next_trainers should be invoked by trainer or heter worker")
        return self._next_heter_trainer_endpoints

    def _heter_device(self) -> str:
        return self._of("_heter_trainer_device")

    def _heter_device_type(self) -> str:
        return self._of("_heter_trainer_device_type")

    # ---- meeting
    def _all_gather(self, input: Any, comm_world: str = "worker") -> Any:
        found = self._meeting.gathered(input) if self._meets("all_gather", comm_world) else None
        if found is None:
            return [input] if self._with_gloo else input
        return found

    def _all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        return self._meeting.reduced(input, mode) if self._meets("all_reduce", comm_world) else input

    def _barrier(self, comm_world: str) -> None:
        if self._meets("barrier", comm_world):
            self._meeting.wait()

    @property
    def _meeting(self) -> Any:
        """How workers meet: each other, or through a server."""
        if self._is_collective:
            return _meeting
        from paddle_compat.distributed.ps import _meeting as through_servers

        workers = self._worker_num(), self._worker_index()
        return through_servers.Meeting(job.Servers(tuple(self._get_pserver_endpoints()), *workers))

    def _meets(self, what: str, comm_world: str) -> bool:
        """Whether there are others to meet: workers do; servers are met by parameter server jobs alone."""
        if self._worker_num() == 1 and (self._is_collective or self._non_distributed):
            return False
        counts = {"worker": self._worker_num(), "server": self._server_num()}
        if counts.get(comm_world, sum(counts.values())) == 1:
            return False
        if comm_world != "worker" and not (self._is_collective and comm_world == "all") or self._is_server():
            raise UnsupportedError(f"fleet.util.{what}", f"comm_world={comm_world!r}", "comm_world='worker'")
        return True

    # ---- the environment
    def _collective_env(self) -> None:
        found = job.job()
        self._role, self._current_id, self._trainers_num = Role.WORKER, found.rank, found.size
        self._training_role = os.getenv("PADDLE_TRAINING_ROLE", "TRAINER")
        alone = found.size == 1 and not found.endpoints
        self._worker_endpoints = ["127.0.0.1:6170"] if alone else list(found.endpoints)
        self._cur_endpoint = (self._worker_endpoints[0] if alone else found.endpoint) or None
        self._non_distributed = alone
        self._nodes_num = -(-found.size // found.local_size)
        vars(self).update({attribute: os.environ.get(variable) for attribute, variable in _SAID_BY_LAUNCHERS.items()})

    def _ps_env(self) -> None:
        servers = os.getenv("PADDLE_PSERVERS_IP_PORT_LIST")
        self._heter_trainers_num, self._heter_trainer_endpoints = 0, []
        if servers is None:  # one process, which is all workers
            self._server_endpoints, self._heter_trainer_endpoints = "", None
            self._trainers_num, self._role, self._current_id, self._nodes_num = 1, Role.WORKER, 0, 1
            self._cur_endpoint, self._non_distributed = "", True
            return
        self._server_endpoints = servers.split(",")
        workers = os.getenv("PADDLE_TRAINER_ENDPOINTS", "")
        self._worker_endpoints = workers.split(",") if workers else []
        trainers_num = _needed("PADDLE_TRAINERS_NUM")
        role = _needed("TRAINING_ROLE")
        coordinators = os.getenv("PADDLE_COORDINATOR_ENDPOINTS", "")
        self._coordinator_endpoints = coordinators.split(",") if coordinators else ""
        if role not in ("TRAINER", "PSERVER", "HETER_TRAINER", "COORDINATOR"):
            raise ValueError(
                f"TRAINING_ROLE must be PSERVER or TRAINER or HETER_TRAINER or COORDINATOR, but get {role}, please check your environment."
            )
        if role == "HETER_TRAINER":
            raise UnsupportedError("fleet.PaddleCloudRoleMaker", "TRAINING_ROLE=HETER_TRAINER", "TRAINING_ROLE=TRAINER")
        if os.getenv(_HETER):  # who else trains: a job of trainers and servers alone would be another one
            raise UnsupportedError("fleet.PaddleCloudRoleMaker", _HETER, "PADDLE_TRAINER_ENDPOINTS")
        trainer = int(_needed("PADDLE_TRAINER_ID") if role == "TRAINER" else os.getenv("PADDLE_TRAINER_ID", "0"))
        own = _own_endpoint()
        if role == "TRAINER":
            part, number = Role.WORKER, trainer
        elif role == "PSERVER":
            part, number = Role.SERVER, self._server_endpoints.index(own)
        else:
            part, number = Role.COORDINATOR, trainer
        self._trainers_num, self._nodes_num = int(trainers_num), _nodes(self._worker_endpoints)
        self._role, self._current_id, self._cur_endpoint = part, number, own
        self._stage_trainers = ast.literal_eval(os.getenv("PADDLE_STAGE_TRAINERS_NUM", "[]"))


class UserDefinedRoleMaker(PaddleCloudRoleMaker):
    """A role that the user gives.

    Args:
        is_collective (bool): workers train together, without servers.
        init_gloo (bool): kept; workers meet anyway.
        kwargs: `current_id` (int), `role` (Role), `worker_num` (int), `worker_endpoints` (list), `server_endpoints` (list).
    Raises:
        AssertionError: with servers, the number of workers is not positive.
        TypeError: a list of endpoints is missing.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> role = fleet.UserDefinedRoleMaker(
        ...     is_collective=False, current_id=0, role=fleet.Role.WORKER, worker_num=2,
        ...     server_endpoints=["127.0.0.1:36011", "127.0.0.1:36012"])
        >>> role._worker_num(), role._server_num(), role._is_first_worker()
        (2, 2, True)

    Follows Paddle 2.6.
    """

    def __init__(self, is_collective: bool = False, init_gloo: bool = False, **kwargs: Any) -> None:
        super().__init__(is_collective, **kwargs)
        self._init_gloo = init_gloo

    def _read(self) -> None:
        given = self._kwargs
        if self._is_collective:
            self._current_id = given.get("current_id")
            self._worker_endpoints = given.get("worker_endpoints")
            self._trainers_num = len(self._worker_endpoints)
        else:
            self._server_endpoints = given.get("server_endpoints")
            self._worker_endpoints = given.get("worker_endpoints", [])
            self._trainers_num = given.get("worker_num", 0) or len(self._worker_endpoints)
            _asserted(self._trainers_num > 0, "worker_num, or the number of worker_endpoints, must be positive")
            self._role, self._current_id = given.get("role"), given.get("current_id", -1)
            own = self._server_endpoints if self._role == Role.SERVER else self._worker_endpoints
            if self._role == Role.SERVER or self._role == Role.WORKER and self._current_id < len(own):
                self._cur_endpoint = own[self._current_id]
        self._nodes_num = _nodes(self._worker_endpoints)


# how workers find each other by gloo in Paddle, and what each way needs; here they meet without
_WAYS = {"1": ("FS_NAME", "FS_UGI", "FS_PATH"), "2": ("FS_PATH",), "3": ()}


def _asks_for_gloo() -> bool:
    """Whether the environment asks for gloo, in a way that Paddle knows."""
    if os.getenv("PADDLE_WITH_GLOO", "0") not in ("1", "2"):
        return False
    way = os.getenv("PADDLE_GLOO_RENDEZVOUS", "0")
    missed = [f"PADDLE_GLOO_{name}" for name in _WAYS.get(way, ()) if not os.getenv(f"PADDLE_GLOO_{name}")]
    if way not in _WAYS or missed:
        given = f"{way}, without {', '.join(missed)}" if missed else way
        raise ValueError(
            "Invalid value for environment variable `PADDLE_GLOO_RENDEZVOUS`, which PADDLE_WITH_GLOO needs. Expected 1 (and "
            f"PADDLE_GLOO_FS_NAME, _FS_UGI and _FS_PATH), 2 (and PADDLE_GLOO_FS_PATH) or 3. Received: {given}"
        )
    return True


def _asserted(holds: bool, text: str) -> None:
    if not holds:
        raise AssertionError(text)


def _needed(variable: str) -> str:
    value = os.getenv(variable)
    if value is None:
        raise ValueError(f"Can not find {variable}, please check your environment.")
    return value


def _own_endpoint() -> str:
    port = _needed("PADDLE_PORT")
    return f"{_needed('POD_IP')}:{port}"


def _nodes(endpoints: list[str]) -> int:
    return len({endpoint.split(":")[0] for endpoint in endpoints})


__all__ = ["Gloo", "PaddleCloudRoleMaker", "Role", "RoleMakerBase", "UserDefinedRoleMaker"]

__getattr__ = missing(__name__)
_ = (getenv_or_backup, wait_server_ready)  # which scripts look for here
