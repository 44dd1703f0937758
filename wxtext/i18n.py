"""Messages in the reader's language.

English is in the code; Chinese is in a gettext catalogue. A message is looked up when it is made.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from gettext import NullTranslations

Language = Literal["en", "zh"]

_CATALOGUES: Final = Path(__file__).parent / "locale"
_language: Language = "en"


def use(language: Language) -> None:
    """Make messages in this language from now on."""
    global _language  # noqa: PLW0603 - one language a process, as the locale is
    _language = language


def language_of_locale() -> Language:
    """Say which language the environment asks for."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable)
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    if os.name == "nt":
        import locale

        return "zh" if (locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"
    return "en"


def _(message: str) -> str:
    """Translate a message; what stands in braces is put in afterwards, by `str.format`."""
    return message if _language == "en" else _catalogue(_language).gettext(message)


@lru_cache
def _catalogue(language: Language) -> NullTranslations:
    import gettext

    return gettext.translation("wxtext", _CATALOGUES, [language])
