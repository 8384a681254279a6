require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.send_message(
  to: "+12025550142",
  message: "Hello from Pennytext",
  quote: "YOUR_QUOTE"
)
puts answer.message_id, answer.credits
