import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { otp_id, message_id } = await client.otp.send({
  to: '+12025550142',
  org: 'Acme',
});
console.log(otp_id, message_id);
