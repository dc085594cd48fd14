"""The stage of a pipeline that a process runs: for each small batch forward and back, and then the update of what the stage has.

A section's operators for one small batch are lowered together, so that the backward pass is one autograd call. Their graph is then cut in
two where the backward pass begins: between both other batches go forward, as the schedule says. What the first half leaves to the second,
autograd's graph with it, are Python values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import fx

from paddle_compat.core.clone import copy_program
from paddle_compat.core.errors import NotFoundError, UnsupportedError, invalid_argument
from paddle_compat.core.operator import PLUMBING, Operator, OpRole
from paddle_compat.core.place import set_run_device
from paddle_compat.core.program import Program
from paddle_compat.core.rings import ring_of
from paddle_compat.core.scope import Scope
from paddle_compat.engine.culprit import explain
from paddle_compat.engine.executor import Prepared, _commit, _holder, feed_tensors, run_program, to_result
from paddle_compat.engine.processes import Agreed, compares, leave, message, watched
from paddle_compat.engine.readers import fed_by_readers
from paddle_compat.ops.collective_parts import group_with

_API = "fleet.DistributedStrategy.pipeline"
_under_way: list[tuple[Any, torch.Tensor]] = []  # what is being sent


def run_stage(
    program: Program, feed: Mapping[str, Any], fetches: Sequence[str], scope: Scope, device: torch.device, return_numpy: bool
) -> list[Any]:
    """Make one step of a pipeline: all small batches go forward and back through this process's stage, and what it has is updated.

    Args:
        program: the whole Program; its `_pipeline_opt` says which section this process runs.
        feed: a batch for each variable, of which the small batches are equal parts. What readers give are small batches.
        fetches: names; what this stage has not is left out. Of what is computed for each small batch the last one's is given.
        scope: where persistable variables live.
        device: where to run.
        return_numpy: numpy arrays, else LoDTensors.
    Raises:
        EOFException: a reader has not as many small batches left.
        ValueError: a batch has no as many equal parts.
        UnsupportedError: something has a LoD.
    """
    known = program.global_block().vars
    for name in fetches:
        if name not in known:
            raise NotFoundError(f"Invalid value for argument `fetch_list`. Expected variables of the program. Received: {name}")
    options = program._pipeline_opt
    assert options is not None
    section: Program = options["section_program"]
    stage = _kept(section)
    parts: int = options["num_microbatches"]
    given = _parts_of(section, feed, parts)
    batches = [fed_by_readers(section, given[number], scope) for number in range(parts)]
    own = [name for name in fetches if name in section.global_block().vars]
    run_program(stage.begin, {}, (), scope, device, return_numpy)
    try:
        turns = schedule(options["pipeline_stage"], options["num_pipeline_stages"], parts, options["schedule_mode"])
        found = stage.train(batches, turns, own, scope, device, return_numpy)
        _arrive()
        late = tuple(name for name in own if name not in found and not section.global_block().vars[name].persistable)
        values = run_program(stage.update, {}, late, scope, device, return_numpy)
    except Exception as error:
        _under_way.clear()
        leave(error)  # others wait for what does not come
        raise
    found.update(zip(late, values))
    return [found[name] if name in found else _state(scope, name, return_numpy) for name in own]


def schedule(stage: int, stages: int, parts: int, order: str) -> Iterator[tuple[bool, int]]:
    """The turns of a stage in a step: whether a small batch goes forward, and which one.

    Args:
        stage: the number of the stage; `stages`: how many there are.
        parts: how many small batches make a step.
        order: "1F1B", or "F-then-B".
    """
    ahead = parts if order == "F-then-B" else min(stages - stage - 1, parts)
    for number in range(parts + ahead):
        if number < parts:
            yield True, number
        if number >= ahead:
            yield False, number - ahead


class _Stage:
    """The Programs that a section is run as: what is done once at first, for each small batch, and at the end."""

    def __init__(self, section: Program) -> None:
        def part(*roles: bool) -> Program:
            once, update = roles
            made = copy_program(section, lambda op: op.block.idx > 0 or _is(op, once, update) and op.type not in PLUMBING)
            made._writes_in_place = False  # what is being sent must not change
            return made

        self.begin, self.each, self.update = part(True, False), part(False, False), part(False, True)
        self.outputs = {name for op in self.each.global_block().ops for name in op.output_arg_names}
        self._halves: dict[tuple[Any, ...], _Halves] = {}

    def train(
        self, batches: Sequence[Mapping[str, Any]], turns: Iterator[tuple[bool, int]], fetches: Sequence[str], scope: Scope,
        device: torch.device, return_numpy: bool,
    ) -> dict[str, Any]:  # fmt: skip
        """Let all small batches go forward and back; what is fetched of the last one, by name."""
        fed = [feed_tensors(self.each, batch) for batch in batches]
        kept = self.each.global_block().vars
        asked = [n for n in fetches if (n in self.outputs or n in fed[-1][0]) and not kept[n].persistable]
        waiting: dict[int, tuple[Any, ...]] = {}
        last = len(batches) - 1
        out: list[Any] = []
        for forward, number in turns:
            names, tensors, lods, _ = fed[number]
            if lods:
                raise UnsupportedError(_API, f"LoD of {lods}", "padded batches")
            halves = self._for(tuple(names), tuple(asked) if number == last else (), scope)
            if forward:
                waiting[number] = halves.forth(tensors, device)
            else:
                out = halves.back(tensors, device, waiting.pop(number), return_numpy)
        return dict(zip(asked, out))

    def _for(self, feeds: tuple[str, ...], fetches: tuple[str, ...], scope: Scope) -> _Halves:
        key = feeds, fetches, id(scope)
        found = self._halves.get(key)
        if found is None or found.prepared.scope is not scope:
            found = self._halves[key] = _Halves(Prepared(self.each, list(feeds), [], list(fetches), scope))
        return found


def _is(op: Operator, once: bool, update: bool) -> bool:
    if op.role & OpRole.LRSched:
        return once
    return bool(op.role & OpRole.Optimize) == update and not once


def _kept(section: Program) -> _Stage:
    """What a section is run as, made once for each version of it."""
    version, found = section._lowered.get("stage", (None, None))
    if version != section._edits:
        found = _Stage(section)
        section._lowered["stage"] = section._edits, found
    assert isinstance(found, _Stage)
    return found


class _Halves:
    """The lowered operators of one small batch, cut in two where the backward pass begins.

    Args:
        prepared: them, bound to a Scope.
    """

    def __init__(self, prepared: Prepared) -> None:
        self.prepared, lowered = prepared, prepared.lowered
        if lowered.lod_updates or any(lowered.fetches) or prepared.levels:
            raise UnsupportedError(_API, "variables with a LoD", "padded batches")
        nodes = list(lowered.graph.nodes)
        places = [node for node in nodes if node.op == "placeholder"]
        body = [node for node in nodes if node.op not in ("placeholder", "output")]
        cut = next((i for i, node in enumerate(body) if _is_backward(lowered.nodes.get(node.name))), len(body))
        first, second = body[:cut], {*body[cut:], nodes[-1]}
        taken = {node for node in first for node in node.all_input_nodes}
        live = [node for node in (*places, *first) if (node in taken or node.op != "placeholder") and not second.isdisjoint(node.users)]
        results = nodes[-1].args[0]
        count = len(results) - len(lowered.updates)
        early = {node: live.index(node) for node in live}
        # the values that are put away after the first half: where they are among what it leaves
        self.early = {name: early[node] for name, node in zip(lowered.updates, results[count:]) if node in early}
        self.late = {name: count + i for i, name in enumerate(lowered.updates) if name not in self.early}
        self.count = count
        graph, at = fx.Graph(), dict[fx.Node, fx.Node]()
        for node in (*places, *first):
            at[node] = _copied(graph, node, at, lowered.nodes)
        graph.output(tuple(at[node] for node in live))
        self.first = fx.GraphModule(lowered.root, graph, "Forward")
        graph, at = fx.Graph(), {}
        for node in places:
            at[node] = graph.node_copy(node)
        for number, node in enumerate(live):
            at[node] = graph.placeholder(f"left_{number}")
        for node in body[cut:]:
            at[node] = _copied(graph, node, at, lowered.nodes)
        graph.output(tuple(None if node is None else at[node] for node in results))
        self.second = fx.GraphModule(lowered.root, graph, "Backward")
        for half in (self.first, self.second):
            half.meta["nodes"] = lowered.nodes
            lowered.module.add_module(half._get_name(), half)  # where errors look for the operator that failed

    def forth(self, feed: Sequence[torch.Tensor], device: torch.device) -> tuple[Any, ...]:
        """Run what comes before the backward pass.

        Returns:
            What the second half needs: the values, and whether autograd records them.
        """
        left, records = self._run(self.first, feed, device, (), False)
        self._put_away(self.early, left, feed)
        return left, records

    def back(self, feed: Sequence[torch.Tensor], device: torch.device, left: tuple[Any, ...], return_numpy: bool) -> list[Any]:
        """Run the backward pass; gives what is fetched."""
        values, records = left
        out, _ = self._run(self.second, feed, device, values, records)
        self._put_away(self.late, out, feed)
        results: list[Any] = self.prepared._results(out[: self.count], return_numpy)
        return results

    def _run(self, half: Any, feed: Sequence[torch.Tensor], device: torch.device, left: Sequence[Any], records: bool) -> tuple[Any, bool]:
        prepared = self.prepared
        args = prepared._arguments(feed, (), device)
        was_on, former = torch.is_grad_enabled(), set_run_device(device)
        torch._C._set_grad_enabled(records)
        try:
            return half.forward(*args, *left), torch.is_grad_enabled()
        except Exception as error:
            raise explain(prepared.lowered, error, feed) from error
        finally:
            set_run_device(former)
            torch._C._set_grad_enabled(was_on)

    def _put_away(self, places: dict[str, int], values: Sequence[Any], feed: Sequence[torch.Tensor]) -> None:
        for name, place in places.items():
            _commit(_holder(self.prepared.scope, name), values[place], feed)
        self.prepared.scope._changes += bool(places)


def _is_backward(op: Operator | None) -> bool:
    return op is not None and bool(op.role & OpRole.Backward)


def _copied(graph: fx.Graph, node: fx.Node, at: dict[fx.Node, fx.Node], operators: Mapping[str, Operator]) -> fx.Node:
    """A node's copy; one that sends goes on before it has arrived."""
    twin = graph.node_copy(node, at.__getitem__)
    op = operators.get(node.name)
    if op is not None and op.type == "send_v2":
        twin.target = _send
    return twin


