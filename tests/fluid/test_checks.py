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
