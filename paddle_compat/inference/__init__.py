"""`paddle.inference`: saved models behind handles for their inputs and outputs, as deployed scripts run them."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_config": ("Config", "PlaceType", "PrecisionType"),
        "_mixed_precision": ("convert_to_mixed_precision",),
        "_tensorrt": ("InternalUtils", "get_trt_compile_version", "get_trt_runtime_version"),
        "_predictor": (
            "DataType", "Predictor", "PredictorPool", "Tensor", "create_predictor", "get_num_bytes_of_data_type", "get_version",
        ),
    },
)  # fmt: skip

modules(__name__, {"wrapper": tuple(__all__)})
