"""Saving and loading of Programs and parameters, as `paddle.fluid.io` of Paddle 1.8 does."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, invalid_argument, type_error
from paddle_compat.core.lod import to_numpy
from paddle_compat.core.program import Program, default_main_program
from paddle_compat.core.serialize import program_from_bytes, program_to_bytes
from paddle_compat.core.variable import Variable
from paddle_compat.distributed.ps import _files
from paddle_compat.fluid.dataloader.batch_sampler import BatchSampler as BatchSampler
from paddle_compat.fluid.reader import DataLoader, PyReader, default_collate_fn
from paddle_compat.io.dataloader.dataset import Dataset as Dataset
from paddle_compat.reader._batch import batch
from paddle_compat.reader.decorator import (
    ComposeNotAligned,
    buffered,
    cache,
    chain,
    compose,
    firstn,
    map_readers,
    multiprocess_reader,
    shuffle,
    xmap_readers,
)
from paddle_compat.static import io as static_io
from paddle_compat.static._files import (
    check_executor,
    is_belong_to_optimizer,
    is_parameter,
    is_persistable,
    load_model,
    load_state,
    load_variables,
    save_variables,
    scope_value,
    set_state,
    valid_program,
)
from paddle_compat.static._inference import append_fetches, feed_and_fetch, inference_program, prepend_feeds

_Predicate = Callable[[Variable], bool]


def save_vars(
    executor: Any,
    dirname: str | None,
    main_program: Program | None = None,
    vars: Any = None,
    predicate: _Predicate | None = None,
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
        >>> import paddle_compat.fluid as fluid
        >>> fluid.io.save_vars(fluid.Executor(fluid.CPUPlace()), "folder", fluid.Program(), vars=[])

    Follows Paddle 1.8.
    """
    return static_io.save_vars(executor, dirname, main_program, vars, predicate, filename)


def save_params(executor: Any, dirname: str | None, main_program: Program | None = None, filename: str | None = None) -> bytes | None:
    """Save the parameters of a Program.

    Args:
        executor: an Executor.
        dirname: the folder; None with `filename` None for bytes.
        main_program: the Program; None: the default main program.
        filename: one file for all; None: a file for each, of its name.
    Returns:
        None, or the bytes.
    Raises:
        TypeError: `main_program` is no Program.
        ValueError: a parameter has no value.

    Example:
        >>> import os, tempfile, paddle_compat.fluid as fluid
        >>> w = fluid.layers.create_parameter([2], "float32", "w")
        >>> exe, folder = fluid.Executor(fluid.CPUPlace()), tempfile.mkdtemp()
        >>> _ = exe.run(fluid.default_startup_program())
        >>> fluid.io.save_params(exe, folder); os.listdir(folder)
        ['w']

    Follows Paddle 1.8.
    """
    return static_io.save_vars(executor, dirname, main_program, None, is_parameter, filename)


def save_persistables(executor: Any, dirname: str | None, main_program: Program | None = None, filename: str | None = None) -> bytes | None:
    """Save the persistable variables of a Program: its parameters, and what optimizers and layers keep; those of servers, too.

    Args:
        executor: an Executor.
        dirname: the folder; None with `filename` None for bytes.
        main_program: the Program; None: the default main program.
        filename: one file for all; None: a file for each, of its name.

    Returns:
        None, or the bytes.

    Raises:
        TypeError: `main_program` is no Program.
        ValueError: a variable has no value, or one file is asked for of what servers keep.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.io.save_persistables(fluid.Executor(fluid.CPUPlace()), "folder")  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    program = valid_program(main_program, "main_program", "save_persistables")
    if program._kept_by_servers is None:
        return static_io.save_vars(executor, dirname, program, None, is_persistable, filename)
    check_executor(executor, "save_persistables")
    if filename is not None or dirname is None:
        raise invalid_argument("filename", "None, and a folder, as what servers keep has a file each", repr(filename), "save_persistables")
    _files.save(program, dirname)
    return None


def load_vars(
    executor: Any,
    dirname: str | None,
    main_program: Program | None = None,
    vars: Any = None,
    predicate: _Predicate | None = None,
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
        >>> import paddle_compat.fluid as fluid
        >>> fluid.io.load_vars(fluid.Executor(fluid.CPUPlace()), "folder", fluid.Program(), vars=[])

    Follows Paddle 1.8.
    """
    static_io.load_vars(executor, dirname, main_program, vars, predicate, filename)


