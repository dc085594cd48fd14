"""Programs in files of their own, and whether a pruned one fits what was trained: of `paddle.incubate.distributed.fleet.utils`."""

from __future__ import annotations

import logging
import os

from paddle_compat.core.program import Program
from paddle_compat.core.proto import encode
from paddle_compat.core.text_reader import message_from_text
from paddle_compat.core.variable import Variable

logger = logging.getLogger("paddle_compat.fleet")
_OF_THE_EXECUTOR = ("feed", "fetch")


def load_program(model_filename: str, is_text: bool = False) -> Program:
    """Read a Program.

    Args:
        model_filename (str): the file.
        is_text (bool): the file holds a description as text.
    Returns:
        Program.
    Raises:
        InvalidArgumentError: it holds something else.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.fleet.utils import load_program, save_program
        >>> path = os.path.join(tempfile.mkdtemp(), "__model__")
        >>> save_program(paddle.static.Program(), path)
        >>> load_program(path).num_blocks
        1

    Follows Paddle 2.6.
    """
    if is_text:
        return load_program_text(model_filename)
    return load_program_binary(model_filename)


def load_program_binary(model_filename: str) -> Program:
    """Read a Program from a file of its bytes.

    Args:
        model_filename (str): the file.
    Returns:
        Program.
    Raises:
        InvalidArgumentError: it holds something else.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.fleet.utils import load_program_binary, save_program
        >>> path = os.path.join(tempfile.mkdtemp(), "__model__")
        >>> save_program(paddle.static.Program(), path)
        >>> load_program_binary(path).num_blocks
        1

    Follows Paddle 2.6.
    """
    with open(model_filename, "rb") as file:
        return Program.parse_from_string(file.read())


def load_program_text(model_filename: str) -> Program:
    """Read a Program from a file of text.

    Args:
        model_filename (str): the file.
    Returns:
        Program.
    Raises:
        InvalidArgumentError: it holds something else.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.fleet.utils import load_program_text, save_program
        >>> path = os.path.join(tempfile.mkdtemp(), "main.pbtxt")
        >>> save_program(paddle.static.Program(), path, is_text=True)
        >>> load_program_text(path).num_blocks
        1

    Follows Paddle 2.6.
    """
    with open(model_filename, encoding="utf-8") as text:
        description = message_from_text(text.read(), "ProgramDesc", model_filename)
    return Program.parse_from_string(encode(description, "ProgramDesc"))


def save_program(program: Program, model_filename: str = "__model__", is_text: bool = False) -> None:
    """Write a Program's description to a file.

    Args:
        program (Program): the Program.
        model_filename (str): the file.
        is_text (bool): as text.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.fleet.utils import save_program
        >>> path = os.path.join(tempfile.mkdtemp(), "__model__")
        >>> save_program(paddle.static.Program(), path, is_text=True)
        >>> open(path).readline()
        'blocks {\\n'

    Follows Paddle 2.6.
    """
    if is_text:
        with open(model_filename, "w") as file:
            file.write(program.to_string(True))
    else:
        with open(model_filename, "wb") as data:
            data.write(program.desc.serialize_to_string())


def program_type_trans(prog_dir: str, prog_fn: str, is_text: bool) -> str:
    """Write a Program's file in the other form beside it.

    Args:
        prog_dir (str): the folder.
        prog_fn (str): the file's name.
        is_text (bool): that file holds text.
    Returns:
        str: the name of the new file, which ends in `.pbtxt`, or in `.bin` where the other one holds text.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.fleet.utils import program_type_trans, save_program
        >>> folder = tempfile.mkdtemp()
        >>> save_program(paddle.static.Program(), os.path.join(folder, "main"))
        >>> program_type_trans(folder, "main", is_text=False)
        'main.pbtxt'

    Follows Paddle 2.6.
    """
    program = load_program(os.path.join(prog_dir, prog_fn), is_text)
    other = f"{prog_fn}.bin" if is_text else f"{prog_fn}.pbtxt"
    save_program(program, os.path.join(prog_dir, other), is_text=not is_text)
    return other


def check_pruned_program_vars(train_prog: Program, pruned_prog: Program) -> bool:
    """Whether the persistable variables of a pruned Program are those of the trained one, with their shapes and data types.

    Args:
        train_prog (Program): what was trained.
        pruned_prog (Program): a part of it; what differs is logged.
    Returns:
        bool: False where a shape or a data type differs; as in Paddle, variables that the trained Program does not have are only logged.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.fleet.utils import check_pruned_program_vars
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     _ = paddle.static.nn.fc(paddle.static.data("x", [2, 3]), 4)
        >>> check_pruned_program_vars(main, main.clone(for_test=True))
        True

    Follows Paddle 2.6.
    """
    trained, fits = train_prog.global_block().vars, True
    kept = {name: var for name, var in pruned_prog.global_block().vars.items() if is_kept(var)}
    logger.info("persistable vars in pruned program: %s", list(kept))
    for name, var in kept.items():
        if name not in trained:
            logger.error("not find variable '%s' in train program. please check pruning.", name)
        elif _shown(var) != _shown(trained[name]):
            logger.error("variable: %s not match. in pruned program %s, in train program %s", name, _shown(var), _shown(trained[name]))
            fits = False
    return fits


def is_kept(var: Variable) -> bool:
    return bool(var.persistable) and var.name not in _OF_THE_EXECUTOR


def _shown(var: Variable) -> str:
    return f"shape: {tuple(var.shape)} dtype: {var.dtype}"
