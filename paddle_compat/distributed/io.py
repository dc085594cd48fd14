"""`paddle.distributed.io`: a Program's persistable variables in files."""

from __future__ import annotations

import os
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.mode import static_only
from paddle_compat.core.program import Program
from paddle_compat.static import io
from paddle_compat.static._files import is_persistable


def save_persistables(executor: Any, dirname: str | None, main_program: Program | None = None, filename: str | None = None) -> None:
    """Save the persistable variables of a Program: its parameters, and what optimizers and layers keep.

    Args:
        executor (Executor): of the Program.
        dirname (str): the folder.
        main_program (Program): None: the default main program.
        filename (str): one file for all; None: a file for each, of its name.
    Raises:
        AssertionError: eager mode.
        TypeError: main_program is no Program.
        ValueError: a variable has no value.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.utils.unique_name.guard():
        ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 3)
        >>> exe, folder = paddle.static.Executor(), tempfile.mkdtemp()
        >>> _ = exe.run(paddle.static.default_startup_program())
        >>> paddle.distributed.io.save_persistables(exe, folder)
        >>> sorted(os.listdir(folder))
        ['fc_0.b_0', 'fc_0.w_0']

    Follows Paddle 2.6.
    """
    static_only("paddle.distributed.io.save_persistables")
    io.save_vars(executor, dirname, main_program, None, is_persistable, filename)


def load_persistables(executor: Any, dirname: str | None, main_program: Program | None = None, filename: str | None = None) -> None:
    """Load the persistable variables of a Program into the global scope.

    Args:
        executor (Executor): of the Program.
        dirname (str): the folder.
        main_program (Program): None: the default main program.
        filename (str): the one file of all; None: a file for each.
    Raises:
        AssertionError: eager mode.
        TypeError: main_program is no Program.
        ValueError: a file is truncated or holds something else.
        RuntimeError: a file cannot be read, or a parameter has another shape.

    Example:
        >>> import tempfile, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 3)
        >>> exe, folder = paddle.static.Executor(), tempfile.mkdtemp()
        >>> _ = exe.run(paddle.static.default_startup_program())
        >>> paddle.distributed.io.save_persistables(exe, folder, filename="all")
        >>> paddle.distributed.io.load_persistables(exe, folder, filename="all")

    Follows Paddle 2.6.
    """
    static_only("paddle.distributed.io.load_persistables")
    io.load_vars(executor, dirname, main_program, None, is_persistable, filename)


def load_inference_model_distributed(
    dirname: str, executor: Any, model_filename: str | None = None, params_filename: str | None = None, pserver_endpoints: Any = None
) -> list[Any]:
    """Load a saved inference model: the Program, and its parameters into the global scope.

    Args:
        dirname (str): the folder.
        executor (Executor): of the Program.
        model_filename (str): the Program's file in the folder; None: `__model__`.
        params_filename (str): the one file of all parameters; None: a file for each.
        pserver_endpoints (list): not supported.
    Returns:
        A list: the Program, the names to feed, and the Variables to fetch.
    Raises:
        ValueError: there is no such folder, or a file holds something else.
        FileNotFoundError: there is no such model.
        UnsupportedError: pserver_endpoints is given.

    Example:
        >>> import tempfile, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 2])
        >>> y, exe, folder = paddle.static.nn.fc(x, 3), paddle.static.Executor(), tempfile.mkdtemp()
        >>> _ = exe.run(paddle.static.default_startup_program())
        >>> paddle.static.save_inference_model(folder + "/m", [x], [y], exe)
        >>> load = paddle.distributed.io.load_inference_model_distributed
        >>> program, feeds, fetches = load(folder, exe, "m.pdmodel", "m.pdiparams")
        >>> feeds, fetches[0].shape
        (['x'], (-1, 3))

    Follows Paddle 2.6.
    """
    api = "paddle.distributed.io.load_inference_model_distributed"
    if pserver_endpoints:
        raise UnsupportedError(api, "pserver_endpoints", "a model without a distributed look-up table")
    if not os.path.isdir(dirname):
        raise invalid_argument("dirname", "an existing folder", repr(dirname), api)
    return io.load_inference_model(dirname, executor, model_filename=model_filename, params_filename=params_filename)


__all__ = ["is_persistable", "load_inference_model_distributed", "load_persistables", "save_persistables"]
__getattr__ = missing(__name__)
