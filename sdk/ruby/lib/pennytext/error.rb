# frozen_string_literal: true

module Pennytext
  # Raised by every call that fails. Programs rely on +code+, people read +detail+.
  #
  # Beside {CODES}, the client itself finds +unreachable+, +connection_failed+, +timed_out+, +invalid_answer+
  # and +invalid_webhook+. The API can have codes that this version of the gem does not know.
  class Error < StandardError
    # @return [String] the reason as a stable code
    attr_reader :code
    # @return [String] the reason for people; its wording may change
    attr_reader :detail
    # @return [Integer, nil] the HTTP status; +nil+ without an answer
    attr_reader :status
    # @return [String, nil] the X-Request-Id, by which support can find the request
    attr_reader :request_id
    # @return [Integer, nil] seconds until the call can be repeated, if the API knows
    attr_reader :retry_after
    # @return [Hash, nil] the API's answer, with +rejected+ of a bulk or +guard+ of a one-time password
    attr_reader :body
    # @return [String, nil] set if the outcome is unknown: with this key, nothing is done twice
    attr_reader :idempotency_key

    # @api private
    def initialize(code, detail, status: nil, request_id: nil, retry_after: nil, body: nil)
      super("#{code}: #{detail}")
      @code = code
      @detail = detail
      @status = status
      @request_id = request_id
      @retry_after = retry_after
      @body = body
      @outcome_unknown = false
    end

    # Whether the error has this code: <tt>error.is?(:invalid_number)</tt>.
    def is?(code) = @code == code.to_s

    # Returns the only call that would do what the failed call was meant to, if there is exactly one.
    def fix = (@body["fix"] if @body && @body["fix"].is_a?(Hash))

    # Whether a call that sends, buys, uploads or verifies may have taken effect although it failed.
    def outcome_unknown? = @outcome_unknown

    def to_s
      return super unless @outcome_unknown

      advice = @idempotency_key ? ": ask again with the idempotency_key #{@idempotency_key}." : "."
      "#{super.delete_suffix(".")}. The outcome is unknown#{advice}"
    end

    # @api private
    def leave_unknown(idempotency_key)
      @outcome_unknown = true
      @idempotency_key = idempotency_key
    end
  end
end
