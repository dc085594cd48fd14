"""`FetchHandler`: what a script does with values every few seconds while `train_from_dataset` trains."""

from __future__ import annotations

import logging
import threading
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.variable import Variable

_EXAMPLE = """class Shown(FetchHandler):
    def handler(self, res_dict):
        print("loss:", res_dict["loss"])

exe.train_from_dataset(main, dataset, fetch_handler=Shown({"loss": loss}, period_secs=10))"""


class FetchHandler:
    """Gets values of variables every few seconds; override `handler`.

    Args:
        var_dict (dict): name -> Variable.
        period_secs (int): seconds between two calls.
    Raises:
        AssertionError: there is no var_dict.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> handler = paddle.base.executor.FetchHandler({"loss": None}, period_secs=5)
        >>> handler.handler({"loss": np.array([0.5])})
        loss[0]: 0.5
        >>> paddle.base.executor.FetchHandler.help()
        class Shown(FetchHandler):
        ...

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, var_dict: dict[str, Any] | None = None, period_secs: int = 60) -> None:
        if var_dict is None:
            raise failed_assertion("var_dict", "a dict of names and Variables", var_dict, "FetchHandler")
        self.var_dict = var_dict
        self.period_secs = period_secs

    def handler(self, res_dict: dict[str, Any]) -> None:
        """Print the first of each variable's numbers; subclasses do something else.

        Args:
            res_dict (dict): name -> numpy array, or None where there is no value yet.
        """
        for name, value in res_dict.items():
            if isinstance(value, np.ndarray):
                print(f"{name}[0]: {value.reshape(-1)[0]} ")

    @staticmethod
    def help() -> None:
        """Print an example."""
        print(_EXAMPLE)


class FetchHandlerMonitor:
    """The thread that calls a FetchHandler.

    Args:
        scope: where the variables' values are found.
        handler (FetchHandler): what is called.

    Example:
        >>> import paddle_compat as paddle
        >>> handler = paddle.base.executor.FetchHandler({}, period_secs=1)
        >>> monitor = paddle.base.trainer_factory.FetchHandlerMonitor(paddle.static.global_scope(), handler)
        >>> monitor.start(); monitor.stop()
        >>> monitor.handler_launch_func(paddle.static.global_scope(), handler)

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, scope: Any, handler: Any) -> None:
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self.handler_launch_func, args=(scope, handler), daemon=True)

    def handler_launch_func(self, scope: Any, handler: Any) -> None:
        """Call the handler every few seconds until the monitor is stopped.

        Args:
            scope: where the variables' values are found.
            handler (FetchHandler): what is called.
        """
        for key, var in handler.var_dict.items():
            if not isinstance(var, Variable):
                logging.warning("the value of %s is not a Variable", key)
        while not self._stopped.wait(handler.period_secs):
            values: dict[str, Any] = {}
            for key, var in handler.var_dict.items():
                found = scope.find_var(var.name) if isinstance(var, Variable) else None
                tensor = None if found is None else found.get_tensor()
                values[key] = np.array(tensor.numpy()) if tensor is not None and tensor._is_initialized() else None
                if values[key] is None:
                    logging.warning("%s value currently not available", key)
            handler.handler(values)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; the thread is gone when this returns."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()


__all__ = ["FetchHandler", "FetchHandlerMonitor"]

__getattr__ = missing(__name__)
