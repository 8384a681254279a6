# frozen_string_literal: true

# Runs the conformance suite with this client: ruby -w -I lib test/conformance.rb ADDRESS
# sdk/conformance/README.md tells how a runner works.

require "pennytext"
require "pp"
require "yaml"

SERVER = URI(ARGV.fetch(0))
HTTP = Net::HTTP.start(SERVER.host, SERVER.port)
KERNEL_INSPECT = Kernel.instance_method(:inspect)
# Time in which a request has reached the service.
CANCELED_AFTER = 0.3

def post(path, body = {})
  JSON.parse(HTTP.post(path, JSON.generate(body), "content-type" => "application/json").body)
end

# Replaces the clock: a wait takes no time, and moves the deadline. Clients have no option for it.
def replace_clock(client, waits, cancel)
  transport = client.instance_variable_get(:@transport)
  transport.define_singleton_method(:now) { super() + waits.sum }
  transport.define_singleton_method(:sleep) do |seconds|
    waits << seconds
    raise Interrupt if cancel == "wait"
  end
end

# A time of Ruby for each time of the contract.
def typed(arguments)
  arguments.to_h do |name, value|
    [name.to_sym, %w[send_at since until now].include?(name) ? Time.iso8601(value) : value]
  end
end

def start(client, name, given, options)
  given = typed(given)
  case name
  when "send" then client.send_message(**given, **options)
  when "quote"
    is_bulk = given.key?(:messages) || given.key?(:recipients)
    client.public_send(is_bulk ? :quote_bulk : :quote, **given, **options)
  when "otp.send" then client.otp.send_code(**given, **options)
  when "media.upload" then client.media.upload(given.delete(:bytes_base64)&.unpack1("m"), **given, **options)
  when "webhooks.verify"
    body = given[:body_base64]&.unpack1("m") || given[:body]
    client.webhooks.verify(body, given[:headers], given[:secrets] || given[:secret], now: given[:now])
  else
    ids = name.match?(/get|cancel|totp/) ? %i[message_id batch_id totp_id].filter_map { |id| given.delete(id) } : []
    *group, method = name.split(".")
    owner = group.reduce(client) { |object, step| object.public_send(step) }
    owner.public_send(method, *ids, **given, **options)
  end
end

# An answer with its readers' values, and with the fields that have none.
def shown(value)
  case value
  when Pennytext::Value
    value.to_h.merge(value.deconstruct_keys(nil).transform_keys(&:to_s)).transform_values { |one| shown(one) }
  when Array then value.map { |one| shown(one) }
  when Time then value.iso8601(3)
  else value
  end
end

def shown_error(error)
  { code: error.code, detail: error.detail, status: error.status, request_id: error.request_id,
    retry_after: error.retry_after, fix: error.fix, outcome_unknown: error.outcome_unknown?,
    idempotency_key: error.idempotency_key, is: error.is?(error.code) && !error.is?(:no_such_code) }
end

# Texts that could reach a log.
def texts_of(object)
  return [] unless object

  causes = object.is_a?(Exception) ? [object.full_message, *texts_of(object.cause)] : [object.pretty_inspect]
  [object.inspect, object.to_s, JSON.generate(object), YAML.dump(object), KERNEL_INSPECT.bind_call(object), *causes]
end

def outcome(one)
  started_at = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end_of = { waits: [], texts: [] }
  items = []
  %w[PENNYTEXT_API_KEY PENNYTEXT_URL].each { |name| ENV[name] = one["environment"][name] }
  begin
    given = one["client"].transform_keys { |name| name.delete_suffix("_ms").to_sym }
    %i[timeout deadline].each { |name| given[name] &&= given[name] / 1000.0 }
    client = Pennytext::Client.new(**given)
    replace_clock(client, end_of[:waits], one["cancel"])
    end_of[:texts].push(*texts_of(client), *texts_of(client.instance_variable_get(:@transport)))
    call = one["call"]
    options = { idempotency_key: call["idempotency_key"] }.compact
    main = Thread.current
    canceler = Thread.new { sleep(CANCELED_AFTER) && main.raise(Interrupt) } if one["cancel"] == "try"
    call["times"].times do |n|
      result = start(client, call["name"], call["arguments"], options)
      if result.is_a?(Enumerator)
        (call["take"] ? result.first(call["take"]).each : result).each { |item| items << item }
        result = items
      end
      end_of[:result] = shown(result)
    rescue Pennytext::Error
      raise if n == call["times"] - 1
    end
  rescue Interrupt => error
    end_of[:canceled] = true
  rescue Pennytext::Error => error
    end_of.update(error: shown_error(error), result: shown(items))
  rescue ArgumentError, TypeError => error
    end_of[:refused] = true
  ensure
    canceler&.kill
  end
  end_of[:texts].concat(texts_of(error))
  end_of.merge(elapsed_ms: (Process.clock_gettime(Process::CLOCK_MONOTONIC) - started_at) * 1000)
end

JSON.parse(HTTP.get("/cases").body).each do |name|
  one = post("/cases/#{name}")
  verdict = post("/runs/#{one["run"]}", outcome(one))
  puts JSON.generate({ name: name, passed: verdict["passed"], differences: verdict["differences"] })
end
