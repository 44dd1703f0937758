"""A page as an lxml tree, and the rules that projects write in XPath.

The tree has one root, `wxml`; below it are elements, texts (as written, bindings too) and comments. A
`<wxs>` is there without its script. Names are spelled as in WXML, but for what XML does not allow:

- What stands before the first colon of a name is a namespace prefix: `//*[@wx:if]`, `@bind:tap`,
  `@model:value`. In XPath every prefix can be used; `*[starts-with(name(), ...)]` is of no use.
- Any other character that cannot stand in an XML name is `_`, so `wx:for:a` is `wx:for_a`, and a name that
  would begin with a digit, `-` or `.` gets a `_` before it. (Neither compiler takes `@tap`.)

An attribute without a value has an empty one. Characters that XML does not know, such as U+0000, are U+FFFD.
What an expression finds is reported where it stands: elements by their start tags, attributes, texts and
comments whole. It may also be a truth value, such as `count(//view) > 500`, which is reported at the start
of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary

from lxml import etree

from wxtext import xpath as limits
from wxtext.caches import cached
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Finding, Severity
from wxtext.rules import Rule
from wxtext.semantics import Target
from wxtext.wxml import Attribute, Event, Tag
from wxtext.xpath import SlowXPathError, XPathError

__all__ = ["SlowXPathError", "Tree", "XPathError", "rule", "work", "xml_name"]

#: So many characters take a text, or a comparison of it, as long as a step to a node.
_TEXT_PER_NODE: Final = 64

#: So many characters of an expression are shown in a message.
_SHOWN: Final = 200

#: The start of the URI of a prefix's namespace.
_NAMESPACE: Final = "wxml:"

#: What is no character in XML 1.0.
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# Names of XML 1.0 without colons, which libxml2 wants by the rules of its fourth edition; ours are ASCII.
_NO_NAME: Final = re.compile(r"[^\w.-]", re.ASCII)
_NO_NAME_START: Final = re.compile(r"(?=[\d.-]|\Z)", re.ASCII)

# A prefix in an expression, and what looks like one: a string, an axis.
_PREFIX: Final = re.compile(r"""'[^']*'|"[^"]*"|([A-Za-z_][\w.-]*)(:(?!:))?""", re.ASCII)


class Tree:
    """A page as a tree, and where everything in it stands."""

    def __init__(self, page: Page) -> None:
        """Build the tree; it never raises."""
        self.root = etree.Element("wxml")
        #: Where elements and comments stand; a comment has no tag.
        self._tags: dict[etree._Element, tuple[Tag | None, int, int]] = {}
        #: By the element that a text is in or comes after: where it stands.
        self._texts: dict[tuple[etree._Element, bool], tuple[int, int]] = {}
        #: Of elements of which attributes were found: these by their names in XML.
        self._attributes: dict[etree._Element, dict[str, Attribute]] = {}
        self._build(page.source, page.events)

    def __del__(self) -> None:
        """Let go of elements from the last one up.

        For each that goes, lxml looks for the nearest one above that is still there, up to the root.
        """
        self._texts.clear()
        self._attributes.clear()
        while self._tags:
            self._tags.popitem()

    def _build(self, source: str, events: list[Event]) -> None:
        parent = self.root
        last: etree._Element | None = None  # the child that text comes after
        texts: list[tuple[int, int]] = []  # those directly before, which are one in XML
        for kind, start, end, tag, _text in events:
            if kind in ("text", "space"):
                texts.append((start, end))
                continue
            if texts:
                self._add_text(parent, last, source, texts)
                texts = []
            if kind == "close":
                outer = parent.getparent()
                assert outer is not None
                last, parent = parent, outer
            elif kind == "comment":
                last = etree.Comment(_comment(source[start:end]))
                parent.append(last)
                self._tags[last] = None, start, end
            elif tag is not None:
                last = _element(parent, tag, source, start)
                self._tags[last] = tag, start, end
                if kind == "open" and not tag.self_closing:
                    parent, last = last, None
        if texts:
            self._add_text(parent, last, source, texts)

    def _add_text(
        self, parent: etree._Element, last: etree._Element | None, source: str, spans: list[tuple[int, int]]
    ) -> None:
        start, end = spans[0]
        text = source[start:end] if len(spans) == 1 else "".join([source[start:end] for start, end in spans])
        text = _NO_XML.sub("\ufffd", text)
        if last is None:
            parent.text, key = text, (parent, False)
        else:
            last.tail, key = text, (last, True)
        self._texts[key] = start, spans[-1][1]

    def find(self, xpath: etree.XPath) -> Iterator[tuple[int, int]]:
        """Yield the offsets of what an expression finds. Raises `XPathError`."""
        try:
            found: Any = xpath(self.root)
        except etree.XPathError as error:
            raise XPathError(str(error)) from error
        if isinstance(found, bool):
            found = [self.root] if found else []
        if not isinstance(found, list):
            raise XPathError(_("it finds neither nodes nor a truth value"))
        for node in found:
            yield self._place(node)

    def _place(self, node: Any) -> tuple[int, int]:
        if not isinstance(node, str):  # an element or a comment
            _tag, start, end = self._tags.get(node, (None, 0, 0))
            return start, end
        # lxml's strings know where they come from.
        smart: Any = node
        parent = smart.getparent()
        if not smart.is_attribute:
            return self._texts[parent, smart.is_tail]
        tag, start, _end = self._tags[parent]
        attributes = self._attributes.get(parent)
        if attributes is None:
            assert tag is not None
            attributes = {xml_name(attribute.name): attribute for attribute in tag.attributes.values()}
            self._attributes[parent] = attributes
        attribute = attributes[smart.attrname]
        return start + attribute.start, start + attribute.end


