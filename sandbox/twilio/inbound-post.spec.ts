import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { connectionOverrides, InboundPost, instructionsIn } from './inbound-post.js';

describe('instructionsIn', () => {
  it.each([
    ['text/xml', '<Response/>', []],
    ['text/xml; charset=utf-8', '<?xml version="1.0" encoding="UTF-8"?>\n<Response></Response>', []],
    ['application/xml', '<Response><!-- <Message>no</Message> --></Response>', []],
    ['text/xml', '<Response><Message>Tom &amp; J&#233;r&#xF4;me &lt;3</Message></Response>', ['Tom & Jérôme <3']],
    [
      'text/xml',
      '<Response><Message to="+1"><Body>One</Body></Message><Message>Two</Message></Response>',
      ['One', 'Two'],
    ],
    ['text/xml', '<Response><Message><![CDATA[a < b &amp; c]]></Message></Response>', ['a < b &amp; c']],
    ['text/xml', '<Response><Message/></Response>', []],
    ['text/plain', 'Thanks!', ['Thanks!']],
    ['', '', []],
  ])('reads %s %s', (type, body, texts) => {
    expect(instructionsIn(type, body)).toEqual({ texts });
  });

  it.each([
    ['application/json', '{}', '12300: Invalid Content-Type: application/json'],
    ['', '<Response/>', '12300: Invalid Content-Type: none'],
    ['text/html', '<html>Not found</html>', '12100: Document parse failure'],
    ['text/xml', '<Response><Message>never ended', '12100: Document parse failure'],
  ])('returns the error that Twilio would log for %s %s', (type, body, problem) => {
    expect(instructionsIn(type, body)).toEqual({ problem });
  });
});

const EMPTY_RESPONSE = 'HTTP/1.1 200 OK\r\ncontent-type: text/xml\r\ncontent-length: 11\r\n\r\n<Response/>';
const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n';

let posts: string[];
let product: Server;
let post: InboundPost | undefined;

/** Starts a product that returns these answers in order, then none. */
async function startProduct(answers: readonly string[]): Promise<number> {
  posts = [];
  const answer = (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      posts.push(chunk.toString('utf8'));
      const text = answers[posts.length - 1];
      if (text !== undefined) socket.write(text);
    });
  };
  product = createServer(answer);
  await new Promise<void>((resolve) => product.listen(0, '127.0.0.1', resolve));
  return (product.address() as AddressInfo).port;
}

const stopProduct = () => new Promise((resolve) => product.close(resolve));

function send(port: number, overrides: string) {
  const productUrl = `http://127.0.0.1:${port}`;
  post = new InboundPost({
    accountSid: `AC${'0'.repeat(32)}`,
    authToken: 'token',
    productUrl,
    publicProductUrl: productUrl,
    inboundOverrides: connectionOverrides.parse(overrides),
  });
  return post.send({ Body: 'Hello' });
}

afterEach(() => post?.close());

describe('InboundPost', () => {
  it('gives up without a retry when no answer comes in time', async () => {
    const unanswered = await send(await startProduct([]), 'rt=100');
    expect(unanswered).toMatchObject({ status: 0, problem: expect.stringMatching(/^11205: HTTP connection failure/) });
    expect(posts).toHaveLength(1);
    await post?.close();
    await stopProduct();
  });

  it('retries the failures in its overrides, as often as they allow', async () => {
    const taken = await send(await startProduct([UNAVAILABLE, UNAVAILABLE, EMPTY_RESPONSE]), 'rc=2&rp=5xx');
    expect(taken).toEqual({ status: 200, problem: null, texts: [] });
    expect(new Set(posts.map((text) => /x-twilio-signature: .*/.exec(text)?.[0])).size).toBe(1);
    await post?.close();
    await stopProduct();
  });

  it('fails when the retries are used up or the failure is not in the overrides', async () => {
    for (const [overrides, tries] of [
      ['rc=1&rp=5xx', 2],
      ['rc=5&rp=4xx,rt', 1],
      ['', 1],
    ] as const) {
      const refused = await send(await startProduct([UNAVAILABLE, UNAVAILABLE, EMPTY_RESPONSE]), overrides);
      expect(refused).toEqual({ status: 503, problem: '11200: HTTP retrieval failure: 503', texts: [] });
      expect(posts).toHaveLength(tries);
      await post?.close();
      await stopProduct();
    }
  });

  it('reports a refused connection', async () => {
    const port = await startProduct([]);
    await stopProduct();
    expect(await send(port, '')).toMatchObject({ status: 0, problem: expect.stringContaining('ECONNREFUSED') });
  });
});
