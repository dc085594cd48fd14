"""Functions of eager mode that Paddle 1.8 turns into Programs, in each of the ways that it has, and models that it loads again.

declarative_1.8.5.json: {question: answer}.
"""

# mypy: ignore-errors
# ruff: noqa: B023

import importlib
import os
import tempfile
import warnings
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

WHEELS = ("1.8.5",)
fluid: Any = None  # the wheel's reads the names in the functions' text


# the wheel makes functions anew out of their text, which has to do without this module's names for types
def array_in_function(x):
    y = fluid.dygraph.to_variable(np.array([1.0, 2.0, 3.0, 4.0], "float32"))
    return x + y


def same_in_function(x):
    x = fluid.dygraph.to_variable(x)
    found = []
    for _ in range(3):
        found.append(x)
    return fluid.layers.concat(found, axis=0)


def number_of_mean(x):
    if fluid.layers.mean(x).numpy()[0] > 5:
        x = x + 100
    else:
        x = x - 1
    return x


def size_in_reshape(x):
    return fluid.layers.reshape(x, [x.shape[0], 2, 2])


def branches(x):
    i = fluid.layers.fill_constant([1], "int32", 2)
    if fluid.layers.mean(x) > 0:
        if i > 1:
            x = x * 3
        else:
            x = x * 4
    else:
        x = x - 5
    return x


def both(x, label=None):
    if fluid.layers.mean(x) > 0 and label is None:
        x = x * 2
    return x


def count(x):
    i = fluid.layers.fill_constant([1], "int32", 0)
    while i < 5:
        x = x + 1
        i = i + 1
    return x


def unless(x):
    for i in range(10):
        if i > 5:
            break
        x = x + i
    return x


def appended(x):
    found = []
    for i in range(3):
        found.append(x * i)
    return fluid.layers.concat(found, 1)


def helper(x):
    if fluid.layers.mean(x) > 0:
        x = x * 2
    return x


def nested(x):
    def inner(y):
        if fluid.layers.mean(y) > 0:
            y = y + 100
        return y

    return inner(helper(x))


def linear(x):
    weight = fluid.layers.create_parameter([4, 2], "float32", default_initializer=fluid.initializer.Constant(0.5))
    return fluid.layers.mul(x, weight)


FUNCTIONS: Tuple[Callable[..., Any], ...] = (
    array_in_function, same_in_function, number_of_mean, size_in_reshape, branches, both, count, unless, appended, nested, linear,
)  # fmt: skip
VALUES = np.arange(12, dtype="float32").reshape(3, 4)


def told(value: Any) -> str:
    """An array as text."""
    return "{} {} {:.4f}".format(value.dtype, tuple(value.shape), float(value.astype("float64").sum()))


def attempt(question: Callable[[], Any]) -> str:
    """The answer as text, or the exception's classes."""
    try:
        return str(question())
    except Exception as error:
        return "raises " + "|".join(kind.__name__ for kind in type(error).__mro__)


