import { otpCurl } from './otp-curl.js';

describe('otpCurl', () => {
  const code = { origin: 'https://pennytext.example', to: '+12025550142', apiKey: 'key' };

  it('sends a code by SMS as a form', () => {
    expect(otpCurl(code)).toBe(
      "curl https://pennytext.example/api/sendotp \\\n  --data-urlencode 'to=+12025550142' \\\n  -d 'apikey=key'",
    );
  });

  it('sends channels as JSON, which quotes of the shell do not end', () => {
    const channels = [{ channel: 'email', to: "o'hara@example.com" }] as const;
    const [, body = ''] = /--json '(.*)'$/s.exec(otpCurl({ ...code, channels })) ?? [];
    expect(JSON.parse(body.replaceAll(String.raw`'\''`, "'"))).toEqual({ to: code.to, channels, apikey: 'key' });
  });
});
