"""How a `paddle.static` script of this folder is run."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any, Callable, Iterator

import paddle
from training import Model, Session


class StaticModel(Model):
    """A Model in the 2.x static spelling; its seed is `paddle.seed`.

    Args:
        scheduler: makes an LRScheduler; `build` is called with it, and each step ends with `scheduler.step()`.
    """

    frontend = SimpleNamespace(
        Program=paddle.static.Program,
        program_guard=paddle.static.program_guard,
        Scope=paddle.static.Scope,
        scope_guard=paddle.static.scope_guard,
        Executor=paddle.static.Executor,
        CPUPlace=paddle.CPUPlace,
        unique_name=paddle.utils.unique_name,
    )

    def __init__(self, build: Any, batch: Any = None, *, scheduler: Callable[[], Any] | None = None, **options: Any):
        self.scheduler: Any = None
        if scheduler is None:
            super().__init__(build, batch, **options)
            return

        def scheduled() -> list[Any]:
            self.scheduler = scheduler()
            return list(build(self.scheduler))

        super().__init__(scheduled, batch, **options)

    @contextlib.contextmanager
    def session(self) -> Iterator[Session]:
        """Static mode, the seed and fresh programs; the mode is put back afterwards."""
        dynamic = paddle.in_dynamic_mode()
        paddle.enable_static()
        paddle.seed(self.seed)
        try:
            with self.fresh() as session:
                yield session
        finally:
            if dynamic:
                paddle.disable_static()

    def step(self, session: Session, fetch: list[Any], i: int) -> list[Any]:
        """One executor run and one step of the schedule."""
        outs = super().step(session, fetch, i)
        if self.scheduler is not None:
            self.scheduler.step()
        return outs


def optimizer_model(build: Any, optimizer: Any, *args: Any, **options: Any) -> StaticModel:
    """A model whose build function takes the optimizer (made by a function, once the programs are current)."""
    return StaticModel(lambda: build(optimizer()), *args, **options)
