"""`paddle.distributed.spawn`: a function in several processes of this machine, over torch.multiprocessing."""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.multiprocessing import ProcessContext, start_processes

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, invalid_argument, type_error
from paddle_compat.core.job import complete_environment, forget
from paddle_compat.distributed.launch._addresses import free_ports

_API = "paddle.distributed.spawn"
_OPTIONS = ("start_method", "ips", "gpus", "xpus", "print_config", "backend")
_FORMER = ("selected_devices", "started_port", "cluster_node_ips", "node_ip", "use_paddlecloud")
_BACKENDS = ("auto", "nccl", "gloo", "bkcl", "heter", "xccl")


class MultiprocessContext(ProcessContext):
    """The processes that `spawn` started.

    Args:
        started: torch's context of them.
        results: a queue for each process, that gets what the function returned.
    Attributes:
        processes: the processes.
        return_queues: a queue for each.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.spawn import MultiprocessContext
        >>> hasattr(MultiprocessContext, "join")
        True

    Follows Paddle 2.6.
    """

    def __init__(self, started: ProcessContext, results: list[Any]) -> None:
        super().__init__(started.processes, started.error_files)
        self.return_queues = results

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Wait until some process ends; end all when one fails.

        Args:
            timeout (float): seconds to wait at most; None: without end.
            grace_period (float): seconds that the others have to end by themselves when one fails.
        Returns:
            bool: whether all have ended.
        Raises:
            Exception: a process failed; the text has the function's traceback, or the exit code or signal.
        """
        return bool(super().join(timeout, grace_period))


def spawn(
    func: Callable[..., Any], args: Sequence[Any] = (), nprocs: int = -1, join: bool = True, daemon: bool = False, **options: Any
) -> MultiprocessContext:
    """Call a function in several processes that make a job: in each, `paddle.distributed.get_rank()` is another.

    Args:
        func (Callable): a function of a module (it is sent to the processes by its name).
        args (tuple): its arguments.
        nprocs (int): how many processes; -1: one for each GPU, or, where there is none, for each core.
        join (bool): wait for them.
        daemon (bool): they may not start processes themselves, and end with this one.
        options: start_method (str) "spawn", "fork" or "forkserver"; gpus (str) numbers separated by commas; backend (str)
            "gloo", "nccl" or "auto"; started_port (int) of the first process; print_config, of no effect.
    Returns:
        MultiprocessContext: the processes; its `join()` waits for them.
    Raises:
        Exception: a process failed, and `join` is set; the text has its traceback. The others are ended.
        TypeError: `func` cannot be called, or `nprocs` is no integer.
        ValueError: an option that is none, or a value that it does not take.
        UnsupportedError: several machines, or devices that are no GPUs.

    Example:
        >>> import os
        >>> import paddle_compat as paddle
        >>> context = paddle.distributed.spawn(os.getpid, nprocs=1)
        >>> context.processes[0].exitcode
        0

    Follows Paddle 2.6.
    """
    if not callable(func):
        raise type_error("func", "a function", func, _API)
    if not isinstance(nprocs, int):
        raise type_error("nprocs", "an integer", nprocs, _API)
    _options_valid_check(options)
    variables = _get_subprocess_env_list(nprocs, options)
    method = options.get("start_method") or "spawn"
    results = [multiprocessing.get_context(method).SimpleQueue() for _ in variables]
    started = start_processes(
        _call, (func, tuple(args), variables, results), len(variables), join=False, daemon=daemon, start_method=method
    )
    context = MultiprocessContext(started, results)
    while join and not context.join():
        pass
    return context


def _get_default_nprocs() -> int:
    """How many processes `spawn` starts where nobody says it."""
    return torch.cuda.device_count() or multiprocessing.cpu_count()


def _get_subprocess_env_list(nprocs: int, options: dict[str, Any]) -> list[dict[str, str]]:
    """What the environment tells each process that `spawn` starts.

    Args:
        nprocs: how many; -1: as many as there are devices.
        options: of `spawn`.
    """
    gpus = torch.cuda.device_count() if options.get("backend") != "gloo" else 0
    devices = _devices(options)
    count = nprocs if nprocs != -1 else len(devices) or gpus or multiprocessing.cpu_count()
    if count < 0:
        raise invalid_argument("nprocs", "a number of processes, or -1", nprocs, _API)
    if devices and len(devices) != count:
        raise invalid_argument("gpus", f"{count} numbers, as `nprocs` says", ",".join(devices), _API)
    started_port = options.get("started_port")
    ports = list(range(int(started_port), int(started_port) + count)) if started_port else free_ports(count)
    endpoints = [f"127.0.0.1:{port}" for port in ports]
    variables = []
    for i, endpoint in enumerate(endpoints):
        told = {"PADDLE_TRAINER_ID": str(i), "PADDLE_TRAINERS_NUM": str(count), "PADDLE_CURRENT_ENDPOINT": endpoint}
        told["PADDLE_TRAINER_ENDPOINTS"] = ",".join(endpoints)
        if devices or gpus:
            told["FLAGS_selected_gpus"] = devices[i] if devices else str(i)
        if not gpus:
            told["PADDLE_DISTRI_BACKEND"] = "gloo"
        variables.append(told)
    return variables


def _call(i: int, func: Callable[..., Any], args: tuple[Any, ...], variables: list[dict[str, str]], results: list[Any]) -> None:
    """What a process does: take its place in the job, and call the function."""
    forget()  # the job of the process that spawned, if it is in one
    os.environ.update(variables[i])
    complete_environment()
    results[i].put(func(*args))


def _options_valid_check(options: dict[str, Any]) -> None:
    """Whether these are options of `spawn`: an error names what is none, or has a wrong value."""
    for name in options:
        if name in _FORMER:
            warnings.warn(f"The option `{name}` of `{_API}` is one of older versions", DeprecationWarning, stacklevel=3)
        elif name not in _OPTIONS:
            raise invalid_argument(name, f"one of the options {', '.join(_OPTIONS)}", options[name], _API)
    if "," in str(options.get("ips") or options.get("cluster_node_ips") or ""):
        raise UnsupportedError(_API, "several machines", "python -m paddle.distributed.launch --ips")
    if options.get("xpus"):
        raise UnsupportedError(_API, "xpus", "gpus")
    if options.get("use_paddlecloud"):
        raise UnsupportedError(_API, "use_paddlecloud", "python -m paddle.distributed.launch --use_paddlecloud")
    backend = options.get("backend", "auto")
    if backend not in _BACKENDS:
        raise invalid_argument("backend", f"one of {', '.join(_BACKENDS)}", backend, _API)
    if backend in ("bkcl", "heter", "xccl"):
        raise UnsupportedError(_API, f"backend={backend!r}", '"gloo" or "nccl"')
    if backend == "nccl" and not torch.cuda.is_available():
        raise invalid_argument("backend", '"gloo" or "auto", as there is no GPU', backend, _API)


def _devices(options: dict[str, Any]) -> list[str]:
    chosen = options.get("gpus") or options.get("selected_devices") or ""
    words = [str(word) for word in chosen] if isinstance(chosen, (list, tuple)) else str(chosen).split(",")
    devices = [word.strip() for word in words if word.strip()]
    if not all(word.isdecimal() for word in devices):
        raise invalid_argument("gpus", 'numbers separated by commas, such as "0,1"', chosen, _API)
    return devices


__all__ = ["spawn"]

__getattr__ = missing(__name__)
