"""English rules for what can harm the person: allergies, illness, medicine, and topics never to raise."""

from __future__ import annotations

from shared.models.rules import importance
from shared.models.rules.english.words import (
    ADVERB,
    AM,
    CAN_NOT,
    CONDITION,
    DO_NOT,
    DOCTOR,
    FOODS,
    HAVE_BEEN,
    KIN,
    MEDICINE,
    NOT_ALLERGENS,
    PATIENT,
    PLEASE,
    PROPER,
    TASK_OBJECT,
    THING,
    TOPIC,
    WE,
    WE_ARE,
)
from shared.models.rules.table import Rule

_ALLERGIC = r"(?:al{1,2}ergic|intolerant|anaphylactic)"
_ALLERGY = r"al{1,2}erg(?:y|ies)"
_EAT = r"(?:eat|drink|consume|ingest|digest|tolerate|stomach|touch|have|do|handle|keep down|process)"
_NO_SUBJECT_AT_HAND = rf"{TASK_OBJECT}{THING}"

SAFETY: tuple[Rule, ...] = (
    Rule(
        "not_allergic",
        rf"{AM} not (?:really |actually )?(?:allergic|diabetic|vegetarian|vegan|pregnant)\b"
        rf"|i (?:have no|{DO_NOT} have any) (?:known |food )?allergies",
        "fact",
    ),
    Rule(
        "allergic",
        rf"(?:{AM}|i (?:might|may) be|i think {AM}|i'?ve (?:always )?been|i was born"
        rf"|turns out {AM}) {ADVERB}{_ALLERGIC}"
        rf" to{NOT_ALLERGENS} {THING}|{AM} {ADVERB}sensitive to (?:gluten|dairy|lactose|caffeine|light|noise"
        r"|fragrances?|perfumes?|scents?|pollen|dust|alcohol|msg|sulfites|nuts|soy|latex|histamine|nickel)\b"
        rf"|{AM} {ADVERB}\w{{2,12}}[- ](?:allergic|intolerant)\b",
        "constraint",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "allergy",
        rf"{WE}(?:'?ve got| have| got| suffer from) [^,]{{0,60}}?\b{_ALLERGY}\b"
        rf"|(?:severe |bad |mild |serious )?(?:\w{{2,12}} ){{1,2}}{_ALLERGY} (?:here|in (?:the|my"
        rf"|our) (?:family|house))",
        "constraint",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "my_allergies",
        rf"(?:my|our) (?:[\w-]{{1,20}} ){{0,2}}?(?:{_ALLERGY}|allergens?|intolerances?) (?:is|are|includes?)\b",
        "constraint",
        importance.SAFETY,
        taboo=True,
    ),
    Rule(
        "reaction",
        r"(?!it\b|this\b|that\b|he\b|she\b|your\b|which\b"
        r"|they\b)[\w\ufffc][^,]{0,40}? (?:gives? me (?:hives|palpitations|insomnia|the jitters|anxiety"
        r"|nausea|headaches|a headache|indigestion|bloating|cramps|a rash"
        r"|an? (?:allergic|bad) reaction|migraines|heartburn|the runs)|sends? me (?:into anaphyl|to (?:the )?(?:er"
        r"|a&e|hospital))|makes? (?:me (?:break out|itch|wheeze|throw up|violently ill|very sick|really sick)"
        r"|my (?:throat|lips|tongue|face|skin|mouth) (?:swell|itch|tingle|burn|close)))"
        r"|i (?:break out|come out|get hives|get a rash|go into anaphyla\w+|swell up|react badly) [^,]{0,30}?"
        r"(?:from|to|if i|when i|in hives)\b",
        "constraint",
        importance.SAFETY,
        taboo=True,
    ),
    Rule(
        "kin_safety",
        rf"{KIN}(?:,? {PROPER},?)? (?:(?:is|are|'s) {ADVERB}{_ALLERGIC} ?|ha(?:s|ve) [^,]{{0,40}}?\b{_ALLERGY}\b"
        rf"|{CAN_NOT} (?:eat|have|drink) {THING})",
        "constraint",
        importance.SAFETY,
        taboo=True,
    ),
    Rule(
        "kin_illness",
        rf"{KIN}(?:,? {PROPER},?)? (?:(?:is|are|'s) {ADVERB}(?:an? )?{PATIENT}\b"
        rf"|(?:ha(?:s|ve|d)|lives? with|suffers? from|was (?:just |recently )?diagnosed with) "
        rf"(?:[\w-]{{1,15}} ){{0,3}}?{CONDITION}\b)",
        "fact",
        importance.SAFETY,
        taboo=True,
    ),
    Rule(
        "patient",
        rf"(?:{WE_ARE}|{HAVE_BEEN} been|i was born) {ADVERB}(?:an? )?{PATIENT}\b(?! to (?:the|any|all|this|what))",
        "fact",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "condition",
        rf"(?:{WE}(?:'?ve got| have| suffer from| live with| struggle with| deal with|'?ve had| had)|i was"
        rf" (?:just |recently )?diagnosed with|i'?ve been diagnosed with|{AM} living with|i was born with) {ADVERB}"
        rf"(?:an? |my |severe |mild |chronic |acute |bad |terrible ){{0,3}}(?:\w{{1,20}} )?{CONDITION}\b",
        "fact",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "diagnosed",
        rf"i(?:'?ve (?:just |recently )?been| was| got| am) (?:just |recently |finally )?diagnosed (?:with|as) {THING}",
        "fact",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "attacks",
        rf"i {ADVERB}(?:get|suffer|have|faint|pass out) (?:[\w-]{{1,12}} ){{0,2}}?(?:migraines|seizures|panic attacks"
        r"|hives|car ?-?sick|sea ?-?sick|motion ?-?sick(?:ness)?|travel ?-?sick|vertigo|nosebleeds|heartburn"
        r"|cluster headaches|fits|night terrors|nightmares|cramps|palpitations|when i see blood"
        r"|at the sight of blood)\b",
        "fact",
        importance.SAFETY,
        taboo=True,
        standing=True,
    ),
    Rule(
        "surgery",
        r"(?:i|i'?ve) (?:had|have had|just had|recently had|underwent|got) (?:an? |my |both |two )?(?:[\w-]{1,15} )"
        r"{0,3}?(?:surgery|operation|transplant|stroke|heart attack|bypass|c-section|caesarean|hysterectomy|mastectomy"
        r"|miscarriage|concussion|replacements?|fusion|appendectomy|amputat\w{2,4}|removed|replaced)\b"
        r"|i (?:broke|fractured|tore|dislocated|ruptured|lost) my (?:[\w-]{1,12} ){0,2}?(?:leg|arm|wrist"
        r"|ankle|collarbone|hip"
        r"|foot|back|acl|meniscus|achilles|shoulder|rotator|hand|finger|rib|hearing|sight|vision|thumb|toe|nose)",
        "fact",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "medicine",
        rf"(?:i {ADVERB}(?:take|inject|use|need|have to take|was prescribed|started)|{AM} {ADVERB}(?:on|taking"
        rf"|prescribed)|i'?ve been (?:on|taking|prescribed)) (?:[\w-]{{1,20}} ){{0,3}}?{MEDICINE}\b"
        rf"|i take \d[\d.,]{{0,5}} ?m?c?g\b|i carry an? (?:epi-?pen|inhaler)",
        "fact",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "no_medicine",
        rf"i (?:{CAN_NOT}|{DO_NOT}|must not|mustn'?t) take (?:[\w-]{{1,20}} ){{0,2}}?{MEDICINE}\b",
        "constraint",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "can_not_eat",
        rf"{WE} (?:really |just )?(?:{CAN_NOT}|must not|mustn'?t|am not allowed to|'?m not allowed to|shouldn'?t) "
        rf"(?:eat|drink|consume|ingest|digest|tolerate|stomach) {TASK_OBJECT}(?!another|any ?more|today|until"
        rf"|now\b|from|in\b|at\b|right){THING}"
        rf"|{AM} not (?:allowed|supposed) to (?:eat|drink|have|lift) {THING}"
        rf"|{WE} {CAN_NOT} {_EAT} (?:any |most |raw |cow'?s )?{FOODS}\b",
        "constraint",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "body_limit",
        rf"i {CAN_NOT} (?:wear|sit|stand|lift|climb|run|bend|kneel|walk|hear|see|read|jump|squat|grip|raise"
        rf"|tolerate|be around|do) (?:for long|down|far|long|up|stairs|heavy|much|well|high|low"
        r"|small|wool|polyester|latex|heels|silver|nickel|jewell?ery|perfume|contacts|smoke|cats|dogs|red"
        r"|colou?rs?|anything heavy|any\w* (?:heavy|with)|without my|in the dark|from my|out of my"
        r"|with my (?:left|right)|more than \d)",
        "constraint",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "with_condition",
        rf"(?:ever )?(?:since|after|because of|due to|with|given"
        rf"|thanks to) my (?:[\w-]{{1,12}} ){{0,2}}?(?:{CONDITION}|stroke|accident|surgery|operation"
        rf"|heart attack|concussion|amputation|diagnosis|injury"
        r"|disability|chemo|bad (?:knees?|back|hip|eyes?|eyesight|hearing|heart|stomach)|pregnancy|allerg(?:y"
        r"|ies)|pacemaker|wheelchair)\b",
        "fact",
        importance.SAFETY,
        taboo=True,
    ),
    Rule(
        "aids",
        r"i (?:use|need|wear|rely on|walk with|get around in|have) (?:an? |my )?(?:\w{1,12} )?(?:wheelchair"
        r"|wheelchair access|step-free|epi-?pen|hearing aids?|walker|walking stick|white cane|guide dog|crutches"
        r"|cpap|captions|subtitles|large print|glasses (?:for|to)|oxygen|prosthe\w{2,6}|screen reader"
        r"|insulin pump|mobility scooter|rollator|service dog|cochlear)"
        rf"|{AM} {ADVERB}(?:in|on) (?:an? |my )?(?:wheelchair|crutches|mobility scooter|dialysis|oxygen)",
        "fact",
        importance.SAFETY,
        taboo=True,
        standing=True,
        elliptic=True,
    ),
    Rule(
        "doctors_orders",
        rf"(?:(?:my|the|our) )?(?:[\w-]{{1,20}} )?{DOCTOR} (?:has |have |just |recently |also |strictly )?"
        r"(?:(?:told|advised|ordered|warned|forbade|wants?|asked|instructed|allows?|lets?) me\b|took me off|put me on"
        r"|banned|forbids|diagnosed me|said no\b|says no\b|doesn'?t (?:let|want) me|won'?t let me"
        rf"|(?:says?|said|thinks|insists|recommends|recommended)(?: that)? i? ?(?:{CAN_NOT}|not to"
        rf"|should ?n(?:o|')t|should(?: not)?"
        r"|must ?n(?:o|')t|must(?: not)?|shouldn'?t|(?:to|i) avoid|have to|need to|not allowed|stay off|cut))\b",
        "constraint",
        importance.SAFETY,
        taboo=True,
    ),
    Rule("blood_type", r"my blood (?:type|group) is \w", "fact", importance.SAFETY, taboo=True),
    Rule(
        "faith_diet",
        rf"(?:{WE_ARE} |{WE} {ADVERB}(?:keep|eat|follow|only eat|cook|buy) )(?:[\w-]{{1,12}} )?(?:halal|kosher)\b",
        "constraint",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
    Rule(
        "taboo_order",
        rf"{PLEASE}(?:you must )?(?:never|{DO_NOT} ever) {TOPIC}\b|{PLEASE}(?:never ever"
        rf"|under no circumstances)[\s,]\W?\w|i never want you to {TOPIC}\b",
        "constraint",
        importance.SAFETY,
        taboo=True,
        standing=True,
    ),
    Rule(
        "taboo_topic",
        rf"{PLEASE}{DO_NOT} (?:mention|bring up|remind me (?:of|about)|talk (?:to me )?about|ask (?:me )?about"
        rf"|joke about|make jokes about|recommend|suggest) {_NO_SUBJECT_AT_HAND}",
        "constraint",
        importance.SAFETY,
        taboo=True,
        standing=True,
    ),
    Rule(
        "taboo_wish",
        rf"i(?:'?d rather not| would rather not| {DO_NOT} (?:ever )?want to| never want to"
        rf"|'?d prefer not to) (?:hear about"
        rf"|talk about|discuss|be reminded of|be asked about)\b {_NO_SUBJECT_AT_HAND}"
        r"|[\w'-]{3,20}(?: [\w'-]{1,20}){0,3} (?:is|are) (?:a )?(?:taboo|off[\s-]limits|a (?:sore|touchy"
        r"|sensitive) (?:subject|topic)|a trigger)\b",
        "constraint",
        importance.SAFETY,
        taboo=True,
        standing=True,
    ),
)
