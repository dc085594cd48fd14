"""`paddle.grad`: gradients as values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.autograd._no_second import reached
from paddle_compat.autograd._second import led_on
from paddle_compat.autograd.backward_mode import no_dump
from paddle_compat.core import capture, mode
from paddle_compat.core.errors import AlreadyExistsError, InvalidArgumentError, failed_assertion
from paddle_compat.core.sparse import held, like, start
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine.eager_backward import gradients


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
    *,
    dump_backward_graph_path: str | None = None,
) -> list[Any]:
    """The gradients of the sum of all outputs with respect to the inputs; the Tensors' own `.grad` stays as it is.

    Args:
        outputs: a Tensor, or a list of them.
        inputs: a Tensor, or a list of them.
        grad_outputs: the gradients of the outputs, as many; None, also in the list: ones.
        retain_graph: of no effect: what the outputs' history needs stays in any case, as in the wheel.
        create_graph (bool): whether the gradients can be differentiated.
        only_inputs: True.
        allow_unused (bool): whether None is returned for an input that no output depends on.
        no_grad_vars: Tensors that no gradient passes through.
        dump_backward_graph_path: None; no graph is written to files.
    Returns:
        list: a Tensor or None for each input.
    Raises:
        AssertionError: an argument is nothing of the kind, or static mode is on.
        ValueError: no output depends on an input; a gradient does not fit its output.
        RuntimeError: a Tensor is listed twice.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> dx = paddle.grad(x * x, x, create_graph=True)[0]
        >>> dx.tolist(), paddle.grad(dx * dx, x)[0].tolist()
        ([6.0], [24.0])

    Follows Paddle 2.6.
    """
    no_dump(dump_backward_graph_path, "grad")
    if capture.current is not None:
        return _recorded(outputs, inputs, grad_outputs, no_grad_vars, create_graph, allow_unused)
    mode.eager_only("grad")
    outs, into = _tensors("outputs", outputs), _tensors("inputs", inputs)
    seeds: list[Any]
    if grad_outputs is None:
        seeds = []
    elif isinstance(grad_outputs, (list, tuple)):
        seeds = list(grad_outputs)
        for seed in seeds:
            if seed is not None and not isinstance(seed, Tensor):
                raise failed_assertion("grad_outputs", "None, a Tensor, or a list of Nones and Tensors", seed, "grad")
    elif isinstance(grad_outputs, Tensor):
        seeds = [grad_outputs]
    else:
        raise failed_assertion("grad_outputs", "None, a Tensor, or a list of Nones and Tensors", grad_outputs, "grad")
    seeds = seeds or [None] * len(outs)
    if len(seeds) != len(outs):
        raise failed_assertion("grad_outputs", f"as many as outputs, {len(outs)}", len(seeds), "grad")
    if isinstance(no_grad_vars, Tensor):
        blocked = [no_grad_vars]
    elif no_grad_vars is None or isinstance(no_grad_vars, (list, tuple, set)):
        blocked = list(no_grad_vars or ())
    else:
        raise failed_assertion("no_grad_vars", "None, a Tensor, or a list of Tensors", no_grad_vars, "grad")
    for one in blocked:
        if not isinstance(one, Tensor):
            raise failed_assertion("no_grad_vars", "None, a Tensor, or a list of Tensors", one, "grad")
    for name, value in (("create_graph", create_graph), ("only_inputs", only_inputs), ("allow_unused", allow_unused)):
        if not isinstance(value, bool):
            raise failed_assertion(name, "True or False", value, "grad")
    if retain_graph is not None and not isinstance(retain_graph, bool):
        raise failed_assertion("retain_graph", "None, True or False", retain_graph, "grad")
    if not only_inputs:
        raise failed_assertion("only_inputs", "True: False is not supported", only_inputs, "grad")
    wanted, seeds = into, [start(out, seed) for out, seed in zip(outs, seeds)]
    outs, into, blocked = ([held(v) for v in each] for each in (outs, into, blocked))
    blocked = [v for v in blocked if not any(v is out for out in outs)]  # an output among them is of no effect, as in Paddle
    stopped = {id(v._t) for v in blocked}
    once("outputs", outs)
    once("inputs", into)
    found = gradients(
        [v._t for v in outs], [v._t for v in into], [s if s is None else s._t for s in seeds], create_graph, [v._t for v in blocked]
    )
    if create_graph and not blocked:
        found = led_on(found, [v._t for v in outs], [v._t for v in into])
    if allow_unused and any(gradient is not None for gradient in found):
        there = reached([v._t for v in outs], [v._t for v in into])
        found = [gradient if is_there else None for gradient, is_there in zip(found, there)]
    for position, (gradient, x) in enumerate(zip(found, into)):
        if gradient is None and not allow_unused:
            raise InvalidArgumentError(
                f"The {position}-th input does not appear in the backward graph. Expected an input that the outputs depend on, or "
                f"allow_unused=True to get None for it. Received: {x.name}, stop_gradient={x.stop_gradient}"
            )
    values = [None if gradient is None or id(x._t) in stopped else Tensor(gradient) for gradient, x in zip(found, into)]
    return [like(x, value) for x, value in zip(wanted, values)]


def _recorded(outputs: Any, inputs: Any, grad_outputs: Any, no_grad_vars: Any, create_graph: bool, allow_unused: bool) -> Any:
    """The gradients as operators of the Program that a function is recorded into."""
    from paddle_compat.core.backward import gradients as append_gradients

    def variables(value: Any) -> list[Any]:
        return [capture.as_variable(v) for v in (value if isinstance(value, (list, tuple, set)) else [value])]

    seeds = None if grad_outputs is None else variables(grad_outputs)
    blocked = None if no_grad_vars is None else {v.name for v in variables(no_grad_vars)}
    found = append_gradients(variables(outputs), variables(inputs), seeds, blocked)
    if capture.may_leave():  # a function recorded as a whole does not look at these arguments, as in the wheel
        if any(each is None for each in found) and not allow_unused:
            raise InvalidArgumentError("An input does not appear in the backward graph. Expected allow_unused=True. Received: False")
        for each in found:
            if each is not None and not create_graph:
                each.stop_gradient = True
    return found


def _tensors(name: str, value: Any) -> Sequence[Tensor]:
    """One Tensor or several, as a list."""
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    if not values:
        raise failed_assertion(name, "at least one Tensor", value, "grad")
    for one in values:
        if not isinstance(one, Tensor):
            raise failed_assertion(name, "a Tensor or a list of Tensors", one, "grad")
    return values


def once(name: str, values: Sequence[Tensor]) -> None:
    """RuntimeError where a Tensor is listed twice."""
    seen: set[int] = set()
    for value in values:
        if id(value._t) in seen:
            raise AlreadyExistsError(
                f"Invalid value for argument `{name}`. Expected each Tensor once. Received: {value.name} more than once"
            )
        seen.add(id(value._t))


__all__ = ["grad"]

__getattr__ = missing(__name__)
