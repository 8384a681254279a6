# frozen_string_literal: true

require "json"
require "time"

module Pennytext
  # An answer of the API, or a part of it: frozen, compared by its fields, with a reader for each.
  # A field that the service left out, or that is of another type, is +nil+, and a list is empty.
  class Value
    # Returns the fields of a text that is a JSON object, otherwise +nil+.
    #
    # @api private
    def self.parse(text)
      fields = JSON.parse(text.dup.force_encoding(Encoding::UTF_8).scrub, freeze: true)
      fields if fields.is_a?(Hash)
    rescue JSON::ParserError
      nil
    end

    # @api private
    def initialize(fields)
      @fields = fields
      freeze
    end

    # Returns a field as the service sent it, also one that this version of the gem does not know.
    def [](name) = @fields[name.to_s]

    # Returns all fields as the service sent them.
    def to_h = @fields

    # Supports patterns: <tt>case message in { status: "delivered" }</tt>.
    def deconstruct_keys(names)
      readers = self.class.public_instance_methods(false) - Value.public_instance_methods(false)
      (names ? names & readers : readers).to_h { |name| [name, public_send(name)] }
    end

    def ==(other) = other.instance_of?(self.class) && other.to_h == @fields

    alias eql? ==

    def hash = [self.class, @fields].hash

    def inspect = "#<#{[self.class, @fields.map { |name, value| "#{name}=#{value.inspect}" }.join(", ")].join(" ")}>"

    alias to_s inspect

    private

    def time_of(name)
      Time.iso8601(@fields[name]) if @fields[name].is_a?(String)
    rescue ArgumentError
      nil
    end

    def value_of(name, type) = (type.new(@fields[name]) if @fields[name].is_a?(Hash))

    def values_of(name, type = nil)
      values = @fields[name].is_a?(Array) ? @fields[name] : []
      type ? values.grep(Hash).map { |value| type.new(value) }.freeze : values
    end
  end
end
