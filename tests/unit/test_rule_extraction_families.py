"""Every family of rules in English and Chinese, and what looks like each of them and is not."""

from __future__ import annotations

from shared.models.extraction import Candidate, ContentType, Utterance
from shared.models.rules import RuleExtractor
from tests.evaluation.extraction import score
from tests.evaluation.scoring import cases
from tests.support.tables import each

Found = tuple[str, ContentType, bool]


def extract(text: str) -> list[Candidate]:
    return RuleExtractor().extract([Utterance(role="user", text=text)])


def texts(message: str) -> list[str]:
    return [candidate.text for candidate in extract(message)]


SAFETY: list[tuple[str, Found]] = [
    ("I have celiac disease, can I eat oats?", ("I have celiac disease", "fact", True)),
    ("im alergic to shellfish", ("im alergic to shellfish", "constraint", True)),
    ("Penicillin gives me hives", ("Penicillin gives me hives", "constraint", True)),
    ("I’m 7 months pregnant, can I fly?", ("I’m 7 months pregnant", "fact", True)),
    ("I had a knee replacement last year. Is cycling ok?", ("I had a knee replacement last year.", "fact", True)),
    ("The doctor put me on a low sodium diet", ("The doctor put me on a low sodium diet", "constraint", True)),
    ("Both of my kids have nut allergies.", ("Both of my kids have nut allergies.", "constraint", True)),
    ("I can't wear wool, what jumper is warm?", ("I can't wear wool", "constraint", True)),
    (
        "Please don't ever bring up my father again.",
        ("Please don't ever bring up my father again.", "constraint", True),
    ),
    ("我青霉素过敏，牙疼能吃什么药", ("我青霉素过敏", "constraint", True)),
    ("對花粉過敏,春天怎麼出門", ("我對花粉過敏", "constraint", True)),
    ("我肠胃不好，早饭吃什么", ("我肠胃不好", "fact", True)),
    ("我怀孕了怎么办", ("我怀孕了", "fact", True)),
    ("医生让我少吃盐", ("医生让我少吃盐", "constraint", True)),
    ("我去年做了胆囊切除手术", ("我去年做了胆囊切除手术", "fact", True)),
    ("我每天要吃降压药", ("我每天要吃降压药", "fact", True)),
    ("我婆婆有糖尿病，年夜饭做什么菜合适", ("我婆婆有糖尿病", "fact", True)),
    ("千万别跟我提我前男友", ("千万别跟我提我前男友", "constraint", True)),
]
LIMITS: list[tuple[str, Found]] = [
    ("I gave up alcohol two years ago", ("I gave up alcohol two years ago", "constraint", False)),
    ("I don't do dairy. Creamy pasta?", ("I don't do dairy.", "constraint", False)),
    ("We're vegetarian at home", ("We're vegetarian at home", "constraint", False)),
    ("I can spend at most 40 quid. Headphones?", ("I can spend at most 40 quid.", "constraint", False)),
    ("I'm only reachable after 6pm on weekdays", ("I'm only reachable after 6pm on weekdays", "constraint", False)),
    ("My landlord doesn't allow pets.", ("My landlord doesn't allow pets.", "constraint", False)),
    ("Don't sugarcoat things with me", ("Don't sugarcoat things with me", "constraint", False)),
    ("我不吃葱姜蒜", ("我不吃葱姜蒜", "constraint", False)),
    ("我唔食得辣，泰國菜有咩揀", ("我唔食得辣", "constraint", False)),
    ("我买沙发的预算是六千。", ("我买沙发的预算是六千。", "constraint", False)),
    ("我只有周末有空", ("我只有周末有空", "constraint", False)),
    ("我下午五点以后才有空", ("我下午五点以后才有空", "constraint", False)),
    ("以后别给我剧透，任何剧都别", ("以后别给我剧透，任何剧都别", "constraint", False)),
]
PREFERENCES: list[tuple[str, Found]] = [
    ("I'd rather read than watch videos.", ("I'd rather read than watch videos.", "preference", False)),
    ("Honestly, jazz bores me.", ("jazz bores me.", "preference", False)),
    ("I'm a night owl", ("I'm a night owl", "preference", False)),
    ("I'm not a big fan of musicals", ("I'm not a big fan of musicals", "preference", False)),
    ("You can call me Ro", ("You can call me Ro", "preference", False)),
    ("Could you always answer in French?", ("Could you always answer in French", "preference", False)),
    ("No emojis please.", ("No emojis please.", "preference", False)),
    ("Use Celsius.", ("Use Celsius.", "preference", False)),
    ("我爱看悬疑小说，推荐几本", ("我爱看悬疑小说", "preference", False)),
    ("香菜我特别讨厌。", ("香菜我特别讨厌。", "preference", False)),
    ("我鍾意飲凍檸茶", ("我鍾意飲凍檸茶", "preference", False)),
    ("比起茶我更喜欢咖啡。", ("比起茶我更喜欢咖啡。", "preference", False)),
    ("以後回答請用台灣用語，謝謝", ("以後回答請用台灣用語", "preference", False)),
    ("以后能不能别用emoji？", ("以后能不能别用emoji", "preference", False)),
    ("回答尽量简短。", ("回答尽量简短。", "preference", False)),
    ("我 prefer 简短的回答", ("我 prefer 简短的回答", "preference", False)),
]
PEOPLE: list[tuple[str, Found]] = [
    ("My name's Ignatius", ("My name's Ignatius", "fact", False)),
    ("Everyone calls me Fitz.", ("Everyone calls me Fitz.", "preference", False)),
    ("I've been living in Osaka since 2019", ("I've been living in Osaka since 2019", "fact", False)),
    ("I'm a lorry driver", ("I'm a lorry driver", "fact", False)),
    ("I do my job from home.", ("I do my job from home.", "fact", False)),
    ("As a nurse, how do I sleep after nights?", ("As a nurse", "fact", False)),
    ("I'm twenty-six.", ("I'm twenty-six.", "fact", False)),
    ("We have a golden retriever named Waffles.", ("We have a golden retriever named Waffles.", "fact", False)),
    ("My husband and I both work nights", ("My husband and I both work nights", "fact", False)),
    ("My dog is scared of fireworks", ("My dog is scared of fireworks", "fact", False)),
    ("Odile is my manager.", ("Odile is my manager.", "fact", False)),
    ("Our anniversary is on the 8th of June", ("Our anniversary is on the 8th of June", "fact", False)),
    ("本人姓欧阳", ("本人姓欧阳", "fact", False)),
    ("我在合肥租房住。", ("我在合肥租房住。", "fact", False)),
    ("我喺中環返工", ("我喺中環返工", "fact", False)),
    ("我是夜班保安，白天睡不着怎么办", ("我是夜班保安", "fact", False)),
    ("我四十五了，还能学游泳吗", ("我四十五了", "fact", False)),
    ("我家五口人", ("我家五口人", "fact", False)),
    ("我老婆是四川人", ("我老婆是四川人", "fact", False)),
    ("我直属领导姓冯。", ("我直属领导姓冯。", "fact", False)),
    ("家里有个两岁的宝宝，怎么选净化器", ("我家里有个两岁的宝宝", "fact", False)),
]
LIVES: list[tuple[str, Found]] = [
    ("I speak Farsi at home", ("I speak Farsi at home", "fact", False)),
    ("I can't swim", ("I can't swim", "fact", False)),
    ("I don't have a dishwasher", ("I don't have a dishwasher", "fact", False)),
    ("My hair is curly and very dry.", ("My hair is curly and very dry.", "fact", False)),
    ("i commmute by bus", ("i commmute by bus", "fact", False)),
    ("Every day I'm up at six in the morning.", ("Every day I'm up at six in the morning.", "fact", False)),
    ("After my divorce I moved to Leeds.", ("After my divorce I moved to Leeds.", "fact", False)),
    ("I failed the driving test twice.", ("I failed the driving test twice.", "fact", False)),
    ("I'm saving for a house", ("I'm saving for a house", "fact", False)),
    ("I edit in DaVinci Resolve. LUT advice?", ("I edit in DaVinci Resolve.", "fact", False)),
    ("我不会开车，有没有公交能到？", ("我不会开车", "fact", False)),
    ("开车我不会。", ("开车我不会。", "fact", False)),
    ("我家在六楼没电梯", ("我家在六楼没电梯", "fact", False)),
    ("我写代码用 Sublime。", ("我写代码用 Sublime。", "fact", False)),
    ("我每周跑两次步。", ("我每周跑两次步。", "fact", False)),
    ("我被裁员了，怎么办", ("我被裁员了", "fact", False)),
    ("我在准备考公", ("我在准备考公", "fact", False)),
    ("我从没去过日本。", ("我从没去过日本。", "fact", False)),
    ("我用升降桌，地垫选多厚", ("我用升降桌", "fact", False)),
]


