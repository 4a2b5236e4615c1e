"""Words that announce a secret, and words that only refer to one."""

from __future__ import annotations

import re
from typing import Final

from shared.language.sensitivity.context import rule

_TALK: Final = (
    r"(?!\s?(?:manager|managers|reset link|policy|policies|field|prompt|hash|hashes|strength|generator"
    r"|rules?|requirements?"
    r"|protected|protection|hint|change request|length|expiry|expiration|hygiene|book|vault app)\b)"
)
_LATIN_WORDS: Final = (
    r"pass[\s-]?(?:words?|wd|codes?|phrases?|keys?)|passwords?|pwds?|pw|psw|passwort|kennwort|contraseña|mot de passe"
    r"|pass(?=\s{0,2}(?:[:=]|is\b|for\b|to\b))|pass(?=\s(?:\w{1,10}\s){0,2}is\b)|pass(?=\s(?=\S{0,30}\d)(?=\S{0,30}[a-z])\S{6})|requirepass|masterauth|(?:wi-?fi|wlan|wpa[23]?"
    r"|router|guest|admin|root|vpn|network|hotspot|zip)\s(?:pass|key)|secret (?:word|phrase)|credentials"
    r"|creds|log-?ins?(?: details| info)?"
    r"(?=\s{0,2}(?::|is\b|are\b|for\b))"
)
_MODIFIER: Final = (
    r"verification|security|access|(?:front |back |garage |main |building |house )?door|gate|alarm|entry"
    r"|entrance|lock|lock ?box"
    r"|key ?box|key ?safe|garage|keypad|building|safe|vault|locker|log-?in|sign-?in|auth(?:entication"
    r"|orization|enticator)?"
    r"|2fa|mfa|two-factor|sms|text|one-?time|otp|recovery|backup|unlock|screen ?lock|pin|pass|reset|voice "
    r"?mail|wi-?fi|secret"
    r"|[46]-digit|(?:four|six)-digit|bike(?: lock)?|luggage(?: lock)?|suitcase|padlock|intercom|lobby|gym"
    r"|panel|card|atm"
    r"|whatsapp|telegram|google|apple|bank|paypal|parental|restriction|router|bluetooth|pairing|remote|meeting|host"
)
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
_PIN: Final = (
    r"(?-i:PINs?|PUK[12]?s?|OTPs?|mTAN|TANs?)(?![A-Za-z])(?:[\s-]?(?:codes?|numbers?|码))?"
    r"|pins?[\s-](?:codes?|numbers?)|pins?(?=\s{0,2}(?:is\b|:|=|for\b))|(?<=my )pins?|pins?(?=\s\d{4,8}\b)"
    r"|puk(?= ?(?:code|is|:|\d))"
)
_HAN_WORDS: Final = (
    r"(?:支付|登录|锁屏|开机|解锁|取款|提款|交易|查询|银行卡?|wifi|wi-fi|无线网?|门禁|大门|保险[箱柜]|动态"
    r"|服务|初始|独立"
    r"|管理员|root|后台|邮箱|路由器?|压缩包?|解压)?密\s?码(?!学|本|管理|输入|长度|强度|规则|要求|策略|错误|泄露|找回)"
    r"|(?:账号|帐号|用户名)密码|账密|帐密|口令|暗号|(?:短信|手机|邮箱|登录|动态)?验证码|动态码|校验码|动态密码"
    r"|(?:PIN|PUK|pin|puk)\s?码|支付码|解锁码|开锁码|门禁码|开门码|恢复码|恢复密[钥码]|(?:恢复|备用|验证|登录|备"
    r"份)代码|备用码|备份码|通行码|访问码|登录码|配对码|连接码|绑定码|提取码|解压码"
    r"|(?:手势|锁屏|图案)码|(?:密保|安全)(?:问题)?的?答案|一次性密?码|OTP|安全码"
)
_OTHER_CODES: Final = [
    "zip",
    "post",
    "postal",
    "area",
    "country",
    "city",
    "state",
    "region",
    "promo",
    "promotion",
    "discount",
    "coupon",
    "voucher",
    "gift",
    "referral",
    "invite",
    "invitation",
    "qr",
    "bar",
    "source",
    "dress",
    "error",
    "status",
    "exit",
    "return",
    "response",
    "reason",
    "http",
    "order",
    "course",
    "class",
    "product",
    "swift",
    "sort",
    "bank",
    "branch",
    "tax",
    "colour",
    "color",
    "hex",
    "morse",
    "unit",
    "airport",
    "currency",
    "language",
    "dialing",
    "dialling",
    "booking",
    "ticket",
    "tracking",
    "flight",
    "icd",
    "station",
    "store",
    "paint",
    "model",
    "part",
    "item",
    "stock",
    "party",
    "cheat",
    "lobby",
    "job",
    "project",
    "cost",
    "department",
    "building",
    "fire",
    "tariff",
    "hs",
    "commodity",
    "batch",
    "lot",
    "diagnostic",
    "fault",
]
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

