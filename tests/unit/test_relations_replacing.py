"""What is said takes the place of what is remembered: ended, moved, counted anew, corrected."""

from __future__ import annotations

from shared.models.relations import Statement, resolve
from tests.support.tables import each

REPLACING = """
我大三退学了。 | > 我在武大读化学。 | 我会弹吉他。
我换成 Neovim 了,VS Code 已经卸了。 | > 我用 VS Code 写代码。 | 我主要写 Rust。
我又开始吃鱼了。 | > 我不吃鱼。 | 我不吃羊肉。
橄榄我现在挺爱吃的,以前是真不行。 | > 我讨厌橄榄。 | 我讨厌凤尾鱼。
昨晚我生了个儿子。 | 我老公叫林涛。 | > 我怀孕38周了。
烟和酒我都戒了。 | 我住在青岛。 | > 我抽烟。 | > 我周末喝点酒。
我把三星换成了 Pixel 9。 | 我有个平板画画用。 | > 我的手机是三星 S21。
我终于从爸妈家搬出来了。 | 我在西安工作。 | > 我跟爸妈一起住。
我现在的时区是东部时间。 | > 我的时区是太平洋时间。
这周我升大三了。 | 我室友读大一。 | > 我读大二。
自行车的预算可以加到九百欧。 | > 买自行车我预算600欧元。 | 头盔预算80欧。
我住在奥斯陆。 | 我哥住在卑尔根。 | > 我住在斯德哥尔摩。
健身房我不去了,太贵。 | 我周五打羽毛球。 | > 我每周去三次健身房。
我有女朋友了! | > 我单身。 | 我27岁。
我已经不在青禾科技了。 | > 我在青禾科技上班。
我三月份搬到了合肥。 | > 我住在南京。 | 我姐住在南京。
咖啡我不喝了,只喝茶。 | 我喜欢绿茶。 | > 我每天早上喝咖啡。
我现在骑车上班,不坐火车了。 | > 我坐火车上班。
去年秋天起我又吃肉了。 | 我不吃蘑菇。 | > 我是素食者。
以后用英制吧,英尺和磅。 | > 用公制单位。
I found a job, started on Monday. | I used to work in trade. | > I'm unemployed at the moment.
I turned 29 yesterday. | My brother is 25. | > I'm 28.
Sorry, my mistake, my birthday is May 3. | My wife's birthday is September 1. | > My birthday is March 5. | I snore.
It's been half a year since I quit smoking. | My dad smokes. | I wear glasses. | > I smoke half a pack a day.
I've stopped using Sublime, I code in VS Code now. | > I code in Sublime. | I mostly write Go.
I'm not vegetarian anymore. | I don't eat mushrooms. | I like Lego. | > I'm vegetarian.
I bought a flat so no more renting. | I have a mountain bike. | > I rent a place in Lyon.
I got divorced at the end of last year. | I live in Leeds. | > I'm married. | I have a son.
I've moved to the day shift, no more nights. | > I work nights. | I'm a nurse in A&E.
Our second was born last week, we have two kids now. | I live with my mother-in-law. | > I have one child.
You don't have to call me sir, just use my first name Tom. | > Address me as sir.
I gave up on Japanese. | > I'm learning Japanese. | I speak Korean.
I moved back to Galway. | I can knit scarves. | I used to live in Galway. | > I live in Dublin.
My home computer runs Ubuntu now, Windows is gone. | My work laptop is a MacBook. | > My home computer runs Windows.
I've given up coffee and drink tea instead. | I like yogurt. | > I drink a cup of coffee every morning.
I ride an e-bike to work now, no more subway. | > I take the subway to work. | The office is near the last stop.
I passed my driving test last week! | We don't have a car. | > I can't drive.
I've raised my phone budget to 4500. | My headphone budget is 500. | > My phone budget is 3000.
I've got a new manager, her name is Greta. | > My manager is called Fiona. | Our CEO is called Joe.
I'm down to 74 kg. | I'm 175 cm tall. | > I weigh 82 kg.
I outgrew my peanut allergy, the doctor says I can eat them now. | > I'm allergic to peanuts. | I'm allergic to cats.
The allergist confirmed I'm not allergic to penicillin after all. | > I'm allergic to penicillin. | I have asthma.
I got promoted to senior analyst. | > I'm a junior analyst. | I live in Ghent.
I work part-time now. | > I work full-time. | I'm a librarian.
I've switched to decaf completely, no regular coffee any more. | > I drink regular coffee every day.
I changed my phone, it's an iPhone now. | I have a Kindle. | > My phone is an Android.
We broke up last weekend. | > I have a boyfriend. | I live alone.
We got married in June! | > I'm engaged to Tom. | I live with Tom.
I'm engaged! | > I'm single. | I like hiking.
We got a cat. | > I don't have any pets.
I've had to put my old dog down. | > I have a dog. | I have two cats.
Sadly, Milo passed away last month. | > I have a cat named Milo. | I have a dog named Otis.
My mum moved to Leeds. | > My mum lives in York. | I live in York.
My brother isn't at Siemens anymore. | > My brother works at Siemens. | I work at Siemens.
I prefer coffee to tea these days. | > I prefer tea to coffee.
I now prefer window seats. | > I prefer aisle seats.
Please answer in German from now on. | > Answer me in English. | Keep it short.
You can use emojis again. | > Don't use emojis.
Emojis are fine now. | > No emojis please.
Stop using bullet points. | > Use bullet points.
Please give me detailed answers from now on. | > Keep answers short.
Call me Sam instead. | > Call me Samuel.
My new address is in Ghent. | > I live in Bruges.
I go by Lex these days, not Alexander. | > Call me Alexander.
I'm taking 100 mg of sertraline now. | I have a cat. | > I take 50 mg of sertraline.
I'm off sertraline for good. | > I take 50 mg of sertraline.
I run every day now. | > I run twice a week.
My sister had her second baby, so she has two kids now. | > My sister has one child. | I have one child.
My exam has been moved to 14 May. | > My exam is on 7 May.
The dentist appointment is on Friday now, not Thursday. | > My dentist appointment is on Thursday.
I finished my degree, so no more studying. | > I'm studying biology. | I live in Delft.
I graduated in July! | > I'm a student at Leiden. | I like rowing.
I retired in March. | > I work at the post office. | I have two grandchildren.
I finally visited Japan last month! | > I've never been to Japan.
I can swim now, took lessons all summer. | > I can't swim.
I don't wear glasses any more, had my eyes lasered. | > I wear glasses.
My leg has healed, no more crutches. | > I have a broken leg. | > I use crutches.
My favourite colour is blue now. | > My favourite colour is green.
I sold my car. | > I have a car. | I have a bike.
I no longer have a car. | I drive a Golf to work. | > I own a car.
I start work at nine now. | > I start work at eight.
My manager is Petra now. | > My manager's name is Odile. | My sister is called Petra.
I've cut down to one cup of coffee a day. | > I drink four cups of coffee a day.
Turns out I love mushrooms. | I like cheese. | > I hate mushrooms.
I don't like jazz anymore. | > I love jazz.
I've gone off jazz, can't listen to it anymore. | > I love jazz.
We've moved, my postcode is now 3511. | > My postcode is 1012.
I live alone now. | > I live with two flatmates.
I moved in with my girlfriend. | > I live alone.
I lost weight, I'm 68 kg now. | > I weigh 75 kg.
I'm vegan now. | > I'm vegetarian.
I started eating fish, so I'm pescatarian now. | > I'm vegetarian.
My PhD is finished. | > I'm doing a PhD in physics. | I live in Delft.
The wifi password changed to bluefish22. | > The wifi password is redfish11.
I switched from Spotify to Tidal. | > I use Spotify.
I use Firefox instead of Chrome now. | > I use Chrome.
我花生不过敏了,医生说现在能吃了。 | > 我对花生过敏。 | 我对猫毛过敏。
复查结果出来了,我对青霉素其实不过敏。 | > 我对青霉素过敏。 | 我有哮喘。
我升职了,现在是高级经理。 | > 我是项目经理。 | 我住在无锡。
我现在改做兼职了。 | > 我是全职上班。 | 我在图书馆工作。
我换手机了,现在用 iPhone。 | 我有个 Kindle。 | > 我的手机是安卓的。
我们上周末分手了。 | > 我有男朋友。 | 我一个人住。
我们六月领证了! | > 我订婚了。 | 我跟小马住一起。
我脱单啦! | > 我单身。 | 我喜欢爬山。
我养了一只猫。 | > 我没有宠物。
我家狗上个月走了。 | > 我养了一条狗。 | 我有两只猫。
豆包上个月去世了。 | > 我养了一只猫叫豆包。 | 我养了一只狗叫旺财。
我妈搬到杭州了。 | > 我妈住在绍兴。 | 我住在绍兴。
我哥已经从华为离职了。 | > 我哥在华为上班。 | 我在华为上班。
我现在更喜欢咖啡,不怎么喝茶了。 | > 比起咖啡我更喜欢茶。
现在我喜欢咖啡胜过茶。 | > 比起咖啡我更喜欢茶。
我现在喜欢靠窗的位置。 | > 坐飞机我喜欢靠过道。
以后请用德语回复我。 | > 用英语回答我。 | 简短一点。
现在可以用表情了。 | > 不要用表情。
以后别用列表了。 | > 请用列表回答。
以后回答详细一点。 | > 回答要简短。
以后叫我小山吧。 | > 叫我阿山。
我现在每天吃100毫克舍曲林。 | 我有只猫。 | > 我每天吃50毫克舍曲林。
舍曲林我已经停了。 | > 我每天吃50毫克舍曲林。
我现在天天跑步。 | > 我每周跑两次步。
考试改到5月14号了。 | > 我5月7号考试。
看牙的时间改到周五了。 | > 我周四要看牙医。
我毕业了! | > 我在读生物。 | 我住在兰州。
我六月份就毕业啦,不是学生了。 | > 我是大学生。 | 我喜欢划船。
我三月份退休了。 | > 我在邮局上班。 | 我有两个孙子。
我上个月终于去了日本! | > 我没去过日本。
我学会游泳了。 | > 我不会游泳。
我做了近视手术,不戴眼镜了。 | > 我戴眼镜。
我腿好了,石膏拆了。 | > 我腿骨折了。 | 我弟手臂骨折了。
我现在最喜欢的颜色是蓝色。 | > 我最喜欢的颜色是绿色。
我把车卖了。 | > 我有一辆车。 | 我有一辆自行车。
我现在九点上班。 | > 我八点上班。
我现在的主管是老周。 | > 我的主管是老吴。 | 我哥叫老周。
我现在一天只喝一杯咖啡。 | > 我一天喝四杯咖啡。
我发现蘑菇其实挺好吃的,现在爱吃了。 | 我喜欢奶酪。 | > 我讨厌蘑菇。
我不喜欢爵士乐了。 | > 我喜欢爵士乐。
我现在一个人住。 | > 我跟两个室友合租。
我跟女朋友同居了。 | > 我一个人住。
我瘦了,现在68公斤。 | > 我体重75公斤。
我现在吃纯素了。 | > 我吃素。
我换工作了,现在在蓝海科技。 | > 我在青禾科技上班。
我跳槽到蓝海科技了。 | > 我在青禾科技上班。
我从杭州搬到成都了。 | > 我住在杭州。
我转行做产品经理了。 | > 我是程序员。
我改用火狐了。 | > 我用 Chrome 浏览器。
wifi 密码改成 bluefish22 了。 | > wifi 密码是 redfish11。
我不跟爸妈住了。 | > 我跟爸妈一起住。
钥匙现在放在门垫下面。 | > 钥匙放在花盆里。
预算提到六千了。 | > 我的预算是五千。
我三十了。 | > 我今年29岁。
我怀孕了。 | > 我在备孕。
我不再备孕了。 | > 我在备孕。
我女儿上小学了。 | > 我女儿上幼儿园。
我早上改成七点起床了。 | > 我每天六点起床。
I've stopped eating beef. | I eat chicken. | > I eat beef twice a week. | I like cooking.
Not single anymore! | > I'm single. | I live in Turin.
I left Orbit in May. | > I work at Orbit GmbH. | I work in Linz.
I start at Nova Labs on Monday, I resigned from Orbit. | > I work at Orbit GmbH.
I've been working at Nova Labs since May. | > I work at Orbit GmbH.
I've become a team lead. | > I'm a junior developer.
I became a father last week. | > I have no children.
Our daughter was born yesterday, so I'm not pregnant any more obviously. | > I'm pregnant. | I like knitting.
I don't have migraines any more since the new meds. | > I get migraines every week. | I have asthma.
My knee is fine again. | > My knee hurts. | I run on Sundays.
I've changed my mind, the walls should be green. | > The walls should be blue.
Use the 24-hour clock. | > Use the 12-hour clock.
Write in American English from now on. | > Write in British English.
Light mode please. | > I prefer dark mode.
I take sugar in my coffee now. | > I drink my coffee without sugar.
The meeting with Lena is on Wednesday instead. | > The meeting with Lena is on Monday.
My landlord raised the rent to 950 euros. | > My rent is 900 euros.
We're back together! | > Jo and I broke up.
Jo and I split up for good. | > I'm in a relationship with Jo.
I've gone back to full-time. | > I work part-time.
My sister is 13 now. | > My sister is 12. | I'm 17.
I cancelled my gym membership. | > I have a gym membership. | I like swimming.
I quit the choir. | > I sing in a choir. | I sing in the shower.
I dropped Spanish, it was too much. | > I'm learning Spanish. | I speak some Spanish.
I passed my B2 exam, so I can speak German now. | > I don't speak German.
Don't remind me about birthdays anymore. | > Remind me about birthdays.
Actually you may use bullet points. | > Don't use bullet points.
My shoe size is 43 now. | > My shoe size is 42.
I'm allergic to shellfish as it turns out. | > I'm not allergic to anything.
I don't like horror films anymore. | > I love horror films. | I love crime films.
I'm into horror films now. | > I hate horror films.
I've switched to tea. | > I drink coffee in the morning.
My train now leaves at 7:40. | > My train leaves at 7:20.
I deleted my Instagram account. | > I have an Instagram account.
I sold the boat. | > I own a boat. | I own a bike.
I quit vaping. | > I vape.
I've started smoking again. | > I don't smoke.
I've started smoking again. | > I quit smoking.
牛肉我已经不吃了。 | 我吃鸡肉。 | > 我每周吃两次牛肉。
我不是单身了。 | > 我单身。
五月份我从奥比离职了。 | > 我在奥比上班。
我五月起在新星科技工作。 | > 我在奥比科技上班。
我当爸爸了! | > 我没有孩子。
吃了新药之后我不偏头痛了。 | > 我每周偏头痛。
我膝盖好了。 | > 我膝盖疼。 | 我周日跑步。
时间请用24小时制。 | > 时间用12小时制。
用繁体字回复我。 | > 请用简体中文。
我现在喝咖啡加糖了。 | > 我喝咖啡不加糖。
跟小李的会改到周三了。 | > 跟小李的会在周一。
房租涨到四千了。 | > 房租三千五。
我们和好了。 | > 我跟小周分手了。
我跟小周彻底分了。 | > 我在跟小周谈恋爱。
我妹13岁了。 | > 我妹12岁。 | 我17岁。
健身卡我退了。 | > 我办了健身卡。
合唱团我退出了。 | > 我在合唱团唱歌。
我又开始抽烟了。 | > 我不抽烟。
我又开始抽烟了。 | > 我戒烟了。
我现在迷上恐怖片了。 | > 我讨厌恐怖片。
以后不用提醒我生日了。 | > 提醒我朋友的生日。
你可以用列表。 | > 不要用列表。
我改喝茶了,咖啡戒了。 | > 我早上喝咖啡。
别叫我王老师了,叫我小王。 | > 叫我王老师。
我的鞋码变成43了。 | > 我的鞋码是42。
我把 Instagram 注销了。 | > 我有 Instagram 账号。
我考上研了,现在读研一。 | > 我读大四。
我从法语专业转到英语专业了。 | > 我学的是法语。
我不加班了。 | > 我每天加班到九点。
我闺女改名叫安安了。 | > 我女儿叫宁宁。
我已经不住校了。 | > 我住学校宿舍。
我们搬到了一楼。 | > 我们住五楼。
I've become a morning person. | I start work at ten. | > I'm a night owl.
I gave up my cabin near Aviemore. | > I own a cabin near Aviemore. | I live in Leith.
I stopped studying chemistry and switched to physics. | I play the cello. | > I'm studying chemistry.
I finished the cello course, I don't play any more. | > I play the cello.
I live with my girlfriend now. | > I live with my parents.
I got a raise, I earn 3500 now. | I live in Ghent. | > I earn 3000 euros a month.
Please be formal with me from now on. | > Be casual with me.
Write numbers with a comma instead of a point. | > Write numbers with a decimal point.
Metric is fine from now on. | > Use imperial units.
I do eat mushrooms now. | > I don't eat mushrooms. | I don't eat beef.
We put Juno up for adoption, she's gone. | > I have a dog called Juno.
I'm not renting the flat in Leith any more, I moved to Perth. | > I live in a flat in Leith.
I've got my own place now. | I live in Cork. | > I live with my parents.
I turned 40! | > I'm 39.
The bins go out on Wednesday now. | > The bins go out on Thursday.
They changed the car park code to 4471. | > The car park code is 9920.
My boss moved to Paris. | > My boss is in London. | I live in London.
My best friend is Dana these days. | > My best friend is called Yusuf.
I bought glasses, my eyes got worse. | > I don't wear glasses.
I wear contacts now instead of glasses. | > I wear glasses.
I dyed my hair red. | > My hair is brown.
I cut my hair short. | > I have long hair.
The book is due on the 27th now. | > The library book is due on the 20th.
I'm in my third trimester now. | > I'm in my second trimester.
I'm 20 weeks pregnant now. | > I'm 12 weeks pregnant.
I'm back at work after maternity leave. | > I'm on maternity leave.
I commute by bike these days. | > I commute by train.
One of the cats died, only one left. | > I have two cats.
I don't speak Dutch anymore, forgot it all. | > I speak Dutch.
I prefer phone calls over email now. | > I prefer email over phone calls.
I no longer like crowds. | > I love crowds.
I reinstalled my laptop with Fedora. | > My laptop runs Ubuntu.
I traded my motorbike for a car. | > I have a motorbike.
We postponed the wedding to October. | > Our wedding is in June.
The trip to Japan is cancelled. | > I'm going to Japan in May.
I took up smoking again, sadly. | > I don't smoke.
我彻底变成早起的人了。 | > 我是夜猫子。
我把千岛湖的小木屋卖了。 | > 我在千岛湖有个小木屋。
我现在跟女朋友住。 | > 我跟爸妈住。
我涨工资了,现在月薪一万二。 | 我住在宁波。 | > 我月薪一万。
以后跟我说话正式一点。 | > 跟我说话随意点。
以后用公制就行。 | > 用英制单位。
豆豆送人了。 | > 我养了一只狗叫豆豆。
我40了! | > 我39岁。
垃圾改成周三收了。 | > 垃圾周四收。
门禁密码改成4471了。 | > 门禁密码是9920。
我老板调去巴黎了。 | > 我老板在伦敦。 | 我住在伦敦。
我开始戴眼镜了。 | > 我不戴眼镜。
我把头发染红了。 | > 我头发是棕色的。
我剪短发了。 | > 我留长发。
我现在怀孕20周了。 | > 我怀孕12周了。
我产假结束回来上班了。 | > 我在休产假。
我现在上班时间是十点到六点。 | > 我九点到五点上班。
我又养了一只,现在有两只猫。 | > 我有一只猫。
我不说荷兰语了,全忘了。 | > 我会说荷兰语。
请叫我全名林小山。 | > 叫我小山。
我现在更喜欢打电话,不喜欢发邮件。 | > 比起打电话我更喜欢发邮件。
我电脑重装成 Fedora 了。 | > 我电脑装的是 Ubuntu。
婚礼推迟到十月了。 | > 我们婚礼在六月。
日本之行取消了。 | > 我五月去日本。
我已经从合唱团退出来了。 | > 我参加了合唱团。
我不是会员了。 | > 我是会员。
我把微信卸载了。 | > 我用微信。
I've stopped taking the pill. | I wear glasses. | > I'm on the pill.
I can eat dairy again. | > I can't eat dairy. | I can't eat nuts.
I've moved in with Hannah. | > I live on my own. | I work in Kiel.
My locker code is 5521 now. | My locker is number 40. | > My locker code is 3310.
I teach French now, not German. | > I teach German. | I live in Basel.
We named the puppy Pepper after all, not Salt. | > Our puppy is called Salt.
I am living in Madrid now. | > I live in Bilbao. | I come from Vigo.
I've taken a job at Corvus Foods, I start Monday. | > I work at Larch Bakery. | I live in Hull.
I'm an apprentice no more, I'm a fully qualified electrician now. | > I'm an apprentice electrician.
I don't work nights any more. | > I work nights. | I'm a porter at a hospital.
I'm not a student anymore. | > I'm a student. | I live in Lund.
I changed from law to medicine. | > I'm studying law. | I study in Lund.
I failed and had to leave the law course. | I play tennis. | > I'm studying law.
I've put on weight, 79 kilos now. | > I weigh 74 kg. | I'm 180 cm tall.
My wife and I separated for good and are divorced now. | > I'm married.
My girlfriend and I got engaged. | > I have a girlfriend.
My dog Rufus had to be put to sleep. | > I have a dog called Rufus. | I have a cat called Misty.
I sold my motorbike. | > I have a motorbike. | I have a scooter.
I go to the gym every day now. | > I go to the gym twice a week.
I never drink alcohol now. | > I drink wine at weekends.
I hate olives now, weirdly. | > I love olives.
Bullet points from now on please. | > No bullet points.
Reply in Dutch from now on. | > Please reply in English.
My timezone changed to CET. | > My timezone is UTC.
Book club is on Mondays now. | > Book club is on Thursdays.
I left the book club. | > I'm in a book club. | I'm in a choir.
I gave the piano away. | > I have a piano.
I've got the hang of it, I can ride a bike now. | > I can't ride a bike.
I'm right-handed, sorry, typo. | > I'm left-handed.
My sister had a baby boy. | > My sister is pregnant. | I'm pregnant.
I'm not pregnant after all. | > I'm pregnant.
我停掉避孕药了。 | 我戴眼镜。 | > 我在吃避孕药。
我又能喝牛奶了。 | > 我不能喝牛奶。 | 我不能吃坚果。
储物柜密码改成5521了。 | 我的储物柜是40号。 | > 储物柜密码是3310。
我现在教法语,不教德语了。 | > 我教德语。 | 我住在杭州。
小狗最后取名叫胡椒,不叫盐盐了。 | > 我家小狗叫盐盐。
我下个月不干了,已经辞职了。 | > 我在青禾科技上班。
我不上夜班了。 | > 我上夜班。 | 我是保安。
我不是学生了。 | > 我是学生。
我胖到79公斤了。 | > 我体重74公斤。
我和女朋友订婚了。 | > 我有女朋友。
我把摩托车卖了。 | > 我有一辆摩托车。
我现在每天都去健身房。 | > 我每周去两次健身房。
现在我讨厌橄榄了。 | > 我喜欢吃橄榄。
以后请分点回答。 | > 不要分点。
以后用荷兰语回我。 | > 请用英语回复。
旅行预算涨到两万了。 | > 我旅行的预算是一万五。 | 我买自行车的预算是六千。
读书会改到周一了。 | > 读书会在周四。
我退出读书会了。 | > 我参加了读书会。 | 我在合唱团。
我会骑自行车了。 | > 我不会骑自行车。
我是右撇子,刚才打错了。 | > 我是左撇子。
我换了电动车,不开油车了。 | > 我开油车。
我老家是绍兴,不是宁波,刚才说错了。 | > 我老家是宁波。
I go by Ms Alder now, not Mrs Finch. | > Call me Mrs Finch.
I finally quit the band. | > I play drums in a band. | I teach piano.
Dad retired in June. | > My dad is a bus driver. | I'm a bus driver.
My daughter started school in September. | > My daughter goes to kindergarten.
My daughter turned six. | > My daughter is five.
My grandmother passed away in May. | > My grandmother lives in Lund. | My grandfather lives in Lund.
I'm not afraid of dogs anymore. | > I'm afraid of dogs.
I don't have asthma after all, it was an allergy. | > I have asthma.
I take the bus now. | > I walk to work. | My office is downtown.
We switched to a vegetarian diet. | > We eat meat every day.
I stopped being vegetarian. | > I'm a vegetarian.
I no longer need captions, thanks. | > I need captions on videos.
Please no more jokes. | > Please be funny, I like jokes.
Give prices in euros. | > Give prices in dollars.
My parents moved to Spain. | > My parents live in Leeds. | I live in Leeds.
I took my braces out, all done. | > I wear braces.
I've moved desks, I'm on the third floor now. | > My desk is on the second floor.
I dropped yoga for pilates. | > I do yoga twice a week.
我改名叫林悦了,以前叫林月。 | > 我叫林月。
我爸六月退休了。 | > 我爸是公交司机。 | 我是公交司机。
我女儿九月上小学了。 | > 我女儿在上幼儿园。
我女儿六岁了。 | > 我女儿五岁。
我奶奶五月去世了。 | > 我奶奶住在洛阳。
我不怕狗了。 | > 我怕狗。
医生说我不是哮喘,是过敏。 | > 我有哮喘。
我现在坐公交上班。 | > 我走路上班。
以后价格用欧元。 | > 价格用美元。
别开玩笑了,正经点回答。 | > 回答幽默一点。
说话通俗一点。 | > 可以用专业术语。
我现在一周只上四天班。 | > 我一周上五天班。
我爸妈搬到海南了。 | > 我爸妈住在哈尔滨。 | 我住在哈尔滨。
瑜伽课从周二改到周三了。 | > 我的瑜伽课在周二。
我不练瑜伽了,改练普拉提。 | > 我每周练两次瑜伽。
我牙套摘了。 | > 我戴牙套。
我又单身了。 | > 我有男朋友。
我已经有对象了。 | > 我单身。
我跟老公离了。 | > 我结婚了。
我现在用小米,不用苹果手机了。 | > 我用 iPhone。
我在杭州买房了,不租了。 | > 我在杭州租房。
我把头发剪短了。 | > 我是长头发。
我现在是组长了。 | > 我是实习生。
我吃辣了,现在无辣不欢。 | > 我不吃辣。
别叫我全名,叫我阿澄。 | > 叫我全名。
Actually I'm 33, I always get it wrong. | I like rum cake. | > I'm 32.
I started wearing hearing aids. | > I don't wear hearing aids.
My doctor took me off metformin. | > I take metformin. | I take ibuprofen sometimes.
They doubled my dose, it's 20 mg of lisinopril now. | > I take 10 mg of lisinopril.
I've finally learnt to swim! | I like the sea. | > I can't swim.
I no longer go by Jules. | > Call me Jules.
I moved from the third to the fifth floor. | I live in Ghent. | > I live on the third floor.
I moved in with my brother in Liège. | > I live in Ghent.
The lease is up, so we've left Ghent for good and live in Liège. | > I live in Ghent.
I don't teach anymore, I write full time. | > I teach at a primary school.
I'm self-employed now. | > I work at Larch Bakery.
I started my own business. | > I'm unemployed.
I got fired yesterday. | > I work at Larch Bakery. | I live in Hull.
I do the late shift now. | > I do the early shift.
I get up at five thirty now. | > I get up at seven.
I go to bed at midnight these days. | > I go to bed at ten.
I run 20 km a week now. | I swim on Mondays. | > I run 10 km a week.
I gave up running. | > I run 10 km a week. | I swim on Mondays.
I don't like my job anymore. | > I love my job.
I love my job now. | > I hate my job.
I've gone off coffee. | > I love coffee. | I love tea.
We have three cats now. | > We have two cats. | We have a dog.
I sold my house and rent now. | > I own a house.
I bought the flat I was renting. | > I rent my flat.
My loan is paid off. | > I have a student loan.
My budget is only 700 now. | > My budget is 900 euros.
You can drop the disclaimers. | > Always add disclaimers.
No need to cite sources anymore. | > Always cite your sources.
Set my reminders for Monday instead of Friday. | > Set my reminders for Friday.
My standing meeting with Ola is at 3 now. | > My standing meeting with Ola is at 2.
The deadline moved to 3 June. | > The deadline is 20 May.
My new number plate is KL 44. | > My number plate is KL 12.
Our wifi is called Otter now. | > Our wifi is called Badger.
我其实33岁,刚才说错了。 | > 我32岁。
医生让我停了二甲双胍。 | > 我在吃二甲双胍。 | 我偶尔吃布洛芬。
我终于学会游泳啦! | 我喜欢大海。 | > 我不会游泳。
我从三楼搬到五楼了。 | 我住在绍兴。 | > 我住三楼。
我不教书了,现在全职写作。 | > 我在小学教书。
我现在自己创业。 | > 我在面包店上班。
我昨天被裁了。 | > 我在面包店上班。 | 我住在徐州。
我现在上晚班。 | > 我上早班。
我现在五点半起床。 | > 我七点起床。
我现在每周跑20公里。 | 我周一游泳。 | > 我每周跑10公里。
我不跑步了。 | > 我每周跑10公里。 | 我周一游泳。
我不喜欢我的工作了。 | > 我很喜欢我的工作。
我们现在有三只猫。 | > 我们有两只猫。 | 我们有一条狗。
我把房子卖了,现在租房。 | > 我有自己的房子。
以后不用列出处了。 | > 回答要列出处。
跟小欧的例会改到三点。 | > 跟小欧的例会是两点。
截止日期改到6月3号了。 | > 截止日期是5月20号。
车牌换成浙B44了。 | > 车牌是浙A12。
"""
"""What is said | what is remembered, ">" before what it concerns."""


@each("case", REPLACING.strip().splitlines())
def test_what_no_longer_holds_is_replaced(case: str) -> None:
    said, *held = case.split(" | ")
    concerned = tuple(index for index, text in enumerate(held) if text.startswith("> "))
    remembered = [Statement(text.removeprefix("> "), "fact") for text in held]

    resolution = resolve(Statement(said, "fact"), remembered)

    assert (resolution.outcome, resolution.of) == ("replaces", concerned)
