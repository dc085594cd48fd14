"""Networks as ONNX models, which the package `paddle2onnx` makes of Paddle's files."""

from __future__ import annotations

import os
from typing import Any

from paddle_compat import _alias
from paddle_compat._missing import missing
from paddle_compat.utils.checks import try_import

_NEEDED = (
    "`paddle.onnx.export` needs the package `paddle2onnx`, which is not installed. Install it with `pip install paddle_compat[onnx]`, or "
    "`pip install 'paddle2onnx<1.3'`: later ones are made for one build of Paddle."
)


def export(layer: Any, path: str, input_spec: Any = None, opset_version: int = 9, **configs: Any) -> None:
    """Save a network as the ONNX model `PATH.onnx`.

    It is saved as Paddle's inference model first, as `paddle.jit.save` does, which `paddle2onnx` reads.

    Args:
        layer (Layer): the network.
        path (str): folder and prefix of the file's name.
        input_spec (list): InputSpecs or Tensors that describe the inputs; None: those of `to_static`.
        opset_version (int): the version of ONNX's operators.
        configs: those of `paddle.jit.save`, such as `output_spec`.
    Raises:
        ImportError: `paddle2onnx` is not installed.
        ValueError: the path has no file prefix.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.nn.Linear(4, 2)
        >>> paddle.onnx.export(net, "net", [paddle.static.InputSpec([None, 4], name="x")])  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    with _alias.install():  # it imports paddle
        converter = try_import("paddle2onnx", _NEEDED)
        if not os.path.basename(path):
            raise ValueError(f"Invalid value for argument `path` of `export`. Expected folder/prefix. Received: {path!r}")
        converter.dygraph2onnx(layer, path + ".onnx", input_spec=input_spec, opset_version=opset_version, **configs)


__getattr__ = missing(__name__)
