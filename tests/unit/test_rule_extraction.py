"""What the rules find in English, Chinese and mixed messages, and what they leave alone."""

from __future__ import annotations

import time
from typing import NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from shared.models.extraction import Candidate, ContentType, Extractor, Utterance
from shared.models.rules import RuleExtractor
from shared.models.rules.folding import fold, mask
from tests.support.depth import examples
from tests.support.tables import each


def extract(text: str, role: str = "user") -> list[Candidate]:
    return RuleExtractor().extract([Utterance(role=role, text=text)])


class Said(NamedTuple):
    message: str
    text: str
    content_type: ContentType
    importance: int = 5
    taboo: bool = False


ENGLISH_STATEMENTS = [
    Said("I prefer short answers with code first.", "I prefer short answers with code first.", "preference"),
    Said("By the way, I really love hiking in the Alps!", "I really love hiking in the Alps!", "preference"),
    Said("well, i can't stand horror films", "i can't stand horror films", "preference"),
    Said("I don’t like being interrupted", "I don’t like being interrupted", "preference"),
    Said("I hate it when people are late.", "I hate it when people are late.", "preference"),
    Said("My favourite band is Radiohead.", "My favourite band is Radiohead.", "preference"),
    Said(
        "my all-time favorite books are the Discworld novels",
        "my all-time favorite books are the Discworld novels",
        "preference",
    ),
    Said("I'm a big fan of Terry Pratchett.", "I'm a big fan of Terry Pratchett.", "preference"),
    Said("Please always answer in British English.", "Please always answer in British English.", "preference"),
    Said("From now on, answer in French.", "From now on, answer in French.", "preference"),
    Said("From now on, please keep it under 100 words.", "From now on, please keep it under 100 words.", "preference"),
    Said("I want you to always cite sources.", "I want you to always cite sources.", "preference"),
    Said("Just call me Sam.", "Just call me Sam.", "preference", 6),
    Said("You can call me Al", "You can call me Al", "preference", 6),
    Said("I prefer `uv` over pip.", "I prefer `uv` over pip.", "preference"),
    Said("Please never use emojis.", "Please never use emojis.", "constraint", 7),
    Said("Never mention my divorce.", "Never mention my divorce.", "constraint", 9, taboo=True),
    Said("please don't recommend horror movies", "please don't recommend horror movies", "constraint", 9, taboo=True),
    Said("I'm allergic to peanuts.", "I'm allergic to peanuts.", "constraint", 9, taboo=True),
    Said("im severely allergic to bee stings", "im severely allergic to bee stings", "constraint", 9, taboo=True),
    Said("I have a severe nut allergy.", "I have a severe nut allergy.", "constraint", 9, taboo=True),
    Said("My daughter is allergic to eggs.", "My daughter is allergic to eggs.", "constraint", 9, taboo=True),
    Said("I have type 2 diabetes", "I have type 2 diabetes", "fact", 9, taboo=True),
    Said("I'm pregnant.", "I'm pregnant.", "fact", 9, taboo=True),
    Said("I take warfarin every morning", "I take warfarin every morning", "fact", 9, taboo=True),
    Said("I can't eat gluten.", "I can't eat gluten.", "constraint", 9, taboo=True),
    Said("I'm vegetarian", "I'm vegetarian", "constraint", 7),
    Said("I am a strict vegan.", "I am a strict vegan.", "constraint", 7),
    Said("I don't eat pork, shellfish or beef.", "I don't eat pork, shellfish or beef.", "constraint", 7),
    Said("I no longer drink alcohol.", "I no longer drink alcohol.", "constraint", 7),
    Said("My budget is 800 euros.", "My budget is 800 euros.", "constraint", 7),
    Said("I can't spend more than $50 a month.", "I can't spend more than $50 a month.", "constraint", 7),
    Said("My name is Ana María.", "My name is Ana María.", "fact", 6),
    Said("Hi, I'm Priya!", "I'm Priya!", "fact", 6),
    Said("Hello there! I am Tom Baker and I need a recipe", "I am Tom Baker", "fact", 6),
    Said("I'm a nurse from Leeds.", "I'm a nurse from Leeds.", "fact", 6),
    Said("I work as a data engineer at Acme.", "I work as a data engineer at Acme.", "fact", 6),
    Said("I currently live in St. Louis, Missouri.", "I currently live in St. Louis, Missouri.", "fact", 6),
    Said("we moved a lot, but I grew up in Lagos", "I grew up in Lagos", "fact"),
    Said("I'm originally from Brazil", "I'm originally from Brazil", "fact"),
    Said("I'm 34 years old.", "I'm 34 years old.", "fact"),
    Said("My wife is called Ana.", "My wife is called Ana.", "fact"),
    Said("My dog's name is Rex 🐶", "My dog's name is Rex 🐶", "fact"),
    Said("I have two kids and a cat.", "I have two kids and a cat.", "fact"),
    Said("I've got a golden retriever dog", "I've got a golden retriever dog", "fact"),
    Said("I speak Spanish and a little Basque.", "I speak Spanish and a little Basque.", "fact"),
    Said("I mostly use VS Code on Linux.", "I mostly use VS Code on Linux.", "fact"),
    Said("I'm studying law at Leiden.", "I'm studying law at Leiden.", "fact"),
    Said("My birthday is on 3 May.", "My birthday is on 3 May.", "fact"),
    Said("I'm moving to Lisbon in September.", "I'm moving to Lisbon in September.", "fact"),
    Said("I no longer live in Paris.", "I no longer live in Paris.", "fact"),
    Said("I used to live in Paris", "I used to live in Paris", "fact"),
    Said("- I live in Oslo", "I live in Oslo", "fact", 6),
    Said("Since I live in Berlin, what should I see this weekend?", "I live in Berlin", "fact", 6),
    Said("I live in Berlin, can you recommend a restaurant?", "I live in Berlin", "fact", 6),
    Said("If possible, I prefer window seats.", "I prefer window seats.", "preference"),
]

