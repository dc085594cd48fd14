"""What the launcher says about this process, as scripts ask for it: `ParallelEnv`, of Paddle 1.8 and 2.x."""

from __future__ import annotations

import os

import torch

from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.job import job


class Trainer:
    """What both versions of `ParallelEnv` say. It is read when the object is made."""

    def __init__(self) -> None:
        found = job()
        self._rank, self._size = found.rank, found.size
        self._endpoints, self._endpoint = list(found.endpoints) or [""], found.endpoint
        self._device = _number("FLAGS_selected_gpus", os.environ.get("FLAGS_selected_gpus", "0").split(",")[0])

    @property
    def nranks(self) -> int:
        """How many processes train."""
        return self._size

    @property
    def local_rank(self) -> int:
        """This process's number among all."""
        return self._rank

    @property
    def dev_id(self) -> int:
        """The number of its GPU."""
        return self._device

    @property
    def current_endpoint(self) -> str:
        """Its address and port."""
        return self._endpoint

    @property
    def trainer_endpoints(self) -> list[str]:
        """Those of all, by number."""
        return self._endpoints


class ParallelEnv(Trainer):
    """This process's place in the job, as the launcher says it in the environment.

    Raises:
        InvalidArgumentError: variables contradict each other.
        AssertionError: FLAGS_nccl_nrings is not from 1 to 8.

    Example:
        >>> import paddle_compat as paddle
        >>> env = paddle.distributed.ParallelEnv()
        >>> env.rank, env.world_size, env.device_id
        (0, 1, 0)

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rings = _number("FLAGS_nccl_nrings", os.environ.get("FLAGS_nccl_nrings", "1"))
        if not 0 < self._rings < 9:
            raise failed_assertion("FLAGS_nccl_nrings", "a number from 1 to 8", self._rings, "paddle.distributed.ParallelEnv")

    @property
    def rank(self) -> int:
        """This process's number among all."""
        return self._rank

    @property
    def world_size(self) -> int:
        """How many processes train."""
        return self._size

    @property
    def device_id(self) -> int:
        """The number of its GPU."""
        return self._device

    @property
    def device_type(self) -> str:
        """The kind of device: "gpu" where there is one, else ""."""
        return os.environ.get("PADDLE_XCCL_BACKEND", "gpu" if torch.cuda.is_available() else "")

    @property
    def nrings(self) -> int:
        """How many rings of NCCL the job asks for."""
        return self._rings

    @property
    def pg_timeout(self) -> int:
        """Milliseconds after which a collective call gives up."""
        return _number("PADDLE_PG_TIMEOUT", os.environ.get("PADDLE_PG_TIMEOUT", "1800000"))


def _number(variable: str, value: str) -> int:
    try:
        return int(value or 0)
    except ValueError:
        raise invalid_argument(variable, "a number", value) from None
