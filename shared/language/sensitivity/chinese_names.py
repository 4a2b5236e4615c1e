"""Full names in Han characters: a surname and one or two characters, after words that introduce a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity.context import clause_before
from shared.language.sensitivity.english_names import PERSON

_COMPOUND: Final = (
    "欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 濮阳 公冶 "
    "太叔 申屠 公孙 慕容 仲孙 钟离 长孙 宇文"
    " 司徒 鲜于 司空 令狐 呼延 轩辕 张简 范姜 叶赫 完颜"
).replace(" ", "|")
_SURNAMES: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟"
    "谭陆汪范金石廖贾夏韦付方白邹熊孟秦邱江尹薛闫阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢"
    "安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游"
    "辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟"
    "应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝官封谈匡鞠惠荆乐冀郁胥南班储原栗燕楚鄢"
    "劳谌奚皮粟冼蔺楼盘满闻位厉伊仝区郜海阚花权强帅屠朴盖练廉禹井祖漆巴丰支卿国狄平计索宣晋相初门云容敬来扈晁芮都"
    "普阙浦戈伏鹿薄邸雍辜羊萧赖傅凃闾"
)
_PLAIN_SURNAMES: Final = (
    "王李张刘陈杨黄赵吴周徐孙朱胡郭林罗郑梁谢宋唐许韩冯邓曹彭肖董袁潘蒋蔡余杜叶苏魏吕丁沈姚卢姜崔谭陆汪范"
    "廖贾夏韦邹熊孟秦邱尹薛闫阎侯龙陶黎贺顾"
    "郝龚邵钱严覃戴莫孔汤施樊葛邢乔庞颜倪庄聂鲁岳翟殷詹欧耿俞柳祝阮柯梅凌季裴霍翁骆靳柴鲍祁滕屈饶萧赖傅程"
    "钟石金江雷段史毛武万温康童华游卓简曾"
    "何方高马田任"
)
"""Surnames that seldom begin another word."""

_NOT_A_NAME: Final = re.compile(
    r"周[末一二三四五六日天围边年到期全岁]|何[时必况处以种人尝妨止许等方]|任[何务意性职教由]|程[序度]"
    r"|金[额融色子属牛]|石[头家油材]|田[里野径]|高[兴中考度级铁速温端手大低校血烧]|马[上路虎桶来云克拉]"
    r"|方[便面式法向案圆形块]|江[边西苏南湖]|黄[色瓜金山油]|林[业子]|夏[天季]|钱[包不都很]|汤[里圆]|龙[虾年]"
    r"|白[天色酒菜]|宋[朝]|唐[朝山人]|秦[皇朝]|张[嘴口开罗家贴挂扬望]|李[子白]|常[常]|段[时话路]|毛[病衣巾]"
    r"|史[前]|严[重格肃]|武[汉术器]|曾[经]|应[该]|管[理]|关[于系心]|单[位独]|包[括容裹子]|许[多可久愿]|吴[江]"
    r"|温[度柔暖]|康[复]|华[为人]|游[戏泳]|简[单直历]|万[一]|成[都为功]|安[徽排全]|文[件科]|云[南]|海[南外]"
    r"|南[京方]|平[时]|时[候间]|明[天年]|全[部家国]|国[家外]|乐[意]|强[烈]|相[信]|计[划]|路[上]|车[子]|向[来我]"
    r"|原[来]|满[意]|容[易]|支[持付]|初[中]|房[东子租]|商[量]|农[村]|司[机]|王[者牌府国妃后爷室]|陈[皮述列醋旧年]"
    r"|杨[梅树]|孙[子女]|朱[古]|胡[同说萝]|郭[德]|罗[马汉]|梁[山]|谢[谢绝过]|韩[国语剧]|苏[州打格]|沈[阳]"
    r"|郑[重州]|徐[徐州]|董[事]|曹[操]|吕[布]|庄[稼严]|颜[色值]|陆[续军]|孔[子雀]|鲁[迅]|丁[点]|顾[客问虑]"
    r"|欧[洲美]|施[工]|梅[花雨]|柳[州]|童[年]|乔[迁]|季[度节]|卓[越]|汪[汪]|范[围]|莫[名非]|余[额下生]|杜[绝]"
)
"""Other words that begin with a surname's character."""
_AMBIGUOUS: Final = frozenset("高方马何田金石江康温万游段任童雷毛武曾钟程")
"""Surnames that begin so many other words that two characters are not taken as a name."""

_CLEAR: Final = frozenset(
    "王李张刘陈杨赵吴徐孙朱郭郑梁宋韩冯邓曹彭肖董袁潘蒋蔡余杜魏吕沈姚卢姜崔谭陆廖贾邹孟邱尹薛闫阎侯黎贺郝"
    "龚邵覃戴詹耿俞阮柯聂岳翟殷庞樊葛邢倪裴霍骆靳鲍祁滕萧赖傅"
)
"""Surnames after which two characters are a name, whatever follows."""

