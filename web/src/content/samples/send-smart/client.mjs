import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { encoding, message } = await client.send({
  to: '+12025550142',
  message: '“See you at 6…”',
  encoding: 'smart',
});
console.log(encoding, message);
