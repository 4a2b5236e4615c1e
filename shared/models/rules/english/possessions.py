"""English rules for what the person speaks, uses, owns and looks like, in order of precedence."""

from __future__ import annotations

from shared.models.rules import importance
from shared.models.rules.english.words import (
    ADVERB,
    AM,
    BELONGINGS,
    DO_NOT,
    HAVE,
    LANGUAGE,
    PROPER,
    TASK_OBJECT,
    THING,
    WE,
    WE_ARE,
)
from shared.models.rules.table import Rule, one_of

_MY = one_of(
    r"""
    job | occupation | profession | employer | company | job title | degree | major | minor | thesis | dissertation
    | phd
    | school | university | uni | college | home | hometown | home town | apartment | flat | house | place | city | town
    | village | street | neighbou?rhood | time ?zone | native (?:language|tongue) | first language | mother tongue
    | height | weight | age | (?:shoe|shirt|ring|dress|shoes?|clothes|waist) size | star sign | zodiac sign
    | nationality | religion | faith | nickname | handle | github | editor | shell | ide | os | operating system
    | distro
    | keyboard(?: layout)? | stack | tech stack | (?:wedding )?anniversary | pronouns | ethnicity | citizenship | visa
    | office | workplace | desk | shifts? | working hours | hours | schedule | commute | contract | notice period
    | salary
    | rent | mortgage | lease | landlord | bank | insurance | car | bike | van | motorbike | laptop | phone
    | computer | pc
    | tablet | camera | watch | printer | router | tv | oven | fridge | boiler | garden | balcony | kitchen | bedroom
    | hair | eyes | skin(?: type)? | eyesight | vision | blood pressure | resting heart rate | iq | bmi
    | metabolism | diet
    | sleep schedule | bedtime | alarm | english | french | spanish | german | mandarin | chinese | japanese | dutch
    | italian | handwriting | spelling | maths? | sense of direction | spare key | keys | locker | parking (?:space
    |spot)
    | fa(?:vou?rite|ve) | background | specialty | speciality | field | department | role | position | rank
    | instrument | band | church | gym | club | email provider | domain | business | shop
    | channel | blog | username | membership | passport | licen[cs]e | bookshelf | umbrella | sofa | bed | screen
    | monitor
    | belt | gpa | grades? | exam board | divorce | wedding | pension
    """
)
_UNSTABLE = (
    r"(?! (?:coming|soon|tomorrow|today|tonight|next|broken|slow|not working|gone|wrong|down|crash|unknown|a mess"
    r"|killing|great|failing|stuck|running (?:out|low|late|slow)|pending|queued|hanging|too|so|being|getting|on fire"
    r"|giving|showing|throwing|full|fine|ok|this|that|it|not|dead|dying|lost|missing|acting|making|doing|done|here"
    r"|ready|late|about to|ringing|frozen|messed|a disaster|ruined|boring|driving|still|now|almost|sick"
    r"|due (?:today|tomorrow|tonight|in)"
    r"|what|how|where|why|as follows|below|above|attached|\w{2,12}ing|at the (?:mechanic|garage|vet|shop"
    r"|door)|closed|due|cut|misaligned|gone up|up|off|cancel\w*|delayed|stolen|locked|dirty|empty|flat"
    r"|in the (?:header|way|repo|file|garage))\b(?! (?:design|estate|manager|officer|consultant)))"
)

