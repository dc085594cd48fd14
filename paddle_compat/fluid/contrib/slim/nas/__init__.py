"""`paddle.fluid.contrib.slim.nas`: a search for networks, by several processes that ask one controller."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "controller_server": ("ControllerServer",),
        "light_nas_strategy": ("LightNASStrategy",),
        "lock": ("lock", "unlock"),
        "search_agent": ("SearchAgent",),
        "search_space": ("SearchSpace",),
    },
)
