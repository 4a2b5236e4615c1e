"""English rules, in order of precedence: safety, then constraints, preferences and facts."""

from __future__ import annotations

from shared.models.rules.english_words import (
    ACQUAINTANCE,
    ADVERB,
    AM,
    CAN_NOT,
    CONDITION,
    DATE,
    DIET,
    DO_NOT,
    FAMILY,
    MEDICINE,
    NAME,
    NATIONALITY,
    NOT_AN_ORDER,
    NUMBER,
    PATIENT,
    PROPER,
    TASK_OBJECT,
    TASK_SCOPE,
    THING,
    TOPIC,
)
from shared.models.rules.table import Rule, RuleTable

_KIN = rf"my (?:[\w'-]{{1,20}} ){{0,2}}?(?:{FAMILY})"
_PLEASE = r"(?:(?:please|and|so|but) )?"
_NO_LONGER = r"i(?:'?m)? (?:no longer|not? longer)"

_SAFETY = (
    Rule("not_allergic", rf"{AM} not (?:really |actually )?(?:allergic|diabetic|vegetarian|vegan|pregnant)\b|i (?:have no|{DO_NOT} have any) (?:known |food )?allergies", "fact"),
    Rule(
        "allergic",
        rf"(?:{AM}|i (?:might|may) be|i think {AM}|i'?ve (?:always )?been) {ADVERB}(?:allergic|intolerant|sensitive|anaphylactic)"
        rf" to {THING}",
        "constraint",
        9,
        taboo=True,
    ),
    Rule("allergy", r"i(?:'?ve got| have| suffer from) [^,]{0,60}?\ballerg(?:y|ies)\b", "constraint", 9, taboo=True),
    Rule(
        "my_allergies",
        r"my (?:[\w-]{1,20} ){0,2}?allerg(?:y|ies|ens?) (?:is|are|includes?)\b",
        "constraint",
        9,
        taboo=True,
    ),
    Rule(
        "kin_safety",
        rf"{_KIN}(?:,? {PROPER},?)? (?:(?:is|are) {ADVERB}(?:allergic to|intolerant|(?:an? )?{PATIENT}\b)"
        rf"|ha(?:s|ve) [^,]{{0,40}}?\b(?:allerg(?:y|ies)|{CONDITION})\b)",
        "constraint",
        9,
        taboo=True,
    ),
    Rule("patient", rf"{AM} {ADVERB}(?:an? )?{PATIENT}\b(?! to (?:the|any|all))", "constraint", 9, taboo=True),
    Rule(
        "condition",
        rf"i(?:'?ve got| have| suffer from|'?ve had| was diagnosed with|'?ve been diagnosed with) {ADVERB}"
        rf"(?:an? |my |severe |mild ){{0,2}}(?:\w{{1,20}} )?{CONDITION}\b",
        "constraint",
        9,
        taboo=True,
    ),
    Rule("diagnosed", rf"i(?:'?ve been| was) diagnosed with {THING}", "constraint", 9, taboo=True),
    Rule(
        "medicine",
        rf"(?:i {ADVERB}take|{AM} {ADVERB}(?:on|taking)) (?:[\w-]{{1,20}} ){{0,2}}?{MEDICINE}\b",
        "constraint",
        9,
        taboo=True,
    ),
    Rule(
        "no_medicine",
        rf"i (?:{CAN_NOT}|{DO_NOT}|must not|mustn'?t) take (?:[\w-]{{1,20}} ){{0,2}}?{MEDICINE}\b",
        "constraint",
        9,
        taboo=True,
    ),
    Rule(
        "can_not_eat",
        rf"i (?:{CAN_NOT}|must not|mustn'?t|am not allowed to|'?m not allowed to) (?:eat|drink|consume|ingest|digest|tolerate)"
        rf" {TASK_OBJECT}{THING}|i {CAN_NOT} have (?:any )?(?:dairy|gluten|caffeine|alcohol|sugar|nuts|milk|wheat|eggs)\b",
        "constraint",
        9,
        taboo=True,
    ),
    Rule(
        "wheelchair",
        r"i (?:use|need|am in|'?m in) (?:a wheelchair|wheelchair access|step-free|an? epi-?pen|hearing aids?)",
        "constraint",
        9,
        taboo=True,
    ),
    Rule(
        "doctors_orders",
        rf"my (?:[\w-]{{1,20}} )?(?:doctor|gp|cardiologist|dietitian|physician|midwife) (?:says?|said|told me|has told me|forbade|advised)[^,]{{0,20}} i? ?(?:{CAN_NOT}|not to|should ?n(?:o|')t|should not|must ?n(?:o|')t|must not|shouldn'?t|to avoid|have to)\b",
        "constraint",
        9,
        taboo=True,
    ),
    Rule("blood_type", r"my blood (?:type|group) is \w", "constraint", 9, taboo=True),
    Rule(
        "taboo_order",
        rf"{_PLEASE}(?:you must )?(?:never|{DO_NOT} ever) {TOPIC}\b|{_PLEASE}(?:never ever|under no circumstances)[\s,]\W?\w",
        "constraint",
        9,
        taboo=True,
        standing=True,
    ),
    Rule(
        "taboo_topic",
        rf"{_PLEASE}{DO_NOT} (?:mention|bring up|remind me (?:of|about)|talk (?:to me )?about|ask (?:me )?about|joke about|make jokes about|recommend|suggest) {TASK_OBJECT}{THING}",
        "constraint",
        9,
        taboo=True,
        standing=True,
    ),
    Rule(
        "taboo_wish",
        rf"i (?:{DO_NOT}|never) (?:ever )?want to (?:hear about|talk about|discuss|be reminded of|be asked about)\b {TASK_OBJECT}{THING}",
        "constraint",
        9,
        taboo=True,
        standing=True,
    ),
)

