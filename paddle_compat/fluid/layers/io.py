"""`fluid.layers.io`: where data comes in, and what goes to servers and comes from them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.block import Block
from paddle_compat.core.dtype import DTypeLike, VarType
from paddle_compat.core.errors import type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.program import default_main_program, default_startup_program
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layers._readers import create_py_reader_by_data, double_buffer, py_reader, read_file


def data(
    name: str,
    shape: Any,
    append_batch_size: bool = True,
    dtype: DTypeLike = "float32",
    lod_level: int = 0,
    type: VarType = VarType.LOD_TENSOR,
    stop_gradient: bool = True,
) -> Variable:
    """A variable to be fed; the batch dimension is put in front.

    Args:
        name: its name.
        shape: its dimensions, without the batch.
        append_batch_size: put -1 in front, unless the shape has a -1 already.
        dtype: data type.
        lod_level: number of sequence levels.
        type: kind of the variable.
        stop_gradient: no gradient for it.
    Returns:
        The Variable.
    Raises:
        TypeError: the name is no str, or the shape neither a list nor a tuple.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.data("x", [3]).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    if not isinstance(name, (str, bytes)):
        raise type_error("name", "str", name, "fluid.layers.data")
    if not isinstance(shape, (list, tuple)):
        raise type_error("shape", "list or tuple", shape, "fluid.layers.data")
    dims = [-1 if d is None else int(d) for d in shape]
    if any(d is None or int(d) < 0 for d in shape):
        append_batch_size = False
    if append_batch_size:
        dims = [-1, *dims]
    return feed_variable(name, dims, dtype, lod_level, type, stop_gradient, need_check_feed=False)


def load(out: Variable, file_path: str, load_as_fp16: bool | None = None) -> None:
    """Read a variable from its file when the Program runs.

    Args:
        out: the Variable that takes the value.
        file_path: the file, as `fluid.io.save_vars` writes one for each variable.
        load_as_fp16: convert to float16.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.load(fluid.layers.create_tensor("float32"), "folder/fc_0.w_0")

    Follows Paddle 1.8.
    """
    attrs: dict[str, Any] = {"file_path": file_path}
    if load_as_fp16 is not None:
        attrs["load_as_fp16"] = load_as_fp16
    LayerHelper("load", age=1).append_op(type="load", inputs={}, outputs={"Out": out}, attrs=attrs)


def feed_variable(
    name: str,
    shape: list[int],
    dtype: DTypeLike,
    lod_level: int,
    type: VarType,
    stop_gradient: bool,
    need_check_feed: bool,
) -> Variable:
    """The variable in the default main program; from then on that program follows Paddle 1.8."""
    if mode.settle_static():
        default_main_program().age = default_startup_program().age = 1
    return default_main_program().global_block()._add_var(
        name=name, shape=shape, dtype=dtype, type=type, stop_gradient=stop_gradient, lod_level=lod_level, is_data=True,
        need_check_feed=need_check_feed,
    )  # fmt: skip


_RPC = 4  # the role of operators that talk to servers


class ListenAndServ:
    """A server that is written by hand: whenever trainers have sent `inputs`, it runs the operators recorded inside `do`.

    Args:
        endpoint: "host:port" where it listens. Port 0 is a free one, which the file `paddle.PID.port` in `/tmp` tells.
        inputs: the names of what trainers send, or the Variables.
        fan_in: how many trainers there are.
        optimizer_mode: whether the operators update parameters; matters to `get_params_and_grads` alone.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.io import ListenAndServ
        >>> main = fluid.Program()
        >>> with fluid.program_guard(main):
        ...     y = main.global_block().create_var(name="y", shape=[2], dtype="float32")
        ...     server = ListenAndServ("127.0.0.1:6170", ["x"], optimizer_mode=False)
        ...     with server.do():
        ...         x = fluid.layers.data("x", [2], append_batch_size=False)
        ...         op = main.current_block().append_op("scale", {"X": x}, {"Out": y}, {"scale": 10.0})
        >>> [op.type for op in main.global_block().ops]
        ['listen_and_serv']

    Follows Paddle 1.8.
    """

    def __init__(self, endpoint: str, inputs: list[Any], fan_in: int = 1, optimizer_mode: bool = True) -> None:
        self.helper = LayerHelper("listen_and_serv", age=1)
        self.inputs, self.outputs = inputs, list[Any]()
        self.endpoint, self.fan_in, self.optimizer_mode = endpoint, fan_in, optimizer_mode

    @contextmanager
    def do(self) -> Iterator[None]:
        """Record what the server runs; its operator comes behind what is recorded there for the block around it.

        Returns:
            A context manager.
        """
        program = self.helper.main_program
        program._create_block()
        yield
        self.complete_op()
        program._rollback()

    def get_params_and_grads(self) -> tuple[list[Any], list[Any]]:
        """What the operators recorded so far update, and from what.

        Returns:
            Names of parameters and of their gradients; without `optimizer_mode` twice the Variables that the operators read.
        """
        params, grads = list[Any](), list[Any]()
        for op in self.helper.main_program.current_block().ops:
            if not self.optimizer_mode:
                params += [self.parent_block().var(name) for name in op.input_arg_names]
            elif "Param" in op.inputs and "Grad" in op.inputs:
                params += op.input("Param")
                grads += op.input("Grad")
        return params, grads if self.optimizer_mode else [*params]

    def parent_block(self) -> Block:
        """The block around the one that is being recorded.

        Returns:
            Block.
        Raises:
            AssertionError: there is none.
        """
        program = self.helper.main_program
        index = program.current_block().parent_idx
        assert index >= 0, "Expected to be inside `with server.do()`"
        return program.block(index)

    def complete_op(self) -> None:
        """Append the server's operator, as the end of `do` does."""
        attrs = {
            "endpoint": self.endpoint, "Fanin": self.fan_in, "optimize_blocks": [self.helper.main_program.current_block()],
            "distributed_mode": 0, "grad_to_block_id": [""],
        }  # fmt: skip
        self.parent_block().append_op("listen_and_serv", {"X": self.inputs}, {}, attrs)


