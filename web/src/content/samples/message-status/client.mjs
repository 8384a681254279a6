import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { status, credits } = await client.messages.get('YOUR_MESSAGE_ID');
console.log(status, credits);
