"""`paddle.fluid.contrib.quantize.quantize_transpiler`: Programs whose products round what they multiply."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.block import Block
from paddle_compat.core.operator import GRAD_SUFFIX, Operator
from paddle_compat.core.program import Program, default_main_program, default_startup_program, program_guard
from paddle_compat.core.scope import global_scope
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.initializer import ConstantInitializer
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers.nn import autoincreased_step_counter
from paddle_compat.fluid.param_attr import ParamAttr

_MULTIPLY = ("conv2d", "depthwise_conv2d", "mul")
_KINDS = ("abs_max", "range_abs_max", "moving_average_abs_max")
_QUANTIZED, _DEQUANTIZED, _SCALE, _INT8 = ".quantized", ".dequantized", ".scale", ".int8"


def _original_var_name(var_name: str) -> str:
    """The variable that a rounded one, its scale or what was made of it came from."""
    for end in (_QUANTIZED + _DEQUANTIZED, _QUANTIZED, _DEQUANTIZED, _SCALE):
        if var_name.endswith(end):
            return var_name[: -len(end)]
    return var_name


class QuantizeTranspiler:
    """Rewrites a Program so that convolutions and `mul` see their operands rounded to few bits.

    Args:
        weight_bits (int): bits of a weight.
        activation_bits (int): bits of everything else.
        activation_quantize_type (str): where the scale of an activation comes from: "abs_max" (each step anew), "range_abs_max" (the
            largest of the last steps) or "moving_average_abs_max".
        weight_quantize_type (str): the same for weights.
        window_size (int): how many steps "range_abs_max" looks back on.
        moving_rate (float): the share that the former average keeps.
    Raises:
        ValueError: there is no such type.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> main, startup, exe = fluid.Program(), fluid.Program(), fluid.Executor(fluid.CPUPlace())
        >>> with fluid.scope_guard(fluid.Scope()), fluid.program_guard(main, startup):
        ...     out = fluid.layers.fc(fluid.data("x", [None, 4]), 2, bias_attr=False)
        ...     rounding = fluid.contrib.QuantizeTranspiler()
        ...     rounding.training_transpile(main, startup)
        ...     _ = exe.run(startup)
        ...     rounding.freeze_program(main, fluid.CPUPlace())
        ...     frozen = [op.type for op in main.global_block().ops]
        ...     rounding.convert_to_int8(main, fluid.CPUPlace())
        >>> frozen, [p.name for p in main.all_parameters()]
        (['fake_quantize_abs_max', 'mul', 'fake_dequantize_max_abs'], ['fc_0.w_0.int8'])

    Follows Paddle 1.8.
    """

    def __init__(
        self, weight_bits: int = 8, activation_bits: int = 8, activation_quantize_type: str = "abs_max",
        weight_quantize_type: str = "abs_max", window_size: int = 10000, moving_rate: float = 0.9,
    ) -> None:  # fmt: skip
        for name, kind in (("activation_quantize_type", activation_quantize_type), ("weight_quantize_type", weight_quantize_type)):
            if kind not in _KINDS:
                raise ValueError(f"Invalid value for argument `{name}`. Expected one of {_KINDS}. Received: {kind!r}")
        self.weight_bits, self.activation_bits = weight_bits, activation_bits
        self.activation_quantize_type, self.weight_quantize_type = activation_quantize_type, weight_quantize_type
        self.window_size, self.moving_rate = window_size, moving_rate
        self.helper = LayerHelper(self.__class__.__name__)
        self.global_step: Variable | None = None

    def training_transpile(self, program: Any = None, startup_program: Any = None) -> None:
        """Round the operands of products, and let their gradient operators read what was rounded; gradients go straight through.

        Args:
            program (Program): None: the default one.
            startup_program (Program): where the state of scales gets its first values; None: the default one.
        """
        program, startup = program or default_main_program(), startup_program or default_startup_program()
        rounded: list[dict[str, Variable]] = [{} for _ in program.blocks]
        with program_guard(program, startup):
            if "range_abs_max" in (self.activation_quantize_type, self.weight_quantize_type):
                self.global_step = autoincreased_step_counter()
            for block, made in zip(program.blocks, rounded):
                for op in list(block.ops):
                    if op.type in _MULTIPLY:
                        self._round_operands(block, op, made)
            for block, made in zip(program.blocks, rounded):
                for op in block.ops:
                    if op.type in tuple(f"{type_}_grad" for type_ in _MULTIPLY):
                        for name in [name for name in op.input_arg_names if name in made]:
                            op._rename_input(name, made[name].name)

    def _round_operands(self, block: Block, op: Operator, made: dict[str, Variable]) -> None:
        place = block.ops.index(op)  # each operand's operators go in front of those of the operand before
        for name in [name for slot in sorted(op.input_names) for name in op.input(slot)]:
            if name not in made:
                var = block.var(name)
                bits = self.weight_bits if var.persistable else self.activation_bits
                kind = self.weight_quantize_type if var.persistable else self.activation_quantize_type
                quantized, scale = self._quantize(block, place, var, bits, kind)
                made[name] = self._dequantize(block, place + 1, quantized, scale, float((1 << (bits - 1)) - 1))
            op._rename_input(name, made[name].name)

    def _quantize(self, block: Block, place: int, var: Variable, bits: int, kind: str) -> tuple[Variable, Variable]:
        """Insert what rounds a variable: the steps, and what the highest of them stands for."""
        quantized = block.create_var(name=var.name + _QUANTIZED, type=var.type, shape=var.shape, dtype=var.dtype)
        inputs: dict[str, Any] = {"X": var}
        outputs: dict[str, Any] = {"Out": quantized}
        attrs: dict[str, Any] = {"bit_length": bits}
        if kind == "abs_max":
            scale = block.create_var(name=var.name + _SCALE, type=var.type, shape=[1], dtype=var.dtype)
        else:
            attrs["is_test"] = False
            if kind == "moving_average_abs_max":
                state, accum = self._state("state", 1.0, var), self._state("accum", 1.0, var)
                inputs.update(InState=state, InAccum=accum)
                outputs.update(OutState=state, OutAccum=accum)
                attrs["moving_rate"] = self.moving_rate
            first = ParamAttr(name=var.name + _SCALE, initializer=ConstantInitializer(0.001), trainable=False)
            scale = self.helper.create_parameter(attr=first, shape=[1], dtype=var.dtype)
            scale.stop_gradient = True
            inputs["InScale"] = scale
            if kind == "range_abs_max":
                inputs["Iter"] = self.global_step
                outputs["OutScales"] = self._state("scales", 0.0, var, self.window_size)
                attrs["window_size"] = self.window_size
        outputs["OutScale"] = scale
        block._insert_op(place, type=f"fake_quantize_{kind}", inputs=inputs, outputs=outputs, attrs=attrs)
        return quantized, scale

    def _state(self, key: str, value: float, like: Variable, size: int = 1) -> Variable:
        made: Variable = self.helper.create_global_variable(
            name=unique_name.generate(key), persistable=True, dtype=like.dtype, shape=[size]
        )
        self.helper.set_variable_initializer(made, ConstantInitializer(value))
        return made

    @staticmethod
    def _dequantize(block: Block, place: int, var: Variable, scale: Variable, steps: float) -> Variable:
        """Insert what makes numbers of steps again."""
        out: Variable = block.create_var(name=var.name + _DEQUANTIZED, type=var.type, shape=var.shape, dtype=var.dtype)
        inputs = {"X": var, "Scale": scale}
        block._insert_op(place, type="fake_dequantize_max_abs", inputs=inputs, outputs={"Out": out}, attrs={"max_range": steps})
        return out

    def freeze_program(self, program: Program, place: Any, scope: Any = None) -> None:
        """Make a rewritten test Program one for inference: weights become their steps, and products are scaled back behind them.

        Args:
            program (Program): a clone for testing of what was rewritten, itself rewritten.
            place: where the weights are.
            scope (Scope): None: the current one.
        """
        scope = scope or global_scope()
        steps, largest = float((1 << (self.weight_bits - 1)) - 1), float((1 << (self.activation_bits - 1)) - 1)
        for block in program.blocks:
            scales: dict[str, float] = {}
            replaced: dict[str, str] = {}
            for op in list(block.ops):
                if op.type.startswith("fake_quantize") and block.var(op.input("X")[0]).persistable:
                    scales[op.input("X")[0]] = self._freeze_weight(op, scope, place, steps)
                    block._remove_op(block.ops.index(op))
                elif op.type == "fake_dequantize_max_abs":
                    block._remove_op(block.ops.index(op))
                elif op.type in _MULTIPLY:
                    self._freeze_product(block, op, scales, replaced, steps * largest)
                else:
                    for name in [name for name in op.input_arg_names if name in replaced]:
                        op._rename_input(name, replaced[name])
        self._remove_unused_var(program)

    def _freeze_weight(self, op: Operator, scope: Any, place: Any, steps: float) -> float:
        """Put a weight's steps in its place, and say what the highest stands for."""
        weight = scope.find_var(op.input("X")[0]).get_tensor()
        value = np.array(weight)
        if self.weight_quantize_type == "abs_max":
            scale = float(np.abs(value).max())
        else:
            scale = float(np.array(scope.find_var(op.output("OutScale")[0]).get_tensor())[0])
        weight.set(np.round(np.clip(value, -scale, scale) / scale * steps).astype(value.dtype), place)
        return scale

    @staticmethod
    def _freeze_product(block: Block, op: Operator, scales: dict[str, float], replaced: dict[str, str], steps: float) -> None:
        weight = activation = ""
        for name in op.input_arg_names:
            original = _original_var_name(name)
            if original in scales:
                op._rename_input(name, original)
                weight = original
            else:
                activation = original
                op._rename_input(name, original + _QUANTIZED)
        out = block.var(op.output_arg_names[0])
        back = QuantizeTranspiler._dequantize(
            block, block.ops.index(op) + 1, out, block.var(activation + _SCALE), steps / scales[weight]
        )
        replaced[out.name] = back.name

    def convert_to_int8(self, program: Program, place: Any, scope: Any = None) -> None:
        """Keep the weights of a frozen Program as int8.

        Args:
            program (Program): what `freeze_program` made.
            place: where the weights are.
            scope (Scope): None: the current one.
        """
        scope, home = scope or global_scope(), program.global_block()
        made: dict[str, str] = {}
        for block in program.blocks:
            for op in [op for op in block.ops if op.type in _MULTIPLY]:
                for name in [name for name in op.input_arg_names if block.var(name).persistable]:
                    if name not in made:
                        made[name] = name + _INT8
                        home.create_parameter(name=made[name], type=block.var(name).type, dtype="int8", shape=block.var(name).shape)
                        value = np.array(scope.find_var(name).get_tensor())
                        scope.var(made[name]).get_tensor().set(value.astype("int8"), place)
                    op._rename_input(name, made[name])
        self._remove_unused_var(program)

    @staticmethod
    def _remove_unused_var(program: Program) -> None:
        for block in program.blocks:
            used = {name for op in block.ops for name in (*op.input_arg_names, *op.output_arg_names)}
            for name in [name for name in block.vars if name not in used and not name.endswith(GRAD_SUFFIX)]:
                block._remove_var(name)


__all__ = ["QuantizeTranspiler"]

__getattr__ = missing(__name__)
