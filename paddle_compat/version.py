"""`paddle.version`: which Paddle a script believes it runs on; PADDLE_COMPAT_VERSION in the environment changes it."""

from __future__ import annotations

from . import _alias
from ._missing import unsupported

RELEASE = "0.1.0"

full_version = _alias.paddle_version()
major, minor, patch = full_version.split(".")
rc = "0"
commit = f"paddle_compat-{RELEASE}"
istaged = is_tagged = True
with_mkl = "ON"
cinn_version = xpu_version = xpu_xccl_version = "False"

__all__ = ["cuda", "cudnn", "show", "xpu", "xpu_xccl"]


def cuda() -> str:
    """The CUDA version that torch was built with.

    Returns:
        str: for example ``"12.6"``; ``"False"`` for a build without CUDA, as Paddle says it.
    Example:
        >>> import paddle_compat as paddle
        >>> isinstance(paddle.version.cuda(), str)
        True

    Follows Paddle 2.6.
    """
    import torch

    return torch.version.cuda or "False"


def cudnn() -> str:
    """The cuDNN version that torch was built with.

    Returns:
        str: for example ``"9.1.0"``; ``"False"`` for a build without CUDA.
    Example:
        >>> import paddle_compat as paddle
        >>> isinstance(paddle.version.cudnn(), str)
        True

    Follows Paddle 2.6.
    """
    import torch

    number = torch.backends.cudnn.version() if torch.version.cuda else None
    if not number:
        return "False"
    thousand = 10000 if number >= 90000 else 1000  # cuDNN 9 widened its number
    return f"{number // thousand}.{number % thousand // 100}.{number % 100}"


def mkl() -> str:
    """Whether MKL is in the build, as Paddle says it.

    Returns:
        str: ``"ON"``; torch's CPU kernels bring their own.
    Example:
        >>> import paddle_compat as paddle
        >>> paddle.version.mkl()
        'ON'

    Follows Paddle 2.6.
    """
    return with_mkl


def xpu() -> str:
    """The XPU version.

    Returns:
        str: ``"False"``: there are no Kunlun devices here.
    Example:
        >>> import paddle_compat as paddle
        >>> paddle.version.xpu()
        'False'

    Follows Paddle 2.6.
    """
    return xpu_version


def xpu_xccl() -> str:
    """The version of the XPU's collective library.

    Returns:
        str: ``"False"``: there are no Kunlun devices here.
    Example:
        >>> import paddle_compat as paddle
        >>> paddle.version.xpu_xccl()
        'False'

    Follows Paddle 2.6.
    """
    return xpu_xccl_version


def cinn() -> str:
    """The version of the CINN compiler.

    Returns:
        str: ``"False"``: it is not here.
    Example:
        >>> import paddle_compat as paddle
        >>> paddle.version.cinn()
        'False'

    Follows Paddle 2.6.
    """
    return cinn_version


def show() -> None:
    """Print the version, its parts and what it was built with.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.version.show()  # doctest: +ELLIPSIS
        full_version: ...

    Follows Paddle 2.6.
    """
    for name in ("full_version", "major", "minor", "patch", "rc"):
        print(f"{name}: {globals()[name]}")
    print(f"cuda: {cuda()}\ncudnn: {cudnn()}\nxpu: {xpu()}\nxpu_xccl: {xpu_xccl()}\ncinn: {cinn()}")


def __getattr__(name: str) -> str:
    if name == "cuda_version":
        return cuda()
    if name == "cudnn_version":
        return cudnn()
    raise unsupported(__name__, name)
