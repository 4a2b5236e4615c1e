"""A description without what only asks, scopes and excepts: what is left is what it is about."""

from __future__ import annotations

import re
from typing import Final

from shared.models.descriptions.reading import HAN

_ASKING: Final = re.compile(
    r"^(?:\s|[,.!:;-])*(?:(?:please|pls|hey|hi|ok(?:ay)?|so|also|and|now|just|kindly|could you|can you|would you|will you"
    r"|i(?:'d| would) like (?:you )?to|i want (?:you )?to|(?:i|we) (?:no longer|don't|do not|never) (?:want|need|wish|like) you to (?:know|have|keep|recall|think)(?= that)|you (?:no longer|don't|do not) (?:need|have) to (?:know|remember|keep)|i need (?:you )?to|you (?:can|should|may|must)|i(?:'d| would)(?: much)? (?:rather|prefer(?: it)?(?: if)?)(?: that)? you|i(?: do not|'d| would|'m| am)?(?: not|n't)? ?(?:wish|hope|love|happy|glad|like it|grateful|appreciate it)(?: if| for| that)? you(?:'d| would| could| to)?|there(?:'s| is) no need to|(?:it's |it is )?time to|can we|could we|may we|shall we|let'?s(?: just)?(?: pretend| say| act as if| act like)?|pretend|act as if|go ahead and|i'd prefer (?:that )?you|make sure (?:you|to))[\s,]+)*"
    r"(?:(?:forget(?: about)?|delete|erase|remove|drop|wipe|clear|scrub|purge|unlearn|discard|lose|get rid of|throw (?:away|out)"
    r"|(?:do not|don't|didn't|did not|stop|no longer|never|i don't want you to|no need to) (?:remember(?:ing)?|keep(?:ing)?|stor(?:e|ing)|know(?:ing)?|mention(?:ing)?|bring(?:ing)? up)|take out|strike|cross out|let go of|un-?remember)(?:[\s,:]+|$))?"
)
_ASKING_ZH: Final = re.compile(
    r"^(?:\s|[,。!:;])*(?:(?:请|麻烦|拜托|能不能|可以|可不可以|你能|你可以|帮我|给我|帮忙|我想让?你?|我希望你|我要你?|现在|就|我?(?:不想|不希望|不愿意?|没必要)(?:让|再)?你?(?:看到|听到|见到|想起|提起?)?)\s*)*(?:你)?"
    r"(?:(?:忘(?:掉|记|了|却)?|删(?:除|掉|了|去)?|清(?:除|空|掉|理)|抹(?:掉|去)|去掉|移除|擦掉|丢掉|取消(?:记住|记忆|记录)?|(?:不要|别)(?:再)?(?:记(?:得|住|着)?|提)|不用(?:再)?记(?:得|住|着)?|记(?:住|得|着)(?=我))\s*)?(?:把|将)?"
)
_END_ZH: Final = re.compile(
    r"(?:(?:都|全部?|统统|通通|一并|一起|也|给我|请|帮我|可以|吧|了|全都)*(?:忘(?:掉|记|了|光)?|删(?:除|掉|了|光)?|清(?:除|空|掉|理掉?|了)?|(?:一个字|一点|一条|一句)?(?:都|也)?(?:别|不要|不能|不许|不)(?:留下?|存|剩下?|提|管)|抹(?:掉|去)|去掉|移除|擦掉|丢掉|不要(?:再)?记(?:得|住)?|别(?:再)?记(?:得|住)?)(?:吧|了|掉|呀|啊|哦|好吗|可以吗)*|[。.!?,\s])+$"
)
_THE_FACT: Final = re.compile(
    r"(?:这件?事(?:情|儿)?|这(?:一)?[条点项个]|的(?:这)?(?:件)?事(?:情|儿)?|的(?:这个)?(?:所有|全部)?(?:内容|信息|记录|资料|东西|说法|消息|数据|情况|回忆|记忆|话题?)|(?:这个|那个)?(?:事实|说法|信息)|(?:的)?(?:一切|全部|所有)"
    r"|相关(?:的)?(?:一切|全部|所有)?(?:内容|信息|记录|东西|事情?)?(?:的)?|有关(?:的)?(?:一切|全部|所有)?(?:内容|信息|记录|东西|事情?)?(?:的)?|这个(?:型号|名字|编号|号码|地址)?|的)(?:\s*[,。])?$"
)
_SCOPE: Final = re.compile(
    r"^(?:(?:literally |absolutely |really )?(?:everything|anything|all(?: of)?|whatever|every ?(?:thing|bit|detail|mention|memory|note|fact|trace|reference)|any (?:mention|memory|memories|notes?|record|trace|reference|info\w*)|any and all|the (?:whole|entire)|(?:the )?(?:stuff|things?|facts?|info(?:rmation)?|details?|memor(?:y|ies)|notes?|part|parts|bits?|records?|data|entry|entries|content))[\s,]*)+"
    r"(?:(?:that |which )?(?:you |i |we |i've |you've )?(?:ever |just |already |once |previously )?(?:have |had |'ve )?(?:ever |just |already )?(?:know(?:n)?|said|told(?: you)?|mentioned|wrote|written|remember(?:ed)?|stored?|saved|learn(?:ed|t)|shared|talked|spoke(?:n)?|heard|kept|keep|got|noted|have|with|is|are|was|were|has|discussed)?(?: to you| down| in memory)?[\s,]*)"
    r"(?P<link>(?:about|on|of|regarding|concerning|related to|relating to|to do with|having to do with|that (?:has|have) to do with|mentioning|that mentions?|involving|connected (?:to|with)|around|with|for|from|in|where)\b)?\s*"
)
_SAID: Final = re.compile(
    r"^(?:what(?:ever)?|(?:the )?(?:thing|things|stuff|part|bit|bits|all))? ?(?:that |which )?(?:i(?:'ve| have)?|you(?:'ve| have)?|we(?:'ve| have)?)(?: ever| just| once| already)? (?:said|told(?: you)?|mentioned|wrote|know|remember(?:ed)?|have|learn(?:ed|t)|shared|talked|spoke|discussed|noted|saved|stored)(?: to you| down| earlier| before)? ?(?:about|on|regarding|concerning|of|around|with)?\s+"
)
_ABOUT: Final = re.compile(r"^(?:about|regarding|concerning|on|of|mentions? of)\s+")
_SCOPE_ZH: Final = re.compile(
    r"^(?:所有|全部|一切|任何|凡是)?(?:的)?(?:"
    r"(?:我|你|咱们|我们)?(?:之前|以前|曾经|上次|刚才|那天)?(?:对你|跟你|和你|给你|向你)?(?:所)?(?:说过?|讲过?|提(?:到|过|及)|告诉(?:过)?你?|记(?:得|住|下)|知道|聊(?:到|过)?|存)(?:了)?(?:的)?(?:所有|全部|一切|任何)?(?:关于|有关|跟|和|与|对于|涉及|提到|提及)?"
    r"|(?:关于|有关|跟|和|与|对于|涉及|提到|提及)"
    r")|^(?:所有|全部|一切|任何|凡是)(?:的)?"
)
_FROM_MEMORY_ZH: Final = re.compile(
    r"(?:从|在)(?:你的?)?(?:记忆|脑子|脑海|数据库?|记录|资料)(?:里面?|中)?|那个叫(?=[^的]{1,8}的)"
)
_LINKED_ZH: Final = re.compile(r"(?:有关|相关|有关系|沾边)(?:的)?")
_EXCEPT: Final = re.compile(
    r"(?:[,;.]?\s*\b(?:except(?:ing)?(?: for)?(?: that)?|apart from|other than|aside from|besides|excluding|bar|save for|minus|but not(?: about)?|not including|without touching|leaving out|(?<=all )but(?! not)|(?<=everything )but(?! not)|(?<=anything )but(?! not))"
    r"|(?:[,;.]\s*|\s(?=but |and |just |yet ))(?:(?:but|and|just|yet|please|you (?:can|may|should)|do) )*(?:keep|leave|retain|hold on to|hang on to|do(?: not|n't) (?:forget|delete|touch|remove|erase|drop)|still remember|remember|not)(?: in| alone)?)"
    r"\s+(?P<kept>.+)$"
)
_EXCEPTED: Final = re.compile(
    r"^(?P<rest>.+?)[,;]\s*(?:but )?(?P<kept>[^,;]+?),? (?:excepted|excluded|aside|apart|(?:can|may|should|must) (?:stay|remain|be kept)|stays|is fine|not)$"
)
_KEEP_FIRST: Final = re.compile(
    r"^(?:only |just |please )*(?:keep|leave|retain|remember) (?:only )?(?P<kept>.+?)(?:[,;]| and| but)+ (?:please |then )*(?:forget|delete|erase|remove|drop|wipe|clear) (?:about )?(?:everything else|the rest|all else|anything else|everything|all)? ?(?:about|of|on|regarding)? ?(?P<rest>.+)$"
)
_EXCEPT_ZH: Final = (
    re.compile(r"^(?:请)?(?:只|仅)(?:保留|留(?:下|着)?|记(?:得|住)?)(?P<kept>[^,]{1,30}),(?P<rest>.+)$"),
    re.compile(r"^(?:请|把)?除了?(?P<kept>[^,]{1,30}?)(?:以外|之外|外)?(?:的?(?:都|全)?)?[,\s](?P<rest>.+)$"),
    re.compile(r"^(?:请|把)?除(?:了)?(?P<kept>[^,]{1,30}?)(?:以外|之外|外)[,\s]?(?P<rest>.+)$"),
    re.compile(
        r"^(?P<rest>.+?)[,;。\s]*(?:但(?:是)?|不过|只是|可是|,)?\s*(?:请)?(?:保留|留着|留下|留住|记得|记住|别(?:删|忘|动)(?:掉|了)?|不要(?:删|忘|动)(?:掉|除|了)?|不包括|不含|除了)(?P<kept>[^,]{1,30}?)(?:以外|之外|除外)?$"
    ),
    re.compile(
        r"^(?P<rest>.+?)[,;。\s]+(?:但(?:是)?|不过|只是|可是)?\s*(?P<kept>[^,]{1,30}?)(?:除外|不算|(?:要|得|就)?(?:保留|留着|留下|别删|别忘|别动|不要删|不要动|不动|不删)(?:着|掉|了)?)$"
    ),
)
_THAT_SAID: Final = re.compile(
    r"^(?:the |my |that |any )?(?:fact|thing|part|bit|information|info|note|memory|message|line|statement|sentence|claim|one|entry)s? (?:(?=that (?:i|my|we|our|he|she|they)\b|about )|(?:saying|stating|claiming|telling|(?:that|which|where it|where i|in which i) (?:says?|said|states?|stated|claims?|tells?|told you|mention(?:ed)?))(?: that)? )"
)
_EVERYTHING: Final = re.compile(r"\b(?:everything|all|anything|me)\b|一切|全部|所有|我")
_END: Final = re.compile(
    r"(?:[\s,]*\b(?:please|thanks|thank you|for me|from (?:your )?memory|(?:should|must|may|can|could|has to|have to|needs to|need to|shall|ought to) (?:all )?(?:go(?: away)?|disappear|vanish|remain|stay|be (?:left|kept|forgotten|deleted|removed|erased|gone|wiped|cleared|dropped)))|[\s.!?。,;])+$"
)
_YOU_KNOW: Final = re.compile(
    r"\s*(?:from (?:your |the )?(?:memory|records?)|(?:that )?(?:i|you) (?:(?:have |'ve )?(?:ever )?(?:told you|said|mentioned|know|have stored|remember)))$"
)
_META: Final = (
    r"(?:i|you|we|me|my|your|the|a|an|any|all|every|each|no|not|nothing|anything|everything|whatever|something|single|last|want|wanted|like|to|be|have|has|had|there|is|are|was|should|left|leave|trace|traces|sign|signs|hint|hints|word|words"
    r"|line|lines|sentence|sentences|mention|mentions|memory|memories|whole|entire|complete|business|story|stories|stuff|topic|subject|matter|matters|affair|saga|bit|bits|part|parts|piece|thing|things|info|information|detail|details|note|notes|record|records"
    r"|knowledge|data|conversation|conversations|chat|chats|discussion|discussions|message|messages|entry|entries|reference|references|fact|facts|it|that|which|ever|of|out|know|said|told|mentioned|in|on|there|here|please|talk|talking|talked)"
)
_TOLD: Final = re.compile(
    r"^i (?:never |once |already )?(?:told you|mentioned|said(?: something)?) (?:anything |something |things )?(?:about|on) |[;,]? (?:forget|delete|erase|drop) (?:all|everything|any|the whole) (?:of )?(?:that|it|this|them)$"
)
_META_BEFORE: Final = re.compile(
    rf"^(?:{_META}[\s,]+)+(?:about|regarding|concerning|mentioning|involving|surrounding|around|to do with|related to|relating to|connected (?:to|with)|with|of|on)\s+(?!that\b)"
)
_META_AFTER: Final = re.compile(
    r"(?:[\s,]+(?:left|in there|in here|anywhere|at all|whatsoever|any ?more|stuff|business|thing|things|matter|story|saga|please|notes?|records?|info(?:rmation)?|details|data|altogether|completely|entirely|for good|for ever|forever|gone))+$"
)
_THE_REST: Final = re.compile(r"(?:the |all the )?(?:rest|others?|remaining|remainder)(?: of it)?")
_WHOSE: Final = frozenset({"", "my", "our", "the", "that", "this", "all my", "all the"})
_PART_OF: Final = re.compile(r"(?P<what>.+?) (?:of|from|about|for) (?P<whose>.+)$")
_STATES_SOMETHING: Final = re.compile(r"^(?:the fact )?that (?:i|my|we|our)\b")
_ALL_SAID: Final = ("know", "said", "told you", "mentioned", "all", "everything", "anything")
_MARKS: Final = " ,.;:!?。\"'“”‘’「」『』《》"


