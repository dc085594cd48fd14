"""What the arguments of operators may be: dimensions as Tensors, shapes without elements, arrays; in the words of rows_corners.py."""

from __future__ import annotations

# fmt: off
_WRITTEN = (
    "r=paddle.tensor.create_array('float32'); [paddle.tensor.array_write(x*k, paddle.full([1], k, 'int64'), r) for k in range(4)]; "
    "part=lambda a: paddle.tensor.manipulation.tensor_array_to_tensor(a, axis=0, use_stack=True)[0]"
)
ROWS = [
    # dimensions by a Tensor
    *(f"D(lambda x: paddle.{api}(x, C([0,2])), f(2,3,4) + 2)" for api in ("sum", "mean", "max", "min", "prod", "std", "var")),
    *(f"D(lambda x: paddle.{api}(x, axis=C([1]), keepdim=True), f(2,3,4) + 2)" for api in ("sum", "mean", "max", "prod", "logsumexp")),
    "paddle.sum(C(f(2,3)), C(1)), paddle.sum(C(f(2,3)), C([-1,0]))",
    "paddle.squeeze(C(f(1,3,1)), C([0,2])), paddle.squeeze(C(f(1,3,1)), C(0)), paddle.squeeze(C(f(1,3,1)), C([2]))",
    "paddle.tensordot(C(f(3,3,3)), C(f(3,3,3)), C([[0],[1]])), paddle.tensordot(C(f(3,3,3)), C(f(3,3,3)), C([1,2]))",
    # shapes of tensors without elements
    *(
        f"list(paddle.reshape(paddle.zeros({of}), {to}).shape)"
        for of in ([0, 3], [2, 0, 3], [3, 0], [0])
        for to in ([0, -1], [3, 0], [0, 5], [5, 0], [-1], [-1, 4], [2, -1, 3], [0, 4, -1], [1, 0, -1], [2, 2], [0])
    ),
    "D(lambda x: paddle.reshape(x, [0,-1]), f(0,3))",
    "D(lambda x: paddle.inner(x, x), f(0,3))",
    # what bounds do not fit
    "paddle.slice(C(1.), [0], [0], [1])",
    "paddle.strided_slice(C(f(10)), [0], [0,1], [3], [1])",
    "paddle.strided_slice(C(f(10)), [0], [0], [3], [1,1])",
    "paddle.strided_slice(C(f(10)), [2], [0], [3], [1])",
    # the whole of a factor, and ends that a Program finds
    *(f"D(lambda x: paddle.linalg.cholesky_inverse(x, upper={way}), f(3,3).astype('float64') + 3 * np.eye(3))" for way in (False, True)),
    *(
        f"S(lambda x, w: paddle.histogram(x, bins=4, {given}), x=f(6), w=f(6) + 3)"
        for given in ("weight=w", "density=True", "weight=w, density=True", "min=-1, max=1, weight=w")
    ),
    "S(lambda x: paddle.histogram(x, bins=4, density=True), x=f(1))",
    # a side that is cut off while the other goes round
    *(
        f"D(lambda x: F.pad(x, {sides}, mode='{mode}'), f(1,1,2,5))"
        for sides in ([-1, 2, 0, 1], [2, -1, 0, 0], [-1, 6, 0, 0], [-1, 1, -1, 1], [-2, -1, 0, 0]) for mode in ("circular", "replicate")
    ),
    # the median where there is nothing but NaN
    *(f"D(lambda x: paddle.nanmedian(x, axis={a}), np.array([[1.,nan,3.,2.],[nan]*4,[7.,8.,0.,nan]], 'float32'))" for a in (0, 1, None)),
    "D(lambda x: paddle.nanmedian(x), np.full((2,3), nan, 'float32')), paddle.nanmedian(C(i(2,3)))",
    # data types and kinds
    "F.gaussian_nll_loss(C(f(2,3)), C(f(2,3)), C(i(2,3)))",
    "paddle.text.viterbi_decode(C(f(2,4,3)), C(f(3,3)), C([3.,4.]))",
    "paddle.put_along_axis(C(f(2,3)), C([[1],[2]]), 3., 1)",
    "S(lambda x: paddle.put_along_axis(x, paddle.to_tensor(np.array([[1],[2]])), 3., 1), x=f(2,3))",
    "S(lambda x: x + paddle.static.create_global_var([1.5], 1., 'float32'), x=f(2,3))",
    "S(lambda x: x + paddle.static.create_global_var(1, 1., 'float32'), x=f(2,3))",
    "paddle.masked_scatter(C(f(2,2)), C(f(2,2)) < 9, C(f(1)))",
    # sizes and places that are none
    *(f"paddle.{call}(C(f(2,1)), {sizes})" for call in ("reshape", "expand", "tile") for sizes in ("[2, None]", "(2, None)", "[2, '1']")),
    *(f"paddle.transpose(C(f(2,1)), {perm})" for perm in ("[1, None]", "(1, '0')", "[1., 0.]")),
    # Tensors of other types as sizes and places, and arrays of one element as numbers
    *(
        f"{call.format(f'C([1,2]).astype({kind!r})')}"
        for call in ("paddle.zeros({})", "paddle.full({}, 1.)", "paddle.expand(C(f(1,1)), {})", "paddle.unsqueeze(C(f(2,1)), {})")
        for kind in ("float32", "bool", "int8", "int64")
    ),
    *(f"paddle.tile(C(f(2,1)), C([1,2]).astype('{kind}'))" for kind in ("float32", "int8")),
    *(f"list(paddle.rand(C([1,2]).astype('{kind}')).shape)" for kind in ("float32", "bool", "int8")),
    "paddle.reshape(C(f(2,1)), C([1.,2.]))", "paddle.zeros([True, 2])",
    *(f"paddle.{call}(C(f(2,3)), np.array([1]))" for call in ("unsqueeze", "argsort", "nn.functional.softmax")),
    "paddle.stack([C(f(2)), C(f(2))], np.array([1]))", "paddle.concat(C(f(2,3)))", "paddle.concat(C(f(2,3)), 1)",
    # backward slices that are written to, and parts of other sizes
    *(f"y = paddle.zeros([4])\ny[{cut}] = 1.\ny" for cut in (":-7:-1", "::-1", "-7:-7:-2", "3:-5:-2", "2:-9:-1", "1:-3:-1")),
    "paddle.vsplit(C(f(6,2)), [1,2])", "paddle.vsplit(C(f(6,2)), 3)", "paddle.vsplit(C(f(6,2)), [1,-1,2,-1])",
    # data types that no kernel takes
    *(f"paddle.multiplex([C(f(2,3)), C(i(2,3)).astype('float32')], C([[1],[0]]).astype('{kind}'))" for kind in ("int32", "int64")),
    "paddle.multiplex([C(f(2,3)), C(f(2,3)) + 1], C([1,0]).astype('int32'))",
    *(f"F.one_hot(C([1,0]).astype('{kind}'), 3)" for kind in ("int32", "int64", "float32", "bool", "int16", "uint8")),
    *(f"C(f(3)).index_put((C([0]),), C([1]).astype('{kind}'))" for kind in ("float32", "float64", "int64")),
    "C(c(3)).index_put((C([0]),), C([1.]))",
    "paddle.linalg.multi_dot([C(f(2,3)), C(f(3,2)).astype('float64')])",
    *(f"paddle.linalg.lu_unpack(*paddle.linalg.lu(C(f(3,3)).astype('float64')), {a}, {b})" for a in (True, False) for b in (True, False)),
    *(f"paddle.cumprod(C(3.), {dim})" for dim in (-1, 0, 1)), "C(3.).cumprod_(-1)",
    "paddle.logical_and(C([1.,0.]), C([1,0]))",
    *(f"paddle.create_parameter([2,2], '{kind}').dtype" for kind in ("bfloat16", "float16")),
    "list(paddle.create_parameter([2,2], 'bfloat16', attr=paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(1.))).shape)",
    # parameters of the data type, and of the size, of a vector
    *(
        f"l = paddle.nn.Linear(2,2)\npaddle.nn.utils.vector_to_parameters(C(f({size})).astype('{kind}'), l.parameters())\nl.weight, l.bias"
        for size, kind in (("6", "float32"), ("6", "float64"), ("5", "float32"))
    ),
    "paddle.nn.utils.parameters_to_vector([])",
    # sparse Tensors that name places several times, or in no order
    "paddle.sparse.pca_lowrank(C(f(4,3)))",
    *(
        f"def sp(where, values): return paddle.sparse.sparse_coo_tensor(where, values, [2,3])\n"
        f"a, b = sp({a}, [1.,2.,3.,4.]), sp({b}, [10.,20.,30.,40.])\n"
        "t = [getattr(paddle.sparse, n)(*p) for n in ('add', 'subtract', 'multiply') for p in ((a, b), (b, a), (a, a))]\n"
        "[(x.indices(), x.values()) for x in t]"
        for a, b in (
            ("[[0,0,1,1],[1,1,0,0]]", "[[0,0,1,1],[1,1,0,2]]"), ("[[0,0,1,1],[0,2,0,1]]", "[[0,0,1,1],[0,1,0,2]]"),
        )
    ),
    "def sp(where, values): return paddle.sparse.sparse_coo_tensor(where, values, [2,3])\n"
    "t = paddle.sparse.add(sp([[1,0],[1,1]], [1.,2.]), sp([[0,1],[1,1]], [10.,20.]))\n[t.indices(), t.values()]",
]  # fmt: skip

