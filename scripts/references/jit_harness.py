"""What Paddle's own unit tests ask of the modules below `paddle.jit`: environment variables, logs, errors, markers, counts of recordings.

Part of jit_interface.py's table.
"""

# mypy: ignore-errors
# ruff: noqa: B023

from __future__ import annotations

import importlib
import io
import logging
import os
import warnings
from typing import Any

import jit_names
import jit_worlds


def ask(paddle: Any, show: Any) -> None:
    """Questions for 2.6.2."""
    _environment(paddle, show)
    _logs(paddle, show)
    _errors(paddle, show)
    _counts(paddle, show)
    jit_worlds.ask(paddle, show)
    jit_names.ask(paddle, show)

    def f(x):
        return x + 1

    def told(function):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            function()
        return [(w.category.__name__, str(w.message)) for w in seen]

    specs = [paddle.static.InputSpec([None, 2], name="x")]
    show("specs by default", lambda: told(lambda: paddle.jit.to_static(f, input_spec=specs)))
    show("specs of a whole one", lambda: told(lambda: paddle.jit.to_static(f, input_spec=specs, full_graph=True)))


def _module(paddle: Any, name: str) -> Any:
    return importlib.import_module(f"{paddle.__name__}.{name}")


def _environment(paddle: Any, show: Any) -> None:
    env = _module(paddle, "utils.environments")
    flag, number, text = (
        env.BooleanEnvironmentVariable("TEST_JIT_FLAG", False),
        env.IntegerEnvironmentVariable("TEST_JIT_NUMBER", 3),
        env.StringEnvironmentVariable("TEST_JIT_TEXT", "d"),
    )

    def given(variable, value):
        os.environ[variable.name] = value
        return variable.get()

    def guarded():
        os.environ[number.name] = "5"
        with env.EnvironmentVariableGuard(number, 9):
            inside = number.get(), os.environ[number.name]
        return inside, number.get()

    show("env defaults", lambda: (flag.get(), number.get(), text.get(), flag.name, number.default, flag, number))
    show("env set", lambda: (flag.set(True), os.environ[flag.name], flag.get(), number.set(7), number.get(), text.set("x"), text.get()))
    show("env bools", lambda: [given(flag, v) for v in ("1", "0", "True", "false", "ON", "off", "yes", "y", "n", "", "z", "2")])
    show("env numbers", lambda: [given(number, v) for v in ("a", "1.5", "-2", " 4 ")])
    for variable, value in ((flag, 3), (number, "a"), (number, True), (text, 4)):
        show(f"env {variable.name} {value!r}", lambda: variable.set(value))
    show("env deleted", lambda: (flag.delete(), flag.get(), flag.name in os.environ))
    show("env deleted twice", lambda: flag.delete())
    show("env guard", guarded)
    number.delete(), text.delete()
    envs = _module(paddle, "jit.sot.utils.envs")

    def within():
        with envs.min_graph_size_guard(4), envs.strict_mode_guard(True):
            return envs.ENV_MIN_GRAPH_SIZE.get(), envs.ENV_STRICT_MODE.get()

    show("sot env", lambda: (within(), envs.ENV_MIN_GRAPH_SIZE, envs.ENV_STRICT_MODE))
    errors = _module(paddle, "jit.sot.utils.exceptions")
    for name in ("InnerError", "BreakGraphError", "FallbackError"):
        show(f"sot {name}", lambda: [c.__name__ for c in getattr(errors, name).__mro__])
    show("sot fall back", lambda: (errors.FallbackError("a").disable_eval_frame, str(errors.FallbackError("a", True))))

    def asked(value):
        with env.EnvironmentVariableGuard(env.BooleanEnvironmentVariable("ENABLE_FALL_BACK", True), value):
            return type(paddle.jit.to_static(lambda x: x)).__name__

    show("what to_static makes", lambda: (asked(True), asked(False)))


def _logs(paddle: Any, show: Any) -> None:
    logs = _module(paddle, "jit.dy2static.logging_utils")
    trees = _module(paddle, "utils").gast
    logger = logs._TRANSLATOR_LOGGER

    def written(act):
        stream = io.StringIO()
        handler = logging.StreamHandler(stream)
        logger.logger.addHandler(handler)
        try:
            act()
        finally:
            logger.logger.removeHandler(handler)
        return stream.getvalue()

    def level(value):
        logger.verbosity_level = value
        return logger.verbosity_level

    def both():
        return logger.verbosity_level, logger.need_to_echo_log_to_stdout, logger.transformed_code_level, logger.need_to_echo_code_to_stdout

    show("log one", lambda: (type(logger).__name__, logger is logs.TranslatorLogger(), logger.logger.name))
    show("log set", lambda: (paddle.jit.set_verbosity(1, True), paddle.jit.set_code_level(2, True), both()))
    show("log unset", lambda: (paddle.jit.set_verbosity(0), paddle.jit.set_code_level(), both()))
    show("log has", lambda: (paddle.jit.set_verbosity(2), [logger.has_verbosity(i) for i in (1, 2, 3)], logs.get_verbosity()))
    show("log has code", lambda: (paddle.jit.set_code_level(3), [logger.has_code_level(i) for i in (1, 3, 4)], logs.get_code_level()))
    for value in (2, True, 3.3, "a"):
        show(f"log level {value!r}", lambda: level(value))
    paddle.jit.set_verbosity(1)
    show("log warn", lambda: written(lambda: logs.warn("warn")))
    show("log error", lambda: written(lambda: logs.error("error %s", 3)))
    show("log levels", lambda: [written(lambda: logs.log(i, "level %s", i)) for i in (1, 2)])
    paddle.jit.set_code_level(1)
    show("log code", lambda: [written(lambda: logs.log_transformed_code(i, trees.parse("x = 3"), "One")) for i in (1, 2)])
    paddle.jit.set_code_level()
    show("log all code", lambda: written(lambda: logs.log_transformed_code(logs.LOG_AllTransformer, trees.parse("x = 3"), "All")))
    paddle.jit.set_verbosity(0), paddle.jit.set_code_level(0)


