"""Operator attributes in files: as which kind each is stored, and what only one age of Paddle writes or reads."""

from __future__ import annotations

from functools import cache
from numbers import Integral, Real
from typing import Any

import numpy as np

from paddle_compat.core._kernel_attributes import FIRST_AGE, ROUNDING, forward_type
from paddle_compat.core.attribute_variables import variables_of
from paddle_compat.core.op import find_op
from paddle_compat.core.program import Block
from paddle_compat.core.proto import AttrType
from paddle_compat.core.variable import Variable

INT32 = range(-(1 << 31), 1 << 31)

# Attributes whose kind their value does not tell: a list may be empty, an int may stand for a long. "op.attr" holds for
# one operator, "@1" or "@2" for one age only.
_ATTR_KINDS = {
    AttrType.LONG: (
        "arg_max.axis arg_min.axis as_strided.offset assert.summarize bins blocksize c_embedding.start_index "
        "c_softmax_with_cross_entropy.ignore_index fill_diagonal_tensor.offset "
        "last_dim_size max_average_window min_average_window min_row_size_to_use_multithread mod_by "
        "nll_loss.ignore_index num_columns num_rows out_val_if_empty padding_idx program_id seek "
        "index_select_strided.index tensor_unfold.axis tensor_unfold.size tensor_unfold.step total_steps vocab_size "
        "warmup_steps"
    ),
    AttrType.LONGS: (
        "as_strided.dims as_strided.stride data.shape decrease_axes empty.shape fft_c2c.axes fft_c2r.axes "
        "coalesce_tensor.concated_ranks coalesce_tensor.concated_shapes fft_r2c.axes fill_constant.shape "
        "fake_init.shape full_int_array.value gaussian_random.shape graph_send_recv.out_size graph_send_ue_recv.out_size "
        "height_sections int64_values "
        "load.shape none_axes randint.shape recv_save.shape reduce_all.dim@2 reduce_amax.dim reduce_amin.dim reduce_any.dim@2 "
        "roll.axis roll.dims send.sections set_value.axes set_value.ends set_value.shape set_value.starts shifts "
        "sparse_reshape.shape sparse_slice.axes sparse_slice.ends sparse_slice.starts sparse_sparse_coo_tensor.shape sparse_sum.axis "
        "steps uniform_random.shape view_shape.dims"
    ),
    AttrType.FLOATS: (
        "anchor_generator.stride anchor_sizes aspect_ratios bbox_reg_weights fill.value fixed_ratios fixed_sizes "
        "fp32_values lars_momentum.lars_weight_decay@2 max_sizes min_sizes regularization_coeff scale scale_weights sparsity "
        "scale_y variance variances"
    ),
    AttrType.STRINGS: (
        "backward_skip_vars endpoints epmap ex_states grad_to_block_id merged_momentum.regularization_method names "
        "next_endpoints op_callstack op_role_var other_endpoints prefetch_var_name_to_block_id previous_endpoints "
        "recv_varnames remote_varnames send_varnames skip_eager_deletion_vars slice_shapes slice_varnames "
        "sparse_grad_to_param states table_names trainers varnames"
    ),
    AttrType.FLOAT: "allclose.atol@1 allclose.rtol@1",
    AttrType.BLOCKS: "optimize_blocks",
    AttrType.BOOLEANS: "share_buffer.share_dims_and_dtype",
    AttrType.FLOAT64S: "fp64_values",
    AttrType.SCALARS: "assign_value.values set_value.values",
}

