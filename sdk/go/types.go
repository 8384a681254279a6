// Code generated from the contract by `npm run -s docs:sdk`. DO NOT EDIT.

package pennytext

import "time"

// MediaSource is a part of requests or answers.
type MediaSource struct {
	URL     string `json:"url,omitempty"`
	MediaID string `json:"media_id,omitempty"`
}

// UploadedMedia is an answer of the API.
type UploadedMedia struct {
	Response

	// Id of the file: ME and 32 hex digits.
	MediaID string `json:"media_id"`
	// Its media type, as its bytes show it.
	Type string `json:"type"`
	// Its size.
	Bytes int64 `json:"bytes"`
	// SHA-256 of its bytes, in hex digits.
	SHA256 string `json:"sha256"`
	// When the file is deleted, in UTC. Messages that wait keep it longer.
	ExpiresAt time.Time `json:"expires_at"`
	// Present if the key was a test key: nothing was stored.
	Test bool `json:"test"`
}

// OTPChannel is a part of requests or answers.
type OTPChannel struct {
	// Each channel is tried once. Values: "sms", "whatsapp", "voice", "email".
	Channel string `json:"channel"`
	// A phone number in place of that of the code; for email the address, which it needs.
	To string `json:"to,omitempty"`
	// Seconds until the next channel is tried.
	WaitSeconds *int64 `json:"wait_seconds,omitempty"`
}

// TriggeredEvent is an answer of the API.
type TriggeredEvent struct {
	Response

	// The webhook-id of the event.
	EventID string `json:"event_id"`
	// Present for a test key, which creates nothing.
	Test bool `json:"test"`
}

// MessageFile is a part of requests or answers.
type MessageFile struct {
	MediaID    string `json:"media_id"`
	URL        string `json:"url"`
	Type       string `json:"type"`
	Bytes      int64  `json:"bytes"`
	SHA256     string `json:"sha256"`
	OriginalID string `json:"original_id"`
}

// AcceptedMessage is an answer of the API.
type AcceptedMessage struct {
	Response

	// Id of the message: SM and 32 hex digits.
	MessageID string `json:"message_id"`
	// Number of segments.
	Segments int64 `json:"segments"`
	// Price of the message in credits. A test key is not charged.
	Credits int64 `json:"credits"`
	// Encoding of the text: GSM-7 has room for more characters. Values: "GSM-7", "UCS-2".
	Encoding string `json:"encoding"`
	// Credits left after this message. A test key gets an example.
	Balance int64 `json:"balance"`
	// The reference that you sent, if any.
	Reference string `json:"reference"`
	// Present if the message is scheduled. Values: "scheduled".
	Status string `json:"status"`
	// When a scheduled message leaves, in UTC.
	SendAt *time.Time `json:"send_at"`
	// Present if replies to this message go to another account, which texted this person from the same
	// number before. Values: "unavailable".
	Replies string `json:"replies"`
	// The delivery that you chose, if you did. Values: "once", "fast".
	Delivery string `json:"delivery"`
	// Present if the key was a test key: nothing was sent or charged.
	Test bool `json:"test"`
	// Present if you sent dedupe and this is an earlier message. Nothing was sent or charged again.
	Deduplicated bool `json:"deduplicated"`
	// The text as it is sent. Present if you sent encoding as smart, and if links take the place of files.
	Message string `json:"message"`
	// Present for a message with files, an MMS. Values: "mms".
	Kind string `json:"kind"`
	// Present for a message with files, as long as they are known: each as it is sent. OriginalID: present
	// if the picture was made smaller for the networks; the id of the file that it was made of.
	Media []MessageFile `json:"media"`
}

// Quote is an answer of the API.
type Quote struct {
	Response

	// Send it as quote with the same content: it then costs at most credits.
	Quote string `json:"quote"`
	// When the quote expires: after 10 minutes, in UTC.
	ExpiresAt time.Time `json:"expires_at"`
	// Number of segments.
	Segments int64 `json:"segments"`
	// Price of the message in credits.
	Credits int64 `json:"credits"`
	// Encoding of the text: GSM-7 has room for more characters. Values: "GSM-7", "UCS-2".
	Encoding string `json:"encoding"`
	// The first 10 characters that GSM-7 does not contain.
	UnsupportedCharacters []string `json:"unsupported_characters"`
	// Country of the number, as ISO 3166-1 alpha-2 code.
	Country string `json:"country"`
	// Your credits. A test key gets an example.
	Balance int64 `json:"balance"`
	// Credits left after sending; nil if the balance does not cover the price.
	BalanceAfter *int64 `json:"balance_after"`
	// Present for a message with files, an MMS. Its files are looked at when it is sent. Values: "mms".
	Kind string `json:"kind"`
	// Present if the key was a test key.
	Test bool `json:"test"`
}

// ChannelPrice is a part of requests or answers.
type ChannelPrice struct {
	// Values: "sms", "whatsapp", "voice", "email".
	Channel string `json:"channel"`
	Credits int64  `json:"credits"`
}

// OTPQuote is an answer of the API.
type OTPQuote struct {
	Response

	// The channels of a one-time password in order, each with its price in credits.
	Channels []ChannelPrice `json:"channels"`
	// Price of the first channel in credits.
	Credits int64 `json:"credits"`
	// Price of all channels together in credits. Nothing holds it: send it as MaxCredits of sendotp.
	CreditsMax int64 `json:"credits_max"`
	// Country of the number to, as ISO 3166-1 alpha-2 code.
	Country string `json:"country"`
	// Your credits. A test key gets an example.
	Balance int64 `json:"balance"`
	// Credits left if all channels are tried; nil if the balance does not cover CreditsMax.
	BalanceAfter *int64 `json:"balance_after"`
	// Present if the key was a test key.
	Test bool `json:"test"`
}

// SentOTP is an answer of the API.
type SentOTP struct {
	Response

	// Id of the message: SM and 32 hex digits.
	MessageID string `json:"message_id"`
	// Number of segments.
	Segments int64 `json:"segments"`
	// Price of the message in credits. A test key is not charged.
	Credits int64 `json:"credits"`
	// Encoding of the text: GSM-7 has room for more characters. Values: "GSM-7", "UCS-2".
	Encoding string `json:"encoding"`
	// Credits left after this message. A test key gets an example.
	Balance int64 `json:"balance"`
	// The reference that you sent, if any.
	Reference string `json:"reference"`
	// Present if the message is scheduled. Values: "scheduled".
	Status string `json:"status"`
	// When a scheduled message leaves, in UTC.
	SendAt *time.Time `json:"send_at"`
	// Present if replies to this message go to another account, which texted this person from the same
	// number before. Values: "unavailable".
	Replies string `json:"replies"`
	// The delivery that you chose, if you did. Values: "once", "fast".
	Delivery string `json:"delivery"`
	// Present if the key was a test key: nothing was sent or charged.
	Test bool `json:"test"`
	// Id of the one-time password: OT and 32 hex digits.
	OTPID string `json:"otp_id"`
	// When the code expires. Sending it again does not change this.
	ExpiresAt time.Time `json:"expires_at"`
	// When the code can be sent again; nil if it cannot.
	NextResendAt *time.Time `json:"next_resend_at"`
	// Wrong attempts left before the code becomes invalid.
	AttemptsLeft int64 `json:"attempts_left"`
	// Present, as false, for your own code: we cannot verify it or send it again.
	Managed *bool `json:"managed"`
	// Present if you sent channels: the channel of this message. Values: "sms", "whatsapp", "voice",
	// "email".
	Channel string `json:"channel"`
	// Present if you sent channels: the channel that is tried next; empty if none is. Values: "sms",
	// "whatsapp", "voice", "email".
	NextChannel string `json:"next_channel"`
	// Present if you sent channels: when it is tried, unless the code is entered before.
	NextChannelAt *time.Time `json:"next_channel_at"`
	// Present if you sent channels: the price of all of them together.
	CreditsMax *int64 `json:"credits_max"`
}

// OTPGuardRule is a part of requests or answers.
type OTPGuardRule struct {
	Rule string `json:"rule"`
	// Values: "recipient", "ip", "device", "block", "call", "caller".
	Counts             string `json:"counts"`
	SendsMax           int64  `json:"sends_max"`
	WindowSeconds      int64  `json:"window_seconds"`
	VerifiedPercentMin *int64 `json:"verified_percent_min"`
}

// OTPGuardBlocked is a part of requests or answers.
type OTPGuardBlocked struct {
	OTPID    string    `json:"otp_id"`
	Rule     string    `json:"rule"`
	To       string    `json:"to"`
	Country  string    `json:"country"`
	Block    string    `json:"block"`
	Sent     int64     `json:"sent"`
	Verified *int64    `json:"verified"`
	Refused  int64     `json:"refused"`
	Open     bool      `json:"open"`
	FirstAt  time.Time `json:"first_at"`
	LastAt   time.Time `json:"last_at"`
}

