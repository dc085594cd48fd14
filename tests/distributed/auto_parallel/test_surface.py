"""Meshes, placements, and methods, states and gradients of dist tensors on two processes, as in Paddle 3.3; and errors' types."""

from __future__ import annotations

import json
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers
from processes import ROOT

import paddle_compat
from paddle_compat import _missing
from paddle_compat.errors import UnsupportedError

WHEEL, REFUSALS = (json.loads((ROOT / f"tests/references/mesh_{name}.json").read_text()) for name in ("surface", "refusals"))


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(ROOT / "tests/models/mesh_surface.py", 2, tmp_path_factory.mktemp("job"), "found,refused,ours")


def test_as_the_wheel(job: dict[str, list[Any]]) -> None:
    different = {name for name, real in WHEEL.items() if [own[name] for own in job["found"]] != real}
    assert not different
    assert list(job["found"][0]) == list(WHEEL)


def test_errors_are_of_the_wheels_types(job: dict[str, list[Any]]) -> None:
    """Ours may be of several types at once, of which one is the wheel's."""
    for name, real in REFUSALS.items():
        for own, (first, *_) in zip(job["refused"], real):
            assert first in own[name], (name, own[name], real)


@pytest.mark.parametrize("case", ["to_static", "saved", "lazy", "norm", "deepcopy", "other placements", "half"])
def test_beyond_the_wheel(case: str, job: dict[str, list[Any]]) -> None:
    """What the wheel refuses there (to_static, files), or does wrong (the norm of sharded gradients, copies)."""
    for own in job["ours"]:
        got, expected = own[case]
        if case in ("to_static", "lazy", "saved", "norm"):
            np.testing.assert_allclose(got, expected, rtol=1e-4)
        else:
            assert got == expected


def test_every_name_is_there_or_refused_by_name() -> None:
    """All that the wheels have under `paddle.distributed`; what hides behind a function of the same name hides there, too."""
    silent = set()
    for api in _missing.known_names():
        if api.startswith("paddle.distributed."):
            found: Any = paddle_compat
            for part in api.split(".")[1:]:
                try:
                    found = getattr(found, part)
                except UnsupportedError:
                    break
                except AttributeError:
                    if isinstance(found, ModuleType):
                        silent.add(api)
                    break
    assert not silent
    for name, instead in (("to_distributed", "parallelize"), ("auto_parallel.shard_op", "reshard")):
        module, _, last = f"paddle_compat.distributed.{name}".rpartition(".")
        with pytest.raises(UnsupportedError, match=f"paddle.distributed.{name}.*{instead}"):
            getattr(import_module(module), last)