def load_params(executor: Any, dirname: str | None, main_program: Program | None = None, filename: str | bytes | None = None) -> None:
    """Load the parameters of a Program into the global scope.

    Args:
        executor: an Executor.
        dirname: the folder; None when `filename` is bytes.
        main_program: the Program; None: the default main program.
        filename: the one file of all, or its bytes; None: a file for each.
    Raises:
        TypeError: `main_program` is no Program.
        ValueError: a file is truncated or holds something else; names the file, the offset and what belongs there.
        RuntimeError: a file cannot be read, or a parameter has another shape.

    Example:
        >>> import tempfile, paddle_compat.fluid as fluid
        >>> w = fluid.layers.create_parameter([2], "float32", "w")
        >>> exe, folder = fluid.Executor(fluid.CPUPlace()), tempfile.mkdtemp()
        >>> _ = exe.run(fluid.default_startup_program())
        >>> fluid.io.save_params(exe, folder)
        >>> with fluid.scope_guard(fluid.Scope()):
        ...     fluid.io.load_params(exe, folder); w.get_value().shape()
        [2]

    Follows Paddle 1.8.
    """
    static_io.load_vars(executor, dirname, main_program, None, is_parameter, filename)


def load_persistables(executor: Any, dirname: str | None, main_program: Program | None = None, filename: str | bytes | None = None) -> None:
    """Load the persistable variables of a Program into the global scope; into a server's its parts of them.

    Args:
        executor: an Executor.
        dirname: the folder; None when `filename` is bytes.
        main_program: the Program; None: the default main program.
        filename: the one file of all, or its bytes; None: a file for each.

    Raises:
        TypeError: `main_program` is no Program.
        ValueError: a file is truncated or holds something else; names the file, the offset and what belongs there. Or one file is
            asked for of what servers keep.
        RuntimeError: a file cannot be read, or a parameter has another shape.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.io.load_persistables(fluid.Executor(fluid.CPUPlace()), "folder")  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    program = valid_program(main_program, "main_program", "load_persistables")
    last = program.global_block().ops[-1:]
    if program._kept_by_servers is None or not last or last[0].type != "listen_and_serv":
        static_io.load_vars(executor, dirname, program, None, is_persistable, filename)
        return
    check_executor(executor, "load_persistables")
    if filename is not None or dirname is None:
        raise invalid_argument("filename", "None, and a folder, as what servers keep has a file each", repr(filename), "load_persistables")
    _files.load(program, last[0].attrs["endpoint"], dirname)


def save_inference_model(
    dirname: str,
    feeded_var_names: Any,
    target_vars: Any,
    executor: Any,
    main_program: Program | None = None,
    model_filename: str | None = None,
    params_filename: str | None = None,
    export_for_deployment: bool = True,
    program_only: bool = False,
    clip_extra: bool = False,
) -> list[str]:
    """Save what inference needs: the Program, and the parameters.

    Args:
        dirname: the folder; it is made.
        feeded_var_names: the names that will be fed.
        target_vars: the Variables that will be fetched.
        executor: an Executor.
        main_program: the Program; None: the default main program. An operator is appended to it for each target.
        model_filename: the Program's file; None: `__model__`.
        params_filename: one file for all parameters; None: a file for each, of its name.
        export_for_deployment: False keeps the whole Program, in a file with the suffix `.main_program`.
        program_only: leave the parameters out.
        clip_extra: kept; as Paddle 2 cuts attributes that inference does not ask for.
    Returns:
        The names of what is to be fetched: `save_infer_model/scale_0.tmp_0` and so on.
    Raises:
        ValueError: an argument has a wrong value, or a parameter has no value.
        TypeError: `main_program` is no Program.

    Example:
        >>> import tempfile, paddle_compat.fluid as fluid
        >>> main, startup = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, startup), fluid.unique_name.guard():
        ...     x = fluid.data("x", [None, 2])
        ...     y = fluid.layers.fc(x, 3)
        >>> exe = fluid.Executor(fluid.CPUPlace())
        >>> exe.run(startup)
        []
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     fluid.io.save_inference_model(folder, ["x"], [y], exe, main)
        ['save_infer_model/scale_0.tmp_0']

    Follows Paddle 1.8.
    """
    api = "save_inference_model"
    if isinstance(feeded_var_names, Variable):  # which goes on for ever when it is taken for a list
        raise type_error("feeded_var_names", "names", feeded_var_names, api)
    feeds = [feeded_var_names] if isinstance(feeded_var_names, str) else list(feeded_var_names)
    targets = [target_vars] if isinstance(target_vars, Variable) else list(target_vars or ())
    if export_for_deployment:
        if not all(isinstance(name, str) for name in feeds):
            raise invalid_argument("feeded_var_names", "names", repr(feeds), api)
        if not targets or not all(isinstance(var, Variable) for var in targets):
            raise invalid_argument("target_vars", "Variables", repr(targets), api)
    program = valid_program(main_program, "main_program", api)
    check_executor(executor, api)
    os.makedirs(dirname or ".", exist_ok=True)
    path = os.path.join(os.path.normpath(dirname), os.path.basename(model_filename or "__model__"))
    inference = inference_program(program, feeds, targets)
    names = [var.name for var in feed_and_fetch(inference)[1]]
    if export_for_deployment:
        program = inference
    else:
        path += ".main_program"
    static_io.save_to_file(path, program_to_bytes(program))
    if program_only:
        warnings.warn(
            "save_inference_model specified the param `program_only` to True, It will not save params of Program.", stacklevel=2
        )
    else:
        variables = [var for var in program.list_vars() if is_persistable(var)]
        if variables:
            save_variables(variables, dirname, params_filename and os.path.basename(params_filename))
    return names


def load_inference_model(
    dirname: str | None,
    executor: Any,
    model_filename: Any = None,
    params_filename: Any = None,
    pserver_endpoints: Any = None,
) -> list[Any]:
    """Load a saved inference model: the Program, and its parameters into the global scope.

    Args:
        dirname: the folder; None when the files' contents are given.
        executor: an Executor.
        model_filename: the Program's file in the folder (None: `__model__`), or its bytes.
        params_filename: the one file of all parameters, or its bytes; None: a file for each.
        pserver_endpoints: not supported.

    Returns:
        A list: the Program, the names to feed, and the Variables to fetch.

    Raises:
        ValueError: an argument or a file is wrong; for a file, the text names it, the offset and what belongs there.
        FileNotFoundError: there is no such model.
        RuntimeError: a parameter's file cannot be read, or has another shape.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> exe = fluid.Executor(fluid.CPUPlace())
        >>> program, feeds, fetches = fluid.io.load_inference_model("folder", exe)  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    api = "load_inference_model"
    check_executor(executor, api)
    if pserver_endpoints:
        raise UnsupportedError(f"fluid.io.{api}", "pserver_endpoints", "a model without a distributed look-up table")
    if dirname is None:
        if params_filename is None:
            raise invalid_argument("params_filename", "bytes without a folder", None, api)
        program = program_from_bytes(model_filename)
    else:
        if not os.path.isdir(dirname):
            raise invalid_argument("dirname", "an existing folder", repr(dirname), api)
        path = os.path.join(os.path.normpath(dirname), os.path.basename(model_filename or "__model__"))
        program = program_from_bytes(static_io.load_from_file(path), path)
        params_filename = params_filename and os.path.basename(params_filename)
    load_variables([var for var in program.list_vars() if is_persistable(var)], dirname, params_filename)
    feeds, fetches = feed_and_fetch(program)
    return [program, feeds, fetches]


