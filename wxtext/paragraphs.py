"""What the paragraphs of plain text are: lines, or what stands between blank lines; and which lines are none.

The kind of a text is read from its first 64 Ki characters, so that notes of any size can be streamed. Then
each line is placed, with the lines around it that no blank line parts from it: verse, listings and lists keep
the indentation that they were typed with, and titles have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cached_property
from itertools import chain, pairwise
from typing import Final, Literal, NamedTuple

from wxtext import prose
from wxtext.notes import Line

Paragraphs = Literal["auto", "line", "blank"]

#: What lines are to a text: paragraphs; rows of paragraphs that blank lines part; rows of verse; or rows of a
#: listing or a log, which are no prose.
Kind = Literal["line", "blank", "verse", "listing"]

#: How many characters of the notes are looked at to tell their kind.
SAMPLE: Final = 1 << 16

#: A text that was broken to a width has a width of so many columns: 25 Chinese characters, or 120 letters.
_NARROWEST, _WIDEST = 50, 120
#: How many lines are judged together, so that memory stays flat.
_LONGEST_RUN: Final = 200
#: How many characters of a line are looked at.
_JUDGED: Final = 160
#: A title is among the first so many lines, or says that it is one.
_HEAD: Final = 5


class Place(Enum):
    """What a line is, and so what `indent=N` makes of its indentation."""

    #: The first line of a paragraph, which gets N characters.
    BEGINS = 1
    #: A title, which gets none.
    TITLE = 2
    #: Whatever else: its indentation stays.
    STAYS = 3


_BEGINS: Final = [Place.BEGINS]


class Reading(NamedTuple):
    """What a text is, as far as its beginning tells."""

    kind: Kind
    #: Whether most of its paragraphs end a sentence, so that a short line that does not is a title.
    punctuated: bool = False
    #: Whether many paragraphs begin with an indentation.
    indented: bool = False
    #: Whether its numbered items are indented to several depths, which is their order.
    ordered: bool = False
    #: The columns that its lines were broken to; 0 if they were not.
    width: int = 0
    #: The number of its first line that is not blank.
    start: int = 1


class Text:
    """The lines of a text, and what they are as far as its beginning tells."""

    def __init__(self, lines: Iterable[Line], paragraphs: Paragraphs) -> None:
        """Take the first 64 Ki characters from `lines`, and the rest of the line that they end in."""
        rest = iter(lines)
        self._paragraphs = paragraphs
        self._sample: list[Line] = []
        size = 0
        for line in rest:
            self._sample.append(line)
            size += line[2] + len(line[3]) + 1
            if size >= SAMPLE:
                break
        self._rest = rest

    @cached_property
    def reading(self) -> Reading:
        """What the text is. It takes time to tell, and is not told unless it is asked for."""
        return _reading(list(map(_clipped, self._sample)), self._paragraphs)

    def lines(self) -> Iterator[Line]:
        """Yield all lines, once."""
        return chain(self._sample, self._rest)

    def runs(self) -> Iterator[list[Line]]:
        """Yield all lines, once: those without a blank line between them together, long runs in pieces."""
        run: list[Line] = []
        for line in self.lines():
            if run and (line[1] or len(run) == _LONGEST_RUN):
                yield run
                run = [line]
            else:
                run.append(line)
        if run:
            yield run

    def places(self, run: list[Line]) -> list[Place]:
        """Say of each line of a run what it is."""
        reading = self.reading
        if reading.kind != "line":
            if reading.kind == "blank":
                return _blank_places(list(map(_clipped, run)), reading)
            return [Place.STAYS] * len(run)
        if len(run) > 1:
            return _line_places(list(map(_clipped, run)), reading)
        line = run[0]  # as most lines of most texts are; what is plain need not be clipped
        return _BEGINS if _plainly_begins(line, reading) else [_line_place(_clipped(line), reading)]


def _clipped(line: Line) -> Line:
    """Return a line to judge by: of a long one, how it begins and ends."""
    number, blanks, columns, text = line
    if len(text) <= _JUDGED:
        return line
    return number, blanks, columns, text[: _JUDGED // 2] + text[-_JUDGED // 2 :]


# --- what a text is ----------------------------------------------------------------------------------


def _reading(sample: list[Line], paragraphs: Paragraphs) -> Reading:
    texts = [text for _number, _blanks, columns, text in sample if columns <= prose.DEEPEST_PARAGRAPH_INDENT]
    words = [text for text in texts if prose.WORD.search(text)] or texts
    kind: Kind
    width = 0
    if paragraphs == "auto":
        width = _broken_to(sample)
        if _is_listing(sample):
            kind = "listing"
        elif width:
            kind = "blank"
        else:
            kind = "verse" if _is_verse(words) else "line"
    else:
        kind = paragraphs
        width = _broken_to(sample) if kind == "blank" else 0
    # Titles and items of lists end no sentence, and say nothing of whether paragraphs do.
    sentences = [text for text in words if not prose.NUMBER.match(text)]
    long = [text for text in sentences if prose.is_wider(text, prose.ROW)] or sentences
    ends = sum(prose.ends_sentence(text) or text.endswith(("；", "：", ";", ":")) for text in long)
    plain = [
        columns
        for _n, _b, columns, text in sample
        if not prose.ITEM.match(text) and not prose.BULLET.match(text)
    ]
    indented = sum(0 < columns <= prose.DEEPEST_PARAGRAPH_INDENT for columns in plain)
    depths = {
        columns for _n, _b, columns, text in sample if prose.ORDER.match(text) and prose.WORD.search(text)
    }
    return Reading(
        kind,
        punctuated=ends * 2 >= len(long) > 0,
        indented=indented * (5 if kind == "line" else 10) >= len(plain) > 0,
        ordered=len(depths) > 1,
        width=width,
        start=sample[0][0] if sample else 1,
    )


def _is_listing(sample: list[Line]) -> bool:
    """Tell code and logs, whose lines are no prose."""
    code = sum(prose.is_code(text) for *_place, text in sample)
    if code * 2 > len(sample):
        return True
    # Between two times there may be two or three lines that somebody said.
    times = sum(prose.has_time(text) for *_place, text in sample)
    return times >= 2 and times * 5 >= len(sample)


def _is_verse(words: list[str]) -> bool:
    """Tell verse from prose: all rows are short, and either end no sentence or are of short phrases."""
    if len(words) < 4 or sum(prose.is_wider(text, prose.ROW + 8) for text in words) * 10 > len(words):
        return False
    if sum(prose.ITEM.match(text) is not None for text in words) * 2 > len(words) or any(
        map(prose.CHAPTER.match, words)
    ):
        return False
    ends = sum(map(prose.ends_sentence, words))
    if ends * 2 < len(words):
        return True
    if not prose.CHINESE.search("".join(words[:50])):
        return ends * 4 < len(words) * 3
    phrases = [len(phrase) for text in words for phrase in prose.CLAUSE_END.split(text) if phrase]
    # Five and seven characters in regulated verse; some phrases of a ci are longer.
    return sum(length <= 7 for length in phrases) * 10 >= len(phrases) * 9


def _broken_to(sample: list[Line]) -> int:
    """Return the columns that lines were broken to; 0 if they were not.

    They were if most lines that another follows have no room for its first word.
    """
    pairs = []
    ended = 0
    for line, after in pairwise(sample):
        if after[1] or after[2] > prose.DEEPEST_PARAGRAPH_INDENT:
            continue
        # What precedes an item of a list ends there, whatever room is left.
        if not (_was_not_broken(line[3]) or prose.BULLET.match(after[3])):
            pairs.append((line[2] + prose.width(line[3]), _first_word(after[3])))
            ended += prose.ends_sentence(line[3])
    ends = sorted(width for width, _word in pairs)
    if len(ends) < 2 or ended * 3 > len(ends) * 2:
        return 0  # paragraphs of a line each that happen to be as long
    # Some lines may be longer: addresses of the web cannot be broken.
    width = ends[max(len(ends) * 9 // 10 - 1, 0)]
    longer = sum(end > width + 12 for end in ends)
    if not _NARROWEST <= width <= _WIDEST or longer * 20 > len(ends):
        return 0
    full = sum(end + word > width for end, word in pairs)
    return width if full * 2 >= len(pairs) else 0


def _was_not_broken(text: str) -> bool:
    """Say whether a line was not broken to a width, whatever the text was: code, rules, rows of tables."""
    return prose.is_code(text) or prose.is_aligned(text) or prose.RULE.match(text) is not None


def _first_word(text: str) -> int:
    """Return how much room the first word of a line needs on the line before, in columns."""
    if prose.CHINESE.match(text[0]) or not text[0].isascii():
        return 5  # a character and the punctuation that may not begin a row
    return len(text.split(None, 1)[0]) + 1


# --- what a line is ----------------------------------------------------------------------------------


def _line_places(run: list[Line], reading: Reading) -> list[Place]:
    """Place lines that are paragraphs."""
    if _is_structure(run, reading):
        return [Place.STAYS] * len(run)
    items = _is_list(run)
    return [
        Place.BEGINS
        if _plainly_begins(line, reading)
        else _line_place(line, reading, items=items, heads=_precedes_bullet(run, index))
        for index, line in enumerate(run)
    ]


def _line_place(line: Line, reading: Reading, *, items: bool = False, heads: bool = False) -> Place:
    """Place a line that may be no paragraph.

    Among `items`, numbered lines are those of a list; the first item follows a line that `heads` a list.
    """
    number, _blanks, columns, text = line
    if (
        prose.stays(columns, text)
        or (items and prose.NUMBER.match(text))
        or (reading.ordered and prose.ORDER.match(text))
    ):
        return Place.STAYS
    if _is_title(number, text, reading):
        return Place.TITLE
    if heads and prose.is_label(text) and not text.endswith(("：", ":")):
        return Place.TITLE
    if columns and not reading.indented and not _is_sloppy(columns, text):
        return Place.STAYS
    return Place.BEGINS


def _plainly_begins(line: Line, reading: Reading) -> bool:
    """Say, at little cost, whether a line is a paragraph that is no title, item or listing."""
    _number, _blanks, columns, text = line
    return (reading.indented or not columns) and prose.is_plainly_prose(columns, text)


def _precedes_bullet(run: list[Line], index: int) -> bool:
    return index + 1 < len(run) and prose.BULLET.match(run[index + 1][3]) is not None


def _blank_places(run: list[Line], reading: Reading) -> list[Place]:
    """Place the lines of a paragraph that was broken into rows, or of several that begin indented."""
    stays = [Place.STAYS] * len(run)
    number, _blanks, first, text = run[0]
    depths = [columns for _n, _b, columns, _text in run]
    if (
        prose.BULLET.match(text)
        or prose.RULE.match(text)
        or all(prose.stays(columns, text) for _n, _b, columns, text in run)
    ):
        return stays
    if max(depths) > prose.DEEPEST_PARAGRAPH_INDENT or (reading.ordered and prose.ORDER.match(text)):
        return stays
    if sum(prose.is_code(text) for *_place, text in run) * 2 > len(run):
        return stays
    if len(run) == 1:
        if _is_title(number, text, reading) or (reading.width and prose.is_label(text)):
            return [Place.STAYS if first else Place.TITLE]
        return [Place.BEGINS] if not first or reading.indented or not reading.width else stays
    inner = {columns for columns in depths if columns}
    if len(inner) > 1 or min(depths) > 0:
        return stays
    if reading.width and not _fills(run, reading.width):
        return stays
    found = [Place.BEGINS if columns else Place.STAYS for columns in depths]
    if not inner or first:
        found[0] = Place.BEGINS
        if not first and prose.CHAPTER.match(text) and prose.width(text) <= prose.ROW:
            found[0] = Place.TITLE
    elif not reading.indented or sum(map(bool, depths)) * 2 > len(run):
        return stays
    return found


def _fills(run: list[Line], width: int) -> bool:
    """Say whether rows are as long as their first words allow: most of those that another row follows."""
    full = total = 0
    for line, after in pairwise(run):
        if after[2] <= line[2]:
            total += 1
            full += line[2] + prose.width(line[3]) + _first_word(after[3]) > width * 8 // 10
    return total == 0 or full * 2 >= total


def _is_structure(run: list[Line], reading: Reading) -> bool:
    """Say whether the depths of a run are its structure: a listing, clauses, a ladder."""
    depths = {columns for _n, _b, columns, _text in run}
    if len(depths) < 2:
        return False
    if sum(prose.is_code(text) for *_place, text in run) * 2 >= len(run):
        return True
    if len({columns for _n, _b, columns, text in run if prose.NUMBER.match(text)}) > 1:
        return True
    inner = depths - {0}
    if len(inner) > 1 and not any(prose.is_wider(text, prose.ROW) for *_place, text in run):
        return True
    items = sum(prose.BULLET.match(text) is not None for *_place, text in run)
    if items * 2 >= len(run):
        return True
    sentences = sum(prose.is_prose(text) for *_place, text in run)
    return len(inner) > 1 and sentences * (4 if reading.indented else 2) < len(run)


def _is_list(run: list[Line]) -> bool:
    """Say whether the numbered lines of a run are the items of a list, most of which end no sentence."""
    items = [text for *_place, text in run if prose.NUMBER.match(text)]
    return len(items) > 1 and sum(map(prose.ends_sentence, items)) * 2 < len(items)


def _is_sloppy(columns: int, text: str) -> bool:
    """Say whether an indented line among paragraphs that are not may be a paragraph all the same."""
    chinese = prose.CHINESE.search(text) is not None
    return chinese and 2 <= columns <= 4 and prose.is_prose(text) and not prose.ITEM.match(text)


def _is_title(number: int, text: str, reading: Reading) -> bool:
    """Say whether a line is a title: it is short, ends no sentence, and says so or stands where titles do."""
    if prose.ends_sentence(text) and prose.CHINESE.search(text) and not prose.CHAPTER.match(text):
        return False  # as most lines are; what is below takes longer
    first = number == reading.start
    loud = first or text.isupper() or prose.CHAPTER.match(text)
    if prose.is_wider(text, 2 * prose.ROW if loud else prose.ROW):
        return False
    if text.endswith(("。", "；", "，", "，”", "。”", ";", ",")):
        return prose.is_label(text) and number - reading.start < _HEAD and not prose.CHINESE.search(text)
    if prose.CHAPTER.match(text):
        return True
    if prose.ends_sentence(text):
        return bool(prose.HEADING.match(text)) and not prose.CHINESE.search(text)
    if prose.HEADING.match(text):
        return True
    if first or (text.isupper() and not prose.CHINESE.search(text)):
        return True
    if text.endswith(("：", ":")):
        return number - reading.start < _HEAD and not prose.COMMA.search(text)
    return reading.punctuated and not prose.PAUSE.search(text)
