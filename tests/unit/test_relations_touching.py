"""Statements that answer no question the rules know: laid over each other, one ends, revises or doubts the other."""

from __future__ import annotations

from shared.models.relations import Statement, resolve
from tests.support.tables import each

REPLACING = """
finally got round to leaving Vodafone, I'm with giffgaff | > My phone is with Vodafone. | My broadband is with Sky.
dad's not at the bakery any more, he retired | > My dad works at a bakery. | My dad likes chess.
we've had to put Rolo down | > We have a rabbit called Rolo. | My son is called Ravi.
sold the van last week | > I drive a van. | I live in Goole.
started on 30 mg yesterday, the 20 wasn't doing much | > I take 20 mg of fluoxetine. | I have asthma.
I've swapped the piano for the harp | > I play the piano. | I sing.
Jess moved out so it's just me in the flat now | > I live with my flatmate Jess. | I live in Derby.
book club's been switched to Thursdays | > Book club is on Tuesdays. | We are reading Emma.
nope, dog's called Rex not Max | > My dog is called Max. | My cat is called Flo.
no longer scared of spiders, hypnotherapy worked | > I'm scared of spiders. | I'm scared of heights.
changed my surname to Okafor when we married | > My surname is Bell. | My first name is Tess.
it's 14 Elm Road now, we moved at Easter | > I live at 3 Oak Lane. | I work from home.
I get paid on the 28th now | > I get paid on the 15th. | I earn 2100 a month.
turned out I'm B negative, not O positive | > My blood type is O positive. | I have anaemia.
I got my ears pierced! | > I don't have pierced ears. | I have a tattoo.
my daughter's in year 4 now | > My daughter is in year 3. | My son is in reception.
I finally got a passport | > I don't have a passport. | I've never been abroad.
moved my savings to Chase, closed the Monzo pot | > My savings are with Monzo. | I have a credit card.
short answers from now on, the long ones wear me out | > I like long detailed answers. | Use British spelling.
I've finished War and Peace, now onto Emma | > I'm reading War and Peace. | I like poetry.
My flight's now at 16:20 | > My flight is at 14:05. | My flight is from Stansted.
I quit sugar | > I take two sugars in my tea. | I drink tea.
switched from Spotify to Apple Music last month | > I use Spotify. | I like techno.
my son's stopped playing football, it's judo now | > My son plays football. | My son is nine.
I got laid off on Friday | > I work at Dunnes as a buyer. | I live in Navan.
we're having a girl actually, not a boy | > We're having a boy. | I'm 24 weeks pregnant.
they let me go from the cafe | > I work in a cafe. | I study at night.
divorce came through in March | > I'm married to Paul. | I have two kids.
the twins started school | > The twins are at nursery. | We have twins.
my cholesterol's back to normal | > I have high cholesterol. | My dad has diabetes.
I'm a morning person these days | > I'm a night owl. | I work late.
I'm on the 3rd floor now | > My office is on the 5th floor. | I work at IBM.
we have three kids now, little Ivo arrived in May | > We have two kids. | We live in Bath.
you can drop the emojis | > Use lots of emojis. | Keep it short.
I passed my theory and practical, I can drive! | > I can't drive. | I live in York.
nails are gone, took the acrylics off | > I have acrylic nails. | I have long hair.
we got rid of the telly | > We have a TV in the bedroom. | We have a piano.
I'm with EDF now for electricity | > My electricity is with Octopus. | My gas is with Octopus.
I've left the band | > I'm in a band called Moss. | I play bass.
no more braces! | > I have braces. | I have glasses.
my knee's better, physio's done | > I'm doing physio for my knee. | I cycle to work.
I moved the boxing to Mondays | > I do boxing on Wednesdays. | I do yoga on Mondays.
the car's a hybrid now, got rid of the diesel | > I drive a diesel. | I have a bike.
my favourite food's ramen now | > My favourite food is pizza. | I like sushi.
my girlfriend and I split | > I have a girlfriend. | I live with my mum.
I eat meat again | > I'm vegetarian. | I don't like mushrooms.
I was wrong, the pin is 4410 | > My bike lock pin is 4400. | My locker is 12.
Monty died in the spring | > We have a spaniel called Monty. | > Monty sleeps on my bed. | I have a cat.
packed in the fags and the booze at new year | > I smoke ten a day. | > I drink most nights. | I like crisps.
Sam and me called it a day, he's moved out | > Sam is my boyfriend. | > I live with Sam. | I'm 31.
sold the house in Ripon, renting in York now | > I own a house in Ripon. | I work in York.
I've been vegan since January | > I have eggs for breakfast. | I like tofu.
retired at the end of March! | > I work as a bus driver. | > I start work at 5am. | I have a caravan.
the baby came early, a boy, Finn | > I'm due in June. | My sister is due in July.
handed back the company car, got an e-bike instead | > I have a company car. | I live in Kent.
my nan passed on Tuesday | > My nan is 91. | My grandad is 88.
finished chemo, all clear! | > I'm having chemo. | I'm 45.
I'm down to 12 stone | > I weigh 13 stone 4. | I'm 6 foot.
Zara's 9 now | > My daughter Zara is 8. | My son is 5.
don't bother with the summaries at the end anymore | > End answers with a summary. | Use headings.
keep it under 100 words from now on | > Keep answers under 200 words. | Use British spelling.
actually I prefer she/her | > I use they/them pronouns. | Call me Al.
I'm with a new dentist, Dr Patel | > My dentist is Dr Wong. | My GP is Dr Shah.
new phone who dis, it's a Pixel | > I have an iPhone 12. | I have a smartwatch.
the kids are 6 and 9 now | > My kids are 5 and 8. | I have two kids.
moved to night shifts last week | > I work the early shift. | I'm a nurse.
we've decided on Portugal instead of Greece | > We're going to Greece this summer. | I like beaches.
my driving test is now on the 19th | > My driving test is on the 12th. | My theory test is on the 5th.
took out my nose ring for good | > I have a nose ring. | I have a tattoo.
swapped my Sunday long run to Saturday | > I do my long run on Sundays. | I do yoga on Saturdays.
I can eat gluten after all, test was negative | > I can't eat gluten. | I'm allergic to nuts.
my mortgage is paid off!! | > I have a mortgage with Halifax. | I live in Hull.
it's Katherine with a K, not Catherine | > My name is Catherine. | My sister is called Kim.
Dad's remarried | > My dad is divorced. | My mum is single.
I don't do the school run any more, they walk themselves | > I do the school run every morning. | I have two kids.
our cleaner comes Fridays now | > Our cleaner comes on Tuesdays. | The bins go out Fridays.
I do legs on Mondays now | > I do legs on Thursdays. | I do arms on Mondays.
switched my degree to maths | > I study physics. | I'm at Leeds uni.
I let my passport lapse so no valid one now | > I have a valid passport. | I have a driving licence.
quit playing Fortnite | > I play Fortnite every night. | I play chess.
I jacked in the piano lessons | > I take piano lessons. | I sing.
our boiler's been replaced with a heat pump | > We have a gas boiler. | We have solar panels.
my desk is by the door now | > My desk is by the window. | My office is in Leeds.
I get up at 5:30 these days | > I get up at seven. | I go to bed at ten.
I can do a pull-up now! | > I can't do a pull-up. | I lift weights.
no longer lactose intolerant, apparently | > I'm lactose intolerant. | I'm allergic to bees.
we stopped getting the veg box | > We get a weekly veg box. | We have chickens.
the band split up | > I'm in a band. | I play the trumpet.
moved my pension to Aviva | > My pension is with Scottish Widows. | My ISA is with Vanguard.
my tutor is Ms Kay this term | > My tutor is Mr Bell. | My maths teacher is Mr Ray.
got contact lenses, ditched the specs | > I wear glasses. | I have brown eyes.
I write in TypeScript now, dropped JavaScript | > I write JavaScript. | I use VS Code.
my favourite author is Le Guin now | > My favourite author is Tolkien. | I like fantasy.
turned vegetarian in January | > I eat meat most days. | I like cooking.
we call him Ozzy now not Oscar | > Our dog is called Oscar. | Our cat is called Mo.
I sleep eight hours now | > I sleep six hours a night. | I work nights.
broke my streak, deleted Duolingo | > I use Duolingo every day. | I'm learning Dutch.
车贷上个月还清了 | > 我每个月还车贷两千。 | 我房贷还有二十年。
我换宽带了,现在用联通 | > 我家宽带是电信的。 | 我手机卡是移动的。
奶茶戒了 | > 我每天喝奶茶。 | 我喜欢吃甜的。
我的工位搬到十二楼了 | > 我的工位在九楼。 | 我住六楼。
发工资改到十号了 | > 公司每月十五号发工资。 | 我月薪八千。
昨天去改了名字,现在叫林若溪 | > 我叫林晓。 | 我的小名叫溪溪。
不怕蛇了,克服了 | > 我怕蛇。 | 我恐高。
我们不做异地了,他搬过来了 | > 我和男朋友异地。 | 我男朋友是厨师。
室友搬走了,现在我自己住 | > 我和室友合租。 | 我住在徐汇。
我家猫叫年糕不叫汤圆 | > 我家猫叫汤圆。 | 我家狗叫饺子。
我改用 Edge 了 | > 我用 Chrome。 | 我用有道词典。
我女儿升三年级了 | > 我女儿上二年级。 | 我儿子上幼儿园。
我拿到美国绿卡了 | > 我还没有绿卡。 | 我在旧金山。
我爸的手术做完了 | > 我爸还没做手术。 | 我爸住院了。
股票都清仓了 | > 我持有茅台股票。 | 我买了基金。
我现在不熬夜了 | > 我经常熬夜到两点。 | 我住校。
我考过雅思了,7分 | > 我还没考过雅思。 | 我六级550分。
手机号换了,尾号是8812 | > 我手机尾号是3306。 | 我车牌尾号是5。
我的航班改到下午四点二十 | > 我的航班是下午两点。 | 我从虹桥走。
我辞掉家教了 | > 我在做家教。 | 我读大三。
家里的电视扔了 | > 我家客厅有台电视。 | 我家有钢琴。
以后别给我列点了,写成段落 | > 回答分点列出来。 | 回答短一点。
信用卡注销了 | > 我有一张信用卡。 | 我用花呗。
我和他订婚了 | > 我和男朋友在恋爱。 | 我男朋友姓秦。
我的生日其实是十月九号,打错了 | > 我生日是十月八号。 | 我妈生日是十月八号。
我现在喝美式不加奶了 | > 我喝咖啡加奶。 | 我喝茶。
英雄联盟卸了 | > 我玩英雄联盟。 | 我玩原神。
我换了新的家庭医生,姓郭 | > 我的家庭医生姓田。 | 我的牙医姓马。
我现在是 B2 水平了 | > 我的德语是 B1 水平。 | 我在学德语。
快递改放到门卫了 | > 快递放在驿站。 | 外卖放门口。
我不再负责前端了,现在做后端 | > 我负责前端。 | 我在杭州上班。
"""

