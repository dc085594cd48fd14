"""`paddle.fluid.incubate.fleet.base.fleet_base`: what all kinds of fleets have in common."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode as modes
from paddle_compat.core import rings
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.distributed import _groups
from paddle_compat.distributed.fleet._places import Places
from paddle_compat.distributed.fleet.base.util_factory import shard
from paddle_compat.fluid.executor import Executor
from paddle_compat.fluid.incubate.fleet.base.mode import Mode
from paddle_compat.fluid.incubate.fleet.base.role_maker import PaddleCloudRoleMaker, RoleMakerBase
from paddle_compat.optimizer._updates import Updates


class Fleet(Places):
    """What a process of a job asks and does; `paddle.fluid.incubate.fleet.collective.fleet` is one.

    Args:
        mode (int): one of `Mode`.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.base import role_maker
        >>> from paddle_compat.fluid.incubate.fleet.base.fleet_base import Fleet, Mode
        >>> fleet = Fleet(Mode.COLLECTIVE)
        >>> fleet.init(role_maker.PaddleCloudRoleMaker(is_collective=True))
        >>> fleet.worker_index(), fleet.worker_num(), fleet.is_worker(), fleet.is_first_worker()
        (0, 1, False, False)
        >>> fleet.is_server(), fleet.server_num(), fleet.server_index(), fleet.server_endpoints()
        (False, 0, 0, [])
        >>> fleet.worker_endpoints(to_string=True), fleet.split_files(["a", "b"])
        ('127.0.0.1:6170', ['a', 'b'])
        >>> total = [0]
        >>> fleet.all_reduce_worker([1], total); fleet.barrier_worker(); total
        [1]

    Follows Paddle 1.8.
    """

    def __init__(self, mode: int) -> None:
        self._mode = mode
        self._is_initialized = False
        self._optimizer: Any = None
        self._role_maker: Any = None
        self._executor: Any = None

    def init(self, role_maker: Any = None) -> None:
        """Say which part this process plays, and join the others.

        Args:
            role_maker (RoleMakerBase|None): the role; None in a collective job: what the launcher says.
        Raises:
            TypeError: it is no role maker.
        """
        self._executor = Executor()
        if role_maker is None and self._mode == Mode.COLLECTIVE:
            role_maker = PaddleCloudRoleMaker(is_collective=True)
        if not isinstance(role_maker, RoleMakerBase):
            raise TypeError(f"role_maker must be an instance of RoleMakerBase. Received: {role_maker!r}")
        self._role_maker = role_maker
        role_maker.generate_role()
        if self._mode == Mode.COLLECTIVE and role_maker.worker_num() > 1:
            _groups.join() if modes.in_dygraph_mode() else rings.expect()
        self._is_initialized = True

    def split_files(self, files: list[str]) -> list[str]:
        """The files that this worker reads: neighbours in the list, the first workers one more where they do not go round.

        Args:
            files (list): the names of all files.
        Returns:
            list: some of them.
        Raises:
            TypeError: no list.
        """
        if not isinstance(files, list):
            raise TypeError(f"files should be a list of file need to be read. Received: {files!r}")
        return shard(files, self.worker_index(), self.worker_num())

    def all_reduce_worker(self, input: Any, output: Any) -> None:
        """The sum of what the workers give.

        Args:
            input (list|ndarray): this worker's.
            output (list|ndarray): where the result is written.
        """
        self._role().all_reduce_worker(input, output)

    def barrier_worker(self) -> None:
        """Wait for all workers."""
        self._role().barrier_worker()


class DistributedOptimizer:
    """An optimizer that trains together with other workers: the base of what `distributed_optimizer` returns.

    Args:
        optimizer (Optimizer): the user's.
        strategy (object): how.
    Raises:
        TypeError: no optimizer.

    Example:
        >>> from paddle_compat import fluid
        >>> from paddle_compat.fluid.incubate.fleet.base.fleet_base import DistributedOptimizer
        >>> try:
        ...     DistributedOptimizer(fluid.optimizer.SGD(0.1)).minimize(None)
        ... except NotImplementedError as error:
        ...     print(error)
        Please implement this method in child class
        >>> try:
        ...     DistributedOptimizer(fluid.optimizer.SGD(0.1)).backward(None) or DistributedOptimizer(None).apply_gradients([])
        ... except NotImplementedError as error:
        ...     print(error)
        Please implement this method in child class

    Follows Paddle 1.8.
    """

    def __init__(self, optimizer: Any, strategy: Any = None) -> None:
        if not isinstance(optimizer, Updates) and not hasattr(optimizer, "minimize"):
            raise TypeError(f"optimizer must be an instance of Optimizer. Received: {optimizer!r}")
        self._optimizer, self._strategy = optimizer, strategy

    def backward(
        self, loss: Any, startup_program: Any = None, parameter_list: Any = None, no_grad_set: Any = None, callbacks: Any = None
    ) -> Any:
        """The first half of `minimize`: append the gradient operators.

        Args:
            loss (Variable): what is minimised.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables through which no gradient flows.
            callbacks (list|None): called after each gradient operator.
        Returns:
            list: pairs of parameter and gradient.
        Raises:
            NotImplementedError: the kind of fleet says how.
        """
        raise UnimplementedError("Please implement this method in child class")

    def apply_gradients(self, params_grads: Any) -> Any:
        """The second half of `minimize`: append the updates.

        Args:
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators appended.
        Raises:
            NotImplementedError: the kind of fleet says how.
        """
        raise UnimplementedError("Please implement this method in child class")

    def minimize(
        self, losses: Any, scopes: Any = None, startup_programs: Any = None, parameter_list: Any = None, no_grad_set: Any = None
    ) -> Any:
        """Append what minimises a loss on all workers together.

        Args:
            losses (Variable|list): what is minimised.
            scopes (Scope|list|None): of each Program.
            startup_programs (Program|list|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        Raises:
            NotImplementedError: the kind of fleet says how.
        """
        raise UnimplementedError("Please implement this method in child class")


class _HalvesOf(DistributedOptimizer):
    """One whose halves of `minimize` are those of the user's optimizer."""

    def backward(
        self, loss: Any, startup_program: Any = None, parameter_list: Any = None, no_grad_set: Any = None, callbacks: Any = None
    ) -> Any:
        """Append the gradient operators."""
        return self._optimizer.backward(loss, startup_program, parameter_list, no_grad_set, callbacks)

    def apply_gradients(self, params_grads: Any) -> Any:
        """Append the updates."""
        return self._optimizer.apply_gradients(params_grads)


__all__ = ["DistributedOptimizer", "Fleet", "Mode"]

__getattr__ = missing(__name__)
