"""What to do about an old name, in the reader's language."""

import locale
import os

from _modernize.rows import Row

LIBRARIES = {"flax": "Flax", "jax": "JAX", "optax": "Optax"}

SENTENCES = {
    "en": {
        "gone": "Removed in {library} {version}.",
        "refused": "Not accepted since {library} {version}.",
        "warns": "Deprecated since {library} {version}.",
        "dated": "Still works; since {library} {version} the new form is preferred.",
        "rename": "The new name is {new}.",
        "rewrite": "Write {new} instead.",
        "changed": "Changed. The new name is {new}.",
        "nothing": "nothing to change",
        "left": "Lines left: {count}. They need more than a new name, so --write leaves them.",
    },
    "ja": {
        "gone": "{library} {version}で削除されました。",
        "refused": "この書き方は{library} {version}から使えません。",
        "warns": "{library} {version}から非推奨です。",
        "dated": "今も使えますが、{library} {version}からは新しい書き方が推奨されています。",
        "rename": "新しい名前は{new}です。",
        "rewrite": "代わりに{new}を使ってください。",
        "changed": "書き換えました。新しい名前は{new}です。",
        "nothing": "書き換えるところはありません",
        "left": "残りは{count}行です。名前の変更だけでは済まないため、--writeでは書き換えません。",
    },
    "ko": {
        "gone": "{library} {version}에서 제거되었습니다.",
        "refused": "{library} {version}부터 이렇게 호출할 수 없습니다.",
        "warns": "{library} {version}에서 사용 중단 예정으로 지정되었습니다.",
        "dated": "여전히 동작하지만, {library} {version}부터 새로운 방식이 권장됩니다.",
        "rename": "새 이름은 {new}입니다.",
        "rewrite": "대신 쓸 코드는 {new}입니다.",
        "changed": "수정했습니다. 새 이름은 {new}입니다.",
        "nothing": "고칠 곳이 없습니다",
        "left": "{count}줄이 남았습니다. 이름만 바꿔서는 부족하므로 --write로 고치지 않습니다.",
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

    >>> from _modernize.rows import ROWS
    >>> [row] = [row for row in ROWS if row.old == "jax.tree_map"]
    >>> advice(row, "en")
    'Removed in JAX 0.6.0. The new name is jax.tree.map.'
    >>> advice(row, "ja")
    'JAX 0.6.0で削除されました。新しい名前はjax.tree.mapです。'
    """
    sentences = SENTENCES[language]
    said = [sentences[row.kind], sentences[row.change]]
    library = LIBRARIES[row.old.split(".")[0]]
    gap = "" if language == "ja" else " "
    return gap.join(said).format(library=library, version=row.version, new=row.new)
