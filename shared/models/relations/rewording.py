"""Folded text in plainer words: roles for who fills them, units for what is counted, over for what is put aside."""

from __future__ import annotations

import re
from typing import Final

_OTHERS: Final = r"(?:(?:my|the|our) [\w' ]{2,25}?|hubby|mum|dad|mam|mom|wifey|doc|doctors|boss|work|they|everyone|everybody|people|he|she|hr)"
_TO_TWELVE: Final = "one two three four five six seven eight nine ten eleven twelve".split()
_FEW: Final = r"\d|one|two|three|four|five|six|seven"

_REWORDED: Final = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        # compounds of a number and its unit: a four-day week, a six-month contract
        (
            r"\b(\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve)-(day|hour|minute|week|month|year|bed|bedroom|person|door|seater|page|mile|inch|litre)s?\b",
            r"\1 \2",
        ),
        (
            r"(?<=\w)'s (?=(?:[a-z]{3,}ed|out|off|back|over|gone|done|dead|moving|coming|going|ended|finished|up|down|dr|mr|mrs|ms|with|from|due|fine|better|healed|closed|broken|pregnant|married|single|retired|engaged|electric|hybrid|full-time|part-time|\d)\b)",
            " is ",
        ),
        # whom one reports to
        (
            r"\bi (?:(?:now|currently|directly|actually) )*report (?:directly |straight )?to (?=\w)",
            "my manager is called ",
        ),
        (
            r"(?:我)?(?:现在|直接|如今)*(?:report 给|汇报给|向(?=\S{1,6}汇报)|对(?=\S{1,6}汇报)) ?",
            "我的直属领导叫 ",
        ),
        (r"(?<=\S)(?:老板|领导|上司|主管)换人了", "换领导了"),
        (r"^(?:我)?(?:老板|领导|上司|主管)换人了", "我换领导了"),
        # how one is spoken of
        (r"\b(?:she|her)/(?:her|hers|she)(?:/hers)?\b", "pronoun-she"),
        (r"\b(?:he|him)/(?:him|his|he)(?:/his)?\b", "pronoun-he"),
        (r"\b(?:they|them)/(?:them|theirs|they)(?:/theirs)?\b", "pronoun-they"),
        # where one lives and is sent
        (r"base(?:d)? ?在", "住在"),
        (
            r"\b(?:get|getting|got|be|been|being|was|am) (?:transferred|posted|relocated|sent|seconded|reassigned) to\b",
            "moved to",
        ),
        (
            r"\b(?:crash|kip|bunk|doss|lodg|couch-?surf|sofa-?surf|house-?sit)(?:e|es|ing|ed)? (?:on|at|with|in|round)\b",
            "temporarily staying with",
        ),
        # a thing taken along and left
        (r"\b(?:am|is|are) an? ex-?(?=[a-z])", "am not anymore a "),
        (r"\bno (?=i\b|we\b|my\b|it is\b|actually\b|that is\b|wait\b)", " "),
        (
            r"\b(?:nope|nah|naw|yep|yup|aye|ta|cheers|innit|tbh|imo|tbf|ngl|lmao|smh|ugh|argh|hmm+|erm+|um+|uh+)\b[,!.]*",
            " ",
        ),
        (r"\bany more\b", "anymore"),
        (r"\bcall(?:ed|ing)? off\b|\bcall(?:ed|ing)? ((?:the|our|my|it) ?[\w ]{0,20}?) off\b", r"cancelled \1"),
        (r"(?<=[\u4e00-\u9fff])(?<![了好行是的对])(?:啦|咯|喽|嘞|咧|啰)(?=$|[,.!?;~ ])", "了"),
        (r"諗(?:紧|緊|住|下)?|谂(?:紧|住|下)?", "考虑"),
        # numbers
        (
            rf"\b({'|'.join(_TO_TWELVE)}|\d+) and a half\b",
            lambda m: f"{_TO_TWELVE.index(m[1]) + 1 if m[1] in _TO_TWELVE else m[1]}.5",
        ),
        (r"\b(\d{1,2})(?:st|nd|rd|th) (?=weekend|week\b|month\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day)", r"#\1 "),
        (
            r"\b(second|third|fourth) (?=weekend|week\b|month\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day)",
            lambda m: {"second": "#2 ", "third": "#3 ", "fourth": "#4 "}[m[1]],
        ),
        (r"([百千万][一二三四五六七八九])(?=一个?(?:月|年|天|周|次|晚))", r"\1 "),
        (r"(凌晨|半夜|夜里|中午|下午)一点(?![点儿也])", r"\1 1点"),
        (r"([七八九])年级", lambda m: "初" + "一二三"["七八九".index(m[1])]),
        # roles and states said otherwise
        (
            r"\b(?:my )?(?:body|stomach|gut|tummy|system) (?:can ?not|does not|will not) (?:handle|tolerate|digest|process|take|cope with) (?=\w)",
            "i am intolerant to ",
        ),
        (r"\b(?:keep|observe)s? the fast\b", "fast"),
        (r"是([\w\u4e00-\u9fff]{2,8}?)的?员工(?=$|[,.])", r"在\1上班"),
        (r"坐(车|船|飞机)(?:我)?(?:会|就|容易|老)*晕", lambda m: "晕" + m[1].replace("飞", "")),
        (r"(?:生肖|属相)(?:我)?(?:是|属)?(?=[鼠牛虎兔龙蛇马羊猴鸡狗猪](?:$|[,.]))", "属"),
        (r"\bred[-/ ]green\b", "red green"),
        (r"\bon-?call\b", "on call"),
        # working days
        (
            rf"(?<=work )({_FEW}) days? (?:a|per|each|every) week\b|\b({_FEW}) day (?:work(?:ing)? )?week\b",
            r"\1\2 weekly-workdays",
        ),
        (
            r"(?:[一每]周|[一每]个?星期|[一每]个?礼拜)(?:只|就|要|得)?(?:上|干|工作)([一二两三四五六\d])天(?:班)?",
            r"上班 \1 weekly-workdays",
        ),
        # what others say of the speaker
        (
            rf"^{_OTHERS} (?:says?|said|told me|tells me|let me know|confirmed)(?: that)? (?=i\b|my\b|we\b|our\b|no\b|maybe\b|it\b|to\b)",
            "",
        ),
        (
            rf"^{_OTHERS} (?:reckons?|thinks?|hint(?:s|ed)|suspects?|suggest(?:s|ed)|wonders?|is hinting|hoped?s?)(?: that)? (?=i\b|my\b|we\b|our\b|no\b|maybe\b|it\b|to\b)",
            "maybe ",
        ),
        (
            r"\b(?:a (?:bit|little|lot|touch|tad) |much |slightly |way )?less (?=formal|casual|detailed|wordy|verbose|serious|funny|technical|chatty|polite|long|short|jargon|strict)",
            "not ",
        ),
        (
            r"\bsleeping (?:on|at|in) (?=(?:my|our|a|the) [\w' ]+'s?\b|the (?:sofa|couch|floor))",
            "temporarily staying with ",
        ),
        (
            r"\b(\d{1,2})(?:st|nd|rd|th) (?=floor|grade|form|class|year|row|line|place|base|storey|level|trimester|generation|edition)",
            r"#\1 ",
        ),
        (
            r"^(?:我的?|我们的?)?(?:房东|医生|大夫|老板|领导|上司|主管|老师|导师|教练|经理|公司|学校|人事|中介|物业|银行|他们|那边)(?:那边|刚刚?|今天|昨天|刚才)*(?:说|通知|告诉我|建议我?|暗示|透露|表示)(?=我|房|要|可能|会|下|这|从|能|得|先|以后|改)",
            "",
        ),
        (r"^(?:医生|大夫|老师|教练|领导|老板)(?:让|叫|要求)我(?!们)", "我"),
        (rf"^{_OTHERS} (?:wants?|told|asked|advised|needs?) me (?=off\b|on\b)", "maybe i am "),
        (rf"^{_OTHERS} (?:wants?|asked|advised|needs?) me to ", "maybe i will "),
        (r"\bi am due(?= in| on|$)", "i am pregnant and due"),
        (r"\b(?:fewer|less) (?=emoji|bullet|list|jargon|detail|joke|swear|exclamation|heading|table|example)", "not "),
        (
            r"\b(?:looking at|viewing|viewed|seen|searching for|eyeing) (?:a |some |new )?(?:houses?|flats?|apartments?|places?|homes?) in ",
            "maybe moving to ",
        ),
        (r"\b(?:house|flat|apartment)[- ]hunting in ", "maybe moving to "),
        (r"\b(?:go|going|went|gone|switch(?:ed|ing)? to) (?:decaf|caffeine-free)\b", "stop caffeine"),
        (
            r"\b(?:go|going|went|gone) (?:sugar|dairy|gluten|meat|alcohol|bread|carb)-free\b",
            lambda m: "stop " + m[0].split()[-1].split("-")[0],
        ),
        (
            r"\b(?:stay|keep|lay)(?:ing)? off (?:the )?(?=(?:bread|sugar|meat|dairy|alcohol|booze|caffeine|coffee|sweets|chocolate|carbs|gluten|cheese|crisps|wine|beer|takeaways?|fags|cigarettes)\b)",
            "not eating ",
        ),
        # to be, to be made, to be given a post
        (r"\bthey (?:have )?(?:made|named|appointed|crowned) me\b", "i got promoted to"),
        (
            r"\b(?:got|was|been|am|being) (?:made|named|appointed) (?=head|lead|chief|senior|manager|director|partner|supervisor|principal|deputy|captain|team)",
            "got promoted to ",
        ),
    )
)

_RUN_OF_SPACE: Final = re.compile(r" {2,}")


def reworded(text: str) -> str:
    """Return the folded `text` with everyday turns of phrase said in the words the readers know."""
    for pattern, words in _REWORDED:
        text = pattern.sub(words, text)
    return _RUN_OF_SPACE.sub(" ", text).strip(" ,")
