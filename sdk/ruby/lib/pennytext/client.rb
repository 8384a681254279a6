# frozen_string_literal: true

module Pennytext
  # @api private
  class Calls
    def initialize(transport)
      @transport = transport
    end

    def inspect = "#<#{self.class} #{@transport.base_url}>"

    private

    def segment(id) = Arguments.segment(id)
  end

  # Client of the Pennytext API. Threads can share it.
  #
  # Every call raises {Error} with a stable +code+. Calls that failed on the way are repeated with one
  # Idempotency-Key, so that nothing is sent or charged twice. Every call also takes +max_retries+,
  # +timeout+, +deadline+ and +max_wait+, which then replace the options of the client.
  class Client < Calls
    # @param api_key [String, nil] the secret of your key; +PENNYTEXT_API_KEY+ without it
    # @param base_url [String, nil] the address of the service, without +/api+; +PENNYTEXT_URL+ without it
    # @param max_retries [Integer] the maximum of repetitions of a failed call
    # @param timeout [Numeric] the longest time of each try, in seconds
    # @param deadline [Numeric] the longest time of a call with its tries and waits, in seconds
    # @param max_wait [Numeric] the longest wait between two tries, in seconds
    # @raise [ArgumentError] for a key or an address that a request cannot carry
    def initialize(api_key: nil, base_url: nil, max_retries: 3, timeout: 30, deadline: 60, max_wait: 30)
      options = { max_retries: max_retries, timeout: timeout, deadline: deadline, max_wait: max_wait }
      super(Transport.new(api_key, base_url, options))
    end

    # Verifies webhooks, as {Webhooks} does without a client.
    def webhooks = Webhooks
  end
end
