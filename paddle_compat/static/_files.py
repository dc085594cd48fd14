"""What saving and loading share in 1.x and 2.x: which variables go to which files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

import numpy as np
import torch

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import InvalidArgumentError, UnavailableError, invalid_argument, type_error
from paddle_compat.core.lod import LoDTensor, to_numpy
from paddle_compat.core.pickles import load_pickle, replacing
from paddle_compat.core.program import Program, default_main_program
from paddle_compat.core.scope import global_scope
from paddle_compat.core.streams import (
    Reader,
    read_combined,
    read_selected_rows,
    read_tensor,
    write_combined,
    write_tensor,
)
from paddle_compat.core.variable import Parameter, Variable

_PLUMBING = (VarType.FEED_MINIBATCH, VarType.FETCH_LIST, VarType.READER)


def is_persistable(var: Variable) -> bool:
    """Whether a variable lives in the Scope between runs, and so belongs into a file.

    Args:
        var (Variable): the variable.
    Returns:
        bool.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     w = fluid.layers.create_parameter([2], "float32")
        ...     fluid.io.is_persistable(w), fluid.io.is_persistable(w + 1.0)
        (True, False)

    Follows Paddle 1.8 and 2.6.
    """
    return var.type not in _PLUMBING and var.persistable


def is_parameter(var: Variable) -> bool:
    """Whether a variable is a Parameter.

    Args:
        var (Variable): the variable.
    Returns:
        bool.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     w = fluid.layers.create_parameter([2], "float32")
        ...     fluid.io.is_parameter(w), fluid.io.is_parameter(w + 1.0)
        (True, False)

    Follows Paddle 1.8 and 2.6.
    """
    return isinstance(var, Parameter)


def is_belong_to_optimizer(var: Variable) -> bool:
    """Whether a variable is persistable without being a parameter: what an optimizer or a layer keeps beside them.

    Args:
        var (Variable): the variable.
    Returns:
        bool.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     w = fluid.layers.create_parameter([2], "float32")
        ...     count = fluid.layers.create_global_var([1], 0.0, "float32", persistable=True)
        ...     fluid.io.is_belong_to_optimizer(w), fluid.io.is_belong_to_optimizer(count)
        (False, True)

    Follows Paddle 1.8 and 2.6.
    """
    return not (is_parameter(var) or var.need_check_feed) and is_persistable(var)


def valid_program(program: Any, name: str, api: str) -> Program:
    """The Program to work on: the default main program for None, the inner one of a CompiledProgram."""
    if program is None:
        return default_main_program()
    inner = getattr(program, "_program", None)
    if inner is not None:
        warnings.warn(f"`{api}` works on the Program inside the CompiledProgram; give it the Program itself.", stacklevel=3)
        program = inner
    if not isinstance(program, Program):
        raise type_error(name, "a Program", program, api)
    return program


def check_executor(executor: Any, api: str) -> None:
    """Refuse what is no Executor."""
    if not callable(getattr(executor, "run", None)):
        raise type_error("executor", "an Executor", executor, api)


# ---- variables to and from files
def save_variables(variables: Iterable[Variable], dirname: str | None, filename: str | None) -> bytes | None:
    """Write variables of the global scope: a file for each, one file for all, or (without names) bytes."""
    values = {var.name: scope_value(var.name) for var in variables if var.type != VarType.RAW}
    ordered = [values[name] for name in sorted(values)]
    if dirname is None and filename is None:
        out = BytesIO()
        write_combined(out, ordered)
        return out.getvalue()
    folder = os.path.normpath(dirname or "")
    if filename is None:
        for name, value in values.items():
            _write(os.path.join(folder, name), write_tensor, value)
        return None
    _write(os.path.join(folder, filename), write_combined, ordered)
    return None


def _write(path: str, write: Callable[[Any, Any], None], value: Any) -> None:
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with replacing(path) as stream:
        write(stream, value)


def load_variables(variables: Iterable[Variable], dirname: str | None, filename: str | bytes | None) -> None:
    """Read variables into the global scope, all or none: a file for each, one file for all, or bytes that hold all."""
    wanted = {var.name: var for var in variables if var.type != VarType.RAW}
    if isinstance(filename, bytes):
        found = read_combined(Reader(BytesIO(filename)), wanted)
    elif filename is not None:
        sparse = [name for name, var in wanted.items() if var.type == VarType.SELECTED_ROWS]
        if sparse:
            raise invalid_argument("filename", "None, as SelectedRows have a file each", f"{filename!r} for {sparse}")
        with opened(os.path.join(dirname or "", filename)) as stream:
            found = read_combined(Reader(stream), wanted)
    elif dirname is None:
        raise invalid_argument("dirname", "a folder, or the parameters' bytes as `filename`", None)
    else:
        found = {}
        for name, var in wanted.items():
            with opened(os.path.join(dirname, name)) as stream:
                reader = Reader(stream)
                found[name] = read_selected_rows(reader) if var.type == VarType.SELECTED_ROWS else read_tensor(reader)
    for name, value in found.items():
        if is_parameter(wanted[name]) and tuple(value.shape()) != tuple(wanted[name].shape):
            raise RuntimeError(
                f"Invalid file for parameter `{name}`. Expected the Program's shape {list(wanted[name].shape)}. Received: {value.shape()}"
            )
    for name, value in found.items():
        tensor = global_scope().var(name).tensor
        tensor._take(value._tensor())
        tensor.lod_ = value.lod_


def scope_value(name: str) -> LoDTensor:
    """The value of a variable in the global scope; an error says what to do when there is none."""
    found = global_scope().find_var(name)
    if found is None or found.tensor.value is None:
        raise InvalidArgumentError(
            f"Variable `{name}` has no value. Expected one in the scope: run the startup program, or load or set the "
            "variable, before. Received: none"
        )
    return found.tensor


def opened(path: str) -> Any:
    """A file to read; UnavailableError where there is none."""
    try:
        return open(path, "rb")
    except OSError as error:
        raise UnavailableError(f"Cannot read `{path}`. Expected a file that holds a saved variable. Received: {error.strerror}") from error


# ---- state dicts
def state_of(variables: Iterable[Variable]) -> dict[str, np.ndarray]:
    """Copies of the variables' values in the global scope."""
    return {var.name: to_numpy(scope_value(var.name)._tensor()) for var in variables}


