"""What is said stands beside what is remembered: other people, other times, other things, other places to say it."""

from __future__ import annotations

from shared.models.relations import Statement, resolve
from tests.support.tables import each

STANDING_BESIDE = """
我二十几岁的时候抽过烟。 | 我不抽烟。 | 我每周跑两次步。
上班的时候我用英语。 | 回答请用法语。
我哥上个月搬到慕尼黑了。 | 我有个哥哥。 | 我住在格拉茨。
我有三个侄子。 | 我有一个弟弟。 | 我没有孩子。
我偏头痛一个月发作好几次。 | 我有哮喘。
我住在福州仓山区。 | 我老家是江西的。 | 我住在福建。
我最近在学韩语。 | 我会说一点荷兰语。
我在千岛湖边上有个小木屋。 | 我有两个孩子。 | 我住在杭州的公寓里。
我以前住在阿伯丁。 | 我在博物馆上班。 | 我住在波尔图。
要是能住在里斯本就好了。 | 我住在曼彻斯特。
我儿子对鸡蛋过敏。 | 我有个儿子。 | 我对花生过敏。
我拒了一家公司的 offer。 | 我在青禾科技上班。
我对猫不过敏。 | 我对狗过敏。 | 我养了条金鱼。
公司还给我配了台 MacBook。 | 我自己的笔记本是 ThinkPad。
我家老二周五出生了,叫小石头。 | 我有个女儿叫米娅。
我很喜欢犯罪片。 | 我不喜欢恐怖片。
I once studied drums. | I play the guitar. | I'm in a band.
My oven recipes can be in Fahrenheit. | I live in Leeds. | Use Celsius.
My dad sold his car. | I drive to work. | I have a white sedan.
I've also got a bit of a bad neck. | I carry an inhaler. | I have asthma.
My phone is an Apple. | I don't eat durian. | I like apples.
I spent five years at Wanbang before. | I'm an accountant. | I work at Greenleaf Tech.
My wife doesn't work at Barclays anymore. | My wife is from Leeds. | I work at Barclays.
Back at uni I smoked a bit. | I don't smoke. | I run twice a week.
For work emails I use English. | I work at a foreign company. | I like chatting in Chinese.
I quite like oolong too. | I don't like cola. | I like coffee.
Our old family dog died when I was little. | I grew up on a farm. | I have a dog called Max.
I'm in Lisbon on a business trip this week. | I like seafood. | I live in Dublin.
For frontend I use WebStorm. | For Python I use PyCharm. | I'm a backend developer.
I don't drink coffee after three in the afternoon. | I take my americano without sugar. | I drink coffee every morning.
My husband stopped smoking last year. | I smoke. | I'm married.
My budget for the Yunnan trip is 5000. | My budget for a computer is 8000.
My boyfriend eats meat. | I live with my boyfriend. | I'm vegetarian.
My cousin has two children. | I don't have children. | I'm an only child.
My dad is allergic to penicillin. | I'm allergic to penicillin.
I had a latte at the airport. | I don't like milk.
I also have a cat. | I have a dog. | I live in Gent.
My mum moved to Leeds. | I live in York.
I prefer window seats on trains. | I prefer aisle seats on planes.
Use German when we talk about recipes. | Reply in English.
Keep code examples short. | Give me detailed answers.
My cat is called Sam. | Call me Alex.
I run with my brother on Sundays. | I run twice a week.
My sister has two kids. | I have one child.
We spent our holiday in Spain. | I live in Utrecht.
I was born in Spain. | I live in Utrecht.
I'd love to visit Japan some day. | I've never been to Japan.
My son broke his arm. | I broke my leg.
My car is blue. | My favourite colour is green.
I rented a car for the weekend. | I don't have a car.
My best friend's name is Petra. | My manager's name is Odile.
I don't drink when I'm driving. | I drink wine with dinner.
My wife loves jazz. | I hate jazz.
I like jazz and blues. | I like rock.
I wish I could play the piano. | I can't play any instrument.
I want to learn Italian. | I speak Spanish.
My daughter is vegan now. | I'm vegetarian.
I also use Firefox. | I use Chrome.
我爸对青霉素过敏。 | 我对青霉素过敏。
我在机场喝了杯拿铁。 | 我不喜欢牛奶。
我还养了一只猫。 | 我养了一条狗。
我妈搬到杭州了。 | 我住在绍兴。
聊菜谱的时候用德语。 | 用英语回复我。
代码示例短一点就行。 | 回答详细一点。
我的猫叫阿山。 | 叫我小雨。
我姐有两个孩子。 | 我有一个孩子。
我们去西班牙度假了。 | 我住在苏州。
我在西班牙出生。 | 我住在苏州。
我周末租了辆车。 | 我没有车。
我开车的时候不喝酒。 | 我晚饭时喝点红酒。
我老婆喜欢爵士乐。 | 我讨厌爵士乐。
我想学意大利语。 | 我会说西班牙语。
我公司从杭州搬到成都了。 | 我住在杭州。
我老公转行做产品经理了。 | 我是程序员。
我买的预算是税后的。 | 我的预算是五千。
我侄女上小学了。 | 我女儿上幼儿园。
周末我睡到十点才起。 | 我每天六点起床。
I don't eat beef burgers at that place. | I love burgers.
I had sushi yesterday. | I don't like fish.
I left my keys at Orbit. | I work at Orbit GmbH.
My flatmate left Orbit. | I work at Orbit GmbH.
I have an interview at Nova Labs. | I work at Orbit GmbH.
I give guitar lessons on the side. | I'm an accountant.
I became an uncle last week. | I have no children.
My mother has migraines. | I don't have migraines.
In letters to my gran write British English. | Write in American English.
The meeting with Tom is on Wednesday. | The meeting with Lena is on Monday.
My sister pays 950 euros rent. | My rent is 900 euros.
Jo's parents split up. | I'm in a relationship with Jo.
I grew up in Gouda. | I live in Delft.
I want to be buried in Gouda. | I live in Delft.
I work in Gouda. | I live in Delft.
My parents still live in Gouda. | I live in Delft.
My sister is 13. | My brother is 12. | I'm 17.
I'm allergic to shellfish. | I don't like fish.
My son is into horror films. | I hate horror films.
I had to switch trains. | I take the train to work.
My neighbour sold his boat. | I own a boat.
我室友从奥比离职了。 | 我在奥比上班。
我下周去新星面试。 | 我在奥比上班。
我当舅舅了。 | 我没有孩子。
我在大兴上班。 | 我住在海淀。
我爸妈还住在大兴。 | 我住在海淀。
我儿子迷上恐怖片了。 | 我讨厌恐怖片。
我老公的鞋码是43。 | 我的鞋码是42。
我选修了法语。 | 我学的是经济学。
We rented a cabin for Easter. | I live in a flat in Leith.
I have a dog and she's lovely. | I have a cat.
My brother moved out last week. | I live with my parents.
With clients please be formal. | Be casual with me.
My oven is in Fahrenheit. | Use metric units.
My husband isn't vegetarian. | I'm a vegetarian.
I cook vegetarian for my kids. | I eat meat.
Juno is five now. | I have a dog called Juno.
My office moved to Leith. | I live in Perth.
My wife turned 40. | I'm 39.
I lost my umbrella. | I like umbrellas.
I'm off sick this week. | I work 9 to 5.
I worked late yesterday. | I work 9 to 5.
I came by train today. | I cycle to work.
I understand Dutch a bit. | I speak German.
My sister calls me Kitty. | Call me Kat.
My wife's laptop runs Fedora. | My laptop runs Ubuntu.
We're invited to a wedding in October. | Our wedding is in June.
给客户的邮件要正式。 | 跟我说话随意点。
我老公不吃素。 | 我吃素。
豆豆今年五岁了。 | 我养了一只狗叫豆豆。
我老婆40了。 | 我39岁。
我昨天加班到很晚。 | 我朝九晚五。
我今天坐火车来的。 | 我骑车上班。
我妈不用微信了。 | 我用微信。
My neighbour's puppy is called Pepper. | Our puppy is called Salt.
I'm from Bilbao originally. | I live in Madrid.
I'm visiting my sister in Vigo this weekend. | I live in Bilbao.
My girlfriend works nights. | I work days.
I sometimes help out in my uncle's shop. | I'm a student.
My brother studies medicine. | I'm studying law.
My parents are getting divorced. | I'm married.
Rufus is a labrador. | I have a dog called Rufus.
I like motorbikes. | I have a car.
I drank a lot as a student. | I don't drink alcohol.
I love olive oil. | I hate olives.
No bullet points in emails. | Keep answers short.
Explain maths in Dutch. | Please reply in English.
I joined a chess club too. | I'm in a book club.
My sister had a baby. | I'm pregnant.
邻居家的狗叫胡椒。 | 我家小狗叫盐盐。
我祖籍是绍兴。 | 我住在上海。
这周末我去大连看我姐。 | 我住在沈阳。
我女朋友上夜班。 | 我上白班。
我爸妈要离婚了。 | 我已婚。
旺财是拉布拉多。 | 我养了一条狗叫旺财。
我上学那会儿常喝酒。 | 我不喝酒。
讲数学的时候用荷兰语。 | 请用英语回复。
我还加入了象棋社。 | 我在读书会。
我姐生了。 | 我怀孕了。
My band played in Ghent yesterday. | I live in Antwerp.
My niece turned six. | My daughter is five.
My son is afraid of dogs. | I'm not afraid of dogs.
I take the bus when it rains. | I cycle to work.
Give prices in dollars for US shops. | Give prices in euros.
At night I use dark mode. | I prefer light mode.
I work from home on Fridays. | I work five days a week.
I spent last winter in Malaga. | I live in Leeds.
I was offered a flat in Leeds but said no. | I live in York.
我儿子怕狗。 | 我不怕狗。
下雨天我坐公交。 | 我骑车上班。
晚上我用深色模式。 | 我喜欢浅色模式。
去年冬天我在三亚过的。 | 我住在哈尔滨。
我弟在杭州买房了。 | 我在杭州租房。
我们组长叫老孟。 | 我是实习生。
My mother takes lisinopril. | I take 10 mg of lisinopril.
My brother can't swim. | I can swim.
My cousin goes by Jules. | Call me Julia.
I live on the fifth floor. | I live in Ghent.
I was in Ghent for a conference. | I live in Liège.
I'm married to a nurse. | I'm a teacher.
My sister got fired yesterday. | I work at Larch Bakery.
On Sundays I sleep until nine. | I get up at seven.
I ran a marathon in 2019. | I don't run.
I drink my tea black. | I drink my coffee with milk.
My parents have three cats. | We have two cats.
For medical questions cite sources. | Keep answers short.
Write the tests in Go. | Write code examples in Python.
The draft is due 3 June. | The deadline for the grant is 20 May.
我妈吃氨氯地平。 | 我每天吃10毫克氨氯地平。
我弟不会游泳。 | 我会游泳。
我嫁给了一个护士。 | 我是老师。
我姐昨天被裁了。 | 我在面包店上班。
周日我睡到九点。 | 我七点起床。
我爸妈有三只猫。 | 我们有两只猫。
测试用 Go 写。 | 代码示例用 Python。
"""
"""What is said | what is remembered, ">" before what it concerns."""


@each("case", STANDING_BESIDE.strip().splitlines())
def test_what_contradicts_nothing_replaces_nothing(case: str) -> None:
    said, *held = case.split(" | ")
    concerned = tuple(index for index, text in enumerate(held) if text.startswith("> "))
    remembered = [Statement(text.removeprefix("> "), "fact") for text in held]

    resolution = resolve(Statement(said, "fact"), remembered)

    assert (resolution.outcome, resolution.of) == ("new", concerned)
