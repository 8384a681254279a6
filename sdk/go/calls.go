// Code generated from the contract by `npm run -s docs:sdk`. DO NOT EDIT.

package pennytext

import (
	"context"
	"net/url"
	"time"
)

// Client makes the calls of the API. NewClient returns one.
type Client struct {
	transport *transport
	Media     *MediaService
	Messages  *MessagesService
	OTP       *OTPService
	OptOuts   *OptOutsService
	Batches   *BatchesService
	Numbers   *NumbersService
	Pools     *PoolsService
	TOTP      *TOTPService
}

func newClient(transport *transport) *Client {
	return &Client{
		transport: transport,
		Media:     &MediaService{transport},
		Messages:  &MessagesService{transport},
		OTP:       &OTPService{transport},
		OptOuts:   &OptOutsService{transport},
		Batches:   &BatchesService{transport},
		Numbers:   &NumbersService{transport},
		Pools:     &PoolsService{transport},
		TOTP:      &TOTPService{transport},
	}
}

// MediaService is a part of Client.
type MediaService struct{ transport *transport }

// MessagesService is a part of Client.
type MessagesService struct{ transport *transport }

// OTPService is a part of Client.
type OTPService struct{ transport *transport }

// OptOutsService is a part of Client.
type OptOutsService struct{ transport *transport }

// BatchesService is a part of Client.
type BatchesService struct{ transport *transport }

// NumbersService is a part of Client.
type NumbersService struct{ transport *transport }

// PoolsService is a part of Client.
type PoolsService struct{ transport *transport }

// TOTPService is a part of Client.
type TOTPService struct{ transport *transport }

// SendParams are the arguments of Client.Send.
type SendParams struct {
	// Phone number of the recipient with + and country code. Numbers without + are treated as US numbers.
	To string `json:"to"`
	// The text, at most 10 segments. Required, unless there is media; with it, at most 1,600 characters.
	Message string `json:"message,omitempty"`
	// Your own reference for the message, up to 64 characters. It is returned in answers and webhooks.
	Reference string `json:"reference,omitempty"`
	// A number of your account, or the id of one or of a pool. Without it: the number that the recipient
	// knows, otherwise one of your default pool, otherwise one that the service chooses.
	From string `json:"from,omitempty"`
	// "auto" (default): GSM-7 if it contains every character, else UCS-2. "gsm7": refused unless GSM-7
	// contains every character. "smart": typographic quotes, dashes, spaces and the like become GSM-7
	// equivalents; the answer’s message shows the text. Values: "auto", "gsm7", "smart".
	Encoding string `json:"encoding,omitempty"`
	// When the message leaves, as a date and time with an offset (RFC 3339), as YYYY-MM-DDThh:mm:ss-05:00:
	// from 5 seconds to 35 days from now. It is charged at once, and can be canceled until it leaves.
	SendAt *time.Time `json:"send_at,omitempty"`
	// Seconds, from 60 to 14400: if the carrier does not have the message within that time after it was
	// accepted, or after SendAt, it fails as expired and is refunded.
	Validity *int64 `json:"validity,omitempty"`
	// Choice of another route. "once": the next route is tried only if the first one certainly did not
	// deliver the message. "fast": also when that is in doubt or takes too long; the message may then
	// arrive twice. It is charged once. Default: "once". Values: "once", "fast".
	Delivery string `json:"delivery,omitempty"`
	// Seconds, from 8 to 300: without a receipt for so long, a message with delivery fast is handed to
	// another route.
	HedgeSeconds *int64 `json:"hedge_seconds,omitempty"`
	// The quote of POST /api/quote: the same content then costs at most what was quoted.
	Quote string `json:"quote,omitempty"`
	// Seconds: a message to the same recipient with the same text that you sent within this time, and that
	// has not failed, is the answer, with deduplicated; nothing is sent or charged.
	Dedupe *int64 `json:"dedupe,omitempty"`
	// The highest price in credits that you accept; the message is refused if it costs more.
	MaxCredits *int64 `json:"max_credits,omitempty"`
	// Pictures and other files, at most 10, together 5,000,000 bytes: each is {"url": …}, which is fetched
	// before the answer, or {"media_id": …} of POST /api/media. A form repeats the field, with a URL or an
	// id. The message is then an MMS, for numbers of the USA and Canada.
	Media []MediaSource `json:"media,omitempty"`
	// Handling of files where MMS is not possible. "refuse" (default): CodeMediaUnsupported. "link": a
	// text that ends with links to the files, at the price of a text, for accounts that are activated for
	// URLs. Values: "refuse", "link".
	MediaFallback string `json:"media_fallback,omitempty"`
	// Whether pictures that are larger than the networks take are made smaller; animated ones never are.
	// With false they are refused.
	Transcode *bool `json:"transcode,omitempty"`
	// Your own key, which also recognizes a repetition by another process. If empty, each call has a
	// random key.
	IdempotencyKey string `json:"-"`
}

