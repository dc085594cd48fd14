"""`paddle.fluid.contrib.slim.nas.search_agent`: asks a controller in another process."""

from __future__ import annotations

import socket
from collections.abc import Sequence

from paddle_compat._missing import missing


class SearchAgent:
    """Asks a ControllerServer.

    Args:
        server_ip (str): its host.
        server_port (int): its port.
        key (str): what it expects to hear.
    Raises:
        OSError: nobody listens there.
        ValueError: the server does not answer what is said with another key.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.fluid.contrib.slim.nas import ControllerServer, SearchAgent
        >>> from paddle_compat.fluid.contrib.slim.searcher import SAController
        >>> np.random.seed(0)
        >>> controller = SAController([7] * 3)
        >>> controller.reset([7] * 3, [1, 2, 3])
        >>> server = ControllerServer(controller, ("127.0.0.1", 0))
        >>> server.start()
        >>> SearchAgent("127.0.0.1", server.port()).next_tokens()
        [1, 1, 3]
        >>> server.close()

    Follows Paddle 1.8.
    """

    def __init__(self, server_ip: str | None = None, server_port: int | None = None, key: str | None = None) -> None:
        self.server_ip, self.server_port, self._key = server_ip, server_port, key

    def update(self, tokens: Sequence[int], reward: float) -> list[int]:
        """Say how good some choices were.

        Args:
            tokens (list): the choices.
            reward (float): how good they were.
        Returns:
            list of int: what to try next.
        Raises:
            OSError: nobody listens there.
            ValueError: the server does not answer.

        Example:
            >>> from paddle_compat.fluid.contrib.slim import nas, searcher
            >>> controller = searcher.SAController([2, 3, 4])
            >>> controller.reset([2, 3, 4], [1, 1, 3])
            >>> server = nas.ControllerServer(controller, address=("127.0.0.1", 0), key="here")
            >>> server.start()
            >>> tokens = nas.SearchAgent("127.0.0.1", server.port(), "here").update([1, 1, 3], 0.5)
            >>> server.close(); controller._max_reward, len(tokens)
            (0.5, 3)
        """
        return self._ask(f"{self._key}\t{','.join(str(token) for token in tokens)}\t{reward}")

    def next_tokens(self) -> list[int]:
        """Ask for choices.

        Returns:
            list of int: what to try next.
        Raises:
            OSError: nobody listens there.
            ValueError: the server does not answer.
        """
        return self._ask("next_tokens")

    def _ask(self, message: str) -> list[int]:
        with socket.create_connection((str(self.server_ip), int(self.server_port or 0))) as connection:
            connection.sendall(message.encode())
            answer = connection.recv(1024).decode()
        if not answer:
            raise ValueError(f"Invalid value for argument `key` of `SearchAgent`. Expected the server's. Received: {self._key!r}")
        return [int(float(token)) for token in answer.strip("\n").split(",")]


__all__ = ["SearchAgent"]

__getattr__ = missing(__name__)
