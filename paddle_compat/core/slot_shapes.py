"""Shapes that operators take, slot by slot, for those whose rules of inference would take others: checked while they are appended.

A rule has a word for each dimension: a number is that size, a letter one size throughout the operator, "_" any; "4*d" and "d+2" are
made of another one, "()" is no dimension. "..." stands for any dimensions, "*" for a whole shape, the same throughout. "a|b" is either.
What is unknown fits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, Op

_PRODUCT = re.compile(r"(\d+)\*(\w+)")
_SUM = re.compile(r"(\w+)\+(\d+)")

# Ages of Paddle, operators, and the rules of their slots. A list's elements have the rule each for itself.
_RULES: tuple[tuple[str, str, str], ...] = (
    # updates: what is kept of a parameter has its shape, and there is one rate, without dimensions where an optimizer of 2.x updates a
    # Program of fluid's; 2.6 looks at gradients when it runs
    ("1", "sgd", "Param: * Grad: * LearningRate: 1|()"),
    ("1", "momentum lars_momentum", "Param: * Grad: * Velocity: * LearningRate: 1|()"),
    ("1", "adagrad", "Param: * Grad: * Moment: * LearningRate: 1|()"),
    ("1", "adam lamb", "Param: * Grad: * Moment1: * Moment2: * LearningRate: 1|()"),
    ("1", "rmsprop", "Param: * Grad: * Moment: * MeanSquare: * LearningRate: 1|()"),
    ("2", "adagrad", "Param: * Moment: * LearningRate: 1|()"),
    ("2", "adam adamw lamb", "Param: * Moment1: * Moment2: * LearningRate: 1|()"),
    ("2", "rmsprop", "Param: * Moment: * MeanSquare: * LearningRate: 1|()"),
    ("12", "dpsgd proximal_gd ftrl", "Param: * Grad: * LearningRate: 1|()"),
    ("12", "decayed_adagrad proximal_adagrad", "Param: * Grad: * Moment: * LearningRate: 1|()"),
    ("12", "adamax", "Param: * Grad: * Moment: * InfNorm: * LearningRate: 1|() Beta1Pow: 1|()"),
    ("12", "adadelta", "Param: * Grad: * AvgSquaredGrad: * AvgSquaredUpdate: *"),
    # recurrent operators of one kernel
    ("12", "fusion_lstm", "X: _ m WeightX: m 4*d WeightH: d 4*d H0: n d C0: n d Bias: 1 _"),
    ("12", "fusion_gru", "X: _ m WeightX: m 3*d WeightH: d 3*d H0: _ d ... Bias: 1 3*d"),
    ("12", "fused_embedding_fc_lstm", "Ids: _ 1 Embeddings: _ _ WeightH: d 4*d H0: n d C0: n d Bias: 1 _"),
    ("12", "attention_lstm", (
        "X: _ m LSTMWeight: _ 4*d LSTMBias: 1 4*d C0: n e H0: n e AttentionWeight: _ 1 AttentionBias: 1 1 AttentionScalar: 1 1 "
        "AttentionScalarBias: 1 1")),
    # detection
    ("12", "roi_perspective_transform", "X: _ _ _ _ ROIs: _ 8"),
    ("12", "deformable_psroi_pooling", "ROIs: _ _ Trans: _ _ _ _"),
    ("12", "target_assign", "X: _ _ _ MatchIndices: _ _ NegIndices: _ 1"),
    ("12", "box_decoder_and_assign", "PriorBox: _ 4 PriorBoxVar: 4 TargetBox: _ _ BoxScore: _ _"),
    ("12", "mine_hard_examples", "ClsLoss: _ _ MatchIndices: _ _ MatchDist: _ _"),
    ("12", "retinanet_target_assign", "Anchor: _ _ GtBoxes: _ _ GtLabels: _ _ ImInfo: _ _"),
    ("12", "rpn_target_assign", "Anchor: _ _ GtBoxes: _ _ ImInfo: _ _"),
    ("12", "collect_fpn_proposals", "MultiLevelRois: _ 4 ... MultiLevelScores: _ 1 ..."),
    ("12", "generate_proposal_labels", "RpnRois: _ _ GtBoxes: _ _ ImInfo: _ _"),
    ("12", "generate_mask_labels", "ImInfo: _ _ GtSegms: _ 2"),
    ("12", "bipartite_match", "DistMat: _ _"),
    # sequences, labels
    ("12", "linear_chain_crf", "Emission: _ _|_ _ _ Transition: k+2 k Label: _ 1|_ _|_ _ 1"),
    ("12", "crf_decoding", "Emission: _ k|_ _ k Transition: k+2 k Label: _ 1|_ _|_ _ 1"),
    ("12", "row_conv", "Filter: _ _"),
    ("12", "sampling_id", "X: _ _"),
    ("12", "sample_logits", "Logits: _ _ Labels: _ _"),
    ("1", "teacher_student_sigmoid_loss", "X: _ _ Label: _ _"),
    ("12", "match_matrix_tensor", "X: _ h Y: _ h W: h _ h"),
    ("12", "var_conv_2d", "X: _ _ W: _ _"),
    ("12", "tdm_child", "TreeInfo: _ _"),
    ("1", "fused_embedding_seq_pool", "W: _ _ Ids: 1|_ 1|_ _ 1"),
    ("12", "fusion_seqconv_eltadd_relu", "X: _ _ Filter: _ _"),
    ("12", "fusion_squared_mat_sub", "X: _ k Y: k _"),
    ("12", "conv2d_transpose depthwise_conv2d_transpose conv3d_transpose", "Input: _ _ _ _|_ _ _ _ _"),
    ("12", "batch_norm inplace_abn", "Scale: c Bias: c"),
    ("12", "pool2d pool3d", "X: _ _ _ _|_ _ _ _ _"),
    # numbers, products, images
    ("12", "linspace range", "Start: 1|() Stop: 1|() Num: 1|() End: 1|() Step: 1|()"),
    ("12", "bilinear_tensor_product", "X: _ x Y: _ y Weight: o x y Bias: 1 o"),
    ("1", "nce", "Weight: c _ Bias: c _"),
    ("12", "edit_distance", "Hyps: _ _ Refs: _ _ HypsLength: _ ... RefsLength: _ ..."),
    ("12", "data_norm", "X: _ _|_ _ _|_ _ _ _|_ _ _ _ _"),
    ("12", "spectral_norm", "Weight: _ _|_ _ _|_ _ _ _|_ _ _ _ _"),
    ("1", "label_smooth", "PriorDist: 1 _"),
    ("1", "affine_grid", "Theta: _ 2 3|_ 3 4 OutputShape: _"),
    ("1", "bilinear_interp nearest_interp bicubic_interp", "X: _ _ _ _"),
    ("1", "trilinear_interp", "X: _ _ _ _ _"),
    ("1", "linear_interp", "X: _ _ _"),
)  # fmt: skip


def check_shapes(definition: Op, inputs: Sequence[Any], age: int) -> None:
    """Refuse inputs that the operator's rules do not allow.

    Args:
        definition: the operator.
        inputs: for each input slot what is known of its value: a Meta, a list of them, or None.
        age: 1 for Paddle 1.8, 2 for 2.6.

    Raises:
        InvalidArgumentError: an input has another number of dimensions, or another size in one.
    """
    rules = _rules(definition.type, age)
    if not rules:
        return
    known: dict[str, Any] = {}
    for slot, given in zip(definition.inputs, inputs):
        for value in given if isinstance(given, list) else [given]:
            if value is not None and value.kind == "tensor" and slot.name in rules:
                _check(definition.type, slot.name, rules[slot.name], value, known)


@cache
def _rules(type_: str, age: int) -> dict[str, str]:
    """Slot -> rule."""
    for ages, types, text in _RULES:
        if str(age) in ages and type_ in types.split():
            words = re.split(r"\s*(\w+):\s*", text)[1:]
            return dict(zip(words[::2], words[1::2]))
    return {}


def _check(type_: str, slot: str, rule: str, value: Meta, known: dict[str, Any]) -> None:
    shape = value.shape
    if rule == "*":
        first, expected = known.setdefault("*", (slot, shape))
        if len(expected) != len(shape) or any(a != b for a, b in zip(expected, shape) if min(a, b) >= 0):
            raise invalid_argument(slot, f"shape {list(expected)}, as `{first}` has", f"shape {list(shape)}", type_)
        return
    choices = [choice.replace("()", "").split() for choice in rule.split("|")]
    fitting = [words for words in choices if len(words) == len(shape) or words[-1:] == ["..."] and len(shape) >= len(words) - 1]
    if not fitting:
        expected = " or ".join(str(len(words)) for words in choices)
        raise invalid_argument(slot, f"{expected} dimension{'s' * (expected != '1')}", f"shape {list(shape)}", type_)
    wrong = [_wrong(words, shape, known) for words in fitting]
    if all(wrong):
        raise invalid_argument(slot, wrong[0], f"shape {list(shape)}", type_)


def _wrong(words: list[str], shape: Sequence[int], known: dict[str, Any]) -> str:
    """What a dimension should be that is not; nothing where all are. Letters that are met first become known."""
    for i, (word, size) in enumerate(zip(words, shape)):
        if size < 0 or word in ("_", "..."):
            continue
        expected = _size(word, size, known)
        if expected != size:
            return f"size {expected if expected is not None else word} in dimension {i}"
    return ""


def _size(word: str, size: int, known: dict[str, Any]) -> int | None:
    """Which size a word asks for; None where none fits."""
    if word.isdigit():
        return int(word)
    if found := _PRODUCT.fullmatch(word):
        factor, letter = int(found[1]), found[2]
        if letter not in known and size % factor:
            return None
        return factor * int(known.setdefault(letter, size // factor))
    if found := _SUM.fullmatch(word):
        return int(known.setdefault(found[1], size - int(found[2]))) + int(found[2])
    return int(known.setdefault(word, size))
