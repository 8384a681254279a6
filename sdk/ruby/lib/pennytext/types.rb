# frozen_string_literal: true

# Generated from the contract by `npm run -s docs:sdk`.

module Pennytext
  class UploadedMedia < Value
    # @return [String] Id of the file: +ME+ and 32 hex digits.
    def media_id = self["media_id"]

    # @return [String] Its media type, as its bytes show it.
    def type = self["type"]

    # @return [Integer] Its size.
    def bytes = self["bytes"]

    # @return [String] SHA-256 of its bytes, in hex digits.
    def sha256 = self["sha256"]

    # @return [Time] When the file is deleted, in UTC. Messages that wait keep it longer.
    def expires_at = time_of("expires_at")

    # @return [Boolean, nil] Present if the key was a test key: nothing was stored.
    def test = self["test"]
  end

  class TriggeredEvent < Value
    # @return [String] The <tt>webhook-id</tt> of the event.
    def event_id = self["event_id"]

    # @return [Boolean, nil] Present for a test key, which creates nothing.
    def test = self["test"]
  end

  class MessageFile < Value
    # @return [String]
    def media_id = self["media_id"]

    # @return [String, nil]
    def url = self["url"]

    # @return [String]
    def type = self["type"]

    # @return [Integer]
    def bytes = self["bytes"]

    # @return [String, nil]
    def sha256 = self["sha256"]

    # @return [String, nil]
    def original_id = self["original_id"]
  end

  class AcceptedMessage < Value
    # @return [String] Id of the message: +SM+ and 32 hex digits.
    def message_id = self["message_id"]

    # @return [Integer] Number of segments.
    def segments = self["segments"]

    # @return [Integer] Price of the message in credits. A test key is not charged.
    def credits = self["credits"]

    # @return [String] Encoding of the text: GSM-7 has room for more characters. Now one of <tt>GSM-7</tt>,
    #   <tt>UCS-2</tt>.
    def encoding = self["encoding"]

    # @return [Integer] Credits left after this message. A test key gets an example.
    def balance = self["balance"]

    # @return [String, nil] The reference that you sent, if any.
    def reference = self["reference"]

    # @return [String, nil] Present if the message is scheduled. Now one of +scheduled+.
    def status = self["status"]

    # @return [Time, nil] When a scheduled message leaves, in UTC.
    def send_at = time_of("send_at")

    # @return [String, nil] Present if replies to this message go to another account, which texted this person
    #   from the same number before. Now one of +unavailable+.
    def replies = self["replies"]

    # @return [String, nil] The +delivery+ that you chose, if you did. Now one of +once+, +fast+.
    def delivery = self["delivery"]

    # @return [Boolean, nil] Present if the key was a test key: nothing was sent or charged.
    def test = self["test"]

    # @return [Boolean, nil] Present if you sent +dedupe+ and this is an earlier message. Nothing was sent or
    #   charged again.
    def deduplicated = self["deduplicated"]

    # @return [String, nil] The text as it is sent. Present if you sent +encoding+ as +smart+, and if links take
    #   the place of files.
    def message = self["message"]

    # @return [String, nil] Present for a message with files, an MMS. Now one of +mms+.
    def kind = self["kind"]

    # @return [Array<MessageFile>] Present for a message with files, as long as they are known: each as it is
    #   sent. +original_id+: present if the picture was made smaller for the networks; the id of the file that it
    #   was made of.
    def media = values_of("media", MessageFile)
  end

  class Quote < Value
    # @return [String] Send it as +quote+ with the same content: it then costs at most +credits+.
    def quote = self["quote"]

    # @return [Time] When the quote expires: after 10 minutes, in UTC.
    def expires_at = time_of("expires_at")

    # @return [Integer] Number of segments.
    def segments = self["segments"]

    # @return [Integer] Price of the message in credits.
    def credits = self["credits"]

    # @return [String] Encoding of the text: GSM-7 has room for more characters. Now one of <tt>GSM-7</tt>,
    #   <tt>UCS-2</tt>.
    def encoding = self["encoding"]

    # @return [Array<String>] The first 10 characters that GSM-7 does not contain.
    def unsupported_characters = values_of("unsupported_characters")

    # @return [String] Country of the number, as ISO 3166-1 alpha-2 code.
    def country = self["country"]

    # @return [Integer] Your credits. A test key gets an example.
    def balance = self["balance"]

    # @return [Integer, nil] Credits left after sending; +null+ if the balance does not cover the price.
    def balance_after = self["balance_after"]

    # @return [String, nil] Present for a message with files, an MMS. Its files are looked at when it is sent.
    #   Now one of +mms+.
    def kind = self["kind"]

    # @return [Boolean, nil] Present if the key was a test key.
    def test = self["test"]
  end

  class ChannelPrice < Value
    # @return [String] Now one of +sms+, +whatsapp+, +voice+, +email+.
    def channel = self["channel"]

    # @return [Integer]
    def credits = self["credits"]
  end

  class OtpQuote < Value
    # @return [Array<ChannelPrice>] The +channels+ of a one-time password in order, each with its price in
    #   credits.
    def channels = values_of("channels", ChannelPrice)

    # @return [Integer] Price of the first channel in credits.
    def credits = self["credits"]

    # @return [Integer] Price of all +channels+ together in credits. Nothing holds it: send it as +max_credits+
    #   of +sendotp+.
    def credits_max = self["credits_max"]

    # @return [String] Country of the number +to+, as ISO 3166-1 alpha-2 code.
    def country = self["country"]

    # @return [Integer] Your credits. A test key gets an example.
    def balance = self["balance"]

    # @return [Integer, nil] Credits left if all +channels+ are tried; +null+ if the balance does not cover
    #   +credits_max+.
    def balance_after = self["balance_after"]

    # @return [Boolean, nil] Present if the key was a test key.
    def test = self["test"]
  end

  class SentOtp < Value
    # @return [String] Id of the message: +SM+ and 32 hex digits.
    def message_id = self["message_id"]

    # @return [Integer] Number of segments.
    def segments = self["segments"]

    # @return [Integer] Price of the message in credits. A test key is not charged.
    def credits = self["credits"]

    # @return [String] Encoding of the text: GSM-7 has room for more characters. Now one of <tt>GSM-7</tt>,
    #   <tt>UCS-2</tt>.
    def encoding = self["encoding"]

    # @return [Integer] Credits left after this message. A test key gets an example.
    def balance = self["balance"]

    # @return [String, nil] The reference that you sent, if any.
    def reference = self["reference"]

    # @return [String, nil] Present if the message is scheduled. Now one of +scheduled+.
    def status = self["status"]

    # @return [Time, nil] When a scheduled message leaves, in UTC.
    def send_at = time_of("send_at")

    # @return [String, nil] Present if replies to this message go to another account, which texted this person
    #   from the same number before. Now one of +unavailable+.
    def replies = self["replies"]

    # @return [String, nil] The +delivery+ that you chose, if you did. Now one of +once+, +fast+.
    def delivery = self["delivery"]

    # @return [Boolean, nil] Present if the key was a test key: nothing was sent or charged.
    def test = self["test"]

    # @return [String] Id of the one-time password: +OT+ and 32 hex digits.
    def otp_id = self["otp_id"]

    # @return [Time] When the code expires. Sending it again does not change this.
    def expires_at = time_of("expires_at")

    # @return [Time, nil] When the code can be sent again; +null+ if it cannot.
    def next_resend_at = time_of("next_resend_at")

    # @return [Integer] Wrong attempts left before the code becomes invalid.
    def attempts_left = self["attempts_left"]

    # @return [Boolean, nil] Present, as +false+, for your own +code+: we cannot verify it or send it again.
    def managed = self["managed"]

    # @return [String, nil] Present if you sent +channels+: the channel of this message. Now one of +sms+,
    #   +whatsapp+, +voice+, +email+.
    def channel = self["channel"]

    # @return [String, nil] Present if you sent +channels+: the channel that is tried next; +null+ if none is.
    #   Now one of +sms+, +whatsapp+, +voice+, +email+.
    def next_channel = self["next_channel"]

    # @return [Time, nil] Present if you sent +channels+: when it is tried, unless the code is entered before.
    def next_channel_at = time_of("next_channel_at")

    # @return [Integer, nil] Present if you sent +channels+: the price of all of them together.
    def credits_max = self["credits_max"]
  end

  class OtpGuardRule < Value
    # @return [String]
    def rule = self["rule"]

    # @return [String] Now one of +recipient+, +ip+, +device+, +block+, +call+, +caller+.
    def counts = self["counts"]

    # @return [Integer]
    def sends_max = self["sends_max"]

    # @return [Integer]
    def window_seconds = self["window_seconds"]

    # @return [Integer, nil]
    def verified_percent_min = self["verified_percent_min"]
  end

  class OtpGuardBlocked < Value
    # @return [String]
    def otp_id = self["otp_id"]

    # @return [String]
    def rule = self["rule"]

    # @return [String]
    def to = self["to"]

    # @return [String]
    def country = self["country"]

    # @return [String]
    def block = self["block"]

    # @return [Integer]
    def sent = self["sent"]

    # @return [Integer, nil]
    def verified = self["verified"]

    # @return [Integer]
    def refused = self["refused"]

    # @return [Boolean]
    def open = self["open"]

    # @return [Time]
    def first_at = time_of("first_at")

    # @return [Time]
    def last_at = time_of("last_at")
  end

  class OtpGuard < Value
    # @return [Boolean] Whether codes to some numbers are refused because too few were verified.
    def suspicious = self["suspicious"]

    # @return [Array<OtpGuardRule>] The rules: at most +sends_max+ messages by what a rule counts within its
    #   window.
    def rules = values_of("rules", OtpGuardRule)

    # @return [Array<OtpGuardBlocked>] Rules that refused codes within the last hour, latest first; +open+:
    #   still refused.
    def blocked = values_of("blocked", OtpGuardBlocked)

    # @return [Time, nil] When the guard was last reset.
    def reset_at = time_of("reset_at")

    # @return [Time, nil] When the guard can be reset again; +null+ if it can be now.
    def next_reset_at = time_of("next_reset_at")

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class FailureReason < Value
    # @return [String]
    def code = self["code"]

    # @return [String]
    def text = self["text"]

    # @return [Boolean]
    def permanent = self["permanent"]
  end

  class OtpMessage < Value
    # @return [String]
    def message_id = self["message_id"]

    # @return [String, nil] Now one of +scheduled+, +queued+, +sending+, +sent+, +delivered+, +undelivered+,
    #   +failed+, +canceled+.
    def status = self["status"]

    # @return [FailureReason, nil]
    def reason = value_of("reason", FailureReason)

    # @return [Time]
    def created_at = time_of("created_at")

    # @return [Time, nil]
    def sent_at = time_of("sent_at")

    # @return [Time, nil]
    def finished_at = time_of("finished_at")
  end

  class OtpStep < Value
    # @return [Integer]
    def n = self["n"]

    # @return [String] Now one of +sms+, +whatsapp+, +voice+, +email+.
    def channel = self["channel"]

    # @return [String]
    def to = self["to"]

    # @return [Time]
    def started_at = time_of("started_at")

    # @return [String] Now one of +started+, +sent+, +delivered+, +undelivered+, +failed+, +refused+.
    def outcome = self["outcome"]

    # @return [String, nil]
    def reason = self["reason"]

    # @return [Integer]
    def credits = self["credits"]
  end

  class Otp < Value
    # @return [String] Id of the one-time password: +OT+ and 32 hex digits.
    def otp_id = self["otp_id"]

    # @return [String] State of the code. All but +pending+ are final; +exhausted+: too many wrong attempts;
    #   +blocked+: refused by the fraud guard, never sent; +unmanaged+: you made the code, and verify it yourself.
    #   Now one of +pending+, +verified+, +expired+, +exhausted+, +blocked+, +unmanaged+.
    def status = self["status"]

    # @return [String] The recipient in E.164 format.
    def to = self["to"]

    # @return [String] Country of the recipient, as ISO 3166-1 alpha-2 code.
    def country = self["country"]

    # @return [String, nil] Id of the latest message with the code; +null+ if it was never sent.
    def message_id = self["message_id"]

    # @return [Array<OtpMessage>] The messages with the code, in order: the first one and each resend, with
    #   their +status+ (+null+ if the message was never accepted) and the +reason+ if it was not delivered.
    def messages = values_of("messages", OtpMessage)

    # @return [Time, nil] When the first of them was delivered; +null+ if none was, or it is not known yet.
    def delivered_at = time_of("delivered_at")

    # @return [String, nil] Your own reference for the message.
    def reference = self["reference"]

    # @return [Integer] Attempts to verify this code, the right one included.
    def attempts = self["attempts"]

    # @return [Integer] Wrong attempts left before the code becomes invalid.
    def attempts_left = self["attempts_left"]

    # @return [Integer] How often the code can still be sent again.
    def resends_left = self["resends_left"]

    # @return [Time, nil] When the code can be sent again; +null+ if it cannot.
    def next_resend_at = time_of("next_resend_at")

    # @return [String, nil] The named key that sent the code; +null+ for the account's own key.
    def key_id = self["key_id"]

    # @return [String, nil] Its name; +null+ also if it was revoked.
    def key_name = self["key_name"]

    # @return [String, nil] The rule of the fraud guard that refused the code; +null+ if none did.
    def blocked_by = self["blocked_by"]

    # @return [String] Channel of the latest message. Now one of +sms+, +whatsapp+, +voice+, +email+.
    def channel = self["channel"]

    # @return [String, nil] Channel that is tried next; +null+ if none is. Now one of +sms+, +whatsapp+,
    #   +voice+, +email+.
    def next_channel = self["next_channel"]

    # @return [Time, nil] When it is tried, unless the code is entered before; +null+ if none is.
    def next_channel_at = time_of("next_channel_at")

    # @return [Array<OtpStep>] The messages with their channels, in order. +outcome+: +started+ while the
    #   carrier has not answered, +refused+ if nothing was sent or charged, otherwise the state of the message;
    #   +reason+: why it did not arrive; +credits+: without refunds.
    def steps = values_of("steps", OtpStep)

    # @return [Integer, nil] The +n+ of the step after which the code was entered: the latest that had left,
    #   because all have the same code. +null+ while the code is not verified.
    def entered_step = self["entered_step"]

    # @return [Time] When the code was sent first, in UTC.
    def created_at = time_of("created_at")

    # @return [Time, nil] The last attempt to verify this code; +null+ if there was none.
    def last_attempt_at = time_of("last_attempt_at")

    # @return [Time, nil] When the code was verified; +null+ if it was not.
    def verified_at = time_of("verified_at")

    # @return [Time, nil] When the code expires or has expired.
    def expires_at = time_of("expires_at")

    # @return [Time, nil] When the code was verified, expired or became invalid; +null+ while it is pending.
    def ended_at = time_of("ended_at")

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class ListedOtp < Value
    # @return [String] Id of the one-time password: +OT+ and 32 hex digits.
    def otp_id = self["otp_id"]

    # @return [String] State of the code. All but +pending+ are final; +exhausted+: too many wrong attempts;
    #   +blocked+: refused by the fraud guard, never sent; +unmanaged+: you made the code, and verify it yourself.
    #   Now one of +pending+, +verified+, +expired+, +exhausted+, +blocked+, +unmanaged+.
    def status = self["status"]

    # @return [String] The recipient in E.164 format.
    def to = self["to"]

    # @return [String] Country of the recipient, as ISO 3166-1 alpha-2 code.
    def country = self["country"]

    # @return [String, nil] Id of the latest message with the code; +null+ if it was never sent.
    def message_id = self["message_id"]

    # @return [Array<OtpMessage>] The messages with the code, in order: the first one and each resend, with
    #   their +status+ (+null+ if the message was never accepted) and the +reason+ if it was not delivered.
    def messages = values_of("messages", OtpMessage)

    # @return [Time, nil] When the first of them was delivered; +null+ if none was, or it is not known yet.
    def delivered_at = time_of("delivered_at")

    # @return [String, nil] Your own reference for the message.
    def reference = self["reference"]

    # @return [Integer] Attempts to verify this code, the right one included.
    def attempts = self["attempts"]

    # @return [Integer] Wrong attempts left before the code becomes invalid.
    def attempts_left = self["attempts_left"]

    # @return [Integer] How often the code can still be sent again.
    def resends_left = self["resends_left"]

    # @return [Time, nil] When the code can be sent again; +null+ if it cannot.
    def next_resend_at = time_of("next_resend_at")

    # @return [String, nil] The named key that sent the code; +null+ for the account's own key.
    def key_id = self["key_id"]

    # @return [String, nil] Its name; +null+ also if it was revoked.
    def key_name = self["key_name"]

    # @return [String, nil] The rule of the fraud guard that refused the code; +null+ if none did.
    def blocked_by = self["blocked_by"]

    # @return [String] Channel of the latest message. Now one of +sms+, +whatsapp+, +voice+, +email+.
    def channel = self["channel"]

    # @return [String, nil] Channel that is tried next; +null+ if none is. Now one of +sms+, +whatsapp+,
    #   +voice+, +email+.
    def next_channel = self["next_channel"]

    # @return [Time, nil] When it is tried, unless the code is entered before; +null+ if none is.
    def next_channel_at = time_of("next_channel_at")

    # @return [Array<OtpStep>] The messages with their channels, in order. +outcome+: +started+ while the
    #   carrier has not answered, +refused+ if nothing was sent or charged, otherwise the state of the message;
    #   +reason+: why it did not arrive; +credits+: without refunds.
    def steps = values_of("steps", OtpStep)

    # @return [Integer, nil] The +n+ of the step after which the code was entered: the latest that had left,
    #   because all have the same code. +null+ while the code is not verified.
    def entered_step = self["entered_step"]

    # @return [Time] When the code was sent first, in UTC.
    def created_at = time_of("created_at")

    # @return [Time, nil] The last attempt to verify this code; +null+ if there was none.
    def last_attempt_at = time_of("last_attempt_at")

    # @return [Time, nil] When the code was verified; +null+ if it was not.
    def verified_at = time_of("verified_at")

    # @return [Time, nil] When the code expires or has expired.
    def expires_at = time_of("expires_at")

    # @return [Time, nil] When the code was verified, expired or became invalid; +null+ while it is pending.
    def ended_at = time_of("ended_at")
  end

  class OtpConversionCountry < Value
    # @return [String]
    def country = self["country"]

    # @return [Integer]
    def sent = self["sent"]

    # @return [Integer]
    def verified = self["verified"]

    # @return [Float, nil]
    def verified_percent = self["verified_percent"]
  end

  class OtpConversionDay < Value
    # @return [String]
    def day = self["day"]

    # @return [Integer]
    def sent = self["sent"]

    # @return [Integer]
    def verified = self["verified"]

    # @return [Float, nil]
    def verified_percent = self["verified_percent"]
  end

  class OtpConversionChannel < Value
    # @return [String] Now one of +sms+, +whatsapp+, +voice+, +email+.
    def channel = self["channel"]

    # @return [String]
    def country = self["country"]

    # @return [Integer]
    def sent = self["sent"]

    # @return [Integer]
    def verified = self["verified"]

    # @return [Float, nil]
    def verified_percent = self["verified_percent"]
  end

  class OtpConversion < Value
    # @return [String] First day that counts, in New York.
    def from = self["from"]

    # @return [String] Last day that counts, inclusive.
    def to = self["to"]

    # @return [Integer] Codes that were sent. A code counts once, however often it was sent again.
    def sent = self["sent"]

    # @return [Integer] Codes that were verified.
    def verified = self["verified"]

    # @return [Float, nil] Share of verified codes, with one decimal; +null+ if none was sent.
    def verified_percent = self["verified_percent"]

    # @return [Array<OtpConversionCountry>] The same by country of the recipient, as ISO 3166-1 alpha-2 code.
    def countries = values_of("countries", OtpConversionCountry)

    # @return [Array<OtpConversionDay>] The same by day on which the codes were first sent, oldest first,
    #   without those without codes.
    def days = values_of("days", OtpConversionDay)

    # @return [Array<OtpConversionChannel>] For codes with +channels+: messages by channel and country, and the
    #   codes that were entered after them.
    def channels = values_of("channels", OtpConversionChannel)

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class OtpVerdict < Value
    # @return [String] Result of the verification. Now one of +verified+, +not_found+, +expired+,
    #   +already_used+.
    def status = self["status"]

    # @return [String, nil] The recipient whose code was verified. Compare it with the person that you expect.
    def to = self["to"]

    # @return [String, nil] The code that was verified.
    def otp_id = self["otp_id"]

    # @return [Time, nil] When the code expires or has expired, in UTC. Absent if the code is unknown.
    def expires_at = time_of("expires_at")

    # @return [Integer, nil] Wrong tries left before the code becomes invalid. Present if +to+ or +otp_id+ was
    #   sent and names a live code.
    def attempts_left = self["attempts_left"]
  end

  class Message < Value
    # @return [String] Id of the message: +SM+ and 32 hex digits.
    def message_id = self["message_id"]

    # @return [String] The recipient in E.164 format.
    def to = self["to"]

    # @return [String, nil] The sender; +null+ until the carrier accepts the message.
    def from = self["from"]

    # @return [String] The text. OTPs are masked with asterisks.
    def message = self["message"]

    # @return [String] State of the message. The last four are final. Now one of +scheduled+, +queued+,
    #   +sending+, +sent+, +delivered+, +undelivered+, +failed+, +canceled+.
    def status = self["status"]

    # @return [Integer] Number of segments.
    def segments = self["segments"]

    # @return [Integer] Price of the message in credits.
    def credits = self["credits"]

    # @return [Integer] Credits that were refunded: all of them if the message was not delivered.
    def refunded = self["refunded"]

    # @return [String, nil] Your own reference for the message.
    def reference = self["reference"]

    # @return [String, nil] Why the message was not delivered, as a code of ours; +null+ if there was no error.
    def error_code = self["error_code"]

    # @return [Integer, nil] Error code of the carrier.
    def carrier_error = self["carrier_error"]

    # @return [FailureReason, nil] Why the message was not delivered, in words; +null+ if there was no error.
    #   +code+: the carrier’s if there is one, else ours. +permanent+: the same message to the same number would
    #   fail again.
    def reason = value_of("reason", FailureReason)

    # @return [String] Whether another route is tried only when that is safe, +once+, or also in doubt, +fast+.
    #   Now one of +once+, +fast+.
    def delivery = self["delivery"]

    # @return [Integer] Number of hand-overs to carriers, including those that a carrier did not take.
    #   +attempt_list+ of the record has a row for each.
    def attempts = self["attempts"]

    # @return [Time] When the message was accepted, in UTC.
    def created_at = time_of("created_at")

    # @return [Time, nil] When a scheduled message leaves; +null+ for one that left at once.
    def send_at = time_of("send_at")

    # @return [Time, nil] The message fails if the carrier does not have it by then; +null+ without +validity+.
    def expires_at = time_of("expires_at")

    # @return [Time, nil] When the carrier accepted the message.
    def sent_at = time_of("sent_at")

    # @return [Time, nil] When the message reached its final state.
    def finished_at = time_of("finished_at")

    # @return [String, nil] Present for a message with files. Now one of +mms+.
    def kind = self["kind"]

    # @return [Array<MessageFile>] Present for a message with files, as long as they are known: each as it is
    #   sent. +original_id+: present if the picture was made smaller for the networks; the id of the file that it
    #   was made of.
    def media = values_of("media", MessageFile)
  end

  class MessageAnswer < Value
    # @return [String] Id of the message: +SM+ and 32 hex digits.
    def message_id = self["message_id"]

    # @return [String] The recipient in E.164 format.
    def to = self["to"]

    # @return [String, nil] The sender; +null+ until the carrier accepts the message.
    def from = self["from"]

    # @return [String] The text. OTPs are masked with asterisks.
    def message = self["message"]

    # @return [String] State of the message. The last four are final. Now one of +scheduled+, +queued+,
    #   +sending+, +sent+, +delivered+, +undelivered+, +failed+, +canceled+.
    def status = self["status"]

    # @return [Integer] Number of segments.
    def segments = self["segments"]

    # @return [Integer] Price of the message in credits.
    def credits = self["credits"]

    # @return [Integer] Credits that were refunded: all of them if the message was not delivered.
    def refunded = self["refunded"]

    # @return [String, nil] Your own reference for the message.
    def reference = self["reference"]

    # @return [String, nil] Why the message was not delivered, as a code of ours; +null+ if there was no error.
    def error_code = self["error_code"]

    # @return [Integer, nil] Error code of the carrier.
    def carrier_error = self["carrier_error"]

    # @return [FailureReason, nil] Why the message was not delivered, in words; +null+ if there was no error.
    #   +code+: the carrier’s if there is one, else ours. +permanent+: the same message to the same number would
    #   fail again.
    def reason = value_of("reason", FailureReason)

    # @return [String] Whether another route is tried only when that is safe, +once+, or also in doubt, +fast+.
    #   Now one of +once+, +fast+.
    def delivery = self["delivery"]

    # @return [Integer] Number of hand-overs to carriers, including those that a carrier did not take.
    #   +attempt_list+ of the record has a row for each.
    def attempts = self["attempts"]

    # @return [Time] When the message was accepted, in UTC.
    def created_at = time_of("created_at")

    # @return [Time, nil] When a scheduled message leaves; +null+ for one that left at once.
    def send_at = time_of("send_at")

    # @return [Time, nil] The message fails if the carrier does not have it by then; +null+ without +validity+.
    def expires_at = time_of("expires_at")

    # @return [Time, nil] When the carrier accepted the message.
    def sent_at = time_of("sent_at")

    # @return [Time, nil] When the message reached its final state.
    def finished_at = time_of("finished_at")

    # @return [String, nil] Present for a message with files. Now one of +mms+.
    def kind = self["kind"]

    # @return [Array<MessageFile>] Present for a message with files, as long as they are known: each as it is
    #   sent. +original_id+: present if the picture was made smaller for the networks; the id of the file that it
    #   was made of.
    def media = values_of("media", MessageFile)

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class RecordedAttempt < Value
    # @return [Integer]
    def n = self["n"]

    # @return [String]
    def route = self["route"]

    # @return [String]
    def sender = self["sender"]

    # @return [Time, nil]
    def handed_at = time_of("handed_at")

    # @return [String, nil] Now one of +accepted+, +not_taken+, +doubtful+.
    def outcome = self["outcome"]

    # @return [String] Now one of +first+, +not_taken+, +route_failed+, +doubtful+, +slow+, +route_paused+.
    def reason = self["reason"]

    # @return [String, nil] Now one of +delivered+, +undelivered+, +failed+.
    def receipt = self["receipt"]
  end

  class RecordedTransition < Value
    # @return [String] Now one of +scheduled+, +queued+, +sending+, +sent+, +delivered+, +undelivered+,
    #   +failed+, +canceled+.
    def status = self["status"]

    # @return [Time]
    def at = time_of("at")

    # @return [String]
    def cause = self["cause"]
  end

  class RecordedRefund < Value
    # @return [Integer]
    def credits = self["credits"]

    # @return [Time]
    def at = time_of("at")
  end

  class LedgerSeal < Value
    # @return [Integer]
    def number = self["number"]

    # @return [Integer]
    def first = self["first"]

    # @return [Integer]
    def last = self["last"]

    # @return [Time]
    def sealed_at = time_of("sealed_at")

    # @return [String]
    def key = self["key"]

    # @return [String]
    def hash_ = self["hash"]
  end

  class RecordedEntry < Value
    # @return [Integer]
    def number = self["number"]

    # @return [Time]
    def at = time_of("at")

    # @return [String] Now one of +signup+, +purchase+, +redeem+, +message+, +otp+, +inbound+, +refund+,
    #   +chargeback+, +adjustment+, +number_rent+, +number_setup+.
    def kind = self["kind"]

    # @return [Integer]
    def amount = self["amount"]

    # @return [Integer]
    def balance_after = self["balance_after"]

    # @return [String, nil]
    def note = self["note"]

    # @return [LedgerSeal, nil]
    def seal = value_of("seal", LedgerSeal)
  end

  class RecordedCallback < Value
    # @return [String] Now one of +twilio+, +textbelt+.
    def format = self["format"]

    # @return [String]
    def url = self["url"]
  end

  class WebhookAttempt < Value
    # @return [Time]
    def at = time_of("at")

    # @return [Integer]
    def duration_ms = self["duration_ms"]

    # @return [Integer, nil]
    def status = self["status"]

    # @return [String]
    def answer = self["answer"]

    # @return [String, nil]
    def error = self["error"]
  end

  class RecordedWebhook < Value
    # @return [String]
    def id = self["id"]

    # @return [String] Now one of <tt>message.received</tt>, <tt>message.scheduled</tt>, <tt>message.sent</tt>,
    #   <tt>message.rerouted</tt>, <tt>message.delivered</tt>, <tt>message.undelivered</tt>,
    #   <tt>message.failed</tt>, <tt>message.canceled</tt>, <tt>message.media_ready</tt>, <tt>otp.sent</tt>,
    #   <tt>otp.verified</tt>, <tt>otp.failed</tt>, <tt>otp.expired</tt>, <tt>otp.blocked</tt>,
    #   <tt>credits.low</tt>, <tt>credits.daily_spend</tt>, <tt>number.active</tt>, <tt>number.past_due</tt>,
    #   <tt>number.released</tt>, <tt>number.filtered</tt>.
    def type = self["type"]

    # @return [RecordedCallback, nil]
    def callback = value_of("callback", RecordedCallback)

    # @return [String] Now one of +pending+, +paused+, +delivered+, +failed+.
    def status = self["status"]

    # @return [Time]
    def created_at = time_of("created_at")

    # @return [Time, nil]
    def finished_at = time_of("finished_at")

    # @return [String]
    def body = self["body"]

    # @return [Integer]
    def attempts = self["attempts"]

    # @return [Array<WebhookAttempt>]
    def attempt_list = values_of("attempt_list", WebhookAttempt)
  end

  class RemovedPart < Value
    # @return [String] Now one of +text+, +media+, +number+, +carrier_id+, +webhooks+.
    def part = self["part"]

    # @return [String]
    def why = self["why"]
  end

  class MessageRecord < Value
    # @return [String] Id of the message: +SM+ and 32 hex digits.
    def message_id = self["message_id"]

    # @return [String] The recipient in E.164 format.
    def to = self["to"]

    # @return [String, nil] The sender; +null+ until the carrier accepts the message.
    def from = self["from"]

    # @return [String] The text. OTPs are masked with asterisks.
    def message = self["message"]

    # @return [String] State of the message. The last four are final. Now one of +scheduled+, +queued+,
    #   +sending+, +sent+, +delivered+, +undelivered+, +failed+, +canceled+.
    def status = self["status"]

    # @return [Integer] Number of segments.
    def segments = self["segments"]

    # @return [Integer] Price of the message in credits.
    def credits = self["credits"]

    # @return [Integer] Credits that were refunded: all of them if the message was not delivered.
    def refunded = self["refunded"]

    # @return [String, nil] Your own reference for the message.
    def reference = self["reference"]

    # @return [String, nil] Why the message was not delivered, as a code of ours; +null+ if there was no error.
    def error_code = self["error_code"]

    # @return [Integer, nil] Error code of the carrier.
    def carrier_error = self["carrier_error"]

    # @return [FailureReason, nil] Why the message was not delivered, in words; +null+ if there was no error.
    #   +code+: the carrier’s if there is one, else ours. +permanent+: the same message to the same number would
    #   fail again.
    def reason = value_of("reason", FailureReason)

    # @return [String] Whether another route is tried only when that is safe, +once+, or also in doubt, +fast+.
    #   Now one of +once+, +fast+.
    def delivery = self["delivery"]

    # @return [Integer] Number of hand-overs to carriers, including those that a carrier did not take.
    #   +attempt_list+ of the record has a row for each.
    def attempts = self["attempts"]

    # @return [Time] When the message was accepted, in UTC.
    def created_at = time_of("created_at")

    # @return [Time, nil] When a scheduled message leaves; +null+ for one that left at once.
    def send_at = time_of("send_at")

    # @return [Time, nil] The message fails if the carrier does not have it by then; +null+ without +validity+.
    def expires_at = time_of("expires_at")

    # @return [Time, nil] When the carrier accepted the message.
    def sent_at = time_of("sent_at")

    # @return [Time, nil] When the message reached its final state.
    def finished_at = time_of("finished_at")

    # @return [String] +otp+ for a one-time password, whose code is masked; +mms+ for a message with files. Now
    #   one of +sms+, +mms+, +otp+.
    def kind = self["kind"]

    # @return [Array<MessageFile>] Present for a message with files, as long as they are known: each as it is
    #   sent. +original_id+: present if the picture was made smaller for the networks; the id of the file that it
    #   was made of.
    def media = values_of("media", MessageFile)

    # @return [Time] When this record was made.
    def recorded_at = time_of("recorded_at")

    # @return [String, nil] Encoding of the text; +null+ once the text is deleted. Now one of <tt>GSM-7</tt>,
    #   <tt>UCS-2</tt>.
    def encoding = self["encoding"]

    # @return [String, nil] Id of the message at the carrier; +null+ until the carrier accepts it.
    def carrier_id = self["carrier_id"]

    # @return [String] Meaning of +delivered+ on its route: +handset+, it reached the phone; +network+, the
    #   network of the phone confirmed it; +none+, nothing more than +sent+. Now one of +handset+, +network+,
    #   +none+.
    def receipt_level = self["receipt_level"]

    # @return [Array<RecordedAttempt>] Its hand-overs to routes, in order. Routes are named within the message,
    #   +r1+, +r2+. +reason+: why this route got it: +first+, +not_taken+, +route_failed+, +doubtful+, +slow+,
    #   +route_paused+. +outcome+: +accepted+, +not_taken+, +doubtful+; +null+ while it is not known. Of tries by
    #   one route the last one is shown.
    def attempt_list = values_of("attempt_list", RecordedAttempt)

    # @return [Array<RecordedTransition>] The states it reached, in order. +cause+ is +accepted+, +send_at+,
    #   +claimed+, +carrier_accepted+, +delivery_receipt+, +canceled+, or the +error_code+ of a message that was
    #   not delivered.
    def transitions = values_of("transitions", RecordedTransition)

    # @return [RecordedRefund, nil] The refund of its price; +null+ if it was not refunded.
    def refund = value_of("refund", RecordedRefund)

    # @return [Array<RecordedEntry>] Its entries in the ledger of your account, with their numbers, and the seal
    #   that covers each: +null+ until the entry is sealed, within a minute.
    def ledger = values_of("ledger", RecordedEntry)

    # @return [RecordedCallback, nil] The URL that this message named for its callbacks, without its query.
    def callback = value_of("callback", RecordedCallback)

    # @return [Array<RecordedWebhook>] The webhooks and callbacks about it, oldest first, with the last 100
    #   attempts of each and the beginning of each answer.
    def webhooks = values_of("webhooks", RecordedWebhook)

    # @return [Array<RemovedPart>] Parts that are no longer kept, and why.
    def removed = values_of("removed", RemovedPart)

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class OptOut < Value
    # @return [String]
    def number = self["number"]

    # @return [String, nil]
    def sender = self["sender"]

    # @return [String] Now one of +opted_out+, +opted_in+.
    def status = self["status"]

    # @return [Time]
    def opted_out_at = time_of("opted_out_at")

    # @return [Time, nil]
    def opted_in_at = time_of("opted_in_at")

    # @return [String] Now one of +reply+, +carrier+.
    def source = self["source"]

    # @return [String, nil]
    def word = self["word"]
  end

  class BalanceBudget < Value
    # @return [Integer, nil]
    def credits_per_day = self["credits_per_day"]

    # @return [Integer, nil]
    def credits_per_month = self["credits_per_month"]

    # @return [Integer]
    def spent_today = self["spent_today"]

    # @return [Integer]
    def spent_this_month = self["spent_this_month"]
  end

  class Balance < Value
    # @return [Integer] Credits left: +purchased+ minus +used+.
    def balance = self["balance"]

    # @return [Integer] All credits that were added.
    def purchased = self["purchased"]

    # @return [Integer] Credits spent minus refunds.
    def used = self["used"]

    # @return [Integer, nil] Present if a part of the balance cannot be spent: its payment is disputed, or a
    #   number is being bought.
    def frozen = self["frozen"]

    # @return [BalanceBudget, nil] Present if your key has a budget: the credits it may spend in a day and in a
    #   month (New York), +null+ without a limit, and what it has spent.
    def budget = value_of("budget", BalanceBudget)

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class Notification < Value
    # @return [String]
    def id = self["id"]

    # @return [String] Now one of +webhook_off+, +webhook_failing+, +credits_empty+, +credits_low+,
    #   +sending_suspended+, +codes_paused+, +messages_filtered+, +number_past_due+, +number_filtered+,
    #   +key_budget+, +payment_disputed+, +top_up_off+, +top_up_declined+, +top_up_confirm+, +top_up_paused+,
    #   +top_up_limit+, +account_deletion+, +welcome_email_failed+.
    def code = self["code"]

    # @return [String] Now one of +critical+, +warning+.
    def severity = self["severity"]

    # @return [Time, nil]
    def since = time_of("since")

    # @return [String]
    def message = self["message"]

    # @return [String]
    def action = self["action"]

    # @return [String]
    def url = self["url"]

    # @return [Hash{String => Object}]
    def figures = self["figures"]
  end

  class Notifications < Value
    # @return [Array<Notification>] Each with its +code+; +severity+: +critical+ when something does not work
    #   now, else +warning+; +since+, +null+ where the beginning is not known; a +message+, the +action+ to take,
    #   the +url+ of the dashboard where it is taken, and the +figures+ of the message, by code. +id+ names the
    #   cause: the same code with another cause has another id. Later versions may add codes.
    def notifications = values_of("notifications", Notification)

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class DeliverabilityReason < Value
    # @return [String]
    def code = self["code"]

    # @return [String]
    def text = self["text"]

    # @return [Boolean]
    def permanent = self["permanent"]

    # @return [Integer]
    def messages = self["messages"]
  end

  class DeliverabilityCountry < Value
    # @return [String]
    def country = self["country"]

    # @return [Integer]
    def messages = self["messages"]

    # @return [Integer]
    def delivered = self["delivered"]
  end

  class DeliverabilityDay < Value
    # @return [String]
    def day = self["day"]

    # @return [Integer]
    def messages = self["messages"]

    # @return [Integer]
    def delivered = self["delivered"]
  end

  class DeliverabilityKey < Value
    # @return [String, nil]
    def key_id = self["key_id"]

    # @return [String, nil]
    def name = self["name"]

    # @return [Integer]
    def messages = self["messages"]

    # @return [Integer]
    def delivered = self["delivered"]
  end

  class Deliverability < Value
    # @return [String] First day of acceptance that counts, in New York.
    def from = self["from"]

    # @return [String] Last day of acceptance that counts, inclusive.
    def to = self["to"]

    # @return [Integer] Messages that have ended: delivered or not. Canceled ones do not count.
    def messages = self["messages"]

    # @return [Integer] Messages that were delivered.
    def delivered = self["delivered"]

    # @return [Array<DeliverabilityReason>] Why the others were not delivered, the most frequent reason first.
    #   +code+ is a filter of <tt>GET /api/messages</tt>. +permanent+: the same message to the same number would
    #   fail again.
    def reasons = values_of("reasons", DeliverabilityReason)

    # @return [Array<DeliverabilityCountry>] By country of the recipient, as ISO 3166-1 alpha-2 code; the
    #   largest first.
    def countries = values_of("countries", DeliverabilityCountry)

    # @return [Array<DeliverabilityDay>] By day of acceptance, oldest first, without those on which no message
    #   ended.
    def days = values_of("days", DeliverabilityDay)

    # @return [Array<DeliverabilityKey>] By the key that sent them, the largest first. +key_id+ and +name+ are
    #   +null+ for the own key of your account and for the dashboard, +name+ also for a key that was revoked.
    def keys = values_of("keys", DeliverabilityKey)

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class SpendKey < Value
    # @return [String, nil]
    def key_id = self["key_id"]

    # @return [String, nil]
    def name = self["name"]

    # @return [Integer]
    def messages = self["messages"]

    # @return [Integer]
    def charged = self["charged"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [Integer]
    def spent = self["spent"]
  end

  class SpendMonth < Value
    # @return [String]
    def month = self["month"]

    # @return [Integer]
    def messages = self["messages"]

    # @return [Integer]
    def charged = self["charged"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [Integer]
    def spent = self["spent"]

    # @return [Array<SpendKey>]
    def keys = values_of("keys", SpendKey)
  end

  class SpendDay < Value
    # @return [String]
    def day = self["day"]

    # @return [Integer]
    def messages = self["messages"]

    # @return [Integer]
    def charged = self["charged"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [Integer]
    def spent = self["spent"]
  end

  class SpendCountry < Value
    # @return [String, nil]
    def country = self["country"]

    # @return [Integer]
    def messages = self["messages"]

    # @return [Integer]
    def charged = self["charged"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [Integer]
    def spent = self["spent"]
  end

  class SpendKind < Value
    # @return [String] Now one of +message+, +otp+, +reply+, +number+.
    def kind = self["kind"]

    # @return [Integer]
    def messages = self["messages"]

    # @return [Integer]
    def charged = self["charged"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [Integer]
    def spent = self["spent"]
  end

  class Spend < Value
    # @return [String] First day that counts, in New York.
    def from = self["from"]

    # @return [String] Last day that counts, inclusive.
    def to = self["to"]

    # @return [Integer] Messages, one-time passwords and replies that were charged.
    def messages = self["messages"]

    # @return [Integer] Credits charged for them.
    def charged = self["charged"]

    # @return [Integer] Credits that came back on these days.
    def refunded = self["refunded"]

    # @return [Integer] +charged+ less +refunded+; below 0 where refunds are for charges of earlier days.
    def spent = self["spent"]

    # @return [Array<SpendMonth>] By month, oldest first, and by key within each month.
    def months = values_of("months", SpendMonth)

    # @return [Array<SpendDay>] By day, oldest first, without those on which no credits moved.
    def days = values_of("days", SpendDay)

    # @return [Array<SpendKey>] By key, the largest first. +key_id+ and +name+ are +null+ for the own key of
    #   your account, the dashboard and replies, +name+ also for a key that was revoked.
    def keys = values_of("keys", SpendKey)

    # @return [Array<SpendCountry>] By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first.
    #   +null+: replies, and messages that are not kept any more.
    def countries = values_of("countries", SpendCountry)

    # @return [Array<SpendKind>] By what they were spent for: +message+, +otp+, or +reply+.
    def kinds = values_of("kinds", SpendKind)

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class ExposureKey < Value
    # @return [String, nil]
    def key_id = self["key_id"]

    # @return [String, nil]
    def name = self["name"]

    # @return [Integer]
    def credits = self["credits"]
  end

  class ExposureSwitch < Value
    # @return [String] Now one of +top_up_off+.
    def switch = self["switch"]

    # @return [String, nil]
    def key_id = self["key_id"]

    # @return [String]
    def text = self["text"]

    # @return [Integer]
    def credits = self["credits"]
  end

  class Exposure < Value
    # @return [Integer] The most credits that could be spent before you notice.
    def credits = self["credits"]

    # @return [String] Limit that ends the spending: +balance+ (all credits are gone, those of top-ups too),
    #   +daily_limit+, +budgets+ of the keys, or +sending_off+. Now one of +sending_off+, +balance+,
    #   +daily_limit+, +budgets+.
    def bound = self["bound"]

    # @return [Integer] The time within which you are assumed to notice.
    def within_hours = self["within_hours"]

    # @return [Integer] Credits that can be spent now.
    def available = self["available"]

    # @return [Integer] Credits that automatic top-up could buy within this time.
    def top_up_credits = self["top_up_credits"]

    # @return [Integer] Credits that numbers could cost within this time: your account’s own key and keys with
    #   the scope +numbers+ buy at most 5 a day. 0 before your first paid purchase.
    def number_credits = self["number_credits"]

    # @return [Integer] Messages that your daily limit allows within this time.
    def messages = self["messages"]

    # @return [Integer] Price of the dearest message: 10 segments to your dearest country.
    def credits_per_message = self["credits_per_message"]

    # @return [Array<ExposureKey>] The same for each live key alone, the largest first. +key_id+ is +null+ for
    #   your account’s own key.
    def keys = values_of("keys", ExposureKey)

    # @return [Array<ExposureSwitch>] Changes that lower +credits+: what to do, and the credits after it.
    #   +switch+: +top_up_off+.
    def switches = values_of("switches", ExposureSwitch)

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class RejectedMessage < Value
    # @return [Integer]
    def index = self["index"]

    # @return [String]
    def to = self["to"]

    # @return [String]
    def code = self["code"]

    # @return [String]
    def detail = self["detail"]
  end

  class AcceptedBulk < Value
    # @return [String] Id of the batch: +BA+ and 32 hex digits.
    def batch_id = self["batch_id"]

    # @return [Integer] Number of messages that were accepted.
    def accepted = self["accepted"]

    # @return [Array<RejectedMessage>] Items that were not accepted: +index+ counts from 0, +code+ and +detail+
    #   say why. +duplicate+: an earlier item has the same number and text, which is sent once.
    def rejected = values_of("rejected", RejectedMessage)

    # @return [Integer] Price of all accepted messages in credits. A test key is not charged.
    def credits = self["credits"]

    # @return [Integer] Credits left.
    def balance = self["balance"]

    # @return [Boolean, nil] Present if the key was a test key: nothing was sent or charged.
    def test = self["test"]
  end

  class Batch < Value
    # @return [String] Id of the batch: +BA+ and 32 hex digits.
    def batch_id = self["batch_id"]

    # @return [Time] When the batch was accepted, in UTC.
    def created_at = time_of("created_at")

    # @return [Integer] Number of messages.
    def messages = self["messages"]

    # @return [Hash{String => Integer}] Number of messages by status.
    def statuses = self["statuses"]

    # @return [Integer] Price of all messages in credits.
    def credits = self["credits"]

    # @return [Integer] Credits that were refunded so far.
    def refunded = self["refunded"]
  end

  class BatchAnswer < Value
    # @return [String] Id of the batch: +BA+ and 32 hex digits.
    def batch_id = self["batch_id"]

    # @return [Time] When the batch was accepted, in UTC.
    def created_at = time_of("created_at")

    # @return [Integer] Number of messages.
    def messages = self["messages"]

    # @return [Hash{String => Integer}] Number of messages by status.
    def statuses = self["statuses"]

    # @return [Integer] Price of all messages in credits.
    def credits = self["credits"]

    # @return [Integer] Credits that were refunded so far.
    def refunded = self["refunded"]

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class BatchCanceled < Value
    # @return [String] Id of the batch: +BA+ and 32 hex digits.
    def batch_id = self["batch_id"]

    # @return [Time] When the batch was accepted, in UTC.
    def created_at = time_of("created_at")

    # @return [Integer] Number of messages.
    def messages = self["messages"]

    # @return [Hash{String => Integer}] Number of messages by status.
    def statuses = self["statuses"]

    # @return [Integer] Price of all messages in credits.
    def credits = self["credits"]

    # @return [Integer] Credits that were refunded so far.
    def refunded = self["refunded"]

    # @return [Integer] Number of messages that this call canceled.
    def canceled = self["canceled"]

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class BulkQuote < Value
    # @return [String] Send it as +quote+ with the same content: it then costs at most +credits+.
    def quote = self["quote"]

    # @return [Time] When the quote expires: after 10 minutes, in UTC.
    def expires_at = time_of("expires_at")

    # @return [Integer] Segments of all messages.
    def segments = self["segments"]

    # @return [Integer] Price of all messages in credits.
    def credits = self["credits"]

    # @return [Integer] Credits left. An example for a test key.
    def balance = self["balance"]

    # @return [Integer, nil] Credits left after sending; +null+ if the balance does not cover the price.
    def balance_after = self["balance_after"]

    # @return [Integer] Number of messages that would be accepted.
    def messages = self["messages"]

    # @return [Array<RejectedMessage>] Items that were not accepted: +index+ counts from 0, +code+ and +detail+
    #   say why. +duplicate+: an earlier item has the same number and text, which is sent once.
    def rejected = values_of("rejected", RejectedMessage)

    # @return [String, nil] Present if the messages have files. Now one of +mms+.
    def kind = self["kind"]

    # @return [Boolean, nil] Present if the key was a test key.
    def test = self["test"]
  end

  class AvailableNumber < Value
    # @return [String] The number in E.164 format.
    def number = self["number"]

    # @return [String, nil] Where it is from; +null+ for a toll-free number.
    def locality = self["locality"]

    # @return [Array<String>] Kinds of messages that the number takes and sends.
    def capabilities = values_of("capabilities")

    # @return [Integer] Its rent in credits.
    def credits_per_month = self["credits_per_month"]

    # @return [Integer] Credits that it costs once, besides.
    def setup_credits = self["setup_credits"]
  end

  class AvailableNumbers < Value
    # @return [Array<AvailableNumber>] Numbers that you can buy now.
    def numbers = values_of("numbers", AvailableNumber)

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class BoughtNumber < Value
    # @return [String] Id of the number: +num_+ and 32 hex digits.
    def number_id = self["number_id"]

    # @return [String] The number in E.164 format.
    def number = self["number"]

    # @return [String] +active+, or +reserving+ while the carrier has not answered. To a repeated request: the
    #   state of the number now. Now one of +reserving+, +active+, +past_due+, +releasing+, +released+.
    def status = self["status"]

    # @return [Time, nil] When the month that is paid ends; +null+ while +reserving+, and after a release.
    def renews_at = time_of("renews_at")

    # @return [Integer] Credits that it costs now. Held while +reserving+, and returned if the carrier does not
    #   sell it.
    def credits = self["credits"]

    # @return [Integer] Credits left.
    def balance = self["balance"]

    # @return [Boolean, nil] Present if the key was a test key: nothing was bought or charged.
    def test = self["test"]
  end

  class OwnNumber < Value
    # @return [String] Id of the number: +num_+ and 32 hex digits.
    def number_id = self["number_id"]

    # @return [String] The number in E.164 format; one of the operator may be the id of a messaging service.
    def number = self["number"]

    # @return [String, nil] Your name for it, up to 60 characters.
    def label = self["label"]

    # @return [String, nil] +local+ or +toll_free+; +null+ for a number of the operator. Now one of +local+,
    #   +toll_free+.
    def type = self["type"]

    # @return [String, nil] Its country, as ISO 3166-1 alpha-2 code; +null+ for a number of the operator.
    def country = self["country"]

    # @return [Array<String>] Kinds of messages that the number takes and sends.
    def capabilities = values_of("capabilities")

    # @return [String] +purchase+: you bought it. +operator+: the operator has given it to you. Now one of
    #   +purchase+, +operator+.
    def origin = self["origin"]

    # @return [String] +reserving+: its purchase is not decided yet. +active+. +past_due+: its rent is due, and
    #   it works until +releases_at+. +releasing+: nothing is sent from it, and texts to it are stored, uncharged;
    #   it is given back at +releases_at+, until which you can undo it. +released+. Now one of +reserving+,
    #   +active+, +past_due+, +releasing+, +released+.
    def status = self["status"]

    # @return [Boolean] +false+: it is released when the month that is paid ends. +true+ (default): its rent is
    #   taken then.
    def auto_renew = self["auto_renew"]

    # @return [Integer, nil] Its rent in credits; +null+ for a number of the operator.
    def credits_per_month = self["credits_per_month"]

    # @return [Integer, nil] How many texts of people whom you have never texted are received, and charged, in a
    #   day, New York time; 0: none. Further ones are stored as +limited+: they cost nothing and are not sent to
    #   your webhook. Replies of people whom you have texted do not count. +null+ for a number of the operator. A
    #   key sets up to 100, the dashboard more.
    def strangers_per_day = self["strangers_per_day"]

    # @return [Time, nil] When the month that is paid ends, in UTC.
    def renews_at = time_of("renews_at")

    # @return [Time, nil] Since when its rent is due and not paid.
    def past_due_since = time_of("past_due_since")

    # @return [Time, nil] When it is released, unless its rent is paid, +auto_renew+ is set or the release is
    #   undone.
    def releases_at = time_of("releases_at")

    # @return [Time, nil] When it was released.
    def released_at = time_of("released_at")

    # @return [Time, nil] Since when carriers filter its messages, so that pools do not use it; +null+ if they
    #   do not.
    def filtered_at = time_of("filtered_at")

    # @return [Array<String>] Ids of the pools that it is in.
    def pools = values_of("pools")

    # @return [Time] When you bought it, in UTC.
    def created_at = time_of("created_at")
  end

  class OwnNumbers < Value
    # @return [Array<OwnNumber>] Your numbers, newest first.
    def numbers = values_of("numbers", OwnNumber)

    # @return [Integer] How many numbers you may have at a time.
    def numbers_max = self["numbers_max"]

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class NumberTrafficReason < Value
    # @return [String]
    def code = self["code"]

    # @return [String]
    def text = self["text"]

    # @return [Integer]
    def messages = self["messages"]
  end

  class NumberTraffic < Value
    # @return [Time, nil] The oldest message that was looked at.
    def since = time_of("since")

    # @return [Integer] Messages from the number.
    def sent = self["sent"]

    # @return [Integer] Messages that were delivered.
    def delivered = self["delivered"]

    # @return [Integer] Messages that were not delivered.
    def failed = self["failed"]

    # @return [Integer] Messages that wait or are scheduled: they fail and are refunded when it is released.
    def waiting = self["waiting"]

    # @return [Integer] Messages to the number.
    def replies = self["replies"]

    # @return [Integer] People that it talked to.
    def people = self["people"]

    # @return [Array<NumberTrafficReason>] Why messages were not delivered, the most frequent reason first.
    def reasons = values_of("reasons", NumberTrafficReason)
  end

  class OwnNumberAnswer < Value
    # @return [String] Id of the number: +num_+ and 32 hex digits.
    def number_id = self["number_id"]

    # @return [String] The number in E.164 format; one of the operator may be the id of a messaging service.
    def number = self["number"]

    # @return [String, nil] Your name for it, up to 60 characters.
    def label = self["label"]

    # @return [String, nil] +local+ or +toll_free+; +null+ for a number of the operator. Now one of +local+,
    #   +toll_free+.
    def type = self["type"]

    # @return [String, nil] Its country, as ISO 3166-1 alpha-2 code; +null+ for a number of the operator.
    def country = self["country"]

    # @return [Array<String>] Kinds of messages that the number takes and sends.
    def capabilities = values_of("capabilities")

    # @return [String] +purchase+: you bought it. +operator+: the operator has given it to you. Now one of
    #   +purchase+, +operator+.
    def origin = self["origin"]

    # @return [String] +reserving+: its purchase is not decided yet. +active+. +past_due+: its rent is due, and
    #   it works until +releases_at+. +releasing+: nothing is sent from it, and texts to it are stored, uncharged;
    #   it is given back at +releases_at+, until which you can undo it. +released+. Now one of +reserving+,
    #   +active+, +past_due+, +releasing+, +released+.
    def status = self["status"]

    # @return [Boolean] +false+: it is released when the month that is paid ends. +true+ (default): its rent is
    #   taken then.
    def auto_renew = self["auto_renew"]

    # @return [Integer, nil] Its rent in credits; +null+ for a number of the operator.
    def credits_per_month = self["credits_per_month"]

    # @return [Integer, nil] How many texts of people whom you have never texted are received, and charged, in a
    #   day, New York time; 0: none. Further ones are stored as +limited+: they cost nothing and are not sent to
    #   your webhook. Replies of people whom you have texted do not count. +null+ for a number of the operator. A
    #   key sets up to 100, the dashboard more.
    def strangers_per_day = self["strangers_per_day"]

    # @return [Time, nil] When the month that is paid ends, in UTC.
    def renews_at = time_of("renews_at")

    # @return [Time, nil] Since when its rent is due and not paid.
    def past_due_since = time_of("past_due_since")

    # @return [Time, nil] When it is released, unless its rent is paid, +auto_renew+ is set or the release is
    #   undone.
    def releases_at = time_of("releases_at")

    # @return [Time, nil] When it was released.
    def released_at = time_of("released_at")

    # @return [Time, nil] Since when carriers filter its messages, so that pools do not use it; +null+ if they
    #   do not.
    def filtered_at = time_of("filtered_at")

    # @return [Array<String>] Ids of the pools that it is in.
    def pools = values_of("pools")

    # @return [Time] When you bought it, in UTC.
    def created_at = time_of("created_at")

    # @return [NumberTraffic] Messages of the number, among your newest 5,000 ones.
    def traffic = value_of("traffic", NumberTraffic)

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class ChangedNumber < Value
    # @return [String] Id of the number: +num_+ and 32 hex digits.
    def number_id = self["number_id"]

    # @return [String] The number in E.164 format; one of the operator may be the id of a messaging service.
    def number = self["number"]

    # @return [String, nil] Your name for it, up to 60 characters.
    def label = self["label"]

    # @return [String, nil] +local+ or +toll_free+; +null+ for a number of the operator. Now one of +local+,
    #   +toll_free+.
    def type = self["type"]

    # @return [String, nil] Its country, as ISO 3166-1 alpha-2 code; +null+ for a number of the operator.
    def country = self["country"]

    # @return [Array<String>] Kinds of messages that the number takes and sends.
    def capabilities = values_of("capabilities")

    # @return [String] +purchase+: you bought it. +operator+: the operator has given it to you. Now one of
    #   +purchase+, +operator+.
    def origin = self["origin"]

    # @return [String] +reserving+: its purchase is not decided yet. +active+. +past_due+: its rent is due, and
    #   it works until +releases_at+. +releasing+: nothing is sent from it, and texts to it are stored, uncharged;
    #   it is given back at +releases_at+, until which you can undo it. +released+. Now one of +reserving+,
    #   +active+, +past_due+, +releasing+, +released+.
    def status = self["status"]

    # @return [Boolean] +false+: it is released when the month that is paid ends. +true+ (default): its rent is
    #   taken then.
    def auto_renew = self["auto_renew"]

    # @return [Integer, nil] Its rent in credits; +null+ for a number of the operator.
    def credits_per_month = self["credits_per_month"]

    # @return [Integer, nil] How many texts of people whom you have never texted are received, and charged, in a
    #   day, New York time; 0: none. Further ones are stored as +limited+: they cost nothing and are not sent to
    #   your webhook. Replies of people whom you have texted do not count. +null+ for a number of the operator. A
    #   key sets up to 100, the dashboard more.
    def strangers_per_day = self["strangers_per_day"]

    # @return [Time, nil] When the month that is paid ends, in UTC.
    def renews_at = time_of("renews_at")

    # @return [Time, nil] Since when its rent is due and not paid.
    def past_due_since = time_of("past_due_since")

    # @return [Time, nil] When it is released, unless its rent is paid, +auto_renew+ is set or the release is
    #   undone.
    def releases_at = time_of("releases_at")

    # @return [Time, nil] When it was released.
    def released_at = time_of("released_at")

    # @return [Time, nil] Since when carriers filter its messages, so that pools do not use it; +null+ if they
    #   do not.
    def filtered_at = time_of("filtered_at")

    # @return [Array<String>] Ids of the pools that it is in.
    def pools = values_of("pools")

    # @return [Time] When you bought it, in UTC.
    def created_at = time_of("created_at")

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class PoolNumber < Value
    # @return [String]
    def number_id = self["number_id"]

    # @return [String]
    def number = self["number"]

    # @return [String] Now one of +reserving+, +active+, +past_due+, +releasing+, +released+.
    def status = self["status"]

    # @return [Boolean]
    def active = self["active"]

    # @return [Time, nil]
    def filtered_at = time_of("filtered_at")
  end

  class Pool < Value
    # @return [String] Id of the pool: +pool_+ and 32 hex digits.
    def pool_id = self["pool_id"]

    # @return [String] Its name, unique in your account.
    def name = self["name"]

    # @return [Boolean] Whether messages without +from+ take its numbers.
    def default = self["default"]

    # @return [Array<PoolNumber>] Its numbers. +active+: messages take it. It is not while carriers filter its
    #   messages (+filtered_at+), or its +status+ does not allow it.
    def numbers = values_of("numbers", PoolNumber)

    # @return [Time] When it was created, in UTC.
    def created_at = time_of("created_at")
  end

  class PoolAnswer < Value
    # @return [String] Id of the pool: +pool_+ and 32 hex digits.
    def pool_id = self["pool_id"]

    # @return [String] Its name, unique in your account.
    def name = self["name"]

    # @return [Boolean] Whether messages without +from+ take its numbers.
    def default = self["default"]

    # @return [Array<PoolNumber>] Its numbers. +active+: messages take it. It is not while carriers filter its
    #   messages (+filtered_at+), or its +status+ does not allow it.
    def numbers = values_of("numbers", PoolNumber)

    # @return [Time] When it was created, in UTC.
    def created_at = time_of("created_at")

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class PoolsAnswer < Value
    # @return [Array<Pool>] Your pools, oldest first.
    def pools = values_of("pools", Pool)

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class PoolDeleted < Value
    # @return [String] Id of the pool: +pool_+ and 32 hex digits.
    def pool_id = self["pool_id"]

    # @return [Boolean] Its numbers stay yours.
    def deleted = self["deleted"]

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class CreatedTotp < Value
    # @return [String] Id of the authenticator: +TP+ and 32 hex digits.
    def totp_id = self["totp_id"]

    # @return [String] Names the person’s account in the app, such as an email address.
    def label = self["label"]

    # @return [String, nil] Names you in the app; +null+ if you left it out.
    def issuer = self["issuer"]

    # @return [String] The secret in base32, for people who type it into the app. It is not shown again.
    def secret = self["secret"]

    # @return [String] The address that adds it to the app on the same phone. It contains the secret.
    def otpauth_url = self["otpauth_url"]

    # @return [String] The address as a QR code, an SVG image for your page. It contains the secret.
    def qr_svg = self["qr_svg"]

    # @return [Time] When it was created, in UTC.
    def created_at = time_of("created_at")

    # @return [Boolean, nil] Present if the key was a test key: nothing was stored, and the secret is that of
    #   all test keys.
    def test = self["test"]
  end

  class TotpVerdict < Value
    # @return [String] Id of the authenticator: +TP+ and 32 hex digits.
    def totp_id = self["totp_id"]

    # @return [String] +verified+: the code is right, and counts once. +wrong+: it is not, or is no code.
    #   +used+: it, or a later one, was accepted before. +locked+: 10 codes were wrong, so none is looked at,
    #   right or wrong, until +locked_until+. Now one of +verified+, +wrong+, +used+, +locked+.
    def status = self["status"]

    # @return [String, nil] The kind of code that was verified, or used before: +app+ or +recovery_code+. +null+
    #   for other results. Now one of +app+, +recovery_code+.
    def method_ = self["method"]

    # @return [Integer] Wrong codes left until the authenticator is locked; 0 while it is. An accepted code
    #   gives all back.
    def attempts_left = self["attempts_left"]

    # @return [Time, nil] When the lock ends, in UTC; +null+ unless it is locked now.
    def locked_until = time_of("locked_until")

    # @return [Integer] Recovery codes that were not used.
    def recovery_codes_left = self["recovery_codes_left"]

    # @return [Boolean, nil] Present if the key was a test key: nothing was counted or stored.
    def test = self["test"]
  end

  class RecoveryCodes < Value
    # @return [String] Id of the authenticator: +TP+ and 32 hex digits.
    def totp_id = self["totp_id"]

    # @return [Array<String>] The codes. They are not shown again.
    def recovery_codes = values_of("recovery_codes")

    # @return [Boolean, nil] Present if the key was a test key: these are the codes of all test keys.
    def test = self["test"]
  end

  class Totp < Value
    # @return [String] Id of the authenticator: +TP+ and 32 hex digits.
    def totp_id = self["totp_id"]

    # @return [String] Names the person’s account in the app, such as an email address.
    def label = self["label"]

    # @return [String, nil] Names you in the app; +null+ if you left it out.
    def issuer = self["issuer"]

    # @return [Time] When it was created, in UTC.
    def created_at = time_of("created_at")

    # @return [Time, nil] When a code of the app was accepted first; +null+ until then: the person may not have
    #   set it up.
    def verified_at = time_of("verified_at")

    # @return [Time, nil] When a code was accepted last, of the app or for recovery.
    def last_used_at = time_of("last_used_at")

    # @return [Integer] Wrong codes left until the authenticator is locked; 0 while it is. An accepted code
    #   gives all back.
    def attempts_left = self["attempts_left"]

    # @return [Time, nil] When the lock ends, in UTC; +null+ unless it is locked now.
    def locked_until = time_of("locked_until")

    # @return [Integer] Recovery codes that were not used.
    def recovery_codes_left = self["recovery_codes_left"]

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class ListedTotp < Value
    # @return [String] Id of the authenticator: +TP+ and 32 hex digits.
    def totp_id = self["totp_id"]

    # @return [String] Names the person’s account in the app, such as an email address.
    def label = self["label"]

    # @return [String, nil] Names you in the app; +null+ if you left it out.
    def issuer = self["issuer"]

    # @return [Time] When it was created, in UTC.
    def created_at = time_of("created_at")

    # @return [Time, nil] When a code of the app was accepted first; +null+ until then: the person may not have
    #   set it up.
    def verified_at = time_of("verified_at")

    # @return [Time, nil] When a code was accepted last, of the app or for recovery.
    def last_used_at = time_of("last_used_at")

    # @return [Integer] Wrong codes left until the authenticator is locked; 0 while it is. An accepted code
    #   gives all back.
    def attempts_left = self["attempts_left"]

    # @return [Time, nil] When the lock ends, in UTC; +null+ unless it is locked now.
    def locked_until = time_of("locked_until")

    # @return [Integer] Recovery codes that were not used.
    def recovery_codes_left = self["recovery_codes_left"]
  end

  class TotpDeleted < Value
    # @return [String] Id of the authenticator: +TP+ and 32 hex digits.
    def totp_id = self["totp_id"]

    # @return [Boolean] Its codes and recovery codes are not accepted any more.
    def deleted = self["deleted"]

    # @return [Boolean, nil] Present if the key was a test key: this is an example.
    def test = self["test"]
  end

  class ReceivedFile < Value
    # @return [String]
    def id = self["Id"]

    # @return [String, nil]
    def url = self["Url"]

    # @return [String, nil]
    def type = self["Type"]

    # @return [Integer, nil]
    def bytes = self["Bytes"]

    # @return [String, nil]
    def sha256 = self["Sha256"]

    # @return [String] Now one of +pending+, +stored+, +failed+, +expired+.
    def status = self["Status"]
  end

  class MessageReceivedData < Value
    # @return [String]
    def message_id = self["MessageId"]

    # @return [String]
    def sender = self["Sender"]

    # @return [String]
    def message = self["Message"]

    # @return [String] Now one of +Received+.
    def status = self["Status"]

    # @return [String]
    def date_time = self["DateTime"]

    # @return [String, nil]
    def recipient = self["Recipient"]

    # @return [Array<ReceivedFile>]
    def media = values_of("Media", ReceivedFile)
  end

  class MessageScheduledData < Value
    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def to = self["to"]

    # @return [Integer]
    def segments = self["segments"]

    # @return [Integer]
    def credits = self["credits"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [String, nil]
    def error_code = self["error_code"]

    # @return [Integer, nil]
    def carrier_error = self["carrier_error"]

    # @return [String] Now one of +scheduled+, +queued+, +sending+, +sent+, +delivered+, +undelivered+,
    #   +failed+, +canceled+.
    def status = self["status"]

    # @return [Time]
    def send_at = time_of("send_at")
  end

  class MessageSentData < Value
    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def to = self["to"]

    # @return [Integer]
    def segments = self["segments"]

    # @return [Integer]
    def credits = self["credits"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [String, nil]
    def error_code = self["error_code"]

    # @return [Integer, nil]
    def carrier_error = self["carrier_error"]

    # @return [String] Now one of +scheduled+, +queued+, +sending+, +sent+, +delivered+, +undelivered+,
    #   +failed+, +canceled+.
    def status = self["status"]
  end

  class MessageReroutedData < Value
    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def to = self["to"]

    # @return [Integer]
    def segments = self["segments"]

    # @return [Integer]
    def credits = self["credits"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [String, nil]
    def error_code = self["error_code"]

    # @return [Integer, nil]
    def carrier_error = self["carrier_error"]

    # @return [String] Now one of +scheduled+, +queued+, +sending+, +sent+, +delivered+, +undelivered+,
    #   +failed+, +canceled+.
    def status = self["status"]

    # @return [String] Now one of +once+, +fast+.
    def delivery = self["delivery"]

    # @return [Integer]
    def attempt = self["attempt"]

    # @return [String] Now one of +first+, +not_taken+, +route_failed+, +doubtful+, +slow+, +route_paused+.
    def reason = self["reason"]
  end

  class MessageDeliveredData < Value
    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def to = self["to"]

    # @return [Integer]
    def segments = self["segments"]

    # @return [Integer]
    def credits = self["credits"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [String, nil]
    def error_code = self["error_code"]

    # @return [Integer, nil]
    def carrier_error = self["carrier_error"]

    # @return [String] Now one of +scheduled+, +queued+, +sending+, +sent+, +delivered+, +undelivered+,
    #   +failed+, +canceled+.
    def status = self["status"]
  end

  class MessageUndeliveredData < Value
    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def to = self["to"]

    # @return [Integer]
    def segments = self["segments"]

    # @return [Integer]
    def credits = self["credits"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [String, nil]
    def error_code = self["error_code"]

    # @return [Integer, nil]
    def carrier_error = self["carrier_error"]

    # @return [String] Now one of +scheduled+, +queued+, +sending+, +sent+, +delivered+, +undelivered+,
    #   +failed+, +canceled+.
    def status = self["status"]
  end

  class MessageFailedData < Value
    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def to = self["to"]

    # @return [Integer]
    def segments = self["segments"]

    # @return [Integer]
    def credits = self["credits"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [String, nil]
    def error_code = self["error_code"]

    # @return [Integer, nil]
    def carrier_error = self["carrier_error"]

    # @return [String] Now one of +scheduled+, +queued+, +sending+, +sent+, +delivered+, +undelivered+,
    #   +failed+, +canceled+.
    def status = self["status"]
  end

  class MessageCanceledData < Value
    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def to = self["to"]

    # @return [Integer]
    def segments = self["segments"]

    # @return [Integer]
    def credits = self["credits"]

    # @return [Integer]
    def refunded = self["refunded"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [String, nil]
    def error_code = self["error_code"]

    # @return [Integer, nil]
    def carrier_error = self["carrier_error"]

    # @return [String] Now one of +scheduled+, +queued+, +sending+, +sent+, +delivered+, +undelivered+,
    #   +failed+, +canceled+.
    def status = self["status"]
  end

  class ReadyFile < Value
    # @return [String]
    def media_id = self["media_id"]

    # @return [String, nil]
    def url = self["url"]

    # @return [String, nil]
    def type = self["type"]

    # @return [Integer, nil]
    def bytes = self["bytes"]

    # @return [String, nil]
    def sha256 = self["sha256"]

    # @return [String] Now one of +pending+, +stored+, +failed+, +expired+.
    def status = self["status"]
  end

  class MessageMediaReadyData < Value
    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def sender = self["sender"]

    # @return [Array<ReadyFile>]
    def media = values_of("media", ReadyFile)
  end

  class OtpSentData < Value
    # @return [String]
    def otp_id = self["otp_id"]

    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def to = self["to"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [Time]
    def expires_at = time_of("expires_at")

    # @return [String, nil] Now one of +sms+, +whatsapp+, +voice+, +email+.
    def channel = self["channel"]

    # @return [Integer, nil]
    def entered_step = self["entered_step"]

    # @return [Array<OtpStep>]
    def steps = values_of("steps", OtpStep)
  end

  class OtpVerifiedData < Value
    # @return [String]
    def otp_id = self["otp_id"]

    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def to = self["to"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [Time]
    def verified_at = time_of("verified_at")

    # @return [String, nil] Now one of +sms+, +whatsapp+, +voice+, +email+.
    def channel = self["channel"]

    # @return [Integer, nil]
    def entered_step = self["entered_step"]

    # @return [Array<OtpStep>]
    def steps = values_of("steps", OtpStep)
  end

  class OtpFailedData < Value
    # @return [String]
    def otp_id = self["otp_id"]

    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def to = self["to"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [Time]
    def failed_at = time_of("failed_at")
  end

  class OtpExpiredData < Value
    # @return [String]
    def otp_id = self["otp_id"]

    # @return [String]
    def message_id = self["message_id"]

    # @return [String]
    def to = self["to"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [Time]
    def expired_at = time_of("expired_at")
  end

  class OtpBlockedData < Value
    # @return [String]
    def otp_id = self["otp_id"]

    # @return [String]
    def to = self["to"]

    # @return [String]
    def rule = self["rule"]

    # @return [String]
    def country = self["country"]

    # @return [String]
    def block = self["block"]

    # @return [Integer]
    def sent = self["sent"]

    # @return [Integer, nil]
    def verified = self["verified"]

    # @return [String, nil]
    def reference = self["reference"]

    # @return [Time]
    def blocked_at = time_of("blocked_at")
  end

  class CreditsLowData < Value
    # @return [Integer]
    def balance = self["balance"]

    # @return [Integer]
    def threshold = self["threshold"]
  end

  class CreditsDailySpendData < Value
    # @return [String]
    def day = self["day"]

    # @return [Integer]
    def spent = self["spent"]

    # @return [Integer]
    def threshold = self["threshold"]
  end

  class NumberActiveData < Value
    # @return [String]
    def number_id = self["number_id"]

    # @return [String]
    def number = self["number"]

    # @return [String, nil]
    def label = self["label"]

    # @return [String] Now one of +reserving+, +active+, +past_due+, +releasing+, +released+.
    def status = self["status"]

    # @return [Integer, nil]
    def credits_per_month = self["credits_per_month"]

    # @return [Time, nil]
    def renews_at = time_of("renews_at")

    # @return [Time, nil]
    def releases_at = time_of("releases_at")
  end

  class NumberPastDueData < Value
    # @return [String]
    def number_id = self["number_id"]

    # @return [String]
    def number = self["number"]

    # @return [String, nil]
    def label = self["label"]

    # @return [String] Now one of +reserving+, +active+, +past_due+, +releasing+, +released+.
    def status = self["status"]

    # @return [Integer, nil]
    def credits_per_month = self["credits_per_month"]

    # @return [Time, nil]
    def renews_at = time_of("renews_at")

    # @return [Time, nil]
    def releases_at = time_of("releases_at")

    # @return [Integer]
    def day = self["day"]
  end

  class NumberReleasedData < Value
    # @return [String]
    def number_id = self["number_id"]

    # @return [String]
    def number = self["number"]

    # @return [String, nil]
    def label = self["label"]

    # @return [String] Now one of +reserving+, +active+, +past_due+, +releasing+, +released+.
    def status = self["status"]

    # @return [Integer, nil]
    def credits_per_month = self["credits_per_month"]

    # @return [Time, nil]
    def renews_at = time_of("renews_at")

    # @return [Time, nil]
    def releases_at = time_of("releases_at")

    # @return [String] Now one of +owner+, +not_renewed+, +unpaid+, +deleted+.
    def reason = self["reason"]
  end

  class NumberFilteredData < Value
    # @return [String]
    def number_id = self["number_id"]

    # @return [String]
    def number = self["number"]

    # @return [String, nil]
    def label = self["label"]

    # @return [String] Now one of +reserving+, +active+, +past_due+, +releasing+, +released+.
    def status = self["status"]

    # @return [Integer, nil]
    def credits_per_month = self["credits_per_month"]

    # @return [Time, nil]
    def renews_at = time_of("renews_at")

    # @return [Time, nil]
    def releases_at = time_of("releases_at")

    # @return [Integer]
    def messages = self["messages"]

    # @return [Integer]
    def failed = self["failed"]
  end
end
