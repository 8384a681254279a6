from datetime import datetime, timedelta, timezone

from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
tomorrow = datetime.now(timezone.utc) + timedelta(days=1)
answer = client.send(to="+12025550142", message="See you at 10", send_at=tomorrow)
print(answer.message_id, answer.status, answer.send_at)
