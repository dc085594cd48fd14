"""`group_sharded_parallel`: data parallel training whose processes share out the optimizer's state.

Gradients meet as in `paddle.DataParallel`; each process clips and decays all of them, updates the parameters that are its own, and
sends those to the others.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.core.job import job
from paddle_compat.core.rings import ring_of
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed._data_parallel import DataParallel
from paddle_compat.distributed.communication._functions import broadcast
from paddle_compat.distributed.communication._objects import all_gather_object
from paddle_compat.distributed.fleet.meta_optimizers._steps import Steps
from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import begin_alike, fused_allreduce_gradients_with_group
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.optimizer.lbfgs import LBFGS
from paddle_compat.optimizer.optimizer import Optimizer, _all

_LEVELS = ("os", "os_g", "p_g_os")
_API = "group_sharded_parallel"


class _ShardedModel(DataParallel):
    """A model whose gradients are averaged over a group, and whose buffers follow those of its first process where they are told to."""

    def __init__(self, layers: Layer, group: Any, sync_buffers: bool, buffer_max_size: int) -> None:
        super().__init__(layers, comm_buffer_size=max(1, buffer_max_size >> 20), group=group)
        self._sync_buffers = sync_buffers

    @property
    def _layer(self) -> Any:
        return self._layers

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the layer.

        Args:
            inputs, kwargs: its own.
        Returns:
            What it returns.
        """
        if self._sync_buffers:
            ring: Any = ring_of(0 if self.group is None else self.group.id)
            ring.broadcast([buffer._t.detach() for buffer in self._layers.buffers()])
        return super().forward(*inputs, **kwargs)

    def get_all_parameters(self, convert2cpu: bool = False) -> list[Any]:
        """The parameters, which every process has.

        Args:
            convert2cpu: kept.
        Returns:
            They.
        """
        return [parameter for parameter in self._layers.parameters() if parameter.trainable]


class _ShardedSteps(Steps):
    """Steps in which each process updates the parameters that are its own.

    Args:
        optimizer: makes the steps.
        group: whose processes share the parameters out.
        dp_group: those that have the same part in other groups, whose gradients are averaged, too.
    """

    def __init__(self, optimizer: Optimizer, group: Any, dp_group: Any = None) -> None:
        super().__init__(optimizer)
        self._optim, self._group, self._dp_group, self._step_alone = optimizer, group, dp_group, optimizer.step
        loads = [0] * group.nranks
        self._owners: dict[int, int] = {}  # of each parameter, by its id
        for parameter in _all(optimizer._parameter_list):
            if parameter.trainable:
                owner = loads.index(min(loads))
                loads[owner] += parameter._t.numel()
                self._owners[id(parameter)] = owner
        optimizer._own = frozenset(each for each, owner in self._owners.items() if owner == group.rank)

    @torch.no_grad()
    def step(self) -> None:
        """Update the parameters, those of the other processes by what these have made of them."""
        if self._dp_group is not None:
            fused_allreduce_gradients_with_group(_all(self._optim._parameter_list), self._dp_group)
        self._step_alone()
        # all processes have the same gradients, so they agree on what was updated
        for parameter in self._optim._with_gradients(_all(self._optim._parameter_list))[0]:
            owner = self._group.ranks[self._owners[id(parameter)]]
            broadcast(Tensor(parameter._t.detach()), owner, self._group)

    def _whole_state(self) -> dict[str, Any]:
        """The state of all processes, which make this call together."""
        own = self._optim.state_dict()
        masters = own.pop("master_weights", {})
        sent = [{name: value._t.cpu() if isinstance(value, Tensor) else value for name, value in part.items()} for part in (own, masters)]
        parts: list[Any] = []
        all_gather_object(parts, sent, self._group)
        whole, masters = ({name: _made(name, value) for part in parts for name, value in part[i].items()} for i in range(2))
        return {**whole, "master_weights": masters} if masters else whole


def _made(name: str, value: Any) -> Any:
    return Tensor(value, name) if isinstance(value, torch.Tensor) else value


