"""What is said may contradict what is remembered: maybes, plans, conditions, exceptions, for a while."""

from __future__ import annotations

from shared.models.relations import Statement, resolve
from tests.support.tables import each

DISPUTING = """
这阵子我先上晚班,等招到人再说。 | 我在图书馆上班。 | > 我朝九晚五上班。
回答也许可以再长一点,我还没想好。 | > 回答简短一点。 | 不要用表情。
说不定我其实是早起型的人。 | > 我是夜猫子。
复活节之前我先不喝咖啡。 | > 我一天喝三杯咖啡。 | 我喜欢燕麦奶。
我在考虑离开青禾科技。 | > 我在青禾科技上班。 | 我是审计。
鸡肉我有时候也吃。 | 我喜欢播客。 | > 我吃素。
我多半会从经济学转到社会学。 | > 我学的是经济学。
I eat a bit of meat now and then. | I like tofu. | > I'm vegetarian.
I have a feeling I might not hate sashimi that much. | I like tempura. | > I hate sashimi.
We may have to rehome Fluffy. | I have a tortoise. | > I have a dog called Fluffy.
I'm covering the night shift this month. | > I work the day shift. | I work at a supermarket.
If the sofa is really nice, 8000 might be ok. | I want a fabric sofa. | > My sofa budget is 6000.
I'm not drinking coffee while we try for a baby. | I like oat milk. | > I drink two coffees a day.
If I can switch majors I'll drop economics for psychology. | > I study economics. | I go to Nankai.
I'm staying at my mum's in York until June. | My mum lives in York. | > I live in Hull. | I work in Hull.
I'm thinking of becoming vegetarian. | > I eat meat every day. | I love tofu.
I might get a cat. | > I don't have any pets. | I like cats.
I'm probably going to quit my job. | > I work at Nordbank. | I'm a cashier.
We are considering moving to Spain. | > I live in Utrecht.
I'm taking a break from running because of my knee. | > I run every morning.
For the moment I'm not drinking alcohol. | > I drink wine with dinner.
This month I'm doing a no-sugar challenge, so no sweets. | > I eat sweets every day.
I guess I don't mind mushrooms as much now. | I like cheese. | > I hate mushrooms.
我在考虑吃素。 | > 我每天都吃肉。 | 我爱吃豆腐。
我可能会养只猫。 | > 我没养宠物。 | 我喜欢猫。
我可能要辞职了。 | > 我在北方银行上班。
我们在考虑搬去西班牙。 | > 我住在苏州。
膝盖不舒服,我先不跑步了。 | > 我每天早上跑步。
这个月我在戒糖,不吃甜食。 | > 我每天吃甜食。
我最近有点想换成 Vim。 | > 我用 VS Code。
放假这几天我都九点起。 | > 我每天六点起床。
I guess fish is ok now and then. | > I don't eat fish.
I've applied for a job at Nova Labs, might leave Orbit. | > I work at Orbit GmbH.
Jo and I are taking some time apart. | > I'm in a relationship with Jo.
This month I'm working full-time to help out. | > I work part-time.
While the kitchen is being redone we're staying at a friend's. | > We live in Delft.
Maybe drop the bullet points, dunno. | > Use bullet points.
I could imagine giving horror films another try. | > I hate horror films.
Thinking of selling the boat. | > I own a boat.
鱼嘛偶尔吃一点也行。 | > 我不吃鱼。
我跟小周想先冷静一阵子。 | > 我在跟小周谈恋爱。
家里装修,我们暂时住朋友家。 | > 我们住在海淀。
我想把船卖了。 | > 我有一条船。
要不别用列表了?我再想想。 | > 用列表回答。
打算下半年把车换成电动的。 | > 我开汽油车。
Might move back in with my parents. | > I live with my girlfriend.
Could be that metric is easier after all. | > Use imperial units.
I'll have a bit of turkey at Christmas I guess. | > I'm a vegetarian.
The bike is broken so I'm taking the bus until Friday. | > I cycle to work.
Not so sure I still like my job. | > I like my job.
I had one cigarette at the party, might happen again. | > I don't smoke.
可能要搬回去跟爸妈住。 | > 我跟女朋友住。
车坏了,这几天先坐公交。 | > 我骑车上班。
Not sure where it's going with Lena, we're on a break. | > Lena and I are together.
We're thinking about rehoming Rufus. | > I have a dog called Rufus.
I'm skipping the gym until my shoulder is better. | > I go to the gym twice a week.
I might allow myself a glass of wine now and then. | > I don't drink alcohol.
Maybe Dutch would be better for me. | > Please reply in English.
这个冬天我住在我姐家。 | > 我住在大连。
我们在考虑把旺财送人。 | > 我养了一条狗叫旺财。
肩膀好之前我先不去健身房。 | > 我每周去两次健身房。
也许用荷兰语更好? | > 请用英语回复。
I think I'm over my fear of dogs, maybe. | > I'm afraid of dogs.
I'm not sure about the dark theme anymore. | > I prefer dark mode.
I'm spending this winter in Malaga. | > I live in Leeds.
我可能改成一周四天班。 | > 我一周上五天班。
这个冬天我住三亚。 | > 我住在哈尔滨。
微辣的话好像也能接受。 | > 我不吃辣。
I might come off the pill in spring. | > I'm on the pill.
If I get the grant, I'll move to Liège. | > I live in Ghent.
I'll probably be in Liège from autumn on. | > I live in Ghent.
There's talk of layoffs, I could lose my job. | > I work at Larch Bakery.
This week I'm doing the early shift for a colleague. | > I do the late shift.
During the holidays I get up at nine. | > I get up at seven.
My knee hurts, no running for a month. | > I run 10 km a week.
要是拿到奖学金,我就搬去宁波。 | > 我住在绍兴。
这周我替同事上早班。 | > 我上晚班。
膝盖疼,这个月不跑了。 | > 我每周跑10公里。
"""
"""What is said | what is remembered, ">" before what it concerns."""


@each("case", DISPUTING.strip().splitlines())
def test_a_doubtful_contradiction_is_left_to_its_person(case: str) -> None:
    said, *held = case.split(" | ")
    concerned = tuple(index for index, text in enumerate(held) if text.startswith("> "))
    remembered = [Statement(text.removeprefix("> "), "fact") for text in held]

    resolution = resolve(Statement(said, "fact"), remembered)

    assert (resolution.outcome, resolution.of) == ("disputes", concerned)