// Send sends an SMS.
//
// Accepts one message: it is checked, charged and stored before the answer, and handed to the carrier
// a moment later, or at SendAt. The first error that applies is returned; a refused request sends and
// costs nothing.
func (c *Client) Send(ctx context.Context, params SendParams) (*AcceptedMessage, error) {
	return call[AcceptedMessage](ctx, c.transport, request{
		method: "POST",
		path:   "/api/sendsms",
		body:   params,
		repeat: keyed,
		key:    params.IdempotencyKey,
	})
}

// MediaUploadParams are the arguments of MediaService.Upload.
type MediaUploadParams struct {
	// The file. If nil, the service fetches URL.
	Bytes []byte `json:"-"`
	// Where the file is. It is fetched before the answer.
	URL string `json:"url,omitempty"`
	// Your own key, which also recognizes a repetition by another process. If empty, each call has a
	// random key.
	IdempotencyKey string `json:"-"`
}

// Upload uploads a file.
//
// Stores a picture or another file for messages, for 30 days: multipart/form-data with a part file and
// the key as Authorization: Bearer, or its url, which is fetched.
func (s *MediaService) Upload(ctx context.Context, params MediaUploadParams) (*UploadedMedia, error) {
	return call[UploadedMedia](ctx, s.transport, request{
		method:   "POST",
		path:     "/api/media",
		body:     params,
		file:     params.Bytes,
		isUpload: true,
		repeat:   keyed,
		key:      params.IdempotencyKey,
	})
}

// MessagesListParams are the arguments of MessagesService.List.
type MessagesListParams struct {
	// Only messages in this state. Values: "scheduled", "queued", "sending", "sent", "delivered",
	// "undelivered", "failed", "canceled".
	Status string `json:"status,omitempty"`
	// Only messages that were not delivered for this reason: a code of the carrier, such as 30003, or of
	// ours, for messages without one of the carrier.
	Reason string `json:"reason,omitempty"`
	// Only messages to this number.
	To string `json:"to,omitempty"`
	// Only messages with exactly this reference.
	Reference string `json:"reference,omitempty"`
	// Only messages of this batch.
	BatchID string `json:"batch_id,omitempty"`
	// Only messages accepted at this time or later (RFC 3339 with an offset).
	Since *time.Time `json:"since,omitempty"`
	// Only messages accepted before this time.
	Until *time.Time `json:"until,omitempty"`
}

// List lists your messages.
//
// Your messages and their states, newest first, in pages. With a filter a page may have fewer messages
// than there are, or none: ask on until next_cursor is null.
func (s *MessagesService) List(params MessagesListParams) *Iterator[Message] {
	return list[Message](s.transport, request{
		method: "GET",
		path:   "/api/messages",
		query:  params,
	}, "messages")
}

// Get shows a message.
//
// One message and its state. Messages of other accounts are not found.
func (s *MessagesService) Get(ctx context.Context, messageID string) (*MessageAnswer, error) {
	return call[MessageAnswer](ctx, s.transport, request{
		method: "GET",
		path:   "/api/messages/" + url.PathEscape(messageID),
	})
}

// Record shows the record of a message.
//
// Everything known of one message: every state with its time and cause, the carrier’s id and codes,
// ledger entries with their seals, refund, and webhooks with their attempts. removed names what is no
// longer kept.
func (s *MessagesService) Record(ctx context.Context, messageID string) (*MessageRecord, error) {
	return call[MessageRecord](ctx, s.transport, request{
		method: "GET",
		path:   "/api/messages/" + url.PathEscape(messageID) + "/record",
	})
}

// Cancel cancels a message.
//
// Cancels a message that is scheduled or queued, and refunds its credits. Canceling it again answers
// 200 with it, and refunds nothing more. A one-time password cannot be canceled.
func (s *MessagesService) Cancel(ctx context.Context, messageID string) (*MessageAnswer, error) {
	return call[MessageAnswer](ctx, s.transport, request{
		method: "POST",
		path:   "/api/messages/" + url.PathEscape(messageID) + "/cancel",
		body:   struct{}{},
	})
}

