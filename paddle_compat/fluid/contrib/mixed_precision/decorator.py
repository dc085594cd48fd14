"""`decorate`: an optimizer of Paddle 1.8 that minimizes in mixed precision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.program import Program, default_main_program, default_startup_program, program_guard
from paddle_compat.fluid import layers
from paddle_compat.fluid.contrib.mixed_precision.fp16_lists import AutoMixedPrecisionLists
from paddle_compat.fluid.contrib.mixed_precision.fp16_utils import rewrite_program, update_loss_scaling, update_role_var_grad
from paddle_compat.static import amp

__all__ = ["OptimizerWithMixedPrecision", "decorate"]


class OptimizerWithMixedPrecision:
    """An optimizer that minimizes in mixed precision; `decorate` makes it.

    Args:
        optimizer (Optimizer): the optimizer.
        amp_lists (AutoMixedPrecisionLists): which operators compute in float16.
        init_loss_scaling (float): the first factor of the loss.
        use_dynamic_loss_scaling (bool): whether the factor changes.
        incr_every_n_steps, decr_every_n_nan_or_inf (int): after how many finite and infinite steps it does.
        incr_ratio, decr_ratio (float): what it is multiplied by.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1, bias_attr=False))
        ...     sgd = fluid.contrib.mixed_precision.decorate(fluid.optimizer.SGD(0.1), use_dynamic_loss_scaling=False)
        ...     pairs = sgd.backward(loss)
        ...     ops = sgd.apply_gradients(pairs)
        >>> [op.type for op in ops], sgd.get_loss_scaling().name, sgd.get_scaled_loss().name
        (['sgd'], 'loss_scaling_0', 'tmp_0')

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        optimizer: Any,
        amp_lists: Any,
        init_loss_scaling: float,
        use_dynamic_loss_scaling: bool,
        incr_every_n_steps: int,
        decr_every_n_nan_or_inf: int,
        incr_ratio: float,
        decr_ratio: float,
    ) -> None:
        rate = optimizer._learning_rate
        self._optimizer = optimizer
        self._amp_lists = amp_lists
        self._param_grads: Any = None
        self._train_program = default_main_program()
        self._startup_prog = default_startup_program()
        self._scaled_loss: Any = None
        self._loss_scaling = self._variable("loss_scaling", init_loss_scaling, "float32")
        self._use_dynamic_loss_scaling = use_dynamic_loss_scaling
        if use_dynamic_loss_scaling:
            self._incr_every_n_steps = layers.fill_constant([1], "int32", incr_every_n_steps)
            self._decr_every_n_nan_or_inf = layers.fill_constant([1], "int32", decr_every_n_nan_or_inf)
            self._incr_ratio, self._decr_ratio = incr_ratio, decr_ratio
            self._num_good_steps = self._variable("num_good_steps", 0, "int32")
            self._num_bad_steps = self._variable("num_bad_steps", 0, "int32")
        if isinstance(rate, float):
            optimizer._learning_rate_map[default_main_program()] = self._variable("learning_rate", rate, "float32")

    @staticmethod
    def _variable(name: str, value: float, dtype: str) -> Any:
        return layers.create_global_var([1], value, dtype, persistable=True, name=unique_name.generate(name))

    def get_loss_scaling(self) -> Any:
        """The variable that holds the factor.

        Returns:
            Variable: of shape (1,).
        """
        return self._loss_scaling

    def get_scaled_loss(self) -> Any:
        """The loss times the factor.

        Returns:
            Variable: None before `minimize`.
        """
        return self._scaled_loss

    def backward(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: Any = None,
    ) -> list[Any]:
        """The first half of `minimize`: write casts, the scaled loss, the gradients, and their division by the factor.

        Args:
            loss (Variable): what is minimized.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what gradients are wanted of.
            no_grad_set (set|None): Variables or names through which no gradient flows.
            callbacks (list|None): called after each gradient operator.
        Returns:
            list: pairs of parameter and gradient of the loss.
        """
        rewrite_program(self._train_program, self._amp_lists)
        self._scaled_loss = loss * self._loss_scaling
        self._param_grads = self._optimizer.backward(self._scaled_loss, startup_program, parameter_list, no_grad_set, callbacks)
        update_role_var_grad(self._train_program, self._param_grads)
        pairs = []
        for param, grad in self._param_grads:
            if grad is not None:
                with self._train_program._optimized_guard([param, grad]):
                    grad = grad / self._loss_scaling
            pairs.append((param, grad))
        return pairs

    def apply_gradients(self, scaled_params_grads: list[Any]) -> Any:
        """The second half of `minimize`: write what checks the gradients and follows with the factor, and the updates.

        Args:
            scaled_params_grads (list): what `backward` returned.
        Returns:
            list: the operators of the updates.
        """
        if self._use_dynamic_loss_scaling:
            grads = [grad for _, grad in scaled_params_grads if grad is not None]
            total = layers.reduce_sum(layers.concat([layers.reduce_sum(grad) for grad in grads]))
            finite = layers.isfinite(total)
            update_loss_scaling(
                finite,
                self._loss_scaling,
                self._num_good_steps,
                self._num_bad_steps,
                self._incr_every_n_steps,
                self._decr_every_n_nan_or_inf,
                self._incr_ratio,
                self._decr_ratio,
            )
            # gradients that are not finite count for nothing
            with layers.Switch() as switch:
                with switch.case(finite):
                    pass
                with switch.default():
                    for grad in grads:
                        layers.assign(layers.zeros_like(grad), grad)
        return self._optimizer.apply_gradients(scaled_params_grads)

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[Any, list[Any]]:
        """Write what minimizes a loss in mixed precision.

        Args:
            loss (Variable): what is minimized.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained; None for all trainable parameters.
            no_grad_set (set|None): Variables or names through which no gradient flows.
        Returns:
            tuple: the operators of the updates, and the pairs of parameter and gradient.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
            ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1, bias_attr=False))
            ...     sgd = fluid.contrib.mixed_precision.decorate(fluid.optimizer.SGD(0.1))
            ...     ops, pairs = sgd.minimize(loss)
            >>> [op.type for op in ops]
            ['sgd']
        """
        pairs = self.backward(loss, startup_program, parameter_list, no_grad_set)
        with program_guard(self._train_program, self._startup_prog if startup_program is None else startup_program):
            return self.apply_gradients(pairs), pairs


