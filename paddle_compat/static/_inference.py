"""Inference Programs: what leads from fed to fetched variables, cut out of a network."""

from __future__ import annotations

import warnings

from paddle_compat.core.attribute_variables import reads
from paddle_compat.core.clone import drop_blocks
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.op import definition_of
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.variable import Variable


def scaled_targets(program: Program, targets: list[Variable]) -> list[Variable]:
    """Append an operator for each target that hands it on: what is fetched has a name of its own."""
    scale = definition_of("scale")
    scaled = []
    with program_guard(program):
        for i, var in enumerate(targets):
            if not isinstance(var, Variable) or (program.age == 2 and var.dtype == VarType.BOOL):
                scaled.append(var)
                continue
            helper = LayerHelper("scale", age=program.age, name=f"save_infer_model/scale_{i}")
            scaled.append(scale(var, scale=1.0, _helper=helper))
    return scaled


def inference_program(program: Program, feeds: list[str], targets: list[Variable], prune: bool = True) -> Program:
    """Cut out what leads from the feeds to the targets, in inference mode, with operators that feed and fetch.

    Args:
        program: a network, trained or not; an operator that hands it on is appended for each target.
        feeds: names of the variables that will be fed.
        targets: the variables that will be fetched.
        prune: whether to leave out what the targets do not need.

    Returns:
        A new Program.

    Raises:
        ValueError: a feed is not needed for the targets.
    """
    for op in program.global_block().ops:
        op.attrs.pop("op_device", None)
        if op.type == "auc":
            warnings.warn("Set the states of `auc` to zero before an inference model is saved.", stacklevel=4)
    targets = scaled_targets(program, targets)
    names = [var if isinstance(var, str) else var.name for var in targets]
    new = program.clone()
    block = new.global_block()
    block.ops = [op for op in block.ops if op.type not in ("feed", "fetch")]
    if prune:
        new = new._prune_with_input(feeds, names)
    new = new._inference_optimize(prune_read_op=True)
    for b in new.blocks:
        b.forward_block_idx = -1
    drop_blocks(new)
    _append_feeds_and_fetches(new, feeds, names)
    return new


def _append_feeds_and_fetches(program: Program, feeds: list[str], targets: list[str]) -> None:
    block = program.global_block()
    read = {name for b in program.blocks for op in b.ops for name in reads(op)} | set(targets)
    for i, name in enumerate(feeds):
        if name not in read or not block.has_var(name):
            expected = f"a variable that the targets {targets} depend on"
            raise invalid_argument(f"feed_vars[{i}]", expected, repr(name))
    prepend_feeds(program, feeds)
    append_fetches(program, targets)


def prepend_feeds(program: Program, feeds: list[str], holder: str = "feed") -> None:
    """Put an operator for each variable that is fed in front of a Program, the last one first."""
    block = program.global_block()
    if feeds:
        source = block._add_var(name=holder, type=VarType.FEED_MINIBATCH, persistable=True)
    for i, name in enumerate(feeds):
        outputs = {"Out": [block.var(name)]}
        block._prepend_op(type="feed", inputs={"X": [source]}, outputs=outputs, attrs={"col": i})


def append_fetches(program: Program, targets: list[str], holder: str = "fetch") -> None:
    """Put an operator for each variable that is fetched behind a Program."""
    block = program.global_block()
    place = block._add_var(name=holder, type=VarType.FETCH_LIST, persistable=True)
    for i, name in enumerate(targets):
        block.append_op(type="fetch", inputs={"X": [name]}, outputs={"Out": [place]}, attrs={"col": i})


def feed_and_fetch(program: Program) -> tuple[list[str], list[Variable]]:
    """The names that an inference Program is fed, and the variables that it gives, each in order."""
    block = program.global_block()
    feeds = sorted((op.attr("col"), op.output("Out")[0]) for op in block.ops if op.type == "feed")
    fetches = sorted((op.attr("col"), op.input("X")[0]) for op in block.ops if op.type == "fetch")
    return [name for _, name in feeds], [block.var(name) for _, name in fetches]
