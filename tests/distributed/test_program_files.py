"""Programs in files of their own, as fleet's helpers write, read, compare and list them."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core.text_reader import message_from_text
from paddle_compat.errors import InvalidArgumentError
from paddle_compat.fluid.incubate.fleet.utils import utils as fluid_utils
from paddle_compat.incubate.distributed.fleet import utils


@pytest.fixture
def net() -> Any:
    main, start = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, start):
        out = fluid.layers.fc(fluid.layers.data("x", [2]), 1, act="relu")
    return main, start, out.name


def test_a_program_that_was_read_gives_the_same(net: Any, tmp_path: Path) -> None:
    main, start, out = net
    path = os.path.join(tmp_path, "__model__")
    utils.save_program(main, path)
    again = utils.load_program(path)
    with fluid.scope_guard(fluid.Scope()):
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(start)
        found = [exe.run(program, {"x": np.ones((3, 2), "float32")}, [out])[0] for program in (main, again)]
    assert found[0].shape == (3, 1) and np.array_equal(*found)


def test_as_text(net: Any, tmp_path: Path) -> None:
    utils.save_program(net[0], str(tmp_path / "main"))
    assert utils.program_type_trans(str(tmp_path), "main", is_text=False) == "main.pbtxt"
    text = (tmp_path / "main.pbtxt").read_text()
    assert text.startswith("blocks {\n  idx: 0\n") and 'name: "fc_0.w_0"' in text
    again = utils.load_program(str(tmp_path / "main.pbtxt"), is_text=True)
    assert again.desc.serialize_to_string() == utils.load_program(str(tmp_path / "main")).desc.serialize_to_string()
    assert utils.program_type_trans(str(tmp_path), "main.pbtxt", is_text=True) == "main.pbtxt.bin"
    assert utils.load_program(str(tmp_path / "main.pbtxt.bin")).to_string(True) == again.to_string(True)


def test_text_that_others_write() -> None:
    text = """# a comment
    name: 'a\\tb' "\\303\\244" type < type: LOD_TENSOR lod_tensor { tensor { data_type: INT64, dims: [-1, 0x10]; } } >
    persistable: true"""
    tensor = {"tensor": {"data_type": 3, "dims": [-1, 16]}}
    assert message_from_text(text, "VarDesc") == {"name": "a\tb\u00e4", "type": {"type": 7, "lod_tensor": tensor}, "persistable": True}
    assert message_from_text("name: 'x' type: FLOATS floats: 1e-5 floats: inf floats: 2f", "OpAttr")["floats"] == [1e-5, np.inf, 2.0]


WRONG = ["name: 3", "nobody: 3", "name: 'x", "type { type: NOBODY }", "name: 'x' }", "type {", "persistable: maybe"]


@pytest.mark.parametrize("text", WRONG)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgumentError, match="Invalid file main.pbtxt, line 1"):
        message_from_text(text, "VarDesc", "main.pbtxt")


def test_what_pruning_kept_is_compared(net: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    main, other = net[0], fluid.Program()
    assert utils.check_pruned_program_vars(main, main.clone(for_test=True))
    block = other.global_block()
    block.create_var(name="fc_0.w_0", shape=[2, 1], dtype="float32", persistable=True)
    assert utils.check_pruned_program_vars(main, other)
    unknown = other.clone()
    unknown.global_block().create_var(name="nobody", shape=[1], dtype="float32", persistable=True)
    said: list[tuple[str, ...]] = []
    monkeypatch.setattr(utils.logger, "error", lambda *words: said.append(words))
    assert utils.check_pruned_program_vars(main, unknown)  # which both Paddles say, beside an error in the log
    assert [words[1] for words in said] == ["nobody"]
    block.create_var(name="fc_0.b_0", shape=[7], dtype="float32", persistable=True)
    assert not utils.check_pruned_program_vars(main, other)


def test_listed_as_1_8_lists(net: Any, tmp_path: Path) -> None:
    fluid_utils.parse_program(net[0], str(tmp_path))
    assert (tmp_path / "ops.log").read_text().splitlines()[:2] == [
        "ops:", "{'type': 'mul', 'input_arg_names': \"['x', 'fc_0.w_0']\", 'output_arg_names': \"['fc_0.tmp_0']\"}",
    ]  # fmt: skip
    kept = (tmp_path / "vars_persistable.log").read_text().splitlines()
    assert kept[0] == "persistable vars:" and [ast.literal_eval(line)["name"] for line in kept[1:]] == ["fc_0.w_0", "fc_0.b_0"]
    names = [ast.literal_eval(line)["name"] for line in (tmp_path / "vars_all.log").read_text().splitlines()[1:]]
    assert names[:2] == ["x", "fc_0.w_0"] and len(names) == 6
    fluid_utils.graphviz(net[0].global_block(), str(tmp_path), "net")
    assert "fc_0.w_0" in (tmp_path / "net.dot").read_text()
    assert paddle.incubate.distributed.fleet.utils.load_program is fluid_utils.load_program
