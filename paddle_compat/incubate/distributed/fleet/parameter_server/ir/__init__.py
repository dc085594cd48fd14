"""`paddle.incubate.distributed.fleet.parameter_server.ir`: what deals variables to servers."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"ps_dispatcher": (), "ufind": ()})
