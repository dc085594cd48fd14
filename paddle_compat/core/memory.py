"""The process's memory: what tensors free on the CPU is kept for the next ones.

The C library's malloc gives a large block back to the system as soon as it is freed, and a training step frees as much as it took:
every step then starts with pages that the system has to find and clear again, in places half the time of an operator like relu.
Paddle's own allocator keeps what it has; so does malloc when it is told to.
"""

from __future__ import annotations

import ctypes
import os

# malloc's parameters in <malloc.h>
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
KEPT = (1 << 31) - 1  # bytes that may lie free at the heap's end: as many as can be said
MAPPED = 1 << 28  # blocks from this size on are still mapped one by one and given back, as holes of that size would be dear


def keep_freed() -> None:
    """Tell glibc's malloc to keep freed memory; whoever has set malloc's parameters in the environment is left alone."""
    said = [name for name in os.environ if name.startswith("MALLOC_") and name.endswith("_")]
    if said or "glibc.malloc" in os.environ.get("GLIBC_TUNABLES", ""):
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "gnu_get_libc_version"):
        library.mallopt(_MMAP_THRESHOLD, MAPPED)
        library.mallopt(_TRIM_THRESHOLD, KEPT)
