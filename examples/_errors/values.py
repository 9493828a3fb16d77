"""Errors and silent surprises that come from values, devices and settings.

Each function without arguments raises its error, or returns the surprising result where JAX raises
nothing. The function with ``_fixed`` after the same name returns what was meant. The messages are
those of JAX 0.10 and 0.12.

Source: JAX's own messages, its list of errors and its "sharp bits", run here.
"""

import json
import warnings
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

Parameters = dict[str, jax.Array]

# Arrays


def item_assignment() -> jax.Array:
    """Write into a JAX array as into a NumPy array.

    Raises:
        TypeError: Always: a JAX array never changes.
    """
    x = jnp.zeros(3)
    x[0] = 1.0
    return x


def item_assignment_fixed() -> jax.Array:
    """Make a new array of shape (3,) with another first element.

    >>> print(item_assignment_fixed())
    [1. 0. 0.]
    """
    x = jnp.zeros(3)
    return x.at[0].set(1.0)


def read_only_view() -> np.ndarray:
    """Write into what ``np.asarray`` makes of a JAX array.

    Raises:
        ValueError: Always: it may share the memory of the JAX array.
    """
    x = np.asarray(jnp.zeros(3))
    x[0] = 1.0
    return x


def read_only_view_fixed() -> np.ndarray:
    """Copy a JAX array to NumPy, shape (3,), and write into the copy.

    >>> print(read_only_view_fixed())
    [1. 0. 0.]
    """
    x = np.array(jnp.zeros(3))
    x[0] = 1.0
    return x


def list_argument() -> jax.Array:
    """Hand a list to a function of ``jnp``.

    Raises:
        TypeError: Always: such a function takes arrays and numbers.
    """
    return jnp.sum([1.0, 2.0])  # type: ignore[arg-type]


def list_argument_fixed() -> jax.Array:
    """Make an array of the list first.

    >>> print(list_argument_fixed())
    3.0
    """
    return jnp.sum(jnp.array([1.0, 2.0]))


def index_with_list() -> jax.Array:
    """Choose elements with a list.

    Raises:
        TypeError: Always: only tuples, arrays, slices and integers are indices.
    """
    x = jnp.arange(5.0)
    return x[[0, 2]]


def index_with_list_fixed() -> jax.Array:
    """Choose elements with an array; the result has shape (2,).

    >>> print(index_with_list_fixed())
    [0. 2.]
    """
    x = jnp.arange(5.0)
    return x[jnp.array([0, 2])]


def centred_rows() -> jax.Array:
    """Subtract the mean of each row, which has lost an axis.

    Raises:
        ValueError: Always: shapes (2, 3) and (2,) do not broadcast.
    """
    x = jnp.arange(6.0).reshape(2, 3)
    return x - x.mean(axis=1)


def centred_rows_fixed() -> jax.Array:
    """Keep the axis, so that shapes (2, 3) and (2, 1) meet.

    >>> print(centred_rows_fixed())
    [[-1.  0.  1.]
     [-1.  0.  1.]]
    """
    x = jnp.arange(6.0).reshape(2, 3)
    return x - x.mean(axis=1, keepdims=True)


def loss_of_all_pairs() -> jax.Array:
    """Compare predictions (3, 1) with targets (3,): nine differences, and no error.

    >>> print(round(loss_of_all_pairs().item(), 3))
    1.333
    """
    targets = jnp.array([1.0, 2.0, 3.0])
    predictions = targets[:, None]
    return jnp.mean((predictions - targets) ** 2)


def loss_of_all_pairs_fixed() -> jax.Array:
    """Remove the axis of length 1, so that three differences remain.

    >>> print(loss_of_all_pairs_fixed())
    0.0
    """
    targets = jnp.array([1.0, 2.0, 3.0])
    predictions = targets[:, None]
    return jnp.mean((predictions.squeeze(1) - targets) ** 2)


