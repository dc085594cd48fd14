"""The layer of `paddle.incubate.layers` on runs of words."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.ops import grams


def search_pyramid_hash(
    input: Any, num_emb: int, space_len: int, pyramid_layer: int, rand_len: int, drop_out_percent: float, is_training: bool,
    use_filter: bool, white_list_len: int, black_list_len: int, seed: int, lr: float, param_attr: Any = None,
    param_attr_wl: Any = None, param_attr_bl: Any = None, name: str | None = None, distribute_update_vars: Any = None,
    dtype: Any = "float32",
) -> Any:  # fmt: skip
    """A row for each run of neighbouring words, put together from pieces of one table where the run's hashes point.

    The table stays as it is: it gets no gradient.

    Args:
        input: words, int32 [N, 1] with LoD.
        num_emb: width of the rows, a multiple of rand_len.
        space_len: how many places of the table pieces begin at.
        pyramid_layer: how many words a run has at most; at least 2.
        rand_len: how long a piece is.
        drop_out_percent: which share of the runs is left out in training.
        is_training: leave runs out; else the rows are multiplied by drop_out_percent.
        use_filter: look only at runs that the lists allow; not supported with lists.
        white_list_len: numbers in the list of what counts.
        black_list_len: numbers in the list of what does not.
        seed: seed of what is left out.
        lr: rate by which a gradient would change the table.
        param_attr: ParamAttr of the table, [space_len + rand_len, 1].
        param_attr_wl: ParamAttr of the first list.
        param_attr_bl: ParamAttr of the second list.
        name: the layer's name.
        distribute_update_vars: names of those of the parameters that parameter servers keep.
        dtype: data type of the table.
    Returns:
        Variable [runs, num_emb] with LoD: shorter runs first, a row of zeros for a text without runs.
    Raises:
        ValueError: `distribute_update_vars` names another parameter.

    Example:
        >>> import numpy as np
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     words = paddle.static.data("words", [None, 1], "int32", lod_level=1)
        ...     rows = paddle.incubate.layers.search_pyramid_hash(words, 16, 100, 3, 8, 0.0, True, False, 10, 10, seed=1, lr=0.1)
        ...     exe = paddle.static.Executor()
        ...     _ = exe.run(paddle.static.default_startup_program())
        ...     text = paddle.base.create_lod_tensor(np.array([[3], [5], [8], [2]], "int32"), [[3, 1]], paddle.CPUPlace())
        ...     exe.run(feed={"words": text}, fetch_list=[rows], return_numpy=False)[0].lod()
        [[0, 3, 4]]
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    helper = LayerHelper("search_pyramid_hash", param_attr=param_attr, name=name)
    return looked_up(
        helper, input, num_emb, space_len, pyramid_layer, rand_len, drop_out_percent, is_training, use_filter,
        white_list_len, black_list_len, seed, lr, param_attr, param_attr_wl, param_attr_bl, distribute_update_vars, dtype,
    )  # fmt: skip


def looked_up(
    helper: Any, input: Any, num_emb: int, space_len: int, pyramid_layer: int, rand_len: int, drop_out_percent: float, is_training: bool,
    use_filter: bool, white_list_len: int, black_list_len: int, seed: int, lr: float, param_attr: Any,
    param_attr_wl: Any, param_attr_bl: Any, distribute_update_vars: Any,
    dtype: Any,
) -> Any:  # fmt: skip
    """What `search_pyramid_hash` records with the helper of either age of Paddle."""
    lists = [(white_list_len, param_attr_wl, white_list_len > 0), (black_list_len, param_attr_bl, black_list_len >= 0)]
    table = helper.create_parameter(attr=param_attr, shape=[space_len + rand_len, 1], dtype=dtype, is_bias=False)
    filters = [
        helper.create_parameter(attr=attr, shape=[length, 1], dtype=dtype, is_bias=False) if made else None for length, attr, made in lists
    ]
    for param in (table, *filters):
        if param is not None:
            param.stop_gradient = True
    own = [attr.name for attr in (param_attr, param_attr_wl, param_attr_bl) if attr]
    if strange := [each for each in distribute_update_vars or () if each not in own]:
        raise ValueError(f"Invalid value for argument `distribute_update_vars`. Expected some of {own}. Received: {strange}")
    names = ("Out", "DropPos", "X_Temp_Out")
    outputs = {slot: helper.create_variable_for_type_inference(dtype) for slot in names}
    grams.pyramid_hash(
        input, table, *filters, _helper=helper, _outputs=outputs, num_emb=num_emb, space_len=space_len,
        pyramid_layer=pyramid_layer, rand_len=rand_len, drop_out_percent=float(drop_out_percent), is_training=int(is_training),
        use_filter=use_filter, white_list_len=white_list_len, black_list_len=black_list_len, seed=seed, lr=lr,
        distribute_update_vars=",".join(distribute_update_vars or ()),
    )  # fmt: skip
    return outputs["Out"]


__all__ = ["search_pyramid_hash"]
