"""`paddle.base`: where Paddle 2.6 and later keep what `paddle.fluid` held."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "dygraph": (),
        "dygraph.base": ("disable_dygraph", "enable_dygraph"),
        "dygraph_utils": (),
        "layer_helper_base": (),
        "framework": (),
        "executor": (),
        "unique_name": (),
        "param_attr": (),
        "layer_helper": (),
        "backward": (),
        "data_feeder": ("DataFeeder",),
        "default_scope_funcs": (),
        "initializer": ("set_global_initializer",),
        "io": (),
        "log_helper": (),
        "wrapped_decorator": (),
        "lod_tensor": ("create_lod_tensor", "create_random_int_lodtensor"),
        "variable_index": (),
        ".core.backward": ("append_backward", "gradients"),
        ".core.lod": ("LoDTensor", "LoDTensorArray"),
        "core": ("Tensor",),
        ".core.param_attr": ("ParamAttr", "WeightNormParamAttr"),
        ".core.place": ("CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "XPUPlace"),
        ".core.program": (
            "Program", "default_main_program", "default_startup_program", "device_guard", "name_scope", "program_guard",
        ),
        ".core.mode": ("in_dygraph_mode",),
        ".static._kinds": ("Variable",),
        ".core.scope": ("Scope", "global_scope", "scope_guard"),
        ".device": ("is_compiled_with_cinn", "is_compiled_with_cuda", "is_compiled_with_rocm", "is_compiled_with_xpu"),
        ".static.places": ("cpu_places", "cuda_pinned_places", "cuda_places"),
        ".static.versions": ("require_version",),
        ".framework.flags": ("get_flags", "set_flags"),
        ".framework.mode": ("in_dynamic_or_pir_mode", "in_pir_mode"),
        ".static.executor": ("Executor",),
    },
)  # fmt: skip
