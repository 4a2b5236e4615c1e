"""English rules for limits and habits given up: diets, budgets, hours, orders what not to do; in order of precedence."""

from __future__ import annotations

from shared.models.rules import importance
from shared.models.rules.english.words import (
    ADVERB,
    AM,
    CAN_NOT,
    DAY,
    DIET,
    DO_NOT,
    FOODS,
    HAVE_BEEN,
    NOT_AN_ORDER,
    PLEASE,
    TASK_OBJECT,
    THING,
    WE,
    WE_ARE,
)
from shared.models.rules.table import Rule

_NO_SUBJECT_AT_HAND = rf"{TASK_OBJECT}{THING}"

CONSTRAINTS: tuple[Rule, ...] = (
    Rule(
        "diet",
        rf"(?:(?:{WE_ARE}|{HAVE_BEEN} been) {ADVERB}(?:an? )?(?:(?:strict|lifelong|committed|ethical|practi[cs]ing"
        rf"|on an?|on the|raising our kids|following an?) )?|{WE} (?:went|turned|became|eat|cook|go) {ADVERB}(?:an? )?)"
        rf"{DIET}\b(?! (?:about|of|enough))",
        "constraint",
        importance.LIMIT,
        elliptic=True,
    ),
    Rule(
        "on_diet",
        rf"(?:{WE_ARE} {ADVERB}on|{WE} {ADVERB}(?:follow|keep|eat|stick to)) (?:an? )?(?:strict )?"
        rf"(?:[\w-]{{1,20}} ){{0,2}}?(?:diet|{DIET})\b|{AM} (?:completely |totally )?off (?:coffee|alcohol|sugar|meat"
        r"|dairy|caffeine|gluten|carbs|booze|bread|chocolate)\b|i(?:'?m doing| do| practi[cs]e) (?:intermittent fasting"
        r"|keto|low-carb|dry january|16:8|omad|no sugar)|no (?:pork|meat|alcohol|dairy|gluten|beef|nuts|sugar|shellfish"
        r"|fish|caffeine|[\w-]{3,15}(?: or [\w-]{3,15})?) for (?:me|us)\b(?! (?:today|tonight|now|this))",
        "constraint",
        importance.LIMIT,
        elliptic=True,
    ),
    Rule(
        "no_food",
        rf"{WE} {ADVERB}(?:{DO_NOT}|never|no longer|won'?t|would never|can no longer) {ADVERB}(?:eat|drink"
        rf"|consume|cook with"
        rf"|tolerate|touch|do (?={FOODS})|take sugar|take milk) ?{TASK_OBJECT}(?!the\b|words|from|that|now\b){THING}"
        rf"|(?:i|we)'d never (?:eat|drink|touch|cook|wear|buy) {THING}|(?:nobody|no ?one|none of us|everyone"
        rf"|everybody|we all|half of us)(?: in (?:my|our|the) (?:house|family|home|household))?"
        r" (?:eats?|drinks?|is|are|likes?|hates?) (?:[\w'-]{1,15} ){0,3}?(?:food|meat|fish|pork|spicy|vegan"
        r"|vegetarian|dairy"
        r"|alcohol|seafood|vegetables)\b",
        "constraint",
        importance.LIMIT,
        elliptic=True,
    ),
    Rule(
        "no_drink",
        rf"i {ADVERB}(?:{DO_NOT}|never|no longer) {ADVERB}(?:drink|eat out|fly|work (?:on )?\w{{3,12}}days?"
        rf"|work (?:at|on|past|after|before)|take (?:calls|meetings)|answer (?:calls|emails)|do (?:calls|meetings))\b",
        "constraint",
        importance.LIMIT,
        elliptic=True,
    ),
    Rule(
        "avoid",
        rf"{WE} {ADVERB}(?:avoid|abstain from|stay away from|steer clear of) {_NO_SUBJECT_AT_HAND}"
        rf"|i only (?:eat|buy|use"
        rf"|shop|wear|drink|cook|fly|read|watch|work|travel|take|have time|get) (?!this|that|the (?:first"
        rf"|second|third|one)){THING}",
        "constraint",
        importance.LIMIT,
        standing=True,
        elliptic=True,
    ),
    Rule(
        "quit_food",
        r"i (?:gave up|quit|stopped|cut out) (?:drinking|eating|coffee|alcohol|sugar|meat|caffeine|booze|dairy)\b"
        r"|i'?ve (?:given up|quit|stopped|cut out) (?:drinking|eating|coffee|alcohol|sugar|meat|caffeine"
        r"|booze|dairy)\b",
        "constraint",
        importance.LIMIT,
        elliptic=True,
    ),
    Rule(
        "not_allowed",
        rf"{WE_ARE} not (?:allowed|permitted) to {_NO_SUBJECT_AT_HAND}|(?:my|our) (?:landlord|lease|building"
        rf"|school|company"
        r"|employer|work|boss|parents|office|contract) (?:doesn'?t|does not|won'?t|don'?t|never) (?:allow|let|permit)\b"
        rf"|{WE} {CAN_NOT} (?:install|download|access|use|bring|have|keep) (?:any(?:thing)? |an? "
        rf"|my )?(?:[\w-]{{1,15}} ){{0,4}}?"
        r"(?:without (?:it\b|my|our|the|permission|approval|asking|admin)|at work|on my (?:work|company)"
        r"|at the office|in (?:my|our) (?:flat|building|apartment|dorm|office))",
        "constraint",
        importance.LIMIT,
        standing=True,
        elliptic=True,
    ),
    Rule(
        "budget",
        r"(?:my|our) (?:[\w-]{1,20} ){0,2}?(?:budget|spending limit|price limit|max(?:imum)?) (?:is|for|are"
        r"|tops|limit|can'?t|cannot|won'?t"
        r"|has|went|:)|"
        rf"{WE} (?:{CAN_NOT} (?:afford|spend)|can (?:only )?(?:spend|afford)|{DO_NOT} want to (?:spend|pay)"
        rf"|won'?t (?:pay|spend))"
        r" (?:more than|over|anything|up to|about|around|at most|maybe|\W?\d)"
        rf"|{WE}(?:'?ve got| have| got) (?:about |around |roughly |only |just |max |at most )?(?:[$€£¥]\d"
        rf"|\d[\d.,]{{0,8}}k? ?"
        rf"(?:[$€£¥]|euros?|dollars|bucks|quid|pounds|usd|eur|gbp|francs|yen|rupees))[^,]{{0,20}}? (?:to spend"
        rf"|for|a (?:week|month|year)|max|budget)"
        rf"|{AM} on a (?:tight |small |limited |student |shoestring )?budget",
        "constraint",
        importance.LIMIT,
        elliptic=True,
    ),
    Rule(
        "hours",
        rf"{WE} (?:can only|only have|only get|only work|can'?t) (?!see|think|imagine|assume|guess|hope|say"
        rf"|find|believe|wait)"
        rf"[^,]{{0,50}}?\b(?:after (?:\d|work|school|six|seven|eight|nine)|before (?:\d|noon|six|seven|eight"
        rf"|nine|ten)|on (?:weekdays|weekends|{DAY}s?)|{DAY}s"
        r"|at weekends|(?:a|per|each|every) (?:day|week|month|evening|night|morning)|in the (?:mornings?"
        r"|evenings?|afternoons?))"
        rf"|{AM} (?:only )?(?:free|available|off|busy) (?:on )?(?:{DAY}s|weekends|weekdays|after \d|before \d"
        rf"|evenings|mornings)"
        rf"|{AM} (?:never |not |only |usually |generally )(?:free|available|around|reachable|online) (?:on"
        rf"|before|after|at|in|during|until)"
        rf"|no (?:meetings|calls) (?:before|after|on) {THING}",
        "constraint",
        importance.LIMIT,
        standing=True,
        elliptic=True,
    ),
    Rule(
        "never",
        rf"{PLEASE}(?:you must )?(?:never|{DO_NOT} ever) {NOT_AN_ORDER}[a-z]{{2,20}} {_NO_SUBJECT_AT_HAND}",
        "constraint",
        importance.LIMIT,
        standing=True,
    ),
    Rule(
        "stop",
        rf"{PLEASE}stop (?:calling|recommending|suggesting|mentioning|bringing up|asking me|reminding me|sending me"
        rf"|telling me|using|starting|ending|adding|apologi[sz]ing|saying|giving me|putting|being|opening"
        rf"|sugar-?coating) {_NO_SUBJECT_AT_HAND}",
        "constraint",
        importance.LIMIT,
        standing=True,
    ),
    Rule(
        "not_with_me",
        rf"{PLEASE}{DO_NOT} (?:be|get|act|go|sugar-?coat|joke|swear|argue|flirt|lie|play|use|make|speak"
        rf"|talk) (?!this|that|it\b)[^,]{{0,30}}?\b(?:with|to|at|around|on) me\b",
        "constraint",
        importance.LIMIT,
        standing=True,
    ),
    Rule(
        "no_more",
        rf"{PLEASE}{DO_NOT} (?:give|show|send|offer|recommend|suggest) me (?!the\b|that|this|an?\b|it\b|your"
        rf"|what|too much|the same){THING}|no more {THING}[^,]{{2,40}} please$",
        "constraint",
        importance.LIMIT,
        standing=True,
    ),
)

