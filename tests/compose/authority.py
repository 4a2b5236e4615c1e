"""A certificate authority that no system knows, as a company's TLS-inspecting proxy has one."""

from __future__ import annotations

import datetime as dt
import http.server
import os
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_YEAR = dt.timedelta(days=365)


class Authority:
    """Its key and certificate lie in `folder` and are made once; `bundle` also has what this machine trusts."""

    def __init__(self, folder: Path) -> None:
        self.bundle = folder / "authorities.pem"
        self._server = folder / "server.pem"
        if self._server.exists():
            return
        key, name = ec.generate_private_key(ec.SECP256R1()), _name("Company Inspection CA")
        certificate = _certificate(name, name, key, key, authority=True)
        server_key = ec.generate_private_key(ec.SECP256R1())
        server = _certificate(_name("localhost"), name, server_key, key, authority=False)
        machine = os.environ.get("SSL_CERT_FILE")
        self.bundle.write_bytes((Path(machine).read_bytes() if machine else b"") + b"\n" + _pem(certificate))
        secret = server_key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self._server.write_bytes(secret + _pem(server))

    @contextmanager
    def website(self) -> Iterator[str]:
        """Serve https://localhost:PORT with a certificate this authority signed."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._server)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Answers) as server:
            server.socket = context.wrap_socket(server.socket, server_side=True)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"https://localhost:{server.server_address[1]}"
            server.shutdown()


class _Answers(http.server.BaseHTTPRequestHandler):
    def _answer(self) -> None:
        self.send_response(204)
        self.end_headers()

    do_GET = do_DELETE = _answer  # noqa: N815 - the names http.server calls

    def log_message(self, *_: object) -> None:
        pass


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    *,
    authority: bool,
) -> x509.Certificate:
    now = dt.datetime.now(dt.UTC)
    signer_id = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + 10 * _YEAR)
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(signer_id, critical=False)
        .sign(signer, hashes.SHA256())
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
