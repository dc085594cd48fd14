"""Python's standard library as Paddle's scripts know it.

Paddle 1.8 runs on Python 3.7 at the latest, and scripts of its time lean on what Python has taken away since. Only what would be an
error otherwise is put back: here, in modules that PyTorch has loaded or that load at once; the first of it with the hook (`_alias.py`).
"""

from __future__ import annotations

import base64
import collections
import fractions
import inspect
import math
import threading
from typing import Any


def restore() -> None:
    """Put back names that Python took away, but for those that scripts import above their first `import paddle`."""
    _put(inspect, "ArgSpec", collections.namedtuple("ArgSpec", "args varargs keywords defaults"))  # gone in 3.11, as what follows
    _put(inspect, "getargspec", _getargspec)
    _put(threading.Thread, "isAlive", threading.Thread.is_alive)  # gone in 3.9, as what follows
    _put(fractions, "gcd", math.gcd)
    _put(base64, "encodestring", base64.encodebytes)
    _put(base64, "decodestring", base64.decodebytes)


def _getargspec(func: Any) -> Any:
    return vars(inspect)["ArgSpec"](*inspect.getfullargspec(func)[:4])


def _put(owner: Any, name: str, value: Any) -> None:
    if not hasattr(owner, name):
        setattr(owner, name, value)