@each(("message", "expected"), [*SAFETY, *LIMITS, *PREFERENCES, *PEOPLE, *LIVES])
def test_each_family_is_found(message: str, expected: Found):
    [found] = extract(message)
    assert (found.text, found.content_type, found.taboo) == expected


LOOKS_LIKE_SAFETY = [
    "I'm allergic to Mondays",
    "I swear I'm allergic to meetings",
    "My friend is allergic to cats",
    "What if I was allergic to the anaesthetic?",
    "How do I say I am allergic to shellfish in Thai?",
    "I took two aspirin an hour ago, can I take ibuprofen?",
    "I can't eat now, I'm in a meeting",
    "The doctor said it's nothing, so what does benign mean",
    "I've got a headache today",
    "我对上班过敏",
    "对花生过敏的人能吃什么",
    "孕妇能喝咖啡吗",
    "我朋友对花生过敏",
    "主角对猫过敏，怎么写才自然",
    "我是不是过敏了",
    "我感冒了，喝什么好？",
    "我肚子疼",
]
LOOKS_LIKE_A_LIMIT = [
    "I can't eat another bite",
    "I never got the email",
    "I don't use that variable anywhere",
    "I can only upload one file",
    "Never use var in this snippet",
    "Don't tell me the answer yet!",
    "Is it ok if I skip breakfast?",
    "the client's budget is 5000 euros",
    "我不吃亏，直接退款",
    "我不吃这一套",
    "不吃碳水能瘦吗",
    "不能吃辣的人去四川怎么办",
    "这个项目预算多少合适",
    "不要改标题",
    "那家店周一不营业",
]
LOOKS_LIKE_A_PREFERENCE = [
    "I prefer version 2 but with the ending of version 1",
    "I like your first suggestion best",
    "I love that line about the sea",
    "I hate to ask, but can you redo it?",
    "I'd like to see three more examples",
    "I'd prefer a different title",
    "Call me when it's ready",
    "Make it shorter",
    "Can you write it in French?",
    "Answer in one word: is Pluto a planet?",
    "Summarise this article. Use bullet points.",
    "我喜欢你刚才那个比喻",
    "我更喜欢刚才那版",
    "我爱死这个设计了",
    "你说短点",
    "用表格列出来",
    "回答简短点，我在开会",
    "以后再聊",
    "以后会不会下雨",
    "大家都叫他老王",
]
LOOKS_LIKE_A_FACT = [
    "I'm in a meeting until 4",
    "I'm at the airport, flight is delayed",
    "I'm in Berlin for the weekend, what should I see?",
    "I'm on chapter 3",
    "I'm a bit late to the party",
    "I'm writing a story about a surgeon who's afraid of blood",
    "I'm looking for a gift for my dad",
    "I have two versions of this paragraph, which one is better?",
    "I have a table users with columns id, name, age",
    "I've been trying to fix this for two days",
    "I moved the button to the left",
    "I run the script and nothing happens",
    "I play the audio and there's no sound",
    "We use x to denote the input",
    "My cat is staring at me",
    "My colleague's kid just started school",
    "My name variable is undefined",
    "Imagine I'm a pirate. I have one leg and I drink rum.",
    "Suppose I earn 50k a year. I have two kids. What's the tax?",
    "In my story my wife is a ghost",
    "Here is my essay: I was born in Cuba and I love baseball.",
    "asking for a friend: I live abroad",
    "我在北京转机，晚上吃什么",
    "我在开会，简短点",
    "我在写一封邮件",
    "我有个问题",
    "我有两个版本，哪个好",
    "我同事不吃辣，聚餐去哪",
    "我妈叫我吃饭了",
    "我手机没电",
    "我刚下班，好累",
    "我每次点开都闪退",
    "我从来没见过这种错误",
    "我以前问过你这个问题",
    "我是按你说的做的，还是报错",
    "我是第一次用这个软件",
    "假设我30岁。我有两个孩子。该买什么保险？",
    "你现在是面试官，我是应聘者",
    "帮我写个自我介绍：我叫小明，来自北京",
    "在北京怎么租房",
]
LOOKS_LIKE_A_WISH_TO_REMEMBER = [
    "Do you remember the formula?",
    "Remember to add a semicolon",
    "Remember, the poem must rhyme",
    "Note that the array is zero-indexed",
    "Keep in mind the audience is children",
    "Will you remember this conversation?",
    "我记住了，谢谢你啊",
    "别忘了写结论",
    "记住，题目要求800字",
    "你记住了吗",
]


