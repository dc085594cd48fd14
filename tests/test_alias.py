"""`import paddle` is paddle_compat: by install(), in children, for a whole environment; off leaves no trace."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import pkgutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from processes import ROOT, SECONDS, Runner, write_files

import paddle_compat

USES = """
import importlib, pickle, sys
import paddle
import paddle.static as static
from paddle.static import nn, Program
import paddle.static.nn
import paddle_compat, paddle_compat.static.nn
assert paddle is paddle_compat and static is paddle_compat.static is importlib.import_module("paddle.static")
assert nn is paddle_compat.static.nn is sys.modules["paddle.static.nn"] and Program is static.Program
for name in ("", ".static", ".static.nn"):
    module, real = sys.modules["paddle" + name], "paddle_compat" + name
    assert module is sys.modules[real] and module.__name__ == real and module.__spec__.name == real
    assert module.__loader__ is module.__spec__.loader
assert paddle.__path__ == paddle_compat.__path__ and len(paddle.__path__) == 1
assert importlib.reload(static) is static
"""
AROUND = """
import importlib.abc, importlib.util, sys

class Around(importlib.abc.Loader):
    def __init__(self, inner):
        self.inner = inner

    def exec_module(self, module):
        self.inner.exec_module(module)
        module.seen = module.ones

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        for finder in sys.meta_path:
            spec = finder is not Finder and name == "paddle" and finder.find_spec(name, path, target)
            if spec:
                spec.loader = Around(spec.loader)
                return spec

sys.meta_path.insert(0, Finder)
import paddle, paddle.nn, paddle_compat
assert paddle is not paddle_compat and paddle.__name__ == "paddle" and paddle_compat.__name__ == "paddle_compat"
assert paddle.seen is paddle_compat.ones and paddle.nn is paddle_compat.nn and not hasattr(paddle_compat, "seen")
assert paddle.ones([2]).sum() == 2 and paddle.inference is paddle_compat.inference
"""
CHILDREN = """
import multiprocessing, os, subprocess, sys
import paddle
from paddle.static import Program

class Own(Program):
    pass

def name(own):
    import paddle.static
    return type(own).__name__, isinstance(own, paddle.static.Program), paddle.__name__

if __name__ == "__main__":
    for method in multiprocessing.get_all_start_methods():
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(method, pool.apply(name, (Own(),)), type(pool.apply(Own)) is Own)
    sys.stdout.flush()
    code = "import paddle, sys; print(paddle.__name__, [p for p in sys.path if p.endswith('_startup')])"
    subprocess.run([sys.executable, "-c", code], cwd=os.sep, check=True)
    subprocess.run(sys.executable + ' -c "' + code + '"', shell=True, check=True)
