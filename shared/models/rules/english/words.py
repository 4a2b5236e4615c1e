"""Word lists the English rules are built from, as pattern fragments."""

from __future__ import annotations

AM = r"(?:i'?m|i am)"
ADVERB = (
    r"(?:(?:really|also|just|absolutely|generally|usually|personally|still|always|definitely|strongly|very much"
    r"|actually"
    r"|mostly|typically|normally|honestly|particularly|especially|simply|do|kind of|truly|mainly|currently|now"
    r"|often|quite"
    r"|both|already|primarily|both|severely|highly|deathly|mildly|very|extremely|originally|happily|recently"
    r"|only) ){0,3}"
)
CAN_NOT = r"(?:can'?t|can ?not|could never|couldn'?t)"
DO_NOT = r"(?:don'?t|do not)"
NAME = r"(?:(?-i:[A-ZÀ-Þ])[\w'.-]{0,30}|[\u4e00-\u9fff]|\ufffc)"
PROPER = r"(?-i:[A-ZÀ-Þ][a-zà-ÿ'-]{1,20})"
NUMBER = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|some|no|twin|many|a few)"
THING = r"(?=[\w\ufffc\U0001f300-\U0001faff])"

TASK_OBJECT = (
    r"(?! ?(?:(?:all|both|either|one|some|any|most|none) of )?"
    r"(?:this|that|these|those|it(?! when)|your|yours|you|him|her|them|us|both|either|neither|what|how|where|why"
    r"|the (?:draft|idea|first|second|third|last|latest|new|old|former|latter|above|below|way|ones?|version"
    r"|answer|output"
    r"|result|code|plan|design|approach|suggestion|options?|layout|structure|title|name|tone|example|solution"
    r"|response"
    r"|proposal|direction|look|changes?|edit|rest|previous|current|revised|updated|following|intro|introduction"
    r"|ending"
    r"|conclusion|paragraph|sentence|email|text|story|poem|logo|image|picture|function|script|tests?|sound of)"
    r"|option|version|draft|variant|number|answer [a-d0-9]|not to (?:say|answer)|to (?:say|bother|admit|ask|tell"
    r"|disappoint|break|be that"
    r"|interrupt|think|know|see|imagine|believe|point out))\b)"
)
"""Refuses objects at hand: "this draft", "the second option", "your answer"."""

TASK_SCOPE = (
    r"\b(?:this|that|these|those|above|attached) (?:\w{1,15} )?(?:functions?|files?|code|class|script|snippet"
    r"|draft|emails?"
    r"|essay|text|documents?|doc|paragraph|sentence|task|pr|pull request|commit|query|tests?|image|picture"
    r"|article|story"
    r"|version|output|answer|response|list|table|report|page|module|project|poem|letter|summary|translation"
    r"|chapter|slide"
    r"|section|one|time|case|error|bug|exercise|question|conversation|chat)\b"
    r"|\b(?:for now|right now|for today|just this once|in this|for this|the (?:function|email|draft|essay"
    r"|snippet) (?:above"
    r"|below))\b|\bin (?:the|my) (?:function|email|draft|essay|snippet|code|file|script|report|story|text"
    r"|document)\b|\bwith you$"
)
"""Wording that ties a statement to the task at hand."""

