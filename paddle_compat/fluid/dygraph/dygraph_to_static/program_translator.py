"""`paddle.fluid.dygraph.dygraph_to_static.program_translator`: the ProgramTranslator of Paddle 1.8."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.tensor import wrapped
from paddle_compat.fluid.dygraph import _eager
from paddle_compat.jit.dy2static import _rebuild
from paddle_compat.jit.dy2static import program_translator as translator
from paddle_compat.jit.dy2static._arguments import Bound
from paddle_compat.jit.dy2static._recording import ConcreteProgram
from paddle_compat.jit.dy2static.convert_call_func import convert_call
from paddle_compat.jit.dy2static.program_translator import ProgramCache, StaticFunction

_functions: weakref.WeakKeyDictionary[Any, StaticFunction] = weakref.WeakKeyDictionary()


def made_by_operator(value: Any) -> Any:
    """A torch tensor as the VarBase that an operator made, or as a Tensor of Paddle 2."""
    if not _eager.first_age():
        return wrapped(value)
    made = _eager._value_class(value)
    _eager.remember(made)
    return made


def convert_function_with_cache(dygraph_func: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose branches and loops may depend on Variables; the same one each time.

    Args:
        dygraph_func (callable): the function.
    Returns:
        The rewritten function.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.dygraph.dygraph_to_static import convert_function_with_cache
        >>> def one(x):
        ...     return x + 1
        >>> convert_function_with_cache(one) is convert_function_with_cache(one)
        True

    Follows Paddle 1.8.
    """
    found: Callable[..., Any] = convert_call(dygraph_func)
    return found


class Declarative(StaticFunction):
    """A function of eager mode that records Programs of Paddle 1.8; the ProgramTranslator knows which recorded last.

    Args:
        function (callable): the function.
        input_spec, kwargs: as StaticFunction takes them.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> type(fluid.dygraph.declarative(lambda x: x * 2)).__name__
        'Declarative'

    Follows Paddle 1.8.
    """

    def _recording(self, bound: Bound) -> ConcreteProgram:
        ProgramTranslator._last = self
        return super()._recording(bound)


def static_function(dygraph_func: Callable[..., Any], api: str) -> StaticFunction:
    """The one StaticFunction of a function, which records Programs of Paddle 1.8."""
    if isinstance(dygraph_func, StaticFunction):
        return dygraph_func
    if not callable(dygraph_func):
        raise failed_assertion("dygraph_func", "a function", dygraph_func, api)
    holder = getattr(dygraph_func, "__func__", None)
    if holder is not None:
        found: StaticFunction = static_function(holder, api).__get__(dygraph_func.__self__)  # type: ignore[attr-defined]
        return found
    made = _functions.get(dygraph_func)
    if made is None:
        made = _functions[dygraph_func] = Declarative(dygraph_func, age=1, wrap=made_by_operator)
    return made


