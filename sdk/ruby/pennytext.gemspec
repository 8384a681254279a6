# frozen_string_literal: true

require_relative "lib/pennytext/version"

# tools/clients/pack-ruby.mjs reads the texts of this file, so they are literals.
Gem::Specification.new do |spec|
  spec.name = "pennytext"
  spec.version = Pennytext::VERSION
  spec.summary = "Client of the Pennytext SMS API"
  spec.description = "Sends messages and one-time passwords, and verifies webhooks, without dependencies."
  spec.author = "Pennytext"
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.0"
  spec.files = Dir["lib/**/*.rb", "*.gemspec", "README.md", "LICENSE"]
end
