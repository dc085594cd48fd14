"""A GPU that the CPU plays, for machines that have none.

`install` makes torch believe in one GPU. What is made on it, or moved to it, is a `OnGpu`: a tensor that computes on the CPU and says that
it lies on "cuda:0". Operators refuse it beside tensors of the CPU and numpy refuses it, as both refuse tensors of a real GPU. So a test
that passes here has every tensor where it belongs. What C++ makes by itself, inside backward passes, may be anywhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map

CPU, GPU = torch.device("cpu"), torch.device("cuda", 0)
Tensor = torch.Tensor
aten = torch.ops.aten

# What a real GPU's tensors may do with the CPU's.
MIXING = {
    aten.copy_.default, aten._to_copy.default, aten.index.Tensor, aten._unsafe_index.Tensor, aten.index_put.default,
    aten.index_put_.default, aten._index_put_impl_.default, aten._pack_padded_sequence.default,
    aten._pack_padded_sequence_backward.default, aten._pad_packed_sequence.default,
}  # fmt: skip
PRODUCTS = {aten.mm.default, aten.bmm.default, aten.mv.default, aten.addmm.default, aten.dot.default}  # of whole numbers there are none
NUMBERS = {aten._local_scalar_dense.default, aten.equal.default, aten.is_nonzero.default}  # that come to the host
MADE = (
    "arange asarray as_tensor empty empty_strided eye full linspace logspace ones rand randint randn randperm scalar_tensor tensor "
    "tril_indices triu_indices zeros"
).split()
_to = Tensor.to


class OnGpu(Tensor):
    """A tensor on the GPU.

    Args:
        elements: the CPU's tensor that it computes with.
    """

    elements: Tensor

    @staticmethod
    def __new__(cls, elements: Tensor) -> OnGpu:
        how: dict[str, Any] = {"dtype": elements.dtype, "layout": elements.layout, "device": CPU, "requires_grad": False}
        if elements.layout is torch.strided:
            how |= {"strides": elements.stride(), "storage_offset": elements.storage_offset()}
        made: Any = Tensor._make_wrapper_subclass(cls, elements.size(), **how)
        return made

    def __init__(self, elements: Tensor) -> None:
        self.elements = elements

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(func, args, kwargs or {})

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        own = _OWN.get(func)
        if own is not None:
            return own(*args, **(kwargs or {}))
        with torch._C.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))

    def __repr__(self) -> str:
        return f"OnGpu({self.elements!r})"

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            memo[id(self)] = _there(self.elements.detach().clone()).requires_grad_(self.requires_grad)
        return memo[id(self)]


def _there(value: Any) -> Any:
    return OnGpu(value) if isinstance(value, Tensor) and not isinstance(value, OnGpu) else value


def _here(value: Any) -> Any:
    return value.elements if isinstance(value, OnGpu) else value


def _run(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Call an operator one of whose inputs lies on the GPU."""
    asked = kwargs.get("device")
    device = None if asked is None else torch.device(asked)
    if torch._C._current_graph_task_id() != -1:  # in a backward pass, where C++ asks for the device that it believes in
        args, kwargs = tree_map(lambda v: v if isinstance(v, Tensor) and v.is_meta else _there(v), (args, kwargs))
        device = None
    tensors = [value for value in tree_leaves((args, kwargs)) if isinstance(value, Tensor)]
    apart = [value for value in tensors if not isinstance(value, OnGpu)]
    first = args[0] if args else None
    if func not in MIXING and any(value.dim() for value in apart) or func in MIXING and _misplaced(func, args, apart):
        raise RuntimeError(f"Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! ({func})")
    if func in PRODUCTS and not (first.is_floating_point() or first.is_complex()):
        raise NotImplementedError(f'"{func}" not implemented for {first.dtype}')
    to_gpu = isinstance(first, OnGpu) if func is aten.copy_.default else device is None or device.type == "cuda"
    known = {id(value.elements): value for value in tensors if isinstance(value, OnGpu)}  # what is written in place comes back as it is
    if asked is not None and (device is None or device.type != "meta"):
        kwargs = {**kwargs, "device": CPU}
    args, kwargs = tree_map(_here, (args, kwargs))
    out = func(*args, **{name: value for name, value in kwargs.items() if name != "pin_memory"})
    if func in NUMBERS or device is not None and device.type == "meta":
        return out

    def placed(value: Any) -> Any:
        if id(value) in known:
            return known[id(value)]
        return _there(value) if to_gpu else value

    if func is aten._pack_padded_sequence.default:  # the sizes of batches stay on the CPU
        return placed(out[0]), out[1]
    return tree_map(placed, out)


