"""`python -m paddle_compat` runs scripts, modules, code, standard input and a prompt as plain python does."""

from __future__ import annotations

import os
import py_compile
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from processes import SECONDS, Runner

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
    "status of another type": "import sys; sys.exit(2.5)",
    "an empty message": "import sys; sys.exit('')",
    "exit at once": "import os; os._exit(9)",
    "cause hidden": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise KeyError('x') from None",
    "notes": "e = ValueError('x')\ne.__notes__ = ['more']\nraise e",
    "group": "import builtins\ntry:\n    1 / 0\nexcept Exception as e:\n"
    "    raise getattr(builtins, 'ExceptionGroup', print)('g', [e, KeyError(1)])",
    "caught and printed": "import traceback\ntry:\n    1 / 0\nexcept Exception:\n    traceback.print_exc()",
    "raised again": "import sys\ntry:\n    1 / 0\nexcept Exception as e:\n    error = e\nraise error",
    "error at exit": "import atexit\ndef late(): 1 / 0\nclass Late:\n"
    "    __call__, __repr__ = staticmethod(late), lambda self: 'late'\natexit.register(Late())",
    "error in a thread": "import threading\nt = threading.Thread(target=lambda: 1 / 0, name='t')\nt.start()\nt.join()",
    "excepthook fails": "import sys\nsys.excepthook = lambda *a: undefined\n1 / 0",
    "excepthook asked": "import sys\nprint(sys.excepthook is sys.__excepthook__)",
    "last error": "import atexit, sys\natexit.register(lambda: print(sys.last_value, sys.last_traceback.tb_lineno))\n1 / 0",
    "last lines": "import atexit, sys, traceback\natexit.register(lambda: print(traceback.format_tb(sys.last_traceback)))\n1 / 0",
    "forked": "import os, sys\nsys.stdout.flush()\npid = os.fork()\nif pid == 0:\n    1 / 0\nprint(os.waitpid(pid, 0)[1])",
    "interrupted from outside": (  # in the background of a shell Python leaves the signal ignored
        "import os, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "os.kill(os.getpid(), signal.SIGINT)\nimport time\ntime.sleep(9)"
    ),
    "killed": "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\nimport time\ntime.sleep(9)",
    "coroutine": "import asyncio\nasync def main():\n    raise ValueError('async')\nasyncio.run(main())",
    "marked as UTF-8": "\ufeffprint('x')\n1 / 0",
    "line ends": "def f():\r\n    1 / 0\r\nf()\r\n",
    "empty": "",
    "future": "from __future__ import annotations\nx: nonesuch\nprint(__annotations__)\n1 / 0",
    "main again": "import runpy\nif __name__ == '__main__':\n    print(runpy.run_path(__file__)['__name__'])",
    "own main": "from __main__ import __file__ as f\nprint(f, __builtins__.__name__)",
    "unclosed": "import sys\nsys.stdout.close()\n1 / 0",
    "deep thread": "import sys\nprint(sys._getframe().f_code.co_name, sys._getframe().f_globals is globals())",
    "typing": "import typing\nclass A:\n    x: 'int'\nprint(typing.get_type_hints(A))",
    "collected": "class D:\n    def __del__(self): print('collected')\nd = [D()]\nd.append(d)\n1 / 0",
    "excepthook afterwards": "import atexit, sys\natexit.register(lambda: print(sys.excepthook is sys.__excepthook__))\n1 / 0",
    "data files": "import pkgutil, os\nprint(os.path.basename(__file__), os.getcwd() == os.path.dirname(os.path.abspath(__file__)))",
}
MODULES = {
    "broken.py": "def f():\n    raise RuntimeError('in a module')\nf()\n",
    "misspelt.py": "def f(:\n",
    "package/__init__.py": "",
    "package/__main__.py": SHOW,
    "package/part.py": SHOW + "from . import other\nprint(other.__name__)",
    "package/other.py": "",
    "package/fails.py": "raise ValueError('from a module')",
    "package/misspelt.py": "x = (",
    "package/inner/__init__.py": "print(__name__)",
    "package/inner/part.py": SHOW + "from .. import other\nfrom ..other import nonesuch",
    "exits/__main__.py": "import sys\nsys.exit(4)",
    "spaces/dir name/\u00e9t\u00e9.py": SHOW,
}
RUN_AS_MODULES = (
    "package", "package.part x y", "alone -c -m", "package.fails", "package.misspelt", "package.inner.part",
    "package.inner", "exits", "absent", "package.absent", "static", "a.b", ".package", "package.", "broken",
    "misspelt", "package.part.py", "sys", "this", "pdb alone.py", "cProfile absent.py", "trace --count absent.py",
    "unittest", "doctest alone.py", "runpy", "compileall -q absent",
)  # fmt: skip
PATHS = {
    "folder/__main__.py": SHOW + "import beside\nprint(beside.__name__)",
    "folder/beside.py": "",
    "sub/show.py": SHOW,
}


