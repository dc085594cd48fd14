"""`paddle.fluid.contrib.slim.quantization.post_training_quantization`: trained Programs rounded by what some batches show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.scope import global_scope
from paddle_compat.fluid import io as files
from paddle_compat.fluid.contrib.slim.quantization import quantization_pass
from paddle_compat.fluid.contrib.slim.quantization.quantization_pass import _out_scale_op_list
from paddle_compat.static.quantization import _weight_quantization as later
from paddle_compat.static.quantization._calibration import Early
from paddle_compat.static.quantization._post_training import PostTraining


class PostTrainingQuantization(PostTraining):
    """Rounds a saved model to few bits by the magnitudes that some batches have.

    Args:
        executor (Executor): what runs the batches.
        scope (Scope): None: the current one.
        model_dir (str): the folder of the model.
        model_filename, params_filename (str): the model's files in the folder.
        batch_generator, sample_generator (callable): give batches, or samples of which `batch_size` are a batch.
        batch_size (int): how many samples are a batch.
        batch_nums (int): how many batches are looked at; None: all.
        algo (str): how the largest step is found: "KL", "abs_max" or "min_max".
        quantizable_op_type (list): which operators.
        is_full_quantize (bool): all operators that are known.
        activation_bits, weight_bits (int): how many bits tell the steps apart.
        activation_quantize_type (str): "range_abs_max", "moving_average_abs_max" or "abs_max".
        weight_quantize_type (str): "abs_max" or "channel_wise_abs_max".
        is_use_cache_file, cache_dir: of no effect.
    Raises:
        AssertionError: an argument is not one of those.

    Example:
        >>> import tempfile, numpy as np, paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.quantization import PostTrainingQuantization
        >>> main, startup, exe = fluid.Program(), fluid.Program(), fluid.Executor(fluid.CPUPlace())
        >>> with fluid.program_guard(main, startup):
        ...     y = fluid.layers.fc(fluid.data("x", [None, 4]), 3, bias_attr=False)
        >>> _ = exe.run(startup)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = fluid.io.save_inference_model(folder + "/m", ["x"], [y], exe, main)
        ...     rounding = PostTrainingQuantization(
        ...         exe, model_dir=folder + "/m", algo="abs_max", batch_size=2,
        ...         sample_generator=lambda: ((np.ones(4, "float32"),) for _ in range(4)),
        ...     )
        ...     program = rounding.quantize()
        ...     rounding.save_quantized_model(folder + "/rounded")
        >>> [op.type for op in program.global_block().ops][1:4]
        ['fake_quantize_range_abs_max', 'mul', 'fake_dequantize_max_abs']

    Follows Paddle 1.8.
    """

    _PASSES = quantization_pass
    _EACH = False
    _SCALE = ".scale"
    _PRODUCTS = tuple(quantization_pass.QuantizationTransformPass._supported_quantizable_op_type)
    _ACTIVATIONS = tuple(quantization_pass.AddQuantDequantPass._supported_quantizable_op_type)
    _NOTED = tuple(_out_scale_op_list)
    _CALIBRATION = Early

    def __init__(
        self, executor: Any = None, scope: Any = None, model_dir: Any = None, model_filename: Any = None, params_filename: Any = None,
        batch_generator: Any = None, sample_generator: Any = None, batch_size: int = 10, batch_nums: Any = None, algo: str = "KL",
        quantizable_op_type: Any = ["conv2d", "depthwise_conv2d", "mul"], is_full_quantize: bool = False,  # noqa: B006
        activation_bits: int = 8, weight_bits: int = 8, activation_quantize_type: str = "range_abs_max",
        weight_quantize_type: str = "channel_wise_abs_max", is_use_cache_file: bool = False, cache_dir: str = "./temp_post_training",
    ) -> None:  # fmt: skip
        owner = type(self).__name__
        for name, value in (("executor", executor), ("model_dir", model_dir), ("sample_generator", batch_generator or sample_generator)):
            if value is None:
                raise failed_assertion(name, "a value", value, owner)
        self._executor, self._scope, self._place = executor, scope or global_scope(), executor.place
        self._model_dir, self._model_filename, self._params_filename = model_dir, model_filename, params_filename
        self._batch_generator, self._sample_generator = batch_generator, sample_generator
        self._batch_size, self._batch_nums = batch_size, batch_nums
        self._choose(
            algo, 1.0, quantizable_op_type, is_full_quantize, activation_bits, weight_bits, activation_quantize_type, weight_quantize_type,
            ("KL", "abs_max", "min_max"),
        )  # fmt: skip

    def quantize(self) -> Any:
        """Run the batches, and round the model.

        Returns:
            Program: the rounded model.
        """
        return self._quantize()

    def save_quantized_model(self, save_model_path: str, model_filename: Any = None, params_filename: Any = None) -> None:
        """Save what `quantize` made.

        Args:
            save_model_path (str): a folder, which is made.
            model_filename, params_filename (str): names of the files; None: `__model__`, and a file for each parameter.
        """
        files.save_inference_model(
            save_model_path, self._feed_list, self._fetch_list, self._executor, self._program, model_filename, params_filename
        )

    def _load(self) -> None:
        self._program, self._feed_list, self._fetch_list = files.load_inference_model(
            self._model_dir, self._executor, self._model_filename, self._params_filename
        )

    def _batches(self) -> Iterable[Any]:
        return self._batch_generator() if self._batch_generator is not None else self._grouped(self._sample_generator())


class WeightQuantization(later.WeightQuantization):
    """Rounds the weights of a saved model, without looking at any data.

    Args:
        model_dir (str): the folder of the model.
        model_filename, params_filename (str): the model's files in the folder.

    Example:
        >>> import tempfile, os, paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.quantization import WeightQuantization
        >>> main, startup, exe = fluid.Program(), fluid.Program(), fluid.Executor(fluid.CPUPlace())
        >>> with fluid.program_guard(main, startup):
        ...     y = fluid.layers.fc(fluid.data("x", [None, 4]), 3, bias_attr=False)
        >>> _ = exe.run(startup)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = fluid.io.save_inference_model(folder + "/m", ["x"], [y], exe, main)
        ...     WeightQuantization(folder + "/m").quantize_weight_to_int(folder + "/int8", quantizable_op_type=["mul"])
        ...     sorted(os.listdir(folder + "/int8/quantized_model"))
        ['__model__', 'fc_0.w_0']

    Follows Paddle 1.8.
    """

    _MARKS = False
    _supported_quantizable_op_type = ("conv2d", "depthwise_conv2d", "mul")

    @staticmethod
    def _axis(kind: str, way: str) -> int | None:
        return None if way == "abs_max" else 1 if kind == "mul" else 0

    def _read(self, executor: Any) -> list[Any]:
        return files.load_inference_model(self._model_dir, executor, self._model_filename, self._params_filename)

    def _write(self, folder: str, names: tuple[Any, Any], feeds: Any, fetches: Any, executor: Any, program: Any) -> None:
        files.save_inference_model(folder, feeds, fetches, executor, program, *names)


__all__ = ["PostTrainingQuantization", "WeightQuantization"]

__getattr__ = missing(__name__)
