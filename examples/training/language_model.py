"""A small transformer that learns the sentences of three grammars, byte by byte.

English, Japanese and Korean sentences, whose entropy is known. You will see the loss on sentences
that it has not read approach that entropy, and what it writes by itself, with a key-value cache.
The network is a decoder with learned positions and the normalization before each branch, as GPT-2.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "flax>=0.12", "matplotlib", "optax"]
# ///

import itertools

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import optax
from flax import nnx

LENGTH = 57  # a start, at most 55 bytes and a newline
STEPS, CHUNK, BATCH = 400, 50, 16
HELD_OUT, SAMPLES, TEMPERATURE = 512, 100, 1.0
PROMPT = ""  # how every sentence begins

optimizer = optax.adamw(optax.warmup_cosine_decay_schedule(0.0, 1e-2, 50, STEPS), b2=0.98)


def english():
    """Write all 2048 English sentences, in which noun and verb agree with the first word."""
    looks = ["small", "big", "old", "young", "happy", "tired", "quiet", "hungry"]
    nouns = ["dog", "cat", "bird", "horse", "goat", "duck", "boy", "girl"]
    places = ["by the river", "in the park", "near the houses", "under the trees"]
    verbs = ["eat", "play", "rest", "sleep"]
    for look, noun, s, place, verb in itertools.product(looks, nouns, ("", "s"), places, verbs):
        yield f"{'These' if s else 'This'} {look} {noun}{s} {place} {verb}{'' if s else 's'}."


def japanese():
    """Write all 2048 Japanese sentences, in which the verb agrees with the noun and the time."""
    times = ["今", "今朝", "昨日", "昨夜"]
    places = ["公園", "庭", "駅前", "海辺", "店の前", "門の前", "橋の下", "木の下"]
    looks = ["大きな", "小さな", "白い", "黒い", "変な", "珍しい", "美しい", "茶色い"]
    animals, things = ["犬", "猫", "鳥", "うさぎ"], ["車", "箱", "石", "自転車"]
    for time, place, look, noun in itertools.product(times, places, looks, animals + things):
        now, past = ("いる", "いた") if noun in animals else ("ある", "あった")
        yield f"{time}、{place}に{look}{noun}が{now if time == '今' else past}。"


def korean():
    """Write all 2048 Korean sentences, in which particles and verb agree with what is before."""
    times = ["지금", "매일", "어제", "방금"]
    people = ["아이", "친구", "누나", "소녀", "동생", "형", "학생", "삼촌"]
    places = ["집", "공원", "학교", "식당", "부엌", "거실", "마당", "교실"]
    objects = ["빵", "사과", "물", "우유", "책", "편지", "노래", "그림"]
    present = ["먹는다", "먹는다", "마신다", "마신다", "읽는다", "쓴다", "부른다", "그린다"]
    past = ["먹었다", "먹었다", "마셨다", "마셨다", "읽었다", "썼다", "불렀다", "그렸다"]
    acts = list(zip(objects, present, past, strict=True))
    for time, who, place, (what, now, then) in itertools.product(times, people, places, acts):
        # The code of a syllable shows whether it ends in a consonant.
        subject, target = ((ord(noun[-1]) - ord("가")) % 28 > 0 for noun in (who, what))
        yield (
            f"{time} {who}{'이' if subject else '가'} {place}에서 "
            f"{what}{'을' if target else '를'} {now if time in times[:2] else then}."
        )


def encode(texts, end="\n"):
    """Write texts of at most 55 bytes into rows: a zero, the bytes, the end, zeros.

    >>> encode(["On"])[0, :5].tolist(), decode(encode(["犬が"])[0])
    ([0, 79, 110, 10, 0], '犬が')
    """
    rows = np.zeros((len(texts), LENGTH), np.int32)
    for row, text in zip(rows, texts, strict=True):
        data = (text + end).encode()
        row[1 : len(data) + 1] = list(data)
    return rows


def decode(row):
    """Read a row up to its newline; what is not UTF-8 becomes U+FFFD."""
    return bytes(np.uint8(row[1:])).split(b"\n")[0].rstrip(b"\0").decode(errors="replace")


class Block(nnx.Module):
    """Causal attention and a feed-forward network, each added to its input."""

    def __init__(self, width, heads, *, rngs):
        self.heads = heads
        self.norm1 = nnx.LayerNorm(width, rngs=rngs)
        self.project_in = nnx.Linear(width, 3 * width, rngs=rngs)
        self.project_out = nnx.Linear(width, width, rngs=rngs)
        self.norm2 = nnx.LayerNorm(width, rngs=rngs)
        self.up = nnx.Linear(width, 4 * width, rngs=rngs)
        self.down = nnx.Linear(4 * width, width, rngs=rngs)

    def project(self, x):
        """Compute queries, keys and values, (batch, positions, heads, width / heads)."""
        x = self.project_in(self.norm1(x))
        return jnp.split(x.reshape(*x.shape[:-1], self.heads, -1), 3, axis=-1)

    def finish(self, x, attended):
        """Add what attention collected, then the feed-forward network."""
        x = x + self.project_out(attended.reshape(x.shape))
        return x + self.down(nnx.relu(self.up(self.norm2(x))))

    def __call__(self, x):
        """Apply the block to all positions."""
        return self.finish(x, jax.nn.dot_product_attention(*self.project(x), is_causal=True))


class Model(nnx.Module):
    """A transformer over bytes: tokens (batch, positions) become logits (..., 256)."""

    def __init__(self, width=64, heads=2, layers=2, *, rngs):
        self.embed = nnx.Embed(256, width, rngs=rngs)
        self.positions = nnx.Embed(LENGTH, width, rngs=rngs)
        self.blocks = nnx.List([Block(width, heads, rngs=rngs) for _ in range(layers)])
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.logits = nnx.Linear(width, 256, rngs=rngs)

    def __call__(self, tokens):
        """Compute the logits of the byte after each of the tokens."""
        x = self.embed(tokens) + self.positions(jnp.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.logits(self.norm(x))

    def next_logits(self, tokens, position, cache):
        """Compute the logits (batch, 256) after one more byte of each row, and the new cache."""
        x = self.embed(tokens)[:, None] + self.positions(position)
        seen, new = jnp.full(len(tokens), position + 1), []
        for block, (keys, values) in zip(self.blocks, cache, strict=True):
            query, key, value = block.project(x)
            keys = keys.at[:, position].set(key[:, 0])
            values = values.at[:, position].set(value[:, 0])
            attended = jax.nn.dot_product_attention(query, keys, values, key_value_seq_lengths=seen)
            x = block.finish(x, attended)
            new.append((keys, values))
        return self.logits(self.norm(x))[:, 0], new


@jax.jit
def create(key):
    """Make a model with random parameters; return its structure and the parameters."""
    return nnx.split(Model(rngs=nnx.Rngs(key)))


graphdef, _ = nnx.split(nnx.eval_shape(lambda: Model(rngs=nnx.Rngs(0))))


@jax.jit
def bits(params, rows):
    """Average the cross-entropy of the next byte, in bits, without the padding."""
    logits = nnx.merge(graphdef, params)(rows[:, :-1])
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, rows[:, 1:])
    return losses.mean(where=rows[:, 1:] > 0) / jnp.log(2)


@jax.jit
def train_chunk(carry, rows, keys):
    """Take one step of AdamW for each key; the carry has parameters and optimizer state."""

    def step(carry, key):
        params, opt_state = carry
        grads = jax.grad(bits)(params, jax.random.choice(key, rows, (BATCH,)))
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return (optax.apply_updates(params, updates), opt_state), None

    return jax.lax.scan(step, carry, keys)[0]


@jax.jit
def write(params, rows, key, temperature):
    """Complete rows from `encode` with end="", shape (batch, LENGTH), one byte after another."""
    model = nnx.merge(graphdef, params)
    heads, width = model.blocks[0].heads, model.embed.features
    room = jnp.zeros((len(rows), LENGTH, heads, width // heads))

    def step(carry, now):
        rows, cache = carry
        position, key = now
        logits, cache = model.next_logits(rows[:, position], position, cache)
        drawn = jax.random.categorical(key, logits / temperature)
        present = rows[:, position + 1]  # the beginning, if it is not zero
        rows = rows.at[:, position + 1].set(jnp.where(present > 0, present, drawn))
        return (rows, cache), None

    now = jnp.arange(LENGTH - 1), jax.random.split(key, LENGTH - 1)
    return jax.lax.scan(step, (rows, [(room, room) for _ in model.blocks]), now)[0][0]


def main():
    """Train a model, print what it writes, and draw its loss."""
    sentences = [*english(), *japanese(), *korean()]
    rows = encode(sentences)[np.random.default_rng(0).permutation(len(sentences))]
    held_out, rows = rows[:HELD_OUT], jnp.asarray(rows[HELD_OUT:])
    entropy = HELD_OUT * np.log2(len(sentences)) / (held_out > 0).sum()
    params = create(jax.random.key(0))[1]
    carry, history = (params, jax.jit(optimizer.init)(params)), []
    for keys in jax.random.split(jax.random.key(1), (STEPS // CHUNK, CHUNK)):
        carry = train_chunk(carry, rows, keys)
        history.append(float(bits(carry[0], held_out)))
        print(f"step {CHUNK * len(history):4}: {history[-1]:.3f} bits per byte, held out")
    print(f"at best:   {entropy:.3f}")

    prompts = jnp.asarray(encode([PROMPT] * SAMPLES, end=""))
    written = np.asarray(write(carry[0], prompts, jax.random.key(2), TEMPERATURE))
    texts, grammar = [decode(row) for row in written], set(sentences)
    print(*texts[:9], sep="\n")
    print(f"{sum(text in grammar for text in texts)} of {SAMPLES} are in the grammar")
    plt.figure(layout="constrained")
    plt.semilogy(np.arange(CHUNK, STEPS + 1, CHUNK), history, "o-", label="held out")
    plt.axhline(entropy, ls="--", color="0.4", label="entropy of the grammar")
    plt.xlabel("step")
    plt.ylabel("bits per byte")
    plt.legend()
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("language_model.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
