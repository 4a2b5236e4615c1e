"""English rules for what happened to the person, what they do and how they live, in order of precedence."""

from __future__ import annotations

from shared.models.rules import importance
from shared.models.rules.english.words import (
    ADVERB,
    AM,
    DIET,
    FAITH,
    HABIT,
    HAVE,
    LIFE_VERBS,
    NATIONALITY,
    NATURE,
    TASK_OBJECT,
    THING,
    WE,
    WE_ARE,
)
from shared.models.rules.table import Rule, one_of

_ARTICLE_NOT_A_ROLE = (
    r"(?!(?:bit|little|lot|few|while|tad|couple|mess|moment|second(?!-)|step|minute|genius|idiot|wreck|loss|hurry|rush"
    r"|stuck|long|big believer|moron|fool|disaster|good mood|bad mood|only|same|first to|last to|worst|best|one|problem"
    r"|point|fence|phone|way|middle|verge|edge|kind|sort|firm|strong|day|week|month|year|hundred|total mess|meeting"
    r"|queue|call|pickle|bind|weird|crossroads|deadline|tight|zombie|robot|potato|complete idiot|failure|bad person"
    r"|terrible person|nervous wreck|dead man|ghost|lost cause|clown|dummy|human being|good boy|legend|goner"
    r"|step|sucker for your|slave|teapot|believer|quick|tough|hard no|yes|no)\b)"
)
_EVENT = one_of(
    r"""
    moved (?:(?:back |away |over |out |up |down )?to (?!the (?:next|other|new|second|end|top|left|right|bottom))
    |in with|out of|here|house
    |home|from|into|abroad|countries|cities|flats|apartments|back in) | relocated | emigrated | immigrated
    | left (?:(?-i:[A-Z])[^,]{2,30}? (?:in|last|after|ago|to|for)\b|my (?:job|husband|wife|old|company|church
    |position|ex)|school|uni|university|home at|the (?:army|navy|company|church|military|country))
    | quit (?:my|the (?:army|navy|band|team|choir|gym|company|church|firm)|work|school|uni|teaching|nursing)
    | resigned | retired | got (?:laid off|fired|promoted|married|engaged|divorced|a (?:new )?(?:job|dog|puppy|cat
    |kitten|promotion
    |degree|tattoo|mortgage|raise|place)|my (?:degree|licen[cs]e|phd|citizenship|first|green card|visa|ged|pilot)
    |into (?:uni|med|law|grad|\w+ school|college)|back together|accepted|my (?:driving|driver))
    | was (?:laid off|made redundant|promoted|fired|born (?!to (?:do|be|run)|yesterday)|raised|adopted|brought up
    |bitten|in the (?:army|navy|military)|married|transferred)
    | lost my (?:job|mum|mom|dad|father|mother|husband|wife|son|daughter|dog|cat|brother|sister|licen[cs]e|partner)
    | started (?:a (?:new )?(?:job|business|company|blog|family|phd|master|degree|position|podcast|charity)
    |my (?:own|new|phd|first|second|third|fourth|final|master|apprenticeship)|at (?-i:[A-Z])|(?:uni|university
    |college|school|therapy|learning|playing|running|working (?:at|as|for|from)|lifting|smoking again))
    | switched (?:from|to|jobs|careers|majors) | changed (?:jobs|careers|majors|my (?:name|major|surname))
    | dropped out | graduated (?!the) | majored | studied (?!your|the|this|it) | enrolled
    | passed (?:my|the) (?:driving|bar|exam|test|\w+ exam|theory) | failed (?:my|the) (?:driving|bar|theory)
    | (?:finished|completed) (?:my|an?) (?:\w{1,12} )?(?:apprenticeship|degree|phd|training|studies|residency
    |chemo|thesis|course|master'?s|bachelor'?s|military service|internship|dissertation|treatment)
    | bought (?:an? |my |our )(?:first |new |used |second-?hand |old )?(?:\w{1,12} )?(?:house|flat|apartment|car
    |condo|place|home|boat|van|bike|motorbike|camper|farm|dog|puppy|cottage|land|studio|business)
    | sold (?:my|our|the) (?:house|flat|apartment|car|condo|place|home|boat|van|bike|motorbike|business|company)
    | adopted (?:an? |my |our |two )| had (?:a baby|twins|our (?:first|second|third)|my (?:first|second
    |third) (?:child|baby|kid|son|daughter)) | gave birth | became an? (?:mum|mom|dad|father|mother|parent|grand\w+
    |citizen|teacher|nurse|\w{3,20}(?:er|or|ist))
    | broke up with | split (?:up)? ?(?:with|from|last) | turned (?:down (?:an?|the) (?:offer|job)|\d{2}\b
    |(?:thirty|forty|fifty|sixty|seventy|eighty|twenty|eighteen|twenty-one)) | turn \d{1,3}\b
    | grew up | served in | volunteered | founded | co-founded | opened (?:my|a|our) (?:own )?(?:shop|store|caf[eé]
    |bakery|restaurant|business|practice|studio)
    | joined (?:(?-i:[A-Z])|a (?:gym|choir|band|club|team|company|startup|church|union)|the (?:army|navy|union
    |choir)) | converted to (?:islam|judaism|catholicism|christianity|buddhism|hinduism) | came out as
    | traded in my
    | used to (?!this|that|it\b|be able|your|the\b|see (?:this|the)|get (?:this|an? error))[a-z]{2,12}
    | used to (?:live|work|smoke|play|have|own|teach|study|drink|run|swim|dance|drive|speak|eat|weigh|date|sing
    |go to|train|compete|hate|love|like|do|use|coach|ride|row|box|write|paint|vape|bite|travel|commute|rent)
    | worked (?:as|at|for|in (?!this|the (?:past|end|code))) | lived (?:in|on|with|near|abroad|at)
    | played (?:\w+ ){1,3}(?:for|in|as|at|professionally) | taught (?:\w+ ){1,3}(?:for|in|at)
    | ran (?:the|a|my) (?:\w+ ){0,3}(?:marathon|10k|half|race|ultra|parkrun|business|shop) | climbed
    | met my (?:wife|husband|partner|boyfriend|girlfriend) | did my (?:phd|master|degree|military|bachelor|residency
    |thesis|undergrad)
    | went to (?:school|uni|university|college|boarding|art school|law school|med school|church|rehab|prison
    |(?-i:[A-Z])\w+ (?:university|college|school|in|last))| went back to (?:school|uni|work|college)
    | smoked | never (?:smoked|finished|married|went to|learned|learnt|had|learned to) (?!this|that|it\b)
    | cycled across | hiked the | wrote a (?:book|novel|thesis|memoir) | published | won (?:an?
    |the) (?:[\w-]+ ){0,2}?(?:medal|prize|award|scholarship|competition|championship|lottery|tournament|contest
    |grant) | inherited | immigrated
    | got covid | had covid | dyed my | shaved my | lost (?:\d+|about|over|almost|ten|twenty) ?(?:kg|kilos|pounds
    |lbs|stone)
    | stopped (?:going to|playing|running|practi[sc]ing|working|driving|dancing) | booked (?:a |our |my )?(?:flight
    |trip|holiday|wedding|surgery)
    """
)
_DOING = one_of(
    r"""
    training for | (?:halfway|midway|partway|most of the way|nearly) through (?:my|an?) (?:\w{1,12} )?(?:phd
    |degree|master'?s|bachelor'?s|apprenticeship|residency|training|pregnancy|divorce|course) | preparing for (?:my
    |the|a|an) [^,]{2,30}(?:exam|test|interview|marathon|race|competition|certification|bar|ielts|toefl|wedding)
    | preparing for (?-i:[A-Z])
    | studying (?!this|that|the (?:code|file)) | saving (?:up )?(?:for|money) | renovating | remodell?ing (?:my
    |our) | raising (?!an? (?:error|exception)|this)
    | expecting (?:a |our |my |twins|in ) ?| learning (?!that|about (?:this|that)|from (?:this|you)|how (?:this
    |to use this)) | teaching myself | recovering from (?!this|that) | trying to (?:quit|lose (?:weight|\d|some
    |a few|my)|get pregnant|conceive|learn \w|become|save|gain|eat less|eat more|cut down|cut back|go vegan
    |have a baby|get (?:fit|into shape|back into shape)|stop (?:smoking|drinking|biting))
    | writing (?:my|a) (?:\w{1,15} )?(?:thesis|dissertation|novel|memoir|book|phd|screenplay|cookbook)
    | writing up my | working on (?:my|a) (?:\w{1,15} )?(?:thesis|dissertation|novel|memoir|book|phd|screenplay
    |album|master'?s)
    | doing (?:an?|my) (?:[\w-]{1,15} ){0,3}?(?:phd|ph\.d|msc|mba|bsc|ma|ba|master'?s?|degree|bachelor'?s
    |apprenticeship|internship|residency|traineeship|diploma|course|postdoc|placement|bootcamp|gcses|a-levels)
    | enrolled | pursuing | majoring in | job[\s-]hunting | looking for (?:a )?(?:new )?(?:jobs?|work|internship
    |apprenticeship|flat to rent|place to (?:live|rent))
    | applying (?:for (?:citizenship|a visa|asylum|jobs|phds?|uni|grad|residency|my)|to (?:uni|college|grad|med|law
    |phd)) | on (?:parental|maternity|paternity|sick|medical) leave | on (?:a|my) (?:gap year|sabbatical|work visa
    |student visa|h-?1b|spousal|zero-?hour|pension)
    | homeschooling | fostering | caring for my | looking after my | going through (?:a|my|the) (?:divorce|menopause
    |break-?up|ivf|chemo|perimenopause|bankruptcy|separation) | dating (?:an?|someone|my)
    | living (?!room) | based | located in | residing | staying (?:at|with) my | renting | commuting | retiring
    | moving (?:to|in|out|back|house|from) | relocating | getting (?:married|divorced|my (?:degree|phd|masters
    |licen[cs]e)|back into|into (?!this|an? (?:error|loop)))
    | building (?:a|my|our) (?:\w{1,12} )?(?:house|shed|boat|treehouse|pc|cabin|startup|business|extension|van)
    | planning (?:to (?:move|retire|have|buy|get|study|go|quit|switch|travel|start)|my wedding|our wedding
    |a (?:wedding|trip|move|holiday))
    | starting (?:a new|my|work|school|uni|college|university|at (?-i:[A-Z])|an? (?:phd|business|apprenticeship))
    | self-taught | growing (?:my|our|tomatoes|veg|out) | quitting | thinking (?:about|of) (?:leaving|quitting
    |moving|retiring|divorc\w+|switching (?:careers|jobs))
    | playing (?:in a|for a|the \w+ in) | volunteering | freelancing | training (?:my|to be|as) | working (?:as|at
    |for|in|from|nights|part[\s-]time|full[\s-]time|remotely|shifts|evenings|days|two jobs|three jobs|towards
    |toward my) | employed | in charge of
    """
)
_IN = one_of(
    r"""
    (?:my|our) (?:\w{1,10} )?(?:teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|\d0'?s|(?:first
    |second|third|fourth|final|last|sophomore|junior|senior|freshman|gap) year)
    | (?:an? |the )(?:\w{1,15} )?(?:band|choir|book club|union|relationship|long[\s-]distance|orchestra|army|navy
    |air force|military|reserves|police|marines|wheelchair|committed|open relationship|team of|house ?share|dorm
    |shared)
    | (?:\w{1,8} )?(?:grade|year) \d | (?:\d{1,2}(?:th|st|nd|rd)|first|second|third|fourth|fifth|sixth|seventh
    |eighth|ninth|tenth|eleventh|twelfth) (?:grade|year|form) | (?:high school|middle school|secondary school
    |college|uni|university|grad school|med school|medical school|law school|kindergarten|year \d+|sixth form
    |academia|nursing school)\b
    | (?:recovery|therapy|remission|menopause|retirement|rehab) | (?:tech|finance|sales|marketing|hr|it|healthcare
    |education|retail|hospitality|real estate|insurance|construction|logistics|consulting|publishing|banking
    |accounting|procurement|biotech|fintech|cybersecurity|customer (?:service|support))\b(?! trouble)
    | (?:gmt|utc|est|pst|cet|cst|ist|jst|aest|the \w{2,10} time ?zone)\b
    """
)
_NOT_A_HABIT = one_of(
    r"""
    think | thought | know | knew | need | want | wanna | gotta | gonna | get | got | gave | give | see | saw
    | seen | said | say | tell | told | ask | mean | meant | guess | hope | wish | feel | felt | found | find
    | hear | heard | read | wrote | write | made | make | took | take | put | set | came | come | went | lost
    | left | broke | built | bought | brought | caught | chose | choose | cut | did | does | done | drew | fell
    | forgot | forget
    | had | has | have | held | hit | kept | keep getting | learnt | let | lied | lit | met | paid | ran | rang
    | rewrote | sat | sent | send | shot | showed | slept | sold | spent | spoke | stood | stuck | swear | swore
    | taught | threw
    | understand | understood | woke | won | wore | can | could | may | might | must | shall | should | will
    | would | won | don | didn | doesn | isn | wasn | am | are | was | were | been | being | just | still | also
    | even | bet
    | doubt | suppose | assume | agree | disagree | believe | remember | wonder | love | like | hate | prefer
    | enjoy | mind | care | appreciate | apologi[sz]e | promise | suggest | recommend | expect | notice | live
    | speak | work | wear | cook | eat | ate | drink | drank | tried | play | realize | realise | recall
    | click | press | type | open | close | run | start | stop | restart | install | deploy | push | pull | commit
    | copy | paste | save | load | call | try | test | check | change | switch | move | add | remove | delete | use
    | return
    | look | seem | sound | appear | wait | stay | stand | sit | hold | hang | turn | leave | enter | pick | choose
    | select | vote | accept | reject | refuse | deny | admit | confess | declare | claim | insist | object | quote
    | cite
    | thank | beg | wanted | needed | require | plan | intend | aim | propose | pass | fail | fall | lose | win
    | miss | skip | finish | end | begin | continue | go | goes | order | book | pay | cost | owe | submit | upload
    | download
    | compile | scroll | grep | rename | drag | swipe | tap | log | parse | import | export | iterate | loop
    | print | echo | fetch | query | join | merge | sort | filter | cast | convert | apply | assign | refresh
    | reload | reboot | reset | format | plug
    | connect | wrap | receive | reach | hover | add | divide | multiply | substitute | solve | derive | raise
    | throw | catch | iterate | encounter | experience | keep | fucking | literally | honestly | seriously
    | basically | really | kinda | sorta | dunno | rest | case | rate | count | measure | calculate | compute
    | define | denote | let | state | show | prove | conclude | repeat | reply | answer | respond | propose
    | present | introduce | describe | explain | discuss
    """
)
"""Verbs of what one does just now, or of what one thinks and asks."""

