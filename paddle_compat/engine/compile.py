"""Opt-in compilation through inductor: of a whole training step, and of a recorded function with its gradients.

Asked for by Paddle's own switches: `FLAGS_use_cinn`, `BuildStrategy.build_cinn_pass`, `to_static(backend="CINN")`. A graph is
compiled for the input shapes that it meets first, and for others when they come again. What cannot be compiled (values that decide
what runs, sequences, sparse gradients) runs as it does without, and a warning says so.
"""

from __future__ import annotations

import importlib
import operator
import os
import shutil
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import fx

from paddle_compat.core.errors import PreconditionNotMetError
from paddle_compat.core.op import find_op
from paddle_compat.core.rings import inside, ring_of
from paddle_compat.engine.joint import Traced, in_pieces
from paddle_compat.engine.lowering import Lowered
from paddle_compat.ops import _products

aten = torch.ops.aten


def need_compiler() -> None:
    """Raise unless there is a C++ compiler, without which inductor cannot build code for the CPU.

    Raises:
        PreconditionNotMetError: there is none.
    """
    named = os.environ.get("CXX")
    if not any(shutil.which(name) for name in ([named] if named else ["g++", "clang++", "c++", "g++-12", "g++-11"])):
        raise PreconditionNotMetError(
            "Compiling a Program (FLAGS_use_cinn, build_cinn_pass, backend='CINN') needs a C++ compiler. Expected `g++` or `clang++` on "
            f"the PATH, or the name of one in CXX. Received: {named or 'none'}"
        )


# torch 2.13's inductor loses `alpha` where it makes one addmm of an addition and a product
def _add(x: torch.Tensor, y: Any, *, alpha: float = 1) -> Any:
    return NotImplemented if alpha == 1 or not isinstance(y, torch.Tensor) else aten.add.Tensor(x, aten.mul.Tensor(y, alpha))


def _sub(x: torch.Tensor, y: Any, *, alpha: float = 1) -> Any:
    return NotImplemented if alpha == 1 or not isinstance(y, torch.Tensor) else aten.sub.Tensor(x, aten.mul.Tensor(y, alpha))


def _add_in_place(x: torch.Tensor, y: Any, *, alpha: float = 1) -> Any:
    return NotImplemented if alpha == 1 or not isinstance(y, torch.Tensor) else aten.copy_.default(x, _add(x, y, alpha=alpha))


def _sub_in_place(x: torch.Tensor, y: Any, *, alpha: float = 1) -> Any:
    return NotImplemented if alpha == 1 or not isinstance(y, torch.Tensor) else aten.copy_.default(x, _sub(x, y, alpha=alpha))


def _plain(x: torch.Tensor) -> bool:
    return x.dtype is torch.float32 and x.device.type == "cpu"


# The tanh that inductor calls takes three times as long as its exp; its expm1 is exp - 1, which small numbers are lost in.
_ODD = (-0.0057049873, 0.020639088, -0.053739715, 0.13331442, -0.3333328)  # tanh(x) / x - 1 by x squared, least error up to 0.625


def _tanh(x: torch.Tensor) -> Any:
    if not _plain(x):
        return NotImplemented
    size = aten.abs(x)
    square = aten.mul(size, size)
    part = aten.mul(square, _ODD[0])
    for factor in _ODD[1:]:
        part = aten.mul(aten.add(part, factor), square)
    near = aten.add(aten.mul(part, size), size)
    far = aten.rsub(aten.div(2.0, aten.add(aten.exp(aten.mul(size, 2.0)), 1.0)), 1.0)
    return aten.copysign(aten.where(aten.lt(size, 0.625), near, far), x)


def _expm1(x: torch.Tensor) -> Any:
    if not _plain(x):
        return NotImplemented
    half = _tanh(aten.mul(x, 0.5))
    return aten.where(aten.lt(aten.abs(x), 1.0), aten.div(aten.mul(half, 2.0), aten.rsub(half, 1.0)), aten.sub(aten.exp(x), 1.0))


