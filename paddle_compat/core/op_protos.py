"""Descriptions of operators as Paddle's C++ hands them out: slots and attributes by name, `core.get_all_op_protos()`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from paddle_compat.core._kernel_attributes import kernel_choices, unlisted
from paddle_compat.core.attributes import AttrType, attr_kind, is_written
from paddle_compat.core.op import Op, Slot, definition_of, registered
from paddle_compat.core.operator import GENERIC_ATTRS
from paddle_compat.core.proto import encode

# slots that Paddle calls intermediate: the operator writes them for its own gradient, a caller may leave them out
_INTERMEDIATE = {
    "norm": "Norm", "batch_norm": "SavedMean SavedVariance", "instance_norm": "SavedMean SavedVariance",
    "inplace_abn": "SavedMean SavedVariance", "layer_norm": "Mean Variance", "group_norm": "Mean Variance",
    "data_norm": "Means Scales", "dropout": "Mask", "reshape2": "XShape", "squeeze2": "XShape", "unsqueeze2": "XShape",
    "flatten2": "XShape", "transpose2": "XShape", "linear_chain_crf": "Alpha EmissionExps TransitionExps",
    "warpctc": "WarpCTCGrad", "hierarchical_sigmoid": "PreOut W_Out", "softmax_with_cross_entropy": "Softmax",
    "huber_loss": "Residual", "smooth_l1_loss": "Diff", "margin_rank_loss": "Activated", "modified_huber_loss": "IntermediateVal",
    "squared_l2_distance": "sub_result", "cos_sim": "XNorm YNorm", "roi_pool": "Argmax",
    "roi_perspective_transform": "Out2InIdx Out2InWeights", "nce": "SampleLogits SampleLabels", "multiclass_nms2": "Index",
    "random_crop": "SeedOut", "lstm": "BatchGate BatchCellPreAct", "lstmp": "BatchGate BatchCellPreAct BatchHidden",
    "gru": "BatchGate BatchHidden BatchResetHiddenPrev", "gru_unit": "Gate ResetHiddenPrev", "sequence_pool": "MaxIndex",
    "sample_logits": "Samples Probabilities LogitsDim LabelsDim SampledLogits", "yolov3_loss": "ObjectnessMask GTMatchMask",
    "fusion_lstm": "XX BatchedInput BatchedHidden BatchedCell ReorderedH0 ReorderedC0 CheckedCell",
    "fused_embedding_fc_lstm": "XX BatchedInput BatchedHidden BatchedCell ReorderedH0 ReorderedC0",
    "fusion_gru": "XX BatchedInput BatchedOut ReorderedH0", "attention_lstm": "AttentionedX AttentionFCOut LSTMX LSTMOUT",
    "fusion_seqconv_eltadd_relu": "ColMat", "fusion_seqexpand_concat_fc": "FCOut", "fusion_repeated_fc_relu": "ReluOut",
    "fusion_squared_mat_sub": "SquaredX SquaredY SquaredXY", "sequence_topk_avg_pooling": "pos",
    "pyramid_hash": "X_Temp_Out",
}  # fmt: skip
_NEEDED_LISTS = {
    ("conditional_block", "Input"), ("recurrent", "initial_states"), ("recurrent", "parameters"), ("multiplex", "X"),
    ("retinanet_detection_output", "Scores"), ("retinanet_detection_output", "Anchors"),
    ("collect_fpn_proposals", "MultiLevelScores"), ("merge_ids", "Rows"), ("merge_ids", "X"),
    ("fusion_repeated_fc_relu", "W"), ("fusion_repeated_fc_relu", "Bias"),
}  # fmt: skip
# slots that one age of Paddle marks in another way than ours: "*" a list, "?" may be left out, "~" intermediate
_MARKS = {
    1: (
        "batch_norm.Bias batch_norm.Scale c_sync_comm_stream.Out c_sync_comm_stream.X conditional_block.Scope "
        "cudnn_lstm.W cudnn_lstm.last_c cudnn_lstm.last_h "
        "fake_channel_wise_dequantize_max_abs.Scales* fused_elemwise_activation.IntermediateOut~ instance_norm.Bias instance_norm.Scale "
        "lars_momentum.Grad lars_momentum.LearningRate lars_momentum.Param lars_momentum.Velocity lars_momentum.ParamOut "
        "lars_momentum.VelocityOut positive_negative_pair.NeutralPair? recurrent.step_scopes rmsprop.MeanGradOut unique.Index "
        "while.Condition* while.StepScopes"
    ),
    2: (
        "adadelta.LearningRate batch_norm.ReserveSpace? conditional_block.Scope cross_entropy2.XShape cudnn_lstm.LastC cudnn_lstm.LastH "
        "cudnn_lstm.StateOut data_norm.Means~ data_norm.Scales~ eigvalsh.Eigenvectors fusion_repeated_fc_relu.ReluOut*~ "
        "generate_proposal_labels.MaxOverlapWithGT graph_khop_sampler.Out_Eids~ match_matrix_tensor.Tmp var_conv_2d.Col "
        "gru_unit.Gate~ gru_unit.ResetHiddenPrev~ moving_average_abs_max_scale.Out? multiclass_nms2.Index~ nce.SampleLabels~ "
        "nce.SampleLogits~ positive_negative_pair.NeutralPair? rank_attention.InputHelp? rank_attention.InsRank? "
        "recurrent.step_scopes rmsprop.MeanGradOut rnn.DropoutState? unique.Index "
        "while.Condition* while.StepScopes"
    ),
}
# the kinds of attributes without defaults; those that are not named are integers. "op.attr" holds for one operator.
_REQUIRED_KINDS = {
    AttrType.INTS: (
        "axes group_size indexes kernel_sizes kernels ksize output_sizes paddings part_size reverse.axis shape tokens topks transpose.axis "
        "transpose2.axis sparse_conv3d.dilations sparse_conv3d.strides sparse_transpose.perm"
    ),
    AttrType.LONGS: "sparse_reshape.shape sparse_slice.axes sparse_slice.ends sparse_slice.starts",
    AttrType.FLOATS: "anchor_generator.stride anchor_sizes aspect_ratios bbox_reg_weights fill.value min_sizes",
    AttrType.FLOAT: (
        "bg_thresh_hi bg_thresh_lo decr_ratio delta fg_fraction fg_thresh incr_ratio log_loss.epsilon max_norm max_range min_size mu "
        "nms_eta nms_thresh nms_threshold renorm.p score_threshold sparse_batch_norm.epsilon sparse_batch_norm.momentum "
        "sparse_divide_scalar.scalar sparse_leaky_relu.alpha sparse_pow.factor sparse_scale.bias sparse_scale.scale spatial_scale "
        "trans_std weight_decay"
    ),
    AttrType.BOOLEAN: (
        "is_lod need_update no_trans normalized onesided sparse_batch_norm.is_test sparse_batch_norm.trainable_statistics "
        "sparse_batch_norm.use_global_stats sparse_conv3d.subm sparse_scale.bias_after_scale"
    ),
    AttrType.BLOCK: "sub_block",
    AttrType.BLOCKS: "blocks",
    AttrType.LONG: (
        "num_rows prune_gate_by_capacity.n_expert prune_gate_by_capacity.n_worker index_select_strided.index tensor_unfold.axis "
        "tensor_unfold.size tensor_unfold.step"
    ),
    AttrType.STRING: "equation pooling_type sparse_batch_norm.data_layout sparse_conv3d.key",
    AttrType.STRINGS: "functor_list",
}
_GENERIC_KINDS = {
    "op_role": AttrType.INT, "op_role_var": AttrType.STRINGS, "op_callstack": AttrType.STRINGS, "with_quant_attr": AttrType.BOOLEAN,
}  # fmt: skip
# a mark of operators whose shapes their kernels compute, with those that have it in 1.8 and in 2.6
_RUNTIME_SHAPE = "@ALL_KERNELS_MUST_COMPUTE_RUNTIME_SHAPE@"
_WITH_RUNTIME_SHAPE = {
    1: "cos_sim fc fused_embedding_seq_pool hash sequence_enumerate",
    2: "fused_embedding_seq_pool hash sequence_enumerate",
}


@dataclass(frozen=True)
class ProtoSlot:
    """One input or output: its name, whether it takes a list, may be left out, or is the operator's own business."""

    name: str
    duplicable: bool
    dispensable: bool
    intermediate: bool
    comment: str = ""  # the wheels' documentation of it, which is not copied


