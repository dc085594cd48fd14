"""Networks that generate: DCGAN in two Programs, WGAN with a gradient penalty, a VAE and a CycleGAN."""

import numpy as np
import paddle.fluid as fluid

L = fluid.layers


def R(i):
    return np.random.RandomState(i)


def bn(x, name, act="relu"):
    return L.batch_norm(
        x, param_attr=name + "1", bias_attr=name + "2", moving_mean_name=name + "3", moving_variance_name=name + "4", name=name, act=act
    )


def deconv(x, nf, name, act="relu"):
    return L.conv2d_transpose(
        x,
        num_filters=nf,
        output_size=None,
        filter_size=4,
        stride=2,
        padding=1,
        act=act,
        param_attr=name + "w",
        bias_attr=name + "b",
        name=name,
    )


def D(x):
    x = L.reshape(x, [-1, 1, 8, 8])
    x = L.conv2d(x, 6, 4, 2, 1, act="leaky_relu", param_attr="d_1w", bias_attr="d_1b", name="d_1")
    x = bn(L.fc(L.flatten(x), 16, param_attr="d_2w", bias_attr="d_2b", name="d_2"), "d_bn", act="leaky_relu")
    return L.fc(x, 1, act="sigmoid", param_attr="d_3w", bias_attr="d_3b", name="d_3")


def G(x):
    x = bn(L.fc(x, 6 * 2 * 2, param_attr="g_1w", bias_attr="g_1b", name="g_1"), "g_bn")
    x = L.reshape(x, [-1, 6, 2, 2])
    x = deconv(x, 4, "g_2")
    x = deconv(x, 1, "g_3", act="tanh")
    return L.reshape(x, [-1, 64])


def loss(x, label):
    return L.mean(L.sigmoid_cross_entropy_with_logits(x=x, label=label))


def dcgan():
    d_prog, dg_prog = (fluid.Program(), fluid.Program())
    st = fluid.default_startup_program()
    st.random_seed = 8
    d_prog.random_seed = dg_prog.random_seed = 8
    with fluid.program_guard(d_prog):
        img = fluid.data("img", [None, 64])
        label = fluid.data("label", [None, 1])
        d_logit = D(img)
        d_loss = loss(d_logit, label)
    with fluid.program_guard(dg_prog):
        noise = fluid.data("noise", [None, 5])
        g_img = G(noise)
        g_program = dg_prog.clone()
        g_program_test = dg_prog.clone(for_test=True)
        dg_logit = D(g_img)
        ones = L.fill_constant_batch_size_like(input=noise, dtype="float32", shape=[-1, 1], value=1)
        dg_loss = loss(dg_logit, ones)
    opt = fluid.optimizer.Adam(learning_rate=0.002)
    opt.minimize(loss=d_loss, parameter_list=None, startup_program=st)
    g_params = [p.name for p in g_program.global_block().all_parameters()]
    with fluid.program_guard(dg_prog, st):
        fluid.optimizer.Adam(0.002).minimize(loss=dg_loss, startup_program=st, parameter_list=g_params)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(st)
    for i in range(4):
        n = R(i).uniform(-1, 1, (6, 5)).astype("float32")
        real = R(i + 50).uniform(-1, 1, (6, 64)).astype("float32")
        (gen,) = exe.run(g_program, feed={"noise": n}, fetch_list=[g_img])
        tot = np.concatenate([real, gen])
        a = exe.run(d_prog, feed={"img": gen, "label": np.zeros((6, 1), "float32")}, fetch_list=[d_loss])[0][0]
        b = exe.run(d_prog, feed={"img": real, "label": np.ones((6, 1), "float32")}, fetch_list=[d_loss])[0][0]
        c = exe.run(dg_prog, feed={"noise": n}, fetch_list=[dg_loss])[0][0]
        print("Epoch {:02d} d_loss {:.4f} g_loss {:.4f}".format(i, a + b, c), tot.shape)
    s = exe.run(g_program_test, feed={"noise": n}, fetch_list=[g_img])
    print("%.4f" % np.abs(s[0]).mean(), sorted(g_params))


with fluid.unique_name.guard():
    dcgan()


