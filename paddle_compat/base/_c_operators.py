"""What `paddle._C_ops` and `paddle._legacy_C_ops` hand out: operators called by position, made from one list of their arguments.

`_c_operators.txt` lists them (`scripts/list_c_operators.py`), `_c_operators_paddle3.txt` those that
Paddle 3 has besides. A name that ends in an underscore and is no operator of its own is the form in place of the one without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch

from paddle_compat._alias import since
from paddle_compat._missing import unsupported
from paddle_compat.core import by_slots, gpu_only, mode
from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.op import Op, definition_of, find_op
from paddle_compat.core.place import Place
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable

VALUES = Tensor, Variable
Signature = tuple[str, tuple[str, ...], tuple[str, ...]]  # operator, arguments, outputs
# where phi's attribute has a name of its own; what is None follows from the inputs
_RENAMED = {
    ("cast", "dtype"): "out_dtype", ("increment", "value"): "step", ("mish", "lambda"): "threshold", ("one_hot_v2", "num_classes"): "depth",
    ("range", "dtype"): None,
}  # fmt: skip
# functions that are a form of another operator, or spell one's slots otherwise, and what that calls them
_FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "chunk_eval": ("chunk_eval", {"F1_Score": "F1-Score"}), "merged_adam_": ("merged_adam", {}),
    "set_value_with_tensor": ("set_value", {"@Values": "@ValueTensor"}),
}  # fmt: skip
# what Paddle 2.0 to 2.4 gave in another order
_FORMER_OUTPUTS = {"rnn": ("DropoutState", "Reserve", "Out", "State")}
_FORMER_PREFIX = "final_state_"  # of the operators that are phi's, while `_C_ops` held both
_OF_KERNELS = ("use_cudnn", "use_mkldnn")  # attributes that choose a kernel, which Paddle 2.0 to 2.3 told operators
_REDUCTIONS = "reduce_all"
_RUNNING = {"MeanOut": "Mean", "VarianceOut": "Variance"}  # statistics that move on where they lie
_PUBLIC = {  # name -> that of the function
    **{name: name for name in (
        "as_strided", "cummax", "cummin", "empty_like", "i0", "i0e", "i1", "i1e", "index_put", "index_put_", "nextafter", "ones",
        "ones_like", "polygamma", "tril", "tril_", "tril_indices", "triu", "triu_", "triu_indices", "zeros", "zeros_like",
    )},
    "assign_out_": "assign", "repeat_interleave_with_tensor_index": "repeat_interleave", "split_with_num": "split",
    "tensor_unfold": "unfold", "view_dtype": "view", "view_shape": "view",
}  # fmt: skip


@cache
def signatures(kind: str) -> dict[str, Signature]:
    """Name -> signature of the functions of one kind: legacy or phi."""
    found: dict[str, Signature] = {}
    lists = (Path(__file__).with_name(name).read_text() for name in ("_c_operators.txt", "_c_operators_paddle3.txt"))
    for line in "".join(lists).splitlines():
        of_kind, name, *words = line.split()
        if of_kind == kind:
            middle = words.index("=")
            operator, taken = (name, words[:middle]) if kind == "legacy" else (words[0], words[1:middle])
            operator, slots = _FORMS.get(operator, (operator, {}))
            inputs, outputs = (tuple(slots.get(word, word) for word in part) for part in (taken, words[middle + 1 :]))
            found[name] = operator, inputs, outputs
    return found


def hand_out(module: str, kind: str, names: dict[str, Any]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a module of operators.

    Args:
        module: its `__name__`.
        kind: legacy or phi.
        names: its dictionary, where what was made stays.
    """

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        made: Any = function(kind, name)
        made = made or gpu_only.refusing("_C_ops", name)
        if made is None:
            raise unsupported(module, name)
        names[name] = made
        return made

    def __dir__() -> list[str]:
        here = {name for name, (type, *_) in signatures(kind).items() if find_op(type) is not None}
        return sorted(({*names, *here} | (_PUBLIC.keys() if kind == "phi" else set())) - {"hand_out"})

    return __getattr__, __dir__


def function(kind: str, name: str) -> Callable[..., Any] | None:
    """The function of that name; None where Paddle or this package has none."""
    known = signatures(kind)
    if kind == "phi" and name.startswith(_FORMER_PREFIX):
        return function(kind, name.removeprefix(_FORMER_PREFIX))
    if name in known and find_op(known[name][0]) is not None:
        return _named(name, _legacy(name) if kind == "legacy" else _of_both(name))
    if name.endswith("_") and name[:-1] in known:
        plain = function(kind, name[:-1])
        makes = kind == "phi" and not any(word.startswith("@") for word in known[name[:-1]][1])
        return None if plain is None else _named(name, _filling(plain) if makes else _in_place(name, plain))
    return None if kind == "legacy" else _public(name) or function("legacy", name) or _gradient(name)


