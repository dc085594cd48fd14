"""`paddle.utils.plot`: curves of what a script measures, as Paddle 1.8's tutorials draw them."""

from __future__ import annotations

import importlib
import os
from typing import Any

from paddle_compat._missing import missing


class PlotData:
    """The points of a curve.

    Example:
        >>> from paddle_compat.utils.plot import PlotData
        >>> curve = PlotData()
        >>> curve.append(0, 0.5); curve.value
        [0.5]

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        self.step: list[Any] = []
        self.value: list[Any] = []

    def append(self, step: Any, value: Any) -> None:
        """Add a point.

        Args:
            step (int): where.
            value (float): how high.

        Example:
            >>> from paddle_compat.utils.plot import PlotData
            >>> PlotData().append(0, 0.5)

        Follows Paddle 1.8.
        """
        self.step.append(step)
        self.value.append(value)

    def reset(self) -> None:
        """Forget all points.

        Example:
            >>> from paddle_compat.utils.plot import PlotData
            >>> PlotData().reset()

        Follows Paddle 1.8.
        """
        self.step, self.value = [], []


class Ploter:
    """Curves with titles in one picture. DISABLE_PLOT=True in the environment lets `plot` do nothing.

    Args:
        args (str): the titles.

    Example:
        >>> import paddle_compat as paddle
        >>> curves = paddle.utils.Ploter("train", "test")
        >>> curves.append("train", 0, 0.5)

    Follows Paddle 1.8.
    """

    def __init__(self, *args: str) -> None:
        self.__args__ = args
        self.__plot_data__ = {title: PlotData() for title in args}
        self.__disable_plot__ = os.environ.get("DISABLE_PLOT")

    def append(self, title: str, step: Any, value: Any) -> None:
        """Add a point to a curve.

        Args:
            title (str): the curve's.
            step (int): where.
            value (float): how high.
        Raises:
            AssertionError: no curve has the title.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.utils.Ploter("train").append("train", 0, 0.5)

        Follows Paddle 1.8.
        """
        assert title in self.__plot_data__, f"Invalid value for argument `title`. Expected one of {self.__args__}. Received: {title!r}"
        self.__plot_data__[title].append(step, value)

    def plot(self, path: str | None = None) -> None:
        """Draw the curves that have points.

        Args:
            path (str): a file to draw into; None: a notebook's output.
        Raises:
            ImportError: matplotlib, or IPython for a notebook, is not installed.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.utils.Ploter("train").plot("curve.png")  # doctest: +SKIP

        Follows Paddle 1.8.
        """
        if self.__disable_plot__ == "True":
            return
        plt = _drawing("matplotlib.pyplot")
        drawn = {title: curve for title, curve in self.__plot_data__.items() if curve.step}
        for curve in drawn.values():
            plt.plot(curve.step, curve.value)
        plt.legend(list(drawn), loc="upper left")
        if path is None:
            display = _drawing("IPython.display")
            display.clear_output(wait=True)
            display.display(plt.gcf())
        else:
            plt.savefig(path)
        plt.gcf().clear()

    def reset(self) -> None:
        """Forget all points.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.utils.Ploter("train").reset()

        Follows Paddle 1.8.
        """
        for curve in self.__plot_data__.values():
            curve.reset()


def _drawing(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        wanted = f"`{module.partition('.')[0]}` is needed to draw curves. Expected it installed, or DISABLE_PLOT=True in the environment."
        raise ImportError(f"{wanted} Received: {error}") from error


__all__ = ["PlotData", "Ploter"]

__getattr__ = missing(__name__)
