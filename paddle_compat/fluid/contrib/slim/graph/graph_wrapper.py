"""`paddle.fluid.contrib.slim.graph.graph_wrapper`: a Program as a graph of operators and variables, which names what goes in and out."""

from __future__ import annotations

import copy
import math
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.operator import Operator
from paddle_compat.core.place import Place
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.scope import Scope
from paddle_compat.core.variable import Parameter, Variable
from paddle_compat.fluid import io
from paddle_compat.fluid.compiler import BuildStrategy, CompiledProgram
from paddle_compat.fluid.executor import Executor

# which updates count as such in Paddle 1.8: neither sgd nor ftrl nor lamb
_UPDATES = frozenset("momentum lars_momentum adagrad adam adamax dpsgd decayed_adagrad adadelta rmsprop".split())
_PARAMETERS = "__params__"


class VarWrapper:
    """A variable of a graph; two are equal where their names are.

    Args:
        var (Variable): the variable.
        graph (GraphWrapper): its graph.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.graph import GraphWrapper
        >>> with fluid.program_guard(fluid.Program()):
        ...     double = fluid.data("x", [None, 2]) * 2
        ...     graph = GraphWrapper(fluid.default_main_program())
        >>> var = graph.var("x")
        >>> var.name(), var.shape(), [op.type() for op in var.inputs()], var.outputs()
        ('x', (-1, 2), ['scale'], [])
        >>> var.set_shape([4, 2])
        >>> graph.program.global_block().var("x").shape
        (4, 2)

    Follows Paddle 1.8.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, var: Variable, graph: GraphWrapper) -> None:
        self._var, self._graph = var, graph

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VarWrapper) and self._var.name == other._var.name

    def name(self) -> str:
        """The name.

        Returns:
            str.
        """
        return self._var.name

    def shape(self) -> tuple[int, ...]:
        """The declared shape.

        Returns:
            tuple of int.
        """
        return tuple(self._var.shape)

    def set_shape(self, shape: Iterable[int]) -> None:
        """Declare another shape.

        Args:
            shape (list): the numbers of elements, -1 for what a run tells.
        """
        self._var.desc.set_shape(list(shape))

    def inputs(self) -> list[OpWrapper]:
        """The operators that read it.

        Returns:
            list of OpWrapper.
        """
        return [op for op in self._graph.ops() if self in op.all_inputs()]

    def outputs(self) -> list[OpWrapper]:
        """The operators that write it.

        Returns:
            list of OpWrapper.
        """
        return [op for op in self._graph.ops() if self in op.all_outputs()]


class OpWrapper:
    """An operator of a graph; two are equal where their places in it are.

    Args:
        op (Operator): the operator.
        graph (GraphWrapper): its graph.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.graph import GraphWrapper
        >>> with fluid.program_guard(fluid.Program()):
        ...     double = fluid.data("x", [None, 2]) * 2
        ...     (op,) = GraphWrapper(fluid.default_main_program()).ops()
        >>> op.idx(), op.type(), op.attr("scale"), op.inputs("X")[0].name(), op.is_bwd_op(), op.is_opt_op()
        (0, 'scale', 2.0, 'x', False, False)
        >>> op.all_inputs() == op.inputs("X"), op.all_outputs() == op.outputs("Out")
        (True, True)
        >>> op.set_attr("scale", 3.0)
        >>> op.attr("scale")
        3.0

    Follows Paddle 1.8.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, op: Operator, graph: GraphWrapper) -> None:
        self._op, self._graph = op, graph

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpWrapper) and self._op is other._op

    def all_inputs(self) -> list[VarWrapper]:
        """What it reads.

        Returns:
            list of VarWrapper, slot by slot in the order of the slots' names.
        """
        return [var for slot in sorted(self._op.input_names) for var in self.inputs(slot)]

    def all_outputs(self) -> list[VarWrapper]:
        """What it writes.

        Returns:
            list of VarWrapper, slot by slot in the order of the slots' names.
        """
        return [var for slot in sorted(self._op.output_names) for var in self.outputs(slot)]

    def idx(self) -> int:
        """Its place among the operators of its block.

        Returns:
            int.
        """
        return self._op.idx

    def type(self) -> str:
        """The operator's type.

        Returns:
            str.
        """
        return self._op.type

    def is_bwd_op(self) -> bool:
        """Whether its type ends in `_grad`.

        Returns:
            bool.
        """
        return self.type().endswith("_grad")

    def is_opt_op(self) -> bool:
        """Whether it updates a parameter; sgd, ftrl and lamb don't count, as in Paddle 1.8.

        Returns:
            bool.
        """
        return self.type() in _UPDATES

    def inputs(self, name: str) -> list[VarWrapper]:
        """What it reads in a slot.

        Args:
            name (str): the slot.
        Returns:
            list of VarWrapper.
        Raises:
            core.EnforceNotMet: there is no such slot.
        """
        return [self._graph.var(n) for n in self._op.input(name)]

    def outputs(self, name: str) -> list[VarWrapper]:
        """What it writes in a slot.

        Args:
            name (str): the slot.
        Returns:
            list of VarWrapper.
        Raises:
            core.EnforceNotMet: there is no such slot.
        """
        return [self._graph.var(n) for n in self._op.output(name)]

    def set_attr(self, key: str, value: Any) -> None:
        """Change an attribute.

        Args:
            key (str): its name.
            value: its value.
        """
        self._op._set_attr(key, value)

    def attr(self, name: str) -> Any:
        """An attribute.

        Args:
            name (str): its name.
        Returns:
            its value.
        Raises:
            core.EnforceNotMet: there is no such attribute.
        """
        return self._op.attr(name)


