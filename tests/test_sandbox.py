"""A template may be anybody's: what it cannot do, and how much it cannot take."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import wxtext
from tests.command import ENVIRONMENT, Run

NOTES = "一\n\n  二\n"

#: The ways out of jinja2, and of its sandbox, that are told of in its documentation, in its advisories
#: (CVE-2016-10745, CVE-2019-10906, CVE-2024-56201, CVE-2024-56326, CVE-2025-27516) and in write-ups on
#: template injection. RUN stands for a command.
ESCAPES = [
    # Globals that lead to `os`.
    "[[ cycler.__init__.__globals__.os.popen('RUN').read() ]]",
    "[[ joiner.__init__.__globals__.os.popen('RUN').read() ]]",
    "[[ namespace.__init__.__globals__.os.popen('RUN').read() ]]",
    "[[ lipsum.__globals__['os'].popen('RUN').read() ]]",
    "[[ dict.mro()[-1].__subclasses__() ]]",
    "[[ range.__class__.__base__ ]]",
    "[[ url_for.__globals__.os.popen('RUN').read() ]]",
    "[[ get_flashed_messages.__globals__.__builtins__.open('/etc/passwd').read() ]]",
    "[[ config.__class__.__init__.__globals__['os'].popen('RUN').read() ]]",
    "[[ request.application.__globals__.__builtins__.__import__('os').popen('RUN').read() ]]",
    "[[ os.system('RUN') ]][[ __import__('os').system('RUN') ]]",
    # Objects that every template has.
    "[[ self.__init__.__globals__.__builtins__.__import__('os').popen('RUN').read() ]]",
    "[[ self._TemplateReference__context.cycler.__init__.__globals__.os.popen('RUN').read() ]]",
    "[[ self._TemplateReference__context.environment.loader ]]",
    "[[ self|attr('_TemplateReference__context') ]]",
    "[% for block in blocks %][[ loop.__init__.__globals__ ]][% endfor %]",
    "[% for block in blocks %][[ loop._iterator.gi_frame.f_builtins ]][% endfor %]",
    "[% for block in blocks %][[ loop['_undefined'] ]][% endfor %]",
    "[% for block in blocks %][[ loop.cycle.__func__.__globals__ ]][% endfor %]",
    "[% macro m() %][% endmacro %][[ m.__init__.__globals__ ]]",
    "[% macro m() %][% endmacro %][[ m._environment.loader ]]",
    "[% macro m() %][% endmacro %][[ m._func.__globals__ ]]",
    "[% macro m() %][[ caller.__globals__ ]][% endmacro %][% call m() %][% endcall %]",
    "[% macro m() %][[ varargs.__class__ ]][[ kwargs.__class__ ]][% endmacro %][[ m(1) ]]",
    "[% block b %][[ super.__self__ ]][% endblock %]",
    "[% block b %][% endblock %][[ self.b._context.environment ]]",
    '[% import "text.wxml.j2" as m %][[ m.__class__.__init__.__globals__ ]]',
    '[% import "text.wxml.j2" as m %][[ m._body_stream ]]',
    "[[ nothing.__class__ ]]",
    "[[ nothing._undefined_exception ]]",
    # What templates are given.
    "[[ blocks.__class__.__mro__ ]]",
    "[[ blocks[0].__class__ ]]",
    "[[ blocks[0]._replace(text='') ]]",
    "[[ blocks[0]._asdict() ]]",
    "[[ blocks[0].rows ]]",
    "[[ options.__class__.__init__.__globals__ ]]",
    "[[ options._fields ]]",
    "[[ options._make.__func__ ]]",
    "[[ start.__class__.__init__ ]][[ start.items() ]]",
    "[[ end.__class__ ]]",
    # Literals.
    "[[ ''.__class__.__mro__[1].__subclasses__() ]]",
    "[[ ''['__class__'] ]]",
    "[[ ''['\\x5f\\x5fclass\\x5f\\x5f'] ]]",
    "[[ ''['\\137\\137class\\137\\137'] ]]",
    "[[ ''['__cla' ~ 'ss__'] ]]",
    "[[ ''['__ssalc__'[::-1]] ]]",
    "[[ [].__class__.__base__.__subclasses__() ]]",
    "[[ {}.__class__ ]][[ ().__class__ ]][[ 1.0.__class__ ]][[ true.__class__ ]]",
    "[[ ().__class__.__base__.__subclasses__()[396]('RUN', shell=True) ]]",
    "[% for x in ().__class__.__base__.__subclasses__() %][[ x()._module ]][% endfor %]",
    "[% set c = ''.__class__ %]",
    "[% if ''.__class__ is defined %][% endif %]",
    "[[ ''.__class__|default('x') ]]",
    "[[ (1).to_bytes(9, 'big') ]]",
    # By a filter.
    "[[ ''|attr('__class__') ]]",
    "[[ ''|attr('\\x5f\\x5fclass\\x5f\\x5f') ]]",
    "[[ ''|attr(['_' * 2, 'class', '_' * 2]|join) ]]",
    "[[ request|attr('application')|attr('\\x5f\\x5fglobals\\x5f\\x5f')|attr('popen')('RUN') ]]",
    "[[ ['a']|map(attribute='__class__')|list ]]",
    "[[ ['a']|map(attribute='__class__.__mro__')|first ]]",
    "[[ ['a']|map('attr', '__class__')|list ]]",
    "[[ ['a']|map('format')|list ]]",
    "[[ ['a']|map(attribute='format')|first ]]",
    "[[ ['a']|sort(attribute='__class__')|list ]]",
    "[[ ['a']|groupby('__class__') ]]",
    "[[ ['a']|selectattr('__class__')|list ]]",
    "[[ ['a']|rejectattr('__class__', 'none')|list ]]",
    "[[ ['a']|unique(attribute='__class__')|list ]]",
    "[[ ['a']|sum(attribute='__class__') ]]",
    "[[ ['a']|max(attribute='__class__') ]]",
    "[[ ['a']|min(attribute='__doc__') ]]",
    "[[ ['a']|join(attribute='__class__') ]]",
    "[[ (['a']|map('lower')).gi_frame.f_builtins ]]",
    "[[ (['a']|map('lower')).__class__ ]]",
    "[[ blocks|pprint ]]",
    "[[ blocks|string ]]",
    "[[ blocks|join ]]",
    "[[ ['RUN']|map('[written]')|list ]][[ self ]]",
    # By formatting.
    "[[ '{0.__class__.__mro__}'.format(blocks) ]]",
    "[[ '{0.__class__}'.format_map({'0': blocks}) ]]",
    "[[ '{a.__class__}'|format(a=blocks) ]]",
    "[[ '%s' % blocks ]]",
    "[[ '%(a)s' % {'a': 1} ]]",
    "[[ ''.format ]]",
    "[[ ('{0.__class__}'|attr('format'))(blocks) ]]",
    "[% set f = '{0.__class__}'.format %][[ ['a']|map(f)|list ]]",
    "[% macro m(f) %][[ f(blocks) ]][% endmacro %][[ m('{0.__class__}'.format) ]]",
    "[[ blocks|map(attribute='text.format')|list ]]",
    "[% autoescape true %][[ ('{0.__class__}' ~ '').format(blocks) ]][% endautoescape %]",
    # What changes something.
    "[[ blocks.append(1) ]]",
    "[[ blocks.clear() ]]",
    "[[ start.update({'a': 1}) ]]",
    "[% do blocks.pop() %]",
    "[% set blocks.x = 1 %]",
    # Calls of what cannot be called.
    "[[ blocks[0].text() ]]",
    "[[ ['a']|map('RUN')|list ]]",
    "[[ 'a' is callable ]]",
    "[[ loop() ]]",
    "[% for x in [1] recursive %][[ loop([1]) ]][% endfor %]",
    # Other files, and names that hold code.
    "[% include '/etc/passwd' %]",
    "[% include '../secret.j2' %]",
    "[% include 'sub/../../secret.j2' %]",
    "[% include './../secret.j2' %]",
    "[% include '..\\\\secret.j2' %]",
    "[% include ['../secret.j2', '/etc/passwd'] %]",
    "[% import '../secret.j2' as m %][[ m.x ]]",
    "[% from '../secret.j2' import x %]",
    "[% extends '../secret.j2' %]",
    "[% extends '/etc/passwd' %]",
    "[% include 'file:///etc/passwd' %]",
    "[% include 'a\\0b' %]",
    "[% include 'link.j2' %]",
    "[% include 'links/secret.j2' %]",
    "[% include 'pipe.j2' %]",
    "[% include 'sub' %]",
    "[% include '' %]",
    "[% include 'text.wxml.j2/../../pyproject.toml' %]",
    "[% from \"text.wxml.j2\" import missing %][[ missing(\"{__import__('os').system('RUN')}\") ]]",
    '[% import "os" as os %][[ os.system("RUN") ]]',
    # Other engines.
    "[% debug %]",
    "[% python %]import os[% endpython %]",
    "[% load log %]",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for templates; beside it is a file that none of them may see."""
    (tmp_path / "secret.j2").write_text("[% set x = 'SECRET' %]SECRET", "utf-8")
    inside = tmp_path / "templates"
    (inside / "sub").mkdir(parents=True)
    (inside / "link.j2").symlink_to(tmp_path / "secret.j2")
    (inside / "links").symlink_to(tmp_path)
    if sys.platform != "win32":
        os.mkfifo(inside / "pipe.j2")
    return inside


