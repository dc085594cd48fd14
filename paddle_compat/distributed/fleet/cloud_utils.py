"""`paddle.distributed.fleet.cloud_utils`: the job that the environment of a cloud describes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed import cloud_utils
from paddle_compat.distributed.fleet.launch_utils import Cluster, Pod, get_cluster

_SAID = ("PADDLE_TRAINERS", "POD_IP", "PADDLE_TRAINER_ID")


def get_cloud_cluster(
    args_node_ips: str | None, device_mode: int, devices_per_proc: Sequence[Any], args_port: int = 6170
) -> tuple[Cluster, Pod]:
    """The job that PADDLE_TRAINERS, POD_IP, PADDLE_TRAINER_ID and, for several machines, PADDLE_PORT describe.

    Args:
        args_node_ips (str): addresses; the environment's are taken, and others get a warning.
        device_mode (int): a `DeviceMode`.
        devices_per_proc (list): what each process of a machine has: a number of a GPU, or several.
        args_port (int): each machine's first port.
    Returns:
        tuple: the Cluster, and the Pod that is this machine.

    Example:
        >>> import os
        >>> from paddle_compat.distributed.fleet.cloud_utils import get_cloud_cluster
        >>> from paddle_compat.distributed.fleet.launch_utils import DeviceMode
        >>> os.environ.update(PADDLE_TRAINERS="10.0.0.1,10.0.0.2", POD_IP="10.0.0.2", PADDLE_TRAINER_ID="1")
        >>> get_cloud_cluster("10.0.0.1,10.0.0.2", DeviceMode.CPU, [0])[1].rank
        1
        >>> for name in ("PADDLE_TRAINERS", "POD_IP", "PADDLE_TRAINER_ID"):
        ...     _ = os.environ.pop(name)

    Follows Paddle 2.6.
    """
    found, own = cloud_utils.get_cloud_cluster(args_node_ips, os.environ.get("POD_IP"), args_port, devices_per_proc)
    endpoints = [[str(trainer.endpoint) for trainer in pod.trainers] for pod in found.pods]
    return get_cluster([str(pod.addr) for pod in found.pods], str(own.addr), endpoints, device_mode, devices_per_proc)


def use_paddlecloud() -> bool:
    """Whether the environment says what the job is.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.distributed.fleet.cloud_utils import use_paddlecloud
        >>> use_paddlecloud()
        False

    Follows Paddle 2.6.
    """
    return all(os.environ.get(name) is not None for name in _SAID)


def get_trainers_num() -> int:
    """How many processes the environment says there are; 1 where it says nothing.

    Returns:
        int.

    Example:
        >>> from paddle_compat.distributed.fleet.cloud_utils import get_trainers_num
        >>> get_trainers_num()
        1

    Follows Paddle 2.6.
    """
    return cloud_utils.get_trainers_num()


__all__ = ["get_cloud_cluster", "get_trainers_num", "use_paddlecloud"]
__getattr__ = missing(__name__)
