"""`paddle.utils.cpp_extension.extension_utils`: libraries of operators; each name refuses when it is used, not when it is imported."""

from __future__ import annotations

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
    """Where compiled operators would lie.

    Args:
        verbose (bool): of no effect.
    Returns:
        Nothing; it raises.
    Raises:
        UnsupportedError: always.

    Example:
        >>> from paddle_compat.utils.cpp_extension import get_build_directory
        >>> try:
        ...     get_build_directory()
        ... except NotImplementedError as error:
        ...     print("Use torch.utils.cpp_extension" in str(error))
        True

    Follows Paddle 2.6.
    """
    raise refused("get_build_directory")


def _import_module_from_library(module_name: str, build_directory: str, verbose: bool = False) -> Any:
    """The module of a compiled library."""
    raise refused("extension_utils._import_module_from_library")


def _jit_compile(file_path: str, verbose: bool = False) -> None:
    """Run a file that compiles."""
    raise refused("extension_utils._jit_compile")


__all__ = ["get_build_directory", "load_op_meta_info_and_register_op"]

__getattr__ = missing(__name__)