def in_program(function: Callable[..., Any]) -> str:
    """What a function gives that is called while a Program is written."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        out = fluid.dygraph.dygraph_to_static_func(function)(fluid.data("x", [-1, 4]))
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        return told(exe.run(main, feed={"x": VALUES}, fetch_list=[out])[0])


def translators(ask: Callable[[str, Callable[[], Any]], None]) -> None:
    """ProgramTranslator switched on and off."""
    translator = fluid.dygraph.ProgramTranslator()
    x = fluid.dygraph.to_variable(VALUES)
    translator.enable(False)
    ask("off: get_output", lambda: told(translator.get_output(both, x).numpy()))
    ask("off: get_program", lambda: told(translator.get_program(helper, x).numpy()))
    ask("off: get_func", lambda: translator.get_func(branches) is branches)
    ask("off: get_code", lambda: isinstance(translator.get_code(branches), str))
    ask("off: declarative", lambda: told(fluid.dygraph.declarative(helper)(x).numpy()))
    translator.enable(True)


def traced(ask: Callable[[str, Callable[[], Any]], None], folder: str) -> None:
    """TracedLayer."""
    x = fluid.dygraph.to_variable(VALUES)
    layer = fluid.dygraph.Linear(4, 2, param_attr=fluid.initializer.Constant(0.5))
    out, made = fluid.dygraph.TracedLayer.trace(layer, [x])
    strategy, running = fluid.BuildStrategy(), fluid.ExecutionStrategy()
    strategy.enable_inplace = False
    running.num_threads = 2
    ask("set_strategy", lambda: made.set_strategy(strategy, running))
    ask("traced", lambda: told(made([x])[0]))
    ask("set_strategy, late", lambda: made.set_strategy(strategy))
    made.save_inference_model(folder + "/linear", feed=[0], fetch=[0])
    for name, feed, fetch in (("feed", ["a"], None), ("feed, no list", 0, None), ("fetch", None, [3])):
        ask("save, wrong " + name, lambda a=feed, b=fetch: made.save_inference_model(folder + "/wrong", a, b))
    ask("save, wrong folder", lambda: made.save_inference_model(3))
    ask("trace, no layer", lambda: fluid.dygraph.TracedLayer.trace(3, [x]))


def loaded(ask: Callable[[str, Callable[[], Any]], None], folder: str) -> None:
    """What `traced` saved, as a layer that is trained on."""
    StaticModelRunner = importlib.import_module(fluid.__name__ + ".dygraph.static_runner").StaticModelRunner

    x = fluid.dygraph.to_variable(VALUES)
    net = StaticModelRunner(folder + "/linear")
    ask("loaded", lambda: told(net(x).numpy()))
    ask("loaded, array", lambda: told(net(VALUES).numpy()))
    ask("loaded, parameters", lambda: sorted((p.name.split(".")[1], p.shape, p.stop_gradient) for p in net.parameters()))
    ask("loaded, training", lambda: net.training)
    optimizer = fluid.optimizer.SGD(0.1, parameter_list=net.parameters())
    for _ in range(3):
        loss = fluid.layers.mean(net(x))
        loss.backward()
        optimizer.minimize(loss)
        net.clear_gradients()
        ask("loaded, loss {}".format(_), lambda: told(loss.numpy()))
    ask("load, no str", lambda: StaticModelRunner(3))
    ask("load, no folder", lambda: StaticModelRunner(folder + "/nowhere"))
    ask("load, no model", lambda: StaticModelRunner(folder + "/linear", model_filename="other"))
    ask("load, no parameters", lambda: StaticModelRunner(folder + "/linear", params_filename="other"))


def convolutions(ask: Callable[[str, Callable[[], Any]], None], folder: str) -> None:
    """A static model with running statistics and two outputs, loaded as a layer."""
    StaticModelRunner = importlib.import_module(fluid.__name__ + ".dygraph.static_runner").StaticModelRunner

    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        image, label = fluid.data("image", [-1, 1, 4, 4]), fluid.data("label", [-1, 2])
        hidden = fluid.layers.conv2d(image, 2, 3, param_attr=fluid.initializer.Constant(0.1))
        hidden = fluid.layers.dropout(fluid.layers.batch_norm(hidden), 0.5)
        first = fluid.layers.fc(hidden, 2, param_attr=fluid.initializer.Constant(0.2), act="tanh")
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        fluid.io.save_inference_model(folder, ["image", "label"], [first, first + label], exe, main, "m", "p")
    with fluid.dygraph.guard(fluid.CPUPlace()):
        net = StaticModelRunner(folder, model_filename="m", params_filename="p")
        net.eval()
        given = np.random.RandomState(0).rand(3, 1, 4, 4).astype("float32"), np.ones([3, 2], "float32")
        ask("two outputs", lambda: [told(v.numpy()) for v in net(*given)])
        ask("statistics", lambda: sorted((p.name, p.stop_gradient) for p in net.parameters() if p.stop_gradient))
        ask("one input", lambda: net(given[0]))


def answers(module: Any) -> Dict[str, str]:
    """What `fluid` answers to every question."""
    global fluid
    fluid = module
    found: Dict[str, str] = {}

    def ask(name: str, question: Callable[[], Any]) -> None:
        found[name] = attempt(question)

    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        convolutions(ask, os.path.join(folder, "conv"))
        with fluid.dygraph.guard(fluid.CPUPlace()):
            traced(ask, folder)
        with fluid.dygraph.guard(fluid.CPUPlace()):
            loaded(ask, folder)
        with fluid.dygraph.guard(fluid.CPUPlace()):
            translators(ask)
        for function in FUNCTIONS:
            ask(function.__name__ + ", in a Program", lambda: in_program(function))
        for name in ("get_output", "get_func", "get_program", "get_code"):
            ask("wrong " + name, lambda name=name: getattr(fluid.dygraph.ProgramTranslator(), name)(3))
    return found


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """The data file."""

    def observed() -> Dict[str, str]:
        import paddle.fluid

        return answers(paddle.fluid)

    return {"declarative_{}.json".format(version): observed}


__all__: List[str] = ["answers", "recordings"]
