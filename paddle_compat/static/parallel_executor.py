"""`paddle.static.ParallelExecutor`: data parallelism over the devices of this machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import missing_member, type_error
from paddle_compat.core.place import CPUPlace, CUDAPlace
from paddle_compat.core.program import default_main_program
from paddle_compat.core.scope import Scope, global_scope
from paddle_compat.static.build_strategy import BuildStrategy
from paddle_compat.static.compiled_program import CompiledProgram
from paddle_compat.static.executor import Executor
from paddle_compat.static.places import cpu_places, cuda_places


class ParallelExecutor:
    """Runs a Program on several devices at once, each with its part of the data and its own copy of the parameters.

    Args:
        use_cuda (bool): on all visible GPUs; else on the CPU, as many times as the environment's CPU_NUM says.
        loss_name (str): the name of the loss; needed where the Program trains.
        main_program (Program): None: the default main program.
        share_vars_from (ParallelExecutor): one that has run already, whose parameters this one uses.
        exec_strategy (ExecutionStrategy): how it is to be run.
        build_strategy (BuildStrategy): how it is to be optimised.
        num_trainers (int): how many processes train together.
        trainer_id (int): which of them this is.
        scope (Scope): where parameters are; None: the global one.

    Raises:
        AssertionError: `share_vars_from` is no ParallelExecutor; the Program trains and `loss_name` is not given.

    Example:
        >>> import os, numpy as np, paddle_compat as paddle
        >>> os.environ["CPU_NUM"] = "2"
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup):
        ...     x = paddle.static.data("x", [None, 1])
        ...     loss = paddle.mean(x * 2)
        >>> exe = paddle.static.ParallelExecutor(use_cuda=False, main_program=main)
        >>> exe.device_count, exe.run([loss.name], feed={"x": np.array([[1], [2], [4]], "float32")})
        (2, [array([2., 6.], dtype=float32)])
        >>> exe.drop_local_exe_scopes()
        >>> paddle.disable_static()

    Follows Paddle 1.8 to 2.4.
    """

    def __init__(
        self,
        use_cuda: bool,
        loss_name: str | None = None,
        main_program: Any = None,
        share_vars_from: Any = None,
        exec_strategy: Any = None,
        build_strategy: Any = None,
        num_trainers: int = 1,
        trainer_id: int = 0,
        scope: Scope | None = None,
    ) -> None:
        build_strategy = build_strategy if build_strategy is not None else BuildStrategy()
        for name, given, default in (("num_trainers", num_trainers, 1), ("trainer_id", trainer_id, 0)):
            own = getattr(build_strategy, name)
            if given not in (default, own):
                sys.stderr.write(f"The value of build_strategy.{name}[{own}] is overwritten by the passed {name}[{given}].\n")
                setattr(build_strategy, name, given)
        self._places: list[Any] = list(cuda_places() if use_cuda else cpu_places())
        self._scope = scope if scope is not None else global_scope()
        if share_vars_from and not isinstance(share_vars_from, ParallelExecutor):
            raise AssertionError(
                f"The share_vars_from should be ParallelExecutor. Expected one, or None. Received: {type(share_vars_from).__name__}"
            )
        program = main_program if main_program is not None else default_main_program()
        self._compiled_program = CompiledProgram(program).with_data_parallel(
            loss_name=getattr(loss_name, "name", loss_name),
            build_strategy=build_strategy,
            exec_strategy=exec_strategy,
            share_vars_from=share_vars_from._compiled_program if share_vars_from else None,
        )
        self._exe = Executor(CUDAPlace(0) if use_cuda else CPUPlace())

    def run(self, fetch_list: Any, feed: Any = None, feed_dict: Any = None, return_numpy: bool = True) -> list[Any]:
        """Run all operators of the Program once, on every device.

        Args:
            fetch_list (list): Variables or names to return.
            feed (dict|list): name -> value, split over the devices along dimension 0; or a list with one such dict for each device.
            feed_dict: an old name of `feed`.
            return_numpy (bool): numpy arrays, else LoDTensors.
        Returns:
            The fetched values, those of the devices joined along dimension 0.
        Raises:
            RuntimeError: there are fewer samples than devices, or not as many dicts as devices.
        """
        if feed is None and feed_dict is not None:
            sys.stderr.write("`feed_dict` is deprecated. Please use `feed=`.\n")
            feed = feed_dict
        return self._exe.run(self._compiled_program, feed=feed, fetch_list=fetch_list, scope=self._scope, return_numpy=return_numpy)

    @property
    def device_count(self) -> int:
        """How many devices it runs on."""
        return len(self._places)

    def drop_local_exe_scopes(self) -> None:
        """Let go of the values between the first and the last operator, which nothing here keeps from run to run.

        Raises:
            TypeError: it has not run yet.
        """
        if self._compiled_program._executor is None:
            raise type_error(
                "self", "a ParallelExecutor that has run", "one that has not", "ParallelExecutor.drop_local_exe_scopes"
            )
        self._compiled_program._executor.drop_local_exe_scopes()

    if not TYPE_CHECKING:  # the type checker is to see what is missing
        __getattr__ = missing_member("paddle.static.ParallelExecutor")


__all__ = ["ParallelExecutor"]

__getattr__ = missing(__name__)
