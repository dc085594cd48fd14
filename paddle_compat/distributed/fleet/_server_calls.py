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


# what `TheOnePSRuntime` does, too
_OF_SERVERS = (
    "load_inference_model", "load_model", "load_one_table", "save_cache_model", "save_cache_table", "save_dense_params", "save_one_table",
    "shrink",
)  # fmt: skip


class ServerCalls:
    """The part of `Fleet` that only jobs with parameter servers need; one process alone has nothing to do, as in the wheel."""

    _role_maker: Any
    _runtime_handle: Any = None  # what this process does in a job with servers, once something was minimized
    _is_collective: bool
    _has_parts: bool
    user_defined_optimizer: Any
    _user_defined_strategy: Any

    def init_worker(self, scopes: Any = None) -> None:
        """Begin as a worker, behind the startup Program: all workers have the first one's parameters. Nothing to do in collective training.

        Args:
            scopes (Scope|list|None): where the parameters are; None for the global one.
        Raises:
            ValueError: nothing was minimized.
        """
        if self._asks_runtime("init_worker"):
            self._runtime_handle._init_worker(scopes)

    def stop_worker(self) -> None:
        """End as a worker: servers end when all have. Nothing to do in collective training.

        Raises:
            ValueError: nothing was minimized.
        """
        if self._asks_runtime("stop_worker"):
            self._runtime_handle._stop_worker()

    def init_server(self, *args: Any, **kwargs: Any) -> None:
        """Begin as a server: its parts of the parameters get their first values. Nothing to do in collective training.

        Args:
            args: `dirname` (str|None), which `save_persistables` wrote: its values take the place of first ones; `var_names` (list|None),
                the parameters of which that holds.
            kwargs: likewise.
        Raises:
            ValueError: nothing was minimized, or `var_names` has no parameter's name.
            NotFoundError: there is no such folder.
            RuntimeError: a file is missing, or holds another shape.

        Example:
            >>> from paddle_compat.distributed import fleet
            >>> try:
            ...     fleet.Fleet().init_server()
            ... except ValueError as error:
            ...     print(error)
            Nothing to begin or end yet. Expected minimize() before fleet.init_server(). Received: none
        """
        if self._asks_runtime("init_server"):
            self._runtime_handle._init_server(*args, **kwargs)

    def run_server(self) -> None:
        """Serve until all workers have stopped. Nothing to do in collective training.

        Raises:
            ValueError: nothing was minimized.

        Example:
            >>> from paddle_compat.distributed import fleet
            >>> try:
            ...     fleet.Fleet().run_server()
            ... except ValueError as error:
            ...     print(error)
            Nothing to begin or end yet. Expected minimize() before fleet.run_server(). Received: none
        """
        if self._asks_runtime("run_server"):
            self._runtime_handle._run_server()

    def _asks_runtime(self, name: str) -> bool:
        """Whether there are servers; one process alone has nothing to begin, whatever it did before."""
        alone = self._role_maker is not None and self._role_maker._is_non_distributed()
        if not alone and not self._has_parts:
            raise ValueError(f"Nothing to begin or end yet. Expected minimize() before fleet.{name}(). Received: none")
        alone = alone or self._role_maker is None or self._is_collective
        if not alone and self._runtime_handle is None:
            raise ValueError(
                f"Nobody said how servers are to train. Expected a DistributedStrategy whose `a_sync` was set, before fleet.{name}(). "
                "Received: one without"
            )
        return not alone

    def _with_servers(self, loss: Any) -> list[Any]:
        """The layer that a job with servers puts around an optimizer; as in Paddle, workers train alone where `a_sync` was never set."""
        from paddle_compat.distributed.fleet.meta_optimizers.ps_optimizer import ParameterServerOptimizer

        layer = ParameterServerOptimizer(self.user_defined_optimizer)
        layer._set_basic_info(loss, self._role_maker, self.user_defined_optimizer, self._user_defined_strategy)
        return [layer] if layer._can_apply() else []


def _method(name: str, signature: str) -> Any:
    def method(self: ServerCalls, *args: Any, **kwargs: Any) -> Any:
        given = bound.bind(self, *args, **kwargs)
        if self._runtime_handle is not None and name in _OF_SERVERS:
            return getattr(self._runtime_handle, f"_{name}")(*given.args[1:], **given.kwargs)
        if self._role_maker is None or not self._role_maker._is_non_distributed():
            raise UnsupportedError(f"fleet.{name}", "servers or several workers", NO_SERVERS)
        logger.warning(f"{name}() function doesn't work when use non_distributed fleet.")
        return None

    bound = inspect.Signature(_parameters(signature))
    arguments = [p for p in bound.parameters if p != "self"]
    lines = "".join(f"            {argument}: of parameter servers.\n" for argument in arguments)
    example = ", ".join("0" for p in bound.parameters.values() if p.name != "self" and p.default is p.empty and p.kind != p.VAR_KEYWORD)
    method.__name__, method.__qualname__ = name, f"Fleet.{name}"
    method.__signature__ = bound  # type: ignore[attr-defined]
    args = f"\n        Args:\n{lines}" if lines else ""
    method.__doc__ = f"""Asks the parameter servers; one process alone has nothing to do.
{args}
        Returns:
            What the servers answer; None in one process alone.
        Raises:
            UnsupportedError: there are several processes, and no servers that do this.

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
