require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.send_message(
  to: "+4915123456789",
  message: "Hello from Pennytext",
  max_credits: 2
)
puts answer.message_id, answer.credits
