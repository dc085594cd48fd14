"""What a process of a job asks about itself and the others, alike in the fleets of Paddle 1.8 and of 2."""

from __future__ import annotations

from typing import Any


class Places:
    """A fleet whose role maker says which part this process plays.

    Follows Paddle 1.8 and 2.6.
    """

    _prefix = ""  # in front of the names of the role maker's methods
    _role_maker: Any = None

    def _role(self) -> Any:
        if self._role_maker is None:
            raise AttributeError("Nobody has said which part this process plays. Expected fleet.init() before this call. Received: none")
        return self._role_maker

    def _ask(self, name: str) -> Any:
        return getattr(self._role(), self._prefix + name)()

    def is_first_worker(self) -> bool:
        """Whether this is worker 0.

        Returns:
            bool: it is.
        """
        return self._ask("is_first_worker")

    def worker_index(self) -> int:
        """This worker's number.

        Returns:
            int: from 0 on.
        """
        return self._ask("worker_index")

    def worker_num(self) -> int:
        """How many workers there are.

        Returns:
            int: at least 1.
        """
        return self._ask("worker_num")

    def is_worker(self) -> bool:
        """Whether this process is a worker.

        Returns:
            bool: it is.
        """
        return self._ask("is_worker")

    def worker_endpoints(self, to_string: bool = False) -> Any:
        """Where the workers are.

        Args:
            to_string (bool): one text, with commas.
        Returns:
            list|str: "host:port" of each.
        """
        found = self._ask("get_trainer_endpoints")
        return ",".join(found) if to_string else found

    def server_num(self) -> int:
        """How many servers there are.

        Returns:
            int: 0 without servers.
        """
        return len(self._ask("get_pserver_endpoints") or ())

    def server_index(self) -> int:
        """This server's number.

        Returns:
            int: from 0 on.
        """
        return self._ask("server_index")

    def server_endpoints(self, to_string: bool = False) -> Any:
        """Where the servers are.

        Args:
            to_string (bool): one text, with commas.
        Returns:
            list|str: "host:port" of each.
        """
        found = self._ask("get_pserver_endpoints")
        return ",".join(found) if to_string else found

    def is_server(self) -> bool:
        """Whether this process is a server.

        Returns:
            bool: it is.
        """
        return self._ask("is_server")
