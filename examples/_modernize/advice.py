"""What to do about an old name, in the reader's language."""

import locale
import os

from _modernize.rows import Row

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

    >>> from _modernize.rows import ROWS
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