CHINESE_STATEMENTS = [
    Said("我喜欢爬山。", "我喜欢爬山。", "preference"),
    Said("其实我更喜欢简短的回答", "我更喜欢简短的回答", "preference"),
    Said("我不喜欢香菜", "我不喜欢香菜", "preference"),
    Said("我特别讨厌开会！", "我特别讨厌开会！", "preference"),
    Said("我最喜欢的颜色是蓝色。", "我最喜欢的颜色是蓝色。", "preference"),
    Said("Python是我最喜欢的语言", "Python是我最喜欢的语言", "preference"),
    Said("请以后都用中文回答。", "请以后都用中文回答。", "preference"),
    Said("以后，请用英文回复我", "以后，请用英文回复我", "preference"),
    Said("叫我小王就行", "叫我小王就行", "preference", 6),
    Said("你可以叫我阿强。", "你可以叫我阿强。", "preference", 6),
    Said("我喜歡喝茶", "我喜歡喝茶", "preference"),
    Said("我对花生过敏。", "我对花生过敏。", "constraint", 9, taboo=True),
    Said("我對海鮮嚴重過敏", "我對海鮮嚴重過敏", "constraint", 9, taboo=True),
    Said("我有糖尿病", "我有糖尿病", "fact", 9, taboo=True),
    Said("我怀孕了，想要一份食谱", "我怀孕了", "fact", 9, taboo=True),
    Said("我不能吃辣。", "我不能吃辣。", "constraint", 9, taboo=True),
    Said("我女儿对鸡蛋过敏", "我女儿对鸡蛋过敏", "constraint", 9, taboo=True),
    Said("千万别提我的前任。", "千万别提我的前任。", "constraint", 9, taboo=True),
    Said("不要给我推荐恐怖片", "不要给我推荐恐怖片", "constraint", 9, taboo=True),
    Said("不要给我发表情包", "不要给我发表情包", "constraint", 7),
    Said("我不吃猪肉", "我不吃猪肉", "constraint", 7),
    Said("我是素食者。", "我是素食者。", "constraint", 7),
    Said("我吃素", "我吃素", "constraint", 7),
    Said("我的预算是五千元", "我的预算是五千元", "constraint", 7),
    Said("我叫李雷。", "我叫李雷。", "fact", 6),
    Said("你好，我是一名护士", "我是一名护士", "fact", 6),
    Said("我是软件工程师。", "我是软件工程师。", "fact", 6),
    Said("我住在北京朝阳区", "我住在北京朝阳区", "fact", 6),
    Said("我在百度工作。", "我在百度工作。", "fact", 6),
    Said("我来自成都", "我来自成都", "fact"),
    Said("我今年28岁", "我今年28岁", "fact"),
    Said("我今年二十八岁了。", "我今年二十八岁了。", "fact"),
    Said("我妻子叫小美", "我妻子叫小美", "fact"),
    Said("我有一只猫。", "我有一只猫。", "fact"),
    Said("我家有两个孩子", "我家有两个孩子", "fact"),
    Said("我养了三只柯基", "我养了三只柯基", "fact"),
    Said("我会说日语和英语。", "我会说日语和英语。", "fact"),
    Said("我平时用 Neovim 写代码", "我平时用 Neovim 写代码", "fact"),
    Said("我的生日是5月3日。", "我的生日是5月3日。", "fact"),
    Said("我以前住在上海", "我以前住在上海", "fact", 6),
    Said("我的爱好是摄影", "我的爱好是摄影", "fact", 6),
    Said("我的专业是法律", "我的专业是法律", "fact", 6),
    Said("我住在上海，今天有什么好玩的？", "我住在上海", "fact", 6),
]

