"""Record what `paddle.sparse` answers, for tests/models/sparse_calls.py."""

from typing import Any, Callable, Dict

WHEELS = ("2.6.2", "3.3.1")


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file for all cases."""
    return {f"sparse_{version}.json.gz": lambda: record(version)}


def record(version: str) -> Dict[str, Any]:
    """What every case returns or raises; None where the wheel crashes."""
    import numpy as np
    import paddle
    import snippets
    import sparse_calls
    from child_process import asked

    names = {"paddle": paddle, "np": np}
    cases = sparse_calls.CASES_OF_3 if version[0] == "3" else sparse_calls.CASES
    return {name: next(iter(asked(lambda code=code: snippets.answer(code, names))), None) for name, code in cases.items()}
