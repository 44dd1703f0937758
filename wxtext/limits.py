"""All sizes: what the compilers bear, what wxtext writes at most, what WeChat's audit advises.

Measured with miniprogram-compiler 0.2.3 (wcc), glass-easel-template-compiler 1.1.0 and glass-easel 0.12.1 in
node 20; `python -m tests.limits` measures again. There are two kinds. A *fixed number* is the same on every
machine, and needs no margin. What depends on a *stack* breaks earlier in a process that has compiled other
pages, and with a smaller stack, as phones have: it is measured with node's own stack (984 kB) after 400
other pages, and with half of it (492 kB). Texts that wxtext writes, and what it does not warn of, stay at a
quarter of the first.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

# --- What depends on a stack -------------------------------------------------------------------------


class Limit(NamedTuple):
    """A size that depends on a stack."""

    #: Up to this nothing is said. What wxtext writes stays within.
    safe: int
    #: Past this it is an error.
    most: int


#: Bindings in one text node or value. glass-easel: 1 690 in a fresh process, 1 312 after other pages, 640
#: with half the stack; past them it overflows, and so does every later page of the process. wcc: none met
#: (16 384).
BINDINGS: Final = Limit(250, 999)

#: How deep elements may be nested. glass-easel: 296 in a fresh process, 180 after other pages, 88 with half
#: the stack. wcc: 832 under `wx:for`; with half the stack, and 1 MB for wcc itself as on Windows, 320.
DEPTH: Final[dict[Literal["wcc", "glass-easel"], Limit]] = {
    "wcc": Limit(80, 800),
    "glass-easel": Limit(45, 175),
}

#: How many `wx:elif` may follow one `wx:if`. glass-easel: 1 216 with half the stack; without, the number of
#: variables ends it before. wcc: 3 584, with half the stack 1 728.
CHOICES: Final = Limit(500, 2_000)

#: How many levels an expression may have: one an operator, member or item, `BRACKET_LEVELS` a bracket.
#: glass-easel after other pages (with half the stack): 1 312 (640) members, 2 624 (1 280) operators, 864
#: (416) choices, 4 992 (2 368) items, 464 (232) objects in another, 544 (264) arrays. wcc: 1 920 (928)
#: members, 1 728 (832) operators, 1 728 (832) choices, 1 920 (928) items, 960 (464) arrays.
EXPRESSION: Final = Limit(325, 1_300)
BRACKET_LEVELS: Final = 3

# --- Fixed numbers -----------------------------------------------------------------------------------

#: How many elements wcc's output may make at run time: "Dom limit exceeded" past them.
WCC_ELEMENTS: Final = 15_999

#: How many variables the code of glass-easel may name in one scope. The next is called `if`: broken code.
GLASS_EASEL_VARIABLES: Final = 2_191

#: The steps after which wcc's tokenizer gives up an expression: one a byte, and one where it looks ahead.
WCC_STEPS: Final = 18_897

# --- What wxtext writes ------------------------------------------------------------------------------

#: How many elements `convert` writes at most, by target. The numbers above are fixed: the difference is for
#: the page around them.
WRITTEN_ELEMENTS: Final = {"webview": 15_000, "glass-easel": 2_000, "skyline": 2_000}

#: In so many characters the end of a binding is looked for. What is longer wcc may refuse, so it is text.
LONGEST_BINDING: Final = 18_000

#: How many characters are written into one string. Each may take two bytes, and as many backslashes follow.
WRITTEN_STRING: Final = 4_000

# --- Advice ------------------------------------------------------------------------------------------

#: The base library advises `user-select` for a text wider than this, in columns.
UNSELECTABLE_COLUMNS: Final = 200

#: What WeChat's audit advises: nodes of a page, children of a node, depth.
ADVISED_NODES: Final = 1_000
ADVISED_CHILDREN: Final = 60
ADVISED_DEPTH: Final = 30

#: Bytes of a page that `check` and `show` read: twice what a package may have.
PAGE: Final = 4 << 20

#: Bytes that one package of a Mini Program may have (documented).
PACKAGE: Final = 2 << 20
