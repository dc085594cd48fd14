"""Gradients of a Program: `append_backward` and `gradients` write `<type>_grad` operators, as Paddle's do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from paddle_compat.core import _grad_facts, _recompute, mode, unique_name
from paddle_compat.core._grad_spec import GradSpec
from paddle_compat.core._grad_sums import add_up, fresh_names
from paddle_compat.core._grad_walk import all_specs, path_between, reachable_names, stopped_names
from paddle_compat.core._grad_writing import append
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import type_error
from paddle_compat.core.operator import GRAD_SUFFIX, OpRole
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.program import Block
from paddle_compat.core.variable import Variable


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
        loss: the Variable to differentiate; of several elements, their sum.
        parameter_list: parameters (or names) to return; default: all trainable ones.
        no_grad_set: Variables or names through which no gradient flows.
        callbacks: called as ``callback(block=..., context=...)`` after each gradient operator is appended.
        checkpoints: Variables or names to keep; what lies between them is computed again, which saves memory.
        distop_context: of no effect.
    Returns:
        Pairs (parameter, gradient) of the parameters that a gradient flows to; in scripts of Paddle 3 of all, the latest first, with
        None where no gradient flows. In 2.6, with checkpoints, a tuple of these pairs and the checkpoints' names.
    Raises:
        AssertionError: eager mode is on.
        TypeError: loss is no Variable, or another argument is of a wrong type.
        ValueError: the loss belongs to no operator.

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
    later = SINCE_3 and program.age > 1  # it names parameters without a gradient, too
    if loss.op is None and later:  # nothing made it
        named = {p if isinstance(p, str) else p.name: None for p in parameter_list or _kept(block)}
        return [(block._var_recursive(name), _seed(loss, None) if name == loss.name else None) for name in named]
    if loss.op is None:
        raise ValueError(
            f"Invalid value for argument `loss` of `append_backward`. Expected the output of an operator. Received: {loss.name}"
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
            **({"op_device": device} if (device := loss.op.attrs.get("op_device")) else {}),
        },
    )
    with program._backward_role_guard():
        kept = _recompute.checkpoint_names(block, checkpoints or ())
        grads = _differentiate(block, [loss], {}, no_grad, [seed], callbacks=callbacks, checkpoints=kept)
    if seed.outputs["Out"] == [loss.grad_name]:
        block.vars[loss.grad_name].shape = loss.shape  # whatever its operator fills
    if parameter_list is None:
        params: list[Any] = _kept(block) if later else [p for p in program.all_parameters() if p.trainable]
    else:
        asked = [p if isinstance(p, str) else p.name for p in parameter_list]
        # what has no gradient, or is not known, Paddle 2 passes over
        params = [block._var_recursive(name) for name in asked if name in grads or (later and block._find_var_recursive(name))]
    pairs: list[tuple[Variable, Variable | None]] = []
    for param in params:
        name = grads.get(param.name)
        if name is None:
            if later:
                pairs.append((param, None))
            continue
        grad = block.vars[name]
        pairs.append((param, grad))
        if grad.op is not None:
            former = grad.op.attrs.get("op_role_var") or []
            grad.op._set_attr("op_role_var", [param.name, grad.name, *former])
    if kept and program.age > 1:  # as the wheel returns them, whatever its signature says
        return pairs, kept  # type: ignore[return-value]
    return pairs


def _kept(block: Block) -> list[Variable]:
    """What a Program of Paddle 3 takes for its parameters, new ones first: optimizers' state, too."""
    return [v for v in reversed(block.vars.values()) if v.persistable and v.type == VarType.LOD_TENSOR]


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
        an empty list, in scripts of Paddle 3 None in one.
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
    weights = ([] if target_gradients is None else _list(target_gradients)) or [None] * len(targets)
    own = [weight for weight in weights if weight is not None]
    for name, values in (("targets", targets), ("inputs", inputs), ("target_gradients", own)):
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
    asked = dict(zip([target.name for target in reversed(targets)], reversed(weights)))
    if program.age > 1 and SINCE_3 and (len(targets) > 1 or any(v.name == targets[0].name for v in inputs)):
        targets = _ends(block, targets, inputs)
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
    if not (program.age > 1 and SINCE_3):
        return [] if found == [None] else found
    return [_seed(v, asked[v.name]) if grad is None and v.name in asked else grad for v, grad in zip(inputs, found)]


