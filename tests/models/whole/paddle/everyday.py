"""What surrounds training: data sets, samplers, collation, early stopping, checkpoints, layers, metrics, clips, averages."""

import random

import numpy as np
import paddle
import paddle.nn as nn
import paddle.nn.functional as F
from paddle.io import (
    BatchSampler,
    ComposeDataset,
    ConcatDataset,
    DataLoader,
    Dataset,
    DistributedBatchSampler,
    IterableDataset,
    RandomSampler,
    Sampler,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
    get_worker_info,
    random_split,
)

paddle.seed(0)
np.random.seed(0)
random.seed(0)


class Text(Dataset):
    def __init__(self, n):
        self.d = [(np.random.RandomState(i).randint(1, 9, i % 4 + 2).tolist(), i % 3, {"id": i}) for i in range(n)]

    def __getitem__(self, i):
        return self.d[i]

    def __len__(self):
        return len(self.d)


def collate(b):
    m = max((len(x[0]) for x in b))
    return (np.array([x[0] + [0] * (m - len(x[0])) for x in b]), np.array([[x[1]] for x in b]), [x[2]["id"] for x in b])


class Len(Sampler):
    def __init__(self, ds):
        super().__init__(ds)
        self.o = sorted(range(len(ds)), key=lambda i: len(ds[i][0]))

    def __iter__(self):
        return iter(self.o)

    def __len__(self):
        return len(self.o)


ds = Text(11)
for x, y, ids in DataLoader(ds, batch_sampler=BatchSampler(sampler=Len(ds), batch_size=4), collate_fn=collate, return_list=True):
    print(type(x).__name__, x.tolist() if hasattr(x, "tolist") else x, y.shape, ids)


class It(IterableDataset):
    def __iter__(self):
        w = get_worker_info()
        s = (w.id, w.num_workers) if w else (0, 1)
        for i in range(s[0], 7, s[1]):
            yield {"x": np.full(2, i, "float32"), "y": i}


for b in DataLoader(It(), batch_size=3, drop_last=False):
    print({k: v.numpy().tolist() for k, v in sorted(b.items())})
for b in DataLoader(It(), batch_size=2, num_workers=2):
    print({k: v.numpy().tolist() for k, v in sorted(b.items())})
td = TensorDataset([paddle.arange(6).reshape([6, 1]), paddle.arange(6) * 2])
print([[t.tolist() for t in b] for b in DataLoader(td, batch_size=4)])
print(
    [s.tolist() if hasattr(s, "tolist") else s for s in ComposeDataset([td, td])[1]],
    len(ConcatDataset([td, td])),
    [len(s) for s in random_split(td, [4, 2])],
    list(WeightedRandomSampler(np.array([0.1, 0.9]), 5)),
    list(RandomSampler(td)),
    list(BatchSampler(td, shuffle=True, batch_size=4)),
    list(SubsetRandomSampler([1, 2, 3])) if "SubsetRandomSampler" in globals() else "",
)
dbs = DistributedBatchSampler(td, 2, num_replicas=2, rank=1, shuffle=True)
dbs.set_epoch(2)
print(list(dbs), len(dbs))
net = nn.Linear(3, 2)
sch = paddle.optimizer.lr.StepDecay(0.1, 2)
opt = paddle.optimizer.Adam(sch, parameters=net.parameters())
scaler = paddle.amp.GradScaler(init_loss_scaling=128.0, enable=False)
best, bad = (1000000000.0, 0)
log = []
for ep in range(6):
    x = paddle.to_tensor(np.random.RandomState(ep).rand(8, 3).astype("float32"))
    with paddle.amp.auto_cast(enable=False):
        loss = F.mse_loss(net(x), x[:, :2])
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    opt.clear_grad()
    sch.step()
    log.append(round(loss.item(), 6))
    if loss < best:
        best, bad = (float(loss), 0)
        paddle.save(net.state_dict(), "best.pdparams")
        paddle.save(opt.state_dict(), "best.pdopt")
        paddle.save({"epoch": ep, "best": best, "rng": [1, 2], "sch": sch.state_dict()}, "meta.pkl")
    else:
        bad += 1
    if ep == 3:
        net = nn.Linear(3, 2)
        net.set_dict(paddle.load("best.pdparams"))
        sch = paddle.optimizer.lr.StepDecay(0.1, 2)
        opt = paddle.optimizer.Adam(sch, parameters=net.parameters())
