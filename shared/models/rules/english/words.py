"""Word lists the English rules are built from, as pattern fragments."""

from __future__ import annotations

from shared.models.rules.table import one_of

AM = r"(?:i'?m|i am)"
WE = r"(?:i|we|(?:me and my|my) [a-z-]{2,15} and i|(?-i:[A-Z])[a-z]{1,15} and i|both of us)"
WE_ARE = (
    r"(?:i'?m|i am|we'?re|we are|(?:(?:me and my|my) [a-z-]{2,15} and i|(?-i:[A-Z])[a-z]{1,15} and i|we both"
    r"|both of us) are)"
)
HAVE = r"(?:(?:i|we)(?:'?ve got| have got| have| got| own)|i'?ve)"
HAVE_BEEN = r"(?:(?:i|we)(?:'?ve| have))"
_ADVERBS = one_of(
    """
    really | also | just | absolutely | generally | usually | personally | still | always | definitely | strongly
    | very much | actually | basically | mostly | typically | normally | honestly | particularly | especially
    | simply | do | kind of | kinda | sort of | truly | mainly | currently | now | often | quite | both | already
    | primarily | severely | highly | deathly | deadly | mildly | very | extremely | originally | happily | recently
    | only | sometimes | rarely | seldom | occasionally | regularly | frequently | tend to | pretty much | almost
    | nearly | finally | sadly | myself | hardly | barely | even | fully | legally | partially | pretty | super | so
    | terribly | badly | too | proudly | totally | completely | profoundly | borderline | newly | technically | lately
    | naturally | apparently | unfortunately | luckily | hardly ever | exclusively | mostly just | solely | firmly
    """
)
ADVERB = rf"(?:{_ADVERBS} ){{0,3}}"
CAN_NOT = r"(?:can'?t|can ?not|could never|couldn'?t|am unable to|'m unable to)"
DO_NOT = r"(?:don'?t|do not)"
NAME = r"(?:(?-i:[A-ZÀ-Þ])[\w'.-]{0,30}|[\u4e00-\u9fff]|\ufffc)"
PROPER = r"(?-i:[A-ZÀ-Þ][a-zà-ÿ'-]{1,20})"
NUMBER = (
    r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|some|no|twin|many|a few|a couple of"
    r"|a pair of|another)"
)
COUNT = r"(?:\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|many|a few|a couple of|half an?)"
THING = r"(?=[\w\ufffc\U0001f300-\U0001faff])"
DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|march|april|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)

TASK_OBJECT = (
    r"(?! ?(?:(?:all|both|either|one|some|any|most|none) of )?"
    r"(?:this|that|these|those|it(?! when)|your|yours|you|him|her|them|us|both|either|neither|what|how|where|why"
    r"|the (?:\w{3,12}er\b|(?:\w{3,12} )?(?:draft|title|ending|beginning|intro|version|tone|wording|paragraph"
    r"|sentence|caption)|idea|first|second|third|last|latest|new|old|former|latter|above|below|way|ones?"
    r"|version"
    r"|answer|output|result|code|plan|design|approach|suggestion|options?|layout|structure|title|name|tone|example"
    r"|solution|response|proposal|direction|look|changes?|edit|rest|previous|current|revised|updated|following|intro"
    r"|introduction|ending|conclusion|paragraph|sentence|email|text|story|poem|logo|image|picture|function|script"
    r"|tests?|sound of)"
    r"|option|version|draft|variant|number|plan [a-d]|[a-d](?=\W*$)|answer [a-d0-9]|not to (?:say|answer)"
    r"|to (?:say|bother|admit|ask|tell"
    r"|disappoint|break|be that|interrupt|think|know|see|imagine|believe|point out))\b)"
)
"""Refuses objects at hand: "this draft", "the second option", "your answer"."""

