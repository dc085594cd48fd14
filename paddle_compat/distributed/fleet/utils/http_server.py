"""`paddle.distributed.fleet.utils.http_server`: values under names, for all processes of a job to read and write."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base.log_helper import get_logger

_http_server_logger = get_logger(__name__.replace("paddle_compat", "paddle", 1), logging.INFO, fmt="%(asctime)s-%(levelname)s: %(message)s")


class KVHandler(SimpleHTTPRequestHandler):
    """What answers GET, PUT and DELETE of `/scope/key`.

    Example:
        >>> from http.server import SimpleHTTPRequestHandler
        >>> from paddle_compat.distributed.fleet.utils.http_server import KVHandler
        >>> issubclass(KVHandler, SimpleHTTPRequestHandler), KVHandler.do_GET.__name__, KVHandler.do_PUT.__name__
        (True, 'do_GET', 'do_PUT')
        >>> KVHandler.do_DELETE.__name__, KVHandler.send_status_code.__name__, KVHandler.log_message.__name__
        ('do_DELETE', 'send_status_code', 'log_message')

    Follows Paddle 2.6.
    """

    server: KVHTTPServer

    def _asked(self) -> tuple[str, str] | None:
        """The scope and the key, or None, which was answered."""
        parts = self.path.split("/")
        if len(parts) == 3:
            return parts[1], parts[2]
        _http_server_logger.error("Expected a path like /scope/key. Received: %s", self.path)
        self.send_status_code(400)
        return None

    def do_GET(self) -> None:
        """The value of a key, or 404."""
        if asked := self._asked():
            with self.server.kv_lock:
                value = self.server.kv.get(asked[0], {}).get(asked[1])
            if value is None:
                self.send_status_code(404)
            else:
                self._answer(200, value)

    def do_PUT(self) -> None:
        """A key gets the value that is sent."""
        value = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if asked := self._asked():
            with self.server.kv_lock:
                self.server.kv.setdefault(asked[0], {})[asked[1]] = value
            self.send_status_code(200)

    def do_DELETE(self) -> None:
        """A process is done with a key; the value stays for the others."""
        if asked := self._asked():
            with self.server.delete_kv_lock:
                self.server.delete_kv.setdefault(asked[0], set()).add(asked[1])
            self.send_status_code(200)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing.

        Args:
            format (str): of what would be said.
            args: in it.
        """

    def send_status_code(self, code: int) -> None:
        """Answer with a status and nothing else.

        Args:
            code (int): the status.
        """
        self._answer(code, b"")

    def _answer(self, code: int, value: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(value)))
        self.end_headers()
        self.wfile.write(value)


class KVHTTPServer(ThreadingHTTPServer):
    """The server: `kv` is what it holds, `delete_kv` what is done with.

    Args:
        port (int): where it listens.
        handler (class): `KVHandler`.

    Example:
        >>> from paddle_compat.distributed.fleet.utils.http_server import KVHandler, KVHTTPServer
        >>> server = KVHTTPServer(0, KVHandler)
        >>> server.get_deleted_size("worker")
        0
        >>> server.server_close()

    Follows Paddle 2.6.
    """

    def __init__(self, port: int, handler: Any) -> None:
        super().__init__(("", port), handler)
        self.kv_lock, self.delete_kv_lock = threading.Lock(), threading.Lock()
        self.kv: dict[str, dict[str, bytes]] = {}
        self.delete_kv: dict[str, set[str]] = {}

    def get_deleted_size(self, key: str) -> int:
        """How many keys of a scope are done with.

        Args:
            key (str): the scope.
        Returns:
            int.
        """
        with self.delete_kv_lock:
            return len(self.delete_kv.get(key, ()))


class KVServer:
    """Values under names, for all processes of a job to read and write by HTTP.

    Args:
        port (int): where it listens.
        size (dict): how many keys of each scope are to be done with before it may stop.

    Example:
        >>> from http.client import HTTPConnection
        >>> from paddle_compat.distributed.fleet.utils.http_server import KVServer
        >>> server = KVServer(0, {"worker": 1})
        >>> server.start()
        >>> client = HTTPConnection("127.0.0.1", server.http_server.server_port)
        >>> for method, value in (("PUT", b"10.0.0.1:6170"), ("GET", None), ("DELETE", None)):
        ...     client.request(method, "/worker/0", value); answer = client.getresponse(); print(answer.status, answer.read())
        200 b''
        200 b'10.0.0.1:6170'
        200 b''
        >>> server.should_stop()
        True
        >>> server.stop()

    Follows Paddle 2.6.
    """

    def __init__(self, port: int, size: Mapping[str, int] = {}) -> None:
        self.http_server = KVHTTPServer(port, KVHandler)
        self.size = size
        self.listen_thread: threading.Thread | None = None

    def start(self) -> None:
        """Listen, in a thread."""
        self.listen_thread = threading.Thread(target=self.http_server.serve_forever, args=(0.05,), daemon=True)
        self.listen_thread.start()

    def stop(self) -> None:
        """Listen no more."""
        if self.listen_thread is not None:
            self.http_server.shutdown()
            self.listen_thread.join()
        self.http_server.server_close()

    def should_stop(self) -> bool:
        """Whether as many keys of each scope are done with as `size` says.

        Returns:
            bool.
        """
        return all(self.http_server.get_deleted_size(scope) >= count for scope, count in self.size.items())


__all__ = ["KVHTTPServer", "KVHandler", "KVServer"]
__getattr__ = missing(__name__)