def put_array(var: Variable, array: Any) -> None:
    """Set a variable's value in the global scope."""
    holder = global_scope().var(var.name).tensor
    array = np.asarray(array)
    if array.dtype == np.uint16 and var.dtype == VarType.BF16:  # numpy has no bfloat16: files hold its bits
        holder.set(torch.from_numpy(array.copy()).view(torch.bfloat16))
    else:
        holder.set(array)


def put_state(variables: Iterable[Variable], state: dict[str, Any], path: str) -> None:
    """Set variables from a state dict that has them all."""
    variables = list(variables)
    for var in variables:
        if var.name not in state:
            of_paddle3 = os.path.exists(os.path.splitext(path)[0] + ".json")
            hint = ". Paddle 3.x wrote it: set PADDLE_COMPAT_VERSION=3.3.1 in the environment, and layers are named as there"
            raise AssertionError(
                f"Can not find [{var.name}] in model file [{path}]. It has: {', '.join(sorted(map(str, state)))}" + hint * of_paddle3
            )
    for var in variables:
        put_array(var, state[var.name])


def model_prefix(model_path: str) -> str:
    """A path without the suffix of one of the three files of a saved Program."""
    for suffix in (".pdparams", ".pdopt", ".pdmodel"):
        if model_path.endswith(suffix):
            return model_path[: -len(suffix)]
    return model_path


def model_folder(model_path: str) -> None:
    """Check a path prefix and make its folder."""
    if not os.path.basename(model_path):
        raise AssertionError(f"Invalid value for argument `model_path`. Expected folder/prefix. Received: {model_path!r}")
    if os.path.dirname(model_path):
        os.makedirs(os.path.dirname(model_path), exist_ok=True)