def _element(parent: etree._Element, tag: Tag, source: str, start: int) -> etree._Element:
    """Add the element that a tag at `start` begins."""
    attributes = {}
    for attribute in tag.attributes.values():
        span = attribute.span
        value = "" if span is None else source[start + span[0] : start + span[1]]
        attributes[xml_name(attribute.name)] = _NO_XML.sub("\ufffd", value) if value else ""
    name = xml_name(tag.name)
    if ":" not in tag.name and not any(":" in name for name in tag.names):
        return etree.SubElement(parent, name, attributes)
    uris = {name[1:].partition("}")[0] for name in (name, *attributes) if name[0] == "{"}
    # Each element has its own declarations: libxml2 would look for them in all elements around it.
    return etree.SubElement(parent, name, attributes, {f"n{index}": uri for index, uri in enumerate(uris)})


@cached(4096)
def xml_name(name: str) -> str:
    """Spell a name of WXML as lxml wants it: `{namespace}name`."""
    prefix, colon, local = name.partition(":")
    if not (colon and prefix and local):
        return _spelled(name)
    return f"{{{_NAMESPACE}{_spelled(prefix)}}}{_spelled(local)}"


def _spelled(name: str) -> str:
    return ("_" if _NO_NAME_START.match(name) else "") + _NO_NAME.sub("_", name)


def _comment(source: str) -> str:
    """Return what is in a comment, without what XML does not allow there."""
    inside = source.removeprefix("<!--").removesuffix("-->")
    return re.sub("-(?=-|$)", "- ", _NO_XML.sub("\ufffd", inside))


def rule(name: str, xpath: str, message: str, severity: Severity) -> Rule:
    """Make a rule of an expression.

    Raises `XPathError` if it is wrong; so does its `check`, for what shows only there. `check` raises
    `SlowXPathError` where the expression takes longer than `xpath.SECONDS` on a page.
    """

    def wrong(error: Exception) -> XPathError:
        message = _("rule {name!r}: {xpath!r} is not right: {error}")
        return XPathError(message.format(name=name, xpath=_shorten(xpath), error=error))

    def check(page: Page) -> Iterator[Finding]:
        try:
            for start, end in _find(page, xpath):
                yield Finding(start, end, message)
        except SlowXPathError as error:
            told = _(
                "rule {name!r}: {error}; make its XPath simpler, with fewer steps like // and ancestor::"
            )
            raise SlowXPathError(told.format(name=name, error=error)) from error
        except XPathError as error:
            raise wrong(error) from error

    try:
        _compiled(xpath)
    except XPathError as error:
        raise wrong(error) from error
    list(check(Page("", "webview")))  # sees functions that do not exist, and numbers instead of nodes
    return Rule(name, severity, check, message, subject=name)


def _shorten(text: str) -> str:
    """Return the start of a text, which is to be part of a line."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


@lru_cache(maxsize=64)
def _compiled(xpath: str) -> etree.XPath:
    """Compile an expression. Raises `XPathError`."""
    if len(xpath) > limits.LONGEST:
        message = _("it has {count} characters; at most {most} are allowed")
        raise XPathError(message.format(count=len(xpath), most=limits.LONGEST))
    prefixes = {match[1] for match in _PREFIX.finditer(xpath) if match[2]}
    try:
        # The prefix "xml" has its namespace once and for all.
        return etree.XPath(xpath, namespaces={prefix: _NAMESPACE + prefix for prefix in prefixes - {"xml"}})
    except (etree.XPathError, ValueError) as error:  # a ValueError for characters that XML does not know
        raise XPathError(str(error)) from error


def _find(page: Page, xpath: str) -> Iterable[tuple[int, int]]:
    """Return what an expression finds, evaluated here if that is cheap. Raises `XPathError`."""
    size = len(page.events) + len(page.source) // _TEXT_PER_NODE
    if size <= limits.LARGEST:
        size += sum(len(element.tag.names) for element in page.elements)
    if limits.is_cheap(xpath, size):
        return _tree(page).find(_compiled(xpath))
    return limits.worker().find(page.source, page.target, xpath)


_trees: WeakKeyDictionary[Page, Tree] = WeakKeyDictionary()


def _tree(page: Page) -> Tree:
    """Build the tree of a page once for all rules."""
    tree = _trees.get(page)
    if tree is None:
        tree = _trees[page] = Tree(page)
    return tree


# --- In the worker process ---------------------------------------------------------------------------------


def work() -> None:
    """Evaluate what the process that started this one asks, until it ends."""
    limits.work(_read, _find_in)


def _find_in(tree: Tree, xpath: str) -> list[tuple[int, int]]:
    return list(tree.find(_compiled(xpath)))


@lru_cache(maxsize=1)
def _read(source: str, target: Target) -> Tree:
    """Read a page, which one rule after the other asks about."""
    return Tree(Page(source, target))
