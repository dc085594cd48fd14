"""`paddle.incubate.hapi.vision` (Paddle 1.8): changes of colours by chance."""

from paddle_compat._lazy import lazy

_CLASSES = ("BrightnessTransform", "ColorJitter", "ContrastTransform", "HueTransform", "SaturationTransform")
__getattr__, __dir__, __all__ = lazy(__name__, {".incubate.hapi.vision.transforms.transforms": _CLASSES, "transforms": ()})
