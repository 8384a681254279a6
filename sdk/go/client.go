// Package pennytext is a client of the Pennytext SMS API.
//
// A call that fails returns an *Error with a stable Code. Calls that lose their connection are repeated with one
// Idempotency-Key, so that nothing is sent or charged twice.
package pennytext

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
)

// version is the version of the module, as in the name of its archive.
const version = "0.1.0"

// ErrInvalidArgument is wrapped by the errors of calls that were refused before a request was sent.
var ErrInvalidArgument = errors.New("pennytext: invalid argument")

// Options configure a Client. Their zero value takes the key and the address from the environment.
type Options struct {
	// APIKey is the secret of your key. If empty, PENNYTEXT_API_KEY is used.
	APIKey string `json:"-"`

	// BaseURL is the address of the service, without /api. If empty, PENNYTEXT_URL is used.
	BaseURL string

	// HTTPClient sends the requests, but follows no redirects. If nil, requests use http.DefaultTransport.
	HTTPClient *http.Client

	// MaxRetries is the maximum of repetitions of a failed call. If nil, it is 3.
	MaxRetries *int64

	// Timeout is the longest time of each try. If zero, it is 30 seconds. Uploads have four times as long.
	Timeout time.Duration

	// Deadline is the longest time of a call with its tries and waits. If zero, it is 60 seconds. Uploads have
	// four times as long.
	Deadline time.Duration
}

// String returns the options without the key.
func (o Options) String() string { return fmt.Sprintf("pennytext.Options{BaseURL: %q}", o.BaseURL) }

// GoString returns the options without the key.
func (o Options) GoString() string { return o.String() }

// Int returns a pointer to v, for optional fields.
func Int(v int64) *int64 { return &v }

// Bool returns a pointer to v, for optional fields.
func Bool(v bool) *bool { return &v }

// String returns a pointer to v, for optional fields.
func String(v string) *string { return &v }

// Time returns a pointer to v, for optional fields.
func Time(v time.Time) *time.Time { return &v }

var (
	keyPattern  = regexp.MustCompile(`^[\x21-\x7e]+$`)
	basePattern = regexp.MustCompile(`^(?i:https?)://[^\s?#]+$`)
)

// NewClient returns a client that any number of goroutines can use. Its errors wrap ErrInvalidArgument.
func NewClient(options Options) (*Client, error) {
	key, base := options.APIKey, options.BaseURL
	if key == "" {
		key = os.Getenv("PENNYTEXT_API_KEY")
	}
	if base == "" {
		base = os.Getenv("PENNYTEXT_URL")
	}
	if !keyPattern.MatchString(key) {
		return nil, invalid("the APIKey, or else PENNYTEXT_API_KEY, must be printable ASCII without spaces")
	}
	// The errors do not quote the address, which may contain a password.
	if address, err := url.Parse(base); !basePattern.MatchString(base) || err != nil || address.User != nil {
		return nil, invalid("the BaseURL, or else PENNYTEXT_URL, must be such as https://sms.example.com, " +
			"without password, query and fragment")
	}
	t := &transport{
		base: strings.TrimRight(base, "/"),
		// A function keeps the key out of fmt's verbs.
		authorize:  func(header http.Header) { header.Set("Authorization", "Bearer "+key) },
		maxRetries: 3,
		timeout:    30 * time.Second,
		deadline:   60 * time.Second,
		now:        time.Now,
		sleep:      sleep,
	}
	if options.HTTPClient != nil {
		t.client = *options.HTTPClient
	}
	// The key would go to another address.
	t.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if options.MaxRetries != nil {
		t.maxRetries = *options.MaxRetries
	}
	if options.Timeout > 0 {
		t.timeout = options.Timeout
	}
	if options.Deadline > 0 {
		t.deadline = options.Deadline
	}
	return newClient(t), nil
}

func invalid(detail string) error { return fmt.Errorf("%w: %s", ErrInvalidArgument, detail) }

// sleep returns early when ctx is done.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
