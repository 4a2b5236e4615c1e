"""Constructions, small words and spans of time that say one thing, or part two (LT-04)."""

from __future__ import annotations

from shared.models.relations import Statement, resolve
from shared.models.relations.contrasts import contrasted
from shared.models.relations.phrasing import rephrased
from shared.models.relations.wording import written_alike
from tests.support.tables import each

ALIKE = """
我一天喝三杯水。 | 我每天要喝三杯水。
我吃不了辣。 | 我不能吃辣。
我海鲜过敏。 | 我一吃海鲜就过敏。
我喝咖啡会心慌。 | 我一喝咖啡就心慌。
我喝牛奶会拉肚子。 | 我喝了牛奶就拉肚子。
我住在二环里。 | 我家在二环以内。
我下个月要搬到成都。 | 我下个月搬去成都。
我在一家外贸公司做会计。 | 我是外贸公司的会计。
我在银行工作。 | 我在银行上班。
我是做销售的。 | 我做销售。
我坐地铁要四十分钟到公司。 | 我乘地铁上班需要40分钟。
我今年大三。 | 我现在读大学三年级。
我学的是土木工程。 | 我的专业是土木工程。
我英语过了六级。 | 我通过了英语六级。
我会讲一点日语。 | 我懂一点日语。
我老家在山东烟台。 | 我是山东烟台人。
我是家里的独生子。 | 我没有兄弟姐妹。
我是老大,下面有两个弟弟。 | 我有两个弟弟,我是老大。
我结婚五年了。 | 我已婚五年。
我儿子今年高考。 | 我儿子今年参加高考。
我养了一只橘猫。 | 我家有只橘猫。
我家的狗是金毛。 | 我养的狗是一只金毛。
我每天要吃降压药。 | 我天天都得吃降压药。
我一般夜里十二点睡。 | 我通常半夜12点睡觉。
我每天睡不到六个小时。 | 我一天睡眠不足六小时。
我周末喜欢去爬山。 | 周末我爱爬山。
我每周去健身房三次。 | 我一星期去三趟健身房。
我在学游泳。 | 我正在学习游泳。
我平时玩王者荣耀。 | 我经常打王者荣耀。
我去过三次日本。 | 我到日本旅游过三次。
我出门喜欢坐火车。 | 我出行喜欢乘火车。
我开的是大众。 | 我的车是大众。
我用的是华为手机。 | 我手机是华为的。
我的电脑是Mac。 | 我用的是苹果电脑。
我写代码用Vim。 | 我的编辑器是Vim。
我工作用Linux系统。 | 我上班用的操作系统是Linux。
我平时写Python。 | 我主要用Python编程。
我每月房租两千八。 | 我一个月房租2800。
我月供六千。 | 我每个月还房贷六千块。
我订了爱奇艺会员。 | 我是爱奇艺的会员。
我每天写日记。 | 我有写日记的习惯。
我习惯早起。 | 我一向起得早。
我周三下午要开会。 | 每周三下午我有会。
报告周五之前要交。 | 报告的截止时间是周五。
我信基督教。 | 我是基督徒。
我吃素三年了。 | 我已经吃了三年素。
回答尽量简短一点。 | 请你简短回答。
大家都喊我小鱼。 | 我外号叫小鱼。
我生日是六月十号。 | 我6月10日出生。
我1990年出生的。 | 我是90年生人。
我身高一米七五。 | 我175厘米高。
我体重六十公斤。 | 我120斤重。
我穿42码的鞋。 | 我的鞋码是42。
我是AB型血。 | 我的血型是AB型。
我怕打针。 | 我对打针很恐惧。
我不抽烟也不喝酒。 | 我烟酒不沾。
我是左撇子。 | 我惯用左手。
我妈是退休教师。 | 我妈以前是老师,现在退休了。
我爸在医院住院。 | 我爸住院了。
我弟在北京读研。 | 我弟弟在北京念研究生。
我和男朋友异地恋。 | 我跟男友是异地。
我对花生过敏。 | 花生会让我过敏。
我只喝黑咖啡。 | 我喝咖啡只喝美式。
我不爱吃甜。 | 我不喜欢甜食。
我晚上不喝咖啡。 | 晚上我不碰咖啡。
我家有三口人。 | 我们家三个人。
我工资一万二。 | 我月薪12000。
我在备考公务员。 | 我在准备考公。
我每天遛两次狗。 | 我一天遛狗两回。
我在学弹吉他。 | 我在学吉他。
我不会做饭。 | 做饭我不会。
我没去过国外。 | 我从没出过国。
我膝盖受过伤。 | 我的膝盖以前受过伤。
我经常失眠。 | 我常常睡不着觉。
我有三个孩子。 | 我是三个孩子的妈妈。
I drink my tea with milk. | I take milk in my tea.
I live on my own. | I live by myself.
I've lived in Oslo since 2015. | I moved to Oslo in 2015.
I work for myself. | I'm self-employed.
I'm a GP. | I work as a family doctor.
I do shift work. | I work shifts.
I'm doing a PhD in chemistry. | I'm a chemistry PhD student.
I can get by in Spanish. | I speak a bit of Spanish.
My wife and I met at work. | I met my wife at work.
We're expecting a baby in June. | Our baby is due in June.
I have asthma. | I'm asthmatic.
I take pills for my blood pressure. | I'm on blood pressure medication.
I had my appendix out. | My appendix was removed.
I'm deaf in one ear. | I can't hear out of one ear.
I run marathons. | I'm a marathon runner.
I go swimming on Mondays. | Mondays are my swim days.
I support Arsenal. | I'm an Arsenal fan.
I play bass in a band. | I'm the bassist in a band.
I can't stand musicals. | I hate musicals.
I mostly read crime novels. | Crime fiction is what I usually read.
I've been to Japan twice. | I've visited Japan two times.
I cycle to work every day. | I bike to the office daily.
My phone is a Pixel. | I've got a Pixel.
I pay 1200 a month in rent. | My rent is 1200 per month.
I'm saving up for a house. | I'm putting money aside to buy a house.
I cancelled Netflix. | I don't have Netflix anymore.
I get up at six. | My alarm goes off at six.
My shift starts at 7. | I start work at seven.
The report is due Friday. | I have to hand in the report by Friday.
I'm Jewish. | I was raised Jewish.
Keep your answers short. | Short answers please.
Don't sugarcoat things. | Be blunt with me.
Use British spelling. | Write in British English.
Everyone calls me Beth. | I go by Beth.
My birthday is on 4 July. | I was born on the 4th of July.
I'm five foot six. | I'm 168 cm.
I'm in my thirties. | I'm thirty-something.
I have a peanut allergy. | Peanuts make me ill, I'm allergic.
I bite my nails. | I'm a nail biter.
I'm afraid of flying. | Flying scares me.
I hate phone calls. | I can't stand talking on the phone.
我在备孕。 | We're trying for a baby.
我在谷歌上班。 | I work at Google.
我有两个哥哥。 | I have two older brothers.
我每周游泳两次。 | I swim twice a week.
我妻子是日本人。 | My wife is Japanese.
我最喜欢的颜色是蓝色。 | My favourite colour is blue.
我对猫过敏。 | Cats make me sneeze, I'm allergic.
我骑车上班。 | I cycle to work.
我怕高。 | I'm scared of heights.
我是软件工程师。 | I work as a programmer.
我女儿在学钢琴。 | My daughter is learning the piano.
我不喝酒。 | I don't drink.
请用要点回答。 | Answer in bullet points, please.
我的航班是早上八点。 | My flight is at 8 am.
我每天骑车四十分钟上下班。 | 我上下班每天骑车要四十分钟。
我对芒果过敏。 | 我吃芒果会过敏。
我不能喝酒,酒精过敏。 | 我酒精过敏,喝不了酒。
我喜欢吃面食。 | 我爱吃面食。
我是四川人,但不吃辣。 | 我虽然是四川人,可是不吃辣。
我在读博士二年级。 | 我现在博士二年级。
我大学毕业于武汉大学。 | 我是武汉大学毕业的。
我在医院做护士。 | 我是医院的护士。
我做程序员十年了。 | 我干程序员已经十年。
我是部门主管。 | 我在部门当主管。
我周末要带孩子上课。 | 周末我得带孩子去上课。
我老公在国外工作。 | 我先生在海外上班。
我妈妈身体不太好。 | 我妈身体不好。
我姐姐比我大五岁。 | 我姐大我五岁。
我养了一条狗,叫旺财。 | 我家狗叫旺财。
我家猫三岁了。 | 我的猫今年三岁。
我有高血压。 | 我血压高。
我腰不好,不能久坐。 | 我不能久坐,腰不好。
我戴隐形眼镜。 | 我平时戴的是隐形眼镜。
我晚上容易失眠。 | 我夜里容易睡不着。
我每天早上跑五公里。 | 每天早晨我都跑步五公里。
我最近在减肥。 | 我正在减肥。
我会弹钢琴。 | 钢琴我会弹。
我喜欢玩桌游。 | 我爱好是桌游。
我每年去一次海边。 | 我一年去一次海边。
我坐飞机喜欢靠窗。 | 我坐飞机爱坐窗边。
我手机是iPhone 15。 | 我用iPhone 15。
我用VS Code写代码。 | 我写代码用的是VS Code。
我用的是机械键盘。 | 我的键盘是机械键盘。
我每个月存五千。 | 我每月存款5000元。
我的预算在三千左右。 | 我预算大概三千。
我每周一要写周报。 | 每周一我都得写周报。
我不在晚上十点以后回消息。 | 晚上十点后我不回消息。
我们项目月底上线。 | 项目月底要上线。
我是基督徒,周日去教堂。 | 我信基督教,礼拜天要去教堂。
我不吃猪肉,因为是回族。 | 我是回族,不吃猪肉。
请用中文回答我。 | 回答我时请用中文。
说话别太客气。 | 跟我说话不用那么客气。
回答请用摄氏度。 | 温度请用摄氏。
我姓欧阳。 | 我的姓是欧阳。
我结婚纪念日是五月二十。 | 五月二十号是我的结婚纪念日。
我没有驾照。 | 我还没考驾照。
我家离公司很近。 | 我住得离公司很近。
我习惯睡前看书。 | 我睡觉前习惯看书。
I don't eat anything with nuts in it. | I avoid all food containing nuts.
I'm a picky eater. | I'm fussy about food.
I live in a two-bedroom flat. | My flat has two bedrooms.
I moved here from Spain. | I came here from Spain.
I work at a primary school. | I'm employed at an elementary school.
I speak Polish at home. | At home we speak Polish.
My grandmother lives with us. | Our gran lives with us.
My brother's a firefighter. | My brother works as a fireman.
I have three cats. | There are three cats in my house.
I've got high cholesterol. | My cholesterol is high.
I had knee surgery last year. | Last year I had an operation on my knee.
I can't sleep without earplugs. | I need earplugs to sleep.
I lift weights three times a week. | Three times a week I do weight training.
My favourite band is Blur. | Blur is my favourite band.
I've seen The Matrix ten times. | I've watched The Matrix ten times.
I hate flying. | I don't like to fly.
I take the train to work. | I commute by train.
I drive a Volvo. | My car's a Volvo.
I have an Android phone. | My phone runs Android.
My laptop is a ThinkPad. | I use a ThinkPad laptop.
I prefer tabs to spaces. | I'd rather use tabs than spaces.
I earn 40k a year. | My salary is 40,000 a year.
I never work on Sundays. | I don't work Sundays.
My exam is in two weeks. | I have an exam in two weeks.
I'm a practising Catholic. | I'm Catholic and I practise.
Please don't use emojis. | No emojis, please.
Call me Alex, not Alexander. | I go by Alex, not Alexander.
My middle name is Rose. | Rose is my middle name.
I was born in Leeds. | Leeds is where I was born.
I wear a size 10. | I'm a size 10.
I'm allergic to penicillin. | I can't take penicillin because I'm allergic.
I quit smoking two years ago. | I gave up smoking two years ago.
I don't have any kids. | I have no children.
I volunteer at a food bank. | I do volunteer work at a food bank.
I have a sweet tooth. | I love sweet things.
I use public transport. | I get around by public transport.
我献过两次血。 | 我献血过两次。
每隔一天我跑步。 | 我隔天跑步。
每两周开一次例会。 | 我们隔周开一次例会。
It's two years since I last drank alcohol. | I've been sober for 2 years.
I work half an hour a day. | I work 30 minutes a day.
我和父母一起住,我住在苏州。 | 我住在苏州,我和父母一起住。
I'm from Leeds and I have a cat. | I have a cat and I'm from Leeds.
Jazz is my thing, I love it. | I love jazz.
I can't dance, I'm useless at dancing. | I'm no good at dancing.
still at the bakery | I still work at the bakery.
My flat is on the twelfth floor. | I live on the 12th floor.
I was raised by my aunt. | My aunt raised me.
我是奶奶带大的。 | 奶奶把我带大的。
I have a 3-year-old son. | 我儿子三岁了。
I have the IELTS exam in June. | I have my IELTS in June.
我比我弟弟矮。 | 我弟弟比我高。
no nuts for me, im allergic | I have a nut allergy.
"""

