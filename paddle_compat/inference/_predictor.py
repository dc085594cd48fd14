"""A saved model that runs, and the handles through which arrays go in and come out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core import tensor as eager
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import InvalidArgumentError, NotFoundError, PreconditionNotMetError, UnsupportedError, type_error
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.place import CPUPlace, CUDAPlace
from paddle_compat.core.scope import Scope
from paddle_compat.core.serialize import program_from_bytes
from paddle_compat.inference._config import Config
from paddle_compat.inference._folding import fold_batch_norms, pack_filters
from paddle_compat.static import Executor, scope_guard
from paddle_compat.static._files import is_persistable
from paddle_compat.static._native_kinds import Kind
from paddle_compat.static.io import load_inference_model
from paddle_compat.version import commit, full_version


class DataType(Kind):
    """The types of what handles hold.

    Example:
        >>> from paddle_compat import inference
        >>> inference.DataType.INT64
        <PaddleDType.INT64: 1>

    Follows Paddle 2.6.
    """

    FLOAT32 = 0
    INT64 = 1
    INT32 = 2
    UINT8 = 3
    INT8 = 4
    FLOAT16 = 5
    BOOL = 6
    FLOAT64 = 7


DataType.__name__ = "PaddleDType"  # as Paddle prints it


class Tensor:
    """An input of a predictor, or an output.

    Args:
        name (str): the variable's name.
        dtype (DataType): its declared type.

    Example:
        >>> import numpy as np
        >>> from paddle_compat import inference
        >>> handle = inference.Tensor("x", inference.DataType.FLOAT32)
        >>> handle.copy_from_cpu(np.ones([2, 3], "float32"))
        >>> handle.shape(), handle.type().name
        ([2, 3], 'FLOAT32')

    Follows Paddle 2.6.
    """

    def __init__(self, name: str, dtype: DataType) -> None:
        self._name, self._dtype = name, dtype
        self._value: Any = None  # an array, or a LoDTensor
        self._lod: list[list[int]] = []

    def name(self) -> str:
        """The variable's name.

        Returns:
            str.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Tensor("x", inference.DataType.FLOAT32).name()
            'x'

        Follows Paddle 2.6.
        """
        return self._name

    def copy_from_cpu(self, data: np.ndarray) -> None:
        """Take a copy of an array.

        Args:
            data (ndarray): the input of the next run.
        Raises:
            TypeError: it is no array.
            UnsupportedError: it holds text.

        Example:
            >>> import numpy as np
            >>> from paddle_compat import inference
            >>> inference.Tensor("x", inference.DataType.FLOAT32).copy_from_cpu(np.ones([2, 3], "float32"))

        Follows Paddle 2.6.
        """
        if isinstance(data, list) and data and all(isinstance(each, str) for each in data):
            raise UnsupportedError("paddle.inference.Tensor.copy_from_cpu", "a list of str", "arrays of the words' numbers")
        if not isinstance(data, np.ndarray):
            raise TypeError(f"In copy_from_cpu, we only support numpy ndarray and list[str] data type. Received: {type(data).__name__}")
        self._value = data.copy()

    def share_external_data(self, data: Any) -> None:
        """Take a tensor without a copy.

        Args:
            data (Tensor or LoDTensor): the input of the next runs.
        Raises:
            TypeError: it is neither.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat import inference
            >>> inference.Tensor("x", inference.DataType.FLOAT32).share_external_data(paddle.ones([2, 3]))

        Follows Paddle 2.6.
        """
        if not isinstance(data, (LoDTensor, eager.Tensor)):
            raise TypeError(f"In share_external_data, we only support Tensor and LoDTensor. Received: {type(data).__name__}")
        self._value = LoDTensor(data._t.detach()) if isinstance(data, eager.Tensor) else data

    def copy_to_cpu(self) -> np.ndarray:
        """A copy as an array.

        Returns:
            ndarray.
        Raises:
            PreconditionNotMetError: there is no value yet.

        Example:
            >>> import numpy as np
            >>> from paddle_compat import inference
            >>> handle = inference.Tensor("x", inference.DataType.FLOAT32)
            >>> handle.copy_from_cpu(np.ones([2], "float32"))
            >>> handle.copy_to_cpu().tolist()
            [1.0, 1.0]

        Follows Paddle 2.6.
        """
        if self._value is None:
            raise PreconditionNotMetError(f"{self._name!r} has no value yet. Expected `run` or `copy_from_cpu` before.")
        return np.array(self._value)

    def reshape(self, shape: Sequence[int]) -> None:
        """Say the shape of what comes next; `copy_from_cpu` takes its array's own.

        Args:
            shape (list): sizes.
        Raises:
            ValueError: they are no whole numbers.

        Example:
            >>> from paddle_compat import inference
            >>> handle = inference.Tensor("x", inference.DataType.FLOAT32)
            >>> handle.reshape([2, 3]); handle.shape()
            [2, 3]

        Follows Paddle 2.6.
        """
        if not isinstance(shape, (list, tuple)) or not all(isinstance(size, (int, np.integer)) for size in shape):
            raise ValueError(f"Invalid value for argument `shape` of `reshape`. Expected a list of sizes. Received: {shape!r}")
        self._value = np.zeros(tuple(shape), self._dtype.name.lower())

    def shape(self) -> list[int]:
        """Sizes.

        Returns:
            list.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Tensor("x", inference.DataType.FLOAT32).shape()
            []

        Follows Paddle 2.6.
        """
        if self._value is None:
            return []
        return [int(size) for size in (self._value.shape if isinstance(self._value, np.ndarray) else self._value.shape())]

    def type(self) -> DataType:
        """The type of what it holds.

        Returns:
            DataType.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Tensor("x", inference.DataType.INT64).type().name
            'INT64'

        Follows Paddle 2.6.
        """
        return self._dtype if self._value is None else DataType[np.asarray(self._value).dtype.name.upper()]

    def set_lod(self, lod: list[list[int]]) -> None:
        """Say where sequences begin and end.

        Args:
            lod (list): offsets, level by level.

        Example:
            >>> from paddle_compat import inference
            >>> handle = inference.Tensor("x", inference.DataType.FLOAT32)
            >>> handle.set_lod([[0, 1, 3]]); handle.lod()
            [[0, 1, 3]]

        Follows Paddle 2.6.
        """
        self._lod = [list(level) for level in lod]

    def lod(self) -> list[list[int]]:
        """Where sequences begin and end.

        Returns:
            list: offsets, level by level.

        Example:
            >>> from paddle_compat import inference
            >>> inference.Tensor("x", inference.DataType.FLOAT32).lod()
            []

        Follows Paddle 2.6.
        """
        return self._lod

    def _fed(self) -> Any:
        """What the Executor is fed."""
        if self._value is None:
            raise PreconditionNotMetError(f"The input {self._name!r} has no value. Expected `copy_from_cpu` on its handle before `run`.")
        dtype = DataType[np.asarray(self._value).dtype.name.upper()]
        if dtype != self._dtype:
            raise InvalidArgumentError(f"The input {self._name!r} has another type. Expected {self._dtype.name}. Received: {dtype.name}")
        if not self._lod:
            return self._value
        fed = self._value
        if isinstance(fed, np.ndarray):
            fed = LoDTensor()
            fed.set(self._value, CPUPlace())
        fed.set_lod(self._lod)
        return fed

    def _get(self, value: Any) -> None:
        self._value = value
        self._lod = value.lod()


class Predictor:
    """A model that is loaded; `create_predictor` makes it.

    Args:
        program (Program): the model.
        scope (Scope): its parameters.
        place (Place): where it runs.
        feeds (list): names of inputs.
        fetches (list): Variables of outputs.

    Example:
        >>> import numpy as np
        >>> from paddle_compat import inference
        >>> predictor = inference.create_predictor(inference.Config("model.pdmodel", "model.pdiparams"))  # doctest: +SKIP
        >>> name = predictor.get_input_names()[0]  # doctest: +SKIP
        >>> predictor.get_input_handle(name).copy_from_cpu(np.ones([1, 4], "float32"))  # doctest: +SKIP
        >>> predictor.run()  # doctest: +SKIP
        >>> predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(self, program: Any, scope: Scope, place: Any, feeds: list[str], fetches: list[Any]) -> None:
        self._program, self._scope, self._place, self._fetches = program, scope, place, fetches
        block = program.global_block()
        self._inputs = {name: Tensor(name, _data_type(block.var(name))) for name in feeds}
        self._outputs = {var.name: Tensor(var.name, _data_type(var)) for var in fetches}
        self._executor = Executor(place)

    def get_input_names(self) -> list[str]:
        """The names of inputs.

        Returns:
            list.

        Example:
            >>> predictor.get_input_names()  # doctest: +SKIP
            ['x']

        Follows Paddle 2.6.
        """
        return list(self._inputs)

    def get_output_names(self) -> list[str]:
        """The names of outputs.

        Returns:
            list.

        Example:
            >>> predictor.get_output_names()  # doctest: +SKIP
            ['save_infer_model/scale_0.tmp_0']

        Follows Paddle 2.6.
        """
        return list(self._outputs)

    def get_input_handle(self, name: str) -> Tensor:
        """The handle of an input.

        Args:
            name (str): its name.
        Returns:
            Tensor.
        Raises:
            PreconditionNotMetError: no input has the name.

        Example:
            >>> handle = predictor.get_input_handle("x")  # doctest: +SKIP

        Follows Paddle 2.6.
        """
        return _handle(self._inputs, name)

    def get_output_handle(self, name: str) -> Tensor:
        """The handle of an output.

        Args:
            name (str): its name.
        Returns:
            Tensor.
        Raises:
            PreconditionNotMetError: no output has the name.

        Example:
            >>> handle = predictor.get_output_handle(predictor.get_output_names()[0])  # doctest: +SKIP

        Follows Paddle 2.6.
        """
        return _handle(self._outputs, name)

    def run(self, inputs: Sequence[Any] | None = None) -> list[Any] | None:
        """Compute the outputs.

        Args:
            inputs (list): Tensors in the order of the inputs' names; None: what the handles hold.
        Returns:
            list: Tensors in the order of the outputs' names; None where there are no `inputs`.
        Raises:
            PreconditionNotMetError: an input has no value.
            InvalidArgumentError: there are more or fewer inputs, or one has another type.
            ValueError: shapes do not fit.

        Example:
            >>> predictor.run()  # doctest: +SKIP

        Follows Paddle 2.6.
        """
        if inputs is not None:
            if len(inputs) != len(self._inputs):
                raise InvalidArgumentError(f"Expected an input for each of {list(self._inputs)}. Received: {len(inputs)}")
            for handle, value in zip(self._inputs.values(), inputs):
                handle.share_external_data(value)
        feed = {name: handle._fed() for name, handle in self._inputs.items()}
        found = self._executor.run(self._program, feed, list(self._fetches), scope=self._scope, return_numpy=False)
        for handle, value in zip(self._outputs.values(), found):
            handle._get(value)
        return None if inputs is None else [eager.Tensor(value.value) for value in found]

    def clone(self, stream: Any = None) -> Predictor:
        """Another predictor with the same parameters and handles of its own, for another thread.

        Args:
            stream: without effect.
        Returns:
            Predictor.

        Example:
            >>> other = predictor.clone()  # doctest: +SKIP

        Follows Paddle 2.6.
        """
        return type(self)(self._program, self._scope, self._place, self.get_input_names(), self._fetches)

    def clear_intermediate_tensor(self) -> None:
        """Forget values between inputs and outputs; none is kept here.

        Example:
            >>> predictor.clear_intermediate_tensor()  # doctest: +SKIP

        Follows Paddle 2.6.
        """

    def try_shrink_memory(self) -> int:
        """Give back memory that is kept for later.

        Returns:
            int: 0, as PyTorch keeps its own account.

        Example:
            >>> predictor.try_shrink_memory()  # doctest: +SKIP
            0

        Follows Paddle 2.6.
        """
        return 0


