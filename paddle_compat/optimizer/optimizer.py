"""`paddle.optimizer.Optimizer`: the base of the 2.x optimizers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import numpy as np
import torch

from paddle_compat.core import mode, unique_name
from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.program import Program, default_main_program, program_guard
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.clip import ClipGradBase, append_gradient_clip_ops, error_clip_callback
from paddle_compat.optimizer._eager import can_clip, can_decay, clipped, decayed
from paddle_compat.optimizer._parts import Parts, among, fill, is_dist
from paddle_compat.optimizer._updates import Pair, Updates, is_ours, without_gradient
from paddle_compat.optimizer.lr import LRScheduler
from paddle_compat.regularizer import L2Decay

_HALVES = (torch.float16, torch.bfloat16)
# methods that a user's optimizer may have of its own
_PARTS_OF_A_STEP = ("_apply_optimize", "append_regularization_ops", "_create_regularization_of_grad", "_create_optimization_pass")


class Optimizer(Updates):
    """Base of the optimizers; use a subclass such as `Adam`.

    Args:
        learning_rate (float|LRScheduler): the learning rate.
        parameters (list|None): what is trained; eager mode needs it. A list of dicts makes groups: "params" and, for
            that group, "learning_rate" (a factor), "weight_decay", "grad_clip" and what else the optimizer takes.
        weight_decay (float|regularizer|None): a float is the coefficient of L2 decay; a parameter's own regularizer
            goes before it.
        grad_clip (ClipGradBase|None): how gradients are clipped.
        name (str|None): stands in the names of the accumulators.
    Raises:
        TypeError: an argument is of a wrong type.
        AttributeError: no parameters in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup):
        ...     x = paddle.static.data("x", [None, 4])
        ...     loss = paddle.mean(paddle.static.nn.fc(x, 1))
        ...     _ = paddle.optimizer.SGD(learning_rate=0.1).minimize(loss)
        >>> main.global_block().ops[-1].type
        'sgd'
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    _default_dict: dict[str, Any]

    def __init__(
        self,
        learning_rate: Any,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        self._start(name)
        self._parameter_list = _parameter_list(parameters)
        if mode.in_dygraph_mode() and self._parameter_list is None:
            # Paddle's own words, which its tests compare
            raise AttributeError("parameters argument given to the Optimizer should not be None in dygraph mode.")
        if not isinstance(learning_rate, (float, LRScheduler)):
            raise TypeError(
                f"Invalid type for argument `learning_rate` of `{type(self).__name__}`. Expected a learning rate, float or "
                f"LRScheduler. Received: {type(learning_rate).__name__}"
            )
        if grad_clip is not None and not isinstance(grad_clip, ClipGradBase):
            raise TypeError(
                f"Invalid type for argument `grad_clip` of `{type(self).__name__}`. Expected a ClipGradBase such as "
                f"paddle.nn.ClipGradByGlobalNorm. Received: {type(grad_clip).__name__}"
            )
        self.regularization = L2Decay(weight_decay) if isinstance(weight_decay, (float, int)) else weight_decay
        self._grad_clip = grad_clip
        self._learning_rate = learning_rate
        self._default_dict = {"weight_decay": self.regularization, "grad_clip": grad_clip}
        self._param_groups: list[Any] | None = self._parameter_list
        if self._parameter_list:
            first = self._parameter_list[0]
            if isinstance(first, dict):
                for group in self._parameter_list:
                    if "params" not in group:
                        raise AssertionError(
                            f"A group of `parameters` lacks 'params'. Expected it in every group. Received: {sorted(group)}"
                        )
                self._param_groups = []
                for group in self._parameter_list:
                    self._add_param_group(group.copy())
                self._dtype = self._param_groups[0]["params"][0].dtype
            else:
                self._dtype = first.dtype

    # ---- what Paddle 2.x says
    def _constant(self, value: float) -> Any:
        from paddle_compat.nn.initializer import Constant

        return Constant(value)

    def _create_global_learning_rate(self) -> None:
        half = self._dtype in (VarType.FP16, VarType.BF16)
        dtype = VarType.FP32 if half or self._dtype is None else self._dtype
        rate = self._global_learning_rate()
        program = default_main_program()
        if mode.in_dygraph_mode():
            value = self._rate_now()
            if rate is None:
                self._shown["rate"] = value
                of = _first(self._parameter_list)._t
                # on the CPU, from which updates read it without a wait
                number = torch.full((), value, dtype=torch_dtype(dtype), device=of.device if is_dist(of) else "cpu")
                tensor = Tensor(number, unique_name.generate("learning_rate"))
                self._learning_rate_map[program] = tensor
            elif not isinstance(self._learning_rate, float):
                # a plain number counts from the first step on; then `set_lr` alone changes it
                self._show_rate(value)
        elif isinstance(self._learning_rate, float):
            if rate is None:
                name = unique_name.generate("learning_rate")
                self._learning_rate_map[program] = self._global_variable(name, [], self._learning_rate, dtype)
        else:
            assert self.helper is not None
            if rate is None:
                name = self._learning_rate._var_name = unique_name.generate("learning_rate")
                rate = self.helper.create_global_variable(name=name, shape=[], persistable=True, stop_gradient=True, dtype=dtype)
                self._learning_rate_map[program] = rate
                # the executor puts the scheduler's value into the variable before each run
                program.lr_scheduler, program.lr_var = self._learning_rate, rate  # type: ignore[attr-defined]
            self.helper.set_variable_initializer(rate, initializer=self._constant(float(self._learning_rate())))

    def _show_rate(self, value: float) -> None:
        """Put a learning rate into the tensor that updates read (eager mode)."""
        if self._shown.get("rate") != value:
            self._global_learning_rate()._t.fill_(value)
            self._shown["rate"] = value

    # ---- learning rate
    def get_lr(self) -> float:
        """The present learning rate.

        Returns:
            float: the rate given, or the scheduler's value.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> paddle.optimizer.SGD(paddle.optimizer.lr.StepDecay(0.5, step_size=10)).get_lr()
            0.5
        """
        return self._rate_now()

    def _rate_now(self) -> float:
        """The present learning rate, whatever a subclass's `get_lr` tells."""
        return float(self._learning_rate if isinstance(self._learning_rate, float) else self._learning_rate())

    def set_lr(self, value: float) -> None:
        """Set the learning rate (eager mode).

        Args:
            value (float): the new rate.
        Raises:
            TypeError: value is no number.
            RuntimeError: a scheduler sets the rate.

        Example:
            >>> import paddle_compat as paddle
            >>> sgd = paddle.optimizer.SGD(0.5, parameters=[paddle.create_parameter([1], "float32")])
            >>> sgd.set_lr(0.25); sgd.get_lr()
            0.25
        """
        mode.eager_only("set_lr")
        if not isinstance(value, (int, float)):
            raise TypeError(f"Invalid type for argument `value` of `set_lr`. Expected float. Received: {value!r}")
        if isinstance(self._learning_rate, LRScheduler):
            raise RuntimeError(
                "The learning rate cannot be set where an LRScheduler sets it. Expected an optimizer with a float. "
                f"Received: one with {type(self._learning_rate).__name__}"
            )
        self._learning_rate = float(value)
        if self._global_learning_rate() is not None:
            self._show_rate(self._learning_rate)

    def set_lr_scheduler(self, scheduler: LRScheduler) -> None:
        """Take the learning rate from another scheduler (eager mode).

        Args:
            scheduler (LRScheduler): the scheduler.
        Raises:
            TypeError: it is none.

        Example:
            >>> import paddle_compat as paddle
            >>> sgd = paddle.optimizer.SGD(0.5, parameters=[paddle.create_parameter([1], "float32")])
            >>> sgd.set_lr_scheduler(paddle.optimizer.lr.StepDecay(0.125, step_size=10)); sgd.get_lr()
            0.125
        """
        mode.eager_only("set_lr_scheduler")
        if not isinstance(scheduler, LRScheduler):
            raise TypeError(
                f"Invalid type for argument `scheduler` of `set_lr_scheduler`. Expected LRScheduler. Received: {type(scheduler).__name__}"
            )
        self._learning_rate = scheduler

    # ---- state
    def state_dict(self) -> dict[str, Any]:
        """The accumulators by name, "master_weights" and "LR_Scheduler" (eager mode).

        Returns:
            dict: what `set_state_dict` takes; empty before the first step.

        Example:
            >>> import torch, paddle_compat as paddle
            >>> w = paddle.create_parameter([2], "float32", "w")
            >>> momentum = paddle.optimizer.Momentum(0.5, parameters=[w])
            >>> torch.sum(w * 2.0).backward()
            >>> momentum.step(); list(momentum.state_dict())
            ['w_velocity_0']
        """
        mode.eager_only("state_dict")
        state: dict[str, Any] = {var.name: var for made in self._accumulators.values() for var in made.values()}
        if SINCE_3 and not state:  # what was loaded and waits for the first step
            state = dict(self._accumulators_holder)
        if self._master_weights:
            state["master_weights"] = self._master_weights
        if isinstance(self._learning_rate, LRScheduler):
            state["LR_Scheduler"] = self._learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state (eager mode); accumulators that are not there yet take theirs when they are made.

        Args:
            state_dict (dict): what `state_dict` returned, of Tensors or arrays.
        Raises:
            AssertionError: an accumulator is missing, or of another shape or data type.

        Example:
            >>> import torch, paddle_compat as paddle
            >>> w = paddle.create_parameter([2], "float32", "w")
            >>> momentum = paddle.optimizer.Momentum(0.5, parameters=[w])
            >>> torch.sum(w * 2.0).backward()
            >>> momentum.step(); momentum.set_state_dict({"w_velocity_0": paddle.zeros([2])})
            >>> momentum.state_dict()["w_velocity_0"].tolist()
            [0.0, 0.0]
        """
        mode.eager_only("set_state_dict")
        if isinstance(self._learning_rate, LRScheduler):
            if SINCE_3 and "LR_Scheduler" not in state_dict:
                raise failed_assertion("state_dict", "'LR_Scheduler', as the rate is scheduled", sorted(state_dict), "set_state_dict")
            self._learning_rate.set_state_dict(state_dict["LR_Scheduler"])
        state = {name: value for name, value in state_dict.items() if name != "LR_Scheduler"}
        if "master_weights" in state:
            self._master_weights = state.pop("master_weights")
        self._accumulators_holder = state
        for made in self._accumulators.values():
            for var in made.values():
                if var.name not in state:
                    raise AssertionError(
                        f"Invalid value for argument `state_dict`. Expected `{var.name}` in it. "
                        f"Received: {', '.join(sorted(state)) or 'nothing'}"
                    )
                value = state[var.name]
                if among([var._t]) or (isinstance(value, Tensor) and among([value._t])):
                    fill(var, value)
                    continue
                array = value.numpy() if isinstance(value, Tensor) else np.asarray(value)
                own = var.numpy()
                if array.shape != own.shape or array.dtype != own.dtype:
                    raise AssertionError(
                        f"Invalid entry `{var.name}` of the state dict. Expected shape {own.shape}, {own.dtype}. "
                        f"Received: {array.shape}, {array.dtype}"
                    )
                var.set_value(array)

    set_dict = load_state_dict = set_state_dict

    # ---- static mode
    def backward(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameters: Any = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: list[Callable[..., None]] | None = None,
    ) -> list[Pair]:
        """The first half of `minimize`: append the gradient operators.

        Args:
            loss (Tensor): what is minimised, one element.
            startup_program (Program|None): None for the default one.
            parameters (list|None): what gradients are wanted of; None for all that are trained.
            no_grad_set (set|None): Variables or names through which no gradient flows.
            callbacks (list|None): called as ``callback(block, context)`` after each gradient operator.
        Returns:
            list: pairs of parameter and gradient.
        Raises:
            AssertionError: the loss has more than one element.
            ValueError: eager parameters in groups, which `step` alone takes.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> main = paddle.static.Program()
            >>> with paddle.static.program_guard(main, paddle.static.Program()), paddle.utils.unique_name.guard():
            ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
            ...     sgd = paddle.optimizer.SGD(0.1)
            ...     pairs = sgd.backward(loss)
            ...     ops = sgd.apply_gradients(pairs)
            >>> [(p.name, g.name) for p, g in pairs], [op.type for op in ops]
            ([('fc_0.w_0', 'fc_0.w_0@GRAD')], ['sgd'])
        """
        parameters = parameters or self._parameter_list
        if self._dtype is None:
            self._dtype = loss.dtype
        if mode.in_dygraph_mode():
            trained = list(parameters)
            if trained and isinstance(trained[0], dict):
                raise invalid_argument("parameters", "a list of Tensors (`step` takes groups)", "groups", "minimize")
            return [(p, p.grad) for p in trained if not p.stop_gradient and p.grad is not None]
        from paddle_compat.core.backward import append_backward  # eager mode has no use for it

        if np.prod(loss.shape) != 1:
            raise AssertionError(
                "Invalid value for argument `loss` of `minimize`. Expected one element, such as paddle.mean gives. "
                f"Received: shape {list(loss.shape)}"
            )
        with program_guard(loss.block.program, startup_program):
            no_grad = without_gradient(loss, no_grad_set, self._trains)
            found = append_backward(loss, parameters, no_grad, [error_clip_callback] if callbacks is None else callbacks)
            return [(p, grad) for p, grad in found if grad is not None]

    def apply_gradients(self, params_grads: list[Pair]) -> Any:
        """The second half of `minimize`: append clips, decay and the update operators.

        Args:
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators appended.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> main = paddle.static.Program()
            >>> with paddle.static.program_guard(main, paddle.static.Program()):
            ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
            ...     sgd = paddle.optimizer.SGD(0.1)
            ...     ops = sgd.apply_gradients(sgd.backward(loss))
            >>> [op.type for op in ops]
            ['sgd']
        """
        with torch.no_grad():
            params_grads = sorted(params_grads, key=lambda pair: str(pair[0].name))
            if self._grad_clip is not None:
                params_grads = self._grad_clip(params_grads)
            elif not mode.in_dygraph_mode():
                params_grads = append_gradient_clip_ops(params_grads)
            params_grads = self.append_regularization_ops(params_grads, self.regularization)
            return self._create_optimization_pass(params_grads)

    def _apply_optimize(self, loss: Any, startup_program: Program | None, params_grads: Any, param_group_idx: int = 0) -> Any:
        if not mode.in_dygraph_mode():
            with program_guard(loss.block.program, startup_program):
                return self.apply_gradients(params_grads)
        with torch.no_grad():
            group = params_grads if isinstance(params_grads, dict) else {"params": params_grads, "grad_clip": self._grad_clip}
            pairs = group["params"]
            if group["grad_clip"] is not None:
                pairs = group["grad_clip"](pairs)
            pairs = self.append_regularization_ops(pairs, self.regularization)
            if isinstance(params_grads, dict):
                pairs = self._update_param_group({**group, "params": pairs})
            return self._create_optimization_pass(pairs, param_group_idx)

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameters: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[Any, list[Pair]]:
        """Append what minimises a loss: gradients, clips, decay, updates. In eager mode: take a step.

        Args:
            loss (Tensor): what is minimised, one element.
            startup_program (Program|None): None for the default one.
            parameters (list|None): Tensors or names to be trained; None for all that are trainable.
            no_grad_set (set|None): Variables or names through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        Raises:
            AssertionError: the loss is no Tensor or has more than one element.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> main = paddle.static.Program()
            >>> with paddle.static.program_guard(main, paddle.static.Program()):
            ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
            ...     ops, pairs = paddle.optimizer.SGD(0.1).minimize(loss)
            >>> [op.type for op in ops], len(pairs)
            (['sgd'], 1)
        """
        if not isinstance(loss, (Variable, Tensor)):
            raise AssertionError(f"Invalid type for argument `loss` of `minimize`. Expected a Tensor. Received: {type(loss).__name__}")
        with torch.no_grad():
            pairs = self.backward(loss, startup_program, parameters or self._parameter_list, no_grad_set)
            return self._apply_optimize(loss, startup_program, pairs), pairs

    # ---- eager mode
    @torch.no_grad()
    def step(self) -> None:
        """Update the parameters from their gradients, once (eager mode).

        Example:
            >>> import torch, paddle_compat as paddle
            >>> w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
            >>> torch.sum(w * 2.0).backward()
            >>> paddle.optimizer.SGD(0.25, parameters=[w]).step(); w.tolist()
            [0.5]
        """
        mode.eager_only("step")
        groups = self._param_groups or []
        if not groups or not isinstance(groups[0], dict):
            self._step(groups, None, 0)
            return
        for index, group in enumerate(groups):
            self._step(group["params"], group, index)

    def _step(self, parameters: Iterable[Any], group: dict[str, Any] | None, index: int) -> None:
        """Update parameters; of a group, with the group's settings."""
        params, tensors, grads = self._with_gradients(parameters)
        if self._master_grad:
            grads = [grad.float() if grad.dtype in _HALVES else grad for grad in grads]
        clip = self._grad_clip if group is None else group["grad_clip"]
        rules = [getattr(p, "regularizer", None) or self.regularization for p in params]
        sparse = any(grad.is_sparse for grad in grads)
        if sparse and group is None and self.regularization is not None and not self._decays_rows:
            raise RuntimeError(
                f"Invalid value for argument `weight_decay` of `{type(self).__name__}`. Expected None, since a parameter has a sparse "
                f"gradient. Received: {self.regularization!r}"
            )
        if self._steps_alone or sparse or not can_clip(clip) or not all(map(can_decay, rules)):
            pairs = [(p, Tensor(g)) for p, g in zip(params, grads)]
            self._apply_optimize(None, None, pairs if group is None else {**group, "params": pairs}, index)
            return
        values, parts = tensors, None
        if among(tensors):
            parts = Parts(self, params)
            values, grads = parts.values(), parts.gradients(grads)
        if clip is not None:
            grads = clipped(clip, params, grads, parts)
        if self._decays_in_update:
            rules = [None if isinstance(rule, L2Decay) else rule for rule in rules]
        grads = decayed(rules, values, grads)
        if group is not None:
            self._update_param_group(group)
        here = [i for i, param in enumerate(params) if self._owns(param)] if parts is None else parts.here()
        if len(here) < len(params):
            params, tensors, grads = ([listed[i] for i in here] for listed in (params, tensors, grads))
        if params:
            self._update_now(params, tensors, grads, index)

    _decays_rows = True  # whether `step` takes a decay of its own beside sparse gradients
    _master_grad = False  # whether clips and decays see gradients of half precision in float32
    _decays_in_update = False  # whether the update operator does the L2 decay of a parameter's own regularizer

    @cached_property
    def _steps_alone(self) -> bool:
        """Whether the user's subclass changes what a step is made of."""
        return any(not is_ours(getattr(type(self), name)) for name in _PARTS_OF_A_STEP)

    def _with_gradients(self, parameters: Iterable[Any]) -> tuple[list[Any], list[torch.Tensor], list[torch.Tensor]]:
        """Those that are trained and have a gradient, their torch tensors and their gradients."""
        params, tensors, grads = [], [], []
        for param in parameters:
            tensor = param._t
            if tensor.requires_grad:
                grad = tensor.grad
                if grad is None and param._cleared:
                    grad = param.grad._t
                if grad is not None:
                    params.append(param)
                    tensors.append(tensor)
                    grads.append(grad)
        return params, tensors, grads

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Forget the gradients (eager mode).

        Args:
            set_to_zero (bool): leave zeros, as Paddle does; else no gradient at all.

        Example:
            >>> import torch, paddle_compat as paddle
            >>> w = paddle.create_parameter([1], "float32")
            >>> torch.sum(w * 2.0).backward()
            >>> paddle.optimizer.SGD(0.25, parameters=[w]).clear_grad(); w.grad.tolist()
            [0.0]
        """
        mode.eager_only("clear_grad")
        for param in _all(self._parameter_list):
            if param._t.requires_grad:
                param._clear_grad(set_to_zero)

    clear_gradients = clear_grad

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients (eager mode).

        Args:
            set_to_none (bool): leave none, else zeros.

        Example:
            >>> import torch, paddle_compat as paddle
            >>> w = paddle.create_parameter([1], "float32")
            >>> torch.sum(w * 2.0).backward()
            >>> paddle.optimizer.SGD(0.25, parameters=[w]).zero_grad(); w.grad is None
            True

        Follows Paddle 3.3.
        """
        self.clear_grad(not set_to_none)

    def _add_param_group(self, param_group: dict[str, Any]) -> None:
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError("Invalid type for argument `parameters`. Expected ordered collections in groups. Received: a set")
        params = param_group["params"] = [params] if isinstance(params, Tensor) else list(params)
        for name, value in self._default_dict.items():
            param_group.setdefault(name, value)
        assert self._param_groups is not None
        if {id(p) for g in self._param_groups for p in g["params"]} & {id(p) for p in params}:
            raise ValueError(
                "Some parameters appear in more than one parameter group. Expected each in one. Received: "
                + ", ".join(p.name for g in self._param_groups for p in g["params"] if id(p) in {id(q) for q in params})
            )
        self._set_group_decay(params, param_group["weight_decay"])
        for param in params:
            param.optimize_attr["learning_rate"] = param_group.get("learning_rate", 1.0)
        self._param_groups.append(param_group)

    def _set_group_decay(self, params: list[Any], decay: Any) -> None:
        for param in params:
            param.regularizer = L2Decay(decay) if isinstance(decay, (float, int)) else decay

    def _update_param_group(self, parameters: dict[str, Any]) -> list[Any]:
        """Take over the settings of a group for its updates; returns its pairs."""
        for name, own in self._group_settings().items():
            value = parameters.get(name)
            setattr(self, own, self._default_dict.get(name) if value is None else value)
        return parameters["params"]

    def _group_settings(self) -> dict[str, str]:
        """Names of settings that a group may have of its own, and the attributes that hold them."""
        return self._attribute_table


def _parameter_list(parameters: Any) -> list[Any] | None:
    if parameters is None:
        return None
    if isinstance(parameters, (Tensor, Variable, dict)):
        raise TypeError(
            "Invalid type for argument `parameters`. Expected an iterable of Tensors, or a list of dicts for groups. "
            f"Received: {type(parameters).__name__}"
        )
    listed = list(parameters)
    if listed and isinstance(listed[0], torch.Tensor):
        received = "those of a torch module, which paddle_compat.migrate.as_layer makes a Layer"
        raise TypeError(f"Invalid type for argument `parameters`. Expected Tensors. Received: {received}")
    return listed


def _all(parameters: list[Any] | None) -> list[Any]:
    """The parameters of a list of parameters or of groups."""
    listed = parameters or []
    if not (listed and isinstance(listed[0], dict)):
        return listed
    groups = [[g["params"]] if isinstance(g["params"], Tensor) else g["params"] for g in listed]
    return [p for params in groups for p in params]


def _first(parameters: list[Any] | None) -> Any:
    return _all(parameters)[0]