ABSTENTIONS: tuple[Rule, ...] = (
    Rule(
        "no_habit",
        rf"i {ADVERB}(?:{DO_NOT}|never|no longer) {ADVERB}(?:smoke|vape|gamble|do drugs|drive|swim|cook|read much|sleep"
        r"|watch tv|use social media|own|wear|speak(?! legalese)|celebrate|dance|sing|play|travel|bike|work"
        r"|live|exercise|snore|date"
        rf"|believe in|have (?!to\b|time|access|much|the\b|an? (?:idea|clue|problem|preference|choice"
        rf"|question)|any (?:idea|clue|questions?|problem)"
        rf"|the (?:time|file|link|code|energy|data|number|right)|enough|it|that|this|your|much (?:time|to)"
        rf"|anything|a lot of time|words)) ?"
        rf"{TASK_OBJECT}(?! ?(?:well|like that|that way|there)\b)",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "no_skill",
        rf"i (?:{CAN_NOT}|{DO_NOT} know how to|never learn(?:ed|t)(?: how)? to|'ve never learn(?:ed"
        rf"|t)(?: how)? to) (?:really )?"
        r"(?:swim|drive(?! (?:this|that|home))|cook|sing|dance|ski|whistle|ride a|read (?:music|sheet|maps"
        r"|chinese|arabic|cyrillic|kanji)"
        r"|speak|draw|type|code|program|play (?:any|an|the)|do math|smell|hear (?:high|well|out)|see (?:well"
        r"|colou?rs|without|red|far))\b(?! this| that| it)",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "quit_habit",
        r"i(?:'?ve)? (?:finally |just |recently )?(?:quit|gave up|given up|stopped"
        r"|kicked) (?:both )?(?:smoking|vaping|cigarettes|nicotine|gambling|social media"
        r"|facebook|instagram|twitter|weed|gaming|driving|playing|dancing|going to|practi[cs]ing|running"
        r"|the (?:gym|habit))\b",
        "fact",
        standing=True,
        elliptic=True,
    ),
)
"""What the person does not do; what it says is a fact rather than a limit."""
