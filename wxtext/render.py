"""Text blocks become WXML through a template, and are read again before they are given out."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from wxtext import limits, semantics, templating
from wxtext.blocks import Part, TextBlock, rows, text_blocks
from wxtext.errors import SelfCheckError, TemplateError, WxmlError
from wxtext.i18n import _
from wxtext.layout import lay_out, refusal
from wxtext.notes import Notes, split_lines
from wxtext.options import BlankLines, Indent, Options, Per
from wxtext.paragraphs import Kind, Paragraphs, Text
from wxtext.pieces import refused_bindings
from wxtext.remarks import Remarks, unseen
from wxtext.semantics import Space, SpaceMode, Target
from wxtext.wxml import Document, read

if TYPE_CHECKING:
    from typing_extensions import Unpack

DEFAULT_TEMPLATE: Final = "text"

#: How many blocks are read again at a time, so that memory stays flat whatever the size of the notes.
_BATCH: Final = 200

# What follows text that is read again, to show that line breaks at its end separate.
_NEXT: Final = "."


class Notice(NamedTuple):
    """Something that the writer of the notes should know, at a line and column (from 1, in code points)."""

    line: int
    column: int
    message: str


class ConvertOptions(TypedDict, total=False):
    """The options of `convert`, by keyword; `blocks.Options` holds their defaults and meaning."""

    space: Space
    target: Target
    tab_width: int
    indent: Indent
    paragraphs: Paragraphs
    blank_lines: BlankLines
    per: Per
    view: bool
    user_select: bool
    class_: str
    bindings: bool
    strip_invisible: bool


def convert(
    notes: str,
    *,
    verify: bool = True,
    template: str | Path | None = None,
    on_notice: Callable[[Notice], None] | None = None,
    **options: Unpack[ConvertOptions],
) -> str:
    """Convert plain text to WXML that shows exactly this text.

    What will show it is `target` (`webview`, `glass-easel` or `skyline`): `webview` unless it is given,
    whatever the .json of a project say, because the notes have no place here. Only the command knows `auto`.

    `space` (`auto`, `ensp`, `emsp`, `nbsp`) says what indentation is shown with; `tab_width` is in columns;
    `indent` (`keep`, `none` or a number of Chinese characters) is what each paragraph begins with;
    `paragraphs` says what a paragraph is: a `line`, what stands between `blank` lines, or `auto`, as the
    first 64 Ki characters look; `blank_lines` is `keep`, `one` or `none`; `per` (`paragraph`, `line`, `file`)
    is what shares a `<text>`; `view` puts each into a `<view>`, `user_select` makes it selectable, `class_`
    is its class; with `bindings`, `{{expr}}` stays a data binding; `strip_invisible` removes characters that
    show and mean nothing. Names may be in any case, and numbers text. `template` is the name of a built-in
    template, or the path of one, which runs in a sandbox; `on_notice` is called for every `Notice`.

    Returns WXML source, lines ending in LF; for empty notes, nothing. Raises `OptionError` for a bad option,
    `TemplateError` for a bad template, and, unless `verify` is off, `SelfCheckError` if the result would
    show anything else than the notes.
    """
    if not isinstance(notes, str):
        raise TypeError(f"notes must be str, not {type(notes).__name__}")
    return "".join(
        convert_lines(split_lines(notes), verify=verify, template=template, on_notice=on_notice, **options)
    )


def convert_lines(
    lines: Iterable[str],
    *,
    verify: bool = True,
    template: str | Path | None = None,
    on_notice: Callable[[Notice], None] | None = None,
    **options: Unpack[ConvertOptions],
) -> Iterator[str]:
    """Convert lines of plain text, each with or without its line break, as `convert` does.

    Yields WXML source piece by piece, in flat memory: no more than some paragraphs are held at a time, and of
    a line of more than 64 Ki characters, which is a block of its own, what was read of it (with `per="file"`
    or a template of your own, everything). Options and template are looked at at once, the
    notes while the result is used.
    """
    if isinstance(lines, (str, bytes)):
        raise TypeError(f"lines must be an iterable of lines, not {type(lines).__name__}")
    conversion = _Conversion(lines, Options(**options), verify, on_notice or _ignore)
    if template is None or template == DEFAULT_TEMPLATE:
        return conversion.stream(templating.BuiltIn(DEFAULT_TEMPLATE))
    return conversion.render(templating.load(template), str(template))


def _ignore(notice: Notice) -> None:
    """Take a notice that nobody wants."""


class _StreamedBlock:
    """A block that is too long to be held whole, as a template sees it: a `Part` made while it is used."""

    space = None

    def __init__(self, line: int, parts: Iterator[str]) -> None:
        self.line = line
        self.parts = parts

    @property
    def text(self) -> str:
        return "".join(self.parts)


class _Conversion:
    """One conversion, from lines to WXML."""

    def __init__(
        self, lines: Iterable[str], options: Options, verify: bool, on_notice: Callable[[Notice], None]
    ) -> None:
        self._remarks = Remarks(refused_bindings if options.bindings else None)
        self._notes = Notes(
            lines,
            options.tab_width,
            look=self._remarks.look,
            unseen=unseen,
            strip=options.strip_invisible,
        )
        self._options = options
        self._verify = verify
        self._notify = on_notice
        outer = f' class="{options.class_}"' if options.class_ else ""
        inner = " user-select" if options.user_select else ""
        tags = f"<view{outer}><text{inner}" if options.in_views else f"<text{outer}{inner}"
        # The start tags of a block, by its `space`, and its end tags.
        self._tags: dict[SpaceMode | None, str] = {None: f"{tags}>"}
        self._tags |= {mode: f'{tags} space="{mode}">' for mode in semantics.SPACE_CHARACTERS}
        self._end_tags = "</text></view>" if options.in_views else "</text>"
        # The parts of blocks given to the template since the last check, and what it has written since.
        self._parts: list[Part] = []
        self._written: list[str] = []
        # What has been checked.
        self._ready: list[str] = []
        # Which of the two the template writes to.
        self._destination = self._written

    def _text_blocks(self) -> Iterator[TextBlock]:
        options = self._options
        notes = Text(self._notes.lines(), options.paragraphs)
        if isinstance(options.indent, int):
            self._report_kind(notes.reading.kind)
        return text_blocks(rows(notes, options), options)

    def _variables(self) -> dict[str, Any]:
        """What templates get beside the blocks."""
        return {"start": self._tags, "end": self._end_tags, "options": self._options}

    # A template that goes through the blocks once, in order, and adds nothing between them.

    def stream(self, template: templating.BuiltIn) -> Iterator[str]:
        """Render and check some blocks at a time."""
        for piece in template.generate(self._stream_blocks(), self._variables()):
            self._destination.append(piece)
            if self._ready:
                yield "".join(self._ready)
                self._ready.clear()
        self._check_written()
        yield "".join(self._ready)
        self._report_end()

    def _stream_blocks(self) -> Iterator[Part | _StreamedBlock]:
        """Give blocks to the template; when it asks for the next, it has written all those before."""
        for block in self._text_blocks():
            if not isinstance(block, Part):
                self._check_written()
                first = next(block.parts)
                if block.merged:
                    self._report_merged(first.line)
                yield _StreamedBlock(first.line, self._stream_parts(first, block.parts))
                self._ready += self._written  # its end tags
                self._written.clear()
            else:
                if len(self._parts) == _BATCH:
                    self._check_written()
                self._parts.append(block)
                yield block

    def _stream_parts(self, first: Part, others: Iterator[Part]) -> Iterator[str]:
        """Give the parts of a block to the template, each checked on its own."""
        self._ready += self._written  # the element's start tag
        self._written.clear()
        self._destination = self._ready
        for part in chain((first,), others):
            if self._verify:
                self._check(part.source, [part], merged=True)
            yield part.source
        self._destination = self._written

    def _check_written(self) -> None:
        """Check what the template has written, which is then ready."""
        source = "".join(self._written)
        if self._verify and self._parts:
            self._check(source, self._parts)
        self._ready.append(source)
        self._written.clear()
        self._parts.clear()

    def _check(self, source: str, parts: list[Part], *, merged: bool = False) -> None:
        """Raise `SelfCheckError` unless `source` shows the rows of these parts, and nothing else.

        It is blocks that have been written, or with `merged` a piece of what is inside of one.
        """
        difference = self._difference(source, parts, merged)
        if difference is None:
            return
        for part in parts:
            alone = part.source if merged else f"{self._tags[part.space]}{part.source}{self._end_tags}"
            found = self._difference(alone, [part], merged)
            if found is not None:
                raise SelfCheckError(*found)
        raise SelfCheckError(*difference)

    def _difference(self, source: str, parts: list[Part], merged: bool) -> tuple[int, str, str] | None:
        """Return the first row that is shown otherwise: its line in the notes, what is due, what is shown."""
        options = self._options
        rows = [part.shown for part in parts]
        if options.in_views and not merged:
            rows = [row if row.endswith("\n") else f"{row}\n" for row in rows]
        expected = "".join(rows)
        if merged:  # which a space may begin or end where a long line goes on
            before = "" if parts[0].rows[0].breaks else _NEXT
            source = f"<text>{before}{source}{_NEXT}</text>"
            expected = f"{before}{expected}{_NEXT}"
        elif expected.endswith("\n"):
            source = f"{source}<text>{_NEXT}</text>"
            expected += _NEXT
        try:
            shown = lay_out(source, options.target)
        except WxmlError as error:
            return parts[0].line, expected.partition("\n")[0], str(error)
        if shown == expected:
            return None
        lines = [line for part in parts for line in part.lines]
        for line, due, seen in zip_longest(lines, expected.split("\n"), shown.split("\n")):
            if due != seen:
                return line or lines[-1], due or "", seen or ""
        return lines[-1], expected, shown

    # Any other template.

    def render(self, template: templating.Template, name: str) -> Iterator[str]:
        """Render everything, then look for every block in it."""
        blocks: list[Part] = []
        for block in self._text_blocks():
            if isinstance(block, Part):
                blocks.append(block)
            else:
                parts = list(block.parts)
                if block.merged:
                    self._report_merged(parts[0].line)
                source = "".join([part.source for part in parts])
                blocks.append(Part(source, [row for part in parts for row in part.rows], parts[-1].breaks))
        if self._verify and blocks:
            # Should these be wrong, the template is not to blame.
            written = [f"{self._tags[block.space]}{block.source}{self._end_tags}" for block in blocks]
            self._check("".join(written), blocks)
        source = template.render(blocks, self._variables())
        if self._verify:
            _check_template(source, blocks, self._options.target, name)
        yield source
        self._report_end()

    # Notices.

    def _report_kind(self, kind: Kind) -> None:
        if kind == "verse":
            message = _("this looks like verse, and is not indented; --paragraphs line indents it")
        elif kind == "listing":
            message = _("this looks like code or a log, and is not indented; --paragraphs line indents it")
        else:
            return
        self._notify(Notice(1, 1, message))

    def _report_merged(self, line: int) -> None:
        target = self._options.target
        limit = limits.WRITTEN_ELEMENTS[target]
        message = _(
            "more than {limit} elements break the compiler of {target}: from this line to the end, "
            "the text shares one <text>"
        )
        self._notify(Notice(line, 1, message.format(limit=limit, target=target)))

    def _report_end(self) -> None:
        """Report what is known when all notes have been read."""
        self._report_removed()
        last, blank = self._notes.blank_at_end
        if not last:
            self._notify(Notice(1, 1, _("there is no text in the notes, and none was written")))
        elif blank and self._options.blank_lines == "keep":
            message = (
                _("the blank line at the end of the notes is not kept")
                if blank == 1
                else _("the {number} blank lines at the end of the notes are not kept")
            )
            self._notify(Notice(last + 1, 1, message.format(number=blank)))

    def _report_removed(self) -> None:
        for character, times, line, column in self._notes.removed:
            if character == semantics.REPLACEMENT:
                message = _("halves of surrogate pairs, which are no characters, become U+FFFD: {n}")
                self._notify(Notice(line, column, message.format(n=times)))
                continue
            message = (
                _("removed U+{code:04X} ({name}), which cannot be shown")
                if semantics.UNSHOWABLE.match(character)
                else _("removed U+{code:04X} ({name}), which shows nothing")
            )
            self._report_character(character, times, line, column, message)
        for character, times, line, column in self._notes.kept:
            message = _("kept U+{code:04X} ({name}), which shows nothing; --strip-invisible removes it")
            self._report_character(character, times, line, column, message)
        for remark in self._remarks:
            message = remark.message.translated().format(text=remark.text)
            self._notify(Notice(remark.line, remark.column, _times(message, remark.times)))

    def _report_character(self, character: str, times: int, line: int, column: int, message: str) -> None:
        name = unicodedata.name(character, "").lower() or _("control character")
        message = message.format(code=ord(character), name=name)
        self._notify(Notice(line, column, _times(message, times)))


def _times(message: str, times: int) -> str:
    return (
        message if times == 1 else _("{message}, {times} times in all").format(message=message, times=times)
    )


def _check_template(source: str, parts: list[Part], target: Target, name: str) -> None:
    """Raise `TemplateError` unless the compiler takes it, and the rows of every part are rows in it."""
    reason = refused(source, read(source, semantics.COMPILERS[target]), target)
    if reason:
        raise TemplateError(_("template {name}: {error}").format(name=name, error=reason))
    lost = first_lost(source, [part.shown for part in parts], target)
    if lost is not None:
        message = _(
            "template {name}: it changes what the text block of line {line} shows; "
            "put block.text into a <text> on a row of its own, with space=block.space and nothing added"
        )
        raise TemplateError(message.format(name=name, line=parts[lost].line))


def refused(page: str, document: Document, target: Target) -> str | None:
    """Say why the compiler of the target refuses a page that was read, or breaks over it; None if not."""
    from wxtext.limits import GLASS_EASEL_VARIABLES, WCC_ELEMENTS

    error = refusal(page, document, target)
    if error:
        return _("the compiler refuses what it makes, at {error}").format(error=error)
    limit = WCC_ELEMENTS if semantics.COMPILERS[target] == "wcc" else GLASS_EASEL_VARIABLES
    elements = sum(kind == "open" for kind, *_place in document.events)
    if elements <= limit:
        return None
    message = _("{elements} elements in one file break the compiler of {target}, which takes {limit}")
    return message.format(elements=elements, target=target, limit=limit)


def first_lost(page: str, blocks: Iterable[str], target: Target) -> int | None:
    """Return the number of the first text block that a page does not show as it should; None if all are.

    `blocks` are what they show; the rows of each have to be whole rows of the page, in order.
    """
    shown = lay_out(page, target).split("\n")
    position = 0
    for number, block in enumerate(blocks):
        rows = block.removesuffix("\n").split("\n")
        position = _find(shown, rows, position)
        if position < 0:
            return number
        position += len(rows)
    return None


def _find(rows: list[str], wanted: list[str], start: int) -> int:
    """Return where the rows `wanted` begin in `rows`, from `start` on; -1 if nowhere."""
    last = len(rows) - len(wanted)
    while start <= last:
        try:
            start = rows.index(wanted[0], start, last + 1)
        except ValueError:
            return -1
        if rows[start : start + len(wanted)] == wanted:
            return start
        start += 1
    return -1