APART = """
我喜欢看足球。 | 我喜欢踢足球。
我看电影喜欢坐前排。 | 我看电影喜欢坐后排。
每隔一天我跑步。 | 每天我跑步。
我是副经理。 | 我是经理。
我只吃肉不吃鱼。 | 我只吃鱼不吃肉。
我欠小林钱。 | 小林欠我钱。
我表哥在上海。 | 我表姐在上海。
我奶奶住在农村。 | 我外婆住在农村。
我有个弟弟。 | I have an older brother.
我后年退休。 | 我退休了。
我预算至少三千。 | 我预算最多三千。
我在存钱。 | 我在花钱。
我上学期考过了数学。 | 我上学期数学挂科了。
我周一遛狗。 | 我周一喂狗。
我工资五千。 | 我年薪五千。
我会说一点日语。 | 我会说流利的日语。
我不抽烟也不喝酒。 | 我抽烟也喝酒。
我半夜12点睡。 | 我中午12点睡。
我四十分钟到公司。 | 我十分钟到公司。
我从北京搬到上海。 | 我从上海搬到北京。
I fly back on the 2nd. | I fly out on the 2nd.
I like red wine. | I like white wine.
I work until nine. | I work from nine.
My ex-wife is a nurse. | My ex-husband is a nurse.
I sleep in a single bed. | I sleep in a double bed.
I'm the eldest of three. | I'm the youngest of three.
I speak a bit of Spanish. | I speak fluent Spanish.
I can speak Arabic but not read it. | I can read Arabic.
I'm deputy head. | I'm head.
I want at least 20 euros. | I want at most 20 euros.
I have a corgi. | I have a pug.
I drive a Volvo. | I drive a BMW.
I failed my exam twice. | I failed my exam.
I take half an hour to get to work. | I take an hour and a half to get to work.
I smoke and drink. | I neither smoke nor drink.
I lent Ana my bike. | I borrowed Ana's bike.
I'm meeting him this Friday. | I'm meeting him next Friday.
I keep my bike upstairs. | I keep my bike downstairs.
My grandson is ill. | My granddaughter is ill.
I pray five times a day. | I pray twice a day.
"""


