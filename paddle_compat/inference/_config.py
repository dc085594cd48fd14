"""What a predictor is made from: the model's files, the device, and switches of kernels that have no part in the numbers."""

from __future__ import annotations

import os
import warnings
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError, UnsupportedError
from paddle_compat.core.serialize import model_file
from paddle_compat.static._native_kinds import Kind


class PrecisionType(Kind):
    """What a predictor computes with.

    Example:
        >>> from paddle_compat import inference
        >>> inference.PrecisionType.Half.name
        'Half'

    Follows Paddle 2.6.
    """

    Float32 = 0
    Int8 = 1
    Half = 2
    Bfloat16 = 3


class PlaceType(Kind):
    """Where a predictor computes.

    Example:
        >>> from paddle_compat import inference
        >>> inference.PlaceType.GPU.value
        1

    Follows Paddle 2.6.
    """

    UNK = -1
    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM = 4


PrecisionType.__name__, PlaceType.__name__ = "Precision", "PaddlePlace"  # as Paddle prints them


# PyTorch chooses kernels and memory by itself: what these say is kept, and has no effect.
_WITHOUT_EFFECT = frozenset("""
    delete_pass disable_mkldnn_fc_passes disable_onednn_fc_passes disable_onnxruntime
    enable_memory_optim enable_new_executor enable_onnxruntime enable_profile
    exp_disable_mixed_precision_ops exp_disable_tensorrt_ops exp_enable_use_cutlass set_mkldnn_cache_capacity set_mkldnn_op
    set_onednn_cache_capacity set_onednn_op set_optim_cache_dir switch_ir_debug switch_use_feed_fetch_ops enable_save_optim_model
    enable_custom_passes enable_ort_optimization set_optimization_level use_optimized_model
""".split())
# what they switch, and how
_SWITCHES = {
    "enable_mkldnn": ("onednn", True), "enable_onednn": ("onednn", True),
    "disable_mkldnn": ("onednn", False), "disable_onednn": ("onednn", False),
    "switch_specify_input_names": ("names", True), "enable_new_ir": ("ir", True),
}  # fmt: skip
_SWITCHED = {"mkldnn_enabled": "onednn", "onednn_enabled": "onednn", "specify_input_name": "names", "new_ir_enabled": "ir"}
_ANSWERS: dict[str, Any] = dict.fromkeys("""
    lite_engine_enabled mkldnn_int8_enabled onednn_int8_enabled onnxruntime_enabled shape_range_info_collected
    tensorrt_dla_enabled tensorrt_dynamic_shape_enabled tensorrt_engine_enabled tensorrt_varseqlen_enabled
    trt_allow_build_at_runtime tuned_tensorrt_dynamic_shape use_feed_fetch_ops_enabled use_opencl use_xpu
""".split(), False) | {
    "shape_range_info_path": "", "tensorrt_optimization_level": 3, "tensorrt_precision_mode": PrecisionType.Float32, "xpu_device_id": 0,
}  # fmt: skip
# What makes other numbers, or runs on other machines; a script hears of it where it asks.
_REFUSED = frozenset("""
    collect_shape_range_info enable_custom_device enable_dlnne enable_ipu enable_lite_engine enable_low_precision_io
    enable_mkldnn_bfloat16 enable_mkldnn_int8 enable_onednn_bfloat16 enable_onednn_int8 enable_opencl enable_quantizer
    enable_tensorrt_dla enable_tensorrt_engine enable_tensorrt_explicit_quantization enable_tensorrt_inspector
    enable_tensorrt_memory_optim enable_tensorrt_varseqlen enable_tuned_tensorrt_dynamic_shape enable_xpu
    enable_openvino_engine exp_enable_mixed_precision_ops load_ipu_config mark_trt_engine_outputs nnadapter quantizer_config set_bfloat16_op
    set_dist_config set_ipu_config set_ipu_custom_info set_tensorrt_optimization_level set_trt_dynamic_shape_info
    set_xpu_config set_xpu_device_id
""".split())


