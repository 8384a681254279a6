require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.otp.send_code(to: "+12025550142", org: "Acme")
puts answer.otp_id, answer.message_id
