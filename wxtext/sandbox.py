"""Templates of other people: what they may do, and how much of it.

A template comes with a project, and whoever converts a file there has not written it. So it gets a small
language, in which everything is refused that is not listed here:

- attributes: those that `templates/text.wxml.j2` promises; of other values, strings too, none at all;
- calls: macros, blocks, `loop.cycle` and `loop.changed`; there are no global functions;
- filters and tests: those of `_FILTERS` and `_TESTS`;
- templates to include: files in the template's own folder, and the built-in ones;
- work: each step, and each character or item that a step goes through, is charged to one budget.

That a budget bounds both time and memory rests on three facts. Every operation whose cost grows with its
values charges for them, most of them by nodes that `_Guards` puts into the syntax tree. Containers hold no
containers of their own, so none is larger than it looks. And no number is longer than 63 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast

import jinja2
from jinja2 import nodes
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS
from jinja2.loaders import split_template_path
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.tests import TESTS
from jinja2.visitor import NodeTransformer

from wxtext.i18n import _

#: How long a template may be, in code points.
LONGEST_TEMPLATE: Final = 50_000

#: What each step costs beside its characters, and each item of a container. A step takes about a
#: microsecond, in which some hundred characters are copied; an item takes up to 80 bytes.
_STEP: Final = 100
_ITEM: Final = 50
#: What each character of another template costs, which has to be compiled: some 20 microseconds.
_COMPILING: Final = 200

_LONGEST_NUMBER: Final = 63  # bits

#: Filters whose cost grows with the text or the items that they go through, and with nothing else.
_FILTERS: Final = (
    *("capitalize", "lower", "upper", "string", "int"),
    *("count", "length", "default", "d", "first", "last", "list", "reverse"),
    *("map", "select", "reject", "selectattr", "rejectattr", "sort", "unique", "max", "min"),
)
#: Of these, the ones that make text or a number of what they are given.
_OF_TEXT: Final = ("capitalize", "lower", "upper", "string", "int")
_TESTS: Final = (
    *("defined", "undefined", "none", "boolean", "true", "false", "number", "integer", "float", "string"),
    *("mapping", "sequence", "iterable", "lower", "upper", "odd", "even", "divisibleby", "in"),
    *("==", "eq", "equalto", "!=", "ne", ">", "gt", "greaterthan", ">=", "ge", "<", "lt", "lessthan"),
    *("<=", "le"),
)
#: What a template gets of the objects that jinja2 itself gives it.
_OF_JINJA: Final[dict[type, frozenset[str]]] = {
    LoopContext: frozenset(
        (
            *("index", "index0", "revindex", "revindex0", "first", "last", "length", "depth", "depth0"),
            *("previtem", "nextitem", "cycle", "changed"),
        )
    ),
    BlockReference: frozenset({"super"}),
}
_LOOP_METHODS: Final = ("cycle", "changed")

_SCALARS: Final = (str, int, float, type(None))
_CONTAINERS: Final = (list, tuple, dict)


class Sandbox(ImmutableSandboxedEnvironment):
    """An environment for one template of somebody else's, used for one conversion.

    `path` is the template; `built_in` the folder of the built-in ones. `promised` are the attributes that
    templates get, by type. Raises `SecurityError`, with a message for the user, for what is not allowed.
    """

    intercepted_binops = frozenset(ImmutableSandboxedEnvironment.default_binop_table)

    def __init__(
        self, path: Path, built_in: Path, promised: Mapping[type, frozenset[str]], **syntax: Any
    ) -> None:
        # Nothing is evaluated ahead of time: a budget is spent where something runs.
        super().__init__(
            loader=_Loader(path, built_in, self.charge), optimized=False, auto_reload=False, **syntax
        )
        self._attributes = {**_OF_JINJA, **promised}
        self._budget = 0
        self.globals.clear()
        functions = cast("Mapping[str, Callable[..., Any]]", FILTERS)
        self.filters = {name: self._guarded(name, functions[name]) for name in _FILTERS}
        self.filters |= {"join": self._join, "replace": self._replace, "trim": self._trim}
        self.filters |= {
            _Guards.WRITTEN: self._written,
            _Guards.COUNTED: self._counted,
            _Guards.WEIGHED: self._weighed,
            _Guards.FLAT: self._flat,
        }
        tests = cast("Mapping[str, Callable[..., Any]]", TESTS)
        self.tests = {name: self._guarded(name, tests[name]) for name in _TESTS}

    def allow(self, budget: int) -> None:
        """Let the template spend this much from now on."""
        self._budget = budget

    def charge(self, units: int) -> None:
        """Spend some of the budget. Raises `SecurityError` when it is used up."""
        self._budget -= units
        if self._budget < 0:
            raise SecurityError(
                _("it takes more steps, or makes more text, than notes of this size can need")
            )

    def _generate(self, source: nodes.Template, *args: Any, **options: Any) -> str:
        return super()._generate(_Guards().visit(source), *args, **options)

    # Attributes, items, calls.

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute that is promised, or an item of that name."""
        if attribute in self._attributes.get(type(obj), ()):
            return getattr(obj, attribute)
        if isinstance(obj, TemplateModule) and not attribute.startswith("_"):
            # What it exports stands beside attributes and methods of its own.
            exported = vars(obj)
            return exported.get(attribute, self.undefined(obj=obj, name=attribute))
        return self._item(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an item, or an attribute that is promised."""
        if isinstance(argument, str) and not isinstance(obj, dict):
            return self.getattr(obj, argument)
        return self._item(obj, argument)

    def _item(self, obj: Any, key: Any) -> Any:
        self.charge(self._weight(key))
        if isinstance(obj, Undefined):
            str(obj)  # which raises
        try:
            return obj[key]
        except (TypeError, LookupError):
            pass
        name = str(key) if isinstance(key, _SCALARS) else ""
        if name.startswith("_") or hasattr(obj, name):
            message = _("{name!r} of {kind} is nothing that templates get")
            raise SecurityError(message.format(name=name, kind=type(obj).__name__))
        return self.undefined(obj=obj, name=name)

    def call(self, context: Context, obj: Any, /, *args: Any, **keywords: Any) -> Any:
        """Call a macro, a block, or what a loop has to be called."""
        of_loop = isinstance(getattr(obj, "__self__", None), LoopContext) and obj.__name__ in _LOOP_METHODS
        if not isinstance(obj, Undefined) and not (of_loop or isinstance(obj, (Macro, BlockReference))):
            raise SecurityError(_("only macros, blocks, loop.cycle and loop.changed can be called"))
        for value in chain(args, keywords.values()):
            self._flat(value)
        return context.call(obj, *args, **keywords)

    # Operators.

    def call_binop(self, _context: Context, operator: str, left: Any, right: Any) -> Any:
        """Calculate, join texts and lists, repeat them."""
        self.charge(_STEP + self._weight(left) + self._weight(right))
        numbers = all(isinstance(value, (int, float)) for value in (left, right))
        if operator == "**" or (operator == "%" and not numbers):
            raise SecurityError(_("{operator} is not there for templates").format(operator=operator))
        if operator == "*" and not numbers:
            for many, times in (left, right), (right, left):
                if isinstance(times, int):
                    self.charge((self._weight(many) + _ITEM * len(_items(many))) * max(times, 0))
        return self._short(self.binop_table[operator](left, right))

    # Guards: filters that `_Guards` puts around parts of a template.

    @jinja2.pass_context
    def _written(self, _context: Context, value: Any) -> Any:
        """Look at what is about to be written. With the context as argument it never runs ahead of time."""
        if not isinstance(value, (*_SCALARS, Undefined)):
            message = _("only text and numbers can be written, not {kind}")
            raise SecurityError(message.format(kind=type(value).__name__))
        self.charge(_STEP + self._weight(value))
        return value

    def _counted(self, values: Iterable[Any]) -> Iterator[Any]:
        """Charge for each step of a loop."""
        for value in values:
            self.charge(_STEP)
            yield value

    def _weighed(self, value: Any) -> Any:
        """Charge for a value that is about to be gone through."""
        self.charge(_STEP + self._weight(value))
        return value

    def _flat(self, value: Any) -> Any:
        """Charge for a value, and refuse containers that hold containers."""
        self.charge(_STEP + self._weight(value))
        if any(type(item) in _CONTAINERS for item in _items(value)):
            raise SecurityError(_("a list cannot hold other lists here"))
        return value

    # Filters and tests.

    def _guarded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a filter or test that charges for its values and its result."""
        passed = hasattr(function, "jinja_pass_arg")

        # This also copies what jinja2 has noted on the function: that it wants the context, for example.
        @wraps(function)
        def guarded(*args: Any, **keywords: Any) -> Any:
            value, *others = args[passed:]
            self.charge(_STEP + self._weight(value))
            if name in _OF_TEXT:
                self._text(value)
            for other in chain(others, keywords.values()):
                self._flat(other)
            result = function(*args, **keywords)
            if isinstance(result, Iterator):
                return self._counted(result)
            self.charge(self._weight(result))
            return self._short(result)

        return guarded

    @jinja2.pass_environment
    def _join(self, _environment: Any, values: Any, between: Any = "", attribute: Any = None) -> str:
        if attribute is not None:
            names = self._text(attribute).split(".")
            values = (self._along(value, names) for value in values)
        separator = self._text(between)
        texts = []
        for value in self._counted(values):
            texts.append(self._text(value))
            self.charge(len(separator))
        return separator.join(texts)

    def _along(self, value: Any, names: list[str]) -> Any:
        for name in names:
            value = self.getitem(value, name)
        return value

    def _replace(self, value: Any, old: Any, new: Any, count: int | None = None) -> str:
        text, found, instead = self._text(value), self._text(old), self._text(new)
        self.charge(_STEP + text.count(found) * len(instead))
        return text.replace(found, instead, -1 if count is None else count)

    def _trim(self, value: Any, characters: Any = None) -> str:
        text = self._text(value)
        if characters is None:
            return text.strip()
        stripped = self._text(characters)
        self.charge(len(text) * len(stripped))
        return text.strip(stripped)

    def _text(self, value: Any) -> str:
        """Return a text or number as text, and charge for it. Raises `SecurityError` for anything else."""
        if isinstance(value, Undefined):
            return str(value)  # which raises
        if not isinstance(value, _SCALARS):
            raise SecurityError(_("{kind} is no text").format(kind=type(value).__name__))
        self.charge(_STEP + self._weight(value))
        return str(value)

    # Weights.

    def _weight(self, value: Any) -> int:
        """Return how many characters a value has, those of its items too; items are charged for at once."""
        if isinstance(value, str):
            return len(value)
        weight = 0
        for item in _items(value):
            self.charge(_ITEM)
            weight += self._weight(item)
        return weight

    def _short(self, value: Any) -> Any:
        if isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER:
            raise SecurityError(_("a number becomes too large"))
        return value


def _items(value: Any) -> Collection[Any]:
    """Return what a list, tuple or dict holds, but not those of a class of their own; else nothing."""
    if type(value) not in _CONTAINERS:
        return ()
    return [*value, *value.values()] if isinstance(value, dict) else value


class _Guards(NodeTransformer):
    """Puts filters of `Sandbox` around the parts of a template that cost more the larger their values are."""

    #: Names that no template can write.
    WRITTEN = "[written]"
    COUNTED = "[counted]"
    WEIGHED = "[weighed]"
    FLAT = "[flat]"

    def visit_Output(self, node: nodes.Output) -> nodes.Node:  # noqa: N802 - jinja2 calls it so
        self.generic_visit(node)
        node.nodes = [_filter(child, self.WRITTEN) for child in node.nodes]
        return node

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802
        if node.recursive:
            raise jinja2.TemplateSyntaxError(_("loops cannot be recursive here"), node.lineno)
        self.generic_visit(node)
        node.iter = _filter(node.iter, self.COUNTED)
        return node

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.expr = _filter(node.expr, self.WEIGHED)
        for operand in node.ops:
            operand.expr = _filter(operand.expr, self.WEIGHED)
        return node

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        if isinstance(node.arg, nodes.Slice):  # which is compiled without asking the environment
            node.node = _filter(node.node, self.WEIGHED)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _filter(nodes.List(node.nodes, lineno=node.lineno), "join")

    def _literal(self, node: nodes.Expr) -> nodes.Node:
        self.generic_visit(node)
        return node if getattr(node, "ctx", "load") != "load" else _filter(node, self.FLAT)

    visit_List = visit_Tuple = visit_Dict = _literal  # noqa: N815


def _filter(node: nodes.Node, name: str) -> nodes.Filter:
    return nodes.Filter(cast("nodes.Expr", node), name, [], [], None, None, lineno=node.lineno)


class _Loader(jinja2.BaseLoader):
    """Finds a template by its path, and others in its folder and that of the built-in ones."""

    def __init__(self, path: Path, built_in: Path, charge: Callable[[int], None]) -> None:
        self._path = path
        self._folders = (path.parent, built_in)
        self._charge = charge
        self._entered = False

    def get_source(
        self, _environment: jinja2.Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """Return the source of a template. Its own file may be a link to anywhere: the user has named it."""
        if self._entered:
            self._charge(_STEP * _COMPILING)
            path = self._find(template)
        else:
            self._entered = True
            path = self._path
        with path.open(encoding="utf-8") as file:
            source = file.read(LONGEST_TEMPLATE + 1)
        if len(source) > LONGEST_TEMPLATE:
            message = _("{file}: is longer than {limit} characters, which no template needs")
            raise SecurityError(message.format(file=path.name, limit=LONGEST_TEMPLATE))
        if path is not self._path:
            self._charge(_COMPILING * len(source))
        return source, None, None

    def _find(self, template: str) -> Path:
        parts = split_template_path(template)  # which raises for `..`
        for folder in self._folders:
            path = folder.joinpath(*parts)
            try:
                found = path.is_file()
                inside = path.resolve().is_relative_to(folder.resolve())
            except (OSError, ValueError, RuntimeError):
                continue
            if found and not inside:
                message = _("{name!r} is a link out of the folder of the template")
                raise SecurityError(message.format(name=template))
            if found:
                return path
        raise jinja2.TemplateNotFound(template)
