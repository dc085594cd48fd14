"""Enumerations of Paddle's C++ module: profiler states, sort keys, levels of mixed precision."""

from __future__ import annotations

from enum import IntEnum


class Kind(IntEnum):
    """Members print with their class's name, as pybind's do."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


class ProfilerState(Kind):
    """What a profiler watches.

    Example:
        >>> from paddle_compat.base import core
        >>> core.ProfilerState.kCPU is core.kCPU
        True

    Follows Paddle 1.8 and 2.6.
    """

    kDisabled = 0
    kCPU = 1
    kCUDA = 2
    kAll = 3


class EventSortingKey(Kind):
    """By which column a profiler's report is ordered.

    Example:
        >>> from paddle_compat.base import core
        >>> core.EventSortingKey.kTotal is core.kTotal
        True

    Follows Paddle 1.8 and 2.6.
    """

    kDefault = 0
    kCalls = 1
    kTotal = 2
    kMin = 3
    kMax = 4
    kAve = 5


class TracerOption(Kind):
    """How much a profiler tells of each operator.

    Example:
        >>> from paddle_compat.base import core
        >>> core.TracerOption.kOpDetail is core.kOpDetail
        True

    Follows Paddle 2.6.
    """

    kDefault = 0
    kOpDetail = 1
    kAllOpDetail = 2


class TracerEventType(Kind):
    """What a range of time in a profiler's trace is.

    Example:
        >>> from paddle_compat.base import core
        >>> core.TracerEventType.Forward.name, int(core.TracerEventType.Forward)
        ('Forward', 9)

    Follows Paddle 2.6.
    """

    Operator = 0
    Dataloader = 1
    ProfileStep = 2
    CudaRuntime = 3
    Kernel = 4
    Memcpy = 5
    Memset = 6
    UserDefined = 7
    OperatorInner = 8
    Forward = 9
    Backward = 10
    Optimization = 11
    Communication = 12
    PythonOp = 13
    PythonUserDefined = 14


class AmpLevel(Kind):
    """Levels of automatic mixed precision.

    Example:
        >>> from paddle_compat.base import core
        >>> core.AmpLevel.O1.name, int(core.AmpLevel.O1)
        ('O1', 1)

    Follows Paddle 2.6.
    """

    O0 = 0
    O1 = 1
    O2 = 2
    O3 = 3
    OD = 4
