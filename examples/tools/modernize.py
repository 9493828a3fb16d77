"""Find the old names of JAX, Flax and Optax in code, and say what to write today.

Python files and notebooks are read, not run: what a name stands for follows from the imports, so
strings, comments and other things of the same name do not count. In a fragment without imports,
jax, jnp, lax, random, nn, nnx and optax are what they usually are. With --write, pure renamings are
made. In a notebook, article.ipynb[4]:2 is the second line of the fourth code cell.

    uv run modernize.py article.ipynb
    uv run modernize.py --language en --write article.py

The status is 1 if something no longer works today, 0 if nothing does, and 2 if a file cannot be
read. Names that still work are listed too, except with --only-broken.

The table comes from the articles of 2021 and 2022 that this guide grew from, the change logs of the
libraries, and their releases since 2020. Haiku and other libraries are not in it.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["libcst"]
# ///

import argparse
import ast
import csv
import dataclasses
import io
import json
import locale
import os
import re
import shutil
import sys
import tempfile
import tokenize
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

try:
    import libcst as cst
    import libcst.matchers as m
    from libcst.metadata import (
        ImportAssignment,
        MetadataWrapper,
        PositionProvider,
        QualifiedNameProvider,
        ScopeProvider,
    )
    from libcst.metadata import QualifiedNameSource as NameSource
except ModuleNotFoundError:
    raise SystemExit("this needs LibCST: pip install libcst, or uv run modernize.py") from None

# -- The old names -------------------------------------------------------------------------------

# Old name, new name, version, what happened, kind of change; `Row` explains them.
TABLE = """
old,new,version,kind,change
jax.numpy.DeviceArray,jax.Array,0.4.14,gone,rename
jax.numpy.product,jax.numpy.prod,0.4.16,gone,rename
jax.numpy.cumproduct,jax.numpy.cumprod,0.4.16,gone,rename
jax.numpy.alltrue,jax.numpy.all,0.4.16,gone,rename
jax.numpy.sometrue,jax.numpy.any,0.4.16,gone,rename
jax.numpy.msort,"jnp.sort(a, axis=0)",0.4.9,gone,rewrite
jax.numpy.trapz,jax.numpy.trapezoid,0.4.24,gone,rename
jax.numpy.in1d,jax.numpy.isin,0.4.24,gone,rewrite
jax.numpy.row_stack,jax.numpy.vstack,0.4.24,gone,rename
jax.numpy.round_,jax.numpy.round,0.4.38,gone,rename
jax.numpy.fix,jax.numpy.trunc,0.10.0,gone,rename
jax.numpy.NINF,-jnp.inf,0.4.24,gone,rewrite
jax.numpy.clip(a_min=),jax.numpy.clip(min=),0.10.0,refused,rewrite
jax.numpy.sort(kind=),jax.numpy.sort(stable=),0.4.28,refused,rewrite
jax.numpy.reshape(newshape=),jax.numpy.reshape(shape=),0.6.0,refused,rewrite
jax.numpy.where(condition=),"jnp.where(condition, x, y)",0.4.27,refused,rewrite
jax.Array.device_buffer,jax.Array.addressable_data(0),0.4.27,gone,rewrite
jax.Array.device(),jax.Array.devices(),0.4.27,refused,rewrite
jax.Array.block_host_until_ready,jax.Array.block_until_ready,0.4.1,gone,rewrite
jax.ops.index_update,x.at[i].set(y),0.3.2,gone,rewrite
jax.ops.index_add,x.at[i].add(y),0.3.2,gone,rewrite
jax.ops.index_mul,x.at[i].multiply(y),0.3.2,gone,rewrite
jax.ops.index_min,x.at[i].min(y),0.3.2,gone,rewrite
jax.ops.index_max,x.at[i].max(y),0.3.2,gone,rewrite
jax.ops.index,jax.numpy.index_exp,0.3.2,gone,rename
jax.tree_map,jax.tree.map,0.6.0,gone,rename
jax.tree_flatten,jax.tree.flatten,0.6.0,gone,rename
jax.tree_unflatten,jax.tree.unflatten,0.6.0,gone,rename
jax.tree_leaves,jax.tree.leaves,0.6.0,gone,rename
jax.tree_structure,jax.tree.structure,0.6.0,gone,rename
jax.tree_transpose,jax.tree.transpose,0.6.0,gone,rename
jax.treedef_is_leaf,jax.tree_util.treedef_is_leaf,0.6.0,gone,rename
jax.tree_multimap,jax.tree.map,0.3.16,gone,rename
jax.tree_util.tree_multimap,jax.tree.map,0.3.16,gone,rename
jax.tree_util.build_tree,jax.tree.unflatten,0.7.0,gone,rewrite
jax.random.PRNGKey,jax.random.key,0.4.26,dated,rewrite
jax.random.shuffle,"jax.random.permutation(key, x, independent=True)",0.4.31,gone,rewrite
jax.random.PRNGKeyArray,jax.Array,0.4.24,gone,rename
jax.random.KeyArray,jax.Array,0.4.24,gone,rename
jax.random.rbg_key,"jax.random.key(0, impl=""rbg"")",0.4.24,gone,rewrite
jax.Array.unsafe_raw_array,jax.random.key_data,0.4.24,gone,rewrite
jax.partial,functools.partial,0.2.21,gone,rename
jax.xla_computation,jax.jit(f).lower(x),0.4.34,gone,rewrite
"jax.jit(f, 1)",jax.jit(static_argnums=),0.2.13,refused,rewrite
jax.jit(backend=),jax.device_put,0.4.4,warns,rewrite
jax.lax.tie_in,y,0.4.29,gone,rewrite
jax.lax.prod,math.prod,0.4.16,gone,rename
jax.nn.normalize,jax.nn.standardize,0.4.29,gone,rename
jax.scipy.linalg.tril,jax.numpy.tril,0.4.24,gone,rename
jax.scipy.linalg.solve(sym_pos=),"jax.scipy.linalg.solve(assume_a=""pos"")",0.4.21,refused,rewrite
jax.ad_checkpoint.checkpoint,jax.checkpoint,0.10.0,gone,rename
jax.abstract_arrays.ShapedArray,jax.core.ShapedArray,0.4.17,gone,rename
jax.core.get_aval,jax.typeof,0.10.0,gone,rename
jax.pmap,jax.shard_map,0.8.0,dated,rewrite
jax.soft_pmap,jax.vmap,0.3.18,gone,rewrite
jax.device_put_replicated,"jax.device_put(x, NamedSharding(mesh, P()))",0.10.0,gone,rewrite
jax.device_put_sharded,"jax.device_put(jnp.stack(xs), NamedSharding(mesh, P(""i"")))",0.10.0,gone,rewrite
jax.experimental.maps.xmap,jax.shard_map,0.4.31,gone,rewrite
jax.experimental.maps.Mesh,jax.sharding.Mesh,0.4.11,gone,rename
jax.experimental.PartitionSpec,jax.sharding.PartitionSpec,0.4.11,gone,rename
jax.experimental.pjit.PartitionSpec,jax.sharding.PartitionSpec,0.4.11,gone,rename
jax.experimental.pjit.pjit,jax.jit,0.8.0,warns,rewrite
jax.experimental.shard_map.shard_map,jax.shard_map,0.8.0,warns,rewrite
jax.sharding.PositionalSharding,jax.sharding.NamedSharding,0.7.0,gone,rewrite
jax.host_id,jax.process_index,0.2.13,warns,rename
jax.host_count,jax.process_count,0.2.13,warns,rename
jax.config.config,jax.config,0.4.29,gone,rename
jax.experimental.enable_x64,jax.enable_x64,0.9.0,gone,rename
jax.clear_backends,jax.clear_caches,0.4.36,gone,rewrite
jax.dlpack.to_dlpack,np.from_dlpack(x),0.7.0,gone,rewrite
jax.experimental.loops,jax.lax.fori_loop,0.3.16,gone,rewrite
jax.experimental.optix,optax,0.2.7,gone,rewrite
flax.nn,flax.linen,0.3.6,gone,rewrite
flax.deprecated.nn,flax.linen,0.4.0,gone,rewrite
flax.optim,optax,0.6.0,gone,rewrite
flax.linen.ConvLSTM,flax.linen.ConvLSTMCell,0.6.4,gone,rewrite
flax.linen.LSTMCell(),flax.linen.LSTMCell(features=),0.7.0,refused,rewrite
flax.linen.normalize,flax.linen.standardize,0.8.0,dated,rename
"flax.nnx.Optimizer(model, tx)",flax.nnx.Optimizer(wrt=),0.11.0,refused,rewrite
flax.nnx.VariableState,flax.nnx.Variable,0.11.0,warns,rename
flax.nnx.Variable.value,flax.nnx.Variable[...],0.12.1,warns,rewrite
optax.additive_weight_decay,optax.add_decayed_weights,0.1.8,gone,rename
optax.hvp,jax.jvp,0.1.8,gone,rewrite
optax.global_norm,optax.tree.norm,0.2.7,warns,rename
optax.tree_utils.tree_scalar_mul,optax.tree.scale,0.2.5,warns,rename
optax.tree_utils.tree_l2_norm,optax.tree.norm,0.2.5,warns,rename
optax.dpsgd,optax.contrib.dpsgd,0.1.8,warns,rename
optax.differentially_private_aggregate,optax.contrib.differentially_private_aggregate,0.1.8,warns,rename
optax.inject_stateful_hyperparams,optax.inject_hyperparams,0.1.9,warns,rewrite
optax.maybe_update,optax.conditionally_transform,0.2.5,gone,rewrite
optax.add_noise(seed=),optax.add_noise(key=),0.2.5,warns,rewrite
optax.optimistic_adam,optax.optimistic_adam_v2,0.2.5,warns,rewrite
"optax.huber_loss(a, b, 1.0)",optax.huber_loss(delta=),0.2.7,refused,rewrite
jax.experimental.stax,jax.example_libraries.stax,0.3.16,gone,rename
"jax.experimental.stax.{AvgPool, BatchNorm, Conv, Conv1DTranspose, ConvTranspose, Dense, Dropout, Elu, Exp, FanInConcat, FanInSum, FanOut, Flatten, Gelu, GeneralConv, GeneralConvTranspose, Identity, LeakyRelu, LogSoftmax, MaxPool, Relu, Selu, Sigmoid, Softmax, Softplus, SumPool, Tanh, elementwise, elu, gelu, glorot, glorot_normal, leaky_relu, log_softmax, logsoftmax, normal, ones, parallel, randn, relu, selu, serial, shape_dependent, sigmoid, softmax, standardize, zeros}",jax.example_libraries.stax.{},0.3.16,gone,rename
jax.experimental.optimizers,jax.example_libraries.optimizers,0.3.16,gone,rename
"jax.experimental.optimizers.{Array, InitFn, JoinPoint, Optimizer, OptimizerState, Params, ParamsFn, Schedule, State, Step, UpdateFn, Updates, adagrad, adam, adamax, clip_grads, constant, exponential_decay, inverse_time_decay, l2_norm, make_schedule, momentum, nesterov, optimizer, pack_optimizer_state, piecewise_constant, polynomial_decay, rmsprop, rmsprop_momentum, sgd, sm3, unpack_optimizer_state}",jax.example_libraries.optimizers.{},0.3.16,gone,rename
"jax.api.{ShapeDtypeStruct, checking_leaks, checkpoint, closure_convert, custom_gradient, custom_jvp, custom_vjp, device_count, device_get, device_put, devices, disable_jit, eval_shape, float0, grad, hessian, host_count, host_id, host_ids, jacfwd, jacobian, jacrev, jit, jvp, linear_transpose, linearize, local_device_count, local_devices, make_jaxpr, named_call, pmap, remat, value_and_grad, version, vjp, vmap}",jax.{},0.2.21,gone,rename
jax.api,,0.2.21,gone,rewrite
"jax.linear_util.{StoreException, WrappedFun, merge_linear_aux, transformation, transformation_with_aux, wrap_init}",jax.extend.linear_util.{},0.4.24,gone,rename
jax.linear_util,jax.extend.linear_util,0.4.24,gone,rename
"jax.prng.{rbg_prng_impl, seed_with_impl, threefry2x32_p, threefry_2x32, threefry_prng_impl, unsafe_rbg_prng_impl}",jax.extend.random.{},0.4.24,gone,rename
jax.prng,jax.extend.random,0.4.24,gone,rename
"jax.extend.ffi.{ffi_lowering, include_dir, pycapsule}",jax.ffi.{},0.8.0,gone,rename
jax.extend.ffi,jax.ffi,0.8.0,gone,rename
jax.experimental.array_api,jax.numpy,0.5.0,gone,rewrite
jax.experimental.export,jax.export,0.4.36,gone,rewrite
jax.util,,0.8.0,gone,rewrite
"jax.util.{safe_zip, safe_map}","zip(xs, ys, strict=True)",0.8.0,gone,rewrite
jax.util.partial,functools.partial,0.8.0,gone,rename
jax.util.prod,math.prod,0.8.0,gone,rename
jax.experimental.host_callback,jax.debug.callback,0.4.35,gone,rewrite
jax.experimental.host_callback.call,jax.pure_callback,0.4.35,gone,rewrite
jax.experimental.host_callback.id_print,jax.debug.print,0.4.35,gone,rewrite
jax.experimental.host_callback.id_tap,jax.debug.callback,0.4.35,gone,rewrite
jax.experimental.host_callback.barrier_wait,jax.effects_barrier,0.4.35,gone,rename
jax.experimental.callback,,,gone,rewrite
"jax.{custom_transforms, defjvp, defjvp_all, defvjp, defvjp_all}",jax.custom_jvp,,gone,rewrite
"jax.{mask, shapecheck}",,0.3.16,gone,rewrite
jax.curry,functools.partial,0.4.14,gone,rewrite
jax.ShapedArray,jax.core.ShapedArray,0.4.14,gone,rename
"jax.{invertible, custom_ivjp, argnums_partial, jaxpr_util, lax_linalg, lax_reference, lazy, ad_util, abstract_arrays, spmd_mode, xla}",,,gone,rewrite
jax.experimental.disable_x64,jax.enable_x64(False),0.9.0,gone,rewrite
jax.profiler.TraceContext,jax.profiler.TraceAnnotation,0.2.12,gone,rename
jax.profiler.StepTraceContext,jax.profiler.StepTraceAnnotation,0.2.12,gone,rename
jax.profiler.trace_function,jax.profiler.annotate_function,0.2.12,gone,rename
jax.numpy.clip(a_max=),jax.numpy.clip(max=),0.10.0,refused,rewrite
jax.numpy.issubsctype,"jnp.issubdtype(x.dtype, t)",0.4.24,gone,rewrite
jax.numpy.NZERO,-0.0,0.4.24,gone,rewrite
jax.numpy.PZERO,0.0,0.4.24,gone,rewrite
"jax.numpy.{Inf, PINF, Infinity, infty}",jax.numpy.inf,,gone,rename
"jax.numpy.{NaN, NAN}",jax.numpy.nan,,gone,rename
jax.numpy.lax_numpy,jax.numpy,,gone,rewrite
"jax.numpy.{percentile, quantile, nanpercentile, nanquantile}(interpolation=)",jax.numpy.{}(method=),0.8.0,refused,rewrite
jax.scipy.linalg.triu,jax.numpy.triu,0.4.24,gone,rename
jax.scipy.special.sph_harm,jax.scipy.special.sph_harm_y,0.7.0,gone,rewrite
"jax.scipy.special.{lpmn, lpmn_values}",,,warns,rewrite
jax.ad_checkpoint.remat,jax.checkpoint,0.10.0,gone,rename
jax.checkpoint(concrete=),jax.checkpoint(static_argnums=),0.10.0,refused,rewrite
jax.remat(concrete=),jax.remat(static_argnums=),0.10.0,refused,rewrite
jax.jit(device=),jax.device_put,0.4.4,warns,rewrite
jax.jit(abstracted_axes=),,,refused,rewrite
jax.pmap(global_arg_shapes=),,,refused,rewrite
"jax.nn.{softmax, log_softmax}(initial=)",jax.nn.{}(where=),,refused,rewrite
jax.lax.with_sharding_constraint(axis_resources=),jax.lax.with_sharding_constraint(shardings=),0.4.11,refused,rewrite
"jax.lax.{infeed, outfeed}",jax.pure_callback,0.7.0,gone,rewrite
"jax.lax.{pdot, xeinsum, zeros_like_array, standard_abstract_eval, standard_primitive, standard_naryop, standard_unop, naryop, unop, scan_bind, tie_in_p}",,,gone,rewrite
jax.lax.lax,jax.lax,,gone,rewrite
"jax.lax.{lax_control_flow, lax_fft, lax_parallel, partial}",jax.lax,,gone,rewrite
"jax.dtypes.{float_, int_, bool_, complex_}",jax.numpy.{},,gone,rename
jax.dtypes.promote_types,jax.numpy.promote_types,,gone,rename
jax.tree_util.partial,functools.partial,,gone,rename
"jax.tree_util.{register_keypaths, AttributeKeyPathEntry, GetitemKeyPathEntry}",jax.tree_util.register_pytree_with_keys,0.4.24,gone,rewrite
jax.random.threefry2x32_key,"jax.random.key(0, impl=""threefry2x32"")",0.4.24,gone,rewrite
jax.random.unsafe_rbg_key,"jax.random.key(0, impl=""unsafe_rbg"")",0.4.24,gone,rewrite
"jax.random.{threefry_2x32, threefry2x32_p, default_prng_impl}",,0.4.24,gone,rewrite
jax.image.scale,jax.image.scale_and_translate,,gone,rewrite
jax.ops.scatter,x.at[i].set(y),,gone,rewrite
jax.dlpack.SUPPORTED_DTYPES,,,gone,rewrite
"jax.test_util.{JaxTestCase, JaxTestLoader, check_close, check_eq, device_under_test, cases_from_list}",,0.3.15,gone,rewrite
jax.experimental.maps,jax.sharding,0.4.31,gone,rewrite
jax.experimental.maps.mesh,jax.sharding.Mesh,0.3.8,gone,rewrite
"jax.experimental.maps.{SerialLoop, serial_loop}",jax.lax.map,0.4.31,gone,rewrite
"jax.experimental.maps.{thread_resources, ResourceEnv}",jax.sharding.get_mesh,0.4.31,gone,rewrite
jax.experimental.pjit.with_sharding_constraint,jax.lax.with_sharding_constraint,0.4.11,gone,rename
jax.experimental.with_sharding_constraint,jax.lax.with_sharding_constraint,,gone,rename
"jax.experimental.pjit.{FROM_GDA, REPLICATED, ParsedPartitionSpec}",jax.sharding.NamedSharding,,gone,rewrite
jax.experimental.pjit.pjit(in_axis_resources=),jax.jit(in_shardings=),0.4.11,refused,rewrite
jax.experimental.pjit.pjit(out_axis_resources=),jax.jit(out_shardings=),0.4.11,refused,rewrite
jax.jit(in_axis_resources=),jax.jit(in_shardings=),0.4.11,refused,rewrite
jax.jit(out_axis_resources=),jax.jit(out_shardings=),0.4.11,refused,rewrite
jax.experimental.sharded_jit,jax.jit,0.3.5,gone,rewrite
"jax.experimental.{global_device_array, gda_serialization, general_map, djax, doubledouble, ann}",,,gone,rewrite
jax.experimental.global_device_array.GlobalDeviceArray,jax.Array,,gone,rewrite
jax.experimental.sharding,jax.sharding,,gone,rewrite
"jax.experimental.sharding.{NamedSharding, SingleDeviceSharding, Sharding}",jax.sharding.{},,gone,rename
jax.experimental.vectorize,jax.numpy.vectorize,,gone,rewrite
jax.experimental.vectorize.vectorize,jax.numpy.vectorize,,gone,rename
"jax.experimental.compilation_cache.compilation_cache.{initialize_cache, is_initialized}",jax.experimental.compilation_cache.compilation_cache.set_cache_dir,0.8.0,gone,rewrite
"jax.sharding.{MeshPspecSharding, OpShardingSharding, XLACompatibleSharding, GSPMDSharding}",jax.sharding.NamedSharding,,gone,rewrite
jax.sharding.PmapSharding,jax.sharding.NamedSharding,0.10.0,gone,rewrite
"jax.lib.{xla_bridge, xla_client, xla_extension}",jax.extend,0.8.0,gone,rewrite
jax.lib.xla_bridge.{get_backend},jax.extend.backend.{},0.8.0,gone,rename
jax.lib.xla_bridge.{default_backend},jax.{},0.4.38,gone,rename
"jax.lib.xla_bridge.{device_count, local_device_count, devices, local_devices, process_index}",jax.{},,gone,rename
"jax.lib.xla_bridge.{host_count, host_ids, host_id}",jax.process_index,,gone,rewrite
jax.lib.xla_bridge.get_compile_options,jax.extend.backend.get_compile_options,0.8.0,gone,rename
"jax.lib.{jaxlib_version, version, pytree, cuda_prng, cusolver, lapack, tpu_client, jax_jit, pocketfft}",,,gone,rewrite
jax.host_ids,range(jax.process_count()),0.2.13,warns,rewrite
import jax.config,from jax import config,0.4.29,gone,rewrite
"jax.config.{FLAGS, flags, Config, NameSpace, bool_env, int_env, enable_omnistaging, disable_omnistaging, omnistaging_enabled}",,,gone,rewrite
"jax.config.update(""{jax_array, jax_jit_pjit_api_merge}"")",,0.4.14,refused,rewrite
"jax.config.update(""{jax_omnistaging, jax_enable_mlir, jax_parallel_functions_output_gda, jax_spmd_mode, jax_host_callback_inline, jax_host_callback_outfeed, jax_host_callback_ad_transforms, jax_remat_opt_barrier, jax_enable_memories, jax_cpu_enable_gloo_collectives, jax_dynamic_shapes, jax_default_dtype_bits, jax_pmap_shmap_merge, jax_coordination_service}"")",,,refused,rewrite
"jax.core.{AbstractUnit, AvalMapHandlerPair, AxisEnvFrame, AxisPrimitive, AxisSize, AxisSizeForJaxprTracingSpec, AxisSizeForJaxprType, AxisSizeForTracing, AxisSubst, Bot, ClosedCallPrimitive, ConcreteArray, CustomPpEqnRule, DArray, DArrayDimHandler, DBIdx, DConcreteArray, DShapedArray, DebugState, DimensionHandler, DuplicateAxisNameError, EvalTrace, HashableFunction, HashableWrapper, InDBIdx, InputType, JaxprDebugInfo, MainTrace, MapPrimitive, NameGatheringSubst, NamedShape, OpaqueDType, OutDBIdx, PrettyPrint, Sublevel, TRACER_LEAK_DEBUGGER_WARNING, ThreadLocalState, TraceStack, TraceState, TypedJaxpr, Unit, UnitVar, UnshapedArray, abstract_unit, apply_todos, as_named_shape, aval_method, aval_property, axis_substitution_rules, bint, bot, call_bind, call_bind_with_continuation, call_impl, canonicalize_dim, check_call, check_leaks, check_map, checking_leaks, concrete_aval, cur_sublevel, curry, debug_state, dedup_referents, diff_dim, diff_shape, dilate_dim, dilate_shape, divide_shape_sizes, do_subst_axis_names_jaxpr, dropvar, escaped_tracer_error, eval_jaxpr_eqn, extend_axis_env, extend_axis_env_nd, extract_call_jaxpr, full_lower, get_referent, greater_equal_dim, greater_equal_shape, initial_style_staging, initial_to_final_param_rules, is_dim, is_empty_shape, is_special_dim_size, jaxpr_uses_outfeed, join_effects, join_named_shapes, lattice_join, leaked_tracer_error, map_bind, map_bind_with_continuation, maybe_find_leaked_tracers, maybe_new_sublevel, named_call_p, new_base_main, new_main, new_sublevel, omnistaging_disabler, omnistaging_enabler, opaque_dtypes, ordered_effects, outfeed_primitives, pp_aval, pp_eqn, pp_eqn_compact, pp_eqn_rules, pp_eqns, pp_jaxpr, pp_jaxpr_eqn_range, pp_jaxpr_skeleton, pp_jaxprs, pp_kv_pair, pp_kv_pairs, pp_var, pp_vars, primitive_uses_outfeed, process_env_traces, process_env_traces_call, process_env_traces_map, raise_as_much_as_possible, raise_concretization_error, raise_to_shaped_mappings, reset_trace_state, same_referent, same_shape_sizes, skip_checks, skipping_checks, stash_axis_env, str_eqn_compact, stride_dim, stride_shape, subst_axis_names, subst_axis_names_eqn, subst_axis_names_jaxpr, subst_axis_names_var, substitute_vars_in_output_ty, sum_dim, sum_shapes, symbolic_equal_one_of_dim, symbolic_equal_shape, thread_local_state, token, traverse_jaxpr_params, typecheck_assert, typecompat, unit, unitvar, unsafe_map, unsafe_zip, used_axis_names, used_axis_names_jaxpr, vcat, zeros_like_float0}",,,gone,rewrite
"jax.core.{CallPrimitive, JaxprPpContext, JaxprPpSettings, OutputType, abstract_token, aval_mapping_handlers, call, concretization_function_error, custom_typechecks, is_constant_dim, is_constant_shape, literalable_types, no_axis_name, pytype_aval_mappings}",,0.11.0,gone,rewrite
"jax.core.{has_opaque_dtype, is_opaque_dtype, raise_to_shaped}",,0.4.16,gone,rewrite
"jax.core.{as_hashable_function, ref, tuple_delete, tuple_insert}",,0.4.24,gone,rewrite
"jax.core.{DimSize, Shape}",,0.4.29,gone,rewrite
"jax.core.{canonicalize_shape, definitely_equal, dimension_as_value, symbolic_equal_dim}",,0.4.31,gone,rewrite
"jax.core.{check_eqn, check_type, check_valid_jaxtype, non_negative_dim}",,0.4.38,gone,rewrite
"jax.core.{AxisName, axis_frame, trace_state_clean, typecheck, typematch}",,0.7.0,gone,rewrite
"jax.core.{TracerArrayConversionError, TracerIntegerConversionError, UnexpectedTracerError}",jax.errors.{},0.4.24,gone,rename
jax.core.ConcretizationTypeError,jax.errors.ConcretizationTypeError,0.7.0,gone,rename
"jax.core.{call_p, closed_call_p}",jax.extend.core.primitives.{},0.7.0,gone,rename
"jax.core.{mapped_aval, subjaxprs, unmapped_aval}",jax.extend.core.{},,gone,rename
"jax.core.{DropVar, Effect, Effects, InconclusiveDimensionOperation, JaxprTypeError, check_jaxpr, concrete_or_error, find_top_trace, gensym, jaxprs_in_params, new_jaxpr_eqn, no_effects, primal_dtype_to_tangent_dtype, valid_jaxtype}",jax.extend.core.{},0.11.0,gone,rename
"jax.core.{AbstractToken, ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Primitive, Token, Var, jaxpr_as_fun}",jax.extend.core.{},0.6.0,gone,rename
"jax.interpreters.{xla, pxla}.DeviceArray",jax.Array,0.4.11,gone,rename
jax.interpreters.pxla.{ShardedDeviceArray},jax.Array,0.4.14,gone,rename
"jax.interpreters.pxla.{Mesh, PartitionSpec, NamedSharding}",jax.sharding.{},,gone,rename
jax.interpreters.pxla.thread_resources,jax.sharding.get_mesh,0.8.2,warns,rewrite
jax.interpreters.xla.{ShapedArray},jax.core.{},,gone,rename
"jax.interpreters.xla.{AxisEnv, Buffer, DeletedBuffer, Device, DeviceArrayProtocol, DeviceConstant, FLAGS, MYPY, PyLocalBuffer, SpatialSharding, Token, TranslationContext, XlaBuilder, XlaComputationBuilder, XlaExecutable, XlaLoadedExecutable, XlaOp, XlaShape, abstractify, add_jaxvals_translation_rule, apply_outfeed_rewriter, arg_spec, array_result_handler, aval_to_result_handler, aval_to_xla_shape, aval_to_xla_shapes, axis_groups, axis_read, backend_compile, backend_specific_translations, call_translations, canonicalize_dtype, check_backend_matches, check_backend_params, check_nans, check_special, deleted_buffer, device_put, device_put_p, dtype_to_primitive_type, eqn_replicas, extend_axis_env, flatten_shape, identity, initial_style_primitive_replicas, is_device_constant, jaxpr_collectives, jaxpr_has_pmap, jaxpr_literals, jaxpr_replicas, jaxpr_subcomp, jaxpr_uses_outfeed, lower_fun, lower_fun_initial_style, lower_jaxpr_to_xla_module, make_device_array, make_op_metadata, omnistaging_disabler, omnistaging_enabler, parameter, prefetch, primitive_computation, primitive_subcomputation, primitive_uses_outfeed, pyval_to_ir_constant, pyval_to_ir_constants, register_collective_primitive, register_constant_handler, register_initial_style_primitive, register_translation, set_sharding, set_sharding_proto, set_up_aliases, sharding_to_proto, token, tracebacks, translations, tuple_sharding_proto, type_is_device_array, with_sharding, with_sharding_proto, xe, xla_call, xla_call_p, xla_destructure, xla_primitive_callable, xops, zeros_like_translation_rule}",,,gone,rewrite
"jax.interpreters.pxla.{AUTO, ArrayMappingOrAutoOrUnspecified, AvalDimSharding, AxisResource, Chunked, DynamicAxisEnv, DynamicAxisEnvFrame, EMPTY_ENV, EmapInfo, ExecuteReplicated, FLAGS, InputsHandler, InputsHandlerMode, MapTrace, MapTracer, MeshDimAssignment, NoSharding, OpShardingType, OutputType, ParallelCallableInfo, PartitionInfo, PartitionsOrReplicated, PmapComputation, PmapExecutable, PxlaResultHandler, ReplicaInfo, Replicated, ResourceAxisName, ResourceEnv, ResultToPopulate, ResultsHandler, SPMDBatchTrace, ShardInfo, ShardedAxis, ShardingSpec, TileManual, TileVectorize, TilingMethod, UnloadedMeshExecutable, UnloadedPmapExecutable, Unstacked, WeakRefList, apply_parallel_primitive, are_op_shardings_equal, array_result_handler, aval_to_result_handler, avals_to_results_handler, check_multihost_collective_allowlist, deleted_with_omnistaging, device_put, execute_replicated, extend_dynamic_axis_env, find_partitions, find_replicas, full_to_shard_p, get_global_aval, get_local_aval, get_num_partitions, identity, is_op_sharding_replicated, local_aval_to_result_handler, local_avals_to_results_handler, logger, lower_mesh_computation, lower_parallel_callable, lower_sharding_computation, make_sharded_device_array, maybe_extend_axis_env, mesh_sharding_specs, mesh_tiled_callable, new_mesh_sharding_specs, omnistaging_disabler, omnistaging_enable, parallel_callable, parallel_pure_rules, partitioned_sharding_spec, reconcile_num_partitions, replicate, resource_typecheck, result_to_populate, sda_array_result_handler, shard_arg, shard_args, shard_aval, shard_to_full_p, sharding_spec_indices, sharding_spec_mesh_shape, sharding_spec_repr, sharding_spec_sharding_proto, should_tuple_args, show_axes, soft_pmap, soft_pmap_aval_to_result_handler, soft_pmap_avals_to_results_handler, soft_pmap_impl, soft_pmap_p, spec_to_indices, stage_parallel_callable, tile_aval_nd, unmapped_device_count, untile_aval_nd, use_cpp_class, use_cpp_method, vtile, vtile_by_mesh, vtile_manual, xe, xla_pmap, xla_pmap_impl, xla_pmap_impl_lazy, xla_pmap_p, xops}",,,gone,rewrite
"jax.interpreters.batching.{Array, AxisSize, BatchTrace, BatchTracer, BatchingRule, ConcatAxis, Elt, FromEltHandler, GetIdx, IndexedAxisSize, Jumble, JumbleAxis, JumbleTy, MakeIotaHandler, MapSpec, NotMapped, Pile, PileAxis, PileTy, RaggedAxis, ToEltHandler, Vmappable, ZeroIfMapped, add_batched, batch, batch_custom_jvp_subtrace, batch_custom_vjp_bwd, batch_fun, batch_fun2, batch_jaxpr, batch_jaxpr2, batch_subtrace_instantiate, batched_traceable, batchfun, broadcast_batcher, flatten_fun_for_vmap, from_elt, get_primitive_batcher, is_vmappable, jumble_axis, make_iota, matchaxis, moveaxis, not_mapped, omnistaging_disabler, omnistaging_enabler, pile_axis, reassemble_concat_axes, reducer_batcher, segment_sum, split_axis, to_elt, unpack_concat_axes, vectorized_batcher, vtile, zeros_like_batched}",,,gone,rewrite
"jax.interpreters.partial_eval.{AbstractedAxesSpec, AbstractedAxisName, AvalId, BoundedAxisSize, Const, ConstFoldRule, ConstId, ConstVar, DCERule, DebugInfo, DimensionHandlerTracer, DynamicJaxprTrace, ForwardingRule, FreeVar, JaxprEqnRecipe, JaxprStackFrame, JaxprTrace, JaxprTracerRecipe, LambdaBinding, ParamsUpdater, PartialEvalCustomResult, PartialEvalCustomRule, ResAvalUpdater, StagingJaxprTrace, TracerAsName, TracerId, WrapperForWeakRef, arg_info_all, arg_info_flattened, arg_info_pytree, call_padding_rule, call_partial_eval_custom_rule, closed_call_partial_eval_custom_rule, convert_envvars_to_constvars, convert_invars_to_constvars, count_outputs, debug_info, debug_info_final, def_trivial_padding, extend_jaxpr_stack, fun_sourceinfo, identity, infer_lambda_input_type, instantiate_const_at, make_jaxpr_effects, move_binders_to_front, omnistaging_disabler, omnistaging_enabler, pad_jaxpr, partial_eval_jaxpr, partial_eval_jaxpr_custom, partial_eval_jaxpr_custom_rule_not_implemented, partial_eval_to_jaxpr_dynamic, partial_eval_wrapper, partial_eval_wrapper_nounits, partition_pvals, recipe_to_eqn, remat_call, remat_call_p, result_info, sig_info, trace_to_jaxpr, trace_to_jaxpr_dynamic2, trace_to_jaxpr_final, trace_to_jaxpr_final2, trace_to_subjaxpr, trace_to_subjaxpr_dynamic, trace_to_subjaxpr_dynamic2, trace_to_subjaxpr_dynamic2_memoized, trace_to_subjaxpr_nounits, trace_to_subjaxpr_nounits_dyn, trace_to_subjaxpr_nounits_fwd, tracers_to_jaxpr, trivial_ctx, zip}",,,gone,rewrite
"jax.interpreters.ad.{CustomJVPException, CustomVJPException, bilinear_transpose, call_transpose, closed_backward_pass, custom_lin_p, defbilinear_broadcasting, defjvp_zero, defvjp, defvjp2, defvjp_all, f_jvp_traceable, identity, ignore_consts, instantiate_zeros_aval, jvp_subtrace, jvp_subtrace_aux, jvpfun, linear_jvp, linear_transpose, linear_transpose2, map_transpose, nonzero_outputs, nonzero_tangent_outputs, omnistaging_disabler, omnistaging_enabler, rearrange_binders, recast_to_float0, remat_transpose, replace_float0s, standard_jvp, standard_jvp2, traceable, unpair_pval, vjp, zero_jvp, zip}",,,gone,rewrite
jax.tools.colab_tpu,,,gone,rewrite
jax.cloud_tpu_init,,0.11.0,gone,rewrite
jax.interpreters.ad.zero,jax.interpreters.ad.Zero,,gone,rewrite
jax.interpreters.masking,,,gone,rewrite
"jax.numpy.{ravel, repeat, reshape, pad}([])",jax.numpy.array,0.2.10,refused,rewrite
jax.numpy.unique([]),jax.numpy.array,0.2.20,refused,rewrite
"jax.numpy.{abs, absolute, acos, acosh, add, all, allclose, amax, amin, angle, any, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, argmax, argmin, argpartition, argsort, argwhere, around, array_split, asin, asinh, astype, atan, atan2, atanh, atleast_1d, atleast_2d, atleast_3d, bincount, bitwise_and, bitwise_count, bitwise_invert, bitwise_left_shift, bitwise_not, bitwise_or, bitwise_right_shift, bitwise_xor, broadcast_arrays, broadcast_to, cbrt, ceil, choose, clip, compress, conj, conjugate, convolve, copy, copysign, corrcoef, correlate, cos, cosh, count_nonzero, cov, cross, cumprod, cumsum, cumulative_prod, cumulative_sum, deg2rad, degrees, delete, diag, diag_indices_from, diagflat, diagonal, diff, digitize, divide, divmod, dot, dsplit, ediff1d, empty_like, equal, exp, exp2, expand_dims, expm1, extract, eye, fabs, flatnonzero, flip, fliplr, flipud, float_power, floor, floor_divide, fmax, fmin, fmod, frexp, full, full_like, gcd, greater, greater_equal, heaviside, histogram, histogram2d, histogram_bin_edges, histogramdd, hsplit, hypot, i0, imag, inner, insert, interp, intersect1d, invert, isclose, iscomplex, isfinite, isin, isinf, isnan, isneginf, isposinf, isreal, ix_, kron, lcm, ldexp, left_shift, less, less_equal, linspace, log, log10, log1p, log2, logaddexp, logaddexp2, logical_and, logical_not, logical_or, logical_xor, matmul, matrix_transpose, matvec, max, maximum, mean, median, meshgrid, min, minimum, mod, modf, moveaxis, multiply, nan_to_num, nanargmax, nanargmin, nancumprod, nancumsum, nanmax, nanmean, nanmedian, nanmin, nanpercentile, nanprod, nanquantile, nanstd, nansum, nanvar, negative, nextafter, nonzero, not_equal, ones_like, outer, packbits, partition, percentile, permute_dims, place, poly, polyadd, polyder, polydiv, polyfit, polyint, polymul, polysub, polyval, positive, pow, power, prod, ptp, quantile, rad2deg, radians, real, reciprocal, remainder, resize, right_shift, rint, roll, rollaxis, roots, rot90, round, searchsorted, setdiff1d, setxor1d, sign, signbit, sin, sinc, sinh, sort, sort_complex, spacing, split, sqrt, square, squeeze, std, subtract, sum, swapaxes, take, take_along_axis, tan, tanh, tensordot, tile, trace, transpose, trapezoid, tril, tril_indices_from, trim_zeros, triu, triu_indices_from, true_divide, trunc, union1d, unique_all, unique_counts, unique_inverse, unique_values, unpackbits, unravel_index, unstack, unwrap, vander, var, vdot, vecdot, vecmat, vsplit, where, zeros_like}([])",jax.numpy.array,,refused,rewrite
jax.numpy.linalg.norm([]),jax.numpy.array,0.3.24,refused,rewrite
"jax.numpy.linalg.{cholesky, cond, det, eig, eigh, eigvals, eigvalsh, inv, lstsq, matrix_power, matrix_rank, pinv, qr, slogdet, solve, svd}([])",jax.numpy.array,,refused,rewrite
jax.Array.to_py,np.asarray(x),,gone,rewrite
flax.core.FrozenDict.unfreeze(),dict,0.7.1,gone,rewrite
flax.core.FrozenDict.pop(key),flax.core.pop,0.7.1,refused,rewrite
flax.core.FrozenDict.copy({}),flax.core.copy,0.7.1,refused,rewrite
flax.nnx.Optimizer.update(grads),"optimizer.update(model, grads)",0.11.0,refused,rewrite
flax.optim.Optimizer.target,params,0.6.0,gone,rewrite
"flax.optim.Optimizer.{apply_gradient(grads), apply_gradient(learning_rate=)}",optax.apply_updates,0.6.0,gone,rewrite
flax.optim.Adam,optax.adam,0.6.0,gone,rewrite
flax.optim.Adagrad,optax.adagrad,0.6.0,gone,rewrite
flax.optim.RMSProp,optax.rmsprop,0.6.0,gone,rewrite
flax.optim.LAMB,optax.lamb,0.6.0,gone,rewrite
flax.optim.LARS,optax.lars,0.6.0,gone,rewrite
flax.optim.Adafactor,optax.adafactor,0.6.0,gone,rewrite
flax.optim.GradientDescent,optax.sgd,0.6.0,gone,rewrite
flax.optim.Momentum,optax.sgd(momentum=),0.6.0,gone,rewrite
flax.optim.DynamicScale,flax.training.dynamic_scale.DynamicScale,0.6.0,gone,rename
"flax.config.{bool_env, flax_lazy_rng}",,,gone,rewrite
flax.deprecated,flax.linen,0.4.0,gone,rewrite
flax.linen.dotgetter,,,gone,rewrite
"optax.{control_delta_method, control_variates_jacobians, measure_valued_jacobians, moving_avg_baseline, pathwise_jacobians, score_function_jacobians}",,,gone,rewrite
"optax.{fisher_diag, hessian_diag}",,0.1.8,gone,rewrite
optax.MaybeUpdateState,optax.ConditionallyTransformState,0.2.5,gone,rename
flax.optim.Optimizer.state,opt_state,0.6.0,gone,rewrite
flax.optim.Optimizer.create(params),optax_optimizer.init(params),0.6.0,gone,rewrite
"flax.linen.{LSTMCell,GRUCell,OptimizedLSTMCell}.initialize_carry(rng, batch_dims, size)","flax.linen.{}(size).initialize_carry(rng, input_shape)",0.7.0,refused,rewrite
jax.lax.cond(true_operand=),"jax.lax.cond(pred, true_fun, false_fun, *operands)",,refused,rewrite
"""


@dataclass(frozen=True)
class Row:
    """An old name.

    Attributes:
        old: A path such as ``jax.tree_map``, perhaps with what a call must look like:
            ``f(name=)`` has this argument, ``f([])`` begins with a list, ``f("x")`` with this
            text, and ``f(a, b)`` has so many arguments and no others.
            ``import jax.config`` is an import, not a use.
        new: The new path, or code to write instead; empty if there is none.
        version: Of the library that ``old`` begins with; empty if it is not known.
        kind: "gone", "refused" (the function is there), "warns" or "dated" (works silently).
        change: "rename" if the new name means the same, otherwise "rewrite".
    """

    old: str
    new: str
    version: str
    kind: str
    change: str

    @property
    def path(self) -> str:
        """The name without the call.

        >>> Row("jax.jit(f, 1)", "", "", "", "").path
        'jax.jit'
        """
        return self.old.split("(")[0].removeprefix("import ")

    @property
    def form(self) -> str:
        """What a call must look like, with its parentheses; empty if a call is not needed."""
        return self.old.removeprefix(self.old.split("(")[0])

    @property
    def broken(self) -> bool:
        """Whether code with this name fails today."""
        return self.kind in ("gone", "refused")


def expanded(row: Row) -> list[Row]:
    """Write a row for each name in braces.

    >>> [(row.old, row.new) for row in expanded(Row("a.{b,c}", "d.{}", "", "", ""))]
    [('a.b', 'd.b'), ('a.c', 'd.c')]
    """
    braces = re.search(r"\{([^}]+)\}", row.old)
    if not braces:
        return [row]
    names = re.split(r",\s*", braces[1])
    return [
        dataclasses.replace(
            row, old=row.old.replace(braces[0], name), new=row.new.replace("{}", name)
        )
        for name in names
    ]


ROWS = [
    row for fields in csv.DictReader(TABLE.strip().splitlines()) for row in expanded(Row(**fields))
]


# -- Files and notebooks as one piece of code ----------------------------------------------------

# Cell magics whose cell is Python all the same.
PYTHON_CELLS = {"capture", "time", "timeit", "prun"}
MARK = "_not_python_{}_"
CELL = "# cell {} of this notebook"


@dataclass
class Source:
    """A file.

    Attributes:
        text: As it is, with its line ends.
        encoding: Of the file.
        code: Its Python code; lines that are not Python are names such as ``_not_python_0_``.
        pasted: Whether it has prompts such as ``>>>``; such a text is not changed.
        taken: The lines that were replaced by names.
        notebook: The notebook's JSON, if it is one.
        unread: The numbers of a notebook's code cells that are not Python.
    """

    text: str
    encoding: str
    code: str = ""
    pasted: bool = False
    taken: list[str] = field(default_factory=list)
    notebook: dict[str, Any] | None = None
    unread: list[int] = field(default_factory=list)

    def place(self, line: int) -> str:
        """Name a line of the code: ``:3``, and in a notebook's fourth code cell ``[4]:3``."""
        if self.notebook is None:
            return f":{line}"
        lines = re.split(r"\r\n|\r|\n", self.code)[:line]
        starts = [n for n, text in enumerate(lines, 1) if re.fullmatch(CELL.format(r"\d+"), text)]
        return f"[{len(starts)}]:{line - starts[-1]}"

    def restored(self, code: str) -> str:
        """Put back what was replaced by names."""
        return re.sub(MARK.format(r"(\d+)"), lambda mark: self.taken[int(mark[1])], code)

    def with_code(self, code: str) -> str:
        """Return the file's text with this code in place of its own."""
        if self.notebook is None:
            return self.restored(code)
        parts = re.split(CELL.format(r"\d+") + "\n", code)[1:]
        notebook = json.loads(self.text)
        for cell, part in zip(code_cells(notebook), parts, strict=True):
            source = self.restored(part.removesuffix("\n"))
            if source != "".join(cell["source"]):
                as_list = isinstance(cell["source"], list)
                cell["source"] = source.splitlines(keepends=True) if as_list else source
        return written(notebook, like=self.text)


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """List the cells with code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def written(notebook: dict[str, Any], like: str) -> str:
    """Write a notebook's JSON in the style of a text, so that only what changed differs."""
    before = json.loads(like)
    for indent in (1, 2, 4, None):
        for ascii_only in (False, True):
            style: dict[str, Any] = {"indent": indent, "ensure_ascii": ascii_only}
            end = like[len(like.rstrip()) :]
            if json.dumps(before, **style) + end == like:
                return json.dumps(notebook, **style) + end
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def check(code: str) -> None:
    """Raise SyntaxError if code is not Python, or too deeply nested."""
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(code, "code", "exec", flags)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error) or "too deeply nested") from None