_CONSTRAINTS = (
    Rule(
        "diet",
        rf"{AM} {ADVERB}(?:an? )?(?:(?:strict|lifelong|committed|ethical|practi[cs]ing|on an?|on the) )?{DIET}\b(?! (?:about|of|enough))",
        "constraint",
        7,
    ),
    Rule(
        "on_diet",
        rf"(?:{AM} {ADVERB}on|i {ADVERB}(?:follow|keep|eat|stick to)) (?:an? )?(?:strict )?(?:[\w-]{{1,20}} ){{0,2}}?(?:diet|{DIET})\b",
        "constraint",
        7,
    ),
    Rule(
        "no_food",
        rf"i {ADVERB}(?:{DO_NOT}|never|no longer|won'?t) {ADVERB}(?:eat|drink|consume|touch|cook with|tolerate) {TASK_OBJECT}{THING}",
        "constraint",
        7,
    ),
    Rule(
        "no_habit",
        rf"i {ADVERB}(?:{DO_NOT}|never|no longer) (?:smoke|drink|vape|gamble|do drugs|eat out|fly|work (?:on )?\w{{3,12}}days?)\b",
        "constraint",
        7,
    ),
    Rule(
        "avoid",
        rf"i {ADVERB}(?:avoid|abstain from|stay away from) {TASK_OBJECT}{THING}|i only eat {THING}|i (?:gave up|quit|stopped) (?:smoking|drinking|eating|coffee|alcohol|sugar|meat|caffeine)\b",
        "constraint",
        7,
        standing=True,
    ),
    Rule(
        "not_allowed",
        rf"{AM} not allowed to {TASK_OBJECT}{THING}",
        "constraint",
        7,
        standing=True,
    ),
    Rule(
        "budget",
        rf"(?:my|our) (?:[\w-]{{1,20}} ){{0,2}}?budget (?:is|for|are|tops|limit|can'?t|cannot|won'?t)\b|i (?:{CAN_NOT} (?:afford|spend)|can only (?:spend|afford)|{DO_NOT} want to (?:spend|pay)) (?:more than|over|anything|up to)?",
        "constraint",
        7,
    ),
    Rule(
        "never",
        rf"{_PLEASE}(?:you must )?(?:never|{DO_NOT} ever) {NOT_AN_ORDER}[a-z]{{2,20}} {TASK_OBJECT}{THING}",
        "constraint",
        7,
        standing=True,
    ),
    Rule(
        "stop",
        rf"{_PLEASE}stop (?:calling|recommending|suggesting|mentioning|bringing up|asking me|reminding me|sending me|telling me|using) {TASK_OBJECT}{THING}",
        "constraint",
        7,
        standing=True,
    ),
    Rule(
        "no_more",
        rf"{_PLEASE}{DO_NOT} (?:give|show|send|offer) me (?:any|another|more) {THING}",
        "constraint",
        7,
        standing=True,
    ),
)

_CALL = rf"(?:(?:please|pls|just|you can|you may|you could|feel free to|people|everyone|everybody|friends|my friends|most people) ){{0,2}}calls? me (?!back|later|when|if|at|on|tomorrow|today|tonight|asap|crazy|old|maybe|now|up|for|by|in|after|before|and|out|again|a\b|an\b|any|what|that|this)(?:\"|')?{THING}[^,]{{1,40}}$"

