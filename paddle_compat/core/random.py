"""Seeds and generators: who draws from which engine.

Paddle 1.8: every random operator makes an engine of its own from its `seed`, or from the operating system when that is
0, so an operator with a seed repeats itself on each run. Paddle 2.x: an operator whose `seed` is 0 draws from its
device's `Generator`, which `paddle.seed` starts again; one with a seed makes an engine of its own.

On a GPU the numbers are torch's, from a `torch.Generator` that is seeded alike; with ``FLAGS_exact_random`` they are the CPU's, copied.
"""

from __future__ import annotations

import os
import pickle
import secrets
import threading
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch

from paddle_compat.core import flags
from paddle_compat.core.engines import MT19937_64, Engine, Minstd, Words
from paddle_compat.core.errors import NotFoundError, invalid_argument, type_error

EngineName = Literal["minstd", "mt19937_64"]


class GeneratorState:
    """What a `Generator` needs to come back to a point of its row; `paddle.get_rng_state` hands these out."""

    def __init__(self, seed: int, engine: Words, device_state: torch.Tensor | None) -> None:
        self._seed = seed
        self._engine = engine
        self._device_state = device_state  # of torch's own generator; None: as the seed makes it

    def current_seed(self) -> int:
        """The seed that the row started from."""
        return self._seed

    def take_over(self, state: Any) -> None:
        """Become what Paddle's own files tell: device, seed, offset and, in 3.x, the engine as bytes of a text.

        Files of 2.x do not tell how far the row was: it starts anew, there as here.
        """
        device, seed, offset, *engine = state
        numbers = all(type(number) is int for number in (device, seed, offset))
        if not numbers or not 0 <= seed < 2**64 or [type(words) for words in engine] not in ([], [list]):
            raise pickle.UnpicklingError("a state of a generator that holds something else than numbers")
        words = MT19937_64.state_of_text(bytes(engine[0]).decode()) if engine else MT19937_64(seed, sequence=True).state
        self._seed, self._engine, self._device_state = seed, words, None

    def __reduce__(self) -> tuple[Any, ...]:
        return generator_state, (self._seed, self._engine, None if self._device_state is None else self._device_state.numpy())


def generator_state(seed: int, engine: Words, device_state: npt.NDArray[np.uint8] | None) -> GeneratorState:
    """The GeneratorState that a file tells of."""
    arrays: list[tuple[Any, Any]] = [(engine, np.uint64), *([(device_state, np.uint8)] if device_state is not None else ())]
    words = all(isinstance(array, np.ndarray) and array.ndim == 1 and array.dtype == dtype for array, dtype in arrays)
    if type(seed) is not int or not words:
        raise pickle.UnpicklingError("a state of a generator that holds something else than words")
    return GeneratorState(seed, engine, None if device_state is None else torch.from_numpy(device_state.copy()))


