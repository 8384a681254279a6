package pennytext

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	answerBytesMax = 16 << 20
	waitMax        = 30 * time.Second
)

// Response is a part of every answer.
type Response struct {
	// RequestID is the answer's X-Request-Id: support can find the request by it.
	RequestID string `json:"-"`

	// Raw is the answer as it came, with fields that this version of the package does not know.
	Raw json.RawMessage `json:"-"`
}

func (r *Response) received(id string, raw []byte) { r.RequestID, r.Raw = id, raw }

type repetition int

const (
	free  repetition = iota // The call has no effect, or the same effect again.
	keyed                   // All tries carry one Idempotency-Key.
	once                    // The call is repeated after 429 only.
)

type request struct {
	method, path string
	query, body  any // Objects whose JSON is sent; nil without one.
	cursor       string
	file         []byte
	isUpload     bool
	repeat       repetition
	key          string // The caller's Idempotency-Key, or one that encode creates.

	encoded     []byte
	contentType string
}

type transport struct {
	client            http.Client
	base              string
	authorize         func(http.Header)
	maxRetries        int64
	timeout, deadline time.Duration
	now               func() time.Time
	sleep             func(context.Context, time.Duration)
}

func call[T any](ctx context.Context, t *transport, r request) (*T, error) {
	answer := new(T)
	if err := t.do(ctx, r, answer); err != nil {
		return nil, err
	}
	return answer, nil
}

// do makes a call and repeats it while that may help.
func (t *transport) do(ctx context.Context, r request, answer any) error {
	if err := r.encode(); err != nil {
		return err
	}
	timeout, deadline := t.timeout, t.deadline
	if r.isUpload {
		timeout, deadline = 4*timeout, 4*deadline
	}
	end := t.now().Add(deadline)
	if at, ok := ctx.Deadline(); ok && at.Before(end) {
		end = at
	}
	unknown := false
	for tried := int64(0); ; tried++ {
		if err := ctx.Err(); err != nil {
			return ended(err).withOutcome(unknown, r.key)
		}
		left := end.Sub(t.now())
		if left > timeout {
			left = timeout
		}
		failure := t.try(ctx, &r, left, answer)
		if failure == nil {
			return nil
		}
		unknown = r.repeat != free && (failure.leavesUnknown() || unknown && !failure.settles())
		failure = failure.withOutcome(unknown, r.key)
		wait := backoff(tried)
		if failure.RetryAfter > wait {
			wait = failure.RetryAfter
		}
		if ctx.Err() != nil || tried >= t.maxRetries || !failure.isPassing(r.repeat) ||
			wait > waitMax || !t.now().Add(wait).Before(end) {
			return failure
		}
		t.sleep(ctx, wait)
	}
}

func (t *transport) try(parent context.Context, r *request, timeout time.Duration, answer any) *Error {
	ctx, cancel := context.WithTimeout(parent, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, r.method, t.base+r.path, bytes.NewReader(r.encoded))
	if err != nil {
		return &Error{Code: CodeConnectionFailed, Detail: "The address is not valid.", cause: err}
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", fmt.Sprintf("pennytext-go/%s (%s)", version, runtime.Version()))
	t.authorize(req.Header)
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	if r.repeat == keyed {
		req.Header.Set("Idempotency-Key", r.key)
	}
	res, err := t.client.Do(req)
	var data []byte
	if err == nil {
		defer res.Body.Close()
		data, err = io.ReadAll(io.LimitReader(res.Body, answerBytesMax+1))
	}
	switch timed := (interface{ Timeout() bool })(nil); {
	case err == nil:
		return answered(res, data, answer)
	case parent.Err() != nil:
		return ended(parent.Err())
	case errors.As(err, &timed) && timed.Timeout():
		return &Error{Code: CodeTimedOut, Detail: fmt.Sprintf("No answer within %v.", timeout), cause: err}
	}
	reason := err
	if outer := (*url.Error)(nil); errors.As(err, &outer) {
		reason = outer.Err // The outer text quotes the query, which may have phone numbers.
	}
	code := CodeConnectionFailed
	if unknownHost := (*net.DNSError)(nil); errors.Is(err, syscall.ECONNREFUSED) || errors.As(err, &unknownHost) {
		code = CodeUnreachable
	}
	return &Error{Code: code, Detail: reason.Error(), cause: err}
}

// answered decodes an answer, or returns the error that it is.
func answered(res *http.Response, data []byte, answer any) *Error {
	id := res.Header.Get("X-Request-Id")
	failure := &Error{Code: CodeInvalidAnswer, Status: res.StatusCode, RequestID: id, RetryAfter: retryAfter(res.Header)}
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		failure.Detail = fmt.Sprintf("The answer is a redirect to %q. Is the BaseURL right?", res.Header.Get("Location"))
	case len(data) > answerBytesMax:
		failure.Detail = "The answer is too long."
	case res.StatusCode >= 300:
		failure.read(data)
	case !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")):
		failure.Detail = "The answer is not a JSON object."
	default:
		if failure.cause = decode(id, data, answer); failure.cause == nil {
			return nil
		}
		failure.Detail = "The answer is not valid JSON."
	}
	return failure
}

