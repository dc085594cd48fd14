"""`paddle.tensor`: functions on tensors, most of which `paddle` has, too."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from paddle_compat._lazy import lazy

# module: what it defines, of all the modules that have a name the first one
TABLE: dict[str, tuple[str, ...]] = {
    "array": (
        "array_length", "array_read", "array_write", "create_array",
    ),
    "attribute": (
        "imag", "is_complex", "is_floating_point", "is_integer", "rank", "real", "shape",
    ),
    "creation": (
        "arange", "assign", "clone", "complex", "create_parameter", "create_tensor", "diag", "diag_embed", "diagflat",
        "empty", "empty_like", "eye", "fill_constant", "full", "full_like", "linspace", "logspace", "meshgrid",
        "ones", "ones_like", "polar", "to_tensor", "tril", "tril_", "tril_indices", "triu", "triu_", "triu_indices",
        "zeros", "zeros_like",
    ),
    "einsum": (
        "einsum",
    ),
    "linalg": (
        "bincount", "bmm", "cdist", "cholesky", "cholesky_solve", "cross", "det", "dist", "dot", "eig", "eigh",
        "eigvals", "eigvalsh", "histogram", "inner", "inv", "inverse", "kron", "lstsq", "lu", "lu_unpack", "matmul",
        "matrix_power", "matrix_rank", "mm", "multi_dot", "mv", "norm", "outer", "p_norm", "qr", "slogdet", "solve",
        "svd", "t", "t_", "transpose", "transpose_", "triangular_solve",
    ),
    "_matrix_statistics": (
        "cond", "corrcoef", "cov", "householder_product", "pca_lowrank", "pinv",
    ),
    "logic": (
        "allclose", "bitwise_and", "bitwise_and_", "bitwise_not", "bitwise_not_", "bitwise_or", "bitwise_or_",
        "bitwise_xor", "bitwise_xor_", "equal", "equal_", "equal_all", "greater_equal", "greater_equal_",
        "greater_than", "greater_than_", "is_empty", "is_tensor", "isclose", "less_equal", "less_equal_", "less_than",
        "less_than_", "logical_and", "logical_and_", "logical_not", "logical_not_", "logical_or", "logical_or_",
        "logical_xor", "logical_xor_", "not_equal", "not_equal_",
        "bitwise_invert", "bitwise_invert_", "eq", "ge", "greater", "gt", "le", "less", "less_", "lt", "ne",
    ),
    "manipulation": (
        "as_complex", "as_real", "as_strided", "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_tensors",
        "broadcast_to", "cast", "cast_", "chunk", "concat", "crop", "diagonal_scatter", "expand", "expand_as",
        "fill_diagonal_tensor", "fill_diagonal_tensor_", "flatten", "flatten_", "flip", "gather", "gather_nd",
        "index_add", "index_add_", "index_fill", "index_fill_", "index_put", "index_put_", "masked_fill",
        "masked_fill_", "moveaxis", "put_along_axis", "put_along_axis_", "repeat_interleave", "reshape", "reshape_",
        "reverse", "roll", "rot90", "scatter", "scatter_", "scatter_nd", "scatter_nd_add", "select_scatter",
        "shard_index", "slice", "split", "squeeze", "squeeze_", "stack", "strided_slice", "take_along_axis",
        "tensordot", "tile", "tolist", "unbind", "unflatten", "unfold", "unique", "unique_consecutive", "unsqueeze",
        "unsqueeze_", "unstack", "view", "view_as", "vsplit",
        "cat", "concatenate", "swapaxes", "swapdims", "take_along_dim", "view_as_complex", "view_as_real",
    ),
    "math": (
        "add", "add_", "add_n", "addmm", "addmm_", "all", "amax", "amin", "angle", "any", "atan2", "broadcast_shape",
        "clip", "clip_", "combinations", "conj", "count_nonzero", "cummax", "cummin", "cumprod", "cumprod_", "cumsum",
        "cumsum_", "cumulative_trapezoid", "deg2rad", "diagonal", "diff", "digamma", "digamma_", "divide", "divide_",
        "erfinv", "erfinv_", "floor_divide", "floor_divide_", "floor_mod", "floor_mod_", "fmax", "fmin", "frac",
        "frac_", "frexp", "gcd", "gcd_", "heaviside", "hypot", "hypot_", "i0", "i0_", "i0e", "i1", "i1e", "increment",
        "isfinite", "isinf", "isnan", "lcm", "lcm_", "ldexp", "ldexp_", "lerp", "lerp_", "lgamma", "lgamma_", "log",
        "log10", "log10_", "log1p", "log1p_", "log2", "log2_", "log_", "logaddexp", "logcumsumexp", "logit", "logit_",
        "logsumexp", "max", "maximum", "min", "minimum", "mod", "mod_", "multigammaln", "multigammaln_", "multiplex",
        "mul_", "multiply", "multiply_", "nan_to_num", "nan_to_num_", "nanmean", "nansum", "neg", "neg_", "nextafter",
        "polygamma", "polygamma_", "pow", "pow_", "prod", "rad2deg", "remainder", "remainder_", "renorm", "renorm_",
        "scale", "scale_", "sgn", "sign", "stanh", "subtract", "subtract_", "sum", "take", "tanh", "tanh_", "trace",
        "trapezoid", "trunc", "trunc_", "vander",
        "clamp", "clamp_", "mul", "negative", "sub", "sub_",
    ),
    "ops": (
        "abs", "abs_", "acos", "acos_", "acosh", "acosh_", "asin", "asin_", "asinh", "asinh_", "atan", "atan_",
        "atanh", "atanh_", "ceil", "ceil_", "cos", "cos_", "cosh", "cosh_", "erf", "erf_", "exp", "exp_", "expm1",
        "expm1_", "floor", "floor_", "reciprocal", "reciprocal_", "round", "round_", "rsqrt", "rsqrt_", "sigmoid",
        "sigmoid_", "sin", "sin_", "sinh", "sinh_", "sqrt", "sqrt_", "square", "square_", "tan", "tan_",
    ),
    "search": (
        "argmax", "argmin", "argsort", "bucketize", "index_sample", "index_select", "kthvalue", "masked_select",
        "mode", "nonzero", "searchsorted", "sort", "top_p_sampling", "topk", "where", "where_",
    ),
    "_paddle3_parts": (
        "argwhere", "block_diag", "broadcast_shapes", "cartesian_prod", "dsplit", "hsplit", "isin", "masked_scatter", "masked_scatter_",
        "reduce_as", "slice_scatter", "split_with_sizes", "tensor_split",
    ),
    "_paddle3_made": (
        "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor", "HalfTensor", "IntTensor", "LongTensor",
        "ShortTensor", "asarray", "bartlett_window", "blackman_window", "from_numpy", "hamming_window", "hann_window", "kaiser_window",
    ),
    "_paddle3_matrices": (
        "cholesky_inverse", "lu_solve", "matrix_exp", "matrix_norm", "matrix_transpose", "ormqr", "svd_lowrank", "svdvals", "vector_norm",
    ),
    "_paddle3_numbers": (
        "baddbmm", "baddbmm_", "binomial", "bitwise_left_shift", "bitwise_left_shift_", "bitwise_right_shift", "bitwise_right_shift_",
        "copysign", "copysign_", "gammainc", "gammainc_", "gammaincc", "gammaincc_", "gammaln", "gammaln_", "ger", "histogram_bin_edges",
        "histogramdd", "isreal", "log_normal", "log_normal_", "pdist", "range", "signbit", "sinc", "sinc_", "standard_gamma", "vecdot",
    ),
    "_mapped_file": ("MmapStorage",),
    "_paddle3": (
        "as_tensor", "column_stack", "dstack", "hstack", "isneginf", "isposinf", "msort", "narrow", "permute",
        "positive", "rand_like", "randn_like", "ravel", "row_stack", "scatter_add", "scatter_add_", "scatter_reduce",
        "softmax", "true_divide", "vstack", "div", "div_",
    ),
    "stat": (
        "mean", "median", "nanmedian", "nanquantile", "numel", "quantile", "std", "var",
    ),
    "random": (
        "bernoulli", "bernoulli_", "cauchy_", "exponential_", "gaussian", "geometric_", "multinomial", "normal", "normal_",
        "poisson", "rand", "randint", "randint_like", "randn", "randperm", "standard_normal", "uniform", "uniform_",
    ),
    "to_string": (
        "set_printoptions",
    ),
}  # fmt: skip

# names that `paddle` itself does not have
TENSOR_ONLY = frozenset({
    "add_", "array_length", "array_read", "array_write", "ceil_", "cholesky_inverse", "cholesky_solve", "clip_",
    "cond", "corrcoef", "cov", "create_array", "create_tensor", "det", "eig", "eigh", "eigvals", "erfinv_", "exp_",
    "exponential_", "fill_constant", "fill_diagonal_tensor", "fill_diagonal_tensor_", "floor_", "gaussian",
    "householder_product", "inv", "lerp_", "lstsq", "lu", "lu_solve", "lu_unpack", "matrix_exp", "matrix_norm",
    "matrix_power", "matrix_rank", "mul_", "multi_dot", "ormqr", "p_norm", "pca_lowrank", "pinv",
    "put_along_axis_", "qr", "reciprocal_", "round_", "rsqrt_", "scale_", "sigmoid_", "slogdet",
    "solve", "split_with_sizes", "sqrt_", "svd", "svd_lowrank", "svdvals", "triangular_solve", "uniform_",
    "vector_norm",
})  # fmt: skip

# where functions are written that a module of TABLE takes from another one: who asks for `tanh` needs no more of `math`
_FILES: dict[str, str] = {
    "_arithmetic":
        "add add_ add_n addmm addmm_ atan2 deg2rad divide divide_ floor_divide floor_divide_ floor_mod floor_mod_ "
        "fmax fmin heaviside hypot hypot_ increment lerp lerp_ logaddexp maximum minimum mod mod_ mul_ multiplex multiply multiply_ "
        "mul negative sub sub_ "
        "neg neg_ nextafter pow pow_ rad2deg remainder remainder_ scale scale_ stanh subtract subtract_",
    "_bounds": "clamp clamp_ clip clip_",
    "_decompositions": "cholesky eigh eigvalsh lu lu_unpack qr svd",
    "_expand": "broadcast_tensors broadcast_to expand expand_as tile",
    "_filling":
        "diagonal_scatter fill_diagonal_tensor fill_diagonal_tensor_ index_add index_add_ index_fill index_fill_ index_put "
        "index_put_ masked_fill masked_fill_ select_scatter",
    "_from_data": "assign clone complex polar to_tensor",
    "_products": "bmm cross dot inner kron matmul mm multi_dot mv outer",
    "_reductions": "all amax amin any count_nonzero logsumexp max min nanmean nansum prod sum",
    "_reshape":
        "swapaxes swapdims view_as_complex view_as_real "
        "as_complex as_real as_strided atleast_1d atleast_2d atleast_3d flatten flatten_ moveaxis reshape reshape_ squeeze "
        "squeeze_ t t_ transpose transpose_ unflatten unfold unsqueeze unsqueeze_ view view_as",
    "_running_totals": "cummax cummin cumprod cumprod_ cumsum cumsum_ cumulative_trapezoid diff logcumsumexp trapezoid",
    "_selection":
        "crop gather gather_nd put_along_axis put_along_axis_ scatter scatter_ scatter_nd scatter_nd_add shard_index slice "
        "strided_slice take_along_axis take_along_dim",
    "_triangles": "diag diag_embed diagflat tril tril_ tril_indices triu triu_ triu_indices",
    "_unique": "unique unique_consecutive",
    "ops":
        "angle bitwise_invert bitwise_invert_ bitwise_not bitwise_not_ cast cast_ conj digamma digamma_ "
        "erfinv erfinv_ frac frac_ i0 i0_ i0e i1 i1e imag "
        "isfinite isinf isnan lgamma lgamma_ log log10 log10_ log1p log1p_ log2 log2_ log_ logical_not logical_not_ logit "
        "logit_ polygamma polygamma_ real sgn sign tanh tanh_ trunc trunc_",
}
_FILE_OF = {name: file for file, names in _FILES.items() for name in names.split()}


def _by_file() -> dict[str, tuple[str, ...]]:
    """The names of TABLE by the module that they are written in."""
    files: dict[str, list[str]] = {}
    for module, names in TABLE.items():
        for name in names:
            files.setdefault(_FILE_OF.get(name, module), []).append(name)
    return {file: tuple(names) for file, names in files.items()}


FILES = _by_file()

# Paddle 3's methods that are functions of this package alone
_METHODS: dict[str, tuple[str, ...]] = {"_tensor_kinds": ("repeat",), "_tensor_paddle3": ("random_", "resize_", "set_")}

__getattr__, __dir__, __all__ = lazy(__name__, {**FILES, **_METHODS, ".signal": ("istft", "stft")})


class _Both(ModuleType):
    """A module that can be called: since Paddle 3 `paddle.tensor(data)` makes a Tensor."""

    def __call__(self, data: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False) -> Any:
        return self.as_tensor(data, dtype, device=device, requires_grad=requires_grad, pin_memory=pin_memory)


sys.modules[__name__].__class__ = _Both