def is_python(code: str) -> bool:
    """Tell whether code is Python."""
    try:
        check(code)
    except SyntaxError:
        return False
    return True


def without_magics(code: str, taken: list[str]) -> str:
    """Replace each magic or shell command by a name; the whole of a ``%%bash`` cell.

    Raises:
        SyntaxError: If the rest is not Python.

    >>> without_magics("%matplotlib inline\\nx = 1", taken := []), taken
    ('_not_python_0_\\nx = 1', ['%matplotlib inline'])
    """
    if is_python(code):
        return code
    ours = list[str]()
    lines = re.split(r"(\r\n|\r|\n)", code)  # every second one is a line end
    cell = re.match(r"\s*%%(\w+)", code)
    entire = cell is not None and cell[1] not in PYTHON_CELLS
    continued = False
    for number, line in list(enumerate(lines))[::2]:
        magic = re.match(r"\s*(\w+\s*=\s*)?[%!]|\s*\?|[\w.\s]*\?+\s*$", line)
        if line.strip() and (magic or continued or entire):
            text = line if continued or entire else line.lstrip()
            lines[number] = line.removesuffix(text) + MARK.format(len(taken) + len(ours))
            ours.append(text)
            continued = line.endswith("\\")
        else:
            continued = False
    check("".join(lines))
    taken += ours
    return "".join(lines)