class Generator:
    """The source of a device's random numbers.

    Args:
        device (torch.device): the device whose tensors it fills; None: the CPU.
        seed (int): where its row starts; by default somewhere unforeseeable.

    Example:
        >>> import paddle_compat as paddle
        >>> generator = paddle.base.core.default_cpu_generator().manual_seed(7)
        >>> generator.initial_seed(), generator.random()
        (7, 274713354619019367)
        >>> state = generator.get_state()
        >>> word = generator.random()
        >>> generator.set_state(state); generator.random() == word
        True
        >>> generator.seed() == generator.initial_seed()
        True

    Follows Paddle 2.6.
    """

    def __init__(self, device: torch.device | None = None, seed: int | None = None) -> None:
        if device is not None and not isinstance(device, torch.device):
            raise type_error("device", "a torch.device", device, "Generator")
        self._device = torch.device("cpu") if device is None else device
        self.torch = torch.Generator(self._device)
        self._fused: torch.Generator | None = None  # torch's own, which fused kernels draw from (dropout)
        self._index = 0
        self._kept: list[GeneratorState | None] = [None]  # by index; that of the row in use is None
        self.manual_seed(secrets.randbits(53) if seed is None else seed)

    def manual_seed(self, seed: int) -> Generator:
        """Start the row again from a seed.

        Args:
            seed (int): at least 0 and below 2^64; the CPU's row heeds the low 32 bits.
        Returns:
            The generator.
        Raises:
            TypeError: the seed is no such int.
        """
        if not hasattr(seed, "__index__") or not 0 <= seed < 2**64:
            raise type_error("seed", "an int from 0 to 2**64 - 1", seed)
        self._seed = int(seed)
        self._engine: Engine | None = None
        self.torch.manual_seed(self._seed)
        return self

    @property
    def engine(self) -> Engine:
        """The engine that fills CPU tensors, and those of GPUs that get exact numbers."""
        if self._device.type != "cpu":
            return default_generator().engine
        if self._engine is None:
            self._engine = MT19937_64(self._seed, sequence=True)
        return self._engine

    def initial_seed(self) -> int:
        """The seed that the row started from.

        Returns:
            int.
        """
        return self._seed

    def seed(self) -> int:
        """Start the row again somewhere unforeseeable and return the seed.

        Returns:
            int.
        """
        return self.manual_seed(secrets.randbits(53)).initial_seed()

    def random(self) -> int:
        """The next raw word, 64 bits wide.

        Returns:
            int.
        """
        return int(self.engine.take(1)[0])

    def get_state(self) -> GeneratorState:
        """The point that the row has reached.

        Returns:
            GeneratorState.
        """
        return GeneratorState(self._seed, self.engine.state, torch.cat([each.get_state() for each in self._drawn_from()]))

    def set_state(self, state: GeneratorState) -> None:
        """Come back to a point that `get_state` gave.

        Args:
            state (GeneratorState): the point.
        Raises:
            TypeError: it is none.
        """
        _check_state(state)
        self._seed = state._seed
        self.engine.state = state._engine
        left = state._device_state
        for each in self._drawn_from():
            size = each.get_state().numel()
            if left is None:
                each.manual_seed(state._seed)
            elif left.numel():  # a file may tell of the first alone
                each.set_state(left[:size].clone())
                left = left[size:]

    def get_state_index(self) -> int:
        """Which of the rows that the generator keeps is in use.

        Returns:
            int: 0 until another is registered or set.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.Generator("cpu").get_state_index()
            0
        """
        return self._index

    def set_state_index(self, index: int) -> None:
        """Go on with another of the rows that the generator keeps, from the point that it had reached.

        Args:
            index (int): as `register_state_index` gave it; 0 for the row that was there from the start.
        Raises:
            TypeError: it is no int of at least 0.
            NotFoundError: the generator keeps no such row.

        Example:
            >>> import paddle_compat as paddle
            >>> generator = paddle.Generator("cpu").manual_seed(7)
            >>> other = generator.register_state_index(paddle.Generator("cpu").get_state())
            >>> generator.set_state_index(0); generator.random()
            274713354619019367
        """
        if not hasattr(index, "__index__") or index < 0:
            raise type_error("index", "an int of at least 0", index, "set_state_index")
        if index >= len(self._kept):
            raise NotFoundError(f"Generator index is not found. Expected one below {len(self._kept)}. Received: {index}")
        if index == self._index:
            return
        self._kept[self._index] = self.get_state()
        state, self._kept[index], self._index = self._kept[index], None, int(index)
        assert state is not None  # only that of the row in use is
        self.set_state(state)

    def register_state_index(self, state: GeneratorState) -> int:
        """Keep one row more and go on with it.

        Args:
            state (GeneratorState): the point that it starts from.
        Returns:
            int: its index.
        Raises:
            TypeError: it is no state.

        Example:
            >>> import paddle_compat as paddle
            >>> generator = paddle.Generator("cpu").manual_seed(7)
            >>> generator.register_state_index(generator.get_state())
            1
        """
        _check_state(state)
        self._kept.append(state)
        self.set_state_index(len(self._kept) - 1)
        return self._index

    def _drawn_from(self) -> list[torch.Generator]:
        """torch's generators that go with the row."""
        return [self.torch] if self._fused is None else [self.torch, self._fused]


def _check_state(state: object) -> None:
    if not isinstance(state, GeneratorState):
        raise type_error("state", "a GeneratorState, as `get_state` returns it", state)


_generators: dict[torch.device, Generator] = {}
_last_seed: int | None = None


