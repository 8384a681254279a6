from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
with open("table.jpg", "rb") as photo:
    answer = client.media.upload(photo.read())
print(answer.media_id, answer.type, answer.bytes)
