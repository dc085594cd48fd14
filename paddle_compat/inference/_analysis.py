"""The predictors of Paddle 1.x, which `paddle.base.core` and `paddle.fluid.core` still have: the same ones by other names."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError, type_error
from paddle_compat.inference._config import Config as AnalysisConfig
from paddle_compat.inference._predictor import DataType, Predictor, create_predictor
from paddle_compat.inference._predictor import Tensor as ZeroCopyTensor

PaddleDType = DataType


class PaddleBuf:
    """Bytes that hold the numbers of a PaddleTensor.

    Args:
        data (int|list|ndarray): how many bytes, or the numbers, which are kept in float32.
    Raises:
        TypeError: it is none of these.

    Example:
        >>> from paddle_compat.base import core
        >>> numbers = core.PaddleBuf([1.0, 2.0])
        >>> numbers.length(), numbers.float_data(), core.PaddleBuf(3).length(), numbers.empty()
        (8, [1.0, 2.0], 3, False)
        >>> numbers.resize(4); numbers.reset([3.0]); numbers.tolist("float32"), numbers.int32_data(), numbers.int64_data()
        ([3.0], [1077936128], [])

    Follows Paddle 1.8.
    """

    def __init__(self, data: Any) -> None:
        if isinstance(data, bool) or not isinstance(data, (int, list, tuple, np.ndarray)):
            raise type_error("data", "a number of bytes, a list or an array", data, "PaddleBuf")
        self._bytes = bytearray(data if isinstance(data, int) else np.asarray(data, "float32").tobytes())

    @classmethod
    def _of(cls, array: np.ndarray) -> PaddleBuf:
        """The bytes of an array, whatever its type."""
        made = cls(0)
        made._bytes = bytearray(array.tobytes())
        return made

    def length(self) -> int:
        """How many bytes there are."""
        return len(self._bytes)

    def empty(self) -> bool:
        """Whether there are none."""
        return not self._bytes

    def resize(self, length: int) -> None:
        """Have another number of bytes, all 0.

        Args:
            length (int): the number.
        """
        self._bytes = bytearray(length)

    def reset(self, data: Any) -> None:
        """Write numbers over the first bytes; there become more where they do not suffice.

        Args:
            data (list|ndarray): the numbers, which are kept in float32.
        """
        given = np.asarray(data, "float32").tobytes()
        self._bytes[: len(given)] = given

    def tolist(self, dtype: str) -> list[Any]:
        """The bytes as numbers.

        Args:
            dtype (str): "float32", "int32" or "int64".
        Returns:
            list: bytes at the end that make no whole number are left out.
        """
        size = np.dtype(dtype).itemsize
        found: list[Any] = np.frombuffer(self._bytes, dtype, len(self._bytes) // size).tolist()
        return found

    def float_data(self) -> list[float]:
        """The bytes as numbers of float32."""
        return self.tolist("float32")

    def int32_data(self) -> list[int]:
        """The bytes as numbers of int32."""
        return self.tolist("int32")

    def int64_data(self) -> list[int]:
        """The bytes as numbers of int64."""
        return self.tolist("int64")


class PaddleTensor:
    """An array with a name.

    Args:
        data (ndarray|list): the array; without one `shape`, `dtype` and `data` are to be set.
        name (str): the variable that it is for.
        lod (list): where sequences begin and end.
    Raises:
        TypeError: the data are a text.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base import core
        >>> tensor = core.PaddleTensor(np.ones([2, 3], "float32"), "x")
        >>> tensor.shape, tensor.dtype.name, tensor.as_ndarray().tolist()[0]
        ([2, 3], 'FLOAT32', [1.0, 1.0, 1.0])
        >>> image = core.PaddleTensor()
        >>> image.name, image.shape, image.dtype = "image", [1, 2], core.PaddleDType.FLOAT32
        >>> image.data = core.PaddleBuf([0.5, 1.5])
        >>> image.as_ndarray()
        array([[0.5, 1.5]], dtype=float32)

    Follows Paddle 1.8.
    """

    def __init__(self, data: Any = None, name: str = "", lod: Sequence[Sequence[int]] = ()) -> None:
        if isinstance(data, (str, bytes)):
            raise type_error("data", "an array", data, "PaddleTensor")
        self.name, self.lod = name, [list(level) for level in lod]
        array = np.zeros([0], "float32") if data is None else np.array(data)
        self.shape = [] if data is None else list(array.shape)
        self.dtype = DataType[array.dtype.name.upper()]
        self._data = PaddleBuf._of(array)

    @property
    def data(self) -> PaddleBuf:
        """Its numbers."""
        return self._data

    @data.setter
    def data(self, data: PaddleBuf) -> None:
        if not isinstance(data, PaddleBuf):
            raise type_error("data", "a PaddleBuf", data, "PaddleTensor")
        self._data = data

    def as_ndarray(self) -> np.ndarray:
        """The array.

        Returns:
            ndarray: of the shape and the type that it says; bytes that are missing are 0.
        """
        dtype = np.dtype(self.dtype.name.lower())
        size = dtype.itemsize * int(np.prod(self.shape))
        return np.frombuffer(bytes(self._data._bytes[:size]).ljust(size, b"\0"), dtype).reshape(self.shape).copy()


class NativeConfig:
    """Where a model is and where it runs, for a predictor of Paddle 1.x that takes the model as it is.

    Attributes:
        model_dir (str): the folder of the model; or `prog_file` and `param_file` (str), its two files.
        use_gpu (bool), device (int): whether it runs on a GPU, and on which.
        fraction_of_gpu_memory (float), specify_input_name (bool): of no effect; inputs with names are always taken by these.

    Example:
        >>> from paddle_compat.fluid import core
        >>> config = core.NativeConfig()
        >>> config.model_dir = "model"
        >>> config.set_cpu_math_library_num_threads(2)
        >>> config.cpu_math_library_num_threads(), config.use_gpu
        (2, False)
        >>> core.create_paddle_predictor(config)  # doctest: +SKIP

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        self.model_dir = self.prog_file = self.param_file = ""
        self.use_gpu, self.device, self.fraction_of_gpu_memory, self.specify_input_name = False, 0, -1.0, False
        self._threads = 1

    def cpu_math_library_num_threads(self) -> int:
        """How many threads compute.

        Returns:
            int.
        """
        return self._threads

    def set_cpu_math_library_num_threads(self, cpu_math_library_num_threads: int) -> None:
        """Choose how many threads compute.

        Args:
            cpu_math_library_num_threads (int): how many.
        """
        self._threads = cpu_math_library_num_threads

    def _analysis(self) -> AnalysisConfig:
        """The same for the other kind of predictor, which does nothing to the model on its way."""
        files = (self.prog_file, self.param_file) if self.prog_file else (self.model_dir,)
        config = AnalysisConfig(*files)
        if self.use_gpu:
            config.enable_use_gpu(100, self.device)
        config.switch_ir_optim(False)
        config.set_cpu_math_library_num_threads(self._threads)
        return config