@pytest.mark.parametrize("source", ESCAPES)
def test_ways_out_are_closed(source: str, folder: Path, run: Run) -> None:
    ran = folder / "ran"
    template = folder / "evil.wxml.j2"
    template.write_text(source.replace("RUN", f"touch {ran}"), "utf-8")
    (folder / "wxtext.toml").write_text('[convert]\ntemplate = "evil.wxml.j2"\nverify = false\n', "utf-8")
    code, out, err = run("convert", "-", "--config", str(folder / "wxtext.toml"), stdin=NOTES)
    assert (code, out, err.count("\n")) == (2, "", 1), (out, err)
    assert err.startswith(f"wxtext: error: template {template}")
    assert "SECRET" not in err
    assert not ran.exists()


BIG = "[% set x = 'x' * 100000 %]"
ITEMS = "[% set n = ['x'] * 1000 %]"
TOO_MUCH = [
    "[[ 'a' * 10**9 ]]",
    "[[ 'a' * 1000000000 ]]",
    "[[ 1000000000 * 'a' ]]",
    "[[ [1] * 1000000000 ]]",
    "[[ 10**10**10 ]]",
    "[[ 2**2 ]]",
    "[[ '%1000000000d' % 1 ]]",
    "[[ 'a'.ljust(1000000000) ]]",
    "[[ 'a'|center(1000000000) ]]",
    "[[ 'a'|indent(1000000000) ]]",
    "[[ 'a'|wordwrap(1) ]]",
    "[[ [1]|batch(1000000000, 'x')|list ]]",
    "[[ [1]|slice(1000000000)|list ]]",
    "[[ lipsum(n=1000000) ]]",
    "[% for i in range(99999) %][% for j in range(99999) %][% endfor %][% endfor %]",
    "[[ 9999999999999999999999 * 9 ]]",
    "[% set x = 3 %]" + "[% set x = x * x %]" * 60 + "[[ x ]]",
    "[[ ('9' * 4000)|int * 1 ]]",
    f"[[ {'9' * 5000} ]]",
    "[[ ('z' * 5000)|int(0, 32) + ('1' * 5000)|int(0, 2) ]]",
    "[% set x = 'aa' %]" + "[% set x = x + x %]" * 40 + "[[ x ]]",
    "[% set x = 'aa' %]" + "[% set x = x ~ x %]" * 40 + "[[ x ]]",
    "[% set x = ['a'] %]" + "[% set x = x + x %]" * 40 + "[[ x|length ]]",
    "[% set x = 'a' %]" + "[% set x = [x, x] %]" * 40 + "[[ x ]]",
    "[% set x = 'a' %]" + "[% set x = (x, x) %]" * 40 + "[[ x == x ]]",
    "[% set x = 'a' %]" + "[% set x = {'a': x, 'b': x} %]" * 40 + "[[ x == x ]]",
    "[% set x = 'aa' %]" + "[% set x %][[ x ]][[ x ]][% endset %]" * 40 + "[[ x ]]",
    "[% macro m(x) %][[ x ]][[ x ]][% endmacro %][% set x = 'a' %]" + "[% set x = m(x) %]" * 40 + "[[ x ]]",
    "[% macro m() %][[ m() ]][% endmacro %][[ m() ]]",
    "[% macro m() %][% call m() %][% endcall %][% endmacro %][[ m() ]]",
    "[% macro m(n) %][% if n %][[ m(n - 1) ]][[ m(n - 1) ]][% endif %][% endmacro %][[ m(40) ]]",
    "[% macro m() %][[ m(varargs, varargs) ]][% endmacro %][[ m(1) ]]",
    "[% block b %][[ self.b() ]][% endblock %]",
    "[% include 'evil.wxml.j2' %]",
    "[% include self %]",
    "[% import 'evil.wxml.j2' as m %]",
    "[% extends 'evil.wxml.j2' %]",
    "[% include 'twice.j2' %]",
    f"{ITEMS}[% for a in n %][% for b in n %][% for c in n %][% endfor %][% endfor %][% endfor %]",
    f"{ITEMS}[% for a in n %][% for b in n if b == 'y' %][% endfor %][% endfor %]",
    f"{BIG}{ITEMS}[% for a in n %][[ x ]][% endfor %]",
    f"{ITEMS}[% for a in n %]{'text' * 10_000}[% endfor %]",
    f"{ITEMS}[% macro m() %]{'text' * 10_000}[% endmacro %][% for a in n %][% set x = m() %][% endfor %]",
    f"{BIG}{ITEMS}[% set y = 'x' * 100000 %][% for a in n %][% if x == y %][% endif %][% endfor %]",
    f"{BIG}{ITEMS}[% for a in n %][% if 'y' in x %][% endif %][% endfor %]",
    f"{BIG}{ITEMS}[% for a in n %][% if x is in x ~ 'y' %][% endif %][% endfor %]",
    f"{BIG}{ITEMS}[% for a in n %][% set y = x[1:] %][% endfor %]",
    f"{BIG}{ITEMS}[% for a in n %][% set y = x|upper %][% endfor %]",
    f"{BIG}[[ x|replace('x', x) ]]",
    f"{BIG}[[ x|replace('', x) ]]",
    f"{BIG}[[ x|join(x) ]]",
    f"{BIG}[[ (x|list)|join(x) ]]",
    f"{BIG}[[ x|trim(x ~ 'y') ]]",
    f"{BIG}[[ x|map('default', x, true)|map('list')|list|length ]]",
    f"{BIG}[[ x|map('upper')|map('lower')|map('upper')|list|length ]]",
    f"{ITEMS}[[ n|map('in', 'x' * 100000)|list ]]",
    f"{ITEMS}[[ n|select('in', 'y' * 100000)|list|length ]]",
    f"{ITEMS}[% set m = [''] * 1000 %][% set o = m|map('default', n, true)|list %]"
    "[[ (m|map('default', o, true)|list) == o ]]",
    "[[ " + "(" * 20_000 + "1" + ")" * 20_000 + " ]]",
    "[[ " + "1 + " * 12_000 + "1 ]]",
    "[[ " + "not " * 12_000 + "1 ]]",
    "[[ " + "1 < " * 12_000 + "(" * 500 + "1" + ")" * 500 + " ]]",
    "[[ 1" + "|string" * 7_000 + " ]]",
    "[[ x" + ".y" * 20_000 + " ]]",
    "[% if 1 %]" * 500 + "[% endif %]" * 500,
    "[% for x in [1] %]" * 50 + "[% endfor %]" * 50,
    "[[" * 24_000,
    "[%" * 24_000,
    "[#" * 24_000,
    "[[ '" + "\\" * 49_000,
    "x" * 50_001,
    "[% if 1 %]" + "[% elif 1 %]" * 4_000 + "[% endif %]",
    "".join(f"[% include '{name}.j2' %]" for name in "abcdefgh"),
]


