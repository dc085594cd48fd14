"""Layers without parameters: a class that keeps a function's settings and calls it.

Most of `paddle.nn` is such: `nn.LeakyReLU(0.1)(x)` is `F.leaky_relu(x, 0.1)`. One row of a table makes one class.

Example:
    >>> import paddle_compat as paddle
    >>> paddle.nn.LeakyReLU(0.1)
    LeakyReLU(negative_slope=0.1)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from paddle_compat.core.errors import invalid_argument
from paddle_compat.nn.layer.layers import Layer

REQUIRED = inspect.Parameter.empty

# What forward() calls its tensors, where that is not "x".
_INPUT, _PAIR = ("input",), ("input", "label")
_INPUTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("AdaptiveAvgPool1D", "AdaptiveMaxPool1D", "AlphaDropout", "Dropout", "Dropout2D", "Dropout3D"), _INPUT),
    **dict.fromkeys(("Fold", "LocalResponseNorm", "MaxPool1D", "Unfold"), _INPUT),
    **dict.fromkeys(("BCELoss", "CrossEntropyLoss", "HingeEmbeddingLoss", "KLDivLoss", "L1Loss", "MSELoss"), _PAIR),
    **dict.fromkeys(("MultiLabelSoftMarginLoss", "MultiMarginLoss", "NLLLoss", "PoissonNLLLoss"), _PAIR),
    **dict.fromkeys(("SmoothL1Loss", "SoftMarginLoss"), _PAIR),
    **dict.fromkeys(("MaxUnPool1D", "MaxUnPool2D", "MaxUnPool3D"), ("x", "indices")),
    **dict.fromkeys(("TripletMarginLoss", "TripletMarginWithDistanceLoss"), ("input", "positive", "negative")),
    "BCEWithLogitsLoss": ("logit", "label"),
    "CTCLoss": ("log_probs", "labels", "input_lengths", "label_lengths", "norm_by_times"),
    "CosineEmbeddingLoss": ("input1", "input2", "label"),
    "GaussianNLLLoss": ("input", "label", "variance"),
    "MarginRankingLoss": ("input", "other", "label"),
    "PairwiseDistance": ("x", "y"),
    "RNNTLoss": ("input", "label", "input_lengths", "label_lengths"),
}

# losses that leave it to their function to refuse a reduction
_UNCHECKED = ("CTCLoss", "CrossEntropyLoss", "HingeEmbeddingLoss", "KLDivLoss", "RNNTLoss", "SmoothL1Loss")

# What a layer prints of itself, where that is not every setting and the name given: "=" a setting under another name,
# "?" one that is shown where it is not the default. The losses, which are named in `loss.py`, print nothing.
_WINDOW = ("kernel_size", "stride", "padding")
_COLUMNS = ("kernel_sizes=kernel_size", "dilations=dilation", "paddings=padding", "strides=stride", "name?")
_SHOWN: dict[str, tuple[str, ...]] = {
    **{f"{kind}Pool{rank}D": _WINDOW for kind in ("Max", "Avg") for rank in (1, 2, 3)},
    **{f"MaxUnPool{rank}D": ("output_size",) for rank in (1, 2, 3)},
    **{f"AdaptiveAvgPool{rank}D": ("output_size",) for rank in (1, 2, 3)},
    **{f"AdaptiveMaxPool{rank}D": ("output_size", "return_mask") for rank in (1, 2, 3)},
    "Fold": _COLUMNS,
    "Unfold": _COLUMNS,
    "ChannelShuffle": ("groups", "data_format?", "name?"),
    "PixelShuffle": ("upscale_factor", "data_format?", "name?"),
    "PixelUnshuffle": ("downscale_factor", "data_format?", "name?"),
    "PairwiseDistance": ("p", "epsilon?", "keepdim?", "name?"),
    "LocalResponseNorm": ("size", "alpha", "beta", "k", "data_format?", "name?"),
}


def shown(**settings: Any) -> str:
    """Settings as layers print them; a `name` that was not given is left out."""
    return ", ".join(f"{key}={value}" for key, value in settings.items() if key != "name" or value)


class CallLayer(Layer):
    """A layer that calls one function of `paddle.nn.functional` with the settings it was made with."""

    _function: str
    _signature: inspect.Signature
    _tensors: tuple[str, ...] = ()  # settings that are tensors of the call, passed by keyword all the same
    _shown: tuple[str, ...] | None = None  # as in `_SHOWN`; None: all

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        settings = dict(bound.arguments)
        if settings.get("reduction", "none") not in ("mean", "sum", "none") and type(self).__name__ not in _UNCHECKED:
            raise invalid_argument("reduction", "'mean', 'sum' or 'none'", settings["reduction"], type(self).__name__)
        self.__dict__["_name"] = settings.pop("name", None)
        self.__dict__["_settings"] = settings
        for key, value in settings.items():
            self.__dict__["_" + key] = value

    def forward(self, *inputs: Any, **named: Any) -> Any:
        """Call the function.

        Args:
            inputs, named: its tensors.
        Returns:
            What it gives.
        """
        if named:
            inputs = inspect.signature(self.forward).bind(*inputs, **named).args
        function = getattr(import_module("paddle_compat.nn.functional"), self._function)
        return function(*inputs, **self._settings, **self._extra())

    def _extra(self) -> dict[str, Any]:
        """Arguments that depend on the layer's state; a subclass may say more."""
        return {"name": self._name} if "name" in self._signature.parameters else {}

    def extra_repr(self) -> str:
        """The settings.

        Returns:
            str: "negative_slope=0.1".
        """
        settings = {**self._settings, "name": self._name}
        listed = {}
        for entry in (*self._settings, "name") if self._shown is None else self._shown:
            key, _, label = entry.rstrip("?").partition("=")
            if not entry.endswith("?") or settings[key] != self._signature.parameters[key].default:
                listed[label or key] = settings[key]
        return shown(**listed)


