# ruff: noqa: E501 - a call is a line
"""What feeds, readers, switches and mistakes give under data parallelism of Paddle 1.8.5.

parallel_uses.json: {case: `out` after the code has run, as plain values; {"raises": type} where it raises}.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

import parallel_cases
import parallel_programs

WHEELS = ("1.8.5",)

_NET = """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]
"""

_INFER = """
x = fluid.data('x', [None, 3]); y = fluid.data('y', [None, 2]); z = L.fc(x, 2); w = L.fc(y, 4); exe.run(start); a = compiled(program=main, count=3); xs, ys = data(6, 3), data(6, 2)
go = lambda feed, fetch=(): wrong(exe.run, a, feed=feed, fetch_list=[v.name for v in fetch]) or [np.array(v).shape for v in exe.run(a, feed=feed, fetch_list=[v.name for v in fetch])]
"""

_TRAIN = """
x = fluid.data('x', [None, 3]); y = fluid.data('y', [None, 2]); z = L.fc(x, 2); w = L.fc(y, 4); loss = L.mean(z); lr = L.data('lr', [1], append_batch_size=False); lr.persistable = True; O.SGD(lr).minimize(loss); exe.run(start); a = compiled(loss, count=3); xs, ys = data(6, 3), data(6, 2); one = np.array([1], 'float32')
go = lambda feed, fetch=(): wrong(exe.run, a, feed=feed, fetch_list=[v.name for v in fetch]) or [np.array(v).shape for v in exe.run(a, feed=feed, fetch_list=[v.name for v in fetch])]
d = dict(x=xs, y=ys)
"""

CASES = {
    "after_run": "x = L.data('image', [6]); loss = L.mean(L.fc(x, 3)); O.SGD(0.1).minimize(loss); exe.run(start); b = fluid.BuildStrategy(); c = fluid.CompiledProgram(main).with_data_parallel(loss.name, build_strategy=b, places=fluid.cpu_places(2)); exe.run(c, feed={'image': data(4, 6)}); out = [wrong(setattr, b, n, v) for n, v in [('enable_inplace', False), ('memory_optimize', True), ('num_trainers', 2), ('reduce_strategy', b.ReduceStrategy.Reduce), ('sync_batch_norm', True), ('gradient_scale_strategy', b.GradientScaleStrategy.One), ('debug_graphviz_path', 'a'), ('fuse_all_reduce_ops', False), ('trainer_id', 0), ('trainers_endpoints', ['a']), ('is_distribution', True), ('async_mode', True)]]",
    "inf/empty": _INFER
    + "out = [go([{}, {}, {}]), go([{}]), go([]), go({}), go(None), go([{'x': xs}, {}, {}], [z]), go([{}, {'x': xs}, {'x': xs}], [z]), go([{'x': xs}, {'x': xs}, {}], [z]), go([{'x': xs}, {}, {'x': xs}], [z]), go([{'x': xs}] * 4, [z]), go([{'x': xs}, {'x': xs}, {'x': xs[:0]}], [z])]",
    "train/lr_unfed": _TRAIN + "out = [go(d, [loss]), go([d] * 3, [loss]), go([dict(d, lr=one), d, d], [loss])]",
    "train/lr_rows": _TRAIN
    + """
out = []
for n in (1, 2, 3, 4):
    v = np.arange(1, n + 1).astype('float32')
    out.append(wrong(exe.run, a, feed=dict(d, lr=v), fetch_list=[lr, loss]) or [exe.run(a, feed=dict(d, lr=v), fetch_list=[lr, loss]), value('lr')])
