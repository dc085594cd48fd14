"""`paddle.framework.io`: `save` and `load`."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import partial
from io import BytesIO
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.pickles import save_pickle
from paddle_compat.core.program import Program
from paddle_compat.core.tensor import EagerParamBase as EagerParamBase
from paddle_compat.core.tensor import Tensor
from paddle_compat.framework import _from_file, _to_file
from paddle_compat.nn.layer.layers import Layer

__all__ = ["async_save", "clear_async_save_task_queue", "load", "save"]


def save(obj: Any, path: str | BytesIO, protocol: int = 4, **configs: Any) -> None:
    """Save a state dict, a Tensor, nested containers of Tensors, or a Program.

    A file appears under its name only when all of it is written. Its layout is Paddle's own.

    Args:
        obj: what to save.
        path: the file, whose folder is made where it lacks, or a BytesIO.
        protocol: pickle's protocol, 2 to 4.
        configs: `use_binary_format=True` writes a single Tensor without a pickle around it; `safetensors=True` writes a dict
            of Tensors in the format of that name, as 3.x does; `pickle_protocol` is an old name.
    Raises:
        ValueError: the path names no file, the protocol or a config is not known, there is a Layer, or a dict within a dict
            that is to be written as safetensors.
        NotImplementedError: there is an iterable of a type that files do not hold.
        TypeError: `use_binary_format` is no bool, or an object cannot be pickled.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> net = paddle.nn.Linear(2, 3)
        >>> path = os.path.join(tempfile.mkdtemp(), "net.pdparams")
        >>> paddle.save(net.state_dict(), path)
        >>> {name: value.shape for name, value in paddle.load(path).items()}
        {'weight': [2, 3], 'bias': [3]}

    Follows Paddle 2.6.
    """
    binary, protocol = _valid_configs(configs, protocol)
    _make_folder(path)
    _check_protocol(protocol)
    if configs.get("safetensors") and not binary and _to_file.is_state_dict(obj):
        _to_file.write_safetensors(obj, path)
    elif _is_metadata(path) and isinstance(obj, (of_checkpoints := _of_checkpoints()).Metadata):
        with open(str(path), "wb") as file:
            of_checkpoints.write(obj, file)
    else:
        _to_file.write(obj, path, protocol, binary)


def _is_metadata(path: Any) -> bool:
    """Whether a file says, by its name, where the parts of a checkpoint of several processes lie."""
    return isinstance(path, str) and path.endswith(".metadata")


def _of_checkpoints() -> Any:
    from paddle_compat.distributed.checkpoint import metadata

    return metadata


def _parse_every_object(obj: Any, condition_func: Callable[[Any], bool], convert_func: Callable[[Any], Any]) -> Any:
    """What is left of an object when all that meets the condition is converted; lists and dicts change in place, as in Paddle."""
    if condition_func(obj):
        return convert_func(obj)
    if type(obj) in (dict, OrderedDict, list):
        for key in range(len(obj)) if type(obj) is list else list(obj):
            obj[key] = _parse_every_object(obj[key], condition_func, convert_func)
        return obj
    if type(obj) in (tuple, set):
        return type(obj)(_parse_every_object(item, condition_func, convert_func) for item in obj)
    if isinstance(obj, Iterable) and not isinstance(obj, (str, np.ndarray, Tensor, LoDTensor)):
        raise UnimplementedError(f"The iterable objects supported are tuple, list, dict, OrderedDict, string. Received: {type(obj)}.")
    return obj


def _transformed_from_lodtensor(obj: Any) -> bool:
    """Whether what was read is the array of a LoDTensor that was saved."""
    return isinstance(obj, np.ndarray)


def _to_LodTensor(ndarray: np.ndarray[Any, Any]) -> LoDTensor:
    """A LoDTensor of an array, for `paddle.Tensor` to take over."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"Invalid type for argument `ndarray`. Expected numpy.ndarray. Received: {type(ndarray)}.")
    tensor = LoDTensor()
    tensor.set(ndarray)
    return tensor


