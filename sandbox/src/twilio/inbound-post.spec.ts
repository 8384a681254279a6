import { createServer, type AddressInfo } from 'node:net';
import { InboundPost } from './inbound-post.js';

const settings = (port: number) => ({
  accountSid: `AC${'0'.repeat(32)}`,
  authToken: 'token',
  productUrl: `http://127.0.0.1:${port}`,
  publicProductUrl: `http://127.0.0.1:${port}`,
});

describe('InboundPost', () => {
  it('gives up when no answer comes in time, and does not post again', async () => {
    let connections = 0;
    const silent = createServer((socket) => {
      connections += 1;
      socket.resume().on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const post = new InboundPost(settings((silent.address() as AddressInfo).port), 100);
    expect(await post.send({ Body: 'Hello' })).toEqual({
      status: 0,
      problem: expect.stringMatching(/^11205: HTTP connection failure/),
      texts: [],
    });
    expect(connections).toBe(1);
    await post.close();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('says that nobody listens', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const post = new InboundPost(settings(port));
    expect(await post.send({})).toMatchObject({ status: 0, problem: expect.stringContaining('ECONNREFUSED') });
    await post.close();
  });
});
