"""Seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core import random as _random
from paddle_compat.core.program import default_main_program, default_startup_program

if TYPE_CHECKING:
    from paddle_compat.core.place import Place


def seed(seed: int) -> Any:
    """Seed the generators of all devices.

    Args:
        seed: a non-negative int.
    Returns:
        The CPU's generator.

    Example:
        >>> import paddle_compat as paddle
        >>> generator = paddle.seed(102)

    Follows Paddle 2.6.
    """
    return _random.seed(seed)


manual_seed = seed


def _manual_program_seed(seed: int) -> None:
    """Seed the two default Programs and all that are made later, as tests of Paddle's libraries do."""
    default_main_program().global_seed(seed)
    default_startup_program().global_seed(seed)


def Generator(device: Any = None) -> _random.Generator:
    """A new source of random numbers.

    Args:
        device (str|Place|int): whose Tensors it fills; None: the current device.
    Returns:
        A generator, with `manual_seed`, `initial_seed`, `seed`, `random`, `get_state` and `set_state`.
    Raises:
        ValueError: there is no such device.

    Example:
        >>> import paddle_compat as paddle
        >>> generator = paddle.Generator("cpu").manual_seed(7)
        >>> generator.initial_seed(), generator.random()
        (7, 274713354619019367)

    Follows Paddle 3.3.
    """
    from paddle_compat.device import device_to_place

    return _random.Generator(device_to_place(device).torch_device)


def get_rng_state(device: str | None = None) -> list[Any]:
    """States of the generators of a device.

    Args:
        device: "cpu", "gpu" or "gpu:N"; None: the current device.
    Returns:
        A list of states, for `set_rng_state`.

    Example:
        >>> import paddle_compat as paddle
        >>> states = paddle.get_rng_state("cpu")

    Follows Paddle 2.6.
    """
    return [generator.get_state() for generator in generators_of(device)]


def set_rng_state(state_list: list[Any], device: str | None = None) -> None:
    """Put the generators of a device back to states from `get_rng_state`.

    Args:
        state_list: as `get_rng_state` gave it.
        device: "cpu", "gpu" or "gpu:N"; None: the current device.
    Raises:
        ValueError: the number of states is not that of the device's generators.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.set_rng_state(paddle.get_rng_state("cpu"), "cpu")

    Follows Paddle 2.6.
    """
    for generator, state in with_states(state_list, device):
        generator.set_state(state)


def get_cuda_rng_state() -> list[Any]:
    """States of all GPUs' generators.

    Returns:
        List of GeneratorStates, one a GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> len(paddle.get_cuda_rng_state()) >= 0
        True

    Follows Paddle 2.6.
    """
    return [_random.default_generator(torch.device("cuda", i)).get_state() for i in range(torch.cuda.device_count())]


def set_cuda_rng_state(state_list: list[Any]) -> None:
    """Put all GPUs' generators back to states from `get_cuda_rng_state`.

    Args:
        state_list: one state for each GPU.
    Raises:
        ValueError: the number of states is not that of the GPUs.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.set_cuda_rng_state(paddle.get_cuda_rng_state())

    Follows Paddle 2.6.
    """
    if len(state_list) != torch.cuda.device_count():
        raise ValueError(
            f"Invalid value for argument `state_list` of `set_cuda_rng_state`. Expected {torch.cuda.device_count()} states. "
            f"Received: {len(state_list)}"
        )
    for i, state in enumerate(state_list):
        _random.default_generator(torch.device("cuda", i)).set_state(state)


def generators_of(device: str | Place | None) -> list[_random.Generator]:
    """The generators of a device, or of all GPUs where one is the current device or "gpu" is asked for."""
    from paddle_compat.core.place import Place, current_place, place_of_name

    place = current_place() if device is None else device if isinstance(device, Place) else place_of_name(device)
    if place.torch_device.type == "cuda" and device in (None, "gpu"):
        return [_random.default_generator(torch.device("cuda", i)) for i in range(torch.cuda.device_count())]
    return [_random.default_generator(place.torch_device)]


def with_states(states: Any, device: str | Place | None, api: str = "set_rng_state") -> list[tuple[_random.Generator, Any]]:
    """The generators of a device, each with its state, or that one's index: there have to be as many."""
    found = generators_of(device)
    if len(states) != len(found):
        raise ValueError(f"Invalid value for argument `state_list` of `{api}`. Expected {len(found)} states. Received: {len(states)}")
    return [*zip(found, states)]
