"""`paddle.vision`: networks for images and what belongs to them."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {".vision.models": "*", "models": (), "ops": ()})