@each(
    "message",
    [
        *LOOKS_LIKE_SAFETY,
        *LOOKS_LIKE_A_LIMIT,
        *LOOKS_LIKE_A_PREFERENCE,
        *LOOKS_LIKE_A_FACT,
        *LOOKS_LIKE_A_WISH_TO_REMEMBER,
    ],
)
def test_what_only_looks_like_a_family_is_left_alone(message: str):
    assert texts(message) == []


SHARED_SUBJECTS = [
    ("I'm 67, retired last year, and I want a hobby. Ideas?", ["I'm 67", "I retired last year"]),
    ("I live in Rome and work at the zoo.", ["I live in Rome", "I work at the zoo."]),
    ("我喜欢 Rust，讨厌 Java", ["我喜欢 Rust", "我讨厌 Java"]),
    ("我是学生，方向是遥感，每周只能学十个小时", ["我是学生", "我方向是遥感", "我每周只能学十个小时"]),
    ("我会弹钢琴 也会一点吉他", ["我会弹钢琴", "我也会一点吉他"]),
    ("俺有俩娃，大的叫石头，小的叫豆豆", ["俺有俩娃，大的叫石头，小的叫豆豆"]),
    ("我妈今年七十了，跟我们住一起", ["我妈今年七十了，跟我们住一起"]),
    ("我是北方人，用普通剪刀特别别扭，有推荐的吗", ["我是北方人"]),
    ("I hate people who lie and never apologise.", ["I hate people who lie and never apologise."]),
]


