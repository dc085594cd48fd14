"""Layers without parameters: a class that keeps a function's settings and calls it.

Most of `paddle.nn` is such: `nn.LeakyReLU(0.1)(x)` is `F.leaky_relu(x, 0.1)`. One row of a table makes one class.

Example:
    >>> import paddle_compat as paddle
    >>> paddle.nn.LeakyReLU(0.1)
    LeakyReLU(negative_slope=0.1)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_2, SINCE_3_3, called, paddle3
from paddle_compat.nn.layer.layers import Layer

REQUIRED = inspect.Parameter.empty

# What forward() calls its tensors, where that is not "x".
_INPUT, _PAIR = ("input",), ("input", "label")
_INPUTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("AdaptiveAvgPool1D", "AdaptiveMaxPool1D", "AlphaDropout", "Dropout", "Dropout2D", "Dropout3D"), _INPUT),
    **dict.fromkeys(("Fold", "LocalResponseNorm", "MaxPool1D", "Unfold"), _INPUT),
    **dict.fromkeys(("BCELoss", "CrossEntropyLoss", "HingeEmbeddingLoss", "KLDivLoss", "L1Loss", "MSELoss"), _PAIR),
    **dict.fromkeys(("MultiLabelSoftMarginLoss", "MultiMarginLoss", "NLLLoss", "PoissonNLLLoss"), _PAIR),
    **dict.fromkeys(("MultiLabelMarginLoss", "SmoothL1Loss", "SoftMarginLoss"), _PAIR),
    **dict.fromkeys(("MaxUnPool1D", "MaxUnPool2D", "MaxUnPool3D"), ("x", "indices", "output_size")),
    **dict.fromkeys(("TripletMarginLoss", "TripletMarginWithDistanceLoss"), ("input", "positive", "negative")),
    "BCEWithLogitsLoss": ("logit", "label"),
    "CTCLoss": ("log_probs", "labels", "input_lengths", "label_lengths", "norm_by_times"),
    "CosineEmbeddingLoss": ("input1", "input2", "label"),
    "GaussianNLLLoss": ("input", "label", "variance"),
    "MarginRankingLoss": ("input", "other", "label"),
    "FeatureAlphaDropout": _INPUT,
    "PairwiseDistance": ("x", "y"),
    "RNNTLoss": ("input", "label", "input_lengths", "label_lengths"),
}

_DEFAULTS = {"norm_by_times": "False", "output_size": "None"}

# the names that Paddle 3 has for them, too
_CALLED: dict[str, dict[str, str]] = {
    **dict.fromkeys(("GLU", "Hardshrink", "Softshrink", "LPPool1D", "LPPool2D"), {"input": "x"}),
    **dict.fromkeys((f"Adaptive{kind}Pool{rank}D" for kind in ("Avg", "Max") for rank in (2, 3)), {"input": "x"}),
    **dict.fromkeys((f"MaxUnPool{rank}D" for rank in (1, 2, 3)), {"input": "x"}),
    **dict.fromkeys(("CrossEntropyLoss", "SmoothL1Loss"), {"target": "label"}),
    "PairwiseDistance": {"x1": "x", "x2": "y"},
}

# layers whose settings are attributes of the same names; the others keep theirs behind an underscore
_PUBLIC = frozenset({
    *(f"{kind}Pool{rank}D" for kind in ("Max", "Avg", "MaxUn") for rank in (1, 2, 3)),
    "AdaptiveAvgPool1D", "AdaptiveMaxPool1D", "BCELoss", "BCEWithLogitsLoss", "CTCLoss", "CosineEmbeddingLoss", "CrossEntropyLoss",
    "Dropout", "Dropout2D", "Dropout3D", "AlphaDropout", "FeatureAlphaDropout", "Fold", "GaussianNLLLoss", "Hardsigmoid",
    "HingeEmbeddingLoss", "KLDivLoss", "L1Loss", "LocalResponseNorm", "MSELoss", "MarginRankingLoss", "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss", "MultiMarginLoss", "PairwiseDistance", "RNNTLoss", "Sigmoid", "SmoothL1Loss", "SoftMarginLoss",
    "TripletMarginLoss", "TripletMarginWithDistanceLoss", "Unfold", "LPPool1D", "LPPool2D",
})  # fmt: skip
_OTHER_NAMES = {"kernel_size": "ksize", "divisor_override": "divisor"}

# settings that can be read under further names, as those are that a layer takes for them since Paddle 3
_READABLE = {
    **{f"AdaptiveAvgPool{rank}D": {"output_size": "output_size"} for rank in (2, 3)},
    "PairwiseDistance": {"norm": "p"},
}

_FORMATTED = ("ChannelShuffle", "PixelShuffle", "PixelUnshuffle")  # layers that look at their data_format when they are made

# losses that leave it to their function to refuse a reduction
_UNCHECKED = ("CTCLoss", "CrossEntropyLoss", "HingeEmbeddingLoss", "KLDivLoss", "RNNTLoss", "SmoothL1Loss")

# What a layer prints of itself, where that is not every setting and the name given: "=" a setting under another name,
# "?" one that is shown where it is not the default. The losses, which are named in `loss.py`, print nothing.
_WINDOW = ("kernel_size", "stride", "padding")
_COLUMNS = ("kernel_sizes=kernel_size", "dilations=dilation", "paddings=padding", "strides=stride", "name?")
_SHOWN: dict[str, tuple[str, ...]] = {
    **{f"{kind}Pool{rank}D": _WINDOW for kind in ("Max", "Avg") for rank in (1, 2, 3)},
    **{f"LPPool{rank}D": ("norm_type", *_WINDOW) for rank in (1, 2)},
    **{f"FractionalMaxPool{rank}D": ("output_size", "return_mask") for rank in (2, 3)},
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


# layers that print every setting in scripts for the version of Paddle 3 that does
_OUTSPOKEN = {"ThresholdedReLU": SINCE_3, "Silu": SINCE_3_2, "Dropout": SINCE_3_3}


class reading:
    """An attribute under another name, until a script sets one of its own under that name: then that is what it is.

    Args:
        attribute (str): the other name.
    """

    def __init__(self, attribute: str) -> None:
        self._attribute = attribute
        self.__doc__ = f"What the layer keeps in `{attribute}`."

    def __get__(self, layer: Any, kind: type | None = None) -> Any:
        return getattr(kind if layer is None else layer, self._attribute)  # Paddle's layers have it, their classes have not


def shown(**settings: Any) -> str:
    """Settings as layers print them; a `name` that was not given is left out."""
    return ", ".join(f"{key}={value}" for key, value in settings.items() if key != "name" or value)


class CallLayer(Layer):
    """A layer that calls one function of `paddle.nn.functional` with the settings it was made with."""

    _function: str
    _callee: Any = None  # the function, once it was called
    _signature: inspect.Signature
    _held: dict[str, str]  # setting -> the attribute that holds it, and is read at every call
    _further: frozenset[str] = frozenset()  # settings of Paddle 3, printed where they are not the defaults
    _also: tuple[str, ...] = ()  # further arguments, as they are written in the call
    _shown: tuple[str, ...] | None = None  # as in `_SHOWN`; None: all

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        settings = bound.arguments
        if settings.get("reduction", "none") not in ("mean", "sum", "none") and type(self).__name__ not in _UNCHECKED:
            raise invalid_argument("reduction", "'mean', 'sum' or 'none'", settings["reduction"], type(self).__name__)
        self._check(settings)
        for key, value in settings.items():
            setattr(self, self._held[key], value)

    def _check(self, settings: dict[str, Any]) -> None:
        """Refuse settings; a subclass may."""
        name = type(self).__name__
        if name in _FORMATTED and settings["data_format"] not in ("NCHW", "NHWC"):
            raise invalid_argument("data_format", "'NCHW' or 'NHWC'", settings["data_format"], name)
        if name == "PoissonNLLLoss" and settings["epsilon"] <= 0:
            raise invalid_argument("epsilon", "a number above 0", settings["epsilon"], name)
        if name == "CosineEmbeddingLoss" and not -1 <= settings["margin"] <= 1:
            raise invalid_argument("margin", "-1 to 1", settings["margin"], name)

    @classmethod
    def _found(cls) -> Any:
        """The function, looked up at the first call."""
        function = getattr(import_module("paddle_compat.nn.functional"), cls._function)
        cls._callee = staticmethod(function)
        return function

    @property
    def _settings(self) -> dict[str, Any]:
        return {key: getattr(self, attribute) for key, attribute in self._held.items()}

    def extra_repr(self) -> str:
        """The settings.

        Returns:
            str: "negative_slope=0.1".
        """
        settings = self._settings
        listed = {}
        for entry in settings if self._shown is None else self._shown:
            key, _, label = entry.rstrip("?").partition("=")
            if not entry.endswith("?") and key not in self._further or settings[key] != self._signature.parameters[key].default:
                listed[label or key] = settings[key]
        return shown(**listed)


def make(
    module: str, class_name: str, function: str, settings: dict[str, Any], what: str, example: tuple[str, str],
    base: type[CallLayer] = CallLayer, with_name: bool = True, silent: bool = False, further: dict[str, Any] | None = None,
    spellings: dict[str, str] | None = None,
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
        silent: it prints no settings.
        further: settings behind the name, which came with Paddle 3.
        spellings: settings by the names that Paddle 3 has for them, too.
    """
    parameters = [inspect.Parameter(k, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=v) for k, v in settings.items()]
    if with_name:
        parameters.append(inspect.Parameter("name", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None))
    further = further or {}
    parameters += [inspect.Parameter(k, inspect.Parameter.KEYWORD_ONLY, default=v) for k, v in further.items()]
    lines = [what, "", *(["    Args:"] if parameters else [])]
    if settings or further:
        lines += [f"        {', '.join([*settings, *further])}: as of `paddle.nn.functional.{function}`."]
    if with_name:
        lines += ["        name: prefix of the output's name."]
    lines += [""] if parameters else []
    lines += ["    Example:", "        >>> import paddle_compat as paddle", f"        >>> {example[0]}", f"        {example[1]}"]
    lines += ["", "    Follows Paddle 2.6.", "    "]
    made = type(class_name, (base,), {"__doc__": "\n".join(lines), "__module__": module, "_function": function})
    made._shown = () if silent else _SHOWN.get(class_name)  # type: ignore[attr-defined]
    made._signature = inspect.Signature(parameters)  # type: ignore[attr-defined]
    made.__signature__ = made._signature  # type: ignore[attr-defined]
    made.__init__ = _constructor(base, parameters)  # type: ignore[misc]
    public, others = class_name in _PUBLIC, _OTHER_NAMES if class_name.endswith(("Pool2D", "Pool3D", "MaxUnPool1D")) else {}
    made._held = {p.name: others.get(p.name, p.name) if public else "_" + p.name for p in parameters}  # type: ignore[attr-defined]
    for name, setting in {**(spellings or {}), **_READABLE.get(class_name, {})}.items():
        setattr(made, name, reading(made._held[setting]))  # type: ignore[attr-defined]
    made._further = frozenset() if _OUTSPOKEN.get(class_name) else frozenset(further)  # type: ignore[attr-defined]
    forward = _forward(_INPUTS.get(class_name, ("x",)), made)
    made.forward = called(**_CALLED.get(class_name, {}))(forward)  # type: ignore[attr-defined]
    decorate: Any = paddle3
    return decorate(**spellings)(made) if spellings else made


