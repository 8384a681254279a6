from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
answer = client.batches.cancel("YOUR_BATCH_ID")
print(answer.canceled, answer.refunded)
