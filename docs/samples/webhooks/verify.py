# Python: python3 verify.py ID TIMESTAMP SIGNATURES SECRET < body
import base64
import hashlib
import hmac
import sys
import time

TOLERANCE_SECONDS = 300


def is_genuine(id, timestamp, signatures, body, secret):
    """Whether a webhook is genuine. `body` is the request's body as it came, in bytes."""
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(one, f"v1,{expected}") for one in signatures.split(" "))


if __name__ == "__main__":
    id, timestamp, signatures, secret = sys.argv[1:5]
    sys.exit(0 if is_genuine(id, timestamp, signatures, sys.stdin.buffer.read(), secret) else 1)