_PREFERENCES = (
    Rule("do_not_call", rf"{_PLEASE}{DO_NOT} call me {THING}", "preference", standing=True),
    Rule("call_me", _CALL, "preference", 6, standing=True),
    Rule(
        "address_me",
        rf"{_PLEASE}(?:address me as|refer to me as|(?:speak|talk) to me (?:in|like)) {THING}|my (?:preferred )?pronouns are\b",
        "preference",
        standing=True,
    ),
    Rule("always", rf"{_PLEASE}always {NOT_AN_ORDER}[a-z]{{2,20}} {TASK_OBJECT}{THING}", "preference", standing=True),
    Rule(
        "from_now_on",
        r"(?:please )?(?:from now on|going forward|from here on|in (?:the )?future|henceforth)[\s,:](?! ?(?:i (?!(?:want|need|expect|would like) you)|i'm|we|it|there|this|he|she|they|what|how)\b)",
        "preference",
        standing=True,
    ),
    Rule(
        "want_you_to",
        r"i(?:'?d like| want| need| would like| prefer) (?:you )?to (?:always|never)\b|i(?:'?d like| want| need| would like) you to (?:always|never|stop)\b",
        "preference",
        standing=True,
    ),
    Rule(
        "keep_answers",
        rf"{_PLEASE}keep (?:your |the |all |all your )?(?:answers|replies|responses|explanations|messages) {THING}",
        "preference",
        standing=True,
    ),
    Rule(
        "favourite",
        r"(?:my|our) (?:[\w'-]{1,20} ){0,2}?(?:favou?rite|fave|preferred|go-to|least favou?rite)\b[^,]{0,60}?(?:\b(?:is|are|was always|has always been)\b|'s\b)(?! (?:this|that one|the (?:first|second|third|last))\b) \W?[\w\ufffc]",
        "preference",
        standing=True,
    ),
    Rule(
        "is_my_favourite",
        r"(?!this|that|it|which|what|he|she|his|her|the (?:first|second|third|last)|option|version|number|one\b)[\w\ufffc][^,]{0,60}? (?:is|are) my (?:all-time |absolute |personal )?(?:favou?rite|fave)\b",
        "preference",
        standing=True,
    ),
    Rule(
        "like",
        rf"(?:i think )?i {ADVERB}(?:like|love|enjoy|adore|hate|dislike|detest|loathe|despise|prefer|favou?r|{CAN_NOT} (?:stand|bear)"
        rf"|{DO_NOT} (?:really |particularly |much |even )?(?:like|love|enjoy|care for)|no longer (?:like|love|enjoy|want)"
        rf"|never (?:liked|enjoyed)|have (?:always|never) (?:liked|loved|hated|preferred)) {TASK_OBJECT}{THING}",
        "preference",
        standing=True,
    ),
    Rule(
        "have_always_liked",
        rf"i'?ve (?:always|never) (?:liked|loved|hated|enjoyed|preferred) {TASK_OBJECT}{THING}|i'?d (?:much |really |generally |always )?prefer {TASK_OBJECT}{THING}|i would (?:much |always )?prefer {TASK_OBJECT}{THING}",
        "preference",
        standing=True,
    ),
    Rule(
        "fond",
        rf"{AM} {ADVERB}(?:not )?(?:really |much of )?(?:into|fond of|keen on|passionate about|obsessed with|crazy about|(?:an? )?(?:\w{{2,10}} )?(?:fan|lover) of|partial to|interested in(?! \w{2,15}ing\b)) {TASK_OBJECT}{THING}",
        "preference",
        standing=True,
    ),
)

_MY = (
    r"(?:job|occupation|profession|employer|company|job title|degree|major|thesis|school|university|home|hometown|home town"
    r"|apartment|flat|house|city|time ?zone|native (?:language|tongue)|first language|mother tongue|hobby|hobbies|height|weight"
    r"|(?:shoe|shirt|ring|dress) size|star sign|nationality|religion|faith|nickname|handle|github|editor|shell|ide|os"
    r"|operating system|distro|keyboard layout|stack|tech stack|wedding anniversary|anniversary)"
)
_UNSTABLE = (
    r"(?! (?:coming|soon|tomorrow|today|tonight|next|broken|slow|not working|gone|wrong|down|crash|unknown|a mess|killing|great"
    r"|too|so|being|getting|on fire|due|giving|showing|throwing|full|fine|ok|this|that|it)\b)"
)
_ARTICLE_NOT_A_ROLE = (
    r"(?!(?:bit|little|lot|few|while|tad|couple|mess|moment|second|step|minute|genius|idiot|wreck|loss|hurry|rush|stuck"
    r"|long|big believer|moron|fool|disaster|good mood|bad mood|only|same|first to|last to|worst|best|one|problem|point|fence"
    r"|phone|way|middle|verge|edge|kind|sort|firm|strong|day|week|month|year|hundred)\b)"
)

