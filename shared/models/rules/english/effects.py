"""English rules for what things do to the person, and what their home, body and days are like."""

from __future__ import annotations

from shared.models.rules import importance
from shared.models.rules.english.words import (
    ADVERB,
    CAN_NOT,
    COUNT,
    DAY,
    DO_NOT,
    FAMILY,
    TASK_OBJECT,
    THING,
    WE,
    WE_ARE,
)
from shared.models.rules.table import Rule

_SOFTWARE = (
    r"(?:errors?|bugs?|code|compiler|pages?|links?|tests?|scripts?|output|warnings?|build|assignment|homework|files?|logs?"
    r"|function|query|draft|essay|ending|answer|layout|font|version|plot|novel|story)"
)
_SOMETHING = (
    r"(?!(?:it|this|that|these|those|he|she|they|you|your|we|i|which|who|what|there|here|nothing|something|he's|she's"
    rf"|(?:the|my|our|an?) (?:[\w-]{{1,15}} )?{_SOFTWARE})\b){THING}(?:[\w\ufffc'/&-]{{1,20}} ){{1,6}}?"
)
_BODY = (
    r"(?:(?:left|right|bad|lower|upper) )?(?:knees?|back|neck|hips?|shoulders?|ankles?|wrists?|hands?|fingers?|feet|foot"
    r"|legs?|arms?|elbows?|stomach|gut|tummy|skin|eyes?|ears?|teeth|gums|jaw|lungs|heart|joints|throat|sinuses|scalp)"
)
_BELONGS = (
    r"(?:(?:phone|data|mobile) plan|internet|broadband|contract|insurance|flat|apartment|house|kitchen|bathroom|oven"
    r"|freezer|suitcase|car|commute|lunch break|notice period|shift|mortgage|rent|boiler|garden|balcony)"
)
_ABOUT = r"(?:about |around |roughly |almost |nearly |only |just |over |up to |at )?"