POSSESSIONS: tuple[Rule, ...] = (
    Rule(
        "language",
        rf"(?:{WE} {ADVERB}(?:(?:mostly |only )?speak|can (?:also )?(?:speak|read|understand|write)"
        rf"|{DO_NOT} {ADVERB}(?:speak|understand|read)|know (?:some|a bit of|a little|basic|only|no|enough"
        rf"|how to (?:code|sew|cook|drive|play|knit|ski|swim|juggle|weld))) |{WE_ARE} {ADVERB}(?:fluent"
        rf"|bilingual|trilingual|native|a native|conversational|proficient)\b) ?"
        rf"(?! ?(?:from|for|as|to|with|up|of|about|on|now|your|the (?:file|code|error|question|difference)|why"
        rf"|how (?!to)|what|that|this|it|you)\b){TASK_OBJECT}"
        rf"|my (?:spoken |written )?{LANGUAGE} (?:is|isn'?t|'s|sucks|level)(?! (?:code|script|file|essay|exam"
        rf"|teacher|class|homework)\b) |{LANGUAGE} is my (?:first|second|third|native|mother|main|weakest"
        rf"|strongest)",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "machine",
        r"(?:my|our) (?:[\w-]{1,20} ){0,2}?(?:laptop|phone|computer|pc|car|bike|machine|camera|database"
        r"|server|desktop|tablet|printer|router|tv|oven|boiler|console|keyboard|van"
        r"|watch) (?:is (?:(?:an? |the )(?-i:[A-Z0-9])|(?-i:[A-Z])|an? (?!bit|little|lot|mess|problem|pain"
        r"|wreck|nightmare|disaster|joke)|on (?-i:[A-Z])|\d+ (?:years|yrs)|gas\b|electric\b|old\b|from \d)"
        r"|runs (?-i:[A-Z])|has (?:\d|an? |only |no ))"
        rf"|{AM} {ADVERB}(?:not )?on (?:an? |my |any )?(?:old )?(?:mac(?:os|book)?|windows|linux|ubuntu|fedora"
        rf"|arch|debian|nixos|android|iphone|ios|chromebook|pixel|macos|apple silicon|facebook|instagram"
        rf"|twitter|tiktok|linkedin|social media|whatsapp|wechat|mastodon|benefits|minimum wage|disability"
        rf"|a (?:pension|budget|student))\b",
        "fact",
        elliptic=True,
    ),
    Rule(
        "use",
        rf"{WE} {ADVERB}(?:use|code in|program in|develop in|write (?:mostly |mainly |all my \w+ )?in|own"
        rf"|play(?! (?:with|around|along)\b)|drive|ride|run(?= (?:debian|linux|ubuntu|windows|arch|fedora"
        rf"|macos|nixos|gentoo|freebsd|mint|manjaro|proxmox|a |an |my own|the \w+ (?:desk|shop|team))))"
        rf"(?: (?:mostly|mainly|primarily|only))? (?!(?:[b-hj-z]\b(?![+#])|white\b|black\b|devil|the (?!violin"
        rf"|piano|guitar|drums|cello|flute|bass|saxophone|trumpet|harp|viola|accordion|organ|oboe|clarinet"
        rf"|banjo|metric|imperial|gym|train|bus|tube|library)|an? (?:[\w-]+ ){{0,2}}(?:loop|function|query"
        rf"|variable|regex|formula|class|hook|script|library|dictionary|list|map|prompt|template|macro|word"
        rf"|term|phrase|file|test|command|mess)"
        rf"|method)\b){TASK_OBJECT}{THING}(?![^,]{{0,80}}\b(?:it|them|but (?:it|i) get\w*|error)$)",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "my",
        rf"(?:my|our) (?:[\w-]{{1,15}} ){{0,2}}?{_MY}(?:'s| is| are| has always been| has been| runs| starts"
        rf"| ends| closes| opens| expires| weighs| has| comes with| sits){_UNSTABLE} \W?[\w\ufffc]"
        rf"|my (?:\w{{2,12}} )?(?:hobby|hobbies|passion|side hustle|specialt?y|sport) (?:is|are|include)\b",
        "fact",
        importance.IDENTITY,
        standing=True,
    ),
    Rule(
        "stature",
        rf"{AM} (?:about |around |almost |over |only )?\d[\d.,'\"]{{0,5}} ?(?:cm|m|ft|feet|foot|inches|kg"
        rf"|pounds|lbs|stone)\b(?! (?:away|from|off|behind|above"
        rf"|below))(?: tall)?|{AM} \d'\d{{1,2}}|i weigh (?:about |around |only )?\d|i wear (?:an? )?(?:size"
        rf"|glasses|contacts|contact lenses|braces|hijab|dentures|a wig|\d)|{AM} (?:left|right)-handed"
        rf"|i take (?:an? )?(?:shoe )?size",
        "fact",
        elliptic=True,
    ),
    Rule(
        "self_named",
        rf"{AM} (?!\w{{1,20}}(?:ing|ed)\b|(?:sorry|sure|ok|okay|fine|good|done|here|back|not|so|very|too|tired"
        r"|happy|sad|ready|glad|late|lost|stuck|new|confused|curious|afraid|really|just|also|in|on|at|off|out"
        rf"|still|always|never|now|team|type|gen|class|god|batman|sold|dead|broke|sick"
        rf"|busy)\b){PROPER}(?: {PROPER}){{0,3}}(?=\W*$|,| and | from |\()",
        "fact",
        importance.IDENTITY,
    ),
    Rule(
        "have",
        rf"{HAVE} (?:got )?(?:(?!the\b|this|that|enough|questions?\b|problems?\b|issues?\b|about\b|no (?:idea|clue|time|way|problem|access)"
        rf"|to\b)[\w'./-]{{1,20}} ){{0,4}}?{BELONGINGS}\b(?! (?:question|problem|issue|error|file|code"
        rf"|component|driver|loan calculator|review|essay|due|interview"
        rf"|exam today))(?![^,]{{0,30}}\b(?:in (?:this|my (?:code|file|story|essay))|due|problem|issue)\b)"
        rf"|{WE} {DO_NOT} (?:have|own) (?:an? |any |my "
        rf"|enough )?(?:own )?(?:[\w-]{{1,15}} ){{0,2}}?{BELONGINGS}\b"
        rf"|{HAVE} no (?:[\w-]{{1,15}} ){{0,2}}?(?:{BELONGINGS}|kids|children|siblings|family|pets|partner"
        rf"|sense of (?:smell|direction)|credit history|formal|background)\b"
        rf"|{WE} (?:only )?(?:have|'?ve got) (?:only |about |around |roughly |over |almost )?(?:\d+|two|three"
        rf"|four|five|six|seven|eight|nine|ten|several|many|a few|twenty|fifteen) (?:years|yrs|decades)\b"
        rf"|{HAVE} (?:an? )?(?:[\w-]{{1,15}} )?(?:house(?:hold)? of|family of)"
        rf"|{HAVE} (?:\d{{1,3}}|two|three|four|five|six|seven|eight|nine|ten|several"
        rf"|a few) [\w' -]{{3,30}} (?:on|in|at) (?:my|our) (?:roof|garden|balcony|house|flat|garage|room|yard"
        rf"|farm|home|apartment|kitchen|family)\b"
        r"|there'?s no (?:lift|elevator|oven|dishwasher|garden|balcony|parking) in (?:my|our)",
        "fact",
        standing=True,
        elliptic=True,
    ),
)
