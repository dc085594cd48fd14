"""Gradients of a Program: `append_backward` and `gradients` write `<type>_grad` operators, as Paddle's do."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from paddle_compat.core import _recompute, mode, unique_name
from paddle_compat.core._grad_lods import lod_source
from paddle_compat.core._grad_spec import DROPPED, RECOMPUTED, GradSpec, copied_attributes, zero_spec
from paddle_compat.core._grad_sums import add_up, fresh_names
from paddle_compat.core._second_order import second_order, second_specs
from paddle_compat.core.dtype import VarType, is_float
from paddle_compat.core.errors import type_error
from paddle_compat.core.op import Op, find_op
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator, OpRole
from paddle_compat.core.program import Block
from paddle_compat.core.variable import Parameter, Variable

_regions = itertools.count(1)
# operators that Paddle's own code writes into a backward pass, not a copy of the forward operator's attributes
_OUTSIDE_SCOPES = frozenset(
    {"assign", "cast", "fill_any_like", "fill_constant", "fill_zeros_like", "increment", "py_func", "scale", "shape", "stack", "sum"}
)


def append_backward(
    loss: Variable,
    parameter_list: Sequence[Any] | None = None,
    no_grad_set: Iterable[Any] | None = None,
    callbacks: Sequence[Any] | None = None,
    checkpoints: Sequence[Any] | None = None,
    distop_context: Any = None,
) -> list[tuple[Variable, Variable | None]]:
    """Append the operators that compute the gradients of a loss.

    Args:
        loss: the Variable to differentiate, one element.
        parameter_list: parameters (or names) to return; default: all trainable ones.
        no_grad_set: Variables or names through which no gradient flows.
        callbacks: called as ``callback(block=..., context=...)`` after each gradient operator is appended.
        checkpoints: Variables or names to keep; what lies between them is computed again, which saves memory.
    Returns:
        Pairs (parameter, gradient) of the parameters that a gradient flows to. In 2.6, with checkpoints, a tuple of these
        pairs and the checkpoints' names.
    Raises:
        AssertionError: eager mode is on.
        TypeError: loss is no Variable, or another argument is of a wrong type.
        ValueError: the loss belongs to no operator, or has more than one element.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()):
        ...     x = paddle.static.data("x", [None, 4])
        ...     pairs = paddle.static.append_backward(paddle.mean(paddle.static.nn.fc(x, 2)))
        >>> [g.name for p, g in pairs]
        ['fc_0.w_0@GRAD', 'fc_0.b_0@GRAD']
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    mode.static_only("append_backward")
    if not isinstance(loss, Variable):
        raise type_error("loss", "a Variable", loss, "append_backward")
    if not isinstance(callbacks, (list, tuple, type(None))):
        raise type_error("callbacks", "a list of callables", callbacks, "append_backward")
    if not isinstance(parameter_list, (list, tuple, set, type(None))):
        raise type_error("parameter_list", "a list of parameters or names", parameter_list, "append_backward")
    for param in parameter_list or ():
        if not isinstance(param, (str, Variable)):
            raise type_error("parameter_list", "parameters or names", param, "append_backward")
    block = loss.block.program.global_block()
    program = block.program
    if loss.op is None:
        loss.op = next((op for op in reversed(block.ops) if loss.name in op.output_arg_names), None)
    if loss.op is None:
        raise ValueError(
            f"Invalid value for argument `loss` of `append_backward`. Expected the output of an operator. Received: {loss.name}"
        )
    if any(d not in (1, -1) for d in loss.shape):
        raise ValueError(
            f"Invalid value for argument `loss` of `append_backward`. Expected one element. Received: shape {list(loss.shape)}"
        )
    loss.op._set_attr("op_role", OpRole.Forward | OpRole.Loss)
    no_grad = _no_grad_names(block, no_grad_set)
    seed = GradSpec(
        "fill_constant",
        {},
        {"Out": [loss.grad_name]},
        {
            "shape": [1] if loss.shape else [],
            "value": 1.0,
            "dtype": int(loss.dtype),
            "force_cpu": False,
            "op_role": OpRole.Backward | OpRole.Loss,
        },
    )
    with program._backward_role_guard():
        kept = _recompute.checkpoint_names(block, checkpoints or ())
        grads = _differentiate(block, [loss], {}, no_grad, [seed], callbacks=callbacks, checkpoints=kept)
    block.vars[seed.outputs["Out"][0]].shape = loss.shape  # whatever its operator fills
    if parameter_list is None:
        params: list[Any] = [p for p in program.all_parameters() if p.trainable]
    else:
        asked = [p if isinstance(p, str) else p.name for p in parameter_list]
        params = [block._var_recursive(name) for name in asked if name in grads]  # Paddle passes over what it does not know
    pairs: list[tuple[Variable, Variable | None]] = []
    for param in params:
        name = grads.get(param.name)
        if name is None:
            continue
        grad = block.vars[name]
        pairs.append((param, grad))
        if isinstance(param, Parameter) and grad.op is not None:
            former = grad.op.attrs.get("op_role_var") or []
            grad.op._set_attr("op_role_var", [param.name, grad.name, *former])
    if kept and program.age > 1:  # as the wheel returns them, whatever its signature says
        return pairs, kept  # type: ignore[return-value]
    return pairs


