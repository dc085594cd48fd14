"""Helpers of fleet that try whether a saved model loads and runs, with what Paddle 1.8.5 and 2.6.2 answer."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paddle_compat import fluid
from paddle_compat.fluid.incubate.fleet.collective import fleet
from paddle_compat.fluid.incubate.fleet.utils import utils
from paddle_compat.fluid.incubate.fleet.utils.fleet_util import FleetUtil
from paddle_compat.incubate.distributed.fleet import utils as later


class Kept(logging.Handler):
    """What was logged."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text += record.getMessage()


@pytest.fixture
def log() -> Iterator[Kept]:
    kept = Kept()
    logging.getLogger("paddle_compat.fleet").addHandler(kept)
    yield kept
    logging.getLogger("paddle_compat.fleet").removeHandler(kept)


FETCHED = "save_infer_model/scale_0.tmp_0"


def save(folder: Path, size: int = 3) -> None:
    """A model whose result is 0.5 times the sum of x, and the sum of n added."""
    main, start = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, start), fluid.scope_guard(fluid.Scope()):
        x, n = fluid.layers.data("x", [4]), fluid.layers.data("n", [2], dtype="int64")
        weight = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.5))
        total = fluid.layers.reduce_sum(fluid.layers.cast(n, "float32"), 1, keep_dim=True)
        exe = fluid.Executor(fluid.CPUPlace())
        result = total + fluid.layers.fc(x, size, param_attr=weight)
        exe.run(start)
        fluid.io.save_inference_model(str(folder), ["x", "n"], [result], exe, main)


def asked(folder: Path, fetched: Any = None, **changes: Any) -> Any:
    feeds = {"feeded_vars_names": ["x", "n"], "feeded_vars_dims": [4, [2]], "feeded_vars_types": [np.float32, np.int64]}
    fetches = SimpleNamespace(fetch_vars_names=fetched)
    config = SimpleNamespace(**{**feeds, "feeded_vars_filelist": None, **changes})
    return utils.check_saved_vars_try_dump(str(folder), "__model__", False, config, fetches, changes.get("batch", 1))


def test_a_model_runs_on_random_numbers(tmp_path: Path) -> None:
    save(tmp_path)
    (found,) = asked(tmp_path, batch=3)
    assert found.shape == (3, 3) and (found[:, :1] == found).all() and (0 <= found).all() and (found < 2).all()
    (inner,) = asked(tmp_path, ["fc_0.tmp_1"])
    assert inner.shape == (1, 3)


def test_a_model_runs_on_numbers_of_files(tmp_path: Path) -> None:
    save(tmp_path / "model")
    (tmp_path / "x").write_text("1 2 3 4\n5 6 7 8\n9 1 2 3\n")
    (tmp_path / "n").write_text("1 2\n3 4\n5 6\n")
    files = [str(tmp_path / "x"), str(tmp_path / "n")]
    (found,) = asked(tmp_path / "model", feeded_vars_filelist=files)
    assert found.tolist() == [[8.0] * 3, [20.0] * 3, [18.5] * 3]
    with pytest.raises(fluid.core.EnforceNotMet, match=r"2 samples in a line.*x"):  # no line has two
        asked(tmp_path / "model", feeded_vars_filelist=files, batch=2)


def test_what_does_not_fit_is_named(tmp_path: Path, log: Kept) -> None:
    save(tmp_path / "model")
    with pytest.raises(RuntimeError, match=r"x.*\[4\].*\[5\]"):
        asked(tmp_path / "model", feeded_vars_dims=[5, 2])
    with pytest.raises(ValueError, match="other"):
        asked(tmp_path / "model", ["other"])
    with pytest.raises(ValueError, match="unknown"):
        asked(tmp_path / "model", feeded_vars_names=["x", "unknown"])
    with pytest.raises(fluid.core.EnforceNotMet, match="n"):
        asked(tmp_path / "model", feeded_vars_names=["x"], feeded_vars_dims=[4], feeded_vars_types=["float32"])
    assert "['x', 'n']" in log.text and "['x']" in log.text
    save(tmp_path / "wide", 5)
    shutil.copy(tmp_path / "wide/fc_0.w_0", tmp_path / "model/fc_0.w_0")
    with pytest.raises(RuntimeError, match=r"fc_0.w_0.*\[4, 3\].*\[4, 5\]"):
        asked(tmp_path / "model")
    (tmp_path / "model/fc_0.w_0").unlink()
    with pytest.raises(fluid.core.EnforceNotMet, match="fc_0.w_0"):
        asked(tmp_path / "model")


def test_fleet_util_asks_so(tmp_path: Path) -> None:
    save(tmp_path)
    fleet.init()
    feeds = SimpleNamespace(
        feeded_vars_names=["x", "n"], feeded_vars_dims=[4, 2], feeded_vars_types=["float32", "int64"], feeded_vars_filelist=None
    )
    model = {
        "dump_model_dir": str(tmp_path),
        "dump_program_filename": "__model__",
        "is_text_dump_program": False,
        "save_params_filename": None,
    }
    config = SimpleNamespace(**model, feed_config=feeds, fetch_config=SimpleNamespace(fetch_vars_names=[FETCHED]), batch_size=2)
    assert FleetUtil().check_vars_and_dump(config)[0].shape == (2, 3)


def test_numbers_of_files(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_text("1 2 3 4 5 6 7 8 9 10 11 12 13\n4 5 6\n7 8 9 1 2 3\n")
    pairs = [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]], [[7, 8, 9], [1, 2, 3]]]
    assert np.array(utils.reader(2, str(path), [3])).tolist() == pairs
    assert np.array(utils.feed_gen(2, [3], [str(path)])).tolist() == [pairs]
    assert [each.tolist() for each in utils.reader(2, str(path), [2, 2])] == [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]]


@pytest.mark.parametrize("module", [utils, later])
def test_single_variables(tmp_path: Path, module: Any, log: Kept) -> None:
    value = np.arange(6, dtype="float32").reshape(2, 3)
    module.save_var(value, "v", [2, 3], "float32", str(tmp_path / "v"))
    assert (tmp_path / "v").stat().st_size == 50
    (found,) = module.load_var("v", [3, 2], "float32", str(tmp_path / "v"))
    np.testing.assert_array_equal(found, value)
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        fluid.layers.embedding(fluid.layers.data("ids", [1], dtype="int64"), [3, 2])
    module.check_not_expected_ops(main)
    assert "lookup_table" in log.text
    assert (utils.ops_out_fn, utils.all_vars_out_fn, utils.persistable_vars_out_fn) == ("ops.log", "vars_all.log", "vars_persistable.log")
