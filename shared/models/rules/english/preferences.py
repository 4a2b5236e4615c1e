"""English rules for preferences, in order of precedence."""

from __future__ import annotations

from shared.models.rules import importance
from shared.models.rules.english.words import (
    ADVERB,
    CAN_NOT,
    DO_NOT,
    LANGUAGE,
    NOT_AN_ORDER,
    PLEASE,
    TASK_OBJECT,
    THING,
    WE,
    WE_ARE,
)
from shared.models.rules.table import Rule, one_of

_CALL = (
    r"(?:(?:please|pls|just|you can|you may|you could|feel free to|people|everyone|everybody|friends|my friends"
    r"|most people|you should|do) ){0,2}calls? me (?!back|later|when|if|at|on|tomorrow|today|tonight|asap|crazy|old"
    r"|maybe|now|up|for|by|in|after|before|and|out|again|a\b|an\b|any|what|that|this|paranoid|picky|stupid|weird|lazy"
    rf"|old-fashioned|naive|cynical|biased|dumb|silly)(?:\"|')?{THING}[^,]{{1,40}}(?=,|$)"
)
_NOT_REALLY_LIKED = (
    r"(?!to (?:know|see|ask|say|think|thank|try|get|have|add|use it|be able)\b|if\b|a (?:recipe|list|table"
    r"|summary|copy|refund|\w{3,10}er|more|less|different)\b|(?:the )?(?:\w{2,12} )?ones?\b(?! of)|talking to you"
    r"|myself\b)"
)
_REPLIES = r"(?:answers|replies|responses|explanations|messages)"
_STYLE = one_of(
    r"""
    emojis? | emoticons | exclamation (?:marks|points) | bullet(?:s| points?| lists?)? | markdown | latex
    | headings | bold
    | tables | jargon | slang | metric(?: units| system)? | imperial(?: units| system)? | celsius | fahrenheit | °c | °f
    | kilomet(?:er|re)s | miles | kilos | kg | pounds | grams | ounces | cups | 24-?hour(?: time| clock)?
    | 12-?hour time
    | british (?:english|spelling) | american (?:english|spelling) | uk (?:english|spelling) | us (?:english|spelling)
    | plain (?:english|language|text) | simple (?:words|english|language) | short (?:sentences|answers|replies
    |paragraphs)
    | full sentences | first names | passive voice | swear words | profanity | oxford commas? | em ?-?dashes
    | semicolons
    | euros | dollars | swiss francs | pounds sterling | iso dates | camel ?case | snake_case | tabs | spaces
    | type hints
    | (?:long )?disclaimers | apologies | small talk | filler | flattery | compliments | preamble | intros?
    | pleasantries
    | traditional (?:chinese|characters) | simplified (?:chinese|characters) | formal language | gender-neutral \w+
    """
)
STYLE_ORDER = (
    rf"{PLEASE}(?:(?:{DO_NOT} )?(?:use|give me|write (?:with|without|in)|add|include|put|prefer|stick (?:to"
    rf"|with)|skip|avoid|drop"
    rf"|leave out|no need for|spare me|quote|show me|list|spell (?:with|in)|convert to|work in|go with"
    rf"|default to|stay with|omit)"
    rf" (?:the |all |any |your |only |everything in |it in |measurements in |prices in |temperatures in "
    rf"|units in |dates in |in )?{_STYLE}"
    rf"|(?:no|without|fewer|more|less) {_STYLE}"
    rf"|(?:answer|reply|respond|write|speak|talk|explain|text|communicate|talk back)(?: to me| back| me| only"
    rf"| always| things)? (?:in|using|with) "
    rf"(?:{LANGUAGE}|{_STYLE}|full|short|simple|plain|brief|one|a)\b"
    rf"|be (?:more |less |very |as )?(?:brief|concise|formal|informal|casual|direct|blunt|honest|polite|terse"
    rf"|short|critical|friendly"
    r"|succinct|specific|gentle|patient)\b"
    rf"|(?:keep|make) (?:your |the |all |all your |any )?{_REPLIES} {THING}"
    rf"|(?:get|come) (?:straight |right )?to the point|(?:address|treat|talk to|speak to) me (?:as|like|by"
    rf"|with|in) {THING}"
    r"|(?:just |only )?(?:give|tell|show) me (?:the )?(?:code|answer|conclusion|result|bottom line|gist"
    r"|facts)(?: first| before)"
    r"|(?:you can |let'?s )?(?:drop|ditch|skip|cut|spare me) (?:the |all the )?(?:formal|formality"
    r"|formalities|chit-?chat|fluff|sugar|small|nice)\w*"
    rf"|{_STYLE} (?:please|only|in answers|by default|everywhere)|(?:temperatures|weights|distances|dates"
    rf"|prices|measurements|units|times) (?:always |only |should be |must be |are to be )?in \S"
    rf"|(?:for|in|when writing|when i ask for) (?!the |this |that )[\w' -]{{3,30}} (?:please )?(?:use|give me"
    rf"|write|stick to|prefer|keep to) {THING}"
    rf"|(?:write|spell|talk|answer|sign|address)(?: everything| things| me| it all)? (?:in|as|with|using"
    rf"|by) (?:british|american|first|traditional|simplified|my first)\b)"
)
"""Says how to answer; it counts where nothing ties it to one task."""

