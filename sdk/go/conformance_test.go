package pennytext

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestMain runs the conformance suite of a server whose address is the last argument, and else the tests.
func TestMain(m *testing.M) {
	if address := os.Args[len(os.Args)-1]; strings.HasPrefix(address, "http") {
		runConformance(address)
		return
	}
	os.Exit(m.Run())
}

type conformanceCase struct {
	Run    string
	Client struct {
		APIKey     string `json:"api_key"`
		BaseURL    string `json:"base_url"`
		MaxRetries *int64 `json:"max_retries"`
		TimeoutMS  int64  `json:"timeout_ms"`
		DeadlineMS int64  `json:"deadline_ms"`
	}
	Environment map[string]string
	Call        struct {
		Name           string
		Arguments      json.RawMessage
		IdempotencyKey string `json:"idempotency_key"`
		Take, Times    int
	}
	Cancel, Needs string
}

func runConformance(address string) {
	var names []string
	exchange("GET", address+"/cases", nil, &names)
	for _, name := range names {
		var c conformanceCase
		exchange("POST", address+"/cases/"+name, nil, &c)
		if c.Needs == "untyped_arguments" || c.Needs == "empty_arguments" {
			continue // The compiler checks types, and an empty string is one that is not given.
		}
		verdict := map[string]any{"name": name}
		exchange("POST", address+"/runs/"+c.Run, c.outcome(), &verdict)
		json.NewEncoder(os.Stdout).Encode(verdict)
	}
}

