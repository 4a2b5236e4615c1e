"""Credentials in technical form: connection strings, headers, cookies, assignments, command lines."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity.context import HAN, VALUE, is_placeholder, rule, trimmed
from shared.language.sensitivity.spans import Found

_URL_CHARACTER: Final = rf"[^\s\"'<>,;，。、；)\]}}{HAN}\u3000-\u303f\uff00-\uffef]"
_URL: Final = rule(
    r"(?<![A-Za-z0-9+.\-])[A-Za-z][A-Za-z0-9+.\-]{1,24}://"
    rf"[^\s/:@\"'<>{HAN}]{{0,80}}:(?P<password>[^\s/@\"'<>{HAN}]{{1,200}})@{_URL_CHARACTER}{{1,300}}"
)
_JDBC: Final = rule(
    rf"(?<![A-Za-z0-9+.\-])jdbc:[a-z0-9:]{{2,30}}//{_URL_CHARACTER}{{1,200}}?"
    rf"[?;&](?:password|pwd)=(?P<password>[^\s&;\"'<>{HAN}]{{1,100}})[^\s\"'<>,，。、{HAN}]{{0,200}}",
    re.IGNORECASE,
)
_ADO: Final = rule(
    r"(?<![\w ])(?:(?:Server|Data Source|Host|DefaultEndpointsProtocol|Endpoint|Provider|Driver|User ?Id|Uid|Username"
    r"|Database|Initial Catalog|AccountName|SharedAccessKeyName|Port)=[^;\n\"']{1,120};\s?){1,8}"
    rf"(?:Password|Pwd|AccountKey|SharedAccessKey)=(?P<password>[^;\s\"'{HAN}]{{1,200}})"
    rf"(?:;[A-Za-z ]{{2,40}}=[^;\s\"',{HAN}]{{1,80}}){{0,8}};?",
    re.IGNORECASE,
)
_STRINGS: Final = (_URL, _JDBC, _ADO)
_URL_PLACEHOLDERS: Final = frozenset({"pass", "password", "passwd", "pwd", "secret", "mypassword", "token"})

_SCHEME: Final = rule(
    r"\bauthorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:(?:bearer|basic|token|digest|apikey|api-key"
    r"|negotiate|key)\s{1,3})?"
    r"(?P<value>[A-Za-z0-9._~+/=\-:]{6,4000})",
    re.IGNORECASE,
)
_BEARER: Final = rule(r"\bbearer(?:\s+token)?[\s:=]{1,3}(?P<value>[A-Za-z0-9._~+/=\-]{16,4000})", re.IGNORECASE)
_BASIC: Final = rule(r"\bBasic\s{1,3}(?P<value>[A-Za-z0-9+/]{8,200}={0,2})(?![A-Za-z0-9+/=])")

_COOKIE_HEADER: Final = rule(r"\b(?:set-)?cookies?[\"']?\s{0,3}(?:[:=]|is|是)\s{0,3}[\"']?", re.IGNORECASE)
_COOKIE: Final = rule(rf"(?:;\s{{0,2}})?[\w.\-]{{1,60}}=(?P<value>[^\s;,\"'{HAN}]{{1,2000}})")
_SESSION: Final = rule(
    r"(?<![A-Za-z0-9])(?:[A-Z]{0,6}SESS(?:ION)?(?:[_-]?ID|DATA)?|[\w.\-]{0,20}sess(?:ion)?[_.\-]?(?:id|key|token|data)?"
    r"|connect\.sid|[\w]{0,12}_?sid|ASP\.NET_SessionId|(?:x?csrf|xsrf)[_-]?(?:token)?|remember_(?:me|token)\w{0,20}"
    r"|auth_cookie|cf_clearance|(?:login|auth)_?ticket)\s{0,2}[=:]\s{0,2}[\"']?(?P<value>[A-Za-z0-9._~+/=%"
    r"|\-]{8,2000})",
    re.IGNORECASE,
)

_ASSIGNED: Final = rule(
    r"(?<![A-Za-z0-9_.\-])(?P<name>[A-Za-z_][A-Za-z0-9_.\-]{0,60})[\"']?\s{0,2}(?:(?P<equals>=)|:(?!/))\s{0,2}"
    rf"(?P<quote>[\"']?)(?P<value>{VALUE}{{3,4000}})"
)
_SECRET_NAME: Final = rule(
    r".*(?:passw(?:or)?d|passwd|passphrase|passcode|pwd)|(?:.*[_.\-])?(?:pass|pw|psw)", re.IGNORECASE
)
_KEY_NAME: Final = rule(
    r".*(?:api[_\-.]?key|access[_\-.]?key|secret[_\-.]?key|private[_\-.]?key|auth[_\-.]?key|encryption[_\-.]?key"
    r"|signing[_\-.]?key|service[_\-.]?key|license[_\-.]?key|client[_\-.]?secret|app[_\-.]?secret|app[_\-.]?key|secret"
    r"|token|credential|presharedkey|key[_\-.]?id|keyid|[_\-.]key)(?:[_\-.]?(?:id|value|prod|dev|live|test))?",
    re.IGNORECASE,
)
_PUBLIC_NAME: Final = rule(
    r".*(?:public|primary|foreign|cache|sort|partition|idempotency|next|page|csrf|max|num|count|total|object|file|row"
    r"|expir|type|name|url|path|length|limit|usage|dns|s3|map|dict|json|xml|group|shortcut|hot|host).*",
    re.IGNORECASE,
)
_PASSWORD_SHORTEST: Final = 4
_TOKEN_SHORTEST: Final = 8

_COMMAND: Final = rule(
    rf"(?:\bcurl\b[^\n]{{0,120}}?\s(?:-u|--user)\s{{1,2}}[\"']?[^\s:\"']{{1,60}}:"
    rf"|(?<!\S)-u\s?[^\s\"']{{1,60}}\s-p\s?|\bsshpass\s{{1,2}}-p\s{{0,2}}|\bmysql(?:dump|admin)"
    rf"?\b[^\n]{{0,80}}?\s-p(?=\S)"
    rf"|\bredis-cli\b[^\n]{{0,80}}?\s-a\s{{1,2}}|\s--?(?:password|passwd|pass)\s{{1,2}})"
    rf"[\"']?(?P<value>{VALUE}{{3,100}})"
)


def credentials(text: str) -> Iterator[Found]:
    """Find credentials by their technical form; a connection string counts as a whole."""
    for pattern in _STRINGS:
        for found in pattern.finditer(text):
            password = found["password"]
            if not is_placeholder(password) and password.lower() not in _URL_PLACEHOLDERS:
                yield Found("credential", found.start(), trimmed(text, *found.span()))
    for pattern in (_SCHEME, _BEARER, _BASIC, _SESSION, _COMMAND):
        for found in pattern.finditer(text):
            value = found["value"]
            if is_placeholder(value) or (pattern is _BASIC and not _names_a_person(value)):
                continue
            if pattern is _COMMAND or any(map(str.isdigit, value)) or _names_a_person(value):
                yield Found("credential", found.start("value"), trimmed(text, *found.span("value")))
    yield from _cookies(text)
    yield from _assigned(text)


def _cookies(text: str) -> Iterator[Found]:
    at = 0
    for header in _COOKIE_HEADER.finditer(text):
        if header.start() < at:
            continue
        at = header.end()
        while pair := _COOKIE.match(text, at):
            at = pair.end()
            if len(pair["value"]) >= _TOKEN_SHORTEST and not is_placeholder(pair["value"]):
                yield Found("credential", *pair.span("value"))


def _assigned(text: str) -> Iterator[Found]:
    """Find `NAME=value` and `name: value` with a name that indicates a secret."""
    for found in _ASSIGNED.finditer(text):
        name = found["name"]
        end = trimmed(text, *found.span("value"))
        value = text[found.start("value") : end]
        if value.startswith(("=", "//")) or is_placeholder(value) or text[end : end + 1] in {"(", "["}:
            continue
        mixed = any(map(str.isdigit, value)) and not value.isdigit()
        if _SECRET_NAME.fullmatch(name):
            if value.isdigit() and not found["equals"]:
                continue  # "first pass: 1200 words"; `stated` finds a PIN by its sentence
            if len(value) >= _PASSWORD_SHORTEST and (found["equals"] or any(not c.isalpha() for c in value)):
                yield Found("credential", found.start("value"), end)
        elif _KEY_NAME.fullmatch(name) and not _PUBLIC_NAME.fullmatch(name) and mixed and len(value) >= _TOKEN_SHORTEST:
            yield Found("key", found.start("value"), end)


def _names_a_person(value: str) -> bool:
    """Return whether a value is `user:password` in Base64."""
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except binascii.Error:
        return False
    return b":" in decoded and decoded.isascii() and decoded.decode().isprintable()
