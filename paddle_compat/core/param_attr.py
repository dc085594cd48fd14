"""ParamAttr: how a layer's parameter is named, initialised and trained."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat.core import mode
from paddle_compat.core.errors import type_error

# (weight, bias): what `set_global_initializer` put before the layers' own defaults
global_initializers: tuple[Any, Any] = (None, None)


class ParamAttr:
    """Attributes of a parameter.

    Args:
        name: the parameter's name; None: made from the layer's.
        initializer: how it is initialised; None: the layer's default.
        learning_rate: factor on the optimizer's rate.
        regularizer: goes before the optimizer's.
        trainable: whether optimizers update it.
        do_model_average: whether ModelAverage takes it.
        need_clip: whether gradient clips take it (2.x).

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ParamAttr(name="w", learning_rate=0.5).name
        'w'

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(
        self,
        name: str | None = None,
        initializer: Any = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = True,
        need_clip: bool = True,
    ) -> None:
        if name is not None and not isinstance(name, str):
            raise type_error("name", "str or None", name, "ParamAttr")
        if name == "":
            raise ValueError("Invalid value for argument `name` of `ParamAttr`. Expected a name or None. Received: ''")
        if not isinstance(learning_rate, (int, float)):
            raise type_error("learning_rate", "a number", learning_rate, "ParamAttr")
        for key, flag in (("trainable", trainable), ("do_model_average", do_model_average), ("need_clip", need_clip)):
            if not isinstance(flag, bool) and not mode.in_dygraph_mode():  # in eager mode Paddle takes what is true or false
                raise type_error(key, "bool", flag, "ParamAttr")
        for key, value in (("initializer", initializer), ("regularizer", regularizer)):
            if value is not None and not callable(value):
                raise type_error(key, f"an object of paddle's {key}s or None", value, "ParamAttr")
        self.name = name
        self.initializer = initializer
        self.learning_rate = learning_rate
        self.regularizer = regularizer
        self.trainable = trainable
        self.do_model_average = do_model_average
        self.need_clip = need_clip
        self.gradient_clip: Any = None

    def _set_default_initializer(self, initializer: Any) -> None:
        if self.initializer is None:
            self.initializer = initializer

    def _set_default_param_initializer(self, age: int) -> None:
        self._set_default_initializer(_defaults(age)[0])

    def _set_default_bias_initializer(self, age: int) -> None:
        self._set_default_initializer(_defaults(age)[1])

    @staticmethod
    def _to_attr(arg: Any) -> Any:
        """Any spelling (None, name, initializer, regularizer, bool, list of them) as ParamAttr; False stays False."""
        if arg is None:
            return ParamAttr()
        if isinstance(arg, (list, tuple)):
            return [ParamAttr._to_attr(a) for a in arg]
        if isinstance(arg, ParamAttr):
            return arg
        if isinstance(arg, str):
            return ParamAttr(name=arg)
        if isinstance(arg, bool):
            return ParamAttr._to_attr(None) if arg else False
        if isinstance(arg, type):
            raise type_error("attr", "an object, not a class", arg)
        if callable(arg) and hasattr(arg, "_init_"):
            return ParamAttr(initializer=arg)
        if callable(arg):
            return ParamAttr(regularizer=arg)
        raise type_error("attr", "ParamAttr, a name, an initializer, a regularizer or False", arg)

    def _to_kwargs(self, with_initializer: bool = False) -> dict[str, Any]:
        kwargs = {
            "name": self.name,
            "optimize_attr": {"learning_rate": self.learning_rate},
            "regularizer": self.regularizer,
            "trainable": self.trainable,
            "gradient_clip_attr": self.gradient_clip,
            "do_model_average": self.do_model_average,
            "need_clip": self.need_clip,
        }
        if with_initializer:
            kwargs["initializer"] = self.initializer
        return kwargs


class WeightNormParamAttr(ParamAttr):
    """Attributes of a parameter that is split into direction and length (weight normalization), static mode only.

    Args:
        dim: the dimension over which lengths are not summed; None: one length for the whole weight.
        name, initializer, learning_rate, regularizer, trainable, do_model_average, need_clip: as of `ParamAttr`.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.static.WeightNormParamAttr(dim=1, name="w").dim
        1

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(
        self,
        dim: int | None = None,
        name: str | None = None,
        initializer: Any = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = False,
        need_clip: bool = True,
    ) -> None:
        super().__init__(name, initializer, learning_rate, regularizer, trainable, do_model_average, need_clip)
        self.dim = dim


def _defaults(age: int) -> tuple[Any, Any]:
    """The default initializers (weight, bias) of the front-end that asks; the front-ends live on higher floors."""
    module = import_module("paddle_compat.fluid.initializer" if age == 1 else "paddle_compat.nn.initializer")
    return module._default_weight(), module._default_bias()
