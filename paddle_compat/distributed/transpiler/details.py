"""`paddle.distributed.transpiler.details`: what the transpiler is made with."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".fluid.transpiler.details.program_utils": ("delete_ops", "find_op_by_input_arg", "find_op_by_output_arg"),
        ".fluid.transpiler.details.ufind": ("UnionFind",),
        ".fluid.transpiler.details.vars_distributed": ("VarDistributed", "VarStruct", "VarsDistributed"),
    },
)

modules(
    __name__,
    {
        "program_utils": ("delete_ops", "find_op_by_input_arg", "find_op_by_output_arg"),
        "ufind": ("UnionFind",),
        "vars_distributed": ("VarDistributed", "VarStruct", "VarsDistributed"),
    },
)