TASK_SCOPE = (
    r"\b(?:this|that|these|those|above|attached) (?:\w{1,15} )?(?:functions?|files?|code|class|script|snippet"
    r"|draft|emails?|essay|text|documents?|doc|paragraph|sentence|task|pr|pull request|commit|query|tests?|image"
    r"|picture|article|story|version|output|answer|response|list|table|report|page|module|project|poem|letter|summary"
    r"|translation|chapter|slide|section|one|time|case|error|bug|exercise|question|conversation|chat|colou?r|title"
    r"|wording|tone|layout|approach|topic|puzzle|joke|line|logo|idea|plan|recipe|job ad|formula|meme|song"
    r"|game|level|puns?|riddles?)\b|\b(?:bad|your) puns\b"
    r"|\b(?:of|to|about|with|by|in) your (?:\w{1,12} )?(?:jokes?|answers?|style|work|suggestions?|ideas?"
    r"|writing|help|taste|reply|replies|code|version|humou?r)\b"
    r"|\b(?:for now|right now|for today|just this once|in this|for this|the (?:function|email|draft|essay"
    r"|snippet) (?:above|below))\b|\bin (?:the|my) (?:function|email|draft|essay|snippet|code|file|script|report"
    r"|story|text|document|test|dream|game|novel|essay|poem|scene|header|sims|summary|letter|simulation"
    r"|scene \d)\b|\bin scene \d|\bin (?:the|my) \w{1,10} (?:equation|chapter|line|step|example|row|column)\b"
    r"|\b(?:here|there)(?: (?:but|and|so)\b|\W*$)|\bwith you$"
)
"""Wording that ties a statement to the task at hand."""

PASSING_STATE = (
    r"\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|minute)|in (?:an?|one|two"
    r"|ten|five|\d+) (?:hours?|minutes?|mins?)|later|yesterday|just now|in a (?:bit|minute|sec(?:ond)?))\b"
)
"""Wording of what will be over tomorrow."""

HABIT = (
    rf"\b(?:every (?:single |other |second )?(?:day|morning|night|evening|afternoon|week|weekend|weekday|month|year"
    rf"|summer|winter|spring|autumn|fall|{DAY}|(?:\w{{1,6}} )(?:hours|days|weeks|months|years))"
    r"|each (?:day|morning|night|week|evening|month|year)"
    r"|(?:once|twice|(?:\d{1,3}|\w{2,8}|a few|a couple of)(?: or \w{1,6}| to \w{1,6}|-\w{1,6})?"
    r" ?(?:times|days|nights|hours|hrs|km|kilomet(?:er|re)s|miles|cups|mugs|sessions|coffees|units|pages"
    r"|steps|books)|an? (?:book|film|movie|pack|bottle|coffee|glass))"
    r"(?: of \w{1,12})? (?:a|per|each|every) (?:day|week|month|year|night)"
    rf"|(?:on|at|over|most) (?:the )?(?:{DAY}s|weekends?|weekdays)|(?:on )?(?:most )?{DAY} (?:mornings?|evenings?"
    r"|nights?|afternoons?)|most (?:days|nights|mornings|evenings|weeks)|in the (?:mornings?|evenings?|afternoons?)"
    r"|daily|nightly|weekly|before (?:work|bed|breakfast)|after (?:work|school|dinner)|at night|all year|year-round"
    r"|for a living|as a hobby|in my (?:spare|free) time|all the time"
    r"|since (?:the )?(?:\d{4}|childhood|i was|my|college|uni|university|high school|last (?:year|spring|summer|autumn"
    rf"|fall|winter|month)|{MONTH})"
    r"|for (?:over |about |almost |nearly |the (?:last|past) )?(?:\d{1,3}|\w{2,12}) (?:years|yrs|decades|months)"
    r"|whenever|during the week|(?:from )?\d{1,2}(?::\d\d)? ?(?:am|pm)? ?(?:to|till|until|-) ?\d{1,2}"
    r"|at (?:\d{1,2}(?::\d\d)?|five|six|seven|eight|nine|ten|eleven|noon|midnight))\b"
)
"""What makes an action a habit."""

