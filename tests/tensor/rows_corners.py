"""Corners of operators that both 2.6.2 and 3.3.1 are asked for; the last expression of a row is what is compared.

`f` makes floats, `c` complex numbers, `i` whole numbers of a shape, the same ones every time; `V` and `C` make Tensors of given numbers,
V with a gradient; `D(function, *xs)` gives a function's results and the gradients of their weighted sum; `S(build, **feeds)` what a Program
that `build` writes gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

NAN = float("nan")


def names(paddle: Any) -> dict[str, Any]:
    """What the rows speak of."""
    paddle.seed(1)
    paddle.disable_static()

    def floats(*shape: int) -> Any:
        return ((np.arange(np.prod(shape, dtype=int)) * 37 % 23 - 11) / 8).reshape(shape).astype("float32")

    def variable(value: Any, dtype: str = "float32") -> Any:
        return paddle.to_tensor(np.asarray(value, dtype), stop_gradient=False)

    def listed(value: Any) -> list[Any]:
        return list(value) if isinstance(value, (list, tuple)) else [value]

    def derived(function: Any, *values: Any) -> list[Any]:
        """Results and gradients."""
        given = [paddle.to_tensor(np.asarray(value), stop_gradient=False) for value in values]
        results = listed(function(*given))
        total = paddle.zeros([])
        for result in results:
            if str(result.dtype).endswith(("float32", "float64")) and not result.stop_gradient:
                weights = np.cos(np.arange(int(np.prod(result.shape)))).reshape(result.shape).astype(result.numpy().dtype)
                total = total + (result * paddle.to_tensor(weights)).sum().astype("float32")
        total.backward()
        return [*results, *(None if value.grad is None else value.grad.numpy() for value in given)]

    def in_program(build: Any, **feeds: Any) -> list[Any]:
        """What a Program gives for its inputs, which have gradients."""
        paddle.enable_static()
        main, startup = paddle.static.Program(), paddle.static.Program()
        try:
            with paddle.static.program_guard(main, startup):
                inputs = {name: paddle.static.data(name, value.shape, str(value.dtype)) for name, value in feeds.items()}
                for value in inputs.values():
                    value.stop_gradient = False
                results = listed(build(**inputs))
                slopes = paddle.static.gradients([r for r in results if not r.stop_gradient], list(inputs.values()))
                fetched = [*results, *(slope for slope in slopes if slope is not None)]
            executor = paddle.static.Executor(paddle.CPUPlace())
            executor.run(startup)
            return [np.asarray(value) for value in executor.run(main, feeds, fetched)]
        finally:
            paddle.disable_static()

    return {
        "paddle": paddle,
        "np": np,
        "F": paddle.nn.functional,
        "nan": NAN,
        "f": floats,
        "c": lambda *shape: floats(*shape) + 1j * floats(*shape[::-1]).reshape(shape),
        "i": lambda *shape: (np.arange(np.prod(shape, dtype=int)) * 7 % 11 - 3).reshape(shape),
        "V": variable,
        "C": paddle.to_tensor,
        "D": derived,
        "S": in_program,
    }


# fmt: off
ROWS = [
    # resizing to one pixel, which lies where the first one begins
    "D(lambda x: F.interpolate(x, [1,2], mode='bilinear'), f(1,2,3,4)), D(lambda x: F.interpolate(x, [1,1], mode='bicubic'), f(1,2,3,4))",
    "D(lambda x: F.interpolate(x, [2,1], mode='bilinear', data_format='NHWC'), f(1,5,4,2))",
    "F.interpolate(C(f(1,1,4,3)), [1,1], mode='nearest')",
    "D(lambda x: F.interpolate(x, scale_factor=.5, mode='bicubic'), f(1,1,3,4)), F.interpolate(C(f(1,1,5,4)), None, .3, 'bilinear')",
    "F.interpolate(C(f(1,2,4)), [1], mode='linear', data_format='NCW')",
    "F.interpolate(C(f(1,1,2,3,4)), [1,2,1], None, 'trilinear', False, 0, 'NCDHW')",
    "[F.interpolate(C(f(1,1,3,4)), [1,2], None, 'bilinear', *more) for more in ((True,), (False, 1))]",
    "F.interpolate(C(f(1,1,1,4)), [1,3], mode='bicubic')",
    "S(lambda x: [F.interpolate(x, [1,1], mode='bilinear'), F.interpolate(x, [1,2], mode='bicubic')], x=f(1,2,3,4))",
    "D(lambda x: paddle.renorm(x, 0., 0, 2.05), f(3,2))",
    "D(lambda x: paddle.renorm(x, -1., 1, .05), f(2,3) + 2)",
    "D(lambda x: paddle.renorm(x, -2., -1, 1.), f(2,3) + 2)",
    "D(lambda x: paddle.renorm(x, 2., 0, -1.), f(3,2))",
    "D(lambda x: paddle.renorm(x, 2., 0, 0.), f(3,2))",
    "D(lambda x: paddle.renorm(x, .5, 2, .7), f(2,3,2) + 4)",
    "D(lambda x: paddle.renorm(x, 3., 0, 1.), f(4))",
    "paddle.renorm(C(f(3,4)), float('inf'), 0, 1.2)",
    "F.affine_grid(C(f(2,3,3)), [2,1,2,3], True)",
    "F.affine_grid(C(f(2,3,3)), C(np.array([2,1,2,3], 'int32')), False)",
    "D(lambda x: F.affine_grid(x, [1,1,2,3]), f(2,2,3))",
    "F.affine_grid(C(f(2,3,3)), [2,1,2,3,2])",
    "paddle.signal.stft(C(c(2,32)), 8)",
    "paddle.signal.stft(C(f(32).astype('complex64')), 8, window=C(c(8).astype('complex64')))",
    "paddle.signal.stft(C(c(2,32)), 8, onesided=True)",
    "paddle.signal.stft(C(f(2,32)), 8)",
    "n=np.array([[1.,nan,3.,2.],[4.,5.,nan,nan],[7.,8.,0.,9.],[nan]*4]); [paddle.argmax(C(n), a) for a in (None,0,1)]",
    "n=np.array([[1.,nan,3.,2.],[4.,5.,nan,nan],[7.,8.,0.,9.],[nan]*4],'float32'); [paddle.argmin(C(n), a) for a in (None,0,1)]",
    "paddle.argmax(C([nan,-np.inf,-np.inf]), 0), paddle.argmin(C([np.inf,nan,np.inf]), 0), paddle.argmax(C([1.,np.inf,3e38,nan]))",
    "S(lambda x: paddle.argmax(x, 1), x=np.array([[nan,1.,2.],[3.,nan,1.]], 'float32'))",
    "n=np.array([[1.,nan,3.,2.],[4.,5.,nan,nan],[7.,8.,0.,9.],[nan]*4]); [paddle.mode(C(n), a) for a in (0,1)]",
    "paddle.mode(C([[2.,2.,3.,3.,1.],[1.,2.,1.,2.,5.]])), paddle.mode(C(i(4,9)), 0), paddle.mode(C(i(4,9)), 1, True)",
    "D(lambda x: paddle.mode(x, 1)[0], np.array([[2.,2.,3.,3.,1.],[1.,2.,1.,2.,5.]], 'float32'))",
    "n=np.array([[1.,nan,3.,2.],[4.,5.,nan,nan],[7.,8.,0.,9.],[nan]*4]); [paddle.median(C(n), a) for a in (None,0,1)]",
    "n=np.array([[1.,nan,3.,2.],[4.,5.,nan,nan],[7.,8.,0.,9.],[nan]*4]); [paddle.nanmedian(C(n), a) for a in (None,0,1)]",
    "n=np.array([[1.,nan,3.,2.],[4.,5.,nan,nan],[7.,8.,0.,9.],[nan]*4]); [(paddle.sort(C(n), a), paddle.argsort(C(n), a)) for a in (0,1)]",
    "n=C([[1.,nan,3.,2.],[4.,5.,nan,nan],[7.,8.,0.,9.],[nan]*4]); [paddle.topk(n, k, largest=l) for k in (1,2,4) for l in (True,False)]",
    "n=np.array([[1.,nan,3.,2.],[4.,5.,nan,nan]]); paddle.clip(C(n), 2., 5.), paddle.clip(C(n), 1., nan)",
    "paddle.clip(C(f(2,3)), C([[-.5],[.1]]), C([.5,.2])), D(lambda x: paddle.clip(x, max=C([.5,.2])), f(2,3))",
    "z=np.array([0.,-0.,1.,-4.],'float32'); D(lambda x: paddle.sqrt(paddle.abs(x)), z), "
    "D(lambda x: paddle.log(F.l1_loss(x, C([0.,1.,1.,0.]), 'none')), z)",
    "z=np.array([0.,-0.,1.,-4.],'float32'); D(lambda x: F.l1_loss(x, C([0.,1.,1.,0.])), z), D(lambda x: F.l1_loss(x, x * 1)**.5, z)",
    "D(lambda x: paddle.sqrt(paddle.abs(x)), np.array([0j,3.+4j,-0.,-1.], 'complex64'))",
    "S(lambda x: paddle.sqrt(paddle.abs(x)), x=np.array([0.,-0.,1.,-4.],'float32'))",
    "S(lambda x: F.cross_entropy(x, paddle.full([2,1],2,'int64'), use_softmax=False), x=f(2,3)**2-f(2,3)[0,0]**2)",
    "p=np.array([[0.,.2,.8],[1.,0.,0.],[.5,.5,0.]],'float32'); "
    "[D(lambda x: F.cross_entropy(x, C([[0],[0],[2]],'int64'), reduction=r, use_softmax=False), p) for r in ('none','mean')]",
    "p=np.array([[0.,.2,.8],[1.,0.,0.],[.5,.5,0.]],'float32'); "
    "D(lambda x: F.cross_entropy(x, C([0,-100,1],'int64'), use_softmax=False, axis=0), p[:, :2].T[:, [0,1,2]])",
    "p=np.array([[0.,.2,.8],[1.,0.,0.],[.5,.5,0.]],'float32'); "
    "D(lambda x: F.cross_entropy(x, C([[0.,.5,.5],[1.,0.,0.],[0.,.5,.5]]), None, -100, 'none', True, -1, False), p)",
    "D(lambda x: paddle.norm(x, p=0), f(2,3)), D(lambda x: paddle.norm(x, p=0, axis=1), f(2,3))",
    "D(lambda x, y: paddle.dist(x, y, 0), f(2,3), f(3)), D(lambda x, y: paddle.cdist(x, y, 0.), f(2,3), f(4,3))",
    "S(lambda x: paddle.norm(x, p=0, axis=1), x=f(2,3))",
    "D(paddle.linalg.det, c(3,3) + 2 * np.eye(3))[0], paddle.linalg.det(C(np.stack([c(2,2), np.eye(2)])))",
    "paddle.linalg.lu_unpack(*paddle.linalg.lu(C(c(3,4))))",
    "Z=paddle.zeros; paddle.mm(Z([0,3]), Z([3,2])), paddle.mm(Z([2,0]), Z([0,2])), Z([0,2]).mm(Z([2,4]))",
    "paddle.sigmoid(C(f(2,3)))",
    "D(lambda x: paddle.gather(x, C([-1,0])), f(3,2)), paddle.gather(C(f(3,4)), C([2,-4]), axis=1)",
    "paddle.gather(C(f(3,2)), C([-4]))",
    "paddle.index_select(C(f(3,4)), C([-1,0]), axis=1)",
    "paddle.index_select(C(f(3,4)), C([-5]), axis=1)",
    "D(lambda x, u: paddle.scatter(x, C([-1,1]), u), f(3,2), f(2,2)), paddle.scatter(C(f(3)), C([-1,-1]), C(f(2)), overwrite=False)",
    "D(lambda x, v: paddle.put_along_axis(x, C([[0,1,0],[3,3,1]]), v, 1), f(2,4), f(2,3))",
    "S(lambda x, v: paddle.put_along_axis(x, paddle.full([2,3], 1, 'int64'), v, 1), x=f(2,4), v=f(2,3))",
    "paddle.put_along_axis(C(f(3,4)), C([[0,1]]), C(f(2,3)), 0, broadcast=False)",
    "a=C([True,False]); x=C([1,2]); [paddle.where(a, x.astype(k), x.astype(l)).astype('float32') for k, l in "
    "(('float32','float64'), ('float16','float32'), ('bfloat16','float16'), ('float64','bfloat16'))]",
    "a=C([True,False]); x=C([1,2]); [str(paddle.where(a, x.astype(k), x.astype(l)[:1]).dtype) for k, l in "
    "(('float32','float64'), ('float16','float32'), ('bfloat16','float16'), ('float64','bfloat16'))]",
    "D(lambda x, y: paddle.where(x > 0, x, y), f(2,3), f(2,3).astype('float64') - 1)",
    "a=C([True,False]); x=C([1,2]); [paddle.where(a, x.astype(k), x.astype(l)) for k, l in "
    "(('float32','complex64'), ('complex64','int64'), ('bool','complex64'), ('complex64','float64'))]",
    "paddle.where(C([True,False]), C([1,2]), C([1.,2.]))",
    "a=[C([3,1,2]).astype(k) for k in ('int8','uint8','int16','int64')]; [(paddle.logsumexp(v), paddle.logcumsumexp(v)) for v in a]",
    "a=[C([3,1,2]).astype(k) for k in ('int8','uint8','complex64')]; [paddle.cumsum(v) for v in a]",
    "paddle.cumsum(C([True,False]))",
    "paddle.round(C([3,1])), paddle.round(C([3,1], 'int32'))",
    "paddle.round(C([3,1], 'int8'))",
    "a=[C([3,1,2]).astype(k) for k in ('int8','uint8','int16','bool')]; [paddle.concat([v, v]) for v in a]",
    "[v for k in ('int8','bool') for v in (paddle.full_like(C([3,1]).astype(k), 1), paddle.ones_like(C([3,1]).astype(k)))]",
    "paddle.masked_fill(C([3,1], 'uint8'), C([True,False]), 2), paddle.roll(C([True,False,False]), 1)",
    "b=C([True,False]); i=C([1,2]); paddle.where(b, b, ~b), paddle.allclose(b, b), paddle.allclose(i, C([1,3])), paddle.allclose(i, i)",
    "paddle.where(C([True]), C([1], 'int8'), C([1], 'int8'))",
    "a=C([[3.,1.,2.],[0.,2.,1.]], 'bfloat16'); paddle.argsort(a), paddle.diff(a)",
    "paddle.bincount(C([1,2,2], 'int32')), paddle.bincount(C([1,2,2]), C([1.,2.,.5]))",
    "paddle.cast(C([1,2]), None), C([1.5]).astype(None)",
    *(
        f"paddle.{name}(C(f(2,3,4)), axis={axis})"
        for name in ("sum", "max", "prod", "logsumexp", "std", "norm", "median", "nanmedian") for axis in ("[1,1]", "[-1,2]")
    ),
    "[paddle.flip(C(f(2,3)), axis) for axis in ([0,-2], [1,-1], [0,-1], [])]",
    "[paddle.argmax(C(3.), axis=0, keepdim=True), paddle.argmin(C(3), axis=-1, keepdim=True), paddle.argmax(C(3.), axis=0)]",
    # what the examples of the documentation call
    "paddle.digamma(C([0.,-1.,-2.,-0.,1e-8,-1.5,.5])), paddle.digamma(C([0.,-1.,.5], 'float64'))",
    "D(lambda x: paddle.digamma(x), f(2,3) + .5)",
    *(f"[paddle.{api}(0., 1., n) for n in (5., 4.7, True, 3)]" for api in ("linspace", "logspace")),
    *(f"S(lambda x: [paddle.{api}(0., 1., 5.)], x=f(2,3))" for api in ("linspace", "logspace")),
    "s=[]; h=paddle.autograd.saved_tensors_hooks(lambda v: (s.append(v.stop_gradient), v.numpy())[1], paddle.to_tensor); "
    "x=paddle.to_tensor([2.], stop_gradient=False); h.__enter__(); y=x*x; h.__exit__(None, None, None); s, paddle.grad(y, x)",
    # arguments in pairs: layouts, data types and numbers that do not fit
    "x=C(f(2,3)); a, b = x.t(), C(f(3,2)) + .5; paddle.kron(a, b), paddle.kron(b, a), D(lambda x, y: paddle.kron(x.t(), "
    "y), f(2,3), f(2,1))",
    "S(lambda x, y: [paddle.real(paddle.complex(x[:1], y)), paddle.imag(paddle.complex(x[:1], y))], x=f(2,3), y=f(4,3))",
    "a=[C(i(2,3)).astype(k) for k in ('int8','uint8','int16')]; [(paddle.transpose(v, (1,0)), paddle.gather_nd(v, C([[1,0]]))) for v in a]",
    "[v.tolist() for v in paddle.split(C(i(4,2)).astype('int16'), [1,3])]",
    "x, y = C(f(2,3)), paddle.complex(C(f(3,4)), C(f(3,4)) * 2); x @ y, F.linear(x, y), F.linear(y.t(), x.t())",
    "x=C(f(2,1,3)); [paddle.slice(x, [axis], [0], [1]) for axis in (5, -1, -7)]",
    "S(lambda x: [paddle.slice(x, [axis], [0], [1]) for axis in (5, -1, -7)], x=f(2,1,3))",
    "F.normalize(C(f(2,3)), axis=np.int64(1)), F.layer_norm(C(f(2,3)), np.int64(3)), [paddle.flip(C(f(2,3)), range(n)) for n in (1, 2)]",
    "x=C([1,2], 'int32'); n=3000000000; x < n, n < x, x == n, x // n, x % n, paddle.full([2], n, 'int32'), paddle.full([2], 300, 'uint8')",
    "[C([1,2]).astype(k) < n for k, n in (('int8', 300), ('uint8', 256), ('int16', 70000), ('int64', 2**63))]",
    "S(lambda x: [x < 3000000000, paddle.full([2], 3000000000, 'int32') > x], x=i(2,2).astype('int32'))",
    # numbers of other kinds where a Program keeps a truth value or a whole number
    "S(lambda x: [paddle.max(x, axis=True, keepdim=1), paddle.sum(x, axis=0, keepdim=np.bool_(True)), paddle.prod(x, 1, "
    "keepdim=0)], x=f(2,3))",
    "S(lambda x: [paddle.sort(x, axis=True, descending=1), paddle.argmax(x, axis=-1, keepdim=np.bool_(True)), "
    "paddle.triu(x, True)], x=f(2,3))",
    "S(lambda x: [paddle.searchsorted(x[0], x, out_int32=1, right=np.bool_(False)), paddle.squeeze(x, True), "
    "paddle.any(x > 0, 0, 1)], x=f(2,1))",
    # eigenvectors whose phase counts
    "D(lambda x: [paddle.real(v) ** 2 for v in paddle.linalg.eig(x)], f(3,3))",
    "h=lambda x: paddle.complex(x, x.t() - x); D(lambda x: paddle.real(paddle.linalg.eigh(h(x), 'U')[1]) ** 2, f(3,3))",
    # None is false at once, also where the default is true
    "F.affine_grid(C(f(1,2,3)), [1,3,4,5], align_corners=None), F.avg_pool2d(C(f(1,2,5,4)), 2, padding=1, exclusive=None)",
    "paddle.topk(C(f(2,3)), 1, largest=None), paddle.linalg.triangular_solve(C(f(3,3) + 3*np.eye(3, dtype='float32')), "
    "C(f(3,2)), upper=None)",
    "paddle.vision.ops.roi_align(C(f(1,4,6,6)), C([[0.,1.,4.,5.]]), C([1], 'int32'), 2, aligned=None)",
    "[[v.shape for v in paddle.linalg.lu(C(f(*shape)), get_infos=True)] for shape in ((2,2,3,3), (2,3,3), (3,3), (2,1,2,2,3))]",
    "S(lambda x, y: [paddle.real(2 / paddle.complex(x, y)), paddle.imag(2 / paddle.complex(x, y))], x=f(2,3) + .5, y=f(2,3) - .25)",
    "a=C([True,False]); x=C([1.,0.]); [paddle.where(a, x, np.float32(2)), paddle.where(a, np.float32(2), x), "
    "paddle.where(a, np.float32(2), np.float32(3)), paddle.where(a, np.int64(2), np.int64(3)), paddle.where(a, np.float64(2), x)]",
]
