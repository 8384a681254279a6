import base64
import hashlib
import hmac
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = base64.b64decode("YOUR_WEBHOOK_SECRET".removeprefix("whsec_"))


def is_from_pennytext(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    # Anything older than five minutes may be a replayed request.
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(SECRET, signed, hashlib.sha256)).decode()
    signatures = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(signature.encode(), expected.encode()) for signature in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        trusted = is_from_pennytext(self.headers, body)
        if trusted:
            reply = json.loads(body)
            print(reply["MessageId"], "from", reply["Sender"] + ":", reply["Message"], flush=True)
        self.send_response(200 if trusted else 401)
        self.end_headers()


ThreadingHTTPServer(("", 8080), Receiver).serve_forever()