def without_prompts(text: str) -> str:
    """Keep what stands after ``>>>``, and empty lines for the rest."""
    lines = []
    for line in text.splitlines():
        prompt = re.match(r"\s*(?:>>>|\.\.\.)(?: |$)", line)
        lines.append(line[prompt.end() :] if prompt else "")
    return "\n".join(lines)


def read(data: bytes) -> Source:
    """Decode a file, and take its Python code out.

    Raises:
        SyntaxError: If there is none.
        UnicodeDecodeError: If it is not a text.

    >>> read(b"%matplotlib inline\\nx = 1").code
    '_not_python_0_\\nx = 1'
    >>> read(b">>> x = 1\\n>>> x\\n1").code
    'x = 1\\nx\\n'
    """
    if data.lstrip().startswith(b"{") and b'"cells"' in data:
        return read_notebook(data.decode("utf-8"))
    lines_only = re.sub(rb"\r\n?", b"\n", data)
    encoding, _ = tokenize.detect_encoding(io.BytesIO(lines_only).readline)
    source = Source(data.decode(encoding), encoding)
    source.code = source.text
    if not is_python(source.text):
        source.pasted = any(line.lstrip().startswith(">>>") for line in source.text.splitlines())
        if source.pasted:
            source.code = without_prompts(source.text)
        elif any(re.match(r"\s*(\w+\s*=\s*)?[%!]", line) for line in source.text.splitlines()):
            source.code = without_magics(source.text, source.taken)
    check(source.code)
    return source