""",
    "cond_feed": "x = fluid.data('x', [None, 3]); s = fluid.data('s', [1]); z = L.fc(x, 2) * s; loss = L.mean(z); O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss); out = [wrong(exe.run, a, feed={'x': data(4, 3), 's': np.array([2], 'float32')}), wrong(exe.run, a, feed={'x': data(4, 3), 's': np.array([2, 3], 'float32')}), exe.run(a, feed=[{'x': data(4, 3), 's': np.array([2], 'float32')}] * 2, fetch_list=[loss])]",
    "loader/True/sample/True": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=True, use_double_buffer=False, drop_last=True)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if True else None
how = 'sample'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if True:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "loader/True/sample/False": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=True, use_double_buffer=False, drop_last=False)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if True else None
how = 'sample'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if True:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "loader/True/list/True": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=True, use_double_buffer=False, drop_last=True)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if True else None
how = 'list'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if True:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "loader/True/list/False": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=True, use_double_buffer=False, drop_last=False)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if True else None
how = 'list'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if True:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "loader/True/batch/True": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=True, use_double_buffer=False, drop_last=True)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if True else None
how = 'batch'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if True:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "loader/True/batch/False": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=True, use_double_buffer=False, drop_last=False)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if True else None
how = 'batch'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if True:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "global/loader/False/sample/True": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=False, use_double_buffer=False, drop_last=True)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if False else None
how = 'sample'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if False:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "global/loader/False/sample/False": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=False, use_double_buffer=False, drop_last=False)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if False else None
how = 'sample'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if False:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "global/loader/False/list/True": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=False, use_double_buffer=False, drop_last=True)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if False else None
how = 'list'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if False:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "global/loader/False/list/False": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=False, use_double_buffer=False, drop_last=False)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if False else None
how = 'list'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if False:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "global/loader/False/batch/True": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=False, use_double_buffer=False, drop_last=True)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if False else None
how = 'batch'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if False:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "global/loader/False/batch/False": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
loader = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=4, iterable=False, use_double_buffer=False, drop_last=False)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

places = fluid.cpu_places(2) if False else None
how = 'batch'
if how == 'sample': loader.set_sample_generator(lambda: iter(rows), batch_size=2, drop_last=True, places=places)
elif how == 'list': loader.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 2), places=places)
else: loader.set_batch_generator(lambda: ([np.array([r[0] for r in rows[i:i + 2]]), np.array([r[1] for r in rows[i:i + 2]])] for i in range(0, 11, 2)), places=places)
c = compiled(loss); out = []
for epoch in range(2):
    if False:
        for feed in loader:
            try: out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
            except Exception as e: out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
    else:
        loader.start()
        try:
            while True: out.append(sorted(float(v) for v in exe.run(c, fetch_list=[loss])[0]))
        except fluid.core.EOFException: loader.reset(); out.append('end')
""",
    "pyreader/iterable": _NET
    + """
r = fluid.io.PyReader(feed_list=[x, y], capacity=2, iterable=True, return_list=False)
r.decorate_sample_list_generator(fluid.io.batch(lambda: iter(rows), 3), fluid.cpu_places(2)); c = compiled(loss); out = []
for _ in range(2):
    for feed in r(): out.append([len(feed), exe.run(c, feed=feed, fetch_list=[loss])])
""",
    "pyreader/list": _NET
    + """
r = fluid.io.DataLoader.from_generator(feed_list=[x, y], capacity=2, iterable=True, return_list=True); out = []
r.set_sample_list_generator(fluid.io.batch(lambda: iter(rows), 3), fluid.cpu_places(2))
for v in r(): out.append([type(v).__name__, len(v), [[np.array(w) for w in u] for u in v]])
""",
    "global/pyreader/odd": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64')
r = fluid.io.PyReader(feed_list=[x, y], capacity=2, iterable=False)
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start)
rows = [(data(4), numbers.randint(0, 3, (1,))) for _ in range(11)]

r.decorate_batch_generator(lambda: ([data(2, 4), np.zeros((2, 1), 'int64')] for _ in range(3))); c = compiled(loss); out = []
for _ in range(3):
    r.start()
    try:
        while True: exe.run(c, fetch_list=[loss]); out.append('run')
    except fluid.core.EOFException: r.reset(); out.append('end')
""",
    "check/minus": """
x = fluid.data('x', [-1, 3, 4]); y = fluid.data('y', [-1, 1], dtype='int64', lod_level=0); s = fluid.data('s', [-1, 2], lod_level=1); loss = L.mean(L.fc(x, 2)) + L.mean(L.sequence_pool(s, 'sum')); O.SGD(0.1).minimize(loss); exe.run(start)
a = compiled(loss); X, Y = data(10, 3, 4), numbers.randint(0, 3, (10, 1))
def go(feed):
    try: return exe.run(a, feed=feed, fetch_list=[loss])
    except Exception as e: return {'kinds': [k.__name__ for k in type(e).__mro__]}
