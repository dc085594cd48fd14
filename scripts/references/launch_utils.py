"""Jobs as scripts describe them that start their processes themselves: launch_utils_2.6.2.json."""

from __future__ import annotations

from typing import Any, Callable

import launch_utils_cases

WHEELS = ("2.6.2",)


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""

    def record() -> Any:
        from paddle.distributed import cloud_utils
        from paddle.distributed.utils import launch_utils

        return launch_utils_cases.answers(launch_utils, cloud_utils)

    return {"launch_utils_%s.json" % version: record}
