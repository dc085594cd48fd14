"""`paddle.enable_compat`: `import torch` means Paddle where 3.3.1 says so, and the real one where this package needs it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import paddle_compat as paddle


@pytest.fixture(autouse=True)
def off_again() -> Iterator[None]:
    yield
    paddle.disable_compat()


def names(code: str, importer: str = "script") -> dict[str, Any]:
    """What code of a module leaves."""
    found: dict[str, Any] = {"__name__": importer}
    exec(code, found)
    return found


def test_torch_is_paddle() -> None:
    paddle.enable_compat()
    found = names(
        "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom torch import Tensor, sin\n"
        "from torch.nn import Module, Parameter\nfrom torch.autograd import Function"
    )
    assert found["sin"] is paddle.sin and found["Tensor"] is paddle.Tensor and found["Module"] is paddle.nn.Layer
    assert found["Function"] is paddle.autograd.PyLayer and found["torch"].nn is found["nn"] and found["nn"].functional is found["F"]
    assert repr(found["nn"]).startswith("<module 'torch.nn' (") and found["torch"].__version__ == paddle.__version__
    assert "Linear" in dir(found["nn"]) and not hasattr(found["torch"], "optim")


def test_modules_that_are_functions_too() -> None:
    paddle.enable_compat()
    torch_ = names("import torch")["torch"]
    made = torch_.tensor([[1.0, 3.0, 2.0]], requires_grad=True)
    assert isinstance(made, paddle.Tensor) and made.requires_grad and (made.size(0), made.size(-1)) == (1, 3)
    assert torch_.topk(made, 2).values.tolist() == [[3, 2]] and torch_.tensor([1, 2]).tolist() == [1, 2]
    assert str(torch_.device("cpu")) == "cpu" and torch_.tensor.__name__ == "torch.tensor"
    with pytest.raises(TypeError, match="not callable"):
        torch_.linalg(1)


def test_torchs_arguments() -> None:
    paddle.enable_compat()
    torch_ = names("import torch")["torch"]
    nn, F, compat = torch_.nn, torch_.nn.functional, paddle.compat.nn
    for name in ("AvgPool1D", "AvgPool2d", "AvgPool3d", "Linear", "MultiheadAttention", "Softmax", "Unfold"):
        assert getattr(nn, name) is getattr(compat, name)
    for name in ("linear", "pad", "scaled_dot_product_attention", "softmax", "unfold"):
        assert getattr(F, name) is getattr(compat.functional, name)
    assert torch_.relu is paddle.nn.functional.relu and nn.Conv2D is paddle.nn.Conv2D and torch_.max is paddle.max
    torch_.only_here = 3  # as in the wheel, what is set stays here
    assert not hasattr(paddle, "only_here")
    del torch_.only_here


def test_a_network_trains() -> None:
    paddle.enable_compat()
    Net = names(
        "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"
        "class Net(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(3, 4)\n"
        "    def forward(self, x):\n        return F.softmax(self.fc(x), dim=-1)\n"
    )["Net"]
    net = Net()
    net(paddle.ones([2, 3]))[:, 0].sum().backward()
    assert net.fc.weight.shape == net.fc.weight.grad.shape == [4, 3]


@pytest.mark.parametrize(
    "code", ["from torch import optim", "import torch.optim", "from torch.utils.data import Dataset", "from torch import nonsense"]
)
def test_what_paddle_has_not_is_no_module(code: str) -> None:  # and never torch's own
    paddle.enable_compat()
    assert torch.optim and torch.utils.data
    with pytest.raises(ModuleNotFoundError, match="No module named 'paddle."):
        names(code)


def test_scopes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("given", "given/below", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("import torch\n")

    def is_ours(module: str) -> bool:
        sys.modules.pop(module, None)
        return names(f"import {module} as it", "test")["it"].torch is not torch

    paddle.enable_compat(scope="given")
    assert (is_ours("given"), is_ours("given.below"), is_ours("other")) == (True, True, False)
    with pytest.warns(UserWarning, match=r"Extending PyTorch compat scope, previous scope: {'given'}, new scope: {'other'}\."):
        paddle.enable_compat(scope=["other"])
    assert is_ours("given") and is_ours("other") and names("import torch", "given_too")["torch"] is torch
    with pytest.warns(UserWarning, match="Enabling PyTorch compat globally"):
        paddle.enable_compat()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        paddle.enable_compat(blocked_modules={"other"}, silent=True)
    assert is_ours("given") and not is_ours("other") and names("import torch")["torch"] is not torch
    paddle.disable_compat()
    assert not is_ours("given") and names("import torch")["torch"] is torch
    for module in ("given", "given.below", "other"):
        sys.modules.pop(module, None)


def test_blocks() -> None:
    """Behind a block everything is as before it, within blocks, too; packages may be left out while Paddle stands for torch."""

    def who(*importers: str) -> list[bool]:
        return [names("import torch", importer)["torch"] is not torch for importer in importers]

    guard = paddle.compat.use_torch_proxy_guard
    assert guard is paddle.use_compat_guard and who("one", "two") == [False, False]
    with guard(scope={"one"}):
        assert who("one", "two") == [True, False]
        with guard(silent=True):
            assert who("one", "two") == [True, True]
            paddle.compat.extend_torch_proxy_blocked_modules(["two"])
            assert who("one", "two") == [True, False]
        with guard(enable=False):
            assert who("one", "two") == [False, False]
            with guard():
                assert who("one", "two") == [True, True]
            assert who("one", "two") == [False, False]
        assert who("one", "two") == [True, False]
    with pytest.raises(KeyError), guard():
        raise KeyError
    assert who("one", "two") == [False, False]


def test_torchs_own_code_has_torch() -> None:
    paddle.enable_compat()
    for importer in ("paddle_compat.ops", "torch._inductor", "triton.runtime"):
        assert names("import torch", importer)["torch"] is torch
    made: dict[str, Any] = {}
    exec("import torch", made)  # code that a library made says no name
    assert made["torch"] is torch and sys.modules["torch"] is torch


def test_other_backends_are_refused() -> None:
    with pytest.raises(AssertionError, match="backend"):
        paddle.enable_compat(backend="jax")