def matrix_product() -> jax.Array:
    """Multiply a matrix (2, 3) by a vector (2,).

    Raises:
        TypeError: Always: the inner dimensions 3 and 2 differ.
    """
    return jnp.ones((2, 3)) @ jnp.ones(2)


def matrix_product_fixed() -> jax.Array:
    """Multiply the transposed matrix (3, 2) by the vector; the result has shape (3,).

    >>> print(matrix_product_fixed())
    [2. 2. 2.]
    """
    return jnp.ones((2, 3)).T @ jnp.ones(2)


def index_outside() -> jax.Array:
    """Read one element too far: the last one comes back, and no error.

    >>> print(index_outside())
    4.0
    """
    return jnp.arange(5.0)[5]


def index_outside_fixed() -> jax.Array:
    """Read NaN where there is no element.

    >>> print(index_outside_fixed())
    nan
    """
    return jnp.arange(5.0).at[5].get(mode="fill")


def array_in_if() -> str:
    """Ask one question of three elements.

    Raises:
        ValueError: Always: three answers are no answer.
    """
    x = jnp.array([1.0, -1.0, 2.0])
    return "positive" if x > 0 else "mixed"


def array_in_if_fixed() -> str:
    """Say what one answer is made of.

    >>> array_in_if_fixed()
    'mixed'
    """
    x = jnp.array([1.0, -1.0, 2.0])
    return "positive" if jnp.all(x > 0) else "mixed"


def array_as_key() -> dict[Any, int]:
    """Count labels in a dictionary whose keys are arrays.

    Raises:
        TypeError: Always: an array has no hash.
    """
    counts = {}  # type: ignore[var-annotated]
    for label in jnp.array([1, 0, 1]):
        counts[label] = counts.get(label, 0) + 1
    return counts


def array_as_key_fixed() -> dict[Any, int]:
    """Count labels that are Python numbers.

    >>> array_as_key_fixed()
    {1: 2, 0: 1}
    """
    counts = {}  # type: ignore[var-annotated]
    for label in jnp.array([1, 0, 1]).tolist():
        counts[label] = counts.get(label, 0) + 1
    return counts


def array_in_json() -> str:
    """Write a loss into JSON.

    Raises:
        TypeError: Always: JSON knows no arrays.
    """
    return json.dumps({"loss": jnp.float32(0.5)})


def array_in_json_fixed() -> str:
    """Write a Python number into JSON.

    >>> array_in_json_fixed()
    '{"loss": 0.5}'
    """
    return json.dumps({"loss": jnp.float32(0.5).item()})


# Numbers


def float64_request() -> jax.Array:
    """Ask for float64, which JAX turns into float32 with a warning; here the warning is an error.

    Raises:
        UserWarning: Always.
    """
    with warnings.catch_warnings(action="error"):
        return jnp.array(1.1, dtype=jnp.float64)


def float64_request_fixed() -> jax.Array:
    """Switch 64-bit types on first.

    >>> print(float64_request_fixed().dtype)
    float64
    """
    with jax.enable_x64(True):
        return jnp.array(1.1, dtype=jnp.float64)


def long_number() -> jax.Array:
    """Turn an int64 of NumPy into a JAX array, which keeps 32 bits and says nothing.

    >>> print(long_number())
    5
    """
    return jnp.asarray(np.int64(2**40 + 5))


def long_number_fixed() -> jax.Array:
    """Keep 64 bits.

    >>> long_number_fixed().item() == 2**40 + 5
    True
    """
    with jax.enable_x64(True):
        return jnp.asarray(np.int64(2**40 + 5))


def large_constant() -> jax.Array:
    """Make an array of a Python integer that 32 bits cannot hold.

    Raises:
        OverflowError: Always.
    """
    return jnp.array(3_000_000_000)


def large_constant_fixed() -> jax.Array:
    """Choose a dtype that holds the number.

    >>> print(large_constant_fixed())
    3000000000
    """
    return jnp.array(3_000_000_000, dtype=jnp.uint32)


