"""Random numbers of tensor parallel models: rows that all processes share, and rows of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.framework.random import get_rng_state, seed, set_rng_state
from paddle_compat.nn import functional as F

__all__ = ["RNGStatesTracker", "dropout", "get_rng_state_tracker", "model_parallel_random_seed"]

MODEL_PARALLEL_RNG = "model_parallel_rng"


class RNGStatesTracker:
    """States of the generators by name: inside `rng_state` numbers are drawn from one of them.

    Example:
        >>> import paddle_compat as paddle
        >>> tracker = paddle.distributed.fleet.meta_parallel.RNGStatesTracker()
        >>> tracker.add("local", 7)
        >>> kept = tracker.get_states_tracker()
        >>> with tracker.rng_state("local"):
        ...     first = paddle.rand([1])
        >>> tracker.set_states_tracker(kept)
        >>> with tracker.rng_state("local"):
        ...     bool(paddle.rand([1]) == first)
        True
        >>> tracker.reset(); tracker.get_states_tracker()
        {}

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self.states_: dict[str, Any] = {}
        self.seeds_: set[int] = set()

    def reset(self) -> None:
        """Forget all states."""
        self.states_, self.seeds_ = {}, set()

    def add(self, name: str, seed: int) -> None:
        """Begin a state.

        Args:
            name (str): its name.
            seed (int): where it begins.
        Raises:
            ValueError: there is one of that name or seed.
        """
        if seed in self.seeds_:
            raise ValueError(f"seed {seed} already exists. Expected another one than {sorted(self.seeds_)}")
        if name in self.states_:
            raise ValueError(f"state {name} already exists. Expected another name than {sorted(self.states_)}")
        self.seeds_.add(seed)
        former = get_rng_state()
        _begin(seed)
        self.states_[name] = get_rng_state()
        set_rng_state(former)

    def get_states_tracker(self) -> dict[str, Any]:
        """The states as they are now.

        Returns:
            dict: by name.
        """
        return dict(self.states_)

    def set_states_tracker(self, states: dict[str, Any]) -> None:
        """Take over states.

        Args:
            states (dict): what `get_states_tracker` returned.
        """
        self.states_ = dict(states)

    @contextmanager
    def rng_state(self, name: str = MODEL_PARALLEL_RNG) -> Iterator[None]:
        """Inside the block, numbers are drawn from a state, which goes on.

        Args:
            name (str): its name.
        Returns:
            A context manager.
        Raises:
            ValueError: there is none of that name.
        """
        if name not in self.states_:
            raise ValueError(f"state {name} does not exist. Expected one of {sorted(self.states_)}")
        former = get_rng_state()
        set_rng_state(self.states_[name])
        try:
            yield
        finally:
            self.states_[name] = get_rng_state()
            set_rng_state(former)


_begin = seed
_tracker = RNGStatesTracker()


def get_rng_state_tracker() -> RNGStatesTracker:
    """The tracker that all layers share.

    Returns:
        RNGStatesTracker.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.fleet.meta_parallel.get_rng_state_tracker() is paddle.distributed.fleet.meta_parallel.get_rng_state_tracker()
        True

    Follows Paddle 2.6.
    """
    return _tracker


def model_parallel_random_seed(seed: int | None = None) -> None:
    """Seed the generators, and the state of the numbers that the processes along the model and the pipe axis have of their own.

    Args:
        seed (int|None): None: one from numpy's generator.
    Raises:
        AttributeError: `fleet.init` has not been called.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> fleet.meta_parallel.model_parallel_random_seed(5)
        >>> with fleet.meta_parallel.get_rng_state_tracker().rng_state():
        ...     paddle.rand([2]).shape
        [2]

    Follows Paddle 2.6.
    """
    shared = seed if seed else int(np.random.randint(0, 10000))
    from paddle_compat.distributed import fleet

    groups = fleet.get_hybrid_communicate_group()
    own = shared + 1 + groups.get_model_parallel_rank() * groups.get_pipe_parallel_world_size() + groups.get_stage_id()
    _tracker.reset()
    _tracker.add(MODEL_PARALLEL_RNG, own)
    _begin(shared)


def dropout(
    x: Any,
    p: float = 0.5,
    axis: Any = None,
    rng_name: str | None = None,
    training: bool = True,
    mode: str = "upscale_in_train",
    name: str | None = None,
) -> Any:
    """As `paddle.nn.functional.dropout`, with numbers from a state of the tracker's.

    Args:
        x (Tensor): what elements are left out of.
        p (float): how probable it is.
        axis (int|list|None): dimensions along which elements are left out together with others; None: each by itself.
        rng_name (str|None): the state; None: the generator's.
        training (bool): whether any are left out.
        mode (str): "upscale_in_train" or "downscale_in_infer".
        name (str|None): prefix of names of operators.
    Returns:
        Tensor: of x's shape.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.layers.mpu import dropout
        >>> dropout(paddle.ones([2]), 0.0).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """
    if rng_name is None:
        return F.dropout(x, p, axis, training, mode=mode, name=name)
    with _tracker.rng_state(rng_name):
        return F.dropout(x, p, axis, training, mode=mode, name=name)


__getattr__ = missing(__name__)
