package pennytext

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// ErrorCode is the reason of an Error. The API can have codes that this version of the package does not know.
type ErrorCode string

// Reasons that the client itself finds.
const (
	CodeCanceled         ErrorCode = "canceled"
	CodeConnectionFailed ErrorCode = "connection_failed"
	CodeInvalidAnswer    ErrorCode = "invalid_answer"
	CodeInvalidWebhook   ErrorCode = "invalid_webhook"
	CodeTimedOut         ErrorCode = "timed_out"
	CodeUnreachable      ErrorCode = "unreachable" // Nothing was sent.
)

// Error is the failure of a call. Programs rely on Code, people read Detail.
type Error struct {
	Code   ErrorCode
	Detail string

	// Status is the HTTP status, or 0 without an answer.
	Status int

	// RequestID is the answer's X-Request-Id: support can find the request by it.
	RequestID string

	// RetryAfter is the time until the call can be repeated, or 0 if the API does not know.
	RetryAfter time.Duration

	// Fix is the only call that would do what the failed call was meant to, if there is exactly one.
	Fix *Fix

	// OutcomeUnknown tells whether the call may have taken effect although it failed.
	OutcomeUnknown bool

	// IdempotencyKey is set if the outcome is unknown: make the call again with it, and nothing is done twice.
	IdempotencyKey string

	// Raw is the API's answer, such as with the field rejected of a bulk.
	Raw json.RawMessage

	cause error
}

// Fix is a call of the API.
type Fix struct {
	// Call is a method and a path, such as "POST /api/sendsms".
	Call string          `json:"call"`
	Body json.RawMessage `json:"body"`
}

// Error returns the code, the detail, and what to do if the outcome is unknown.
func (e *Error) Error() string {
	text := fmt.Sprintf("pennytext: %s: %s", e.Code, e.Detail)
	if e.OutcomeUnknown {
		text = strings.TrimSuffix(text, ".") + ". The outcome is unknown"
		if e.IdempotencyKey != "" {
			text += ": ask again with the IdempotencyKey " + e.IdempotencyKey
		}
		text += "."
	}
	return text
}

// Unwrap returns the error of the connection or of the context.
func (e *Error) Unwrap() error { return e.cause }

// HasCode tells whether the error has this code.
func (e *Error) HasCode(code ErrorCode) bool { return e.Code == code }

// ended is the failure of a call whose context is done.
func ended(cause error) *Error {
	if errors.Is(cause, context.DeadlineExceeded) {
		return &Error{Code: CodeTimedOut, Detail: "The deadline of the context has passed.", cause: cause}
	}
	return &Error{Code: CodeCanceled, Detail: "The context was canceled.", cause: cause}
}

// read takes what it knows of the body of a refusal, which a proxy may have written.
func (e *Error) read(body []byte) {
	fields := map[string]json.RawMessage{}
	err := json.Unmarshal(body, &fields)
	text := func(name string) (value string) {
		if json.Unmarshal(fields[name], &value) != nil {
			return ""
		}
		return value
	}
	code := text("code")
	if err != nil || code == "" {
		fields = nil // The texts are not those of the API.
	}
	if code != "" && fields != nil {
		e.Code, e.Raw = ErrorCode(code), body
	} else if e.Status >= 500 {
		e.Code = "unavailable"
	}
	status := fmt.Sprintf("HTTP %d", e.Status)
	if e.Code == CodeInvalidAnswer {
		status += " without an answer of the API: is the address right?"
	}
	for _, detail := range []string{status, text("error"), text("detail")} {
		if detail != "" {
			e.Detail = detail
		}
	}
	if fix := new(Fix); json.Unmarshal(fields["fix"], &fix) == nil {
		e.Fix = fix
	}
}

func (e *Error) withOutcome(unknown bool, key string) *Error {
	if e.OutcomeUnknown = unknown; unknown {
		e.IdempotencyKey = key
	}
	return e
}

// isPassing tells whether the same call may succeed later without doing anything twice.
func (e *Error) isPassing(repeat repetition) bool {
	switch {
	case e.Status == http.StatusTooManyRequests:
		return true
	case repeat == once:
		return false
	case e.Code == "idempotency_in_progress" || e.Code == "media_pending":
		// The first try is still running at the server; a file is still being copied.
		return true
	case e.Status == 0:
		return e.Code != CodeInvalidAnswer
	}
	return e.Status >= 500
}

// leavesUnknown tells whether the call may have taken effect although it failed.
func (e *Error) leavesUnknown() bool {
	return e.Code != CodeUnreachable && (e.Status < 300 || e.Status >= 500 || e.Code == "idempotency_in_progress")
}

// settles tells whether a refusal shows that no earlier try took effect. The service checks the key of the account
// and its limits before it looks for the Idempotency-Key.
func (e *Error) settles() bool {
	isAnswer := e.Code != CodeUnreachable && e.Code != CodeInvalidAnswer
	return isAnswer && e.Status != 401 && e.Status != 403 && e.Status != 429
}
