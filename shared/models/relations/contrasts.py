"""Small words that turn a statement: what they mark may be known to both, and still the two say different things."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_FAMILIES: Final = (
    "before |||(?<!the )\\bbefore\\b|之前|以前 /// \\bafter\\b|之后|以后",
    "until ||| \\b(?:until|till)\\b /// \\b(?:from|since|starting)\\b(?! (?:the|my) )",
    "often ||| \\b(?:often|usually|always|mostly|frequently)\\b|经常|常常|总是|一直"
    " /// \\b(?:sometimes|occasionally|rarely|seldom)\\b|偶尔|有时|很少",
    "compared age ||| 比.{1,6}大|大(?:我|他|她)|\\bolder\\b /// 比.{1,6}小|小(?:我|他|她)|\\byounger\\b",
    "compared size ||| 比.{1,6}高|\\btaller\\b /// 比.{1,6}矮|\\bshorter than\\b",
    "rank of birth ||| \\b(?:oldest|eldest|firstborn)\\b|老大|最大 /// \\byoungest\\b|老幺|老小|最小 /// \\bmiddle (?:child|one)\\b|老二",
    "direction ||| \\b(?:fly|head|go|travel|drive|leav|flying|head|set)\\w* out\\b|\\boutbound\\b|\\bdepart\\w*|去程|起飞|出发"
    " /// \\b(?:fly|head|go|travel|drive|com|get|flying)\\w* (?:back|home)\\b|\\breturn\\w*|\\binbound\\b|回程|返程|回来|返回|飞回"
    " /// \\b(?:arriv|land)\\w*|\\bgets? in\\b|到达|抵达|降落",
    "rows ||| \\bfront\\b|前排|前座|前面|头排 /// \\b(?:rear|back (?:row|seat|seats))\\b|后排|后座|后面|末排 /// \\bmiddle (?:row|seat)\\b|中间|中排",
    "beginning ||| \\b(?:start|begin|began|open)\\w*\\b|开始|开门|开馆 /// \\b(?:end|finish|clos)\\w*\\b|结束|关门|闭馆|下班",
    "side ||| \\bleft\\b(?! (?:my|the|our|for|at|home|work))|左 /// \\bright\\b(?! (?:now|away))|右",
    "floor ||| \\b(?:upper|upstairs|top)\\b|楼上|上铺|上半|上层|顶层 /// \\b(?:lower|downstairs|bottom)\\b|楼下|下铺|下半|下层|底层",
    "compass ||| \\bnorth\\w*|北[方部边面]|[朝城]北 /// \\bsouth\\w*|南[方部边面]|[朝城]南 /// \\beast(?!er)\\w*|东[方部边面]|[朝城]东"
    " /// \\bwest\\w*|西[方部边面]|[朝城]西",
    "sex ||| \\b(?:grandson|nephew|boys?|m[ae]n|male|ex-husband|ex-boyfriend)\\b|孙子|外孙(?!女)|侄子|外甥(?!女)|[表堂]?[哥弟]|前夫|前男友|男[生孩的]"
    " /// \\b(?:granddaughter|niece|girls?|wom[ae]n|female|ex-wife|ex-girlfriend)\\b|孙女|侄女|外甥女|[表堂]?[姐妹]|前妻|前女友|女[生孩的]",
    "side of the family ||| 奶奶|爷爷|(?<!外)祖[父母]|叔叔|伯伯|姑|堂[哥弟姐妹]|\\bpaternal\\b|婆婆|公公"
    " /// 外婆|外公|姥姥|姥爷|外祖|舅|(?<!阿)姨|表[哥弟姐妹]|\\bmaternal\\b|岳母|岳父|丈母娘|老丈人",
    "elder ||| 哥|姐(?!夫)|\\b(?:older|elder|big) (?:brother|sister) /// 弟|妹(?!夫)|\\b(?:younger|little|baby|kid) (?:brother|sister)",
    "skill ||| \\b(?:expert|advanced|professional|pro)\\b|专家|高级|内行|老手|精通"
    " /// \\b(?:beginner|novice|newbie|basic|rookie)\\b|初学|新手|小白|入门|外行|初级 /// \\bintermediate\\b|中级",
    "fluency ||| \\b(?:fluent(?:ly)?|native)\\b|流利|精通 /// \\b(?:a (?:little )?bit of|a little|basic|broken)\\b|一点|略懂|皮毛",
    "level ||| \\b(?:high|raised|above|upper)\\b|[偏太较很]高|高血 /// \\b(?:low|below|lower)\\b|[偏太较很]低|低血",
    "warmth ||| \\b(?:hot|warm)\\b|热|烫|温 /// \\b(?:iced?|cold|chilled)\\b|冰|冷|凉",
    "hardness ||| \\b(?:hard|firm) /// \\bsoft\\b|软",
    "size ||| \\b(?:large|big|huge|xl)\\b|大[杯号码份型] /// \\b(?:small|tiny|little|mini)\\b|小[杯号码份型] /// \\bmedium\\b|中[杯号码份型]",
    "color ||| \\bred\\b|红 /// \\bwhite\\b|白 /// \\bblack\\b|黑 /// \\bgreen\\b|绿 /// \\bblue\\b|蓝 /// \\byellow\\b|黄色"
    " /// \\b(?:brown)\\b|棕 /// \\bpink\\b|粉色 /// \\bpurple\\b|紫",
    "rawness ||| \\braw\\b|生(?=[吃鱼肉茶普]) /// \\b(?:cooked|well[- ]done|ripe)\\b|熟(?=[吃的茶普食])|全熟 /// \\b(?:medium)[- ]rare\\b|半熟",
    "money ||| \\b(?:sav(?:e|es|ing|ings)|put aside)\\b|存|攒 /// \\b(?:spen[dt]\\w*|cost\\w*)\\b|花(?=[了掉光钱\\d约])|花费|开销"
    " /// \\b(?:earn\\w*|make|makes|paid|salary)\\b|赚|挣|工资|收入 /// \\bow(?:e|es|ed)\\b|欠 /// \\b(?:donat|giv)\\w*|捐",
    "trade ||| \\b(?:buy|bought|purchas)\\w*|买 /// \\b(?:sell|sold|selling)\\b|卖 /// \\brent\\w*|租 /// \\bown(?:s|ed)? (?:my|our|the)",
    "loan ||| \\b(?:lend|lent|lending)\\b|借给|借出 /// \\bborrow\\w*|借了|借来|找.{1,6}借",
    "outcome ||| \\bw[io]n\\w*\\b|赢 /// \\b(?:lost|lose|losing)\\b|输",
    "exam ||| \\b(?:pass|passed)\\b|通过|考过|及格 /// \\b(?:fail|failed|flunked)\\b|挂科|没过|不及格",
    "meeting ||| \\b(?:met|meet)\\b|认识|相识 /// \\b(?:married|wed|wedding)\\b|结婚 /// \\bdivorced?\\b|离婚",
    "year ||| 今年|\\bthis year\\b /// 去年|\\blast year\\b /// 明年|\\bnext year\\b /// 前年 /// 后年",
    "day ||| 今[天晚]|\\b(?:today|tonight)\\b /// 明[天晚]|\\btomorrow\\b /// 昨[天晚]|\\b(?:yesterday|last night)\\b /// 后天 /// 前天",
    "month ||| 这个?月|本月|\\bthis month\\b /// 上个?月|\\blast month\\b /// 下个?月|\\bnext month\\b",
    "week ||| 这周|本周|这个星期|\\bthis week\\b /// 上周|上个?星期|\\blast week\\b /// 下周|下个?星期|\\bnext week\\b",
    "bed ||| \\bsingle (?:bed|room)|单人 /// \\b(?:double|queen|king|twin)\\b|双人",
    "parity ||| \\bodd\\b|单[数号] /// \\beven (?:days|numbers|weeks)\\b|双[数号]",
    "in the open ||| \\b(?:indoors?|inside)\\b|室内|屋里 /// \\b(?:outdoors?|outside)\\b|室外|户外|外面",
    "most or least ||| \\b(?:at most|max(?:imum)?|up to|(?:no|not) more than|less than)\\b|以内|不超过|最多|至多|顶多"
    " /// \\b(?:at least|min(?:imum)?|(?:no|not) less than|(?<!no )(?<!not )more than)\\b|以上|至少|最少|不少于|不低于|起码",
    "order ||| \\b(?:first)\\b|第一|首[个次] /// \\blast (?:one|of|child|day)|最后 /// \\bsecond\\b(?!-)|第二 /// \\bthird\\b|第三",
    "public ||| \\bpublic\\b|公[立办] /// \\bprivate\\b|私[立办]|民办",
    "coin ||| 台币|\\b(?:twd|nt) /// 人民币|\\b(?:rmb|cny|yuan)\\b /// 港[币元]|\\bhkd\\b /// 日元|\\b(?:jpy|yen)\\b /// 美[元金]|\\busd\\b|\\$ /// 欧元|\\beuros?\\b|€",
    "deed to an animal ||| 喂|\\bfeed /// 遛|\\bwalk /// 训|\\btrain(?:ing)? my",
    "with or for ||| \\bwith me\\b|跟我|和我 /// \\b(?:for|to) me\\b|给我",
    "temper ||| \\b(?:strict|harsh|blunt|direct)\\b|严厉|直接 /// \\b(?:gentle|soft|kind)\\b|温柔|委婉",
    "scale ||| \\bcelsius\\b|摄氏 /// \\bfahrenheit\\b|华氏 /// \\bkelvin\\b|开尔文",
    "limbs ||| \\b\\w+-handed\\b /// \\b\\w+-footed\\b",
    "more or less ||| \\b(?:gain|increase|raise|grow|add)\\w*\\b|增|涨|加 /// \\b(?:los[et]|decrease|reduce|lower|cut)\\w*\\b|减|降",
)  # fmt: skip
"""Families of words of which one rules the others out: a name, "|||", and the values parted by "///"."""

_MARKS: Final = (
    r"副(?!作用|业|食)|\b(?:deputy|vice)\b",
    r"\bassistant (?!\w* ?to)|助理",
    r"\bstep-?(?:mother|father|son|daughter|brother|sister|mum|mom|dad)|继[父母子女]|后[妈爸]",
    r"\b(?:former|ex|previous)\b|\bex-|前(?=夫|妻|任|男友|女友|老板|同事|公司|领导)",
    r"几乎|差点|\b(?:almost|nearly)\b",
    r"\bevery other\b|隔[天周月年日]|每隔",
    r"\b(?:except|apart from|other than)\b|除了|除外",
    r"唯一",
    r"[后前]年",
    r"\bread\b(?! (?:books|novels|comics|manga))",
    r"\b(?:speak|know|understand)\w* (?:a (?:little )?bit of|a little|some|basic|broken)\b|[会懂讲说]一?点",
    r"\bhalf[- ](?:brother|sister|time)",
    r"\b(?:under|underneath|beneath)\b|底下",
    r"\bbehind\b|背后",
    r"\b(?:opposite|across from)\b|对面",
    r"看(?=[^,.]{0,4}[球赛])|\bwatch\w* (?:\w+ )?(?:football|soccer|basketball|tennis|rugby|cricket|hockey|baseball|sports?|golf|matches|games)\b",
    r"\b(?:used|second[- ]hand)\b(?! to)|二手",
    r"\b(?:great|grand)-?(?:aunt|uncle|grandmother|grandfather)|曾祖|太[爷奶]",
    r"\b(?:wish|dream)\w*\b|梦想|做梦",
)  # fmt: skip
"""Words that make another thing of what they stand with: said of one side only, they part the two."""


@cache
def _families() -> tuple[tuple[re.Pattern[str], ...], ...]:
    return tuple(
        tuple(re.compile(value.strip()) for value in family.split("|||")[1].split(" /// ")) for family in _FAMILIES
    )


@cache
def _marks() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(mark) for mark in _MARKS)


def contrasted(one: str, other: str) -> bool:
    """Return whether two folded clauses stand on different sides of a contrast: front and back row, deputy or not."""
    for family in _families():
        mine = {value for value, pattern in enumerate(family) if pattern.search(one)}
        if mine:
            theirs = {value for value, pattern in enumerate(family) if pattern.search(other)}
            if theirs and not mine & theirs:
                return True
    return any(bool(mark.search(one)) != bool(mark.search(other)) for mark in _marks())
