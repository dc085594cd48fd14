"""`paddle.incubate.distributed.fleet.parameter_server.ir`: what deals variables to servers."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(__name__, {"ps_dispatcher": (), "public": (), "ufind": (), "vars_metatools": ()})
modules(__name__, {"heter_trainer_pass": (), "pserver_pass": (), "trainer_pass": ()})