// OTPSendParams are the arguments of OTPService.Send.
type OTPSendParams struct {
	// Phone number of the recipient with + and country code. Numbers without + are treated as US numbers.
	// One-time passwords are sent to countries whose otp is true in GET /api/regions.
	To string `json:"to"`
	// Ways of reaching the person, at most 4, in order: the next begins when one fails, or when its
	// WaitSeconds are over and the code was neither entered nor reported as delivered. Each is sms,
	// whatsapp, voice or email; to replaces the number, and is needed for email. A form sends their names,
	// separated by commas. Without it the code goes by SMS alone.
	Channels []OTPChannel `json:"channels,omitempty"`
	// The highest price in credits of all channels together that you accept, which POST /api/quote answers
	// as CreditsMax. A resend costs its own price.
	MaxCredits *int64 `json:"max_credits,omitempty"`
	// Name of the sending organization, on one line: the text then begins with Message from [org].
	Org string `json:"org,omitempty"`
	// Your own code, which you verify yourself: digits, and capital letters without I, L and O. Without it
	// we make a code.
	Code string `json:"code,omitempty"`
	// Lifetime of the code in minutes.
	Limit *int64 `json:"limit,omitempty"`
	// Number of digits of the code.
	Length *int64 `json:"length,omitempty"`
	// Host name of your site, such as example.com: phones then autofill the code on this site only.
	Domain string `json:"domain,omitempty"`
	// A number of your account, or the id of one or of a pool. Without it: the number that the recipient
	// knows, otherwise one of your default pool, otherwise one that the service chooses.
	From string `json:"from,omitempty"`
	// Choice of another route. "once": the next route is tried only if the first one certainly did not
	// deliver the message. "fast": also when that is in doubt or takes too long; the message may then
	// arrive twice. It is charged once. Default: "fast". Values: "once", "fast".
	Delivery string `json:"delivery,omitempty"`
	// Seconds, from 8 to 300: without a receipt for so long, a message with delivery fast is handed to
	// another route.
	HedgeSeconds *int64 `json:"hedge_seconds,omitempty"`
	// Network address of the end user who asked for the code: the fraud guard counts codes by it.
	IP string `json:"ip,omitempty"`
	// Your name for the device of the end user: the fraud guard counts codes by it.
	Device string `json:"device,omitempty"`
	// Your own reference for the message, up to 64 characters. It is returned in answers and webhooks.
	Reference string `json:"reference,omitempty"`
	// Your own key, which also recognizes a repetition by another process. If empty, each call has a
	// random key.
	IdempotencyKey string `json:"-"`
}

// Send sends a one-time password.
//
// Generates a code and sends it, to the USA and Canada only, unless the operator has changed that: see
// otp in GET /api/regions. It costs 1 credit by SMS and has one segment; with channels each message
// costs what its channel costs.
func (s *OTPService) Send(ctx context.Context, params OTPSendParams) (*SentOTP, error) {
	return call[SentOTP](ctx, s.transport, request{
		method: "POST",
		path:   "/api/sendotp",
		body:   params,
		repeat: keyed,
		key:    params.IdempotencyKey,
	})
}

// OTPResendParams are the arguments of OTPService.Resend.
type OTPResendParams struct {
	// The OTPID that sendotp returned.
	OTPID string `json:"otp_id"`
	// One of the channels of the code. Without it the next of them begins, or the latest sends again if it
	// was the last. Values: "sms", "whatsapp", "voice", "email".
	Channel string `json:"channel,omitempty"`
	// Your own key, which also recognizes a repetition by another process. If empty, each call has a
	// random key.
	IdempotencyKey string `json:"-"`
}

// Resend sends a one-time password again.
//
// Sends the same code as a new message, which costs 1 credit by SMS. Each resend by the same channel
// has to wait longer: 30, 60, 120, 300 seconds after the message before. The code still expires at
// ExpiresAt.
func (s *OTPService) Resend(ctx context.Context, params OTPResendParams) (*SentOTP, error) {
	return call[SentOTP](ctx, s.transport, request{
		method: "POST",
		path:   "/api/resendotp",
		body:   params,
		repeat: keyed,
		key:    params.IdempotencyKey,
	})
}

// Get shows a one-time password.
//
// The state of a code, until 24 hours after it has ended. The digits are never shown.
func (s *OTPService) Get(ctx context.Context, otpID string) (*OTP, error) {
	return call[OTP](ctx, s.transport, request{
		method: "GET",
		path:   "/api/otps/" + url.PathEscape(otpID),
	})
}

// OTPListParams are the arguments of OTPService.List.
type OTPListParams struct {
	// Only codes in this state. Values: "pending", "verified", "expired", "exhausted", "blocked",
	// "unmanaged".
	Status string `json:"status,omitempty"`
	// Only codes that went by this channel. Values: "sms", "whatsapp", "voice", "email".
	Channel string `json:"channel,omitempty"`
	// Only codes to this number, in any form.
	To string `json:"to,omitempty"`
	// Only codes to this country, as ISO 3166-1 alpha-2 code.
	Country string `json:"country,omitempty"`
	// Only this code.
	OTPID string `json:"otp_id,omitempty"`
	// Only codes with this reference.
	Reference string `json:"reference,omitempty"`
	// Only codes sent with this named key; account for the account's own key.
	KeyID string `json:"key_id,omitempty"`
	// Only codes sent at this time or later.
	Since *time.Time `json:"since,omitempty"`
	// Only codes sent before this time.
	Until *time.Time `json:"until,omitempty"`
}

