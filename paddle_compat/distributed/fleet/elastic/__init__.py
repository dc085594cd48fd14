"""`paddle.distributed.fleet.elastic`: jobs whose machines come and go; the launcher runs them, with `--nnodes MIN:MAX`."""

from __future__ import annotations

import os
from argparse import Namespace

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed.fleet.elastic.manager import ELASTIC_EXIT_CODE

_INSTEAD = "python -m paddle.distributed.launch --nnodes MIN:MAX --max_restart N"


def enable_elastic(args: Namespace, distribute_mode: int) -> bool:
    """Whether a job's options or environment name an etcd server, a number of machines and a job, as Paddle's elastic launcher wants them.

    Args:
        args (Namespace): the options `elastic_server`, `job_id`, `np` and others.
        distribute_mode (int): kept; a `DistributeMode`.
    Returns:
        bool.

    Example:
        >>> import argparse
        >>> from paddle_compat.distributed.fleet.elastic import enable_elastic
        >>> enable_elastic(argparse.Namespace(elastic_server=None, job_id=None, np=None), 0)
        False

    Follows Paddle 2.6.
    """
    asked = {"elastic_server": "PADDLE_ELASTIC_SERVER", "job_id": "PADDLE_ELASTIC_JOB_ID", "np": "PADDLE_ELASTIC_NP"}
    return all(getattr(args, option, None) or os.getenv(variable) for option, variable in asked.items())


def launch_elastic(args: Namespace, distribute_mode: int) -> None:
    """Start an elastic job by an etcd server, which is not there.

    Args:
        args (Namespace): the options.
        distribute_mode (int): a `DistributeMode`.
    Raises:
        UnsupportedError: always.

    Example:
        >>> from paddle_compat.distributed.fleet.elastic import launch_elastic
        >>> try:
        ...     launch_elastic(None, 0)
        ... except NotImplementedError as error:
        ...     print("--nnodes MIN:MAX" in str(error))
        True

    Follows Paddle 2.6.
    """
    raise UnsupportedError("fleet.elastic.launch_elastic", instead=_INSTEAD)


__all__ = ["ELASTIC_EXIT_CODE", "enable_elastic", "launch_elastic"]
__getattr__ = missing(__name__)
