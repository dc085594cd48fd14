"""`paddle.base.executor`: the Executor and scopes."""

from paddle_compat._missing import missing
from paddle_compat.core.scope import Scope, global_scope, scope_guard
from paddle_compat.static.executor import Executor
from paddle_compat.static.executor import fetch_var as _fetch_var  # noqa: F401 - harnesses call it by this name

__all__ = ["Executor", "Scope", "global_scope", "scope_guard"]

__getattr__ = missing(__name__)
