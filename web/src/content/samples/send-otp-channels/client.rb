require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.otp.send_code(
  to: "+12025550142",
  channels: [{ channel: "sms", wait_seconds: 45 }, { channel: "email", to: "ann@example.com" }],
  max_credits: 2
)
puts answer.otp_id, answer.next_channel, answer.next_channel_at
