# Ruby: ruby verify.rb ID TIMESTAMP SIGNATURES SECRET < body
require 'base64'
require 'openssl'

TOLERANCE_SECONDS = 300

# Whether a webhook is genuine. body is the request's body as it came.
def genuine?(id, timestamp, signatures, body, secret)
  return false unless timestamp.match?(/\A\d+\z/)
  return false if (Time.now.to_i - timestamp.to_i).abs > TOLERANCE_SECONDS

  key = Base64.decode64(secret.delete_prefix('whsec_'))
  signed = "#{id}.#{timestamp}.".b + body.b
  expected = "v1,#{Base64.strict_encode64(OpenSSL::HMAC.digest('sha256', key, signed))}"
  signatures.split(' ').any? { |one| OpenSSL.secure_compare(one, expected) }
end

id, timestamp, signatures, secret = ARGV
exit(genuine?(id, timestamp, signatures, STDIN.binmode.read, secret) ? 0 : 1)
