require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.send_message(
  to: "+12025550142",
  message: "“See you at 6…”",
  encoding: "smart"
)
puts answer.encoding, answer.message
