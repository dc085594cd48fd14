"""`paddle.fluid.contrib.slim.searcher`: looking for the best of many choices."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"controller": ("EvolutionaryController", "SAController")})
