"""`recompute`: a part of a network whose values are computed again in the backward pass instead of kept."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.amp._casting import in_effect_now
from paddle_compat.base.log_helper import get_logger
from paddle_compat.core import capture, mode
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine import eager_recompute
from paddle_compat.jit.dy2static import convert_call_func

_logger = get_logger(__name__, logging.WARNING, fmt="%(asctime)s-%(levelname)s: %(message)s")
_NO_GRADIENT = "[Recompute]: none of the inputs needs a gradient, so nothing is computed again, and nothing in it has a gradient."


def recompute(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function or layer without keeping what its backward pass needs: that runs it again.

    Args:
        function: a function or layer, which computes the same each time.
        args: what it is called with.
        kwargs: likewise; and `preserve_rng_state` (bool, True: the second run draws the same random numbers) and `use_reentrant`
            (bool, True: there is a gradient only where an argument has one).
    Returns:
        What the function returns.
    Raises:
        ValueError: with `use_reentrant`, a tuple holds Tensors and other things.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils import recompute
        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> y = recompute(lambda v: v * v, x)
        >>> y.backward()
        >>> x.grad.tolist()
        [6.0]

    Follows Paddle 2.6; keywords with `use_reentrant`, Paddle 3.3.
    """
    recorded = capture.current is not None and capture.current.whole
    if not recorded:
        mode.eager_only("recompute")
    preserve = kwargs.pop("preserve_rng_state", True)
    reentrant = kwargs.pop("use_reentrant", True)
    if recorded:  # a DistModel computes it again where its strategy says so
        return capture.segment(lambda: convert_call_func.convert_call(function)(*args, **kwargs))
    if not torch.is_grad_enabled():
        return function(*args, **kwargs)
    if reentrant and not _has_gradient((*args, *kwargs.values())):
        _logger.warning(_NO_GRADIENT)
        with torch.no_grad():
            return function(*args, **kwargs)
    surroundings = _with_states(in_effect_now()) if preserve else in_effect_now()
    return eager_recompute.run(lambda: function(*args, **kwargs), _devices() if preserve else [], surroundings)


def _with_states(surroundings: Callable[[], Any]) -> Callable[[], Any]:
    """Surroundings of the second run in which the states of fleet's tracker of random numbers are those of now."""
    from paddle_compat.distributed.fleet.layers.mpu.random import get_rng_state_tracker

    tracker = get_rng_state_tracker()
    if not tracker.states_:
        return surroundings
    begun = tracker.get_states_tracker()

    @contextmanager
    def again() -> Iterator[None]:
        with surroundings():
            now = tracker.get_states_tracker()
            tracker.set_states_tracker(begun)
            try:
                yield
            finally:
                tracker.set_states_tracker(now)

    return again


def _has_gradient(args: tuple[Any, ...]) -> bool:
    """Whether an argument, or a Tensor in one that is a tuple or a list, has a gradient."""
    found = False
    for arg in args:
        parts = arg if isinstance(arg, (tuple, list)) else (arg,)
        kinds = {isinstance(part, Tensor) for part in parts}
        if len(kinds) > 1 and isinstance(arg, tuple):
            raise ValueError("Invalid argument of `recompute`. Expected tuples of Tensors, or of other things. Received: a tuple of both")
        found = found or any(isinstance(part, Tensor) and not part.stop_gradient for part in parts)
    return found


def check_recompute_necessary(inputs: Any) -> None:
    """Warn where computing again is of no use, as no input has a gradient.

    Args:
        inputs (tuple): the arguments.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.recompute.recompute import check_recompute_necessary
        >>> check_recompute_necessary((paddle.nn.Linear(2, 3).weight,))

    Follows Paddle 2.6 and 3.3.
    """
    if not _has_gradient(inputs):
        _logger.warning(_NO_GRADIENT)


