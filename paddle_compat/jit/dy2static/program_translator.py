"""`paddle.jit.dy2static.program_translator`: functions of eager mode that run as recorded Programs."""

from __future__ import annotations

import copy
import functools
import inspect
import threading
import types
import warnings
import weakref
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import capture, mode
from paddle_compat.core.dtype import default
from paddle_compat.core.errors import UnsupportedError, WrongInputError
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.program import Program
from paddle_compat.jit.dy2static import _rebuild, _values, convert_call_func, logging_utils
from paddle_compat.jit.dy2static._arguments import Bound, Signature
from paddle_compat.jit.dy2static._errors import failed_run, failure, place_of
from paddle_compat.jit.dy2static._recording import ConcreteProgram, MadeParameterError, amp_state
from paddle_compat.jit.dy2static._watch import Watch, watching
from paddle_compat.jit.dy2static.function_spec import FunctionSpec
from paddle_compat.jit.dy2static.utils import Dygraph2StaticException
from paddle_compat.jit.sot.opcode_translator.executor.executor_cache import OpcodeExecutorCache
from paddle_compat.nn.layer.layers import Layer

capture.convert_forward = convert_call_func.convert_forward
_values.refuse_reading()
_lock = threading.RLock()
MOST_RECORDINGS = 20  # for arguments of one kind, as Paddle has it; then eager mode takes over


class ProgramTranslator:
    """The switch of dynamic-to-static, one for the whole process.

    Example:
        >>> import paddle_compat as paddle
        >>> translator = paddle.jit.dy2static.program_translator.ProgramTranslator()
        >>> translator.enable(False)
        >>> translator.enable_to_static
        False
        >>> translator.reset()
        >>> translator.get_instance() is translator, translator.enable_to_static
        (True, True)

    Follows Paddle 2.6.
    """

    _instance: ProgramTranslator | None = None
    enable_to_static: bool

    def __new__(cls) -> ProgramTranslator:
        if ProgramTranslator._instance is None:
            ProgramTranslator._instance = object.__new__(cls)
            ProgramTranslator._instance.enable_to_static = True
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
        """Switch dynamic-to-static on, as it is at the start."""
        cls.get_instance().enable_to_static = True

    def enable(self, enable_to_static: bool) -> None:
        """Switch dynamic-to-static on or off; where it is off, decorated functions run in eager mode.

        Args:
            enable_to_static (bool): on or off.
        """
        self.enable_to_static = enable_to_static


def enable_to_static(enable_to_static_bool: bool) -> None:
    """Switch dynamic-to-static on or off; where it is off, decorated functions run in eager mode.

    Args:
        enable_to_static_bool (bool): on or off.

    Example:
        >>> import paddle_compat as paddle
        >>> @paddle.jit.to_static
        ... def double(x):
        ...     return x * 2
        >>> paddle.jit.enable_to_static(False)
        >>> double(paddle.ones([1])).tolist()
        [2.0]
        >>> paddle.jit.enable_to_static(True)

    Follows Paddle 2.6.
    """
    ProgramTranslator().enable(enable_to_static_bool)