def read_notebook(text: str) -> Source:
    """Join the code cells of a notebook, with a comment before each.

    Raises:
        SyntaxError: If it is not a notebook of format 4.
    """
    try:
        notebook = json.loads(text)
        cells = code_cells(notebook)
        sources = ["".join(cell["source"]) for cell in cells]
    except (ValueError, KeyError, TypeError):
        raise SyntaxError("not a notebook of format 4") from None
    source = Source(text, "utf-8", notebook=notebook)
    for number, code in enumerate(sources, 1):
        try:
            readable = without_magics(code, source.taken)
        except SyntaxError:
            readable = MARK.format(len(source.taken))
            source.taken.append(code)
            source.unread.append(number)
        source.code += f"{CELL.format(number)}\n{readable}\n"
    check(source.code)
    return source


# -- Finding -------------------------------------------------------------------------------------

NAMES = {row.path: row for row in ROWS if not row.form and not row.old.startswith("import ")}
IMPORTS = {row.path: row for row in ROWS if row.old.startswith("import ")}
CALLS = [row for row in ROWS if row.form]
MODULES = {path for path in NAMES if any(other.startswith(f"{path}.") for other in NAMES)}
METHODS = ("jax.Array", "flax.core.FrozenDict", "flax.nnx.Optimizer", "flax.nnx.Variable",
           "flax.optim.Optimizer")  # fmt: skip
