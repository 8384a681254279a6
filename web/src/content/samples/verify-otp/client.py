from pennytext import Pennytext

client = Pennytext(api_key="YOUR_API_KEY", base_url="https://pennytext.example")
answer = client.otp.verify(to="+12025550142", otp="123456")
print(answer.status)
