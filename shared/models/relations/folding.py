"""One way of writing for texts that are about to be compared: case, script, contractions, colloquial spellings."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from shared.models.relations.phrasing import rephrased
from shared.models.relations.script import SIMPLIFIED

LENGTH_LIMIT: Final = 600
"""Characters that are read; what a longer text says after them decides nothing."""

_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'", "‐": "-", "‑": "-", "‒": "-", "‧": "·"})

_CANTONESE: Final = re.compile(
    "[喺咗嘅唔冇佢哋嗰啲嚟瞓畀揸睇攞啱嘢冚煲噉咁]|鍾意|钟意|返工|返學|而家|依家|屋企|係(?![數列統])"
)
_CANTONESE_WORDS: Final = (
    (re.compile("(?<![關关聯联])係(?![數列統])"), "是"),
    (re.compile("(?:食|噉)(?:煙|烟)"), "抽烟"),
    (re.compile("返工|做嘢"), "上班"),
    (re.compile("放工|收工"), "下班"),
    (re.compile("返學|返学"), "上学"),
    (re.compile("鍾意|钟意|中意"), "喜欢"),
    (re.compile("而家|依家|宜家|家陣"), "现在"),
    (re.compile("細個|细个"), "小时候"),
    (re.compile("嗰陣時?|嗰阵时?"), "那时"),
    (re.compile("屋企"), "家"),
    (re.compile("瞓覺|瞓觉|瞓"), "睡觉"),
    (re.compile("起身"), "起床"),
    (re.compile("揸車|揸车|揸"), "开车"),
    (re.compile("老豆|老竇"), "爸爸"),
    (re.compile("老母|阿媽|阿妈"), "妈妈"),
    (re.compile("(?<=我)(?:個)?仔(?![細细])"), "儿子"),
    (re.compile("(?<=我)(?:個|个)?女(?![朋友兒儿婿士])"), "女儿"),
    (re.compile("啱啱"), "刚刚"),
    (re.compile("朝早|朝頭早"), "早上"),
    (re.compile("夜晚|夜晚黑"), "晚上"),
    (re.compile("搵到|揾到"), "找到"),
    (re.compile("搵工|揾工"), "找工作"),
    (re.compile("行山"), "爬山"),
    (re.compile("睇書|睇书"), "看书"),
    (re.compile("睇[戲戏]"), "看电影"),
    (re.compile("我哋"), "我们"),
    (re.compile("喺"), "在"),
    (re.compile("咗"), "了"),
    (re.compile("嘅"), "的"),
    (re.compile("冇"), "没有"),
    (re.compile("唔使"), "不用"),
    (re.compile("唔"), "不"),
    (re.compile("佢"), "他"),
    (re.compile("嗰"), "那"),
    (re.compile("啲"), "些"),
    (re.compile("嚟"), "来"),
    (re.compile("[畀俾]"), "给"),
    (re.compile("睇"), "看"),
    (re.compile("嘢"), "东西"),
    (re.compile("(?<=搬)[番返]|[番返](?=[去嚟来])"), "回"),
    (re.compile("食(?![物品堂谱譜材素量])"), "吃"),
    (re.compile("[飲饮](?![料食品])"), "喝"),
    (re.compile("[嘞喇㗎囉啫]"), "了"),
)


def _not_in_scots(match: re.Match[str]) -> str:
    verb = {"di": "do", "ca": "can", "wo": "will"}.get(match[1], match[1])
    return f"{verb} not"


_CONTRACTIONS: Final = tuple(
    (re.compile(rf"\b(?:{pattern})\b"), words)
    for pattern, words in (
        (r"can'?t|cannot|can not", "can not"),
        (r"won'?t", "will not"),
        (r"shan'?t", "shall not"),
        (r"ain'?t", "am not"),
        (r"(do|does|did|is|are|was|were|have|has|had|would|could|should|need|must)n'?t", r"\1 not"),
        (r"i'?m|i am", "i am"),
        (r"i'?ve", "i have"),
        (r"i'd rather|id rather", "i would rather"),
        (r"i'd (?=(?:\w+ed|been|gone|got|had)\b)", "i had "),
        (r"i'd", "i would"),
        (r"i'll", "i will"),
        (r"(you|we|they|who)'re", r"\1 are"),
        (r"(you|we|they|who)'ve", r"\1 have"),
        (r"(you|we|they|he|she|it)'ll", r"\1 will"),
        (r"(you|we|they|he|she|it)'d", r"\1 would"),
        (r"(he|she|it|that|there|what|here|who|name|let)'s", r"\1 is"),
        (
            r"(\w+)'s (?=(?:called|named|from|a|an|the|not|now|been|allergic|in|on|at|just|got|gone|moved|\w+ing)\b)",
            r"\1 is ",
        ),
        (r"ppl", "people"),
        (r"f(?:ae|rae)", "from"),
        (r"(can|di|ca|wo|do|did|was|is|have|had|would|could|should)nae", _not_in_scots),
        (r"wee|lil", "little"),
        (r"yous|ya", "you"),
        (r"dunno", "do not know"),
        (r"tbh|imo|imho|ngl|lowkey|aye|innit|och|yep|yup|nah|yea|yeah|hmm+|um+|erm*|uh+|lmao|hehe|haha+", ""),
        (r"prolly", "probably"),
        (r"defo|def", "definitely"),
        (r"hol(?:s)?", "holiday"),
        (r"yrs", "years"),
        (r"wks", "weeks"),
        (r"mths|mos", "months"),
        (r"(\d+)yrs?", r"\1 years"),
        (r"w/o", "without"),
        (r"w/", "with"),
        (r"b4", "before"),
        (r"bday", "birthday"),
        (r"appt", "appointment"),
        (r"apt", "apartment"),
        (r"dept", "department"),
        (r"uni", "university"),
        (r"gonna", "going to"),
        (r"wanna", "want to"),
        (r"gotta", "have to"),
        (r"kinda", "kind of"),
        (r"sorta", "sort of"),
        (r"rn|atm", "at the moment"),
        (r"tho", "though"),
        (r"bc|cuz|coz", "because"),
        (r"any more", "anymore"),
        (r"pls|plz", "please"),
        (r"u", "you"),
        (r"ur", "your"),
        (r"thru", "through"),
        (r"favourite", "favorite"),
        (r"colour", "color"),
    )
)
_MISSING_SPACE: Final = re.compile(r"(?<=[\u4e00-\u9fff])(?=[a-z0-9])|(?<=[a-z0-9])(?=[\u4e00-\u9fff])")
_SMOKED: Final = re.compile("[抽吸](?!烟)([^,。;抽吸]{0,5}?)(?:香烟|烟)")
_NATIONS: Final = dict(
    pair.split(":")
    for pair in (
        "german:germany french:france italian:italy spanish:spain dutch:netherlands swedish:sweden norwegian:norway"
        " danish:denmark finnish:finland polish:poland russian:russia japanese:japan korean:korea chinese:china"
        " american:usa british:britain english:england irish:ireland scottish:scotland canadian:canada"
        " australian:australia indian:india portuguese:portugal greek:greece turkish:turkey swiss:switzerland"
        " austrian:austria belgian:belgium brazilian:brazil mexican:mexico thai:thailand vietnamese:vietnam"
        " taiwanese:taiwan singaporean:singapore malaysian:malaysia ukrainian:ukraine hungarian:hungary czech:czechia"
    ).split()
)
"""What people call themselves and the country they mean."""
_SLEEPS_LIGHTLY: Final = (
    r"\bwakes? (?:up )?(?:very |so |really )?easily\b(?:,? (?:from|at|with|by|to) (?:(?:any|the|every|a) )?(?:(?:slightest"
    r"|smallest|little) )?(?:noise|sound)s?)?(?: when i(?: am)? (?:sleep(?:ing)?|asleep))?"
)
_REPORTED: Final = (
    r"^(?:(?:the|my) (?:doctors?|allergist|gp|dentist|tests?|results?)(?: results?)? (?:says?|said|confirmed|told me|shows?|showed|found)(?: that)?"
    r"|(?:it )?turns out(?: that)?|i(?: have| just)? (?:found out|realised|realized|noticed|discovered|decided|learned)(?: that)?(?= i\b)|as (?:i said|it happens|mentioned),?|to be clear,?|fyi,?|just so you know,?) "
)
"""Opens what somebody else found or the speaker came to see; what follows counts."""
_MONTHS_ZH: Final = ("", *"一二三四五六七八九十", "十一", "十二")
_REWRITTEN: Final = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"没有?(?:任何)?(?:亲)?兄弟姐妹", "是独生子女"),
        (r"\b(?:have|has|had|with|got) (?:got )?no (?:siblings|brothers (?:or|and|nor) sisters)", "am an only child"),
        (r"\b(?:do|does|have) not have (?:any )?(?:siblings|brothers (?:or|and|nor) sisters)", "am an only child"),
        (r"滴酒不沾|酒精不沾|酒一滴不沾", "不喝酒"),
        (r"\b(?:unmarried|never (?:been )?married)\b", "not married"),
        (r"未婚(?![夫妻])", "没结婚"),
        (r"\bnon-?smoker\b", "not smoker"),
        (r"\b(?:a )?(?:teetotal(?:ler)?|teetotaler|non-?drinker)\b", "do not drink alcohol"),
        (r"\bchildless\b|\bchild-?free\b", "have no kids"),
        (r"丁克", "没有孩子"),
        (r"不吃(?:荤|肉)(?=$|[,.;!的])", "吃素"),
        (r"\b(?:am|are|is) vegetarian\b", "am a vegetarian"),
        (r"\bdo not know how to\b", "can not"),
        (r"\bknow how to\b", "can"),
        (r"\bhave no (?:clue|idea) how to\b", "can not"),
        (
            r"\b(?:am|be) off (?=(?:coffee|meat|alcohol|sugar|dairy|caffeine|carbs|gluten|booze|cigarettes|sweets)\b(?! for good))",
            "do not ",
        ),
        (
            r"\b(?:am |is |are )?(?:taking|having) a (?:little |short |bit of a )?(?:break|pause) from\b",
            "temporarily not",
        ),
        (r"\bdo not mind\b", "like"),
        (
            r"\b(left|right) (?=(?:arm|leg|hand|ear|eye|knee|foot|side|shoulder|wrist|ankle|hip|thumb|elbow)\b)",
            r"\1side ",
        ),
        (r"\ba single (?=\w)", "one "),
        (r"\bnative (\w+) speaker\b|\bnative speaker of (\w+)\b", lambda m: f"native language {m[1] or m[2]}"),
        (r"\bborn and (?:raised|bred|grew up)\b", "grew up"),
        (r"\b(?:have )?(?:gone|went) (?:right |completely |totally )?off (?!to\b|work\b|on\b|sick\b)", "do not like "),
        (r"\b(?:in|with) go\b(?=$|[,.;!]| from| now| please)|(?<=用) ?go\b", "in golang"),
        (r"离了(?=$|[,.!])", "离婚了"),
        (
            r"\b(?:am |will be )?spend(?:ing)? (?:the|this|next|most of the|all) (?:summer|winter|spring|autumn|fall|month|week|term|semester|year) (?=in |at |with )",
            "am temporarily living ",
        ),
        (_REPORTED, ""),
        (r"^(?:医生|大夫|检查|化验|复查|体检)(?:结果)?(?:都)?(?:说|显示|确认|表明|发现)", ""),
        (r"月薪", "每月工资"),
        (r"年薪", "每年工资"),
        (r"(?<![a-z])(ab|a|b|o) ?型血?|\btype (ab|a|b|o)\b", lambda m: f"血型 blood-{m[1] or m[2]}"),
        (r"(?<!\d)(1[0-2]|[1-9]) ?月(?![\d一二三四五六七八九十])(?= ?[^\d])", lambda m: _MONTHS_ZH[int(m[1])] + "月"),
        (r"\b(dr|mr|mrs|ms|prof|st)\. ?(?=\w)", r"\1 "),
        (r"\bam an? (\w+) player\b", r"play the \1"),
        (
            r"(?<!language )\b(am|is|are) (?:an? |half )?("
            + "|".join(_NATIONS)
            + r")(?=$|[.,;!]| by | and (?:i|my|we)\b)",
            lambda m: f"{m[1]} from {_NATIONS[m[2]]}",
        ),
        (r"我们?家(?=[一二三四五六七八九十\d])", "我有"),
        (r"\b(?:bad|terrible|hopeless|awful|rubbish|useless) at\b", "not good at"),
        (r"一儿一女|一子一女", "一个儿子一个女儿"),
        (
            r"\b(?:do|does) not have (?:a )?(?:partner|girlfriend|boyfriend)\b|\bhave no (?:partner|girlfriend|boyfriend)\b",
            "am single",
        ),
        (r"没有?(?:女朋友|男朋友|女友|男友|对象)", "单身"),
        (r"\b(?:a |an )?(?:medical|med) student\b|医学生", "study medicine"),
        (
            r"\ban? (law|physics|chemistry|biology|history|economics|psychology|engineering|philosophy|nursing|architecture) student\b",
            r"study \1",
        ),
        (r"点(?:半|钟)?(?:才|就|都)?起(?=$|[,.!了])", lambda m: m[0] + "床"),
        (r"\b(?:am|is|are|be|being) (?:usually |always |already )?up (?=at|by|before|around|from|early)", "get up "),
        (r"\b(?:do|doing) my job\b", "work"),
        (r"(?<=[上下这本])周([一二三四五六日天])", r"周 周\1"),
        (r"(?<=[\u4e00-\u9fff])受不了|受不了|接受不了|吃不惯|喝不惯|无法接受|没法接受", "讨厌"),
        (r"\b(?:can|could) not (?:stand|bear|abide|deal with|tolerate|get behind)\b", "hate"),
        (r"\bnot (?:really |much |exactly )?(?:a (?:big |huge )?fan of|keen on|fond of|into)\b", "not like"),
        (r"\bi have a hard time with\b", "i hate"),
        (r"我家(?=有|没|养|狗|猫|孩|娃|儿|女|离|的?[狗猫娃])", "我"),
        (r"[\"'「]您[\"'」]|(?<=[用称呼叫说喊])您(?=$|[,.!吧了])", "敬称您"),
        (r"[\"'「]你[\"'」]|(?<=[用说])你(?=$|[,.!吧就])", "平称你"),
        (r"\b(?:my|the) other half\b", "my partner"),
        (r"\bname is(?= not)", "name"),
        (_SLEEPS_LIGHTLY, "am a light sleeper"),
        (r"\bone after the other\b", ""),
        (r"\bi (?:could|would) never\b", "i do not"),
    )
)
_RUN_OF_SPACE: Final = re.compile(r"\s+")
_LONG_RUN: Final = re.compile(r"([a-z])\1{2,}")


def fold(text: str) -> str:
    """Return `text` in lower case, simplified Chinese and Mandarin words, contractions spelled out.

    At most `LENGTH_LIMIT` characters are read. Between Latin and Chinese there is always a space.
    """
    read = unicodedata.normalize("NFKC", text[:LENGTH_LIMIT]).translate(_QUOTES)
    if _CANTONESE.search(read):
        for pattern, words in _CANTONESE_WORDS:
            read = pattern.sub(words, read)
    read = read.translate(SIMPLIFIED).casefold().replace("。", ". ").replace("、", ",").replace("“", '"')
    read = read.replace("”", '"').replace("「", '"').replace("」", '"')
    read = _LONG_RUN.sub(r"\1\1", read)
    for contraction, spelled_out in _CONTRACTIONS:
        read = contraction.sub(spelled_out, read)
    read = _SMOKED.sub(r"\1抽烟", read)
    for pattern, rewriting in _REWRITTEN:
        read = pattern.sub(rewriting, read)
    return _RUN_OF_SPACE.sub(" ", _MISSING_SPACE.sub(" ", rephrased(read))).strip()
