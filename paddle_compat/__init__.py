"""paddle_compat runs PaddlePaddle scripts on PyTorch.

    import paddle_compat as paddle

What a first Program needs is imported here; every other name and submodule loads on first use.
"""

from __future__ import annotations

import gc
import importlib
import sys

from . import _absent, _alias, _missing
from ._lazy import lazy
from .batch import batch as batch  # in place of the module of its name
from .tensor import FILES, TENSOR_ONLY
from .version import commit as __git_commit__
from .version import full_version as __version__

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_alias": ("install", "uninstall"),
        "amp._casting": ("autocast", "get_autocast_cpu_dtype", "get_autocast_dtype", "get_autocast_gpu_dtype", "is_autocast_enabled"),
        "autograd._grad": ("grad",),
        "autograd._modes": ("enable_grad", "is_grad_enabled", "no_grad", "set_grad_enabled"),
        "base.data_feeder": ("check_shape",),
        "batch": ("batch",),
        "compat.proxy": ("disable_compat", "enable_compat", "use_compat_guard"),
        "core.mode": ("disable_static", "enable_static"),
        "core.param_attr": ("ParamAttr",),
        "core.place": ("CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "CustomPlace", "IPUPlace", "XPUPlace"),
        "core.tensor": ("Tensor",),
        "distributed._data_parallel": ("DataParallel",),
        "framework.dtype": ("finfo", "get_default_dtype", "iinfo", "set_default_dtype"),
        "framework.constants": ("Size", "e", "inf", "nan", "newaxis", "pi"),
        "framework.dtypes": (
            "bfloat16", "bool", "complex128", "complex64", "dtype", "float16", "float32", "float64", "int16", "int32", "int64", "int8",
            "uint8", "cdouble", "cfloat", "double", "float", "half", "int", "long", "short", "float8_e4m3fn", "float8_e5m2", "pstring",
            "raw", "uint16", "uint32", "uint64",
        ),
        "framework.flags": ("get_flags", "set_flags"),
        "hapi.dynamic_flops": ("flops",),
        "hapi.model": ("Model",),
        "hapi.model_summary": ("summary",),
        "framework.io": ("async_save", "clear_async_save_task_queue", "load", "save"),
        "framework.mode": ("disable_signal_handler", "in_dynamic_mode"),
        "framework.random": (
            "Generator", "get_cuda_rng_state", "get_rng_state", "manual_seed", "seed", "set_cuda_rng_state", "set_rng_state",
        ),
        "device": (
            "Event", "Stream", "device_guard", "get_cudnn_version", "get_default_device", "get_device", "get_device_module",
            "is_compiled_with_cinn", "is_compiled_with_cuda", "is_compiled_with_custom_device", "is_compiled_with_distribute",
            "is_compiled_with_ipu", "is_compiled_with_mlu", "is_compiled_with_npu", "is_compiled_with_rocm", "is_compiled_with_xpu",
            "set_default_device", "set_device",
        ),
        **{f"tensor.{module}": tuple(n for n in names if n not in TENSOR_ONLY | {"complex"}) for module, names in FILES.items()},
        "utils.dlpack": ("from_dlpack", "to_dlpack"),
        "complex": (),  # a function and a module
        "nn.functional.conv": ("conv1d", "conv2d", "conv3d"),
        "nn.functional.norm": ("group_norm", "layer_norm"),
        "nn.functional.pooling": ("adaptive_avg_pool1d",),
        "nn.initializer.lazy_init": ("LazyGuard",),
        "static.variables": ("create_parameter",),
    },
)  # fmt: skip


def _import_first() -> None:
    """Import what a first static Program uses, which would otherwise be charged to the first step."""
    _absent.install()
    importlib.import_module(f"{__name__}.core.job").complete_environment()
    numpy = importlib.import_module(f"{__name__}._numpy")
    numpy.restore()
    if _alias.is_installed():  # the script was written for Paddle
        numpy.print_scalars_plainly()
        numpy.take_lists_of_unequal_lengths()
        importlib.import_module(f"{__name__}._python").restore()
    importlib.import_module(f"{__name__}.core.memory").keep_freed()
    for module in ("core.program",):
        importlib.import_module(f"{__name__}.{module}")
    importlib.import_module(f"{__name__}.tensor._operators").install()
    vars(sys.modules[f"{__name__}.core"])["__getattr__"] = _of_native_module
    vars(sys.modules[__name__])["paddle"] = sys.modules[__name__]  # as Paddle's own imports leave it there


def _of_native_module(name: str) -> object:
    """What scripts find in `paddle.core`: Paddle has its C++ module there, where our floor 0 is."""
    if name.startswith("__") or _missing.is_submodule(f"{__name__}.core", name):
        raise AttributeError(f"module '{__name__}.core' has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.base.core"), name)


def _import_quickly() -> None:
    """Import with Python's garbage collector off, and never search what is there then for garbage.

    PyTorch's modules are half a million objects. Each full collection walks over them: twice in this import, twice when Python ends.
    Where PyTorch was there before, so may be a script's own objects, in which garbage is searched for as ever.
    """
    enabled, alone = gc.isenabled(), "torch" not in sys.modules
    gc.disable()
    try:
        _import_first()
        if alone:
            gc.freeze()
    finally:
        if enabled:
            gc.enable()


def _is_runner_start() -> bool:
    """Whether Python is importing the package only to find the runner, for `python -m paddle_compat`.

    The script comes first there: it may set OMP_NUM_THREADS or FLAGS_*, which torch and the flags read early. The
    runner then lets the script's own import, under whichever name, run this file again.
    """
    words = [*sys.orig_argv, "-m", ""]
    finding = sys.argv[:1] == ["-m"] and f"{__name__}._runner" not in sys.modules
    return finding and words[words.index("-m") + 1] == __name__


if not _is_runner_start():
    _import_quickly()