out = [go(v) for v in ({'x': X, 's': lod(data(19, 2), [4, 5, 10])}, {'x': X, 's': data(4, 2)}, {'x': X, 's': lod(data(19, 2).astype('int64'), [4, 5, 10])}, {'x': X, 's': lod(data(19, 3), [4, 5, 10])}, {'x': X, 's': lod(data(4, 2), [4])}, {'x': X[:1], 's': lod(data(4, 2), [1, 3])})]
""",
    "errors/one_device": """
i = fluid.data('i', [None, 1], dtype='int64'); e = L.embedding(i, [6, 2], is_sparse=True); loss = L.mean(L.fc(e, 1)); O.Adam(0.1).minimize(loss); exe.run(start); a = compiled(loss, count=4)
ids = lambda *v: {'i': np.array(v).reshape(-1, 1)}
b4 = value('fc_0.w_0'); out = []
for f in (ids(1, 2, 3, 9), ids(9, 1, 2, 3), ids(-1, 1, 2, 3), ids(1, 1, 7, 3)):
    out.append(wrong(exe.run, a, feed=f, fetch_list=[loss])); out.append(np.array_equal(b4, value('fc_0.w_0')))
out.append(exe.run(a, feed=ids(1, 2, 3, 4), fetch_list=[loss])); out.append(exe.run(a, feed=ids(5, 0, 2, 1, 1, 2, 3, 3), fetch_list=[loss]))
out.append(exe.run(main, feed=ids(5, 0, 2), fetch_list=[loss]))
""",
    "errors/shape": """
x = fluid.data('x', [None, None]); w = L.create_parameter([4, 2], 'float32', name='w'); loss = L.mean(L.matmul(x, w)); O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss)
out = [wrong(exe.run, a, feed=[{'x': data(2, 4)}, {'x': data(2, 5)}]), exe.run(a, feed=[{'x': data(2, 4)}, {'x': data(3, 4)}], fetch_list=[loss])]
""",
    "errors/merge": """
x = fluid.data('x', [None, None]); w = L.create_parameter([4, 2], 'float32', name='w'); m = L.matmul(x, w, transpose_x=False); loss = L.mean(m); t = L.transpose(x, [1, 0]); O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss)
f = [{'x': data(2, 4)}, {'x': data(3, 4)}]
out = [wrong(exe.run, a, feed=f, fetch_list=[t]), exe.run(a, feed=f, fetch_list=[t], return_merged=False) if 0 else 0, [np.array(v).shape for v in exe.run(a, feed=f, fetch_list=[t], return_merged=False, return_numpy=False)[0]]]
""",
    "errors/nostart": """
x = fluid.data('x', [None, 4]); loss = L.mean(L.fc(x, 2)); O.SGD(0.1).minimize(loss); a = compiled(loss)
out = [wrong(exe.run, a, feed={'x': data(4, 4)}, fetch_list=[loss])]
""",
    "closed": "x = fluid.data('x', [None, 4]); loss = L.mean(L.fc(x, 2)); O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss); exe.run(a, feed={'x': data(4, 4)}); exe.close(); out = [wrong(exe.run, a, feed={'x': data(4, 4)}), wrong(exe.run, main, feed={'x': data(4, 4)})]",
    "program_changed": """
x = fluid.data('x', [None, 4]); loss = L.mean(L.fc(x, 2)); exe.run(start); a = compiled(loss); r = [exe.run(a, feed={'x': data(4, 4)}, fetch_list=[loss])]
z = loss * 2
out = r + [wrong(exe.run, a, feed={'x': data(4, 4)}, fetch_list=[z]), exe.run(a, feed={'x': data(4, 4)}, fetch_list=[loss])]
""",
    "kwargs": """
x = fluid.data('x', [None, 4]); loss = L.mean(L.fc(x, 2)); O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss); f = {'x': data(4, 4)}
out = [exe.run(a, f, [loss]), exe.run(a, f, loss), exe.run(a, f, loss.name), exe.run(a, f, (loss,)), exe.run(program=a, feed=f, fetch_list=[loss], use_program_cache=True), exe.run(a, feed=f, fetch_list=[loss], feed_var_name='f', fetch_var_name='g'), wrong(exe.run, a, f, fetch_list=[None]), wrong(exe.run, a, f, fetch_list=3), wrong(exe.run, a, f, fetch_list=[[loss]]), exe.run(a, f, [loss, loss]), exe.run(a, f, [])]
""",
    "drop_scope": """
