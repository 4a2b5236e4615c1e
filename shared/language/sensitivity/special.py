"""Matters that nothing may be inferred from: health, politics, religion, sexuality, ethnicity, union membership, crime,
finances and minors (TR-11; GDPR 9 and 10). Words that name them, in English and Chinese.

Deliberately wide: evidence that is dropped by mistake costs little, an inference from an illness does harm.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

from shared.language.script import SIMPLIFIED

SpecialCategory: TypeAlias = Literal[
    "health", "politics", "religion", "sexuality", "ethnicity", "union", "crime", "finances", "minors"
]

_WORDS: Final[dict[SpecialCategory, tuple[str, str]]] = {
    "health": (
        r"health|doctor|\bgp\b|hospital|clinic|surger|surgeon|nurse practitioner|therap|psychi|counsell?or|diagnos|symptom"
        r"|disease|illness|\bsick\b(?! of)|\bill\b|disorder|disabil|disabled|wheelchair|prescri|medicat|medicine|\bmeds\b|\bpills?\b"
        r"|insulin|diabet|blood (?:sugar|pressure)|cholesterol|asthma|cancer|chemo|tumou?r|stroke|heart (?:attack|condition)"
        r"|cardi(?:ac|olog)|arthriti|migraine|epilep|seizure|adhd|\badd\b(?! (?:a|the|it|some|to|in|one|more|any|that|this)\b)"
        r"|autis|asperger|bipolar|depress|anxiety|panic attack|\bptsd\b|\bocd\b|burn(?:ed|t)? ?out|insomni|dyslex|dementia"
        r"|alzheimer|menopaus|pregnan|miscarr|\bivf\b|fertility|\bhiv\b|allerg|intoleran|coeliac|celiac|crohn|\bibs\b|gout"
        r"|kidney|liver\b|thyroid|back (?:pain|problem|injury)|injur|physio|rehab|chronic|relapse|sober|sobriety|alcoholic"
        r"|addict|overweight|obes|\bdiet(?:ing|s)?\b|lose weight|losing weight|eating disorder|anorexi|bulimi|hearing aid"
        r"|deaf\b|blind\b|memory loss|bad (?:knee|back|hip)|\bknees?\b|sciatica|arthritic|vertigo|dizz|fatigue|reflux|ulcer",
        r"健康|医生|大夫|医院|门诊|看病|治病|病[了人情历]|生病|患|疾|症|手术|住院|确诊|诊断|体检|复查|药|胰岛素|糖尿|血[糖压脂]|胆固醇"
        r"|哮喘|癌|肿瘤|化疗|中风|心脏|心梗|痛风|关节|腰椎|颈椎|腰痛|膝盖|偏头痛|癫痫|多动|自闭|双相|抑郁|焦虑|强迫|失眠|痴呆"
        r"|更年期|怀孕|孕期|孕妇|产检|坐月子|流产|试管|备孕|艾滋|过敏|不耐受|肾|肝[病炎脏]|甲状腺|甲亢|受伤|骨折|康复|慢性|戒酒|酗酒"
        r"|上瘾|减肥|减重|肥胖|厌食|助听|耳聋|失明|残疾|轮椅|胃[病炎痛]|高尿酸|尿酸|三高|心理咨询|咨询师|抽搐|头晕|更年",
    ),
    "politics": (
        r"politic|election|\bvot(?:e|ed|es|ing|er)\b|democrat|republican|\btory\b|tories|labour party|conservative party"
        r"|liberal party|green party|\bmaga\b|trump|biden|brexit|\bmp\b|congress|senat|parliament|activis|protest\w*"
        r"|left[- ]wing|right[- ]wing|socialis|communis|campaign(?:ing)? for (?:the|a) (?:party|candidate)|canvass|ballot",
        r"政治|选举|投票|大选|党员|入党|党费|共产党|民主党|共和党|国民党|民进党|左派|右派|抗议|游行|示威|议员|维权|政见",
    ),
    "religion": (
        r"religio|church|mosque|temple|synagogue|shul\b|pray|prayer|\bgod\b|allah|jesus|christian|catholic|protestant|muslim"
        r"|islam|jewish|judais|hindu|buddhis|sikh|ramadan|\blent\b|sabbath|shabbat|kosher|halal|qur'?an|bible|gospel|pastor"
        r"|priest|imam|rabbi|parish|congregation|baptis|evangelic|mormon|fasting|\bmass\b|hymns?\b|\beid\b|diwali|meditation retreat|sunday service",
        r"宗教|教堂|清真|寺庙|庙里|拜佛|学佛|信佛|念佛|菩萨|念经|抄经|诵经|打坐|祷告|祈祷|上帝|耶稣|基督|天主|圣经|真主|穆斯林|伊斯兰|古兰|回族|吃斋|斋饭|斋月|封斋|信教|教友|做礼拜|牧师|神父"
        r"|初一十五|吃素还愿|拜神|教会|唱诗班|晨礼|做礼拜|礼拜堂|烧香|道观|受洗",
    ),
    "sexuality": (
        r"\bgay\b|lesbian|bisexual|\bqueer\b|lgbt|transgender|\btrans\b|non-?binary|sexual|\bsex\b|(?:came|come|coming) out (?:to|as)|(?:not|being) out (?:to|at)"
        r"|\bpride\b|my boyfriend and i are both men|grindr|same-sex|closeted",
        r"同性恋|同志(?:酒吧|圈)|出柜|双性恋|跨性别|变性|性取向|性生活|男同|女同|蕾丝|我喜欢男生|我喜欢女生|我喜欢男人|我喜欢女人",
    ),
    "ethnicity": (
        r"ethnic|\brace\b|racial|racis|\bblack (?:man|woman|guy|person|people)|african[- ]american|latino|latina|hispanic"
        r"|asian[- ]american|indigenous|aborigin|maori|\broma\b|immigrant|refugee|asylum|\bvisa\b|migrant|caste|my people"
        r"|minority|skin colou?r|native american|first nations|because i'?m (?:black|asian|white|brown|indian|chinese|african)",
        r"民族|少数民族|种族|肤色|维吾尔|藏族|蒙古族|壮族|移民|难民|户籍歧视|我是[^，。]{0,6}族|黑人|白人|外国人身份",
    ),
    "union": (
        r"\bunion(?:s|ized|ised)?\b|shop steward|strik(?:e|ing) (?:fund|vote|pay|action)|on strike|picket|collective bargain"
        r"|branch rep|union rep",
        r"工会|罢工|劳资谈判|集体谈判",
    ),
    "crime": (
        r"crim(?:e|inal)|prison|jail|parole|probation|convict|arrest|felon|misdemeanou?r|police record|court date|\bcourt\b"
        r"|ankle monitor|restraining order|shoplift|\bdui\b|drunk driving|drink[- ]driv\w*|lost my licen[cs]e|stole\b|fraud|drug deal|gang\b|served time|sentence[d]? to",
        r"犯罪|坐牢|监狱|判刑|缓刑|假释|保释|前科|拘留|被捕|逮捕|警察|派出所|刑满|服刑|酒驾|诈骗|偷窃|法院",
    ),
    "finances": (
        r"\bdebts?\b|in debt|bankrupt|loan|mortgage|overdraft|overdrawn|credit (?:card|score|rating)|payday|foreclos|evict"
        r"|welfare|benefits office|universal credit|food stamps|\bsnap\b benefits|food bank|unemploy|laid off|lost my job"
        r"|redundan|(?:i'?m|am|we'?re|are|was|were|being|so|too|flat|dead|totally) broke\b|can(?:'|no)t afford|couldn'?t afford|afford(?:ed)? it"
        r"|money (?:is|was|has been|'s) tight|tight on money|short (?:on|of) (?:money|cash)|salary|\bwages?\b|paycheck|(?:pay|paying|make|making) (?:the |my )?rent|rent (?:is|was|money|due)"
        r"|pension credit|collections? agency|repossess|behind on|arrears|savings (?:are|is|ran)|low income|poor\b(?! (?:thing|quality))",
        r"欠[债款钱了]|还[债款贷]|债务|贷款|房贷|车贷|花呗|网贷|信用卡|破产|失业|裁员|被裁|下岗|没钱|缺钱|手头紧|穷|低保|救济|工资|薪水|收入低"
        r"|付不起|买不起|交不起|房租|月光|拮据|负债|断供|催收",
    ),
    "minors": (
        r"\bkids?\b|\bchild(?:ren)?\b|\bbab(?:y|ies)\b|toddler|newborn|infant|\bsons?\b|\bdaughters?\b|\bteen(?:ager|age)?s?\b"
        r"|my (?:little )?(?:boy|girl)s?\b|grandkid|grandchild|grandson|granddaughter|\bnephews?\b|\bnieces?\b|kindergarten"
        r"|nursery|day ?care|preschool|elementary school|primary school|school run|school pick|pta\b|homework with"
        r"|\b(?:1?\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen)[- ]year[- ]olds?\b|\bpupils?\b|(?:1st|2nd|3rd|first|second|third|fourth|fifth|sixth|seventh|eighth)[- ]graders?",
        r"孩子|小孩|儿子|女儿|宝宝|娃|婴儿|幼儿|小朋友|孙子|孙女|外孙|侄[子女]|外甥|幼儿园|托班|小学|初中生|中学生|家长会|接送|育儿|奶粉|闺女|小学生|未成年",
    ),
}


@cache
def _patterns() -> dict[SpecialCategory, re.Pattern[str]]:
    return {
        category: re.compile(f"\\b(?:{english})|{chinese}", re.IGNORECASE)
        for category, (english, chinese) in _WORDS.items()
    }


def special_categories(text: str) -> list[SpecialCategory]:
    """Return the sensitive matters a text names, in the order of `SpecialCategory`."""
    read = text.translate(SIMPLIFIED)
    return [category for category in get_args(SpecialCategory) if _patterns()[category].search(read)]
