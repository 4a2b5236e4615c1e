"""A browser signs in with a cookie: a person's token only, from our own page only; pages come with their policy."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from services.web import pages as pages_module
from services.web.app import app
from shared.runtime.authentication import mint_person_token
from shared.runtime.session_cookie import COOKIE
from tests.support.small_api import LOCALHOST, SERVICE_KEY, SETTINGS, SIGNING_KEY

ORIGIN = {"Origin": "http://localhost"}


@pytest.fixture
def browser() -> TestClient:
    return TestClient(app(SETTINGS), base_url=LOCALHOST)


def signed_in(browser: TestClient, user: str = "小林") -> TestClient:
    answer = browser.post("/api/v1/session", json={"token": mint_person_token(SIGNING_KEY, user)})
    assert answer.status_code == 200
    return browser


class TestSigningIn:
    def test_a_token_becomes_a_cookie_no_script_and_no_other_site_can_use(self, browser):
        answer = browser.post("/api/v1/session", json={"token": mint_person_token(SIGNING_KEY, "小林")})
        cookie = answer.headers["set-cookie"].lower()
        assert cookie.startswith(f"{COOKIE}=")
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "path=/" in cookie

    @pytest.mark.parametrize("scheme", ["http", "https"])
    def test_the_cookie_is_secure_if_the_page_is_also_behind_a_proxy(self, browser, scheme):
        headers = {"Origin": f"{scheme}://memory.example", "Host": "localhost"}
        token = {"token": mint_person_token(SIGNING_KEY, "ada")}
        cookie = browser.post("/api/v1/session", json=token, headers=headers).headers["set-cookie"]
        assert ("secure" in cookie.lower()) == (scheme == "https")

    def test_the_session_says_who_and_until_when(self, browser):
        found = signed_in(browser).get("/api/v1/session").json()
        assert found["user_id"] == "小林"
        until = datetime.fromisoformat(found["expires_at"]) - datetime.now(UTC)
        assert timedelta(minutes=58) < until < timedelta(minutes=61)

    def test_the_cookie_does_not_outlive_the_token(self, browser):
        token = mint_person_token(SIGNING_KEY, "ada", minutes=7)
        cookie = browser.post("/api/v1/session", json={"token": token}).headers["set-cookie"]
        assert "expires=" in cookie.lower()
        old = mint_person_token(SIGNING_KEY, "ada", now=datetime.now(UTC) - timedelta(hours=3))
        assert browser.post("/api/v1/session", json={"token": old}).json()["code"] == "credentials_expired"

    @pytest.mark.parametrize("token", ["nonsense", SERVICE_KEY])
    def test_anything_else_is_refused_a_services_key_too(self, browser, token):
        answer = browser.post("/api/v1/session", json={"token": token})
        assert (answer.status_code, answer.json()["code"]) == (401, "credentials_invalid")
        assert "set-cookie" not in answer.headers
        assert token not in answer.text

    def test_signing_out_drops_the_cookie(self, browser):
        assert signed_in(browser).delete("/api/v1/session").status_code == 204
        assert browser.get("/api/v1/session").json()["code"] == "credentials_missing"


class TestOtherSites:
    """`SameSite` lets another port of the same host send the cookie; `Origin` tells it apart."""

    @pytest.mark.parametrize(
        "headers",
        [{}, {"Origin": "http://localhost:9000"}, {"Origin": "https://elsewhere.example"}, {"Origin": "null"}],
    )
    def test_a_change_that_our_page_did_not_send_counts_as_nobodys(self, browser, headers):
        request = signed_in(browser).build_request("POST", "/api/v1/anything", headers=headers)
        assert _credentials(request) is None

    @pytest.mark.parametrize("origin", ["http://[::1", "http://[x]:1", "http://[127.0.0.1]", "//", "http://%"])
    def test_an_origin_that_is_no_address_counts_as_somebody_elses(self, browser, origin):
        request = signed_in(browser).build_request("POST", "/api/v1/anything", headers={"Origin": origin})
        assert _credentials(request) is None

    @pytest.mark.parametrize(("site", "counts"), [("cross-site", False), ("same-site", False), ("same-origin", True)])
    def test_a_read_that_begins_something_counts_from_our_page_only(self, browser, site, counts):
        headers = {"Sec-Fetch-Site": site}
        request = signed_in(browser).build_request("GET", "/api/v1/users/me/export", headers=headers)
        assert (_credentials(request) is not None) == counts
        request = browser.build_request("GET", "/api/v1/users/me/profile-consent", headers=headers)
        assert _credentials(request) is not None

    def test_our_own_page_may_change_things(self, browser):
        request = signed_in(browser).build_request("POST", "/api/v1/anything", headers=ORIGIN)
        assert str(_credentials(request)).startswith("Bearer ")

    def test_a_header_goes_before_the_cookie(self, browser):
        request = signed_in(browser).build_request("GET", "/api/v1/session", headers={"Authorization": "Bearer other"})
        assert _credentials(request) == "Bearer other"


def _credentials(request) -> str | None:
    from starlette.requests import Request

    from shared.runtime.session_cookie import credentials_of

    headers = [(name.lower(), value) for name, value in request.headers.raw]
    scope = {
        "type": "http",
        "method": request.method,
        "path": request.url.path,
        "headers": headers,
        "query_string": b"",
    }
    return credentials_of(Request(scope))


class TestPages:
    @pytest.fixture(autouse=True)
    def built(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "assets").mkdir()
        (tmp_path / "index.html").write_text("<!doctype html><title>Memory Center</title>")
        (tmp_path / "assets" / "index-abc.js").write_text("1")
        (tmp_path / "assets" / "index-abc.js.gz").write_bytes(b"\x1f\x8b")
        (tmp_path / "assets" / "index-abc.js.br").write_bytes(b"\x0b\x00\x80")
        (tmp_path.parent / "outside.js").write_text("secret")
        monkeypatch.setattr(pages_module, "BUILT", tmp_path)

    @pytest.mark.parametrize("place", ["/", "/chat", "/chat/0198", "/memories", "/data/operations", "/receipts/0198"])
    def test_every_place_is_the_app_under_a_strict_policy(self, browser, place):
        answer = browser.get(place)
        assert answer.status_code == 200
        assert "Memory Center" in answer.text
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self';" in policy
        assert "unsafe-eval" not in policy
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["cache-control"] == "no-cache"

    def test_what_is_nowhere_is_a_problem_not_the_app(self, browser):
        for path in (
            "/nowhere",
            "/api/v1/nowhere",
            "/assets/none.js",
            "/assets/..%2Foutside.js",
            "/assets/%2e%2e/index.html",
        ):
            answer = browser.get(path)
            assert answer.status_code == 404, path
            assert answer.headers["content-type"] == "application/problem+json"
            assert "secret" not in answer.text

    def test_scripts_are_kept_forever_and_sent_compressed_to_who_takes_it(self, browser):
        plain = browser.get("/assets/index-abc.js", headers={"Accept-Encoding": "identity"})
        assert plain.text == "1"
        assert "immutable" in plain.headers["cache-control"]
        for takes, sent in (("gzip", "gzip"), ("gzip, deflate, br", "br")):
            with browser.stream("GET", "/assets/index-abc.js", headers={"Accept-Encoding": takes}) as compressed:
                assert compressed.headers["content-encoding"] == sent
            assert compressed.headers["content-type"].split(";")[0] == plain.headers["content-type"].split(";")[0]
            assert compressed.headers["vary"] == "Accept-Encoding"
