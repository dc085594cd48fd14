"""What `paddle.Model` of Paddle 2.6.2 does in two CPU processes that meet by gloo.

hapi_parallel_2.6.2.json: {question: [what rank 0 gets, what rank 1 gets]}.

Run as a script, it is one of the processes: it answers all questions into the file that its argument and its rank name.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import re
import sys
import warnings
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
from data_parallel_cases import recorded

WHEELS = ("2.6.2",)


def points(paddle: Any, count: int, labels: bool = True) -> Any:
    """A dataset of so many points of three classes."""
    numbers = np.random.RandomState(0)
    x, y = numbers.rand(count, 4).astype("float32"), numbers.randint(0, 3, [count, 1])

    class Points(paddle.io.Dataset):
        def __getitem__(self, i: int) -> Tuple[Any, ...]:
            return (x[i], y[i]) if labels else (x[i],)

        def __len__(self) -> int:
            return count

    return Points()


def prepared(paddle: Any, rank: int, network: Any = None, **more: Any) -> Any:
    """A Model whose parameters begin apart."""
    network = network or paddle.nn.Linear(4, 3)
    numbers = np.random.RandomState(5)
    for parameter in network.parameters():
        parameter.set_value(numbers.rand(*parameter.shape).astype("float32") - 0.5 + rank)
    model = paddle.Model(network, *more.pop("specs", ()))
    rate = more.pop("rate", 0.1)
    model.prepare(
        paddle.optimizer.SGD(rate, parameters=network.parameters()), paddle.nn.CrossEntropyLoss(), paddle.metric.Accuracy(), **more
    )
    return model


def printed(call: Callable[[], Any]) -> List[str]:
    """The lines that a call prints, without times and folders."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        call()
    return [re.sub(r"\d+[mu]?s/\w+", "T", re.sub(r" at /.*/", " at ", line)) for line in out.getvalue().splitlines()]


class Sizes:
    """The batch sizes that a callback is told; made for a Paddle."""

    def __new__(cls, paddle: Any, told: List[Any]) -> Any:
        class Told(paddle.callbacks.Callback):
            def on_train_batch_end(self, step: int, logs: Any = None) -> None:
                told.append(["train", step, logs["batch_size"]])

            def on_eval_batch_end(self, step: int, logs: Any = None) -> None:
                told.append(["eval", step, logs["batch_size"]])

            def on_predict_batch_end(self, step: int, logs: Any = None) -> None:
                told.append(["predict", step, logs["batch_size"]])

        return Told()


def answers(paddle: Any, rank: int, folder: str) -> Dict[str, Any]:
    """What this process gets."""
    found: Dict[str, Any] = {}
    data = functools.partial(points, paddle)
    make = functools.partial(prepared, paddle, rank)
    quiet = {"batch_size": 2, "verbose": 0}

    def weights(model: Any) -> Any:
        return model.network.weight.numpy().tolist()

    def fit(model: Any, count: int, **more: Any) -> Any:
        model.fit(data(count), **{**quiet, "shuffle": False, **more})
        return weights(model)

    found["begins as the first"] = [weights(make()), paddle.distributed.is_initialized()]
    for name, more in {
        "even": {}, "uneven": {"count": 7}, "dropped": {"count": 7, "drop_last": True}, "accumulated": {"accumulate_grad_batches": 2},
        "shuffled": {"shuffle": True, "epochs": 2}, "a few": {"num_iters": 3, "epochs": 2},
    }.items():  # fmt: skip
        found["fit, " + name] = fit(make(), more.pop("count", 8), **more)
    found["fit, half precision"] = fit(make(amp_configs="O1"), 8)
    rated = make(rate=paddle.optimizer.lr.StepDecay(0.1, 1))
    found["fit, a schedule"] = [fit(rated, 9), rated._optimizer.get_lr()]
    model = make()
    found["evaluate"] = [model.evaluate(data(n), **quiet) for n in (7, 8, 9)]
    found["evaluate a few"] = make().evaluate(data(8), num_iters=1, **quiet)  # a new Model each: counts are kept after such a run
    own = paddle.io.DataLoader(data(9), batch_size=3)
    found["evaluate, each all"] = make().evaluate(own, verbose=0)
    found["predict"] = [np.shape(x) for x in model.predict(data(7, False), stack_outputs=True, **quiet)]
    told: List[Any] = []
    model.fit(data(7), data(5), shuffle=False, callbacks=[Sizes(paddle, told)], **quiet)
    model.predict(data(7, False), callbacks=[Sizes(paddle, told)], **quiet)
    found["batch sizes"] = told
    rows = np.random.RandomState(rank)
    batches = [[paddle.to_tensor(rows.rand(2, 4).astype("float32")), paddle.to_tensor(rows.randint(0, 3, [2, 1]))] for _ in range(3)]
    found["a list of batches"] = printed(lambda: make().fit(batches, batches, epochs=2))
    found["a batch"] = [[np.array(x).tolist() for x in f(*[[part] for part in batches[0]])] for f in (model.train_batch, model.eval_batch)]
    found["printed"] = printed(lambda: make().fit(data(8), data(7), shuffle=False, batch_size=2, save_dir=folder + "/all"))
    worse = {"min_delta": 10.0, "patience": 1}
    plateau = paddle.callbacks.ReduceLROnPlateau(factor=0.5, **worse)
    found["a plateau"] = printed(lambda: fit(make(), 8, eval_data=data(6), epochs=3, callbacks=[plateau]))
    early = paddle.callbacks.EarlyStopping(**worse)
    stopped = "%s/%d" % (folder, rank)
    found["stopped early"] = printed(lambda: fit(make(), 8, eval_data=data(6), epochs=4, callbacks=[early], save_dir=stopped))
    found["saved"] = sorted(os.listdir(stopped)) if os.path.exists(stopped) else None
    described = make(specs=([paddle.static.InputSpec([None, 4], name="x")],))
    described.save("%s/%d/inference/it" % (folder, rank), training=False)
    found["saved for inference"] = os.path.exists("%s/%d/inference" % (folder, rank))
    statistics = make(paddle.nn.Sequential(paddle.nn.Linear(4, 3), paddle.nn.BatchNorm1D(3)))
    statistics.fit(data(8), shuffle=False, **quiet)
    found["running statistics"] = statistics.network[1]._mean.numpy().tolist()
    return found


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """See scripts/record_references.py."""
    return {"hapi_parallel_%s.json" % version: functools.partial(recorded, __file__)}


if __name__ == "__main__":
    import paddle as _paddle

    _rank = int(os.environ["PADDLE_TRAINER_ID"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _found = answers(_paddle, _rank, sys.argv[1])
    with open("%s/%d.json" % (sys.argv[1], _rank), "w") as _file:
        json.dump(_found, _file)
