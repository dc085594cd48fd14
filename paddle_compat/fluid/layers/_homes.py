"""Which file defines what of `fluid.layers`, by the module that has it in Paddle 1.8."""

from __future__ import annotations

_LAYERS = ".fluid.layers."

NN = {
    "_activation": (
        "brelu", "elu", "hard_sigmoid", "hard_swish", "leaky_relu", "log", "log1p", "maxout", "mish", "pow", "prelu", "relu", "relu6",
        "selu", "sign", "soft_relu", "stanh", "swish",
    ),
    "_conv": ("conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose", "deformable_conv", "row_conv"),
    "_dense": (
        "add_position_encoding", "autoincreased_step_counter", "bilinear_tensor_product", "clamp", "clip", "clip_by_norm",
        "continuous_value_model", "cos_sim", "fc", "filter_by_instag", "get_tensor_from_selected_rows", "hash", "lod_append", "lod_reset",
        "merge_selected_rows", "meshgrid", "py_func",
    ),
    "_image": (
        "affine_channel", "affine_grid", "fsp_matrix", "grid_sampler", "im2sequence", "image_resize", "image_resize_short", "interpolate",
        "pixel_shuffle", "resize_bilinear", "resize_nearest", "resize_trilinear", "shuffle_channel", "similarity_focus",
        "space_to_depth", "temporal_shift", "unfold",
    ),
    "_index": (
        "embedding", "gather", "gather_nd", "gather_tree", "index_sample", "index_select", "multiplex", "one_hot", "scatter",
        "scatter_nd", "scatter_nd_add", "shard_index",
    ),
    "_math": (
        "addcmul", "addmm", "allclose", "bmm", "cross", "dist", "dot", "elementwise_add", "elementwise_div", "elementwise_equal",
        "elementwise_floordiv", "elementwise_max", "elementwise_min", "elementwise_mod", "elementwise_mul", "elementwise_pow",
        "elementwise_sub", "log_softmax", "logical_and", "logical_not", "logical_or", "logical_xor", "logsumexp", "matmul", "mean", "mul",
        "reduce_all", "reduce_any", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "scale", "softmax", "sum",
    ),
    "_norm": (
        "batch_norm", "data_norm", "dropout", "group_norm", "inplace_abn", "instance_norm", "l2_normalize", "layer_norm", "lrn",
        "spectral_norm",
    ),
    "_parts": ("crop", "crop_tensor", "pad", "pad2d", "pad_constant_like", "slice", "strided_slice"),
    "_pool": (
        "adaptive_pool2d", "adaptive_pool3d", "deformable_roi_pooling", "pool2d", "pool3d", "prroi_pool", "psroi_pool", "roi_align",
        "roi_pool",
    ),
    "_random": (
        "gaussian_random", "gaussian_random_batch_size_like", "randint", "randn", "random_crop", "randperm", "sampling_id",
        "uniform_random", "uniform_random_batch_size_like",
    ),
    "_reshape": (
        "expand", "expand_as", "flatten", "rank", "reshape", "shape", "size", "split", "squeeze", "stack", "t", "transpose", "unbind",
        "unsqueeze", "unstack",
    ),
    "_search": ("diag_embed", "flip", "nonzero", "roll", "topk", "unique", "unique_with_counts", "where"),
    "_structured": ("chunk_eval", "crf_decoding", "ctc_greedy_decoder", "linear_chain_crf", "mean_iou"),
    "loss": ("dice_loss", "label_smooth", "log_loss", "smooth_l1"),
}  # fmt: skip

OTHERS = {
    "ops": (
        "abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "cumsum", "erf", "exp", "floor", "gelu", "hard_shrink", "logsigmoid",
        "reciprocal",
        "round", "rsqrt", "sigmoid", "sin", "sinh", "softplus", "softshrink", "softsign", "sqrt", "square", "tan", "tanh", "tanh_shrink",
        "thresholded_relu",
    ),
    "_filling": (
        "arange", "assign", "cast", "diag", "eye", "fill_constant", "fill_constant_batch_size_like", "full", "full_like", "linspace",
        "ones", "ones_like", "range", "zeros", "zeros_like",
    ),
    "_search": ("argmax", "argmin", "argsort", "has_inf", "has_nan", "isfinite", "reverse", "trace", "tril", "triu"),
    "tensor": ("concat", "create_global_var", "create_parameter", "create_tensor", "kron", "sums", "tensor_array_to_tensor"),
    "loss": (
        "bpr_loss", "center_loss", "cross_entropy", "huber_loss", "kldiv_loss", "margin_rank_loss", "mse_loss", "npair_loss",
        "rank_loss", "sigmoid_cross_entropy_with_logits", "softmax_with_cross_entropy", "square_error_cost",
        "teacher_student_sigmoid_loss",
    ),
    "_sampled": ("hsigmoid", "nce", "sampled_softmax_with_cross_entropy"),
    "_structured": ("edit_distance", "warpctc"),
    "metric_op": ("accuracy", "auc"),
    "distributions": ("Categorical", "MultivariateNormalDiag", "Normal", "Uniform"),
    "io": ("create_py_reader_by_data", "data", "double_buffer", "load", "py_reader", "read_file"),
    "control_flow": (
        "DynamicRNN", "IfElse", "Print", "StaticRNN", "Switch", "While", "array_length", "array_read", "array_write", "case", "cond",
        "create_array", "equal", "greater_equal", "greater_than", "increment", "is_empty", "less_equal", "less_than", "not_equal",
        "reorder_lod_tensor_by_rank", "switch_case", "while_loop",
    ),
    "rnn": (
        "BasicDecoder", "BeamSearchDecoder", "DecodeHelper", "Decoder", "GRUCell", "GreedyEmbeddingHelper", "LSTMCell", "RNNCell",
        "SampleEmbeddingHelper", "TrainingHelper", "beam_search", "beam_search_decode", "dynamic_decode", "dynamic_gru", "dynamic_lstm",
        "dynamic_lstmp", "gru_unit", "lstm", "lstm_unit", "rnn",
    ),
    "sequence_lod": (
        "sequence_concat", "sequence_conv", "sequence_enumerate", "sequence_expand", "sequence_expand_as", "sequence_first_step",
        "sequence_last_step", "sequence_mask", "sequence_pad", "sequence_pool", "sequence_reshape", "sequence_reverse",
        "sequence_scatter", "sequence_slice", "sequence_softmax", "sequence_unpad",
    ),
    "learning_rate_scheduler": (
        "cosine_decay", "exponential_decay", "inverse_time_decay", "linear_lr_warmup", "natural_exp_decay", "noam_decay",
        "piecewise_decay", "polynomial_decay",
    ),
}  # fmt: skip

DETECTION = {
    "_proposals": (
        "collect_fpn_proposals", "detection_output", "distribute_fpn_proposals", "generate_proposal_labels", "generate_proposals",
        "locality_aware_nms", "matrix_nms", "multiclass_nms", "retinanet_detection_output", "retinanet_target_assign",
        "rpn_target_assign",
    ),
    "_yolo": ("bipartite_match", "sigmoid_focal_loss", "ssd_loss", "target_assign", "yolo_box", "yolov3_loss"),
    "_masks": ("generate_mask_labels", "roi_perspective_transform"),
    "_boxes": (
        "anchor_generator", "box_clip", "box_coder", "box_decoder_and_assign", "density_prior_box", "iou_similarity", "multi_box_head",
        "polygon_box_transform", "prior_box",
    ),
}  # fmt: skip


def absolute(homes: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The same table for a module outside the package."""
    return {_LAYERS + module: names for module, names in homes.items()}
