import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { balance, purchased, used } = await client.balance();
console.log(balance, purchased, used);