x = fluid.data('X', [None, 1]); h = L.fc(x, 10); loss = L.mean(h); test = main.clone(for_test=True); O.SGD(0.01).minimize(loss); exe.run(start)
es = fluid.ExecutionStrategy(); es.num_iteration_per_drop_scope = 10
a, b = compiled(loss, exec_strategy=es), compiled(program=test, exec_strategy=es, share=None)
b = fluid.CompiledProgram(test).with_data_parallel(share_vars_from=a, exec_strategy=es)
f = {'X': data(10, 1)}
exe.run(a, feed=f, fetch_list=[loss.name]); exe.run(b, feed=f, fetch_list=[loss.name])
need = lambda: [a._executor._need_create_local_exe_scopes(), b._executor._need_create_local_exe_scopes()]
out = [need()]
a._executor.drop_local_exe_scopes(); b._executor.drop_local_exe_scopes()
out.append(need())
for _ in range(12):
    exe.run(a, feed=f, fetch_list=[loss.name]); exe.run(b, feed=f)
    out.append(need())
""",
    "persistable/lr": """
x = L.data('image', [4]); y = L.data('label', [1], dtype='int64')
lr = L.data('learning_rate', [1], append_batch_size=False); lr.persistable = True
p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); O.SGD(lr).minimize(loss); exe.run(start)
out = []
f = {'image': data(8, 4), 'label': numbers.randint(0, 3, (8, 1))}
half = {'image': data(4, 4), 'label': numbers.randint(0, 3, (4, 1))}
one = np.array([1.0], 'float32'); two = np.array([0.5, 2.0], 'float32')
c = compiled(loss)
for feed in ([dict(half, learning_rate=one), dict(half, learning_rate=one * 0.5)], dict(f, learning_rate=one), dict(f, learning_rate=two), dict(f), [dict(half, learning_rate=one), half], [half, dict(half, learning_rate=one)], dict(f, learning_rate=np.array([1, 2, 3], 'float32')), dict(f, learning_rate=np.float32(1))):
    try:
        out.append([exe.run(c, feed=feed, fetch_list=[loss, lr]), value('fc_0.w_0'), value('learning_rate')])
    except Exception as e:
        out.append({'kinds': [k.__name__ for k in type(e).__mro__]})
""",
    "partial": """
x = fluid.data('x', [None, 3]); y = fluid.data('y', [None, 2]); z = L.fc(x, 2); w = L.fc(y, 4); loss = L.mean(z); exe.run(start)
test = main.clone(for_test=True)
a = compiled(program=test, count=3); xs, ys = data(6, 3), data(6, 2)
go = lambda feed, fetch=(z, w): wrong(exe.run, a, feed=feed, fetch_list=[v.name for v in fetch]) or [np.array(v).shape for v in exe.run(a, feed=feed, fetch_list=[v.name for v in fetch])]
out = [go(f) for f in ([{'x': xs, 'y': ys}] * 3, [{'x': xs, 'y': ys}] * 2, [{'x': xs, 'y': ys}], [{'x': xs, 'y': ys}, {'x': xs, 'y': ys}, {'x': xs}], [{'x': xs, 'y': ys}, {'x': xs}, {'x': xs, 'y': ys}], [{'x': xs, 'y': ys}, {'x': xs}], {'x': xs, 'y': ys[:2]}, {'x': xs[:2], 'y': ys[:1]}, {'x': xs[:1], 'y': ys}, [{'x': xs}, {'y': ys}])]
""",
    "switches/all": """
