import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { otp_id, next_channel, next_channel_at } = await client.otp.send({
  to: '+12025550142',
  channels: [
    { channel: 'sms', wait_seconds: 45 },
    { channel: 'email', to: 'ann@example.com' },
  ],
  max_credits: 2,
});
console.log(otp_id, next_channel, next_channel_at);