@pytest.mark.parametrize("number", range(len(TOO_MUCH)))
def test_a_template_cannot_take_more_than_its_share(number: int, tmp_path: Path) -> None:
    template = tmp_path / "evil.wxml.j2"
    template.write_text(TOO_MUCH[number], "utf-8")
    (tmp_path / "twice.j2").write_text("[% include 'twice.j2' %]" * 2, "utf-8")
    for name in "abcdefgh":
        (tmp_path / f"{name}.j2").write_text("[[ 1 ]]" * 7_000, "utf-8")
    with pytest.raises(wxtext.TemplateError, match=r"^template .*evil\.wxml\.j2(, line \d+)?: ") as raised:
        wxtext.convert(NOTES, template=template, verify=False)
    assert "\n" not in str(raised.value)


@pytest.mark.skipif(sys.platform == "win32", reason="no such measure of memory")
def test_a_template_cannot_take_memory(tmp_path: Path) -> None:
    program = """
import resource, sys
import wxtext
from tests.test_sandbox import NOTES, TOO_MUCH
def peak():
    kilobyte = 1024 if sys.platform == "darwin" else 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // kilobyte
wxtext.convert(NOTES, template="page")
before = peak()
for source in TOO_MUCH:
    with open("evil.wxml.j2", "w", encoding="utf-8") as file:
        file.write(source)
    try:
        wxtext.convert(NOTES, template="evil.wxml.j2", verify=False)
    except wxtext.TemplateError:
        pass
print(peak() - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=ENVIRONMENT,
    )
    assert int(done.stdout) < 200_000  # kilobytes


#: What templates of one's own may do.
ALLOWED = [
    ("[[ blocks|length ]] [[ blocks[0].line ]] [[ (blocks|last).space ]]", "2 1 emsp"),
    (
        "[% for b in blocks %][[ loop.index ]]/[[ loop.length ]][[ loop.cycle('a', 'b') ]] [% endfor %]",
        "1/2a 2/2b ",
    ),
    ("[% for b in blocks if b.space %][[ b.text|trim ]][% else %]-[% endfor %]", "二"),
    (
        "[[ options.target ]] [[ options.in_views ]] [[ options.class_|default('x', true) ]]",
        "webview False x",
    ),
    (
        "[% macro m(a, b=1) %]<[[ a ]][[ b ]][[ caller() ]]>[% endmacro %][% call m('x') %]y[% endcall %]",
        "<x1y>",
    ),
    ("[[ start[none] ]] [[ start.emsp ]] [[ end ]]", '<text> <text space="emsp"> </text>'),
    ("[[ blocks|map(attribute='line')|join(', ') ]] [[ blocks|join('-', attribute='line') ]]", "1, 3 1-3"),
    (
        "[[ 'b' ~ 1 ~ 2.5 ]] [[ 7 // 2 * 3 - 1 ]] [[ -1 % 3 ]] [[ 'ab' * 2 ]] [[ 'abc'[::-1] ]]",
        "b12.5 8 2 abab cba",
    ),
    ("[[ 'x' if 'emsp' in ['ensp', 'emsp'] and 1 < 2 else 'y' ]][[ {'a': 'b'}['a'] ]]", "xb"),
    (
        "[[ blocks|selectattr('space')|list|count ]] [[ [3, 1]|sort|first ]] [[ 'Ab'|lower|capitalize ]]",
        "1 1 Ab",
    ),
    (
        "[[ 'aXa'|replace('a', 'b') ]] [[ '12'|int + 1 ]] [[ [1, 2]|max ]] [[ x is defined ]]",
        "bXb 13 2 False",
    ),
    ("[% set x %]a[[ 'b' ]][% endset %][% filter upper %][[ x ]][% endfilter %]", "AB"),
    ("[% block b %]1[% endblock %][[ self.b() ]]", "11"),
    ("[% extends 'base.j2' %][% block b %][[ super() ]]2[% endblock %]", "<12>"),
    (
        "[% from 'base.j2' import m %][[ m(3) ]][% import 'base.j2' as base %][[ base.m(4) ]][[ base.v ]]",
        "(3)(4)5",
    ),
    ("[% include ['none.j2', 'sub/part.j2'] %][% include 'none.j2' ignore missing %]", "尾2"),
]


@pytest.mark.parametrize(("source", "output"), ALLOWED)
def test_what_templates_may_do(source: str, output: str, tmp_path: Path) -> None:
    (tmp_path / "base.j2").write_text(
        "<[% block b %]1[% endblock %]>[% set v = 5 %][% macro m(x) %]([[ x ]])[% endmacro %]", "utf-8"
    )
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "part.j2").write_text("尾[[ blocks|length ]]", "utf-8")
    template = tmp_path / "own.wxml.j2"
    template.write_text(source, "utf-8")
    assert wxtext.convert(NOTES, template=template, verify=False) == output


def test_a_share_grows_with_the_notes(tmp_path: Path) -> None:
    template = tmp_path / "own.wxml.j2"
    template.write_text(
        "[% for block in blocks %][% for x in [1, 2, 3, 4, 5, 6, 7] %][[ x ]][% endfor %]-[% endfor %]",
        "utf-8",
    )
    notes = "一\n\n" * 12_000
    assert wxtext.convert(notes, template=template, verify=False).count("-") == 12_000


def test_a_template_is_named_by_the_user_wherever_it_is(folder: Path) -> None:
    (folder / "named.wxml.j2").symlink_to(folder.parent / "elsewhere.wxml.j2")
    (folder.parent / "elsewhere.wxml.j2").write_text("[% include 'part.j2' %]", "utf-8")
    (folder / "part.j2").write_text("beside", "utf-8")
    assert wxtext.convert("", template=folder / "named.wxml.j2", verify=False) == "beside"


@pytest.mark.parametrize(
    "name", ["../evil.wxml.j2", "link.j2", "links/secret.j2", "sub/../../secret.j2", "ABSOLUTE"]
)
def test_a_configuration_names_no_template_outside_its_folder(name: str, folder: Path, run: Run) -> None:
    name = name.replace("ABSOLUTE", str(folder.parent / "secret.j2"))
    (folder / "wxtext.toml").write_text(f"[convert]\ntemplate = '{name}'\n", "utf-8")
    code, out, err = run("convert", "-", "--config", str(folder / "wxtext.toml"), stdin=NOTES)
    assert (code, out) == (2, "")
    assert err == (
        f"wxtext: error: {folder / 'wxtext.toml'}: convert.template is {name!r}, which leads out of the "
        "folder of this file; put the template into that folder, or name it with --template\n"
    )


def test_a_name_in_a_configuration_is_no_file_of_the_current_folder(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    (folder.parent / "card").write_text("here", "utf-8")
    (folder / "wxtext.toml").write_text("[convert]\ntemplate = 'card'\n", "utf-8")
    code, out, err = run("convert", "-", "--config", str(folder / "wxtext.toml"), stdin=NOTES)
    assert (code, out) == (2, "")
    assert "no such file" in err