@each(("message", "expected"), SHARED_SUBJECTS)
def test_a_clause_without_a_subject_gets_the_one_it_shares(message: str, expected: list[str]):
    assert texts(message) == expected


def test_a_supplied_subject_stands_outside_the_quote():
    message = "I live in Rome and work at the zoo."
    _, work = extract(message)
    assert (work.text, message[work.quote_start : work.quote_end]) == ("I work at the zoo.", "work at the zoo.")


WORDED_ALIKE = [
    ("I'm allergic to nuts", "I’m allergic to nuts", "im allergic to nuts", "I AM ALLERGIC TO NUTS!!"),
    ("I don't own a car", "i dont own a car", "I do not own a car."),
    ("我对花生过敏，能吃沙茶吗？", "我對花生過敏,能吃沙茶嗎?", "我对花生过敏 能吃沙茶吗"),
    ("我住在台北。", "我住在臺北", "我住喺臺北"),
]


@each("messages", WORDED_ALIKE)
def test_spelling_script_and_punctuation_make_no_difference(messages: tuple[str, ...]):
    seen = {tuple((found.content_type, found.taboo, found.importance) for found in extract(each)) for each in messages}
    assert len(seen) == 1
    assert len(seen.pop()) == 1


WEIGHTS = [
    ("I'm deathly allergic to bees", 10),
    ("I carry an EpiPen", 10),
    ("我对花生过敏，会致命", 9),
    ("I'm allergic to nuts", 9),
    ("我有哮喘", 9),
    ("Never mention my divorce", 9),
    ("Remember that the key is under the mat", 8),
    ("记住我喜欢喝茶", 8),
    ("I'm vegetarian", 7),
    ("我预算三千", 7),
    ("I live in Berlin", 6),
    ("我叫陈默", 6),
    ("I like tea", 5),
    ("我养了一只猫", 5),
    ("I edit in DaVinci Resolve.", 4),
]


@each(("message", "importance"), WEIGHTS)
def test_what_matters_more_weighs_more(message: str, importance: int):
    assert extract(message)[0].importance == importance


HINTS = [
    ("When I write reports, use short sentences.", "write reports"),
    ("Whenever I ask for recipes, give me grams.", "recipes"),
    ("For work emails, always sign as Dr. Weiss.", "work emails"),
    ("I prefer British spelling in my cover letters.", "cover letters"),
    ("写周报的时候，用三段式", "写周报"),
    ("寫論文的時候我習慣用 LaTeX", "寫論文"),
    ("工作邮件我习惯用英文", "工作邮件"),
    ("I live in Berlin.", None),
    ("I love hiking when it rains.", None),
    ("我住在上海", None),
]


@each(("message", "hint"), HINTS)
def test_a_task_that_the_words_name_becomes_the_hint(message: str, hint: str | None):
    assert [found.task_hint for found in extract(message)] == [hint]


FOR_GOOD = [
    ("温度都用摄氏度，重量用克，以后都这样", 1),
    ("Answer in full sentences. That goes for every chat.", 1),
    ("Answer in full sentences.", 1),
    ("Answer in full sentences. What is a monad?", 0),
    ("温度都用摄氏度。今天杭州多少度？", 0),
]


@each(("message", "count"), FOR_GOOD)
def test_an_order_counts_when_the_message_makes_it_last_or_says_nothing_else(message: str, count: int):
    assert bool(extract(message)) == bool(count)


def test_a_message_of_a_hundred_thousand_characters_is_read():
    message = "I live in Rome, and I like tea. " + "我每天跑步，" * 8_000 + "字" * 60_000
    found = extract(message)
    assert [candidate.text for candidate in found[:2]] == ["I live in Rome", "I like tea."]
    assert found[-1].quote_end <= len(message)


def test_the_open_half_of_the_labelled_cases_is_met():
    figures = score(cases("extraction", "open"))
    assert figures["precision"] >= 0.95
    assert figures["recall"] >= 0.90
    for language in figures["languages"].values():
        assert language["precision"] >= 0.90
        assert language["recall"] >= 0.85