def _same(one: str, other: str) -> bool:
    """Return whether the rules alone take either text for the other said again."""
    return any(
        resolve(Statement(later, "fact"), [Statement(earlier, "fact")]).outcome == "same"
        for later, earlier in ((one, other), (other, one))
    )


@each("pair", ALIKE.strip().splitlines())
def test_another_construction_says_the_same(pair: str) -> None:
    one, other = pair.split(" | ")

    assert _same(one, other)


@each("pair", APART.strip().splitlines())
def test_a_small_word_parts_two_statements(pair: str) -> None:
    one, other = pair.split(" | ")

    assert not _same(one, other)


def test_no_statement_here_is_taken_for_a_neighbour() -> None:
    pairs = [pair.split(" | ")[0] for pair in APART.strip().splitlines()]

    assert not [(one, other) for at, one in enumerate(pairs) for other in pairs[:at] if _same(one, other)]


@each(
    ("written", "brought_to"),
    [
        ("我献两次血", "我献血两次"),
        ("我洗了个澡", "我洗了个澡"),
        ("i have a 3-year-old son", "my son is 3 years old"),
        ("three quarters of an hour", "45 minutes"),
        ("一刻钟", "15 minutes"),
        ("every two weeks", "every other week"),
        ("每隔一天", "隔天"),
        ("my aunt raised me", "i was raised by my aunt"),
        ("i neither smoke nor drink", "i do not smoke or drink"),
        ("我是三个孩子的妈妈", "我有三个孩子"),
    ],
)
def test_constructions_are_brought_to_one(written: str, brought_to: str) -> None:
    assert rephrased(written) == brought_to


def test_a_contrast_needs_both_its_sides_and_a_mark_only_one() -> None:
    assert contrasted("坐前排", "坐后排")
    assert not contrasted("坐前排", "坐")
    assert contrasted("副经理", "经理")
    assert not contrasted("经理", "经理")


def test_the_order_of_words_counts_only_where_it_tells_who_does_what() -> None:
    assert written_alike("围巾我不会织", "我不会织围巾")
    assert not written_alike("我欠小林钱", "小林欠我钱")
    assert not written_alike("i owe sam", "sam owes me")