FAMILY = (
    r"(?:wife|wifey|husband|hubby|spouse|partner|girlfriend|boyfriend|gf|bf|fianc[eé]e?|mother|mom|mum|mama|father"
    r"|dad|papa|parent|son|daughter|kid|child(?:ren)?|baby|toddler|twin|brother|sister|sibling|grand(?:mother|father"
    r"|ma|pa|parent|son|daughter|kid|child(?:ren)?)|gran|nan|grandad|granny|aunt|uncle|cousin|niece|nephew"
    r"|(?:mother|father|sister|brother|daughter|son|parent)s?-in-law|in-law|stepson|stepdaughter|stepdad|stepmum"
    r"|stepmom|family|household|cat|dog|puppy|kitten|pet|parrot|rabbit|bunn(?:y|ies)|hamster|horse|pony|bird|turtle"
    r"|tortoise|goldfish|guinea pig|ferret|budgie|gecko|snake|chicken|hen|goat|bee|poodle|labrador|beagle|greyhound"
    r"|dachshund|retriever|spaniel|terrier|collie|corgi|husky|alpaca|llama|donkey|duck|koi|(?:twin )?boy|girl|teen"
    r"|teenager|newborn|foster kid|rescue|eldest|youngest|oldest|firstborn|little one|other half|better half"
    r"|folks)(?:e?s)?"
)
ACQUAINTANCE = (
    r"(?:friend|boss|manager|supervisor|colleague|co-?worker|therapist|doctor|gp|dentist|vet|landlord|landlady"
    r"|neighbou?r|roommate|flatmate|housemate|teacher|assistant|mentor|tutor|coach|trainer|team lead|professor|advisor"
    r"|adviser|physio|accountant|lawyer|ex)"
)
DOCTOR = (
    r"(?:doctor|dr|gp|cardiologist|dietitian|dietician|physician|midwife|physio(?:therapist)?|dentist|surgeon"
    r"|neurologist|psychiatrist|therapist|specialist|consultant|oncologist|dermatologist|allergist|obgyn|ob|pharmacist"
    r"|nutritionist|optician|endocrinologist|rheumatologist|gastroenterologist)s?"
)
_CONDITIONS = one_of(
    r"""
    (?:type [12i]{1,2} )?diabetes | asthma | epilepsy | co?eliac(?: disease)? | crohn'?s(?: disease)? | ibs | ibd | pcos
    | hypertension | (?:high|low) blood (?:pressure|sugar) | high cholesterol | heart (?:condition|disease|failure)
    | heart (?:problems?|murmur) | a? ?pacemaker | a? ?stent | cancer | leuka?emia | adhd | add | autism | asperger'?s
    | depression | anxiety(?: disorder)? | ptsd | ocd | bipolar(?: disorder)? | migraines? | dyslexia | dyscalculia
    | dyspraxia | vertigo | an?a?emia | eczema | hiv | lupus | gout | acid reflux | reflux | gerd | insomnia
    | sleep apn(?:o)?ea | seizures | chronic \w{3,20} | a? ?bad (?:back|knees?|hip|shoulder|heart|hearing|eyesight)
    | (?:bad|weak|dodgy) (?:back|knees?|ankles?|hips?|shoulders?|wrists?) | an? eating disorder | eating disorder
    | phobia | favism | h(?:a)?emophilia | lactose intolerance | gluten intolerance | kidney (?:disease|failure|stones)
    | a (?:bad|slipped|herniated) disc | a hernia | thyroid \w{3,15} | parkinson'?s | multiple sclerosis | ms | als
    | glaucoma | cataracts | tinnitus | hashimoto'?s | graves'? disease | raynaud'?s | rosacea | a heart arrhythmia
    | hay ?fever | hearing loss | sciatica | cerebral palsy | down'?s syndrome | long covid | me/cfs | pots
    | carpal tunnel | flat feet | a stoma | a prosthe\w{2,6} | rsi | a (?:stammer|stutter|lisp) | one (?:kidney|lung|leg|arm|eye|hand)
    """
)
CONDITION = (
    rf"(?:{_CONDITIONS}|\w{{3,20}}(?:osis|thritis|ritis|colitis|emia|aemia|pathy|plegia|algia|phobia|sclerosis)"
    r"|(?:\w{2,20} ){1,2}(?:disease|disorder|syndrome|deficiency|insufficiency|palsy|intolerance|impairment))"
)
PATIENT = (
    r"(?:(?:type [12i]{1,2} )?diabetic|epileptic|asthmatic|(?:\w{1,6} (?:weeks|months) )?pregnant|breast-?feeding|colou?r-?\s?blind|deaf"
    r"|(?:legally |partially |half |night )?blind|hard of hearing|dyslexic|autistic|neurodivergent|immunocompromised"
    r"|h(?:a)?emophiliac|bipolar|an(?:a)?emic|hypertensive|co?eliac|recovering (?:alcoholic|addict)|paralysed|paralyzed"
    r"|wheelchair(?: user|-bound)|lactose[\s-]intolerant|gluten[\s-]intolerant|disabled|visually impaired"
    r"|hearing impaired|partially sighted|trying to conceive|insulin[\s-]dependent|hypothyroid|lefthanded amputee"
    r"|an? amputee|an? (?:cancer|stroke) survivor|in (?:remission|chemo|dialysis)|on (?:dialysis|chemo))"
)
DIET = (
    r"(?:veg[ae]t[ae]ri[ae]n|veggie|vegan|pescatarian|pescetarian|flexitarian|teetotal(?:ler|er)?|teetotaller"
    r"|non-?drinker|non-?smoker|kosher|halal|keto|paleo|low-?carb|low-?fodmap|low-?sodium|sugar-free|gluten-?\s?free"
    r"|dairy-?\s?free|plant-?\s?based|raw vegan|sober|fruitarian|carnivore)"
)
MEDICINE = (
    r"(?:aspirin|ibuprofen|paracetamol|acetaminophen|nsaids?|antibiotics|insulin|lithium|codeine|opioids?"
    r"|(?:blood )?thinners|antidepressants|ssris?|antihistamines|beta-?blockers|steroids|medications?|meds|medicines?"
    r"|painkillers|birth control|the pill|chemo\w{0,9}|inhalers?|vitamin \w|iron (?:tablets|pills|supplements)"
    r"|(?:blood pressure|heart|thyroid|sleeping) (?:pills|tablets|meds|medication)|ozempic|accutane|melatonin|hrt"
    r"|\w{3,20}(?:pril|sartan|olol|statins?|azole|mycin|cillin|xetine|traline|lopram|apine|zepam|zolam|phylline|arin"
    r"|xaban|gliptin|formin|thyroxine|prazole|lukast|sone|solone|semide|thiazide|triptan|lafaxine|iazine|phenidate"
    r"|gabalin|abapentin|tadine|tirizine))"
)
FOODS = (
    r"(?:dairy|gluten|caffeine|alcohol|sugar|nuts|peanuts|milk|wheat|eggs?|lactose|soy|seafood|shellfish|fish|meat"
    r"|pork|beef|spicy|spice|onions?|garlic|coffee|cheese|bread|carbs|salt|chocolate|tomatoes|citrus|mushrooms)"
)
NOT_ALLERGENS = (
    rf"(?! ?(?:{DAY}s?|mornings?|meetings?|work(?:ing)?|(?:home|house)work|drama|people|stupid\w*|nonsense|bullshit|bs"
    r"|small talk|fun|failure|boredom|commitments?|early|exercise|exercising|chores|spreadsheets|corporate|cardio"
    r"|your|this|that|bad|lazy|effort|responsib\w+|adulting|math|maths|deadlines?|getting up|waking|being|doing"
    r"|silence|emails|jargon|buzzwords|the (?:word|idea|phrase|truth|sound)|cringe|maybe|anything|change|reality)\b)"
)
"""What people only joke about being allergic to."""
ABOUT_SAFETY = (
    rf"\bal{{1,2}}erg(?:y|ies)\b|\bal{{1,2}}ergic\b(?: to{NOT_ALLERGENS} |(?! to\b))|\bepi-?pen\b|\banaphyla\w{{2,6}}\b"
    r"|过敏(?!科|药|学|原理)"
)
LIFE_THREATENING = (
    r"\bepi-?pen\b|\banaphyla\w{2,6}\b|\bdeathly allergic\b|\b(?:could|would|can|might|will) kill me\b|\blife-?threat"
    r"|过敏(?:性)?休克|会死|致命|要命的过敏|危及生命"
)
TOPIC = (
    r"(?:mention|discuss|talk (?:to me )?about|speak (?:to me )?about|bring up|joke about|make jokes about"
    r"|remind me (?:of|about)|ask (?:me )?about|recommend|suggest|offer|serve|feed|contact|tell anyone|tell me about)"
)
NOT_AN_ORDER = (
    r"(?!(?:mind|heard|seen|tried|been|had|has|have|said|knew|thought|again|worked|done|met|gone|in|on|a|the|too"
    r"|once|was|did|got|gonna|say never|trust|judge|give up|look back|good|nice|happy|great|fun|glad"
    r"|something|hard|easy|remember that|is|are|were|there|it|i|you|he|she|we|they|works|fails|returns|so"
    r"|quite|really|remember"
    r"|forget)\b|(?!(?:need|feed|embed|proceed|exceed|spread|shed)\b)\w{2,20}ed\b)"
)
NATIONALITY = (
    r"(?:american|british|english|scottish|irish|welsh|german|french|italian|spanish|portuguese|dutch|belgian"
    r"|swiss|austrian|polish|czech|slovak|danish|swedish|norwegian|finnish|icelandic|estonian|latvian|lithuanian"
    r"|russian|ukrainian|greek|turkish|kurdish|indian|pakistani|bangladeshi|nepali|sri lankan|chinese|japanese|korean"
    r"|vietnamese|thai|malaysian|singaporean|indonesian|filipin[oa]|australian|canadian|mexican|brazilian|argentinian"
    r"|chilean|peruvian|cuban|colombian|egyptian|moroccan|ethiopian|ghanaian|nigerian|kenyan|south african|israeli"
    r"|palestinian|lebanese|syrian|iraqi|iranian|persian|afghan|saudi|taiwanese|hong ?konger|romanian|bulgarian"
    r"|serbian|croatian|bosnian|slovenian|hungarian|kiwi|aussie|georgian|armenian|maltese|cypriot)"
)
FAITH = (
    r"(?:muslim|jewish|christian|catholic|protestant|buddhist|hindu|sikh|mormon|jain|atheist|agnostic|orthodox|quaker"
    r"|jehovah'?s witness|baptist|lutheran|pagan|bahá?'?i)"
)
NATURE = (
    r"(?:introvert(?:ed)?|extrovert(?:ed)?|trans|gay|lesbian|bi(?:sexual)?|queer|non-?binary|asexual|straight|bald"
    r"|left[\s-]handed|a leftie|a lefty|ambidextrous|short-?sighted|near-?sighted|far-?sighted|retired|unemployed"
    r"|self-?employed|semi-?retired|jobless|homeless|widowed|married|single|divorced|separated|engaged|unmarried"
    r"|childless|child-?free|adopted|bilingual|trilingual|tall|short|colou?r-?blind|shy|an only child|between jobs"
    r"|job[\s-]hunting|out of work|(?:debt|cancer)[- ]free|freelanc\w+|polyamorous|neurodivergent|tone-?deaf|double-jointed|\w{2,20}-based)"
)
LANGUAGE = (
    rf"(?:{NATIONALITY}|mandarin|cantonese|hindi|urdu|bengali|tamil|arabic|hebrew|farsi|catalan|basque|gaelic|latin"
    r"|esperanto|swahili|yoruba|tagalog|sign language|asl|bsl|python|java(?:script)?|typescript|rust|sql|c\+\+|go|html"
    r"|css|excel|braille|morse)"
)
DATE = rf"\b(?:{MONTH}|(?:19|20)\d\d|\d{{1,2}}[./]\d{{1,2}}|{DAY}|next (?:week|month|year|spring|summer|fall|winter))\b"
KIN = (
    rf"(?:(?:both|all|one|two|neither)(?: of)? )?(?:my|our) (?:(?:wife|husband|partner|boyfriend"
    rf"|girlfriend)'s )?(?:[\w-]{{1,20}} ){{0,2}}?(?:{FAMILY})"
)
PLEASE = r"(?:(?:please|pls|and|so|but|just|kindly) ){0,2}"

