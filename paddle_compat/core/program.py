"""Program: a recorded network, block by block, as Paddle's classic Programs; and the default ones."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from paddle_compat.core import unique_name
from paddle_compat.core.block import Block
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import missing_member, type_error
from paddle_compat.core.guards import device_guard, name_scope
from paddle_compat.core.job import Servers
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.variable import Parameter, Variable

_ids = itertools.count()


class Program:
    """A recorded network. Block 0 is the whole; further blocks are bodies of control flow.

    Attributes:
        random_seed: seed of the random operators recorded from now on (0: none).
        age: 1 when `paddle.fluid` (1.8) wrote it, 2 for `paddle.static` (2.x); names and gradient slots follow it.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> program = paddle.static.Program()
        >>> with paddle.static.program_guard(program, paddle.static.Program()), paddle.utils.unique_name.guard():
        ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 3)
        >>> [op.type for op in program.global_block().ops], program.num_blocks
        (['mul', 'elementwise_add'], 1)
        >>> program.current_block() is program.block(0)
        True
        >>> [p.name for p in program.all_parameters()], len(list(program.list_vars())), program.num_ops(), program.parameters_num()
        (['fc_0.w_0', 'fc_0.b_0'], 5, 2, 2)

    Follows Paddle 1.8 and 2.6.
    """

    _seed_of_new = 0
    # how it is run, which copies take over
    _RUN_SETTINGS = (
        "_bucket_bytes", "_compiles", "_fuses_updates", "_is_chief", "_iterations", "_kept_by_servers", "_parameters_on_pservers",
        "_ps_endpoint", "_servers", "_writes_in_place",
    )  # fmt: skip
    # what Paddle 1.8's transpilers tell of a job
    _is_chief = False
    _ps_endpoint: str | None = None
    _distributed_lookup_table: str | None = None
    _parameters_on_pservers: Any = None
    _enable_dgc = False  # whether an optimizer compresses its gradients

    def __init__(self) -> None:
        self.id = next(_ids)
        self.age = 2
        self.blocks = [Block(self, 0)]
        self.current_block_idx = 0
        self._name_generator = unique_name.UniqueNameGenerator()
        self._seed = self._seed_of_new
        self._edits = 0
        self._file_version: int | None = None  # which Paddle a file is to name, where `_set_version` said it
        self._given: Program | None = None  # what `desc` was set to, until `_sync_with_cpp`
        self._appending_grad_times = 0  # how often `append_backward` or `gradients` wrote to it
        self._op_role = OpRole.Forward
        self._op_role_var: list[str] = []
        self._writes_in_place = True  # whether activations may write over what nobody else reads
        self._compiles = False  # whether its steps are to be compiled
        self._compiled_as: tuple[int, Program] | None = None  # the copy that its CompiledPrograms run, and the version that it is of
        self._iterations = 1  # how many a run makes
        self._fuses_updates = True  # neighbours of one kind become one call
        self._held_once: frozenset[str] = frozenset()  # states that all replicas of a process share
        self._bucket_bytes: int | None = None  # how much of its gradients travels together; None: as much as is good
        self._servers: Servers | None = None  # whom its operators `send` to and `recv` from, or among whom it serves
        self._trainers_endpoints: list[str] = []
        self._is_distributed = False
        self._is_test = False
        self._kept_by_servers: Any = None  # what of it servers have, of a Program of their job
        self._fleet_opt: dict[str, Any] | None = None  # what `train_from_dataset` is told by a fleet
        self._pipeline_opt: dict[str, Any] | None = None  # what an Executor runs in its place, in the stages of a pipeline
        self._endpoints: list[str] = []
        self._lowered: dict[Any, Any] = {}  # engine.executor keeps what it made of this program here

    def _generated_name(self) -> str:
        """The name of a variable that nobody named: Programs of Paddle 2.x count theirs themselves, those of 1.8 with all other names."""
        return unique_name.generate(unique_name.TEMP_VAR_NAME) if self.age == 1 else self._name_generator(unique_name.TEMP_VAR_NAME)

    def _touch(self) -> None:
        self._edits += 1

    def _version(self) -> int:
        """Which Paddle a file of it is to name: 2006002 is 2.6.2."""
        version: int = self.desc._version()
        return version

    @property
    def random_seed(self) -> int:
        """The seed of random operators, 0 for none."""
        return self._seed

    @random_seed.setter
    def random_seed(self, seed: int) -> None:
        if not isinstance(seed, int):
            raise ValueError(f"Invalid value for argument `random_seed`. Expected an int. Received: {seed!r}")
        self._seed = seed
        self._touch()

    def global_seed(self, seed: int = 0) -> None:
        """Set the seed of random operators, of this Program and of those made from now on.

        Args:
            seed (int): 0 for none.

        Example:
            >>> import paddle_compat as paddle
            >>> program = paddle.static.Program()
            >>> program.global_seed(7)
            >>> program.random_seed, paddle.static.Program().random_seed
            (7, 7)
            >>> program.global_seed(0)

        Follows Paddle 2.6.
        """
        self.random_seed = Program._seed_of_new = seed

    @property
    def num_blocks(self) -> int:
        """How many blocks there are."""
        return len(self.blocks)

    def global_block(self) -> Block:
        """Block 0.

        Returns:
            Block.
        """
        return self.blocks[0]

    def block(self, index: int) -> Block:
        """The block of that index.

        Args:
            index (int): its number.
        Returns:
            Block.
        """
        return self.blocks[index]

    def current_block(self) -> Block:
        """The block that operators are appended to.

        Returns:
            Block: number 0, or the body of a loop or branch that is being recorded.
        """
        return self.blocks[self.current_block_idx]

    def _create_block(self, parent_idx: int | None = None) -> Block:
        block = Block(self, len(self.blocks), self.current_block_idx if parent_idx is None else parent_idx)
        self.blocks.append(block)
        self.current_block_idx = block.idx
        return block

    def _get_desc(self) -> Any:
        return self.desc

    @staticmethod
    def _construct_from_desc(desc: Any) -> Program:
        """A copy of the Program that a description shows."""
        return Program.parse_from_string(desc.serialize_to_string())

    def _rollback(self) -> None:
        self.current_block_idx = self.current_block().parent_idx

    def list_vars(self) -> Iterable[Variable]:
        """All variables of all blocks.

        Returns:
            Iterator of Variables; in scripts of Paddle 3 a list: first what is kept between runs, the last made before others.
        """
        found = (v for block in self.blocks for v in block.vars.values())
        if not (SINCE_3 and self.age > 1):
            return found
        variables = list(found)
        return [v for v in reversed(variables) if v.persistable] + [v for v in variables if not v.persistable]

    def num_ops(self) -> int:
        """How many operators there are in all blocks, as Paddle 3 counts them.

        Returns:
            int.
        """
        return sum(len(block.ops) for block in self.blocks)

    def parameters_num(self) -> int:
        """How many parameters there are, as Paddle 3 counts them.

        Returns:
            int.
        """
        return len(self.all_parameters())

    def all_parameters(self) -> list[Parameter]:
        """The parameters of all blocks.

        Returns:
            List of Parameters.
        """
        return [p for block in self.blocks for p in block.iter_parameters()]

    # ---- guards that put roles on the operators recorded inside
    @property
    def _current_role(self) -> int:
        """The role of what is recorded now, by the name that Paddle's transpilers use."""
        return self._op_role

    @_current_role.setter
    def _current_role(self, role: int) -> None:
        self._op_role = role

    @contextmanager
    def _role(self, role: int, role_var: list[Any] | None = None) -> Iterator[None]:
        former = self._op_role, self._op_role_var
        self._op_role = role
        if role_var is not None:
            self._op_role_var = [v if isinstance(v, str) else v.name for v in role_var]
        try:
            yield
        finally:
            self._op_role, self._op_role_var = former

    def _optimized_guard(self, param_and_grads: list[Any]) -> Any:
        return self._role(OpRole.Optimize, param_and_grads)

    def _backward_role_guard(self) -> Any:
        return self._role(OpRole.Backward)

    def _lr_schedule_guard(self, is_with_opt: bool = False) -> Any:
        return self._role(OpRole.LRSched | (OpRole.Optimize if is_with_opt else 0), [])

    # ---- copies
    def clone(self, for_test: bool = False) -> Program:
        """A copy; `for_test=True` leaves out backward and update, and puts operators into inference mode.

        Args:
            for_test (bool): leave out what trains.
        Returns:
            A new Program with variables and operators of the same names; parameters are shared through the Scope.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> main = paddle.static.Program()
            >>> with paddle.static.program_guard(main, paddle.static.Program()):
            ...     y = paddle.nn.functional.dropout(paddle.static.data("x", [None, 2]), 0.5)
            >>> [program.global_block().ops[0].attr("is_test") for program in (main, main.clone(for_test=True))]
            [False, True]
        """
        from paddle_compat.core.clone import clone_program

        return clone_program(self, for_test)

    def _prune(self, targets: Any) -> Program:
        from paddle_compat.core.clone import prune_program

        return prune_program(self, [], targets)

    def _prune_with_input(self, feeded_var_names: list[str], targets: Any) -> Program:
        from paddle_compat.core.clone import prune_program

        return prune_program(self, feeded_var_names, targets)

    def _inference_optimize(self, prune_read_op: bool = True) -> Program:
        from paddle_compat.core.clone import inference_optimize

        return inference_optimize(self, prune_read_op)

    def _remove_training_info(self, clip_extra: bool = True) -> Program:
        from paddle_compat.core.clone import clone_program

        new = clone_program(self, False)
        for var in new.list_vars():
            var.desc.clear_stop_gradient()
            var.desc.clear_is_parameter()
        return new

    def _copy_param_info_from(self, other: Program) -> None:
        from paddle_compat.core.clone import take_parameters

        take_parameters(self.global_block(), self._checked_source(other).all_parameters())

    def _copy_dist_param_info_from(self, other: Program) -> None:
        source = self._checked_source(other)
        self._is_distributed, self._endpoints = source._is_distributed, source._endpoints
        for name in ("_parameters_on_pservers", "_ps_endpoint", "_distributed_lookup_table"):
            setattr(self, name, getattr(source, name, None))

    def _copy_data_info_from(self, other: Program, pruned_origin_block_id_map: dict[int, int] | None = None) -> None:
        from paddle_compat.core.clone import take_data

        take_data(self, self._checked_source(other), pruned_origin_block_id_map or {})

    @staticmethod
    def _checked_source(other: Any) -> Program:
        if not isinstance(other, Program):
            raise type_error("other", "a Program", other)
        return other

    def to_fx(self, feed: Any = (), fetch_list: Any = (), scope: Any = None) -> Any:
        """The torch.fx.GraphModule that running this Program replays.

        Args:
            feed: names (or a dict) of the variables to be fed.
            fetch_list: Variables or names to be returned.
            scope: where persistable variables are looked up; default: the global scope.
        Returns:
            A GraphModule; `print(gm.code)` reads like the network, one node per operator, named after its output.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> main = paddle.static.Program()
            >>> with paddle.static.program_guard(main, paddle.static.Program()):
            ...     y = paddle.exp(paddle.static.data("x", [None, 2]))
            >>> print(main.to_fx(feed=["x"], fetch_list=[y]).code.strip())
            def forward(self, x):
                exp_0_tmp_0 = paddle_compat_ops_math_exp(x);  x = None
                return (exp_0_tmp_0,)
        """
        return import_module("paddle_compat.engine.executor").to_fx(self, feed, fetch_list, scope)

    # ---- files
    def state_dict(self, mode: str = "all", scope: Any = None) -> dict[str, Any]:
        """The values of parameters, and of what an optimizer keeps, in a scope.

        Args:
            mode (str): "param", "opt" or "all".
            scope (Scope): where the values are; None: the global scope.
        Returns:
            dict: name -> LoDTensor.
        Raises:
            TypeError: the mode is no string.
            ValueError: the mode is none of the three.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> main, startup = paddle.static.Program(), paddle.static.Program()
            >>> with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
            ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 3)
            >>> _ = paddle.static.Executor().run(startup)
            >>> {name: value.shape() for name, value in main.state_dict("param").items()}
            {'fc_0.w_0': [2, 3], 'fc_0.b_0': [3]}

        Follows Paddle 2.6.
        """
        from paddle_compat.core.program_state import state_dict

        return state_dict(self, mode, scope)

    def set_state_dict(self, state_dict: dict[str, Any], scope: Any = None) -> None:
        """Set the values in a scope of the variables that a state dict names.

        Args:
            state_dict (dict): name -> array or tensor; what does not fit is passed over with a warning.
            scope (Scope): where the values go; None: the global scope.
        Raises:
            TypeError: the state dict is no dict.

        Example:
            >>> import numpy as np, paddle_compat as paddle
            >>> paddle.enable_static()
            >>> main, startup = paddle.static.Program(), paddle.static.Program()
            >>> with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
            ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 3)
            >>> _ = paddle.static.Executor().run(startup)
            >>> main.set_state_dict({"fc_0.b_0": np.ones(3, "float32")})
            >>> main.all_parameters()[1].get_value().numpy().tolist()
            [1.0, 1.0, 1.0]

        Follows Paddle 2.6.
        """
        from paddle_compat.core.program_state import set_state_dict

        set_state_dict(self, state_dict, scope)

    @property
    def desc(self) -> Any:
        """The Program as Paddle's C++ description has it (a view with `serialize_to_string`, `block`)."""
        from paddle_compat.core.descs import ProgramDesc

        return ProgramDesc(self._given or self)

    @desc.setter
    def desc(self, desc: Any) -> None:
        self._given = desc._program

    def _sync_with_cpp(self) -> None:
        """Take over the blocks of the description that `desc` was set to; a view needs nothing more."""
        if self._given is not None:
            given, self._given = self._given, None
            self._take_blocks(given)

    def _take_blocks(self, other: Program) -> None:
        """Become what a copy of another Program is."""
        self.blocks, self.age = other.clone().blocks, other.age
        for block in self.blocks:
            block.program = self
        self._touch()

    @staticmethod
    def parse_from_string(binary_str: bytes) -> Program:
        """The Program in the bytes of a `__model__` or `.pdmodel` file.

        Args:
            binary_str (bytes): what `desc.serialize_to_string()` gives.
        Returns:
            Program.
        Raises:
            ValueError: the bytes are no Program.

        Example:
            >>> import paddle_compat as paddle
            >>> data = paddle.static.Program().desc.serialize_to_string()
            >>> paddle.static.Program.parse_from_string(data).num_blocks
            1
        """
        from paddle_compat.core.serialize import program_from_bytes

        return program_from_bytes(binary_str)

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """Its description, as protobuf's text.

        Args:
            throw_on_error (bool): of no effect.
            with_details (bool): add what only Python knows of the variables.
        Returns:
            str.
        Raises:
            AssertionError: an argument is not a bool.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.static.Program().to_string(True).splitlines()[:3]
            ['blocks {', '  idx: 0', '  parent_idx: -1']
        """
        from paddle_compat.core.text import check_bools, program_text

        check_bools("Program", throw_on_error, with_details)
        return program_text(self, with_details)

    def _to_readable_code(self, skip_op_callstack: bool = True) -> str:
        return "\n".join(b._to_readable_code(skip_op_callstack) for b in self.blocks) + "\n"

    def __repr__(self) -> str:
        return self.to_string(True) if self.age == 1 else self._to_readable_code()

    __str__ = __repr__

    if not TYPE_CHECKING:  # the type checker is to see what is missing
        __getattr__ = missing_member("paddle.static.Program")


