"""What the update operators of the wheels do to parameters and accumulators, a few steps in a row.

A case holds its inputs, so that the data file alone tells a test what to run and what to expect.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable, Dict

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "optimizer"))

WHEELS = ("1.8.5", "2.6.2")
STEPS = 3
HEIGHT, WIDTH = 6, 3
ROWS = [4, 1, 4, 2]  # a repeated row and, in a table of six, three rows without gradient
Arrays = Dict[str, Any]

# operator: {accumulator slot: its output slot}; every one has Param -> ParamOut
ACCUMULATORS: dict[str, dict[str, str]] = {
    "sgd": {},
    "momentum": {"Velocity": "VelocityOut"},
    "lars_momentum": {"Velocity": "VelocityOut"},
    "adagrad": {"Moment": "MomentOut"},
    "decayed_adagrad": {"Moment": "MomentOut"},
    "adam": {"Moment1": "Moment1Out", "Moment2": "Moment2Out", "Beta1Pow": "Beta1PowOut", "Beta2Pow": "Beta2PowOut"},
    "adamw": {"Moment1": "Moment1Out", "Moment2": "Moment2Out", "Beta1Pow": "Beta1PowOut", "Beta2Pow": "Beta2PowOut"},
    "adamax": {"Moment": "MomentOut", "InfNorm": "InfNormOut", "Beta1Pow": ""},
    "adadelta": {"AvgSquaredGrad": "AvgSquaredGradOut", "AvgSquaredUpdate": "AvgSquaredUpdateOut"},
    "rmsprop": {"MeanSquare": "MeanSquareOut", "Moment": "MomentOut", "MeanGrad": "MeanGradOut"},
    "lamb": {"Moment1": "Moment1Out", "Moment2": "Moment2Out", "Beta1Pow": "Beta1PowOut", "Beta2Pow": "Beta2PowOut"},
    "ftrl": {"SquaredAccumulator": "SquaredAccumOut", "LinearAccumulator": "LinearAccumOut"},
    "dpsgd": {},
    "proximal_gd": {},
    "proximal_adagrad": {"Moment": "MomentOut"},
    "dgc_momentum": {"Velocity": "VelocityOut"},
    "merged_momentum": {"Velocity": "VelocityOut"},
    "merged_adam": {
        "Moment1": "Moment1Out", "Moment2": "Moment2Out", "Beta1Pow": "Beta1PowOut", "Beta2Pow": "Beta2PowOut",
    },
}  # fmt: skip
POWERS = {"Beta1Pow": 0.9, "Beta2Pow": 0.999}


class Rows:
    """A gradient that holds some rows of a table, a row perhaps twice (Paddle's SelectedRows)."""

    def __init__(self, rows: list[int], values: np.ndarray, height: int) -> None:
        self.rows, self.values, self.height = rows, values, height


def run_op(type_: str, inputs: Arrays, outputs: dict[str, str], attrs: dict[str, Any]) -> Arrays:
    """Run one operator under the wheel, in place.

    Args:
        inputs: input slot -> array or Rows.
        outputs: output slot -> the input slot whose variable it writes.
    Returns:
        The written values by input slot.
    """
    import paddle

    if paddle.__version__.startswith("1."):
        import paddle.fluid as base
    else:
        import paddle.base as base

        paddle.enable_static()
    main, scope, place = base.Program(), base.core.Scope(), base.CPUPlace()
    block, variables = main.global_block(), {}
    for slot, value in inputs.items():
        rows = isinstance(value, Rows)
        array = value.values if rows else value
        kind = base.core.VarDesc.VarType.SELECTED_ROWS if rows else base.core.VarDesc.VarType.LOD_TENSOR
        shape = (HEIGHT, WIDTH) if rows else array.shape
        variables[slot] = block.create_var(
            name=slot,
            shape=shape,
            dtype=str(array.dtype),
            type=kind,
            persistable=True,
        )
        holder = scope.var(slot)
        if rows:
            holder = holder.get_selected_rows()
            holder.set_rows(value.rows)
            holder.set_height(value.height)
        holder.get_tensor().set(array, place)
    written = {slot: [variables[source]] for slot, source in outputs.items()}
    block.append_op(type=type_, inputs={s: [v] for s, v in variables.items()}, outputs=written, attrs=dict(attrs))
    with base.executor.scope_guard(scope):
        base.Executor(place).run(main)
    return {source: np.array(scope.find_var(source).get_tensor()) for source in outputs.values()}


def case(type_: str, sparse: bool = False, dtype: str = "float32", extra: Arrays | None = None, **attrs: Any) -> Any:
    """One case: the operator, its attributes, and which kind of gradient it gets; `extra` adds inputs."""
    return {"type": type_, "sparse": sparse, "dtype": dtype, "extra": extra or {}, "attrs": attrs}


def scalar(value: float, dtype: str = "float32") -> np.ndarray:
    return np.array([value], dtype)


def cases(version: str) -> dict[str, Any]:
    """The cases that a wheel is asked for, by name."""
    old = version.startswith("1.")
    lars = 0.02 if old else [0.02]
    lamb = {"beta1": 0.9, "beta2": 0.99, "epsilon": 1e-3, "weight_decay": 0.02}
    table = {
        "sgd": case("sgd"),
        "sgd_double": case("sgd", dtype="float64"),
        "sgd_rows": case("sgd", sparse=True),
        "momentum": case("momentum", mu=0.9),
        "momentum_nesterov": case("momentum", mu=0.8, use_nesterov=True),
        "momentum_rows": case("momentum", sparse=True, mu=0.9),
        "momentum_nesterov_rows": case("momentum", sparse=True, mu=0.8, use_nesterov=True),
        "lars_momentum": case("lars_momentum", mu=0.9, lars_coeff=0.1, lars_weight_decay=lars),
        "lars_momentum_plain": case("lars_momentum", mu=0.9, lars_coeff=0.1, lars_weight_decay=0.0 if old else [0.0]),
        "adagrad": case("adagrad", epsilon=1e-3),
        "adagrad_rows": case("adagrad", sparse=True),
        "decayed_adagrad": case("decayed_adagrad", decay=0.9, epsilon=1e-3),
        "adam": case("adam"),
        "adam_double": case("adam", dtype="float64"),
        "adam_epsilon": case("adam", epsilon=0.05),
        "adam_rows": case("adam", sparse=True, epsilon=0.01),
        "adam_lazy_rows": case("adam", sparse=True, lazy_mode=True, epsilon=0.01),
        "adam_betas": case("adam", extra={"Beta1Tensor": scalar(0.7), "Beta2Tensor": scalar(0.9)}),
        "adamax": case("adamax", epsilon=0.01),
        "adadelta": case("adadelta", epsilon=1e-3, rho=0.9),
        "rmsprop": case("rmsprop", decay=0.9, epsilon=0.01, momentum=0.5),
        "rmsprop_centered": case("rmsprop", decay=0.9, epsilon=0.01, momentum=0.5, centered=True),
        "rmsprop_rows": case("rmsprop", sparse=True, decay=0.9, epsilon=0.01, momentum=0.5),
        "rmsprop_centered_rows": case("rmsprop", sparse=True, decay=0.9, epsilon=0.01, momentum=0.5, centered=True),
        "lamb": case("lamb", **lamb),
        "lamb_rows": case("lamb", sparse=True, **lamb),
        "ftrl": case("ftrl", l1=0.05, l2=0.1),
        "ftrl_power": case("ftrl", l1=0.05, l2=0.1, lr_power=-0.7),
        "dpsgd": case("dpsgd", clip=0.9, batch_size=16.0, sigma=1.5, seed=7),
        "dpsgd_unclipped": case("dpsgd", clip=900.0, batch_size=4.0, sigma=0.5, seed=11),
        "proximal_gd": case("proximal_gd", l1=0.1, l2=0.2),
        "proximal_gd_l2": case("proximal_gd", l2=0.2),
    }
    if old:
        table["proximal_adagrad"] = case("proximal_adagrad", l1=0.1, l2=0.2)
        return table
    table.update({
        "momentum_decay": case("momentum", mu=0.9, regularization_method="l2_decay", regularization_coeff=0.1,
                               rescale_grad=0.5),
        "momentum_decay_nesterov": case("momentum", mu=0.9, use_nesterov=True, regularization_method="l2_decay",
                                        regularization_coeff=0.1, rescale_grad=0.5),
        "momentum_decay_rows": case("momentum", sparse=True, mu=0.9, regularization_method="l2_decay",
                                    regularization_coeff=0.1, rescale_grad=0.5),
        "lars_momentum_epsilon": case("lars_momentum", mu=0.9, lars_coeff=0.1, lars_weight_decay=lars, epsilon=0.5,
                                      rescale_grad=0.5),
        "adam_epsilon_tensor": case("adam", extra={"EpsilonTensor": scalar(0.05)}),
        "adam_skip": case("adam", extra={"SkipUpdate": np.array([True])}),
        "adam_global_powers": case("adam", use_global_beta_pow=True),
        "adamw": case("adamw", with_decay=True, coeff=0.1),
        "adamw_ratio": case("adamw", with_decay=True, coeff=0.1, lr_ratio=0.5),
        "adamw_no_decay": case("adamw", with_decay=False, coeff=0.1),
        "lamb_always": case("lamb", **dict(lamb, weight_decay=0.0, always_adapt=True)),
        "lamb_undecayed": case("lamb", **dict(lamb, weight_decay=0.0)),
        "adadelta_rate": case("adadelta", epsilon=1e-3, rho=0.9, extra={"LearningRate": scalar(0.3)}),
        "merged_momentum": case("merged_momentum", mu=0.9),
        "merged_momentum_decay": case("merged_momentum", mu=0.9, use_nesterov=True, rescale_grad=0.5,
                                      regularization_method=["l2_decay"], regularization_coeff=[0.1]),
        "merged_adam": case("merged_adam", epsilon=0.01),
    })  # fmt: skip
    return table


def starts(row: dict[str, Any], random: np.random.RandomState) -> Arrays:
    """Parameter, accumulators (warm ones) and learning rate before the first step."""
    dtype = row["dtype"]
    values = {"Param": random.randn(HEIGHT, WIDTH).astype(dtype), "LearningRate": scalar(0.1, dtype)}
    for slot in ACCUMULATORS[row["type"]]:
        power = POWERS.get(slot)
        fresh = random.rand(HEIGHT, WIDTH).astype(dtype) * 0.1 if power is None else scalar(power**2, dtype)
        values[slot] = fresh
    if not row["attrs"].get("centered", True) or row["type"] == "rmsprop":
        values["MeanSquare"] = values["MeanSquare"] + np.asarray(0.2, dtype)
    values.update(row["extra"])
    return values


def run(version: str, row: dict[str, Any], seed: int) -> dict[str, Any]:
    """Run one case for some steps.

    Returns:
        The case, with its start values, the gradients of all steps, and the values after the last step by input slot.
    """
    random = np.random.RandomState(seed)
    values = starts(row, random)
    count = len(ROWS) if row["sparse"] else HEIGHT
    grads = [random.randn(count, WIDTH).astype(row["dtype"]) for _ in range(STEPS)]
    outputs = {"ParamOut": "Param", **{o: i for i, o in ACCUMULATORS[row["type"]].items() if o}}
    attrs = dict(row["attrs"])
    inputs = {slot: value for slot, value in values.items() if slot != "LearningRate" or has_rate(version, row)}
    if version.startswith("1.") and row["type"] == "lamb":  # a separate operator advances the powers there
        outputs = {k: v for k, v in outputs.items() if "Pow" not in k}
    state = dict(inputs)
    for grad in grads:
        state["Grad"] = Rows(ROWS, grad, HEIGHT) if row["sparse"] else grad
        state.update(run_op(row["type"], state, outputs, attrs))
    return {
        "type": row["type"],
        "attrs": attrs,
        "dtype": row["dtype"],
        "rows": ROWS if row["sparse"] else None,
        "inputs": inputs,
        "grads": grads,
        "final": {slot: state[slot] for slot in outputs.values()},
    }


def has_rate(version: str, row: dict[str, Any]) -> bool:
    return row["type"] != "adadelta" or not version.startswith("1.")


AVERAGES = {
    "early": {"average_window": 0.5, "min_average_window": 2, "max_average_window": 4},
    "late": {"average_window": 0.15, "min_average_window": 10000, "max_average_window": 10000},
}


def averages(attrs: dict[str, Any]) -> list[dict[str, Any]]:
    """The accumulators of `average_accumulates` after each of nine steps."""
    param = np.arange(4, dtype="float32")
    state = {slot: np.zeros(4, "float32") for slot in ("in_sum_1", "in_sum_2", "in_sum_3")}
    counters = ("in_num_accumulates", "in_old_num_accumulates", "in_num_updates")
    state.update({slot: np.zeros(1, "int64") for slot in counters})
    history = []
    for step in range(9):
        state["param"] = param + np.float32(step)
        state.update(run_op("average_accumulates", state, {"out" + s[2:]: s for s in state if s != "param"}, attrs))
        history.append(dict(state))
    return history


# schedule: (class, arguments); {"power": b} stands for the function epoch -> b^epoch
SCHEDULES: dict[str, Any] = {
    "noam": ("NoamDecay", {"d_model": 32, "warmup_steps": 5, "learning_rate": 0.5}),
    "piecewise": ("PiecewiseDecay", {"boundaries": [3, 6], "values": [0.5, 0.2, 0.1]}),
    "natural_exp": ("NaturalExpDecay", {"learning_rate": 0.5, "gamma": 0.1}),
    "inverse_time": ("InverseTimeDecay", {"learning_rate": 0.5, "gamma": 0.1}),
    "polynomial": ("PolynomialDecay", {"learning_rate": 0.5, "decay_steps": 6, "end_lr": 0.1, "power": 2.0}),
    "polynomial_cycle": ("PolynomialDecay", {"learning_rate": 0.5, "decay_steps": 6, "end_lr": 0.1, "cycle": True}),
    "warmup": ("LinearWarmup", {"learning_rate": 0.5, "warmup_steps": 4, "start_lr": 0.0, "end_lr": 0.4}),
    "warmup_step": (
        "LinearWarmup",
        {
            "learning_rate": ("StepDecay", {"learning_rate": 0.5, "step_size": 3}),
            "warmup_steps": 4, "start_lr": 0.1, "end_lr": 0.5,
        },
    ),
    "exponential": ("ExponentialDecay", {"learning_rate": 0.5, "gamma": 0.9}),
    "multi_step": ("MultiStepDecay", {"learning_rate": 0.5, "milestones": [2, 5, 9], "gamma": 0.3}),
    "step": ("StepDecay", {"learning_rate": 0.5, "step_size": 4, "gamma": 0.5}),
    "lambda": ("LambdaDecay", {"learning_rate": 0.5, "lr_lambda": {"power": 0.9}}),
    "multiplicative": ("MultiplicativeDecay", {"learning_rate": 0.5, "lr_lambda": {"power": 0.95}}),
    "linear": ("LinearLR", {"learning_rate": 0.5, "total_steps": 8, "start_factor": 0.25, "end_factor": 0.75}),
    "cosine": ("CosineAnnealingDecay", {"learning_rate": 0.5, "T_max": 5, "eta_min": 0.1}),
    "warm_restarts": ("CosineAnnealingWarmRestarts", {"learning_rate": 0.5, "T_0": 3, "T_mult": 2, "eta_min": 0.01}),
    "warm_restarts_even": ("CosineAnnealingWarmRestarts", {"learning_rate": 0.5, "T_0": 4}),
    "one_cycle": ("OneCycleLR", {"max_learning_rate": 1.0, "total_steps": 20}),
    "one_cycle_linear": (
        "OneCycleLR", {"max_learning_rate": 1.0, "total_steps": 20, "anneal_strategy": "linear", "three_phase": True},
    ),
    "cyclic": ("CyclicLR", {"base_learning_rate": 0.1, "max_learning_rate": 0.5, "step_size_up": 3}),
    "cyclic_halving": (
        "CyclicLR",
        {
            "base_learning_rate": 0.1, "max_learning_rate": 0.5, "step_size_up": 3, "step_size_down": 2,
            "mode": "triangular2",
        },
    ),
    "cyclic_exp": (
        "CyclicLR",
        {
            "base_learning_rate": 0.1, "max_learning_rate": 0.5, "step_size_up": 4, "mode": "exp_range",
            "exp_gamma": 0.9,
        },
    ),
    "cyclic_scaled": (
        "CyclicLR",
        {
            "base_learning_rate": 0.1, "max_learning_rate": 0.5, "step_size_up": 4, "scale_fn": {"power": 0.8},
            "scale_mode": "iterations",
        },
    ),
}  # fmt: skip
METRICS = [3.0, 2.0, 2.0, 1.9999, 2.5, 2.5, 2.5, 2.5, 1.0, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5]
PLATEAUS: dict[str, Any] = {
    "min": {"factor": 0.5, "patience": 1},
    "max": {"factor": 0.5, "patience": 1, "mode": "max"},
    "abs": {"factor": 0.5, "patience": 2, "threshold": 0.6, "threshold_mode": "abs"},
    "cooldown": {"factor": 0.5, "patience": 0, "cooldown": 2, "min_lr": 0.2},
}


def made(lr: Any, spec: Any) -> Any:
    """The scheduler of a (class, arguments) pair; other values as they are."""
    if isinstance(spec, dict):
        return lambda epoch: spec["power"] ** epoch
    if not isinstance(spec, (tuple, list)) or not isinstance(spec[0], str):
        return spec
    return getattr(lr, spec[0])(**{name: made(lr, value) for name, value in spec[1].items()})


def followed(spec: Any) -> dict[str, Any]:
    """The rates of 16 steps, those of going to some epochs directly, and the state in the end."""
    import paddle

    scheduler, rates, jumps = made(paddle.optimizer.lr, spec), [], []
    for _ in range(16):
        rates.append(scheduler())
        scheduler.step()
    for epoch in (7, 2, 12):
        scheduler.step(epoch)
        jumps.append(scheduler())
    scheduler.step()
    return {"spec": spec, "rates": rates, "jumps": [*jumps, scheduler()], "state": scheduler.state_dict()}


def watched(arguments: dict[str, Any]) -> dict[str, Any]:
    """The rates of ReduceOnPlateau after each metric, and its state in the end."""
    import paddle

    scheduler, rates = paddle.optimizer.lr.ReduceOnPlateau(1.0, **arguments), []
    for metric in METRICS:
        scheduler.step(metric)
        rates.append(scheduler())
    return {"arguments": arguments, "metrics": METRICS, "rates": rates, "state": scheduler.state_dict()}


def schedules() -> dict[str, Any]:
    """Every scheduler of `paddle.optimizer.lr`."""
    return {
        "followed": {name: followed(spec) for name, spec in SCHEDULES.items()},
        "watched": {name: watched(arguments) for name, arguments in PLATEAUS.items()},
    }


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data files of a version."""

    def operators() -> dict[str, Any]:
        table = cases(version)
        return {name: run(version, row, seed) for seed, (name, row) in enumerate(table.items())}

    def accumulates() -> dict[str, Any]:
        return {name: {"attrs": attrs, "steps": averages(attrs)} for name, attrs in AVERAGES.items()}

    def sparse() -> dict[str, Any]:
        import paddle
        import sparse_training

        return sparse_training.trained(paddle, version.startswith("1."))  # type: ignore[no-any-return]

    files: dict[str, Callable[[], Any]] = {
        f"optimizer_sparse_{version}.json": sparse,
        f"optimizer_ops_{version}.json.gz": operators,
        f"optimizer_average_accumulates_{version}.json.gz": accumulates,
    }
    if not version.startswith("1."):
        files[f"optimizer_lr_{version}.json"] = schedules
    return files