x = L.data('image', [6]); y = L.data('label', [1], dtype='int64')
p = L.fc(L.fc(x, 4, act='relu'), 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); O.Adam(0.1).minimize(loss); exe.run(start)
import tempfile
f = {'image': data(8, 6), 'label': numbers.randint(0, 3, (8, 1))}
out = []
for name, given in [('fuse_elewise_add_act_ops', True), ('fuse_bn_act_ops', True), ('fuse_relu_depthwise_conv', True), ('fuse_all_reduce_ops', False), ('fuse_all_optimizer_ops', True), ('fuse_broadcast_ops', True), ('enable_sequential_execution', True), ('memory_optimize', False), ('memory_optimize', True), ('memory_optimize', None), ('enable_inplace', False), ('sync_batch_norm', True), ('enable_auto_fusion', False), ('mkldnn_enabled_op_types', set()), ('cache_runtime_context', True), ('async_mode', False), ('enable_backward_optimizer_op_deps', True), ('remove_unnecessary_lock', False), ('num_trainers', 1), ('nccl_comm_num', 1), ('use_hierarchical_allreduce', False), ('is_distribution', False)]:
    try:
        c = compiled(loss, **{name: given}); out.append([name, exe.run(c, feed=f, fetch_list=[loss])])
    except Exception as e:
        out.append([name, {'kinds': [k.__name__ for k in type(e).__mro__]}])
""",
    "switches/exec": """
x = L.data('image', [6]); p = L.fc(L.fc(x, 4, act='relu'), 3); loss = L.mean(p); O.SGD(0.1).minimize(loss); exe.run(start)
f = {'image': data(8, 6)}; out = []
for name, given in [('num_threads', 1), ('num_threads', 8), ('use_cuda', False), ('allow_op_delay', True), ('num_iteration_per_drop_scope', 1), ('use_experimental_executor', True), ('use_thread_barrier', False), ('num_iteration_per_run', 2)]:
    es = fluid.ExecutionStrategy()
    try:
        setattr(es, name, given); c = compiled(loss, exec_strategy=es); out.append([name, exe.run(c, feed=f, fetch_list=[loss]), exe.run(c, feed=f, fetch_list=[loss])])
    except Exception as e:
        out.append([name, {'kinds': [k.__name__ for k in type(e).__mro__]}])
""",
    "execution/dry_run": """
x = fluid.data('x', [None, 3]); h = L.fc(x, 4); loss = L.mean(h); O.SGD(0.1).minimize(loss); exe.run(start); f = {'x': data(4, 3)}; out = []
for count in (1, 2):
    es = fluid.ExecutionStrategy(); es._dry_run = True; c = compiled(loss, count=count, exec_strategy=es); before = value('fc_0.w_0')
    out.append([exe.run(c, feed=f, fetch_list=[loss, h]), exe.run(c, feed=f, fetch_list=[]), exe.run(c, feed=f, fetch_list=[loss, h], return_merged=False)])
    out += [[type(v).__name__ for v in exe.run(c, feed=f, fetch_list=[loss, h], return_numpy=False)], (value('fc_0.w_0') == before).all(), wrong(exe.run, c, feed={'x': data(1, 3)}, fetch_list=[loss])]
""",
    "execution/iterations": """
out = []
for count, beside, many in [(1, True, 1), (1, True, 2), (1, True, 3), (1, False, 3), (2, False, 2)]:
    net, begin = fluid.Program(), fluid.Program(); begin.random_seed = 3; numbers.seed(2)
    with fluid.program_guard(net, begin), fluid.unique_name.guard():
        x = fluid.data('x', [None, 3]); loader = fluid.io.DataLoader.from_generator(feed_list=[x], capacity=4, iterable=False)
        loader.set_batch_generator(lambda: ([data(2, 3)] for _ in range(9))); steps = L.autoincreased_step_counter(); loss = L.mean(L.fc(x, 4)); O.SGD(0.1).minimize(loss)
    exe.run(begin); loader.start(); es = fluid.ExecutionStrategy(); es.num_iteration_per_run = many
    c = compiled(loss, net, count=count, exec_strategy=es, async_mode=beside); out += [exe.run(c, fetch_list=[loss, steps]) for _ in range(3)] + [value('fc_0.w_0')]; loader.reset()
""",
    "execution/threads": """
import threading
x = fluid.data('x', [None, 3]); h = L.fc(x, 4); y = main.current_block().create_var(name='y', dtype='float32', shape=[-1, 4]); out = []
def meet(given):
    seen.append(not wrong(met.wait, patience))
    return np.array(given)
