"""`paddle.utils.cpp_extension.cpp_extension`: building operators; each name refuses when it is used, not when it is imported."""

from __future__ import annotations

import os
import shutil
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError


def refused(name: str) -> UnsupportedError:
    """The error of one of the package's names that is used.

    Args:
        name (str): the name.
    Returns:
        UnsupportedError.

    Example:
        >>> from paddle_compat.utils.cpp_extension.cpp_extension import refused
        >>> str(refused("load")).split(" (")[0]
        '`paddle.utils.cpp_extension.load` is not supported by paddle_compat'

    Follows Paddle 2.6.
    """
    error = UnsupportedError(f"paddle.utils.cpp_extension.{name}", instead="torch.utils.cpp_extension")
    error.args = (f"{error} PaddlePaddle has it in 2.6.2 and 3.3.1.",)
    return error


def _cuda_home() -> str | None:
    """Where CUDA's compiler is installed; None: nowhere."""
    compiler = shutil.which("nvcc")
    found = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or (compiler and os.path.dirname(os.path.dirname(compiler)))
    return found or ("/usr/local/cuda" if os.path.isdir("/usr/local/cuda") else None)


CUDA_HOME = _cuda_home()


class BuildExtension:
    """What setuptools would build operators with: libraries derive classes from it.

    Args:
        args: of no effect.
        kwargs: of no effect.
    Raises:
        UnsupportedError: one is made.

    Example:
        >>> from paddle_compat.utils.cpp_extension import BuildExtension
        >>> class Build(BuildExtension):
        ...     pass

    Follows Paddle 2.6.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise refused("BuildExtension")


def CppExtension(sources: Any, *args: Any, **kwargs: Any) -> Any:
    """Name an extension of C++ files.

    Args:
        sources (list): files.
        args: of no effect.
        kwargs: of no effect.
    Returns:
        Nothing; it raises.
    Raises:
        UnsupportedError: always.

    Example:
        >>> from paddle_compat.utils.cpp_extension import CppExtension
        >>> try:
        ...     CppExtension(["relu.cc"])
        ... except NotImplementedError as error:
        ...     print("Use torch.utils.cpp_extension" in str(error))
        True

    Follows Paddle 2.6.
    """
    raise refused("CppExtension")


def CUDAExtension(sources: Any, *args: Any, **kwargs: Any) -> Any:
    """Name an extension of C++ and CUDA files.

    Args:
        sources (list): files.
        args: of no effect.
        kwargs: of no effect.
    Returns:
        Nothing; it raises.
    Raises:
        UnsupportedError: always.

    Example:
        >>> from paddle_compat.utils.cpp_extension import CUDAExtension
        >>> try:
        ...     CUDAExtension(["relu.cu"])
        ... except NotImplementedError as error:
        ...     print("Use torch.utils.cpp_extension" in str(error))
        True

    Follows Paddle 2.6.
    """
    raise refused("CUDAExtension")


def load(
    name: str, sources: Any, extra_cxx_cflags: Any = None, extra_cuda_cflags: Any = None, extra_ldflags: Any = None,
    extra_include_paths: Any = None, extra_library_paths: Any = None, build_directory: str | None = None, verbose: bool = False,
) -> Any:  # fmt: skip
    """Compile operators and have them as a module.

    Args:
        name (str): the module's.
        sources (list): files.
        extra_cxx_cflags (list): for the C++ compiler.
        extra_cuda_cflags (list): for CUDA's.
        extra_ldflags (list): for the linker.
        extra_include_paths (list): folders.
        extra_library_paths (list): folders.
        build_directory (str): a folder.
        verbose (bool): of no effect.
    Returns:
        Nothing; it raises.
    Raises:
        UnsupportedError: always.

    Example:
        >>> from paddle_compat.utils.cpp_extension import load
        >>> try:
        ...     load("mine", ["relu.cc"])
        ... except NotImplementedError as error:
        ...     print("Use torch.utils.cpp_extension" in str(error))
        True

    Follows Paddle 2.6.
    """
    raise refused("load")


def setup(**attr: Any) -> None:
    """Compile and install operators.

    Args:
        attr: setuptools' arguments.
    Raises:
        UnsupportedError: always.

    Example:
        >>> from paddle_compat.utils.cpp_extension import setup
        >>> try:
        ...     setup(name="mine")
        ... except NotImplementedError as error:
        ...     print("Use torch.utils.cpp_extension" in str(error))
        True

    Follows Paddle 2.6.
    """
    raise refused("setup")


__all__ = ["BuildExtension", "CUDAExtension", "CUDA_HOME", "CppExtension", "load", "setup"]

__getattr__ = missing(__name__)