# What names stand for in a fragment without imports, as pasted from a blog.
USUAL = {"jax": "jax", "jnp": "jax.numpy", "lax": "jax.lax", "random": "jax.random",
         "nn": "flax.linen", "nnx": "flax.nnx", "flax": "flax", "optax": "optax"}  # fmt: skip
# The usual names of parameters in NNX layers.
PARAMETERS = {"bias", "embedding", "kernel", "scale"}


@dataclass(frozen=True)
class Finding:
    """An old name at a place.

    Attributes:
        line: From 1.
        row: What happened to the name.
        node: Where it stands.
        path: What stands there in full, such as ``jax.experimental.stax.Dense``.
    """

    line: int
    row: Row
    node: cst.CSTNode
    path: str


def dotted(node: cst.BaseExpression | None) -> str:
    """Write ``a.b.c``; empty for any other expression.

    >>> dotted(cst.parse_expression("a.b.c")), dotted(cst.parse_expression("a().b"))
    ('a.b.c', '')
    """
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute) and dotted(node.value):
        return f"{dotted(node.value)}.{node.attr.value}"
    return ""


def inside(path: str, module: str) -> bool:
    """Tell whether a path is a module's, or the module itself."""
    return f"{path}.".startswith(f"{module}.")


def lookup(path: str) -> Row | None:
    """Look up the longest old name that a path begins with.

    A name of a module that moved, but that is not in the new module, has no successor.

    >>> lookup("jax.experimental.stax.Dense").new
    'jax.example_libraries.stax.Dense'
    >>> lookup("jax.api._argnums_partial").new
    ''
    """
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        start = ".".join(parts[:count])
        row = NAMES.get(start)
        if row and start in MODULES and count < len(parts):
            new = "" if row.change == "rename" else row.new
            return dataclasses.replace(
                row, old=".".join(parts[: count + 1]), new=new, change="rewrite"
            )
        if row:
            return row
    return None


