"""Static or eager."""

from paddle_compat.core import mode as _mode


def in_dynamic_mode() -> bool:
    """Whether operators run at once.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.in_dynamic_mode()
        True

    Follows Paddle 2.6.
    """
    return _mode.in_dygraph_mode()


def in_pir_mode() -> bool:
    """Whether Paddle's new IR is recorded: never, Programs are the classic ones.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.framework.in_pir_mode()
        False

    Follows Paddle 2.6.
    """
    return False


def in_pir_executor_mode() -> bool:
    """Whether Programs of Paddle's new IR are run: never.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.framework.in_pir_executor_mode()
        False

    Follows Paddle 3.3.
    """
    return False


def in_cinn_mode() -> bool:
    """Whether all Programs go to CINN: never.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import framework
        >>> framework.in_cinn_mode()
        False

    Follows Paddle 3.3.
    """
    return False


def use_pir_api() -> bool:
    """Whether eager functions are recorded in Paddle's new IR: never.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.framework.use_pir_api()
        False

    Follows Paddle 2.6.
    """
    return False


def in_dynamic_or_pir_mode() -> bool:
    """Whether operators run at once.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.framework.in_dynamic_or_pir_mode()
        True

    Follows Paddle 2.6.
    """
    return _mode.in_dygraph_mode()


def disable_signal_handler() -> None:
    """Leave signals to others: there are no handlers of Paddle's here that could be in the way.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.disable_signal_handler()

    Follows Paddle 2.6.
    """