_NEVER_FIRST: Final = frozenset("的了是吗呢吧啊呀们你他她没很又也都就还着过氏姓某,.")
_NEVER_SECOND: Final = frozenset(
    "的了是在和跟与也都就不没我你他她它们这那吗呢吧啊呀哦嘛被把给让对从到去说做想要会很太最又再还才只住吃"
    "喝电手邮男女毕今岁"
    "老总工姐哥先师医教同出约打发送帮问讲告买来回带过着后前里上下陪同目现刚已经于为或及等以但可能将请用叫姓按拿每昨人"
)
_TITLES: Final = re.compile(
    r"师傅|老师|先生|小姐|女士|医生|大夫|经理|总监|阿姨|叔叔|大爷|大妈|同学|教授|律师|教练|主任|校长|老板"
    r"|姐|哥|总|工|叔|姨|伯|婶|爷|奶|妈|爸"
)
_BOUNDARY: Final = re.compile(
    r"[\s,.;:!?。、()\"'…—\-/|+\d@A-Za-z]|$|[的是在说和跟与也又来去给要会就都住喜爱吃喝打送发让把对做教想"
    r"有没不从到帮联电手今昨明每周一三上下还刚已经常总很非特最约回带请问"
    r"告推介负接过出进买卖开借欠退拿用拉陪等叫姓属于同为生毕学工人今后前将曾比因被向因能可必须应嘅係同先女老医律教主经]"
)
_RELATION: Final = (
    r"老公|老婆|爱人|丈夫|妻子|太太|媳妇儿?|爸爸?|妈妈?|父亲|母亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|阿公|阿嬷"
    r"|哥哥?|姐姐?|弟弟?|妹妹?|姊姊?|[表堂][哥姐弟妹姊]|舅舅|姑姑|姑妈|姨妈"
    r"|叔叔|伯伯|阿姨|儿子|女儿|闺女|孩子|娃|宝宝|侄子|侄女|外甥|孙子|孙女|前?男友|前?女友|前?男朋友|前?女"
    r"朋友|对象|前任|前夫|前妻|未婚[夫妻]|(?:好|老)?朋友|闺蜜|死党|哥们|兄弟|发小|网友"
    r"|同学|同桌|室友|舍友|队友|同事|老板娘?|上司|领导|组长|总监|经理|主管|助理|秘书|客户|甲方|导师|老师"
    r"|教授|教练|师傅|师父|医生|医师|大夫|牙医|中医|护士|律师|会计师?|房东|租客|房客|中介"
    r"|邻居|保姆|月嫂|阿姨|家教(?:老师)?|司机|[班队团厂院所]长|班主任|辅导员|校长|主任|联系人|联络人|搭档|合伙人|岳父|岳母"
    r"|公公|婆婆|女婿|亲家|舅妈|嫂子|姐夫|妹夫|亲戚|学生|徒弟|患者|病人|顾问|代理人|负责人"
    r"|经办人|监护人|家长|担保人|受益人|被保人|投保人|证人|法人|股东|业务员|销售|客服|师兄|师姐|师弟|师妹"
    r"|学长|学姐|学弟|学妹|学妹"
)
_LABEL: Final = (
    r"姓名|名字|全名|本名|真名|大名|原名|曾用名|学名|收件人|寄件人|收货人|联[系络]人|(?<!用)户名|收款人|付"
    r"款人|持卡人|署名|落款|签名|乘客|乘车人|乘机人|登机人|旅客|入住人|患者|就诊人|法人|申请人|投保人|被保"
    r"险人"
    r"|受益人|紧急联[系络]人|开户人|房主|业主|预订人|本人|预约人|报名人|考生|作者本人"
)
_NAMED: Final = re.compile(
    rf"(?:{_LABEL})(?:是|叫做?|为|填的?|写的?|改成|就是|系|係|:|\s|\"|的){{0,3}}(?P<at>)"
    r"|(?P<called>叫做?|名叫|名为|叫作|全名是?|名字[叫是])\s?\"?"
)
_SELF: Final = re.compile(r"(?:^|[,.!?;:\n。\s]|好|们|你好)我(?:就)?是\s?\"?(?P<at>)")
_LATIN: Final = re.compile(
    rf"(?i:\bname(?:'s| is| was|:)|\b(?:called|named)|\b(?:my|our|his|her|their)\s(?:\w{{1,12}}\s)"
    rf"{{0,2}}?(?:{PERSON})(?: is|'s|,)?)\s?\"?(?P<at>)(?=[\u3400-\u9fff])"
)
_RELATED: Final = re.compile(rf"(?:{_RELATION})(?:是|,|:|\s)?(?:我[姐姊哥弟妹爸妈])?\"?(?P<at>)")
_KIN: Final = re.compile(r"(?:我|他|她|你)(?:[大二三小])?[姐姊哥弟妹爸妈叔姑姨舅](?:是|叫|,)?(?P<at>)")
_TITLED: Final = re.compile(
    r"(?:^|[\s,.;:!?。、(\"是叫找约给请由跟和])(?P<at>)(?=[\u3400-\u9fff]{2,4}(?:先生|女士|小姐|老师|医生"
    r"|医师|教授|律师|主任|经理|大夫|教练))"
)
_BEFORE_PHONE: Final = re.compile(
    r"(?:^|[\n,;。:\s])(?P<at>)(?=[\u3400-\u9fff]{2,4}[\s,:]{0,2}(?:手机|电话|联系方式|号码)"
    r"?[\s:]{0,2}(?:\+86)?[ -]?1[3-9]\d)"
)
_FOREIGN: Final = re.compile(r"[\u3400-\u9fff]{1,6}(?:[·•‧・][\u3400-\u9fff]{1,8}){1,3}")
_NOT_PEOPLE: Final = re.compile(
    r"狗|猫|柯基|柴犬|金毛|泰迪|哈士奇|布偶|英短|橘|仓鼠|兔|鹦鹉|乌龟|龟|宠物|公司|店|品牌|角色|主角|电影"
    r"|书|小说|歌|乐队|游戏|地方|街|路|村|学校|小区|楼盘|节目|软件|动漫|剧|偶像|明星|演员"
    r"|歌手|作家|作者|导演|群|号|网名|昵称|外号|绰号|小名|英文名"
)
_SUBJECT: Final = re.compile(rf"[我他她咱你人女子孩娃哥妹弟姐姊爸妈爷奶公婆嬤]|本人|姓|{_RELATION}")
_BEFORE: Final = 14
_SURNAME: Final = re.compile(rf"(?:{_COMPOUND})|[{_SURNAMES}]")
_PLAIN_SURNAME: Final = re.compile(rf"(?:{_COMPOUND})|[{_PLAIN_SURNAMES}]")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


