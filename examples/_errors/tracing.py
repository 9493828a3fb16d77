"""Errors while JAX traces a function, each with the form that works.

Inside a traced function an argument is a tracer: it has a shape and a dtype, and no value.
"""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

# Python asks for a value.


def branch_on_value() -> Any:
    """Choose with ``if`` by a traced value.

    Raises:
        TracerBoolConversionError: ``if`` asks a tracer for true or false.
    """

    @jax.jit
    def absolute(x: Any) -> Any:
        if x < 0:
            return -x
        return x

    return absolute(-2.0)


def branch_on_value_fixed() -> Any:
    """Choose with ``jnp.where``.

    >>> print(branch_on_value_fixed())
    2.0
    """

    @jax.jit
    def absolute(x: Any) -> Any:
        return jnp.where(x < 0, -x, x)

    return absolute(-2.0)


def loop_on_value() -> Any:
    """Repeat with ``while`` until a traced value is small.

    Raises:
        TracerBoolConversionError: ``while`` asks a tracer for true or false.
    """

    @jax.jit
    def reduce(x: Any) -> Any:
        while x > 1:
            x = x / 2
        return x

    return reduce(10.0)


def loop_on_value_fixed() -> Any:
    """Repeat with ``jax.lax.while_loop``.

    >>> print(loop_on_value_fixed())
    0.625
    """

    def large(x: Any) -> Any:
        return x > 1

    def halve(x: Any) -> Any:
        return x / 2

    return jax.lax.while_loop(large, halve, 10.0)


def and_between_values() -> Any:
    """Join two conditions with ``and``.

    Raises:
        TracerBoolConversionError: ``and`` asks a tracer for true or false.
    """

    @jax.jit
    def inside(x: Any) -> Any:
        return x > 0 and x < 1

    return inside(0.5)


def and_between_values_fixed() -> Any:
    """Join two conditions with ``&``.

    >>> print(and_between_values_fixed())
    True
    """

    @jax.jit
    def inside(x: Any) -> Any:
        return (x > 0) & (x < 1)

    return inside(0.5)


def numpy_function() -> Any:
    """Call a function of NumPy.

    Raises:
        TracerArrayConversionError: NumPy asks a tracer for an array.
    """

    @jax.jit
    def wave(x: Any) -> Any:
        return 2 * np.sin(x)

    return wave(jnp.zeros(3))


def numpy_function_fixed() -> Any:
    """Call the function of ``jax.numpy``.

    >>> numpy_function_fixed().tolist()
    [0.0, 0.0, 0.0]
    """

    @jax.jit
    def wave(x: Any) -> Any:
        return 2 * jnp.sin(x)

    return wave(jnp.zeros(3))


def numpy_assignment() -> Any:
    """Assign a traced value to an element of an array of NumPy.

    Raises:
        ValueError: NumPy needs a number.
    """

    @jax.jit
    def second(x: Any) -> Any:
        result = np.zeros(3)
        result[1] = x
        return result

    return second(5.0)


def numpy_assignment_fixed() -> Any:
    """Make a new array with ``.at[].set``.

    >>> numpy_assignment_fixed().tolist()
    [0.0, 5.0, 0.0]
    """

    @jax.jit
    def second(x: Any) -> Any:
        return jnp.zeros(3).at[1].set(x)

    return second(5.0)


def list_index() -> Any:
    """Take an element of a list at a traced index.

    Raises:
        TracerIntegerConversionError: The list asks a tracer for an integer.
    """
    prices = [10.0, 20.0, 30.0]

    @jax.jit
    def price(i: Any) -> Any:
        return prices[i]

    return price(2)


def list_index_fixed() -> Any:
    """Take an element of an array.

    >>> print(list_index_fixed())
    30.0
    """
    prices = jnp.array([10.0, 20.0, 30.0])

    @jax.jit
    def price(i: Any) -> Any:
        return prices[i]

    return price(2)


def range_of_argument() -> Any:
    """Count to a traced number with ``range``.

    Raises:
        TracerIntegerConversionError: ``range`` asks a tracer for an integer.
    """

    @jax.jit
    def squares(n: Any) -> Any:
        return sum(k**2 for k in range(n))

    return squares(4)


