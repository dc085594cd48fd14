"""The Programs that 1.8's transpiler writes for trainers and servers: transpiled_1.8.5.json.gz has `transpiled.observe` of every case."""

from __future__ import annotations

from typing import Any, Callable, Dict

WHEELS = ("1.8.5",)


def record() -> Dict[str, Any]:
    """Every case."""
    import transpiled
    from paddle import fluid

    return {name: transpiled.observe(fluid, said) for name, said in transpiled.CASES.items()}


def kernels() -> Dict[str, Any]:
    """What operators without a network give, called alone."""
    import numpy as np
    from paddle import fluid
    from paddle.fluid.op import Operator

    scope, place = fluid.core.Scope(), fluid.core.CPUPlace()
    named = {
        "ids": np.array([[0], [2], [2], [5], [1], [1], [2]], "int64"), "more": np.array([[5], [4]], "int64"),
        "x": np.arange(20, dtype="float32").reshape(5, 4), "second": np.array([1], "int64"),
    }  # fmt: skip
    for name, value in named.items():
        scope.var(name).get_tensor().set(value, place)
    rows = scope.var("rows").get_selected_rows()
    rows.set_rows([0, 7, 4, 9, 5, 7])
    rows.set_height(20)
    rows.get_tensor().set(np.arange(12, dtype="float32").reshape(6, 2), place)

    def values(names: Any, kind: str = "get_tensor") -> Any:
        return [np.array(getattr(scope.find_var(n), kind)()).tolist() for n in names]

    def run(type_: str, outs: Any, kind: str = "get_tensor", **said: Any) -> Any:
        for name in outs:
            getattr(scope.var(name), kind)()
        slot = "Out" if type_ != "ref_by_trainer_id" else None
        Operator(type_, **{slot or "Out": outs if slot else outs[0]}, **said).run(scope, place)
        if kind == "get_tensor":
            return values(outs)
        parts = [scope.find_var(n).get_selected_rows() for n in outs]
        return [[list(p.rows()), p.height(), np.array(p.get_tensor()).tolist()] for p in parts]

    from paddle.fluid.transpiler.distribute_transpiler import slice_variable

    block = fluid.Program().global_block()
    shapes = [[10, 5], [1000, 100], [13, 2000], [64000], [3, 3, 300, 70], [1]]
    sliced = [block.create_var(name="v%d" % i, shape=shape, dtype="float32") for i, shape in enumerate(shapes)]
    slices = [[count, least, slice_variable(sliced, count, least)] for count, least in ((3, 8192), (10, 10), (2, 100), (1, 8192))]
    found: Dict[str, Any] = {"slices": [[count, least, list(map(str, parts))] for count, least, parts in slices], "shapes": shapes}
    found["split_ids"] = run("split_ids", ["s0", "s1", "s2"], Ids=["ids", "more"])
    for i, part in enumerate(found["split_ids"]):
        ids = np.array(part, "float32")
        scope.var("r%d" % i).get_tensor().set(np.concatenate([ids * 10, ids * 10 + 1], 1), place)
    found["merge_ids"] = run("merge_ids", ["m0", "m1"], Ids=["ids", "more"], Rows=["s0", "s1", "s2"], X=["r0", "r1", "r2"])
    found["split_byref"] = run("split_byref", ["p0", "p1"], X="x", sections=[2, 3])
    found["split_byref in halves"] = run("split_byref", ["h0", "h1"], X="p0", num=2)
    found["ref_by_trainer_id"] = run("ref_by_trainer_id", ["f"], X=["p0", "p1"], TrainerId="second")
    heights = [5, 5, 10]
    found["split_selected_rows"] = run("split_selected_rows", ["t0", "t1", "t2"], "get_selected_rows", X="rows", height_sections=heights)
    return found


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """Programs, and kernels."""
    return {"transpiled_%s.json.gz" % version: record, "transpiler_kernels_%s.json" % version: kernels}
