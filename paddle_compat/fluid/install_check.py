"""`paddle.fluid.install_check`: train one step of a small network to see that everything works."""

from __future__ import annotations

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core import mode, unique_name
from paddle_compat.core.place import CPUPlace, CUDAPlace
from paddle_compat.core.scope import Scope, scope_guard
from paddle_compat.fluid import layers, optimizer
from paddle_compat.fluid.executor import Executor
from paddle_compat.fluid.framework import Program, is_compiled_with_cuda, program_guard


def run_check() -> None:
    """Train one step on one device, and say that it worked.

    Raises:
        RuntimeError: the step's loss is not finite.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.install_check.run_check()
        Running Verify Fluid Program ... 
        Your Paddle Fluid works well on SINGLE GPU or CPU.
        Your Paddle Fluid is installed successfully! Let's start deep Learning with Paddle Fluid now

    Follows Paddle 1.8.
    """  # noqa: W291
    print("Running Verify Fluid Program ... ")
    main, startup = Program(), Program()
    with mode.inside(static=True), unique_name.guard(), program_guard(main, startup), scope_guard(Scope()):
        data = layers.data("inp", [2, 2], append_batch_size=False)
        loss = layers.reduce_sum(layers.fc(data, 4))
        optimizer.SGD(0.01).minimize(loss)
        executor = Executor(CUDAPlace(0) if is_compiled_with_cuda() else CPUPlace())
        executor.run(startup)
        value = executor.run(main, {"inp": np.ones((2, 2), "float32")}, [loss])[0]
    if not np.isfinite(value).all():
        raise RuntimeError(f"One training step on the device gave the loss {value}. Expected a finite one.")
    print("Your Paddle Fluid works well on SINGLE GPU or CPU.")
    print("Your Paddle Fluid is installed successfully! Let's start deep Learning with Paddle Fluid now")


__all__ = ["run_check"]

__getattr__ = missing(__name__)