def make(
    module: str, class_name: str, function: str, settings: dict[str, Any], what: str, example: tuple[str, str],
    base: type[CallLayer] = CallLayer, with_name: bool = True, documented: Sequence[str] = (), silent: bool = False,
) -> type[CallLayer]:
    """Make one layer class.

    Args:
        module: the module that it belongs to.
        class_name, function: the layer's name and that of the function it calls.
        settings: argument -> default (REQUIRED for none), in order.
        what: the first line of its docstring.
        example: a statement that makes one and calls it, and what Python shows for it.
        base: what it derives from.
        with_name: it takes `name` too.
        documented: lines of the docstring that say what the settings are.
        silent: it prints no settings.
    """
    parameters = [inspect.Parameter(k, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=v) for k, v in settings.items()]
    if with_name:
        parameters.append(inspect.Parameter("name", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None))
    lines = [what, "", *(["    Args:"] if parameters else [])]
    if settings:
        lines += [f"        {', '.join(settings)}: as of `paddle.nn.functional.{function}`.", *documented]
    if with_name:
        lines += ["        name: prefix of the output's name."]
    lines += [""] if parameters else []
    lines += ["    Example:", "        >>> import paddle_compat as paddle", f"        >>> {example[0]}", f"        {example[1]}"]
    lines += ["", "    Follows Paddle 2.6.", "    "]
    made = type(class_name, (base,), {"__doc__": "\n".join(lines), "__module__": module, "_function": function})
    made._shown = () if silent else _SHOWN.get(class_name)  # type: ignore[attr-defined]
    if base.forward is CallLayer.forward:
        made.forward = _forward(_INPUTS.get(class_name, ("x",)), function)  # type: ignore[attr-defined]
    made._signature = inspect.Signature(parameters)  # type: ignore[attr-defined]
    made.__signature__ = made._signature  # type: ignore[attr-defined]
    return made


def _forward(names: tuple[str, ...], function: str) -> Callable[..., Any]:
    """CallLayer.forward, with names for its tensors."""

    def forward(self: CallLayer, *inputs: Any, **named: Any) -> Any:
        return CallLayer.forward(self, *inputs, **named)

    optional = {"norm_by_times": False}
    parameters = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=optional.get(name, REQUIRED))
        for name in ("self", *names)
    ]
    forward.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    forward.__doc__ = f"""Call `paddle.nn.functional.{function}` with the layer's settings.

    Args:
        {", ".join(names)}: the tensors that it takes.
    Returns:
        What it gives.
    """
    return forward