def gradients(
    targets: Any, inputs: Any, target_gradients: Any = None, no_grad_set: Iterable[Any] | None = None
) -> list[Variable | None]:
    """Append the operators that compute the gradients of targets with respect to inputs.

    Args:
        targets: a Variable or list of Variables; several are summed.
        inputs: a Variable or list of Variables.
        target_gradients: one Variable (or None: ones) for each target.
        no_grad_set: Variables or names through which no gradient flows.
    Returns:
        One Variable for each input, None where the targets do not depend on it; of a single input that they do not depend on,
        an empty list.
    Raises:
        AssertionError: eager mode is on.
        TypeError, ValueError: the lists do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program()):
        ...     x = paddle.static.data("x", [None, 2])
        ...     x.stop_gradient = False
        ...     [g] = paddle.static.gradients(paddle.tanh(x), x)
        >>> g.name
        'x@GRAD'
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    mode.static_only("gradients")
    targets, inputs = _list(targets), _list(inputs)
    weights = _list(target_gradients) if target_gradients is not None else [None] * len(targets)
    for name, values in (("targets", targets), ("inputs", inputs)):
        for value in values:
            if not isinstance(value, Variable):
                raise type_error(name, "Variables", value, "gradients")
    if len(weights) != len(targets):
        raise ValueError(
            f"Invalid value for argument `target_gradients` of `gradients`. Expected {len(targets)}, one for each target. "
            f"Received: {len(weights)}"
        )
    if not targets:
        return [None] * len(inputs)
    block = targets[0].block
    program = block.program
    no_grad = _no_grad_names(block, no_grad_set)
    seeds, given = [], {}
    for target, weight in zip(targets, weights):
        if weight is not None:
            if tuple(weight.shape) != tuple(target.shape):
                raise ValueError(
                    f"Invalid value for argument `target_gradients` of `gradients`. Expected shape {list(target.shape)}. "
                    f"Received: {list(weight.shape)}"
                )
            given[target.name] = weight.name
        elif program.age > 1:
            attrs: dict[str, Any] = {"value": 1.0, "dtype": int(target.dtype)}
            seeds.append(GradSpec("fill_any_like", {"X": [target.name]}, {"Out": [target.grad_name]}, attrs))
        else:
            shape = f"{target.name}_shape"
            seeds.append(GradSpec("shape", {"Input": [target.name]}, {"Out": [shape]}))
            attrs = {"shape": list(target.shape), "value": 1.0, "dtype": int(target.dtype)}
            seeds.append(GradSpec("fill_constant", {"ShapeTensor": [shape]}, {"Out": [target.grad_name]}, attrs))
    with program._backward_role_guard():
        grads = _differentiate(block, targets, given, no_grad, seeds, [v.name for v in inputs])
    for target, seed in zip((t for t, w in zip(targets, weights) if w is None), seeds[1::2] if program.age == 1 else ()):
        # Paddle 1.8 infers nothing of a shape's dtype, and the seed's shape from the attribute
        block.vars[seed.inputs["ShapeTensor"][0]].dtype = VarType.BOOL
        block.vars[seed.outputs["Out"][0]].shape = target.shape
    found = [block.vars[grads[v.name]] if v.name in grads else None for v in inputs]
    return [] if found == [None] else found


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _stopped(block: Block) -> set[str]:
    """The variables of a block that no gradient flows through, in that block: the gradients inside a sub-block do not ask
    whether a variable from outside lets them through."""
    return {v.name for v in block.vars.values() if v.stop_gradient or (isinstance(v, Parameter) and not v.trainable)}


def _floats(var: Variable | None) -> bool:
    return var is not None and (is_float(var.dtype) or var.type == VarType.LOD_TENSOR_ARRAY)


def _no_grad_names(block: Block, given: Iterable[Any] | None) -> set[str]:
    names = _stopped(block)
    if not isinstance(given, (list, tuple, set, frozenset, type(None))):
        raise type_error("no_grad_set", "a set of Variables or names", given)
    for value in given or ():
        if not isinstance(value, (str, Variable)):
            raise type_error("no_grad_set", "Variables or names", value)
        names.add(value if isinstance(value, str) else value.name)
    return names


def _path(block: Block, targets: list[str], no_grad: set[str], inputs: list[str] | None) -> list[Operator]:
    """Operators between the inputs (None: anything) and the targets, in order."""
    ops = list(block.ops)
    if inputs:
        reached = set(inputs)
        kept = []
        for op in ops:
            if any(n in reached for n in op.input_arg_names) and grad_definition(op)[1] is not None:
                reached.update(n for n in op.output_arg_names if n not in no_grad)
                kept.append(op)
        ops = kept
    wanted = set(targets)
    path = []
    for op in reversed(ops):
        if any(n in wanted for n in op.output_arg_names) and grad_definition(op)[1] is not None:
            path.append(op)
            wanted.update(n for n in op.input_arg_names if n not in no_grad)
    return path[::-1]


def _differentiate(
    block: Block,
    targets: list[Variable],
    given: dict[str, str],
    no_grad: set[str],
    seeds: list[GradSpec],
    inputs: list[str] | None = None,
    callbacks: Sequence[Any] | None = None,
    checkpoints: list[str] | None = None,
) -> dict[str, str]:
    """Append the gradient operators; returns forward name -> name of its whole gradient."""
    if checkpoints:
        _recompute.seed_dropouts(block, _recompute.whole_path(block, targets[0].name, no_grad))
    path = _path(block, [t.name for t in targets], no_grad, inputs)
    reachable = _reachable(path, no_grad)
    live = {t.name for t in targets}
    specs = _all_specs(path, live, reachable, no_grad, given)
    if checkpoints:
        whole = _recompute.whole_path(block, targets[0].name, no_grad)
        specs = _recompute.recompute(block, whole, checkpoints, specs)
    program = block.program
    program._gradient_calls += 1
    names = fresh_names(block, specs, given, "grad/" * program._gradient_calls)
    for seed in seeds if inputs is None or program.age == 1 else ():  # gradients() of 2.x writes over what is there
        for name in seed.writes():
            if block.has_var(name) and name.endswith(GRAD_SUFFIX):
                names[name] = unique_name.generate(name)
                for spec in (*seeds, *specs):
                    spec.rename(spec.outputs, name, names[name])
                    spec.rename(spec.inputs, name, names[name])
    specs = add_up([*seeds, *specs], block.idx)
    _append(block, specs, names, given, callbacks)
    totals = {v: names.get(v + GRAD_SUFFIX, v + GRAD_SUFFIX) for v in live}
    totals.update(given)
    return {v: g for v, g in totals.items() if g in block.vars}


def _all_specs(
    path: list[Operator],
    live: set[str],
    reachable: set[str],
    no_grad: set[str],
    given: dict[str, str],
    around: Block | None = None,
) -> list[GradSpec]:
    """The gradient operators of a path, last operator first; `live` grows by the variables that get a gradient.

    `around` is the block they will be in, when it is not the path's own.
    """
    specs = []
    for op in reversed(path):
        if op.type == "increment" and op.block.idx > 0:
            # in a loop's gradient the counter runs back
            attrs = {"step": -op.attrs["step"], **{k: v for k, v in op.attrs.items() if k == "op_device" and v}}
            specs.append(GradSpec("increment", {"X": op.output("Out")}, {"Out": op.input("X")}, attrs))
            continue
        if not any(n in live for n in op.output_arg_names):
            continue
        made = grad_specs(op, live, reachable, given)
        for spec in made:
            if "_zero" in spec.attrs or not spec.type:
                continue
            spec.forward = op
            if "sub_block" in op.attrs:
                _body_gradients(op, spec, live, no_grad, around)
            for name in op.input_arg_names:
                if name + GRAD_SUFFIX in spec.writes():
                    live.add(name)
        specs.extend(made)
    return specs


def _body_gradients(op: Operator, spec: GradSpec, live: set[str], no_grad: set[str], around: Block | None) -> None:
    """Write the gradient operators of a sub-block into a block of their own; what has no gradient in there has none outside."""
    body: Block = op.attrs["sub_block"]
    program = body.program
    current = program.current_block_idx
    block = program._create_block((around or op.block).idx)
    block.forward_block_idx = body.idx
    program.current_block_idx = current
    stops = _stopped(body)
    # what the gradient is asked for; a recurrence, and a branch of 1.x before it drops some, differentiate all they write
    every = op.type == "recurrent" or (op.type == "conditional_block" and program.age == 1)
    outs = {n for n in op.output_arg_names if n in live or every}
    # a recurrence knows its states by other names inside: before a step and after it
    states = dict(zip(op.attrs.get("ex_states", []), op.attrs.get("states", [])))
    while True:
        inner_live = set(outs)
        on_path = {id(o) for o in _path(body, list(inner_live), stops, None)}
        # 1.8 runs all counters back, 2.x those that the path reads
        needed = {n for o in body.ops if id(o) in on_path or program.age == 1 for n in o.input_arg_names}
        path = [o for o in body.ops if id(o) in on_path or (o.type == "increment" and o.output("Out")[0] in needed)]
        inner = _all_specs(path, inner_live, _reachable(path, stops), stops, {}, block)
        written = {n for s in inner for n in s.writes()}
        # what one turn of a loop hands to the next has a gradient in the former turn too
        carried = {n for n in op.output_arg_names if n + GRAD_SUFFIX in written} if op.type == "while" else set()
        carried |= {after for before, after in states.items() if before + GRAD_SUFFIX in written}
        if carried <= outs:
            break
        outs |= carried
    behind = [o for o in _path(body, list(outs), set(), None) if id(o) not in on_path and "sub_block" not in o.attrs]
    inner = _with_dropped(inner, behind, body, stops)
    if op.type == "conditional_block" and program.age == 1:  # which still names the gradients of all outside
        inner = _following(inner, outs & live)
    spec.body = block, add_up(inner, body.idx, program.age)
    spec.attrs["sub_block"] = block
    for slot, names in spec.outputs.items() if op.type != "conditional_block" else ():
        inner_names = [b + GRAD_SUFFIX for b in states] if slot == "initial_states" + GRAD_SUFFIX else names
        spec.outputs[slot] = [n if i in written else EMPTY_VAR for n, i in zip(names, inner_names)]
    if op.type == "conditional_block" and program.age > 1:
        spec.outputs["Input" + GRAD_SUFFIX] = [
            n if n != EMPTY_VAR and _floats(op.block._var_recursive(name)) else EMPTY_VAR
            for n, name in zip(spec.outputs["Input" + GRAD_SUFFIX], op.inputs["Input"])
        ]
    if op.type == "recurrent":
        spec.inputs["step_scopes" + GRAD_SUFFIX] = list(op.outputs["step_scopes"])
    if op.type == "while":
        read = sorted(n for n in op.outputs["Out"] if n in outs)
        spec.inputs["Out" + GRAD_SUFFIX] = [n + GRAD_SUFFIX for n in read]
        spec.attrs["original_output_grad"] = [n + GRAD_SUFFIX for n in read]
        spec.attrs["_zeros"] = [n + GRAD_SUFFIX for n in read if n not in live]


def _with_dropped(specs: list[GradSpec], behind: list[Operator], body: Block, stops: set[str]) -> list[GradSpec]:
    """Put in the gradient operators behind variables that stop gradients, which the wheels write and drop again.

    Where what one writes is a part of a sum, zeros stand for it (see `add_up`).
    """
    order = {id(op): i for i, op in enumerate(body.ops)}
    dropped: list[tuple[int, GradSpec]] = []
    for op in reversed(behind):
        for spec in grad_specs(op, set(op.output_arg_names), _reachable(behind, stops), {}):
            if spec.type and "_zero" not in spec.attrs:
                spec.attrs[DROPPED] = True
                dropped.append((order[id(op)], spec))
    placed: list[GradSpec] = []
    for spec in specs:
        while spec.forward is not None and dropped and dropped[0][0] > order[id(spec.forward)]:
            placed.append(dropped.pop(0)[1])
        placed.append(spec)
    return placed + [spec for _, spec in dropped]


def _following(specs: list[GradSpec], asked: set[str]) -> list[GradSpec]:
    """Those of a block's gradient operators that the gradients of some of its variables lead to."""
    known = {n + GRAD_SUFFIX for n in asked}
    kept = []
    for spec in specs:
        if not known.isdisjoint(spec.reads()):
            kept.append(spec)
            known.update(spec.writes())
    return kept


