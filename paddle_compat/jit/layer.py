"""`paddle.jit.layer`: a saved model without the face of an nn.Layer; every method gives a list of Tensors."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.place import Place
from paddle_compat.core.tensor import Tensor
from paddle_compat.jit._saved import load
from paddle_compat.jit.translated_layer import LoadedProgram


class Function:
    """A method of a loaded model.

    Args:
        function: what runs it.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> prefix = os.path.join(tempfile.mkdtemp(), "net")
        >>> paddle.jit.save(paddle.nn.Linear(4, 2), prefix, input_spec=[paddle.static.InputSpec([None, 4], name="x")])
        >>> net = paddle.jit.layer.Layer()
        >>> net.load(prefix, paddle.CPUPlace())
        >>> [out.shape for out in net.functions["forward"](paddle.ones([3, 4]))]
        [[3, 2]]

    Follows Paddle 2.6.
    """

    def __init__(self, function: LoadedProgram) -> None:
        self.function = function

    def __call__(self, *args: Any) -> list[Tensor]:
        """Run it.

        Args:
            args: Tensors, in the order of the saved inputs.
        Returns:
            List of Tensors.
        """
        results = self.function(args, False)
        return results if isinstance(results, list) else [results]


class Layer:
    """A model that `paddle.jit.save` wrote; after `load` its methods are attributes.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> prefix = os.path.join(tempfile.mkdtemp(), "net")
        >>> paddle.jit.save(paddle.nn.Linear(4, 2), prefix, input_spec=[paddle.static.InputSpec([None, 4], name="x")])
        >>> net = paddle.jit.layer.Layer()
        >>> net.load(prefix, paddle.CPUPlace())
        >>> net.forward(paddle.ones([3, 4]))[0].shape
        [3, 2]

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self.functions: dict[str, Function] = {}

    def load(self, load_path: str, place: Any) -> None:
        """Read a model.

        Args:
            load_path (str): folder and prefix of its files.
            place (Place): where it runs; Tensors say that for themselves here.
        Raises:
            TypeError: the place is none.
            ValueError: there is no such model.
        """
        if not isinstance(place, Place):
            raise type_error("place", "a Place", place, "Layer.load")
        for name, program in load(load_path)._programs.items():
            self.functions[name] = Function(program)
            setattr(self, name, self.functions[name])


__all__: list[str] = []

__getattr__ = missing(__name__)