class Config:
    """A model's files, and where it runs. Switches of kernels are kept and have no effect; those of TensorRT and the like are refused.

    Args:
        args: the model's file and the parameters' file; or a folder with `__model__` and a file for each parameter; or nothing.

    Example:
        >>> from paddle_compat import inference
        >>> config = inference.Config("model.pdmodel", "model.pdiparams")
        >>> config.enable_memory_optim()
        >>> config.prog_file(), config.use_gpu()
        ('model.pdmodel', False)

    Follows Paddle 2.6.
    """

    Precision = PrecisionType
    Float32, Int8, Half, Bfloat16 = PrecisionType

    def __init__(self, *args: str) -> None:
        if len(args) > 2 or not all(isinstance(each, (str, os.PathLike)) for each in args):
            raise TypeError(f"Invalid arguments of `Config`. Expected a folder, or the model's file and the parameters'. Received: {args}")
        self._folder = self._prog = self._params = ""
        self._buffers: tuple[bytes, bytes] | None = None
        self._device: int | None = None
        self._gpu_memory = 100
        self._switches = {"onednn": True, "names": False, "ir": False}
        self._threads = 1
        self._optimizes = True
        self._quiet = False
        self._used = False
        if args:
            self.set_model(*args)

    def __getattr__(self, name: str) -> Any:
        if name in _WITHOUT_EFFECT:
            return lambda *args, **kwargs: None
        if name in _SWITCHES:
            switch, usual = _SWITCHES[name]
            return lambda x=usual: self._switches.update({switch: x})
        if name in _SWITCHED:
            return lambda: self._switches[_SWITCHED[name]]
        if name in _ANSWERS:
            return lambda: _ANSWERS[name]
        if name in _REFUSED:
            raise UnsupportedError(f"paddle.inference.Config.{name}", None, "the predictor without it, or torch.export and its backends")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def set_model(self, *args: str) -> None:
        """Say where the model is.

        Args:
            args: as the Config's own.

        Example:
            >>> from paddle_compat import inference
            >>> config = inference.Config()
            >>> config.set_model("folder"); config.model_dir()
            'folder'

        Follows Paddle 2.6.
        """
        self._buffers = None
        if len(args) == 1:
            self._folder = str(args[0])
        elif os.path.isdir(args[0]):  # since 3.0: the folder, and what the files' names begin with
            prefix = os.path.join(*args)
            self._prog, self._params = model_file(prefix), prefix + ".pdiparams"
        else:
            self._prog, self._params = map(str, args)

    def set_prog_file(self, path: str) -> None:
        """Say where the model's file is.

        Args:
            path (str): the file.

        Example:
            >>> from paddle_compat import inference
            >>> config = inference.Config()
            >>> config.set_prog_file("model.pdmodel"); config.prog_file()
            'model.pdmodel'

        Follows Paddle 2.6.
        """
        self._prog = path

    def set_params_file(self, path: str) -> None:
        """Say where the parameters' file is.

        Args:
            path (str): the file.

        Example:
            >>> from paddle_compat import inference
            >>> config = inference.Config()
            >>> config.set_params_file("model.pdiparams"); config.params_file()
            'model.pdiparams'

        Follows Paddle 2.6.
        """
        self._params = path

    def set_model_buffer(self, model: bytes, model_size: int, params: bytes, params_size: int) -> None:
        """Give the files' contents.

        Args:
            model (bytes): the model.
            model_size (int): how many bytes of it count.
            params (bytes): the parameters.
            params_size (int): how many bytes of them count.

        Example:
            >>> from paddle_compat import inference
            >>> config = inference.Config()
            >>> config.set_model_buffer(b"", 0, b"", 0); config.model_from_memory()
            True

        Follows Paddle 2.6.
        """
        self._buffers = bytes(model[:model_size]), bytes(params[:params_size])

    def model_from_memory(self) -> bool:
        """Whether contents were given.

        Returns:
            bool.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").model_from_memory()
            False

        Follows Paddle 2.6.
        """
        return self._buffers is not None

    def model_dir(self) -> str:
        """The model's folder.

        Returns:
            str: "" where files were given.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").model_dir()
            'folder'

        Follows Paddle 2.6.
        """
        return self._folder

    def prog_file(self) -> str:
        """The model's file.

        Returns:
            str: "" where a folder was given.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("model.pdmodel", "model.pdiparams").prog_file()
            'model.pdmodel'

        Follows Paddle 2.6.
        """
        return self._prog

    def params_file(self) -> str:
        """The parameters' file.

        Returns:
            str: "" where a folder was given.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("model.pdmodel", "model.pdiparams").params_file()
            'model.pdiparams'

        Follows Paddle 2.6.
        """
        return self._params

    def enable_use_gpu(
        self, memory_pool_init_size_mb: int = 100, device_id: int = 0, precision_mode: PrecisionType = PrecisionType.Float32
    ) -> None:
        """Compute on a GPU, if there is one; else this warns, and the model stays on the CPU.

        Args:
            memory_pool_init_size_mb (int): without effect; PyTorch takes memory as it goes.
            device_id (int): the GPU.
            precision_mode (PrecisionType): Float32.
        Raises:
            UnsupportedError: another precision.

        Example:
            >>> from paddle_compat import inference
            >>> config = inference.Config("folder")
            >>> config.enable_use_gpu(100, 0)  # doctest: +SKIP

        Follows Paddle 2.6.
        """
        if precision_mode != PrecisionType.Float32:
            raise UnsupportedError("paddle.inference.Config.enable_use_gpu", f"precision_mode={precision_mode}", "PrecisionType.Float32")
        if not torch.cuda.is_available():
            warnings.warn("There is no GPU that PyTorch can use: the predictor stays on the CPU.", stacklevel=2)
            return
        self._device, self._gpu_memory = device_id, memory_pool_init_size_mb

    def disable_gpu(self) -> None:
        """Compute on the CPU.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").disable_gpu()

        Follows Paddle 2.6.
        """
        self._device = None

    def use_gpu(self) -> bool:
        """Whether a GPU computes.

        Returns:
            bool.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").use_gpu()
            False

        Follows Paddle 2.6.
        """
        return self._device is not None

    def gpu_device_id(self) -> int:
        """The GPU.

        Returns:
            int: its number; 0 on a CPU.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").gpu_device_id()
            0

        Follows Paddle 2.6.
        """
        return self._device or 0

    def memory_pool_init_size_mb(self) -> int:
        """What `enable_use_gpu` was told; 100 without it.

        Returns:
            int: megabytes.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").memory_pool_init_size_mb()
            100

        Follows Paddle 2.6.
        """
        return self._gpu_memory

    def fraction_of_gpu_memory_for_pool(self) -> float:
        """How much of the GPU's memory `memory_pool_init_size_mb` is.

        Returns:
            float: 0.0 without a GPU.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").fraction_of_gpu_memory_for_pool()
            0.0

        Follows Paddle 2.6.
        """
        if self._device is None:
            return 0.0
        return self._gpu_memory * 2**20 / torch.cuda.get_device_properties(self._device).total_memory

    def set_cpu_math_library_num_threads(self, cpu_math_library_num_threads: int) -> None:
        """Keep a number of threads. It has no effect: PyTorch's are the whole process's, see torch.set_num_threads.

        Args:
            cpu_math_library_num_threads (int): the number.

        Example:
            >>> from paddle_compat import inference
            >>> config = inference.Config("folder")
            >>> config.set_cpu_math_library_num_threads(4); config.cpu_math_library_num_threads()
            4

        Follows Paddle 2.6.
        """
        self._threads = cpu_math_library_num_threads

    def cpu_math_library_num_threads(self) -> int:
        """What `set_cpu_math_library_num_threads` was told.

        Returns:
            int.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").cpu_math_library_num_threads()
            1

        Follows Paddle 2.6.
        """
        return self._threads

    def switch_ir_optim(self, x: bool = True) -> None:
        """Keep whether Paddle would fuse operators. It has no effect.

        Args:
            x (bool): whether.

        Example:
            >>> from paddle_compat import inference
            >>> config = inference.Config("folder")
            >>> config.switch_ir_optim(False); config.ir_optim()
            False

        Follows Paddle 2.6.
        """
        self._optimizes = x

    def ir_optim(self) -> bool:
        """What `switch_ir_optim` was told.

        Returns:
            bool.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").ir_optim()
            True

        Follows Paddle 2.6.
        """
        return self._optimizes

    def disable_glog_info(self) -> None:
        """Be quiet, which a predictor is here.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").disable_glog_info()

        Follows Paddle 2.6.
        """
        self._quiet = True

    def glog_info_disabled(self) -> bool:
        """Whether `disable_glog_info` was called.

        Returns:
            bool.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").glog_info_disabled()
            False

        Follows Paddle 2.6.
        """
        return self._quiet

    def pass_builder(self) -> _PassBuilder:
        """The list of Paddle's rewritings, of which there is none here.

        Returns:
            An object with `all_passes`, `delete_pass`, `append_pass`, `insert_pass` and `turn_on_debug`.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").pass_builder().all_passes()
            []

        Follows Paddle 2.6.
        """
        return _PassBuilder()

    def summary(self) -> str:
        """The settings as a table.

        Returns:
            str.

        Example:
            >>> from paddle_compat import inference
            >>> print(inference.Config("folder").summary())
            +-----------------+--------+
            | Option          | Value  |
            +-----------------+--------+
            | model_dir       | folder |
            | cpu_math_thread | 1      |
            | use_gpu         | false  |
            | ir_optim        | true   |
            +-----------------+--------+

        Follows Paddle 2.6.
        """
        files = {"model_dir": self._folder} if self._folder else {"model_file": self._prog, "params_file": self._params}
        rows: dict[str, Any] = {**files, "cpu_math_thread": self._threads, "use_gpu": self.use_gpu(), "ir_optim": self._optimizes}
        texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in rows.items()}
        first, second = (max(map(len, column)) for column in (["Option", *texts], ["Value", *texts.values()]))
        rule = f"+{'-' * (first + 2)}+{'-' * (second + 2)}+"
        lines = [f"| {name:{first}} | {text:{second}} |" for name, text in (("Option", "Value"), *texts.items())]
        return "\n".join([rule, lines[0], rule, *lines[1:], rule])

    def to_native_config(self) -> Any:
        """The same files for a predictor of Paddle 1.x that takes the model as it is.

        Returns:
            NativeConfig.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Config("folder").to_native_config().model_dir
            'folder'

        Follows Paddle 1.8.
        """
        from paddle_compat.inference._analysis import native_config

        return native_config(self)

    def _take(self) -> None:
        """Belong to a predictor.

        Raises:
            InvalidArgumentError: it belongs to one.
        """
        if self._used:
            raise InvalidArgumentError("Each config can only be used for one predictor. Expected another Config. Received: a used one")
        self._used = True


class _PassBuilder:
    """Says that there are no rewritings, and takes what a script says of them."""

    def all_passes(self) -> list[str]:
        return []

    def __getattr__(self, name: str) -> Any:
        if name in ("append_pass", "delete_pass", "insert_pass", "turn_on_debug"):
            return lambda *args: None
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


__all__ = ["Config", "PlaceType", "PrecisionType"]

__getattr__ = missing(__name__)
