"""`paddle.incubate.layers`: layers of Programs that Paddle 1.8 has under `fluid.contrib.layers`, and one more."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "nn": (
            "batch_fc", "bilateral_slice", "correlation", "fused_bn_add_act", "fused_embedding_seq_pool", "fused_seqpool_cvm",
            "multiclass_nms2", "partial_concat", "partial_sum", "pow2_decay_with_linear_warmup", "rank_attention",
            "search_pyramid_hash", "shuffle_batch", "tdm_child", "tdm_sampler",
        ),
    },
)  # fmt: skip
