"""The JSON files of a Mini Program as people write them: with comments, trailing commas, byte order marks."""

# ruff: noqa: PTH114, PTH116, PTH118, PTH123
# Paths are text, as in `project`.

from __future__ import annotations

import json
import os
import re
import stat
from typing import Any, Final

from wxtext.errors import SourceError
from wxtext.i18n import _, system_message

#: How many bytes a file may have: an app.json of 200 000 pages has six million.
_LARGEST: Final = 16 << 20

# A string, also one that is not closed, or a comment.
_COMMENT: Final = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|//[^\n]*|/\*(?:.*?\*/|.*)', re.DOTALL)
# A string again, a comma without a value before it, or one that is last.
_TRAILING_COMMA: Final = re.compile(
    r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|[\[{:,][ \t\r\n]*,|,(?=[ \t\r\n]*[}\]])', re.DOTALL
)


def read_json(path: str, within: str) -> dict[str, Any]:
    """Return the object that is in a file; an empty one if nothing is in it.

    Comments and trailing commas count for nothing. Raises `SourceError` if the file cannot be read, is no
    regular file, has more than 16 MB, holds anything but one object, or is a link that leads out of the
    folder `within`: one line that names the file, and where there is no JSON, its line and column (from 1,
    in code points).
    """
    try:
        text = _text(path, within)
        values = _parsed(text) if text.strip() else {}
    except json.JSONDecodeError as error:
        place = f"{path}:{error.lineno}:{error.colno}"
        raise SourceError(
            _("{file}: this is no JSON: {error}").format(file=place, error=error.msg)
        ) from error
    except UnicodeDecodeError as error:
        message = _("{file}: the byte at offset {offset} is not valid UTF-8, which JSON has to be")
        raise SourceError(message.format(file=path, offset=error.start)) from error
    except RecursionError as error:
        raise SourceError(_("{file}: this JSON is nested too deep").format(file=path)) from error
    except OSError as error:
        raise SourceError(f"{path}: {system_message(error)}") from error
    if not isinstance(values, dict):
        raise SourceError(_("{file}: this JSON is no object: it has to begin with a brace").format(file=path))
    return values


def _text(path: str, within: str) -> str:
    if os.path.islink(path):
        real, folder = os.path.realpath(path), os.path.realpath(within)
        if not real.startswith(os.path.join(folder, "")):
            message = _("{file}: this link leads out of {folder}, and is not followed")
            raise SourceError(message.format(file=path, folder=within))
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise SourceError(_("{file}: this is no regular file").format(file=path))
    if status.st_size > _LARGEST:
        message = _("{file}: this JSON has more than {most} MB")
        raise SourceError(message.format(file=path, most=_LARGEST >> 20))
    with open(path, encoding="utf-8-sig") as file:
        return file.read(_LARGEST)


def _parsed(text: str) -> Any:
    """Return the value of JSON. Raises ValueError for text that is none, at its place in `text`."""
    try:
        # Whole numbers of more digits than the interpreter takes are no fault.
        return json.loads(text, parse_int=float)
    except json.JSONDecodeError:
        # Spaces stand in for what is taken out, so that all else keeps its line and column.
        plain = _TRAILING_COMMA.sub(
            lambda match: " " if match[0] == "," else match[0], _COMMENT.sub(_blank_comment, text)
        )
        return json.loads(plain, parse_int=float)


def _blank_comment(match: re.Match[str]) -> str:
    text = match[0]
    if text[0] == '"' or (text.startswith("/*") and not text.endswith("*/", 2)):
        return text
    return re.sub(r"[^\n]", " ", text)
