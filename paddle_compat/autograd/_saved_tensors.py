"""Hooks for what operators save for their backward pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.tensor import Tensor

_entered: list[Any] = []


def active() -> bool:
    """Whether a pair of hooks is in force."""
    return bool(_entered)


class saved_tensors_hooks:
    """A context in which what operators save for the backward pass goes through hooks: to compress it, or to keep it elsewhere.

    Args:
        pack_hook: takes a Tensor that is saved, returns whatever is kept instead.
        unpack_hook: takes what is kept, returns the Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> with paddle.autograd.saved_tensors_hooks(lambda v: v.numpy(), paddle.to_tensor):
        ...     y = x * x
        >>> paddle.grad(y, x)[0].tolist()
        [6.0]

    Follows Paddle 2.6.
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook
        self._hooks = torch.autograd.graph.saved_tensors_hooks(self._pack, self._unpack)

    def _pack(self, value: torch.Tensor) -> Any:
        alone = value.detach()  # without the history, which torch puts back
        return self.pack_hook(Tensor(alone.requires_grad_(value.requires_grad)))

    def _unpack(self, kept: Any) -> torch.Tensor:
        value = self.unpack_hook(kept)
        if not isinstance(value, Tensor):
            raise InvalidArgumentError(
                "The unpack_hook of `saved_tensors_hooks` returns no Tensor. Expected the Tensor that pack_hook got. Received: "
                f"{type(value).__name__} ({value!r})"
            )
        return value._t

    def __enter__(self) -> None:
        if _entered:
            raise InvalidArgumentError(
                "`saved_tensors_hooks` is used within another. Expected only one pair of hooks at a time. Received: two pairs"
            )
        self._hooks.__enter__()
        _entered.append(self)

    def __exit__(self, *exception: Any) -> None:
        _entered.remove(self)
        self._hooks.__exit__(*exception)


__all__ = ["saved_tensors_hooks"]

__getattr__ = missing(__name__)
