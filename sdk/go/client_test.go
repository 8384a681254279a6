package pennytext

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const testKey = "conformance-7f3a9c51e2"

// service returns a client of a server that answers so, and the number of requests.
func service(t *testing.T, answer func(http.ResponseWriter, *http.Request), options Options) (*Client, func() int) {
	var mutex sync.Mutex
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		requests++
		mutex.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	options.APIKey, options.BaseURL = testKey, server.URL
	client, err := NewClient(options)
	if err != nil {
		t.Fatal(err)
	}
	return client, func() int {
		mutex.Lock()
		defer mutex.Unlock()
		return requests
	}
}

func unavailable(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusServiceUnavailable)
}

func TestRecipientWithANumberIsRefused(t *testing.T) {
	client, requests := service(t, unavailable, Options{})
	_, err := client.SendBulk(context.Background(), SendBulkParams{
		Message:    "Hi",
		Recipients: []map[string]any{{"to": "+12025550142"}, {"to": 12025550143}},
	})
	if !errors.Is(err, ErrInvalidArgument) || requests() != 0 {
		t.Errorf("got %v after %d requests", err, requests())
	}
}

func TestAnswerKeepsUnknownFields(t *testing.T) {
	body := `{"success":"true","balance":7,"used":"many","carbon":{"g":1}}`
	client, _ := service(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "req-7")
		fmt.Fprint(w, body)
	}, Options{})
	balance, err := client.Balance(context.Background())
	if err != nil || balance.Balance != 7 || balance.Used != 0 || string(balance.Raw) != body || balance.RequestID != "req-7" {
		t.Errorf("got %+v, %v", balance, err)
	}
}

func TestOptionsHideTheKey(t *testing.T) {
	if text := printed(Options{APIKey: testKey}) + printed(&Options{APIKey: testKey}); strings.Contains(text, testKey) {
		t.Error(text)
	}
}

func TestCanceledSendHasAKey(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	client, requests := service(t, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // The server sees the end of a connection only after that.
		cancel()
		<-r.Context().Done()
	}, Options{})
	params := SendParams{To: "+12025550142", Message: "Hello", IdempotencyKey: "order-7"}
	_, err := client.Send(ctx, params)
	var failure *Error
	if !errors.As(err, &failure) || !errors.Is(err, context.Canceled) || !failure.HasCode(CodeCanceled) ||
		!failure.OutcomeUnknown || failure.IdempotencyKey != "order-7" {
		t.Errorf("got %v", err)
	}
	if _, err = client.Send(ctx, params); !errors.As(err, &failure) || failure.OutcomeUnknown || requests() != 1 {
		t.Errorf("got %v after %d requests", err, requests())
	}
}

func TestContextEndsAWait(t *testing.T) {
	client, requests := service(t, unavailable, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	started := time.Now()
	if _, err := client.Balance(ctx); !errors.Is(err, context.Canceled) || requests() != 1 {
		t.Errorf("got %v after %d requests", err, requests())
	}
	if waited := time.Since(started); waited > 200*time.Millisecond {
		t.Errorf("it waited %v", waited)
	}
}

func TestWaitBeyondTheContextFailsAtOnce(t *testing.T) {
	client, requests := service(t, unavailable, Options{})
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	var failure *Error
	if _, err := client.Balance(ctx); !errors.As(err, &failure) || failure.Status != 503 || requests() != 1 {
		t.Errorf("got %v after %d requests", err, requests())
	}
}

func TestRedirectsOfTheCallersClientStay(t *testing.T) {
	own := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
	client, requests := service(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}, Options{HTTPClient: own})
	_, err := client.Balance(context.Background())
	var failure *Error
	if !errors.As(err, &failure) || failure.Status != 307 || requests() != 1 || own.CheckRedirect(nil, nil) != nil {
		t.Errorf("got %v after %d requests", err, requests())
	}
}

func TestUploadHasFourTimesAsLong(t *testing.T) {
	slow := func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(150 * time.Millisecond)
		fmt.Fprint(w, "{}")
	}
	client, _ := service(t, slow, Options{Timeout: 100 * time.Millisecond, MaxRetries: Int(0)})
	if _, err := client.Media.Upload(context.Background(), MediaUploadParams{Bytes: []byte("GIF")}); err != nil {
		t.Error(err)
	}
	var failure *Error
	if _, err := client.Balance(context.Background()); !errors.As(err, &failure) || !failure.HasCode(CodeTimedOut) {
		t.Errorf("got %v", err)
	}
}

func TestClientServesGoroutines(t *testing.T) {
	client, requests := service(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"balance":1}`) }, Options{})
	var group sync.WaitGroup
	for n := 0; n < 50; n++ {
		group.Add(1)
		go func() {
			defer group.Done()
			if _, err := client.Balance(context.Background()); err != nil {
				t.Error(err)
			}
		}()
	}
	if group.Wait(); requests() != 50 {
		t.Errorf("%d requests", requests())
	}
}
