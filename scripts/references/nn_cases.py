"""Forward and gradient of single operators of the neural-network families, as a wheel computes them.

Every case becomes some arrays of `ops_nn_FAMILY_VERSION.npz`: `NAME/in/SLOT`, `NAME/out/SLOT`, `NAME/grad/SLOT` (what
goes out to an input), `NAME/upstream/SLOT` (the gradient that comes into an output). A slot with several variables has
`SLOT.0`, `SLOT.1`, ... The array `cases` holds, as JSON, each case's operator type, attributes and recorded shapes.
The tables of cases are in nn_conv.py, nn_loss.py, ... beside this file.
"""

from __future__ import annotations

import importlib
import json
from functools import partial
from typing import Any, Callable, Dict, Iterable, Sequence

import numpy as np

WHEELS = ("1.8.5", "2.6.2")
FAMILIES = ("conv", "pool", "norm", "loss", "embedding", "nce", "vision", "metric")

Case = Dict[str, Any]


def normal(*shape: int, seed: int = 0) -> Any:
    """Standard normal numbers; the same shape and seed give the same ones."""
    return np.asarray(np.random.RandomState(seed + 31 * sum(shape) + len(shape)).randn(*shape), "float32")


def uniform(*shape: int, low: float = 0.0, high: float = 1.0, seed: int = 0) -> Any:
    """Uniform numbers."""
    return np.random.RandomState(seed + 31 * sum(shape) + len(shape)).uniform(low, high, shape).astype("float32")


def integers(*shape: int, high: int, seed: int = 0, dtype: str = "int64") -> Any:
    """Integers from 0 to high - 1."""
    return np.random.RandomState(seed + 31 * sum(shape) + len(shape)).randint(0, high, shape).astype(dtype)


def case(
    type_: str,
    inputs: dict[str, Any],
    attrs: dict[str, Any] | None = None,
    grads: Sequence[str] = (),
    outputs: Iterable[str] | None = None,
    wheels: Sequence[str] = WHEELS,
    upstream: Sequence[str] = (),
    inplace: dict[str, str] | None = None,
) -> Case:
    """One case.

    Args:
        inputs: slot -> array, or list of arrays.
        grads: the input slots whose gradients are recorded.
        outputs: the output slots to fetch; all that the operator always has when left out.
        upstream: the outputs that gradients come into; all float ones that are fetched when left out.
        inplace: output slot -> the input slot whose variable it must write to.
    """
    return {
        "type": type_,
        "inputs": inputs,
        "attrs": attrs or {},
        "grads": list(grads),
        "outputs": outputs,
        "wheels": wheels,
        "upstream": list(upstream),
        "inplace": inplace or {},
    }


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One file a family."""
    return {f"ops_nn_{family}_{version}.npz": partial(record, family, version) for family in FAMILIES}


def record(family: str, version: str) -> dict[str, Any]:
    """Run all cases of a family that this wheel has."""
    cases = importlib.import_module("nn_" + family).CASES
    arrays: dict[str, Any] = {}
    described: dict[str, Any] = {}
    for name, entry in cases.items():
        if version in entry["wheels"]:
            described[name] = dict(type=entry["type"], attrs=entry["attrs"], **run(name, entry, version, arrays))
    arrays["cases"] = np.frombuffer(json.dumps(described).encode(), np.uint8)
    return arrays


def run(name: str, entry: Case, version: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """Run one case, put its arrays into `arrays`, and return what its Program says of it."""
    import paddle

    if version.startswith("1."):
        import paddle.fluid as static
        from paddle.fluid import framework
    else:
        from paddle import static
        from paddle.base import framework

        paddle.enable_static()
    proto = framework.OpProtoHolder.instance().get_op_proto(entry["type"])
    feed: dict[str, Any] = {}
    main = static.Program()
    with static.program_guard(main, static.Program()):
        block = main.global_block()

        def variable(label: str, array: Any, shape: Any = None) -> Any:
            """A fed variable."""
            feed[label] = arrays[name + "/" + label] = array
            made = block.create_var(name=label, shape=shape or array.shape, dtype=str(array.dtype), is_data=True)
            made.stop_gradient = array.dtype.kind != "f"
            return made

        ins: dict[str, list[Any]] = {}
        for slot, value in entry["inputs"].items():
            if isinstance(value, list):
                ins[slot] = [variable(f"in/{slot}.{i}", v) for i, v in enumerate(value)]
            else:
                ins[slot] = [variable("in/" + slot, value)]
        # 2.6 calls batch norm's ReserveSpace optional, but does not run without
        always = [s.name for s in proto.outputs if not s.dispensable or (s.name == "ReserveSpace" and version > "2")]
        slots = always if entry["outputs"] is None else list(entry["outputs"])
        outs = {}
        for slot in dict.fromkeys(always + slots):
            source = entry["inplace"].get(slot)
            outs[slot] = ins[source] if source else [block.create_var(name="out/" + slot, dtype="float32")]
        block.append_op(type=entry["type"], inputs=ins, outputs=outs, attrs=dict(entry["attrs"]))
        exe = static.Executor()
        results = exe.run(main, feed=feed, fetch_list=[outs[slot][0] for slot in slots])
        for slot, value in zip(slots, results):
            arrays[name + "/out/" + slot] = value
        shapes = {slot: list(made[0].shape) for slot, made in outs.items()}
        if entry["grads"]:
            final = [s.name for s in proto.outputs if not s.intermediate and s.name in slots]
            targets = entry["upstream"] or [s for s in final if arrays[name + "/out/" + s].dtype.kind == "f"]
            upstream = []
            for slot in targets:
                array = normal(*arrays[name + "/out/" + slot].shape, seed=7)
                upstream.append(variable("upstream/" + slot, array, outs[slot][0].shape))
            wanted = [v for slot in entry["grads"] for v in ins[slot]]
            gradients = static.gradients([outs[s][0] for s in targets], wanted, upstream)
            for into, value in zip(wanted, exe.run(main, feed=feed, fetch_list=gradients)):
                arrays[name + "/grad/" + into.name[3:]] = value
    return {"shapes": shapes}
