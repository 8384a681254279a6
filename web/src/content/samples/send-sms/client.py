from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
answer = client.send(to="+12025550142", message="Hello from Pennytext")
print(answer.message_id, answer.credits, answer.balance)
