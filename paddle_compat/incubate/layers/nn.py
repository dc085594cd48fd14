"""`paddle.incubate.layers.nn`: layers of Programs that Paddle 1.8 has under `fluid.contrib.layers`, and one more."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.program import default_main_program, default_startup_program
from paddle_compat.core.variable import Variable
from paddle_compat.incubate.layers._fused import batch_fc, fused_bn_add_act, fused_seqpool_cvm
from paddle_compat.incubate.layers._hashes import search_pyramid_hash
from paddle_compat.incubate.layers._images import bilateral_slice, correlation
from paddle_compat.incubate.layers._ranks import rank_attention
from paddle_compat.incubate.layers._schedules import pow2_decay_with_linear_warmup
from paddle_compat.incubate.layers._trees import tdm_child, tdm_sampler
from paddle_compat.ops import fused, manipulation, nms, random


def _listed(input: Any) -> list[Any]:
    return list(input) if isinstance(input, (list, tuple)) else [input]


def partial_concat(input: Any, start_index: int = 0, length: int = -1) -> Any:
    """Some columns of each matrix, side by side.

    Args:
        input (list): Variables of shape [N, columns].
        start_index (int): the first column; counted from the end when negative.
        length (int): how many columns; -1: all from there on.
    Returns:
        Variable: [N, all columns].

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     x, y = paddle.static.data("x", [None, 3]), paddle.static.data("y", [None, 3])
        ...     paddle.incubate.layers.partial_concat([x, y], start_index=0, length=2).shape
        (-1, 4)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    return manipulation.partial_concat(_listed(input), start_index=start_index, length=length, _helper="partial_concat")


def partial_sum(input: Any, start_index: int = 0, length: int = -1) -> Any:
    """The sum of some columns of each matrix.

    Args:
        input (list): Variables of shape [N, columns].
        start_index (int): the first column; counted from the end when negative.
        length (int): how many columns; -1: all from there on.
    Returns:
        Variable: [N, length].

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     x, y = paddle.static.data("x", [None, 3]), paddle.static.data("y", [None, 3])
        ...     paddle.incubate.layers.partial_sum([x, y], start_index=0, length=2).shape
        (-1, 2)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    return manipulation.partial_sum(_listed(input), start_index=start_index, length=length, _helper="partial_sum")


def fused_embedding_seq_pool(
    input: Any, size: Any, is_sparse: bool = False, padding_idx: int | None = None, combiner: str = "sum", param_attr: Any = None,
    dtype: Any = "float32",
) -> Any:  # fmt: skip
    """The sum of the rows of a table that the ids of each sequence name.

    Args:
        input (Variable): ids, int64, with LoD.
        size (list): rows and columns of the table.
        is_sparse (bool): the gradient is SelectedRows.
        padding_idx (int): the id whose row counts as zeros; negative from the end.
        combiner (str): "sum".
        param_attr (ParamAttr): of the table.
        dtype (str): data type of the table.
    Returns:
        Variable: a row for each sequence.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     ids = paddle.static.data("ids", [None, 1], "int64", lod_level=1)
        ...     paddle.incubate.layers.fused_embedding_seq_pool(ids, [20, 8]).shape
        (-1, 8)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    helper = LayerHelper("fused_embedding_seq_pool", param_attr=param_attr)
    table = helper.create_parameter(attr=helper.param_attr, shape=size, dtype=dtype, is_bias=False)
    padding = -1 if padding_idx is None else padding_idx + size[0] * (padding_idx < 0)
    attrs: dict[str, Any] = {"is_sparse": is_sparse, "combiner": combiner, "padding_idx": padding}
    return fused.fused_embedding_seq_pool(table, input, _helper=helper, **attrs)


def shuffle_batch(x: Any, seed: Any = None) -> Any:
    """The rows in random order; a persistable variable hands the seed from run to run.

    Args:
        x (Variable): [N, ..., D].
        seed (int|Variable): None: the program's `random_seed`.
    Returns:
        Variable: of the shape of x.
    Raises:
        TypeError: the seed is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     paddle.incubate.layers.shuffle_batch(paddle.static.data("x", [None, 3]), seed=5).shape
        (-1, 3)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    helper = LayerHelper("shuffle_batch")
    if seed is None:
        seed = default_main_program().random_seed or default_startup_program().random_seed or int(np.random.randint(-65536, 65536))
    first = seed if isinstance(seed, int) else 0
    if isinstance(seed, int):
        name = unique_name.generate("shuffle_batch_seed")
        seed = helper.create_global_variable(name=name, dtype="int64", shape=[1], persistable=True)
    elif not isinstance(seed, Variable):
        raise type_error("seed", "int, Variable or None", seed, "shuffle_batch")
    return random.shuffle_batch(x, seed, startup_seed=first, _helper=helper, _outputs={"SeedOut": seed})[0]


def multiclass_nms2(
    bboxes: Any, scores: Any, score_threshold: float, nms_top_k: int, keep_top_k: int, nms_threshold: float = 0.3,
    normalized: bool = True, nms_eta: float = 1.0, background_label: int = 0, return_index: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Class by class the best boxes of every image, and which these are.

    Args:
        bboxes (Variable): [N, boxes, 4] or, with LoD, [boxes, classes, 4].
        scores (Variable): [N, classes, boxes] or, with LoD, [boxes, classes].
        score_threshold (float): boxes of lower scores are left out at first.
        nms_top_k (int): how many of a class are looked at; -1: all.
        keep_top_k (int): how many of an image are kept; -1: all.
        nms_threshold (float): boxes that overlap a better one by more are left out.
        normalized (bool): the corners lie from 0 to 1.
        nms_eta (float): what nms_threshold is multiplied by from box to box while it is above a half.
        background_label (int): the class that is left out; -1: none.
        return_index (bool): give the numbers of the boxes, too.
        name (str): has no effect.
    Returns:
        Variable: [found, 6] with LoD: class, score and box; with `return_index` also a Variable [found, 1] of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     boxes, scores = paddle.static.data("b", [None, 81, 4]), paddle.static.data("s", [None, 5, 81])
        ...     found, number = paddle.incubate.layers.multiclass_nms2(boxes, scores, 0.5, 400, 200, return_index=True)
        ...     found.stop_gradient
        True
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    found, number = nms.multiclass_nms2(
        bboxes, scores, background_label=background_label, score_threshold=score_threshold, nms_top_k=nms_top_k,
        nms_threshold=nms_threshold, keep_top_k=keep_top_k, nms_eta=nms_eta, normalized=normalized, _helper="multiclass_nms2",
    )  # fmt: skip
    found.stop_gradient = number.stop_gradient = True
    return (found, number) if return_index else found


__all__ = [
    "batch_fc", "bilateral_slice", "correlation", "fused_bn_add_act", "fused_embedding_seq_pool", "fused_seqpool_cvm", "multiclass_nms2",
    "partial_concat", "partial_sum", "pow2_decay_with_linear_warmup", "rank_attention", "search_pyramid_hash", "shuffle_batch",
    "tdm_child", "tdm_sampler",
]  # fmt: skip

__getattr__ = missing(__name__)
