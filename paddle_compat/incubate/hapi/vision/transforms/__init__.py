"""`paddle.incubate.hapi.vision.transforms` (Paddle 1.8): changes of colours by chance."""

from paddle_compat._lazy import lazy

_CLASSES = ("BrightnessTransform", "ColorJitter", "ContrastTransform", "HueTransform", "SaturationTransform")
__getattr__, __dir__, __all__ = lazy(__name__, {"transforms": _CLASSES})
