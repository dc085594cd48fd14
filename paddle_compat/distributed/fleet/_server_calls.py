"""What only jobs with parameter servers ask of fleet."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed.fleet.utils.log_util import logger

NO_SERVERS = "collective training (is_collective=True), which has no servers"
_SIGNATURES = {
    "check_save_pre_patch_done": "",
    "collective_perf": "comm_type, round=50, size_and_time={}",
    "get_fl_client": "",
    "init_coordinator": "scopes=None",
    "load_inference_model": "path, mode",
    "load_model": "path, mode",
    "load_one_table": "table_id, path, mode",
    "make_fl_strategy": "",
    "save_cache_model": "dirname, **configs",
    "save_cache_table": "table_id, pass_id, mem_cache_key_threshold=4000000000",
    "save_dense_params": "executor, dirname, scope, program, var_names=None",
    "save_one_table": "table_id, path, mode",
    "shrink": "threshold=None",
}


class ServerCalls:
    """The part of `Fleet` that only jobs with parameter servers need; one process alone has nothing to do, as in the wheel."""

    _role_maker: Any


def _method(name: str, signature: str) -> Any:
    def method(self: ServerCalls, *args: Any, **kwargs: Any) -> None:
        bound.bind(self, *args, **kwargs)
        if self._role_maker is None or not self._role_maker._is_non_distributed():
            raise UnsupportedError(f"fleet.{name}", "several processes", NO_SERVERS)
        logger.warning(f"{name}() function doesn't work when use non_distributed fleet.")

    bound = inspect.Signature(_parameters(signature))
    arguments = [p for p in bound.parameters if p != "self"]
    lines = "".join(f"            {argument}: of parameter servers.\n" for argument in arguments)
    example = ", ".join("0" for p in bound.parameters.values() if p.name != "self" and p.default is p.empty and p.kind != p.VAR_KEYWORD)
    method.__name__, method.__qualname__ = name, f"Fleet.{name}"
    method.__signature__ = bound  # type: ignore[attr-defined]
    args = f"\n        Args:\n{lines}" if lines else ""
    method.__doc__ = f"""Of parameter servers, which are not there: one process alone has nothing to do.
{args}
        Raises:
            UnsupportedError: there are several processes.

        Example:
            >>> from paddle_compat.distributed import fleet
            >>> _ = fleet.init(is_collective=True)
            >>> fleet.{name}({example})

        Follows Paddle 2.6.
        """
    return method


def _parameters(signature: str) -> list[inspect.Parameter]:
    """The parameters of a method, as a `def` has them."""
    found = ast.parse(f"def f(self, {signature}): ...").body[0]
    assert isinstance(found, ast.FunctionDef)
    defaults = [ast.literal_eval(each) for each in found.args.defaults]
    names = [arg.arg for arg in found.args.args]
    values = [inspect.Parameter.empty] * (len(names) - len(defaults)) + defaults
    made = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=value) for name, value in zip(names, values)]
    return made + ([inspect.Parameter(found.args.kwarg.arg, inspect.Parameter.VAR_KEYWORD)] if found.args.kwarg else [])


for _name, _signature in _SIGNATURES.items():
    setattr(ServerCalls, _name, _method(_name, _signature))
