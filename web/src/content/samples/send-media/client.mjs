import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { message_id, credits } = await client.send({
  to: '+12025550142',
  message: 'Your table by the window',
  media: [{ url: 'https://example.com/table.jpg' }],
});
console.log(message_id, credits);