SAYING_NOTHING = [
    "",
    "   \n\n ",
    "do you like tea?",
    "What's my name?",
    "Is my favourite colour blue?",
    "I like tea, right?",
    "if I lived in Rome, I would eat well",
    "If I were vegetarian, what could I order?",
    "Imagine I live in a castle and I love dragons.",
    "would I like Berlin?",
    "I wish I lived in Rome",
    "she said I am a nurse",
    "He said, I am vegetarian.",
    "my friend likes jazz",
    "She thinks I like tea and I hate coffee",
    "They live in Berlin",
    "Alice: I live in Paris. I like tea.",
    "I like this draft",
    "I love it!",
    "I prefer the second option",
    "I hate to bother you",
    "I love your answer, thanks",
    "I need you to fix this",
    "I want you to write a poem",
    "I am looking for a function that sorts",
    "I'm trying to install numpy",
    "I am going to run the tests",
    "I'd like to know the time",
    "I have a question about my code",
    "I'm a bit confused",
    "I use this function to sort",
    "I use a for loop here",
    "Never mind.",
    "never seen that before",
    "Call me back later",
    "I'm 100% sure",
    "I'm sorry",
    "`I like tea`",
    "```\nI live in Berlin\nI'm allergic to nuts\n```",
    "~~~\nI live in Berlin\n~~~",
    "> I live in Berlin",
    '"I love cats" is a strange title',
    "‘I'm allergic to nuts’ is the phrase",
    "see https://example.org/I-like-tea",
    "Translate to French: I am allergic to peanuts.",
    "Translate the following.\nI live in Berlin.\nI'm a nurse.",
    "Write a story where I am a wizard and I live in a tower.",
    "Pretend with me. I am a knight.",
    "My birthday is tomorrow",
    "My flight is late and my computer is slow",
    "Don't remember this: I live in Berlin",
    "I live in Berlin. Please don't save that.",
    "Do you remember that I like tea?",
    "Remember when I lived in Rome?",
    "Don't use recursion in this function",
    "Never return None in this function",
    "我喜欢什么？",
    "我喜欢吃什么",
    "你知道我住在哪里吗？",
    "我叫什么名字",
    "你喜欢猫吗",
    "我喜欢你的回答",
    "我喜欢这个方案",
    "我爱你",
    "如果我住在北京，我会很开心",
    "假如我对花生过敏怎么办",
    "她说她喜欢猫",
    "他说，我喜欢狗",
    "我朋友喜欢爵士乐",
    "他住在上海",
    "我想请你帮我写一封信",
    "我想知道明天的天气",
    "我是想问一下医生的事",
    "我有一个问题",
    "我在做一个项目",
    "我在用电脑工作",
    "我习惯了",
    "请用三句话总结这段话",
    "翻译成英文：我喜欢你的猫。我住在上海。",
    "妈妈叫我吃饭",
    "叫我怎么办",
    "不要记住：我住在北京",
    "我住在北京。别记下来。",
    "> 我对花生过敏",
    "“我住在北京”这句话怎么翻译",
    "我是不是应该辞职",
    "我生日快到了",
    "小明：我住在北京。",
]


