"""What is there to compute with, as Paddle's C++ answers it."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.core.place import CPUPlace, CUDAPlace


def get_cuda_device_count() -> int:
    """How many GPUs torch sees.

    Returns:
        int.

    Example:
        >>> from paddle_compat.base import core
        >>> core.get_cuda_device_count() >= 0
        True

    Follows Paddle 1.8 and 2.6.
    """
    return torch.cuda.device_count()


def is_compiled_with_cuda() -> bool:
    """Whether GPUs can be used.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_compiled_with_cuda() == (core.get_cuda_device_count() > 0)
        True

    Follows Paddle 1.8 and 2.6.
    """
    return torch.cuda.is_available()


def is_compiled_with_brpc() -> bool:
    """Whether brpc is there: never.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_compiled_with_brpc()
        False

    Follows Paddle 1.8 and 2.6.
    """
    return False


def is_compiled_with_dist() -> bool:
    """Whether distributed training is there.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_compiled_with_dist()
        True

    Follows Paddle 1.8 and 2.6.
    """
    return torch.distributed.is_available()


def is_compiled_with_mkldnn() -> bool:
    """Whether operators have oneDNN kernels to choose: never, torch chooses.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_compiled_with_mkldnn()
        False

    Follows Paddle 1.8 and 2.6.
    """
    return False


def is_bfloat16_supported(place: Any) -> bool:
    """Whether a device computes in bfloat16: CPUs, and GPUs that have it.

    Args:
        place (Place): the device.
    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_bfloat16_supported(core.CPUPlace())
        True

    Follows Paddle 2.6.
    """
    if isinstance(place, CUDAPlace):
        return torch.cuda.is_available() and torch.cuda.is_bf16_supported()
    return isinstance(place, CPUPlace)


def is_float16_supported(place: Any) -> bool:
    """Whether a device's own float16 arithmetic can be counted on: on GPUs.

    Args:
        place (Place): the device.
    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_float16_supported(core.CPUPlace())
        False

    Follows Paddle 2.6.
    """
    return isinstance(place, CUDAPlace) and torch.cuda.is_available()


def supports_bfloat16() -> bool:
    """Whether oneDNN's bfloat16 kernels are there: never.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.supports_bfloat16()
        False

    Follows Paddle 2.6.
    """
    return False


def avx_supported() -> bool:
    """Whether the processor has AVX instructions.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.avx_supported() == core.is_compiled_with_avx()
        True

    Follows Paddle 2.6.
    """
    return torch.backends.cpu.get_cpu_capability().startswith("AVX")


def is_compiled_with_nccl() -> bool:
    """Whether NCCL is there.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_compiled_with_nccl() <= core.is_compiled_with_cuda()
        True

    Follows Paddle 2.6.
    """
    return torch.cuda.is_available() and torch.distributed.is_available() and torch.distributed.is_nccl_available()


def is_compiled_with_mpi() -> bool:
    """Whether MPI is there: never.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_compiled_with_mpi()
        False

    Follows Paddle 2.6.
    """
    return False


def is_compiled_with_mpi_aware() -> bool:
    """Whether MPI takes tensors on GPUs: never.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_compiled_with_mpi_aware()
        False

    Follows Paddle 2.6.
    """
    return False


is_compiled_with_avx = avx_supported
