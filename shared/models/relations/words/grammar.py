"""Words that carry no content of their own, or only nuance: they neither unite nor divide two statements."""

from __future__ import annotations

from typing import Final

ENGLISH: Final = """
a an the this that these those there here it its itself i me my mine myself we us our ours you your yours he him his
she her hers they them their is am are was were be been being do does did done doing have has had having of in on at to
for with by from as about into onto than then and or but so if because since while when where which who whom whose what
will would shall should can could may might must not no never none nor neither without any some each both all every
either such own other another more most much many few little less least very really quite rather pretty too also just
only even still yet already now currently nowadays lately recently today these days at the moment actually honestly
basically literally totally absolutely completely truly certainly definitely probably maybe perhaps possibly please
kindly ok okay yeah yes yep well oh hey hi lol haha btw fyi thanks thank you sure sorry again anymore longer anyway
way far bit lot lots kind sort thing things stuff one ones somebody someone something anything everything nothing
anyone always usually often sometimes occasionally generally normally mostly mainly typically regularly rarely seldom
hardly exactly approximately roughly around almost nearly finally suddenly soon ago before after until till though
although however instead besides else ever back over up down out off away together first last next new newly got get
gets getting gotten give given gives giving let make makes made making keep keeps kept keeping want wants wanted need needs
needed try tries tried trying go goes going went gone come comes came become became turn turned start started starting
begin began begun know knows knew think thinks thought guess feel feels felt say says said tell told ask asked
mean means meant remember note seem seems appear happen happens happened max maximum min minimum full fully half
pm per super sooo via plus ever-so how good lately own suit better best worst quit stop stopped stopping stops
switch switched switching change changed changing replace replaced drop dropped leave left leaving cancel cancelled
canceled give-up bought am's o'clock old years year-old aged age year years hour hours minute minutes day days week
weeks month months time times once twice course fine nice great actually's person people guy like's long-term
strictly personally simply entirely primarily fairly slightly highly extremely incredibly seriously particularly especially
cup cups mug bottle bottles pint pints pack packs packet piece pieces slice slices bowl bowls everyone everybody sadly unfortunately luckily thankfully confirmed confirm huge massive avoid avoided avoiding pay pays paid product products dunno idk format format total complete proper easier simpler clearer nicer suits reinstalled stay stayed inc ltd gmbh co corp llc plc typo weird follow following follows skip skipping skipped enough afford raise raised increase increased lower lowered cut bump bumped upped reduce reduced lesson lessons class classes course courses session sessions nicely preferably set put temporarily tiny strictly suit
"""

