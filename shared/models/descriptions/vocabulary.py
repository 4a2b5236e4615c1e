"""Words of descriptions: those that only ask, those that name a kind of thing, and those for persons."""

from __future__ import annotations

import re
from typing import Final

from shared.models.relations.words.people import PEOPLE

GENERIC: Final = frozenset(
    "thing stuff info information detail details fact facts memory memories record records note notes message messages entry"
    " conversation conversations data content contents anything everything all said told mentioned know remember about mention"
    " ticket order invoice parcel package shipment booking reservation case number code model version account document file"
    " server machine device item ref reference id flight train bus room apartment flat locker gate seat policy contract"
    " issue task job project product part serial plate card tracking".split()
)
KINDS: Final = GENERIC - {"code", "job", "card", "project", "bus", "train", "car"}
SMALL: Final = frozenset(
    "a an the my our your his her its their this that these those some any each every of for to from in on at by with and or but"
    " is are was were be been being am do does did has have had having can could will would shall should may might must not no"
    " i we you he she it they me us him them mine what where when who whom whose which how why there here as than then so if"
    " about into over under up down out off just now still also too very really ever never always already yet again please"
    " don't doesn't didn't isn't aren't wasn't weren't can't cannot won't wouldn't i'm i've i'd i'll it's that's there's he's"
    " she's they're we're you're else such own other another more most much many few one ones like get got go goes going gone"
    " went thing things stuff info information detail details fact facts memory memories everything anything all said told"
    " mentioned mention know remember regarding concerning old while because since until before after ll ve re s t m d"
    " named called call lately recently currently actually even only used first last whole entire bit part anymore longer".split()
)
SMALL_ZH: Final = frozenset(
    "的 了 是 在 我 你 他 她 它 我们 你们 他们 咱们 咱 和 跟 与 把 将 被 给 对 对于 关于 有关 相关 这 那 这个 那个 这些 那些 这件 那件 一切 所有 全部 任何"
    " 都 也 就 才 很 还 又 再 最 太 更 过 着 地 得 吗 呢 吧 啊 呀 哦 个 只 条 件 位 种 些 点 事 事情 事儿 内容 信息 记录 资料 东西 情况 说 说过 讲 提到 提"
    " 告诉 聊 聊过 记得 记住 知道 之前 以前 之后 以后 时候 有 没 没有 不 别 会 要 想 能 可以 一个 一下 一 哪 哪里 哪儿 什么 几 谁 多少 怎么 多 大 们 及 以及"
    " 或 或者 里 上 下 中 从 到 去 来 每天 现在 目前 曾 曾经 前 现 自己 家 全 统统 说的 我家 那边 这边 这里 那里 上的 里的 叫 一些 型号 号码 编号 名字 其他 其它 别的 其余 那句 这句 那张 这张 那位 这位 那家 这家 那只 这只 那件事 这件事 那次 这次 那段 这段".split()
)
DONE_WITH: Final = frozenset(
    "exam exams class classes lesson lessons course courses training plan plans project hobby habit application applications practice"
    " 考试 课 课程 班 训练 计划 手续 项目 培训 爱好 习惯".split()
)
JOURNEYS: Final = frozenset("trip holiday vacation visit tour journey getaway weekend flight cruise".split())
VAGUE: Final = frozenset(
    "number amount habit hobby routine plan plans arrangement arrangements way kind type sort situation status preference choice usual"
    " using current details problem problems issue issues incident drama phase obsession experience 习惯 安排 平时 情况 方式 种类 类型 状况 偏好 选择 打算 平常 一般"
    " 爱好 计划 问题 经历 事件 过程".split()
)
"""Words one asks with and nobody answers with."""
SOMEBODY: Final = frozenset(
    line.split(",")[0].split(" | ")[0].strip() for block in PEOPLE.values() for line in block.strip().splitlines()
)
LIGHT: Final = frozenset({"like", "love", "hate", "favorite", "want", "need", "have", "use", "call", "move", "go"})
TITLED: Final = re.compile(
    r"[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤]"
    r"(?:老师|师傅|医生|大夫|教授|阿姨|叔叔?|先生|女士|小姐|经理|主任|校长|律师|护士|教练|总|工|姐|哥|姨|婶|爷|奶奶)"
    r"|[大二三四五六七八九十小老](?:舅|姨|叔|伯|姑|爷|哥|姐|弟|妹|婶|嫂|舅舅|姨妈|叔叔|姑姑|姑妈)"
)
"""Somebody by surname: no other teacher is meant."""
REQUESTS: Final = frozenset(
    "forget delete remove erase drop wipe clear please everything anything all what stop don't do scrub purge that the my"
    " can could would i any every get unlearn discard lose whatever stuff things".split()
)
