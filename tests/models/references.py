"""What the real wheels recorded about the models, and the `paddle` that the model scripts import here."""

from __future__ import annotations

import functools
import gzip
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
VERSIONS = ("1.8.5", "2.6.2")


@functools.lru_cache(maxsize=None)
def recorded(kind: str, version: str) -> dict[str, Any]:
    """A data file, by name."""
    path = HERE.parent / "references" / f"{kind}_{version}.json.gz"
    content: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return content


@contextmanager
def paddle_is_ours() -> Iterator[None]:
    """Inside, `import paddle` gives paddle_compat, and the model scripts can be imported."""
    import paddle_compat

    sys.path.insert(0, str(HERE))
    paddle_compat.install()
    try:
        yield
    finally:
        paddle_compat.uninstall()
        sys.path.remove(str(HERE))