def _valid_configs(configs: dict[str, Any], protocol: Any) -> tuple[bool, Any]:
    for name in configs:
        if name not in ("use_binary_format", "safetensors", "pickle_protocol"):
            raise ValueError(
                f"The additional config ({name}) of `paddle.save` is not supported. Expected use_binary_format or safetensors."
            )
    if "pickle_protocol" in configs:
        warnings.warn("'pickle_protocol' is a deprecated argument. Please use 'protocol' instead.", stacklevel=3)
        protocol = configs["pickle_protocol"]
    binary = configs.get("use_binary_format", False)
    if not isinstance(binary, bool):
        raise TypeError(f"Invalid value for argument `use_binary_format` of `paddle.save`. Expected bool. Received: {type(binary)}")
    return binary, protocol


def _make_folder(path: Any) -> None:
    if isinstance(path, BytesIO):
        return
    if not isinstance(path, str):
        raise ValueError(f"Invalid value for argument `path` of `paddle.save`. Expected a file's name or a BytesIO. Received: {type(path)}")
    if not os.path.basename(path):
        raise ValueError(f"Invalid value for argument `path` of `paddle.save`. Expected dirname/filename. Received: {path!r}")
    if os.path.isdir(path):
        raise IsADirectoryError(f"Invalid value for argument `path` of `paddle.save`. Expected a file's name. Received: folder {path!r}")
    if os.path.dirname(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)


def _check_protocol(protocol: Any) -> None:
    if not isinstance(protocol, int):
        raise ValueError(f"Invalid value for argument `protocol` of `paddle.save`. Expected int. Received: {type(protocol)}")
    if isinstance(protocol, bool) or not 1 < protocol < 5:
        raise ValueError(f"Invalid value for argument `protocol` of `paddle.save`. Expected 1<'protocol'<5. Received: {protocol!r}")


def load(path: str | BytesIO, **configs: Any) -> Any:
    """Load what `save` wrote; of a model's folder or prefix, its parameters.

    A file can make containers, numbers, strings, arrays and Tensors, and nothing else: what names a function is refused.

    Args:
        path: a file, a BytesIO, or the folder or prefix of a saved model; a `.metadata` of a checkpoint gives its Metadata.
        configs: `return_numpy=True` gives arrays instead of Tensors; `keep_name_table=True` leaves the table of names in a
            state dict; `safetensors=True` reads a file of that format; `model_filename` and `params_filename` name the files
            in a model's folder.
    Returns:
        The object: Tensors in dynamic mode, LoDTensors in static mode.
    Raises:
        ValueError: there is no such file, it is damaged, foreign or malicious, or a config is not known.
        TypeError: a config has another type.

    Example:
        >>> import io, paddle_compat as paddle
        >>> stream = io.BytesIO()
        >>> paddle.save({"x": paddle.ones([2]), "epoch": 3}, stream)
        >>> _ = stream.seek(0)
        >>> paddle.load(stream, return_numpy=True)
        {'x': array([1., 1.], dtype=float32), 'epoch': 3}

    Follows Paddle 2.6.
    """
    known = {"model_filename": str, "params_filename": str, "keep_name_table": bool, "return_numpy": None, "safetensors": None}
    for name, value in configs.items():
        if name not in known:
            raise ValueError(f"The additional config ({name}) of `paddle.load` is not supported. Expected one of {', '.join(known)}.")
        kind = known[name]
        if kind is not None and value is not None and not isinstance(value, kind):
            raise TypeError(f"Invalid value for argument `{name}` of `paddle.load`. Expected {kind.__name__}. Received: {type(value)}")
    return_numpy, keep = bool(configs.get("return_numpy")), bool(configs.get("keep_name_table"))
    read = _from_file.read_named if configs.get("safetensors") else partial(_from_file.read, keep_name_table=keep)
    if isinstance(path, BytesIO):
        return read(path, return_numpy)
    if not isinstance(path, str):
        raise TypeError(f"Invalid value for argument `path` of `paddle.load`. Expected a file's name or a BytesIO. Received: {type(path)}")
    if os.path.isfile(path):
        with open(path, "rb") as stream:
            return _of_checkpoints().read(stream) if _is_metadata(path) else read(stream, return_numpy)
    if os.path.isdir(path) and os.path.exists(path + ".pdmodel"):
        raise ValueError(f"Invalid value for argument `path` of `paddle.load`. Expected one model. Received: {path}.pdmodel and {path}")
    if os.path.isdir(path) or os.path.exists(path + ".pdiparams"):
        return _from_file.read_model(path, configs.get("model_filename"), configs.get("params_filename"))
    hint = ""
    if os.path.exists(path + ".pdparams") or os.path.exists(path + ".pdopt"):
        hint = " Give the whole name of the file, `paddle.load('model.pdparams')`, not only its prefix, `paddle.load('model')`."
    raise ValueError(f"The ``path`` ({path}) to load model not exists. Expected a file, or a saved model's folder or prefix.{hint}")