DISPUTING = """
thinking of swapping the gym for swimming, undecided | > I go to the gym three times a week. | I like Thai food.
might not renew my Netflix this month | > I have a Netflix subscription. | I watch films on Fridays.
staying with my brother in Leith for a couple of weeks | > I live in Dundee. | My brother has a dog.
on antibiotics so no alcohol for ten days | > I have a glass of wine most evenings. | I like Rioja.
considering going part time after the baby | > I work full-time. | I'm 20 weeks pregnant.
I guess my favourite band could be Radiohead these days? | > My favourite band is Pulp. | I play bass.
might switch to decaf, not sure | > I drink three coffees a day. | I use an Aeropress.
my physio says maybe no running until spring | > I run every Sunday. | I have a bad knee.
we may end up postponing the wedding | > Our wedding is on 3 July. | My dress is ivory.
half thinking of growing my hair out | > I keep my hair short. | I have blue eyes.
wondering whether to drop German, it's a lot | > I'm learning German. | I speak French.
my landlord might put the rent up to 900 | > My rent is 820 a month. | My landlord is called Vic.
not convinced veganism is for me tbh | > I'm vegan. | I'm allergic to nuts.
possibly moving teams in spring, waiting to hear | > I work on the payments team. | I work remotely.
they reckon my appointment could shift to 3pm | > My dentist appointment is at 2pm on Tuesday. | I have two dogs.
maybe you could be a bit less formal with me, idk | > Be formal with me. | Answer in English.
I've been using my old phone this week while the Pixel gets repaired | > My phone is a Pixel 8. | I have a tablet.
sort of seeing someone, early days | > I'm single. | I live in Cork.
sleeping on the couch at my parents' for now | > I live in Reading with my girlfriend. | My parents live in Slough.
might rehome the budgies | > I have two budgies. | I have a cat.
thinking I'd rather have the aisle seat next time, dunno | > I prefer window seats. | I fly to Oslo every month.
temporarily on 20 mg while the doctor works it out | > I take 10 mg of citalopram. | I have hay fever.
this month I'm doing no spend so no takeaways | > I order takeaway every Friday. | I like pizza.
could be that I'm dyslexic, assessment next week | > I'm not dyslexic. | I'm left-handed.
I'm tempted to go back to Android | > I use an iPhone. | I have AirPods.
might skip choir this term | > I sing in a choir. | I play the flute.
the doc wants me off caffeine for a month | > I drink four coffees a day. | I like biscuits.
thinking of dyeing my hair purple | > My hair is blonde. | I have green eyes.
looking at houses in Fife | > I live in Glasgow. | I work in Glasgow.
wfh this week, trains are on strike | > I work in the office. | I live in Luton.
maybe fewer emojis? | > Use lots of emojis. | Answer in English.
may have to give up the allotment | > I have an allotment. | I grow peas.
considering converting to Islam | > I'm Catholic. | I don't eat pork.
hubby reckons we should get rid of the caravan | > We own a caravan. | We have two dogs.
we might call the baby Iris instead | > We're calling the baby Rose. | I'm due in May.
I could be persuaded to try oysters again | > I can't stand oysters. | I like prawns.
not drinking this month | > I drink wine most nights. | I like cheese.
I think I've outgrown my cat allergy? need to test it | > I'm allergic to cats. | I'm allergic to dust.
dunno if I'll go back to judo after the injury | > I do judo twice a week. | I swim on Sundays.
they're talking about moving our office to Slough | > My office is in Reading. | I live in Reading.
the wedding might be smaller, like 40 people | > We're inviting 100 people to our wedding. | Our wedding is in May.
having a break from instagram | > I post on Instagram every day. | I use WhatsApp.
thinking of learning on a keyboard instead of a real piano | > I'm learning the piano. | I live in a flat.
could be moving my pension to Aviva | > My pension is with Scottish Widows. | My ISA is with Vanguard.
I'm told the deadline may be extended | > The deadline is Friday. | The report is 20 pages.
trying to cut down to one coffee | > I drink four coffees a day. | I like tea.
probably won't go to the gym till February | > I go to the gym on Mondays. | I like tea.
thinking about leaving the union | > I'm a union member. | I'm a teacher.
feel like I'm drifting away from the church | > I go to church every Sunday. | I like choirs.
my knee's bad so no football this season | > I play football on Sundays. | I like rugby.
using a walking stick until my hip heals | > I walk without help. | I'm 70.
想把健身卡退了,还没想好 | > 我办了健身卡。 | 我喜欢看电影。
这两周先住我表哥那儿 | > 我住在天河。 | 我表哥在番禺。
可能要调去夜班组,等通知 | > 我上白班。 | 我们组长姓黄。
感觉自己也没那么喜欢周杰伦了 | > 我最喜欢周杰伦。 | 我会弹吉他。
下周可能把牙医预约改到三点 | > 我牙医预约是周二两点。 | 我有颗智齿。
吃头孢呢,这几天不喝酒 | > 我每晚喝一杯红酒。 | 我住在烟台。
房东说房租可能要涨到三千 | > 我房租两千六。 | 房东是东北人。
在犹豫要不要把长发剪了 | > 我留长发。 | 我皮肤偏黄。
也许该换个语气,别那么正式?我也说不准 | > 跟我说话正式一点。 | 用中文回答。
手机送修了,这几天用旧的小米 | > 我的手机是华为 Mate 60。 | 我有一台平板。
德语好难,有点想放弃 | > 我在学德语。 | 我会法语。
婚礼可能得往后推 | > 我们婚礼定在5月2号。 | 婚纱是租的。
医生让我这周先减到5毫克试试 | > 我每天吃10毫克西酞普兰。 | 我有花粉症。
这个月在戒糖,奶茶先不喝了 | > 我每天一杯奶茶。 | 我喜欢珍珠。
想换回安卓了,再观望一下 | > 我用 iPhone。 | 我有 AirPods。
周会说不定要挪到周四 | > 我们周会在周一。 | 我们组八个人。
项目忙,健身先停一个月 | > 我每周健身三次。 | 我做项目经理。
想退掉合唱团,又有点舍不得 | > 我在合唱团唱女低音。 | 我会钢琴。
"""