def _constructor(base: type[CallLayer], parameters: list[inspect.Parameter]) -> Callable[..., None]:
    """A constructor that can be asked for its own parameters."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        base.__init__(self, *args, **kwargs)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = inspect.Signature([own, *parameters])  # type: ignore[attr-defined]
    return __init__


def _forward(names: tuple[str, ...], layer: Any) -> Callable[..., Any]:
    """The call of the function, written out: layers are called often."""
    tensors = [f"{name}={name}" if name in _DEFAULTS else name for name in names if name not in layer._held]
    settings = [f"{key}={f'{key} or ' * (key in names)}self.{attribute}" for key, attribute in layer._held.items()]
    call = f"(self._callee or self._found())({', '.join([*tensors, *settings, *layer._also])})"
    parameters = ["self", *(f"{name}={_DEFAULTS[name]}" if name in _DEFAULTS else name for name in names)]
    made: dict[str, Any] = {}
    exec(compile(f"def forward({', '.join(parameters)}):\n    return {call}", __file__, "exec"), made)
    forward: Callable[..., Any] = made["forward"]
    forward.__module__, forward.__qualname__ = layer.__module__, f"{layer.__name__}.forward"
    forward.__doc__ = f"""Call `paddle.nn.functional.{layer._function}` with the layer's settings.

    Args:
        {", ".join(names)}: the tensors that it takes{", or a setting for this call" if layer._held.keys() & set(names) else ""}.
    Returns:
        What it gives.
    """
    return forward
