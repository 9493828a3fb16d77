"""Find what an error message of JAX means, and what to write instead.

Give a message from your terminal, a part of one, or a whole traceback:

    python errors.py "Pred must be a scalar"
    python train.py 2>&1 | python errors.py -

Of each message the guide explains you will see the cause, what to write, and the page and section
of the guide. Nothing but Python is needed.
"""

import argparse
import csv
import functools
import re
import sys

SHOWN = 3  # rows for a message
TABLE = """
message,cause,fix,page,section
Abstract tracer value encountered,"A conversion, or a length, needs the value of a tracer; the next line of the message names the function.","Leave out the conversion, or do it after the call; make a length static.",trouble/errors-tracing,concretizationtypeerror-from-float-and-int
Abstract tracer value encountered … It arose in the jnp.arange argument,The length of the result depends on a traced argument.,"Make the argument static with static_argnames, or use the size of an array.",trouble/errors-tracing,shapes-must-be-1d-sequences-of-concrete-values
Abstract tracer value encountered … size argument,The number of results depends on values.,Pass size= and fill_value=.,trouble/errors-tracing,concretizationtypeerror-from-nonzero-and-unique
Abstract tracer value encountered … The problem arose with,"float, int, complex or a function of math needs the value of a tracer.","Leave out the conversion, or do it after the call, on the result.",trouble/errors-tracing,concretizationtypeerror-from-float-and-int
Array boolean indices must be concrete,The number of elements that a mask selects depends on values.,"Keep all elements, and replace the unwanted ones with jnp.where.",trouble/errors-tracing,nonconcretebooleanindexerror
Array slice indices must have static start/stop/step,The length of a slice depends on a traced argument.,"Use x[jax.ds(i, length)] for a window of fixed length, or a mask.",trouble/errors-tracing,array-slice-indices-must-have-static-start
Attempted boolean conversion of traced array,"if, while, and, or, not, assert or max needs true or false, but the condition is a tracer.","Use jnp.where or lax.cond, lax.while_loop, and the operators & | ~.",trouble/errors-tracing,tracerboolconversionerror
Cannot mutate RngCount from a different trace level,"nnx.Dropout counts its random numbers, but the function that jit, vmap or scan traces finds it outside.","Pass the module to the function, or make it without rngs and call it with rngs=key.",trouble/errors-tracing,tracecontexterror-from-flax
carry input and carry output must have equal types,The body of a loop returns a carry with another dtype or shape.,Start with the dtype and shape that the body returns; return what grows as an output of scan.,trouble/errors-tracing,carry-input-and-carry-output-must-have-equal-types
carry input and carry output must have the same pytree structure,"The body of a loop returns a carry with another structure, or nothing.","Return everything that the carry contains, in the same order.",trouble/errors-tracing,must-have-the-same-pytree-structure
cond branch outputs must have the same pytree structure,The branches of cond return different structures.,Let both branches return the same structure.,trouble/errors-tracing,cond-branches-must-have-equal-output-types
cond branches must have equal output types,The branches of cond return different dtypes or shapes.,Let both branches return the same dtypes and shapes.,trouble/errors-tracing,cond-branches-must-have-equal-output-types
Encountered an unexpected tracer,"A tracer was stored in a list, an attribute or a global variable, and used after its function had returned.",Return what you need later.,trouble/errors-tracing,unexpectedtracererror
Error interpreting argument to,"An argument is no array, number or pytree of them.","Make it static, or register its class as a pytree.",trouble/errors-tracing,error-interpreting-argument-to
Error interpreting argument to … of type <class 'function'>,"A model that contains functions, such as one of Equinox, is the argument of jax.jit.",Use eqx.filter_jit and eqx.filter_grad.,trouble/errors-tracing,error-interpreting-argument-to
Error interpreting argument to … of type <class 'jax._src.custom_derivatives.,"A model that contains functions, such as one of Equinox, is the argument of jax.jit.",Use eqx.filter_jit and eqx.filter_grad.,trouble/errors-tracing,error-interpreting-argument-to
Error interpreting argument to … of type <class 'str'>,An argument is a string.,Make it a static argument.,trouble/errors-tracing,error-interpreting-argument-to
Expected a callable value,"grad, jit or vmap got the result of a call instead of a function.",Pass the function itself.,trouble/errors-tracing,expected-a-callable-value
fold_in accepts a single key,"nnx.split_rngs stands around nnx.scan, as in recipes for Flax before 0.10.7; or a random function got an array of keys.","Keep split_rngs around nnx.vmap, which makes the layers, and remove it around nnx.scan.",trouble/errors-tracing,tracecontexterror-from-flax
from a different trace level,"A Flax module that changes itself, such as Dropout or BatchNorm, is used inside a traced function, but comes from outside.","Pass the module to the function, or call the layer with rngs=key.",trouble/errors-tracing,tracecontexterror-from-flax
Jitted function has,static_argnames or static_argnums names an argument that the function does not have.,"Use a name from the definition, or a position counted from 0.",trouble/errors-tracing,jitted-function-has-invalid-argnames
Leaked trace,"A tracer was stored outside its function, and jax.checking_leaks found it.",Return what you need later.,trouble/errors-tracing,unexpectedtracererror
Non-hashable static arguments,"A static argument is a list, a dictionary or an array.","Turn a list into a tuple, and leave an array traced.",trouble/errors-tracing,non-hashable-static-arguments
Pred must be a scalar,The condition of cond is an array.,Use jnp.where to choose for each element.,trouble/errors-tracing,pred-must-be-a-scalar
returned a value of type,A traced function returns a string or another object.,"Return only arrays, and add the rest outside.",trouble/errors-tracing,returned-a-value-of-type
Reverse-mode differentiation does not work,A gradient goes through a loop whose number of steps is unknown while tracing.,"Make the number of steps static, or do a fixed number and ignore the rest with jnp.where.",trouble/errors-tracing,reverse-mode-differentiation-does-not-work
scan body output must be a pair,The body of scan returns only the carry.,"Return the carry and an output, which may be None.",trouble/errors-tracing,must-have-the-same-pytree-structure
setting an array element with a sequence,A tracer was assigned to an element of a NumPy array.,Build the array with jnp.zeros and .at[].set.,trouble/errors-tracing,tracerarrayconversionerror
Shapes must be 1D sequences of concrete values,A shape contains a tracer.,"Make the length static with static_argnames, or use the size of an array.",trouble/errors-tracing,shapes-must-be-1d-sequences-of-concrete-values
Slice entries must be static integers,The length of a slice depends on a traced argument.,"Use x[jax.ds(i, length)] for a window of fixed length, or a mask.",trouble/errors-tracing,array-slice-indices-must-have-static-start
The __index__() method was called on traced array,"A tracer is the index of a list, or the argument of range.","Turn the list into an array, and the loop into lax.fori_loop, or make the number static.",trouble/errors-tracing,tracerintegerconversionerror
The numpy.ndarray conversion method __array__() was called,A function of NumPy got a tracer.,Call the function of the same name in jax.numpy.,trouble/errors-tracing,tracerarrayconversionerror
unhashable type: 'DynamicJaxprTracer',A tracer is the key of a dictionary.,Make the key a static argument.,trouble/errors-tracing,unhashable-type-dynamicjaxprtracer
unsupported format string passed to DynamicJaxprTracer,An f-string rounds a tracer.,Use jax.debug.print.,trouble/errors-tracing,unsupported-format-string-passed-to-dynamicjaxprtracer
accepts a single key,A random function got an array of keys.,"Use jax.vmap over the keys, or one of them.",trouble/errors-values,invalid-prng-key-data
Array has been deleted,"The array was donated to a compiled function with donate_argnums, by you or by a library.",Give the result the name of the argument: x = f(x); upgrade the library and JAX if you donate nothing.,trouble/errors-values,array-has-been-deleted
assignment destination is read-only,The NumPy array shares its memory with a JAX array.,Make a copy with np.array(x).,trouble/errors-values,jax-arrays-are-immutable
Buffer has been deleted or donated,The array was donated to a compiled function with donate_argnums.,Give the result the name of the argument: x = f(x).,trouble/errors-values,array-has-been-deleted
cannot be converted to a NumPy array,"A random key is saved, or passed to NumPy.","Save the bits with jax.random.key_data, and make the key again with wrap_key_data.",trouble/errors-values,cannot-be-converted-to-a-numpy-array
cannot import name … from 'jax,JAX has removed this name.,"In your own code, write the new name; if a library uses it, upgrade the library or pin JAX.",trouble/errors-values,module-jax-has-no-attribute
cannot reshape array of shape,The new shape has another number of elements.,"Write -1 for one of the lengths, and JAX computes it.",trouble/errors-values,requires-contracting-dimensions-to-have-the-same-shape
Contracting dimensions are sharded,Both factors of a product are cut along the axis that is summed over.,"State the sharding of the result with out_sharding=, or move a factor with jax.reshard.",trouble/errors-values,shardingtypeerror
does not accept dtypes key,A number is added to a random key.,"Derive a new key with jax.random.fold_in(key, i).",trouble/errors-values,cannot-be-converted-to-a-numpy-array
does not evenly divide,The length of an axis is no multiple of the number of devices.,"Pad the axis, or cut another one.",trouble/errors-values,does-not-evenly-divide
dot_general requires contracting dimensions,The inner lengths of a matrix product differ.,Transpose one of the factors.,trouble/errors-values,requires-contracting-dimensions-to-have-the-same-shape
expected key_data.dtype = uint32,The bits of a random key have another dtype.,"Convert them with .astype(""uint32"") before jax.random.wrap_key_data.",trouble/errors-values,cannot-be-converted-to-a-numpy-array
Explicitly requested dtype,"64-bit types are switched off, so the dtype becomes a 32-bit one.","Call jax.config.update(""jax_enable_x64"", True) at the start, or request a 32-bit type.",trouble/errors-values,explicitly-requested-dtype
got incompatible shapes for broadcasting,"Two lengths of the same axis differ, and neither is 1.","Print both shapes; insert an axis of length 1, or select the same part of both arrays.",trouble/errors-values,incompatible-shapes-for-broadcasting
grad requires real- or complex-valued inputs,grad differentiates with respect to an integer or boolean.,"Write 2.0 for 2, and pass integers in other arguments.",trouble/errors-values,is-not-a-valid-jax-type
Gradient only defined for scalar-output functions,The function that is differentiated returns several numbers.,Return a mean or sum; use jax.vmap(jax.grad(f)) for the gradient of each example.,trouble/errors-values,gradient-only-defined-for-scalar-output-functions
illegally sharded result,The result would be cut twice along the same axis of the mesh.,Move one operand with jax.reshard.,trouble/errors-values,shardingtypeerror
Incompatible shapes for broadcasting,"Shapes are compared from their ends, and two lengths fit only if they are equal or one is 1.","Keep the reduced axis with keepdims=True, or insert one with x[:, None].",trouble/errors-values,incompatible-shapes-for-broadcasting
Input should be unsharded over the axis,A running sum or a similar operation goes along an axis that is cut.,Move the array with jax.reshard first.,trouble/errors-values,shardingtypeerror
invalid PRNG key data,A random function got a seed or another array instead of a key.,Make a key of the seed with jax.random.key.,trouble/errors-values,invalid-prng-key-data
invalid value (nan) encountered,"With jax_debug_nans, the operation that is named returned the first NaN.",Replace its bad inputs with jnp.where.,trouble/errors-values,invalid-value-nan-encountered
is not a valid JAX type,"There is text, or another object, among the values that JAX should differentiate or map.",Pass it in another argument.,trouble/errors-values,is-not-a-valid-jax-type
is not JSON serializable,A JAX array is written to JSON.,Convert it with .item() or .tolist().,trouble/errors-values,is-not-json-serializable
iteration over a 0-d array,A single number of JAX is an array without an axis.,"Use the number itself, or .item().",trouble/errors-values,too-many-indices
its rank should be at least 1,vmap should map an argument that is a single number.,Write None for it in in_axes.,trouble/errors-values,vmap-got-inconsistent-sizes
JAX arrays are immutable,A value is assigned to an element of a JAX array.,Write x = x.at[i].set(value).,trouble/errors-values,jax-arrays-are-immutable
module 'jax' has no attribute,JAX has removed this name.,"In your own code, write the new name; if a library uses it, upgrade the library or pin JAX.",trouble/errors-values,module-jax-has-no-attribute
module 'jax. … has no attribute,JAX has removed this name.,"In your own code, write the new name; if a library uses it, upgrade the library or pin JAX.",trouble/errors-values,module-jax-has-no-attribute
must be a tree prefix,in_axes or a spec has another structure than its argument.,"Write one entry for each argument; for two axes of an array, nest two vmaps.",trouble/errors-values,must-be-a-tree-prefix
must be a tree prefix … pytree structure error: different numbers of pytree children at key path,"in_axes or a spec lacks keys of its argument, or has too many.","Use the keys of the argument, or one axis for all of its leaves.",trouble/errors-values,must-be-a-tree-prefix
must be a tree prefix … pytree structure error: different types at key path,in_axes or a spec has another structure than its argument.,"Write one entry for each argument; for two axes of an array, nest two vmaps.",trouble/errors-values,must-be-a-tree-prefix
no available implicit dtype promotion path,Two dtypes meet while jax_numpy_dtype_promotion is strict.,"Write a Python number instead of a NumPy number, or convert one side with astype.",trouble/errors-values,explicitly-requested-dtype
No module named 'jax.,JAX has removed this module.,"In your own code, write the new name; if a library uses it, upgrade the library or pin JAX.",trouble/errors-values,module-jax-has-no-attribute
not evenly divisible by the corresponding mesh axis sizes,The length of an axis is no multiple of the number of devices.,"Pad the axis, or cut another one.",trouble/errors-values,does-not-evenly-divide
Only scalar arrays can be converted,float or int got an array with several elements.,"Reduce the array to one element, or convert it with .tolist().",trouble/errors-values,the-truth-value-of-an-array
out_specs which require replication,"out_specs promises the same result on all devices, but the function returns a part.","Combine the parts with jax.lax.psum, or name the axis in out_specs.",trouble/errors-values,out_specs-which-require-replication
partially initialized module 'jax' has no attribute,A file of your own is called jax.py.,Rename it.,trouble/errors-values,module-jax-has-no-attribute
Previously-consumed key,"With jax_debug_key_reuse, a random key was used twice.","Split the key with jax.random.split, and use each new key once.",trouble/errors-values,previously-consumed-key
pytree structure error,"Two trees have different keys or containers, or an optimizer's state belongs to older parameters.",Give both the same structure; call optimizer.init again if you add or remove parameters.,trouble/errors-values,pytree-structure-error
Received incompatible devices,The arguments of one computation were put on different devices.,Put them on the same devices with jax.device_put.,trouble/errors-values,unknown-backend
requires ndarray or scalar arguments,A function of jax.numpy got a list.,Convert the list with jnp.array first.,trouble/errors-values,requires-ndarray-or-scalar-arguments
requires the current value of parameters,"The optimizer needs the parameters, for example for weight decay.","Call optimizer.update(grads, state, params).",trouble/errors-values,requires-the-current-value-of-parameters
RESOURCE_EXHAUSTED,An array does not fit into memory.,"Avoid the largest intermediate array, work in blocks, or use a smaller batch.",trouble/errors-values,out-of-memory
Shape mismatch: got,The predictions and targets of a loss of Optax have different shapes.,"Give both the same shape, for example with squeeze(1).",trouble/errors-values,no-error-a-wrong-loss
Some donated buffers were not usable,"No output has the size of the donated argument, so its memory cannot be reused.","Check the dtypes and shapes of the outputs, or do not donate the argument.",trouble/errors-values,array-has-been-deleted
The truth value of an array,"if, while, and, or, not or bool got an array with several elements.","Use jnp.all, jnp.any or jnp.where.",trouble/errors-values,the-truth-value-of-an-array
to provide output PartitionSpec for the gather,"Rows are picked from an array that is cut along this axis, such as an embedding.","Write table.at[ids].get(out_sharding=...), or jax.reshard the table first.",trouble/errors-values,shardingtypeerror
too large to convert to int32,A Python integer does not fit into 32 bits.,"Choose jnp.uint32, jnp.float32 or a 64-bit type.",trouble/errors-values,too-large-to-convert-to-int32
Too many indices,The array has fewer axes than indices; x[0] of a vector has none.,Write x[0].item() or float(x[0]) for a Python number.,trouble/errors-values,too-many-indices
Unable to initialize backend,"The device, its driver or its plugin is missing.","Install the extra of JAX for the device, and check its driver.",trouble/errors-values,unknown-backend
unhashable type,An array is a key of a dictionary or an element of a set.,Convert it with .item() or .tolist().,trouble/errors-values,is-not-json-serializable
Unknown backend,"The device, or the package for it, is not there.","Install JAX for the device, or use one that jax.devices() lists.",trouble/errors-values,unknown-backend
Using a non-tuple sequence,A list is used as an index.,Convert the list with jnp.array.,trouble/errors-values,requires-ndarray-or-scalar-arguments
vmap got inconsistent sizes,The mapped arguments have different numbers of examples.,Write None in in_axes for arguments that all examples share; nest two vmaps for all pairs.,trouble/errors-values,vmap-got-inconsistent-sizes
Constant folding an instruction is taking,"The compiler computes with constants, often a large array that the function finds outside.",Pass the array as an argument; otherwise wait.,trouble/first-aid,alarming-lines-that-are-no-errors
CUDNN_STATUS_INTERNAL_ERROR,"No memory is left for cuDNN, or its version is wrong.","End other processes, or reserve less.",trouble/installing,dnn-library-initialization-failed
CUDNN_STATUS_NOT_INITIALIZED,"No memory is left for cuDNN, or its version is wrong.","End other processes, or reserve less.",trouble/installing,dnn-library-initialization-failed
cuInit(0) failed,"A plugin for CUDA is installed, but this machine has no GPU.","Nothing, or JAX_PLATFORMS=cpu.",trouble/installing,jax-plugin-configuration-error
default_memory_space is not supported,The plugin jax-metal does not work with this JAX.,"Uninstall jax-metal, and use the CPU.",trouble/installing,does-it-work-on-windows-on-a-mac-in-colab
DNN library initialization failed,"No memory is left for cuDNN, or a cuDNN of another version was loaded.","End other processes, reserve less, unset LD_LIBRARY_PATH.",trouble/installing,dnn-library-initialization-failed
Found a JAX Tracer object passed as an argument,An array is in nondiff_argnums of a custom_vjp function.,"Make it an ordinary argument, and return None for its gradient.",transforms/custom-derivatives,what-goes-wrong
is taking a while...,XLA tries out algorithms of a convolution; this is no error.,Wait.,trouble/first-aid,alarming-lines-that-are-no-errors
Jax plugin configuration error,A plugin for CUDA cannot be loaded; the last line of the traceback names the cause.,"Install everything with one command, with the extra and -U; set JAX_PLATFORMS=cpu on a machine without GPU.",trouble/installing,jax-plugin-configuration-error
Loaded runtime CuDNN library,"An older cuDNN is loaded, from the system, conda or PyTorch.","Unset LD_LIBRARY_PATH, or install JAX in an environment of its own.",trouble/installing,dnn-library-initialization-failed
no matches found,The shell takes brackets or a star for a pattern of file names.,Put the name into double quotes.,trouble/installing,no-matches-found
not enough devices to run parallel chains,JAX takes a CPU for one device.,"Use chain_method=""vectorized"", or set jax_num_cpu_devices before the first operation.",trouble/questions,why-does-numpyro-find-too-few-devices
Very slow compile?,"A compilation takes more than two minutes, often because of an unrolled Python loop.",Use lax.scan for the loop.,trouble/first-aid,alarming-lines-that-are-no-errors
"""


