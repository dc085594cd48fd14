"""`paddle.distributed.fleet.meta_parallel.parallel_layers.random`: numbers that processes have of their own."""

from paddle_compat._lazy import lazy

_NUMBERS = ("RNGStatesTracker", "dropout", "get_rng_state_tracker", "model_parallel_random_seed")

__getattr__, __dir__, __all__ = lazy(__name__, {".distributed.fleet.layers.mpu.random": _NUMBERS})
