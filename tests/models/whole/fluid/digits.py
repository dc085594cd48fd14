"""Digits by three networks, tested after each epoch, saved in two files and asked."""

import numpy
import paddle
import paddle.fluid as fluid

BATCH_SIZE = 8


def data(n, seed):

    def reader():
        r = numpy.random.RandomState(seed)
        for _ in range(n):
            yield (r.uniform(-1, 1, 784).astype("float32"), int(r.randint(10)))

    return reader


def loss_net(hidden, label):
    prediction = fluid.layers.fc(input=hidden, size=10, act="softmax")
    loss = fluid.layers.cross_entropy(input=prediction, label=label)
    avg_loss = fluid.layers.mean(loss)
    acc = fluid.layers.accuracy(input=prediction, label=label)
    return (prediction, avg_loss, acc)


def multilayer_perceptron(img, label):
    img = fluid.layers.fc(input=img, size=64, act="tanh")
    hidden = fluid.layers.fc(input=img, size=32, act="tanh")
    return loss_net(hidden, label)


def softmax_regression(img, label):
    return loss_net(img, label)


def convolutional_neural_network(img, label):
    conv_pool_1 = fluid.nets.simple_img_conv_pool(input=img, filter_size=5, num_filters=6, pool_size=2, pool_stride=2, act="relu")
    conv_pool_1 = fluid.layers.batch_norm(conv_pool_1)
    conv_pool_2 = fluid.nets.simple_img_conv_pool(input=conv_pool_1, filter_size=5, num_filters=10, pool_size=2, pool_stride=2, act="relu")
    return loss_net(conv_pool_2, label)


def train(nn_type, save_dirname):
    main = fluid.Program()
    startup = fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        main.random_seed = 90
        startup.random_seed = 90
        img = fluid.data(name="img", shape=[None, 1, 28, 28], dtype="float32")
        label = fluid.data(name="label", shape=[None, 1], dtype="int64")
        net_conf = globals()[nn_type]
        prediction, avg_loss, acc = net_conf(img, label)
        test_program = main.clone(for_test=True)
        fluid.optimizer.Adam(learning_rate=0.001).minimize(avg_loss)

        def train_test(train_test_program, train_test_feed, train_test_reader):
            acc_set, avg_loss_set = ([], [])
            for test_data in train_test_reader():
                acc_np, avg_loss_np = exe.run(program=train_test_program, feed=train_test_feed.feed(test_data), fetch_list=[acc, avg_loss])
                acc_set.append(float(acc_np))
                avg_loss_set.append(float(avg_loss_np))
            return (numpy.array(avg_loss_set).mean(), numpy.array(acc_set).mean())

        place = fluid.CPUPlace()
        exe = fluid.Executor(place)
        feeder = fluid.DataFeeder(feed_list=[img, label], place=place)
        exe.run(startup)
        lists = []
        for epoch_id in range(2):
            for step, d in enumerate(paddle.batch(data(80, epoch_id), BATCH_SIZE)()):
                metrics = exe.run(main, feed=feeder.feed(d), fetch_list=[avg_loss, acc])
                if step % 3 == 0:
                    print("Pass %d, Batch %d, Cost %f, acc %s" % (epoch_id, step, metrics[0], metrics[1]))
            avg, a = train_test(test_program, feeder, paddle.batch(data(24, 9), BATCH_SIZE))
            print("Test with Epoch %d, avg_cost: %s, acc: %s" % (epoch_id, round(avg, 5), a))
            lists.append((epoch_id, avg, a))
        fluid.io.save_inference_model(save_dirname, ["img"], [prediction], exe, model_filename="m", params_filename="p")
        best = sorted(lists, key=lambda l: float(l[1]))[0]
        print("Best pass is %s, testing Avgcost is %.5f" % (best[0], best[1]))
    with fluid.scope_guard(fluid.Scope()):
        prog, feeds, fetches = fluid.io.load_inference_model(save_dirname, exe, "m", "p")
        x = numpy.random.RandomState(3).uniform(-1, 1, (1, 1, 28, 28)).astype("float32")
        out = exe.run(prog, feed={feeds[0]: x}, fetch_list=fetches)
        lab = numpy.argsort(out)
        print("Inference result of image: %d" % lab[0][0][-1], numpy.round(out[0], 4))


for t in ["softmax_regression", "multilayer_perceptron", "convolutional_neural_network"]:
    print(t)
    train(t, t + ".model")
