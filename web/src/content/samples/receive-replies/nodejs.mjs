import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = Buffer.from('YOUR_WEBHOOK_SECRET'.replace('whsec_', ''), 'base64');

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    if (!isFromPennytext(request.headers, body)) return response.writeHead(401).end();
    const { MessageId, Sender, Message } = JSON.parse(body);
    console.log(`${MessageId} from ${Sender}: ${Message}`);
    response.writeHead(200).end();
  });
}).listen(8080);

function isFromPennytext(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  // Anything older than five minutes may be a replayed request.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