EFFECTS: tuple[Rule, ...] = (
    Rule(
        "makes_ill",
        rf"{_SOMETHING}(?:makes? me (?:gag|sick|nauseous|queasy|dizzy|drowsy|bloated|sneeze|cough|retch|faint|vomit)"
        rf"|upsets? my stomach|triggers? my {THING}|{DO_NOT} agree with me|doesn'?t agree with me)",
        "constraint",
        importance.SAFETY,
        taboo=True,
    ),
    Rule(
        "body",
        rf"my {_BODY} (?:(?:{CAN_NOT}|won'?t) (?:take|handle|tolerate|stand|cope|bend|do|hold|process)\b"
        r"|(?:hurts?|aches?|acts? up|flares? up|swells?(?: up)?|cramps?|seizes? up|locks? up|shakes?|goes? numb"
        r"|gets? (?:sore|dry|itchy|stiff|red)) (?:when(?:ever)?|if|after|in (?:the )?(?:cold|winter|heat|sun)|a bit|a little"
        r"|all the time|easily)|(?:is|are) (?:shot|weak|sensitive|fused|dodgy))",
        "constraint",
        importance.SAFETY,
        taboo=True,
        standing=True,
    ),
    Rule(
        "sense_lost",
        r"i(?:'?ve)? (?:have )?(?:lost|got no|have no) (?:my |the |most of my |all |some )?(?:hearing|sight|vision|feeling"
        r"|eyesight|sensation) in (?:my|one|both)\b",
        "fact",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "can_only",
        rf"{WE} can only (?:eat|drink|wear|lift|tolerate|digest|have) {TASK_OBJECT}{THING}"
        rf"|i {CAN_NOT} have [\w' -]{{2,30}} (?:with|because of|due to|on) my (?:meds?|medication|pills|condition|blood)",
        "constraint",
        importance.SAFETY,
        taboo=True,
        standing=True,
        elliptic=True,
    ),
    Rule(
        "effect",
        rf"{_SOMETHING}(?:(?:really |always |just |totally |absolutely )?(?:terrif(?:y|ies)|scares?|frightens?|exhausts?"
        r"|drains?|overwhelms?|disgusts?|fascinates?|soothes?|relaxes?|energi[sz]es?) me\b"
        r"|(?:wears?|tires?|stress(?:es)?|freaks?|creeps?|weirds?|calms?|winds?|cheers?) me (?:out|up|down)"
        r"|keeps? me (?:up|awake|sane|grounded|going)|makes? me (?:anxious|nervous|sleepy|uncomfortable|cringe|jittery"
        r"|claustrophobic|cranky|miserable|homesick|cry|panic|happy|calm)|helps? me (?:sleep|focus|relax|unwind|concentrate"
        r"|wind down|fall asleep|de-?stress|cope)|puts? me (?:to sleep|in a bad mood)"
        r"|(?:tastes?|smells?|looks?|sounds?|feels?) like [\w ]{3,20} to me|beats? [\w ]{3,25} (?:for me|any day)"
        rf"|(?:{DO_NOT}|doesn'?t|never) (?:suit|appeal to|interest|bother|do it for|do much for) me)",
        "preference",
        standing=True,
    ),
    Rule(
        "rather_every_time",
        rf"i'?d (?:always )?(?:choose|pick|take|go for|order|have) {TASK_OBJECT}[^,]{{2,40}}? (?:every time|any day|any time)\b",
        "preference",
        standing=True,
    ),
    Rule(
        "days",
        rf"(?:my )?(?:{DAY}s|{DAY} (?:mornings|evenings|nights|afternoons)|mornings|evenings|weekends|nights|weekdays) are"
        rf" (?:for (?:{THING}(?!sale))|when i\b|reserved|sacred|off|out\b|busy|packed|free|family|my\b)",
        "fact",
        standing=True,
    ),
    Rule(
        "money",
        rf"{WE} {ADVERB}(?:pay|spend|earn|make|save|owe|put aside|get paid|bring home) {_ABOUT}(?:[$€£¥] ?)?\d[\d.,]{{0,8}}k?"
        r"(?! ?%)[^,]{0,30}? (?:(?:a|an|per|each|every) (?:month|week|year|hour|day)|in rent|(?:for|on|in) (?:my |our |the )?"
        r"(?:rent|mortgage|childcare|tuition|nursery))\b",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "kept_up",
        rf"i'?ve (?:run|owned|managed|led|coached|rented|kept|chaired) (?:this|the|an?|my|our) (?!{_SOFTWARE}\b|command|program"
        r"|app\b|model|loop|job\b|process)[\w -]{2,30}? (?:since (?:\d{4}|my|i was|the)|for (?:\d|over|about|almost|\w{2,8} years))",
        "fact",
        elliptic=True,
    ),
    Rule(
        "never_been",
        rf"i'?ve never (?:been (?:on|to|in|abroad|up)|owned|flown|driven|ridden|smoked|broken|left (?-i:[A-Z])) ?{TASK_OBJECT}",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "forgetful",
        r"i (?:always|constantly|tend to|often) (?:forget|lose|mix up|misplace|overthink|procrastinate|oversleep|run late)"
        r"(?! (?:to|the|how|this|that|which|what|it)\b)",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "at_home",
        r"(?:nobody|no ?one|everyone|everybody|none of us|half of us|all of us) (?:in|at) (?:my|our) (?:family|house|home"
        r"|household|flat) (?!know|said|want|understand|think|is\b|was\b)[a-z]{3,12}"
        r"|we (?:keep|don'?t|never|always|take|leave|eat|speak|share|celebrate) [^,]{2,50}? (?:in our (?:house|home"
        r"|family|flat)|at home|at our place|as a family)\W*$"
        rf"|(?:the|our) (?:{FAMILY}) (?:sleeps?|eats?|hates?|loves?|barks?|wakes?|sheds?|needs?|adores?) [^,]{{0,40}}?"
        r"\b(?:my|our|us|me)\b"
        rf"|(?:{WE_ARE}|i'm) (?:still )?the one who\b",
        "fact",
        standing=True,
    ),
    Rule(
        "holds",
        rf"(?:my|our) {_BELONGS} (?:only |just )?(?:has|have|costs?|allows?|covers?|includes?|gives me|lasts?|takes?|seats?)"
        rf" {_ABOUT}(?:[$€£¥] ?)?(?:\d|{COUNT} )"
        r"|i hold (?:both )?(?:an?|dual|two) [\w -]{3,40}?(?:passports?|citizenships?|degree|licen[cs]e|visa|certificate)",
        "fact",
        standing=True,
        elliptic=True,
    ),
)
