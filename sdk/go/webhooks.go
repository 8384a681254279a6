package pennytext

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const webhookTolerance = 5 * time.Minute

// Event is a genuine webhook.
type Event struct {
	// ID is the same on every attempt: store it to process each event once.
	ID string `json:"-"`

	// Type is such as "message.delivered".
	Type string `json:"type"`

	// Timestamp is when it happened. It is zero for "message.received".
	Timestamp time.Time `json:"timestamp"`

	// Data is a pointer to the data of the type, such as *MessageDeliveredData, or nil for a type that this version
	// of the package does not know.
	Data any `json:"-"`

	// Raw is the body as it came.
	Raw json.RawMessage `json:"-"`
}

// VerifyWebhook checks the signature of a webhook and returns its event. The body is the request's body as it came.
// During a rotation pass both secrets. The error is an *Error with CodeInvalidWebhook unless the webhook is genuine
// and at most five minutes old; it wraps ErrInvalidArgument if a secret is none.
func VerifyWebhook(body []byte, header http.Header, secrets ...string) (*Event, error) {
	return verifyWebhook(time.Now(), body, header, secrets)
}

// signaturePattern also finds signatures of a header that came twice, whose values a proxy has joined by a comma.
var signaturePattern = regexp.MustCompile(`(?:^|[\s,])v1,([A-Za-z0-9+/]+={0,2})`)

func verifyWebhook(now time.Time, body []byte, header http.Header, secrets []string) (*Event, error) {
	var keys [][]byte
	for _, secret := range secrets {
		text := strings.TrimPrefix(strings.TrimSpace(secret), "whsec_")
		key, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
		if err != nil || len(key) == 0 {
			return nil, invalid(`a webhook secret is "whsec_" and base64`)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, invalid("a webhook is verified with a secret")
	}
	id, timestamp := headerValue(header, "webhook-id"), headerValue(header, "webhook-timestamp")
	if id == "" || timestamp == "" {
		return nil, forged("The header webhook-id or webhook-timestamp is missing.")
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	age := now.Sub(time.Unix(int64(seconds), 0))
	if err != nil || age > webhookTolerance || age < -webhookTolerance {
		return nil, forged(fmt.Sprintf("webhook-timestamp is more than %v from the clock.", webhookTolerance))
	}
	signatures := signaturePattern.FindAllStringSubmatch(headerValue(header, "webhook-signature"), -1)
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
		expected := mac.Sum(nil)
		for _, found := range signatures {
			if given, err := base64.StdEncoding.DecodeString(found[1]); err == nil && hmac.Equal(expected, given) {
				return eventOf(id, body)
			}
		}
	}
	return nil, forged("No signature matches: is this the secret of the dashboard, and the body as it came?")
}

// eventOf reads the event of a genuine body. A received message has no type of its own: its body is its data.
func eventOf(id string, body []byte) (*Event, error) {
	event := &Event{ID: id, Raw: body}
	envelope := map[string]json.RawMessage{}
	if json.Unmarshal(body, &envelope) != nil || decode("", body, event) != nil {
		return nil, forged("The body is not a JSON object.")
	}
	data := envelope["data"]
	if _, ok := envelope["type"]; !ok {
		event.Type, data = "message.received", body
	}
	if event.Data = newData(event.Type); event.Data != nil && len(data) > 0 && decode("", data, event.Data) != nil {
		return nil, forged("The data is not that of the type " + event.Type + ".")
	}
	return event, nil
}

// headerValue finds a name in any case, also in a header that was not made by net/http.
func headerValue(header http.Header, name string) string {
	for key, values := range header {
		if strings.EqualFold(key, name) {
			return strings.TrimSpace(strings.Join(values, ","))
		}
	}
	return ""
}

func forged(detail string) *Error { return &Error{Code: CodeInvalidWebhook, Detail: detail} }
