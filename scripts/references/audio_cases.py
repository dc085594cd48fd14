"""Record what `paddle.audio` answers, for tests/models/audio_calls.py."""

from typing import Any, Callable, Dict

WHEELS = ("2.6.2", "3.3.1")


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file for all cases."""
    return {f"audio_{version}.json.gz": lambda: record(version)}


def record(version: str) -> Dict[str, Any]:
    """What every case returns or raises."""
    import audio_calls
    import numpy as np
    import paddle
    import snippets

    cases = audio_calls.CASES_OF_3 if version[0] == "3" else audio_calls.CASES
    return {name: snippets.answer(code, {"paddle": paddle, "np": np}) for name, code in cases.items()}
