"""Chinese rules for preferences, in order of precedence."""

from __future__ import annotations

from shared.models.rules.chinese.words import ADVERB, AT_HAND, FUTURE, MYSELF, NOT, PLEASE, WHAT
from shared.models.rules.table import Rule

PREFERENCES: tuple[Rule, ...] = (
    Rule(
        "zh_call_me",
        r"(?:你|请|大家|朋友们?|同事们?|别人|人们|以后|今后|家人|都|可以|就|一般|直接|平时|,|\s){0,5}(?:(?:叫"
        r"|称呼|喊)我(?:为|做|作)?|管我叫)(?!们|去|来|做|写|帮|怎么|干|别|不|滚|说|看|买|给|把|在|先|加班|回|起"
        r"|吃|走|什么|啥|一[下声]|的|了|这|那)(?=\s?[\w\ufffc])[^,]{1,16}$",
        "preference",
        6,
        standing=True,
    ),
    Rule(
        "zh_favourite",
        rf"{MYSELF}(?:最|特别|比较|平时)?(?:喜欢|爱|喜爱|讨厌|常用|不喜欢|中意)(?:吃|喝|看|听|玩|用"
        r"|去)?的[^,]{1,30}?(?:是|有|叫)(?!什么|谁|哪|这|那|不是)(?=\s?[\w\ufffc《])",
        "preference",
        standing=True,
    ),
    Rule(
        "zh_is_favourite",
        r"(?!这|那|它|他|她|你|以上|第)[\w\ufffc《][^,]{0,20}?(?:一直)?是我最(?:喜欢|爱|讨厌|喜爱|常用)的",
        "preference",
        standing=True,
    ),
    Rule(
        "zh_like",
        rf"{MYSELF}{ADVERB}(?:{NOT})?(?:喜欢|喜爱|偏好|偏爱|偏向|热爱|钟爱|酷爱|爱(?!人|你|好|情|的|上)|倾向于?"
        r"|习惯(?!了|的|是)|讨厌|反感|受不了|忍受不了|无法忍受|痛恨|厌恶|恨(?!不得|你|死)|害怕|爱好(?!是|有)|中意"
        rf"|不爱){WHAT}",
        "preference",
        standing=True,
    ),
    Rule(
        "zh_interest",
        rf"{MYSELF}{ADVERB}对{AT_HAND}[^,你]{{1,16}}?(?:不?感兴趣|有兴趣|没兴趣|着迷|上瘾)",
        "preference",
        standing=True,
    ),
    Rule(
        "zh_rather",
        rf"{MYSELF}{ADVERB}(?:宁愿|宁可|更想要|更希望|更倾向于?){WHAT}|{MYSELF}{ADVERB}(?:希望|想要?|要求"
        r"|需要)你(?:以后|今后|总是|一直|每次|永远|始终|不要再|别再)",
        "preference",
        standing=True,
    ),
    Rule(
        "zh_from_now_on",
        rf"{PLEASE}{FUTURE}[\s,]?{PLEASE}(?:(?:都|一律|总是|每次|只|回答|跟我|和我|给我|对我|用|尽量|优先|默认"
        r"|统一|记得|始终|直接|务必|全部|把)|(?<=请)\S)",
        "preference",
        standing=True,
    ),
    Rule(
        "zh_always",
        r"(?:请你?|麻烦你?|你)(?:以后|今后)?(?:都|总是|一直|每次都?|始终|永远|一律|默认|统一)(?!是|在|不|说|有|会"
        r"|没|能|要|很|这|怎么|什么)(?=\s?[\w\ufffc])|(?:回答|回复|说话|跟我)[^,]{0,10}(?:都|一律|始终|每次"
        r"|总是)(?:用|要|请|使用)|每次都?(?:请|要|给我)",
        "preference",
        standing=True,
    ),
)