class ProgramCache:
    """The recordings of a function, by what their arguments are.

    Example:
        >>> import paddle_compat as paddle
        >>> double = paddle.jit.to_static(lambda x: x * 2)
        >>> _ = double(paddle.ones([1])), double(paddle.ones([2]))
        >>> len(double.program_cache), len(double.program_cache.concrete_programs())
        (2, 2)
        >>> key, (newest, run) = double.program_cache.last()
        >>> newest.outputs[0].shape
        (2,)
        >>> double.program_cache.clear(); len(double.program_cache)
        0

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self.recordings: dict[Any, ConcreteProgram] = {}
        self.recent: ConcreteProgram | None = None  # what was asked for last

    def last(self) -> tuple[Any, tuple[ConcreteProgram, Any]]:
        """The recording that was run or asked for last, and its key.

        Returns:
            (key, (ConcreteProgram, what runs it))
        Raises:
            AssertionError: there is none.
        """
        newest = self.newest()
        for key, found in self.recordings.items():
            if found is self.recent:
                return key, (found, found.partial)
        return next(reversed(self.recordings)), (newest, newest.partial)

    def newest(self) -> ConcreteProgram:
        """The newest recording.

        Returns:
            ConcreteProgram.
        Raises:
            AssertionError: there is none.

        Example:
            >>> from paddle_compat.jit.dy2static.program_translator import ProgramCache
            >>> ProgramCache().newest()
            Traceback (most recent call last):
            ...
            AssertionError: No recorded program. Expected a call of the function before.
        """
        assert self.recordings, "No recorded program. Expected a call of the function before."
        return next(reversed(self.recordings.values()))

    def concrete_programs(self) -> list[ConcreteProgram]:
        """All recordings.

        Returns:
            List of ConcretePrograms.
        """
        return list(self.recordings.values())

    def clear(self) -> None:
        """Forget all recordings."""
        self.recordings.clear()
        self.recent = None

    def __len__(self) -> int:
        return len(self.recordings)

    def __iter__(self) -> Any:
        return iter(self.recordings)


class StaticFunction:
    """A function that is recorded at its first call with arguments of a kind, and run as a Program from then on.

    Args:
        function (callable): a function, or a method with its object.
        input_spec (list): what its inputs look like.
        kwargs: `full_graph`, `build_strategy`, `backend`, `property`.

    Example:
        >>> import paddle_compat as paddle
        >>> @paddle.jit.to_static
        ... def clipped(x):
        ...     if x.sum() > 0:
        ...         x = x * 2
        ...     return x
        >>> clipped(paddle.ones([2])).tolist(), clipped(-paddle.ones([2])).tolist()
        ([2.0, 2.0], [-1.0, -1.0])
        >>> concrete, run = clipped.get_concrete_program(paddle.static.InputSpec([None], name="x"))
        >>> concrete.inputs[0].shape, clipped.get_traced_count()
        ((-1,), 2)
        >>> clipped.concrete_program_specify_input_spec([paddle.static.InputSpec([3])]).outputs[0].shape
        (3,)
        >>> clipped.rollback()(paddle.ones([1])).tolist()
        [2.0]
        >>> [op.type for op in clipped.main_program.global_block().ops].count("conditional_block")
        2

    Follows Paddle 2.6.
    """

    def __init__(self, function: Any, input_spec: Any = None, **kwargs: Any) -> None:
        self._options = kwargs
        self._input_spec = input_spec
        self._dygraph_function = function
        self._instance = getattr(function, "__self__", None) if isinstance(function, types.MethodType) else None
        self._whole = bool(kwargs.get("full_graph") or kwargs.get("age") == 1)
        kinds = (inspect.isgeneratorfunction, inspect.iscoroutinefunction, inspect.isasyncgenfunction)
        self._generates = any(kind(function) for kind in kinds)
        self._signature = None if kwargs.get("property") else Signature(function, input_spec, self._whole)
        self._cache = ProgramCache()
        self._watched: dict[Any, list[tuple[Watch, ConcreteProgram]]] = {}  # where eager mode may take over
        self._training = True  # of a function; a layer knows for itself
        self._eager: str | None = None  # why it runs in eager mode
        self._of: weakref.WeakKeyDictionary[Any, StaticFunction] = weakref.WeakKeyDictionary()
        self._inner: Any = None
        self.__name__: str
        self.__qualname__: str
        functools.update_wrapper(self, function, updated=())

    # ---- as a method
    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        found = self._of.get(instance)
        if found is None:
            found = type(self)(types.MethodType(self._dygraph_function, instance), self._input_spec, **self._options)
            self._of[instance] = found
        return found

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if self._instance is None:
            return self._dygraph_function
        if SINCE_3:
            instance = memo[id(self._instance)] if id(self._instance) in memo else copy.deepcopy(self._instance, memo)
            return type(self)(types.MethodType(self._dygraph_function.__func__, instance), self._input_spec, **self._options)
        name = type(self._instance).__name__
        text = "A copy of `%s` is as its class has it, without `to_static`; so is `%s` itself from now on. Copy it before `to_static`."
        logging_utils.log(-1, text, name, name)
        for layer in _layers(self._instance) if isinstance(self._instance, Layer) else [self._instance]:
            for attribute, value in vars(layer).items():  # whoever copies goes through them: none is removed
                if isinstance(value, StaticFunction):
                    object.__setattr__(layer, attribute, value._dygraph_function)
        instance = memo[id(self._instance)] if id(self._instance) in memo else copy.deepcopy(self._instance, memo)
        return types.MethodType(self._dygraph_function.__func__, instance)

    def __reduce__(self) -> Any:
        return type(self), (self._dygraph_function, self._input_spec)

    # ---- running
    @property
    def inner(self) -> Callable[..., Any]:
        """The rewritten function, which a recording calls."""
        if self._inner is None:
            self._inner = convert_call_func.convert_call(self._dygraph_function)
        made: Callable[..., Any] = self._inner
        return made

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if capture.current is not None:
            return self.inner(*args, **kwargs)
        if self._eager is not None or not ProgramTranslator().enable_to_static:
            return self._dygraph_function(*args, **kwargs)
        if not mode.in_dygraph_mode():
            if self._options.get("age") == 1:
                return self.inner(*args, **kwargs)
            raise RuntimeError(
                f"`{self.__name__}` is decorated by `to_static`. Expected eager mode (call `paddle.disable_static()`). Received: a call in "
                "static mode"
            )
        if self._signature is None:
            return self._dygraph_function(*args, **kwargs)
        owner = self._instance
        if owner is not None and not isinstance(owner, Layer) and self._options.get("age") != 1:
            raise TypeError(
                f"When using 'to_static' to convert method of a class, please ensure the class inherits from nn.Layer. Expected "
                f"`{self.__name__}` to be a method of one. Received: a method of {owner if isinstance(owner, type) else type(owner)}"
            )
        bound = self._bound(args, kwargs)
        if bound.sparse and self._whole:
            raise UnsupportedError(f"`{self.__name__}`, decorated by to_static(full_graph=True),", "sparse Tensors", "eager mode")
        if not self._whole and (bound.arrays or bound.sparse or self._generates):  # what is made of arrays alone is an array in eager mode
            return self._dygraph_function(*args, **kwargs)
        try:
            recording = self._recording(bound)
        except Exception as error:
            if self._options.get("full_graph") or (self._whole and isinstance(error, MadeParameterError)):
                raise failure(error, self._dygraph_function) from None
            return self._in_eager_mode(error, args, kwargs)
        try:
            return recording.run([t._t for t in bound.tensors])
        except Exception as error:
            if recording.capture.whole:
                raise failed_run(error) from None
            return self._in_eager_mode(error, args, kwargs)  # which raises the user's own exception

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Bound:
        assert self._signature is not None
        try:
            return self._signature.bind(args, kwargs)
        except TypeError as error:
            # too few and too many are a ValueError in 2.6, words that the function does not take a TypeError
            raise WrongInputError(f"`{self.__name__}()` {error}") from None

    def _in_eager_mode(self, error: Exception, args: Any, kwargs: Any) -> Any:
        """Run in eager mode from now on, where the function can: what fails there too is the user's own error."""
        result = self._dygraph_function(*args, **kwargs)
        self._eager = str(error)
        warnings.warn(
            f"{place_of(error, self._dygraph_function)}: `{self.__name__}` cannot be recorded and runs in eager mode from now on "
            f"({type(error).__name__}: {error})",
            stacklevel=3,
        )
        return result

    def train(self) -> None:
        """Record with operators that train, as functions do from the start.

        Raises:
            RuntimeError: it is the method of a layer in the other mode, which `Layer.train()` switches.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.jit.to_static(lambda x: x * 2).train()
        """
        self._switch(True)

    def eval(self) -> None:
        """Record with operators that do not train: no dropout.

        Raises:
            RuntimeError: it is the method of a layer in the other mode, which `Layer.eval()` switches.

        Example:
            >>> import paddle_compat as paddle
            >>> dropped = paddle.jit.to_static(lambda x: paddle.nn.functional.dropout(x), full_graph=True)
            >>> dropped.eval()
            >>> dropped(paddle.ones([2])).tolist()
            [1.0, 1.0]
        """
        self._switch(False)

    def _switch(self, training: bool) -> None:
        if isinstance(self._instance, Layer) and self._instance.training is not training:
            wanted = f"`Layer.{'train' if training else 'eval'}()`"
            raise RuntimeError(f"`{self.__name__}` is the method of a layer. Expected {wanted}. Received: the same of its method")
        self._training = training

    def _modes(self) -> Any:
        layer = self._instance
        return tuple(l.training for l in _layers(layer)) if isinstance(layer, Layer) else self._training

    def _recording(self, bound: Bound) -> ConcreteProgram:
        key: tuple[Any, ...] = (bound.key, self._modes(), _amp_state(), default())
        whole = self._whole
        watched: list[tuple[Watch, ConcreteProgram]] = [] if whole else self._watched.setdefault(key, [])
        if whole:
            found = self._cache.recordings.get(key)
        else:
            found = next((recording for watch, recording in watched if watch.changed() is None), None)
            key = (*key, len(watched))
        if found is None:
            assert self._signature is not None
            if len(watched) == MOST_RECORDINGS:
                raise Dygraph2StaticException(f"`{watched[-1][0].changed()}`, which it reads, is another one at every call")
            with _lock:
                watch = None if whole else Watch(self._instance)
                try:
                    training = self._training or not whole
                    with watching(watch):
                        found = ConcreteProgram(self, self._signature, bound.tree, whole=whole, training=training)
                finally:
                    changed = watch.restore() if watch is not None else None
                if changed is not None:
                    raise Dygraph2StaticException(f"it sets `{changed}`, which eager mode does at every call")
                found.lower()
            self._cache.recordings[key] = found
            if watch is not None:
                watched.append((watch, found))
                OpcodeExecutorCache().note(getattr(self._dygraph_function, "__code__", None), key)
        self._cache.recent = found
        return found

    # ---- what was recorded
    def get_concrete_program(self, *args: Any, **kwargs: Any) -> tuple[ConcreteProgram, Any]:
        """The recording for these arguments; it is made if need be.

        Args:
            args, kwargs: Tensors, InputSpecs and other arguments of the function.
        Returns:
            (ConcreteProgram, what runs it)
        """
        self._raise_when_property()
        recording = self._recording(self._bound(args, kwargs))
        return recording, recording.partial

    @property
    def concrete_program(self) -> ConcreteProgram:
        """The newest recording; where there is none, one of what `input_spec` describes."""
        return self.concrete_program_specify_input_spec()

    def concrete_program_specify_input_spec(self, input_spec: Any = None, with_hook: bool = False) -> ConcreteProgram:
        """The recording for these specifications.

        Args:
            input_spec (list): what the inputs look like; None: those of `to_static`, or those of the newest call.
            with_hook (bool): record the layer's hooks too.
        Returns:
            ConcreteProgram.
        Raises:
            RuntimeError: a method was not taken from an object, or its layer was made in static mode.
            ValueError: there is neither a specification nor a recording.
        """
        self._raise_when_property()
        if self._instance is None and "." in self.__qualname__ and "<locals>" not in self.__qualname__.rsplit(".", 1)[0]:
            if next(iter(inspect.signature(self._dygraph_function).parameters), "") == "self":
                raise RuntimeError(
                    f"`{self.__qualname__}` is a method of a class. Expected the method of an object (`net.forward`). Received: the class's"
                )
        assert self._signature is not None
        if input_spec is None and self._signature.specs is None:
            if not len(self._cache):
                raise ValueError(
                    f"No valid transformed program for `{self.__name__}`. Expected `input_spec`, or a call of the function before. "
                    "Received: neither"
                )
            return self._cache.newest()
        if isinstance(self._instance, Layer) and not self._instance._init_in_dynamic_mode:
            raise RuntimeError(
                f"`paddle.jit.to_static` is only available in dynamic mode. Expected `paddle.disable_static()` before the layer of "
                f"`{self.__name__}` is made. Received: a {type(self._instance).__name__} that was made in static mode"
            )
        specs = self._signature if input_spec is None else Signature(self._dygraph_function, input_spec)
        args, kwargs = specs.split(specs.from_specs())
        bound = specs.bind(tuple(args), kwargs)
        key = (bound.key, self._modes(), _amp_state(), with_hook)
        if key not in self._cache.recordings:
            try:
                self._cache.recordings[key] = ConcreteProgram(self, specs, bound.tree, with_hook)
            except Exception as error:
                raise failure(error, self._dygraph_function) from None
        return self._cache.recordings[key]

    def get_traced_count(self) -> int:
        """How many recordings there are.

        Returns:
            int.
        """
        return len(self._cache)

    @property
    def code(self) -> str:
        """The rewritten function as text."""
        function: Any = self._dygraph_function
        return _rebuild.source(getattr(function, "__func__", function))

    @property
    def dygraph_function(self) -> Any:
        """The function as it was."""
        return self._dygraph_function

    @property
    def inputs(self) -> list[Any]:
        """The Variables that the recording takes."""
        self._raise_when_property()
        return list(self.concrete_program.input_variables)

    @property
    def outputs(self) -> list[Any]:
        """The Variables that the recording gives."""
        self._raise_when_property()
        return self.concrete_program.output_variables

    @property
    def main_program(self) -> Program:
        """The Program of the recording."""
        self._raise_when_property()
        return self.concrete_program.main_program

    @property
    def program_cache(self) -> ProgramCache:
        """All recordings."""
        return self._cache

    @property
    def function_spec(self) -> FunctionSpec:
        """The function's parameters and specifications."""
        return FunctionSpec(self._dygraph_function, self._input_spec)

    _function_spec = function_spec  # harnesses ask for these two
    _class_instance = property(lambda self: self._instance)

    @property
    def is_property(self) -> bool:
        """Whether it is a property of its class."""
        return bool(self._options.get("property"))

    def _raise_when_property(self) -> None:
        if self.is_property:
            raise RuntimeError("A property has no Program. Expected a function decorated without `property=True`.")

    def rollback(self) -> Any:
        """The function as it was, which its layer gets back, and its sublayers theirs (in Paddle 3 they keep what they have).

        Returns:
            The function.
        """
        instance = self._instance
        if instance is None:
            return self._dygraph_function
        for layer in _layers(instance) if isinstance(instance, Layer) and not SINCE_3 else [instance]:
            for name, value in list(vars(layer).items()):
                if isinstance(value, StaticFunction) and (layer is not instance or value is self):
                    object.__delattr__(layer, name)
                    if value._dygraph_function.__func__ is not getattr(type(layer), name, None):
                        object.__setattr__(layer, name, value._dygraph_function)
        if isinstance(getattr(type(instance), self._dygraph_function.__name__, None), StaticFunction):  # its class decorates it
            object.__setattr__(instance, self._dygraph_function.__name__, self._dygraph_function)
        return getattr(instance, self._dygraph_function.__name__, self._dygraph_function)


