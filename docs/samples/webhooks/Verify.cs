// C#, .NET 10: dotnet run Verify.cs ID TIMESTAMP SIGNATURES SECRET < body
using System.Security.Cryptography;
using System.Text;

const long ToleranceSeconds = 300;

using var input = new MemoryStream();
Console.OpenStandardInput().CopyTo(input);
return IsGenuine(args[0], args[1], args[2], input.ToArray(), args[3]) ? 0 : 1;

// Whether a webhook is genuine. body is the request's body as it came.
static bool IsGenuine(string id, string timestamp, string signatures, byte[] body, string secret)
{
    if (!long.TryParse(timestamp, out var seconds)) return false;
    if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > ToleranceSeconds) return false;
    var key = Convert.FromBase64String(secret.Replace("whsec_", ""));
    byte[] signed = [.. Encoding.UTF8.GetBytes($"{id}.{timestamp}."), .. body];
    var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, signed)));
    return signatures.Split(' ').Any(one => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(one), expected));
}
