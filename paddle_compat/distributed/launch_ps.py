"""`python -m paddle.distributed.launch_ps`: parameter servers and trainers, as Paddle 1.8 starts them."""

from __future__ import annotations

import argparse
import sys

from paddle_compat._missing import missing

__all__: list[str] = []


def parse_args() -> argparse.Namespace:
    """Read the command line of this process.

    Returns:
        argparse.Namespace: cluster_node_ips, node_ip, start_port, print_config, endpoints, worker_num, server_num, log_dir,
        training_script, training_script_args as in Paddle, and max_restart and module (whether the script is a module).
    Raises:
        SystemExit: a word is no option, or there is no script.

    Example:
        >>> import sys
        >>> from paddle_compat.distributed.launch_ps import parse_args
        >>> former, sys.argv = sys.argv, ["launch_ps", "--worker_num", "3", "train.py", "--lr", "1"]
        >>> args, sys.argv = parse_args(), former
        >>> args.server_num, args.worker_num, args.log_dir, args.training_script_args
        (2, 3, 'logs', ['--lr', '1'])

    Follows Paddle 1.8.
    """
    from paddle_compat.distributed.launch._options import read_servers

    return read_servers(sys.argv[1:])


def start_procs(args: argparse.Namespace) -> None:
    """Start servers and trainers, and wait until the trainers have ended; then the servers are.

    Args:
        args: as `parse_args` gives them.
    Raises:
        SystemExit: with the exit status of the first process that failed, 128 and a signal's number, or 2 for a wrong option.

    Example:
        >>> from argparse import Namespace
        >>> from paddle_compat.distributed.launch_ps import start_procs
        >>> start_procs(Namespace(
        ...     cluster_node_ips="127.0.0.1", node_ip="127.0.0.1", start_port=6170, endpoints="", worker_num=0, server_num=1, log_dir=None,
        ...     training_script="train.py", training_script_args=[],
        ... ))
        Traceback (most recent call last):
        SystemExit: 2

    Follows Paddle 1.8, which does not look at the trainers' exit status.
    """
    from paddle_compat.distributed.launch._options import servers_of
    from paddle_compat.distributed.launch.main import run

    try:
        run(servers_of, args)
    except SystemExit as end:
        if end.code:
            raise


def launch() -> None:
    """Start what the command line of this process asks for.

    Raises:
        SystemExit: see `parse_args` and `start_procs`.

    Example:
        >>> import sys
        >>> from paddle_compat.distributed.launch_ps import launch
        >>> former, sys.argv = sys.argv, ["launch_ps", "--worker_num", "0", "train.py"]
        >>> launch()
        Traceback (most recent call last):
        SystemExit: 2
        >>> sys.argv = former

    Follows Paddle 1.8.
    """
    start_procs(parse_args())


__getattr__ = missing(__name__)

if __name__ == "__main__":
    launch()
