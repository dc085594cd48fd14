"""`paddle.distributed.utils.process_utils`: on which cores a process runs."""

from paddle_compat._missing import missing

SUCCESS_CODE, FAIL_CODE = 0, 1


def set_affinity() -> int:
    """Keep the process to the cores beside its GPU: not done here, it may run on all that it was given.

    Returns:
        int: `FAIL_CODE`, as in Paddle where there is no GPU.

    Example:
        >>> from paddle_compat.distributed.utils import process_utils
        >>> process_utils.set_affinity() == process_utils.FAIL_CODE
        True

    Follows Paddle 3.3.
    """
    return FAIL_CODE


__all__ = ["FAIL_CODE", "SUCCESS_CODE", "set_affinity"]

__getattr__ = missing(__name__)
