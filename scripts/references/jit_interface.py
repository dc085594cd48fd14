"""What the objects of `paddle.jit` answer: InputSpec, StaticFunction, the caches, switches, wrong use, what harnesses ask.

jit_interface_2.6.2.json (and _3.3.1, of what is Paddle 3's) is {question: answer as text}, or the builtin classes of the exception.
"""

# mypy: ignore-errors
# ruff: noqa: B023

from __future__ import annotations

import copy
import os
import warnings
from typing import Any, Callable

import jit_harness
import numpy as np
from eager_answers import kind

WHEELS = ("2.6.2", "3.3.1")


def answers(paddle: Any, version: str = "2.6.2") -> dict[str, str]:
    """Everything that is asked."""
    found: dict[str, str] = {}

    def show(name: str, ask: Callable[[], Any]) -> None:
        try:
            found[name] = str(ask())
        except Exception as error:
            found[name] = "raises " + kind(error)

    paddle.disable_static()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if version == "2.6.2":
            _ask(paddle, show)
            jit_harness.ask(paddle, show)
        else:
            jit_harness.markers(paddle, show)
    return found


def _ask(paddle: Any, show: Any) -> None:
    nn, InputSpec, to_static = paddle.nn, paddle.static.InputSpec, paddle.jit.to_static

    class Lin(nn.Layer):
        def __init__(self, i=4, o=3):
            super().__init__()
            self.fc = nn.Linear(i, o)

        @to_static
        def forward(self, x):
            return self.fc(x)

    class Spec(nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(4, 3)

        @to_static(input_spec=[InputSpec([None, 4], "float32", name="img")], full_graph=True)
        def forward(self, x):
            return self.fc(x)

    class Plain:
        def double(self, x):
            return x * 2

    class Unset(nn.Layer):
        def __init__(self):
            super().__init__()
            self.b = paddle.ones([1])

        @to_static(full_graph=True)
        def forward(self):
            self.b = None
            self.b = paddle.zeros([1])

    def drop(x):
        return paddle.nn.functional.dropout(x, 0.9)

    def either(a, b=2):
        return paddle.ones([1])

    x = paddle.to_tensor(np.random.RandomState(0).randn(2, 4).astype("float32"))
    # InputSpec
    show("spec repr", lambda: repr(InputSpec([None, 2], "float32", "x")))
    show("spec repr2", lambda: str(InputSpec([3], "int64")))
    show(
        "spec eq",
        lambda: (
            InputSpec([3]) == InputSpec([3]),
            InputSpec([3]) == InputSpec([3], name="a"),
            InputSpec([3]) != InputSpec([4]),
            hash(InputSpec([3])) == hash(InputSpec([3])),
        ),
    )
    show("spec from name", lambda: repr(InputSpec.from_tensor(x, "q")))
    show("spec numpy", lambda: repr(InputSpec.from_numpy(np.ones([2, 2], "float32"), "a")))
    show("spec batch", lambda: repr(InputSpec([4], "float32").batch(8)))
    show("spec batch3", lambda: InputSpec([4], "float32").batch([8, 2]))
    show("spec batch4", lambda: InputSpec([4], "float32").batch("a"))
    show("spec unbatch", lambda: repr(InputSpec([4, 5], "float32").unbatch()))
    show("spec unbatch0", lambda: InputSpec([], "float32").unbatch())
    show("spec noshape", lambda: InputSpec())
    show("spec badshape", lambda: InputSpec(4))
    show("spec badshape2", lambda: InputSpec([4, "a"]))
    show("spec -2", lambda: InputSpec([-2]))
    show("spec -1", lambda: InputSpec([-1, 3]).shape)
    show("spec stop", lambda: InputSpec([1], stop_gradient=True).stop_gradient)
    show("spec dtype2", lambda: str(InputSpec([1], paddle.int64).dtype))
    # StaticFunction
    n = Spec()
    show("cp inputs", lambda: [getattr(i, "name", type(i).__name__) for i in n.forward.concrete_program.inputs])
    show("cp outputs", lambda: n.forward.concrete_program.outputs.shape)
    show("cp params", lambda: len(n.forward.concrete_program.parameters))
    show("outputs", lambda: [o.shape for o in n.forward.outputs])
    show("inputs", lambda: [getattr(i, "name", "") for i in n.forward.inputs])
    show("main", lambda: [o.type for o in n.forward.main_program.global_block().ops])
    show("cache", lambda: len(n.forward.program_cache))
    show("call", lambda: n(x).shape)
    show("cache2", lambda: len(n.forward.program_cache))
    show("call wrong", lambda: n(paddle.ones([2, 5])))
    show("call int", lambda: n(paddle.ones([2, 4], "int64")))
    show("call none", lambda: n())
    show("call extra", lambda: n(x, x))
    show("call by a wrong word", lambda: n(x, y=x))
    show("call twice the same", lambda: n(x, x=x))

    def three(a, b=2, *, c=3):
        return a * b + c

    for whole in (True, False):
        told = to_static(three, full_graph=whole)
        show(f"none {whole}", lambda: told())
        show(f"too many {whole}", lambda: told(x, 1, 2))
        show(f"a wrong word {whole}", lambda: told(x, d=1))
    show("call numpy", lambda: n(np.ones([3, 4], "float32")).shape)
    show("code", lambda: type(n.forward.code).__name__)
    show(
        "fn spec",
        lambda: (
            type(n.forward.function_spec).__name__,
            n.forward.function_spec.args_name,
            n.forward.function_spec.input_spec,
            n.forward.function_spec.flat_input_spec,
        ),
    )
    show("dygraph_function", lambda: n.forward.dygraph_function.__name__)
    show("rollback", lambda: type(n.forward.rollback()).__name__)
    show("after rollback", lambda: type(n.forward).__name__)
    show("class access", lambda: type(Spec.forward).__name__)
    # specs errors
    show("spec too many", lambda: to_static(lambda a: a, input_spec=[InputSpec([1]), InputSpec([1])], full_graph=True).concrete_program)
    show("spec not list", lambda: to_static(lambda a: a, input_spec=InputSpec([1]), full_graph=True)(x))

    def two(a, b=2):
        return a + b

    show("spec fewer", lambda: to_static(two, input_spec=[InputSpec([None, 4])], full_graph=True)(x).shape)
    show("spec const", lambda: to_static(two, input_spec=[InputSpec([None, 4]), 3], full_graph=True)(x, 3).shape)
    show("spec kwargs", lambda: to_static(two, input_spec=[InputSpec([None, 4])], full_graph=True)(a=x).shape)
    show("spec kwargs2", lambda: to_static(two, input_spec=[InputSpec([None, 4])], full_graph=True)(x, b=3).shape)

    def ls(l):
        return l[0] + l[1]

    show("spec list", lambda: to_static(ls, input_spec=[[InputSpec([None, 4]), InputSpec([None, 4])]], full_graph=True)([x, x]).shape)

    def dc(d):
        return d["a"] + d["b"]

    show(
        "spec dict",
        lambda: to_static(dc, input_spec=[{"a": InputSpec([None, 4]), "b": InputSpec([None, 4])}], full_graph=True)({"a": x, "b": x}).shape,
    )
    for name, specs in {
        "dict": [{"c": {"d": InputSpec([1])}, "b": [InputSpec([2]), InputSpec([2])]}, InputSpec([1])],
        "list": [[[InputSpec([1]), InputSpec([2])], {"k": InputSpec([1])}]],
    }.items():
        show(f"spec names {name}", lambda: [v.name for v in to_static(either, input_spec=specs, full_graph=True).inputs])

    def nothing(a, b):
        return paddle.ones([1])

    nothing = to_static(nothing, full_graph=True)
    show("names", lambda: [nothing({"a": x, "k": [x, 3]}, [4, x, (x,)]), [v.name for v in nothing.inputs]][1])
    show("build strat", lambda: to_static(two, build_strategy=1))
    show("build strat ok", lambda: to_static(two, build_strategy=paddle.static.BuildStrategy(), full_graph=True)(x).shape)
    show("backend bad", lambda: to_static(two, backend="x"))
    show("to_static str", lambda: to_static("abc")(x))
    show("to_static int", lambda: to_static(3)(x))
    show("gc spec", lambda: to_static(two, full_graph=True).get_concrete_program(InputSpec([None, 4], name="z"))[0].inputs[0].name)
    s = to_static(two, full_graph=True)
    show("no call main", lambda: s.main_program)
    show("no call outputs", lambda: s.concrete_program)
    show("cache counts", lambda: [s(x), s(x), s(paddle.ones([3, 4])), s(x, 3), s(x, b=3)] and len(s.program_cache))
    show("cache cps", lambda: len(s.program_cache.concrete_programs()))
    show("traced", lambda: s.get_traced_count())
    dropped = to_static(drop, full_graph=True)
    show("eval", lambda: (np.allclose(dropped(x), x), dropped.eval(), np.allclose(dropped(x), x)))
    show("evaluates", lambda: dropped.program_cache.last()[-1][1].training)
    show("train", lambda: (dropped.train(), np.allclose(dropped(x), x), len(dropped.program_cache)))
    show("unset buffer", lambda: Unset()())
    show("eval of a method", lambda: Lin().forward.eval())
    show("method of no layer", lambda: to_static(Plain().double))
    # programtranslator
    show("en bad", lambda: paddle.jit.enable_to_static(1))
    # not_to_static, ignore
    show("nts deco", lambda: paddle.jit.not_to_static(two) is two)
    show("nts none", lambda: paddle.jit.not_to_static()(two) is two)
    show("ignore", lambda: paddle.jit.ignore_module([os]))
    show("set lvl", lambda: (paddle.jit.set_code_level(0), paddle.jit.set_verbosity(0), paddle.jit.set_code_level(0, False)))
    for f in ("set_code_level", "set_verbosity"):
        g = getattr(paddle.jit, f)
        show(f + " neg", lambda: g(-1))
        show(f + " str", lambda: g("a"))
        show(f + " float", lambda: g(1.0))
        show(f + " none", lambda: g(None))
        show(f + " bool", lambda: g(0, 3))
    # static mode call
    paddle.enable_static()
    show("static call", lambda: to_static(two)(paddle.static.data("sx", [2, 4])).shape)

    class InS(nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 2)

        def forward(self, x):
            return self.fc(x)

    show("static concrete", lambda: Spec().forward.concrete_program)
    show("static layer", lambda: to_static(InS()))
    paddle.disable_static()
    # deepcopy
    a = Lin()
    b = copy.deepcopy(a)
    show("deepcopy", lambda: (np.allclose(a(x).numpy(), b(x).numpy()), a.forward is not b.forward, type(b.forward).__name__))
    b.fc.weight.set_value(np.zeros([4, 3], "float32"))
    show("deepcopy2", lambda: np.allclose(a(x).numpy(), b(x).numpy()))
    fn = to_static(two)
    show("deepcopy fn", lambda: copy.deepcopy(fn)(x).shape)
    show("subclass call", lambda: to_static(nn.Sequential(nn.Linear(4, 4), nn.ReLU()))(x).shape)
    show("to_static again", lambda: type(to_static(to_static(two))).__name__)
    show("layer again", lambda: type(to_static(to_static(nn.Linear(4, 4)))).__name__)

    @to_static(property=True)
    def prop():
        return 3

    show("property fn", lambda: type(prop).__name__)

    show("concrete inputs", lambda: [type(v).__name__ for v in Spec().forward.concrete_program.inputs][:1])
    show("cache", lambda: [type(v).__name__ for v in s.program_cache.last()[1]][:1])
    strategy = paddle.static.BuildStrategy()
    show("strategy", lambda: (strategy.build_cinn_pass, strategy.enable_inplace, strategy.nccl_comm_num, strategy.memory_optimize))
    show("strategy wrong", lambda: setattr(strategy, "build_cinn_pass", "a"))
    show("strategy wrong value", lambda: setattr(strategy, "memory_optimize", 3))
    show("strategy unknown", lambda: setattr(strategy, "foo", 3))
    spec = paddle.jit.dy2static.function_spec.FunctionSpec

    def foo(a, b, c=1, d=2):
        return a + b

    plain = spec(foo)
    given = spec(foo, [InputSpec([None, 3], name="q"), InputSpec([1])])
    show("function", lambda: (plain.args_name, plain.input_spec, plain.flat_input_spec, plain.dygraph_function is foo))
    show("function given", lambda: (given.input_spec, given.flat_input_spec, given))
    for args, kwargs in (((10, 20), {}), ((10, 20, 7), {"d": 3}), ((10,), {}), ((10,), {"b": 3}), ((10, 20), {"e": 3}), ((1,) * 5, {})):
        show(f"unified {args} {kwargs}", lambda: plain.unified_args_and_kwargs(args, kwargs))
    one = paddle.ones([1])
    for shape in ([2, 3], [2, 4], [3]):
        show(f"described {shape}", lambda: given.args_to_input_spec((paddle.ones(shape), one), {}))
    show("described by keyword", lambda: given.args_to_input_spec((one, one), {"c": 3}))
    show("no list", lambda: spec(foo, InputSpec([1])))
    hooks = []
    api = paddle.jit.api

    def note(*args):
        hooks.append(len(args))

    helper = api._register_save_pre_hook(note)
    api._register_save_pre_hook(note)
    show(
        "hooks", lambda: (len(api._save_pre_hooks), api._run_save_pre_hooks(lambda layer, path, input_spec, **c: path)(1, "p", None), hooks)
    )
    show("hook removed", lambda: (helper.remove(), len(api._save_pre_hooks)))
    show("hooks cleared", lambda: (api._register_save_pre_hook(note), api._clear_save_pre_hooks(), len(api._save_pre_hooks))[1:])


def record(version: str) -> dict[str, str]:
    """What the wheel answers."""
    import paddle

    return answers(paddle, version)


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"jit_interface_{version}.json": lambda: record(version)}