def range_of_argument_fixed() -> Any:
    """Count with ``jax.lax.fori_loop``.

    >>> print(range_of_argument_fixed())
    14
    """

    @jax.jit
    def squares(n: Any) -> Any:
        def add(k: Any, total: Any) -> Any:
            return total + k**2

        return jax.lax.fori_loop(0, n, add, 0)

    return squares(4)


def number_from_tracer() -> Any:
    """Convert a traced value to a number of Python.

    Raises:
        ConcretizationTypeError: ``float`` asks a tracer for a number.
    """

    @jax.jit
    def half(x: Any) -> Any:
        return float(x) / 2

    return half(3.0)


def number_from_tracer_fixed() -> Any:
    """Convert outside of the traced function.

    >>> number_from_tracer_fixed()
    1.5
    """

    @jax.jit
    def half(x: Any) -> Any:
        return x / 2

    return float(half(3.0))


def formatted_tracer() -> Any:
    """Print a traced value with two decimals.

    Raises:
        TypeError: A tracer has no decimals.
    """

    @jax.jit
    def double(x: Any) -> Any:
        print(f"x = {x:.2f}")
        return 2 * x

    return double(3.0)


def formatted_tracer_fixed() -> Any:
    """Print with ``jax.debug.print``.

    >>> print(formatted_tracer_fixed())
    x = 3.00
    6.0
    """

    @jax.jit
    def double(x: Any) -> Any:
        jax.debug.print("x = {x:.2f}", x=x)
        return 2 * x

    result = double(3.0)
    jax.effects_barrier()  # type: ignore[no-untyped-call]
    return result


def dictionary_key() -> Any:
    """Look a traced value up in a dictionary.

    Raises:
        TypeError: A tracer has no hash.
    """
    prices = {1: 10.0, 5: 40.0}

    @jax.jit
    def price(n: Any) -> Any:
        return prices[n]

    return price(5)


def dictionary_key_fixed() -> Any:
    """Look a static value up.

    >>> print(dictionary_key_fixed())
    40.0
    """
    prices = {1: 10.0, 5: 40.0}

    @jax.jit(static_argnames="n")
    def price(n: Any) -> Any:
        return prices[n]

    return price(5)


# A shape depends on a value.


def boolean_mask() -> Any:
    """Select elements with a traced mask.

    Raises:
        NonConcreteBooleanIndexError: The number of selected elements is unknown.
    """

    @jax.jit
    def large(x: Any) -> Any:
        return x[x > 1].sum()

    return large(jnp.arange(4.0))


def boolean_mask_fixed() -> Any:
    """Replace the other elements with ``jnp.where``.

    >>> print(boolean_mask_fixed())
    5.0
    """

    @jax.jit
    def large(x: Any) -> Any:
        return jnp.where(x > 1, x, 0).sum()

    return large(jnp.arange(4.0))


def unknown_count() -> Any:
    """Find the positions of the elements that are not 0.

    Raises:
        ConcretizationTypeError: The number of positions is unknown.
    """

    @jax.jit
    def positions(x: Any) -> Any:
        return jnp.flatnonzero(x)

    return positions(jnp.array([0, 3, 0, 4]))


def unknown_count_fixed() -> Any:
    """Give the largest number of positions, and what fills the rest.

    >>> unknown_count_fixed().tolist()
    [1, 3, -1]
    """

    @jax.jit
    def positions(x: Any) -> Any:
        return jnp.flatnonzero(x, size=3, fill_value=-1)

    return positions(jnp.array([0, 3, 0, 4]))


def arange_of_argument() -> Any:
    """Count to a traced number with ``jnp.arange``.

    Raises:
        ConcretizationTypeError: The length of the result is unknown.
    """

    @jax.jit
    def squares(n: Any) -> Any:
        return jnp.arange(n) ** 2

    return squares(4)


def arange_of_argument_fixed() -> Any:
    """Make the number static.

    >>> arange_of_argument_fixed().tolist()
    [0, 1, 4, 9]
    """

    @jax.jit(static_argnames="n")
    def squares(n: Any) -> Any:
        return jnp.arange(n) ** 2

    return squares(4)


def shape_from_argument() -> Any:
    """Make an array whose length is traced.

    Raises:
        TypeError: A shape needs integers that are known.
    """

    @jax.jit
    def pad(x: Any, n: Any) -> Any:
        return jnp.append(x, jnp.zeros(n))

    return pad(jnp.ones(2), 3)