def _data_type(var: Any) -> DataType:
    return DataType[dtype_name(var.dtype).upper()]


def _handle(handles: dict[str, Tensor], name: str) -> Tensor:
    if name not in handles:
        expected = f"Expected one of {list(handles)}"
        raise PreconditionNotMetError(f"The variable named {name} is not found in the scope of the executor. {expected}")
    return handles[name]


def create_predictor(config: Config) -> Predictor:
    """Load a model.

    Args:
        config (Config): where it is and where it runs.
    Returns:
        Predictor.
    Raises:
        TypeError: config is no Config.
        InvalidArgumentError: the Config has made a predictor already.
        NotFoundError: there is no such file, and the model has parameters.
        ValueError: a file is damaged.

    Example:
        >>> from paddle_compat import inference
        >>> predictor = inference.create_predictor(inference.Config("model.pdmodel", "model.pdiparams"))  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    if not isinstance(config, Config):
        raise type_error("config", "a Config", config, "create_predictor")
    config._take()
    place = CUDAPlace(config.gpu_device_id()) if config.use_gpu() else CPUPlace()
    executor, scope = Executor(place), Scope()
    with scope_guard(scope):
        program, feeds, fetches = _loaded(config, executor)
        if config.ir_optim():
            fold_batch_norms(program, scope, {var.name for var in fetches})
            if not config.use_gpu():
                pack_filters(program, scope)
    return Predictor(program, scope, place, feeds, fetches)


def _loaded(config: Config, executor: Any) -> list[Any]:
    """The Program, the names to feed and the Variables to fetch; parameters go into the current scope."""
    if config._buffers is not None:
        model, params = config._buffers
    elif config.prog_file():
        file = _written(config.prog_file())
        model = _content(file)
        params = _parameters(config.params_file(), file, model)
    else:
        if not os.path.exists(os.path.join(config.model_dir(), "__model__")):
            raise NotFoundError(f"Cannot open file {os.path.join(config.model_dir(), '__model__')}. Expected the model's file there")
        return load_inference_model(config.model_dir(), executor, model_filename="__model__")
    return load_inference_model(None, executor, model_filename=model, params_filename=params)


def _written(path: str) -> str:
    """A model's file: what Paddle 3.x names `.json` in scripts is the `.pdmodel` beside it where that was written here."""
    beside = path.removesuffix(".json") + ".pdmodel"
    return beside if path.endswith(".json") and not os.path.exists(path) and os.path.exists(beside) else path


