"""`paddle.fluid.dygraph.parallel`: eager training in several processes, which sum their gradients when they are told to."""

from __future__ import annotations

from typing import Any

from paddle_compat import distributed
from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.place import CUDAPlace, current_place
from paddle_compat.distributed._environment import Trainer
from paddle_compat.engine.processes import Processes, join
from paddle_compat.fluid.dygraph import _eager
from paddle_compat.fluid.dygraph.base import enabled
from paddle_compat.fluid.dygraph.layers import Layer
from paddle_compat.fluid.layers.nn import reshape
from paddle_compat.fluid.layers.tensor import concat


class ParallelEnv(Trainer):
    """What the launcher says in the environment about this process and its peers.

    Raises:
        InvalidArgumentError: variables contradict each other.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> env = fluid.dygraph.ParallelEnv()
        >>> env.nranks, env.local_rank, env.dev_id
        (1, 0, 0)

    Follows Paddle 1.8.
    """


Env = ParallelEnv


class ParallelStrategy:
    """Who trains along: what `prepare_context` fills.

    Example:
        >>> from paddle_compat.fluid.dygraph.parallel import ParallelStrategy
        >>> strategy = ParallelStrategy()
        >>> strategy.nranks, strategy.local_rank, strategy.trainer_endpoints
        (1, 0, [])

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        self.nranks, self.local_rank = 1, 0
        self.trainer_endpoints: list[str] = []
        self.current_endpoint = ""


def prepare_context(strategy: Any = None) -> Any:
    """Meet the other processes, by gloo where the guard's place is the CPU, else by NCCL; with one process there is nothing to do.

    Args:
        strategy: who trains along; None: what the environment says.
    Returns:
        The strategy.
    Raises:
        AssertionError: there are several processes, and this is called outside `fluid.dygraph.guard`.
        InvalidArgumentError: the strategy contradicts the launcher.
        PreconditionNotMetError: nothing says where the processes meet.

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
    if strategy.nranks > 1:
        if not enabled():
            raise failed_assertion("mode", "a call inside fluid.dygraph.guard()", "static mode", "fluid.dygraph.prepare_context")
        _meet(strategy)
    return strategy


def _meet(strategy: Any) -> Processes | None:
    device = "cuda" if isinstance(current_place(), CUDAPlace) else "cpu"
    return join(device, strategy.nranks, strategy.local_rank, strategy.trainer_endpoints)


class DataParallel(Layer):
    """A layer that is trained by several processes; with one, the layer itself.

    Before the first call the processes take process 0's parameters.

    Args:
        layers (Layer): the layer.
        strategy: what `prepare_context` returned, which is None in Paddle where there is one process.

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

    def __new__(
        cls,
        layers: Any,
        strategy: Any = None,
        comm_buffer_size: int = 25,
        last_comm_buffer_size: float = 1,
        find_unused_parameters: bool = False,
    ) -> Any:
        """In scripts of Paddle 2 what `paddle.DataParallel` makes, whose backward pass averages gradients itself."""
        mode.settle_by_imports()
        if not enabled() or _eager.first_age():
            return super().__new__(cls)
        if strategy is not None and strategy.nranks > 1 and not distributed.is_initialized():
            distributed.init_parallel_env()
        return distributed.DataParallel(layers, strategy, comm_buffer_size, last_comm_buffer_size, find_unused_parameters)

    def __init__(self, layers: Layer, strategy: Any) -> None:
        super().__init__(layers.full_name() + "_data_parallel")
        self._layers, self._strategy = layers, strategy
        self._processes = _meet(strategy) if strategy is not None and strategy.nranks > 1 else None
        self._agreed = self._processes is None

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer gives.

        Args:
            inputs, kwargs: as it takes them.
        Returns:
            What it gives.
        """
        if self._processes is not None and not self._agreed:
            self._processes.broadcast([parameter._t.detach() for parameter in self._trainable()])
            self._agreed = True
        return self._layers(*inputs, **kwargs)

    def scale_loss(self, loss: Any) -> Any:
        """The loss over the number of processes.

        Args:
            loss (VarBase): the loss.
        Returns:
            VarBase: the loss itself, with one process.
        """
        return loss if self._processes is None else loss / float(self._strategy.nranks)

    def apply_collective_grads(self) -> None:
        """Sum the gradients of all processes; nothing to do with one. All must have gradients of the same parameters."""
        if self._processes is not None:
            held = [parameter for parameter in self._trainable() if parameter._t.grad is not None]
            for parameter, total in zip(held, self._processes.all_reduce([parameter._t.grad for parameter in held])):
                parameter._t.grad = total

    @staticmethod
    def _coalesce_tensors(var_groups: dict[Any, list[Any]]) -> list[list[Any]]:
        """The values of each group in one, beside the values and their shapes."""
        return [
            [concat([reshape(value, [-1]) for value in values]), list(values), [list(value.shape) for value in values]]
            for values in var_groups.values()
        ]

    @staticmethod
    def _split_tensors(coalesced_grads_and_grad_vars: list[list[Any]]) -> None:
        """Write what `_coalesce_tensors` laid into one back to where it was."""
        for whole, values, shapes in coalesced_grads_and_grad_vars:
            for value, shape, part in zip(values, shapes, whole._t.split([value._t.numel() for value in values])):
                value._t.data.copy_(part.reshape(shape))

    def _trainable(self) -> list[Any]:
        return [parameter for parameter in self._layers.parameters() if parameter.trainable]

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