def _reachable(path: list[Operator], no_grad: set[str]) -> set[str]:
    """Names that a gradient may be asked for: inputs of the path's operators that are not in `no_grad`."""
    return {n for op in path for n in op.input_arg_names} - no_grad


def grad_definition(op: Operator) -> tuple[Op | None, tuple[str, ...] | None]:
    """The definition whose gradient an operator has, and the slots that its gradient operator reads (None: no gradient).

    A gradient operator differentiates as the operator it belongs to: all its inputs are kept.
    """
    definition = find_op(op.type)
    if definition is not None:
        return definition, definition.grad_slots(op.block.program.age)
    return None, (tuple(op.inputs) if op.forward is not None else None)


def grad_specs(op: Operator, live: set[str], reachable: set[str], given: dict[str, str]) -> list[GradSpec]:
    """The gradient operators of one operator: its outputs in `live` have a gradient, that of its inputs in `reachable` is wanted."""
    definition, kept = grad_definition(op)
    if kept is None:
        return []
    second = second_order(op)
    if second is not None:
        return second_specs(op, second, live, reachable, given)

    def grad(name: str) -> str:
        return given.get(name, name + GRAD_SUFFIX)

    def wanted(slot: str, names: list[str]) -> list[str]:
        found = [n + GRAD_SUFFIX if n in reachable else EMPTY_VAR for n in names]
        is_list = definition is not None and (s := definition.slot(slot)) is not None and s.is_list
        return [] if not is_list and all(f == EMPTY_VAR for f in found) else found

    if definition is not None and definition.grad_maker is not None:
        grad_outs = {s: [grad(n) for n in names] for s, names in op.outputs.items()}
        grad_ins = {s: [n + GRAD_SUFFIX if n in reachable else "" for n in names] for s, names in op.inputs.items()}
        made = definition.grad_maker(op, grad_outs, grad_ins)
        if made is not None:
            specs = [GradSpec(*spec) for spec in made]
            specs = [s for s in specs if any(n not in ("", EMPTY_VAR) for n in s.writes())]
            if op.type in ("split", "unbind"):  # nothing may depend on some of the parts
                read = {n for s in specs for n in s.reads()}
                dead = [n for names in op.outputs.values() for n in names if n not in live and n + GRAD_SUFFIX in read]
                return [*(zero_spec(n, op.block.program.age) for n in dead), *specs]
            return specs
    differentiated = (
        [s[: -len(GRAD_SUFFIX)] for s in kept if s.endswith(GRAD_SUFFIX)]
        if definition is not None
        else list(op.outputs)
    )
    if not differentiated and definition is not None:
        differentiated = [definition.outputs[0].name]
    inputs = {
        s: list(op.inputs.get(s) or op.outputs.get(s) or [])
        for s in kept
        if definition is None or not s.endswith(GRAD_SUFFIX)
    }
    some = False
    zeros: list[GradSpec] = []
    absent: list[str] = []
    for slot in differentiated:
        alias = definition is not None and definition.slot(slot) is None
        names = op.outputs.get(definition.outputs[0].name if definition is not None and alias else slot, [])
        some = some or any(n in live for n in names)
        dead = [n for n in names if n not in live]
        inputs[slot + GRAD_SUFFIX] = [grad(n) if n in live else n + GRAD_SUFFIX for n in names]
        if op.block.program.age > 1 and "sub_block" in op.attrs:
            # zeros for what stops gradients; what merely is not needed stays unwritten
            own = op.block.vars
            stopped = [n for n in dead if n in own and own[n].stop_gradient] if op.type != "while" else []
            zeros += [zero_spec(n, 2) for n in stopped]
            absent += [n + GRAD_SUFFIX for n in dead if n not in stopped]
        elif op.block.program.age > 1:
            zeros += [zero_spec(n, 2) for n in dead]
        elif len(names) > 1 and "sub_block" in op.attrs:
            absent += [n + GRAD_SUFFIX for n in dead]
        elif len(names) > 1:
            zeros += [zero_spec(n, 1) for n in dead]
        elif dead:
            inputs[slot + GRAD_SUFFIX] = []
    outputs = {}
    for slot in op.inputs if definition is None else _grad_inputs(definition, op):
        outputs[slot + GRAD_SUFFIX] = wanted(slot, op.inputs[slot])
    if not some:
        return []
    if all(n == EMPTY_VAR for names in outputs.values() for n in names):
        # nobody wants what it would compute, but where it would stand decides where gradients are summed
        return [GradSpec("", inputs, {})]
    attrs = copied_attributes(op)
    if absent:
        attrs["_zeros"] = absent
    return [*zeros, GradSpec(definition.grad_type if definition else op.type + "_grad", inputs, outputs, attrs)]


