"""Body and health, rooms and devices, places, deeds and qualities people mention in passing."""

from __future__ import annotations

from typing import Final

EVERYDAY: Final = {
    "breed": """
corgi, corgis | 柯基
labrador, lab retriever | 拉布拉多
golden retriever, golden retrievers, golden | 金毛
husky, huskies | 哈士奇, 二哈
poodle | 贵宾, 泰迪, 贵宾犬, 泰迪犬
border collie, collie | 边牧, 边境牧羊犬
german shepherd, alsatian | 德牧, 德国牧羊犬
shiba, shiba inu | 柴犬
samoyed | 萨摩耶, 萨摩
pug | 巴哥
french bulldog, frenchie | 法斗, 法国斗牛犬
chihuahua | 吉娃娃
beagle | 比格, 比格犬
dachshund, sausage dog | 腊肠, 腊肠犬
schnauzer | 雪纳瑞
pomeranian | 博美
malamute | 阿拉斯加犬
dalmatian | 斑点狗
greyhound | 灵缇
spaniel, cocker spaniel
terrier
rottweiler
doberman | 杜宾
ragdoll | 布偶, 布偶猫
british shorthair | 英短, 英国短毛猫
american shorthair | 美短, 美国短毛猫
persian cat | 波斯猫
siamese cat, siamese | 暹罗, 暹罗猫
maine coon | 缅因, 缅因猫
tabby, ginger cat, orange cat | 橘猫, 大橘
calico, calico cat | 三花, 三花猫
tuxedo cat | 奶牛猫
""",
    "deed": """
second marriage, remarried, married for the second time | 二婚, 再婚, 第二次婚姻, 第二段婚姻
annual leave, paid leave, vacation days | 年假
size, clothes size, clothing size, dress size | 码, 尺码, 码数, 衣服尺码, 尺寸
hospitalized, hospitalised, in hospital, in the hospital | 住院, 在医院住院, 住院治疗
program, programming, code in | 编程, 写程序
operating system | 操作系统, 系统
go out, travel around | 出门, 出行, 外出
remove | 切除
report, reports | 报告
food | 食物
teeth cleaning | 洗牙
knee, knees | 膝盖, 膝
waist, lower back, spine | 腰, 腰部, 后腰, 老腰
shoulder, shoulders | 肩膀, 肩
wrist | 手腕
ankle | 脚踝, 脚腕, 脚脖子
elbow | 手肘, 胳膊肘
neck | 脖子, 颈部
ear, ears | 耳朵
eye, eyes | 眼睛
eyesight, vision, sight | 视力
hearing | 听力
tooth, teeth | 牙, 牙齿
wisdom tooth, wisdom teeth | 智齿
stomach, tummy, belly, gut | 胃, 肚子, 肠胃
skin | 皮肤
feet, foot size | 脚
leg, legs | 腿
arm, arms | 胳膊, 手臂
finger, fingers | 手指
toe, toes | 脚趾
bone, bones | 骨头
nose | 鼻子
throat | 喉咙, 嗓子
heart | 心脏
lung, lungs | 肺
kidney, kidneys | 肾, 肾脏
scalp | 头皮
forearm | 前臂, 小臂
smell, sense of smell, smell anything, smell things | 嗅觉, 闻, 闻到, 闻不到味道
taste buds, sense of taste | 味觉
tax return, do my taxes, do my own taxes, file my taxes, file my own taxes, file taxes, do taxes | 报税
homeschool, home-school, homeschooled, teach at home | 在家上学, 在家教育
dissertation, thesis, diss | 论文, 毕业论文, 学位论文
medieval, middle ages | 中世纪
counter, till | 柜台, 收银台
layout, keyboard layout | 键盘布局
ride, riding
goal, aim | 目标
rule, rules | 规则
nickname, nick | 外号, 绰号
surname, last name, family name | 姓氏
zodiac, star sign, zodiac sign | 星座
aries | 白羊座
taurus | 金牛座
gemini | 双子座
leo | 狮子座
virgo | 处女座
libra | 天秤座
scorpio | 天蝎座
sagittarius | 射手座
capricorn | 摩羯座
aquarius | 水瓶座
pisces | 双鱼座
lift weights, weight training, weightlifting, strength training, pump iron | 举铁, 力量训练, 撸铁
prepare for, preparing for, study for, studying for, revise for, revising for, cram for | 备战, 复习备考
haircut, cut my hair, get my hair cut, get a haircut | 剪头发, 理发, 剪发
cut my own hair, do my haircut, do my own haircut, do my own hair | 自己剪头发, 自己理发, 给自己剪头发
prayer, say my prayers | 祈祷
raised by, bring up, brought up, brought up by, brought me up | 带大, 养大, 拉扯大, 抚养, 抚养长大, 带大的
study abroad, studying abroad, student abroad | 留学生, 留学, 出国留学, 在国外留学, 国外留学, 海外留学, 在海外留学
abroad, overseas | 出国, 出过国, 国外, 海外, 外国
train as, train to be, train to become, training to be, training to become, training as, study to be, study to become, in training to be
expire, expires, run out, runs out, expiry, expiry date, expiration | 有效期
available | 有空, 有时间, 得空
repair, fix, mend, maintenance | 维修, 修理, 修
feed | 喂
walk the dog, walk my dog, walk our dog, dog walking | 遛狗
take care of, look after, care for | 照顾, 照看, 带着
adopt, adopted | 收养
inherit | 继承
win, won | 赢
fall over, fell over, fall down, fell down | 摔, 摔倒, 摔跤
get lost, lose my way, bad sense of direction, no sense of direction | 迷路, 路痴
typewrite | 打字, 输入
queue, line up | 排队
bitten, bites me, got bitten | 咬
burn | 烫伤, 烧伤
freckle, freckles | 雀斑
mole | 痣
dimple, dimples | 酒窝
bargain, haggle | 砍价, 讲价
gamble, gambling, bet, betting | 赌博, 赌
cry | 哭
laugh | 笑
sweat | 出汗, 流汗
nap, take a nap, have a nap, siesta, midday nap, afternoon nap | 午睡, 午休, 睡午觉
shower, take a shower, have a shower | 洗澡, 淋浴
take a bath, have a bath | 泡澡
brush my teeth, brush teeth | 刷牙
iron, ironing | 熨衣服
laundry, do the laundry, do laundry, wash clothes | 洗衣服
dishes, do the dishes, wash up, wash the dishes, do the washing-up | 洗碗
housework, chores, household chores | 家务, 做家务
shopping, go shopping, shop for | 逛街, 购物
groceries, grocery shopping, food shopping | 买菜, 买菜的
bake, baking | 烘焙, 烤蛋糕
sew, sewing | 缝纫, 做衣服
crochet | 钩针, 钩织
embroidery, embroider | 刺绣, 十字绣
pottery, ceramics | 陶艺, 做陶
woodworking, woodwork, carpentry | 木工
birdwatching, watch birds | 观鸟
stargazing, astronomy | 观星, 天文
surf, surfing | 冲浪
dive, diving, scuba diving | 潜水
sail, sailing | 帆船
go rowing, rowing boat | 划船
kayak, kayaking | 皮划艇
skate, skating, ice skating | 滑冰
roller skating, rollerblading | 轮滑
snowboard, snowboarding | 单板, 单板滑雪
horse riding, horseback riding, ride horses | 骑马, 马术
golf | 高尔夫
volleyball | 排球, 打排球
rugby | 橄榄球
baseball | 棒球, 打棒球
hockey
handball
squash
cricket
judo | 柔道
karate | 空手道
taekwondo | 跆拳道
fencing | 击剑
archery | 射箭
tai chi, taiji | 太极, 太极拳, 打太极
square dancing | 广场舞
karaoke | 卡拉 ok, 唱 k, k 歌
mahjong, mah-jong | 麻将, 打麻将
poker | 德州扑克, 扑克
crossword, crosswords | 填字游戏
sudoku | 数独
jigsaw, puzzle, puzzles, jigsaws | 拼图
cosplay
anime | 动漫, 动画
tv series, tv show, tv shows, tv drama, tv dramas | 电视剧, 剧, 追剧, 连续剧
documentary, documentaries | 纪录片
opera | 歌剧
peking opera | 京剧
musical, musicals | 音乐剧
concert, concerts, gig, gigs | 演唱会, 音乐会
hip hop, rap, hip-hop | 嘻哈, 说唱
folk music | 民谣
heavy metal | 重金属, 金属乐
electronic music, techno | 电子音乐, 电音
k-pop, kpop | 韩流
poetry, poem, poems | 诗, 诗歌, 写诗
essay, essays | 散文
detective novel, crime fiction, detective fiction, crime novel, detective novels, crime novels, whodunit, whodunits | 推理小说, 侦探小说
fantasy | 奇幻, 玄幻
romance novel, romance novels | 言情小说, 爱情小说
biography, biographies | 传记
history book, history books | 历史书
magazine, magazines | 杂志
blog, blogging | 博客
vlog, video, videos | 视频
ielts | 雅思, 考雅思
toefl | 托福, 考托福
gaokao, college entrance exam | 高考
postgraduate entrance exam, graduate school entrance exam, grad school entrance exam | 考研, 备考研
civil service exam | 考公务员, 备考公务员, 备考公, 考公, 国考, 公务员考试
bar exam | 法考, 司法考试
cpa | 注会, 注册会计师
driving theory test, theory test | 科目一
bad, poor, dodgy | 差
ambidextrous | 左右手都能用, 双手都灵活
gay | 同性恋
lesbian | 女同
bisexual | 双性恋
transgender, trans | 跨性别
shy | 害羞, 腼腆
punctual, on time | 守时, 准时
impatient | 急性子, 没耐心
patient by nature | 有耐心
forgetful, absent-minded, bad memory | 健忘, 记性差, 记性不好, 忘性大
picky eater, fussy eater, fussy about food | 挑食, 挑嘴
sociable, outgoing | 开朗, 外向型
scared of the dark, afraid of the dark, fear of the dark | 怕黑
ticklish | 怕痒
expensive, pricey, costly | 贵
cheap, inexpensive | 便宜
tired, exhausted, knackered, worn out | 累, 疲惫
busy, swamped | 忙, 忙碌
stressed, stressed out, under stress, under pressure, under a lot of stress, under a lot of pressure | 压力大, 有压力
lonely | 孤独, 寂寞
homesick | 想家
hungry | 饿, 肚子饿
thirsty | 渴, 口渴
electric | 电动
difficult | 难, 困难
gap year, take a gap year, on a gap year | 间隔年
""",
    "health": """
blood pressure | 血压
blood sugar, blood glucose | 血糖
cholesterol | 胆固醇, 血脂
stutter, stammer, speech impediment, stutterer, stutter when i speak, stutter when i talk, stammer when i speak, stammer when i talk | 口吃, 结巴, 说话结巴, 说话口吃
sprain, sprained, twist | 扭伤, 崴, 崴了
flu, influenza | 流感
catch a cold, have a cold, come down with a cold | 感冒, 着凉
fever | 发烧
cough | 咳嗽
covid, coronavirus, covid-19 | 新冠, 新冠肺炎
eczema | 湿疹
psoriasis | 银屑病, 牛皮癣
acne, pimples | 痘痘, 青春痘, 粉刺, 痤疮
hives | 荨麻疹
shingles | 带状疱疹
sleep apnea, sleep apnoea | 睡眠呼吸暂停
rhinitis | 鼻炎, 过敏性鼻炎
sinusitis | 鼻窦炎
tinnitus, ringing in my ears | 耳鸣
vertigo, dizzy spells, dizzy | 眩晕, 头晕
anemia, anaemia, anaemic, anemic, iron deficiency, low on iron | 贫血, 缺铁
thyroid | 甲状腺
hypothyroidism, underactive thyroid | 甲减
hyperthyroidism, overactive thyroid | 甲亢
epilepsy, epileptic | 癫痫
cancer | 癌症, 癌
stroke | 中风, 脑梗
scoliosis | 脊柱侧弯
flat feet, fallen arches | 扁平足, 平足
fatty liver | 脂肪肝
kidney stone, kidney stones | 肾结石
gallstone, gallstones | 胆结石
ulcer, ulcers | 溃疡
acid reflux, heartburn, reflux, gerd | 胃酸反流, 反酸, 烧心, 胃食管反流
irritable bowel syndrome, ibs, irritable bowel | 肠易激
constipation, constipated | 便秘
menopause | 更年期
period pain, cramps, period cramps | 痛经
autism, autistic, on the spectrum | 自闭症, 孤独症
ocd, obsessive compulsive disorder | 强迫症
bipolar, bipolar disorder | 双相, 躁郁症
panic attack, panic attacks | 惊恐发作
astigmatism, astigmatic | 散光
cataract, cataracts | 白内障
far-sighted, farsighted, long-sighted, longsighted | 远视
presbyopia | 老花, 老花眼
hemorrhoids, haemorrhoids, piles | 痔疮
hair loss, lose my hair, losing my hair, going bald, go bald | 脱发, 掉头发
pacemaker | 起搏器, 心脏起搏器
transplant | 移植
organ donor | 器官捐献者
injection, inject, shot, shots | 打针, 注射
dose, doses, jab, jabs | 剂, 剂次, 针
donate blood, give blood, blood donor | 献血
check-up, checkup, physical exam | 体检
therapy, counselling, counseling, see a therapist, in therapy | 心理咨询, 做心理咨询, 看心理医生
physiotherapy, physical therapy, rehab | 理疗, 康复治疗, 康复训练
chemotherapy, chemo | 化疗
acupuncture | 针灸
massage, massages | 按摩, 推拿
vitamin, vitamins | 维生素, 维他命
painkiller, painkillers | 止痛药
antibiotic, antibiotics | 抗生素, 消炎药
supplement, supplements | 保健品
sunscreen, sun cream, suncream | 防晒霜, 防晒
postpartum month | 坐月子
nosebleed, nosebleeds | 流鼻血, 鼻血
underweight, too thin | 偏瘦, 体重过轻
overweight, obese | 超重, 偏胖, 肥胖
eating disorder | 饮食失调, 厌食症
""",
    "home": """
balcony | 阳台
terrace, patio | 露台
courtyard, yard, backyard | 院子
bedroom, bedrooms | 卧室
bathroom, toilet, restroom, loo | 浴室, 卫生间, 厕所, 洗手间
kitchen | 厨房
living room, lounge | 客厅
lift, elevator | 电梯
stairs, staircase | 楼梯
basement, cellar | 地下室
attic, loft | 阁楼
garage | 车库
roof, rooftop | 屋顶, 房顶
neighborhood, neighbourhood | 小区, 社区
parking space, parking spot, parking place | 车位, 停车位
swimming pool, pool | 泳池, 游泳池
studio flat | 开间
detached house, villa | 别墅
""",
    "device": """
air conditioner, air conditioning, aircon, air con, ac | 空调
heating, radiator, central heating | 暖气, 地暖
dishwasher | 洗碗机
oven | 烤箱
microwave | 微波炉
air fryer | 空气炸锅
rice cooker | 电饭煲, 电饭锅
vacuum cleaner, vacuum, hoover | 吸尘器
robot vacuum | 扫地机器人, 扫地机
dryer, tumble dryer | 烘干机
hair dryer, hairdryer | 吹风机
kettle | 水壶, 热水壶, 电水壶
water heater, boiler | 热水器
stove, hob, gas stove | 灶台, 煤气灶, 燃气灶
coffee machine, coffee maker | 咖啡机
projector | 投影仪
speaker, loudspeaker | 音响, 音箱
router | 路由器
charger | 充电器
power bank | 充电宝
drone | 无人机
microphone | 麦克风, 话筒
hard drive, hard disk | 硬盘
graphics card, gpu | 显卡
games console, console | 游戏机
playstation, ps5 | 索尼游戏机
xbox
nintendo, nintendo switch | 任天堂
electric toothbrush | 电动牙刷
toothbrush | 牙刷
razor, shaver | 剃须刀
mattress | 床垫
pillow | 枕头
desk | 书桌, 桌子
chair | 椅子
bookshelf, bookcase, bookshelves | 书架
wardrobe, closet | 衣柜, 衣橱
curtain, curtains | 窗帘
carpet, rug | 地毯
lamp | 台灯, 灯
bag, handbag | 包包, 手提包
backpack, rucksack | 背包, 双肩包
suitcase, luggage | 行李箱, 箱子, 行李
wallet, purse | 钱包
screen | 屏幕
phone case | 手机壳
sim card | 手机卡, 电话卡
phone number, mobile number, telephone number | 手机号, 手机号码, 电话号码, 电话号
sewing machine | 缝纫机
treadmill | 跑步机
tent | 帐篷
guzheng, zither | 古筝
pipa | 琵琶
erhu | 二胡
vinyl, vinyls, vinyl record, vinyl records, lps | 黑胶, 唱片, 黑胶唱片
wi-fi, wifi | 无线网
broadband, internet connection | 宽带
input method, ime | 输入法
shuangpin, double pinyin | 双拼, 双拼输入法
wubi | 五笔, 五笔输入法
pinyin | 拼音, 拼音输入法
""",
    "transport": """
electric car, ev, electric vehicle, drive an electric car, drive an ev, drive an electric vehicle | 电动汽车, 新能源车, 新能源汽车, 开电动车, 开电动汽车, 开新能源车, 开电车
van, minivan | 面包车
truck, lorry | 卡车, 货车
suv | 越野车
car loan | 车贷
car insurance | 车险
number plate, license plate, licence plate | 车牌, 车牌号
petrol, gasoline | 汽油
skateboard, skateboarding | 滑板
kick scooter | 滑板车
""",
    "workplace": """
noodle shop, noodle place, noodle restaurant | 面馆, 面店
cafe, coffee shop, café, coffeehouse | 咖啡馆, 咖啡店, 咖啡厅
bakery | 面包店, 烘焙店, 蛋糕店
bookshop, bookstore | 书店
clinic | 诊所
bar, pub | 酒吧
teahouse, tea house | 茶馆
flower shop | 花店
clothes shop, clothing store, boutique | 服装店
hair salon, barbershop, hairdresser's, barber shop | 理发店, 发廊, 美发店
nail salon | 美甲店
guesthouse, homestay, b&b | 民宿
farm | 农场
gallery | 画廊
convenience store, corner shop | 便利店, 小卖部
online shop, online store, web shop | 网店, 淘宝店
law firm | 律所, 律师事务所
accounting firm | 会计师事务所
insurance company, insurer | 保险公司
travel agency | 旅行社
publisher, publishing house | 出版社
newspaper | 报社
tv station, television station | 电视台
airport | 机场
train station, railway station | 火车站, 车站
warehouse | 仓库
lab, laboratory | 实验室
research institute | 研究院, 研究所
court | 法院
police station | 派出所, 警察局
army, military, armed forces | 部队, 军队
navy | 海军
air force | 空军
church | 教堂
mosque | 清真寺
temple | 寺庙, 庙
hotel | 酒店, 宾馆
pharmacy, drugstore | 药店, 药房
post office | 邮局
petrol station, gas station | 加油站
zoo | 动物园
theatre, theater | 剧院, 剧场
construction site, building site | 工地
intensive care, icu, intensive care unit | 重症监护室, 重症
secondary school, middle school | 中学
cram school, tutoring centre | 补习班, 辅导班
department, dept | 部门, 科室
""",
    "make": """
volkswagen, vw | 大众
toyota | 丰田
honda | 本田
nissan | 日产
bmw | 宝马
mercedes, mercedes-benz, benz | 奔驰
audi | 奥迪
ford | 福特
hyundai
kia | 起亚
volvo | 沃尔沃
lexus | 雷克萨斯
porsche | 保时捷
mazda | 马自达
subaru | 斯巴鲁
geely | 吉利
nio | 蔚来
xpeng | 小鹏
land rover, range rover | 路虎
suzuki | 铃木
yamaha | 雅马哈
skoda, škoda | 斯柯达
renault | 雷诺
peugeot | 标致
citroen, citroën | 雪铁龙
fiat | 菲亚特
opel, vauxhall | 欧宝
mini cooper
jeep | 吉普
dacia
buick | 别克
chevrolet, chevy | 雪佛兰
cadillac | 凯迪拉克
wuling | 五菱
""",
    "app": """
iqiyi | 爱奇艺
youku | 优酷
bilibili | b 站, 哔哩哔哩
tiktok, douyin | 抖音
xiaohongshu, rednote | 小红书
zhihu | 知乎
weibo | 微博
taobao | 淘宝
pinduoduo | 拼多多
netease music | 网易云, 网易云音乐
qq music | qq 音乐
douban | 豆瓣
dingtalk | 钉钉
feishu, lark app | 飞书
youtube | 油管
instagram, insta
facebook, fb | 脸书
twitter | 推特
reddit
duolingo | 多邻国
disney+, disney plus
discord
figma
photoshop
powerpoint, ppt
google docs
dropbox
icloud
onedrive
strava
chatgpt
github
gitlab
jira
trello
steam
""",
    "money": """
pension | 养老金, 退休金
bonus | 奖金
year-end bonus, annual bonus | 年终奖
tax, taxes | 税, 交税, 纳税
bank account | 银行账户, 账户
credit card | 信用卡
debit card | 借记卡, 储蓄卡
cash | 现金
pocket money, allowance | 零花钱, 生活费
subscription, subscribe, subscribed to, subscriber | 订阅, 订了
membership, member | 会员, 会籍, 会员卡
deposit | 押金, 定金
utility bills, utilities | 水电费
insurance, insured | 保险
health insurance, medical insurance | 医保, 医疗保险
gold | 黄金
phone plan, phone contract, data plan | 话费套餐, 流量套餐
owe | 欠
donate, donation | 捐, 捐款
discount | 折扣, 打折
""",
    "period": """
per-other-day, every other day, every second day, alternate days | 隔天, 隔日
per-other-week, every other week, every second week, fortnightly, once a fortnight, biweekly, every fortnight, alternate weeks | 隔周
per-other-month, every other month, every second month, bimonthly | 隔月, 隔个月
per-other-year, every other year, every second year | 隔年
per-quarter, quarterly, every quarter, each quarter | 每季度, 每季, 每个季度
per-hour, hourly, every hour, per hour | 每小时, 每个小时
every evening, every night, each evening, each night, nightly | 一晚上, 每晚, 每天晚上, 天天晚上
every morning, each morning | 每天早上, 每天早晨, 天天早上
public holiday, public holidays, bank holiday, bank holidays | 节假日, 法定节假日
""",
}
"""Class → one concept a line: its name and English synonyms | Chinese ones."""