def shape_from_argument_fixed() -> Any:
    """Make the length static.

    >>> shape_from_argument_fixed().tolist()
    [1.0, 1.0, 0.0, 0.0, 0.0]
    """

    @jax.jit(static_argnames="n")
    def pad(x: Any, n: Any) -> Any:
        return jnp.append(x, jnp.zeros(n))

    return pad(jnp.ones(2), 3)


def slice_to_argument() -> Any:
    """Take as many elements as a traced number says.

    Raises:
        IndexError: The length of the slice is unknown.
    """

    @jax.jit
    def first(x: Any, n: Any) -> Any:
        return x[:n].sum()

    return first(jnp.arange(4.0), 3)


def slice_to_argument_fixed() -> Any:
    """Replace the other elements with ``jnp.where``.

    >>> print(slice_to_argument_fixed())
    3.0
    """

    @jax.jit
    def first(x: Any, n: Any) -> Any:
        inside = jnp.arange(x.size) < n
        return jnp.where(inside, x, 0).sum()

    return first(jnp.arange(4.0), 3)


def slice_from_argument() -> Any:
    """Take two elements from a traced position on.

    Raises:
        IndexError: The ends of the slice are unknown.
    """

    @jax.jit
    def window(x: Any, i: Any) -> Any:
        return x[i : i + 2]

    return window(jnp.arange(4.0), 1)


def slice_from_argument_fixed() -> Any:
    """Say how many elements, with ``jax.lax.dynamic_slice_in_dim``.

    >>> slice_from_argument_fixed().tolist()
    [1.0, 2.0]
    """

    @jax.jit
    def window(x: Any, i: Any) -> Any:
        return jax.lax.dynamic_slice_in_dim(x, i, 2)

    return window(jnp.arange(4.0), 1)


# Static arguments.


def list_as_static() -> Any:
    """Give a list as a static argument.

    Raises:
        ValueError: A list has no hash.
    """

    @jax.jit(static_argnames="axes")
    def total(x: Any, axes: Any) -> Any:
        return x.sum(axes)

    return total(jnp.ones((2, 3)), [0, 1])


def list_as_static_fixed() -> Any:
    """Give a tuple.

    >>> print(list_as_static_fixed())
    6.0
    """

    @jax.jit(static_argnames="axes")
    def total(x: Any, axes: Any) -> Any:
        return x.sum(axes)

    return total(jnp.ones((2, 3)), (0, 1))


def array_as_static() -> Any:
    """Make an array a static argument.

    Raises:
        ValueError: An array has no hash.
    """

    @jax.jit(static_argnums=1)
    def scale(x: Any, weight: Any) -> Any:
        return x * weight

    return scale(2.0, jnp.arange(3.0))


def array_as_static_fixed() -> Any:
    """Let the array be traced.

    >>> array_as_static_fixed().tolist()
    [0.0, 2.0, 4.0]
    """

    @jax.jit
    def scale(x: Any, weight: Any) -> Any:
        return x * weight

    return scale(2.0, jnp.arange(3.0))


def static_number() -> Any:
    """Count the arguments from 1.

    Raises:
        ValueError: There is no such argument.
    """

    @jax.jit(static_argnums=2)
    def power(x: Any, n: Any) -> Any:
        return x**n

    return power(2.0, 3)


def static_number_fixed() -> Any:
    """Count the arguments from 0.

    >>> print(static_number_fixed())
    8.0
    """

    @jax.jit(static_argnums=1)
    def power(x: Any, n: Any) -> Any:
        return x**n

    return power(2.0, 3)


def static_name() -> Any:
    """Name an argument that the function does not have.

    Raises:
        ValueError: There is no such argument.
    """

    @jax.jit(static_argnames="exponent")
    def power(x: Any, n: Any) -> Any:
        return x**n

    return power(2.0, 3)


def static_name_fixed() -> Any:
    """Use the name in the function's definition.

    >>> print(static_name_fixed())
    8.0
    """

    @jax.jit(static_argnames="n")
    def power(x: Any, n: Any) -> Any:
        return x**n

    return power(2.0, 3)


# Loops and branches of jax.lax.


