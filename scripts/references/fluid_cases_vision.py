# ruff: noqa: E501 - a call is a line
"""Calls of `fluid.layers`: fully connected layers, convolutions, pooling, normalization, resizing, regions of images."""

CASES = {
    "fc": "out = L.fc(f('input', -1, 6), 4)",
    "fc/all": "out = L.fc(f('input', -1, 2, 3), size=4, num_flatten_dims=2, param_attr=w(3, 4), bias_attr='bb', act='relu', name='n')",
    "fc/flat": "out = L.fc(f('input', -1, 2, 3), 4, num_flatten_dims=1, bias_attr=False)",
    "fc/last": "out = L.fc(f('input', -1, 2, 3), 4, num_flatten_dims=-1)",
    "fc/many": "out = L.fc([f('a', -1, 2), f('b', -1, 3)], 4, act='tanh')",
    "fc/attrs": "out = L.fc([f('a', -1, 2), f('b', -1, 3)], 4, param_attr=[w(2, 4), fluid.ParamAttr(name='second')])",
    "fc/lod": "out = L.fc(f('input', -1, 6, lens=[[2, 1]]), 4, act='softmax')",
    "conv2d": "out = L.conv2d(f('input', -1, 3, 5, 5), 2, 3)",
    "conv2d/all": (
        "out = L.conv2d(f('input', -1, 4, 6, 6), num_filters=2, filter_size=[3, 2], stride=[2, 1], padding=[1, 0], dilation=1, groups=2, "
        "param_attr=w(2, 2, 3, 2), bias_attr='b', use_cudnn=False, act='relu', name='n')"
    ),
    "conv2d/same": "out = L.conv2d(f('input', -1, 5, 5, 3), 2, 3, stride=2, padding='SAME', bias_attr=False, data_format='NHWC')",
    "conv2d/valid": "out = L.conv2d(f('input', -1, 3, 5, 5), 2, 3, padding='VALID')",
    "conv2d/four": "out = L.conv2d(f('input', -1, 3, 5, 5), 2, 3, padding=[1, 0, 2, 1], dilation=[2, 1])",
    "conv2d/nested": "out = L.conv2d(f('input', -1, 3, 5, 5), 2, 3, padding=[[0, 0], [0, 0], [1, 0], [2, 1]])",
    "conv2d/symmetric": "out = L.conv2d(f('input', -1, 3, 5, 5), 2, 3, padding=[1, 1, 2, 2])",
    "conv2d/nested_nhwc": "out = L.conv2d(f('input', -1, 5, 5, 3), 2, 3, padding=[[0, 0], [1, 1], [2, 0], [0, 0]], data_format='NHWC')",
    "conv2d/unknown": "out = L.conv2d(f('input', -1, 3, -1, -1, batch=5), 2, 3)",
    "conv2d/depthwise": "out = L.conv2d(f('input', -1, 4, 5, 5), 4, 3, groups=4, use_cudnn=False)",
    "conv2d/depthwise_cudnn": "out = L.conv2d(f('input', -1, 4, 5, 5), 8, 3, groups=4)",
    "conv3d": "out = L.conv3d(f('input', -1, 2, 4, 4, 4), 2, 3)",
    "conv3d/all": (
        "out = L.conv3d(f('input', 2, 2, 4, 4, 4), 2, [1, 2, 3], stride=[1, 2, 1], padding=[1, 0, 1], groups=2, bias_attr=False, act='tanh', name='n')"
    ),
    "conv3d/same": "out = L.conv3d(f('input', 2, 4, 4, 4, 2), 2, 3, padding='same', data_format='NDHWC')",
    "conv2d_transpose": "out = L.conv2d_transpose(f('input', -1, 3, 4, 4), 2, filter_size=3)",
    "conv2d_transpose/all": (
        "out = L.conv2d_transpose(f('input', -1, 4, 4, 4), 2, output_size=[9, 8], filter_size=[3, 2], padding=[0, 0], stride=2, "
        "groups=2, param_attr=w(4, 1, 3, 2), bias_attr=False, act='relu', name='n')"
    ),
    "conv2d_transpose/output_size": "out = L.conv2d_transpose(f('input', -1, 3, 4, 4), 2, output_size=8, stride=2)",
    "conv2d_transpose/same": "out = L.conv2d_transpose(f('input', -1, 4, 4, 3), 2, filter_size=3, padding='SAME', stride=2, data_format='NHWC')",
    "conv2d_transpose/depthwise": "out = L.conv2d_transpose(f('input', -1, 4, 4, 4), 4, filter_size=3, groups=4, use_cudnn=False)",
    "conv2d_transpose/padding": "out = L.conv2d_transpose(f('input', -1, 3, 4, 4), 2, output_size=[7, 7], padding=[1, 1, 1, 1], stride=2)",
    "conv2d_transpose/four": "out = L.conv2d_transpose(f('input', -1, 3, 4, 4), 2, filter_size=3, padding=[1, 0, 0, 1], stride=2)",
    "conv2d_transpose/valid": "out = L.conv2d_transpose(f('input', -1, 3, 4, 4), 2, filter_size=3, padding='VALID')",
    "conv2d_transpose/dilation": "out = L.conv2d_transpose(f('input', -1, 3, 4, 4), 2, filter_size=3, padding=1, dilation=2)",
    "conv3d_transpose": "out = L.conv3d_transpose(f('input', -1, 2, 3, 3, 3), 2, filter_size=2)",
    "conv3d_transpose/all": (
        "out = L.conv3d_transpose(f('input', -1, 2, 3, 3, 3), 2, output_size=[6, 6, 6], padding=0, stride=2, groups=1, act='relu', name='n')"
    ),
    "pool2d": "out = L.pool2d(f('input', -1, 2, 4, 4), 2)",
    "pool2d/all": (
        "out = L.pool2d(f('input', -1, 2, 5, 5), pool_size=[3, 2], pool_type='avg', pool_stride=[2, 1], pool_padding=[1, 0], "
        "use_cudnn=False, ceil_mode=True, name='n', exclusive=False)"
    ),
    "pool2d/numpy": "out = L.pool2d(f('input', -1, 2, 4, 4), [np.int64(2)] * 2, 'max', (np.int32(1), np.int64(2)))",
    "pool2d/global": "out = L.pool2d(f('input', -1, 2, 4, 4), pool_type='avg', global_pooling=True)",
    "pool2d/same": "out = L.pool2d(f('input', -1, 5, 5, 2), 2, pool_stride=2, pool_padding='SAME', data_format='NHWC')",
    "pool2d/valid": "out = L.pool2d(f('input', -1, 2, 5, 5), 2, pool_stride=2, pool_padding='VALID')",
    "pool2d/four": "out = L.pool2d(f('input', -1, 2, 5, 5), 2, 'avg', 2, [1, 0, 0, 1])",
    "pool2d/symmetric": "out = L.pool2d(f('input', -1, 2, 5, 5), 2, 'avg', 2, [1, 1, 0, 0])",
    "pool2d/nested": "out = L.pool2d(f('input', -1, 2, 5, 5), 2, 'max', 2, [[0, 0], [0, 0], [1, 0], [0, 1]])",
    "pool2d/test": "p = L.pool2d(f('input', -1, 2, 5, 5), [2, 2], 'max', [2, 2], ceil_mode=True); out = p",
    "pool3d/nested": "out = L.pool3d(f('input', -1, 4, 4, 4, 2), 2, 'max', 2, [[0, 0], [1, 1], [1, 1], [0, 1], [0, 0]], data_format='NDHWC')",
    "pool3d/global": "out = L.pool3d(f('input', -1, 2, 4, 4, 4), pool_type='avg', global_pooling=True)",
    "pool3d": "out = L.pool3d(f('input', -1, 2, 4, 4, 4), 2, pool_stride=2)",
    "pool3d/all": "out = L.pool3d(f('input', -1, 2, 4, 4, 4), [1, 2, 2], 'avg', 1, [0, 1, 1], False, True, True, 'n', False)",
    "adaptive_pool2d": "out = L.adaptive_pool2d(f('input', -1, 2, 5, 5), 3)",
    "adaptive_pool2d/avg": "out = L.adaptive_pool2d(f('input', -1, 2, 5, 6), [2, 3], 'avg', name='n')",
    "adaptive_pool2d/index": "out = L.adaptive_pool2d(f('input', -1, 2, 5, 5), [2, 3], require_index=True)",
    "adaptive_pool3d": "out = L.adaptive_pool3d(f('input', -1, 2, 4, 4, 4), [2, 3, 1], 'avg')",
    "adaptive_pool3d/index": "out = L.adaptive_pool3d(f('input', -1, 2, 4, 4, 4), 2, require_index=True, name='n')",
    "batch_norm": "out = L.batch_norm(f('input', -1, 3, 2, 2))",
    "batch_norm/all": (
        "out = L.batch_norm(f('input', -1, 2, 2, 3), act='relu', momentum=0.7, epsilon=1e-3, param_attr=w(3), bias_attr='bb', "
        "data_layout='NHWC', name='n', moving_mean_name='mm', moving_variance_name='mv')"
    ),
    "batch_norm/test": "out = L.batch_norm(f('input', -1, 3), is_test=True)",
    "batch_norm/inplace": "out = L.batch_norm(L.scale(f('input', -1, 3, 2, 2), 2.0), in_place=True, act='relu')",
    "batch_norm/global": "out = L.batch_norm(f('input', -1, 3, 2, 2), use_global_stats=True)",
    "batch_norm/variable": "out = L.batch_norm(f('input', -1, 3), momentum=L.fill_constant([1], 'float32', 0.5))",
    # what it wrote is undone when gradients are made, so a copy is taken
    "inplace_abn": "out = L.scale(L.inplace_abn(L.scale(f('input', -1, 3, 2, 2), 2.0), act='leaky_relu', act_alpha=0.2), 3.0)",
    "inplace_abn/elu": "out = L.scale(L.inplace_abn(L.scale(f('input', -1, 3, 2, 2), 2.0), act='elu'), 3.0)",
    "inplace_abn/none": "out = L.scale(L.inplace_abn(L.scale(f('input', -1, 2, 2, 3), 2.0), data_layout='NHWC', name='n'), 3.0)",
    "data_norm": "out = L.data_norm(f('input', -1, 3))",
    "data_norm/all": (
        "out = L.data_norm(f('input', -1, 3), act='tanh', epsilon=1e-3, param_attr={'batch_size': 10.0, 'batch_sum': 1.0, 'batch_square': 20.0}, "
        "name='n', slot_dim=-1, summary_decay_rate=0.9)"
    ),
    "data_norm/scale": "out = L.data_norm(f('input', -1, 3), param_attr={'scale_w': 1.5, 'bias': 0.5}, enable_scale_and_shift=True)",
    "layer_norm": "out = L.layer_norm(f('input', -1, 3, 4))",
    "layer_norm/all": "out = L.layer_norm(f('input', -1, 3, 4), begin_norm_axis=2, epsilon=1e-3, param_attr=w(4), bias_attr='bb', act='relu', name='n')",
    "layer_norm/plain": "out = L.layer_norm(f('input', -1, 4), scale=False, shift=False)",
    "layer_norm/lod": "out = L.layer_norm(f('input', -1, 4, lens=[[2, 1]]), begin_norm_axis=1, act='relu')",
    "instance_norm": "out = L.instance_norm(f('input', -1, 3, 2, 2))",
    "instance_norm/attrs": "out = L.instance_norm(f('input', -1, 3, 2, 2), epsilon=1e-3, param_attr=w(3), bias_attr='bb', name='n')",
    "group_norm": "out = L.group_norm(f('input', -1, 4, 2, 2), groups=2)",
    "group_norm/all": "out = L.group_norm(f('input', -1, 2, 2, 4), 2, 1e-3, w(4), False, 'relu', 'NHWC', 'n')",
    "spectral_norm": "out = L.spectral_norm(L.create_parameter([2, 3, 2], 'float32', default_initializer=init(2, 3, 2)))",
    "spectral_norm/dim": "out = L.spectral_norm(f('weight', 2, 3), dim=1, power_iters=2, eps=1e-6, name='n')",
    "lrn": "out = L.lrn(f('input', -1, 4, 2, 2))",
    "lrn/all": "out = L.lrn(f('input', -1, 2, 2, 4), n=3, k=2.0, alpha=0.1, beta=0.5, name='n', data_format='NHWC')",
    "image_resize": "out = L.image_resize(f('input', -1, 2, 3, 3), out_shape=[5, 4])",
    "image_resize/nearest": "out = L.image_resize(f('input', -1, 2, 3, 3), [5, 4], resample='NEAREST', align_corners=False, name='n')",
    "image_resize/scale": "out = L.image_resize(f('input', -1, 2, 3, 3), scale=2.0, align_corners=False, align_mode=0)",
    "image_resize/trilinear": "out = L.image_resize(f('input', -1, 2, 2, 3, 3), [3, 4, 5], resample='TRILINEAR', data_format='NCDHW')",
    "image_resize/list": "out = L.image_resize(f('input', 2, 2, 3, 3), out_shape=[L.fill_constant([1], 'int32', 5), 4])",
    "image_resize/tensor": "out = L.image_resize(f('input', 2, 2, 3, 3), out_shape=L.assign(np.array([5, 4], 'int32')))",
    "image_resize/scale_variable": "out = L.image_resize(f('input', 2, 2, 3, 3), scale=L.fill_constant([1], 'float32', 2.0))",
    "image_resize/actual": "out = L.image_resize(f('input', 2, 2, 3, 3), out_shape=[4, 4], actual_shape=L.assign(np.array([5, 4], 'int32')))",
    "interpolate": "out = L.interpolate(f('input', -1, 2, 3, 3), out_shape=[5, 4])",
    "resize_bilinear": "out = L.resize_bilinear(f('input', -1, 2, 3, 3), out_shape=[5, 4])",
    "resize_bilinear/nhwc": "out = L.resize_bilinear(f('input', -1, 3, 3, 2), scale=2, name='n', align_corners=False, align_mode=0, data_format='NHWC')",
    "resize_nearest": "out = L.resize_nearest(f('input', -1, 2, 3, 3), out_shape=[5, 4])",
    "resize_nearest/scale": "out = L.resize_nearest(f('input', -1, 2, 3, 3), scale=1.5, align_corners=False)",
    "resize_trilinear": "out = L.resize_trilinear(f('input', -1, 2, 2, 3, 3), out_shape=[3, 4, 5])",
    "image_resize_short": "out = L.image_resize_short(f('input', 2, 2, 3, 4), 5)",
    "affine_grid": "out = L.affine_grid(f('theta', -1, 2, 3), [3, 2, 2, 3])",
    "affine_grid/variable": "out = L.affine_grid(f('theta', -1, 2, 3), L.assign(np.array([3, 2, 2, 3], 'int32')), name='n')",
    "grid_sampler": "out = L.grid_sampler(f('x', -1, 2, 3, 4), f('grid', -1, 3, 4, 2))",
    "pixel_shuffle": "out = L.pixel_shuffle(f('x', -1, 8, 2, 3), 2)",
    "shuffle_channel": "out = L.shuffle_channel(f('x', -1, 4, 2, 2), group=2)",
    "space_to_depth": "out = L.space_to_depth(f('x', -1, 4, 4, 4), 2)",
    "temporal_shift": "out = L.temporal_shift(f('x', 4, 4, 2, 2), seg_num=2, shift_ratio=0.25)",
    "unfold": "out = L.unfold(f('x', -1, 2, 4, 4), [2, 2])",
    "unfold/all": "out = L.unfold(f('x', -1, 2, 4, 4), [3, 2], strides=[2, 1], paddings=[1, 0], dilations=1, name='n')",
    "im2sequence": "out = L.im2sequence(f('input', -1, 2, 4, 4), filter_size=2, stride=2)",
    "im2sequence/all": "out = L.im2sequence(f('input', -1, 2, 4, 4), [2, 3], [1, 2], [1, 0, 0, 1], name='n')",
    "row_conv": "out = L.row_conv(f('input', -1, 4, lens=[[3, 2]]), 2, act='tanh')",
    "row_conv/batch": "out = L.row_conv(f('input', -1, 5, 4), future_context_size=1, param_attr=w(2, 4))",
    "similarity_focus": "out = L.similarity_focus(f('input', -1, 3, 2, 2, grad=False), axis=1, indexes=[0, 2])",
    "roi_pool": "out = L.roi_pool(f('input', 2, 2, 6, 6), data('rois', [-1, 4], value=[[0, 0, 3, 3], [1, 1, 5, 4], [0, 2, 4, 5]], lens=[[1, 2]], grad=False), 2, 2)",
    "roi_pool/scale": (
        "out = L.roi_pool(f('input', 2, 2, 6, 6), data('rois', [-1, 4], value=[[0, 0, 6, 6], [2, 2, 9, 8], [0, 4, 8, 10]], lens=[[2, 1]], grad=False), "
        "pooled_height=3, pooled_width=2, spatial_scale=0.5)"
    ),
    "roi_align": "out = L.roi_align(f('input', 2, 2, 6, 6), data('rois', [-1, 4], value=[[0, 0, 3, 3], [1, 1, 5, 4], [0, 2, 4, 5]], lens=[[1, 2]], grad=False), 2, 2)",
    "roi_align/all": (
        "out = L.roi_align(f('input', 2, 2, 6, 6), data('rois', [-1, 4], value=[[0, 0, 6, 6], [2, 2, 9, 8], [0, 4, 8, 10]], lens=[[2, 1]], grad=False), "
        "pooled_height=3, pooled_width=2, spatial_scale=0.5, sampling_ratio=2, name='n')"
    ),
    "psroi_pool": (
        "out = L.psroi_pool(f('input', 2, 8, 6, 6), data('rois', [-1, 4], value=[[0, 0, 3, 3], [1, 1, 5, 4], [0, 2, 4, 5]], lens=[[1, 2]], grad=False), "
        "2, 1.0, 2, 2)"
    ),
    "prroi_pool": (
        "out = L.prroi_pool(f('input', 2, 2, 6, 6), data('rois', [-1, 4], value=[[0, 0, 3, 3], [1, 1, 5, 4], [0, 2, 4, 5]], lens=[[1, 2]]), "
        "1.0, 2, 2)"
    ),
    "prroi_pool/nums": (
        "out = L.prroi_pool(f('input', 2, 2, 6, 6), data('rois', [-1, 4], value=[[0, 0, 3, 3], [1, 1, 5, 4], [0, 2, 4, 5]]), "
        "0.5, 2, 2, batch_roi_nums=i('n', 2, value=[1, 2]), name='n')"
    ),
    # with fewer images than im2col_step the wheel computes nothing and gives zeros
    "deformable_conv": (
        "out = L.deformable_conv(f('input', -1, 2, 5, 5), f('offset', -1, 18, 3, 3), f('mask', -1, 9, 3, 3, low=0.0), 2, 3, im2col_step=1)"
    ),
    "deformable_conv/all": (
        "out = L.deformable_conv(f('input', -1, 4, 5, 5), f('offset', -1, 36, 3, 3), f('mask', -1, 18, 3, 3, low=0.0), 2, 3, stride=2, padding=1, "
        "dilation=1, groups=2, deformable_groups=2, im2col_step=1, param_attr=w(2, 2, 3, 3), bias_attr=False, name='n')"
    ),
    "deformable_conv/plain": "out = L.deformable_conv(f('input', -1, 2, 5, 5), f('offset', -1, 18, 3, 3), None, 2, 3, im2col_step=1, modulated=False)",
    "deformable_roi_pooling": (
        "out = L.deformable_roi_pooling(f('input', 2, 2, 6, 6), data('rois', [-1, 4], value=[[0, 0, 3, 3], [1, 1, 5, 4], [0, 2, 4, 5]], lens=[[1, 2]], "
        "grad=False), f('trans', 3, 2, 2, 2), pooled_height=2, pooled_width=2, sample_per_part=2)"
    ),
    "nets.simple_img_conv_pool": "out = fluid.nets.simple_img_conv_pool(f('input', -1, 1, 8, 8), 2, 3, 2, 2, act='relu')",
    "nets.simple_img_conv_pool/all": (
        "out = fluid.nets.simple_img_conv_pool(f('input', -1, 2, 8, 8), num_filters=2, filter_size=3, pool_size=2, pool_stride=2, pool_padding=1, "
        "pool_type='avg', global_pooling=False, conv_stride=1, conv_padding=1, conv_dilation=1, conv_groups=2, param_attr=w(2, 1, 3, 3), bias_attr=False)"
    ),
    "nets.img_conv_group": "out = fluid.nets.img_conv_group(f('input', -1, 1, 6, 6), [2, 2], 2, conv_act='relu', pool_stride=2)",
    "nets.img_conv_group/norm": (
        "out = fluid.nets.img_conv_group(f('input', -1, 1, 6, 6), [2, 3], 2, [1, 1], 3, 'relu', None, [True, False], [0.3, 0.0], 2, 'avg')"
    ),
    "nets.sequence_conv_pool": "out = fluid.nets.sequence_conv_pool(f('input', -1, 4, lens=[[3, 2]]), 3, 3, act='tanh', pool_type='sum')",
    "nets.glu": "out = fluid.nets.glu(f('input', -1, 6))",
    "nets.glu/dim": "out = fluid.nets.glu(f('input', -1, 6, 3), dim=1)",
    "nets.scaled_dot_product_attention": (
        "out = fluid.nets.scaled_dot_product_attention(f('queries', -1, 2, 4), f('keys', -1, 3, 4), f('values', -1, 3, 4))"
    ),
    "nets.scaled_dot_product_attention/double": (
        "q = f('queries', -1, 2, 4, dtype='float64'); out = fluid.nets.scaled_dot_product_attention(q, q, q)"
    ),
    "nets.scaled_dot_product_attention/heads": (
        "out = fluid.nets.scaled_dot_product_attention(f('q', -1, 2, 4), f('k', -1, 3, 4), f('v', -1, 3, 4), num_heads=2, dropout_rate=0.5)"
    ),
}
