"""How a `paddle.fluid` script of this folder is run."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import paddle.fluid as fluid
from training import Model, Session


class FluidModel(Model):
    """A Model in the 1.8 spelling; its seed is `program.random_seed`."""

    frontend = fluid

    @contextlib.contextmanager
    def session(self) -> Iterator[Session]:
        """Fresh programs with the seed on both, as 1.8 scripts set it before they build anything."""
        with self.fresh() as session:
            session.main.random_seed = self.seed
            session.startup.random_seed = self.seed
            yield session


def optimizer_model(build: Any, optimizer: Any, *args: Any, **options: Any) -> FluidModel:
    """A model whose build function takes the optimizer (made by a function, once the programs are current)."""
    return FluidModel(lambda: build(optimizer()), *args, **options)
