"""`paddle.utils.cpp_extension.extension_utils`: libraries of operators; what compiles refuses when it is used."""

from __future__ import annotations

import logging
import os
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.utils.cpp_extension.cpp_extension import refused


def load_op_meta_info_and_register_op(lib_filename: str) -> Any:
    """Take up the operators of a compiled library.

    Args:
        lib_filename (str): its file.
    Returns:
        Nothing; it raises.
    Raises:
        UnsupportedError: always.

    Example:
        >>> from paddle_compat.utils.cpp_extension import load_op_meta_info_and_register_op
        >>> try:
        ...     load_op_meta_info_and_register_op("mine.so")
        ... except NotImplementedError as error:
        ...     print("Use torch.utils.cpp_extension" in str(error))
        True

    Follows Paddle 2.6.
    """
    raise refused("load_op_meta_info_and_register_op")


def get_build_directory(verbose: bool = False) -> str:
    """Where compiled operators lie: PADDLE_EXTENSION_DIR, or `paddle_extensions` where caches are; it is made.

    Args:
        verbose (bool): whether a line of the log says so.
    Returns:
        str: the folder.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.utils.cpp_extension import get_build_directory
        >>> os.environ["PADDLE_EXTENSION_DIR"] = os.path.join(tempfile.mkdtemp(), "made")
        >>> os.path.basename(get_build_directory()), os.path.isdir(os.environ.pop("PADDLE_EXTENSION_DIR"))
        ('made', True)

    Follows Paddle 2.6.
    """
    folder = os.environ.get("PADDLE_EXTENSION_DIR") or os.path.join(os.path.expanduser("~/.cache"), "paddle_extensions")
    if verbose:
        logging.getLogger(__name__).warning("Compiled operators lie in %s.", folder)
    os.makedirs(folder, exist_ok=True)
    return folder


def _import_module_from_library(module_name: str, build_directory: str, verbose: bool = False) -> Any:
    """The module of a compiled library."""
    raise refused("extension_utils._import_module_from_library")


def _jit_compile(file_path: str, verbose: bool = False) -> None:
    """Run a file that compiles."""
    raise refused("extension_utils._jit_compile")


__all__ = ["get_build_directory", "load_op_meta_info_and_register_op"]

__getattr__ = missing(__name__)
