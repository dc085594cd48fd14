"""`paddle.fluid`: the names of Paddle 1.8, over the same operators as `paddle.*`."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        **dict.fromkeys((
            "average", "backward", "clip", "communicator", "compiler", "contrib", "core", "core_avx", "data_feed_desc", "data_feeder",
            "dataloader", "dataset", "debugger", "default_scope_funcs", "device_worker", "dygraph", "dygraph_utils", "evaluator",
            "executor", "framework", "graphviz", "initializer", "input", "install_check", "io", "layers", "lod_tensor", "log_helper",
            "metrics", "multiprocess_utils", "nets", "op", "optimizer", "parallel_executor", "param_attr", "profiler", "reader",
            "regularizer", "trainer_desc", "trainer_factory", "transpiler", "unique_name", "wrapped_decorator",
        ), ()),
        "framework": (
            "ComplexVariable", "Program", "Variable", "cpu_places", "cuda_pinned_places", "cuda_places", "default_main_program",
            "default_startup_program", "device_guard", "in_dygraph_mode", "is_compiled_with_cuda", "load_op_library", "name_scope",
            "program_guard", "require_version",
        ),
        "dygraph.base": ("disable_dygraph", "disable_imperative", "enable_dygraph", "enable_imperative"),
        "dygraph.checkpoint": ("load_dygraph", "save_dygraph"),
        "dygraph.nn": (
            "BCELoss", "BatchNorm", "BilinearTensorProduct", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "Dropout",
            "Embedding", "GRUUnit", "GroupNorm", "InstanceNorm", "L1Loss", "LayerNorm", "Linear", "MSELoss", "NCE", "NLLLoss", "PRelu",
            "Pool2D", "SpectralNorm",
        ),
        "dygraph.layers": ("Layer",),
        "compiler": ("BuildStrategy", "CompiledProgram", "ExecutionStrategy"),
        "parallel_executor": ("ParallelExecutor",),
        "executor": ("Executor", "Scope", "global_scope", "scope_guard"),
        "input": ("data", "embedding", "one_hot"),
        "param_attr": ("ParamAttr", "WeightNormParamAttr"),
        "backward": ("append_backward", "gradients"),
        "lod_tensor": ("create_lod_tensor", "create_random_int_lodtensor"),
        "core": ("CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "LoDTensor", "LoDTensorArray", "Tensor"),
        "io": ("load", "load_program_state", "save", "set_program_state"),
        "data_feeder": ("DataFeeder",),
        "data_feed_desc": ("DataFeedDesc",),
        "dataset": ("DatasetFactory", "InMemoryDataset", "QueueDataset"),
        "_memory": ("memory_optimize", "release_memory"),
        "transpiler": ("DistributeTranspiler", "DistributeTranspilerConfig"),
        ".framework": ("get_flags", "set_flags"),
    },
)  # fmt: skip
