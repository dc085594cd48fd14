"""`fluid.transpiler.details`: what transpilers are made with: Programs as text, sets, who keeps what, and waiting for servers."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".core.variable": ("Variable",),
        "checkport": ("wait_server_ready",),
        "program_utils": (
            "block_to_code", "delete_ops", "find_op_by_input_arg", "find_op_by_output_arg", "get_indent_space", "op_to_code",
            "program_to_code", "variable_to_code",
        ),
        "ufind": ("UnionFind",),
        "vars_distributed": ("VarDistributed", "VarStruct", "VarsDistributed"),
    },
)  # fmt: skip