def _seed(target: Any, weight: Any) -> Any:
    """What the gradient of a target begins with, which Paddle 3 gives for a target that stops gradients, too."""
    if weight is not None:
        return weight
    block = target.block
    name = unique_name.generate(target.grad_name)
    made = block._add_var(name=name, dtype=target.dtype, shape=target.shape, stop_gradient=target.stop_gradient)
    block.append_op(
        type="fill_any_like", inputs={"X": [target]}, outputs={"Out": [made]}, attrs={"value": 1.0, "dtype": int(target.dtype)}
    )
    return made


def _ends(block: Block, targets: list[Any], inputs: list[Any]) -> list[Any]:
    """The targets, each of which no other one depends on: Paddle 3 adds up all gradients there, its older IR leaves some out."""
    read = {name for op in block.ops for name in op.input_arg_names} | {v.name for v in inputs}
    ends: dict[str, Any] = {}
    for target in targets:
        if target.name in read and target.name not in ends:
            name = unique_name.generate(f"{target.name}_target")
            ends[target.name] = block._add_var(name=name, dtype=target.dtype, shape=target.shape, stop_gradient=target.stop_gradient)
            block.append_op(type="assign", inputs={"X": [target]}, outputs={"Out": [ends[target.name]]})
    return [ends.get(target.name, target) for target in targets]


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _no_grad_names(block: Block, given: Iterable[Any] | None) -> set[str]:
    names = stopped_names(block)
    if not isinstance(given, (list, tuple, set, frozenset, type(None))):
        raise type_error("no_grad_set", "a set of Variables or names", given)
    for value in given or ():
        if not isinstance(value, (str, Variable)):
            raise type_error("no_grad_set", "Variables or names", value)
        names.add(value if isinstance(value, str) else value.name)
    return names


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
    live = {target.name for target in targets if target.name not in no_grad}  # the others hand nothing on
    given = {name: given[name] for name in live if name in given}
    if checkpoints and live:
        _recompute.seed_dropouts(block, _recompute.whole_path(block, targets[0].name, no_grad))
    path = path_between(block, [t.name for t in targets], no_grad, inputs)
    reachable = reachable_names(path, no_grad)
    specs = all_specs(path, live, reachable, given)
    if checkpoints and live:
        whole = _recompute.whole_path(block, targets[0].name, no_grad)
        specs = _recompute.recompute(block, whole, checkpoints, specs)
    program = block.program
    program._appending_grad_times += 1
    names = fresh_names(block, specs, given, "grad/" * program._appending_grad_times)
    for seed in seeds if inputs is None or program.age == 1 else ():  # gradients() of 2.x writes over what is there
        for name in seed.writes():
            if block.has_var(name) and name.endswith(GRAD_SUFFIX):
                names[name] = unique_name.generate(name)
                for spec in (*seeds, *specs):
                    spec.rename(spec.outputs, name, names[name])
                    spec.rename(spec.inputs, name, names[name])
    # gradients() of a target that another one is made from: what comes from there takes the seed's place
    specs = [*seeds, *add_up(specs, block.idx, placed_too=block.program.age > 1)]
    with _grad_facts.sorted_variables(block.program):
        append(block, specs, names, given, callbacks)
    if checkpoints and live:
        _recompute.leave_blocks(block, whole, checkpoints, specs)
    if not path:
        return {}
    made = {name for op in path for name in op.output_arg_names}
    read = {name for op in path for name in op.input_arg_names}
    # a target has a gradient of its own where the path makes it, or hands one to it
    seeded = {target.name for target in targets}
    found = (live - seeded) | (seeded & made) | (seeded & live & read)
    totals = {v: names.get(v + GRAD_SUFFIX, v + GRAD_SUFFIX) for v in found}
    return {v: g for v, g in totals.items() if g in block.vars}
