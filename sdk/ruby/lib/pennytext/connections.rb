# frozen_string_literal: true

require "net/http"
require "uri"

module Pennytext
  # Connections to a server, which are used again and shared by threads.
  #
  # @api private
  class Connections
    IDLE_MAX = 16

    def initialize(url)
      @uri = URI(url)
      @idle = []
      @pid = Process.pid
      @lock = Mutex.new
    end

    # Yields a connection, which may have to be started. It is closed unless the block ends by itself.
    def use
      http = take
      result = yield http
      is_intact = true
      result
    ensure
      is_intact ? keep(http) : close(http)
    end

    private

    def take
      @lock.synchronize do
        # A process that was forked has connections of its own.
        @idle.clear unless @pid == Process.pid
        @pid = Process.pid
        @idle.pop
      end || connection
    end

    def keep(http)
      is_kept = @lock.synchronize { @idle.push(http) if @idle.size < IDLE_MAX }
      close(http) unless is_kept
    end

    def close(http)
      http.finish if http&.started?
    end

    def connection
      http = Net::HTTP.new(@uri.hostname, @uri.port)
      http.use_ssl = @uri.scheme == "https"
      # Net::HTTP would repeat reads by itself, and bound each part of an answer instead of the whole.
      http.max_retries = 0
      http.open_timeout = http.read_timeout = http.write_timeout = nil
      http
    end
  end
end
