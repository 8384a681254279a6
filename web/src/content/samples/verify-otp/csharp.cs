using System.Net.Http.Json;

using var http = new HttpClient();
using var response = await http.PostAsJsonAsync("https://pennytext.example/api/verifyotp", new
{
    to = "+12025550142",
    otp = "123456",
    apikey = "YOUR_API_KEY",
});
Console.WriteLine(await response.Content.ReadAsStringAsync());