def _grad_inputs(definition: Op, op: Operator) -> list[str]:
    return [s.name for s in definition.differentiable(op.block.program.age) if op.inputs.get(s.name)]


def _append(
    block: Block, specs: list[GradSpec], renamed: dict[str, str], given: dict[str, str], callbacks: Sequence[Any] | None
) -> None:
    region = next(_regions)
    originals = {new: old for old, new in renamed.items()}
    grad_to_var: dict[str, str] = {}
    owners = {grad: var for var, grad in given.items()}
    bases = {v.name + GRAD_SUFFIX: v.name for v in block.program.list_vars()}
    for spec in specs:
        for name in spec.writes() if RECOMPUTED not in spec.attrs else ():
            if name != EMPTY_VAR and (spec.forward is None or name not in spec.forward.input_arg_names):
                original = originals.get(name) or originals.get(name.rsplit("@RENAME@", 1)[0], name)
                base = original if original in bases else original.rsplit("@RENAME@", 1)[0]
                grad_to_var[name] = owners[name] = bases.get(base, base)
    for spec in specs:
        if RECOMPUTED in spec.attrs:
            _recompute.append_copy(block, spec)
            continue
        if spec.body is not None:
            _append_body(*spec.body)
        for name in spec.writes():
            if name != EMPTY_VAR and not block.has_var(name):
                forward = block._find_var_recursive(grad_to_var[name])
                _grad_variable(block, spec, name, forward)
        _hand_lods_on(block, spec)
        _empty_variable(block, spec)
        if spec.type in _OUTSIDE_SCOPES:
            spec.attrs["op_namescope"] = ""
        op = block.append_op(type=spec.type, inputs=spec.inputs or None, outputs=spec.outputs, attrs=spec.attrs)
        op.forward = spec.forward
        # what engine.regions needs to tell an untouched backward pass from an edited one
        op.attrs["_region"] = region
        op.attrs["_grads"] = {n: owners[n] for n in (*spec.reads(), *spec.writes()) if n in owners}
        op.attrs["_written"] = (tuple(op.input_arg_names), tuple(op.output_arg_names))
        for callback in () if spec.forward is None and spec.attrs.get("op_role", 0) & OpRole.Loss else callbacks or ():
            callback(block=block, context={"__current_op_desc__": op.desc, **grad_to_var})


