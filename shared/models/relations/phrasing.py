"""Constructions that say one thing, brought to one of them: support verbs, split verbs, passives, spans of time."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

_Words: TypeAlias = str | Callable[[re.Match[str]], str]

_SPLIT_VERBS: Final = (
    "献血 洗澡 跑步 睡觉 理发 请假 加班 打针 结婚 离婚 搬家 值班 开会 考试 见面 散步 游泳 吃饭 做饭 喝酒 抽烟 上课 上班 健身 遛狗 洗头 洗碗"
    " 化疗 发烧 感冒 住院 开刀 打工 出差 换药 看病 做梦 吵架 聊天 唱歌 跳舞 拍照 爬山 打球 钓鱼 补课 留学 失眠 报名 晒太阳 喂猫 喂狗 做操"
    " 吃素 拔牙 洗牙 染发 烫头 剪头发 熬夜 打车 骑车 开车 逛街 喝茶 喝咖啡 吃药 打电话 写日记 复查 体检 做饭 买菜 打扫"
).split()
"""Verbs that take how often or how long between their parts: 献两次血."""
_SPLIT_BY_HEAD: Final = {
    head: "|".join(word[1:] for word in _SPLIT_VERBS if word[0] == head) for head in {word[0] for word in _SPLIT_VERBS}
}
_HOW_OFTEN: Final = (
    r"(?:\d+|[一二两三四五六七八九十几半]+) ?(?:个半?)?(?:次|回|遍|趟|顿|节|场|年|天|小时|钟头|分钟|个?月|周|星期)半?"
)
_SPLIT: Final = re.compile(
    "|".join(f"(?:{head})(?:了|过)?{_HOW_OFTEN}(?:的)?(?:{tails})" for head, tails in sorted(_SPLIT_BY_HEAD.items()))
)
_SPLIT_PARTS: Final = re.compile(rf"^(.)(了|过)?({_HOW_OFTEN})(?:的)?(.+)$")

_SHOP: Final = "店|馆|厅|铺|吧|公司|厂|工作室|诊所|民宿|农场|农家乐|超市|餐厅|饭店|酒楼|药房|画室|琴行|培训班|补习班"
_SHOP_EN: Final = (
    r"(?:[\w-]+ ){0,2}(?:shop|store|cafe|café|restaurant|bakery|salon|company|business|agency|studio|farm|hotel|bar|pub"
    r"|clinic|gallery|guesthouse|b&b|school|firm|practice|stall|gym|startup|nursery)"
)
_CARED_FOR: Final = "带大|养大|拉扯大|抚养长大|抚养大"
_DAYS: Final = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mornings?|afternoons?|evenings?|weekends?|weekdays|nights)"
)
_KIN_EN: Final = r"(?:son|daughter|boy|girl|kid|child|baby|toddler|brother|sister|dog|cat|puppy|kitten|nephew|niece|grandson|granddaughter)"
_KIN_ZH: Final = "儿子|女儿|闺女|孩子|弟弟|妹妹|哥哥|姐姐|孙子|孙女|外孙|侄子|侄女|宝宝|娃|狗|猫"
_SOON_ZH: Final = "到期|过期|失效|过生日|生日|放假|开学|考试|满|没电|用完|吃完|喝完|截止|毕业|生了|退休"
_FARMED: Final = (
    r"(养(?:了|着|过)?(?:\d+|[一二两三四五六七八九十几]+)? ?[只头群条匹口个]?)([鸡鸭鹅羊牛猪鱼])(?![\u4e00-\u9fff])"
)


def _school_year(match: re.Match[str]) -> str:
    return "".join(part for part in match.groups() if part)


def _decade(match: re.Match[str]) -> str:
    return f"am in my {match[1].removesuffix('y')}ies"


def _day_of_month(match: re.Match[str]) -> str:
    days = {"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "tenth": "10th"}
    return f"the {days[match[1]]}" if match[1] in days else match[0]


def _joined(match: re.Match[str]) -> str:
    parts = _SPLIT_PARTS.match(match[0])
    return f"{parts[1]}{parts[4]}{parts[2] or ''}{parts[3]}" if parts else match[0]


_CONSTRUCTIONS: Final[tuple[tuple[re.Pattern[str], _Words], ...]] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        # How long and how often.
        (r"\b(?:3|three) quarters of an hour\b|三刻钟|3 ?刻钟", "45 minutes"),
        (r"\b(?:a )?quarter of an hour\b|一刻钟", "15 minutes"),
        (r"\b(?:an hour and a half|one and a half hours|one hour and a half)\b|(?:一|1) ?个半(?:小时|钟头)", "90 minutes"),
        (r"\b(?:a )?half an hour\b|\ba half[- ]hour\b|半个?(?:小时|钟头)", "30 minutes"),
        (r"\b(?:a )?half a year\b", "6 months"),
        (r"(?<!每)半年(?!级)", "6个月"),
        (r"\b(?:a )?fortnight(?=$|[,.;!]| ago| now| every)", "2 weeks"),
        (r"\bevery (?:2|two|2nd) (day|week|month|year)s?\b", r"every other \1"),
        (r"每隔一?(天|周|个?月|年)", r"隔\1"),
        (r"每(?:两|2) ?(天|周|个?月|年)", r"隔\1"),
        (r"(?:两|2) ?(天|周|个?月|年)(?=一次|1 ?次|一回)", r"隔\1"),
        (r"\b(next|last|this) (?=(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)", r"\1 week "),
        (
            r"\bit (?:is|has been|have been) (?P<span>[\w ]{1,24}?) since (?:i|we) last (?P<did>[^,.;]+)",
            lambda m: f"i have not {m['did']} for {m['span']}",
        ),
        (r"\b(?:have|has) been sober\b|\b(?:am|is) sober\b", "have not drunk alcohol"),
        (rf"(?:马上|就|快|即将|将|眼看)(?:就)?要?(?=(?:{_SOON_ZH}))", "快"),
        (r"快(?:要)?(?:过期|失效)", "快到期"),
        (r"(?<!\d)([4-9]\d) ?年(?=生|出生|的(?:$|[,.;人]))", r"19\1年"),
        (r"(?<!\d)([01]\d) ?年(?=生|出生|的(?:$|[,.;人]))", r"20\1年"),
        (r"年生人?(?=$|[,.;的])", "年出生"),
        (r"(\d ?(?:厘米|公分|cm)|米\d{1,2}) ?高(?=$|[,.;])", r"\1身高"),
        (r"(\d ?(?:公斤|千克|kg|斤)) ?重(?=$|[,.;])", r"\1体重"),
        (r"(大)学([一二三四])年级|(高)中([一二三])年级|(初)中([一二三])年级|(研)究生([一二三])年级", _school_year),
        (r"不到|不足|不满(?=\d|[一二三四五六七八九十])", "少于"),
        (r"睡(?=[^,.;点觉不]{0,5}(?:小时|钟头))(?!眠)", "睡眠"),
        (r"(\d|[一二两三四五六七八九十]) ?口人", r"\1个人"),
        (r"(血压|血糖|血脂|胆固醇|尿酸)(?:偏|有点|比较|很|太|挺)?高", r"高\1"),
        (r"\b(?:came|come) here from\b", "moved here from"),
        (r"\banything (?:with|containing|that has|that contains) ([\w ]{3,20}?)(?: in it)?(?=$|[,.;])", r"\1"),
        (r"\b(?:all )?(?:food|foods|dishes|products) (?:containing|with|that contain)\b", ""),
        (r"\bhave (?:got )?a (?:real |huge |big )?sweet tooth\b", "like sweets"),
        (r"\bhalf (one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})(?=$|[,.;!]| in the| at night)", r"half past \1"),
        (r"(\d+|[一二两三四五六七八九十]+) ?个?钟头", r"\1小时"),
        (r"\b(\d+) ?(?:gigs?|gb)(?: of)?(?= (?:ram|memory|storage|data))", r"\1gb"),
        (r"第([二三2-3])段(?:婚姻)", r"第\1次婚姻"),
        (r"(?<=[妈爸父母亲奶爷公婆])(?:已经)?不在(?:了|人世)", "去世了"),
        (r"(?:我)?上班的(?=公司|单位|地方)", "我"),
        (r"我比(?:我的?)?([^,.;]{1,8}?)小([一二两三四五六七八九十\d]+岁)", r"我\1比我大\2"),
        (r"我比(?:我的?)?([^,.;]{1,8}?)矮", r"我\1比我高"),
        (r"位于", "在"),
        (r"(?:这是)?我?的?第[二2](?:段|次)?婚姻?(?=$|[,.;])|第[二2]次(?:段)?婚姻", "我二婚"),
        (r"([左右])耳(?!朵)", r"\1边耳朵"),
        (r"(?:听不[见到清]|聋)(?=$|[,.;了])", "失聪"),
        (r"\bcan not hear (?:anything )?(?:out of|in|with|from|through) (?=(?:my|one)\b)", "am deaf in "),
        (r"\b(\w+)'s (\d+)(?:st|nd|rd|th)(?: birthday)? is\b", r"\1 turns \2"),
        (r"\b(?:all (?:of )?)?my apps\b", "everything"),
        (r"\buse my (left|right)(?:side)? hand (?:to write|for writing)\b", r"am \1-handed"),
        (r"\bmy (?:partner|wife|husband|boyfriend|girlfriend) and i (?=(?:are|have been) (?:trying|expecting))", "we "),
        (r"\bwrite (?:with|using) my (left|right)(?:side)? hand\b", r"am \1-handed"),
        (r"(?:写字|吃饭|拿筷子)(?:都|是)?用([左右])手|用([左右])手写字", lambda m: f"惯用{m[1] or m[2]}手"),
        (r"还有([^,.;]{1,8}?)(年假|假期|假)(?:没有?|未)(?:休|用)(?:完|掉)?", r"\2还剩\1"),
        (r"合(?=[买开养写])", "一起"),
        (r"(?<=[套间])房(?=$|[,.;])", "房子"),
        (r"\b(than|to) (?:phone|ring)(?=$|[,.;])", r"\1 call"),
        # A noun that says what its verb does.
        (r"[乘搭](?=地铁|公交|火车|高铁|飞机|动车|轻轨|捷运|巴士|船|大巴|电梯)", "坐"),
        (r"(?:我)?开的(?:车)?是", "我的车是"),
        (r"我养的(?=[狗猫兔鸟鱼])", "我的"),
        (r"月供", "每个月付房贷"),
        (r"还(?=房贷|车贷|贷款|债|信用卡)", "付"),
        (r"起得(?:很|比较|特别)?早", "早起"),
        (r"有(?:个|一个)?会(?=$|[,.;])", "开会"),
        (r"睡不着觉?(?=$|[,.;])", "失眠"),
        (r"烟酒不沾", "不抽烟,不喝酒"),
        (r"(不[^,.;不没]{1,6})[,]?也不(?=[\u4e00-\u9fff])", r"\1,不"),
        (r"过了(?=[^,.;]{0,3}[四六八]级|[^,.;]{0,4}考试)", "通过了"),
        (r"准备考(?!虑)", "备考"),
        (r"(?:以前|曾经?|之前)(?=(?:受|断|骨折|动|得|患)过)", ""),
        (r"有([^,.;]{0,4}习惯)(?=$|[,.;])", r"\1"),
        (r"([^,.;一二两三四五六七八九十\d]{2,6}?)((?:这|下)?周[一二三四五六日天末]|\d+[号日]|月底|年底)(?:之)?前(?:要|得|必须|需要|务必)?(?:上?交|提交|完成)", r"\1截止日期\2"),
        (
            r"\b(?:have|need|must|got) (?:to )?(?:hand in|submit|deliver|turn in|hand over) (?:the|my|our|a) ([\w -]{2,20}?) (?:by|before)\b",
            r"the \1 is due",
        ),
        (r"(?:used to be|was) an? (\w+)(?:,| and| but)* (?:is |am |are )?(?:now )?retired(?: now)?", r"is a retired \1"),
        (r"以前是([^,.;]{1,6}?)[,]?(?:但|不过)?(?:现在|如今)?(?:已经)?退休了?", r"是退休\1"),
        (r"退休(?:之)?前是([^,.;]{1,6})", r"是退休\1"),
        (r"(?<=我)是([一二两三四五六\d] ?个?(?:孩子|娃|儿子|女儿|小孩))的(?:妈妈|爸爸|妈|爸|父亲|母亲|家长)", r"有\1"),
        (r"\bam (?:a|the) (?:proud )?(?:mum|mom|dad|mother|father|parent) (?:of|to) (\w+)(?=$|[,.;])", r"have \1 kids"),
        (r"\bam (?:a|the) (?:proud )?(?:mum|mom|dad|mother|father|parent) (?:of|to) (?=(?:\d|two|three|four|twin))", "have "),
        (r"\bgrew up speaking\b", "native language"),
        (r"\bget by in\b", "speak a bit of"),
        (r"\b(?:my|our) (?:first |second |third )?baby is due\b", "we are expecting a baby"),
        (r"\b(?:i )?had my ([\w ]{3,16}?) (?:out|removed|taken out)\b", r"i removed my \1"),
        (r"\bmy ([\w ]{3,16}?) (?:was|were|has been|have been|got) (?:removed|taken out)\b", r"i removed my \1"),
        (r"\bput(?:ting)? (?:some )?(?:money|cash) (?:aside|away)\b", "saving"),
        (r"\b(saving|save|saved) (?:up )?(?:to buy|for)\b", r"\1 for"),
        (r"\bmy alarm (?:goes off|rings|is set|is) (?:at|for)\b", "i get up at"),
        (r"(?:我的?)?闹钟(?:定在?|设在?|定的是|设的是|是)", "我起床"),
        (r"\b(?:my|our) (?:shift|workday|work day|job|work) (starts?|begins?|ends?|finish(?:es)?)\b", r"i \1 work"),
        (r"\b(?:do|does) not sugar-?coat(?: things| it| anything| stuff)?\b|\bno sugar-?coating\b|\b(?:do|does) not beat around the bush\b", "be blunt"),
        (r"(?:不要|别|不用)(?:拐弯抹角|绕弯子|绕圈子|兜圈子)", "直接"),
        (r"\b(?:am |is )?(twenty|thirty|forty|fifty|sixty)[- ]something\b", _decade),
        (r"(?:做|从事|干|搞)(?:的是)?([^,.;做]{1,8}?)(?:方面)?(?:的)?(?:工作|这一?行|行业)(?=$|[,.;了])", r"做\1"),
        (r"(?<=我)有([^,.;]{2,14})的(?:爱好|习惯|嗜好)", r"\1"),
        (r"(?:的|个人)?(?:爱好|兴趣|业余爱好)(?:就)?是", "喜欢"),
        (r"有([^,.;]{1,8}?)的(?:毛病|老毛病|问题|困扰)", r"有\1"),
        (r"开了?(?:一)?(?:个人)?[家间个]([^,.;]{0,8}?(?:" + _SHOP + "))", r"有家\1"),
        (rf"\b(?:run|manage|operate) (?=(?:a|an|my|our|my own|our own) {_SHOP_EN}\b)", "own "),
        (r"\b(?:do|have|say|perform) (\d+|\w+) prayers\b", r"pray \1 times"),
        (r"\b(?:take|have|go for|go on) an? (?=(?:walk|run|jog|swim|stroll|hike|nap|shower|bath|bike ride)\b)", ""),
        (r"\bhave two left feet\b", "am not good at dancing"),
        (r"\b(?:has|have|need|needs) to be paid\b|\bmust be paid\b", "is due"),
        (r"\b(?:the )?(first|second|third|fourth|fifth|tenth|last) (?:day )?of (?:the|each|every) month\b", _day_of_month),
        (r"中午(?:都|会|要|得|一般|通常|总是?|习惯)*(?:睡|眯|休息)(?:个|一?会儿?|一觉|上)?", "午睡"),
        (r"写代码(?:的时候|时)", "代码"),
        (r"\bwhen (?:i am )?(?:writing|showing me|giving me) code\b", "code"),
        (r"(骑|坐|搭|乘|开|打)([^,.;不]{1,8}?)(?:去|来)?上(?:下)?班(?![的到])", r"\1\2通勤"),
        (r"^(我们?)在([^,.;]{1,12})办公$", r"\1办公室在\2"),
        (r"\bnever (?:learn|learned|learnt|figured out|worked out) (?:how )?to\b", "can not"),
        (r"(?:一直|从来|始终)?没(?:有)?学会(?:过)?(?!了)", "不会"),
        (r"(?<![\w'])(?:the hell|the crap|the life|the daylights) out of\b|\blike hell\b|\bas hell\b|\bas fuck\b", ""),
        (r"\bneither (\w+) nor\b", r"do not \1 or"),
        (r"既不([^,.;不]{1,6})[,]?[也又]不", r"不\1,不"),
        (r"用[\"']?([^,.;\"']{1,4}?)[\"']?(?:来|这个词)?(?:称呼|叫)我", r"叫我\1"),
        (r"除了([^,.;]{1,8})[,]?(?:我)?(?:别的|其他的?|其它的?)[^,.;都也不]{0,3}都不(会?[^,.;会]{1,2})(?=$|[,.;])", r"只\2\1"),
        # Whom it is about.
        (
            r"^(?:and |but |so |yep |yes |no |oh |well )?(?:the|me) (missus|wife|hubby|husband|kids?|dogs?|cats?|old man|old lady|boss|landlord|landlady|in-laws"
            r"|folks|parents|girlfriend|boyfriend|better half|fiance|fiancee|little one|baby|mother-in-law|father-in-law|mrs)\b",
            r"my \1",
        ),
        (r"\b(my|our) girls\b", r"\1 daughters"),
        (r"\b(my|our) boys\b", r"\1 sons"),
        (
            rf"\bi have (?:got )?an? (\d+|\w+)[- ]years?[- ]old (?={_KIN_EN}\b)(\w+)(?=$|[,.;!])",
            r"my \2 is \1 years old",
        ),
        (rf"^我有(?:一?个|一?只|一?条)((?:\d+|[一二两三四五六七八九十]+)(?:个月|周?岁半?))大?的({_KIN_ZH})(?=$|[,.;!])", r"我\2\1"),
        (r"^(my [\w -]{2,24}?) (?:raised|brought) me(?: up)?\b", r"i was raised by \1"),
        (rf"^(?:是)?([^我,.;]{{1,6}})(?:把我|将我)({_CARED_FOR})(?:的)?", r"我是\1带大"),
        (rf"^我(?:从小)?(?:就)?是?(?:由|被|跟着|靠)?([^我,.;]{{1,6}})(?:{_CARED_FOR})(?:的)?", r"我是\1带大"),
        (rf"({_FARMED})", lambda m: f"{m[2]}家{m[3]}"),
        (r"家[里中](?=[养有没])|\bat (?:my|our) (?:place|house|home),? (?=we have|i have)", "我"),
        # What one can do, likes, wants.
        (rf"\b(?:can|could) not (?:do|make) (?={_DAYS})", "am not available on "),
        (rf"\b(?:can|could) (?:do|make) (?={_DAYS})", "am available on "),
        (rf"({_DAYS}) (?:do|does) not (?:work|suit)(?: for)?(?: me)?\b", r"i am not available on \1"),
        (r"\b(?:am|is) (busy|booked|unavailable) (?=on\b)", "am not available "),
        (r"\b(?:is|are|was) not (?:really |exactly |quite )?(?:for me|my thing|my cup of tea|my jam)\b", "i do not like"),
        (r"\b(?:is|are) (?:so |totally |right |just |really )*(?:my thing|my jam|my cup of tea|up my (?:street|alley))\b", "i like"),
        (r"\b(?:do|does) not (?:really |much )?care (?:much )?for\b|\bhave no time for\b", "do not like"),
        (r"\bcan not get enough of\b|\bhave a (?:soft spot|weakness|thing) for\b|\bam a sucker for\b", "like"),
        (r"\b(?:am|is|are) (?:quite |so |totally |absolutely |completely )?(?:nuts|bonkers|wild|obsessed) (?:about|with)\b", "like"),
        (r"\b(?:would )?(?:sooner|just as soon)\b", "rather"),
        (r"\bthe (?:horror|romance|comedy|action|thriller|crime|spicy|sweet) (?:kind|type|sort|genre|variety)\b", ""),
        (r"\b(?:of|from) the [\w-]+ (?:kind|type|sort|variety)$", ""),
        (r"(?:挺|蛮|比较|还)?合我(?:的)?(?:口味|胃口|心意)|是我的(?:菜|最爱|心头好)", "我喜欢"),
        (r"不是我的菜|不(?:太|怎么|大)?合我(?:的)?(?:口味|胃口)|(?<=对)?.{0}不(?:感冒|感兴趣)", "我不喜欢"),
        (r"对([^,.;]{1,10}?)(?:很|特别|非常|挺|超)?(?:感兴趣|有兴趣|着迷|上瘾)", r"喜欢\1"),
        (r"不加糖的|不放糖的|没加糖的|没有糖的", "无糖"),
        (r"(?<![心情睡眠得])(?:不太|不怎么|不是很|不大|不)好(?=$|[,.;!])", "差"),
        # Rooms and floors.
        (r"\b(\d|one|two|three|four|five|six)[- ]bed(?:room)?(?:ed)? (?=flat|house|apartment|home|place|condo)", r"\1 bedroom "),
        (r"\b(?:our|my) (house|flat|apartment|home|place) (?:has|is) (?=\S+ bedrooms?\b)", r"i live in a \1 with "),
        (r"([一二两三四五六\d]) ?(?:室|房)([一二两12]) ?厅", r"\1间卧室\2间客厅"),
        # What only opens or closes a sentence.
        (r"\bas a person\b|\bjust so you know\b|\bfor the record\b|\bto be fair\b|\blet me tell you\b|\bif you must know\b", ""),
        (r"(?:我)?(?:跟|和|同|对)你(?:讲|说一?下?|说说)|告诉你一?下?|你知道吗|讲真的?|不瞒你说|顺便(?:说|提)一?[下句嘴]|说起来|说来", ""),
        (r"^(?:嗯|哎|诶|哦|啊|呃|那个|话说|其实|对了|另外|补充一下|提醒一下|更新一下|跟你说)[, ]+", ""),
    )
)  # fmt: skip


def rephrased(text: str) -> str:
    """Return a folded `text` with one construction for those that say the same; linear in its length."""
    text = _SPLIT.sub(_joined, text)
    for pattern, words in _CONSTRUCTIONS:
        text = pattern.sub(words, text)
    return text
