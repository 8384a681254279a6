# frozen_string_literal: true

require "openssl"

module Pennytext
  # A genuine webhook. Its +id+ is the same on every attempt: store it to process each event once.
  class Webhook < Value
    # @return [String]
    def id = self["id"]

    # @return [String] a key of {EVENTS}, or a type that is newer than this version of the gem
    def type = self["type"]

    # @return [Time, nil]
    def timestamp = time_of("timestamp")

    # @return [Value, nil] of the class in {EVENTS}
    def data = value_of("data", EVENTS.fetch(type, Value))
  end

  # Verifies webhooks by the rules of Standard Webhooks.
  module Webhooks
    class << self
      # Checks the signature of a webhook and returns its event.
      #
      # @param body [String] the request's body as it came, before anything has parsed it
      # @param headers [#each] pairs of names and values, such as a Hash, the environment of Rack, or
      #   <tt>request.headers</tt> of Rails; case does not matter
      # @param secret [String, Array<String>] during a rotation both secrets
      # @param tolerance [Numeric] seconds that +webhook-timestamp+ may differ from the clock
      # @return [Webhook]
      # @raise [Error] with the code +invalid_webhook+ unless the webhook is genuine and recent
      def verify(body, headers, secret, tolerance: 300, now: Time.now)
        raise TypeError, "body must be the request's body as a String." unless body.is_a?(String)

        keys = Array(secret).map { |one| key_of(one) }
        raise ArgumentError, "A webhook is verified with a secret." if keys.empty?

        id = header(headers, "webhook-id").first
        timestamp = header(headers, "webhook-timestamp").first
        unless timestamp.match?(/\A\d+\z/) && (now.to_r - timestamp.to_i).abs <= tolerance
          raise refusal("webhook-timestamp is more than #{tolerance} seconds from the clock.")
        end

        content = "#{id}.#{timestamp}.".b + body.b
        expected = keys.map { |key| "v1,#{[OpenSSL::HMAC.digest("SHA256", key, content)].pack("m0")}" }
        signatures = header(headers, "webhook-signature").join(" ").scan(%r{v1,[A-Za-z0-9+/=]+})
        is_genuine = signatures.product(expected).any? { |pair| OpenSSL.secure_compare(*pair) }
        raise refusal("No signature matches: is this the secret, and the body as it came?") unless is_genuine

        event(body, id)
      end

      private

      # Received messages have no type of their own.
      def event(body, id)
        fields = Value.parse(body) or raise refusal("The body is not JSON.")
        fields = { "type" => "message.received", "data" => fields } unless fields.key?("type")
        Webhook.new(fields.merge("id" => id).freeze)
      end

      def header(headers, name)
        found = []
        headers.each do |key, value|
          found.push(*value) if key.to_s.downcase.tr("_", "-").delete_prefix("http-") == name
        end
        raise refusal("The header #{name} is missing.") if found.empty?

        found.map { |value| value.to_s.strip }
      end

      def key_of(secret)
        text = secret.strip.delete_prefix("whsec_").delete_suffix("=").delete_suffix("=")
        key = "#{text}#{"=" * (-text.length % 4)}".unpack1("m0")
        key.empty? ? raise(ArgumentError) : key
      rescue ArgumentError
        raise ArgumentError, 'A webhook secret is "whsec_" and base64.', cause: nil
      end

      def refusal(detail) = Error.new("invalid_webhook", detail)
    end
  end
end
