"""API keys and tokens with a provider's prefix, and private keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity.context import rule
from shared.language.sensitivity.spans import Found

# Every form starts with rare letters and ends in one run of a fixed set, so matching is linear.
_PREFIXED: Final = (
    r"sk-(?:proj-|ant-|or-v1-|svcacct-|admin-|lf-)?[A-Za-z0-9_\-]{20,400}",  # OpenAI, Anthropic, DeepSeek, …
    r"(?:sk|pk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,250}",  # Stripe
    r"whsec_[A-Za-z0-9+/=]{16,100}",
    r"gh[pousr]_[A-Za-z0-9]{20,255}",  # GitHub
    r"github_pat_[A-Za-z0-9_]{20,255}",
    r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[A-Za-z0-9_\-.]{16,300}",  # GitLab
    r"xox[abceoprs]-[A-Za-z0-9\-]{10,250}",  # Slack
    r"xapp-\d-[A-Za-z0-9\-]{10,250}",
    r"(?:AKIA|ASIA|AIDA|AROA)[A-Z0-9]{12,24}",  # AWS
    r"AIza[A-Za-z0-9_\-]{28,45}",  # Google
    r"GOCSPX-[A-Za-z0-9_\-]{16,60}",
    r"ya29\.[A-Za-z0-9_\-]{20,400}",
    r"hf_[A-Za-z0-9]{20,100}",  # Hugging Face
    r"SG\.[A-Za-z0-9_\-]{10,40}\.[A-Za-z0-9_\-]{20,80}",  # SendGrid
    r"do[opr]_v1_[0-9a-f]{40,80}",  # DigitalOcean
    r"npm_[A-Za-z0-9]{24,80}",
    r"pypi-[A-Za-z0-9_\-]{20,400}",
    r"dckr_(?:pat|oat)_[A-Za-z0-9_\-]{16,80}",
    r"shp(?:at|ca|pa|ss)_[A-Za-z0-9]{20,64}",  # Shopify
    r"sq0(?:atp|csp|idp)-[A-Za-z0-9_\-]{16,64}",  # Square
    r"EAAA[A-Za-z0-9_\-]{40,300}",
    r"(?:SK|AC)[0-9a-f]{32}",  # Twilio
    r"key-[0-9a-f]{32}",  # Mailgun
    (
        r"(?:gsk|xai|tvly(?:-dev)?|pplx|r8|jina|lsv2_pt|lsv2_sk|figd|ntn|secret|lin_api|glsa|sntry[su]|phc|phx|rnd|sbp"
        r"|dapi|csk)[_-][A-Za-z0-9_]{24,250}"
    ),
    r"(?:nvapi|tskey-auth|dp\.(?:pt|st))[-.][A-Za-z0-9_\-]{24,250}",
    r"PMAK-[A-Za-z0-9\-]{30,80}",
    r"hv[sbr]\.[A-Za-z0-9_\-]{20,300}",  # Vault
    r"ATATT[A-Za-z0-9_\-=]{20,300}",  # Atlassian
    r"ATCTT[A-Za-z0-9_\-=]{20,300}",
    r"LTAI[A-Za-z0-9]{10,40}",  # Alibaba Cloud
    r"AKID[A-Za-z0-9]{12,60}",  # Tencent Cloud
    r"AKLT[A-Za-z0-9]{12,60}={0,2}",  # Volcengine
    r"(?:bot)?\d{8,10}:AA[A-Za-z0-9_\-]{28,40}",  # Telegram
    r"[MNO][A-Za-z0-9_\-]{22,30}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{25,50}",  # Discord
    r"AGE-SECRET-KEY-1[A-Z0-9]{40,80}",
    r"eyJ[A-Za-z0-9_\-]{6,4000}\.[A-Za-z0-9_\-]{4,8000}\.[A-Za-z0-9_\-]{0,4000}",  # JSON Web Tokens
)
_KEY: Final = rule(rf"(?<![A-Za-z0-9_\-])(?:{'|'.join(_PREFIXED)})")
_WEBHOOK: Final = rule(
    r"https://(?:hooks\.slack\.com/(?:services|workflows|triggers)"
    r"|(?:ptb\.|canary\.)?discord(?:app)?\.com/api(?:/v\d{1,2})?/webhooks"
    r"|[\w-]{1,60}\.webhook\.office\.com/webhookb2|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook)"
    r"/[\w/@-]{8,300}"
    r"|https://(?:oapi\.dingtalk\.com/robot/send\?access_token=|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=)"
    r"[\w-]{16,120}"
)
# A key's lines end where the next dashes begin, so many openings stay linear. A truncated key still counts.
_PEM: Final = rule(
    r"-----BEGIN (?P<kind>[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?)-----"
    r"(?P<body>(?:[^-]|-(?!----)){0,20000}(?=-----END (?P=kind)-----)|(?:(?:\s|\\n)"
    r"{1,4}[A-Za-z0-9+/=]{16,80}){1,200})"
    r"(?:-----END (?P=kind)-----)?"
)
_PEM_BODY: Final = rule(r"[A-Za-z0-9+/=]{16}")
_PUTTY: Final = rule(r"PuTTY-User-Key-File-\d:(?:[^P]|P(?!uTTY-|rivate-MAC)){0,8000}Private-MAC: ?[0-9a-f]{20,80}")
_AWS_SECRET: Final = rule(
    r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{12,24}(?![A-Za-z0-9])[^A-Za-z0-9]{0,6}(?:[^\n]{0,60}?[\s:=\"'])?"
    r"(?P<secret>(?=[^\s\"',;]{0,60}[a-z])(?=[^\s\"',;]{0,60}\d)[A-Za-z0-9+/]{36,44}={0,2})(?![A-Za-z0-9+/=])"
)
"""A secret key stated together with its access key id."""
_PLACEHOLDER_BODY: Final = rule(r"[xX*.]+|(?i:your)[-_a-zA-Z]*")
_BODY: Final = rule(r"[^-_.:]{0,10}[-_.:](?:(?:live|test|proj|ant)[-_])?(.*)")


def keys(text: str) -> Iterator[Found]:
    """Find private keys, webhooks that let anybody post, and tokens with a prefix."""
    for found in _PEM.finditer(text):
        if _PEM_BODY.search(found["body"]):
            yield Found("key", *found.span())
    for pattern in (_PUTTY, _WEBHOOK):
        for found in pattern.finditer(text):
            yield Found("key", *found.span())
    for found in _AWS_SECRET.finditer(text):
        yield Found("key", *found.span("secret"))
    for found in _KEY.finditer(text):
        if not _stands_for_one(found[0]):
            yield Found("key", *found.span())


def _stands_for_one(token: str) -> bool:
    """Return whether the body of a token is `xxxx…` or `your-key-here`, or has no digit."""
    body = _BODY.fullmatch(token)
    written = body[1] if body else token
    return _PLACEHOLDER_BODY.fullmatch(written) is not None or not any(map(str.isdigit, written))
