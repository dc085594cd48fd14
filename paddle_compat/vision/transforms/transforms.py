"""`paddle.vision.transforms.transforms`: the classes under the name of their module in Paddle."""

from paddle_compat._missing import missing
from paddle_compat.vision.transforms._base import (
    BaseTransform,
    CenterCrop,
    Compose,
    Grayscale,
    Normalize,
    Pad,
    Resize,
    ToTensor,
    Transpose,
)
from paddle_compat.vision.transforms._random_colours import (
    BrightnessTransform,
    ColorJitter,
    ContrastTransform,
    HueTransform,
    SaturationTransform,
)
from paddle_compat.vision.transforms._random_colours import _check_input as _check_input
from paddle_compat.vision.transforms._random_places import (
    RandomAffine,
    RandomCrop,
    RandomErasing,
    RandomHorizontalFlip,
    RandomPerspective,
    RandomResizedCrop,
    RandomRotation,
    RandomVerticalFlip,
)

__all__ = [
    "BaseTransform", "BrightnessTransform", "CenterCrop", "ColorJitter", "Compose", "ContrastTransform", "Grayscale", "HueTransform",
    "Normalize", "Pad", "RandomAffine", "RandomCrop", "RandomErasing", "RandomHorizontalFlip", "RandomPerspective", "RandomResizedCrop",
    "RandomRotation", "RandomVerticalFlip", "Resize", "SaturationTransform", "ToTensor", "Transpose",
]  # fmt: skip

__getattr__ = missing(__name__)
