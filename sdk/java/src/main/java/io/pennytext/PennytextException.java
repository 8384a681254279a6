package io.pennytext;

import java.time.Duration;

/**
 * Thrown by every call that fails. Programs rely on {@link #code}, people read {@link #detail}.
 *
 * <p>Beside {@link ErrorCodes}, the client itself finds {@code unreachable}, {@code connection_failed},
 * {@code timed_out}, {@code canceled}, {@code invalid_answer} and {@code invalid_webhook}. The API can have codes
 * that this version does not know.
 */
public final class PennytextException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;
    private final String detail;
    private final int status;
    private final String requestId;
    private final Duration retryAfter;
    private final transient Value body;
    private boolean outcomeUnknown;
    private String idempotencyKey;

    PennytextException(String code, String detail, Throwable cause) {
        this(code, detail, cause, 0, null, null, null);
    }

    PennytextException(String code, String detail, Throwable cause, int status, String requestId,
            Duration retryAfter, Value body) {
        super(detail, cause);
        this.code = code;
        this.detail = detail;
        this.status = status;
        this.requestId = requestId;
        this.retryAfter = retryAfter;
        this.body = body;
    }

    /** Returns the reason as a stable code. */
    public String code() {
        return code;
    }

    /** Whether the error has this code. */
    public boolean is(String code) {
        return this.code.equals(code);
    }

    /** Returns the reason for people. Its wording may change. */
    public String detail() {
        return detail;
    }

    /** Returns the HTTP status, or 0 without an answer. */
    public int status() {
        return status;
    }

    /** Returns the answer's X-Request-Id, by which support can find the request, or null. */
    public String requestId() {
        return requestId;
    }

    /** Returns the time until the call can be repeated, or null if the API does not know. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** Returns the API's answer, with {@code rejected} of a bulk or {@code guard} of a one-time password, or null. */
    public Value body() {
        return body;
    }

    /** Returns the only call that would do what the failed call was meant to, or null unless there is exactly one. */
    public Value fix() {
        return body == null ? null : body.object("fix", Value::new);
    }

    /** Whether a call that sends, buys, uploads or verifies may have taken effect although it failed. */
    public boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }

    /** Returns the key with which the same call does nothing twice, or null if the outcome is known. */
    public String idempotencyKey() {
        return idempotencyKey;
    }

    PennytextException leaveUnknown(String idempotencyKey) {
        this.outcomeUnknown = true;
        this.idempotencyKey = idempotencyKey;
        return this;
    }

    @Override
    public String getMessage() {
        String advice = idempotencyKey == null ? "" : ": ask again with the idempotencyKey " + idempotencyKey;
        return code + ": " + detail + (outcomeUnknown ? " The outcome is unknown" + advice + "." : "");
    }
}