def _forked() -> None:
    """A forked process cannot use the GPUs that the first one has begun to use, so not their generators either."""
    for device in [device for device in _generators if device.type != "cpu"]:
        del _generators[device]


os.register_at_fork(after_in_child=_forked)


class _Replica(threading.local):
    """The replica of a data parallel run that draws in this thread; number 0 draws what a single run would."""

    rank = 0
    generators: dict[torch.device, Generator]
    seedings = -1  # how often `seed` had been called when these were made


_replica = _Replica()
_seedings = 0


def draw_as_replica(rank: int) -> None:
    """From now on this thread draws from generators of its own, so that what a replica draws does not hang on the others' pace."""
    _replica.rank = rank


def _generators_here() -> dict[torch.device, Generator]:
    if not _replica.rank:
        return _generators
    if _replica.seedings != _seedings:
        _replica.generators, _replica.seedings = {}, _seedings
    return _replica.generators


_CPU = torch.device("cpu")


def default_generator(device: torch.device | str = _CPU) -> Generator:
    """The generator of a device, made on first use: from the last `seed`, or unforeseeably where there was none."""
    if not isinstance(device, torch.device):
        device = torch.device(device)
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    generators = _generators_here()
    found = generators.get(device)
    if found is None:
        found = generators[device] = Generator(device, None if _last_seed is None else _last_seed + _replica.rank)
        if not _replica.rank:
            found._fused = _of_fused_kernels(device)
    return found


def _of_fused_kernels(device: torch.device) -> torch.Generator | None:
    """The generator that torch draws from where it is told none; None: the device has none of those that are known."""
    if device.type == "cuda":
        torch.cuda.init()  # makes them
        return torch.cuda.default_generators[device.index]
    return torch.default_generator if device.type == "cpu" else None


def replica_generator(device: torch.device) -> torch.Generator | None:
    """The generator that a replica other than the first draws from; None elsewhere, where torch's own may be drawn from."""
    return default_generator(device).torch if _replica.rank else None


def seed(value: int) -> Generator:
    """Start the rows of all devices again.

    Args:
        value (int): the seed, at least 0 and below 2^64.
    Returns:
        Generator: the CPU's generator.
    """
    global _last_seed, _seedings
    value = int(value)
    first = default_generator().manual_seed(value)
    _last_seed = value
    _seedings += 1
    for generator in _generators.values():
        generator.manual_seed(value)
    # What torch draws without asking for a generator (dropout in its fused kernels) repeats too. `torch.manual_seed` would do the
    # same in a millisecond: it keeps the stack of its caller for each kind of device that nobody has used yet.
    torch.default_generator.manual_seed(value)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(value)
    return first


def last_seed() -> int | None:
    """What `seed` was called with last; None: it was not."""
    return _last_seed


def engine_for(seed: int, name: EngineName = "mt19937_64", *, bits: int = 0) -> Engine:
    """The engine that a random operator on the CPU draws from.

    Args:
        seed (int): the operator's attribute; 0 leaves it to the generator (2.x) or the operating system (1.8).
        name (str): "minstd" for Paddle 1.8's rule, "mt19937_64" for 2.x's.
        bits (int): the width, 32 or 64, of the unsigned number that the operator makes of a negative seed, where it is
            not its version's usual one (32 in 1.8, 64 in 2.x). Dropout uses 64 in both.
    """
    if name == "minstd":
        return Minstd(seed % 2 ** (bits or 32) or secrets.randbits(32))
    if name != "mt19937_64":
        raise invalid_argument("_engine", "'minstd' or 'mt19937_64'", name)
    return MT19937_64(seed % 2 ** (bits or 64)) if seed else default_generator().engine


def paddle_draws(device: torch.device) -> bool:
    """Whether a device's tensors get the real Paddle's numbers: the CPU's do, and with ``FLAGS_exact_random`` those of GPUs, too."""
    kind = device.type
    return kind == "cpu" or (kind != "meta" and bool(flags.get("FLAGS_exact_random")))


def torch_generator(device: torch.device, seed: int = 0) -> torch.Generator:
    """The generator for numbers that torch draws: the device's own, or a fresh one for an operator with a seed."""
    if not seed:
        return default_generator(device).torch
    generator = torch.Generator(device)
    generator.manual_seed(seed % 2**64)
    return generator