def _gradient(name: str) -> Callable[..., Any] | None:
    from paddle_compat.base import _c_gradients

    made = _c_gradients.function(name)
    return None if made is None else _named(name, made)


def _named(name: str, made: Callable[..., Any]) -> Callable[..., Any]:
    made.__name__ = made.__qualname__ = name
    made.__doc__ = f"The operator {name}, its inputs and attributes by position."
    return made


def _tensors(name: str, position: int, slot: str, value: Any, is_list: bool = False) -> Any:
    """An input as it is, or ValueError."""
    right = isinstance(value, (list, tuple)) and all(isinstance(v, VALUES) for v in value) if is_list else isinstance(value, VALUES)
    if value is None or right:
        return value
    expected = "list of Tensors" if is_list else "Tensor"
    raise invalid_argument(slot, f"a {expected} (position {position})", type(value).__name__, name)


def results(found: dict[str, Any], outputs: Sequence[str]) -> Any:
    """What a call gives: the one output, or a tuple, with empty Tensors for those that serve gradients alone."""
    several = tuple(found[slot] if found.get(slot) is not None else Tensor(torch.zeros(0)) for slot in outputs)
    return several[0] if len(several) == 1 else several


def pairs(name: str, rest: Sequence[Any]) -> dict[str, Any]:
    """Attributes from names and values in turn."""
    if len(rest) % 2:
        raise invalid_argument("args", "names of attributes and their values in turn, an even number", f"{len(rest)}: {list(rest)!r}", name)
    return dict(zip(rest[::2], rest[1::2]))


def run(name: str, operator: str, slots: Sequence[str], values: Sequence[Any], attrs: dict[str, Any], outputs: Sequence[str]) -> Any:
    """Run an operator whose slots, inputs first, get these values; those of outputs take the results."""
    definition = definition_of(operator)
    kinds = {slot.name: slot for slot in definition.inputs}
    inputs = {slot: _tensors(name, n, slot, v, kinds[slot].is_list) for n, (slot, v) in enumerate(zip(slots, values)) if slot in kinds}
    for needed in definition.inputs:
        if not needed.optional and inputs.get(needed.name) is None:
            raise invalid_argument(needed.name, "a list of Tensors" if needed.is_list else "a Tensor", "None", name)
    if _in_program(inputs.values()):
        targets = {slot: value for slot, value in zip(slots, values) if slot not in kinds and value is not None}
        return _record(definition, inputs, attrs, outputs, targets)
    found = by_slots.call(operator, inputs, attrs, outputs)
    for slot, target in zip(slots, values):
        if slot not in kinds and slot in found:
            for one, new in zip(*((v if isinstance(v, (list, tuple)) else [v]) for v in (target, found[slot]))):
                if isinstance(one, Tensor) and new is not None:
                    by_slots.store(one, new._t)
                    found[slot] = target
    return results(found, outputs)


def _in_program(values: Iterable[Any]) -> bool:
    """Whether a call is recorded: Paddle 3 takes Variables, and in static mode it records what takes no tensors, too."""
    flat = [v for value in values for v in (value if isinstance(value, (list, tuple)) else [value]) if v is not None]
    return any(isinstance(v, Variable) for v in flat) or (not flat and mode.is_static() is True and since("3"))


def _record(definition: Op, inputs: dict[str, Any], attrs: dict[str, Any], outputs: Sequence[str], targets: dict[str, Any]) -> Any:
    """Append the operator to the Program; what it writes over an input, it writes over that Variable."""
    for slot, source in definition.inplace.items():
        if inputs.get(source) is not None:
            targets.setdefault(slot, inputs[source])
    known = {k: v for k, v in attrs.items() if k in definition.attrs or k in definition.required}
    definition(*by_slots.arguments(definition, inputs), _outputs=targets, **known)
    block = default_main_program().current_block()
    lists = {slot.name for slot in definition.outputs if slot.is_list}
    written = block.ops[-1]
    made = {slot: [block.var(name) for name in written.output(slot)] if slot in written.output_names else [] for slot in outputs}
    several = tuple(found if slot in lists else found[0] if found else None for slot, found in made.items())
    return several[0] if len(several) == 1 else several


def _legacy(name: str) -> Callable[..., Any]:
    operator, taken, outputs = signatures("legacy")[name]
    slots = [slot.rstrip("*#") for slot in taken]

    def call(*args: Any) -> Any:
        values = args[: len(slots)]
        if name in _TURNED and _TURNED[name](values[0]):
            values = (values[1], values[0], *values[2:])
        return run(name, operator, slots, values, pairs(name, args[len(slots) :]), outputs)

    return call


# operators that took their first two inputs the other way round until Paddle 2.4, and how that is seen by the first
_TURNED: dict[str, Callable[[Any], bool]] = {
    "lookup_table_v2": lambda first: isinstance(first, Tensor) and first._t.is_floating_point(),
    "multiplex": lambda first: isinstance(first, Tensor),
}