func exchange(method, url string, body, into any) {
	data, err := json.Marshal(body)
	must(err)
	req, err := http.NewRequest(method, url, bytes.NewReader(data))
	must(err)
	res, err := http.DefaultClient.Do(req)
	must(err)
	defer res.Body.Close()
	must(json.NewDecoder(res.Body).Decode(into))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// outcome runs a case as a program would. Waits take no time, and move the clock.
func (c conformanceCase) outcome() map[string]any {
	started, waits, texts := time.Now(), []float64{}, []string{}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, name := range []string{"PENNYTEXT_API_KEY", "PENNYTEXT_URL"} {
		os.Setenv(name, c.Environment[name])
	}
	client, err := NewClient(Options{
		APIKey: c.Client.APIKey, BaseURL: c.Client.BaseURL, MaxRetries: c.Client.MaxRetries,
		Timeout:  time.Duration(c.Client.TimeoutMS) * time.Millisecond,
		Deadline: time.Duration(c.Client.DeadlineMS) * time.Millisecond,
	})
	var result any
	if err == nil {
		var waited time.Duration
		client.transport.now = func() time.Time { return time.Now().Add(waited) }
		client.transport.sleep = func(_ context.Context, d time.Duration) {
			waits, waited = append(waits, d.Seconds()), waited+d
			if c.Cancel == "wait" {
				cancel()
			}
		}
		if c.Cancel == "try" {
			time.AfterFunc(300*time.Millisecond, cancel)
		}
		texts = append(texts, printed(client), printed(*client), printed(*client.transport))
		for n := 0; n < c.Call.Times; n++ {
			result, err = c.make(ctx, client)
		}
	}
	outcome := map[string]any{"result": result}
	var failure *Error
	switch {
	case errors.Is(err, ErrInvalidArgument):
		outcome = map[string]any{"refused": true}
	case errors.Is(err, context.Canceled):
		outcome = map[string]any{"canceled": true}
	case errors.As(err, &failure):
		outcome["error"] = map[string]any{
			"code": failure.Code, "detail": failure.Detail, "status": orNull(failure.Status),
			"request_id": orNull(failure.RequestID), "retry_after": orNull(int(failure.RetryAfter.Seconds())),
			"fix": failure.Fix, "outcome_unknown": failure.OutcomeUnknown,
			"idempotency_key": orNull(failure.IdempotencyKey),
			"is":              failure.HasCode(failure.Code) && !failure.HasCode("no_such_code"),
		}
	}
	for ; err != nil; err = errors.Unwrap(err) {
		texts = append(texts, printed(err))
	}
	outcome["waits"], outcome["texts"], outcome["elapsed_ms"] = waits, texts, time.Since(started).Milliseconds()
	return outcome
}

func printed(value any) string {
	data, err := json.Marshal(value)
	return fmt.Sprintf("%v %+v %#v %s %v", value, value, value, data, err)
}

func orNull[T comparable](value T) any {
	if value == *new(T) {
		return nil
	}
	return value
}

func (c conformanceCase) make(ctx context.Context, client *Client) (any, error) {
	var args struct {
		MessageID string `json:"message_id"`
		BatchID   string `json:"batch_id"`
		TotpID    string `json:"totp_id"`
		Code      string
		Bytes     []byte `json:"bytes_base64"`

		Messages, Recipients []any

		Body      string
		BodyBytes []byte `json:"body_base64"`
		Headers   map[string]string
		Secret    *string
		Secrets   []string
		Now       time.Time
	}
	json.Unmarshal(c.Call.Arguments, &args)
	switch c.Call.Name {
	case "send":
		return shown(client.Send(ctx, params[SendParams](c)))
	case "send_bulk":
		return shown(client.SendBulk(ctx, params[SendBulkParams](c)))
	case "quote":
		if args.Messages != nil || args.Recipients != nil {
			return shown(client.QuoteBulk(ctx, params[QuoteBulkParams](c)))
		}
		return shown(client.Quote(ctx, params[QuoteParams](c)))
	case "quote_otp":
		return shown(client.QuoteOTP(ctx, params[QuoteOTPParams](c)))
	case "balance":
		return shown(client.Balance(ctx))
	case "messages.get":
		return shown(client.Messages.Get(ctx, args.MessageID))
	case "messages.list":
		return items(ctx, client.Messages.List(params[MessagesListParams](c)), c.Call.Take)
	case "messages.cancel":
		return shown(client.Messages.Cancel(ctx, args.MessageID))
	case "batches.get":
		return shown(client.Batches.Get(ctx, args.BatchID))
	case "batches.cancel":
		return shown(client.Batches.Cancel(ctx, args.BatchID))
	case "otp.send":
		return shown(client.OTP.Send(ctx, params[OTPSendParams](c)))
	case "otp.resend":
		return shown(client.OTP.Resend(ctx, params[OTPResendParams](c)))
	case "otp.verify":
		return shown(client.OTP.Verify(ctx, params[OTPVerifyParams](c)))
	case "totp.create":
		return shown(client.TOTP.Create(ctx, params[TOTPCreateParams](c)))
	case "totp.verify":
		return shown(client.TOTP.Verify(ctx, args.TotpID, TOTPVerifyParams{Code: args.Code}))
	case "totp.recovery_codes":
		return shown(client.TOTP.RecoveryCodes(ctx, args.TotpID))
	case "media.upload":
		if args.Bytes != nil {
			return shown(client.Media.Upload(ctx, MediaUploadParams{Bytes: args.Bytes}))
		}
		return shown(client.Media.Upload(ctx, params[MediaUploadParams](c)))
	case "optouts.list":
		return items(ctx, client.OptOuts.List(params[OptOutsListParams](c)), c.Call.Take)
	case "webhooks.verify":
		header := http.Header{}
		for name, value := range args.Headers {
			header[name] = []string{value}
		}
		if args.Secret != nil {
			args.Secrets = []string{*args.Secret}
		}
		event, err := verifyWebhook(args.Now, append(args.BodyBytes, args.Body...), header, args.Secrets)
		if err != nil {
			return nil, err
		}
		var raw struct{ Data any }
		json.Unmarshal(event.Raw, &raw)
		data := withoutZeros(generic(event.Data), raw.Data)
		return map[string]any{"id": event.ID, "type": event.Type, "timestamp": event.Timestamp, "data": data}, nil
	}
	return nil, errors.New("the runner does not know the call " + c.Call.Name)
}

// params reads arguments strictly: every argument of a case is a field.
func params[P any](c conformanceCase) P {
	params := new(P)
	decoder := json.NewDecoder(bytes.NewReader(c.Call.Arguments))
	decoder.DisallowUnknownFields()
	must(decoder.Decode(params))
	if key := reflect.ValueOf(params).Elem().FieldByName("IdempotencyKey"); key.IsValid() {
		key.SetString(c.Call.IdempotencyKey)
	}
	return *params
}

// shown returns the fields of an answer, without zeros that stand for a null or a missing field.
func shown[T any](answer *T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	raw := reflect.ValueOf(answer).Elem().FieldByName("Raw").Bytes()
	return withoutZeros(generic(answer), generic(json.RawMessage(raw))), nil
}

func items[T any](ctx context.Context, it *Iterator[T], take int) (any, error) {
	read := []any{}
	for (take == 0 || len(read) < take) && it.Next(ctx) {
		item, _ := shown(it.Value(), nil)
		read = append(read, item)
	}
	return read, it.Err()
}

func generic(value any) (result any) {
	data, err := json.Marshal(value)
	must(err)
	must(json.Unmarshal(data, &result))
	return result
}

func withoutZeros(value, raw any) any {
	switch typed := value.(type) {
	case map[string]any:
		fields, _ := raw.(map[string]any)
		for name, field := range typed {
			if typed[name] = withoutZeros(field, fields[name]); typed[name] == nil {
				delete(typed, name)
			}
		}
		if raw == nil && len(typed) == 0 {
			return nil
		}
	case []any:
		list, _ := raw.([]any)
		for n := range list {
			typed[n] = withoutZeros(typed[n], list[n])
		}
	default:
		if raw == nil && (value == "" || value == 0.0 || value == false || value == "0001-01-01T00:00:00Z") {
			return nil
		}
	}
	return value
}
