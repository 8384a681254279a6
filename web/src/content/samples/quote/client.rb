require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.quote(to: "+12025550142", message: "Hello from Pennytext")
puts answer.credits, answer.quote, answer.expires_at