STANDING_BESIDE = """
my sister's thinking of quitting her job | I work at a bank. | I have a sister.
might watch a film tonight | I love horror films. | I watch TV in bed.
I'm thinking of getting a new lamp | I have a cat. | I live in Ely.
we might go to Rome in May | I live in Oslo. | I love Italy.
my mate sold his car | I drive a Golf. | I have a garage.
I've finished my homework | I'm studying law. | I like reading.
cancelled the dinner tonight | I like Thai food. | I have dinner at seven.
I lost my umbrella on the train | I take the train to work. | I own two umbrellas.
had the car serviced, 200 quid | I drive a Golf. | My car insurance is 400 a year.
may I ask something about Python | I use Python at work. | I have a cat.
my neighbour's moving to Leeds in June | I live in Leeds. | I have nice neighbours.
I left my bike at work | I cycle to work. | I have a bike.
I also do judo on Mondays | I do yoga on Mondays. | I'm 34.
not sure what to cook tonight | I love cooking. | I'm vegan.
until 2015 I lived in Kiel | I live in Bremen. | I'm German.
the train was late again today | I take the train to work. | I live in Slough.
I might be late for the meeting today | I have a meeting on Mondays. | I work at IBM.
my flight's at 6 | My train is at 8. | I live in Bonn.
probably need new tyres | I drive a Golf. | I live in Bonn.
finished the marathon in four hours | I run marathons. | I'm training for a triathlon.
my parents sold their house | I own a house. | My parents live in Spain.
we ran out of milk | I drink milk every day. | I'm lactose tolerant.
I gave my sister my old laptop | I have a laptop. | My sister lives in Ulm.
my new colleague is called Dan | My manager is called Rob. | I work at IBM.
seeing the physio on Friday about my back | I have a bad back. | I do yoga on Fridays.
dropped the kids at school | I have two kids. | My kids go to school in Leith.
I had my eyes tested | I wear glasses. | I'm short-sighted.
sister's wedding moved to June | My wedding is in May. | I have a sister.
the wifi's down again | My wifi password is abc. | I work from home.
booked a table for 8 on Friday | I do yoga on Fridays. | I eat at 7.
I turned off the heating, it's warm | I have a gas boiler. | I live in Cork.
my brother-in-law's a vegan | I eat meat. | I have a brother-in-law.
got a second phone for work | My phone is a Pixel. | I work at BT.
bought a caravan too | I own a campervan. | I have two dogs.
watched the match with Sam | I live with Sam. | I support Leeds.
my old flat was in Hackney | I live in Leyton. | I rent.
mum's learning Spanish | I'm learning German. | My mum lives in Bath.
we had chicken last night | I don't eat beef. | I like chicken.
planning a birthday party for Zara | My daughter Zara is 8. | My son is 5.
I've got a cold | I have asthma. | I'm allergic to cats.
the cat's been to the vet | I have a cat called Bo. | I have a dog.
working late tonight | I work 9 to 5. | I work at BT.
Sam's off to Spain for a week | I live with Sam. | I like Spain.
I was vegan for two years at uni | I eat meat. | I studied at Leeds.
thinking about getting a tattoo of a fox | I have a tattoo of a swallow. | I like foxes.
might do a half marathon in the spring | I run twice a week. | I swim.
my sister's changed jobs | I work at BT. | My sister lives in Hull.
I get on well with my new boss | My boss is called Tim. | I work at BT.
sometimes I take my tea black | I like tea. | I drink coffee in the morning.
for work stuff, use formal English | Be casual with me. | Answer in English.
lost two kilos at my last job, stress | I weigh 70 kg. | I work at BT.
my sister might apply for a job at Aviva | I work at Aviva. | I have a sister.
sold some old books | I like books. | I have a library card.
left the party early | I'm in the Labour party. | I like parties.
I ended up at the pub | I don't drink. | I live in Hull.
went to see a house in Fife with my sister | I live in Glasgow. | I have a sister.
the bus was cancelled today | I take the bus to work. | I work at nine.
finished the report on Friday | I write reports at work. | I like Fridays.
thinking of you | I have a girlfriend. | I like films.
could you explain how mortgages work | I have a mortgage. | I live in Hull.
maybe we can play chess later | I play chess. | I like games.
I stopped at the shop on the way home | I work in a shop. | I walk home.
my mum stopped smoking | I smoke. | My mum lives in Hull.
I got a new helmet | I cycle to work. | I have an old bike.
switched off at nine, knackered | I go to bed at ten. | I work long hours.
we tried the new Thai place | I like Thai food. | I eat out on Fridays.
had a day off yesterday | I work five days a week. | I'm a nurse.
my flatmate broke up with his girlfriend | I have a girlfriend. | I live with a flatmate.
put the kids to bed | I have two kids. | I go to bed at ten.
我姐想辞职 | 我在银行上班。 | 我有个姐姐。
今晚可能看个电影 | 我喜欢恐怖片。 | 我有投影仪。
五月也许去趟罗马 | 我住在上海。 | 我喜欢意大利。
朋友把车卖了 | 我开高尔夫。 | 我有车位。
作业写完了 | 我在读法律。 | 我喜欢看书。
晚饭取消了,今天不去了 | 我喜欢泰国菜。 | 我七点吃晚饭。
伞落在地铁上了 | 我坐地铁上班。 | 我有两把伞。
车刚做了保养,八百 | 我开高尔夫。 | 车险一年四千。
楼下超市关门了 | 我住在建设路。 | 我在超市上班。
我周一还练散打 | 我周一练瑜伽。 | 我34岁。
不知道今晚做什么菜 | 我喜欢做饭。 | 我吃素。
2015年之前我在长春 | 我住在大连。 | 我是东北人。
今天地铁又晚点了 | 我坐地铁上班。 | 我住在昌平。
待会儿开会可能迟到 | 我们周一开会。 | 我在微软上班。
我爸妈把房子卖了 | 我有房子。 | 我爸妈在三亚。
牛奶喝完了 | 我每天喝牛奶。 | 我不吃鸡蛋。
旧电脑给我妹了 | 我有台笔记本电脑。 | 我妹在读高中。
新来的同事叫小丁 | 我的主管叫老罗。 | 我在微软上班。
周五去看腰 | 我腰不好。 | 我周五练瑜伽。
把孩子送到学校了 | 我有两个孩子。 | 孩子在实验小学。
我妹的婚礼改到六月了 | 我的婚礼在五月。 | 我有个妹妹。
wifi 又断了 | 我家 wifi 密码是 abc。 | 我在家办公。
看完了三体,太好看了 | 我喜欢科幻。 | 我喜欢刘慈欣。
跑完全马了,四小时 | 我喜欢跑步。 | 我在练铁三。
昨天把头发染了一下 | 我是短发。 | 我用无硅油洗发水。
"""
"""What is said | what is remembered, ">" before what it concerns."""


def _outcome(case: str) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    said, *held = case.split(" | ")
    remembered = [Statement(text.removeprefix("> "), "fact") for text in held]
    resolution = resolve(Statement(said, "fact"), remembered)
    return resolution.outcome, resolution.of, tuple(at for at, text in enumerate(held) if text.startswith("> "))


@each("case", REPLACING.strip().splitlines())
def test_an_ending_or_another_value_replaces_whatever_it_is_about(case: str) -> None:
    outcome, of, concerned = _outcome(case)

    assert (outcome, of) == ("replaces", concerned)


@each("case", DISPUTING.strip().splitlines())
def test_a_maybe_or_a_while_leaves_it_to_its_person(case: str) -> None:
    outcome, of, concerned = _outcome(case)

    assert (outcome, of) == ("disputes", concerned)


@each("case", STANDING_BESIDE.strip().splitlines())
def test_a_passing_mention_touches_nothing(case: str) -> None:
    outcome, of, _ = _outcome(case)

    assert (outcome, of) == ("new", ())
