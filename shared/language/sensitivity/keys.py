"""API keys and tokens with a provider's prefix, and private keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from shared.language.sensitivity.context import rule
from shared.language.sensitivity.spans import Found
from shared.language.words import word_tables

_PREFIXED: Final[Sequence[str]] = word_tables("keys")["prefixed"]
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
