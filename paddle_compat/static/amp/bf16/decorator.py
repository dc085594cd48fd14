"""`decorate_bf16`: an optimizer that minimizes in bfloat16."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.program import Program, program_guard
from paddle_compat.static.amp.bf16.amp_lists import AutoMixedPrecisionListsBF16
from paddle_compat.static.amp.bf16.amp_utils import rewrite_program_bf16

__all__ = ["decorate_bf16"]


class _OptimizerWithMixedPrecision:
    """Casts a Program before an optimizer minimizes; what else is asked of it, the optimizer answers."""

    def __init__(self, optimizer: Any, amp_lists: AutoMixedPrecisionListsBF16) -> None:
        self._optimizer, self._amp_lists = optimizer, amp_lists

    def amp_init(self, place: Any, scope: Any = None, test_program: Any = None, use_bf16_test: bool = False) -> None:
        """After the startup program ran: cast a Program for tests, where that is wanted."""
        if test_program is not None and use_bf16_test:
            rewrite_program_bf16(test_program, self._amp_lists)

    def backward(self, loss: Any, startup_program: Program | None = None, *args: Any, **kwargs: Any) -> Any:
        """Write casts and gradients."""
        with program_guard(loss.block.program, startup_program):
            rewrite_program_bf16(loss.block.program, self._amp_lists)
        return self._optimizer.backward(loss, startup_program, *args, **kwargs)

    def minimize(self, loss: Any, startup_program: Program | None = None, *args: Any, **kwargs: Any) -> Any:
        """Write what minimizes a loss."""
        pairs = self.backward(loss, startup_program, *args, **kwargs)
        with program_guard(loss.block.program, startup_program):
            return self._optimizer.apply_gradients(pairs), pairs

    def __getattr__(self, name: str) -> Any:
        return getattr(self._optimizer, name)


def decorate_bf16(
    optimizer: Any,
    amp_lists: AutoMixedPrecisionListsBF16 | None = None,
    use_pure_bf16: bool = False,
    use_bf16_guard: bool | None = None,
) -> Any:
    """Let an optimizer minimize in bfloat16.

    Args:
        optimizer (Optimizer): the optimizer.
        amp_lists (AutoMixedPrecisionListsBF16|None): which operators compute in bfloat16; None: the usual ones.
        use_pure_bf16 (bool): not supported: `paddle.static.amp.decorate` has the level O2.
        use_bf16_guard (bool|None): of no effect without it.
    Returns:
        An optimizer with `minimize`, `backward`, `amp_init` and what the given one has.
    Raises:
        UnsupportedError: everything is to be in bfloat16.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1, bias_attr=False))
        ...     _ = paddle.static.amp.bf16.decorate_bf16(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> [op.type for op in main.global_block().ops][:3]
        ['cast', 'cast', 'mul']

    Follows Paddle 2.6.
    """
    if use_pure_bf16:
        raise UnsupportedError("paddle.static.amp.bf16.decorate_bf16", "use_pure_bf16=True", "paddle.static.amp.decorate(level='O2')")
    return _OptimizerWithMixedPrecision(optimizer, AutoMixedPrecisionListsBF16() if amp_lists is None else amp_lists)


__getattr__ = missing(__name__)
