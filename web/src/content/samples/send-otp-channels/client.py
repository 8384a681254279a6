from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
answer = client.otp.send(
    to="+12025550142",
    channels=[
        {"channel": "sms", "wait_seconds": 45},
        {"channel": "email", "to": "ann@example.com"},
    ],
    max_credits=2,
)
print(answer.otp_id, answer.next_channel, answer.next_channel_at)
