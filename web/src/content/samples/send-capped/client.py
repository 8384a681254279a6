from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
answer = client.send(
    to="+4915123456789",
    message="Hello from Pennytext",
    max_credits=2,
)
print(answer.message_id, answer.credits)
