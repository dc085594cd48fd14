"""Saving layers and functions as inference models, and loading them again."""

from __future__ import annotations

import functools
import glob
import inspect
import os
import pickle
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from paddle_compat.core import mode, unique_name
from paddle_compat.core.attribute_variables import reads
from paddle_compat.core.dtype import convert_dtype
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.op import find_op
from paddle_compat.core.pickles import load_pickle, replacing
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope, global_scope, scope_guard
from paddle_compat.core.serialize import model_file, program_from_bytes, program_to_bytes
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.jit.dy2static._branches import leaves
from paddle_compat.jit.dy2static._harness import _compatible_non_tensor_spec
from paddle_compat.jit.dy2static._recording import ConcreteProgram
from paddle_compat.jit.dy2static.program_translator import ProgramTranslator, StaticFunction
from paddle_compat.jit.translated_layer import LoadedProgram, TranslatedLayer
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.static._files import is_persistable, load_variables, save_variables
from paddle_compat.static._inference import feed_and_fetch, inference_program
from paddle_compat.static.input import InputSpec

MODEL, PARAMS, INFO = ".pdmodel", ".pdiparams", ".pdiparams.info"
_SAVING = frozenset(
    {"clip_extra", "combine_params", "input_names_after_prune", "output_spec", "skip_forward", "skip_prune_program", "with_hook"}
)
_LOADING = frozenset({"model_filename", "params_filename"})


_save_pre_hooks: list[Callable[..., Any]] = []


class HookRemoveHelper:
    """Takes a hook of `save` away again."""

    def __init__(self, hook: Callable[..., Any]) -> None:
        self._hook = hook

    def remove(self) -> None:
        """Take the hook away."""
        _remove_save_pre_hook(self._hook)


def _register_save_pre_hook(hook: Callable[..., Any]) -> HookRemoveHelper:
    """Call `hook(layer, input_spec, configs)` before each `save`."""
    if hook not in _save_pre_hooks:
        _save_pre_hooks.append(hook)
    return HookRemoveHelper(hook)


def _remove_save_pre_hook(hook: Callable[..., Any]) -> None:
    if hook in _save_pre_hooks:
        _save_pre_hooks.remove(hook)


def _clear_save_pre_hooks() -> None:
    _save_pre_hooks.clear()


def _run_save_pre_hooks(function: Callable[..., Any]) -> Callable[..., Any]:
    """A form of `save` that calls the hooks first."""

    @functools.wraps(function)
    def call(layer: Any, path: str, input_spec: Any = None, **configs: Any) -> None:
        for hook in list(_save_pre_hooks):
            hook(layer, input_spec, configs)
        function(layer, path, input_spec, **configs)

    return call


def _check_configs(configs: dict[str, Any], known: frozenset[str], api: str) -> None:
    for name in configs:
        if name not in known:
            raise ValueError(f"The additional config ({name}) of `paddle.jit.{api}` is not supported. Expected one of {sorted(known)}.")


def _check_path(path: Any, api: str) -> None:
    if not isinstance(path, str):
        raise type_error("path", "a str", path, f"paddle.jit.{api}")