"""
CHILDREN_OUT = """fork ('Own', True, 'paddle_compat') True
spawn ('Own', True, 'paddle_compat') True
forkserver ('Own', True, 'paddle_compat') True
paddle_compat []
paddle_compat []
"""
TORCHS = "TORCHINDUCTOR_CACHE_DIR"
HAS_PADDLE = "import importlib.util; print(importlib.util.find_spec('paddle') is not None)"
REAL_PADDLE = {"paddle/__init__.py": "real = True\n", "paddle/static/__init__.py": ""}


@pytest.fixture(autouse=True)
def hook_stays_off() -> object:
    """The hook and its environment do not leak from one test into the next."""
    before = dict(os.environ)
    yield
    paddle_compat.uninstall()
    before = {**before, "PYTEST_CURRENT_TEST": os.environ["PYTEST_CURRENT_TEST"]}
    if TORCHS in os.environ:  # torch itself sets it when its compiler is first imported, by whichever test
        before[TORCHS] = os.environ[TORCHS]
    assert dict(os.environ) == before


def test_same_modules(bare: Runner) -> None:
    bare.write({"script.py": USES})
    bare.output("-m", "paddle_compat", "script.py")
    bare.output("-c", "import paddle_compat; paddle_compat.install()\n" + USES)


def test_every_submodule_is_the_same_object() -> None:
    with paddle_compat.install():
        for info in pkgutil.walk_packages(paddle_compat.__path__, "paddle_compat."):
            if info.name.endswith("__main__"):
                continue
            alias = info.name.replace("paddle_compat", "paddle", 1)
            module = importlib.import_module(alias)
            assert module is sys.modules[info.name] and module.__spec__.name == info.name


def test_install_and_uninstall() -> None:
    assert importlib.util.find_spec("paddle") is None
    with paddle_compat.install():
        import paddle

        with paddle_compat.install():
            pass
        assert paddle is paddle_compat and sys.modules["paddle"] is paddle and os.environ["PADDLE_COMPAT"] == "1"
    assert not [name for name in sys.modules if name.partition(".")[0] == "paddle"]
    with pytest.raises(ModuleNotFoundError, match="No module named 'paddle'"):
        import paddle
    paddle_compat.install()
    paddle_compat.install()
    assert sum(type(finder).__name__ == "AliasFinder" for finder in sys.meta_path) == 1
    paddle_compat.uninstall()
    assert importlib.util.find_spec("paddle") is None


def test_an_exception_in_the_block_takes_the_hook_off() -> None:
    with pytest.raises(KeyError), paddle_compat.install():
        raise KeyError
    assert importlib.util.find_spec("paddle") is None


def test_missing_submodules_are_import_errors() -> None:
    with paddle_compat.install():
        assert importlib.util.find_spec("paddle.nonesuch") is None
        with pytest.raises(ModuleNotFoundError) as caught:
            import paddle.nonesuch
        assert caught.value.name == "paddle.nonesuch"
        with pytest.raises(ModuleNotFoundError, match="not a package"):
            import paddle.version.nonesuch
        with pytest.raises(ModuleNotFoundError, match=r"PaddlePaddle 1\.8\.5 has a module .* not have it"):
            import paddle.fluid.contrib.slim.quantization.qat_int8_mkldnn_pass  # noqa: F401


def test_a_loader_around_ours_makes_a_module_of_its_own(full: Runner) -> None:
    full.write({"script.py": AROUND})
    full.output("-m", "paddle_compat", "script.py")


def test_probing_loads_nothing(bare: Runner) -> None:
    probe = "import importlib.util, sys\nspec = importlib.util.find_spec('paddle')\n"
    probe += "print(spec.origin.endswith('__init__.py'), [m for m in sys.modules if m.startswith('paddle.')])"
    bare.write({"script.py": probe})
    assert bare.output("-m", "paddle_compat", "script.py") == "True []\n"


def test_metadata() -> None:
    with paddle_compat.install():
        assert importlib.metadata.version("paddlepaddle") == importlib.metadata.version("PaddlePaddle") == "2.6.2"
        assert "paddle" in importlib.metadata.packages_distributions()
        with pytest.raises(importlib.metadata.PackageNotFoundError):
            importlib.metadata.version("paddlepaddle-gpu")
        listed = importlib.metadata.distributions(path=[str(ROOT)])
        assert "paddlepaddle" not in [distribution.metadata["Name"] for distribution in listed]
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version("paddlepaddle")


def test_version_can_be_chosen(full: Runner) -> None:
    code = "import paddle, importlib.metadata as m\n"
    code += "print(paddle.__version__, m.version('paddlepaddle'), paddle.version.major)"
    assert full.output("-m", "paddle_compat", "-c", code) == "2.6.2 2.6.2 2\n"
    full.env["PADDLE_COMPAT_VERSION"] = "1.8.5"
    assert full.output("-m", "paddle_compat", "-c", code) == "1.8.5 1.8.5 1\n"
    places = "import paddle.fluid as fluid; print(fluid.CPUPlace())"  # before anything says that it is 1.8
    assert full.output("-m", "paddle_compat", "-c", places) == "CPUPlace\n"
    full.env["PADDLE_COMPAT_VERSION"] = "new"
    status, _, err = full.run("-m", "paddle_compat", "-c", code)
    assert status == 1 and "`PADDLE_COMPAT_VERSION`. Expected three numbers such as 2.6.2. Received: 'new'" in err


def test_real_paddle_beside_it(bare: Runner) -> None:
    bare.write(REAL_PADDLE)
    code = "import paddle_compat as c, sys\n"
    swap = code + "with c.install():\n    import paddle, paddle.static\n    assert paddle is c\n"
    swap += "import paddle, paddle.static\nassert paddle.real and paddle.static is not c.static\n"
    swap += "import paddle_compat.static\n"
    bare.output("-c", swap)
    late = code + "import paddle\nc.install()"
    status, _, err = bare.run("-c", late)
    assert status == 1 and "ImportError: `paddle` is imported already, from " in err


def test_children(bare: Runner) -> None:
    bare.write({"script.py": CHILDREN})
    assert bare.output("-m", "paddle_compat", "script.py") == CHILDREN_OUT


def test_children_of_a_process_that_called_install(bare: Runner) -> None:
    bare.write({"script.py": "import paddle_compat\npaddle_compat.install()\n" + CHILDREN})
    assert bare.output("script.py") == CHILDREN_OUT
    after = f"paddle_compat.uninstall()\nsubprocess.run([sys.executable, '-c', {HAS_PADDLE!r}])"
    bare.write({"script.py": "import paddle_compat, subprocess, sys\npaddle_compat.install()\n" + after})
    assert bare.output("script.py") == "False\n"


def test_children_in_another_environment_are_left_alone(bare: Runner) -> None:
    other = make_environment(bare.python, bare.folder / "other")
    bare.write({"script.py": f"import subprocess\nsubprocess.run([{str(other)!r}, '-c', {HAS_PADDLE!r}])"})
    assert bare.output("-m", "paddle_compat", "script.py") == "False\n"


def test_other_sitecustomize_still_runs(bare: Runner) -> None:
    bare.write({"site/sitecustomize.py": "print('custom')\n", "script.py": CHILDREN.split("if __name__")[0]})
    bare.env["PYTHONPATH"] += os.pathsep + str(bare.folder / "site")
    child = "import subprocess, sys\n"
    child += "subprocess.run([sys.executable, '-c', 'import paddle, sitecustomize; print(paddle.__name__)'])"
    assert bare.output("-m", "paddle_compat", "-c", child) == "custom\npaddle_compat\ncustom\n"
    bare.write({"site/sitecustomize.py": "import nonesuch\n"})
    assert "nonesuch" in bare.run("-m", "paddle_compat", "-c", child)[2]


def test_data_loader_workers(full: Runner) -> None:
    script = """