// List lists one-time passwords.
//
// Your codes, newest first, 50 per page, with what became of their messages, until 24 hours after they
// have ended, and what the fraud guard refused. The digits are never shown. A page of a search may
// have fewer codes, or none: next_cursor tells whether there is more.
func (s *OTPService) List(params OTPListParams) *Iterator[ListedOTP] {
	return list[ListedOTP](s.transport, request{
		method: "GET",
		path:   "/api/otps",
		query:  params,
	}, "otps")
}

// OTPConversionParams are the arguments of OTPService.Conversion.
type OTPConversionParams struct {
	// First day, in New York; at most 92 days with the last one. Without it the last 30 days.
	From string `json:"from,omitempty"`
	// Last day, inclusive. Without it today.
	To string `json:"to,omitempty"`
}

// Conversion shows the conversion.
//
// How many of the codes that you sent on some New York days were verified, in all, by country and by
// day. A code counts on the day on which it was first sent, and once, however often it was sent again;
// one that is still pending counts as sent. The figures are exact at any time. Codes of test keys do
// not count.
func (s *OTPService) Conversion(ctx context.Context, params OTPConversionParams) (*OTPConversion, error) {
	return call[OTPConversion](ctx, s.transport, request{
		method: "GET",
		path:   "/api/otp/conversion",
		query:  params,
	})
}

// Guard shows the fraud guard.
//
// The rules of the fraud guard, and what they refused within the last hour.
func (s *OTPService) Guard(ctx context.Context) (*OTPGuard, error) {
	return call[OTPGuard](ctx, s.transport, request{
		method: "GET",
		path:   "/api/otp/guard",
	})
}

// OTPVerifyParams are the arguments of OTPService.Verify.
type OTPVerifyParams struct {
	// The code that the person typed, as text because it may begin with 0.
	OTP string `json:"otp"`
	// Phone number that the code was sent to. Always send it, or OTPID: a code alone could match another
	// person’s number.
	To string `json:"to,omitempty"`
	// The OTPID of the code, in place of to.
	OTPID string `json:"otp_id,omitempty"`
}

// Verify verifies a one-time password.
//
// Verifies a code. The answer is plain text, or JSON with Accept: application/json. It costs nothing.
// Errors are always JSON.
func (s *OTPService) Verify(ctx context.Context, params OTPVerifyParams) (*OTPVerdict, error) {
	return call[OTPVerdict](ctx, s.transport, request{
		method: "POST",
		path:   "/api/verifyotp",
		body:   params,
		repeat: once,
	})
}

// TriggerParams are the arguments of Client.Trigger.
type TriggerParams struct {
	// The type of the event.
	Type string `json:"type"`
}

// Trigger creates a test event.
//
// Creates an event with example data, for the open streams of the account and, if it has a webhook
// URL, for the webhook.
func (c *Client) Trigger(ctx context.Context, params TriggerParams) (*TriggeredEvent, error) {
	return call[TriggeredEvent](ctx, c.transport, request{
		method: "POST",
		path:   "/api/events",
		body:   params,
		repeat: once,
	})
}

// Balance shows the balance.
//
// Your credits.
func (c *Client) Balance(ctx context.Context) (*Balance, error) {
	return call[Balance](ctx, c.transport, request{
		method: "GET",
		path:   "/api/balance",
	})
}

// OptOutsListParams are the arguments of OptOutsService.List.
type OptOutsListParams struct {
	// Only this person.
	Number string `json:"number,omitempty"`
	// Only those who opted out of this sender.
	Sender string `json:"sender,omitempty"`
	// Only those who opted out at this time or later (RFC 3339 with an offset).
	Since *time.Time `json:"since,omitempty"`
	// Only those who opted out before this time.
	Until *time.Time `json:"until,omitempty"`
	// "opted_out" (default): opt-outs in force. "all": those that were lifted, too. Values: "opted_out",
	// "all".
	Status string `json:"status,omitempty"`
}

// List lists opt-outs.
//
// The people whom you have texted and who have opted out of a sender, or who have opted out of a
// number of yours, newest first. An opt-out from a number of yours holds for all that you send, from
// every number and pool that you have or get; one from a shared number for all of these, and for what
// you send without from: messages to that person are refused as CodeRecipientOptedOut until the person
// replies START.
func (s *OptOutsService) List(params OptOutsListParams) *Iterator[OptOut] {
	return list[OptOut](s.transport, request{
		method: "GET",
		path:   "/api/optouts",
		query:  params,
	}, "optouts")
}

// Notifications shows what needs your attention.
//
// What does not work now, or soon will not: a failing webhook, a low balance, a declined card, paused
// one-time passwords, suspended sending and the like. Each is there as long as its cause. The
// dashboard shows the same.
func (c *Client) Notifications(ctx context.Context) (*Notifications, error) {
	return call[Notifications](ctx, c.transport, request{
		method: "GET",
		path:   "/api/notifications",
	})
}

// DeliverabilityParams are the arguments of Client.Deliverability.
type DeliverabilityParams struct {
	// First day of acceptance, in New York; at most 92 days with the last one. Without it the last 30
	// days.
	From string `json:"from,omitempty"`
	// Last day of acceptance, inclusive. Without it today.
	To string `json:"to,omitempty"`
}

