"""Saving and loading of Programs and parameters, as `paddle.static` of Paddle 2.x does."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, invalid_argument, type_error
from paddle_compat.core.pickles import replacing
from paddle_compat.core.program import Program
from paddle_compat.core.serialize import model_file, program_from_bytes, program_to_bytes
from paddle_compat.core.variable import Variable
from paddle_compat.static._checkpoints import load, load_program_state, save, set_program_state
from paddle_compat.static._files import (
    check_executor,
    is_belong_to_optimizer,
    is_parameter,
    is_persistable,
    load_variables,
    save_variables,
    valid_program,
)
from paddle_compat.static._inference import feed_and_fetch, inference_program

_NOTHING = "no variable in your model, please ensure there are any variables in your model to save"


def normalize_program(program: Program, feed_vars: Any, fetch_vars: Any, **kwargs: Any) -> Program:
    """Cut out of a Program what inference needs.

    Args:
        program: the Program; an operator that hands it on is appended for each fetched variable.
        feed_vars: the Variable, or list of Variables, that will be fed.
        fetch_vars: the Variable, or list of Variables, that will be fetched.
        kwargs: `skip_prune_program` (bool) keeps operators that the fetched variables do not need.

    Returns:
        A new Program with operators that feed and fetch.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a fed variable is not needed for the fetched ones.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     x = paddle.static.data("x", [None, 2])
        ...     y = paddle.mean(x)
        >>> inference = paddle.static.normalize_program(main, [x], [y])
        >>> inference.global_block().ops[0].type
        'feed'
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    if not isinstance(program, Program):
        raise type_error("program", "a Program", program, "normalize_program")
    feeds, fetches = _list(feed_vars), _list(fetch_vars)
    for name, given in (("feed_vars", feeds), ("fetch_vars", fetches)):
        if not all(isinstance(var, Variable) for var in given):
            raise type_error(name, "a Variable or a list of Variables", given, "normalize_program")
    return inference_program(program, [var.name for var in feeds], fetches, not kwargs.get("skip_prune_program", False))


def serialize_program(feed_vars: Any, fetch_vars: Any, **kwargs: Any) -> bytes:
    """Give the bytes of the inference Program, as a `.pdmodel` file holds them.

    Args:
        feed_vars: the Variable, or list of Variables, that will be fed.
        fetch_vars: the Variable, or list of Variables, that will be fetched.
        kwargs: `program`, default: the default main program.

    Returns:
        The bytes; `deserialize_program` reads them.

    Raises:
        ValueError: `feed_vars` or `fetch_vars` are no Variables, or a fed one is not needed for the fetched ones.
        TypeError: `program` is no Program.
        UnsupportedError: `legacy_format` is asked for.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program()):
        ...     x = paddle.static.data("x", [None, 2])
        ...     data = paddle.static.serialize_program([x], [paddle.mean(x)])
        >>> len(paddle.static.deserialize_program(data).global_block().ops)
        4
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    _no_legacy_format("serialize_program", kwargs)
    return program_to_bytes(_normalized("serialize_program", feed_vars, fetch_vars, kwargs))


def serialize_persistables(feed_vars: Any, fetch_vars: Any, executor: Any, **kwargs: Any) -> bytes | None:
    """Give the bytes of the inference Program's parameters, as a `.pdiparams` file holds them.

    Args:
        feed_vars: the Variable, or list of Variables, that will be fed.
        fetch_vars: the Variable, or list of Variables, that will be fetched.
        executor: an Executor.
        kwargs: `program`, default: the default main program.

    Returns:
        The bytes; None when the Program has no parameters.

    Raises:
        ValueError: `feed_vars` or `fetch_vars` are no Variables, or a parameter has no value.
        TypeError: `program` is no Program.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup):
        ...     x = paddle.static.data("x", [None, 2])
        ...     y = paddle.static.nn.fc(x, 3)
        >>> exe = paddle.static.Executor(paddle.CPUPlace())
        >>> exe.run(startup)
        []
        >>> len(paddle.static.serialize_persistables([x], [y], exe, program=main))
        86
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    check_executor(executor, "serialize_persistables")
    program = _normalized("serialize_persistables", feed_vars, fetch_vars, kwargs)
    variables = [var for var in program.list_vars() if is_persistable(var)]
    if not variables:
        warnings.warn(_NOTHING, stacklevel=2)
        return None
    return save_variables(variables, None, None)


