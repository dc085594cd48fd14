"""`paddle.cuda`: Paddle 3's names for GPUs, as torch.cuda has them."""

from paddle_compat._lazy import lazy

_TYPED = tuple(f"{kind}Tensor" for kind in ("BFloat16", "Bool", "Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short"))

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".device._accelerators": (
            "StreamContext", "amp", "nvtx", "current_device", "get_rng_state", "get_stream_from_external", "ipc_collect", "is_available",
            "is_bf16_supported", "is_current_stream_capturing", "is_initialized", "manual_seed", "manual_seed_all", "mem_get_info",
            "reset_max_memory_allocated", "reset_max_memory_reserved", "reset_peak_memory_stats", "set_device", "set_rng_state", "stream",
        ),
        ".device._choosing": ("device",),
        ".device._streams": ("Event", "Stream", "current_stream", "set_stream"),
        ".device.cuda": (
            "device_count", "empty_cache", "get_device_capability", "get_device_name", "get_device_properties", "max_memory_allocated",
            "max_memory_reserved", "memory_allocated", "memory_reserved", "synchronize",
        ),
        ".tensor._paddle3_made": _TYPED,
    },
)  # fmt: skip
