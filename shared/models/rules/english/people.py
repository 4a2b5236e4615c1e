"""English rules for who the person is, where they live and work, and their people, in order of precedence."""

from __future__ import annotations

from shared.models.rules import importance
from shared.models.rules.english.words import (
    ACQUAINTANCE,
    ADVERB,
    AM,
    DATE,
    DIET,
    DO_NOT,
    FAITH,
    FAMILY,
    HABIT,
    HAVE,
    HAVE_BEEN,
    KIN,
    NAME,
    NATIONALITY,
    NATURE,
    NUMBER,
    PROPER,
    TASK_OBJECT,
    THING,
    WE,
    WE_ARE,
)
from shared.models.rules.table import Rule

_NO_LONGER = r"i(?:'?m| am)? (?:no longer|not? longer)"
_KIND = (
    r"(?!(?:list|set|dataset|table|array|function|class|picture|photo|image|file|query|of|with|that|for|about|to"
    r"|called|questions?|problems?|issues?|errors?|versions?|options?|bugs?|tests?)\b)"
)
_NOT_SOFTWARE = (
    r"(?! (?:component|node|class|process|element|table|row|window|theme|record|object|thread|branch|module"
    r"|commit|directory|folder|function|issue|page|template|task|problem|photo|picture|image|question|video|costume"
    r"|name|joke|emoji|food)(?:s|es)?\b)"
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
_NOT_A_PLACE_TO_LIVE = (
    r"(?![^,]{0,60}\b(?:this week|this weekend|right now|at the moment|today|tonight|for (?:the|a|two|three"
    r"|\d)|until|layover"
    r"|airport|on holiday|on vacation|visiting|on a trip|business trip|tomorrow|transit|train|plane|trouble"
    r"|love|charge)\b)"
)

PEOPLE: tuple[Rule, ...] = (
    Rule(
        "name",
        r"(?:by the way )?(?:my|our) (?:(?:full|first|last|real|given|family|middle|legal|user|pen|maiden"
        r"|chinese|english|korean|japanese|hebrew|stage|artist|screen|official|birth|married|preferred"
        r"|actual) ?)?"
        r"(?:name|surname|username|nickname|initials)(?:'s| is| are|s are)(?! (?:not|on|in|misspelled|wrong"
        r"|spelled|hard|too|a|the|that|this|missing|pronounced)\b) \W?[\w\ufffc]"
        r"|(?:english|chinese|full|first|last) name 是",
        "fact",
        importance.IDENTITY,
    ),
    Rule(
        "called",
        rf"{AM} called {NAME}|i go by {NAME}|i (?:was born|identify) as {NAME}|(?:the )?name'?s {NAME}"
        rf"|(?:this is|it'?s) {PROPER}(?: here\b| from (?-i:[A-Z]))|(?-i:[A-Z][a-z]+) here$",
        "fact",
        importance.IDENTITY,
    ),
    Rule(
        "no_longer",
        rf"{_NO_LONGER} (?:live|work|use|own|have|study|drive|speak|play|teach|eat|{DIET}|allergic|living|working"
        rf"|using|studying|renting|smoking|smoke|an?|the|in|at|with|go|take|run|married|single|employed)\b"
        rf"|{WE} {DO_NOT} (?:live|work|study|smoke|use|drive|play|run|go|have(?! the)|drink|eat|teach|speak"
        rf"|wear|own|rent|do)\b.{{1,60}}\b(?:anymore|any more)\b",
        "fact",
        elliptic=True,
    ),
    Rule(
        "home",
        rf"{WE} {ADVERB}(?:live|reside|stay)s? (?:alone|abroad|together|apart|by myself|rurally|downtown"
        rf"|upstairs|(?:just |right |about |an hour |half an hour |deep |somewhere |way )?"
        rf"(?:in|at (?!the (?:moment|edge))|near|with|on|outside|by|close to|between|above|next to|up|down|out"
        rf"|off|north|south|east|west|among|within|across) {THING}(?!(?:fear|hope|hell|the (?:moment|edge"
        rf"|past)|my (?:own )?(?:head|dreams)|your|this|denial|(?:their|your) (?:walls|heads?))\b))"
        rf"|{WE_ARE} {ADVERB}(?:living|based|located|residing|settled) (?:in|out of|near|at|outside|with|on|up"
        rf"|alone|abroad|together|between)\b"
        rf"|{AM} in {_NOT_A_PLACE_TO_LIVE}(?-i:[A-Z])(?!(?-i:[A-Z]{{2}}))(?!ay\b)|(?:greetings|hi|hello"
        rf"|writing|calling|coming to you) from (?-i:[A-Z])",
        "fact",
        importance.IDENTITY,
        standing=True,
        elliptic=True,
    ),
    Rule(
        "long_since",
        rf"{HAVE_BEEN} {ADVERB}(?:(?:been )?(?:living|lived) (?:in|at|near|with|on|abroad)"
        rf"|(?:been )?(?:working|worked) (?:as|at|for|in|with)|been (?:an?|married|together|single|sober"
        rf"|divorced|retired|with|playing"
        rf"|running|learning|studying|teaching|vegan|vegetarian|clean|at|in|self-employed|a)|had|known|owned"
        rf"|used|played|practi[sc]ed|studied|taught|driven|smoked|run|dated|been \w{{3,12}}ing)\b"
        r"(?! (?:trouble|issues|problems|this|that|it\b|a (?:look|problem"
        r"|question)))(?<!trying)(?<!waiting)(?<!getting)(?<!debugging)(?<!looking)(?<!staring)"
        r"(?<!struggling)(?<!wondering)(?<!thinking)(?<!seeing)(?<!reading)(?<!meaning)(?<!having)"
        r"(?<!fighting)(?<!banging)"
        r" [^,]{0,60}?(?:for|since|all my|my (?:whole|entire)|most of) "
        rf"{THING}(?!a while|hours|an hour|the (?:past|last) (?:hour|few (?:hours|minutes))|\d+ (?:hours"
        rf"|minutes)|this (?:morning|afternoon)|days\b|ages\b)",
        "fact",
        importance.IDENTITY,
        standing=True,
        elliptic=True,
    ),
    Rule(
        "experience",
        rf"{HAVE_BEEN} {ADVERB}(?:never |always |only |already |just |twice |finally )?(?:been to (?-i:[A-Z])"
        rf"|lived|worked (?:as|in|at|for)|visited|travel(?:l)?ed|climbed|run (?:a|two|three|\d)|flown|driven"
        rf"|owned|had (?:kids|children|pets|a (?:dog|cat|cold|car|job))|broken|been married|been divorced|quit"
        rf"|moved|retired|switched (?:from|to)|got married|graduated|turned|started (?:a|learning|working)"
        rf"|been (?:eating|drinking|sleeping|going|doing (?:yoga|keto|judo|pilates)|running"
        rf"|seeing (?:a therapist|someone)|dating)|become|adopted|bought an?|sold my|published|learned (?:to"
        rf"|\w+ as))",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "origin",
        rf"{WE_ARE} {ADVERB}from (?!{THING}(?:the future|this|that|now))|i (?:come|hail) (?:originally )?from"
        rf"|i {ADVERB}(?:was born|was raised|grew up|was brought up) (?:in|on|near|and|speaking|by|with"
        rf"|bilingual|deaf|blind)|{WE_ARE} {ADVERB}(?:half[\s-]|part[\s-]|third-generation |second-generation "
        rf"|an? )?(?:{NATIONALITY}|{FAITH})\b"
        rf"|(?:my|our) (?:family|parents|ancestors|people|roots) (?:is|are|come|came"
        rf"|hail) (?:originally )?(?:from|in) {THING}|i have (?:\w{{2,15}} and )?(?:{NATIONALITY}) (?:roots"
        rf"|citizenship|nationality|passport|ancestry|heritage)|i have (?:dual|two) (?:citizenship|nationalit"
        rf"|passport)\w*",
        "fact",
        elliptic=True,
    ),
    Rule(
        "work",
        rf"{WE} {ADVERB}work {ADVERB}(?:as|at|for|in|with(?! [a-z]\b)|on (?!this|that|it\b|the|my|a)|from"
        rf"|out of|remotely|part-?\s?time|full-?\s?time|nights|night|shifts|days|weekends|evenings|hybrid"
        rf"|alone|outdoors|offshore|two|three|\d|every|abroad|freelance) ?{TASK_OBJECT}"
        rf"|{WE_ARE} {ADVERB}(?:working (?:as|at|for)|employed (?:at|by|as)|self-employed|retired|unemployed"
        rf"|a freelance|in charge of|responsible for (?!this|that|the (?:bug|error))) ?{TASK_OBJECT}"
        rf"|{WE} (?:run|own|manage|lead|founded|co-?founded|started|co-?own|head|operate) (?:an?|my own"
        rf"|our own|my|our|the) [^,]{{0,40}}?\b(?:business|company|shop|store|bakery"
        r"|restaurant|team|startup|start-up|farm|studio|agency|blog|channel|caf[eé]|clinic|department|lab|b&b"
        r"|hotel|kennel|nursery|brewery|gallery|bookshop|salon|consultancy"
        rf"|practice|gym|school|charity|podcast|newsletter|meetup|club|bar|pub|food truck|franchise|vineyard"
        rf"|market stall|etsy shop)\b|i teach (?!the (?:model|network|bot|ai)|it\b|this){THING}|i do (?:my job"
        rf"|shift work|night shifts|contract work|freelance|consulting|customer support|qa|devops|sales"
        rf"|marketing|accounting|payroll|admin|research|it support)\b"
        rf"|i (?:make|earn) (?:a living|around|about|roughly|\W?\d)|i (?:report to|supervise|oversee) {THING}"
        rf"|i study (?!this|that|the\b|for\b){THING}|as an? (?!result|side|matter|reminder|quick|last|first"
        rf"|follow|language model|an ai|example|general|rule|consequence|test|bonus|final"
        rf"|favou?r)[\w-]{{3,20}}(?: [\w-]{{2,20}}){{0,3}},? (?:i|my)\b",
        "fact",
        importance.IDENTITY,
        standing=True,
        elliptic=True,
    ),
    Rule(
        "age",
        rf"{WE_ARE} {ADVERB}(?:turning |almost |nearly |about |only |just |already )?(?:\d{{1,3}}"
        rf"|[a-z]{{3,9}}(?:[\s-][a-z]{{3,5}})?)[\s-](?:years?|yrs?)[\s-](?:old|young)"
        rf"|{AM} {ADVERB}(?:turning |going on |nearly |almost )?(?:[1-9]\d|(?:twenty|thirty|forty|fifty|sixty"
        rf"|seventy|eighty|ninety)(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine))?|(?:thir|four|fif"
        rf"|six|seven|eigh|nine)teen)(?: and a half| now| this year)?(?= yo\b| y/?o\b|\W*$|,| and (?!a half)"
        rf"| but | so )"
        r"|i (?:just |recently )?turn(?:ed)? (?:\d{1,3}\b|thirty|forty|fifty|sixty|seventy|eighteen|twenty)"
        r"|i'?ll be (?:turning )?\d{2}\b(?! (?:minutes|min|hours|percent|%))|my age is \d|i was born in"
        r"|(?:\d{2} ?[mf]|[mf] ?\d{2}) here",
        "fact",
        elliptic=True,
    ),
    Rule(
        "plan",
        rf"{WE_ARE} {ADVERB}(?:moving|relocating|getting married|graduating|retiring|starting (?:a new|my|work"
        rf"|school|uni|college|at)|travel(?:l)?ing|flying|expecting|due|going (?:on|to (?-i:[A-Z]))|hosting"
        rf"|having (?:a baby|surgery))\b[^\n]{{0,80}}?{DATE}"
        rf"|(?:my|our) (?:wedding|flight|surgery|due date|graduation|exam|contract|trip|holiday|baby|operation"
        rf"|visa|lease|thesis|viva|defen[cs]e|appointment|move|marathon|race|driving test|interview) (?:is"
        rf"|starts|ends|expires|runs|leaves|is due|was)(?: due| scheduled| booked)? ?(?:on |in |until |at "
        rf"|for )?[^\n]{{0,40}}?{DATE}"
        rf"|{WE} (?:fly|move|graduate|retire|leave for|start (?:at|my|uni|school))\b[^\n]{{0,60}}?{DATE}"
        rf"|{WE} (?:may|might|could) be (?:moving|relocating|leaving|retiring|switching|getting|changing"
        rf"|starting|quitting|having)\b|{WE} (?:might|may|will probably|'ll probably|probably will|plan to"
        rf"|intend to|'ll|will) (?:soon )?(?:move|relocate|retire|switch (?:from|to|careers|jobs)|quit my"
        rf"|leave my|get married|emigrate|study (?-i:[A-Z])|buy a (?:house|car|flat)|give \w+ away"
        rf"|have to give)\b",
        "fact",
        standing=True,
    ),
    Rule(
        "study",
        rf"{WE_ARE} {ADVERB}(?:studying|majoring in|enrolled|pursuing|learning|doing (?:an?"
        rf"|my) (?:[\w-]{{1,15}} )?(?:phd|master'?s|msc|degree|bachelor'?s|mba)) {TASK_OBJECT}"
        rf"|{WE} {ADVERB}(?:study(?! for\b| the\b)|studied(?! the\b)|major(?:ed)? in|graduated (?:from|in"
        rf"|with)|go to school|attend|learn) ?{TASK_OBJECT}"
        rf"|i(?:'?ve got| have| hold| got) (?:an? |my )?(?:[\w.']{{1,15}} ){{0,2}}?(?:ph\.?d|degree|master'?s"
        rf"|bachelor'?s|mba|diploma|doctorate|driver'?s licen[cs]e|driving licen[cs]e|licen[cs]e"
        rf"|certificate)\b(?! (?:file|key|error))",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "family",
        rf"{HAVE} (?:got )?{NUMBER}(?: {_KIND}[\w'-]{{1,20}}){{0,3}}? (?:{FAMILY})\b{_NOT_SOFTWARE}"
        rf"|{HAVE} an? (?:\w{{1,10}}[- ](?:month|week|year|yr|mo)s?[- ]old|(?:\w{{1,12}} )?(?:border collie"
        rf"|shih tzu|maine coon|siamese|ragdoll|german shepherd|french bulldog|lab|pug|whippet|shiba\w*|akita"
        rf"|samoyed|bulldog|boxer|dalmatian|mutt|tabby)\b)"
        rf"|{WE} {DO_NOT} have (?:any )?(?:kids|children|pets|siblings|brothers|sisters)"
        rf"|{WE_ARE} {ADVERB}(?:married|single|divorced|engaged to|widowed|separated|expecting|an only child"
        rf"|the (?:oldest|eldest|youngest|middle)|an? (?:\w{{1,12}} )?(?:family|household"
        rf"|couple))\b(?! (?:to (?:this|that|the)|in (?:an?|the|this)|from arguing|out|thread|minded|set|good"
        rf"|sure|ready))"
        rf"|i (?:became|am becoming) an? |{PROPER} and i (?:are|have|got|were|live|broke|split|just"
        rf"|met) {THING}|there (?:are|is) (?:\d|two|three|four|five|six|seven|eight|just (?:me"
        rf"|the two)) of us\b",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "kin",
        rf"{KIN}(?:,? {PROPER}(?: {PROPER})?,?)?(?: (?:(?:is|are)(?:n't| not)? {ADVERB}(?:called|named"
        rf"|an? (?!bit|little|lot|mess|pain|problem)|the |(?:about |almost |nearly |turning |only |over )?\d"
        rf"|(?-i:[A-Z])"
        rf"|from |at (?:uni|university|school|college|nursery)|in (?:kindergarten|school|college|university"
        rf"|preschool|high school|\w{{1,8}} (?:grade|year)|the (?:army|navy|military|hospital|police)|(?:his"
        rf"|her|their) |(?-i:[A-Z]))|studying|retired|vegetarian|vegan|{NATIONALITY}|{FAITH}|{NATURE}|almost"
        rf"|in their|born|into |obsessed|scared of|afraid of|terrified of|learning|"
        rf"working (?:as|at|for)|training|divorced|dead|deceased|gone|fluent|bilingual|left-handed"
        rf"|starting (?:school|uni|college)|on (?:an?|meds|medication|insulin)\b|expecting|getting married|allowed|house-?trained|indoor)|(?:lives?"
        rf"|works?|stud(?:y|ies)|teach(?:es)?|runs?|owns?|plays?|drives?|commutes?|grows?|smokes?|snores?"
        rf"|sings?|hates?|loves?|likes?|prefers?|adores?|enjoys?) (?!me\b|when|that|it\b|this|to (?:say|know"
        rf"|think|ask|tell)|you\b|the (?:idea|second|first|draft)){THING}|turn(?:s|ed) \d|was born|were born"
        r"|goes to|attends|raised (?:me|us)|brought (?:me|us) up|(?:just |recently |sadly )?(?:passed away"
        r"|died|retired|got (?:married|divorced|engaged|laid off|promoted)|moved|relocated|graduated|divorced"
        r"|quit|started (?:(?:high |primary |middle |elementary |secondary )?school|uni|college|kindergarten|nursery|a)|became|has (?:moved|relocated|retired|passed"
        r"|quit|started|left))|speaks?|comes? from|(?:has|have|had) (?!to\b|been (?:asking|calling|bugging)"
        r"|an? (?:\w+ )?(?:question|meeting|problem|headache|cold|fever|cough|flu|test|exam|temperature|rash"
        r"|tummy|stomach|runny|nightmare|tantrum)|no idea|just (?:asked|called))"
        rf"|(?:doesn'?t|don'?t|can'?t|won'?t|never|only) (?:eats?|drinks?|drives?|speaks?|likes?|works?|have"
        rf"|swim|walk|see|hear|smokes?|allow|want|sleep|read)|(?:used to|gets? up|wakes? up|goes to bed"
        rf"|sleeps?|wears?|was (?:a|an|the|in)|were (?:both|from))\b))"
        rf"|{KIN}(?:'s|s'|') (?:names?|birthdays?|age|school|job|anniversary)(?:'s| is| are)\b"
        rf"|{KIN}'s (?:called|named|(?:an? |from |\d))",
        "fact",
        standing=True,
    ),
    Rule(
        "kin_habit",
        rf"{KIN}(?:'s {ADVERB}(?:{DIET}|{NATURE}|{NATIONALITY}|{FAITH}|\d{{1,2}}\b|from |into |called|named"
        rf"|an? (?!bit|little|mess|pain))| (?!says?|said|asks?|wants?|thinks?"
        rf"|keeps?)[a-z]{{2,12}}s\b [^,]{{0,60}}?{HABIT}| starts? (?:school|uni|college|nursery|kindergarten"
        rf"|year))",
        "fact",
        standing=True,
    ),
    Rule(
        "acquaintance",
        rf"(?:my|our) (?:[\w'-]{{1,20}} ){{0,2}}?{ACQUAINTANCE}(?:'s name is| is called| is named|'s called"
        rf"|'s named| is (?!not\b)(?:in )?(?-i:[A-Z][a-z]))"
        rf"|(?!this|that|here|what|which|there|who|it\b|he\b"
        rf"|she\b){PROPER}(?: {PROPER})? is my (?:[\w'-]{{1,20}} ){{0,2}}?(?:{FAMILY}|{ACQUAINTANCE})\b",
        "fact",
    ),
    Rule(
        "birthday",
        rf"(?:my|our) (?:\w{{1,10}} )?(?:birthday|bday|b-day|date of birth|birth ?date|dob|anniversary)(?: is"
        rf"| falls|'s)(?: on| in)?{_UNSTABLE} \w",
        "fact",
    ),
)
