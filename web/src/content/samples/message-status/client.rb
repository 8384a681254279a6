require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.messages.get("YOUR_MESSAGE_ID")
puts answer.status, answer.credits
