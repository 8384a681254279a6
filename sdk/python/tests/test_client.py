"""Promises of the client that the conformance suite does not know, because they are Python's own."""

import asyncio
import contextlib
import copy
import io
import os
import pickle
import sys
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))

from pennytext import AsyncPennytext, Pennytext, PennytextError  # noqa: E402

KEY = "unit-test-key-5d1c"


class Service(BaseHTTPRequestHandler):
    """Answers with a balance, and counts connections."""

    protocol_version = "HTTP/1.1"
    connections = 0
    drip = False
    body = b""

    def setup(self):
        type(self).connections += 1
        super().setup()

    def do_GET(self):
        if self.drip:
            with contextlib.suppress(OSError):  # The client gives up.
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                for _ in range(100):
                    self.wfile.write(b"X-More: 1\r\n")
                    time.sleep(0.05)
            return
        body = b'{"balance": 212, "purchased": 253, "used": 41}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        type(self).body = self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *args):
        pass


class ClientTest(unittest.TestCase):
    def setUp(self):
        Service.connections, Service.drip = 0, False
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
        self.server.daemon_threads = True
        thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.options = {"api_key": KEY, "base_url": f"http://127.0.0.1:{self.server.server_port}"}

    def test_reuses_a_connection_in_turn_but_not_for_a_call_without_repetition(self):
        with Pennytext(**self.options) as client:
            for _ in range(5):
                client.balance()
            self.assertEqual(Service.connections, 1)
            client.otp.verify(otp="042117", to="+12025550142")
            self.assertEqual(Service.connections, 2)

    def test_is_shared_by_threads(self):
        with Pennytext(**self.options) as client:
            balances = []
            threads = [
                threading.Thread(target=lambda: balances.extend(client.balance().balance for _ in range(20)))
                for _ in range(8)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(balances, [212] * 160)
        self.assertLessEqual(Service.connections, 40)

    @unittest.skipUnless(hasattr(os, "fork"), "Windows has no fork.")
    def test_does_not_share_connections_with_a_forked_process(self):
        with Pennytext(**self.options) as client:
            client.balance()
            with mock.patch("pennytext._connections.os.getpid", return_value=-1):
                client.balance()
        self.assertEqual(Service.connections, 2)

    def test_ends_a_try_whose_headers_never_end(self):
        Service.drip = True
        started_at = time.monotonic()
        with Pennytext(**self.options, max_retries=0, timeout=0.3) as client:
            with self.assertRaises(PennytextError) as raised:
                client.balance()
        self.assertTrue(raised.exception.is_("timed_out"))
        self.assertLess(time.monotonic() - started_at, 2)

    def test_does_not_print_the_key_at_a_debug_level(self):
        output = io.StringIO()
        with mock.patch.object(HTTPConnection, "debuglevel", 1), contextlib.redirect_stdout(output):
            with Pennytext(**self.options) as client:
                client.balance()
        self.assertEqual(output.getvalue(), "")

    def test_verifies_tls_when_the_program_has_turned_it_off_elsewhere(self):
        import ssl

        with mock.patch("ssl._create_default_https_context", ssl._create_unverified_context):
            client = Pennytext(api_key=KEY, base_url="https://127.0.0.1:1")
        self.assertEqual(client._connections._new()._context.verify_mode, ssl.CERT_REQUIRED)

    def test_sends_times_with_an_offset_only(self):
        with Pennytext(**self.options) as client:
            with self.assertRaisesRegex(ValueError, "offset"):
                client.send(to="+12025550142", message="Hello", send_at=datetime(2026, 3, 6))
            zone = timezone(timedelta(hours=-5))
            client.send(to="+12025550142", message="Hello", send_at=datetime(2026, 3, 6, tzinfo=zone))
        self.assertIn(b'"send_at":"2026-03-06T05:00:00Z"', Service.body)

    def test_has_errors_that_other_processes_can_read(self):
        error = PennytextError("rate_limited", "Slow down.", 429, "req-1", 7, {"fix": {"call": "none"}})
        error.outcome_unknown, error.idempotency_key = True, "order-7"
        other = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(other), vars(other)), (str(error), vars(error)))

    def test_has_answers_that_can_be_copied_and_keep_unknown_fields(self):
        with Pennytext(**self.options) as client:
            balance = client.balance()
        self.assertEqual(pickle.loads(pickle.dumps(copy.deepcopy(balance))), balance)
        self.assertEqual(balance.raw["used"], 41)

    def test_takes_a_transport_of_the_caller(self):
        asked = []

        class Answer:
            status_code, headers = 200, {}

            async def aiter_bytes(self):
                yield b'{"balance":'
                yield b"7}"

        class Transport:
            @contextlib.asynccontextmanager
            async def stream(self, method, url, **options):
                asked.append((method, url, options["follow_redirects"]))
                if len(asked) == 1:
                    raise RuntimeError("The network is down.")
                yield Answer()

        async def ask():
            async with AsyncPennytext(**self.options, http_client=Transport()) as client:
                client._sleep = lambda _seconds: asyncio.sleep(0)
                return await client.balance()

        self.assertEqual(asyncio.run(ask()).balance, 7)
        self.assertEqual(asked, [("GET", f"{self.options['base_url']}/api/balance", False)] * 2)
        self.assertEqual(Service.connections, 0)


if __name__ == "__main__":
    unittest.main()