// Deliverability shows the deliverability.
//
// What became of the messages that you sent on some New York days: how many were delivered, why others
// were not, and both by country, day and key. Messages on their way and canceled ones do not count.
// The figures are exact at any time: a message counts in the moment in which it ends.
func (c *Client) Deliverability(ctx context.Context, params DeliverabilityParams) (*Deliverability, error) {
	return call[Deliverability](ctx, c.transport, request{
		method: "GET",
		path:   "/api/deliverability",
		query:  params,
	})
}

// SpendParams are the arguments of Client.Spend.
type SpendParams struct {
	// First day, in New York; at most 366 days with the last one. Without it from the first day of the
	// month 5 months earlier.
	From string `json:"from,omitempty"`
	// Last day, inclusive. Without it today.
	To string `json:"to,omitempty"`
}

// Spend shows the spend.
//
// The credits that you spent on some New York days: charged for messages, one-time passwords and
// replies, less refunds, by month and key, by day, key, country and kind. The figures are those of the
// ledger, exact at any time. A refund counts on the day on which the credits came back.
func (c *Client) Spend(ctx context.Context, params SpendParams) (*Spend, error) {
	return call[Spend](ctx, c.transport, request{
		method: "GET",
		path:   "/api/spend",
		query:  params,
	})
}

// Exposure shows what leaked keys could spend.
//
// The most credits that could be spent before you notice if all your keys leaked now, from your
// balance, automatic top-up, daily limit, and the keys’ budgets and countries, assuming that you
// notice within 24 hours. It includes the replies that the recipients could write. Also what lowers
// it, the most effective change first.
func (c *Client) Exposure(ctx context.Context) (*Exposure, error) {
	return call[Exposure](ctx, c.transport, request{
		method: "GET",
		path:   "/api/exposure",
	})
}

// SendBulkParams are the arguments of Client.SendBulk.
type SendBulkParams struct {
	// Up to 10,000 messages, each with to, message and perhaps reference.
	Messages []BulkMessage `json:"messages,omitempty"`
	// A template, in place of messages: {{name}} is replaced by the field name of each recipient.
	Message string `json:"message,omitempty"`
	// Up to 10,000 recipients of the template, each with to, perhaps reference, and its variables: texts
	// or numbers.
	Recipients []map[string]any `json:"recipients,omitempty"`
	// For all messages, as in sendsms.
	From string `json:"from,omitempty"`
	// For all messages, as in sendsms. Values: "auto", "gsm7", "smart".
	Encoding string `json:"encoding,omitempty"`
	// The quote of POST /api/quote: the same content then costs at most what was quoted.
	Quote string `json:"quote,omitempty"`
	// Refuse the bulk if all of its messages together cost more credits.
	MaxCredits *int64 `json:"max_credits,omitempty"`
	// For all messages, as in sendsms.
	SendAt *time.Time `json:"send_at,omitempty"`
	// For all messages, as in sendsms.
	Validity *int64 `json:"validity,omitempty"`
	// For all messages, as in sendsms. Values: "once", "fast".
	Delivery string `json:"delivery,omitempty"`
	// For all messages, as in sendsms.
	HedgeSeconds *int64 `json:"hedge_seconds,omitempty"`
	// Seconds, as in sendsms: a message that was sent before is listed as duplicate, and the others are
	// sent.
	Dedupe *int64 `json:"dedupe,omitempty"`
	// Pictures and other files, at most 10, together 5,000,000 bytes: each is {"url": …}, which is fetched
	// before the answer, or {"media_id": …} of POST /api/media. A form repeats the field, with a URL or an
	// id. The message is then an MMS, for numbers of the USA and Canada. Every message gets them.
	Media []MediaSource `json:"media,omitempty"`
	// Handling of files where MMS is not possible. "refuse" (default): CodeMediaUnsupported. "link": a
	// text that ends with links to the files, at the price of a text, for accounts that are activated for
	// URLs. Values: "refuse", "link".
	MediaFallback string `json:"media_fallback,omitempty"`
	// Whether pictures that are larger than the networks take are made smaller; animated ones never are.
	// With false they are refused.
	Transcode *bool `json:"transcode,omitempty"`
	// Accept what can be accepted. Without it any rejected item rejects all, and nothing is charged.
	Partial *bool `json:"partial,omitempty"`
	// Your own key, which also recognizes a repetition by another process. If empty, each call has a
	// random key.
	IdempotencyKey string `json:"-"`
}

// SendBulk sends many messages.
//
// Accepts up to 10,000 messages at once, JSON only, at most 5 MiB: all of them or none, or with
// partial those that can be accepted. It counts as one request.
func (c *Client) SendBulk(ctx context.Context, params SendBulkParams) (*AcceptedBulk, error) {
	return call[AcceptedBulk](ctx, c.transport, request{
		method: "POST",
		path:   "/api/sendbulk",
		body:   params,
		repeat: keyed,
		key:    params.IdempotencyKey,
	})
}

