"""`paddle.hapi.progressbar`: the line that says how far a run has come."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Any, TextIO

import numpy as np

from paddle_compat._missing import missing

__all__ = ["ProgressBar"]


_STDOUT = sys.stdout


class ProgressBar:
    """Prints steps, values and times: over and over on one line, or a line for each.

    Args:
        num: how many steps there will be; None: nobody knows.
        width: of the bar.
        verbose: 0 nothing, 1 a bar that moves, 2 and 3 a line for each update.
        start: start the clock.
        file: where to.
        name: what a step is called.
    Raises:
        TypeError: there is no step to be done.

    Example:
        >>> from paddle_compat.hapi.progressbar import ProgressBar
        >>> bar = ProgressBar(num=4, verbose=2)
        >>> bar.start()
        >>> bar.update(2, [("loss", 0.5)])  # doctest: +ELLIPSIS
        step 2/4 - loss: 0.5000 - .../step

    Follows Paddle 2.6.
    """

    def __init__(
        self, num: int | None = None, width: int = 30, verbose: int = 1, start: bool = True, file: TextIO = _STDOUT, name: str = "step"
    ) -> None:
        if isinstance(num, int) and num <= 0:
            raise TypeError(f"Invalid value for argument `num` of `ProgressBar`. Expected None or an integer > 0. Received: {num}")
        self._num = num
        self._width = min(width, int(self._get_max_width() * 0.6)) if isinstance(num, int) else width
        self._verbose = verbose
        self._file = None if file is _STDOUT else file  # None: whatever is standard output when it prints
        self.name = name
        self._shown = 0
        self._start = time.time() if start else 0.0

    def _get_max_width(self) -> int:
        return min(max(shutil.get_terminal_size((80, 24)).columns, 80), 100)

    def start(self) -> None:
        """Start the clock."""
        self._start = time.time()

    def update(self, current_num: int, values: Any = ()) -> None:
        """Print how far it is.

        Args:
            current_num: steps done.
            values: pairs of a name and a number, array or list of numbers.
        """
        per_step = (time.time() - self._start) / current_num if current_num else 0.0
        if self._verbose == 0:
            return
        parts = self._count(current_num) + self._values(values)
        last = self._num is not None and current_num >= self._num
        moves = self._verbose == 1
        if moves and self._num is not None and not last:
            parts += f" - ETA: {self._eta(per_step * (self._num - current_num))}"
        parts += f" - {self._rate(per_step)}/{self.name}"
        if moves:
            before, self._shown = self._shown, len(parts)
            parts = "\b" * before + "\r" + parts + " " * (before - len(parts))
        stream = self._file or sys.stdout
        stream.write(parts + ("\n" if not moves or last or self._num is None else ""))
        stream.flush()
        if last:
            self._shown = 0

    def _count(self, current: int) -> str:
        if self._num is None:
            return f"{self.name} {current:3d}"
        text = f"{self.name} {current:{len(str(self._num))}d}/{self._num}"
        if self._verbose != 1:
            return text
        done = min(int(self._width * current / self._num), self._width)
        head = "=" * (done - 1) + (">" if current < self._num else "=") if done else ""
        return f"{text} [{head}{'.' * (self._width - done)}]"

    def _values(self, values: Any) -> str:
        text = ""
        for name, value in values:
            text += f" - {name}:"
            for number in value if isinstance(value, (list, tuple)) else [value]:
                # a bar that moves shows arrays as they are
                if self._verbose == 2 and isinstance(number, np.ndarray) and number.size == 1 and number.dtype.kind == "f":
                    number = number.reshape(-1)[0]
                if isinstance(number, (float, np.floating)):
                    text += f" {number:.4f}" if abs(number) > 1e-3 else f" {number:.4e}"
                else:
                    text += f" {number}"
        return text

    def _eta(self, seconds: float) -> str:
        if seconds > 3600:
            return f"{int(seconds) // 3600}:{int(seconds) % 3600 // 60:02d}:{int(seconds) % 60:02d}"
        return f"{int(seconds) // 60}:{int(seconds) % 60:02d}" if seconds > 60 else f"{int(seconds)}s"

    def _rate(self, seconds: float) -> str:
        if seconds >= 1 or seconds == 0:
            return f"{seconds:.0f}s"
        return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"


__getattr__ = missing(__name__)
