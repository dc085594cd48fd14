"""`python -m paddle_compat` runs scripts, modules, code, standard input and a prompt as plain python does."""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from processes import Runner

SHOW = """
import sys, __main__
print(__name__, globals().get("__file__"), sys.argv, sys.path[0])
print(sorted(vars(__main__)), __spec__ and __spec__.name, __package__, type(__loader__).__name__, __builtins__.__name__)
"""
DEEP = """
import sys
def inner():
    raise ValueError("no")
def outer():
    try:
        inner()
    except ValueError as error:
        raise KeyError("wrapped") from error
outer()
"""

SCRIPTS = {
    "shows what a script sees": SHOW,
    "status 3": "import sys; sys.exit(3)",
    "a message": "import sys; sys.exit('stop here')",
    "quiet end": "raise SystemExit",
    "uncaught": DEEP,
    "uncaught in a import": "import broken",
    "bad syntax": "x = (1\ny = 2\n",
    "bad indent": "if 1:\nx = 2\n",
    "bad syntax in an import": "import misspelt",
    "interrupted": "raise KeyboardInterrupt",
    "chain": "try:\n    1 / 0\nfinally:\n    undefined",
    "excepthook": "import sys\nsys.excepthook = lambda k, v, t: print('hook', k, v, t.tb_lineno, t.tb_next)\n1 / 0",
    "atexit": "import atexit\nclass A: pass\natexit.register(lambda: print(__import__('__main__').A is A))\n1 / 0",
    "thread": "import threading, time\nv = 1\n"
    "def late():\n time.sleep(0.1); print('late', v, __import__('__main__').v)\nthreading.Thread(target=late).start()",
    "pickle": "import pickle\nclass A: pass\nprint(pickle.dumps(A), pickle.loads(pickle.dumps(A)) is A)",
    "encoding": "# coding: latin-1\nprint(ascii('caf\u00e9'))",
    "annotations": "x: int = 1\nprint(__annotations__)",
    "dataclass": "import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: 'int' = 1\nprint(A())",
    "source": "import inspect\ndef f(): return 1\nprint(inspect.getsource(f), inspect.getfile(f))",
    "stdin": "import sys\nprint(sys.stdin.read())",
    "warning": "import warnings\nwarnings.warn('careful')",
}
MODULES = {
    "broken.py": "def f():\n    raise RuntimeError('in a module')\nf()\n",
    "misspelt.py": "def f(:\n",
    "package/__init__.py": "",
    "package/__main__.py": SHOW,
    "package/part.py": SHOW + "from . import other\nprint(other.__name__)",
    "package/other.py": "",
    "package/fails.py": "raise ValueError('from a module')",
}
PATHS = {
    "folder/__main__.py": SHOW + "import beside\nprint(beside.__name__)",
    "folder/beside.py": "",
    "sub/show.py": SHOW,
}


def same(runner: Runner, *words: str, stdin: str = "", cwd: Path | None = None) -> tuple[int, str, str]:
    """What plain python does with these words, after checking that the runner does the same."""
    plain = runner.run(*words, stdin=stdin, cwd=cwd)
    assert runner.run("-m", "paddle_compat", *words, stdin=stdin, cwd=cwd) == plain
    return plain


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_runs_as_under_python(bare: Runner, name: str) -> None:
    bare.write(MODULES)
    (bare.folder / "script.py").write_text(SCRIPTS[name], encoding="latin-1" if name == "encoding" else "utf-8")
    same(bare, "script.py", "one", "--two", "-m", stdin="typed")


def test_paths(bare: Runner) -> None:
    bare.write(PATHS)
    os.symlink("sub/show.py", bare.folder / "link.py")
    py_compile_python(bare)
    with zipfile.ZipFile(bare.folder / "archive.zip", "w") as archive:
        archive.writestr("__main__.py", SHOW)
    sub = bare.folder / "sub"
    for path in (
        "sub/show.py",
        "./sub/show.py",
        "sub/../sub/show.py",
        "link.py",
        "folder",
        "./sub/../folder",
        "archive.zip",
        "show.pyc",
    ):
        assert same(bare, path, "x")[0] == 0, path
    same(bare, str(bare.folder / "link.py"))
    same(bare, "../link.py", cwd=sub)
    status, _, err = same(bare, "absent.py")
    assert status == 2 and "No such file" in err
    status, _, err = same(bare, "sub")
    assert status == 1 and "__main__" in err


