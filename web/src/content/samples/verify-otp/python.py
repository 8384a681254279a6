import json
from urllib.request import Request, urlopen

fields = {
    "to": "+12025550142",
    "otp": "123456",
    "apikey": "YOUR_API_KEY",
}
request = Request(
    "https://pennytext.example/api/verifyotp",
    data=json.dumps(fields).encode(),
    headers={"Content-Type": "application/json"},
)
with urlopen(request, timeout=10) as response:
    print(response.read().decode())