def bright_image() -> jax.Array:
    """Add two bytes: the sum starts again at 0 after 255.

    >>> print(bright_image())
    [144]
    """
    image = jnp.array([200], dtype=jnp.uint8)
    return image + image


def bright_image_fixed() -> jax.Array:
    """Calculate in float32.

    >>> print(bright_image_fixed())
    [400.]
    """
    image = jnp.array([200], dtype=jnp.uint8).astype(jnp.float32)
    return image + image


def factorial() -> jax.Array:
    """Multiply 1 to 13 in int32: the product is too large and wrong.

    >>> print(factorial())
    1932053504
    """
    return jnp.prod(jnp.arange(1, 14))


def factorial_fixed() -> jax.Array:
    """Multiply 1 to 13 in int64.

    >>> print(factorial_fixed())
    6227020800
    """
    with jax.enable_x64(True):
        return jnp.prod(jnp.arange(1, 14))


def integer_quotient() -> jax.Array:
    """Divide integers by 0: a number without meaning, and no error.

    >>> integer_quotient().dtype.name
    'int32'
    """
    return jnp.array([7, 8]) // jnp.array([0, 2])


def integer_quotient_fixed() -> jax.Array:
    """Say what stands for a quotient by 0; both have shape (2,).

    >>> print(integer_quotient_fixed())
    [0 4]
    """
    a, b = jnp.array([7, 8]), jnp.array([0, 2])
    return jnp.where(b == 0, 0, a // jnp.where(b == 0, 1, b))


def mixed_dtypes() -> jax.Array:
    """Multiply bfloat16 by a float32 of NumPy where promotion is forbidden.

    Raises:
        TypePromotionError: Always.
    """
    with jax.numpy_dtype_promotion("strict"):
        return jnp.ones(2, jnp.bfloat16) * np.float32(2)


def mixed_dtypes_fixed() -> jax.Array:
    """Multiply by a Python number, which takes the dtype of the array, shape (2,).

    >>> print(mixed_dtypes_fixed().dtype)
    bfloat16
    """
    with jax.numpy_dtype_promotion("strict"):
        return jnp.ones(2, jnp.bfloat16) * 2.0


def entropy() -> jax.Array:
    """Add up p log p where one p is 0, while JAX looks for NaN.

    Raises:
        FloatingPointError: Always; without ``jax.debug_nans`` the result is NaN.
    """
    p = jnp.array([1.0, 0.0])
    with jax.debug_nans(True):
        return -jnp.sum(p * jnp.log(p))


def entropy_fixed() -> jax.Array:
    """Take the logarithm of 1 where p is 0.

    >>> entropy_fixed() == 0
    Array(True, dtype=bool)
    """
    p = jnp.array([1.0, 0.0])
    with jax.debug_nans(True):
        return -jnp.sum(p * jnp.log(jnp.where(p > 0, p, 1.0)))


# Derivatives


def gradient_of_vector() -> jax.Array:
    """Ask for the gradient of three results.

    Raises:
        TypeError: Always: a gradient belongs to one number.
    """
    return jax.grad(jnp.square)(jnp.array([1.0, 2.0, 3.0]))  # type: ignore[no-any-return]


def gradient_of_vector_fixed() -> jax.Array:
    """Take the slope of each result by itself; the slopes have shape (3,).

    >>> print(gradient_of_vector_fixed())
    [2. 4. 6.]
    """
    return jax.vmap(jax.grad(jnp.square))(jnp.array([1.0, 2.0, 3.0]))  # type: ignore[no-any-return]


def gradient_at_integer() -> jax.Array:
    """Ask for a slope at the integer 3.

    Raises:
        TypeError: Always: integers have no neighbours.
    """
    return jax.grad(jnp.square)(3)  # type: ignore[no-any-return]


def gradient_at_integer_fixed() -> jax.Array:
    """Ask for a slope at 3.0.

    >>> print(gradient_at_integer_fixed())
    6.0
    """
    return jax.grad(jnp.square)(3.0)  # type: ignore[no-any-return]


def text_in_parameters() -> Any:
    """Keep the name of a function among the parameters.

    Raises:
        TypeError: Always: text is no array.
    """
    params = {"w": 2.0, "name": "tanh"}
    return jax.grad(lambda p: getattr(jnp, p["name"])(p["w"]))(params)


def text_in_parameters_fixed() -> Any:
    """Keep text outside of what is differentiated.

    >>> slope = text_in_parameters_fixed()["w"]
    >>> bool(jnp.isclose(slope, 1 - np.tanh(2.0) ** 2, rtol=1e-4))
    True
    """
    name, params = "tanh", {"w": 2.0}
    return jax.grad(lambda p: getattr(jnp, name)(p["w"]))(params)


def norm_at_zero() -> jax.Array:
    """Take the gradient of a length at the origin, where it has none: NaN.

    >>> print(norm_at_zero())
    [nan nan]
    """
    return jax.grad(jnp.linalg.norm)(jnp.zeros(2))  # type: ignore[no-any-return]


def norm_at_zero_fixed() -> jax.Array:
    """Round the tip of the cone off; the gradient has shape (2,).

    >>> print(norm_at_zero_fixed())
    [0. 0.]
    """
    return jax.grad(lambda x: jnp.sqrt(jnp.sum(x**2) + 1e-12))(jnp.zeros(2))  # type: ignore[no-any-return]


def slope_of_where() -> jax.Array:
    """Differentiate a choice whose other side has no slope: NaN.

    >>> print(slope_of_where())
    nan
    """

    def f(x: jax.Array) -> jax.Array:
        return jnp.where(x > 0, jnp.sqrt(x), 0.0)

    return jax.grad(f)(-1.0)  # type: ignore[no-any-return]


def slope_of_where_fixed() -> jax.Array:
    """Choose before the square root, too.

    >>> print(slope_of_where_fixed())
    0.0
    """

    def f(x: jax.Array) -> jax.Array:
        positive = jnp.where(x > 0, x, 1.0)
        return jnp.where(x > 0, jnp.sqrt(positive), 0.0)

    return jax.grad(f)(-1.0)  # type: ignore[no-any-return]


# Batches with vmap


def unequal_batches() -> jax.Array:
    """Map over three and over four vectors at once.

    Raises:
        ValueError: Always: the mapped axes have different sizes.
    """
    return jax.vmap(jnp.dot)(jnp.ones((3, 2)), jnp.ones((4, 2)))


def unequal_batches_fixed() -> jax.Array:
    """Map twice, for all pairs: the products have shape (3, 4).

    >>> unequal_batches_fixed().shape
    (3, 4)
    """
    with_each = jax.vmap(jnp.dot, in_axes=(None, 0))
    return jax.vmap(with_each, in_axes=(0, None))(jnp.ones((3, 2)), jnp.ones((4, 2)))


def number_as_batch() -> jax.Array:
    """Map over an argument that is one number.

    Raises:
        ValueError: Always: a number has no axis.
    """
    return jax.vmap(jnp.multiply)(jnp.arange(3.0), 2.0)


def number_as_batch_fixed() -> jax.Array:
    """Say that the number belongs to every element; the result has shape (3,).

    >>> print(number_as_batch_fixed())
    [0. 2. 4.]
    """
    return jax.vmap(jnp.multiply, in_axes=(0, None))(jnp.arange(3.0), 2.0)


# Random keys


def key_used_twice() -> tuple[jax.Array, jax.Array]:
    """Draw twice with one key, while JAX looks for such keys.

    Raises:
        KeyReuseError: Always; without ``jax.debug_key_reuse`` both numbers are the same.
    """
    with jax.debug_key_reuse(True):
        key = jax.random.key(0)
        return jax.random.normal(key), jax.random.normal(key)


def key_used_twice_fixed() -> tuple[jax.Array, jax.Array]:
    """Draw with two keys.

    >>> one, two = key_used_twice_fixed()
    >>> bool(one == two)
    False
    """
    with jax.debug_key_reuse(True):
        one, two = jax.random.split(jax.random.key(0))
        return jax.random.normal(one), jax.random.normal(two)


def seed_as_key() -> jax.Array:
    """Draw with a seed instead of a key.

    Raises:
        TypeError: Always: a number is no key.
    """
    return jax.random.normal(0)


def seed_as_key_fixed() -> jax.Array:
    """Make a key from the seed.

    >>> seed_as_key_fixed().shape
    ()
    """
    return jax.random.normal(jax.random.key(0))


def many_keys() -> jax.Array:
    """Draw with an array of three keys.

    Raises:
        ValueError: Always: one call takes one key.
    """
    return jax.random.normal(jax.random.split(jax.random.key(0), 3))


def many_keys_fixed() -> jax.Array:
    """Draw once with each key; the numbers have shape (3,).

    >>> many_keys_fixed().shape
    (3,)
    """
    return jax.vmap(jax.random.normal)(jax.random.split(jax.random.key(0), 3))


def key_plus_one() -> jax.Array:
    """Count keys as if they were numbers.

    Raises:
        TypeError: Always: a key has no arithmetic.
    """
    return jax.random.key(0) + 1


def key_plus_one_fixed() -> jax.Array:
    """Derive a key from a key and a number.

    >>> bool(key_plus_one_fixed() == jax.random.key(0))
    False
    """
    return jax.random.fold_in(jax.random.key(0), 1)


def saved_key() -> np.ndarray:
    """Turn a key into a NumPy array, for a file.

    Raises:
        TypeError: Always: a key is more than its bits.
    """
    return np.asarray(jax.random.key(7))


def saved_key_fixed() -> jax.Array:
    """Keep the bits of a key, shape (2,) and uint32, and make a key of them again.

    >>> bool(saved_key_fixed() == jax.random.key(7))
    True
    """
    bits = np.asarray(jax.random.key_data(jax.random.key(7)))
    return jax.random.wrap_key_data(bits)  # type: ignore[arg-type,no-any-return]


def numpy_key() -> jax.Array:
    """Draw with the bits of a key as NumPy reads them from a list: int64.

    Raises:
        TypeError: Always: the bits of a key are uint32.
    """
    return jax.random.normal(np.array([0, 7]))


def numpy_key_fixed() -> jax.Array:
    """Make a key of the bits.

    >>> numpy_key_fixed() == jax.random.normal(jax.random.key(7))
    Array(True, dtype=bool)
    """
    bits = np.array([0, 7], dtype=np.uint32)
    return jax.random.normal(jax.random.wrap_key_data(bits))  # type: ignore[arg-type]


# Devices and memory


def deleted_array() -> list[float]:
    """Read an array after it was given away.

    Raises:
        RuntimeError: Always: its memory holds the result now.
    """
    double = jax.jit(lambda x: 2 * x, donate_argnums=0)
    x = jnp.ones(3)
    double(x)
    return x.tolist()


def deleted_array_fixed() -> list[float]:
    """Give the result the name of the array, shape (3,), that was given away.

    >>> deleted_array_fixed()
    [2.0, 2.0, 2.0]
    """
    double = jax.jit(lambda x: 2 * x, donate_argnums=0)
    x = jnp.ones(3)
    x = double(x)
    return x.tolist()  # type: ignore[no-any-return]


def sum_of_products() -> jax.Array:
    """Make a table of all products of 20,000,000 numbers: more than a petabyte.

    Raises:
        JaxRuntimeError: Always and at once, since no computer can address so much.
    """
    x = jnp.full(20_000_000, 0.5)
    table = (x[:, None] * x).block_until_ready()
    return jnp.sum(table)


def sum_of_products_fixed() -> jax.Array:
    """Calculate the same sum without the table.

    >>> bool(jnp.isclose(sum_of_products_fixed(), 1e14))
    True
    """
    x = jnp.full(20_000_000, 0.5)
    return jnp.sum(x) ** 2


def absent_backend() -> list[jax.Device]:
    """Ask for a kind of device that this computer does not have.

    Raises:
        RuntimeError: Always.
    """
    absent = "gpu" if jax.default_backend() != "gpu" else "tpu"
    return jax.devices(absent)


def absent_backend_fixed() -> list[jax.Device]:
    """Take a GPU if there is one, else what there is.

    >>> len(absent_backend_fixed()) > 0
    True
    """
    try:
        return jax.devices("gpu")
    except RuntimeError:
        return jax.devices()


# Trees


def update_of_a_part() -> Any:
    """Add trees with different names.

    Raises:
        ValueError: Always: every name must be in both trees.
    """
    params, update = {"w": 1.0, "b": 2.0}, {"w": 0.5}
    return jax.tree.map(jnp.add, params, update)


def update_of_a_part_fixed() -> Any:
    """Add 0 where nothing is to be added.

    >>> print(jax.tree.map(float, update_of_a_part_fixed()))
    {'b': 2.0, 'w': 1.5}
    """
    params, update = {"w": 1.0, "b": 2.0}, {"w": 0.5}
    zeros = jax.tree.map(jnp.zeros_like, params)
    return jax.tree.map(jnp.add, params, {**zeros, **update})


def tuple_from_json() -> Any:
    """Add a tuple and what JSON made of a tuple: a list.

    Raises:
        ValueError: Always: a tuple and a list are different trees.
    """
    params = (1.0, 2.0)
    loaded = json.loads(json.dumps(params))
    return jax.tree.map(jnp.add, params, loaded)


def tuple_from_json_fixed() -> Any:
    """Give the loaded leaves the structure of the parameters.

    >>> print(jax.tree.map(float, tuple_from_json_fixed()))
    (2.0, 4.0)
    """
    params = (1.0, 2.0)
    loaded = json.loads(json.dumps(params))
    same = jax.tree.unflatten(jax.tree.structure(params), jax.tree.leaves(loaded))
    return jax.tree.map(jnp.add, params, same)


def old_optimizer_state() -> Any:
    """Update more parameters than the state of the optimizer was made for.

    Raises:
        ValueError: Always: the state has an entry for each parameter.
    """
    optimizer, params = optax.adam(0.1), {"w": jnp.ones(2)}
    state = optimizer.init(params)
    params["b"] = jnp.ones(1)
    return optimizer.update(params, state)


def old_optimizer_state_fixed() -> Any:
    """Make the state for the parameters that are updated.

    >>> updates, state = old_optimizer_state_fixed()
    >>> sorted(updates)
    ['b', 'w']
    """
    optimizer, params = optax.adam(0.1), {"w": jnp.ones(2)}
    params["b"] = jnp.ones(1)
    state = optimizer.init(params)
    return optimizer.update(params, state)


def decay_without_parameters() -> Any:
    """Leave the parameters out where the optimizer shrinks them.

    Raises:
        ValueError: Always: weight decay needs the parameters.
    """
    params = {"w": jnp.ones(2)}
    optimizer = optax.adamw(0.1)
    return optimizer.update(params, optimizer.init(params))


def decay_without_parameters_fixed() -> Any:
    """Hand the parameters over as the third argument.

    >>> updates, state = decay_without_parameters_fixed()
    >>> print(bool(jnp.all(updates["w"] < 0)))
    True
    """
    params = {"w": jnp.ones(2)}
    optimizer = optax.adamw(0.1)
    return optimizer.update(params, optimizer.init(params), params)
