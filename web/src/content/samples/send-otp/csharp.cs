using System.Net.Http.Json;

using var http = new HttpClient();
using var response = await http.PostAsJsonAsync("https://pennytext.example/api/sendotp", new
{
    to = "+12025550142",
    org = "Acme",
    apikey = "YOUR_API_KEY",
});
Console.WriteLine(await response.Content.ReadAsStringAsync());
