"""`paddle.distributed.fleet.elastic.manager`: the words of elastic jobs."""

from __future__ import annotations

from paddle_compat._missing import missing

ELASTIC_EXIT_CODE = 101
ELASTIC_AUTO_PARALLEL_EXIT_CODE = 102
ELASTIC_TIMEOUT = 120
ELASTIC_TTL = 60


class ElasticLevel:
    """What a job does when a process fails.

    Example:
        >>> from paddle_compat.distributed.fleet.elastic.manager import ElasticLevel
        >>> ElasticLevel.FAULT_TOLERANCE, ElasticLevel.ELASTIC
        (1, 2)

    Follows Paddle 2.6.
    """

    FAULT_TOLERANCE = 1
    ELASTIC = 2


class ElasticStatus:
    """How an elastic job stands.

    Example:
        >>> from paddle_compat.distributed.fleet.elastic.manager import ElasticStatus
        >>> ElasticStatus.COMPLETED, ElasticStatus.RESTART
        ('completed', 'restart')

    Follows Paddle 2.6.
    """

    COMPLETED = "completed"
    ERROR = "error"
    HOLD = "hold"
    RESTART = "restart"
    EXIT = "exit"


__all__ = ["ElasticLevel", "ElasticStatus"]
__getattr__ = missing(__name__)
