"""`paddle.fluid.dygraph.parallel`: eager training in several processes; here, one."""

from __future__ import annotations

import os
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.fluid.dygraph.layers import Layer


class ParallelEnv:
    """What the launcher says in the environment about this process and its peers.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> env = fluid.dygraph.ParallelEnv()
        >>> env.nranks, env.local_rank, env.dev_id
        (1, 0, 0)

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        self._nranks = int(os.getenv("PADDLE_TRAINERS_NUM", "1"))
        self._local_rank = int(os.getenv("PADDLE_TRAINER_ID", "0"))
        self._dev_id = int(os.getenv("FLAGS_selected_gpus", "0"))
        self._trainer_endpoints = os.getenv("PADDLE_TRAINER_ENDPOINTS", "").split(",")
        self._current_endpoint = os.getenv("PADDLE_CURRENT_ENDPOINT", "")

    @property
    def nranks(self) -> int:
        """How many processes train."""
        return self._nranks

    @property
    def local_rank(self) -> int:
        """This process's number."""
        return self._local_rank

    @property
    def dev_id(self) -> int:
        """The number of its GPU."""
        return self._dev_id

    @property
    def current_endpoint(self) -> str:
        """Its address."""
        return self._current_endpoint

    @property
    def trainer_endpoints(self) -> list[str]:
        """All addresses."""
        return self._trainer_endpoints


Env = ParallelEnv


class ParallelStrategy:
    """Who trains along: what `prepare_context` fills.

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        self.nranks, self.local_rank = 1, 0
        self.trainer_endpoints: list[str] = []
        self.current_endpoint = ""


def prepare_context(strategy: Any = None) -> Any:
    """Meet the other processes; with one there is nothing to do.

    Args:
        strategy: who trains along; None: what the environment says.
    Returns:
        The strategy.
    Raises:
        UnsupportedError: there are several processes.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.dygraph.prepare_context().nranks
        1

    Follows Paddle 1.8.
    """
    if strategy is None:
        env, strategy = ParallelEnv(), ParallelStrategy()
        strategy.nranks, strategy.local_rank = env.nranks, env.local_rank
        strategy.trainer_endpoints, strategy.current_endpoint = env.trainer_endpoints, env.current_endpoint
    _refuse_peers(strategy, "fluid.dygraph.prepare_context")
    return strategy


def _refuse_peers(strategy: Any, api: str) -> None:
    if strategy.nranks > 1:
        raise UnsupportedError(api, f"{strategy.nranks} processes", "one process, or torchrun with torch.distributed")


class DataParallel(Layer):
    """A layer that is trained by several processes; with one, the layer itself.

    Args:
        layers (Layer): the layer.
        strategy: what `prepare_context` returned.
    Raises:
        UnsupportedError: there are several processes.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     net = fluid.dygraph.DataParallel(fluid.dygraph.Linear(2, 1), fluid.dygraph.prepare_context())
        ...     loss = net.scale_loss(net(fluid.dygraph.to_variable(np.ones([1, 2], "float32"))))
        ...     loss.backward()
        ...     net.apply_collective_grads()
        ...     list(net.state_dict())
        ['weight', 'bias']

    Follows Paddle 1.8.
    """

    def __init__(self, layers: Layer, strategy: Any) -> None:
        _refuse_peers(strategy, "fluid.dygraph.DataParallel")
        super().__init__(layers.full_name() + "_data_parallel")
        self._layers, self._strategy = layers, strategy

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer gives.

        Args:
            inputs, kwargs: as it takes them.
        Returns:
            What it gives.
        """
        return self._layers(*inputs, **kwargs)

    def scale_loss(self, loss: Any) -> Any:
        """The loss over the number of processes.

        Args:
            loss (VarBase): the loss.
        Returns:
            VarBase: the loss itself, with one process.
        """
        return loss

    def apply_collective_grads(self) -> None:
        """Sum the gradients of all processes; nothing to do with one."""

    def state_dict(self, destination: Any = None, include_sublayers: bool = True, structured_name_prefix: str = "") -> Any:  # type: ignore[override]
        """Parameters by the names that the layer itself gives them.

        Args:
            destination (dict): a dict to fill; None: a new one.
            include_sublayers (bool): those of sublayers too.
            structured_name_prefix (str): goes before every name.
        Returns:
            An ordered dict of name and parameter.
        """
        return self._layers.state_dict(destination, include_sublayers, structured_name_prefix)

    def set_dict(self, stat_dict: Any, include_sublayers: bool = True, use_structured_name: bool = True) -> None:  # type: ignore[override]
        """Set the layer's parameters from a state dict.

        Args:
            stat_dict (dict): name -> VarBase or array.
            include_sublayers (bool): of no effect.
            use_structured_name (bool): the names are dotted ones, else those of the parameters.
        """
        self._layers.set_dict(stat_dict, include_sublayers, use_structured_name)

    load_dict = set_dict
    set_state_dict = set_dict


__all__ = ["DataParallel", "ParallelEnv", "prepare_context"]

__getattr__ = missing(__name__)