def _content(path: str) -> bytes:
    if not os.path.isfile(path):
        raise NotFoundError(f"Cannot open file {path}. Expected the model's file and its parameters'")
    return Path(path).read_bytes()


def _parameters(path: str, file: str, model: bytes) -> bytes:
    """What the file of parameters holds; nothing where a model without any comes without it, as Paddle 3 leaves it out."""
    optional = not path or file.endswith(".json") and not os.path.exists(path)
    if optional and not any(map(is_persistable, program_from_bytes(model, file).list_vars())):
        return b""
    return _content(path)


class PredictorPool:
    """Predictors with the same parameters, one for each thread.

    Args:
        config (Config): where the model is and where it runs.
        size (int): how many.

    Raises:
        InvalidArgumentError: the size is not positive.

    Example:
        >>> from paddle_compat import inference
        >>> pool = inference.PredictorPool(inference.Config("model.pdmodel", "model.pdiparams"), 2)  # doctest: +SKIP
        >>> predictor = pool.retrive(1)  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(self, config: Config, size: int = 1) -> None:
        if size < 1:
            raise InvalidArgumentError(f"Invalid value for argument `size` of `PredictorPool`. Expected at least 1. Received: {size}")
        first = create_predictor(config)
        self._predictors = [first, *(first.clone() for _ in range(size - 1))]

    def retrive(self, idx: int) -> Predictor:
        """One of them.

        Args:
            idx (int): its number.
        Returns:
            Predictor.
        Raises:
            InvalidArgumentError: there are fewer.

        Example:
            >>> predictor = pool.retrive(0)  # doctest: +SKIP

        Follows Paddle 2.6.
        """
        if not 0 <= idx < len(self._predictors):
            count = len(self._predictors)
            raise InvalidArgumentError(f"Invalid value for argument `idx` of `retrive`. Expected 0 to {count - 1}. Received: {idx}")
        return self._predictors[idx]


def get_version() -> str:
    """What computes.

    Returns:
        str: the version and where it comes from.

    Example:
        >>> from paddle_compat import inference
        >>> print(inference.get_version())  # doctest: +ELLIPSIS
        version: ...
        commit: paddle_compat-...

    Follows Paddle 2.6.
    """
    return f"version: {full_version}\ncommit: {commit}\n"


def get_num_bytes_of_data_type(dtype: DataType) -> int:
    """How many bytes a number has.

    Args:
        dtype (DataType): its type.
    Returns:
        int.

    Example:
        >>> from paddle_compat import inference
        >>> inference.get_num_bytes_of_data_type(inference.DataType.FLOAT16)
        2

    Follows Paddle 2.6.
    """
    return np.dtype(dtype.name.lower()).itemsize


__all__ = ["DataType", "Predictor", "PredictorPool", "Tensor", "create_predictor", "get_num_bytes_of_data_type", "get_version"]

__getattr__ = missing(__name__)
