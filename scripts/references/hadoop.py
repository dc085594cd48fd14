"""Clients of a Hadoop file system: hdfs_1.8.5.json and hdfs_2.6.2.json."""

from __future__ import annotations

import time
from typing import Any, Callable

import hadoop_cases

WHEELS = ("1.8.5", "2.6.2")


class Configs(dict):  # type: ignore[type-arg]
    """A dict as Python 2 had it, which 1.8's client expects."""

    iteritems = dict.items


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file of each wheel."""

    def record() -> Any:
        time.sleep = lambda seconds: None  # between tries
        home, calls = str(hadoop_cases.HOME), hadoop_cases.CALLS
        if version == "1.8.5":
            from paddle.fluid.incubate.fleet.utils.hdfs import HDFSClient

            return hadoop_cases.answers(HDFSClient(home, Configs(hadoop_cases.CONFIGS)), hadoop_cases.FLUID_CALLS)
        from paddle.distributed.fleet.utils.fs import HDFSClient

        return hadoop_cases.answers(HDFSClient(home, hadoop_cases.CONFIGS, time_out=300), calls)

    return {"hdfs_%s.json" % version: record}
