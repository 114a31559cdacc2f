"""Web push: a note encrypted for one browser (RFC 8291), signed for its push service (RFC 8292)."""

from __future__ import annotations

import base64
import os
import time
from urllib.parse import urlsplit

import msgspec
from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD = 4096  # the one record a note is encrypted in
LIFE = 12 * 3600  # seconds a signature is good for


def base64url(raw: bytes) -> str:
    """Bytes as text for headers and JSON."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unbase64url(text: str) -> bytes:
    """The bytes in such a text; raises ValueError."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def make_keys() -> bytes:
    """A new private key, as it is stored."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return number.to_bytes(32, "big")


class Keys:
    """The key pair push services know this server by."""

    def __init__(self, stored: bytes) -> None:
        """Read a stored private key."""
        self.private = ec.derive_private_key(int.from_bytes(stored, "big"), CURVE)
        self.public = base64url(point(self.private.public_key()))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def vapid(keys: Keys, endpoint: str, contact: str) -> str:
    """The Authorization header for a push service."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + LIFE}
    if contact:
        claims["sub"] = contact if ":" in contact else f"mailto:{contact}"
    header = base64url(msgspec.json.encode({"typ": "JWT", "alg": "ES256"}))
    signed = f"{header}.{base64url(msgspec.json.encode(claims))}"
    r, s = utils.decode_dss_signature(keys.private.sign(signed.encode(), ec.ECDSA(SHA256())))
    return f"vapid t={signed}.{base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}, k={keys.public}"


def encrypted(note: bytes, p256dh: str, auth: str) -> bytes:
    """A note that only the browser with these keys can read; raises ValueError for keys that are none."""
    try:
        browser = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unbase64url(p256dh))
        secret_of_browser = unbase64url(auth)
    except (ValueError, InvalidKey) as problem:
        raise ValueError("the browser's push keys cannot be read") from problem
    ours = ec.generate_private_key(CURVE)
    public, salt = point(ours.public_key()), os.urandom(16)
    shared = ours.exchange(ec.ECDH(), browser)
    info = b"WebPush: info\0" + point(browser) + public
    first = HKDF(SHA256(), 32, secret_of_browser, info).derive(shared)
    key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(first)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(first)
    sealed = AESGCM(key).encrypt(nonce, note + b"\x02", None)
    return salt + RECORD.to_bytes(4, "big") + len(public).to_bytes(1, "big") + public + sealed