def _append_body(block: Block, specs: list[GradSpec]) -> None:
    """The gradient operators of a sub-block; running them is the business of the operator that owns the block."""
    program = block.program
    forward = program.blocks[block.forward_block_idx]
    for spec in specs:
        if spec.body is not None:
            _append_body(*spec.body)
        for name in spec.writes():
            if name != EMPTY_VAR and block._find_var_recursive(name) is None:
                base = name.rsplit("@RENAME@", 1)[0].removesuffix(GRAD_SUFFIX)
                _grad_variable(block, spec, name, forward._find_var_recursive(base))
        _hand_lods_on(block, spec)
        _empty_variable(block, spec)
        if spec.type in _OUTSIDE_SCOPES:
            spec.attrs["op_namescope"] = ""
        op = Operator(block, spec.type, spec.inputs, spec.outputs, {**spec.attrs, "op_role": OpRole.Backward})
        op.forward = spec.forward
        block.ops.append(op)


def _hand_lods_on(block: Block, spec: GradSpec) -> None:
    """Give what a gradient operator writes the LoD levels that it hands on; ordinary operators and sub-blocks have rules of their own."""
    if spec.forward is None or spec.body is not None or find_op(spec.type) is not None:
        return
    for slot, names in spec.outputs.items():
        source = lod_source(spec.type, slot, block.program.age) if slot.endswith(GRAD_SUFFIX) else None
        sources = spec.inputs.get(source) or spec.forward.inputs.get(source, []) if source is not None else []
        for i, name in enumerate(names if slot.endswith(GRAD_SUFFIX) else []):
            var = None if name == EMPTY_VAR else block._find_var_recursive(name)
            given = block._find_var_recursive(sources[min(i, len(sources) - 1)]) if sources else None
            if var is not None:
                var.lod_level = given.lod_level if given is not None else 0


