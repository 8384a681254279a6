require "net/http"

response = Net::HTTP.post_form(
  URI("https://pennytext.example/api/sendotp"),
  to: "+12025550142",
  org: "Acme",
  apikey: "YOUR_API_KEY"
)
puts response.body
