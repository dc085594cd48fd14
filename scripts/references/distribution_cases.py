"""Record what distributions, transforms and divergences answer, for tests/models/distribution_runs.py."""

from typing import Any, Callable, Dict

WHEELS = ("2.6.2", "3.3.1")


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file for all cases."""
    return {f"distribution_{version}.json.gz": record_3 if version[0] == "3" else record}


def record() -> Dict[str, Any]:
    """What every case returns or raises."""
    import distribution_runs
    import paddle

    paddle.disable_static()
    return {name: distribution_runs.answer(case) for name, case in distribution_runs.cases(paddle).items()}


def record_3() -> Dict[str, Any]:
    """What every case of Paddle 3's distributions returns or raises; None where the wheel crashes."""
    import distribution_runs
    import paddle
    from child_process import asked

    cases = distribution_runs.cases_of_3(paddle)
    return {name: next(iter(asked(lambda case=case: distribution_runs.answer(case))), None) for name, case in cases.items()}