_WRITTEN_OUT: dict[Any, Callable[..., Any]] = {
    aten.tanh.default: _tanh,
    aten.expm1.default: _expm1,
    aten.add.Tensor: _add,
    aten.sub.Tensor: _sub,
    aten.add_.Tensor: _add_in_place,
    aten.sub_.Tensor: _sub_in_place,
}
# Random numbers are drawn as without compilation; another memory layout makes convolutions slower to train; what is called tells
# layouts apart itself.
_OPTIONS = {"fallback_random": True, "layout_optimization": False, "size_asserts": False, "alignment_asserts": False}


def _start_autograd() -> None:
    # Tracing gives a torch that is built for GPUs, where there is none, devices that only pretend. The first backward pass starts a
    # thread for each device, and with such threads no forked process can run one: so the first comes before the devices.
    torch.ones((), requires_grad=True).backward()


def _patched() -> Any:
    _start_autograd()
    # as many threads as the one has that compiles: replicas share the cores
    options = {**_OPTIONS, "cpp.threads": torch.get_num_threads()}
    if _products.FASTER:
        options["post_grad_custom_post_pass"] = importlib.import_module("paddle_compat.engine.compiled_products").FasterProducts()
    return importlib.import_module("torch._inductor.config").patch(options)


# The backward pass of batch norm stays torch's own call on the CPU: inductor makes a large kernel for each of its shapes, which is slow to
# build and gains nothing. The forward pass gains. On a GPU both do (a ResNet-50's step takes 0.80 of torch's, and 1.18 with the call).
_WHOLE = (aten.native_batch_norm_backward.default,)
_LINEAR = torch.ops.mkldnn._linear_pointwise.default
_BUILDING = threading.Lock()


def _built(graph: fx.GraphModule, args: Sequence[Any]) -> Callable[..., Any]:
    """The graph, built by inductor, which keeps on disk what it builds: later processes find it there."""
    lowering = importlib.import_module("torch._inductor.lowering")
    # a table handed over would do, but nothing that was built with one is kept on disk
    table = importlib.import_module("torch._inductor.decomposition").decompositions
    compile_fx = importlib.import_module("torch._inductor.compile_fx").compile_fx
    guards, shapes = importlib.import_module("torch._guards"), importlib.import_module("torch.fx.experimental.symbolic_shapes")
    fake = importlib.import_module("torch._subclasses").FakeTensorMode
    mode = fake(shape_env=shapes.ShapeEnv(), static_shapes=True, allow_non_fake_inputs=True)  # nor is anything without a ShapeEnv
    # gradients are built now, too: at the first backward pass nothing of all this would hold
    at_once = importlib.import_module("torch._functorch.config").patch(force_non_lazy_backward_lowering=True)
    with _BUILDING, at_once, guards.tracing(guards.TracingContext(mode)):
        former, kept = dict(table), None
        try:
            table.update(_WRITTEN_OUT)
            for op in () if any(a.is_cuda for a in args) else _WHOLE:
                table.pop(op, None)
                if op not in lowering.lowerings:
                    lowering.make_fallback(op, warn=False)
            kept = lowering.lowerings.pop(_LINEAR, None)  # wants weights that never change
            lowering.make_fallback(_LINEAR, warn=False)
            # as tensors without values, whose sizes stay numbers: compile_fx makes symbols of real ones', for all that `mode` says
            run: Callable[..., Any] = compile_fx(graph, [mode.from_tensor(a, static_shapes=True) for a in args])
        finally:
            table.clear()
            table.update(former)
            lowering.lowerings.pop(_LINEAR, None)
            if kept is not None:
                lowering.lowerings[_LINEAR] = kept
    return run


def fold_constants(lowered: Lowered) -> None:
    """Compute now what depends on nothing that is fed or kept: what a number decides can then be traced."""
    values: dict[fx.Node, Any] = {}
    for node in list(lowered.graph.nodes):
        op = lowered.nodes.get(node.name)
        definition = find_op(op.type) if op is not None else None
        if node.op != "call_function" or definition is None or definition.random or definition.inplace or len(definition.returns) != 1:
            continue
        if any(source not in values for source in node.all_input_nodes):
            continue
        args, kwargs = fx.node.map_arg((node.args, node.kwargs), values.__getitem__)
        value = node.target(*args, **kwargs)
        if isinstance(value, torch.Tensor):
            values[node] = value
    for node, value in values.items():
        if any(user not in values for user in node.users):
            setattr(lowered.root, f"constant_{node.name}", value)
            with lowered.graph.inserting_before(node):
                made = lowered.graph.create_node("get_attr", f"constant_{node.name}")
            for user in [user for user in node.users if user not in values]:
                user.replace_input_with(node, made)
    for node in reversed(list(values)):
        lowered.graph.erase_node(node)
        lowered.nodes.pop(node.name, None)