def save_to_file(path: str, content: bytes) -> None:
    """Write bytes to a file; it appears only when it is whole.

    Args:
        path: the file.
        content: the bytes.
    Raises:
        ValueError: `content` is no bytes.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> file = os.path.join(tempfile.mkdtemp(), "model.bin")
        >>> paddle.static.save_to_file(file, b"abc")
        >>> paddle.static.load_from_file(file)
        b'abc'

    Follows Paddle 2.6.
    """
    if not isinstance(content, bytes):
        raise invalid_argument("content", "bytes", type(content).__name__, "save_to_file")
    with replacing(path) as stream:
        stream.write(content)


def load_from_file(path: str) -> bytes:
    """Read a whole file.

    Args:
        path: the file.
    Returns:
        bytes

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> file = os.path.join(tempfile.mkdtemp(), "model.bin")
        >>> paddle.static.save_to_file(file, b"abc")
        >>> paddle.static.load_from_file(file)
        b'abc'

    Follows Paddle 2.6.
    """
    with open(path, "rb") as stream:
        return stream.read()


def save_inference_model(path_prefix: str, feed_vars: Any, fetch_vars: Any, executor: Any, **kwargs: Any) -> None:
    """Save what inference needs: the Program as `PREFIX.pdmodel` and its parameters as `PREFIX.pdiparams`.

    Args:
        path_prefix: folder and prefix of the files' names; the folder is made.
        feed_vars: the Variable, or list of Variables, that will be fed.
        fetch_vars: the Variable, or list of Variables, that will be fetched.
        executor: an Executor.
        kwargs: `program`, default: the default main program; `clip_extra` (bool, default True) leaves out what only
            training reads; `skip_prune_program` (bool) keeps operators that the fetched variables do not need.

    Raises:
        ValueError: an argument has a wrong value, or a parameter has no value.
        TypeError: `program` is no Program.
        UnsupportedError: `legacy_format` is asked for.

    Example:
        >>> import tempfile, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup):
        ...     x = paddle.static.data("x", [None, 2])
        ...     y = paddle.static.nn.fc(x, 3)
        >>> exe = paddle.static.Executor(paddle.CPUPlace())
        >>> exe.run(startup)
        []
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     paddle.static.save_inference_model(folder + "/model", [x], [y], exe, program=main)
        ...     program, feeds, fetches = paddle.static.load_inference_model(folder + "/model", exe)
        >>> feeds
        ['x']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    api = "save_inference_model"
    prefix = _absolute_prefix(path_prefix, api)
    os.makedirs(os.path.dirname(prefix), exist_ok=True)
    for path in (prefix + ".pdmodel", prefix + ".pdiparams"):
        if os.path.isdir(path):
            raise invalid_argument("path_prefix", "names of files", f"a folder {path}", api)
    check_executor(executor, api)
    _no_legacy_format(api, kwargs)
    program = _normalized(api, feed_vars, fetch_vars, kwargs)
    save_to_file(prefix + ".pdmodel", program_to_bytes(program, inference=kwargs.get("clip_extra", True)))
    variables = [var for var in program.list_vars() if is_persistable(var)]
    if variables:
        save_variables(variables, os.path.dirname(prefix), os.path.basename(prefix) + ".pdiparams")
    else:
        warnings.warn(_NOTHING, stacklevel=2)


def deserialize_program(data: bytes) -> Program:
    """Read a Program from the bytes of a `.pdmodel` or `__model__` file.

    Args:
        data: the bytes.

    Returns:
        The Program.

    Raises:
        ValueError: the bytes are truncated or no Program; the text names the offset and what belongs there.

    Example:
        >>> import paddle_compat as paddle
        >>> program = paddle.static.deserialize_program(paddle.static.Program().desc.serialize_to_string())
        >>> program.num_blocks
        1

    Follows Paddle 2.6.
    """
    return program_from_bytes(data)


def deserialize_persistables(program: Program, data: bytes | None, executor: Any) -> None:
    """Put parameters that `serialize_persistables` gave into the global scope.

    Args:
        program: the Program whose parameters they are.
        data: the bytes; None for a Program without parameters.
        executor: an Executor.

    Raises:
        TypeError: `program` is no Program.
        ValueError: the bytes are truncated, or hold something else than the Program's parameters.
        RuntimeError: a parameter has another shape.

    Example:
        >>> import paddle_compat as paddle
        >>> exe = paddle.static.Executor(paddle.CPUPlace())
        >>> paddle.static.deserialize_persistables(paddle.static.Program(), None, exe)

    Follows Paddle 2.6.
    """
    api = "deserialize_persistables"
    if not isinstance(program, Program):
        raise type_error("program", "a Program", program, api)
    check_executor(executor, api)
    variables = [var for var in program.list_vars() if is_persistable(var)]
    if data is not None:
        load_variables(variables, None, data)
    elif any(is_parameter(var) for var in variables):
        raise AssertionError(f"Invalid value for argument `data` of `{api}`. Expected the Program's parameters. Received: None")


def load_inference_model(path_prefix: str | None, executor: Any, **kwargs: Any) -> list[Any]:
    """Load a saved inference model: the Program, and its parameters into the global scope.

    Args:
        path_prefix: folder and prefix of the `.pdmodel` and `.pdiparams` files; the folder alone when file names are
            given; None when the files' contents are given.
        executor: an Executor.
        kwargs: `model_filename` and `params_filename`, names of files in the folder `path_prefix` (default:
            `__model__`, and a file for each parameter), or the bytes of such files.
    Returns:
        A list: the Program, the names to feed, and the Variables to fetch.
    Raises:
        ValueError: an argument or a file is wrong; for a file, the text names it, the offset and what belongs there.
        FileNotFoundError: there is no such model.
        RuntimeError: a parameter's file cannot be read, or has another shape.
        UnsupportedError: the model is a `.json` file of Paddle 3.x, with an operator that is not there.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 2])
        >>> y, exe = paddle.static.nn.fc(x, 3), paddle.static.Executor()
        >>> _ = exe.run(paddle.static.default_startup_program())
        >>> prefix = os.path.join(tempfile.mkdtemp(), "model")
        >>> paddle.static.save_inference_model(prefix, [x], [y], exe)
        >>> program, feeds, fetches = paddle.static.load_inference_model(prefix, exe)
        >>> feeds, fetches[0].shape
        (['x'], (-1, 3))

    Follows Paddle 2.6.
    """
    api = "load_inference_model"
    for name in kwargs:
        if name not in ("model_filename", "params_filename"):
            raise ValueError(f"Invalid argument of `{api}`. Expected `model_filename` or `params_filename`. Received: `{name}`")
    check_executor(executor, api)
    model, params = kwargs.get("model_filename"), kwargs.get("params_filename")
    folder: str | None = None
    if path_prefix is None:
        if params is None:
            raise invalid_argument("params_filename", "bytes without a path", None, api)
        program = program_from_bytes(bytes(model or b""))
    else:
        prefix = _absolute_prefix(path_prefix, api)
        if kwargs:
            folder = prefix
            path = _named_file(prefix, model or "__model__", ".pdmodel")
            params = params and os.path.basename(_named_file(prefix, params, ".pdiparams"))
        else:
            folder, path, params = os.path.dirname(prefix), model_file(prefix), os.path.basename(prefix) + ".pdiparams"
        if not kwargs and not os.path.isdir(folder):
            raise invalid_argument("path_prefix", "an existing folder", folder, api)
        program = program_from_bytes(load_from_file(path), path)
    variables = [var for var in program.list_vars() if is_persistable(var)]
    if variables:
        load_variables(variables, folder, params)
    feeds, fetches = feed_and_fetch(program)
    return [program, feeds, fetches]


def save_vars(
    executor: Any,
    dirname: str | None,
    main_program: Program | None = None,
    vars: Any = None,
    predicate: Callable[[Variable], bool] | None = None,
    filename: str | None = None,
) -> bytes | None:
    """Save variables of the global scope.

    Args:
        executor: an Executor.
        dirname: the folder; None with `filename` None for bytes.
        main_program: the Program whose variables are saved; None: the default main program.
        vars: the Variables; None: those that `predicate` takes.
        predicate: which of the Program's variables to save; None: the persistable ones.
        filename: one file for all; None: a file for each, of its name.

    Returns:
        None, or the bytes.

    Raises:
        TypeError: `main_program` is no Program.
        ValueError: a variable has no value.

    Example:
        >>> import paddle_compat as paddle
        >>> exe = paddle.static.Executor(paddle.CPUPlace())
        >>> paddle.static.io.save_vars(exe, None, paddle.static.Program(), vars=[])

    Follows Paddle 2.6.
    """
    program = valid_program(main_program, "main_program", "save_vars")
    check_executor(executor, "save_vars")
    if vars is None:
        vars = list(filter(predicate or is_persistable, program.list_vars()))
    if not vars:
        warnings.warn(_NOTHING, stacklevel=2)
        return None
    return save_variables(vars, dirname, filename)


def load_vars(
    executor: Any,
    dirname: str | None,
    main_program: Program | None = None,
    vars: Any = None,
    predicate: Callable[[Variable], bool] | None = None,
    filename: str | bytes | None = None,
) -> None:
    """Load variables into the global scope.

    Args:
        executor: an Executor.
        dirname: the folder; None when `filename` is bytes.
        main_program: the Program whose variables are loaded; None: the default main program.
        vars: the Variables; None: those that `predicate` takes.
        predicate: which of the Program's variables to load; None: the persistable ones.
        filename: the one file of all, or its bytes; None: a file for each.

    Raises:
        TypeError: `main_program` is no Program.
        ValueError: a file is truncated or holds something else; names the file, the offset and what belongs there.
        RuntimeError: a file cannot be read, or a parameter has another shape.

    Example:
        >>> import paddle_compat as paddle
        >>> exe = paddle.static.Executor(paddle.CPUPlace())
        >>> paddle.static.io.load_vars(exe, "folder", paddle.static.Program(), vars=[])

    Follows Paddle 2.6.
    """
    program = valid_program(main_program, "main_program", "load_vars")
    check_executor(executor, "load_vars")
    if vars is None:
        vars = filter(predicate or is_persistable, program.list_vars())
    load_variables(vars, dirname, filename or None)


def get_program_persistable_vars(program: Program) -> list[Variable]:
    """Give a Program's persistable variables.

    Args:
        program: the Program.

    Returns:
        The Variables.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.static.io.get_program_persistable_vars(paddle.static.Program())
        []

    Follows Paddle 2.6.
    """
    return list(filter(is_persistable, program.list_vars()))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _normalized(api: str, feed_vars: Any, fetch_vars: Any, kwargs: dict[str, Any]) -> Program:
    for name, given in (("feed_vars", feed_vars), ("fetch_vars", fetch_vars)):
        if not all(isinstance(var, Variable) for var in _list(given)):
            raise invalid_argument(name, "a Variable or a list of Variables", repr(given), api)
    program = valid_program(kwargs.get("program"), "program", api)
    return normalize_program(program, feed_vars, fetch_vars, skip_prune_program=kwargs.get("skip_prune_program", False))


def _no_legacy_format(api: str, kwargs: dict[str, Any]) -> None:
    if kwargs.get("legacy_format"):
        raise UnsupportedError(f"paddle.static.{api}", "legacy_format=True", "the default format, which Paddle 2.5 and later read")


def _absolute_prefix(path_prefix: Any, api: str) -> str:
    if not isinstance(path_prefix, str) or path_prefix.endswith("/"):
        raise invalid_argument("path_prefix", "folder/prefix", repr(path_prefix), api)
    return os.path.abspath(path_prefix)


def _named_file(folder: str, name: str, suffix: str) -> str:
    """A file of that name, which may come without its suffix."""
    path = os.path.join(folder, name + suffix)
    return path if os.path.exists(path) else os.path.join(folder, name)


__all__ = [
    "deserialize_persistables",
    "deserialize_program",
    "get_program_persistable_vars",
    "is_belong_to_optimizer",
    "is_parameter",
    "is_persistable",
    "load",
    "load_from_file",
    "load_inference_model",
    "load_program_state",
    "load_vars",
    "normalize_program",
    "save",
    "save_inference_model",
    "save_to_file",
    "save_vars",
    "serialize_persistables",
    "serialize_program",
    "set_program_state",
]

__getattr__ = missing(__name__)