def decorate(
    optimizer: Any,
    amp_lists: Any = None,
    init_loss_scaling: float = 2**15,
    incr_every_n_steps: int = 1000,
    decr_every_n_nan_or_inf: int = 2,
    incr_ratio: float = 2.0,
    decr_ratio: float = 0.8,
    use_dynamic_loss_scaling: bool = True,
    use_pure_fp16: bool = False,
    use_fp16_guard: bool | None = None,
    use_bf16: bool = False,
) -> Any:
    """Let an optimizer minimize in mixed precision; where it is called, variables of the factor go into the Program.

    Args:
        optimizer (Optimizer): the optimizer.
        amp_lists (AutoMixedPrecisionLists|None): which operators compute in float16; None: the usual ones.
        init_loss_scaling (float): the first factor of the loss.
        incr_every_n_steps (int): after how many finite steps in a row the factor grows.
        decr_every_n_nan_or_inf (int): after how many infinite ones it shrinks.
        incr_ratio, decr_ratio (float): what it is multiplied by then.
        use_dynamic_loss_scaling (bool): whether it changes at all.
        use_pure_fp16 (bool), use_fp16_guard (bool), use_bf16 (bool): as `paddle.static.amp.decorate` of Paddle 2 takes them.
    Returns:
        OptimizerWithMixedPrecision.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> main, startup = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, startup):
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1))
        ...     sgd = fluid.contrib.mixed_precision.decorate(fluid.optimizer.SGD(0.1), init_loss_scaling=8.0)
        ...     _ = sgd.minimize(loss)
        >>> exe = fluid.Executor(fluid.CPUPlace())
        >>> _ = exe.run(startup)
        >>> exe.run(main, feed={"x": np.ones([4, 2], "float32")}, fetch_list=[sgd.get_loss_scaling()])[0].tolist()
        [8.0]

    Follows Paddle 1.8.
    """
    if use_pure_fp16 or use_bf16 or use_fp16_guard is not None:
        return amp.decorate(
            optimizer, amp_lists, init_loss_scaling, incr_every_n_steps, decr_every_n_nan_or_inf, incr_ratio, decr_ratio,
            use_dynamic_loss_scaling, use_pure_fp16, use_fp16_guard, use_bf16,
        )  # fmt: skip
    return OptimizerWithMixedPrecision(
        optimizer,
        AutoMixedPrecisionLists() if amp_lists is None else amp_lists,
        init_loss_scaling,
        use_dynamic_loss_scaling,
        incr_every_n_steps,
        decr_every_n_nan_or_inf,
        incr_ratio,
        decr_ratio,
    )


__getattr__ = missing(__name__)