def _layout(value: Any) -> Any:
    return (value.shape, value.stride(), value.dtype, value.device) if isinstance(value, torch.Tensor) and not value.is_sparse else None


def refused(lowered: Lowered, args: Sequence[Any], replicas: bool = False) -> str:
    """Why a graph cannot be compiled, by `replicas` that share it or for one; nothing where it may be."""
    if not all(isinstance(a, torch.Tensor) and not a.is_sparse for a in args):
        return "it takes sequences, arrays or sparse tensors"
    for op in lowered.nodes.values():
        if op.type in ("while", "conditional_block", "recurrent", "py_func", "print", "assert", "pylayer"):
            return f"what operator `{op.type}` does is only known when it runs"
        if op.attrs.get("ring_id") if op.type in _SUMS else op.type.startswith(("c_", "send_", "recv_", "partial_")):
            return f"ranks meet in operator `{op.type}`"
        definition = find_op(op.type) if replicas else None
        if definition is not None and definition.random and not op.attrs.get("is_test"):
            return f"replicas draw from generators of their own in operator `{op.type}`"
    return ""


_SUMS = ("c_allreduce_sum", "sync_batch_norm")  # which replicas make between the compiled pieces


MOST = 8  # shapes that one graph is compiled for


class _Compiled:
    """A graph that is compiled for each set of shapes of its inputs.

    The first set is compiled at once, another when it comes again: the last batch of a pass may be a smaller one.
    """

    def __init__(self, lowered: Lowered, plain: Callable[..., Any], what: str) -> None:
        need_compiler()
        self.lowered, self.plain, self.what = lowered, plain, what
        self.feeds = len(lowered.feeds)
        self.variants: dict[Any, Callable[..., Any]] = {}
        self.seen: set[Any] = set()  # what came without being compiled
        self.full = False
        self.shared = False  # by several replicas
        self.kept: Sequence[Any] = ()  # what was taken from the Scope last
        self.layout: Any = None

    def __call__(self, *args: Any) -> Any:
        return self.chosen(args)(*args)

    def chosen(self, args: Sequence[Any]) -> Callable[..., Any]:
        """What runs for arguments like these; made now, where they are to be compiled for."""
        kept = args[self.feeds :]
        if len(kept) != len(self.kept) or any(map(operator.is_not, kept, self.kept)):
            self.kept, self.layout = kept, tuple(map(_layout, kept))
        key = (tuple(map(_layout, args[: self.feeds])), self.layout, *self.more(args))
        return self.variants.get(key) or self._first(key, args)

    def more(self, args: Sequence[Any]) -> tuple[Any, ...]:
        """What else tells compiled forms apart."""
        return ()

    def _first(self, key: Any, args: Sequence[Any]) -> Callable[..., Any]:
        """What runs where there is no compiled form yet."""
        if len(self.variants) >= MOST:
            if not self.full:
                self.full = True
                reason = f"it is for {MOST} others already; feed batches of one shape, or pad them"
                warnings.warn(f"{self.what} is not compiled for more shapes and runs there as it does without ({reason}).", stacklevel=6)
            return self.plain
        if self.variants and key not in self.seen:
            self.seen.add(key)
            return self.plain
        run = self.variants[key] = self._made(args)
        return run

    def _made(self, args: Sequence[Any]) -> Callable[..., Any]:
        reason = refused(self.lowered, args, self.shared)
        if not reason:
            try:
                with _patched(), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    return self.compiled(args)
            except Exception as error:  # whatever tracing and compiling meet, the step can still run
                reason = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
                if type(error).__name__ == "GuardOnDataDependentSymNode":
                    reason = "the values of a Tensor decide what it does"
        warnings.warn(f"{self.what} is not compiled and runs as it does without ({reason}).", stacklevel=6)
        return self.plain

    def compiled(self, args: Sequence[Any]) -> Callable[..., Any]:
        """The compiled form for arguments like these."""
        raise AssertionError("every kind of graph has its own")


