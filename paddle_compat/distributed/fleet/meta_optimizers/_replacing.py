"""What the layers have in common that put another optimizer in the place of the user's."""

from __future__ import annotations

from typing import Any, ClassVar

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase


class Replacing(MetaOptimizerBase):
    """The user's optimizer becomes another one, which takes over its settings."""

    replaced: ClassVar[type]  # what the user's optimizer has to be

    def _wrapped(self) -> None:
        """Put the other optimizer in the place of the user's.

        Raises:
            UnsupportedError: the user's optimizer is of another kind, or another layer has replaced it.
        """
        if not isinstance(self.inner_opt, self.replaced):
            kind = type(self.inner_opt).__name__
            raise UnsupportedError(f"fleet.DistributedStrategy.{self.switch}", f"True around {kind}", self.replaced.__name__)
        self.inner_opt = self._replacement(self.inner_opt)

    def _steps(self) -> Any:
        """The other optimizer."""
        self._wrapped()
        return self.inner_opt

    def _replacement(self, optimizer: Any) -> Any:
        """The other optimizer, with the settings of the user's."""
        return optimizer