class GraphWrapper:
    """A Program as a graph of operators and variables.

    Args:
        program (Program): the Program; None: a new one.
        in_nodes (list): pairs of a name of one's own and the variable's name, or a dict: what is fed.
        out_nodes (list): the same for what is fetched; `loss` or `cost` is what is trained.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.slim.graph import GraphWrapper
        >>> startup = fluid.Program()
        >>> with fluid.program_guard(fluid.Program(), startup):
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 6]), 7))
        ...     graph = GraphWrapper(fluid.default_main_program(), [("x", "x")], [("loss", loss.name)])
        >>> [op.type() for op in graph.ops()], graph.numel_params(), graph.flops()
        (['mul', 'elementwise_add', 'mean'], 49, 84)
        >>> weight, shift = graph.all_parameters()
        >>> graph.is_parameter(weight), graph.is_persistable(graph.var("x")), weight in graph.vars()
        (True, False, True)
        >>> multiply, add, _ = graph.ops()
        >>> graph.pre_ops(add) == [multiply], graph.next_ops(multiply) == [add], graph.get_param_by_op(add) == [shift]
        (True, True, True)
        >>> trained = graph.get_optimize_graph(fluid.optimizer.Adam(), fluid.CPUPlace(), fluid.global_scope())
        >>> trained.compile()
        >>> trained.ops()[-1].is_opt_op(), len(graph.clone(for_test=True).ops())
        (True, 3)

        What is kept in files, and the shapes of what was pruned:

        >>> import tempfile
        >>> from paddle_compat.fluid.contrib.slim.graph import SlimGraphExecutor
        >>> executor, folder = SlimGraphExecutor(fluid.CPUPlace()), tempfile.mkdtemp()
        >>> executor.exe.run(startup)
        []
        >>> graph.save_persistables(folder, executor)
        >>> graph.load_persistables(folder, executor)
        >>> graph.save_model(folder, executor)
        >>> graph.save_infer_model(folder, executor, (["x"], [loss.name]))
        >>> graph.update_param_shape(fluid.global_scope())
        >>> graph.update_groups_of_conv()
        >>> graph.infer_shape()

        Two graphs become one:

        >>> with fluid.program_guard(fluid.Program()):
        ...     double = fluid.data("x", [None, 6]) * 2
        ...     graph.merge(GraphWrapper(fluid.default_main_program()))
        >>> len(graph.ops())
        4

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        program: Program | None = None,
        in_nodes: Mapping[str, str] | Sequence[tuple[str, str]] = [],
        out_nodes: Mapping[str, str] | Sequence[tuple[str, str]] = [],
    ) -> None:
        self.program = Program() if program is None else program
        self.in_nodes, self.out_nodes = OrderedDict(in_nodes), OrderedDict(out_nodes)
        self.persistables = _persistables(self.program)
        self.teacher_persistables: dict[str, Variable] = {}
        self.compiled_graph: CompiledProgram | None = None

    def all_parameters(self) -> list[VarWrapper]:
        """The parameters.

        Returns:
            list of VarWrapper.
        """
        return [VarWrapper(var, self) for block in self.program.blocks for var in block.all_parameters()]

    def is_parameter(self, var: VarWrapper) -> bool:
        """Whether a variable is a parameter.

        Args:
            var (VarWrapper): the variable.
        Returns:
            bool.
        """
        return isinstance(var._var, Parameter)

    def is_persistable(self, var: VarWrapper) -> bool:
        """Whether a variable keeps its value between runs.

        Args:
            var (VarWrapper): the variable.
        Returns:
            bool.
        """
        return bool(var._var.persistable)

    def compile(self, for_parallel: bool = True, for_test: bool = False, mem_opt: bool = False) -> None:
        """Have it run as a CompiledProgram from now on.

        Args:
            for_parallel (bool): on all devices.
            for_test (bool): nothing is trained.
            mem_opt (bool): activations may be written over.
        Raises:
            KeyError: it is to be trained on all devices and names no loss.
        """
        compiled = CompiledProgram(self.program)
        if for_parallel:
            strategy = BuildStrategy()
            strategy.enable_inplace = strategy.memory_optimize = mem_opt
            loss = None if for_test else self.out_nodes["loss"]
            compiled = compiled.with_data_parallel(loss_name=loss, build_strategy=strategy)
        self.compiled_graph = compiled

    def ops(self) -> list[OpWrapper]:
        """The operators, block by block.

        Returns:
            list of OpWrapper.
        """
        return [OpWrapper(op, self) for block in self.program.blocks for op in block.ops]

    def vars(self) -> list[VarWrapper]:
        """The variables.

        Returns:
            list of VarWrapper.
        """
        return [VarWrapper(var, self) for var in self.program.list_vars()]

    def var(self, name: str) -> VarWrapper:
        """A variable of the first block.

        Args:
            name (str): its name.
        Returns:
            VarWrapper.
        Raises:
            ValueError: there is no such variable.
        """
        return VarWrapper(self.program.global_block().var(name), self)

    def clone(self, for_test: bool = False) -> GraphWrapper:
        """A graph of a copy of the Program.

        Args:
            for_test (bool): without what trains.
        Returns:
            GraphWrapper.
        """
        return GraphWrapper(self.program.clone(for_test), self.in_nodes, self.out_nodes)

    def merge(self, graph: GraphWrapper) -> None:
        """Add the variables and operators of another graph; what has one name is one variable.

        Args:
            graph (GraphWrapper): the other one, a teacher's.
        """
        block = self.program.global_block()
        for var in graph.program.list_vars():
            copied = block._clone_variable(var, force_persistable=False)
            copied.stop_gradient = var.stop_gradient
            if copied.persistable:
                self.teacher_persistables[copied.name] = copied
        for op in (op for other in graph.program.blocks for op in other.ops):
            inputs = {slot: [block.var(n) for n in op.input(slot)] for slot in op.input_names}
            outputs = {slot: [block.var(n) for n in op.output(slot)] for slot in op.output_names}
            block.append_op(type=op.type, inputs=inputs, outputs=outputs, attrs=op.all_attrs())

    def pre_ops(self, op: OpWrapper) -> list[OpWrapper]:
        """The operators that write what one reads.

        Args:
            op (OpWrapper): the one.
        Returns:
            list of OpWrapper, each once for every such variable.
        """
        read = op.all_inputs()
        return [other for other in self.ops() for var in other.all_outputs() if var in read]

    def next_ops(self, op: OpWrapper) -> list[OpWrapper]:
        """The operators that read what one writes.

        Args:
            op (OpWrapper): the one.
        Returns:
            list of OpWrapper, each once for every such variable.
        """
        written = op.all_outputs()
        return [other for other in self.ops() for var in other.all_inputs() if var in written]

    def get_param_by_op(self, op: OpWrapper) -> list[VarWrapper]:
        """The parameters that an operator reads.

        Args:
            op (OpWrapper): the operator.
        Returns:
            list of VarWrapper.
        Raises:
            AssertionError: it reads none.
        """
        found = [var for var in op.all_inputs() if self.is_parameter(var)]
        if not found:
            raise AssertionError(f"Invalid value for argument `op`. Expected an operator that reads a parameter. Received: {op.type()}")
        return found

    def numel_params(self) -> int:
        """How many elements the parameters have.

        Returns:
            int.
        """
        return sum(math.prod(var.shape()) for var in self.all_parameters())

    def get_optimize_graph(self, optimizer: Any, place: Place, scope: Scope, no_grad_var_names: Sequence[str] = []) -> GraphWrapper | None:
        """A graph that trains a copy of the Program; what the optimizer keeps gets its first values.

        Args:
            optimizer (Optimizer): how to train it.
            place (Place): the device.
            scope (Scope): where the values are.
            no_grad_var_names (list): names of variables that get no gradients.
        Returns:
            GraphWrapper; None where it names neither `loss` nor `cost`.
        """
        graph = self.clone()
        target = next((graph.out_nodes[name] for name in ("loss", "cost") if name in graph.out_nodes), None)
        if target is None:
            return None
        startup = Program()
        with program_guard(graph.program, startup):
            _unused(optimizer).minimize(graph.var(target)._var, no_grad_set=set(no_grad_var_names))
        graph.persistables = _persistables(graph.program)  # with what the optimizer keeps
        Executor(place).run(startup, scope=scope)
        return graph

    def flops(self, only_conv: bool = False) -> float:
        """How many additions and multiplications one sample takes.

        Args:
            only_conv (bool): of convolutions alone.
        Returns:
            float: those of convolutions (of one image), pooling, products of matrices, relu, sigmoid and batch norm.
        """
        counted = _COUNTS if not only_conv else {kind: _COUNTS[kind] for kind in ("conv2d", "depthwise_conv2d")}
        return sum(counted[op.type()](op) for op in self.ops() if op.type() in counted)

    def save_model(self, path: str, exe: Any) -> None:
        """Save it as an inference model, all inputs and outputs of it: `__model__` and `__params__`.

        Args:
            path (str): the folder.
            exe (SlimGraphExecutor): runs what saves.
        """
        outputs = [self.var(name)._var for name in self.out_nodes.values()]
        io.save_inference_model(path, list(self.in_nodes.values()), outputs, exe.exe, self.program.clone(), "__model__", _PARAMETERS)

    def save_infer_model(self, path: str, exe: Any, in_out: tuple[list[str], list[str]], program_only: bool = False) -> None:
        """Save what some outputs need as an inference model: `__model__.infer` and `__params__`.

        Args:
            path (str): the folder.
            exe (SlimGraphExecutor): runs what saves.
            in_out (tuple): the names of the variables that are fed, and of those that are fetched.
            program_only (bool): without the values of parameters.
        """
        outputs = [self.var(name)._var for name in in_out[1]]
        io.save_inference_model(
            path, list(in_out[0]), outputs, exe.exe, self.program.clone(), "__model__.infer", _PARAMETERS, program_only=program_only
        )

    def save_persistables(self, path: str, exe: Any) -> None:
        """Save what keeps its value between runs, each variable to a file of its name.

        Args:
            path (str): the folder.
            exe (SlimGraphExecutor): runs what saves.
        """
        io.save_vars(exe.exe, path, self.program, vars=self._own_persistables())

    def load_persistables(self, path: str, exe: Any) -> None:
        """Load what keeps its value between runs, and take over the shapes of parameters.

        Args:
            path (str): the folder.
            exe (SlimGraphExecutor): runs what loads.
        """
        io.load_vars(exe.exe, path, self.program, vars=self._own_persistables(path))

    def _own_persistables(self, path: str | None = None) -> list[Variable]:
        """Those that are no teacher's, and that a folder has a file of."""
        own = [var for name, var in self.persistables.items() if name not in self.teacher_persistables]
        return [var for var in own if path is None or not os.path.isdir(path) or os.path.exists(os.path.join(path, var.name))]

    def update_param_shape(self, scope: Scope) -> None:
        """Declare the shapes that the parameters' values have.

        Args:
            scope (Scope): where the values are.
        """
        for param in self.all_parameters():
            found = scope.find_var(param.name())
            if found is not None:
                param.set_shape(found.get_tensor().shape())

    def infer_shape(self) -> None:
        """Infer the shapes of what operators write anew, from those of what they read.

        Raises:
            core.EnforceNotMet: an operator cannot take what it reads.
        """
        for block in self.program.blocks:
            for op in block.ops:
                if op.type != "conditional_block":
                    op.desc.infer_shape(block.desc)

    def update_groups_of_conv(self) -> None:
        """Give convolutions of each channel by itself as many groups as they have filters."""
        for op in self.ops():
            if op.type() in ("depthwise_conv2d", "depthwise_conv2d_grad"):
                op.set_attr("groups", op.inputs("Filter")[0].shape()[0])


