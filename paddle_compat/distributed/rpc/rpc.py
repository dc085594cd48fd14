"""`paddle.distributed.rpc.rpc`: join the workers, call functions in them, leave."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument
from paddle_compat.engine.rpc_world import Answer, WorkerInfo, World

_DEFAULT_RPC_TIMEOUT = -1
_world: World | None = None


def _joined() -> World:
    if _world is None:
        raise PreconditionNotMetError("This process is no worker. Expected paddle.distributed.rpc.init_rpc to be called before.")
    return _world


def _said(variables: Sequence[str], argument: str) -> str:
    """What the environment says in place of an argument."""
    found = next((os.environ[name] for name in variables if name in os.environ), None)
    if found is None:
        raise invalid_argument(argument, f"a value, or {' or '.join(variables)} in the environment", None, "init_rpc")
    return found


def init_rpc(name: str, rank: int | None = None, world_size: int | None = None, master_endpoint: str | None = None) -> None:
    """Become a worker that others can call, and wait until all are there.

    Who can reach a worker's port can make it run code: use it in networks that you trust. A worker listens only at the
    interface that leads to `master_endpoint`.

    Args:
        name (str): the worker's name, which no other has.
        rank (int): its number; None: PADDLE_TRAINER_ID.
        world_size (int): how many workers there are; None: PADDLE_TRAINERS_NUM.
        master_endpoint (str): "host:port" where worker 0 lets them meet; None: PADDLE_MASTER_ENDPOINT, or where the launcher does.
    Raises:
        PreconditionNotMetError: this process is a worker already.
        InvalidArgumentError: something is neither given nor in the environment.
        AlreadyExistsError: two workers have one name.
        ExecutionTimeoutError: not all have come within FLAGS_stop_check_timeout seconds (900).

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import rpc
        >>> rpc.init_rpc("worker0", rank=0, world_size=1, master_endpoint="127.0.0.1:8001")  # doctest: +SKIP
        >>> rpc.rpc_sync("worker0", max, args=(2, 3))  # doctest: +SKIP
        3
        >>> rpc.shutdown()  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    global _world
    if _world is not None:
        raise PreconditionNotMetError(f"This process is worker {_world.own.name!r} already. Expected rpc.shutdown before another init_rpc.")
    number = int(_said(("PADDLE_TRAINER_ID",), "rank")) if rank is None else rank
    size = int(_said(("PADDLE_TRAINERS_NUM",), "world_size")) if world_size is None else world_size
    endpoint = master_endpoint or _said(("PADDLE_MASTER_ENDPOINT", "PADDLE_MASTER"), "master_endpoint")
    host, _, port = endpoint.rpartition(":")
    if not host or not port.isdigit():
        raise invalid_argument("master_endpoint", "'host:port'", repr(endpoint), "init_rpc")
    if not 0 <= number < size:
        raise invalid_argument("rank", f"0 to {size - 1}", number, "init_rpc")
    seconds = float(os.environ.get("FLAGS_stop_check_timeout", 900))
    _world = World(name, number, size, host, int(port), os.environ.get("PADDLE_WORKER_ENDPOINT"), seconds)
    try:
        _world.enter()  # others may call before it returns
    except BaseException:
        _world = None
        raise


def rpc_sync(
    to: str,
    fn: Callable[..., Any],
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    timeout: float = _DEFAULT_RPC_TIMEOUT,
) -> Any:
    """Call a function in a worker and wait for its value.

    Args:
        to (str): the worker's name.
        fn (callable): a function that the worker can import; it and all values are pickled.
        args (tuple): its arguments by position.
        kwargs (dict): its arguments by name.
        timeout (float): seconds; without end where not positive.
    Returns:
        What the function returns.
    Raises:
        PreconditionNotMetError: this process is no worker.
        NotFoundError: no worker has the name.
        ExecutionTimeoutError: the time is over.
        UnavailableError: the worker is gone.

    Example:
        >>> from paddle_compat.distributed import rpc
        >>> rpc.rpc_sync("worker1", pow, args=(2, 3))  # doctest: +SKIP
        8

    Follows Paddle 2.6.
    """
    return rpc_async(to, fn, args, kwargs, timeout).wait()


def rpc_async(
    to: str,
    fn: Callable[..., Any],
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    timeout: float = _DEFAULT_RPC_TIMEOUT,
) -> Answer:
    """Call a function in a worker and go on.

    Args:
        to (str): the worker's name.
        fn (callable): a function that the worker can import; it and all values are pickled.
        args (tuple): its arguments by position.
        kwargs (dict): its arguments by name.
        timeout (float): seconds; without end where not positive.
    Returns:
        An object whose `wait()` gives what the function returns, or raises what it raised.
    Raises:
        PreconditionNotMetError: this process is no worker.
        NotFoundError: no worker has the name.

    Example:
        >>> from paddle_compat.distributed import rpc
        >>> answer = rpc.rpc_async("worker1", pow, args=(2, 3))  # doctest: +SKIP
        >>> answer.wait()  # doctest: +SKIP
        8

    Follows Paddle 2.6.
    """
    return _joined().call(to, fn, tuple(args or ()), dict(kwargs or {}), timeout)


def shutdown() -> None:
    """Wait until all workers are here, and be none any more.

    Raises:
        PreconditionNotMetError: this process is no worker.

    Example:
        >>> from paddle_compat.distributed import rpc
        >>> rpc.shutdown()  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    global _world
    _joined().leave()  # the others may call until all are here
    _world = None


def get_worker_info(name: str) -> WorkerInfo:
    """Who has a name.

    Args:
        name (str): a worker's name.
    Returns:
        WorkerInfo: name, rank, ip, port (0 where nobody gave the worker an address).
    Raises:
        PreconditionNotMetError: this process is no worker.
        NotFoundError: no worker has the name.

    Example:
        >>> from paddle_compat.distributed import rpc
        >>> rpc.get_worker_info("worker1").rank  # doctest: +SKIP
        1

    Follows Paddle 2.6.
    """
    return _joined().info(name)


def get_all_worker_infos() -> list[WorkerInfo]:
    """All workers.

    Returns:
        list: WorkerInfos by their ranks.
    Raises:
        PreconditionNotMetError: this process is no worker.

    Example:
        >>> from paddle_compat.distributed import rpc
        >>> [each.name for each in rpc.get_all_worker_infos()]  # doctest: +SKIP
        ['worker0', 'worker1']

    Follows Paddle 2.6.
    """
    return list(_joined().workers.values())


def get_current_worker_info() -> WorkerInfo:
    """This worker.

    Returns:
        WorkerInfo: name, rank, ip, port.
    Raises:
        PreconditionNotMetError: this process is no worker.

    Example:
        >>> from paddle_compat.distributed import rpc
        >>> rpc.get_current_worker_info().name  # doctest: +SKIP
        'worker0'

    Follows Paddle 2.6.
    """
    return _joined().own


__all__ = [
    "WorkerInfo", "get_all_worker_infos", "get_current_worker_info", "get_worker_info", "init_rpc", "rpc_async", "rpc_sync",
    "shutdown",
]  # fmt: skip

__getattr__ = missing(__name__)
