"""Saved models whose weights take less room."""

from __future__ import annotations

import os
import shutil
from typing import Any

import numpy as np

from paddle_compat.core.place import CPUPlace
from paddle_compat.core.scope import Scope, scope_guard
from paddle_compat.static import io as files
from paddle_compat.static.executor import Executor
from paddle_compat.static.quantization._passes import COLUMNS, SUPPORTED, WEIGHTED, steps_of
from paddle_compat.static.quantization._post_training import checked

_CUT_BINS = 5000


def _cut(value: Any, rate: float) -> Any:
    """The magnitude that all but a share of the values stay within."""
    counts, edges = np.histogram(np.abs(value), bins=_CUT_BINS)
    return edges[np.argmax(np.cumsum(counts) / value.size >= 1.0 - rate) + 1]


class WeightQuantization:
    """Rounds the weights of a saved model, without looking at any data.

    Args:
        model_dir (str): the folder of the model.
        model_filename, params_filename (str): the model's files in the folder.

    Example:
        >>> import tempfile, os, paddle_compat as paddle
        >>> from paddle_compat.static.quantization import WeightQuantization
        >>> paddle.enable_static()
        >>> main, startup, exe = paddle.static.Program(), paddle.static.Program(), paddle.static.Executor(paddle.CPUPlace())
        >>> with paddle.static.program_guard(main, startup):
        ...     x = paddle.static.data("x", [None, 4])
        ...     y = paddle.static.nn.fc(x, 3, bias_attr=False)
        >>> _ = exe.run(startup)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     paddle.static.save_inference_model(folder + "/m", [x], [y], exe, program=main)
        ...     rounding = WeightQuantization(folder, "m.pdmodel", "m.pdiparams")
        ...     rounding.quantize_weight_to_int(folder + "/int8", "m.pdmodel", "m.pdiparams", generate_test_model=True)
        ...     rounding.convert_weight_to_fp16(folder + "/fp16")
        ...     sorted(os.listdir(folder + "/int8")), sorted(os.listdir(folder + "/fp16"))
        (['quantized_model', 'test_model'], ['m.pdiparams', 'm.pdmodel'])

    Follows Paddle 2.6.
    """

    _MARKS = True  # operators say that they have attributes of quantization
    _supported_quantizable_op_type: tuple[str, ...] = WEIGHTED
    _supported_weight_quantize_type = ("channel_wise_abs_max", "abs_max")

    def __init__(self, model_dir: str, model_filename: Any = None, params_filename: Any = None) -> None:
        self._model_dir, self._model_filename, self._params_filename = model_dir, model_filename, params_filename

    def quantize_weight_to_int(
        self, save_model_dir: str, save_model_filename: Any = None, save_params_filename: Any = None,
        quantizable_op_type: Any = ["conv2d", "mul"], weight_bits: int = 8,  # noqa: B006
        weight_quantize_type: str = "channel_wise_abs_max", generate_test_model: bool = False, threshold_rate: float = 0.0,
    ) -> None:  # fmt: skip
        """Save the model with weights as steps, and the values of the steps as attributes of the operators.

        Args:
            save_model_dir (str): gets a folder `quantized_model`.
            save_model_filename, save_params_filename (str): names of the files there.
            quantizable_op_type (list): whose weights.
            weight_bits (int): 8 or 16.
            weight_quantize_type (str): "channel_wise_abs_max" or "abs_max".
            generate_test_model (bool): a folder `test_model`, too, with the rounded weights as floats, which can be run.
            threshold_rate (float): the share of the magnitudes that is cut off, for "abs_max".
        Raises:
            AssertionError: an argument is not one of those.
        """
        owner = "quantize_weight_to_int"
        for kind in quantizable_op_type:
            checked("quantizable_op_type", kind, self._supported_quantizable_op_type, owner)
        checked("weight_bits", weight_bits, (8, 16), owner)
        checked("weight_quantize_type", weight_quantize_type, self._supported_weight_quantize_type, owner)
        for folder, floats in (("quantized_model", False), ("test_model", True))[: 2 if generate_test_model else 1]:
            target = os.path.join(save_model_dir, folder)
            names = save_model_filename, save_params_filename
            self._save(target, names, set(quantizable_op_type), weight_bits, weight_quantize_type, threshold_rate, floats)

    def _save(
        self, target: str, names: tuple[Any, Any], kinds: set[str], bits: int, way: str, rate: float, floats: bool
    ) -> None:  # fmt: skip
        scope = Scope()
        executor = Executor(CPUPlace())
        with scope_guard(scope):
            program, feeds, fetches = self._read(executor)
            held = {var.name for var in program.list_vars() if var.persistable}
            done: dict[str, Any] = {}
            for op in [op for block in program.blocks for op in block.ops if op.type in kinds]:
                reads = [name for slot in SUPPORTED[op.type][0] if slot in op.input_names for name in op.input(slot)]
                for name in (name for name in reads if name in held):
                    if name not in done:
                        found: Any = scope.find_var(name)
                        done[name] = self._round(found.get_tensor(), self._axis(op.type, way), bits, rate, floats)
                    op._set_attr(name + "_quant_scale", done[name])
                    op._set_attr("quantization_type", f"post_weight_{way}")
                    op._set_attr("quantize_weight_bits", bits)
                    if self._MARKS:
                        op._set_attr("with_quant_attr", True)
            self._write(target, names, feeds, fetches, executor, program)

    @staticmethod
    def _axis(kind: str, way: str) -> int | None:
        return None if way == "abs_max" else 1 if kind in COLUMNS else 0

    @staticmethod
    def _round(tensor: Any, axis: int | None, bits: int, rate: float, floats: bool) -> list[float]:
        """Put steps, or what they stand for, in a weight's place; gives the value of one step."""
        value = np.array(tensor)
        if axis is None:
            largest = np.abs(value).max() if abs(rate) < 1e-10 else _cut(value, rate)
            scale = np.asarray(largest / steps_of(bits), np.float32).reshape(1)
            wide: Any = scale
        else:
            scale = np.abs(value).max(axis=tuple(d for d in range(value.ndim) if d != axis)) / np.float32(steps_of(bits))
            wide = scale.reshape([-1 if d == axis else 1 for d in range(value.ndim)])
        steps = np.clip(np.around(value / wide), -steps_of(bits), steps_of(bits))
        tensor.set((steps * wide).astype(value.dtype) if floats else steps.astype(f"int{bits}"), CPUPlace())
        return [float(each) for each in scale]

    def convert_weight_to_fp16(self, save_model_dir: str) -> None:
        """Save the model with parameters of float16.

        Args:
            save_model_dir (str): a folder, which is made; the files' names stay.
        """
        scope, executor = Scope(), Executor(CPUPlace())
        with scope_guard(scope):
            program, feeds, fetches = self._read(executor)
            for var in program.list_vars():
                if var.persistable and (found := scope.find_var(var.name)) is not None and var.name not in ("feed", "fetch"):
                    value = np.array(found.get_tensor())
                    if value.dtype == np.float32:
                        found.get_tensor().set(value.astype(np.float16), CPUPlace())
            self._write(save_model_dir, (self._model_filename, self._params_filename), feeds, fetches, executor, program)

    def _read(self, executor: Any) -> list[Any]:
        return files.load_inference_model(
            self._model_dir, executor, model_filename=self._model_filename or "__model__", params_filename=self._params_filename
        )

    def _write(self, folder: str, names: tuple[Any, Any], feeds: Any, fetches: Any, executor: Any, program: Any) -> None:
        variables = [program.global_block().var(name) for name in feeds]
        name = "model" if names[0] is None else names[0].removesuffix(".pdmodel")
        shutil.rmtree(folder, ignore_errors=True)
        files.save_inference_model(os.path.join(folder, name), variables, fetches, executor, program=program)
