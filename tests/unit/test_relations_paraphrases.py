"""One thing said in two ways, and two things that only look alike, within and across languages."""

from __future__ import annotations

from shared.models.relations import Statement, resolve
from tests.support.tables import each

ALIKE = """
I have a peanut allergy. | I'm allergic to peanuts.
I'm a coeliac. | I have coeliac disease.
I've quit drinking. | I stopped drinking alcohol.
I'm from Ireland. | I come from Ireland.
My husband's name is Jonas. | My husband is called Jonas.
I get up at half past six. | I get up at 6:30.
I weigh 154 pounds. | My weight is 154 lb.
My salary is 50k a year. | I earn 50,000 a year.
I was born on 4 July 1990. | My birthday is July 4, 1990.
Please don't use emoji. | No emojis in your replies.
Keep it brief. | Keep your answers short please.
Speak French to me. | Please answer in French.
I use a Mac. | My computer is a Mac.
I cycle to work. | I go to work by bike.
I don't smoke. | I'm a non-smoker.
I'm teetotal. | I don't drink alcohol.
I'm an only child. | I have no siblings.
I have no brothers or sisters. | I'm an only child.
I'm left-handed. | I'm a lefty.
I'm afraid of heights. | Heights scare me.
I can't drive. | I don't know how to drive.
I like hiking. | I enjoy hiking.
I love hiking. | Hiking is something I love.
I'm studying medicine. | I'm a medical student.
I work for the city council. | I'm employed by the city council.
I'm looking for a job. | I'm job hunting.
I rent my flat. | I'm renting my flat.
I have high blood pressure. | I suffer from hypertension.
I'm pregnant. | I'm expecting a baby.
I'm single. | I don't have a partner.
I've never eaten sushi. | I have not ever eaten sushi.
I'm in Central European Time. | My time zone is CET.
i live in berlin | I live in Berlin, Germany.
I'm a huge fan of Radiohead. | I love Radiohead.
I have a meeting at 3 pm tomorrow. | Tomorrow at 3 pm I have a meeting.
My rent is €900. | I pay 900 euros in rent.
Vim is my editor. | I use Vim.
I don't eat dairy. | I avoid dairy.
I'm bad at maths. | I'm not good at maths.
My sister's a doctor. | My sister is a doctor.
我对海鲜过敏。 | 我海鲜过敏。
我是素食主义者。 | 我不吃肉。
我老家是河南的。 | 我是河南人。
我是做会计的。 | 我是会计。
我在医院当护士。 | 我是护士,在医院上班。
我没结婚。 | 我未婚。
我有一儿一女。 | 我有一个儿子和一个女儿。
我每天早上七点起床。 | 每天早上7点我就起来了。
我爱人是老师。 | 我老婆是老师。
我不会喝酒。 | 我不喝酒。
我骑车上班。 | 我骑自行车上班。
我家猫叫咪咪。 | 我的猫名字叫咪咪。
我用的是苹果手机。 | 我的手机是 iPhone。
请用英文回复。 | 麻烦用英语回答我。
回答短一点。 | 回复请简短。
请叫我老王。 | 喊我老王就行。
我在学法语。 | 我正在学习法语。
我租房住。 | 我是租的房子。
我有糖尿病。 | 我得了糖尿病。
我睡眠很浅。 | 我睡觉很容易醒。
我怕狗。 | 我害怕狗。
我预算三千左右。 | 我的预算大概是3000块。
我身高165。 | 我身高一米六五。
我体重一百二十斤。 | 我体重60公斤。
我在北京工作。 | 我的工作地点在北京。
我讨厌下雨。 | 我不喜欢下雨天。
我刚搬到厦门。 | 我最近搬到了厦门。
我不太能吃辣。 | 我吃不了太辣的。
我胃不好。 | 我的胃不太好。
我下个月结婚。 | 下个月我要结婚了。
我現在住在台北。 | 我现在住台北。
我鍾意飲奶茶。 | 我喜欢喝奶茶。
I'm a nurse. | 我是一名护士。
I have a dog named Lucky. | 我有一只叫 Lucky 的狗。
I don't eat spicy food. | 我不吃辣。
I hate cilantro. | 我讨厌香菜。
I'm learning French. | 我在学法语。
Please answer in Chinese. | 请用中文回答。
Keep answers short. | 回答简短一点。
I moved to Shenzhen. | 我搬到深圳了。
My mom is a teacher. | 我妈妈是老师。
I work at Tencent. | 我在腾讯上班。
I weigh 60 kg. | 我体重120斤。
I'm married. | 我结婚了。
I can't swim. | 我不会游泳。
My budget is 5,000 yuan. | 我的预算是五千元。
I take the subway to work. | 我坐地铁上班。
I'm 30 years old. | 我三十岁。
I run three times a week. | 我每周跑三次步。
I was born in Guangzhou. | 我出生在广州。
I like drinking green tea. | 我喜欢喝绿茶。
I'm a student at Peking University. | 我是北京大学的学生。
I have asthma. | 我有哮喘。
I don't have a car. | 我没有车。
I prefer tea to coffee. | 比起咖啡,我更喜欢茶。
I'm short-sighted. | I'm nearsighted.
I wear contacts. | I wear contact lenses.
I grew up in Malmö. | Malmö is where I grew up.
My son is five. | My son is 5 years old.
I take the train to work. | I commute by train.
I work remotely. | I work from home.
I don't have any pets. | I have no pets.
I'm scared of spiders. | I'm afraid of spiders.
I love cooking. | I really enjoy cooking.
My wife is pregnant. | My wife is expecting.
I teach maths. | I'm a maths teacher.
I was diagnosed with ADHD. | I have ADHD.
I can't have dairy. | I don't eat dairy products.
Metric units please. | Please use the metric system.
I want short answers. | Please answer briefly.
Don't be so formal. | You can be informal with me.
Always show me the code first. | Show code first, always.
My doctor is Dr. Weiss. | Dr. Weiss is my doctor.
I moved to Porto last year. | Last year I moved to Porto.
I've been married for ten years. | I have been married 10 years.
My grandma lives with us. | Grandma lives with us.
I play the violin. | I'm a violin player.
I'm trying to lose weight. | I want to lose weight.
I'm saving for a house. | I am saving up for a house.
I go to bed around eleven. | I go to sleep at about 11.
I'm a morning person. | I'm an early bird.
My hair is curly. | I have curly hair.
My eyes are brown. | I have brown eyes.
I have three siblings. | I've got three brothers and sisters.
I can't stand loud noise. | I hate loud noises.
I'm a Liverpool fan. | I support Liverpool.
I'm German. | I am from Germany.
I am terrible at remembering names. | I'm bad at remembering names.
My birthday is in July. | I was born in July.
I drink my coffee black. | I take my coffee black.
我近视。 | 我是近视眼。
我远程办公。 | 我在家远程上班。
我是左撇子。 | 我习惯用左手。
我没有宠物。 | 我没养宠物。
我很喜欢做饭。 | 我爱做饭。
我老婆怀孕了。 | 我太太怀孕了。
我是数学老师。 | 我教数学。
我不吃乳制品。 | 奶制品我不吃。
我乳糖不耐受。 | 我乳糖不耐。
我家有三口人。 | 我们家三口人。
我儿子五岁了。 | 我儿子今年5岁。
我每天11点睡觉。 | 我一般晚上十一点睡。
我周末加班。 | 我周末要加班。
我是独子。 | 我是独生子。
我妈跟我一起住。 | 我和我妈一起住。
我打算明年买房。 | 我明年想买房。
我最近在减肥。 | 我正在减肥。
我在上海长大。 | 我是在上海长大的。
我不喜欢别人迟到。 | 我讨厌别人迟到。
我的幸运数字是7。 | 7是我的幸运数字。
我老公比我大三岁。 | 我老公大我三岁。
我会弹钢琴。 | 我弹钢琴。
我戴隐形眼镜。 | 我平时戴隐形。
我对猫毛过敏。 | 我猫毛过敏。
我不喝碳酸饮料。 | 碳酸饮料我是不喝的。
我喝咖啡要加奶。 | 我的咖啡要加牛奶。
我住在三楼。 | 我家在三楼。
跟我说话不用客气。 | 跟我不用客气。
我跑过三次马拉松。 | 我跑过3次全程马拉松。
我是山东人。 | 我老家山东。
我每个月房租三千五。 | 我房租一个月3500。
我去過日本三次。 | 我去过三次日本。
我唔飲酒。 | 我不喝酒。
我哋住喺沙田。 | 我们住在沙田。
I work from home. | 我在家办公。
My wife is a doctor. | 我老婆是医生。
I have high blood pressure. | 我有高血压。
I'm allergic to pollen. | 我对花粉过敏。
I have one son. | 我有一个儿子。
I get up at seven. | 我七点起床。
I don't drink alcohol. | 我不喝酒。
I'm divorced. | 我离婚了。
My birthday is on October 1. | 我生日是10月1号。
Call me Leo. | 叫我 Leo。
I like hiking. | 我喜欢爬山。
My mother lives in Hangzhou. | 我妈住在杭州。
I use an iPhone. | 我用苹果手机。
I wear glasses. | 我戴眼镜。
I'm left-handed. | 我是左撇子。
No emojis please. | 不要用表情。
I'm single. | 我单身。
I'm learning to play the guitar. | 我在学吉他。
I studied law. | 我以前学的是法律。
I have two cats. | 我养了两只猫。
I'm vegan. | 我吃纯素。
I'm afraid of dogs. | 我怕狗。
I moved to Hangzhou last year. | 我去年搬到杭州。
I'm vegetarian. | I follow a vegetarian diet.
I'm on a vegan diet. | I'm vegan.
I live by myself. | I live alone.
I have a younger brother. | I've got a little brother.
My shoe size is 43. | I wear size 43 shoes.
I have a driving licence. | I have a driver's license.
I prefer window seats. | I like window seats best.
Use Celsius, please. | Please give temperatures in Celsius.
I don't drive. | I can't drive.
My favourite food is sushi. | Sushi is my favourite food.
I turned 30 this year. | I'm 30 years old.
I've lived in Prague for five years. | I have been living in Prague for 5 years.
I bike to the office. | I cycle to work.
I have an appointment with the dentist on Tuesday. | My dentist appointment is on Tuesday.
I hate being interrupted. | I can't stand being interrupted.
I always forget names. | I forget names all the time.
Please don't apologise so much. | Stop apologising so much.
I'd like answers in bullet points. | Use bullet points.
I have a heart condition. | I've got a heart condition.
I broke my arm last week. | Last week I broke my arm.
I moved house in May. | I moved in May.
I earn 3000 euros a month. | My monthly salary is 3,000 euros.
I'm saving up for a trip to Peru. | I'm saving for a trip to Peru.
I dislike horror movies. | I don't like horror films.
I'm an introvert. | I am introverted.
I'm a father. | I'm a dad.
I grew up bilingual. | I was raised bilingual.
Sometimes I eat fish. | I eat fish sometimes.
I'm afraid of flying. | I have a fear of flying.
I get carsick. | I suffer from motion sickness.
I love dogs! | i love dogs
I'm color blind. | I am colourblind.
I have been a nurse for ten years. | I've worked as a nurse for 10 years.
I married Ana in 2015. | Ana and I got married in 2015.
我一个人住。 | 我独居。
我有个弟弟。 | 我有一个弟弟。
我有驾照。 | 我有驾驶证。
我喜欢靠窗的座位。 | 我坐飞机喜欢靠窗。
温度请用摄氏度表示。 | 请用摄氏度。
我最喜欢吃寿司。 | 我最爱吃的是寿司。
我在布拉格住了五年。 | 我已经在布拉格住了5年了。
我骑电动车上班。 | 我上班骑电动车。
我周二要看牙。 | 我周二约了牙医。
我讨厌被打断。 | 我不喜欢别人打断我。
请用列表回答。 | 回答请用列表。
我月薪一万五。 | 我一个月工资15000。
我不喜欢恐怖片。 | 我讨厌恐怖片。
我是当爸的人了。 | 我当爸爸了。
我有时候吃鱼。 | 我偶尔吃鱼。
我容易晕车。 | 我晕车。
我做了十年护士。 | 我当护士十年了。
我養了兩隻貓。 | 我养了两只猫。
我住喺旺角。 | 我住在旺角。
我识讲日文。 | 我会说日语。
我不爱喝白酒。 | 我不喜欢喝白酒。
我女儿今年上小学。 | 我闺女今年上小学了。
我血型是A型。 | 我是A型血。
I live in Tokyo. | 我住在东京。
I don't like durian. | 我不喜欢榴莲。
I'm 28. | 我今年28岁。
I have diabetes. | 我有糖尿病。
I got divorced last year. | 我去年离婚了。
I play badminton every weekend. | 我每个周末打羽毛球。
I used to smoke. | 我以前抽烟。
My daughter is five years old. | 我女儿五岁。
I go to bed at eleven. | 我十一点睡觉。
I work night shifts. | 我上夜班。
I drink two cups of coffee a day. | 我每天喝两杯咖啡。
I have two older brothers. | I've got two elder brothers.
I work as a chef. | I'm a chef by profession.
I'm a chef at a hotel. | I work as a chef in a hotel.
I work the late shift on Mondays. | On Mondays I work the late shift.
My cat is 4. | My cat is four years old.
I haven't got a TV. | I don't own a television.
I don't watch TV. | I never watch television.
I'm 5'11". | I'm 180 cm tall.
I pay 1,200 euros in rent. | My rent is 1200 euros.
I was born and raised in Turin. | I grew up in Turin.
My native language is Polish. | I'm a native Polish speaker.
I've never smoked. | I have never smoked.
I have trouble sleeping. | I suffer from insomnia.
I can't sleep well. | I don't sleep well.
I eat breakfast every day. | Every day I eat breakfast.
I skip breakfast. | I don't eat breakfast.
I'm allergic to bee stings. | I have a bee sting allergy.
Answer me in one sentence. | Reply in a single sentence.
Don't use exclamation marks. | No exclamation marks, please.
Always use the Oxford comma. | Use the Oxford comma.
I prefer to be called Dr. Lind. | Please call me Dr. Lind.
My name is Freya. | I'm called Freya.
The meeting is at noon. | The meeting is at 12 pm.
My dog doesn't like cats. | My dog hates cats.
i dont like mushrooms | I do not like mushrooms.
I donate blood twice a year. | Twice a year I donate blood.
我在酒店当厨师。 | 我是酒店的厨师。
我家没有电视。 | 我没有电视机。
我从来不看电视。 | 我不看电视。
我从小在都灵长大。 | 我在都灵长大。
我母语是粤语。 | 我的母语是广东话。
我从来没抽过烟。 | 我没抽过烟。
我睡不好。 | 我睡眠不好。
我不吃早餐。 | 我早饭不吃。
我跟男朋友在一起六年了。 | 我和男朋友在一起已经6年。
用一句话回答。 | 请用一句话回复我。
不要用感叹号。 | 别用感叹号。
我的车是丰田。 | 我的车是辆丰田。
会议中午十二点开。 | 会议在中午12点。
我家狗不喜欢猫。 | 我的狗讨厌猫。
我每年献两次血。 | 我一年献血两次。
我不喜歡吃茄子。 | 我不爱吃茄子。
我钟意食鱼。 | 我喜欢吃鱼。
我每个月给爸妈两千块。 | 我每月给父母2000元。
我对酒精过敏。 | 我酒精过敏。
My father is a driver. | 我爸是司机。
I can't eat seafood. | 我不能吃海鲜。
I take the bus to work. | 我坐公交上班。
I have insomnia. | 我失眠。
I'm from Sichuan. | 我是四川人。
My sister is pregnant. | 我姐姐怀孕了。
I rent an apartment. | 我租房住。
I'm a Buddhist. | 我信佛。
I don't watch TV. | 我不看电视。
I drive to work. | 我开车上班。
"""

