"""Runs single operators under a wheel, forward and backward, for the tables of sequence_cases.py.

Each case is one operator in a Program of its own. A data file holds, for every case NAME,

    NAME|meta           JSON: operator type, attributes, LoD offsets of what is fed and fetched, shapes while recording
    NAME|in|SLOT|0      what is fed (|1, |2 ... for slots that take a list)
    NAME|out|SLOT|0     what comes out
    NAME|cotangent|SLOT|0   the gradient fed to an output
    NAME|grad|SLOT|0    the gradient of an input
"""

from __future__ import annotations

import json
from typing import Any, Sequence

import numpy as np

Lengths = Sequence[Sequence[int]]


class Fed:
    """One fed value: an array, and its lengths per LoD level."""

    def __init__(self, array: Any, lengths: Lengths = (), rows_known: bool = False) -> None:
        self.array = np.asarray(array)
        self.lengths = [list(level) for level in lengths]
        self.rows_known = rows_known


def case(
    name: str,
    type: str,
    inputs: dict[str, Any],
    attrs: dict[str, Any],
    outputs: str,
    grads: str = "",
    through: str = "",
) -> dict[str, Any]:
    """One case; slot names with blanks between them.

    Args:
        outputs: what is fetched; `State*2` for a slot of two variables.
        grads: inputs whose gradient is fetched.
        through: outputs that are differentiated; the first one unless given.
    """
    rows = {slot: fed if isinstance(fed, list) else [fed] for slot, fed in inputs.items()}
    counts = {slot: int(count or 1) for slot, _, count in (text.partition("*") for text in outputs.split())}
    return {
        "name": name,
        "type": type,
        "inputs": rows,
        "attrs": attrs,
        "outputs": counts,
        "grads": grads.split(),
        "through": through.split() or list(counts)[:1],
    }


def _value(core: Any, fed: Fed, place: Any) -> Any:
    tensor = core.LoDTensor()
    tensor.set(fed.array, place)
    if fed.lengths:
        tensor.set_recursive_sequence_lengths(fed.lengths)
    return tensor


def _run(one: dict[str, Any], found: dict[str, Any], cotangents: dict[str, Any]) -> dict[str, Any]:
    """Run a case; with cotangents also backward. Returns what is to be recorded, by key."""
    import paddle

    if paddle.__version__.startswith("1."):
        import paddle.fluid as framework
        from paddle.fluid import core
        from paddle.fluid.backward import gradients
    else:
        paddle.enable_static()
        import paddle.base as framework
        from paddle.base import core
        from paddle.static import gradients
    place = framework.CPUPlace()
    main, startup = framework.Program(), framework.Program()
    feed = {}
    with framework.program_guard(main, startup), framework.unique_name.guard():
        block = main.global_block()
        inputs = {}
        for slot, values in one["inputs"].items():
            names = [f"{slot.lower()}_{i}" for i in range(len(values))]
            for name, fed in zip(names, values):
                shape = list(fed.array.shape)
                if not fed.rows_known:
                    shape[0] = -1
                block.create_var(
                    name=name,
                    shape=shape,
                    dtype=str(fed.array.dtype),
                    lod_level=len(fed.lengths),
                    is_data=True,
                    need_check_feed=False,
                    stop_gradient=slot not in one["grads"],
                )
                feed[name] = _value(core, fed, place)
            inputs[slot] = [block.var(n) for n in names]
        outputs = {
            slot: [block.create_var(name=f"out_{slot.lower()}_{i}") for i in range(one["outputs"].get(slot, 1))]
            for slot in one["all_outputs"]
        }
        block.append_op(type=one["type"], inputs=inputs, outputs=outputs, attrs=dict(one["attrs"]))
        numbered = {f"{slot}|{i}": var for slot, made in outputs.items() for i, var in enumerate(made)}
        fetch = {key: var for key, var in numbered.items() if key.split("|")[0] in one["outputs"]}
        static = {key: [list(var.shape), var.lod_level] for key, var in numbered.items()}
        wanted = {}
        if cotangents:
            targets = []
            for key, value in cotangents.items():
                name = "cotangent_" + key.lower()
                shape = numbered[key].shape
                targets.append(
                    block.create_var(name=name, shape=shape, dtype="float32", is_data=True, stop_gradient=True)
                )
                feed[name] = value
            wrt = [(slot, i, var) for slot in one["grads"] for i, var in enumerate(inputs[slot])]
            result = gradients([numbered[key] for key in cotangents], [var for _, _, var in wrt], targets)
            wanted = {(slot, i): var for (slot, i, _), var in zip(wrt, result)}
    exe = framework.Executor(place)
    variables = list(fetch.values()) + list(wanted.values())
    values = exe.run(main, feed=feed, fetch_list=variables, return_numpy=False, scope=core.Scope())
    record = {}
    name = one["name"]
    for slot, values_in in one["inputs"].items():
        for i, fed in enumerate(values_in):
            record[f"{name}|in|{slot}|{i}"] = fed.array
    lods = {}
    for key, value in zip(fetch, values):
        found[key] = value
        lods[key] = value.lod()
        record[f"{name}|out|{key}"] = np.array(value)
    for key, value in cotangents.items():
        record[f"{name}|cotangent|{key}"] = np.array(value)
    for (slot, i), value in zip(wanted, values[len(fetch) :]):
        record[f"{name}|grad|{slot}|{i}"] = np.array(value)
    record[name + "|meta"] = json.dumps(
        {
            "type": one["type"],
            "attrs": one["attrs"],
            "fed_lod": {s: [_offsets(f.lengths) for f in v] for s, v in one["inputs"].items()},
            "fed_static": {
                s: [
                    [
                        ([-1] if not f.rows_known else [f.array.shape[0]]) + list(f.array.shape[1:]),
                        str(f.array.dtype),
                        len(f.lengths),
                    ]
                    for f in v
                ]
                for s, v in one["inputs"].items()
            },
            "lod": lods,
            "static": static,
        }
    )
    return record


def _offsets(lengths: Lengths) -> list[list[int]]:
    return [[0] + np.cumsum(level).tolist() for level in lengths]


def _cotangents(one: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    import paddle

    core = paddle.fluid.core if paddle.__version__.startswith("1.") else paddle.base.core
    made = {}
    for i, (key, output) in enumerate(found.items()):
        array = np.array(output)
        if array.dtype == np.float32 and one["grads"] and key.split("|")[0] in one["through"]:
            value = np.random.RandomState(90 + i).uniform(-1, 1, array.shape).astype("float32")
            tensor = core.LoDTensor()
            tensor.set(value, core.CPUPlace())
            tensor.set_lod(output.lod())
            made[key] = tensor
    return made


def record(cases: list[dict[str, Any]]) -> dict[str, Any]:
    """Run every case of a file."""
    import paddle

    if paddle.__version__.startswith("1."):
        from paddle.fluid import framework
    else:
        from paddle.base import framework
    protos = {proto.type: proto for proto in framework.get_all_op_protos()}
    content: dict[str, Any] = {}
    failed = []
    for one in cases:
        one["all_outputs"] = [slot.name for slot in protos[one["type"]].outputs]
        found: dict[str, Any] = {}
        try:
            made = _run(one, found, {})
            cotangents = _cotangents(one, found)
            if cotangents:
                made = _run(one, found, cotangents)
        except Exception as error:
            failed.append("{}: {}".format(one["name"], str(error)[-400:]))
            continue
        content.update(made)
    if failed:
        raise SystemExit("\n".join(failed))
    return content