import paddle, torch
class Set(torch.utils.data.Dataset):
    def __len__(self): return 2
    def __getitem__(self, i):
        import paddle.version
        return paddle.__name__ + str(i)
if __name__ == "__main__":
    for method in ("fork", "spawn"):
        print(list(torch.utils.data.DataLoader(Set(), batch_size=None, num_workers=1, multiprocessing_context=method)))
"""
    full.write({"script.py": script})
    assert full.output("-m", "paddle_compat", "script.py") == "['paddle_compat0', 'paddle_compat1']\n" * 2


def test_pickles_cross_the_names(full: Runner) -> None:
    """A pickle that was written under either name, by either process, loads under the other."""
    save = "import paddle, pickle, sys\npickle.dump([paddle.CPUPlace, paddle.errors.UnsupportedError], open('p', 'wb'))"
    full.output("-m", "paddle_compat", "-c", save)
    full.output("-c", "import pickle, paddle_compat as c\nassert pickle.load(open('p', 'rb'))[0] is c.CPUPlace")
    by_alias = "import paddle, pickle\nassert pickle.loads(b'cpaddle.core.place\\nCPUPlace\\n.') is paddle.CPUPlace"
    full.output("-m", "paddle_compat", "-c", by_alias)


def test_pickled_tensors_of_paddle3(full: Runner) -> None:
    """What `pickle.dumps` of 3.3.1 wrote of a bfloat16 Tensor that stops gradients, and what it says where one has gradients."""
    pickled = (
        "gASV5QAAAAAAAACMIXBhZGRsZS5iYXNlLmR5Z3JhcGgubWF0aF9vcF9wYXRjaJSMD19yZWJ1aWxkX3RlbnNvcpSTlCiMFW51bXB5LmNvcmUubXVsdGlhcnJheZSM"
        "DF9yZWNvbnN0cnVjdJSTlIwFbnVtcHmUjAduZGFycmF5lJOUSwCFlEMBYpSHlFKUKEsBSwJLA4aUaAaMBWR0eXBllJOUjAJ1MpSJiIeUUpQoSwOMATyUTk5OSv//"
        "//9K/////0sAdJRiiUMMAACrPis/gD+rP9U/lHSUYowIYmZsb2F0MTaUjANjcHWUiXSUUpQu"
    )
    script = f"""
import base64, paddle, pickle
data = base64.b64decode("{pickled}")
for each in (data, data[:-6] + bytes([0x88]) + data[-5:]):
    value = pickle.loads(each)
    print(value.dtype, value.stop_gradient, value.astype("float32").tolist())
