import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { status } = await client.otp.verify({ to: '+12025550142', otp: '123456' });
console.log(status);
