# frozen_string_literal: true

# Client of the Pennytext SMS API.
#
#   client = Pennytext::Client.new
#   client.send_message(to: "+12025550142", message: "Hello")
module Pennytext
end

require_relative "pennytext/version"
require_relative "pennytext/error"
require_relative "pennytext/value"
require_relative "pennytext/types"
require_relative "pennytext/codes"
require_relative "pennytext/arguments"
require_relative "pennytext/connections"
require_relative "pennytext/transport"
require_relative "pennytext/webhooks"
require_relative "pennytext/client"
require_relative "pennytext/calls"
