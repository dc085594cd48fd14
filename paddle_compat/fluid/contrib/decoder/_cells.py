"""What a step of a decoder does: `StateCell`, and what its states begin with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.fluid import layers as _layers

L: Any = _layers


class InitState:
    """What a state of a decoder begins with.

    Args:
        init (Variable): the values themselves; None: `value` in a shape.
        shape (list), value (float), dtype (str): what to fill; -1 stands for the batch.
        init_boot (Variable): whose batch it takes, where `init` is None.
        need_reorder (bool): `init` is in the order of the samples, which a training decoder changes.
    Raises:
        ValueError: neither `init` nor `init_boot` is given.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     context = fluid.data("context", [None, 8])
        ...     fluid.contrib.decoder.InitState(init_boot=context, shape=[-1, 4]).value.shape
        (-1, 4)

    Follows Paddle 1.8.
    """

    def __init__(
        self, init: Any = None, shape: Any = None, value: float = 0.0, init_boot: Any = None, need_reorder: bool = False,
        dtype: Any = "float32",
    ) -> None:  # fmt: skip
        if init is None and init_boot is None:
            raise ValueError("Invalid value for argument `init_boot` of `InitState`. Expected a Variable, or `init`. Received: None")
        if init is None:
            init = L.fill_constant_batch_size_like(input=init_boot, value=value, shape=shape, dtype=dtype)
        self._init, self._shape, self._value = init, shape, value
        self._need_reorder, self._dtype = need_reorder, dtype

    @property
    def value(self) -> Any:
        """The Variable to begin with."""
        return self._init

    @property
    def need_reorder(self) -> bool:
        """Whether it is in the order of the samples."""
        return self._need_reorder


class StateCell:
    """The states of a decoder and how a step makes the next ones from its inputs.

    Args:
        inputs (dict): name -> Variable, or None where `compute_state` gives it.
        states (dict): name -> InitState.
        out_state (str): the state that counts as the step's output.
        name (str): has no effect.
    Raises:
        ValueError: a state is no InitState, or `out_state` is none of them.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.decoder import InitState, StateCell, TrainingDecoder
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     words = fluid.layers.data("words", [4], lod_level=1)
        ...     cell = StateCell({"x": None}, {"h": InitState(fluid.data("context", [None, 8]), need_reorder=True)}, "h")
        ...     @cell.state_updater
        ...     def update(cell):
        ...         cell.set_state("h", fluid.layers.fc([cell.get_state("h"), cell.get_input("x")], 8, act="tanh"))
        ...     decoder = TrainingDecoder(cell)
        ...     with decoder.block():
        ...         decoder.state_cell.compute_state({"x": decoder.step_input(words)})
        ...         decoder.state_cell.update_states()
        ...         decoder.output(decoder.state_cell.out_state())
        ...     decoder().shape
        (-1, 8)

    Follows Paddle 1.8.
    """

    def __init__(self, inputs: Any, states: dict[str, InitState], out_state: str, name: str | None = None) -> None:
        for value in states.values():
            if not isinstance(value, InitState):
                raise ValueError(f"Invalid value for argument `states` of `StateCell`. Expected InitStates. Received: {value!r}")
        if out_state not in states:
            expected = f"one of {list(states)}"
            raise ValueError(f"Invalid value for argument `out_state` of `StateCell`. Expected {expected}. Received: {out_state!r}")
        self._inputs = inputs
        self._first, self._current = dict(states), dict[str, Any](states)
        self._out_state = out_state
        self._updater: Any = None
        self._decoder: Any = None
        self._held: dict[str, Any] = {}  # the decoder's memories of the states, once a step asked for one

    def _enter(self, decoder: Any) -> None:
        if self._decoder is not None:
            raise ValueError("The StateCell is in a decoder already. Expected one decoder at a time. Received: a second one")
        self._decoder = decoder

    def _leave(self) -> None:
        self._decoder, self._held, self._current = None, {}, dict(self._first)

    def _switch(self) -> None:
        """Take the states from the decoder's memories, which are made now."""
        if self._decoder is not None and not self._held:
            self._held = {name: self._decoder._memory(name, start) for name, start in self._first.items()}
            self._current = {name: memory.read() for name, memory in self._held.items()}

    def get_state(self, state_name: str) -> Any:
        """A state, as it is at present.

        Args:
            state_name (str): its name.
        Returns:
            Variable; outside a decoder the InitState.
        Raises:
            ValueError: there is none of that name.
        """
        self._switch()
        if state_name not in self._current:
            raise ValueError(f"Unknown state. Expected one of {list(self._current)}. Received: {state_name!r}")
        return self._current[state_name]

    def get_input(self, input_name: str) -> Any:
        """An input of this step.

        Args:
            input_name (str): its name.
        Returns:
            Variable.
        Raises:
            ValueError: there is none of that name, or nothing was given for it.
        """
        if input_name not in self._inputs or self._inputs[input_name] is None:
            raise ValueError(f"Unknown input. Expected one of {list(self._inputs)} that was given. Received: {input_name!r}")
        return self._inputs[input_name]

    def set_state(self, state_name: str, state_value: Any) -> None:
        """Say what a state becomes.

        Args:
            state_name (str): its name.
            state_value (Variable): the new value.
        """
        self._current[state_name] = state_value

    def state_updater(self, updater: Callable[[StateCell], None]) -> Callable[[StateCell], None]:
        """Say how a step makes the next states; a decorator.

        Args:
            updater (callable): takes the cell, asks it for inputs and states and sets these.
        Returns:
            callable: to be called with another cell.
        Raises:
            TypeError: that is called with this one.
        """
        self._updater = updater

        def update(state_cell: StateCell) -> None:
            if state_cell is self:
                raise TypeError("Invalid value for argument `state_cell`. Expected another StateCell. Received: the updater's own")
            updater(state_cell)

        return update

    def compute_state(self, inputs: dict[str, Any]) -> None:
        """Compute the next states.

        Args:
            inputs (dict): name -> Variable.
        Raises:
            ValueError: the cell has no input of such a name.
        """
        self._switch()
        for name, value in inputs.items():
            if name not in self._inputs:
                raise ValueError(f"Unknown input. Expected one of {list(self._inputs)}. Received: {name!r}")
            self._inputs[name] = value
        self._updater(self)

    def update_states(self) -> None:
        """Keep the states for the next step."""
        self._switch()
        for name, memory in self._held.items():
            memory.write(self._current[name])

    def out_state(self) -> Any:
        """The step's output.

        Returns:
            Variable; outside a decoder the InitState.
        """
        return self._current[self._out_state]


__all__ = ["InitState", "StateCell"]
