"""`decorate_bf16`: an optimizer that minimizes in bfloat16."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.program import Program, default_startup_program, program_guard
from paddle_compat.static.amp.bf16.amp_lists import AutoMixedPrecisionListsBF16
from paddle_compat.static.amp.bf16.amp_utils import cast_model_to_bf16, cast_parameters_to_bf16, rewrite_program_bf16

__all__ = ["decorate_bf16"]


class _OptimizerWithMixedPrecision:
    """Casts a Program before an optimizer minimizes; what else is asked of it, the optimizer answers."""

    def __init__(
        self, optimizer: Any, amp_lists: AutoMixedPrecisionListsBF16, use_pure_bf16: bool = False, use_bf16_guard: bool | None = None
    ) -> None:
        self._optimizer, self._amp_lists = optimizer, amp_lists
        self._use_pure_bf16, self._use_bf16_guard = use_pure_bf16, use_bf16_guard is not False
        self._train_program: Program | None = None
        self._to_bf16_var_names: set[str] = set()

    def amp_init(self, place: Any, scope: Any = None, test_program: Any = None, use_bf16_test: bool = False) -> None:
        """After the startup program ran: cast parameters that their initializers did not, and a Program for tests, where that is wanted."""
        if self._train_program is None:
            raise failed_assertion("self", "an optimizer whose minimize was called", self._optimizer, "amp_init")
        if self._use_pure_bf16:
            cast_parameters_to_bf16(place, self._train_program, scope, self._to_bf16_var_names)
            if test_program is not None:
                cast_model_to_bf16(test_program, None, self._amp_lists, self._use_bf16_guard)
        elif test_program is not None and use_bf16_test:
            rewrite_program_bf16(test_program, self._amp_lists)

    def backward(self, loss: Any, startup_program: Program | None = None, *args: Any, **kwargs: Any) -> Any:
        """Write casts and gradients."""
        self._train_program = program = loss.block.program
        with program_guard(program, startup_program):
            if self._use_pure_bf16:
                startup = default_startup_program()
                self._to_bf16_var_names = cast_model_to_bf16(program, startup, self._amp_lists, self._use_bf16_guard)
                loss = loss.astype("float32") if loss.dtype == VarType.BF16 else loss
            else:
                rewrite_program_bf16(program, self._amp_lists)
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
        use_pure_bf16 (bool): whether what is fed, parameters and all that is made of them are in bfloat16.
        use_bf16_guard (bool|None): whether of that only what was recorded inside `bf16_guard` is; None: yes.
    Returns:
        An optimizer with `minimize`, `backward`, `amp_init` and what the given one has.

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
    lists = AutoMixedPrecisionListsBF16() if amp_lists is None else amp_lists
    return _OptimizerWithMixedPrecision(optimizer, lists, use_pure_bf16, use_bf16_guard)


__getattr__ = missing(__name__)
