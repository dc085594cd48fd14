"""`paddle.library`: Python functions as operators of a namespace, as `torch.library` has them under `paddle.enable_compat`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.python_operators import PYTHON_OP_REGISTRY

__getattr__ = missing(__name__)


class Tag:
    """What torch marks operators with; it says nothing here."""


def warn_about_unimplemented_torch_features(feature: str, fn_name: str) -> None:
    """Warn of what is taken without effect.

    Args:
        feature (str): an argument or method.
        fn_name (str): what has it.

    Follows Paddle 3.3.
    """
    warnings.warn(f"`{feature}` of `{fn_name}` has no effect: an operator is a Python function, which runs as it is", stacklevel=3)


class CustomOpDef:
    """An operator as it was defined; it is called as `paddle.ops.NAMESPACE.NAME`.

    Args:
        namespace (str), name (str): what it is called.
        schema (str): its signature in words.
        fn (Callable): the function.
        tags (Sequence[Tag]): kept.

    Example:
        >>> from paddle_compat import library
        >>> library.CustomOpDef("words", "twice", "", lambda text: text * 2)
        <CustomOpDef(words::twice)>

    Follows Paddle 3.3.
    """

    def __init__(self, namespace: str, name: str, schema: str, fn: Callable[..., Any], tags: Sequence[Tag] | None = None) -> None:
        self._namespace, self._name, self._schema, self._fn = namespace, name, schema, fn
        self._tags = [] if tags is None else tags

    @property
    def _qualname(self) -> str:
        return f"{self._namespace}::{self._name}"

    def register_fake(self, fn: Callable[..., Any], /) -> Callable[..., Any]:
        """Take how to infer shapes, which the function itself shows.

        Args:
            fn (Callable): that function.
        Returns:
            Callable: the same.
        """
        warn_about_unimplemented_torch_features("register_fake", "torch.library.CustomOpDef")
        return fn

    def __repr__(self) -> str:
        return f"<CustomOpDef({self._qualname})>"


def custom_op(
    name: str, fn: Callable[..., Any] | None = None, /, *, mutates_args: str | Iterable[str],
    device_types: str | Sequence[str] | None = None, schema: str | None = None, tags: Sequence[Tag] | None = None,
) -> Any:  # fmt: skip
    """Make a function an operator.

    Args:
        name (str): its qualified name, `"NAMESPACE::NAME"`.
        fn (Callable): the function; None: a decorator is given for it.
        mutates_args (str or Iterable[str]): which arguments it writes over. What a function does to a Tensor is seen anyway.
        device_types, schema, tags: without effect.
    Returns:
        CustomOpDef; or the decorator that gives one.
    Raises:
        AssertionError: the name has no namespace.
        ValueError: there is an operator of that name.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat import library
        >>> @library.custom_op("mine::half", mutates_args=())
        ... def half(x):
        ...     return x / 2
        >>> paddle.ops.mine.half(paddle.to_tensor([2.0])).tolist()
        [1.0]

    Follows Paddle 3.3.
    """
    for feature, given in (("device_types", device_types), ("schema", schema), ("tags", tags)):
        if given is not None:
            warn_about_unimplemented_torch_features(feature, "torch.library.custom_op")
    if "::" not in name:
        raise failed_assertion("name", 'a qualified name, like "my_namespace::my_op"', name, "custom_op")
    namespace, _, own = name.partition("::")

    def define(function: Callable[..., Any]) -> CustomOpDef:
        PYTHON_OP_REGISTRY.register(name, function)
        return CustomOpDef(namespace, own, schema or "", function, tags)

    return define if fn is None else define(fn)


def register_fake(
    op: str | CustomOpDef, func: Callable[..., Any] | None = None, /, *, lib: None = None, _stacklevel: int = 1,
    allow_override: bool = False,
) -> Any:  # fmt: skip
    """Take how to infer an operator's shapes, which its function shows itself.

    Args:
        op (str or CustomOpDef): the operator.
        func (Callable): that function; None: a decorator is given for it.
        lib, allow_override: without effect.
    Returns:
        Callable: `func`; or the decorator, which hands on what it gets.

    Example:
        >>> import warnings
        >>> from paddle_compat import library
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     library.register_fake("mine::half", abs)
        <built-in function abs>

    Follows Paddle 3.3.
    """
    warn_about_unimplemented_torch_features("register_fake", "torch.library.register_fake")
    return (lambda function: function) if func is None else func
