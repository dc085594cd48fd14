"""Python's own library as scripts of Paddle 1.8's days know it: names that were taken away since are there under the runner."""

from __future__ import annotations

from processes import Runner

FIRST = "from collections import Iterable, MutableMapping; import time; print(issubclass(list, Iterable), time.clock() > 0)"
CHILD = f"import subprocess, sys; print(subprocess.check_output([sys.executable, '-c', {FIRST!r}], text=True), end='')"
THEN = """
import paddle, inspect, threading, base64
from fractions import gcd
spec = inspect.getargspec(lambda a, b=1, *c, **d: a)
print(spec.args, spec.varargs, spec.keywords, spec.defaults, gcd(12, 18), base64.decodestring(base64.encodestring(b"x")))
print(threading.current_thread().isAlive())
"""


def test_names_that_are_gone(full: Runner) -> None:
    code = "\n".join((FIRST, CHILD, THEN))
    out = full.output("-m", "paddle_compat", "-c", code)
    assert out.splitlines() == ["True True", "True True", "['a', 'b'] c d (1,) 6 b'x'", "True"]


def test_pillow_has_what_paddle_imports(full: Runner) -> None:
    """Behind `import PIL` alone: Paddle's wheels (2.6.2, 3.3.1) import Image, ImageEnhance and ImageOps, so `PIL.Image` is there."""
    use = "print('PIL.Image' in sys.modules, callable(PIL.Image.open), callable(PIL.ImageOps.flip), hasattr(PIL, 'ImageDraw'))"
    orders = "import PIL, paddle", "import paddle, PIL", "import paddle_compat, PIL; paddle_compat.install(); import paddle"
    for order, command in zip(orders, (["-m", "paddle_compat"], ["-m", "paddle_compat"], []), strict=True):
        assert full.output(*command, "-c", f"{order}, sys; {use}") == "False True True False\n"
