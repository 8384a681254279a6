from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
answer = client.send(
    to="+12025550142",
    message="Your table by the window",
    media=[{"url": "https://example.com/table.jpg"}],
)
print(answer.message_id, answer.credits)