def _empty_variable(block: Block, spec: GradSpec) -> None:
    """Where a branch has inputs without a gradient, 2.x infers the type of the name that stands for these, as of a variable."""
    if spec.type != "conditional_block_grad" or block.program.age == 1:
        return
    for name, source in zip(spec.outputs["Input" + GRAD_SUFFIX], spec.inputs["Input"]):
        forward = block._find_var_recursive(source)
        if name == EMPTY_VAR and forward is not None:
            var = block._find_var_recursive(name) or block.create_var(name=name, shape=())
            var.dtype, var.type = forward.dtype, forward.type


def _grad_variable(block: Block, spec: GradSpec, name: str, forward: Variable | None) -> Variable:
    if forward is None:
        return block.create_var(name=name)
    return block.create_var(
        name=name,
        shape=forward.shape,
        dtype=forward.dtype,
        type=VarType.SELECTED_ROWS if _rows(block, spec, name) else forward.type,
        lod_level=forward.lod_level,
    )


def _rows(block: Block, spec: GradSpec, name: str) -> bool:
    """Whether a gradient is SelectedRows: that of a table that is looked up so, and sums of such."""
    if spec.type == "sum":
        return all(v is not None and v.type == VarType.SELECTED_ROWS for v in map(block._find_var_recursive, spec.reads()))
    sparse = spec.forward is not None and spec.forward.attrs.get("is_sparse")
    return bool(sparse) and name in spec.outputs.get("W" + GRAD_SUFFIX, [])