class ProgramTranslator:
    """Gives functions of eager mode as Programs, or runs them as such; one object for the whole process.

    Args:
        args, kwargs: of no effect.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> def double(x):
        ...     if fluid.layers.mean(x) > 0:
        ...         x = x * 2
        ...     return x
        >>> translator = fluid.dygraph.ProgramTranslator()
        >>> translator is fluid.dygraph.ProgramTranslator.get_instance()
        True
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable(fluid.dygraph.base.np.ones([2], "float32"))
        ...     print(translator.get_output(double, x).numpy())
        ...     main, startup, inputs, outputs = translator.get_program(double, x)
        [2. 2.]
        >>> main.num_blocks, len(inputs), len(translator.get_program_cache()) > 0
        (3, 1, True)
        >>> print(translator.get_code(double).splitlines()[0])
        def double(x):
        >>> translator.get_func(double).__name__
        'double'
        >>> translator.enable(False); translator.enable_declarative
        False
        >>> translator.reset(); translator.enable_declarative
        True

    Follows Paddle 1.8.
    """

    _instance: ProgramTranslator | None = None
    _last: StaticFunction | None = None

    def __new__(cls, *args: Any, **kwargs: Any) -> ProgramTranslator:
        if ProgramTranslator._instance is None:
            ProgramTranslator._instance = object.__new__(cls)
        return ProgramTranslator._instance

    @classmethod
    def get_instance(cls) -> ProgramTranslator:
        """The one object.

        Returns:
            ProgramTranslator.
        """
        return ProgramTranslator()

    @classmethod
    def reset(cls) -> None:
        """Switch the translator on, as it is at the start."""
        translator.ProgramTranslator.reset()
        ProgramTranslator._last = None

    @property
    def enable_declarative(self) -> bool:
        """Whether decorated functions run as Programs."""
        return translator.ProgramTranslator().enable_to_static

    enable_to_static = enable_declarative  # Paddle 2's name

    def enable(self, enable_declarative: bool) -> None:
        """Switch the translator on or off; where it is off, decorated functions run in eager mode.

        Args:
            enable_declarative (bool): on or off.
        Raises:
            TypeError: it is no bool, and eager mode is off.
        """
        if not isinstance(enable_declarative, bool) and not runs_at_once():
            raise type_error("enable_declarative", "a bool", enable_declarative, "ProgramTranslator.enable")
        translator.ProgramTranslator().enable(bool(enable_declarative))

    def get_output(self, dygraph_func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Run a function as recorded Program.

        Args:
            dygraph_func (callable): the function.
            args, kwargs: its arguments.
        Returns:
            What it returns.
        Raises:
            AssertionError: it cannot be called.
        """
        return static_function(dygraph_func, "ProgramTranslator.get_output")(*args, **kwargs)

    def get_func(self, dygraph_func: Callable[..., Any]) -> Callable[..., Any]:
        """The rewritten form of a function, to be called while a Program is written.

        Args:
            dygraph_func (callable): the function.
        Returns:
            callable
        Raises:
            AssertionError: it cannot be called.
        """
        static = static_function(dygraph_func, "ProgramTranslator.get_func")
        found: Callable[..., Any] = convert_call(static) if self.enable_declarative else static.dygraph_function
        return found

    def get_program(self, dygraph_func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Record a function. Where the translator is off, the function is called instead.

        Args:
            dygraph_func (callable): the function.
            args, kwargs: its arguments.
        Returns:
            The main and startup Programs, and the Variables of inputs and outputs; where it is off, what the function returns.
        Raises:
            AssertionError: it cannot be called.
        """
        static = static_function(dygraph_func, "ProgramTranslator.get_program")
        if not self.enable_declarative:
            return static.dygraph_function(*args, **kwargs)
        recording, _ = static.get_concrete_program(*args, **kwargs)
        return recording.main_program, recording.startup_program, recording.input_variables, recording.output_variables

    def get_code(self, dygraph_func: Callable[..., Any]) -> str:
        """The rewritten form of a function as text.

        Args:
            dygraph_func (callable): the function.
        Returns:
            str
        Raises:
            AssertionError: it cannot be called.
        """
        function: Any = static_function(dygraph_func, "ProgramTranslator.get_code").dygraph_function
        return _rebuild.source(getattr(function, "__func__", function))

    def save_inference_model(self, dirname: str, feed: list[int] | None = None, fetch: list[int] | None = None) -> None:
        """Save what was recorded last as inference model of Paddle 1.8: `__model__`, and a file for each parameter.

        Args:
            dirname (str): the folder.
            feed, fetch (list): the numbers of the inputs and outputs to keep; None: all.
        Raises:
            AssertionError: nothing was recorded.

        Example:
            >>> import os, tempfile, paddle_compat.fluid as fluid
            >>> folder, translator = tempfile.mkdtemp(), fluid.dygraph.ProgramTranslator()
            >>> with fluid.dygraph.guard():
            ...     net = fluid.dygraph.Linear(4, 2)
            ...     out = translator.get_output(net.forward, fluid.dygraph.to_variable(fluid.dygraph.base.np.ones([3, 4], "float32")))
            >>> translator.save_inference_model(folder)
            >>> "__model__" in os.listdir(folder)
            True
        """
        from paddle_compat.fluid.dygraph.jit import save_recording

        if ProgramTranslator._last is None or not len(ProgramTranslator._last.program_cache):
            raise AssertionError("There is no Program to save. Expected a call of `get_output` or `get_program` before. Received: none")
        save_recording(ProgramTranslator._last.program_cache.newest(), dirname, feed, fetch)

    def get_program_cache(self) -> ProgramCache:
        """The recordings of the function that was translated last.

        Returns:
            ProgramCache.
        """
        return ProgramTranslator._last.program_cache if ProgramTranslator._last is not None else ProgramCache()


def runs_at_once() -> bool:
    """Whether eager mode is on."""
    return mode.is_static() is False


__all__ = ["ProgramTranslator", "convert_function_with_cache"]

__getattr__ = missing(__name__)
