"""The LoD levels of gradients: from which of its inputs a gradient operator hands a level on, read off the wheels.

1.8 hands none on unless the table says otherwise, 2.6 that of the variable itself ("own").
"""

from __future__ import annotations

from paddle_compat.core.operator import GRAD_SUFFIX

_DEFAULTS = {1: "none", 2: "own"}
# Age -> the slot of the gradient operator that the level comes from -> types of forward operators ("type.Slot": one gradient of it).
_SOURCES = {
    1: {
        "Out@GRAD":
            "abs acos asin atan brelu ceil cos dropout elu exp floor hard_shrink hard_sigmoid hard_swish leaky_relu log log1p "
            "logsigmoid pow reciprocal relu relu6 round rsqrt shuffle_batch sigmoid sin soft_relu softplus softshrink softsign sqrt square "
            "stanh swish tanh tanh_shrink thresholded_relu",
        "XShape": "cross_entropy_grad2 flatten2 reshape2 squeeze2 transpose2 unsqueeze2",
        "own":
            "argsort bce_loss bpr_loss concat cross_entropy cvm dot elementwise_add elementwise_div elementwise_max elementwise_min "
            "elementwise_mul elementwise_pow elementwise_sub erf flatten frobenius_norm gather gather_nd gelu "
            "hierarchical_sigmoid.X linear_chain_crf.Transition lod_reset match_matrix_tensor.X match_matrix_tensor.Y mean "
            "pad_constant_like partial_concat partial_sum "
            "reduce_max reduce_mean reduce_min reduce_prod reduce_sum rnn_memory_helper sequence_conv.X sequence_expand_as "
            "sequence_pad sequence_pool sequence_reshape sequence_topk_avg_pooling sequence_unpad shrink_rnn_memory squeeze "
            "teacher_student_sigmoid_loss "
            "unsqueeze var_conv_2d.X warpctc",
    },
    2: {
        "Condition": "where.X",
        "Eigenvalues": "eigh",
        "Index": "put_along_axis.Value",
        "Indices": "argsort",
        "Out": "cholesky erfinv exp expm1 hard_sigmoid log_softmax reciprocal relu relu6 rsqrt selu sigmoid softmax sqrt tanh",
        "Out@GRAD":
            "ceil dropout dropout_nd fft_c2c fill_any floor fused_softmax_mask_upper_triangle gumbel_softmax huber_loss.Y index_add.X "
            "label_smooth mish poisson round shuffle_batch "
            "soft_relu temporal_shift tril_triu trunc",
        "Residual": "huber_loss.X",
        "Softmax": "fused_softmax_mask",
        "X": "where.Y",
        "XShape": "cross_entropy_grad2 flatten2 flatten_contiguous_range reshape2 squeeze2 unsqueeze2",
        "none":
            "add_position_encoding affine_channel affine_grid batch_fc batch_norm bicubic_interp bilateral_slice bilinear_interp "
            "bilinear_tensor_product bmm channel_shuffle complex correlation crop crop_tensor cudnn_lstm data_norm "
            "deformable_conv_v1 deformable_psroi_pooling eig eigvalsh expand fft_c2r fill_diagonal "
            "fill_diagonal_tensor fsp gru gru_unit hierarchical_sigmoid.Bias hierarchical_sigmoid.W "
            "c_embedding c_softmax_with_cross_entropy hinge_loss "
            "im2sequence imag instance_norm inverse l1_norm linear_chain_crf.Emission linear_interp logsumexp lookup_table "
            "lookup_table_v2 lrn lstm lstmp lu lu_unpack match_matrix_tensor.W matmul modified_huber_loss multiplex nanmedian nce "
            "rank_attention nearest_interp nll_loss "
            "overlap_add pad pyramid_hash "
            "pad2d pixel_shuffle pixel_unshuffle prelu rank_loss real repeat_interleave row_conv scatter scatter_nd_add sequence_concat "
            "sequence_conv.Filter sequence_expand sequence_scatter sequence_slice sequence_softmax shuffle_channel slice "
            "softmax_with_cross_entropy spectral_norm stack tensor_array_to_tensor tile top_k transpose transpose2 trilinear_interp "
            "fused_embedding_seq_pool fused_seqpool_cvm.CVM spp stft stright_throuth_estimator uniform_random_inplace unstack "
            "var_conv_2d.W yolov3_loss",
        "out@GRAD": "gaussian_inplace",
        "x_shape": "einsum",
    },
}
_BY_TYPE = {
    (age, name): source for age, sources in _SOURCES.items() for source, names in sources.items() for name in names.split()
}


def lod_source(type_: str, slot: str, age: int) -> str | None:
    """The slot whose LoD level the gradient in that slot takes; None: it has level 0.

    Args:
        type_: a gradient operator's type.
        slot: a slot that it writes.
        age: of the Program.
    """
    forward, written = type_.removesuffix("_grad"), slot.removesuffix(GRAD_SUFFIX)
    source = _BY_TYPE.get((age, f"{forward}.{written}")) or _BY_TYPE.get((age, forward)) or _DEFAULTS[age]
    return {"own": written, "none": None}.get(source, source)
