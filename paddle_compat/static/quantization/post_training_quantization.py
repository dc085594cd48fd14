"""`paddle.static.quantization.post_training_quantization`: trained Programs rounded by what some batches show."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.scope import global_scope
from paddle_compat.static import io as files
from paddle_compat.static.quantization import quant_config, quantization_pass
from paddle_compat.static.quantization._folding import fold_batch_norms
from paddle_compat.static.quantization._passes import WEIGHTED
from paddle_compat.static.quantization._post_training import PostTraining, checked
from paddle_compat.static.quantization._weight_quantization import WeightQuantization

_QUANTIZERS = {
    None: quant_config.BaseQuantizer,
    "tensorrt": quant_config.TensorRTQuantizer,
    "mkldnn": quant_config.MKLDNNQuantizer,
    "arm": quant_config.ARMCPUQuantizer,
}


class PostTrainingQuantization(PostTraining):
    """Rounds a saved model to few bits by the magnitudes that some batches have.

    Args:
        executor (Executor): what runs the batches.
        model_dir (str): the folder of the model.
        scope (Scope): None: the current one.
        model_filename, params_filename (str): the model's files in the folder.
        batch_generator, sample_generator (callable): give batches, or samples of which `batch_size` are a batch.
        data_loader (DataLoader|callable): gives batches.
        batch_size (int): how many samples are a batch.
        batch_nums (int): how many batches are looked at; None: all.
        algo (str): how the largest step is found: "KL", "hist", "mse", "emd", "avg", "abs_max", "min_max" or
            "ptf" (of the last batch, halved as often as loses least).
        hist_percent (float): the share of the magnitudes that "hist" keeps.
        quantizable_op_type (list): which operators; empty: those with weights.
        round_type (str): "round"; "adaround" leaves weights the fractions of steps that they have, as in Paddle.
        learning_rate (float): of no effect.
        is_full_quantize (bool): all operators that are known.
        bias_correction (bool): weights are moved so that channels keep their means and deviations.
        activation_bits, weight_bits (int): how many bits tell the steps apart; the same.
        activation_quantize_type (str): "range_abs_max", "moving_average_abs_max" or "abs_max".
        weight_quantize_type (str): "abs_max" or "channel_wise_abs_max".
        onnx_format (bool): with ONNX's operators.
        freeze_model (bool): weights hold steps.
        optimize_model (bool): batch norms behind convolutions are taken into their weights first.
        is_use_cache_file, cache_dir: of no effect.
        skip_tensor_list (list): names of variables whose operators stay.
        same_scale_tensor_list (list): lists of names that share the largest of their scales.
        scale_dict (dict): name -> scale, known before.
        return_graph (bool): `quantize` gives an IrGraph.
        deploy_backend (str): what runs the model in the end, "tensorrt", "mkldnn" or "arm", which says what operators without weights
            are rounded; None: `quantizable_op_type` does.
    Raises:
        AssertionError: an argument is not one of those.
        UnsupportedError: `round_type="adaround"` with `onnx_format`.

    Example:
        >>> import tempfile, numpy as np, paddle_compat as paddle
        >>> from paddle_compat.static.quantization import PostTrainingQuantization
        >>> paddle.enable_static()
        >>> main, startup, exe = paddle.static.Program(), paddle.static.Program(), paddle.static.Executor(paddle.CPUPlace())
        >>> with paddle.static.program_guard(main, startup):
        ...     x = paddle.static.data("x", [None, 4])
        ...     y = paddle.static.nn.fc(x, 3, bias_attr=False)
        >>> _ = exe.run(startup)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     paddle.static.save_inference_model(folder + "/m", [x], [y], exe, program=main)
        ...     rounding = PostTrainingQuantization(
        ...         exe, folder, model_filename="m.pdmodel", params_filename="m.pdiparams", algo="abs_max",
        ...         batch_generator=lambda: iter([[np.ones((2, 4), "float32")]]),
        ...     )
        ...     program = rounding.quantize()
        ...     rounding.save_quantized_model(folder + "/rounded")
        >>> [op.type for op in program.global_block().ops][1:4]
        ['fake_quantize_range_abs_max', 'mul', 'fake_channel_wise_dequantize_max_abs']

    Follows Paddle 2.6.
    """

    _PASSES = quantization_pass
    _PRODUCTS = WEIGHTED

    def __init__(
        self, executor: Any, model_dir: Any, scope: Any = None, model_filename: Any = None, params_filename: Any = None,
        batch_generator: Any = None, sample_generator: Any = None, data_loader: Any = None, batch_size: int = 10, batch_nums: Any = None,
        algo: str = "KL", hist_percent: float = 0.99999, quantizable_op_type: Any = [], round_type: str = "round",  # noqa: B006
        learning_rate: float = 0.001, is_full_quantize: bool = False, bias_correction: bool = False, activation_bits: int = 8,
        weight_bits: int = 8, activation_quantize_type: str = "range_abs_max", weight_quantize_type: str = "channel_wise_abs_max",
        onnx_format: bool = False, freeze_model: bool = True, optimize_model: bool = False, is_use_cache_file: bool = False,
        skip_tensor_list: Any = None, same_scale_tensor_list: Any = None, cache_dir: Any = None, scale_dict: Any = None,
        return_graph: bool = False, deploy_backend: Any = None,
    ) -> None:  # fmt: skip
        owner = type(self).__name__
        if executor is None:
            raise failed_assertion("executor", "an Executor", executor, owner)
        checked("round_type", round_type, ("round", "adaround"), owner)
        if round_type == "adaround" and onnx_format:
            raise UnsupportedError(owner, "onnx_format=True with round_type='adaround'", "round_type='round'")
        if activation_bits != weight_bits:
            raise failed_assertion("activation_bits", f"as many as weight_bits, {weight_bits}", activation_bits, owner)
        self._executor, self._scope, self._place = executor, scope or global_scope(), executor.place
        self._model_dir, self._model_filename, self._params_filename = model_dir, model_filename, params_filename
        self._makers = batch_generator, sample_generator, data_loader
        if all(maker is None for maker in self._makers):
            raise failed_assertion("data_loader", "a DataLoader, or a generator of batches or of samples", None, owner)
        self._batch_size, self._batch_nums = batch_size, batch_nums
        self._onnx_format, self._freeze_model, self._bias_correction = onnx_format, freeze_model, bias_correction
        self._skip_tensor_list, self._same_scale_tensor_list = skip_tensor_list, same_scale_tensor_list
        self._scale_dict, self._return_graph = scale_dict, return_graph
        self._choose(
            algo, hist_percent, quantizable_op_type, is_full_quantize, activation_bits, weight_bits, activation_quantize_type,
            weight_quantize_type,
        )  # fmt: skip
        self._round_type, self._optimize_model = round_type, optimize_model
        backend = deploy_backend and checked("deploy_backend", deploy_backend.lower(), filter(None, _QUANTIZERS), owner)
        kinds = list(quant_config.SUPPORT_QUANTIZATION_OP_DICT) if is_full_quantize else quantizable_op_type
        quantizer = _QUANTIZERS[backend](kinds, weight_bits)
        self._products, self._activations = quantizer.weight_quant_operation_types, quantizer.activation_quant_operation_types

    def quantize(self) -> Any:
        """Run the batches, and round the model.

        Returns:
            Program: the rounded model; an IrGraph where `return_graph` is True.
        """
        return self._quantize()

    def save_quantized_model(self, save_model_path: str, model_filename: str | None = None, params_filename: str | None = None) -> None:
        """Save what `quantize` made.

        Args:
            save_model_path (str): a folder, which is made.
            model_filename (str): the name of the files, up to a dot; None: "model".
            params_filename (str): of no effect; the name is that of the model.
        """
        name = "model" if model_filename is None else model_filename.removesuffix(".pdmodel")
        block = self._program.global_block()
        feeds = [block.var(feed) for feed in self._feed_list]
        fetches = [block.var(getattr(fetch, "name", fetch)) for fetch in self._fetch_list]
        prefix = os.path.join(save_model_path, name)
        files.save_inference_model(prefix, feeds, fetches, self._executor, program=self._program)

    def _load(self) -> None:
        self._program, self._feed_list, self._fetch_list = files.load_inference_model(
            self._model_dir, self._executor, model_filename=self._model_filename or "__model__", params_filename=self._params_filename
        )
        if self._optimize_model:
            fold_batch_norms(self._program, self._scope, self._place)

    def _batches(self) -> Iterable[Any]:
        batches, samples, loader = self._makers
        if loader is not None:
            return loader() if inspect.isfunction(loader) or inspect.ismethod(loader) else loader
        return batches() if batches is not None else self._grouped(samples())


class PostTrainingQuantizationProgram(PostTrainingQuantization):
    """Rounds a Program to few bits by the magnitudes that some batches have.

    Args:
        executor (Executor): what runs the batches.
        program (Program): for inference; its parameters are in the scope.
        feed_list (list): names of what it is fed.
        fetch_list (list): the Variables that it gives, or their names.
        scope, batch_generator, sample_generator, data_loader, batch_size, batch_nums, algo, hist_percent, quantizable_op_type, round_type,
            learning_rate, is_full_quantize, bias_correction, activation_bits, weight_bits, activation_quantize_type, weight_quantize_type,
            onnx_format, freeze_model, optimize_model, is_use_cache_file, skip_tensor_list, same_scale_tensor_list, cache_dir, scale_dict,
            return_graph: as of `PostTrainingQuantization`.
    Raises:
        AssertionError: an argument is not one of those.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> from paddle_compat.static.quantization import PostTrainingQuantizationProgram
        >>> paddle.enable_static()
        >>> main, startup, exe = paddle.static.Program(), paddle.static.Program(), paddle.static.Executor(paddle.CPUPlace())
        >>> with paddle.static.program_guard(main, startup):
        ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 3, bias_attr=False)
        >>> _ = exe.run(startup)
        >>> rounding = PostTrainingQuantizationProgram(
        ...     exe, main, ["x"], [y], algo="avg", batch_generator=lambda: iter([[np.ones((2, 4), "float32")]])
        ... )
        >>> [node.name() for node in rounding.quantize().topology_sort()]
        ['fake_quantize_range_abs_max', 'mul', 'fake_channel_wise_dequantize_max_abs']

    Follows Paddle 2.6.
    """

    def __init__(
        self, executor: Any, program: Any, feed_list: Any = None, fetch_list: Any = None, scope: Any = None, batch_generator: Any = None,
        sample_generator: Any = None, data_loader: Any = None, batch_size: int = 10, batch_nums: Any = None, algo: str = "KL",
        hist_percent: float = 0.99999, quantizable_op_type: Any = ["conv2d", "depthwise_conv2d", "mul"],  # noqa: B006
        round_type: str = "round", learning_rate: float = 0.001, is_full_quantize: bool = False, bias_correction: bool = False,
        activation_bits: int = 8, weight_bits: int = 8, activation_quantize_type: str = "range_abs_max",
        weight_quantize_type: str = "channel_wise_abs_max", onnx_format: bool = False, freeze_model: bool = True,
        optimize_model: bool = False, is_use_cache_file: bool = False, skip_tensor_list: Any = None, same_scale_tensor_list: Any = None,
        cache_dir: Any = None, scale_dict: Any = None, return_graph: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            executor, None, scope, None, None, batch_generator, sample_generator, data_loader, batch_size, batch_nums, algo, hist_percent,
            quantizable_op_type, round_type, learning_rate, is_full_quantize, bias_correction, activation_bits, weight_bits,
            activation_quantize_type, weight_quantize_type, onnx_format, freeze_model, optimize_model, is_use_cache_file, skip_tensor_list,
            same_scale_tensor_list, cache_dir, scale_dict, return_graph,
        )  # fmt: skip
        if program is None or feed_list is None or fetch_list is None:
            raise failed_assertion("program", "a Program, feed_list and fetch_list", (program, feed_list, fetch_list), type(self).__name__)
        self._program, self._feed_list, self._fetch_list = program, list(feed_list), list(fetch_list)

    def _load(self) -> None:
        pass


__all__ = ["PostTrainingQuantization", "WeightQuantization", "PostTrainingQuantizationProgram"]

__getattr__ = missing(__name__)
