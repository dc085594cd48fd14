"""SSD, YOLOv3, a Faster R-CNN head, a CRNN with CTC and reading with attention, each with its loss and decoder."""

import numpy as np
import paddle.fluid as fluid
from paddle.fluid.param_attr import ParamAttr
from paddle.fluid.regularizer import L2Decay

L = fluid.layers


def run(name, build, feed, steps=3, opt=None, seed=4, fetch_test=None):
    main, startup = (fluid.Program(), fluid.Program())
    main.random_seed = startup.random_seed = seed
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        loss, extra = build()
        if loss is not None:
            (opt or fluid.optimizer.SGD(0.01)).minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        for i in range(steps):
            out = exe.run(main, feed=feed(i), fetch_list=([loss] if loss is not None else []) + extra, return_numpy=False)
            print(name, i, " ".join(("%s %.4f" % (np.array(o).shape, np.abs(np.array(o).astype("float64")).mean()) for o in out)))


def R(i):
    return np.random.RandomState(i)


def lodt(a, ls):
    return fluid.create_lod_tensor(a, [ls], fluid.CPUPlace())


def conv_bn(x, f, k, s, p, name=None, act="relu"):
    c = L.conv2d(x, f, k, s, p, act=None, param_attr=ParamAttr(initializer=fluid.initializer.Normal(0.0, 0.02)), bias_attr=False)
    return L.batch_norm(
        c,
        act=None if act == "leaky" else act,
        param_attr=ParamAttr(initializer=fluid.initializer.Normal(0.0, 0.02), regularizer=L2Decay(0.0)),
        bias_attr=ParamAttr(initializer=fluid.initializer.Constant(0.0), regularizer=L2Decay(0.0)),
    )


def ssd():
    img = fluid.data("image", [None, 3, 32, 32])
    box = fluid.data("gt_box", [None, 4], lod_level=1)
    lab = fluid.data("gt_label", [None, 1], "int32", lod_level=1)
    a = conv_bn(img, 8, 3, 2, 1)
    b = conv_bn(a, 12, 3, 2, 1)
    c = conv_bn(b, 12, 3, 2, 1)
    locs, confs, bx, bv = L.multi_box_head(
        inputs=[b, c],
        image=img,
        base_size=32,
        num_classes=4,
        min_sizes=[6.0, 14.0],
        max_sizes=[[], 20.0],
        aspect_ratios=[[2.0], [2.0, 3.0]],
        offset=0.5,
        flip=True,
        clip=True,
    )
    loss = L.ssd_loss(locs, confs, box, lab, bx, bv)
    loss = L.reduce_sum(loss)
    nms = L.detection_output(locs, confs, bx, bv, nms_threshold=0.45)
    m = fluid.metrics.DetectionMAP(nms, lab, box, class_num=4, overlap_threshold=0.5, evaluate_difficult=False, ap_version="11point")
    return (loss, [m.get_map_var()[0], locs, confs])


def sf(i):
    ls = [2, 1]
    r = R(i)
    xy = r.uniform(0, 0.5, (3, 2))
    wh = r.uniform(0.1, 0.4, (3, 2))
    return {
        "image": r.rand(2, 3, 32, 32).astype("float32"),
        "gt_box": lodt(np.concatenate([xy, xy + wh], 1).astype("float32"), ls),
        "gt_label": lodt(r.randint(1, 4, (3, 1)).astype("int32"), ls),
    }


run("ssd", ssd, sf, opt=fluid.optimizer.RMSProp(learning_rate=0.001, regularization=L2Decay(5e-05)))


def yolo():
    img = fluid.data("image", [None, 3, 32, 32])
    box = fluid.data("gt_box", [None, 3, 4])
    lab = fluid.data("gt_label", [None, 3], "int32")
    sc = fluid.data("gt_score", [None, 3])
    size = fluid.data("im_size", [None, 2], "int32")
    x = conv_bn(img, 8, 3, 2, 1, act="leaky")
    x = L.leaky_relu(x, 0.1)
    x = conv_bn(x, 8, 3, 2, 1, act="leaky")
    x = conv_bn(x, 8, 3, 2, 1)
    anchors, losses, boxes, scores = ([10, 13, 16, 30, 33, 23, 30, 61], [], [], [])
    y1 = L.conv2d(
        x,
        2 * 8,
        1,
        param_attr=ParamAttr(initializer=fluid.initializer.Normal(0.0, 0.02)),
        bias_attr=ParamAttr(initializer=fluid.initializer.Constant(0.0), regularizer=L2Decay(0.0)),
    )
    up = L.resize_nearest(input=x, scale=2.0)
    y2 = L.conv2d(up, 2 * 8, 1)
    for y, m, ds in ((y1, [2, 3], 8), (y2, [0, 1], 4)):
        losses.append(
            L.reduce_mean(
                L.yolov3_loss(
                    x=y,
                    gt_box=box,
                    gt_label=lab,
                    gt_score=sc,
                    anchors=anchors,
                    anchor_mask=m,
                    class_num=3,
                    ignore_thresh=0.7,
                    downsample_ratio=ds,
                    use_label_smooth=True,
                )
            )
        )
        b, s = L.yolo_box(
            x=y, img_size=size, anchors=[anchors[2 * k + j] for k in m for j in (0, 1)], class_num=3, conf_thresh=0.005, downsample_ratio=ds
        )
        boxes.append(b)
        scores.append(L.transpose(s, [0, 2, 1]))
    pred = L.multiclass_nms(
        bboxes=L.concat(boxes, 1),
        scores=L.concat(scores, 2),
        score_threshold=0.01,
        nms_top_k=40,
        keep_top_k=10,
        nms_threshold=0.45,
        background_label=-1,
    )
    return (sum(losses), [pred] + losses)


