"""Rules `long-vowel`, `nakaguro`, `kana`, `kanji` and `numerals`: one way to write a word."""

from collections.abc import Iterator

from docs._l10n.entry import Entry, Finding
from docs._l10n.japanese_patterns import apply, pattern
from docs._l10n.markdown import prose

# English -er, -or, -ar without the 「ー」 that must follow.
TOO_SHORT = (
    "パラメータ|サーバ|ユーザ|コンパイラ|オプティマイザ|イテレータ|デコレータ|トレーサ|"
    "レイヤ|バッファ|アクセラレータ|スケジューラ|プロファイラ|コンピュータ|プログラマ|"
    "エディタ|ブラウザ|フォルダ|ドライバ|プリンタ|モニタ|センサ|レジスタ|ポインタ|カウンタ|"
    "タイマ|フィルタ|ルータ|アダプタ|エンコーダ|デコーダ|ジェネレータ|オペレータ|"
    "シミュレータ|エミュレータ|インター?プリタ|ハンドラ|ヘッダ|フッタ|マネージャ|ワーカ|"
    "サンプラ|ローダ|パーサ|シリアライザ|コントローラ|プロセッサ|スカラ|ラッパ|クラスタ|"
    "マスタ|ベクタ|トークナイザ|イニシャライザ|デバッガ|インストーラ|プレースホルダ|"
    "コンストラクタ|セレクタ|ビューア|レンダラ|リンカ|クロージャ|アロケータ|ディスパッチャ"
)
# English -y with the 「ー」 that must not stand.
TOO_LONG = (
    "メモリー|ライブラリー|ディレクトリー|リポジトリー|プロパティー|カテゴリー|レイテンシー|"
    "ユーティリティー|エントリー|クエリー|レジストリー|ファクトリー|バイナリー|サマリー|"
    "ディクショナリー|セキュリティー|エンティティー|ヒストリー|プロキシー|アクティビティー"
)
# One word each; 「・」 may separate the items of a list.
COMPOUND = (
    "ニューラル・|ハイパー・|ディープ・ラ|マシン・ラ|チェック・ポ|ベンチ・マ|ミニ・バ|ファイン・チ|"
    "オープン・ソ|データ・セ|モンテ・カ|ソース・コ|ソフト・マ|ドロップ・ア"
)

AFTER_VERB = "(?<=[うくすつぬぶむぐるいた])"
PATTERNS = (
    pattern("long-vowel", f"(?:{TOO_SHORT})(?![ァ-ヴー])", "-er、-or、-arには長音「ー」を付けます"),
    pattern("long-vowel", f"(?:{TOO_LONG})(?![ァ-ヴ])", "-yには長音「ー」を付けません"),
    pattern("nakaguro", COMPOUND, "複合語に中黒を入れません"),
    pattern("kana", f"{AFTER_VERB}事(?=[がをはもにでの、。])", "「こと」とします"),
    pattern("kana", f"{AFTER_VERB}時(?=[にはもの、])", "「とき」とします"),
    pattern("kana", "(?<=[ぁ-ん])為(?=[にので、。])", "「ため」とします"),
    pattern("kana", f"{AFTER_VERB}所(?=[がをはでに、。])", "「ところ」とします"),
    pattern("kana", f"{AFTER_VERB}物(?=[がをはもでの、。])", "「もの」とします"),
    pattern("kana", "(?<!不)出来(?=[るなまたずれて])", "「できる」とします"),
    pattern("kana", "(?<=[てで])下さい", "「ください」とします"),
    pattern("kana", "及び(?!ま)|又は|若しくは|且つ", "「および」「または」「かつ」とします"),
    pattern("kana", "全て|総て", "「すべて」とします"),
    pattern("kana", "様々|殆ど|何れ", "「さまざま」「ほとんど」「いずれ」とします"),
    pattern("kana", "して行[くきけっ]", "「〜していく」とします"),
    pattern("kana", "(?:試し|使っ|やっ|書い)て見(?=[るてまよ])", "「〜してみる」とします"),
    pattern("kanji", "たとえば", "「例えば」とします"),
    pattern("kanji", "(?<!つ)つぎの", "「次の」とします"),
    pattern("kanji", "[よ呼]びだ[すしせさ]|よび出", "「呼び出す」とします"),
    pattern("kanji", "[と取]りだ[すしせさ]|とり出", "「取り出す」とします"),
    pattern("kanji", "(?<=[をにがもは])おこな[いうえっわ]|行な[いうえっわ]", "「行う」とします"),
    pattern(
        "numerals",
        "(?<![数一二三四五六七八九十百千、第])"
        "(?:一つ(?!ひとつ|一つ|には|として)|[二三四五六七八九]つ(?![組折])|"
        "[一二三四五六七八九十]番目|[二三四五六七八九十](?:回|個|通り|か所|種類|行目|列目|倍))",
        "数は算用数字にします（3つ、2番目、1回）",
    ),
)


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield words in another spelling than the style guide's.

    >>> from pathlib import Path
    >>> def rules(msgstr):
    ...     return [found.rule for found in check(Entry(Path(), 1, "x", msgstr), "ja")]
    >>> rules("サーバのメモリーを全て使う事ができる二つのニューラル・ネットワーク")
    ['long-vowel', 'long-vowel', 'nakaguro', 'kana', 'kana', 'numerals']
    >>> rules("一つひとつの記事は、フィルタリングとバッファリングの出来事を扱う時間の例です。")
    []
    """
    if language == "ja":
        yield from apply(PATTERNS, entry, prose(entry.msgstr))