// List lists your batches.
//
// Your bulks and how far they are, newest first, in pages.
func (s *BatchesService) List() *Iterator[Batch] {
	return list[Batch](s.transport, request{
		method: "GET",
		path:   "/api/batches",
	}, "batches")
}

// QuoteParams are SendParams.
type QuoteParams = SendParams

// Quote prices a message.
//
// Returns the price without sending, for the body of sendsms or sendbulk, or of sendotp with channels.
// For 10 minutes sending the same message or bulk with quote costs at most this price; a one-time
// password has no quote, and its MaxCredits bounds the price. It costs nothing, and it is refused if a
// test would be.
func (c *Client) Quote(ctx context.Context, params QuoteParams) (*Quote, error) {
	return call[Quote](ctx, c.transport, request{
		method: "POST",
		path:   "/api/quote",
		body:   params,
	})
}

// QuoteBulkParams are SendBulkParams.
type QuoteBulkParams = SendBulkParams

// QuoteBulk prices a bulk.
//
// Returns the price without sending, for the body of sendsms or sendbulk, or of sendotp with channels.
// For 10 minutes sending the same message or bulk with quote costs at most this price; a one-time
// password has no quote, and its MaxCredits bounds the price. It costs nothing, and it is refused if a
// test would be.
func (c *Client) QuoteBulk(ctx context.Context, params QuoteBulkParams) (*BulkQuote, error) {
	return call[BulkQuote](ctx, c.transport, request{
		method: "POST",
		path:   "/api/quote",
		body:   params,
	})
}

// QuoteOTPParams are OTPSendParams.
type QuoteOTPParams = OTPSendParams

// QuoteOTP prices a one-time password with channels.
//
// Returns the price without sending, for the body of sendsms or sendbulk, or of sendotp with channels.
// For 10 minutes sending the same message or bulk with quote costs at most this price; a one-time
// password has no quote, and its MaxCredits bounds the price. It costs nothing, and it is refused if a
// test would be.
func (c *Client) QuoteOTP(ctx context.Context, params QuoteOTPParams) (*OTPQuote, error) {
	return call[OTPQuote](ctx, c.transport, request{
		method: "POST",
		path:   "/api/quote",
		body:   params,
	})
}

// Get shows a batch.
//
// How many messages of a bulk have each status, and what they cost.
func (s *BatchesService) Get(ctx context.Context, batchID string) (*BatchAnswer, error) {
	return call[BatchAnswer](ctx, s.transport, request{
		method: "GET",
		path:   "/api/batches/" + url.PathEscape(batchID),
	})
}

// Cancel cancels a batch.
//
// Cancels the messages of a bulk that are scheduled or queued, and refunds them. Those that dispatch
// already has are sent.
func (s *BatchesService) Cancel(ctx context.Context, batchID string) (*BatchCanceled, error) {
	return call[BatchCanceled](ctx, s.transport, request{
		method: "POST",
		path:   "/api/batches/" + url.PathEscape(batchID) + "/cancel",
		body:   struct{}{},
	})
}

// Messages lists the messages of a batch.
//
// The messages of a bulk and their states, the last one first, in pages.
func (s *BatchesService) Messages(batchID string) *Iterator[Message] {
	return list[Message](s.transport, request{
		method: "GET",
		path:   "/api/batches/" + url.PathEscape(batchID) + "/messages",
	}, "messages")
}

// NumbersAvailableParams are the arguments of NumbersService.Available.
type NumbersAvailableParams struct {
	// Country as ISO 3166-1 alpha-2 code. US by default.
	Country string `json:"country,omitempty"`
	// "local" (default) or "toll_free". Values: "local", "toll_free".
	Type string `json:"type,omitempty"`
	// Only numbers with this area code, of the USA and Canada.
	AreaCode string `json:"area_code,omitempty"`
	// Only numbers with these 2 to 10 digits or letters of a keypad in a row; * is any digit.
	Contains string `json:"contains,omitempty"`
	// How many at most: 20 by default.
	Limit *int64 `json:"limit,omitempty"`
}

// Available searches for a number.
//
// Numbers that you can buy, with their prices. All of them carry messages.
func (s *NumbersService) Available(ctx context.Context, params NumbersAvailableParams) (*AvailableNumbers, error) {
	return call[AvailableNumbers](ctx, s.transport, request{
		method: "GET",
		path:   "/api/numbers/available",
		query:  params,
	})
}

// NumbersBuyParams are the arguments of NumbersService.Buy.
type NumbersBuyParams struct {
	// The number, as a search has listed it.
	Number string `json:"number"`
	// Your name for it, up to 60 characters.
	Label string `json:"label,omitempty"`
	// false: it is released when the month that is paid ends. true (default): its rent is taken then.
	AutoRenew *bool `json:"auto_renew,omitempty"`
	// Your own key, which also recognizes a repetition by another process. If empty, each call has a
	// random key.
	IdempotencyKey string `json:"-"`
}