def save(program: Program, model_path: str, protocol: int = 2, **configs: Any) -> None:
    """Save a Program as `PATH.pdmodel`, its parameters as `PATH.pdparams`, and optimizer state as `PATH.pdopt`.

    Args:
        program: the Program.
        model_path: folder and prefix of the files' names; the folder is made.
        protocol, configs: that of pickles, as in Paddle 2; also as `pickle_protocol`.
    Raises:
        AssertionError: the path has no prefix.
        ValueError: a variable has no value, or there is no such protocol.

    Example:
        >>> import os, tempfile, paddle_compat.fluid as fluid
        >>> w = fluid.layers.create_parameter([2], "float32", "w")
        >>> _ = fluid.Executor(fluid.CPUPlace()).run(fluid.default_startup_program())
        >>> folder = tempfile.mkdtemp()
        >>> fluid.save(fluid.default_main_program(), os.path.join(folder, "model"))
        >>> sorted(os.listdir(folder))
        ['model.pdmodel', 'model.pdopt', 'model.pdparams']

    Follows Paddle 1.8.
    """
    static_io.save(program, model_path, protocol=configs.get("pickle_protocol", protocol))


def load(program: Program, model_path: str, executor: Any = None, var_list: Any = None) -> None:
    """Load into the global scope what `save` wrote of a Program, or what `save_vars` and its kin wrote.

    Args:
        program: the Program.
        model_path: prefix of the `.pdparams` and `.pdopt` files, or a folder or file of `save_vars`.
        executor: an Executor, needed for files of `save_vars`.
        var_list: for one file of `save_vars`, the Variables that it holds.

    Raises:
        AssertionError: a file lacks one of the Program's variables, or executor is none.
        ValueError: an argument is missing, or a file is damaged.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.load(fluid.default_main_program(), "folder/model")  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    load_model(program, model_path, executor, var_list, listed_only=False)


def load_program_state(model_path: str, var_list: Any = None) -> dict[str, Any]:
    """Load parameters and optimizer state without a Program.

    Args:
        model_path: prefix of the `.pdparams` and `.pdopt` files, or a folder or file of `save_vars`.
        var_list: for files of `save_vars`, the Variables to load.
    Returns:
        Names and numpy arrays.
    Raises:
        ValueError: `var_list` is missing for one file of `save_vars`, or a file is damaged.
        RuntimeError: a file of the folder holds no variable.

    Example:
        >>> import os, tempfile, paddle_compat.fluid as fluid
        >>> w = fluid.layers.create_parameter([2], "float32", "w")
        >>> _ = fluid.Executor(fluid.CPUPlace()).run(fluid.default_startup_program())
        >>> prefix = os.path.join(tempfile.mkdtemp(), "model")
        >>> fluid.save(fluid.default_main_program(), prefix)
        >>> {name: value.shape for name, value in fluid.io.load_program_state(prefix).items()}
        {'w': (2,)}

    Follows Paddle 1.8.
    """
    return load_state(model_path, var_list, lenient=False)


def set_program_state(program: Program, state_dict: dict[str, Any]) -> None:
    """Set a Program's persistable variables in the global scope; what the Program does not have brings a warning.

    Args:
        program: the Program; its startup program has run.
        state_dict: names and numpy arrays, as `load_program_state` gives them.

    Raises:
        AssertionError: a variable has no value yet, or another shape or data type.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.io.set_program_state(fluid.Program(), {})

    Follows Paddle 1.8.
    """
    set_state(program, state_dict)


def get_program_parameter(program: Program) -> list[Variable]:
    """Give a Program's parameters.

    Args:
        program: the Program.

    Returns:
        The Parameters.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.io.get_program_parameter(fluid.Program())
        []

    Follows Paddle 1.8.
    """
    return list(filter(is_parameter, program.list_vars()))


def get_program_persistable_vars(program: Program) -> list[Variable]:
    """Give a Program's persistable variables.

    Args:
        program: the Program.

    Returns:
        The Variables.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.io.get_program_persistable_vars(fluid.Program())
        []

    Follows Paddle 1.8.
    """
    return static_io.get_program_persistable_vars(program)


def get_parameter_value(para: Variable, executor: Any) -> np.ndarray:
    """Give the value of a parameter in the global scope.

    Args:
        para: the Parameter.
        executor: an Executor.

    Returns:
        A copy, as numpy array.

    Raises:
        AssertionError: `para` is no Parameter.
        ValueError: it has no value.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> value = fluid.io.get_parameter_value(parameter, executor)  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    if not is_parameter(para):
        raise AssertionError(f"Invalid value for argument `para` of `get_parameter_value`. Expected a Parameter. Received: {para!r}")
    return to_numpy(scope_value(para.name)._tensor())


