"""What the optimizers of Paddle 1.8 and 2.x share: accumulators, update operators, and where these are put.

An optimizer is a table: its operator's type, its accumulators, and which of its own attributes are the operator's. In
static mode the tables are written into Programs, one operator for each parameter; in eager mode the same rows go to the
operators at once, many parameters in a call where the operator can do that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import torch

from paddle_compat.core import eager, mode, unique_name
from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.errors import UnimplementedError, type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.op import Op, definition_of
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.program import Program, default_main_program, device_guard, name_scope
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.optimizer._eager import Plan
from paddle_compat.optimizer._parts import fill, is_dist, sharded, stacked, state
from paddle_compat.static.variables import make_global_var

Pair = Any  # (parameter, gradient or None)
_PARTS_OF_AN_UPDATE = ("_append_optimize_op", "_create_param_lr", "_create_accumulators", "_finish_update")
_HALF = (VarType.FP16, VarType.BF16)
_TENSOR_SLOTS = {"beta1": "Beta1Tensor", "beta2": "Beta2Tensor", "epsilon": "EpsilonTensor"}


def is_ours(method: Any) -> bool:
    """Whether a method is no script's own."""
    return bool(method.__module__.startswith("paddle_compat."))


class Accumulator(NamedTuple):
    """A tensor that an optimizer keeps for each parameter.

    Attributes:
        name: ends the variable's name, after the parameter's.
        slot: the operator's input slot.
        fill: the first value, or the attribute of the optimizer that holds it.
        shape: None for the parameter's.
        wide: float32 even where the parameter is of half precision.
        device: where its initialisation runs; None for the parameter's device.
        rows: the attribute of the optimizer that says how many stand behind one another; None for one without a dimension for it.
        dtype: None for the parameter's.
    """

    name: str
    slot: str
    fill: float | str = 0.0
    shape: tuple[int, ...] | None = None
    wide: bool = False
    device: str | None = None
    rows: str | None = None
    dtype: VarType | None = None


