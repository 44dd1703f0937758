"""What a paragraph is: which lines `indent=N` indents, of the kinds of notes that people have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wxtext
from tests.strategies import OPTIONS, notes, options
from wxtext import paragraphs
from wxtext.notes import Notes, split_lines
from wxtext.paragraphs import Kind, Paragraphs, Place, Reading, Text

#: What indentation is shown with.
SPACES = " \xa0\u2002\u2003\u3000"

#: The mark of a line that is to be indented.
BEGINS = "¶"

#: Notes of each kind, and what they are. A `¶` is put before each line that `indent=2` indents.
NOTES: dict[str, tuple[Kind, str]] = {
    "novel": (
        "line",
        """
        长河旧事
        作者：无名氏
        第一章　渡口
        ¶那年春天来得很晚，河面上的冰到了三月还没有化开，渡口的老船工每天都要坐在石阶上看一会儿天。
        ¶“今年的水怕是要大。”他说。
        ¶没有人回答他。
        ¶对岸的村子里升起了炊烟，几只水鸟从芦苇丛里飞起来，绕着渡口转了两圈，又落回到原来的地方去了。
        第二章　来客
        ¶客人是傍晚到的，带着一只很旧的皮箱，箱子上的铜锁早已生了锈，看样子走过不少地方，也有些年头了。
        ¶“请问，这里可以过河吗？”
        """,
    ),
    "novel with a blank line after each paragraph": (
        "line",
        """
        第一章

        ¶那年春天来得很晚，河面上的冰到了三月还没有化开，渡口的老船工每天都要坐在石阶上看一会儿天。

        ¶“今年的水怕是要大。”他说。

        ¶没有人回答他。

        第二章

        ¶客人是傍晚到的，带着一只很旧的皮箱，箱子上的铜锁早已生了锈，看样子走过不少地方，也有些年头了。
        """,
    ),
    "novel with indentation and headings": (
        "line",
        """
        第一回　风雪夜归人
        ¶　　那年春天来得很晚，河面上的冰到了三月还没有化开，渡口的老船工每天都要坐在石阶上看一会儿天。
        ¶　　“今年的水怕是要大。”他说。
        第二回　他乡遇故知
        ¶　　客人是傍晚到的，带着一只很旧的皮箱，箱子上的铜锁早已生了锈，看样子走过不少地方，也有些年头了。
        ¶    没有人回答他。
        """,
    ),
    "contract": (
        "line",
        """
        房屋租赁合同
        出租方（甲方）：张三
        承租方（乙方）：李四
        ¶根据《中华人民共和国民法典》及相关法律法规的规定，甲乙双方在平等、自愿的基础上，就房屋租赁事宜达成如下协议：
        第一条　租赁标的
        ¶甲方将位于某市某区某路一号的房屋出租给乙方居住使用，建筑面积为八十平方米，乙方对该房屋已作充分了解。
        第二条　租金
        ¶每月租金为人民币三千元整，乙方应当于每月五日之前支付当月租金，逾期支付的，每日加收百分之一的滞纳金。
        甲方（签字）
        乙方（签字）
        """,
    ),
    "terms of 17 paragraphs": (
        "line",
        "用户服务协议\n"
        + "".join(
            f"¶{number}. 用户在使用本服务的第{number}个环节时，应当遵守法律法规以及本协议，不得损害他人。\n"
            for number in range(1, 18)
        ),
    ),
    "short notice": (
        "line",
        """
        放假通知
        各位老师、各位同学：
        ¶根据学校的安排，国庆节放假七天。
        ¶请大家离开学校之前关好门窗和电源。
        ¶祝大家节日愉快！
        教务处
        """,
    ),
    "e-mail": (
        "blank",
        """
        Hello everyone,

        ¶the meeting of next week has been moved to Thursday, because the big
        room is being painted and the small one has no projector. Please tell
        me by Monday whether you can come, and which of the topics of last time
        you want to talk about.

        ¶There will be tea and biscuits, as always. If you want to present
        something, send me the slides before Wednesday noon, so that I can put
        them onto the machine in the room.

        Best regards,
        Ada

        > On Friday somebody wrote that the room is too small for so many of us,
        > and that there is no light in it.
        """,
    ),
    "Chinese broken to 32 characters": (
        "blank",
        """
        ¶　　春天的渡口总是很热闹的。来往的客商挑着担子，从石板路上走过去，
        脚步声和吆喝声混在一起，一直传到对岸的村子里去。老船工坐在船头，一
        边抽着旱烟，一边看着河水慢慢地流，好像在等什么人，又好像谁也没有等。
        ¶　　到了夏天，河水涨起来，渡船就要绕一个很大的弯子，才能靠到对岸的
        码头上。那时候过河的人少了，老船工便把船拴在柳树底下，自己躺在船舱里
        睡觉。
        """,
    ),
    "poem": (
        "verse",
        """
        静夜思
        李白

        床前明月光，
        疑是地上霜。
        举头望明月，
        低头思故乡。
        """,
    ),
    "ladder of a ci": (
        "verse",
        """
        调笑令

        　　明月，
        　　　　明月，
        照得离人愁绝。
        　　更深影入空床，
        不道帏屏夜长。
        　　长夜，
        　　　　长夜，
        梦到庭花阴下。
        """,
    ),
    "ci of long lines": (
        "verse",
        """
        念奴娇

        大江东去，浪淘尽，千古风流人物。
        故垒西边，人道是，三国周郎赤壁。
        乱石穿空，惊涛拍岸，卷起千堆雪。
        江山如画，一时多少豪杰。
        """,
    ),
    "lyrics": (
        "verse",
        """
        风从山那边吹过来
        带着去年夏天的味道
        我还站在原来的地方
        等一场不会来的雨

        你说过你会回来
        在花开满山的时候
        我就这样一直等着
        等到叶子都落了
        """,
    ),
    "English verse": (
        "verse",
        """
        The river ran under the hill
        And the mill on the river stood still
            And nobody came
            And nobody's name
        Was called by the owl on the sill
        """,
    ),
    "chat": (
        "listing",
        """
        张三 10:21
        明天的会改到下午三点了，大家不要走错地方，还是老会议室，记得带上电脑和上次的材料，谢谢。
        李四 10:22
        好的。
        张三 10:25
        辛苦了！
        """,
    ),
    "listing": (
        "listing",
        """
        def area(width, height):
            if width < 0:
                raise ValueError(width)
            return width * height

        print(area(3, 4))
        """,
    ),
    "clauses": (
        "line",
        """
        ¶以下条款适用于使用本服务的所有用户，请您在注册之前仔细阅读，如有疑问可以联系客服人员咨询。

        1. 服务条款
            1.1 用户应当遵守国家的法律法规。
            1.2 用户应当妥善保管自己的账号和密码，不得出借、转让或者以其他方式提供给任何第三方使用。
        2. 隐私
            2.1 我们重视您的隐私。

        ¶本协议的最终解释权在法律允许的范围之内归服务提供者所有，自发布之日起生效，修改时另行通知。
        """,
    ),
    "mixed": (
        "line",
        """
        安装说明

        ¶请先在电脑上安装好运行环境，然后打开终端，进入项目所在的文件夹，依次运行下面的两条命令：

            npm install
            npm run build

        ¶运行成功之后，在浏览器里打开本机的地址就可以看到页面，如果没有看到，请检查防火墙的设置是否正确。

        - 第一种办法
        - 第二种办法

            if (a) {
                b();
            }

        ¶如果仍然有问题，请把屏幕上的提示完整地复制下来，连同操作系统的版本一起发给我们，我们会尽快回复您。
        """,
    ),
    "places to sign": (
        "line",
        """
        房屋租赁合同

        ¶根据有关法律法规的规定，甲、乙双方在平等、自愿的基础上，就房屋租赁事宜达成如下协议，共同遵守。

        第一条　租赁期限
        ¶租赁期共十二个月，自二〇二六年一月一日起至十二月三十一日止，期满后双方可以另行协商是否续租。

        甲方（签字）：                乙方（签字）：
        日期：    年  月  日          日期：    年  月  日
        甲方（签字/盖章）：__________
        """,
    ),
    "a table with TABs": (
        "line",
        """
        ¶下面的表列出了所有的指令，每一条指令都可以在聊天框里输入，输入之后立刻生效，不需要重新启动客户端。

        指令\t写法\t说明
        无敌\t#wudi\t输入一次开启，输入两次取消，对所有角色都有效
        开启单机副本\t#openall\t需要等级达到三十级并重启客户端之后才能看到
        """,
    ),
    "short lines above bullets": (
        "line",
        """
        上线清单

        1）备案侧
        - 域名备案
        - 公安备案

        ¶我们提供的服务如下：
        - 在线支付
        - 订单查询

        ¶以上内容如有变化，我们会提前在首页公告栏通知各位用户，请各位用户留意公告，以免影响正常使用。
        """,
    ),
    "terms that begin with a definition": (
        "line",
        """
        用户协议
        定义：
        ¶如无相反说明，以下词语具有如下含义：
        ¶服务：指本公司通过网站、客户端及其他形式向您提供的全部产品与服务，包括以后增加的功能在内。
        ¶用户：指注册、登录、使用本服务的个人或者组织，也包括未注册而浏览本服务内容的人。
        """,
    ),
    "letter in English": (
        "blank",
        """
        Hi Tom,

        ¶Thanks for your message. I have looked into the build failure that you
        reported last week, and it turns out that the cache of the package manager
        was stale on two of the runners. I cleared it on both of them and started
        the job again.

        ¶Could you please check that the artifacts are complete? In particular:

          - the installer for Windows
          - the checksums file
          - the release notes

        > Also, do we still need the nightly job for the old branch? Nobody seems
        > to look at it.

        ¶I would drop it.

        Best regards,
        Anna

        --
        Anna Schmidt
        Build & Release
        """,
    ),
    "mail with its headers": (
        "listing",
        """
        Return-Path: <>
        Received: from one.example.com (one.example.com [192.0.2.1])
            by two.example.com (Postfix) with ESMTP id 5D2C51B84
        Date: Sun, 23 Sep 2001 20:14:35 -0700 (PDT)
        From: Internet Mail Delivery <postmaster@example.com>
        Subject: Delivery Notification: Delivery has failed
        Content-Type: text/plain
        """,
    ),
    "shell script": (
        "listing",
        """
        if [ "$(id -u)" -eq 0 ]; then
          PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"
        else
          PATH="/usr/local/bin:/usr/bin:/bin:/usr/local/games"
        fi
        export PATH
        """,
    ),
    "two short paragraphs": ("line", "¶第一段。\n\n¶第二段。"),
    "English paragraphs on a line each": (
        "line",
        "A Short History\n\n"
        "¶The river has been here for longer than anybody can remember, "
        "and the town has always had a bridge over it, of wood at first.\n\n"
        "¶The second bridge was of stone, and it stood for two hundred years "
        "until the flood took it away in a single night.\n",
    ),
}


def dedented(text: str) -> list[str]:
    """The lines of notes above, marked."""
    lines = text.strip("\n").split("\n")
    return [line.removeprefix(" " * 8) for line in lines if line.strip() or line == ""]


def placed(text: str, how: Paragraphs = "auto") -> tuple[Kind, list[Place]]:
    """The kind of a text, and what its lines are that are not blank."""
    read = Text(Notes(split_lines(text), 4).lines(), how)
    return read.reading.kind, [place for run in read.runs() for place in read.places(run)]


@pytest.mark.parametrize("name", NOTES)
def test_what_is_a_paragraph(name: str) -> None:
    kind, marked = NOTES[name]
    lines = [line for line in dedented(marked) if line.strip()]
    found, places = placed("\n".join(dedented(marked)).replace(BEGINS, ""))
    assert [
        (BEGINS if place is Place.BEGINS else "") + line.removeprefix(BEGINS)
        for line, place in zip(lines, places, strict=True)
    ] == lines
    assert found == kind


@pytest.mark.parametrize("name", NOTES)
@pytest.mark.parametrize("target", OPTIONS["target"])
def test_paragraphs_are_indented_and_all_else_is_as_typed(name: str, target: Any) -> None:
    _kind, marked = NOTES[name]
    text = "\n".join(dedented(marked)).replace(BEGINS, "")
    shown = wxtext.show(wxtext.convert(text, indent=2, target=target), target).split("\n")
    as_typed = wxtext.show(wxtext.convert(text, target=target), target).split("\n")
    for line, row, plain in zip(dedented(marked), shown, as_typed, strict=True):
        if line.startswith(BEGINS):
            assert row == "\u2003\u2003" + plain.lstrip("\u2002\u2003")
        else:
            assert row in (plain, plain.lstrip("\u2002\u2003"))


@pytest.mark.parametrize(
    ("text", "how", "indented"),
    [
        ("床前明月光\n疑是地上霜\n举头望明月\n低头思故乡", "line", [2, 3, 4]),
        ("风从山那边吹来\n带着夏天的味道\n\n我还站在原来的地方\n等一场不会来的雨。", "blank", [1, 3]),
        ("The first line of a\nparagraph of two.\n\nAnother paragraph\nof two.", "blank", [1, 3]),
        ("One line.\nAnother line.\n\nA third line.", "line", [1, 2, 3]),
    ],
)
def test_every_reading_can_be_forced(text: str, how: Paragraphs, indented: list[int]) -> None:
    _kind, places = placed(text, how)
    assert [number for number, place in enumerate(places, 1) if place is Place.BEGINS] == indented


@given(notes(), options())
def test_without_indent_a_paragraph_is_nothing_to_what_is_shown(text: str, chosen: dict[str, Any]) -> None:
    chosen["indent"] = "keep"
    shown = {
        wxtext.show(wxtext.convert(text, **{**chosen, "paragraphs": how}), chosen["target"])
        for how in ("auto", "line", "blank")
    }
    assert len(shown) == 1


@given(notes(), options(), st.sampled_from(["auto", "line", "blank"]), st.integers(0, 4))
def test_indentation_alone_changes(text: str, chosen: dict[str, Any], how: Paragraphs, indent: int) -> None:
    typed = {**chosen, "indent": "keep"}
    indented = {**chosen, "indent": indent, "paragraphs": how}
    rows = [
        [row.lstrip(SPACES) for row in wxtext.show(wxtext.convert(text, **it), it["target"]).split("\n")]
        for it in (typed, indented)
    ]
    assert rows[0] == rows[1]


@given(notes(), options(), st.sampled_from(["keep", "none"]))
def test_nor_to_what_is_written_unless_indentation_ends(
    text: str, chosen: dict[str, Any], indent: str
) -> None:
    """Only a line without indentation right below a line with it may begin a block of its own."""
    lines = re.split("\r\n|[\n\r\v\f\x85\u2028\u2029]", text)
    apart = "\n\n".join(lines)
    written = {
        wxtext.convert(apart, **{**chosen, "indent": indent, "paragraphs": how})
        for how in ("auto", "line", "blank")
    }
    assert len(written) == 1


def test_a_heading_below_an_indented_paragraph_is_a_block_of_its_own() -> None:
    text = "　　正文的第一段。\n第二章\n　　正文的第二段。\n　　正文的第三段。"
    blocks = wxtext.convert(text, class_="p", view=True).splitlines()
    assert [re.sub("<[^>]*>|{{.*?}}", "", block).strip() for block in blocks] == [
        *("正文的第一段。", "第二章", "正文的第二段。", "正文的第三段。"),
    ]
    assert len(wxtext.convert(text, class_="p", view=True, paragraphs="blank").splitlines()) == 3


def test_no_more_than_the_beginning_is_read_before_output_begins() -> None:
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        for line in chain(repeat("　　这是一段足够长的正文，它的最后是一个句号，后面还有很多这样的段落。\n")):
            taken += 1
            yield line

    next(wxtext.convert_lines(lines(), indent=2))
    assert taken * 35 < 2 * paragraphs.SAMPLE


@pytest.mark.parametrize(("name", "told"), [("poem", "verse"), ("listing", "code"), ("novel", None)])
def test_what_is_not_indented_is_told(name: str, told: str | None) -> None:
    text = "\n".join(dedented(NOTES[name][1])).replace(BEGINS, "")
    notices: list[wxtext.Notice] = []
    wxtext.convert(text, indent=2, on_notice=notices.append)
    assert [told in notice.message for notice in notices if told] == ([True] if told else [])
    assert bool(notices) == bool(told)
    notices.clear()
    wxtext.convert(text, indent=2, paragraphs="line", on_notice=notices.append)
    wxtext.convert(text, on_notice=notices.append)
    assert notices == []


@given(notes(), st.sampled_from(["auto", "line", "blank"]))
def test_every_line_has_a_place(text: str, how: Paragraphs) -> None:
    lines = list(Notes(split_lines(text), 4).lines())
    read = Text(iter(lines), how)
    runs = list(read.runs())
    assert [line for run in runs for line in run] == lines
    assert all(len(read.places(run)) == len(run) for run in runs)


SENTENCES = st.lists(
    st.sampled_from([*"中文第一回章的（“”）。！，1:. ", "——", "  ", "正文", "{}"]), max_size=30
)


@given(SENTENCES, st.integers(0, 9), st.booleans(), st.booleans())
def test_the_short_way_to_a_sentence_leads_where_the_long_one_does(
    pieces: list[str], columns: int, punctuated: bool, indented: bool
) -> None:
    line = (9, 0, columns, "中" + "".join(pieces).strip() + "。")
    reading = Reading("line", punctuated=punctuated, indented=indented)
    if paragraphs._plainly_begins(line, reading):
        assert paragraphs._line_place(line, reading, items=True) is Place.BEGINS