print(log, bad, paddle.load("meta.pkl"), sorted(paddle.load("best.pdopt")))


class E(nn.Layer):
    def __init__(self):
        super().__init__()
        self.w = self.create_parameter(
            [2, 3], attr=paddle.ParamAttr(name="ww", initializer=nn.initializer.KaimingNormal(), learning_rate=0.5, need_clip=False)
        )
        self.register_buffer("steps", paddle.zeros([1]))
        self.add_sublayer("fc", nn.Linear(3, 1))
        self.scale = paddle.to_tensor(2.0)

    def forward(self, x):
        self.steps += 1
        return self.fc(x @ self.w) * self.scale

    def extra_repr(self):
        return "w=2x3"


e = E()
print(e)
print(list(e.state_dict()), [n for n, _ in e.named_buffers()], [n for n, _ in e.named_sublayers()])
e(paddle.ones([1, 2]))
print(e.steps.item(), e.fc.weight.name.split("_")[0], e.w.name, e.w.optimize_attr, e.w.trainable)
sp = nn.utils.spectral_norm(nn.Linear(4, 3))
wn = nn.utils.weight_norm(nn.Linear(4, 3), dim=1)
print(sorted((n for n, _ in wn.named_parameters())), sorted((n for n, _ in sp.named_parameters())), list(sp(paddle.ones([1, 4])).shape))
nn.utils.remove_weight_norm(wn)
v = nn.utils.parameters_to_vector(wn.parameters())
nn.utils.vector_to_parameters(v * 0, wn.parameters())
print(v.shape, wn.weight.sum().item())
(wn(paddle.ones([2, 4])) ** 2 + wn.bias).sum().backward()
print(float(nn.utils.clip_grad_norm_(wn.parameters(), 0.5)), [round(float(p.grad.norm()), 4) for p in wn.parameters()])
m = (paddle.metric.Precision(), paddle.metric.Recall(), paddle.metric.Auc())
p, l = (np.array([0.1, 0.9, 0.8, 0.3]), np.array([0, 1, 0, 1]))
[k.update(p, l) for k in m[:2]]
m[2].update(np.stack([1 - p, p], 1), l[:, None])
print([float(k.accumulate()) for k in m])
print(paddle.summary(nn.Sequential(nn.Conv2D(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(2 * 36, 3)), (1, 1, 8, 8)))
lin = nn.Linear(2, 2)
try:
    paddle.callbacks.VisualDL("log")
except Exception as ex:
    print(type(ex).__name__)
gr = [paddle.ones([2]) * 3]
print(nn.ClipGradByGlobalNorm(1.0)([(lin.bias, gr[0])])[0][1].numpy(), nn.ClipGradByValue(1.0)([(lin.bias, gr[0])])[0][1].numpy())
la = paddle.incubate.LookAhead(paddle.optimizer.SGD(0.1, parameters=lin.parameters()), alpha=0.5, k=2)
ma = paddle.incubate.ModelAverage(0.15, parameters=lin.parameters(), min_average_window=2, max_average_window=4)
for i in range(4):
    l = (lin(paddle.ones([1, 2])) ** 2).sum()
    l.backward()
    la.step()
    la.clear_grad()
    ma.step()
    print("%.5f" % l)
with ma.apply():
    print("%.5f" % (lin(paddle.ones([1, 2])) ** 2).sum())
print("%.5f" % (lin(paddle.ones([1, 2])) ** 2).sum(), "loss is {}".format(l.numpy()), "%s" % l.item(), str(l.shape), l)
try:
    nn.Linear(2, 3)(paddle.ones([1, 5]))
except ValueError:
    print("ValueError")
assert paddle.version.full_version.count(".") == 2
print(paddle.utils.unique_name.generate("fc"), paddle.get_flags("FLAGS_check_nan_inf"), paddle.iinfo("int8").max)