@_run_save_pre_hooks
def save(layer: Any, path: str, input_spec: Any = None, **configs: Any) -> None:
    """Save a layer or function as inference model: `PATH.pdmodel`, `PATH.pdiparams` and `PATH.pdiparams.info`.

    The files are those of Paddle: `paddle.jit.load` and `paddle.static.load_inference_model` of either read them. Other
    methods of the layer that `to_static` decorates go into files of their own, `PATH.METHOD.pdmodel`.

    Args:
        layer (Layer|function): what is saved.
        path (str): folder and prefix of the files' names; the folder is made.
        input_spec (list): InputSpecs or Tensors that describe the inputs; None: those of `to_static`, or those of the newest call.
        configs: `output_spec` (list): the Variables to keep of the outputs, or their positions; `input_names_after_prune` (list of
            str): the inputs to keep, beside those that the outputs need; `with_hook` (bool): of no effect, hooks are saved;
            `skip_forward`, `clip_extra`, `skip_prune_program` (bool).
    Raises:
        TypeError: it is neither a layer nor a function, the path is no str, or `output_spec` no list.
        ValueError: the path has no file prefix, a config is unknown, or nothing says what the inputs are.
        RuntimeError: `enable_to_static(False)` holds.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> net = paddle.nn.Linear(4, 2)
        >>> prefix = os.path.join(tempfile.mkdtemp(), "net")
        >>> paddle.jit.save(net, prefix, input_spec=[paddle.static.InputSpec([None, 4], name="x")])
        >>> sorted(os.listdir(os.path.dirname(prefix)))
        ['net.pdiparams', 'net.pdiparams.info', 'net.pdmodel']
        >>> paddle.jit.load(prefix)(paddle.ones([3, 4])).shape
        [3, 2]

    Follows Paddle 2.6.
    """
    _check_configs(configs, _SAVING, "save")
    if not ProgramTranslator().enable_to_static:
        raise RuntimeError("`paddle.jit.save` records what it saves. Expected `enable_to_static(True)` to hold. Received: False")
    _check_path(path, "save")
    if not os.path.basename(path):
        raise ValueError(f"Invalid value for argument `path` of `save`. Expected folder/prefix. Received: {path!r}")
    inner = getattr(layer, "_layers", None) if type(layer).__name__ == "DataParallel" else None
    layer = inner if inner is not None else layer
    if not isinstance(layer, (Layer, StaticFunction, types.FunctionType, types.MethodType)):
        raise TypeError(f"Invalid type for argument `layer` of `save`. Expected a Layer or a function. Received: {type(layer).__name__}")
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    if not isinstance(layer, Layer):
        function = _static(layer, input_spec)
        warnings.warn(f"What is saved is a function: its files are named after the path {path}.", stacklevel=2)
        _save_one(_recorded(function, input_spec), input_spec if function is layer else None, path, {}, configs)
        return
    static = {name: method for name, method in _static_methods(layer) if name != "forward"}
    others = {name: method for name, method in static.items() if not method.is_property}
    if static and input_spec is not None:
        raise ValueError(
            f"Invalid value for argument `input_spec` of `save`. Expected None, as further methods are to be saved ({', '.join(static)}): "
            f"give `to_static` of each its own. Received: {type(input_spec).__name__}"
        )
    structured = layer.to_static_state_dict()
    names = {id(tensor): name for name, tensor in structured.items()}
    told: dict[str, Any] = {}
    if not configs.get("skip_forward"):
        forward = _static(layer.forward, input_spec)
        told |= _save_one(_recorded(forward, input_spec), input_spec if forward is layer.forward else None, path, names, configs)
    for name, method in others.items():
        told |= _save_one(_recorded(method, None), None, f"{path}.{name}", names, configs)
    if told:
        with replacing(path + INFO) as stream:
            pickle.dump(told, stream, protocol=2)


def _static(function: Any, input_spec: Any) -> StaticFunction:
    """What `to_static` makes of a function; what it has made already as it is."""
    return function if isinstance(function, StaticFunction) else StaticFunction(function, input_spec, full_graph=True)


def _static_methods(layer: Layer) -> Iterator[tuple[str, StaticFunction]]:
    names = dict.fromkeys([*dir(type(layer)), *vars(layer)])
    for name in names:
        found = inspect.getattr_static(layer, name, None)
        if isinstance(found, StaticFunction):
            method = found if name in vars(layer) else found.__get__(layer)
            if isinstance(method, StaticFunction):
                yield name, method


