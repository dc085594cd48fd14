# ruff: noqa: E501 - a call is a line
"""Calls of `fluid.layers`: making, shaping, indexing and searching tensors, random numbers, parameters."""

CASES = {
    "cast": "out = L.cast(f('x', -1, 4), 'int64')",
    "cast/float": "out = L.cast(f('x', -1, 4), 'float64')",
    "concat": "out = L.concat([f('a', -1, 4), f('b', -1, 4)])",
    "concat/axis": "out = L.concat([f('a', -1, 4), f('b', -1, 2)], axis=-1, name='n')",
    "concat/variable": "out = L.concat([f('a', -1, 4), f('b', -1, 2)], axis=L.fill_constant([1], 'int32', 1))",
    "assign": "out = L.assign(f('input', -1, 4))",
    "assign/output": "t = L.create_tensor('float32'); L.assign(f('input', -1, 4), t); out = t",
    "assign/array": "out = L.assign(np.array([[1.5, 2.0], [3.0, 4.0]], 'float32'))",
    "assign/ints": "out = L.assign(np.array([1, 2], 'int32'))",
    "assign/longs": "out = L.assign(np.array([1, 2], 'int64'))",
    "assign/bools": "out = L.assign(np.array([True, False]))",
    "create_tensor": "t = L.create_tensor('float32', name='tt', persistable=True); L.assign(f('x', 2), t); out = t",
    "create_parameter": "out = L.create_parameter([2, 3], 'float32')",
    "create_parameter/name": "out = L.create_parameter([2, 3], 'float32', name='pp', default_initializer=init(2, 3))",
    "create_parameter/bias": "out = L.create_parameter([3], 'float32', is_bias=True, attr=fluid.ParamAttr(learning_rate=2.0))",
    "create_global_var": "out = L.create_global_var([2, 3], 2.5, 'float32', persistable=True)",
    "create_global_var/name": "out = L.create_global_var([1], 3, 'int64', persistable=True, force_cpu=True, name='gg')",
    "fill_constant": "out = L.fill_constant([2, 3], 'float32', 1.5)",
    "fill_constant/int": "out = L.fill_constant(shape=[2], dtype='int64', value=3, force_cpu=True)",
    "fill_constant/big": "out = L.fill_constant([1], 'int64', 2 ** 40 + 1)",
    "fill_constant/out": "t = L.create_tensor('float32'); L.fill_constant([2], 'float32', 0.1, out=t); out = t",
    "fill_constant/list": "out = L.fill_constant([2, L.fill_constant([1], 'int32', 3)], 'float32', 1.0)",
    "fill_constant/tensor": "out = L.fill_constant(L.assign(np.array([2, 3], 'int32')), 'float32', 1.0)",
    "fill_constant/value": "out = L.fill_constant([2, 3], 'float32', L.fill_constant([1], 'float32', 1.5))",
    "fill_constant/casts": "k = L.fill_constant([1], 'int64', 3); out = L.fill_constant([2, k], 'int64', k)",
    "fill_constant/cast": "out = L.fill_constant(L.assign(np.array([2, 3])), 'float32', 1.0)",
    "ones/variable": "out = L.ones([2, L.fill_constant([1], 'int32', 3)], 'float32')",
    "zeros/variable": "out = L.zeros([2, L.fill_constant([1], 'int64', 3)], 'float32')",
    "range/variable": "out = L.range(0, L.fill_constant([1], 'int32', 3), L.fill_constant([1], 'float32', 0.5), 'float32')",
    "topk/rows": "out = L.topk(f('input', 4, 5), L.fill_constant([1], 'int32', 3))",
    "reshape/actual_of_known": "out = L.reshape(f('x', 4, 6), [0, -1], actual_shape=L.assign(np.array([2, 12], 'int32')))",
    "strided_slice/starts": "out = L.strided_slice(f('input', 3, 4), [0, 1], L.assign(np.array([1, 0], 'int32')), [3, 3], [1, 1])",
    "pad2d/images": "out = L.pad2d(f('input', -1, 2, 3, 3), L.assign(np.array([1, 1, 0, 2], 'int32')), mode='edge')",
    "fill_constant_batch_size_like": "out = L.fill_constant_batch_size_like(f('input', -1, 4), [1, 2], 'float32', 2.0)",
    "fill_constant_batch_size_like/dims": "out = L.fill_constant_batch_size_like(f('input', -1, 4), [2, 7], 'int64', 2, 0, 1)",
    "zeros": "out = L.zeros([2, 3], 'float32')",
    "ones": "out = L.ones([2, 3], 'int32', force_cpu=True)",
    "zeros_like": "out = L.zeros_like(f('x', -1, 4))",
    "zeros_like/out": "t = L.create_tensor('float32'); L.zeros_like(f('x', -1, 4), t); out = t",
    "ones_like": "out = L.ones_like(f('x', -1, 4))",
    "full": "out = L.full([2, 3], 1.5)",
    "full/all": "out = L.full(shape=[2], fill_value=3, dtype='int64', device='cpu', stop_gradient=False, name='n')",
    "full_like": "out = L.full_like(f('input', -1, 4), 2.0)",
    "full_like/double": "out = L.full_like(f('input', -1, 4, dtype='float64'), 2.0)",
    "full_like/integers": "out = L.full_like(i('input', -1, 4), 2.0)",
    "full_like/dtype": "out = L.full_like(f('input', -1, 4), 2.0, dtype='int64', name='n')",
    "eye": "out = L.eye(2)",
    "eye/batch": "out = L.eye(2, 3, batch_shape=[2, 1], dtype='int32')",
    "diag": "out = L.diag(f('diagonal', 3, grad=False))",
    "diag/array": "out = L.diag(np.arange(3, dtype='float32'))",
    "diag_embed": "out = L.diag_embed(f('input', 2, 3))",
    "diag_embed/offset": "out = L.diag_embed(f('input', 2, 3), offset=1, dim1=0, dim2=2)",
    "linspace": "out = L.linspace(0, 10, 5, 'float32')",
    "linspace/double": "out = L.linspace(0, 10, 5, 'float64')",
    "linspace/variable": "s = L.fill_constant([1], 'float32', 1.0); out = L.linspace(s, 10.0, L.fill_constant([1], 'int32', 4), 'float32')",
    "range": "out = L.range(0, 10, 2, 'int32')",
    "range/float": "out = L.range(0.5, 2.0, 0.25, 'float32')",
    "arange": "out = L.arange(0, 5)",
    "arange/dtype": "out = L.arange(1.0, 3.0, 0.5, dtype='float32', name='n')",
    "tril": "out = L.tril(f('input', 3, 4))",
    "triu": "out = L.triu(f('input', 3, 4), diagonal=1, name='n')",
    "argmax": "out = L.argmax(f('x', -1, 4))",
    "argmax/axis": "out = L.argmax(f('x', -1, 4), axis=-1)",
    "argmin": "out = L.argmin(f('x', -1, 4), axis=1)",
    "argsort": "out = L.argsort(f('input', -1, 4))",
    "argsort/descending": "out = L.argsort(f('input', -1, 4), axis=0, descending=True, name='n')",
    "topk": "out = L.topk(f('input', -1, 5), k=2)",
    "topk/equal": "out = L.topk(L.assign(np.array([[1, 2, 2, 1, 2, 0, 2, 1], [3] * 8, [0, 0, 0, 0, 4, 4, 1, 1]], 'float32')), k=1)",
    "topk/variable": "out = L.topk(f('input', -1, 5), L.fill_constant([1], 'int32', 3), name='n')",
    "reverse": "out = L.reverse(f('x', 3, 4), axis=0)",
    "reverse/axes": "out = L.reverse(f('x', 3, 4), axis=[0, 1])",
    "flip": "out = L.flip(f('input', 3, 4), dims=[0, 1])",
    "roll": "out = L.roll(f('input', 3, 4), shifts=1)",
    "roll/dims": "out = L.roll(f('input', 3, 4), shifts=[1, 2], dims=[0, 1])",
    "one_hot": "out = L.one_hot(i('input', -1, 1, high=4), 4)",
    "one_hot/out_of_range": "out = L.one_hot(i('input', -1, 1, high=9), depth=4, allow_out_of_range=True)",
    "one_hot/variable": "out = L.one_hot(i('input', -1, 1, high=4), L.fill_constant([1], 'int32', 4))",
    "embedding": "out = L.embedding(i('input', -1, 1, high=9), [9, 3])",
    "embedding/sparse": "out = L.embedding(i('input', -1, 1, high=9), [9, 3], is_sparse=True, padding_idx=-2, param_attr='emb')",
    "embedding/lod": "out = L.embedding(i('input', -1, 1, high=9, lens=[[2, 1]]), [9, 3], is_distributed=True, padding_idx=2)",
    "embedding/double": "out = L.embedding(i('input', -1, 1, high=9), [9, 3], dtype='float64')",
    "split": "out = L.split(f('input', -1, 6), 3)",
    "split/sections": "out = L.split(f('input', -1, 6), num_or_sections=[2, -1, 1], dim=1, name='n')",
    "split/first": "out = L.split(f('input', 4, 6), 2, dim=0)",
    "split/variable": "out = L.split(f('input', 4, 6), 2, dim=L.fill_constant([1], 'int32', 1))",
    "reshape": "out = L.reshape(f('x', -1, 4), [-1, 2, 2])",
    "reshape/zero": "out = L.reshape(f('x', -1, 4), shape=[0, 2, -1], act='relu', name='n')",
    "reshape/inplace": "out = L.reshape(L.scale(f('x', -1, 4), 2.0), shape=[-1], inplace=True)",
    "reshape/variable": "out = L.reshape(f('x', 6, 4), shape=[-1, L.fill_constant([1], 'int32', 8)])",
    "reshape/tensor": "out = L.reshape(f('x', 6, 4), shape=L.assign(np.array([4, 6], 'int32')))",
    "reshape/actual": "out = L.reshape(f('x', 6, 4), shape=[-1, 8], actual_shape=L.assign(np.array([8, 3], 'int32')))",
    "transpose": "out = L.transpose(f('x', -1, 2, 3), [1, 0, 2])",
    "transpose/named": "out = L.transpose(f('x', -1, 2, 3), perm=[0, 2, 1], name='n')",
    "t": "out = L.t(f('input', 3, 4))",
    "t/vector": "out = L.t(f('input', 3))",
    "squeeze": "out = L.squeeze(f('input', -1, 1, 4, 1), [1])",
    "squeeze/all": "out = L.squeeze(f('input', 3, 1, 4, 1), axes=[], name='n')",
    "unsqueeze": "out = L.unsqueeze(f('input', -1, 4), [1])",
    "unsqueeze/axes": "out = L.unsqueeze(f('input', -1, 4), axes=[0, 3], name='n')",
    "unsqueeze/int": "out = L.unsqueeze(f('input', -1, 4), 1)",
    "unsqueeze/variable": "out = L.unsqueeze(f('input', 3, 4), L.assign(np.array([0], 'int32')))",
    "stack": "out = L.stack([f('a', -1, 4), f('b', -1, 4)])",
    "stack/axis": "out = L.stack([f('a', -1, 4), f('b', -1, 4)], axis=1)",
    "stack/one": "out = L.stack(f('a', -1, 4))",
    "unstack": "out = L.unstack(f('x', 3, 4))",
    "unstack/axis": "out = L.unstack(f('x', 3, 4), axis=1, num=4)",
    "slice": "out = L.slice(f('input', 4, 5), axes=[0, 1], starts=[1, -3], ends=[3, 5])",
    "slice/unknown": "out = L.slice(f('input', -1, 5), axes=[0, 1], starts=[0, 1], ends=[2, 100])",
    "slice/variable": "out = L.slice(f('input', 4, 5), [0, 1], [L.fill_constant([1], 'int32', 1), 0], [3, 4])",
    "slice/tensor": "out = L.slice(f('input', 4, 5), [0], L.assign(np.array([1], 'int32')), L.assign(np.array([3], 'int32')))",
    "strided_slice": "out = L.strided_slice(f('input', 4, 5), axes=[0, 1], starts=[3, 0], ends=[0, 5], strides=[-1, 2])",
    "strided_slice/variable": "out = L.strided_slice(f('input', 4, 5), [1], [L.fill_constant([1], 'int32', 1)], [5], [2])",
    "crop": "out = L.crop(f('x', 3, 5), shape=[2, 3])",
    "crop/offsets": "out = L.crop(f('x', 3, 5), shape=[2, 3], offsets=[1, 2], name='n')",
    "crop/variable": "out = L.crop(f('x', 3, 5), shape=f('y', 2, 3, grad=False), offsets=L.assign(np.array([1, 1], 'int32')))",
    "crop_tensor": "out = L.crop_tensor(f('x', 3, 5), shape=[2, 3])",
    "crop_tensor/offsets": "out = L.crop_tensor(f('x', -1, 5), shape=[-1, 3], offsets=[0, 1], name='n')",
    "crop_tensor/variable": (
        "out = L.crop_tensor(f('x', 3, 5), shape=[L.fill_constant([1], 'int32', 2), 3], "
        "offsets=[0, L.fill_constant([1], 'int32', 1)])"
    ),
    "crop_tensor/offset tensor": "out = L.crop_tensor(f('x', 3, 5), shape=[2, 3], offsets=L.assign(np.array([1, 1], 'int32')))",
    "crop_tensor/tensors": (
        "out = L.crop_tensor(f('x', 3, 5), shape=L.assign(np.array([2, 3], 'int32')), offsets=[1, 1])"
    ),
    "gather": "out = L.gather(f('input', -1, 4), i('index', 2, high=3))",
    "gather/add": "out = L.gather(f('input', 5, 4), i('index', 3, value=[1, 1, 0]), overwrite=False)",
    "gather_nd": "out = L.gather_nd(f('input', 3, 4), i('index', 2, 2, high=3))",
    "gather_tree": "out = L.gather_tree(i('ids', 3, 2, 2, high=9), i('parents', 3, 2, 2, high=2))",
    "scatter": "out = L.scatter(f('input', 4, 3), i('index', 2, value=[2, 1]), f('updates', 2, 3))",
    "scatter/add": "out = L.scatter(f('input', 4, 3), i('index', 2, value=[2, 2]), f('updates', 2, 3), overwrite=False, name='n')",
    "scatter_nd": "out = L.scatter_nd(i('index', 3, 1, value=[[1], [2], [1]]), f('updates', 3, 2), [4, 2])",
    "scatter_nd_add": "out = L.scatter_nd_add(f('ref', 4, 2), i('index', 3, 1, value=[[1], [2], [1]]), f('updates', 3, 2))",
    "index_select": "out = L.index_select(f('input', 3, 4), i('index', 2, high=3), dim=1)",
    "index_sample": "out = L.index_sample(f('x', 3, 4), i('index', 3, 2, high=4))",
    "multiplex": "out = L.multiplex([f('a', -1, 4), f('b', -1, 4)], data('index', [-1, 1], 'int32', high=2))",
    "expand": "out = L.expand(f('x', -1, 4), [1, 2])",
    "expand/variable": "out = L.expand(f('x', 3, 4), expand_times=[2, L.fill_constant([1], 'int32', 2)], name='n')",
    "expand/tensor": "out = L.expand(f('x', 3, 4), L.assign(np.array([2, 1], 'int32')))",
    "expand_as": "out = L.expand_as(f('x', 1, 4), f('target_tensor', 3, 4))",
    "flatten": "out = L.flatten(f('x', -1, 3, 4))",
    "flatten/axis": "out = L.flatten(f('x', 2, 3, 4), axis=2, name='n')",
    "pad": "out = L.pad(f('x', -1, 4), paddings=[0, 1, 1, 2], pad_value=0.5)",
    "pad2d": "out = L.pad2d(f('input', -1, 2, 3, 3))",
    "pad2d/reflect": "out = L.pad2d(f('input', -1, 2, 3, 3), paddings=[1, 2, 0, 1], mode='reflect', name='n')",
    "pad2d/edge": "out = L.pad2d(f('input', -1, 3, 3, 2), paddings=[1, 2, 0, 1], mode='edge', data_format='NHWC')",
    "pad2d/constant": "out = L.pad2d(f('input', 2, 2, 3, 3), paddings=[1, 2, 0, 1], pad_value=2.0)",
    "pad2d/variable": "out = L.pad2d(f('input', 2, 2, 3, 3), paddings=L.assign(np.array([1, 1, 0, 2], 'int32')))",
    "pad_constant_like": "out = L.pad_constant_like(f('x', 3, 4), f('y', 2, 3), pad_value=0.5)",
    "shape": "out = L.shape(f('input', -1, 4))",
    "rank": "out = L.rank(f('input', -1, 4))",
    "size": "out = L.size(f('input', -1, 4))",
    "where": "out = L.where(data('condition', [3, 4], 'bool'))",
    "nonzero": "out = L.nonzero(i('input', 3, 4))",
    "nonzero/tuple": "out = L.nonzero(i('input', 3, 4), as_tuple=True)",
    "unique": "out = L.unique(i('x', 6, value=[2, 3, 3, 1, 5, 3]))",
    "unique/dtype": "out = L.unique(f('x', 6, value=[2, 3, 3, 1, 5, 3], grad=False), dtype='int64')",
    "unique_with_counts": "out = L.unique_with_counts(i('x', 6, value=[2, 3, 3, 1, 5, 3]))",
    "shard_index": "out = L.shard_index(i('input', -1, 1, high=20), 20, 2, 1)",
    "shard_index/ignore": "out = L.shard_index(i('input', -1, 1, high=20), index_num=20, nshards=3, shard_id=0, ignore_value=-5)",
    "meshgrid": "out = L.meshgrid([f('a', 2), f('b', 3)])",
    # the wheel's layers.hash raises whatever it is given, so its operator is asked
    "append_op/hash": (
        "b = fluid.default_main_program().current_block(); o = b.create_var(name='o', dtype='int64'); "
        "b.append_op(type='hash', inputs={'X': i('x', -1, 2, high=100)}, outputs={'Out': o}, attrs={'num_hash': 3, 'mod_by': 1000}); out = o"
    ),
    "append_op/hash_long": (
        "b = fluid.default_main_program().current_block(); o = b.create_var(name='o', dtype='int64'); x = data('x', [-1, 11], 'int32', high=9); "
        "b.append_op(type='hash', inputs={'X': x}, outputs={'Out': o}, attrs={'num_hash': 2, 'mod_by': 100000}); out = o"
    ),
    "lod_reset": "out = L.lod_reset(f('x', -1, 2, lens=[[1, 2, 1]]), target_lod=[0, 2, 4])",
    "lod_reset/like": "out = L.lod_reset(f('x', -1, 2, lens=[[1, 2, 1]]), y=f('y', -1, 2, lens=[[2, 2]]))",
    "lod_append": "out = L.lod_append(f('x', -1, 2, lens=[[1, 3]]), [0, 1, 2, 4])",
    "uniform_random": "out = L.uniform_random([2, 3])",
    "uniform_random/seed": "out = L.uniform_random([2, 3], dtype='float64', min=0.0, max=2.0, seed=5)",
    "uniform_random/variable": "out = L.uniform_random([2, L.fill_constant([1], 'int64', 3)], seed=5)",
    "uniform_random/tensor": "out = L.uniform_random(L.assign(np.array([2, 3], 'int32')), seed=5)",
    "gaussian_random": "out = L.gaussian_random([2, 3])",
    "gaussian_random/seed": "out = L.gaussian_random(shape=[2, 3], mean=1.0, std=2.0, seed=5, dtype='float64')",
    "uniform_random_batch_size_like": "out = L.uniform_random_batch_size_like(f('input', -1, 4), [1, 3], seed=5)",
    "uniform_random_batch_size_like/dims": (
        "out = L.uniform_random_batch_size_like(f('input', -1, 4), [2, 1], 'float32', 0, 1, 0.0, 2.0, 3)"
    ),
    "gaussian_random_batch_size_like": "out = L.gaussian_random_batch_size_like(f('input', -1, 4), [1, 3], seed=5)",
    "gaussian_random_batch_size_like/std": (
        "out = L.gaussian_random_batch_size_like(f('input', -1, 4), [1, 3], mean=1.0, std=0.5, seed=2)"
    ),
    "randint": "out = L.randint(0, 10, shape=[2, 3], seed=5)",
    "randint/one": "out = L.randint(10, shape=[4], dtype='int32', stop_gradient=True, seed=3, name='n')",
    "randn": "out = L.randn([2, 3])",
    "randn/dtype": "out = L.randn([2, 3], dtype='float64', stop_gradient=False, name='n')",
    "randperm": "out = L.randperm(6, seed=5)",
    "randperm/dtype": "out = L.randperm(6, dtype='int32', stop_gradient=False, seed=5)",
    "sampling_id": "out = L.sampling_id(f('x', -1, 4, low=0.1), seed=5)",
    "random_crop": "out = L.random_crop(f('x', -1, 4, 5), shape=[3, 3], seed=5)",
    "random_crop/none": "out = L.random_crop(f('x', -1, 4, 5), shape=[3, 3])",
    "dropout": "out = L.dropout(f('x', -1, 4), 0.5)",
    "dropout/upscale": "out = L.dropout(f('x', -1, 4), 0.3, seed=4, name='n', dropout_implementation='upscale_in_train')",
    "dropout/test": "out = L.dropout(f('x', -1, 4), 0.3, is_test=True)",
    "autoincreased_step_counter": "out = L.autoincreased_step_counter()",
    "autoincreased_step_counter/name": "out = L.autoincreased_step_counter(counter_name='@mine@', begin=5, step=2)",
    "autoincreased_step_counter/twice": "out = [L.autoincreased_step_counter(), L.autoincreased_step_counter()]",
    "py_func": (
        "y = fluid.default_main_program().current_block().create_var(name='y', dtype='float32', shape=[3, 4]); "
        "out = L.py_func(lambda a: np.array(a) * 2, f('x', 3, 4, grad=False), y)"
    ),
    "get_tensor_from_selected_rows": (
        "e = L.embedding(i('ids', -1, 1, high=9), [9, 3], is_sparse=True, param_attr='emb'); loss = L.mean(L.square(e)); "
        "g = fluid.backward.append_backward(loss)[0][1]; out = L.get_tensor_from_selected_rows(L.merge_selected_rows(g))"
    ),
    "tensor_array_to_tensor": (
        "a = L.create_array('float32'); z = L.fill_constant([1], 'int64', 0); o = L.fill_constant([1], 'int64', 1); "
        "L.array_write(f('x', 2, 3), z, array=a); L.array_write(f('y', 2, 3), o, array=a); "
        "out = L.tensor_array_to_tensor(a, axis=1)"
    ),
    "tensor_array_to_tensor/stack": (
        "a = L.create_array('float32'); z = L.fill_constant([1], 'int64', 0); o = L.fill_constant([1], 'int64', 1); "
        "L.array_write(f('x', 2, 3), z, array=a); L.array_write(f('y', 2, 3), o, array=a); "
        "out = L.tensor_array_to_tensor(a, axis=0, use_stack=True, name='n')"
    ),
    "accuracy": "out = L.accuracy(f('input', -1, 5), i('label', -1, 1, high=5))",
    "accuracy/k": (
        "c = L.create_tensor('int64'); t = L.create_tensor('int64'); "
        "out = [L.accuracy(f('input', -1, 5), i('label', -1, 1, high=5), 2, c, t), c, t]"
    ),
    "auc": "out = L.auc(f('input', -1, 2, low=0.0), i('label', -1, 1), num_thresholds=15)",
    "auc/steps": "out = L.auc(f('input', -1, 2, low=0.0), i('label', -1, 1), 'ROC', 15, 1, 3)",
    "mean_iou": "out = L.mean_iou(i('input', 8, high=3), i('label', 8, high=3), 3)",
    "chunk_eval": "out = L.chunk_eval(i('input', -1, 1, high=5, lens=[[4, 3]]), i('label', -1, 1, high=5, lens=[[4, 3]]), 'IOB', 2)",
    "filter_by_instag": (
        "out = L.filter_by_instag(f('ins', -1, 2, lens=[[1, 1, 1]]), i('ins_tag', -1, 1, lens=[[1, 1, 1]], value=[[1], [2], [1]]), "
        "i('filter_tag', -1, 1, value=[[1]]), True)"
    ),
    "continuous_value_model": "out = L.continuous_value_model(f('input', -1, 5, low=0.1), f('cvm', -1, 2, low=0.1, grad=False))",
    "continuous_value_model/without": (
        "out = L.continuous_value_model(f('input', -1, 5, low=0.1), f('cvm', -1, 2, low=0.1, grad=False), use_cvm=False)"
    ),
    "distributions_normal": (
        "a = L.Normal(0.5, 2.0); b = L.Normal([1.0], [1.5]); v = f('v', 1, grad=False); "
        "out = [a.entropy(), a.log_prob(v), a.kl_divergence(b), b.entropy(), b.log_prob(v)]"
    ),
    "distributions_normal/sample": "out = L.Normal([0.5, 1.0], [2.0, 1.0]).sample([3], seed=4)",
    "distributions_uniform": "a = L.Uniform(0.0, [2.0, 3.0]); out = [a.entropy(), a.log_prob(f('v', 2, low=0.5, grad=False))]",
    "distributions_uniform/sample": "out = L.Uniform(0.5, 2.0).sample([3], seed=4)",
    "distributions_uniform/variable": (
        "a = L.Uniform(f('low', -1, 2, high=0.0), f('high', -1, 2, low=0.5)); "
        "out = [a.entropy(), a.log_prob(f('v', -1, 2, low=0.0, high=0.5)), a.sample([2], seed=4)]"
    ),
    "distributions_normal/variable": (
        "a = L.Normal(f('loc', -1, 2), f('scale', -1, 2, low=0.5)); out = [a.entropy(), a.log_prob(f('v', -1, 2)), a.sample([2], seed=4)]"
    ),
    "distributions_categorical": "a = L.Categorical(f('p', -1, 4)); b = L.Categorical(f('q', -1, 4)); out = [a.entropy(), a.kl_divergence(b)]",
    "distributions_multivariate": (
        "a = L.MultivariateNormalDiag(f('l', 2), L.diag(f('s', 2, low=0.3, grad=False))); "
        "b = L.MultivariateNormalDiag(f('l2', 2), L.diag(f('s2', 2, low=0.3, grad=False))); out = [a.entropy(), a.kl_divergence(b)]"
    ),
    "input.embedding": "out = fluid.embedding(i('input', -1, 1, high=9), [9, 3])",
    "input.embedding/padding": "out = fluid.embedding(i('input', -1, high=9), (9, 3), is_sparse=True, padding_idx=0, param_attr='e')",
    "input.one_hot": "out = fluid.one_hot(i('input', -1, 1, high=4), 4)",
    "input.one_hot/variable": "out = fluid.one_hot(i('input', -1, high=9), L.fill_constant([1], 'int32', 4), allow_out_of_range=True)",
    "data": "a = L.data('a', [2, 3]); b = L.data('b', [-1, 2], dtype='int64', lod_level=1); c = L.data('c', [2], append_batch_size=False)",
}
