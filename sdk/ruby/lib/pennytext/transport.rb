# frozen_string_literal: true

require "net/http"
require "openssl"
require "time"
require "timeout"
require "uri"

module Pennytext
  # Sends calls to the API, and repeats those that may succeed later.
  #
  # @api private
  class Transport
    Options = Struct.new(:max_retries, :timeout, :deadline, :max_wait, keyword_init: true)

    # Several times the longest answer of the API.
    ANSWER_BYTES_MAX = 16 * 1024 * 1024
    FIRST_WAIT = 0.5
    GROWN_WAIT_MAX = 8
    # Errors of Net::HTTP and of the libraries below it.
    LOST = [SystemCallError, IOError, OpenSSL::OpenSSLError, Net::ProtocolError,
            Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError].freeze
    HEADERS = {
      "accept" => "application/json",
      # Net::HTTP does not notice where a compressed answer is cut.
      "accept-encoding" => "identity",
      "user-agent" => "pennytext-ruby/#{VERSION} (#{RUBY_ENGINE}/#{RUBY_ENGINE_VERSION})"
    }.freeze

    # @return [String] without slashes at its end
    attr_reader :base_url

    def initialize(api_key, base_url, options)
      key = Arguments.api_key(api_key)
      # A closure keeps the key out of inspect, and out of serializers, which write instance variables.
      @authorization = -> { "Bearer #{key}" }
      @base_url = Arguments.base_url(base_url)
      @options = Options.new(**options)
      @connections = Connections.new(@base_url)
    end

    # +repeat+ is +:keyed+ for one Idempotency-Key in all tries, +:once+ for a call whose lost answer is
    # not asked for again, and +:free+ for all others. A +file+ is sent as a form, else +body+ as JSON.
    def call(method, path, type, query: {}, body: nil, file: nil, repeat: :free, idempotency_key: nil, **options)
      limits = limits(options)
      target = target(path, query)
      key = Arguments.idempotency_key(idempotency_key) if repeat == :keyed
      type_of_content, content = file ? Arguments.form(file) : Arguments.json(body)
      headers = HEADERS.merge({ "idempotency-key" => key, "content-type" => type_of_content }.compact)
      fields = repeated(limits, repeat, key) do |seconds|
        request = Net::HTTPGenericRequest.new(method, !content.nil?, true, target, headers)
        request["authorization"] = @authorization.call
        request.body = content
        attempt(request, seconds)
      end
      type.new(fields)
    end

    # Returns an Enumerator that reads as many pages as its items are taken from.
    def list(path, type, field, query: {}, **options)
      limits = limits(options).to_h
      query = Arguments.fields(query)
      Enumerator.new do |items|
        cursor = nil
        begin
          previous = cursor
          page = call("GET", path, Value, query: query.merge(cursor: cursor), **limits)
          Array(page[field]).grep(Hash).each { |fields| items << type.new(fields) }
          cursor = page["next_cursor"]
          raise Error.new("invalid_answer", "The next page is the same page.") if cursor && cursor == previous
        end until cursor.to_s.empty?
      end
    end

    private

    def limits(options) = Options.new(**@options.to_h, **options.compact)

    def target(path, query)
      query = Arguments.fields(query)
      "#{URI(@base_url).path}#{path}#{"?#{URI.encode_www_form(query)}" unless query.empty?}"
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def repeated(limits, repeat, key)
      ends_at = now + limits.deadline
      tries = 0
      is_unknown = false
      begin
        yield [limits.timeout, ends_at - now].min
      rescue Error => error
        is_unknown = repeat != :free && (leaves_unknown?(error) || (is_unknown && !settles?(error)))
        error.leave_unknown(key) if is_unknown
        raise if tries >= limits.max_retries || !passing?(error, repeat)

        wait = [error.retry_after || 0, backoff(tries)].max
        raise if wait > limits.max_wait || now + wait >= ends_at

        sleep(wait)
        tries += 1
        retry
      end
    end

    # Whether the same call may succeed later without doing anything twice.
    def passing?(error, repeat)
      return true if error.status == 429
      return false if repeat == :once

      # The first try is still running at the server; a file is still being copied.
      return true if error.is?("idempotency_in_progress") || error.is?("media_pending")

      error.status.nil? || error.status >= 500
    end

    # Whether the call may have taken effect although it failed.
    def leaves_unknown?(error)
      return false if error.is?("unreachable")

      !(300..499).cover?(error.status) || error.is?("idempotency_in_progress")
    end

    # Whether a refusal tells that no earlier try took effect. The service checks the key of the account
    # and its limits before it looks for the Idempotency-Key.
    def settles?(error)
      !error.is?("unreachable") && !error.is?("invalid_answer") && ![401, 403, 429].include?(error.status)
    end

    # The wait grows with every try; half of it is random, so that callers do not return together.
    def backoff(tries) = [FIRST_WAIT * 2**tries, GROWN_WAIT_MAX].min * (0.5 + rand / 2)

    def attempt(request, seconds)
      response, text = @connections.use do |http|
        Timeout.timeout([seconds, 0.001].max) { exchange(http, request) }
      end
      answer(response, text)
    rescue Timeout::Error
      raise Error.new("timed_out", "No answer within #{seconds.round(3)} seconds.")
    rescue Errno::ECONNREFUSED, SocketError => error # Nothing was sent.
      raise Error.new("unreachable", error.message)
    rescue *LOST => error
      raise Error.new("connection_failed", error.message)
    end

    def exchange(http, request)
      http.start unless http.started?
      text = String.new
      response = http.request(request) do |head|
        head.read_body do |chunk|
          raise refusal(head, "The answer is too long.") if text.bytesize + chunk.bytesize > ANSWER_BYTES_MAX

          text << chunk
        end
        # Net::HTTP takes an answer that ends too early for a whole one.
        raise EOFError, "The answer is incomplete." if text.bytesize < head.content_length.to_i
      end
      [response, text]
    end

    def answer(response, text)
      fields = Value.parse(text)
      case response.code.to_i
      when 200..299
        raise refusal(response, "The answer is not a JSON object.") unless fields

        # Errors are raised: the field would always be the same.
        fields.reject { |name| name == "success" }.freeze
      when 300..399
        # The key would go to another address.
        place = response["location"]
        raise refusal(response, "The answer is a redirect#{" to #{place}" if place}. Is the base_url right?")
      else
        raise failure(response, fields)
      end
    end

    def failure(response, body)
      code, detail, text = body&.values_at("code", "detail", "error")
      body = nil unless code.is_a?(String)
      code = response.code.to_i >= 500 ? "unavailable" : "invalid_answer" unless body
      hint = " without an answer of the API: is the address right?" if code == "invalid_answer"
      detail = [detail, text].find { |one| body && one.is_a?(String) && !one.empty? } || "HTTP #{response.code}#{hint}"
      Error.new(code, detail, body: body, **facts(response))
    end

    def refusal(response, detail) = Error.new("invalid_answer", detail, **facts(response))

    def facts(response)
      { status: response.code.to_i, request_id: response["x-request-id"], retry_after: retry_after(response) }
    end

    # A date is compared with that of the answer, since the clocks may differ (RFC 9110, section 10.2.3).
    def retry_after(response)
      value = response["retry-after"].to_s.strip
      return value.to_i if value.match?(/\A\d+\z/)

      at = http_date(value)
      [0, (at - (http_date(response["date"]) || Time.now)).ceil].max if at
    end

    def http_date(text)
      Time.httpdate(text.to_s.strip)
    rescue ArgumentError
      nil
    end
  end
end
