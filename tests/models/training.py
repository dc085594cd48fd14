"""What the model scripts of this folder have in common: a Model knows how to be built, fed, trained and summed up.

Nothing here imports Paddle, and everything runs on Python 3.7: the same scripts run under the real wheels, when
references are recorded, and under paddle_compat, when they are compared.
"""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Dict, Iterator

import numpy as np

SAMPLES = 6
Summary = Dict[str, Any]


def summary(value: Any) -> Summary:
    """A tensor in a few numbers: shape, dtype, sum and sum of magnitudes in float64, and some of its entries."""
    array = np.asarray(value)
    flat = array.reshape(-1)
    wide = flat.astype("float64")
    picks = np.unique(np.linspace(0, max(flat.size - 1, 0), SAMPLES).astype("int64")) if flat.size else []
    return {
        "shape": list(array.shape),
        "dtype": str(array.dtype),
        "sum": float(wide.sum()),
        "abs": float(np.abs(wide).sum()),
        "entries": {str(int(i)): wide[i] for i in picks},
    }


def fetched(column: tuple[Any, ...]) -> dict[str, Any]:
    """What one fetch gave in all steps: shape, dtype and LoD at first, and all values, or their sums when large."""
    arrays = [np.array(value) for value in column]
    about = {
        "shape": list(arrays[0].shape),
        "dtype": str(arrays[0].dtype),
        "values": [v.tolist() if v.size <= SAMPLES else summary(v) for v in arrays],
    }
    if not isinstance(column[0], np.ndarray):
        about["lod"] = column[0].lod()
    return about


class Session:
    """One script's own world: fresh programs, names that start at 0, an empty scope, a seed and an executor."""

    def __init__(self, main: Any, startup: Any, scope: Any, executor: Any) -> None:
        self.main = main
        self.startup = startup
        self.scope = scope
        self.executor = executor

    def value(self, name: str) -> np.ndarray | None:
        """What the scope holds under `name`, or None."""
        variable = self.scope.find_var(name)
        if variable is None:
            return None
        tensor = variable.get_tensor()
        return np.array(tensor) if tensor._is_initialized() else None

    def parameters(self, programs: list[Any]) -> dict[str, Summary]:
        """The persistable variables of these programs as they are now, sorted by name."""
        names = {v.name for program in programs for v in program.list_vars() if v.persistable}
        values = {name: self.value(name) for name in sorted(names - {"feed", "fetch"})}
        return {name: summary(value) for name, value in values.items() if value is not None}


class Model:
    """A training script in its parts.

    Args:
        build: builds the network and its optimizer into the default programs and returns what to fetch, the loss first.
        batch: the feed of a step; None for a script that is only built.
        steps: how many steps the references hold; none without a batch.
        loose: parts of names of parameters whose gradient is zero in exact arithmetic, so that an adaptive optimizer
            moves them by rounding errors; their values are not compared.
        return_numpy: what the executor is told; False where a LoD tensor is fetched.
        seed: chosen so that no activation lies so near to a kink that rounding decides which side it falls on.
    """

    frontend: Any = None

    def __init__(
        self,
        build: Callable[[], list[Any]],
        batch: Callable[[int], dict[str, Any]] | None = None,
        steps: int = 20,
        loose: tuple[str, ...] = (),
        return_numpy: bool = True,
        seed: int = 90,
    ) -> None:
        self.build = build
        self.batch = batch
        self.steps = steps if batch else 0
        self.loose = loose
        self.return_numpy = return_numpy
        self.seed = seed

    def session(self) -> Any:
        """A context manager that makes a fresh Session current."""
        raise RuntimeError("a Model of a dialect says how a session starts")

    @contextlib.contextmanager
    def fresh(self) -> Iterator[Session]:
        """The parts of a session that both dialects share."""
        frontend = self.frontend
        main, startup, scope = frontend.Program(), frontend.Program(), frontend.Scope()
        with frontend.unique_name.guard(), frontend.program_guard(main, startup), frontend.scope_guard(scope):
            yield Session(main, startup, scope, frontend.Executor(frontend.CPUPlace()))

    def programs(self) -> dict[str, Any]:
        """The programs that the script builds, by name."""
        with self.session() as session:
            self.build()
            return {"main": session.main, "startup": session.startup, **self.more_programs(session)}

    def more_programs(self, session: Session) -> dict[str, Any]:
        """Programs beside the main and the startup program, once these are built."""
        return {}

    def run(self, steps: int) -> dict[str, Any]:
        """Train for some steps from the seed.

        Returns:
            losses: the first fetch of each step, a float, or a list when it has several elements.
            fetched: for each fetch, by position, what `fetched` says about it.
            initial, params: persistable variables after the startup program and after the last step.
        """
        with self.session() as session:
            fetch = self.build()
            session.executor.run(session.startup)
            initial = session.parameters([session.main])
            results = [self.step(session, fetch, i) for i in range(steps)]
            return self.report(results, initial, session.parameters([session.main]))

    def step(self, session: Session, fetch: list[Any], i: int) -> list[Any]:
        """One executor run."""
        assert self.batch is not None
        feed, numpy = self.batch(i), self.return_numpy
        return list(session.executor.run(session.main, feed=feed, fetch_list=fetch, return_numpy=numpy))

    def report(self, results: list[list[Any]], initial: Any, final: Any) -> dict[str, Any]:
        """The results of `run` from the values fetched in each step."""
        losses = [np.array(row[0]).reshape(-1).tolist() for row in results]
        return {
            "losses": [loss[0] if len(loss) == 1 else loss for loss in losses],
            "fetched": [fetched(column) for column in zip(*results)],
            "initial": initial,
            "params": final,
        }
