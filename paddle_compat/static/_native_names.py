"""Names that Paddle's C++ gives to attributes and to parts of variables' names."""

from __future__ import annotations

from paddle_compat.core.operator import OpRole


class op_proto_and_checker_maker:
    """Names of the attributes that every operator has.

    Example:
        >>> from paddle_compat.base import core
        >>> maker = core.op_proto_and_checker_maker
        >>> maker.kOpRoleAttrName(), maker.kOpRoleVarAttrName(), maker.kOpNameScopeAttrName()
        ('op_role', 'op_role_var', 'op_namescope')
        >>> maker.kOpDeviceAttrName(), maker.kOpCreationCallstackAttrName(), maker.OpRole.Backward
        ('op_device', 'op_callstack', 1)

    Follows Paddle 1.8 and 2.6.
    """

    OpRole = OpRole

    @staticmethod
    def kOpRoleAttrName() -> str:
        """Name of the role attribute.

        Returns:
            str.
        """
        return "op_role"

    @staticmethod
    def kOpRoleVarAttrName() -> str:
        """Name of the attribute with parameter and gradient.

        Returns:
            str.
        """
        return "op_role_var"

    @staticmethod
    def kOpNameScopeAttrName() -> str:
        """Name of the name-scope attribute.

        Returns:
            str.
        """
        return "op_namescope"

    @staticmethod
    def kOpDeviceAttrName() -> str:
        """Name of the device attribute.

        Returns:
            str.
        """
        return "op_device"

    @staticmethod
    def kOpCreationCallstackAttrName() -> str:
        """Name of the attribute with the user's call stack.

        Returns:
            str.
        """
        return "op_callstack"


def kGradVarSuffix() -> str:
    """What a gradient's name ends with.

    Returns:
        str.

    Example:
        >>> from paddle_compat.base import core
        >>> core.kGradVarSuffix()
        '@GRAD'

    Follows Paddle 2.6.
    """
    return "@GRAD"


def kEmptyVarName() -> str:
    """The name that stands for no variable.

    Returns:
        str.

    Example:
        >>> from paddle_compat.base import core
        >>> core.kEmptyVarName()
        '@EMPTY@'

    Follows Paddle 2.6.
    """
    return "@EMPTY@"


def kTempVarName() -> str:
    """What the name of a temporary variable begins with.

    Returns:
        str.

    Example:
        >>> from paddle_compat.base import core
        >>> core.kTempVarName()
        '@TEMP@'

    Follows Paddle 2.6.
    """
    return "@TEMP@"


def kZeroVarSuffix() -> str:
    """What the name of a gradient of zeros ends with.

    Returns:
        str.

    Example:
        >>> from paddle_compat.base import core
        >>> core.kZeroVarSuffix()
        '@ZERO'

    Follows Paddle 2.6.
    """
    return "@ZERO"


def kNewGradSuffix() -> str:
    """What the name of a gradient that replaces another one ends with.

    Returns:
        str.

    Example:
        >>> from paddle_compat.base import core
        >>> core.kNewGradSuffix()
        '@NEWGRAD@'

    Follows Paddle 2.6.
    """
    return "@NEWGRAD@"


def kControlDepVarName() -> str:
    """What the name of a mere dependency begins with.

    Returns:
        str.

    Example:
        >>> from paddle_compat.base import core
        >>> core.kControlDepVarName()
        '__control_var'

    Follows Paddle 2.6.
    """
    return "__control_var"


def kAutoParallelSuffix() -> str:
    """What the names of attributes of automatic parallelism end with.

    Returns:
        str.

    Example:
        >>> from paddle_compat.base import core
        >>> core.kAutoParallelSuffix()
        '@AUTO_PARALLEL'

    Follows Paddle 2.6.
    """
    return "@AUTO_PARALLEL"


def kNoneProcessMeshIndex() -> int:
    """The number that stands for no mesh of processes.

    Returns:
        int.

    Example:
        >>> from paddle_compat.base import core
        >>> core.kNoneProcessMeshIndex()
        -1

    Follows Paddle 2.6.
    """
    return -1


def loaded_var_suffix() -> str:
    """What the name of a variable that was loaded into a renamed one ends with.

    Returns:
        str.

    Example:
        >>> from paddle_compat.base import core
        >>> core.loaded_var_suffix()
        '@LOADED'

    Follows Paddle 2.6.
    """
    return "@LOADED"


def grad_var_suffix() -> str:
    """What a gradient's name ends with.

    Returns:
        str.

    Example:
        >>> from paddle_compat.base import core
        >>> core.grad_var_suffix()
        '@GRAD'

    Follows Paddle 1.8 and 2.6.
    """
    return "@GRAD"


def empty_var_name() -> str:
    """The name that stands for no variable.

    Returns:
        str.

    Example:
        >>> from paddle_compat.base import core
        >>> core.empty_var_name()
        '@EMPTY@'

    Follows Paddle 1.8 and 2.6.
    """
    return "@EMPTY@"
