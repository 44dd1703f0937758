"""What a line of plain text looks like: prose, a title, an item of a list, code."""

from __future__ import annotations

import re
from typing import Final

from wxtext import lazy, semantics

#: The columns of a phone's row, about 20 Chinese characters. What is longer is no title and no row of verse.
ROW: Final = 40

#: Lines indented deeper than this many columns are centred, or in a listing: they stay as they are.
DEEPEST_PARAGRAPH_INDENT: Final = 8

_CLOSING: Final = "”’\"'」』）)】》〉*_"
_OPENING: Final = "“‘「『《（【—…"
#: How titles and items begin whose first letter is Chinese.
_NUMBERING: Final = "第（一二三四五六七八九十"
#: How a sentence ends.
_END: Final = "。！？!?….．｡～~"
_SENTENCE: Final = lazy.pattern(rf"[{_END}][{_CLOSING}]*$|[：:；;][”」』]$")
#: How a line ends that goes on.
PAUSE: Final = lazy.pattern(rf"[，,、；;：:—\-][{_CLOSING}]*$")
COMMA: Final = lazy.pattern("[，,；;]")
#: What stands between phrases.
CLAUSE_END: Final = lazy.pattern(r"[。！？，、；：,.!?;:…“”‘’（）《》\s]+")
WORD: Final = lazy.pattern(r"[^\W_]")
CHINESE: Final = lazy.pattern(r"[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]")
#: How titles begin, if they are short.
HEADING: Final = lazy.pattern(
    r"第[ 　]?[0-9０-９零〇一二三四五六七八九十百千两]+[ 　]?[章回节卷部篇集幕场讲课编条款]"
    r"|卷[0-9０-９零〇一二三四五六七八九十百]+(?:$|[ 　·])"
    r"|(?:序[章言幕]?|自序|前言|引[子言]|楔子|尾声|后记|後記|跋|附录|番外|正文|目录|目錄)(?:$|[\s:：　])"
    r"|[一二三四五六七八九十百]+[、.．]|[（(][一二三四五六七八九十]+[）)]|[0-9]+(?:\.[0-9]+)*[.、．]?\s"
    r"|(?:chapter|part|book|section|article|act|scene|volume)\s+[0-9ivxlc]+\b"
    r"|(?:prologue|epilogue|preface|introduction|contents|appendix)\b"
    r"|[【〖]|#{1,6} |={2,}|-{3,}|\*{3,}",
    re.IGNORECASE,
)
#: How titles begin that stand on a page of their own.
CHAPTER: Final = lazy.pattern(
    r"第[ 　]?[0-9０-９零〇一二三四五六七八九十百千两]+[ 　]?[章回节卷部篇集幕](?![，。、是的里中])"
    r"|(?:chapter|part|book)\s+(?:[0-9]+|[ivxlc]+)\b",
    re.IGNORECASE,
)
#: How numbered paragraphs and items of lists begin.
ITEM: Final = lazy.pattern(
    r"(?:[0-9]+(?:\.[0-9]+)*[.、．)）\s]|[0-9]+(?:\.[0-9]+)+|[（(][0-9a-z一二三四五六七八九十]{1,3}[）)]"
    r"|[a-z][.)]|[①-⑳])(?=\s*\S)"
    r"|[一二三四五六七八九十]+、|第[0-9零一二三四五六七八九十百]+[条款]",
    re.IGNORECASE,
)
#: Numbers alone, as those of clauses: `1.`, `1.1`.
NUMBER: Final = lazy.pattern(r"[0-9]+(?:\.[0-9]+)*(?:[.、．)）]|\s)|[0-9]+(?:\.[0-9]+)+")
#: Numbers, or letters with white space after them, whose depth is their order.
ORDER: Final = lazy.pattern(rf"{NUMBER.pattern}|[（(]?[a-z0-9]{{1,3}}[.)）]\s", re.IGNORECASE)
#: How items of lists and quoted lines begin.
BULLET: Final = lazy.pattern(r"[-*+•·●○■□◆◇▪>|»]\s?(?=\S)")
#: A line without letters.
RULE: Final = lazy.pattern(r"[\W_]+$")
#: Room between the columns of a table, or before what is filled in by hand; and a line to write on.
_GAP: Final = lazy.pattern(r"\S(?:[ \u2002\u2003]{3}|\u3000{2})\s*\S|_{3}\s*$")
#: The times and names of logs.
_TIME: Final = lazy.pattern(
    r"^[\[<(（]?(?:\d{2,4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?[ ,T]{0,3})?\d{1,2}:\d{2}"
    r"|\d{1,2}:\d{2}(?::\d{2})?$|^<[^<>\s]{1,20}> "
)
#: What source code looks like, and prose does not.
_CODE: Final = lazy.pattern(
    r"[{}\\]$|[=()].*;$|^[}\])]|^(?://|/\*|\*/|#include\b|#!|\$ |>>> |--? ?\w+=|</?[a-zA-Z][^>]*>)"
    r"|^(?:def|class|import|from|return|if|else|elif|for|while|const|let|var|function|public|static|void|int|"
    r"try|except|print|SELECT|npm|pip|git|cd|sudo)\b.*[(:=\w)]$"
    r"|^[\w.\[\]]+ ?[-+*/:]?= ?\S|^[\w.]+\(.*\)[:;]?$|=>"
)
#: Lines of shell scripts, and headers of mail.
_SCRIPT: Final = lazy.pattern(
    r"(?:fi|done|esac|else|then|do|;;|export \w+|unset \w+)$"
    r"|(?:From|To|Cc|Bcc|Sender|Subject|Date|Received|[A-Z][A-Za-z]*(?:-[A-Za-z]+)+): \S"
)