def Send(endpoints: str, send_vars: list[Variable], dummy_output: Variable | list[Variable] | None = None, sync: bool = True) -> None:
    """Send variables to a server.

    Args:
        endpoints: "host:port" of the server of each variable, between commas.
        send_vars: the variables.
        dummy_output: what `Recv` takes as `dummy_input`, to say that it comes later.
        sync: this is all that the step sends.
    Raises:
        AssertionError: an argument is no list of Variables.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.io import Send
        >>> main = fluid.Program()
        >>> with fluid.program_guard(main):
        ...     Send("127.0.0.1:6170", [fluid.layers.data("x", [2])])
        >>> [op.type for op in main.global_block().ops]
        ['send', 'send_barrier']

    Follows Paddle 1.8.
    """
    servers, dummies = _as_told(endpoints, send_vars, "send_vars", dummy_output, "dummy_output")
    helper = LayerHelper("Send", age=1)
    helper.append_op("send", {"X": send_vars}, {"Out": dummies}, {"epmap": servers, "op_role": _RPC})
    if sync:
        helper.append_op("send_barrier", {"X": dummies}, {"Out": []}, {"endpoints": sorted(set(servers))})


def Recv(
    endpoints: str, get_vars: list[Variable], dummy_input: Variable | list[Variable] | None = None, sync: bool = True
) -> list[Variable]:
    """Receive variables from a server, as they are when it has run what was sent before.

    Args:
        endpoints: "host:port" of the server of each variable, between commas.
        get_vars: the variables.
        dummy_input: what `Send` had as `dummy_output`.
        sync: this is all that the step receives.
    Returns:
        The variables.
    Raises:
        AssertionError: an argument is no list of Variables.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.io import Recv
        >>> main = fluid.Program()
        >>> with fluid.program_guard(main):
        ...     found = Recv("127.0.0.1:6170", [fluid.layers.data("x", [2])])
        >>> [op.type for op in main.global_block().ops]
        ['recv', 'fetch_barrier']

    Follows Paddle 1.8.
    """
    servers, dummies = _as_told(endpoints, get_vars, "get_vars", dummy_input, "dummy_input")
    helper = LayerHelper("Recv", age=1)
    helper.append_op("recv", {"X": dummies}, {"Out": get_vars}, {"epmap": servers})
    if sync:
        helper.append_op("fetch_barrier", {}, {"Out": get_vars}, {"endpoints": sorted(set(servers))})
    return get_vars


def _as_told(endpoints: str, given: Any, name: str, dummy: Any, dummy_name: str) -> tuple[list[str], list[Variable]]:
    """The server of each variable, and the dummies as a list."""
    dummies = [] if dummy is None else [dummy] if isinstance(dummy, Variable) else dummy
    for what, value in ((name, given), (dummy_name, dummies)):
        assert type(value) is list, f"Invalid value for argument `{what}`. Expected a list of Variables. Received: {type(value).__name__}"
    return endpoints.split(","), dummies


__all__ = ["create_py_reader_by_data", "data", "double_buffer", "load", "py_reader", "read_file"]

__getattr__ = missing(__name__)
