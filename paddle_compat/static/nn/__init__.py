"""`paddle.static.nn`: layers that create their parameters, and control flow, for Programs."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "activation": ("prelu",),
        "control_flow": ("case", "cond", "switch_case", "while_loop"),
        "conv": ("conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose", "deform_conv2d", "row_conv"),
        "linear": ("bilinear_tensor_product", "embedding", "fc", "sparse_embedding"),
        "loss": ("nce",),
        "_pylayer": ("static_pylayer",),
        "norm": ("batch_norm", "data_norm", "group_norm", "instance_norm", "layer_norm", "spectral_norm"),
        "sequence_lod": (
            "sequence_concat", "sequence_conv", "sequence_enumerate", "sequence_expand", "sequence_expand_as",
            "sequence_first_step", "sequence_last_step", "sequence_pad", "sequence_pool", "sequence_reshape",
            "sequence_reverse", "sequence_scatter", "sequence_slice", "sequence_softmax", "sequence_unpad",
        ),
        ".static.variables": ("create_parameter", "py_func"),
    },
)  # fmt: skip

modules(__name__, {"static_pylayer": ("static_pylayer",)})
