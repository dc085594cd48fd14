"""Which further arguments, and other names of arguments, Paddle 3.3's functions, layers and Tensor methods take."""

from __future__ import annotations

import importlib
import inspect
import os
import signal
import warnings
from typing import Any, Callable, Dict, Iterator, List, Tuple

WHEELS = ("3.3.1",)
MODULES = (
    "paddle", "paddle.linalg", "paddle.fft", "paddle.signal", "paddle.nn", "paddle.nn.functional", "paddle.nn.initializer",
    "paddle.nn.utils", "paddle.distribution", "paddle.vision.ops", "paddle.vision.transforms", "paddle.metric", "paddle.autograd",
    "paddle.optimizer", "paddle.optimizer.lr", "paddle.geometric", "paddle.sparse", "paddle.amp", "paddle.io",
)  # fmt: skip
# the words that torch, and so Paddle 3, has for arguments
WORDS = """
    A B a accumulate affine align_corners alpha antialias append approximate atol axis0 axis1 b beta bias bins bound boundaries
    ceil_mode channels_last chunks condition copy correction count_include_pad decimals descending device diagonal dilation dim dim0
    dim1 dim2 dimension dims divisor_override dtype elements elementwise_affine end eps equal_nan exponent fill_value full_matrices
    gain generator groups hermitian high include_self index indices indices_or_sections inplace input interpolation k keepdim
    kernel_size lambd layout left log_target low mask mat1 mat2 max max_norm mean memory_format min minlength mode module modules
    momentum n negative_slope non_blocking norm_type normalized_shape num_classes obj offset ord other out output_size p pad padding
    padding_idx persistent pin_memory prepend recompute_scale_factor recurse reduce reduction repeats requires_grad return_indices
    right rounding_mode rtol scale scale_factor scale_grad_by_freq sections self shape shifts side size size_average sizes sorted
    sorter source sparse split_size_or_sections src stable start std step steps stride target temperature tensor tensor1 tensor2
    tensors test_elements threshold tol training transpose unbiased upper value values vec vec1 vec2 weight x1 x2 zero_infinity
""".split()


def _outcome(function: Callable[..., Any], args: Tuple[Any, ...], word: str, value: Any) -> Tuple[str, ...]:
    """How a call ends that has one word too many, the word itself left out."""
    try:
        function(*args, **{word: value})
    except Exception as error:
        if "unexpected keyword argument" in str(error):  # some functions have two ways to say it
            return ("unknown",)
        return type(error).__name__, str(error)[:200].replace(f"'{word}'", "a word")
    return ("fine",)


def _taken(function: Any, x: Any) -> Iterator[str]:
    """The words that make another error than a word nobody knows."""
    try:
        own = [p.name for p in inspect.signature(function).parameters.values() if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    except (TypeError, ValueError):
        own = []
    nobody = object()
    if "out" in own and _outcome(function, (x,), "out", nobody) == ("unknown",):  # in place: the signature is another function's
        own.remove("out")
    yield from own
    for args, value in (((), x), ((x,), nobody)):
        unknown = _outcome(function, args, "no_such_word", value)
        for word in WORDS:
            if word not in own and _outcome(function, args, word, value) != unknown:
                yield word


def _in_a_child(function: Any, x: Any) -> List[str]:
    """`_taken`, where a call that crashes or hangs ends nothing but what is still to be asked of this function."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os.close(read)
        for word in _taken(function, x):
            os.write(write, word.encode() + b" ")
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as text:
        words = text.read()
    os.waitpid(child, 0)
    return sorted(set(words.split()) - {"self"})


def spellings() -> Dict[str, List[str]]:
    """The words that a function, layer or method takes, by API."""
    import paddle

    warnings.simplefilter("ignore")
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    found = {}
    for module in MODULES:
        loaded = importlib.import_module(module)
        for name in {*getattr(loaded, "__all__", dir(loaded)), *(["norm"] if module == "paddle" else [])}:  # which its list forgets
            value = getattr(loaded, name, None)
            if not name.startswith("_") and callable(value) and not name.endswith(("Place", "Tensor")):
                found[f"{module}.{name}"] = value
    for name in dir(paddle.Tensor):
        value = getattr(paddle.Tensor, name)
        if not name.startswith("_") and callable(value) and f"paddle.{name}" in found:
            found[f"paddle.Tensor.{name}"] = value
    answers = {api: _in_a_child(value, x) for api, value in found.items()}
    return {api: words for api, words in sorted(answers.items()) if words}


def recordings(version: str) -> dict:
    return {"paddle3_spellings.json.gz": spellings}