L.py_func(meet, h, y, backward_func=lambda *given: np.array(given[-1])); loss = L.mean(y); O.SGD(0.1).minimize(loss); exe.run(start)
for threads, patience in [(1, 0.1), (2, 30), (0, 30)]:
    es = fluid.ExecutionStrategy(); es.num_threads = threads; c = compiled(loss, exec_strategy=es); met, seen = threading.Barrier(2), []
    out.append([exe.run(c, feed={'x': data(4, 3)}, fetch_list=[loss]), seen]); c = None  # which the function's globals are to let go of
""",
    "dry_run": """
x, y = L.fill_constant([6, 4], 'float32', 0.5), L.fill_constant([6, 1], 'int64', 1)
p = L.fc(L.fc(x, 5, act='tanh'), 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); O.Adam(0.1).minimize(loss); exe.run(start)
c = compiled(loss, count=3)
go = lambda **k: wrong(exe.run, c, **k) or exe.run(c, **k)
out = [go(), go(), go(fetch_list=[loss]), go(feed={}, fetch_list=[loss]), go(feed={}), go(feed=None, fetch_list=[p]), go(feed=[{}, {}, {}], fetch_list=[loss]), go(feed=[], fetch_list=[loss]), go(feed=[{}, {}], fetch_list=[loss])]
""",
    "compile": """
x = L.data('image', [6]); p = L.fc(L.fc(x, 4, act='relu'), 3); loss = L.mean(p); O.SGD(0.1).minimize(loss); exe.run(start)
sc = fluid.global_scope(); pl = fluid.CPUPlace()
c = fluid.CompiledProgram(main); c._compile(sc, pl)
out = [wrong(c._compile, fluid.core.Scope(), pl), wrong(c._compile, sc, fluid.CUDAPlace(0)) if fluid.core.is_compiled_with_cuda() else 0, wrong(fluid.CompiledProgram, 'program'), wrong(fluid.CompiledProgram, None)]
a = fluid.CompiledProgram(main)
d = fluid.CompiledProgram(main).with_data_parallel(loss.name, share_vars_from=a, places=[pl, pl]); out.append(wrong(d._compile, sc, pl))
a2 = fluid.CompiledProgram(main).with_data_parallel(loss.name, places=[pl, pl])
d = fluid.CompiledProgram(main).with_data_parallel(loss.name, share_vars_from=a2, places=[pl, pl]); out.append(wrong(d._compile, sc, pl))
a2._compile(sc, pl)
d = fluid.CompiledProgram(main).with_data_parallel(loss.name, share_vars_from=a2, places=[pl, pl]); out.append(wrong(d._compile, sc, pl))
out.append([a2._is_data_parallel, c._is_data_parallel, a2._compiled, len(a2._places), a2._loss_name == loss.name, a2._program is main])
out.append([exe.run(d, feed={'image': data(4, 6)}, fetch_list=[loss]), exe.run(c, feed={'image': data(4, 6)}, fetch_list=[loss])])
""",
    "passes/builder": """
x = L.data('image', [6]); p = L.fc(L.fc(x, 4, act='relu'), 3); loss = L.mean(p); O.SGD(0.1).minimize(loss); exe.run(start)
b = fluid.BuildStrategy(); pb = b._finalize_strategy_and_create_passes()
n = len(pb.all_passes()); viz = pb.append_pass('graph_viz_pass'); m = len(pb.all_passes())
pb.insert_pass(m, 'graph_viz_pass'); k = len(pb.all_passes()); pb.remove_pass(k - 1); l = len(pb.all_passes()); viz.set('graph_viz_path', 'viz')
c = fluid.CompiledProgram(main).with_data_parallel(loss.name, build_strategy=b, places=fluid.cpu_places(2))
out = [m - n, k - m, l - k, wrong(pb.insert_pass, 1000, 'graph_viz_pass'), wrong(pb.append_pass, 'nobody'), exe.run(c, feed={'image': data(4, 6)}, fetch_list=[loss])]
""",
    "passes/again": """