// OTPGuard is an answer of the API.
type OTPGuard struct {
	Response

	// Whether codes to some numbers are refused because too few were verified.
	Suspicious bool `json:"suspicious"`
	// The rules: at most SendsMax messages by what a rule counts within its window.
	Rules []OTPGuardRule `json:"rules"`
	// Rules that refused codes within the last hour, latest first; open: still refused.
	Blocked []OTPGuardBlocked `json:"blocked"`
	// When the guard was last reset.
	ResetAt *time.Time `json:"reset_at"`
	// When the guard can be reset again; nil if it can be now.
	NextResetAt *time.Time `json:"next_reset_at"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// FailureReason is a part of requests or answers.
type FailureReason struct {
	Code      string `json:"code"`
	Text      string `json:"text"`
	Permanent bool   `json:"permanent"`
}

// OTPMessage is a part of requests or answers.
type OTPMessage struct {
	MessageID string `json:"message_id"`
	// Values: "scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "canceled".
	Status     string         `json:"status"`
	Reason     *FailureReason `json:"reason"`
	CreatedAt  time.Time      `json:"created_at"`
	SentAt     *time.Time     `json:"sent_at"`
	FinishedAt *time.Time     `json:"finished_at"`
}

// OTPStep is a part of requests or answers.
type OTPStep struct {
	N int64 `json:"n"`
	// Values: "sms", "whatsapp", "voice", "email".
	Channel   string    `json:"channel"`
	To        string    `json:"to"`
	StartedAt time.Time `json:"started_at"`
	// Values: "started", "sent", "delivered", "undelivered", "failed", "refused".
	Outcome string `json:"outcome"`
	Reason  string `json:"reason"`
	Credits int64  `json:"credits"`
}

// OTP is an answer of the API.
type OTP struct {
	Response

	// Id of the one-time password: OT and 32 hex digits.
	OTPID string `json:"otp_id"`
	// State of the code. All but "pending" are final; "exhausted": too many wrong attempts; "blocked":
	// refused by the fraud guard, never sent; "unmanaged": you made the code, and verify it yourself.
	// Values: "pending", "verified", "expired", "exhausted", "blocked", "unmanaged".
	Status string `json:"status"`
	// The recipient in E.164 format.
	To string `json:"to"`
	// Country of the recipient, as ISO 3166-1 alpha-2 code.
	Country string `json:"country"`
	// Id of the latest message with the code; empty if it was never sent.
	MessageID string `json:"message_id"`
	// The messages with the code, in order: the first one and each resend, with their status (nil if the
	// message was never accepted) and the reason if it was not delivered.
	Messages []OTPMessage `json:"messages"`
	// When the first of them was delivered; nil if none was, or it is not known yet.
	DeliveredAt *time.Time `json:"delivered_at"`
	// Your own reference for the message.
	Reference string `json:"reference"`
	// Attempts to verify this code, the right one included.
	Attempts int64 `json:"attempts"`
	// Wrong attempts left before the code becomes invalid.
	AttemptsLeft int64 `json:"attempts_left"`
	// How often the code can still be sent again.
	ResendsLeft int64 `json:"resends_left"`
	// When the code can be sent again; nil if it cannot.
	NextResendAt *time.Time `json:"next_resend_at"`
	// The named key that sent the code; empty for the account's own key.
	KeyID string `json:"key_id"`
	// Its name; empty also if it was revoked.
	KeyName string `json:"key_name"`
	// The rule of the fraud guard that refused the code; empty if none did.
	BlockedBy string `json:"blocked_by"`
	// Channel of the latest message. Values: "sms", "whatsapp", "voice", "email".
	Channel string `json:"channel"`
	// Channel that is tried next; empty if none is. Values: "sms", "whatsapp", "voice", "email".
	NextChannel string `json:"next_channel"`
	// When it is tried, unless the code is entered before; nil if none is.
	NextChannelAt *time.Time `json:"next_channel_at"`
	// The messages with their channels, in order. outcome: started while the carrier has not answered,
	// refused if nothing was sent or charged, otherwise the state of the message; reason: why it did not
	// arrive; credits: without refunds.
	Steps []OTPStep `json:"steps"`
	// The n of the step after which the code was entered: the latest that had left, because all have the
	// same code. nil while the code is not verified.
	EnteredStep *int64 `json:"entered_step"`
	// When the code was sent first, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// The last attempt to verify this code; nil if there was none.
	LastAttemptAt *time.Time `json:"last_attempt_at"`
	// When the code was verified; nil if it was not.
	VerifiedAt *time.Time `json:"verified_at"`
	// When the code expires or has expired.
	ExpiresAt *time.Time `json:"expires_at"`
	// When the code was verified, expired or became invalid; nil while it is pending.
	EndedAt *time.Time `json:"ended_at"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// ListedOTP is an answer of the API.
type ListedOTP struct {
	Response

	// Id of the one-time password: OT and 32 hex digits.
	OTPID string `json:"otp_id"`
	// State of the code. All but "pending" are final; "exhausted": too many wrong attempts; "blocked":
	// refused by the fraud guard, never sent; "unmanaged": you made the code, and verify it yourself.
	// Values: "pending", "verified", "expired", "exhausted", "blocked", "unmanaged".
	Status string `json:"status"`
	// The recipient in E.164 format.
	To string `json:"to"`
	// Country of the recipient, as ISO 3166-1 alpha-2 code.
	Country string `json:"country"`
	// Id of the latest message with the code; empty if it was never sent.
	MessageID string `json:"message_id"`
	// The messages with the code, in order: the first one and each resend, with their status (nil if the
	// message was never accepted) and the reason if it was not delivered.
	Messages []OTPMessage `json:"messages"`
	// When the first of them was delivered; nil if none was, or it is not known yet.
	DeliveredAt *time.Time `json:"delivered_at"`
	// Your own reference for the message.
	Reference string `json:"reference"`
	// Attempts to verify this code, the right one included.
	Attempts int64 `json:"attempts"`
	// Wrong attempts left before the code becomes invalid.
	AttemptsLeft int64 `json:"attempts_left"`
	// How often the code can still be sent again.
	ResendsLeft int64 `json:"resends_left"`
	// When the code can be sent again; nil if it cannot.
	NextResendAt *time.Time `json:"next_resend_at"`
	// The named key that sent the code; empty for the account's own key.
	KeyID string `json:"key_id"`
	// Its name; empty also if it was revoked.
	KeyName string `json:"key_name"`
	// The rule of the fraud guard that refused the code; empty if none did.
	BlockedBy string `json:"blocked_by"`
	// Channel of the latest message. Values: "sms", "whatsapp", "voice", "email".
	Channel string `json:"channel"`
	// Channel that is tried next; empty if none is. Values: "sms", "whatsapp", "voice", "email".
	NextChannel string `json:"next_channel"`
	// When it is tried, unless the code is entered before; nil if none is.
	NextChannelAt *time.Time `json:"next_channel_at"`
	// The messages with their channels, in order. outcome: started while the carrier has not answered,
	// refused if nothing was sent or charged, otherwise the state of the message; reason: why it did not
	// arrive; credits: without refunds.
	Steps []OTPStep `json:"steps"`
	// The n of the step after which the code was entered: the latest that had left, because all have the
	// same code. nil while the code is not verified.
	EnteredStep *int64 `json:"entered_step"`
	// When the code was sent first, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// The last attempt to verify this code; nil if there was none.
	LastAttemptAt *time.Time `json:"last_attempt_at"`
	// When the code was verified; nil if it was not.
	VerifiedAt *time.Time `json:"verified_at"`
	// When the code expires or has expired.
	ExpiresAt *time.Time `json:"expires_at"`
	// When the code was verified, expired or became invalid; nil while it is pending.
	EndedAt *time.Time `json:"ended_at"`
}

// OTPConversionCountry is a part of requests or answers.
type OTPConversionCountry struct {
	Country         string   `json:"country"`
	Sent            int64    `json:"sent"`
	Verified        int64    `json:"verified"`
	VerifiedPercent *float64 `json:"verified_percent"`
}

// OTPConversionDay is a part of requests or answers.
type OTPConversionDay struct {
	Day             string   `json:"day"`
	Sent            int64    `json:"sent"`
	Verified        int64    `json:"verified"`
	VerifiedPercent *float64 `json:"verified_percent"`
}

// OTPConversionChannel is a part of requests or answers.
type OTPConversionChannel struct {
	// Values: "sms", "whatsapp", "voice", "email".
	Channel         string   `json:"channel"`
	Country         string   `json:"country"`
	Sent            int64    `json:"sent"`
	Verified        int64    `json:"verified"`
	VerifiedPercent *float64 `json:"verified_percent"`
}

// OTPConversion is an answer of the API.
type OTPConversion struct {
	Response

	// First day that counts, in New York.
	From string `json:"from"`
	// Last day that counts, inclusive.
	To string `json:"to"`
	// Codes that were sent. A code counts once, however often it was sent again.
	Sent int64 `json:"sent"`
	// Codes that were verified.
	Verified int64 `json:"verified"`
	// Share of verified codes, with one decimal; nil if none was sent.
	VerifiedPercent *float64 `json:"verified_percent"`
	// The same by country of the recipient, as ISO 3166-1 alpha-2 code.
	Countries []OTPConversionCountry `json:"countries"`
	// The same by day on which the codes were first sent, oldest first, without those without codes.
	Days []OTPConversionDay `json:"days"`
	// For codes with channels: messages by channel and country, and the codes that were entered after
	// them.
	Channels []OTPConversionChannel `json:"channels"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// OTPVerdict is an answer of the API.
type OTPVerdict struct {
	Response

	// Result of the verification. Values: "verified", "not_found", "expired", "already_used".
	Status string `json:"status"`
	// The recipient whose code was verified. Compare it with the person that you expect.
	To string `json:"to"`
	// The code that was verified.
	OTPID string `json:"otp_id"`
	// When the code expires or has expired, in UTC. Absent if the code is unknown.
	ExpiresAt *time.Time `json:"expires_at"`
	// Wrong tries left before the code becomes invalid. Present if to or OTPID was sent and names a live
	// code.
	AttemptsLeft *int64 `json:"attempts_left"`
}

// Message is an answer of the API.
type Message struct {
	Response

	// Id of the message: SM and 32 hex digits.
	MessageID string `json:"message_id"`
	// The recipient in E.164 format.
	To string `json:"to"`
	// The sender; empty until the carrier accepts the message.
	From string `json:"from"`
	// The text. OTPs are masked with asterisks.
	Message string `json:"message"`
	// State of the message. The last four are final. Values: "scheduled", "queued", "sending", "sent",
	// "delivered", "undelivered", "failed", "canceled".
	Status string `json:"status"`
	// Number of segments.
	Segments int64 `json:"segments"`
	// Price of the message in credits.
	Credits int64 `json:"credits"`
	// Credits that were refunded: all of them if the message was not delivered.
	Refunded int64 `json:"refunded"`
	// Your own reference for the message.
	Reference string `json:"reference"`
	// Why the message was not delivered, as a code of ours; empty if there was no error.
	ErrorCode string `json:"error_code"`
	// Error code of the carrier.
	CarrierError *int64 `json:"carrier_error"`
	// Why the message was not delivered, in words; nil if there was no error. code: the carrier’s if there
	// is one, else ours. permanent: the same message to the same number would fail again.
	Reason *FailureReason `json:"reason"`
	// Whether another route is tried only when that is safe, "once", or also in doubt, "fast". Values:
	// "once", "fast".
	Delivery string `json:"delivery"`
	// Number of hand-overs to carriers, including those that a carrier did not take. AttemptList of the
	// record has a row for each.
	Attempts int64 `json:"attempts"`
	// When the message was accepted, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// When a scheduled message leaves; nil for one that left at once.
	SendAt *time.Time `json:"send_at"`
	// The message fails if the carrier does not have it by then; nil without validity.
	ExpiresAt *time.Time `json:"expires_at"`
	// When the carrier accepted the message.
	SentAt *time.Time `json:"sent_at"`
	// When the message reached its final state.
	FinishedAt *time.Time `json:"finished_at"`
	// Present for a message with files. Values: "mms".
	Kind string `json:"kind"`
	// Present for a message with files, as long as they are known: each as it is sent. OriginalID: present
	// if the picture was made smaller for the networks; the id of the file that it was made of.
	Media []MessageFile `json:"media"`
}

// MessageAnswer is an answer of the API.
type MessageAnswer struct {
	Response

	// Id of the message: SM and 32 hex digits.
	MessageID string `json:"message_id"`
	// The recipient in E.164 format.
	To string `json:"to"`
	// The sender; empty until the carrier accepts the message.
	From string `json:"from"`
	// The text. OTPs are masked with asterisks.
	Message string `json:"message"`
	// State of the message. The last four are final. Values: "scheduled", "queued", "sending", "sent",
	// "delivered", "undelivered", "failed", "canceled".
	Status string `json:"status"`
	// Number of segments.
	Segments int64 `json:"segments"`
	// Price of the message in credits.
	Credits int64 `json:"credits"`
	// Credits that were refunded: all of them if the message was not delivered.
	Refunded int64 `json:"refunded"`
	// Your own reference for the message.
	Reference string `json:"reference"`
	// Why the message was not delivered, as a code of ours; empty if there was no error.
	ErrorCode string `json:"error_code"`
	// Error code of the carrier.
	CarrierError *int64 `json:"carrier_error"`
	// Why the message was not delivered, in words; nil if there was no error. code: the carrier’s if there
	// is one, else ours. permanent: the same message to the same number would fail again.
	Reason *FailureReason `json:"reason"`
	// Whether another route is tried only when that is safe, "once", or also in doubt, "fast". Values:
	// "once", "fast".
	Delivery string `json:"delivery"`
	// Number of hand-overs to carriers, including those that a carrier did not take. AttemptList of the
	// record has a row for each.
	Attempts int64 `json:"attempts"`
	// When the message was accepted, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// When a scheduled message leaves; nil for one that left at once.
	SendAt *time.Time `json:"send_at"`
	// The message fails if the carrier does not have it by then; nil without validity.
	ExpiresAt *time.Time `json:"expires_at"`
	// When the carrier accepted the message.
	SentAt *time.Time `json:"sent_at"`
	// When the message reached its final state.
	FinishedAt *time.Time `json:"finished_at"`
	// Present for a message with files. Values: "mms".
	Kind string `json:"kind"`
	// Present for a message with files, as long as they are known: each as it is sent. OriginalID: present
	// if the picture was made smaller for the networks; the id of the file that it was made of.
	Media []MessageFile `json:"media"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// RecordedAttempt is a part of requests or answers.
type RecordedAttempt struct {
	N        int64      `json:"n"`
	Route    string     `json:"route"`
	Sender   string     `json:"sender"`
	HandedAt *time.Time `json:"handed_at"`
	// Values: "accepted", "not_taken", "doubtful".
	Outcome string `json:"outcome"`
	// Values: "first", "not_taken", "route_failed", "doubtful", "slow", "route_paused".
	Reason string `json:"reason"`
	// Values: "delivered", "undelivered", "failed".
	Receipt string `json:"receipt"`
}

// RecordedTransition is a part of requests or answers.
type RecordedTransition struct {
	// Values: "scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "canceled".
	Status string    `json:"status"`
	At     time.Time `json:"at"`
	Cause  string    `json:"cause"`
}

// RecordedRefund is a part of requests or answers.
type RecordedRefund struct {
	Credits int64     `json:"credits"`
	At      time.Time `json:"at"`
}

// LedgerSeal is a part of requests or answers.
type LedgerSeal struct {
	Number   int64     `json:"number"`
	First    int64     `json:"first"`
	Last     int64     `json:"last"`
	SealedAt time.Time `json:"sealed_at"`
	Key      string    `json:"key"`
	Hash     string    `json:"hash"`
}

// RecordedEntry is a part of requests or answers.
type RecordedEntry struct {
	Number int64     `json:"number"`
	At     time.Time `json:"at"`
	// Values: "signup", "purchase", "redeem", "message", "otp", "inbound", "refund", "chargeback",
	// "adjustment", "number_rent", "number_setup".
	Kind         string      `json:"kind"`
	Amount       int64       `json:"amount"`
	BalanceAfter int64       `json:"balance_after"`
	Note         string      `json:"note"`
	Seal         *LedgerSeal `json:"seal"`
}

// RecordedCallback is a part of requests or answers.
type RecordedCallback struct {
	// Values: "twilio", "textbelt".
	Format string `json:"format"`
	URL    string `json:"url"`
}

// WebhookAttempt is a part of requests or answers.
type WebhookAttempt struct {
	At         time.Time `json:"at"`
	DurationMs int64     `json:"duration_ms"`
	Status     *int64    `json:"status"`
	Answer     string    `json:"answer"`
	Error      string    `json:"error"`
}

// RecordedWebhook is a part of requests or answers.
type RecordedWebhook struct {
	ID string `json:"id"`
	// Values: "message.received", "message.scheduled", "message.sent", "message.rerouted",
	// "message.delivered", "message.undelivered", "message.failed", "message.canceled",
	// "message.media_ready", "otp.sent", "otp.verified", "otp.failed", "otp.expired", "otp.blocked",
	// "credits.low", "credits.daily_spend", "number.active", "number.past_due", "number.released",
	// "number.filtered".
	Type     string            `json:"type"`
	Callback *RecordedCallback `json:"callback"`
	// Values: "pending", "paused", "delivered", "failed".
	Status      string           `json:"status"`
	CreatedAt   time.Time        `json:"created_at"`
	FinishedAt  *time.Time       `json:"finished_at"`
	Body        string           `json:"body"`
	Attempts    int64            `json:"attempts"`
	AttemptList []WebhookAttempt `json:"attempt_list"`
}

// RemovedPart is a part of requests or answers.
type RemovedPart struct {
	// Values: "text", "media", "number", "carrier_id", "webhooks".
	Part string `json:"part"`
	Why  string `json:"why"`
}

// MessageRecord is an answer of the API.
type MessageRecord struct {
	Response

	// Id of the message: SM and 32 hex digits.
	MessageID string `json:"message_id"`
	// The recipient in E.164 format.
	To string `json:"to"`
	// The sender; empty until the carrier accepts the message.
	From string `json:"from"`
	// The text. OTPs are masked with asterisks.
	Message string `json:"message"`
	// State of the message. The last four are final. Values: "scheduled", "queued", "sending", "sent",
	// "delivered", "undelivered", "failed", "canceled".
	Status string `json:"status"`
	// Number of segments.
	Segments int64 `json:"segments"`
	// Price of the message in credits.
	Credits int64 `json:"credits"`
	// Credits that were refunded: all of them if the message was not delivered.
	Refunded int64 `json:"refunded"`
	// Your own reference for the message.
	Reference string `json:"reference"`
	// Why the message was not delivered, as a code of ours; empty if there was no error.
	ErrorCode string `json:"error_code"`
	// Error code of the carrier.
	CarrierError *int64 `json:"carrier_error"`
	// Why the message was not delivered, in words; nil if there was no error. code: the carrier’s if there
	// is one, else ours. permanent: the same message to the same number would fail again.
	Reason *FailureReason `json:"reason"`
	// Whether another route is tried only when that is safe, "once", or also in doubt, "fast". Values:
	// "once", "fast".
	Delivery string `json:"delivery"`
	// Number of hand-overs to carriers, including those that a carrier did not take. AttemptList of the
	// record has a row for each.
	Attempts int64 `json:"attempts"`
	// When the message was accepted, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// When a scheduled message leaves; nil for one that left at once.
	SendAt *time.Time `json:"send_at"`
	// The message fails if the carrier does not have it by then; nil without validity.
	ExpiresAt *time.Time `json:"expires_at"`
	// When the carrier accepted the message.
	SentAt *time.Time `json:"sent_at"`
	// When the message reached its final state.
	FinishedAt *time.Time `json:"finished_at"`
	// "otp" for a one-time password, whose code is masked; "mms" for a message with files. Values: "sms",
	// "mms", "otp".
	Kind string `json:"kind"`
	// Present for a message with files, as long as they are known: each as it is sent. OriginalID: present
	// if the picture was made smaller for the networks; the id of the file that it was made of.
	Media []MessageFile `json:"media"`
	// When this record was made.
	RecordedAt time.Time `json:"recorded_at"`
	// Encoding of the text; empty once the text is deleted. Values: "GSM-7", "UCS-2".
	Encoding string `json:"encoding"`
	// Id of the message at the carrier; empty until the carrier accepts it.
	CarrierID string `json:"carrier_id"`
	// Meaning of delivered on its route: "handset", it reached the phone; "network", the network of the
	// phone confirmed it; "none", nothing more than sent. Values: "handset", "network", "none".
	ReceiptLevel string `json:"receipt_level"`
	// Its hand-overs to routes, in order. Routes are named within the message, r1, r2. reason: why this
	// route got it: first, not_taken, route_failed, doubtful, slow, route_paused. outcome: accepted,
	// not_taken, doubtful; nil while it is not known. Of tries by one route the last one is shown.
	AttemptList []RecordedAttempt `json:"attempt_list"`
	// The states it reached, in order. cause is accepted, SendAt, claimed, carrier_accepted,
	// delivery_receipt, canceled, or the ErrorCode of a message that was not delivered.
	Transitions []RecordedTransition `json:"transitions"`
	// The refund of its price; nil if it was not refunded.
	Refund *RecordedRefund `json:"refund"`
	// Its entries in the ledger of your account, with their numbers, and the seal that covers each: nil
	// until the entry is sealed, within a minute.
	Ledger []RecordedEntry `json:"ledger"`
	// The URL that this message named for its callbacks, without its query.
	Callback *RecordedCallback `json:"callback"`
	// The webhooks and callbacks about it, oldest first, with the last 100 attempts of each and the
	// beginning of each answer.
	Webhooks []RecordedWebhook `json:"webhooks"`
	// Parts that are no longer kept, and why.
	Removed []RemovedPart `json:"removed"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// OptOut is an answer of the API.
type OptOut struct {
	Response

	Number string `json:"number"`
	Sender string `json:"sender"`
	// Values: "opted_out", "opted_in".
	Status     string     `json:"status"`
	OptedOutAt time.Time  `json:"opted_out_at"`
	OptedInAt  *time.Time `json:"opted_in_at"`
	// Values: "reply", "carrier".
	Source string `json:"source"`
	Word   string `json:"word"`
}

// BalanceBudget is a part of requests or answers.
type BalanceBudget struct {
	CreditsPerDay   *int64 `json:"credits_per_day"`
	CreditsPerMonth *int64 `json:"credits_per_month"`
	SpentToday      int64  `json:"spent_today"`
	SpentThisMonth  int64  `json:"spent_this_month"`
}

// Balance is an answer of the API.
type Balance struct {
	Response

	// Credits left: purchased minus used.
	Balance int64 `json:"balance"`
	// All credits that were added.
	Purchased int64 `json:"purchased"`
	// Credits spent minus refunds.
	Used int64 `json:"used"`
	// Present if a part of the balance cannot be spent: its payment is disputed, or a number is being
	// bought.
	Frozen *int64 `json:"frozen"`
	// Present if your key has a budget: the credits it may spend in a day and in a month (New York), nil
	// without a limit, and what it has spent.
	Budget *BalanceBudget `json:"budget"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// Notification is a part of requests or answers.
type Notification struct {
	ID string `json:"id"`
	// Values: "webhook_off", "webhook_failing", "credits_empty", "credits_low", "sending_suspended",
	// "codes_paused", "messages_filtered", "number_past_due", "number_filtered", "key_budget",
	// "payment_disputed", "top_up_off", "top_up_declined", "top_up_confirm", "top_up_paused",
	// "top_up_limit", "account_deletion", "welcome_email_failed".
	Code string `json:"code"`
	// Values: "critical", "warning".
	Severity string         `json:"severity"`
	Since    *time.Time     `json:"since"`
	Message  string         `json:"message"`
	Action   string         `json:"action"`
	URL      string         `json:"url"`
	Figures  map[string]any `json:"figures"`
}

// Notifications is an answer of the API.
type Notifications struct {
	Response

	// Each with its code; severity: critical when something does not work now, else warning; since, nil
	// where the beginning is not known; a message, the action to take, the url of the dashboard where it
	// is taken, and the figures of the message, by code. id names the cause: the same code with another
	// cause has another id. Later versions may add codes.
	Notifications []Notification `json:"notifications"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// DeliverabilityReason is a part of requests or answers.
type DeliverabilityReason struct {
	Code      string `json:"code"`
	Text      string `json:"text"`
	Permanent bool   `json:"permanent"`
	Messages  int64  `json:"messages"`
}

// DeliverabilityCountry is a part of requests or answers.
type DeliverabilityCountry struct {
	Country   string `json:"country"`
	Messages  int64  `json:"messages"`
	Delivered int64  `json:"delivered"`
}

// DeliverabilityDay is a part of requests or answers.
type DeliverabilityDay struct {
	Day       string `json:"day"`
	Messages  int64  `json:"messages"`
	Delivered int64  `json:"delivered"`
}

// DeliverabilityKey is a part of requests or answers.
type DeliverabilityKey struct {
	KeyID     string `json:"key_id"`
	Name      string `json:"name"`
	Messages  int64  `json:"messages"`
	Delivered int64  `json:"delivered"`
}

// Deliverability is an answer of the API.
type Deliverability struct {
	Response

	// First day of acceptance that counts, in New York.
	From string `json:"from"`
	// Last day of acceptance that counts, inclusive.
	To string `json:"to"`
	// Messages that have ended: delivered or not. Canceled ones do not count.
	Messages int64 `json:"messages"`
	// Messages that were delivered.
	Delivered int64 `json:"delivered"`
	// Why the others were not delivered, the most frequent reason first. code is a filter of GET
	// /api/messages. permanent: the same message to the same number would fail again.
	Reasons []DeliverabilityReason `json:"reasons"`
	// By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first.
	Countries []DeliverabilityCountry `json:"countries"`
	// By day of acceptance, oldest first, without those on which no message ended.
	Days []DeliverabilityDay `json:"days"`
	// By the key that sent them, the largest first. KeyID and name are nil for the own key of your account
	// and for the dashboard, name also for a key that was revoked.
	Keys []DeliverabilityKey `json:"keys"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// SpendKey is a part of requests or answers.
type SpendKey struct {
	KeyID    string `json:"key_id"`
	Name     string `json:"name"`
	Messages int64  `json:"messages"`
	Charged  int64  `json:"charged"`
	Refunded int64  `json:"refunded"`
	Spent    int64  `json:"spent"`
}

// SpendMonth is a part of requests or answers.
type SpendMonth struct {
	Month    string     `json:"month"`
	Messages int64      `json:"messages"`
	Charged  int64      `json:"charged"`
	Refunded int64      `json:"refunded"`
	Spent    int64      `json:"spent"`
	Keys     []SpendKey `json:"keys"`
}

// SpendDay is a part of requests or answers.
type SpendDay struct {
	Day      string `json:"day"`
	Messages int64  `json:"messages"`
	Charged  int64  `json:"charged"`
	Refunded int64  `json:"refunded"`
	Spent    int64  `json:"spent"`
}

// SpendCountry is a part of requests or answers.
type SpendCountry struct {
	Country  string `json:"country"`
	Messages int64  `json:"messages"`
	Charged  int64  `json:"charged"`
	Refunded int64  `json:"refunded"`
	Spent    int64  `json:"spent"`
}

// SpendKind is a part of requests or answers.
type SpendKind struct {
	// Values: "message", "otp", "reply", "number".
	Kind     string `json:"kind"`
	Messages int64  `json:"messages"`
	Charged  int64  `json:"charged"`
	Refunded int64  `json:"refunded"`
	Spent    int64  `json:"spent"`
}

// Spend is an answer of the API.
type Spend struct {
	Response

	// First day that counts, in New York.
	From string `json:"from"`
	// Last day that counts, inclusive.
	To string `json:"to"`
	// Messages, one-time passwords and replies that were charged.
	Messages int64 `json:"messages"`
	// Credits charged for them.
	Charged int64 `json:"charged"`
	// Credits that came back on these days.
	Refunded int64 `json:"refunded"`
	// charged less refunded; below 0 where refunds are for charges of earlier days.
	Spent int64 `json:"spent"`
	// By month, oldest first, and by key within each month.
	Months []SpendMonth `json:"months"`
	// By day, oldest first, without those on which no credits moved.
	Days []SpendDay `json:"days"`
	// By key, the largest first. KeyID and name are nil for the own key of your account, the dashboard and
	// replies, name also for a key that was revoked.
	Keys []SpendKey `json:"keys"`
	// By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first. nil: replies, and
	// messages that are not kept any more.
	Countries []SpendCountry `json:"countries"`
	// By what they were spent for: message, otp, or reply.
	Kinds []SpendKind `json:"kinds"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// ExposureKey is a part of requests or answers.
type ExposureKey struct {
	KeyID   string `json:"key_id"`
	Name    string `json:"name"`
	Credits int64  `json:"credits"`
}

// ExposureSwitch is a part of requests or answers.
type ExposureSwitch struct {
	// Values: "top_up_off".
	Switch  string `json:"switch"`
	KeyID   string `json:"key_id"`
	Text    string `json:"text"`
	Credits int64  `json:"credits"`
}

// Exposure is an answer of the API.
type Exposure struct {
	Response

	// The most credits that could be spent before you notice.
	Credits int64 `json:"credits"`
	// Limit that ends the spending: "balance" (all credits are gone, those of top-ups too), "daily_limit",
	// "budgets" of the keys, or "sending_off". Values: "sending_off", "balance", "daily_limit", "budgets".
	Bound string `json:"bound"`
	// The time within which you are assumed to notice.
	WithinHours int64 `json:"within_hours"`
	// Credits that can be spent now.
	Available int64 `json:"available"`
	// Credits that automatic top-up could buy within this time.
	TopUpCredits int64 `json:"top_up_credits"`
	// Credits that numbers could cost within this time: your account’s own key and keys with the scope
	// numbers buy at most 5 a day. 0 before your first paid purchase.
	NumberCredits int64 `json:"number_credits"`
	// Messages that your daily limit allows within this time.
	Messages int64 `json:"messages"`
	// Price of the dearest message: 10 segments to your dearest country.
	CreditsPerMessage int64 `json:"credits_per_message"`
	// The same for each live key alone, the largest first. KeyID is nil for your account’s own key.
	Keys []ExposureKey `json:"keys"`
	// Changes that lower credits: what to do, and the credits after it. switch: top_up_off.
	Switches []ExposureSwitch `json:"switches"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// BulkMessage is a part of requests or answers.
type BulkMessage struct {
	To        string `json:"to"`
	Message   string `json:"message"`
	Reference string `json:"reference,omitempty"`
}

// RejectedMessage is a part of requests or answers.
type RejectedMessage struct {
	Index  int64  `json:"index"`
	To     string `json:"to"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// AcceptedBulk is an answer of the API.
type AcceptedBulk struct {
	Response

	// Id of the batch: BA and 32 hex digits.
	BatchID string `json:"batch_id"`
	// Number of messages that were accepted.
	Accepted int64 `json:"accepted"`
	// Items that were not accepted: index counts from 0, code and detail say why. duplicate: an earlier
	// item has the same number and text, which is sent once.
	Rejected []RejectedMessage `json:"rejected"`
	// Price of all accepted messages in credits. A test key is not charged.
	Credits int64 `json:"credits"`
	// Credits left.
	Balance int64 `json:"balance"`
	// Present if the key was a test key: nothing was sent or charged.
	Test bool `json:"test"`
}

// Batch is an answer of the API.
type Batch struct {
	Response

	// Id of the batch: BA and 32 hex digits.
	BatchID string `json:"batch_id"`
	// When the batch was accepted, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// Number of messages.
	Messages int64 `json:"messages"`
	// Number of messages by status.
	Statuses map[string]int64 `json:"statuses"`
	// Price of all messages in credits.
	Credits int64 `json:"credits"`
	// Credits that were refunded so far.
	Refunded int64 `json:"refunded"`
}

// BatchAnswer is an answer of the API.
type BatchAnswer struct {
	Response

	// Id of the batch: BA and 32 hex digits.
	BatchID string `json:"batch_id"`
	// When the batch was accepted, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// Number of messages.
	Messages int64 `json:"messages"`
	// Number of messages by status.
	Statuses map[string]int64 `json:"statuses"`
	// Price of all messages in credits.
	Credits int64 `json:"credits"`
	// Credits that were refunded so far.
	Refunded int64 `json:"refunded"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// BatchCanceled is an answer of the API.
type BatchCanceled struct {
	Response

	// Id of the batch: BA and 32 hex digits.
	BatchID string `json:"batch_id"`
	// When the batch was accepted, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// Number of messages.
	Messages int64 `json:"messages"`
	// Number of messages by status.
	Statuses map[string]int64 `json:"statuses"`
	// Price of all messages in credits.
	Credits int64 `json:"credits"`
	// Credits that were refunded so far.
	Refunded int64 `json:"refunded"`
	// Number of messages that this call canceled.
	Canceled int64 `json:"canceled"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// BulkQuote is an answer of the API.
type BulkQuote struct {
	Response

	// Send it as quote with the same content: it then costs at most credits.
	Quote string `json:"quote"`
	// When the quote expires: after 10 minutes, in UTC.
	ExpiresAt time.Time `json:"expires_at"`
	// Segments of all messages.
	Segments int64 `json:"segments"`
	// Price of all messages in credits.
	Credits int64 `json:"credits"`
	// Credits left. An example for a test key.
	Balance int64 `json:"balance"`
	// Credits left after sending; nil if the balance does not cover the price.
	BalanceAfter *int64 `json:"balance_after"`
	// Number of messages that would be accepted.
	Messages int64 `json:"messages"`
	// Items that were not accepted: index counts from 0, code and detail say why. duplicate: an earlier
	// item has the same number and text, which is sent once.
	Rejected []RejectedMessage `json:"rejected"`
	// Present if the messages have files. Values: "mms".
	Kind string `json:"kind"`
	// Present if the key was a test key.
	Test bool `json:"test"`
}

// AvailableNumber is a part of requests or answers.
type AvailableNumber struct {
	// The number in E.164 format.
	Number string `json:"number"`
	// Where it is from; empty for a toll-free number.
	Locality string `json:"locality"`
	// Kinds of messages that the number takes and sends.
	Capabilities []string `json:"capabilities"`
	// Its rent in credits.
	CreditsPerMonth int64 `json:"credits_per_month"`
	// Credits that it costs once, besides.
	SetupCredits int64 `json:"setup_credits"`
}

// AvailableNumbers is an answer of the API.
type AvailableNumbers struct {
	Response

	// Numbers that you can buy now.
	Numbers []AvailableNumber `json:"numbers"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// BoughtNumber is an answer of the API.
type BoughtNumber struct {
	Response

	// Id of the number: num_ and 32 hex digits.
	NumberID string `json:"number_id"`
	// The number in E.164 format.
	Number string `json:"number"`
	// "active", or "reserving" while the carrier has not answered. To a repeated request: the state of the
	// number now. Values: "reserving", "active", "past_due", "releasing", "released".
	Status string `json:"status"`
	// When the month that is paid ends; nil while reserving, and after a release.
	RenewsAt *time.Time `json:"renews_at"`
	// Credits that it costs now. Held while reserving, and returned if the carrier does not sell it.
	Credits int64 `json:"credits"`
	// Credits left.
	Balance int64 `json:"balance"`
	// Present if the key was a test key: nothing was bought or charged.
	Test bool `json:"test"`
}

// OwnNumber is a part of requests or answers.
type OwnNumber struct {
	// Id of the number: num_ and 32 hex digits.
	NumberID string `json:"number_id"`
	// The number in E.164 format; one of the operator may be the id of a messaging service.
	Number string `json:"number"`
	// Your name for it, up to 60 characters.
	Label string `json:"label"`
	// "local" or "toll_free"; empty for a number of the operator. Values: "local", "toll_free".
	Type string `json:"type"`
	// Its country, as ISO 3166-1 alpha-2 code; empty for a number of the operator.
	Country string `json:"country"`
	// Kinds of messages that the number takes and sends.
	Capabilities []string `json:"capabilities"`
	// "purchase": you bought it. "operator": the operator has given it to you. Values: "purchase",
	// "operator".
	Origin string `json:"origin"`
	// "reserving": its purchase is not decided yet. "active". "past_due": its rent is due, and it works
	// until ReleasesAt. "releasing": nothing is sent from it, and texts to it are stored, uncharged; it is
	// given back at ReleasesAt, until which you can undo it. "released". Values: "reserving", "active",
	// "past_due", "releasing", "released".
	Status string `json:"status"`
	// false: it is released when the month that is paid ends. true (default): its rent is taken then.
	AutoRenew bool `json:"auto_renew"`
	// Its rent in credits; nil for a number of the operator.
	CreditsPerMonth *int64 `json:"credits_per_month"`
	// How many texts of people whom you have never texted are received, and charged, in a day, New York
	// time; 0: none. Further ones are stored as limited: they cost nothing and are not sent to your
	// webhook. Replies of people whom you have texted do not count. nil for a number of the operator. A
	// key sets up to 100, the dashboard more.
	StrangersPerDay *int64 `json:"strangers_per_day"`
	// When the month that is paid ends, in UTC.
	RenewsAt *time.Time `json:"renews_at"`
	// Since when its rent is due and not paid.
	PastDueSince *time.Time `json:"past_due_since"`
	// When it is released, unless its rent is paid, AutoRenew is set or the release is undone.
	ReleasesAt *time.Time `json:"releases_at"`
	// When it was released.
	ReleasedAt *time.Time `json:"released_at"`
	// Since when carriers filter its messages, so that pools do not use it; nil if they do not.
	FilteredAt *time.Time `json:"filtered_at"`
	// Ids of the pools that it is in.
	Pools []string `json:"pools"`
	// When you bought it, in UTC.
	CreatedAt time.Time `json:"created_at"`
}

// OwnNumbers is an answer of the API.
type OwnNumbers struct {
	Response

	// Your numbers, newest first.
	Numbers []OwnNumber `json:"numbers"`
	// How many numbers you may have at a time.
	NumbersMax int64 `json:"numbers_max"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// NumberTrafficReason is a part of requests or answers.
type NumberTrafficReason struct {
	Code     string `json:"code"`
	Text     string `json:"text"`
	Messages int64  `json:"messages"`
}

// NumberTraffic is a part of requests or answers.
type NumberTraffic struct {
	// The oldest message that was looked at.
	Since *time.Time `json:"since"`
	// Messages from the number.
	Sent int64 `json:"sent"`
	// Messages that were delivered.
	Delivered int64 `json:"delivered"`
	// Messages that were not delivered.
	Failed int64 `json:"failed"`
	// Messages that wait or are scheduled: they fail and are refunded when it is released.
	Waiting int64 `json:"waiting"`
	// Messages to the number.
	Replies int64 `json:"replies"`
	// People that it talked to.
	People int64 `json:"people"`
	// Why messages were not delivered, the most frequent reason first.
	Reasons []NumberTrafficReason `json:"reasons"`
}

// OwnNumberAnswer is an answer of the API.
type OwnNumberAnswer struct {
	Response

	// Id of the number: num_ and 32 hex digits.
	NumberID string `json:"number_id"`
	// The number in E.164 format; one of the operator may be the id of a messaging service.
	Number string `json:"number"`
	// Your name for it, up to 60 characters.
	Label string `json:"label"`
	// "local" or "toll_free"; empty for a number of the operator. Values: "local", "toll_free".
	Type string `json:"type"`
	// Its country, as ISO 3166-1 alpha-2 code; empty for a number of the operator.
	Country string `json:"country"`
	// Kinds of messages that the number takes and sends.
	Capabilities []string `json:"capabilities"`
	// "purchase": you bought it. "operator": the operator has given it to you. Values: "purchase",
	// "operator".
	Origin string `json:"origin"`
	// "reserving": its purchase is not decided yet. "active". "past_due": its rent is due, and it works
	// until ReleasesAt. "releasing": nothing is sent from it, and texts to it are stored, uncharged; it is
	// given back at ReleasesAt, until which you can undo it. "released". Values: "reserving", "active",
	// "past_due", "releasing", "released".
	Status string `json:"status"`
	// false: it is released when the month that is paid ends. true (default): its rent is taken then.
	AutoRenew bool `json:"auto_renew"`
	// Its rent in credits; nil for a number of the operator.
	CreditsPerMonth *int64 `json:"credits_per_month"`
	// How many texts of people whom you have never texted are received, and charged, in a day, New York
	// time; 0: none. Further ones are stored as limited: they cost nothing and are not sent to your
	// webhook. Replies of people whom you have texted do not count. nil for a number of the operator. A
	// key sets up to 100, the dashboard more.
	StrangersPerDay *int64 `json:"strangers_per_day"`
	// When the month that is paid ends, in UTC.
	RenewsAt *time.Time `json:"renews_at"`
	// Since when its rent is due and not paid.
	PastDueSince *time.Time `json:"past_due_since"`
	// When it is released, unless its rent is paid, AutoRenew is set or the release is undone.
	ReleasesAt *time.Time `json:"releases_at"`
	// When it was released.
	ReleasedAt *time.Time `json:"released_at"`
	// Since when carriers filter its messages, so that pools do not use it; nil if they do not.
	FilteredAt *time.Time `json:"filtered_at"`
	// Ids of the pools that it is in.
	Pools []string `json:"pools"`
	// When you bought it, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// Messages of the number, among your newest 5,000 ones.
	Traffic NumberTraffic `json:"traffic"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// ChangedNumber is an answer of the API.
type ChangedNumber struct {
	Response

	// Id of the number: num_ and 32 hex digits.
	NumberID string `json:"number_id"`
	// The number in E.164 format; one of the operator may be the id of a messaging service.
	Number string `json:"number"`
	// Your name for it, up to 60 characters.
	Label string `json:"label"`
	// "local" or "toll_free"; empty for a number of the operator. Values: "local", "toll_free".
	Type string `json:"type"`
	// Its country, as ISO 3166-1 alpha-2 code; empty for a number of the operator.
	Country string `json:"country"`
	// Kinds of messages that the number takes and sends.
	Capabilities []string `json:"capabilities"`
	// "purchase": you bought it. "operator": the operator has given it to you. Values: "purchase",
	// "operator".
	Origin string `json:"origin"`
	// "reserving": its purchase is not decided yet. "active". "past_due": its rent is due, and it works
	// until ReleasesAt. "releasing": nothing is sent from it, and texts to it are stored, uncharged; it is
	// given back at ReleasesAt, until which you can undo it. "released". Values: "reserving", "active",
	// "past_due", "releasing", "released".
	Status string `json:"status"`
	// false: it is released when the month that is paid ends. true (default): its rent is taken then.
	AutoRenew bool `json:"auto_renew"`
	// Its rent in credits; nil for a number of the operator.
	CreditsPerMonth *int64 `json:"credits_per_month"`
	// How many texts of people whom you have never texted are received, and charged, in a day, New York
	// time; 0: none. Further ones are stored as limited: they cost nothing and are not sent to your
	// webhook. Replies of people whom you have texted do not count. nil for a number of the operator. A
	// key sets up to 100, the dashboard more.
	StrangersPerDay *int64 `json:"strangers_per_day"`
	// When the month that is paid ends, in UTC.
	RenewsAt *time.Time `json:"renews_at"`
	// Since when its rent is due and not paid.
	PastDueSince *time.Time `json:"past_due_since"`
	// When it is released, unless its rent is paid, AutoRenew is set or the release is undone.
	ReleasesAt *time.Time `json:"releases_at"`
	// When it was released.
	ReleasedAt *time.Time `json:"released_at"`
	// Since when carriers filter its messages, so that pools do not use it; nil if they do not.
	FilteredAt *time.Time `json:"filtered_at"`
	// Ids of the pools that it is in.
	Pools []string `json:"pools"`
	// When you bought it, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// PoolNumber is a part of requests or answers.
type PoolNumber struct {
	NumberID string `json:"number_id"`
	Number   string `json:"number"`
	// Values: "reserving", "active", "past_due", "releasing", "released".
	Status     string     `json:"status"`
	Active     bool       `json:"active"`
	FilteredAt *time.Time `json:"filtered_at"`
}

// Pool is a part of requests or answers.
type Pool struct {
	// Id of the pool: pool_ and 32 hex digits.
	PoolID string `json:"pool_id"`
	// Its name, unique in your account.
	Name string `json:"name"`
	// Whether messages without from take its numbers.
	Default bool `json:"default"`
	// Its numbers. active: messages take it. It is not while carriers filter its messages (FilteredAt), or
	// its status does not allow it.
	Numbers []PoolNumber `json:"numbers"`
	// When it was created, in UTC.
	CreatedAt time.Time `json:"created_at"`
}

// PoolAnswer is an answer of the API.
type PoolAnswer struct {
	Response

	// Id of the pool: pool_ and 32 hex digits.
	PoolID string `json:"pool_id"`
	// Its name, unique in your account.
	Name string `json:"name"`
	// Whether messages without from take its numbers.
	Default bool `json:"default"`
	// Its numbers. active: messages take it. It is not while carriers filter its messages (FilteredAt), or
	// its status does not allow it.
	Numbers []PoolNumber `json:"numbers"`
	// When it was created, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// PoolsAnswer is an answer of the API.
type PoolsAnswer struct {
	Response

	// Your pools, oldest first.
	Pools []Pool `json:"pools"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// PoolDeleted is an answer of the API.
type PoolDeleted struct {
	Response

	// Id of the pool: pool_ and 32 hex digits.
	PoolID string `json:"pool_id"`
	// Its numbers stay yours.
	Deleted bool `json:"deleted"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// CreatedTOTP is an answer of the API.
type CreatedTOTP struct {
	Response

	// Id of the authenticator: TP and 32 hex digits.
	TOTPID string `json:"totp_id"`
	// Names the person’s account in the app, such as an email address.
	Label string `json:"label"`
	// Names you in the app; empty if you left it out.
	Issuer string `json:"issuer"`
	// The secret in base32, for people who type it into the app. It is not shown again.
	Secret string `json:"secret"`
	// The address that adds it to the app on the same phone. It contains the secret.
	OtpauthURL string `json:"otpauth_url"`
	// The address as a QR code, an SVG image for your page. It contains the secret.
	QrSvg string `json:"qr_svg"`
	// When it was created, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// Present if the key was a test key: nothing was stored, and the secret is that of all test keys.
	Test bool `json:"test"`
}

// TOTPVerdict is an answer of the API.
type TOTPVerdict struct {
	Response

	// Id of the authenticator: TP and 32 hex digits.
	TOTPID string `json:"totp_id"`
	// "verified": the code is right, and counts once. "wrong": it is not, or is no code. "used": it, or a
	// later one, was accepted before. "locked": 10 codes were wrong, so none is looked at, right or wrong,
	// until LockedUntil. Values: "verified", "wrong", "used", "locked".
	Status string `json:"status"`
	// The kind of code that was verified, or used before: "app" or "recovery_code". empty for other
	// results. Values: "app", "recovery_code".
	Method string `json:"method"`
	// Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives all back.
	AttemptsLeft int64 `json:"attempts_left"`
	// When the lock ends, in UTC; nil unless it is locked now.
	LockedUntil *time.Time `json:"locked_until"`
	// Recovery codes that were not used.
	RecoveryCodesLeft int64 `json:"recovery_codes_left"`
	// Present if the key was a test key: nothing was counted or stored.
	Test bool `json:"test"`
}

// RecoveryCodes is an answer of the API.
type RecoveryCodes struct {
	Response

	// Id of the authenticator: TP and 32 hex digits.
	TOTPID string `json:"totp_id"`
	// The codes. They are not shown again.
	RecoveryCodes []string `json:"recovery_codes"`
	// Present if the key was a test key: these are the codes of all test keys.
	Test bool `json:"test"`
}

// TOTP is an answer of the API.
type TOTP struct {
	Response

	// Id of the authenticator: TP and 32 hex digits.
	TOTPID string `json:"totp_id"`
	// Names the person’s account in the app, such as an email address.
	Label string `json:"label"`
	// Names you in the app; empty if you left it out.
	Issuer string `json:"issuer"`
	// When it was created, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// When a code of the app was accepted first; nil until then: the person may not have set it up.
	VerifiedAt *time.Time `json:"verified_at"`
	// When a code was accepted last, of the app or for recovery.
	LastUsedAt *time.Time `json:"last_used_at"`
	// Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives all back.
	AttemptsLeft int64 `json:"attempts_left"`
	// When the lock ends, in UTC; nil unless it is locked now.
	LockedUntil *time.Time `json:"locked_until"`
	// Recovery codes that were not used.
	RecoveryCodesLeft int64 `json:"recovery_codes_left"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// ListedTOTP is an answer of the API.
type ListedTOTP struct {
	Response

	// Id of the authenticator: TP and 32 hex digits.
	TOTPID string `json:"totp_id"`
	// Names the person’s account in the app, such as an email address.
	Label string `json:"label"`
	// Names you in the app; empty if you left it out.
	Issuer string `json:"issuer"`
	// When it was created, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// When a code of the app was accepted first; nil until then: the person may not have set it up.
	VerifiedAt *time.Time `json:"verified_at"`
	// When a code was accepted last, of the app or for recovery.
	LastUsedAt *time.Time `json:"last_used_at"`
	// Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives all back.
	AttemptsLeft int64 `json:"attempts_left"`
	// When the lock ends, in UTC; nil unless it is locked now.
	LockedUntil *time.Time `json:"locked_until"`
	// Recovery codes that were not used.
	RecoveryCodesLeft int64 `json:"recovery_codes_left"`
}

// TOTPDeleted is an answer of the API.
type TOTPDeleted struct {
	Response

	// Id of the authenticator: TP and 32 hex digits.
	TOTPID string `json:"totp_id"`
	// Its codes and recovery codes are not accepted any more.
	Deleted bool `json:"deleted"`
	// Present if the key was a test key: this is an example.
	Test bool `json:"test"`
}

// ReceivedFile is a part of requests or answers.
type ReceivedFile struct {
	ID     string `json:"Id"`
	URL    string `json:"Url"`
	Type   string `json:"Type"`
	Bytes  *int64 `json:"Bytes"`
	SHA256 string `json:"Sha256"`
	// Values: "pending", "stored", "failed", "expired".
	Status string `json:"Status"`
}

// MessageReceivedData is the data of the event "message.received".
type MessageReceivedData struct {
	MessageID string `json:"MessageId"`
	Sender    string `json:"Sender"`
	Message   string `json:"Message"`
	// Values: "Received".
	Status    string         `json:"Status"`
	DateTime  string         `json:"DateTime"`
	Recipient string         `json:"Recipient"`
	Media     []ReceivedFile `json:"Media"`
}

// MessageScheduledData is the data of the event "message.scheduled".
type MessageScheduledData struct {
	MessageID    string `json:"message_id"`
	To           string `json:"to"`
	Segments     int64  `json:"segments"`
	Credits      int64  `json:"credits"`
	Refunded     int64  `json:"refunded"`
	Reference    string `json:"reference"`
	ErrorCode    string `json:"error_code"`
	CarrierError *int64 `json:"carrier_error"`
	// Values: "scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "canceled".
	Status string    `json:"status"`
	SendAt time.Time `json:"send_at"`
}

// MessageSentData is the data of the event "message.sent".
type MessageSentData struct {
	MessageID    string `json:"message_id"`
	To           string `json:"to"`
	Segments     int64  `json:"segments"`
	Credits      int64  `json:"credits"`
	Refunded     int64  `json:"refunded"`
	Reference    string `json:"reference"`
	ErrorCode    string `json:"error_code"`
	CarrierError *int64 `json:"carrier_error"`
	// Values: "scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "canceled".
	Status string `json:"status"`
}

// MessageReroutedData is the data of the event "message.rerouted".
type MessageReroutedData struct {
	MessageID    string `json:"message_id"`
	To           string `json:"to"`
	Segments     int64  `json:"segments"`
	Credits      int64  `json:"credits"`
	Refunded     int64  `json:"refunded"`
	Reference    string `json:"reference"`
	ErrorCode    string `json:"error_code"`
	CarrierError *int64 `json:"carrier_error"`
	// Values: "scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "canceled".
	Status string `json:"status"`
	// Values: "once", "fast".
	Delivery string `json:"delivery"`
	Attempt  int64  `json:"attempt"`
	// Values: "first", "not_taken", "route_failed", "doubtful", "slow", "route_paused".
	Reason string `json:"reason"`
}

// MessageDeliveredData is the data of the event "message.delivered".
type MessageDeliveredData struct {
	MessageID    string `json:"message_id"`
	To           string `json:"to"`
	Segments     int64  `json:"segments"`
	Credits      int64  `json:"credits"`
	Refunded     int64  `json:"refunded"`
	Reference    string `json:"reference"`
	ErrorCode    string `json:"error_code"`
	CarrierError *int64 `json:"carrier_error"`
	// Values: "scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "canceled".
	Status string `json:"status"`
}

// MessageUndeliveredData is the data of the event "message.undelivered".
type MessageUndeliveredData struct {
	MessageID    string `json:"message_id"`
	To           string `json:"to"`
	Segments     int64  `json:"segments"`
	Credits      int64  `json:"credits"`
	Refunded     int64  `json:"refunded"`
	Reference    string `json:"reference"`
	ErrorCode    string `json:"error_code"`
	CarrierError *int64 `json:"carrier_error"`
	// Values: "scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "canceled".
	Status string `json:"status"`
}

// MessageFailedData is the data of the event "message.failed".
type MessageFailedData struct {
	MessageID    string `json:"message_id"`
	To           string `json:"to"`
	Segments     int64  `json:"segments"`
	Credits      int64  `json:"credits"`
	Refunded     int64  `json:"refunded"`
	Reference    string `json:"reference"`
	ErrorCode    string `json:"error_code"`
	CarrierError *int64 `json:"carrier_error"`
	// Values: "scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "canceled".
	Status string `json:"status"`
}

// MessageCanceledData is the data of the event "message.canceled".
type MessageCanceledData struct {
	MessageID    string `json:"message_id"`
	To           string `json:"to"`
	Segments     int64  `json:"segments"`
	Credits      int64  `json:"credits"`
	Refunded     int64  `json:"refunded"`
	Reference    string `json:"reference"`
	ErrorCode    string `json:"error_code"`
	CarrierError *int64 `json:"carrier_error"`
	// Values: "scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "canceled".
	Status string `json:"status"`
}

// ReadyFile is a part of requests or answers.
type ReadyFile struct {
	MediaID string `json:"media_id"`
	URL     string `json:"url"`
	Type    string `json:"type"`
	Bytes   *int64 `json:"bytes"`
	SHA256  string `json:"sha256"`
	// Values: "pending", "stored", "failed", "expired".
	Status string `json:"status"`
}

// MessageMediaReadyData is the data of the event "message.media_ready".
type MessageMediaReadyData struct {
	MessageID string      `json:"message_id"`
	Sender    string      `json:"sender"`
	Media     []ReadyFile `json:"media"`
}

// OTPSentData is the data of the event "otp.sent".
type OTPSentData struct {
	OTPID     string    `json:"otp_id"`
	MessageID string    `json:"message_id"`
	To        string    `json:"to"`
	Reference string    `json:"reference"`
	ExpiresAt time.Time `json:"expires_at"`
	// Values: "sms", "whatsapp", "voice", "email".
	Channel     string    `json:"channel"`
	EnteredStep *int64    `json:"entered_step"`
	Steps       []OTPStep `json:"steps"`
}

// OTPVerifiedData is the data of the event "otp.verified".
type OTPVerifiedData struct {
	OTPID      string    `json:"otp_id"`
	MessageID  string    `json:"message_id"`
	To         string    `json:"to"`
	Reference  string    `json:"reference"`
	VerifiedAt time.Time `json:"verified_at"`
	// Values: "sms", "whatsapp", "voice", "email".
	Channel     string    `json:"channel"`
	EnteredStep *int64    `json:"entered_step"`
	Steps       []OTPStep `json:"steps"`
}

// OTPFailedData is the data of the event "otp.failed".
type OTPFailedData struct {
	OTPID     string    `json:"otp_id"`
	MessageID string    `json:"message_id"`
	To        string    `json:"to"`
	Reference string    `json:"reference"`
	FailedAt  time.Time `json:"failed_at"`
}

// OTPExpiredData is the data of the event "otp.expired".
type OTPExpiredData struct {
	OTPID     string    `json:"otp_id"`
	MessageID string    `json:"message_id"`
	To        string    `json:"to"`
	Reference string    `json:"reference"`
	ExpiredAt time.Time `json:"expired_at"`
}

// OTPBlockedData is the data of the event "otp.blocked".
type OTPBlockedData struct {
	OTPID     string    `json:"otp_id"`
	To        string    `json:"to"`
	Rule      string    `json:"rule"`
	Country   string    `json:"country"`
	Block     string    `json:"block"`
	Sent      int64     `json:"sent"`
	Verified  *int64    `json:"verified"`
	Reference string    `json:"reference"`
	BlockedAt time.Time `json:"blocked_at"`
}

// CreditsLowData is the data of the event "credits.low".
type CreditsLowData struct {
	Balance   int64 `json:"balance"`
	Threshold int64 `json:"threshold"`
}

// CreditsDailySpendData is the data of the event "credits.daily_spend".
type CreditsDailySpendData struct {
	Day       string `json:"day"`
	Spent     int64  `json:"spent"`
	Threshold int64  `json:"threshold"`
}

// NumberActiveData is the data of the event "number.active".
type NumberActiveData struct {
	NumberID string `json:"number_id"`
	Number   string `json:"number"`
	Label    string `json:"label"`
	// Values: "reserving", "active", "past_due", "releasing", "released".
	Status          string     `json:"status"`
	CreditsPerMonth *int64     `json:"credits_per_month"`
	RenewsAt        *time.Time `json:"renews_at"`
	ReleasesAt      *time.Time `json:"releases_at"`
}

// NumberPastDueData is the data of the event "number.past_due".
type NumberPastDueData struct {
	NumberID string `json:"number_id"`
	Number   string `json:"number"`
	Label    string `json:"label"`
	// Values: "reserving", "active", "past_due", "releasing", "released".
	Status          string     `json:"status"`
	CreditsPerMonth *int64     `json:"credits_per_month"`
	RenewsAt        *time.Time `json:"renews_at"`
	ReleasesAt      *time.Time `json:"releases_at"`
	Day             int64      `json:"day"`
}

// NumberReleasedData is the data of the event "number.released".
type NumberReleasedData struct {
	NumberID string `json:"number_id"`
	Number   string `json:"number"`
	Label    string `json:"label"`
	// Values: "reserving", "active", "past_due", "releasing", "released".
	Status          string     `json:"status"`
	CreditsPerMonth *int64     `json:"credits_per_month"`
	RenewsAt        *time.Time `json:"renews_at"`
	ReleasesAt      *time.Time `json:"releases_at"`
	// Values: "owner", "not_renewed", "unpaid", "deleted".
	Reason string `json:"reason"`
}

// NumberFilteredData is the data of the event "number.filtered".
type NumberFilteredData struct {
	NumberID string `json:"number_id"`
	Number   string `json:"number"`
	Label    string `json:"label"`
	// Values: "reserving", "active", "past_due", "releasing", "released".
	Status          string     `json:"status"`
	CreditsPerMonth *int64     `json:"credits_per_month"`
	RenewsAt        *time.Time `json:"renews_at"`
	ReleasesAt      *time.Time `json:"releases_at"`
	Messages        int64      `json:"messages"`
	Failed          int64      `json:"failed"`
}

// newData returns a pointer to the data of an event, or nil for an unknown type.
func newData(event string) any {
	switch event {
	case "message.received":
		return new(MessageReceivedData)
	case "message.scheduled":
		return new(MessageScheduledData)
	case "message.sent":
		return new(MessageSentData)
	case "message.rerouted":
		return new(MessageReroutedData)
	case "message.delivered":
		return new(MessageDeliveredData)
	case "message.undelivered":
		return new(MessageUndeliveredData)
	case "message.failed":
		return new(MessageFailedData)
	case "message.canceled":
		return new(MessageCanceledData)
	case "message.media_ready":
		return new(MessageMediaReadyData)
	case "otp.sent":
		return new(OTPSentData)
	case "otp.verified":
		return new(OTPVerifiedData)
	case "otp.failed":
		return new(OTPFailedData)
	case "otp.expired":
		return new(OTPExpiredData)
	case "otp.blocked":
		return new(OTPBlockedData)
	case "credits.low":
		return new(CreditsLowData)
	case "credits.daily_spend":
		return new(CreditsDailySpendData)
	case "number.active":
		return new(NumberActiveData)
	case "number.past_due":
		return new(NumberPastDueData)
	case "number.released":
		return new(NumberReleasedData)
	case "number.filtered":
		return new(NumberFilteredData)
	}
	return nil
}
