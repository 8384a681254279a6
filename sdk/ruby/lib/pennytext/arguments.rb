# frozen_string_literal: true

require "json"
require "securerandom"
require "time"
require "uri"

module Pennytext
  # Checks what a caller gave, and writes it as a request carries it.
  #
  # @api private
  module Arguments
    # Fields that are digits, and yet texts: an integer has no plus and no leading zero.
    TEXTS = %i[to from sender otp otp_id code number].freeze

    module_function

    def api_key(given)
      key = given.nil? ? ENV["PENNYTEXT_API_KEY"] : given
      raise ArgumentError, "Pennytext needs an api_key, or PENNYTEXT_API_KEY in the environment." if key.to_s.empty?
      return key if key.is_a?(String) && key.match?(/\A[\x21-\x7e]+\z/)

      raise ArgumentError, "The api_key has a space, a line break or another odd character."
    end

    # The address may contain a password: no error shows it.
    def base_url(given)
      text = given.nil? ? ENV["PENNYTEXT_URL"] : given
      raise ArgumentError, "Pennytext needs a base_url, or PENNYTEXT_URL in the environment." if text.to_s.empty?

      uri = URI.parse(text) if text.is_a?(String) && text.match?(%r{\Ahttps?://[^\s?#]+\z}i)
      raise URI::InvalidURIError unless uri && uri.host && uri.userinfo.nil?

      text.sub(%r{/+\z}, "")
    rescue URI::InvalidURIError
      sentence = "The base_url must be such as https://sms.example.com, without password, query and fragment."
      raise ArgumentError, sentence, cause: nil
    end

    def idempotency_key(given)
      key = given.nil? ? SecureRandom.uuid : given
      return key if key.is_a?(String) && key.match?(/\A[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?\z/)

      raise ArgumentError, "An idempotency_key is a text of printable ASCII characters."
    end

    def segment(id)
      raise ArgumentError, 'An id must be a String that is not empty, "." or "..".' if ["", ".", ".."].include?(id)
      raise TypeError, "An id must be a String." unless id.is_a?(String)

      URI.encode_www_form_component(id).gsub("+", "%20")
    end

    # Leaves out what is +nil+, and writes times.
    def fields(given)
      given = given.compact
      given.slice(*TEXTS).each { |name, value| check_text(name, value) }
      objects = given.values_at(:messages, :channels, :recipients).compact.flatten(1)
      objects.each { |item| check_text(:to, item[:to] || item["to"]) }
      given.transform_values { |value| value.is_a?(Time) ? value.iso8601(value.nsec.zero? ? 0 : 3) : value }
    end

    # Returns the type and the text of a body, or +nil+ without one.
    def json(given)
      ["application/json", JSON.generate(fields(given))] if given
    rescue JSON::GeneratorError, EncodingError
      raise ArgumentError, "A text is not UTF-8, or a number is infinite.", cause: nil
    end

    # Returns the type and the bytes of a form with a file, which is a String or can be read.
    def form(file)
      bytes = file.respond_to?(:read) ? file.read : file
      raise TypeError, "A file is a String of its bytes, or an IO." unless bytes.is_a?(String)

      boundary = SecureRandom.hex(16)
      head = "--#{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n" \
             "Content-Type: application/octet-stream\r\n\r\n"
      ["multipart/form-data; boundary=#{boundary}", "#{head.b}#{bytes.b}\r\n--#{boundary}--\r\n".b]
    end

    def check_text(name, value)
      return if value.nil? || value.is_a?(String)

      raise TypeError, "#{name} must be a String, such as \"+12025550142\"."
    end
  end
end
