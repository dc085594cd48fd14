"""`core.Job` and `core.Plan`: which Programs a step runs, and for which of its micro batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from paddle_compat.core.descs import ProgramDesc
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.program import Program


class Job:
    """One run of a Program.

    Args:
        type (str): the name of the Program in the plan.

    Example:
        >>> from paddle_compat.base import core
        >>> job = core.Job("forward"); job.set_micro_batch_id(2)
        >>> job.type(), job.micro_batch_id()
        ('forward', 2)

    Follows Paddle 2.6.
    """

    def __init__(self, type: str) -> None:
        if not isinstance(type, str):
            raise type_error("type", "a str", type, "Job")
        self._type, self._micro_batch = type, 0

    def type(self) -> str:
        """The name of the Program in the plan."""
        return self._type

    def micro_batch_id(self) -> int:
        """Which micro batch it is for."""
        return self._micro_batch

    def set_micro_batch_id(self, micro_batch_id: int) -> None:
        """Say which micro batch it is for, from 0."""
        if not isinstance(micro_batch_id, int):
            raise type_error("micro_batch_id", "an int", micro_batch_id, "Job.set_micro_batch_id")
        if micro_batch_id < 0:
            raise invalid_argument("micro_batch_id", "0 or more", micro_batch_id, "Job.set_micro_batch_id")
        self._micro_batch = micro_batch_id

    def set_skip_gc_vars(self, names: AbstractSet[str]) -> None:
        """Say which variables are kept; of no effect: none is dropped while somebody may read it."""
        if not isinstance(names, AbstractSet):
            raise type_error("names", "a set of str", names, "Job.set_skip_gc_vars")


class Plan:
    """What a step runs, in order.

    Args:
        job_list (list of Job): the runs.
        type_to_program (dict): type of a Job -> description of its Program, or, as Paddle 3 has it, the Program.
    Raises:
        ValueError: a Job's Program is missing.
        TypeError: a value is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> plan = core.Plan([core.Job("forward")], {"forward": paddle.static.Program().desc})
        >>> [job.type() for job in plan.job_list()], plan.micro_batch_num()
        (['forward'], 1)

    Follows Paddle 2.6.
    """

    def __init__(self, job_list: Sequence[Job], type_to_program: Mapping[str, Any]) -> None:
        for name, desc in type_to_program.items():
            if not isinstance(desc, (ProgramDesc, Program)):
                raise type_error("type_to_program", f"a ProgramDesc of {name!r}", desc, "Plan")
        for at, job in enumerate(job_list):
            if job.type() not in type_to_program:
                raise invalid_argument("type_to_program", f"a Program of job {at}, {job.type()!r}", list(type_to_program), "Plan")
        self._jobs, self._programs = list(job_list), dict(type_to_program)

    def job_list(self) -> list[Job]:
        """The runs, in order."""
        return list(self._jobs)

    def job_types(self) -> list[str]:
        """The types of the Jobs whose Programs were given as Paddle 3 has them."""
        return [name for name, program in self._programs.items() if isinstance(program, Program)]

    def micro_batch_num(self) -> int:
        """How many micro batches there are: one more than the highest number of a Job."""
        return 1 + max((job.micro_batch_id() for job in self._jobs), default=0)

    def program(self, type: str) -> Any:
        """The description of the Program of such a Job; IndexError where there is none."""
        found = self.ir_program(type)
        return found.desc if isinstance(found, Program) else found

    def ir_program(self, type: str) -> Any:
        """The Program of such a Job as it was given; IndexError where there is none."""
        if type not in self._programs:
            raise IndexError(f"Invalid value for argument `type` of `program`. Expected one of {list(self._programs)}. Received: {type!r}")
        return self._programs[type]

    def set_ir_program(self, type: str, program: Program) -> None:
        """Put another Program in the place of that of such a Job."""
        if not isinstance(program, Program):
            raise type_error("program", "a Program", program, "Plan.set_ir_program")
        self.ir_program(type)
        self._programs[type] = program


__all__ = ["Job", "Plan"]