def get_parameter_value_by_name(name: str, executor: Any, program: Program | None = None) -> np.ndarray:
    """Give the value of the parameter of that name in the global scope.

    Args:
        name: the parameter's name.
        executor: an Executor.
        program: the Program that has it; None: the default main program.

    Returns:
        A copy, as numpy array.

    Raises:
        ValueError: the Program has no such variable, or it has no value.
        AssertionError: it is no Parameter.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> value = fluid.io.get_parameter_value_by_name("fc_0.w_0", None)  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    return get_parameter_value((program or default_main_program()).global_block().var(name), executor)


def prepend_feed_ops(inference_program: Program, feed_target_names: list[str], feed_holder_name: str = "feed") -> None:
    """Put operators in front of a Program that say what is fed, as in the Programs of inference models.

    Args:
        inference_program: the Program.
        feed_target_names: the variables that will be fed.
        feed_holder_name: the variable that the operators take the values from.

    Raises:
        ValueError: the Program has no such variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> program = fluid.Program()
        >>> with fluid.program_guard(program):
        ...     x = fluid.data("x", [None, 2])
        >>> fluid.io.prepend_feed_ops(program, ["x"])
        >>> program.global_block().ops[0].type
        'feed'

    Follows Paddle 1.8.
    """
    prepend_feeds(inference_program, list(feed_target_names), feed_holder_name)


def append_fetch_ops(inference_program: Program, fetch_target_names: list[str], fetch_holder_name: str = "fetch") -> None:
    """Put operators behind a Program that say what is fetched, as in the Programs of inference models.

    Args:
        inference_program: the Program.
        fetch_target_names: the variables that will be fetched.
        fetch_holder_name: the variable that the operators write to.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> program = fluid.Program()
        >>> with fluid.program_guard(program):
        ...     x = fluid.data("x", [None, 2])
        >>> fluid.io.append_fetch_ops(program, ["x"])
        >>> program.global_block().ops[-1].type
        'fetch'

    Follows Paddle 1.8.
    """
    append_fetches(inference_program, list(fetch_target_names), fetch_holder_name)


__all__ = [
    "ComposeNotAligned", "DataLoader", "PyReader", "batch", "buffered", "cache", "chain", "compose", "default_collate_fn", "firstn",
    "get_program_parameter", "get_program_persistable_vars", "is_belong_to_optimizer", "is_parameter", "is_persistable", "load",
    "load_inference_model", "load_params", "load_persistables", "load_program_state", "load_vars", "map_readers", "multiprocess_reader",
    "save", "save_inference_model", "save_params", "save_persistables", "save_vars", "set_program_state", "shuffle", "xmap_readers",
]  # fmt: skip

__getattr__ = missing(__name__)
