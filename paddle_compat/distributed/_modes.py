"""Kinds of parallel training."""


class ParallelMode:
    """How a model is trained by several processes.

    Example:
        >>> import paddle_compat as paddle
        >>> mode = paddle.distributed.ParallelMode
        >>> mode.DATA_PARALLEL, mode.TENSOR_PARALLEL, mode.PIPELINE_PARALLEL, mode.SHARDING_PARALLEL, mode.SEGMENT_PARALLEL
        (0, 1, 2, 3, 4)

    Follows Paddle 2.6.
    """

    DATA_PARALLEL = 0
    TENSOR_PARALLEL = 1
    PIPELINE_PARALLEL = 2
    SHARDING_PARALLEL = 3
    SEGMENT_PARALLEL = 4
