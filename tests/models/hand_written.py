"""Programs of 1.8's `ListenAndServ`, `Send` and `Recv`, as plain values.

Read by the recording script under the 1.8.5 wheel as well, so this stays within Python 3.7.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Dict

from transpiled import plain_program


def server(fluid: Any) -> Any:
    """A server that scales what it gets."""
    made, main = import_module(fluid.__name__ + ".layers.io"), fluid.Program()
    with fluid.program_guard(main):
        serv = made.ListenAndServ("127.0.0.1:0", ["X"], fan_in=2, optimizer_mode=False)
        with serv.do():
            out = main.global_block().create_var(name="out", dtype="float32", shape=[32, 32])
            x = fluid.layers.data(shape=[32, 32], dtype="float32", name="X", append_batch_size=False)
            fluid.initializer.Constant(value=1.0)(x, main.global_block())
            main.current_block().append_op(type="scale", inputs={"X": x}, outputs={"Out": out}, attrs={"scale": 10.0})
            read = [[var.name for var in each] for each in serv.get_params_and_grads()]
            assert read == [["X"], ["X"]] and serv.parent_block().idx == 0
    return main


def trainer(fluid: Any, sync: bool) -> Any:
    """A trainer of two variables."""
    made, main = import_module(fluid.__name__ + ".layers.io"), fluid.Program()
    with fluid.program_guard(main):
        x, y = [fluid.layers.data(shape=[3], dtype="float32", name=name, append_batch_size=False) for name in "xy"]
        dummy = main.global_block().create_var(name="dummy", dtype="float32", shape=[1])
        assert made.Send("127.0.0.1:1,127.0.0.1:1", [x, y], dummy, sync=sync) is None
        assert made.Recv("127.0.0.1:1", [y], [dummy], sync=sync) == [y]
        made.Recv("127.0.0.1:1", [x])
    return main


def refused(fluid: Any) -> Any:
    """The types of errors."""
    made, found = import_module(fluid.__name__ + ".layers.io"), []
    with fluid.program_guard(fluid.Program()):
        x = fluid.layers.data("x", [3])
        calls = [
            lambda: made.Send("a:1", x), lambda: made.Recv("a:1", x), lambda: made.Send("a:1", [x], 3), lambda: made.Recv("a:1", [x], 3),
            lambda: made.ListenAndServ("a:1", ["x"]).parent_block(),
        ]  # fmt: skip
        for call in calls:
            try:
                call()
            except Exception as error:
                found.append(type(error).__name__)
    return found


def observe(fluid: Any) -> Dict[str, Any]:
    """All Programs, and errors."""
    programs = {"server": server(fluid), "trainer": trainer(fluid, True), "trainer that does not wait": trainer(fluid, False)}
    return {**{name: plain_program(program) for name, program in programs.items()}, "errors": refused(fluid)}