def _layers(layer: Layer) -> list[Layer]:
    return layer.sublayers(include_self=True)


def _amp_state() -> Any:
    """What mixed precision does to operators now."""
    return amp_state()


def convert_to_static(function: Any) -> Any:
    """The rewritten form of a function.

    Args:
        function: a Python function.
    Returns:
        The function whose control flow may depend on Tensors; the function itself where it is marked by `not_to_static`.

    Example:
        >>> from paddle_compat.jit.dy2static.program_translator import convert_to_static
        >>> convert_to_static(lambda x: x + 1)(1)
        2

    Follows Paddle 2.6.
    """
    if convert_call_func.is_marked(function):
        return function
    return convert_call_func.rewritten_or_not(function)


def unwrap(function: Any) -> Any:
    """The function inside of a StaticFunction."""
    return function._dygraph_function if isinstance(function, StaticFunction) else function


class ASTStaticFunction(StaticFunction):
    """A function that has to be recorded as a whole: `to_static(full_graph=True)`.

    Args:
        function, input_spec, kwargs: as StaticFunction takes them.

    Example:
        >>> import paddle_compat as paddle
        >>> type(paddle.jit.to_static(lambda x: x * 2, full_graph=True)).__name__
        'ASTStaticFunction'

    Follows Paddle 2.6.
    """


class SymbolicStaticFunction(StaticFunction):
    """A function that eager mode may take over: what `to_static` makes by default.

    Args:
        function, input_spec, kwargs: as StaticFunction takes them.

    Example:
        >>> import paddle_compat as paddle
        >>> type(paddle.jit.to_static(lambda x: x * 2)).__name__
        'SymbolicStaticFunction'

    Follows Paddle 2.6.
    """


__all__ = [
    "ASTStaticFunction", "ConcreteProgram", "ProgramCache", "ProgramTranslator", "StaticFunction", "SymbolicStaticFunction",
    "convert_to_static", "enable_to_static",
]  # fmt: skip

__getattr__ = missing(__name__)
