"""Sentences that mix Chinese and English: what they state is found whatever language its words are in."""

from __future__ import annotations

from shared.models.extraction import Candidate, ContentType, Utterance
from shared.models.rules import RuleExtractor
from shared.models.rules.code_switching import in_chinese, in_english
from tests.support.tables import each


def extract(text: str) -> list[Candidate]:
    return RuleExtractor().extract([Utterance(role="user", text=text)])


ENGLISH_WORDS_IN_CHINESE: list[tuple[str, str, ContentType]] = [
    ("我prefer早上开会", "我prefer早上开会", "preference"),
    ("我 husband 对 penicillin 过敏", "我 husband 对 penicillin 过敏", "constraint"),
    ("我们 family 不吃 pork", "我们 family 不吃 pork", "constraint"),
    ("我 notice period 是 two months", "我 notice period 是 two months", "fact"),
    ("我 visa 明年 March 到期", "我 visa 明年 March 到期", "fact"),
    ("我周三 WFH", "我周三 WFH", "fact"),
    ("我刚 move 到 Vancouver", "我刚 move 到 Vancouver", "fact"),
    ("我 left ear 听不到", "我 left ear 听不到", "fact"),
    ("我不太 into K-pop", "我不太 into K-pop", "preference"),
    ("我handle不了lactose", "我handle不了lactose", "preference"),
    ("我朋友圈都call我Vicky", "我朋友圈都call我Vicky", "preference"),
    ("please always 用 bullet points", "please always 用 bullet points", "preference"),
    ("units 一律用 metric", "units 一律用 metric", "preference"),
    ("周末我 prefer 在家", "周末我 prefer 在家", "preference"),
]
CHINESE_WORDS_IN_ENGLISH: list[tuple[str, str, ContentType]] = [
    ("I 住在浦东", "I 住在浦东", "fact"),
    ("I'm 做后端的", "I'm 做后端的", "fact"),
    ("my 猫叫Toby", "my 猫叫Toby", "fact"),
    ("我 allergic to peanuts", "我 allergic to peanuts", "constraint"),
    ("我 originally from Penang", "我 originally from Penang", "fact"),
    ("我有一只 golden retriever 叫 Max", "我有一只 golden retriever 叫 Max", "fact"),
]


@each(("message", "quote", "kind"), [*ENGLISH_WORDS_IN_CHINESE, *CHINESE_WORDS_IN_ENGLISH])
def test_what_a_mixed_sentence_states_is_found_in_the_persons_own_words(message: str, quote: str, kind: ContentType):
    [found] = extract(message)
    assert (found.text, found.content_type) == (quote, kind)


@each(
    "message",
    [
        "我 prefer 第二个 layout",
        "我run了一下test,全fail了",
        "我need一个新的title",
        "我做 load test 的时候 server 挂了",
        "我换成 async 之后更慢了",
        "我 return 一个 list",
        "我 stuck 在 level 5",
        "我 flight delay 了三个小时",
        "我在 Starbucks 写作业",
        "我去 Tokyo 玩三天,推荐行程",
        "我 friend 住 Berlin",
        "我老板 send 了封 email 给我,怎么 reply 比较好",
        "我是 follow 你的 step 2 报的错",
        "我有 a question about visa",
        "我该不该 quit 我的 job?",
        "如果我是 vegan,去四川能吃什么",
        "This 方案我不喜欢",
        "写一个 story:我 live in London,养了只猫",
        "remember 和 remind 怎么区分",
    ],
)
def test_mixed_talk_about_the_task_or_the_moment_is_left_alone(message: str):
    assert extract(message) == []


@each(
    ("message", "quote"),
    [
        ("帮我remember一下我的passport在抽屉里", "我的passport在抽屉里"),
        ("记得remember我是left-handed", "我是left-handed"),
        ("pls 记住我不吃cilantro", "我不吃cilantro"),
    ],
)
def test_a_mixed_wish_to_remember_is_explicit(message: str, quote: str):
    [found] = extract(message)
    assert (message[found.quote_start : found.quote_end], found.explicit) == (quote, True)


def test_a_mixed_wish_not_to_remember_is_kept():
    assert extract("don't 记住这个,我离婚了") == []
    assert extract("我离婚了,不要 remember 这个") == []


def test_a_comma_before_an_english_word_parts_chinese_clauses_but_no_list():
    assert [found.text for found in extract("我在 Shopee 做 SRE,on-call 一周一轮")] == [
        "我在 Shopee 做 SRE",
        "我on-call 一周一轮",
    ]
    assert [found.text for found in extract("我会 Python,Go 和 Rust")] == ["我会 Python,Go 和 Rust"]


def test_an_english_noun_is_a_subject_of_its_own():
    assert [found.text for found in extract("我在用 Notion,template 每次都丢")] == ["我在用 Notion,template 每次都丢"]


def test_thanks_are_no_part_of_a_statement():
    assert [found.text for found in extract("我不吃香菜 thx")] == ["我不吃香菜"]


@each(
    ("said", "chinese"),
    [
        ("我 team 全 remote", "我团队全远程办公"),
        ("我 switched 到 product manager", "我换到经理"),
        ("我住 Jurong Lake Gardens 附近", "我住Juro附近"),
        ("我很 into 徒步", "我很喜欢徒步"),
        ("没有英文", "没有英文"),
    ],
)
def test_english_words_are_said_in_chinese_and_names_cut_short(said: str, chinese: str):
    assert in_chinese(said) == chinese


def test_chinese_words_are_said_in_english_and_parted_from_it():
    assert in_english("我prefer这个layout") == "I prefer this layout"
