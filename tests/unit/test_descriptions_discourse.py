"""What goes with what is meant: sentences that go on about it, names it is given, whom a pronoun stands for (X-06)."""

from __future__ import annotations

from shared.domain.cuts import cut
from shared.models.descriptions import Discourse, Known, Said, Wish, understand
from tests.evaluation.forgetting import fold
from tests.support.tables import each
from tests.unit.test_descriptions_everyday import NOW, a_statement

CASES: list[tuple[str, list[str], list[str], list[str]]] = [
    # what is asked, what was said, what goes, what stays
    (
        "把我弟弟的事都忘了",
        ["我弟弟在部队当兵，一年就回一次家。他最近谈了个女朋友。", "我表妹刚考上公务员。"],
        ["部队", "一年就回", "女朋友"],
        ["公务员"],
    ),
    (
        "关于我养的乌龟，全都删掉",
        ["我养了只巴西龟，叫慢慢。", "慢慢冬天不吃东西，缩在壳里。", "我同事养了两只鹦鹉。"],
        ["巴西龟", "缩在壳里"],
        ["两只鹦鹉"],
    ),
    (
        "别再提起我前同事老冯了",
        ["老冯是我前同事，去年跳槽去了深圳。", "老冯还欠我一顿火锅，他总说下次。", "我现在的同事都很年轻。"],
        ["跳槽", "火锅", "下次"],
        ["都很年轻"],
    ),
    (
        "跟瑜伽班有关的，麻烦都清掉",
        ["我报了楼下的瑜伽班，一年三千八。", "瑜伽班的老师姓蒋，声音特别温柔。", "我周末喜欢去图书馆坐坐。"],
        ["三千八", "姓蒋", "温柔"],
        ["图书馆"],
    ),
    (
        "关于我们小区业委会的内容请全部清除",
        ["我们小区业委会换届了，主任是个退休教师。", "业委会要收停车费，大家都不同意。", "我家楼上漏水。"],
        ["退休教师", "不同意"],
        ["漏水"],
    ),
    (
        "忘记阿琳",
        ["阿琳是我健身搭子，她练了三年。", "昨天跟阿琳去吃了轻食，她请客。", "我室友小米也健身。"],
        ["健身搭子", "三年", "请客"],
        ["小米也健身"],
    ),
    (
        "把露营那回事删干净",
        ["上个月去莫干山露营，帐篷被风刮跑了。", "露营的时候认识了一个退伍军人，他教我打绳结。", "我喜欢喝手冲咖啡。"],
        ["刮跑", "打绳结"],
        ["手冲咖啡"],
    ),
    (
        "关于我的民宿的所有东西都不要留",
        ["我在大理开了家民宿，叫云上。", "云上有六间房，都朝着洱海。", "我老公在银行上班。"],
        ["开了家民宿", "六间房", "洱海"],
        ["银行上班"],
    ),
    (
        "你记得的关于豆豆的都删了吧",
        ["豆豆是我儿子的小名，他对鸡蛋过敏。", "豆豆下学期要转学，我们在找房子。", "我侄女叫果果。"],
        ["鸡蛋", "转学"],
        ["果果"],
    ),
    (
        "我健身教练的信息统统删掉",
        ["我的健身教练叫阿强，收费三百一节。", "阿强下个月要去参加比赛。他说我体脂太高。", "游泳教练换人了。"],
        ["三百一节", "参加比赛", "体脂"],
        ["换人了"],
    ),
    (
        "忘了我表哥的一切",
        ["我表哥离婚了，现在住在我姨家。", "表哥想借我十万块钱，我没答应。", "我表姐开了家花店。"],
        ["离婚", "十万"],
        ["花店"],
    ),
    (
        "把那个装修公司从你记忆里抹掉",
        ["装修公司叫鼎盛，催了三次都不来。", "鼎盛的设计师姓彭，画的图特别丑。", "我家的阳台朝南。"],
        ["催了三次", "特别丑"],
        ["朝南"],
    ),
    (
        "凡是涉及我奶奶的都清除",
        ["我奶奶今年八十六了，耳朵不太好。", "奶奶爱听越剧。她一个人住在乡下。", "我爷爷早就过世了。"],
        ["八十六", "越剧", "乡下"],
        ["过世"],
    ),
    (
        "那个读书会，别留任何痕迹",
        ["我参加了一个读书会，每两周见一次面。", "读书会这次读的是《活着》，大家都哭了。", "我也喜欢看电影。"],
        ["每两周", "都哭了"],
        ["看电影"],
    ),
    (
        "清空跟股票有关的",
        ["我买了五万块股票，亏了一半。", "股票账户的密码我老忘。", "我在存钱买房。"],
        ["亏了一半", "老忘"],
        ["存钱买房"],
    ),
    (
        "删掉所有关于我邻居的内容",
        ["我邻居是个退休的京剧演员，天天吊嗓子。", "邻居家的狗咬坏了我的快递。", "我同事送了我一盆绿萝。"],
        ["吊嗓子", "快递"],
        ["绿萝"],
    ),
    (
        "小黑的事我不想留了",
        ["小黑是我在公司楼下喂的流浪猫。", "小黑上周生了四只小猫，都是花的。", "我家的小白是只兔子。"],
        ["流浪猫", "四只小猫"],
        ["小白"],
    ),
    (
        "我不想再看到任何跟我导师有关的东西",
        ["我导师姓覃，特别爱骂人。", "导师让我延期半年，我气死了。", "我师兄去了中科院。"],
        ["姓覃", "延期半年"],
        ["中科院"],
    ),
    (
        "forget everything about my nephew",
        [
            "My nephew Otis broke his wrist on a trampoline.",
            "Otis starts at the music school in autumn, he plays the tuba.",
            "My niece collects beetles.",
        ],
        ["trampoline", "tuba"],
        ["beetles"],
    ),
    (
        "anything on the bakery job, delete",
        [
            "I took a job at a bakery in Deal, shifts start at 3am.",
            "The bakery job pays badly but I get free bread.",
            "My brother works nights at a warehouse.",
        ],
        ["3am", "free bread"],
        ["warehouse"],
    ),
    (
        "please wipe everything about our lodger",
        [
            "Our lodger is a beekeeper called Hamid.",
            "Hamid makes coffee at four in the morning. It wakes the dog every time.",
            "Our cleaner comes on Tuesdays.",
        ],
        ["beekeeper", "four in the morning"],
        ["cleaner comes"],
    ),
    (
        "lose everything about the caravan",
        [
            "We bought a caravan in March, it leaks.",
            "The caravan is parked at my dad's, he moans about it daily.",
            "We're going to Wales in July.",
        ],
        ["leaks", "moans"],
        ["Wales in July"],
    ),
    (
        "forget Dr Petrova completely",
        [
            "Dr Petrova put me on iron tablets.",
            "I'm seeing Dr Petrova again on the 3rd, she wants another blood test.",
            "My dentist retired.",
        ],
        ["iron tablets", "blood test"],
        ["dentist retired"],
    ),
    (
        "everything about my stammer",
        [
            "I've had a stammer since I was six.",
            "My stammer gets worse on the phone, so I text people instead.",
            "I sing in the shower.",
        ],
        ["since I was six", "text people"],
        ["in the shower"],
    ),
    (
        "all traces of Barnaby please",
        [
            "Barnaby is our tortoise, he's 40.",
            "Barnaby escaped last week and we found him at the bus stop.",
            "Our rabbit hates lettuce.",
        ],
        ["tortoise", "bus stop"],
        ["hates lettuce"],
    ),
    (
        "forget the whole thing with the neighbours' fence",
        [
            "The neighbours' fence fell on our car, they refuse to pay.",
            "We've hired a lawyer about the fence, her name is Ines Blum.",
            "Our garden has two plum trees.",
        ],
        ["refuse to pay", "Ines Blum"],
        ["plum trees"],
    ),
    (
        "what you know about Theo, gone please",
        ["Theo and I split up in May.", "Theo took the sofa. And he left me the cat.", "My cat is diabetic."],
        ["split up", "took the sofa"],
        ["diabetic"],
    ),
    (
        "forget my running club",
        [
            "I joined a running club, we meet on Sundays by the lake.",
            "The running club is going to Malaga in spring. I've already paid the deposit.",
            "My knee is better now.",
        ],
        ["by the lake", "Malaga"],
        ["knee is better"],
    ),
    (
        "forget everything about Lena",
        [
            "My cousin Lena is staying with us till Sunday.",
            "I'm picking her up from the airport at six.",
            "My brother hates airports.",
        ],
        ["staying with us", "airport at six"],
        ["hates airports"],
    ),
    (
        "everything on our neighbours the Kowalskis",
        [
            "The Kowalskis next door got a trampoline.",
            "We lent them our ladder in spring.",
            "Our landlord lives abroad.",
        ],
        ["trampoline", "ladder"],
        ["lives abroad"],
    ),
    (
        "忘掉我弟弟的所有事",
        ["我弟弟考研没考上。", "昨天跟他吵了一架。", "我妈最近睡不好。"],
        ["考研", "吵了一架"],
        ["睡不好"],
    ),
    (
        "把我女朋友的都忘了",
        ["我女朋友是护士，经常上夜班。", "下个月我打算跟她求婚。", "我哥已经结婚了。"],
        ["护士", "求婚"],
        ["已经结婚"],
    ),
    (
        "remove everything about my grandfather",
        [
            "My grandfather was a tram driver in Lisbon.",
            "Grandpa taught me to whistle.",
            "My grandmother still lives there.",
        ],
        ["tram driver", "whistle"],
        ["still lives there"],
    ),
    (
        "what you know about my boss, please delete",
        [
            "My boss Ingrid wants me in the office three days a week.",
            "Ingrid is leaving in March!",
            "My team lead is fine with anything.",
        ],
        ["three days a week", "leaving in March"],
        ["fine with anything"],
    ),
    (
        "关于我家猫的都删掉",
        ["我家猫昨天吐了三次。", "猫粮换成了冻干的，它不爱吃。", "我家狗倒是什么都吃。"],
        ["吐了三次", "冻干"],
        ["什么都吃"],
    ),
    (
        "把考驾照这事忘干净",
        ["我在考驾照，科目三挂了两次。", "驾校教练老骂人，我都不想去了。", "我爸有辆老桑塔纳。"],
        ["挂了两次"],
        ["老桑塔纳"],
    ),
    (
        "不要再记我的猫了",
        ["我的猫叫奥利奥，是只奶牛猫。", "奥利奥会开门。", "我邻居养了一缸鱼。"],
        ["奶牛猫", "会开门"],
        ["一缸鱼"],
    ),
    (
        "删掉糯米的信息",
        ["糯米是我闺蜜家的布偶猫。", "周末帮忙照顾糯米，它挠坏了我的沙发。", "我妈做的糯米饭很香。"],
        ["布偶猫", "挠坏"],
        ["糯米饭"],
    ),
    (
        "关于小姨的全忘掉",
        ["小姨在菜市场卖豆腐。", "小姨上周摔了一跤，胳膊打了石膏。", "大姨在家带孙子。"],
        ["卖豆腐", "石膏"],
        ["带孙子"],
    ),
    (
        "清除我表姐婚礼的事",
        ["我表姐下个月办婚礼，在三亚。", "婚礼上我当伴娘，要穿香槟色的裙子。", "我表姐在海关上班。"],
        ["在三亚", "香槟色"],
        ["海关"],
    ),
    (
        "把牛牛忘了吧",
        ["牛牛是我干儿子，今年上小学。", "我给牛牛买了套乐高。", "这周牛肉涨价了。", "我爸爱吹牛。"],
        ["干儿子", "乐高"],
        ["牛肉涨价", "爱吹牛"],
    ),
    (
        "forget my Thursday pottery class",
        [
            "Pottery class is on Thursdays in the old fire station.",
            "My pottery teacher thinks I'm heavy-handed.",
            "On Thursdays I also do the bins.",
        ],
        ["old fire station"],
        ["do the bins"],
    ),
    (
        "forget the Osaka trip",
        [
            "We fly to Osaka on the 4th of April.",
            "In Osaka we're staying with Kenji's parents.",
            "We were in Rome last spring.",
        ],
        ["fly to Osaka", "Kenji's parents"],
        ["in Rome"],
    ),
    (
        "I want you to forget all about Fergus",
        [
            "Fergus from accounts ate my lunch again.",
            "He said it was a mistake.",
            "I told Fergus to label his stuff, he just laughed.",
            "Fergie is a singer.",
        ],
        ["ate my lunch", "a mistake", "just laughed"],
        ["is a singer"],
    ),
    (
        "everything about the twins",
        ["The twins turn four in August.", "One of them only eats beige food.", "My sister's baby is due soon."],
        ["turn four", "beige food"],
        ["due soon"],
    ),
    (
        "忘掉老宋说的一切",
        ["老宋让我投资他的火锅店。", "老宋说一年就能回本，我不太信。", "小宋在我们组实习。"],
        ["火锅店", "回本"],
        ["小宋在我们组"],
    ),
    (
        "Could you wipe my allotment from your memory? All of it.",
        [
            "I've got an allotment behind the station, plot 14.",
            "The allotment committee is run by a man called Derek who hates dahlias.",
            "Dahlias are my favourite flower.",
        ],
        ["plot 14", "Derek"],
        ["my favourite flower"],
    ),
    (
        "删除我和大伟之间的事",
        ["大伟借了我两万块，说好年底还。", "大伟把我拉黑了！", "我表弟叫小伟。"],
        ["两万块", "拉黑"],
        ["小伟"],
    ),
    (
        "forget my book club, everything",
        [
            "Our book club reads only Victorian novels.",
            "Book club is at mine next week so I have to clean.",
            "I go to a film club as well.",
        ],
        ["Victorian novels", "have to clean"],
        ["film club"],
    ),
    (
        "忘记我们家装修",
        ["家里在装修，卫生间要砸掉重做。", "装修师傅姓卞，爱抽烟。", "我们家在十二楼。"],
        ["砸掉重做", "姓卞"],
        ["十二楼"],
    ),
    (
        "bitte forget Grandma Odile",
        [
            "Grandma Odile makes plum brandy in her shed.",
            "She's turning ninety in June and wants a party.",
            "My other grandma lives in Nice.",
        ],
        ["plum brandy", "ninety"],
        ["lives in Nice"],
    ),
    (
        "get rid of all mentions of the startup idea",
        [
            "My startup idea is an app for sharing garden tools.",
            "Jonas said the startup idea is rubbish, which hurt.",
            "I work in insurance.",
        ],
        ["garden tools", "rubbish"],
        ["insurance"],
    ),
    ("忘了我对什么过敏", ["我对尘螨过敏，上周刚换了新工作。"], ["尘螨"], ["新工作"]),
    ("我的工资删了吧", ["我工资一万八，房租四千五。"], ["一万八"], ["四千五"]),
    ("我女儿在哪上学就不用记了", ["我女儿在育才小学读三年级，她特别喜欢恐龙。"], ["育才小学"], ["恐龙"]),
    ("不要记我买房的事", ["我终于买房了，另外下个月要去考普拉提教练证。"], ["买房"], ["普拉提"]),
    ("把我的手机号删了", ["我的手机号是13812345678，我平时用安卓。"], ["13812345678"], ["安卓"]),
    ("forget my salary", ["I make 4,200 a month and I've been a vegetarian since 2012."], ["4,200"], ["vegetarian"]),
    (
        "please forget where my parents live",
        ["My parents live in Ghent, and my dad is a keen birdwatcher."],
        ["Ghent"],
        ["birdwatcher"],
    ),
    (
        "erase what I said about quitting smoking",
        ["I quit smoking in March and I teach salsa at the community centre."],
        ["quit smoking"],
        ["salsa"],
    ),
    (
        "forget which gym I go to",
        ["I go to the Ironbox gym on Mill Lane but I do my shopping at Aldi."],
        ["Ironbox"],
        ["Aldi"],
    ),
    ("忘掉我的猫", ["我养了只三花猫，我老公对猫毛不过敏，我们住在顶楼。"], ["三花猫"], ["顶楼"]),
    (
        "forget everything about Ruth",
        [
            "Ruth works at the Harbour Clinic as a nurse.",
            "Ivo works at the Harbour Clinic too, at the desk.",
            "The Harbour Clinic is closed on Sundays.",
        ],
        ["Ruth"],
        ["Ivo works", "closed on Sundays"],
    ),
    (
        "忘掉老蒋",
        ["老蒋住在三单元，爱下象棋。", "老许也住三单元，养了一只八哥。", "三单元的电梯坏了。"],
        ["爱下象棋"],
        ["八哥", "电梯坏了"],
    ),
    (
        "delete my physio",
        [
            "My physio is on Baker Street, she's brilliant.",
            "My optician is on Baker Street as well.",
            "Baker Street gets flooded a lot.",
        ],
        ["she's brilliant"],
        ["optician", "flooded"],
    ),
    (
        "忘掉周二的钢琴课",
        ["钢琴课在周二晚上，老师住我家对面。", "周二我还要去拿快递。", "周四是游泳课。"],
        ["住我家对面"],
        ["拿快递", "游泳课"],
    ),
    (
        "forget the blue bike",
        ["The blue bike has a flat tyre.", "The red bike is my daughter's.", "My helmet is blue."],
        ["flat tyre"],
        ["my daughter's", "helmet is blue"],
    ),
    (
        "删除我大舅的所有内容",
        ["大舅在县城开五金店。", "二舅在县城开出租。", "大舅下个月做六十大寿，要摆十桌。"],
        ["五金店", "摆十桌"],
        ["开出租"],
    ),
    (
        "把建设银行那张卡的事删了",
        ["建设银行那张卡尾号是6021，每月还房贷。", "招商银行的卡尾号是7788。", "我同事在建设银行上班。"],
        ["6021"],
        ["7788", "上班"],
    ),
    (
        "forget my aunt in Cork",
        ["My aunt in Cork breeds alpacas.", "My uncle in Cork plays the fiddle.", "My aunt in Sligo is a judge."],
        ["alpacas"],
        ["fiddle", "is a judge"],
    ),
    (
        "忘掉小明",
        ["小明把我的充电器弄坏了。", "我看小明星综艺看得停不下来。", "天一亮小明他妈就喊他。"],
        ["充电器"],
        ["停不下来"],
    ),
    (
        "forget Ed",
        ["Ed borrowed my drill.", "I need to edit my essay.", "We had bread and red wine."],
        ["borrowed my drill"],
        ["edit my essay", "red wine"],
    ),
    (
        "忘掉白雪这个同事",
        ["白雪是我同事，坐我对面。", "外面白雪皑皑的真好看。", "白雪公主是我女儿最爱的动画片。"],
        ["坐我对面"],
        ["真好看", "动画片"],
    ),
    (
        "everything about May",
        ["May lives upstairs and plays the harp.", "I may go to Rome.", "My exam is in May."],
        ["plays the harp"],
        ["may go to Rome"],
    ),
    (
        "forget Cole",
        ["Cole is my trainer.", "We use charcoal for the grill, no coleslaw.", "I have a cold."],
        ["my trainer"],
        ["coleslaw", "have a cold"],
    ),
    (
        "forget Will",
        ["Will is my brother-in-law, he's a vet.", "I will call the plumber.", "Grandma's will is at the notary."],
        ["he's a vet"],
        ["call the plumber", "at the notary"],
    ),
    ("把高兴忘了", ["高兴是我大学同学的名字，他现在在新疆。", "我今天特别高兴。"], ["在新疆"], ["特别高兴"]),
    ("忘了我不吃羊肉", ["我不吃羊肉。", "我老公特别爱吃羊肉。", "我不吃芹菜。"], ["我不吃羊肉"], ["特别爱吃", "芹菜"]),
    (
        "forget that I don't drink",
        ["I don't drink.", "My flatmate drinks a lot.", "I don't drink coffee after 3."],
        ["I don't drink."],
        ["flatmate drinks"],
    ),
    (
        "forget everything about my new job apart from the start date",
        ["My new job is at a brewery.", "The new job starts on 3 March.", "My new boss wears odd socks."],
        ["brewery"],
        ["3 March"],
    ),
    (
        "把搬家的事都忘掉，搬家公司的电话留着",
        ["我下周搬家。", "搬家公司的电话是400-123-9988。", "搬家要花两千。"],
        ["下周搬家", "两千"],
        ["400-123-9988"],
    ),
    (
        "forget the holiday but hang on to the flight number",
        ["Our holiday is in Malta.", "The holiday flight number is KM 613.", "The holiday costs a fortune."],
        ["in Malta", "a fortune"],
        ["KM 613"],
    ),
    (
        "别再记得我没有驾照",
        ["我没有驾照。", "我弟有驾照。", "我没有信用卡。"],
        ["我没有驾照"],
        ["我弟有驾照", "信用卡"],
    ),
    (
        "forget everything about Nadia except that she's a doctor",
        ["Nadia is a doctor.", "Nadia lives in Oslo.", "Nadia broke her leg."],
        ["Oslo", "broke her leg"],
        ["Nadia is a doctor"],
    ),
    (
        "健身房的都删了，密码除外",
        ["健身房在二楼。", "健身房的柜子密码是4432。", "健身房月底关门。"],
        ["二楼", "月底关门"],
        ["4432"],
    ),
    (
        "forget my uncle's allotment",
        [
            "My uncle's allotment is in Deal, he grows leeks there.",
            "The allotment floods every winter.",
            "My own garden is tiny.",
        ],
        ["leeks", "floods"],
        ["tiny"],
    ),
    (
        "忘了我外婆的一切",
        ["我外婆是裁缝，做了一辈子旗袍。", "外婆上个月住院了，我请假去陪她。", "奶奶一个人住。"],
        ["旗袍", "住院"],
        ["奶奶一个人住"],
    ),
    (
        "我表弟的事全部删除",
        ["我表弟在做直播带货。", "表弟昨天来我家借相机，弄丢了镜头盖。", "我表妹在读大三。"],
        ["直播带货", "镜头盖"],
        ["读大三"],
    ),
    (
        "关于那家面馆的别留",
        ["楼下新开的面馆，牛肉面十八一碗。", "面馆老板是兰州人，嗓门特别大。", "楼下还有家理发店。"],
        ["十八一碗", "嗓门"],
        ["理发店"],
    ),
    (
        "忘掉我的合伙人老樊",
        ["老樊是我的合伙人，管供应链。", "老樊想撤资，我俩谈崩了。", "我的会计是个新人。"],
        ["供应链", "谈崩"],
        ["是个新人"],
    ),
    (
        "把广场舞相关的都删掉",
        ["我妈天天去跳广场舞，音响声音特别大。", "广场舞的领队姓齐，人很凶。", "广场旁边有个药店。"],
        ["音响", "很凶"],
        ["药店"],
    ),
    (
        "请删除我跟小邓的一切",
        ["小邓是我相亲对象，比我小两岁。", "跟小邓去看了电影，他全程玩手机。", "小郑给我介绍了新工作。"],
        ["小两岁", "玩手机"],
        ["新工作"],
    ),
    (
        "请忘掉我的甲状腺手术",
        ["我四月份做了甲状腺手术，脖子上留了疤。", "甲状腺手术花了两万多，医保报了一半。", "我眼睛有点近视。"],
        ["留了疤", "报了一半"],
        ["近视"],
    ),
    (
        "阿雯这个人，删掉",
        ["阿雯是我高中同桌，现在在做美甲。", "上周末跟阿雯去逛街，她买了三双鞋。", "我大学同桌叫小满。"],
        ["美甲", "三双鞋"],
        ["小满"],
    ),
    (
        "忘了我们楼的群",
        ["我们楼有个业主群，天天吵架。", "群里有人卖自家种的草莓。", "我们楼一共十八层。"],
        ["天天吵架"],
        ["十八层"],
    ),
    (
        "delete my hip replacement from memory",
        [
            "I'm having a hip replacement in October, the surgeon is Mr Vance.",
            "After the hip replacement I can't drive for six weeks.",
            "My shoulder is fine.",
        ],
        ["Mr Vance", "six weeks"],
        ["shoulder is fine"],
    ),
    (
        "forget about Wanda and everything she told me",
        [
            "Wanda from the pool is moving to Malta.",
            "Wanda told me her divorce is through, she's over the moon.",
            "Wendy runs the pool café.",
        ],
        ["moving to Malta", "over the moon"],
        ["Wendy runs"],
    ),
    (
        "forget our holiday cottage",
        [
            "We rent a holiday cottage in Wales every August.",
            "The cottage has no wifi, which the kids hate.",
            "Our house has terrible wifi too.",
        ],
        ["every August", "the kids hate"],
        ["terrible wifi"],
    ),
    (
        "wipe the choir stuff",
        [
            "I sing alto in a choir, we rehearse in a barn.",
            "Choir dues are 90 pounds a year.",
            "My son plays the triangle.",
        ],
        ["rehearse in a barn", "90 pounds"],
        ["triangle"],
    ),
    (
        "everything about my colleague Yusuf must go",
        [
            "Yusuf sits opposite me and hums all day.",
            "My colleague Yusuf is getting married in June. He's invited half the office.",
            "My colleague Petra works from home.",
        ],
        ["hums all day", "getting married", "half the office"],
        ["Petra works from home"],
    ),
    (
        "I'd like the vasectomy forgotten",
        [
            "I had a vasectomy last winter, it was over in ten minutes.",
            "My wife drove me home after the vasectomy.",
            "My wife is a paramedic.",
        ],
        ["ten minutes", "drove me home"],
        ["paramedic"],
    ),
    (
        "you know the beekeeping course? forget it",
        [
            "I signed up for a beekeeping course in Hove.",
            "The beekeeping course starts at nine on Saturdays.",
            "I work at a garden centre.",
        ],
        ["in Hove", "nine on Saturdays"],
        ["garden centre"],
    ),
    (
        "clear everything to do with Mum's house move",
        [
            "Mum's moving house in July, she's downsizing to a flat.",
            "The house move is costing Mum a fortune.",
            "Mum plays bridge on Mondays.",
        ],
        ["downsizing", "a fortune"],
        ["plays bridge"],
    ),
]


