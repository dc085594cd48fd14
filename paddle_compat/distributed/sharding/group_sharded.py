"""`group_sharded_parallel`: data parallel training whose processes share out the optimizer's state, gradients and parameters.

Each parameter belongs to one process, which updates it. At level "os" gradients meet as in `paddle.DataParallel`, and new values go to
all processes. From "os_g" on a gradient's mean stays where the parameter is updated; at "p_g_os" so do large parameters.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import reduce
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.core.job import job
from paddle_compat.core.op import definition_of
from paddle_compat.core.rings import ring_of
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import _groups
from paddle_compat.distributed._data_parallel import DataParallel
from paddle_compat.distributed.communication._functions import broadcast
from paddle_compat.distributed.communication._objects import all_gather_object
from paddle_compat.distributed.fleet.meta_optimizers._steps import Steps
from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import begin_alike, fused_allreduce_gradients_with_group
from paddle_compat.distributed.sharding._gradients import SharedGradients
from paddle_compat.distributed.sharding._parameters import SharedParameters
from paddle_compat.nn.clip import ClipGradBase, ClipGradByGlobalNorm
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.optimizer.lbfgs import LBFGS
from paddle_compat.optimizer.optimizer import Optimizer, _all

_LEVELS = ("os", "os_g", "p_g_os")
_API = "group_sharded_parallel"


class _NormOfAll(ClipGradBase):
    """A clip by the global norm of gradients of which each process has some: a step tells it the norm before."""

    def __init__(self, clip: ClipGradByGlobalNorm) -> None:
        self._clip, self._norm = clip, torch.zeros(())

    def __str__(self) -> str:
        return str(self._clip)

    def _squares(self, parameters: Sequence[Any], optimizer: Optimizer) -> torch.Tensor:
        """The squared norm of each gradient; 0 where this process has none, or the clip leaves it alone."""
        wide = any(parameter._t.dtype is torch.float64 for parameter in parameters)
        found = torch.zeros(len(parameters), dtype=torch.float64 if wide else torch.float32)
        square = definition_of("squared_l2_norm").fn
        for i, parameter in enumerate(parameters):
            for grad in optimizer._with_gradients([parameter])[2] if self._clip._takes(parameter) else []:
                value = grad.coalesce().values() if grad.is_sparse else grad
                found[i] = square(value.float() if value.dtype in (torch.float16, torch.bfloat16) else value).item()
        return found

    def _dygraph_clip(self, params_grads: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        pairs = [(p, g) for p, g in params_grads if g is not None]
        bound = self._clip.clip_norm
        scale = bound / self._norm.clamp(min=bound)
        return [(p, Tensor(g._t * scale.to(g._t)) if self._clip._takes(p) else g) for p, g in pairs]


class _ShardedModel(DataParallel):
    """A model whose gradients are averaged over a group, and whose buffers follow those of its first process where they are told to."""

    def __init__(self, layers: Layer, group: Any, sync_buffers: bool, buffer_max_size: int, steps: Any = None) -> None:
        self._steps = steps  # a _ShardedSteps, if gradients are shared out
        super().__init__(layers, comm_buffer_size=max(1, buffer_max_size >> 20), group=group)
        self._sync_buffers = sync_buffers
        self._shared: SharedParameters | None = None

    @property
    def _layer(self) -> Any:
        return self._layers

    def _made(self) -> Any:
        made = super()._made()
        if self._steps is None:
            return made
        self._steps._share_gradients()
        parameters, sparse = [*made.dense, *made.sparse], [False] * len(made.dense) + [True] * len(made.sparse)
        return SharedGradients(parameters[::-1], sparse[::-1], self._steps._owners, self.group, made.ring, self.comm_buffer_size)

    def _share_parameters(self, segment_size: int, exclude_layer: Sequence[Any] | None) -> None:
        """Leave parameters of more elements in the processes whose they are, but for those of some layers."""
        if self._means is None:
            return
        kept: set[int] = set()
        for layer in self._layers.sublayers(include_self=True):
            if id(layer) in (exclude_layer or ()) or type(layer).__name__ in (exclude_layer or ()):
                kept.update(map(id, layer.parameters(include_sublayers=False)))
        owners = self._steps._owners
        coming = [p for p in self._layers.parameters() if id(p) in owners and id(p) not in kept and p._t.numel() > segment_size]
        self._shared = SharedParameters(self._layers, coming, owners, self.group)
        self._steps._leave = frozenset(map(id, coming))

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
        """The parameters, which every process has from here to the next forward pass. All processes make this call together.

        Args:
            convert2cpu: kept.
        Returns:
            They.
        """
        if self._shared is not None:
            self._shared.come()
        return [parameter for parameter in self._layers.parameters() if parameter.trainable]

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """The layer's own `state_dict`, whole. All processes make this call together, where they share out parameters.

        Args:
            args, kwargs: as the layer takes them.
        Returns:
            dict: parameters and buffers by their names.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.distributed.is_initialized():  # in each process of a job, with the model of `group_sharded_parallel`
            ...     whole = model.state_dict()

        Follows Paddle 2.6.
        """
        self.get_all_parameters()
        return super().state_dict(*args, **kwargs)

    def set_state_dict(self, state_dict: Any, use_structured_name: bool = True) -> None:  # type: ignore[override]
        """Load values into the layer. All processes make this call together, where they share out parameters.

        Args:
            state_dict (dict): what `state_dict` gave.
            use_structured_name (bool): whether its names are the structured ones.
        """
        self.get_all_parameters()
        super().set_state_dict(state_dict, use_structured_name)
        if self._shared is not None:
            self._shared.go()

    set_dict = load_dict = set_state_dict


class _ShardedSteps(Steps):
    """Steps in which each process updates the parameters that are its own.

    Args:
        optimizer: makes the steps.
        group: whose processes share the parameters out.
        dp_group: those that have the same part in other groups, whose gradients are averaged, too.
    """

    _leave: frozenset[int] = frozenset()  # ids of the parameters that stay in the processes whose they are

    def __init__(self, optimizer: Optimizer, group: Any, dp_group: Any = None) -> None:
        super().__init__(optimizer)
        self._optim, self._group, self._dp_group, self._step_alone = optimizer, group, dp_group, optimizer.step
        self._shares = False  # whether a gradient is where its parameter is updated only
        self._clips: list[tuple[Sequence[Any], _NormOfAll]] = []
        parameters = _all(optimizer._parameter_list)
        self._device = parameters[0]._t.device if parameters else torch.device("cpu")
        loads = [0] * group.nranks
        self._owners: dict[int, int] = {}  # of each parameter, by its id
        for parameter in parameters:
            if parameter.trainable:
                owner = loads.index(min(loads))
                loads[owner] += parameter._t.numel()
                self._owners[id(parameter)] = owner
        optimizer._own = frozenset(each for each, owner in self._owners.items() if owner == group.rank)

    def _share_gradients(self) -> None:
        """From here on each process has the gradients of its own parameters only."""
        if self._shares:
            return
        self._shares, optimizer = True, self._optim
        groups: list[Any] = optimizer._param_groups or []
        alone = not groups or not isinstance(groups[0], dict)
        for holder, parameters in [(vars(optimizer), groups)] if alone else [(group, group["params"]) for group in groups]:
            name = "_grad_clip" if alone else "grad_clip"
            clip = getattr(holder[name], "_clip", holder[name])  # that of a GroupShardedClipGrad
            if isinstance(clip, ClipGradByGlobalNorm):
                holder[name] = _NormOfAll(clip)
                self._clips.append((parameters, holder[name]))

    @torch.no_grad()
    def _agree_on_norms(self) -> None:
        """Tell clips the norms of what all processes have; each calls this, whether it has anything or not."""
        if not self._clips:
            return
        squares = [clip._squares(list(parameters), self._optim).to(self._device) for parameters, clip in self._clips]
        for (_, clip), each in zip(self._clips, ring_of(self._group.id).all_reduce(squares)):
            clip._norm = reduce(torch.add, each.unbind()).sqrt()  # in the order of one process, to round as there

    def _agreed_by(self, flag: torch.Tensor) -> torch.Tensor:
        """The sum of what processes have found that have different gradients."""
        for group in (self._group if self._shares else None, self._dp_group):
            if group is not None:
                flag = ring_of(group.id).all_reduce([flag])[0]
        return flag

    @torch.no_grad()
    def step(self) -> None:
        """Update the parameters, those of the other processes by what these have made of them."""
        parameters = _all(self._optim._parameter_list)
        if self._dp_group is not None:
            fused_allreduce_gradients_with_group(parameters, self._dp_group)
        self._agree_on_norms()
        self._step_alone()
        new = {id(parameter) for parameter in self._optim._with_gradients(parameters)[0]}
        if self._shares:
            flags = torch.tensor([float(id(parameter) in new) for parameter in parameters]).to(self._device)
            flags = ring_of(self._group.id).all_reduce([flags])[0]
            new = {id(parameter) for parameter, flag in zip(parameters, flags.tolist()) if flag}
        for parameter in parameters:  # all processes agree on what was updated
            if id(parameter) in new and id(parameter) not in self._leave:
                broadcast(Tensor(parameter._t.detach()), self._group.ranks[self._owners[id(parameter)]], self._group)

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

    The numbers are those of `paddle.DataParallel`. "os_g" shares out gradients as well, and "p_g_os" parameters: each is whole in one
    process, and the others have its values only while a layer uses them, or after `get_all_parameters()` or `state_dict()` of the model,
    which all processes call together. They run the same layers in the same order. Paddle refuses this on the CPU, where it runs here.

    Args:
        model (Layer): what is trained; its parameters and buffers become those of the group's first process.
        optimizer (Optimizer): of its parameters.
        level (str): "os", "os_g" or "p_g_os".
        scaler (GradScaler): of the losses; it is handed back.
        group (Group): whose processes train together; None: all of the job.
        offload (bool): whether a GPU's states are kept in the machine's memory, which is not there; the CPU's are there anyway.
        sync_buffers (bool): whether buffers become those of the first process before each forward pass.
        buffer_max_size (int): how many bytes of gradients travel together.
        segment_size (int): parameters of so many elements or fewer stay in all processes.
        sync_comm (bool): kept, without effect.
        exclude_layer (list): names of classes and ids of layers whose own parameters stay, too.
        dp_group (Group): the processes that have the same part in other such groups, which train on further data.
    Returns:
        tuple: the model, the optimizer and the scaler to train with.
    Raises:
        AssertionError: no Layer, no Optimizer, another level, or one process only.
        UnsupportedError: offload of a GPU's, or an optimizer whose step is not one parameter after the other.

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
    check_kept(_API, offload, _all(optimizer._parameter_list))
    if isinstance(optimizer, LBFGS):
        raise UnsupportedError(f"paddle.distributed.sharding.{_API}", "an LBFGS", "paddle.DataParallel")
    if job().size < 2 or group is not None and group.nranks < 2:
        raise AssertionError("There is nobody to share with. Expected two processes or more for `group_sharded_parallel`. Received: one")
    others = dp_group if dp_group is not None and dp_group.nranks > 1 else None
    if ring_of(0 if group is None else group.id).group is None:
        raise AssertionError(
            f"The processes of the job have not met. Expected a call of paddle.distributed.init_parallel_env() before `{_API}`."
        )
    steps = _ShardedSteps(optimizer, _groups.global_group() if group is None else group, others)
    sharded = _ShardedModel(model, group, sync_buffers, buffer_max_size, None if level == "os" else steps)
    if others is not None:
        begin_alike(model, others)
    if level == "p_g_os":
        sharded._share_parameters(segment_size, exclude_layer)
    return sharded, steps, scaler


def check_kept(api: str, offload: bool, parameters: Sequence[Any]) -> None:
    """Refuse states of a GPU's parameters in the machine's memory.

    Args:
        api (str): who asks.
        offload (bool): whether they are asked for.
        parameters (list): the parameters.
    Raises:
        UnsupportedError: they are.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.sharding.group_sharded import check_kept
        >>> check_kept("mine", False, paddle.nn.Linear(2, 1).parameters())

    Follows Paddle 2.6.
    """
    if offload and any(parameter._t.device.type != "cpu" for parameter in parameters):
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
    _write(model.state_dict(), os.path.join(output, "model.pdmodel"))
    if optimizer is not None:
        _write(optimizer._whole_state(), os.path.join(output, "model.pdopt"))
    if model._shared is not None:
        model._shared.go()
    ring_of(model.group.id).wait()  # then every process may read the files


def _write(state: dict[str, Any], path: str) -> None:
    """Save a state at once: every process writes the same file, where they share a folder."""
    from paddle_compat.framework.io import save

    own = f"{path}.{job().rank}"
    save(state, own)
    os.replace(own, path)


__getattr__ = missing(__name__)
