import json
from urllib.request import Request, urlopen

message = {
    "to": "+12025550142",
    "message": "Hello from Pennytext",
    "apikey": "YOUR_API_KEY",
}
request = Request(
    "https://pennytext.example/api/sendsms",
    data=json.dumps(message).encode(),
    headers={"Content-Type": "application/json"},
)
with urlopen(request, timeout=10) as response:
    print(json.load(response))
