import json
from urllib.request import Request, urlopen

message = {
    "to": "+12025550142",
    "message": "Your table by the window",
    "media": [{"url": "https://example.com/table.jpg"}],
}
request = Request(
    "https://pennytext.example/api/sendsms",
    data=json.dumps(message).encode(),
    headers={
        "Authorization": "Bearer YOUR_API_KEY",
        "Content-Type": "application/json",
    },
)
with urlopen(request, timeout=30) as response:
    print(json.load(response))