def renamed(path: str) -> str:
    """Give the new path of an old one; the same if it is not a pure renaming.

    >>> renamed("jax.experimental.stax.Dense"), renamed("jax.ops.index_add")
    ('jax.example_libraries.stax.Dense', 'jax.ops.index_add')
    """
    row = lookup(path)
    return row.new + path[len(row.path) :] if row and row.change == "rename" else path


def imported(node: cst.Import | cst.ImportFrom) -> list[tuple[str, str]]:
    """List the local names and full paths of an import; ``*`` and the module for a star.

    >>> imported(cst.parse_statement("from jax import grad, ops as o").body[0])
    [('grad', 'jax.grad'), ('o', 'jax.ops')]
    """
    if isinstance(node, cst.ImportFrom):
        module = dotted(node.module)
        if node.relative or not module:
            return []
        if isinstance(node.names, cst.ImportStar):
            return [("*", module)]
        paths = [(alias, f"{module}.{alias.evaluated_name}") for alias in node.names]
    else:
        paths = [(alias, alias.evaluated_name) for alias in node.names]
    return [(alias.evaluated_alias or alias.evaluated_name, path) for alias, path in paths]


def fits(form: str, arguments: Sequence[cst.Arg], *, partial: bool = False) -> bool:
    """Tell whether the arguments of a call have the form that a row names.

    >>> call = cst.parse_expression("jax.jit(f, 1)")
    >>> fits("(f, 1)", call.args), fits("(backend=)", call.args), fits("()", call.args)
    (True, False, False)
    """
    form = form[1:-1]
    if form.endswith("="):
        return any(argument.keyword and argument.keyword.value == form[:-1]
                   for argument in arguments)  # fmt: skip
    first = arguments[0].value if arguments and not arguments[0].star else None
    if form == "[]":
        return isinstance(first, cst.List | cst.Tuple | cst.ListComp)
    if form == "{}":
        return isinstance(first, cst.Dict)
    if form.startswith('"'):
        text = first.evaluated_value if isinstance(first, cst.SimpleString) else None
        return bool(text == ast.literal_eval(form))
    plain = all(not argument.keyword and not argument.star for argument in arguments)
    return bool(plain and not partial and len(arguments) == len(form.split(",")) * bool(form))


class Finder(cst.CSTVisitor):
    """Collects what a file uses, then looks each place up."""

    METADATA_DEPENDENCIES = (QualifiedNameProvider, PositionProvider)

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.places: list[cst.Name | cst.Attribute | cst.Call | cst.Import | cst.ImportFrom] = []
        self.assigned: list[tuple[cst.BaseExpression, cst.BaseExpression]] = []
        self.annotated: list[tuple[cst.BaseExpression, cst.BaseExpression]] = []
        self.unpacked: set[cst.BaseExpression] = set()
        self.freezes = False
        self.stars: list[str] = []
        self.packages: set[str] = set()
        self.aliases: dict[str, str] = {}
        self.origins: dict[str, set[str]] = {}
        self.tries: list[list[Sequence[cst.CSTNode]]] = []

    # What is collected.

    def visit_Name(self, node: cst.Name) -> None:
        self.places.append(node)

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        self.places.append(node)
        if not dotted(node):
            node.value.visit(self)
        return False

    def visit_Call(self, node: cst.Call) -> None:
        self.places.append(node)

    def visit_Arg(self, node: cst.Arg) -> bool:
        node.value.visit(self)  # the name of an argument is not a use
        return False

    def visit_Import(self, node: cst.Import | cst.ImportFrom) -> bool:
        self.places.append(node)
        pairs = imported(node)
        self.packages |= {path for _, path in pairs}
        self.stars += [path for name, path in pairs if name == "*"]
        return False

    visit_ImportFrom = visit_Import

    def visit_Assign(self, node: cst.Assign) -> None:
        for target in node.targets:
            if isinstance(target.target, cst.Tuple):
                self.unpacked.add(node.value)
            if dotted(target.target):
                self.assigned.append((target.target, node.value))

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        self.annotated.append((node.target, node.annotation.annotation))

    def visit_Param(self, node: cst.Param) -> None:
        if node.annotation:
            self.annotated.append((node.name, node.annotation.annotation))

    def visit_Try(self, node: cst.Try) -> None:
        imports = m.Import() | m.ImportFrom()
        types = [handler.type for handler in node.handlers]
        first = [item.elements[0].value if isinstance(item, cst.Tuple) else item for item in types]
        caught = [dotted(item) for item in first]
        if set(caught) & {"", "AttributeError", "Exception", "ImportError", "ModuleNotFoundError"}:
            blocks = [node.body, *(handler.body for handler in node.handlers)]
            self.tries.append([m.findall(block, imports) for block in blocks])

    # What it means.

    def path(self, node: cst.BaseExpression) -> str:
        """Tell the full path of ``a.b.c``; empty if ``a`` is not imported."""
        name = dotted(node)
        if not name:
            return ""
        qualified = self.get_metadata(QualifiedNameProvider, node, set())
        paths = sorted(item.name for item in qualified if item.source is NameSource.IMPORT)
        if paths:  # after `try: import new; except ImportError: import old`, the new one counts
            best = min(paths, key=lambda path: lookup(path) is not None)
            return "" if best.startswith(".") else best  # a module beside the file
        for item in qualified:
            for alias, path in self.aliases.items():
                if inside(item.name, alias):
                    return path + item.name[len(alias) :]
        if qualified:
            return ""
        if self.stars:
            return f"{self.stars[-1]}.{name}"
        first, dot, rest = name.partition(".")
        fragment = not any(map(self.imports, ("jax", "flax", "optax")))
        return f"{USUAL[first]}{dot}{rest}" if fragment and first in USUAL else ""

    def origin(self, node: cst.BaseExpression) -> set[str]:
        """Tell which calls or types an expression may come from.

        A function is given by its path, a method by its name, such as ``.init``.
        """
        if isinstance(node, cst.Subscript):
            return self.origin(node.value)
        if isinstance(node, cst.Call):
            method = isinstance(node.func, cst.Attribute) and f".{node.func.attr.value}"
            return {self.path(node.func) or method or ""}
        return {self.path(node)} if self.path(node) else self.origins.get(dotted(node), set())

    def imports(self, package: str) -> bool:
        """Tell whether the file imports a package, or something of it."""
        return any(inside(path, package) for path in self.packages)

    def belongs(self, owner: str, access: cst.Attribute, call: cst.Call | None) -> bool:
        """Tell whether the object with an old attribute is of the owner's type.

        Types are not known before the code runs, so the file's imports, assignments and
        annotations are the evidence.
        """
        origin = self.origin(access.value)
        name = dotted(access.value).rpartition(".")[2]
        if not self.imports(owner.split(".")[0]):
            return False
        if owner == "flax.core.FrozenDict":
            arguments = [argument.value for argument in call.args] if call else []
            given = bool(arguments) and isinstance(arguments[0], cst.Dict)
            unpacked = call in self.unpacked and not self.freezes
            return bool(origin & {".init", ".init_with_output"}) or unpacked or given
        if owner == "flax.nnx.Optimizer":
            return owner in origin
        if owner == "flax.nnx.Variable":
            variables = any(inside(path, "flax.nnx") and path[9:10].isupper() for path in origin)
            return self.imports("flax.nnx") and (variables or name in PARAMETERS)
        if owner == "flax.optim.Optimizer":
            used = any(inside(self.path(place), "flax.optim") for place in self.places
                       if isinstance(place, cst.Name | cst.Attribute))  # fmt: skip
            return access.attr.value == "apply_gradient" or (
                used and ("opt" in name.lower() or ".create" in origin)
            )
        return True

    def attributes(self, access: cst.Attribute, call: cst.Call | None) -> list[tuple[Row, str]]:
        """Look an attribute up that is not a module's."""
        rows = []
        for row in ROWS:
            owner, _, name = row.path.rpartition(".")
            if owner in METHODS and name == access.attr.value and bool(row.form) == bool(call):
                formed = call is None or fits(row.form, call.args)
                if formed and self.belongs(owner, access, call):
                    rows.append((row, row.path))
        return rows

    def uses(self, node: cst.CSTNode) -> list[tuple[Row, str]]:
        """Look one place up: which old names does it use, and with which full path?"""
        if isinstance(node, cst.Import | cst.ImportFrom):
            paths = [path for _, path in imported(node)]
            whole = isinstance(node, cst.Import)
            modules = [path if whole else path.rpartition(".")[0] for path in paths]
            pairs = zip(paths, modules, strict=True)
            return [(row, path) for path, module in pairs
                    if (row := lookup(path) or IMPORTS.get(module))]  # fmt: skip
        if isinstance(node, cst.Call):
            function, partial = node.func, False
            if self.path(function) == "functools.partial" and node.args:
                function, partial = node.args[0].value, True
            path = self.path(function)
            if path:
                arguments = node.args[1:] if partial else node.args
                return [(row, path) for row in CALLS if row.path == renamed(path)
                        and fits(row.form, arguments, partial=partial)]  # fmt: skip
            return self.attributes(function, node) if isinstance(function, cst.Attribute) else []
        if not isinstance(node, cst.Name | cst.Attribute):
            return []
        path = self.path(node)
        if path:
            row = lookup(path)
            again = lookup(renamed(path))  # what a renamed module no longer has
            if again and again.broken:
                return [(again, renamed(path))]
            return [(row, path)] if row and not self.follows(node, path, row) else []
        rows = []
        inner: cst.BaseExpression = node
        while isinstance(inner, cst.Attribute):
            rows += self.attributes(inner, None)
            inner = inner.value if dotted(inner) else inner.attr
        return rows

    def follows(self, node: cst.BaseExpression, path: str, row: Row) -> bool:
        """Tell whether a use needs no change of its own, because the import is renamed."""
        root = node
        while isinstance(root, cst.Attribute):
            root = root.value
        start = self.path(root)
        moved = renamed(start)
        return (row.change == "rename" and moved != start and self.imports(start)
                and renamed(path) == moved + path[len(start) :])  # fmt: skip

    def leave_Module(self, original_node: cst.Module) -> None:
        for target, value in self.assigned:
            if self.path(value) and not lookup(self.path(value)):
                for item in self.get_metadata(QualifiedNameProvider, target, set()):
                    self.aliases[item.name] = self.path(value)
        for target, value in [*self.assigned, *self.annotated]:
            self.origins.setdefault(dotted(target), set()).update(self.origin(value))
        self.freezes = any(self.path(node).endswith(".freeze") for node in self.places
                           if isinstance(node, cst.Name | cst.Attribute))  # fmt: skip
        alternatives = {node for parts in self.tries
                        if any(part and not any(map(self.uses, part)) for part in parts)
                        for part in parts for node in part}  # fmt: skip
        for node in self.places:
            if node in alternatives:
                continue
            for row, path in self.uses(node):
                position = self.get_metadata(PositionProvider, node)
                here = position.end if isinstance(node, cst.Attribute) else position.start
                self.findings.append(Finding(here.line, row, node, path))
        self.findings.sort(key=lambda finding: finding.line)