# ---- the default programs
_main_program = Program()
_startup_program = Program()
if os.environ.get("PADDLE_COMPAT_VERSION", "").startswith("1."):  # the script is one of 1.8 before it has recorded anything
    _main_program.age = _startup_program.age = 1


def default_main_program() -> Program:
    """The Program that operators are recorded into.

    Returns:
        Program.

    Example:
        >>> import paddle_compat as paddle
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     paddle.static.default_main_program() is main
        True

    Follows Paddle 1.8 and 2.6.
    """
    return _main_program


def default_startup_program() -> Program:
    """The Program that parameter initialisation is recorded into.

    Returns:
        Program.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.static.default_startup_program().num_blocks
        1

    Follows Paddle 1.8 and 2.6.
    """
    return _startup_program


def switch_main_program(program: Program) -> Program:
    """Make a Program the default main one.

    Args:
        program (Program): takes the operators from now on.
    Returns:
        Program: the former one.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import switch_main_program
        >>> mine = paddle.static.Program()
        >>> former = switch_main_program(mine)
        >>> switch_main_program(former) is mine
        True

    Follows Paddle 1.8 and 2.6.
    """
    global _main_program
    former, _main_program = _main_program, program
    return former


def switch_startup_program(program: Program) -> Program:
    """Make a Program the default startup one.

    Args:
        program (Program): takes the parameters' initialisation from now on.
    Returns:
        Program: the former one.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.framework import switch_startup_program
        >>> mine = paddle.static.Program()
        >>> former = switch_startup_program(mine)
        >>> switch_startup_program(former) is mine
        True

    Follows Paddle 1.8 and 2.6.
    """
    global _startup_program
    former, _startup_program = _startup_program, program
    return former


@contextmanager
def program_guard(main_program: Program, startup_program: Program | None = None) -> Iterator[None]:
    """Record into these Programs inside the block.

    Args:
        main_program: takes the operators and variables.
        startup_program: takes the parameters' initialisation; None keeps the current one.
    Returns:
        A context manager.
    Raises:
        TypeError: an argument is no Program.

    Example:
        >>> import paddle_compat as paddle
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     paddle.static.default_main_program() is main
        True

    Follows Paddle 1.8 and 2.6.
    """
    for name, program in (("main_program", main_program), ("startup_program", startup_program)):
        if not isinstance(program, Program) and (program is not None or name == "main_program"):
            raise TypeError(
                f"Invalid type for argument `{name}` of `program_guard`. Expected Program. Received: {type(program).__name__}"
            )
    former_main = switch_main_program(main_program)
    former_startup = switch_startup_program(startup_program) if startup_program is not None else None
    try:
        yield
    finally:
        switch_main_program(former_main)
        if former_startup is not None:
            switch_startup_program(former_startup)


__all__ = [
    "Block", "OpRole", "Operator", "Parameter", "Program", "VarType", "Variable", "default_main_program",
    "default_startup_program", "device_guard", "name_scope", "program_guard",
]  # fmt: skip