@dataclass(frozen=True)
class ProtoAttr:
    """One attribute: its name and the number of its kind."""

    name: str
    type: int
    generated: bool = False
    extra: bool = False
    comment: str = ""


@dataclass(frozen=True)
class OpProto:
    """One operator: its type, slots and attributes."""

    type: str
    inputs: tuple[ProtoSlot, ...]
    outputs: tuple[ProtoSlot, ...]
    attrs: tuple[ProtoAttr, ...]
    comment: str = ""


@cache
def _protos(age: int) -> tuple[OpProto, ...]:
    return tuple(_proto(op, age) for op in registered().values())


def all_protos(age: int = 2) -> list[OpProto]:
    """The description of every operator, as Paddle 1.8 (age 1) or 2.x (age 2) gives it.

    Args:
        age (int): 1 or 2.
    Returns:
        List of OpProto, in no order.

    Example:
        >>> from paddle_compat.base import framework
        >>> scale = next(proto for proto in framework.get_all_op_protos() if proto.type == "scale")
        >>> [slot.name for slot in scale.inputs], [slot.name for slot in scale.outputs]
        (['X', 'ScaleTensor'], ['Out'])

    Follows Paddle 1.8 and 2.6.
    """
    return list(_protos(age))


def encoded_protos(age: int = 2) -> list[bytes]:
    """The description of every operator as Paddle's C++ hands it out: messages that `framework_pb2.OpProto.FromString` reads.

    Args:
        age (int): 1: those of Paddle 1.8; 2: those of 2.x.
    Returns:
        List of bytes, in no order.

    Example:
        >>> from paddle_compat.base import core
        >>> from paddle_compat.base.proto import framework_pb2
        >>> protos = [framework_pb2.OpProto.FromString(data) for data in core.get_all_op_protos()]
        >>> "scale" in {proto.type for proto in protos}
        True

    Follows Paddle 1.8 and 2.6.
    """
    return [encode(_message(proto, age), "OpProto") for proto in all_protos(age)]


