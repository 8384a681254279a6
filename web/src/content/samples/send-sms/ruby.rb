require "net/http"

response = Net::HTTP.post_form(
  URI("https://pennytext.example/api/sendsms"),
  to: "+12025550142",
  message: "Hello from Pennytext",
  apikey: "YOUR_API_KEY"
)
puts response.body