def load_model(program: Program, model_path: str, executor: Any, var_list: Any, listed_only: bool) -> None:
    """`load` of 1.x and 2.x: a saved Program's parameters and optimizer state, or files of `save_vars` and its kin.

    `listed_only` says whether a list counts for a folder of such files, too.
    """
    prefix = model_prefix(model_path)
    parameters = prefix + ".pdparams"
    if os.path.exists(parameters) or not (os.path.isdir(model_path) or os.path.isfile(model_path)):
        if not os.path.exists(parameters) and executor is None:
            raise invalid_argument("executor", f"an Executor, as {parameters} does not exist", None)
        if executor is not None and not callable(getattr(executor, "run", None)):
            raise AssertionError(
                f"Invalid type for argument `executor` of `load`. Expected an Executor. Received: {type(executor).__name__}"
            )
        put_state(filter(is_parameter, program.list_vars()), load_pickle(parameters), parameters)
        optimizer = [var for var in program.list_vars() if is_belong_to_optimizer(var)]
        if optimizer:
            path = prefix + ".pdopt"
            if not os.path.exists(path):
                raise AssertionError(
                    f"Optimizer file [{path}] does not exist. Expected it beside {parameters}, as the program has an optimizer's variables"
                )
            put_state(optimizer, load_pickle(path), path)
        return
    if executor is None:
        raise invalid_argument("executor", "an Executor for files of `save_vars`", None)
    if os.path.isdir(model_path):
        listed = None if var_list is None or not listed_only else {var.name for var in var_list}
        wanted = [var for var in program.list_vars() if listed is None or var.name in listed]
        load_variables([var for var in wanted if os.path.isfile(os.path.join(model_path, var.name))], model_path, None)
        return
    if var_list is None:
        raise invalid_argument("var_list", "the variables that the file holds", None)
    names = {var.name for var in program.list_vars()}
    for var in var_list:
        if var.name not in names:
            raise LookupError(f"Invalid value for argument `var_list`. Expected variables of the Program. Received: {var.name}")
    load_variables(var_list, *os.path.split(model_path))


def load_state(model_path: str, var_list: Any, lenient: bool) -> dict[str, Any]:
    """`load_program_state` of 1.x and 2.x; a lenient one passes over files of a folder that hold no tensor."""
    prefix = model_prefix(model_path)
    if os.path.exists(prefix + ".pdparams"):
        state: dict[str, Any] = load_pickle(prefix + ".pdparams")
        if os.path.exists(prefix + ".pdopt"):
            state.update(load_pickle(prefix + ".pdopt"))
        return state
    if os.path.isfile(model_path):
        if var_list is None:
            raise invalid_argument("var_list", "the variables that the file holds", None)
        with opened(model_path) as stream:
            return _arrays(_all_or_runtime_error(lambda: read_combined(Reader(stream), [var.name for var in var_list]), model_path))
    found: dict[str, LoDTensor] = {}
    if var_list is not None:
        paths = {var.name: os.path.join(model_path, var.name) for var in var_list}
    else:
        files = [os.path.join(root, name) for root, _, names in os.walk(model_path) for name in names]
        paths = {os.path.relpath(path, model_path).replace(os.sep, "/"): path for path in sorted(files)}
    for name, path in paths.items():
        try:
            with opened(path) as stream:
                found[name] = read_tensor(Reader(stream))
        except RuntimeError as error:
            if not lenient or var_list is not None:
                raise RuntimeError(f"Cannot load the variables in {model_path}: {error}") from error
            warnings.warn(f"{path} is passed over, as it holds no variable: {error}", RuntimeWarning, stacklevel=3)
    return _arrays(found)


def _all_or_runtime_error(read: Callable[[], dict[str, LoDTensor]], path: str) -> dict[str, LoDTensor]:
    try:
        return read()
    except InvalidArgumentError as error:
        raise RuntimeError(f"Cannot load the variables in {path}: {error}") from error


def _arrays(values: dict[str, LoDTensor]) -> dict[str, Any]:
    return {name: value.numpy() for name, value in values.items()}


def set_state(program: Program, state: dict[str, Any]) -> None:
    """`set_program_state` of 1.x and 2.x."""
    used = set()
    for var in filter(is_persistable, program.list_vars()):
        holder = global_scope().find_var(var.name)
        if holder is None or holder.tensor.value is None:
            raise AssertionError(f"Variable [ {var.name} ] has no value. Expected a startup program that has run.")
        if var.name not in state:
            continue
        former, new = holder.tensor.numpy(), np.asarray(state[var.name])
        for what, expected, received in (("shape", former.shape, new.shape), ("data type", former.dtype, new.dtype)):
            if expected != received:
                raise AssertionError(f"Invalid {what} for parameter `{var.name}`. Expected {expected}. Received: {received}")
        put_array(var, new)
        used.add(var.name)
    unused = [name for name in state if name not in used]
    if unused:
        warnings.warn(
            f"This list is not set, Because of Paramerter not found in program. There are: {' '.join(map(str, unused))}",
            stacklevel=3,
        )
