"""Training with sparse gradients ends where it ends in the wheels."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat

HERE = Path(__file__).resolve().parent
VERSIONS = ("1.8.5", "2.6.2")


def loaded(name: str) -> Any:
    """A module of this folder, which the recording script uses too."""
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("version", VERSIONS)
def test_training_equals_wheel(version: str) -> None:
    recorded = json.loads((HERE.parent / "references" / f"optimizer_sparse_{version}.json").read_text())
    results = loaded("sparse_training").trained(paddle_compat, version == "1.8.5")
    assert results.keys() == recorded.keys()
    for name, expected in recorded.items():
        np.testing.assert_allclose(results[name]["losses"], expected["losses"], rtol=1e-5, err_msg=name)
        np.testing.assert_allclose(results[name]["table"], expected["table"], rtol=1e-5, atol=1e-6, err_msg=name)
