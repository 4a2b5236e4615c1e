"""What happened, and what no longer holds because of it: who gave birth is not pregnant, who graduated studies no more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_CHILDREN: Final = frozenset({"son", "daughter", "baby", "second child", "twin", "child"})


@dataclass(frozen=True, slots=True)
class Event:
    """Ends slots and concepts held to be so, and denials that held until now."""

    pattern: re.Pattern[str]
    slots: frozenset[str] = frozenset()
    concepts: frozenset[str] = frozenset()
    denials: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    shared: bool = False
    """Whether it ends only what is said of something it names itself."""


def _event(
    pattern: str,
    *,
    slots: str = "",
    concepts: str = "",
    denials: str = "",
    subjects: frozenset[str] = frozenset(),
    shared: bool = False,
) -> Event:
    def listed(text: str) -> frozenset[str]:
        return frozenset(part.strip() for part in text.split(",") if part.strip())

    return Event(re.compile(pattern), listed(slots), listed(concepts), listed(denials), subjects, shared)


EVENTS: Final = (
    _event(
        r"\b(?:gave birth|given birth|had (?:the|our|my|a) (?:baby|twins|son|daughter)|welcomed (?:our|a)|(?:baby|son|daughter|twins|boy|girl|little one)\b.{0,25}\b(?:born|here|arrived|came early|came late|finally came|has come|is out))\b"
        r"|生了(?!病|气)|出生了|生下|卸货|顺产|剖腹产|当(?:上)?(?:爸爸|妈妈|爸|妈|爹|爸妈)了?|\bbecame (?:a |an )?(?:\w+ )?(?:father|mother|dad|mum|mom|parent)s?\b|宝宝.{0,6}(?:出生|来了)",
        slots="pregnancy",
        concepts="pregnant, trying for a baby",
        denials="child",
        subjects=_CHILDREN,
    ),
    _event(
        r"\b(?:miscarr|not pregnant|lost the baby)|流产|没怀上",
        slots="pregnancy",
        concepts="pregnant",
    ),
    _event(
        r"\b(?:am|is|are|i am) (?:\w+ )?(?:pregnant|expecting)\b|怀孕了|怀上了|有喜了", concepts="trying for a baby"
    ),
    _event(
        r"\b(?:found|got|landed|start(?:ed|ing)?|began|have|accepted) (?:a |my |the |an? \w+ )?(?:new )?(?:job|position)\b|\bstart(?:ed|ing)? work(?:ing)?\b(?! (?:out|from home|at (?:\d|nine|ten|eight|seven)))|\bgot hired\b|\bemployed again\b"
        r"|找到(?:新)?工作|找着工作|入职|上岗|有工作了|开始上班|重新上班|拿到.{0,4}offer",
        concepts="unemployed, retired",
    ),
    _event(
        r"\bpromoted to\b|\bmade (?:head|lead|manager|partner|director)\b|升(?:任|为|成)|升职(?:做|当|为|成)|晋升(?:为|成)",
        slots="job",
    ),
    _event(
        r"\b(?:phd|degree|thesis|studies|course|master'?s) (?:is|are) (?:finally |now )?(?:done|finished|over|complete)|\b(?:graduated|graduate[sd]?|finished (?:my )?(?:degree|studies|school|uni|university|college|master'?s|phd|thesis)|got my (?:degree|diploma)|handed in my thesis|defended my)\b|毕业(?!于)|答辩(?:完|通过)|拿到(?:学位|毕业证)|读完",
        slots="study",
        concepts="student",
    ),
    _event(
        r"\b(?:dropped out|drop out|(?:quit|leave|left|leaving|quitting) (?:the (?:\w+ )?course|uni|university|school|college|my course|my degree|law school|med school|my studies))\b|退学|辍学|休学|肄业|不读了|不念了",
        slots="study",
        concepts="student",
    ),
    _event(
        r"\bfinished (?:my |the )?(?:apprenticeship|internship|traineeship|training|residency|probation)\b|\bfully qualified\b|\bpassed (?:my )?probation\b|\bqualified as\b"
        r"|出师|转正|实习(?:期)?(?:结束|满|完)|满师|定岗",
        concepts="apprentice, trainee, intern, student",
    ),
    _event(
        r"\bevict\w*|\b(?:want|wants|kick\w*|chuck\w*|turf\w*|throw\w*|threw|need|needs) (?:us|me) out\b|\bserved (?:us|me)? ?notice\b|赶我们?走|不租给|收回房子|退租",
        slots="tenure",
    ),
    _event(
        r"\b(?:quit|left|lost|lose|losing|leaving|quitting) (?:my|the|that) (?:\w+ )?job\b|\bresign(?:ed|ing)?\b|\bhanded in my (?:notice|resignation)\b|\b(?:got|was|were|been|being) (?:fired|laid off|let go|sacked|made redundant)\b|\bmade redundant\b|\bquit (?:last|yesterday|today)\b"
        r"|\b(?:am|became) (?:now )?(?:unemployed|out of work|between jobs)\b|\bunemployed\b"
        r"|辞职|辞了|离职|被裁|裁员|失业|被开除|被炒|裸辞|丢了工作|下岗|炒了?老板|没工作了|待业",
        slots="employer, hours",
    ),
    _event(
        r"\b(?:am|went|going|became|become|gone|now) (?:now )?(?:self-employed|freelance|a freelancer)\b|\bstarted my own (?:business|company|firm|shop)\b|\bwork for myself now\b|自己(?:创业|开公司|当老板|开店)|(?:开始|出来)创业|做自由职业",
        slots="employer",
        concepts="unemployed",
    ),
    _event(
        r"\bsold (?:my|our|the) (?:\w+ )?(?:house|flat|apartment|home|condo)\b|卖了?房|房子?(?:已经)?卖了|把房子?卖",
        concepts="own place, home",
    ),
    _event(
        r"\b(?:retired|retiring|took (?:early )?retirement|entered retirement)\b|退休",
        slots="employer, job, hours, commute",
    ),
    _event(
        r"\b(?:bought|buying|closed on|own) (?:a|an|our|my|our own|my own|the) (?:\w+ ){0,2}(?:house|flat|apartment|place|home|condo)\b|买了?(?:.{0,4})(?:房(?!租)|公寓|新家)|买房了",
        concepts="rent",
    ),
    _event(
        r"\bpassed (?:my|the) driving\b|\bgot (?:my|a) (?:driv\w+ )?licen[cs]e\b|\blearn(?:ed|t) (?:how )?to drive\b|\b(?:拿|考|领)到?了?(?:驾照|驾驶证)|驾照.{0,4}(?:拿到|考过|下来|考到|到手)|(?:拿到|考到|考了|考出)了?驾照|学会(?:了)?开车",
        denials="drive, licence",
    ),
    _event(
        r"\bmov(?:ed|ing) out\b(?! (?:to|here)\b)|\bgot (?:my|our) own place\b|搬出(?:来|去)|搬离|自己住了|出来住",
        slots="household",
        concepts="dormitory",
    ),
    _event(
        r"\bmov(?:ed|ing) in with\b|\bliv(?:e|ing) (?:together )?with\b.*\bnow\b|搬(?:去|到|来|进)?.{0,4}(?:跟|和|与).{1,6}(?:一起)?住|同居",
        concepts="live alone",
    ),
    _event(
        r"\b(?:lasik|laser (?:eye )?surgery|eye surgery|lasered)\b|激光(?:手术|矫正)?|近视手术|摘(?:了|掉)?眼镜|不用戴眼镜|全飞秒|半飞秒",
        concepts="glasses, contact lens, myopia",
    ),
    _event(
        r"\bcast (?:came|is|was|has come) off\b|\bout of (?:the|my) cast\b|\b(?:leg|arm|ankle|wrist|foot|shoulder|knee) (?:is|has) (?:\w+ )?healed\b|拆(?:了|掉)?石膏|石膏拆|骨折(?:已经)?好了",
        concepts="cast, crutch, broken leg, broken arm",
    ),
    _event(r"\bbraces (?:came|are|were|have come) off\b|摘(?:了|掉)?牙套|牙套.{0,3}(?:摘|拆)", concepts="braces"),
    _event(
        r"\b(?:adopted|got|bought|have|brought home|picked up) (?:a|an|our|my|two|our first) (?:\w+ ){0,2}(?:dog|cat|puppy|kitten|rabbit|hamster|parrot)\b|(?:养|领养|收养|买|接)了?.{0,4}[狗猫兔]",
        denials="pet",
    ),
    _event(
        r"\b(?:eat(?:ing)? meat|meat) again\b|\bstarted eating meat\b|开荤|破戒|恢复吃肉|又吃肉|开始吃肉",
        concepts="vegetarian, vegan, pescatarian",
    ),
    _event(
        r"\b(?:sold|scrapped|got rid of|wrote off|totalled) (?:my|our|the) (?:old )?car\b|车(?:已经)?(?:卖|报废)了|卖了?车",
        concepts="car",
    ),
    _event(
        r"\b(?:shaved (?:my head|off (?:my|all))|shaved it off|cut (?:off )?(?:my|all my) hair|got my hair cut short)\b|剪(?:成)?了?短发|头发.{0,3}剪(?:短|了)|剃光头|剃了?光头|剪短了?头发",
        concepts="long hair, curly hair",
    ),
    _event(r"\bshaved (?:off )?my beard\b|胡子(?:刮|剃)了|刮了胡子", concepts="beard"),
    _event(
        r"\bback (?:at|to) work\b|\bback from (?:maternity|parental|sick) leave\b|回来上班|复工|销假|产假(?:已经)?(?:结束|休完)|休完产假|返岗",
        concepts="maternity leave",
    ),
    _event(
        r"\b(?:is|are|feels?) (?:\w+ )?(?:fine|ok|okay|better|good|normal)(?: again| now)?\b|\bhealed\b|\brecovered\b|好了|痊愈|康复|不(?:疼|痛|酸)了",
        concepts="hurt",
        shared=True,
    ),
    _event(
        r"\b(?:transferred|switched|changed) (?:my )?(?:majors?|course|degree|programme|program)\b|转专业|转系|换专业|转到.{1,6}(?:专业|系)",
        slots="study",
    ),
)
"""Each says something that ends what was so before it."""