def without_request(text: str) -> str:
    """Return a folded description without what only asks to forget."""
    if HAN.search(text):
        text = _FROM_MEMORY_ZH.sub(lambda found: "叫" if "叫" in found[0] else "", text)
        start = _ASKING_ZH.match(text)
        text = _END_ZH.sub("", text[start.end() :] if start else text)
    start = _ASKING.match(text)
    return _END.sub("", text[start.end() :] if start else text).strip()


def names_everything(text: str) -> bool:
    """Return whether a description without its request asks for all there is."""
    return _EVERYTHING.search(text) is not None


def exceptions(text: str) -> tuple[str, list[str]]:
    """Return a description without what is to be kept, and that."""
    if HAN.search(text):
        for pattern in _EXCEPT_ZH:
            if found := pattern.match(text):
                return _END_ZH.sub("", found["rest"]), [found["kept"]]
    for whole in (_EXCEPTED, _KEEP_FIRST):
        if found := whole.match(text):
            return found["rest"], [found["kept"]]
    found = _EXCEPT.search(text)
    if found is None:
        return text, []
    rest, kept = text[: found.start()].strip(" ,"), found["kept"]
    if _THE_REST.fullmatch(kept):
        return rest, []
    if not rest:  # "except the budget, everything about …"
        kept, _, rest = kept.partition(",")
        return (rest.strip(), [kept]) if rest else (text, [])
    part = _PART_OF.match(kept)
    if part and _EVERYTHING.fullmatch(rest):  # "everything except the budget of my wedding"
        return part["whose"], [part["what"]]
    return rest, [kept]


def without_scope(text: str) -> str:
    """Return a description without what only says that all of something is meant."""
    before = ""
    while text != before:
        before = text
        if HAN.search(text):
            text = _without_scope_zh(text)
        text = _THAT_SAID.sub("", text)
        found = _SCOPE.match(text)
        if found and (found["link"] or found.end() == len(text) or found[0].strip().endswith(_ALL_SAID)):
            text = text[found.end() :]
        if not _STATES_SOMETHING.match(text):
            text = _SAID.sub("", text)
        text = _META_BEFORE.sub("", _TOLD.sub("", text))
        text = _YOU_KNOW.sub("", _ABOUT.sub("", text)).strip(_MARKS)
        shorter = _META_AFTER.sub("", text)
        text = text if shorter in _WHOSE else shorter
    return text


def _without_scope_zh(text: str) -> str:
    found = _SCOPE_ZH.match(text)
    text = text[found.end() :] if found and found.end() < len(text) else text
    text = _LINKED_ZH.sub("", text.strip().removeprefix("的").strip(), count=1)
    text = _THE_FACT.sub("", text).strip(" ,。") or text
    return _END_ZH.sub("", text).strip(" ,。") or text