PREFERENCES: tuple[Rule, ...] = (
    Rule("do_not_call", rf"{PLEASE}{DO_NOT} call me {THING}", "preference", standing=True),
    Rule("call_me", _CALL, "preference", importance.IDENTITY, standing=True),
    Rule(
        "address_me",
        rf"{PLEASE}(?:address me as|refer to me as|(?:speak|talk) to me (?:in|like|as)) {THING}"
        r"|my (?:preferred )?pronouns are\b|(?:he|she|they)/(?:him|her|them)\b"
        r"|i(?:\'?d like| want| prefer| would like| like) to be (?:called|addressed as|addressed by)"
        rf" (?!when|if|back|after|at\b|before|once){THING}|i (?:go|went) by {THING}(?!bike|train|bus|car|foot"
        rf"|plane|the|myself|my)",
        "preference",
        importance.IDENTITY,
        standing=True,
    ),
    Rule("always", rf"{PLEASE}always {NOT_AN_ORDER}[a-z]{{2,20}} {TASK_OBJECT}{THING}", "preference", standing=True),
    Rule(
        "from_now_on",
        r"(?:please )?(?:from now on|going forward|from here on|in (?:the )?future|from today(?: on)?"
        r"|moving forward|by default|in general|as a rule"
        r"|henceforth)[\s,:](?! ?(?:i (?!(?:want|need|expect|would like|prefer) )|i'm|i'll|we|it|there|this"
        r"|he|she|they|the|my"
        r"|what|how|is|are|do|does|can|which)\b)",
        "preference",
        standing=True,
    ),
    Rule(
        "whenever",
        r"(?:when(?:ever)?|whatever|every time|any ?time|each time|if) (?:i(?:'m)?|you(?:'re)?"
        r"|we(?:'re)?) [^,]{3,60}, ?(?:please |always |just |then )?"
        r"(?:give|use|show|answer|reply|respond|start|put|keep|write|include|add|explain|skip|list|ask|tell"
        r"|make|don'?t|do not|never|be|assume|leave"
        r"|remind|suggest|check|format|stick|cite|i (?:prefer|like|want|would like|always want|need) )",
        "preference",
        standing=True,
    ),
    Rule(
        "in_my_tasks",
        rf"(?:in|for|on|with) (?:all )?(?:my|our) [\w' -]{{3,30}}?s?,? (?:please )?(?:never|always|use|don'?t"
        rf"|do not|keep|write|avoid|include|stick to|leave out|put) {THING}",
        "preference",
        standing=True,
    ),
    Rule(
        "want_you_to",
        r"i(?:'?d| would) (?:like|prefer|love) (?:all|every|your) [^,]{3,40}? (?:in|with|without|as|to be)\b"
        r"|i(?:'?d like| want| need| would like| prefer)(?: it if)?(?: for)? (?:you )?to (?:always|never)\b"
        r"|i(?:'?d like| want| need"
        r"| would like| expect) (?:you to (?:always|never|stop)|your (?:answers|replies)|answers|replies)\b"
        r"|i never want you to|i (?:want|like|need|prefer) (?:\w{3,12} ){0,2}(?:answers|replies|explanations"
        r"|responses)\b"
        r"|i (?:always |generally |usually )?(?:want|like|need|expect) (?:my|all|your) (?:answers|replies"
        r"|recipes|code|emails|summaries|explanations)\b",
        "preference",
        standing=True,
    ),
    Rule(
        "keep_answers",
        rf"{PLEASE}keep (?:your |the |all |all your )?(?:answers|replies|responses|explanations|messages"
        rf"|summaries) {THING}",
        "preference",
        standing=True,
    ),
    Rule(
        "favourite",
        r"(?:my|our) (?:[\w'-]{1,20} ){0,2}?(?:(?:favou?rite|fave|fav)(?! (?:part|bit|line|section|sentence"
        r"|scene|paragraph|one|of these|so far|version|option|word|of the|of these))|preferred|go-to"
        r"|least favou?rite(?! (?:of|part|one|bit))|comfort (?:food|film|movie|show|read)"
        r"|guilty pleasure|pet peeve|biggest fear|dream (?:job|car|house|holiday|vacation|destination))\b[^,]{0,60}?"
        r"(?:\b(?:is|are|was always|has always been)\b|'s\b)(?! (?:this|that one|the (?:first|second|third|last))\b)"
        r" \W?[\w\ufffc]",
        "preference",
        standing=True,
    ),
    Rule(
        "is_my_favourite",
        r"(?!this|that|it|which|what|he|she|his|her|the (?:error|compiler|code|bug|tests?|build)\b|the (?:first|second|third|last)|option|version|number"
        r"|one\b)[\w\ufffc][^,]{0,60}? (?:(?:is|are|was never|has never been|has always been"
        r"|have always been) (?:by far )?my (?:all-time |absolute |personal |number one )?"
        r"(?:favou?rite|fave|fav|go-to|guilty pleasure|comfort|thing|jam|cup of tea|kryptonite|weakness|pet peeve)\b"
        r"|(?:is|are)(?:n't| not) (?:really )?(?:my (?:thing|cup of tea|style|jam|favou?rite)|for me)\b"
        r"|(?:gives? me the creeps|grosses? me out|drives? me (?:mad|crazy|nuts|up the wall)|bores? me"
        r"|(?:look|suit)s?(?: better)? on me|have grown on me|puts? me off))",
        "preference",
        standing=True,
    ),
    Rule(
        "like",
        rf"(?:i think |i guess |turns out |honestly )?{WE} (?:kinda think i might )?{ADVERB}(?:like|love|enjoy"
        rf"|adore|hate|dislike|detest|loathe|despise|prefer|favou?r|dread|crave"
        rf"|resent|{CAN_NOT} (?:stand|bear|abide|get into|get enough of|live without|do without|stomach)"
        rf"|{DO_NOT} (?:really |particularly |much |even |actually )?(?:like|love|enjoy|care for|mind"
        rf"|see the appeal of)|no longer (?:like|love"
        rf"|enjoy|want)|never (?:liked|enjoyed)|have (?:always|never) (?:liked|loved|hated"
        rf"|preferred)) {_NOT_REALLY_LIKED}{TASK_OBJECT}{THING}",
        "preference",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "have_always_liked",
        rf"i'?ve (?:always|never) (?:really )?(?:liked|loved|hated|enjoyed|preferred|cared for"
        rf"|been (?:a fan of|into|keen on|fond of|a big fan of"
        rf"|much of|a (?:big )?\w+ person)) ?{TASK_OBJECT}{THING}|i'?d (?:much |really |generally |always "
        rf"|usually )?prefer {_NOT_REALLY_LIKED}{TASK_OBJECT}{THING}"
        rf"|i would (?:much |always |usually )?prefer {_NOT_REALLY_LIKED}{TASK_OBJECT}{THING}|(?:i'?d"
        rf"|i would) (?:much |always )?rather (?!not (?:say|answer)|go with|use (?:the|a)|keep|have (?:it|the"
        rf"|a shorter)|start|wait|you (?!always|never)){TASK_OBJECT}{THING}"
        rf"|i'?ve (?:grown|come) to (?:like|love|hate|enjoy) {TASK_OBJECT}",
        "preference",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "fond",
        rf"{WE_ARE} {ADVERB}(?:not )?(?:really |much of |exactly )?(?:into|fond of|keen on|passionate about"
        rf"|obsessed with"
        rf"|crazy about|mad about|nuts about|big on|addicted to|hooked on|a sucker for|picky about|fussy about"
        rf"|particular about"
        rf"|(?:more of )?(?:an? )?(?:\w{{2,12}} )?(?:fan|lover|enthusiast|addict|nerd|geek|buff) of|partial to"
        rf"|interested in(?! (?:knowing|seeing|hearing|what|how|why|the))) {TASK_OBJECT}{THING}"
        rf"|{WE_ARE} {ADVERB}(?:not )?(?:really |much of |more of |very much "
        rf"|such )?(?:an? )?(?:[\w-]{{2,15}} )?(?:(?:\w{{2,12}}|-) ?(?:person|lover|buff|nerd|geek|addict"
        rf"|junkie|fanatic|enthusiast|fan|freak)"
        r"|early (?:bird|riser)|night owl|morning person|foodie|bookworm|homebody|minimalist|perfectionist"
        r"|sweet tooth|gamer|cinephile|audiophile|picky eater|fussy eater|light sleeper|heavy sleeper"
        r"|heavy smoker|chain smoker|social drinker)\b(?! (?:from|at|on the|who (?:asked|wrote)))",
        "preference",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "usual_choice",
        rf"{WE} {ADVERB}(?:(?:usually|always|normally|generally|typically) )(?:go for|choose|pick|order|buy"
        rf"|opt for|stick to|take|book|fly|have|ask for) {TASK_OBJECT}{THING}"
        r"|(?:coffee|tea|[\w'-]{3,15}) is something i (?:prefer|like|love|hate|enjoy)|nothing beats"
        r"|give me \w+ over \w+ any day"
        r"|(?:i )?could (?:eat|drink|watch|listen to) [^,]{2,30} (?:every day|all day)|at work i prefer"
        r"|for (?:work|me),? i prefer",
        "preference",
        standing=True,
    ),
    Rule(
        "standing_order",
        rf"{PLEASE}(?:only )?(?:get|give|use|write|answer|reply|respond|speak|talk|call|keep|make|show|put"
        rf"|skip|leave|drop|avoid|include|add|start|end|stick|format"
        r"|cite|suggest|recommend|explain|be|don'?t|do not|assume|treat|address|send|tell|remind|translate"
        r"|round|convert|list|limit|spell|default|switch|prefer|no|stop|open|check|ask)\b"
        r"[^\n]{0,120}?\b(?:from now on|going forward|in general|every time|by default|at all times|as a rule"
        r"|unless i (?:ask|say|tell)|in (?:the )?future|for all (?:my|future|your)|in every|in all"
        r"|for good|always|for me in general|whenever|each time|across (?:all|every)|in any"
        r"|in (?:your )?(?:replies|answers|responses|messages))\b",
        "preference",
        standing=True,
    ),
    Rule(
        "only_suggest",
        rf"{PLEASE}(?:only|just) (?:ever )?(?:suggest|recommend|show me|send me|give me|offer|propose"
        rf"|use) (?!the (?:first|second|last|final|answer|result|code|list|number)|one\b|a\b|\d|me\b|your|what"
        rf"|json|yaml|code|it\b){THING}[^,]{{3,80}}\b(?:places|restaurants|recipes|hotels|options|products"
        rf"|films|movies|books|brands|shops|in general|things|stuff|meals|dishes|flights|trains|food)",
        "preference",
        standing=True,
    ),
)

STYLE: tuple[Rule, ...] = (Rule("style", STYLE_ORDER, "preference", standing=True),)
"""Orders without any word that says how long they hold."""
