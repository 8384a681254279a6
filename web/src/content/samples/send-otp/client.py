from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
answer = client.otp.send(to="+12025550142", org="Acme")
print(answer.otp_id, answer.message_id)
