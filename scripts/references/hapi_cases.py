"""Record what `paddle.Model`, its callbacks, `paddle.summary` and `paddle.flops` print and return, for tests/models/hapi_runs.py."""

from typing import Any, Callable, Dict

WHEELS = ("2.6.2",)


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file for all cases."""
    return {f"hapi_{version}.json": record}


def record() -> Dict[str, Any]:
    """What every case prints and returns."""
    import hapi_runs
    import paddle

    paddle.disable_static()
    return {name: hapi_runs.run(paddle, case) for name, case in hapi_runs.cases(paddle).items()}
