"""Calls that 2.6.2 refuses and 3.3.1 computes, in the words of rows_corners.py."""

from __future__ import annotations

# fmt: off
ROWS = [
    # paddings of as many numbers as one likes
    "[F.pad(C(f(2,3)), p) for p in ([1], [1,1,1], [1,2,3,4,5,6])], F.pad(C(f(1,2,2)), [1,2,3,4,0,1,2,1]), F.pad(C(f(1,1,2,2)), [])",
    "D(lambda x: F.pad(x, [1,0,2], value=.5), f(1,1,2,3)), F.pad(C(f(1,1,1,2,2)), [1])",
    "S(lambda x: [F.pad(x, [1,1,1]), F.pad(x, [])], x=f(1,2,3))",
    # windows that there are none of
    "D(lambda x: F.adaptive_avg_pool2d(x, [0,2]), f(1,2,4,4)), D(lambda x: F.adaptive_avg_pool3d(x, 0), f(1,1,2,3,4))",
    "D(lambda x: F.adaptive_max_pool2d(x, 0, return_mask=True), f(1,2,4,4)), D(lambda x: F.adaptive_max_pool1d(x, 0), f(1,2,4))",
    "F.avg_pool3d(C(f(1,2,2,4,4)).astype('float16'), 2)",
    # more data types
    "S(lambda x, w, b: [F.linear(x, w, b) > 3], x=i(2,3), w=i(3,4), b=i(4))",
    "x=C(c(4,3), stop_gradient=False); y=F.embedding(C([1,3,1]), x); y.abs().sum().backward(); y, x.grad",
    # torch's ways
    "D(lambda x: paddle.sum(x, 1, True), f(2,3,4)), C(f(2,3)).sum(-1, False), paddle.sum(C(f(2,3)), [0,1], True)",
    "S(lambda x: [x.sum(-1, True)], x=f(2,3))",
    "F.feature_alpha_dropout(C(f(4)), .5, training=False), F.feature_alpha_dropout(C(f(4)), 1.)",
    "F.interpolate(C(f(1,2,3,4)), None, 1.5, 'bilinear', antialias=True)",
    "F.interpolate(C(f(1,1,7,9)), None, [.7,.5], 'bicubic', antialias=True)",
    # what is no tensor beside `==`
    "x=V([1.,2.]); x == None, x != None, x == [1.,2.], x != [1.,2.], x == (1.,2.), x == {}, None in [1, x], x != None and 3",
    "S(lambda x: x > 0 if x != None else None, x=f(2,3))",
    "V([1.,2.]) < None",
    "V([1.,2.]) >= [1.,2.]",
    # a number for the second tensor
    *(
        f"a=[C([5,-3]).astype(k) for k in {kinds}]; [paddle.{api}(v, n) for v in a for n in (2, 2.5, -3)]"
        for api in ("mod", "remainder", "floor_mod") for kinds in ("('int32','int64')", "('float32','float64')")
    ),
    "a=[C([5,3]).astype(k) for k in ('uint8','int8','int32','int64','float32','float64')]; "
    "[paddle.floor_divide(v, n) for v in a for n in (2, 2.5)]",
    "C([5,-3]).mod(2), C([5.,-3.]).remainder(2.5), C([5,-3]).floor_divide(2), C([5.,-3.]).floor_divide(2.), C([5,-3]).floor_mod(y=3)",
    "paddle.mod(2, C([5,-3]))",
    "paddle.floor_divide(C([5,-3]), None)",
    "paddle.divide(C([5.,-3.]), 2)",
    "S(lambda x: [paddle.mod(x, 2) > 1, paddle.remainder(x, 2.5) > 1.5, paddle.floor_divide(x, 2) == 0], x=f(2,3))",
    "S(lambda x: [paddle.mod(x, 2) > 0, paddle.remainder(x, 2.5) > 0, x.floor_divide(2) > 0], x=i(2,3).astype('int32'))",
    # truth values
    "b=C([True,False]); b + b, paddle.add(b, b), b ** 2, b // 2, b % 2, 2 ** b",
    "b=C([True,False]); b - b",
    "b=C([True,False]); b + C([1.,2.])",
    "S(lambda x: [paddle.cast((x > 0) + (x > .5), 'float32')], x=f(2,3))",
    # without an axis
    "D(lambda x: paddle.cumprod(x), f(2,3))",
    "C(3.).cumprod(), C([[1,2],[3,4]]).cumprod(), paddle.cumprod(C([[1,2],[3,4]]), dtype='float64')",
    "S(lambda x: paddle.cumprod(x), x=f(2,3))",
    # two floating types
    *(
        f"D(lambda x, y: paddle.{api}(x, y), f(2,3) + .1, f(2,3).astype('float64') * 2 + 7)"
        for api in ("divide", "maximum", "minimum", "fmax", "fmin", "atan2", "add", "multiply", "subtract")
    ),
    "D(lambda x, y: paddle.pow(x, y), abs(f(2,3)) + .1, f(2,3).astype('float64'))",
    *(
        f"x,y=f(2,3), f(2,3).astype('float64') * 2; paddle.{api}(C(x), C(y)), paddle.{api}(C(y), C(x))"
        for api in (
            "mod", "floor_divide", "less_than", "less_equal", "greater_than", "greater_equal", "logical_and", "logical_or", "logical_xor",
            "copysign", "nextafter",
        )
    ),
    "x,y=C([1.,2.]), C([1.,2.]).astype('float64'); paddle.equal(x, y), paddle.equal(y, x + 1), paddle.not_equal(x, y)",
    "x,y=C([[1.,2.,3.]]), C([[1.,2.,4.]]).astype('float64'); paddle.cross(x, y), paddle.cross(y, x)",
    *(
        f"S(lambda x, y: paddle.{api}(x, y), x=abs(f(2,3)) + .1, y=f(2,3).astype('float64') * 2 + 7)"
        for api in ("add", "subtract", "multiply", "divide", "maximum", "minimum", "fmax", "pow", "less_than", "equal")
    ),
    "S(lambda x, y: paddle.where(x > y, x, y), x=f(2,3), y=f(2,3).astype('float64') * 2)",
    "S(lambda x, y: paddle.atan2(x, y), x=f(2,3), y=f(2,3).astype('float64') * 2)",
    # a tensor without dimensions, and one with some
    *(
        "a=[C([4,2]), C(2, 'int32'), C([4.,2.]), C(2., 'float64'), C([True,False])]; "
        f"[paddle.{api}(x, y) for x, y in ((a[0],a[1]), (a[2],a[3]), (a[2],a[1]), (a[1],a[2]), (a[0],a[3]){more})]"
        for api, more in (("mod", ""), ("pow", ""), ("less_than", ""), ("equal", ", (a[4],a[1])"))
    ),
    "a=C([4,2]), C(3, 'int32'), C([4.,2.]); paddle.add(a[0], a[1]), paddle.subtract(a[1], a[2]), paddle.multiply(a[1], a[0])",
    "a=C([4.,2.]), C(3., 'float64'); paddle.divide(*a), paddle.divide(a[1], a[0]), paddle.maximum(*a)",
    "paddle.add(C([4,2]), C([3,2], 'int32'))",
    "paddle.equal(C([4,2]), C([3.,2.]))",
    # complex numbers
    "a,b=C([1+2j,1+3j,2+0j]), C([1+2j,3+0j,1+9j]); a < b, a <= b, a > b, a >= b, a < 2, a >= 1., paddle.less_than(a, b)",
    "a=C(c(2,3)); paddle.logical_and(a, C(i(2,3))), paddle.logical_or(C(f(2,3)), a)",
    "a=C(c(2,3)); paddle.isclose(a, a.real()), paddle.isclose(C(f(2,3)) + 0j, C(f(2,3)))",
    "a=C(c(2,3)); paddle.matmul(a, C(f(3,2))), paddle.matmul(C(f(3,2)), a), paddle.mm(a, C(f(3,2))), paddle.inner(C(f(2,3)), a)",
    "a=C(c(3)); paddle.dot(a, C([1,2,3], 'uint8')), paddle.kron(a, C([1,2], 'int16')), paddle.cross(a, C(f(3)))",
    "a=C(c(3)); paddle.add(a, C([1,2,3], 'int8')), paddle.multiply(C([1,2,3], 'uint8'), a), paddle.subtract(C([True,False,True]), a)",
    # whole numbers
    "a=C([1,2], 'uint8'); b=C([1,2], 'int8'); paddle.add(a, a), paddle.add(b, b)",
    "a=C(f(2,3)); paddle.matmul(a, C(i(3,2))), paddle.inner(a, C(i(2,3).astype('int32'))), paddle.mm(a, C(i(3,2)))",
    "paddle.searchsorted(C([1.,2.]), C([1.5,3.], 'float16')), paddle.bucketize(C([1.5,3.], 'bfloat16'), C([1,2]))",
    # Tensors of one element, numbers of numpy and truth values for ints; both wheels take most of them
    "x,t,z=C(f(2,3)), C([1]), C(1); [paddle.cumsum(x, axis=t), paddle.diagonal(x, offset=t), paddle.stack([z, z], axis=C([0]))]",
    "x,t,z=C(f(2,3)), C([1]), C(1); [paddle.unique(x, axis=t), *paddle.kthvalue(x, 1, axis=t), paddle.argsort(x, axis=t)]",
    "x,t=C(f(2,3)), C([1]); paddle.index_select(x, t, axis=t), paddle.repeat_interleave(x, 2, axis=t), paddle.diff(x, axis=C(1))",
    "x,t,z=C(f(2,2)), C([2]), C(2); paddle.addmm(x, x, x, alpha=t), paddle.diff(x, axis=C([1])), paddle.linalg.matrix_power(x, z)",
    "x=C(f(2,3)); paddle.flip(x, axis=C(1)), paddle.flip(x, axis=C([0])), paddle.flip(x, axis=np.int64(1))",
    "paddle.eye(C([2])), paddle.eye(C(2), C(1)), paddle.eye(np.int64(2))",
    "x,n=C(f(2,3)), np.int64(1); paddle.cumprod(x, C(0)), paddle.cumprod(x, n), paddle.argmax(x, axis=n), paddle.argmin(x, n)",
    "paddle.diagflat(C(f(2)), offset=np.int64(1)), paddle.dist(C(f(2)), C(f(2)) + 1, p=np.int64(1)), paddle.std(C(f(2,3)), axis=C(1))",
    "paddle.clip(C(f(2,3)), max=np.float32(.5)), paddle.clip(C(f(2,3)), min=np.int64(0)), paddle.full(np.int64(2), 1.)",
    "x=C(f(2,2)); paddle.tensordot(x, x, np.int64(1)), paddle.concat([x, x], axis=True), paddle.gather(x, C([1]), axis=True)",
    "x=C(f(3,3)); a=np.array; paddle.slice(x, [0], a([0]), a([1])), paddle.tile(x, a([2])), paddle.crop(x, a([1,2]), [0,1])",
    "F.interpolate(C(f(1,1,2,2)), size=np.array([4,4])), F.softmax(C(f(2,2)), axis=C([0]))",
    "F.cross_entropy(C(f(2,2)), C([0,1]), axis=C([1]))",
    "x,n=C(f(2,3)), np.float32(.5); paddle.allclose(x, x, rtol=n), paddle.add(x, x, alpha=n), paddle.floor_divide(x, n)",
    "C([1.], stop_gradient=0), C([1.], stop_gradient=1)",
    "paddle.create_parameter([2], 'float32', is_bias=2)",
    # nothing in a range
    "paddle.arange(0, 5, -1), paddle.arange(5, 0), paddle.arange(5., 5.), paddle.linspace(0, 1, 0), paddle.arange(0, 1, 0.25)",
    "S(lambda x: x[:0].shape[0] + paddle.arange(5, 2), x=f(2,3))",
    # more data types
    "m=C([True,False,True]); [paddle.masked_select(C([3,1,2]).astype(k), m) for k in ('bool','uint8','int8','int16')]",
    "[paddle.index_select(C([1,0,1]).astype('bool'), C([0,2]))]",
    "[paddle.take_along_axis(C([[3,1,2]]).astype(k), C([[0,2]]), 1) for k in ('uint8','int16')]",
    "[paddle.select_scatter(C([[3,1],[2,0]]).astype(k), C([7,9]).astype(k), 0, 1) for k in ('uint8','int8','int16')]",
    "a=C(c(2,1)); paddle.diagflat(a), paddle.broadcast_tensors([a, a[:1]])",
    "b=C([True,False]); paddle.where(b, 1+2j, C([1.,2.])), paddle.where(b, C([1.,2.], 'float64'), 2j), paddle.equal(C([1.]), 1+2j)",
    # what else both wheels compute
    "a=C(f(3,4)); [paddle.linalg.cov(a, ddof=d) for d in (True, False, 0, 1, 2, -1, 0.5)]",
    "a,b=C(f(2,1)), C(f(3,2)); paddle.tensordot(a, b, 1), paddle.tensordot(C(f(1)), b, 1), paddle.tensordot(C(f(2,3)), C(f(1,2,3)), 1)",
    "z=C(c(2,3)); [paddle.fft.fft(z, axis=None), paddle.fft.fft2(z, axes=range(2)), paddle.fft.fftfreq(np.int64(3))]",
    "paddle.hypot(C(3), C([4.,1.])), paddle.hypot(C([3.,1.]), C([4.,1.], 'float64')), paddle.hypot(C([3,4]), C([4,3]))",
    "D(lambda x: F.avg_pool2d(x, 2, padding=3), f(1,1,4,4)), D(lambda x: F.avg_pool1d(x, 2, padding=3), f(1,1,4))",
    "a=[C([[1,2],[0,3]]).astype(k) for k in ('uint8','int8','int16')]; [paddle.isinf(v) for v in a]",
    "paddle.nanmean(C([1,2,4], 'int32'))",
    "[paddle.mean(C(v), axis=a) for v in ([[1,2],[3,5]], [[True,False],[False,False]]) for a in (None, 0, 1)]",
    # products without elements
    "S(lambda x, y: [paddle.matmul(x, y), x @ y, paddle.mm(x, y)], x=f(0,3), y=f(3,2))",
    "S(lambda x, y: [paddle.matmul(x, y)], x=f(2,0), y=f(0,3))",
    # whole numbers in Programs
    *(
        f"S(lambda x: [v > 0 for v in (paddle.mean(x), paddle.mean(x, 1), x.mean(0, keepdim=True))], x=i(2,3).astype('{kind}'))"
        for kind in ("int32", "int64")
    ),
    "S(lambda x: [paddle.mean(x > 0), (x > 0).mean(1)], x=f(2,3))",
    *(
        f"S(lambda x: [v > .5 for v in ({calls})], x=i(2,3))"
        for calls in (
            "paddle.sin(x), paddle.cos(x), paddle.tan(x), paddle.atan(x), paddle.sinh(x), paddle.cosh(x), paddle.asinh(x), paddle.tanh(x)",
            "paddle.erf(x), F.sigmoid(x), paddle.i0(x), paddle.i1e(x), paddle.stanh(x), paddle.logsumexp(x), paddle.reciprocal(x - 20)",
            "paddle.ceil(x), paddle.floor(x), paddle.round(x), paddle.sqrt(x + 5), paddle.rsqrt(x + 5), paddle.lgamma(x + 5)",
        )
    ),
    "a=[C([3,1,2]).astype(k) for k in ('uint8','int32')]; [(paddle.stanh(v), paddle.logit(v * 0), paddle.polygamma(v, 1)) for v in a]",
    # operators of Programs
    "S(lambda x: [v > 0 for v in (5 % x, 5 // x, 2.5 % x, 2.5 // x)], x=abs(i(2,3)) + 1)",
    "S(lambda x: [v > .5 for v in (5 % x, 5 // x, 2.5 % x, 7.5 // x)], x=abs(f(2,3)) + .5)",
    "S(lambda x: [v > 0 for v in ((x > 0) ** 2, (x > 0) % 2, (x > 0) // 1, 2 ** (x > 0))], x=f(2,3))",
    "S(lambda x: [v for v in (paddle.t(x > 0), paddle.roll(x > 0, 1, 0), paddle.flatten(x > 0), paddle.neg(x > 0))], x=f(2,3))",
    "S(lambda x: [paddle.gather(x > 0, paddle.argmax(x, 1)), paddle.where(x > 0, x > 1, x < -1)], x=f(3,3))",
    "S(lambda x: [paddle.matmul(x, x, transpose_y=True) > 3, paddle.allclose(x, x)], x=i(2,3))",
    "S(lambda x: [paddle.sum(x, axis=paddle.full([], 1, 'int64')), paddle.max(x, paddle.full([], 0, 'int64'))], x=f(2,3))",
]
