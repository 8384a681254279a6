from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
answer = client.quote(to="+12025550142", message="Hello from Pennytext")
print(answer.credits, answer.quote, answer.expires_at)
