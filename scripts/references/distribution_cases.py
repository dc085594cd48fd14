"""Record what distributions, transforms and divergences answer, for tests/models/distribution_runs.py."""

from typing import Any, Callable, Dict

WHEELS = ("2.6.2",)


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file for all cases."""
    return {f"distribution_{version}.json.gz": record}


def record() -> Dict[str, Any]:
    """What every case returns or raises."""
    import distribution_runs
    import paddle

    paddle.disable_static()
    return {name: distribution_runs.answer(case) for name, case in distribution_runs.cases(paddle).items()}
