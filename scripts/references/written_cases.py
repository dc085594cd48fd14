"""All that the Programs of short scripts say: written_VERSION.json.gz has what `written.observe` gives of every case."""

from __future__ import annotations

import functools
import importlib
from typing import Any, Callable, Dict

WHEELS = ("1.8.5", "2.6.2")


def record(version: str) -> Dict[str, Any]:
    """Every case of a wheel."""
    import paddle
    import written

    age = int(version[0])
    if age == 2:
        paddle.enable_static()
    else:
        import paddle.fluid
    table = importlib.import_module("written_fluid" if age == 1 else "written_static").TEXT
    return {name: written.observe(paddle, age, code) for name, code in written.cases(table).items()}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file for each wheel."""
    return {"written_%s.json.gz" % version: functools.partial(record, version)}