def find(code: str) -> tuple[list[Finding], MetadataWrapper]:
    """Find the old names in code, in the order of lines.

    Args:
        code: A module.

    Returns:
        Every place, and libcst's view of the module. The uses of an imported name are left out
        where it is enough to change the import.

    >>> [(at.line, at.row.old) for at in find("import jax as j\\nj.tree_map(f, x)")[0]]
    [(2, 'jax.tree_map')]
    """
    wrapper = MetadataWrapper(cst.parse_module(code), unsafe_skip_copy=True)
    finder = Finder()
    wrapper.visit(finder)
    return finder.findings, wrapper


# -- Changing ------------------------------------------------------------------------------------

# What `import jax`, `import flax` and `import optax` bring with them.
LOADED = {"jax", "jax.core", "jax.errors", "jax.lax", "jax.nn", "jax.numpy", "jax.random",
          "jax.sharding", "jax.tree", "jax.tree_util", "flax", "flax.linen",
          "optax", "optax.contrib", "optax.tree"}  # fmt: skip


class Renamer(cst.CSTTransformer):
    """Renames what is old, where the file has a name for the new place."""

    METADATA_DEPENDENCIES = (ScopeProvider,)

    def __init__(self, findings: list[Finding], module: cst.Module) -> None:
        super().__init__()
        self.module = module
        self.done: list[Finding] = []
        self.planned: dict[cst.CSTNode, list[Finding]] = {}
        for finding in findings:
            if finding.row.change == "rename":
                self.planned.setdefault(finding.node, []).append(finding)
        imports = Imports()
        module.visit(imports)
        self.local = {name: renamed(path) for name, path in imports.local.items()}
        self.loaded = LOADED | imports.loaded
        self.replaced: dict[cst.CSTNode, cst.BaseExpression] = {}

    def spelling(self, node: cst.BaseExpression, root: str, new: str) -> str:
        """Say a new path with a name that the file has at this place; empty if it has none."""
        module = new.rpartition(".")[0] or new
        scope = self.get_metadata(ScopeProvider, node)
        for name in [root, *sorted(self.local, key=len)]:
            path = self.local.get(name, "")
            there = inside(path, module) or module in self.loaded
            bound = scope[name] if scope and path else ()
            ours = bool(bound) and all(isinstance(item, ImportAssignment) for item in bound)
            if ours and inside(new, path) and there:
                return name + new[len(path) :]
        return ""

    def chain(self, node: cst.Name | cst.Attribute) -> bool:
        """Plan the change of ``a.b.c``, or of its beginning."""
        for finding in self.planned.get(node, []):
            old: cst.BaseExpression = node
            for _ in range(finding.path.count(".") - finding.row.path.count(".")):
                old = old.value if isinstance(old, cst.Attribute) else old
            plain = self.module.code_for_node(old) == dotted(old)
            new = self.spelling(node, dotted(node).split(".")[0], finding.row.new)
            if new and plain:
                self.replaced[old] = cst.parse_expression(new)
                self.done.append(finding)
        return True

    visit_Name = visit_Attribute = chain

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self.replaced.get(original_node, updated_node)

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        return self.replaced.get(original_node, updated_node)

    def visit_ImportAlias(self, node: cst.ImportAlias) -> bool:
        return False

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:
        aliases = []
        for alias in updated_node.names:
            old, new = alias.evaluated_name, renamed(alias.evaluated_name)
            if new != old and (alias.asname or new.split(".")[0] == old.split(".")[0]):
                name = cst.parse_expression(new)
                alias = alias.with_changes(name=name)
                self.done += [at for at in self.planned.get(original_node, []) if at.path == old]
            aliases.append(alias)
        return updated_node.with_changes(names=aliases)

    def statements(self, node: cst.ImportFrom) -> list[cst.ImportFrom]:
        """Write ``from a import b`` anew, as several statements where names part."""
        if node not in self.planned or isinstance(node.names, cst.ImportStar):
            return [node]
        groups: dict[str, list[cst.ImportAlias]] = {}
        for alias, (local, path) in zip(node.names, imported(node), strict=True):
            module, _, name = renamed(path).rpartition(".")
            if not module:
                return [node]
            if name != alias.evaluated_name or (alias.asname and name == local):
                asname = cst.AsName(cst.Name(local)) if name != local else None
                alias = alias.with_changes(name=cst.Name(name), asname=asname)
            groups.setdefault(module, []).append(alias)
        code = self.module.code_for_node(node)
        if len(groups) > 1 and "#" in code:
            return [node]
        self.done += self.planned[node]
        first, *others = sorted(groups, key=lambda module: module != dotted(node.module))
        names = groups[first]
        if names[-1] is not node.names[-1] and len(names) < len(node.names):
            names = [*names[:-1], names[-1].with_changes(comma=node.names[-1].comma)]
        module_name = node.module if first == dotted(node.module) else cst.parse_expression(first)
        changed = [node.with_changes(module=module_name, names=names)]
        for module in others:
            plain = [alias.with_changes(comma=cst.MaybeSentinel.DEFAULT)
                     for alias in groups[module]]  # fmt: skip
            statement = cst.ensure_type(
                cst.parse_statement(f"from {module} import x"), cst.SimpleStatementLine
            ).body[0]
            changed.append(cst.ensure_type(statement, cst.ImportFrom).with_changes(names=plain))
        return changed

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement]:
        if len(original_node.body) == 1 and isinstance(original_node.body[0], cst.ImportFrom):
            first, *others = self.statements(original_node.body[0])
            lines = [cst.SimpleStatementLine([statement]) for statement in others]
            return cst.FlattenSentinel([updated_node.with_changes(body=[first]), *lines])
        return updated_node.with_changes(body=self.joined(original_node.body, updated_node.body))

    def leave_SimpleStatementSuite(
        self, original_node: cst.SimpleStatementSuite, updated_node: cst.SimpleStatementSuite
    ) -> cst.SimpleStatementSuite:
        return updated_node.with_changes(body=self.joined(original_node.body, updated_node.body))

    def joined(
        self, before: Sequence[cst.BaseSmallStatement], after: Sequence[cst.BaseSmallStatement]
    ) -> list[cst.BaseSmallStatement]:
        """Write the statements of one line."""
        line: list[cst.BaseSmallStatement] = []
        space = cst.Semicolon(whitespace_after=cst.SimpleWhitespace(" "))
        for old, new in zip(before, after, strict=True):
            if isinstance(old, cst.ImportFrom):
                *others, last = self.statements(old)
                line += [statement.with_changes(semicolon=space) for statement in others]
                new = last.with_changes(semicolon=old.semicolon)
            line.append(new)
        return line


