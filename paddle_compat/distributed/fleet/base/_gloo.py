"""Processes that meet by a folder or a port which the script names, beside the job's own groups."""

from __future__ import annotations

import datetime
import os
import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.distributed.fleet.base import _meeting

_PATIENCE = datetime.timedelta(seconds=3600)
_WORLDS = ("worker", "server", "all")


class _World:
    """Some of the processes, which hand each other values by a store."""

    def __init__(self, store: Any, rank: int, size: int, hosts: bool) -> None:
        self.store, self.rank, self.size = store, rank, size
        self.hosts = hosts  # the store ends with this process
        self.calls = 0

    def gathered(self, value: Any) -> list[Any]:
        self.store.set(f"{self.calls}/{self.rank}", pickle.dumps(value))
        found = [pickle.loads(self.store.get(f"{self.calls}/{rank}")) for rank in range(self.size)]
        if self.hosts:
            self.store.wait([f"{self.calls}/read/{rank}" for rank in range(self.size) if rank != self.rank])
        else:
            self.store.set(f"{self.calls}/read/{self.rank}", "")
        if self.calls:  # all have come to this call, so all have read what belongs to the one before
            self.store.delete_key(f"{self.calls - 1}/{self.rank}")
            self.store.delete_key(f"{self.calls - 1}/read/{self.rank}")
        self.calls += 1
        return found


class Gloo:
    """Processes that meet by a folder which all of them see, or by a port of the first one.

    Example:
        >>> import tempfile
        >>> from paddle_compat.distributed.fleet.base.role_maker import Gloo, Role
        >>> gloo = Gloo()
        >>> gloo.init(Gloo.RENDEZVOUS.FILE, Role.WORKER, 0, 1, 0, kwargs={"dfs.path": tempfile.mkdtemp()})
        >>> gloo.barrier("worker"); gloo.all_gather(5), gloo.all_reduce([1, 2], "max")
        ([5], array([1, 2]))

    Follows Paddle 2.6.
    """

    class RENDEZVOUS:
        """Where they meet."""

        HDFS = 1
        FILE = 2
        HTTP = 3

    def __init__(self) -> None:
        self._worlds: dict[str, _World] = {}
        self._is_initialized = False

    def init(
        self,
        rendezvous: int,
        role: int,
        role_id: int,
        worker_num: int,
        server_num: int,
        need_init_all: bool = False,
        kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        """Meet the others.

        Args:
            rendezvous (int): `Gloo.RENDEZVOUS.FILE` or `Gloo.RENDEZVOUS.HTTP`.
            role (int): `Role.WORKER` or `Role.SERVER`.
            role_id (int): which of the workers or servers this is.
            worker_num (int): how many workers there are.
            server_num (int): how many servers there are.
            need_init_all (bool): workers and servers meet, too: "all".
            kwargs (dict): "dfs.path" for a folder; "http.host", "http.port" and "start_http_server" (the first one says True) for a port.
        Raises:
            ValueError: another place, or `kwargs` does not say where.
            UnsupportedError: HDFS.
        """
        given = dict(kwargs or {})
        leads = False
        worlds = {"worker": (role_id, worker_num)} if role == 1 else {"server": (role_id, server_num)}
        if need_init_all:
            worlds["all"] = (role_id if role == 1 else worker_num + role_id, worker_num + server_num)
        if rendezvous == self.RENDEZVOUS.HDFS:
            raise UnsupportedError("fleet.base.role_maker.Gloo.init", "RENDEZVOUS.HDFS", "RENDEZVOUS.FILE or RENDEZVOUS.HTTP")
        if rendezvous == self.RENDEZVOUS.FILE and given.get("dfs.path"):
            os.makedirs(given["dfs.path"], exist_ok=True)
            stores: dict[str, Any] = {}
            for name, (_, size) in worlds.items():
                stores[name] = torch.distributed.FileStore(os.path.join(given["dfs.path"], name), size)
                stores[name].set_timeout(_PATIENCE)
        elif rendezvous == self.RENDEZVOUS.HTTP and given.get("http.host") and given.get("http.port"):
            leads = bool(given.get("start_http_server", False))
            address = (given["http.host"], int(given["http.port"]))
            one = torch.distributed.TCPStore(*address, is_master=leads, timeout=_PATIENCE, wait_for_workers=False)
            stores = {name: torch.distributed.PrefixStore(name, one) for name in worlds}
        else:
            expected = "RENDEZVOUS.FILE with dfs.path, or HTTP with http.host and http.port"
            raise invalid_argument("rendezvous, kwargs", expected, (rendezvous, kwargs), "Gloo.init")
        self._worlds = {name: _World(stores[name], *place, leads) for name, place in worlds.items()}
        self._is_initialized = True

    def _world(self, name: str) -> _World:
        if name not in _WORLDS:
            raise invalid_argument("comm_world", "worker, server or all", name, "Gloo")
        if name not in self._worlds:
            text = f"This process has not met the others of comm_world {name!r}. Expected its own role, or init(need_init_all=True)."
            raise AttributeError(text)
        return self._worlds[name]

    def barrier(self, comm_world: str) -> None:
        """Wait for the others.

        Args:
            comm_world (str): "worker", "server" or "all".
        """
        if self._is_initialized:
            self._world(comm_world).gathered(None)

    def all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        """The sum, greatest or least of what the processes give, element by element.

        Args:
            input (number|list|ndarray): this process's, of the same shape for all.
            mode (str): "sum", "max" or "min".
            comm_world (str): "worker", "server" or "all".
        Returns:
            ndarray: what was given, before `init`.
        """
        if not self._is_initialized:
            return input
        return _meeting.combined(self._world(comm_world).gathered(np.asarray(input)), mode)

    def all_gather(self, input: Any, comm_world: str = "worker") -> Any:
        """What all processes give.

        Args:
            input (any): this process's, which can be pickled.
            comm_world (str): "worker", "server" or "all".
        Returns:
            list: what was given, before `init`.
        """
        return self._world(comm_world).gathered(input) if self._is_initialized else input