# What 2.6 leaves out of inference models: attributes, and outputs that only training reads, each with the operators.
_TRAINING = {
    "fix_seed": "dropout dropout_nd",
    "seed": "dropout dropout_nd randperm",
    "is_test": ("conv2d conv2d_transpose conv3d depthwise_conv2d depthwise_conv2d_transpose gru layer_norm lrn pool2d prelu softmax"),
    "data_format": "sequence_softmax softmax transpose2",
    "is_sparse": "lookup_table_v2",
    "is_distributed": "lookup_table_v2",
    "remote_prefetch": "lookup_table_v2",
    "threshold": "relu6",
    "round_type": ROUNDING,
    "beta": "swish",
    "skip_eager_deletion_vars": "conditional_block while",
    "XShape": "einsum flatten2 flatten_contiguous_range squeeze2 transpose2 unsqueeze2",
    "Mask": "dropout dropout_nd",
    "ReserveSpace": "batch_norm",
    "SavedMean": "instance_norm",
    "SavedVariance": "instance_norm",
    "Noise": "rrelu",
    "MedianIndex": "nanmedian",
    "Norm": "norm",
    "BatchGate": "gru lstm",
    "BatchCellPreAct": "lstm",
    "BatchResetHiddenPrev": "gru",
    "BatchHidden": "gru",
    "SampleLogits": "nce",
    "SampleLabels": "nce",
}

_ELEMENTWISE = " ".join(f"elementwise_{kind}" for kind in "add div floordiv max mod mul pow sub".split())
# Attributes that operators have in one age only, and that files of the other do not hold.
_NOT_IN: dict[int, dict[str, str]] = {
    1: {
        "align_corners": "affine_grid grid_sampler",
        "aligned": "roi_align",
        "align_size": "coalesce_tensor",
        "always_adapt": "lamb",
        "MaxSize": "rank_attention",
        "asvector": "p_norm",
        "axis": "flip gather roll unique",
        "axis1": "trace",
        "axis2": "trace",
        "beta": "softplus",
        "concated_ranks": "coalesce_tensor",
        "concated_shapes": "coalesce_tensor",
        "data_format": "pixel_shuffle prelu temporal_shift unpool",
        "device_id": "c_comm_init",
        "dtype": "linspace",
        "endpoints": "c_comm_init",
        "entry": "lookup_table lookup_table_v2",
        "entry_config": "lookup_table lookup_table_v2",
        "epsilon": "lars_momentum",
        "flatten": "arg_max arg_min cumsum",
        "fp64_values": "assign_value",
        "iou_aware": "yolo_box",
        "iou_aware_factor": "yolo_box",
        "is_distributed": "distributed_lookup_table",
        "is_sorted": "unique",
        "is_sparse": "send",
        "is_test": "distributed_lookup_table fake_channel_wise_quantize_abs_max lookup_table lookup_table_v2 lstm nce norm",
        "mode": "grid_sampler",
        "multi_precision": "adadelta adagrad adam adamax dgc_momentum lamb lars_momentum momentum rmsprop sgd",
        "output_padding": "conv2d_transpose conv3d_transpose depthwise_conv2d_transpose",
        "output_size": "unpool",
        "padding_mode": "grid_sampler",
        "persist_output": "coalesce_tensor",
        "pixel_offset": "distribute_fpn_proposals",
        "place_type": "fill_constant",
        "print_tensor_layout": "print",
        "quant_axis": "fake_channel_wise_dequantize_max_abs fake_channel_wise_quantize_abs_max",
        "regularization_coeff": "dgc_momentum momentum",
        "regularization_method": "dgc_momentum momentum",
        "rescale_grad": "dgc_momentum lars_momentum momentum",
        "return_counts": "unique",
        "round_type": ROUNDING,
        "return_index": "unique",
        "return_inverse": "unique",
        "ring_id": "broadcast c_gen_bkcl_id c_gen_nccl_id",
        "slot": "lookup_table lookup_table_v2",
        "table_class": "lookup_table lookup_table_v2",
        "table_id": "distributed_lookup_table send",
        "threshold": "softplus",
        "use_align": "coalesce_tensor",
        "use_global_beta_pow": "adam",
        "use_model_parallel": "c_allreduce_max c_allreduce_min c_allreduce_prod c_allreduce_sum",
        "use_softmax": "softmax_with_cross_entropy",
        "user_defined_size_of_dtype": "coalesce_tensor",
        "x_num_col_dims": "fake_channel_wise_dequantize_max_abs",
    },
    2: {
        "check_name": "coalesce_tensor",
        "dim1": "trace",
        "dim2": "trace",
        "dims": "flip roll",
        "endpoints": "distributed_lookup_table",
        "entry": "lookup_table_v2",
        "entry_config": "lookup_table_v2",
        "epmap": "send",
        "fused_reshape_Out": "matmul",
        "fused_transpose_Out": "matmul",
        "height_sections": "distributed_lookup_table",
        "is_test": "lookup_table_v2",
        "max_len": "cudnn_lstm",
        "merge_add": "send",
        "num": "send",
        "overwrite": "gather",
        "remote_prefetch": "hierarchical_sigmoid",
        "sections": "send",
        "sync_mode": "broadcast",
        "table_class": "lookup_table_v2",
        "table_names": "distributed_lookup_table",
        "trainer_id": "distributed_lookup_table send",
        "use_send_handler": "send",
        "x_data_format": _ELEMENTWISE,
        "y_data_format": _ELEMENTWISE,
    },
}