@each("said", [*ENGLISH_STATEMENTS, *CHINESE_STATEMENTS])
def test_a_statement_about_the_person_is_found_in_their_own_words(said: Said):
    [found] = extract(said.message)
    assert (found.text, found.content_type) == (said.text, said.content_type)
    assert (found.importance, found.taboo, found.explicit) == (said.importance, said.taboo, False)
    assert said.message[found.quote_start : found.quote_end] == said.text


@each("message", SAYING_NOTHING)
def test_what_is_no_lasting_statement_about_the_person_is_left_alone(message: str):
    assert extract(message) == []


SEVERAL = [
    ("I live in Berlin and I'm allergic to peanuts.", ["I live in Berlin", "I'm allergic to peanuts."]),
    ("I like Python, but I hate YAML", ["I like Python", "I hate YAML"]),
    ("我住在北京，我对花生过敏。", ["我住在北京", "我对花生过敏。"]),
    ("我喜欢猫但是我对猫毛过敏", ["我喜欢猫", "我对猫毛过敏"]),
    ("我叫小明 我住在北京", ["我叫小明", "我住在北京"]),
    ("My name is 小明，我住在北京", ["My name is 小明", "我住在北京"]),
    ("1. I like tea\r\n2. 我不吃辣", ["I like tea", "我不吃辣"]),
    (
        "Hi! I'm Maria, a teacher from Porto, and I have two dogs.",
        ["I'm Maria, a teacher from Porto", "I have two dogs."],
    ),
    ("I love tea because I'm from Leeds. Can you sort this list?", ["I love tea", "I'm from Leeds."]),
]


@each(("message", "texts"), SEVERAL)
def test_each_fact_of_a_message_has_its_own_quote(message: str, texts: list[str]):
    found = extract(message)
    assert [candidate.text for candidate in found] == texts
    assert [message[candidate.quote_start : candidate.quote_end] for candidate in found] == texts


EXPLICIT = [
    ("Remember that the door code changes in May.", "the door code changes in May.", "note", 8, False),
    ("please remember I'm vegan", "I'm vegan", "constraint", 8, False),
    ("Can you remember that I like tea?", "I like tea", "preference", 8, False),
    ("Don't forget that I'm allergic to nuts!", "I'm allergic to nuts!", "constraint", 9, True),
    ("Don’t forget: my son is called Max", "my son is called Max", "fact", 8, False),
    ("Note that our office closes at 6", "our office closes at 6", "fact", 8, False),
    ("Keep in mind that I'm colour blind.", "I'm colour blind.", "fact", 9, True),
    ("Remember to always add tests.", "always add tests.", "preference", 8, False),
    ("Remember: nut allergy at our table", "nut allergy at our table", "constraint", 9, True),
    ("Remember that if I travel, I prefer aisle seats.", "if I travel, I prefer aisle seats.", "note", 8, False),
    ("Remember I'm vegan, so please suggest a recipe", "I'm vegan", "constraint", 8, False),
    ("I'm a nurse, please remember that.", "I'm a nurse", "fact", 8, False),
    ("I live in Oslo. Remember that.", "I live in Oslo.", "fact", 8, False),
    ("The gate code is 1234. Please remember this!", "The gate code is 1234.", "note", 8, False),
    ("Save to memory: I prefer dark mode", "I prefer dark mode", "preference", 8, False),
    ("记住我喜欢喝茶。", "我喜欢喝茶。", "preference", 8, False),
    ("记住这个：我住在上海。", "我住在上海。", "fact", 8, False),
    ("请记住这个，我住在上海。", "我住在上海。", "fact", 8, False),
    ("帮我记住这些：我的车停在B2", "我的车停在B2", "note", 8, False),
    ("请记住：我的车停在B2", "我的车停在B2", "note", 8, False),
    ("请记住，我每周三下午不开会。", "我每周三下午不开会。", "constraint", 8, False),
    ("別忘了我對蝦過敏", "我對蝦過敏", "constraint", 9, True),
    ("帮我记一下，周五要交报告", "周五要交报告", "note", 8, False),
    ("千万别忘了我女儿叫小红", "我女儿叫小红", "fact", 8, False),
    ("我对芒果过敏，请记住。", "我对芒果过敏", "constraint", 9, True),
    ("门口的密码改了。记住了。", "门口的密码改了。", "note", 8, False),
    ("我想让你记住我住在广州", "我住在广州", "fact", 8, False),
]