def py_compile_python(runner: Runner) -> None:
    """Compile `sub/show.py` to show.pyc with the runner's Python, whose byte code it must be."""
    code = f"import {py_compile.__name__} as p; p.compile('sub/show.py', 'show.pyc')"
    runner.output("-c", code)


def test_modules(bare: Runner) -> None:
    bare.write({**MODULES, "alone.py": SHOW})
    for words in ("package", "package.part x y", "alone -c -m", "package.fails", "absent", "package.absent", "static"):
        same(bare, "-m", *words.split())


def test_code_and_standard_input(bare: Runner) -> None:
    same(bare, "-c", SHOW, "a", "-c")
    same(bare, "-c", "1 / 0")
    same(bare, "-c", "def f(:")
    same(bare, stdin=SHOW)
    same(bare, "-", "a", "b", stdin=SHOW)
    same(bare, "-", stdin="def f():\n    1 / 0\nf()\n")
    same(bare, "-", stdin="")


def test_interpreter_options_come_before(bare: Runner) -> None:
    bare.write({"script.py": "assert False, 'kept'\n", "show.py": SHOW, "local.py": ""})
    assert bare.run("-O", "-m", "paddle_compat", "script.py")[0] == 0
    assert bare.run("-W", "error", "-m", "paddle_compat", "-c", "import warnings; warnings.warn('x')")[0] == 1
    # Isolated, nothing is put on the path; there, only an installed package is found, so say where it is.
    path = repr(bare.env["PYTHONPATH"])
    code = f"import sys; sys.path.append({path}); import runpy; sys.argv = ['', 'show.py']; "
    code += "runpy.run_module('paddle_compat', run_name='__main__', alter_sys=True)"
    out = bare.output("-I", "-c", code)
    assert str(bare.folder) not in out.splitlines()[0].rsplit(" ", 1)[1]


def test_wrong_use(bare: Runner) -> None:
    for words, problem in (
        (["-m"], "needs an argument"),
        (["-c"], "needs an argument"),
        (["--verbose"], "unknown option"),
    ):
        status, out, err = bare.run("-m", "paddle_compat", *words)
        assert status == 2 and problem in err and "python -m paddle_compat SCRIPT" in err and not out
    assert "SCRIPT" in bare.output("-m", "paddle_compat", "--help")
    assert "2.6.2" in bare.output("-m", "paddle_compat", "--version")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_prompt(bare: Runner) -> None:
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [bare.python, "-m", "paddle_compat"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**bare.env, "TERM": "dumb", "HOME": str(bare.folder)},
        cwd=bare.folder,
    )
    os.close(theirs)
    os.write(
        ours, b"import paddle, sys\nprint(paddle.__name__, sys.argv, __name__)\nclass A: pass\n\nprint(A)\n1 / 0\n"
    )
    os.write(ours, b"sys.exit(7)\n")
    out = process.communicate(timeout=60)[0].decode()
    os.close(ours)
    assert "paddle_compat [''] __main__" in out and "<class '__main__.A'>" in out and "ZeroDivisionError" in out
    assert process.returncode == 7


LOADED = "import sys\nprint('torch' in sys.modules)\n{}\nprint('paddle_compat.core.program' in sys.modules)\n"


@pytest.mark.parametrize("statement", ["import paddle", "import paddle_compat as paddle", "from paddle import static"])
def test_torch_loads_with_the_scripts_own_import(full: Runner, statement: str) -> None:
    """A script may set OMP_NUM_THREADS and the like before `import paddle`; and the import loads all that it should."""
    full.write({"script.py": LOADED.format(statement), "package/__init__.py": statement})
    assert full.output("-m", "paddle_compat", "script.py") == "False\nTrue\n"
    full.write({"package/part.py": LOADED.format("")})
    assert full.output("-m", "paddle_compat", "-m", "package.part") == "True\nTrue\n"
    full.write({"package/__init__.py": "import paddle_compat"})
    assert full.output("-m", "package.part", "-m", "paddle_compat") == "True\nTrue\n"


def test_torchrun(full: Runner) -> None:
    full.write({"script.py": "import os, sys, paddle\nprint(os.environ['RANK'], sys.argv, paddle.__name__)"})
    out = full.output(*"-m torch.distributed.run --nproc-per-node 2 -m paddle_compat script.py x".split())
    lines = [f"{rank} ['script.py', 'x'] paddle_compat" for rank in (0, 1)]
    assert sorted(out.splitlines()) == lines
