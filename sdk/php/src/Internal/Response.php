<?php

declare(strict_types=1);

namespace Pennytext\Internal;

use Pennytext\PennytextException;

/**
 * An answer of HTTP.
 *
 * @internal
 */
final class Response
{
    /** Longest answer that is taken: several times the longest answer of the API. */
    public const BYTES_MAX = 16 * 1_048_576;

    /** @param array<string, string> $headers By their names in small letters. */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body = '',
    ) {
    }

    /**
     * @return array<string, mixed>
     * @throws PennytextException unless the API answers with success
     */
    public function answer(): array
    {
        if ($this->status >= 300 && $this->status < 400) {
            $place = isset($this->headers['location']) ? " to {$this->headers['location']}" : '';
            throw $this->failure('invalid_answer', "The answer is a redirect$place. Is the baseUrl right?");
        }
        if (strlen($this->body) > self::BYTES_MAX) {
            throw $this->failure('invalid_answer', 'The answer is too long.');
        }
        $value = preg_match('/^\s*\{/', $this->body) ? json_decode($this->body, true) : null;
        if ($this->status >= 400) {
            $body = is_string($value['code'] ?? null) ? $value : [];
            $code = $body['code'] ?? ($this->status >= 500 ? 'unavailable' : 'invalid_answer');
            $texts = array_filter([$body['detail'] ?? null, $body['error'] ?? null], 'is_string');
            $hint = $code === 'invalid_answer' ? ' without an answer of the API: is the address right?' : '';
            throw $this->failure($code, current(array_filter($texts)) ?: "HTTP $this->status$hint", $body ?: null);
        }
        if (!is_array($value)) {
            throw $this->failure('invalid_answer', 'The answer is not a JSON object.');
        }
        // Errors are thrown: the field would always be the same.
        unset($value['success']);
        return $value;
    }

    /** @param array<string, mixed>|null $body */
    public function failure(string $code, string $detail, ?array $body = null): PennytextException
    {
        $requestId = $this->headers['x-request-id'] ?? null;
        return new PennytextException($code, $detail, $this->status, $requestId, $this->retryAfter(), $body);
    }

    /**
     * Seconds of Retry-After, which is a number or a date (RFC 9110, section 10.2.3). A date is compared with that of
     * the answer, if it has one, since the clocks may differ.
     */
    private function retryAfter(): ?int
    {
        $value = $this->headers['retry-after'] ?? '';
        if (preg_match('/^\d+\z/', $value)) {
            return (int) $value;
        }
        $at = self::timestamp($value);
        return $at === null ? null : max(0, $at - (self::timestamp($this->headers['date'] ?? '') ?? time()));
    }

    /** Seconds of an HTTP-date in any of its three forms (RFC 9110, section 5.6.7), all of which are in UTC. */
    private static function timestamp(string $date): ?int
    {
        $isDate = preg_match('/^[a-z]{3,9},? [\w -]+ \d\d:\d\d:\d\d( GMT| \d{4})\z/i', $date);
        $time = $isDate ? date_create($date, new \DateTimeZone('UTC')) : false;
        return $time ? $time->getTimestamp() : null;
    }
}
