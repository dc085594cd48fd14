"""`paddle.fluid.contrib.layers.nn`: layers beside those of `fluid.layers`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.program import default_main_program, default_startup_program
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.initializer import ConstantInitializer
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import layer, run


@layer
def partial_concat(input: Any, start_index: int = 0, length: int = -1) -> Variable:
    """Some columns of each matrix, side by side.

    Args:
        input: Variables of shape [N, columns].
        start_index: the first column; counted from the end when negative.
        length: how many columns; -1: all from there on.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 3]), fluid.data("y", [None, 3])
        ...     fluid.contrib.layers.partial_concat([x, y], start_index=0, length=2).shape
        (-1, 4)

    Follows Paddle 1.8.
    """
    return run("partial_concat", _listed(input), start_index=start_index, length=length)


@layer
def partial_sum(input: Any, start_index: int = 0, length: int = -1) -> Variable:
    """The sum of some columns of each matrix.

    Args:
        input: Variables of shape [N, columns].
        start_index: the first column; counted from the end when negative.
        length: how many columns; -1: all from there on.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 3]), fluid.data("y", [None, 3])
        ...     fluid.contrib.layers.partial_sum([x, y], start_index=0, length=2).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    return run("partial_sum", _listed(input), start_index=start_index, length=length)


def _listed(input: Any) -> list[Any]:
    return list(input) if isinstance(input, (list, tuple)) else [input]


@layer
def shuffle_batch(x: Variable, seed: int | Variable | None = None) -> Variable:
    """The rows in random order; a persistable variable hands the seed from run to run.

    Args:
        x: Variable [N, ..., D].
        seed: an int, or a Variable that holds it; None: the program's `random_seed`.
    Returns:
        Variable.
    Raises:
        TypeError: the seed is none of these.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.contrib.layers.shuffle_batch(fluid.data("x", [None, 3]), seed=5).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("shuffle_batch")
    startup_seed = 0
    if seed is None:
        seed = default_main_program().random_seed
        seed = default_startup_program().random_seed if seed == 0 else seed
    if isinstance(seed, int):
        startup_seed = seed
        name = unique_name.generate("shuffle_batch_seed")
        seed = helper.create_global_variable(name=name, dtype="int64", shape=[1], persistable=True)
        helper.set_variable_initializer(seed, ConstantInitializer(startup_seed))
    elif not isinstance(seed, Variable):
        raise type_error("seed", "int, Variable or None", seed, "shuffle_batch")
    return run("shuffle_batch", x, seed, helper=helper, outputs={"SeedOut": seed}, startup_seed=startup_seed)[0]


@layer
def multiclass_nms2(
    bboxes: Variable,
    scores: Variable,
    score_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    nms_threshold: float = 0.3,
    normalized: bool = True,
    nms_eta: float = 1.0,
    background_label: int = 0,
    return_index: bool = False,
    name: str | None = None,
) -> Any:
    """As `fluid.layers.multiclass_nms`, which can also say which boxes were kept.

    Args:
        bboxes: [N, boxes, 4] or, with LoD, [boxes, classes, 4].
        scores: [N, classes, boxes] or, with LoD, [boxes, classes].
        score_threshold, nms_top_k, keep_top_k, nms_threshold, normalized, nms_eta, background_label: as in multiclass_nms.
        return_index: give the numbers of the boxes, too.
        name: the layer's name.
    Returns:
        Variable [found, 6] with LoD: class, score and box; with `return_index` also a Variable [found, 1] of numbers.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     boxes, scores = fluid.data("b", [2, 81, 4]), fluid.data("s", [2, 5, 81])
        ...     found, number = fluid.contrib.layers.multiclass_nms2(boxes, scores, 0.5, 400, 200, return_index=True)
        ...     found.shape, number.shape
        ((81, 6), (81, 1))

    Follows Paddle 1.8.
    """
    found, number = run(
        "multiclass_nms2", bboxes, scores, name=name, stop=True, background_label=background_label, score_threshold=score_threshold,
        nms_top_k=nms_top_k, nms_threshold=nms_threshold, keep_top_k=keep_top_k, nms_eta=nms_eta, normalized=normalized,
    )  # fmt: skip
    return (found, number) if return_index else found


__all__ = ["multiclass_nms2", "partial_concat", "partial_sum", "shuffle_batch"]

__getattr__ = missing(__name__)
