"""Whether a model that was pruned and saved loads and runs, and single variables in files: of `paddle.incubate.distributed.fleet.utils`."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from paddle_compat.base.lod_tensor import create_lod_tensor
from paddle_compat.core.block import Block
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.place import CPUPlace
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope, global_scope, scope_guard
from paddle_compat.core.variable import Variable
from paddle_compat.incubate.distributed.fleet._program_files import is_kept, load_program, logger, program_type_trans
from paddle_compat.static.executor import Executor
from paddle_compat.static.io import load_inference_model

not_expected_op_types = ["lookup_table"]
feed_fetch_type_list = [VarType.FEED_MINIBATCH, VarType.FETCH_LIST]


def check_not_expected_ops(prog: Program) -> None:
    """Warn of operators that a pruned Program should not have: look-ups in tables.

    Args:
        prog (Program): its first block is looked at.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.fleet.utils import check_not_expected_ops
        >>> check_not_expected_ops(paddle.static.Program())

    Follows Paddle 2.6.
    """
    for op in prog.global_block().ops:
        if op.type in not_expected_op_types:
            logger.warning("the program has an operator %s, which pruning should have taken out", op.type)


def append_load_op(block: Block, var: Variable, path: str) -> None:
    """Append an operator that reads a variable from a file of its own.

    Args:
        block (Block): where to.
        var (Variable): the variable.
        path (str): the file.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.fleet.utils import append_load_op
        >>> block = paddle.static.Program().global_block()
        >>> append_load_op(block, block.create_var(name="w", shape=[2], dtype="float32"), "folder/w")
        >>> block.ops[0].type
        'load'

    Follows Paddle 2.6.
    """
    block.append_op(type="load", inputs={}, outputs={"Out": [var]}, attrs={"file_path": path})


def append_save_op(block: Block, var: Variable, path: str) -> None:
    """Append an operator that writes a variable to a file of its own.

    Args:
        block (Block): where to.
        var (Variable): the variable.
        path (str): the file.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.fleet.utils import append_save_op
        >>> block = paddle.static.Program().global_block()
        >>> append_save_op(block, block.create_var(name="w", shape=[2], dtype="float32"), "folder/w")
        >>> block.ops[0].type
        'save'

    Follows Paddle 2.6.
    """
    block.append_op(type="save", inputs={"X": [var]}, outputs={}, attrs={"file_path": path})


def save_var(np_array: Any, var_name: str, shape_list: Sequence[int], dtype: Any, save_path: str) -> None:
    """Write an array as a variable's file.

    Args:
        np_array (numpy.ndarray): the values.
        var_name (str): the variable's name.
        shape_list (list): its shape.
        dtype (str): its data type.
        save_path (str): the file.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from paddle_compat.incubate.distributed.fleet.utils import load_var, save_var
        >>> path = os.path.join(tempfile.mkdtemp(), "w")
        >>> save_var(np.ones([2], "float32"), "w", [2], "float32", path)
        >>> load_var("w", [2], "float32", path)
        [array([1., 1.], dtype=float32)]

    Follows Paddle 2.6.
    """
    program = Program()
    var = program.global_block().create_var(name=var_name, shape=shape_list, dtype=dtype)
    append_save_op(program.global_block(), var, save_path)
    Executor(CPUPlace()).run(program, feed={var_name: np_array})


def load_var(var_name: str, shape_list: Sequence[int], dtype: Any, save_path: str) -> list[Any]:
    """Read a variable's file.

    Args:
        var_name (str): the variable's name.
        shape_list (list): its shape; the file's counts.
        dtype (str): its data type.
        save_path (str): the file.
    Returns:
        list: the one array.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from paddle_compat.incubate.distributed.fleet.utils import load_var, save_var
        >>> path = os.path.join(tempfile.mkdtemp(), "n")
        >>> save_var(np.array([3]), "n", [1], "int64", path)
        >>> load_var("n", [1], "int64", path)
        [array([3])]

    Follows Paddle 2.6.
    """
    program = Program()
    var = program.global_block().create_var(name=var_name, shape=shape_list, dtype=dtype)
    append_load_op(program.global_block(), var, save_path)
    found: list[Any] = Executor(CPUPlace()).run(program, fetch_list=[var])
    return found


def reader(batch_size: int, fn: str, dim: Any) -> list[Any]:
    """Read batches of samples from a file of numbers.

    Args:
        batch_size (int): how many samples a batch has; a line has whole batches, what is left over at its end is passed over.
        fn (str): the file.
        dim (int|list): a sample's shape.
    Returns:
        list: an array for each batch.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.incubate.distributed.fleet.utils import reader
        >>> path = os.path.join(tempfile.mkdtemp(), "numbers")
        >>> _ = open(path, "w").write("1 2 3 4 5")
        >>> reader(1, path, [2])
        [array([[1., 2.]]), array([[3., 4.]])]

    Follows Paddle 2.6.
    """
    shape = (batch_size, *_sizes(dim))
    count = math.prod(shape)
    batches = []
    with open(fn) as lines:
        for line in lines:
            numbers = [float(word) for word in line.split()]
            batches += [np.array(numbers[at : at + count]).reshape(shape) for at in range(0, len(numbers) - count + 1, count)]
    return batches


def feed_gen(batch_size: int, feeded_vars_dims: Sequence[Any], feeded_vars_filelist: Sequence[str]) -> list[list[Any]]:
    """Read batches for several variables, each from a file of its own.

    Args:
        batch_size (int): how many samples a batch has.
        feeded_vars_dims (list): the shape of a sample of each.
        feeded_vars_filelist (list): the files.
    Returns:
        list: of each variable, the batches that `reader` gives.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.incubate.distributed.fleet.utils import feed_gen
        >>> path = os.path.join(tempfile.mkdtemp(), "numbers")
        >>> _ = open(path, "w").write("1 2")
        >>> feed_gen(2, [1], [path])
        [[array([[1.],
               [2.]])]]

    Follows Paddle 2.6.
    """
    return [reader(batch_size, fn, dim) for dim, fn in zip(feeded_vars_dims, feeded_vars_filelist)]


def try_load_model_vars(
    dump_dir: str,
    dump_prog_fn: str,
    is_text_dump_program: bool,
    batch_size: int,
    feed_config: Any,
    fetch_config: Any,
    save_filename: str | None,
    saved_params: Iterable[Variable],
) -> list[Any]:
    """Load a saved model and run it once.

    Args:
        dump_dir (str): the folder.
        dump_prog_fn (str): the Program's file in it.
        is_text_dump_program (bool): that file holds text.
        batch_size (int): how many samples are fed.
        feed_config (object): what is fed, as `check_saved_vars_try_dump` takes it.
        fetch_config (object): what is fetched.
        save_filename (str): the one file of all parameters; None: a file for each.
        saved_params (list): the parameters, whose shapes those in the files must have.
    Returns:
        list: what was fetched.
    Raises:
        RuntimeError: a parameter, or what is fed, has another shape.
        ValueError: the Program has no such variable, or a file has no whole batch.

    Example:
        >>> from paddle_compat.incubate.distributed.fleet.utils import try_load_model_vars
        >>> try_load_model_vars("folder", "__model__", False, 1, feeds, fetches, None, [])  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    if is_text_dump_program:
        dump_prog_fn = program_type_trans(dump_dir, dump_prog_fn, is_text_dump_program)
    with scope_guard(Scope()):
        exe = Executor(CPUPlace())
        program, names, targets = load_inference_model(dump_dir, exe, model_filename=dump_prog_fn, params_filename=save_filename)
        for var in saved_params:
            shape = global_scope().var(var.name).get_tensor().shape()
            if tuple(shape) != tuple(var.shape):
                raise RuntimeError(f"Invalid file for `{var.name}`. Expected the Program's shape {list(var.shape)}. Received: {shape}")
        block = program.global_block()
        fed = [block.var(name) for name in feed_config.feeded_vars_names]
        _tell_difference("feeds", names, feed_config.feeded_vars_names)
        if fetch_config.fetch_vars_names is not None:
            _tell_difference("fetches", [target.name for target in targets], fetch_config.fetch_vars_names)
            targets = [block.var(name) for name in fetch_config.fetch_vars_names]
        results: list[Any] = exe.run(program, feed=_feeds(fed, batch_size, feed_config), fetch_list=targets, return_numpy=True)
    for target, value in zip(targets, results):
        logger.info("fetched %s: %s", target.name, value)
    return results


