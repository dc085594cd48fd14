"""`paddle.framework`: flags, seeds, default data type, files, and names of the recording machinery."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "io": ("async_save", "clear_async_save_task_queue", "load", "save"),
        "flags": ("get_flags", "set_flags"),
        "random": ("get_cuda_rng_state", "get_rng_state", "seed", "set_cuda_rng_state", "set_rng_state"),
        "dtype": ("convert_np_dtype_to_dtype_", "finfo", "get_default_dtype", "iinfo", "set_default_dtype"),
        "mode": ("in_dynamic_mode", "in_dynamic_or_pir_mode", "in_pir_executor_mode", "in_pir_mode", "use_pir_api"),
        ".base": ("core",),
        ".base.framework": (
            "_create_tensor", "_current_expected_place", "_current_expected_place_", "_dygraph_tracer", "_get_paddle_place",
            "IrGraph", "_global_flags", "_no_check_dy2st_diff", "dygraph_only",
        ),
        ".autograd._modes": ("no_grad",),
        ".core.mode": ("disable_static", "enable_static"),
        ".autograd._grad": ("grad",),
        ".base.dygraph": ("base",),
        ".base.dygraph.base": ("to_variable",),
        ".static._files": ("is_belong_to_optimizer", "is_parameter", "is_persistable"),
        ".core.op_protos": ("OpProtoHolder",),
        ".core.layer_helper": ("LayerHelper",),
        ".core.place": ("CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "CustomPlace", "IPUPlace", "XPUPlace"),
        ".core.param_attr": ("ParamAttr",),
        ".core.program": (
            "Block", "Parameter", "Program", "Variable", "default_main_program", "default_startup_program",
            "switch_main_program", "switch_startup_program",
        ),
    },
)  # fmt: skip
