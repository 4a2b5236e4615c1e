"""English rules for safety and constraints, each in order of precedence."""

from __future__ import annotations

from shared.models.rules.english.words import (
    ADVERB,
    AM,
    CAN_NOT,
    CONDITION,
    DIET,
    DO_NOT,
    KIN,
    MEDICINE,
    NOT_AN_ORDER,
    PATIENT,
    PLEASE,
    PROPER,
    TASK_OBJECT,
    THING,
    TOPIC,
)
from shared.models.rules.table import Rule

SAFETY: tuple[Rule, ...] = (
    Rule(
        "not_allergic",
        rf"{AM} not (?:really |actually )?(?:allergic|diabetic|vegetarian|vegan|pregnant)\b|i (?:have no"
        rf"|{DO_NOT} have any) (?:known |food )?allergies",
        "fact",
    ),
    Rule(
        "allergic",
        rf"(?:{AM}|i (?:might|may) be|i think {AM}|i'?ve (?:always )?been) {ADVERB}(?:allergic|intolerant"
        r"|anaphylactic)"
        rf" to {THING}|{AM} {ADVERB}sensitive to (?:gluten|dairy|lactose|caffeine|light|noise|fragrances?"
        r"|perfumes?|pollen|dust"
        r"|alcohol|msg|sulfites|nuts|soy|latex|histamine)\b",
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
        rf"{KIN}(?:,? {PROPER},?)? (?:(?:is|are) {ADVERB}(?:allergic to|intolerant|(?:an? )?{PATIENT}\b)"
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
        rf"i (?:{CAN_NOT}|must not|mustn'?t|am not allowed to|'?m not allowed to) (?:eat|drink|consume|ingest"
        r"|digest|tolerate)"
        rf" {TASK_OBJECT}{THING}|i {CAN_NOT} have (?:any )?(?:dairy|gluten|caffeine|alcohol|sugar|nuts|milk|wheat"
        r"|eggs)\b",
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
        r"my (?:[\w-]{1,20} )?(?:doctor|gp|cardiologist|dietitian|physician|midwife) (?:says?|said|told me"
        rf"|has told me|forbade|advised)[^,]{{0,20}} i? ?(?:{CAN_NOT}|not to|should ?n(?:o|')t|should not"
        r"|must ?n(?:o|')t|must not|shouldn'?t|to avoid|have to)\b",
        "constraint",
        9,
        taboo=True,
    ),
    Rule("blood_type", r"my blood (?:type|group) is \w", "constraint", 9, taboo=True),
    Rule(
        "taboo_order",
        rf"{PLEASE}(?:you must )?(?:never|{DO_NOT} ever) {TOPIC}\b|{PLEASE}(?:never ever"
        r"|under no circumstances)[\s,]\W?\w",
        "constraint",
        9,
        taboo=True,
        standing=True,
    ),
    Rule(
        "taboo_topic",
        rf"{PLEASE}{DO_NOT} (?:mention|bring up|remind me (?:of|about)|talk (?:to me )?about|ask (?:me )?about"
        rf"|joke about|make jokes about|recommend|suggest) {TASK_OBJECT}{THING}",
        "constraint",
        9,
        taboo=True,
        standing=True,
    ),
    Rule(
        "taboo_wish",
        rf"i (?:{DO_NOT}|never) (?:ever )?want to (?:hear about|talk about|discuss|be reminded of"
        rf"|be asked about)\b {TASK_OBJECT}{THING}",
        "constraint",
        9,
        taboo=True,
        standing=True,
    ),
)

CONSTRAINTS: tuple[Rule, ...] = (
    Rule(
        "diet",
        rf"{AM} {ADVERB}(?:an? )?(?:(?:strict|lifelong|committed|ethical|practi[cs]ing|on an?"
        rf"|on the) )?{DIET}\b(?! (?:about|of|enough))",
        "constraint",
        7,
    ),
    Rule(
        "on_diet",
        rf"(?:{AM} {ADVERB}on|i {ADVERB}(?:follow|keep|eat"
        rf"|stick to)) (?:an? )?(?:strict )?(?:[\w-]{{1,20}} ){{0,2}}?(?:diet|{DIET})\b",
        "constraint",
        7,
    ),
    Rule(
        "no_food",
        rf"i {ADVERB}(?:{DO_NOT}|never|no longer|won'?t) {ADVERB}(?:eat|drink|consume|cook with"
        rf"|tolerate) {TASK_OBJECT}{THING}",
        "constraint",
        7,
    ),
    Rule(
        "no_habit",
        rf"i {ADVERB}(?:{DO_NOT}|never|no longer) (?:smoke|drink|vape|gamble|do drugs|eat out|fly"
        r"|work (?:on )?\w{3,12}days?)\b",
        "constraint",
        7,
    ),
    Rule(
        "avoid",
        rf"i {ADVERB}(?:avoid|abstain from|stay away from) {TASK_OBJECT}{THING}|i only eat {THING}|i (?:gave up"
        r"|quit|stopped) (?:smoking|drinking|eating|coffee|alcohol|sugar|meat|caffeine)\b",
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
        r"(?:my|our) (?:[\w-]{1,20} ){0,2}?budget (?:is|for|are|tops|limit|can'?t|cannot|won'?t)\b"
        rf"|i (?:{CAN_NOT} (?:afford|spend)|can only (?:spend|afford)|{DO_NOT} want to (?:spend|pay)) (?:more than"
        r"|over|anything|up to)?",
        "constraint",
        7,
    ),
    Rule(
        "never",
        rf"{PLEASE}(?:you must )?(?:never|{DO_NOT} ever) {NOT_AN_ORDER}[a-z]{{2,20}} {TASK_OBJECT}{THING}",
        "constraint",
        7,
        standing=True,
    ),
    Rule(
        "stop",
        rf"{PLEASE}stop (?:calling|recommending|suggesting|mentioning|bringing up|asking me|reminding me"
        rf"|sending me|telling me|using) {TASK_OBJECT}{THING}",
        "constraint",
        7,
        standing=True,
    ),
    Rule(
        "no_more",
        rf"{PLEASE}{DO_NOT} (?:give|show|send|offer) me (?:any|another|more) {THING}",
        "constraint",
        7,
        standing=True,
    ),
)