CHINESE: Final = """
的 了 是 在 我 我们 咱们 咱 你 你们 他 她 它 他们 她们 这 那 这个 那个 这些 那些 这里 那里 那儿 这儿 本人 自己 个人
有点 有点儿 一点 一点儿 一些 些 点 很 非常 特别 超级 超 挺 太 最 真 真的 好 更 比较 相当 十分 极其 尤其 蛮 颇 老 死
也 都 就 才 又 还 再 只 只是 就是 总是 老是 一直 经常 常常 常 平时 平常 通常 一般 向来 从来 从 已经 已 早就 早已 刚 刚刚 刚才
现在 目前 如今 最近 近来 当前 眼下 以后 今后 之后 从今以后 将来 以前 之前 曾经 曾 过去 从前 原来 原本 本来 当年 那时 那时候
那会儿 其实 确实 实际上 说实话 老实说 终于 总算 居然 竟然 突然 然后 接着 所以 因此 因为 由于 但是 但 可是 不过 而且 并且
而 和 跟 与 及 以及 同 或 或者 还是 对 对于 关于 给 把 被 让 使 由 向 往 朝 到 从 自 于 为 为了 以 用来 上面 里面 外面
后面 前面 里 上 下 中 内 外 边 得 地 着 过 吧 吗 呢 啊 呀 哦 噢 哈 嗯 呗 啦 嘛 哟 么 哎 唉 诶 咯
不 没 没有 无 未 别 莫 勿 不要 不用 不必 不再 不是 没法 不会 不能 不可以 不想 不太 不怎么 不大 从不 从没 从未 毫不 不得
会 能 可以 可能 可 要 想 想要 希望 愿意 打算 准备 应该 必须 需要 得要 肯 敢 也许 或许 大概 大约 好像 似乎 说不定 没准 恐怕
请 麻烦 拜托 劳烦 谢谢 好的 行 就行 就好 即可 可以了 记得 记住 注意 务必 尽量 尽可能 一定 千万 直接 帮我 帮 替
一个 一只 一条 一位 一名 一辆 一台 一部 一套 一间 一份 一杯 一种 一下 一次 一样 一起 一块 一块儿 个 只 条 位 名 辆 台 部 套 间
份 种 次 遍 件 家里的 有个 有一个 有只 有条 岁 今年 年纪 年龄 周岁 虚岁 时 时候 的时候 期间 开始 起 以来 来 去 做 当 干 弄 搞
成 成了 变 变成 换 换成 改 改成 改为 改到 调 调到 加 加到 减到 降到 涨到 转 转到 放 放在 算 算是 属于 作为 使得 觉得 感觉 认为
以为 知道 发现 说错了 记错了 其他 其它 别的 所有 任何 每 各 某 什么 谁 哪 怎么 多 多少 几 很多 许多 不少 太多 全 全部 整个 完全
根本 绝对 彻底 几乎 差不多 左右 上下 最多 最少 至少 顶多 不超过 以内 以上 以下 大 小 新 旧 太太的 那种 这种 那样 这样 之类 等等
人 们 东西 事 事情 方面 情况 问题 话 说话 时间 每次 有时 有时候 偶尔 间或 一年到头 平均 总共 一共 大家 有人 咱家 这边 那边 呃 额
放弃 停 停了 取消 结束 退出 辞职 卖 卖了 送人 丢了 戒 戒了 戒掉 停止 不行 比 比起 小时候 哪些时候 如果 要是 万一 假如 适合 那么 顶班 代班 值班 待 待在 片 杯 包 粒 颗 瓶 碗 步 层 本 张 支 顿 下面 上边 底下 推迟 提前 延期 延长 推后 科技 集团 有限公司 股份 表示 容易 附上 列 列出 给出 标注 注明 拿 满 一概 提 起床时间 主要 您 有的 有点儿 当了 开荤 学会 这个月 上 特 年底 大学时 装 重新 瘦 胖 开 种了 多过 胜过 超过 相比 而不是 代替 取代 属
职业 今 于是 并 并不 先 暂时 临时 下来 出来 上去 进 出 完 光 掉 一遍 那 哪怕 即使 虽然 尽管 只要 除了 见 出差
特 贼 巨 爆 极 倍儿 老早 年 月 日 号 天 周 星期 小时 分钟 点钟 点半 块 元 块钱 钱 半 第 都是 也是 就是了 还算 还有 每一 吃东西
位置 座位 带 加 行了 的话 了吧 了哦 格式 形式 一家 这家 那家 某家 一所 一门 一支 一把 一架 一首 一回 一趟 一向 习惯 要花 需要花 得花 花费时间 话说 对了 另外 顺便 啥 咋 嘞 滴 哒 呐 们的 我的 我家 我家的 我这边 名
"""

PHRASES: Final = (
    "no longer, any longer, used to, use to, a lot of, at all, as well, from now on, in general, at the moment, after all,"
    " for now, for the time being, these days, last year, so far, in fact, to be honest, next to, of course, kind of, sort of,"
    " not anymore, a few, a couple of, going to, have to, want to, able to, as well as, turn down, right now, as of, more than,"
    " less than, better than, go for, long time, long story short, in order to, than usual, such as, based on, end up, go back to, how about, by profession, by trade, for a living, by training, for good, do not mind"
)
