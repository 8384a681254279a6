import json
import uuid
from pathlib import Path
from urllib.request import Request, urlopen

boundary = uuid.uuid4().hex
head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="table.jpg"\r\n\r\n'
body = head.encode() + Path("table.jpg").read_bytes() + f"\r\n--{boundary}--\r\n".encode()
request = Request(
    "https://pennytext.example/api/media",
    data=body,
    headers={
        "Authorization": "Bearer YOUR_API_KEY",
        "Content-Type": f"multipart/form-data; boundary={boundary}",
    },
)
with urlopen(request, timeout=60) as response:
    print(json.load(response))