TOKEN: Final = rule(
    r"(?<![A-Za-z0-9_\-])(?<!public )(?<!primary )(?<!foreign )(?<!cache )(?<!idempotency )(?<!partition )(?<!host )"
    r"(?:(?:api|access|secret|private|auth|bearer|bot|personal access|client|app|deploy|encryption|signing"
    r"|webhook|licen[cs]e"
    r"|product|activation|account|refresh|session|service|cd|master|shared|storage|subscription|tenant"
    r"|maps?|jwt|hmac)[\s_-]?)?"
    r"(?:api[\s_-]?)?(?:keys?|tokens?|secrets?)(?:[\s_-]?(?:id|key))?(?![A-Za-z0-9_])"
    r"|(?<![A-Za-z])(?:app|access)[\s_-]?(?:key|secret|token)(?:[\s_-]?(?:id|secret))?(?![a-z])|secret[\s_-]?(?:id|key)"
    r"|(?<![A-Za-z])(?:ak|sk)(?=\s{0,2}(?:[:=]|是|is\b))"
    r"|密钥|秘钥|密匙|金钥|令牌|私钥|授权码|凭证|激活码|序列密钥",
    re.IGNORECASE,
)

DENIED: Final = rule(
    r"\b(?:error|at least|minimum|maximum|characters?|digits? long|requirements?|policy|version|http"
    r"|status|room|order|page"
    r"|line|hash|sha\d*|md5|commit|checksum|rejected|fingerprint|uuid|address|postal|zip|promo|coupon"
    r"|discount|port|extension"
    r"|most common|worst|terrible|popular|ending|ends? in|last (?:four|4|two|2)|isn'?t|not|never|don'?t"
    r"|wrong|example|e\.g)\b"
    r"|错误|出错|报错|代码|版本|长度|至少|最少|不少于|超过|要求|规则|尝试|输错|公钥|哈希|邮编|例如|比如|优"
    r"惠|不能|不要|不是|别用|订单|尾号|后四位|后两位",
    re.IGNORECASE,
)
"""Between the announcing word and a value, these show that the value is something else."""

GENERAL: Final = rule(r"most common|worst|weakest|typical|popular|最常见|常见的|最弱|最差|示例", re.IGNORECASE)
"""Before the announcing word, these show that the secret is nobody's."""

GENERAL_AFTER: Final = rule(
    r"\s?(?:这种|这样|之类|太常见|太简单|太弱|is (?:a |such a )?(?:common|weak|bad|terrible))", re.IGNORECASE
)

ORDINARY: Final = rule(
    r"(?:the|that|this|these|those|there|here|what|when|where|which|who|why|how|and|but|not|never|always"
    r"|only|also|just|too|very|so"
    r"|really|still|again|already|now|soon|then|than|same|different|similar|wrong|right|correct|incorrect|valid|invalid"
    r"|weak|strong|safe|secure|unsafe|long|short|simple|complex|easy|hard|difficult|old|new|good|bad|fine"
    r"|okay|great|mine|yours|his"
    r"|hers|ours|theirs|gone|lost|empty|blank|missing|unknown|private|public|secret|important|needed"
    r"|necessary|case-sensitive"
    r"|for|from|with|without|under|over|inside|about|like|on|in|at|by|as|of|off|out|up|down|none|nothing"
    r"|something|anything"
    r"|everything|being|been|have|has|had|does|will|would|could|should|must|may|might|can|cannot|can't"
    r"|won't|isn't|doesn't|didn't"
    r"|either|neither|every|each|some|any|all|both|more|less|most|least|enough|required|optional|my|your"
    r"|our|their|her|its|you"
    r"|they|we|it|he|she|one|two|three|four|five|six|seven|eight|nine|ten|twice|today|yesterday|tomorrow"
    r"|tonight|please|thanks"
    r"|sorry|maybe|probably|definitely|sure|yes|no|bank|home|work|email|e-mail|phone|password|username"
    r"|login|account|admin|user"
    r"|written|stuck|broken|taken|given|known|hidden|stolen|forgotten|chosen|shown|sent|kept|set|reset"
    r"|hell|better|worse|up"
    r"|kinda|super|pretty|quite|almost|basically|usually|often|supposed|going|boring|ridiculous|annoying"
    r"|stupid|terrible|awful"
    r"|\w+(?:ed|ing|able|ible|ful|less|ous|ly|ive|n't)|.*['’](?:s|re|ve|ll|d|t|m))",
    re.IGNORECASE,
)
"""Words that may follow "my password is" without being the password."""