def yf(i):
    r = R(i)
    b = r.uniform(0.2, 0.6, (2, 3, 4)).astype("float32")
    b[:, 2] = 0
    return {
        "image": r.rand(2, 3, 32, 32).astype("float32"),
        "gt_box": b,
        "gt_label": r.randint(0, 3, (2, 3)).astype("int32"),
        "gt_score": r.uniform(0.5, 1, (2, 3)).astype("float32"),
        "im_size": np.full((2, 2), 32, "int32"),
    }


run("yolo", yolo, yf, opt=fluid.optimizer.Momentum(0.01, 0.9, regularization=L2Decay(0.0005)))


def rcnn():
    img = fluid.data("image", [1, 3, 64, 64])
    info = fluid.data("im_info", [1, 3])
    gt = fluid.data("gt_box", [None, 4], lod_level=1)
    lab = fluid.data("gt_label", [None, 1], "int32", lod_level=1)
    crowd = fluid.data("is_crowd", [None, 1], "int32", lod_level=1)
    x = conv_bn(conv_bn(img, 8, 3, 4, 1), 8, 3, 4, 1)
    anchor, var = L.anchor_generator(
        input=x, anchor_sizes=[16, 32], aspect_ratios=[0.5, 1.0], variance=[1.0, 1.0, 1.0, 1.0], stride=[16.0, 16.0]
    )
    rpn = L.conv2d(x, 8, 3, padding=1, act="relu")
    sc = L.conv2d(rpn, 4, 1)
    bb = L.conv2d(rpn, 16, 1)
    prob = L.sigmoid(sc)
    rois, _ = L.generate_proposals(
        scores=prob,
        bbox_deltas=bb,
        im_info=info,
        anchors=anchor,
        variances=var,
        pre_nms_top_n=40,
        post_nms_top_n=12,
        nms_thresh=0.7,
        min_size=0.0,
    )
    s2 = L.reshape(L.transpose(sc, [0, 2, 3, 1]), (0, -1, 1))
    b2 = L.reshape(L.transpose(bb, [0, 2, 3, 1]), (0, -1, 4))
    sp, lp, st, lt, bw = L.rpn_target_assign(
        bbox_pred=b2,
        cls_logits=s2,
        anchor_box=L.reshape(anchor, [-1, 4]),
        anchor_var=L.reshape(var, [-1, 4]),
        gt_boxes=gt,
        is_crowd=crowd,
        im_info=info,
        rpn_batch_size_per_im=16,
        rpn_straddle_thresh=0.0,
        rpn_fg_fraction=0.5,
        rpn_positive_overlap=0.5,
        rpn_negative_overlap=0.3,
        use_random=False,
    )
    cl = L.reduce_mean(L.sigmoid_cross_entropy_with_logits(x=sp, label=L.cast(st, "float32")))
    rl = L.reduce_sum(L.smooth_l1(x=lp, y=lt, sigma=3.0, inside_weight=bw, outside_weight=bw)) / 16.0
    r2, l2, t2, iw, ow = L.generate_proposal_labels(
        rpn_rois=rois,
        gt_classes=lab,
        is_crowd=crowd,
        gt_boxes=gt,
        im_info=info,
        batch_size_per_im=8,
        fg_fraction=0.25,
        fg_thresh=0.5,
        bg_thresh_hi=0.5,
        bg_thresh_lo=0.0,
        bbox_reg_weights=[0.1, 0.1, 0.2, 0.2],
        class_nums=3,
        use_random=False,
    )
    pool = L.roi_align(input=x, rois=r2, pooled_height=3, pooled_width=3, spatial_scale=1 / 16.0, sampling_ratio=2)
    h = L.fc(pool, 16, act="relu")
    cs = L.fc(h, 3)
    bp = L.fc(h, 12)
    lc = L.reduce_mean(L.softmax_with_cross_entropy(cs, L.cast(l2, "int64")))
    lb = L.reduce_mean(L.smooth_l1(bp, t2, iw, ow, sigma=1.0))
    return (cl + rl + lc + lb, [cl, rl, lc, lb, rois])


