"""`paddle.distributed.cloud_utils`: the job that the environment of a cloud describes."""

from __future__ import annotations

import logging
import os
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.distributed.utils.launch_utils import Cluster, Pod, get_cluster, get_cluster_from_args, get_gpus

_FIRST_PORT = 6170


def get_cloud_cluster(
    args_node_ips: str | None, args_node_ip: str | None, args_port: int | None, selected_devices: Sequence[Any]
) -> tuple[Cluster, Pod]:
    """The job that PADDLE_TRAINERS, POD_IP, PADDLE_TRAINER_ID and, for several machines, PADDLE_PORT describe.

    Args:
        args_node_ips (str): addresses; the environment's are taken, and others get a warning.
        args_node_ip (str): this machine's address, likewise.
        args_port (int): each machine's first port; None: 6170.
        selected_devices (list): the numbers of the GPUs.
    Returns:
        tuple: the Cluster, and the Pod that is this machine.
    Raises:
        AssertionError: one of the variables is missing.

    Example:
        >>> import os
        >>> from paddle_compat.distributed.cloud_utils import get_cloud_cluster
        >>> os.environ.update(PADDLE_TRAINERS="10.0.0.1,10.0.0.2", POD_IP="10.0.0.2", PADDLE_TRAINER_ID="1")
        >>> get_cloud_cluster("10.0.0.1,10.0.0.2", "10.0.0.2", 6170, [0])[1].rank
        1
        >>> for name in ("PADDLE_TRAINERS", "POD_IP", "PADDLE_TRAINER_ID"):
        ...     _ = os.environ.pop(name)

    Follows Paddle 2.6.
    """
    said = {name: os.environ.get(name) for name in ("PADDLE_TRAINERS", "POD_IP", "PADDLE_TRAINER_ID")}
    for name, value in said.items():
        if value is None:
            raise failed_assertion(name, "a value: it should not be None", value, "get_cloud_cluster")
    hosts, own = str(said["PADDLE_TRAINERS"]).split(","), str(said["POD_IP"])
    if args_node_ip not in ("127.0.0.1", own):
        logging.warning("The environment's POD_IP %s is taken for this machine's address, not the node_ip given: %s", own, args_node_ip)
    if args_node_ips not in ("127.0.0.1", ",".join(hosts)):
        logging.warning("The environment's machines %s are taken, not the cluster_node_ips given: %s", hosts, args_node_ips)
    listed = os.environ.get("DISTRIBUTED_TRAINER_ENDPOINTS")
    if listed and len(hosts) > 1:
        every, count = listed.split(","), len(listed.split(",")) // len(hosts)
        endpoints = [every[i * count : (i + 1) * count] for i in range(len(hosts))]
    else:
        first = _FIRST_PORT if args_port is None else args_port
        port = os.environ.get("PADDLE_PORT", "")
        if len(hosts) > 1 and port.isdecimal():
            first = int(port)
        endpoints = [[f"{host}:{first + i}" for i in range(len(selected_devices))] for host in hosts]
    cluster, _ = get_cluster(hosts, hosts[int(str(said["PADDLE_TRAINER_ID"]))], endpoints, selected_devices)
    return cluster, cluster.pods[int(str(said["PADDLE_TRAINER_ID"]))]


def get_cluster_and_pod(args: Namespace) -> tuple[Cluster, Pod]:
    """The job as the options of a launcher describe it, or, with `use_paddlecloud` and several trainers, the environment.

    Args:
        args (Namespace): `selected_gpus` or `selected_devices`, `cluster_node_ips`, `node_ip`, `started_port`, `use_paddlecloud`.
    Returns:
        tuple: the Cluster, and the Pod that is this machine.

    Example:
        >>> import argparse
        >>> from paddle_compat.distributed.cloud_utils import get_cluster_and_pod
        >>> args = argparse.Namespace(cluster_node_ips="127.0.0.1", node_ip="127.0.0.1", started_port=6170, selected_gpus="0,1")
        >>> get_cluster_and_pod(args)[0].trainers_nranks()
        2

    Follows Paddle 2.6.
    """
    gpus = get_gpus(getattr(args, "selected_gpus", None) or getattr(args, "selected_devices", None))
    if getattr(args, "use_paddlecloud", False) and get_trainers_num() != 1:
        return get_cloud_cluster(args.cluster_node_ips, args.node_ip, args.started_port, gpus)
    return get_cluster_from_args(args, gpus)


def get_trainers_num() -> int:
    """How many processes the environment says there are; 1 where it says nothing.

    Returns:
        int.

    Example:
        >>> from paddle_compat.distributed.cloud_utils import get_trainers_num
        >>> get_trainers_num()
        1

    Follows Paddle 1.8.
    """
    return int(os.environ.get("PADDLE_TRAINERS_NUM", "1"))


__all__ = ["get_cloud_cluster", "get_cluster_and_pod", "get_trainers_num"]
__getattr__ = missing(__name__)
