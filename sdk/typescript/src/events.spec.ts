import { received, deliveredEvent } from '../../../contract/examples.js';
import { Pennytext } from './client.js';
import type { EventsOptions, StreamedEvent } from './events.js';

const delivered = JSON.stringify(deliveredEvent);
const block = (id: number, type: string, data: string) =>
  `id: ${id}\nevent: ${type}\nwebhook-id: msg_${id}\nwebhook-timestamp: ` +
  `1795168800\nwebhook-signature: v1,x\ndata: ${data}\n\n`;
const start = (id: number) => `: ready\nretry: 10\nid: ${id}\n\n`;

/** A stream of these chunks, which then ends, breaks or stays open. */
function streamOf(chunks: readonly string[], end: 'closes' | 'breaks' | 'stays' = 'closes'): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      if (end === 'closes') controller.close();
    },
    pull(controller) {
      if (end === 'breaks') controller.error(new TypeError('terminated'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function scene(answers: readonly (Response | Error)[], options: EventsOptions = {}) {
  const cursors: (string | null)[] = [];
  const stop = new AbortController();
  const client = new Pennytext({
    apiKey: 'key',
    baseUrl: 'https://api.example',
    fetch: (url, init) => {
      const answer = answers[cursors.length];
      cursors.push(new Request(url, init).headers.get('last-event-id'));
      if (answer === undefined) stop.abort(new Error('No more answers'));
      return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(answer ?? new Error('None'));
    },
  });
  const read = async (eventsMax: number): Promise<StreamedEvent[]> => {
    const events: StreamedEvent[] = [];
    for await (const event of client.events({ ...options, signal: stop.signal })) {
      events.push(event);
      if (events.length >= eventsMax) break;
    }
    return events;
  };
  return { read, cursors, stop };
}

describe('client.events', () => {
  it('yields events as webhooks carry them', async () => {
    const reply = JSON.stringify(received);
    const { read } = scene([
      streamOf([start(41), block(42, 'message.delivered', delivered), block(43, 'message.received', reply)]),
    ]);
    expect(await read(2)).toEqual([
      {
        ...deliveredEvent,
        id: 'msg_42',
        cursor: '42',
        body: delivered,
        headers: { 'webhook-id': 'msg_42', 'webhook-timestamp': '1795168800', 'webhook-signature': 'v1,x' },
      },
      expect.objectContaining({ type: 'message.received', data: received, cursor: '43', body: reply }),
    ]);
  });

  it('reads events that arrive in pieces, with any end of line', async () => {
    const text = start(41) + block(42, 'message.delivered', delivered).replaceAll('\n', '\r\n');
    const { read } = scene([streamOf([...text])]);
    expect(await read(1)).toMatchObject([{ cursor: '42', body: delivered }]);
  });

  it.each(['closes', 'breaks'] as const)('continues after the last event when the stream %s', async (end) => {
    const { read, cursors } = scene([
      streamOf([start(41), block(42, 'message.delivered', delivered)], end),
      streamOf([start(42)], end),
      streamOf([block(43, 'message.delivered', delivered)], 'stays'),
    ]);
    expect((await read(2)).map(({ cursor }) => cursor)).toEqual(['42', '43']);
    expect(cursors).toEqual([null, '42', '42']);
  });

  it('continues from the start when nothing has happened yet', async () => {
    const { read, cursors } = scene([streamOf([start(41)]), streamOf([block(42, 'message.delivered', delivered)])]);
    await read(1);
    expect(cursors).toEqual([null, '41']);
  });

  it('begins after a cursor', async () => {
    const { read, cursors } = scene([streamOf([block(8, 'message.delivered', delivered)])], { after: '7' });
    await read(1);
    expect(cursors).toEqual(['7']);
  });

  it('reports that it is ready, and why it reconnects', async () => {
    const statuses: string[] = [];
    const onStatus: EventsOptions['onStatus'] = (status, reason) =>
      statuses.push(`${status} ${reason?.code ?? ''}`.trim());
    const busy = new Response('{"code":"unavailable","detail":"Busy."}', { status: 503 });
    const { read } = scene(
      [streamOf([start(41)]), busy, streamOf([start(41), block(42, 'message.delivered', delivered)])],
      { onStatus },
    );
    await read(1);
    expect(statuses).toEqual(['ready', 'reconnecting', 'reconnecting unavailable', 'ready']);
  });

  it('ends when the key does not work', async () => {
    const unknown = new Response('{"code":"unknown_api_key","detail":"No."}', { status: 401 });
    await expect(scene([unknown]).read(1)).rejects.toMatchObject({ code: 'unknown_api_key', status: 401 });
    const closed = streamOf([start(41), 'event: closed\ndata: {"code":"key_expired","detail":"Expired."}\n\n']);
    await expect(scene([closed]).read(1)).rejects.toMatchObject({ code: 'key_expired' });
  });

  it('does not hide that events were lost', async () => {
    const answer = () => streamOf(['event: gap\ndata: {}\n\n', block(9, 'message.delivered', delivered)]);
    await expect(scene([answer()], { after: '1' }).read(1)).rejects.toMatchObject({ code: 'events_lost' });
    let gaps = 0;
    const onGap = () => (gaps += 1);
    expect(await scene([answer()], { after: '1', onGap }).read(1)).toMatchObject([{ cursor: '9' }]);
    expect(gaps).toBe(1);
  });

  it('ends with the reason of its signal', async () => {
    const { read, stop } = scene([streamOf([start(41)], 'stays')]);
    const reading = read(1);
    const reason = new Error('Enough');
    setTimeout(() => stop.abort(reason), 20);
    await expect(reading).rejects.toBe(reason);
  });
});