# ---- as Paddle 2.0 did
def _legacy_save(obj: dict[str, Any], path: str | BytesIO, protocol: int = 2) -> None:
    """Save a state dict as arrays beside the table of its Tensors' names."""
    if not isinstance(obj, dict):
        raise UnimplementedError(f"Invalid type for argument `obj` of `paddle.save`. Expected a state dict. Received: {type(obj)}")
    _make_folder(path)
    _check_protocol(protocol)
    save_pickle(_to_file.state_dict_of_arrays(obj), path, protocol)


def _legacy_load(path: str | BytesIO, **configs: Any) -> Any:
    """Load what `_legacy_save` or `save` wrote, as arrays."""
    return load(path, **{**configs, "return_numpy": True})


def _is_file_path(path: Any) -> bool:
    """Whether it is the name of a file, one that is there or one to be."""
    return isinstance(path, str)


def _is_memory_buffer(buffer: Any) -> bool:
    return isinstance(buffer, BytesIO)


def _open_file_buffer(path_or_buffer: str | BytesIO, mode: str) -> contextlib.AbstractContextManager[Any]:
    """What to read from or write to within a `with`, which leaves a BytesIO open."""
    return open(path_or_buffer, mode) if isinstance(path_or_buffer, str) else contextlib.nullcontext(path_or_buffer)


# ---- in the background
_tasks: list[_Task] = []


class _Task(threading.Thread):
    """One file on its way; what goes wrong is kept for whoever waits."""

    def __init__(self, *args: Any) -> None:
        super().__init__(name="paddle.async_save")
        self._args_of_save = args
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            _to_file.write(*self._args_of_save)
        except BaseException as error:
            self.error = error


def async_save(obj: Any, path: str | BytesIO, protocol: int = 4, sync_other_task: bool = False, **configs: Any) -> None:
    """Save a copy of a state dict or Tensor while the script goes on.

    Args:
        obj: a state dict, a Tensor or a Program.
        path: the file, whose folder is made where it lacks, or a BytesIO.
        protocol: pickle's protocol, 2 to 4.
        sync_other_task: wait for the files that are on their way first.
        configs: of no effect, with a warning.
    Raises:
        TypeError: the object is of another type.
        ValueError: the path names no file, or the protocol is not known.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> path = os.path.join(tempfile.mkdtemp(), "net.pdparams")
        >>> paddle.async_save(paddle.nn.Linear(2, 3).state_dict(), path)
        >>> paddle.clear_async_save_task_queue()
        >>> sorted(paddle.load(path))
        ['bias', 'weight']

    Follows Paddle 2.6.
    """
    if configs:
        warnings.warn("configs are not supported in async mode: the defaults are used.", stacklevel=2)
    if isinstance(obj, Layer) or not isinstance(obj, (dict, Tensor, Program)):
        raise TypeError(f"Invalid value for argument `obj` of `async_save`. Expected a state dict or a Tensor. Received: {type(obj)}")
    _make_folder(path)
    _check_protocol(protocol)
    if sync_other_task:
        clear_async_save_task_queue()
    task = _Task(_copied(obj), path, protocol, False)
    _tasks.append(task)
    task.start()


def _copied(value: Any) -> Any:
    """The value with copies of its Tensors, which training may change meanwhile."""
    if isinstance(value, Tensor):
        return Tensor(value._t.detach().clone(), value.name)
    if type(value) in (list, tuple):
        return type(value)(_copied(item) for item in value)
    return {key: _copied(item) for key, item in value.items()} if isinstance(value, dict) else value


def clear_async_save_task_queue() -> None:
    """Wait until all files of `async_save` are written.

    Raises:
        Exception: what the first one failed with.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.clear_async_save_task_queue()

    Follows Paddle 2.6.
    """
    failed: list[BaseException] = []
    while _tasks:
        task = _tasks.pop(0)
        task.join()
        if task.error is not None:
            failed.append(task.error)
    if failed:
        raise failed[0]


atexit.register(clear_async_save_task_queue)  # what failed and nobody asked for is told at the end


__getattr__ = missing(__name__)
