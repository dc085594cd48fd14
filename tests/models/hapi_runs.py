"""What `paddle.Model`, its callbacks, `paddle.summary` and `paddle.flops` are asked, in the wheel and here."""

import importlib
import os
import sys
import tempfile
import types

import numpy as np


def cases(paddle):
    """Name -> function; what it prints and returns is compared."""
    nn = paddle.nn

    class Points(paddle.io.Dataset):
        def __init__(self, count=20):
            random = np.random.RandomState(0)
            self.x, self.y = random.rand(count, 4).astype("float32"), random.randint(0, 3, (count, 1)).astype("int64")

        def __getitem__(self, i):
            return self.x[i], self.y[i]

        def __len__(self):
            return len(self.x)

    class Record(paddle.callbacks.Callback):
        def __getattribute__(self, name):
            if name.startswith("on_"):
                ends = name.endswith("_end")  # what a run begins with is left from the run before it
                return lambda *args: print(name, {key: args[-1][key] for key in sorted(args[-1])} if ends else None, *args[:-1])
            return object.__getattribute__(self, name)

    def classifier(metric=True, optimizer="Adam", rate=0.1):
        paddle.seed(7)
        net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
        spec = paddle.static.InputSpec
        model = paddle.Model(net, spec([None, 4], "float32", "x"), spec([None, 1], "int64", "y"))
        optimizer = getattr(paddle.optimizer, optimizer)(rate, parameters=model.parameters())
        model.prepare(optimizer, nn.CrossEntropyLoss(), paddle.metric.Accuracy() if metric else None)
        return model

    def parameters(model):
        return [parameter.numpy().tolist() for parameter in model.parameters()]

    def fit(**configs):
        model = classifier()
        given = {"batch_size": 4, "epochs": 2, "shuffle": False, "verbose": 2, "log_freq": 2, **configs}
        return [model.fit(Points(), Points(8), **given), parameters(model)]

    def again():
        model = classifier()
        given = {"batch_size": 4, "shuffle": False, "verbose": 2}
        model.evaluate(Points(), batch_size=4, num_iters=1)
        model.fit(Points(), epochs=3, **given)
        model.stop_training = False
        model.fit(Points(), epochs=1, num_iters=10, **given)
        return [model.stop_training, len(model.parameters(include_sublayers=False))]

    def saved(**configs):
        with tempfile.TemporaryDirectory() as folder:
            fit(verbose=0, epochs=3, save_dir=folder, **configs)
            return sorted(os.listdir(folder))

    def tops():
        model = classifier()
        model.prepare(paddle.optimizer.SGD(0.1, parameters=model.parameters()), nn.CrossEntropyLoss(), paddle.metric.Accuracy((1, 2)))
        model.fit(Points(), Points(4), batch_size=10, verbose=2, shuffle=False)
        return model.train_batch([Points().x], [Points().y])

    def batches():
        model, points = classifier(), Points()
        found = [model.train_batch([points.x], [points.y], update=update) for update in (False, True)]
        return [*found, model.eval_batch([points.x], [points.y]), model.evaluate(Points(4), batch_size=4, verbose=0), parameters(model)]

    def predictions():
        model = classifier()
        found = [model.predict(Points(count), batch_size=2, verbose=verbose) for count in (2, 4, 5, 6) for verbose in (1, 2)]
        found.append(model.predict(Points(6), batch_size=4, stack_outputs=True, verbose=0))
        return [[[np.shape(batch) for batch in output] for output in outputs] for outputs in found]

    def stopping(*args, **configs):
        model = classifier()
        stop = paddle.callbacks.EarlyStopping(*args, **configs)
        with tempfile.TemporaryDirectory() as folder:
            model.fit(Points(), Points(8), batch_size=10, epochs=6, verbose=0, shuffle=False, callbacks=[stop], save_dir=folder)
            names = sorted(name for name in os.listdir(folder) if name.endswith("params"))
        return [stop.stopped_epoch, stop.wait_epoch, stop.best_value, names]

    def reducing(**configs):
        model = classifier()
        reduce = paddle.callbacks.ReduceLROnPlateau(**configs)
        model.fit(Points(), Points(8), batch_size=10, epochs=6, verbose=0, shuffle=False, callbacks=[reduce])
        return [model._optimizer.get_lr(), reduce.wait, reduce.best, reduce.cooldown_counter, reduce.epoch]

    def scheduled(**configs):
        rate = paddle.optimizer.lr.StepDecay(0.1, step_size=2)
        model = classifier(rate=rate, optimizer="SGD")
        given = [paddle.callbacks.LRScheduler(**configs)] if configs else []
        model.fit(Points(), batch_size=4, epochs=2, verbose=0, callbacks=given)
        return [rate.last_epoch, rate.last_lr]

    class LeNet(nn.Layer):
        def __init__(self):
            super().__init__()
            pieces = [nn.Conv2D(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2), nn.Conv2D(6, 16, 5), nn.ReLU(), nn.MaxPool2D(2, 2)]
            self.features = nn.Sequential(*pieces)
            self.fc = nn.Sequential(nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10))

        def forward(self, x):
            return self.fc(paddle.flatten(self.features(x), 1))

    class Digits(paddle.io.Dataset):
        def __getitem__(self, i):
            random = np.random.RandomState(i)
            return random.rand(1, 28, 28).astype("float32"), np.array([i % 10])

        def __len__(self):
            return 24

    def lenet():
        paddle.seed(11)
        model, seen = paddle.Model(LeNet()), []

        class Losses(paddle.callbacks.Callback):
            def on_train_batch_end(self, step, logs=None):
                seen.append([logs["loss"], logs["acc"]])

        model.prepare(paddle.optimizer.Adam(0.001, parameters=model.parameters()), nn.CrossEntropyLoss(), paddle.metric.Accuracy())
        model.fit(Digits(), batch_size=8, epochs=3, verbose=0, callbacks=[Losses()])
        return [seen, model.evaluate(Digits(), batch_size=8, verbose=0)]

    class Two(nn.Layer):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(4, 3), nn.Linear(4, 2)

        def forward(self, x, y):
            return self.a(x), self.b(y)

    def several():
        paddle.seed(2)
        model = paddle.Model(Two())

        def losses(a, b, first, second):
            return [nn.functional.cross_entropy(a, first), nn.functional.cross_entropy(b, second)]

        model.prepare(paddle.optimizer.SGD(0.1, parameters=model.parameters()), losses, paddle.metric.Accuracy(name="first"))
        inputs, labels = [np.ones((2, 4), "float32")] * 2, [np.zeros((2, 1), "int64")] * 2
        model.fit([inputs + labels] * 2, verbose=2)
        found = [model.train_batch(inputs, labels), model.evaluate([inputs + labels] * 2, verbose=2)]
        return [found, [np.shape(output) for output in model.predict([inputs] * 2, verbose=0)]]

    class Mixed(nn.Layer):
        def __init__(self):
            super().__init__()
            self.features = nn.Sequential(nn.Conv2D(1, 6, 3, padding=1), nn.BatchNorm2D(6), nn.ReLU(), nn.MaxPool2D(2, 2))
            self.act, self.unused, self.fc = nn.ReLU(), nn.Linear(2, 2), nn.Linear(6 * 14 * 14, 10)

        def forward(self, x):
            return self.act(self.fc(paddle.flatten(self.act(self.features(x)), 1)))

    class Words(nn.Layer):
        def __init__(self):
            super().__init__()
            self.lstm, self.cell, self.norm = nn.LSTM(4, 6, 2), nn.GRUCell(6, 5), nn.LayerNorm(6)
            self.attention, self.table = nn.MultiHeadAttention(6, 2), nn.Embedding(9, 4)

        def forward(self, words):
            y, _ = self.lstm(self.table(words))
            y = self.norm(self.attention(y))
            return {"y": y, "state": self.cell(y[:, 0])[0]}

    class Many(nn.Layer):
        def __init__(self):
            super().__init__()
            self.layers = nn.LayerList(
                [
                    nn.Conv2D(2, 4, 3, groups=2), nn.LeakyReLU(), nn.PReLU(), nn.AvgPool2D(2), nn.AdaptiveAvgPool2D(2),
                    nn.Conv2DTranspose(4, 3, 2), nn.ReLU6(), nn.GELU(), nn.GroupNorm(3, 3), nn.Dropout(0.5), nn.Softmax(),
                    nn.AdaptiveMaxPool2D(1), nn.Flatten(), nn.Linear(3, 2, bias_attr=False), nn.LayerNorm(2),
                ]
            )  # fmt: skip

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    class Both(nn.Layer):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(512, 3), nn.Embedding(9, 3)

        def forward(self, x, y):
            return self.a(x) + self.b(y)

    def frozen():
        net = Both()
        net.a.weight.stop_gradient = True
        return paddle.summary(net, [(1000, 512), (1000,)], ["float32", "int64"])

    class Inner(nn.Layer):
        def __init__(self, outputs):
            super().__init__()
            self.outputs = outputs

        def forward(self, x, *others):
            return self.outputs(x)

    class Outer(nn.Layer):
        def __init__(self, outputs, others=()):
            super().__init__()
            self.inner, self.others = Inner(outputs), others

        def forward(self, x):
            return self.inner(x, *self.others)

    def odd():
        kinds = [lambda x: None, lambda x: "x", lambda x: (x, None, 2, "y"), lambda x: x.numpy(), lambda x: {"x": x}]
        found = [paddle.summary(Outer(outputs), (2, 3)) for outputs in kinds]
        return [*found, paddle.summary(Outer(kinds[0], (None, 3, {"x": 1}, [None])), (2, 3))]

    def endless():
        model, given = classifier(), [Points()[slice(i, i + 4)] for i in (0, 4, 8)]
        found = []
        for verbose in (1, 2):
            model.fit(iter(given), iter(given), verbose=verbose, log_freq=2)
            found.append(model.evaluate(iter(given), verbose=verbose, log_freq=2))
            model.predict(iter([x for x, _ in given]), verbose=verbose)
        return found

    def told(name):
        class Told:
            run = None

            def __init__(self, *args, **kwargs):
                print("made", *args, sorted(kwargs.items()))

            def __getattr__(self, name):
                return lambda *args, **kwargs: print(name, *args, sorted(kwargs.items()))

        package = types.ModuleType(name)
        package.LogWriter = package.init = Told
        package.run = None
        former = sys.modules.get(name)
        sys.modules[name] = package
        try:
            model, given = classifier(), {"batch_size": 10, "verbose": 0}
            kind = paddle.callbacks.VisualDL if name == "visualdl" else paddle.callbacks.WandbCallback
            model.fit(Points(), Points(8), epochs=2, shuffle=False, callbacks=[kind("mine")], **given)
            if name == "visualdl":  # the wheel's WandbCallback has no epoch then
                model.evaluate(Points(8), callbacks=kind("other"), **given)
        finally:
            if former is None:
                del sys.modules[name]
            else:
                sys.modules[name] = former

    def called():
        calls = paddle.hapi.callbacks.config_callbacks(None, classifier(), epochs=1, steps=3, log_freq=2, verbose=2, metrics=["loss"])
        for mode in ("train", "eval", "predict"):
            calls.on_begin(mode, {"steps": 3, "metrics": ["loss", "acc"]})
            if mode == "train":
                calls.on_epoch_begin(0)
            for step in range(3):
                calls.on_batch_begin(mode, step, {})
                calls.on_batch_end(mode, step, {"loss": 0.25, "acc": 0.5})
            calls.on_end(mode, {"loss": 0.25, "acc": 0.5})

    class Shared(nn.Layer):
        def __init__(self):
            super().__init__()
            self.a = nn.Linear(4, 4)
            self.b, self.c = self.a, nn.LayerList([nn.Linear(4, 4), self.a])

        def forward(self, x):
            return self.c[1](self.c[0](self.b(self.a(x))))

    def hooked():
        hapi = {
            name: importlib.import_module(f"{paddle.__name__}.hapi.{name}") for name in ("dynamic_flops", "model_summary", "static_flops")
        }
        flops, table = hapi["dynamic_flops"], hapi["static_flops"].Table(["layer", "shape", "ops"])
        net, found = Many(), []
        net.eval()
        for layer in net.layers:
            layer.register_buffer("total_ops", paddle.zeros([1], "int64"))
            layer.register_buffer("total_params", paddle.zeros([1], "int64"))
            for hook in (flops.register_hooks.get(type(layer), flops.count_zero_ops), flops.count_parameters, flops.count_io_info):
                layer.register_forward_post_hook(hook)
        net(paddle.ones([1, 2, 10, 10]))
        for layer in net.layers:
            found.append([int(layer.total_ops), int(layer.total_params), layer.input_shape.tolist(), layer.output_shape.tolist()])
            table.add_row([layer.full_name(), found[-1][3], found[-1][0]])
        table.print_table()
        print(hapi["model_summary"].summary_string(net, [(1, 2, 10, 10)])[0])
        return found

    def doubled(layer, x, y):
        layer.total_ops += 2 * int(y.numel())

    return {
        "fit quietly": lambda: fit(verbose=0),
        "fit with a bar": lambda: fit(verbose=1),
        "fit with lines": fit,
        "fit with times": lambda: fit(verbose=3, epochs=1),
        "fit, last batch": lambda: fit(batch_size=8, log_freq=1),
        "fit, other batches to evaluate": lambda: fit(batch_size=[8, 3]),
        "fit, drop the last": lambda: fit(batch_size=8, drop_last=True),
        "fit, shuffled": lambda: fit(batch_size=7, shuffle=True),
        "fit, accumulated": lambda: fit(accumulate_grad_batches=2),
        "fit, seldom evaluated": lambda: fit(epochs=4, eval_freq=2),
        "fit, few batches": lambda: fit(epochs=9, num_iters=7),
        "fit, fewer batches": lambda: fit(epochs=9, num_iters=6),
        "fit again": again,
        "fit, callbacks": lambda: fit(verbose=0, batch_size=8, callbacks=[Record()])[0],
        "fit, saved": saved,
        "fit, saved seldom": lambda: saved(save_freq=2),
        "without metrics": lambda: [classifier(metric=False).train_batch([Points().x], [Points().y])],
        "several metrics": tops,
        "batches": batches,
        "evaluate with lines": lambda: classifier().evaluate(Points(9), batch_size=2, log_freq=2),
        "evaluate with a bar": lambda: classifier().evaluate(Points(9), batch_size=2, log_freq=2, verbose=1),
        "evaluate few batches": lambda: classifier().evaluate(Points(9), batch_size=2, verbose=0, num_iters=2),
        "predict": predictions,
        "stop": lambda: stopping("loss", patience=1, min_delta=10.0),
        "stop, accuracy": lambda: stopping("acc", patience=2, save_best_model=False),
        "stop, baseline": lambda: stopping("acc", patience=1, baseline=2.0, verbose=0),
        "reduce": lambda: reducing(patience=1, min_delta=10.0, cooldown=1),
        "reduce to a bound": lambda: reducing(monitor="acc", patience=1, factor=0.5, min_lr=0.04),
        "schedule by step": scheduled,
        "schedule by epoch": lambda: scheduled(by_step=False, by_epoch=True),
        "lenet": lenet,
        "several losses": several,
        "summary": lambda: paddle.summary(Mixed(), (None, 1, 28, 28)),
        "summary of LeNet": lambda: paddle.summary(LeNet(), (-1, 1, 28, 28)),
        "summary of words": lambda: paddle.summary(Words(), (2, 3), "int64"),
        "summary of an input": lambda: paddle.summary(Words(), input=paddle.ones([2, 3], "int64")),
        "summary of many": lambda: paddle.summary(Many(), (1, 2, 10, 10)),
        "summary of one": lambda: paddle.summary(nn.Linear(4, 3), (2, 4)),
        "summary of a recurrent net": lambda: paddle.summary(nn.LSTM(3, 4, 2, direction="bidirect"), (2, 5, 3)),
        "summary of another": lambda: paddle.summary(nn.SimpleRNN(3, 4), (2, 5, 3)),
        "summary of a cell": lambda: paddle.summary(nn.RNN(nn.GRUCell(3, 4)), (2, 5, 3)),
        "summary of two inputs": frozen,
        "summary of odd outputs": odd,
        "summary of an unknown size": lambda: paddle.summary(nn.Conv2D(1, 2, 1), (2, 1, None, 4)),
        "batches without a length": endless,
        "callbacks by hand": called,
        "what visualdl is told": lambda: told("visualdl"),
        "what wandb is told": lambda: told("wandb"),
        "summary of a model": lambda: classifier().summary(),
        "flops of LeNet": lambda: paddle.flops(LeNet(), [1, 1, 28, 28], print_detail=True),
        "flops of mixed": lambda: paddle.flops(Mixed(), [2, 1, 28, 28], print_detail=True),
        "flops of many": lambda: paddle.flops(Many(), [1, 2, 10, 10], print_detail=True),
        "flops of one": lambda: paddle.flops(nn.Linear(4, 3), [2, 4], print_detail=True),
        "flops of pads": lambda: paddle.flops(nn.Sequential(nn.Pad2D(1), nn.ZeroPad2D(1)), [1, 1, 2, 2], print_detail=True),
        "flops of a shared layer": lambda: paddle.flops(Shared(), [2, 4], print_detail=True),
        "flops by hooks": hooked,
        "flops by hand": lambda: paddle.flops(LeNet(), [1, 1, 28, 28], custom_ops={nn.Linear: doubled}),
    }


def run(paddle, case):
    """What a case prints, without what hangs on time, and what it returns."""
    import contextlib
    import io
    import re

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), paddle.utils.unique_name.guard():
        value = case()
    text = re.sub(r"[0-9.]+[mu]?s/step", "T/step", printed.getvalue())
    text = re.sub(r"(reader_cost|batch_cost|ips): [0-9.]+", r"\1: T", text)
    text = re.sub(r"ETA: [0-9:]+s?", "ETA: T", text)
    text = re.sub(r"at \S*/(\w+)\n", r"at FOLDER/\1\n", text)
    text = re.sub(r"T/step *\x08*", "T/step", text)
    return {"printed": re.sub(r"\x08+", "\b", text), "returned": value}  # as many as the time before had characters
