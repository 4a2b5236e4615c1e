"""What people ask for by the name of a question, and say as its answer: "my age" and "I'm forty", "年龄" and "六岁"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_MONTHS: Final = (
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b(?= \d|,| the)"
    r"|\b\d{1,2}(?:st|nd|rd|th)\b|[\d一二三四五六七八九十]{1,3}月"
)
_WEEKDAYS: Final = r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜[一二三四五六日天]"
_CLOCK: Final = (
    r"\b(?:at|from|until|till|by|around|before|after) (?:half past |quarter (?:past|to) )?(?:one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve|noon|midnight|\d{1,2})\b|\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\b\d{1,2}:\d\d\b|o'clock|小时"
    r"|[\d一二两三四五六七八九十]{1,3}点"
)
_COLORS: Final = (
    r"\b(?:red|blue|green|yellow|black|white|gr[ae]y|brown|orange|purple|violet|pink|teal|turquoise|beige|maroon|navy|gold"
    r"|silver|crimson|magenta|cyan|indigo|lilac|mint|olive|burgundy|lavender|scarlet|ochre|amber)\b|[红蓝绿黄黑白灰棕橙紫粉青金银]色?"
)


@dataclass(frozen=True, slots=True)
class Topic:
    """A question by its names, and how an answer to it sounds; both are looked for in folded text."""

    name: str
    asked: re.Pattern[str]
    said: re.Pattern[str]


def _topic(name: str, asked: str, said: str) -> Topic:
    return Topic(name, re.compile(asked), re.compile(f"(?:{asked})|(?:{said})"))


TOPICS: Final = (
    _topic(
        "job",
        r"\b(?:jobs?|work(?:place)?|career|employ\w+|occupation|profession|what i do for a living|living i make)\b"
        r"|工作(?!日)|职业|上班|就职|职位|岗位|单位",
        r"\b(?:works?|worked|working|job|boss|manager|supervisor|colleagues?|coworkers?|promot\w+|hired|fired|laid off|resign\w*"
        r"|quit my|shifts?|salary|intern\w*|freelanc\w+|barista|waiter|waitress|teacher|nurse|engineer|developer|designer"
        r"|accountant|lawyer|cook|chef|driver|cashier|clerk|analyst|consultant|electrician|plumber|florist|baker|librarian"
        r"|editor|journalist|pharmacist|dentist|carpenter|translator|receptionist|started at|joined|on the night shift)\b"
        r"|公司|老板|同事|升职|晋升|离职|辞职|跳槽|入职|实习|加班|店员|老师|护士|医生|工程师|程序员|设计师|会计|律师|厨师|司机"
        r"|销售|经理|主管|编辑|翻译|客服|保安|做[^,。]{1,6}(?:工作|的)$|在[^,。]{1,10}(?:做|当|任)(?!客|操|作业|梦)|[外国私央]企",
    ),
    _topic(
        "home",
        r"\b(?:where (?:i|we|he|she|they)(?:'?ve)? (?:used to )?(?:live[ds]?|stay\w*)|place (?:i|we) live[ds]?"
        r"|(?:home |street |old |new |current |former )?address(?:es)?|residence|(?:city|town|flat|house|place|neighbourhood|neighborhood)"
        r" (?:where |that )?(?:i|we) live[ds]?(?: in)?)\b|住的?(?:地方|城市|哪|小区|址)|门牌号?|住址|地址|住在哪|住处|家住",
        r"\b(?:liv(?:e|es|ed|ing) (?:in|at|on|near|with|by|next)|moved? (?:to|into|in with|out|from)|moving (?:to|into)|rent(?:s|ed|ing)? (?:a|an|the|my)"
        r"|(?:my|our) (?:flat|apartment|house|place|address|street) is)\b|住(?:在|到|的|进)?|[路街巷弄道]\s?\d+\s?号|我家在|搬(?:到|去|进|来|家)|租(?:的|了|房)",
    ),
    _topic("age", r"\bages?\b|\bhow old\b|年龄|年纪|多大|几岁|岁数", r"\b(?:is|am|are|was|i'm|'m) (?:\d{1,2}|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)(?:-\w+)?)\b(?! (?:minutes|kilos?|metres|meters|euros|dollars|percent|o'clock|of|times|a\.?m|p\.?m))|\b(?:years? old|year-old|turn(?:s|ed|ing)? (?:\d+|\w+)\b(?! to)|aged|i'?m \d{1,2}\b)|[\d一二三四五六七八九十]{1,3}岁|周岁|虚岁"),
    _topic("birthday", r"\bbirth ?(?:day|date)s?\b|\bdate of birth\b|\bwhen \w+(?: \w+)? (?:was|were|is) born\b|生日|出生(?:日期|年月)?|哪天生|几号生", r"\bborn (?:on|in)\b|出生|过生日"),
    _topic("name", r"\bname\b|\bwhat (?:\w+ ){1,3}(?:is|are) called\b|名字|叫什么|姓名|称呼", r"\b(?:call(?:ed|s)?|named)\b|叫(?:做)?|名叫"),
    _topic("phone", r"\b(?:phone|mobile|cell|telephone)(?: ?numbers?)?\b|\bnumber to call\b|电话(?:号码)?|手机号码?|联系方式", r"\+?\d[\d \-]{6,}\d"),
    _topic("color", r"\bcolou?rs?\b|颜色|什么色", _COLORS),
    _topic("weekday", r"\b(?:which|what) days?\b|\bdays?$|\bday of the week\b|星期几|周几|礼拜几|哪天|哪一天", _WEEKDAYS + "|" + _MONTHS),
    _topic("clock", r"\bwhat time\b|\b(?:opening|closing|working|office|visiting) (?:hours|times?)\b|\bwhen .* (?:opens?|closes?|starts?|gets? up|wakes?)\b|\b(?:hours|times?)$|几点|营业时间|作息", _CLOCK),
    _topic("when", r"\bdue dates?\b|\bwhen \w+(?: \w+)* (?:expires?|ends?|runs out|is due)\b|什么时候|何时|时间$", _CLOCK + "|" + _WEEKDAYS + "|" + _MONTHS + r"|\b(?:19|20)\d\d\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"),
    _topic("sign", r"\b(?:star|zodiac) sign\b|\bhoroscope\b|星座", r"\b(?:aries|taurus|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces)\b|(?:白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼)座"),
    _topic("date", r"\bdates?\b|日期", _MONTHS + r"|\b(?:19|20)\d\d\b"),
    _topic("frequency", r"\bhow often\b|\bfrequency\b|频率|多久一次|几次", r"\b(?:once|twice|\w+ times) (?:a|per) (?:day|week|month|year)\b|\bevery (?:other )?(?:day|week|month|morning|evening)\b|每[天周月年]|[一二两三四五六七八九十\d]次"),
    _topic("weight", r"\bweights?\b|\bhow much i weigh\b|体重|多重", r"\bweigh(?:s|ed|ing)?\b|\b\d+ ?(?:kg|kilos?|pounds?|lbs)\b|公斤|千克|\d斤"),
    _topic("height", r"\bheights?\b|\bhow tall\b|身高|多高", r"\btall\b|\d'\s?\d|\b\d(?:\.\d+)? ?(?:m|metres?|meters?|cm)\b|厘米|一米"),
    _topic("money", r"\b(?:salary|wages?|income|pay|earnings|budget)\b|\bhow much i (?:earn|make)\b|工资|薪水|收入|薪资|月薪|年薪|预算", r"\b(?:earn(?:s|ed)?|paid|raise|makes? (?:about |around )?[$€£]?\d[\d,.k]*)\b|涨薪|挣|赚"),
    _topic("price", r"\b(?:prices?|costs?)\b|\bhow much .* costs?\b|价格|多少钱|费用|价钱", r"\b(?:costs?|paid|pays?|charge[sd]?)\b|[$€£¥]\s?\d|\b\d+ (?:euros?|dollars?|pounds?|yuan)\b|\d+(?:元|块)|花了"),
    _topic("health", r"\b(?:health(?:care)?|illness\w*|disease|condition|medical (?:history|issues?|stuff)|diagnos\w+)\b|健康|病情|身体状况|病史|毛病", r"\b(?:diagnosed|asthma|diabet\w+|migraines?|surgery|operation|doctor|hospital|medication|pills?|pain|hurts?|injur\w+|allerg\w+|sick|cold|flu|fever|blood pressure)\b|过敏|病|手术|医院|吃药|住院|疼|发烧|感冒|血压|医生"),
    _topic("allergy", r"\ballerg\w+\b|过敏", r"\b(?:intoleran\w+|anaphyla\w+|hives|react badly to)\b|不耐受"),
    _topic("diet", r"\b(?:diet(?:ary)?|eating habits|food preferences?|what i eat)\b|饮食|忌口|吃什么", r"\b(?:vegan|vegetarian|pescatarian|gluten|dairy|eats?|eating|halal|kosher)\b|吃素|素食|不吃|爱吃|戒口"),
    _topic("commute", r"\b(?:commut\w+|how i get to (?:work|the office|school))\b|通勤|上下班|怎么(?:去|上)班", r"\b(?:commut\w+|(?:bus|train|tram|metro|subway|bike|cycle|drive|walk) to (?:work|the office|school|town))\b|坐.{0,6}(?:上班|地铁|公交)|骑车上班|开车上班"),
    _topic("family", r"\b(?:family|relatives|relations|parents|kids|children)\b|家人|家庭|亲戚|父母|孩子", r"\bmy (?:mother|father|mum|mom|dad|sister|brother|wife|husband|son|daughter|uncle|aunt|cousin|grand\w+|niece|nephew|in-laws)\b|我(?:的)?(?:妈|爸|姐|妹|哥|弟|老婆|老公|妻子|丈夫|儿子|女儿|爷爷|奶奶|外公|外婆|叔|舅|姑|姨|表|堂)"),
    _topic("partner", r"\b(?:relationship|love life|dating life|marriage|partner)\b|感情|恋爱|婚姻|对象", r"\bmy (?:wife|husband|girlfriend|boyfriend|partner|fianc\w+|ex)\b|\b(?:dating|married|divorc\w+|engaged|broke up|single)\b|老婆|老公|女朋友|男朋友|女友|男友|妻子|丈夫|结婚|离婚|分手|单身|订婚|前任"),
    _topic("pet", r"\bpets?\b|宠物", r"\b(?:dogs?|cats?|puppy|kitten|parrots?|hamsters?|rabbits?|goldfish|budgies?|guinea pigs?|tortoises?|vet)\b|狗|猫|兔子|仓鼠|鹦鹉|金鱼|乌龟"),
    _topic("travel", r"\b(?:travel(?:s|ling|ing)?(?: plans?)?|trips?|holidays?|vacations?)\b|旅行|旅游|出游|度假|行程", r"\b(?:fl(?:y|ies|ew|ying) to|flights?|hotel|booked|visit(?:ed|ing)?|itinerary|passport|visa|cruise)\b|机票|航班|酒店|签证|飞(?:往|去|到)"),
    _topic("exercise", r"\b(?:exercise|workouts?|fitness|training|sports?)\b|健身|锻炼|运动", r"\b(?:gym|run(?:s|ning)?|jog\w*|swim\w*|yoga|pilates|cycl\w+|lift\w* weights|marathon|rowing)\b|跑步|游泳|瑜伽|举铁|骑行|打球"),
    _topic("school", r"\b(?:stud(?:y|ies)|school|education|degree|universit\w+|college|what i (?:study|studied))\b|学业|专业|学历|学校|大学|母校|读书", r"\b(?:stud(?:y|ies|ied|ying)|major\w*|graduat\w+|thesis|exams?|semester|lectures?|course)\b|学的是|毕业|论文|考研|大学|高中|考试"),
    _topic("class", r"班级|哪个?班|几年级|\bwhich class\b|\bclass$", r"[一二三四五六七八九十\d]+(?:年级|班)"),
    _topic("language", r"\blanguages?\b|语言|说什么语|母语", r"\bspeaks?\b|\bfluent\b|\b(?:learn(?:s|ing)?|studying|native|speaking|fluent in|in) (?:english|french|german|spanish|italian|dutch|danish|swedish|norwegian|finnish|polish|czech|russian|greek|turkish|arabic|hebrew|hindi|japanese|korean|chinese|mandarin|cantonese|portuguese|frisian|latin|thai|vietnamese)\b|说[\u4e00-\u9fff]{1,3}(?:语|话)|会[\u4e00-\u9fff]{1,3}语|[英法德日韩俄]语"),
    _topic("car", r"\b(?:cars?|vehicles?)\b|汽车|座驾|车子|开的车|什么车", r"\bdrive(?:s)? an? (?-i:[a-z]\w+)|\b(?:bmw|audi|toyota|honda|volvo|skoda|fiat|tesla|ford|kia|hyundai|mazda|volkswagen|vw|renault|peugeot|citroen|opel|seat|subaru|nissan|mercedes|porsche|jeep)\b|宝马|奔驰|奥迪|丰田|本田|大众|特斯拉|比亚迪|吉利|日产|福特|现代|起亚|马自达|沃尔沃|蔚来|理想|小鹏|五菱|别克|开(?:着|的是|的)?(?:一)?[辆台]|开的?(?:是)?(?:一辆)?[^,。]{1,8}车"),
    _topic("hobby", r"\b(?:hobb(?:y|ies)|pastimes?|spare time|free time)\b|爱好|兴趣|业余", r"\b(?:collect(?:s|ing)?|in my (?:free|spare) time|for fun|enjoy)\b|喜欢|收集|周末(?:我)?(?:常|爱|会)"),
    _topic("smoking", r"\bsmok\w+\b|抽烟|吸烟|烟瘾", r"\b(?:cigarettes?|vap\w+|nicotine)\b|戒烟|香烟"),
    _topic("drinking", r"\b(?:drinking|alcohol)\b|喝酒|饮酒|酒量", r"\b(?:beer|wine|whisk\w+|vodka|drunk|sober|teetotal\w*)\b|戒酒|啤酒|红酒|白酒"),
    _topic("password", r"\b(?:passwords?|passcodes?|pin(?: codes?)?|codes?)\b|密码|口令|验证码", r"\b(?:password|passcode|pin|code) (?:is|was)\b"),
    _topic("religion", r"\b(?:religio\w+|faith|beliefs?)\b|宗教|信仰|信什么", r"\b(?:church|mosque|temple|synagogue|pray\w*|christian|muslim|jewish|buddhist|hindu|catholic|atheist)\b|信佛|教堂|清真|礼拜|基督|佛教"),
    _topic("politics", r"\b(?:politics|political|vot(?:e|ed|ing))\b|政治|投票", r"\b(?:election|party|voted)\b|选举"),
)  # fmt: skip
"""In the order they are tried; several may fit one description."""


VALUES: Final = frozenset(
    "home age birthday name phone color weekday clock when sign date frequency weight height money price class password".split()
)
"""Topics one thing answers; others are things of which there is more to say."""


def topics_of(asked: str) -> tuple[Topic, ...]:
    """Return the topics a folded description names."""
    return tuple(topic for topic in TOPICS if topic.asked.search(asked))
