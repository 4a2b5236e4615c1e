"""Chinese rules for how a household lives: what it pays, who helps, what it eats when; in order of precedence."""

from __future__ import annotations

from shared.models.rules.chinese.words import ADVERB, MYSELF, US
from shared.models.rules.table import Rule

HOUSEHOLD: tuple[Rule, ...] = (
    Rule(
        "zh_pays",
        rf"(?:{US})?{ADVERB}(?:每个?月|一个月|每年|一年)(?:都)?(?:要|得)?(?:还|交|付|供|赚|挣|存|给家里|打给)[^,这那]{{0,8}}?"
        r"(?:\d|[一二两三四五六七八九十百千几]{1,4})[^,]{0,4}(?:千|万|百|块|元|k)?[^,]{0,3}$",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "zh_home_life",
        rf"(?:我们?|咱们?)?家?(?:里)?(?:孩子|娃|宝宝|俩娃)?(?:的)?(?:爷爷|奶奶|姥姥|姥爷|外公|外婆|老人|公婆|阿姨)(?:在)?(?:帮(?:我们?|忙)|给(?:我们?))"
        rf"(?:带娃|带孩子|看孩子|做饭|接送)"
        rf"|(?:我们?|咱们?)家(?:楼下|旁边|对面|附近|门口|隔壁)(?:就)?(?:是|有)(?!谁|什么|个人)[^,]{{2,12}}$"
        rf"|(?:我们?|咱们?)家过(?:年|节|生日)[^,]{{1,12}}|{US}(?:早饭|午饭|晚饭|三餐|早餐|午餐|晚餐){{1,2}}(?:都|一般|基本)[^,]{{2,16}}"
        rf"|(?:早饭|午饭|晚饭|早餐|午餐|晚餐)我(?:都|一般|基本|只)(?!没|想|要|还|剩|差)[^,这那你]{{2,16}}|(?:一天|每天)[一二两三四五六七八\d](?:杯|包|顿|根|瓶|罐)[^,这那]{{1,8}}$"
        rf"|[\u4e00-\u9fff]{{1,4}}语?我(?:只)?(?:听得懂|看得懂|会听|会看|会说)[^,这那]{{0,10}}|{MYSELF}(?:看|听|读|写)[^,这那你]{{1,8}}(?:比较|很|特别|有点)(?:吃力|费劲|慢)",
        "fact",
        standing=True,
    ),
)