def group_sharded_parallel(
    model: Layer,
    optimizer: Optimizer,
    level: str,
    scaler: Any = None,
    group: Any = None,
    offload: bool = False,
    sync_buffers: bool = False,
    buffer_max_size: int = 2**23,
    segment_size: int = 2**20,
    sync_comm: bool = False,
    dp_group: Any = None,
    exclude_layer: Sequence[Any] | None = None,
) -> tuple[Any, Any, Any]:
    """Train in several processes, each on its own data, which share out the optimizer's state.

    The numbers are those of `paddle.DataParallel`. In Paddle "os_g" shares out gradients as well, and "p_g_os" parameters; here
    these stay whole in each process, so all levels need the memory of "os". Paddle refuses this on the CPU, where it runs here.

    Args:
        model (Layer): what is trained; its parameters and buffers become those of the group's first process.
        optimizer (Optimizer): of its parameters.
        level (str): "os", "os_g" or "p_g_os".
        scaler (GradScaler): of the losses; it is handed back.
        group (Group): whose processes train together; None: all of the job.
        offload (bool): whether a GPU's states are kept in the machine's memory, which is not there.
        sync_buffers (bool): whether buffers become those of the first process before each forward pass.
        buffer_max_size (int): bytes of gradients that travel together at most.
        segment_size (int), sync_comm (bool), exclude_layer (list): how "p_g_os" cuts parameters; kept, without effect.
        dp_group (Group): the processes that have the same part in other such groups, which train on further data.
    Returns:
        tuple: the model, the optimizer and the scaler to train with.
    Raises:
        AssertionError: no Layer, no Optimizer, another level, or one process only.
        UnsupportedError: offload, or an optimizer whose step is not one parameter after the other.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.sharding import group_sharded_parallel
        >>> net = paddle.nn.Linear(4, 1)
        >>> adam = paddle.optimizer.Adam(parameters=net.parameters())
        >>> try:
        ...     model, adam, scaler = group_sharded_parallel(net, adam, "os_g")
        ... except AssertionError:  # there is one process here
        ...     pass

    Follows Paddle 2.6.
    """
    if not isinstance(model, Layer):
        raise failed_assertion("model", "a paddle.nn.Layer", type(model).__name__, _API)
    if not isinstance(optimizer, Optimizer):
        raise failed_assertion("optimizer", "a paddle.optimizer.Optimizer", type(optimizer).__name__, _API)
    if level not in _LEVELS:
        raise failed_assertion("level", "'os', 'os_g' or 'p_g_os'", level, _API)
    check_kept(_API, offload)
    if isinstance(optimizer, LBFGS):
        raise UnsupportedError(f"paddle.distributed.sharding.{_API}", "an LBFGS", "paddle.DataParallel")
    if job().size < 2 or group is not None and group.nranks < 2:
        raise AssertionError("There is nobody to share with. Expected two processes or more for `group_sharded_parallel`. Received: one")
    sharded = _ShardedModel(model, group, sync_buffers, buffer_max_size)
    others = dp_group if dp_group is not None and dp_group.nranks > 1 else None
    if others is not None:
        begin_alike(model, others)
        if scaler is not None:
            scaler._agreed_by = lambda flag: ring_of(others.id).all_reduce([flag])[0]
    return sharded, _ShardedSteps(optimizer, sharded.group, others), scaler


def check_kept(api: str, offload: bool) -> None:
    """Refuse states in a machine's memory.

    Args:
        api (str): who asks.
        offload (bool): whether they are asked for.
    Raises:
        UnsupportedError: they are.

    Example:
        >>> from paddle_compat.distributed.sharding.group_sharded import check_kept
        >>> check_kept("mine", False)

    Follows Paddle 2.6.
    """
    if offload:
        raise UnsupportedError(f"paddle.distributed.sharding.{api}", "offload")


def save_group_sharded_model(model: Any, output: str, optimizer: Any = None) -> None:
    """Write a model that `group_sharded_parallel` gave, and its optimizer's whole state. All processes make this call together.

    Args:
        model (Layer): what that gave.
        output (str): a folder, which is made; "model.pdmodel" and "model.pdopt" are written there, as `paddle.save` does.
        optimizer (Optimizer): what that gave; None: no state.
    Raises:
        AssertionError: output is a file, or the optimizer is another one.
        ValueError: the model is another one.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.sharding import save_group_sharded_model
        >>> try:
        ...     save_group_sharded_model(paddle.nn.Linear(4, 1), "output")
        ... except ValueError:  # group_sharded_parallel did not make it
        ...     pass

    Follows Paddle 2.6.
    """
    api = "save_group_sharded_model"
    if os.path.isfile(output):
        raise failed_assertion("output", "a folder", f"the file {output}", api)
    if not isinstance(model, _ShardedModel):
        raise invalid_argument("model", "what group_sharded_parallel returned", type(model).__name__, api)
    if optimizer is not None and not isinstance(optimizer, _ShardedSteps):
        raise failed_assertion("optimizer", "what group_sharded_parallel returned", type(optimizer).__name__, api)
    os.makedirs(output, exist_ok=True)
    _write(model._layers.state_dict(), os.path.join(output, "model.pdmodel"))
    if optimizer is not None:
        _write(optimizer._whole_state(), os.path.join(output, "model.pdopt"))
    ring_of(model.group.id).wait()  # then every process may read the files


def _write(state: dict[str, Any], path: str) -> None:
    """Save a state at once: every process writes the same file, where they share a folder."""
    from paddle_compat.framework.io import save

    own = f"{path}.{job().rank}"
    save(state, own)
    os.replace(own, path)


__getattr__ = missing(__name__)
