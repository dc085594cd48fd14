"""`paddle.fluid.contrib.slim.nas.controller_server`: lets several processes ask one controller."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base.log_helper import get_logger

_NAME = "ControllerServer"
logger = get_logger("paddle.fluid.contrib.slim.nas.controller_server", logging.INFO, fmt=f"{_NAME}-%(asctime)s-%(levelname)s: %(message)s")
_BYTES = 1024  # a message, as in Paddle 1.8: both ends send all of one at once, and then close or wait


class ControllerServer:
    """Listens for agents, which say how good choices were and ask for the next ones.

    Args:
        controller (EvolutionaryController): gives the choices.
        address (tuple): the host's name and the port; port 0: one that is free.
        max_client_num (int): how many agents may wait for an answer.
        search_steps (int): how many answers there are to be; None: no end.
        key (str): what agents have to say so that what they tell counts.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.fluid.contrib.slim.nas import ControllerServer, SearchAgent
        >>> from paddle_compat.fluid.contrib.slim.searcher import SAController
        >>> np.random.seed(0)
        >>> controller = SAController([7] * 3)
        >>> controller.reset([7] * 3, [1, 2, 3])
        >>> server = ControllerServer(controller, ("127.0.0.1", 0), key="mine")
        >>> server.start()
        >>> agent = SearchAgent(server.ip(), server.port(), key="mine")
        >>> agent.update([1, 2, 5], 0.5), agent.next_tokens()
        ([1, 1, 5], [1, 2, 2])
        >>> server.close()

    `run` listens in the calling thread, until a server is closed from another one:

        >>> server = ControllerServer(controller, ("127.0.0.1", 0))
        >>> server.start(); server.close(); server.run()

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        controller: Any = None,
        address: tuple[str, int] = ("", 0),
        max_client_num: int = 100,
        search_steps: int | None = None,
        key: str | None = None,
    ) -> None:
        self._controller, self._address, self._max_client_num = controller, address, max_client_num
        self._search_steps, self._key, self._closed = search_steps, key, False
        self._ip, self._port = address

    def start(self) -> None:
        """Listen, and answer in a thread."""
        self._socket_server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket_server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket_server.bind(self._address)
        self._socket_server.listen(self._max_client_num)
        self._ip, self._port = self._socket_server.getsockname()
        logger.info("listen on: [%s:%s]", self._ip, self._port)
        threading.Thread(target=self.run, daemon=True).start()  # a search that ends does not wait for it

    def close(self) -> None:
        """Answer nobody any more."""
        self._closed = True
        with contextlib.suppress(OSError):  # what waits for an agent has to wake up
            self._socket_server.shutdown(socket.SHUT_RDWR)
        self._socket_server.close()

    def port(self) -> int:
        """The port.

        Returns:
            int.
        """
        return self._port

    def ip(self) -> str:
        """The host.

        Returns:
            str.
        """
        return self._ip

    def run(self) -> None:
        """Answer agents until there have been enough answers, or the server is closed."""
        logger.info("Controller Server run...")
        answers = 0
        while not self._closed and (self._search_steps is None or answers < self._search_steps):
            try:
                connection, agent = self._socket_server.accept()
            except OSError:
                return
            with connection:
                said = connection.recv(_BYTES).decode()
                if said.strip() != "next_tokens":
                    logger.info("recv message from %s: [%s]", agent, said)
                    words = said.strip("\n").split("\t")
                    if len(words) < 3 or words[0] != self._key:
                        logger.info("recv illegal message from %s", agent)
                        continue
                    self._controller.update([int(float(token)) for token in words[1].split(",")], float(words[2]))
                    answers += 1
                tokens = ",".join(str(token) for token in self._controller.next_tokens())
                connection.sendall(tokens.encode())
                logger.info("send message to %s: [%s]", agent, tokens)


__all__ = ["ControllerServer"]

__getattr__ = missing(__name__)
