"""The profiler, the installation check and the names that 1.8 keeps without effect."""

import json
import sys

import numpy as np
import pytest
from processes import ROOT, Runner

import paddle_compat.fluid as fluid
from paddle_compat.errors import UnsupportedError


def test_profiler_lists_the_operators_of_its_block(tmp_path, capsys):
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        x = fluid.data("x", [None, 3])
        out = fluid.layers.tanh(x)
    with fluid.profiler.profiler("CPU", "total", str(tmp_path / "profile")):
        fluid.Executor(fluid.CPUPlace()).run(main, {"x": np.ones((2, 3), "float32")}, [out])
    assert "aten::tanh" in capsys.readouterr().out
    events = json.loads((tmp_path / "profile").read_text())["traceEvents"]
    assert any(event.get("name") == "aten::tanh" for event in events)


@pytest.mark.parametrize(
    "start",
    [
        "import paddle_compat.fluid as fluid; fluid.profiler.start_profiler('CPU')",
        "import paddle_compat.profiler as profiler; recorder = profiler.Profiler(targets=[profiler.ProfilerTarget.CPU]); recorder.start()",
    ],
)
def test_a_script_may_end_while_a_profiler_measures(start, tmp_path):
    runner = Runner(sys.executable, ROOT, tmp_path)
    assert runner.output("-c", f"{start}\nimport torch; torch.ones(2) + 1; print('end')") == "end\n"


def test_profiler_starts_anew_after_reset(tmp_path, capsys):
    fluid.profiler.reset_profiler()  # off: nothing starts
    fluid.profiler.stop_profiler(profile_path=str(tmp_path / "none"))
    assert not (tmp_path / "none").exists()
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        out = fluid.layers.tanh(fluid.data("x", [None, 3]))
    fluid.profiler.start_profiler("All")
    fluid.Executor(fluid.CPUPlace()).run(main, {"x": np.ones((2, 3), "float32")}, [out])
    fluid.profiler.reset_profiler()
    fluid.profiler.stop_profiler("calls", str(tmp_path / "after"))
    assert "aten::tanh" not in capsys.readouterr().out


def test_profiler_refuses_other_arguments():
    with pytest.raises(ValueError, match="`state`.*Expected 'CPU', 'GPU' or 'All'"):
        fluid.profiler.start_profiler("TPU")
    with pytest.raises(ValueError, match="`tracer_option`.*Expected"):
        fluid.profiler.start_profiler("CPU", "all")
    with pytest.raises(ValueError, match="`sorted_key`.*Expected"):
        fluid.profiler.stop_profiler("size")
    with pytest.raises(UnsupportedError):
        fluid.profiler.cuda_profiler("out")


def test_an_error_of_the_native_side_is_caught_by_its_name():
    with pytest.raises(fluid.core.EnforceNotMet, match="test exception"):
        fluid.core.__unittest_throw_exception__()


def test_install_check_leaves_nothing_behind(capsys):
    before = len(fluid.default_main_program().global_block().ops)
    fluid.install_check.run_check()
    assert "works well on SINGLE GPU or CPU" in capsys.readouterr().out
    assert len(fluid.default_main_program().global_block().ops) == before
    assert fluid.global_scope().find_var("inp") is None


def test_memory_passes_warn_and_do_nothing():
    program = fluid.Program()
    for call in (fluid.memory_optimize, fluid.release_memory):
        with pytest.warns(UserWarning, match="no effect"):
            assert call(program) is None
    assert program.global_block().ops == []


def test_multiplex_and_data_norm_look_at_what_1_8_looks_at() -> None:
    layers = fluid.layers
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x, index = fluid.data("x", [None, 2]), fluid.data("i", [None, 1], "int32")
        for wrong in (x, (x, x), [x, np.ones((2, 2), "float32")]):
            with pytest.raises(TypeError):
                layers.multiplex(wrong, index)
        with pytest.raises(ValueError, match="at least two Variables"):
            layers.multiplex([x], index)
        # more than two dimensions are refused by a run alone
        assert layers.data_norm(fluid.data("y", [-1, 3, 4], "int32"), enable_scale_and_shift=True).shape == (-1, 3, 4)


# what fluid.layers refuses of a Variable x [-1, 4], d [3], f [2] of floats, w [2] of int64 and i of int32, and Paddle 1.8's exception
REFUSED = [
    ("fill_constant([], 'int32', 1)", AssertionError), ("fill_constant(f, 'int32', 1)", TypeError),
    ("fill_constant([f], 'int32', 1)", TypeError), ("fill_constant([1], 'float64', 1, out=d)", TypeError),
    ("uniform_random(3)", TypeError), ("uniform_random([])", AssertionError), ("uniform_random([0, 2])", AssertionError),
    ("uniform_random([-1, 2])", AssertionError), ("gaussian_random(3)", TypeError), ("gaussian_random([])", AssertionError),
    ("gaussian_random(f)", TypeError), ("gaussian_random([f, 2])", TypeError), ("linspace(0, 1, 'a', 'float32')", TypeError),
    ("linspace(0, 1, f, 'float32')", TypeError), ("reverse(x, 'a')", TypeError), ("reverse(x, None)", TypeError),
    ("spectral_norm(i)", TypeError), ("diag(x)", fluid.core.EnforceNotMet), ("increment(x)", fluid.core.EnforceNotMet),
]  # fmt: skip


@pytest.mark.parametrize(("code", "kind"), REFUSED, ids=[code for code, _ in REFUSED])
def test_layers_refuse_shapes_and_types_that_1_8_refuses(code: str, kind: type[Exception]) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        names = {"x": fluid.data("x", [None, 4]), "d": fluid.data("d", [3]), "f": fluid.data("f", [2])}
        names |= {"w": fluid.data("w", [2], "int64"), "i": fluid.data("i", [2, 4], "int32")}
        with pytest.raises(kind):
            eval(f"L.{code}", {"L": fluid.layers, **names})


def test_layers_take_shapes_that_1_8_takes() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        f, w = fluid.data("f", [2]), fluid.data("w", [2], "int64")
        assert fluid.layers.uniform_random(f).shape == fluid.layers.gaussian_random(w).shape == (-1, -1)
        assert fluid.layers.gaussian_random([0, 2]).shape == (0, 2)
        assert fluid.layers.linspace(0, 1, 3.5, "float32").shape == (-1,)


def test_values_are_refused_where_a_list_has_another_length() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones((2, 4), "float32"))
        for call in (
            lambda: fluid.layers.pad(x, [1, 1]), lambda: fluid.layers.pad(x, [1] * 5), lambda: fluid.layers.expand(x, [2]),
            lambda: fluid.layers.unstack(x, 1, 3), lambda: fluid.layers.diag(x),
        ):  # fmt: skip
            with pytest.raises(fluid.core.EnforceNotMet):
                call()
        assert len(fluid.layers.unstack(x, 1, 4)) == 4
