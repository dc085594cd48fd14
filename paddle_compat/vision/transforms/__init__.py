"""`paddle.vision.transforms`: what is done to images before a network sees them."""

from paddle_compat._lazy import lazy

_FUNCTIONS = (
    "adjust_brightness", "adjust_contrast", "adjust_hue", "adjust_saturation", "affine", "center_crop", "crop", "erase", "hflip",
    "normalize", "pad", "perspective", "resize", "rotate", "to_grayscale", "to_tensor", "vflip",
)  # fmt: skip
_CLASSES = (
    "BaseTransform", "BrightnessTransform", "CenterCrop", "ColorJitter", "Compose", "ContrastTransform", "Grayscale", "HueTransform",
    "Normalize", "Pad", "RandomAffine", "RandomCrop", "RandomErasing", "RandomHorizontalFlip", "RandomPerspective", "RandomResizedCrop",
    "RandomRotation", "RandomVerticalFlip", "Resize", "SaturationTransform", "ToTensor", "Transpose",
)  # fmt: skip
__getattr__, __dir__, __all__ = lazy(__name__, {"functional": _FUNCTIONS, "transforms": _CLASSES})