LIFE_VERBS = one_of(
    r"""
    smoke | vape | comm+ute | knit | crochet | sew | quilt | garden | bake | paint | sculpt | jog | swim | hike | ski
    | snowboard | surf | sail | row | cycle(?! through) | bike | climb | dance | sing | skate | fish | hunt | camp
    | volunteer | coach | tutor | teach | babysit | homeschool | meditate | pray | journal | blog | podcast
    | freelance | moonlight | brew | forage | birdwatch | golf | juggle | snore | sleepwalk | fast | carpool
    | telecommute | meal-?prep | lift weights | box | drive | ride | wear | compost | rent | sublet | attend | study
    | belong to | listen to (?!the\b|this|that|you|your|it\b|what) | vote in | subscribe to | suffer from
    | bank with | shop at | donate | invest in | identify as | hail from
    | look after | take care of | care for | earn | practi[sc]e | celebrate | travel | sleep | work out
    | collect (?!data|logs|metrics|the|all|user|feedback|samples|info) | breed (?:dogs|cats|horses|\w{3,12}s)
    | stream (?:on|games|every) | foster (?:cats|dogs|kids|children|kittens|puppies)
    | raise (?:my|our|two|three|four|chickens|goats|sheep|cattle|bees|pigs|kids) | support (?-i:[A-Z])
    | observe (?:shabbat|the sabbath|ramadan|lent|passover)
    | do (?:yoga|pilates|judo|karate|crossfit|ballet|parkrun|gymnastics|martial arts|triathlons?|boxing|shift work
    |ceramics|pottery|volunteer work|improv|archery|night shifts)
    | keep (?:bees|chickens|hens|goats|horses|kosher|halal|an? (?:\w{1,12} )?(?:diary|journal|garden|allotment)|fish)
    | grow (?:(?:my|our) own|roses|tomatoes|vegetables|veg|herbs|flowers|orchids|chill?ies)
    | share custody | share (?:an?|my|the|our) (?:\w{1,12} )?(?:flat|house|room|apartment|car|office|place|studio|bed|bathroom|kitchen|desk|(?-i:[A-Z])\w+)
    | run (?:marathons|half marathons|ultras|cross-country|\d|every|most|twice|three times|on|with a)
    | play (?:(?:the|in an?|for an?) )?(?!with|around|along|it|back|this|that|a role|white\b|black\b|audio|video
    |sound|devil)
    | go (?:\w{3,12}ing|to (?:the gym|church|mosque|temple|synagogue|therapy|physio|yoga|uni|university|college
    |school|bed)) | get up | wake up
    | take (?:the (?:bus|train|tube|metro|subway|tram|ferry|underground)|my (?:tea|coffee)|(?:my )?(?:naps|sugar|milk)
    |cold showers|public transport)
    | drink (?:\w{1,10} )?(?:coffees?|tea|beer|wine|milk|water|alcohol|decaf|espresso|most|only|too|a lot|socially
    |every)
    | eat (?!this|that|it\b|them|the\b|my (?:words|hat)|bugs|your)
    | cook (?:for|most|every|a lot|mostly|on|from scratch) | read (?:a lot|mostly|mainly|\w{3,12} novels|every|manga)
    | watch (?:a lot of|anime|football|soccer|mostly|\w{3,12} on) | write (?:poetry|poems|songs|novels|fiction|mostly
    |mainly|a blog|for a living|short stories|in (?:rust|python|go|java|c\+\+|markdown|latex))
    | fly (?:a lot|out of|every|for work|business|economy) | order from | train (?:for|every|with an?|at)
    | do (?:my|our|most of my) (?:groceries|shopping|laundry|cooking|taxes) | buy (?:my|our|most of) | boycott
    | skip (?:breakfast|lunch|dinner)
    | tend to (?!think|agree|get|see|forget) | type (?:with|on an?) | restore (?:old|vintage|classic|furniture)
    | build (?:model|furniture|guitars|boats)
    | make (?:pottery|jewell?ery|my own|our own|candles|soap|furniture|wine|(?:around|about) \W?\d|\W?\d)
    | start (?:work|my (?:day|shift)) | finish (?:work|my shift) | rise | homebrew | thrift | upcycle | busk | dj
    | sit on the (?:board|council|committee) | stutter | stammer | lipread
    """
)
"""What people do with their lives, in the present tense."""

