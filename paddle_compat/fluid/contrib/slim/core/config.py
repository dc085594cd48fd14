"""`paddle.fluid.contrib.slim.core.config`: what a file of YAML says of a compression."""

from __future__ import annotations

import importlib
import inspect
from collections import OrderedDict
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion

PLUGINS = ["pruners", "quantizers", "distillers", "strategies", "controllers"]
_SLIM = "paddle_compat.fluid.contrib.slim"
# where the classes are that a file may name
_CLASSES = {
    **dict.fromkeys(("Pruner", "StructurePruner", "PruneStrategy", "AutoPruneStrategy"), "prune"),
    **dict.fromkeys(("SensitivePruneStrategy", "UniformPruneStrategy"), "prune"),
    **dict.fromkeys(("FSPDistiller", "L2Distiller", "SoftLabelDistiller", "DistillationStrategy"), "distillation"),
    **dict.fromkeys(("EvolutionaryController", "SAController"), "searcher"),
    **dict.fromkeys(("LightNASStrategy", "ControllerServer", "SearchAgent", "SearchSpace"), "nas"),
    "QuantizationStrategy": "quantization",
    "Strategy": "core",
}  # fmt: skip
_SETTINGS = ("epoch", "init_model", "checkpoint_path", "eval_epoch")


class ConfigFactory:
    """The objects that a file describes: its pruners, distillers, strategies and controllers, and the settings of the compressor.

    Args:
        config (str): the file's name. What it includes is read, too. Where the value of a setting is the name of an object that
            was described before, it is that object.
    Raises:
        AssertionError: no file is named.
        KeyError: an object has no class, or its class is not known.
        UnsupportedError: the package pyyaml is not installed.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.fluid.contrib.slim.core import ConfigFactory
        >>> text = '''
        ... version: 1.0
        ... pruners:
        ...   pruner_1: {class: StructurePruner, pruning_axis: {'*': 0}, criterions: {'*': l1_norm}}
        ... strategies:
        ...   half: {class: UniformPruneStrategy, pruner: pruner_1, target_ratio: 0.5}
        ... compressor: {epoch: 2, strategies: [half]}
        ... '''
        >>> name = os.path.join(tempfile.mkdtemp(), "compress.yaml")
        >>> with open(name, "w") as file:
        ...     _ = file.write(text)
        >>> config = ConfigFactory(name)
        >>> half = config.instance("half")
        >>> half.target_ratio, half.pruner is config.instance("pruner_1"), config.compressor["epoch"]
        (0.5, True, 2)

    Follows Paddle 1.8.
    """

    def __init__(self, config: str) -> None:
        if config is None:
            raise failed_assertion("config", "the name of a file", config, "ConfigFactory")
        self.instances: dict[str, Any] = {}
        self.compressor: dict[str, Any] = {}
        self.version: int | None = None
        self._read(config)

    def instance(self, name: str) -> Any:
        """An object.

        Args:
            name (str): its name in the file.
        Returns:
            the object; None where the file describes none of that name.
        """
        return self.instances.get(name)

    def _read(self, file: str) -> None:
        try:
            yaml = importlib.import_module("yaml")
        except ImportError as error:
            raise UnsupportedError("ConfigFactory without the package pyyaml", instead="pip install pyyaml") from error
        with open(file) as text:
            said = yaml.safe_load(text)
        for key, value in said.items() if isinstance(said, dict) else ():
            if key == "version":
                self.version = int(value)
            elif key == "include":
                for included in value:
                    self._read(included.strip())
            elif key in PLUGINS:
                for name, settings in value.items():
                    self.instances[name] = self._build(settings)
            elif key == "compressor":
                strategies = [self.instance(name) for name in value.get("strategies", ())]
                self.compressor["strategies"] = strategies
                self.compressor.update({name: value[name] for name in _SETTINGS if name in value})

    def _build(self, settings: dict[str, Any]) -> Any:
        name = settings["class"]
        kind = getattr(importlib.import_module(f"{_SLIM}.{_CLASSES[name]}"), name)
        taken = inspect.signature(kind.__init__).parameters
        return kind(**{key: self._resolve(value) for key, value in settings.items() if key in taken})

    def _resolve(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.instances.get(value, value)
        if isinstance(value, list):
            return [self._resolve(one) for one in value]
        return OrderedDict(value) if isinstance(value, dict) else value


__all__ = ["ConfigFactory"]

__getattr__ = missing(__name__)
