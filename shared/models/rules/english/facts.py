"""English rules for facts about the person, in order of precedence."""

from __future__ import annotations

from shared.models.rules.english.words import (
    ACQUAINTANCE,
    ADVERB,
    AM,
    DATE,
    DIET,
    DO_NOT,
    FAMILY,
    KIN,
    NAME,
    NATIONALITY,
    NUMBER,
    PROPER,
    TASK_OBJECT,
    THING,
)
from shared.models.rules.table import Rule

_NO_LONGER = r"i(?:'?m| am)? (?:no longer|not? longer)"
_MY = (
    r"(?:job|occupation|profession|employer|company|job title|degree|major|thesis|school|university|home|hometown"
    r"|home town"
    r"|apartment|flat|house|city|time ?zone|native (?:language|tongue)|first language|mother tongue|hobby|hobbies"
    r"|height|weight"
    r"|(?:shoe|shirt|ring|dress) size|star sign|nationality|religion|faith|nickname|handle|github|editor|shell|ide|os"
    r"|operating system|distro|keyboard layout|stack|tech stack|wedding anniversary|anniversary)"
)
_KIND = (
    r"(?!(?:list|set|dataset|table|array|function|class|picture|photo|image|file|query|of|with|that|for|about"
    r"|called)\b)"
)
_NOT_SOFTWARE = (
    r"(?! (?:component|node|class|process|element|table|row|window|theme|record|object|thread|branch|module"
    r"|commit|directory"
    r"|folder|function|issue|page|template|task|problem)(?:s|es)?\b)"
)
_UNSTABLE = (
    r"(?! (?:coming|soon|tomorrow|today|tonight|next|broken|slow|not working|gone|wrong|down|crash|unknown|a mess"
    r"|killing|great|failing|stuck|running|pending|queued|hanging|too|so|being|getting|on fire|due|giving|showing"
    r"|throwing|full|fine|ok|this|that|it)\b)"
)
_ARTICLE_NOT_A_ROLE = (
    r"(?!(?:bit|little|lot|few|while|tad|couple|mess|moment|second|step|minute|genius|idiot|wreck|loss|hurry|rush"
    r"|stuck"
    r"|long|big believer|moron|fool|disaster|good mood|bad mood|only|same|first to|last to|worst|best|one|problem"
    r"|point|fence"
    r"|phone|way|middle|verge|edge|kind|sort|firm|strong|day|week|month|year|hundred)\b)"
)

