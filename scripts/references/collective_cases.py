# ruff: noqa: E501 - a call is a line
"""Collective operators in Programs of Paddle 1.8.5, as its layers, transpilers and fleet write them.

collective_1.8.5.json.gz: {case: what `told` says of `out` after the code has run, {"raises": type} where it raises}.
The wheel for the CPU does not describe the operators that make NCCL's ids; what is written of them is kept all the same.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List

WHEELS = ("1.8.5",)

_NETS = {
    "line": "x, y = fluid.data('x', [None, 4]), fluid.data('y', [None, 1]); loss = L.mean(L.square_error_cost(L.fc(x, 1), y))",
    "norm": "x, y = fluid.data('x', [None, 3, 6, 6]), fluid.data('y', [None, 1], dtype='int64'); h = L.batch_norm(L.conv2d(x, 4, 3), act='relu'); h = L.layer_norm(L.fc(h, 6)); loss = L.mean(L.softmax_with_cross_entropy(L.fc(h, 5), y))",
    "shared": "i, y = fluid.data('i', [None, 3], dtype='int64'), fluid.data('y', [None, 1]); w = fluid.ParamAttr('table'); h = L.reduce_sum(fluid.embedding(i, [12, 4], param_attr=w) + fluid.embedding(i, [12, 4], param_attr=w), dim=1); loss = L.mean(L.square_error_cost(L.fc(h, 1), y))",
    "table": "i, y = fluid.data('i', [None, 3], dtype='int64'), fluid.data('y', [None, 1]); h = L.reduce_sum(fluid.embedding(i, [12, 4], is_sparse=True), dim=1); loss = L.mean(L.square_error_cost(L.fc(h, 1), y))",
    "elsewhere": "x, y = fluid.data('x', [None, 4]), fluid.data('y', [None, 1]); h = L.fc(x, 3, bias_attr=False); h.block.var('fc_0.w_0').is_distributed = True; loss = L.mean(L.square_error_cost(L.fc(h, 1), y))",
}
_OPTIMIZERS = {
    "sgd": "O.SGD(0.1)",
    "adam": "O.Adam(L.exponential_decay(0.1, 3, 0.5), regularization=fluid.regularizer.L2Decay(0.05))",
    "momentum": "O.Momentum(0.1, 0.9, grad_clip=fluid.clip.GradientClipByGlobalNorm(0.2))",
}
_TWO = "['127.0.0.1:6170', '127.0.0.1:6171']"
_TRANSPILE = "t.transpile(startup_program=start, main_program=main, rank=%s, endpoints=%s, current_endpoint=%s, wait_port=False); out = [sorted(k for k in vars(t) if 'program' not in k and k not in ('op_role_key', 'op_role_var_key')), t.mode, t.nranks, t.nrings, t.rank, t.endpoints, main, start]"
_X = "x = fluid.data('x', [4, 8]); v = fluid.data('v', [None, 8]); "
_FLEET = f"C, R = part('incubate.fleet.collective'), part('incubate.fleet.base.role_maker'); fleet, s = C.fleet, C.DistributedStrategy(); fleet.init(R.UserDefinedCollectiveRoleMaker(1, {_TWO})); x, y = fluid.data('x', [None, 4]), fluid.data('y', [None, 1]); h = L.fc(x, 3); loss = L.mean(L.square_error_cost(L.fc(h, 1), y)); optimizer = O.SGD(0.1); "
_MINIMIZE = "; d = fleet.distributed_optimizer(optimizer, s); ops, pairs = d.minimize(loss); out = [type(d).__name__, len(ops), len(pairs), type(fleet.main_program).__name__, fleet._transpiled_program is main, fleet.startup_program is start, fleet._origin_program, s.mode, s.collective_mode, s.nccl_comm_num, s.exec_strategy.num_threads, s.num_trainers, s.trainer_id, list(s.trainers_endpoints), main, start]"

CASES = {
    **{f"layers/{name}": _X + f"C = part('layers.collective'); r = {call}; out = [r, main]" for name, call in {
        **{f"allreduce {kind}": f"C._allreduce(x, reduce_type='{kind}')" for kind in ("sum", "prod", "max", "min", "avg")},
        **{f"c_allreduce {kind}": f"C._c_allreduce(x, reduce_type='{kind}')" for kind in ("sum", "max", "min", "avg")},
        "allreduce out": "C._allreduce(x, x, 'sum', True)",
        "c_allreduce out": "C._c_allreduce(x, out=x, reduce_type='max', ring_id=1, use_calc_stream=True)",
        "c_allreduce gradient": "C._c_allreduce(L.fc(x, 3)); fluid.backward.append_backward(L.mean(r))",
        "c_allgather gradient": "C._c_allgather(L.fc(x, 3), 2); fluid.backward.append_backward(L.mean(r))",
        "allreduce gradient": "C._allreduce(L.fc(x, 3)); fluid.backward.append_backward(L.mean(r + L.fc(x, 3)))",
        "broadcast": "C._broadcast(x, 1)",
        "c_broadcast": "C._c_broadcast(x)",
        "c_broadcast ring": "C._c_broadcast(x, 1, 2, True)",
        "c_allgather": "C._c_allgather(x, 2)",
        "c_allgather unknown": "C._c_allgather(v, 2, 1, True)",
        "c_allgather one": "C._c_allgather(x, 1)",
        "c_reducescatter": "C._c_reducescatter(x, 2, 1, True)",
        "c_reducescatter unknown": "C._c_reducescatter(v, 2)",
        "c_reducescatter three": "C._c_reducescatter(x, 3)",
        "c_reducescatter number": "C._c_reducescatter(3, 3)",
        "c_sync_calc_stream": "C._c_sync_calc_stream(x)",
        "c_sync_comm_stream": "C._c_sync_comm_stream(x, 1)",
    }.items()},
    **{f"transpiler/{kind}/{net}/{optimizer}/{rank}": f"{_NETS[net]}; {_OPTIMIZERS[optimizer]}.minimize(loss); t = part('transpiler.collective').{make}; " + _TRANSPILE % (rank, _TWO, _TWO + f"[{rank}]")
       for kind, make in {"allreduce": "GradAllReduce()", "local": "LocalSGD()", "one ring": "GradAllReduce(1)", "three rings": "GradAllReduce(nrings=3)", "local one ring": "LocalSGD(nrings=1)", "threads": "SingleProcessMultiThread()"}.items()
       for net, optimizer, rank in (("line", "sgd", 0), ("line", "adam", 1), ("norm", "momentum", 1), ("shared", "sgd", 0), ("table", "adam", 0), ("elsewhere", "sgd", 0))},
    **{f"transpiler/wrong/{name}": f"{_NETS['line']}; O.SGD(0.1).minimize(loss); t = part('transpiler.collective').{make}; " + _TRANSPILE % arguments for name, make, arguments in (
        ("one endpoint", "GradAllReduce()", (0, "['a:1']", "'a:1'")), ("one endpoint local", "LocalSGD()", (0, "['a:1']", "'a:1'")), ("one endpoint threads", "SingleProcessMultiThread()", (0, "['a:1']", "'a:1'")),
        ("text", "GradAllReduce()", (1, "'a:1,b:2,c:3'", "'b:2'")), ("stranger", "GradAllReduce()", (0, _TWO, "'c:3'")), ("number", "GradAllReduce()", (0, "5", "'c:3'")))},
    **{f"fleet/{name}": _FLEET + settings + _MINIMIZE for name, settings in {
        "default": "pass", "no strategy": "s = C.DistributedStrategy()", "local sgd": "s.use_local_sgd = True", "allreduce": "s._ut4grad_allreduce = True",
        "mode": "s.mode, s.collective_mode = 'collective', 'grad_allreduce'", "wrong mode": "s.mode, s.collective_mode = 'nccl2', 'grad_allreduce'",
        "wrong collective mode": "s.mode, s.collective_mode = 'collective', 'foo'", "no collective mode": "s.mode = 'collective'",
        "no checkpoints": "s.forward_recompute = True", "checkpoints": "s.forward_recompute, s.recompute_checkpoints = True, [h]",
        "twice checkpoints": "s.forward_recompute, s.recompute_checkpoints = True, [h]; optimizer = O.RecomputeOptimizer(optimizer)",
        "checkpoints of no list": "s.recompute_checkpoints = None", "fc without settings": "s.use_dist_fc = True", "norm": "s.sync_batch_norm = True",
        "rings": "s.nccl_comm_num, s.use_hierarchical_allreduce = 3, True", "lamb": "s.use_local_sgd = True; optimizer = O.Lamb(0.1)", "no optimizer": "optimizer = 3",
    }.items()},
    "fleet/answers": _FLEET + "out = [fleet.worker_index(), fleet.worker_num(), fleet.is_first_worker(), fleet.is_worker(), fleet.worker_endpoints(True), fleet.server_num(), fleet.init_worker(), fleet.stop_worker(), s.amp_loss_scaling, s.mode, s.collective_mode, s.num_trainers]",
    "fleet/status": _FLEET + "t = C.TrainStatus(); out = [vars(t), t.next(), t == C.TrainStatus(), t != C.TrainStatus(3), vars(C.DistFCConfig())]",
    "fleet/no executor": _FLEET + "fleet.save_inference_model(3, 'a', ['x'], [loss])",
    "fleet/no program": _FLEET + "fleet.save_persistables(fluid.Executor(fluid.CPUPlace()), 'a', 3)",
    "fleet/strategy of operators": _FLEET + "C.CollectiveOpBasedOptimizer(optimizer, s)",
    "fleet/no role": _FLEET + "fleet.init(3)",
    "transpiler/defaults": f"{_NETS['line']}; O.SGD(0.1).minimize(loss); t = part('transpiler.collective').GradAllReduce(); t.transpile(None, None, 0, {_TWO}, {_TWO}[0], False); out = [main, start]",
    "transpiler/names": "m = part('transpiler.collective'); out = [sorted(m.__all__), m.LocalSGD().snapshot_name('w'), m.GradAllReduce().nrings, m.LocalSGD(3).nrings, m.SingleProcessMultiThread().nrings]",
}  # fmt: skip

_IDS = ("c_gen_nccl_id", "gen_nccl_id")


def stand_ins(fluid: Any) -> None:
    """Let the wheel write the operators that it does not describe, as operators without slots that `told` knows."""
    append = fluid.framework.Block.append_op

    def append_op(block: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("type") not in _IDS:
            return append(block, *args, **kwargs)
        attrs = {name: value for name, value in kwargs["attrs"].items() if name.startswith("op_")}
        made = append(block, type="c_comm_init_all", inputs={}, outputs={}, attrs=attrs)
        outputs = {slot: [out.name for out in (outs if isinstance(outs, list) else [outs])] for slot, outs in kwargs["outputs"].items()}
        made.written = [kwargs["type"], {}, outputs, {name: value for name, value in kwargs["attrs"].items() if not name.startswith("op_")}]
        return made

    fluid.framework.Block.append_op = append_op


_LEFT_OUT = ("op_callstack", "op_namescope", "op_device", "use_mkldnn", "use_cudnn", "str_value", "dtype", "op_role_var")
_OF_OURS = ("c_", "allreduce", "broadcast", "gen_", "scale", "assign", "elementwise_sub")


def told(value: Any) -> Any:
    """Plain values: a Program as its operators and variables."""
    if isinstance(value, (list, tuple)):
        return [told(item) for item in value]
    if hasattr(value, "global_block"):
        block = value.global_block()
        return {"ops": [_operator(op) for op in block.ops], "vars": sorted(_variable(var) for var in block.vars.values())}
    return value if value is None or isinstance(value, (bool, int, float, str, dict)) else _variable(value)


def _operator(op: Any) -> List[Any]:
    role = int(op.attr("op_role"))
    pairs = list(op.attr("op_role_var")) if op.has_attr("op_role_var") else []
    if hasattr(op, "written"):
        type_, ins, outs, attrs = op.written
    else:
        type_ = op.type
        ins, outs = ({slot: list(names(slot)) for slot in sorted(slots) if names(slot)} for names, slots in ((op.input, op.input_names), (op.output, op.output_names)))
        ours = type_.startswith(_OF_OURS) and not type_.endswith("_grad")
        attrs = {name: op.attr(name) for name in sorted(op.attr_names) if ours and name != "op_role" and name not in _LEFT_OUT}
    return [type_, ins, outs, role, pairs, {name: list(v) if isinstance(v, (list, tuple)) else v for name, v in attrs.items()}]


def _variable(var: Any) -> List[Any]:
    raw = str(var.type).endswith("RAW")
    return [var.name, int(var.type), bool(var.persistable), None if raw else list(var.shape), bool(var.stop_gradient)]


def answer(code: str, fluid: Any, part: Callable[[str], Any]) -> Any:
    """What `told` says of `out` after the code has run in Programs of its own."""
    main, start = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, start), fluid.scope_guard(fluid.core.Scope()):
        names: Dict[str, Any] = {"fluid": fluid, "L": fluid.layers, "O": fluid.optimizer, "main": main, "start": start, "part": part}
        try:
            exec(code, names)
        except Exception as error:
            return {"raises": [kind.__name__ for kind in type(error).__mro__]}
    return told(names.get("out", "no error"))


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    def record() -> Dict[str, Any]:
        import importlib

        import paddle.fluid as fluid

        stand_ins(fluid)
        return {name: answer(code, fluid, lambda name: importlib.import_module("paddle.fluid." + name)) for name, code in CASES.items()}

    return {"collective_1.8.5.json.gz": record}
