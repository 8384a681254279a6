require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.send_message(
  to: "+12025550142",
  message: "Your order has been shipped.",
  dedupe: 3600
)
puts answer.message_id, answer.deduplicated
