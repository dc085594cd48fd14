"""`paddle.nn.functional`: layers as functions."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "activation": (
            "celu", "elu", "elu_", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "hardtanh_", "leaky_relu",
            "leaky_relu_", "maxout", "prelu", "relu", "relu6", "relu_", "rrelu", "selu", "softshrink",
            "thresholded_relu", "thresholded_relu_",
        ),
        "_class_centers": ("class_center_sample",),
        "common": (
            "alpha_dropout", "bilinear", "cosine_similarity", "dropout", "dropout1d", "dropout2d",
            "dropout3d", "feature_alpha_dropout", "fold", "interpolate", "label_smooth", "linear", "pad", "unfold", "upsample", "zeropad2d",
        ),
        "conv": (
            "conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose",
        ),
        "_densities": ("adaptive_log_softmax_with_loss", "gaussian_nll_loss", "kl_div", "poisson_nll_loss"),
        "distance": ("pairwise_distance",),
        "_expert_rows": ("moe_permute", "moe_unpermute"),
        "_further_pooling": ("fractional_max_pool2d", "fractional_max_pool3d", "lp_pool1d", "lp_pool2d"),
        "extension": ("gather_tree", "sequence_mask", "temporal_shift"),
        "_sparse_attention": ("sparse_attention",),
        "flash_attention": (
            "flash_attn_qkvpacked", "flash_attn_varlen_qkvpacked", "flashmask_attention", "scaled_dot_product_attention", "sdp_kernel",
        ),
        "input": ("embedding", "embedding_renorm_", "one_hot"),
        "loss": (
            "binary_cross_entropy", "binary_cross_entropy_with_logits", "cross_entropy", "ctc_loss", "dice_loss",
            "hsigmoid_loss", "l1_loss", "log_loss", "margin_cross_entropy", "mse_loss", "rnnt_loss", "smooth_l1_loss",
            "softmax_with_cross_entropy", "square_error_cost",
        ),
        "ranking": (
            "cosine_embedding_loss", "hinge_embedding_loss", "margin_ranking_loss",
            "multi_label_margin_loss", "multi_label_soft_margin_loss", "multi_margin_loss", "nll_loss", "npair_loss",
            "sigmoid_focal_loss", "soft_margin_loss", "triplet_margin_loss", "triplet_margin_with_distance_loss",
        ),
        "norm": ("batch_norm", "group_norm", "instance_norm", "layer_norm", "local_response_norm", "normalize", "rms_norm"),
        "pooling": (
            "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d",
            "adaptive_max_pool2d", "adaptive_max_pool3d", "avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d",
            "max_pool2d", "max_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d",
        ),
        "smooth": (
            "gelu", "glu", "gumbel_softmax", "log_sigmoid", "log_softmax", "logsigmoid", "mish", "sigmoid", "silu", "softmax",
            "softmax_", "softplus", "softsign", "swiglu", "swish", "tanh", "tanh_", "tanhshrink",
        ),
        ".tensor._triangles": ("diag_embed",),
        "vision": ("affine_grid", "channel_shuffle", "grid_sample", "pixel_shuffle", "pixel_unshuffle"),
    },
)  # fmt: skip

modules(
    __name__,
    {
        "moe_permute": ("moe_permute",),
        "moe_unpermute": ("moe_unpermute",),
        "sdpa": ("scaled_dot_product_attention",),
        "sparse_attention": ("sparse_attention",),
    },
)
