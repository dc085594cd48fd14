"""The predictors of Paddle 1.x, which `paddle.base.core` and `paddle.fluid.core` still have: the same ones by other names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.inference._config import Config as AnalysisConfig
from paddle_compat.inference._predictor import DataType, Predictor, create_predictor
from paddle_compat.inference._predictor import Tensor as ZeroCopyTensor

PaddleDType = DataType


class PaddleTensor:
    """An array with a name.

    Args:
        data (ndarray): the array.
        name (str): the variable that it is for.
        lod (list): where sequences begin and end.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base import core
        >>> tensor = core.PaddleTensor(np.ones([2, 3], "float32"), "x")
        >>> tensor.shape, tensor.dtype.name, tensor.as_ndarray().tolist()[0]
        ([2, 3], 'FLOAT32', [1.0, 1.0, 1.0])

    Follows Paddle 1.8.
    """

    def __init__(self, data: Any = None, name: str = "", lod: Sequence[Sequence[int]] = ()) -> None:
        self.name, self.lod = name, [list(level) for level in lod]
        self.data = np.zeros([0], "float32") if data is None else np.array(data)

    @property
    def shape(self) -> list[int]:
        """Sizes."""
        return list(self.data.shape)

    @property
    def dtype(self) -> DataType:
        """The type of its numbers."""
        return DataType[self.data.dtype.name.upper()]

    def as_ndarray(self) -> np.ndarray:
        """The array.

        Returns:
            ndarray.
        """
        return self.data


class AnalysisPredictor(Predictor):
    """A predictor by the names of Paddle 1.x; `create_paddle_predictor` makes it.

    Args:
        program, scope, place, feeds, fetches: as Predictor takes them.

    Example:
        >>> from paddle_compat.base import core
        >>> predictor = core.create_paddle_predictor(core.AnalysisConfig("model.pdmodel", "model.pdiparams"))  # doctest: +SKIP
        >>> predictor.get_input_tensor("x").copy_from_cpu(np.ones([1, 4], "float32"))  # doctest: +SKIP
        >>> predictor.zero_copy_run()  # doctest: +SKIP
        True

    Follows Paddle 1.8.
    """

    get_input_tensor = Predictor.get_input_handle
    get_output_tensor = Predictor.get_output_handle

    def get_input_tensor_shape(self) -> dict[str, list[int]]:
        """The declared shapes of inputs.

        Returns:
            dict: name -> sizes, -1 for those that vary.
        """
        block = self._program.global_block()
        return {name: list(block.var(name).shape) for name in self.get_input_names()}

    def zero_copy_run(self) -> bool:
        """Compute the outputs from what the handles hold.

        Returns:
            bool: True.
        Raises:
            PreconditionNotMetError: an input has no value.
        """
        super().run()
        return True

    def run(self, inputs: Sequence[Any] | None = None) -> Any:
        """Compute the outputs.

        Args:
            inputs (list): PaddleTensors, by the inputs' names or in their order where they have none.
        Returns:
            list: PaddleTensors.
        Raises:
            InvalidArgumentError: there are more or fewer inputs.
        """
        names = self.get_input_names()
        if inputs is None or len(inputs) != len(names):
            raise InvalidArgumentError(f"Expected an input for each of {names}. Received: {inputs and len(inputs)}")
        for name, given in zip(names, inputs):
            handle = self.get_input_handle(given.name or name)
            handle.copy_from_cpu(given.data)
            handle.set_lod(given.lod)
        super().run()
        handles = [self.get_output_handle(name) for name in self.get_output_names()]
        return [PaddleTensor(handle.copy_to_cpu(), handle.name(), handle.lod()) for handle in handles]


def create_paddle_predictor(config: AnalysisConfig) -> AnalysisPredictor:
    """Load a model.

    Args:
        config (AnalysisConfig): where it is and where it runs.
    Returns:
        AnalysisPredictor.
    Raises:
        InvalidArgumentError: the configuration has made a predictor already.
        NotFoundError: there is no such file.

    Example:
        >>> from paddle_compat.base import core
        >>> predictor = core.create_paddle_predictor(core.AnalysisConfig("model.pdmodel", "model.pdiparams"))  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    made = create_predictor(config)
    return AnalysisPredictor(made._program, made._scope, made._place, made.get_input_names(), made._fetches)


__all__ = ["AnalysisConfig", "AnalysisPredictor", "PaddleDType", "PaddleTensor", "ZeroCopyTensor", "create_paddle_predictor"]

__getattr__ = missing(__name__)
