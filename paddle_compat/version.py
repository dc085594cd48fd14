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
cinn_version = xpu_version = xpu_xccl_version = xpu_xre_version = xpu_xhpc_version = "False"
tensorrt_version = "None"
hip = hip_version = None  # of builds for AMD's GPUs, since Paddle 3

__all__ = ["cuda", "cuda_archs", "cudnn", "hip", "nccl", "show", "tensorrt", "xpu", "xpu_xccl", "xpu_xhpc", "xpu_xre"]


class CudaVersion(str):
    """A version of CUDA, which `paddle.version.cuda` is since Paddle 3.3: text as torch has it, and a call gives the same.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.version.CudaVersion("12.6"), paddle.version.CudaVersion("12.6")()
        (CudaVersion('12.6'), '12.6')

    Follows Paddle 3.3.
    """

    def __call__(self) -> str:
        """The version.

        Returns:
            str.
        """
        return str(self)

    def __repr__(self) -> str:
        return f"CudaVersion({str(self)!r})"


def _cuda() -> str:
    import torch

    return torch.version.cuda or "False"


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
    return _cuda()


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


def nccl() -> str:
    """The NCCL version that torch was built with.

    Returns:
        str: for example ``"22809"`` for 2.28.9; ``"0"`` for a build without NCCL, as Paddle says it.
    Example:
        >>> import paddle_compat as paddle
        >>> paddle.version.nccl().isdigit()
        True

    Follows Paddle 3.3.
    """
    import torch

    if not (torch.version.cuda and torch.distributed.is_available() and torch.distributed.is_nccl_available()):
        return "0"
    major, minor, patch = torch.cuda.nccl.version()[:3]
    return str(major * 10000 + minor * 100 + patch)  # NCCL's own number since 2.9


def cuda_archs() -> list[int]:
    """The compute capabilities that torch's kernels were built for.

    Returns:
        list[int]: for example ``[80, 90]``; none for a build without CUDA.
    Example:
        >>> import paddle_compat as paddle
        >>> all(arch > 10 for arch in paddle.version.cuda_archs())
        True

    Follows Paddle 3.3.
    """
    import torch

    flags = torch._C._cuda_getArchFlags() if torch.version.cuda else None
    return [int(arch.removeprefix("sm_")) for arch in (flags or "").split() if arch.removeprefix("sm_").isdigit()]


def tensorrt() -> str:
    """The TensorRT version.

    Returns:
        str: ``"None"``: there is no TensorRT here.
    Example:
        >>> import paddle_compat as paddle
        >>> paddle.version.tensorrt()
        'None'

    Follows Paddle 3.3.
    """
    return tensorrt_version


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


def xpu_xre() -> str:
    """The version of the XPU's runtime.

    Returns:
        str: ``"False"``: there are no Kunlun devices here.
    Example:
        >>> import paddle_compat as paddle
        >>> paddle.version.xpu_xre()
        'False'

    Follows Paddle 3.3.
    """
    return xpu_xre_version


def xpu_xhpc() -> str:
    """The version of the XPU's libraries of kernels.

    Returns:
        str: ``"False"``: there are no Kunlun devices here.
    Example:
        >>> import paddle_compat as paddle
        >>> paddle.version.xpu_xhpc()
        'False'

    Follows Paddle 3.3.
    """
    return xpu_xhpc_version


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
    """Print the version, its parts and what it was built with; as Paddle 3.3 more of it, where that is the version.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.version.show()  # doctest: +ELLIPSIS
        full_version: ...

    Follows Paddle 2.6.
    """
    for name in ("full_version", "major", "minor", "patch", "rc"):
        print(f"{name}: {globals()[name]}")
    if not _alias.since("3.3"):
        print(f"cuda: {_cuda()}\ncudnn: {cudnn()}\nxpu: {xpu()}\nxpu_xccl: {xpu_xccl()}\ncinn: {cinn()}")
        return
    print(f"cuda: {_cuda()}\ncudnn: {cudnn()}\nhip: {hip}\nnccl: {nccl()}\nxpu_xre: {xpu_xre()}\nxpu_xccl: {xpu_xccl()}")
    print(f"xpu_xhpc: {xpu_xhpc()}\ncinn: {cinn()}\ntensorrt_version: {tensorrt()}\ncuda_archs: {cuda_archs()}")


if _alias.since("3.3"):
    del cuda  # a CudaVersion, which is not asked of torch before somebody wants to know it


def __getattr__(name: str) -> str | list[int]:
    if name == "cuda":
        return CudaVersion(_cuda())
    if name == "cuda_version":
        return _cuda()
    if name == "compiled_cuda_archs":
        return cuda_archs()
    if name == "cudnn_version":
        return cudnn()
    if name == "nccl_version":
        return nccl()
    raise unsupported(__name__, name)