// Buy buys a number.
//
// The price is held, and taken when the carrier has confirmed; else it is returned. Afterwards the
// rent is taken every month. An account needs a paid purchase of credits, has 10 numbers at most and
// buys 5 a day. DELETE it to give it up.
func (s *NumbersService) Buy(ctx context.Context, params NumbersBuyParams) (*BoughtNumber, error) {
	return call[BoughtNumber](ctx, s.transport, request{
		method: "POST",
		path:   "/api/numbers",
		body:   params,
		repeat: keyed,
		key:    params.IdempotencyKey,
	})
}

// NumbersListParams are the arguments of NumbersService.List.
type NumbersListParams struct {
	// "live" (default): those that you have. "released": those that you had. Values: "live", "released".
	Status string `json:"status,omitempty"`
}

// List lists your numbers.
//
// Your numbers, newest first.
func (s *NumbersService) List(ctx context.Context, params NumbersListParams) (*OwnNumbers, error) {
	return call[OwnNumbers](ctx, s.transport, request{
		method: "GET",
		path:   "/api/numbers",
		query:  params,
	})
}

// Get shows a number.
//
// One number, and what went through it.
func (s *NumbersService) Get(ctx context.Context, numberID string) (*OwnNumberAnswer, error) {
	return call[OwnNumberAnswer](ctx, s.transport, request{
		method: "GET",
		path:   "/api/numbers/" + url.PathEscape(numberID),
	})
}

// NumbersChangeParams are the arguments of NumbersService.Change.
type NumbersChangeParams struct {
	// Your name for it, up to 60 characters.
	Label *string `json:"label,omitempty"`
	// false: it is released when the month that is paid ends. true (default): its rent is taken then.
	AutoRenew *bool `json:"auto_renew,omitempty"`
	// How many texts of people whom you have never texted are received, and charged, in a day, New York
	// time; 0: none. Further ones are stored as limited: they cost nothing and are not sent to your
	// webhook. Replies of people whom you have texted do not count. nil for a number of the operator. A
	// key sets up to 100, the dashboard more.
	StrangersPerDay *int64 `json:"strangers_per_day,omitempty"`
}

// Change changes a number.
//
// Sets what is sent, and leaves the rest.
func (s *NumbersService) Change(ctx context.Context, numberID string, params NumbersChangeParams) (*ChangedNumber, error) {
	return call[ChangedNumber](ctx, s.transport, request{
		method: "PATCH",
		path:   "/api/numbers/" + url.PathEscape(numberID),
		body:   params,
	})
}

// NumbersReleaseParams are the arguments of NumbersService.Release.
type NumbersReleaseParams struct {
	// "now" (default): 24 hours from now. "renews_at": when the paid month ends. Values: "now",
	// "renews_at".
	At string `json:"at,omitempty"`
}

// Release releases a number.
//
// Gives the number up: 24 hours from now (releasing until ReleasesAt), or when the month that is paid
// ends, but not before that. Until then cancel=true, buying it again and the dashboard undo it;
// nothing is sent from a number that is releasing. We email you. When it is released, messages that
// wait for it, scheduled ones too, fail and are refunded; replies to it do not arrive any more. No
// other account can buy it for 90 days, but you may not get it back either. Nothing is released while
// a dispute has frozen credits of your account. The dashboard can release it at once.
func (s *NumbersService) Release(ctx context.Context, numberID string, params NumbersReleaseParams) (*ChangedNumber, error) {
	return call[ChangedNumber](ctx, s.transport, request{
		method: "DELETE",
		path:   "/api/numbers/" + url.PathEscape(numberID),
		query:  params,
	})
}

// Keep undoes a release.
//
// Gives the number up: 24 hours from now (releasing until ReleasesAt), or when the month that is paid
// ends, but not before that. Until then cancel=true, buying it again and the dashboard undo it;
// nothing is sent from a number that is releasing. We email you. When it is released, messages that
// wait for it, scheduled ones too, fail and are refunded; replies to it do not arrive any more. No
// other account can buy it for 90 days, but you may not get it back either. Nothing is released while
// a dispute has frozen credits of your account. The dashboard can release it at once.
func (s *NumbersService) Keep(ctx context.Context, numberID string) (*ChangedNumber, error) {
	return call[ChangedNumber](ctx, s.transport, request{
		method: "DELETE",
		path:   "/api/numbers/" + url.PathEscape(numberID),
		query:  map[string]string{"cancel": "true"},
	})
}

// PoolsPutParams are the arguments of PoolsService.Put.
type PoolsPutParams struct {
	// Up to 60 characters. A pool of this name gets these numbers.
	Name string `json:"name"`
	// Up to 50 of your numbers, or their ids.
	Numbers []string `json:"numbers"`
	// Whether messages without from take its numbers. Your first pool does, unless you send false.
	Default *bool `json:"default,omitempty"`
}