def rest_of(wish: Wish, statements: list[Said]) -> list[str]:
    """What is left of a conversation, loosely if nothing meets all of a description: as `forget/find` does."""
    known = Known(wish)
    for one in statements:
        known.learn(one)
    for understood in filter(None, (wish, known.loosely)):
        talk = Discourse(understood, known)
        found = [(one.text, talk.decide([one])[0]) for one in statements]
        if any(meant for _, meant in found):
            return [text if meant is None else cut(text, meant.spans or ((0, len(text)),)) for text, meant in found]
    return [one.text for one in statements]


@each(("ask", "said", "gone", "stays"), CASES)
def test_what_goes_on_about_it_goes_and_what_stands_beside_it_stays(
    ask: str, said: list[str], gone: list[str], stays: list[str]
) -> None:
    statements = [a_statement(one) for one in said]
    everything = fold("\n".join(said))
    assert all(fold(text) in everything for text in (*gone, *stays)), "the case speaks of what was never said"

    rest = fold("\n".join(rest_of(understand(ask, NOW), statements)))

    assert [text for text in gone if fold(text) in rest] == []
    assert [text for text in stays if fold(text) not in rest] == []


@each(
    ("ask", "said", "goes"),
    [
        ("everything about Lena", "I'm picking her up at six.", True),
        ("everything about Lena", "My aunt says she is tired.", False),
        ("everything about Lena", "Marta called, I like her.", False),
        ("忘掉小冯", "昨天跟他吵了一架。", True),
        ("忘掉小冯", "我妈说她累了。", False),
    ],
)
def test_a_pronoun_stands_for_whom_the_message_before_was_about_unless_somebody_else_was_named(
    ask: str, said: str, goes: bool
) -> None:
    wish = understand(ask, NOW)
    talk = Discourse(wish, Known(wish))
    first = "Lena is my cousin." if "Lena" in ask else "小冯是我同事。"
    talk.decide([Said(text=first, at=NOW)])
    [found] = talk.decide([Said(text=said, at=NOW)])
    assert (found is not None) == goes
