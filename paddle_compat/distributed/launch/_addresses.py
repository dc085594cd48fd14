"""Addresses and ports of this machine."""

from __future__ import annotations

import random
import socket
from pathlib import Path

_LOWEST = 10000  # well-known ones are below
_TRIES = 20


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
    """Ports that nobody has at the moment, and that the system gives to nobody who asks for any: some time passes until they are used."""
    free: list[socket.socket] = []
    try:
        below = _first_given()
        while len(free) < count:
            tried = [random.SystemRandom().randrange(_LOWEST, below) for _ in range(_TRIES)] if below > _LOWEST + _TRIES else []
            free.append(_bound(tried))
        return [each.getsockname()[1] for each in free]
    finally:
        for each in free:
            each.close()


def _bound(ports: list[int]) -> socket.socket:
    """A socket that has one of the ports; any other where all are taken."""
    for port in [*ports, 0]:
        found = socket.socket()
        try:
            found.bind(("", port))
        except OSError:
            found.close()
            if not port:
                raise
        else:
            return found
    raise AssertionError  # the last one returns or raises


def _first_given() -> int:
    """The lowest port that the system gives to those who ask for any; 0: unknown."""
    try:
        return int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return 0
