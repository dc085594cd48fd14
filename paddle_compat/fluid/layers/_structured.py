"""`fluid.layers.nn` and `.loss`: labels of whole sequences: CRF, CTC, chunks, edit distances, segmentations."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import declared, layer, run, temporaries
from paddle_compat.fluid.layers._reshape import squeeze
from paddle_compat.fluid.layers._search import topk


@layer
def linear_chain_crf(input: Variable, label: Variable, param_attr: Any = None, length: Variable | None = None) -> Variable:
    """The negative log-likelihood of label sequences under a linear-chain conditional random field.

    Args:
        input: emissions, sequences [T, tags] with LoD, or [N, longest, tags] with length; float32 or float64.
        label: int64 [T, 1] with LoD, or [N, longest].
        param_attr: ParamAttr of the transitions [tags + 2, tags]; the first two rows are starts and ends.
        length: int64 [N, 1].
    Returns:
        Variable [N, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, y = fluid.data("x", [None, 5], lod_level=1), fluid.data("y", [None, 1], "int64", lod_level=1)
        ...     fluid.layers.linear_chain_crf(x, y, fluid.ParamAttr(name="crf")).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("linear_chain_crf", param_attr=param_attr)
    tags = input.shape[2] if length is not None else input.shape[1]
    transition = helper.create_parameter(helper.param_attr, [tags + 2, tags], input.dtype)
    outputs = temporaries(helper, "Alpha", "EmissionExps", "TransitionExps", "LogLikelihood")
    return run("linear_chain_crf", input, transition, label, length, helper=helper, outputs=outputs)


@layer
def crf_decoding(input: Variable, param_attr: Any, label: Variable | None = None, length: Variable | None = None) -> Variable:
    """The likeliest label sequences under a linear-chain conditional random field.

    Args:
        input: emissions, sequences [T, tags] with LoD, or [N, longest, tags] with length; float32 or float64.
        param_attr: ParamAttr of the transitions that linear_chain_crf made.
        label: int64; with it the result says where the decoded labels are right.
        length: int64 [N, 1].
    Returns:
        Variable int64 [T, 1] or [N, longest].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, y = fluid.data("x", [None, 5], lod_level=1), fluid.data("y", [None, 1], "int64", lod_level=1)
        ...     cost = fluid.layers.linear_chain_crf(x, y, fluid.ParamAttr(name="crf"))
        ...     fluid.layers.crf_decoding(x, fluid.ParamAttr(name="crf")).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("crf_decoding", param_attr=param_attr)
    transition = helper.get_parameter(helper.param_attr.name)
    return run("crf_decoding", input, transition, label, length, helper=helper)


@layer
def chunk_eval(
    input: Variable,
    label: Variable,
    chunk_scheme: str,
    num_chunk_types: int,
    excluded_chunk_types: list[int] | None = None,
    seq_length: Variable | None = None,
) -> tuple[Variable, ...]:
    """How well chunks of sequences are found.

    Args:
        input, label: int64 tags, sequences with LoD, or padded with seq_length.
        chunk_scheme: "IOB", "IOE", "IOBES" or "plain".
        num_chunk_types: how many kinds of chunks.
        excluded_chunk_types: kinds that do not count.
        seq_length: int64 [N].
    Returns:
        Precision, recall, F1, and how many chunks were found, are there, and were found rightly.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = (fluid.data(name, [None, 1], "int64", lod_level=1) for name in "xy")
        ...     precision, recall, f1, found, there, right = fluid.layers.chunk_eval(x, y, "IOB", 3)
        ...     precision.shape, recall.shape, f1.shape, found.shape, there.shape, right.shape
        ((1,), (1,), (1,), (1,), (1,), (1,))

    Follows Paddle 1.8.
    """
    return run(
        "chunk_eval", input, label, seq_length, num_chunk_types=num_chunk_types, chunk_scheme=chunk_scheme,
        excluded_chunk_types=excluded_chunk_types or [],
    )  # fmt: skip


@layer
def ctc_greedy_decoder(
    input: Variable, blank: int, input_length: Variable | None = None, padding_value: int = 0, name: str | None = None
) -> Any:
    """The likeliest category of each step, without repetitions and blanks.

    Args:
        input: chances, sequences [T, categories] with LoD, or [N, longest, categories] with input_length.
        blank: the category that stands for nothing.
        input_length: int64 [N, 1].
        padding_value: what fills the result up, with input_length.
        name: the layer's name.
    Returns:
        Variable int64 with LoD; with input_length a pair, [N, longest] and int64 [N, 1] the lengths.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.ctc_greedy_decoder(fluid.data("x", [None, 8], lod_level=1), blank=0).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("ctc_greedy_decoder", name=name)
    _, best = topk(input, k=1)
    if input_length is None:
        return run("ctc_align", best, helper=helper, merge_repeated=True, blank=blank)[0]
    best = squeeze(best, [2])
    outputs = temporaries(helper, "Output", "OutputLength")
    return run(
        "ctc_align", best, input_length, helper=helper, outputs=outputs, merge_repeated=True, blank=blank, padding_value=padding_value
    )


@layer
def warpctc(
    input: Variable,
    label: Variable,
    blank: int = 0,
    norm_by_times: bool = False,
    input_length: Variable | None = None,
    label_length: Variable | None = None,
) -> Variable:
    """Connectionist temporal classification loss.

    Args:
        input: float32, sequences [T, categories] with LoD, or [longest, N, categories] with input_length.
        label: int32, sequences [T, 1] with LoD, or [N, longest] with label_length.
        blank: the category that stands for nothing.
        norm_by_times: divide the gradients by the number of steps.
        input_length, label_length: int64 [N].
    Returns:
        Variable [N, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 8], lod_level=1), fluid.data("y", [None, 1], "int32", lod_level=1)
        ...     fluid.layers.warpctc(x, y).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("warpctc")
    both = input_length is not None and label_length is not None
    lengths = (input_length, label_length) if both else (None, None)
    outputs = temporaries(helper, "Loss", "WarpCTCGrad")
    return run("warpctc", input, label, *lengths, helper=helper, outputs=outputs, blank=blank, norm_by_times=norm_by_times)


@layer
def edit_distance(
    input: Variable,
    label: Variable,
    normalized: bool = True,
    ignored_tokens: list[int] | None = None,
    input_length: Variable | None = None,
    label_length: Variable | None = None,
) -> tuple[Variable, Variable]:
    """How many insertions, deletions and replacements lie between sequences.

    Args:
        input, label: int64, sequences [T, 1] with LoD, or [N, longest] with lengths.
        normalized: divide by the length of `label`.
        ignored_tokens: are taken out first.
        input_length, label_length: int64 [N].
    Returns:
        Variable float32 [N, 1], and int64 [1] the number of sequences.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = (fluid.data(name, [None, 1], "int64", lod_level=1) for name in "xy")
        ...     distance, count = fluid.layers.edit_distance(x, y)
        ...     distance.shape, count.shape
        ((-1, 1), (1,))

    Follows Paddle 1.8.
    """
    helper = LayerHelper("edit_distance")
    if ignored_tokens:
        input, label = (run("sequence_erase", value, helper=helper, tokens=ignored_tokens) for value in (input, label))
    both = input_length is not None and label_length is not None
    lengths = (input_length, label_length) if both else (None, None)
    outputs = temporaries(helper, "Out", "SequenceNum")
    count, distance = run("edit_distance", input, label, *lengths, helper=helper, outputs=outputs, normalized=normalized)
    return declared(distance, "int64"), count


@layer
def mean_iou(input: Variable, label: Variable, num_classes: int) -> tuple[Variable, Variable, Variable]:
    """The mean overlap of the categories' regions: their intersection divided by their union.

    Args:
        input, label: int32 or int64.
        num_classes: how many categories.
    Returns:
        float32 [1] the mean, and int32 [num_classes] the wrong and right elements of each.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, y = fluid.data("x", [None, 32], "int64"), fluid.data("y", [None, 32], "int64")
        ...     mean, wrong, right = fluid.layers.mean_iou(x, y, num_classes=5)
        ...     mean.shape, wrong.shape, right.shape
        ((1,), (5,), (5,))

    Follows Paddle 1.8.
    """
    helper = LayerHelper("mean_iou")
    outputs = temporaries(helper, "OutMeanIou", "OutWrong", "OutCorrect")
    return run("mean_iou", input, label, helper=helper, outputs=outputs, num_classes=num_classes)


__all__ = [
    "chunk_eval", "crf_decoding", "ctc_greedy_decoder", "edit_distance", "linear_chain_crf", "mean_iou", "warpctc",
]  # fmt: skip
