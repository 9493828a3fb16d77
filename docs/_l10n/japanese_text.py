"""Japanese text as the rules see it: its letters and its sentences."""

import re

JAPANESE = "ぁ-んァ-ヴーｱ-ﾝ一-龠々〆ヶ"  # inside [...]

QUOTED = "「[^「」]*」|『[^『』]*』"
STOP = rf"[。？！\n]|[?!](?=[\s\n]|$|[{JAPANESE}])"


def sentences(text: str) -> list[str]:
    """Split at 。, ？ and ！; what 「」 quotes stays whole.

    >>> sentences("速いです（JITのおかげです。）。「遅い。」とは言いません。なぜですか?")
    ['速いです', '（JITのおかげです。', '）。', '「遅い。」とは言いません。', 'なぜですか?']
    """
    # A bracket that holds a sentence of its own ends the one before.
    text = re.sub(r"（(?=[^（）]*。[^（）]*）)", "\n（", text)
    pieces = re.findall(rf"(?:{QUOTED}|(?!{STOP}).)+(?:[。？！?!]+|\n|$)", text, re.DOTALL)
    return [stripped for piece in pieces if (stripped := piece.strip())]