ROWS += [
    # what is not finite comes behind everything that is searched
    "paddle.searchsorted(C([1.,3.]), C([nan, float('inf'), -float('inf'), 2.])), paddle.bucketize(C([-float('inf')]), C([1.,2.]))",
    # Tensors without dimensions
    *(f"paddle.topk(C(3.), {k})" for k in (1, 2, 0, -2)), *(f"paddle.squeeze(C(2.), {axis})" for axis in (0, -1, 1)),
    # data types that no kernel takes
    *(f"paddle.{api}(C([True,False]))" for api in ("sort", "argsort", "mode", "nn.functional.thresholded_relu")),
    "F.thresholded_relu(C([1,2]))", "F.temporal_shift(C(i(4,4,1,2)), 2, .2)",
    *(f"paddle.geometric.segment_{kind}(C([True]*4), C([0,0,1,1]))" for kind in ("sum", "mean", "max")),
    "paddle.randint_like(C(f(2)), 3, 4, 'complex64')",
    # two data types where there is to be one
    *(
        f"{call.format(a=a, b=b)}"
        for call in (
            "paddle.dot({a}, {b})", "paddle.kron({a}, {b})", "paddle.equal_all({a}, {b})", "paddle.dist({a}, {b})", "F.log_loss({a}, {b})",
            "F.binary_cross_entropy_with_logits({a}, {b})", "paddle.scatter_nd_add({a}, C([[1]]), {b}[:1])",
            "F.sigmoid_focal_loss({a}, {b})", "paddle.linalg.triangular_solve({a}.reshape([2,1])[:1], {b}.reshape([2,1])[:1])",
        )
        for a, b in (("C(f(2))", "C(f(2).astype('float64'))"), ("C(f(2))", "C([1,0])"))
    ),
    "F.linear(C(f(2,2)), C(f(2,2)), C(f(2).astype('float64')))", "F.linear(C(f(2,2).astype('float64')), C(np.eye(2)), C(f(2)))",
    # sizes and places
    "paddle.slice(C(f(3,4)), [0], 1, [3])", "paddle.slice(C(f(3,4)), [0], [1], 3)", "paddle.slice(C(f(3,4)), [0,1], 1, [3,3])",
    "paddle.rank(np.ones([2,3]))", "paddle.chunk(C(f(2,6)), [1,5], 1)", "paddle.crop(C(f(3,4)), 3)", "paddle.crop(C(f(3,4)), [2,2], 1)",
    "paddle.index_sample(C(f(3,4)), C([[0],[1]]))", "paddle.tril_indices(-1,3)", "paddle.tril_indices(3,-1)", "paddle.triu_indices(3,-1)",
    *(f"paddle.{call}" for call in (
        "randn(['a'])", "randn([2.5])", "repeat_interleave(C(f(2,3)), 2.)", "squeeze(C(f(1,3)), 1.)", "var(C(f(2,3)), 1.5)",
        "mean(C(f(2,3)), 'a')", "max(C(f(2,3)), 1.5)", "logsumexp(C(f(2,3)), 'a')", "prod(C(f(2,3)), 'a')", "cumprod(C(f(2,3)), 1.5)",
    )),
    "S(lambda x: [C(np.array(t.shape)) for t in paddle.split(x, [2,-1], 1)], x=f(2,6))",
    # places of the lower median, of one number and where there is nothing but NaN
    "paddle.nanmedian(C([[nan,nan],[1.,nan]]), 1, mode='min')", "paddle.nanmedian(C([[nan,nan],[1.,nan]]), 0, True, mode='min')",
    *(f"paddle.{api}(C(2.), {axis}, mode='min')" for api in ("median", "nanmedian") for axis in ("0", "-1, True", "None")),
    # diagonals, norms and powers
    "paddle.diagonal_scatter(C(f(3,3)), C(f(3)), 1)", "C(f(3,3)).fill_diagonal_tensor(C(f(2)), 0)",
    "paddle.diagonal_scatter(C(f(3,3)), C(f(3)), 0, 0, 0)",
    *(f"paddle.linalg.matrix_norm(C(f(3,4)), 2, {axis})" for axis in ("0", "[0]", "[1,1]", "[-1,1]", "[0,1]", "[0,1,2]")),
    *(f"paddle.pow(C([1,2]).astype('{kind}'), 2)" for kind in ("bool", "int8", "uint8", "int32", "float32")),
    # numbers of numpy's, arrays, Tensors and fractions where a number is asked for
    "C(f(2,3)).item(np.int64(1)), C(f(2,3)).item(np.int32(1), np.int64(1))",
    *(f"paddle.{api}(C(f(2,3)), axis=np.array([0,1]))" for api in ("sum", "std", "var", "nansum", "nanmean", "flip", "reverse")),
    "F.dropout(C(f(2,3)), .3, axis=np.int64(0), training=False)", "F.affine_grid(C(f(1,2,3)), np.array([1,1,2,2]))",
    "F.hsigmoid_loss(C(f(2,3)), C([[0],[1]]), np.int64(4), C(f(3,3)))", "F.hsigmoid_loss(C(f(2,3)), C([[0],[1]]), C(4), C(f(3,3)))",
    "paddle.uniform([2], seed=np.int64(3)).shape, paddle.uniform([2], seed=C(3)).shape",
    "x=C(f(2)); paddle.dist(x, x + 1, p=np.array(2.)), paddle.dist(x, x + 1, p=C(2)), paddle.dist(x, x + 1, p=np.float32(2))",
    "F.pairwise_distance(C(f(2,2)), C(f(2,2)) + 1, p=np.array(2.))", "paddle.normal(np.array(0.), np.array(1.), [2]).shape",
    "paddle.tril_indices(C(3), C([2]), C(0)), paddle.triu_indices(C(3), C([2]), C(0)), paddle.tril_indices(np.int64(3), np.int32(3))",
    "paddle.diagflat(C(f(2)), offset=C(1)), paddle.diagflat(C(f(2)), offset=C([1]))",
    "x,v=C(f(2,3)), C(f(3)); paddle.select_scatter(x, v, C(0), 1), paddle.select_scatter(x, v, 0, C(1))",
    "paddle.mode(C(f(2,3)), C(1)), paddle.mode(C(f(2,3)), C([1]))", "F.normalize(C(f(2,3)), axis=C(1))",
    *(f"paddle.topk(C(f(5)), {k})" for k in ("2.", "2.7")), "C(f(5)).topk(k=3.)", "paddle.multinomial(C([0.,1.]), 1.)",
    "paddle.bincount(C([1,2]), minlength=5.)", "paddle.cumsum(C(f(2,3)), axis=1.)", "paddle.cumsum(C(f(2,3)), axis=1.5)",
    "paddle.gather(C(f(2,3)), C([1]), axis=1.)", "C(f(2,3)).gather(C([1]), axis=0.)", "paddle.concat([C(f(2)), C(f(2))], axis=0.)",
    "paddle.fft.rfftfreq(5.), paddle.fft.fftfreq(C(5)), paddle.fft.rfftfreq(C(5))", "paddle.fft.fftfreq(5.)",
    "paddle.vision.ops.yolo_box(C(f(1,14,3,3)), C([[100,100]], 'int32'), np.array([10,13,16,30]), 2, .01, 32)",
    "paddle.vision.ops.prior_box(C(f(1,2,3,3)), C(f(1,3,9,9)), [2.], variance=np.array([.1,.1,.2,.2]))",
    "paddle.einsum('ij,jk->ik', C(c(2,3)), C(f(3,2)))", "paddle.einsum('ij,jk->ik', C(f(2,3)), C(c(3,2)))",
    "paddle.einsum('ij,jk->ik', C(f(2,3)), C(f(3,2)).astype('float64'))",
    "x=C(f(3,4)); [paddle.slice(x, [a,1], [0,1], [2,3]) for a in (C(0), C([0]), np.int64(0))]",
    "paddle.strided_slice(C(f(3,4)), [C(0)], [0], [3], [2])",
    "[nn.LayerNorm(size)(C(f(2,3))) for size in (np.int64(3), [np.int64(3)], C([3]), [C(3)], 3, (3,))]",
    "paddle.tensordot(C(f(2,3)), C(f(3,2)), [np.array([1]), np.array([0])])",
    # what neither wheel takes
    "F.zeropad2d(C(f(1,1,2,2)), 1)", "F.zeropad2d(C(f(1,1,2,2)), (1,1,1,1))",
    *(f"F.max_unpool1d(C(f(1,1,3)), C([[[0,2,4]]], 'int32'), 2, output_size={size})" for size in ("[6]", "[1,1,6]", "[7]", "[1,1,7]")),
    *(f"paddle.put_along_axis(C(f(2,3)), C([[0],[1]]), {value}, 1)" for value in ("1", "1.5", "True", "np.float64(1.5)", "np.array(1.5)")),
    *(f"paddle.put_along_axis(C(i(2,3)).astype('{kind}'), C([[0],[1]]), 1, 1)" for kind in ("int32", "int64", "float64")),
    "C(f(2,3)).put_along_axis(C([[0],[1]]), 1, 1)", "C(f(2,3)).put_along_axis_(C([[0],[1]]), 1, 1)",
    *(f"F.{loss}(C(f(2)), C([1,2]).astype('{kind}'){more})" for kind in ("int32", "int64", "float32") for loss, more in (
        ("gaussian_nll_loss", ", abs(C(f(2)))"), ("smooth_l1_loss", ""))),
    "F.gaussian_nll_loss(C(f(2)), f(2), abs(C(f(2))))", "F.smooth_l1_loss(C([1,2]), C(f(2)))",
    "x,y=C(f(2)), C(f(2)).astype('float64'); paddle.heaviside(x, y)", "paddle.heaviside(C([1,2]), C([1,2], 'int32'))",
    "C(f(3)).searchsorted(C(f(2)))", "C(f(2)).bucketize(C(f(3)))",
    *(f"F.{api}(C([[1,0]]))" for api in ("label_smooth", "hardtanh", "relu6", "hardsigmoid", "tanhshrink")),
    *(f"F.{api}(C(np.ones([1,4,4,4], 'int64')), 2)" for api in (
        "pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "unfold", "max_pool2d", "maxout")),
    "F.max_pool1d(C(np.ones([1,1,4], 'int64')), 2)", "F.embedding(C([1]), C([[1,2],[3,4]]))",
    "F.cross_entropy(C(f(2,3)), C([0,1]), soft_label=0)", "F.cross_entropy(C(f(2,3)), C([0,1]), use_softmax=1)",
]  # fmt: skip

# what Programs of 2.6 write into arrays
ARRAYS = {
    cut: f"def build(x):\n    {_WRITTEN.replace('; ', chr(10) + '    ')}\n    return part({cut})\nS(build, x=f(2,3))"
    for cut in (
        "paddle.strided_slice(r, [0], [1], [4], [2])", "paddle.strided_slice(r, [0], [3], [0], [-1])",
        "paddle.strided_slice(r, [0], [-1], [-5], [-1])", "r[0:4:2]", "r[::-1]", "r[1:3]",
    )
}  # fmt: skip
ROWS += ARRAYS.values()
