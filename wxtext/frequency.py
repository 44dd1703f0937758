"""How common characters are in Chinese, Japanese, Korean and English text.

What is read in a wrong encoding is full of characters that hardly anybody writes. A character costs its
information in bits, the logarithm of how rare it is: of two readings of the same bytes the cheaper is the
likelier. The costs were chosen on novels, manuals and messages; what a single one is matters little.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import groupby
from math import log2
from typing import Final, NamedTuple

# Bits that a character costs which has no rank of its own.
_SYMBOL: Final = 13.5  # a bullet, a frame, an arrow
_RARE: Final = 21.0  # in other rows, or of another language
_HARDLY: Final = 28.0  # in no row of the language's character set
_STRAY: Final = 24.0  # a control character in ASCII, into which one may have strayed
_NEVER: Final = 40.0  # a control character, unassigned, or for private use
_BAD: Final = 20.0  # a byte that cannot be read
_WORSE: Final = 9.0  # each one that follows directly: one fault often damages several bytes
_REPEATED: Final = 1.0  # the character before it again, as in a line of dashes

_SIMPLIFIED: Final = (
    "的一是人了不在有大中国和为这上他个地年来我会以到时要出生学说道民家子也成行下们于后就发自之对得主长可过天"
    "作分方用多你着部能市等业全里工公经本都而高政法面门动日进区事代那去心小同北定开产前其军还然起种所如现理机"
    "体表力好外与文当两实重新三么只山水关明从化平建又制南内西没此将员名手最东头者月间无安看见各城十相但已些正"
    "口通想度加第她合院物性战由位常点海意场武使次二向治因立数样身情入原问把路被并利石老教万知级量任江及应省资"
    "委务元美特期世湖回系比气汉总展电科金先声提品设或义王社很统处四首共马形己儿司太目基领队直计别女权话少流命"
    "至报米给打变果书清活几州华解议更称程今决张导术府才保交放管结师便走达族反再题色五请您户登录码输确协隐私账"
    "注册服单支付京河接条规式县白它改风光运信受什组听布百济党指论强做取技黄神选记斯真却职号界件花类何眼兵传带"
    "空干农边据集联古广完质阳难增历史专官每住商即步认车台林必死游举线言皇土团收考求德叫近备研争非具李众连调感"
    "转笑革该持始英克士尔让拉思根格造较际亲朝红型价校约器字段周亚深候则功属积快图火千准究往极育装许参半令吃观"
    "鱼精办像帝八复影告远群包整构料随划算象容示投势热值夫网望源"
)
_SIMPLIFIED_ONLY: Final = (
    "国为这个来会时学说们于后发对长过业里经门动进区开产军还种现机体与当两实么关从内没将员东头间无见战点场数样"
    "问并万级应资务气汉总电声设义统处马儿领队计别权话报给变书几华议称决张导术结师达题请户录码输确协隐账册单条"
    "规县风运组听济党论强黄选记却职号类传带干农边据联广质阳难历专认车台游举线团备争众连调转该尔让较际亲红价约"
    "亚则属积图准极装许参吃观鱼办复远群构随划势热网"
)
_THEIR_TRADITIONAL: Final = (
    "國為這個來會時學說們於後發對長過業裡經門動進區開產軍還種現機體與當兩實麼關從內沒將員東頭間無見戰點場數樣"
    "問並萬級應資務氣漢總電聲設義統處馬兒領隊計別權話報給變書幾華議稱決張導術結師達題請戶錄碼輸確協隱賬冊單條"
    "規縣風運組聽濟黨論強黃選記卻職號類傳帶幹農邊據聯廣質陽難歷專認車臺遊舉線團備爭眾連調轉該爾讓較際親紅價約"
    "亞則屬積圖準極裝許參喫觀魚辦復遠羣構隨劃勢熱網"
)
_KANJI: Final = (
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場"
    "金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性"
    "的要用制治度務強気小七成期公持野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権"
    "心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信"
    "策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢"
    "減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤町常校料沢裁状工建語球営空職証土与急止送援"
    "供可役構木割聞身費付施切由説転食"
)
_HANGUL: Final = (
    "이다는에의을가하지로고한은도를서기사어인자대나시그리아해라수게부보일정들전여원과으만제주스상장했있성구면"
    "동오안적되관습니요것년생공유모신경화우용위내방선중데트비진조소음등문실미드계할국러르입않개명치때없당분반"
    "무연물단세체던회까"
)
_TRADITIONAL: Final = _SIMPLIFIED.translate(str.maketrans(_SIMPLIFIED_ONLY, _THEIR_TRADITIONAL))
_HIRAGANA: Final = "のにるたをはとがしてでれかいなりもすらつきこくさまそうよあだ"
_KATAKANA: Final = "ーンスルトイリラアドレシプクジタフロマグコムバテサカデ"
_POINTS: Final = "：；！？（）、“”「」"
_SYMBOLS: Final = "\u3000·‘’《》〈〉【】『』〔〕—…～※★☆●○◎◆◇■□▲△▼→←↑↓─━│┃┌┐└┘├┤╔╗╚╝═║①②③④⑤⑥⑦⑧⑨⑩℃×÷±≤≥≠￥€"
_ASCII: Final = {
    **dict.fromkeys("etaoinshrdlu \n", 4.7),
    **dict.fromkeys("bcfgjkmpqvwxyz", 6.2),
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,\r", 7.7),
    **dict.fromkeys("\b\v\f\x1b", 14.0),  # as terminals and printers use them
    **dict.fromkeys("\t!\"#$%&'()*+-/:;<=>?@[\\]^_`{|}~", 8.2),
}


class Language(NamedTuple):
    """What everyday text in a language is made of."""

    #: A character set of the language, and the lead bytes of its rows for everyday characters.
    charset: str
    leads: range | bytes
    #: Characters by how common they are; a later string begins at the first rank again.
    ranked: tuple[str, ...]
    #: What an ASCII character costs more than in a text that has no other.
    ascii_bits: float = 2.7
    #: What a character in the rows for everyday characters costs that has no rank.
    everyday_bits: float = 15.6
    #: What a control character of ASCII costs.
    control_bits: float = _NEVER


SIMPLIFIED_CHINESE: Final = Language("gb2312", range(0xB0, 0xD8), ("，。" + _SIMPLIFIED, _POINTS))
TRADITIONAL_CHINESE: Final = Language("cp950", range(0xA4, 0xC7), ("，。" + _TRADITIONAL, _POINTS))
JAPANESE: Final = Language("cp932", range(0x88, 0x98), ("、。" + _KANJI, _HIRAGANA, _KATAKANA, _POINTS))
KOREAN: Final = Language("cp949", range(0xB0, 0xC9), (_HANGUL, _POINTS), everyday_bits=12.6)
WESTERN: Final = Language("cp1252", range(0xC0, 0x100), ("éèàüöäñçáíóú",))
#: What has an alphabet; the letters of those that many people write have these lead bytes in UTF-8.
ALPHABETIC: Final = Language(
    "utf-8", bytes((*range(0xC2, 0xC6), *range(0xCE, 0xDC))), ("éèàüöäñçáíóú",), everyday_bits=10.0
)
ENGLISH: Final = ALPHABETIC._replace(ascii_bits=0.2, control_bits=_STRAY)


def bits(text: str, language: Language) -> float:
    """Return what a text costs in a language, in bits; U+FFFD in it stands for bytes that cannot be read."""
    table = _table(language)
    total = 0.0
    for character, run in groupby(text):
        cost = table[character]
        again = _WORSE if character == "\ufffd" else cost if cost in (_STRAY, _NEVER) else _REPEATED
        total += cost + again * (sum(1 for _ in run) - 1)
    return total


class _Table(dict[str, float]):
    """What characters cost in a language; of those that are not common it is found out when it is needed."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self.update(dict.fromkeys(_SYMBOLS, _SYMBOL))
        self["\ufffd"] = _BAD
        for ranked in language.ranked:
            # Of a rank r, Chinese characters have a share of about 0.2 / (r + 8) in everything written.
            self.update((character, log2((rank + 8) / 0.2)) for rank, character in enumerate(ranked))
        self.update((character, cost + language.ascii_bits) for character, cost in _ASCII.items())

    def __missing__(self, character: str) -> float:
        self[character] = cost = self._cost(character)
        return cost

    def _cost(self, character: str) -> float:
        if character.isascii():
            return self._language.control_bits
        if unicodedata.category(character) in ("Cc", "Cn", "Co", "Cs"):
            return _NEVER
        try:
            code = character.encode(self._language.charset)
        except UnicodeEncodeError:
            return _HARDLY
        if "\u3040" <= character <= "\u30ff" and self._language is JAPANESE:
            return _SYMBOL
        return self._language.everyday_bits if code[0] in self._language.leads else _RARE


@cache
def _table(language: Language) -> _Table:
    return _Table(language)
