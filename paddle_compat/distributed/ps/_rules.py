"""Rules of their own by which rows of tables are to be updated, as `DistributedStrategy.sparse_table_configs` names them."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import Any

from paddle_compat.core.errors import UnsupportedError

_API = "fleet.DistributedStrategy.sparse_table_configs"
_INSTEAD = "the optimizer, which updates rows of tables, too"


def check(strategy: Any, tables: Collection[str]) -> None:
    """See whether all that a strategy says of a job's tables is so here: the optimizer updates them, whatever their size.

    Args:
        strategy: the job's.
        tables: names of tables whose rows workers ask for; what is said of others counts for nothing, as in Paddle.
    Raises:
        UnsupportedError: a table is to have a rule of its own, or rows that come and go by how often they were shown and clicked at.
    """
    idle: set[str] = set()
    for message in strategy.sparse_table_configs:
        if message.table_name not in tables:
            continue
        said, accessor = message.given(), message.accessor
        idle.update(name for name in said if name not in ("table_name", "accessor"))
        for part in ("embed_sgd_param", "embedx_sgd_param"):
            if part in accessor.given():
                rule = getattr(accessor, part).name or next(iter(getattr(accessor, part).given()))
                raise UnsupportedError(_API, f"the rule {rule} for the table {message.table_name}", _INSTEAD)
        if accessor.given().get("accessor_class", "SparseAccessor") != "SparseAccessor":
            raise UnsupportedError(_API, f"the accessor {accessor.accessor_class} of the table {message.table_name}", "SparseAccessor")
        if accessor.given().get("embedx_threshold", 0) > 0:
            what = f"an embedx_threshold of {accessor.embedx_threshold} for the table {message.table_name}"
            raise UnsupportedError(_API, what, "paddle.distributed.CountFilterEntry")
    if idle:
        warnings.warn(f"`{_API}` {', '.join(sorted(idle))}: without effect, servers lay tables out otherwise.", stacklevel=5)