def _message(proto: OpProto, age: int) -> dict[str, Any]:
    def slots(listed: tuple[ProtoSlot, ...]) -> list[dict[str, Any]]:
        marks = ("duplicable", "intermediate", "dispensable")
        return [{"name": s.name, "comment": "", **{mark: True for mark in marks if getattr(s, mark)}} for s in listed]

    def attr(a: ProtoAttr) -> dict[str, Any]:
        late = {"generated": a.generated} if age == 1 else {"extra": True} if a.extra else {}
        return {"name": a.name, "type": a.type, "comment": "", **late}

    attrs = [attr(a) for a in proto.attrs]
    return {"type": proto.type, "inputs": slots(proto.inputs), "outputs": slots(proto.outputs), "attrs": attrs, "comment": ""}


class OpProtoHolder:
    """The descriptions of all operators by type, as Paddle 2.x gives them; one object of it is enough.

    Example:
        >>> from paddle_compat.base.framework import OpProtoHolder
        >>> holder = OpProtoHolder.instance()
        >>> holder.has_op_proto("scale"), holder.get_op_proto("scale").type, "op_role" in holder.generated_op_attr_names()
        (True, 'scale', True)
    """

    age = 2
    _only: OpProtoHolder

    def __init__(self) -> None:
        self.op_proto_map: dict[str, OpProto] = {proto.type: proto for proto in all_protos(self.age)}

    @classmethod
    def instance(cls) -> OpProtoHolder:
        """The one object.

        Returns:
            OpProtoHolder.
        """
        if "_only" not in vars(cls):
            cls._only = cls()
        return cls._only

    def get_op_proto(self, type: str) -> OpProto:
        """The description of an operator.

        Args:
            type (str): the operator's type.
        Returns:
            OpProto.
        Raises:
            ValueError: there is none.
        """
        if type not in self.op_proto_map:
            raise ValueError(f'Operator "{type}" has not been registered.')
        return self.op_proto_map[type]

    def has_op_proto(self, type: str) -> bool:
        """Whether there is an operator of that type.

        Args:
            type (str): an operator's type.
        Returns:
            bool.
        """
        return type in self.op_proto_map

    @staticmethod
    def generated_op_attr_names() -> set[str]:
        """The attributes that Paddle, not the user, writes onto operators.

        Returns:
            Set of names.
        """
        return set(GENERIC_ATTRS)


