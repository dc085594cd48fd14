"""`paddle.incubate.jit`: methods of layers that run for inference."""

from paddle_compat._missing import missing

from .inference_decorator import inference as inference
from .inference_decorator import is_inference_mode as is_inference_mode

__all__ = ["inference", "is_inference_mode"]
__getattr__ = missing(__name__)