def _recorded(function: StaticFunction, input_spec: Any) -> ConcreteProgram:
    """The recording to save, hooks included. Where `to_static` was given specifications, those count; others may only say less."""
    own = function.function_spec.flat_input_spec
    if own is not None and input_spec is not None:
        told = _flat(input_spec)
        if len(told) != len(own):  # each may be left out, whatever stands before it
            told = [given for given in told if not any(isinstance(one, InputSpec) and _alike(given, one) for one in own)]
        for given, expected in zip(told, own):
            same = _alike(given, expected) if isinstance(expected, InputSpec) else _compatible_non_tensor_spec(given, expected)
            if not same and (isinstance(expected, InputSpec) or not isinstance(given, (InputSpec, Tensor, Variable))):
                raise ValueError(
                    f"Invalid value for argument `input_spec` of `save`. Expected what `to_static` was given: {own}. Received: {input_spec}"
                )
        input_spec = None
    return function.concrete_program_specify_input_spec(input_spec, True)


def _flat(specs: Any) -> list[Any]:
    return list(leaves(list(specs) if isinstance(specs, (list, tuple)) else [specs]))


def _alike(given: Any, expected: InputSpec) -> bool:
    """Whether a specification, a Tensor or a Variable may stand for what was specified."""
    if not isinstance(given, (InputSpec, Tensor, Variable)):
        return False
    sizes = list(zip(given.shape, expected.shape))
    same = expected.dtype is None or given.dtype is None or convert_dtype(given.dtype) == convert_dtype(expected.dtype)
    return same and len(given.shape) == len(expected.shape) and all(a == b or -1 in (a, b) for a, b in sizes)


def _kept_inputs(recording: ConcreteProgram, input_spec: Any) -> list[str]:
    """The names of the inputs that `input_spec` leaves: all of them, unless it has fewer entries."""
    names = [v.name for v in recording.input_variables]
    given = [v for v in _flat(input_spec or []) if isinstance(v, (InputSpec, Tensor, Variable))]
    if input_spec is None or len(given) >= len(names):
        if recording.specified:
            for unnamed in (v for v in given if isinstance(v, InputSpec) and v.name is None):
                warnings.warn(
                    f"The {unnamed} in argument `input_spec` of `save` has no name. Expected the names that `to_static` was given: {names}",
                    stacklevel=4,
                )
        for unknown in (v.name for v in given if isinstance(v, InputSpec) and v.name not in (*names, None)):
            warnings.warn(
                f"The tensor `{unknown}` does not exist, and that entry of argument `input_spec` of `save` names no input. Expected the "
                f"names that `to_static` was given: {names}",
                stacklevel=4,
            )
        return names
    chosen = [v.name for v in given]
    for name in chosen:
        if name not in names:
            raise ValueError(
                f"Invalid value for argument `input_spec` of `save`. Expected entries whose names are among those of the inputs, {names}, "
                f"where it leaves some out. Received: {name!r}"
            )
    return [name for name in names if name in chosen]


def _save_one(recording: ConcreteProgram, input_spec: Any, path: str, names: dict[int, str], configs: dict[str, Any]) -> dict[str, Any]:
    """Write the files of one recording, and tell what its variables are; `names`: those in the layer's state dict, by ids of Tensors."""
    bound = recording.capture.bound
    outputs = _kept_outputs(recording.output_variables, configs.get("output_spec"))
    main = recording.main_program.clone()
    block = main.global_block()
    read = {name for b in main.blocks for op in b.ops for name in reads(op)} | {v.name for v in outputs}
    feeds = [name for name in _kept_inputs(recording, input_spec) if name in read]
    chosen = configs.get("input_names_after_prune")
    if chosen is not None:  # these, and what the outputs cannot do without, as Paddle 3 adds
        needed = _needed(main, [v.name for v in outputs])
        feeds = [name for name in feeds if name in chosen or name in needed]
    with mode.inside(static=True):
        targets = [block.var(v.name) for v in outputs]
        program = inference_program(main, feeds, targets, not configs.get("skip_prune_program", False))
    with replacing(path + MODEL) as stream:
        stream.write(program_to_bytes(program, inference=configs.get("clip_extra", True)))
    variables = [var for var in program.list_vars() if is_persistable(var)]
    scope = Scope()
    for var in variables:
        scope.var(var.name).tensor.value = bound[var.name]._t.detach()
    if variables:
        with scope_guard(scope):
            save_variables(variables, os.path.dirname(path) or ".", os.path.basename(path) + PARAMS)
    told = {}
    for var in variables:
        tensor = bound[var.name]
        told[var.name] = {"structured_name": names.get(id(tensor), var.name), "stop_gradient": tensor.stop_gradient}
        if isinstance(tensor, EagerParamBase):
            told[var.name]["trainable"] = tensor.trainable
    return told