@functools.cache
def table():
    """Read all rows: message, cause, fix, and the page and section that explain them."""
    return list(csv.DictReader(TABLE.strip().splitlines()))


def likeness(quoted, text):
    """Return how many characters of a quoted message are in a text, or 0 if a part is missing.

    Args:
        quoted: Parts of a message, with " … " where it differs from program to program.
        text: A traceback, on a single line.

    >>> likeness("cannot add … to", "TypeError: cannot add int32[3] to float32[4]")
    12
    >>> likeness("cannot add … to", "TypeError: cannot add int32[3] and float32[4]")
    0
    """
    parts = quoted.split(" … ")
    return sum(map(len, parts)) if re.search(".*".join(map(re.escape, parts)), text) else 0


def find(text):
    """Find the rows whose message is in a text, or else those that contain the text.

    Args:
        text: A message, a part of one, or a traceback.

    Returns:
        The rows, the longest message first.

    >>> [row["section"] for row in find("TypeError: Pred must be a scalar, got [ True False].")]
    ['pred-must-be-a-scalar']
    >>> [row["section"] for row in find("pred must")]
    ['pred-must-be-a-scalar']
    """
    text = " ".join(text.split())
    scored = [(likeness(row["message"], text), row) for row in table()]
    if any(score for score, _ in scored):
        ordered = sorted(scored, key=lambda pair: -pair[0])
        return [row for score, row in ordered if score]
    return [row for row in table() if text.lower() in f"{row['message']} {row['section']}".lower()]


def main(arguments=None):
    """Show the rows that explain a message; return 1 if there is none."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("text", nargs="+", metavar="MESSAGE", help="- reads standard input")
    words = parser.parse_args(arguments).text
    text = sys.stdin.read() if words == ["-"] else " ".join(words)
    if len(text.strip()) < 4:
        parser.exit(2, f"{text.strip()!r}: give a longer part of the message\n")
    rows = find(text)[:SHOWN]
    if not rows:
        print("no row has such a message; give the line that begins with the name of the error")
        return 1
    for row in rows:
        print(f"{row['message']}\n  cause: {row['cause']}\n  fix:   {row['fix']}")
        print(f"  page:  {row['page']}.html#{row['section']}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
