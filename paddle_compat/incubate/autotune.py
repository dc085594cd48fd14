"""`paddle.incubate.autotune`: what Paddle tries while a script runs. PyTorch chooses kernels, layouts and workers by itself."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base import _kernel_tuning, _native_switches

# part -> option -> its type
_OPTIONS: dict[str, dict[str, type[Any]]] = {
    "kernel": {"enable": bool, "tuning_range": list},
    "layout": {"enable": bool},
    "dataloader": {"enable": bool, "tuning_steps": int},
}
# part -> what turns it on, and off
_SWITCHES: dict[str, dict[bool, Callable[[], None]]] = {
    "kernel": {True: _kernel_tuning.enable_autotune, False: _kernel_tuning.disable_autotune},
    "layout": {True: _native_switches.enable_layout_autotune, False: _native_switches.disable_layout_autotune},
}


def set_config(config: dict[str, Any] | str | None = None) -> None:
    """Say what may be tuned. It is checked and noted; numbers do not depend on it, and nothing here is slower without.

    Args:
        config (dict or str): "kernel", "layout" and "dataloader" -> options, or a file of JSON with them; None: everything.
    Raises:
        AssertionError: a tuning_range has not two ends.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.incubate.autotune.set_config({"kernel": {"enable": False, "tuning_range": [1, 3]}})

    Follows Paddle 2.6.
    """
    if isinstance(config, str):
        try:
            with open(config) as file:
                config = json.load(file)
        except (OSError, ValueError) as error:
            print(f"Load config error: {error}")
            warnings.warn("Use default configuration for auto-tuning.", stacklevel=2)
            return
    given: dict[str, Any] = config if isinstance(config, dict) else {}
    for part, options in _OPTIONS.items():
        for option, kind in options.items():
            value: Any = given.get(part, {}).get(option, kind())
            if not isinstance(value, kind):
                wanted = f"The auto-tuning configuration of the {part} is incorrect. Expected `{option}` to be {kind.__name__}."
                warnings.warn(f"{wanted} Received: {value!r}, the default parameter is used instead.", stacklevel=2)
            elif option == "tuning_range" and option in given.get(part, {}):
                assert len(value) == 2, f"Expected `tuning_range` to be a list of its first and its last step. Received: {value}"
            elif option == "enable" and (config is None or option in given.get(part, {})):
                if part in _SWITCHES:
                    _SWITCHES[part][config is None or value]()


__all__ = ["set_config"]

__getattr__ = missing(__name__)