class FirstConfig(AnalysisConfig):
    """An AnalysisConfig with the usual settings of Paddle 1.8, where scripts know it as `fluid.core.AnalysisConfig`.

    Args:
        args: as `inference.Config` takes them.

    Example:
        >>> from paddle_compat.fluid import core
        >>> config = core.AnalysisConfig("model")
        >>> config.use_feed_fetch_ops_enabled(), config.mkldnn_enabled()
        (True, False)

    Follows Paddle 1.8.
    """

    def __init__(self, *args: str) -> None:
        super().__init__(*args)
        self._switches["onednn"] = False
        self._feeds = True

    def switch_use_feed_fetch_ops(self, x: int = True) -> None:
        """Say whether arrays go in and out through operators; of no effect, as `run` and handles always serve.

        Args:
            x (bool): whether they do.
        """
        self._feeds = bool(x)

    def use_feed_fetch_ops_enabled(self) -> bool:
        """What `switch_use_feed_fetch_ops` said last.

        Returns:
            bool: True before it was asked.
        """
        return self._feeds


FirstConfig.__name__ = FirstConfig.__qualname__ = "AnalysisConfig"


def native_config(config: AnalysisConfig) -> NativeConfig:
    """The same files and the same device, for the other kind of predictor."""
    made = NativeConfig()
    made.model_dir, made.prog_file, made.param_file = config.model_dir(), config.prog_file(), config.params_file()
    made.use_gpu, made.device, made.fraction_of_gpu_memory = config.use_gpu(), 0, 0.0
    made.specify_input_name = config.specify_input_name()
    return made


def paddle_dtype_size(dtype: DataType) -> int:
    """How many bytes a number of a data type has.

    Args:
        dtype (PaddleDType): the data type.
    Returns:
        int.

    Example:
        >>> from paddle_compat.fluid import core
        >>> core.paddle_dtype_size(core.PaddleDType.INT64)
        8

    Follows Paddle 1.8.
    """
    return np.dtype(dtype.name.lower()).itemsize


def paddle_tensor_to_bytes(tensor: PaddleTensor) -> bytes:
    """A PaddleTensor as bytes: its name, its levels of sequences, its shape, its data type and its numbers, each behind its length.

    Args:
        tensor (PaddleTensor): the tensor.
    Returns:
        bytes.

    Example:
        >>> from paddle_compat.fluid import core
        >>> len(core.paddle_tensor_to_bytes(core.PaddleTensor([1.0], "x")))
        53

    Follows Paddle 1.8.
    """
    name, numbers = tensor.name.encode(), bytes(tensor.data._bytes)
    parts = [struct.pack("<iQ", 0, len(name)), name, struct.pack("<Q", len(tensor.lod))]
    parts += [struct.pack(f"<Q{len(level)}Q", 8 * len(level), *level) for level in tensor.lod]
    parts.append(struct.pack(f"<Q{len(tensor.shape)}i", len(tensor.shape), *tensor.shape))
    return b"".join([*parts, struct.pack("<iQ", tensor.dtype.value, len(numbers)), numbers])