def _phi(name: str) -> Callable[..., Any]:
    operator, taken, outputs = signatures("phi")[name]
    if name == "dropout" and since("3"):
        outputs = outputs[:1]
    definition = definition_of(operator)
    slots, written = {slot.name for slot in definition.inputs}, definition.inplace

    def call(*args: Any) -> Any:
        given, values, attrs = [], [], {}
        for word, value in zip(taken, args):
            attribute, _, slot = word.partition("/")
            if word[0] == "@":
                if word[1:] in slots:  # others are the kernel's own
                    given.append(word[1:])
                    values.append(value)
            elif isinstance(value, VALUES) and slot in slots:
                given.append(slot)
                values.append(value)
            elif word != "!" and value is not None:
                ours = _RENAMED.get((operator, attribute), attribute)
                if ours is not None:
                    attrs[ours] = value.tolist() if isinstance(value, Tensor) else value
        dimensions = "dim" if "dim" in definition.attrs else "axis"
        if _REDUCTIONS in definition.attrs and attrs.get(dimensions, ()) in ([], ()):
            attrs[_REDUCTIONS] = True
            attrs.pop(dimensions, None)
        known = dict(zip(given, values))
        found = run(name, operator, given, values, attrs, outputs)
        if len(outputs) == 1:
            return known.get(written.get(outputs[0], ""), found)
        for slot, value in zip(outputs, found):
            if slot in _RUNNING and slot not in written and isinstance(value, Tensor):
                by_slots.store(known[_RUNNING[slot]], value._t)
        # what is written over an input is that very Tensor, and nothing where that is not there
        return tuple(known.get(written[slot]) if slot in written else value for slot, value in zip(outputs, found))

    return call


def _of_both(name: str) -> Callable[..., Any]:
    """The operator as 2.6 calls it, and as 2.1 and 2.2 do: attributes by name and value in turn, behind the inputs that are there."""
    modern, former = _phi(name), function("legacy", name)
    if former is None or name not in signatures("legacy"):
        return modern
    operator, slots, outputs = signatures("legacy")[name]
    attributes = definition_of(operator).required | definition_of(operator).attrs.keys()
    order = [outputs.index(slot) for slot in _FORMER_OUTPUTS.get(name, ())]
    attributes |= {*_OF_KERNELS}

    def call(*args: Any) -> Any:
        first = next((n for n, value in enumerate(args) if type(value) is str and value in attributes), None)
        if first is None:
            return former(*args) if name in _TURNED and _TURNED[name](args[0]) else modern(*args)
        if name == "batch_norm" and first == len(slots) - 1:  # as before it knew a momentum that is a Tensor
            args, first = (*args[:5], None, *args[5:]), len(slots)
        found = former(*args[:first], *[None] * (len(slots) - first), *args[first:])
        return tuple(found[n] for n in order) if order else found

    return call


def _filling(plain: Callable[..., Any]) -> Callable[..., Any]:
    """What puts newly made values into a Tensor; Paddle does not count it as a change in place."""

    def call(x: Tensor, *args: Any) -> Tensor:
        from paddle_compat.tensor._in_place import overwrite_data

        if isinstance(x, Variable):
            return plain(*args)
        overwrite_data(x, plain(*args)._t)
        x._changes -= 1
        return x

    return call


def _in_place(name: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    def call(x: Tensor, *args: Any) -> Any:
        from paddle_compat.tensor._in_place import replace

        found = plain(x, *args)
        if isinstance(x, Variable):
            return found
        several = found if isinstance(found, tuple) else (found,)
        replace(x, several[0], name)
        return (x, *several[1:]) if isinstance(found, tuple) else x

    return call


def _public(name: str) -> Callable[..., Any] | None:
    """Operators that are composed: the function of the top level, which takes the same."""
    from paddle_compat import tensor

    if name.startswith("strings_"):
        from paddle_compat.base._native_strings import OPERATORS

        return _named(name, OPERATORS[name]) if name in OPERATORS else None
    if name == "_run_custom_op":
        from paddle_compat.base import _native_eager

        return _native_eager._run_custom_op
    if name.startswith("sparse_"):
        from paddle_compat.base import _c_sparse

        return _c_sparse.function(name)
    if name not in _PUBLIC:
        from paddle_compat.base import _c_paddle3

        made = _c_paddle3.function(name)
        plain = None if made is not None else _c_paddle3.function(name.removesuffix("_"))
        return _named(name, made) if made is not None else _named(name, _in_place(name, plain)) if plain is not None else None
    try:
        public = getattr(tensor, _PUBLIC[name])
    except UnsupportedError:
        return None
    return _named(name, lambda *args: public(*(value for value in args if not isinstance(value, Place))))