def rank_graph(graph: fx.GraphModule, args: Sequence[torch.Tensor]) -> Callable[..., Any]:
    """A process's own graph, in which its collectives are calls like any other, as one compiled call.

    Args:
        args: tensors like those that it will be called with.
    """
    need_compiler()
    try:
        with _patched(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _built(graph, args)
    except Exception as error:  # whatever compiling meets, the graph can still run
        reason = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        warnings.warn(f"A DistModel is not compiled and runs as it does without ({reason}).", stacklevel=4)
        return graph.forward


class CompiledStep(_Compiled):
    """A step of a Program, its backward pass and updates included, as one compiled graph.

    Args:
        lowered: a graph whose updates are not fused.
        fused: the same Program with fused updates, whose arguments and results are taken and given.
    """

    def __init__(self, lowered: Lowered, fused: Lowered) -> None:
        super().__init__(lowered, fused.module.forward, "A Program")
        fold_constants(lowered)
        sources = [*fused.feeds, *fused.feed_lods, *fused.states]
        own = [*lowered.feeds, *lowered.feed_lods, *lowered.states]
        self.picks = [sources.index(name) for name in own]  # where its arguments stand among those of the fused graph
        self.trained = frozenset(i for i, name in enumerate(own) if name in lowered.trained)
        results = len(lowered.fetches) + sum(lowered.fetches)
        # what only the fused updates advance in place: the powers of Adamax
        alone = [name for name in lowered.updates if name not in fused.updates]
        self.advanced = [(own.index(name), results + lowered.updates.index(name)) for name in alone]
        self.results = [*range(results), *(results + lowered.updates.index(name) for name in fused.updates)]

    def compiled(self, args: Sequence[Any]) -> Callable[..., Any]:
        """The compiled form for arguments like these."""
        make_fx = importlib.import_module("torch.fx.experimental.proxy_tensor").make_fx
        forward, trained, picks, results, advanced = self.lowered.module.forward, self.trained, self.picks, self.results, self.advanced
        fed = len(self.lowered.feeds) + len(self.lowered.feed_lods)

        def step(*values: torch.Tensor) -> Any:
            out = forward(*[v.detach().requires_grad_() if i in trained else v for i, v in enumerate(values)])
            for i, position in advanced:
                values[i].copy_(out[position])
            return out

        plain = [args[i].detach() for i in picks]
        with torch.no_grad(), inside(Traced(ring_of(0).size)):
            joint = make_fx(step, decomposition_table=_WRITTEN_OUT, tracing_mode="fake", _allow_non_fake_inputs=True)(*plain)
            run = in_pieces(joint, plain, _built)

        last: tuple[list[int], list[torch.Tensor]] = [], []  # where the states of the last call lie, and these without autograd's part

        def call(*values: torch.Tensor) -> tuple[Any, ...]:
            nonlocal last
            taken = [values[i] for i in picks]
            here = [v.data_ptr() for v in taken[fed:]]
            places, bare = last  # at once: replicas on other threads share this call
            if here != places:
                bare = [v.detach() for v in taken[fed:]]
                last = here, bare
            out = run(*[v.detach() if v.requires_grad else v for v in taken[:fed]], *bare)
            return tuple([out[i] for i in results])

        return call


class CompiledFunction(_Compiled):
    """A recorded function, and its gradients, each as a compiled graph.

    Args:
        lowered: the function's graph.
    """

    def __init__(self, lowered: Lowered) -> None:
        super().__init__(lowered, lowered.module.forward, "A function of to_static")

    def more(self, args: Sequence[Any]) -> tuple[Any, ...]:
        """Where gradients flow."""
        return torch.is_grad_enabled(), tuple(a.requires_grad for a in args if isinstance(a, torch.Tensor))

    def compiled(self, args: Sequence[Any]) -> Callable[..., Any]:
        """The compiled form for arguments like these."""
        source = self.lowered.module  # the compiler may change what it is given
        graph = fx.Graph()
        graph.output(graph.graph_copy(source.graph, {}))
        return _built(fx.GraphModule(source, graph), args)


__all__ = ["CompiledFunction", "CompiledStep", "need_compiler", "rank_graph"]
