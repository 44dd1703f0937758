"""The limits of own rules: what an expression may cost, and what stops it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import Run
from wxtext import tree, xpath
from wxtext.page import Page
from wxtext.problem import Severity
from wxtext.xpath import SlowXPathError, Worker, XPathError, cost, is_cheap

#: It takes half a minute on 1 000 nested tags.
SLOW = "//*[count(ancestor::*[count(descendant::*)>0])>1e9]"
NESTED = "<view>" * 1_000 + "</view>" * 1_000

USUAL = [
    "//text",
    "//text[@style]",
    "//@style",
    "//*[@wx:if]/@bind:tap",
    "//text/text()",
    "//comment()",
    "//view[count(*) = 1 and not(@wx:for)]/child::text/b",
    "//text[@style] | //view[@style]",
    "//image[not(@lazy-load)]",
    "//text[not(ancestor::view)]",
    "//*[@class='a' or @class='b']",
    "//text[contains(@class, 'x')]",
    "//text()[contains(., '{{')]",
    "/wxml/view/text[1]",
    "//view[.//button]",
    "count(//view) > 500",
]


@pytest.fixture(autouse=True)
def _end_worker() -> Iterator[None]:
    yield
    xpath.worker().close()


@pytest.mark.parametrize(
    ("expression", "power"),
    [
        ("", 0),
        ("//text", 1),
        ("//text[@style = 'a']", 1),
        ("//a[b]/c[@d]", 1),
        ("//a[count(b) > 1]", 1),
        ("//a[b > 1]", 2),
        ("//a[. = 'x']", 2),
        ("//a[@b = @c]", 2),
        ("//a[contains(@b, 'c')]", 2),
        ("//a[.//b]", 2),
        ("//a[//b]", 2),
        ("//a[not(//b)]", 2),
        ("//a//b", 3),
        ("//a[../b]", 2),
        ("//a/..", 3),
        ("//a[following-sibling::b[preceding::c]]", 3),
        ("//a | //b", 2),
        ("*[//a]", 2),
        ("/*[//a]", 2),
        ("//*[/*/*[//a]]", 3),
        ("//a[//b = //c]", 3),
        ("(//a)[//b]", 2),
        ("//a * //b", 2),
        ("//div[mod]/and/*", 1),
        ("//*//*//*", 5),
        (SLOW, 3),
    ],
)
def test_cost(expression: str, power: int) -> None:
    assert cost(expression)[1] == power


@pytest.mark.parametrize("expression", USUAL)
def test_usual_rules_on_usual_pages_start_no_process(expression: str) -> None:
    assert is_cheap(expression, 500)


def _random_expression(rng: random.Random, depth: int = 3) -> str:
    """An expression of any axes, nested predicates, unions and comparisons."""

    def step() -> str:
        axes = ("", "", "@", "ancestor::", "descendant::", "following::", "preceding-sibling::", "self::")
        return rng.choice(axes) + rng.choice(("*", "a", "b")) + predicate()

    def predicate() -> str:
        if depth == 0 or rng.random() < 0.5:
            return ""
        return f"[{_random_expression(rng, depth - 1)}]"

    def path() -> str:
        start = rng.choice(("", "/", "//", ".//", "../", "..//", "./"))
        return start + rng.choice(("/", "//")).join(step() for _ in range(rng.randint(1, 2)))

    kind = rng.randrange(6)
    if kind == 0:
        return f"{path()} = {path()}"
    if kind == 1:
        return f"count({path()}) > {rng.randrange(9)}"
    if kind == 2:
        return f"contains({path()}, '{rng.choice('ab')}')"
    if kind == 3:
        return f"{path()} | {path()}"
    return path()


#: What makes axes long: pages that are deep, wide, full of attributes, full of text, and all of it.
SHAPES = {
    "deep": lambda n: "<a>" * n + "</a>" * n,
    "wide": lambda n: "<a/><b/>" * (n // 2),
    "attributes": lambda n: "<a a='1' b='2'>" * (n // 3) + "</a>" * (n // 3),
    "texts": lambda n: "<a>1<!---->" * (n // 3) + "</a>" * (n // 3),
    "tree": lambda n: ("<a>" * 10 + "<b c='1'>2</b>" * 10 + "</a>" * 10) * (n // 40),
    "long text": lambda n: "<a>" * (n // 2) + "1" * (n * 32) + "</a>" * (n // 2),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_counts_as_cheap_takes_little_time(shape: str) -> None:
    rng = random.Random(7)
    pages = {
        size: tree.Tree(Page(SHAPES[shape](size), "glass-easel")) for size in (30, 100, 400, 1_500, 3_900)
    }
    for _ in range(400):
        expression = _random_expression(rng)
        size = max((size for size in pages if is_cheap(expression, size)), default=None)
        if size is not None:
            begin = time.perf_counter()
            list(pages[size].find(tree._compiled(f"boolean({expression})")))
            # Twenty million steps take half a second at most; the machine may be busy.
            assert time.perf_counter() - begin < 5, (expression, size)


def _findings(expression: str, source: str) -> list[tuple[int, int]]:
    rule = tree.rule("own", expression, "message", Severity.INFO)
    return [(finding.start, finding.end) for finding in rule.check(Page(source, "webview"))]


def test_the_worker_finds_what_would_be_found_here() -> None:
    worker = Worker()
    source = "<view class='a'>甲<!-- c --><text wx:if='{{a}}' style='b'>乙</text> \n<b/></view>" * 3
    for expression in [*USUAL, "//*//*", "//*[//text()]", "//nothing"]:
        here = list(tree.Tree(Page(source, "webview")).find(tree._compiled(expression)))
        assert worker.find(source, "webview", expression) == here
    with pytest.raises(XPathError, match="neither nodes nor a truth value"):
        worker.find(source, "webview", "count(//a)")
    assert worker.find("<a/>", "webview", "//a") == [(0, 4)]
    worker.close()


@pytest.mark.parametrize(
    ("expression", "source"),
    [
        (SLOW, NESTED),
        ("//*" * 20, NESTED),
        # What takes memory.
        (f"//*[contains(concat({','.join('/' * 4_000)}), 'b')]", f"<text>{'a' * 1_000_000}</text>"),
    ],
)
def test_what_takes_too_long_is_stopped(expression: str, source: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(SlowXPathError) as caught:
        _findings(expression, source)
    # The limit is two seconds; unlimited, these take from half a minute to centuries.
    assert time.perf_counter() - begin < 20
    assert str(caught.value) == (
        "rule 'own': it takes more than 2 seconds, or too much memory, on this page; make its XPath simpler, "
        "with fewer steps like // and ancestor::"
    )
    # The next expression gets a new process.
    assert _findings("//*[//b]//c", "<view>" + "<b/>" * 300 + "<c/></view>") == [(1206, 1210)]


def test_large_pages_are_looked_at_in_time_or_not_at_all() -> None:
    found = _findings("//text", "<view>" * 20_000 + "<text/>" + "</view>" * 20_000)
    assert found == [(120_000, 120_007)]
    with pytest.raises(SlowXPathError):
        _findings("//comment()", "<!--a-->b" * 100_000)


@pytest.mark.parametrize("function", ["document", "doc", "unparsed-text", "ext:document", "xi:include"])
def test_no_file_can_be_read(function: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.xml"
    secret.write_text("<a>secret</a>", "utf-8")
    for expression in (f"{function}('{secret.as_uri()}')//a", f"//*[{function}('{secret}')]"):
        with pytest.raises(XPathError, match="Unregistered function"):
            _findings(expression, "<a/>")


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("//a[$x]", "Undefined variable"),
        ("//a[re:test(., '(a+)+$')]", "Unregistered function"),
        ("str:padding(1000000000)", "Unregistered function"),
        ("exsl:node-set(//a)", "Unregistered function"),
        ("(" * 4_000 + "1" + ")" * 4_000, "Recursion limit exceeded"),
        ("*" + "[*" * 3_000 + "]" * 3_000, "Recursion limit exceeded"),
        ("(" * 10_001, "it has 10001 characters; at most 10000 are allowed"),
    ],
)
def test_what_cannot_be_evaluated_is_an_error(expression: str, reason: str) -> None:
    with pytest.raises(XPathError) as caught:
        _findings(expression, "<a/>")
    shown = expression if len(expression) <= 200 else expression[:200] + "…"
    assert str(caught.value) == f"rule 'own': {shown!r} is not right: {reason}"


def test_the_worker_takes_nothing_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("wxtext", "lxml", "pickle", "re"):
        Path(tmp_path, f"{name}.py").write_text("open('ran', 'w')\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    worker = Worker()
    assert worker.find("<a/>", "webview", "//a") == [(0, 4)]
    worker.close()
    assert not Path("ran").exists()


def test_without_a_process_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "")
    with pytest.raises(XPathError, match="it may take long, and no process can be started for it"):
        _findings(SLOW, NESTED)


def test_the_command_tells_and_goes_on(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rules = "\n".join(
        f"{name} = {{xpath = '{expression}', message = 'here', severity = 'warning'}}"
        for name, expression in (("slow", SLOW), ("styled", "//text[@style]"))
    )
    Path(tmp_path, "wxtext.toml").write_text(f"select = ['slow', 'styled']\n[rules]\n{rules}\n", "utf-8")
    Path(tmp_path, "a.wxml").write_text(NESTED, "utf-8")
    Path(tmp_path, "b.wxml").write_text(f"{NESTED}<text style='a'/>", "utf-8")
    begin = time.perf_counter()
    result = run("check", "a.wxml", "b.wxml")
    assert time.perf_counter() - begin < 20
    assert result.code == 2
    assert result.out.splitlines()[0].startswith("b.wxml:1:13001: warning styled: here")
    assert result.err.count("rule 'slow'") == 1
    assert "a.wxml: rule 'slow': it takes more than 2 seconds" in result.err
    assert "from here on the rule is left out" in result.err


def test_after_a_few_slow_rules_no_other_is_run(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rules = "\n".join(
        f"slow-{number} = {{xpath = '{SLOW} or {number}=0', message = 'here', severity = 'warning'}}"
        for number in range(6)
    )
    Path(tmp_path, "wxtext.toml").write_text(f"[rules]\n{rules}\n", "utf-8")
    Path(tmp_path, "a.wxml").write_text(NESTED, "utf-8")
    result = run("check", "a.wxml")
    assert result.code == 2
    assert result.err.count("takes more than 2 seconds") == 3
    assert "from here on all own rules are left out" in result.err