def wgan_gp():
    main, st = (fluid.Program(), fluid.Program())
    main.random_seed = st.random_seed = 2
    with fluid.program_guard(main, st), fluid.unique_name.guard():
        real = fluid.data("real", [4, 6])
        fake = fluid.data("fake", [4, 6])
        alpha = fluid.data("alpha", [4, 1])

        def critic(x):
            return L.fc(L.fc(x, 8, act="leaky_relu", param_attr="c1", bias_attr="c1b"), 1, param_attr="c2", bias_attr="c2b")

        inter = real + alpha * (fake - real)
        inter.stop_gradient = False
        out = critic(inter)
        g = fluid.gradients(out, inter)[0]
        norm = L.sqrt(L.reduce_sum(L.square(g) + 1e-12, dim=1))
        gp = L.reduce_mean(L.square(norm - 1.0))
        loss_ = L.reduce_mean(critic(fake)) - L.reduce_mean(critic(real)) + 10.0 * gp
        fluid.optimizer.Adam(0.01, beta1=0.5, beta2=0.9).minimize(loss_)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(st)
    for i in range(4):
        o = exe.run(
            main,
            feed={
                "real": R(i).rand(4, 6).astype("float32"),
                "fake": R(i + 7).rand(4, 6).astype("float32"),
                "alpha": R(i + 70).rand(4, 1).astype("float32"),
            },
            fetch_list=[loss_, gp],
        )
        print("wgan %d %.5f %.5f" % (i, o[0], o[1]))


wgan_gp()


def vae():
    main, st = (fluid.Program(), fluid.Program())
    main.random_seed = st.random_seed = 2
    with fluid.program_guard(main, st), fluid.unique_name.guard():
        x = fluid.data("x", [None, 12])
        eps = fluid.data("eps", [None, 3])
        h = L.fc(x, 8, act="elu")
        mu = L.fc(h, 3)
        lv = L.fc(h, 3)
        z = mu + eps * L.exp(0.5 * lv)
        y = L.fc(L.fc(z, 8, act="swish"), 12)
        rec = L.reduce_mean(L.reduce_sum(L.sigmoid_cross_entropy_with_logits(y, x), dim=-1))
        kl = L.reduce_mean(-0.5 * L.reduce_sum(1 + lv - L.square(mu) - L.exp(lv), dim=1))
        total = rec + kl
        fluid.optimizer.Adamax(0.02).minimize(total)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(st)
    for i in range(4):
        print(
            "vae",
            [
                "%.5f" % v
                for v in exe.run(
                    main,
                    feed={"x": R(i).rand(5, 12).astype("float32"), "eps": R(i + 3).randn(5, 3).astype("float32")},
                    fetch_list=[total, rec, kl],
                )
            ],
        )


vae()


def cycle():

    def IN(x, n):
        return L.relu(
            L.instance_norm(x, param_attr=fluid.ParamAttr(name=n + "_s", initializer=fluid.initializer.Constant(1.0)), bias_attr=n + "_o")
        )

    def gen(x, n):
        y = L.pad2d(x, [2, 2, 2, 2], mode="reflect")
        y = IN(
            L.conv2d(
                y,
                6,
                5,
                name=n + "c1",
                param_attr=fluid.ParamAttr(name=n + "c1w", initializer=fluid.initializer.NormalInitializer(loc=0.0, scale=0.02)),
                bias_attr=False,
            ),
            n + "n1",
        )
        y = IN(L.conv2d(y, 8, 3, 2, 1, param_attr=n + "c2w", bias_attr=False), n + "n2")
        y = L.conv2d_transpose(y, 6, filter_size=3, stride=2, padding=1, param_attr=n + "c3w", bias_attr=n + "c3b")
        y = L.pad2d(y, [0, 1, 0, 1], mode="constant", pad_value=0.0)
        return L.tanh(L.conv2d(y, 3, 3, padding=1, param_attr=n + "c4w", bias_attr=n + "c4b"))

    main, st = (fluid.Program(), fluid.Program())
    main.random_seed = st.random_seed = 5
    with fluid.program_guard(main, st), fluid.unique_name.guard():
        a = fluid.data("a", [None, 3, 8, 8])
        b = fluid.data("b", [None, 3, 8, 8])
        fb, fa = (gen(a, "ga"), gen(b, "gb"))
        ca, cb = (gen(fb, "gb"), gen(fa, "ga"))
        l = L.reduce_mean(L.abs(ca - a)) * 10.0 + L.reduce_mean(L.abs(L.elementwise_sub(cb, b))) * 10.0
        lr = L.piecewise_decay([2, 4], [0.002, 0.001, 0.0005])
        fluid.optimizer.Adam(lr, beta1=0.5, beta2=0.999, name="gA").minimize(l)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(st)
    for i in range(5):
        print(
            "cycle",
            [
                "%.5f" % v
                for v in exe.run(
                    main,
                    feed={"a": R(i).rand(2, 3, 8, 8).astype("float32"), "b": R(i + 30).rand(2, 3, 8, 8).astype("float32")},
                    fetch_list=[l, lr],
                )
            ],
        )


cycle()
