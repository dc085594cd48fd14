"""`paddle.fluid.dygraph`: eager mode as Paddle 1.8 has it, over the same operators as everything else."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        **dict.fromkeys((
            "backward_strategy", "base", "checkpoint", "container", "dygraph_to_static", "jit", "layer_object_helper", "layers",
            "learning_rate_scheduler", "nn", "parallel", "parallel_helper", "static_runner", "tracer",
        ), ()),
        "base": (
            "disable_dygraph", "disable_imperative", "enable_dygraph", "enable_imperative", "enabled", "grad", "guard", "no_grad",
            "to_variable",
        ),
        "backward_strategy": ("BackwardStrategy",),
        "checkpoint": ("load_dygraph", "save_dygraph"),
        "container": ("LayerList", "ParameterList", "Sequential"),
        "layers": ("Layer",),
        "learning_rate_scheduler": (
            "CosineDecay", "ExponentialDecay", "InverseTimeDecay", "LambdaDecay", "LinearLrWarmup", "MultiStepDecay", "NaturalExpDecay",
            "NoamDecay", "PiecewiseDecay", "PolynomialDecay", "ReduceLROnPlateau", "StepDecay",
        ),
        "nn": (
            "BCELoss", "BatchNorm", "BilinearTensorProduct", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "Dropout",
            "Embedding", "GRUUnit", "GroupNorm", "InstanceNorm", "L1Loss", "LayerNorm", "Linear", "MSELoss", "NCE", "NLLLoss", "PRelu",
            "Pool2D", "SpectralNorm", "TreeConv",
        ),
        "dygraph_to_static": ("ProgramTranslator",),
        "jit": ("TracedLayer", "declarative", "dygraph_to_static_func"),
        "parallel": ("DataParallel", "ParallelEnv", "prepare_context"),
        "static_runner": ("StaticModelRunner",),
        "tracer": ("Tracer",),
    },
)  # fmt: skip