def _send(x: torch.Tensor, *, ring_id: int = 0, peer: int = 0, **attrs: Any) -> tuple[()]:
    """Send a tensor, and go on."""
    group = group_with(ring_of(ring_id), peer, "send_v2")
    x = x.detach().clone(memory_format=torch.contiguous_format)

    def start() -> Any:
        return torch.distributed.isend(x, group=group, group_dst=peer)

    with watched(group):
        begun = message(group, peer, True, x, start) if x.device.type == "cpu" and compares(group) else start()
    _under_way.append((begun, x))
    return ()


def _arrive() -> None:
    """Wait until all that was sent has arrived."""
    for begun, _ in _under_way:
        work = begun.wait() if isinstance(begun, Agreed) else begun
        if work is not None:
            with watched():
                work.wait()
    _under_way.clear()


def _parts_of(section: Program, feed: Mapping[str, Any], parts: int) -> list[dict[str, Any]]:
    """What is fed, cut into small batches."""
    names, tensors, lods, _ = feed_tensors(section, feed)
    if lods:
        raise UnsupportedError(_API, f"LoD of {lods}", "padded batches")
    found: list[dict[str, Any]] = [{} for _ in range(parts)]
    for name, tensor in zip(names, tensors):
        if not tensor.dim() or tensor.shape[0] % parts:
            expected = f"a batch of {parts} equal parts (accumulate_steps of pipeline_configs)"
            raise invalid_argument(f"feed[{name!r}]", expected, f"shape {list(tensor.shape)}", "Executor.run")
        for batch, piece in zip(found, tensor.chunk(parts)):
            batch[name] = piece
    return found


def _state(scope: Scope, name: str, return_numpy: bool) -> Any:
    found = scope.find_var(name)
    return None if found is None else to_result(found.tensor.value, found.tensor.lod_, return_numpy)
