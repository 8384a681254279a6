require "net/http"

response = Net::HTTP.post_form(
  URI("https://pennytext.example/api/verifyotp"),
  to: "+12025550142",
  otp: "123456",
  apikey: "YOUR_API_KEY"
)
puts response.body
