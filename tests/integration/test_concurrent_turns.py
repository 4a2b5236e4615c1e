"""Many turns of one person at once: nothing is lost, nothing is kept twice, and the last word counts (LT-03, LT-04)."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from shared.outbox.job_kinds import QUEUES
from tests.support.workbench import TASKS, Person, Workbench

LOVED = (
    "apples astronomy badminton ballet baking bamboo beekeeping birds boxing bread bridges cactuses calligraphy "
    "camping canoes castles caves carousels cherries chess cinema clarinets climbing cookies coral crosswords "
    "cycling dancing daffodils dinosaurs diving dolphins drums elephants embroidery fencing figs fireworks "
    "fishing football forests gardening geology glaciers golf guitars gymnastics harps hiking hockey honey horses "
    "insects jazz jellyfish judo juggling karate kayaking kites lemons lighthouses magic mangoes maps marathons "
    "meteorology mosaics knitting mushrooms opera orchids origami owls painting penguins photography pianos "
    "pottery puppets"
).split()
LIKED = (
    "面条 草莓 西瓜 葡萄 荔枝 榴莲 菠萝 饺子 豆腐 石榴 滑雪 拔河 寺庙 火锅 蜡染 馒头 粽子 月饼 皮影戏 绿茶 "
    "围棋 豆浆 篮球 春天 乒乓球 排球 网球 秋天 评书 太极拳 相声 京剧 话剧 雪景 动画片 科幻小说 侦探小说 古诗 历史 地理 "
    "灯笼 化学 物理 数学 编程 机器人 火车模型 集邮 剪纸 海边 沙漠 多肉植物 胡同 草原 牡丹 梅花 向日葵 蜻蜓 鹦鹉 乌龟"
).split()
HOMES = (
    "Paris Berlin Madrid Rome Vienna Prague Lisbon Dublin Oslo Helsinki Athens Warsaw Budapest Brussels Zagreb Riga "
    "Tallinn Vilnius Sofia Copenhagen"
).split()
BEGAN = datetime(2026, 1, 1, 12, tzinfo=UTC)
CONVERSATIONS, WRITERS, WORKERS = 10, 8, 4


@pytest.mark.parametrize("part", [8, pytest.param(1, marks=pytest.mark.full)])
def test_many_turns_at_once_lose_and_duplicate_nothing_and_the_last_word_counts(bench: Workbench, part: int) -> None:
    """200 turns, or a part of them: every eighth."""
    ada = bench.person()
    loves, likes, homes_said = LOVED[::part], LIKED[::part], HOMES[::part]
    # Asked for in so many words: what the reader makes of a sentence may change with what was said before it.
    love, like = [f"Remember that I love {one}." for one in loves], [f"记住，我喜欢{one}。" for one in likes]
    moved = [f"Remember that I live in {home} now." for home in homes_said]
    again = [*love[: 22 // part], *like[: 18 // part]]
    said = [*love, *like, *again, *moved]
    assert len(said) == 200 or part > 1
    conversations = [ada.conversation() for _ in range(CONVERSATIONS)]

    with ThreadPoolExecutor(WRITERS) as writers:
        list(
            writers.map(lambda turn: _say(ada, conversations[turn % CONVERSATIONS], said[turn], turn), range(len(said)))
        )
    _work_side_by_side(bench)

    assert bench.count("select count(*) from messages") == 2 * len(said)
    active = sorted(one["content"] for one in ada.get("/api/v1/memory/long_term", limit=200, validity="active"))
    homes = [text for text in active if any(home in text for home in homes_said)]
    assert len(homes) == 1
    assert homes_said[-1] in homes[0]
    # Every message made a memory or supports one; a message that repeats another supports its memory.
    behind = "select count(distinct source_id) from lineage where source_kind = 'message' and derived_kind = 'memory'"
    assert bench.count(behind) == len(said)
    taken_for_another = bench.count("select count(*) from lineage where edge = 'supported_by'") - len(again)
    new = len(loves) + len(likes)
    assert bench.count("select count(*) from memories") == new + len(homes_said) - taken_for_another
    # The reader takes one in a hundred such sentences for a repetition or a correction of another (docs/reader.md).
    gone = [loved for loved in (*loves, *likes) if not any(loved in text for text in active)]
    assert len(gone) <= new // 50
    assert 0 <= taken_for_another <= new // 50
    assert len(active) == new + 1 - len(gone)


def _say(ada: Person, conversation_id: str, text: str, turn: int) -> None:
    spoken_at = (BEGAN + timedelta(minutes=turn)).isoformat()
    messages = [
        {"role": "user", "content": text, "spoken_at": spoken_at},
        {"role": "assistant", "content": "…", "spoken_at": spoken_at},
    ]
    ada.post("/api/v1/messages", {"conversation_id": conversation_id, "messages": messages})


def _work_side_by_side(bench: Workbench) -> None:
    """Let several workers do what is due, each told of everything, until nothing is left."""

    def work(due: Sequence[tuple[int, str]]) -> None:
        for queue in sorted({QUEUES[kind] for _, kind in due}):
            TASKS[queue].run(outbox_ids=[row for row, kind in due if QUEUES[kind] == queue])

    with ThreadPoolExecutor(WORKERS) as workers:
        for _ in range(100):
            bench.hurry()  # over the pauses of rows that met each other
            due = bench.due()
            if not due:
                break
            list(workers.map(work, [due[start:] + due[:start] for start in range(WORKERS)]))
    assert bench.count("select count(*) from outbox") == 0
