"""Feeding, running and pruning as Paddle's C++ module does it: `core.set_feed_variable`, `core.Executor`, `core.prune`."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.clone import prune_program, without_training
from paddle_compat.core.descs import ProgramDesc, VarDesc
from paddle_compat.core.errors import NotFoundError, PreconditionNotMetError, UnsupportedError, type_error
from paddle_compat.core.lod import LoDTensor, LoDTensorArray
from paddle_compat.core.scope import Scope
from paddle_compat.engine.executor import run_program


def set_feed_variable(scope: Scope, tensor: Any, name: str, index: int) -> None:
    """Put a value into a column of a Scope's feed list, where a `feed` operator reads it.

    Args:
        scope: the Scope.
        tensor: a LoDTensor.
        name: the feed list's name, `feed` as a rule.
        index: the column.
    Raises:
        TypeError: the value is no LoDTensor.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base import core
        >>> scope, tensor = core.Scope(), core.LoDTensor()
        >>> tensor.set(np.ones(2, "float32"), core.CPUPlace())
        >>> core.set_feed_variable(scope, tensor, "feed", 0)
        >>> len(scope.find_var("feed").get_fetch_list())
        1

    Follows Paddle 1.8 and 2.6.
    """
    if not isinstance(tensor, LoDTensor):
        raise type_error("tensor", "a LoDTensor", tensor, "set_feed_variable")
    _put(scope, name, index, LoDTensor(tensor.value, tensor.lod_))


def get_fetch_variable(scope: Scope, name: str, index: int) -> Any:
    """What `core.Executor` fetched into a column of a Scope's fetch list.

    Args:
        scope: the Scope.
        name: the fetch list's name, `fetch` as a rule.
        index: the column.
    Returns:
        LoDTensor, or a LoDTensorArray.
    Raises:
        NotFoundError: the Scope has no such list, or the list no such column.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base import core
        >>> scope, tensor = core.Scope(), core.LoDTensor()
        >>> tensor.set(np.ones(2, "float32"), core.CPUPlace())
        >>> core.set_feed_variable(scope, tensor, "fetch", 0)
        >>> core.get_fetch_variable(scope, "fetch", 0).shape()
        [2]

    Follows Paddle 1.8 and 2.6.
    """
    return _column(scope, name, index)


def get_variable_tensor(scope: Scope, name: str) -> LoDTensor:
    """The value of a Scope's variable: one memory, but shape and LoD of its own.

    Args:
        scope: the Scope.
        name: the variable.
    Returns:
        LoDTensor.
    Raises:
        NotFoundError: the Scope has no such variable.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base import core
        >>> scope = core.Scope()
        >>> scope.var("w").get_tensor().set(np.ones(2, "float32"), core.CPUPlace())
        >>> core.get_variable_tensor(scope, "w").shape()
        [2]

    Follows Paddle 2.6.
    """
    found = scope.find_var(name)
    if found is None:
        raise NotFoundError(f"Variable `{name}` is not in the scope. Expected one that is there. Received: a name that it lacks")
    held = found.get_tensor()
    return LoDTensor(held.value, held.lod_)


def set_variable(scope: Scope, tensor: LoDTensor, name: str) -> None:
    """Make a tensor the value of a Scope's variable.

    Args:
        scope: the Scope.
        tensor: a LoDTensor.
        name: the variable, made if need be.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base import core
        >>> scope, tensor = core.Scope(), core.LoDTensor()
        >>> tensor.set(np.ones(2, "float32"), core.CPUPlace())
        >>> core.set_variable(scope, tensor, "w"); scope.find_var("w").get_tensor().shape()
        [2]

    Follows Paddle 1.8 and 2.6.
    """
    held = scope.var(name).get_tensor()
    held.value, held.lod_ = tensor.value, tensor.lod_


def _put(scope: Scope, name: str, index: int, value: Any) -> None:
    columns = (scope.find_var(name) or scope.var(name)).get_fetch_list()
    columns += [LoDTensor() for _ in range(len(columns), index + 1)]
    columns[index] = value


def _column(scope: Scope, name: str, index: int) -> Any:
    found = scope.find_var(name)
    if found is None or not isinstance(found.other, LoDTensorArray) or index >= len(found.other):
        raise NotFoundError(f"Column {index} of `{name}` is not in the scope. Expected one that was set. Received: none")
    return found.other[index]


class Executor:
    """Runs a block of a `ProgramDesc`, which feeds and fetches by `feed` and `fetch` operators.

    Args:
        place: where to run.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> block = paddle.static.Program().global_block()
        >>> x, y = (block.create_var(name=name, shape=[2], dtype="float32") for name in "xy")
        >>> feed = block.create_var(name="feed", type=core.VarDesc.VarType.FEED_MINIBATCH)
        >>> fetch = block.create_var(name="fetch", type=core.VarDesc.VarType.FETCH_LIST)
        >>> _ = block.append_op(type="feed", inputs={"X": feed}, outputs={"Out": x}, attrs={"col": 0})
        >>> _ = block.append_op(type="scale", inputs={"X": x}, outputs={"Out": y}, attrs={"scale": 2.0})
        >>> _ = block.append_op(type="fetch", inputs={"X": y}, outputs={"Out": fetch}, attrs={"col": 0})
        >>> scope, tensor, exe = core.Scope(), core.LoDTensor(), core.Executor(core.CPUPlace())
        >>> tensor.set(np.ones(2, "float32"), core.CPUPlace())
        >>> core.set_feed_variable(scope, tensor, "feed", 0)
        >>> exe.run(block.program.desc, scope, 0, True, True, [])
        >>> core.get_fetch_variable(scope, "fetch", 0).numpy().tolist()
        [2.0, 2.0]
        >>> exe.close()

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, place: Any) -> None:
        self._place = place

    def run(
        self,
        program: ProgramDesc,
        scope: Scope,
        block_id: int = 0,
        create_local_scope: bool = True,
        create_vars: bool = True,
        skip_gc_vars: list[str] | None = None,
        force_disable_gc: bool = False,
        keep_kids: bool = False,
    ) -> None:
        """Run the block once.

        Args:
            program: a `ProgramDesc`; a Program does, too.
            scope: where feed lists, fetch lists and persistable variables are.
            block_id: 0, the main one.
            create_local_scope, create_vars, skip_gc_vars, force_disable_gc, keep_kids: for memory, which torch manages.
        Raises:
            UnsupportedError: another block.
            PreconditionNotMetError: a column of a feed list was not set.
        """
        if block_id:
            raise UnsupportedError("core.Executor.run", "block_id", "the operator that runs the block, in block 0")
        inner = program._program if isinstance(program, ProgramDesc) else program
        ops = inner.global_block().ops
        feed = {op.output("Out")[0]: _fed(scope, op.input("X")[0], op.attr("col")) for op in ops if op.type == "feed"}
        fetched = [(op.input("X")[0], op.output("Out")[0], op.attr("col")) for op in ops if op.type == "fetch"]
        names = tuple(name for name, _, _ in fetched)
        values = run_program(inner, feed, names, scope, self._place.torch_device, False)
        for (_, home, column), value in zip(fetched, values):
            _put(scope, home, column, value)

    def close(self) -> None:
        """Let go of what the executor holds: nothing."""


