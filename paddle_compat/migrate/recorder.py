"""Writes down what a Paddle script computes: losses, gradients' steps, fetched values. The same file runs under the real Paddle.

    python recorder.py OUT.jsonl SCRIPT [ARGUMENT ...]                                      # a copy of this file, with Paddle 1.8 or newer
    python -m paddle_compat -m paddle_compat.migrate.recorder OUT.jsonl SCRIPT [ARGUMENT ...]
    python -m paddle_compat compare THERE.jsonl HERE.jsonl                                     # where the two part

It imports nothing but Python, NumPy and the Paddle that is there, and is written in the Python that Paddle 1.8 runs in. A line stands for
one point of the run: a loss whose backward pass begins, the parameters that an optimizer has stepped, what an Executor has fetched.
"""

import importlib
import json
import os
import runpy
import sys
from typing import Any

import numpy as np

SHOWN = 4  # so many values of an array are written down, beside its mean, deviation and bounds
LARGEST = 1 << 24  # elements of an array up to which it is looked at


class Recorder:
    """Writes points of a run to a file.

    Args:
        path: of the file; other processes than a job's first add their number to it.
        script: the file that is run, which says where points are.
    """

    def __init__(self, path: str, script: str) -> None:
        rank = os.environ.get("PADDLE_TRAINER_ID") or os.environ.get("RANK") or "0"
        self.file = open(path if rank == "0" else "{}.{}".format(path, rank), "w")  # noqa: UP032 - open for the whole run
        self.folder, self.process, self.depth = os.path.dirname(os.path.abspath(script)), os.getpid(), 0

    def point(self, kind: str, values: Any) -> None:
        """Write one down."""
        if os.getpid() == self.process:
            self.file.write(json.dumps({"kind": kind, "where": self.where(), "values": [described(value) for value in values]}) + "\n")
            self.file.flush()

    def where(self) -> str:
        """The innermost line of the script, or of a file beside it."""
        frame = sys._getframe(1)
        while frame is not None:
            name = os.path.abspath(frame.f_code.co_filename)
            if name.startswith(self.folder + os.sep) and name != os.path.abspath(__file__):
                return "{}:{}".format(os.path.relpath(name, self.folder), frame.f_lineno)  # noqa: UP032
            frame = frame.f_back  # type: ignore[assignment]
        return "?"

    def hook(self, owner: Any, name: str, before: Any = None, after: Any = None) -> None:
        """Look at what a method is given or gives, but for calls that such a method makes."""
        method = getattr(owner, name)

        def hooked(own: Any, *args: Any, **kwargs: Any) -> Any:
            outermost = self.depth == 0
            if outermost and before is not None:
                before(own)
            self.depth += 1
            try:
                found = method(own, *args, **kwargs)
            finally:
                self.depth -= 1
            if outermost and after is not None:
                after(own, found)
            return found

        hooked.__name__ = name
        setattr(owner, name, hooked)


def described(value: Any) -> Any:
    """An array as shape, data type, [mean, deviation, least, greatest] and its first values; None for what is none."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.dtype == object or array.dtype.kind not in "biufc" or array.size > LARGEST:
        return [list(array.shape), str(array.dtype), [], []]
    numbers = np.abs(array) if array.dtype.kind == "c" else array
    wide = numbers.astype(np.float64).reshape(-1)
    size = [float(f(wide)) for f in (np.mean, np.std, np.min, np.max)] if wide.size else []
    return [list(array.shape), str(array.dtype), size, [float(each) for each in wide[:SHOWN]]]


def as_array(value: Any) -> Any:
    """A Tensor's numbers; those of a type that NumPy has not, as float32."""
    if "bf" in str(value.dtype).lower():
        value = value.astype("float32")
    return value.numpy()


def parameters_of(optimizer: Any) -> Any:
    """Its parameters, those of groups one after another."""
    listed = getattr(optimizer, "_parameter_list", None) or []
    groups = [each["params"] if isinstance(each, dict) else [each] for each in listed]
    return [parameter for group in groups for parameter in group]


def there(root: Any, *names: str) -> Any:
    """What of a module's names this Paddle has, each thing once."""
    found = []  # type: Any
    for name in names:
        value = root
        for word in name.split("."):
            value = getattr(value, word, None)
        if value is not None and all(value is not other for other in found):
            found.append(value)
    return found


def install(recorder: Recorder) -> None:
    """Let Paddle's methods write points down."""
    paddle = importlib.import_module("paddle")
    (eager, *_) = there(paddle, "in_dynamic_mode", "fluid.in_dygraph_mode")
    for kind in there(paddle, "Tensor", "fluid.core.VarBase"):
        recorder.hook(kind, "backward", before=lambda own: recorder.point("loss", [as_array(own)]))

    def stepped(own: Any, found: Any) -> None:
        if eager():
            recorder.point("step", [as_array(each) for each in parameters_of(own)])

    named = [value for module in there(paddle, "optimizer", "fluid.optimizer") for value in vars(module).values()]
    classes = {base for kind in named if isinstance(kind, type) for base in kind.__mro__}
    for each in sorted(classes, key=str):
        for name in ("step", "minimize"):
            if name in vars(each):
                recorder.hook(each, name, after=stepped)
    for executor in there(paddle, "static.Executor", "fluid.Executor"):
        recorder.hook(executor, "run", after=lambda own, found: recorder.point("run", found) if found else None)


def main(words: Any) -> None:
    """The command line."""
    if len(words) < 2:
        sys.exit(__doc__)
    recorder = Recorder(words[0], words[1])
    install(recorder)
    sys.argv = words[1:]
    sys.path.insert(0, recorder.folder)
    runpy.run_path(words[1], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
