"""Words that announce a secret, and words that only refer to one."""

from __future__ import annotations

import re
from typing import Final

from shared.language.sensitivity.context import rule
from shared.language.words import word_lists

_WORDS: Final = word_lists("secret_words")

_TALK: Final = _WORDS["talk"]
_LATIN_WORDS: Final = _WORDS["latin_words"]
_MODIFIER: Final = _WORDS["modifier"]
_CODE: Final = (
    rf"(?:{_MODIFIER})[\s-](?:codes?|combo|combination|pin|number(?= to unlock))"
    r"|(?:code|combo|combination)(?=\s(?:to|for|of|on|at)\s(?:the|my|our|his|her|their|mum's|mom's|dad's)"
    r"?\s?(?:[\w'-]{1,12}\s){0,2}?"
    r"(?:door|gate|garage|alarm|safe|lock|lockbox|building|flat|apartment|house|locker|bike|suitcase"
    r"|luggage|shed|office"
    r"|gym|entrance|lobby|keypad|key ?box|elevator|lift|parking))|combination(?! of)|combo(?=\s(?:is|to"
    r"|for)\b)|steam guard codes?|guard codes?"
    r"|(?:2fa|mfa|totp|otp) (?:backups?|recover(?:y|ies))"
    r"|codes?(?=\s(?:that )?(?:they|you|it|he|she|the bank|the app|i)? ?(?:just |have |has |was )"
    r"?(?:texted|sent|emailed|gave|messaged|received|got)\b)"
)
_PIN: Final = _WORDS["pin"]
_HAN_WORDS: Final = _WORDS["han_words"]
_OTHER_CODES: Final = _WORDS["other_codes"].split("|")
_BARE_CODE: Final = (
    "".join(rf"(?<!\b{word} )" for word in _OTHER_CODES)
    + r"codes?(?=(?: is|'s| was|:| -)?\s{1,2}(?:now )?(?:\d{4,8}|\d{3}[ \-]\d{3})(?!\w|\.\d))|(?:[346]|four|six)[- ]digit lock|(?:un)?locks? with(?=\s\d{4,8}\b)"
    r"|opens? with(?=\s\d{4,8}\b)"
)
SECRET: Final = rule(
    rf"(?<![A-Za-z0-9_\-@./])(?:{_LATIN_WORDS}|{_CODE}|{_PIN}|{_BARE_CODE}|(?:recovery|backup|bitlocker"
    rf"|filevault|encryption|2fa|totp|mfa)"
    rf"\s(?:keys?|codes?|secret)){_TALK}(?![A-Za-z0-9_@]|://)|(?:{_HAN_WORDS})",
    re.IGNORECASE,
)
PHRASE: Final = rule(
    r"pass[\s-]?phrases?|secret (?:word|phrase)|口令|暗号|动态口令|(?:密保|安全)(?:问题)?的?答案", re.IGNORECASE
)
"""Words whose secret may consist of several words."""

ACCOUNT: Final = rule(r"log-?ins?.*|credentials|creds|账号密码|帐号密码|用户名密码|账密|帐密", re.IGNORECASE)
"""Words whose secret follows a user name."""

NUMERIC: Final = rule(r".*(?:code|pin|puk|otp|tan|combination|combo|码|number)s?", re.IGNORECASE)
"""Words whose secret is often only digits, a few words later."""

NUMERIC_CODE: Final = rule(r"pins|codes|backups?|recovery|combinations|passcodes|passwords|密码|码", re.IGNORECASE)

TOKEN: Final = rule(_WORDS["token"], re.IGNORECASE)

DENIED: Final = rule(_WORDS["denied"], re.IGNORECASE)
"""Between the announcing word and a value, these show that the value is something else."""

GENERAL: Final = rule(r"most common|worst|weakest|typical|popular|最常见|常见的|最弱|最差|示例", re.IGNORECASE)
"""Before the announcing word, these show that the secret is nobody's."""

GENERAL_AFTER: Final = rule(
    r"\s?(?:这种|这样|之类|太常见|太简单|太弱|is (?:a |such a )?(?:common|weak|bad|terrible))", re.IGNORECASE
)

ORDINARY: Final = rule(_WORDS["ordinary"], re.IGNORECASE)
"""Words that may follow "my password is" without being the password."""
