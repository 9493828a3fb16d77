"""A small transformer that learns the sentences of three grammars, byte by byte.

It trains on sentences in English, Japanese and Korean whose entropy is known, and prints its loss
on sentences that it has not read, samples, and how many of them are in the grammar. With
``--prompt``, it completes a beginning of yours.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["flax", "jax", "matplotlib", "optax"]
# ///

import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from flax import nnx
from matplotlib.figure import Figure

Params = Any
Cache = list[tuple[jax.Array, jax.Array]]

LENGTH = 57  # a start, at most 55 bytes and a newline
STEPS = 400
optimizer = optax.adamw(optax.warmup_cosine_decay_schedule(0.0, 1e-2, 50, STEPS), b2=0.98)


def english() -> Iterator[str]:
    """Write all 2048 English sentences, in which noun and verb agree with the first word."""
    looks = ["small", "big", "old", "young", "happy", "tired", "quiet", "hungry"]
    nouns = ["dog", "cat", "bird", "horse", "goat", "duck", "boy", "girl"]
    places = ["by the river", "in the park", "near the houses", "under the trees"]
    verbs = ["eat", "play", "rest", "sleep"]
    for look, noun, s, place, verb in itertools.product(looks, nouns, ("", "s"), places, verbs):
        yield f"{'These' if s else 'This'} {look} {noun}{s} {place} {verb}{'' if s else 's'}."


def japanese() -> Iterator[str]:
    """Write all 2048 Japanese sentences, in which the verb agrees with the noun and the time."""
    times = ["今", "今朝", "昨日", "昨夜"]
    places = ["公園", "庭", "駅前", "海辺", "店の前", "門の前", "橋の下", "木の下"]
    looks = ["大きな", "小さな", "白い", "黒い", "変な", "珍しい", "美しい", "茶色い"]
    animals, things = ["犬", "猫", "鳥", "うさぎ"], ["車", "箱", "石", "自転車"]
    for time, place, look, noun in itertools.product(times, places, looks, animals + things):
        now, past = ("いる", "いた") if noun in animals else ("ある", "あった")
        yield f"{time}、{place}に{look}{noun}が{now if time == '今' else past}。"


def korean() -> Iterator[str]:
    """Write all 2048 Korean sentences, in which particles and verb agree with what is before."""
    times = ["지금", "매일", "어제", "방금"]
    people = ["아이", "친구", "누나", "소녀", "동생", "형", "학생", "삼촌"]
    places = ["집", "공원", "학교", "식당", "부엌", "거실", "마당", "교실"]
    objects = ["빵", "사과", "물", "우유", "책", "편지", "노래", "그림"]
    present = ["먹는다", "먹는다", "마신다", "마신다", "읽는다", "쓴다", "부른다", "그린다"]
    past = ["먹었다", "먹었다", "마셨다", "마셨다", "읽었다", "썼다", "불렀다", "그렸다"]
    acts = list(zip(objects, present, past, strict=True))
    for time, who, place, (what, now, then) in itertools.product(times, people, places, acts):
        # the code of a syllable shows whether it ends in a consonant
        subject, target = ((ord(noun[-1]) - ord("가")) % 28 > 0 for noun in (who, what))
        yield (
            f"{time} {who}{'이' if subject else '가'} {place}에서 "
            f"{what}{'을' if target else '를'} {now if time in times[:2] else then}."
        )


def encode(texts: Sequence[str], end: str = "\n") -> np.ndarray:
    """Write texts into rows of LENGTH bytes, after a zero and filled up with zeros.

    Args:
        texts: Of at most 55 bytes of UTF-8 each; a longer one raises a ValueError.
        end: A newline after a whole sentence, nothing after one to complete.

    Returns:
        Shape (number of texts, LENGTH), int32.

    >>> encode(["On"])[0, :5].tolist(), decode(encode(["犬が"])[0])
    ([0, 79, 110, 10, 0], '犬が')
    """
    rows = np.zeros((len(texts), LENGTH), np.int32)
    for row, text in zip(rows, texts, strict=True):
        data = (text + end).encode()
        row[1 : len(data) + 1] = list(data)
    return rows


def decode(row: np.ndarray | jax.Array) -> str:
    """Read a row up to its newline; what is not UTF-8 becomes U+FFFD."""
    return bytes(np.uint8(row[1:])).split(b"\n")[0].rstrip(b"\0").decode(errors="replace")


class Block(nnx.Module):
    """Causal attention and a feed-forward network, each added to its input."""

    def __init__(self, width: int, heads: int, *, rngs: nnx.Rngs) -> None:
        self.heads = heads
        self.norm1 = nnx.LayerNorm(width, rngs=rngs)
        self.project_in = nnx.Linear(width, 3 * width, rngs=rngs)
        self.project_out = nnx.Linear(width, width, rngs=rngs)
        self.norm2 = nnx.LayerNorm(width, rngs=rngs)
        self.up = nnx.Linear(width, 4 * width, rngs=rngs)
        self.down = nnx.Linear(4 * width, width, rngs=rngs)

    def project(self, x: jax.Array) -> list[jax.Array]:
        """Compute queries, keys and values of shape (batch, positions, heads, width / heads)."""
        x = self.project_in(self.norm1(x))
        return jnp.split(x.reshape(*x.shape[:-1], self.heads, -1), 3, axis=-1)

    def finish(self, x: jax.Array, attended: jax.Array) -> jax.Array:
        """Add what attention collected, then the feed-forward network."""
        x = x + self.project_out(attended.reshape(x.shape))
        return x + self.down(nnx.relu(self.up(self.norm2(x))))

    def __call__(self, x: jax.Array, causal: bool = True) -> jax.Array:
        """Apply the block to all positions."""
        query, key, value = self.project(x)
        attended = jax.nn.dot_product_attention(query, key, value, is_causal=causal)
        return self.finish(x, attended)


class Model(nnx.Module):
    """A transformer over bytes."""

    def __init__(self, width: int = 64, heads: int = 2, layers: int = 2, *, rngs: nnx.Rngs) -> None:
        self.embed = nnx.Embed(256, width, rngs=rngs)
        self.positions = nnx.Embed(LENGTH, width, rngs=rngs)
        self.blocks = nnx.List([Block(width, heads, rngs=rngs) for _ in range(layers)])
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.logits = nnx.Linear(width, 256, rngs=rngs)

    def __call__(self, tokens: jax.Array, causal: bool = True) -> jax.Array:
        """Compute logits (batch, positions, 256) of the byte after each of tokens."""
        x = self.embed(tokens) + self.positions(jnp.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x, causal)
        return self.logits(self.norm(x))


@jax.jit
def create(key: jax.Array) -> tuple[Any, Params]:
    """Make a model with random parameters; return its structure and the parameters."""
    return nnx.split(Model(rngs=nnx.Rngs(key)))


graphdef, _ = jax.eval_shape(create, jax.random.key(0))


@functools.partial(jax.jit, static_argnames="causal")
def predict(params: Params, tokens: jax.Array, causal: bool = True) -> jax.Array:
    """Compute the logits of a model with these parameters."""
    return nnx.merge(graphdef, params)(tokens, causal)  # type: ignore[no-any-return]


@functools.partial(jax.jit, static_argnames="causal")
def bits(params: Params, rows: jax.Array, causal: bool = True) -> jax.Array:
    """Average the cross-entropy of the next byte, in bits, without the padding."""
    inputs, targets = rows[:, :-1], rows[:, 1:]
    logits = predict(params, inputs, causal)
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, targets)
    return losses.mean(where=targets > 0) / jnp.log(2)  # type: ignore[no-any-return]


@functools.partial(jax.jit, static_argnames="causal")
def train_chunk(carry: Any, rows: jax.Array, keys: jax.Array, causal: bool) -> Any:
    """Take one step of AdamW for each key."""

    def step(carry: Any, key: jax.Array) -> Any:
        params, opt_state = carry
        batch = jax.random.choice(key, rows, (16,))
        value, grads = jax.value_and_grad(bits)(params, batch, causal=causal)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return (optax.apply_updates(params, updates), opt_state), value

    return jax.lax.scan(step, carry, keys)


def train(
    rows: jax.Array, held_out: jax.Array, seed: int, steps: int = STEPS, causal: bool = True
) -> tuple[Params, np.ndarray]:
    """Train a new model.

    Args:
        rows: Sentences, shape (n, LENGTH), int32.
        held_out: Sentences to measure the loss on.
        seed: Gives the parameters and the batches.
        steps: At most STEPS, after which the learning rate is zero; rounded down to a multiple
            of 50.
        causal: Without the mask, the model reads the bytes that it has to predict.

    Returns:
        The parameters, and the loss on ``held_out`` after every 50 steps, in bits per byte.

    Source:
        Vaswani et al. (2017), https://arxiv.org/abs/1706.03762, with the normalization before
        each branch.
    """
    _, params = create(jax.random.key(seed))
    carry, history = (params, jax.jit(optimizer.init)(params)), []
    for keys in jax.random.split(jax.random.key(1000 + seed), (steps // 50, 50)):
        carry, _ = train_chunk(carry, rows, keys, causal)
        history.append(bits(carry[0], held_out, causal=causal))
    return carry[0], np.array(history)


def write_next(
    key: jax.Array, rows: jax.Array, position: Any, logits: jax.Array, temperature: Any
) -> jax.Array:
    """Draw the byte after position of each row, where it is still zero."""
    drawn = jax.random.categorical(key, logits / temperature)
    present = rows[:, position + 1]
    return rows.at[:, position + 1].set(jnp.where(present > 0, present, drawn))


def new_cache(model: Model, batch: int) -> Cache:
    """Make room for the keys and values of all positions, for each block."""
    heads, width = model.blocks[0].heads, model.embed.features
    room = jnp.zeros((batch, LENGTH, heads, width // heads))
    return [(room, room) for _ in model.blocks]


def cached_logits(
    model: Model, tokens: jax.Array, position: jax.Array, cache: Cache
) -> tuple[jax.Array, Cache]:
    """Compute the logits (batch, 256) after one more byte of each row, and the new cache."""
    x = model.embed(tokens)[:, None] + model.positions(position)
    seen, new = jnp.full(len(tokens), position + 1), []
    for block, (keys, values) in zip(model.blocks, cache, strict=True):
        query, key, value = block.project(x)
        keys = keys.at[:, position].set(key[:, 0])
        values = values.at[:, position].set(value[:, 0])
        x = block.finish(
            x, jax.nn.dot_product_attention(query, keys, values, key_value_seq_lengths=seen)
        )
        new.append((keys, values))
    return model.logits(model.norm(x))[:, 0], new


@jax.jit
def sample_cached(
    params: Params, rows: jax.Array, key: jax.Array, temperature: Any
) -> tuple[jax.Array, jax.Array]:
    """Write sentences, or complete their beginnings, with a key-value cache.

    Args:
        params: From `train`.
        rows: From `encode` with ``end=""``, or zeros; shape (batch, LENGTH), int32.
        key: For the draws.
        temperature: Divides the logits.

    Returns:
        The rows, and the logits of each position, shape (batch, LENGTH - 1, 256).
    """
    model = nnx.merge(graphdef, params)

    def step(carry: Any, now: Any) -> Any:
        (rows, cache), (position, key) = carry, now
        logits, cache = cached_logits(model, rows[:, position], position, cache)
        return (write_next(key, rows, position, logits, temperature), cache), logits

    now = jnp.arange(LENGTH - 1), jax.random.split(key, LENGTH - 1)
    (rows, _), logits = jax.lax.scan(step, (rows, new_cache(model, len(rows))), now)
    return rows, logits.swapaxes(0, 1)


def draw(history: np.ndarray, entropy: float) -> Figure:
    """Draw the held-out loss over the steps, and the entropy as a dashed line."""
    figure = Figure(figsize=(6, 3.4), layout="constrained")
    ax = figure.subplots()
    ax.semilogy(50 * np.arange(1, len(history) + 1), history, "o-", label="held out")
    ax.axhline(entropy, ls="--", color="0.4", label="grammar")
    ax.set(xlabel="step", ylabel="bits per byte")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train a model and print what it writes."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    steps = f"a multiple of 50; {DEFAULT}"
    add("--steps", type=whole_number(50, STEPS), default=STEPS, metavar="N", help=steps)
    add("--seed", type=whole_number(0, 10**6), default=0, metavar="N", help=DEFAULT)
    add("--samples", type=whole_number(1, 1000), default=100, metavar="N", help=DEFAULT)
    add("--temperature", type=real_number(0.01, 10), default=1.0, metavar="T", help=DEFAULT)
    add("--prompt", default="", metavar="TEXT", help="how every sentence begins")
    add("--plot", type=picture_file, metavar="FILE", help="draw the loss into FILE")
    options = parser.parse_args(arguments)
    if options.steps % 50:
        parser.error(f"--steps {options.steps}: give a multiple of 50")
    if len(options.prompt.encode()) > LENGTH - 2:
        parser.error(f"--prompt: give at most {LENGTH - 2} bytes")

    sentences = [*english(), *japanese(), *korean()]
    rows = jnp.asarray(encode(sentences)[np.random.default_rng(0).permutation(len(sentences))])
    held_out, train_rows = rows[:512], rows[512:]
    entropy = float(512 * np.log2(len(sentences)) / (held_out > 0).sum())
    params, history = train(train_rows, held_out, options.seed, options.steps)
    if options.plot:
        save(draw(history, entropy), options.plot, parser)
    print(f"bits per byte: {history[-1]:.3f} held out, {entropy:.3f} at best")

    prompts = jnp.asarray(encode([options.prompt] * options.samples, end=""))
    key = jax.random.key(2000 + options.seed)
    written, _ = sample_cached(params, prompts, key, options.temperature)
    texts, grammar = [decode(row) for row in np.asarray(written)], set(sentences)
    print(*texts[:10], sep="\n")
    print(f"{sum(text in grammar for text in texts)} of {len(texts)} in the grammar")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
