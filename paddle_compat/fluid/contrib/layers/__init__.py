"""`paddle.fluid.contrib.layers`: layers that Paddle 1.8 kept beside `fluid.layers`."""

from paddle_compat._lazy import lazy

_HOMES = {
    "metric_op": ("ctr_metric_bundle",),
    "rnn_impl": ("BasicGRUUnit", "BasicLSTMUnit", "basic_gru", "basic_lstm"),
    "nn": (
        "fused_elemwise_activation", "fused_embedding_seq_pool", "match_matrix_tensor", "multiclass_nms2", "partial_concat",
        "partial_sum", "rank_attention", "search_pyramid_hash", "sequence_topk_avg_pooling", "shuffle_batch", "tdm_child",
        "tdm_sampler", "tree_conv", "var_conv_2d",
    ),
}  # fmt: skip
__getattr__, __dir__, __all__ = lazy(__name__, _HOMES)
