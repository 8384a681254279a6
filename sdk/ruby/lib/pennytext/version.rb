# frozen_string_literal: true

module Pennytext
  VERSION = "0.1.0"
end
