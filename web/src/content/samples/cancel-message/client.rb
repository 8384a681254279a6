require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.messages.cancel("YOUR_MESSAGE_ID")
puts answer.status, answer.refunded
