"""How click speaks another language than English: it asks gettext, and gettext asks the environment."""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from wxtext import i18n

_lock = Lock()
#: For each call that is going on, what was before it.
_before: list[tuple[str, str | None]] = []


@contextmanager
def teaching_click() -> Iterator[None]:
    """Have click find its words in the catalogue, for what is done inside.

    What that takes belongs to the process: of calls in several threads, the last to end puts it back.
    """
    with _lock:
        _before.append((gettext.textdomain(), os.environ.get("LANGUAGE")))
        gettext.bindtextdomain(i18n.DOMAIN, str(i18n.catalogues()))
        gettext.textdomain(i18n.DOMAIN)
        os.environ["LANGUAGE"] = i18n.language()
    try:
        yield
    finally:
        with _lock:
            if len(_before) > 1:
                del _before[-1]
            else:
                domain, language = _before.pop()
                gettext.textdomain(domain)
                if language is None:
                    del os.environ["LANGUAGE"]
                else:
                    os.environ["LANGUAGE"] = language
