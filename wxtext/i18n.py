"""Messages in the reader's language.

English is in the code; Chinese is in a gettext catalogue, which `python -m tests.catalogue` keeps up with the
code. A message is looked up when it is made. The library speaks English, unless it is told otherwise:

    wxtext.i18n.use("zh")

The command asks its option --lang, then the locale.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, get_args

if TYPE_CHECKING:
    from gettext import NullTranslations
    from pathlib import Path

Language = Literal["en", "zh"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)

#: The name of the catalogue.
DOMAIN: Final = "wxtext"

#: Of the process, and of a call in it that speaks another; other threads do not notice that.
_language: Language = "en"
_spoken: ContextVar[Language | None] = ContextVar("language", default=None)

# What is not prose in a docstring: examples and their labels, and what click is told not to wrap.
_LABEL: Final = re.compile("^(?:Bad:|Good:|Target: )", re.MULTILINE)
_RAW: Final = (" ", "\b")


def use(language: Language) -> None:
    """Make messages in this language from now on."""
    global _language  # noqa: PLW0603 - of the process, as the locale is
    _language = language


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Make messages in this language inside a `with`, in this thread alone."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def language() -> Language:
    """Say which language messages are in."""
    return _spoken.get() or _language


def language_of_locale() -> Language:
    """Say which language the environment asks for, as gettext of GNU reads it."""
    variables = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, variables), "")
    if not locale and os.name == "nt":
        from locale import getlocale

        locale = getlocale()[0] or ""
    if locale.partition(".")[0] in ("", "C", "POSIX"):
        return "en"
    wanted = [*os.environ.get("LANGUAGE", "").split(":"), locale]
    known = (name[:2].lower() for name in wanted if name.lower().startswith(("en", "zh", "chinese")))
    return "en" if next(known, "en") == "en" else "zh"


def _(message: str) -> str:
    """Translate a message; what stands in braces is put in afterwards, by `str.format`."""
    spoken = _spoken.get() or _language
    return message if spoken == "en" else _catalogue(spoken).gettext(message)


def prose(text: str, translate: Callable[[str], str] = _) -> str:
    """Translate a docstring: each paragraph, which becomes one line, and the labels of examples.

    In English it stays as it is.
    """
    if translate is _ and language() == "en":
        return text
    return "\n\n".join(_paragraph(paragraph, translate) for paragraph in text.split("\n\n"))


def _paragraph(text: str, translate: Callable[[str], str]) -> str:
    if text.startswith(_RAW) or _LABEL.match(text):
        return _LABEL.sub(lambda label: translate(label[0]), text)
    return translate(" ".join(text.split()))


def system_message(error: OSError) -> str:
    """Say what the system says."""
    return _(error.strerror) if error.strerror else str(error)


def catalogues() -> Path:
    """Say which folder the catalogues are in."""
    from pathlib import Path

    return Path(__file__).parent / "locale"


@cache
def _catalogue(language: Language) -> NullTranslations:
    import gettext

    return gettext.translation(DOMAIN, catalogues(), [language], fallback=True)