def rf(i):
    r = R(i)
    xy = r.uniform(4, 30, (2, 2))
    wh = r.uniform(10, 30, (2, 2))
    return {
        "image": r.rand(1, 3, 64, 64).astype("float32"),
        "im_info": np.array([[64, 64, 1.0]], "float32"),
        "gt_box": lodt(np.concatenate([xy, xy + wh], 1).astype("float32"), [2]),
        "gt_label": lodt(r.randint(1, 3, (2, 1)).astype("int32"), [2]),
        "is_crowd": lodt(np.zeros((2, 1), "int32"), [2]),
    }


run("rcnn", rcnn, rf)


def ctc():
    img = fluid.data("pixel", [None, 1, 16, 32])
    lab = fluid.data("label", [None, 1], "int32", lod_level=1)
    x = fluid.nets.img_conv_group(
        img,
        conv_num_filter=[6, 6],
        pool_size=2,
        pool_stride=2,
        conv_padding=1,
        conv_filter_size=3,
        conv_act="relu",
        conv_with_batchnorm=True,
        pool_type="max",
    )
    s = L.im2sequence(input=x, stride=[1, 1], filter_size=[x.shape[2], 1])
    f1 = L.fc(s, 30)
    f2 = L.fc(s, 30)
    g1 = L.dynamic_gru(f1, 10, candidate_activation="relu")
    g2 = L.dynamic_gru(f2, 10, is_reverse=True, candidate_activation="relu")
    out = L.fc([g1, g2], 6, bias_attr=ParamAttr(initializer=fluid.initializer.Normal(0.0, 0.02)))
    cost = L.warpctc(input=out, label=lab, blank=5, norm_by_times=True)
    dec = L.ctc_greedy_decoder(input=out, blank=5)
    err, n = L.edit_distance(input=dec, label=L.cast(lab, "int64"), normalized=True)
    return (L.reduce_sum(cost), [dec, err, n])


run(
    "crnn_ctc",
    ctc,
    lambda i: {"pixel": R(i).rand(2, 1, 16, 32).astype("float32"), "label": lodt(R(i).randint(0, 5, (5, 1)).astype("int32"), [3, 2])},
    opt=fluid.optimizer.Adam(0.01),
    steps=5,
)


def att():
    img = fluid.data("pixel", [None, 8, 1, 10])
    li = fluid.data("label_in", [None, 1], "int64", lod_level=1)
    lo = fluid.data("label_out", [None, 1], "int64", lod_level=1)
    s = L.im2sequence(img, stride=[1, 1], filter_size=[1, 1])
    g = L.dynamic_gru(L.fc(s, 24), 8)
    gb = L.dynamic_gru(L.fc(s, 24), 8, is_reverse=True)
    enc = L.concat([g, gb], 1)
    proj = L.fc(enc, 8, bias_attr=False)
    boot = L.fc(L.sequence_pool(gb, "first"), 8, bias_attr=False, act="relu")
    emb = L.squeeze(fluid.embedding(li, [12, 6]), [1])
    rnn = L.DynamicRNN()
    with rnn.block():
        w = rnn.step_input(emb)
        ev = rnn.static_input(enc)
        ep = rnn.static_input(proj)
        hm = rnn.memory(init=boot, need_reorder=True)
        dp = L.sequence_expand(x=L.fc(hm, 8, bias_attr=False), y=ep)
        a = L.sequence_softmax(L.fc(L.elementwise_add(ep, dp), 1, act="tanh", bias_attr=False))
        ctx = L.sequence_pool(L.elementwise_mul(x=ev, y=L.reshape(a, [-1]), axis=0), "sum")
        h, _, _ = L.gru_unit(input=L.fc([ctx, w], 24, bias_attr=False), hidden=hm, size=24)
        rnn.update_memory(hm, h)
        rnn.output(L.fc(h, 14, act="softmax"))
    p = rnn()
    cost = L.cross_entropy(p, lo)
    return (L.reduce_sum(cost), [L.sequence_pool(cost, "sum")])


run(
    "attention_ocr",
    att,
    lambda i: {
        "pixel": R(i).rand(2, 8, 1, 10).astype("float32"),
        "label_in": lodt(R(i).randint(0, 12, (7, 1)), [4, 3]),
        "label_out": lodt(R(i + 1).randint(0, 12, (7, 1)), [4, 3]),
    },
    opt=fluid.optimizer.Adadelta(1.0, epsilon=1e-06, rho=0.9),
    steps=4,
)