def _misplaced(func: Any, args: Any, apart: list[Tensor]) -> bool:
    """Whether an index, or what is written, lies on the GPU and the tensor does not, or the other way."""
    if "index_put" in str(func):
        return not isinstance(args[0], OnGpu) or not isinstance(args[2], OnGpu) and args[2].dim() > 0
    return "index" in str(func) and not isinstance(args[0], OnGpu)


class _Leaving(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return _here(x).detach().clone()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return _there(grad)


class _Coming(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return _there(x.detach().clone())

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return _here(grad)


def _moved(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """`Tensor.to`, which goes to the GPU and back."""
    named = [value.device if isinstance(value, Tensor) else value for value in (*args, kwargs.get("device"))]
    where = [torch.device(value) for value in named if isinstance(value, (torch.device, str))]
    device = where[-1] if where else self.device
    if device.type == "meta" and isinstance(self, OnGpu):
        self = torch.empty_like(_here(self), device="meta")
    if device.type == "cuda" and device.index:
        raise RuntimeError("CUDA error: invalid device ordinal")
    if device.type == "cuda" and not isinstance(self, OnGpu):
        self = _Coming.apply(self)
    elif device.type == "cpu" and isinstance(self, OnGpu):
        self = _Leaving.apply(self)
    if device.type != "meta" or self.is_meta:
        args = tuple(value.dtype if isinstance(value, Tensor) else value for value in args if not isinstance(value, (torch.device, str)))
        kwargs = {name: value for name, value in kwargs.items() if name != "device"}
    with torch._C.DisableTorchFunctionSubclass():
        return _to(self, *args, **kwargs) if args or kwargs else self


def _set_data(self: Any, value: Tensor) -> None:
    with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
        Tensor.data.__set__(self, value)  # type: ignore[attr-defined]
        self.elements = _here(value)


def _refuse(*args: Any, **kwargs: Any) -> Any:
    raise TypeError("can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.")


_OWN: dict[Any, Callable[..., Any]] = {
    Tensor.device.__get__: lambda self: GPU,  # type: ignore[attr-defined]
    Tensor.is_cuda.__get__: lambda self: True,  # type: ignore[attr-defined]
    Tensor.is_cpu.__get__: lambda self: False,  # type: ignore[attr-defined]
    Tensor.data.__get__: lambda self: self.detach(),  # type: ignore[attr-defined]
    Tensor.data.__set__: _set_data,  # type: ignore[attr-defined]
    Tensor.get_device: lambda self: 0,
    Tensor.cpu: lambda self, *args, **kwargs: _moved(self, CPU),
    Tensor.cuda: lambda self, *args, **kwargs: self,
    Tensor.numpy: _refuse,
    Tensor.__array__: _refuse,
    Tensor.tolist: lambda self: self.elements.tolist(),
    Tensor.data_ptr: lambda self: self.elements.data_ptr(),
    Tensor.untyped_storage: lambda self: self.elements.untyped_storage(),
    Tensor.is_pinned: lambda self, *args: False,
    Tensor._is_zerotensor: lambda self: False,
}


def _making(make: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A function of torch's that makes tensors, on the GPU, too."""

    def made(*args: Any, **kwargs: Any) -> Tensor:
        device = kwargs.get("device")
        if device is None or torch.device(device).type != "cuda":
            return make(*args, **kwargs)
        grad = kwargs.pop("requires_grad", False)
        return _there(make(*tree_map(_here, args), **{**kwargs, "device": CPU}).detach()).requires_grad_(grad)

    return made


class _Generator:
    def __new__(cls, device: Any = "cpu") -> Any:
        return _TorchGenerator("cpu")


_TorchGenerator = torch.Generator


def install() -> None:
    """Let torch believe in a GPU, from before paddle_compat is imported until the process ends."""
    _OWN[_to] = _OWN[_moved] = _moved
    pad = torch._C._VariableFunctions._pad_packed_sequence  # which makes a tensor by itself
    _OWN[pad] = lambda data, *given: (_Coming.apply(pad(_Leaving.apply(data), *given)[0]), pad(_here(data), *given)[1])
    Tensor.to = _moved  # type: ignore[assignment, method-assign]
    Tensor.cuda = lambda self, *args, **kwargs: _moved(self, GPU)  # type: ignore[method-assign]
    torch.Generator = _Generator  # type: ignore[misc, assignment]
    for name in MADE:
        setattr(torch, name, _making(getattr(torch, name)))
    first = os.getpid()
    answers: dict[str, Callable[..., Any]] = {
        "is_available": lambda: True, "device_count": lambda: 1, "current_device": lambda: 0, "_lazy_init": lambda: None,
        "is_initialized": lambda: os.getpid() == first, "manual_seed_all": lambda seed: None, "synchronize": lambda *args: None,
        "get_device_capability": lambda *args: (9, 0), "is_bf16_supported": lambda *args, **kwargs: True,
    }  # fmt: skip
    for name, answer in answers.items():
        setattr(torch.cuda, name, answer)