_FACTS = (
    Rule(
        "name",
        rf"my (?:(?:full|first|last|real|given|family|middle|legal|user|pen) ?)?(?:name|surname|username)(?:'s| is)(?! (?:not|on|in|misspelled|wrong|spelled|hard|too|a|the|that|this)\b) \W?[\w\ufffc]",
        "fact",
        6,
    ),
    Rule("called", rf"{AM} called {NAME}|i go by {NAME}|i (?:was born|identify) as {NAME}", "fact", 6),
    Rule(
        "no_longer",
        rf"{_NO_LONGER} (?:live|work|use|own|have|study|drive|speak|play|teach|living|working|using|studying|an?|the|in|at|with)\b|i {DO_NOT} (?:live|work|study)\b.{{1,60}}\b(?:anymore|any more)\b",
        "fact",
    ),
    Rule(
        "home",
        rf"i {ADVERB}(?:live|reside)s? (?:in|at|near|with|on|outside|alone|just|by|close|between|here|abroad) ?|{AM} {ADVERB}(?:living|based|located|residing) (?:in|out of|near|at|outside)\b|i(?:'?ve)? {ADVERB}moved to (?!the (?:next|other|new|second|end))",
        "fact",
        6,
        standing=True,
    ),
    Rule(
        "origin",
        rf"{AM} {ADVERB}from (?!{THING}(?:the future|this|that|now))|i come (?:originally )?from|i {ADVERB}(?:was born|was raised|grew up) (?:in|on|near|and)|{AM} {ADVERB}{NATIONALITY}\b",
        "fact",
    ),
    Rule(
        "work",
        rf"i {ADVERB}work {ADVERB}(?:as|at|for|in|with|on|from|remotely|part-time|full-time|nights|night|freelance) ?{TASK_OBJECT}|{AM} {ADVERB}(?:working (?:as|at|for)|employed (?:at|by|as)|self-employed|retired|unemployed|a freelance|in charge of) ?{TASK_OBJECT}|i (?:run|own|manage|lead|founded|co-founded|started) (?:an?|my own|the|our) [^,]{{0,40}}?\b(?:business|company|shop|store|bakery|restaurant|team|startup|start-up|farm|studio|agency|blog|channel|caf[eé]|clinic|department|lab|practice|gym|school|charity)\b|i teach {THING}",
        "fact",
        6,
        standing=True,
    ),
    Rule(
        "age",
        rf"{AM} {ADVERB}(?:turning |almost |nearly |about )?(?:\d{{1,3}}|[a-z]{{3,9}}(?:[\s-][a-z]{{3,5}})?)[\s-](?:years?|yrs?)[\s-]old|{AM} {ADVERB}(?:turning )?[1-9]\d(?: and a half)?(?= yo\b|\W*$)|i (?:just )?turn(?:ed)? \d{{1,3}}\b|my age is \d",
        "fact",
    ),
    Rule(
        "plan",
        rf"{AM} {ADVERB}(?:moving|relocating|getting married|graduating|retiring|starting|travel(?:l)?ing|flying|expecting|due|going on)\b[^\n]{{0,80}}?{DATE}|my (?:wedding|flight|surgery|due date|graduation|exam) is (?:on |in )?[^\n]{{0,40}}?{DATE}|i (?:fly|move|graduate|retire|start)\b[^\n]{{0,60}}?{DATE}",
        "fact",
        standing=True,
    ),
    Rule(
        "study",
        rf"{AM} {ADVERB}(?:studying|majoring in|doing (?:an?|my) (?:phd|master'?s|degree|bachelor'?s|mba)|enrolled|pursuing|learning) {TASK_OBJECT}|i {ADVERB}(?:study|studied|major(?:ed)? in|graduated from|graduated in|graduated with|go to school|attend|learn) ?{TASK_OBJECT}|i(?:'?ve got| have| hold) (?:an? |my )?(?:[\w.]{{1,15}} )?(?:ph\.?d|degree|master'?s|bachelor'?s|mba|diploma|doctorate|driver'?s licen[cs]e|driving licen[cs]e)\b",
        "fact",
        standing=True,
    ),
    Rule(
        "family",
        rf"i(?:'?ve got| have| own) (?:got )?{NUMBER}(?: [\w'-]{{1,20}}){{0,4}}? (?:{FAMILY})\b|i {DO_NOT} have (?:any )?(?:kids|children|pets|siblings)|{AM} {ADVERB}(?:married|single|divorced|engaged to|widowed|separated|an only child|the (?:oldest|eldest|youngest))\b(?! (?:out|thread|minded))",
        "fact",
    ),
    Rule(
        "kin",
        rf"{_KIN}(?:,? {PROPER},?)? (?:(?:is|are) (?:called|named|an? (?!bit|little|lot|mess)|the |\d|(?-i:[A-Z])|from |in (?:kindergarten|school|college|university|preschool|\w{{1,8}} grade)|studying|retired|vegetarian|vegan|{NATIONALITY}|turning|almost|in their|in (?:his|her) )|(?:lives?|works?|stud(?:y|ies)) (?:in|with|near|at|as|for)\b|turn(?:s|ed) \d|was born|were born|goes to|attends|passed away|died|speaks?|comes? from)|{_KIN}(?:'s|s'|') (?:names?|birthdays?|age)(?:'s| is| are)\b|{_KIN}'s (?:called|named)\b",
        "fact",
    ),
    Rule(
        "acquaintance",
        rf"my (?:[\w'-]{{1,20}} ){{0,2}}?{ACQUAINTANCE}(?:'s name is| is called| is named| is (?-i:[A-Z][a-z]))",
        "fact",
    ),
    Rule(
        "birthday", rf"my (?:birthday|date of birth|birth ?date|dob) (?:is|falls|'s)(?: on| in)?{_UNSTABLE} \w", "fact"
    ),
    Rule(
        "language",
        rf"(?:i {ADVERB}(?:speak|can speak|{DO_NOT} speak)|{AM} {ADVERB}(?:fluent in|bilingual|a native)|i {ADVERB}speak) ?(?! ?(?:from|for|as|to|with|up|of|about|on)\b){TASK_OBJECT}",
        "fact",
        standing=True,
    ),
    Rule(
        "machine",
        rf"my (?:[\w-]{{1,20}} ){{0,2}}?(?:laptop|phone|computer|pc|car|bike|machine|camera|database|server|watch) is (?:(?:an? |the )(?-i:[A-Z0-9])|(?-i:[A-Z])|an? (?!bit|little|lot|mess|problem|pain|wreck))|{AM} {ADVERB}on (?:an? |my )?(?:mac(?:os|book)?|windows|linux|ubuntu|fedora|arch|debian|nixos|android|iphone|chromebook)\b",
        "fact",
    ),
    Rule(
        "use",
        rf"i {ADVERB}(?:use|code in|program in|develop in|write (?:mostly |mainly )?in|drive|ride|play|own)(?: (?:mostly|mainly|primarily))? (?!(?:the (?!violin|piano|guitar|drums|cello|flute|bass|saxophone|trumpet)|a [\w-]+ (?:loop|function|query|variable|method))\b){TASK_OBJECT}{THING}",
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
        rf"{AM} \d[\d.,'\"]{{0,5}} ?(?:cm|m|ft|feet|foot|inches|kg|pounds|lbs)\b(?! (?:away|from|off|behind|above|below))(?: tall)?|i weigh \d|i wear (?:a )?size \d|{AM} (?:left|right)-handed",
        "fact",
    ),
    Rule(
        "self_named",
        rf"{AM} (?!\w{{1,20}}(?:ing|ed)\b|(?:sorry|sure|ok|okay|fine|good|done|here|back|not|so|very|too|tired|happy|sad|ready|glad|late|lost|stuck|new|confused|curious|afraid|really|just|also|in|on|at|off|out|still|always|never|now)\b){PROPER}(?: {PROPER}){{0,3}}(?=\W*$|,| and | from |\()",
        "fact",
        6,
    ),
    Rule(
        "role",
        rf"{AM} {ADVERB}(?:an? {_ARTICLE_NOT_A_ROLE}|the (?:ceo|cto|cfo|coo|head|director|owner|founder|manager|lead|vp|author|maintainer|chair|principal|president|mother|father|mom|dad|oldest|eldest|youngest) ?){THING}",
        "fact",
        6,
        standing=True,
    ),
)

ENGLISH = RuleTable((*_SAFETY, *_CONSTRAINTS, *_PREFERENCES, *_FACTS), task_scope=TASK_SCOPE)
