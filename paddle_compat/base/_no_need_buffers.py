"""Which inputs an operator asks for their shape alone, so that their memory may be let go: what Paddle's own tests ask."""

from __future__ import annotations

from functools import cache
from typing import Any

# operators of Paddle 2.6 and the slots of such inputs
_SLOTS = """
argsort_grad:X as_strided:input bicubic_interp_grad:X bicubic_interp_v2_grad:X bilinear_interp_grad:X bilinear_interp_v2_grad:X
broadcast_tensors_grad:X c_embedding_grad:W concat_grad:X crop:Y cvm:CVM cvm_grad:X diag_v2_grad:X diagonal_grad:Input
elementwise_add_grad:X,Y elementwise_add_grad_grad:DOut,Y elementwise_sub_grad:X,Y elementwise_sub_grad_grad:DOut,Y expand_grad:X
expand_as_v2_grad:X expand_v2_grad:X fft_r2c_grad:X fill_constant_batch_size_like:Input fill_zeros_like2:X fold_grad:X gather_grad:X
gather_nd_grad:X gru_grad:Bias,Input gru_unit_grad:Bias hierarchical_sigmoid_grad:Bias index_sample_grad:X index_select_grad:X
index_select_strided_grad:x kldiv_loss_grad:X layer_norm_grad:Bias linear_chain_crf_grad:Emission,Transition linear_interp_grad:X
linear_interp_v2_grad:X lod_reset_grad:X lookup_table_grad:W lookup_table_v2_grad:W masked_select_grad:X mean_grad:X nce_grad:Bias
nearest_interp_grad:X nearest_interp_v2_grad:X pad2d_grad:X pad3d_grad:X reduce_mean_grad:X reduce_sum_grad:X repeat_interleave_grad:X
reshape2_grad_grad:DOut roi_align_grad:X roll_grad:X scatter_grad:Updates scatter_nd_add_grad:Updates sequence_concat_grad:X
sequence_expand:Y sequence_expand_grad:X,Y sequence_expand_as:Y sequence_expand_as_grad:X,Y sequence_pad_grad:X sequence_pool_grad:X
sequence_scatter_grad:Updates sequence_slice_grad:X sequence_softmax_grad:X sequence_unpad_grad:X size:Input slice_grad:Input
stack_grad:X strided_slice_grad:Input tensor_unfold:input tile_grad:X trace_grad:Input trilinear_interp_grad:X
trilinear_interp_v2_grad:X unfold_grad:X uniform_random_batch_size_like:Input view_dtype:input view_shape:input warpctc_grad:Logits
warprnnt_grad:input where_grad:X,Y
"""


@cache
def _table() -> dict[str, frozenset[str]]:
    return {name: frozenset(slots.split(",")) for name, slots in (entry.split(":") for entry in _SLOTS.split())}


def infer_no_need_buffer_slots(type: str, inputs: Any, outputs: Any, attrs: Any, /) -> set[str]:
    """The slots of inputs whose elements an operator does not read.

    Args:
        type (str): the operator's type.
        inputs, outputs (dict): slot -> names.
        attrs (dict): its attributes.
    Returns:
        set of str.

    Example:
        >>> from paddle_compat.base import core
        >>> sorted(core.infer_no_need_buffer_slots("elementwise_add_grad", {"X": ["x"], "Y": ["y"]}, {}, {}))
        ['X', 'Y']

    Follows Paddle 2.6.
    """
    return set(_table().get(type, ()))


__all__ = ["infer_no_need_buffer_slots"]