FACTS: tuple[Rule, ...] = (
    Rule(
        "name",
        r"my (?:(?:full|first|last|real|given|family|middle|legal|user|pen) ?)?(?:name|surname|username)(?:'s"
        r"| is)(?! (?:not|on|in|misspelled|wrong|spelled|hard|too|a|the|that|this)\b) \W?[\w\ufffc]",
        "fact",
        6,
    ),
    Rule("called", rf"{AM} called {NAME}|i go by {NAME}|i (?:was born|identify) as {NAME}", "fact", 6),
    Rule(
        "no_longer",
        rf"{_NO_LONGER} (?:live|work|use|own|have|study|drive|speak|play|teach|eat|{DIET}|allergic|living|working"
        rf"|using|studying|an?|the|in|at|with)\b|i {DO_NOT} (?:live|work|study)\b.{{1,60}}\b(?:anymore|any more)\b",
        "fact",
    ),
    Rule(
        "home",
        rf"i {ADVERB}(?:live|reside)s? (?:alone|abroad|(?:just |right )?(?:in|at|near|with|on|outside|by|close to"
        rf"|between) {THING})|{AM} {ADVERB}(?:living|based|located|residing) (?:in|out of|near|at|outside)\b"
        rf"|i(?:'?ve)? {ADVERB}moved to (?!the (?:next|other|new|second|end))",
        "fact",
        6,
        standing=True,
    ),
    Rule(
        "long_since",
        rf"i(?:'?ve| have) {ADVERB}(?:(?:been )?(?:living|lived) (?:in|at|near)|(?:been )?(?:working|worked) (?:as"
        rf"|at|for|in)|been an?) [^,]{{1,60}}? (?:for|since) {THING}",
        "fact",
        6,
        standing=True,
    ),
    Rule(
        "origin",
        rf"{AM} {ADVERB}from (?!{THING}(?:the future|this|that|now))|i come (?:originally )?from"
        rf"|i {ADVERB}(?:was born|was raised|grew up) (?:in|on|near|and)|{AM} {ADVERB}{NATIONALITY}\b",
        "fact",
    ),
    Rule(
        "work",
        rf"i {ADVERB}work {ADVERB}(?:as|at|for|in|with|on|from|remotely|part-time|full-time|nights|night"
        rf"|freelance) ?{TASK_OBJECT}|{AM} {ADVERB}(?:working (?:as|at|for)|employed (?:at|by|as)|self-employed"
        rf"|retired|unemployed|a freelance|in charge of) ?{TASK_OBJECT}|i (?:run|own|manage|lead|founded"
        r"|co-founded|started) (?:an?|my own|the|our) [^,]{0,40}?\b(?:business|company|shop|store|bakery"
        r"|restaurant|team|startup|start-up|farm|studio|agency|blog|channel|caf[eé]|clinic|department|lab"
        rf"|practice|gym|school|charity)\b|i teach {THING}",
        "fact",
        6,
        standing=True,
    ),
    Rule(
        "age",
        rf"{AM} {ADVERB}(?:turning |almost |nearly |about )?(?:\d{{1,3}}"
        r"|[a-z]{3,9}(?:[\s-][a-z]{3,5})?)[\s-](?:years?|yrs?)[\s-]old"
        rf"|{AM} {ADVERB}(?:turning )?[1-9]\d(?: and a half)?(?= yo\b|\W*$)|i (?:just )?turn(?:ed)? \d{{1,3}}\b"
        r"|my age is \d",
        "fact",
    ),
    Rule(
        "plan",
        rf"{AM} {ADVERB}(?:moving|relocating|getting married|graduating|retiring|starting (?:a new|my|work|school"
        r"|uni|college)|travel(?:l)?ing|flying"
        rf"|expecting|due|going on)\b[^\n]{{0,80}}?{DATE}|my (?:wedding|flight|surgery|due date|graduation"
        rf"|exam) is (?:on |in )?[^\n]{{0,40}}?{DATE}|i (?:fly|move|graduate|retire)\b[^\n]{{0,60}}?{DATE}",
        "fact",
        standing=True,
    ),
    Rule(
        "study",
        rf"{AM} {ADVERB}(?:studying|majoring in|doing (?:an?|my) (?:phd|master'?s|degree|bachelor'?s|mba)|enrolled"
        rf"|pursuing|learning) {TASK_OBJECT}|i {ADVERB}(?:study(?! for\b)|studied|major(?:ed)? in|graduated from"
        rf"|graduated in|graduated with|go to school|attend|learn) ?{TASK_OBJECT}|i(?:'?ve got| have"
        r"| hold) (?:an? |my )?(?:[\w.]{1,15} )?(?:ph\.?d|degree|master'?s|bachelor'?s|mba|diploma|doctorate"
        r"|driver'?s licen[cs]e|driving licen[cs]e)\b",
        "fact",
        standing=True,
    ),
    Rule(
        "family",
        rf"i(?:'?ve got| have| own) (?:got )?{NUMBER}(?: {_KIND}[\w'-]{{1,20}}){{0,3}}? (?:{FAMILY})\b{_NOT_SOFTWARE}"
        rf"|i {DO_NOT} have (?:any )?(?:kids|children|pets|siblings)|{AM} {ADVERB}(?:married|single|divorced"
        r"|engaged to|widowed|separated|an only child|the (?:oldest|eldest|youngest))\b(?! (?:out|thread|minded))",
        "fact",
    ),
    Rule(
        "kin",
        rf"{KIN}(?:,? {PROPER},?)? (?:(?:is|are) (?:called|named|an? (?!bit|little|lot|mess)|the |\d|(?-i:[A-Z])"
        r"|from |in (?:kindergarten|school|college|university|preschool|\w{1,8} grade)|studying|retired"
        rf"|vegetarian|vegan|{NATIONALITY}|turning|almost|in their|in (?:his|her) )|(?:lives?|works?|stud(?:y"
        r"|ies)) (?:in|with|near|at|as|for)\b|turn(?:s|ed) \d|was born|were born|goes to|attends|passed away|died"
        rf"|speaks?|comes? from)|{KIN}(?:'s|s'|') (?:names?|birthdays?|age)(?:'s| is| are)\b|{KIN}'s (?:called"
        r"|named)\b",
        "fact",
    ),
    Rule(
        "acquaintance",
        rf"my (?:[\w'-]{{1,20}} ){{0,2}}?{ACQUAINTANCE}(?:'s name is| is called| is named"
        r"| is (?!not\b)(?-i:[A-Z][a-z]))",
        "fact",
    ),
    Rule(
        "birthday", rf"my (?:birthday|date of birth|birth ?date|dob) (?:is|falls|'s)(?: on| in)?{_UNSTABLE} \w", "fact"
    ),
    Rule(
        "language",
        rf"(?:i {ADVERB}(?:speak|can speak|{DO_NOT} speak)|{AM} {ADVERB}(?:fluent in|bilingual|a native)"
        rf"|i {ADVERB}speak) ?(?! ?(?:from|for|as|to|with|up|of|about|on)\b){TASK_OBJECT}",
        "fact",
        standing=True,
    ),
    Rule(
        "machine",
        r"my (?:[\w-]{1,20} ){0,2}?(?:laptop|phone|computer|pc|car|bike|machine|camera|database|server"
        r"|watch) is (?:(?:an? |the )(?-i:[A-Z0-9])|(?-i:[A-Z])|an? (?!bit|little|lot|mess|problem|pain|wreck))"
        rf"|{AM} {ADVERB}on (?:an? |my )?(?:mac(?:os|book)?|windows|linux|ubuntu|fedora|arch|debian|nixos|android"
        r"|iphone|chromebook)\b",
        "fact",
    ),
    Rule(
        "use",
        rf"i {ADVERB}(?:use|code in|program in|develop in|write (?:mostly |mainly )?in|drive|ride|play(?! (?:with"
        r"|around|along)\b)"
        r"|own)(?: (?:mostly|mainly|primarily))? (?!(?:the (?!violin|piano|guitar|drums|cello|flute|bass"
        r"|saxophone|trumpet)|a [\w-]+ (?:loop|function|query|variable"
        rf"|method))\b){TASK_OBJECT}{THING}(?![^,]{{0,80}}\b(?:it|them)$)",
        "fact",
        standing=True,
    ),
    Rule(
        "my",
        rf"my (?:current |new |main |primary |home |permanent )?{_MY}(?:'s| is| are){_UNSTABLE} \W?[\w\ufffc]",
        "fact",
        6,
        standing=True,
    ),
    Rule(
        "stature",
        rf"{AM} \d[\d.,'\"]{{0,5}} ?(?:cm|m|ft|feet|foot|inches|kg|pounds|lbs)\b(?! (?:away|from|off|behind|above"
        rf"|below))(?: tall)?|i weigh \d|i wear (?:a )?size \d|{AM} (?:left|right)-handed",
        "fact",
    ),
    Rule(
        "self_named",
        rf"{AM} (?!\w{{1,20}}(?:ing|ed)\b|(?:sorry|sure|ok|okay|fine|good|done|here|back|not|so|very|too|tired"
        r"|happy|sad|ready|glad|late|lost|stuck|new|confused|curious|afraid|really|just|also|in|on|at|off|out"
        rf"|still|always|never|now)\b){PROPER}(?: {PROPER}){{0,3}}(?=\W*$|,| and | from |\()",
        "fact",
        6,
    ),
    Rule(
        "role",
        rf"{AM} {ADVERB}(?:an? {_ARTICLE_NOT_A_ROLE}|the (?:ceo|cto|cfo|coo|head|director|owner|founder|manager"
        r"|lead|vp|author|maintainer|chair|principal|president|mother|father|mom|dad|oldest|eldest"
        rf"|youngest) ?){THING}",
        "fact",
        6,
        standing=True,
    ),
)