def stays(columns: int, text: str) -> bool:
    """Say whether a line is no paragraph wherever it stands."""
    if columns > DEEPEST_PARAGRAPH_INDENT or BULLET.match(text) or RULE.match(text):
        return True
    return is_aligned(text) or is_code(text)


def is_aligned(text: str) -> bool:
    """Say whether a line has columns, as in a table, or a place to be filled in."""
    if ends_sentence(text):
        return False
    if "\t" in text or ("  " in text and not is_prose(text)):
        return True
    return _GAP.search(text) is not None and width(text) <= 2 * ROW


def is_label(text: str) -> bool:
    """Say whether a line is short and ends no sentence: a greeting, a heading, a name."""
    return not ends_sentence(text) and not is_wider(text, ROW)


def is_prose(text: str) -> bool:
    """Say whether a line ends a sentence, or is too long for anything but prose."""
    return ends_sentence(text) or (is_wider(text, ROW) and not is_code(text))


def is_plainly_prose(columns: int, text: str) -> bool:
    """Say, at little cost, whether a line is a sentence or a long line of Chinese: no title, item or code."""
    if columns > DEEPEST_PARAGRAPH_INDENT:
        return False
    first = text[0]
    numbered = first in _NUMBERING
    if first in _OPENING:
        first = text[1:2]
    if len(text) > 2 * ROW:
        return CHINESE.match(first) is not None and not (numbered and ITEM.match(text))
    return "\u4e00" <= first <= "\u9fff" and ends_sentence(text) and not (numbered and CHAPTER.match(text))


def is_code(text: str) -> bool:
    """Say whether a line looks like source code."""
    first = text[1:2] if text[0] in _OPENING else text[0]
    # Most text begins with the former, which takes less time to tell.
    if "\u4e00" <= first <= "\u9fff" or CHINESE.match(first):
        return False
    return _CODE.search(text) is not None or _SCRIPT.match(text) is not None


def has_time(text: str) -> bool:
    """Say whether a line begins with a time or a name, or ends with a time, as in logs."""
    return (":" in text or text[0] == "<") and _TIME.search(text) is not None


def ends_sentence(text: str) -> bool:
    """Say whether a line ends with the end of a sentence."""
    last = text[-1]  # which is all that has to be looked at in most lines
    return last in _END or (last in _CLOSING and _SENTENCE.search(text[-8:]) is not None)


def width(text: str) -> int:
    """Return how wide a line is, in columns."""
    return semantics.columns(text)


def is_wider(text: str, columns: int) -> bool:
    """Say whether a line is wider than so many columns. Of a long one the beginning tells."""
    return 2 * len(text) > columns and (width(text[:columns]) > columns or width(text) > columns)
