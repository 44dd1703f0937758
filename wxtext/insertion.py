"""Whether converted text may stand between the markers of a page: it has to compile and to be shown there."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wxtext.errors import WxtextError
from wxtext.i18n import _
from wxtext.layout import lay_out
from wxtext.problem import Severity
from wxtext.render import first_lost, refused
from wxtext.semantics import COMPILERS, Target
from wxtext.wxml import Document, read


class Insertion(NamedTuple):
    """A page that text is put into."""

    #: The page as it was.
    old: str
    #: What comes before the text, up to the line break after the first marker.
    before: str
    text: str
    #: What comes after it, from the second marker on, or the indentation before that.
    after: str


def examine(insertion: Insertion, *, file: str, target: Target, say: Callable[[str], None]) -> None:
    """Look at a page that text is to be put into.

    What was wrong with it before is told to `say`. Raises `WxtextError` if the markers are no comments to the
    compiler, if it would refuse the new page or break over it, or if the page would not show the text as it
    should.
    """
    old, before, text, after = insertion
    page = before + text + after
    document = read(page, COMPILERS[target])
    begin, end = before.rindex("<!--"), len(before) + len(text) + after.index("<!--")
    if not {begin, end} <= {start for kind, start, *_rest in document.events if kind == "comment"}:
        raise WxtextError(f"{file}: {_no_comments(old, begin, target)}")
    if reason := refused(page, document, target):
        if refused(old, read(old, COMPILERS[target]), target) is None:
            raise WxtextError(f"{file}: {reason}")
        say(f"{file}: {reason}")
    elif text:
        name = _template_around(document, begin)
        used = f'<view><template is="{name}"/></view>' if name else ""  # as another file may do
        if first_lost(f"{page}\n{used}", [lay_out(text, target)], target) is not None:
            message = _(
                "{file}: where the markers stand, the text would not be shown as it was typed; "
                "put them into a <view>, outside any <text>, with nothing else in the same row"
            )
            raise WxtextError(message.format(file=file))
    if (too_large := _too_large(page, target)) and not _too_large(old, target):
        raise WxtextError(f"{file}: {too_large}")


def _no_comments(old: str, begin: int, target: Target) -> str:
    """Say why the markers of a page are no comments; `begin` is the offset of the first."""
    document = read(old, COMPILERS[target])
    if document.refusals and (not document.events or document.events[-1][2] <= begin):
        return _("correct first what is before the markers; {reason}").format(
            reason=refused(old, document, target)
        )
    return _(
        "the markers are no comments where they stand, in a tag, a script, a binding or another comment; "
        "put them between elements"
    )


def _template_around(document: Document, offset: int) -> str | None:
    """Return the name of the template that is defined around an offset, None if there is none."""
    open_tags = []
    for kind, start, _end, tag, _text in document.events:
        if start >= offset:
            break
        if kind == "open" and tag is not None and not tag.self_closing:
            open_tags.append(tag)
        elif kind == "close" and open_tags:
            open_tags.pop()
    names = [tag.constant("name") for tag in open_tags if tag.role == "define"]
    return str(names[-1]) if names and isinstance(names[-1], str) else None


def _too_large(page: str, target: Target) -> str | None:
    """Say what of a page is more than the compiler can take, None if nothing is."""
    from wxtext.lint import Settings, check

    for problem in check(page, target, Settings(select=frozenset(("too-large",)))):
        if problem.severity is Severity.ERROR:
            return f"{problem.span.line}:{problem.span.column}: {problem.message}"
    return None
