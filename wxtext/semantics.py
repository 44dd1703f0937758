"""Every fact about how WeChat reads and shows text, and both directions that follow from them.

Writing (characters to WXML source) and reading (WXML text to the characters the run time gets) stand side
by side here, so that they cannot drift apart. No other module spells a code point, an entity or a class of
white space of its own. The facts were measured with the official compilers (miniprogram-compiler 0.2.3,
glass-easel-template-compiler 1.1.0) and base libraries 2.8.2 and 2.30.3.
"""

from __future__ import annotations

from typing import Final, Literal

Target = Literal["webview", "glass-easel", "skyline"]
Compiler = Literal["wcc", "glass-easel"]
SpaceMode = Literal["ensp", "emsp", "nbsp"]

#: Which compiler reads the WXML of a target.
COMPILERS: Final[dict[Target, Compiler]] = {
    "webview": "wcc",
    "glass-easel": "glass-easel",
    "skyline": "glass-easel",
}

#: What each value of the attribute `space` turns U+0020 into (WebView only; Skyline ignores it).
SPACE_CHARACTERS: Final[dict[SpaceMode, str]] = {"ensp": "\u2002", "emsp": "\u2003", "nbsp": "\u00a0"}
