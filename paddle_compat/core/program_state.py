"""`Program.state_dict` and `set_state_dict`: the values of a Program's persistable variables."""

from __future__ import annotations

import warnings
from typing import Any

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import type_error
from paddle_compat.core.scope import Scope

TABLE_OF_NAMES = "StructuredToParameterName@@"  # the key of a state dict's table from its keys to the names of its Tensors
_PLUMBING = (VarType.FEED_MINIBATCH, VarType.FETCH_LIST, VarType.READER)


def check_scope(scope: Any, api: str) -> None:
    """TypeError for what is neither None nor a Scope."""
    if scope is not None and not isinstance(scope, Scope):
        raise type_error("scope", "None or a paddle.static.Scope", scope, api)


def state_dict(program: Any, mode: str = "all", scope: Any = None) -> dict[str, Any]:
    """Name -> value (one memory with the scope's) of the Program's persistable variables."""
    check_scope(scope, "Program.state_dict")
    if not isinstance(mode, str):
        raise type_error("mode", "str", mode, "Program.state_dict")
    if mode not in ("all", "param", "opt"):
        raise ValueError(f"Invalid value for argument `mode` of `Program.state_dict`. Expected 'param', 'opt' or 'all'. Received: {mode!r}")
    found = {}
    for var in program.list_vars():
        if var.persistable and var.type not in _PLUMBING and mode != {True: "opt", False: "param"}[bool(var.is_parameter)]:
            found[var.name] = var.get_value(scope)
    return found


def set_state_dict(program: Any, state_dict: dict[str, Any], scope: Any = None) -> None:
    """Set the values of the variables that the state dict names."""
    check_scope(scope, "Program.set_state_dict")
    if not isinstance(state_dict, dict):
        raise type_error("state_dict", "dict", state_dict, "Program.set_state_dict")
    names = state_dict.get(TABLE_OF_NAMES)
    if names is not None:
        state_dict = {names.get(key, key): value for key, value in state_dict.items() if key != TABLE_OF_NAMES}
    variables = {var.name: var for var in program.list_vars() if var.persistable and var.type not in _PLUMBING}
    for name, value in state_dict.items():
        if name not in variables:
            warnings.warn(f"`{name}` is passed over: the Program has no such variable.", stacklevel=3)
            continue
        try:
            variables[name].set_value(value, scope)
        except (TypeError, ValueError) as error:
            warnings.warn(f"`{name}` is passed over: {error}", stacklevel=3)
