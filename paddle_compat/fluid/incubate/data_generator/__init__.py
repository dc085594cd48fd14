"""`paddle.fluid.incubate.data_generator`: scripts that turn lines into samples of named slots."""

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.data_generator.data_generator import DataGenerator as DataGenerator
from paddle_compat.distributed.fleet.data_generator.data_generator import MultiSlotDataGenerator, MultiSlotStringDataGenerator

__all__ = ["MultiSlotDataGenerator", "MultiSlotStringDataGenerator"]

__getattr__ = missing(__name__)
