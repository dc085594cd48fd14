"""`paddle.fluid.contrib.layers`: layers that Paddle 1.8 kept beside `fluid.layers`."""

from paddle_compat._lazy import lazy

_HOMES = {
    "metric_op": ("ctr_metric_bundle",),
    "rnn_impl": ("BasicGRUUnit", "BasicLSTMUnit", "basic_gru", "basic_lstm"),
    "nn": (
        "fused_elemwise_activation", "fused_embedding_seq_pool", "multiclass_nms2", "partial_concat", "partial_sum", "shuffle_batch",
        "tree_conv",
    ),
}  # fmt: skip
__getattr__, __dir__, __all__ = lazy(__name__, _HOMES)