def check_saved_vars_try_dump(
    dump_dir: str,
    dump_prog_fn: str,
    is_text_dump_program: bool,
    feed_config: Any,
    fetch_config: Any,
    batch_size: int = 1,
    save_filename: str | None = None,
) -> list[Any]:
    """Whether a model that was saved loads and runs: run it once, on random numbers or on those of files.

    Args:
        dump_dir (str): the folder.
        dump_prog_fn (str): the Program's file in it.
        is_text_dump_program (bool): that file holds text.
        feed_config (object): with `feeded_vars_names`, `feeded_vars_dims` (the shape of a sample of each), `feeded_vars_types`, and
            `feeded_vars_filelist`: files of numbers as `reader` takes them, or None for random numbers.
        fetch_config (object): with `fetch_vars_names`; None for what the Program fetches.
        batch_size (int): how many samples are fed.
        save_filename (str): the one file of all parameters; None: a file for each.
    Returns:
        list: what was fetched.
    Raises:
        RuntimeError: a parameter, or what is fed, has another shape.
        ValueError: the Program has no such variable, or a file has no whole batch.

    Example:
        >>> from types import SimpleNamespace
        >>> from paddle_compat.incubate.distributed.fleet.utils import check_saved_vars_try_dump
        >>> feeds = SimpleNamespace(
        ...     feeded_vars_names=["x"], feeded_vars_dims=[4], feeded_vars_types=["float32"], feeded_vars_filelist=None)
        >>> fetches = SimpleNamespace(fetch_vars_names=None)
        >>> check_saved_vars_try_dump("folder", "__model__", False, feeds, fetches)  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    dumped = load_program(os.path.join(dump_dir, dump_prog_fn), is_text_dump_program)
    kept = [var for var in dumped.list_vars() if is_kept(var)]
    logger.info("persistable variables of the program: %s", [var.name for var in kept])
    check_not_expected_ops(dumped)
    return try_load_model_vars(dump_dir, dump_prog_fn, is_text_dump_program, batch_size, feed_config, fetch_config, save_filename, kept)


def _sizes(dim: Any) -> tuple[int, ...]:
    return tuple(dim) if isinstance(dim, (list, tuple)) else (dim,)


def _tell_difference(what: str, real: Sequence[str], wanted: Sequence[str]) -> None:
    if set(real) != set(wanted):
        logger.warning("%s of the program are %s, those of the config %s", what, list(real), list(wanted))


def _feeds(fed: Sequence[Variable], batch_size: int, config: Any) -> dict[str, Any]:
    """What to feed, by name."""
    shapes = [_sizes(dim) for dim in config.feeded_vars_dims]
    for var, shape in zip(fed, shapes):
        if tuple(var.shape[1:]) != shape:
            raise RuntimeError(f"Invalid feed for `{var.name}`. Expected samples of shape {list(var.shape[1:])}. Received: {list(shape)}")
    if config.feeded_vars_filelist is None:
        values = [np.random.random((batch_size, *shape)) for shape in shapes]
    else:
        values = []
        for path, batches in zip(config.feeded_vars_filelist, feed_gen(batch_size, shapes, config.feeded_vars_filelist)):
            if not batches:
                raise invalid_argument("feed_config.feeded_vars_filelist", f"files with {batch_size} samples in a line", path)
            values.append(np.concatenate(batches))
    feeds: dict[str, Any] = {}
    for var, value, dtype in zip(fed, values, config.feeded_vars_types):
        whole = value.astype(dtype)
        feeds[var.name] = create_lod_tensor(whole, [[1] * len(whole)], CPUPlace()) if var.lod_level else whole
    return feeds
