"""The top level: names load on first use; a name that is missing says so, with the caller's line."""

from __future__ import annotations

import importlib
import re
import traceback
from collections.abc import Callable

import pytest
from processes import ROOT, Runner
from test_architecture import public_modules

import paddle_compat as paddle
from paddle_compat import _absent, _missing
from paddle_compat.errors import UnsupportedError


def test_names_come_from_their_modules() -> None:
    from paddle_compat.core.place import CPUPlace

    assert paddle.CPUPlace is CPUPlace and paddle.static is __import__("paddle_compat.static").static


def test_everything_exported_resolves() -> None:
    assert len(set(paddle.__all__)) == len(paddle.__all__)
    for name in paddle.__all__:
        assert getattr(paddle, name) is not None or name == "newaxis"
    assert set(paddle.__all__) <= set(dir(paddle))


def test_star_import(full: Runner) -> None:
    assert full.output("-c", "from paddle_compat import *\nprint(CPUPlace.__name__)") == "CPUPlace\n"


def test_missing_name_names_api_place_and_versions() -> None:
    assert not hasattr(paddle, "affine_grid_of_nobody")
    with pytest.raises(UnsupportedError) as caught:
        paddle.affine_grid_of_nobody  # noqa: B018
    line = traceback.extract_tb(caught.tb)[0].lineno
    text = str(caught.value)
    assert "`paddle.affine_grid_of_nobody`" in text and f"{__file__}:{line}" in text
    assert "No release of PaddlePaddle" in text
    assert isinstance(caught.value, AttributeError)
    known = str(_missing.unsupported("paddle_compat.nn", "Conv2D"))
    assert "`paddle.nn.Conv2D` is not supported" in known and "PaddlePaddle has it in 2.6.2 and 3.3.1." in known
    assert "in 1.8.5." in str(_missing.unsupported("paddle_compat.fluid.layers", "dynamic_gru"))


def test_a_near_name_is_suggested() -> None:
    with pytest.raises(UnsupportedError, match="Did you mean `enable_static`"):
        paddle.enable_statics  # noqa: B018


def test_dunder_questions_get_the_plain_error() -> None:
    with pytest.raises(AttributeError) as caught:
        paddle.__wrapped__  # noqa: B018
    assert not isinstance(caught.value, UnsupportedError)


def test_names_that_stand_in_no_list_of_their_module_are_known() -> None:
    module = importlib.import_module("paddle_compat.distributed.ps.utils.public")
    with pytest.raises(UnsupportedError, match=r"PaddlePaddle has it in 2\.6\.2 and 3\.3\.1\."):
        module.find_heter_ops  # noqa: B018


def test_names_that_a_package_shows_without_listing_them_are_known() -> None:
    expected = r"Use paddle\.optimizer\.Lamb instead\. PaddlePaddle has it in 2\.6\.2 and 3\.3\.1, from `paddle\.incubate\.\S+`\."
    with pytest.raises(UnsupportedError, match=expected):
        paddle.incubate.optimizer.DistributedFusedLamb  # noqa: B018


def test_module_getattr_for_other_packages() -> None:
    getter = _missing.missing("paddle_compat.static.nn")
    with pytest.raises(UnsupportedError, match="`paddle.static.nn.nobody`"):
        getter("nobody")


def test_version() -> None:
    from paddle_compat import version

    assert paddle.__version__ == version.full_version == "2.6.2"
    assert (version.major, version.minor, version.patch) == ("2", "6", "2")
    assert version.cuda_version == version.cuda() and version.cudnn_version == version.cudnn()
    assert version.cinn() == version.cinn_version == "False"
    assert version.nccl() == version.nccl_version and version.nccl().isdigit()
    assert version.xpu_xre() == version.xpu_xhpc() == "False" and version.tensorrt() == "None"
    assert bool(version.cuda_archs()) == (version.cuda() != "False")
    assert version.hip is None


def test_version_show(capsys: pytest.CaptureFixture[str]) -> None:
    paddle.version.show()
    assert capsys.readouterr().out.splitlines()[:5] == [
        "full_version: 2.6.2",
        "major: 2",
        "minor: 6",
        "patch: 2",
        "rc: 0",
    ]


