"""Sets of values of which one thing has only one: fuels, faiths, blood groups, visas, plans …"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Contrast:
    """Values that rule each other out, one a line: English | Chinese. `personal`: of one person, nothing else needed."""

    words: str
    personal: bool = False


CONTRASTS: Final = {
    "religion": Contrast(
        """
muslim, islam | 穆斯林, 回族, 伊斯兰教
christian, protestant, christianity, anglican, methodist, baptist, evangelical, church of england | 基督徒, 基督教, 新教徒
catholic, catholicism, roman catholic | 天主教徒, 天主教
orthodox christian, greek orthodox, russian orthodox | 东正教徒, 东正教
buddhist, buddhism | 佛教徒, 信佛, 佛教
taoist, daoist, taoism | 道教徒, 道教, 信道教
atheist, non-believer, nonbeliever, not religious, non-religious | 无神论者, 不信教
agnostic, agnosticism | 不可知论者
jewish, jew, judaism | 犹太人, 犹太教
hindu, hinduism | 印度教徒, 印度教
sikh, sikhism | 锡克教徒
pagan, wiccan | 异教徒
mormon | 摩门教徒
quaker | 贵格会教徒
""",
        personal=True,
    ),
    "blood": Contrast("blood-a\nblood-b\nblood-ab\nblood-o", personal=True),
    "pronouns": Contrast("pronoun-she\npronoun-he\npronoun-they", personal=True),
    "zodiac": Contrast(
        """
aries | 白羊座, 牡羊座
taurus | 金牛座
gemini | 双子座
leo | 狮子座
virgo | 处女座
libra | 天秤座
scorpio | 天蝎座
sagittarius | 射手座, 人马座
capricorn | 摩羯座, 山羊座
aquarius | 水瓶座
pisces | 双鱼座
cancer sign, a cancer by star sign | 巨蟹座
""",
        personal=True,
    ),
    "chinese-zodiac": Contrast(
        """
year of the rat | 属鼠
year of the ox | 属牛
year of the tiger | 属虎
year of the rabbit | 属兔
year of the dragon | 属龙
year of the snake | 属蛇
year of the horse | 属马
year of the goat, year of the sheep | 属羊
year of the monkey | 属猴
year of the rooster | 属鸡
year of the dog | 属狗
year of the pig | 属猪
""",
        personal=True,
    ),
    "mbti": Contrast(
        "\n".join(f"{e}{s}{t}{j}" for e in "ei" for s in "sn" for t in "tf" for j in "jp"),
        personal=True,
    ),
    "fuel": Contrast(
        """
petrol, gasoline, petrol car, unleaded | 汽油, 油车, 汽油车, 燃油车, 燃油
diesel, diesel car | 柴油, 柴油车
electric, ev, electric car, electric vehicle, fully electric | 纯电, 电动汽车, 电动的, 新能源车, 新能源
hybrid car, plug-in hybrid, phev | 混动, 插混, 混动车
"""
    ),
    "gearbox": Contrast(
        """
manual car, drive stick, drive a manual car, stick shift, manual gearbox, manual transmission, drive a manual | 手动挡, 手动档
automatic car, automatic gearbox, drive an automatic, automatic transmission | 自动挡, 自动档
"""
    ),
    "heating": Contrast(
        """
gas boiler, boiler, combi boiler, gas heating | 燃气锅炉, 壁挂炉, 燃气采暖
heat pump, air source heat pump | 热泵, 空气能
oil heating, oil boiler | 燃油锅炉
district heating | 集中供暖, 暖气
wood stove, log burner, wood burner | 柴炉
storage heater, electric heating | 电暖, 电采暖
underfloor heating | 地暖
"""
    ),
    "hob": Contrast(
        """
gas hob, gas stove, gas cooker, cook on gas, cook with gas | 燃气灶, 煤气灶
induction, induction hob, cook on induction | 电磁炉, 电磁灶
electric hob, ceramic hob | 电陶炉
"""
    ),
    "carrier": Contrast(
        """
china mobile | 中国移动, 移动卡, 移动的卡, 移动的号
china unicom | 中国联通, 联通, 联通卡
china telecom | 中国电信, 电信卡, 电信的
chunghwa telecom | 中华电信
taiwan mobile | 台湾大哥大
far eastone | 远传, 远传电信
china broadnet | 中国广电, 广电卡
vodafone | 沃达丰
t-mobile
verizon
at&t
o2
giffgaff
ee mobile
lebara
voxi
tesco mobile
sky mobile
smarty
id mobile
mint mobile
google fi
telstra
optus
orange sim
bouygues
softbank | 软银
docomo
rakuten mobile | 乐天移动
singtel
starhub
csl
smartone
3hk
"""
    ),
    "bank": Contrast(
        """
