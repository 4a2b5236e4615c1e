"""What a description says around what it is about, in Chinese: taken off both ends until nothing of it is left.

Repeated groups are atomic, `(?>…)`, as in English.
"""

from __future__ import annotations

import re
from typing import Final

_FORGET: Final = r"(?>清理|(?:忘|删|清|抹|移|擦|丢|扔|撤|剔|划|去|销|遗忘|注销|作废|销毁|拿)(?:除(?!了)|掉|记|却|空|光|干净|走|没|销|去|毁|一下|一删|了)+|忘|删|清|抹|遗忘|注销|作废)(?:了|掉|一下)*"
_NOT: Final = (
    r"(?:不要|不用|不必|不需要|没必要|用不着|无需|不想|不希望|不愿意?|不许|不准|不能|不该|不可以|别|甭|勿|莫|不)"
)
_KEEP: Final = r"(?:(?:记|留|存|保留|保存|储存|提|提起|提到|管|知道|想起|看到|听到|见到|惦记|理)(?:得|住|着|下来?|起来?|到|在|了)*)"
_LITTLE: Final = (
    r"(?>(?:从|在)?(?:你(?:的|那[里儿]?|这[里儿]?)?)?(?:记忆|脑子|脑海|数据库?|记录|资料)(?:里面?|中)|从?你(?:那[里儿]?|这[里儿]?)"
    r"|请|麻烦|拜托|劳驾|能不能|能否|可不可以|可以|能|帮我|给我|帮忙|替我|我想|我要|我希望|我|你|您|让|再|继续|就|都|全部?|全都|统统|通通|一律|一并|一起|也|先|现在|以后|直接|赶紧|马上|彻底|完全|干脆|好|好吗|行吗|可以吗|吧|了|啊|呀|哦|呢|啦|嘛|谢谢|一下|着"
    r"|从这(?:里|儿)|一个字|一点|一条|一句|一个|半点|吗|哈)"
)
_AS_IF: Final = r"(?:当(?:作|做|成)?(?:你|我)?(?:什么都|从来|根本)?(?:不知道|不认识|不记得|没(?:有)?(?:说|提|听|讲|聊|听说|发生)过?(?:这回事)?|没这(?:回|件)?事))"
_MARKS: Final = r"[\s,。!?;:、~…]"
_ASKS: Final = re.compile(
    rf"^(?:{_MARKS}|{_LITTLE})*?(?:{_FORGET}|{_NOT}(?:{_LITTLE})*{_KEEP}|记(?:得|住|着)?(?=我))(?:一下|吧|了|掉|{_MARKS})*(?:把|将)?"
)
_LEADS: Final = re.compile(rf"^(?:{_MARKS}|{_LITTLE})*(?:把|将)|^(?:请|麻烦|拜托|你|您|帮我|给我|那|{_MARKS})+")
_TAIL: Final = re.compile(
    rf"(?:(?>(?:{_MARKS}|{_LITTLE})*(?:{_FORGET}|{_NOT}(?:{_LITTLE})*(?:{_KEEP}|要|用|需要)|{_AS_IF}|{_NOT}(?:{_LITTLE})*了|不要|过期|没用|不重要|无关|(?:[跟和与]你)?(?:没|无)有?关系)(?:{_MARKS}|{_LITTLE})*))+$"
)
_POLITE: Final = re.compile(rf"(?:{_MARKS}|了|吗|吧|谢谢|好吗|可以吗|行吗|请|麻烦)+$")
_ABOUT: Final = re.compile(
    r"^(?:所有|全部|一切|任何|凡是|但凡|整个)?(?:的)?(?:"
    r"(?:我|你|咱们|我们)?(?:之前|以前|曾经|上次|刚才|那天|已经|当时)?(?:对你|跟你|和你|给你|向你)?(?:所)?(?:说过?|讲过?|提(?:到|过|及|起)?过?|告诉(?:过)?你?|记(?:得|住|下)|知道|聊(?:到|过|起)?|存)(?:了)?(?:的)?(?:那些|这些)?(?:所有|全部|一切|任何)?(?:关于|有关|跟|和|与|对于|涉及|提到|提及)?"
    r"|(?:只要是)?(?:关于|有关|跟|和|与|对于|涉及|提到|提及|说到)"
    r")|^(?:所有|全部|一切|任何|凡是|那个(?=叫)|那些|这些)(?:的)?"
)
_NOUN: Final = r"(?:事情|事儿|(?<![同故办军民董])事|内容|信息|记录|资料|东西|说法|消息|数据|情况|回忆|记忆|话题|(?<=[的这那些段句])话|部分|细节|痕迹|一切|全部|所有|相关|那些|这些|一条)"
_ABOUT_IT: Final = re.compile(
    rf"(?:(?>(?:(?>的|之类的?|什么的|这(?:[个些件段条点一码回]|档子)?|那[个些件段条一码]?|相关的?|有关的?|有关系的?|沾边的?|所有|全部|一切|任何|整(?:个|件)))*{_NOUN}"
    r"|(?:这|那)(?:一)?(?:条|点|项|个人|个|件|段|回|句|位|部分|码|些)|这(?:一)?(?:型号|编号|号码)|(?:这|那)个(?:型号|名字|编号|号码|地址)|相关的?|有关的?|有关系的?|沾边的?|之类的?|什么的|的))+[\s,。]*$"
)
_ALONE: Final = re.compile(
    rf"(?:(?>{_MARKS}|{_LITTLE}|{_FORGET}|{_NOT}|{_KEEP}|{_AS_IF}|{_NOUN}|的|要|用|把|将|这|那|它|他|她|个|条|些|所有|任何|关于|有关|相关))+"
)
_WITH: Final = re.compile(r"^我们?[跟和与](?=[^,]{1,4}$)")
_END: Final = 60
"""Characters at the end of a description that may say no more than that all of something is meant."""
_LINKED: Final = re.compile(r"(?:有关|相关|有关系|沾边)(?:的)?")


def says_nothing(part: str) -> bool:
    """Return whether a part of a description between marks says nothing of its own: "都删了"."""
    return _ALONE.fullmatch(part) is not None


def without_request(text: str) -> str:
    """Return a folded Chinese description without what only asks to forget."""
    asks = _ASKS.match(text)
    if asks and (rest := _POLITE.sub("", text[asks.end() :])):
        return rest.strip()
    if (leads := _LEADS.match(text)) and leads.end() < len(text):
        text = text[leads.end() :]
    return _POLITE.sub("", _TAIL.sub("", text) or text).strip()


def without_scope(text: str) -> str:
    """Return a folded Chinese description without what only says that all of something is meant, and that it was said."""
    found = _ABOUT.match(text)
    if found and found.end() < len(text):
        text = text[found.end() :]
    text = _LINKED.sub("", text.strip().removeprefix("的").strip(), count=1)
    shorter = text[:-_END] + _ABOUT_IT.sub("", text[-_END:])
    return _WITH.sub("", shorter.strip(" ,。")) or text
