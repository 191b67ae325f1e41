import base64
import hashlib
import hmac
import json
import sys
import time

TOLERANCE_SECONDS = 5 * 60


def is_genuine(headers, body, secret, now=None):
    """Whether a callback is genuine. Header names are in lower case, body is the raw bytes, now is in seconds."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 15):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError("the secret is empty")
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(signature.encode(), expected) for signature in signatures)


# Try it: {"headers": ..., "body": ..., "secret": ..., "now": ...} on standard input; exit code 0 or 1.
if __name__ == "__main__":
    request = json.loads(sys.stdin.buffer.read())
    request["body"] = request["body"].encode()
    sys.exit(0 if is_genuine(**request) else 1)
