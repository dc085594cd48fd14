"""What the helper of a layer that is an object does other than those of layers that are functions."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import type_error
from paddle_compat.core.layer_helper import LayerHelper


class ObjectHelper(LayerHelper):
    """A LayerHelper whose methods take inputs and activation themselves: a layer that is an object has none when it is made.

    Args:
        name (str): the layer's full name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, name=name)

    def append_op(self, type: Any = None, inputs: Any = None, outputs: Any = None, attrs: Any = None, stop_gradient: Any = None) -> Any:
        """Append an operator to the current block; in eager mode, run it.

        Args:
            type (str): the operator's type.
            inputs, outputs (dict): slot -> variable or list.
            attrs (dict): attributes.
            stop_gradient (bool): whether the outputs stop gradients.
        Returns:
            Operator; nothing in eager mode.
        """
        return self.main_program.current_block().append_op(
            type=type, inputs=inputs, outputs=outputs, attrs=attrs, stop_gradient=bool(stop_gradient)
        )

    def iter_inputs_and_params(self, inputs_in: Any, param_attr_in: Any = None) -> Any:  # type: ignore[override]
        """Pairs of input and ParamAttr.

        Args:
            inputs_in (Variable|list): the inputs.
            param_attr_in (ParamAttr|list): one for all, or one for each.
        Returns:
            Iterator of pairs.
        """
        self.kwargs.update(input=inputs_in, param_attr=param_attr_in)
        return super().iter_inputs_and_params()

    def input_dtype(self, inputs_in: Any) -> Any:  # type: ignore[override]
        """The data type that all inputs share.

        Args:
            inputs_in (Variable|list): the inputs.
        Returns:
            VarType.
        Raises:
            ValueError: they have several.
        """
        self.kwargs["input"] = inputs_in
        return super().input_dtype()

    def append_activation(self, input_var: Any, act: str | None = None, use_cudnn: Any = None) -> Any:
        """The activation of that name.

        Args:
            input_var: what it is applied to.
            act (str): its name; None for none.
            use_cudnn (bool): of no effect.
        Returns:
            The result; `input_var` itself without an activation.
        Raises:
            TypeError: `act` is no name.
        """
        if act is not None and not isinstance(act, str):
            raise type_error("act", "a str", act, "append_activation")
        self.kwargs["act"] = act
        return super().append_activation(input_var)

    def is_instance(self, param: Any, cls: Any) -> None:
        """Refuse a value that is no instance of a class.

        Args:
            param: the value; other helpers take an argument's name.
            cls (type|tuple): the class, or several.
        Raises:
            TypeError: it is none.
        """
        if not isinstance(param, cls):
            kinds = cls if isinstance(cls, tuple) else (cls,)
            raise type_error("param", " or ".join(kind.__name__ for kind in kinds), param, self.layer_type)
