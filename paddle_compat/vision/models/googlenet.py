"""`paddle.vision.models.googlenet`: the module; the package has the function of this name in its place, so the code lies beside it."""

from paddle_compat._missing import missing
from paddle_compat.vision.models._googlenet import GoogLeNet, googlenet  # noqa: F401  # their place in Paddle

__getattr__ = missing(__name__)
