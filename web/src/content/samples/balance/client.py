from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
answer = client.balance()
print(answer.balance, answer.purchased, answer.used)
