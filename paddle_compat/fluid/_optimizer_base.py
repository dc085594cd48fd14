"""The base of the optimizers of Paddle 1.8."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch

from paddle_compat.core import mode, unique_name
from paddle_compat.core.backward import append_backward
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.program import Program, default_main_program, program_guard
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.clip import append_gradient_clip_ops
from paddle_compat.fluid.dygraph._varbase import VarBase
from paddle_compat.fluid.dygraph.learning_rate_scheduler import LearningRateDecay
from paddle_compat.fluid.initializer import ConstantInitializer
from paddle_compat.nn.clip import ClipGradBase, error_clip_callback
from paddle_compat.optimizer._updates import Pair, Updates, without_gradient
from paddle_compat.optimizer.lr import LRScheduler


class Optimizer(Updates):
    """Base of the optimizers; use a subclass such as `AdamOptimizer`.

    Args:
        learning_rate (float|Variable): the learning rate; `fluid.layers` makes Variables that decay.
        parameter_list (list|None): what is trained; None for all trainable parameters.
        regularization (regularizer|None): decay of parameters that have no regularizer of their own.
        grad_clip (GradientClipBase|None): how gradients are clipped.
        name (str|None): stands in the names of the accumulators.
    Raises:
        TypeError: an argument is of a wrong type.

    Follows Paddle 1.8.
    """

    _age = 1

    def __init__(
        self,
        learning_rate: Any,
        parameter_list: Any = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        mode.settle_by_imports()
        mode.settle_static()
        self._start(name)
        self._parameter_list = parameter_list
        scheduled: Any = Variable if not mode.in_dygraph_mode() else (LearningRateDecay, LRScheduler)
        if not isinstance(learning_rate, (float, scheduled)):
            expected = "Variable" if scheduled is Variable else "LearningRateDecay"
            raise TypeError(
                f"Invalid type for argument `learning_rate` of `{type(self).__name__}`. Expected a learning rate, "
                f"float or {expected}. Received: {type(learning_rate).__name__}"
            )
        if mode.in_dygraph_mode() and parameter_list is None:
            raise AttributeError(
                "parameter_list argument given to the Optimizer should not be None in dygraph mode. Expected a list, such as "
                f"`layer.parameters()`, for `{type(self).__name__}`. Received: None"
            )
        if grad_clip is not None and not isinstance(grad_clip, ClipGradBase):  # those of `paddle.nn`, too, as from 2.0 on
            raise TypeError(
                f"Invalid type for argument `grad_clip` of `{type(self).__name__}`. Expected a clip such as "
                f"fluid.clip.GradientClipByGlobalNorm. Received: {type(grad_clip).__name__}"
            )
        self.regularization = regularization
        self._grad_clip = grad_clip
        self._learning_rate = learning_rate
        if isinstance(learning_rate, Variable):
            self._learning_rate_map[default_main_program()] = learning_rate

    # ---- what Paddle 1.8 says
    def _constant(self, value: float) -> Any:
        return ConstantInitializer(value)

    def _trains(self, param: Any) -> bool:
        return bool(param.trainable)

    def _prepare(self, block: Any, parameters: list[Any]) -> None:
        self._create_accumulators(block, parameters)
        self._create_global_learning_rate()

    def _create_optimization_pass(self, parameters_and_grads: list[Pair], param_group_idx: int = 0) -> Any:
        if not mode.in_dygraph_mode():
            return super()._create_optimization_pass(parameters_and_grads, param_group_idx)
        with torch.no_grad():
            self._advance()
            return super()._create_optimization_pass(parameters_and_grads, param_group_idx)

    def _create_global_learning_rate(self) -> None:
        rate = self._global_learning_rate()
        if isinstance(self._learning_rate, LearningRateDecay):
            if rate is None:
                self._advance()
        elif mode.in_dygraph_mode():
            self._set_rate(self._learning_rate if isinstance(self._learning_rate, float) else self._learning_rate())
        elif rate is None:
            if not isinstance(self._learning_rate, float):
                raise TypeError(
                    "The learning rate is a Variable of another Program. Expected a float, or a Variable of the Program that is minimised."
                )
            name = unique_name.generate("learning_rate")
            dtype = "float32" if self._dtype is None else self._dtype
            variable = self._global_variable(name, [1], self._learning_rate, dtype)
            self._learning_rate_map[default_main_program()] = variable

    def _advance(self) -> None:
        """Let a scheduler of eager mode count on, once a step."""
        if isinstance(self._learning_rate, LearningRateDecay):
            self._set_rate(float(self._learning_rate()))

    def _set_rate(self, value: float) -> None:
        rate = self._global_learning_rate()
        if rate is None:
            rate = VarBase(torch.zeros(1), name=unique_name.generate("learning_rate"))
            self._learning_rate_map[default_main_program()] = rate
        rate._t.fill_(value)

    def current_step_lr(self) -> Any:
        """The present learning rate (eager mode).

        Returns:
            float: after the first step, numpy's number of the parameters' precision.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> fluid.optimizer.SGD(0.5).current_step_lr()
            0.5
        """
        rate = self._global_learning_rate()
        if isinstance(rate, Tensor):
            return rate.numpy().reshape(-1)[0]
        if isinstance(self._learning_rate, LearningRateDecay):
            rate = self._learning_rate.step()
            return rate if isinstance(rate, float) else rate.numpy()[0]
        return float(self._learning_rate if isinstance(self._learning_rate, float) else self._learning_rate())

    def _add_accumulator(self, name: str, param: Any, *args: Any, **kwargs: Any) -> Any:
        made = super()._add_accumulator(name, param, *args, **kwargs)
        if type(made) is Tensor:
            made.__class__ = VarBase
        return made

    # ---- static mode
    def backward(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: list[Callable[..., None]] | None = None,
    ) -> list[Pair]:
        """The first half of `minimize`: append the gradient operators.

        Args:
            loss (Variable): what is minimised, of shape (1,).
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): Parameters or names that gradients are wanted of; None for all trainable ones.
            no_grad_set (set|None): Variables or names through which no gradient flows.
            callbacks (list|None): called as ``callback(block, context)`` after each gradient operator.
        Returns:
            list: pairs of parameter and gradient.
        Raises:
            AssertionError: the loss is not of shape (1,).

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
            ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 1, bias_attr=False))
            ...     pairs = fluid.optimizer.SGD(0.1).backward(loss)
            >>> [(p.name, g.name) for p, g in pairs]
            [('fc_0.w_0', 'fc_0.w_0@GRAD')]
        """
        parameters = parameter_list or self._parameter_list
        self._dtype = loss.dtype
        if mode.in_dygraph_mode():
            gradients = [(p, _gradient(p)) for p in self._parameter_list or [] if p.trainable]
            return [(p, g) for p, g in gradients if g is not None]
        if tuple(loss.shape) != (1,):
            raise AssertionError(
                "Invalid value for argument `loss` of `minimize`. Expected shape (1,), as of fluid.layers.mean. "
                f"Received: shape {tuple(loss.shape)}"
            )
        with program_guard(loss.block.program, startup_program):
            no_grad = without_gradient(loss, no_grad_set, self._trains)
            return append_backward(loss, parameters, no_grad, [error_clip_callback] if callbacks is None else callbacks)

    def apply_gradients(self, params_grads: list[Pair]) -> Any:
        """The second half of `minimize`: append clips, decay and the update operators.

        Args:
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators appended.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
            ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 1, bias_attr=False))
            ...     sgd = fluid.optimizer.SGD(0.1)
            ...     ops = sgd.apply_gradients(sgd.backward(loss))
            >>> [op.type for op in ops]
            ['sgd']
        """
        params_grads = sorted(params_grads, key=lambda pair: str(pair[0].name))
        if self._grad_clip is not None:
            params_grads = self._grad_clip(params_grads)
        else:
            params_grads = append_gradient_clip_ops(params_grads)
        params_grads = self.append_regularization_ops(params_grads, self.regularization)
        return self._create_optimization_pass(params_grads)

    def apply_optimize(self, loss: Any, startup_program: Program | None, params_grads: list[Pair]) -> Any:
        """As `apply_gradients`, in the Program of the loss; in eager mode, take a step.

        Args:
            loss (Variable): what is minimised.
            startup_program (Program|None): None for the default one.
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators appended.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> main, startup = fluid.Program(), fluid.Program()
            >>> with fluid.program_guard(main, startup):
            ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 1, bias_attr=False))
            >>> sgd = fluid.optimizer.SGD(0.1)
            >>> [op.type for op in sgd.apply_optimize(loss, startup, sgd.backward(loss, startup))]
            ['sgd']
        """
        if not mode.in_dygraph_mode():
            with program_guard(loss.block.program, startup_program):
                return self.apply_gradients(params_grads)
        with torch.no_grad():
            if self._grad_clip is not None:
                params_grads = self._grad_clip(params_grads)
            params_grads = self.append_regularization_ops(params_grads, self.regularization)
            return self._create_optimization_pass(params_grads)

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[Any, list[Pair]]:
        """Append what minimises a loss: gradients, clips, decay, updates. In eager mode: take a step.

        Args:
            loss (Variable): what is minimised, of shape (1,).
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): Parameters or names to be trained; None for all trainable ones.
            no_grad_set (set|None): Variables or names through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        Raises:
            AssertionError: the loss is no Variable, or not of shape (1,).
        """
        if not isinstance(loss, (Variable, Tensor)):
            raise AssertionError(f"Invalid type for argument `loss` of `minimize`. Expected a Variable. Received: {type(loss).__name__}")
        with torch.no_grad():
            pairs = self.backward(loss, startup_program, parameter_list or self._parameter_list, no_grad_set)
            return self.apply_optimize(loss, startup_program, pairs), pairs

    # ---- eager mode
    def state_dict(self) -> dict[str, Any]:
        """The accumulators by name, and "LR_Scheduler" where the learning rate decays.

        Returns:
            dict: what `set_dict` takes.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
            ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 1, bias_attr=False))
            ...     momentum = fluid.optimizer.Momentum(0.1, 0.9)
            ...     _ = momentum.minimize(loss)
            >>> list(momentum.state_dict())
            ['fc_0.w_0_velocity_0']
        """
        state = {var.name: var for made in self._accumulators.values() for var in made.values()}
        if isinstance(self._learning_rate, (LearningRateDecay, LRScheduler)):
            state["LR_Scheduler"] = self._learning_rate.state_dict()
        if hasattr(self._learning_rate, "step_num"):
            state["global_step"] = VarBase(np.array([self._learning_rate.step_num], "int32"), name="global_step")
        return state

    def set_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state; accumulators that are not there yet take theirs when they are made.

        Args:
            state_dict (dict): what `state_dict` returned, of Tensors or arrays.
        Raises:
            AssertionError: an accumulator is missing.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> momentum = fluid.optimizer.Momentum(0.1, 0.9)
            >>> momentum.set_dict({}); momentum.state_dict()
            {}
        """
        rate = self._learning_rate
        if isinstance(rate, (LearningRateDecay, LRScheduler)) and "LR_Scheduler" in state_dict:
            rate.set_state_dict(state_dict["LR_Scheduler"])
        if hasattr(rate, "step_num"):
            if "global_step" not in state_dict:
                raise failed_assertion("state_dict", "a `global_step`, for the scheduler", list(state_dict), "set_dict")
            rate.step_num = int(np.asarray(state_dict["global_step"]).item())
        others = ("LR_Scheduler", "global_step", "StructuredToParameterName@@")
        self._accumulators_holder = {name: value for name, value in state_dict.items() if name not in others}
        for made in self._accumulators.values():
            for var in made.values():
                var.set_value(self._loaded(var.name))

    set_state_dict = set_dict  # its name as from 2.0 on

    def clear_gradients(self) -> None:
        """Set the gradients to zero (eager mode).

        Example:
            >>> import torch, paddle_compat as paddle, paddle_compat.fluid as fluid
            >>> paddle.disable_static()
            >>> w = paddle.create_parameter([1], "float32")
            >>> torch.sum(w * 2.0).backward()
            >>> fluid.optimizer.SGD(0.1, parameter_list=[w]).clear_gradients(); w.grad.tolist()
            [0.0]
        """
        for param in self._parameter_list or []:
            if param.trainable and param._t.grad is not None:
                param._t.grad.zero_()


def _gradient(parameter: Any) -> Any:
    return parameter._grad_ivar() if isinstance(parameter, VarBase) else parameter.grad