def _needed(program: Program, targets: list[str]) -> set[str]:
    """The variables that targets depend on."""
    pruned = program._prune_with_input([], targets)
    return {name for b in pruned.blocks for op in b.ops for name in reads(op)} | set(targets)


def _kept_outputs(outputs: list[Variable], kept: Any) -> list[Variable]:
    """The outputs that `output_spec` names, or gives the positions of; all of them where there is none."""
    if kept is None:
        return outputs
    if not isinstance(kept, list):
        raise type_error("output_spec", "a list", kept, "paddle.jit.save")
    by_name = {v.name: v for v in outputs}
    for v in kept:
        if isinstance(v, int) and not -len(outputs) <= v < len(outputs):
            raise invalid_argument("output_spec", f"positions below the number of outputs, {len(outputs)}", v, "paddle.jit.save")
    names: list[Any] = [outputs[v].name if isinstance(v, int) else getattr(v, "name", v) for v in kept]
    if len(kept) == len(outputs) and not any(isinstance(v, int) for v in kept):  # all of them, whatever they are called
        for name in names:
            if name not in by_name:
                warnings.warn(
                    f"The tensor `{name}` does not exist, and that entry of config `output_spec` of `save` names no output. Expected "
                    f"some of {list(by_name)}",
                    stacklevel=4,
                )
        return outputs
    for name in names:
        if name not in by_name:
            raise ValueError(f"Invalid value for config `output_spec` of `save`. Expected some of {list(by_name)}. Received: {name!r}")
    return [by_name[name] for name in names]


def load(path: str, **configs: Any) -> TranslatedLayer:
    """Load an inference model, of Paddle or of ours, as a layer.

    Args:
        path (str): folder and prefix of the `.pdmodel` and `.pdiparams` files.
        configs: `model_filename`, `params_filename`: names of files in the folder `path`.
    Returns:
        TranslatedLayer: in inference mode; it can be trained on.
    Raises:
        TypeError: the path is no str.
        ValueError: there is no such model, the file of its parameters is missing, a config is unknown, or a file is damaged.
        UnsupportedError: the model is a `.json` file of Paddle 3.x, with an operator that is not there.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> double = paddle.jit.to_static(lambda x: x * 2, input_spec=[paddle.static.InputSpec([None], name="x")])
        >>> prefix = os.path.join(tempfile.mkdtemp(), "double")
        >>> paddle.jit.save(double, prefix)
        >>> paddle.jit.load(prefix)(paddle.ones([2])).tolist()
        [2.0, 2.0]

    Follows Paddle 2.6.
    """
    _check_configs(configs, _LOADING, "load")
    _check_path(path, "load")
    model, params = configs.get("model_filename"), configs.get("params_filename")
    files: dict[str, tuple[str, str, str | None]] = {}  # method -> model, folder of parameters, file of parameters
    if model is not None or params is not None or (os.path.isdir(path) and not os.path.exists(path + MODEL)):
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        files["forward"] = os.path.join(folder, model or "__model__"), folder, params
    else:
        prefix = path.removesuffix(MODEL).removesuffix(".json")
        folder, base = os.path.dirname(prefix) or ".", os.path.basename(prefix)
        whole = model_file(prefix)
        if os.path.exists(whole):
            files["forward"] = whole, folder, base + PARAMS
        suffix = os.path.splitext(whole)[1]
        for other in sorted(glob.glob(glob.escape(prefix) + ".*" + suffix)):
            method = other[len(prefix) + 1 : -len(suffix)]
            if method.isidentifier():
                files[method] = other, folder, f"{base}.{method}{PARAMS}"
    if not files or not all(os.path.exists(file) for file, _, _ in files.values()):
        raise ValueError(
            f"Invalid value for argument `path` of `load`. Expected the prefix of a {MODEL} file. Received: {path!r}, without one"
        )
    programs, tensors = {}, {}
    info = _info(os.path.splitext(files["forward"][0])[0] + INFO) if "forward" in files else {}
    for method, (file, folder, values) in files.items():
        with open(file, "rb") as stream:
            program = program_from_bytes(stream.read(), file)
        bound = _values(program, folder, values, info)
        programs[method] = LoadedProgram(program, *feed_and_fetch(program), bound)
        tensors.update({f"{method}/{name}": tensor for name, tensor in bound.items()})
    return TranslatedLayer(programs, tensors)