def _fed(scope: Scope, name: str, column: int) -> LoDTensor:
    value = _column(scope, name, column)
    if value.value is None:
        expected = "what `set_feed_variable` puts there"
        raise PreconditionNotMetError(f"Column {column} of `{name}` holds nothing. Expected {expected}. Received: none")
    return value


def prune(program: ProgramDesc, feeded_var_names: set[str], targets: list[Any]) -> tuple[ProgramDesc, dict[int, int]]:
    """A copy of a Program with the operators that some of its operators need.

    Args:
        program: the Program's description.
        feeded_var_names: variables that will be fed; what computes them is left out.
        targets: pairs of block and operator.
    Returns:
        The copy, and for each of its blocks the number that it had.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()):
        ...     x = paddle.static.data("x", [2])
        ...     y, z = paddle.exp(x), paddle.tanh(x)
        >>> pruned, numbers = core.prune(main.desc, set(), [[0, 0]])
        >>> [pruned.block(0).op(n).type() for n in range(pruned.block(0).op_size())], numbers
        (['exp'], {0: 0})

    Follows Paddle 1.8 and 2.6.
    """
    inner = program._program
    numbers: dict[int, int] = {}
    pruned = prune_program(inner, feeded_var_names, [inner.blocks[block].ops[op] for block, op in targets], numbers)
    return ProgramDesc(pruned), numbers


def prune_backward(program: ProgramDesc) -> tuple[ProgramDesc, dict[int, int]]:
    """A copy of a Program without gradients and updates.

    Args:
        program: the Program's description.
    Returns:
        The copy, and for each block that it has the number that it had.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 1))
        ...     _ = paddle.static.append_backward(loss)
        >>> pruned, _ = core.prune_backward(main.desc)
        >>> main.desc.block(0).op_size() > pruned.block(0).op_size()
        True

    Follows Paddle 1.8 and 2.6.
    """
    numbers: dict[int, int] = {}
    return ProgramDesc(without_training(program._program, numbers)), numbers


def diff_tensor_shape(tensor: LoDTensor, var: VarDesc, num_places: int) -> list[int] | None:
    """The tensor's shape where it does not fit what a variable declares, None where it does.

    Args:
        tensor: a value to feed.
        var: the variable's description.
        num_places: over how many devices the rows are divided.
    Returns:
        List of ints, or None.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> x = paddle.static.Program().global_block().create_var(name="x", shape=[-1, 3], dtype="float32")
        >>> tensor = core.LoDTensor()
        >>> tensor.set(np.ones((4, 2), "float32"), core.CPUPlace())
        >>> core.diff_tensor_shape(tensor, x.desc, 1)
        [4, 2]

    Follows Paddle 1.8 and 2.6.
    """
    shape, declared = tensor.shape(), var.shape()
    fits = len(shape) == len(declared) and all(d < 0 or d == n for d, n in zip(declared, shape))
    return None if fits else shape
