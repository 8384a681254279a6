import json
from urllib.request import Request, urlopen

bulk = {
    "message": "Hi {{name}}, your order is ready.",
    "recipients": [
        {"to": "+12025550142", "name": "Ada"},
        {"to": "+12025550143", "name": "Grace", "reference": "order-1043"},
    ],
}
request = Request(
    "https://pennytext.example/api/sendbulk",
    data=json.dumps(bulk).encode(),
    headers={
        "Authorization": "Bearer YOUR_API_KEY",
        "Content-Type": "application/json",
        "Idempotency-Key": "orders-of-march-5",
    },
)
with urlopen(request, timeout=30) as response:
    print(json.load(response))