def attr_kind(op: str, name: str, value: Any, age: int = 2) -> AttrType | None:
    """Tell as which kind Paddle stores an attribute.

    Args:
        op: the operator's type.
        name: the attribute's name.
        value: its value.
        age: 1 for Paddle 1.8, 2 for 2.6.

    Returns:
        The kind; None when no kind can hold the value.

    Example:
        >>> attr_kind("fill_constant", "shape", []), attr_kind("scale", "scale", 2)
        (<AttrType.LONGS: 11>, <AttrType.FLOAT: 1>)
    """
    if variables_of(value):
        return AttrType.VAR if isinstance(value, Variable) else AttrType.VARS
    many = isinstance(value, (list, tuple))
    kinds = _attr_kinds()
    op = forward_type(op)
    for key in (f"{op}.{name}@{age}", f"{op}.{name}", name):
        known = kinds.get(key)
        if known is not None and (key != name or known.name.endswith("S") == many):
            return known
    if not many:
        default = _default(op, name)
        return AttrType.FLOAT if type(default) is float and isinstance(value, Real) else value_kind(value)
    found = {value_kind(item) for item in value} or {AttrType.INT}
    if AttrType.LONG in found or AttrType.FLOAT in found:  # an int may stand beside them
        found.discard(AttrType.INT)
    one = found.pop()
    return None if found or one is None else AttrType[one.name + "S"]


def value_kind(value: Any) -> AttrType | None:
    """Tell as which kind a single value is stored, going by the value alone."""
    if isinstance(value, (bool, np.bool_)):
        return AttrType.BOOLEAN
    if isinstance(value, Integral):
        return AttrType.INT if int(value) in INT32 else AttrType.LONG
    if isinstance(value, Real):
        return AttrType.FLOAT
    if isinstance(value, (str, bytes)):
        return AttrType.STRING
    return AttrType.BLOCK if isinstance(value, Block) else None


# What 2.6 leaves out whatever the operator.
_EXTRA = {name for _, name, _ in FIRST_AGE if name != "is_test"} | {
    "Scale_x",
    "Scale_y",
    "mkldnn_data_type",
    "op_callstack",
    "x_data_format",
    "y_data_format",
}


def only_training(op: str, name: str, value: Any = None) -> bool:
    """Whether 2.6 leaves that attribute, which has that value, or output slot of an operator out of inference models."""
    if name == "with_quant_attr":  # of what was quantized it stays, and of what no layer writes
        return not value and op not in ("feed", "fetch")
    return name in _EXTRA or op in _TRAINING.get(name, "").split()


def is_written(op: str, name: str, age: int) -> bool:
    """Whether files of that age hold the attribute."""
    return name not in _NOT_IN[age] or forward_type(op) not in _NOT_IN[age].get(name, "").split()


@cache
def _attr_kinds() -> dict[str, AttrType]:
    return {name: kind for kind, names in _ATTR_KINDS.items() for name in names.split()}


def _default(op: str, name: str) -> Any:
    definition = find_op(op)
    return definition.attrs.get(name) if definition else None
