"""States of generators, by value or by the index of one of the rows that a generator keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from paddle_compat.framework.random import generators_of, with_states

if TYPE_CHECKING:
    from paddle_compat.core.place import Place


def get_rng_state(device: str | Place | None = None, use_index: bool = False) -> list[Any]:
    """States of the generators of a device, or the indices of those that are in use.

    Args:
        device (str|Place): "cpu", "gpu" or "gpu:N", or a place; None: the current device.
        use_index (bool): indices rather than states.
    Returns:
        A list of states or of ints, for `set_rng_state`.
    Raises:
        ValueError: there is no such device.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.incubate.get_rng_state("cpu", use_index=True)
        [0]

    Follows Paddle 3.3.
    """
    generators = generators_of(device)
    return [generator.get_state_index() if use_index else generator.get_state() for generator in generators]


def set_rng_state(state_list: Sequence[Any], device: str | Place | None = None, use_index: bool = False) -> None:
    """Put the generators of a device back to states, or let them go on with other rows that they keep.

    Args:
        state_list (list): as `get_rng_state` gave it with the same `use_index`, or as `register_rng_state_as_index` did.
        device (str|Place): "cpu", "gpu" or "gpu:N", or a place; None: the current device.
        use_index (bool): `state_list` holds indices.
    Raises:
        ValueError: there is no such device, or the number of states is not that of its generators.
        TypeError: there is something else in the list.
        NotFoundError: no row has that index.

    Example:
        >>> import paddle_compat as paddle
        >>> first = paddle.incubate.get_rng_state("cpu", use_index=True)
        >>> second = paddle.incubate.register_rng_state_as_index(device="cpu")
        >>> paddle.incubate.set_rng_state(first, "cpu", use_index=True)

    Follows Paddle 3.3.
    """
    for generator, state in with_states(state_list, device):
        if use_index:
            generator.set_state_index(state)
        else:
            generator.set_state(state)


def register_rng_state_as_index(state_list: Sequence[Any] | None = None, device: str | Place | None = None) -> list[int]:
    """Let the generators of a device keep one row more each, and go on with it.

    Args:
        state_list (list): the states that the rows start from; None: those that the generators have now.
        device (str|Place): "cpu", "gpu" or "gpu:N", or a place; None: the current device.
    Returns:
        A list of ints, the rows' indices.
    Raises:
        ValueError: there is no such device, or the number of states is not that of its generators.
        TypeError: there is something else in the list.

    Example:
        >>> import paddle_compat as paddle
        >>> generator = paddle.seed(3)
        >>> indices = paddle.incubate.register_rng_state_as_index(device="cpu")
        >>> indices == paddle.incubate.get_rng_state("cpu", use_index=True)
        True

    Follows Paddle 3.3.
    """
    states = get_rng_state(device) if state_list is None else state_list
    started = with_states(states, device, "register_rng_state_as_index")
    return [generator.register_state_index(state) for generator, state in started]