def _proto(op: Op, age: int) -> OpProto:
    own = _INTERMEDIATE.get(op.type, "").split()

    def slot(s: Slot) -> ProtoSlot:
        marks = _marks(age).get(f"{op.type}.{s.name}")
        if marks is not None:
            return ProtoSlot(s.name, "*" in marks, "?" in marks, "~" in marks)
        if age == 2:
            return ProtoSlot(s.name, s.is_list, s.optional, s.described)
        # a list may be left out where it stands behind the operator's first input (SizeTensor, StartsTensorList, ...)
        extra = s.is_list and s in op.inputs[1:] and (op.type, s.name) not in _NEEDED_LISTS
        return ProtoSlot(s.name, s.is_list, (s.optional or extra) and s.name not in own, s.name in own)

    attrs = [ProtoAttr(n, _kind(op, n, v, age)) for n, v in _listed(op, age).items()]
    if op.type in _WITH_RUNTIME_SHAPE[age].split():
        attrs.append(ProtoAttr(_RUNTIME_SHAPE, AttrType.BOOLEAN))
    generic = GENERIC_ATTRS if age == 1 else (*GENERIC_ATTRS, "with_quant_attr")
    attrs += [ProtoAttr(n, int(_GENERIC_KINDS.get(n, AttrType.STRING)), extra=age == 2) for n in generic]
    return OpProto(
        op.type,
        tuple(slot(s) for s in op.inputs if s.age in (0, age)),
        tuple(slot(s) for s in op.outputs if s.age in (0, age)),
        tuple(attrs),
    )


def _listed(op: Op, age: int) -> dict[str, Any]:
    """The operator's own attributes as that age of Paddle lists them, with their defaults; None: it has none."""
    known = {**op.attrs, **dict.fromkeys(sorted(op.required - op.attrs.keys())), **kernel_choices(op.type, age)}
    hidden = unlisted(op.type, age).keys() - kernel_choices(op.type, age).keys()
    return {n: v for n, v in known.items() if n[0] != "_" and n not in hidden and is_written(op.type, n, age)}


@cache
def slots_in_age(type_: str, age: int) -> tuple[tuple[Slot, ...], tuple[Slot, ...]]:
    """An operator's input and output slots as an age of Paddle marks them: which take lists, and which may be left out.

    What 2.6 may leave out may be left out of Programs of fluid's, too, which scripts of Paddle 2.0 to 2.4 write with functions of both.
    """

    def marked(slot: Slot) -> Slot:
        name = f"{type_}.{slot.name}"
        marks = _marks(age).get(name)
        if marks is None:
            return slot
        later = _marks(2).get(name, "?" if slot.optional else "")
        return replace(slot, is_list="*" in marks, optional="?" in marks + later)

    op = definition_of(type_)
    return tuple(map(marked, op.inputs)), tuple(map(marked, op.outputs))


@cache
def attribute_kinds(type_: str, age: int) -> Mapping[str, AttrType]:
    """As which kind each attribute is stored that an operator takes in an age of Paddle; those of no known kind are left out.

    Args:
        type_: the operator's type.
        age: 1 for Paddle 1.8, 2 for 2.6.
    """
    op = definition_of(type_)
    known = {**unlisted(type_, age), **kernel_choices(type_, age), **op.attrs}
    found = {n: attr_kind(type_, n, value, age) for n, value in known.items() if n[0] != "_" and value is not None}
    required = {n: AttrType(_kind(op, n, None, age)) for n in op.required}
    return {**{n: kind for n, kind in found.items() if kind is not None}, **required}


def _kind(op: Op, name: str, value: object, age: int) -> int:
    if name in op.required:
        found = _required_kinds()
        return int(found.get(f"{op.type}.{name}") or found.get(name, AttrType.INT))
    kind = attr_kind(op.type, name, value, age) if value is not None else None
    return int(AttrType.INT if kind is None else kind)


@cache
def _required_kinds() -> dict[str, AttrType]:
    return {name: kind for kind, names in _REQUIRED_KINDS.items() for name in names.split()}


@cache
def _marks(age: int) -> dict[str, str]:
    bare = ((text.rstrip("*?~"), text) for text in _MARKS[age].split())
    return {name: text[len(name) :] for name, text in bare}
