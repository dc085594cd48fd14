"""`paddle.distributed.fleet.base.private_helper_function`: waiting for other processes."""

from __future__ import annotations

import socket
import sys
import time

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion

_SECONDS = 3.0


def wait_server_ready(endpoints: list[str]) -> None:
    """Wait until somebody listens at each endpoint.

    Args:
        endpoints (list): of "address:port".
    Raises:
        AssertionError: a text in place of the list.

    Example:
        >>> import socket
        >>> from paddle_compat.distributed.fleet.base.private_helper_function import wait_server_ready
        >>> with socket.create_server(("127.0.0.1", 0)) as server:
        ...     wait_server_ready([f"127.0.0.1:{server.getsockname()[1]}"])

    Follows Paddle 2.6.
    """
    if isinstance(endpoints, str):
        raise failed_assertion("endpoints", "a list of endpoints", endpoints, "wait_server_ready")
    while absent := [endpoint for endpoint in endpoints if not _listens(endpoint)]:
        sys.stderr.write(f"server not ready, wait {_SECONDS:g} sec to retry...\nnot ready endpoints:{absent}\n")
        sys.stderr.flush()
        time.sleep(_SECONDS)


def _listens(endpoint: str) -> bool:
    host, port = endpoint.split(":")[0], int(endpoint.split(":")[1])
    try:
        socket.create_connection((host, port), timeout=2).close()
    except OSError:
        return False
    return True


__all__ = ["wait_server_ready"]
__getattr__ = missing(__name__)