// decode leaves a field zero whose value is null or of another type than expected.
func decode(id string, data []byte, into any) error {
	err := json.Unmarshal(data, into)
	if mismatch := (*json.UnmarshalTypeError)(nil); err != nil && !errors.As(err, &mismatch) {
		return err
	}
	if response, ok := into.(interface{ received(string, []byte) }); ok {
		response.received(id, data)
	}
	return nil
}

var (
	emptySegment   = regexp.MustCompile(`/\.{0,2}(/|$)`)
	headerKeyValue = regexp.MustCompile(`^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$`)
)

// encode checks the request, and writes its query and its body once for all tries.
func (r *request) encode() error {
	if emptySegment.MatchString(r.path) {
		return invalid(`an id must not be empty, "." or ".."`)
	}
	if r.repeat == keyed && r.key == "" {
		r.key = fmt.Sprintf("%x", random(16))
	}
	if r.repeat == keyed && !headerKeyValue.MatchString(r.key) {
		return invalid("an IdempotencyKey must be printable ASCII, without spaces around it")
	}
	if bulk, ok := r.body.(SendBulkParams); ok {
		for _, recipient := range bulk.Recipients {
			if to, ok := recipient["to"]; ok && fmt.Sprintf("%T", to) != "string" {
				return invalid(`to of a recipient must be a string, such as "+12025550142"`)
			}
		}
	}
	query, err := queryOf(r.query, r.cursor)
	if err == nil && r.file != nil {
		var form bytes.Buffer
		writer := multipart.NewWriter(&form)
		part, _ := writer.CreateFormFile("file", "file") // Writing to a buffer does not fail.
		part.Write(r.file)
		writer.Close()
		r.encoded, r.contentType = form.Bytes(), writer.FormDataContentType()
	} else if err == nil && r.body != nil {
		r.encoded, err = json.Marshal(r.body)
		r.contentType = "application/json"
	}
	if err != nil {
		return invalid(err.Error())
	}
	if query != "" {
		r.path += "?" + query
	}
	return nil
}

// queryOf encodes the JSON fields of params.
func queryOf(params any, cursor string) (string, error) {
	var fields map[string]json.RawMessage
	data, err := json.Marshal(params)
	if err == nil {
		err = json.Unmarshal(data, &fields)
	}
	values := url.Values{}
	for name, raw := range fields {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw) // A number or a boolean.
		}
		values.Set(name, text)
	}
	if cursor != "" {
		values.Set("cursor", cursor)
	}
	return values.Encode(), err
}

// retryAfter reads a number of seconds, or a date, which is compared with the answer's own because clocks differ.
func retryAfter(header http.Header) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	seconds, err := strconv.ParseUint(value, 10, 31)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(value)
	answered, unknown := http.ParseTime(header.Get("Date"))
	if unknown != nil {
		answered = time.Now()
	}
	if wait := at.Sub(answered); err == nil && wait > 0 {
		return wait
	}
	return 0
}

// backoff grows with every try; half of it is random, so that callers do not return together.
func backoff(tried int64) time.Duration {
	full := 8 * time.Second
	if tried < 4 {
		full = 500 * time.Millisecond << tried
	}
	return full/2 + full/2*time.Duration(binary.BigEndian.Uint16(random(2)))/0x10000
}

func random(n int) []byte {
	b := make([]byte, n)
	if _, err := rand.Read(b); err != nil {
		panic(err) // The system has no random numbers.
	}
	return b
}
