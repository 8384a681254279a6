from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
answer = client.messages.get("YOUR_MESSAGE_ID")
print(answer.status, answer.credits)
