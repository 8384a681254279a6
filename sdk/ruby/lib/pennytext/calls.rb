# frozen_string_literal: true

# Generated from the contract by `npm run -s docs:sdk`.

module Pennytext
  class MediaCalls < Calls
    # Upload a file.
    #
    # Stores a picture or another file for messages, for 30 days: <tt>multipart/form-data</tt> with a part
    # +file+ and the key as <tt>Authorization: Bearer</tt>, or its +url+, which is fetched.
    #
    # @param file [String, IO, nil] the bytes, or an open file; without it the +url+
    # @param url [String, nil] Where the file is. It is fetched before the answer.
    # @param idempotency_key [String, nil] your own key; each call has a random one without it
    # @return [UploadedMedia]
    # @raise [Error]
    def upload(file = nil, url: nil, idempotency_key: nil, **options)
      fields = { url: url }
      @transport.call("POST", "/api/media", UploadedMedia, body: fields, file: file, timeout: 120,
                      deadline: 240, repeat: :keyed, idempotency_key: idempotency_key, **options)
    end
  end

  class MessagesCalls < Calls
    # List your messages.
    #
    # Your messages and their states, newest first, in pages. With a filter a page may have fewer messages than
    # there are, or none: ask on until +next_cursor+ is +null+.
    #
    # @param status [String, nil] Only messages in this state.
    # @param reason [String, nil] Only messages that were not delivered for this reason: a code of the carrier,
    #   such as +30003+, or of ours, for messages without one of the carrier.
    # @param to [String, nil] Only messages to this number.
    # @param reference [String, nil] Only messages with exactly this reference.
    # @param batch_id [String, nil] Only messages of this batch.
    # @param since [Time, nil] Only messages accepted at this time or later (RFC 3339 with an offset).
    # @param until [Time, nil] Only messages accepted before this time.
    # @return [Enumerator<Message>]
    # @raise [Error]
    def list(status: nil, reason: nil, to: nil, reference: nil, batch_id: nil, since: nil, until: nil,
             **options)
      fields = { status: status, reason: reason, to: to, reference: reference, batch_id: batch_id,
                 since: since, until: binding.local_variable_get(:until) }
      @transport.list("/api/messages", Message, "messages", query: fields, **options)
    end

    # Show a message.
    #
    # One message and its state. Messages of other accounts are not found.
    #
    # @param message_id [String]
    # @return [MessageAnswer]
    # @raise [Error]
    def get(message_id, **options)
      @transport.call("GET", "/api/messages/#{segment(message_id)}", MessageAnswer, **options)
    end

    # Show the record of a message.
    #
    # Everything known of one message: every state with its time and cause, the carrier’s id and codes, ledger
    # entries with their seals, refund, and webhooks with their attempts. +removed+ names what is no longer
    # kept.
    #
    # @param message_id [String]
    # @return [MessageRecord]
    # @raise [Error]
    def record(message_id, **options)
      @transport.call("GET", "/api/messages/#{segment(message_id)}/record", MessageRecord, **options)
    end

    # Cancel a message.
    #
    # Cancels a message that is +scheduled+ or +queued+, and refunds its credits. Canceling it again answers 200
    # with it, and refunds nothing more. A one-time password cannot be canceled.
    #
    # @param message_id [String]
    # @return [MessageAnswer]
    # @raise [Error]
    def cancel(message_id, **options)
      @transport.call("POST", "/api/messages/#{segment(message_id)}/cancel", MessageAnswer, body: {},
                      **options)
    end
  end

  class OtpCalls < Calls
    # Send a one-time password.
    #
    # Generates a code and sends it, to the USA and Canada only, unless the operator has changed that: see +otp+
    # in GET /api/regions. It costs 1 credit by SMS and has one segment; with +channels+ each message costs what
    # its channel costs.
    #
    # @param to [String] Phone number of the recipient with <tt>+</tt> and country code. Numbers without
    #   <tt>+</tt> are treated as US numbers. One-time passwords are sent to countries whose +otp+ is true in GET
    #   /api/regions.
    # @param channels [Array<Hash>, nil] Ways of reaching the person, at most 4, in order: the next begins when
    #   one fails, or when its +wait_seconds+ are over and the code was neither entered nor reported as delivered.
    #   Each is +sms+, +whatsapp+, +voice+ or +email+; +to+ replaces the number, and is needed for +email+. A form
    #   sends their names, separated by commas. Without it the code goes by SMS alone.
    # @param max_credits [Integer, nil] The highest price in credits of all +channels+ together that you accept,
    #   which <tt>POST /api/quote</tt> answers as +credits_max+. A resend costs its own price.
    # @param org [String, nil] Name of the sending organization, on one line: the text then begins with
    #   <tt>Message from [org].</tt>
    # @param code [String, nil] Your own code, which you verify yourself: digits, and capital letters without I,
    #   L and O. Without it we make a code.
    # @param limit [Integer, nil] Lifetime of the code in minutes.
    # @param length [Integer, nil] Number of digits of the code.
    # @param domain [String, nil] Host name of your site, such as <tt>example.com</tt>: phones then autofill the
    #   code on this site only.
    # @param from [String, nil] A number of your account, or the id of one or of a pool. Without it: the number
    #   that the recipient knows, otherwise one of your default pool, otherwise one that the service chooses.
    # @param delivery [String, nil] Choice of another route. +once+: the next route is tried only if the first
    #   one certainly did not deliver the message. +fast+: also when that is in doubt or takes too long; the
    #   message may then arrive twice. It is charged once. Default: +fast+.
    # @param hedge_seconds [Integer, nil] Seconds, from 8 to 300: without a receipt for so long, a message with
    #   +delivery+ +fast+ is handed to another route.
    # @param ip [String, nil] Network address of the end user who asked for the code: the fraud guard counts
    #   codes by it.
    # @param device [String, nil] Your name for the device of the end user: the fraud guard counts codes by it.
    # @param reference [String, nil] Your own reference for the message, up to 64 characters. It is returned in
    #   answers and webhooks.
    # @param idempotency_key [String, nil] your own key; each call has a random one without it
    # @return [SentOtp]
    # @raise [Error]
    def send_code(to:, channels: nil, max_credits: nil, org: nil, code: nil, limit: nil, length: nil,
                  domain: nil, from: nil, delivery: nil, hedge_seconds: nil, ip: nil, device: nil,
                  reference: nil, idempotency_key: nil, **options)
      fields = { to: to, channels: channels, max_credits: max_credits, org: org, code: code, limit: limit,
                 length: length, domain: domain, from: from, delivery: delivery, hedge_seconds: hedge_seconds,
                 ip: ip, device: device, reference: reference }
      @transport.call("POST", "/api/sendotp", SentOtp, body: fields, repeat: :keyed,
                      idempotency_key: idempotency_key, **options)
    end

    # Send a one-time password again.
    #
    # Sends the same code as a new message, which costs 1 credit by SMS. Each resend by the same channel has to
    # wait longer: 30, 60, 120, 300 seconds after the message before. The code still expires at +expires_at+.
    #
    # @param otp_id [String] The +otp_id+ that +sendotp+ returned.
    # @param channel [String, nil] One of the +channels+ of the code. Without it the next of them begins, or the
    #   latest sends again if it was the last.
    # @param idempotency_key [String, nil] your own key; each call has a random one without it
    # @return [SentOtp]
    # @raise [Error]
    def resend(otp_id:, channel: nil, idempotency_key: nil, **options)
      fields = { otp_id: otp_id, channel: channel }
      @transport.call("POST", "/api/resendotp", SentOtp, body: fields, repeat: :keyed,
                      idempotency_key: idempotency_key, **options)
    end

    # Show a one-time password.
    #
    # The state of a code, until 24 hours after it has ended. The digits are never shown.
    #
    # @param otp_id [String]
    # @return [Otp]
    # @raise [Error]
    def get(otp_id, **options)
      @transport.call("GET", "/api/otps/#{segment(otp_id)}", Otp, **options)
    end

    # List one-time passwords.
    #
    # Your codes, newest first, 50 per page, with what became of their messages, until 24 hours after they have
    # ended, and what the fraud guard refused. The digits are never shown. A page of a search may have fewer
    # codes, or none: +next_cursor+ tells whether there is more.
    #
    # @param status [String, nil] Only codes in this state.
    # @param channel [String, nil] Only codes that went by this channel.
    # @param to [String, nil] Only codes to this number, in any form.
    # @param country [String, nil] Only codes to this country, as ISO 3166-1 alpha-2 code.
    # @param otp_id [String, nil] Only this code.
    # @param reference [String, nil] Only codes with this reference.
    # @param key_id [String, nil] Only codes sent with this named key; +account+ for the account's own key.
    # @param since [Time, nil] Only codes sent at this time or later.
    # @param until [Time, nil] Only codes sent before this time.
    # @return [Enumerator<ListedOtp>]
    # @raise [Error]
    def list(status: nil, channel: nil, to: nil, country: nil, otp_id: nil, reference: nil, key_id: nil,
             since: nil, until: nil, **options)
      fields = { status: status, channel: channel, to: to, country: country, otp_id: otp_id,
                 reference: reference, key_id: key_id, since: since, until: binding.local_variable_get(:until) }
      @transport.list("/api/otps", ListedOtp, "otps", query: fields, **options)
    end

    # Show the conversion.
    #
    # How many of the codes that you sent on some New York days were verified, in all, by country and by day. A
    # code counts on the day on which it was first sent, and once, however often it was sent again; one that is
    # still pending counts as sent. The figures are exact at any time. Codes of test keys do not count.
    #
    # @param from [String, nil] First day, in New York; at most 92 days with the last one. Without it the last
    #   30 days.
    # @param to [String, nil] Last day, inclusive. Without it today.
    # @return [OtpConversion]
    # @raise [Error]
    def conversion(from: nil, to: nil, **options)
      fields = { from: from, to: to }
      @transport.call("GET", "/api/otp/conversion", OtpConversion, query: fields, **options)
    end

    # Show the fraud guard.
    #
    # The rules of the fraud guard, and what they refused within the last hour.
    #
    # @return [OtpGuard]
    # @raise [Error]
    def guard(**options)
      @transport.call("GET", "/api/otp/guard", OtpGuard, **options)
    end

    # Verify a one-time password.
    #
    # Verifies a code. The answer is plain text, or JSON with <tt>Accept: application/json</tt>. It costs
    # nothing. Errors are always JSON.
    #
    # @param otp [String] The code that the person typed, as text because it may begin with 0.
    # @param to [String, nil] Phone number that the code was sent to. Always send it, or +otp_id+: a code alone
    #   could match another person’s number.
    # @param otp_id [String, nil] The +otp_id+ of the code, in place of +to+.
    # @return [OtpVerdict]
    # @raise [Error]
    def verify(otp:, to: nil, otp_id: nil, **options)
      fields = { otp: otp, to: to, otp_id: otp_id }
      @transport.call("POST", "/api/verifyotp", OtpVerdict, body: fields, repeat: :once, **options)
    end
  end

  class OptoutsCalls < Calls
    # List opt-outs.
    #
    # The people whom you have texted and who have opted out of a sender, or who have opted out of a number of
    # yours, newest first. An opt-out from a number of yours holds for all that you send, from every number and
    # pool that you have or get; one from a shared number for all of these, and for what you send without
    # +from+: messages to that person are refused as +recipient_opted_out+ until the person replies START.
    #
    # @param number [String, nil] Only this person.
    # @param sender [String, nil] Only those who opted out of this sender.
    # @param since [Time, nil] Only those who opted out at this time or later (RFC 3339 with an offset).
    # @param until [Time, nil] Only those who opted out before this time.
    # @param status [String, nil] +opted_out+ (default): opt-outs in force. +all+: those that were lifted, too.
    # @return [Enumerator<OptOut>]
    # @raise [Error]
    def list(number: nil, sender: nil, since: nil, until: nil, status: nil, **options)
      fields = { number: number, sender: sender, since: since, until: binding.local_variable_get(:until),
                 status: status }
      @transport.list("/api/optouts", OptOut, "optouts", query: fields, **options)
    end
  end

  class BatchesCalls < Calls
    # List your batches.
    #
    # Your bulks and how far they are, newest first, in pages.
    #
    # @return [Enumerator<Batch>]
    # @raise [Error]
    def list(**options)
      @transport.list("/api/batches", Batch, "batches", **options)
    end

    # Show a batch.
    #
    # How many messages of a bulk have each status, and what they cost.
    #
    # @param batch_id [String]
    # @return [BatchAnswer]
    # @raise [Error]
    def get(batch_id, **options)
      @transport.call("GET", "/api/batches/#{segment(batch_id)}", BatchAnswer, **options)
    end

    # Cancel a batch.
    #
    # Cancels the messages of a bulk that are scheduled or queued, and refunds them. Those that dispatch already
    # has are sent.
    #
    # @param batch_id [String]
    # @return [BatchCanceled]
    # @raise [Error]
    def cancel(batch_id, **options)
      @transport.call("POST", "/api/batches/#{segment(batch_id)}/cancel", BatchCanceled, body: {}, **options)
    end

    # List the messages of a batch.
    #
    # The messages of a bulk and their states, the last one first, in pages.
    #
    # @param batch_id [String]
    # @return [Enumerator<Message>]
    # @raise [Error]
    def messages(batch_id, **options)
      @transport.list("/api/batches/#{segment(batch_id)}/messages", Message, "messages", **options)
    end
  end

  class NumbersCalls < Calls
    # Search for a number.
    #
    # Numbers that you can buy, with their prices. All of them carry messages.
    #
    # @param country [String, nil] Country as ISO 3166-1 alpha-2 code. +US+ by default.
    # @param type [String, nil] +local+ (default) or +toll_free+.
    # @param area_code [String, nil] Only numbers with this area code, of the USA and Canada.
    # @param contains [String, nil] Only numbers with these 2 to 10 digits or letters of a keypad in a row;
    #   <tt>*</tt> is any digit.
    # @param limit [Integer, nil] How many at most: 20 by default.
    # @return [AvailableNumbers]
    # @raise [Error]
    def available(country: nil, type: nil, area_code: nil, contains: nil, limit: nil, **options)
      fields = { country: country, type: type, area_code: area_code, contains: contains, limit: limit }
      @transport.call("GET", "/api/numbers/available", AvailableNumbers, query: fields, **options)
    end

    # Buy a number.
    #
    # The price is held, and taken when the carrier has confirmed; else it is returned. Afterwards the rent is
    # taken every month. An account needs a paid purchase of credits, has 10 numbers at most and buys 5 a day.
    # DELETE it to give it up.
    #
    # @param number [String] The number, as a search has listed it.
    # @param label [String, nil] Your name for it, up to 60 characters.
    # @param auto_renew [Boolean, nil] +false+: it is released when the month that is paid ends. +true+
    #   (default): its rent is taken then.
    # @param idempotency_key [String, nil] your own key; each call has a random one without it
    # @return [BoughtNumber]
    # @raise [Error]
    def buy(number:, label: nil, auto_renew: nil, idempotency_key: nil, **options)
      fields = { number: number, label: label, auto_renew: auto_renew }
      @transport.call("POST", "/api/numbers", BoughtNumber, body: fields, repeat: :keyed,
                      idempotency_key: idempotency_key, **options)
    end

    # List your numbers.
    #
    # Your numbers, newest first.
    #
    # @param status [String, nil] +live+ (default): those that you have. +released+: those that you had.
    # @return [OwnNumbers]
    # @raise [Error]
    def list(status: nil, **options)
      fields = { status: status }
      @transport.call("GET", "/api/numbers", OwnNumbers, query: fields, **options)
    end

    # Show a number.
    #
    # One number, and what went through it.
    #
    # @param number_id [String]
    # @return [OwnNumberAnswer]
    # @raise [Error]
    def get(number_id, **options)
      @transport.call("GET", "/api/numbers/#{segment(number_id)}", OwnNumberAnswer, **options)
    end

    # Change a number.
    #
    # Sets what is sent, and leaves the rest.
    #
    # @param number_id [String]
    # @param label [String, nil] Your name for it, up to 60 characters.
    # @param auto_renew [Boolean, nil] +false+: it is released when the month that is paid ends. +true+
    #   (default): its rent is taken then.
    # @param strangers_per_day [Integer, nil] How many texts of people whom you have never texted are received,
    #   and charged, in a day, New York time; 0: none. Further ones are stored as +limited+: they cost nothing and
    #   are not sent to your webhook. Replies of people whom you have texted do not count. +null+ for a number of
    #   the operator. A key sets up to 100, the dashboard more.
    # @return [ChangedNumber]
    # @raise [Error]
    def change(number_id, label: nil, auto_renew: nil, strangers_per_day: nil, **options)
      fields = { label: label, auto_renew: auto_renew, strangers_per_day: strangers_per_day }
      @transport.call("PATCH", "/api/numbers/#{segment(number_id)}", ChangedNumber, body: fields, **options)
    end

    # Release a number.
    #
    # Gives the number up: 24 hours from now (+releasing+ until +releases_at+), or when the month that is paid
    # ends, but not before that. Until then <tt>cancel=true</tt>, buying it again and the dashboard undo it;
    # nothing is sent from a number that is +releasing+. We email you. When it is released, messages that wait
    # for it, scheduled ones too, fail and are refunded; replies to it do not arrive any more. No other account
    # can buy it for 90 days, but you may not get it back either. Nothing is released while a dispute has frozen
    # credits of your account. The dashboard can release it at once.
    #
    # @param number_id [String]
    # @param at [String, nil] +now+ (default): 24 hours from now. +renews_at+: when the paid month ends.
    # @return [ChangedNumber]
    # @raise [Error]
    def release(number_id, at: nil, **options)
      fields = { at: at }
      @transport.call("DELETE", "/api/numbers/#{segment(number_id)}", ChangedNumber, query: fields, **options)
    end

    # Undo a release.
    #
    # Gives the number up: 24 hours from now (+releasing+ until +releases_at+), or when the month that is paid
    # ends, but not before that. Until then <tt>cancel=true</tt>, buying it again and the dashboard undo it;
    # nothing is sent from a number that is +releasing+. We email you. When it is released, messages that wait
    # for it, scheduled ones too, fail and are refunded; replies to it do not arrive any more. No other account
    # can buy it for 90 days, but you may not get it back either. Nothing is released while a dispute has frozen
    # credits of your account. The dashboard can release it at once.
    #
    # @param number_id [String]
    # @return [ChangedNumber]
    # @raise [Error]
    def keep(number_id, **options)
      fields = { cancel: "true" }
      @transport.call("DELETE", "/api/numbers/#{segment(number_id)}", ChangedNumber, query: fields, **options)
    end
  end

  class PoolsCalls < Calls
    # Create or replace a pool.
    #
    # A message from a pool takes the number that its recipient knows, else one of the pool. A pool of the same
    # name gets these numbers in place of its own; a number that carriers filtered is used again.
    #
    # @param name [String] Up to 60 characters. A pool of this name gets these numbers.
    # @param numbers [Array<String>] Up to 50 of your numbers, or their ids.
    # @param default [Boolean, nil] Whether messages without +from+ take its numbers. Your first pool does,
    #   unless you send +false+.
    # @return [PoolAnswer]
    # @raise [Error]
    def put(name:, numbers:, default: nil, **options)
      fields = { name: name, numbers: numbers, default: default }
      @transport.call("POST", "/api/pools", PoolAnswer, body: fields, **options)
    end

    # List your pools.
    #
    # Your pools, oldest first.
    #
    # @return [PoolsAnswer]
    # @raise [Error]
    def list(**options)
      @transport.call("GET", "/api/pools", PoolsAnswer, **options)
    end

    # Show a pool.
    #
    # One pool and its numbers.
    #
    # @param pool_id [String]
    # @return [PoolAnswer]
    # @raise [Error]
    def get(pool_id, **options)
      @transport.call("GET", "/api/pools/#{segment(pool_id)}", PoolAnswer, **options)
    end

    # Delete a pool.
    #
    # Its numbers stay yours. Messages from it are refused; without a default pool, messages without +from+ take
    # shared senders.
    #
    # @param pool_id [String]
    # @return [PoolDeleted]
    # @raise [Error]
    def delete(pool_id, **options)
      @transport.call("DELETE", "/api/pools/#{segment(pool_id)}", PoolDeleted, **options)
    end
  end

  class TotpCalls < Calls
    # Create an authenticator.
    #
    # Makes a secret that you share with an authenticator app: codes of 6 digits, a new one every 30 seconds
    # (RFC 6238 with SHA-1). The secret is shown once, as text, as an address and as a QR code. Ask for a code
    # of the app before you rely on it. It is free, and an account has up to 100,000.
    #
    # @param label [String] Names the person’s account in the app, such as an email address: up to 100
    #   characters on one line, without a colon.
    # @param issuer [String, nil] Names you in the app: up to 40 characters on one line, without a colon.
    # @return [CreatedTotp]
    # @raise [Error]
    def create(label:, issuer: nil, **options)
      fields = { label: label, issuer: issuer }
      @transport.call("POST", "/api/totp", CreatedTotp, body: fields, repeat: :once, **options)
    end

    # List authenticators.
    #
    # Your authenticators without their secrets, newest first, 50 per page.
    #
    # @return [Enumerator<ListedTotp>]
    # @raise [Error]
    def list(**options)
      @transport.list("/api/totp", ListedTotp, "totps", **options)
    end

    # Show an authenticator.
    #
    # Its state, never its secret. Authenticators of other accounts are not found.
    #
    # @param totp_id [String]
    # @return [Totp]
    # @raise [Error]
    def get(totp_id, **options)
      @transport.call("GET", "/api/totp/#{segment(totp_id)}", Totp, **options)
    end

    # Delete an authenticator.
    #
    # Deletes the secret and the recovery codes at once. The app still shows codes, which are not found.
    #
    # @param totp_id [String]
    # @return [TotpDeleted]
    # @raise [Error]
    def delete(totp_id, **options)
      @transport.call("DELETE", "/api/totp/#{segment(totp_id)}", TotpDeleted, **options)
    end

    # Verify a code of an app.
    #
    # Verifies a code of the app, or a recovery code. A code of the app is accepted while it is shown, and 30
    # seconds before and after, for clocks that differ; each once, in their order. After 10 wrong codes it is
    # locked for 15 minutes. It costs nothing.
    #
    # @param totp_id [String]
    # @param code [String] The 6 digits that the app shows, or a recovery code, as the person entered it: as
    #   text, because it may begin with 0. Spaces, dashes and small letters are read.
    # @return [TotpVerdict]
    # @raise [Error]
    def verify(totp_id, code:, **options)
      fields = { code: code }
      @transport.call("POST", "/api/totp/#{segment(totp_id)}/verify", TotpVerdict, body: fields,
                      repeat: :once, **options)
    end

    # Make recovery codes.
    #
    # Makes 10 codes for a person who has lost the phone, in place of earlier ones. They are shown once. Each is
    # accepted once, by the call that verifies codes of the app.
    #
    # @param totp_id [String]
    # @return [RecoveryCodes]
    # @raise [Error]
    def recovery_codes(totp_id, **options)
      @transport.call("POST", "/api/totp/#{segment(totp_id)}/recovery-codes", RecoveryCodes, body: {},
                      repeat: :once, **options)
    end
  end

  class Client
    # Send an SMS.
    #
    # Accepts one message: it is checked, charged and stored before the answer, and handed to the carrier a
    # moment later, or at +send_at+. The first error that applies is returned; a refused request sends and costs
    # nothing.
    #
    # @param to [String] Phone number of the recipient with <tt>+</tt> and country code. Numbers without
    #   <tt>+</tt> are treated as US numbers.
    # @param message [String, nil] The text, at most 10 segments. Required, unless there is +media+; with it, at
    #   most 1,600 characters.
    # @param reference [String, nil] Your own reference for the message, up to 64 characters. It is returned in
    #   answers and webhooks.
    # @param from [String, nil] A number of your account, or the id of one or of a pool. Without it: the number
    #   that the recipient knows, otherwise one of your default pool, otherwise one that the service chooses.
    # @param encoding [String, nil] +auto+ (default): GSM-7 if it contains every character, else UCS-2. +gsm7+:
    #   refused unless GSM-7 contains every character. +smart+: typographic quotes, dashes, spaces and the like
    #   become GSM-7 equivalents; the answer’s +message+ shows the text.
    # @param send_at [Time, nil] When the message leaves, as a date and time with an offset (RFC 3339), as
    #   <tt>YYYY-MM-DDThh:mm:ss-05:00</tt>: from 5 seconds to 35 days from now. It is charged at once, and can be
    #   canceled until it leaves.
    # @param validity [Integer, nil] Seconds, from 60 to 14400: if the carrier does not have the message within
    #   that time after it was accepted, or after +send_at+, it fails as +expired+ and is refunded.
    # @param delivery [String, nil] Choice of another route. +once+: the next route is tried only if the first
    #   one certainly did not deliver the message. +fast+: also when that is in doubt or takes too long; the
    #   message may then arrive twice. It is charged once. Default: +once+.
    # @param hedge_seconds [Integer, nil] Seconds, from 8 to 300: without a receipt for so long, a message with
    #   +delivery+ +fast+ is handed to another route.
    # @param quote [String, nil] The +quote+ of <tt>POST /api/quote</tt>: the same content then costs at most
    #   what was quoted.
    # @param dedupe [Integer, nil] Seconds: a message to the same recipient with the same text that you sent
    #   within this time, and that has not failed, is the answer, with +deduplicated+; nothing is sent or charged.
    # @param max_credits [Integer, nil] The highest price in credits that you accept; the message is refused if
    #   it costs more.
    # @param media [Array<Hash>, nil] Pictures and other files, at most 10, together 5,000,000 bytes: each is
    #   <tt>{"url": …}</tt>, which is fetched before the answer, or <tt>{"media_id": …}</tt> of <tt>POST
    #   /api/media</tt>. A form repeats the field, with a URL or an id. The message is then an MMS, for numbers of
    #   the USA and Canada.
    # @param media_fallback [String, nil] Handling of files where MMS is not possible. +refuse+ (default):
    #   +media_unsupported+. +link+: a text that ends with links to the files, at the price of a text, for
    #   accounts that are activated for URLs.
    # @param transcode [Boolean, nil] Whether pictures that are larger than the networks take are made smaller;
    #   animated ones never are. With +false+ they are refused.
    # @param idempotency_key [String, nil] your own key; each call has a random one without it
    # @return [AcceptedMessage]
    # @raise [Error]
    def send_message(to:, message: nil, reference: nil, from: nil, encoding: nil, send_at: nil, validity: nil,
                     delivery: nil, hedge_seconds: nil, quote: nil, dedupe: nil, max_credits: nil, media: nil,
                     media_fallback: nil, transcode: nil, idempotency_key: nil, **options)
      fields = { to: to, message: message, reference: reference, from: from, encoding: encoding,
                 send_at: send_at, validity: validity, delivery: delivery, hedge_seconds: hedge_seconds,
                 quote: quote, dedupe: dedupe, max_credits: max_credits, media: media,
                 media_fallback: media_fallback, transcode: transcode }
      @transport.call("POST", "/api/sendsms", AcceptedMessage, body: fields, repeat: :keyed,
                      idempotency_key: idempotency_key, **options)
    end

    # Create a test event.
    #
    # Creates an event with example data, for the open streams of the account and, if it has a webhook URL, for
    # the webhook.
    #
    # @param type [String] The type of the event.
    # @return [TriggeredEvent]
    # @raise [Error]
    def trigger(type:, **options)
      fields = { type: type }
      @transport.call("POST", "/api/events", TriggeredEvent, body: fields, repeat: :once, **options)
    end

    # Show the balance.
    #
    # Your credits.
    #
    # @return [Balance]
    # @raise [Error]
    def balance(**options)
      @transport.call("GET", "/api/balance", Balance, **options)
    end

    # Show what needs your attention.
    #
    # What does not work now, or soon will not: a failing webhook, a low balance, a declined card, paused
    # one-time passwords, suspended sending and the like. Each is there as long as its cause. The dashboard
    # shows the same.
    #
    # @return [Notifications]
    # @raise [Error]
    def notifications(**options)
      @transport.call("GET", "/api/notifications", Notifications, **options)
    end

    # Show the deliverability.
    #
    # What became of the messages that you sent on some New York days: how many were delivered, why others were
    # not, and both by country, day and key. Messages on their way and canceled ones do not count. The figures
    # are exact at any time: a message counts in the moment in which it ends.
    #
    # @param from [String, nil] First day of acceptance, in New York; at most 92 days with the last one. Without
    #   it the last 30 days.
    # @param to [String, nil] Last day of acceptance, inclusive. Without it today.
    # @return [Deliverability]
    # @raise [Error]
    def deliverability(from: nil, to: nil, **options)
      fields = { from: from, to: to }
      @transport.call("GET", "/api/deliverability", Deliverability, query: fields, **options)
    end

    # Show the spend.
    #
    # The credits that you spent on some New York days: charged for messages, one-time passwords and replies,
    # less refunds, by month and key, by day, key, country and kind. The figures are those of the ledger, exact
    # at any time. A refund counts on the day on which the credits came back.
    #
    # @param from [String, nil] First day, in New York; at most 366 days with the last one. Without it from the
    #   first day of the month 5 months earlier.
    # @param to [String, nil] Last day, inclusive. Without it today.
    # @return [Spend]
    # @raise [Error]
    def spend(from: nil, to: nil, **options)
      fields = { from: from, to: to }
      @transport.call("GET", "/api/spend", Spend, query: fields, **options)
    end

    # Show what leaked keys could spend.
    #
    # The most credits that could be spent before you notice if all your keys leaked now, from your balance,
    # automatic top-up, daily limit, and the keys’ budgets and countries, assuming that you notice within 24
    # hours. It includes the replies that the recipients could write. Also what lowers it, the most effective
    # change first.
    #
    # @return [Exposure]
    # @raise [Error]
    def exposure(**options)
      @transport.call("GET", "/api/exposure", Exposure, **options)
    end

    # Send many messages.
    #
    # Accepts up to 10,000 messages at once, JSON only, at most 5 MiB: all of them or none, or with +partial+
    # those that can be accepted. It counts as one request.
    #
    # @param messages [Array<Hash>, nil] Up to 10,000 messages, each with +to+, +message+ and perhaps
    #   +reference+.
    # @param message [String, nil] A template, in place of +messages+: <tt>{{name}}</tt> is replaced by the
    #   field +name+ of each recipient.
    # @param recipients [Array<Hash{String => Object}>, nil] Up to 10,000 recipients of the template, each with
    #   +to+, perhaps +reference+, and its variables: texts or numbers.
    # @param from [String, nil] For all messages, as in +sendsms+.
    # @param encoding [String, nil] For all messages, as in +sendsms+.
    # @param quote [String, nil] The +quote+ of <tt>POST /api/quote</tt>: the same content then costs at most
    #   what was quoted.
    # @param max_credits [Integer, nil] Refuse the bulk if all of its messages together cost more credits.
    # @param send_at [Time, nil] For all messages, as in +sendsms+.
    # @param validity [Integer, nil] For all messages, as in +sendsms+.
    # @param delivery [String, nil] For all messages, as in +sendsms+.
    # @param hedge_seconds [Integer, nil] For all messages, as in +sendsms+.
    # @param dedupe [Integer, nil] Seconds, as in +sendsms+: a message that was sent before is listed as
    #   +duplicate+, and the others are sent.
    # @param media [Array<Hash>, nil] Pictures and other files, at most 10, together 5,000,000 bytes: each is
    #   <tt>{"url": …}</tt>, which is fetched before the answer, or <tt>{"media_id": …}</tt> of <tt>POST
    #   /api/media</tt>. A form repeats the field, with a URL or an id. The message is then an MMS, for numbers of
    #   the USA and Canada. Every message gets them.
    # @param media_fallback [String, nil] Handling of files where MMS is not possible. +refuse+ (default):
    #   +media_unsupported+. +link+: a text that ends with links to the files, at the price of a text, for
    #   accounts that are activated for URLs.
    # @param transcode [Boolean, nil] Whether pictures that are larger than the networks take are made smaller;
    #   animated ones never are. With +false+ they are refused.
    # @param partial [Boolean, nil] Accept what can be accepted. Without it any rejected item rejects all, and
    #   nothing is charged.
    # @param idempotency_key [String, nil] your own key; each call has a random one without it
    # @return [AcceptedBulk]
    # @raise [Error]
    def send_bulk(messages: nil, message: nil, recipients: nil, from: nil, encoding: nil, quote: nil,
                  max_credits: nil, send_at: nil, validity: nil, delivery: nil, hedge_seconds: nil,
                  dedupe: nil, media: nil, media_fallback: nil, transcode: nil, partial: nil,
                  idempotency_key: nil, **options)
      fields = { messages: messages, message: message, recipients: recipients, from: from, encoding: encoding,
                 quote: quote, max_credits: max_credits, send_at: send_at, validity: validity,
                 delivery: delivery, hedge_seconds: hedge_seconds, dedupe: dedupe, media: media,
                 media_fallback: media_fallback, transcode: transcode, partial: partial }
      @transport.call("POST", "/api/sendbulk", AcceptedBulk, body: fields, repeat: :keyed,
                      idempotency_key: idempotency_key, **options)
    end

    # Price a message.
    #
    # Returns the price without sending, for the body of +sendsms+ or +sendbulk+, or of +sendotp+ with
    # +channels+. For 10 minutes sending the same message or bulk with +quote+ costs at most this price; a
    # one-time password has no +quote+, and its +max_credits+ bounds the price. It costs nothing, and it is
    # refused if a test would be.
    #
    # @param to [String] Phone number of the recipient with <tt>+</tt> and country code. Numbers without
    #   <tt>+</tt> are treated as US numbers.
    # @param message [String, nil] The text, at most 10 segments. Required, unless there is +media+; with it, at
    #   most 1,600 characters.
    # @param reference [String, nil] Your own reference for the message, up to 64 characters. It is returned in
    #   answers and webhooks.
    # @param from [String, nil] A number of your account, or the id of one or of a pool. Without it: the number
    #   that the recipient knows, otherwise one of your default pool, otherwise one that the service chooses.
    # @param encoding [String, nil] +auto+ (default): GSM-7 if it contains every character, else UCS-2. +gsm7+:
    #   refused unless GSM-7 contains every character. +smart+: typographic quotes, dashes, spaces and the like
    #   become GSM-7 equivalents; the answer’s +message+ shows the text.
    # @param send_at [Time, nil] When the message leaves, as a date and time with an offset (RFC 3339), as
    #   <tt>YYYY-MM-DDThh:mm:ss-05:00</tt>: from 5 seconds to 35 days from now. It is charged at once, and can be
    #   canceled until it leaves.
    # @param validity [Integer, nil] Seconds, from 60 to 14400: if the carrier does not have the message within
    #   that time after it was accepted, or after +send_at+, it fails as +expired+ and is refunded.
    # @param delivery [String, nil] Choice of another route. +once+: the next route is tried only if the first
    #   one certainly did not deliver the message. +fast+: also when that is in doubt or takes too long; the
    #   message may then arrive twice. It is charged once. Default: +once+.
    # @param hedge_seconds [Integer, nil] Seconds, from 8 to 300: without a receipt for so long, a message with
    #   +delivery+ +fast+ is handed to another route.
    # @param quote [String, nil] The +quote+ of <tt>POST /api/quote</tt>: the same content then costs at most
    #   what was quoted.
    # @param dedupe [Integer, nil] Seconds: a message to the same recipient with the same text that you sent
    #   within this time, and that has not failed, is the answer, with +deduplicated+; nothing is sent or charged.
    # @param max_credits [Integer, nil] The highest price in credits that you accept; the message is refused if
    #   it costs more.
    # @param media [Array<Hash>, nil] Pictures and other files, at most 10, together 5,000,000 bytes: each is
    #   <tt>{"url": …}</tt>, which is fetched before the answer, or <tt>{"media_id": …}</tt> of <tt>POST
    #   /api/media</tt>. A form repeats the field, with a URL or an id. The message is then an MMS, for numbers of
    #   the USA and Canada.
    # @param media_fallback [String, nil] Handling of files where MMS is not possible. +refuse+ (default):
    #   +media_unsupported+. +link+: a text that ends with links to the files, at the price of a text, for
    #   accounts that are activated for URLs.
    # @param transcode [Boolean, nil] Whether pictures that are larger than the networks take are made smaller;
    #   animated ones never are. With +false+ they are refused.
    # @return [Quote]
    # @raise [Error]
    def quote(to:, message: nil, reference: nil, from: nil, encoding: nil, send_at: nil, validity: nil,
              delivery: nil, hedge_seconds: nil, quote: nil, dedupe: nil, max_credits: nil, media: nil,
              media_fallback: nil, transcode: nil, **options)
      fields = { to: to, message: message, reference: reference, from: from, encoding: encoding,
                 send_at: send_at, validity: validity, delivery: delivery, hedge_seconds: hedge_seconds,
                 quote: quote, dedupe: dedupe, max_credits: max_credits, media: media,
                 media_fallback: media_fallback, transcode: transcode }
      @transport.call("POST", "/api/quote", Quote, body: fields, **options)
    end

    # Price a bulk.
    #
    # Returns the price without sending, for the body of +sendsms+ or +sendbulk+, or of +sendotp+ with
    # +channels+. For 10 minutes sending the same message or bulk with +quote+ costs at most this price; a
    # one-time password has no +quote+, and its +max_credits+ bounds the price. It costs nothing, and it is
    # refused if a test would be.
    #
    # @param messages [Array<Hash>, nil] Up to 10,000 messages, each with +to+, +message+ and perhaps
    #   +reference+.
    # @param message [String, nil] A template, in place of +messages+: <tt>{{name}}</tt> is replaced by the
    #   field +name+ of each recipient.
    # @param recipients [Array<Hash{String => Object}>, nil] Up to 10,000 recipients of the template, each with
    #   +to+, perhaps +reference+, and its variables: texts or numbers.
    # @param from [String, nil] For all messages, as in +sendsms+.
    # @param encoding [String, nil] For all messages, as in +sendsms+.
    # @param quote [String, nil] The +quote+ of <tt>POST /api/quote</tt>: the same content then costs at most
    #   what was quoted.
    # @param max_credits [Integer, nil] Refuse the bulk if all of its messages together cost more credits.
    # @param send_at [Time, nil] For all messages, as in +sendsms+.
    # @param validity [Integer, nil] For all messages, as in +sendsms+.
    # @param delivery [String, nil] For all messages, as in +sendsms+.
    # @param hedge_seconds [Integer, nil] For all messages, as in +sendsms+.
    # @param dedupe [Integer, nil] Seconds, as in +sendsms+: a message that was sent before is listed as
    #   +duplicate+, and the others are sent.
    # @param media [Array<Hash>, nil] Pictures and other files, at most 10, together 5,000,000 bytes: each is
    #   <tt>{"url": …}</tt>, which is fetched before the answer, or <tt>{"media_id": …}</tt> of <tt>POST
    #   /api/media</tt>. A form repeats the field, with a URL or an id. The message is then an MMS, for numbers of
    #   the USA and Canada. Every message gets them.
    # @param media_fallback [String, nil] Handling of files where MMS is not possible. +refuse+ (default):
    #   +media_unsupported+. +link+: a text that ends with links to the files, at the price of a text, for
    #   accounts that are activated for URLs.
    # @param transcode [Boolean, nil] Whether pictures that are larger than the networks take are made smaller;
    #   animated ones never are. With +false+ they are refused.
    # @param partial [Boolean, nil] Accept what can be accepted. Without it any rejected item rejects all, and
    #   nothing is charged.
    # @return [BulkQuote]
    # @raise [Error]
    def quote_bulk(messages: nil, message: nil, recipients: nil, from: nil, encoding: nil, quote: nil,
                   max_credits: nil, send_at: nil, validity: nil, delivery: nil, hedge_seconds: nil,
                   dedupe: nil, media: nil, media_fallback: nil, transcode: nil, partial: nil, **options)
      fields = { messages: messages, message: message, recipients: recipients, from: from, encoding: encoding,
                 quote: quote, max_credits: max_credits, send_at: send_at, validity: validity,
                 delivery: delivery, hedge_seconds: hedge_seconds, dedupe: dedupe, media: media,
                 media_fallback: media_fallback, transcode: transcode, partial: partial }
      @transport.call("POST", "/api/quote", BulkQuote, body: fields, **options)
    end

    # Price a one-time password with channels.
    #
    # Returns the price without sending, for the body of +sendsms+ or +sendbulk+, or of +sendotp+ with
    # +channels+. For 10 minutes sending the same message or bulk with +quote+ costs at most this price; a
    # one-time password has no +quote+, and its +max_credits+ bounds the price. It costs nothing, and it is
    # refused if a test would be.
    #
    # @param to [String] Phone number of the recipient with <tt>+</tt> and country code. Numbers without
    #   <tt>+</tt> are treated as US numbers. One-time passwords are sent to countries whose +otp+ is true in GET
    #   /api/regions.
    # @param channels [Array<Hash>, nil] Ways of reaching the person, at most 4, in order: the next begins when
    #   one fails, or when its +wait_seconds+ are over and the code was neither entered nor reported as delivered.
    #   Each is +sms+, +whatsapp+, +voice+ or +email+; +to+ replaces the number, and is needed for +email+. A form
    #   sends their names, separated by commas. Without it the code goes by SMS alone.
    # @param max_credits [Integer, nil] The highest price in credits of all +channels+ together that you accept,
    #   which <tt>POST /api/quote</tt> answers as +credits_max+. A resend costs its own price.
    # @param org [String, nil] Name of the sending organization, on one line: the text then begins with
    #   <tt>Message from [org].</tt>
    # @param code [String, nil] Your own code, which you verify yourself: digits, and capital letters without I,
    #   L and O. Without it we make a code.
    # @param limit [Integer, nil] Lifetime of the code in minutes.
    # @param length [Integer, nil] Number of digits of the code.
    # @param domain [String, nil] Host name of your site, such as <tt>example.com</tt>: phones then autofill the
    #   code on this site only.
    # @param from [String, nil] A number of your account, or the id of one or of a pool. Without it: the number
    #   that the recipient knows, otherwise one of your default pool, otherwise one that the service chooses.
    # @param delivery [String, nil] Choice of another route. +once+: the next route is tried only if the first
    #   one certainly did not deliver the message. +fast+: also when that is in doubt or takes too long; the
    #   message may then arrive twice. It is charged once. Default: +fast+.
    # @param hedge_seconds [Integer, nil] Seconds, from 8 to 300: without a receipt for so long, a message with
    #   +delivery+ +fast+ is handed to another route.
    # @param ip [String, nil] Network address of the end user who asked for the code: the fraud guard counts
    #   codes by it.
    # @param device [String, nil] Your name for the device of the end user: the fraud guard counts codes by it.
    # @param reference [String, nil] Your own reference for the message, up to 64 characters. It is returned in
    #   answers and webhooks.
    # @return [OtpQuote]
    # @raise [Error]
    def quote_otp(to:, channels: nil, max_credits: nil, org: nil, code: nil, limit: nil, length: nil,
                  domain: nil, from: nil, delivery: nil, hedge_seconds: nil, ip: nil, device: nil,
                  reference: nil, **options)
      fields = { to: to, channels: channels, max_credits: max_credits, org: org, code: code, limit: limit,
                 length: length, domain: domain, from: from, delivery: delivery, hedge_seconds: hedge_seconds,
                 ip: ip, device: device, reference: reference }
      @transport.call("POST", "/api/quote", OtpQuote, body: fields, **options)
    end

    # @return [MediaCalls]
    def media = MediaCalls.new(@transport)

    # @return [MessagesCalls]
    def messages = MessagesCalls.new(@transport)

    # @return [OtpCalls]
    def otp = OtpCalls.new(@transport)

    # @return [OptoutsCalls]
    def optouts = OptoutsCalls.new(@transport)

    # @return [BatchesCalls]
    def batches = BatchesCalls.new(@transport)

    # @return [NumbersCalls]
    def numbers = NumbersCalls.new(@transport)

    # @return [PoolsCalls]
    def pools = PoolsCalls.new(@transport)

    # @return [TotpCalls]
    def totp = TotpCalls.new(@transport)
  end
end
