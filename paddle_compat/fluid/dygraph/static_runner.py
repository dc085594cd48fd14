"""`paddle.fluid.dygraph.static_runner`: a saved inference model as a layer that can be trained on."""

from __future__ import annotations

import os
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor
from paddle_compat.fluid.dygraph import _eager
from paddle_compat.fluid.dygraph._parambase import ParamBase
from paddle_compat.fluid.dygraph.layers import Layer


class StaticModelRunner(Layer):
    """A layer made of what `fluid.io.save_inference_model` wrote.

    Args:
        model_dir (str): the folder.
        model_filename (str): the Program's file in it; None: `__model__`.
        params_filename (str): the file that holds all parameters; None: each has its own.
    Raises:
        ValueError: there is no such folder, or a file is damaged.
        FileNotFoundError: the folder has no such Program.

    Example:
        >>> import tempfile, numpy as np, paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.dygraph.static_runner import StaticModelRunner
        >>> folder, exe = tempfile.mkdtemp(), fluid.Executor(fluid.CPUPlace())
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     out = fluid.layers.fc(fluid.data("x", [None, 4]), 2)
        ...     _ = exe.run(fluid.default_startup_program())
        ...     _ = fluid.io.save_inference_model(folder, ["x"], [out], exe)
        >>> with fluid.dygraph.guard():
        ...     net = StaticModelRunner(folder)
        ...     net(fluid.dygraph.to_variable(np.ones([3, 4], "float32"))).shape
        [3, 2]

    Follows Paddle 1.8.
    """

    def __init__(self, model_dir: str, model_filename: str | None = None, params_filename: str | None = None) -> None:
        from paddle_compat import jit

        super().__init__()
        given = {"model_filename": model_filename or "__model__", "params_filename": params_filename}
        file = os.path.join(model_dir, given["model_filename"] or "")
        if os.path.isdir(model_dir) and not os.path.exists(file):
            raise FileNotFoundError(f"The folder `model_dir` of `StaticModelRunner` has no Program. Expected the file {file!r}")
        model = jit.load(model_dir, **{name: file for name, file in given.items() if file is not None})._programs["forward"]
        block = model.program.global_block()
        written = {name for op in block.ops for name in op.output_arg_names}  # running statistics
        for name in [name for name in block.vars if name in model.bound]:
            parameter = ParamBase(model.bound[name]._t.detach(), name=f"{name}@LOADED")
            parameter.stop_gradient = name in written
            model.bound[name] = parameter
            self.add_parameter(parameter.name, parameter)
        self.__dict__["_model"] = model

    def forward(self, *args: Any) -> Any:
        """Run the model.

        Args:
            args (VarBase): its inputs, in the order in which they were saved.
        Returns:
            VarBase, or a list where the model has several outputs.
        Raises:
            ValueError: there are too many or too few inputs, or one of another type.
        """
        found = self._model(args, self.training)
        for value in found if isinstance(found, list) else [found]:
            if type(value) is Tensor:
                _eager._claim(value, _eager.number())
        return found


__all__ = ["StaticModelRunner"]

__getattr__ = missing(__name__)
