import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { status, refunded } = await client.messages.cancel('YOUR_MESSAGE_ID');
console.log(status, refunded);
