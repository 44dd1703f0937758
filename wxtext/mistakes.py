"""What in WXML text is likely a mistake, or can become one: facts that the rules of `check` rest on.

They are apart from `semantics` because converting needs none of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from wxtext.semantics import BLOCK_ELEMENTS, RUN_TIME_ENTITIES, WHITE_SPACE, run_time_text

# --- Elements ----------------------------------------------------------------------------------------

#: All elements that are built in.
BUILT_IN_ELEMENTS: Final = BLOCK_ELEMENTS | frozenset(
    """
    audio block canvas channel-live channel-video checkbox double-tap-gesture-handler draggable-sheet
    force-press-gesture-handler form horizontal-drag-gesture-handler icon image import include
    keyboard-accessory label live-player long-press-gesture-handler navigation-bar nested-scroll-body
    nested-scroll-header official-account open-container open-data page-container page-meta
    pan-gesture-handler picker-view-column radio rich-text root-portal scale-gesture-handler selection slot
    snapshot span switch tap-gesture-handler template text vertical-drag-gesture-handler video web-view wxs
    """.split()  # noqa: SIM905 - a list of words
)

#: Elements of HTML that are none of WXML: those that stand in a row of text,
HTML_INLINE: Final = frozenset(
    """
    a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong
    sub sup time tt u var
    """.split()  # noqa: SIM905 - a list of words
)
#: those that begin and end rows,
HTML_BLOCKS: Final = frozenset(
    """
    address article aside blockquote center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header li
    main nav ol p pre section ul
    """.split()  # noqa: SIM905 - a list of words
)
#: and those that are more than text. `<br>` is none of them.
HTML_OTHERS: Final = frozenset(
    """
    caption col colgroup embed hr iframe img link meta object option script select style svg table tbody td
    tfoot th thead tr
    """.split()  # noqa: SIM905 - a list of words
)
HTML_ELEMENTS: Final = HTML_INLINE | HTML_BLOCKS | HTML_OTHERS | {"br"}

# --- Characters --------------------------------------------------------------------------------------

#: Characters that show nothing, or only turn others about: controls, format characters, fillers, separators
#: of lines. Not TAB, LF and CR, nor what emoji alone are made of: variation selectors and tags.
INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0001]"
)

_EMOJI: Final = "\u00a9\u00ae\u203c-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff"
#: What makes one emoji of two.
EMOJI_JOINER: Final = re.compile(f"(?<=[{_EMOJI}])\u200d(?=[{_EMOJI}])")

#: Invisible characters that have their use among letters of some scripts, and these letters: they join or
#: part letters or words, or say which way text runs.
SHAPING: Final = re.compile("[\u034f\u061c\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
SHAPED_LETTER: Final = re.compile("[\u0590-\u10ff\u1780-\u18af\ufb1d-\ufdff\ufe70-\ufefc]")

#: All white space: what fixes change that move, add or drop some.
ALL_WHITE_SPACE: Final = re.compile(r"\s+")

#: White space inside rows: what fixes change that leave the rows alone.
SHOWN_SPACE: Final = re.compile(f"[{WHITE_SPACE}]+")
#: The same, and the breaks between rows.
SHOWN_SPACE_OR_BREAK: Final = re.compile(f"[{WHITE_SPACE}\n]+")


def without_spaces(shown: str) -> str:
    """Return what is shown without the white space in its rows."""
    return SHOWN_SPACE.sub("", shown)


def shown_characters(shown: str) -> str:
    """Give what is shown but white space, sorted.

    Beside an inline-block of several rows, text that moves up or down a row moves past other text.
    """
    return "".join(sorted(SHOWN_SPACE_OR_BREAK.sub("", shown)))


def decoded_characters(shown: str) -> str:
    """Give the same, of text that may be decoded or not."""
    return shown_characters(run_time_text(_AMPERSANDS.sub("&", shown), None, decode=True))


def alike(kept: Callable[[str], str]) -> Callable[[str, str], bool]:
    """Allow changes of shown text that leave alone what a function gives of it."""
    return lambda before, after: kept(before) == kept(after)


def no_less(kept: Callable[[str], str]) -> Callable[[str, str], bool]:
    """Allow the same, and that more is shown: what was lost comes back."""
    return lambda before, after: Counter(kept(before)) <= Counter(kept(after))


_WORD: Final = r"[!-~\u00a1-\u167f\u1681-\u1fff\u2018-\u2027]"
#: A single space between two words of a script that parts words by spaces, in static text of either compiler.
#: (One between Chinese characters is typed to be wide, and one after an escape begins a row.)
WORD_GAP: Final = re.compile(rf"(?<={_WORD})(?<!\\[nrt]) (?={_WORD})")

# --- Backslashes -------------------------------------------------------------------------------------

_WINDOWS_PATH: Final = re.compile(
    r"""(?:(?<![0-9A-Za-z])|(?<=\\[nrt]))[C-PR-Zc-pr-z]:(?:\\[^\s\\/:*?"<>|{}]+)+"""  # Q: asks, A: answers
)
_WINDOWS_FOLDER: Final = re.compile(r"\\(?=[nrt][0-9a-z_])")


def windows_folders(text: str, start: int, end: int) -> Iterator[int]:
    """Yield where, in the paths between two offsets, a backslash precedes a folder like `new` or `temp`."""
    for path in _WINDOWS_PATH.finditer(text, start, end):
        for folder in _WINDOWS_FOLDER.finditer(text, *path.span()):
            yield folder.start()


# --- Entities ----------------------------------------------------------------------------------------

#: Ampersands that are decoded more than once.
_AMPERSANDS: Final = re.compile("&(?:amp;)+")

#: What may be an entity, and is worth a closer look.
MAYBE_ENTITY: Final = re.compile("&[A-Za-z#]")

#: An ampersand that glass-easel decodes, and with what follows is decoded once more at run time.
TWICE_DECODED: Final = re.compile(
    "&(?:amp|AMP|#0*38|#x0*26);(?=(?:" + "|".join(name[1:] for name in RUN_TIME_ENTITIES) + "))"
)

_HTML_ENTITY: Final = re.compile("&(?:[A-Za-z][0-9A-Za-z]*|#[0-9]{1,9}|#[Xx][0-9A-Fa-f]{1,9});")


def html_entities(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield the offsets of the entities of HTML between two offsets, and what they stand for, a CR as LF."""
    from html import unescape
    from html.entities import html5

    for match in _HTML_ENTITY.finditer(text, start, end):
        if match[0][1] == "#" or match[0][1:] in html5:
            characters = unescape(match[0]).replace("\r", "\n")
            if characters not in {"", "\ufffd"}:
                yield *match.span(), characters