@each(("message", "text", "content_type", "importance", "taboo"), EXPLICIT)
def test_what_the_person_asks_to_remember_is_explicit(
    message: str, text: str, content_type: ContentType, importance: int, taboo: bool
):
    [found] = extract(message)
    assert found.explicit
    assert (found.text, found.content_type, found.importance, found.taboo) == (text, content_type, importance, taboo)
    assert message[found.quote_start : found.quote_end] == text


def test_a_list_under_remember_this_is_explicit_up_to_the_blank_line():
    found = extract("Remember this:\n- I like tea\n- The wifi is called Foo\n\nI hate coffee.")
    assert [(candidate.text, candidate.explicit) for candidate in found] == [
        ("I like tea", True),
        ("The wifi is called Foo", True),
        ("I hate coffee.", False),
    ]


@each("message", ["Remember that", "Remember!", "Remember:", "请记住", "记住！", "Remember me?"])
def test_a_request_to_remember_nothing_yields_nothing(message: str):
    assert extract(message) == []


def test_a_safety_matter_inside_another_statement_keeps_its_mark():
    assert [candidate.taboo for candidate in extract("I live in Berlin and am allergic to nuts")] == [False, True]
    assert [candidate.taboo for candidate in extract("我叫小明，对花生过敏")] == [False, True]
    assert [candidate.text for candidate in extract("What can I cook, I'm allergic to nuts?")] == [
        "I'm allergic to nuts"
    ]


@each("message", ["I'm not allergic to anything", "I have no allergies.", "我对花生不过敏"])
def test_a_denied_allergy_is_a_fact_without_a_mark(message: str):
    [found] = extract(message)
    assert (found.content_type, found.taboo) == ("fact", False)


def test_repetitions_in_one_call_are_dropped_and_an_explicit_one_wins():
    messages = ["I like tea.", "i  LIKE tea!!", "Remember that I like tea", "我喜欢茶。", "我喜欢茶"]
    found = RuleExtractor().extract([Utterance(role="user", text=message) for message in messages])
    assert [(candidate.utterance, candidate.explicit) for candidate in found] == [(2, True), (3, False)]


def test_evidence_is_numbered_by_utterance_and_only_users_are_heard():
    roles = ["system", "user", "assistant", "tool", "user"]
    found = RuleExtractor().extract([Utterance(role=role, text=f"I like tea {n}") for n, role in enumerate(roles)])
    assert [candidate.utterance for candidate in found] == [1, 4]


def test_an_overlong_statement_is_cut_between_words_and_its_quote_with_it():
    message = "I like " + "very long stories " * 100
    [found] = extract(message)
    assert len(found.text) <= 500
    assert found.text.endswith(("very", "long", "stories"))
    assert message[found.quote_start : found.quote_end] == found.text


