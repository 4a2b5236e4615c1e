"""What a clause says about its own standing: denied, over, past, unsure, for a while, only sometimes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from shared.models.relations.words.changes import ENDED, FINISHED, PASSING, TENTATIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class Mood:
    """How far a clause commits its speaker.

    denied: the opposite holds. ended: it held and does so no more. past: it held once, and now is not spoken of.
    tentative: a maybe, a plan, a condition. unreal: a wish or something refused; it states nothing.
    passing: holds for a limited time. partial: holds now and then. added: holds beside what is known.
    changed: says itself that something is different now. returned: holds again.
    """

    denied: bool = False
    ended: bool = False
    past: bool = False
    tentative: bool = False
    unreal: bool = False
    passing: bool = False
    partial: bool = False
    added: bool = False
    changed: bool = False
    returned: bool = False


_DENIAL: Final = re.compile(
    r"\b(?:not|no|never|without|neither|nor|none|nothing|nobody|hardly|(?:(?<=^)|(?<=please )|(?<=can )|(?<=you )|(?<=and ))stop(?= \w+ing\b)|stop(?= (?:using|writing|adding|with|the|calling|giving|sending))|lose the|drop the|enough with|avoid|refuse to|stay away from|steer clear of|skip|skipping)\b"
    r"(?! (?:only|just|long ago|wonder|matter|idea|later than|more than|less than|doubt|problem|worries))"
    r"|不(?!错|过(?!敏)|但|仅|同|管|少|久|止|断|见不散|安|如|好意思|是不|定|多(?=$|[,.])|耐受|耐)|没(?!准|事|错|什么问题)"
    r"|无(?!线|论|所谓|锡|聊|糖)|未(?!来|必|婚)|(?<![特个区性级类告])别(?!人|墅|的|扭|名|致|克|是|处)|勿|免(?=了|放|加)|忌口|避免|避开"
)
_NOT_DENIED: Final = re.compile(
    r"\b(?:(?:nobody|no one|nothing|none)(?: is| has| have|'s)? (?:been |quite |yet )*(?:confirmed|decided|final|fixed|settled|official|signed|certain)|not sure|not decided|not only|why not|can not wait|no problem|could not agree more|not yet|or not)\b"
    r"|差不多|不超过|不少于|不低于|不止|说不定|要不|能不能|可不可以|是不是|忍不住|不得不|不是不|不一定|不确定|不知道|没想好|没准|还没定|来不及|对不起|不好意思|不客气|好不容易|不仅|不光|不太确定|不如"
)

_ENDED: Final = re.compile(
    r"\b(?:no longer|not \b.{0,60}?\b(?:anymore|any longer|nowadays|these days|now)\b|used to be\b.{0,40}\bbut not"
    r"|(?:have |just |finally |recently )?(?:quit|stopped|given up|gave up|giving up|dropped|drop|leaving|sold|selling"
    r"|got rid of|get rid of|getting rid of|gave away|given away|rehomed|rehome|rehoming|put to sleep|euthani[sz]ed|cancel(?:l?ed|l?ing)?|resigned|moved out|moving out|move out"
    r"|outgrew|outgrown|grew out of|grown out of|kicked|swore off|sworn off|ditched|ditch|died|passed away|passed on|laid off|cut out"
    r"|weaned|uninstalled|deleted|withdrew|dropped out|deregistered|unsubscribed|no more|moved (?:away )?from (?!\w+ to\b|\w+ \w+ to\b)|recovered|healed|got over|over and done|scrapped"
    r"|traded in|swapped|replaced|done with|finished with|through with|parted ways|broke up|stepped down|let go|is gone|are gone"
    r"|is over|was over|fell through|lost|threw out|threw away|turned off|donated|gave back|returned|shut down|closed down|cured|past it)"
    r"|gave\b.{1,25}\baway|giv(?:e|ing)\b.{1,25}\b(?:away|up)|took me off|paid off|paying off|took (?:my|the|our) [\w ]{1,20}(?:out|off|down|away)|(?:am|got|is|are) over (?:my|the|it|her|him)|put\b.{1,20}\b(?:down|up for adoption)|(?:am|is|are|been|came|come|gone|went) off (?!to\b|work\b|on\b|sick\b)|left (?:my|the|our|that) (?:\w+ )?(?:job|company|firm|team|band|choir|club|church|group|party|gym|agency|school|course|faith|flat|house)|(?:left|leave|leaving) (?!my\b|the\b|a\b|an\b|some|him|her\b|it\b|them|his|home|for\b|at\b|early|late|on\b|in\b|me\b|to\b|over|out|behind|hand|us\b|you|work\b|around|by\b)\w+|quitting|stopping)\b"
    r"|(?:不|没)(?:[^,.;!?]{0,12})了(?=$|[,.;!?~ 哈啊呀哦吧的]|[\ue000])"
    r"|不再|戒(?!指|备|心)|放弃|辞(?:职|了|掉)|离职|离开|退出|退学|退了|退掉|休学|辍学|肄业|卖了|卖掉|送人|送走|送养|停了|停掉|停药|停用|取消|不干了|走丢|过世|去世|死了"
    r"|丢了|扔了|扔掉|换掉|删了|卸载|还清|注销|销号|搬走|搬出|痊愈|治好|康复|断了|断药|淘汰|告别|拆了|拆掉|关了|关掉|再也不|分手|散伙|解散|改掉|用不着|不养了|(?:摘|拆|拿|脱)(?:掉|下|了(?=$|,))|拿掉|转让|退订|退租|退役|没再"
)
_NOT_ENDED: Final = re.compile(
    r"\b(?:never (?:quit|stopped|gave up)|not (?:quit|stopped|given up)|lost weight|lost \d|is over \d|dropp\w+ (?:[\w']+ ){0,3}(?:off|at|round|by)|stopp\w+ (?:at|by|in|off|over|for)|left (?:[\w']+ ){1,3}(?:early|late)|(?:turned|switched) (?:off|down|on) (?:the|my) (?:heating|lights?|tv|telly|radio|oven|tap|music|kettle|fan|ac)|lost (?:my|the) (?:keys?|umbrella|way|temper|voice|glove|phone|wallet|ticket))\b|受不了|忍不了|免不了|少不了|离不了|大不了|不得了|没(?:戒|放弃|停|卖)|(?:空调|灯|电视|暖气|音乐|火|窗户?|门|闹钟|水|煤气)(?:都|给|已经)?关|(?:wifi|网络?|信号|电) ?(?:又|也|老)?断"
    r"|不(?:得)?了(?:解)?|太.{1,3}了$|没(?:关系|问题)了"
)
_PAST: Final = re.compile(
    r"\bused to\b|\bin my (?:early |mid |late )?(?:twenties|teens|thirties|youth|childhood|student days|school days|uni days|20s|30s)\b"
    r"|\bas a (?:small |young )?(?:kid|child|teenager|student|teen|boy|girl)\b|\bwhen (?:i|we) (?:was|were|lived|studied)\b"
    r"|\b(?:formerly|previously|childhood|growing up)\b|\bin the past\b|\bat one (?:point|time)\b"
    r"|\b(?:before|once)(?=$|[,.;!])|\bonce (?:lived|worked|had|owned|smoked|studied|played)\b|\bthe old days\b|\bat (?:school|uni|university|college) i\b"
    r"|\b(?:i|we) (?:only |also |even |briefly |first |\w+ly )?(?:lived|worked|smoked|ate|drank|liked|loved|hated|studied|played|owned|spoke|ran|learned"
    r"|learnt|drove|taught|used|wore|took|kept|rented|commuted|practi[cs]ed|preferred|enjoyed|weighed|sang|swam|cycled"
    r"|attended|trained|did|collected|wrote|rode|cooked|danced|painted|vaped|biked|jogged)\b"
    r"|\b(?:i|we) was (?:a|an|the|in|at|on|married|single|vegan|vegetarian|allergic|living|working|studying|with)\b"
    r"|\b(?:i|we) were (?:a couple|together|in|at)\b|\bi had (?:a|an|two|\d|asthma|braces|long hair|short hair)\b(?! (?:baby|operation|surgery|promotion))"
    r"|(?<![月号日点年周节完后假好])之前(?!先)|以前|曾经|曾(?!祖)|从前|过去(?!了)|当年|小时候|岁(?:的)?(?:时候|时|那年)|过抽烟|年轻(?:的)?(?:时|那)|那会儿|那时|原来(?!是)|原先|早年|(?:大学|高中|初中|小学|读书|上学|学生|留学)(?:时候?|期间|的时候|时代)"
    r"|(?:住|学|抽烟|养|待|做|当|干|练|用|戴|搞|种|租|工作|服役|打工|上班|教书|谈|信|玩)过(?!敏)"
)
_LONG_AGO: Final = re.compile(
    r"\bback (?:when|then|in (?:the|my|those|high|uni|college|school|\d))|\b(?:years|ages|decades) ago\b"
)
_PAST_BUT_NOW: Final = re.compile(
    r"\bi (?:did|took) (?:not|up)\b|\bi took (?:a|the|my) (?:job|test)|\b(?:i|we) (?:drove|took)\b.{0,20}\btoday\b"
)

_TENTATIVE: Final = re.compile(
    r"\b(?:might|maybe|perhaps|possibly|probably|unsure|considering|consider|wondering|tempted|toying with|leaning towards?|leaning to|unless|someday"
    r"|(?<!you )may (?!\d|be called)|not (?:so |too |really |entirely |quite |at all )?sure|thinking (?:about|of)|i think|i guess|i suppose|could (?:be|lose|end|see myself|imagine|picture)|likely|if|hoping|hope to"
    r"|planning|plan on|looking (?:into|at)|kind of think|undecided|on the fence|in two minds|debating|not decided|have not decided|we will see"
    r"|about to|(?:want|would like|plan|intend|hope|decide|looking|try|trying|supposed|might have|may have) to (?!conceive|you|see|thank|point|clarify|mention)|going to (?!the\b|a\b|an\b|my\b|our\b|church|school|work|bed|uni|college|gym|yoga|class|sleep|be called)"
    r"|i would like to (?=move|change|switch|quit|stop|leave|give|sell|become|try|learn|live)|will (?=probably|likely|move|be (?:moving|living|working|starting|leaving)|start|switch|stop|quit|leave|soon)"
    r"|moving (?:\w+ )?(?:to|out) .{0,30}(?:next|soon|in (?:the|a|two|three|january|february|march|april|may|june|july|august|september|october|november|december|\d))"
    r"|next (?:week|month|year|summer|spring|autumn|winter|term)|(?:am|are|is) moving (?:back )?(?:to|in|out)|torn between|half (?:thinking|tempted)|almost (?:ready|tempted)|having second thoughts|second thoughts|do not know if|who knows)\b"
    r"|可能|多半|八成|十有八九|也许|或许|大概(?!每|是|[\d一二两三四五六七八九十百千几])|说不定|没准|好像|似乎|恐怕|估计|考虑|打算|计划|准备(?!了|好了)|犹豫|纠结|不确定|不太确定|不一定|没想好|没决定|没定|再想想|再看看|感觉|如果|要是|万一|假如"
    r"|(?<!我)想要(?!你)|想(?!请|让|你|要|法|起|吃|喝|念|到|想|象|家|告诉|说|问|让)|要不要|看情况|应该会|快要|马上要|就要|即将|将要|将会|明年|下个?月|下周|下学期|要(?=搬|换|辞|离婚|结婚|退|跳槽|分手|转)"
    r"|争取|努力(?!工作)|尝试|试着|希望(?!你|回|用)|看看能不能|能不能(?!用|回)|有点动摇|动摇|没那么(?:讨厌|喜欢|爱|怕|想)|不是不行|也不是不|可能得|得把|不排除|拿不准"
)
_NOT_TENTATIVE: Final = re.compile(
    r"\b(?:if (?:possible|you|that is|it helps|needed)|i think you should|thinking of you|want to (?:be called|go by)|would like to be (?:called|addressed)|as if|even if|if only)\b"
    r"|我想(?:请|让|要)你|想请|感觉很|可能的话|可能会过敏|如果可以|如果方便|如果你"
)

_UNREAL: Final = re.compile(
    r"\b(?:i wish|wish (?:i|we)|would love to|dream(?:ing|t|ed)? of|if only|turned down|declined|rejected|passed on (?:the|an)|pretend|almost (?:bought|moved|took|got)|nearly (?:bought|moved|took|got)"
    r"|would have|could have|should have|one day i|(?:was|been|got) (?:\w+ )?offered|got an offer|have an offer)\b"
    r"|就好了|真希望|多希望|好希望|梦想|好想(?:住|搬|养|去)|羡慕|拒绝|拒了|婉拒|推掉|没去成|差点(?:儿)?(?!没)|本来(?:想|要|打算)|恨不得|巴不得|幻想"
)

_PASSING: Final = re.compile(
    r"\b(?:for now|for the moment|for the time being|temporarily|until|till|for (?:a|the next) (?:while|bit|few|couple|month|week|fortnight)|for a few (?:days|weeks|months)|for \d+ (?:days|weeks|months)"
    r"|for (?:two|three|four|five|six) (?:days|weeks|months)|at the moment|while (?:i|we|my|they|he|she|the)|for the (?:summer|next|month|weekend|holidays|winter|rest of)"
    r"|over the (?:summer|holidays)|for lent|dry january|during (?:lent|ramadan|exams|the)|taking a break|take a break|having a break|on (?:a )?break|on hold|covering for|filling in|standing in|short-term|staying (?:with|at|in)"
    r"|crashing (?:at|with)|in the meantime|meanwhile|just (?:for|this) (?:this |the |a )?(?:week|month|summer|term|time|while)|sabbatical|on leave|trial|interim|pausing|paused|experiment)\b"
    r"|暂时|临时|先(?!生|前|天|进|后|锋|到|得|讲|说|给|列|放|解释|推理|回答|总结)|这(?:段|阵)(?:时间|日子|子)?|这几天|这两天|这几个?[周星月]|期间|这个(?:夏天|暑假|寒假|冬天)|(?:月|号|日|节|年|假|底|完) ?之?前(?=我|住|都|先|不)"
    r"|为止|直到|冷静期|一阵子|过渡|顶班|代班|借住|暂住|暂停|短期|等.{1,10}(?:再说|就回|再换|再恢复)|忌口|隔离|出差期间|放假期间|封斋|斋月"
)
_THESE_DAYS: Final = re.compile(
    r"\bthis (?:week|month) (?:i|we) (?:am|are|have)\b|\b(?:am|are|is)\b.{0,60}\bthis (?:week|month|summer|winter|term|semester)\b|\bthis (?:month|week)\b|这个?月|这周|本周|这学期|这几周"
)
_FOR_GOOD: Final = re.compile(
    r"\b(?:started|moved|switched|quit|stopped|got|became|turned|finally)\b|了(?=$|[,.!\d ])|[升换搬](?:到|了|成)|刚|入职|开始"
)
_GIVEN_UP_ZH: Final = re.compile("不[^,.;]{0,6}了")
_NOT_PASSING: Final = re.compile(
    r"\b(?:runs?|valid|lasts?|open|extended|booked|working|work) (?:until|till)\b|\b(?:stop(?:ped)?|quit|never|not) .{0,20}until now\b|最先|首先|事先|优先|领先"
)

_PARTIAL: Final = re.compile(
    r"\b(?:sometimes|occasionally|once in a while|every now and then|now and then|now and again|from time to time|every so often|on (?:rare|special) occasions|rarely|the odd|in moderation)\b"
    r"|偶尔|有时候?|间或|时不时|偶然|隔三差五|逢年过节|少量"
)
_ADDED: Final = re.compile(
    r"(?:\btoo|\bas well)(?=$|[,.;!)])|\b(?:also|additionally|in addition|another|on top of|besides|on the side|side (?:job|gig|hustle)|second (?:job|home|phone|cat|dog|car|laptop)|both|as well as|alongside|a new one too)\b"
    r"|也(?!许|就|不|没|说不|搞不|弄不)|还(?!是(?!会)|没|行|可以|在|好|算|不|款|贷|钱|\s?\d|要|信|能|得再|会不|[\u4e00-\u9fff]不)|另外|同时|兼(?!职)|副业|除了|又(?:养|买|多|加|领养|收养|报)了?|再养|第二[个只份辆台]|多了一|额外|顺便"
)
_CHANGED: Final = re.compile(
    r"\b(?:now|nowadays|switched|switch|switching|changed|change|changing|instead|moved|replaced|upgraded|traded|swapped|from now on|correction|i meant|i misspoke|scratch that|became"
    r"|converted|turned|finally|anymore|these days|since|rather than|got (?:a )?new|is new|went (?:vegan|vegetarian|up|down|from|with|back)|no longer|gone (?:vegan|up|down|from|over|back|with)|rescheduled|extended|reinstalled|dyed|renewed|postponed|pushed|brought forward|raised|increased|lowered|cut down|down to|up to|bumped"
    r"|have (?:been|started|become)|started|start using|(?:was|got it) wrong|my (?:mistake|bad)|typo|mixed up|misremembered|misspoke|i meant|swapping|swap|turns out|turned out|(?:typed|got|put|said|wrote|had) (?:it|that|this) wrong|actually|no wait|new)\b"
    r"|更正|纠正|打错|口误|笔误|弄错|搞混|记混|看错|说错|记错|搞错|写错|改|换|现在|如今|变(?!量|态|压)|调|转|升|降|涨|加到|减到|增加到|提到|从今|以后(?!我)|今后|终于|刚|不是.*是|了(?=$|[,.;! 吧啊哦])|推迟|提前|延期|挪|瘦到|胖到|重新"
)
_RETURNED: Final = re.compile(
    r"\b(?:again|back to|back on|resumed|once more)\b|又(?!养|买)|重新|恢复|开荤|破戒|复吸|复饮|再次|回归"
)
_UNSETTLED: Final = re.compile(
    r"^(?:and |but )?(?:i )?(?:do not know|dunno|not sure|no idea|unsure) (?:if|whether|how long) (?:i|it|that|this|we) (?:will |would |can |could |should )?(?:carry on|keep (?:it|this|that|going)|continue|stick|last|stay|go through|hold).*$"
    r"|^(?:but )?(?:i am )?(?:still )?(?=not|have not|nothing|undecided|unsure|we will|let us|tbd|who knows|depends|fingers).{0,20}(?:sure|decided|certain|made up my mind|see|settled|final|fixed|signed|official|knows|depends|undecided|unsure|tbd|crossed)(?: yet| though| about it)?$"
    r"|^(?:but |or )?(?:i )?(?:really )?(?:dunno|do not know|idk|no idea|who knows|not sure|unsure|undecided|tbd|tbc|depends|maybe|perhaps|possibly)(?: yet| really| tbh)?$"
    r"|^(?:我)?(?:再|还)(?:想想|看看|考虑|没想好|没定|没决定|不确定|在想|在考虑|在犹豫)"
    r"|^(?:还没|没)(?:想好|定|决定|确定|最后定)|^(?:不确定|看情况|再说|到时候再|还在纠结)|^(?:我)?(?:不太|还不)确定"
)

_MORE_ENDED: Final = re.compile(ENDED)
_FINISHED: Final = re.compile(FINISHED)
_MORE_TENTATIVE: Final = re.compile(TENTATIVE)
_MORE_PASSING: Final = re.compile(PASSING)


_ORDER_TO_STOP: Final = re.compile(
    r"^(?:please |can you |could you |just |ok |and )*(?:stop (?:\w+ing|it|the|with)|drop the|cut the|ditch the|lose the|quit (?:\w+ing|the)|enough (?:with|of))\b|^(?:请)?(?:停止|停用|别再|不要再|不用再)"
)


def mood(clause: str) -> Mood:
    """Return the mood of one folded clause."""
    plain = _NOT_DENIED.sub(" ", clause)
    over = _NOT_ENDED.sub(" ", clause)
    ended = bool(_ENDED.search(over) or _MORE_ENDED.search(over))
    sure = _NOT_TENTATIVE.sub(" ", clause)
    lasting = _NOT_PASSING.sub(" ", clause)
    past = bool(_PAST.search(_PAST_BUT_NOW.sub(" ", clause)) or (_LONG_AGO.search(clause) and not ended))
    return Mood(
        denied=len(_DENIAL.findall(plain)) % 2 == 1 or bool(_ORDER_TO_STOP.search(plain)),
        ended=ended,
        past=past,
        tentative=bool(_TENTATIVE.search(sure) or _MORE_TENTATIVE.search(sure)),
        unreal=bool(_UNREAL.search(clause)),
        passing=bool(_PASSING.search(lasting) or _MORE_PASSING.search(lasting))
        or bool(_THESE_DAYS.search(clause) and not _FOR_GOOD.search(_GIVEN_UP_ZH.sub("", clause))),
        partial=bool(_PARTIAL.search(clause)),
        added=bool(_ADDED.search(clause)),
        changed=bool(_CHANGED.search(clause)),
        returned=bool(_RETURNED.search(clause)),
    )


def ending(clause: str) -> int | None:
    """Return where the folded clause begins to say that something is over; None when it does not."""
    found = _MORE_ENDED.search(clause) or _ENDED.search(clause) or _FINISHED.search(clause)
    return None if found is None else found.start()


def leaves_open(clause: str) -> bool:
    """Return whether the folded clause only says that what stands beside it is undecided: "not sure yet", "再看看"."""
    return bool(_UNSETTLED.search(clause.strip()))