x = L.data('image', [6]); p = L.fc(L.fc(x, 4, act='relu'), 3); loss = L.mean(p); O.SGD(0.1).minimize(loss); exe.run(start)
b = fluid.BuildStrategy(); pb = b._finalize_strategy_and_create_passes()
n = len(pb.all_passes()); q = b._finalize_strategy_and_create_passes(); pb.append_pass('graph_viz_pass'); out = [len(q.all_passes()) - n, q is pb, wrong(setattr, b, 'enable_inplace', False), wrong(setattr, b, 'num_trainers', 2), str(b.enable_inplace), wrong(pb.remove_pass, 100), wrong(pb.remove_pass, -1), len(pb.all_passes()) - n, wrong(pb.append_pass, 3), wrong(pb.insert_pass, -1, 'graph_viz_pass')]
""",
    "passes/names": """
pb = fluid.BuildStrategy()._finalize_strategy_and_create_passes()
out = [n for n in ('fc_fuse_pass', 'graph_viz_pass', 'fuse_adam_op_pass', 'sync_batch_norm_pass', 'is_test_pass', 'conv_bn_fuse_pass', 'graph_to_program_pass', 'nobody') if wrong(pb.append_pass, n) is None] + [wrong(pb.append_pass('graph_viz_pass').set, 'a', 3), wrong(pb.append_pass('graph_viz_pass').set, 'graph_viz_path', 'x'), pb.append_pass('graph_viz_pass').has('a')]; v = pb.append_pass('graph_viz_pass'); v.set('a', 'b'); out += [v.has('a'), v.has('b'), wrong(v.set, 'a', 'c'), wrong(v.set, 'q', 1.5), wrong(v.set, 'e', {'a'})]
""",
    "passes/switched": """
b = fluid.BuildStrategy(); b.fuse_elewise_add_act_ops = True; b.sync_batch_norm = True; b.fuse_all_optimizer_ops = True; b.reduce_strategy = b.ReduceStrategy.Reduce; b.enable_sequential_execution = True
out = [v.type() for v in b._finalize_strategy_and_create_passes().all_passes()]
""",
    "passes/each": """
base = [v.type() for v in fluid.BuildStrategy()._finalize_strategy_and_create_passes().all_passes()]; out = {}
for n, v in [(n, True) for n in ('async_mode', 'cache_runtime_context', 'enable_sequential_execution', 'fuse_all_optimizer_ops', 'fuse_bn_act_ops', 'fuse_elewise_add_act_ops', 'fuse_relu_depthwise_conv', 'is_distribution', 'sync_batch_norm')] + [('fuse_all_reduce_ops', False), ('remove_unnecessary_lock', False), ('num_trainers', 2), ('reduce_strategy', fluid.BuildStrategy.ReduceStrategy.Reduce)]:
    b = fluid.BuildStrategy(); setattr(b, n, v); out[n] = [v.type() for v in b._finalize_strategy_and_create_passes().all_passes()]
""",
    "local_scopes": """
x = L.data('image', [6]); p = L.fc(L.fc(x, 4, act='relu'), 3); loss = L.mean(p); O.SGD(0.1).minimize(loss); exe.run(start)
c = compiled(loss); exe.run(c, feed={'image': data(4, 6)})
out = [len(c._executor.local_scopes()), [s.find_var('fc_0.w_0') is not None for s in c._executor.local_scopes()], c._executor.device_count()]
""",
    "check/types": """
x = fluid.data('x', [5, 3, 4]); y = fluid.data('y', [5, 1], dtype='int64'); p = L.fc(x, 3, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); O.SGD(0.1).minimize(loss); exe.run(start)
a = compiled(loss); X, Y = data(10, 3, 4), numbers.randint(0, 3, (10, 1))
def go(feed):
    try: return exe.run(a, feed=feed, fetch_list=[loss])
    except Exception as e: return {'kinds': [k.__name__ for k in type(e).__mro__]}
