require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.media.upload(File.binread("table.jpg"))
puts answer.media_id, answer.type, answer.bytes
