"""`fluid.distribute_lookup_table`: the table of a Program that lives on servers alone."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, _ = lazy(
    __name__,
    {
        ".distributed.distribute_lookup_table": (
            "LOOKUP_TABLE_TYPE", "find_distributed_lookup_table", "find_distributed_lookup_table_inputs",
            "find_distributed_lookup_table_outputs",
        ),
    },
)  # fmt: skip
__all__: list[str] = []
