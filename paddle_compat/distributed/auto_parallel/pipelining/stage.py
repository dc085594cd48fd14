"""`paddle.distributed.auto_parallel.pipelining.stage`: a layer as the stage of a pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError, failed_assertion, type_error
from paddle_compat.distributed import _groups, collective, communication
from paddle_compat.distributed.auto_parallel._tensors import inside, is_dist
from paddle_compat.distributed.auto_parallel.pipelining.utils import TensorMeta
from paddle_compat.nn import Layer


class PipelineStage:
    """A layer that small batches come to from the stage before, and that hands what it makes to the next one.

    Args:
        layer (Layer): the layer.
        stage_index (int): which stage it is, from 0 on.
        num_stages (int): how many there are.
        input_args (TensorMeta|tuple|None): what it gets is like; then output_args is there, too.
        output_args (TensorMeta|tuple|None): what it makes is like.
        group (Group|None): the processes that share out the stages: those of stage i have number i modulo the size; None: all.
        shared_parameters (list|None): of dicts; `params` has two dist parameters of stages on different meshes that are one: they begin
            alike, and their gradients are added up.
    Raises:
        ValueError: there is no such stage.
        AssertionError: only one of input_args and output_args is there, or shared_parameters is of another form.
        TypeError: layer is no Layer.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining.stage import PipelineStage
        >>> stage = PipelineStage(paddle.nn.Linear(4, 2), 0, 1)
        >>> stage.is_first, stage.is_last, stage.has_backward
        (True, True, False)

    Follows Paddle 3.3.
    """

    def __init__(
        self, layer: Layer, stage_index: int, num_stages: int, input_args: Any = None, output_args: Any = None, group: Any = None,
        shared_parameters: list[dict[str, Any]] | None = None,
    ) -> None:  # fmt: skip
        if not isinstance(layer, Layer):
            raise type_error("layer", "a paddle.nn.Layer", layer, "PipelineStage")
        if stage_index >= num_stages:
            raise InvalidArgumentError(f"Stage index {stage_index} is out of range of {num_stages}")
        if input_args is not None and output_args is None:
            expected = "what the stage makes: If passing input_args, also pass output_args to override shape inference"
            raise failed_assertion("output_args", expected, None, "PipelineStage")
        self.layer, self.stage_index, self.num_stages = layer, stage_index, num_stages
        self.input_args, self.output_args = _metas(input_args), _metas(output_args)
        self.group = _groups.meeting(group) if group is not None else _groups.join()
        self.group_size = 1 if self.group is None else self.group.nranks
        self.group_rank = 0 if self.group is None or self.group_size == 1 else self.group.rank
        self.has_backward = False
        self.shared_parameters = _pairs(shared_parameters)
        self._meetings = [_met(pair) for pair in self.shared_parameters]
        for found in self._meetings:
            if found is not None:
                with torch.no_grad():
                    communication.broadcast(_local(found[0]), min(found[1].ranks), found[1])

    @property
    def is_first(self) -> bool:
        """Whether batches begin here.

        Returns:
            bool.
        """
        return self.stage_index == 0

    @property
    def is_last(self) -> bool:
        """Whether losses are made here.

        Returns:
            bool.
        """
        return self.stage_index == self.num_stages - 1

    def _sum_shared_gradients(self) -> None:
        """Add up the gradients of what two stages share."""
        for found in self._meetings:
            if found is not None and not found[0].stop_gradient:
                communication.all_reduce(_local(found[0].grad), group=found[1])


def _metas(given: Any) -> tuple[TensorMeta, ...] | None:
    if given is None:
        return None
    return tuple(each if isinstance(each, TensorMeta) else TensorMeta(each) for each in (given if isinstance(given, tuple) else (given,)))


def _local(tensor: Any) -> Any:
    """A dist tensor's piece, as a Tensor of the same memory."""
    from paddle_compat.core.tensor import Tensor

    return Tensor(inside(tensor)._local_tensor.detach())


def _pairs(given: Any) -> list[Sequence[Any]]:
    """The pairs of parameters that are one."""
    if given is None:
        return []
    if not isinstance(given, list):
        raise failed_assertion("shared_parameters", f"a list, but got {type(given).__name__}", given, "PipelineStage")
    found = []
    for place, entry in enumerate(given):
        if not isinstance(entry, dict):
            said = f"dicts: Invalid shared parameter pair: expected dict, but got {type(entry).__name__}"
            raise failed_assertion("shared_parameters", said, entry, "PipelineStage")
        if "params" not in entry:
            said = f"'params' in shared_parameters['{place}']. Available keys: {list(entry)}"
            raise failed_assertion("shared_parameters", said, list(entry), "PipelineStage")
        pair = entry["params"]
        if len(pair) != 2:
            said = f"pairs: Shared parameter only support 2 shared parameters in list or tuple, but got {len(pair)}"
            raise failed_assertion("shared_parameters", said, pair, "PipelineStage")
        if not all(is_dist(each) for each in pair):
            raise failed_assertion("shared_parameters", "dist parameters", [each.name for each in pair], "PipelineStage")
        one, other = (each.process_mesh for each in pair)
        if pair[0].placements != pair[1].placements or one.shape != other.shape:
            raise failed_assertion("shared_parameters", "two that lie alike", [each.placements for each in pair], "PipelineStage")
        if set(one.process_ids) & set(other.process_ids):
            said = "parameters of two stages: Shared parameters must be on different stage meshes"
            raise failed_assertion("shared_parameters", said, one.process_ids, "PipelineStage")
        found.append(pair)
    return found


def _met(pair: Sequence[Any]) -> tuple[Any, Any] | None:
    """This process's parameter of a pair, and the group with the process that has the same piece of the other; None: it has neither.

    All processes make all groups, in the same order.
    """
    found, own = None, _groups.job_rank()
    for ranks in zip(*(each.process_mesh.process_ids for each in pair)):
        group = _groups.make(sorted(ranks), None, collective._PATIENCE)
        if own in ranks:
            found = pair[ranks.index(own)], group
    return found


__all__: list[str] = []
__getattr__ = missing(__name__)
