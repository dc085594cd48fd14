"""Checkpoints of Paddle 2.x: a Program with its parameters and optimizer state, in three files."""

from __future__ import annotations

import warnings
from typing import Any

from paddle_compat.core.pickles import replacing, save_pickle
from paddle_compat.core.program import Program
from paddle_compat.core.serialize import program_to_bytes
from paddle_compat.static._files import (
    is_belong_to_optimizer,
    is_parameter,
    load_model,
    load_state,
    model_folder,
    set_state,
    state_of,
)


def save(program: Program, model_path: str, protocol: int = 4, **configs: Any) -> None:
    """Save a Program as `PATH.pdmodel`, its parameters as `PATH.pdparams`, and optimizer state as `PATH.pdopt`.

    Args:
        program: the Program.
        model_path: folder and prefix of the files' names; the folder is made.
        protocol: pickle's protocol, 2 to 4.
        configs: `pickle_protocol`, an old name of `protocol`.
    Raises:
        AssertionError: the path has no prefix.
        ValueError: the protocol is not 2, 3 or 4, or a variable has no value.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 3)
        >>> _ = paddle.static.Executor().run(paddle.static.default_startup_program())
        >>> folder = tempfile.mkdtemp()
        >>> paddle.static.save(paddle.static.default_main_program(), os.path.join(folder, "model"))
        >>> sorted(os.listdir(folder))
        ['model.pdmodel', 'model.pdopt', 'model.pdparams']

    Follows Paddle 2.6.
    """
    if "pickle_protocol" in configs:
        warnings.warn("`pickle_protocol` is an old name of the argument `protocol`.", stacklevel=2)
        protocol = configs["pickle_protocol"]
    model_folder(model_path)
    variables = list(program.list_vars())
    parameters, optimizer = (
        state_of(filter(is_parameter, variables)),
        state_of(filter(is_belong_to_optimizer, variables)),
    )
    save_pickle(parameters, model_path + ".pdparams", protocol)
    save_pickle(optimizer, model_path + ".pdopt", protocol)
    with replacing(model_path + ".pdmodel") as stream:
        stream.write(program_to_bytes(program))


def load(program: Program, model_path: str, executor: Any = None, var_list: Any = None) -> None:
    """Load into the global scope what `save` wrote of a Program, or what `save_vars` wrote.

    Args:
        program: the Program.
        model_path: prefix of the `.pdparams` and `.pdopt` files, or a folder or file of `save_vars`.
        executor: an Executor, needed for files of `save_vars`.
        var_list: for one file of `save_vars`, the Variables that it holds; for a folder, those to load.
    Raises:
        AssertionError: a file lacks one of the Program's variables, or executor is none.
        ValueError: an argument is missing, or a file is damaged.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 3)
        >>> _ = paddle.static.Executor().run(paddle.static.default_startup_program())
        >>> main, prefix = paddle.static.default_main_program(), os.path.join(tempfile.mkdtemp(), "model")
        >>> paddle.static.save(main, prefix)
        >>> with paddle.static.scope_guard(paddle.static.Scope()):
        ...     paddle.static.load(main, prefix, paddle.static.Executor())
        ...     main.all_parameters()[0].get_value().shape()
        [2, 3]

    Follows Paddle 2.6.
    """
    load_model(program, model_path, executor, var_list, listed_only=True)


def load_program_state(model_path: str, var_list: Any = None) -> dict[str, Any]:
    """Load parameters and optimizer state without a Program.

    Args:
        model_path: prefix of the `.pdparams` and `.pdopt` files, or a folder or file of `save_vars`.
        var_list: for files of `save_vars`, the Variables to load.
    Returns:
        Names and numpy arrays.
    Raises:
        ValueError: `var_list` is missing for one file of `save_vars`, or a file is damaged.
        RuntimeError: a file of `save_vars` cannot be read.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.utils.unique_name.guard():
        ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 3)
        >>> _ = paddle.static.Executor().run(paddle.static.default_startup_program())
        >>> prefix = os.path.join(tempfile.mkdtemp(), "model")
        >>> paddle.static.save(paddle.static.default_main_program(), prefix)
        >>> {name: value.shape for name, value in paddle.static.load_program_state(prefix).items()}
        {'fc_0.w_0': (2, 3), 'fc_0.b_0': (3,)}

    Follows Paddle 2.6.
    """
    return load_state(model_path, var_list, lenient=True)


def set_program_state(program: Program, state_dict: dict[str, Any]) -> None:
    """Set a Program's persistable variables in the global scope; what the Program does not have brings a warning.

    Args:
        program: the Program; its startup program has run.
        state_dict: names and numpy arrays, as `load_program_state` gives them.

    Raises:
        AssertionError: a variable has no value yet, or another shape or data type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.static.set_program_state(paddle.static.Program(), {})

    Follows Paddle 2.6.
    """
    set_state(program, state_dict)
