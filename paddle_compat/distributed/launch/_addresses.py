"""Addresses and ports of this machine."""

from __future__ import annotations

import socket


def own_address() -> str:
    """This machine's address for others."""
    try:
        found = socket.gethostbyname(socket.getfqdn())
    except OSError:
        found = "127.0.0.1"
    if not found.startswith("127."):
        return found
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of nobody: nothing is sent, the system only chooses where it would leave from
            return str(probe.getsockname()[0])
        except OSError:
            return found


def free_ports(count: int) -> list[int]:
    """Ports that nobody has at the moment."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()