def test_version_shown_as_paddle_3(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The names that the wheels of 2.6.2 and 3.3.1 print behind those."""
    shown = []
    for version in ("2.6.2", "3.3.1"):
        monkeypatch.setenv("PADDLE_COMPAT_VERSION", version)
        paddle.version.show()
        shown.append(" ".join(line.split(":")[0] for line in capsys.readouterr().out.splitlines()[5:]))
    assert shown == [
        "cuda cudnn xpu xpu_xccl cinn", "cuda cudnn hip nccl xpu_xre xpu_xccl xpu_xhpc cinn tensorrt_version cuda_archs",
    ]  # fmt: skip


@pytest.mark.parametrize("module", public_modules())
def test_every_public_module_answers_for_what_is_missing(module: str) -> None:
    loaded = importlib.import_module(module)
    assert not hasattr(loaded, "nobody_has_this")
    with pytest.raises(UnsupportedError, match=rf"{__file__}:\d+"):
        loaded.nobody_has_this  # noqa: B018


def test_an_alternative_is_named() -> None:
    name = "paddle.incubate.nn.functional.block_multihead_attention"
    with pytest.raises(UnsupportedError, match=re.escape(f"Use {_missing.INSTEAD[name]} instead")):
        paddle.incubate.nn.functional.block_multihead_attention()  # which may be imported, as from the wheels
    assert _missing.alternative("paddle.distributed.fleet.init") == _missing.INSTEAD["paddle.distributed."]
    with paddle.install(), pytest.raises(ModuleNotFoundError, match=r"Use torch\.distributed\S* instead"):
        importlib.import_module("paddle.distributed.auto_tuner")


def test_from_import_of_a_missing_name_says_all_of_it(full: Runner) -> None:
    script = "import sys\nfrom paddle.static import Program\ntry:\n    from paddle.inference import XpuConfig\n"
    script += "except ImportError as error:\n    print(error.name, error)\nfrom paddle import nobody\n"
    full.write({"script.py": script})
    status, out, err = full.run("-m", "paddle_compat", "script.py")
    name = "XpuConfig"
    assert status == 1 and out.startswith(f"paddle_compat.inference cannot import name '{name}': `paddle.inference.{name}`")
    assert "script.py:4" in out and "PaddlePaddle has it in 2.6.2" in out
    assert "ImportError: cannot import name 'nobody': `paddle.nobody` is not supported" in err


@pytest.mark.parametrize("api", sorted(_missing.INSTEAD))
def test_alternatives_stand_for_what_some_paddle_has_and_we_lack(api: str) -> None:
    home, _, name = api.rpartition(".")
    ours = home.replace("paddle", "paddle_compat", 1)
    assert any(known == api or known.startswith(f"{api.rstrip('.')}.") for known in _missing.known_names())
    found = None if ours not in public_modules() else getattr(importlib.import_module(ours), name, None)
    if found is not None:  # what may be imported refuses to be called
        with pytest.raises(UnsupportedError):
            found()


IMPORTS = """
import paddle.cost_model
import paddle.sparse.nn.functional as F
from paddle.utils import cpp_extension
from paddle.distributed import passes
from paddle.fluid.contrib import utils
from paddle.distributed.passes import *
print(paddle.cost_model.__name__, F.__name__, cpp_extension.__name__, utils.__name__)
try:
    from paddle.utils.cpp_extension import load  # libraries do, and some never call it

    load("mine", ["relu.cc"])
except NotImplementedError as error:
    print(error)
try:
    from paddle.fluid.net_drawer import draw_graph
except ImportError as error:
    print(error)
try:
    from paddle.sparse import nobody
except ImportError as error:
    print(error)
for name in ("CostModel", "nobody"):
    try:
        getattr(paddle.cost_model, name)
    except AttributeError as error:
        print(error)
"""


def test_scripts_may_import_public_modules_that_they_do_not_use(full: Runner) -> None:
    full.write({"script.py": IMPORTS})
    named, extension, drawer, of_package, costs, nobody = full.output("-m", "paddle_compat", "script.py").splitlines()
    names = ("cost_model", "sparse.nn.functional", "utils.cpp_extension", "fluid.contrib.utils")
    assert named.split() == [f"paddle_compat.{name}" for name in names]
    assert "`paddle.utils.cpp_extension.load` is not supported" in extension
    assert "Use torch.utils.cpp_extension instead" in extension and "PaddlePaddle has it in 2.6.2 and 3.3.1." in extension
    assert "`paddle.fluid.net_drawer.draw_graph` is not supported" in drawer
    assert "Use fluid.debugger.draw_block_graphviz instead" in drawer and "PaddlePaddle has it in 1.8.5." in drawer
    assert "`paddle.sparse.nobody` is not supported" in of_package and "No release of PaddlePaddle" in of_package
    assert "`paddle.cost_model.CostModel` is not supported" in costs and "PaddlePaddle has it in 2.6.2 and 3.3.1." in costs
    assert "No release of PaddlePaddle" in nobody


@pytest.mark.parametrize("name", sorted(_absent.MODULES))
def test_modules_without_names_are_the_wheels_and_not_ours(name: str) -> None:
    assert f"paddle.{name}" in _missing.known_names()
    home, parent = ROOT / "paddle_compat", name.rpartition(".")[0]
    assert not (home / name.replace(".", "/")).exists() and not (home / f"{name.replace('.', '/')}.py").exists()
    assert parent in _absent.MODULES or (home / parent.replace(".", "/")).is_dir()


# Tensors know Paddle's own members by name, and have no more to say of others than Python: tests/tensor/test_members.py
@pytest.mark.parametrize("make", [paddle.static.Program, paddle.static.Executor], ids=str)
def test_members_that_are_missing(make: Callable[[], object]) -> None:
    thing = make()
    assert not hasattr(thing, "nobody_has_this") and not hasattr(thing, "__nobody__")
    with pytest.raises(UnsupportedError, match=rf"\.nobody_has_this` is not supported .*{__file__}:\d+"):
        thing.nobody_has_this  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError) as caught:
        thing._nobody_has_this  # type: ignore[attr-defined]  # noqa: B018
    assert not isinstance(caught.value, UnsupportedError)


def test_what_a_context_manager_records_has_the_scripts_line() -> None:
    """A branch is recorded when a `with` block of ours ends: contextlib's frame lies between the script and us."""
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        yes = paddle.full([1], True, "bool")
        paddle.static.nn.cond(yes, lambda: paddle.full([1], 1.0), lambda: paddle.full([1], 2.0))
    places = [str(op._where) for op in main.global_block().ops if op.type == "conditional_block"]
    assert places and all(__file__ in place for place in places)
