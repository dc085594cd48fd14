"""`paddle.incubate.framework`: generators that keep several rows of random numbers."""

from paddle_compat._missing import missing

from .random import get_rng_state as get_rng_state
from .random import register_rng_state_as_index as register_rng_state_as_index
from .random import set_rng_state as set_rng_state

__all__: list[str] = []
__getattr__ = missing(__name__)