APART = """
I'm allergic to eggs. | I don't like eggs.
I quit drinking. | I quit smoking.
I'm from Ireland. | I live in Ireland.
I have two kids. | I have three kids.
I have two sons. | I have two brothers.
My husband is called Jonas. | My son is called Jonas.
I get up at 6:30. | I get up at 7:30.
I weigh 70 kg. | I weigh 70 lb.
I earn 50,000 a year. | I earn 50,000 a month.
I was born in 1990. | I was born in 1991.
Use emojis. | Don't use emojis.
Keep it brief. | Keep it formal.
I speak French. | Please answer in French.
My computer is a Mac. | My phone is an iPhone.
I cycle to work. | I cycle at weekends.
I don't smoke. | I smoke.
I don't drink coffee. | I don't drink alcohol.
I can't drive. | I don't have a car.
I love hiking. | I love biking.
I love hiking. | My wife loves hiking.
I'm studying medicine. | I studied medicine.
I work in a hospital. | I work in a hotel.
I'm looking for a job. | I'm looking for a flat.
I rent my flat. | I own my flat.
My flight leaves on Monday. | My flight lands on Monday.
My meeting is before lunch. | My meeting is after lunch.
My older brother is a cop. | My younger brother is a cop.
I live on the second floor. | I live on the third floor.
I have type 1 diabetes. | I have type 2 diabetes.
I'm single. | I'm divorced.
I sometimes eat sushi. | I often eat sushi.
I always take the bus. | I never take the bus.
I take the pill in the morning. | I take the pill in the evening.
I live in Frankfurt. | I was in Frankfurt last week.
I'm moving to Lyon. | I moved to Lyon.
I'm a fan of Radiohead. | I'm a fan of Coldplay.
My rent is 900 euros. | My rent is 950 euros.
I use Vim. | I used Vim for years.
I'm good at maths. | I'm not good at maths.
My sister is a doctor. | My sister's husband is a doctor.
我不吃猪肉。 | 我不吃牛肉。
我是河南人。 | 我是河北人。
我没结婚。 | 我离婚了。
我有一个儿子。 | 我有一个女儿。
我每天早上七点起床。 | 我每天晚上七点跑步。
我爱人是老师。 | 我妈是老师。
我骑车上班。 | 我开车上班。
我家猫叫咪咪。 | 我家狗叫咪咪。
请用英文回复。 | 请用中文回复。
请叫我老王。 | 请叫我小王。
我在学法语。 | 我会说法语。
我租房住。 | 我买房了。
我有糖尿病。 | 我爸有糖尿病。
我怕狗。 | 我喜欢狗。
我预算三千。 | 我预算三万。
我在北京工作。 | 我在北京长大。
我大学在北京读的。 | 我在北京工作。
我讨厌下雨。 | 我喜欢下雨。
我下个月结婚。 | 我上个月结婚。
I have a dog. | 我有一只猫。
I speak French. | 我在学法语。
Please answer in English. | 请用中文回答。
My mom is a teacher. | 我爸爸是老师。
I weigh 60 kg. | 我体重60斤。
I'm married. | 我没结婚。
I'm 30 years old. | 我十三岁。
I was born in Guangzhou. | 我住在广州。
I like green tea. | 我喜欢红茶。
My son is five. | My daughter is five.
I finish work at five. | I start work at five.
I'm scared of spiders. | I'm scared of snakes.
I love cooking. | I hate cooking.
My wife is pregnant. | My sister is pregnant.
I'm lactose intolerant. | I'm allergic to eggs.
Metric units please. | Imperial units please.
Be formal. | Be informal.
My doctor is Dr. Weiss. | My dentist is Dr. Weiss.
I moved to Porto last year. | I moved from Porto last year.
I've been married for ten years. | I've been married for two years.
My grandma lives with us. | My grandma lives near us.
I play the violin. | I play the viola.
I used to play the violin. | I play the violin.
I want to lose weight. | I want to gain weight.
I'm saving for a house. | I'm saving for a car.
I go to bed at eleven. | I go to bed at twelve.
I'm a morning person. | I'm a night owl.
My eyes are brown. | My hair is brown.
I'm a Liverpool fan. | I live in Liverpool.
I'm German. | I speak German.
My exam is tomorrow. | My exam was yesterday.
My birthday is in July. | My birthday is in June.
I'm thinking of getting a dog. | I got a dog.
I have to take insulin twice a day. | I have to take insulin once a day.
My aunt is a pilot. | My uncle is a pilot.
I hate that my wife smokes. | I smoke.
I like my coffee black. | I like black tea.
Reply in Spanish. | I'm learning Spanish.
我老婆怀孕了。 | 我姐怀孕了。
我血压高。 | 我血糖高。
我儿子五岁。 | 我儿子十五岁。
我每天11点睡觉。 | 我每天11点起床。
我周末加班。 | 我周末不加班。
我妈跟我一起住。 | 我爸跟我一起住。
我打算明年买房。 | 我去年买了房。
我在减肥。 | 我在增肌。
我在上海长大。 | 我在上海上学。
我老公比我大三岁。 | 我老公比我小三岁。
我会弹钢琴。 | 我在学钢琴。
我对猫毛过敏。 | 我对狗毛过敏。
我喝咖啡要加奶。 | 我喝咖啡不加奶。
我住三楼。 | 我住四楼。
我女儿上小学三年级。 | 我女儿上小学四年级。
我在等offer。 | 我拿到offer了。
我是山东人。 | 我是山西人。
我房租三千五。 | 我房租两千五。
我的车是特斯拉。 | 我在特斯拉上班。
I don't drink alcohol. | 我不喝咖啡。
My mother lives in Hangzhou. | 我妈是杭州人。
I have two cats. | 我养了三只猫。
I live with my parents. | I live near my parents.
I have a younger brother. | I have an older brother.
I have a driving licence. | I lost my driving licence.
I prefer window seats. | I prefer aisle seats.
I speak English and French. | I speak English and German.
My favourite food is sushi. | My favourite drink is sake.
I've lived in Prague for five years. | I lived in Prague for five years.
I have a dentist appointment on Tuesday. | I have a doctor's appointment on Tuesday.
My kids are 4 and 7. | My kids are 5 and 7.
I never forget a face. | I always forget faces.
Use bullet points. | Use tables.
I broke my left arm. | I broke my right arm.
I dislike horror movies. | I dislike war movies.
I'm a father. | My father is a teacher.
I eat fish on Fridays. | I eat fish on Mondays.
My train leaves at 8. | My train arrives at 8.
I like it when you joke. | Please don't joke.
I was a nurse. | I'm a nurse.
我一个人住。 | 我和室友住。
我有个弟弟。 | 我有个哥哥。
请用列表回答。 | 请用表格回答。
我月薪一万五。 | 我年薪一万五。
我周五吃鱼。 | 我周一吃鱼。
我以前是护士。 | 我是护士。
我儿子怕黑。 | 我怕黑。
我会说日语。 | 我想学日语。
我在读研究生。 | 我想考研究生。
我不爱喝白酒。 | 我不爱喝红酒。
我女儿今年上小学。 | 我儿子今年上小学。
我血型是A型。 | 我血型是B型。
I'm a doctor. | 我是护士。
I got divorced last year. | 我去年结婚了。
I play badminton every weekend. | 我每个周末打篮球。
I used to smoke. | 我抽烟。
I drink two cups of coffee a day. | 我每天喝三杯咖啡。
I have two older brothers. | I have two younger brothers.
I'm a chef at a hotel. | I'm a waiter at a hotel.
I don't have a TV. | I don't watch TV.
My commute is 40 minutes. | My commute is 14 minutes.
My native language is Polish. | I'm learning Polish.
I've never smoked. | I quit smoking.
I never eat breakfast. | I always eat breakfast.
I'm allergic to bee stings. | I'm allergic to wasp stings.
Our first child is due in May. | Our second child is due in May.
Answer in one paragraph. | Answer in one sentence.
Use the Oxford comma. | Don't use the Oxford comma.
My name is Freya. | My daughter is called Freya.
My car is a Toyota. | My car is a Honda.
I parked on level 3. | I parked on level 4.
The meeting is at noon. | The meeting is at midnight.
I took two tablets this morning. | I took two tablets last night.
My dog doesn't like cats. | I don't like cats.
I'm taller than my brother. | My brother is taller than me.
I owe Sam 20 euros. | Sam owes me 20 euros.
I gave my sister a book. | My sister gave me a book.
I was promoted. | I want to be promoted.
My lease ends in June. | My lease started in June.
I donate blood twice a year. | I donate blood once a year.
我在酒店当厨师。 | 我在酒店当服务员。
我没抽过烟。 | 我戒烟了。
用一句话回答。 | 用一段话回答。
我的车是丰田。 | 我的车是本田。
会议中午十二点开。 | 会议晚上十二点开。
我比我弟高。 | 我弟比我高。
我欠小林二十块。 | 小林欠我二十块。
我每年献两次血。 | 我每年献一次血。
我想买车。 | 我买车了。
我住在学校附近。 | 我住在学校里。
我对酒精过敏。 | 我不喝酒。
我是双鱼座。 | 我是双子座。
我左耳听不见。 | 我右耳听不见。
I take the bus to work. | 我坐地铁上班。
I'm from Sichuan. | 我住在四川。
"""

