"""`paddle.static`: recording Programs and running them."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "build_strategy": ("BuildStrategy",),
        "compiled_program": ("CompiledProgram",),
        "execution_strategy": ("ExecutionStrategy",),
        "_foreign_chips": ("IpuCompiledProgram", "IpuStrategy", "ipu_shard_guard", "set_ipu_shard", "xpu_places"),
        "parallel_executor": ("ParallelExecutor",),
        "_kinds": ("Variable",),
        "executor": ("Executor",),
        "input": ("InputSpec", "data"),
        "metric": ("accuracy", "auc", "ctr_metric_bundle"),
        "io": (
            "deserialize_persistables", "deserialize_program", "load", "load_from_file", "load_inference_model",
            "load_program_state", "normalize_program", "save", "save_inference_model", "save_to_file",
            "serialize_persistables", "serialize_program", "set_program_state", "load_vars", "save_vars",
        ),
        "ema": ("ExponentialMovingAverage",),
        "nn.control_flow": ("Print",),
        "amp": (),
        "variables": ("cpu_places", "create_global_var", "create_parameter", "cuda_places", "py_func"),
        ".core.backward": ("append_backward", "gradients"),
        ".core.operator": ("Operator",),
        ".core.variable": ("Parameter",),
        ".core.param_attr": ("WeightNormParamAttr",),
        ".core.program": (
            "Program", "default_main_program", "default_startup_program", "device_guard", "name_scope", "program_guard",
        ),
        ".tensor._variable_assignment": ("setitem",),
        ".core.scope": ("Scope", "global_scope", "scope_guard"),
        "nn": (),
    },
    starred=(),
)  # fmt: skip
