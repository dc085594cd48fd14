"""What the layers have in common that put another optimizer in the place of the user's."""

from __future__ import annotations

from typing import Any, ClassVar

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase


class Replacing(MetaOptimizerBase):
    """The user's optimizer becomes another one, which takes over its settings.

    Attributes:
        replaced: what the user's optimizer has to be.
        replacement: what it becomes.
        kept: settings that both have by one name.
        configured: settings that the strategy's configuration has, by the same name.
    """

    replaced: ClassVar[Any]
    replacement: ClassVar[Any]
    kept: ClassVar[tuple[str, ...]]
    configured: ClassVar[tuple[str, ...]]

    @property
    def _configs(self) -> dict[str, Any]:
        found: dict[str, Any] = getattr(self.user_defined_strategy, f"{self.switch}_configs")
        return found

    def _misfit(self) -> str:
        kind = type(self.user_defined_optimizer).__name__
        return "" if isinstance(self.user_defined_optimizer, self.replaced) else f"it changes {self.replaced.__name__}, and not {kind}"

    def _wrapped(self) -> None:
        """Put the other optimizer in the place of the user's.

        Raises:
            UnsupportedError: another layer has replaced it.
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
        """The other optimizer, with the settings of the user's and those of the strategy."""
        settings = {name: getattr(optimizer, f"_{name}") for name in self.kept} | self._settings(optimizer)
        return self.replacement(**settings, **{name: self._configs[name] for name in self.configured})

    def _settings(self, optimizer: Any) -> dict[str, Any]:
        """What else the other optimizer is told."""
        return {}
