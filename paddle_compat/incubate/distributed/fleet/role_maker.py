"""`paddle.incubate.distributed.fleet.role_maker`: which part of a job a process is."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".fluid.incubate.fleet.base.role_maker": (
            "GeneralRoleMaker", "MPISymetricRoleMaker", "PaddleCloudRoleMaker", "Role", "RoleMakerBase",
            "UserDefinedCollectiveRoleMaker", "UserDefinedRoleMaker",
        )
    },
)  # fmt: skip
