"""A company's certificate authority, lent to the build, is trusted by what runs from the image."""

from __future__ import annotations

import pytest

from tests.compose.authority import Authority
from tests.compose.podman import Podman

pytestmark = pytest.mark.timeout(3600)
CLIENTS = {
    "urllib": "import urllib.request as u; print(u.urlopen('{url}').status)",
    "httpx": "import httpx; print(httpx.get('{url}').status_code)",
    "language model": "import openai; print(openai.OpenAI(api_key='-')._client.get('{url}').status_code)",
    "bucket": (
        "import boto3; client = boto3.client('s3', endpoint_url='{url}', region_name='us-east-1', "
        "aws_access_key_id='-', aws_secret_access_key='-'); "
        "print(client.delete_object(Bucket='b', Key='k')['ResponseMetadata']['HTTPStatusCode'])"
    ),
}


def asked(podman: Podman, code: str, *options: str) -> tuple[int, str]:
    done = podman.run(
        "podman", "run", "--rm", "--network=host", *options, "memory-center:local", "python", "-c", code, check=False
    )
    return done.returncode, done.stdout.strip() or done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("client", CLIENTS)
def test_what_the_build_was_told_to_trust_is_trusted(
    podman: Podman, authority: Authority, images: None, client: str
) -> None:
    with authority.website() as url:
        assert asked(podman, CLIENTS[client].format(url=url)) == (0, "204")


def test_nothing_else_makes_it_trusted(podman: Podman, authority: Authority, images: None) -> None:
    elsewhere = "--env=SSL_CERT_FILE=/etc/ssl/certs/ISRG_Root_X1.pem"
    with authority.website() as url:
        code, told = asked(podman, CLIENTS["httpx"].format(url=url), elsewhere)
    assert code == 1
    assert "CERTIFICATE_VERIFY_FAILED" in told
