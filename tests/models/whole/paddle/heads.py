"""Detection heads: YOLO losses on two scales with soft scores, boxes, suppression, proposals for a pyramid, priors."""

import numpy as np
import paddle
import paddle.nn as nn
import paddle.nn.functional as F
from paddle import ParamAttr
from paddle.regularizer import L2Decay
from paddle.vision.ops import distribute_fpn_proposals, matrix_nms, prior_box, roi_align, yolo_box, yolo_loss

paddle.seed(1)


class ConvBNLayer(nn.Layer):
    def __init__(self, i, o, k=3, s=1, g=1, act="leaky"):
        super().__init__()
        self.conv = nn.Conv2D(
            i, o, k, s, (k - 1) // 2, groups=g, bias_attr=False, weight_attr=ParamAttr(initializer=nn.initializer.KaimingUniform())
        )
        self.batch_norm = nn.BatchNorm2D(o, weight_attr=ParamAttr(regularizer=L2Decay(0.0)), bias_attr=ParamAttr(regularizer=L2Decay(0.0)))
        self.act = act

    def forward(self, x):
        x = self.batch_norm(self.conv(x))
        return F.leaky_relu(x, 0.1) if self.act == "leaky" else x * F.sigmoid(x) if self.act == "silu" else F.mish(x)


class SPP(nn.Layer):
    def __init__(self, c):
        super().__init__()
        self.pools = [self.add_sublayer("pool%d" % k, nn.MaxPool2D(k, 1, k // 2)) for k in (5, 9)]
        self.c = ConvBNLayer(c * 3, c, 1, act="silu")

    def forward(self, x):
        return self.c(paddle.concat([x] + [p(x) for p in self.pools], axis=1))


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.stem = ConvBNLayer(3, 8)
        self.d1 = ConvBNLayer(8, 16, 3, 2)
        self.d2 = ConvBNLayer(16, 16, 3, 2, g=4, act="mish")
        self.d3 = ConvBNLayer(16, 32, 3, 2)
        self.spp = SPP(32)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.lat = ConvBNLayer(32 + 16, 16, 1)
        self.heads = nn.LayerList([nn.Conv2D(32, 3 * 9, 1, bias_attr=ParamAttr(regularizer=L2Decay(0.0))), nn.Conv2D(16, 3 * 9, 1)])
        self.anchors = [[30, 61, 62, 45, 59, 39], [10, 13, 16, 30, 33, 23]]

    def forward(self, x):
        x = self.d2(self.d1(self.stem(x)))
        p = x
        q = self.spp(self.d3(x))
        return [self.heads[0](q), self.heads[1](self.lat(paddle.concat([self.up(q), p], 1)))]


n = Net()
sch = paddle.optimizer.lr.PiecewiseDecay([4, 8], [0.0001, 5e-05, 1e-05])
opt = paddle.optimizer.Momentum(
    paddle.optimizer.lr.LinearWarmup(sch, 2, 1e-05, 0.0001), 0.9, parameters=n.parameters(), weight_decay=L2Decay(0.0005), use_nesterov=True
)
r = np.random.RandomState(0)
for it in range(6):
    img = paddle.to_tensor(r.rand(2, 3, 64, 64).astype("f4"))
    gt = r.rand(2, 4, 4).astype("f4") * 0.4 + 0.2
    gl = r.randint(0, 4, (2, 4)).astype("int32")
    gs = r.rand(2, 4).astype("f4")
    outs = n(img)
    ls = []
    for o, ds, mask in zip(outs, (8, 4), ([3, 4, 5], [0, 1, 2])):
        ls.append(
            yolo_loss(
                o,
                paddle.to_tensor(gt),
                paddle.to_tensor(gl),
                anchors=[10, 13, 16, 30, 33, 23, 30, 61, 62, 45, 59, 39],
                anchor_mask=mask,
                class_num=4,
                ignore_thresh=0.5,
                downsample_ratio=ds,
                gt_score=paddle.to_tensor(gs),
                use_label_smooth=True,
                scale_x_y=1.05,
            ).mean()
        )
    l = paddle.add_n(ls)
    l.backward()
    opt.minimize(l)
    opt.clear_grad()
    opt._learning_rate.step()
    print(it, float(l), [float(x) for x in ls], opt.get_lr())
n.eval()
bs, ss = ([], [])
for o, an, ds in zip(n(img), n.anchors, (8, 4)):
    b, s = yolo_box(
        o,
        paddle.to_tensor(np.array([[64, 64], [48, 80]], "int32")),
        anchors=an,
        class_num=4,
        conf_thresh=0.3,
        downsample_ratio=ds,
        clip_bbox=True,
    )
    bs.append(b)
    ss.append(s.transpose([0, 2, 1]))
b = paddle.concat(bs, 1)
s = paddle.concat(ss, 2)
print(b.shape, s.shape, float(b.sum()), float(s.sum()))
keep = paddle.vision.ops.nms(b[0], 0.5, s[0].max(0), paddle.argmax(s[0], 0), [0, 1, 2, 3], 10)
print(keep)
o, ix, num = matrix_nms(b, s, 0.1, 0.05, 40, 10, background_label=-1, return_index=True)
print(o.numpy().round(3)[:5], num, ix.shape)
rois = paddle.to_tensor([[0.0, 0, 30, 30], [10, 10, 60, 60], [5, 5, 200, 200]])
ml, ri, rn = distribute_fpn_proposals(rois, 2, 4, 3, 56, rois_num=paddle.to_tensor([2, 1], dtype="int32"))
print([x.shape for x in ml], ri.numpy().tolist(), [x.numpy().tolist() for x in rn])
print(float(roi_align(n.stem(img), rois / 4, paddle.to_tensor([2, 1], dtype="int32"), 4, 0.5, aligned=True).sum()))
pb, pv = prior_box(n.d1(n.stem(img)), img, [8.0], [16.0], [2.0], [0.1, 0.1, 0.2, 0.2], True, True)
print(pb.shape, pv[0, 0, 0])