class Updates:
    """Base of all optimizers; see `Accumulator` for the tables.

    Attributes:
        type: the operator's type.
        _accumulators: accumulator name -> parameter name -> variable (static) or Tensor (eager).
    """

    type: str = ""
    _age: ClassVar[int] = 2
    _accumulator_table: ClassVar[tuple[Accumulator, ...]] = ()
    _attribute_table: ClassVar[dict[str, str]] = {}  # attribute of the operator: attribute of the optimizer

    _learning_rate: Any
    _parameter_list: list[Any] | None
    _multi_precision: bool = False
    _shard_fn: Any = None  # of dist parameters: (name, parameter, state) -> the state, laid out

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Say what the accumulators are called where subclasses of scripts ask: `_velocity_acc_str` is "velocity"."""
        super().__init_subclass__(**kwargs)
        for row in cls._accumulator_table:
            setattr(cls, f"_{row.name.removeprefix('_').removesuffix('_acc')}_acc_str", row.name)

    def _start(self, name: str | None) -> None:
        self._name = name
        self._accumulators: dict[str, dict[str, Any]] = defaultdict(dict)
        self._accumulators_holder: dict[str, Any] = {}
        self._learning_rate_map: dict[Program, Any] = {}
        self._master_weights: dict[str, Any] = {}
        self._opti_name_list: list[str] = []
        self._auxiliary_vars: dict[str, Any] = {}
        self._plans: dict[int, Plan] = {}
        self._shown: dict[str, float] = {}  # the learning rate that the eager tensor of it holds
        self._param_device_map: dict[str, str] = {}
        # kept for what derives from an optimizer: names of parameters that have their accumulators
        self._already_create_accumulater: set[str] = set()
        self.helper: LayerHelper | None = None
        self._dtype: Any = None

    @property
    def _already_create_accumulator(self) -> set[str]:
        """`_already_create_accumulater`, as Paddle 3.3 spells it."""
        return self._already_create_accumulater

    def _set_auxiliary_var(self, key: str, val: Any) -> None:
        self._auxiliary_vars[key] = val

    def _get_auxiliary_var(self, key: str) -> Any:
        return self._auxiliary_vars.get(key)

    # ---- what a front-end says
    def _constant(self, value: float) -> Any:
        """The front-end's initializer that fills a variable with one value."""
        raise UnimplementedError(f"{type(self).__name__} does not say how variables are filled.")

    def _create_global_learning_rate(self) -> None:
        """Make the learning rate of the current Program, where it has none."""
        raise UnimplementedError(f"{type(self).__name__} does not say what its learning rate is.")

    def _trains(self, param: Any) -> bool:
        return not param.stop_gradient

    # ---- the tables
    def _attributes(self, param: Any) -> dict[str, Any]:
        """The operator's attributes for a parameter; those that are Variables go into slots instead."""
        values = {name: getattr(self, own) for name, own in self._attribute_table.items()}
        slots = {s.name for s in self._definition.inputs}
        for name, value in values.items():
            if isinstance(value, Tensor) and _TENSOR_SLOTS.get(name) not in slots:
                values[name] = float(value)
        numbers = {name: v for name, v in values.items() if not isinstance(v, (Variable, Tensor))}
        if self._multi_precision:
            numbers["multi_precision"] = self._needs_master(param)
        return {**numbers, **(self._definition.first_age if self._age == 1 else {})}

    def _inputs(self, param: Any, grad: Any) -> dict[str, list[Any]]:
        """The operator's inputs for a parameter."""
        slots = {s.name for s in self._definition.inputs if s.age in (0, self._age)}
        inputs = {"Param": [param], "Grad": [grad]}
        for row in self._accumulator_table:
            inputs[row.slot] = [self._get_accumulator_master(row.name, param)]
        if "LearningRate" in slots:
            inputs["LearningRate"] = [self._create_param_lr((param, grad))]
        if self._needs_master(param):
            inputs["MasterParam"] = [self._master_weights[param.name]]
        for name, own in self._attribute_table.items():
            value = getattr(self, own)
            if isinstance(value, (Variable, Tensor)) and _TENSOR_SLOTS.get(name) in slots:
                inputs[_TENSOR_SLOTS[name]] = [value]
        found_inf = self._auxiliary_vars.get("found_inf")
        if isinstance(found_inf, (Variable, Tensor)) and "SkipUpdate" in slots:
            inputs["SkipUpdate"] = [found_inf]
        return inputs

    @property
    def _definition(self) -> Op:
        return definition_of(self.type)

    # ---- accumulators
    def _add_accumulator(
        self,
        name: str,
        param: Any,
        dtype: Any = None,
        fill_value: float = 0.0,
        shape: Sequence[int] | None = None,
        type: Any = None,
        device: Any = None,
    ) -> Any:
        """Make a persistable variable for a parameter, filled in the startup program; in eager mode a Tensor."""
        name = name if self._name is None else f"{self._name}_{name}"
        made = self._accumulators[name]
        if param.name in made:
            if mode.in_dygraph_mode():
                return made[param.name]
            raise Exception(f"Accumulator {name} already exists for parameter {param.name}")
        var_name = unique_name.generate(f"{param.name}_{name}")
        self._opti_name_list.append(var_name)
        shape = list(param.shape if shape is None else shape)
        if mode.in_dygraph_mode():
            kind = torch_dtype(dtype or param.dtype)
            # a function that lays states out is given plain ones
            plain = self._shard_fn is not None
            where = param._t.device if device is None or is_dist(param._t) else torch.device(device)
            value = torch.full(shape, fill_value, dtype=kind, device=where) if plain else state(param._t, shape, fill_value, kind, where)
            var: Any = Tensor(value, var_name, persistable=True)
            if self._accumulators_holder:
                fill(var, self._loaded(var_name))
        else:
            assert self.helper is not None
            var = self.helper.create_global_variable(
                name=var_name,
                persistable=True,
                dtype=dtype or param.dtype,
                type=VarType.LOD_TENSOR,
                shape=shape,
                belong_to_optimizer=True,
            )
            with device_guard(device or self._param_device_map.get(param.name) or None):
                self.helper.set_variable_initializer(var, initializer=self._constant(float(fill_value)))
        made[param.name] = var
        return var

    def _loaded(self, var_name: str) -> Any:
        if var_name not in self._accumulators_holder:
            raise AssertionError(
                f"The state that was loaded lacks `{var_name}`. Expected every state of the optimizer. "
                f"Received: {', '.join(sorted(self._accumulators_holder)) or 'none'}"
            )
        return self._accumulators_holder.pop(var_name)

    def _get_accumulator(self, name: str, param: Any) -> Any:
        name = name if self._name is None else f"{self._name}_{name}"
        found = self._accumulators.get(name, {}).get(param.name)
        if found is None:
            raise Exception(f"Accumulator {name} does not exist for parameter {param.name}")
        return found

    def _get_accumulator_master(self, name: str, param: Any) -> Any:
        """The accumulator of a parameter, or of its master copy where it has one."""
        return self._get_accumulator(name, self._master_weights[param.name] if self._needs_master(param) else param)

    def _create_accumulators(self, block: Any, parameters: Iterable[Any]) -> None:
        """Make what the table says for each parameter that has none yet."""
        for param in parameters:
            owner = self._create_master_weight(param) if self._needs_master(param) else param
            for row in self._accumulator_table:
                key = self._key(row)
                if owner.name not in self._accumulators[key]:
                    self._add_accumulator(
                        row.name,
                        owner,
                        dtype=VarType.FP32 if row.wide and owner.dtype in _HALF else row.dtype,
                        fill_value=self._first_value(row),
                        shape=row.shape if row.rows is None else (getattr(self, row.rows), *owner.shape),
                        device=row.device,
                    )
                    made = self._accumulators[key]
                    if row.rows is not None and mode.in_dygraph_mode():
                        stacked(made[owner.name], self._get_accumulator(self._accumulator_table[0].name, owner))
                    elif self._shard_fn is not None and mode.in_dygraph_mode():
                        made[owner.name] = sharded(self._shard_fn, key, param, made[owner.name])

    def _key(self, row: Accumulator) -> str:
        return row.name if self._name is None else f"{self._name}_{row.name}"

    def _first_value(self, row: Accumulator) -> float:
        if not isinstance(row.fill, str):
            return row.fill
        value: Any = getattr(self, row.fill)
        decays = {"_beta1": 0.9, "_beta2": 0.999}
        if isinstance(value, (Variable, Tensor)) and row.fill in decays:
            return decays[row.fill]
        return float(value) if isinstance(value, Tensor) else value

    # ---- master copies of half-precision parameters
    def _is_dtype_fp16_or_bf16(self, dtype: Any) -> bool:
        return dtype in _HALF

    def _needs_master(self, param: Any) -> bool:
        return self._multi_precision and param.dtype in _HALF

    def _create_master_weight(self, param: Any) -> Any:
        if param.name not in self._master_weights:
            name = unique_name.generate(param.name + "_fp32_master")
            if mode.in_dygraph_mode():
                master: Any = Tensor(param._t.detach().float(), name, persistable=True)
                if hasattr(self._shard_fn, "shard_master_weight"):
                    master = self._shard_fn.shard_master_weight(param, master)
                    master.name = name
            else:
                master = self._global_variable(name, param.shape, 0.0, VarType.FP32)
                assert self.helper is not None
                self.helper.startup_program.global_block().append_op(
                    type="cast",
                    inputs={"X": [param.name]},
                    outputs={"Out": [master.name]},
                    attrs={"in_dtype": int(param.dtype), "out_dtype": int(VarType.FP32)},
                )
            self._master_weights[param.name] = master
        return self._master_weights[param.name]

    def _global_variable(self, name: str, shape: Sequence[int], value: float, dtype: Any) -> Variable:
        """A persistable variable of the main program that the startup program fills."""
        return make_global_var(self._age, list(shape), value, dtype, True, False, name)

    def get_opti_var_name_list(self) -> list[str]:
        """Names of the accumulators made so far.

        Returns:
            list: the names, in the order in which they were made.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
            ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 1, bias_attr=False))
            ...     momentum = fluid.optimizer.Momentum(0.1, 0.9)
            ...     _ = momentum.minimize(loss)
            >>> momentum.get_opti_var_name_list()
            ['fc_0.w_0_velocity_0']
        """
        return self._opti_name_list

    # ---- learning rates
    def _global_learning_rate(self, program: Program | None = None) -> Any:
        return self._learning_rate_map.get(default_main_program() if program is None else program)

    def _create_param_lr(self, param_and_grad: Pair) -> Any:
        """The learning rate of a parameter: the global one times its own factor."""
        factor = getattr(param_and_grad[0], "optimize_attr", {}).get("learning_rate", 1.0)
        rate = self._global_learning_rate()
        if isinstance(factor, Variable):
            return factor
        if factor == 1.0:
            return rate
        if mode.in_dygraph_mode():
            return Tensor(rate._t * factor)
        with default_main_program()._lr_schedule_guard(is_with_opt=True), name_scope("scale_with_param_lr"):
            return rate * factor

    # ---- the operators
    def _update_param_group(self, parameters: dict[str, Any]) -> Any:
        """What is updated of a group; optimizers that have groups take over its settings."""
        return parameters["params"]

    def _pair(self, param_and_grad: Pair) -> tuple[Any, Any]:
        """A parameter and its gradient, which come within the settings of their group where parameters are in groups."""
        pair = self._update_param_group(param_and_grad) if isinstance(param_and_grad, dict) else param_and_grad
        return pair[0], pair[1]

    def _append_optimize_op(self, block: Any, param_and_grad: Pair) -> Any:
        """Append the operator that updates a parameter; in eager mode, where only what derives from the optimizer asks, update it."""
        param, grad = self._pair(param_and_grad)
        if mode.in_dygraph_mode():
            if self._rates_alone:  # a plan asks once
                self._plans.pop(id(param), None)
            self._run_plan(id(param), [param], [param._t], [grad._t])
            return None
        inputs = self._inputs(param, grad)
        outputs = {
            out: inputs[source]
            for out, source in self._definition.inplace.items()
            if source in inputs and getattr(self._definition.slot(out), "age", 0) in (0, self._age)
        }
        return block.append_op(type=self.type, inputs=inputs, outputs=outputs, attrs=self._attributes(param))

    def _finish_update(self, block: Any, parameters_and_grads: Any) -> None:
        """For what has to be done once after all updates."""

    def _prepare(self, block: Any, parameters: list[Any]) -> None:
        """Make learning rate and accumulators, in the front-end's order."""
        self._create_global_learning_rate()
        self._create_accumulators(block, parameters)

    def _create_optimization_pass(self, parameters_and_grads: list[Pair], param_group_idx: int = 0) -> Any:
        """Write, or in eager mode do, the updates of all pairs; returns the operators written."""
        if mode.in_dygraph_mode():
            pairs = [(p, g) for p, g in parameters_and_grads if g is not None and self._trains(p) and self._owns(p)]
            self._update_now([p for p, _ in pairs], [p._t for p, _ in pairs], [g._t for _, g in pairs], param_group_idx)
            return []
        block = default_main_program().current_block()  # a branch where steps are not made in every run
        start = len(block.ops)
        self.helper = LayerHelper(type(self).__name__, age=self._age)
        # a parameter is updated where the first operator that reads it runs
        above = default_main_program().global_block().ops
        devices = [(name, op.attrs.get("op_device", "")) for op in above for name in op.input_arg_names]
        self._param_device_map.update(reversed(devices))
        self._prepare(block, [p for p, _ in parameters_and_grads if self._trains(p)])
        pairs = [(p, g) for p, g in parameters_and_grads if g is not None and self._trains(p)]
        for param, grad in pairs:
            device = device_guard(self._param_device_map.get(param.name) or None)
            with param.block.program._optimized_guard([param, grad]), name_scope("optimizer"), device:
                self._append_optimize_op(block, (param, grad))
        self._finish_update(block, pairs)  # of all: one that was written under no_grad says no more that it trains
        return block.ops[start:]

    _param_groups: list[Any] | None = None  # parameters, or settings with parameters; fluid's optimizers have none
    _own: frozenset[int] | None = None  # ids of the parameters that this process updates, where processes share them out

    def _owns(self, param: Any) -> bool:
        return self._own is None or id(param) in self._own

    def _update_now(self, params: list[Any], tensors: list[torch.Tensor], grads: list[torch.Tensor], group: int = 0) -> None:
        """Do the updates of parameters by their gradients."""
        if self._auxiliary_vars.get("found_inf") is True:  # says GradScaler
            self._pass_over(params, tensors, group)
            return
        if self._updates_alone:
            block = default_main_program().global_block()
            self._prepare(block, params)
            pairs = [(param, Tensor(grad)) for param, grad in zip(params, grads)]
            groups = self._param_groups or [None]
            settings = groups[group] if isinstance(groups[0], dict) else None
            for pair in pairs:
                self._append_optimize_op(block, pair if settings is None else {**settings, "params": pair})
            self._finish_update(block, pairs)
            return
        plan = self._run_plan(group, params, tensors, grads)
        self._finish_update(None, plan.finish)

    def _pass_over(self, params: list[Any], tensors: list[torch.Tensor], group: int) -> None:
        """Leave a step out; what it would have made is there afterwards, and what ends a step (powers of Adamax) is done."""
        if self._updates_alone:
            block = default_main_program().global_block()
            self._prepare(block, params)
            self._finish_update(block, [(param, param.grad) for param in params])
            return
        self._finish_update(None, self._plan(group, params, tensors).finish)

    @cached_property
    def _rates_alone(self) -> bool:
        """Whether a subclass says what the learning rate of a parameter is."""
        return not is_ours(type(self)._create_param_lr)

    @cached_property
    def _updates_alone(self) -> bool:
        """Whether a subclass updates one parameter at a time, in its own way."""
        kind = type(self)
        changed = any(not is_ours(getattr(kind, name)) for name in _PARTS_OF_AN_UPDATE)
        return changed or kind._append_optimize_op is not Updates._append_optimize_op

    def _plan(self, key: int, params: list[Any], tensors: list[torch.Tensor]) -> Plan:
        plan = self._plans.get(key)
        if plan is None or not plan.holds(tensors):
            plan = self._plans[key] = Plan(self, params)
        return plan

    def _run_plan(self, key: int, params: list[Any], tensors: list[torch.Tensor], grads: list[torch.Tensor]) -> Plan:
        plan = self._plan(key, params, tensors)
        plan.run(grads)
        if eager.watch is not None:
            for tensor, grad in zip(tensors, grads):
                eager.watch(f"{self.type}_", [grad], tensor)
        return plan

    # ---- decay
    def _create_regularization_of_grad(self, param: Any, grad: Any, regularization: Any = None) -> Any:
        """The gradient plus its decay term; the parameter's own regularizer goes before the optimizer's."""
        rule = getattr(param, "regularizer", None) or regularization
        if grad is None or rule is None:
            return grad
        if mode.in_dygraph_mode():
            term = rule(param, grad, None)
            return Tensor(grad._t.to_dense() + term._t if grad._t.is_sparse else grad._t + term._t)
        block = grad.block.program.current_block()
        term = rule(param, grad, block)
        total = grad
        later = SINCE_3 and grad.block.program.age > 1  # gradients stay as they are there
        if later or grad.type == VarType.SELECTED_ROWS:
            # rows plus a whole tensor are a whole tensor, and a variable does not change its kind
            name = f"{grad.name}@NEWGRAD@"
            total = grad.block._add_var(
                name=unique_name.generate(name) if later else name,
                dtype=param.dtype,
                shape=param.shape,
                lod_level=param.lod_level,
                type=VarType.LOD_TENSOR,
            )
        block.append_op(type="sum", inputs={"X": [grad, term]}, outputs={"Out": [total]})
        return total

    def append_regularization_ops(self, parameters_and_grads: list[Pair], regularization: Any = None) -> list[Pair]:
        """Add the decay of regularizers to gradients.

        Args:
            parameters_and_grads: pairs of parameter and gradient.
            regularization: the regularizer of parameters that have none of their own.
        Returns:
            The pairs with the new gradients.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
            ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 1, bias_attr=False))
            ...     sgd = fluid.optimizer.SGD(0.1)
            ...     pairs = sgd.append_regularization_ops(sgd.backward(loss), fluid.regularizer.L2Decay(0.1))
            >>> [op.type for op in loss.block.ops[-2:]], len(pairs)
            (['scale', 'sum'], 1)
        """
        if mode.in_dygraph_mode():
            return [(p, self._create_regularization_of_grad(p, g, regularization)) for p, g in parameters_and_grads]
        pairs = []
        with name_scope("regularization"):
            for param, grad in parameters_and_grads:
                with param.block.program._optimized_guard([param, grad] if grad is not None else [param]):
                    pairs.append((param, self._create_regularization_of_grad(param, grad, regularization)))
        return pairs


def without_gradient(loss: Variable, names: Iterable[Any] | None, trains: Any) -> set[str]:
    """Names through which no gradient flows: those asked for, and the parameters that are not trained."""
    if not isinstance(names, (list, tuple, set, frozenset, type(None))):
        raise type_error("no_grad_set", "a set of Variables or names", names)
    chosen = {n if isinstance(n, str) else n.name for n in names or ()}
    return chosen | {p.name for p in loss.block.program.global_block().all_parameters() if not trains(p)}