def test_full_width_letters_emoji_and_surrogate_pairs_keep_offsets():
    message = "👩‍🚀🎉 ＭＹ　ｎａｍｅ　ｉｓ　Ａｎａ． 😀我喜欢🍵！"
    found = extract(message)
    assert [candidate.text for candidate in found] == ["ＭＹ　ｎａｍｅ　ｉｓ　Ａｎａ．", "我喜欢🍵！"]


def test_the_extractor_is_an_extractor():
    extractor: Extractor = RuleExtractor()
    assert extractor.extract([]) == []


FRAGMENTS = st.sampled_from(
    [
        *(said.message for said in [*ENGLISH_STATEMENTS, *CHINESE_STATEMENTS]),
        *SAYING_NOTHING,
        *(message for message, *_ in EXPLICIT),
        *"\n ,.?!;:'\"`>。，？！“”「」()-🍕",
        "```",
        "\u200b",
        "e\u0301",
        "\ufffc",
        "\ud83d",
        "ﬁ",
        "㍿",
    ]
)
MESSAGES = st.one_of(
    st.text(max_size=200), st.lists(st.one_of(FRAGMENTS, st.text(max_size=8)), max_size=12).map("".join)
)


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "system", "tool", ""]), MESSAGES), max_size=4))
@example([("user", "I AAA 0\x1f")])
@settings(max_examples=examples(100), deadline=None)
def test_every_candidate_quotes_a_user_message(turn: list[tuple[str, str]]):
    utterances = [Utterance(role=role, text=text) for role, text in turn]
    found = RuleExtractor().extract(utterances)
    assert found == RuleExtractor().extract(utterances)
    assert found == sorted(found, key=lambda candidate: (candidate.utterance, candidate.quote_start))
    for candidate in found:
        source = utterances[candidate.utterance]
        assert source.role == "user"
        assert 0 <= candidate.quote_start < candidate.quote_end <= len(source.text)
        assert candidate.text.endswith(source.text[candidate.quote_start : candidate.quote_end])
        assert candidate.text == candidate.text.strip()
        assert 1 <= len(candidate.text) <= 500
        assert 1 <= candidate.importance <= 10
        assert candidate.importance >= 8 or not candidate.explicit
        assert candidate.importance >= 9 or not candidate.taboo
        assert candidate.task_hint is None or candidate.task_hint in source.text


@given(MESSAGES)
@settings(max_examples=examples(100), deadline=None)
def test_folding_and_masking_keep_the_length(message: str):
    assert len(mask(fold(message))) == len(fold(message)) == len(message)


ADVERSARIES = [
    *(
        "I ",
        "I, ",
        "I like ",
        "my ",
        "my a ",
        ", I",
        "and ",
        " and I",
        "don't ",
        "please, ",
        "remember that ",
        "a. ",
        "A: ",
    ),
    *(
        "我",
        "我，",
        "我喜欢",
        "对了，",
        "请记住，",
        " ",
        "\t",
        "\n ",
        "`",
        "'",
        "'a",
        '"',
        "“",
        "「",
        "```",
        "> ",
        "~~~\n",
        "(",
    ),
    *("http://", "www.a", "1.", "😀", "\u0301", "x", "\ufffc", "Translate ", "I like " + "x" * 300 + ", "),
    *(
        "every day ",
        "I have a ",
        "when I cook, ",
        " and work",
        "for my ",
        "no ",
        "字",
        "字 ",
        "，我",
        "的时候，",
        "我每天",
        "以后",
    ),
]


def cost(message: str) -> float:
    started = time.process_time()
    extract(message)
    return time.process_time() - started


@each("unit", ADVERSARIES)
def test_the_work_grows_linearly_with_the_message(unit: str):
    """Eight times the length may cost up to thirty times as much; quadratic work would cost sixty-four times."""
    short, long = (unit * (size // len(unit) + 1) for size in (2_500, 20_000))
    floor = 0.002  # below this the clock's grain, not the work, is measured
    assert any(cost(long) < 30 * max(cost(short), floor) for _attempt in range(3))