def _errors(paddle: Any, show: Any) -> None:
    error = _module(paddle, "jit.dy2static.error")
    calls = _module(paddle, "jit.dy2static.convert_call_func")
    nodes = _module(paddle, "jit.dy2static.variable_trans_func")
    utils = _module(paddle, "jit.dy2static.utils")
    partial = _module(paddle, "jit.dy2static.partial_program")

    @paddle.jit.to_static(full_graph=True)
    def wrong(x):
        return paddle.reshape(x + 1, [7])

    def data():
        try:
            wrong(paddle.ones([2]))
        except ValueError as raised:
            found = getattr(raised, error.ERROR_DATA)
            made = found.create_exception()
            return isinstance(found, error.ErrorData), issubclass(found.error_type, ValueError), isinstance(made, ValueError), (
                "In transformed code:" in str(raised)), "In transformed code:" in found.create_message()  # fmt: skip

    def plain(x):
        return x

    def plus_one(x):
        return x + 1

    show("error data", data)
    show("left as it is", lambda: getattr(paddle.jit.not_to_static(plain), calls.CONVERSION_OPTIONS).not_convert)
    show("options", lambda: (calls.ConversionOptions().not_convert, calls.ConversionOptions(True).not_convert))
    for value in (1.0, True, 4293, 0):
        show(f"node {value!r}", lambda: utils.ast_to_source_code(nodes.create_fill_constant_node("a", value)))
    show("bool node", lambda: utils.ast_to_source_code(nodes.create_bool_node("b", True)))
    show("undefined node", lambda: utils.ast_to_source_code(nodes.create_undefined_var("q")))
    show("as tensors", lambda: [type(nodes.to_static_variable(v)).__name__ for v in (True, 1, 1.5, "a")])
    hook = partial.PartialProgramLayerHook()
    show("hook", lambda: (hook.before_append_backward(None), hook.after_append_backward(None, 0), hook.after_infer(None)))
    run = paddle.jit.to_static(plus_one, full_graph=True).get_concrete_program(paddle.ones([2]))[1]
    show("what runs", lambda: (isinstance(run, partial.PartialProgramLayer), [o.type for o in run.forward_program.global_block().ops]))


def _counts(paddle: Any, show: Any) -> None:
    Cache = _module(paddle, "jit.sot.opcode_translator.executor.executor_cache").OpcodeExecutorCache

    def add(x, y):
        return x + y

    def times(x, n):
        for i in range(n):
            x = x + i
        return x

    def outer(x):
        return add(x, 1) + add(x, 2)

    def total(values):
        return sum(values)

    def counted(function, *calls):
        Cache().clear()
        counts = []
        for args in calls:
            paddle.jit.sot.symbolic_translate(function)(*args)
            counts.append(Cache().translate_count)
        return counts, len(Cache().cache)

    one, wide = paddle.ones([2]), paddle.ones([3])
    show("count add", lambda: counted(add, (one, one), (one, one), (one, 1), (one, 2), (one, 1)))
    show("count types", lambda: counted(add, (one, one), (one.astype("int64"), one), (wide, wide)))
    show("count times", lambda: counted(times, (one, 2), (one, 3), (one, 2)))
    show("count outer", lambda: counted(outer, (one,), (one,)))
    show("count lists", lambda: counted(total, ([one, one],), ([one, one],), ([one],)))


def markers(paddle: Any, show: Any) -> None:
    """Questions for 3.3.1."""
    marker = _module(paddle, "jit.marker")

    class Net(paddle.nn.Layer):
        def forward(self, x):
            return x if x.sum() > 0 else x * 2

    class Plain:
        pass

    def either(x):
        return x * 2 if x.sum() > 0 else x

    def triple(x):
        return x * 3

    def both(x):
        return triple(x) + either(x)

    show("unified", lambda: (marker.unified(either) is either, marker.unified(for_ast=False)(either) is either))
    show("dynamic", lambda: (marker.force_dynamic(triple) is triple, marker.force_dynamic(Net) is Net))
    for value in (Net(), 3, Plain, None):
        show(f"dynamic {type(value).__name__}", lambda: marker.force_dynamic(value))
    for sign in (1, -1):
        show(f"marked {sign}", lambda: paddle.jit.to_static(both, full_graph=False)(paddle.ones([2]) * sign).tolist())
        show(f"marked net {sign}", lambda: paddle.jit.to_static(Net(), full_graph=False)(paddle.ones([2]) * sign).tolist())
    x = paddle.ones([2, 3])
    show("dims", lambda: (marker.dynamic_dims(x, 0), marker.dynamic_dims(x, [0, 1]), marker.dynamic_dims(x, 5)))
    show("dims of a number", lambda: marker.dynamic_dims(3, 0))
    show("dims by name", lambda: marker.dynamic_dims(x, "a"))
    show("captured", lambda: (marker.capture_control_flow(either) is either, marker.capture_control_flow()(either) is either))
    show("not to static", lambda: marker.not_to_static(either) is either)