BELONGINGS = (
    r"(?:cars?|van|motor-?\s?bike|motorcycle|scooter|moped|bikes?|bicycles?|e-?bike|boat|camper(?:van)?|rv|truck|oven"
    r"|microwave|dishwasher|garden|yard|backyard|balcon(?:y|ies)|terrace|garage|allotment|greenhouse|air ?fryer"
    r"|freezer|fridge|blender|mixer|food processor|printer|tv|television|smartphone|iphone|ipad|laptop|tablet|kindle"
    r"|ps[45]|playstation|xbox|switch|steam deck|drone|3d printer|telescope|piano|guitar|violin|cello|ukulele|drums"
    r"|camera|dslr|licen[cs]e|passport|citizenship|visa|green card|credit cards?|bank account|elevator|lift"
    r"|gym membership|washing machine|dryer|bathtub|bath|stove|hob|grill|bbq|wok|instant pot|slow cooker|rice cooker"
    r"|pressure cooker|sewing machine|mortgage|student loans?|debts?|facebook|instagram|whatsapp|twitter"
    r"|tiktok|linkedin"
    r"|social media|air con\w{0,10}|central heating|fireplace|tattoos?|piercings?|hair|eyes|skin|beard"
    r"|moustache|freckles"
    r"|glasses|braces|dentures|hearing aids?|sweet tooth|mac(?:book)?|imac|thinkpad|chromebook|pixel|galaxy|honda"
    r"|toyota|skoda|bmw|ford|tesla|vw|volvo|audi|fiat|kia|house|flat|apartment|cottage|cabin|farm|studio|shed|pool"
    r"|business|shop|store|bakery|blog|channel|podcast|side (?:hustle|project|gig)|pension|savings|degree|phd|ph\.d"
    r"|master'?s|bachelor'?s|mba|diploma|doctorate|a-levels|gcses|years of experience|experience (?:in|with)|ubuntu"
    r"|windows \d\d|linux|fedora|smoke alarm|landline|wifi|smart ?watch|apple watch|garmin|fitbit|android(?: phone)?)"
)
"""What it says something about a person to have, or not to have."""