def carry_dtype() -> Any:
    """Begin a sum of floats with an integer.

    Raises:
        TypeError: The carry changes its dtype.
    """

    def add(total: Any, value: Any) -> Any:
        return total + value, None

    x = jnp.arange(4.0)
    return jax.lax.scan(add, jnp.int32(0), x)[0]


def carry_dtype_fixed() -> Any:
    """Begin with a float.

    >>> print(carry_dtype_fixed())
    6.0
    """

    def add(total: Any, value: Any) -> Any:
        return total + value, None

    x = jnp.arange(4.0)
    return jax.lax.scan(add, jnp.float32(0), x)[0]


def carry_shape() -> Any:
    """Let the carry grow.

    Raises:
        TypeError: The carry changes its shape.
    """

    def collect(kept: Any, value: Any) -> Any:
        return jnp.append(kept, value**2), None

    x = jnp.arange(4.0)
    return jax.lax.scan(collect, jnp.zeros(0), x)[0]


def carry_shape_fixed() -> Any:
    """Return each value as an output, which ``scan`` stacks.

    >>> carry_shape_fixed().tolist()
    [0.0, 1.0, 4.0, 9.0]
    """

    def collect(carry: Any, value: Any) -> Any:
        return carry, value**2

    x = jnp.arange(4.0)
    return jax.lax.scan(collect, None, x)[1]


def body_without_return() -> Any:
    """Forget to return the carry.

    Raises:
        TypeError: The carry becomes None.
    """

    def add(i: Any, total: Any) -> Any:
        total += i

    return jax.lax.fori_loop(0, 4, add, 0)


def body_without_return_fixed() -> Any:
    """Return the carry.

    >>> print(body_without_return_fixed())
    6
    """

    def add(i: Any, total: Any) -> Any:
        return total + i

    return jax.lax.fori_loop(0, 4, add, 0)


def body_without_pair() -> Any:
    """Return only the carry from the body of ``scan``.

    Raises:
        TypeError: The body must return a pair.
    """

    def add(total: Any, value: Any) -> Any:
        return total + value

    x = jnp.arange(4.0)
    return jax.lax.scan(add, 0.0, x)[0]


def body_without_pair_fixed() -> Any:
    """Return the carry and an output, here none.

    >>> print(body_without_pair_fixed())
    6.0
    """

    def add(total: Any, value: Any) -> Any:
        return total + value, None

    x = jnp.arange(4.0)
    return jax.lax.scan(add, 0.0, x)[0]


def branch_dtypes() -> Any:
    """Return a float from one branch and an integer from the other.

    Raises:
        TypeError: The branches differ in their dtypes.
    """

    def keep(x: Any) -> Any:
        return x

    def zero(x: Any) -> Any:
        return 0

    return jax.lax.cond(False, keep, zero, 2.0)


def branch_dtypes_fixed() -> Any:
    """Return floats from both branches.

    >>> print(branch_dtypes_fixed())
    0.0
    """

    def keep(x: Any) -> Any:
        return x

    def zero(x: Any) -> Any:
        return 0.0

    return jax.lax.cond(False, keep, zero, 2.0)


def branch_structures() -> Any:
    """Return a pair from one branch and one value from the other.

    Raises:
        TypeError: The branches differ in their structures.
    """

    def halve(x: Any) -> Any:
        return x / 2, True

    def keep(x: Any) -> Any:
        return x

    return jax.lax.cond(True, halve, keep, 4.0)


def branch_structures_fixed() -> Any:
    """Return pairs from both branches.

    >>> [value.item() for value in branch_structures_fixed()]
    [2.0, True]
    """

    def halve(x: Any) -> Any:
        return x / 2, True

    def keep(x: Any) -> Any:
        return x, False

    return jax.lax.cond(True, halve, keep, 4.0)


def array_as_condition() -> Any:
    """Give ``jax.lax.cond`` a condition for each element.

    Raises:
        TypeError: The condition must be one value.
    """
    x = jnp.array([-1.0, 2.0])
    return jax.lax.cond(x > 0, jnp.square, jnp.abs, x)


def array_as_condition_fixed() -> Any:
    """Choose element by element with ``jnp.where``.

    >>> array_as_condition_fixed().tolist()
    [1.0, 4.0]
    """
    x = jnp.array([-1.0, 2.0])
    return jnp.where(x > 0, jnp.square(x), jnp.abs(x))


