<?php

declare(strict_types=1);

namespace Pennytext;

/** Thrown by every call that fails. Programs rely on `errorCode`, people read `detail`. */
final class PennytextException extends \RuntimeException
{
    /** @var array<string, mixed>|null The only call that would do what the failed one was meant to, if there is one. */
    public readonly ?array $fix;

    /**
     * @param string $errorCode One of ErrorCode; the API can have codes that this version does not know.
     * @param int|null $status HTTP status, which is also `getCode()`; null without an answer.
     * @param string|null $requestId The answer's X-Request-Id: support can find the request by it.
     * @param int|null $retryAfter Seconds until the call can be repeated, if the API knows.
     * @param array<string, mixed>|null $body The API's answer, with `rejected` of a bulk or `guard` of a code.
     * @param bool $outcomeUnknown Whether the call may have taken effect although it failed.
     * @param string|null $idempotencyKey Set if the outcome is unknown: call again with it, and nothing is done twice.
     */
    public function __construct(
        public readonly string $errorCode,
        public readonly string $detail,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfter = null,
        public readonly ?array $body = null,
        public readonly bool $outcomeUnknown = false,
        public readonly ?string $idempotencyKey = null,
    ) {
        $this->fix = is_array($body['fix'] ?? null) ? $body['fix'] : null;
        $advice = $idempotencyKey === null ? '.' : ": call again with the idempotencyKey $idempotencyKey.";
        $doubt = $outcomeUnknown ? ". The outcome is unknown$advice" : '';
        parent::__construct("$errorCode: " . ($outcomeUnknown ? rtrim($detail, '.') : $detail) . $doubt, $status ?? 0);
    }

    /** Whether the error has this code, such as `ErrorCode::RATE_LIMITED`. */
    public function is(string $errorCode): bool
    {
        return $this->errorCode === $errorCode;
    }

    /** @internal */
    public function withUnknownOutcome(?string $key): self
    {
        [$id, $wait] = [$this->requestId, $this->retryAfter];
        return new self($this->errorCode, $this->detail, $this->status, $id, $wait, $this->body, true, $key);
    }
}
