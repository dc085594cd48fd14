"""`PyLayer`: a function with a gradient of one's own."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.autograd import _saved_tensors
from paddle_compat.core import capture, mode
from paddle_compat.core.errors import InvalidArgumentError, also_external
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.engine import eager_pylayer


class PyLayerContext:
    """What a PyLayer's forward and backward functions share: they may put attributes of their own on it.

    Example:
        >>> import paddle_compat as paddle
        >>> class Square(paddle.autograd.PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        ...     @staticmethod
        ...     def backward(ctx, dy):
        ...         (x,) = ctx.saved_tensor()
        ...         return dy * 2 * x
        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> Square.apply(x).backward()
        >>> x.grad.tolist()
        [6.0]

    Follows Paddle 2.6.
    """

    container: Any = None
    not_inplace_tensors: tuple[Any, ...] = ()
    non_differentiable: tuple[Any, ...] = ()
    materialize_grads = True
    grad_in_dtype_consistent = True

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep Tensors for the backward function; the last call counts.

        Args:
            tensors: Tensors, or whatever else it needs.

        Example:
            >>> import paddle_compat as paddle
            >>> ctx = paddle.autograd.PyLayerContext()
            >>> ctx.save_for_backward(paddle.ones([2]))
            >>> ctx.saved_tensor()[0].tolist()
            [1.0, 1.0]
        """
        self.container = tensors

    def saved_tensor(self) -> Any:
        """What the forward function kept.

        Returns:
            tuple: as it was given; None where nothing was.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.autograd.PyLayerContext().saved_tensor() is None
            True
        """
        return self.container

    def mark_not_inplace(self, *args: Any) -> None:
        """Say that these inputs are not overwritten, although the forward function returns them.

        Args:
            args: Tensors that it takes and returns.

        Example:
            >>> import paddle_compat as paddle
            >>> class Same(paddle.autograd.PyLayer):
            ...     @staticmethod
            ...     def forward(ctx, x):
            ...         ctx.mark_not_inplace(x)
            ...         return x
            ...     @staticmethod
            ...     def backward(ctx, dy):
            ...         return dy * 5
            >>> x = paddle.to_tensor([3.0], stop_gradient=False)
            >>> paddle.grad(Same.apply(x), x)[0].tolist()
            [5.0]
        """
        self.not_inplace_tensors = args

    def mark_non_differentiable(self, *args: Any) -> None:
        """Say that these outputs have no gradient.

        Args:
            args: Tensors that the forward function returns.

        Example:
            >>> import paddle_compat as paddle
            >>> class Halves(paddle.autograd.PyLayer):
            ...     @staticmethod
            ...     def forward(ctx, x):
            ...         low, high = x / 2, x / 2
            ...         ctx.mark_non_differentiable(high)
            ...         return low, high
            ...     @staticmethod
            ...     def backward(ctx, dlow, dhigh):
            ...         return dlow / 2
            >>> [y.stop_gradient for y in Halves.apply(paddle.to_tensor([3.0], stop_gradient=False))]
            [False, True]
        """
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Say what the backward function receives for an output that nobody used: zeros, or None.

        Args:
            value (bool): True, as it is unless this is called: zeros.

        Example:
            >>> import paddle_compat as paddle
            >>> class Twins(paddle.autograd.PyLayer):
            ...     @staticmethod
            ...     def forward(ctx, x):
            ...         ctx.set_materialize_grads(False)
            ...         return x + 0, x + 0
            ...     @staticmethod
            ...     def backward(ctx, da, db):
            ...         return da if db is None else da + db
            >>> x = paddle.to_tensor([3.0], stop_gradient=False)
            >>> paddle.grad(Twins.apply(x)[0], x)[0].tolist()
            [1.0]
        """
        self.materialize_grads = value

    def set_grad_in_dtype_consistent(self, flag: bool) -> None:
        """Say whether the backward function receives gradients in the data types of the outputs.

        Here it always does: what PyTorch hands on to an output has the output's data type.

        Args:
            flag (bool): True, as it is unless this is called.

        Example:
            >>> import paddle_compat as paddle
            >>> class Same(paddle.autograd.PyLayer):
            ...     @staticmethod
            ...     def forward(ctx, x):
            ...         ctx.set_grad_in_dtype_consistent(False)
            ...         return x * 1
            ...     @staticmethod
            ...     def backward(ctx, dy):
            ...         return dy
            >>> x = paddle.to_tensor([3.0], stop_gradient=False)
            >>> paddle.grad(Same.apply(x), x)[0].tolist()
            [1.0]

        Follows Paddle 3.3.
        """
        self.grad_in_dtype_consistent = flag


class PyLayer(PyLayerContext):
    """A function with a gradient of one's own: a subclass defines `forward` and `backward` and is called by `apply`.

    Example:
        >>> import paddle_compat as paddle
        >>> class Tanh(paddle.autograd.PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         y = paddle.tanh(x)
        ...         ctx.save_for_backward(y)
        ...         return y
        ...     @staticmethod
        ...     def backward(ctx, dy):
        ...         (y,) = ctx.saved_tensor()
        ...         return dy * (1 - y * y)
        >>> x = paddle.to_tensor([0.0], stop_gradient=False)
        >>> Tanh.apply(x).backward()
        >>> x.grad.tolist()
        [1.0]

    Follows Paddle 2.6.
    """

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; a subclass defines it.

        Args:
            ctx (PyLayerContext): what `backward` gets, too.
            args: what `apply` was called with.
            kwargs: likewise.
        Returns:
            A Tensor, or a tuple or list with at least one.
        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise _undefined("forward")

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        """Compute the gradients; a subclass defines it.

        Args:
            ctx (PyLayerContext): what `forward` got, too.
            args: the gradients of the outputs.
        Returns:
            One gradient for each Tensor that `forward` takes, in order (a list for a list); None where there is none.
        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise _undefined("backward")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call the function.

        Args:
            args: Tensors, lists of them and whatever else `forward` takes.
            kwargs: likewise.
        Returns:
            What `forward` returns.
        Raises:
            ValueError: no Tensor is returned, or a leaf that has a gradient is returned as it came.
        """
        context = type(f"{cls.__name__}_backward", (cls,), {})()
        if capture.current is not None and capture.current.whole:
            return _recorded(cls, context, args, kwargs)
        inputs = [v for v in _flat((*args, *kwargs.values())) if isinstance(v, Tensor)]
        if not mode.in_dygraph_mode() or not (torch.is_grad_enabled() and any(not v.stop_gradient for v in inputs)):
            with torch.no_grad():
                returned = cls.forward(context, *args, **kwargs)
            _tensors(returned, cls)
            return returned
        call = _Call(cls, context, inputs, args, kwargs)
        outputs = eager_pylayer.call(call, [v._t for v in inputs], _saved_tensors.active())
        return call.results(outputs)


def _recorded(layer: type[PyLayer], context: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a recorded function makes of the call: an operator with a block for the outputs and one for the gradients."""
    from paddle_compat.jit.dy2static._branches import leaves, mapped
    from paddle_compat.jit.dy2static.convert_call_func import convert_call
    from paddle_compat.static.nn import static_pylayer

    given = mapped(capture.as_variable, [list(args), kwargs])
    returned: list[Any] = []

    def forward(*inputs: Any) -> list[Variable]:
        returned.append(mapped(capture.as_variable, convert_call(layer.forward)(context, *given[0], **given[1])))
        return [v for v in leaves(returned[0]) if isinstance(v, Variable)]

    made = static_pylayer(
        forward, [v for v in leaves(given) if isinstance(v, Variable)], lambda *grads: convert_call(layer.backward)(context, *grads)
    )
    outputs = iter(made)
    return mapped(lambda v: next(outputs) if isinstance(v, Variable) else v, returned[0])


class _Call(eager_pylayer.Run):
    """One call of a PyLayer."""

    def __init__(self, layer: type[PyLayer], context: Any, inputs: list[Tensor], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.layer, self.context, self.name = layer, context, layer.__name__
        self.given = (inputs, args, kwargs)
        self.returned: Any = None
        self.saved: eager_pylayer.Saved | None = None
        self.leaves = {n: weakref.ref(v) for n, v in enumerate(inputs) if v._t.requires_grad and v._t.is_leaf}

    def forward(self) -> Any:
        inputs, args, kwargs = self.given
        self.returned = self.layer.forward(self.context, *args, **kwargs)
        made: dict[int, torch.Tensor] = {}
        outputs = _tensors(self.returned, self.layer)
        for out in outputs:
            value, taken = out._t, any(out is v for v in inputs)
            if taken and value.is_leaf and value.requires_grad and not self._kept(out):
                raise InvalidArgumentError(
                    f"The forward function of {self.name} returns a leaf of the gradient as it came. Expected a Tensor with "
                    f"stop_gradient, one that an operator made, or `ctx.mark_not_inplace`. Received: {out.name}"
                )
            # nothing that is an input, a window or a result twice: torch would not let it be written over later
            made[id(out)] = value.data if taken or value._is_view() or value.requires_grad else value
        values = [made[id(out)] for out in outputs]
        plain = [made[id(v)] for v in self.context.non_differentiable if id(v) in made]
        saved = self.context.container or ()
        self.saved = eager_pylayer.Saved(saved, lambda v: isinstance(v, Tensor)) if self.context.container is not None else None
        self.context.container = None
        return values, plain, [v._t if any(v is i for i in inputs) else made.get(id(v), v._t) for v in saved if isinstance(v, Tensor)]

    def _kept(self, out: Tensor) -> bool:
        return any(out is v for v in self.context.not_inplace_tensors)

    def results(self, outputs: Sequence[torch.Tensor]) -> Any:
        """What the forward function returned, with a history."""
        (inputs, _, _), returned = self.given, self.returned
        self.given, self.returned = ((), (), {}), None  # type: ignore[assignment]
        values = iter(outputs)

        def result(out: Any) -> Any:
            if not isinstance(out, Tensor):
                return out
            value = next(values)
            if any(out is v for v in inputs) and not self._kept(out):
                out._changes += out._t._version + 1 - value._version  # to return an input counts as a change in place
                out._become(value)
                return out
            return Tensor(value)

        made = [result(v) for v in returned] if isinstance(returned, (list, tuple)) else result(returned)
        self.context.not_inplace_tensors = self.context.non_differentiable = ()
        return tuple(made) if isinstance(returned, tuple) else made

    def backward(self, ctx: Any, grads: list[torch.Tensor | None], unused: list[bool]) -> Any:
        context = self.context
        if self.saved is not None:
            context.container = self.saved.restored([Tensor(t) for t in ctx.saved_tensors])
        try:
            found = self.layer.backward(context, *map(_gradient, grads, unused))
        except Exception as error:
            raise also_external(error) from error
        finally:
            context.container = None
        gradients = _flat(found if isinstance(found, (list, tuple)) else [found])
        for value in gradients:
            if value is not None and not isinstance(value, Tensor):
                raise InvalidArgumentError(
                    f"The backward function of {self.name} returns what is no gradient. Expected Tensors or None. Received: "
                    f"{type(value).__name__} ({value!r})"
                )
        for place, leaf in self.leaves.items():
            if place < len(gradients) and gradients[place] is not None and gradients[place].stop_gradient:
                _stop(leaf())
        return [None if value is None else value._t for value in gradients]

    def materialize(self) -> bool:
        return bool(self.context.materialize_grads)


def _gradient(value: torch.Tensor | None, unused: bool) -> Tensor | None:
    """A gradient as a backward function gets it: only that of an output that nobody used says that it stops gradients."""
    if value is None:
        return None
    made = Tensor(value)
    made._open = not unused and (value.is_floating_point() or value.is_complex())
    return made


def _stop(leaf: Tensor | None) -> None:
    """Have the first gradient of a leaf, which is about to come, say that it stops gradients, as what a backward function gave does."""
    if leaf is None or leaf._t.grad is not None:
        return
    of_the_leaf = weakref.ref(leaf)  # whose hooks hold what follows

    def keep(value: torch.Tensor) -> None:
        handle.remove()
        if (owner := of_the_leaf()) is not None:
            owner._given = value.grad

    handle = leaf._t.register_post_accumulate_grad_hook(keep)


def _undefined(function: str) -> NotImplementedError:
    return NotImplementedError(f"A PyLayer must define `{function}`. Expected a function of the context and of Tensors. Received: none")


def _flat(values: Sequence[Any]) -> list[Any]:
    """The values, lists among them opened."""
    return [v for value in values for v in (value if isinstance(value, (list, tuple)) else [value])]


def _tensors(returned: Any, layer: type[PyLayer]) -> list[Tensor]:
    """The Tensors that a forward function returned."""
    found = [v for v in (returned if isinstance(returned, (list, tuple)) else [returned]) if isinstance(v, Tensor)]
    if not found:
        raise InvalidArgumentError(
            f"The forward function of {layer.__name__} returns no Tensor. Expected at least one output of `PyLayer.forward` to be a "
            f"Tensor. Received: {type(returned).__name__} ({returned!r})"
        )
    return found


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Let a PyLayer's backward function run without being remembered: its gradients cannot be differentiated again.

    Args:
        backward: the function.
    Returns:
        The function.

    Example:
        >>> from paddle_compat.autograd.py_layer import PyLayer, once_differentiable
        >>> class Double(PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x * 2
        ...
        ...     @staticmethod
        ...     @once_differentiable
        ...     def backward(ctx, dy):
        ...         return dy * 2

    Follows Paddle 2.6.
    """

    @functools.wraps(backward)
    def call(*args: Any) -> Any:
        with torch.no_grad():
            return backward(*args)

    return call


Function = PyLayer  # Paddle 3's name

__all__ = ["Function", "PyLayer", "PyLayerContext"]

__getattr__ = missing(__name__)
