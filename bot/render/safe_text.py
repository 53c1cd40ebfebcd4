"""Text from a posting, shown literally: it makes no mention, link, image, HTML, table break or heading."""

import re

PLAIN = re.compile(r"[\w .,…+=/()%:;€£-]+\Z")
WORDS = re.compile(r"[a-zA-Z0-9%][\w %()?-]*\Z")
"""No dot, so that nothing reads as an address."""
LIMIT = 200
_UNSHOWABLE = re.compile("[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")


def literal(text: str, limit: int = LIMIT) -> str:
    """The text as inline code. GitHub makes no mention or reference inside code.

    Plain text takes backticks; anything else is HTML code with every other character as an entity, which
    neither Markdown nor a table's column rule interprets.
    """
    shown = clean(text, limit)
    if PLAIN.match(shown) and "://" not in shown:
        return f"`{shown}`"
    return f"<code>{''.join(_entity(c) for c in shown)}</code>"


def words(text: str, limit: int = LIMIT) -> str:
    """A name of few letters as words of a sentence: `eval_loss` → eval loss; any other text as `literal`."""
    return text.replace("_", " ") if WORDS.match(text) and len(text) <= limit else literal(text, limit)


def clean(text: str, limit: int = LIMIT) -> str:
    """One line, no control or direction characters, cut visibly at the limit."""
    shown = _UNSHOWABLE.sub("\ufffd", " ".join(text.split())).strip() or " "
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def _entity(character: str) -> str:
    if character.isalnum() or character == " " or ord(character) > 127:
        return character
    return f"&#{ord(character)};"