// Put creates or replaces a pool.
//
// A message from a pool takes the number that its recipient knows, else one of the pool. A pool of the
// same name gets these numbers in place of its own; a number that carriers filtered is used again.
func (s *PoolsService) Put(ctx context.Context, params PoolsPutParams) (*PoolAnswer, error) {
	return call[PoolAnswer](ctx, s.transport, request{
		method: "POST",
		path:   "/api/pools",
		body:   params,
	})
}

// List lists your pools.
//
// Your pools, oldest first.
func (s *PoolsService) List(ctx context.Context) (*PoolsAnswer, error) {
	return call[PoolsAnswer](ctx, s.transport, request{
		method: "GET",
		path:   "/api/pools",
	})
}

// Get shows a pool.
//
// One pool and its numbers.
func (s *PoolsService) Get(ctx context.Context, poolID string) (*PoolAnswer, error) {
	return call[PoolAnswer](ctx, s.transport, request{
		method: "GET",
		path:   "/api/pools/" + url.PathEscape(poolID),
	})
}

// Delete deletes a pool.
//
// Its numbers stay yours. Messages from it are refused; without a default pool, messages without from
// take shared senders.
func (s *PoolsService) Delete(ctx context.Context, poolID string) (*PoolDeleted, error) {
	return call[PoolDeleted](ctx, s.transport, request{
		method: "DELETE",
		path:   "/api/pools/" + url.PathEscape(poolID),
	})
}

// TOTPCreateParams are the arguments of TOTPService.Create.
type TOTPCreateParams struct {
	// Names the person’s account in the app, such as an email address: up to 100 characters on one line,
	// without a colon.
	Label string `json:"label"`
	// Names you in the app: up to 40 characters on one line, without a colon.
	Issuer string `json:"issuer,omitempty"`
}

// Create creates an authenticator.
//
// Makes a secret that you share with an authenticator app: codes of 6 digits, a new one every 30
// seconds (RFC 6238 with SHA-1). The secret is shown once, as text, as an address and as a QR code.
// Ask for a code of the app before you rely on it. It is free, and an account has up to 100,000.
func (s *TOTPService) Create(ctx context.Context, params TOTPCreateParams) (*CreatedTOTP, error) {
	return call[CreatedTOTP](ctx, s.transport, request{
		method: "POST",
		path:   "/api/totp",
		body:   params,
		repeat: once,
	})
}

// List lists authenticators.
//
// Your authenticators without their secrets, newest first, 50 per page.
func (s *TOTPService) List() *Iterator[ListedTOTP] {
	return list[ListedTOTP](s.transport, request{
		method: "GET",
		path:   "/api/totp",
	}, "totps")
}

// Get shows an authenticator.
//
// Its state, never its secret. Authenticators of other accounts are not found.
func (s *TOTPService) Get(ctx context.Context, totpID string) (*TOTP, error) {
	return call[TOTP](ctx, s.transport, request{
		method: "GET",
		path:   "/api/totp/" + url.PathEscape(totpID),
	})
}

// Delete deletes an authenticator.
//
// Deletes the secret and the recovery codes at once. The app still shows codes, which are not found.
func (s *TOTPService) Delete(ctx context.Context, totpID string) (*TOTPDeleted, error) {
	return call[TOTPDeleted](ctx, s.transport, request{
		method: "DELETE",
		path:   "/api/totp/" + url.PathEscape(totpID),
	})
}

// TOTPVerifyParams are the arguments of TOTPService.Verify.
type TOTPVerifyParams struct {
	// The 6 digits that the app shows, or a recovery code, as the person entered it: as text, because it
	// may begin with 0. Spaces, dashes and small letters are read.
	Code string `json:"code"`
}

// Verify verifies a code of an app.
//
// Verifies a code of the app, or a recovery code. A code of the app is accepted while it is shown, and
// 30 seconds before and after, for clocks that differ; each once, in their order. After 10 wrong codes
// it is locked for 15 minutes. It costs nothing.
func (s *TOTPService) Verify(ctx context.Context, totpID string, params TOTPVerifyParams) (*TOTPVerdict, error) {
	return call[TOTPVerdict](ctx, s.transport, request{
		method: "POST",
		path:   "/api/totp/" + url.PathEscape(totpID) + "/verify",
		body:   params,
		repeat: once,
	})
}

// RecoveryCodes makes recovery codes.
//
// Makes 10 codes for a person who has lost the phone, in place of earlier ones. They are shown once.
// Each is accepted once, by the call that verifies codes of the app.
func (s *TOTPService) RecoveryCodes(ctx context.Context, totpID string) (*RecoveryCodes, error) {
	return call[RecoveryCodes](ctx, s.transport, request{
		method: "POST",
		path:   "/api/totp/" + url.PathEscape(totpID) + "/recovery-codes",
		body:   struct{}{},
		repeat: once,
	})
}