# What goes in, and what comes out.


def text_argument() -> Any:
    """Give a text to a traced function.

    Raises:
        TypeError: A text is no array.
    """

    @jax.jit
    def apply(x: Any, name: Any) -> Any:
        if name == "root":
            return jnp.sqrt(x)
        return x

    return apply(9.0, "root")


def text_argument_fixed() -> Any:
    """Make the text static.

    >>> print(text_argument_fixed())
    3.0
    """

    @jax.jit(static_argnames="name")
    def apply(x: Any, name: Any) -> Any:
        if name == "root":
            return jnp.sqrt(x)
        return x

    return apply(9.0, "root")


def text_result() -> Any:
    """Return a text from a traced function.

    Raises:
        TypeError: A text is no array.
    """

    @jax.jit
    def square(x: Any) -> Any:
        return {"unit": "m2", "value": x**2}

    return square(3.0)


def text_result_fixed() -> Any:
    """Return the array, and add the text outside.

    >>> text_result_fixed()["value"].item()
    9.0
    """

    @jax.jit
    def square(x: Any) -> Any:
        return x**2

    return {"unit": "m2", "value": square(3.0)}


def object_argument() -> Any:
    """Give an object of a class of your own to a traced function.

    Raises:
        TypeError: JAX does not know the class.
    """

    class Line:
        a, b = 2.0, 1.0

    @jax.jit
    def height(line: Any, x: Any) -> Any:
        return line.a * x + line.b

    return height(Line(), 3.0)


def object_argument_fixed() -> Any:
    """Use a named tuple, which JAX knows.

    >>> print(object_argument_fixed())
    7.0
    """

    class Line(NamedTuple):
        a: float = 2.0
        b: float = 1.0

    @jax.jit
    def height(line: Any, x: Any) -> Any:
        return line.a * x + line.b

    return height(Line(), 3.0)


def jit_on_method() -> Any:
    """Compile a method.

    Raises:
        TypeError: JAX does not know the class of ``self``.
    """

    class Scale:
        factor = 2.0

        @jax.jit
        def __call__(self, x: Any) -> Any:
            return self.factor * x

    return Scale()(3.0)


def jit_on_method_fixed() -> Any:
    """Register the class, as a dataclass.

    >>> print(jit_on_method_fixed())
    6.0
    """

    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Scale:
        factor: float

        @jax.jit
        def __call__(self, x: Any) -> Any:
            return self.factor * x

    return Scale(2.0)(3.0)


def called_too_early() -> Any:
    """Give ``jax.grad`` a result instead of a function.

    Raises:
        TypeError: A result cannot be called.
    """

    def cube(x: Any) -> Any:
        return x**3

    return jax.grad(cube(2.0))


def called_too_early_fixed() -> Any:
    """Give ``jax.grad`` the function, and call what it returns.

    >>> print(called_too_early_fixed())
    12.0
    """

    def cube(x: Any) -> Any:
        return x**3

    return jax.grad(cube)(2.0)


# A tracer leaves its function.


def kept_in_list() -> Any:
    """Keep a traced value in a list, and use it later.

    Raises:
        UnexpectedTracerError: The tracer is used after its function has ended.
    """
    kept = [0.0]

    @jax.jit
    def square(x: Any) -> Any:
        kept.append(2 * x)
        return x**2

    return square(3.0), kept[-1] + 1


def kept_in_list_fixed() -> Any:
    """Return both values.

    >>> [value.item() for value in kept_in_list_fixed()]
    [9.0, 7.0]
    """

    @jax.jit
    def square(x: Any) -> Any:
        return x**2, 2 * x

    value, kept = square(3.0)
    return value, kept + 1


def kept_in_attribute() -> Any:
    """Keep a traced value in an attribute, and use it later.

    Raises:
        UnexpectedTracerError: The tracer is used after its function has ended.
    """

    class Counter:
        count = 0

        def add(self, x: Any) -> Any:
            self.count += x

    counter = Counter()
    jax.jit(counter.add)(1)
    return counter.count + 1


def kept_in_attribute_fixed() -> Any:
    """Take the old state as an argument, and return the new one.

    >>> print(kept_in_attribute_fixed())
    2
    """

    @jax.jit
    def add(count: Any, x: Any) -> Any:
        return count + x

    return add(0, 1) + 1