def names(text: str) -> Iterator[tuple[int, int]]:
    """Find full names as half-open spans."""
    for pattern in (_NAMED, _LATIN, _SELF, _RELATED, _KIN, _TITLED, _BEFORE_PHONE):
        sure = pattern in (_NAMED, _LATIN)
        for found in pattern.finditer(text):
            at = found.end()
            if pattern is _NAMED and not _speaks_of_a_person(text, found):
                continue
            end = _end_of_name(text, at) if sure else _end_of_likely_name(text, at)
            if end and (pattern is not _TITLED or _TITLES.match(text, end)):
                yield at, end


def _speaks_of_a_person(text: str, found: re.Match[str]) -> bool:
    before = clause_before(text, found.end(), _BEFORE)
    return not _NOT_PEOPLE.search(before) and (not found["called"] or _SUBJECT.search(before) is not None)


def _end_of_name(text: str, at: int) -> int | None:
    """Return the end of the full name at `at`, after words that announce a name; None if there is none."""
    if foreign := _FOREIGN.match(text, at):
        return foreign.end()
    parts = _parts(text, at, _SURNAME)
    if parts is None:
        return None
    first, end = parts
    doubled = end - first > 1 and text[first] in _PLAIN_SURNAMES and _HAN.match(text, end)
    # A husband's surname may precede the person's own.
    return end + 1 if doubled and _BOUNDARY.match(text, end + 1) else end


def _end_of_likely_name(text: str, at: int) -> int | None:
    """Return the end of the full name at `at`, after a word for a relation; None if it may be something else."""
    if foreign := _FOREIGN.match(text, at):
        return foreign.end() if _BOUNDARY.match(text, foreign.end()) else None
    parts = _parts(text, at, _PLAIN_SURNAME)
    if parts is None:
        return None
    first, end = parts
    long = end - first > 1
    if not long and (text[at] in _AMBIGUOUS or text[first] == "家"):
        return None
    return end if (long and text[at] in _CLEAR) or _BOUNDARY.match(text, end) else None


def _parts(text: str, at: int, surnames: re.Pattern[str]) -> tuple[int, int] | None:
    """Return start and end of a given name of one or two characters after a surname at `at`."""
    surname = surnames.match(text, at)
    if not surname or _NOT_A_NAME.match(text, at):
        return None
    first = surname.end()
    if not _HAN.match(text, first) or text[first] in _NEVER_FIRST or _TITLES.match(text, first):
        return None
    second = first + 1
    if _HAN.match(text, second) and text[second] not in _NEVER_SECOND and not _TITLES.match(text, second):
        return first, second + 1
    # 豆豆, 童童: a child's nickname
    return None if text[at] == text[first] else (first, second)