FAMILY = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|mother|mom|mum|mama|father|dad|papa|parent|son"
    r"|daughter|kid|child(?:ren)?|baby|toddler|twin|brother|sister|sibling|grand(?:mother|father|ma|pa|parent|son"
    r"|daughter"
    r"|kid|child(?:ren)?)|aunt|uncle|cousin|niece|nephew|(?:mother|father|sister|brother)-in-law|family|cat|dog|puppy"
    r"|kitten|pet|parrot|rabbit|hamster|horse|bird|turtle|tortoise|goldfish|guinea pig)s?"
)
ACQUAINTANCE = (
    r"(?:friend|boss|manager|colleague|co-?worker|therapist|doctor|dentist|landlord|neighbou?r|roommate|flatmate"
    r"|teacher"
    r"|assistant|mentor|tutor|ex)"
)
CONDITION = (
    r"(?:(?:type [12i]{1,2} )?diabetes|asthma|epilepsy|co?eliac(?: disease)?|crohn'?s(?: disease)?|ibs|hypertension"
    r"|(?:high|low) blood pressure|high cholesterol|heart (?:condition|disease|failure|problems)|a? ?pacemaker"
    r"|arthritis"
    r"|cancer|leukemia|adhd|autism|depression|anxiety(?: disorder)?|ptsd|ocd|bipolar(?: disorder)?|migraines?"
    r"|dyslexia"
    r"|vertigo|an?a?emia|eczema|psoriasis|hiv|lupus|gout|reflux|gerd|insomnia|sleep apn(?:o)?ea|seizures"
    r"|chronic \w{3,20}"
    r"|bad (?:back|knees?)|eating disorder|phobia|favism|hemophilia|haemophilia|lactose intolerance"
    r"|gluten intolerance"
    r"|kidney (?:disease|failure)|thyroid \w{3,15}|parkinson'?s|multiple sclerosis|scoliosis|glaucoma)"
)
PATIENT = (
    r"(?:diabetic|epileptic|asthmatic|pregnant|breastfeeding|colou?r-?\s?blind|deaf|blind|hard of hearing"
    r"|dyslexic|autistic"
    r"|immunocompromised|h(?:a)?emophiliac|bipolar|co?eliac|recovering (?:alcoholic|addict)|wheelchair user"
    r"|lactose[\s-]intolerant|gluten[\s-]intolerant)"
)
DIET = (
    r"(?:vegetarian|vegan|pescatarian|pescetarian|flexitarian|teetotal(?:ler|er)?|teetotaller|non-?drinker|kosher"
    r"|halal|keto"
    r"|gluten-free|dairy-free|plant-based|raw vegan|sober|fruitarian)"
)
MEDICINE = (
    r"(?:aspirin|ibuprofen|paracetamol|acetaminophen|penicillin|amoxicillin|nsaids?|antibiotics|insulin|warfarin"
    r"|metformin"
    r"|statins?|lithium|codeine|opioids?|(?:blood )?thinners|antidepressants|ssris?|antihistamines|beta-?blockers"
    r"|steroids"
    r"|medications?|medicines?|painkillers|birth control|chemo\w{0,9})"
)
ABOUT_SAFETY = r"\b(?:allerg(?:y|ies|ic)|epi-?pen|anaphyla\w{2,6})\b|过敏(?!科|药|学|原理)"
TOPIC = (
    r"(?:mention|discuss|talk (?:to me )?about|speak (?:to me )?about|bring up|joke about|make jokes about"
    r"|remind me (?:of|about)"
    r"|ask (?:me )?about|recommend|suggest|offer|serve|feed|contact|tell anyone|tell me about)"
)
NOT_AN_ORDER = (
    r"(?!(?:mind|heard|seen|tried|been|had|has|have|said|knew|thought|again|worked|done|met|gone|in|on|a|the|too"
    r"|once|was"
    r"|did|got|gonna|is|are|were|there|it|i|you|he|she|we|they|works|fails|returns|so|quite|really|remember|forget)\b"
    r"|(?!(?:need|feed|embed|proceed|exceed|spread|shed)\b)\w{2,20}ed\b)"
)
NATIONALITY = (
    r"(?:american|british|english|scottish|irish|welsh|german|french|italian|spanish|portuguese|dutch|belgian"
    r"|swiss|austrian"
    r"|polish|czech|danish|swedish|norwegian|finnish|russian|ukrainian|greek|turkish|indian|pakistani|chinese"
    r"|japanese|korean"
    r"|vietnamese|thai|malaysian|singaporean|indonesian|filipino|australian|canadian|mexican|brazilian"
    r"|argentinian|chilean"
    r"|colombian|egyptian|nigerian|kenyan|south african|israeli|iranian|saudi|taiwanese|hong ?konger|romanian"
    r"|hungarian)"
)
DATE = (
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?"
    r"|dec(?:ember)?|(?:19|20)\d\d|\d{1,2}[./]\d{1,2})\b"
)
KIN = rf"my (?:[\w'-]{{1,20}} ){{0,2}}?(?:{FAMILY})"
PLEASE = r"(?:(?:please|and|so|but) )?"
