"""How people live: home, work, studies, health, habits, money, time."""

from __future__ import annotations

from typing import Final

LIVING: Final = {
    "do": """
live, reside, lodge, based, be based, stay in, stay at, stay with, settle, settle down, have settled, live at, make my home | 住, 住在, 定居, 居住, 落户, 安家, 住的地方
move, relocate, move house, move home, move over, move in, resettle | 搬, 搬家, 搬到, 搬去, 搬来, 搬进, 搬回, 搬回去, 搬到了, 搬去了, 移居, 搬往, 迁到, 搬迁, 调去, 调往, 派去, 派到, 外派到
come from, originate from, be from, be originally from, hail from, home town, hometown, native of, grow up in, grow up | 老家, 来自, 籍贯, 家乡, 长大, 老家在
born, be born, birthplace | 出生, 出生于, 出生在, 出生地, 生于, 生在
work, do my job, be employed, have a job, job at, employed, employ, do work, job, my job | 上班, 工作, 任职, 就职, 做事, 供职, 打工, 班
commute, on the way to work, get to work, go to work, travel to work, way to work, to work, to the office | 通勤, 上下班, 上班路上, 上班路程, 路程, 单程
get up, wake up, rise, wake | 起床, 起来, 醒, 睡醒, 早起
go to bed, go to sleep, turn in, fall asleep, lights out, bedtime, bed at, be in bed, in bed by | 睡觉, 睡, 上床, 入睡, 躺下, 就寝, 熄灯, 入眠, 歇下
sleep badly, not sleep well, do not sleep well, can not sleep well | 睡不好, 睡眠不好, 睡得不好
sleep | 睡眠
eat, consume | 吃, 食用, 沾, 碰
drink, sip | 喝, 饮用
smoke, cigarette, smoker, fags, ciggies, ciggy, cigars, roll-ups, smoking, tobacco, cigs, vape, smokes | 抽烟, 吸烟, 香烟, 烟
like, love, enjoy, adore, fond of, fan of, big fan of, be into, am into, keen on, partial to, grow on me, passion, crazy about, mad about, fancy, dig, fan, support, supporter | 喜欢, 爱, 热爱, 喜爱, 爱好, 酷爱, 迷上, 钟爱, 超爱, 喜欢上
hate, dislike, detest, loathe, despise, disgust, put off by | 讨厌, 反感, 恨, 厌恶, 嫌弃, 最烦, 痛恨
prefer, would rather, rather, preference, preferred | 更喜欢, 偏好, 宁愿, 偏爱, 倾向, 更爱, 习惯用, 宁可, 更偏向
use, run on, work with | 用, 使用, 采用, 装的是, 系统是, 改用
have, own, possess, suffer, suffer from, diagnosed with, be diagnosed with, get, there is, there are, be the owner of, be owner of | 有, 拥有, 得了, 患有, 患了, 确诊, 养, 养了, 家里有, 领养
call, name, be called, go by, address, known as, address me as, refer to | 叫, 称呼, 喊, 名叫, 取名, 名字, 名字叫, 唤, 叫做, 姓, 大名
speak, fluent, fluently, fluent in, be fluent in | 说, 会说, 讲, 能说, 流利, 流利的
learn, learning | 学, 学习, 在学, 自学, 学着
study, major in, major, degree, degree in, read at university, undergraduate | 专业, 读书, 就读, 攻读, 念书, 主修, 大学学的是, 学的是, 本科, 学位, 读, 念, 上学, 大学学, 本科专业, 大学专业, 修读, 读的是
graduate, finish my degree, complete my degree, graduation | 毕业, 毕业于
drop out, drop out of, leave uni, leave university, leave college, leave school, quit school, quit uni | 退学, 辍学, 肄业
teach, teach a class | 教, 教书, 授课, 带课
play | 玩, 打, 弹, 拉, 吹
sing | 唱, 唱歌
run, jog, running, jogging, go for a run | 跑步, 跑, 慢跑, 晨跑, 夜跑
walk, stroll | 散步, 走路, 步行, 走, 徒步走
swim, swimming | 游泳, 游
drive, driving, drive a car | 开车, 驾车, 驾驶
cycle, ride a bike, ride a bicycle, bike, bicycle, cycling, by bike, by bicycle, ride my bike | 骑车, 自行车, 单车, 骑自行车, 骑单车, 脚踏车, 踩单车, 山地车
cook, cooking | 做饭, 烹饪, 下厨, 做菜, 煮饭
read, reading | 看书, 阅读
write, writing | 写, 写作
watch | 看, 观看
buy, purchase | 买, 购买, 买了, 入手, 购入
travel, travelling, trip | 旅行, 旅游, 出游
visit, been to | 去过, 到过, 去了
take | 服用, 服药
weigh, weight, my weight, body weight, in weight | 体重, 重量
tall, height, my height, in height | 身高, 个子, 个头
cost | 花费
snore | 打呼噜, 打鼾, 打呼
meet | 见面
wear | 戴, 穿, 佩戴
train, workout, work out, exercise, exercising | 锻炼, 健身, 运动, 训练
gym, go to the gym, hit the gym, gym membership | 健身房
""",
    "home": """
home, house, my place, household, my address, home address, new address | 家, 家里, 房子, 屋子, 住处, 我家, 住址, 地址
flat, apartment, condo, studio | 公寓, 单元房
rent, renting, tenant of, renter, lease, rent a flat, rent a place | 租房, 租, 租的, 租的房, 租房子, 租房住
own place, homeowner, own home, buy a house, buy the flat, buy the house, buy my flat, buy our flat, buy our house, buy my house, buy a flat, buy an apartment, buy a home, buy a place | 买房, 买了房, 自己的房子, 买了房子, 有房
share a flat, share a house, flatshare, house share | 合租
live alone, live by myself, live on my own, on my own, by myself, alone | 独居, 一个人住, 自己住, 自己一个人, 一个人
floor | 楼, 层
dormitory, dorm, student halls | 宿舍, 住校, 学生宿舍, 学校宿舍
village, countryside, rural | 农村, 乡下, 村子, 村里
suburb, suburbs | 郊区
care home, nursing home, retirement home, old people's home, assisted living | 养老院, 敬老院, 护理院
city centre, city center, downtown | 市中心, 市区
mortgage | 房贷, 有房贷, 背着房贷, 背房贷
""",
    "work-mode": """
work from home, wfh, home office, work at home, work remotely, remote, remotely, telecommute, remote job | 在家办公, 远程, 远程办公, 居家办公, 在家上班, 在家工作, 远程工作, 居家工作
in the office, on site, on-site, go into the office, from the office | 坐班, 现场办公, 去公司上班, 办公室办公
hybrid | 混合办公
""",
    "work-hours": """
night shift, work nights, work night shift, work the night shift, do night shift, graveyard shift, on nights, night shifts | 夜班, 大夜, 夜班的, 大夜班
day shift, work days, work day shift, work the day shift, on days, day shifts | 白班, 日班
evening shift, late shift, late shifts | 晚班, 中班, 小夜
early shift, early shifts | 早班
rotating shift, shift work, shifts, rotating shifts | 倒三班, 倒班, 轮班, 三班倒
nine to five, office hours | 朝九晚五, 早九晚六
996 | 九九六
part-time, part time | 兼职, 半职
full-time, full time | 全职
""",
    "work-state": """
unemployed, out of work, between jobs, jobless, job hunting, looking for a job, look for work, look for a job, looking for work, job search, search for a job, hunt for a job | 待业, 失业, 没工作, 没有工作, 无业, 找工作, 待业在家, 在找工作, 求职, 没上班
retired, retiree, pensioner, retire | 退休, 退休了
self-employed, freelance, freelancer, work for myself, be my own boss, own business, run my own business, my own boss | 自由职业, 自由职业者, 个体户, 自己当老板, 自己创业, 自己干, 创业, 自雇
student, uni student, university student, college student, undergrad, be at university, be at uni, be at college, be in college | 学生, 大学生, 在读, 上大学, 读大学
stay-at-home mum, stay-at-home mom, housewife, homemaker, stay-at-home dad, stay at home mum, stay at home mom, stay at home dad | 全职妈妈, 家庭主妇, 全职太太, 全职爸爸
""",
    "job": """
nurse | 护士, 护理
doctor, physician | 医生, 大夫, 医师
dentist | 牙医, 牙科医生
surgeon | 外科医生
vet, veterinarian | 兽医
pharmacist | 药剂师
teacher, schoolteacher, school teacher | 老师, 教师, 教书的
primary school teacher, elementary teacher | 小学老师
professor, lecturer | 教授, 讲师
lawyer, solicitor, attorney | 律师
accountant | 会计, 会计师
auditor | 审计, 审计师
engineer | 工程师
software engineer, software developer, developer, programmer, coder, dev | 程序员, 软件工程师, 码农, 开发, 程序猿, 写代码的
backend developer, backend engineer, back-end developer | 后端, 后端开发, 后端工程师, 做后端
frontend developer, frontend engineer, front-end developer | 前端, 前端开发, 前端工程师, 做前端
civil engineer | 土木工程师
mechanical engineer | 机械工程师
data analyst | 数据分析师, 数据分析
analyst | 分析师
officer | 专员
clerk | 文员
technician | 技术员
administrator, sysadmin | 运维
tester, qa | 测试
recruiter | 招聘
gardener | 园丁
tailor | 裁缝
florist | 花艺师
bricklayer, builder | 泥瓦工
welder | 焊工
copywriter | 文案
illustrator | 插画师
bookkeeper | 出纳
senior analyst | 高级分析师
junior analyst | 初级分析师
head chef | 主厨
head nurse | 护士长
store manager, shop manager | 店长
fitness trainer | 教练员
data scientist | 数据科学家
product manager | 产品经理
project manager | 项目经理
designer | 设计师
ux designer, ui designer | 交互设计师, ui 设计师
graphic designer | 平面设计师
architect | 建筑师
journalist, reporter | 记者
editor | 编辑
writer, author | 作家
translator, interpreter | 翻译, 口译
artist, painter | 画家, 艺术家
musician | 音乐人, 乐手
actor, actress | 演员
photographer | 摄影师
chef, cook by trade | 厨师
baker | 面包师
waiter, waitress, barista | 服务员, 咖啡师
driver, taxi driver, truck driver | 司机, 出租车司机, 网约车司机
courier, delivery rider | 快递员, 外卖员, 骑手
police officer, policeman, policewoman, cop | 警察, 民警
firefighter, fireman, firewoman | 消防员
soldier | 军人
pilot | 飞行员
flight attendant | 空姐, 空乘, 乘务员
farmer | 农民
carpenter | 木匠
electrician | 电工
plumber | 水管工
mechanic | 修车工
hairdresser, barber | 理发师
librarian | 图书管理员
secretary | 秘书
consultant | 顾问, 咨询顾问
salesperson, salesman, sales rep, sales | 销售, 业务员
cashier | 收银员
shop assistant | 店员, 售货员
marketing manager, marketer, marketing | 市场营销, 市场, 运营
hr | 人事, 人力资源
civil servant | 公务员
banker | 银行职员
risk manager, risk control manager | 风控经理, 风控
scientist, researcher | 科学家, 研究员, 科研
psychologist by trade | 心理学家
social worker | 社工
midwife | 助产士
physiotherapist, physio | 理疗师, 康复师
paramedic | 急救员
security guard | 保安
cleaner | 保洁
worker | 工人
tour guide | 导游
streamer, youtuber | 主播
foreign trade | 外贸
real estate agent, estate agent | 房产中介, 中介
team lead, team leader, tech lead, group leader | 组长, 技术负责人
director, head of department, department head | 总监, 部门经理
intern | 实习生, 实习
senior manager | 高级经理
sous-chef, sous chef, second chef | 副厨, 二厨
line cook, commis chef | 配菜师
pastry chef | 西点师, 甜点师
kitchen porter, dishwasher by trade | 洗碗工
bartender, barman, barmaid | 调酒师, 酒保
receptionist, front desk clerk | 前台, 接待员
housekeeper | 管家
nanny, childminder, au pair | 保姆, 育儿嫂, 月嫂
teaching assistant, classroom assistant | 助教
headteacher, head teacher, headmaster, headmistress, school principal | 校长
deputy head | 副校长, 教导主任
surveyor, quantity surveyor | 造价师, 测量员, 造价
dietitian, nutritionist | 营养师
optician, optometrist | 验光师, 配镜师
radiographer | 放射科技师
lab technician | 检验师, 化验员
vet nurse, veterinary nurse | 兽医助理
dental hygienist | 洁牙师
care worker, care assistant, carer, caregiver | 护工, 护理员
barrister, judge | 法官
paralegal, legal secretary | 律师助理, 法务
actuary | 精算师
underwriter | 核保
stockbroker, broker | 经纪人
insurance agent | 保险代理人, 保险经纪, 卖保险的
data engineer | 数据工程师
network engineer | 网络工程师, 网工
game developer | 游戏开发
embedded engineer | 嵌入式工程师
animator | 动画师
sound engineer | 录音师, 音响师
film editor, video editor | 剪辑师, 剪辑
dancer | 舞者, 舞蹈演员
singer | 歌手
stylist | 造型师
makeup artist | 化妆师
beautician | 美容师
nail technician | 美甲师
masseur, masseuse | 按摩师
yoga teacher, yoga instructor | 瑜伽老师, 瑜伽教练
lifeguard | 救生员
referee | 裁判
plasterer, roofer, decorator | 油漆工
joiner, cabinetmaker | 木工
forklift driver, forklift operator | 叉车工
lorry driver, trucker, hgv driver | 货车司机
train driver | 火车司机
bus driver | 公交司机
postman, postwoman, postie, mailman, mail carrier | 邮递员
docker, dockworker | 码头工人
sailor, seafarer | 海员, 水手
fisherman | 渔民
miner | 矿工
machinist | 机床工
seamstress, dressmaker | 裁缝师
jeweller | 珠宝匠
butcher | 屠夫, 肉贩
warehouse worker, warehouse operative, picker | 仓管, 仓库管理员
buyer by trade, purchaser | 采购, 采购员
supply chain manager | 供应链
air traffic controller | 空管
town planner, urban planner | 规划师
geologist | 地质员
economist | 经济学家
archaeologist | 考古
curator | 策展人
proofreader | 校对
blogger, content creator, influencer | 博主, 自媒体, up 主
social media manager | 新媒体运营
event planner, wedding planner | 婚礼策划, 活动策划
priest, vicar, pastor | 牧师, 神父
politician, councillor | 议员
supervisor by trade, foreman, shift supervisor | 工头, 领班
deputy manager, assistant manager | 副经理
store assistant | 导购
apprentice | 学徒
trainee | 培训生, 管培生
ceo, founder, cofounder | 创始人, 总裁
""",
    "org": """
tencent | 腾讯
alibaba | 阿里巴巴, 阿里
bytedance | 字节跳动, 字节
baidu | 百度
meituan | 美团
jd | 京东
netease | 网易
didi | 滴滴
google | 谷歌
microsoft | 微软
amazon | 亚马逊
siemens | 西门子
bosch | 博世
deloitte | 德勤
pwc | 普华永道
kpmg | 毕马威
tesla | 特斯拉
byd | 比亚迪
tsinghua, tsinghua university | 清华, 清华大学
peking university, pku, beida | 北大, 北京大学
fudan, fudan university | 复旦, 复旦大学
zhejiang university | 浙大, 浙江大学
wuhan university | 武大, 武汉大学
nankai, nankai university | 南开, 南开大学
xiamen university | 厦大, 厦门大学
nanjing university | 南大, 南京大学
sun yat-sen university | 中大, 中山大学
""",
    "workplace": """
bank | 银行
hospital | 医院
school | 学校
primary school, elementary school, grade school | 小学
middle school, secondary school | 初中
high school | 高中
university, uni, college | 大学
library | 图书馆
museum | 博物馆
supermarket | 超市
restaurant | 餐厅, 饭店, 餐馆
shop, store | 商店, 店
factory | 工厂
office, company, firm, workplace | 公司, 单位, 办公室
foreign company | 外企
state-owned enterprise | 国企
startup, start-up | 创业公司
internet company, tech company | 互联网公司, 大厂
kindergarten, nursery | 幼儿园
grade, school year, year group | 年级, 学年
emergency department, er, a&e | 急诊科, 急诊
""",
    "study-field": """
law | 法律, 法学
medicine | 医学, 临床医学
economics | 经济学, 经济
finance | 金融, 金融学
accounting | 会计学
history | 历史, 历史学
philosophy | 哲学
psychology | 心理, 心理学
sociology | 社会学
physics | 物理, 物理学
chemistry | 化学
biology | 生物, 生物学
math, maths, mathematics | 数学
computer science, cs | 计算机, 计算机科学
architecture | 建筑学
engineering | 工科
logistics | 物流
literature | 文学
journalism | 新闻, 新闻学
education | 教育学
nursing | 护理学
politics, political science | 政治学
linguistics | 语言学
statistics | 统计, 统计学
biochemistry | 生物化学, 生化
art history | 艺术史
geography | 地理, 地理学
fine art, art | 美术, 艺术
law school | 法学院
med school, medical school | 医学院
phd, doctorate, ph.d | 博士, 读博
master, masters, master's degree, master degree | 硕士, 研究生, 读研, 读研究生
bachelor | 学士
""",
    "language": """
english | 英文, 英语
chinese, mandarin | 中文, 汉语, 普通话, 国语
cantonese | 粤语, 广东话, 白话
japanese | 日语, 日文
korean | 韩语, 韩文
french | 法语, 法文
german | 德语, 德文
spanish | 西班牙语, 西语
italian | 意大利语
portuguese | 葡萄牙语
russian | 俄语
arabic | 阿拉伯语
dutch | 荷兰语
turkish | 土耳其语
thai | 泰语
vietnamese | 越南语
swedish | 瑞典语
norwegian | 挪威语
danish | 丹麦语
finnish | 芬兰语
polish | 波兰语
greek | 希腊语
hindi | 印地语
latin | 拉丁语
sign language | 手语
dialect | 方言
hokkien, taiwanese | 闽南语, 台语
sichuanese | 四川话
shanghainese | 上海话
""",
    "marriage": """
married, wed, marry, remarried, remarry, married again, tie the knot, get hitched, be newlywed, newlyweds | 已婚, 结婚, 成家, 领证, 结了婚, 嫁给, 嫁给了, 娶了, 完婚, 婚了, 领了证
single | 单身, 单着, 没对象, 没有对象, 单身狗
divorced, divorce, divorcee | 离婚, 离异, 离了婚
widowed, widow, widower | 丧偶
engaged, get engaged, engagement | 订婚, 求婚成功, 订了婚
separated, separate from my husband, separate from my wife | 分居
couple, together, dating, date, in a relationship, go out with, seeing someone, see someone | 在一起, 谈恋爱, 交往, 情侣, 处对象, 恋爱, 脱单, 拍拖, 谈对象, 和好, 复合, 和好如初
break up, broken up, split up, split, part ways, dump | 分手, 分了, 掰了
on a break, take some time apart, time apart | 冷静期, 先分开, 分开一段时间, 分开, 冷静一阵子, 冷静一下, 冷静
anniversary, wedding anniversary | 结婚纪念日, 纪念日
""",
    "health": """
allergy, allergic, allergic to, react to | 过敏, 敏感, 不过敏, 过敏原, 过敏史
intolerance, intolerant | 不耐受, 不耐
pollen, hay fever | 花粉, 花粉症
dust mite, dust, dust mites | 尘螨, 灰尘
penicillin | 青霉素, 盘尼西林
aspirin | 阿司匹林
ibuprofen | 布洛芬
latex | 乳胶
asthma, asthmatic | 哮喘
migraine, migraines | 偏头痛
headache | 头痛, 头疼
diabetes, diabetic | 糖尿病
type 1 | 一型, 1型
type 2 | 二型, 2型
hypertension, high blood pressure | 高血压
blood pressure medication, blood pressure pill, blood pressure tablet | 降压药
heart disease, heart condition | 心脏病
insomnia, insomniac, trouble sleeping | 失眠, 睡不着
depression, depressed | 抑郁症, 抑郁
anxiety | 焦虑, 焦虑症
adhd | 多动症
celiac, coeliac, coeliac disease, celiac disease | 乳糜泻
gout | 痛风
arthritis | 关节炎
hurt, ache, sore, pain, painful | 疼, 痛, 酸痛
back pain, bad back | 腰痛, 腰疼, 腰椎间盘突出
cervical spondylosis, neck problem | 颈椎病
gastritis, stomach trouble | 胃病, 胃炎
myopia, short-sighted, nearsighted, near-sighted | 近视
color blind, color blindness, color-blindness, color-blind, colorblind, colour blind, colour-blind, colourblind | 色盲, 色弱
heights, fear of heights, afraid of heights, scared of heights, acrophobia | 恐高, 怕高, 恐高症
claustrophobia, claustrophobic | 幽闭恐惧症
motion sickness, motion sickness in cars, carsick, car sick, travel sick | 晕车, 容易晕车
seasick | 晕船
glasses, spectacles, specs | 眼镜
contact lens, contacts, contact lenses | 隐形眼镜, 隐形
hearing aid | 助听器
wheelchair | 轮椅
inhaler | 喷雾, 吸入器
medication, medicine, pill, tablet, drug, meds | 药, 药片, 药物
antidepressant | 抗抑郁药
insulin | 胰岛素
pregnant, expecting, expect a baby | 怀孕, 怀着宝宝, 怀着娃, 怀着孩子, 怀了, 怀着, 孕, 有喜
maternity leave, parental leave, sick leave, on leave, leave of absence, paternity leave | 产假, 休产假, 病假, 陪产假, 休假中
trying for a baby, try to conceive | 备孕
give birth, have the baby, have our baby, deliver a baby | 生了, 分娩, 生下, 生产了
surgery, operation | 手术
broken leg, leg in a cast | 腿骨折, 腿断
broken arm, arm in a cast | 手臂骨折
cast | 石膏
crutch, crutches | 拐杖
braces | 牙套
light sleeper, wake easily, wake up easily, wake up easily from any noise when i sleep, sleep lightly | 睡眠浅, 睡眠很浅, 睡眠比较浅, 睡得很浅, 睡得轻, 睡觉很轻, 很容易醒, 睡觉很容易醒, 容易惊醒, 睡得浅, 浅眠, 觉轻, 容易醒, 一有声音就醒
introvert, introverted | 内向, i 人, 社恐
extrovert, extroverted | 外向, e 人
vaccine, vaccinated | 疫苗, 接种, 打疫苗, 接种疫苗
blood type | 血型
deaf, hard of hearing | 耳聋, 听障, 失聪, 耳朵聋
blind | 失明, 视障
dyslexia, dyslexic | 阅读障碍
bald | 秃顶, 光头
""",
    "chronotype": """
night owl, night person, go to bed late, stay up late | 夜猫子, 熬夜, 晚睡, 晚睡型, 夜型人
early bird, early riser, morning person, lark | 早起的人, 早鸟, 晨型人, 早睡早起, 早起型, 早起型的人
""",
    "hand": """
left-handed, lefty, left handed, southpaw | 左撇子, 惯用左手, 习惯用左手, 用左手
right-handed, right handed | 右撇子, 惯用右手
""",
    "curl": """
curly hair, curls, curly, hair be curly | 卷发, 自来卷
straight hair, hair be straight | 直发
""",
    "hair-length": """
long hair, hair be long, grow my hair, grow my hair out, grow out my hair | 长发, 长头发
short hair, hair short, hair be short | 短发, 短头发
""",
    "transport": """
train, by train, take the train, by rail | 火车, 坐火车, 高铁, 动车
bus, by bus, take the bus | 公交, 公交车, 坐公交, 巴士, 公车
subway, metro, underground, tube, mrt, by metro, take the subway, by tube | 地铁, 捷运, 轻轨, 坐地铁, 搭捷运
car, by car, sedan, auto | 汽车, 车, 小车, 轿车, 私家车
taxi, cab, uber | 打车, 出租车, 计程车, 的士, 网约车
e-bike, electric bike, electric scooter, scooter | 电动车, 电瓶车, 电单车
motorbike, motorcycle | 摩托车, 机车
tram | 电车, 有轨电车
plane, fly, flight | 飞机, 航班, 坐飞机
ferry, boat | 船, 渡轮
on foot, by foot | 走着
licence, license, driving licence, driving license, driver license, driver's license, driving test | 驾照, 驾驶证
""",
    "seat": """
aisle, aisle seat, aisle seats | 靠过道, 过道, 靠走道, 走道, 过道的位置, 靠过道的座位
window, window seat, window seats | 靠窗, 窗边, 靠窗的位置, 靠窗的座位, 窗户
""",
    "weekday": """
monday, mondays, mon | 周一, 星期一, 礼拜一, 每周一
tuesday, tuesdays, tue | 周二, 星期二, 礼拜二, 每周二
wednesday, wednesdays, wed. | 周三, 星期三, 礼拜三, 每周三
thursday, thursdays, thu | 周四, 星期四, 礼拜四, 每周四
friday, fridays, fri | 周五, 星期五, 礼拜五, 每周五
saturday, saturdays | 周六, 星期六, 礼拜六, 每周六
sunday, sundays | 周日, 星期天, 星期日, 礼拜天, 礼拜日, 周天, 每周日
weekend, weekends | 周末
weekday, weekdays, workday, working days | 工作日, 平日
""",
    "month": """
january, jan | 一月
february, feb | 二月
march | 三月
april | 四月
in may, may this year | 五月
june | 六月
july | 七月
august, aug | 八月
september, sept | 九月
october, oct | 十月
november, nov | 十一月
december, dec | 十二月
""",
    "season": """
spring | 春天, 春季
summer | 夏天, 夏季
autumn, fall | 秋天, 秋季
season | 季节
winter | 冬天, 冬季
""",
    "daypart": """
morning, mornings, in the morning | 早上, 早晨, 上午, 清晨, 清早, 一大早, 早
noon, midday, lunchtime | 中午
afternoon, afternoons | 下午
evening, evenings, tonight | 傍晚
night, nights, at night | 晚上, 夜里, 夜晚, 半夜, 晚
""",
    "period": """
per-day, every day, a day, each day, per day, daily, everyday | 每天, 天天, 每日, 一天, 日常
per-week, a week, per week, each week, every week, weekly | 每周, 一周, 每星期, 一星期, 每个星期, 每礼拜, 一个礼拜, 每个礼拜, 一礼拜, 一个星期
per-month, a month, per month, every month, monthly | 每月, 一个月, 每个月
per-year, a year, per year, every year, yearly, annually | 每年, 一年
next-week, next week | 下周, 下星期, 下个星期, 下礼拜
this-week, this week | 这周, 本周, 这星期
last-week, last week | 上周, 上星期
next-month, next month | 下个月, 下月
next-year, next year | 明年
tomorrow | 明天
today | 今天
yesterday, last night | 昨天, 昨晚
last-year, last year | 去年
last-month, last month | 上个月, 上月
""",
    "color": """
red | 红色, 红
blue | 蓝色, 蓝
green | 绿色, 绿
yellow | 黄色, 黄
black | 黑色, 黑
white | 白色, 白
purple | 紫色, 紫
pink | 粉色, 粉红
grey, gray, silver | 灰色, 银色
brown | 棕色, 咖啡色
blonde, blond | 金色, 金发
ginger hair, redhead, auburn | 红发
beige | 米色, 米白
turquoise, teal | 青色
navy | 藏青, 深蓝
gold | 金黄
color | 颜色
""",
    "activity": """
yoga | 瑜伽
football, soccer | 足球, 踢足球, 踢球
basketball | 篮球, 打篮球
badminton | 羽毛球, 打羽毛球
tennis | 网球, 打网球
table tennis, ping pong | 乒乓球, 打乒乓球
hike, hiking, climb mountains | 爬山, 徒步, 登山
climbing, bouldering, rock climbing | 攀岩
dance, dancing | 跳舞, 舞蹈
ski, skiing | 滑雪
chess | 国际象棋, 象棋, 下棋
weiqi, baduk | 围棋
video game, gaming, games | 游戏, 打游戏, 电子游戏
board game, board games | 桌游
gardening, garden | 园艺, 种花
knit, knitting | 织毛衣, 编织
photography, take photos | 摄影, 拍照
camping, camp | 露营
fishing | 钓鱼
paint, painting, drawing, draw | 画画, 绘画
calligraphy | 书法
piano | 钢琴, 弹钢琴
guitar | 吉他, 弹吉他
violin | 小提琴, 拉小提琴
cello | 大提琴
drum, drums | 架子鼓, 打鼓, 鼓
flute | 长笛
ukulele | 尤克里里
saxophone | 萨克斯
book club, reading group | 读书会
club | 俱乐部, 社团
choir | 合唱团
band | 乐队
boxing | 拳击
pilates | 普拉提
marathon | 马拉松
meditate, meditation | 冥想, 打坐
diary, journal | 日记
podcast | 播客
film, movie, movies, cinema | 电影
horror film, horror films, scary movie, scary movies, horror movie, horror | 恐怖片
crime film, crime films | 犯罪片
music | 音乐
jazz | 爵士, 爵士乐
classical music | 古典音乐
rock music, rock | 摇滚
pop music, pop | 流行音乐
""",
    "money": """
budget, spend up to, can spend, to spend, willing to spend, budget is, spend on, spend, willing to pay, my limit, my maximum, upper limit, max budget | 预算, 上限, 最多出, 封顶, 最多能出, 愿意花, 最多花
payday, get paid, pay day | 发工资, 发薪, 发薪日, 工资日, 发工资的日子
salary, income, wage, earn | 工资, 收入, 薪水, 月薪, 年薪
saving, save | 存钱, 储蓄, 存款, 存, 攒钱, 攒
debt, loan | 贷款, 欠债
invest, investment | 投资, 理财
stock, shares | 股票
fund | 基金
bitcoin, crypto | 比特币, 加密货币
""",
    "event": """
birthday, birthdate, date of birth | 生日, 出生日期
valentine | 情人节
christmas | 圣诞, 圣诞节
dentist appointment, see the dentist, go to the dentist, appointment with the dentist, appointment at the dentist | 看牙医, 看牙, 约了牙医, 约牙医, 看牙科
meeting, appointment | 会议, 开会, 预约
weekly meeting, team meeting, stand-up, standup | 周会, 例会, 晨会, 站会
wedding | 婚礼
prepare for the exam, revise, revision, study for the exam, study for an exam | 备考, 备战
exam, test | 考试
deadline, due date, due, due on, due by | 截止日期, 截止, 到期, 过期, 失效
contract | 合同
interview | 面试
holiday, vacation | 假期, 休假, 放假
timezone, time zone | 时区
end, finish, be over, finish up | 结束, 下班
start, begin | 开始
""",
    "timezone": """
pacific, pt, pst, pacific time, pdt | 太平洋时间
eastern, est, et, eastern time, edt | 东部时间
central time, cst | 中部时间
mountain time, mst | 山地时间
utc, gmt | 格林尼治
cet, central european time | 中欧时间
bst | 英国夏令时
beijing time | 北京时间
""",
}
"""Class → one concept a line: its name and English synonyms | Chinese ones."""