def _unused(optimizer: Any) -> Any:
    """A copy of an optimizer that has trained nothing, so that it can train another graph with parameters of the same names."""
    new = copy.copy(optimizer)
    new.__dict__.update({name: copy.copy(value) for name, value in vars(optimizer).items() if isinstance(value, dict)})
    return new


def _persistables(program: Program) -> dict[str, Variable]:
    return {var.name: var for var in program.list_vars() if var.persistable}


def _of_convolution(op: OpWrapper) -> float:
    filters, image = op.inputs("Filter")[0].shape(), op.outputs("Output")[0].shape()
    # the filter has the channels of a group, which are divided by the groups once more, as in Paddle 1.8
    return 2 * math.prod(image[-2:]) * filters[0] * (math.prod(filters[2:]) * (filters[1] / op.attr("groups")))


def _of_pooling(op: OpWrapper) -> float:
    return math.prod(op.outputs("Out")[0].shape()[1:]) * math.prod(op.attr("ksize"))


def _of_product(op: OpWrapper) -> float:
    left, right = op.inputs("X")[0].shape(), op.inputs("Y")[0].shape()
    return 2 * (1 if left[0] == -1 else left[0]) * left[1] * right[1]


def _of_elements(op: OpWrapper) -> float:
    shape = op.inputs("X")[0].shape()
    return math.prod((1 if shape[0] == -1 else shape[0], *shape[1:]))


_COUNTS: dict[str, Callable[[OpWrapper], float]] = {
    "conv2d": _of_convolution, "depthwise_conv2d": _of_convolution, "pool2d": _of_pooling, "mul": _of_product,
    "relu": _of_elements, "sigmoid": _of_elements, "batch_norm": _of_elements,
}  # fmt: skip

__all__ = ["GraphWrapper", "OpWrapper", "VarWrapper"]

__getattr__ = missing(__name__)
