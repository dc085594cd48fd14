"""`paddle.jit.sot.utils.exceptions`: errors of recordings in parts, which harnesses name; functions are recorded whole here."""

from __future__ import annotations

from paddle_compat._missing import missing


class SotErrorBase(Exception):
    """Any of them."""


class InnerError(SotErrorBase):
    """The recorder's own fault."""


class HasNoAttributeError(InnerError):
    """An attribute that is not there."""


class FallbackError(SotErrorBase):
    """A function that eager mode has to run.

    Args:
        msg (str): why.
        disable_eval_frame (bool): whether what it calls has to, too.
    """

    def __init__(self, msg: str, disable_eval_frame: bool = False) -> None:
        super().__init__(msg)
        self.disable_eval_frame = disable_eval_frame


class ConditionalFallbackError(FallbackError):
    """A function that eager mode has to run at times."""


class BreakGraphError(SotErrorBase):
    """A place where a recording ends."""


__all__: list[str] = []

__getattr__ = missing(__name__)
