<?php

declare(strict_types=1);

namespace Pennytext\Internal;

use Pennytext\PennytextException;

/**
 * Sends requests by PHP's own streams, each over a connection of its own (RFC 9112).
 *
 * @internal
 */
final class StreamSender
{
    private const CHUNK_BYTES = 65_536;
    private const TLS = STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT | STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT;

    /** @var resource|null */
    private $socket = null;
    private float $endsAt = 0;
    /** Bytes that were received and not used yet, and the number of all that were received. */
    private string $buffer = '';
    private int $received = 0;
    /** @var list<string> */
    private array $warnings = [];

    /**
     * @param \Closure(): array<string, string> $headers A closure, since PHP 8.1 shows arguments in traces.
     * @throws PennytextException
     */
    public function send(
        string $method,
        string $url,
        \Closure $headers,
        #[\SensitiveParameter] string $body,
        float $seconds,
    ): Response {
        [$this->endsAt, $this->buffer, $this->received] = [hrtime(true) / 1e9 + $seconds, '', 0];
        $this->warnings = [];
        set_error_handler(function (int $level, string $text): bool {
            $this->warnings[] = trim(preg_replace('/^\w+\(\): |\s+/', ' ', $text));
            return true;
        });
        try {
            $parts = parse_url($url);
            $this->connect(strtolower($parts['scheme']) === 'https', $parts['host'], $parts['port'] ?? null);
            $head = "$method " . preg_replace('~^\w+://[^/]+~', '', $url) . " HTTP/1.1\r\n";
            $port = isset($parts['port']) ? ":{$parts['port']}" : '';
            foreach (['host' => $parts['host'] . $port, 'connection' => 'close'] + $headers() as $name => $value) {
                $head .= "$name: $value\r\n";
            }
            $this->write("$head\r\n", $body);
            return $this->read();
        } finally {
            restore_error_handler();
            $this->socket = null;
        }
    }

    private function connect(bool $isSecure, string $host, ?int $port): void
    {
        $context = stream_context_create([
            'socket' => ['tcp_nodelay' => true],
            'ssl' => ['peer_name' => trim($host, '[]'), 'verify_peer' => true, 'verify_peer_name' => true],
        ]);
        $address = "tcp://$host:" . ($port ?? ($isSecure ? 443 : 80));
        $left = max($this->left(), 0.001);
        $socket = stream_socket_client($address, $number, $reason, $left, STREAM_CLIENT_CONNECT, $context);
        $this->socket = $socket ?: throw $this->failure('The connection failed.', 'unreachable');
        stream_set_chunk_size($socket, self::CHUNK_BYTES);
        stream_set_blocking($socket, false);
        while ($isSecure && ($isDone = stream_socket_enable_crypto($socket, true, self::TLS)) !== true) {
            $isDone === 0 ? $this->await() : throw $this->failure('The connection is not secure.');
        }
    }

    private function write(string $head, #[\SensitiveParameter] string $body): void
    {
        stream_set_blocking($this->socket, true);
        for ($at = 0; $at === 0 || $at < strlen($body); $at += self::CHUNK_BYTES) {
            $part = ($at === 0 ? $head : '') . substr($body, $at, self::CHUNK_BYTES);
            $left = max($this->left(), 0.001);
            stream_set_timeout($this->socket, (int) $left, (int) (fmod($left, 1) * 1e6));
            if (fwrite($this->socket, $part) !== strlen($part)) {
                // The service may have answered before the end of the body.
                break;
            }
        }
        stream_set_blocking($this->socket, false);
    }

    private function read(): Response
    {
        do {
            $isHttp = preg_match('~^HTTP/1\.\d (\d{3})\b~', $this->line(), $match);
            $status = $isHttp ? (int) $match[1] : throw $this->failure('The answer is not HTTP.');
            for ($headers = []; ($line = $this->line()) !== '';) {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $headers[strtolower($name)] = trim($value);
            }
        } while ($status < 200);
        if ($status === 204 || $status === 304) {
            return new Response($status, $headers);
        }
        if (strtolower($headers['transfer-encoding'] ?? '') === 'chunked') {
            return new Response($status, $headers, $this->chunks());
        }
        $isLengthKnown = preg_match('/^\d+\z/', $headers['content-length'] ?? '') === 1;
        $bytes = $isLengthKnown ? (int) $headers['content-length'] : PHP_INT_MAX;
        return new Response($status, $headers, $this->take($bytes, $isLengthKnown));
    }

    private function chunks(): string
    {
        for ($body = ''; strlen($body) <= Response::BYTES_MAX; $this->line()) {
            $isSize = preg_match('/^([0-9a-f]{1,8})\s*(;|\z)/i', $this->line(), $match);
            $bytes = $isSize ? (int) hexdec($match[1]) : throw $this->failure('The answer is not HTTP.');
            if ($bytes === 0) {
                break;
            }
            $body .= $this->take($bytes);
        }
        return $body;
    }

    /** Returns so many bytes, or a byte more than an answer may have, which is then refused. */
    private function take(int $bytes, bool $isLengthKnown = true): string
    {
        $bytes = min($bytes, Response::BYTES_MAX + 1);
        while (strlen($this->buffer) < $bytes && $this->fill($isLengthKnown));
        $taken = substr($this->buffer, 0, $bytes);
        $this->buffer = substr($this->buffer, $bytes);
        return $taken;
    }

    private function line(): string
    {
        while (($end = strpos($this->buffer, "\r\n")) === false) {
            $this->fill();
        }
        $line = substr($this->buffer, 0, $end);
        $this->buffer = substr($this->buffer, $end + 2);
        return $line;
    }

    /** Returns false at the end of the connection, unless more is expected. */
    private function fill(bool $isMoreExpected = true): bool
    {
        do {
            $this->await();
            $bytes = (string) fread($this->socket, self::CHUNK_BYTES);
            if ($bytes === '' && feof($this->socket)) {
                return $isMoreExpected ? throw $this->failure('The answer is incomplete.') : false;
            }
        } while ($bytes === '');
        $this->buffer .= $bytes;
        $this->received += strlen($bytes);
        return $this->received <= 2 * Response::BYTES_MAX ?: throw $this->failure('The answer has no end.');
    }

    /** Waits until bytes can be read. A signal ends the wait, so that its handler runs. */
    private function await(): void
    {
        $left = $this->left();
        if ($left <= 0) {
            throw $this->failure('');
        }
        [$read, $write, $except] = [[$this->socket], null, null];
        stream_select($read, $write, $except, (int) $left, (int) (fmod($left, 1) * 1e6));
    }

    private function left(): float
    {
        return $this->endsAt - hrtime(true) / 1e9;
    }

    private function failure(string $detail, string $code = 'connection_failed'): PennytextException
    {
        if ($this->left() <= 0) {
            return new PennytextException('timed_out', 'No answer in time.');
        }
        $texts = [$detail, ...array_slice($this->warnings, -1)];
        return new PennytextException($code, implode(' ', $texts));
    }
}