class PaddlePredictor(Predictor):
    """A predictor by the names of Paddle 1.x; `create_paddle_predictor` makes it.

    Args:
        program, scope, place, feeds, fetches: as Predictor takes them.

    Example:
        >>> from paddle_compat.base import core
        >>> predictor = core.create_paddle_predictor(core.AnalysisConfig("model.pdmodel", "model.pdiparams"))  # doctest: +SKIP
        >>> predictor.get_input_tensor("x").copy_from_cpu(np.ones([1, 4], "float32"))  # doctest: +SKIP
        >>> predictor.zero_copy_run()  # doctest: +SKIP
        True

    Follows Paddle 1.8.
    """

    get_input_tensor = Predictor.get_input_handle
    get_output_tensor = Predictor.get_output_handle

    def zero_copy_run(self) -> bool:
        """Compute the outputs from what the handles hold.

        Returns:
            bool: True.
        Raises:
            PreconditionNotMetError: an input has no value.
        """
        super().run()
        return True

    def run(self, inputs: Sequence[Any] | None = None) -> Any:
        """Compute the outputs.

        Args:
            inputs (list): PaddleTensors, by the inputs' names or in their order where they have none.
        Returns:
            list: PaddleTensors.
        Raises:
            InvalidArgumentError: there are more or fewer inputs.
        """
        names = self.get_input_names()
        if inputs is None or len(inputs) != len(names):
            raise InvalidArgumentError(f"Expected an input for each of {names}. Received: {inputs and len(inputs)}")
        for name, given in zip(names, inputs):
            handle = self.get_input_handle(given.name or name)
            handle.copy_from_cpu(given.as_ndarray())
            handle.set_lod(given.lod)
        super().run()
        handles = [self.get_output_handle(name) for name in self.get_output_names()]
        return [PaddleTensor(handle.copy_to_cpu(), handle.name(), handle.lod()) for handle in handles]


class AnalysisPredictor(PaddlePredictor):
    """A predictor that an AnalysisConfig describes.

    Args:
        program, scope, place, feeds, fetches: as Predictor takes them.

    Example:
        >>> from paddle_compat.fluid import core
        >>> issubclass(core.AnalysisPredictor, core.PaddlePredictor)
        True

    Follows Paddle 1.8.
    """

    def get_input_tensor_shape(self) -> dict[str, list[int]]:
        """The declared shapes of inputs.

        Returns:
            dict: name -> sizes, -1 for those that vary.
        """
        block = self._program.global_block()
        return {name: list(block.var(name).shape) for name in self.get_input_names()}


class NativePaddlePredictor(PaddlePredictor):
    """A predictor that a NativeConfig describes.

    Args:
        program, scope, place, feeds, fetches: as Predictor takes them.

    Example:
        >>> from paddle_compat.fluid import core
        >>> issubclass(core.NativePaddlePredictor, core.PaddlePredictor)
        True

    Follows Paddle 1.8.
    """


def create_paddle_predictor(config: AnalysisConfig | NativeConfig) -> PaddlePredictor:
    """Load a model.

    Args:
        config (AnalysisConfig|NativeConfig): where it is and where it runs.
    Returns:
        PaddlePredictor: an AnalysisPredictor; for a NativeConfig a NativePaddlePredictor.
    Raises:
        TypeError: it is neither.
        InvalidArgumentError: the configuration has made a predictor already.
        NotFoundError: there is no such file.

    Example:
        >>> from paddle_compat.base import core
        >>> predictor = core.create_paddle_predictor(core.AnalysisConfig("model.pdmodel", "model.pdiparams"))  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    kind = NativePaddlePredictor if isinstance(config, NativeConfig) else AnalysisPredictor
    if isinstance(config, NativeConfig):
        config = config._analysis()
    if not isinstance(config, AnalysisConfig):
        raise type_error("config", "an AnalysisConfig or a NativeConfig", config, "create_paddle_predictor")
    made = create_predictor(config)
    return kind(made._program, made._scope, made._place, made.get_input_names(), made._fetches)


__all__ = [
    "AnalysisConfig", "AnalysisPredictor", "NativeConfig", "NativePaddlePredictor", "PaddleBuf", "PaddleDType", "PaddleTensor",
    "ZeroCopyTensor", "create_paddle_predictor", "paddle_dtype_size", "paddle_tensor_to_bytes",
]  # fmt: skip

__getattr__ = missing(__name__)
