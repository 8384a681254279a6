<?php

declare(strict_types=1);

namespace Pennytext\Internal;

use Pennytext\PennytextException;

/**
 * Makes calls, and repeats those that may succeed later.
 *
 * @internal
 */
final class Transport
{
    private const VERSION = '0.1.0';
    private const FIRST_WAIT_SECONDS = 0.5;
    private const GROWN_WAIT_SECONDS_MAX = 8;
    private const WAIT_SECONDS_MAX = 30;
    /** Longest time of each try of an upload, and of the whole call. */
    private const UPLOAD_SECONDS = [120.0, 240.0];
    private const JSON = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION;

    /** @var \WeakMap<self, string>|null Keys, which are in no property, so that nothing prints or stores them. */
    private static ?\WeakMap $keys = null;

    public function __construct(
        #[\SensitiveParameter] string $apiKey,
        private readonly string $baseUrl,
        private readonly int $maxRetries,
        private readonly float $timeout,
        private readonly float $deadline,
        private readonly StreamSender|PsrSender $sender,
        private readonly Clock $clock,
    ) {
        self::$keys ??= new \WeakMap();
        self::$keys[$this] = $apiKey;
    }

    /** @return never */
    public function __serialize(): array
    {
        throw new \LogicException('A client of Pennytext has a key, and is not serialized.');
    }

    /**
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body Sent as JSON.
     * @param string|null $file Sent as a form, in place of the body.
     * @return array<string, mixed>
     * @throws PennytextException
     */
    public function call(
        string $method,
        string $path,
        array $query = [],
        #[\SensitiveParameter] ?array $body = null,
        Repeat $repeat = Repeat::Free,
        ?string $idempotencyKey = null,
        #[\SensitiveParameter] ?string $file = null,
    ): array {
        $key = $repeat === Repeat::Keyed ? Arguments::idempotencyKey($idempotencyKey) : null;
        [$type, $content] = $file !== null ? self::form($file) : self::json($body);
        $isFlag = fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value;
        $parameters = http_build_query(array_map($isFlag, Arguments::fields($query)), '', '&', PHP_QUERY_RFC3986);
        $url = $this->baseUrl . $path . ($parameters === '' ? '' : "?$parameters");
        $headers = fn () => [
            'accept' => 'application/json',
            'authorization' => 'Bearer ' . self::$keys[$this],
            'user-agent' => 'pennytext-php/' . self::VERSION . ' (PHP/' . PHP_VERSION . ')',
        ] + ($type === null ? [] : ['content-type' => $type, 'content-length' => (string) strlen($content)])
            + ($key === null ? [] : ['idempotency-key' => $key]);
        [$timeout, $deadline] = $file === null ? [$this->timeout, $this->deadline] : self::UPLOAD_SECONDS;
        $endsAt = $this->clock->now() + $deadline;
        $isUnknown = false;
        for ($tried = 0;; $tried++) {
            try {
                $left = min($timeout, $endsAt - $this->clock->now());
                return $this->sender->send($method, $url, $headers, $content, $left)->answer();
            } catch (PennytextException $error) {
                $isUnknown = $repeat !== Repeat::Free
                    && (self::leavesUnknown($error) || $isUnknown && !self::settles($error));
                $wait = max($error->retryAfter ?? 0, self::backoff($tried));
                $isTooLong = $wait > self::WAIT_SECONDS_MAX || $this->clock->now() + $wait >= $endsAt;
                if ($tried >= $this->maxRetries || !self::isPassing($error, $repeat) || $isTooLong) {
                    throw $isUnknown ? $error->withUnknownOutcome($key) : $error;
                }
            }
            $this->clock->sleep($wait);
        }
    }

    /** @return array{string|null, string} Content-Type and body. */
    private static function json(#[\SensitiveParameter] ?array $body): array
    {
        if ($body === null) {
            return [null, ''];
        }
        try {
            $text = json_encode((object) Arguments::fields($body), self::JSON | JSON_THROW_ON_ERROR);
        } catch (\JsonException $error) {
            throw new \InvalidArgumentException("The arguments are no JSON: {$error->getMessage()}.");
        }
        return ['application/json', $text];
    }

    /** @return array{string, string} */
    private static function form(#[\SensitiveParameter] string $file): array
    {
        $boundary = bin2hex(random_bytes(16));
        $part = "Content-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n"
            . "Content-Type: application/octet-stream\r\n\r\n$file\r\n";
        return ["multipart/form-data; boundary=$boundary", "--$boundary\r\n$part--$boundary--\r\n"];
    }

    /** Whether the same call may succeed later without doing anything twice. */
    private static function isPassing(PennytextException $error, Repeat $repeat): bool
    {
        if ($error->status === 429 || $repeat === Repeat::Once) {
            return $error->status === 429;
        }
        // The first try is still running at the service; a file is still being copied.
        if (in_array($error->errorCode, ['idempotency_in_progress', 'media_pending'], true)) {
            return true;
        }
        return $error->status === null ? !$error->is('invalid_answer') : $error->status >= 500;
    }

    /** Whether the call may have taken effect although it failed. */
    private static function leavesUnknown(PennytextException $error): bool
    {
        $isDoubtful = $error->status < 300 || $error->status >= 500 || $error->is('idempotency_in_progress');
        return $isDoubtful && !$error->is('unreachable');
    }

    /**
     * Whether a refusal tells that no earlier try took effect. The service checks the key of the account and its
     * limits before it looks for the Idempotency-Key.
     */
    private static function settles(PennytextException $error): bool
    {
        $isAnswer = !$error->is('unreachable') && !$error->is('invalid_answer');
        return $isAnswer && !in_array($error->status, [401, 403, 429], true);
    }

    /** The pause grows with every try; half of it is random, so that callers do not return together. */
    private static function backoff(int $tried): float
    {
        $full = min(self::FIRST_WAIT_SECONDS * 2 ** $tried, self::GROWN_WAIT_SECONDS_MAX);
        return $full * (0.5 + random_int(0, 1_000_000) / 2_000_000);
    }
}
