"""English rules for preferences, in order of precedence."""

from __future__ import annotations

from shared.models.rules.english.words import ADVERB, AM, CAN_NOT, DO_NOT, NOT_AN_ORDER, PLEASE, TASK_OBJECT, THING
from shared.models.rules.table import Rule

_CALL = (
    r"(?:(?:please|pls|just|you can|you may|you could|feel free to|people|everyone|everybody|friends|my friends"
    r"|most people) ){0,2}calls? me (?!back|later|when|if|at|on|tomorrow|today|tonight|asap|crazy|old|maybe|now"
    r"|up|for"
    rf"|by|in|after|before|and|out|again|a\b|an\b|any|what|that|this)(?:\"|')?{THING}[^,]{{1,40}}$"
)

PREFERENCES: tuple[Rule, ...] = (
    Rule("do_not_call", rf"{PLEASE}{DO_NOT} call me {THING}", "preference", standing=True),
    Rule("call_me", _CALL, "preference", 6, standing=True),
    Rule(
        "address_me",
        rf"{PLEASE}(?:address me as|refer to me as|(?:speak|talk) to me (?:in|like)) {THING}"
        r"|my (?:preferred )?pronouns are\b|i(?:\'?d like| want| prefer| would like) to be (?:called"
        rf"|addressed as) {THING}",
        "preference",
        standing=True,
    ),
    Rule("always", rf"{PLEASE}always {NOT_AN_ORDER}[a-z]{{2,20}} {TASK_OBJECT}{THING}", "preference", standing=True),
    Rule(
        "from_now_on",
        r"(?:please )?(?:from now on|going forward|from here on|in (?:the )?future"
        r"|henceforth)[\s,:](?! ?(?:i (?!(?:want|need|expect|would like) you)|i'm|we|it|there|this|he|she|they"
        r"|what|how)\b)",
        "preference",
        standing=True,
    ),
    Rule(
        "want_you_to",
        r"i(?:'?d like| want| need| would like| prefer) (?:you )?to (?:always|never)\b|i(?:'?d like| want| need"
        r"| would like) you to (?:always|never|stop)\b",
        "preference",
        standing=True,
    ),
    Rule(
        "keep_answers",
        rf"{PLEASE}keep (?:your |the |all |all your )?(?:answers|replies|responses|explanations|messages) {THING}",
        "preference",
        standing=True,
    ),
    Rule(
        "favourite",
        r"(?:my|our) (?:[\w'-]{1,20} ){0,2}?(?:favou?rite|fave|preferred|go-to"
        r"|least favou?rite)\b[^,]{0,60}?(?:\b(?:is|are|was always|has always been)\b|'s\b)(?! (?:this|that one"
        r"|the (?:first|second|third|last))\b) \W?[\w\ufffc]",
        "preference",
        standing=True,
    ),
    Rule(
        "is_my_favourite",
        r"(?!this|that|it|which|what|he|she|his|her|the (?:first|second|third|last)|option|version|number"
        r"|one\b)[\w\ufffc][^,]{0,60}? (?:is|are) my (?:all-time |absolute |personal )?(?:favou?rite|fave)\b",
        "preference",
        standing=True,
    ),
    Rule(
        "like",
        rf"(?:i think )?i {ADVERB}(?:like|love|enjoy|adore|hate|dislike|detest|loathe|despise|prefer|favou?r"
        rf"|{CAN_NOT} (?:stand|bear)"
        rf"|{DO_NOT} (?:really |particularly |much |even )?(?:like|love|enjoy|care for)|no longer (?:like|love"
        r"|enjoy|want)"
        rf"|never (?:liked|enjoyed)|have (?:always|never) (?:liked|loved|hated|preferred)) {TASK_OBJECT}{THING}",
        "preference",
        standing=True,
    ),
    Rule(
        "have_always_liked",
        rf"i'?ve (?:always|never) (?:liked|loved|hated|enjoyed|preferred) {TASK_OBJECT}{THING}|i'?d (?:much "
        rf"|really |generally |always )?prefer {TASK_OBJECT}{THING}|i would (?:much "
        rf"|always )?prefer {TASK_OBJECT}{THING}",
        "preference",
        standing=True,
    ),
    Rule(
        "fond",
        rf"{AM} {ADVERB}(?:not )?(?:really |much of )?(?:into|fond of|keen on|passionate about|obsessed with"
        r"|crazy about|(?:an? )?(?:\w{2,10} )?(?:fan|lover) of|partial to"
        rf"|interested in(?! \w{2, 15}ing\b)) {TASK_OBJECT}{THING}",
        "preference",
        standing=True,
    ),
)