@contextmanager
def switch_rng_state_tracker(
    rng_state: Any, tracker: Any, numpy_state: Any = None, random_state: Any = None, custom_state: Any = None,
    custom_get_state_func: Any = None, custom_set_state_func: Any = None,
) -> Iterator[None]:  # fmt: skip
    """Random numbers inside as they were at some time; those outside go on afterwards as if nothing had been drawn.

    Args:
        rng_state (list): what `paddle.get_rng_state` gave then.
        tracker (dict): what fleet's tracker gave as its states.
        numpy_state (tuple): numpy's state; None: it stays.
        random_state (tuple): that of Python's `random`; None: it stays.
        custom_state: a state of the script's own, which the two functions get and set.
        custom_get_state_func (callable): gets it.
        custom_set_state_func (callable): sets it.
    Returns:
        A context manager.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.layers.mpu.random import get_rng_state_tracker
        >>> from paddle_compat.distributed.fleet.recompute.recompute import switch_rng_state_tracker
        >>> begun, states = paddle.get_rng_state(), get_rng_state_tracker().get_states_tracker()
        >>> drawn = paddle.rand([2])
        >>> with switch_rng_state_tracker(begun, states):
        ...     paddle.rand([2]).tolist() == drawn.tolist()
        True

    Follows Paddle 3.3.
    """
    from paddle_compat.distributed.fleet.layers.mpu.random import get_rng_state_tracker
    from paddle_compat.framework.random import get_rng_state, set_rng_state

    of_fleet = get_rng_state_tracker()
    switched: list[tuple[Any, Any, Any]] = [
        (get_rng_state, set_rng_state, rng_state),
        (of_fleet.get_states_tracker, of_fleet.set_states_tracker, tracker),
    ]
    if numpy_state is not None:
        switched.append((np.random.get_state, np.random.set_state, numpy_state))
    if random_state is not None:
        switched.append((random.getstate, random.setstate, random_state))
    if custom_state is not None:
        switched.append((custom_get_state_func, custom_set_state_func, custom_state))
    outside = [get() for get, _, _ in switched]
    for _, put, state in switched:
        put(state)
    try:
        yield
    finally:
        for (_, put, _), state in zip(switched, outside):
            put(state)


def _devices() -> list[torch.device]:
    """The devices that random numbers are drawn on."""
    here = [torch.device("cuda", torch.cuda.current_device())] if torch.cuda.is_available() and torch.cuda.is_initialized() else []
    return [torch.device("cpu"), *here]


def recompute_sequential(ctx: dict[str, Any], functions: Any, *args: Any, **kwargs: Any) -> Any:
    """Call functions or layers one after the other, in segments whose values are computed again; those of the last are kept.

    Args:
        ctx (dict): `segments` (int, 1) and `preserve_rng_state` (bool, True).
        functions: a `Sequential`, or a list of functions and layers.
        args: what the first one is called with.
        kwargs: likewise.
    Returns:
        What the last one returns.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.fleet import recompute_sequential
        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> y = recompute_sequential({"segments": 2}, [paddle.square, paddle.exp, paddle.log, paddle.square], x)
        >>> paddle.grad(y, x)[0].tolist()
        [108.0]

    Follows Paddle 2.6.
    """
    segments, preserve = ctx.get("segments", 1), ctx.get("preserve_rng_state", True)
    steps = list(functions.children()) if hasattr(functions, "children") else list(functions)

    def run(part: list[Any]) -> Callable[..., Any]:
        def call(*inputs: Any) -> Any:
            value: Any = inputs[0] if len(inputs) == 1 else inputs
            for step in part:
                value = step(*value) if isinstance(value, tuple) else step(value)
            return value

        return call

    size = len(steps) // segments
    last = size * (segments - 1)
    for begin in range(0, last, size):
        made = recompute(run(steps[begin : begin + size]), *args, preserve_rng_state=preserve, **kwargs)
        args = made if isinstance(made, tuple) else (made,)
    return run(steps[last:])(*args)


def recompute_hybrid(ctx: dict[str, Any], function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """As `recompute`, in a model that processes share out.

    Args:
        ctx (dict): `mp_group` (Group), and `preserve_rng_state` (bool, True); `offload` must be False, and `partition`, which would cut
            what is kept for the second run, is kept without effect.
        function: a function or layer, which computes the same each time.
        args, kwargs: what it is called with.
    Returns:
        What the function returns.
    Raises:
        AssertionError: there is no mp_group.
        UnsupportedError: what is computed again would be kept elsewhere.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.fleet import recompute_hybrid
        >>> group = paddle.distributed.new_group([0])
        >>> x = paddle.to_tensor([3.0], stop_gradient=False)
        >>> paddle.grad(recompute_hybrid({"mp_group": group}, paddle.square, x), x)[0].tolist()
        [6.0]

    Follows Paddle 2.6.
    """
    if ctx.get("mp_group") is None:
        raise failed_assertion("ctx", "a dict with mp_group", ctx, "recompute_hybrid")
    if ctx.get("offload", False):
        raise UnsupportedError("paddle.distributed.fleet.recompute.recompute_hybrid", "offload=True", "False")
    return recompute(function, *args, preserve_rng_state=ctx.get("preserve_rng_state", True), **kwargs)


__all__ = ["check_recompute_necessary", "recompute", "recompute_hybrid", "recompute_sequential", "switch_rng_state_tracker"]

__getattr__ = missing(__name__)
