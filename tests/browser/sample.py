"""What somebody made up has said, in English and in Chinese, so that every screen has something true to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx

Turn = tuple[str, str]
"""What the person said, and the assistant."""


@dataclass(frozen=True, kw_only=True)
class Talk:
    title: str
    turns: Sequence[Turn]


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A person's conversations, and what they wrote down themselves."""

    language: str
    talks: Sequence[Talk]
    added: Sequence[dict[str, Any]]
    feedback: Sequence[str]
    question: str
    """One whose answer is in what was said."""
    forgotten: str
    """One of the things added, for whoever is to have forgotten something."""
    about_to_forget: str
    """A description of something to forget."""
    memories: int
    """How many of them all of this makes."""
    safety: int
    """How many of these are safety matters."""


ENGLISH = Sample(
    language="en",
    talks=[
        Talk(
            title="Dinner with friends",
            turns=[
                ("I'm allergic to peanuts.", "Noted. I will keep peanuts out of every suggestion."),
                ("My brother Frank is visiting on Saturday.", "How nice. Shall I suggest a menu?"),
                ("Frank is vegetarian.", "Then let us look at a mushroom risotto."),
                ("I prefer recipes that take less than an hour.", "The risotto takes forty minutes."),
                ("Just the short version: what do I have to buy?", "Mushrooms, rice, stock and an onion."),
            ],
        ),
        Talk(
            title="Reading the report",
            turns=[
                ("I prefer short answers with code first.", "Understood: code first, then one sentence."),
                ("I work as a data engineer at a hospital in Leipzig.", "Good to know."),
                ("My favourite database is PostgreSQL.", "A solid choice."),
            ],
        ),
        Talk(
            title="Berlin trip",
            turns=[
                ("I'm planning a trip to Berlin in June.", "June is lovely there. How long will you stay?"),
                ("Four days, I think.", "Enough for two museums and a day at the lake."),
                ("My brother's name is Frank, he lives near the river.", "Then you will have a guide."),
                ("I always travel by train.", "The train from Leipzig takes a little over an hour."),
                ("Which museum would you see first?", "The Pergamon, if it is open again."),
                ("And if it rains?", "Then the museum of natural history."),
                ("How do I get to the lake?", "By the suburban train, in half an hour."),
                ("Do I need to book the train?", "A seat in June, yes."),
                ("Where could we have breakfast?", "There are good bakeries near the river."),
                ("What about Saturday evening?", "An open-air concert would fit."),
                ("Which one?", "There is one in the park at eight."),
                ("How much is it?", "About twenty euros."),
                ("Is it far from the river?", "Ten minutes on foot."),
                ("Good. And Sunday?", "The flea market, then coffee."),
                ("When does the last train leave?", "A little after ten."),
                ("In one line: what should I pack?", "A rain jacket, good shoes and a book."),
                ("Thanks, that is a plan.", "You are welcome. Enjoy Berlin."),
            ],
        ),
    ],
    added=[
        {"content": "Never suggest dishes with peanuts.", "content_type": "constraint", "taboo": True, "importance": 9},
        {
            "content": "The quarterly report is due on the 15th.",
            "content_type": "note",
            "scope": "project",
            "project_id": "report",
            "task_hint": "report",
        },
        {"content": "I am learning to play the cello.", "content_type": "fact"},
    ],
    feedback=["too long", "too long", "too long", "no headings please"],
    question="Can you suggest a dish for dinner with Frank?",
    forgotten="I am learning to play the cello.",
    about_to_forget="everything about Frank",
    memories=13,
    safety=2,
)

CHINESE = Sample(
    language="zh",
    talks=[
        Talk(
            title="周末聚餐",
            turns=[
                ("我对花生过敏。", "好的，推荐菜谱时会避开花生。"),
                ("我弟弟小明周六来我家。", "太好了，需要我安排菜单吗？"),
                ("小明吃素。", "那可以做香菇豆腐。"),
                ("我喜欢一小时以内能做完的菜。", "香菇豆腐只要四十分钟。"),
                ("长话短说，要买哪些东西？", "香菇、豆腐、葱和姜。"),
            ],
        ),
        Talk(
            title="看报告",
            turns=[
                ("我喜欢先看代码再看解释，回答要简短。", "明白，先给代码，再用一句话说明。"),
                ("我在杭州的一家医院做数据工程师。", "了解。"),
                ("我最喜欢的数据库是 PostgreSQL。", "很可靠的选择。"),
            ],
        ),
        Talk(
            title="去成都",
            turns=[
                ("我打算六月去成都旅行。", "六月的成都很舒服，打算待几天？"),
                ("大概四天。", "够看两个博物馆，再去一趟青城山。"),
                ("我弟弟叫小明，他家离河边不远。", "那他可以当向导。"),
                ("我出门一般坐高铁。", "坐高铁去成都很方便。"),
                ("先看哪个博物馆好？", "金沙遗址博物馆吧。"),
                ("下雨怎么办？", "那就去省博物馆。"),
                ("青城山怎么去？", "坐城际列车，半小时左右。"),
                ("车票要提前买吗？", "六月最好提前买。"),
                ("早饭去哪里吃？", "河边有几家不错的小店。"),
                ("周六晚上呢？", "可以去听露天音乐会。"),
                ("在哪里？", "公园里，八点开始。"),
                ("多少钱？", "一百五十元左右。"),
                ("离河边远吗？", "走路十分钟。"),
                ("好的，那周日呢？", "先逛市集，再喝茶。"),
                ("末班车几点？", "十点多一点。"),
                ("一句话就行，要带什么？", "雨衣、好走的鞋和一本书。"),
                ("谢谢，就这么定了。", "不客气，祝你玩得开心。"),
            ],
        ),
    ],
    added=[
        {"content": "不要推荐含花生的菜。", "content_type": "constraint", "taboo": True, "importance": 9},
        {
            "content": "季度报告 15 号前要交。",
            "content_type": "note",
            "scope": "project",
            "project_id": "report",
            "task_hint": "报告",
        },
        {"content": "我正在学拉大提琴。", "content_type": "fact"},
    ],
    feedback=["太长了", "太长了", "太长了", "不要用标题"],
    question="小明来的时候我该做什么菜？",
    forgotten="我正在学拉大提琴。",
    about_to_forget="关于小明的一切",
    memories=14,
    safety=3,
)

SAMPLES = {"en": ENGLISH, "zh": CHINESE}


def fill(api: httpx.Client, sample: Sample) -> list[str]:
    """Say all of a sample as the person the client is signed in as; returns the conversations, oldest first."""

    def post(path: str, body: dict[str, Any]) -> Any:
        answer = api.post(f"/api/v1{path}", json=body)
        answer.raise_for_status()
        return answer.json()

    conversations = []
    for talk in sample.talks:
        conversation = post("/conversations", {"title": talk.title})["id"]
        conversations.append(conversation)
        for said, answered in talk.turns:
            messages = [{"role": "user", "content": said}, {"role": "assistant", "content": answered}]
            post("/messages", {"conversation_id": conversation, "messages": messages})
    for memory in sample.added:
        post("/memory/long_term", memory)
    for evidence in sample.feedback:
        post("/memory/preferences/ingest", {"action": "reject", "evidence_ref": evidence})
    return conversations
