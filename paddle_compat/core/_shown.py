"""What files of Paddle show because they import it, by the file that shows it: where it is, and its names."""

from __future__ import annotations

_ROWS = """
static.nn.control_flow fluid.layers.control_flow BlockGuard ConditionalBlockGuard WhileGuard select_output
tensor.random fluid.layers uniform_random_batch_size_like
static.nn.common fluid.layers.layer_function_generator templatedoc
tensor.logic fluid.layers.layer_function_generator templatedoc
tensor.math fluid.layers.layer_function_generator generate_layer_fn templatedoc
base base.trainer_desc MultiTrainer TrainerDesc
base static IpuCompiledProgram IpuStrategy ipu_shard_guard set_ipu_shard xpu_places
base.executor base.framework Operator Program get_flags set_flags
base.executor base.trainer_factory TrainerFactory
base.executor pir OpResult Value
base.framework static ipu_shard_guard set_ipu_shard xpu_places
incubate base.layer_helper LayerHelper
incubate.optimizer incubate.optimizer.pipeline PipelineOptimizer
jit.api base BuildStrategy ExecutionStrategy
jit.api base.compiler CompiledProgram
jit.api base.dygraph.base program_desc_tracing_guard
jit.api base.executor Executor scope_guard
jit.api base.framework Block EagerParamBase Parameter Program
jit.api base.wrapped_decorator wrap_decorator
jit.api jit.dy2static.convert_call_func ConversionOptions
jit.api static.io save_inference_model
jit.api utils.environments BooleanEnvironmentVariable
jit.dy2static jit.dy2static.utils ast_to_source_code
jit.dy2static jit.dy2static.variable_trans_func to_static_variable
nn nn.utils spectral_norm
nn.functional tensor pdist
nn.functional.common tensor.creation full zeros
nn.functional.common tensor.manipulation concat squeeze unsqueeze
nn.functional.common tensor.math clip sum
nn.functional.common tensor.ops sqrt
nn.functional.distance tensor pdist
nn.functional.loss static.nn.control_flow Assert
nn.functional.loss tensor.manipulation reshape
nn.functional.loss utils.deprecated deprecated
nn.layer.layers base.core VarDesc
nn.layer.layers base.dygraph.base no_grad program_desc_tracing_guard
nn.layer.layers base.executor Executor global_scope
nn.layer.layers base.framework Program
nn.layer.layers base.layer_helper_base LayerHelperBase
nn.layer.layers profiler.utils in_profiler_mode
nn.layer.layers utils.deprecated deprecated
nn.layer.rnn base.framework default_startup_program program_guard
nn.layer.rnn tensor.manipulation tensor_array_to_tensor
profiler base.core TracerEventType
static static.io is_persistable
static.nn fluid.layers continuous_value_model
static.nn.common base.framework Program name_scope program_guard
static.nn.common base.param_attr ParamAttr
static.nn.common fluid.layers continuous_value_model deformable_conv
static.nn.common nn.initializer.constant Constant
static.nn.common nn.initializer.normal Normal
static.nn.control_flow base.framework Operator Program
static.nn.control_flow utils.layers_utils assert_same_structure copy_mutable_vars hold_mutable_vars is_sequence pack_sequence_as
static.nn.control_flow utils.layers_utils to_sequence
tensor.creation base.data_feeder convert_float_to_uint16
tensor.creation base.param_attr ParamAttr
tensor.creation static create_global_var
tensor.linalg base.core DataType VarDesc
tensor.linalg tensor.creation full
tensor.linalg tensor.manipulation cast
tensor.logic tensor.creation full
tensor.logic tensor.math broadcast_shape
tensor.manipulation tensor.creation fill_constant zeros
tensor.math base.core DataType VarDesc
tensor.math tensor abs
tensor.math tensor.manipulation cast_
tensor.math tensor.ops abs_ acos acos_ acosh acosh_ asin asin_ asinh asinh_ atan atan_ atanh atanh_ ceil ceil_ cos cos_ cosh cosh_ erf
tensor.math tensor.ops erf_ exp exp_ expm1 expm1_ floor floor_ reciprocal reciprocal_ round round_ rsqrt rsqrt_ sigmoid sigmoid_ sin
tensor.math tensor.ops sin_ sinh sinh_ sqrt sqrt_ square square_ tan tan_
tensor.random base.core DataType
tensor.random base.data_feeder check_shape
tensor.search base.core VarDesc
utils utils.layers_utils assert_same_structure check_shape convert_shape_to_list convert_to_list copy_mutable_vars hold_mutable_vars
utils utils.layers_utils to_sequence
vision.ops nn.initializer.normal Normal
vision.ops nn.layer.activation ReLU
vision.ops nn.layer.container Sequential
vision.ops nn.layer.conv Conv2D
vision.ops nn.layer.layers Layer
vision.ops nn.layer.norm BatchNorm2D
vision.ops utils.layers_utils convert_to_list
"""
SHOWN = {f"{row.split()[0]}.{name}": row.split()[1] for row in _ROWS.strip().splitlines() for name in row.split()[2:]}