h = {'x': X[:5], 'y': Y[:5]}
out = [go(v) for v in ({'x': X, 'y': Y}, {'x': X[:5], 'y': Y[:5]}, {'x': X[:9], 'y': Y[:9]}, {'x': X[:, :2], 'y': Y}, {'x': X.astype('float64'), 'y': Y}, {'x': X, 'y': Y.astype('int32')}, [h, h], [h, {'x': X, 'y': Y}], {'x': X[:, :, 0], 'y': Y}, {'x': X[:, :, :, None], 'y': Y}, {'x': X.tolist(), 'y': Y}, {'x': lod(X, [5, 5]), 'y': Y}, {'x': None, 'y': Y}, {'x': 'a', 'y': Y}, 3, 'a', [3, 4])]
""",
    "train/lists": _TRAIN
    + "out = [go(v, [loss]) for v in ([dict(d, lr=one)] * 3, [d] * 3, [dict(d, lr=one), d, d], [d, d, dict(d, lr=one)], [dict(d, lr=one), d], [{'lr': one}] * 3, [dict(d, lr=one), dict(d, lr=one), {'x': xs}], dict(d), dict(d, lr=one), dict(lr=one), dict(d, lr=np.array([1, 2, 3], 'float32')), dict(d, lr=np.array([1, 2], 'float32')), dict(d, lr=np.array([1, 2, 3, 4], 'float32')), dict(d, lr=np.array([[1]], 'float32')), [dict(d, lr=np.array([1, 2], 'float32'))] * 3)]",
    "queue": """
r = L.py_reader(8, [(-1, 4), (-1, 1)], ['float32', 'int64'], use_double_buffer=False); x, y = L.read_file(r); exe.run(start)
a = fluid.LoDTensorArray(); out = []
for k in range(3):
    a = fluid.LoDTensorArray()
    for v in (np.full((2, 4), k, 'float32'), np.full((2, 1), k, 'int64')):
        t = fluid.LoDTensor(); t.set(v, fluid.CPUPlace()); a.append(t)
    out.append(r.queue.push(a))
out += [r.queue.size(), r.queue.capacity()]
r.queue.close()
for _ in range(3): out.append(exe.run(main, fetch_list=[x, y]))
try: exe.run(main, fetch_list=[x])
except fluid.core.EOFException: out.append('end')
r.reset()
""",
    "queue/parallel": """
r = L.py_reader(8, [(-1, 4), (-1, 1)], ['float32', 'int64'], use_double_buffer=False); x, y = L.read_file(r); exe.run(start)
out = []
for k in range(4):
    a = fluid.LoDTensorArray()
    for v in (np.full((2, 4), k, 'float32'), np.full((2, 1), k, 'int64')):
        t = fluid.LoDTensor(); t.set(v, fluid.CPUPlace()); a.append(t)
    r.queue.push(a)
c = compiled()
for _ in range(2): out.append(sorted(exe.run(c, fetch_list=[y])[0].ravel().tolist()))
r.queue.close()
try: exe.run(c, fetch_list=[x])
except fluid.core.EOFException: out.append('end')
r.reset()
""",
    "loader/order": """
x = fluid.data('x', [None, 1], 'int64'); r = fluid.io.DataLoader.from_generator([x], capacity=64, iterable=False, use_double_buffer=True); y = L.scale(x, 1)
r.set_sample_list_generator(lambda: iter([[(np.array([i]),)] for i in range(12)])); c = compiled(); out = []
for _ in range(3):
    r.start(); row = []
    try:
        while True: row.append(exe.run(c, fetch_list=[y.name])[0].ravel().tolist())
    except fluid.core.EOFException: r.reset(); row.append('end')
    out.append(row)
""",
    "places": """
x = fluid.data('x', [None, 4]); loss = L.mean(L.fc(x, 3)); O.SGD(0.1).minimize(loss); exe.run(start); f = {'x': data(4, 4)}; P = fluid.CPUPlace
mk = lambda pl: fluid.CompiledProgram(main).with_data_parallel(loss.name, places=pl)
out = [wrong(lambda: exe.run(mk(pl), feed=f, fetch_list=[loss])) or [v.shape for v in exe.run(mk(pl), feed=f, fetch_list=[loss])] for pl in ([P(), P()], (P(), P(), P()), P(), [P()])]
""",
}


def answer(fluid: Any, case: str) -> Any:
    """What a case gives."""
    return parallel_cases.answered(fluid, parallel_programs.START + CASES[case])


def answers() -> Dict[str, Any]:
    """Every case."""
    import paddle.fluid as fluid

    return {case: answer(fluid, case) for case in CASES}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file."""
    return {"parallel_uses.json.gz": answers}