"""
    values = "[[0.0, 0.333984375, 0.66796875], [1.0, 1.3359375, 1.6640625]]"
    assert full.output("-m", "paddle_compat", "-c", script) == f"paddle.bfloat16 True {values}\npaddle.bfloat16 False {values}\n"


PICKLED = """
import pickle, paddle
from paddle.incubate import multiprocessing
from multiprocessing.reduction import ForkingPickler
x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
pickle.dump([x, x.detach().t().astype("bfloat16"), paddle.create_parameter([], "float64")], open("p", "wb"))
for value in pickle.load(open("p", "rb")):
    print(type(value).__name__, value.dtype, list(value.shape), value.stop_gradient)
print(x.__reduce_ex__(4))
print(pickle.loads(ForkingPickler.dumps(x)).data_ptr() == x.data_ptr(), b"numpy" in bytes(ForkingPickler.dumps(x)))
"""


def test_tensors_are_pickled_as_paddle3_pickles_them(full: Runner) -> None:
    """3.3.1 names the function, and gives it the array, the data type, the device and whether there are gradients; it read all three."""
    full.write({"script.py": PICKLED})
    told = "Tensor paddle.float32 [2, 2] False\nTensor paddle.bfloat16 [2, 2] True\nTensor paddle.float64 [] False\n"
    full.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    out = full.output("-m", "paddle_compat", "script.py")
    assert out.startswith(told) and "_rebuild_tensor" in out and "'float32', 'cpu', True))" in out
    assert out.endswith("\nTrue False\n")  # between processes they go as torch's do, by their memory
    content = (full.folder / "p").read_bytes()
    assert b"paddle.base.dygraph.math_op_patch" in content and b"paddle_compat" not in content and b"torch" not in content
    full.env["PADDLE_COMPAT_VERSION"] = "2.6.2"  # which has no pickles of Tensors: what reads them is paddle_compat
    assert full.output("-m", "paddle_compat", "script.py").startswith(told)
    full.output("-c", "import pickle, paddle_compat\nassert len(pickle.load(open('p', 'rb'))) == 3")


def make_environment(python: str, folder: Path) -> Path:
    """A virtual environment without packages; returns its Python."""
    subprocess.run([python, "-m", "venv", "--without-pip", "--symlinks", str(folder)], check=True, timeout=SECONDS)
    return folder / "bin/python"


@pytest.fixture
def environment(bare: Runner) -> Runner:
    """A virtual environment of its own, with the bare package on PYTHONPATH."""
    bare.python = str(make_environment(bare.python, bare.folder / "venv"))
    bare.write({"train.py": CHILDREN, "launched.py": "import sys, paddle\nprint(sys.argv[1:], paddle.__name__)"})
    return bare


def site_packages(runner: Runner) -> Path:
    """Where the environment's packages are."""
    return Path(runner.output("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())


def alias(runner: Runner, *words: str) -> tuple[int, str, str]:
    """Run `alias WORDS`."""
    return runner.run("-m", "paddle_compat", "alias", *words)


def test_alias_for_an_environment(environment: Runner) -> None:
    folder = site_packages(environment)
    before = sorted(folder.rglob("*"))
    assert "alias: off" in alias(environment, "status")[1]
    assert environment.run("train.py")[0] == 1
    status, out, _ = alias(environment, "on")
    assert status == 0 and out.startswith("alias: on (")
    bare_package = environment.env.pop("PYTHONPATH")  # found without it, too
    assert environment.output("train.py") == CHILDREN_OUT
    assert environment.output("-m", "paddle.distributed.launch", "launched.py", "x") == "['x'] paddle_compat\n"
    assert environment.output("-c", "import sys; print('paddle_compat' in sys.modules)") == "False\n"
    environment.env["PYTHONPATH"] = bare_package
    assert alias(environment, "on")[0] == 0
    assert alias(environment, "off")[:2] == alias(environment, "off")[:2]
    assert "alias: off" in alias(environment, "status")[1]
    assert sorted(folder.rglob("*")) == before
    assert environment.output("-c", HAS_PADDLE) == "False\n"


def test_alias_survives_the_loss_of_the_package(environment: Runner) -> None:
    alias(environment, "on")
    (file,) = site_packages(environment).glob("paddle_compat*.pth")
    file.write_text(file.read_text().replace("_startup", "moved"))
    assert environment.run("-c", HAS_PADDLE) == (0, "False\n", "")


def test_alias_refuses_where_paddle_is_installed(environment: Runner) -> None:
    write_files(site_packages(environment), REAL_PADDLE)
    status, _, err = alias(environment, "on")
    assert status == 1 and "PaddlePaddle is installed in" in err and "--force" in err
    assert "alias: off" in alias(environment, "status")[1]
    real = "import paddle; print(hasattr(paddle, 'real'))"
    assert environment.output("-c", real) == "True\n"
    assert alias(environment, "on", "--force")[0] == 0
    assert environment.output("-c", real) == "False\n"
    assert alias(environment, "off")[0] == 0
    assert environment.output("-c", real) == "True\n"


FINDER = """import importlib.util
class Editable:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return importlib.util.spec_from_file_location(name, {file!r}) if name == "paddle" else None
"""


@pytest.mark.parametrize("how", ["pth", "PYTHONPATH", "editable", "user"])
def test_alias_finds_a_real_paddle_wherever_it_is_imported_from(environment: Runner, how: str) -> None:
    folder, elsewhere = site_packages(environment), environment.folder / "elsewhere"
    write_files(elsewhere, REAL_PADDLE)
    if how == "pth":
        write_files(folder, {"real.pth": str(elsewhere)})
    elif how == "PYTHONPATH":
        environment.env["PYTHONPATH"] += os.pathsep + str(elsewhere)
    elif how == "editable":
        write_files(folder, {"editable.py": FINDER.format(file=str(elsewhere / "paddle/__init__.py"))})
        write_files(folder, {"editable.pth": "import sys, editable; sys.meta_path.append(editable.Editable)"})
    else:  # where this environment does not look
        environment.env["HOME"] = str(environment.folder / "home")
        there = environment.output("-c", "import site; print(site.getusersitepackages())").strip()
        write_files(Path(there), REAL_PADDLE)
        assert alias(environment, "on")[:1] == (0,)
        return
    status, _, err = alias(environment, "on")
    assert status == 1 and f"PaddlePaddle is installed in {elsewhere}" in err


def test_alias_does_not_mind_a_folder_named_paddle_here(environment: Runner) -> None:
    environment.write(REAL_PADDLE)
    assert alias(environment, "on")[0] == 0
    assert "real PaddlePaddle" not in alias(environment, "status")[1]


def test_alias_wrong_words(environment: Runner) -> None:
    for words in ([], ["maybe"], ["on", "off"]):
        status, _, err = alias(environment, *words)
        assert status == 2 and "alias status" in err
    assert alias(environment, "--help")[0] == 0


def test_wheel_has_what_children_need(environment: Runner, tmp_path: Path) -> None:
    """An installed package needs no PYTHONPATH for its children: a script may set that for itself."""
    source = tmp_path / "source"
    write_files(source, {name: (ROOT / name).read_text() for name in ("setup.cfg", "setup.py", "LICENSE")})
    write_files(source, {"README.md": ""})
    bare_package = Path(environment.env.pop("PYTHONPATH"))
    (source / "paddle_compat").symlink_to(bare_package / "paddle_compat")
    build = [sys.executable, "setup.py", "-q", "bdist_wheel", "--dist-dir", str(tmp_path / "dist")]
    subprocess.run(build, cwd=source, check=True, capture_output=True, timeout=SECONDS)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site_packages(environment))
    child = "import os, subprocess, sys\nassert 'PYTHONPATH' not in os.environ\nos.environ['PYTHONPATH'] = '/nowhere'\n"
    child += "subprocess.run([sys.executable, 'train.py'])"
    environment.write({"script.py": child})
    assert environment.output("-m", "paddle_compat", "script.py") == CHILDREN_OUT
    assert environment.output("-c", HAS_PADDLE) == "False\n"
    environment.env["PADDLE_COMPAT"] = "1"
    assert environment.output("train.py") == CHILDREN_OUT


def test_a_function_keeps_the_name_that_it_shares_with_its_module(full: Runner) -> None:
    code = (
        "import paddle_compat; paddle_compat.install(); import paddle, paddle.amp.auto_cast\n"
        "from paddle.amp.auto_cast import amp_guard\n"
        "print(callable(paddle.amp.auto_cast), paddle.amp.amp_guard is amp_guard)"
    )
    assert full.output("-c", code).split() == ["True", "True"]