class Imports(cst.CSTVisitor):
    """Collects the names that imports bind, and the modules that they load."""

    def __init__(self) -> None:
        self.local: dict[str, str] = {}
        self.loaded: set[str] = set()

    def visit_Import(self, node: cst.Import) -> None:
        for alias in node.names:
            parts = renamed(alias.evaluated_name).split(".")
            self.loaded |= {".".join(parts[: count + 1]) for count in range(len(parts))}
            self.local[alias.evaluated_alias or parts[0]] = (
                alias.evaluated_name if alias.asname else parts[0]
            )

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        self.local |= {name: path for name, path in imported(node) if name != "*"}


def rewrite(source: Source) -> tuple[str, list[Finding], list[Finding]]:
    """Change what is a pure renaming.

    Args:
        source: A file. Nothing is changed in what was pasted with its prompts or has form feeds.

    Returns:
        The new text, the names that were changed, and those that are left in the new code.

    Raises:
        ValueError: If the new text would not be what was planned; this is a mistake of this code.

    >>> print(rewrite(read(b"import jax\\ny = jax.tree_map(f, x)  # jax.tree_map"))[0])
    import jax
    y = jax.tree.map(f, x)  # jax.tree_map
    """
    findings, wrapper = find(source.code)
    if source.pasted or wrapper.module.code != source.code:  # libcst drops form feeds
        return source.text, [], findings
    renamer = Renamer(findings, wrapper.module)
    code = wrapper.visit(renamer).code
    text = source.with_code(code)
    left = find(read(text.encode(source.encoding)).code)[0]
    done = {id(finding) for finding in renamer.done}
    before = Counter(at.row.old for at in findings if at.row.broken and id(at) not in done)
    if Counter(at.row.old for at in left if at.row.broken) != before:
        raise ValueError("the changes do not fit together")
    return text, [finding for finding in findings if id(finding) in done], left


# -- Advice --------------------------------------------------------------------------------------

LIBRARIES = {"flax": "Flax", "jax": "JAX", "optax": "Optax"}

SENTENCES = {
    "en": {
        "gone": "Removed in {library} {version}.",
        "gone, at some time": "Not in today's {library}.",
        "refused": "Not accepted since {library} {version}.",
        "refused, at some time": "Not accepted by today's {library}.",
        "warns": "Deprecated since {library} {version}.",
        "warns, at some time": "Deprecated.",
        "dated": "Still works; since {library} {version} the new form is preferred.",
        "rename": "The new name is {new}.",
        "rewrite": "Write {new} instead.",
        "none": "There is no public successor.",
        "changed": "Changed. The new name is {new}.",
        "nothing": "nothing to change",
        "unread": "Not Python, not checked.",
        "sum": "Lines that no longer work: {broken}. Dated lines that still work: {working}.",
    },
    "ja": {
        "gone": "{library} {version}で削除されました。",
        "gone, at some time": "現在の{library}にはありません。",
        "refused": "この書き方は{library} {version}から使えません。",
        "refused, at some time": "この書き方は現在の{library}では使えません。",
        "warns": "{library} {version}から非推奨です。",
        "warns, at some time": "非推奨です。",
        "dated": "今も使えますが、{library} {version}からは新しい書き方が推奨されています。",
        "rename": "新しい名前は{new}です。",
        "rewrite": "代わりに{new}を使ってください。",
        "none": "公開された後継はありません。",
        "changed": "書き換えました。新しい名前は{new}です。",
        "nothing": "書き換えるところはありません",
        "unread": "Pythonのコードではないため、調べていません。",
        "sum": "動かなくなった行：{broken}、古い書き方だが動く行：{working}",
    },
    "ko": {
        "gone": "{library} {version}에서 제거되었습니다.",
        "gone, at some time": "현재 {library}에는 없습니다.",
        "refused": "{library} {version}부터 이렇게 호출할 수 없습니다.",
        "refused, at some time": "현재 {library}에서는 이렇게 호출할 수 없습니다.",
        "warns": "{library} {version}에서 사용 중단 예정으로 지정되었습니다.",
        "warns, at some time": "사용 중단 예정입니다.",
        "dated": "여전히 동작하지만, {library} {version}부터 새로운 방식이 권장됩니다.",
        "rename": "새 이름은 {new}입니다.",
        "rewrite": "대신 쓸 코드는 {new}입니다.",
        "none": "공개된 후속 API는 없습니다.",
        "changed": "수정했습니다. 새 이름은 {new}입니다.",
        "nothing": "고칠 곳이 없습니다",
        "unread": "Python 코드가 아니어서 확인하지 않았습니다.",
        "sum": "더 이상 동작하지 않는 줄: {broken}, 오래됐지만 동작하는 줄: {working}",
    },
}


def language() -> str:
    """Choose the reader's language by the locale; English if it is not one of ours."""
    variables = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    names = [*variables, locale.getlocale()[0] or ""]
    first = next((name for name in names if name), "")
    return first[:2].lower() if first[:2].lower() in SENTENCES else "en"


def advice(row: Row, language: str) -> str:
    """Say what happened to an old name, and what to write.

    >>> [row] = [row for row in ROWS if row.old == "jax.tree_map"]
    >>> advice(row, "en")
    'Removed in JAX 0.6.0. The new name is jax.tree.map.'
    >>> advice(row, "ja")
    'JAX 0.6.0で削除されました。新しい名前はjax.tree.mapです。'
    """
    sentences = SENTENCES[language]
    fate = row.kind if row.version else f"{row.kind}, at some time"
    parts = [sentences[fate], sentences[row.change if row.new else "none"]]
    library = LIBRARIES[row.path.split(".")[0]]
    gap = "" if language == "ja" else " "
    return gap.join(parts).format(library=library, version=row.version, new=row.new)


# -- The command line ----------------------------------------------------------------------------


def at_lines(source: Source, findings: list[Finding]) -> list[tuple[str, Row]]:
    """Keep each old name once a line, with the name of the line."""
    pairs = dict.fromkeys((finding.line, finding.row) for finding in findings)
    return [(source.place(line), row) for line, row in pairs]


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all.

    Raises:
        OSError: If it cannot be written; the file is then as it was.
    """
    target = path.resolve()
    number, name = tempfile.mkstemp(dir=target.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        shutil.copymode(target, name)
        Path(name).replace(target)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def load_file(name: str) -> tuple[bytes, Source]:
    """Read a file, or standard input for ``-``.

    Raises:
        ValueError: With one line that says what is wrong.
    """
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        source = read(data)
        cst.parse_module(source.code)
        return data, source
    except cst.ParserSyntaxError as error:
        raise ValueError(f"{name}: LibCST cannot parse it: {error.message}") from None
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror}; name a Python file or a notebook") from None
    except UnicodeError as error:
        raise ValueError(f"{name}: not a text in {error.args[0]}") from None
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.lineno else ""
        raise ValueError(f"{name}: {place}not Python: {error.msg}") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is to be changed.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 1 if something that no longer works is left, otherwise 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> import contextlib
    >>> with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
    ...     code = "from jax import ops\\nx = ops.index_add(x, 0, 1)\\n"
    ...     _ = Path("article.py").write_text(code)
    ...     main(["--language", "en", "article.py"])
    article.py:2: jax.ops.index_add → Removed in JAX 0.3.2. Write x.at[i].add(y) instead.
    Lines that no longer work: 1. Dated lines that still work: 0.
    1
    """
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    add: Any = parser.add_argument
    add("files", nargs="*", default=["-"], metavar="FILE", help="- or nothing: standard input")
    add("--language", choices=list(SENTENCES), default=language(), help="of what is printed")
    add("--only-broken", action="store_true", help="leave out names that still work")
    add("--write", action="store_true", help="make the changes that are pure renamings")
    options = parser.parse_args(arguments)
    if options.write and "-" in options.files:
        parser.error("--write needs the name of a file")

    sentences = SENTENCES[options.language]
    try:
        sources = [(name, *load_file(name)) for name in options.files]
    except ValueError as error:
        parser.error(str(error))
    rows: list[Row] = []
    for name, data, source in sources:
        for number in source.unread:
            print(f"{name}[{number}]: {sentences['unread']}")
        changed: list[Finding] = []
        if options.write:
            if source.text.encode(source.encoding) != data:
                parser.error(f"{name}: cannot be written back byte for byte; save it as UTF-8")
            text, changed, findings = rewrite(source)
            try:
                if changed:
                    write_whole(Path(name), text.encode(source.encoding))
            except OSError as error:
                parser.error(f"--write {name}: {error.strerror}")
            for place, row in at_lines(source, changed):
                print(f"{name}{place}: {row.old} → {sentences['changed'].format(new=row.new)}")
            source = read(text.encode(source.encoding))
        else:
            findings = find(source.code)[0]
        left = [(place, row) for place, row in at_lines(source, findings)
                if row.broken or not options.only_broken]  # fmt: skip
        if not left and not changed:
            print(f"{name}: {sentences['nothing']}")
        for place, row in left:
            print(f"{name}{place}: {row.old} → {advice(row, options.language)}")
        rows += [row for _, row in left]
    broken = sum(row.broken for row in rows)
    if rows:
        print(sentences["sum"].format(broken=broken, working=len(rows) - broken))
    return int(broken > 0)


if __name__ == "__main__":
    raise SystemExit(main())
