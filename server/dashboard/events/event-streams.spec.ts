import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventStream, eventText } from './event-streams.js';

describe('EventStream', () => {
  it('disconnects a page that does not read', async () => {
    const closed = jest.fn();
    let dropped: () => void;
    const isDropped = new Promise<void>((resolve) => (dropped = resolve));
    const server = createServer((_request, response) => {
      const stream = new EventStream(response, 'token');
      stream.open(() => {
        closed();
        dropped();
      });
      fill(stream, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const page = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    page.on('response', (answer) => answer.pause());
    page.on('error', () => undefined);
    page.end();
    try {
      await isDropped;
      expect(closed).toHaveBeenCalledTimes(1);
    } finally {
      page.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('writes an event as one line of data', () => {
    const data = { balance: 3, purchased: 3, used: 0, frozen: 0 };
    expect(eventText('balance', data)).toBe(
      'event: balance\ndata: {"balance":3,"purchased":3,"used":0,"frozen":0}\n\n',
    );
  });
});

/** Sends more than the socket buffers hold. */
function fill(stream: EventStream, response: ServerResponse): void {
  const text = `: ${'x'.repeat(65_536)}\n\n`;
  for (let sentBytes = 0; sentBytes < 64_000_000 && !response.destroyed; sentBytes += text.length) stream.send(text);
  // Writes after the end are ignored.
  stream.send(text);
  stream.end();
}