LIVING: tuple[Rule, ...] = (
    Rule(
        "event",
        rf"{WE} (?:actually |just |finally |recently |also |only |then |once |first |originally |both "
        rf"|officially |literally |previously |sadly )?{_EVENT}",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "doing",
        rf"{WE_ARE} {ADVERB}(?:both )?{_DOING} ?{TASK_OBJECT}",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "as_one",
        rf"(?:as|being) (?:someone|somebody|one) who (?!wants|needs|is new to this)[^,]{{4,80}}$|(?:as"
        rf"|being) an? (?:[\w-]{{2,15}} ){{0,2}}?(?:{DIET}|{FAITH}|{NATURE}|{NATIONALITY}|diabetic|asthmatic"
        rf"|beginner|newbie|student|nurse|teacher|parent|mother|father|mom|mum|dad"
        r"|developer|engineer|designer|doctor|runner|writer|freelancer|manager|[a-z]{4,15}(?:ist|ian|eer))\W*$",
        "fact",
        standing=True,
    ),
    Rule(
        "never_do",
        r"i (?:almost |basically |pretty much |practically |really )?never (?!thought|said|knew|got\b|asked"
        r"|had|saw|heard|know|understood|meant|received|mind|would|could|will|can\b|did|found|forget|remember"
        r"|want|see|get\b"
        rf"|understand|been|gave|told|made|took|came|went|worked out|use (?:this|the)|wrote|liked|even|really"
        rf"|actually|\w{{2,15}}ed\b)[a-z]{{3,12}} {TASK_OBJECT}(?!the\b|why|how|what|it\b){THING}",
        "fact",
        standing=True,
    ),
    Rule(
        "model",
        rf"{HAVE} (?:got )?(?:an? |the |my )?(?:old |new "
        rf"|used )?(?-i:[A-Z])[\w-]{{1,15}} (?:(?-i:[A-Z])[\w-]{{0,15}} )?[\w-]{{0,6}}\d[\w-]{{0,6}}\b(?! "
        rf"(?:code|error|file|report|form|exam|paper))",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule("in_life", rf"{WE_ARE} {ADVERB}in {_IN}", "fact", standing=True, elliptic=True),
    Rule(
        "nature",
        rf"{AM} (?:not )?{ADVERB}(?:an? )?(?:{NATURE}(?! (?:in an?|to (?:this|that|the)|from arguing))|{FAITH}"
        rf"|afraid of (?!losing|breaking|messing|what|that|this|it\b|being late|asking|missing|making)"
        rf"|scared of (?!losing|breaking|messing|what|that|this|it\b|being late|asking|making)"
        rf"|terrified of (?!losing|breaking|what|that|this|it\b)|"
        r"(?:good|bad|great|terrible|hopeless|not good|rubbish|awful) (?:at|with) (?!this|that|it\b"
        r"|explaining (?:this|it))|new to (?!this|it\b|the (?:chat|app|site))|used to (?!this|it\b|that)"
        r"|prone to|a member of|part of (?:an?|the)|deaf|blind|the first in my|one of (?:two|three|four|five"
        r"|six|seven|eight)|sensitive to)\b",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "life",
        rf"{WE} {ADVERB}{LIFE_VERBS}(?!\(| ?(?:the (?!bus|train|tube|metro|subway|tram|ferry|gym|guitar|piano"
        rf"|violin|cello|drums|flute|harp|trumpet|sax|bass|organ|accordion|oboe|clarinet|banjo|viola|harmonica"
        rf"|ukulele|[\w-]+ (?:bus|train|to work))|my (?:heart|part|role|cards)|it|this|that|these|those|you"
        rf"|your|to (?:know|think|add))\b)",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "habit",
        rf"(?:(?:{HABIT}|(?:on|at|in|after|before|during) [^,]{{2,30}}?),? )?{WE} {ADVERB}(?!think|mean|guess"
        rf"|wonder|hope|see|saw|need|want|wish|would|could|might|should|can\b|may\b|will\b|am\b|was\b|were\b"
        rf"|did\b|had\b|tried|found|got|keep (?:getting|seeing)|get (?:an?|the|this|these)? ?(?:errors?"
        rf"|message|warning|timeout|crash)|know|feel|forgot|read that|heard|said|told|'|have (?:a|an|the|two"
        rf"|some) (?:meeting|call|question|problem|deadline))"
        rf"[a-z]{{2,15}}\b[^\n]{{0,80}}?{HABIT}",
        "fact",
        standing=True,
        elliptic=True,
    ),
    Rule(
        "fronted",
        rf"(?:(?:on|at|in|after|before|during|for|as) (?!this|that|the (?:code|file|text|first|second|last|end"
        rf"|draft|past)|general|fact|short|case|all|which|least|any|other|addition|my (?:opinion|view"
        rf"|experience|code|essay)|terms|order|your)[^,]{{2,30}}?|these days|nowadays|normally|usually"
        rf"|typically|{HABIT}|most of the time|since [^,]{{2,20}}?),? "
        rf"(?:{WE} {ADVERB}(?:{LIFE_VERBS}|work|live|use|eat|drink|have|read|watch|listen|cook|prefer|like"
        rf"|love|hate|avoid|take|don'?t|never|write|speak|wake|get up|run|go)\b|{WE_ARE} (?:up at|at (?:the"
        rf"|my)|usually|always|never|off|in (?-i:[A-Z]))) ?{TASK_OBJECT}",
        "fact",
        standing=True,
    ),
    Rule(
        "role",
        rf"(?:{WE_ARE}|my (?:wife|husband|partner) and i are|i (?:became|will be|'ll be"
        rf"|might be)) {ADVERB}(?:an? {_ARTICLE_NOT_A_ROLE}|the (?:ceo|cto|cfo|coo|head|director|owner|founder"
        rf"|manager"
        rf"|lead|vp|author|maintainer|chair|principal|president|mother|father|mom|mum|dad|oldest|eldest"
        rf"|youngest|breadwinner|designated|main|primary|sole|only|treasurer|secretary|captain|organi[sz]er"
        rf"|coach|caretaker|organist|janitor|chairman|chairwoman|\w{{4,14}}(?:er|or|ian|ist|ary) (?:of|at"
        rf"|for) (?:my|our|an?|(?-i:[A-Z]))) ?|(?:chair|head|director|president|ceo|captain|treasurer"
        rf"|secretary|co-?owner|co-?founder|owner|founder) of )(?:[\w'.-]{{1,20}} ){{0,2}}?{THING}",
        "fact",
        importance.IDENTITY,
        standing=True,
        elliptic=True,
    ),
    Rule(
        "household",
        r"the (?:bins?|trash|rubbish|recycling|post|mail|cleaner|wifi|car park code|gate code"
        r"|spare key)\b[^,]{0,20}? (?:goes|go|comes|come|changes|is (?:with|under|in|at|called)) (?:out )?",
        "note",
        importance.NOTE,
    ),
    Rule(
        "plain",
        rf"(?:i|we) (?>{ADVERB})(?!{_NOT_A_HABIT}\b|\w{{2,15}}ed\b)[a-z]{{3,12}}(?: (?!(?:the|this|that|these"
        rf"|those|it|its|you|your|them|him|her|here|there|now|today|and|but|if|a (?:\w+ )?(?:lot|bit|few|look"
        rf"|way|list|table)"
        r"|what|how|why|where|when|who|error|errors|file|code|script|answer|question|option|version|one"
        r"|nothing|something|anything|some|so|too|more|again|like|\w+\(.{0,9})\b)[\w'-]{1,20},?){1,8}\W*$",
        "fact",
        importance.NOTE,
        standing=True,
    ),
)
