"""Layers of `paddle.fluid.contrib` on runs of words."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import layer
from paddle_compat.incubate.layers._hashes import looked_up


@layer
def search_pyramid_hash(
    input: Variable, num_emb: int, space_len: int, pyramid_layer: int, rand_len: int, drop_out_percent: float, is_training: bool,
    use_filter: bool, white_list_len: int, black_list_len: int, seed: int, lr: float, param_attr: Any = None,
    param_attr_wl: Any = None, param_attr_bl: Any = None, name: str | None = None, distribute_update_vars: Any = None,
    dtype: Any = "float32",
) -> Variable:  # fmt: skip
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
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     words = fluid.data("words", [None, 1], "int32", lod_level=1)
        ...     rows = fluid.contrib.layers.search_pyramid_hash(words, 16, 100, 3, 8, 0.0, True, False, 10, 10, seed=1, lr=0.1)
        ...     exe = fluid.Executor(fluid.CPUPlace())
        ...     _ = exe.run(fluid.default_startup_program())
        ...     text = fluid.create_lod_tensor(np.array([[3], [5], [8], [2]], "int32"), [[3, 1]], fluid.CPUPlace())
        ...     exe.run(feed={"words": text}, fetch_list=[rows], return_numpy=False)[0].lod()
        [[0, 3, 4]]

    Follows Paddle 1.8.
    """
    helper = LayerHelper("search_pyramid_hash", param_attr=param_attr, name=name)
    rows: Variable = looked_up(
        helper, input, num_emb, space_len, pyramid_layer, rand_len, drop_out_percent, is_training, use_filter,
        white_list_len, black_list_len, seed, lr, param_attr, param_attr_wl, param_attr_bl, distribute_update_vars, dtype,
    )  # fmt: skip
    return rows


__all__ = ["search_pyramid_hash"]