SAID_AGAIN = """
我平时都在家办公。 | > 我在家办公。 | 我老公周五在家办公。
我不抽烟了。 | > 我戒烟了。 | 我住在南京。
我一点酒都不喝。 | 我喝很多气泡水。 | > 我不喝酒。
周三晚上我教瑜伽。 | > 我每周三晚上教瑜伽。 | 我用北京时间。
请用公制单位。 | > 单位用公制。
我对甲壳类过敏。 | > 我有甲壳类过敏。 | 我对花生过敏。
我身高1米8。 | 我体重80公斤。 | > 我身高180厘米。
我的工作是软件工程师。 | > 我是软件工程师。 | 我老婆是土木工程师。
我还是吃素的。 | > 我吃素。 | 我喜欢豆腐。
My dog's called Biscuit. | I have curly hair. | > I have a dog named Biscuit. | I have a parrot called Kiwi.
Coriander, I really can't stand it. | I like spring onions. | > I hate coriander.
My wife comes from Hunan. | I'm from Hubei. | > My wife is from Hunan.
Pork is something I never eat. | > I don't eat pork. | I don't eat lamb.
I'm up by 6 every morning. | I go to bed at ten. | > I get up at six every morning.
You can call me Ning. | > Call me Ning. | My sister is called Jing.
Driving? I can't. | I can't swim. | > I can't drive.
My undergraduate major was history. | > I studied history at university. | I went to Xiamen University.
Please keep your replies concise. | Don't use English words. | > Keep answers short.
I always go for the aisle seat. | > I prefer aisle seats.
Answer me in German please. | > Please reply in German.
Everyone calls me Sam, you can too. | > Call me Sam.
I go running twice every week. | > I run twice a week.
I reside in Utrecht. | > I live in Utrecht.
Utrecht is where I live. | > I live in Utrecht.
I'm based in Utrecht. | > I live in Utrecht.
I don't eat any pork. | > I never eat pork.
I am a teacher by profession. | > I'm a teacher.
I've got two cats. | > I own two cats.
We have a boy and a girl. | > We have a girl and a boy.
I can't have gluten. | > I don't eat gluten.
I hate getting up early. | > I can't stand getting up early.
My favourite colour is green. | > Green is my favorite color.
My manager is called Odile. | > Odile is my manager.
I speak fluent Spanish. | I'm learning Italian. | > I'm fluent in Spanish.
坐飞机我都选过道。 | > 坐飞机我喜欢靠过道。
麻烦用德语回答。 | > 请用德语回复。
大家都叫我阿山。 | > 叫我阿山就行。
我一周跑两次步。 | > 我每周跑两次步。
我定居在苏州。 | > 我住在苏州。
我家在苏州。 | > 我住在苏州。
猪肉我一概不碰。 | > 我不吃猪肉。
我的职业是老师。 | > 我是老师。
我家有两只猫。 | > 我养了两只猫。
我不能吃麸质。 | > 我不吃麸质。
我最喜欢的颜色是绿色。 | > 绿色是我最喜欢的颜色。
我西班牙语很流利。 | 我在学意大利语。 | > 我会说流利的西班牙语。
我预算五千块。 | > 我的预算是5000元。
我今年二十九。 | > 我29岁。
I suffer from migraines. | > I have migraines. | I have asthma.
I take my coffee without sugar. | I like tea. | > I drink coffee without sugar.
Still living in Delft. | > I live in Delft.
I've got a little sister. | I have an older brother. | > I have a younger sister.
I do not smoke. | > I'm a non-smoker.
我喝咖啡不放糖。 | > 我的咖啡不加糖。
我还住在海淀。 | > 我住在海淀。
I'm a total night owl. | > I'm a night owl.
Please stay formal with me. | > Be formal with me.
My tortoise is called Speedy. | I have a dog called Juno. | > I have a tortoise called Speedy.
I am thirty-nine years old. | > I'm 39.
Yusuf is my best friend. | > My best friend is called Yusuf.
I'd rather get an email than a phone call. | > I prefer email to phone calls.
跟我说话请正式一些。 | > 请正式一点。
My puppy's name is Salt. | My cat is called Pepper. | > Our puppy is called Salt.
I study law. | > I'm a law student. | My sister studies medicine.
Alcohol? I don't drink any. | > I don't drink alcohol.
I really love olives. | > I love olives. | I love cheese.
Don't use bullet points. | > No bullet points please.
I can spend at most 600 euros on a bike. | I live in Ghent. | > My budget for a bike is 600 euros.
I can't ride a bike. | > I don't know how to ride a bicycle.
我超爱吃橄榄。 | > 我喜欢吃橄榄。
我买自行车最多花六千。 | 我住在北京。 | > 我买自行车的预算是六千。
I'm still single. | > I'm single.
Yes, I still work at the bakery. | > I work at the bakery.
I don't eat pork, as I said. | > I don't eat pork.
Prices in euros please. | > Give prices in euros.
My folks live in Leeds. | I live in York. | > My parents live in Leeds.
Twice a week I do yoga. | > I do yoga twice a week.
我还在面包店上班。 | > 我在面包店上班。
对,我还是单身。 | > 我单身。
I wear hearing aids. | > I use hearing aids. | I wear glasses.
Every morning I take 10 mg of lisinopril. | > I take 10 mg of lisinopril every morning.
I'm living in Ghent. | > I live in Ghent. | My sister lives in Liège.
I usually wake up at seven. | > I get up at seven.
I own a cat and a dog. | I have a bird. | > I have a dog and a cat.
My limit is 900 euros. | > My budget is 900 euros.
Please always give sources. | > Always cite your sources.
The deadline is on the 20th of May. | > The deadline is May 20.
我一般七点起。 | > 我七点起床。
我最多出900欧。 | > 我的预算是900欧。
回答请附上来源。 | > 回答要列出处。
截止日期是五月二十号。 | > 截止日期是5月20日。
"""
"""What is said | what is remembered, ">" before what it repeats."""


def _same(one: str, other: str) -> bool:
    return any(
        resolve(Statement(later, "fact"), [Statement(earlier, "fact")]).outcome == "same"
        for later, earlier in ((one, other), (other, one))
    )


@each("pair", ALIKE.strip().splitlines())
def test_a_paraphrase_says_the_same(pair: str) -> None:
    one, other = pair.split(" | ")

    assert _same(one, other)


@each("pair", APART.strip().splitlines())
def test_a_small_difference_is_a_difference(pair: str) -> None:
    one, other = pair.split(" | ")

    assert not _same(one, other)


@each("case", SAID_AGAIN.strip().splitlines())
def test_what_is_said_again_is_found_among_what_is_remembered(case: str) -> None:
    said, *held = case.split(" | ")
    repeated = tuple(index for index, text in enumerate(held) if text.startswith("> "))
    remembered = [Statement(text.removeprefix("> "), "fact") for text in held]

    resolution = resolve(Statement(said, "fact"), remembered)

    assert (resolution.outcome, resolution.of) == ("same", repeated)
