"""`paddle.utils.Ploter` of Paddle 1.8's tutorials, and `paddle.incubate.autotune`, which checks what it is told."""

from __future__ import annotations

import importlib
import json
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import paddle_compat as paddle


class Drawn(ModuleType):
    """Stands for matplotlib.pyplot, and writes down what is drawn."""

    def __init__(self) -> None:
        super().__init__("matplotlib.pyplot")
        self.calls: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self.calls.append((name, *args)) or self


def test_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Drawn()
    real = importlib.import_module
    monkeypatch.setattr(importlib, "import_module", lambda name, *rest: drawn if name == drawn.__name__ else real(name, *rest))
    monkeypatch.delenv("DISABLE_PLOT", raising=False)
    curves = paddle.utils.Ploter("train", "test", "none")
    for step, value in enumerate((0.5, 0.25)):
        curves.append("train", step, value)
    curves.append("test", 1, 0.75)
    curves.plot("curve.png")
    assert drawn.calls == [
        ("plot", [0, 1], [0.5, 0.25]), ("plot", [1], [0.75]), ("legend", ["train", "test"]), ("savefig", "curve.png"), ("gcf",), ("clear",),
    ]  # fmt: skip
    curves.reset()
    assert curves.__plot_data__["train"].value == []
    with pytest.raises(AssertionError, match="`title`.*Received: 'loss'"):
        curves.append("loss", 0, 1.0)


def test_curves_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delenv("DISABLE_PLOT", raising=False)
    with pytest.raises(ImportError, match="`matplotlib` is needed to draw curves"):
        paddle.utils.Ploter("train").plot("curve.png")
    monkeypatch.setenv("DISABLE_PLOT", "True")
    paddle.utils.Ploter("train").plot("curve.png")


def test_tuning_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tune = paddle.incubate.autotune.set_config
    yes = {"enable": True}
    right = {"kernel": {**yes, "tuning_range": [1, 3]}, "layout": yes, "dataloader": {**yes, "tuning_steps": 5}}
    file = tmp_path / "tuning.json"
    file.write_text(json.dumps(right))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for config in (None, {}, right, str(file)):
            tune(config)
    wrong = (("kernel", "enable", 1), ("kernel", "tuning_range", 1), ("layout", "enable", 1), ("dataloader", "tuning_steps", 1.0))
    for part, option, value in wrong:
        with pytest.warns(UserWarning, match=f"configuration of the {part} is incorrect. Expected `{option}`"):
            tune({part: {option: value}})
    with pytest.raises(AssertionError, match="tuning_range"):
        tune({"kernel": {"tuning_range": [1]}})
    with pytest.warns(UserWarning, match="Use default configuration"):
        tune(str(tmp_path / "none.json"))
    assert "Load config error" in capsys.readouterr().out