def _info(path: str) -> dict[str, Any]:
    if not os.path.exists(path):
        return {}
    with open(path, "rb") as stream:
        return dict(load_pickle(stream))


def _values(program: Program, folder: str, file: str | None, info: dict[str, Any]) -> dict[str, Tensor]:
    """The persistable variables of a Program as Tensors."""
    variables = sorted((var for var in program.list_vars() if is_persistable(var)), key=lambda var: var.name)
    if not variables:
        return {}
    if file is not None and not os.path.exists(whole := os.path.join(folder, file)):
        raise invalid_argument("path", f"a model with its parameters, {whole}", "a model without them", "paddle.jit.load")
    scope = Scope()
    with scope_guard(scope):
        load_variables(variables, folder, file)
        values = {var.name: global_scope().var(var.name).tensor.value for var in variables}
    bound: dict[str, Tensor] = {}
    unsaid, never = _used_as_parameters(program), _without_gradients(program)
    for var in variables:
        value, told = values[var.name], info.get(var.name)
        assert value is not None, var.name
        if told is not None and "trainable" in told or (told is None and var.name in unsaid):
            trainable = told["trainable"] if told else not var.stop_gradient and var.name not in never
            bound[var.name] = EagerParamBase(value, name=_own_name(var.name), trainable=trainable and value.is_floating_point())
        else:
            bound[var.name] = Tensor(value, _own_name(var.name), True)
    return bound


def _used_as_parameters(program: Program) -> set[str]:
    """The variables that count as parameters where no file says so: operators read them, and none makes them of others."""
    used: set[str] = set()
    made: set[str] = set()
    for op in (op for block in program.blocks for op in block.ops):
        read = set(op.input_arg_names)
        used |= read
        made.update(name for name in op.output_arg_names if name not in read)
    return used - made


def _without_gradients(program: Program) -> set[str]:
    """The variables that no operator gives a gradient to, as the running statistics of a batch norm."""
    read: set[str] = set()
    wanted: set[str] = set()
    for op in (op for block in program.blocks for op in block.ops):
        definition = find_op(op.type)
        slots = op.inputs if definition is None else [slot.name for slot in definition.differentiable(2)]
        read.update(op.input_arg_names)
        wanted.update(name for slot in slots for name in op.inputs.get(slot, ()))
    return read - wanted


def _own_name(name: str) -> str:
    """A name of its own for a loaded Tensor: ``linear_0.w_0`` becomes ``linear_0.w_1`` where the former is taken."""
    head, _, number = name.rpartition("_")
    return unique_name.generate(head) if head and number.isdigit() else unique_name.generate(name)