icbc | 工商银行, 工行
ccb | 建设银行, 建行
abc bank | 农业银行, 农行
boc | 中国银行, 中行
cmb | 招商银行, 招行
bocom | 交通银行, 交行
psbc | 邮储银行, 邮储
ping an bank | 平安银行
monzo
starling bank
revolut
n26
barclays
hsbc | 汇丰, 汇丰银行
lloyds
natwest
santander
nationwide
first direct
chase bank
wells fargo
bank of america
citibank | 花旗, 花旗银行
ing bank
rabobank
deutsche bank
commerzbank
sparkasse
halifax bank
dbs | 星展, 星展银行
ocbc
uob
credit union
"""
    ),
    "visa-kind": Contrast(
        """
student visa, study visa, study permit | 学生签, 学生签证, 学签
work visa, work permit, skilled worker visa, h1b, h-1b | 工签, 工作签证, 工作签
tourist visa, visitor visa | 旅游签, 旅游签证
graduate visa, post-study visa, opt visa | 毕业签, 毕业生签证
spouse visa, partner visa, family visa | 配偶签证, 配偶签, 伴侣签
working holiday visa | 打工度假签证
permanent resident, permanent residency, settled status, indefinite leave to remain, ilr, green card holder | 永居, 永久居民, 绿卡持有者
"""
    ),
    "typing": Contrast(
        """
qwerty
dvorak
colemak
azerty
qwertz
workman
wubi | 五笔, 五笔输入法
pinyin input | 拼音输入法, 拼音打字, 全拼
double pinyin | 双拼
handwriting input | 手写输入, 手写
zhuyin, bopomofo | 注音
cangjie | 仓颉, 仓颉输入法
sucheng | 速成
"""
    ),
    "garment-size": Contrast(
        """
size xs, extra small | 加小码, xs 码
size s, size small | 小码, s 码
size m, size medium, size is m, size is medium | 中码, m 码
size l, size large, size is l, size is large | 大码, l 码
size xl, size is xl | 加大码, xl 码
size xxl, size is xxl | xxl 码
"""
    ),
    "milk-kind": Contrast(
        """
whole milk, full-fat milk, full fat milk | 全脂奶, 全脂牛奶
semi-skimmed, semi skimmed, semi-skimmed milk | 低脂奶, 低脂牛奶
skimmed milk, skim milk, fat-free milk | 脱脂奶, 脱脂牛奶
"""
    ),
    "doneness": Contrast(
        """
steak rare, rare steak, bloody rare | 一分熟, 三分熟
medium rare | 五分熟
medium well | 七分熟
well done, well-done | 全熟, 九分熟
"""
    ),
    "level": Contrast(
        """
beginner, complete beginner, novice | 初级, 新手, 入门, 零基础
intermediate | 中级, 进阶
advanced | 高级水平
a1 level, level a1, at a1, a1
a2 level, level a2, at a2, a2
b1 level, level b1, at b1, b1
b2 level, level b2, at b2, b2
c1 level, level c1, at c1, c1
c2 level, level c2, at c2, c2
n5
n4
n3
n2
n1
"""
    ),
    "belt": Contrast(
        """
white belt | 白带
yellow belt | 黄带
orange belt | 橙带
green belt | 绿带
blue belt | 蓝带
purple belt | 紫带
brown belt | 棕带
black belt | 黑带
"""
    ),
    "plan-kind": Contrast(
        """
free plan, free tier, free version | 免费版
pro plan, pro tier, pro version | 专业版
premium, premium plan | 高级版, 高级会员
basic plan, basic tier | 基础版
family plan | 家庭版, 家庭套餐
student plan, student discount | 学生版, 学生优惠
pay as you go, payg, prepaid, prepay | 预付费
on contract, monthly contract, sim only, postpaid | 后付费, 合约机
"""
    ),
    "home-kind": Contrast(
        """
detached house, detached | 独栋, 独栋别墅
semi-detached, semi | 双拼别墅
terraced house, terrace house, terraced, townhouse | 联排, 联排别墅
bungalow | 平房
studio flat, bedsit | 开间
loft | 复式
houseboat, narrowboat | 船屋
caravan, motorhome, camper van, campervan | 房车
"""
    ),
    "vision": Contrast(
        """
short-sightedness
long-sighted, far-sighted, farsighted | 远视
"""
    ),
    "order": Contrast(
        """
conclusion first, answer first, bottom line first, bottom line up front | 先给结论, 先说结论, 结论先行, 结论放前面, 结论在前
reasoning first, conclusion last, explain first, conclusion at the end | 先讲推理过程, 先讲过程, 先解释, 结论放最后, 结论在后, 结论最后, 先推理, 先分析
"""
    ),
    "person-kind": Contrast(
        """
introvert, introverted | 内向, i 人, 社恐
extrovert, extroverted, extravert | 外向, e 人, 社牛
ambivert | 中间型
""",
        personal=True,
    ),
}
"""Kind → its values. A kind listed here is read as a value, never as a topic."""
