"""Linear layers and embeddings whose weight the processes share out: the part of one process, and the meetings around it."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.program import default_startup_program
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional.common import linear as product
from paddle_compat.nn.layer.common import Linear
from paddle_compat.ops.collective import c_identity, mp_allreduce_sum
from paddle_compat.ops.collective_classes import c_embedding
from paddle_compat.ops.collective_parts import c_concat, c_split
from paddle_compat.tensor._calls import check


def linear(
    x: Variable, size: tuple[int, int], axis: int, place: tuple[int, int], whole: bool, weight_attr: Any, bias_attr: Any, name: str | None
) -> Any:
    """This process's part of a linear layer.

    Args:
        size: rows and columns of the whole weight.
        axis: 0, a part has rows, and the products are summed; 1, it has columns, which are put side by side.
        place: the number of this process's part, and how many parts there are.
        whole: whether every process gets the whole result.
    """
    number, count = place
    where: dict[str, Any] = {"rank": number, "nranks": count, "ring_id": 0, "use_calc_stream": True, "use_model_parallel": True}
    if axis == 1:
        x = c_identity(x, ring_id=0, use_calc_stream=True, use_model_parallel=True)
    elif x.shape[-1] != size[0] // count:  # not this process's part yet
        x = c_split(x, **where)
    part = (size[0], size[1] // count) if axis else (size[0] // count, size[1])
    layer = Linear(*part, weight_attr=weight_attr, bias_attr=bias_attr)
    _mark(layer.weight, count)
    if axis == 1 and layer.bias is not None:
        _mark(layer.bias, count)
    out = product(x, layer.weight, layer.bias if axis else None, name)
    if whole:
        met = x.block.create_var(dtype=x.dtype)
        if axis:
            c_concat(out, **where, _outputs={"Out": met})
        else:
            mp_allreduce_sum(out, ring_id=0, use_calc_stream=True, _outputs={"Out": met})
        out = met
    return out if axis or layer.bias is None else out + layer.bias


def embedding(ids: Variable, size: tuple[int, int], place: tuple[int, int], weight_attr: Any, name: str | None) -> Any:
    """Rows of a table of which this process has a part: `place` says which of how many."""
    check(ids, "x", "paddle.distributed.split", ("int32", "int64"))
    number, count = place
    rows = size[0] // count
    helper = LayerHelper("_parallel_embedding", param_attr=weight_attr, name=name)
    table = helper.create_parameter(helper.param_attr, [rows, size[1]], None)
    _mark(table, count)
    naming = LayerHelper("c_embedding", name=name)
    found = c_embedding(table, ids, start_index=number * rows, vocab_size=size[0], _helper=naming)
    return mp_allreduce_sum(found, ring_id=0, use_calc_stream=True)


def _mark(parameter: Any, count: int) -> None:
    """Say of a parameter, and of what the startup program makes, that so many processes have another part each."""
    parameter._parts = count
    made: Any = default_startup_program().global_block().var(parameter.name)
    parameter.is_distributed = made.is_distributed = True
