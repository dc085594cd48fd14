"""Rows for paddle_compat/tensor/search.py."""

ROWS = [
    "paddle.argmax(x)", "paddle.argmax(x, axis=1)", "paddle.argmax(x, 0, keepdim=True)",
    "paddle.argmax(h, axis=-1, dtype='int32')", "paddle.argmin(x)", "paddle.argmin(x, -1, True)",
    "paddle.argmax(x, keepdim=True)", "paddle.argsort(x)", "paddle.argsort(x, axis=0, descending=True)",
    "paddle.sort(x)", "paddle.sort(x, 0, True)", "paddle.topk(x, 2)", "paddle.topk(x, 1, axis=0, largest=False)",
    "paddle.topk(h, 2, sorted=False)", "paddle.topk(x, n1)",
    "paddle.kthvalue(x, 2)", "paddle.kthvalue(x, 1, axis=0, keepdim=True)", "paddle.mode(x)",
    "paddle.mode(x, 0, True)", "paddle.nonzero(b)", "paddle.nonzero(i, as_tuple=True)", "paddle.where(b, x, y)",
    "paddle.where(b)", "paddle.where(b, x, 2.0)", "paddle.where(b, 1.0, 2.0)",
    "paddle.where(b, x, v)", "paddle.where(bh, h, h)", "paddle.where(x > 0, x, y)", "paddle.masked_select(x, b)",
    "paddle.index_select(x, k)", "paddle.index_select(x, k, axis=1)", "paddle.index_sample(x, ks)",
    "paddle.searchsorted(v, x)", "paddle.searchsorted(v, x, True, True)",
    "paddle.bucketize(x, v)", "paddle.bucketize(x, v, out_int32=True)", "paddle.argmax(b)", "paddle.topk(x, 0)",
    "paddle.index_sample(x, x)", "paddle.where(3, x, y)", "paddle.masked_select(x, x)", "paddle.nonzero(3)",
    "paddle.argmax(x, axis=0.5)",
    "paddle.kthvalue(x, 4)",
]  # fmt: skip

# 2.6.2 makes the number a float64 and refuses it beside float32 when it runs; 3.3.1, as ours, gives it the tensor's type
OTHERWISE = DIFFERENT = ("paddle.where(b, x, 2.0)",)