def same(runner: Runner, *words: str, stdin: str = "", cwd: Path | None = None) -> tuple[int, str, str]:
    """What plain python does with these words, after checking that the runner does the same."""
    plain, ours = (
        (status, out, re.sub(r"(?<=^Ran 0 tests in )\d+\.\d+s$", "no time", err, flags=re.MULTILINE))  # unittest's
        for status, out, err in (runner.run(*before, *words, stdin=stdin, cwd=cwd) for before in ((), ("-m", "paddle_compat")))
    )
    assert ours == plain
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
    for words in RUN_AS_MODULES:
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

    bare.write({"code.py": "raise ImportError('of the script, not of Python')"})
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
    os.write(ours, b"import paddle, sys\nprint(paddle.__name__, sys.argv, __name__)\nclass A: pass\n\nprint(A)\n1 / 0\n")
    os.write(ours, b"sys.exit(7)\n")
    out = process.communicate(timeout=SECONDS)[0].decode()
    os.close(ours)
    assert "paddle_compat [''] __main__" in out and "<class '__main__.A'>" in out and "ZeroDivisionError" in out
    assert process.returncode == 7


LOADED = "import sys\nprint('torch' in sys.modules)\n{}\nprint('paddle_compat.core.program' in sys.modules)\n"


@pytest.mark.parametrize("statement", ["import paddle", "import paddle_compat as paddle", "from paddle import static"])
def test_torch_loads_with_the_scripts_own_import(fresh: Runner, statement: str) -> None:
    """A script may set OMP_NUM_THREADS and the like before `import paddle`; and the import loads all that it should."""
    fresh.write({"script.py": LOADED.format(statement), "package/__init__.py": statement})
    assert fresh.output("-m", "paddle_compat", "script.py") == "False\nTrue\n"
    fresh.write({"package/part.py": LOADED.format("")})
    assert fresh.output("-m", "paddle_compat", "-m", "package.part") == "True\nTrue\n"


def test_torch_is_there_where_a_package_imported_it_first(fresh: Runner) -> None:
    fresh.write({"package/__init__.py": "import paddle_compat", "package/part.py": LOADED.format("")})
    assert fresh.output("-m", "package.part", "-m", "paddle_compat") == "True\nTrue\n"


@pytest.mark.parametrize("module", ["mode", "errors"])
def test_a_module_of_the_floor_below_may_be_imported_first(fresh: Runner, module: str) -> None:
    shown = f"print({module}.__name__, paddle.in_dynamic_mode())"
    fresh.write({"script.py": f"from paddle_compat.core import {module}\nimport paddle\n{shown}\n"})
    assert fresh.output("-m", "paddle_compat", "script.py") == f"paddle_compat.core.{module} True\n"


def test_torchrun(full: Runner) -> None:
    said = "print(f'{os.environ[\"RANK\"]} {sys.argv} {paddle.__name__}\\n', end='')"  # in one write: the processes share the pipe
    full.write({"script.py": f"import os, sys, paddle\n{said}"})
    out = full.output(*"-m torch.distributed.run --nproc-per-node 2 -m paddle_compat script.py x".split())
    lines = [f"{rank} ['script.py', 'x'] paddle_compat" for rank in (0, 1)]
    assert sorted(out.splitlines()) == lines


ODD_PATHS = ("show", "a b.py", "paddle.py", "\u00e9t\u00e9.py", "./-x.py", "./alias", "boom", "broken", "boom.zip", "", ".", "show/")


def test_odd_paths(bare: Runner) -> None:
    """Names with spaces, accents and the like, and what fails inside a folder or an archive."""
    files = dict.fromkeys(("show", "a b.py", "paddle.py", "\u00e9t\u00e9.py", "-x.py", "alias"), SHOW)
    bare.write({**files, "boom/__main__.py": SHOW + "def f():\n    1 / 0\nf()\n", "broken/__main__.py": "x = (\n"})
    with zipfile.ZipFile(bare.folder / "boom.zip", "w") as archive:
        archive.writestr("__main__.py", "import inside\ninside.f()\n")
        archive.writestr("inside.py", "def f():\n    1 / 0\n")
    for path in ODD_PATHS:
        same(bare, path, "\u00e9", "")
    same(bare, "show", "--", "-h", "--version", "alias")


def test_safe_path(bare: Runner) -> None:
    """With PYTHONSAFEPATH no folder of the script's is on the path, but for a folder that is run itself."""
    bare.write({"show.py": SHOW, "boom/__main__.py": SHOW + "1 / 0", "package/__init__.py": "", "package/part.py": SHOW})
    bare.env["PYTHONSAFEPATH"] = "1"
    for words in (["show.py"], ["boom"], ["-c", SHOW], ["-m", "package.part"], []):
        same(bare, *words, stdin="" if words else SHOW)


def test_prompt_afterwards(bare: Runner) -> None:
    bare.write({"show.py": "x = 5"})
    bare.env["PYTHONINSPECT"] = "1"
    same(bare, "show.py", stdin="print(x, __name__)\n")
    same(bare, "-c", "x = 6", stdin="print(x)\n")
    for end in ("import sys; sys.exit(4)", "1 / 0"):
        bare.write({"show.py": f"x = 5\n{end}"})
        same(bare, "show.py", stdin="print(x)\n")
